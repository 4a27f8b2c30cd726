/* draft_apply.c: splices laid into a draft: one by one into the chunk that they are about, or many
 * in one go over all pieces. */
#include "draft/draft_impl.h"

#include <stdlib.h>

/* ---- Pieces --------------------------------------------------------------------------------- */

/* Of which piece every chunk keeps: an inserted one gets an id when it is new. */
static em_status note_home(em_draft *draft, em_piece *piece, em_chunk *home)
{
    if (!draft->tracks || !piece->inserted)
        return EM_OK;
    if (piece->id == 0) {
        if (draft->id_count + 1 >= draft->id_room) {
            size_t room = 2 * draft->id_room + 64;
            em_chunk **homes =
                room < UINT32_MAX ? realloc(draft->homes, room * sizeof(em_chunk *)) : NULL;
            if (!homes)
                return EM_E_NOMEM;
            draft->homes = homes;
            draft->id_room = room;
        }
        piece->id = (uint32_t)++draft->id_count;
    }
    draft->homes[piece->id] = home;
    return EM_OK;
}

static void forget_home(em_draft *draft, const em_piece *piece)
{
    if (draft->tracks && piece->id > 0)
        draft->homes[piece->id] = NULL;
}

/* The part [start, end) of a piece. */
static em_piece piece_part(const em_piece *piece, size_t start, size_t end)
{
    em_piece part = *piece;
    part.id = 0;
    part.bytes = em_slice_sub(piece->bytes, start, end);
    part.origin = em_piece_origin(piece, start);
    return part;
}

/* A chunk that has become too large gives its second half to a new one behind it. */
static em_status divide_chunk(em_draft *draft, size_t index)
{
    em_chunk *chunk = draft->chunks[index];
    if (chunk->count <= draft->most)
        return EM_OK;
    em_chunk *second = em_chunk_new(draft);
    EM_TRY(em_draft_insert_chunk(draft, index + 1, second));
    size_t kept = chunk->count / 2;
    for (size_t i = kept; i < chunk->count; i++) {
        em_chunk_add(second, chunk->pieces[i]);
        EM_TRY(note_home(draft, &second->pieces[i - kept], second));
    }
    chunk->count = kept;
    chunk->length -= second->length;
    draft->offsets[index + 1] = draft->offsets[index] + chunk->length;
    return EM_OK;
}

/* The pieces [from, to) of a chunk become `items`, at most EM_MOST_NEW_PIECES. */
static em_status replace_in_chunk(em_draft *draft, size_t index, size_t from, size_t to,
                                  const em_piece *items, size_t count)
{
    em_chunk *chunk = draft->chunks[index];
    size_t old_count = chunk->count, old_length = chunk->length;
    size_t at = from < old_count ? chunk->pieces[from].at : old_length;
    for (size_t i = from; i < to; i++)
        forget_home(draft, &chunk->pieces[i]);
    memmove(&chunk->pieces[from + count], &chunk->pieces[to], (old_count - to) * sizeof(em_piece));
    chunk->count = old_count - (to - from) + count;
    for (size_t i = 0; i < count; i++) {
        chunk->pieces[from + i] = items[i];
        EM_TRY(note_home(draft, &chunk->pieces[from + i], chunk));
    }
    for (size_t i = from; i < chunk->count; i++) {
        chunk->pieces[i].at = at;
        at += chunk->pieces[i].bytes.len;
    }
    chunk->length = at;
    size_t more = chunk->length - old_length; /* may wrap, the sums come out right */
    for (size_t i = index + 1; i < draft->chunk_count; i++)
        draft->offsets[i] += more;
    draft->length += more;
    draft->piece_count += chunk->count - old_count;
    if (chunk->count == 0) {
        em_draft_remove_chunk(draft, index);
        return EM_OK;
    }
    return divide_chunk(draft, index);
}

/* Remove the pieces from chunk first.chunk + 1 on to before `last`. */
static em_status remove_behind(em_draft *draft, em_cursor first, em_cursor last)
{
    if (last.piece > 0)
        EM_TRY(replace_in_chunk(draft, last.chunk, 0, last.piece, NULL, 0));
    while (last.chunk-- > first.chunk + 1)
        EM_TRY(replace_in_chunk(draft, last.chunk, 0, draft->chunks[last.chunk]->count, NULL, 0));
    return EM_OK;
}

/* Where what is inserted stands in the original, and what it belongs to there. */
typedef struct place {
    size_t origin;
    bool behind;
} place;

/* From the byte `skip` of the piece on; NULL: at the end. */
static place place_from(const em_draft *draft, const em_piece *piece, size_t skip)
{
    return piece ? (place){em_piece_origin(piece, skip), piece->behind}
                 : (place){draft->body.len, false};
}

