/* partly_applied.c: each line of the search text, of the replacement and of the file is counted,
 * and lines that the file has already are put into the search text; and the sign that the file has
 * at the end of the line above the change, where it has another one there. */
#include "diagnosis/partly_applied.h"

#include "base/line.h"
#include "base/strbuf.h"
#include "diagnosis/other_place.h"
#include "match/block.h"
#include "text/text.h"

/* A change where it belongs, and what became of the search text's lines there. */
typedef struct comparison {
    const em_alignment *c;
    const em_line_change *of;
    em_surroundings around;
    em_fates fates;
    bool stands_as_sent; /* the lines that go, if any, are as deep in the file as in the search text
                          */
    size_t *puts;        /* for each fate: the line of the replacement that it is to be; EM_NPOS */
    bool *is_put;        /* for each line of the replacement: a fate is to be it */
    size_t *openers;  /* for each that is new: the nearest one above that is no deeper; EM_NPOS */
    bool *drops;      /* for each line of the search text: it is not to be */
    size_t re_signed; /* the fate whose line is to end with the file's sign; EM_NPOS */
    em_slice sign;    /* which is that */
    bool mends, clashes;
} comparison;

static void find_openers(comparison *m)
{
    const em_tokened_lines *insert = &m->c->insert;
    for (size_t i = m->of->first_new; i < m->of->end_new; i++) {
        size_t depth = em_tokened_line_depth(insert, i);
        size_t opener = i > m->of->first_new ? i - 1 : EM_NPOS;
        while (opener != EM_NPOS && em_tokened_line_depth(insert, opener) > depth)
            opener = m->openers[opener];
        m->openers[i] = opener;
    }
}

/* Do lines [range->first, range->end) of the search text stand in the lines `lines` as they are? */
static em_status stand_as_sent(const em_alignment *c, const em_line_change *range, em_span lines,
                               bool *stand)
{
    em_tokened_lines there;
    EM_TRY(em_tokened_lines_init(&there, em_slice_sub(c->text, lines.start, lines.end), c->arena));
    *stand = there.count == range->end - range->first;
    for (size_t i = 0; i < there.count && *stand; i++)
        *stand =
            em_slice_eq(em_tokened_line(&there, i), em_tokened_line(&c->find, range->first + i));
    return EM_OK;
}

static em_status comparison_init(comparison *m, const em_line_change *range, em_span lines)
{
    const em_alignment *c = m->c;
    EM_TRY(em_fates_of(c, range, lines, &m->around, &m->fates));
    EM_TRY(stand_as_sent(c, range, lines, &m->stands_as_sent));
    m->puts = em_alloc_array(c->arena, m->fates.count, sizeof *m->puts);
    m->is_put = em_alloc_array(c->arena, c->insert.count, sizeof *m->is_put);
    m->openers = em_alloc_array(c->arena, c->insert.count, sizeof *m->openers);
    m->drops = em_alloc_array(c->arena, c->find.count, sizeof *m->drops);
    if (!m->puts || !m->is_put || !m->openers || !m->drops)
        return EM_E_NOMEM;
    find_openers(m);
    for (size_t i = 0; i < m->fates.count; i++)
        m->puts[i] = EM_NPOS;
    return EM_OK;
}

/* Where a line of the search text stands among the fates. */
static size_t fate_of(const comparison *m, size_t sent)
{
    size_t at = 0;
    while (at < m->fates.count && m->fates.items[at].sent != sent)
        at++;
    return at;
}

static bool is_gone(const comparison *m, size_t at)
{
    em_line_step what = m->fates.items[at].what;
    return what == EM_WENT || what == EM_BECAME;
}

static bool is_shifted(const comparison *m, size_t at)
{
    return is_gone(m, at) || m->fates.items[at].what == EM_CAME;
}

/* Is the line one of [first, end) of `b`? */
static bool is_among(const em_tokened_lines *a, size_t index, const em_tokened_lines *b,
                     size_t first, size_t end)
{
    while (first < end && !em_tokened_line_same(a, index, b, first))
        first++;
    return first < end;
}

/* How often a line stands in the texts, as they are to be, and in the file. */
typedef struct counts {
    size_t sent, wanted, seen;
} counts;

