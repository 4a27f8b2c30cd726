/* text.c: bytes as text, and the facts of it. */
#include "api/handles.h"

#include <stdlib.h>

static em_status text_read(em_slice bytes, const char *encoding, emend_text *text, em_error *error)
{
    EM_TRY(em_text_open(bytes, encoding, &text->arena, &text->text, error));
    return em_lines_init(&text->text, &text->arena, &text->lines);
}

emend_status emend_text_new(emend_slice bytes, const char *encoding, emend_text **out,
                            emend_error *err)
{
    em_error error = EM_ERROR_INIT;
    emend_text *text = *out = calloc(1, sizeof *text);
    em_status status = text ? text_read(em_api_slice(bytes), encoding, text, &error) : EM_E_NOMEM;
    if (status == EM_OK)
        return EMEND_OK;
    emend_text_free(text);
    *out = NULL;
    return em_api_fail(status, &error, err);
}

void emend_text_free(emend_text *text)
{
    if (text)
        em_arena_drop(&text->arena);
    free(text);
}

_Static_assert((int)EMEND_EOL_NONE == (int)EM_EOL_NONE, "public line ending");
_Static_assert((int)EMEND_EOL_LF == (int)EM_EOL_LF, "public line ending");
_Static_assert((int)EMEND_EOL_CRLF == (int)EM_EOL_CRLF, "public line ending");
_Static_assert((int)EMEND_EOL_CR == (int)EM_EOL_CR, "public line ending");

emend_facts emend_text_facts(const emend_text *text)
{
    return (emend_facts){.encoding = text->text.charset,
                         .bom_length = text->text.bom_length,
                         .eol = (emend_eol)em_lines_dominant(&text->lines),
                         .lines = em_lines_count(&text->lines)};
}

emend_slice emend_text_bytes(const emend_text *text)
{
    return em_api_public(text->text.raw);
}

emend_slice emend_text_utf8(const emend_text *text)
{
    return em_api_public(em_slice_from(text->text.body, text->text.start));
}

emend_place em_api_place(const emend_text *text, const em_match *match)
{
    em_position start = em_lines_position(&text->lines, match->start);
    em_position end = em_lines_position(&text->lines, match->end);
    return (emend_place){.line = start.line,
                         .column = start.column,
                         .end_line = end.line,
                         .end_column = end.column,
                         .inserted = match->inserted,
                         .tier = (emend_tier)match->tier,
                         .score = match->tier == EM_TIER_EXACT ? 1 : match->score};
}
