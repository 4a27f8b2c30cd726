#include "tokens/kept.h"

#include "base/ascii.h"
#include "base/line.h"
#include "text/token.h"

#include <stdlib.h>

typedef struct pieces {
    em_slice *items; /* sorted */
    size_t count;
} pieces;

typedef em_status cut(em_slice text, em_arena *arena, pieces *out);

/* ---- Cutting --------------------------------------------------------------------------------- */

static bool is_blank(em_slice line)
{
    for (size_t i = 0; i < line.len; i++)
        if (!em_is_one_of(line.ptr[i], " \t"))
            return false;
    return true;
}

static em_status cut_lines(em_slice text, em_arena *arena, pieces *out)
{
    size_t room = 0;
    *out = (pieces){0};
    for (size_t at = 0; at < text.len;) {
        em_slice rest = em_slice_from(text, at), line = em_slice_sub(rest, 0, em_line_length(rest));
        at += line.len + 1;
        if (is_blank(line))
            continue;
        void *items = out->items;
        EM_TRY(em_arena_grow(arena, &items, out->count, &room, sizeof *out->items));
        out->items = items;
        out->items[out->count++] = line;
    }
    return EM_OK;
}

/* Every line ending as an LF. */
static em_status with_lfs(em_slice text, em_arena *arena, em_slice *out)
{
    *out = text;
    if (!em_slice_has_byte(text, '\r'))
        return EM_OK;
    char *bytes = em_alloc_raw(arena, text.len);
    size_t length = 0;
    if (!bytes)
        return EM_E_NOMEM;
    for (size_t at = 0; at < text.len; at++) {
        bool is_cr = text.ptr[at] == '\r';
        bytes[length++] = is_cr ? '\n' : text.ptr[at];
        at += is_cr && at + 1 < text.len && text.ptr[at + 1] == '\n';
    }
    *out = em_slice_make(bytes, length);
    return EM_OK;
}

/* The last token has none behind it, and is a piece by itself. */
static em_status cut_pairs(em_slice text, em_arena *arena, pieces *out)
{
    em_tokens tokens;
    EM_TRY(with_lfs(text, arena, &text));
    EM_TRY(em_tokens_of(text, EM_FOLD_NOTHING, arena, &tokens));
    *out = (pieces){em_alloc_raw(arena, tokens.count * sizeof *out->items), tokens.count};
    if (!out->items)
        return EM_E_NOMEM;
    for (size_t i = 0; i < tokens.count; i++) {
        size_t last = i + 1 < tokens.count ? i + 1 : i;
        out->items[i] = em_slice_sub(text, tokens.items[i].start, tokens.items[last].end);
    }
    return EM_OK;
}

/* ---- Comparing ------------------------------------------------------------------------------- */

static int by_bytes(const void *left, const void *right)
{
    return em_slice_order(*(const em_slice *)left, *(const em_slice *)right);
}

static em_status cut_sorted(cut *way, em_slice text, em_arena *arena, pieces *out)
{
    EM_TRY(way(text, arena, out));
    if (out->count > 1)
        qsort(out->items, out->count, sizeof *out->items, by_bytes);
    return EM_OK;
}

/* How often `piece` stands at *at and behind it, where all that is less has been passed by. */
static size_t count_of(pieces in, em_slice piece, size_t *at)
{
    size_t count = 0;
    while (*at < in.count && em_slice_order(in.items[*at], piece) < 0)
        ++*at;
    for (; *at < in.count && em_slice_eq(in.items[*at], piece); ++*at)
        count++;
    return count;
}

static em_status kept_of(cut *way, em_slice third, em_slice a, em_slice b, em_arena *arena,
                         em_kept *kept)
{
    pieces of_third, of_a, of_b;
    size_t at = 0, at_a = 0, at_b = 0;
    EM_TRY(cut_sorted(way, third, arena, &of_third));
    EM_TRY(cut_sorted(way, a, arena, &of_a));
    EM_TRY(cut_sorted(way, b, arena, &of_b));
    *kept = (em_kept){0};
    while (at < of_third.count) {
        em_slice piece = of_third.items[at];
        size_t there = count_of(of_third, piece, &at);
        size_t in_a = em_least(there, count_of(of_a, piece, &at_a));
        size_t in_b = em_least(there, count_of(of_b, piece, &at_b));
        kept->only_a += in_a > in_b ? in_a - in_b : 0;
        kept->only_b += in_b > in_a ? in_b - in_a : 0;
    }
    return EM_OK;
}

em_status em_kept_lines(em_slice third, em_slice a, em_slice b, em_arena *arena, em_kept *kept)
{
    return kept_of(cut_lines, third, a, b, arena, kept);
}

em_status em_kept_pairs(em_slice third, em_slice a, em_slice b, em_arena *arena, em_kept *kept)
{
    return kept_of(cut_pairs, third, a, b, arena, kept);
}
