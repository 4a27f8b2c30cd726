#include "match/occurrences.h"

#include "text/search.h"

static const em_piece_occurrences *known(const em_occurrences *occurrences, em_slice piece)
{
    const em_piece_occurrences *s = occurrences->first;
    while (s && !em_slice_eq(s->piece, piece))
        s = s->next;
    return s;
}

/* Look for it, until it was seen once more than is kept. */
static em_status look(em_slice text, em_arena *arena, em_piece_occurrences *s)
{
    em_needle needle;
    size_t room = 0;
    em_needle_init(&needle, s->piece);
    for (size_t from = 0; (from = em_find(&needle, text, from)) != EM_NPOS; from++) {
        void *at = s->at;
        if (s->count == EM_MOST_OCCURRENCES)
            return EM_OK;
        EM_TRY(em_arena_grow(arena, &at, s->count, &room, sizeof *s->at));
        s->at = at;
        s->at[s->count++] = from;
    }
    s->all = true;
    return EM_OK;
}

/* Of an excerpt. */
static const em_piece_occurrences unknown = {.all = false};

em_status em_occurrences_of(em_occurrences *occurrences, em_slice piece,
                            const em_piece_occurrences **out)
{
    *out = known(occurrences, piece);
    if (*out)
        return EM_OK;
    if (occurrences->is_excerpt) {
        *out = &unknown;
        return EM_OK;
    }
    em_piece_occurrences *new = em_alloc(occurrences->arena, sizeof *new);
    if (!new)
        return EM_E_NOMEM;
    *new = (em_piece_occurrences){.piece = piece, .next = occurrences->first};
    EM_TRY(look(occurrences->text, occurrences->arena, new));
    occurrences->first = new;
    *out = new;
    return EM_OK;
}

/* Does the whole stand there, whose byte at `offset`, which is no LF, stands at `at`? */
static bool stands_around(em_slice text, em_slice whole, size_t offset, size_t at)
{
    size_t end;
    if (at >= offset && em_slice_starts(em_slice_from(text, at - offset), whole))
        return true;
    return !em_slice_has_byte(whole, '\r') &&
           em_any_eol_around(whole, offset, text, at, &end) != EM_NPOS;
}

/* Where in the whole the piece stands, which stands wherever that does; NULL. */
static const char *within(const em_piece_occurrences *s, em_slice whole)
{
    const char *inside = memmem(whole.ptr, whole.len, s->piece.ptr, s->piece.len);
    return s->all && !em_slice_has_byte(s->piece, '\n') ? inside : NULL;
}

static bool excludes(em_slice text, const em_piece_occurrences *s, em_slice whole)
{
    const char *inside = within(s, whole);
    if (!inside)
        return false;
    for (size_t i = 0; i < s->count; i++)
        if (stands_around(text, whole, (size_t)(inside - whole.ptr), s->at[i]))
            return false;
    return true;
}

bool em_occurrences_exclude(const em_occurrences *occurrences, em_slice whole)
{
    for (const em_piece_occurrences *s = occurrences->first; s; s = s->next)
        if (excludes(occurrences->text, s, whole))
            return true;
    return false;
}

bool em_occurrences_cover(const em_occurrences *occurrences, em_slice whole)
{
    for (const em_piece_occurrences *s = occurrences->first; s; s = s->next)
        if (within(s, whole))
            return true;
    return false;
}
