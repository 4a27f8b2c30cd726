/* depths.h: what is known of how deep the lines of a replacement belong.
 *
 * Each line of the search text that stands in the file is a pair: so deep for the caller, so deep
 * in the file. Where the search text has lost all of its indentation that tells nothing; the
 * replacement, which repeats the lines with some, is taken for it then.
 */
#ifndef EM_EDIT_DEPTHS_H
#define EM_EDIT_DEPTHS_H

#include "edit/indent.h"
#include "edit/redline.h"
#include "edit/tolerant.h"

typedef struct em_depths {
    em_slice text;
    const em_place *place;
    em_tokened find, insert;
    const size_t *origin; /* of em_redline() */
    em_arena *arena;
    em_indents indents;
    bool first_is_bare; /* the search text begins without the indentation that the file has */
    bool units_are_known;
} em_depths;

/* The pairs, where all but `indents` and what follows is set. EM_E_NOMEM only. */
em_status em_depths_learn(em_depths *depths);

/* The rest of the indents, where lines are new: of a hundred thousand places that change within
 * their line none needs to know. */
void em_depths_learn_units(em_depths *depths);

#endif