static counts count_line(const comparison *m, const em_tokened_lines *of, size_t index)
{
    const em_alignment *c = m->c;
    counts n = {0};
    for (size_t i = 0; i < c->find.count; i++)
        n.sent += !m->drops[i] && em_tokened_line_same(of, index, &c->find, i);
    for (size_t i = 0; i < c->insert.count; i++)
        n.wanted += em_tokened_line_same(of, index, &c->insert, i);
    for (size_t i = 0; i < m->fates.count; i++) {
        const em_line_fate *f = &m->fates.items[i];
        bool same = f->seen && em_tokened_line_same(of, index, f->seen, f->line);
        n.seen += same;
        n.sent += same && m->puts[i] != EM_NPOS;
    }
    return n;
}

static bool both_add(counts n)
{
    return n.wanted > n.sent && n.seen > n.sent;
}

static bool both_remove(counts n)
{
    return n.wanted < n.sent && n.seen < n.sent;
}

static bool is_end(const comparison *m, size_t line)
{
    return em_only_ends_block(m->c->insert.of, m->c->insert.lines[line]);
}

/* Does a line that the change brings, a brace or an `end`, close what a new line opens? What is
 * between the two is deeper. */
static bool closes_new(const comparison *m, size_t line)
{
    size_t opener = m->openers[line];
    return opener != EM_NPOS && opener + 1 < line && !m->is_put[opener] && is_end(m, line);
}

/* Or what is open above all of them? */
static bool closes_open(const comparison *m, size_t line)
{
    return m->openers[line] == EM_NPOS && is_end(m, line);
}

/* Is a line that came like one that the change brings? */
static bool is_like_one_brought(const comparison *m, const em_line_fate *f)
{
    bool is_like = false;
    for (size_t i = m->of->first_new; i < m->of->end_new && !is_like; i++)
        is_like = em_tokened_line_shared(f->seen, f->line, &m->c->insert, i) >= EM_LEAST_LIKE &&
                  !closes_new(m, i);
    return is_like;
}

/* Lines that came where the change brings lines, too: either all of them are among these, or none
 * is even like them. *next is the first line of the replacement that may be one of them. */
static void compare_run(comparison *m, size_t from, size_t to, size_t *next)
{
    const em_tokened_lines *insert = &m->c->insert;
    size_t shared = 0, came = 0, taken = 0;
    for (size_t i = from; i < to; i++) {
        const em_line_fate *f = &m->fates.items[i];
        if (f->what != EM_CAME)
            continue;
        em_slice seen = em_tokened_line(f->seen, f->line);
        while (*next < m->of->end_new &&
               (!em_slice_eq(em_tokened_line(insert, *next), seen) || closes_new(m, *next)))
            ++*next;
        came++;
        shared += is_like_one_brought(m, f);
        if (*next < m->of->end_new) {
            m->puts[i] = *next;
            m->is_put[(*next)++] = true;
            taken++;
        }
    }
    m->clashes |= shared > 0 && taken < came;
    m->mends |= taken > 0;
}

static bool is_loose(const comparison *m, size_t at)
{
    return m->fates.items[at].what == EM_CAME || m->fates.items[at].what == EM_WENT;
}

/* What came right above the change, and right below it. */
static void compare_neighbours(comparison *m)
{
    const em_line_change *of = m->of;
    size_t next = of->first_new, from = fate_of(m, of->first), to = from;
    while (from > 0 && is_loose(m, from - 1))
        from--;
    while (of->first == of->end && to < m->fates.count && is_loose(m, to))
        to++;
    compare_run(m, from, to, &next);
    if (of->first == of->end)
        return;
    from = to = fate_of(m, of->end - 1) + 1;
    while (to < m->fates.count && is_loose(m, to))
        to++;
    compare_run(m, from, to, &next);
}

/* Does the depth of a brace that the change takes away tell that the file has it, and not `other`,
 * which is the same but for that? (Of two lines that say the same one is a slip.) */
static bool is_told_apart(const comparison *m, size_t twin, size_t other)
{
    const em_tokened_lines *find = &m->c->find;
    return m->stands_as_sent && !em_tokened_line_says_something(find, twin) &&
           !em_slice_eq(em_tokened_line(find, twin), em_tokened_line(find, other));
}

/* Of equal lines one after the other it cannot be told which one went, unless how deep braces
 * are tells: it is one that the change takes away, since the other may be indented otherwise, and
 * as the replacement has it. */
static bool drop_line(comparison *m, size_t sent)
{
    const em_tokened_lines *find = &m->c->find;
    size_t twin = m->of->first;
    while (twin < m->of->end && (m->drops[twin] || !em_tokened_line_same(find, sent, find, twin) ||
                                 is_told_apart(m, twin, sent)))
        twin++;
    if (!is_gone(m, fate_of(m, sent)) || twin == m->of->end ||
        !both_remove(count_line(m, find, sent)))
        return false;
    return m->mends = m->drops[twin] = true;
}

