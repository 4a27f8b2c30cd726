/* in_place.c: a file that cannot be replaced is written over, where --in-place allows it.
 *
 * That is a file in a folder where no names may be changed, or whose owner a new file could not
 * have. There is no moment at which such a change happens at once, so the old content is kept in
 * the state directory until the new one is complete.
 *
 *   step                         target      copies/      row       killed
 *   ------------------------------------------------------------------------------------------
 *   4  em_flight_record          old         -            pending   drop the row
 *   5  copies_write              old         old + new    pending   remove the copy, drop the row
 *   5b make_backup               old         old + new    pending   remove both, drop the row
 *   6  overwrite                 mixture     old + new    pending   restore, remove, drop
 *   7  check_written             new         old + new    pending   remove the copy, done
 *   9  copies_remove             new         -            pending   done
 *   10 em_flight_settle_row      new         -            done      -
 *
 *  (1) The copy and its row are synced before the first byte is written over, and the file is
 *      synced before they go, whatever --sync says, in recovery too: nothing else protects it.
 *  (2) What is restored is a file with the same inode whose every byte is old or new; anything else
 *      is somebody's work and stays.
 *
 * There is no exchange here: what somebody else writes to the file between the check of its stamp
 * and the end of our writing may be lost. Afterwards the content is compared, and the copy is kept
 * where it is not ours.
 */
#include "system/hash.h"
#include "system/sys_io.h"
#include "workspace/backup.h"
#include "workspace/content_write.h"
#include "workspace/copies.h"
#include "workspace/flight.h"

/* ---- 5: the copies ------------------------------------------------------------------------- */

static em_status copies_fill(const em_flight *f, int fd)
{
    em_io_file copy = {f->ws->sys, fd, f->temp};
    em_slice old = f->file->bytes;
    struct iovec piece = {.iov_base = (void *)(uintptr_t)old.ptr, .iov_len = old.len};
    EM_TRY(em_io_write_all(copy, &piece, 1, 0, f->err));
    EM_TRY(em_content_write_at(&f->content, copy, (off_t)old.len, f->err));
    return em_io_sync(copy, false, f->err);
}

static em_status copies_write_in(em_flight *f)
{
    const em_sys *sys = f->ws->sys;
    EM_TRY(em_copies_open(f->ws, &f->folder, f->err));
    f->may_be_named = true;
    int fd = EM_SYS_RETRY(sys, open, f->folder, f->temp, O_WRONLY | O_CREAT | O_EXCL, 0600, 0);
    if (fd < 0)
        return em_state_fail(f->err, fd, "open", f->temp);
    em_status status = copies_fill(f, fd);
    EM_SYS(sys, close, fd);
    return status == EM_OK ? em_folder_sync(sys, f->folder, f->temp, f->err) : status;
}

static em_status copies_write(em_flight *f)
{
    em_status status = copies_write_in(f);
    if (status != EM_OK)
        em_state_add_place(f->err, f->ws->state.path);
    return status;
}

static em_status copies_remove(const em_flight *f, em_error *err)
{
    return em_name_remove((em_entry){f->ws->sys, f->folder, f->temp, f->temp}, err);
}

/* ---- 5b: the backup ------------------------------------------------------------------------ */

/* Its name is to last before the copy goes: from then on nothing else has the old content. */
static em_status make_backup(em_flight *f)
{
    em_error why = EM_ERROR_INIT;
    if (!f->row.backup)
        return EM_OK;
    EM_TRY(em_backup_copy(f));
    if (f->ws->options.sync == EM_SYNC_FULL &&
        em_folder_sync(f->ws->sys, f->at->place.dir, f->file->path, &why) != EM_OK)
        em_flight_warn(f, "The backup is not durable: a power cut may remove it (%s)", why.detail);
    return EM_OK;
}

/* ---- 6: writing over ----------------------------------------------------------------------- */

static em_status overwrite(em_flight *f)
{
    const em_sys *sys = f->ws->sys;
    size_t size = em_content_size(&f->content);
    f->exchanged = true; /* from here on there is something to take back */
    EM_TRY(em_content_overwrite(&f->content, em_flight_new_file(f), f->err));
    if (size < f->file->bytes.len) {
        int result = EM_SYS_RETRY(sys, truncate, f->fd, (off_t)size);
        if (result < 0)
            return em_flight_fail(f, result, "truncate");
    }
    return em_io_sync(em_flight_new_file(f), false, f->err);
}

static em_status open_target(em_flight *f)
{
    f->fd = em_reopen(f->ws->sys, f->at->place.file, O_RDWR | O_NONBLOCK);
    return f->fd < 0 ? em_flight_fail(f, f->fd, "open") : EM_OK;
}

/* ---- 7: what is there now ------------------------------------------------------------------ */

