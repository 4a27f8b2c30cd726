/* transplant.c: the result, gap by gap and token by token.
 *
 * Four texts meet here: the search text and its replacement, which the caller wrote; the place in
 * the file, token by token the search text; and the result, token by token the replacement. A gap
 * is named by the token behind it: gap i stands before token i, and the last one behind the last
 * token.
 */
#include "laying/transplant.h"

#include "base/strbuf.h"
#include "laying/depths.h"
#include "laying/first_line.h"
#include "laying/indent.h"
#include "laying/precursor.h"
#include "laying/reindent.h"
#include "laying/seams.h"
#include "laying/skipped_lines.h"
#include "laying/writing.h"
#include "match/place_edges.h"
#include "match/redline.h"
#include "match/token_line.h"

typedef struct transplant {
    em_slice text;
    const em_tolerant_place *place;
    em_tokened find, insert;
    size_t *origin; /* of each token of `insert`, in `find`; EM_NPOS: new */
    size_t *moved;  /* the same of those in lines that moved */
    bool *gap_used; /* of the file's gaps that hold more than blanks: they come once */
    size_t *starts; /* of each token of `insert`, in `out` */
    em_depths depths;
    em_precursors precursors;
    bool depth_is_unclear; /* of a line that is new, or not as deep as it was */
    bool cr_is_meant; /* the replacement has CRs and the search text none: they come as they are */
    em_slice eol;
    em_writing writing;
    em_arena *arena;
    em_strbuf out;
} transplant;

/* ---- Looking --------------------------------------------------------------------------------- */

/* The gap of the file at the place. */
static em_slice seen_gap(const transplant *t, size_t index)
{
    return em_place_gap(t->text, t->place, index);
}

/* Its line endings, and what else stands in its empty lines: the first of these may begin with the
 * place. */
static em_slice seen_breaks(const transplant *t, size_t index)
{
    em_slice seen = seen_gap(t, index);
    em_gap_parts parts = em_gap_split(seen);
    return index == 0 && parts.breaks.len > 0 ? em_slice_sub(seen, 0, seen.len - parts.indent.len)
                                              : parts.breaks;
}

static bool is_blank_text(em_slice s)
{
    for (size_t i = 0; i < s.len; i++)
        if (!strchr(" \t\r\n", s.ptr[i]))
            return false;
    return true;
}

/* Has the file more than blanks between the lines at its gap? */
static bool has_more_between(const transplant *t, size_t index)
{
    return !is_blank_text(em_gap_split(seen_gap(t, index)).breaks);
}

/* ---- Indentation ----------------------------------------------------------------------------- */

/* The indentation of a line that keeps none of the file's. */
static em_status map_new_indent(transplant *t, em_slice indent, size_t index, em_precursor old,
                                em_slice *out)
{
    em_slice beside;
    em_siblings siblings = em_depths_of_siblings(&t->depths, index, old, &beside);
    *out = siblings == EM_SIBLINGS_AGREE ? beside : indent;
    if (siblings == EM_SIBLINGS_AGREE)
        return EM_OK;
    const em_indents *indents = em_depths_for(&t->depths, index);
    t->depth_is_unclear |= siblings == EM_SIBLINGS_DIFFER;
    t->depth_is_unclear |= !indents || !em_indent_is_known(indents, indent, old.start, old.end);
    /* A line that is repeated goes by its own, wherever it goes. */
    size_t own = t->origin[index], end = own == EM_NPOS ? old.end : own + 1;
    if (indents)
        EM_TRY(em_indent_map(indents, indent, old.start, end, t->arena, out));
    t->depth_is_unclear |= siblings == EM_SIBLINGS_HANG && !em_slice_eq(*out, beside);
    return EM_OK;
}

/* The indentation of the line that token `index` of the replacement begins. */
static em_status map_indent(transplant *t, em_slice indent, size_t index, em_slice *out)
{
    em_precursor old = em_precursor_of(&t->precursors, index);
    size_t from = t->moved[index];
    EM_TRY(em_depths_learn_units(&t->depths));
    if (index > 0 && from != EM_NPOS && em_depths_of_moved(&t->depths, index, from, out))
        return EM_OK;
    if (index > 0 && t->depths.scopes && em_depths_keeps(&t->depths, index, old, out))
        return EM_OK;
    EM_TRY(map_new_indent(t, indent, index, old, out));
    return em_depths_write(&t->depths, old.start, out);
}

/* ---- Gaps ------------------------------------------------------------------------------------ */

/* The line ending of `seen` at *at or behind it, and *at moved behind it; `last` where there is
 * none more. */
static em_slice next_eol(em_slice seen, size_t *at, em_slice last)
{
    for (; *at < seen.len; ++*at) {
        em_eol eol = em_eol_at(seen, *at);
        if (eol == EM_EOL_NONE)
            continue;
        *at += em_eol_bytes(eol).len;
        return em_eol_bytes(eol);
    }
    return last;
}

static em_slice behind_first_eol(em_slice breaks)
{
    return em_slice_from(breaks, em_eol_bytes(em_eol_at(breaks, 0)).len);
}

