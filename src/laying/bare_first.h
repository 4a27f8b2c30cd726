/* bare_first.h: a replacement that came without the indentation of its first line, as text that is
 * to be pasted behind that.
 */
#ifndef EM_LAYING_BARE_FIRST_H
#define EM_LAYING_BARE_FIRST_H

#include "match/tolerant.h"
#include "tokens/redline.h"

/* A replacement that came without the indentation of its first line. */
typedef struct em_bare_first {
    bool is;        /* that line has one in the file */
    bool is_meant;  /* the other lines tell that it has come as it is meant */
    bool is_either; /* it may be another line of the search text, which has none in the file */
    size_t own;     /* the line of the search text that it repeats or changes, by its first token;
                         EM_NPOS: none */
    em_slice seen;  /* what it has in the file; of a new one, what the place's first line has */
} em_bare_first;

/* `insert` is the replacement of the place, with its tokens. EM_E_NOMEM only. */
em_status em_bare_first_of(em_slice text, const em_tolerant_place *place, em_tokened insert,
                           em_arena *arena, em_bare_first *bare);

#endif
