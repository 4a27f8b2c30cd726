#include "text/similarity.h"

#include "base/line.h"
#include "base/utf8.h"
#include "text/pattern.h"

#include <math.h>
#include <stdlib.h>
#include <xxhash.h>

/* How much work may go into an exact distance, in steps of the pattern, of 64 cells each. */
enum { MOST_STEPS = 1 << 22, CELLS = 64, FIRST_LIMIT = 64 };

typedef struct pair {
    em_slice a, b;
} pair;

/* ---- What both begin and end with ------------------------------------------------------------ */

/* The pair without what it has in common at both ends; only whole code points are taken off. */
static pair trim(pair p)
{
    em_shared_ends same = em_utf8_shared_ends(p.a, p.b);
    return (pair){em_slice_sub(p.a, same.head, p.a.len - same.tail),
                  em_slice_sub(p.b, same.head, p.b.len - same.tail)};
}

/* ---- Exactly --------------------------------------------------------------------------------- */

/* Most texts that are compared are a line or a word: for them one word of bits, and no memory. The
 * shorter has 1 to CELLS bytes; both are ASCII. */
static size_t short_distance(em_slice shorter, em_slice longer)
{
    uint64_t places[128] = {0}, plus = ~(uint64_t)0, minus = 0;
    size_t distance = shorter.len, last = shorter.len - 1;
    for (size_t i = 0; i < shorter.len; i++)
        places[(unsigned char)shorter.ptr[i]] |= (uint64_t)1 << i;
    for (size_t i = 0; i < longer.len; i++) { /* as in pattern.c */
        uint64_t same = places[(unsigned char)longer.ptr[i]];
        uint64_t horizontal = (((same & plus) + plus) ^ plus) | same;
        uint64_t up = minus | ~(horizontal | plus), down = plus & horizontal;
        distance += (up >> last & 1) - (down >> last & 1);
        up = up << 1 | 1;
        down <<= 1;
        plus = down | ~(same | minus | up);
        minus = up & (same | minus);
    }
    return distance;
}

static bool is_short(em_slice shorter, em_slice longer)
{
    enum { SHORT = 4096 };
    return shorter.len > 0 && shorter.len <= CELLS && longer.len <= SHORT && em_is_ascii(shorter) &&
           em_is_ascii(longer);
}

/* About how many steps it takes to find a distance up to `limit`. */
static double steps_for(size_t limit, size_t shorter, size_t longer)
{
    size_t blocks = (limit < shorter ? limit : shorter) / CELLS + 2;
    return (double)longer * (double)blocks;
}

/* Tries growing limits, so that a small distance is found at a small price, until the work would be
 * more than `steps`: then *known is false. `p` is trimmed. */
static em_status exact(pair p, double steps, em_deadline *deadline, size_t *distance, bool *known)
{
    EM_AUTO(em_arena) arena = {0};
    em_pattern pattern;
    em_slice shorter = p.a.len < p.b.len ? p.a : p.b, longer = p.a.len < p.b.len ? p.b : p.a;
    *known = true;
    *distance = em_utf8_count(longer);
    if (shorter.len == 0)
        return EM_OK;
    if (is_short(shorter, longer)) {
        *distance = short_distance(shorter, longer);
        return EM_OK;
    }
    size_t short_count = em_utf8_count(shorter), long_count = *distance;
    size_t limit = long_count - (short_count < long_count ? short_count : long_count) + FIRST_LIMIT;
    *known = steps_for(limit, short_count, long_count) <= steps;
    if (*known)
        EM_TRY(em_pattern_init(&pattern, shorter, &arena));
    for (; *known; limit *= 4) {
        EM_TRY(em_pattern_distance(&pattern, longer, limit, deadline, distance));
        if (*distance <= limit)
            break;
        *known = steps_for(limit * 4, short_count, long_count) <= steps;
    }
    return EM_OK;
}

/* ---- Piece by piece -------------------------------------------------------------------------- */

