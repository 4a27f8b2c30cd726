#include "laying/nobreak.h"

#include "base/strbuf.h"
#include "match/token_line.h"
#include "text/span.h"

static const em_slice NOBREAK = {"\xC2\xA0", 2};

typedef enum extent { NONE, INDENTATION, ALL } extent;

static bool has_nobreak(em_slice s)
{
    return s.len > 0 && memmem(s.ptr, s.len, NOBREAK.ptr, NOBREAK.len);
}

/* Has the search text lines that are indented with no-break spaces, and the file none of these? */
static bool is_wrongly_indented(em_slice text, const em_tolerant_place *place)
{
    em_tokened find = em_place_find(place);
    em_slice wanted, seen;
    bool any = false;
    for (size_t i = 0; i < find.tokens.count; i++) {
        if (!em_line_indent(find, i, &wanted) || !has_nobreak(wanted))
            continue;
        if (em_seen_indent(text, place, i, &seen) && has_nobreak(seen))
            return false;
        any = true;
    }
    return any;
}

static extent extent_of(em_slice text, const em_tolerant_place *place)
{
    em_span around = em_span_widened(text, place->span, EM_NOBREAK_REACH);
    if (place->fold == EM_FOLD_NOTHING || !has_nobreak(place->find))
        return NONE;
    if (!has_nobreak(em_slice_sub(text, around.start, around.end)))
        return ALL;
    return is_wrongly_indented(text, place) ? INDENTATION : NONE;
}

static void add_blanks(em_strbuf *out, em_slice gap)
{
    for (size_t at = 0; at < gap.len;) {
        bool is_one = em_slice_starts(em_slice_from(gap, at), NOBREAK);
        em_strbuf_putc(out, is_one ? ' ' : gap.ptr[at]);
        at += is_one ? NOBREAK.len : 1;
    }
}

static void add_gap(em_strbuf *out, em_tokened t, size_t index, extent how)
{
    em_slice gap = em_tokened_gap(t, index), part = gap;
    if (how == INDENTATION && !em_line_indent(t, index, &part))
        part.len = 0;
    em_strbuf_add(out, em_slice_sub(gap, 0, gap.len - part.len));
    add_blanks(out, part);
}

/* Tokens hold no blanks, so they stay as many. */
static em_status convert(em_slice *text, em_fold fold, extent how, em_arena *arena,
                         em_tokens *tokens)
{
    em_tokened t = {.text = *text};
    EM_AUTO(em_strbuf) out = {0};
    EM_TRY(em_tokens_of(t.text, fold, arena, &t.tokens));
    for (size_t i = 0; i <= t.tokens.count; i++) {
        add_gap(&out, t, i, how);
        if (i < t.tokens.count)
            em_strbuf_add(&out, em_tokened_token(t, i));
    }
    EM_TRY(em_strbuf_keep(&out, arena, text));
    return em_tokens_of(*text, fold, arena, tokens);
}

em_status em_without_nobreaks(em_slice text, const em_tolerant_place *place, em_arena *arena,
                              em_tolerant_place *plain)
{
    extent how = extent_of(text, place);
    em_tokens unused;
    *plain = *place;
    if (how == NONE)
        return EM_OK;
    EM_TRY(convert(&plain->find, place->fold, how, arena, &plain->find_tokens));
    return convert(&plain->insert, place->fold, how, arena, &unused);
}
