/* dom.h: operations on the elements of a page -> splices over its bytes.
 *
 * An operation names elements by a CSS selector and says what to do with them. Operations go in
 * order, each on the page as those before left it. One that cannot be done changes nothing and says
 * why; the others are done. Bytes that no operation is about stay as they are.
 *
 *  (1) The page is parsed once, and operations change the tree and the bytes alike: one by one, or
 *      some together, where that comes to the same (together.h). At the end the bytes are parsed
 *      again and must read as that tree. If they do not, the operation that is to blame is found
 *      and refused, and the rest is done without it.
 *  (2) The text of a value is taken as it is for attributes and texts, and written with what
 *      entities it needs; HTML is written as it is given.
 *
 * It knows nothing of files and requests. Words for its codes and actions are here, since all who
 * ask use the same.
 */
#ifndef EM_DOM_DOM_H
#define EM_DOM_DOM_H

#include "base/deadline.h"
#include "selectors/select.h"
#include "text/splice.h"

typedef enum em_dom_action {
    EM_DOM_SET_ATTRIBUTE,
    EM_DOM_REMOVE_ATTRIBUTE,
    EM_DOM_SET_TEXT,
    EM_DOM_SET_HTML,
    EM_DOM_ADD_CLASS,
    EM_DOM_REMOVE_CLASS,
    EM_DOM_REPLACE_CLASS,
    EM_DOM_REMOVE,
    EM_DOM_INSERT_ADJACENT_HTML,
    EM_DOM_NO_ACTION, /* how many there are; none of them */
} em_dom_action;

typedef enum em_dom_position {
    EM_DOM_BEFOREBEGIN,
    EM_DOM_AFTERBEGIN,
    EM_DOM_BEFOREEND,
    EM_DOM_AFTEREND,
    EM_DOM_NO_POSITION,
} em_dom_position;

/* The word of requests ("setText", "beforeend"; in any case), and back. */
em_dom_action em_dom_action_of(em_slice word);
const char *em_dom_action_name(em_dom_action action);
em_dom_position em_dom_position_of(em_slice word);
const char *em_dom_position_name(em_dom_position position);

typedef enum em_dom_all {
    EM_DOM_ALL_UNSET, /* class actions: all that match; others: exactly one must */
    EM_DOM_ALL_FALSE, /* exactly one */
    EM_DOM_ALL_TRUE,  /* all, at least one */
} em_dom_all;

/* Stretches of the page as it was before all operations, from left to right. */
typedef struct em_dom_places {
    const em_range *items;
    size_t count;
} em_dom_places;

/* What in a new text stands for something that was left out ("... rest unchanged ..."), and does
 * not stand in the old one; empty: nothing does. */
typedef em_slice em_dom_omission(em_slice text, em_slice old);

/* What was probably meant of an op's texts; empty: that is not known. */
typedef struct em_dom_meant {
    em_slice attr, value, old_class, new_class;
} em_dom_meant;

/* A slice whose ptr is NULL was not given. */
typedef struct em_dom_op {
    em_slice selector;
    em_dom_action action;
    em_slice attr;                 /* setAttribute, removeAttribute */
    em_slice value;                /* text, HTML, the attribute's value, classes */
    em_slice old_class, new_class; /* replaceClass */
    em_dom_position position;      /* insertAdjacentHTML */
    em_dom_all all;
    size_t expected;        /* as many must match, whatever `all` says; 0: not given */
    const char *unusable;   /* what is wrong with it as it was given; NULL: nothing */
    em_dom_meant meant;     /* `unusable`: what is probably what */
    const char *unwritable; /* why the page's encoding cannot hold what it writes, or what it looks
                             * for cannot be compared; NULL: nothing is wrong with that */
    uint32_t lacking;       /* the first character of that which the encoding lacks; 0: none */
    em_dom_omission *omission_in; /* NULL: what leaves something out is written as it is */
    const em_dom_places *only;    /* the stretches that it may write; NULL: any */
} em_dom_op;

/* What the op writes into the page, as far as it was given (an attribute, a value, a class), and
 * what it looks for in it. */
typedef struct em_dom_texts {
    em_slice texts[2];
} em_dom_texts;

em_dom_texts em_dom_written_by(const em_dom_op *op);
em_dom_texts em_dom_compared_by(const em_dom_op *op);

typedef enum em_dom_status {
    EM_DOM_APPLIED,
    EM_DOM_UNCHANGED, /* everything is as asked for already */
    EM_DOM_FAILED,
} em_dom_status;

