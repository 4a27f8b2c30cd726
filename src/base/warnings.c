#include "base/warnings.h"

#include <stdarg.h>
#include <stdio.h>

em_status em_warn(em_warnings *warnings, em_arena *arena, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    char *text = em_arena_format_v(arena, format, args);
    va_end(args);
    if (!text)
        return EM_E_NOMEM;
    void *items = warnings->items;
    EM_TRY(em_arena_grow(arena, &items, warnings->count, &warnings->room, sizeof(char *)));
    warnings->items = items;
    warnings->items[warnings->count++] = text;
    return EM_OK;
}
