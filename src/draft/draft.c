/* draft.c: the pieces of a draft: cutting them, laying splices in, reading them out.
 *
 * What was found out about the draft, as its text in one piece, is kept until the next splice. */
#include "draft/draft_impl.h"

#include "base/utf8.h"

#include <stdlib.h>

enum { CHUNK_PIECES = 64, MOST_NEW = 3 };

struct em_draft_asked {
    char *text; /* all of it, in the arena of who asked; NULL */
    size_t room;
    bool is_now;         /* it is the text of the moment */
    size_t chunk, piece; /* where a byte was looked for last; the next is often near */
};

/* ---- Making and dropping it --------------------------------------------------------------- */

static em_chunk *chunk_new(const em_draft *draft)
{
    em_chunk *chunk = malloc(sizeof *chunk + (draft->most + MOST_NEW) * sizeof(em_piece));
    if (chunk)
        chunk->index = chunk->count = chunk->length = 0;
    return chunk;
}

static em_status reserve_chunks(em_draft *draft, size_t count)
{
    if (count <= draft->chunk_room)
        return EM_OK;
    size_t room = 2 * count;
    em_chunk **chunks = realloc(draft->chunks, room * sizeof(em_chunk *));
    if (chunks)
        draft->chunks = chunks;
    size_t *offsets = realloc(draft->offsets, room * sizeof *offsets);
    if (offsets)
        draft->offsets = offsets;
    if (!chunks || !offsets)
        return EM_E_NOMEM;
    draft->chunk_room = room;
    return EM_OK;
}

/* Put a chunk, which the draft owns then, at `index`. Its offset is that of what was there. */
static em_status insert_chunk(em_draft *draft, size_t index, em_chunk *chunk)
{
    em_status status = chunk ? reserve_chunks(draft, draft->chunk_count + 1) : EM_E_NOMEM;
    if (status != EM_OK) {
        free(chunk);
        return status;
    }
    size_t behind = draft->chunk_count - index;
    memmove(&draft->chunks[index + 1], &draft->chunks[index], behind * sizeof(em_chunk *));
    memmove(&draft->offsets[index + 1], &draft->offsets[index], behind * sizeof(size_t));
    if (behind == 0)
        draft->offsets[index] = draft->length;
    draft->chunks[index] = chunk;
    draft->chunk_count++;
    for (size_t i = index; i < draft->chunk_count; i++)
        draft->chunks[i]->index = i;
    return EM_OK;
}

static void remove_chunk(em_draft *draft, size_t index)
{
    free(draft->chunks[index]);
    draft->chunk_count--;
    size_t behind = draft->chunk_count - index;
    memmove(&draft->chunks[index], &draft->chunks[index + 1], behind * sizeof(em_chunk *));
    memmove(&draft->offsets[index], &draft->offsets[index + 1], behind * sizeof(size_t));
    for (size_t i = index; i < draft->chunk_count; i++)
        draft->chunks[i]->index = i;
}

static void chunk_add(em_chunk *chunk, em_piece piece)
{
    piece.at = chunk->length;
    chunk->length += piece.bytes.len;
    chunk->pieces[chunk->count++] = piece;
}

static em_status draft_fill(em_draft *draft)
{
    draft->asked = calloc(1, sizeof *draft->asked);
    if (!draft->asked)
        return EM_E_NOMEM;
    if (draft->body.len == draft->start)
        return EM_OK;
    EM_TRY(insert_chunk(draft, 0, chunk_new(draft)));
    draft->length = draft->body.len - draft->start;
    draft->piece_count = 1;
    em_piece all = {.bytes = em_slice_from(draft->body, draft->start), .origin = draft->start};
    chunk_add(draft->chunks[0], all);
    return EM_OK;
}

em_status em_draft_init_chunks(em_draft *draft, em_slice body, size_t start, size_t most)
{
    *draft = (em_draft){.body = body, .start = start, .most = most};
    em_status status = draft_fill(draft);
    if (status != EM_OK)
        em_draft_drop(draft);
    return status;
}

em_status em_draft_init(em_draft *draft, em_slice body, size_t start)
{
    return em_draft_init_chunks(draft, body, start, CHUNK_PIECES);
}

