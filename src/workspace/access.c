/* access.c: what a change would be refused for, found out before anything is done. */
#include "system/names.h"
#include "system/sys_io.h"
#include "workspace/backup.h"
#include "workspace/content.h"
#include "workspace/stage.h"
#include "workspace/ws.h"

#include <inttypes.h>
#include <unistd.h>

enum { EFFECTIVE = AT_EACCESS | AT_EMPTY_PATH };

static bool is_no(int result)
{
    return em_status_of_errno(-result) == EM_E_PERMISSION;
}

static em_status check_file(const em_workspace *ws, const em_resolved *place, em_error *err)
{
    if (place->stat.immutable || place->stat.append_only)
        return em_fail(err, EM_E_PERMISSION, "%s is %s (chattr)", place->path,
                       place->stat.immutable ? "immutable" : "append-only");
    int result = EM_SYS_RETRY(ws->sys, access, place->file, "", W_OK, EFFECTIVE);
    if (result < 0)
        return em_io_fail(err, result, "write", place->path);
    if ((place->stat.mode & (S_ISUID | S_ISGID)) && !ws->options.allow_owner_change)
        return em_fail(err, EM_E_PERMISSION,
                       "%s is setuid or setgid; --allow-owner-change would allow to edit it",
                       place->path);
    return EM_OK;
}

/* Can names be made and removed in the folder? */
static em_status folder_can_change(const em_workspace *ws, const em_resolved *place,
                                   const em_stat *folder, bool *can, em_error *err)
{
    int result = EM_SYS_RETRY(ws->sys, access, place->dir, "", W_OK | X_OK, EFFECTIVE);
    *can = result == 0 && !folder->immutable && !folder->append_only;
    return result < 0 && !is_no(result)
               ? em_io_fail(err, result, "access the folder of", place->path)
               : EM_OK;
}

/* In a sticky folder a file is renamed and removed only by its owner, the folder's, and who has
 * CAP_FOWNER over it: just those may open the file without a mark in its time of access. */
static em_status name_can_change(const em_workspace *ws, const em_resolved *place,
                                 const em_stat *folder, bool *can, em_error *err)
{
    *can = true;
    if (!(folder->mode & S_ISVTX) || place->file < 0 || folder->uid == geteuid() ||
        place->stat.uid == geteuid())
        return EM_OK;
    int fd = em_reopen(ws->sys, place->file, O_RDONLY | O_NONBLOCK | O_NOATIME);
    *can = fd != -EPERM;
    if (fd >= 0)
        EM_SYS(ws->sys, close, fd);
    return *can && fd < 0 ? em_io_fail(err, fd, "open", place->path) : EM_OK;
}

static em_status check_folder(const em_workspace *ws, const em_resolved *place,
                              const em_stat *folder, bool *in_place, em_error *err)
{
    bool can;
    const char *why = "may not be written";
    EM_TRY(folder_can_change(ws, place, folder, &can, err));
    if (can) {
        why = "is sticky, and neither it nor the file is this user's";
        EM_TRY(name_can_change(ws, place, folder, &can, err));
    }
    if (can)
        return EM_OK;
    if (place->file < 0)
        return em_fail(err, EM_E_PERMISSION, "the folder of %s %s", place->path, why);
    if (!ws->options.in_place)
        return em_fail(err, EM_E_PERMISSION,
                       "the folder of %s %s; --in-place would write the file itself", place->path,
                       why);
    *in_place = true;
    return EM_OK;
}

/* A name that something is mounted on can be given to nothing else. */
static em_status check_mount(const em_workspace *ws, const em_resolved *place, bool *in_place,
                             em_error *err)
{
    if (!place->stat.mount_root)
        return EM_OK;
    if (!ws->options.in_place)
        return em_fail(err, EM_E_PERMISSION,
                       "%s is mounted by itself, as single files of a container are, so its name "
                       "cannot be given to another file; --in-place would write the file itself",
                       place->path);
    *in_place = true;
    return EM_OK;
}

static em_status check_owner(const em_workspace *ws, const em_resolved *place, bool *in_place,
                             em_error *err)
{
    bool can;
    if (place->stat.uid == geteuid() && place->stat.gid == getegid())
        return EM_OK;
    EM_TRY(em_stage_can_own(ws->sys, place->dir, &place->stat, place->path, &can, err));
    if (can)
        return EM_OK;
    if (!ws->options.in_place)
        return em_stage_fail_owner(place->stat.uid == geteuid(), place->path, err);
    *in_place = true;
    return EM_OK;
}

em_status em_file_check_access(const em_file *file, em_error *err)
{
    const em_error *refusal = &file->state->refusal;
    if (refusal->code == EM_OK)
        return EM_OK;
    if (err)
        *err = *refusal;
    return refusal->code;
}

em_status em_file_check_new_size(const em_file *file, em_splices splices, em_error *err)
{
    em_content content = em_content_of(file, splices);
    uint64_t size = em_content_size(&content), most = file->state->max_size;
    if (most == 0 || size <= most)
        return EM_OK;
    return em_fail(err, EM_E_TOO_LARGE,
                   "it would have %" PRIu64 " bytes; at most %" PRIu64 " are allowed", size, most);
}

em_status em_ws_check_change(em_workspace *ws, const em_file *file, const em_change *change,
                             em_error *err)
{
    bool is_there = file->state->place.stat.ino != 0;
    EM_TRY(em_file_check_access(file, err));
    EM_TRY(em_file_check_new_size(file, change->splices, err));
    return change->backup && is_there ? em_backup_check(ws, file, change, err) : EM_OK;
}

em_status em_access_check(const em_workspace *ws, const em_resolved *place, const em_stat *folder,
                          bool probe, bool *in_place, em_error *err)
{
    *in_place = false;
    if (place->file >= 0)
        EM_TRY(check_file(ws, place, err));
    EM_TRY(check_folder(ws, place, folder, in_place, err));
    if (place->file >= 0 && !*in_place)
        EM_TRY(check_mount(ws, place, in_place, err));
    if (place->file >= 0 && probe && !*in_place && !ws->options.allow_owner_change)
        EM_TRY(check_owner(ws, place, in_place, err));
    return EM_OK;
}
