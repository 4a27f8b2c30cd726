/* differences.c: both texts as units (words, signs, blanks), Myers over these, and hunks made fit
 * to be read. */
#include "diagnosis/differences.h"

#include "base/ascii.h"
#include "text/myers.h"
#include "text/text.h"
#include "text/token.h"

typedef enum unit_kind { WORD, SIGN, BLANK, BREAK } unit_kind;

/* A word, a sign, a run of blanks, or a line ending. */
typedef struct unit {
    size_t start, end;
    unit_kind kind;
} unit;

typedef struct side {
    em_slice text;
    unit *units;
    size_t count, room;
} side;

typedef struct comparison {
    side expected, found;
    bool any_ending; /* a LF of `expected` equals any line ending */
    size_t first;    /* before it all units are the same */
    size_t end[2];   /* of what is compared, on either side */
    bool cut;        /* there is more behind it */
} comparison;

/* A stretch of units on both sides. */
typedef struct hunk {
    size_t expected, expected_end, found, found_end;
    em_difference_kind kind;
} hunk;

/* ---- Units ----------------------------------------------------------------------------------- */

static em_status add_unit(side *s, unit u, em_arena *arena)
{
    void *units = s->units;
    EM_TRY(em_arena_grow(arena, &units, s->count, &s->room, sizeof u));
    s->units = units;
    s->units[s->count++] = u;
    return EM_OK;
}

/* What stands between two tokens: runs of blanks, and line endings one by one. */
static em_status add_gap(side *s, size_t start, size_t end, em_arena *arena)
{
    while (start < end) {
        size_t next = start + em_eol_bytes(em_eol_at(s->text, start)).len;
        unit_kind kind = next > start ? BREAK : BLANK;
        while (kind == BLANK && next < end && em_eol_at(s->text, next) == EM_EOL_NONE)
            next++;
        EM_TRY(add_unit(s, (unit){start, next, kind}, arena));
        start = next;
    }
    return EM_OK;
}

static em_status side_of(em_slice text, em_arena *arena, side *s)
{
    size_t at = 0;
    em_token token;
    *s = (side){.text = text};
    while (em_token_next(text, at, EM_FOLD_WRITING, &token)) {
        EM_TRY(add_gap(s, at, token.start, arena));
        bool word = em_token_is_word(em_token_bytes(text, token));
        EM_TRY(add_unit(s, (unit){token.start, token.end, word ? WORD : SIGN}, arena));
        at = token.end;
    }
    return add_gap(s, at, text.len, arena);
}

static em_slice bytes_of(const side *s, size_t i)
{
    return em_slice_sub(s->text, s->units[i].start, s->units[i].end);
}

static bool is_blank(const side *s, size_t i)
{
    return s->units[i].kind == BLANK || s->units[i].kind == BREAK;
}

static bool same_unit(const comparison *c, size_t i, size_t j)
{
    if (c->any_ending && c->expected.units[i].kind == BREAK && c->found.units[j].kind == BREAK)
        return true;
    return em_slice_eq(bytes_of(&c->expected, i), bytes_of(&c->found, j));
}

/* ---- Comparing ------------------------------------------------------------------------------- */

enum { MOST_CHANGES = 400, FEW_UNITS = MOST_CHANGES / 2, MOST_UNITS = 4000 };

/* Leaves out what both sides begin and end with. */
static void trim(comparison *c)
{
    size_t e = c->expected.count, f = c->found.count;
    while (c->first < e && c->first < f && same_unit(c, c->first, c->first))
        c->first++;
    while (e > c->first && f > c->first && same_unit(c, e - 1, f - 1))
        e--, f--;
    c->end[0] = e;
    c->end[1] = f;
}

/* Compare only the first units of what is left. */
static void cut(comparison *c, size_t most)
{
    for (int s = 0; s < 2; s++)
        if (c->end[s] - c->first > most) {
            c->end[s] = c->first + most;
            c->cut = true;
        }
}

static bool same_from_first(const void *context, size_t old_index, size_t new_index)
{
    const comparison *c = context;
    return same_unit(c, c->first + old_index, c->first + new_index);
}

