/* laying_impl.h: what the steps of laying share; for laying.c, as_given.c, parted.c, settled.c and
 * severed.c alone. */
#ifndef EM_LAYING_LAYING_IMPL_H
#define EM_LAYING_LAYING_IMPL_H

#include "laying/transplant.h"
#include "tokens/redline.h"

/* One edit that is laid. */
typedef struct em_laying {
    em_slice text;
    em_eol dominant; /* the file's line ending, where the place has none */
    em_arena *arena;
    em_tokened sent;         /* the search text as it came */
    em_tolerant_place place; /* with search text and replacement as they are read */
    em_laid laid;            /* what becomes of it, as far as that is known */
    bool sound;              /* and can be trusted */
} em_laying;

/* Has the replacement the same words and signs as the search text? */
static inline bool em_laying_repeats_find(const em_laying *l)
{
    const em_tolerant_place *place = &l->place;
    return em_tokened_same((em_tokened){place->insert, l->laid.insert}, em_place_find(place),
                           place->fold);
}

static inline em_indent_habit em_laying_habit(const em_laying *l)
{
    return em_indent_habit_around(l->text, l->place.span.start, l->place.span.end, l->place.habits);
}

#endif