/* Line endings of the file, that new lines behind them take too. */
static void add_seen(transplant *t, em_slice breaks)
{
    em_strbuf_add(&t->out, breaks);
    for (size_t at = 0; at < breaks.len;)
        t->eol = next_eol(breaks, &at, t->eol);
}

/* The caller's line endings behind the first `skipped`, as they are meant or as the file's: one by
 * one those of `seen`, and further ones as the last before them. With what stands in the caller's
 * empty lines, if that is `whole`. */
static void add_breaks(transplant *t, em_slice breaks, em_slice seen, size_t skipped, bool whole)
{
    for (size_t i = 0, at = 0; i < breaks.len; i++) {
        em_eol eol = em_eol_at(breaks, i);
        if (eol == EM_EOL_NONE) {
            if (whole)
                em_strbuf_putc(&t->out, breaks.ptr[i]);
            continue;
        }
        t->eol = next_eol(seen, &at, t->eol);
        if (skipped == 0)
            em_strbuf_add(&t->out, t->cr_is_meant ? em_eol_bytes(eol) : t->eol);
        else
            skipped--;
        i += em_eol_bytes(eol).len - 1;
    }
}

/* A gap of the replacement: where it stands, and the gaps of the search text that it may be. */
typedef struct gap {
    size_t index;
    em_slice wanted;
    em_gap_parts parts;
    size_t left, right; /* the gap behind the token before it, and the one before the token behind
                           it, where those tokens are repeated; else EM_NPOS */
} gap;

static gap gap_at(const transplant *t, size_t index)
{
    size_t count = t->insert.tokens.count;
    gap g = {.index = index,
             .wanted = em_tokened_gap(t->insert, index),
             .left = EM_NPOS,
             .right = EM_NPOS};
    g.parts = em_gap_split(g.wanted);
    if (index == 0)
        g.left = 0;
    else if (t->origin[index - 1] != EM_NPOS)
        g.left = t->origin[index - 1] + 1;
    if (index == count)
        g.right = t->find.tokens.count;
    else if (t->origin[index] != EM_NPOS)
        g.right = t->origin[index];
    return g;
}

/* Is the caller's gap, without indentation, the search text's gap `other`? Blanks at the end of a
 * line are that line's: behind another one, and before the first, they do not count. */
static bool is_repeated(const transplant *t, const gap *g, size_t other)
{
    if (other == EM_NPOS)
        return false;
    em_gap_parts parts = em_gap_split(em_tokened_gap(t->find, other));
    bool other_line = (other != g->left || other == 0) && parts.breaks.len > 0;
    return (other_line || em_slice_eq(parts.trail, g->parts.trail)) &&
           em_gap_breaks(parts.breaks) == em_gap_breaks(g->parts.breaks);
}

/* Does the last line end although the caller leaves out its line ending? It does where an empty
 * line follows, or nothing; else the next line would be joined to it, which nobody means. */
static bool leaves_line_ended(const transplant *t, const gap *g)
{
    size_t end = t->place->span.end;
    bool last = g->index == t->insert.tokens.count;
    return last && (end == t->text.len || em_eol_at(t->text, end) != EM_EOL_NONE);
}

/* The next gap of the replacement before a repeated token. */
static gap next_joint(const transplant *t, size_t index)
{
    gap next = gap_at(t, index);
    while (next.right == EM_NPOS)
        next = gap_at(t, ++index);
    return next;
}

/* The last one behind a repeated token. */
static gap last_joint(const transplant *t, size_t index)
{
    gap last = gap_at(t, index);
    while (last.left == EM_NPOS)
        last = gap_at(t, --index);
    return last;
}

/* Does the gap become two, with what is new between them, that both look like it? */
static bool is_parted(const transplant *t, const gap *g)
{
    if (g->left == EM_NPOS && g->right != EM_NPOS) {
        gap first = last_joint(t, g->index);
        return first.left == g->right && is_repeated(t, &first, g->right);
    }
    if (g->right != EM_NPOS || g->left == EM_NPOS)
        return false;
    gap second = next_joint(t, g->index);
    return second.right == g->left && is_repeated(t, &second, g->left);
}

/* The gap of the search text that an inline gap of the replacement is; EM_NPOS where it is new.
 * Blanks beside a bracket belong to the bracket, others to what follows: where that went, they are
 * none before a new sign that ends something. */
static size_t inline_gap(const transplant *t, const gap *g)
{
    bool left = is_repeated(t, g, g->left), right = is_repeated(t, g, g->right);
    if (g->left == g->right)
        return left ? g->left : EM_NPOS;
    if ((left || right) && is_parted(t, g)) {
        size_t parted = left ? g->left : g->right;
        bool opens = parted > 0 && em_tokened_is_one_of(t->find, parted - 1, "([{");
        return opens == left ? parted : EM_NPOS;
    }
    if (left && right)
        return em_tokened_is_one_of(t->find, g->right, ")]}") ? g->right : g->left;
    if (left && g->wanted.len == 0 && g->right == EM_NPOS &&
        em_tokened_is_one_of(t->insert, g->index, ";,."))
        return EM_NPOS;
    return left ? g->left : right ? g->right : EM_NPOS;
}

