/* dom_impl.h: what the files of dom.h share.
 */
#ifndef EM_DOM_DOM_IMPL_H
#define EM_DOM_DOM_IMPL_H

#include "base/utf8.h"
#include "dom/dom.h"
#include "dom/hints.h"
#include "dom/state.h"
#include "dom/together.h"

/* How an op is tried. */
typedef enum em_trial_way {
    EM_TRIAL_AS_IT_IS,
    EM_TRIAL_WITH_END_TAGS, /* those that the page leaves out beside it are written, too */
    EM_TRIAL_REFUSED,
} em_trial_way;

typedef struct em_trial {
    em_trial_way way;
    bool can_close;     /* there are end tags to write */
    const char *reason; /* EM_TRIAL_REFUSED: what the guard found */
    size_t matches;     /* EM_TRIAL_REFUSED: how many elements there were */
} em_trial;

/* The first part of a table that stands in none, of the page as it is. */
typedef struct em_dropped {
    bool is_known, is_there;
    em_range tag;
} em_dropped;

/* What is laid in at once. */
typedef struct em_dom_step {
    em_edit *edits;
    em_splice *splices;
    size_t count;
} em_dom_step;

typedef struct em_runner {
    em_slice page;
    const em_dom_op *ops;
    size_t op_count;
    em_deadline *deadline;
    em_deadline hints; /* for all that only explains */
    em_arena *arena;
    em_error *err;
    em_parser_memory memory;
    em_page_state state;
    em_together waiting; /* what is not in the state yet */
    size_t ran;          /* ops that were done, or failed: all that were asked for, or up to where
                          * the state is broken */
    em_dropped dropped;
    em_trial *trials;
    em_dom_outcome *outcomes;
    /* What is being done; both NULL: HTML is read */
    const em_dom_op *finding;  /* whose selector is looked for */
    const em_dom_op *planning; /* whose edits are planned, */
    size_t element_count;      /* of so many elements */
    size_t spent_before;       /* of the deadline: before that */
} em_runner;

/* What begins now takes time that may be too long: looking for the selector of `finding`, or (NULL)
 * reading HTML. */
static inline void em_runner_begin(em_runner *r, const em_dom_op *finding)
{
    r->finding = finding;
    r->planning = NULL;
    r->spent_before = r->deadline ? r->deadline->spent : 0;
}

/* The same of planning edits. */
static inline void em_runner_begin_planning(em_runner *r, const em_dom_op *op, size_t elements)
{
    em_runner_begin(r, NULL);
    r->planning = op;
    r->element_count = elements;
}

/* The outcome is a failure, with a sentence without a full stop. EM_E_NOMEM. */
em_status em_runner_fail(em_runner *r, em_dom_outcome *outcome, em_dom_code code,
                         const char *format, ...) __attribute__((format(printf, 4, 5)));

/* Bytes of a selector, or a part of one, that a reason quotes: those that people write are shorter,
 * and one of megabytes must not become an answer of megabytes. */
enum { EM_MOST_QUOTED = 200 };

/* What is quoted in a reason, for "%.*s". */
#define EM_SHOWN_SHORT(slice)                                                                      \
    (int)em_utf8_floor((slice), EM_MOST_QUOTED), (slice).ptr ? (slice).ptr : ""

/* ---- dom_find.c ------------------------------------------------------------------------------ */

/* The elements that the op is about; an outcome that failed says why there are none. */
em_status em_runner_find(em_runner *r, const em_dom_op *op, em_arena *scratch, em_nodes *found,
                         em_dom_outcome *outcome);

/* What a selector matches that is only told about; nothing where that is not known in time, or it
 * is no selector. And how many. */
em_status em_runner_find_told(em_runner *r, em_slice text, em_arena *scratch, em_nodes *found);
em_status em_runner_count(em_runner *r, em_slice text, em_arena *scratch, size_t *count);

/* Is what is suggested just what the op asks for? More than was meant it may match only where the
 * op says how many there must be, and for a pseudo-element they are those that have it. */
bool em_suggestion_fits(const em_dom_op *op, const em_dom_outcome *outcome, size_t count);

/* Fail an op with classes that are given as in a selector. */
em_status em_runner_check_dots(em_runner *r, const em_dom_op *op, em_dom_outcome *outcome);

/* Who explains what is there instead. */
em_hinter em_runner_hinter(em_runner *r);

/* An explanation that takes too long is left out. */
em_status em_unless_late(em_status status, em_dom_hints *hints);

/* "; did you mean X?", or nothing; NULL: want of memory. */
const char *em_runner_question(em_runner *r, em_slice meant);

/* ---- dom_check.c ----------------------------------------------------------------------------- */

/* The first thing that is wrong with an op, whatever the page, but for its selector; NULL: nothing.
 */
const char *em_dom_op_wrong(const em_dom_op *op);

/* ---- dom_plan.c ------------------------------------------------------------------------------ */

/* Find what the op is about, and plan it: on the page without what waits. The outcome says if it
 * failed. */
em_status em_runner_plan(em_runner *r, size_t op, em_arena *scratch, em_nodes *nodes,
                         em_dom_step *step);

/* The edits by their places, those at one place in the order of the ops; and their splices. */
void em_dom_step_sort(em_dom_step *step);

/* What a splice over the page as it is now replaces of the page as it was. */
em_range em_dom_origin_of(em_origins *origins, const em_splice *splice);

/* ---- dom_do.c -------------------------------------------------------------------------------- */

/* Nothing is done where the state turns out to be broken. */
em_status em_runner_do(em_runner *r, size_t op, em_arena *scratch);

/* An op that is not to be tried, as it is wrong, cannot be written, or was refused: what is told of
 * it is of the page as it is by then. `wrong`: em_dom_op_wrong(). */
em_status em_runner_leave_out(em_runner *r, size_t op, const char *wrong);

/* Lay in what waits. It has no two edits at one place, but at the end of an element, in the order
 * of the ops. */
em_status em_runner_apply_waiting(em_runner *r);

#endif
