/* slipped.c: which lines slipped, by their depths in three texts; and the search text anew. */
#include "laying/slipped.h"

#include "base/strbuf.h"
#include "laying/placed_edit.h"
#include "laying/slip_start.h"
#include "laying/steps.h"
#include "match/block.h"
#include "match/token_line.h"
#include "tokens/redline.h"
#include "tokens/tab_stops.h"

/* How the lines of the search text stand. */
typedef struct stand {
    size_t right; /* but for those without any indentation, which tell nothing */
    size_t wrong;
    size_t by_one[2]; /* of the wrong ones: a blank less deep than in the file, and deeper */
} stand;

static bool is_one_more(em_slice more, em_slice less)
{
    return more.len == less.len + 1 && em_slice_starts(more, less) && more.ptr[less.len] == ' ';
}

/* Did the search text come without the indentation of its first line? Then what is as deep as that
 * has none either. */
static bool is_first_bare(em_slice text, const em_tolerant_place *place, em_tokened find)
{
    em_slice seen;
    return find.tokens.items[0].start == 0 && em_seen_indent(text, place, 0, &seen) && seen.len > 0;
}

/* Has the line at `index` of the search text, which has none of its indentation `seen`, slipped? */
static bool is_bare(em_slice text, const em_tolerant_place *place, em_tokened find, size_t index,
                    em_slice seen)
{
    return index > 0 && seen.len > 0 && !is_first_bare(text, place, find);
}

static stand stand_of(em_slice text, const em_tolerant_place *place, em_tokened find)
{
    stand s = {0};
    em_slice old, seen;
    for (size_t i = 0; i < find.tokens.count; i++) {
        if (!em_line_indent(find, i, &old) || !em_seen_indent(text, place, i, &seen) ||
            (old.len == 0 && !is_bare(text, place, find, i, seen)))
            continue;
        bool is_right = em_slice_eq(old, seen);
        s.right += is_right;
        s.wrong += !is_right;
        s.by_one[0] += old.len > 0 && is_one_more(seen, old);
        s.by_one[1] += is_one_more(old, seen);
    }
    return s;
}

/* Are all that are wrong so by the same blank, as those of a diff are? */
static bool are_wrong_by_one(stand s)
{
    return s.by_one[0] == s.wrong || s.by_one[1] == s.wrong;
}

/* Are there slips, and no other steps or depths than the file's? Then half of the lines are right
 * at least; or all are wrong by the same blank. */
static bool is_of_slips(stand s)
{
    return s.wrong > 0 && (s.right >= s.wrong || are_wrong_by_one(s));
}

typedef em_slip_whose whose;
typedef em_slip_line line;

/* A line that slipped in both texts. */
typedef struct slip {
    size_t at;           /* its first token in the replacement */
    em_slice new, right; /* its indentation there, and what that should be */
    bool is_cut;         /* the search text may begin in the midst of its indentation */
} slip;

/* What becomes of a line of the search text. */
typedef enum becomes { GOES, STAYS, IS_MENDED } becomes;

/* The texts of one edit. */
typedef struct texts {
    em_placed_edit edit;
    em_indent_unit unit; /* the file's */
    bool most_are_right; /* two of three lines at least */
    bool all_by_one;     /* all lines of the search text slipped, by the same blank */
    line *lines;         /* of the replacement */
    size_t line_count;
    slip *slips; /* ascending */
    size_t count;
    becomes *find_lines; /* by their first tokens */
    bool is_unclear;     /* how deep a line belongs */
} texts;

/* A text that is written anew. */
typedef struct mended {
    em_tokened of;
    em_strbuf out;
    size_t done; /* bytes of the text */
} mended;

/* All of a line's indentation is in the place: one whose search text begins with blanks begins a
 * line (tolerant.h). */
static void put_indent(mended *m, size_t index, em_slice indent)
{
    em_slice was;
    size_t start = m->of.tokens.items[index].start;
    em_line_indent(m->of, index, &was);
    em_strbuf_add(&m->out, em_slice_sub(m->of.text, m->done, start - was.len));
    em_strbuf_add(&m->out, indent);
    m->done = start;
}

