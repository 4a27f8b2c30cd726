#include "draft/sweep.h"

#include "draft/draft_impl.h"
#include "text/search.h"

#include <stdlib.h>

void em_sweep_drop(em_sweep *sweep)
{
    free(sweep->text);
    free(sweep->next);
    free(sweep->changes);
    free(sweep->next_changes);
    free(sweep->places);
    *sweep = (em_sweep){0};
}

em_slice em_sweep_text(const em_sweep *sweep)
{
    return em_slice_make(sweep->text, sweep->length);
}

/* Room for `count` items of `size` bytes, whose content need not be kept. */
static em_status make_room(void **items, size_t *room, size_t count, size_t size)
{
    size_t bytes;
    if (count <= *room)
        return EM_OK;
    if (__builtin_mul_overflow(count + count / 4 + 1, size, &bytes))
        return EM_E_NOMEM;
    free(*items);
    *items = malloc(bytes);
    *room = *items ? count + count / 4 + 1 : 0;
    return *items ? EM_OK : EM_E_NOMEM;
}

/* ---- From a draft, and back ------------------------------------------------------------------ */

/* Since the last piece of the original, which ends at `covered`. */
typedef struct gap {
    size_t covered, first; /* the first change in it */
} gap;

static void add_change(em_sweep *sweep, em_span now, size_t was)
{
    sweep->changes[sweep->change_count++] = (em_sweep_change){now, {was, was}};
}

/* The original goes on at `origin`: each change took the place of what is before the next one. */
static void end_gap(em_sweep *sweep, gap g, size_t at, size_t origin)
{
    if (sweep->change_count == g.first && g.covered < origin)
        add_change(sweep, (em_span){at, at}, g.covered);
    for (size_t i = g.first; i < sweep->change_count; i++)
        sweep->changes[i].was.end =
            i + 1 < sweep->change_count ? sweep->changes[i + 1].was.start : origin;
}

static void note_changes(em_sweep *sweep, const em_draft *draft)
{
    gap g = {.covered = draft->start};
    size_t at = 0;
    for (em_cursor cursor = {0, 0}; cursor.chunk < draft->chunk_count;
         cursor = em_draft_next_piece(draft, cursor)) {
        const em_piece *piece = em_draft_piece(draft, cursor);
        size_t end = at + piece->bytes.len;
        if (piece->inserted) {
            if (sweep->change_count == g.first && g.covered < piece->origin)
                add_change(sweep, (em_span){at, at}, g.covered);
            add_change(sweep, (em_span){at, end}, piece->origin);
        } else {
            end_gap(sweep, g, at, piece->origin);
            g = (gap){piece->origin + piece->bytes.len, sweep->change_count};
        }
        at = end;
    }
    end_gap(sweep, g, at, draft->body.len);
}

static em_status take_draft(em_sweep *sweep, const em_draft *draft)
{
    void *text = NULL, *changes = NULL;
    em_status status = make_room(&text, &sweep->text_room, draft->length, 1);
    sweep->text = text;
    EM_TRY(status);
    status = make_room(&changes, &sweep->change_room, 2 * draft->piece_count + 1,
                       sizeof *sweep->changes);
    sweep->changes = changes;
    EM_TRY(status);
    em_draft_copy(draft, (em_span){0, draft->length}, sweep->text);
    sweep->length = draft->length;
    note_changes(sweep, draft);
    return EM_OK;
}

em_status em_sweep_init(em_sweep *sweep, const em_draft *draft)
{
    *sweep = (em_sweep){.body = draft->body, .start = draft->start};
    em_status status = take_draft(sweep, draft);
    if (status != EM_OK)
        em_sweep_drop(sweep);
    return status;
}

em_status em_sweep_to_draft(const em_sweep *sweep, em_arena *arena, em_draft *draft)
{
    em_arena *texts = draft->texts;
    em_slice text = em_sweep_text(sweep);
    em_splice *splices = em_alloc_array(arena, sweep->change_count, sizeof *splices);
    EM_TRY(splices ? em_arena_keep(arena, &text) : EM_E_NOMEM);
    for (size_t i = 0; i < sweep->change_count; i++) {
        const em_sweep_change *change = &sweep->changes[i];
        splices[i] =
            (em_splice){change->was.start - sweep->start, change->was.end - change->was.start,
                        em_slice_sub(text, change->now.start, change->now.end)};
    }
    em_draft_drop(draft);
    EM_TRY(em_draft_init(draft, sweep->body, sweep->start));
    draft->texts = texts;
    return em_draft_apply(draft, (em_splices){splices, sweep->change_count});
}

