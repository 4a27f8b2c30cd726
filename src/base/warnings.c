#include "base/warnings.h"

em_status em_warn_v(em_warnings *warnings, em_arena *arena, const char *format, va_list args)
{
    char *text = em_arena_format_v(arena, format, args);
    if (!text)
        return EM_E_NOMEM;
    void *items = warnings->items;
    EM_TRY(em_arena_grow(arena, &items, warnings->count, &warnings->room, sizeof(char *)));
    warnings->items = items;
    warnings->items[warnings->count++] = text;
    return EM_OK;
}

em_status em_warn(em_warnings *warnings, em_arena *arena, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    em_status status = em_warn_v(warnings, arena, format, args);
    va_end(args);
    return status;
}

em_status em_warnings_add_all(em_warnings *warnings, em_arena *arena, const em_warnings *others)
{
    for (size_t i = 0; i < others->count; i++)
        EM_TRY(em_warn(warnings, arena, "%s", others->items[i]));
    return EM_OK;
}
