#include "edit/sightings.h"

#include "text/search.h"

static const em_sighting *known(const em_sightings *sightings, em_slice piece)
{
    const em_sighting *s = sightings->first;
    while (s && !em_slice_eq(s->piece, piece))
        s = s->next;
    return s;
}

/* Look for it, until it was seen once more than is kept. */
static em_status look(em_slice text, em_arena *arena, em_sighting *s)
{
    em_needle needle;
    size_t room = 0;
    em_needle_init(&needle, s->piece);
    for (size_t from = 0; (from = em_find(&needle, text, from)) != EM_NPOS; from++) {
        void *at = s->at;
        if (s->count == EM_MOST_SIGHTINGS)
            return EM_OK;
        EM_TRY(em_arena_grow(arena, &at, s->count, &room, sizeof *s->at));
        s->at = at;
        s->at[s->count++] = from;
    }
    s->all = true;
    return EM_OK;
}

/* Of an excerpt. */
static const em_sighting unknown = {.all = false};

em_status em_sightings_of(em_sightings *sightings, em_slice piece, const em_sighting **out)
{
    *out = known(sightings, piece);
    if (*out)
        return EM_OK;
    if (sightings->is_excerpt) {
        *out = &unknown;
        return EM_OK;
    }
    em_sighting *new = em_alloc(sightings->arena, sizeof *new);
    if (!new)
        return EM_E_NOMEM;
    *new = (em_sighting){.piece = piece, .next = sightings->first};
    EM_TRY(look(sightings->text, sightings->arena, new));
    sightings->first = new;
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
static const char *within(const em_sighting *s, em_slice whole)
{
    const char *inside = memmem(whole.ptr, whole.len, s->piece.ptr, s->piece.len);
    return s->all && !em_slice_has_byte(s->piece, '\n') ? inside : NULL;
}

static bool excludes(em_slice text, const em_sighting *s, em_slice whole)
{
    const char *inside = within(s, whole);
    if (!inside)
        return false;
    for (size_t i = 0; i < s->count; i++)
        if (stands_around(text, whole, (size_t)(inside - whole.ptr), s->at[i]))
            return false;
    return true;
}

bool em_sightings_exclude(const em_sightings *sightings, em_slice whole)
{
    for (const em_sighting *s = sightings->first; s; s = s->next)
        if (excludes(sightings->text, s, whole))
            return true;
    return false;
}

bool em_sightings_cover(const em_sightings *sightings, em_slice whole)
{
    for (const em_sighting *s = sightings->first; s; s = s->next)
        if (within(s, whole))
            return true;
    return false;
}