static void drop_chunks(em_chunk **chunks, size_t count)
{
    for (size_t i = 0; i < count; i++)
        free(chunks[i]);
    free(chunks);
}

void em_draft_drop(em_draft *draft)
{
    drop_chunks(draft->chunks, draft->chunk_count);
    free(draft->offsets);
    free(draft->homes);
    free(draft->asked);
    *draft = (em_draft){0};
}

/* ---- Going about in it -------------------------------------------------------------------- */

/* Does the chunk hold the byte at `offset`? */
static bool chunk_holds(const em_draft *draft, size_t chunk, size_t offset)
{
    return chunk < draft->chunk_count && draft->offsets[chunk] <= offset &&
           offset - draft->offsets[chunk] < draft->chunks[chunk]->length;
}

/* The chunk that holds the byte at `offset`. */
static size_t chunk_at(const em_draft *draft, size_t offset)
{
    size_t low = 0, high = draft->chunk_count, last = draft->asked->chunk;
    if (chunk_holds(draft, last, offset))
        return last;
    if (chunk_holds(draft, last + 1, offset))
        return ++draft->asked->chunk;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (draft->offsets[middle] <= offset)
            low = middle;
        else
            high = middle;
    }
    draft->asked->chunk = low;
    return low;
}

/* Does the piece hold the byte at `offset` in its chunk? */
static bool piece_holds(const em_chunk *chunk, size_t piece, size_t offset)
{
    return piece < chunk->count && chunk->pieces[piece].at <= offset &&
           (piece + 1 == chunk->count || chunk->pieces[piece + 1].at > offset);
}

