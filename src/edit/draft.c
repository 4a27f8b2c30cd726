#include "edit/draft.h"

#include "text/search.h"

#include <stdlib.h>

em_status em_draft_init(em_draft *draft, em_slice body, size_t start)
{
    *draft = (em_draft){.body = body, .start = start, .length = body.len - start};
    draft->pieces = malloc(sizeof *draft->pieces);
    if (!draft->pieces)
        return EM_E_NOMEM;
    draft->room = 1;
    draft->count = draft->length > 0 ? 1 : 0;
    draft->pieces[0] = (em_piece){.bytes = em_slice_from(body, start), .origin = start};
    return EM_OK;
}

void em_draft_drop(em_draft *draft)
{
    free(draft->pieces);
    free(draft->spare);
    *draft = (em_draft){0};
}

/* ---- Looking at it ------------------------------------------------------------------------ */

/* The piece that holds the byte at `offset`; draft->count at the end of the draft. */
static size_t piece_at(const em_draft *draft, size_t offset)
{
    size_t low = 0, high = draft->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const em_piece *piece = &draft->pieces[middle];
        if (piece->at + piece->bytes.len <= offset)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static char byte_at(const em_draft *draft, size_t offset)
{
    const em_piece *piece = &draft->pieces[piece_at(draft, offset)];
    return piece->bytes.ptr[offset - piece->at];
}

/* Copy [start, end) to `out`. */
static void draft_copy(const em_draft *draft, em_span span, char *out)
{
    for (size_t i = piece_at(draft, span.start); span.start < span.end; i++) {
        const em_piece *piece = &draft->pieces[i];
        size_t from = span.start - piece->at;
        size_t length = piece->bytes.len - from;
        if (length > span.end - span.start)
            length = span.end - span.start;
        memcpy(out, piece->bytes.ptr + from, length);
        out += length;
        span.start += length;
    }
}

em_status em_draft_slice(const em_draft *draft, em_span span, em_arena *arena, em_slice *out)
{
    *out = (em_slice){0};
    if (span.start == span.end)
        return EM_OK;
    const em_piece *piece = &draft->pieces[piece_at(draft, span.start)];
    if (span.end <= piece->at + piece->bytes.len) {
        *out = em_slice_sub(piece->bytes, span.start - piece->at, span.end - piece->at);
        return EM_OK;
    }
    char *joined = em_alloc_raw(arena, span.end - span.start);
    if (!joined)
        return EM_E_NOMEM;
    draft_copy(draft, span, joined);
    *out = em_slice_make(joined, span.end - span.start);
    return EM_OK;
}

static bool is_eol_byte(char byte)
{
    return byte == '\n' || byte == '\r';
}

static bool continues_code_point(char byte)
{
    return ((unsigned char)byte & 0xC0) == 0x80;
}

static size_t line_start(const em_draft *draft, size_t offset, size_t reach)
{
    size_t least = offset > reach ? offset - reach : 0;
    size_t start = offset;
    while (start > least && !is_eol_byte(byte_at(draft, start - 1)))
        start--;
    while (start < offset && continues_code_point(byte_at(draft, start)))
        start++;
    return start;
}

/* The end of the line that holds the byte at `offset`, without its ending; `most` at the latest. */
static size_t line_end(const em_draft *draft, size_t offset, size_t most)
{
    size_t end = offset;
    while (end < most && !is_eol_byte(byte_at(draft, end)))
        end++;
    while (end > offset && end < draft->length && continues_code_point(byte_at(draft, end)))
        end--;
    bool inside_crlf = end < draft->length && end > 0 && byte_at(draft, end) == '\n' &&
                       byte_at(draft, end - 1) == '\r';
    return inside_crlf ? end - 1 : end;
}

em_span em_draft_lines_around(const em_draft *draft, em_span span, size_t reach)
{
    /* A span that ends in a line ending has its last byte in the line that this ends. */
    size_t last = span.end > span.start ? span.end - 1 : span.end;
    size_t most = draft->length - span.end > reach ? span.end + reach : draft->length;
    em_span lines = {line_start(draft, span.start, reach), line_end(draft, last, most)};
    if (lines.end < lines.start)
        lines.end = lines.start;
    return lines;
}

em_span em_draft_origin(const em_draft *draft, em_span span, bool *inserted)
{
    size_t first = piece_at(draft, span.start);
    *inserted = false;
    if (first == draft->count)
        return (em_span){draft->body.len, draft->body.len};
    const em_piece *piece = &draft->pieces[first];
    *inserted = piece->inserted;
    em_span origin;
    origin.start = piece->origin + (piece->inserted ? 0 : span.start - piece->at);
    origin.end = origin.start;
    if (span.end > span.start) {
        piece = &draft->pieces[piece_at(draft, span.end - 1)];
        origin.end = piece->origin + (piece->inserted ? 0 : span.end - piece->at);
    }
    return origin;
}

/* ---- Searching it ------------------------------------------------------------------------- */

typedef struct finder {
    const em_draft *draft;
    em_needle needle;
    bool widen; /* a match between CR and LF is to begin at the CR */
    char *window;
    em_arena *arena;
    em_spans found;
    size_t room;
} finder;

static em_status finder_add(finder *f, size_t start)
{
    size_t end = start + f->needle.bytes.len;
    if (f->widen && start > 0 && byte_at(f->draft, start - 1) == '\r')
        start--;
    void *items = f->found.items;
    EM_TRY(em_arena_grow(f->arena, &items, f->found.count, &f->room, sizeof(em_span)));
    f->found.items = items;
    f->found.items[f->found.count++] = (em_span){start, end};
    return EM_OK;
}

/* A match that begins in `piece` at or after draft offset *from and ends in a later piece. There is
 * at most one, since a second would have to begin behind the first. */
static em_status find_across_end(finder *f, const em_piece *piece, size_t *from)
{
    size_t border = piece->at + piece->bytes.len;
    size_t reach = f->needle.bytes.len - 1;
    size_t start = border - *from > reach ? border - reach : *from;
    size_t end = f->draft->length - border > reach ? border + reach : f->draft->length;
    if (end == border || start == border)
        return EM_OK;
    if (!f->window && !(f->window = em_alloc_raw(f->arena, 2 * reach)))
        return EM_E_NOMEM;
    draft_copy(f->draft, (em_span){start, end}, f->window);
    size_t hit = em_find(&f->needle, em_slice_make(f->window, end - start), 0);
    if (hit == EM_NPOS)
        return EM_OK;
    *from = start + hit + f->needle.bytes.len;
    return finder_add(f, start + hit);
}

em_status em_draft_find(const em_draft *draft, em_slice needle, em_arena *arena, em_spans *found)
{
    finder f = {.draft = draft, .arena = arena};
    em_needle_init(&f.needle, needle);
    f.widen = needle.ptr[0] == '\n' && !em_slice_has_byte(needle, '\r');
    size_t from = 0;
    for (size_t i = 0; i < draft->count; i++) {
        const em_piece *piece = &draft->pieces[i];
        size_t border = piece->at + piece->bytes.len;
        if (border <= from)
            continue;
        if (from < piece->at)
            from = piece->at;
        size_t hit;
        while ((hit = em_find(&f.needle, piece->bytes, from - piece->at)) != EM_NPOS) {
            EM_TRY(finder_add(&f, piece->at + hit));
            from = piece->at + hit + needle.len;
        }
        EM_TRY(find_across_end(&f, piece, &from));
        if (from < border)
            from = border;
    }
    *found = f.found;
    return EM_OK;
}

/* ---- Changing it -------------------------------------------------------------------------- */

/* The next state of a draft while it is made from the present one. */
typedef struct rebuild {
    const em_draft *from;
    em_piece *pieces;
    size_t count, length;
    size_t piece, offset; /* what comes next of the present state: this byte of this piece */
} rebuild;

static void rebuild_add(rebuild *r, em_slice bytes, size_t origin, bool inserted)
{
    if (bytes.len == 0)
        return;
    r->pieces[r->count++] = (em_piece){bytes, r->length, origin, inserted};
    r->length += bytes.len;
}

/* Go on to draft offset `end`; what lies before it is kept or dropped. */
static void rebuild_advance(rebuild *r, size_t end, bool keep)
{
    while (r->piece < r->from->count) {
        const em_piece *piece = &r->from->pieces[r->piece];
        size_t here = piece->at + r->offset;
        if (here >= end)
            return;
        size_t stop = piece->bytes.len;
        if (end - piece->at < stop)
            stop = end - piece->at;
        if (keep)
            rebuild_add(r, em_slice_sub(piece->bytes, r->offset, stop),
                        piece->origin + (piece->inserted ? 0 : r->offset), piece->inserted);
        r->offset = stop;
        if (stop == piece->bytes.len) {
            r->piece++;
            r->offset = 0;
        }
    }
}

/* Where the original goes on from here. */
static size_t rebuild_origin(const rebuild *r)
{
    if (r->piece == r->from->count)
        return r->from->body.len;
    const em_piece *piece = &r->from->pieces[r->piece];
    return piece->origin + (piece->inserted ? 0 : r->offset);
}

em_status em_draft_apply(em_draft *draft, em_splices splices)
{
    /* Each splice cuts one piece in two at most, and adds one. */
    size_t need = draft->count + 2 * splices.count + 1;
    if (draft->spare_room < need) {
        em_piece *bigger = realloc(draft->spare, 2 * need * sizeof *bigger);
        if (!bigger)
            return EM_E_NOMEM;
        draft->spare = bigger;
        draft->spare_room = 2 * need;
    }
    rebuild r = {.from = draft, .pieces = draft->spare};
    for (size_t i = 0; i < splices.count; i++) {
        const em_splice *splice = &splices.items[i];
        rebuild_advance(&r, splice->offset, true);
        rebuild_add(&r, splice->insert, rebuild_origin(&r), true);
        rebuild_advance(&r, splice->offset + splice->length, false);
    }
    rebuild_advance(&r, draft->length, true);

    size_t room = draft->room;
    draft->spare = draft->pieces;
    draft->room = draft->spare_room;
    draft->spare_room = room;
    draft->pieces = r.pieces;
    draft->count = r.count;
    draft->length = r.length;
    return EM_OK;
}

/* ---- What it became ----------------------------------------------------------------------- */

/* Take off the code points that a splice shares with what it replaces. */
static em_splice splice_trimmed(em_slice body, em_splice splice)
{
    em_slice old = em_slice_sub(body, splice.offset, splice.offset + splice.length);
    em_slice new = splice.insert;
    size_t most = old.len < new.len ? old.len : new.len;
    size_t head = 0;
    while (head < most && old.ptr[head] == new.ptr[head])
        head++;
    while (head > 0 && ((head < old.len && continues_code_point(old.ptr[head])) ||
                        (head < new.len &&continues_code_point(new.ptr[head]))))
        head--;
    size_t tail = 0;
    while (tail < most - head && old.ptr[old.len - tail - 1] == new.ptr[new.len - tail - 1])
        tail++;
    while (tail > 0 && continues_code_point(old.ptr[old.len - tail]))
        tail--;
    return (em_splice){.offset = splice.offset + head,
                       .length = old.len - head - tail,
                       .insert = em_slice_sub(new, head, new.len - tail)};
}

/* The inserted pieces [first, end) as one run of bytes. */
static em_status inserted_bytes(const em_draft *draft, size_t first, size_t end, em_arena *arena,
                                em_slice *out)
{
    *out = (em_slice){0};
    if (first == end)
        return EM_OK;
    const em_piece *last = &draft->pieces[end - 1];
    em_span span = {draft->pieces[first].at, last->at + last->bytes.len};
    return em_draft_slice(draft, span, arena, out);
}

em_status em_draft_splices(const em_draft *draft, em_arena *arena, em_splices *out)
{
    em_splice *items = em_alloc_array(arena, draft->count + 1, sizeof *items);
    if (!items)
        return EM_E_NOMEM;
    size_t count = 0, covered = draft->start, first_inserted = 0;
    for (size_t i = 0; i <= draft->count; i++) {
        const em_piece *piece = i < draft->count ? &draft->pieces[i] : NULL;
        if (piece && piece->inserted)
            continue;
        size_t origin = piece ? piece->origin : draft->body.len;
        em_splice splice = {.offset = covered, .length = origin - covered};
        EM_TRY(inserted_bytes(draft, first_inserted, i, arena, &splice.insert));
        splice = splice_trimmed(draft->body, splice);
        if (splice.length > 0 || splice.insert.len > 0)
            items[count++] = splice;
        covered = piece ? origin + piece->bytes.len : origin;
        first_inserted = i + 1;
    }
    *out = (em_splices){items, count};
    return EM_OK;
}