/* ---- Finding --------------------------------------------------------------------------------- */

static em_status add_place(em_sweep *sweep, size_t start)
{
    if (sweep->place_count == sweep->place_room) {
        size_t room = 2 * sweep->place_room + 256;
        size_t *places = realloc(sweep->places, room * sizeof *places);
        if (!places)
            return EM_E_NOMEM;
        sweep->places = places;
        sweep->place_room = room;
    }
    sweep->places[sweep->place_count++] = start;
    return EM_OK;
}

em_status em_sweep_find(em_sweep *sweep, em_slice needle, size_t most)
{
    em_needle sought;
    em_slice text = em_sweep_text(sweep);
    em_needle_init(&sought, needle);
    sweep->place_count = 0;
    sweep->place_length = needle.len;
    for (size_t at = 0; sweep->place_count <= most && (at = em_find(&sought, text, at)) != EM_NPOS;
         at += needle.len)
        EM_TRY(add_place(sweep, at));
    return EM_OK;
}

/* ---- Places in the original ------------------------------------------------------------------ */

/* How many changes begin by `offset`. */
static size_t changes_by(const em_sweep *sweep, size_t offset)
{
    size_t low = 0, high = sweep->change_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (sweep->changes[middle].now.start <= offset)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* How much further an offset behind the change is in the original; may wrap. */
static size_t lead_behind(const em_sweep_change *change)
{
    return change->was.end - change->now.end;
}

static size_t origin_at(const em_sweep *sweep, size_t offset, bool *inserted)
{
    size_t count = changes_by(sweep, offset);
    const em_sweep_change *last = count > 0 ? &sweep->changes[count - 1] : NULL;
    *inserted = last && offset < last->now.end;
    if (*inserted)
        return last->was.start;
    return offset + (last ? lead_behind(last) : sweep->start);
}

em_span em_sweep_origin(const em_sweep *sweep, em_span span, bool *inserted)
{
    bool ends_inserted;
    em_span origin;
    origin.start = origin.end = origin_at(sweep, span.start, inserted);
    if (span.end > span.start) {
        origin.end = origin_at(sweep, span.end - 1, &ends_inserted);
        origin.end += !ends_inserted;
    }
    return origin;
}

/* ---- Replacing ------------------------------------------------------------------------------- */

/* The next text while it is written. */
typedef struct step {
    em_sweep *sweep;
    em_slice insert;
    size_t read, written; /* so far, of the text and of the next one */
    size_t change;        /* the first one that is not in the next list yet */
    size_t lead;          /* of what is behind the last one that is */
    size_t change_count;  /* of the next list */
} step;

static void write_up_to(step *s, size_t end)
{
    if (end > s->read)
        memcpy(s->sweep->next + s->written, s->sweep->text + s->read, end - s->read);
    s->written += end - s->read;
    s->read = end;
}

static void write_insert(step *s, size_t place)
{
    write_up_to(s, place);
    if (s->insert.len > 0)
        memcpy(s->sweep->next + s->written, s->insert.ptr, s->insert.len);
    s->written += s->insert.len;
    s->read += s->sweep->place_length;
}

/* Where an offset that was not read yet comes to stand. */
static size_t moved(const step *s, size_t offset)
{
    return s->written + (offset - s->read);
}

static void note(step *s, em_span now, em_span was)
{
    s->sweep->next_changes[s->change_count++] = (em_sweep_change){now, was};
}

static void keep_change(step *s)
{
    const em_sweep_change *change = &s->sweep->changes[s->change++];
    em_span now = {moved(s, change->now.start), moved(s, change->now.end)};
    s->lead = lead_behind(change);
    note(s, now, change->was);
}

/* A part of what stands for the original from `was` on; how far, is known when the next one is. */
static void note_part(step *s, size_t start, size_t end, size_t was)
{
    if (start < end)
        note(s, (em_span){moved(s, start), moved(s, end)}, (em_span){was, was});
}

/* The changes from `first` on are side by side, and stand for what ends at `was_end`. What came and
 * went again is none. */
static void end_parts(step *s, size_t first, size_t was_end)
{
    em_sweep_change *changes = s->sweep->next_changes;
    size_t kept = first;
    for (size_t i = first; i < s->change_count; i++) {
        em_sweep_change change = changes[i];
        change.was.end = i + 1 < s->change_count ? changes[i + 1].was.start : was_end;
        if (change.now.start < change.now.end || change.was.start < change.was.end)
            changes[kept++] = change;
    }
    s->change_count = kept;
}

/* The change that comes next, if it begins before `offset`. */
static const em_sweep_change *change_before(const step *s, size_t offset)
{
    const em_sweep *sweep = s->sweep;
    bool is_there = s->change < sweep->change_count && sweep->changes[s->change].now.start < offset;
    return is_there ? &sweep->changes[s->change] : NULL;
}

/* Replace one place, with the changes that it covers. No change ends before it; the one that it
 * begins in is noted up to there. */
static void replace_place(step *s, size_t place)
{
    size_t end = place + s->sweep->place_length, was = place + s->lead;
    const em_sweep_change *change = change_before(s, place);
    if (change) {
        was = change->was.start;
        note_part(s, change->now.start > s->read ? change->now.start : s->read, place, was);
    }
    size_t now = moved(s, place);
    write_insert(s, place);
    note(s, (em_span){now, s->written}, (em_span){was, was});
    while ((change = change_before(s, end)) && change->now.end <= end) {
        s->lead = lead_behind(change);
        s->change++;
    }
}

/* Replace at place i, and where a change lies over it and others, at all of these. Returns the next
 * place. */
static size_t replace_at(step *s, size_t i)
{
    const em_sweep *sweep = s->sweep;
    const em_sweep_change *over;
    size_t first = s->change_count;
    do {
        replace_place(s, sweep->places[i++]);
        over = change_before(s, s->read);
    } while (over && i < sweep->place_count && sweep->places[i] < over->now.end);
    size_t end = s->read;
    if (over) {
        end = over->now.end;
        note_part(s, s->read, end, over->was.start);
        s->lead = lead_behind(over);
        s->change++;
    }
    end_parts(s, first, end + s->lead);
    return i;
}

static void write_next(step *s)
{
    const em_sweep *sweep = s->sweep;
    for (size_t i = 0; i < sweep->place_count;) {
        while (s->change < sweep->change_count &&
               sweep->changes[s->change].now.end <= sweep->places[i])
            keep_change(s);
        i = replace_at(s, i);
    }
    while (s->change < sweep->change_count)
        keep_change(s);
    write_up_to(s, sweep->length);
}

static em_status make_next_room(em_sweep *sweep, em_slice insert)
{
    size_t kept = sweep->length - sweep->place_count * sweep->place_length, added, length;
    void *next = sweep->next, *changes = sweep->next_changes;
    if (__builtin_mul_overflow(sweep->place_count, insert.len, &added) ||
        __builtin_add_overflow(kept, added, &length))
        return EM_E_NOMEM;
    em_status status = make_room(&next, &sweep->next_room, length, 1);
    sweep->next = next;
    EM_TRY(status);
    /* A place can part a change in two. */
    status = make_room(&changes, &sweep->next_change_room,
                       sweep->change_count + 2 * sweep->place_count, sizeof *sweep->changes);
    sweep->next_changes = changes;
    return status;
}

em_status em_sweep_replace(em_sweep *sweep, em_slice insert)
{
    em_sweep was;
    step s = {.sweep = sweep, .insert = insert, .lead = sweep->start};
    EM_TRY(make_next_room(sweep, insert));
    write_next(&s);
    was = *sweep;
    sweep->text = was.next;
    sweep->text_room = was.next_room;
    sweep->next = was.text;
    sweep->next_room = was.text_room;
    sweep->changes = was.next_changes;
    sweep->change_room = was.next_change_room;
    sweep->next_changes = was.changes;
    sweep->next_change_room = was.change_room;
    sweep->length = s.written;
    sweep->change_count = s.change_count;
    sweep->place_count = 0;
    return EM_OK;
}
