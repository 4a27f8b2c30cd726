/* cut_place.c: what the line of the one place has beside it, before the texts and behind them. */
#include "diagnosis/cut_place.h"

#include "base/line.h"
#include "match/midline.h"
#include "text/text.h"

/* The one place that no tier takes, for what stands beside it; NULL: there is none. */
static em_status find_refused(em_occurrences *in, const em_near_miss *sent, em_deadline *deadline,
                              em_arena *arena, const em_tolerant_place **place)
{
    em_places all;
    *place = NULL;
    EM_TRY(
        em_tolerant_find_in(in, sent->find, sent->insert, EM_FOLD_WRITING, deadline, arena, &all));
    em_places kept = all;
    EM_TRY(em_midline_keep(em_occurrences_and_behind(in), &kept, NULL));
    if (all.count == 1 && kept.count == 0)
        *place = &all.items[0];
    return EM_OK;
}

static em_slice without_lead(em_slice s)
{
    return em_slice_from(s, (size_t)(em_trimmed(s).ptr - s.ptr));
}

static em_slice without_trail(em_slice s)
{
    em_slice words = em_trimmed(s);
    return em_slice_sub(s, 0, words.len > 0 ? (size_t)(words.ptr + words.len - s.ptr) : 0);
}

em_status em_cut_place_of(em_occurrences *in, em_slice find, em_slice insert, em_deadline *deadline,
                          em_arena *arena, em_near_miss *mended, bool *is)
{
    const em_tolerant_place *place;
    em_slice text = em_occurrences_and_behind(in);
    *mended = (em_near_miss){find, insert};
    *is = false;
    EM_TRY(find_refused(in, mended, deadline, arena, &place));
    if (!place)
        return EM_OK;
    em_span span = {place->tokens[0].start, place->tokens[place->find_tokens.count - 1].end};
    size_t start, rest = em_line_length(em_slice_from(text, span.end));
    if (!em_begins_line(text, span.start, &start))
        start = em_line_before(text, span.start);
    em_slice head = without_lead(em_slice_sub(text, start, span.start)),
             tail = without_trail(em_slice_sub(text, span.end, span.end + rest));
    if (head.len > 0 && em_slice_starts(without_lead(insert), head)) {
        mended->insert = without_lead(insert);
        EM_TRY(em_arena_join(arena, head, without_lead(find), &mended->find));
        *is = true;
    }
    if (tail.len > 0 && em_slice_ends(without_trail(insert), tail)) {
        mended->insert = without_trail(mended->insert);
        EM_TRY(em_arena_join(arena, without_trail(mended->find), tail, &mended->find));
        *is = true;
    }
    return EM_OK;
}