/* The file has nothing in its gap, where the caller has blanks: will the tokens stay apart, and is
 * it known that the file has none? At an end of the place it only has what the search text has. */
static bool may_be_nothing(const transplant *t, const gap *g, size_t other)
{
    bool end = g->index == t->insert.tokens.count || g->index == 0;
    bool edge = other == t->find.tokens.count || other == 0;
    if (g->wanted.len == 0 || seen_gap(t, other).len > 0 || end)
        return true;
    return !edge && !(em_token_is_word(em_tokened_token(t->insert, g->index - 1)) &&
                      em_token_is_word(em_tokened_token(t->insert, g->index)));
}

static void add_inline_gap(transplant *t, const gap *g)
{
    size_t other = inline_gap(t, g);
    if (other != EM_NPOS && !may_be_nothing(t, g, other))
        other = EM_NPOS;
    bool in_place = g->left == g->right && g->left != EM_NPOS;
    bool joins = in_place && em_gap_of(seen_gap(t, g->left)) == EM_GAP_BREAK;
    if (other != EM_NPOS)
        em_strbuf_add(&t->out, seen_gap(t, other));
    else if (joins && !leaves_line_ended(t, g))
        em_strbuf_add(&t->out, seen_gap(t, g->left));
    else
        em_strbuf_add(&t->out, g->wanted);
}

/* Of two gaps that the caller's may be, the one whose line endings are taken. */
static size_t choose_gap(const transplant *t, const gap *g)
{
    bool left = is_repeated(t, g, g->left), right = is_repeated(t, g, g->right);
    if (!left || !right)
        return left ? g->left : right ? g->right : EM_NPOS;
    bool right_only = has_more_between(t, g->right) && !has_more_between(t, g->left);
    return right_only ? g->right : g->left;
}

/* The gap of the search text behind the line that the gap ends: that behind the repeated token
 * before it, or behind the line that moved there, or where this is new that behind the line which
 * it changes; EM_NPOS where all of the line is new. */
static size_t line_end_before(const transplant *t, const gap *g)
{
    size_t first, last, end;
    if (g->left != EM_NPOS)
        return g->left;
    if (t->moved[g->index - 1] != EM_NPOS)
        return t->moved[g->index - 1] + 1;
    em_line_around(t->insert, g->index - 1, &first, &last);
    for (size_t i = g->index - 1; i-- > first;) {
        if (t->origin[i] == EM_NPOS)
            continue;
        em_line_around(t->find, t->origin[i], &last, &end);
        return end + 1;
    }
    return EM_NPOS;
}

/* The file's gap behind the line that the gap ends, whose line endings it keeps. Behind the last
 * line the place may end before them. */
static em_slice eols_before(const transplant *t, const gap *g)
{
    size_t end = g->index > 0 ? line_end_before(t, g) : 0, line_end;
    if (end == EM_NPOS)
        return (em_slice){0};
    em_slice seen = seen_gap(t, end);
    if (end < t->find.tokens.count || em_gap_of(seen) == EM_GAP_BREAK ||
        !em_ends_line(t->text, t->place->span.end, t->place->fold, &line_end))
        return seen;
    em_slice eol = em_eol_bytes(em_eol_at(t->text, line_end));
    return em_slice_sub(t->text, line_end, line_end + eol.len);
}

/* Lines between two that stay went, so that two gaps of the search text are one. */
static bool is_joint(const gap *g)
{
    return g->index > 0 && g->left != EM_NPOS && g->right != EM_NPOS && g->left < g->right;
}

/* The lines in the file's gap that the search text lacks: comments, and empty lines where it has
 * fewer than `empty`. */
static em_skipped_lines skipped_at(const transplant *t, size_t index, size_t empty)
{
    em_slice seen = em_gap_split(seen_gap(t, index)).breaks;
    return (em_skipped_lines){behind_first_eol(seen), empty, t->place->fold};
}

/* They come once. */
static void add_skipped(transplant *t, size_t index, size_t empty)
{
    em_slice line;
    if (index == EM_NPOS || t->gap_used[index])
        return;
    em_skipped_lines skipped = skipped_at(t, index, empty);
    while (em_skipped_lines_next(&skipped, &line)) {
        t->gap_used[index] = true;
        add_seen(t, line);
    }
}

/* How many empty lines of a gap of the file do not count as passed over, where the line of token
 * `beside` of the replacement is next to them: as many as the search text has, but for so many.
 * Where that line changes they may have been in the midst of what it comes for. */
static size_t empty_lines(const transplant *t, size_t index, size_t but, size_t beside)
{
    if (!em_line_stays(t->find, t->insert, t->origin, beside))
        return EM_NPOS;
    size_t breaks = em_gap_breaks(em_gap_split(em_tokened_gap(t->find, index)).breaks);
    return breaks > but + 1 ? breaks - 1 - but : 0;
}

