/* form.h: a selector as it is asked: what the compiler makes and matching reads.
 *
 *   selector     "li.a > p:first b, i"   its alternatives
 *   alternative  "li.a > p:first b"      stages, each beginning where a position (":first") ended
 *   complex      "li.a > p"              compounds with the combinators before them
 *   compound     "li.a"                  simple selectors about one element
 *
 *  (1) Positions count what a whole stage matches, so they stand only in stages; a list inside of
 *      a pseudo-class is of complex selectors.
 *  (2) What needs more than the element itself, its attributes and its ancestors is a set of
 *      elements with a slot of its own, which matching fills once for a page.
 */
#ifndef EM_SELECTORS_FORM_H
#define EM_SELECTORS_FORM_H

#include "selectors/select.h"

typedef enum em_combinator {
    EM_DESCENDANT,
    EM_CHILD, /* > */
    EM_NEXT,  /* + */
    EM_LATER, /* ~ */
} em_combinator;

typedef enum em_simple_kind {
    EM_SIMPLE_ANY,  /* * */
    EM_SIMPLE_TYPE, /* name */
    EM_SIMPLE_ID,
    EM_SIMPLE_CLASS,
    EM_SIMPLE_ATTRIBUTE,
    EM_SIMPLE_KEPT, /* is one of those that the stage before left */
    EM_SIMPLE_LIST, /* :is(), and all that is defined by another selector */
    EM_SIMPLE_HAS,
    EM_SIMPLE_NTH_CHILD, /* with `list` where there is "of S" */
    EM_SIMPLE_NTH_OF_TYPE,
    EM_SIMPLE_CONTAINS,
    EM_SIMPLE_EMPTY,
    EM_SIMPLE_ROOT,
    EM_SIMPLE_LANG,
    EM_SIMPLE_DIR,
    EM_SIMPLE_EDITABLE,        /* by contenteditable */
    EM_SIMPLE_DEFAULT_BUTTON,  /* the first submit button of its form */
    EM_SIMPLE_UNDECIDED_RADIO, /* of its group none is checked */
    EM_SIMPLE_OVERRULED_RADIO, /* a later one of its group is */
} em_simple_kind;

typedef enum em_attr_test {
    EM_ATTR_THERE,
    EM_ATTR_EQUAL,
    EM_ATTR_NOT_EQUAL, /* or not there */
    EM_ATTR_WORD,      /* ~= */
    EM_ATTR_DASH,      /* |= */
    EM_ATTR_STARTS,
    EM_ATTR_ENDS,
    EM_ATTR_HOLDS, /* *= */
} em_attr_test;

typedef enum em_letter_case {
    EM_CASE_BY_NAME, /* as HTML has it for the values of this attribute */
    EM_CASE_IGNORED, /* i */
    EM_CASE_KEPT,    /* s */
} em_letter_case;

/* step * n + offset, for n = 0, 1, 2 ... */
typedef struct em_nth {
    long step, offset;
    bool from_end;
} em_nth;

typedef struct em_simple em_simple;

typedef struct em_compound {
    em_combinator before; /* between it and the compound to its left */
    em_simple *items;
    size_t count;
    size_t from;     /* where it begins in the selector, with the sign of its combinator */
    em_range source; /* where it stands itself */
} em_compound;

typedef struct em_complex {
    em_compound *parts;
    size_t count;
} em_complex;

typedef struct em_complexes {
    em_complex *items;
    size_t count;
    bool plain; /* each has one compound only */
} em_complexes;

struct em_simple {
    em_simple_kind kind;
    bool negated;
    bool listed_value; /* an attribute whose values HTML compares in any case */
    bool any_case;     /* EM_SIMPLE_CONTAINS: text of any case */
    em_range source;   /* where it stands in the selector */
    em_slice name;     /* of a type, id, class or attribute, without escapes */
    em_slice value;    /* of an attribute; the text or the direction that is asked for */
    em_attr_test test; /* of an attribute */
    em_letter_case letters;
    em_nth nth;
    em_complexes list;
    em_slice *languages;
    size_t language_count;
    size_t slot; /* of its set */
};

typedef enum em_position_kind {
    EM_POSITION_NONE,
    EM_POSITION_FIRST,
    EM_POSITION_LAST,
    EM_POSITION_EQUAL,
    EM_POSITION_LESS,
    EM_POSITION_GREATER,
    EM_POSITION_EVEN,
    EM_POSITION_ODD,
} em_position_kind;

/* Which of the elements that a stage matches go on, in document order, counted from 0. */
typedef struct em_selector_position {
    em_position_kind kind;
    bool negated;
    long number; /* below zero: from the end */
    em_range source;
} em_selector_position;

typedef struct em_selector_stage {
    em_complex complex;
    em_selector_position position;
} em_selector_stage;

typedef struct em_alternative {
    em_selector_stage *stages;
    size_t count;
    size_t start; /* in the selector */
} em_alternative;

struct em_selector {
    em_slice text;
    em_alternative *alternatives;
    size_t count;
    size_t slots;
};

#endif
