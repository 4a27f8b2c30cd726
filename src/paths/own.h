/* own.h: the state directories among the files of the roots, and what else is emend's own.
 *
 * They hold what files held, also files that a rule keeps from callers, and what recovery goes by:
 * nobody may read or change anything in them through a root. Which one a process uses depends on
 * its roots and on what it was told; another process may use another, or make it later. So every
 * one that emend may use for this user counts (em_state_places), whether it is there or not.
 *
 *  (1) One that is there is known by what it is, device and inode: not by links to it, nor by
 *      another spelling of its name, nor by the place where it is mounted.
 *  (2) One that is not there yet is known by its name, in any letters.
 *
 * The file of the tokens of a server is guarded likewise: by the names that led to it when the
 * workspace was opened, by whatever file stands under its path when somebody asks, and as the file
 * that stood there then: its tokens are valid still when it has another name.
 */
#ifndef EM_PATHS_OWN_H
#define EM_PATHS_OWN_H

#include "paths/state.h"

typedef struct em_own {
    const char *path;   /* absolute; its links are followed each time that it is looked at */
    const char **names; /* its paths through the roots, links resolved */
    size_t name_count, name_room;
} em_own;

typedef struct em_owns {
    em_own items[EM_STATE_PLACES]; /* those that lie in a root: mostly none */
    size_t count;
    em_own secret;        /* the file of tokens, wherever it lies; path NULL: there is none */
    int secret_fd;        /* open, so that no other file gets its inode; negative: not there */
    em_stat secret_first; /* what it is */
} em_owns;

/* Which of them lie in the roots; `named` as in em_state_options, `secret` a file or NULL. What
 * cannot be looked at is judged by its name. Strings live in `arena`; to be dropped in any case.
 * EM_E_NOMEM. */
em_status em_own_find(const em_sys *sys, const em_roots *roots, const char *named,
                      const char *secret, em_arena *arena, em_owns *owns);

void em_own_drop(const em_sys *sys, em_owns *owns);

/* Does the absolute, resolved `path` name one of them, or what is in it? EM_E_DENIED,
 * EM_E_NOMEM. */
em_status em_own_check_name(const em_owns *owns, const char *path, em_arena *arena, em_error *err);

/* Is the folder `dir`, which was reached through `root`, one of them, or in it? EM_E_DENIED; an
 * error of looking, which names `path`. */
em_status em_own_check_folder(const em_sys *sys, const em_owns *owns, const em_root *root, int dir,
                              const char *path, em_error *err);

/* Is it the file of tokens, by any of its names? EM_E_DENIED. */
em_status em_own_check_file(const em_sys *sys, const em_owns *owns, const em_stat *file,
                            em_error *err);

#endif
