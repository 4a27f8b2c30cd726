/* text_page.h: does a file hold text for people, by its name?
 *
 * Code stands in it only between words, or not at all.
 */
#ifndef EM_REMARKS_TEXT_PAGE_H
#define EM_REMARKS_TEXT_PAGE_H

#include <stdbool.h>

/* Is it of a kind that has code in fences, as Markdown? */
bool em_is_text_page(const char *path);

/* Does it hold texts that stand there without quotes, as those that a program shows
 * (`.properties`), or nothing else? */
bool em_has_bare_texts(const char *path);

#endif
