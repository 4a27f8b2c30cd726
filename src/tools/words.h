/* words.h: what one tool calls the texts of an edit, for who reads its arguments and for who
 * answers.
 */
#ifndef EM_TOOLS_WORDS_H
#define EM_TOOLS_WORDS_H

/* What a tool calls its search text and the text that replaces it: "old_text", "new_text". `find`
 * is NULL in tools that search for nothing, and `lines` in those that keep no edit to some lines.
 */
typedef struct em_words {
    const char *find, *insert, *lines;
    const char *every; /* what asks for all places, where that is not a count; NULL */
    const char *fill; /* how text gets into an empty file: "send an empty old_text"; NULL where only
                         writing it anew does that */
} em_words;

#endif
