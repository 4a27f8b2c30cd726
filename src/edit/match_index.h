/* match_index.h: where do the search texts of all ops stand in the text of the moment?
 *
 * A sequence of many ops would look through the whole text once for each. So the search texts of
 * the ops to come are looked for in one pass, and the places kept as addresses (draft.h), which
 * stay what they are when something is laid in elsewhere. A splice can only destroy matches that it
 * touches and make ones that overlap what it inserted: so the text around it is looked through for
 * all texts that are still to come, and what is found there noted too. Whether a place that was
 * noted is still one is asked when its op has its turn, by comparing.
 *
 *  (1) Every place where a listed text stands in the draft is noted. (What is noted beyond that
 *      does no harm.)
 *  (2) A text is listed from the first pass on until it turns out to stand at too many places, or
 *      to be too long for looking around splices; then it is searched for alone. When an op comes
 *      whose text is not listed for want of room, or since too much was laid in at once to look
 *      around it, a new pass is made over the draft as it is, once that pays.
 *
 * So the results are those of em_locate_in() on the draft of the moment, op by op.
 *
 * Where several ops to come do not stand there literally, the pieces that they can be found by all
 * the same (probes.h) are looked for in such a pass too, and noted in the same way.
 */
#ifndef EM_EDIT_MATCH_INDEX_H
#define EM_EDIT_MATCH_INDEX_H

#include "draft/draft.h"
#include "edit/probes.h"
#include "text/prints.h"

typedef struct em_match_index em_match_index;

/* For ops that have their turns in order, over `draft`, which is changed only by
 * em_match_index_apply(). `has_cr`: there may be a CR in the draft at some time. All is
 * borrowed. */
em_status em_match_index_new(em_draft *draft, const em_op *ops, size_t op_count, bool has_cr,
                             em_match_index **out);
void em_match_index_free(em_match_index *match_index);

/* Where in all of the draft the search text of op number `op` stands now, as em_locate_in() would
 * have it, though the op's turn is still to come. For all ops from the first on, before anything
 * is laid in: a pass is made for the first. *is_known false: it would have to be searched for
 * alone, or is none. */
em_status em_match_index_foresee(em_match_index *match_index, size_t op, em_arena *arena,
                                 em_spans *found, bool *is_known);

/* At how many places the search text of op number `op`, whose turn is next, stands in the draft at
 * most; SIZE_MAX: not all places are noted. Nothing is looked through for it. */
size_t em_match_index_most_places(const em_match_index *match_index, size_t op);

/* How many bytes the longest of the texts reaches that are known of and are not the first op's. */
size_t em_match_index_reach(const em_match_index *match_index);

/* In a text of `length` bytes: how many, around splices, are looked at to know what these change;
 * to look through all of it again, op by op, is no dearer than more. */
size_t em_match_index_most_around(size_t length);

/* Tell `found` each place in `text`, which is none of the draft, where a text that is known of
 * stands: the last op that has it, and where it begins. False: some places may not have been told.
 */
typedef void em_match_index_found(void *context, size_t last_op, size_t start);
bool em_match_index_scan(em_match_index *match_index, em_slice text, em_match_index_found *found,
                         void *context);

/* em_locate_in() for the search text of op number `op`, which searches, and not by a pattern.
 * Places that are noted are all kept. */
em_status em_match_index_locate(em_match_index *match_index, size_t op, em_span part,
                                em_arena *arena, em_found *found);

/* For an op that stands nowhere literally: its probes, and of each of them one piece with all of
 * the places in the draft where that stands, if there are few. None in *first: nothing is known,
 * and all of the draft has to be looked through. In `arena`, but for what is good until the draft
 * is changed, or asked for another op. EM_E_NOMEM only. */
em_status em_match_index_probes(em_match_index *match_index, size_t op, em_arena *arena,
                                const em_probes **probes, em_piece_occurrences **first);

/* What it gave was not enough to find the op, and may be more the next time. */
void em_match_index_fell_short(em_match_index *match_index);

/* What is around the places that it gave is too long to be read for each op alone: after some of
 * these it gives no more. */
void em_match_index_too_wide(em_match_index *match_index);

/* em_draft_apply(), for what op number `op` does. */
em_status em_match_index_apply(em_match_index *match_index, size_t op, em_splices splices);

/* The ops from `from` to before `to` had their turns, and what they did to the draft is about to be
 * seen in it, but not through here: nothing is known of it any more. */
void em_match_index_pass_over(em_match_index *match_index, size_t from, size_t to);

/* What a pass must be worth: so many bytes, which the searches for the texts of all ops to come
 * would look at. 0 makes one whenever a text is not listed, so that a test sees many. */
void em_match_index_set_worth(em_match_index *match_index, size_t bytes);

#endif
