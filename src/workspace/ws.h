/* ws.h: what the files of this room share: a workspace and an open file from the inside.
 */
#ifndef EM_WORKSPACE_WS_H
#define EM_WORKSPACE_WS_H

#include "history/history.h"
#include "paths/lock.h"
#include "paths/own.h"
#include "paths/root.h"
#include "paths/rules.h"
#include "paths/state.h"
#include "workspace/rehash.h"
#include "workspace/workspace.h"

struct em_workspace {
    const em_sys *sys;
    em_ws_options options; /* its strings are in `arena` */
    em_arena arena;
    em_roots roots;
    em_rules rules;
    em_owns owns; /* state directories that lie in the roots; their strings are in `arena` */

    em_state state;      /* opened by the first change, or by em_ws_prepare() */
    em_error no_state;   /* why it could not be had when that was tried; no code: it was not */
    bool state_is_late;  /* em_ws_prepare() found none, and made none */
    em_locks locks;      /* as `state` */
    em_history *history; /* opened when there is something to record or to recover */
    bool recovered;      /* what others left pending was looked at */
    em_cancel of_call;   /* what the call may be cancelled by */
    em_cancel cancel;    /* the same; nothing, while something that was begun is finished */

    struct em_kept_file *kept; /* old files in their grace period, oldest first */
    size_t kept_count;
    em_closer *closer;   /* borrowed; NULL: none is wanted */
    int64_t sync_due_ms; /* by CLOCK_MONOTONIC: when the history has to be synced; 0: it need not */
    bool tidy_due; /* so much was recorded, or kept, that something may have to be forgotten */

    em_warnings notices;    /* to be told with the next answer */
    em_arena notices_arena; /* theirs, empty as soon as they are told */
};

/* An open file: what em_file.state points to. Its strings are in `arena`. */
typedef struct em_file_state {
    em_arena arena;
    em_intent intent;
    em_resolved place;
    em_stat folder;    /* of place.dir */
    int fd;            /* for reading; -1 for a missing file. It pins the inode. */
    uint64_t max_size; /* 0: no limit */
    bool locked;
    unsigned slot;
    const char *rest;    /* below place.dir: the missing folders and the name */
    bool in_place;       /* to be written in place: it cannot be replaced */
    em_error refusal;    /* why it may not be changed; no code: it may */
    bool spent;          /* a commit was tried */
    bool is_one_of_many; /* opened with others: no descriptor stays open */
    bool is_gone;        /* what was found was no longer there when it was to be read */
    em_halfway halfway;  /* of a large file that has passed; no hasher: it is not known */
    struct em_speculation *speculation; /* its new content, as it was foreseen; NULL */
} em_file_state;

/* Open the state directory; with `make`, what is missing of it is made, else EM_E_NOT_FOUND. */
em_status em_ws_state(em_workspace *ws, bool make, em_error *err);

/* Open the history, made if it is missing; ws->state is open. EM_E_IO: the one that was opened has
 * been moved or removed. */
em_status em_ws_need_history(em_workspace *ws, em_error *err);

/* The next thing that is done is a change: from here on the call ends as it would have, whoever
 * takes it back. EM_E_TIMEOUT: that has happened already. */
em_status em_ws_begin_change(em_workspace *ws, em_error *err);

/* Something to be told with the next answer. Only memory can fail it, and then it is not told. */
void em_ws_notice(em_workspace *ws, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Do the rules allow the file at `rel` of `root` to be read, or (`write`) changed? Where roots are
 * nested it has a path in each of them, and all must be allowed. The state directory is nobody's.
 * EM_E_DENIED. */
em_status em_ws_check_rules(const em_workspace *ws, const em_root *root, const char *rel,
                            bool write, em_arena *arena, em_error *err);

/* Does a --deny refuse the folder at `rel`, or is it of a state directory? EM_E_DENIED. */
em_status em_ws_check_folder(const em_workspace *ws, const em_root *root, const char *rel,
                             em_arena *arena, em_error *err);

/* The refusal of an open file, if there is one. */
em_status em_file_check_access(const em_file *file, em_error *err);

/* Would the file be too large with the splices laid in? EM_E_TOO_LARGE. */
em_status em_file_check_new_size(const em_file *file, em_splices splices, em_error *err);

/* May this file be changed here, or a missing one made? `folder` is the stat of place->dir.
 * *in_place: it can only be written in place, and that is allowed. EM_E_PERMISSION. `probe`: try
 * also whether its owner can be kept. */
em_status em_access_check(const em_workspace *ws, const em_resolved *place, const em_stat *folder,
                          bool probe, bool *in_place, em_error *err);

#endif