static place place_behind(const em_draft *draft, size_t offset)
{
    em_cursor at = em_draft_piece_at(draft, offset - 1);
    const em_piece *piece = em_draft_piece(draft, at);
    place here = place_from(draft, piece, offset - em_draft_start(draft, at));
    here.behind |= !piece->inserted;
    return here;
}

/* Does what the splice lays in belong to the byte before it? */
static bool goes_behind(const em_draft *draft, const em_splice *splice)
{
    return draft->inserts_behind && splice->length == 0 && splice->offset > 0;
}

static place place_for(const em_draft *draft, const em_splice *splice)
{
    em_cursor at = em_draft_piece_at(draft, splice->offset);
    const em_piece *piece = em_draft_piece(draft, at);
    return goes_behind(draft, splice)
               ? place_behind(draft, splice->offset)
               : place_from(draft, piece, piece ? splice->offset - em_draft_start(draft, at) : 0);
}

static em_piece inserted_piece(em_slice bytes, place at)
{
    return (em_piece){.bytes = bytes, .origin = at.origin, .inserted = true, .behind = at.behind};
}

/* How much of an insert goes into one piece. */
static size_t block_length(const em_draft *draft, em_slice insert)
{
    return draft->tracks && insert.len > EM_BLOCK ? EM_BLOCK : insert.len;
}

/* ---- One splice ----------------------------------------------------------------------------- */

/* The bytes [start, end) become `bytes`, which are no longer than a piece may be. */
static em_status lay_in(em_draft *draft, em_span span, em_slice bytes, place at)
{
    em_piece items[EM_MOST_NEW_PIECES];
    size_t count = 0;
    if (draft->chunk_count == 0)
        EM_TRY(em_draft_insert_chunk(draft, 0, em_chunk_new(draft)));
    em_cursor first = em_draft_piece_at(draft, span.start),
              last = em_draft_piece_at(draft, span.end);
    if (first.chunk == draft->chunk_count) { /* behind the last piece */
        first.piece = draft->chunks[--first.chunk]->count;
        last = first;
    } else if (em_draft_start(draft, first) < span.start) {
        items[count++] =
            piece_part(em_draft_piece(draft, first), 0, span.start - em_draft_start(draft, first));
    }
    if (bytes.len > 0)
        items[count++] = inserted_piece(bytes, at);
    const em_piece *cut = span.end < draft->length ? em_draft_piece(draft, last) : NULL;
    if (cut && em_draft_start(draft, last) < span.end) {
        items[count++] = piece_part(cut, span.end - em_draft_start(draft, last), cut->bytes.len);
        last.piece++;
    }
    size_t to = last.piece;
    if (last.chunk > first.chunk) {
        to = draft->chunks[first.chunk]->count;
        EM_TRY(remove_behind(draft, first, last));
    }
    return replace_in_chunk(draft, first.chunk, first.piece, to, items, count);
}

static em_status apply_one(em_draft *draft, em_splice splice)
{
    place at = place_for(draft, &splice);
    em_span span = {splice.offset, splice.offset + splice.length};
    do {
        size_t length = block_length(draft, splice.insert);
        EM_TRY(lay_in(draft, span, em_slice_sub(splice.insert, 0, length), at));
        splice.insert = em_slice_from(splice.insert, length);
        span.start += length;
        span.end = span.start;
    } while (splice.insert.len > 0);
    return EM_OK;
}

/* ---- Many at once --------------------------------------------------------------------------- */

/* The next state of a draft while it is made from the present one. */
typedef struct rebuild {
    em_draft *from;
    em_draft next;
    em_cursor at;
    size_t skip; /* what comes next of the present state: this byte of this piece */
    size_t offset;
} rebuild;

static em_status append_piece(em_draft *draft, em_piece piece)
{
    em_chunk *last = draft->chunk_count > 0 ? draft->chunks[draft->chunk_count - 1] : NULL;
    if (piece.bytes.len == 0)
        return EM_OK;
    if (!last || last->count > draft->most / 2) {
        last = em_chunk_new(draft);
        EM_TRY(em_draft_insert_chunk(draft, draft->chunk_count, last));
    }
    em_chunk_add(last, piece);
    draft->length += piece.bytes.len;
    draft->piece_count++;
    return note_home(draft, &last->pieces[last->count - 1], last);
}

static em_status append_insert(em_draft *draft, em_slice insert, place at)
{
    while (insert.len > 0) {
        size_t length = block_length(draft, insert);
        EM_TRY(append_piece(draft, inserted_piece(em_slice_sub(insert, 0, length), at)));
        insert = em_slice_from(insert, length);
    }
    return EM_OK;
}

