/* scan.c: needles and facts of a text that passes by.
 *
 *  (1) `counted` cuts neither a code point nor a CRLF: so adjacent stretches add up.
 *  (2) The buffer keeps `reach` bytes of what passed, twice as many as the longest needle has, and
 *      so many bytes may the longest match have: every match lies in the buffer at some time.
 *  (3) A few needles are looked for one by one, which is quickest; many of them together, in
 *      groups: by a part of each. Where that stands so often that comparing the rest costs more
 *      than a search for the needle alone, it leaves its group.
 */
#include "text/scan.h"

#include "base/utf8.h"
#include "text/count.h"
#include "text/needles.h"
#include "text/search.h"

#include <stdint.h>
#include <stdlib.h>

enum { SINGLES = 4, BORDER = 8 /* bytes that decide what a byte at the border is */, PAGE = 4096 };

/* A needle that is looked for by itself; with `any_eol`, its LFs stand for every line ending. */
struct em_scan_needle {
    em_needle needle;
    bool any_eol;
    size_t next; /* offset in the text where the search goes on */
};

/* Needles that are looked for together, by parts of them. */
struct em_scan_group {
    em_needles parts;
    em_slice wholes[EM_MOST_NEEDLES];
    size_t offsets[EM_MOST_NEEDLES]; /* of the part in the whole */
    size_t costs[EM_MOST_NEEDLES];   /* bytes that were compared, at most */
    size_t leaves[EM_MOST_NEEDLES];  /* where in the text it is searched alone from; EM_NPOS */
    size_t next;
};

enum { PART = 16 };

/* What comparing the whole of a needle may cost: per byte passed, and to begin with. */
enum { COST_PER_BYTE = 4, COST_AT_FIRST = 4096 };

/* ---- Needles ------------------------------------------------------------------------------- */

static bool is_short(em_slice needle)
{
    return needle.len < EM_SHORTEST_NEEDLE;
}

/* May its LFs have to stand for other line endings? */
static bool spans_lines(em_slice needle)
{
    return em_slice_has_byte(needle, '\n') && !em_slice_has_byte(needle, '\r');
}

static struct em_scan_needle *add_single(em_scan *scan, em_slice bytes, bool any_eol)
{
    struct em_scan_needle *single = &scan->singles[scan->single_count++];
    *single = (struct em_scan_needle){.any_eol = any_eol};
    em_needle_init(&single->needle, bytes);
    return single;
}

/* The part of each that has the bytes which are rarest together. */
static void group_init(struct em_scan_group *group, const em_slice *needles, size_t count)
{
    em_slice parts[EM_MOST_NEEDLES];
    em_needles_init(&group->parts, needles, count);
    for (size_t i = 0; i < count; i++) {
        em_slice needle = needles[i];
        size_t before = em_least(group->parts.offsets[i], PART - EM_PRINT);
        size_t start = group->parts.offsets[i] - before;
        parts[i] = em_slice_sub(needle, start, em_least(start + PART, needle.len));
        group->wholes[i] = needle;
        group->offsets[i] = start;
        group->leaves[i] = EM_NPOS;
    }
    em_needles_init(&group->parts, parts, count);
}

static em_status add_groups(em_scan *scan, const em_slice *needles, size_t count)
{
    scan->group_count = (count + EM_MOST_NEEDLES - 1) / EM_MOST_NEEDLES;
    scan->groups = em_alloc_array(scan->arena, scan->group_count, sizeof *scan->groups);
    if (!scan->groups)
        return EM_E_NOMEM;
    for (size_t i = 0; i < scan->group_count; i++) {
        size_t left = count - i * EM_MOST_NEEDLES;
        group_init(&scan->groups[i], needles + i * EM_MOST_NEEDLES,
                   em_least(left, EM_MOST_NEEDLES));
    }
    return EM_OK;
}

static em_status sort_needles(em_scan *scan)
{
    const em_scan_options *options = &scan->options;
    bool few = options->count <= SINGLES;
    em_slice *together = em_alloc_array(scan->arena, options->count, sizeof *together);
    size_t count = 0;
    scan->singles = em_alloc_array(scan->arena, 2 * options->count, sizeof *scan->singles);
    if (!together || !scan->singles)
        return EM_E_NOMEM;
    for (size_t i = 0; i < options->count; i++) {
        em_slice needle = options->needles[i];
        if (em_slice_has_byte(needle, '\0'))
            continue;
        if (needle.len > scan->longest)
            scan->longest = needle.len;
        if (spans_lines(needle))
            add_single(scan, needle, true);
        if (few || is_short(needle))
            add_single(scan, needle, false);
        else
            together[count++] = needle;
    }
    return add_groups(scan, together, count);
}

