/* probes.h: by which pieces is an op found that does not stand there literally?
 *
 * The tiers up to EM_TIER_TOKEN look for the search text in some readings, and whether an edit was
 * applied already is asked by the replacement in these. Each of these texts has pieces that stand
 * wherever it does. So who knows of each where one of its pieces stands knows all places that these
 * tiers look at.
 */
#ifndef EM_EDIT_PROBES_H
#define EM_EDIT_PROBES_H

#include "edit/op.h"
#include "match/tolerant.h"

typedef struct em_probes {
    em_tolerant_pieces *items; /* of each text; where there are none they are left out */
    size_t count;
    size_t most_tokens; /* of a text, however it is read */
    size_t most_bytes;
} em_probes;

/* The probes of an op that searches, and not by a pattern; none where a text has a NUL. In `arena`,
 * or borrowed from the op. EM_E_NOMEM only. */
em_status em_probes_of(const em_op *op, em_arena *arena, em_probes *probes);

/* What becomes of the search text, whatever the op is called. */
em_status em_whole_insert(const em_op *op, em_arena *arena, em_slice *insert);

#endif