/* What stands in the file between the end of the line and the next line's indentation; once.
 * The line before it ends as it does in the file. Of another gap that becomes one with it what the
 * search text lacks stays, and what this one lacks that the caller has. */
static bool add_seen_breaks(transplant *t, size_t index, const gap *g)
{
    em_slice seen = g->index > 0 ? em_gap_split(seen_gap(t, index)).breaks : seen_breaks(t, index);
    bool plain = em_gap_breaks(seen) <= em_gap_breaks(g->parts.breaks) && is_blank_text(seen);
    if (seen.len == 0 || (t->gap_used[index] && !plain))
        return false;
    t->gap_used[index] = true;
    size_t at = 0;
    em_slice behind = behind_first_eol(seen), first = em_slice_sub(seen, 0, seen.len - behind.len);
    size_t wanted = em_gap_breaks(g->parts.breaks), there = em_gap_breaks(seen);
    size_t lacks = wanted > there ? wanted - there : 0;
    add_seen(t, g->index > 0 ? next_eol(eols_before(t, g), &at, first) : first);
    if (is_joint(g) && index == g->right)
        add_skipped(t, g->left, empty_lines(t, g->left, lacks, g->index - 1));
    add_seen(t, behind);
    if (is_joint(g) && index == g->left && g->index < t->insert.tokens.count)
        add_skipped(t, g->right, empty_lines(t, g->right, lacks, g->index));
    return true;
}

/* Does a line of the file end with this gap? The search text's may end where the file's goes on. */
static bool ends_line_there(const transplant *t, size_t index)
{
    return index == t->find.tokens.count || em_gap_of(seen_gap(t, index)) == EM_GAP_BREAK;
}

/* What stands behind the text of the line before the gap; before the first line that is no part of
 * the place. */
static void add_trail(transplant *t, const gap *g)
{
    if (g->index == 0)
        return;
    size_t end = line_end_before(t, g);
    if (end != EM_NPOS && ends_line_there(t, end) &&
        em_slice_eq(em_gap_split(em_tokened_gap(t->find, end)).trail, g->parts.trail))
        em_strbuf_add(&t->out, em_gap_split(seen_gap(t, end)).trail);
    else if (!t->writing.trails_are_wrong)
        em_strbuf_add(&t->out, g->parts.trail);
}

/* How many line endings the file has in a gap; at the ends of the place all that are there, but for
 * the one before whole lines: that ends the line before. */
static size_t breaks_there(const transplant *t, size_t index)
{
    em_slice text = t->text;
    em_token other;
    size_t count = t->place->find_tokens.count, start, end;
    if (index > 0 && index < count)
        return em_gap_breaks(seen_gap(t, index));
    start = index > 0 ? t->place->tokens[count - 1].end : 0;
    end = index > 0 ? text.len : t->place->tokens[0].start;
    if (index > 0 && em_token_next(text, start, t->place->fold, &other))
        end = other.start;
    if (index == 0 && em_token_previous(text, end, t->place->fold, &other))
        start = other.end;
    size_t there = em_gap_breaks(em_slice_sub(text, start, end));
    bool ends_other = index == 0 && start > 0 && em_is_whole_lines(text, t->place, t->find);
    return ends_other && there > 0 ? there - 1 : there;
}

/* The caller put in empty lines, or took some out, between two lines that stay. Where the file has
 * as many already, or as few, they stay too. */
static void add_changed_breaks(transplant *t, const gap *g)
{
    em_slice seen = seen_breaks(t, g->left);
    size_t before = em_gap_breaks(em_gap_split(em_tokened_gap(t->find, g->left)).breaks);
    size_t after = em_gap_breaks(g->parts.breaks), there = breaks_there(t, g->left);
    bool fewer = after < before && there > after && is_blank_text(seen);
    bool stays = after > before ? there >= after : !fewer;
    if (!fewer)
        em_strbuf_add(&t->out, seen);
    if (!stays)
        add_breaks(t, g->parts.breaks, seen, after > before ? there : 0, false);
}

/* What stood between two lines that stay went, and the empty lines before it and behind it meet:
 * they stay. */
static bool add_joined_breaks(transplant *t, const gap *g)
{
    if (!is_joint(g))
        return false;
    em_slice first = em_gap_split(em_tokened_gap(t->find, g->left)).breaks,
             second = em_gap_split(em_tokened_gap(t->find, g->right)).breaks,
             before = em_gap_split(seen_gap(t, g->left)).breaks,
             behind = em_gap_split(seen_gap(t, g->right)).breaks;
    bool empty =
        em_gap_breaks(first) > 1 && em_gap_breaks(second) > 1 && before.len > 0 && behind.len > 0;
    if (!empty || !em_slice_starts(g->parts.breaks, first) ||
        !em_slice_eq(em_slice_from(g->parts.breaks, first.len), behind_first_eol(second)))
        return false;
    add_seen(t, before);
    add_seen(t, behind_first_eol(behind));
    return true;
}

