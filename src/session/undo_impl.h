/* undo_impl.h: undo.c and its parts: which call, and what becomes of each file.
 */
#ifndef EM_SESSION_UNDO_IMPL_H
#define EM_SESSION_UNDO_IMPL_H

#include "session/undo.h"
#include "workspace/inverse.h"

/* ---- Which call (undo_choose.c) ------------------------------------------------------------- */

/* What is to be taken back. */
typedef struct em_undo_target {
    em_rows rows;   /* oldest first */
    em_role role;   /* of the call to be made */
    em_base *bases; /* what it does to which calls */
    size_t base_count;
    bool is_call; /* else all since a checkpoint */
    size_t calls; /* in effect, that are undone by it */
} em_undo_target;

em_status em_undo_choose(em_session *session, const em_undo_request *request, em_arena *arena,
                         em_undo_target *target, em_error *err);

/* Is the target still what it was when it was chosen? EM_E_CONFLICT. Asked when its files are
 * locked. */
em_status em_undo_check(em_session *session, const em_undo_request *request,
                        const em_undo_target *target, em_arena *arena, em_error *err);

/* ---- What becomes of a file (undo_plan.c) --------------------------------------------------- */

/* A file before anything is taken back, and on the way. */
typedef struct em_undo_plan {
    em_workspace *ws;
    const em_file *file; /* as it is, open */
    bool exists;         /* as it is to be */
    em_slice bytes;
    uint32_t mode;
    em_splices splices; /* over file->bytes, where it exists before and after */
    const char *charset;
    em_slice newline;
    em_undo_conflict *conflict;
    em_arena *arena;
    em_error *err;
} em_undo_plan;

/* One change on its way back. */
typedef struct em_undoing {
    em_undo_plan *plan;
    const em_row *row;
    em_inverse change;
    em_slice bytes; /* the content that it is taken back from */
    em_hash hash;
} em_undoing;

/* It cannot be taken back: EM_E_CONFLICT, and plan->conflict->path; `why` goes on after the file's
 * name. */
em_status em_undo_fail_place(const em_undoing *undoing, const char *why);

/* The splices over undoing->bytes that take the change back, from what stood around its places
 * (undo_search.c). EM_E_CONFLICT. */
em_status em_undo_search(const em_undoing *undoing, em_splices *out);

/* Take back what the rows did, the last first: all are of this file, oldest first. */
em_status em_undo_plan_make(em_undo_plan *plan, const em_row *const *rows, size_t count);

#endif
