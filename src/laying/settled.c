#include "laying/settled.h"

#include "match/place_edges.h"
#include "text/span.h"

/* Does the place end its line, whatever blanks follow, or else the search text not end in a line
 * ending? */
static bool ends_as_found(em_slice text, const em_tolerant_place *place)
{
    em_tokened find = em_place_find(place);
    return em_gap_of(em_tokened_gap(find, find.tokens.count)) != EM_GAP_BREAK ||
           em_gap_behind_place(text, place) == EM_GAP_BREAK;
}

/* Has what comes there the words and signs that the file has there? Not those of the search text,
 * which may have slips and lack comments. Most edits change one of them, and soon. */
static bool has_same_words(const em_laying *l, em_fold fold)
{
    em_slice result = l->laid.text,
             seen = em_slice_sub(l->text, l->place.span.start, l->place.span.end);
    em_token there = {0}, here = {0};
    bool goes_on = true, same = true;
    while (goes_on && same) {
        goes_on = em_token_next(seen, there.end, fold, &there);
        same = em_token_next(result, here.end, fold, &here) == goes_on &&
               (!goes_on ||
                em_token_same(em_token_bytes(seen, there), em_token_bytes(result, here), fold));
    }
    return same;
}

/* The place's tokens in what comes there, which has the same words; *same is false where the place
 * has tokens that the file has not there. */
static em_status tokens_again(const em_laying *l, em_token **again, bool *same)
{
    const em_tolerant_place *place = &l->place;
    em_tokens there, here;
    size_t next = 0, count = place->find_tokens.count;
    EM_TRY(em_tokens_of(em_slice_sub(l->text, place->span.start, place->span.end), place->fold,
                        l->arena, &there));
    EM_TRY(em_tokens_of(l->laid.text, place->fold, l->arena, &here));
    *again = em_alloc_array(l->arena, count, sizeof **again);
    if (!*again)
        return EM_E_NOMEM;
    for (size_t i = 0; i < there.count; i++)
        if (next < count && place->span.start + there.items[i].start == place->tokens[next].start)
            (*again)[next++] = here.items[i];
    *same = next == count;
    return EM_OK;
}

/* The text around the place with the result in it, and the place as it is found there again; *same
 * is false where it is not, since its line goes on. */
static em_status after(const em_laying *l, em_slice *around, em_tolerant_place *again, bool *same)
{
    const em_tolerant_place *place = &l->place;
    em_slice text = l->text, result = l->laid.text;
    em_token *tokens;
    em_span span = place->span, wide = em_span_widened(text, span, EM_SETTLED_REACH);
    EM_TRY(tokens_again(l, &tokens, same));
    if (!*same)
        return EM_OK;
    size_t length = span.start - wide.start + result.len + wide.end - span.end;
    char *bytes = em_alloc_raw(l->arena, length);
    if (!bytes)
        return EM_E_NOMEM;
    memcpy(bytes, text.ptr + wide.start, span.start - wide.start);
    memcpy(bytes + span.start - wide.start, result.ptr, result.len);
    memcpy(bytes + length - (wide.end - span.end), text.ptr + span.end, wide.end - span.end);
    *around = em_slice_make(bytes, length);
    for (size_t i = 0; i < place->find_tokens.count; i++) {
        tokens[i].start += span.start - wide.start;
        tokens[i].end += span.start - wide.start;
    }
    *again = *place;
    again->tokens = tokens;
    again->span = em_place_span(*around, place->find, place->find_tokens, tokens, place->fold);
    *same = ends_as_found(*around, again);
    return em_adjust_place_edges(*around, (em_places){again, 1}, l->arena);
}

static em_status is_settled(const em_laying *l, bool *settled)
{
    em_tolerant_place again;
    em_slice around;
    em_laid laid;
    bool same, unused;
    *settled = true;
    if (!has_same_words(l, l->place.fold))
        return EM_OK;
    EM_TRY(after(l, &around, &again, &same));
    if (!same)
        return EM_OK;
    EM_TRY(em_transplant_difference(around, &again, l->dominant, l->arena, &laid, &unused));
    *settled = em_slice_eq(laid.text, em_slice_sub(around, again.span.start, again.span.end));
    return EM_OK;
}

/* The same edit as a tier finds it that takes writings for the same. *same is false where what is a
 * word or a sign for the one is none, or another one, for the other. */
static em_status in_any_writing(const em_laying *l, em_laying *loose, bool *same)
{
    em_tolerant_place *place = &loose->place;
    em_tokens there;
    *loose = *l;
    place->fold = EM_FOLD_WRITING;
    EM_TRY(em_tokens_of(place->find, place->fold, l->arena, &place->find_tokens));
    EM_TRY(em_tokens_of(em_slice_sub(l->text, place->span.start, place->span.end), place->fold,
                        l->arena, &there));
    *same = there.count > 0 && there.count == place->find_tokens.count;
    for (size_t i = 0; i < there.count; i++) {
        there.items[i].start += place->span.start;
        there.items[i].end += place->span.start;
    }
    place->tokens = there.items;
    return EM_OK;
}

/* Where only blanks change, or the writing, the search text is found again afterwards: then nothing
 * may be left to change, else the edit would be made once more each time. */
em_status em_is_settled(const em_laying *l, bool *settled)
{
    em_laying loose;
    bool same;
    EM_TRY(is_settled(l, settled));
    if (!*settled || l->place.fold != EM_FOLD_NOTHING || l->place.score < 1 ||
        !has_same_words(l, EM_FOLD_WRITING))
        return EM_OK;
    EM_TRY(in_any_writing(l, &loose, &same));
    return same ? is_settled(&loose, settled) : EM_OK;
}