/* The lines before the first that stays went, and the empty lines behind them stay. */
static bool add_left_breaks(transplant *t, const gap *g)
{
    if (g->index > 0 || g->right == EM_NPOS || g->right == 0)
        return false;
    em_slice wanted = em_slice_sub(g->wanted, 0, g->wanted.len - g->parts.indent.len),
             behind = em_gap_split(em_tokened_gap(t->find, g->right)).breaks,
             seen = em_gap_split(seen_gap(t, g->right)).breaks;
    if (behind.len == 0 || seen.len == 0 || !em_slice_eq(wanted, behind_first_eol(behind)))
        return false;
    add_seen(t, behind_first_eol(seen));
    t->gap_used[g->right] = true;
    return true;
}

/* The replacement has no more empty lines than the search text begins with, and the file no more
 * than that: it gets none. The first `ends` line endings of the gap end what is new before it. */
static bool keeps_front(const transplant *t, const gap *g, size_t ends)
{
    size_t after = em_gap_breaks(g->parts.breaks), start;
    return after >= ends && after - ends <= em_gap_breaks(em_tokened_gap(t->find, 0)) &&
           em_gap_breaks(seen_gap(t, 0)) <= after - ends &&
           em_begins_line(t->text, t->place->tokens[0].start, &start);
}

/* What is new comes before the empty lines that the search text begins with: they stay. */
static bool add_front_breaks(transplant *t, const gap *g)
{
    em_slice lead = em_tokened_gap(t->find, 0), seen = seen_breaks(t, 0), behind;
    size_t start = t->place->span.start, line;
    lead = em_slice_sub(lead, 0, lead.len - em_gap_split(lead).indent.len);
    if (g->index == 0 || g->right != 0 || em_gap_of(lead) != EM_GAP_BREAK ||
        !em_begins_line(t->text, start, &line) || line < start)
        return false;
    behind = behind_first_eol(g->parts.breaks);
    bool is_first = em_gap_of(em_tokened_gap(t->insert, 0)) != EM_GAP_BREAK;
    if ((seen.len == 0 || !em_slice_eq(behind, lead)) && (!is_first || !keeps_front(t, g, 1)))
        return false;
    add_breaks(t, em_slice_sub(g->parts.breaks, 0, g->parts.breaks.len - behind.len),
               eols_before(t, g), 0, false);
    add_seen(t, seen);
    return true;
}

/* The last lines of the place went up to where they end, and the empty lines before them stay: the
 * last of these has the ending that stands behind the place. */
static bool add_last_breaks(transplant *t, const gap *g)
{
    size_t count = t->find.tokens.count;
    if (g->index < t->insert.tokens.count || g->left >= count || !leaves_line_ended(t, g) ||
        em_gap_of(em_tokened_gap(t->find, count)) == EM_GAP_BREAK ||
        em_gap_breaks(em_tokened_gap(t->find, g->left)) != em_gap_breaks(g->wanted) + 1)
        return false;
    add_seen(t, em_without_last_eol(em_gap_split(seen_gap(t, g->left)).breaks));
    return true;
}

/* The gap of the file whose line endings are taken; EM_NPOS: the caller's. What is put between two
 * lines that stay goes to the first of them: whatever else the file has there, an empty line or a
 * comment, belongs to what follows, unless the caller has it before what is new. */
static size_t gap_to_take(const transplant *t, const gap *g)
{
    bool first = g->index > 0 && g->right == EM_NPOS && is_parted(t, g);
    return first ? EM_NPOS : choose_gap(t, g);
}

/* Does the gap end a line that moved away from the one behind it? What is between them stays. */
static bool moves_away(const transplant *t, const gap *g)
{
    size_t moved = t->moved[g->index - 1];
    return moved != EM_NPOS &&
           (g->index == t->insert.tokens.count || t->moved[g->index] != moved + 1);
}

static void add_breaks_of(transplant *t, const gap *g)
{
    size_t other = gap_to_take(t, g);
    add_trail(t, g);
    if (add_front_breaks(t, g) || add_last_breaks(t, g) ||
        (other != EM_NPOS && add_seen_breaks(t, other, g)))
        return;
    if (add_joined_breaks(t, g) || add_left_breaks(t, g))
        return;
    if (other == t->find.tokens.count && g->index == t->insert.tokens.count)
        return; /* the file ends here, without a line ending */
    if (g->left == g->right && g->left != EM_NPOS && !is_repeated(t, g, g->left)) {
        add_changed_breaks(t, g);
        return;
    }
    add_breaks(t, g->parts.breaks, eols_before(t, g), 0, !t->writing.trails_are_wrong);
    if (g->index > 0 && g->right == EM_NPOS && is_parted(t, g))
        return;
    if (g->index > 0 && !moves_away(t, g))
        add_skipped(t, line_end_before(t, g), EM_NPOS);
    add_skipped(t, g->right, EM_NPOS);
}

