/* long_strings.h: strings and here-documents over several lines.
 *
 * They are told whatever the language, by what begins one: three quotes, a backtick, a quote that
 * ends its line as one of a shell's does, "<<WORD". Quotes in comments begin none.
 */
#ifndef EM_TOKENS_LONG_STRINGS_H
#define EM_TOKENS_LONG_STRINGS_H

#include "base/slice.h"

enum { EM_MOST_LONG_STRINGS = 8 }; /* of one text */

/* What is between the end of the line in which a string begins and the sign that ends it; or all of
 * a here-document, with the line that ends it. */
typedef struct em_long_string {
    size_t start, end;
    bool is_document;
} em_long_string;

typedef struct em_long_strings {
    em_long_string items[EM_MOST_LONG_STRINGS];
    size_t count;
    bool are_clear; /* all of them end, and there are not too many */
} em_long_strings;

em_long_strings em_long_strings_of(em_slice text);

#endif