/* The piece of the chunk that holds the byte at `offset`: mostly `last`, or the one behind it. */
static size_t piece_in(const em_chunk *chunk, size_t offset, size_t last)
{
    size_t low = 0, high = chunk->count;
    if (piece_holds(chunk, last, offset))
        return last;
    if (piece_holds(chunk, last + 1, offset))
        return last + 1;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (chunk->pieces[middle].at <= offset)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* The piece that holds the byte at `offset`. */
static em_cursor piece_at(const em_draft *draft, size_t offset)
{
    if (offset >= draft->length)
        return (em_cursor){draft->chunk_count, 0};
    size_t chunk = chunk_at(draft, offset), in_chunk = offset - draft->offsets[chunk];
    draft->asked->piece = piece_in(draft->chunks[chunk], in_chunk, draft->asked->piece);
    return (em_cursor){chunk, draft->asked->piece};
}

const em_piece *em_draft_piece(const em_draft *draft, em_cursor at)
{
    return at.chunk < draft->chunk_count ? &draft->chunks[at.chunk]->pieces[at.piece] : NULL;
}

size_t em_draft_start(const em_draft *draft, em_cursor at)
{
    /* An empty chunk is filled before anybody asks for a piece of it: the analyzer cannot know.
     * NOLINTNEXTLINE(clang-analyzer-core.UndefinedBinaryOperatorResult) */
    return draft->offsets[at.chunk] + draft->chunks[at.chunk]->pieces[at.piece].at;
}

em_cursor em_draft_next_piece(const em_draft *draft, em_cursor at)
{
    if (++at.piece == draft->chunks[at.chunk]->count)
        return (em_cursor){at.chunk + 1, 0};
    return at;
}

/* ---- Looking at it ------------------------------------------------------------------------ */

/* Single bytes, one near the other. */
typedef struct window {
    const em_draft *draft;
    em_slice bytes; /* of the piece that was looked at last, */
    size_t start;   /* which begins here */
} window;

static char window_byte(window *w, size_t offset)
{
    if (offset - w->start >= w->bytes.len) {
        em_cursor at = piece_at(w->draft, offset);
        w->bytes = em_draft_piece(w->draft, at)->bytes;
        w->start = em_draft_start(w->draft, at);
    }
    return w->bytes.ptr[offset - w->start];
}

char em_draft_byte(const em_draft *draft, size_t offset)
{
    window w = {.draft = draft};
    return window_byte(&w, offset);
}

bool em_draft_has_byte(const em_draft *draft, char byte)
{
    for (em_cursor at = {0, 0}; at.chunk < draft->chunk_count; at = em_draft_next_piece(draft, at))
        if (em_slice_has_byte(em_draft_piece(draft, at)->bytes, byte))
            return true;
    return false;
}

void em_draft_copy(const em_draft *draft, em_span span, char *out)
{
    em_cursor at = piece_at(draft, span.start);
    size_t skip = span.start < span.end ? span.start - em_draft_start(draft, at) : 0;
    for (size_t left = span.end - span.start; left > 0; at = em_draft_next_piece(draft, at)) {
        em_slice here = em_slice_from(em_draft_piece(draft, at)->bytes, skip);
        size_t length = here.len < left ? here.len : left;
        memcpy(out, here.ptr, length);
        out += length;
        left -= length;
        skip = 0;
    }
}

/* Does the span lie in one piece? */
static bool in_one_piece(const em_draft *draft, em_span span, em_slice *out)
{
    *out = (em_slice){0};
    if (span.start == span.end)
        return true;
    em_cursor at = piece_at(draft, span.start);
    em_slice bytes = em_draft_piece(draft, at)->bytes;
    size_t start = span.start - em_draft_start(draft, at);
    if (span.end - span.start > bytes.len - start)
        return false;
    *out = em_slice_sub(bytes, start, start + (span.end - span.start));
    return true;
}

em_slice em_draft_view(const em_draft *draft, em_span span, char *room)
{
    em_slice bytes;
    if (in_one_piece(draft, span, &bytes))
        return bytes;
    em_draft_copy(draft, span, room);
    return em_slice_make(room, span.end - span.start);
}

em_status em_draft_slice(const em_draft *draft, em_span span, em_arena *arena, em_slice *out)
{
    if (in_one_piece(draft, span, out))
        return EM_OK;
    char *joined = em_alloc_raw(arena, span.end - span.start);
    if (!joined)
        return EM_E_NOMEM;
    em_draft_copy(draft, span, joined);
    *out = em_slice_make(joined, span.end - span.start);
    return EM_OK;
}

static em_status text_reserve(struct em_draft_asked *asked, em_arena *arena, size_t length)
{
    if (length <= asked->room)
        return EM_OK;
    asked->room = length + length / 4; /* what is too small stays in the arena, so grow well */
    asked->text = em_alloc_raw(arena, asked->room);
    if (!asked->text)
        asked->room = 0;
    return asked->text ? EM_OK : EM_E_NOMEM;
}

em_status em_draft_text(const em_draft *draft, em_arena *arena, em_slice *out)
{
    struct em_draft_asked *asked = draft->asked;
    em_span all = {0, draft->length};
    if (in_one_piece(draft, all, out))
        return EM_OK;
    if (!asked->is_now) {
        EM_TRY(text_reserve(asked, draft->texts ? draft->texts : arena, draft->length));
        em_draft_copy(draft, all, asked->text);
        asked->is_now = true;
    }
    *out = em_slice_make(asked->text, draft->length);
    return EM_OK;
}

static bool is_eol_byte(char byte)
{
    return byte == '\n' || byte == '\r';
}

static bool continues_code_point(window *w, size_t offset)
{
    char byte = window_byte(w, offset);
    return em_utf8_continues(em_slice_make(&byte, 1), 0);
}

static size_t line_start(window *w, size_t offset, size_t reach)
{
    size_t least = offset > reach ? offset - reach : 0;
    size_t start = offset;
    while (start > least && !is_eol_byte(window_byte(w, start - 1)))
        start--;
    while (start < offset && continues_code_point(w, start))
        start++;
    return start;
}

/* The end of the line that holds the byte at `offset`, without its ending; `most` at the latest. */
static size_t line_end(window *w, size_t offset, size_t most)
{
    size_t end = offset, length = w->draft->length;
    while (end < most && !is_eol_byte(window_byte(w, end)))
        end++;
    while (end > offset && end < length && continues_code_point(w, end))
        end--;
    bool inside_crlf =
        end < length && end > 0 && window_byte(w, end) == '\n' && window_byte(w, end - 1) == '\r';
    return inside_crlf ? end - 1 : end;
}

em_span em_draft_lines_around(const em_draft *draft, em_span span, size_t reach)
{
    /* A span that ends in a line ending has its last byte in the line that this ends. */
    size_t last = span.end > span.start ? span.end - 1 : span.end;
    size_t most = draft->length - span.end > reach ? span.end + reach : draft->length;
    window w = {.draft = draft};
    em_span lines = {line_start(&w, span.start, reach), line_end(&w, last, most)};
    if (lines.end < lines.start)
        lines.end = lines.start;
    return lines;
}

/* Where the original goes on from the byte `skip` of the piece. */
static size_t origin_in(const em_piece *piece, size_t skip)
{
    return piece->origin + (piece->inserted ? 0 : skip);
}

/* The same from an offset of the draft. */
static size_t origin_at(const em_draft *draft, size_t offset, bool *inserted)
{
    em_cursor at = piece_at(draft, offset);
    const em_piece *piece = em_draft_piece(draft, at);
    *inserted = piece && piece->inserted;
    return piece ? origin_in(piece, offset - em_draft_start(draft, at)) : draft->body.len;
}

em_span em_draft_origin(const em_draft *draft, em_span span, bool *inserted)
{
    bool ends_inserted;
    em_span origin;
    origin.start = origin.end = origin_at(draft, span.start, inserted);
    if (span.end > span.start) {
        origin.end = origin_at(draft, span.end - 1, &ends_inserted);
        origin.end += !ends_inserted;
    }
    return origin;
}

bool em_draft_has_inserted(const em_draft *draft, em_span span)
{
    for (size_t at = span.start; at < span.end;) {
        em_cursor cursor = piece_at(draft, at);
        const em_piece *piece = em_draft_piece(draft, cursor);
        if (piece->inserted)
            return true;
        at = em_draft_start(draft, cursor) + piece->bytes.len;
    }
    return false;
}

size_t em_draft_first_original(const em_draft *draft, em_span span)
{
    for (size_t at = span.start; at < span.end;) {
        em_cursor cursor = piece_at(draft, at);
        const em_piece *piece = em_draft_piece(draft, cursor);
        size_t start = em_draft_start(draft, cursor);
        if (!piece->inserted)
            return origin_in(piece, at - start);
        at = start + piece->bytes.len;
    }
    return EM_NPOS;
}

/* ---- Changing it -------------------------------------------------------------------------- */

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
    part.origin = origin_in(piece, start);
    return part;
}

