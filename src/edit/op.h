/* op.h: what a caller wants done to one text, in words that every dialect shares. */
#ifndef EM_EDIT_OP_H
#define EM_EDIT_OP_H

#include "base/deadline.h"
#include "base/slice.h"
#include "match/tier.h"
#include "text/splice.h"

typedef enum em_op_kind {
    EM_OP_REPLACE,       /* `find` becomes `insert` */
    EM_OP_DELETE,        /* `find` goes */
    EM_OP_INSERT_BEFORE, /* `insert` goes before the anchor `find` */
    EM_OP_INSERT_AFTER,  /* ... behind it */
    EM_OP_APPEND,        /* `insert` goes to the end of the text */
    EM_OP_PREPEND,       /* ... to its start, behind a BOM */
    EM_OP_LINES,         /* whole lines first_line to last_line become `insert` */
    EM_OP_REWRITE,       /* the whole text becomes `insert`, as it is */
} em_op_kind;

/* All slices are UTF-8 and borrowed. Fields that a kind does not name are ignored. */
typedef struct em_op {
    em_op_kind kind;
    em_slice find;                 /* REPLACE, DELETE, INSERT_*: the search text */
    em_slice insert;               /* what comes */
    bool regex;                    /* REPLACE: `find` is a pattern, `insert` a template (regex.h) */
    size_t expect;                 /* how often `find` must stand there; EM_EVERY */
    size_t first_line, last_line;  /* LINES: from 1, both included. With a search text: look only
                                      in these lines of the original, and in what earlier ops put
                                      there (em_draft_part); 0: from the start, to the end */
    const em_slice *expected_text; /* LINES: what the lines must still hold; NULL: not asked */
} em_op;

/* Does the op look for its text, and do something where that stands? */
static inline bool em_op_searches(const em_op *op)
{
    return op->kind == EM_OP_REPLACE || op->kind == EM_OP_DELETE ||
           op->kind == EM_OP_INSERT_BEFORE || op->kind == EM_OP_INSERT_AFTER;
}

/* Is its search text a pattern? */
static inline bool em_op_is_pattern(const em_op *op)
{
    return op->kind == EM_OP_REPLACE && op->regex;
}

typedef enum em_order {
    EM_SEQUENTIAL, /* each op sees the text that those before it left */
    EM_ORIGINAL,   /* each op is located in the text as it was; no two may overlap */
} em_order;

typedef enum em_extent {
    EM_ALL_OR_NONE,  /* the first op that fails undoes those before it */
    EM_AS_FAR_AS_OK, /* EM_SEQUENTIAL only: the first op that fails keeps those before it */
} em_extent;

/* When what one pass over the text finds for all ops is used for those that do not stand there
 * literally (excerpt.h). The results are the same; a test compares them. */
typedef enum em_passes { EM_PASSES_THAT_PAY, EM_PASSES_ALWAYS, EM_PASSES_NEVER } em_passes;

/* How a list of ops is to be taken. */
typedef struct em_policy {
    em_order order;
    em_extent extent;
    bool allow_no_change;    /* the same text before and after counts as done */
    bool allow_placeholders; /* do not look for "... rest unchanged ..." */
    bool demand_find;        /* an empty search text is refused in an empty file, too */
    bool keep_previews;      /* fill em_plan.previews */
    size_t most_bytes;       /* what the file may grow to (growth.h); 0: no limit */
    size_t most_places;      /* that a plan tells, but one of each op at least; 0: all */
    em_tier most;            /* the loosest tier that may change something */
    em_deadline *deadline;   /* for all that is not exact; NULL: none */
    em_splices before;       /* laid in before the first op, which sees what they left */
    bool is_missing;         /* there is one op, and it is known that what it searches for does not
                                stand there literally, whatever line endings its LFs stand for */
    em_passes passes;
    const struct em_gathered *gathered; /* of the ops, found out before (gathered.h); NULL */
} em_policy;

#endif
