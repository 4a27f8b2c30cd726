/* transplant_breaks.c: what stands between two lines: line endings, empty lines, comments that the
 * search text lacks.
 *
 * The file's own stay, line by line; what the caller changed of them is changed.
 */
#include "laying/transplant_impl.h"

#include "match/token_line.h"
#include "tokens/redline.h"

/* Has the file more than blanks between the lines at its gap? */
static bool has_more_between(const em_transplant *t, size_t index)
{
    return !em_is_blank_text(em_gap_split(em_seen_gap(t, index)).breaks);
}

em_slice em_next_eol(em_slice seen, size_t *at, em_slice last)
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

em_slice em_behind_first_eol(em_slice breaks)
{
    return em_slice_from(breaks, em_eol_length_at(breaks, 0));
}

void em_lay_seen(em_transplant *t, em_slice breaks)
{
    em_strbuf_add(&t->out, breaks);
    for (size_t at = 0; at < breaks.len;)
        t->eol = em_next_eol(breaks, &at, t->eol);
}

void em_lay_wanted_breaks(em_transplant *t, em_slice breaks, em_slice seen, size_t skipped,
                          bool whole)
{
    for (size_t i = 0, at = 0; i < breaks.len; i++) {
        em_eol eol = em_eol_at(breaks, i);
        if (eol == EM_EOL_NONE) {
            if (whole)
                em_strbuf_putc(&t->out, breaks.ptr[i]);
            continue;
        }
        t->eol = em_next_eol(seen, &at, t->eol);
        if (skipped == 0)
            em_strbuf_add(&t->out, t->cr_is_meant ? em_eol_bytes(eol) : t->eol);
        else
            skipped--;
        i += em_eol_bytes(eol).len - 1;
    }
}

/* Of two gaps that the caller's may be, the one whose line endings are taken. */
static size_t choose_gap(const em_transplant *t, const em_wanted_gap *g)
{
    bool left = em_gap_is_repeated(t, g, g->left), right = em_gap_is_repeated(t, g, g->right);
    if (!left || !right)
        return left ? g->left : right ? g->right : EM_NPOS;
    bool right_only = has_more_between(t, g->right) && !has_more_between(t, g->left);
    return right_only ? g->right : g->left;
}

/* The file's gap behind the line that the gap ends, whose line endings it keeps. Behind the last
 * line the place may end before them. */
static em_slice eols_before(const em_transplant *t, const em_wanted_gap *g)
{
    size_t end = g->index > 0 ? em_line_end_before(t, g) : 0, line_end;
    if (end == EM_NPOS)
        return (em_slice){0};
    em_slice seen = em_seen_gap(t, end);
    if (end < t->find.tokens.count || em_gap_of(seen) == EM_GAP_BREAK ||
        !em_ends_line(t->text, t->place->span.end, t->place->fold, &line_end))
        return seen;
    em_slice eol = em_eol_bytes(em_eol_at(t->text, line_end));
    return em_slice_sub(t->text, line_end, line_end + eol.len);
}

/* Lines between two that stay went, so that two gaps of the search text are one. */
static bool is_joint(const em_wanted_gap *g)
{
    return g->index > 0 && g->left != EM_NPOS && g->right != EM_NPOS && g->left < g->right;
}

em_skipped_lines em_skipped_at(const em_transplant *t, size_t index, size_t empty)
{
    em_slice seen = em_gap_split(em_seen_gap(t, index)).breaks;
    return (em_skipped_lines){em_behind_first_eol(seen), empty, t->place->fold};
}

void em_lay_skipped(em_transplant *t, size_t index, size_t empty)
{
    em_slice line;
    if (index == EM_NPOS || t->gap_used[index])
        return;
    em_skipped_lines skipped = em_skipped_at(t, index, empty);
    while (em_skipped_lines_next(&skipped, &line)) {
        t->gap_used[index] = true;
        em_lay_seen(t, line);
    }
}

size_t em_kept_empty_lines(const em_transplant *t, size_t index, size_t but, size_t beside)
{
    if (!em_line_stays(t->find, t->insert, t->origin, beside))
        return EM_NPOS;
    size_t breaks = em_gap_breaks(em_gap_split(em_tokened_gap(t->find, index)).breaks);
    return breaks > but + 1 ? breaks - 1 - but : 0;
}

/* What stands in the file between the end of the line and the next line's indentation; once.
 * The line before it ends as it does in the file. Of another gap that becomes one with it what the
 * search text lacks stays, and what this one lacks that the caller has. */