/* The indentation of the line that token g->index begins, or of nothing at the end. */
static em_status add_indent(transplant *t, const gap *g)
{
    em_slice seen, mapped, wanted;
    if (g->index == t->insert.tokens.count) {
        if (g->parts.indent.len > 0)
            em_strbuf_add(&t->out, em_gap_split(seen_gap(t, t->find.tokens.count)).indent);
        return EM_OK;
    }
    if (g->right != EM_NPOS && em_line_indent(t->find, g->right, &wanted) &&
        em_slice_eq(wanted, g->parts.indent) &&
        em_indent_at(t->text, t->place->tokens[g->right].start, &seen)) {
        em_strbuf_add(&t->out, seen);
        em_precursors_pass(&t->precursors);
        return EM_OK;
    }
    EM_TRY(map_indent(t, g->parts.indent, g->index, &mapped));
    em_strbuf_add(&t->out, mapped);
    return EM_OK;
}

/* The replacement begins with another line of the search text than the first, and nothing stands
 * before the place in its line: as deep as that line is in the file, if the caller has the two
 * alike, or wrote the replacement too without its first indentation. What comes without any is
 * else as deep as what it replaces: so lines are unwrapped. */
static em_status add_first_indent(transplant *t, const gap *g, size_t counterpart)
{
    em_slice wanted, first, seen, mapped,
        own = em_gap_of(g->wanted) == EM_GAP_BREAK ? g->parts.indent : g->wanted;
    bool alike = em_line_indent(t->find, counterpart, &wanted) && em_slice_eq(wanted, own);
    bool begins = em_seen_indent(t->text, t->place, counterpart, &seen);
    bool is_bare = own.len == 0 && t->depths.first_is_bare;
    em_seen_indent(t->text, t->place, 0, &first);
    if (is_bare || (alike && begins)) {
        bool stays = begins && (alike || em_slice_starts(first, seen));
        em_strbuf_add(&t->out, stays ? seen : first);
        return EM_OK;
    }
    EM_TRY(map_indent(t, own, 0, &mapped));
    em_strbuf_add(&t->out, mapped);
    return EM_OK;
}

/* The first lines of the search text went, and the empty lines before them and behind them, up to
 * token `counterpart`, meet: they stay. */
static bool add_met_breaks(transplant *t, const gap *g, size_t counterpart)
{
    em_slice before = em_tokened_gap(t->find, 0), behind = em_tokened_gap(t->find, counterpart),
             seen = em_gap_split(seen_gap(t, counterpart)).breaks;
    if (em_gap_of(g->wanted) != EM_GAP_BREAK || em_gap_breaks(behind) < 2 || seen.len == 0 ||
        em_gap_breaks(g->wanted) + 1 != em_gap_breaks(before) + em_gap_breaks(behind))
        return false;
    add_seen(t, seen_breaks(t, 0));
    add_seen(t, behind_first_eol(seen));
    t->gap_used[counterpart] = true;
    return true;
}

/* The first line of the replacement is a later one of the search text. */
static em_status add_lead_of_later(transplant *t, const gap *g, size_t counterpart)
{
    em_slice before = em_tokened_gap(t->find, 0);
    if (add_met_breaks(t, g, counterpart))
        return add_first_indent(t, g, counterpart);
    if (em_gap_breaks(g->wanted) == em_gap_breaks(before) || keeps_front(t, g, 0))
        em_strbuf_add(&t->out, seen_breaks(t, 0));
    else if (em_gap_of(g->wanted) == EM_GAP_BREAK)
        add_breaks_of(t, g);
    add_skipped(t, counterpart, empty_lines(t, counterpart, 0, 0));
    return add_first_indent(t, g, counterpart);
}

/* Do the line endings that the replacement begins with stand before the place already? */
static bool has_breaks_before(const transplant *t, const gap *g)
{
    return em_gap_of(em_tokened_gap(t->find, 0)) != EM_GAP_BREAK && g->right == 0 &&
           breaks_there(t, 0) >= em_gap_breaks(g->wanted);
}

/* The replacement begins with line endings, and otherwise than the search text. The first token
 * begins a line of the file, or not; `whole`: the place begins there, too. */
static em_status add_lead_breaks(transplant *t, const gap *g, bool begins, bool whole)
{
    if (begins && has_breaks_before(t, g)) {
        em_strbuf_add(&t->out, whole ? seen_gap(t, 0) : EM_LIT(""));
        return EM_OK;
    }
    if (keeps_front(t, g, 0))
        em_strbuf_add(&t->out, seen_breaks(t, 0));
    else
        add_breaks_of(t, g);
    return add_indent(t, g);
}

/* The replacement begins with blanks, or none, in place of others, in a line of the file that the
 * first token begins. `whole`: the place has the file's indentation; else it stands before it. */
static em_status add_lead_indent(transplant *t, const gap *g, bool whole)
{
    em_slice mapped, seen;
    EM_TRY(map_indent(t, g->wanted, 0, &mapped));
    if (!whole) {
        em_indent_at(t->text, t->place->tokens[0].start, &seen);
        bool deeper = g->right == EM_NPOS && em_slice_starts(mapped, seen);
        mapped = deeper ? em_slice_from(mapped, seen.len) : (em_slice){0};
    }
    em_strbuf_add(&t->out, mapped);
    return EM_OK;
}