/* A chunk that has become too large gives its second half to a new one behind it. */
static em_status divide_chunk(em_draft *draft, size_t index)
{
    em_chunk *chunk = draft->chunks[index];
    if (chunk->count <= draft->most)
        return EM_OK;
    em_chunk *second = chunk_new(draft);
    EM_TRY(insert_chunk(draft, index + 1, second));
    size_t kept = chunk->count / 2;
    for (size_t i = kept; i < chunk->count; i++) {
        chunk_add(second, chunk->pieces[i]);
        EM_TRY(note_home(draft, &second->pieces[i - kept], second));
    }
    chunk->count = kept;
    chunk->length -= second->length;
    draft->offsets[index + 1] = draft->offsets[index] + chunk->length;
    return EM_OK;
}

/* The pieces [from, to) of a chunk become `items`, at most MOST_NEW. */
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
        remove_chunk(draft, index);
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
    return piece ? (place){origin_in(piece, skip), piece->behind} : (place){draft->body.len, false};
}

static place place_behind(const em_draft *draft, size_t offset)
{
    em_cursor at = piece_at(draft, offset - 1);
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
    em_cursor at = piece_at(draft, splice->offset);
    const em_piece *piece = em_draft_piece(draft, at);
    return goes_behind(draft, splice)
               ? place_behind(draft, splice->offset)
               : place_from(draft, piece, piece ? splice->offset - em_draft_start(draft, at) : 0);
}

static em_piece inserted_piece(em_slice bytes, place at)
{
    return (em_piece){.bytes = bytes, .origin = at.origin, .inserted = true, .behind = at.behind};
}

