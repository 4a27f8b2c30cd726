/* repair.c: what was probably meant by a selector that is wrong.
 *
 * A parser that fails may say which bytes it takes for wrong. Here they are replaced and the text
 * is compiled again, some rounds long, so that what is suggested always compiles.
 */
#include "selectors/parser.h"

#include "base/strbuf.h"
#include "base/utf8.h"
#include "selectors/ascii.h"

enum { MOST_ROUNDS = 12 };

/* One attempt. EM_E_INVALID with *error filled, but for what is suggested, and *mend. */
static em_status compile_once(em_slice text, em_arena *arena, const em_selector **selector,
                              em_selector_error *error, em_mend *mend)
{
    em_parser parser = {.scan = {text, 0}, .arena = arena, .error = error};
    em_selector *made = em_alloc(arena, sizeof *made);
    em_status status = made ? em_parse_selector(&parser, made) : EM_E_NOMEM;
    *mend = parser.mend;
    if (status == EM_OK)
        *selector = made;
    return status;
}

static em_slice trimmed(em_slice text)
{
    while (text.len > 0 && em_ascii_blank(text.ptr[0]))
        text = em_slice_from(text, 1);
    return em_slice_sub(text, 0, em_css_trimmed_end(text));
}

/* Mend, and what is found to be wrong then, and so on. `instead`: with what may be meant instead.
 */
static em_status suggest(em_slice text, em_mend mend, bool instead, em_arena *arena,
                         em_slice *suggested, em_widening *widening)
{
    em_status status = EM_E_INVALID;
    for (size_t round = 0; status == EM_E_INVALID && mend.likely && round < MOST_ROUNDS; round++) {
        em_selector_error ignored = {0};
        const em_selector *unused;
        if (instead && mend.instead)
            mend.text = em_slice_of(mend.instead);
        *widening = mend.widening > *widening ? mend.widening : *widening;
        EM_TRY(em_spliced(text, mend.range.start, mend.range.end, mend.text, arena, &text));
        if (text.len > EM_SELECTOR_LONGEST)
            return EM_OK;
        status = compile_once(text, arena, &unused, &ignored, &mend);
    }
    if (status == EM_OK)
        *suggested = trimmed(text);
    return status == EM_E_NOMEM ? status : EM_OK;
}

/* What no selector may have, wherever it stands. */
static em_status check_bytes(em_slice text, em_selector_error *error)
{
    em_parser parser = {.error = error};
    size_t invalid = em_utf8_invalid_at(text);
    const char *nul = text.len > 0 ? memchr(text.ptr, '\0', text.len) : NULL;
    if (text.len > EM_SELECTOR_LONGEST)
        return em_parse_fail(&parser, EM_SELECTOR_LONGEST, "the selector is longer than %d bytes",
                             EM_SELECTOR_LONGEST);
    if (invalid != EM_NPOS)
        return em_parse_fail(&parser, invalid, "the selector is not valid UTF-8");
    if (nul)
        return em_parse_fail(&parser, (size_t)(nul - text.ptr), "there is a NUL in the selector");
    return EM_OK;
}

/* Where the whole text means something elsewhere, that is what is told of it, and its mend. */
static em_status look_elsewhere(em_slice text, em_arena *arena, em_selector_error *error,
                                em_mend *mend)
{
    em_parser parser = {.scan = {text, 0}, .arena = arena, .error = error};
    em_status status = em_parse_other_form(&parser);
    if (status == EM_E_INVALID)
        *mend = parser.mend;
    return status == EM_E_NOMEM ? status : EM_OK;
}

em_status em_selector_compile(em_slice text, em_arena *arena, const em_selector **selector,
                              em_selector_error *error)
{
    em_mend mend;
    *error = (em_selector_error){0};
    EM_TRY(check_bytes(text, error));
    char *copy = em_arena_string(arena, text);
    if (!copy)
        return EM_E_NOMEM;
    text = em_slice_make(copy, text.len);
    em_status status = compile_once(text, arena, selector, error, &mend);
    if (status != EM_E_INVALID)
        return status;
    EM_TRY(look_elsewhere(text, arena, error, &mend));
    em_widening unused = EM_WIDENS_NOT;
    EM_TRY(suggest(text, mend, false, arena, &error->suggested, &error->widening));
    if (mend.instead)
        EM_TRY(suggest(text, mend, true, arena, &error->instead, &unused));
    return EM_E_INVALID;
}