/* ---- Places -------------------------------------------------------------------------------- */

static em_status add_place(em_scan *scan, size_t start, size_t end)
{
    if (scan->place_count == scan->options.most_places) {
        scan->overflow = true;
        return EM_OK;
    }
    void *items = scan->places;
    EM_TRY(em_arena_grow(scan->arena, &items, scan->place_count, &scan->place_room,
                         sizeof *scan->places));
    scan->places = items;
    scan->places[scan->place_count++] = (em_scan_stretch){scan->base + start, scan->base + end};
    return EM_OK;
}

static em_slice in_buffer(const em_scan *scan)
{
    return em_slice_make(scan->buffer, scan->length);
}

/* Where the needle stands next in the buffer, as far as that is known there; EM_NPOS. A line ending
 * at the border may go on behind it. */
static size_t find(const em_scan *scan, const struct em_scan_needle *single, size_t from,
                   bool at_end, size_t *end)
{
    em_slice hay = in_buffer(scan), bytes = single->needle.bytes;
    size_t at;
    if (single->any_eol) {
        at = em_find_any_eol(bytes, hay, from, end);
        bool open = at != EM_NPOS && !at_end && *end == hay.len && hay.ptr[hay.len - 1] == '\r';
        return open ? EM_NPOS : at;
    }
    at = em_find(&single->needle, hay, from);
    *end = at + bytes.len;
    return at;
}

/* What begins before `from` was found; what is left to be found may begin a match before the end.
 */
static void go_on(const em_scan *scan, struct em_scan_needle *single, size_t from)
{
    size_t most = single->needle.bytes.len * (single->any_eol ? 2 : 1);
    if (scan->length > most && scan->length - most > from)
        from = scan->length - most;
    single->next = scan->base + from;
}

static em_status find_single(em_scan *scan, struct em_scan_needle *single, bool at_end)
{
    size_t from = single->next - scan->base, end = from;
    bool as_it_is = single->any_eol && scan->cr == 0 && !at_end; /* that is another's business */
    while (!as_it_is) {
        size_t at = from <= scan->length ? find(scan, single, from, at_end, &end) : EM_NPOS;
        if (at == EM_NPOS)
            break;
        EM_TRY(add_place(scan, at, end));
        from = end;
    }
    go_on(scan, single, from);
    return EM_OK;
}

/* What the search for a group hands on to those that it finds. */
typedef struct finding {
    em_scan *scan;
    struct em_scan_group *group;
    em_status status;
} finding;

static void found(void *context, size_t which, size_t at)
{
    finding *f = context;
    struct em_scan_group *group = f->group;
    em_slice needle = group->wholes[which], hay = in_buffer(f->scan);
    if (f->status != EM_OK || group->leaves[which] != EM_NPOS || at < group->offsets[which])
        return;
    size_t start = at - group->offsets[which], offset = f->scan->base + start;
    group->costs[which] += needle.len;
    if (group->costs[which] > COST_AT_FIRST + COST_PER_BYTE * offset + needle.len)
        group->leaves[which] = offset;
    else if (em_slice_starts(em_slice_from(hay, start), needle))
        f->status = add_place(f->scan, start, start + needle.len);
}

/* Those that have become too dear are looked for alone, from where they did on. */
static em_status part_company(em_scan *scan, struct em_scan_group *group, bool at_end)
{
    for (size_t i = 0; i < group->parts.count; i++) {
        if (group->leaves[i] == EM_NPOS || group->wholes[i].len == 0)
            continue;
        struct em_scan_needle *single = add_single(scan, group->wholes[i], false);
        single->next = group->leaves[i];
        em_needles_leave_out(&group->parts, i);
        group->wholes[i] = (em_slice){0};
        EM_TRY(find_single(scan, single, at_end));
    }
    return EM_OK;
}

static em_status find_group(em_scan *scan, struct em_scan_group *group, bool at_end)
{
    finding f = {.scan = scan, .group = group};
    size_t from = group->next - scan->base, to = scan->length;
    if (!at_end)
        to = to > scan->longest ? to - scan->longest : 0;
    if (to > from) {
        em_find_needles(&group->parts, in_buffer(scan), from, to, found, &f);
        group->next = scan->base + to;
    }
    return f.status == EM_OK ? part_company(scan, group, at_end) : f.status;
}

static em_status find_all(em_scan *scan, bool at_end)
{
    for (size_t i = 0; i < scan->single_count; i++)
        EM_TRY(find_single(scan, &scan->singles[i], at_end));
    for (size_t i = 0; i < scan->group_count; i++)
        EM_TRY(find_group(scan, &scan->groups[i], at_end));
    return EM_OK;
}

/* ---- Facts --------------------------------------------------------------------------------- */

