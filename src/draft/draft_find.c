/* draft_find.c: where a text stands in a draft, piece by piece and across their borders. */
#include "draft/draft_impl.h"

#include "text/search.h"

typedef struct finder {
    const em_draft *draft;
    em_needle needle;
    bool widen; /* a match between CR and LF is to begin at the CR */
    char *window;
    em_arena *arena;
    em_found *found;
} finder;

static em_status finder_add(finder *f, size_t start)
{
    size_t end = start + f->needle.bytes.len;
    if (f->widen && start > 0 && em_draft_byte(f->draft, start - 1) == '\r')
        start--;
    return em_found_add(f->found, (em_span){start, end}, f->arena);
}

/* Every match in `bytes`, which begin at `start`, from *from on, which moves behind the last. */
static em_status find_in(finder *f, em_slice bytes, size_t start, size_t *from)
{
    size_t hit;
    while ((hit = em_find(&f->needle, bytes, *from - start)) != EM_NPOS) {
        EM_TRY(finder_add(f, start + hit));
        *from = start + hit + f->needle.bytes.len;
    }
    return EM_OK;
}

/* A match that begins in the piece before `border` at or after draft offset *from and ends behind
 * it. There is at most one, since a second would have to begin behind the first. */
static em_status find_across(finder *f, size_t border, size_t *from)
{
    size_t reach = f->needle.bytes.len - 1;
    size_t start = border - *from > reach ? border - reach : *from;
    size_t end = f->draft->length - border > reach ? border + reach : f->draft->length;
    if (end == border || start == border)
        return EM_OK;
    if (!f->window && !(f->window = em_alloc_raw(f->arena, 2 * reach)))
        return EM_E_NOMEM;
    em_draft_copy(f->draft, (em_span){start, end}, f->window);
    size_t hit = em_find(&f->needle, em_slice_make(f->window, end - start), 0);
    if (hit == EM_NPOS)
        return EM_OK;
    *from = start + hit + f->needle.bytes.len;
    return finder_add(f, start + hit);
}

static em_status find_in_pieces(finder *f)
{
    size_t from = 0;
    for (em_cursor at = {0, 0}; at.chunk < f->draft->chunk_count;
         at = em_draft_next_piece(f->draft, at)) {
        size_t start = em_draft_start(f->draft, at);
        em_slice bytes = em_draft_piece(f->draft, at)->bytes;
        size_t border = start + bytes.len;
        if (border <= from)
            continue;
        if (from < start)
            from = start;
        EM_TRY(find_in(f, bytes, start, &from));
        EM_TRY(find_across(f, border, &from));
        if (from < border)
            from = border;
    }
    return EM_OK;
}

em_status em_draft_find_in(const em_draft *draft, em_span part, em_slice needle, em_arena *arena,
                           em_found *found)
{
    finder f = {.draft = draft, .arena = arena, .found = found};
    em_needle_init(&f.needle, needle);
    f.widen = em_takes_crlf(needle);
    bool whole = part.start == 0 && part.end == draft->length;
    /* What is looked at twice around the borders must not be more than the text. */
    if (!whole || (draft->piece_count > 1 && needle.len > draft->length / draft->piece_count / 2)) {
        em_slice text;
        size_t from = part.start;
        EM_TRY(whole ? em_draft_text(draft, arena, &text)
                     : em_draft_slice(draft, part, arena, &text));
        EM_TRY(find_in(&f, text, part.start, &from));
    } else {
        EM_TRY(find_in_pieces(&f));
    }
    return EM_OK;
}
