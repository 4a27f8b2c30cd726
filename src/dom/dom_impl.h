/* dom_impl.h: what the files of dom.h share.
 */
#ifndef EM_DOM_DOM_IMPL_H
#define EM_DOM_DOM_IMPL_H

#include "base/utf8.h"
#include "dom/dom.h"
#include "dom/hints.h"
#include "dom/state.h"
#include "dom/together.h"

typedef struct em_trial {
    unsigned char way;
    bool can_close;     /* there are end tags to write */
    const char *reason; /* REFUSED: what the guard found */
    size_t matches;     /* REFUSED: how many elements there were */
} em_trial;

/* The first part of a table that stands in none, of the page as it is. */
typedef struct em_dropped {
    bool is_known, is_there;
    em_range tag;
} em_dropped;

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

#endif
