/* plan_impl.h: a plan while it is made, for the files that make it. */
#ifndef EM_EDIT_PLAN_IMPL_H
#define EM_EDIT_PLAN_IMPL_H

#include "draft/growth.h"
#include "edit/independence.h"
#include "edit/plan.h"

/* So many ops are worth some preparation. */
enum { EM_MANY_OPS = 16 };

typedef struct em_planner {
    const em_text *text;
    const em_lines *lines;
    const em_policy *policy;
    const em_op *ops;
    size_t op_count;
    em_arena *arena;
    em_arena turn; /* what lasts as long as an op has its turn */
    em_draft draft;
    em_match_index *match_index; /* of the search texts, in the draft */
    em_plan plan;
    em_plan_failure *failure;
    em_error *err;
    em_slice *expanded;             /* of a pattern: what its template became, place by place */
    em_located located;             /* of an op that a tolerant tier found; else without places */
    em_slice *laid;                 /* what each of those places becomes, anchors included */
    em_slice adapted_from, adapted; /* the last insert whose line endings were adapted */
    size_t told;                    /* places in the plan */
    em_file_growth growth;          /* of the file, by what is laid in */
    ptrdiff_t outgrown_by;          /* the op since which it does not fit; EM_NO_EDIT: it fits */
    size_t until_kept;              /* the last op that is kept to some lines, from 1; 0: none is */
    bool may_have_cr;               /* there may be one in the draft at some time */
    bool texts_are_plain;           /* those of the ops are ASCII, without NULs */
    bool at_once;                   /* the plan's splices are there; the draft is as it was */
} em_planner;

/* Splices that are laid in together: those of one op of a sequence, or those of all ops on the
 * original. */
typedef struct em_splice_batch {
    em_planned *items;
    size_t count, room;
    em_arena *arena;
} em_splice_batch;

/* Is its search text looked for in some lines alone? */
bool em_op_is_restricted(const em_op *op);

/* Is the op one that can be done, whatever the text holds? Why not is in p->err. */
em_status em_planner_check_op(const em_planner *p, const em_op *op);

/* May it leave something out that its search text has? Of a pattern it is not known yet. */
bool em_op_may_omit(const em_op *op);

/* Does the op leave something out? `replaced` is the text that is to go, as the caller names it. */
em_status em_planner_check_placeholder(const em_planner *p, const em_op *op, em_slice replaced);

/* Before any op is located: does one leave something out? If so, what is wrong with itself or one
 * before it is told first. */
em_status em_planner_check_placeholders(const em_planner *p);

/* How many of an op's places the plan tells. */
size_t em_planner_places_to_tell(const em_planner *p, size_t count);

/* ---- plan_locate.c --------------------------------------------------------------------------- */

/* Where the op is to be done in the draft; of a pattern with p->expanded, of what a tolerant tier
 * found with p->located and p->laid. Why it cannot be is in p->failure and p->err. */
em_status em_planner_locate(em_planner *p, const em_op *op, em_spans *found);

/* What is told of the first `most` of these places of the draft. EM_E_NOMEM only. */
em_status em_planner_matches_of(const em_planner *p, em_spans spans, size_t most,
                                em_matches *matches);

/* Of those that a tolerant tier found: which did, and what it really replaces. EM_E_NOMEM only. */
em_status em_planner_declare_matches(const em_planner *p, em_spans found, em_matches *matches);

/* ---- batch.c --------------------------------------------------------------------------------- */

/* Have the batch lay in what op number `op` does at the places that were found. EM_E_NOMEM, and for
 * EM_OP_LINES what is wrong with the lines. */
em_status em_batch_add(em_planner *p, size_t op, em_spans found, em_splice_batch *batch);

/* Bring the batch into the order of the text. */
void em_batch_sort(em_splice_batch *batch);

/* Make one of all between which nothing lies, of a batch in that order. What these insert is put
 * together in `arena`. EM_E_NOMEM only. */
em_status em_batch_join(em_splice_batch *batch, em_arena *arena);

/* ---- everywhere.c ---------------------------------------------------------------------------- */

/* Where the draft lies in a great many pieces, plan the ops from number *op on over a sweep, as far
 * as they are of a kind for it and hold. *op is the first that still has to be planned. EM_E_NOMEM;
 * no other error of an op is told. */
em_status em_plan_everywhere(em_planner *p, size_t *op);

/* ---- at_once.c ------------------------------------------------------------------------------- */

/* Is nothing asked of the draft but where the ops' texts stand? */
bool em_planner_needs_no_draft(const em_planner *p);

/* What the draft is to begin with. */
em_slice em_planner_text_as_it_was(const em_planner *p);

/* The plan has what `count` splices over the text as it was, `trimmed` (independence.h), make of
 * it, but for those without effect. Between any two of them lies something. */
void em_planner_take(em_planner *p, em_splice *trimmed, size_t count);

/* Plan a sequence of many ops that have no say in each other (independence.h). *done false: they
 * may have, or one fails; then nothing was done, and who fails is told when it has its turn.
 * EM_E_NOMEM only.
 */
em_status em_plan_at_once(em_planner *p, bool *done);

#endif
