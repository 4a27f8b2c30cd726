/* slipped_steps.c: are both texts in steps of another width than the file's? Then nothing slipped.
 */
#include "laying/slipped_impl.h"

#include "laying/steps.h"

typedef em_slip_texts texts;

/* How many spaces deeper a line is than the one above it, where that opens a block; 0 for whole
 * steps of the file. */
static size_t own_step(const texts *t, em_slice above, em_slice indent)
{
    bool deeper = indent.len > above.len && em_slice_starts(indent, above);
    size_t by = deeper ? indent.len - above.len : 0;
    return t->unit.with == ' ' && by % em_indent_width_of(t->unit) > 0 ? by : 0;
}

/* By how much is a line of the search text that is not as deep as in the file deeper than the one
 * above it, which is? 0: there is none. */
static size_t step_in_find(const texts *t)
{
    em_slice above = {0}, old, seen;
    bool opens = false;
    for (size_t i = 0; i < t->edit.find.tokens.count; i++) {
        if (!em_line_indent(t->edit.find, i, &old))
            continue;
        bool is_right =
            em_seen_indent(t->edit.text, t->edit.place, i, &seen) && em_slice_eq(old, seen);
        if (opens && !is_right && own_step(t, above, old) > 0)
            return own_step(t, above, old);
        opens = is_right && em_slip_opens_block(t->edit.find, i);
        above = old;
    }
    return 0;
}

/* Do the texts have steps of their own? Then a line of the replacement is one deeper than what
 * opens its block as well, where one of the two is new, and none that is new is a step of the
 * file's deeper: nothing slipped. */
static bool have_own_steps(const texts *t)
{
    em_slice above = {0}, new;
    bool opens = false, above_is_new = false, found = false;
    size_t step = step_in_find(t);
    for (size_t i = 0; i < t->edit.insert.tokens.count && step > 0; i++) {
        if (!em_line_indent(t->edit.insert, i, &new))
            continue;
        bool is_new = t->edit.origin[i] == EM_NPOS;
        size_t own = own_step(t, above, new);
        if (opens && is_new && new.len > above.len &&own != step)
            return false;
        found |= opens && (is_new || above_is_new) && own == step;
        opens = em_slip_opens_block(t->edit.insert, i);
        above_is_new = is_new;
        above = new;
    }
    return found;
}

/* Are all lines of the search text as many of the caller's steps from each other as they are of the
 * file's there? But for a first one without indentation, which may have lost it. */
static bool are_as_many_steps(const texts *t, size_t step)
{
    em_slice old, seen;
    ptrdiff_t base = 0, width = (ptrdiff_t)em_indent_width_of(t->unit);
    bool any = false;
    for (size_t i = 0; i < t->edit.find.tokens.count; i++) {
        if (!em_line_indent(t->edit.find, i, &old) || (i == 0 && old.len == 0) ||
            !em_seen_indent(t->edit.text, t->edit.place, i, &seen))
            continue;
        ptrdiff_t here = (ptrdiff_t)seen.len - (ptrdiff_t)(old.len / step) * width;
        if (!em_indent_is_all(seen, ' ') || (any && here != base))
            return false;
        base = here;
        any = true;
    }
    return any;
}

/* How many spaces are a step of the caller's, as his texts tell; 0: they do not. Where the first
 * line has lost its indentation, and all others are wrong by one blank, it is one step that is. */
static size_t step_of_caller(const texts *t)
{
    em_slice indent;
    bool told, tabs, is_bare = em_slips_first_is_bare(&t->edit);
    em_indent_unit sent =
        em_indent_unit_sent(t->edit.find.text, t->edit.insert.text, is_bare, &told, &tabs);
    if (!is_bare || !t->all_by_one)
        return told && !tabs ? sent.width : 0;
    for (size_t i = 1; i < t->edit.find.tokens.count; i++)
        if (em_line_indent(t->edit.find, i, &indent) && indent.len > 0)
            return indent.len;
    return 0;
}

/* Are both texts in steps of another width than the file's, and all that differs is that width? */
static bool have_other_steps(const texts *t)
{
    em_indent_unit step = {.with = ' ', .width = step_of_caller(t)};
    size_t width = em_indent_width_of(t->unit);
    return step.width > 0 && t->unit.with == ' ' && step.width % width > 0 &&
           em_texts_in_steps(t->edit.find.text, t->edit.insert.text, step) &&
           are_as_many_steps(t, step.width);
}

bool em_slips_are_steps(const em_slip_texts *t)
{
    return have_own_steps(t) || have_other_steps(t);
}
