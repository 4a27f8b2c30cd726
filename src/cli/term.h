/* term.h: what people are shown.
 *
 * On a terminal, text that comes from files must not act: control characters, and characters that
 * change the order of others or cannot be seen, are shown escaped. In a pipe bytes go through as
 * they are, for programs to work with; but not names, which could forge lines of a listing, nor
 * what complains of them.
 */
#ifndef EM_CLI_TERM_H
#define EM_CLI_TERM_H

#include "base/slice.h"

#include <stdint.h>
#include <stdio.h>

typedef struct em_term {
    FILE *file;
    bool is_tty;
    bool colour; /* a terminal, and neither NO_COLOR nor TERM=dumb says otherwise */
} em_term;

em_term em_term_of(FILE *file);

/* Write text from a file. On a terminal it shows what it is: a newline and a tab stay; \r, \x1B,
 * \u{202E} and bytes that are not UTF-8 (\xFF) are written out. */
void em_term_text(const em_term *term, em_slice text);

/* Is this character (its bytes, and its code) one that is written out there? */
bool em_term_escapes(em_slice character, uint32_t code);

/* Write a sentence for people: shown so in a pipe, too. */
void em_term_sentence(const em_term *term, em_slice text);

/* Write a name into a line: shown so in a pipe, too, and a newline and a tab written out. */
void em_term_name(const em_term *term, em_slice name);

/* Write a unified diff, coloured where there are colours. */
void em_term_diff(const em_term *term, em_slice diff);

#endif