/* Where piece number `part` of `parts` equal ones begins. */
static size_t piece_start(em_slice s, size_t part, size_t parts)
{
    size_t each = s.len / parts, more = s.len % parts;
    return part == parts ? s.len : em_utf8_floor(s, each * part + (part < more ? part : more));
}

static em_slice piece_of(em_slice s, size_t part, size_t parts)
{
    return em_slice_sub(s, piece_start(s, part, parts), piece_start(s, part + 1, parts));
}

/* Both texts cut in as many pieces that what remains takes about `steps`, side by side. */
static em_status in_pieces(pair p, double steps, em_deadline *deadline, size_t *distance)
{
    double cells = (double)p.a.len * (double)p.b.len;
    size_t longer = p.a.len > p.b.len ? p.a.len : p.b.len;
    double parts = cells / CELLS / steps + 2, most = (double)longer / CELLS + 2;
    size_t count = (size_t)(parts < most ? parts : most);
    *distance = 0;
    for (size_t part = 0; part < count; part++) {
        size_t piece = 0;
        bool known;
        pair q = trim((pair){piece_of(p.a, part, count), piece_of(p.b, part, count)});
        EM_TRY(exact(q, HUGE_VAL, deadline, &piece, &known));
        *distance += piece;
    }
    return EM_OK;
}

/* ---- Line by line ---------------------------------------------------------------------------- */

/* A line with its LF, by what it holds. */
typedef struct line {
    uint64_t hash;
    size_t start, end;
    bool second; /* of the second text */
} line;

typedef struct line_list {
    line *items;
    size_t count, room;
} line_list;

static em_status add_lines(em_slice text, bool second, em_arena *arena, line_list *out)
{
    for (size_t start = 0, end = 0; start < text.len; start = end) {
        em_slice bytes = em_next_line(text, &end);
        void *items = out->items;
        EM_TRY(em_arena_grow(arena, &items, out->count, &out->room, sizeof *out->items));
        out->items = items;
        out->items[out->count++] = (line){XXH3_64bits(bytes.ptr, bytes.len), start, end, second};
    }
    return EM_OK;
}

static int by_hash(const void *left, const void *right)
{
    const line *x = left, *y = right;
    if (x->hash != y->hash)
        return x->hash < y->hash ? -1 : 1;
    return x->second - y->second;
}

/* A line that each text has once. */
typedef struct shared_line {
    size_t a, b, length;
    size_t before; /* in the longest row that ends here: the one before; EM_NPOS: none */
} shared_line;

typedef struct shared_lines {
    shared_line *items;
    size_t count, room;
} shared_lines;

static em_status collect_shared(pair p, line_list *lines, em_arena *arena, shared_lines *out)
{
    qsort(lines->items, lines->count, sizeof *lines->items, by_hash);
    for (size_t i = 0, next; i < lines->count; i = next) {
        const line *first = &lines->items[i];
        for (next = i + 1; next < lines->count && lines->items[next].hash == first->hash;)
            next++;
        if (next - i != 2 || first[0].second || !first[1].second ||
            !em_slice_eq(em_slice_sub(p.a, first[0].start, first[0].end),
                         em_slice_sub(p.b, first[1].start, first[1].end)))
            continue;
        void *items = out->items;
        EM_TRY(em_arena_grow(arena, &items, out->count, &out->room, sizeof *out->items));
        out->items = items;
        out->items[out->count++] =
            (shared_line){first[0].start, first[1].start, first[0].end - first[0].start, EM_NPOS};
    }
    return EM_OK;
}

static int by_place_in_a(const void *left, const void *right)
{
    const shared_line *x = left, *y = right;
    return x->a < y->a ? -1 : x->a > y->a;
}

/* The longest row of shared lines that stand in the same order in both texts (patience sorting),
 * moved to the front. */