/* *text stays as it is where nothing was put. */
static em_status finish(mended *m, em_arena *arena, em_slice *text)
{
    if (m->done == 0)
        return EM_OK;
    em_strbuf_add(&m->out, em_slice_from(m->of.text, m->done));
    return em_strbuf_keep(&m->out, arena, text);
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

/* The first repeated line behind token `at`; at the end it is none. */
static line next_repeated(const texts *t, size_t at)
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
    line next = next_repeated(t, l->at);
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
        (l->old.len == 0 && !is_bare(t->edit.text, t->edit.place, t->edit.find, l->index, l->seen)))
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
        !is_bare(t->edit.text, t->edit.place, t->edit.find, l->index, l->seen))
        return false;
    return is_moved(before) && !before->is_closed;
}

static bool line_opens_block(em_tokened insert, size_t at)
{
    size_t first, last;
    em_line_around(insert, at, &first, &last);
    return em_opens_block(insert, last);
}

/* How many spaces are a tab, if an indentation of tabs is as deep as one of spaces; 0: they are
 * none.
 */
static size_t spaces_of_tab(em_slice tabs, em_slice spaces)
{
    bool are = tabs.len > 0 && spaces.len > 0 && em_indent_is_all(tabs, '\t') &&
               em_indent_is_all(spaces, ' ') && spaces.len % tabs.len == 0;
    return are ? spaces.len / tabs.len : 0;
}

/* A line that both texts have with tabs for the file's spaces, or with spaces for its tabs, and the
 * search text as deep: *right is its indentation in the replacement in the file's blanks; ptr NULL:
 * it is none. */
static em_status in_blanks_of_file(const texts *t, const line *l, em_arena *arena, em_slice *right)
{
    bool has_tabs = t->unit.with == ' ';
    *right = (em_slice){0};
    if (l->index == EM_NPOS || t->unit.tab_stops)
        return EM_OK;
    size_t spaces = has_tabs ? spaces_of_tab(l->old, l->seen) : spaces_of_tab(l->seen, l->old);
    if (spaces < 2 || (has_tabs && spaces != em_indent_width_of(t->unit)) || l->new.len == 0 ||
        !em_indent_is_all(l->new, has_tabs ? '\t' : ' ') || (!has_tabs && l->new.len % spaces > 0))
        return EM_OK;
    size_t length = has_tabs ? l->new.len *spaces : l->new.len / spaces;
    char *bytes = em_alloc_raw(arena, length);
    if (!bytes)
        return EM_E_NOMEM;
    memset(bytes, t->unit.with, length);
    *right = em_slice_make(bytes, length);
    return EM_OK;
}

/* The first line came without its indentation, of a search text all of whose others are wrong by
 * the same blank, and the replacement has it with some: that is wrong as the others are. `at`: the
 * line's first token there. */
static em_status add_bare_slip(texts *t, size_t at, em_arena *arena)
{
    slip first = t->slips[0], bare = {.at = at};
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
        EM_TRY(in_blanks_of_file(t, &l, arena, &l.right));
        l.of = l.right.ptr ? EM_SLIP_OF_BOTH : whose_slip(t, &l, any ? &before : NULL);
        if (l.of == EM_SLIP_OF_BOTH && !l.right.ptr)
            EM_TRY(em_slip_follow(l.new, l.old, l.seen, arena, &l.right));
        t->is_unclear |= l.of == EM_SLIP_UNCLEAR || (any && is_lost(t, &l, &before));
        t->lines[t->line_count++] = l;
        if (l.index != EM_NPOS || line_opens_block(t->edit.insert, at)) {
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

/* Which repeated lines of the search text are to be mended? Note those that slipped in both texts,
 * or in the replacement. */
static em_status read_repeated(texts *t, em_arena *arena)
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
        t->find_lines[l->index] = is_mended ? IS_MENDED : STAYS;
        if (!l->right.ptr)
            continue;
        bool is_cut = l->index == 0 && l->old.len < l->seen.len && !t->all_by_one;
        t->slips[t->count++] = (slip){l->at, l->new, l->right, is_cut};
    }
    return bare != EM_NPOS && t->all_by_one && t->count > 0 ? add_bare_slip(t, bare, arena) : EM_OK;
}

