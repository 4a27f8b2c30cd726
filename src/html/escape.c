#include "html/escape.h"

#include "base/ascii.h"
#include "base/strbuf.h"
#include "html/code.h"

static const char *entity_of(char byte)
{
    switch (byte) {
    case '&':
        return "&amp;";
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '"':
        return "&quot;";
    default:
        return "&#39;";
    }
}

static em_status finish(em_strbuf *buf, em_arena *arena, em_slice *out)
{
    return em_strbuf_keep(buf, arena, out);
}

em_status em_html_escape(em_slice text, em_arena *arena, em_slice *out)
{
    EM_AUTO(em_strbuf) escaped = {0};
    bool plain = true;
    for (size_t i = 0; i < text.len; i++) {
        char byte = text.ptr[i];
        bool special = em_is_one_of(byte, "&<>");
        plain &= !special;
        em_strbuf_add(&escaped,
                      special ? em_slice_of(entity_of(byte)) : em_slice_sub(text, i, i + 1));
    }
    *out = text;
    return plain ? EM_OK : finish(&escaped, arena, out);
}

/* Behind the code that begins at `at` of a value; `at`: none does. */
static size_t skip_code(em_code_reader *reader, size_t at)
{
    char byte = reader->bytes.ptr[at];
    return byte == '<' || byte == '{' ? em_code_read(reader, at) : at;
}

em_status em_html_escape_value(em_slice value, char quote, em_arena *arena, em_slice *out)
{
    EM_AUTO(em_strbuf) escaped = {0};
    em_code_reader reader = {.bytes = value};
    bool plain = true;
    for (size_t at = 0, end; at < value.len; at = end) {
        char byte = value.ptr[at];
        size_t code = skip_code(&reader, at);
        bool special = code == at && (byte == '&' || (quote && byte == quote));
        end = code > at ? code : at + 1;
        plain &= !special;
        em_strbuf_add(&escaped,
                      special ? em_slice_of(entity_of(byte)) : em_slice_sub(value, at, end));
    }
    *out = value;
    return plain ? EM_OK : finish(&escaped, arena, out);
}

char em_html_quote_for(em_slice value, char preferred)
{
    em_code_reader reader = {.bytes = value};
    char other = preferred == '"' ? '\'' : '"';
    bool has_preferred = false, has_other = false;
    for (size_t at = 0, end; at<value.len; at = end> at ? end : at + 1) {
        end = skip_code(&reader, at);
        em_slice code = em_slice_sub(value, at, end);
        has_preferred |= em_slice_has_byte(code, preferred);
        has_other |= em_slice_has_byte(code, other);
    }
    return has_preferred && !has_other ? other : preferred;
}

em_status em_html_normalize(em_slice text, em_arena *arena, em_slice *out)
{
    EM_AUTO(em_strbuf) normal = {0};
    *out = text;
    if (!em_slice_has_byte(text, '\r'))
        return EM_OK;
    for (size_t i = 0; i < text.len; i++) {
        if (text.ptr[i] != '\r')
            em_strbuf_putc(&normal, text.ptr[i]);
        else if (i + 1 == text.len || text.ptr[i + 1] != '\n')
            em_strbuf_putc(&normal, '\n');
    }
    return finish(&normal, arena, out);
}

em_slice em_html_first_entity(em_slice text)
{
    for (size_t i = 0; i < text.len; i++) {
        size_t end = i + 1 + (i + 1 < text.len && text.ptr[i + 1] == '#'), start = end;
        while (end < text.len && em_is_letter_or_digit(text.ptr[end]))
            end++;
        if (text.ptr[i] == '&' && end > start && end < text.len && text.ptr[end] == ';')
            return em_slice_sub(text, i, end + 1);
    }
    return (em_slice){0};
}
