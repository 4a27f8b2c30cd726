/* numbering.h: line numbers before the lines of a text, as reading tools print them.
 *
 * A number stands at the start of its line, behind blanks, and one of `|`, ` |`, `:`, an arrow and
 * a tab follows it. It is told from content by going on: a text is numbered only if all of its
 * lines are, one after the other.
 */
#ifndef EM_MATCH_NUMBERING_H
#define EM_MATCH_NUMBERING_H

#include "base/arena.h"

/* EM_NUMBER_ALONE: an empty line of which only the number is left. */
typedef enum em_number_style {
    EM_NUMBER_NONE,
    EM_NUMBER_BAR,
    EM_NUMBER_COLON,
    EM_NUMBER_ARROW,
    EM_NUMBER_TAB,
    EM_NUMBER_ALONE
} em_number_style;

/* How the lines of a text are numbered. */
typedef struct em_numbering {
    em_number_style style;
    bool spaced;   /* each sign is followed by a space, which is part of the wrapping */
    bool headless; /* the first line has none: it was cut in front, or its number was */
    /* Numbers; of a headless text also that which the first line lacks. */
    unsigned long first, last;
} em_numbering;

/* False where the lines of `s` are not numbered one after the other. A blank line may have lost its
 * number. */
bool em_numbering_of(em_slice s, em_numbering *numbering);

/* The same of all lines but the first one, which has none; headless. */
bool em_numbering_behind_first(em_slice s, em_numbering *numbering);

/* `s` without the numbers of this style; in `arena`. EM_E_NOMEM only. */
em_status em_without_numbers(em_slice s, const em_numbering *numbering, em_arena *arena,
                             em_slice *out);

/* Does a replacement carry the numbers of its search text? */
typedef enum em_carries { EM_CARRIES_NOTHING, EM_CARRIES_NUMBERS, EM_CARRIES_UNCLEAR } em_carries;

/* It may have come with numbers, or without; with them its new lines may lack theirs, and without
 * them its lines may begin with numbers of their own. `numbered` is the search text as it came and
 * `plain` the same without the numbers: lines that are repeated tell the two apart. Where the
 * file's lines have numbers, too, and no line of the replacement has two, its numbers are the
 * file's if none goes on from those of the search text; else they tell nothing. Neither does a line
 * that has the search text's first line, number and all, in it, behind something:
 * EM_CARRIES_UNCLEAR. */
em_carries em_carries_numbers(em_slice insert, em_slice numbered, em_slice plain,
                              const em_numbering *numbering);

/* What the lines of a replacement that carries numbers tell of the space behind them. */
typedef struct em_carried {
    bool tight; /* one has none: it is indentation, then, where others have one */
    bool mixed; /* one has no number: it is as deep as it is, and the others only if it is known
                   whether the space is part of the wrapping */
} em_carried;

em_carried em_carried_numbers(em_slice insert, const em_numbering *numbering);

/* Would a replacement bring line numbers into the file? It would if its lines are numbered one
 * after the other and those of the search text are not, or if one of them is a line of the search
 * text with a number before it. */
bool em_brings_numbers(em_slice find, em_slice insert);

/* The first line of `text` that begins with a number of this style itself, and that the search text
 * may mean: the number is the first of those that came, or what is behind it is the longest line
 * of `plain`, which the search text is without its numbers. Empty: there is none. */
em_slice em_own_number_meant(em_slice text, em_slice plain, const em_numbering *numbering);

/* Is one of the lines of `insert`, but for those that begin with a number of `numbering`, as deep
 * as one of `find`? NULL: any line. Of long texts only the start is looked at. */
bool em_depths_shared(em_slice insert, em_slice find, const em_numbering *numbering);

/* The same of lines that go on with a comment, which are as deep as each other: `* so`. */
bool em_comment_depths_shared(em_slice insert, em_slice find, const em_numbering *numbering);

/* How many lines of `a` are also lines of `b`. Of long texts only the start is looked at. */
size_t em_lines_shared(em_slice a, em_slice b);

#endif