static bool add_seen_breaks(em_transplant *t, size_t index, const em_wanted_gap *g)
{
    em_slice seen =
        g->index > 0 ? em_gap_split(em_seen_gap(t, index)).breaks : em_seen_breaks(t, index);
    bool plain = em_gap_breaks(seen) <= em_gap_breaks(g->parts.breaks) && em_is_blank_text(seen);
    if (seen.len == 0 || (t->gap_used[index] && !plain))
        return false;
    t->gap_used[index] = true;
    size_t at = 0;
    em_slice behind = em_behind_first_eol(seen),
             first = em_slice_sub(seen, 0, seen.len - behind.len);
    size_t wanted = em_gap_breaks(g->parts.breaks), there = em_gap_breaks(seen);
    size_t lacks = wanted > there ? wanted - there : 0;
    em_lay_seen(t, g->index > 0 ? em_next_eol(eols_before(t, g), &at, first) : first);
    if (is_joint(g) && index == g->right)
        em_lay_skipped(t, g->left, em_kept_empty_lines(t, g->left, lacks, g->index - 1));
    em_lay_seen(t, behind);
    if (is_joint(g) && index == g->left && g->index < t->insert.tokens.count)
        em_lay_skipped(t, g->right, em_kept_empty_lines(t, g->right, lacks, g->index));
    return true;
}

/* Does a line of the file end with this gap? The search text's may end where the file's goes on. */
static bool ends_line_there(const em_transplant *t, size_t index)
{
    return index == t->find.tokens.count || em_gap_of(em_seen_gap(t, index)) == EM_GAP_BREAK;
}

void em_lay_trail(em_transplant *t, const em_wanted_gap *g)
{
    if (g->index == 0)
        return;
    size_t end = em_line_end_before(t, g);
    bool is_known = end != EM_NPOS && ends_line_there(t, end);
    em_slice own = is_known ? em_gap_split(em_tokened_gap(t->find, end)).trail : (em_slice){0},
             seen = is_known ? em_gap_split(em_seen_gap(t, end)).trail : (em_slice){0};
    bool is_slip = own.len > 0 && em_slice_eq(seen, g->parts.trail); /* of the search text alone */
    if (is_known && (is_slip || em_slice_eq(own, g->parts.trail)))
        em_strbuf_add(&t->out, seen);
    else if (!t->writing.trails_are_wrong)
        em_strbuf_add(&t->out, g->parts.trail);
}

/* The caller put in empty lines, or took some out, between two lines that stay. Where the file has
 * as many already, or as few, they stay too. */
static void add_changed_breaks(em_transplant *t, const em_wanted_gap *g)
{
    em_slice seen = em_seen_breaks(t, g->left);
    size_t before = em_gap_breaks(em_gap_split(em_tokened_gap(t->find, g->left)).breaks);
    size_t after = em_gap_breaks(g->parts.breaks), there = em_breaks_there(t, g->left);
    bool fewer = after < before && there > after && em_is_blank_text(seen);
    bool stays = after > before ? there >= after : !fewer;
    if (!fewer)
        em_strbuf_add(&t->out, seen);
    if (!stays)
        em_lay_wanted_breaks(t, g->parts.breaks, seen, after > before ? there : 0, false);
}

/* What stood between two lines that stay went, and the empty lines before it and behind it meet:
 * they stay. */
static bool add_joined_breaks(em_transplant *t, const em_wanted_gap *g)
{
    if (!is_joint(g))
        return false;
    em_slice first = em_gap_split(em_tokened_gap(t->find, g->left)).breaks,
             second = em_gap_split(em_tokened_gap(t->find, g->right)).breaks,
             before = em_gap_split(em_seen_gap(t, g->left)).breaks,
             behind = em_gap_split(em_seen_gap(t, g->right)).breaks;
    bool empty =
        em_gap_breaks(first) > 1 && em_gap_breaks(second) > 1 && before.len > 0 && behind.len > 0;
    if (!empty || !em_slice_starts(g->parts.breaks, first) ||
        !em_slice_eq(em_slice_from(g->parts.breaks, first.len), em_behind_first_eol(second)))
        return false;
    em_lay_seen(t, before);
    em_lay_seen(t, em_behind_first_eol(behind));
    return true;
}

/* The lines before the first that stays went, and the empty lines behind them stay. */
static bool add_left_breaks(em_transplant *t, const em_wanted_gap *g)
{
    if (g->index > 0 || g->right == EM_NPOS || g->right == 0)
        return false;
    em_slice wanted = em_slice_sub(g->wanted, 0, g->wanted.len - g->parts.indent.len),
             behind = em_gap_split(em_tokened_gap(t->find, g->right)).breaks,
             seen = em_gap_split(em_seen_gap(t, g->right)).breaks;
    if (behind.len == 0 || seen.len == 0 || !em_slice_eq(wanted, em_behind_first_eol(behind)))
        return false;
    em_lay_seen(t, em_behind_first_eol(seen));
    t->gap_used[g->right] = true;
    return true;
}

