#include "paths/spelling.h"

#include "base/ascii.h"
#include "base/strbuf.h"

#include <stdlib.h>
#include <utf8proc.h>

/* utf8proc's answer in the arena; *mapped is NULL for what is not UTF-8. Its memory is malloc's. */
static em_status map(const char *text, int options, em_arena *arena, const char **mapped)
{
    utf8proc_uint8_t *made = NULL;
    utf8proc_ssize_t length =
        utf8proc_map((const utf8proc_uint8_t *)text, 0, &made,
                     (utf8proc_option_t)(UTF8PROC_NULLTERM | UTF8PROC_STABLE | options));
    *mapped = NULL;
    if (length == UTF8PROC_ERROR_NOMEM)
        return EM_E_NOMEM;
    if (length < 0)
        return EM_OK;
    *mapped = em_arena_string(arena, em_slice_make((const char *)made, (size_t)length));
    free(made);
    return *mapped ? EM_OK : EM_E_NOMEM;
}

static const char *fold_ascii(const char *text, em_arena *arena)
{
    char *folded = em_arena_string(arena, em_slice_of(text));
    for (char *at = folded; at && *at; at++)
        *at = em_to_lower(*at);
    return folded;
}

static em_status fold_utf8(const char *text, em_arena *arena, const char **folded)
{
    return map(text, UTF8PROC_CASEFOLD | UTF8PROC_DECOMPOSE | UTF8PROC_IGNORE, arena, folded);
}

static const char *fold_name(em_slice name, em_arena *arena)
{
    const char *folded, *text = em_arena_string(arena, name);
    if (!text || fold_utf8(text, arena, &folded) != EM_OK)
        return NULL;
    return folded ? folded : fold_ascii(text, arena);
}

/* One name that is not UTF-8 must not save the others. */
static const char *fold_names(const char *path, em_arena *arena)
{
    EM_AUTO(em_strbuf) folded = {0};
    for (;;) {
        size_t length = strcspn(path, "/");
        const char *name = fold_name(em_slice_make(path, length), arena);
        if (!name)
            return NULL;
        em_strbuf_puts(&folded, name);
        if (path[length] == '\0')
            return em_strbuf_finish(&folded, arena);
        em_strbuf_putc(&folded, '/');
        path += length + 1;
    }
}

const char *em_spelling_fold(const char *path, em_arena *arena)
{
    const char *folded;
    if (fold_utf8(path, arena, &folded) != EM_OK)
        return NULL;
    return folded ? folded : fold_names(path, arena);
}

em_status em_spelling_other(const char *name, bool composed, em_arena *arena, const char **other)
{
    EM_TRY(map(name, composed ? UTF8PROC_COMPOSE : UTF8PROC_DECOMPOSE, arena, other));
    if (*other && strcmp(*other, name) == 0)
        *other = NULL;
    return EM_OK;
}