static em_status compare(comparison *c, em_arena *arena, em_script *script)
{
    trim(c);
    cut(c, MOST_UNITS);
    em_sequences sequences = {c->end[0] - c->first, c->end[1] - c->first, same_from_first, c};
    EM_TRY(em_myers(&sequences, MOST_CHANGES, arena, script));
    if (script->found)
        return EM_OK;
    cut(c, FEW_UNITS);
    sequences.old_count = c->end[0] - c->first;
    sequences.new_count = c->end[1] - c->first;
    return em_myers(&sequences, MOST_CHANGES, arena, script);
}

/* ---- Kinds ----------------------------------------------------------------------------------- */

/* Some units of a side, read byte by byte as if there were nothing else. */
typedef struct reader {
    const side *side;
    size_t unit, end, at;
    bool words_only; /* else words and signs */
} reader;

static reader read_units(const side *s, size_t from, size_t to, bool words_only)
{
    return (reader){s, from, to, from < to ? s->units[from].start : 0, words_only};
}

/* The next byte; -1 at the end. */
static int next_byte(reader *r)
{
    for (; r->unit < r->end; r->unit++) {
        const unit *u = &r->side->units[r->unit];
        bool wanted = u->kind == WORD || (u->kind == SIGN && !r->words_only);
        if (r->at < u->start)
            r->at = u->start;
        if (wanted && r->at < u->end)
            return (unsigned char)r->side->text.ptr[r->at++];
    }
    return -1;
}

/* Are both sides of a hunk the same but for blanks (and signs)? */
static bool same_text(const comparison *c, const hunk *h, bool words_only)
{
    reader e = read_units(&c->expected, h->expected, h->expected_end, words_only);
    reader f = read_units(&c->found, h->found, h->found_end, words_only);
    int byte;
    do {
        byte = next_byte(&e);
        if (byte != next_byte(&f))
            return false;
    } while (byte >= 0);
    return true;
}

static bool same_but_for_case(const comparison *c, const hunk *h)
{
    if (h->expected_end - h->expected != h->found_end - h->found)
        return false;
    for (size_t i = h->expected, j = h->found; i < h->expected_end; i++, j++) {
        em_slice a = bytes_of(&c->expected, i), b = bytes_of(&c->found, j);
        bool word = c->expected.units[i].kind == WORD && c->found.units[j].kind == WORD;
        bool other_case =
            word && em_token_same(a, b, EM_FOLD_CASE) && !em_token_same(a, b, EM_FOLD_WRITING);
        if (!other_case && !same_unit(c, i, j))
            return false;
    }
    return true;
}

static em_difference_kind kind_of(const comparison *c, const hunk *h)
{
    if (same_text(c, h, false))
        return EM_DIFFERS_WHITESPACE;
    if (same_but_for_case(c, h))
        return EM_DIFFERS_CASE;
    return same_text(c, h, true) ? EM_DIFFERS_PUNCTUATION : EM_DIFFERS_CONTENT;
}

/* ---- Hunks ----------------------------------------------------------------------------------- */

/* A run of units that only one side has may often lie in two ways: "a b" in "a x b" is " x" or
 * "x ". The first is taken, so that the word before explains it. `bound` is the hunk before. */
static void slide_back(const comparison *c, hunk *h, const hunk *bound)
{
    bool adds = h->expected == h->expected_end;
    const side *s = adds ? &c->found : &c->expected;
    size_t *start = adds ? &h->found : &h->expected;
    size_t *end = adds ? &h->found_end : &h->expected_end;
    if (*start == *end || (!adds && h->found < h->found_end))
        return;
    while (h->expected > bound->expected_end && h->found > bound->found_end &&
           is_blank(s, *end - 1) && em_slice_eq(bytes_of(s, *start - 1), bytes_of(s, *end - 1))) {
        h->expected--;
        h->expected_end--;
        h->found--;
        h->found_end--;
    }
}

static bool is_removed(const comparison *c, const em_script *script, size_t i)
{
    return script->removed[i - c->first];
}

static bool is_added(const comparison *c, const em_script *script, size_t j)
{
    return script->added[j - c->first];
}

