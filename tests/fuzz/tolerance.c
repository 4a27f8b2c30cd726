#include "tolerance.h"

#include "fuzz.h"
#include "match/fuzzy.h"
#include "match/tolerant.h"
#include "match/unwrap.h"

tolerated tolerate(em_slice file, em_op op, em_tier most, em_order order, em_arena *arena)
{
    em_policy policy = {
        .order = order, .allow_no_change = true, .allow_placeholders = true, .most = most};
    em_error err = EM_ERROR_INIT;
    em_text text;
    em_lines lines;
    em_plan_request request = {{&text, &lines}, &policy, &op, 1};
    tolerated t = {0};
    t.status = em_text_open(file, NULL, arena, &text, &err);
    if (t.status == EM_OK)
        t.status = em_lines_init(&text, arena, &lines);
    if (t.status == EM_OK)
        t.status = em_plan_make(&request, arena, &t.plan, &t.failure, &err);
    t.cause = err.cause;
    if (t.status == EM_OK)
        HOLDS(em_splices_apply(text.body, t.plan.splices, arena, &t.result) == EM_OK);
    return t;
}

static em_tier tier_of(const tolerated *t)
{
    return t->plan.places[0].items[0].tier;
}

static bool same_outcome(const tolerated *a, const tolerated *b)
{
    return a->status == b->status && em_slice_eq(a->result, b->result);
}

/* How long the line ending at `at` is, or as many as follow each other. */
static size_t skip_ending(em_slice s, size_t at, bool all)
{
    size_t start = at;
    while (at < s.len && em_eol_at(s, at) != EM_EOL_NONE && (all || at == start))
        at += em_eol_bytes(em_eol_at(s, at)).len;
    return at - start;
}

/* Where a CR is a line ending, it and an LF behind it are one: where two come to stand side by
 * side, they are not counted. */
static bool same_but_for_endings(em_slice a, em_slice b)
{
    bool all = em_slice_has_byte(a, '\r') || em_slice_has_byte(b, '\r');
    size_t i = 0, j = 0;
    while (i < a.len && j < b.len) {
        size_t x = skip_ending(a, i, all), y = skip_ending(b, j, all);
        if ((x > 0) != (y > 0) || (x == 0 && a.ptr[i] != b.ptr[j]))
            return false;
        i += x > 0 ? x : 1;
        j += y > 0 ? y : 1;
    }
    return i == a.len && j == b.len;
}

/* ---- One outcome ---------------------------------------------------------------------------- */

/* Where the places that begin at or before `offset` and touch each other end. */
static size_t covered_from(const em_matches *places, size_t offset)
{
    size_t end = EM_NPOS;
    for (size_t i = 0; i < places->count; i++) {
        const em_match *m = &places->items[i];
        if (end == EM_NPOS ? m->start <= offset && offset <= m->end : m->start <= end)
            end = m->end;
    }
    return end;
}

/* Nothing changes but within the places that are declared, and those are what they say. */
static void check_places(em_slice file, const tolerated *t)
{
    const em_matches *places = &t->plan.places[0];
    size_t last = 0;
    for (size_t i = 0; i < places->count; i++) {
        const em_match *m = &places->items[i];
        HOLDS(m->start >= last && m->end >= m->start && m->end <= file.len);
        HOLDS(m->score > 0 && m->score <= 1 && (m->tier == EM_TIER_FUZZY || m->score == 1));
        if (m->tier != EM_TIER_EXACT)
            HOLDS(em_slice_eq(m->matched, em_slice_sub(file, m->start, m->end)));
        last = m->end;
    }
    for (size_t i = 0; i < t->plan.splices.count; i++) {
        const em_splice *s = &t->plan.splices.items[i];
        size_t end = covered_from(places, s->offset);
        HOLDS(end != EM_NPOS && s->offset + s->length <= end);
    }
}

