/* stage.c: a new file gets all that an old one has, but for the content.
 *
 * Begin with em_stage_attributes. The order counts: the owner, since a change of it takes bits of
 * the mode away; the ACL that the folder gave; the mode; attributes; last the ACL, which carries
 * the mode too.
 */
#include "workspace/stage.h"

#include "history/history.h"
#include "system/sys_io.h"

#include <limits.h>
#include <linux/limits.h>
#include <stdio.h>
#include <sys/xattr.h>

/* The ACL of a file, as the kernel gives it: no library is needed to copy one. */
static const char acl_name[] = "system.posix_acl_access";

/* ---- Making -------------------------------------------------------------------------------- */

em_status em_stage_unnamed(const em_sys *sys, int dir, mode_t mode, const char *path, int *fd,
                           em_error *err)
{
    *fd = EM_SYS_RETRY(sys, open, dir, ".", O_TMPFILE | O_RDWR, mode, 0);
    if (em_is_unsupported(*fd) || *fd == -EISDIR) { /* EISDIR: of kernels that ignore the flag */
        *fd = -1;
        return EM_OK;
    }
    return *fd < 0 ? em_io_fail(err, *fd, "make a temporary file for", path) : EM_OK;
}

em_status em_stage_named(em_entry entry, mode_t mode, int *fd, em_error *err)
{
    int flags = O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW;
    *fd = EM_SYS_RETRY(entry.sys, open, entry.dir, entry.name, flags, mode, 0);
    return *fd < 0 ? em_io_fail(err, *fd, "make a temporary file for", entry.path) : EM_OK;
}

/* ---- Owner and mode ------------------------------------------------------------------------ */

typedef struct copying {
    const em_sys *sys;
    int from, to;
    const char *path;
    em_attribute_losses losses;
    em_arena *arena;
    em_error *err;
} copying;

static bool is_refusal(int result)
{
    return result == -EPERM || result == -EACCES || result == -EINVAL;
}

em_status em_stage_fail_owner(bool group_alone, const char *path, em_error *err)
{
    return em_fail(err, EM_E_PERMISSION,
                   "the %s of %s cannot be kept; --allow-owner-change or --in-place would allow to "
                   "edit it",
                   group_alone ? "group" : "owner", path);
}

/* Whoever has no number in this user namespace, as a user of the host in a container, is shown as
 * `NOBODY`; and in any namespace but the first there may be somebody of that very number, to whom
 * the kernel would give the file. */
static bool may_be_hidden(const em_sys *sys, uint32_t id)
{
    enum { NOBODY = 65534 };
    static const uint64_t first_namespace = 0xEFFFFFFD;
    em_stat namespace;
    return id == NOBODY &&
           EM_SYS_RETRY(sys, stat, AT_FDCWD, "/proc/self/ns/user", 0, &namespace) == 0 &&
           namespace.ino != first_namespace;
}

static bool owner_may_be_hidden(const em_sys *sys, const em_stat *want, const em_stat *have)
{
    return (want->uid != have->uid && may_be_hidden(sys, want->uid)) ||
           (want->gid != have->gid && may_be_hidden(sys, want->gid));
}

/* -EPERM where nobody can tell whose it would be. */
static int owner_give(const em_sys *sys, int fd, const em_stat *want, const em_stat *have)
{
    if (owner_may_be_hidden(sys, want, have))
        return -EPERM;
    return EM_SYS_RETRY(sys, chown, fd, want->uid, want->gid);
}

static bool group_give(const copying *c, const em_stat *want, const em_stat *have)
{
    return want->gid == have->gid ||
           (!may_be_hidden(c->sys, want->gid) &&
            EM_SYS_RETRY(c->sys, chown, c->to, (uid_t)-1, want->gid) == 0);
}

static em_status owner_copy(const copying *c, const em_stat *want, const em_stat *have, bool allow,
                            bool *owner_kept, bool *group_kept)
{
    *owner_kept = *group_kept = true;
    if (want->uid == have->uid && want->gid == have->gid)
        return EM_OK;
    int result = owner_give(c->sys, c->to, want, have);
    if (result == 0)
        return EM_OK;
    if (!is_refusal(result))
        return em_io_fail(c->err, result, "chown", c->path);
    if (!allow)
        return em_stage_fail_owner(want->uid == have->uid, c->path, c->err);
    *owner_kept = want->uid == have->uid;
    *group_kept = group_give(c, want, have);
    return EM_OK;
}

/* The mode that fits what could be kept: no set-id bit for another owner, and a group that is not
 * the old one may do no more than everybody. */
static mode_t mode_for(mode_t mode, bool owner_kept, bool group_kept)
{
    mode &= 07777;
    if (!owner_kept || !group_kept)
        mode &= 01777;
    if (!group_kept)
        mode = (mode & ~(mode_t)070) | (mode & ((mode & 07) << 3));
    return mode;
}

