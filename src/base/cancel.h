/* cancel.h: has a caller taken back what it asked for?
 *
 * Only it can know, so it is asked: by who waits for something, and before anything is changed.
 * Who waits asks also whether the program is to end: then what can be done at once is still done,
 * and nothing is waited for.
 */
#ifndef EM_BASE_CANCEL_H
#define EM_BASE_CANCEL_H

#include <stdbool.h>

/* {0}: nothing is ever taken back. */
typedef struct em_cancel {
    bool (*is_cancelled)(void *context); /* NULL: it is not */
    bool (*is_ending)(void *context);    /* NULL: it is not */
    void *context;                       /* of both */
} em_cancel;

static inline bool em_is_cancelled(const em_cancel *cancel)
{
    return cancel->is_cancelled && cancel->is_cancelled(cancel->context);
}

static inline bool em_is_ending(const em_cancel *cancel)
{
    return cancel->is_ending && cancel->is_ending(cancel->context);
}

#endif