/* The tokens of the replacement, and no others, stand where the place was. */
static void check_tokens(em_slice file, const tolerated *t, em_slice insert, em_arena *arena)
{
    const em_match *m = &t->plan.places[0].items[0];
    em_tokens wanted, seen;
    size_t behind = file.len - m->end;
    em_slice now = em_slice_sub(t->result, m->start, t->result.len - behind);
    HOLDS(em_tokens_of(insert, EM_FOLD_WRITING, arena, &wanted) == EM_OK);
    HOLDS(em_tokens_of(now, EM_FOLD_WRITING, arena, &seen) == EM_OK);
    HOLDS(wanted.count == seen.count);
    for (size_t i = 0; i < wanted.count; i++)
        HOLDS(em_token_same(em_token_bytes(insert, wanted.items[i]),
                            em_token_bytes(now, seen.items[i]), EM_FOLD_WRITING));
}

/* Are the tokens of the search text those of the replacement, in a row? Then the search text is
 * still there afterwards, and should be. Or do they come to stand there with what was around? Then
 * the second edit is another one. */
static bool stands_in_by(em_fold fold, em_slice find, em_slice text, em_arena *arena)
{
    em_places there;
    HOLDS(em_tolerant_find(text, find, (em_slice){0}, fold, NULL, arena, &there) == EM_OK);
    return there.count > 0;
}

/* As it is written, where U+200B is no blank, or meant. */
static bool stands_in(em_slice find, em_slice text, em_arena *arena)
{
    return stands_in_by(EM_FOLD_WRITING, find, text, arena) ||
           stands_in_by(EM_FOLD_NOTHING, find, text, arena);
}

/* Or with a slip. */
static bool nearly_stands_in(em_slice find, em_slice text, em_arena *arena)
{
    em_occurrences in = {.text = text, .arena = arena};
    em_located located = {0};
    if (stands_in(find, text, arena))
        return true;
    HOLDS(em_fuzzy_find(&in, find, find, NULL, arena, &located) == EM_OK);
    return located.places.count > 0;
}

/* Are these the tokens of the search text only with a wrapping taken off? Then the request, read
 * so, says what is there: another edit than that of the wrapped text, which is gone. */
static bool is_unwrapped(em_slice matched, em_op op, em_arena *arena)
{
    em_readings readings;
    HOLDS(em_readings_of(op.find, op.insert, arena, &readings) == EM_OK);
    for (size_t i = 0; i < readings.count && !nearly_stands_in(op.find, matched, arena); i++)
        if (nearly_stands_in(readings.items[i].find, matched, arena))
            return true;
    return false;
}

/* The same request again: a tolerant tier does not make the edit twice. (It may find another place,
 * which only now is the best one; or what it found comes to stand there again with what was
 * behind it, in whatever writing: of lines that are alike one is gone.) */
static void check_again(em_slice file, const tolerated *t, em_op op, em_arena *arena)
{
    const em_match *m = &t->plan.places[0].items[0];
    size_t end = t->result.len - (file.len - m->end);
    bool cascades = !stands_in(op.find, op.insert, arena) && stands_in(op.find, t->result, arena);
    if (tier_of(t) == EM_TIER_EXACT || cascades)
        return;
    tolerated again = tolerate(t->result, op, EM_TIER_FUZZY, EM_SEQUENTIAL, arena);
    if (again.status != EM_OK || tier_of(&again) == EM_TIER_EXACT)
        return;
    const em_match *there = &again.plan.places[0].items[0];
    bool other_edit =
        is_unwrapped(m->matched, op, arena) || is_unwrapped(there->matched, op, arena);
    bool same_again =
        em_slice_eq(there->matched, m->matched) || stands_in(there->matched, m->matched, arena);
    HOLDS(other_edit || same_again || there->start >= end || there->end <= m->start ||
          em_slice_eq(again.result, t->result));
}

/* ---- Outcomes beside each other ------------------------------------------------------------- */

/* A looser tier is only tried where the stricter ones found nothing. */
static void check_tiers(em_slice file, em_op op, tolerated by_tier[4], em_arena *arena)
{
    for (int most = EM_TIER_EXACT; most <= EM_TIER_FUZZY; most++)
        by_tier[most] = tolerate(file, op, (em_tier)most, EM_SEQUENTIAL, arena);
    for (int most = EM_TIER_EXACT; most < EM_TIER_FUZZY; most++) {
        const tolerated *strict = &by_tier[most], *loose = &by_tier[most + 1];
        bool found = strict->status == EM_OK || strict->status == EM_E_COUNT;
        HOLDS(!found || same_outcome(strict, loose));
        HOLDS(loose->status != EM_OK || tier_of(loose) <= (em_tier)(most + 1));
    }
}

