/* cancel.h: has a caller taken back what it asked for?
 *
 * Only it can know, so it is asked: by who waits for something, and before anything is changed.
 */
#ifndef EM_BASE_CANCEL_H
#define EM_BASE_CANCEL_H

#include <stdbool.h>

/* {0}: nothing is ever taken back. */
typedef struct em_cancel {
    bool (*is_cancelled)(void *context);
    void *context;
} em_cancel;

static inline bool em_is_cancelled(const em_cancel *cancel)
{
    return cancel->is_cancelled && cancel->is_cancelled(cancel->context);
}

#endif
