/* root.h: from a path to the file that it names, never outside the roots.
 *
 * A path is resolved component by component from the descriptor of a root (by openat2(2) in one
 * step where no link is in the way), so nothing that somebody swaps meanwhile can lead outside:
 * what was checked is what is held. Strings are never compared to decide whether a file is inside.
 *
 *  (1) Resolution never stands above the root, not even for a moment: `..` that leaves it, and a
 *      link that leads outside it, are refused at once, also when what follows would lead back.
 *  (2) An absolute path, of the caller or of a link, is inside when it begins, component by
 *      component, with the root's resolved path (the caller's also: with the root as it was
 *      spelled); the rest is then resolved from the root's descriptor.
 *  (3) Nothing is opened for I/O here: a FIFO, a device or a socket cannot block or act.
 *  (4) Path bytes are used as they are: never trimmed, folded or normalised.
 */
#ifndef EM_PATHS_ROOT_H
#define EM_PATHS_ROOT_H

#include "base/arena.h"
#include "system/sys.h"

typedef struct em_root {
    char *path;     /* absolute, every link resolved */
    char *spelling; /* absolute, as it was given */
    int fd;         /* O_PATH */
} em_root;

/* Files that are not there, and would be after what was only planned: absolute, every link
 * resolved. */
typedef struct em_foreseen {
    const char *const *paths;
    size_t count;
} em_foreseen;

typedef struct em_roots {
    em_root *items;
    size_t count;
    em_foreseen foreseen; /* borrowed: a way through these, and the folders that they need, is one
                             as if they were there */
} em_roots;

/* Open the folders named in `paths` (none: the current folder). Owned by *roots:
 * em_roots_close(). */
em_status em_roots_open(const em_sys *sys, const char *const *paths, size_t count, em_roots *roots,
                        em_error *err);
void em_roots_close(const em_sys *sys, em_roots *roots);

/* Where a path leads. */
typedef struct em_resolved {
    const em_root *root;
    int dir;          /* O_PATH; the folder that holds `name`, or, where folders are missing, the
                         deepest one that is there */
    int file;         /* O_PATH of the file itself; -1 when it is missing */
    em_stat stat;     /* of the file; zero when it is missing */
    const char *name; /* the final name */
    const char *rel;  /* the resolved path relative to the root: "a/b.txt"; "." for the root */
    const char *path; /* the same, absolute */
    const char *const *missing; /* folders to be made below `dir`, outermost first */
    size_t missing_count;
    size_t foreseen_count; /* so many of these are needed for what is foreseen, too */
    const char **left;     /* folders that the way entered and left again by "..", as in `rel` */
    size_t left_count, left_room;
} em_resolved;

/* Resolve `path`. Strings live in `arena`; the descriptors are the caller's: em_resolved_close().
 * With `may_be_missing` a file, or folders and a file, that are not there give file = -1 (a
 * dangling link stays EM_E_NOT_FOUND, and the detail says so: its target is never created); without
 * it so do what is foreseen, and a folder of that.
 * Expected failures: EM_E_INVALID (empty), EM_E_NOT_FOUND (also "file/" and "file/x" where "file"
 * is no folder: then `sys` is ENOTDIR and the detail says so), EM_E_IS_FOLDER ("new/" that may be
 * missing), EM_E_OUTSIDE (`sys` is EXDEV where the way begins in a root and leaves it), EM_E_PATH,
 * EM_E_PERMISSION. What kind of file it is, is for the caller to judge by place->stat; a folder is
 * its own `dir`, with the name ".".
 *
 * After a failure place->rel, where it is not NULL, is the way as far as it was walked and what was
 * still to come: a rule about names can be asked first, and what it refuses says nothing of what
 * there is. */
em_status em_root_resolve(const em_sys *sys, const em_roots *roots, const char *path,
                          bool may_be_missing, em_arena *arena, em_resolved *place, em_error *err);
/* Is the root that `path` was resolved in still where its name says? Asked where it was not found
 * (`to_make`: and is to be made), or the path is absolute: then what is changed must be what it
 * names. EM_E_IO: it was moved, removed or replaced. */
em_status em_root_check(const em_sys *sys, const em_root *root, const char *path, bool to_make,
                        em_error *err);

void em_resolved_close(const em_sys *sys, em_resolved *place);

/* The part of a resolved absolute path below the root: "a/b", "." for the root itself; NULL when it
 * is not in it. Borrowed from `path`, or static. Where roots are nested a file has a path in each,
 * and rules about relative paths hold for all of them. */
const char *em_root_rel(const em_root *root, const char *path);

/* The same of a path as a caller may send it, which may begin with the root as it was spelled. */
const char *em_root_rel_sent(const em_root *root, const char *path);

/* And back: the absolute path of what is at `rel` of the root. In `arena`; NULL when memory ran
 * out. */
const char *em_root_join(const em_root *root, const char *rel, em_arena *arena);

/* Take the next component off *path: without slashes, and never ".". Empty at the end. */
em_slice em_path_next(em_slice *path);

#endif
