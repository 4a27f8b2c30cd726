/* names.c: looking at names, and exchanging them back.
 *
 * Small ones first; em_names_put_back, at the end, is the one to read slowly: it exchanges again as
 * long as somebody has come in between, and removes nothing.
 */
#include "system/names.h"

#include "system/hash.h"
#include "system/sys_io.h"

#include <limits.h>
#include <stdio.h>
#include <unistd.h>

static const char temp_prefix[] = ".emend-";

void em_temp_name(const unsigned char random[static 16], char out[static EM_TEMP_SIZE])
{
    static const char digits[] = "0123456789abcdef";
    memcpy(out, temp_prefix, sizeof temp_prefix);
    char *end = out + sizeof temp_prefix - 1;
    for (size_t i = 0; i < 16; i++) {
        *end++ = digits[random[i] >> 4];
        *end++ = digits[random[i] & 0xF];
    }
    *end = '\0';
}

bool em_is_temp_name(const char *name)
{
    size_t prefix = sizeof temp_prefix - 1;
    return strlen(name) == EM_TEMP_SIZE - 1 && strncmp(name, temp_prefix, prefix) == 0 &&
           strspn(name + prefix, "0123456789abcdef") == EM_TEMP_SIZE - 1 - prefix;
}

char *em_name_beside(em_arena *arena, const char *path, const char *name)
{
    const char *slash = strrchr(path, '/');
    int folder = slash ? (int)(slash + 1 - path) : 0;
    return em_arena_format(arena, "%.*s%s", folder, path, name);
}

int em_reopen(const em_sys *sys, int fd, int flags)
{
    char path[32];
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    return EM_SYS_RETRY(sys, open, AT_FDCWD, path, flags, 0, 0);
}

bool em_has_proc(const em_sys *sys)
{
    return EM_SYS_RETRY(sys, access, AT_FDCWD, "/proc/self/fd", F_OK, 0) == 0;
}

/* ---- Looking ------------------------------------------------------------------------------- */

/* The hash of what an O_PATH descriptor stands for. */
static em_status hash_of_path(em_io_file file, em_hash *hash, em_error *err)
{
    int fd = em_reopen(file.sys, file.fd, O_RDONLY | O_NONBLOCK);
    if (fd < 0)
        return em_io_fail(err, fd, "open", file.path);
    em_status status = em_hash_file((em_io_file){file.sys, fd, file.path}, hash, err);
    EM_SYS(file.sys, close, fd);
    return status;
}

em_status em_look_at(em_entry entry, em_look *look, em_error *err)
{
    *look = (em_look){0};
    int fd = EM_SYS_RETRY(entry.sys, open, entry.dir, entry.name, O_PATH | O_NOFOLLOW, 0, 0);
    if (fd == -ENOENT)
        return EM_OK;
    if (fd < 0)
        return em_io_fail(err, fd, "open", entry.path);
    em_status status = EM_OK;
    int result = EM_SYS_RETRY(entry.sys, stat, fd, "", AT_EMPTY_PATH, &look->stat);
    if (result < 0)
        status = em_io_fail(err, result, "stat", entry.path);
    look->exists = true;
    look->regular = S_ISREG(look->stat.mode);
    if (status == EM_OK && look->regular)
        status = hash_of_path((em_io_file){entry.sys, fd, entry.path}, &look->hash, err);
    EM_SYS(entry.sys, close, fd);
    return status;
}

bool em_look_has(const em_look *look, em_hash hash)
{
    return look->regular && em_hash_eq(look->hash, hash);
}

bool em_stat_same_inode(const em_stat *a, const em_stat *b)
{
    return a->dev == b->dev && a->ino == b->ino;
}

static bool same_time(struct timespec a, struct timespec b)
{
    return a.tv_sec == b.tv_sec && a.tv_nsec == b.tv_nsec;
}

bool em_stat_same_content(const em_stat *a, const em_stat *b)
{
    return em_stat_same_inode(a, b) && a->size == b->size && same_time(a->mtime, b->mtime);
}

bool em_stat_same_but_for_names(const em_stat *a, const em_stat *b)
{
    return em_stat_same_content(a, b) && a->mode == b->mode && a->uid == b->uid && a->gid == b->gid;
}

bool em_stat_unchanged(const em_stat *a, const em_stat *b)
{
    return em_stat_same_content(a, b) && same_time(a->ctime, b->ctime);
}

bool em_stat_may_be_copied_up(const em_stat *now, const em_stat *was)
{
    return was->nlink > 1 && now->nlink == 1 && !em_stat_same_inode(now, was) &&
           now->size == was->size && same_time(now->mtime, was->mtime) && now->mode == was->mode &&
           now->uid == was->uid && now->gid == was->gid;
}

/* ---- Changing ------------------------------------------------------------------------------ */

bool em_is_unsupported(int result)
{
    return result == -EINVAL || result == -ENOSYS || result == -EOPNOTSUPP;
}

em_status em_folder_sync(const em_sys *sys, int dir, const char *path, em_error *err)
{
    int fd = EM_SYS_RETRY(sys, open, dir, ".", O_RDONLY | O_DIRECTORY, 0, 0);
    if (fd < 0)
        return em_io_fail(err, fd, "open the folder of", path);
    em_status status = em_io_sync((em_io_file){sys, fd, path}, false, err);
    EM_SYS(sys, close, fd);
    return status;
}

