/* pairs.h: which of the directives of a page count.
 *
 * Nearly any word can be one, and what looks like one is mostly text. So those count that belong
 * together: a beginning with the end that comes behind it, and what parts them in between.
 */
#ifndef EM_HTML_PAIRS_H
#define EM_HTML_PAIRS_H

#include "base/arena.h"
#include "html/directive.h"

typedef struct em_noted_directive {
    em_directive_kind kind : 8;
    em_directive_role role : 8;
    bool counts;
    em_slice name;
    size_t number;  /* by which who noted it knows it, */
    bool is_tabled; /* and whether it stands between the parts of a table */
    size_t around;  /* the one of its name that was open where it begins; EM_NPOS: none was */
} em_noted_directive;

typedef struct em_directives {
    em_noted_directive *items; /* in the order of the page */
    size_t count, room;
} em_directives;

/* EM_E_NOMEM. */
em_status em_directives_note(em_directives *directives, const em_directive *directive,
                             size_t number, bool is_tabled, em_arena *arena);

/* Say of each whether it counts, once all are noted. */
void em_directives_pair(em_directives *directives);

#endif
