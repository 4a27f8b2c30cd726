#include "edit/applied.h"

#include "base/utf8.h"
#include "edit/line.h"
#include "edit/locate.h"
#include "edit/unwrap.h"

#include <stdlib.h>

enum { LEAST_CODE_POINTS = 12 };

static size_t count_beside_space(em_slice s)
{
    size_t count = 0;
    for (size_t offset = 0; offset < s.len;) {
        uint32_t code = em_utf8_next(s, &offset);
        if (code != ' ' && (code < '\t' || code > '\r') && code != 0xA0)
            count++;
    }
    return count;
}

/* The line at *offset of `s` without its ending, and *offset moved behind it. */
static em_slice line_of(em_slice s, size_t *offset)
{
    em_slice line = em_next_line(s, offset);
    while (line.len > 0 && (line.ptr[line.len - 1] == '\n' || line.ptr[line.len - 1] == '\r'))
        line.len--;
    return line;
}

static int by_bytes(const void *left, const void *right)
{
    const em_slice *a = left, *b = right;
    if (a->len != b->len)
        return a->len < b->len ? -1 : 1;
    return a->len > 0 ? memcmp(a->ptr, b->ptr, a->len) : 0;
}

/* Has the replacement a line that the search text lacks? */
static em_status has_line_beyond(em_slice insert, em_slice find, em_arena *arena, bool *beyond)
{
    size_t count = 0, lines = 1;
    for (size_t i = 0; i < find.len; i++)
        lines += find.ptr[i] == '\n';
    em_slice *sorted = em_alloc_array(arena, lines, sizeof *sorted);
    if (!sorted)
        return EM_E_NOMEM;
    for (size_t offset = 0; offset < find.len;)
        sorted[count++] = line_of(find, &offset);
    qsort(sorted, count, sizeof *sorted, by_bytes);
    *beyond = false;
    for (size_t offset = 0; offset < insert.len && !*beyond;) {
        em_slice line = line_of(insert, &offset);
        *beyond = !bsearch(&line, sorted, count, sizeof *sorted, by_bytes);
    }
    return EM_OK;
}

static bool overlap(em_span a, em_span b)
{
    return a.start < b.end && b.start < a.end;
}

/* The replacement's only place: literally, else in another writing, else without a wrapping. */
static em_status only_place(const em_draft *draft, em_sightings *in, em_slice find, em_slice insert,
                            em_deadline *deadline, em_arena *arena, bool *found, em_span *where)
{
    em_spans spans = {0};
    em_places places;
    em_readings readings;
    if (!em_sightings_exclude(in, insert))
        EM_TRY(em_locate(draft, insert, true, arena, &spans));
    *found = spans.count == 1;
    if (spans.count > 0) {
        *where = spans.items[0];
        return EM_OK;
    }
    EM_TRY(em_readings_of(find, insert, arena, &readings));
    for (size_t i = 0; i <= readings.count && !*found; i++) {
        em_slice reading = i > 0 ? readings.items[i - 1].insert : insert;
        EM_TRY(em_tolerant_find_in(in, reading, (em_slice){0}, EM_FOLD_WRITING, deadline, arena,
                                   &places));
        *found = places.count == 1;
        if (*found)
            *where = places.items[0].span;
    }
    return EM_OK;
}

em_status em_already_applied(const em_draft *draft, em_sightings *in, em_slice find,
                             em_slice insert, const em_places *elsewhere, em_deadline *deadline,
                             em_arena *arena, bool *applied, em_span *where)
{
    bool beyond;
    *applied = false;
    if (count_beside_space(insert) < LEAST_CODE_POINTS)
        return EM_OK;
    EM_TRY(has_line_beyond(insert, find, arena, &beyond));
    if (!beyond)
        return EM_OK;
    EM_TRY(only_place(draft, in, find, insert, deadline, arena, applied, where));
    for (size_t i = 0; i < elsewhere->count && *applied; i++)
        *applied = overlap(elsewhere->items[i].span, *where);
    return EM_OK;
}

static bool encloses(const em_place *outer, const em_place *inner, size_t start)
{
    size_t last_outer = outer->find_tokens.count - 1, last_inner = inner->find_tokens.count - 1;
    return start + outer->tokens[0].start <= inner->tokens[0].start &&
           inner->tokens[last_inner].end <= start + outer->tokens[last_outer].end;
}

/* The place with `count` more tokens to both sides. */
static em_span around(em_slice text, const em_place *place, size_t count, em_fold fold)
{
    em_token first = place->tokens[0], last = place->tokens[place->find_tokens.count - 1], token;
    for (size_t i = 0; i < count; i++) {
        if (em_token_previous(text, first.start, fold, &token))
            first = token;
        if (em_token_next(text, last.end, fold, &token))
            last = token;
    }
    return (em_span){first.start, last.end};
}

/* Does the replacement, which has more tokens than the search text, stand around the place? */
static em_status stands_around(em_slice text, const em_place *place, em_fold fold,
                               em_deadline *deadline, em_arena *arena, bool *done)
{
    em_places there;
    em_tokens wanted, searched;
    EM_TRY(em_tokens_of(place->insert, fold, arena, &wanted));
    EM_TRY(em_tokens_of(place->find, fold, arena, &searched));
    if (wanted.count <= searched.count)
        return EM_OK;
    em_span near = around(text, place, wanted.count, fold);
    EM_TRY(em_tolerant_find(em_slice_sub(text, near.start, near.end), place->insert, (em_slice){0},
                            fold, deadline, arena, &there));
    for (size_t i = 0; i < there.count && !*done; i++)
        *done = encloses(&there.items[i], place, near.start);
    return EM_OK;
}

em_status em_place_is_done(em_slice text, const em_place *place, em_slice result,
                           em_deadline *deadline, em_arena *arena, bool *done)
{
    *done = em_slice_eq(em_slice_sub(text, place->span.start, place->span.end), result);
    if (!*done)
        EM_TRY(stands_around(text, place, EM_FOLD_WRITING, deadline, arena, done));
    if (!*done && place->fold != EM_FOLD_WRITING)
        EM_TRY(stands_around(text, place, place->fold, deadline, arena, done));
    return EM_OK;
}
