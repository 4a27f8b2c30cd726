/* diagnose.h: why a search text was not found, what stands there instead, and what to send now.
 *
 * The tolerant tiers serve twice: where the caller allows them they apply an edit; where not, they
 * find the place that was meant, so that the refusal can say what to send. A diagnosis changes
 * nothing and is bounded by a deadline; one that ran out of time still says what it found.
 */
#ifndef EM_EDIT_DIAGNOSE_H
#define EM_EDIT_DIAGNOSE_H

#include "base/deadline.h"
#include "edit/draft.h"
#include "edit/occurrences.h"
#include "edit/tier.h"
#include "text/lines.h"

#include <stdbool.h>

/* What the search text got wrong; the strongest reason where there are several. */
typedef enum em_miss {
    EM_MISS_UNKNOWN, /* nothing like it is there */
    EM_MISS_TABS,    /* tabs for spaces, or the other way round */
    EM_MISS_INDENTATION,
    EM_MISS_BLANKS, /* blanks within or behind lines */
    EM_MISS_BLANK_LINES,
    EM_MISS_LINE_ENDINGS,
    EM_MISS_LINE_BREAKS, /* the text goes over other lines */
    EM_MISS_QUOTES,
    EM_MISS_CHARACTERS, /* dashes, no-break spaces, composed or decomposed letters */
    EM_MISS_ENTITIES,   /* &lt; for < */
    EM_MISS_ESCAPES,    /* \n or \" for the character itself */
    EM_MISS_LINE_NUMBERS,
    EM_MISS_FENCE,
    EM_MISS_CASE,
    EM_MISS_TYPO, /* a letter or two */
    EM_MISS_CUT,  /* the first or the last line is not whole */
    EM_MISS_COMMENT,
    EM_MISS_ELIDED,
    EM_MISS_STALE,          /* the text around the change is not as it was */
    EM_MISS_SEVERAL_PLACES, /* a tolerant tier finds it more often than expected */
    EM_MISS_ARTIFACT,       /* the replacement would bring a wrapping into the file */
    EM_MISS_NUL,            /* a NUL, which stands for nothing in any file */
} em_miss;

/* The word for it in answers: "tabs_for_spaces", "stale_text", ...; "not_found" for UNKNOWN. */
const char *em_miss_name(em_miss miss);

typedef enum em_difference_kind {
    EM_DIFFERS_WHITESPACE,
    EM_DIFFERS_CASE,
    EM_DIFFERS_PUNCTUATION,
    EM_DIFFERS_CONTENT,
} em_difference_kind;

/* One piece that differs: what the search text has, and what the file has in its place. */
typedef struct em_difference {
    em_difference_kind kind;
    em_slice expected, found;
} em_difference;

typedef struct em_differences {
    em_difference *items;
    size_t count;
} em_differences;

enum { EM_MOST_NEAR = 3, EM_MOST_DIFFERENCES = 20 };

/* A place that looks like the search text. Offsets are in the text of the moment; lines are those
 * of the original. */
typedef struct em_near {
    size_t line, end_line; /* in the original, from 1 */
    const size_t *numbers; /* of each of its lines, in the original; 0: an earlier edit inserted it.
                              NULL: they go on from `line`, or none has one if `inserted` */
    bool inserted;         /* its lines begin in text that an earlier edit inserted */
    bool is_changed;       /* some of `piece` is of that */
    bool stands;           /* `piece` is none of that: it stands in the original as it is */
    em_slice content;      /* whole lines, without the last ending */
    double similarity;     /* of the search text and `content` */
    em_slice piece;        /* the part of `content` that is most like the search text */
    double piece_similarity;
    em_slice to_copy; /* the piece, with the words at its ends that are other ones (widen.h) */
    bool is_within; /* the lines are so long beside the search text that only a piece of them can be
                       like it */
    bool is_trace;  /* it is not alike, but something telling of the search text stands there;
                       whatever its similarity it is worth telling */
    size_t piece_column; /* where the piece begins in its first line, from 1, in code points */
    em_differences differences; /* between the search text and the piece */
} em_near;

/* What to send instead, where there is one clear reading. */
typedef struct em_correction {
    em_slice find;         /* stands in the file exactly as often as it is to */
    em_slice insert;       /* what the caller's replacement becomes there */
    size_t line, end_line; /* of the first place, in the original */
} em_correction;

typedef struct em_diagnosis {
    em_miss miss;
    em_near near[EM_MOST_NEAR]; /* what was found first, then by falling similarity */
    size_t near_count;
    bool has_beside; /* there is none, but beside the lines that were searched */
    em_near beside;
    bool beside_is_literal; /* the search text itself stands there */
    bool has_correction;
    em_correction correction;
    bool timed_out;
} em_diagnosis;

/* What is asked: the search text of an op does not stand in `draft` as it is demanded. */
typedef struct em_question {
    const em_draft *draft;
    const em_lines *lines;            /* of the original */
    em_slice text;                    /* the text of the moment: all of the draft */
    em_span part;                     /* of `text`: the lines that were searched */
    em_span within;                   /* the part of these where the place must lie */
    em_occurrences *in;               /* of the part */
    em_slice find, insert;            /* what would become of `find`: anchors included */
    size_t expect;                    /* EM_EVERY: any number */
    const struct em_located *located; /* what the tiers found; with places, if any did */
    em_deadline *deadline;
} em_question;

/* Answer it; *diagnosis lives in `arena`. Running out of time is no failure: the diagnosis has what
 * was found until then. EM_E_NOMEM only. */
em_status em_diagnose(const em_question *question, em_arena *arena, em_diagnosis *diagnosis);

#endif