/* The bytes [start, end) become `bytes`, which are no longer than a piece may be. */
static em_status lay_in(em_draft *draft, em_span span, em_slice bytes, place at)
{
    em_piece items[MOST_NEW];
    size_t count = 0;
    if (draft->chunk_count == 0)
        EM_TRY(insert_chunk(draft, 0, chunk_new(draft)));
    em_cursor first = piece_at(draft, span.start), last = piece_at(draft, span.end);
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

/* How much of an insert goes into one piece. */
static size_t block_length(const em_draft *draft, em_slice insert)
{
    return draft->tracks && insert.len > EM_BLOCK ? EM_BLOCK : insert.len;
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
        last = chunk_new(draft);
        EM_TRY(insert_chunk(draft, draft->chunk_count, last));
    }
    chunk_add(last, piece);
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

/* Many splices at once: all pieces are gone over once. */
static em_status apply_all(em_draft *draft, em_splices splices)
{
    rebuild r = {.from = draft, .next = *draft};
    r.next.chunks = NULL;
    r.next.offsets = NULL;
    r.next.chunk_count = r.next.chunk_room = r.next.piece_count = r.next.length = 0;
    em_status status = rebuild_run(&r, splices);
    em_draft *old = status == EM_OK ? draft : &r.next;
    drop_chunks(old->chunks, old->chunk_count);
    free(old->offsets);
    if (status == EM_OK) {
        *draft = r.next;
        return EM_OK;
    }
    draft->homes = r.next.homes;
    draft->id_room = r.next.id_room;
    return status;
}

em_status em_draft_apply(em_draft *draft, em_splices splices)
{
    enum { WORTH_ALL = 16, SMALL = 32 }; /* what one alone costs, in pieces gone over */
    draft->asked->is_now = false;
    if (splices.count * WORTH_ALL > draft->piece_count + SMALL)
        return apply_all(draft, splices);
    size_t added = 0; /* by the splices so far; may wrap, offsets come out right */
    for (size_t i = 0; i < splices.count; i++) {
        em_splice splice = splices.items[i];
        splice.offset += added;
        added += splice.insert.len - splice.length;
        EM_TRY(apply_one(draft, splice));
    }
    return EM_OK;
}

/* ---- Addresses ---------------------------------------------------------------------------- */

void em_draft_untrack(em_draft *draft)
{
    draft->tracks = false;
    for (size_t i = 0; i < draft->chunk_count; i++)
        for (size_t k = 0; k < draft->chunks[i]->count; k++)
            draft->chunks[i]->pieces[k].id = 0;
    free(draft->homes);
    draft->homes = NULL;
    draft->id_count = draft->id_room = 0;
}

em_status em_draft_track(em_draft *draft)
{
    draft->tracks = true;
    return apply_all(draft, (em_splices){0});
}

em_address em_draft_address(const em_draft *draft, size_t offset)
{
    em_cursor at = piece_at(draft, offset);
    const em_piece *piece = em_draft_piece(draft, at);
    size_t in_piece = offset - em_draft_start(draft, at);
    return (em_address){piece->inserted ? in_piece : piece->origin + in_piece, piece->id};
}

/* In the order of the pieces: of a byte of the original, and of what belongs to it there. What
 * belongs to the byte before comes before that. */
static size_t rank_at(size_t origin)
{
    return 2 * origin;
}

static size_t piece_rank(const em_piece *piece)
{
    return rank_at(piece->origin) - piece->behind;
}

/* The last piece that begins by `rank`: of a byte of the original, the one that holds it, if any
 * does. There is a piece at least. */
static em_cursor piece_by_rank(const em_draft *draft, size_t rank)
{
    size_t low = 0, high = draft->chunk_count;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (piece_rank(&draft->chunks[middle]->pieces[0]) <= rank)
            low = middle;
        else
            high = middle;
    }
    size_t chunk = low;
    for (low = 0, high = draft->chunks[chunk]->count; high - low > 1;) {
        size_t middle = low + (high - low) / 2;
        if (piece_rank(&draft->chunks[chunk]->pieces[middle]) <= rank)
            low = middle;
        else
            high = middle;
    }
    return (em_cursor){chunk, low};
}

