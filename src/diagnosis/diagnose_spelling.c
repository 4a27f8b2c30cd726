/* diagnose_spelling.c: a caller's texts in the letters of the file. */
#include "diagnosis/diagnose_impl.h"

#include "base/strbuf.h"
#include "tokens/redline.h"

/* A caller's text with the file's words in the place of those that stand there in another case.
 * origin[i] is the token of the place that token i is; EM_NPOS where it is new. */
static em_status spelt(em_slice text, const em_tolerant_place *place, em_tokened t,
                       const size_t *origin, em_arena *arena, em_slice *out)
{
    EM_AUTO(em_strbuf) buf = {0};
    size_t last = 0;
    for (size_t i = 0; i < t.tokens.count; i++) {
        em_slice sent = em_tokened_token(t, i), seen = sent;
        if (origin[i] != EM_NPOS && em_token_is_word(sent))
            seen = em_token_bytes(text, place->tokens[origin[i]]);
        em_strbuf_add(&buf, em_slice_sub(t.text, last, t.tokens.items[i].start));
        em_strbuf_add(&buf, em_token_same(sent, seen, EM_FOLD_WRITING) ? sent : seen);
        last = t.tokens.items[i].end;
    }
    em_strbuf_add(&buf, em_slice_from(t.text, last));
    return em_strbuf_keep(&buf, arena, out);
}

em_status em_spell_as_file(em_slice text, em_tolerant_place *place, em_arena *arena)
{
    em_tokened find = em_place_find(place), insert = {.text = place->insert};
    size_t *origin, *moved, *same = em_alloc_array(arena, find.tokens.count, sizeof *same);
    if (!same)
        return EM_E_NOMEM;
    for (size_t i = 0; i < find.tokens.count; i++)
        same[i] = i;
    EM_TRY(em_tokens_of(insert.text, EM_FOLD_WRITING, arena, &insert.tokens));
    EM_TRY(em_redline(&find, &insert, arena, &origin));
    EM_TRY(em_redline_moves(&find, &insert, origin, arena, &moved));
    for (size_t i = 0; i < insert.tokens.count; i++)
        if (moved[i] != EM_NPOS)
            origin[i] = moved[i];
    EM_TRY(spelt(text, place, find, same, arena, &place->find));
    EM_TRY(spelt(text, place, insert, origin, arena, &place->insert));
    return em_tokens_of(place->find, EM_FOLD_WRITING, arena, &place->find_tokens);
}
