/* slipped_whose.c: whose slip is that of each line, by its depths in three texts. */
#include "laying/slipped_impl.h"

typedef em_slip_whose whose;
typedef em_slip_line line;
typedef em_slip_texts texts;

bool em_slips_first_is_bare(const em_placed_edit *edit)
{
    em_slice seen;
    return edit->find.tokens.items[0].start == 0 &&
           em_seen_indent(edit->text, edit->place, 0, &seen) && seen.len > 0;
}

bool em_slip_is_bare(const em_placed_edit *edit, size_t index, em_slice seen)
{
    return index > 0 && seen.len > 0 && !em_slips_first_is_bare(edit);
}

/* Does the edit move the line, or is it a new one? */
static bool is_moved(const line *l)
{
    return l->index == EM_NPOS || !em_slice_eq(l->new, l->of == EM_SLIP_OF_FIND ? l->seen : l->old);
}

/* The line of the replacement that token `at` begins; false: it begins none, or one that cannot be
 * compared. What begins with a token from the midst of a line is a new one. */
static bool read_line(const texts *t, size_t at, line *l)
{
    *l = (line){.at = at, .index = t->edit.origin[at]};
    if (!em_line_indent(t->edit.insert, at, &l->new))
        return false;
    if (l->index != EM_NPOS && !em_line_indent(t->edit.find, l->index, &l->old))
        l->index = EM_NPOS;
    return l->index == EM_NPOS || em_seen_indent(t->edit.text, t->edit.place, l->index, &l->seen);
}

em_slip_line em_slip_next_repeated(const texts *t, size_t at)
{
    line l = {.index = EM_NPOS};
    while (l.index == EM_NPOS && ++at < t->edit.insert.tokens.count)
        if (!read_line(t, at, &l))
            l.index = EM_NPOS;
    l.at = at;
    return l;
}

/* Has the replacement the line as deep as the search text, and the next one that it repeats, too?
 * Else it may have moved with that. */
static bool stays_with_next(const texts *t, const line *l)
{
    line next = em_slip_next_repeated(t, l->at);
    return em_slice_eq(l->new, l->old) && (next.index == EM_NPOS || !is_moved(&next));
}

/* Is what opens the block as deep as the search text has the line that comes into it, and the line
 * above that not? Then it may have slipped as this did. */
static bool slips_with_what_it_holds(const texts *t, const line *l, const line *opener)
{
    size_t first, last;
    em_slice old, seen;
    if (opener->is_closed || opener->holds || !em_slice_eq(opener->new, l->old))
        return false;
    em_line_around(t->edit.find, l->index, &first, &last);
    if (first == 0)
        return false;
    em_line_around(t->edit.find, first - 1, &first, &last);
    return em_line_indent(t->edit.find, first, &old) &&
           em_seen_indent(t->edit.text, t->edit.place, first, &seen) && em_slice_eq(old, seen) &&
           !em_slice_eq(old, opener->new);
}

/* The same behind a new line that opens a block: a line is one step deeper, or as deep as what ends
 * that; where the block holds something and nothing ends it, either. One that comes to be beside
 * such a block, as deep as in the search text, was not moved by it. */
static whose whose_behind_new(const texts *t, const line *l, const line *opener)
{
    em_slice above = opener->is_closed ? opener->end : opener->new;
    ptrdiff_t step = opener->is_closed ? 0 : (ptrdiff_t)em_indent_width_of(t->unit),
              sent = (ptrdiff_t)l->new.len - (ptrdiff_t)above.len,
              right = sent + (ptrdiff_t)l->seen.len - (ptrdiff_t)l->old.len;
    bool may_leave = opener->holds && !opener->is_closed,
         as_sent = sent == step || (may_leave && sent == 0),
         moved = right == step || (may_leave && right == 0);
    if (as_sent == moved)
        return EM_SLIP_NOBODYS;
    if (slips_with_what_it_holds(t, l, opener))
        return EM_SLIP_UNCLEAR;
    bool is_beside = opener->holds && sent == 0;
    return as_sent && !(is_beside && stays_with_next(t, l)) ? EM_SLIP_OF_FIND : EM_SLIP_OF_BOTH;
}

/* Whose is a slip by whole steps? Where most lines stand as the file's, the caller's steps are the
 * file's: then a line is one deeper than a new one before it; and one that stays is as far from
 * one before it, which is right, as in the file, or else as in the search text. One that is as deep
 * as in the file, and as far from the one before it as in the search text, may have moved with
 * that, unless a new block ended between them. */
static whose whose_steps(const texts *t, const line *l, const line *before)
{
    if (em_only_ends_block(t->edit.insert, l->at))
        return em_slice_eq(l->new, l->seen)                       ? EM_SLIP_OF_FIND
               : em_slice_eq(l->new, l->old) && !is_moved(before) ? EM_SLIP_OF_BOTH
                                                                  : EM_SLIP_NOBODYS;
    if (before->index == EM_NPOS)
        return whose_behind_new(t, l, before);
    ptrdiff_t sent = (ptrdiff_t)l->new.len - (ptrdiff_t)before->new.len,
              old = (ptrdiff_t)l->old.len - (ptrdiff_t)before->old.len,
              seen = (ptrdiff_t)l->seen.len - (ptrdiff_t)before->seen.len;
    if (old == seen) /* both slipped alike */
        return before->is_closed && em_slice_eq(l->new, l->old) ? EM_SLIP_OF_BOTH : before->of;
    if (!em_slice_eq(before->old, before->seen))
        return EM_SLIP_NOBODYS;
    if (sent == old)
        return !em_slice_eq(l->new, l->seen) ? EM_SLIP_OF_BOTH
               : before->is_closed           ? EM_SLIP_OF_FIND
                                             : EM_SLIP_UNCLEAR;
    return sent == seen ? EM_SLIP_OF_FIND : EM_SLIP_NOBODYS;
}