/* The next hunk behind `last`; false when there is none. */
static bool next_hunk(const comparison *c, const em_script *script, const hunk *last, hunk *h)
{
    size_t i = last->expected_end, j = last->found_end;
    while (i < c->end[0] && j < c->end[1] && !is_removed(c, script, i) && !is_added(c, script, j))
        i++, j++;
    *h = (hunk){.expected = i, .expected_end = i, .found = j, .found_end = j};
    while (h->expected_end < c->end[0] && is_removed(c, script, h->expected_end))
        h->expected_end++;
    while (h->found_end < c->end[1] && is_added(c, script, h->found_end))
        h->found_end++;
    return h->expected < h->expected_end || h->found < h->found_end;
}

static bool only_blanks(const side *s, size_t from, size_t to)
{
    while (from < to && is_blank(s, from))
        from++;
    return from == to;
}

static bool no_blanks(const side *s, size_t from, size_t to)
{
    while (from < to && !is_blank(s, from))
        from++;
    return from == to;
}

/* Two hunks are told as one where little stands between them and nothing gets lost by it: a quoted
 * word with other quotes, two other words in a row. */
static bool merge(const comparison *c, hunk *into, const hunk *next)
{
    enum { MOST_BETWEEN = 3 };
    size_t from = into->expected_end, to = next->expected;
    hunk both = {.expected = into->expected,
                 .expected_end = next->expected_end,
                 .found = into->found,
                 .found_end = next->found_end};
    both.kind = kind_of(c, &both);
    if (into->kind != next->kind || both.kind != into->kind)
        return false;
    bool close = to - from <= MOST_BETWEEN && no_blanks(&c->expected, from, to);
    bool row = both.kind == EM_DIFFERS_CONTENT && to - from == 1 &&
               only_blanks(&c->expected, from, to) && c->expected.units[from].kind == BLANK;
    if (close || row)
        *into = both;
    return close || row;
}

/* ---- What is shown --------------------------------------------------------------------------- */

enum { MOST_BESIDE = 32 }; /* bytes of a neighbour */

/* How many units before `i` (and not before `least`) belong to the word or signs right before it.
 */
static size_t beside_before(const side *s, size_t i, size_t least)
{
    size_t from = i;
    while (from > least && !is_blank(s, from - 1) &&
           (from == i || s->units[i - 1].end - s->units[from - 1].start <= MOST_BESIDE))
        from--;
    return i - from;
}

/* The same behind `i` and before `most`. */
static size_t beside_behind(const side *s, size_t i, size_t most)
{
    size_t to = i;
    while (to < most && !is_blank(s, to) &&
           (to == i || s->units[to].end - s->units[i].start <= MOST_BESIDE))
        to++;
    return to - i;
}

static em_slice joined(const side *s, size_t from, size_t to)
{
    return from == to ? (em_slice){0}
                      : em_slice_sub(s->text, s->units[from].start, s->units[to - 1].end);
}

/* Blanks that both sides end with tell nothing. */
static void drop_common_end(em_slice *a, em_slice *b)
{
    while (a->len > 0 && b->len > 0 && a->ptr[a->len - 1] == b->ptr[b->len - 1] &&
           em_is_space_or_tab(a->ptr[a->len - 1])) {
        a->len--;
        b->len--;
    }
}

/* `least` and `most`: the units of `expected` between the hunks before and behind it. */
static em_difference shown(const comparison *c, const hunk *h, size_t least, size_t most)
{
    bool alone = h->expected < h->expected_end && h->found < h->found_end &&
                 h->kind != EM_DIFFERS_WHITESPACE;
    size_t before = alone ? 0 : beside_before(&c->expected, h->expected, least);
    size_t behind = alone || before > 0 ? 0 : beside_behind(&c->expected, h->expected_end, most);
    em_slice expected = joined(&c->expected, h->expected - before, h->expected_end + behind);
    em_slice found = joined(&c->found, h->found - before, h->found_end + behind);
    if (before > 0 && h->kind == EM_DIFFERS_WHITESPACE)
        drop_common_end(&expected, &found);
    return (em_difference){h->kind, expected, found};
}

/* ---- What goes on beyond the ends ------------------------------------------------------------ */

