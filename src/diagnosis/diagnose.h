/* diagnose.h: why a search text was not found, what stands there instead, and what to send now.
 *
 * The tolerant tiers serve twice: where the caller allows them they apply an edit; where not, they
 * find the place that was meant, so that the refusal can say what to send. A diagnosis changes
 * nothing and is bounded by a deadline; one that ran out of time still says what it found.
 */
#ifndef EM_DIAGNOSIS_DIAGNOSE_H
#define EM_DIAGNOSIS_DIAGNOSE_H

#include "base/deadline.h"
#include "diagnosis/differences.h"
#include "draft/draft.h"
#include "match/located.h"
#include "text/lines.h"

#include <stdbool.h>

enum { EM_MOST_DIFFERENCES = 20 };

/* A place that looks like the search text. Offsets are in the text of the moment; lines are those
 * of the original. */
typedef struct em_near {
    size_t line, end_line; /* in the original, from 1 */
    size_t line_now;       /* in the text of the moment, if `inserted`, from 1; 0: not known */
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
    bool is_within;   /* not the lines are like the search text, but a piece of them */
    bool is_trace;    /* it is not alike, but something telling of the search text stands there;
                         whatever its similarity it is worth telling */
    bool is_located;  /* a tier found the search text there, and nowhere else, or all of it stands
                         there but for line breaks at its ends; however little alike the two are */
    size_t piece_column; /* where the piece begins in its first line, from 1, in code points */
    em_span piece_at;    /* where it stands in the original; an insertion point where nothing of
                            that is covered */
    bool piece_inserted; /* it begins in text that an earlier edit inserted */
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
    bool is_tolerable;  /* the correction is what a tier that was not allowed would make */
    bool drops_elided;  /* a line of the search text stands for others, and the replacement does not
                           leave out the same: nobody knows what is to become of them */
    bool doubts_elided; /* it stands for lines of more than one block, and so what is changed may be
                           meant to stand in another */
    bool misses_end;    /* it is a change without the marker at its end: more may be meant */
    bool doubts_escapes; /* some of the replacement's escapes may be the file's to be */
    bool doubts_numbers; /* some of its lines have lost their numbers, and others have not */
    bool timed_out;
} em_diagnosis;

/* What is asked: the search text of an op does not stand in `draft` as it is demanded. */
typedef struct em_question {
    const em_draft *draft;
    const em_lines *lines;     /* of the original */
    em_slice text;             /* the text of the moment: all of the draft */
    em_span part;              /* of `text`: the lines that were searched */
    em_span within;            /* the part of these where the place must lie */
    em_occurrences *in;        /* of the part */
    em_slice find, insert;     /* what would become of `find`: anchors included */
    bool replaces;             /* the caller gave both; `insert` is no anchor, nor nothing */
    size_t expect;             /* EM_EVERY: any number */
    const em_located *located; /* what the tiers found; with places, if any did */
    em_deadline *deadline;
} em_question;

/* Answer it; *diagnosis lives in `arena`. Running out of time is no failure: the diagnosis has what
 * was found until then. EM_E_NOMEM only. */
em_status em_diagnose(const em_question *question, em_arena *arena, em_diagnosis *diagnosis);

#endif