/* What stands before the first token. */
static em_status add_lead(transplant *t, const gap *g)
{
    size_t start, counterpart = em_first_counterpart(t->find, t->insert, t->origin);
    bool begins = em_begins_line(t->text, t->place->tokens[0].start, &start);
    bool whole = t->place->span.start <= start;
    if (counterpart != EM_NPOS && counterpart > 0 && whole)
        return add_lead_of_later(t, g, counterpart);
    if (em_slice_eq(g->wanted, em_tokened_gap(t->find, 0))) {
        em_strbuf_add(&t->out, seen_gap(t, 0));
        return EM_OK;
    }
    if (em_gap_of(g->wanted) == EM_GAP_BREAK)
        return add_lead_breaks(t, g, begins, whole);
    if (begins)
        return add_lead_indent(t, g, whole);
    em_strbuf_add(&t->out, g->wanted);
    return EM_OK;
}

/* Where the file's lines are joined that the caller wrote apart, they stay joined. (Before its
 * first line and behind its last the file has nothing to be joined to.) */
static bool stays_inline(const transplant *t, const gap *g)
{
    if (g->index == 0 || g->index == t->insert.tokens.count || is_parted(t, g))
        return false;
    size_t other = g->left != EM_NPOS ? g->left : g->right;
    if (other == 0 || other == t->find.tokens.count)
        return false;
    return is_repeated(t, g, other) && em_gap_of(seen_gap(t, other)) != EM_GAP_BREAK;
}

/* The last lines of the place went: what the search text lacks before them stays, but for its last
 * line ending. */
static void add_skipped_at_end(transplant *t, const gap *g)
{
    if (g->left == EM_NPOS)
        return;
    size_t at = 0;
    em_slice seen = seen_gap(t, g->left), line, body, eol = next_eol(seen, &at, t->eol);
    em_skipped_lines skipped = skipped_at(t, g->left, empty_lines(t, g->left, 0, g->index - 1));
    for (; em_skipped_lines_next(&skipped, &line); eol = em_slice_from(line, body.len)) {
        body = em_without_last_eol(line);
        em_strbuf_add(&t->out, eol);
        em_strbuf_add(&t->out, body);
    }
}

/* The replacement ends, without a line ending, in something new, or in what the next line is to be
 * joined to. */
static void add_end(transplant *t, const gap *g)
{
    em_gap_parts seen = em_gap_split(seen_gap(t, t->find.tokens.count));
    if (em_joins_next_line(t->text, t->place)) {
        em_strbuf_add(&t->out, g->wanted);
        return;
    }
    add_trail(t, g);
    add_skipped_at_end(t, g);
    if (seen.breaks.len == 0 || leaves_line_ended(t, g))
        return;
    em_strbuf_add(&t->out, seen.breaks);
    em_strbuf_add(&t->out, seen.indent);
}

/* CRs alone, which end no lines of this file, nor of the search text: what follows them is not
 * indented. */
static bool is_meant_cr(const transplant *t, const gap *g)
{
    if (!t->cr_is_meant || em_slice_has_byte(g->wanted, '\n') || em_slice_is(t->eol, "\r") ||
        g->index == t->insert.tokens.count)
        return false;
    return !is_repeated(t, g, g->left) && !is_repeated(t, g, g->right);
}

static bool is_in_moved_line(const transplant *t, const gap *g)
{
    return em_gap_of(g->wanted) != EM_GAP_BREAK && g->index < t->insert.tokens.count &&
           t->moved[g->index] != EM_NPOS;
}

static em_status add_gap(transplant *t, size_t index)
{
    gap g = gap_at(t, index);
    if (index == 0 && t->insert.tokens.count > 0)
        return add_lead(t, &g);
    bool ends = index == t->insert.tokens.count;
    if (is_in_moved_line(t, &g)) {
        em_strbuf_add(&t->out, seen_gap(t, t->moved[index]));
        return EM_OK;
    }
    if (em_gap_of(g.wanted) != EM_GAP_BREAK) {
        if (ends && (g.left != t->find.tokens.count || em_joins_next_line(t->text, t->place)))
            add_end(t, &g);
        else
            add_inline_gap(t, &g);
        return EM_OK;
    }
    if (is_meant_cr(t, &g)) {
        em_strbuf_add(&t->out, g.wanted);
        return EM_OK;
    }
    if (stays_inline(t, &g)) {
        em_strbuf_add(&t->out, seen_gap(t, g.left != EM_NPOS ? g.left : g.right));
        return EM_OK;
    }
    add_breaks_of(t, &g);
    return add_indent(t, &g);
}

/* ---- The whole ------------------------------------------------------------------------------- */

/* A replacement without tokens, as given; empty lines before the first line are the file's, and
 * those behind the last one, where all of them stay. */
