#include "base/strbuf.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

void em_strbuf_drop(em_strbuf *buf)
{
    free(buf->ptr);
    *buf = (em_strbuf){0};
}

static bool strbuf_reserve(em_strbuf *buf, size_t more)
{
    if (buf->failed || more > SIZE_MAX / 2 - buf->len) {
        buf->failed = true;
        return false;
    }
    if (buf->len + more <= buf->room)
        return true;
    size_t room = buf->room ? buf->room * 2 : 256;
    if (room < buf->len + more)
        room = buf->len + more;
    char *bigger = realloc(buf->ptr, room);
    if (!bigger) {
        buf->failed = true;
        return false;
    }
    buf->ptr = bigger;
    buf->room = room;
    return true;
}

void em_strbuf_add(em_strbuf *buf, em_slice bytes)
{
    if (bytes.len == 0 || !strbuf_reserve(buf, bytes.len))
        return;
    memcpy(buf->ptr + buf->len, bytes.ptr, bytes.len);
    buf->len += bytes.len;
}

void em_strbuf_puts(em_strbuf *buf, const char *string)
{
    em_strbuf_add(buf, em_slice_of(string));
}

void em_strbuf_putc(em_strbuf *buf, char byte)
{
    em_strbuf_add(buf, em_slice_make(&byte, 1));
}

void em_strbuf_printf(em_strbuf *buf, const char *format, ...)
{
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    size_t left = buf->room - buf->len;
    int length = vsnprintf(left > 0 ? buf->ptr + buf->len : NULL, left, format, args);
    va_end(args);
    buf->failed |= length < 0;
    /* one more for the NUL that vsnprintf writes and that does not count */
    if (length > 0 && strbuf_reserve(buf, (size_t)length + 1)) {
        if ((size_t)length >= left)
            vsnprintf(buf->ptr + buf->len, (size_t)length + 1, format, again);
        buf->len += (size_t)length;
    }
    va_end(again);
}

char *em_strbuf_finish(const em_strbuf *buf, em_arena *arena)
{
    return buf->failed ? NULL : em_arena_string(arena, em_strbuf_slice(buf));
}

em_status em_strbuf_keep(const em_strbuf *buf, em_arena *arena, em_slice *out)
{
    const char *copy = em_strbuf_finish(buf, arena);
    *out = copy ? em_slice_make(copy, buf->len) : (em_slice){0};
    return copy ? EM_OK : EM_E_NOMEM;
}

em_status em_spliced(em_slice text, size_t start, size_t end, em_slice with, em_arena *arena,
                     em_slice *out)
{
    EM_AUTO(em_strbuf) buf = {0};
    em_strbuf_add(&buf, em_slice_sub(text, 0, start));
    em_strbuf_add(&buf, with);
    em_strbuf_add(&buf, em_slice_from(text, end));
    return em_strbuf_keep(&buf, arena, out);
}
