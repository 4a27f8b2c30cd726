/* indent_habit.h: units of indentation, and which one the lines of a text have.
 *
 * The steps from line to line tell, not those below a line that goes on, where what is deeper may
 * be aligned; and blocks tell whether eight columns are a tab (tab_stops.h).
 */
#ifndef EM_TOKENS_INDENT_HABIT_H
#define EM_TOKENS_INDENT_HABIT_H

#include "base/slice.h"

/* One step of indentation: `width` times `with`; width 0: not known. */
typedef struct em_indent_unit {
    char with; /* ' ' or '\t' */
    size_t width;
    bool tab_stops; /* where it is with spaces: every eight of them may be a tab (tab_stops.h) */
} em_indent_unit;

enum {
    EM_INDENT_WIDEST = 8,       /* columns that are one step */
    EM_INDENT_USUAL = 4,        /* rather than two, and where nothing tells */
    EM_INDENT_REACH = 12 << 10, /* bytes to both sides of a place that tell how it is indented */
};

/* Its width, or what that usually is. */
size_t em_indent_width_of(em_indent_unit unit);

/* The spaces at the end of an indentation that are no step: they align with something. */
size_t em_indent_rest_of(em_slice indent, em_indent_unit unit);

/* How deep an indentation is, in steps of `unit`, rounded down; without tab stops a tab is a step.
 */
size_t em_indent_depth(em_slice indent, em_indent_unit unit);

/* Is it so many times `with`, and nothing else? */
bool em_indent_is_all(em_slice indent, char with);

/* How many tabs there are in it. */
size_t em_indent_tabs_in(em_slice indent);

/* ---- Lines ---------------------------------------------------------------------------------- */

/* A line that is not empty. */
typedef struct em_indented_line {
    em_slice indent, text; /* without the blanks behind it */
} em_indented_line;

/* The next one of `text`, at *offset or behind it, and *offset moved behind it; false at the end.
 * `has_cr`: does the text have a CR? */
bool em_indented_line_next(em_slice text, bool has_cr, size_t *offset, em_indented_line *next);

/* The unit of lines with spaces in a caller's two texts, which may begin anywhere in a block;
 * *told: a line that is a step deeper than the one before says so; *tabs: most lines are with tabs.
 * `first_is_bare`: the first lines came without their indentation. */
em_indent_unit em_indent_unit_sent(em_slice find, em_slice insert, bool first_is_bare, bool *told,
                                   bool *tabs);

/* ---- A file --------------------------------------------------------------------------------- */

/* How a part of a file is indented, by its lines. */
typedef struct em_indent_habit {
    em_indent_unit spaces; /* where it is with spaces */
    bool told;             /* that unit, by steps from line to line; else it is a guess */
    bool tabs;             /* most lines are with tabs, */
    bool any_tab;          /* or at least one is */
    bool shuns_tabs;       /* of the lines that are a tab stop deep or more, most have none */
    unsigned steps;        /* bit n: a line is n columns deeper than the one before */
} em_indent_habit;

em_indent_habit em_indent_habit_of(em_slice text);

/* One step of most of its lines. */
static inline em_indent_unit em_habit_unit(em_indent_habit habit)
{
    return habit.tabs ? (em_indent_unit){'\t', 1, false} : habit.spaces;
}

/* Is a line of the text with tabs? */
bool em_indent_has_tabs(em_slice text);

/* How one text is indented around the place that was asked for last. */
typedef struct em_indent_habits {
    em_slice text; /* borrowed */
    bool is_known;
    size_t at; /* where that place begins */
    em_indent_habit habit;
} em_indent_habits;

/* How the file is indented around the place that begins at `start` and ends at `end`, by
 * EM_INDENT_REACH bytes to both sides. Where `habits` (NULL: none) are of this text, they are taken
 * for a place a little behind the one that they know, and become those of any other. */
em_indent_habit em_indent_habit_around(em_slice text, size_t start, size_t end,
                                       em_indent_habits *habits);

#endif
