/* undo_search.c: where a change stands in a content that has changed since, when what the change
 * left is not at hand: it is sought with what stood around it, and must stand there once.
 *
 * Places that stand next to each other are sought together. Where some of the lines around them
 * have changed, those on one side are enough.
 */
#include "session/undo_impl.h"

#include "text/carry.h"

enum { SHOWN_LINES = 3 /* before and behind a place that is only known by its number */ };

/* The same lines of a large file. */
static em_status fail_in_part(const em_undoing *u, size_t before, const char *why)
{
    em_undo_conflict *conflict = u->plan->conflict;
    em_lines lines;
    size_t first = before >= SHOWN_LINES ? before - SHOWN_LINES + 1 : 1;
    EM_TRY(em_lines_init(&u->plan->part, u->plan->arena, &lines));
    if (first > em_lines_count(&lines) + 1)
        first = em_lines_count(&lines) + 1;
    conflict->has_now = true;
    conflict->now = em_slice_sub(u->bytes, first > 1 ? em_lines_line(&lines, first).start : 0,
                                 em_lines_line(&lines, first + 2 * SHOWN_LINES).next);
    conflict->line = first;
    return em_undo_fail_place(u, why);
}

/* The place is nowhere: show the lines where it stood, which may have moved. */
static em_status fail_search(const em_undoing *u, const em_place_change *place, const char *why)
{
    em_undo_conflict *conflict = u->plan->conflict;
    em_lined text = {u->bytes, u->change.kind.newline};
    size_t at = 0, end, line = 1;
    conflict->has_was = place->has_new;
    conflict->was = place->new_bytes;
    if (place->line == EM_NPOS)
        return em_undo_fail_place(u, why);
    if (u->plan->part.extract)
        return fail_in_part(u, place->line, why);
    while (line + SHOWN_LINES <= place->line && at < u->bytes.len) {
        at = em_line_end(&text, at);
        line++;
    }
    end = at;
    for (int i = 0; i < 2 * SHOWN_LINES + 1 && end < u->bytes.len; i++)
        end = em_line_end(&text, end);
    conflict->has_now = true;
    conflict->now = em_slice_sub(u->bytes, at, end);
    conflict->line = line;
    return em_undo_fail_place(u, why);
}

/* Places [first, last) of the change, between which all that stood there is known. */
typedef struct group {
    size_t first, last;
    em_slice needle; /* what the change left of them, and what stood around */
} group;

static em_status group_make(const em_undoing *u, size_t first, group *g)
{
    const em_inverse *change = &u->change;
    size_t length = change->places[first].before.len;
    *g = (group){.first = first, .last = first};
    do {
        const em_place_change *place = &change->places[g->last];
        if (!place->has_new)
            return fail_search(u, place,
                               "has changed since, and the history has not kept what the change "
                               "had made of it");
        length += place->new_length + place->after.len;
        if (g->last > first)
            length += place->before.len;
    } while (em_inverse_reaches_next(change, g->last++));
    char *room = em_alloc_raw(u->plan->arena, length), *end = room;
    if (!room)
        return EM_E_NOMEM;
    for (size_t i = first; i < g->last; i++) {
        const em_place_change *place = &change->places[i];
        const em_slice parts[] = {place->before, place->new_bytes, place->after};
        for (size_t j = 0; j < 3; j++) {
            if (parts[j].len > 0)
                memcpy(end, parts[j].ptr, parts[j].len);
            end += parts[j].len;
        }
    }
    g->needle = em_slice_make(room, length);
    return EM_OK;
}

/* Where `needle` stands from `from` on, between two units of the text; EM_NPOS. */
static size_t find(em_slice bytes, em_slice needle, size_t from, size_t unit)
{
    for (;;) {
        const char *found = from <= bytes.len
                                ? memmem(bytes.ptr + from, bytes.len - from, needle.ptr, needle.len)
                                : NULL;
        if (!found)
            return EM_NPOS;
        from = (size_t)(found - bytes.ptr);
        if (from % unit == 0)
            return from;
        from++;
    }
}