/* Does `count` of the replacement's lines from `first` on stand in `s` from `at` on, to the byte?
 */
static bool stand_there(const comparison *m, size_t first, size_t count, const em_tokened_lines *s,
                        size_t at)
{
    const em_tokened_lines *insert = &m->c->insert;
    for (size_t i = 0; i < count; i++)
        if (!em_slice_eq(em_tokened_line(insert, first + i), em_tokened_line(s, at + i)))
            return false;
    return count > 0;
}

/* Is none of the lines of the search text that are above the change, or below it, where they should
 * be? */
static bool is_edge(const comparison *m, size_t first, size_t end)
{
    for (size_t i = 0; i < m->fates.count; i++) {
        const em_line_fate *f = &m->fates.items[i];
        if (f->what == EM_STAYED && first <= f->sent && f->sent < end)
            return false;
    }
    return true;
}

/* What is beyond the search text may be what the replacement repeats. */
static bool repeats_beyond(const comparison *m)
{
    const em_line_change *of = m->of;
    const em_tokened_lines *above = &m->around.above, *below = &m->around.below;
    bool is_first = is_edge(m, 0, of->first), is_last = is_edge(m, of->end, m->c->find.count);
    bool repeats = false;
    for (size_t count = of->end_new - of->first_new; count > 0 && !repeats; count--) {
        if (is_first && count <= above->count)
            repeats = stand_there(m, of->first_new, count, above, above->count - count);
        if (is_last && count <= below->count)
            repeats |= stand_there(m, of->end_new - count, count, below, 0);
    }
    return repeats;
}

/* Is a line that the replacement adds one of the file's to this side? */
static bool adds_one_of(const comparison *m, const em_tokened_lines *side)
{
    const em_tokened_lines *insert = &m->c->insert;
    for (size_t i = m->of->first_new; i < m->of->end_new; i++) {
        counts n = count_line(m, insert, i);
        if (n.wanted > n.sent && em_tokened_line_says_something(insert, i) &&
            is_among(insert, i, side, 0, side->count))
            return true;
    }
    return false;
}

/* Where none of the lines above the change, or below it, was found, it may have been made further
 * up, or down, where these are. */
static bool repeats_apart(const comparison *m)
{
    const em_line_change *of = m->of;
    size_t count = m->c->find.count;
    return (of->first > 0 && is_edge(m, 0, of->first) && adds_one_of(m, &m->around.above)) ||
           (of->end < count && is_edge(m, of->end, count) && adds_one_of(m, &m->around.below));
}

/* Does a change only take a brace or two away? */
static bool only_takes_signs(const comparison *m)
{
    const em_line_change *of = m->of;
    bool only = of->first_new == of->end_new;
    for (size_t i = of->first; i < of->end && only; i++)
        only = !em_tokened_line_says_something(&m->c->find, i);
    return only;
}

/* Is a line that is left, next to one that goes, the same, but not next to it in the file? */
static bool is_torn(const comparison *m, size_t sent, size_t at)
{
    const em_tokened_lines *find = &m->c->find;
    return at < m->fates.count && m->fates.items[at].what != EM_STAYED && sent < find->count &&
           is_among(find, sent, find, m->of->first, m->of->end);
}

/* Lines that go could be others as well that are the same. Of braces there are always others: what
 * is right above them and right below must be what it was. */
static bool is_vague(const comparison *m)
{
    const em_line_change *of = m->of;
    size_t first = fate_of(m, of->first), end = first + (of->end - of->first);
    bool shifted =
        (first > 0 && is_shifted(m, first - 1)) || (end < m->fates.count && is_shifted(m, end));
    return is_torn(m, of->first - 1, first - 1) || is_torn(m, of->end, end) ||
           (shifted && only_takes_signs(m));
}

/* Is nothing left around new lines but braces and the like, which stand around others, too? */
static bool is_among_signs(const comparison *m)
{
    bool is = m->of->first == m->of->end;
    for (size_t i = 0; i < m->fates.count && is; i++) {
        const em_line_fate *f = &m->fates.items[i];
        bool stands = f->what == EM_STAYED || f->what == EM_RENAMED;
        is = !stands || !em_tokened_line_says_something(&m->c->find, f->sent);
    }
    return is;
}

/* How many line endings the file has above one of the lines to a side, or below the last. */
static size_t breaks_seen(const em_tokened_lines *side, size_t index)
{
    if (index > 0 && index < side->count)
        return em_tokened_line_breaks(side, index);
    return index == 0 ? 1 + em_tokened_breaks_at_start(side) : em_tokened_breaks_at_end(side);
}

