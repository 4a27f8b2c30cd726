#include "laying/slip_start.h"

#include "base/line.h"
#include "match/block.h"
#include "match/token_line.h"

/* What is looked at: the lines of the replacement, and one that slipped in both texts. */
typedef struct slip_start {
    const em_placed_edit *edit;
    em_slip_line *lines;
    const em_slip_line *slipped;
    size_t index;  /* of that */
    bool by_steps; /* it did by whole ones */
    em_arena *arena;
} slip_start;

bool em_are_steps_apart(em_slice a, em_slice b, em_indent_unit unit)
{
    em_slice more = a.len > b.len ? a : b, less = a.len > b.len ? b : a;
    if (!em_slice_starts(more, less))
        return false;
    em_slice rest = em_slice_from(more, less.len);
    for (size_t i = 0; i < rest.len; i++)
        if (rest.ptr[i] != unit.with)
            return false;
    return rest.len % em_indent_width_of(unit) == 0;
}

em_status em_slip_follow(em_slice indent, em_slice from, em_slice to, em_arena *arena,
                         em_slice *out)
{
    if (indent.len >= from.len)
        return em_arena_join(arena, to, em_slice_from(indent, from.len), out);
    size_t less = from.len - indent.len;
    *out = em_slice_sub(to, 0, to.len > less ? to.len - less : 0);
    return EM_OK;
}

static bool is_deeper(em_slice a, em_slice b)
{
    return a.len > b.len && em_slice_starts(a, b);
}

static bool is_new(const em_slip_line *l)
{
    return l->index == EM_NPOS;
}

/* Did the line slip alike in both texts? */
static bool slipped_alike(const em_slip_line *l)
{
    return !is_new(l) && l->of != EM_SLIP_NOBODYS && em_slice_eq(l->old, l->new) &&
           (is_deeper(l->old, l->seen) || is_deeper(l->seen, l->old));
}

/* Does the replacement have the line as far from where search text and file have it as `slipped`
 * is from where that belongs? */
static bool moved_as_slipped(const em_slip_line *l, const em_slip_line *slipped)
{
    if (is_new(l) || !em_slice_eq(l->old, l->seen) || l->new.len == l->old.len)
        return false;
    bool follows = is_deeper(l->new, l->old) || is_deeper(l->old, l->new);
    return follows && (ptrdiff_t)l->new.len - (ptrdiff_t)l->old.len ==
                          (ptrdiff_t)slipped->new.len - (ptrdiff_t)slipped->seen.len;
}

/* May something deeper stand below the line? What is behind a comma is so in brackets alone, and
 * a sentence ends in a point. */
static bool may_hold(const slip_start *s, const em_slip_line *l)
{
    size_t first, last;
    em_line_around(s->edit->insert, l->at, &first, &last);
    em_slice token = em_tokened_token(s->edit->insert, last);
    return em_opens_block(s->edit->insert, last) ||
           (em_line_goes_on(token) && !em_tokened_is_one_of(s->edit->insert, last, ",."));
}

/* The same of the line above the new ones, and of one of these: where what slipped is deeper in the
 * file than the line above, that holds something; and a new line whose end tells nothing may. */
static bool may_hold_new(const slip_start *s, const em_slip_line *above)
{
    size_t first, last;
    if (!is_new(above))
        return may_hold(s, above) || is_deeper(s->slipped->seen, above->seen);
    em_line_around(s->edit->insert, above->at, &first, &last);
    return s->by_steps && !em_tokened_is_one_of(s->edit->insert, last, ";");
}

/* The first of the lines right above the slipped one that are new, or moved as it slipped. */
static size_t first_that_may_follow(const slip_start *s)
{
    size_t first = s->index;
    while (first > 0 &&
           (is_new(&s->lines[first - 1]) || moved_as_slipped(&s->lines[first - 1], s->slipped)))
        first--;
    return first;
}

/* ---- Lines that changed ---------------------------------------------------------------------- */

/* Does the edit have the line below another line than the search text? Then it may be in another
 * block than it was. */
static bool is_below_another(const slip_start *s, size_t line)
{
    size_t first, last;
    if (line == 0)
        return true;
    const em_slip_line *above = &s->lines[line - 1], *l = &s->lines[line];
    em_line_around(s->edit->find, l->index, &first, &last);
    if (first == 0 || is_new(above))
        return true;
    em_line_around(s->edit->find, first - 1, &first, &last);
    return above->index < first || above->index > last;
}

