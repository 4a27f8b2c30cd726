/* approx.c: the text is gone through in lanes, several stretches of it at once.
 *
 * A column of the table of distances, which is one byte of the text, is two words of bits as in
 * pattern.c, and the distance of the whole needle to the best piece that ends there. All lanes go
 * on by some columns together; only where a lane came near enough are its columns done again, one
 * by one, to see where.
 */
#include "text/approx.h"

#include "base/processor.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { LANES = 8, COLUMNS = 32, STRETCH = 1 << 12, WARM_UP = 2 * EM_LONGEST_APPROX };

/* One lane. */
typedef struct lane {
    uint64_t plus, minus;
    uint64_t distance;
    bool falling; /* it fell, and has not risen since */
} lane;

typedef struct search {
    em_slice hay;
    uint64_t same[256]; /* for each byte: where the needle has it */
    unsigned top;       /* the bit of the last byte of the needle */
    size_t limit;
    size_t most, room;
    bool hopeless; /* as many as are wanted are there, and none can be nearer */
    em_deadline *deadline;
    em_approx_list *out;
} search;

/* ---- What is kept ---------------------------------------------------------------------------- */

static int nearest_first(const void *left, const void *right)
{
    const em_approx *x = left, *y = right;
    if (x->distance != y->distance)
        return x->distance < y->distance ? -1 : 1;
    return x->end < y->end ? -1 : x->end > y->end;
}

/* Keep the best; from now on only better ones are asked for. */
static void keep_best(search *s)
{
    em_approx_list *out = s->out;
    if (out->count > 0)
        qsort(out->items, out->count, sizeof *out->items, nearest_first);
    if (out->count <= s->most)
        return;
    out->count = s->most;
    size_t worst = s->most > 0 ? out->items[s->most - 1].distance : 0;
    s->hopeless = worst == 0;
    s->limit = worst > 0 ? worst - 1 : 0;
}

static void keep(search *s, size_t end, size_t distance)
{
    if (distance > s->limit || s->hopeless)
        return;
    s->out->items[s->out->count++] = (em_approx){end, distance};
    if (s->out->count == s->room)
        keep_best(s);
}

/* ---- One lane, byte by byte ------------------------------------------------------------------ */

static lane lane_start(const search *s)
{
    return (lane){.plus = ~(uint64_t)0, .distance = s->top + 1};
}

static void lane_step(lane *l, uint64_t same, unsigned top)
{
    uint64_t vertical = same | l->minus;
    uint64_t horizontal = (((same & l->plus) + l->plus) ^ l->plus) | same;
    uint64_t plus = l->minus | ~(horizontal | l->plus), minus = l->plus & horizontal;
    l->distance += (plus >> top & 1) - (minus >> top & 1);
    plus <<= 1;
    minus <<= 1;
    l->plus = minus | ~(vertical | plus);
    l->minus = plus & vertical;
}

/* Through [from, to), keeping the ends from `first` on. */
static void lane_run(search *s, lane *l, size_t from, size_t to)
{
    for (size_t at = from; at < to; at++) {
        uint64_t before = l->distance;
        lane_step(l, s->same[(unsigned char)s->hay.ptr[at]], s->top);
        if (l->distance > before && l->falling)
            keep(s, at, before);
        if (l->distance != before)
            l->falling = l->distance < before;
    }
}

static void lane_warm_up(search *s, lane *l, size_t from)
{
    *l = lane_start(s);
    for (size_t at = from > WARM_UP ? from - WARM_UP : 0; at < from; at++) {
        uint64_t before = l->distance;
        lane_step(l, s->same[(unsigned char)s->hay.ptr[at]], s->top);
        if (l->distance != before)
            l->falling = l->distance < before;
    }
}

/* ---- All lanes at once ----------------------------------------------------------------------- */

/* The lanes at one moment. */
typedef struct state {
    uint64_t plus[LANES], minus[LANES], distance[LANES];
    const unsigned char *at[LANES];
} state;

/* COLUMNS columns on. any[i] is above INT64_MAX if lane i was nearer than `near` at any time, the
 * start included. */
typedef void advance_fn(const search *s, state *now, size_t near, uint64_t any[LANES]);

static void advance_plain(const search *s, state *now, size_t near, uint64_t any[LANES])
{
    for (size_t i = 0; i < LANES; i++)
        any[i] = now->distance[i] - near;
    for (size_t column = 0; column < COLUMNS; column++)
        for (size_t i = 0; i < LANES; i++) {
            lane l = {now->plus[i], now->minus[i], now->distance[i], false};
            lane_step(&l, s->same[now->at[i][column]], s->top);
            now->plus[i] = l.plus;
            now->minus[i] = l.minus;
            now->distance[i] = l.distance;
            any[i] |= l.distance - near;
        }
    for (size_t i = 0; i < LANES; i++)
        now->at[i] += COLUMNS;
}

#if defined(__x86_64__)
enum { WIDTH = 4 };
typedef uint64_t vector __attribute__((vector_size(WIDTH * sizeof(uint64_t))));

/* Four lanes. */
typedef struct group {
    vector plus, minus, distance, nearer;
} group;

__attribute__((target("avx2"))) static inline void group_load(group *g, const state *now, size_t i,
                                                              size_t near)
{
    memcpy(&g->plus, now->plus + i, sizeof g->plus);
    memcpy(&g->minus, now->minus + i, sizeof g->minus);
    memcpy(&g->distance, now->distance + i, sizeof g->distance);
    g->nearer = g->distance - near;
}

