/* warnings.h: what the caller should know although the call succeeded.
 *
 * A warning is one sentence without a final full stop. The list and its texts live in the arena of
 * the call.
 */
#ifndef EM_BASE_WARNINGS_H
#define EM_BASE_WARNINGS_H

#include "base/arena.h"

#include <stdarg.h>

typedef struct em_warnings {
    const char **items;
    size_t count, room;
} em_warnings;

/* Add a sentence. EM_E_NOMEM leaves the list as it was. */
em_status em_warn(em_warnings *warnings, em_arena *arena, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
em_status em_warn_v(em_warnings *warnings, em_arena *arena, const char *format, va_list args)
    __attribute__((format(printf, 3, 0)));

/* Add copies of all that `others` has, which may live in another arena. EM_E_NOMEM leaves some of
 * them added. */
em_status em_warnings_add_all(em_warnings *warnings, em_arena *arena, const em_warnings *others);

#endif
