/* placed.h: an edit with its place in a text, for what is done to such a place. */
#ifndef EM_TESTS_UNIT_LAYING_PLACED_H
#define EM_TESTS_UNIT_LAYING_PLACED_H

#include "match/tolerant.h"
#include "scarce_arena.h"
#include "tokens/redline.h"

/* The one place of the search text, in whatever writing. */
static inline em_status place_of(const char *what, const char *text, const char *find,
                                 const char *insert, em_arena *arena, em_tolerant_place *place)
{
    em_places found;
    EM_TRY(em_tolerant_find(em_slice_of(text), em_slice_of(find), em_slice_of(insert),
                            EM_FOLD_WRITING, NULL, arena, &found));
    check_size(what, found.count, 1);
    *place = found.items[0];
    return EM_OK;
}

static inline em_status tokened_of(em_slice text, em_arena *arena, em_tokened *out)
{
    *out = (em_tokened){.text = text};
    return em_tokens_of(text, EM_FOLD_WRITING, arena, &out->tokens);
}

/* The tokens of the search text are those of its bytes, and each is the file's. */
static inline void check_tokens(const char *what, em_slice text, const em_tolerant_place *place)
{
    EM_AUTO(em_arena) arena = {0};
    em_tokens tokens;
    assert_int_equal(em_tokens_of(place->find, place->fold, &arena, &tokens), EM_OK);
    check_size(what, place->find_tokens.count, tokens.count);
    for (size_t i = 0; i < tokens.count; i++) {
        em_slice own = em_token_bytes(place->find, tokens.items[i]);
        check_bytes(what, em_token_bytes(place->find, place->find_tokens.items[i]), own);
        assert_true(em_token_same(own, em_token_bytes(text, place->tokens[i]), place->fold));
    }
}

#endif