static em_status mode_copy(const copying *c, mode_t mode, const em_stat *have)
{
    if ((have->mode & 07777) == mode)
        return EM_OK;
    int result = EM_SYS_RETRY(c->sys, chmod, c->to, mode);
    return result < 0 ? em_io_fail(c->err, result, "chmod", c->path) : EM_OK;
}

/* ---- Extended attributes ------------------------------------------------------------------- */

/* The value of an attribute in the arena; result: its size, or -errno. */
static ssize_t value_read(const copying *c, int fd, const char *name, char **value)
{
    for (;;) {
        ssize_t size = EM_SYS_RETRY(c->sys, getxattr, fd, name, NULL, 0);
        if (size < 0)
            return size;
        size_t room = (size_t)size + 1; /* a room of 0 would ask for the size again */
        *value = em_alloc_raw(c->arena, room);
        if (!*value)
            return -ENOMEM;
        size = EM_SYS_RETRY(c->sys, getxattr, fd, name, *value, room);
        if (size != -ERANGE) /* it has grown */
            return size;
    }
}

static bool value_is_there(const copying *c, const char *name, const char *value, size_t size)
{
    char *have;
    ssize_t have_size = value_read(c, c->to, name, &have);
    return have_size >= 0 && (size_t)have_size == size && memcmp(have, value, size) == 0;
}

/* Hashes and signatures of the content are wrong for the new one, and rights that a program has by
 * its content are not those of another. */
static bool is_bound_to_content(const char *name)
{
    return strcmp(name, "security.ima") == 0 || strcmp(name, "security.evm") == 0 ||
           strcmp(name, "security.capability") == 0;
}

static bool must_be_kept(const char *name)
{
    return strncmp(name, "user.", 5) == 0 || strncmp(name, "system.", 7) == 0;
}

static em_status attribute_lost(copying *c, const char *name, ssize_t result)
{
    if (result == -ENOMEM)
        return EM_E_NOMEM;
    if (must_be_kept(name)) {
        char what[XATTR_NAME_MAX + 32];
        snprintf(what, sizeof what, "copy the attribute %s of", name);
        return em_io_fail(c->err, result, what, c->path);
    }
    c->losses |= EM_NOTE_ATTRIBUTES;
    return EM_OK;
}

static em_status attribute_copy(copying *c, const char *name)
{
    char *value;
    if (is_bound_to_content(name)) {
        c->losses |= EM_NOTE_ATTRIBUTES;
        return EM_OK;
    }
    ssize_t size = value_read(c, c->from, name, &value);
    if (size == -ENODATA) /* removed meanwhile */
        return EM_OK;
    if (size < 0)
        return attribute_lost(c, name, size);
    if (!must_be_kept(name) && value_is_there(c, name, value, (size_t)size))
        return EM_OK;
    int result = EM_SYS_RETRY(c->sys, setxattr, c->to, name, value, (size_t)size);
    return result < 0 ? attribute_lost(c, name, result) : EM_OK;
}

/* The names of all attributes, each with its NUL, in the arena. */
static em_status names_read(const copying *c, int fd, em_slice *names)
{
    char few[1024];
    *names = (em_slice){0};
    ssize_t size = EM_SYS_RETRY(c->sys, listxattr, fd, few, sizeof few);
    if (size == 0 || size == -EOPNOTSUPP || size == -ENOSYS)
        return EM_OK;
    size_t room = size == -ERANGE ? XATTR_LIST_MAX : sizeof few;
    char *list = em_alloc_raw(c->arena, room);
    if (!list)
        return EM_E_NOMEM;
    if (size == -ERANGE)
        size = EM_SYS_RETRY(c->sys, listxattr, fd, list, room);
    else if (size > 0)
        memcpy(list, few, (size_t)size);
    if (size < 0)
        return em_io_fail(c->err, size, "list the attributes of", c->path);
    *names = em_slice_make(list, (size_t)size);
    return EM_OK;
}

static em_status attributes_copy(copying *c, em_slice names)
{
    for (size_t at = 0; at < names.len; at += strlen(names.ptr + at) + 1) {
        const char *name = names.ptr + at;
        if (strcmp(name, acl_name) != 0)
            EM_TRY(attribute_copy(c, name));
    }
    return EM_OK;
}

/* Added to the sum of the others, so that their order does not count. */
static em_status attribute_add(const copying *c, const char *name, em_hash *sum)
{
    EM_AUTO(em_hasher) hasher = {0};
    char *value;
    ssize_t size = value_read(c, c->from, name, &value);
    if (size < 0)
        return size == -ENOMEM ? EM_E_NOMEM
                               : em_io_fail(c->err, size, "read an attribute of", c->path);
    EM_TRY(em_hasher_start(&hasher));
    em_hasher_add_text(&hasher, em_slice_of(name));
    em_hasher_add_text(&hasher, em_slice_make(value, (size_t)size));
    em_hash one = em_hasher_end(&hasher);
    for (size_t i = 0; i < sizeof one.hex; i++)
        sum->hex[i] = (char)(sum->hex[i] ^ one.hex[i]);
    return EM_OK;
}

