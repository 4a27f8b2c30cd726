/* steps.h: how wide a step of indentation is, for the caller and in the file.
 *
 * The lines of the search text that stand in the file say so, where they are of different depth;
 * else the lines of the two texts, and those of the file around.
 */
#ifndef EM_LAYING_STEPS_H
#define EM_LAYING_STEPS_H

#include "tokens/indent_habit.h"

/* A line of the search text and the line of the file that it is, by their indentation. */
typedef struct em_indent_pair {
    em_slice wanted, seen;
    size_t at; /* its place in the search text, in any ascending measure */
} em_indent_pair;

typedef struct em_indents {
    em_indent_pair *pairs; /* ascending by `at` */
    size_t count;
    em_indent_unit caller, file;
    em_indent_unit sent;    /* the caller's, by its texts alone */
    bool first_is_bare;     /* the first pair's line came without the indentation that it has; once
                               settled: that it lost it alone, and is no pair any more */
    bool told, caller_told; /* the units, by steps from line to line; else they are guesses */
    unsigned file_steps;    /* em_indent_habit.steps */
    bool may_be_several; /* the caller's lines are many columns deep, in steps that are not told */
    bool learned;        /* the caller's unit from two pairs of different depth */
    bool tabs_are_meant; /* by lines with some: the file has others, or a here-document does */
    bool tabs_are_strange; /* neither the search text nor the file has any */
    bool agree;            /* all pairs differ by the same indentation in front */
    bool end_is_unclear;   /* all of it was lost, and no open brace tells what the last block is */
    bool deepens;          /* there are pairs of different depth */
    bool either; /* nothing tells whether lines without indentation are as deep as the first */
} em_indents;

/* Settle the rest of `indents`, whose pairs and `first_is_bare` are set, from the pairs, the
 * caller's texts and how the file is indented. */
void em_indents_init(em_indents *indents, em_slice find, em_slice insert, em_indent_habit file);

/* Has every line of both texts whole steps in front? */
bool em_texts_in_steps(em_slice find, em_slice insert, em_indent_unit step);

/* Do all pairs differ by the same indentation in front (which may be none)? */
bool em_indents_agree(const em_indents *indents);

/* Has no line of the search text any indentation, though some have in the file? */
bool em_indents_lost_all(const em_indents *indents);

enum {
    EM_INDENTS_COMPARED = 15
}; /* Pairs behind one that it is compared with: two of different
depth are mostly next to each other, and comparing each with all takes the square of their time */

/* Does a line near pair `index` that is as deep for the caller have another depth in the file? */
bool em_indents_doubt(const em_indents *indents, size_t index);

/* Is the second deeper than the first for the caller, and in the file? There it is not if it is by
 * blanks of another kind than the file's: those of a comment, or what aligns it. */
bool em_indents_deepen(const em_indents *indents, const em_indent_pair *a, const em_indent_pair *b);

#endif
