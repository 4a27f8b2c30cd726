/* workspace.h: files beneath the roots, read and changed so that nothing is lost.
 *
 * A workspace knows bytes, splices and identities of files; it does not know what an edit is, nor
 * any encoding. What is on disk at each step of a change, and what recovery does about it, stands
 * at the head of commit.c and recover.c.
 *
 *   em_ws_open_file   resolve, lock, read, stamp          (an em_file)
 *   em_ws_commit      splices -> the new content in place  (or nothing changed)
 *   em_file_close     unlock
 *
 * Other faces of the room: large.h for files that are not held; content.h and speculation.h for
 * contents that are not in place yet; near_files.h for paths that lead to no file; recorded.h and
 * made_folders.h for what was done; content_store.h, recover.h and doctor.h for the commands that
 * look after the state. All other headers are for the files of the room alone.
 *
 * A workspace is used by one thread at a time. Two of them, in one process or in several, may share
 * roots and a state directory.
 */
#ifndef EM_WORKSPACE_WORKSPACE_H
#define EM_WORKSPACE_WORKSPACE_H

#include "base/arena.h"
#include "base/cancel.h"
#include "base/warnings.h"
#include "history/origin.h"
#include "system/closer.h"
#include "system/hash.h"
#include "system/sync.h"
#include "text/lines.h"

/* From where on a file is too large to be held. 0 everywhere: what is usual. */
typedef struct em_large_limits {
    uint64_t from;       /* files of more bytes are large, for who can do with that */
    uint64_t quick;      /* the same for who would rather not hold them: a window is quicker */
    uint64_t whole;      /* there is no memory for those of more bytes */
    uint64_t speculated; /* of so many bytes, what a change would make of them is written while they
                            are looked through (speculation.h) */
    size_t window;       /* bytes that are read of one at a time */
    size_t extract;      /* bytes that are held of one */
    uint64_t sought; /* bytes that are looked through for what an undoing takes back, as often as
                        there are places of it */
} em_large_limits;

/* Where nothing else is said. */
enum { EM_DEFAULT_LOCK_TIMEOUT_MS = 5000, EM_DEFAULT_GRACE_MS = 2000 /* for servers */ };

typedef struct em_ws_options {
    const char *const *roots; /* folders; none: the current folder */
    size_t root_count;
    const char *state_dir; /* NULL: as docs/state.md says */
    const char *secret;    /* a file that is nobody's to read or change, wherever it lies; NULL */
    em_sync sync;
    bool no_history, read_only, in_place, allow_owner_change;
    const char *const *deny, *const *allow; /* globs over paths relative to the root */
    size_t deny_count, allow_count;
    long lock_timeout_ms;
    long grace_ms; /* how long a replaced file is kept and looked at again; 0: not */
    em_large_limits large;
    const em_sys *sys; /* NULL: em_sys_native */
} em_ws_options;

typedef struct em_workspace em_workspace;
struct em_rows;

/* Open the roots. Takes no lock, makes no folder, reads no state: that waits for the first change.
 * On success *out is the caller's: em_ws_free(). EM_E_NOT_FOUND, EM_E_PERMISSION for a root,
 * EM_E_INVALID for a rule or a state directory that is none. */
em_status em_ws_open(const em_ws_options *options, em_workspace **out, em_error *err);

/* Settles what is still kept for the grace period (em_ws_end_grace with `now`), then closes. */
void em_ws_free(em_workspace *ws);

/* Many changes will be made: the files that they replace are given back by `closer`, which outlives
 * the workspace. Several may share it; NULL gives them back at once. */
void em_ws_close_later(em_workspace *ws, em_closer *closer);

/* Was it opened with the option read_only? */
bool em_ws_is_read_only(const em_workspace *ws);

/* Is what it changes recorded? */
bool em_ws_keeps_history(const em_workspace *ws);

/* May anything be changed? For what is about no one file. EM_E_DENIED with --read-only. */
em_status em_ws_check_may_change(const em_workspace *ws, em_error *err);

/* Get ready for a change, as em_ws_open_file() does: the state directory is made, its locks are
 * opened, and what was interrupted is recovered. */
em_status em_ws_ready(em_workspace *ws, em_error *err);

/* What comes now is a call that may be cancelled: it is asked for that while a lock is waited for,
 * and before its first change is made, and then ends with EM_E_TIMEOUT. So does one that waits for
 * a lock when the program is to end. {0} says that the call is over. */
void em_ws_set_cancel(em_workspace *ws, em_cancel cancel);

/* What comes next in this call may be left undone although something was changed: it is asked
 * again, up to the next change. */
void em_ws_may_stop(em_workspace *ws);

/* The roots as absolute, resolved paths, and the state directory in use (NULL before it is known;
 * borrowed). */
size_t em_ws_root_count(const em_workspace *ws);
const char *em_ws_root(const em_workspace *ws, size_t index);

/* The part of an absolute path, as a caller may send it, below root `index`, or below the first
 * root that it is in: "a/b", "." for the root itself; NULL when it is in none. Borrowed from
 * `path`, or static. And back: the absolute path, in `arena`; NULL when memory ran out. */