__attribute__((target("avx2"))) static inline void group_store(const group *g, state *now, size_t i,
                                                               uint64_t any[LANES])
{
    memcpy(now->plus + i, &g->plus, sizeof g->plus);
    memcpy(now->minus + i, &g->minus, sizeof g->minus);
    memcpy(now->distance + i, &g->distance, sizeof g->distance);
    memcpy(any + i, &g->nearer, sizeof g->nearer);
    for (size_t k = i; k < i + WIDTH; k++)
        now->at[k] += COLUMNS;
}

/* lane_step() for four lanes at once. */
__attribute__((target("avx2"))) static inline void group_step(const search *s, group *g,
                                                              const unsigned char *const at[WIDTH],
                                                              size_t column, size_t near)
{
    vector same = {s->same[at[0][column]], s->same[at[1][column]], s->same[at[2][column]],
                   s->same[at[3][column]]};
    vector vertical = same | g->minus;
    vector horizontal = (((same & g->plus) + g->plus) ^ g->plus) | same;
    vector up = g->minus | ~(horizontal | g->plus), down = g->plus & horizontal;
    g->distance += (up >> s->top & 1) - (down >> s->top & 1);
    g->nearer |= g->distance - near;
    up += up;
    down += down;
    g->plus = down | ~(vertical | up);
    g->minus = up & vertical;
}

__attribute__((target("avx2"))) static void advance_avx2(const search *s, state *now, size_t near,
                                                         uint64_t any[LANES])
{
    group first, second;
    group_load(&first, now, 0, near);
    group_load(&second, now, WIDTH, near);
    for (size_t column = 0; column < COLUMNS; column++) {
        group_step(s, &first, now->at, column, near);
        group_step(s, &second, now->at + WIDTH, column, near);
    }
    group_store(&first, now, 0, any);
    group_store(&second, now, WIDTH, any);
}
#endif

/* The stretches that begin at `from`, one behind the other, each in a lane. */
static void run_lanes(search *s, size_t from, advance_fn *advance)
{
    state now;
    lane each[LANES];
    for (size_t i = 0; i < LANES; i++) {
        lane_warm_up(s, &each[i], from + i * STRETCH);
        now.plus[i] = each[i].plus;
        now.minus[i] = each[i].minus;
        now.distance[i] = each[i].distance;
        now.at[i] = (const unsigned char *)s->hay.ptr + from + i * STRETCH;
    }
    for (size_t done = 0; done < STRETCH; done += COLUMNS) {
        state before = now;
        uint64_t any[LANES];
        advance(s, &now, s->limit + 1, any);
        for (size_t i = 0; i < LANES; i++) {
            size_t start = from + i * STRETCH + done;
            if (any[i] <= INT64_MAX)
                continue;
            each[i].plus = before.plus[i];
            each[i].minus = before.minus[i];
            each[i].distance = before.distance[i];
            lane_run(s, &each[i], start, start + COLUMNS);
        }
    }
}

/* ---- What users call ------------------------------------------------------------------------- */

static void run_all(search *s, advance_fn *advance)
{
    enum { BLOCK = LANES * STRETCH };
    size_t from = 0;
    for (; s->hay.len - from >= BLOCK && !s->hopeless && !s->out->timed_out; from += BLOCK) {
        run_lanes(s, from, advance);
        s->out->timed_out = em_deadline_spend(s->deadline, BLOCK);
    }
    if (s->hopeless || s->out->timed_out)
        return;
    lane last;
    lane_warm_up(s, &last, from);
    lane_run(s, &last, from, s->hay.len);
    if (last.falling)
        keep(s, s->hay.len, last.distance);
}

static em_status find_with(em_slice needle, search *s, em_arena *arena, advance_fn *advance)
{
    enum { LEAST_ROOM = 256 };
    s->room = s->most < SIZE_MAX / 2 - LEAST_ROOM ? 2 * s->most + LEAST_ROOM : SIZE_MAX;
    *s->out = (em_approx_list){.items = em_alloc_array(arena, s->room, sizeof *s->out->items)};
    if (!s->out->items)
        return EM_E_NOMEM;
    if (needle.len == 0)
        return EM_OK;
    s->top = (unsigned)needle.len - 1;
    for (size_t i = 0; i < needle.len; i++)
        s->same[(unsigned char)needle.ptr[i]] |= (uint64_t)1 << i;
    run_all(s, advance);
    keep_best(s);
    return EM_OK;
}

em_status em_approx_find_plain(em_slice needle, em_slice hay, size_t limit, size_t most,
                               em_deadline *deadline, em_arena *arena, em_approx_list *out)
{
    search s = {.hay = hay, .limit = limit, .most = most, .deadline = deadline, .out = out};
    return find_with(needle, &s, arena, advance_plain);
}

em_status em_approx_find(em_slice needle, em_slice hay, size_t limit, size_t most,
                         em_deadline *deadline, em_arena *arena, em_approx_list *out)
{
#if defined(__x86_64__)
    search s = {.hay = hay, .limit = limit, .most = most, .deadline = deadline, .out = out};
    if (em_has_avx2())
        return find_with(needle, &s, arena, advance_avx2);
#endif
    return em_approx_find_plain(needle, hay, limit, most, deadline, arena, out);
}