/* Does the replacement bring empty lines between what is new and the neighbour that this is not put
 * beside, and are there none in the file? */
static bool loses_gap(const comparison *m, bool is_upper)
{
    const em_line_change *of = m->of;
    const em_tokened_lines *side = is_upper ? &m->around.below : &m->around.above;
    size_t wanted = em_tokened_line_breaks(&m->c->insert, is_upper ? of->end_new : of->first_new);
    if (wanted <= em_tokened_line_breaks(&m->c->find, of->first) || side->count == 0)
        return false;
    return breaks_seen(side, is_upper ? 0 : side->count) < wanted;
}

/* Are new lines beside the one of their neighbours that is not theirs, and this is no longer there?
 * Or would they be there without the empty lines that come with them? */
static bool is_apart(const comparison *m, const em_line_change *range)
{
    const em_line_change *of = m->of;
    bool is_between = of->first == of->end && of->first > 0 && of->first < m->c->find.count;
    if (!is_between || range->end - range->first != 1)
        return false;
    bool is_upper = range->first < of->first;
    size_t beside = is_upper ? fate_of(m, range->first) + 1 : fate_of(m, range->first) - 1;
    bool is_other = em_neighbour_of(m->c, of) == (is_upper ? EM_LOWER : EM_UPPER);
    return (is_other && m->fates.items[beside].what != EM_STAYED) || loses_gap(m, is_upper);
}

/* The sign at the end of a line that parts it from the next one; or empty. */
static em_slice parting_sign(em_slice line)
{
    bool has_sign = line.len > 0 && memchr(",;", line.ptr[line.len - 1], 2);
    return em_slice_from(line, line.len - has_sign);
}

static em_slice without_sign(em_slice line)
{
    return em_slice_sub(line, 0, line.len - parting_sign(line).len);
}

/* What the file has for a line above the change: where it is not plain which, what is right above.
 */
static em_slice seen_above(const comparison *m, size_t at)
{
    const em_line_fate *f = &m->fates.items[at];
    const em_tokened_lines *above = &m->around.above;
    if (f->seen)
        return em_trimmed(em_tokened_line(f->seen, f->line));
    return above->count > 0 ? em_trimmed(em_tokened_line(above, above->count - 1)) : (em_slice){0};
}

/* The line above the change may differ from the file's in its sign alone: the caller took it for
 * the last one of a list, or not for the last one. Then what the change leaves at the end must have
 * the sign that the file has there, and the line above gets the one that was sent. Where lines
 * become others it stays as it is. */
static void compare_signs(comparison *m)
{
    const em_line_change *of = m->of;
    const em_tokened_lines *find = &m->c->find;
    bool comes = of->end_new > of->first_new, goes = of->end > of->first;
    size_t above = of->first > 0 ? fate_of(m, of->first - 1) : m->fates.count;
    if (above == m->fates.count || comes == goes)
        return;
    em_slice sent = em_trimmed(em_tokened_line(find, of->first - 1)), seen = seen_above(m, above);
    em_slice sign = parting_sign(sent), own = parting_sign(seen);
    if (em_slice_eq(sign, own) || !em_slice_eq(without_sign(sent), without_sign(seen)))
        return;
    em_slice end = goes ? parting_sign(em_tokened_line(find, of->end - 1)) : own;
    em_slice new_end = comes ? parting_sign(em_tokened_line(&m->c->insert, of->end_new - 1)) : sign;
    m->clashes |= !em_slice_eq(end, new_end);
    if (comes && sign.len == 0)
        return; /* it has the sign that parts it from what comes */
    m->re_signed = above;
    m->sign = own;
    m->mends = true;
}

static void compare(comparison *m, const em_line_change *range)
{
    const em_alignment *c = m->c;
    compare_signs(m);
    compare_neighbours(m);
    for (size_t i = m->of->first; i-- > 0 && drop_line(m, i);)
        ;
    for (size_t i = m->of->end; i < c->find.count && drop_line(m, i); i++)
        ;
    m->clashes |= (!m->mends &&
                   (is_vague(m) || is_among_signs(m) || is_apart(m, range) || repeats_apart(m))) ||
                  repeats_beyond(m);
    for (size_t i = m->of->first_new; i < m->of->end_new && !m->clashes; i++)
        m->clashes = (em_tokened_line_says_something(&c->insert, i) || closes_open(m, i)) &&
                     both_add(count_line(m, &c->insert, i));
    for (size_t i = m->of->first; i < m->of->end && !m->clashes; i++)
        m->clashes =
            em_tokened_line_says_something(&c->find, i) && both_remove(count_line(m, &c->find, i));
}

