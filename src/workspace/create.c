/* create.c: a file that was missing is made, whole and under its name at once.
 *
 *   step                         on disk                        killed
 *   ------------------------------------------------------------------------------------------
 *   3  em_flight_stage           -                              nothing to do
 *   4  em_flight_record          a row, with the folders        drop the row
 *   5  make_folders              some of the folders            remove the empty ones, drop
 *   6  give_final_name           the file                       finish
 *   8  em_flight_sync_folder     the file                       finish
 *   10 em_flight_settle_row      the file                       -
 *
 *  (1) The name is given by a call that fails when the name is taken: never over somebody's file.
 *  (2) A folder is only removed by a call that fails when it is not empty, and only where it was
 *      missing when the row was written.
 *
 * The new content is made in the deepest folder that is there, so it is on the same file system.
 */
#include "system/sys_io.h"
#include "workspace/flight.h"

#include <stdio.h> /* RENAME_ */

/* ---- 5: folders ---------------------------------------------------------------------------- */

static em_status make_folder(em_flight *f, size_t index)
{
    const em_sys *sys = f->ws->sys;
    const char *name = f->at->place.missing[index];
    int result = EM_SYS_RETRY(sys, mkdir, f->folder, name, 0777);
    if (result == -EEXIST)
        f->folders_found = index + 1; /* somebody else made it: it is not ours to remove */
    else if (result < 0)
        return em_flight_fail(f, result, "make a folder for");
    else if (f->ws->options.sync == EM_SYNC_FULL)
        EM_TRY(em_folder_sync(sys, f->folder, f->file->path, f->err));
    int fd = EM_SYS_RETRY(sys, open, f->folder, name, O_PATH | O_DIRECTORY | O_NOFOLLOW, 0, 0);
    if (fd < 0)
        return em_flight_fail(f, fd, "open a folder for");
    EM_SYS(sys, close, f->folder);
    f->folder = fd;
    return EM_OK;
}

/* All missing folders; f->folder is then the one for the file. */
static em_status make_folders(em_flight *f)
{
    const em_resolved *place = &f->at->place;
    EM_TRY(em_flight_check_folder(f));
    f->folder = EM_SYS_RETRY(f->ws->sys, open, place->dir, ".", O_PATH | O_DIRECTORY, 0, 0);
    if (f->folder < 0)
        return em_flight_fail(f, f->folder, "open the folder of");
    for (size_t i = 0; i < place->missing_count; i++)
        EM_TRY(make_folder(f, i));
    return EM_OK;
}

/* ---- 6: the name --------------------------------------------------------------------------- */

/* Where names cannot be moved without overwriting: a second name, and then not the first. */
static int publish_by_link(em_flight *f)
{
    const em_resolved *place = &f->at->place;
    em_error why = EM_ERROR_INIT;
    int result = EM_SYS_RETRY(f->ws->sys, link, place->dir, f->temp, f->folder, place->name, 0);
    if (result == 0 && em_name_remove(em_flight_entry(f, f->temp), &why) != EM_OK) {
        f->unfinished = true;
        em_flight_warn(f, "The temporary name %s is left (%s)", f->temp, why.detail);
    }
    return result;
}

/* From the temporary name, where the file had to have one. */
static int publish_named(em_flight *f)
{
    const em_resolved *place = &f->at->place;
    int result = EM_SYS_RETRY(f->ws->sys, rename, place->dir, f->temp, f->folder, place->name,
                              RENAME_NOREPLACE);
    return em_is_unsupported(result) ? publish_by_link(f) : result;
}

static em_status give_final_name(em_flight *f)
{
    const char *name = f->at->place.name;
    em_stat now;
    int result =
        f->may_be_named ? publish_named(f) : em_name_give(f->ws->sys, f->fd, f->folder, name);
    if (result == 0)
        return EM_OK;
    /* A signal may have interrupted a call that had done its work. */
    if (EM_SYS_RETRY(f->ws->sys, stat, f->folder, name, AT_SYMLINK_NOFOLLOW, &now) == 0 &&
        em_stat_same_inode(&now, &f->staged))
        return EM_OK;
    if (result == -EEXIST)
        return em_fail(f->err, EM_E_EXISTS, "%s was made by somebody else", f->file->path);
    return em_flight_fail_link(f, result, "link");
}

em_status em_flight_publish_new(em_flight *f)
{
    EM_TRY(em_flight_sync_content(f));
    EM_TRY(make_folders(f));
    if (f->may_be_named)
        EM_TRY(em_flight_check_stray(f));
    return give_final_name(f);
}

/* ---- All of it ----------------------------------------------------------------------------- */

static void take_back(em_flight *f)
{
    em_error why = EM_ERROR_INIT;
    if (f->row.folders && f->folder >= 0 &&
        em_folders_remove(f->ws->sys, f->at->place.dir, f->row.folders, f->folders_found,
                          f->file->path, &why) != EM_OK) {
        f->unfinished = true;
        em_flight_tell_more(f, "folders made for it are left (%s)", why.detail);
    }
    em_flight_remove_traces(f);
}

em_status em_flight_create(em_flight *f)
{
    em_status status = em_flight_stage(f);
    if (status == EM_OK)
        status = em_flight_record(f, false);
    if (status == EM_OK)
        status = em_flight_publish_new(f);
    if (status != EM_OK) {
        take_back(f);
        return status;
    }
    em_flight_sync_folder(f, f->folder);
    if (f->may_be_named && f->row.folders) /* the temporary name was in another folder */
        em_flight_sync_folder(f, f->at->place.dir);
    em_flight_settle_row(f, EM_ROW_DONE);
    return EM_OK;
}
