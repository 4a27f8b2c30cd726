/* copies.h: what writing over a file (in_place.c) leaves in the state directory while it lasts.
 *
 * A file in copies/, under the temporary name of the row: the old content, then the new. With both,
 * recovery can tell a half-written file from one that somebody else has saved.
 */
#ifndef EM_WORKSPACE_COPIES_H
#define EM_WORKSPACE_COPIES_H

#include "workspace/ws.h"

/* The folder of the copies: an O_PATH descriptor of the caller's. */
em_status em_copies_open(const em_workspace *ws, int *dir, em_error *err);

/* Are the bytes of `fd` what is left when writing the new content of `row` over the old one ends
 * somewhere? `copy` is the row's file in copies/. */
em_status em_copy_explains(const em_sys *sys, int copy, const em_row *row, int fd, uint64_t size,
                           bool *explains, em_error *err);

/* Is the file in copies/ complete? Nothing is written over before it is. */
em_status em_copy_is_complete(const em_sys *sys, int copy, const em_row *row, bool *complete,
                              em_error *err);

/* Write the old content of the row's copy to `fd` again, and sync it. */
em_status em_copy_restore(const em_sys *sys, int copy, const em_row *row, int fd, em_error *err);

#endif
