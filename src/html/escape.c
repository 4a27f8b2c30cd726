#include "html/escape.h"

#include "base/strbuf.h"

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
    const char *text = em_strbuf_finish(buf, arena);
    *out = em_slice_make(text, buf->len);
    return text ? EM_OK : EM_E_NOMEM;
}

em_status em_html_escape(em_slice text, const char *also, em_arena *arena, em_slice *out)
{
    EM_AUTO(em_strbuf) escaped = {0};
    bool plain = true;
    for (size_t i = 0; i < text.len; i++) {
        char byte = text.ptr[i];
        if (byte == '&' || (byte && strchr(also, byte))) {
            em_strbuf_puts(&escaped, entity_of(byte));
            plain = false;
        } else {
            em_strbuf_putc(&escaped, byte);
        }
    }
    *out = text;
    return plain ? EM_OK : finish(&escaped, arena, out);
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
