/* diagnose_correction.c: what to send, so that it is found where it was meant. */
#include "diagnosis/diagnose_impl.h"

#include "diagnosis/rebase.h"
#include "laying/laying.h"
#include "text/search.h"

void em_correct(const em_question *q, em_span span, em_slice insert, em_diagnosis *d)
{
    bool inserted;
    em_span origin = em_draft_origin(q->draft, span, &inserted);
    d->has_correction = span.start >= q->within.start && span.end <= q->within.end;
    d->correction =
        (em_correction){.find = em_slice_sub(q->text, span.start, span.end),
                        .insert = insert,
                        .line = em_lines_at(q->lines, origin.start),
                        .end_line = em_lines_at(
                            q->lines, origin.end > origin.start ? origin.end - 1 : origin.start)};
}

/* `insert` with what `wide` has beyond `span` on both sides. */
static em_status widen_insert(em_slice text, em_span span, em_span wide, em_arena *arena,
                              em_slice *insert)
{
    size_t before = span.start - wide.start, behind = wide.end - span.end;
    char *bytes = em_alloc_raw(arena, before + insert->len + behind);
    if (!bytes)
        return EM_E_NOMEM;
    memcpy(bytes, text.ptr + wide.start, before);
    if (insert->len > 0)
        memcpy(bytes + before, insert->ptr, insert->len);
    memcpy(bytes + before + insert->len, text.ptr + span.end, behind);
    *insert = em_slice_make(bytes, before + insert->len + behind);
    return EM_OK;
}

/* What a place is to become, where that can be told: it can be trusted, and is not there already.
 */
static em_status becomes(const em_question *q, const em_tolerant_place *place, em_arena *arena,
                         em_slice *insert, bool *clear)
{
    em_laying_verdict verdict;
    EM_TRY(em_lay_judged(q->text, place, em_lines_dominant(q->lines), q->deadline, arena, insert,
                         &verdict));
    *clear = verdict == EM_LAY_CHANGES;
    return EM_OK;
}

static em_status correct_one(const em_question *q, const em_tolerant_place *place, em_arena *arena,
                             em_diagnosis *d)
{
    em_slice insert;
    em_span wide = {place->span.start - q->part.start, place->span.end - q->part.start};
    bool clear;
    EM_TRY(becomes(q, place, arena, &insert, &clear));
    if (!clear || em_widen_until_unique(q->in->text, &wide) != EM_OK)
        return EM_OK;
    wide = (em_span){wide.start + q->part.start, wide.end + q->part.start};
    EM_TRY(widen_insert(q->text, place->span, wide, arena, &insert));
    em_correct(q, wide, insert, d);
    return EM_OK;
}

size_t em_count_literally(em_slice text, em_slice find)
{
    em_needle needle;
    if (find.len == 0)
        return 0;
    em_needle_init(&needle, find);
    return em_find_count(&needle, text);
}

/* Several places that are to change alike can be named at once if they are written alike, and
 * nothing else is. */
static em_status correct_all(const em_question *q, const em_places *places, em_arena *arena,
                             em_diagnosis *d)
{
    em_slice first = em_slice_sub(q->text, places->items[0].span.start, places->items[0].span.end);
    em_slice insert = {0};
    enum { LAYING_WORK = 64 << 10 }; /* with a look at the lines around */
    for (size_t i = 0; i < places->count; i++) {
        const em_tolerant_place *place = &places->items[i];
        if (em_deadline_spend(q->deadline, LAYING_WORK))
            return EM_E_TIMEOUT;
        em_slice here;
        bool clear;
        EM_TRY(becomes(q, place, arena, &here, &clear));
        bool alike = clear && (i == 0 || em_slice_eq(here, insert)) &&
                     em_slice_eq(em_slice_sub(q->text, place->span.start, place->span.end), first);
        if (!alike)
            return EM_OK;
        insert = here;
    }
    if (em_count_literally(q->in->text, first) == places->count)
        em_correct(q, places->items[0].span, insert, d);
    return EM_OK;
}

em_status em_correct_places(const em_question *q, const em_places *places, em_arena *arena,
                            em_diagnosis *d)
{
    bool one = places->count == 1;
    return one ? correct_one(q, &places->items[0], arena, d) : correct_all(q, places, arena, d);
}
