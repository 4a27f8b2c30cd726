/* plan.h: ops on a text -> the splices that do them, or why not.
 *
 * Making a plan answers "what would these ops do?" and changes nothing. It fails at the first op
 * that does not hold, and is empty then, or holds the ops before it (em_policy.extent).
 *
 * Every place is given in the ORIGINAL text, also for later ops of a sequence: a match is where its
 * bytes stood before any op. A match that begins in text that an earlier op inserted stands where
 * that text was inserted, and says so.
 */
#ifndef EM_EDIT_PLAN_H
#define EM_EDIT_PLAN_H

#include "diagnosis/diagnose.h"
#include "edit/op.h"
#include "text/lines.h"
#include "text/text.h"

/* A place that an op took, or could have taken. Offsets are in the body of the original text. */
typedef struct em_match {
    size_t start, end;  /* half open; an insertion point where nothing of the original is covered */
    bool inserted;      /* it begins in text that an earlier op inserted */
    em_slice line_text; /* `inserted`: its lines as they stand in the text of that moment */
    size_t line_at;     /* `inserted`: where in `line_text` it begins */
    em_tier tier;       /* how it was found */
    double score;       /* 1 but for EM_TIER_FUZZY */
    em_slice matched;   /* not EM_TIER_EXACT: the text that was really replaced; other endings: the
                           text that has them */
} em_match;

typedef struct em_matches {
    em_match *items;
    size_t count;
    size_t total; /* how many there are; above `count` where there are too many to be told */
} em_matches;

/* One changed stretch of lines (stretch.h), before and after one op. */
typedef struct em_preview {
    size_t op;
    size_t line;            /* in the original, from 1 */
    em_slice before, after; /* whole lines, without the last ending */
} em_preview;

typedef struct em_plan {
    em_splices splices;   /* over the body; sorted, disjoint, none without effect */
    em_matches *places;   /* one for each op: what it took, from left to right */
    size_t op_count;      /* that the plan does; those behind them have no places */
    size_t replacements;  /* the sum of places[i].total */
    em_preview *previews; /* at most EM_MAX_PREVIEWS */
    size_t preview_count;
    bool more_previews; /* there would be more than EM_MAX_PREVIEWS */
} em_plan;

enum { EM_MAX_PLACES = 10000000 }; /* that an op may change: each takes some 200 bytes of memory */
enum { EM_MAX_PREVIEWS = 100, EM_MAX_FAILED_PLACES = 100 };

typedef struct em_line_range {
    size_t first, last; /* from 1, both included */
} em_line_range;

/* What the text holds instead, beside the em_error that says which op failed and why. */
typedef struct em_plan_failure {
    size_t expected, actual;  /* EM_E_COUNT, EM_E_NO_MATCH: how often (expected may be EM_EVERY) */
    em_matches places;        /* where it stands: the first EM_MAX_FAILED_PLACES of `actual`;
                                 EM_E_OVERLAP: what other_op wants, and what the one at fault does;
                                 EM_MISS_SEVERAL_PLACES: where it could be meant */
    em_matches other_endings; /* EM_CAUSE_TOO_FEW, of a text that stands there exactly: where it
                                 does with other line endings */
    em_matches beside;        /* of a text, or a pattern, that is not in the lines that the op is
                                 kept to: where it is, the first three */
    size_t other_op;          /* EM_E_OVERLAP: the op it collides with */
    size_t line;         /* already applied: the line in the original where it stands; else 0 */
    bool inserted;       /* already applied: in text that an op before it puts in */
    em_slice found;      /* EM_CAUSE_STALE_TEXT: what the lines hold now */
    em_line_range moved; /* the only lines of the text that hold what was expected there, else 0 */
    em_tier tier;        /* EM_E_COUNT: the tier at which it stands there */
    bool one_is_meant;   /* EM_E_COUNT: the places overlap, or one is only second best: there is no
                            way to take them all */
    const em_diagnosis *diagnosis; /* NOT_FOUND: what stands there instead; else NULL */
} em_plan_failure;

/* A text that is planned on, with the index of its lines. */
typedef struct em_plan_base {
    const em_text *text;
    const em_lines *lines;
} em_plan_base;

/* Ops on a text, and how they are to be taken. All of it is borrowed. */
typedef struct em_plan_request {
    em_plan_base base;
    const em_policy *policy;
    const em_op *ops;
    size_t op_count;
} em_plan_request;

/* Make the plan. Of an extract it is that of the file, in offsets of the extract, as far as that
 * has what the ops reach; EM_OP_LINES is then the only op (session/windowed.c sees to both). What
 * does not stand there literally is not looked for less exactly then: it may stand in the file.
 * Everything in *plan and *failure lives in `arena` or is borrowed from the text and the ops.
 *
 * On failure *plan is empty (EM_AS_FAR_AS_OK: does the ops before the one at fault), err->edit is
 * the op at fault and err->cause says why; *failure has what the text holds. Expected failures:
 *   EM_E_TIMEOUT    the deadline passed before a tolerant tier had an answer (NONE)
 *   EM_E_NO_MATCH   the search text is not there (NOT_FOUND, ALREADY_APPLIED)
 *   EM_E_COUNT      it is there, but not as often as expected (AMBIGUOUS, TOO_FEW)
 *   EM_E_OVERLAP    EM_ORIGINAL only; the later of the two in the list is at fault
 *   EM_E_TOO_LARGE  the file would grow beyond em_policy.most_bytes (NONE)
 *   EM_E_TOO_MANY_EDITS  more than EM_MAX_PLACES places (NONE)
 *   EM_E_INVALID    NO_CHANGE, EMPTY_SEARCH, PLACEHOLDER, NUL, ENCODING, RANGE
 *   EM_E_CONFLICT   the lines no longer hold the expected text (STALE_TEXT)
 * A replacement that leaves something out is refused before any op is located, so nothing is done
 * then. */
em_status em_plan_make(const em_plan_request *request, em_arena *arena, em_plan *plan,
                       em_plan_failure *failure, em_error *err);

/* Tell no more than `most` places, as em_policy.most_places does, of a plan that tells more. */
void em_plan_limit_places(em_plan *plan, size_t most);

/* That refusal alone, for who has something else to plan first. */
em_status em_plan_check(const em_plan_request *request, em_arena *arena, em_error *err);

#endif
