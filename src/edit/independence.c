/* independence.c: what splices make of the text around them is put together some dozens of
 * kilobytes at a time, with a NUL between two of them, which stands in no search text.
 */
#include "edit/independence.h"

enum { SHEET = 1 << 15 }; /* so much is looked through at once */

/* How many splices ahead memory is asked for, in lines of the processor's cache. */
enum { AHEAD = 8, LINE = 64 };

/* What some splices make. */
typedef struct sheet {
    em_arena arena;
    char *bytes;
    size_t length, room;
    size_t *starts; /* of what each of them makes */
    size_t count;
    const em_planned *items; /* the splices */
    bool is_clear;           /* no later op's text stands in any of it */
} sheet;

/* Does more than `reach` bytes lie between any two of the splices, which are sorted by offset? */
static bool are_far_apart(const em_planned *items, size_t count, size_t reach)
{
    for (size_t i = 1; i < count; i++) {
        size_t end = items[i - 1].splice.offset + items[i - 1].splice.length;
        if (items[i].splice.offset < end || items[i].splice.offset - end <= reach)
            return false;
    }
    return true;
}

static size_t bytes_around(size_t count, size_t reach)
{
    return count * (2 * reach + 1);
}

/* How much all splices make, with what is around them. */
static size_t bytes_made(const em_planned *items, size_t count, size_t reach)
{
    size_t bytes = bytes_around(count, reach);
    for (size_t i = 0; i < count; i++)
        bytes += items[i].splice.insert.len;
    return bytes;
}

bool em_may_be_independent(const em_match_index *match_index, em_slice text, size_t count)
{
    return bytes_around(count, em_match_index_reach(match_index)) <=
           em_match_index_most_around(text.len);
}

/* Which of the splices made the byte at `at`? */
static size_t splice_at(const sheet *s, size_t at)
{
    size_t low = 0, high = s->count;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (s->starts[middle] <= at)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static void note(void *context, size_t last_op, size_t start)
{
    sheet *s = context;
    if (s->is_clear && last_op > s->items[splice_at(s, start)].op)
        s->is_clear = false;
}

static char *put(char *out, em_slice bytes)
{
    if (bytes.len > 0)
        memcpy(out, bytes.ptr, bytes.len);
    return out + bytes.len;
}

static void sheet_add(sheet *s, em_slice text, const em_splice *splice, size_t reach)
{
    size_t end = splice->offset + splice->length, left = text.len - end;
    char *out = s->bytes + s->length;
    s->starts[s->count++] = s->length;
    out = put(out, em_slice_sub(text, splice->offset > reach ? splice->offset - reach : 0,
                                splice->offset));
    out = put(out, splice->insert);
    out = put(out, em_slice_sub(text, end, end + (left < reach ? left : reach)));
    *out++ = '\0';
    s->length = (size_t)(out - s->bytes);
}

/* What is around splices lies far apart in memory: it is asked for some time before it is needed.
 */
static void expect(em_slice text, size_t start, size_t length)
{
    for (size_t at = start; at < text.len && at - start <= length; at += LINE)
        __builtin_prefetch(text.ptr + at);
}

static void expect_around(em_slice text, const em_splice *splice, size_t reach)
{
    expect(text, splice->offset > reach ? splice->offset - reach : 0, reach);
    expect(text, splice->offset + splice->length, reach);
}

/* Put what the first of the splices make on the sheet, as much as it has room for, but of one at
 * least. */
static em_status sheet_fill(sheet *s, em_slice text, const em_planned *items,
                            const em_splice *trimmed, size_t count, size_t reach)
{
    s->length = s->count = 0;
    s->items = items;
    while (s->count < count) {
        const em_splice *splice = &trimmed[s->count];
        size_t most = 2 * reach + splice->insert.len + 1;
        if (most > s->room - s->length && s->count > 0)
            break;
        if (s->count + AHEAD < count)
            expect_around(text, &trimmed[s->count + AHEAD], reach);
        if (most > s->room) {
            s->bytes = em_alloc_raw(&s->arena, most);
            s->room = most;
        }
        if (!s->bytes)
            return EM_E_NOMEM;
        sheet_add(s, text, splice, reach);
    }
    return EM_OK;
}

static em_status make_none(sheet *s, em_match_index *w, em_slice text, const em_planned *items,
                           const em_splice *trimmed, size_t count, size_t reach)
{
    s->room = SHEET;
    s->bytes = em_alloc_raw(&s->arena, s->room);
    s->starts = em_alloc_array_raw(&s->arena, count, sizeof *s->starts);
    if (!s->bytes || !s->starts)
        return EM_E_NOMEM;
    for (size_t i = 0; i < count && s->is_clear; i += s->count) {
        EM_TRY(sheet_fill(s, text, items + i, trimmed + i, count - i, reach));
        s->is_clear &= em_match_index_scan(w, em_slice_make(s->bytes, s->length), note, s);
    }
    return EM_OK;
}

em_status em_are_independent(em_match_index *match_index, em_slice text, const em_planned *items,
                             const em_splice *trimmed, size_t count, bool *independent)
{
    size_t reach = em_match_index_reach(match_index);
    sheet s = {.is_clear = are_far_apart(items, count, reach) &&
                           bytes_made(items, count, reach) <= em_match_index_most_around(text.len)};
    em_status status = EM_OK;
    if (s.is_clear)
        status = make_none(&s, match_index, text, items, trimmed, count, reach);
    em_arena_drop(&s.arena);
    *independent = s.is_clear;
    return status;
}

em_status em_planned_trim(em_slice text, const em_planned *items, size_t count, em_arena *arena,
                          em_splice **out)
{
    em_splice *splices = em_alloc_array_raw(arena, count, sizeof *splices);
    for (size_t i = 0; splices && i < count; i++) {
        const em_planned *item = &items[i];
        splices[i] = item->was.len > 0 ? em_splice_trim_known(item->was, item->splice)
                                       : em_splice_trim(text, item->splice);
    }
    *out = splices;
    return splices ? EM_OK : EM_E_NOMEM;
}