const char *em_ws_rel(const em_workspace *ws, size_t index, const char *path);
const char *em_ws_find_rel(const em_workspace *ws, const char *path, size_t *index);
const char *em_ws_join(const em_workspace *ws, size_t index, const char *rel, em_arena *arena);

/* For a process that is about to give up what it could do: open the state directory now (`make`:
 * made where it is missing), so that em_ws_state_fd() can be told from the rest of the disk. One
 * that cannot be had is no error yet; the first change says why. */
void em_ws_prepare(em_workspace *ws, bool make);

/* Borrowed descriptors (O_PATH) of a root, and of the state directory (-1 before it is known). */
int em_ws_root_fd(const em_workspace *ws, size_t index);
int em_ws_state_fd(const em_workspace *ws);

/* Paths of files, one after the other. */
typedef struct em_paths {
    const char *const *items;
    size_t count;
} em_paths;

/* From now on a path may lead through these files, absolute and resolved, and the folders that they
 * need, as if they were there: for who plans changes one after the other and makes none. Borrowed
 * until the next call; {0}: nothing is foreseen. */
void em_ws_foresee(em_workspace *ws, em_paths made);

typedef enum em_intent {
    EM_TO_READ,    /* no lock; a rule against changes is none against reading */
    EM_TO_PREVIEW, /* no lock; refuses what EM_TO_CHANGE would refuse, and so does
                      em_ws_check_change() */
    EM_TO_CHANGE,  /* recovery first, then the lock, held until em_file_close */
} em_intent;

/* A file as it was read. Strings and bytes live as long as the file is open. */
typedef struct em_file {
    bool exists;               /* false only where a missing file was allowed */
    const char *path;          /* absolute, every link resolved */
    const char *rel;           /* the same relative to its root, "a/b.txt" */
    const char *root;          /* absolute, resolved */
    em_slice bytes;            /* the whole content; empty of a large one */
    uint64_t size;             /* of the content */
    bool is_large;             /* it was not read (large.h) */
    em_hash hash;              /* of a large one: known when all of it has passed */
    const em_extract *extract; /* what was read of a large one; the caller's. NULL: nothing */
    em_stat stat;
    struct em_file_state *state; /* the workspace's own: descriptors, lock, folders to make */
} em_file;

enum {
    EM_MAY_BE_MISSING = 1, /* a missing file, in missing folders too, is no error: exists = false */
    EM_MAY_BE_LARGE = 2,   /* a large file is opened, but not read: is_large */
    EM_RATHER_LARGE = 4,   /* the same where a window is quicker: em_large_limits.quick */
};

/* Resolve `path` (NUL-terminated by the caller, who has refused NULs in it; relative to the first
 * root, or absolute inside a root), check its kind, take the lock, read it whole. A file of more
 * than `max_size` bytes is not read (0: no limit), nor one that is too large to be held.
 *
 * On success *file is open: em_file_close(). On failure nothing is held. Expected failures:
 * EM_E_NOT_FOUND (also a dangling link), EM_E_OUTSIDE, EM_E_DENIED, EM_E_PERMISSION,
 * EM_E_IS_FOLDER, EM_E_NOT_REGULAR, EM_E_PATH, EM_E_INVALID (an empty path), EM_E_TOO_LARGE,
 * EM_E_CONFLICT (it changed while it was read), EM_E_TIMEOUT (lock; the detail names the holder),
 * EM_E_UNSETTLED, EM_E_IO. */
em_status em_ws_open_file(em_workspace *ws, const char *path, em_intent intent, unsigned flags,
                          uint64_t max_size, em_file *file, em_error *err);
void em_file_close(em_workspace *ws, em_file *file);

/* What is there under `path`, be it a file that can be opened or not, and its final names in
 * `arena`: the absolute one, and that relative to its root. NULL where nothing is there, or what is
 * there may not be told. EM_E_NOMEM only. */
em_status em_ws_names_of(em_workspace *ws, const char *path, em_arena *arena, const char **absolute,
                         const char **rel);

typedef struct em_change {
    em_splices splices; /* over the file's content */
    em_origin origin;
    bool backup;           /* keep the old content as NAME.bak (.bak1, ... if taken) */
    em_paths same_call;    /* what else the call is about, as it was given: the names in these paths
                              are taken, too */
    uint32_t mode;         /* of a file that is made: its permissions; 0: those of any new file */
    const char *charset;   /* what the bytes are, for who shows the change; NULL: not known */
    em_slice newline;      /* how a line ends in them ("\n\0" in UTF-16); empty: "\n" */
    const em_lines *lines; /* of the file's content as it was read; NULL */
} em_change;

typedef struct em_commit_report {
    char edit_id[64];        /* "" without history */
    em_hash hash;            /* of the content now */
    uint64_t size;           /* of the content now, bytes */
    struct timespec mtime;   /* of the file now; zero where the system would not tell */
    const char *backup_path; /* relative to the root; NULL without backup */
    em_warnings warnings;    /* hard link broken, not durable, no exchange, ... */
} em_commit_report;

