/* undo_search.c: where a change stands in a content that has changed since, when what the change
 * left is not at hand: it is sought with what stood around it, and must stand there once.
 *
 * Places that stand next to each other are sought together. Where some of the lines around them
 * have changed, those on one side are enough.
 */
#include "session/undo_impl.h"

#include "text/hunks.h"
#include "text/text.h"
#include "workspace/large.h"

#include <stdio.h>

enum {
    SHOWN_LINES = 3, /* before and behind a place that is only known by its number */
    FEW_GROUPS = 4,  /* are looked for in a file of any size */
};

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
    em_slice part = u->plan->part.body;
    size_t left_out = part.len - u->bytes.len; /* a BOM (leave_bom_out()) */
    conflict->now = em_slice_sub(part, first > 1 ? em_lines_line(&lines, first).start : left_out,
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

/* ---- A BOM ---------------------------------------------------------------------------------- */

static size_t bom_length(const em_undoing *u, em_slice bytes)
{
    return em_text_bom_length(bytes, u->change.kind.newline.len);
}

/* A BOM stands before the first line, whichever that is: it is neither looked for nor looked in,
 * but where the change brought it or took it. */
static em_status leave_bom_out(const em_undoing *u, em_undoing *bare)
{
    *bare = *u;
    size_t count = u->change.count;
    em_place_change *places = u->change.places;
    if (count == 0 || (places->old_at == 0 && (bom_length(u, places->old_bytes) > 0 ||
                                               bom_length(u, places->new_bytes) > 0)))
        return EM_OK;
    bool starts_file = places->old_at == places->before.len;
    size_t length = starts_file ? bom_length(u, places->before) : 0;
    bare->bytes = em_slice_from(u->bytes, bom_length(u, u->bytes));
    bare->change.places = em_alloc_array(u->plan->arena, count, sizeof *places);
    if (!bare->change.places)
        return EM_E_NOMEM;
    for (size_t i = 0; i < count; i++) {
        bare->change.places[i] = places[i];
        bare->change.places[i].old_at -= length;
        bare->change.places[i].new_at -= length;
    }
    bare->change.places->before = em_slice_from(places->before, length);
    return EM_OK;
}

/* ---- Groups --------------------------------------------------------------------------------- */

/* What the change left of the places of a group, or what was there before, with what stood around.
 */
static em_status group_text(const em_undoing *u, const em_undo_group *g, bool before, em_slice *out)
{
    const em_place_change *places = u->change.places;
    size_t length = 0;
    for (size_t i = g->first; i < g->last; i++)
        length += places[i].before.len + places[i].after.len +
                  (before ? places[i].old_bytes.len : places[i].new_length);
    char *room = em_alloc_raw(u->plan->arena, length), *end = room;
    if (!room)
        return EM_E_NOMEM;
    for (size_t i = g->first; i < g->last; i++) {
        const em_slice parts[] = {
            places[i].before, before ? places[i].old_bytes : places[i].new_bytes, places[i].after};
        for (size_t j = 0; j < 3; j++) {
            if (parts[j].len > 0)
                memcpy(end, parts[j].ptr, parts[j].len);
            end += parts[j].len;
        }
    }
    *out = em_slice_make(room, length);
    return EM_OK;
}

static em_status group_make(const em_undoing *u, size_t first, em_undo_group *g)
{
    const em_inverse *change = &u->change;
    *g = (em_undo_group){.first = first, .last = first};
    do {
        const em_place_change *place = &change->places[g->last];
        if (!place->has_new)
            return fail_search(u, place,
                               "has changed since, and the history has not kept what the change "
                               "had made of it");
    } while (em_inverse_reaches_next(change, g->last++));
    EM_TRY(group_text(u, g, false, &g->needle));
    return group_text(u, g, true, &g->was);
}

/* How many groups there are, as far as each can be made. */
static size_t count_groups(const em_inverse *change)
{
    size_t count = 0;
    for (size_t i = 0; i < change->count && change->places[i].has_new; i++)
        count += !em_inverse_reaches_next(change, i);
    return count;
}

/* Each group is looked for in all of the file: of a change of thousands of places, in a file of
 * many megabytes, that would take minutes. */
em_status em_undo_check_effort(const em_undoing *u, uint64_t size)
{
    uint64_t most = em_ws_large_limits(u->plan->ws).sought;
    size_t groups = count_groups(&u->change);
    char why[160];
    if (groups <= FEW_GROUPS || size == 0 || groups <= most / size)
        return EM_OK;
    snprintf(why, sizeof why,
             "has changed since, and the change was made at %zu places that would have to be "
             "looked for in all of it: too many for a file of this size",
             groups);
    return em_undo_fail_place(u, why);
}

size_t em_undo_find(em_slice bytes, em_slice needle, size_t from, size_t unit)
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

/* Its like at the end of the text counts, which lacks only the last ending. */
static size_t find_once_in(em_lined text, em_slice needle)
{
    em_slice bytes = text.bytes;
    size_t unit = text.newline.len;
    if (needle.len == 0)
        return bytes.len == 0 ? 0 : EM_NPOS;
    if (bytes.len == 0)
        return EM_NPOS;
    size_t at = em_undo_find(bytes, needle, 0, unit);
    bool again = at != EM_NPOS && (em_undo_find(bytes, needle, at + 1, unit) != EM_NPOS ||
                                   em_find_left_open(&text, needle) != EM_NPOS);
    return again ? EM_NPOS : at;
}

/* The only place where it stands, as it stood once in what the change left, where that is known;
 * EM_NPOS. */
static size_t find_once(const em_undoing *u, em_slice needle)
{
    em_slice newline = u->change.kind.newline;
    if (u->has_left && find_once_in((em_lined){u->left, newline}, needle) == EM_NPOS)
        return EM_NPOS;
    return find_once_in((em_lined){u->bytes, newline}, needle);
}

/* The lines that hold what the change left, within the needle; with the next one where that would
 * be joined to what comes back. */
static void lines_within(const em_undoing *u, const em_undo_group *g, size_t *start, size_t *end)
{
    const em_place_change *first = &u->change.places[g->first];
    const em_place_change *last = &u->change.places[g->last - 1];
    em_lined needle = {g->needle, u->change.kind.newline};
    *start = em_line_start(&needle, first->before.len);
    *end = g->needle.len - last->after.len;
    if (*end == *start || !em_is_line_start(&needle, *end) || em_undo_turns_end(u, g))
        *end = em_line_end(&needle, *end);
}

/* The lines of a place, those known around it, and all of these in a row. */
typedef struct surroundings {
    em_lined before, lines, after;
    em_slice with_before, with_after;
} surroundings;

static surroundings surroundings_of(const em_undoing *u, em_slice needle, size_t start, size_t end)
{
    em_slice newline = u->change.kind.newline;
    return (surroundings){.before = {em_slice_sub(needle, 0, start), newline},
                          .lines = {em_slice_sub(needle, start, end), newline},
                          .after = {em_slice_from(needle, end), newline},
                          .with_before = em_slice_sub(needle, 0, end),
                          .with_after = em_slice_from(needle, start)};
}

/* Lines before the place have changed. Some of its own may be gone, and what is taken for them be
 * their like: where the last lines before it, which are not `ahead` of it any more, are as its
 * first ones, or go on as they do up to its end; or may be so, since no more of them are known. */
static bool may_lack_first(const surroundings *s, em_slice ahead)
{
    em_slice before = s->before.bytes, lines = s->lines.bytes;
    for (size_t start = before.len; start > 0;) {
        start = em_line_start(&s->before, start - 1);
        em_slice like = em_slice_from(before, start);
        bool is_like = em_slice_starts(lines, like) || em_slice_ends(s->with_before, like);
        if (is_like && !em_slice_ends(ahead, like))
            return true;
    }
    return em_undo_find(lines, before, 0, s->lines.newline.len) != EM_NPOS;
}

/* The same of lines behind the place, and what is `behind` it now. */
static bool may_lack_last(const surroundings *s, em_slice behind)
{
    em_slice after = s->after.bytes, lines = s->lines.bytes;
    for (size_t end = 0; end < after.len;) {
        end = em_line_end(&s->after, end);
        em_slice like = em_slice_sub(after, 0, end);
        bool is_like = em_slice_ends(lines, like) || em_slice_starts(s->with_after, like);
        if (is_like && !em_slice_starts(behind, like))
            return true;
    }
    return em_undo_find(lines, after, 0, s->lines.newline.len) != EM_NPOS;
}

/* Of a place with the lines before it, which is there once, or with those behind it: does the other
 * of the two end the text elsewhere, but for an ending? */
static bool is_left_open_elsewhere(const em_undoing *u, const em_undo_group *g, size_t with_before,
                                   size_t start, size_t end)
{
    em_lined text = {u->bytes, u->change.kind.newline};
    if (with_before == EM_NPOS)
        return em_find_left_open(&text, em_slice_sub(g->needle, 0, end)) != EM_NPOS;
    size_t at = em_find_left_open(&text, em_slice_from(g->needle, start));
    return at != EM_NPOS && at != with_before + start;
}

/* Where the needle stands, or where some lines around the place have changed, the rest of it: the
 * lines themselves with those on one side. */
static bool find_needle(const em_undoing *u, const em_undo_group *g, em_undo_spot *spot)
{
    size_t start, end;
    *spot = (em_undo_spot){.at = find_once(u, g->needle), .to = g->needle.len};
    if (spot->at != EM_NPOS)
        return true;
    lines_within(u, g, &start, &end);
    if (u->change.places[g->first].new_length == 0 || start == 0 || end == g->needle.len)
        return false;
    size_t with_before = find_once(u, em_slice_sub(g->needle, 0, end));
    size_t with_after = find_once(u, em_slice_from(g->needle, start));
    if ((with_before == EM_NPOS) == (with_after == EM_NPOS))
        return false;
    if (is_left_open_elsewhere(u, g, with_before, start, end))
        return false;
    surroundings s = surroundings_of(u, g->needle, start, end);
    if (with_before == EM_NPOS ? may_lack_first(&s, em_slice_sub(u->bytes, 0, with_after))
                               : may_lack_last(&s, em_slice_from(u->bytes, with_before + end)))
        return false;
    if (with_before != EM_NPOS)
        *spot = (em_undo_spot){.at = with_before, .to = end};
    else
        *spot = (em_undo_spot){.at = with_after, .from = start, .to = g->needle.len};
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

em_status em_undo_needles(const em_undoing *undoing, em_slice **needles, size_t *count)
{
    em_undoing bare, *u = &bare;
    EM_TRY(leave_bom_out(undoing, u));
    const em_inverse *change = &u->change;
    em_slice *items = em_alloc_array(u->plan->arena, 4 * change->count, sizeof *items);
    *needles = items;
    *count = 0;
    if (!items)
        return EM_E_NOMEM;
    for (size_t first = 0; first < change->count && is_known(change, first);) {
        em_undo_group g;
        size_t start, end;
        EM_TRY(group_make(u, first, &g));
        lines_within(u, &g, &start, &end);
        add_needle(items, count, g.needle);
        add_needle(items, count, em_slice_sub(g.needle, 0, end));
        add_needle(items, count, em_slice_from(g.needle, start));
        if (g.was.len <= EM_UNDO_WAS_MOST)
            add_needle(items, count, g.was);
        first = g.last;
    }
    return EM_OK;
}

static em_status search_group(const em_undoing *u, const em_undo_group *g, size_t *at)
{
    const em_place_change *first = &u->change.places[g->first];
    em_undo_spot spot;
    bool is_plain;
    if (!find_needle(u, g, &spot))
        return fail_search(u, first,
                           "has changed since, and what the change had made of it is not there "
                           "any more, or not once");
    EM_TRY(em_undo_is_plain(u, g, &spot, &is_plain));
    if (!is_plain)
        return fail_search(u, first,
                           "has changed since, and it is not plain that the change is still in "
                           "it: it may have been taken back at the place");
    *at = spot.at + first->before.len - spot.from;
    return EM_OK;
}

em_status em_undo_search(const em_undoing *undoing, em_splices *out)
{
    em_undoing bare, *u = &bare;
    EM_TRY(leave_bom_out(undoing, u));
    const em_inverse *change = &u->change;
    em_splice *items = em_alloc_array(u->plan->arena, change->count, sizeof *items);
    size_t end = 0, bom = undoing->bytes.len - u->bytes.len;
    if (!items)
        return EM_E_NOMEM;
    for (size_t first = 0; first < change->count;) {
        em_undo_group g;
        size_t at = 0;
        EM_TRY(group_make(u, first, &g));
        EM_TRY(search_group(u, &g, &at));
        if (at < end)
            return fail_search(u, &change->places[first],
                               "has changed since: its parts were moved");
        for (; first < g.last; first++) {
            const em_place_change *place = &change->places[first];
            size_t offset = at + (place->new_at - change->places[g.first].new_at);
            items[first] = (em_splice){bom + offset, place->new_length, place->old_bytes};
            end = offset + place->new_length;
        }
    }
    *out = (em_splices){.items = items, .count = change->count};
    return EM_OK;
}