/* ---- The search text as it should have been -------------------------------------------------- */

/* A line of the search text, or one of the replacement that is put into it. */
typedef struct taken {
    const em_tokened_lines *from; /* NULL: none */
    size_t line;
} taken;

static taken line_taken(const comparison *m, size_t at)
{
    size_t sent = m->fates.items[at].sent;
    if (m->puts[at] != EM_NPOS)
        return (taken){&m->c->insert, m->puts[at]};
    bool stays = sent != EM_NPOS && !m->drops[sent];
    return (taken){stays ? &m->c->find : NULL, sent};
}

static em_slice gap_above(const em_tokened_lines *s, size_t index)
{
    if (index == 0 || index == s->count)
        return EM_LIT("\n");
    return em_slice_sub(s->of.text, em_tokened_line_end(s, index - 1),
                        em_tokened_line_start(s, index));
}

/* Does one line follow the other in the replacement? One of them is put in. */
static bool is_followed_by(const comparison *m, taken upper, taken lower)
{
    const em_tokened_lines *insert = &m->c->insert;
    if (upper.from == insert)
        return upper.line + 1 < insert->count &&
               em_slice_eq(em_tokened_line(insert, upper.line + 1),
                           em_tokened_line(lower.from, lower.line));
    return lower.line > 0 && em_slice_eq(em_tokened_line(insert, lower.line - 1),
                                         em_tokened_line(upper.from, upper.line));
}

/* The empty lines around a line that is put in are those of the replacement; but where a new line
 * comes there, and may bring empty ones, they are as many as in the file. */
static void add_gap(const comparison *m, size_t above, size_t below, em_strbuf *out)
{
    taken upper = line_taken(m, above), lower = line_taken(m, below);
    const em_tokened_lines *insert = &m->c->insert;
    bool is_upper = upper.from == insert;
    em_slice gap = is_upper ? gap_above(insert, upper.line + 1) : gap_above(lower.from, lower.line);
    if ((!is_upper && lower.from != insert) || is_followed_by(m, upper, lower)) {
        em_strbuf_add(out, gap);
        return;
    }
    const em_line_fate *put = &m->fates.items[is_upper ? above : below];
    em_slice breaks = em_gap_split(gap).breaks;
    for (size_t i = breaks_seen(put->seen, put->line + is_upper); i > 0; i--)
        em_strbuf_add(out, em_slice_sub(breaks, 0, em_line_behind(breaks, 0)));
}

static em_status mend(const comparison *m, em_slice *mended)
{
    const em_alignment *c = m->c;
    EM_AUTO(em_strbuf) out = {0};
    em_slice all = c->find.of.text;
    size_t last = EM_NPOS;
    em_strbuf_add(&out, em_slice_sub(all, 0, em_tokened_line_start(&c->find, 0)));
    for (size_t i = 0; i < m->fates.count; i++) {
        taken next = line_taken(m, i);
        if (!next.from)
            continue;
        if (last != EM_NPOS)
            add_gap(m, last, i, &out);
        em_slice line = em_tokened_line(next.from, next.line);
        bool is_re_signed = i == m->re_signed;
        em_strbuf_add(&out, is_re_signed ? without_sign(line) : line);
        em_strbuf_add(&out, is_re_signed ? m->sign : (em_slice){0});
        last = i;
    }
    em_strbuf_add(&out, em_slice_from(all, em_tokened_line_end(&c->find, c->find.count - 1)));
    return em_strbuf_keep(&out, c->arena, mended);
}

em_status em_change_outcome_of(const em_alignment *c, const em_line_change *of,
                               const em_line_change *range, em_span lines,
                               em_change_outcome *outcome)
{
    comparison m = {.c = c, .of = of, .re_signed = EM_NPOS};
    size_t changed = of->end - of->first + of->end_new - of->first_new;
    *outcome = (em_change_outcome){.other_place = {.line = EM_NPOS}};
    EM_TRY(comparison_init(&m, range, lines));
    if (em_deadline_spend(c->deadline, changed * (c->find.count + c->insert.count + m.fates.count)))
        return EM_E_TIMEOUT;
    EM_TRY(em_find_other_place(c, range, lines, &m.fates, &outcome->other_place));
    if (outcome->other_place.line != EM_NPOS)
        return EM_OK;
    compare(&m, range);
    outcome->sound = !m.clashes && !m.mends;
    return m.mends && !m.clashes ? mend(&m, &outcome->mended) : EM_OK;
}