em_status em_name_remove(em_entry entry, em_error *err)
{
    int result = EM_SYS_RETRY(entry.sys, unlink, entry.dir, entry.name, 0);
    return result < 0 && result != -ENOENT ? em_io_fail(err, result, "unlink", entry.path) : EM_OK;
}

int em_name_give(const em_sys *sys, int fd, int dir, const char *name)
{
    char path[32];
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    return EM_SYS_RETRY(sys, link, AT_FDCWD, path, dir, name, AT_SYMLINK_FOLLOW);
}

/* May a folder stay because of this? Somebody uses it, or it is none, or gone. */
static bool is_left_alone(int result)
{
    return result == -ENOTEMPTY || result == -EEXIST || result == -ENOENT || result == -ENOTDIR;
}

em_status em_folders_remove(const em_sys *sys, int dir, const char *folders, size_t keep,
                            const char *path, em_error *err)
{
    char way[PATH_MAX];
    size_t depth = 1;
    snprintf(way, sizeof way, "%s", folders);
    for (const char *at = way; *at; at++)
        depth += *at == '/';
    for (; depth > keep; depth--) { /* the innermost first */
        int result = EM_SYS_RETRY(sys, unlink, dir, way, AT_REMOVEDIR);
        if (result < 0 && !is_left_alone(result))
            return em_io_fail(err, result, "remove a folder made for", path);
        char *end = strrchr(way, '/');
        if (end)
            *end = '\0';
    }
    return EM_OK;
}

/* ---- Putting back -------------------------------------------------------------------------- */

enum { ROUNDS = 16 }; /* somebody who saves that often while we look is left alone */

/* Exchange the two names. *gone: the entry's was gone by now; unless that stays so, what came out
 * goes back to its place, and nothing comes out. */
static em_status exchange_again(em_entry entry, const char *stray, bool gone_stays, bool *gone,
                                em_error *err)
{
    int dir = entry.dir;
    int result = EM_SYS_RETRY(entry.sys, rename, dir, stray, dir, entry.name, RENAME_EXCHANGE);
    *gone = result == -ENOENT;
    if (*gone && gone_stays)
        return EM_OK;
    if (*gone)
        result = EM_SYS_RETRY(entry.sys, rename, dir, stray, dir, entry.name, RENAME_NOREPLACE);
    return result < 0 ? em_io_fail(err, result, "exchange", entry.path) : EM_OK;
}

/* *stat: of what an entry stands for, but not what a link leads to. Negative on failure. */
static int stat_entry(em_entry entry, em_stat *stat)
{
    return EM_SYS_RETRY(entry.sys, stat, entry.dir, entry.name, AT_SYMLINK_NOFOLLOW, stat);
}

/* Is it ours, unchanged, what `stray` stands for? *stat is of what it stands for; with no inode
 * number where there is nothing. */
static em_status is_ours(em_entry stray, const em_ours *ours, bool *is, em_stat *stat,
                         em_error *err)
{
    em_look look;
    if (ours->fd < 0) {
        EM_TRY(em_look_at(stray, &look, err));
        *is = em_look_has(&look, ours->hash);
        *stat = look.stat;
        return EM_OK;
    }
    *stat = (em_stat){0};
    int result = stat_entry(stray, stat);
    if (result < 0 && result != -ENOENT)
        return em_io_fail(err, result, "stat", stray.path);
    *is = stat->ino == ours->ino;
    if (!*is)
        return EM_OK;
    EM_TRY(em_hash_file((em_io_file){stray.sys, ours->fd, stray.path}, &look.hash, err));
    *is = em_hash_eq(look.hash, ours->hash);
    return EM_OK;
}

em_status em_names_put_back(em_entry entry, const char *stray, em_ours ours, em_put_back *outcome,
                            em_error *err)
{
    em_entry other = entry;
    em_stat in_place = {0}; /* under the name before the exchange; nothing like it at first */
    em_stat newest;         /* what the exchange puts there */
    other.name = stray;
    int result = stat_entry(other, &newest);
    if (result < 0)
        return em_io_fail(err, result, "stat", entry.path);
    for (int round = 0; round < ROUNDS; round++) {
        bool gone, is = false, gone_stays = ours.gone_stays && round == 0;
        em_stat came_out;
        EM_TRY(exchange_again(entry, stray, gone_stays, &gone, err));
        *outcome = gone && gone_stays ? EM_PUT_BACK_GONE : EM_PUT_BACK_CLEAN;
        if (gone)
            return EM_OK;
        EM_TRY(is_ours(other, &ours, &is, &came_out, err));
        if (is || came_out.ino == 0)
            return EM_OK;
        *outcome = EM_PUT_BACK_KEPT;
        if (em_stat_same_content(&came_out, &in_place)) { /* nobody came in between */
            if (round == 1 && newest.ino != ours.ino)
                *outcome = EM_PUT_BACK_CLEAN;
            return EM_OK;
        }
        in_place = newest;
        newest = came_out;
    }
    return EM_OK;
}