em_status em_stage_hash_attributes(em_io_file file, em_hash *hash, em_error *err)
{
    EM_AUTO(em_arena) arena = {0};
    const copying c = {
        .sys = file.sys, .from = file.fd, .path = file.path, .arena = &arena, .err = err};
    em_slice names;
    em_hash sum = {""};
    EM_TRY(names_read(&c, file.fd, &names));
    for (size_t at = 0; at < names.len; at += strlen(names.ptr + at) + 1) {
        if (must_be_kept(names.ptr + at))
            EM_TRY(attribute_add(&c, names.ptr + at, &sum));
    }
    *hash = em_hash_of(em_slice_make(sum.hex, sizeof sum.hex));
    return EM_OK;
}

/* ---- ACLs ---------------------------------------------------------------------------------- */

static bool names_have(em_slice names, const char *name)
{
    for (size_t at = 0; at < names.len; at += strlen(names.ptr + at) + 1) {
        if (strcmp(names.ptr + at, name) == 0)
            return true;
    }
    return false;
}

/* A file that is made in a folder with a default ACL inherits it. Take it away, before the mode is
 * set: chmod would widen it. An ACL that says no more than a mode (owner, group, others; here
 * rw-, ---, ---) is none; it sets that mode too, and so have->mode. */
static em_status acl_disinherit(const copying *c, em_stat *have)
{
    static const unsigned char mode_0600[] = {
        2,    0, 0, 0,                         /* version */
        1,    0, 6, 0, 0xFF, 0xFF, 0xFF, 0xFF, /* the owner */
        4,    0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF, /* the group */
        0x20, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF, /* others */
    };
    ssize_t size = EM_SYS_RETRY(c->sys, getxattr, c->to, acl_name, NULL, 0);
    if (size == -ENODATA || size == -EOPNOTSUPP || size == -ENOSYS)
        return EM_OK;
    if (size < 0)
        return em_io_fail(c->err, size, "read the ACL of", c->path);
    int result = EM_SYS_RETRY(c->sys, setxattr, c->to, acl_name, mode_0600, sizeof mode_0600);
    if (result < 0)
        return em_io_fail(c->err, result, "set the ACL of", c->path);
    have->mode = (have->mode & ~(uint32_t)0777) | 0600;
    return EM_OK;
}

/* ---- All of them --------------------------------------------------------------------------- */

static em_status attributes_all(copying *c, const em_stat *stat, bool allow_owner_change)
{
    em_stat have;
    bool owner_kept, group_kept;
    em_slice names;
    int result = EM_SYS_RETRY(c->sys, stat, c->to, "", AT_EMPTY_PATH, &have);
    if (result < 0)
        return em_io_fail(c->err, result, "stat", c->path);
    EM_TRY(owner_copy(c, stat, &have, allow_owner_change, &owner_kept, &group_kept));
    if (!owner_kept || !group_kept)
        c->losses |= EM_NOTE_OWNER;
    EM_TRY(acl_disinherit(c, &have));
    EM_TRY(mode_copy(c, mode_for(stat->mode, owner_kept, group_kept), &have));
    EM_TRY(names_read(c, c->from, &names));
    EM_TRY(attributes_copy(c, names));
    return names_have(names, acl_name) ? attribute_copy(c, acl_name) : EM_OK;
}

em_status em_stage_attributes(em_io_file to, int from, const em_stat *stat, bool allow_owner_change,
                              em_attribute_losses *losses, em_error *err)
{
    EM_AUTO(em_arena) arena = {0};
    copying c = {
        .sys = to.sys, .from = from, .to = to.fd, .path = to.path, .arena = &arena, .err = err};
    em_status status = attributes_all(&c, stat, allow_owner_change);
    *losses = c.losses;
    return status;
}

em_status em_stage_can_own(const em_sys *sys, int dir, const em_stat *stat, const char *path,
                           bool *can, em_error *err)
{
    int fd;
    em_stat have;
    *can = true;
    EM_TRY(em_stage_unnamed(sys, dir, 0600, path, &fd, err));
    if (fd < 0)
        return EM_OK;
    int result = EM_SYS_RETRY(sys, stat, fd, "", AT_EMPTY_PATH, &have);
    if (result == 0)
        result = owner_give(sys, fd, stat, &have);
    *can = !is_refusal(result);
    EM_SYS(sys, close, fd);
    return EM_OK;
}