/* A piece, or what is left of it. What has become too long for a piece is divided. */
static em_status append_part(rebuild *r, const em_piece *piece, size_t start, size_t end)
{
    if (start == 0 && end == piece->bytes.len &&
        (!piece->inserted || end <= EM_BLOCK || !r->next.tracks))
        return append_piece(&r->next, *piece);
    em_piece part = piece_part(piece, start, end);
    return piece->inserted ? append_insert(&r->next, part.bytes, place_from(&r->next, &part, 0))
                           : append_piece(&r->next, part);
}

/* Go on to draft offset `end`; what lies before it is kept or dropped. */
static em_status rebuild_advance(rebuild *r, size_t end, bool keep)
{
    while (r->offset < end) {
        const em_piece *piece = em_draft_piece(r->from, r->at);
        size_t stop = piece->bytes.len;
        if (end - r->offset < stop - r->skip)
            stop = r->skip + (end - r->offset);
        if (!keep || r->skip > 0 || stop < piece->bytes.len)
            forget_home(&r->next, piece);
        if (keep)
            EM_TRY(append_part(r, piece, r->skip, stop));
        r->offset += stop - r->skip;
        r->skip = stop;
        if (stop == piece->bytes.len) {
            r->at = em_draft_next_piece(r->from, r->at);
            r->skip = 0;
        }
    }
    return EM_OK;
}

static em_status rebuild_run(rebuild *r, em_splices splices)
{
    for (size_t i = 0; i < splices.count; i++) {
        const em_splice *splice = &splices.items[i];
        EM_TRY(rebuild_advance(r, splice->offset, true));
        place at = goes_behind(r->from, splice)
                       ? place_behind(r->from, splice->offset)
                       : place_from(r->from, em_draft_piece(r->from, r->at), r->skip);
        EM_TRY(append_insert(&r->next, splice->insert, at));
        EM_TRY(rebuild_advance(r, splice->offset + splice->length, false));
    }
    return rebuild_advance(r, r->from->length, true);
}

em_status em_draft_rebuild(em_draft *draft, em_splices splices)
{
    rebuild r = {.from = draft, .next = *draft};
    r.next.chunks = NULL;
    r.next.offsets = NULL;
    r.next.chunk_count = r.next.chunk_room = r.next.piece_count = r.next.length = 0;
    em_status status = rebuild_run(&r, splices);
    em_draft *old = status == EM_OK ? draft : &r.next;
    em_chunks_drop(old->chunks, old->chunk_count);
    free(old->offsets);
    if (status == EM_OK) {
        *draft = r.next;
        return EM_OK;
    }
    draft->homes = r.next.homes;
    draft->id_room = r.next.id_room;
    return status;
}

/* What is counted around a splice, a byte to either side included: with it a CRLF may come or go.
 */
static em_counts count_around(const em_draft *draft, size_t start, size_t end)
{
    em_span around = {start - (start > 0), end + (end < draft->length)};
    return em_draft_count(draft, around);
}

/* apply_one() of what may be counted. */
static em_status apply_counted(em_draft *draft, em_splice splice)
{
    struct em_draft_asked *asked = draft->asked;
    if (!asked->has_counts)
        return apply_one(draft, splice);
    size_t start = splice.offset;
    em_counts was = count_around(draft, start, start + splice.length);
    asked->has_counts = false;
    EM_TRY(apply_one(draft, splice));
    em_counts now = count_around(draft, start, start + splice.insert.len);
    asked->counts.lf += now.lf - was.lf; /* may wrap, the sums come out right */
    asked->counts.cr += now.cr - was.cr;
    asked->counts.crlf += now.crlf - was.crlf;
    asked->counts.chars += now.chars - was.chars;
    asked->has_counts = true;
    return EM_OK;
}

em_status em_draft_apply(em_draft *draft, em_splices splices)
{
    enum { WORTH_ALL = 16, SMALL = 32 }; /* what one alone costs, in pieces gone over */
    draft->asked->is_now = false;
    if (splices.count * WORTH_ALL > draft->piece_count + SMALL) {
        draft->asked->has_counts = false;
        return em_draft_rebuild(draft, splices);
    }
    size_t added = 0; /* by the splices so far; may wrap, offsets come out right */
    for (size_t i = 0; i < splices.count; i++) {
        em_splice splice = splices.items[i];
        splice.offset += added;
        added += splice.insert.len - splice.length;
        EM_TRY(apply_counted(draft, splice));
    }
    return EM_OK;
}