static void add_blanks_only(transplant *t, const gap *g)
{
    em_slice wanted = t->insert.text, line;
    em_skipped_lines lines = {.rest = seen_breaks(t, 0), .fold = t->place->fold};
    bool is_lines =
        em_gap_of(wanted) == EM_GAP_BREAK && g->parts.indent.len == 0 && !t->cr_is_meant;
    if (is_lines && add_met_breaks(t, g, t->find.tokens.count))
        return;
    if (is_lines && keeps_front(t, g, 0)) {
        em_strbuf_add(&t->out, seen_breaks(t, 0));
        return;
    }
    while (!t->cr_is_meant && em_gap_breaks(wanted) > 0 && em_skipped_lines_next(&lines, &line)) {
        size_t at = 0;
        add_seen(t, line);
        next_eol(wanted, &at, t->eol);
        wanted = em_slice_from(wanted, at);
    }
    add_breaks(t, wanted, (em_slice){0}, 0, true);
}

static em_status compose(transplant *t)
{
    gap lead = gap_at(t, 0);
    if (t->insert.tokens.count == 0) {
        add_blanks_only(t, &lead);
        return EM_OK;
    }
    for (size_t i = 0; i <= t->insert.tokens.count; i++) {
        EM_TRY(add_gap(t, i));
        if (i == t->insert.tokens.count)
            break;
        t->starts[i] = t->out.len;
        em_strbuf_add(&t->out, em_writing_of(&t->writing, i));
    }
    return EM_OK;
}

static em_status prepare(transplant *t)
{
    EM_TRY(em_tokens_of(t->insert.text, t->place->fold, t->arena, &t->insert.tokens));
    em_tokened seen = {t->text, {t->place->tokens, t->find.tokens.count}};
    EM_TRY(em_redline_seen(&t->find, &seen, &t->insert, t->arena, &t->origin));
    EM_TRY(em_redline_moves(&t->find, &t->insert, t->origin, t->arena, &t->moved));
    t->gap_used = em_alloc_array(t->arena, t->find.tokens.count + 1, sizeof *t->gap_used);
    t->starts = em_alloc_array(t->arena, t->insert.tokens.count + 1, sizeof *t->starts);
    if (!t->gap_used || !t->starts)
        return EM_E_NOMEM;
    t->depths = (em_depths){.text = t->text,
                            .place = t->place,
                            .find = t->find,
                            .insert = t->insert,
                            .origin = t->origin,
                            .arena = t->arena};
    EM_TRY(em_depths_learn(&t->depths));
    t->precursors = (em_precursors){.find = t->find, .insert = t->insert, .origin = t->origin};
    t->writing = (em_writing){.text = t->text,
                              .place = t->place,
                              .find = t->find,
                              .insert = t->insert,
                              .origin = t->origin,
                              .moved = t->moved};
    EM_TRY(em_writing_learn(&t->writing, t->arena));
    t->cr_is_meant = !t->place->repeats_crs && em_slice_has_byte(t->insert.text, '\r') &&
                     !em_slice_has_byte(t->find.text, '\r');
    return EM_OK;
}

static em_status lay_onto(transplant *t, em_slice *out, bool *sound)
{
    em_tokens tokens;
    em_status status = compose(t);
    char *bytes = status == EM_OK ? em_strbuf_finish(&t->out, t->arena) : NULL;
    *out = em_slice_make(bytes, bytes ? t->out.len : 0);
    em_strbuf_drop(&t->out);
    if (!bytes)
        return EM_E_NOMEM;
    EM_TRY(em_tokens_of(*out, t->place->fold, t->arena, &tokens));
    *out = em_ended_as_before(t->text, t->place, &t->insert, (em_tokened){*out, tokens});
    em_first_line first = {t->text,
                           t->place,
                           &t->find,
                           &t->insert,
                           t->origin,
                           &t->depths.indents,
                           t->depths.first_is_bare};
    *sound = !t->depth_is_unclear &&
             (!t->depths.units_are_known || em_depths_are_sound(&first, *out, tokens)) &&
             em_first_line_is_clear(&first, *out, tokens) &&
             !em_joins_words(t->text, t->place, *out);
    return EM_OK;
}

em_status em_transplant_difference(em_slice text, const em_tolerant_place *place, em_eol dominant,
                                   em_arena *arena, em_laid *laid, bool *sound)
{
    transplant t = {.text = text,
                    .place = place,
                    .find = {place->find, place->find_tokens},
                    .insert = {.text = place->insert},
                    .eol = em_place_eol(text, place->span, dominant),
                    .arena = arena};
    em_reindent reindent;
    EM_TRY(prepare(&t));
    EM_TRY(em_reindent_of(text, place, t.insert.tokens, arena, &reindent));
    *sound = reindent != EM_REINDENT_UNCLEAR;
    *laid = (em_laid){em_slice_sub(text, place->span.start, place->span.end), t.insert.tokens,
                      t.origin, t.starts};
    return reindent == EM_REINDENT_AFTER || !*sound ? EM_OK : lay_onto(&t, &laid->text, sound);
}