/* Is it one that goes, of a search text all of whose lines are wrong by the same blank, as those
 * are that stay? */
static bool slipped_and_goes(const texts *t, size_t index, em_slice old, em_slice seen)
{
    return t->all_by_one && t->count > 0 && t->find_lines[index] == GOES &&
           (is_one_more(old, seen) || (old.len > 0 && is_one_more(seen, old)));
}

static void mend_find(const texts *t, mended *find)
{
    em_slice old, seen;
    for (size_t i = 0; i < t->edit.find.tokens.count; i++)
        if (em_line_indent(t->edit.find, i, &old) &&
            em_seen_indent(t->edit.text, t->edit.place, i, &seen) &&
            (t->find_lines[i] == IS_MENDED || slipped_and_goes(t, i, old, seen)))
            put_indent(find, i, seen);
}

/* Does a line with this indentation go with one that slipped, by whole steps? Not if it is whole
 * steps from where that belongs, nor with one that was cut alone. */
static bool goes_with(const texts *t, em_slice indent, const slip *s)
{
    return !s->is_cut && em_are_steps_apart(indent, s->new, t->unit) &&
           !em_are_steps_apart(indent, s->right, t->unit);
}

/* Is the repeated line as deep in both texts and the file as `indent`? What is as deep as that did
 * not slip. */
static bool is_right_at(const line *l, em_slice indent)
{
    return l->index != EM_NPOS && em_slice_eq(l->old, l->seen) && em_slice_eq(l->new, l->old) &&
           em_slice_eq(l->new, indent);
}

/* The line of the search text that goes, between the repeated lines before and behind, and is as
 * deep in it as `indent`, and in the file, too, or not; false: there is none. */
static bool line_that_goes(const texts *t, const line *before, const line *behind, em_slice indent,
                           bool is_right, em_slice *seen)
{
    em_tokened find = t->edit.find;
    size_t from = before->index == EM_NPOS ? 0 : before->index + 1;
    em_slice old;
    for (size_t i = from; i < find.tokens.count && i != behind->index; i++)
        if (em_line_indent(find, i, &old) && em_seen_indent(t->edit.text, t->edit.place, i, seen) &&
            em_slice_eq(old, *seen) == is_right && em_slice_eq(old, indent))
            return true;
    return false;
}

/* Does a line of the search text go there, between the repeated lines before and behind, that is as
 * deep in it as `indent`, and in the file, too? What comes for it did not slip either. */
static bool is_for_right_one(const texts *t, const line *before, const line *behind,
                             em_slice indent)
{
    em_slice seen;
    return line_that_goes(t, before, behind, indent, true, &seen);
}

/* Or does one that slipped with all others? Then what comes for it slipped as that did: *s. */
static bool is_for_slipped_one(const texts *t, const line *before, const line *behind,
                               const line *l, slip *s)
{
    em_slice seen;
    if (!t->all_by_one || !line_that_goes(t, before, behind, l->new, false, &seen))
        return false;
    *s = (slip){.at = l->at, .new = l->new, .right = seen};
    return true;
}

/* The slip that a new line goes with: the last one above it, or else the next. */
static const slip *slip_of_new(const texts *t, size_t above, em_slice indent)
{
    if (above > 0 && goes_with(t, indent, &t->slips[above - 1]))
        return &t->slips[above - 1];
    return above < t->count && goes_with(t, indent, &t->slips[above]) ? &t->slips[above] : NULL;
}