bool em_keeps_front(const em_transplant *t, const em_wanted_gap *g, size_t ends)
{
    size_t after = em_gap_breaks(g->parts.breaks), start;
    return after >= ends && after - ends <= em_gap_breaks(em_tokened_gap(t->find, 0)) &&
           em_gap_breaks(em_seen_gap(t, 0)) <= after - ends &&
           em_begins_line(t->text, t->place->tokens[0].start, &start);
}

/* What is new comes before the empty lines that the search text begins with: they stay. */
static bool add_front_breaks(em_transplant *t, const em_wanted_gap *g)
{
    em_slice lead = em_tokened_gap(t->find, 0), seen = em_seen_breaks(t, 0), behind;
    size_t start = t->place->span.start, line;
    lead = em_slice_sub(lead, 0, lead.len - em_gap_split(lead).indent.len);
    if (g->index == 0 || g->right != 0 || em_gap_of(lead) != EM_GAP_BREAK ||
        !em_begins_line(t->text, start, &line) || line < start)
        return false;
    behind = em_behind_first_eol(g->parts.breaks);
    bool is_first = em_gap_of(em_tokened_gap(t->insert, 0)) != EM_GAP_BREAK;
    if ((seen.len == 0 || !em_slice_eq(behind, lead)) && (!is_first || !em_keeps_front(t, g, 1)))
        return false;
    em_lay_wanted_breaks(t, em_slice_sub(g->parts.breaks, 0, g->parts.breaks.len - behind.len),
                         eols_before(t, g), 0, false);
    em_lay_seen(t, seen);
    return true;
}

/* The last lines of the place went up to where they end, and the empty lines before them stay: the
 * last of these has the ending that stands behind the place. */
static bool add_last_breaks(em_transplant *t, const em_wanted_gap *g)
{
    size_t count = t->find.tokens.count;
    if (g->index < t->insert.tokens.count || g->left >= count || !em_leaves_line_ended(t, g) ||
        em_gap_of(em_tokened_gap(t->find, count)) == EM_GAP_BREAK ||
        em_gap_breaks(em_tokened_gap(t->find, g->left)) != em_gap_breaks(g->wanted) + 1)
        return false;
    em_lay_seen(t, em_without_last_eol(em_gap_split(em_seen_gap(t, g->left)).breaks));
    return true;
}

/* The gap of the file whose line endings are taken; EM_NPOS: the caller's. What is put between two
 * lines that stay goes to the first of them: whatever else the file has there, an empty line or a
 * comment, belongs to what follows, unless the caller has it before what is new. */
static size_t gap_to_take(const em_transplant *t, const em_wanted_gap *g)
{
    bool first = g->index > 0 && g->right == EM_NPOS && em_gap_is_parted(t, g);
    return first ? EM_NPOS : choose_gap(t, g);
}

/* Does the gap end a line that moved away from the one behind it? What is between them stays. */
static bool moves_away(const em_transplant *t, const em_wanted_gap *g)
{
    size_t moved = t->moved[g->index - 1];
    return moved != EM_NPOS &&
           (g->index == t->insert.tokens.count || t->moved[g->index] != moved + 1);
}

void em_lay_breaks(em_transplant *t, const em_wanted_gap *g)
{
    size_t other = gap_to_take(t, g);
    em_lay_trail(t, g);
    if (add_front_breaks(t, g) || add_last_breaks(t, g) ||
        (other != EM_NPOS && add_seen_breaks(t, other, g)))
        return;
    if (add_joined_breaks(t, g) || add_left_breaks(t, g))
        return;
    if (other == t->find.tokens.count && g->index == t->insert.tokens.count)
        return; /* the file ends here, without a line ending */
    if (g->left == g->right && g->left != EM_NPOS && !em_gap_is_repeated(t, g, g->left)) {
        add_changed_breaks(t, g);
        return;
    }
    em_lay_wanted_breaks(t, g->parts.breaks, eols_before(t, g), 0, !t->writing.trails_are_wrong);
    if (g->index > 0 && g->right == EM_NPOS && em_gap_is_parted(t, g))
        return;
    if (g->index > 0 && !moves_away(t, g))
        em_lay_skipped(t, em_line_end_before(t, g), EM_NPOS);
    em_lay_skipped(t, g->right, EM_NPOS);
}