/* The border up to which can be counted now, as an index of the buffer. */
static size_t border(const em_scan *scan, size_t from, bool at_end)
{
    size_t to = scan->length;
    if (at_end || to == from)
        return to;
    em_slice rest = em_slice_sub(in_buffer(scan), from, to);
    to = from + em_utf8_floor(rest, rest.len - 1); /* it may be the first of a code point */
    if (to > from && scan->buffer[to - 1] == '\r')
        to--;
    return to;
}

static em_status add_milestone(em_scan *scan)
{
    void *items = scan->milestones;
    EM_TRY(em_arena_grow(scan->arena, &items, scan->milestone_count, &scan->milestone_room,
                         sizeof *scan->milestones));
    scan->milestones = items;
    scan->milestones[scan->milestone_count++] = (em_milestone){
        .offset = scan->counted, .endings = scan->lf + scan->cr - scan->crlf, .lfs = scan->lf};
    return EM_OK;
}

static em_status count(em_scan *scan, bool at_end)
{
    size_t from = scan->counted - scan->base, to = border(scan, from, at_end);
    em_slice passed = em_slice_sub(in_buffer(scan), from, to);
    EM_TRY(add_milestone(scan));
    em_look_over over = em_count_over(passed);
    scan->lf += over.lf;
    scan->cr += over.cr;
    scan->crlf += over.crlf;
    scan->has_nul = scan->has_nul || over.has_nul;
    scan->is_utf8 = scan->is_utf8 && (over.is_ascii || em_utf8_invalid_at(passed) == EM_NPOS);
    scan->counted = scan->base + to;
    return EM_OK;
}

/* ---- The face ------------------------------------------------------------------------------ */

/* Where in a room the text from `offset` on lies: so that what lies at the edge of a page in the
 * file is in the middle of one, and the kernel copies it quickly to and fro (em_alloc_large). */
static char *place_in(char *room, size_t offset)
{
    return room + (offset + PAGE / 2 - (uintptr_t)room) % PAGE;
}

em_status em_scan_init(em_scan *scan, const em_scan_options *options, em_arena *arena)
{
    *scan = (em_scan){.options = *options, .arena = arena, .is_utf8 = true};
    EM_TRY(sort_needles(scan));
    scan->reach = 2 * scan->longest + BORDER;
    scan->room = scan->reach + options->window;
    for (size_t i = 0; i < (options->stays ? 2 : 1); i++) {
        scan->rooms[i] = em_alloc_raw(arena, scan->room + PAGE);
        if (!scan->rooms[i])
            return EM_E_NOMEM;
    }
    scan->buffer = place_in(scan->rooms[0], 0);
    return EM_OK;
}

/* The bytes that are not needed any more make room. */
static void move_on(em_scan *scan)
{
    if (scan->length <= scan->reach)
        return;
    size_t passed = scan->length - scan->reach;
    scan->base += passed;
    scan->length = scan->reach;
    scan->in = scan->options.stays ? 1 - scan->in : scan->in;
    char *place = place_in(scan->rooms[scan->in], scan->base);
    memmove(place, scan->buffer + passed, scan->reach);
    scan->buffer = place;
}

char *em_scan_room(em_scan *scan, size_t *size)
{
    move_on(scan);
    *size = scan->room - scan->length;
    return scan->buffer + scan->length;
}

em_status em_scan_take(em_scan *scan, size_t length)
{
    scan->length += length;
    scan->size += length;
    EM_TRY(count(scan, false));
    return find_all(scan, false);
}

size_t em_scan_settled(const em_scan *scan)
{
    size_t settled = scan->base + scan->length;
    for (size_t i = 0; i < scan->single_count; i++)
        settled = em_least(settled, scan->singles[i].next);
    for (size_t i = 0; i < scan->group_count; i++) { /* found by bytes somewhere in the needle */
        size_t next = scan->groups[i].next;
        settled = em_least(settled, next > scan->longest ? next - scan->longest : 0);
    }
    return settled;
}

em_slice em_scan_bytes(const em_scan *scan, size_t start, size_t end)
{
    return em_slice_sub(in_buffer(scan), start - scan->base, end - scan->base);
}

static int by_start(const void *a, const void *b)
{
    const em_scan_stretch *one = a, *other = b;
    return (one->start > other->start) - (one->start < other->start);
}

void em_scan_sort(em_scan_stretch *stretches, size_t count)
{
    if (count > 1)
        qsort(stretches, count, sizeof *stretches, by_start);
}

em_status em_scan_end(em_scan *scan)
{
    EM_TRY(count(scan, true));
    EM_TRY(find_all(scan, true));
    em_scan_sort(scan->places, scan->place_count);
    return EM_OK;
}