/* Where one is expected and several are found, as many as were found may be expected, unless they
 * are places of which one is meant. */
static void check_counts(em_slice file, em_op op, const tolerated *t, em_arena *arena)
{
    size_t count = t->failure.actual;
    if (op.expect != 1 || t->status != EM_E_COUNT || count < 2 || t->failure.one_is_meant)
        return;
    op.expect = count;
    tolerated all = tolerate(file, op, EM_TIER_FUZZY, EM_SEQUENTIAL, arena);
    op.expect = EM_EVERY;
    tolerated every = tolerate(file, op, EM_TIER_FUZZY, EM_SEQUENTIAL, arena);
    HOLDS(same_outcome(&all, &every));
    HOLDS(all.status != EM_OK || all.plan.places[0].count == count);
    if (all.status == EM_OK)
        check_places(file, &all);
}

/* Kept to the lines of its place it is the same edit, and kept to others it is none. */
static void check_ranges(em_slice file, em_op op, const tolerated *t, em_arena *arena)
{
    const em_match *m = &t->plan.places[0].items[0];
    em_text text = {.body = file, .encoding = EM_UTF8};
    em_lines lines;
    if (t->plan.places[0].count != 1 || m->end == m->start || tier_of(t) == EM_TIER_FUZZY)
        return;
    HOLDS(em_lines_init(&text, arena, &lines) == EM_OK);
    op.first_line = em_lines_at(&lines, m->start);
    op.last_line = em_lines_at(&lines, m->end - 1);
    tolerated here = tolerate(file, op, EM_TIER_FUZZY, EM_SEQUENTIAL, arena);
    HOLDS(same_outcome(&here, t));
    op.first_line = op.last_line + 1;
    op.last_line = 0;
    if (op.first_line > em_lines_count(&lines))
        return;
    tolerated beyond = tolerate(file, op, EM_TIER_TOKEN, EM_SEQUENTIAL, arena);
    HOLDS(beyond.status != EM_OK || beyond.plan.places[0].items[0].start >= m->end);
}

/* What a refusal tells to send stands there as often as expected, and does what a tolerant tier
 * would have done. (Where line endings are mixed, LFs that are sent become those of the place.) */
static void check_correction(em_slice file, em_op op, const tolerated *strict,
                             const tolerated *loose, em_arena *arena)
{
    const em_diagnosis *d = strict->failure.diagnosis;
    if (strict->status == EM_OK || !d || !d->has_correction)
        return;
    op.find = d->correction.find;
    op.insert = d->correction.insert;
    tolerated told = tolerate(file, op, EM_TIER_EXACT, EM_SEQUENTIAL, arena);
    HOLDS(told.status == EM_OK);
    HOLDS(loose->status != EM_OK || same_but_for_endings(told.result, loose->result));
}

static void check_orders(em_slice file, em_op op, const tolerated *t, em_arena *arena)
{
    tolerated original = tolerate(file, op, EM_TIER_FUZZY, EM_ORIGINAL, arena);
    HOLDS(same_outcome(&original, t));
}

void check_tolerance(em_slice file, em_op op)
{
    EM_AUTO(em_arena) arena = {0};
    tolerated by_tier[4];
    check_tiers(file, op, by_tier, &arena);
    const tolerated *t = &by_tier[EM_TIER_FUZZY];
    check_orders(file, op, t, &arena);
    check_counts(file, op, t, &arena);
    check_correction(file, op, &by_tier[EM_TIER_EXACT], t, &arena);
    if (t->status != EM_OK)
        return;
    check_places(file, t);
    if (op.kind == EM_OP_REPLACE && op.expect == 1)
        check_again(file, t, op, &arena);
    check_ranges(file, op, t, &arena);
    if (op.kind == EM_OP_REPLACE && tier_of(t) == EM_TIER_WHITESPACE && op.expect == 1)
        check_tokens(file, t, op.insert, &arena);
}