typedef enum em_dom_code {
    EM_DOM_OK,
    EM_DOM_E_ARGUMENT, /* something of the op is missing, or cannot be used */
    EM_DOM_E_SELECTOR, /* no selector */
    EM_DOM_E_NO_MATCH,
    EM_DOM_E_AMBIGUOUS,   /* it matches several, and one is asked for */
    EM_DOM_E_COUNT,       /* not as many as `expected` */
    EM_DOM_E_NO_CLASS,    /* replaceClass: no element has the old one */
    EM_DOM_E_IMPLIED,     /* the element has no start tag in the page */
    EM_DOM_E_CLONED,      /* misnested tags: its start tag made several elements */
    EM_DOM_E_MERGED_ATTR, /* attributes of a second <html> or <body> */
    EM_DOM_E_NO_END,      /* where it ends cannot be told */
    EM_DOM_E_VOID,        /* it can hold nothing */
    EM_DOM_E_ROOT,        /* not around, or instead of, <html>, <head> and <body> */
    EM_DOM_E_RAWTEXT,     /* the text would end the <script> or <style> */
    EM_DOM_E_FOSTER,      /* its range holds what is not in it */
    EM_DOM_E_TEMPLATE,    /* code of a template */
    EM_DOM_E_BADNAME,     /* no name of an attribute, or of a class */
    EM_DOM_E_ENCODING,    /* op.unwritable */
    EM_DOM_E_PLACEHOLDER, /* new content that leaves out what is to be in it */
    EM_DOM_E_FRAGMENT,    /* HTML that is not whole, or of which the parser drops something */
    EM_DOM_E_GUARD,       /* the page would read otherwise than meant */
} em_dom_code;

/* "E_NO_MATCH"; "" for EM_DOM_OK. */
const char *em_dom_code_name(em_dom_code code);

/* An element that could be meant. */
typedef struct em_dom_hint {
    size_t line;       /* in the page as it was before all operations, from 1 */
    em_slice selector; /* matches it alone, on the page as the operation met it */
    em_slice text;     /* the beginning of its text, blanks as one */
} em_dom_hint;

typedef struct em_dom_hints {
    em_dom_hint *items;
    size_t count;
    bool are_far; /* nothing is like what was asked for: they are just some of what is there */
} em_dom_hints;

enum { EM_DOM_MOST_HINTS = 5 };

/* One stretch that an operation wrote. */
typedef struct em_dom_change {
    em_range before; /* in the original; empty where something was inserted */
    em_range after;  /* in the result */
} em_dom_change;

typedef struct em_dom_outcome {
    em_dom_status status;
    em_dom_code code;   /* EM_DOM_FAILED: why */
    const char *reason; /* the same as a sentence without a full stop, with what to do; else "" */
    size_t matches;     /* elements that the selector matches */
    em_dom_change *changes; /* from left to right */
    size_t change_count;
    size_t left_out;                  /* changes that op.only has no place for */
    const char *warning;              /* of what was done; NULL: none */
    size_t removed_children;          /* setText: elements that went away with the old content */
    em_selector_error selector_error; /* EM_DOM_E_SELECTOR; EM_DOM_E_NO_MATCH: what it suggests */
    em_slice raw_text; /* EM_DOM_E_ENCODING: the first element, if it holds neither elements nor
                        * references: "script" */
    uint32_t lacking;  /* EM_DOM_E_ENCODING: op.lacking */
    size_t suggested_matches; /* elements that what it suggests matches */
    /* What it suggests matches just what is asked for, on the page as the op met it, and as all ops
     * have left it: */
    bool suggestion_fits, suggestion_fits_after;
    /* What explains is left out where it would take too long: */
    em_dom_meant meant;      /* EM_DOM_E_ARGUMENT: op.meant; EM_DOM_E_NO_CLASS, EM_DOM_E_BADNAME,
                              * EM_DOM_E_FRAGMENT: what is a slip in it */
    em_prefixes prefixes;    /* EM_DOM_E_NO_MATCH: how far the selector matches */
    em_dom_hints similar;    /* EM_DOM_E_NO_MATCH */
    em_dom_hints candidates; /* EM_DOM_E_AMBIGUOUS, EM_DOM_E_COUNT, EM_DOM_E_NO_CLASS: the first of
                                them */
} em_dom_outcome;

/* Does it say which attribute, class or value was probably meant? */
bool em_dom_names_meant(const em_dom_outcome *outcome);

/* Does it suggest a selector that matches just what is asked for? */
bool em_dom_suggests(const em_dom_outcome *outcome);

typedef struct em_dom_plan {
    em_splices splices;       /* over the page: sorted, disjoint, none without effect */
    em_dom_outcome *outcomes; /* one for each op */
    size_t op_count, failed_count;
    bool late; /* time ran out: there is nothing else */
} em_dom_plan;

/* Can it be done on any page? EM_E_INVALID: an argument is missing or wrong, whatever the page
 * holds. EM_E_NOMEM. */
em_status em_dom_op_check(const em_dom_op *op, em_arena *arena);

/* Plan `ops` on a page (UTF-8, or an encoding with ASCII in it; a BOM may stand before it). *plan
 * lives in `arena` and borrows from `page` and `ops`. A failed op is an outcome, not a status:
 *   EM_E_TOO_LARGE, EM_E_BINARY, EM_E_INVALID  this page cannot be edited as HTML; the detail says
 *                                              why
 *   EM_E_TIMEOUT                               `deadline` (may be NULL) came first; plan->late
 *   EM_E_NOMEM */
em_status em_dom_plan_make(em_slice page, const em_dom_op *ops, size_t op_count,
                           em_deadline *deadline, em_arena *arena, em_dom_plan *plan,
                           em_error *err);

#endif
