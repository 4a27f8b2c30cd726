/* strbuf.h: a string that grows.
 *
 * Appending never has to be checked: when memory runs out, or printf fails, the buffer turns
 * `failed`, ignores what follows, and em_strbuf_finish() says so once.
 */
#ifndef EM_BASE_STRBUF_H
#define EM_BASE_STRBUF_H

#include "base/arena.h"

typedef struct em_strbuf {
    char *ptr; /* owned; NULL while empty */
    size_t len, room;
    bool failed;
} em_strbuf;

/* `EM_AUTO(em_strbuf) out = {0};` */
void em_strbuf_drop(em_strbuf *buf);

void em_strbuf_add(em_strbuf *buf, em_slice bytes);
void em_strbuf_puts(em_strbuf *buf, const char *string);
void em_strbuf_putc(em_strbuf *buf, char byte);
void em_strbuf_printf(em_strbuf *buf, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* What is in the buffer; borrowed until the next call. */
static inline em_slice em_strbuf_slice(const em_strbuf *buf)
{
    return (em_slice){buf->ptr, buf->len};
}

/* A NUL-terminated copy in `arena`; NULL if anything was lost. The buffer stays to be dropped. */
char *em_strbuf_finish(const em_strbuf *buf, em_arena *arena);

/* The same as a slice. EM_E_NOMEM, with an empty one, if anything was lost. */
em_status em_strbuf_keep(const em_strbuf *buf, em_arena *arena, em_slice *out);

/* The text with `with` for its bytes [start, end), in `arena`. EM_E_NOMEM, with an empty one. */
em_status em_spliced(em_slice text, size_t start, size_t end, em_slice with, em_arena *arena,
                     em_slice *out);

#endif
