/* placed_edit.h: an edit at its place, as most steps of the laying read it. */
#ifndef EM_LAYING_PLACED_EDIT_H
#define EM_LAYING_PLACED_EDIT_H

#include "laying/transplant.h"
#include "match/tolerant.h"
#include "tokens/redline.h"

/* What is known of it. Of the replacement it begins with the text alone. All is borrowed: from the
 * place, and from the arena that the steps below are given. */
typedef struct em_placed_edit {
    em_slice text; /* the file's */
    const em_tolerant_place *place;
    em_tokened find, insert;
    const size_t *origin; /* of em_redline(): each token of `insert` in `find`; NULL: not known */
} em_placed_edit;

static inline em_placed_edit em_placed_edit_of(em_slice text, const em_tolerant_place *place)
{
    return (em_placed_edit){text, place, em_place_find(place), {.text = place->insert}, NULL};
}

/* The same with all that laying it found out. */
static inline em_placed_edit em_placed_edit_laid(em_slice text, const em_tolerant_place *place,
                                                 const em_laid *laid)
{
    em_tokened insert = {place->insert, laid->insert};
    return (em_placed_edit){text, place, em_place_find(place), insert, laid->origin};
}

/* The tokens of the replacement. EM_E_NOMEM. */
static inline em_status em_placed_edit_read(em_placed_edit *edit, em_arena *arena)
{
    return em_tokens_of(edit->insert.text, edit->place->fold, arena, &edit->insert.tokens);
}

/* What of the replacement, which was read, is the search text's. EM_E_NOMEM. */
static inline em_status em_placed_edit_compare(em_placed_edit *edit, em_arena *arena)
{
    size_t *origin;
    EM_TRY(em_redline(&edit->find, &edit->insert, arena, &origin));
    edit->origin = origin;
    return EM_OK;
}

#endif
