/* slip_start.h: where the lines that slipped begin, if the edit stands there.
 *
 * Who loses count of the depth has it wrong from one line on, in both texts, but not always from
 * the same one. What comes new above the first line that slipped, or was changed there, may have
 * slipped as that did:
 *
 *   search text   file          replacement     result
 *   a();          a();          a();            a();
 *       b();      b();              c();        c();
 *                                   b();        b();
 *
 * The lines that stay tell: nothing is deeper than a line above it that holds nothing.
 */
#ifndef EM_LAYING_SLIP_START_H
#define EM_LAYING_SLIP_START_H

#include "laying/placed_edit.h"
#include "tokens/indent_habit.h"

/* Whose is a slip? */
typedef enum em_slip_whose {
    EM_SLIP_NOBODYS,
    EM_SLIP_OF_FIND,
    EM_SLIP_OF_BOTH,
    EM_SLIP_UNCLEAR
} em_slip_whose;

/* A line of the replacement, by its indentations. */
typedef struct em_slip_line {
    size_t at, index; /* its first token; that of the search text's line, or EM_NPOS: it is new */
    em_slice new, old, seen; /* the last two: not of a new line */
    em_slip_whose of;
    em_slice right; /* where it slipped in the replacement: what `new` should be; else ptr NULL */
    bool is_closed; /* a new line behind it ends a block, */
    em_slice end;   /* and has this indentation */
    bool holds;     /* a new line behind it is deeper */
} em_slip_line;

/* As much deeper than `to`, or less deep, as `indent` is than `from`, of which one begins with the
 * other. EM_E_NOMEM. */
em_status em_slip_follow(em_slice indent, em_slice from, em_slice to, em_arena *arena,
                         em_slice *out);

/* Do the two differ by whole steps, or not at all? */
bool em_are_steps_apart(em_slice a, em_slice b, em_indent_unit unit);

/* Of the `count` lines of the replacement, all of whose slips that repeated ones have are known:
 * find those above that slipped as these, and set `right`. *clear: false where it is not clear
 * whether they did. `edit` is compared. EM_E_NOMEM only. */
em_status em_extend_slips(const em_placed_edit *edit, em_indent_unit unit, em_slip_line *lines,
                          size_t count, em_arena *arena, bool *clear);

#endif
