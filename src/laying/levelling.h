/* levelling.h: a search text and a replacement that stand at two depths, and both at wrong ones.
 *
 * What the difference of the two says of depth is then how the caller's texts differ, and no edit:
 *
 *   search text   file          replacement     result
 *       if p:       if p:       if p:             if p:
 *           a()         a()         a()               a()
 *           b()         b()         b(1)              b(1)
 *
 * Nobody means lines that stay, beside each other as before, to come to a depth that none of the
 * three texts has. So the replacement is taken as deep as the search text, and then as the file.
 *
 * Where a line comes or goes that could have others in its block, the edit may have moved these:
 * they tell nothing. Nor does anything where a line stands alike in two of the texts (but for no
 * indentation in all three), or as deep in the search text as in the file, but in other steps: then
 * it is the replacement that moves it. Unless that is as deep, too, in steps of its own, at more
 * than one depth.
 */
#ifndef EM_LAYING_LEVELLING_H
#define EM_LAYING_LEVELLING_H

#include "laying/transplant.h"
#include "match/tolerant.h"

typedef struct em_levelling {
    /* The difference may be right: no line is moved for this reason, and lines that stay are as
     * deep as each other, or one deeper than the next, where all texts have them so. */
    bool keeps;
    /* Else the replacement as deep as the search text; ptr NULL: that cannot be told, */
    em_slice insert;
    /* nor whether the replacement moves lines or has them in steps of its own. */
    bool may_move;
} em_levelling;

/* `laid` is what the difference gave for the place, whose replacement has other words or signs than
 * its search text. levelling->insert is in `arena`. EM_E_NOMEM only. */
em_status em_levelling_of(em_slice text, const em_tolerant_place *place, const em_laid *laid,
                          em_arena *arena, em_levelling *levelling);

/* Of several places: is there none where the replacement stands as the file does, and the search
 * text not, beside one where it is the other way round? The replacement would stay as deep as it
 * came in the one, and in the other move lines, out of a block of theirs maybe. EM_E_NOMEM;
 * EM_E_TIMEOUT when the deadline passed. */
em_status em_places_are_level(em_slice text, em_places places, em_deadline *deadline, bool *level);

#endif