/* The first byte of the draft that belongs to `origin` or behind it; its length where none does. */
static size_t first_from(const em_draft *draft, size_t origin)
{
    if (draft->chunk_count == 0 || origin == 0)
        return 0;
    em_cursor at = piece_by_rank(draft, rank_at(origin) - 1);
    const em_piece *piece = em_draft_piece(draft, at);
    if (piece_rank(piece) >= rank_at(origin))
        return 0;
    size_t length = piece->bytes.len, before = origin - piece->origin;
    return em_draft_start(draft, at) + (piece->inserted || length < before ? length : before);
}

em_span em_draft_part(const em_draft *draft, em_span part)
{
    bool to_end = part.end == draft->body.len;
    return (em_span){first_from(draft, part.start),
                     to_end ? draft->length : first_from(draft, part.end)};
}

static size_t find_original(const em_draft *draft, size_t offset)
{
    if (draft->chunk_count == 0)
        return EM_NPOS;
    em_cursor at = piece_by_rank(draft, rank_at(offset));
    const em_piece *piece = em_draft_piece(draft, at);
    /* An inserted piece that begins here stands before the original's. */
    if (piece->inserted || offset < piece->origin || offset - piece->origin >= piece->bytes.len)
        return EM_NPOS;
    return em_draft_start(draft, at) + (offset - piece->origin);
}

size_t em_draft_find_address(const em_draft *draft, em_address address)
{
    if (address.id == 0)
        return find_original(draft, address.offset);
    const em_chunk *home = draft->homes[address.id];
    if (!home)
        return EM_NPOS;
    size_t i = 0;
    while (home->pieces[i].id != address.id)
        i++;
    return draft->offsets[home->index] + home->pieces[i].at + address.offset;
}

em_span em_draft_newer_than(const em_draft *draft, em_span span, size_t id)
{
    em_cursor before = piece_at(draft, span.start > 0 ? span.start - 1 : draft->length);
    em_cursor behind = piece_at(draft, span.end);
    const em_piece *piece = em_draft_piece(draft, before);
    if (piece && piece->id > id)
        span.start = em_draft_start(draft, before);
    piece = em_draft_piece(draft, behind);
    if (piece && piece->id > id)
        span.end = em_draft_start(draft, behind) + piece->bytes.len;
    return span;
}

/* ---- What it became ----------------------------------------------------------------------- */

/* What lies between two pieces of the original, or before the first, or behind the last. */
typedef struct gap {
    size_t covered;   /* the original is told up to here */
    em_span inserted; /* what stands there in the draft */
} gap;

static em_status add_gap(const em_draft *draft, const gap *g, size_t origin, em_arena *arena,
                         em_splice *items, size_t *count)
{
    em_splice splice = {.offset = g->covered, .length = origin - g->covered};
    EM_TRY(em_draft_slice(draft, g->inserted, arena, &splice.insert));
    splice = em_splice_trim(draft->body, splice);
    if (splice.length > 0 || splice.insert.len > 0)
        items[(*count)++] = splice;
    return EM_OK;
}

em_status em_draft_splices(const em_draft *draft, em_arena *arena, em_splices *out)
{
    em_splice *items = em_alloc_array(arena, draft->piece_count + 1, sizeof *items);
    size_t count = 0;
    gap g = {.covered = draft->start};
    if (!items)
        return EM_E_NOMEM;
    for (em_cursor at = {0, 0}; at.chunk < draft->chunk_count;
         at = em_draft_next_piece(draft, at)) {
        const em_piece *piece = em_draft_piece(draft, at);
        size_t start = em_draft_start(draft, at), end = start + piece->bytes.len;
        g.inserted.end = piece->inserted ? end : start;
        if (piece->inserted)
            continue;
        EM_TRY(add_gap(draft, &g, piece->origin, arena, items, &count));
        g = (gap){piece->origin + piece->bytes.len, {end, end}};
    }
    EM_TRY(add_gap(draft, &g, draft->body.len, arena, items, &count));
    *out = (em_splices){items, count};
    return EM_OK;
}

em_status em_splices_apply(em_slice body, em_splices splices, em_arena *arena, em_slice *out)
{
    EM_AUTO(em_draft) draft;
    EM_TRY(em_draft_init(&draft, body, 0));
    EM_TRY(em_draft_apply(&draft, splices));
    return em_draft_slice(&draft, (em_span){0, draft.length}, arena, out);
}