/* Is our file still the one that has the name? */
static em_status check_name(em_flight *f)
{
    const em_resolved *place = &f->at->place;
    em_stat now;
    int result = EM_SYS_RETRY(f->ws->sys, stat, place->dir, place->name, AT_SYMLINK_NOFOLLOW, &now);
    if (result < 0 && result != -ENOENT)
        return em_flight_fail(f, result, "stat");
    if (result == 0 && em_stat_same_inode(&now, &f->file->stat))
        return EM_OK;
    return em_flight_conflict(f, "was replaced in the moment of the change");
}

/* Do the old and the new content account for all that is there? */
static em_status is_all_ours(const em_flight *f, bool *ours)
{
    const em_sys *sys = f->ws->sys;
    em_stat now;
    int result = EM_SYS_RETRY(sys, stat, f->fd, "", AT_EMPTY_PATH, &now);
    if (result < 0)
        return em_flight_fail(f, result, "stat");
    int copy = EM_SYS_RETRY(sys, open, f->folder, f->temp, O_RDONLY | O_NOFOLLOW, 0, 0);
    if (copy < 0)
        return em_state_fail(f->err, copy, "open", f->temp);
    em_status status = em_copy_explains(sys, copy, &f->row, f->fd, now.size, ours, f->err);
    EM_SYS(sys, close, copy);
    return status;
}

/* What is there is not what we wrote. Is there anything in it that is neither old nor new, nobody
 * but a person can tell what belongs in the file; and as long as that is not known it is not
 * touched. */
static em_status check_foreign(em_flight *f)
{
    bool ours = false;
    f->unfinished = true;
    EM_TRY(is_all_ours(f, &ours));
    f->unfinished = !ours;
    em_flight_conflict(f, "was written by somebody else in the moment of the change");
    if (!ours)
        em_flight_tell_more(f, "the content before it is kept in copies/%s of the state directory",
                            f->temp);
    return EM_E_CONFLICT;
}

static em_status check_written(em_flight *f)
{
    em_hash hash;
    EM_TRY(check_name(f));
    EM_TRY(em_hash_file(em_flight_new_file(f), &hash, f->err));
    return em_hash_eq(hash, f->row.new_hash) ? EM_OK : check_foreign(f);
}

/* ---- Taking back --------------------------------------------------------------------------- */

/* Write the old content again; false when that failed too. */
static bool restore(em_flight *f)
{
    const em_sys *sys = f->ws->sys;
    em_slice old = f->file->bytes;
    em_error why = EM_ERROR_INIT;
    struct iovec piece = {.iov_base = (void *)(uintptr_t)old.ptr, .iov_len = old.len};
    em_status status = em_io_write_all(em_flight_new_file(f), &piece, 1, 0, &why);
    if (status == EM_OK) {
        int result = EM_SYS_RETRY(sys, truncate, f->fd, (off_t)old.len);
        if (result < 0)
            status = em_io_fail(&why, result, "truncate", f->file->path);
    }
    if (status == EM_OK)
        status = em_io_sync(em_flight_new_file(f), false, &why);
    if (status != EM_OK)
        em_flight_tell_more(f, "it could not be restored (%s): `emend recover` will try again",
                            why.detail);
    return status == EM_OK;
}

static void take_back(em_flight *f)
{
    if (f->unfinished || (f->exchanged && !restore(f)))
        return;
    em_backup_take_back(f);
    if (f->may_be_named && copies_remove(f, NULL) != EM_OK)
        return;
    f->may_be_named = false;
    em_flight_remove_traces(f);
}

/* ---- All of it ----------------------------------------------------------------------------- */

static em_status steps(em_flight *f)
{
    EM_TRY(em_content_hash(&f->content, f->ws->sys, f->file->path, &f->row.new_hash, f->err));
    EM_TRY(open_target(f));
    EM_TRY(em_flight_record(f, true));
    EM_TRY(copies_write(f));
    EM_TRY(make_backup(f));
    EM_TRY(em_flight_check_folder(f));
    EM_TRY(em_flight_check_stamp(f));
    EM_TRY(overwrite(f));
    return check_written(f);
}

em_status em_flight_in_place(em_flight *f)
{
    em_error why = EM_ERROR_INIT;
    f->row.kind = EM_ROW_IN_PLACE;
    f->row.new_ino = f->file->stat.ino;
    em_status status = steps(f);
    if (status != EM_OK) {
        take_back(f);
        return status;
    }
    em_flight_warn(f, "The file was written in place, not replaced: others may have seen it "
                      "half-written");
    if (copies_remove(f, &why) != EM_OK) {
        f->unfinished = true;
        em_flight_warn(f, "A copy of the old content is left in the state directory (%s)",
                       why.detail);
    }
    em_flight_settle_row(f, EM_ROW_DONE);
    return EM_OK;
}