/* Of lines that were right, and which the replacement has as far from there as the one behind them
 * slipped: they slipped, too, where nobody moves a line by so many blanks. Where these are whole
 * steps, the edit may have moved them all, if it changes what they stand below. */
static bool follow_changed(const slip_start *s, size_t first)
{
    while (first < s->index && is_new(&s->lines[first]))
        first++;
    if (first == s->index)
        return true;
    bool may_be_moved = s->by_steps && is_below_another(s, first);
    for (size_t i = first; i < s->index && !may_be_moved; i++)
        if (!is_new(&s->lines[i]))
            s->lines[i].right = s->lines[i].seen;
    return may_be_moved || s->slipped->of == EM_SLIP_OF_BOTH;
}

/* ---- New lines ------------------------------------------------------------------------------- */

static em_status follow(const slip_start *s, em_slip_line *l)
{
    return em_slip_follow(l->new, s->slipped->new, s->slipped->right, s->arena, &l->right);
}

/* Of new lines above one that came too deep: all slipped from the first on that is deeper than what
 * stands above it, and this holds nothing. */
static em_status follow_deeper(const slip_start *s, size_t first)
{
    const em_slip_line *above = &s->lines[first - 1];
    bool slipped = false;
    for (size_t i = first; i < s->index; above = &s->lines[i++]) {
        slipped |= is_deeper(s->lines[i].new, above->new) && !may_hold_new(s, above);
        if (slipped)
            EM_TRY(follow(s, &s->lines[i]));
    }
    return EM_OK;
}

/* Of new lines above one that came not deep enough: those slipped that would come to be less deep
 * than what stands below them, and hold nothing. */
static em_status follow_less_deep(const slip_start *s, size_t first)
{
    const em_slip_line *below = s->slipped;
    for (size_t i = s->index; i-- > first; below = &s->lines[i]) {
        em_slip_line *l = &s->lines[i];
        if (!is_deeper(below->right, l->new) || is_deeper(below->new, l->new) || may_hold(s, l))
            break;
        EM_TRY(follow(s, l));
    }
    return EM_OK;
}

/* Is a line that follows now deeper than one above it that holds nothing? Then it did not slip as
 * the one below it, or the one above did, too. */
static bool is_apart(const slip_start *s, size_t first)
{
    const em_slip_line *above = &s->lines[first - 1], *l = &s->lines[first];
    return l->right.ptr && is_deeper(l->right, above->new) && !may_hold_new(s, above);
}

/* The new lines right above the slipped one, behind one that stays where it is. Behind one that
 * opens the block which that slipped out of, nobody knows where they belong. */
static em_status follow_new(const slip_start *s, bool *clear)
{
    size_t first = s->index;
    while (first > 0 && is_new(&s->lines[first - 1]))
        first--;
    if (first == s->index || first == 0 || s->slipped->of != EM_SLIP_OF_BOTH)
        return EM_OK;
    const em_slip_line *above = &s->lines[first - 1];
    bool deeper = is_deeper(s->slipped->new, s->slipped->seen);
    if (!em_slice_eq(above->new, above->seen) || !em_slice_eq(above->old, above->seen) ||
        (!deeper && may_hold(s, above)))
        return EM_OK;
    EM_TRY(deeper ? follow_deeper(s, first) : follow_less_deep(s, first));
    *clear = *clear && !is_apart(s, first);
    return EM_OK;
}

em_status em_extend_slips(const em_placed_edit *edit, em_indent_unit unit, em_slip_line *lines,
                          size_t count, em_arena *arena, bool *clear)
{
    *clear = true;
    for (size_t i = 1; i < count; i++) {
        if (!slipped_alike(&lines[i]) || slipped_alike(&lines[i - 1]))
            continue;
        bool by_steps = em_are_steps_apart(lines[i].new, lines[i].seen, unit);
        slip_start s = {edit, lines, &lines[i], i, by_steps, arena};
        *clear = *clear && follow_changed(&s, first_that_may_follow(&s));
        EM_TRY(follow_new(&s, clear));
    }
    return EM_OK;
}
