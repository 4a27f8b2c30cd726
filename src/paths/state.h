/* state.h: the state directory, where locks, history and copies live.
 *
 * Which folder it is: the one that was named; else $XDG_STATE_HOME/emend; without that variable
 * ~/.local/state/emend; and where that cannot be used, ${TMPDIR:-/tmp}/emend-UID, with a warning. A
 * folder that nobody named is never used inside a root.
 *
 *  (1) Nothing is made before the first change.
 *  (2) It belongs to the user who runs emend, and nobody else can write in it. It is made with mode
 *      0700, and never where another user owns the folder above.
 *  (3) What is made here is synced, names included, unless syncing is off: the history is worth no
 *      more than the way to it.
 */
#ifndef EM_PATHS_STATE_H
#define EM_PATHS_STATE_H

#include "paths/root.h"

typedef struct em_state {
    const em_sys *sys;
    char *path;    /* absolute; owned; NULL while it is not open */
    int dir;       /* O_PATH */
    int locks;     /* O_PATH of locks/ */
    char boot[40]; /* which boot of the machine this is; "" where the system does not tell */
    char *warning; /* why it is not where it should be; owned; NULL if it is */
} em_state;

typedef struct em_state_options {
    const char *named;     /* --state-dir; NULL: none */
    const em_roots *roots; /* a folder that nobody named must lie outside them */
    bool make;             /* make what is missing; else EM_E_NOT_FOUND */
    bool sync;             /* make durable what is made */
} em_state_options;

/* Open the state directory; *state must be closed before (em_state_init). On failure it stays so.
 * Expected failures: EM_E_NOT_FOUND (without `make`), EM_E_PERMISSION, EM_E_IO. */
em_status em_state_open(const em_sys *sys, const em_state_options *options, em_state *state,
                        em_error *err);

enum { EM_STATE_PLACES = 5 };

/* Can a folder be meant by it? EM_E_INVALID where it is empty; NULL names none. */
em_status em_state_check_named(const char *named, em_error *err);

/* Where state directories of this user may be, absolute, each once: the one that was named, and
 * those that are used by default, with each of the variables that say where they are or without.
 * One that cannot be told is left out. In `arena`. EM_E_NOMEM. */
em_status em_state_places(const em_sys *sys, const char *named, em_arena *arena,
                          const char *places[static EM_STATE_PLACES], size_t *count);

void em_state_init(em_state *state);
void em_state_close(em_state *state);

/* The folder `name` in the state directory (one component), made if it is missing: an O_PATH
 * descriptor of the caller's in *dir. */
em_status em_state_folder(const em_state *state, const char *name, bool sync, int *dir,
                          em_error *err);

/* An error of the state directory: never "not found" or "exists", which would be read as news of
 * the file that is edited. `result` is what the table returned. */
em_status em_state_fail(em_error *err, ssize_t result, const char *call, const char *path);

/* Where there is no room, nothing may be written, or a folder is where a file should be or the
 * other way round: that it is so in the state directory, and not where the file is that was to be
 * changed. */
void em_state_add_place(em_error *err, const char *folder);

#endif
