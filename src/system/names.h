/* names.h: what stands under a name in a folder, and how names change hands.
 *
 * What a commit does and what recovery does again is one routine here.
 */
#ifndef EM_SYSTEM_NAMES_H
#define EM_SYSTEM_NAMES_H

#include "base/arena.h"
#include "base/status.h"
#include "system/hash.h"
#include "system/sys.h"

/* What may stand under a name in a folder, or nothing. Functions that do not take an entry call the
 * parts by the same words. */
typedef struct em_entry {
    const em_sys *sys;
    int dir;          /* a descriptor of the folder (O_PATH is enough) */
    const char *name; /* one component */
    const char *path; /* names the file in an error */
} em_entry;

/* Temporary names: ".emend-" and 128 random bits in hex. */
enum { EM_TEMP_SIZE = 7 + 32 + 1 };
void em_temp_name(const unsigned char random[static 16], char out[static EM_TEMP_SIZE]);
bool em_is_temp_name(const char *name);

/* `name` in the folder of the path `path`: "a/b.txt", "c" -> "a/c". NULL when memory ran out. */
char *em_name_beside(em_arena *arena, const char *path, const char *name);

/* Open again what an O_PATH descriptor stands for: this very inode, whatever its names are now. A
 * negative errno on failure. */
int em_reopen(const em_sys *sys, int fd, int flags);

/* Is /proc mounted? em_reopen() and em_name_give() go through it, and say -ENOENT where it is not.
 */
bool em_has_proc(const em_sys *sys);

/* Is it what is called a regular file there: not a link, a folder, a device? */
typedef struct em_look {
    bool exists, regular;
    em_stat stat;
    em_hash hash; /* of a regular file; else "" */
} em_look;

/* Look at a name, and read what is there. A missing one is no error. EM_E_IO, EM_E_PERMISSION. */
em_status em_look_at(em_entry entry, em_look *look, em_error *err);

/* A regular file with this content? */
bool em_look_has(const em_look *look, em_hash hash);

/* The same inode? And, as far as a stat can tell, with the same content? And with nothing changed
 * meanwhile but its names? And not these either? */
bool em_stat_same_inode(const em_stat *a, const em_stat *b);
bool em_stat_same_content(const em_stat *a, const em_stat *b);
bool em_stat_same_but_for_names(const em_stat *a, const em_stat *b);
bool em_stat_unchanged(const em_stat *a, const em_stat *b);

/* May `now` be the copy that an overlay made of a file of its lower layer, `was`, when its name was
 * to change? One with several names there has an inode of its own from then on, under this name
 * alone. What is in it has to be compared. */
bool em_stat_may_be_copied_up(const em_stat *now, const em_stat *was);

/* Does the system lack this kind of rename, or of file, here? */
bool em_is_unsupported(int result);

/* Make the names of a folder durable. */
em_status em_folder_sync(const em_sys *sys, int dir, const char *path, em_error *err);

/* Remove a name; a missing one is fine. */
em_status em_name_remove(em_entry entry, em_error *err);

/* The unnamed file `fd` gets a name, never over another. A negative errno on failure. */
int em_name_give(const em_sys *sys, int fd, int dir, const char *name);

/* The folders `folders` ("a/b") below `dir` were made for a file that is not to be: remove those
 * that are empty, but none of the first `keep`. That some are not empty, or gone, is fine. */
em_status em_folders_remove(const em_sys *sys, int dir, const char *folders, size_t keep,
                            const char *path, em_error *err);

/* ---- Putting back -------------------------------------------------------------------------- */

/* How it ended when two names were exchanged again. */
typedef enum em_put_back {
    EM_PUT_BACK_CLEAN, /* the newest content of others is in place; the stray name may go */
    EM_PUT_BACK_KEPT,  /* both names hold content of others that may matter */
    EM_PUT_BACK_GONE,  /* somebody removed what had the name, and so it stays (ours.gone_stays) */
} em_put_back;

/* The new content: how it is recognised. */
typedef struct em_ours {
    em_hash hash;
    uint64_t ino;
    int fd;          /* of it; -1 where it is only known by name */
    bool gone_stays; /* what the stray holds is only the old content: what was removed meanwhile
                        does not come back */
} em_ours;

/* The entry's name holds ours, `stray` in the same folder what came out when the names were
 * exchanged: exchange them again. What then comes out must be ours; else somebody saved once more,
 * and the newest content wins. What it wins over may go where its writer had replaced the name, as
 * it would have gone without us; where somebody wrote into our very file, the other content is
 * kept.
 *
 * A status that is not EM_OK: both names are as they are, and nothing may be removed. */
em_status em_names_put_back(em_entry entry, const char *stray, em_ours ours, em_put_back *outcome,
                            em_error *err);

#endif
