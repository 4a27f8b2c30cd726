/* large.h: files that are too large to be held, read through a window.
 *
 * A large file is opened like any other (em_ws_open_file, EM_MAY_BE_LARGE), but not read: that is
 * for the caller, who passes over it once (its hash is known then), looks at stretches of it again,
 * and says when it has seen enough that what it saw was all of one state. What it takes from the
 * file is an em_extract (text/extract.h), which goes into the file for the commit.
 */
#ifndef EM_WORKSPACE_LARGE_H
#define EM_WORKSPACE_LARGE_H

#include "workspace/content.h"

/* The limits in use, with the defaults filled in. */
em_large_limits em_ws_large_limits(const em_workspace *ws);

/* Who takes a file's bytes as they pass: `room` says where the next ones go and how many at most,
 * `take` that they are there. */
typedef struct em_passage {
    void *context;
    char *(*room)(void *context, size_t *size);
    em_status (*take)(void *context, size_t length);
} em_passage;

/* All of a large file, once; its hash is known afterwards. EM_E_CONFLICT: it is shorter or longer
 * than it was; and what `take` says. */
em_status em_large_pass(em_workspace *ws, em_file *file, const em_passage *passage, em_error *err);

/* `size` bytes from `offset` on, once more. EM_E_CONFLICT: it ends before that. */
em_status em_large_read(em_workspace *ws, const em_file *file, size_t offset, char *out,
                        size_t size, em_error *err);

/* Is the file still as it was when it was opened, as far as a stat can tell? Asked when all is
 * read that is needed. EM_E_CONFLICT. */
em_status em_large_check(em_workspace *ws, const em_file *file, em_error *err);

/* Read it whole after all: from then on it is a file like any other. EM_E_TOO_LARGE where it is
 * larger than may be held; EM_E_CONFLICT where it has changed meanwhile. */
em_status em_large_load(em_workspace *ws, em_file *file, em_error *err);

/* Let go of the descriptors of a file that was opened with others: they come back when they are
 * needed. */
void em_large_rest(em_workspace *ws, const em_file *file);

#endif