/* `before` is the line before it in the replacement that opens a block or is no new one, or NULL.
 */
static whose whose_slip(const texts *t, const line *l, const line *before)
{
    if (l->index == EM_NPOS || em_slice_eq(l->old, l->seen) ||
        (l->old.len == 0 && !em_slip_is_bare(&t->edit, l->index, l->seen)))
        return EM_SLIP_NOBODYS;
    bool from_old = em_are_steps_apart(l->new, l->old, t->unit),
         from_seen = em_are_steps_apart(l->new, l->seen, t->unit);
    if (from_old && from_seen)
        return before && (t->most_are_right || l->old.len == 0) ? whose_steps(t, l, before)
                                                                : EM_SLIP_NOBODYS;
    if (!from_old && !from_seen && t->all_by_one && before && before->of == EM_SLIP_OF_BOTH)
        return EM_SLIP_OF_BOTH; /* it was aligned, or comes to be */
    if (from_old == from_seen || (from_old && em_indent_rest_of(l->old, t->unit) == 0))
        return EM_SLIP_NOBODYS; /* what is as deep as a block may be aligned in the file */
    return from_seen ? EM_SLIP_OF_FIND : EM_SLIP_OF_BOTH;
}

/* Is it a line that has no indentation in both texts, although the lines before it come into a
 * block, or out of one? Then nobody knows how deep it is to be. */
static bool is_lost(const texts *t, const line *l, const line *before)
{
    if (l->index == EM_NPOS || l->old.len + l->new.len > 0 ||
        !em_slip_is_bare(&t->edit, l->index, l->seen))
        return false;
    return is_moved(before) && !before->is_closed;
}

/* A tab is so many spaces by one more line. */
static void note_spaces(texts *t, size_t spaces)
{
    if (t->spaces_of_tab == 0)
        t->spaces_of_tab = spaces;
    else if (t->spaces_of_tab != spaces)
        t->tabs_differ = true;
}

/* The first line came without its indentation, of a search text all of whose others are wrong by
 * the same blank, and the replacement has it with some: that is wrong as the others are. `at`: the
 * line's first token there. */
static em_status add_bare_slip(texts *t, size_t at, em_arena *arena)
{
    em_slip first = t->slips[0], bare = {.at = at};
    em_line_indent(t->edit.insert, at, &bare.new);
    EM_TRY(em_slip_follow(bare.new, first.new, first.right, arena, &bare.right));
    memmove(t->slips + 1, t->slips, t->count * sizeof *t->slips);
    t->slips[0] = bare;
    t->count++;
    return EM_OK;
}

/* Whose slip is that of each line, and what should it be in the replacement? */
static em_status read_lines(texts *t, em_arena *arena)
{
    line before, l;
    bool any = false;
    for (size_t at = 0; at < t->edit.insert.tokens.count; at++) {
        if (!read_line(t, at, &l))
            continue;
        size_t spaces = em_slip_spaces_of(t, &l);
        if (spaces > 0) {
            note_spaces(t, spaces);
            EM_TRY(em_slip_in_blanks(t, l.new, spaces, arena, &l.right));
        }
        l.of = l.right.ptr ? EM_SLIP_OF_BOTH : whose_slip(t, &l, any ? &before : NULL);
        if (l.of == EM_SLIP_OF_BOTH && !l.right.ptr)
            EM_TRY(em_slip_follow(l.new, l.old, l.seen, arena, &l.right));
        t->is_unclear |= l.of == EM_SLIP_UNCLEAR || (any && is_lost(t, &l, &before));
        t->lines[t->line_count++] = l;
        if (l.index != EM_NPOS || em_slip_opens_block(t->edit.insert, at)) {
            before = l;
            any = true;
        } else if (any && em_only_ends_block(t->edit.insert, at)) {
            before.is_closed = true;
            before.end = l.new;
        } else if (any) {
            before.holds |= l.new.len > before.new.len;
        }
    }
    return EM_OK;
}

em_status em_slips_read(texts *t, em_arena *arena)
{
    bool clear;
    size_t bare = EM_NPOS;
    EM_TRY(read_lines(t, arena));
    EM_TRY(em_extend_slips(&t->edit, t->unit, t->lines, t->line_count, arena, &clear));
    t->is_unclear |= !clear;
    for (size_t i = 0; i < t->line_count; i++) {
        const line *l = &t->lines[i];
        if (l->index == EM_NPOS)
            continue;
        if (l->index == 0 && l->old.len == 0 && l->new.len > 0)
            bare = l->at;
        bool is_mended = l->of == EM_SLIP_OF_FIND || l->of == EM_SLIP_OF_BOTH;
        t->find_lines[l->index] = is_mended ? EM_SLIP_IS_MENDED : EM_SLIP_STAYS;
        if (!l->right.ptr)
            continue;
        bool is_cut = l->index == 0 && l->old.len < l->seen.len && !t->all_by_one;
        t->slips[t->count++] = (em_slip){l->at, l->new, l->right, is_cut};
    }
    return bare != EM_NPOS && t->all_by_one && t->count > 0 ? add_bare_slip(t, bare, arena) : EM_OK;
}