/* The words and signs from unit `i` on, in steps of `step`, up to `stop` or a line ending. */
static size_t tokens_until(const side *s, size_t i, size_t stop, ptrdiff_t step)
{
    size_t count = 0;
    for (; i != stop && s->units[i].kind != BREAK; i += (size_t)step)
        count += s->units[i].kind != BLANK;
    return count;
}

static size_t excess(size_t expected, size_t found)
{
    return expected > found ? expected - found : 0;
}

/* A hunk of everything has nothing in common that it could go on from. */
static void look_beyond(const comparison *c, const hunk *h, em_overhang *out)
{
    bool first = h->expected == 0 && h->found == 0;
    bool last = h->expected_end == c->expected.count && h->found_end == c->found.count;
    if (first && !last)
        out->before = excess(tokens_until(&c->expected, h->expected_end - 1, h->expected - 1, -1),
                             tokens_until(&c->found, h->found_end - 1, h->found - 1, -1));
    if (last && !first)
        out->behind = excess(tokens_until(&c->expected, h->expected, h->expected_end, 1),
                             tokens_until(&c->found, h->found, h->found_end, 1));
}

em_status em_overhang_of(em_slice expected, em_slice found, em_overhang *out)
{
    EM_AUTO(em_arena) scratch = {0};
    comparison c = {.any_ending = !em_slice_has_byte(expected, '\r')};
    em_script script;
    *out = (em_overhang){0};
    EM_TRY(side_of(expected, &scratch, &c.expected));
    EM_TRY(side_of(found, &scratch, &c.found));
    EM_TRY(compare(&c, &scratch, &script));
    hunk h, bound = {.expected_end = c.first, .found_end = c.first};
    for (; next_hunk(&c, &script, &bound, &h); bound = h)
        look_beyond(&c, &h, out);
    return EM_OK;
}

/* ---- All of it ------------------------------------------------------------------------------- */

typedef struct hunk_list {
    hunk *items;
    size_t count, room;
} hunk_list;

/* The first `most` hunks; where the texts were cut, without the one that goes on behind the cut. */
static em_status collect(const comparison *c, const em_script *script, size_t most, em_arena *arena,
                         hunk_list *out)
{
    hunk h, last = {.expected_end = c->first, .found_end = c->first}, bound = {0};
    while (next_hunk(c, script, &last, &h)) {
        hunk raw = h;
        slide_back(c, &h, &bound);
        h.kind = kind_of(c, &h);
        last = bound = raw;
        if (out->count > 0 && merge(c, &out->items[out->count - 1], &h))
            continue;
        bool at_cut = c->cut && (raw.expected_end == c->end[0] || raw.found_end == c->end[1]);
        if (out->count == most || (at_cut && out->count > 0))
            break;
        void *items = out->items;
        EM_TRY(em_arena_grow(arena, &items, out->count, &out->room, sizeof h));
        out->items = items;
        out->items[out->count++] = h;
    }
    return EM_OK;
}

em_status em_differences_of(em_slice expected, em_slice found, size_t most, em_arena *arena,
                            em_differences *out)
{
    EM_AUTO(em_arena) scratch = {0};
    comparison c = {.any_ending = !em_slice_has_byte(expected, '\r')};
    em_script script;
    hunk_list hunks = {0};
    EM_TRY(side_of(expected, &scratch, &c.expected));
    EM_TRY(side_of(found, &scratch, &c.found));
    EM_TRY(compare(&c, &scratch, &script));
    EM_TRY(collect(&c, &script, most + 1, &scratch, &hunks)); /* the last bounds the one before */
    *out = (em_differences){.items = em_alloc_array(arena, hunks.count, sizeof *out->items)};
    if (!out->items)
        return EM_E_NOMEM;
    for (; out->count < hunks.count && out->count < most; out->count++) {
        const hunk *h = &hunks.items[out->count];
        size_t least = out->count > 0 ? h[-1].expected_end : 0;
        size_t next = out->count + 1 < hunks.count ? h[1].expected : c.expected.count;
        out->items[out->count] = shown(&c, h, least, next);
    }
    return EM_OK;
}
