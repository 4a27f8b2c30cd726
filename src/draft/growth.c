#include "draft/growth.h"

/* So much may be held between two ops, whatever the limit; beyond that, so many times the limit. */
enum { BEARABLE_BYTES = 1 << 20, BEARABLE_TIMES = 2 };

static size_t bytes_of_file(const em_text *text)
{
    if (text->extract)
        return text->extract->size;
    return text->map ? text->raw.len : text->body.len;
}

void em_file_growth_init(em_file_growth *growth, const em_text *text, size_t most)
{
    *growth = (em_file_growth){.text = text, .most = most};
    growth->was = growth->now = bytes_of_file(text);
}

static em_status bytes_in_file(const em_file_growth *growth, em_slice utf8, em_arena *arena,
                               size_t *bytes, em_error *err)
{
    em_slice encoded = utf8;
    if (growth->text->map)
        EM_TRY(em_text_encode(growth->text, utf8, arena, &encoded, err));
    *bytes = encoded.len;
    return EM_OK;
}

static em_status bytes_that_go(const em_file_growth *growth, const em_draft *draft, em_span span,
                               em_arena *arena, size_t *bytes, em_error *err)
{
    em_slice text;
    *bytes = span.end - span.start;
    if (!growth->text->map)
        return EM_OK;
    EM_TRY(em_draft_slice(draft, span, arena, &text));
    return bytes_in_file(growth, text, arena, bytes, err);
}

static em_status count(em_file_growth *growth, size_t goes, size_t comes)
{
    growth->now -= goes < growth->now ? goes : growth->now;
    return __builtin_add_overflow(growth->now, comes, &growth->now) ? EM_E_NOMEM : EM_OK;
}

em_status em_file_growth_add(em_file_growth *growth, const em_draft *draft, const em_splice *splice,
                             em_arena *arena, em_error *err)
{
    em_span span = {splice->offset, splice->offset + splice->length};
    size_t goes, comes;
    EM_TRY(bytes_that_go(growth, draft, span, arena, &goes, err));
    EM_TRY(bytes_in_file(growth, splice->insert, arena, &comes, err));
    return count(growth, goes, comes);
}

em_status em_file_growth_replace(em_file_growth *growth, em_slice text, em_slice insert,
                                 size_t places, em_arena *arena, em_error *err)
{
    size_t goes, comes;
    EM_TRY(bytes_in_file(growth, text, arena, &goes, err));
    EM_TRY(bytes_in_file(growth, insert, arena, &comes, err));
    if (__builtin_mul_overflow(goes, places, &goes) ||
        __builtin_mul_overflow(comes, places, &comes))
        return EM_E_NOMEM;
    return count(growth, goes, comes);
}

bool em_file_growth_fits(const em_file_growth *growth)
{
    return growth->most == 0 || growth->now <= growth->most || growth->now <= growth->was;
}

bool em_file_growth_is_bearable(const em_file_growth *growth)
{
    return em_file_growth_fits(growth) || growth->now <= BEARABLE_BYTES ||
           growth->now / BEARABLE_TIMES <= growth->most;
}