static em_status keep_in_order(shared_lines *lines, em_arena *arena)
{
    shared_line *items = lines->items;
    size_t *ends = em_alloc_array(arena, lines->count + 1, sizeof *ends), longest = 0;
    if (!ends)
        return EM_E_NOMEM;
    if (lines->count > 0)
        qsort(items, lines->count, sizeof *items, by_place_in_a);
    for (size_t i = 0; i < lines->count; i++) {
        size_t low = 0, high = longest;
        while (low < high) {
            size_t middle = (low + high) / 2;
            if (items[ends[middle]].b < items[i].b)
                low = middle + 1;
            else
                high = middle;
        }
        items[i].before = low > 0 ? ends[low - 1] : EM_NPOS;
        ends[low] = i;
        longest += low == longest;
    }
    size_t at = longest > 0 ? ends[longest - 1] : EM_NPOS;
    for (size_t i = longest; i-- > 0; at = items[at].before)
        ends[i] = at;
    for (size_t i = 0; i < longest; i++)
        items[i] = items[ends[i]];
    lines->count = longest;
    return EM_OK;
}

/* What a stretch between two lines in common costs; it may take its share of MOST_STEPS. */
static em_status measure_gap(pair gap, double share, em_deadline *deadline, size_t *distance)
{
    bool known;
    size_t piece = 0;
    gap = trim(gap);
    EM_TRY(exact(gap, MOST_STEPS * share, deadline, &piece, &known));
    if (!known)
        EM_TRY(in_pieces(gap, MOST_STEPS * share, deadline, &piece));
    *distance += piece;
    return EM_OK;
}

/* A distance that is not too small, by way of an alignment of lines. */
static em_status estimate(pair p, em_deadline *deadline, size_t *distance)
{
    EM_AUTO(em_arena) arena = {0};
    line_list lines = {0};
    shared_lines shared = {0};
    double whole = (double)(p.a.len + p.b.len);
    if (em_deadline_spend(deadline, p.a.len + p.b.len))
        return EM_E_TIMEOUT;
    EM_TRY(add_lines(p.a, false, &arena, &lines));
    EM_TRY(add_lines(p.b, true, &arena, &lines));
    EM_TRY(collect_shared(p, &lines, &arena, &shared));
    EM_TRY(keep_in_order(&shared, &arena));
    size_t a = 0, b = 0;
    *distance = 0;
    for (size_t i = 0; i <= shared.count; i++) {
        bool last = i == shared.count;
        size_t next_a = last ? p.a.len : shared.items[i].a;
        size_t next_b = last ? p.b.len : shared.items[i].b;
        pair gap = {em_slice_sub(p.a, a, next_a), em_slice_sub(p.b, b, next_b)};
        EM_TRY(measure_gap(gap, (double)(gap.a.len + gap.b.len) / whole, deadline, distance));
        a = last ? next_a : next_a + shared.items[i].length;
        b = last ? next_b : next_b + shared.items[i].length;
    }
    return EM_OK;
}

/* ---- What users call ------------------------------------------------------------------------- */

/* One order for both, so that an estimate too is the same either way. */
static pair in_order(em_slice a, em_slice b)
{
    bool swap = a.len == b.len && a.len > 0 ? memcmp(a.ptr, b.ptr, a.len) > 0 : a.len > b.len;
    return swap ? (pair){b, a} : (pair){a, b};
}

em_status em_distance(em_slice a, em_slice b, em_deadline *deadline, size_t *distance)
{
    pair p = trim(in_order(a, b));
    bool known;
    EM_TRY(exact(p, MOST_STEPS, deadline, distance, &known));
    if (known)
        return EM_OK;
    EM_TRY(estimate(p, deadline, distance));
    size_t count_a = em_utf8_count(p.a), count_b = em_utf8_count(p.b);
    size_t most = count_a > count_b ? count_a : count_b;
    if (*distance > most)
        *distance = most;
    return EM_OK;
}

double em_similarity_at(size_t distance, size_t length_a, size_t length_b)
{
    size_t longer = length_a > length_b ? length_a : length_b;
    return longer == 0 ? 1.0 : 1.0 - (double)distance / (double)longer;
}

em_status em_similarity(em_slice a, em_slice b, em_deadline *deadline, double *similarity)
{
    size_t distance;
    EM_TRY(em_distance(a, b, deadline, &distance));
    *similarity = em_similarity_at(distance, em_utf8_count(a), em_utf8_count(b));
    return EM_OK;
}