/* Would em_ws_commit() refuse it before anything is done? For a file that was opened to be changed,
 * or for a preview: that the system does not allow to write it (EM_E_PERMISSION), that it would
 * become too large (EM_E_TOO_LARGE), or that its backup can have no name, is found out here, not by
 * opening it. em_ws_commit() and em_ws_commit_all() refuse the same. */
em_status em_ws_check_change(em_workspace *ws, const em_file *file, const em_change *change,
                             em_error *err);

/* Is the file still what was read, as far as a stat can tell? For who has nothing to change, and
 * says what is there. EM_E_CONFLICT. */
em_status em_ws_check_unchanged(em_workspace *ws, em_file *file, em_error *err);

/* Under how many other names would its old content live on, were it changed? By file->stat, so who
 * foresees that some of them go says it there. */
uint32_t em_ws_names_left(const em_file *file);

/* Make the splices true on disk, as the head of commit.c tells. The file must have been opened with
 * EM_TO_CHANGE; a missing one is created with its folders, never over somebody else's. Strings of
 * the report live in `arena`. After a success or a failure the file can only be closed.
 *
 * EM_OK: the new content is in place (a warning says where it may not be durable). Any other
 * status: nothing changed, no stray name is left, and somebody else's change, if that was the
 * reason, is in place (EM_E_CONFLICT; EM_E_EXISTS for a create). */
em_status em_ws_commit(em_workspace *ws, em_file *file, const em_change *change, em_arena *arena,
                       em_commit_report *report, em_error *err);

/* Nothing becomes of the file, and the call is in the history nevertheless, for what it is to
 * others: with a row of this file, which is open. Not with --no-history. */
em_status em_ws_record_unchanged(em_workspace *ws, em_file *file, const em_origin *origin,
                                 em_arena *arena, em_error *err);

/* ---- Several files, all or nothing --------------------------------------------------------- */

/* A file that is opened with others. */
typedef struct em_wanted {
    const char *path;
    unsigned flags; /* EM_MAY_BE_MISSING, EM_MAY_BE_LARGE */
    uint64_t max_size;
    em_file file; /* filled */
    em_status status;
    em_error error; /* where status is not EM_OK */
    size_t same_as; /* which other one is the same file, if that is what is wrong; else EM_NPOS */
} em_wanted;

/* em_ws_open_file() for each of them. Locks are taken in one order, whatever that of the list, and
 * no descriptor is kept meanwhile, so there can be many. A file that is named twice, by whatever
 * paths, is EM_E_INVALID, and `same_as` says which is the other; so is one to be made below another
 * that is to be made, of which the detail tells.
 *
 * EM_OK: all are open, each to be closed by em_file_close(). Else none is; `status` and `error` say
 * what is wrong with which, and the result is that of the first. */
em_status em_ws_open_files(em_workspace *ws, em_wanted *wanted, size_t count, em_intent intent);

/* What becomes of a file in a transaction. */
typedef struct em_part {
    em_file *file; /* of em_ws_open_files(), open for a change */
    const em_change *change;
    bool remove;         /* it goes; the splices are not looked at */
    const em_file *like; /* of a file that is made: one of the transaction, which is there, whose
                            owner, mode and attributes it gets (a move is that, and a removal);
                            NULL: those of any new file */
    em_commit_report report; /* filled on success */
} em_part;

/* Make all of it true on disk or none, as the head of transaction.c tells: also when the process is
 * killed or the power goes, and then when recovery has run. Others who take no lock can see some of
 * the files changed before the rest. After it the files can only be closed. *culprit is the part at
 * fault, `count` where none is.
 *
 * EM_OK: all is in place. EM_E_UNKNOWN: what became of it will be known after `emend recover`; the
 * error names the transaction. Any other status: nothing changed, but for what somebody else
 * changed meanwhile, which stays and is told. */
em_status em_ws_commit_all(em_workspace *ws, em_part *parts, size_t count, em_arena *arena,
                           size_t *culprit, em_error *err);

/* With --sync full a change is durable when em_ws_commit returns, but that it is complete may have
 * to be found out again by recovery. This makes that durable too, unless the next change has done
 * so, and is for the moment when there is nothing else to do; em_ws_due_ms() tells. A
 * failure is a warning. */
em_status em_ws_sync(em_workspace *ws, em_arena *arena, em_warnings *warnings);

/* Old files that are kept for the grace period: look at those whose time has come (`now`: at all of
 * them), unlink the ones that stayed as they were, and add a warning for each that changed, saying
 * where its content is. Where as many are kept as may be, half of them go before their time.
 * em_ws_due_ms() is the time until the next is to be looked at, or em_ws_sync() to be called; -1:
 * there is no need. */
em_status em_ws_end_grace(em_workspace *ws, bool now, em_arena *arena, em_warnings *warnings);

/* Look at all of them that are in the folder at this absolute path, or in one below it. The folders
 * that were `made` for the files of rows go then, in their order, where they are empty; NULL: none.
 */
em_status em_ws_end_grace_below(em_workspace *ws, const char *folder, const struct em_rows *made,
                                em_arena *arena, em_warnings *warnings);

long em_ws_due_ms(em_workspace *ws);

#endif
