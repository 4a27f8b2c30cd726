/* standing.c: lines that three texts share, their depths in each, and what these say. */
#include "laying/standing.h"

#include "laying/bare_stance.h"
#include "laying/placed_edit.h"
#include "match/block.h"
#include "match/token_line.h"

/* What lines of the replacement there are. */
typedef struct tally {
    bool as_file, as_sent, mended, astray; /* the last: otherwise in all three */
    bool stand, slip;                      /* of the search text */
    bool moves;                            /* a line that is mended, in what is laid in */
    size_t shifts[2]; /* by how much the last that was astray, and that was mended, is deeper */
    bool by_chance;   /* one of each kind by the same: the replacement stands as none does */
    bool chance;      /* a line that the edit moves comes to where the file has it */
    bool deep;        /* a line with some indentation is as in the file */
} tally;

/* A line of all three texts, by its indentations. */
typedef struct line {
    em_slice old, new, seen;
    bool moves;  /* in what is laid in */
    bool lifted; /* out of a block of the file's */
} line;

static void note_shift(tally *t, const line *l, bool mended)
{
    size_t by = l->new.len - l->old.len; /* wraps around where it is less deep */
    bool other = mended ? t->astray : t->mended;
    t->by_chance |= other && t->shifts[!mended] == by;
    t->shifts[mended] = by;
}

static void note_line(tally *t, const line *l)
{
    bool stands = em_slice_eq(l->old, l->seen), as_file = em_slice_eq(l->new, l->seen);
    bool as_sent = em_slice_eq(l->new, l->old), is_mended = as_file && !stands;
    bool is_astray = !as_file && !as_sent && !stands && !l->lifted;
    if (is_mended || is_astray)
        note_shift(t, l, is_mended);
    t->stand |= stands;
    t->slip |= !stands;
    t->as_file |= as_file;
    t->deep |= as_file && l->seen.len > 0;
    t->mended |= is_mended;
    t->astray |= is_astray;
    t->moves |= is_mended && l->moves;
    t->as_sent |= !stands && as_sent;
}

/* The texts of one edit. */
typedef struct texts {
    em_placed_edit edit;
    const em_laid *laid; /* what the difference gave; NULL: nothing yet */
    bool first_is_bare;  /* the search text's first line alone has come without indentation */
} texts;

/* Not where an indented line lacks as much: all of them are less deep then. */
static bool is_bare_alone(em_slice text, const em_tolerant_place *place, em_tokened find)
{
    em_slice first, indent, seen;
    bool indented = false;
    if (find.tokens.items[0].start > 0 || !em_seen_indent(text, place, 0, &first))
        return false;
    for (size_t i = 1; i < find.tokens.count; i++) {
        if (!em_line_indent(find, i, &indent) || indent.len == 0 ||
            !em_seen_indent(text, place, i, &seen))
            continue;
        if (seen.len == indent.len + first.len)
            return false;
        indented = true;
    }
    return indented;
}

/* Is the line of what is laid in, which has as many tokens, not as deep as the file's? */
static bool moves_line(const texts *t, size_t index, em_slice seen)
{
    em_slice indent;
    size_t start, before = 0;
    if (!t->laid || !em_indent_at(t->laid->text, t->laid->starts[index], &indent))
        return false;
    if (index == 0 && em_begins_line(t->edit.text, t->edit.place->span.start, &start))
        before = t->edit.place->span.start - start;
    return before + indent.len != seen.len || !em_slice_ends(seen, indent);
}

/* How many lines begin at the tokens from `start` to before `end`. */
static size_t count_lines(em_tokened text, size_t start, size_t end)
{
    size_t count = 0;
    em_slice unused;
    for (size_t i = start; i < end; i++)
        count += em_line_indent(text, i, &unused);
    return count;
}

static bool is_word_that_stays(const texts *t, size_t index)
{
    return t->edit.origin[index] != EM_NPOS &&
           em_token_is_word(em_tokened_token(t->edit.insert, index));
}

/* Signs alone say little: of a line with other words they may be repeated from any. */
static bool is_behind_one_that_stays(const texts *t, size_t index)
{
    for (size_t i = index; i-- > 0;)
        if (em_token_is_word(em_tokened_token(t->edit.insert, i)))
            return t->edit.origin[i] != EM_NPOS && t->edit.origin[index - 1] != EM_NPOS;
    return t->edit.origin[index - 1] != EM_NPOS;
}

/* The line for which the new one at `index` comes, by its first token: of as many lines that come
 * as go it is the first, behind one that stays or at the start of both texts. Else EM_NPOS. */
static size_t line_that_goes(const texts *t, size_t index)
{
    size_t end = index, next = t->edit.find.tokens.count, first, last;
    if (index > 0 && !is_behind_one_that_stays(t, index))
        return EM_NPOS;
    while (end < t->edit.insert.tokens.count && !is_word_that_stays(t, end))
        end++;
    if (end < t->edit.insert.tokens.count)
        next = t->edit.origin[end];
    size_t old = index > 0 ? t->edit.origin[index - 1] + 1 : 0,
           going = old < next ? count_lines(t->edit.find, old, next) : 0;
    if (going == 0 || going != count_lines(t->edit.insert, index, end))
        return EM_NPOS;
    em_line_around(t->edit.find, old, &first, &last);
    return first == old && last < next && !em_only_ends_block(t->edit.find, old) ? old : EM_NPOS;
}

