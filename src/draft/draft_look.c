/* draft_look.c: what a draft holds, and where that comes from.
 *
 * The text in one piece is kept until the next splice. */
#include "draft/draft_impl.h"

#include "base/ascii.h"
#include "base/utf8.h"

/* ---- Bytes ---------------------------------------------------------------------------------- */

/* Single bytes, one near the other. */
typedef struct window {
    const em_draft *draft;
    em_slice bytes; /* of the piece that was looked at last, */
    size_t start;   /* which begins here */
} window;

static char window_byte(window *w, size_t offset)
{
    if (offset - w->start >= w->bytes.len) {
        em_cursor at = em_draft_piece_at(w->draft, offset);
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

static void add_counts(em_counts *sum, em_counts more)
{
    sum->lf += more.lf;
    sum->cr += more.cr;
    sum->crlf += more.crlf;
    sum->chars += more.chars;
}

em_counts em_draft_count(const em_draft *draft, em_span span)
{
    em_counts sum = {0};
    bool behind_cr = false;
    for (size_t at = span.start; at < span.end;) {
        em_cursor cursor = em_draft_piece_at(draft, at);
        size_t skip = at - em_draft_start(draft, cursor);
        em_slice here = em_slice_from(em_draft_piece(draft, cursor)->bytes, skip);
        here = em_slice_sub(here, 0, here.len < span.end - at ? here.len : span.end - at);
        add_counts(&sum, em_count(here, 0, here.len));
        sum.crlf += behind_cr && here.ptr[0] == '\n';
        behind_cr = here.ptr[here.len - 1] == '\r';
        at += here.len;
    }
    return sum;
}

em_eol em_draft_common_eol(const em_draft *draft)
{
    struct em_draft_asked *asked = draft->asked;
    if (!asked->has_counts)
        asked->counts = em_draft_count(draft, (em_span){0, draft->length});
    asked->has_counts = true;
    em_counts counts = asked->counts;
    if (counts.cr == 0)
        return EM_EOL_NONE;
    if (counts.lf == 0)
        return EM_EOL_CR;
    return counts.crlf == counts.lf && counts.crlf == counts.cr ? EM_EOL_CRLF : EM_EOL_NONE;
}

void em_draft_copy(const em_draft *draft, em_span span, char *out)
{
    em_cursor at = em_draft_piece_at(draft, span.start);
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
    em_cursor at = em_draft_piece_at(draft, span.start);
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

/* ---- Lines ---------------------------------------------------------------------------------- */

static bool continues_code_point(window *w, size_t offset)
{
    char byte = window_byte(w, offset);
    return em_utf8_continues(em_slice_make(&byte, 1), 0);
}

static size_t line_start(window *w, size_t offset, size_t reach)
{
    size_t least = offset > reach ? offset - reach : 0;
    size_t start = offset;
    while (start > least && !em_is_line_break(window_byte(w, start - 1)))
        start--;
    while (start < offset && continues_code_point(w, start))
        start++;
    return start;
}

/* The end of the line that holds the byte at `offset`, without its ending; `most` at the latest. */
static size_t line_end(window *w, size_t offset, size_t most)
{
    size_t end = offset, length = w->draft->length;
    while (end < most && !em_is_line_break(window_byte(w, end)))
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

/* ---- Where it comes from -------------------------------------------------------------------- */

/* The same from an offset of the draft. */
static size_t origin_at(const em_draft *draft, size_t offset, bool *inserted)
{
    em_cursor at = em_draft_piece_at(draft, offset);
    const em_piece *piece = em_draft_piece(draft, at);
    *inserted = piece && piece->inserted;
    return piece ? em_piece_origin(piece, offset - em_draft_start(draft, at)) : draft->body.len;
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
        em_cursor cursor = em_draft_piece_at(draft, at);
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
        em_cursor cursor = em_draft_piece_at(draft, at);
        const em_piece *piece = em_draft_piece(draft, cursor);
        size_t start = em_draft_start(draft, cursor);
        if (!piece->inserted)
            return em_piece_origin(piece, at - start);
        at = start + piece->bytes.len;
    }
    return EM_NPOS;
}
