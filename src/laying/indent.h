/* indent.h: how deep a new line belongs, in the file's own way of indenting.
 *
 * The lines of the search text that stand in the file say how the caller's indentation maps to the
 * file's: the same, a few columns more, tabs for spaces, four columns for two. New lines follow the
 * nearest of those.
 */
#ifndef EM_LAYING_INDENT_H
#define EM_LAYING_INDENT_H

#include "base/arena.h"
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

/* The number of the first pair at `at` or behind it. */
size_t em_indents_from(const em_indents *indents, size_t at);

/* Do all pairs differ by the same indentation in front (which may be none)? */
bool em_indents_agree(const em_indents *indents);

/* Has no line of the search text any indentation, though some have in the file? */
bool em_indents_lost_all(const em_indents *indents);

/* What the caller's `indent` becomes, for a line that comes in place of the lines of the search
 * text from `from` to before `to` (none of them: it comes before `from`); it is `indent` itself, a
 * piece of a pair, or in `arena`. EM_E_NOMEM only. */
em_status em_indent_map(const em_indents *indents, em_slice indent, size_t from, size_t to,
                        em_arena *arena, em_slice *out);

/* Is it known what the caller's `indent` becomes, for a line that comes in place of the lines of
 * the search text from `from` to before `to` (none of them: it comes before `from`)?
 *
 * It goes by lines of the search text that are as deep as each other: by those that go for it; else
 * by the nearest one before and the nearest behind, or two on one side where the other has none. In
 * the file these must be as deep as each other, too:
 *
 *   search text   "if (p) {\n  a();\n  b();\n}"
 *   file          "if (p) {\n    a();\n  b();\n}"
 *   replacement   "if (p) {\n  a();\n  n();\n  b();\n}"
 *   result        not known: n() goes by a(), four deep, and by b(), two deep
 *
 * With b() four deep in the file, n() is four deep in the result. It is not known either where all
 * lines of the search text have the same blanks too much in front, and this begins with others. */
bool em_indent_is_known(const em_indents *indents, em_slice indent, size_t from, size_t to);

#endif
