/* tolerant.h: where do the same tokens stand?
 *
 * No normal form of the file is made. The rarest-looking piece of the search text is searched
 * literally, at memory speed, and where it stands the tokens before and behind it are compared, one
 * by one, until one differs. So a miss costs about one literal search.
 */
#ifndef EM_MATCH_TOLERANT_H
#define EM_MATCH_TOLERANT_H

#include "base/deadline.h"
#include "match/occurrences.h"
#include "text/span.h"
#include "text/token.h"
#include "tokens/indent_habit.h"
#include "tokens/redline.h"

enum { EM_MOST_TOLERANT_PIECES = 8 };

/* A search text and its replacement that leave out the same: what each has before that, and behind
 * it. */
typedef struct em_elided {
    em_slice find[2], insert[2];
    bool shows_hidden; /* the replacement has a line beside the gap that the search text leaves out
                          there: it would stand there once more */
    bool is_doubtful;  /* the ends are in no one block, and one that is changed may be meant
                          elsewhere */
} em_elided;

/* A search text that stands in a text, in another writing. All slices are borrowed; arrays live in
 * the arena of whoever found it. */
typedef struct em_tolerant_place {
    em_span span;          /* in the text: from the first token to the last, and of the gaps around
                              them what the search text has */
    em_slice find, insert; /* what was found, and what it is to become */
    em_tokens find_tokens; /* of `find` */
    em_token *tokens;      /* of the text: tokens[i] is find_tokens.items[i] */
    em_fold fold;          /* with which they are equal */
    double score;          /* 1, but for the fuzzy tier */
    bool repeats_crs;      /* `find` is a piece of a search text with CRs: then those of `insert`
                              are no others */
    em_indent_habits *habits; /* shared with other places of the text; NULL */
    const em_elided *elided; /* what `find` and `insert` were before their middle was filled in from
                                the text; else NULL */
} em_tolerant_place;

/* What was found, with its tokens. */
static inline em_tokened em_place_find(const em_tolerant_place *place)
{
    return (em_tokened){place->find, place->find_tokens};
}

typedef struct em_places {
    em_tolerant_place *items;
    size_t count;
} em_places;

/* Of places that overlap another one so many are told. */
enum { EM_MOST_OVERLAPPING = 8 };

typedef struct em_tolerant_places {
    em_places found; /* without overlap, from left to right */
    em_places
        overlapping; /* each overlaps one of them, of which it could as well be in the stead */
} em_tolerant_places;

/* Every place of `text` with the same tokens as `find`. With EM_FOLD_NOTHING the gaps must be of
 * the same kind too: a run of blanks never equals none.
 *
 * Where `find` begins with a line ending or with blanks, a place begins a line; where it ends with
 * a line ending, a place ends one (or the text). A text without tokens stands nowhere.
 * `insert` is only handed on. EM_E_NOMEM; EM_E_TIMEOUT when the deadline passed: then *found has
 * what was found before. */
em_status em_tolerant_find(em_slice text, em_slice find, em_slice insert, em_fold fold,
                           em_deadline *deadline, em_arena *arena, em_places *found);

/* The same with those that overlap. */
em_status em_tolerant_find_all(em_occurrences *in, em_slice find, em_slice insert, em_fold fold,
                               em_deadline *deadline, em_arena *arena, em_tolerant_places *all);

/* The same in a text that is asked more than once: its pieces are looked for once. What it is known
 * by must outlive `in`: `find`, or what that is borrowed from. Of an excerpt only what it is known
 * by is looked at, and in->falls_short where that is not enough. */
em_status em_tolerant_find_in(em_occurrences *in, em_slice find, em_slice insert, em_fold fold,
                              em_deadline *deadline, em_arena *arena, em_places *found);

/* Pieces of `find`, of which each stands wherever em_tolerant_find() finds that: those that it may
 * search for, best first. None where no piece is written in one way only. */
typedef struct em_tolerant_pieces {
    em_slice items[EM_MOST_TOLERANT_PIECES];
    size_t count;
    size_t tokens; /* of `find` */
} em_tolerant_pieces;
em_status em_tolerant_pieces_of(em_slice find, em_fold fold, em_arena *arena,
                                em_tolerant_pieces *pieces);

/* Places of a text that begins at `offset` of another, as places of that. */
void em_places_move(em_places places, size_t offset);

/* The span of a place whose tokens are known: what the search text has of the gaps around them, as
 * far as the text has it too. */
em_span em_place_span(em_slice text, em_slice find, em_tokens find_tokens, const em_token *tokens,
                      em_fold fold);

/* What the text has before token `index` of a place, or behind its last one, within the place. */
static inline em_slice em_place_gap(em_slice text, const em_tolerant_place *place, size_t index)
{
    size_t count = place->find_tokens.count;
    size_t start = index > 0 ? place->tokens[index - 1].end : place->span.start;
    size_t end = index < count ? place->tokens[index].start : place->span.end;
    return em_slice_sub(text, start, end);
}

/* What stands between the place and the token before it, or behind it; an end of the text is as a
 * line ending. */
em_gap em_gap_before_place(em_slice text, const em_tolerant_place *place);
em_gap em_gap_behind_place(em_slice text, const em_tolerant_place *place);

/* Only blanks between the start of its line and `offset`? *line_start is where the line starts. */
bool em_begins_line(em_slice text, size_t offset, size_t *line_start);

/* Only blanks between `offset` and the end of its line, *line_end? They are whatever `fold` takes
 * for blanks: the line has nothing else to keep. */
bool em_ends_line(em_slice text, size_t offset, em_fold fold, size_t *line_end);

#endif
