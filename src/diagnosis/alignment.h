/* alignment.h: the lines of a search text, aligned with the file's lines around a place of it.
 *
 * The search text does not stand in the file. But some of its lines, those of one change, do; the
 * others are aligned with what the file has above them and below. That tells how much has changed
 * around the place, and what became of each line.
 */
#ifndef EM_DIAGNOSIS_ALIGNMENT_H
#define EM_DIAGNOSIS_ALIGNMENT_H

#include "base/deadline.h"
#include "text/span.h"
#include "tokens/tokened_lines.h"

enum {
    EM_LEAST_LIKE = 50, /* percent of the tokens that two lines share which are one line */
    EM_CHANGE = 2,      /* weighs as much as so many lines that came */
    EM_MOST_BAND = 48,
};

typedef struct em_alignment {
    em_slice text;
    size_t before, behind; /* bytes at its ends where no place is: they only stand beside one */
    em_tokened_lines find, insert;
    size_t band; /* lines by which find and text may be apart; EM_MOST_BAND at most */
    em_deadline *deadline;
    em_arena *arena;
} em_alignment;

/* Where places are. */
static inline em_span em_alignment_part(const em_alignment *c)
{
    return (em_span){c->before, c->text.len - c->behind};
}

/* Lines [first, end) of the search text become [first_new, end_new) of the replacement. */
typedef struct em_line_change {
    size_t first, end;
    size_t first_new, end_new;
} em_line_change;

/* Lines that are put between two, if something comes between these: whose are they? Those of the
 * one that fewer empty lines part them from. */
typedef enum em_neighbour { EM_EITHER, EM_UPPER, EM_LOWER } em_neighbour;
em_neighbour em_neighbour_of(const em_alignment *c, const em_line_change *of);

/* What stands above a place and below it. */
typedef struct em_surroundings {
    em_tokened_lines above, below;
} em_surroundings;

/* How a line of the search text, or of the file, fares where the two are aligned. */
typedef enum em_line_step { EM_STAYED, EM_RENAMED, EM_BECAME, EM_WENT, EM_CAME } em_line_step;

/* A line of the search text, a line of the file, or one that both have. */
typedef struct em_line_fate {
    em_line_step what;
    size_t sent;                  /* EM_NPOS: it came */
    const em_tokened_lines *seen; /* NULL: it went */
    size_t line;                  /* of `seen` */
} em_line_fate;

typedef struct em_fates {
    em_line_fate *items; /* in their order */
    size_t count;
} em_fates;

/* How much has changed around a place. */
typedef struct em_weight {
    size_t changes; /* what it weighs */
    size_t lines;  /* that are no longer there, or not quite, or came, but for comments that came */
    size_t tokens; /* that are others */
    size_t numbers; /* of these, numbers for which others stand in a line that is the same else */
} em_weight;

/* Do fewer tokens differ, in no more lines? Of a line that has become another, and one of which two
 * words have, it is the second that is more like what was sent, whatever that weighs. */
static inline bool em_weight_is_finer(em_weight a, em_weight b)
{
    return a.lines <= b.lines && a.tokens < b.tokens;
}

/* What weighs all that lies between the search text and what stands around a place? A sibling of
 * what is gone shares some of its lines, too, but differs in more than one thing; and what is not
 * quite there has other lines between it and what is. The lines [range->first, range->end) of the
 * search text stand in the lines `span`. EM_E_NOMEM; EM_E_TIMEOUT when the deadline passed. */
em_status em_weigh_changes(const em_alignment *c, const em_line_change *range, em_span span,
                           em_weight *weight);

/* What became of all lines, those of `range` themselves with them: these are seen in the search
 * text. The fates point into `around` and `c`. The same errors. */
em_status em_fates_of(const em_alignment *c, const em_line_change *range, em_span span,
                      em_surroundings *around, em_fates *fates);

#endif