/* The only place where it stands; EM_NPOS. */
static size_t find_once(const em_undoing *u, em_slice needle)
{
    size_t unit = u->change.kind.newline.len;
    if (needle.len == 0)
        return u->bytes.len == 0 ? 0 : EM_NPOS;
    if (u->bytes.len == 0)
        return EM_NPOS;
    size_t at = find(u->bytes, needle, 0, unit);
    bool again = at != EM_NPOS && find(u->bytes, needle, at + 1, unit) != EM_NPOS;
    return again ? EM_NPOS : at;
}

/* The lines that hold what the change left, within the needle. */
static void lines_within(const em_undoing *u, const group *g, size_t *start, size_t *end)
{
    const em_place_change *first = &u->change.places[g->first];
    const em_place_change *last = &u->change.places[g->last - 1];
    em_lined needle = {g->needle, u->change.kind.newline};
    *start = em_line_start(&needle, first->before.len);
    *end = g->needle.len - last->after.len;
    if (*end == *start || !em_is_line_start(&needle, *end))
        *end = em_line_end(&needle, *end);
}

/* Where the needle stands, or where some lines around the place have changed, the rest of it: the
 * lines themselves with those on one side. *at is where the whole needle would stand. */
static bool find_needle(const em_undoing *u, const group *g, size_t *at)
{
    size_t start, end;
    *at = find_once(u, g->needle);
    if (*at != EM_NPOS)
        return true;
    lines_within(u, g, &start, &end);
    if (u->change.places[g->first].new_length == 0 || start == 0 || end == g->needle.len)
        return false;
    size_t with_before = find_once(u, em_slice_sub(g->needle, 0, end));
    size_t with_after = find_once(u, em_slice_from(g->needle, start));
    if ((with_before == EM_NPOS) == (with_after == EM_NPOS))
        return false;
    *at = with_before != EM_NPOS ? with_before : with_after - start;
    return true;
}

/* Can the group that begins with `first` be made? Else nothing behind it is looked for. */
static bool is_known(const em_inverse *change, size_t first)
{
    do {
        if (!change->places[first].has_new)
            return false;
    } while (em_inverse_reaches_next(change, first++));
    return true;
}

static void add_needle(em_slice *needles, size_t *count, em_slice needle)
{
    if (needle.len > 0)
        needles[(*count)++] = needle;
}

em_status em_undo_needles(const em_undoing *u, em_slice **needles, size_t *count)
{
    const em_inverse *change = &u->change;
    em_slice *items = em_alloc_array(u->plan->arena, 3 * change->count, sizeof *items);
    *needles = items;
    *count = 0;
    if (!items)
        return EM_E_NOMEM;
    for (size_t first = 0; first < change->count && is_known(change, first);) {
        group g;
        size_t start, end;
        EM_TRY(group_make(u, first, &g));
        lines_within(u, &g, &start, &end);
        add_needle(items, count, g.needle);
        add_needle(items, count, em_slice_sub(g.needle, 0, end));
        add_needle(items, count, em_slice_from(g.needle, start));
        first = g.last;
    }
    return EM_OK;
}

static em_status search_group(const em_undoing *u, const group *g, size_t *at)
{
    size_t needle_at;
    if (!find_needle(u, g, &needle_at))
        return fail_search(u, &u->change.places[g->first],
                           "has changed since, and what the change had made of it is not there "
                           "any more, or not once");
    *at = needle_at + u->change.places[g->first].before.len;
    return EM_OK;
}

em_status em_undo_search(const em_undoing *u, em_splices *out)
{
    const em_inverse *change = &u->change;
    em_splice *items = em_alloc_array(u->plan->arena, change->count, sizeof *items);
    size_t end = 0;
    if (!items)
        return EM_E_NOMEM;
    for (size_t first = 0; first < change->count;) {
        group g;
        size_t at = 0;
        EM_TRY(group_make(u, first, &g));
        EM_TRY(search_group(u, &g, &at));
        if (at < end)
            return fail_search(u, &change->places[first],
                               "has changed since: its parts were moved");
        for (; first < g.last; first++) {
            const em_place_change *place = &change->places[first];
            size_t offset = at + (place->new_at - change->places[g.first].new_at);
            items[first] = (em_splice){offset, place->new_length, place->old_bytes};
            end = offset + place->new_length;
        }
    }
    *out = (em_splices){.items = items, .count = change->count};
    return EM_OK;
}