/* Is a new line whole steps from neither where the line above it came nor where that belongs, as
 * one that is aligned or in a comment? Then it goes where that goes. `with_new`: that is a new
 * line, and all others slipped alike; then it may happen to be steps from where it belongs. */
static bool hangs_on(const texts *t, em_slice indent, const slip *s, bool with_new)
{
    return !em_are_steps_apart(indent, s->new, t->unit) &&
           (with_new || !em_are_steps_apart(indent, s->right, t->unit)) &&
           (em_slice_starts(indent, s->new) || em_slice_starts(s->new, indent));
}

/* Does a new line go where that above it goes? Where all others slipped alike, it does also by
 * whole steps, as in a block that begins there. */
static bool goes_with_above(const texts *t, em_slice indent, const slip *above, bool is_new)
{
    return (t->all_by_one && goes_with(t, indent, above)) ||
           hangs_on(t, indent, above, t->all_by_one && is_new);
}

/* Is a new line beside one that slipped by whole steps, and as deep as that came? It may have
 * slipped, too, or stand where its own block is. */
static bool may_go_with(const slip *s, em_slice indent)
{
    return s && em_slice_eq(indent, s->new) && !em_slice_eq(indent, s->right);
}

/* The slip of a repeated line, if it slipped in both texts; `index` is that of the first slip that
 * is not above it. */
static const slip *slip_at(const texts *t, size_t index, const line *l)
{
    return index < t->count && t->slips[index].at == l->at ? &t->slips[index] : NULL;
}

/* Is it not clear how deep a new line belongs between a repeated line and the next: right below one
 * that slipped, or in a block that begins above it, of which the next line slipped out? What stands
 * below a block may be as deep as what slipped out of that, so it tells nothing. */
static bool is_torn(const texts *t, const slip *above, const line *before, const slip *below,
                    em_slice indent)
{
    return may_go_with(above, indent) || (may_go_with(below, indent) && before->index != EM_NPOS &&
                                          line_opens_block(t->edit.insert, before->at));
}

/* Mend the lines that slipped in both texts, and new ones that go with them; not those that are as
 * deep as a line that is right, be it repeated next to them, or what they come for. */
static em_status mend_insert(texts *t, em_arena *arena, mended *insert)
{
    line l, before = {.index = EM_NPOS}, behind = {.index = EM_NPOS};
    const slip *last = NULL;    /* that the line above went with, */
    bool last_is_new = false;   /* which is a new one */
    const slip *slipped = NULL; /* that of the repeated line above */
    slip gone;                  /* that of a line that goes, for which the line comes */
    size_t above = 0;           /* slips that are not below the line */
    for (size_t i = 0; i < t->line_count && t->count > 0; i++) {
        em_slice right;
        l = t->lines[i];
        if (l.index != EM_NPOS) {
            slipped = slip_at(t, above, &l);
            before = l;
            last = t->all_by_one ? slipped : NULL;
            last_is_new = false;
            if (slipped)
                put_indent(insert, l.at, t->slips[above++].right);
            continue;
        }
        if (l.right.ptr) {
            put_indent(insert, l.at, l.right);
            continue;
        }
        if (behind.at <= l.at)
            behind = next_repeated(t, l.at);
        bool is_for_slipped = is_for_slipped_one(t, &before, &behind, &l, &gone);
        const slip *near = is_for_slipped ? &gone : slip_of_new(t, above, l.new);
        if (!near && last && goes_with_above(t, l.new, last, last_is_new))
            near = last;
        bool takes_right = is_for_right_one(t, &before, &behind, l.new),
             is_right = is_right_at(&before, l.new) || is_right_at(&behind, l.new) || takes_right;
        t->is_unclear |= !near && !takes_right &&
                         is_torn(t, slipped, &before, slip_at(t, above, &behind), l.new);
        last = is_right ? NULL : near;
        last_is_new = true;
        if (!last)
            continue;
        EM_TRY(em_slip_follow(l.new, near->new, near->right, arena, &right));
        put_indent(insert, l.at, right);
    }
    return EM_OK;
}

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
        opens = is_right && line_opens_block(t->edit.find, i);
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
        opens = line_opens_block(t->edit.insert, i);
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
    bool told, tabs, is_bare = is_first_bare(t->edit.text, t->edit.place, t->edit.find);
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