/* The line of the search text, by its first token, that the line which token `index` begins in the
 * replacement changes, or comes for; EM_NPOS: none. */
static size_t counterpart_of(const texts *t, size_t index)
{
    size_t first, last, end;
    em_line_around(t->edit.insert, index, &first, &last);
    for (size_t i = first; i <= last; i++) {
        if (!is_word_that_stays(t, i))
            continue;
        em_line_around(t->edit.find, t->edit.origin[i], &first, &end);
        return first;
    }
    return line_that_goes(t, index);
}

/* What was seen of the lines before one. */
typedef struct above {
    size_t next;       /* of the search text */
    size_t gone, came; /* the least depths of blocks that are not over */
    size_t gone_seen;  /* the least depth of one that goes, in the file */
    size_t gone_first; /* the same of a first line without indentation */
    size_t added;      /* the same of one that comes with a line that comes for no other */
} above;

/* The lines of the search text before `from` that are not repeated go. How deep its first line is
 * that came without indentation, the file alone tells. */
static void note_gone(const texts *t, size_t from, above *a)
{
    for (em_slice indent, seen; a->next < from; a->next++) {
        if (!em_line_indent(t->edit.find, a->next, &indent))
            continue;
        bool is_seen = em_seen_indent(t->edit.text, t->edit.place, a->next, &seen);
        size_t depth = is_seen ? em_block_depth(t->edit.find, a->next, seen) : EM_NPOS;
        a->gone_seen = em_least(a->gone_seen, depth);
        if (a->next == 0 && indent.len == 0 && is_seen && seen.len > 0)
            a->gone_first = depth;
        else
            a->gone = em_least(a->gone, em_block_depth(t->edit.find, a->next, indent));
    }
}

/* A line of both texts that is less deep than blocks ends them. */
static void end_blocks(above *a, const line *l)
{
    if (l->old.len < a->gone)
        a->gone = EM_NPOS;
    if (l->new.len < a->came)
        a->came = EM_NPOS;
}

/* Did the edit put the line into a block, or take it out of one? It may have changed the block. */
static bool is_moved_alone(const line *l, bool leaves, bool enters)
{
    return leaves ? !enters && l->new.len < l->old.len : enters && l->new.len > l->old.len;
}

/* The line at `index` of the replacement is that at `from` of the search text, changed or not. A
 * changed one only tells that the replacement stands as the file does, where the search text does
 * not. */
static void note(const texts *t, size_t index, size_t from, bool changed, above *a, tally *all)
{
    line l;
    em_line_indent(t->edit.insert, index, &l.new);
    note_gone(t, from, a);
    if (!em_line_indent(t->edit.find, from, &l.old) ||
        !em_seen_indent(t->edit.text, t->edit.place, from, &l.seen))
        return;
    if (em_only_ends_block(t->edit.insert, index) && (index > 0 || from > 0)) {
        bool is_fixed = em_slice_eq(l.new, l.seen) && !em_slice_eq(l.old, l.seen);
        all->moves |= is_fixed && moves_line(t, index, l.seen);
        return;
    }
    end_blocks(a, &l);
    bool as_file = em_slice_eq(l.new, l.seen);
    bool leaves = l.old.len >= a->gone || l.seen.len >= a->gone_first,
         enters = l.new.len >= a->came;
    bool moved =
        (leaves && em_slice_starts(l.old, l.new)) || (enters && em_slice_starts(l.new, l.old));
    bool is_bare = from == 0 && t->first_is_bare; /* it did not come as deep as it was */
    moved &= !is_bare;
    bool is_enclosed = em_slice_starts(l.new, l.seen) && l.new.len >= a->added;
    bool slips = em_slice_eq(l.new, l.old) && !as_file && !is_enclosed;
    all->chance |= as_file && !is_bare && is_moved_alone(&l, leaves, enters);
    bool stays = as_file && !moved, mended = stays && !em_slice_eq(l.old, l.seen);
    l.moves = moves_line(t, index, l.seen);
    l.lifted = l.seen.len >= a->gone_seen && l.new.len < l.seen.len;
    if (changed ? mended : (!leaves && !enters) || stays || slips)
        note_line(all, &l);
}

/* Does the new line at `index` only end a block that new lines right before it have begun? Then
 * nothing behind it is in that. */
static bool ends_new_block(const texts *t, size_t index)
{
    em_slice indent, other;
    size_t first, last;
    if (!em_only_ends_block(t->edit.insert, index) ||
        !em_line_indent(t->edit.insert, index, &indent))
        return false;
    for (size_t i = index; i-- > 0 && t->edit.origin[i] == EM_NPOS;) {
        if (!em_line_indent(t->edit.insert, i, &other))
            continue;
        em_line_around(t->edit.insert, i, &first, &last);
        if (em_slice_eq(other, indent))
            return em_opens_block(t->edit.insert, last);
        if (!em_slice_starts(other, indent))
            return false;
    }
    return false;
}

