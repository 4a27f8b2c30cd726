/* mend.c: saying what is wrong with a selector, and what should stand there instead. */
#include "selectors/parser.h"

#include "base/strbuf.h"
#include "selectors/ascii.h"
#include "text/similarity.h"

#include <stdio.h>

enum { LONG_NAME = 6, LONGEST_NAME = 64 };

em_status em_parse_fail(em_parser *parser, size_t at, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(parser->error->reason, sizeof parser->error->reason, format, args);
    va_end(args);
    parser->error->at = at;
    return parser->no_memory ? EM_E_NOMEM : EM_E_INVALID;
}

void em_parse_mend(em_parser *parser, size_t start, size_t end, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    char *text = em_arena_format_v(parser->arena, format, args);
    va_end(args);
    parser->no_memory |= !text;
    parser->mend = (em_mend){
        .likely = text != NULL, .range = {start, end}, .text = em_slice_of(text ? text : "")};
}

em_status em_parse_fail_sign(em_parser *parser, size_t at)
{
    em_slice text = parser->scan.text;
    size_t start = at;
    while (start > 0 && text.ptr[start - 1] == '\\')
        start--;
    em_parse_mend(parser, start, at, "\\");
    return em_parse_fail(parser, at,
                         start < at ? "'%c' in a name needs one backslash before it, not more"
                                    : "'%c' in a name needs a backslash before it",
                         text.ptr[at]);
}

size_t em_css_trimmed_end(em_slice text)
{
    size_t end = text.len;
    while (end > 0 && em_ascii_blank(text.ptr[end - 1])) {
        size_t slashes = 0;
        while (slashes + 1 < end && text.ptr[end - 2 - slashes] == '\\')
            slashes++;
        if (slashes % 2 == 1)
            break;
        end--;
    }
    return end;
}

static size_t string_end(em_slice text, size_t open)
{
    for (size_t at = open + 1; at < text.len; at++) {
        if (text.ptr[at] == text.ptr[open])
            return at;
        at += text.ptr[at] == '\\';
    }
    return text.len;
}

size_t em_parse_closing(const em_parser *parser, size_t open)
{
    em_slice text = parser->scan.text;
    char opens = text.ptr[open], closes = opens == '(' ? ')' : ']';
    size_t depth = 0;
    for (size_t at = open; at < text.len; at++) {
        char c = text.ptr[at];
        if (c == '\\')
            at++;
        else if (c == '"' || c == '\'')
            at = string_end(text, at);
        else if (c == opens)
            depth++;
        else if (c == closes && --depth == 0)
            return at;
    }
    return EM_NPOS;
}

/* ---- Names ----------------------------------------------------------------------------------- */

/* Do two neighbours stand the wrong way round, and is all else the same? */
static bool is_swap(em_slice a, em_slice b)
{
    size_t at = 0;
    if (a.len != b.len)
        return false;
    while (at < a.len && a.ptr[at] == b.ptr[at])
        at++;
    return at + 1 < a.len && a.ptr[at] == b.ptr[at + 1] && a.ptr[at + 1] == b.ptr[at] &&
           em_slice_eq(em_slice_from(a, at + 2), em_slice_from(b, at + 2));
}

const char *em_parse_nearest(em_parser *parser, em_slice name, const char *const *names)
{
    char lower[LONGEST_NAME];
    const char *nearest = NULL;
    size_t nearest_far = name.len < LONG_NAME ? 2 : 3;
    if (name.len < 2 || name.len > sizeof lower)
        return NULL;
    for (size_t i = 0; i < name.len; i++)
        lower[i] = em_to_lower(name.ptr[i]);
    em_slice wanted = em_slice_make(lower, name.len);
    for (; *names; names++) {
        size_t far = 1;
        em_slice known = em_slice_of(*names);
        if (!is_swap(wanted, known))
            parser->no_memory |= em_distance(wanted, known, NULL, &far) != EM_OK;
        if (far >= nearest_far || (far == known.len && far > 0))
            continue;
        nearest = *names;
        nearest_far = far;
    }
    return nearest;
}

/* As CSSOM serialises an identifier. */
char *em_css_escape(em_slice name, em_arena *arena)
{
    EM_AUTO(em_strbuf) out = {0};
    bool dash = name.len > 0 && name.ptr[0] == '-';
    for (size_t i = 0; i < name.len; i++) {
        int byte = (unsigned char)name.ptr[i];
        bool begins = i == 0 || (i == 1 && dash);
        if (byte < ' ' || byte == 0x7F || (begins && em_ascii_digit(byte)))
            em_strbuf_printf(&out, "\\%x ", (unsigned)byte);
        else if (!em_scan_is_name(byte) || (dash && name.len == 1))
            em_strbuf_printf(&out, "\\%c", byte);
        else
            em_strbuf_putc(&out, (char)byte);
    }
    return em_strbuf_finish(&out, arena);
}
