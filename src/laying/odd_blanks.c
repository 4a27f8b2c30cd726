#include "laying/odd_blanks.h"

#include "base/ascii.h"
#include "base/strbuf.h"
#include "base/utf8.h"
#include "match/token_line.h"
#include "text/folded.h"
#include "text/span.h"

typedef enum extent { NONE, INDENTATION, ALL } extent;

/* The length of what stands at `at` for a blank (*is_blank), or for nothing; 0: it is something
 * else. (Joiners are parts of signs that others make up.) */
static size_t odd_length(em_slice s, size_t at, bool *is_blank)
{
    size_t end = at, length = em_is_beyond_ascii(s.ptr[at]) ? em_blank_at(s, at) : 0;
    *is_blank = length > 0;
    uint32_t code = *is_blank ? 0 : em_utf8_next(s, &end);
    bool has_no_width = code == 0x200B || code == 0x2060 || code == 0xFEFF;
    return has_no_width ? end - at : length;
}

static bool has_odd(em_slice s)
{
    bool unused;
    for (size_t at = 0; at < s.len; at++)
        if (odd_length(s, at, &unused) > 0)
            return true;
    return false;
}

/* What is there of the file, without its byte order mark. */
static em_slice text_around(em_slice text, const em_tolerant_place *place)
{
    static const em_slice mark = {"\xEF\xBB\xBF", 3};
    em_span around = em_span_widened(text, place->span, EM_ODD_BLANKS_REACH);
    if (around.start == 0 && em_slice_starts(text, mark))
        around.start = mark.len;
    return em_slice_sub(text, around.start, around.end);
}

/* Has the search text lines that are indented with such, and the file none of these? */
static bool is_wrongly_indented(em_slice text, const em_tolerant_place *place)
{
    em_tokened find = em_place_find(place);
    em_slice wanted, seen;
    bool any = false;
    for (size_t i = 0; i < find.tokens.count; i++) {
        if (!em_line_indent(find, i, &wanted) || !has_odd(wanted))
            continue;
        if (em_seen_indent(text, place, i, &seen) && has_odd(seen))
            return false;
        any = true;
    }
    return any;
}

static extent extent_of(em_slice text, const em_tolerant_place *place)
{
    if (place->fold == EM_FOLD_NOTHING || !has_odd(place->find))
        return NONE;
    if (!has_odd(text_around(text, place)))
        return ALL;
    return is_wrongly_indented(text, place) ? INDENTATION : NONE;
}

static void add_blanks(em_strbuf *out, em_slice gap)
{
    for (size_t at = 0; at < gap.len;) {
        bool is_blank;
        size_t length = odd_length(gap, at, &is_blank);
        if (length == 0 || is_blank)
            em_strbuf_putc(out, is_blank ? ' ' : gap.ptr[at]);
        at += length > 0 ? length : 1;
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

em_status em_without_odd_blanks(em_slice text, const em_tolerant_place *place, em_arena *arena,
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