/* Is every line of the replacement that is deeper than what opens its block, or a new one that is
 * deeper than another, still so in `after`, which has the same tokens? Two lines that are repeated
 * are as far apart as the file has them; and a new one that slipped as those below it, and not as
 * that above, was not meant to be deeper than that. */
static bool keeps_blocks(const texts *t, em_tokened after)
{
    em_slice was, is, was_last = {0}, last = {0};
    bool last_is_new = false;
    size_t at = 0; /* of the lines */
    for (size_t i = 0; i < t->edit.insert.tokens.count; i++) {
        bool is_new = t->edit.origin[i] == EM_NPOS;
        if (!em_line_indent(t->edit.insert, i, &was) || !em_line_indent(after, i, &is))
            continue;
        while (at < t->line_count && t->lines[at].at < i)
            at++;
        bool slipped_as_next =
            is_new && at < t->line_count && t->lines[at].at == i && t->lines[at].right.ptr;
        bool is_in_block = (is_new && last_is_new) || ((is_new || last_is_new) && i > 0 &&
                                                       em_begins_in_block(t->edit.insert, i));
        if (is_in_block && em_columns_of(was) > em_columns_of(was_last) &&
            em_columns_of(is) <= em_columns_of(last) && !slipped_as_next)
            return false;
        was_last = was;
        last = is;
        last_is_new = is_new;
    }
    return true;
}

static em_status mend(texts *t, em_arena *arena, em_tolerant_place *place)
{
    mended find = {.of = t->edit.find}, insert = {.of = t->edit.insert};
    em_status status = read_repeated(t, arena);
    if (status == EM_OK) {
        mend_find(t, &find);
        status = mend_insert(t, arena, &insert);
    }
    if (status == EM_OK)
        status = finish(&find, arena, &place->find);
    if (status == EM_OK)
        status = finish(&insert, arena, &place->insert);
    em_strbuf_drop(&find.out);
    em_strbuf_drop(&insert.out);
    return status;
}

em_status em_mend_slipped_lines(em_slice text, em_arena *arena, em_tolerant_place *place,
                                bool *clear)
{
    const em_tolerant_place was = *place;
    texts t = {.edit = em_placed_edit_of(text, &was)};
    stand s = stand_of(text, place, t.edit.find);
    *clear = true;
    if (!is_of_slips(s))
        return EM_OK;
    t.most_are_right = s.right >= 2 * s.wrong;
    t.all_by_one = s.right == 0 && are_wrong_by_one(s);
    EM_TRY(em_placed_edit_read(&t.edit, arena));
    EM_TRY(em_placed_edit_compare(&t.edit, arena));
    t.slips = em_alloc_array(arena, t.edit.insert.tokens.count + 1, sizeof *t.slips);
    t.find_lines = em_alloc_array(arena, t.edit.find.tokens.count + 1, sizeof *t.find_lines);
    t.lines = em_alloc_array(arena, t.edit.insert.tokens.count + 1, sizeof *t.lines);
    if (!t.slips || !t.find_lines || !t.lines)
        return EM_E_NOMEM;
    em_indent_habit habit =
        em_indent_habit_around(text, place->span.start, place->span.end, place->habits);
    t.unit = em_habit_unit(habit);
    if (have_own_steps(&t) || have_other_steps(&t))
        return EM_OK;
    EM_TRY(mend(&t, arena, place));
    em_tokened anew = {.text = place->insert};
    EM_TRY(em_tokens_of(anew.text, place->fold, arena, &anew.tokens));
    *clear = !t.is_unclear && keeps_blocks(&t, anew);
    return em_tokens_of(place->find, place->fold, arena, &place->find_tokens);
}
