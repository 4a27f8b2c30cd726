/* undo_impl.h: undo.c and its parts: which call, and what becomes of each file.
 */
#ifndef EM_SESSION_UNDO_IMPL_H
#define EM_SESSION_UNDO_IMPL_H

#include "history/inverse.h"
#include "session/undo.h"

/* ---- Which call (undo_choose.c) ------------------------------------------------------------- */

/* What is to be taken back. */
typedef struct em_undo_target {
    em_rows rows;   /* oldest first */
    em_role role;   /* of the call to be made */
    em_base *bases; /* what it does to which calls */
    size_t base_count;
    bool is_call;      /* else all since a checkpoint */
    bool is_forgotten; /* the checkpoint is there, but not all that was done since */
    size_t undone;     /* how many of the bases it undoes; the others it does again */
} em_undo_target;

em_status em_undo_choose(em_session *session, const em_undo_request *request, em_arena *arena,
                         em_undo_target *target, em_error *err);

/* Is the target still what it was when it was chosen? EM_E_CONFLICT. Asked when its files are
 * locked. */
em_status em_undo_check(em_session *session, const em_undo_request *request,
                        const em_undo_target *target, em_arena *arena, em_error *err);

/* ---- What several steps came to (undo_remade.c) --------------------------------------------- */

/* A stretch of a content before the steps, and where what became of it stands now. */
typedef struct em_remade_part {
    size_t was_at, was_length, at, length;
} em_remade_part;

/* All that is other than it was: in order, and none touches the next. */
typedef struct em_remade {
    const em_remade_part *items;
    size_t count;
} em_remade;

/* After one more step, which is given over the content as it is now: the list anew, in `arena`.
 * EM_E_NOMEM leaves it as it was. */
em_status em_remade_add(em_remade *remade, em_splices step, em_arena *arena);

/* Copy the list into `arena`, from one that goes. EM_E_NOMEM leaves it as it was. */
em_status em_remade_keep(em_remade *remade, em_arena *arena);

/* What leads from the content before the steps to the one that is now: in `arena`, with texts of
 * `now`. EM_E_NOMEM. */
em_status em_remade_splices(const em_remade *remade, em_slice now, em_arena *arena,
                            em_splices *out);

/* ---- What becomes of a file (undo_plan.c) --------------------------------------------------- */

/* A file before anything is taken back, and on the way. */
typedef struct em_undo_plan {
    em_workspace *ws;
    const em_file *file; /* as it is, open */
    bool exists;         /* as it is to be */
    em_slice bytes;
    uint32_t mode;
    em_remade remade;   /* of several rows */
    em_splices splices; /* over the file's content, where it exists before and after */
    em_text part;       /* of a large file: the extract that was looked at; `bytes` is not known */
    em_splices part_splices; /* the same splices over it */
    const char *charset;
    em_slice newline;
    em_hash lost; /* a version that no way leads to; "" while none is known */
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
    em_slice left; /* what the change left, where that is at hand */
    bool has_left;
} em_undoing;

/* What the history has of the row; what it says of the bytes goes into the plan. */
em_status em_undo_read_change(em_undoing *undoing);

/* It is damaged: EM_E_IO. */
em_status em_undo_fail_damaged(const em_undoing *undoing);

/* It cannot be taken back: EM_E_CONFLICT, and plan->conflict->path; `why` goes on after the file's
 * name. */
em_status em_undo_fail_place(const em_undoing *undoing, const char *why);

/* EM_E_CONFLICT where undoing->hash is that of the content before the change, which is not in it
 * then. */
em_status em_undo_check_is_in(const em_undoing *undoing);

/* The splices over undoing->bytes that take the change back, from what stood around its places
 * (undo_search.c). EM_E_CONFLICT. */
em_status em_undo_search(const em_undoing *undoing, em_splices *out);

enum { EM_UNDO_WAS_MOST = 64 << 10 /* bytes; a longer em_undo_group.was is not looked for */ };

/* Places [first, last) of the change, between which all that stood there is known. */
typedef struct em_undo_group {
    size_t first, last;
    em_slice needle; /* what the change left of them, and what stood around */
    em_slice was;    /* the same before the change */
} em_undo_group;

/* Where [from, to) of its needle stands: at `at`. */
typedef struct em_undo_spot {
    size_t at, from, to;
} em_undo_spot;

/* Where `needle` stands from `from` on, between two units of the text; EM_NPOS. */
size_t em_undo_find(em_slice bytes, em_slice needle, size_t from, size_t unit);

/* Does a line begin behind the group in what the change left, and did not before it, or the other
 * way round? Then what stands behind is a part of it (undo_plain.c). */
bool em_undo_turns_end(const em_undoing *undoing, const em_undo_group *group);

/* Is it plain that the change is still in the content there (undo_plain.c)? EM_E_NOMEM only. */
em_status em_undo_is_plain(const em_undoing *undoing, const em_undo_group *group,
                           const em_undo_spot *spot, bool *is);

/* Are there more places to be looked for in `size` bytes than there is time for? EM_E_CONFLICT. */
em_status em_undo_check_effort(const em_undoing *undoing, uint64_t size);

/* Every text that it looks for; none where it would not look. In the plan's arena. */
em_status em_undo_needles(const em_undoing *undoing, em_slice **needles, size_t *count);

/* Take back what the rows did, the last first: all are of this file, which they changed, oldest
 * first. There may be none. */
em_status em_undo_plan_make(em_undo_plan *plan, const em_row *const *rows, size_t count);

/* The same for one edit of a large file (undo_large.c), which is plan->file. EM_E_TOO_LARGE,
 * EM_E_BINARY: it has to be read whole. */
em_status em_undo_plan_large(em_undo_plan *plan, em_file *file, const em_row *row);

#endif