/* How deep the first line of the replacement, which came without indentation, is among the others:
 * as deep as the file's, if these stand as in the file. */
static em_slice depth_of_first(const texts *t)
{
    em_slice seen;
    bool stands = em_seen_indent(t->edit.text, t->edit.place, 0, &seen) &&
                  em_comes_back_to_base(t->edit.insert, seen);
    return stands ? seen : (em_slice){0};
}

static tally note_lines(const texts *t, bool but_first)
{
    tally all = {0}, unused = {0};
    above a = {0, EM_NPOS, EM_NPOS, EM_NPOS, EM_NPOS, EM_NPOS};
    for (size_t i = 0; i < t->edit.insert.tokens.count; i++) {
        em_slice old, new;
        size_t from = t->edit.origin[i];
        if (!em_line_indent(t->edit.insert, i, &new))
            continue;
        bool changed = from == EM_NPOS || !em_line_indent(t->edit.find, from, &old);
        if (changed)
            from = counterpart_of(t, i);
        if (from != EM_NPOS)
            note(t, i, from, changed, &a, i == 0 && but_first ? &unused : &all);
        if (i == 0 && new.len == 0)
            new = depth_of_first(t);
        if (changed && !ends_new_block(t, i)) {
            size_t depth = em_block_depth(t->edit.insert, i, new);
            a.came = em_least(a.came, depth);
            if (from == EM_NPOS)
                a.added = em_least(a.added, depth);
        } else if (!changed) {
            a.next = from + 1;
        }
    }
    return all;
}

/* The least of two indentations; one without bytes anywhere is none. */
static void note_least(em_slice *least, em_slice indent)
{
    if (!least->ptr || indent.len < least->len)
        *least = indent;
}

/* Does the replacement begin as deep as the search text, and not as the file? What it begins with
 * is the search text's first line, or comes for it, where it is no other one. */
static bool begins_as_sent(const texts *t)
{
    em_slice old, new, seen;
    if (t->edit.insert.tokens.count == 0 ||
        (t->edit.origin[0] != 0 && em_only_ends_block(t->edit.insert, 0)))
        return false;
    size_t from = counterpart_of(t, 0);
    from = from != EM_NPOS ? from : 0;
    return em_seen_indent(t->edit.text, t->edit.place, from, &seen) &&
           em_line_indent(t->edit.find, from, &old) && em_line_indent(t->edit.insert, 0, &new) &&
           em_slice_eq(old, new) && !em_slice_eq(old, seen);
}

/* Where no line tells how deep the texts stand, those that are the least indented do, unless they
 * are by chance as deep as others: where a search text begins deeper than it ends. */
static void stand_by_margins(const texts *t, em_standing *standing)
{
    em_slice find = {0}, insert = {0}, seen = {0}, indent;
    for (size_t i = 0; i < t->edit.find.tokens.count; i++) {
        if (em_line_indent(t->edit.find, i, &indent))
            note_least(&find, indent);
        if (em_seen_indent(t->edit.text, t->edit.place, i, &indent))
            note_least(&seen, indent);
    }
    for (size_t i = 0; i < t->edit.insert.tokens.count; i++)
        if (em_line_indent(t->edit.insert, i, &indent))
            note_least(&insert, indent);
    standing->find = em_slice_eq(find, seen);
    standing->insert = em_slice_eq(insert, seen) && !begins_as_sent(t);
}

/* Are lines of the text deeper than others? */
static bool has_depths(em_tokened text)
{
    em_slice first = {0}, indent;
    bool any = false;
    for (size_t i = 0; i < text.tokens.count; i++) {
        if (!em_line_indent(text, i, &indent))
            continue;
        if (any && !em_slice_eq(indent, first))
            return true;
        first = any ? first : indent;
        any = true;
    }
    return false;
}

em_status em_standing_of(em_slice text, const em_tolerant_place *place, const em_tokened *insert,
                         const em_laid *laid, bool but_first, em_arena *arena,
                         em_standing *standing)
{
    em_tokened find = em_place_find(place), seen = {text, {place->tokens, find.tokens.count}};
    size_t *origin;
    EM_TRY(em_redline_seen(&find, &seen, insert, arena, &origin));
    texts of = {{text, place, find, *insert, origin}, laid, is_bare_alone(text, place, find)};
    tally t = note_lines(&of, but_first);
    *standing =
        (em_standing){.known = t.stand || t.slip,
                      .find = !t.slip,
                      .insert = t.as_file && !t.as_sent && !t.by_chance && (t.deep || !t.astray),
                      .insert_fixes_depth = t.mended && !t.as_sent && !t.stand,
                      .some_line_fixed = t.mended,
                      .fix_moves = t.moves,
                      .may_be_coincidence = t.chance && has_depths(find)};
    standing->is_coincidence = standing->may_be_coincidence && t.stand && !t.mended;
    if (!standing->known)
        stand_by_margins(&of, standing);
    return EM_OK;
}
