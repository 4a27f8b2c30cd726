/* unwrap.h: what models wrap around a text by mistake, taken off.
 *
 * A code fence around it, or the markers of an answer; line numbers before its lines, as reading
 * tools print them; HTML entities for its signs; a level of escapes (`\n`, `\"`) too many, within
 * these or around them all. Each is undone on the search text and on the replacement alike, and
 * only tried where the text as it came stands nowhere.
 */
#ifndef EM_MATCH_UNWRAP_H
#define EM_MATCH_UNWRAP_H

#include "base/arena.h"
#include "match/miss.h"
#include "match/numbering.h"

/* A reading of a search text and its replacement. */
typedef struct em_reading {
    em_slice find, insert;
    em_miss miss;     /* the wrapping that was taken off last */
    bool whole_lines; /* the wrapping was one of lines: `find` stands for whole ones, */
    bool headless;    /* the first of which may be the end of one */
    bool is_open;     /* nothing tells whether a blank belongs to a number or to the indentation */
    bool must_fit; /* it is this one only where the file's lines are as deep as those of `find` */
    bool is_unescaped;      /* a level of escapes was taken off */
    em_numbering numbering; /* the numbers that were taken off; EM_NUMBER_NONE */
} em_reading;

enum { EM_MOST_READINGS = 16 };

typedef struct em_readings {
    em_reading items[EM_MOST_READINGS];
    size_t count;
} em_readings;

/* The readings of the texts with at least one wrapping taken off, those with the fewest first, no
 * two alike; the texts live in `arena` or are those given. A reading whose replacement would bring
 * part of the wrapping into the file is left out. Where nothing tells whether the blank behind each
 * line number belongs to that or to the indentation, there is a reading of either kind: the file
 * knows. They have the same `insert` then, or the one with the blanks must fit, and the other one,
 * too, where some lines of the replacement have no number. EM_E_NOMEM only. */
em_status em_readings_of(em_slice find, em_slice insert, em_arena *arena, em_readings *readings);

/* Where one of the texts has a name that begins with a backslash, as `\alpha`: has the replacement
 * an escape and letters that the search text has not? They may be another name, `\nu` or `\times`.
 */
bool em_has_new_name(em_slice find, em_slice insert);

#endif
