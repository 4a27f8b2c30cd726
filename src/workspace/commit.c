/* commit.c: a change of one file appears whole, or not at all.
 *
 * "Target" is the name of the file, "stray" the temporary name beside it (".emend-" and 128 random
 * bits). "Old" is the content that was read, "new" the one to be, "foreign" what somebody else
 * saved without asking for our lock. The caller holds the lock of the file from the reading on.
 *
 *  (1) The target holds old, new or foreign content, whole, at every moment.
 *  (2) Nothing that can be seen happens before it is written down: a stray name is in a row of the
 *      history, with both hashes, before it exists.
 *  (3) New content is synced, with its owner, mode and attributes, before it has a name; with
 *      --sync off the system has at least taken all of it by then (em_io_finish).
 *  (4) Nothing that came out of the target is removed before it was compared with what was read.
 *      What differs goes back.
 *      Nor does what others wrote to the stray before it is exchanged take the place of the target.
 *  (5) A name is only removed when what it stands for was just looked at.
 *  (6) An error return leaves no stray name and no row, unless both names hold foreign content, or
 *      taking back failed too: then the row stays, and the error tells where what is. A stray that
 *      others wrote to before the exchange stays without a row, and is told.
 *  (7) The row is durable before the stray name is given; that it is done may become so a little
 *      later (history.h).
 *
 *   step                          target     stray     row        error          killed
 *   ------------------------------------------------------------------------------------------
 *   (1, 2: file.c)                old        -         -
 *   3  em_flight_stage            old        -         -          close          nothing to do
 *   4  em_flight_record           old        -         pending    drop the row   drop the row
 *   5  em_flight_give_name        old        new       pending    remove, drop   remove, drop
 *   6  em_flight_publish          new        old       pending    remove, drop   finish 7 to 10
 *   7  em_flight_check_old
 *                  as read:       new        old       pending
 *                  foreign:       foreign    new       pending    (taken back)   put back, drop
 *                  removed since: new        -         pending                   finish
 *   7b keep_backup                new        -         pending    (taken back)   finish
 *   8  em_flight_sync_folder      new        old       pending    warning        finish
 *   9  retire_old                 new        -         pending    warning        finish
 *   10 em_flight_settle_row       new        -         done (7)   warning        finish
 *
 * Only with a backup there is a step 7b: the old file gets its name, and 9 has nothing to do. With
 * a grace period step 9 waits: the row says so (grace), and grace.c does it.
 *
 * Where the system cannot do something, less is promised:
 *   no unnamed files: 4, then 3 under the stray name (row.new_ino stays 0 until it is complete);
 *   no exchange of names: 6 is a plain rename, so what somebody saves between the stamp check and
 *   the rename is lost, and the row notes it; 7 and 9 have nothing to do.
 *
 * When two foreign saves meet our exchange, put_back (names.c) lets the newest win.
 *
 * create.c makes files, in_place.c writes over those that cannot be replaced. The steps are cut so
 * that several files can be taken from one step to the next together.
 */
#include "workspace/flight.h"

#include "base/beside.h"

#include "history/inverse.h"
#include "system/names.h"
#include "system/sys_io.h"
#include "workspace/backup.h"
#include "workspace/content_store.h"
#include "workspace/content_write.h"
#include "workspace/grace.h"
#include "workspace/opening.h"
#include "workspace/recorded.h"
#include "workspace/speculation.h"
#include "workspace/stage.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

enum {
    INVERSE_MOST = 256 << 20,    /* bytes; a larger way back is not recorded */
    PLACES_WORTH_A_THREAD = 500, /* they take a third of a millisecond */
};

/* ---- Telling ------------------------------------------------------------------------------- */

void em_flight_warn(em_flight *f, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    char *text = em_arena_format_v(f->arena, format, args);
    va_end(args);
    if (text) /* else nothing can be told, but the change is made */
        em_warn(&f->report->warnings, f->arena, "%s", text);
}

void em_flight_tell_more(em_flight *f, const char *format, ...)
{
    char more[EM_DETAIL_SIZE];
    va_list args;
    if (!f->err)
        return;
    va_start(args, format);
    vsnprintf(more, sizeof more, format, args);
    va_end(args);
    em_error was = *f->err;
    em_error_cut(&was, EM_DETAIL_SIZE / 2);
    em_fail(f->err, was.code, "%s; %s", was.detail, more);
    f->err->cause = was.cause;
    f->err->sys = was.sys;
}

em_status em_flight_conflict(const em_flight *f, const char *what)
{
    return em_fail_cause(f->err, EM_E_CONFLICT, EM_CAUSE_CHANGED, "%s %s", f->file->path, what);
}

em_status em_flight_fail(const em_flight *f, ssize_t result, const char *call)
{
    return em_io_fail(f->err, result, call, f->file->path);
}

em_status em_flight_fail_link(const em_flight *f, int result, const char *call)
{
    if (result == -ENOENT && !em_has_proc(f->ws->sys))
        return em_fail(f->err, EM_E_IO, "cannot make %s: /proc is not mounted", f->file->path);
    return em_flight_fail(f, result, call);
}

/* ---- Before anything ----------------------------------------------------------------------- */

em_status em_flight_check_request(const em_flight *f)
{
    if (f->at->intent != EM_TO_CHANGE || f->at->spent)
        return em_fail(f->err, EM_E_INTERNAL, "the file is not open for a change");
    if (!em_content_valid(&f->content))
        return em_fail(f->err, EM_E_INTERNAL, "the splices do not fit the file");
    EM_TRY(em_file_check_access(f->file, f->err));
    return em_file_check_new_size(f->file, f->change->splices, f->err);
}

/* ---- The way back -------------------------------------------------------------------------- */

/* An em_errand_work of an em_flight. */
static em_status inverse_encode(void *context, em_arena *arena)
{
    em_flight *f = context;
    const em_file *file = f->file;
    em_splices splices = f->change->splices;
    em_script_kind kind = {f->change->charset, f->change->newline};
    if (file->is_large)
        return em_inverse_encode_part(file->extract, splices, kind, arena, &f->row.inverse);
    return em_inverse_encode(file->bytes, f->change->lines, splices, kind, arena, &f->row.inverse);
}

/* What came of making it. */
static em_status inverse_settle(em_flight *f, em_status status)
{
    f->inverse_due = false;
    if (status != EM_E_NOT_FOUND)
        return status;
    em_flight_warn(f, "The change is too large to be undone");
    return EM_OK;
}

em_status em_flight_make_inverse(em_flight *f)
{
    return f->inverse_due ? inverse_settle(f, inverse_encode(f, f->arena)) : EM_OK;
}

/* Shall the history have it, and can it? */
static void inverse_plan(em_flight *f)
{
    size_t size = 0;
    if (f->row.forget)
        return;
    for (size_t i = 0; i < f->change->splices.count; i++)
        size += f->change->splices.items[i].length;
    f->inverse_due = size <= INVERSE_MOST && (!f->file->is_large || f->file->extract);
    if (!f->inverse_due)
        inverse_settle(f, EM_E_NOT_FOUND);
}

/* All of the row but the way back. */
static em_status row_fill(em_flight *f)
{
    struct {
        unsigned char temp[16];
        uint64_t token;
    } random;
    const em_resolved *place = &f->at->place;
    EM_TRY(em_io_random(f->ws->sys, &random, sizeof random, f->err));
    em_temp_name(random.temp, f->temp);
    f->row = (em_row){
        .token = random.token,
        .kind = f->file->exists ? EM_ROW_EDIT : EM_ROW_CREATE,
        .forget = f->ws->options.no_history,
        .root = f->file->root,
        .path = f->file->rel,
        .dir_dev = f->at->folder.dev,
        .dir_ino = f->at->folder.ino,
        .old_ino = f->file->stat.ino,
        .temp = f->temp,
        .old_hash = f->file->hash,
        .old_size = f->file->size,
        .new_size = em_content_size(&f->content),
        .mode = f->file->stat.mode,
        .boot = f->ws->state.boot,
        .origin = f->change->origin,
        .notes = f->ws->options.sync == EM_SYNC_OFF ? EM_NOTE_UNSYNCED : 0,
    };
    if (place->missing_count > 0) {
        size_t length = strlen(f->at->rest) - strlen(place->name) - 1;
        f->row.folders = em_arena_string(f->arena, em_slice_make(f->at->rest, length));
        if (!f->row.folders)
            return EM_E_NOMEM;
    }
    return em_io_time(f->ws->sys, CLOCK_REALTIME, &f->row.time_ms, f->err);
}

em_status em_flight_prepare(em_flight *f)
{
    EM_TRY(row_fill(f));
    inverse_plan(f);
    return EM_OK;
}

/* ---- 3: the new content -------------------------------------------------------------------- */

/* The file whose owner, mode and attributes the new content gets; NULL: those of any new file. */
static const em_file *model(const em_flight *f)
{
    return f->file->exists ? f->file : f->like;
}

/* What gets a mode may be secret until it has it; a new file gets the mode that any new file
 * gets. */
static mode_t staged_mode(const em_flight *f)
{
    return model(f) || f->change->mode ? 0600 : 0666;
}

/* No unnamed files here: the name is there from the start, so the row comes first. */
static em_status stage_under_name(em_flight *f)
{
    if (f->row.id == 0) {
        EM_TRY(em_content_hash(&f->content, f->ws->sys, f->file->path, &f->row.new_hash, f->err));
        EM_TRY(em_flight_record(f, false));
    }
    f->may_be_named = true;
    return em_stage_named(em_flight_entry(f, f->temp), staged_mode(f), &f->fd, f->err);
}

em_status em_flight_stat_staged(em_flight *f)
{
    int result = EM_SYS_RETRY(f->ws->sys, stat, f->fd, "", AT_EMPTY_PATH, &f->staged);
    return result < 0 ? em_flight_fail(f, result, "stat the temporary file of") : EM_OK;
}

static em_status set_mode(const em_flight *f)
{
    if (!f->change->mode)
        return EM_OK;
    int result = EM_SYS_RETRY(f->ws->sys, chmod, f->fd, f->change->mode & 0777);
    return result < 0 ? em_flight_fail(f, result, "chmod the temporary file of") : EM_OK;
}

/* Permissions of an owner or a group that could not be kept are dropped: they would be somebody
 * else's. That is told. */
static void warn_of_owner(em_flight *f, const em_stat *from)
{
    em_stat now;
    int result = EM_SYS_RETRY(f->ws->sys, stat, f->fd, "", AT_EMPTY_PATH, &now);
    unsigned was = from->mode & 07777, is = now.mode & 07777;
    if (result == 0 && was != is)
        em_flight_warn(f,
                       "The owner or the group of the file could not be kept, and so not all of "
                       "its permissions: they are %04o and were %04o",
                       is, was);
    else
        em_flight_warn(f, "The owner or the group of the file could not be kept");
}

static em_status copy_attributes(em_flight *f)
{
    em_attribute_losses losses;
    const em_file *from = model(f);
    if (!from)
        return set_mode(f);
    em_io_file old = {f->ws->sys, from->state->fd, from->path};
    EM_TRY(em_stage_attributes(em_flight_new_file(f), old.fd, &from->stat,
                               f->ws->options.allow_owner_change, &losses, f->err));
    EM_TRY(em_stage_hash_attributes(old, &f->attributes, f->err));
    f->row.notes |= losses;
    if (losses & EM_NOTE_OWNER)
        warn_of_owner(f, &from->stat);
    if (losses & EM_NOTE_ATTRIBUTES)
        em_flight_warn(f, "Not all security attributes of the file could be kept");
    return EM_OK;
}

/* Where there is no room, there may be when the old files are back that wait to be closed. */
static em_status write_content(em_flight *f)
{
    em_error why = EM_ERROR_INIT;
    em_status status = em_content_write(&f->content, em_flight_new_file(f), &f->row.new_hash, &why);
    bool is_full = status != EM_OK && (why.sys == ENOSPC || why.sys == EDQUOT);
    if (is_full && em_closer_drain(f->ws->closer))
        return em_content_write(&f->content, em_flight_new_file(f), &f->row.new_hash, f->err);
    if (status != EM_OK && f->err)
        *f->err = why;
    return status;
}

/* A temporary file with the new content. */
static em_status stage_content(em_flight *f)
{
    EM_TRY(em_stage_unnamed(f->ws->sys, f->at->place.dir, staged_mode(f), f->file->path, &f->fd,
                            f->err));
    if (f->fd < 0)
        EM_TRY(stage_under_name(f));
    EM_TRY(em_flight_stat_staged(f));
    f->content.to_be_synced = f->ws->options.sync != EM_SYNC_OFF;
    EM_AUTO(em_errand) inverse = {.work = NULL};
    bool is_beside = f->inverse_due && f->change->splices.count >= PLACES_WORTH_A_THREAD;
    if (is_beside)
        em_errand_begin(&inverse, inverse_encode, f);
    em_status written = write_content(f), made = em_errand_end(&inverse, f->arena);
    if (is_beside)
        made = inverse_settle(f, made);
    return written == EM_OK ? made : written;
}

em_status em_flight_stage(em_flight *f)
{
    if (em_speculation_take(f->at, &f->content, &f->fd, &f->row.new_hash))
        EM_TRY(em_flight_stat_staged(f));
    else
        EM_TRY(stage_content(f));
    EM_TRY(copy_attributes(f));
    f->row.new_ino = f->staged.ino;
    if (f->may_be_named)
        return em_flight_sync_content(f);
    if (f->ws->options.sync != EM_SYNC_OFF) /* while the row is written the disk can begin */
        EM_SYS(f->ws->sys, write_out, f->fd);
    return EM_OK;
}

/* ---- 4: the row ---------------------------------------------------------------------------- */

static em_status row_write(em_flight *f, bool durable, em_error *err)
{
    EM_TRY(em_ws_need_history(f->ws, err));
    EM_TRY(em_flight_make_inverse(f));
    return em_history_add(f->ws->history, &f->row, durable, err);
}

em_status em_flight_record(em_flight *f, bool durable)
{
    em_error why = EM_ERROR_INIT;
    if (f->row.id != 0) /* there already, as that of an incomplete file */
        return em_history_mark(f->ws->history, &f->row, f->err);
    em_status status = row_write(f, durable, &why);
    if (status != EM_OK && em_content_store_gives_way(f->ws, &why))
        return row_write(f, durable, f->err);
    if (status != EM_OK && f->err)
        *f->err = why;
    return status;
}

/* ---- 5: the stray name --------------------------------------------------------------------- */

em_status em_flight_sync_content(em_flight *f)
{
    bool durable = f->ws->options.sync != EM_SYNC_OFF;
    if (f->synced)
        return EM_OK;
    EM_TRY(em_io_finish(em_flight_new_file(f), durable, f->err));
    EM_TRY(em_flight_stat_staged(f)); /* its times, from before others can write to it */
    f->synced = true;
    return EM_OK;
}

em_status em_flight_give_name(em_flight *f)
{
    EM_TRY(em_flight_sync_content(f));
    if (f->may_be_named)
        return EM_OK;
    f->may_be_named = true;
    int result = em_name_give(f->ws->sys, f->fd, f->at->place.dir, f->temp);
    return result < 0 ? em_flight_fail_link(f, result, "link the temporary file of") : EM_OK;
}

/* ---- 7b: the backup ------------------------------------------------------------------------ */

/* The old file, which is as it was read, becomes the backup that was asked for. */
static em_status keep_backup(em_flight *f)
{
    if (!f->row.backup || f->old_gone)
        return EM_OK;
    EM_TRY(em_backup_keep(f->ws, f->at->place.dir, f->at->place.name, &f->row, f->arena, f->err));
    f->old_gone = true;
    return EM_OK;
}

/* ---- Taking back --------------------------------------------------------------------------- */

/* The names change places again; false when both have to be kept. */
static bool put_back(em_flight *f)
{
    const em_resolved *place = &f->at->place;
    em_ours ours = {.hash = f->row.new_hash, .ino = f->staged.ino, .fd = f->fd};
    em_error why = EM_ERROR_INIT;
    em_put_back outcome;
    em_status status =
        em_names_put_back(em_flight_entry(f, place->name), f->temp, ours, &outcome, &why);
    if (status == EM_OK && outcome == EM_PUT_BACK_CLEAN) {
        /* Their content has its name again, on the disk too, before the other name goes. */
        if (f->ws->options.sync != EM_SYNC_FULL ||
            em_folder_sync(f->ws->sys, place->dir, f->file->path, &why) == EM_OK)
            return true;
        em_flight_tell_more(f, "the temporary file %s is left (%s)", f->temp, why.detail);
        return false;
    }
    em_flight_tell_more(f,
                        "what came out when it was put back is kept as %s in the same folder (%s)",
                        f->temp, status == EM_OK ? "both were changed" : why.detail);
    return false;
}

bool em_flight_remove_stray(em_flight *f)
{
    em_error why = EM_ERROR_INIT; /* the call's own error says why it comes to this */
    em_status status = EM_OK;
    bool ours = true;
    if (f->stray_is_foreign) { /* it is not ours to remove, and in nobody's way */
        em_flight_tell_more(f, "what it wrote is left there, in the same folder");
        return true;
    }
    bool made_here = f->staged.ino == 0 && f->fd >= 0; /* O_EXCL, and not even looked at since */
    if (!f->exchanged && !made_here)                   /* put_back has looked already */
        status = em_flight_stray_is_ours(f, &ours, &why);
    if (status == EM_OK && ours)
        status = em_name_remove(em_flight_entry(f, f->temp), &why);
    if (status != EM_OK)
        em_flight_tell_more(f, "the temporary file %s is left (%s)", f->temp, why.detail);
    return status == EM_OK;
}

void em_flight_remove_traces(em_flight *f)
{
    em_error why = EM_ERROR_INIT;
    if (f->may_be_named && !em_flight_remove_stray(f))
        return;
    if (f->row.id == 0 || f->unfinished)
        return;
    bool names_changed = f->may_be_named || f->row.folders || f->backup_made;
    if (names_changed && f->ws->options.sync == EM_SYNC_FULL) /* before the row goes */
        em_folder_sync(f->ws->sys, f->at->place.dir, f->file->path, NULL);
    if (em_history_drop(f->ws->history, &f->row, &why) != EM_OK)
        em_flight_tell_more(f, "its row is left pending (%s)", why.detail);
}

static void take_back(em_flight *f)
{
    if (f->exchanged && !put_back(f))
        return;
    em_backup_take_back(f);
    em_flight_remove_traces(f);
}

/* ---- 8 to 10: the end ---------------------------------------------------------------------- */

void em_flight_sync_folder(em_flight *f, int dir)
{
    em_error why = EM_ERROR_INIT;
    if (f->ws->options.sync != EM_SYNC_FULL)
        return;
    if (em_folder_sync(f->ws->sys, dir, f->file->path, &why) == EM_OK)
        return;
    f->row.notes |= EM_NOTE_NOT_DURABLE;
    em_flight_warn(f, "The change is not durable: a power cut may undo it (%s)", why.detail);
}

/* The old file goes, at once or after its grace period; a failure is a warning. */
static void retire_old(em_flight *f)
{
    em_error why = EM_ERROR_INIT;
    int dir = f->at->place.dir;
    if (f->old_gone || em_grace_keep(f))
        return;
    if (em_name_remove(em_flight_entry(f, f->temp), &why) != EM_OK) {
        f->unfinished = true;
        em_flight_warn(f, "The old content is still there as %s (%s)", f->temp, why.detail);
    } else if (f->row.forget) { /* no row will know the name after a power cut */
        em_flight_sync_folder(f, dir);
    }
}

void em_flight_settle_row(em_flight *f, em_row_state state)
{
    em_error why = EM_ERROR_INIT;
    if (f->unfinished)
        return;
    f->row.state = state;
    if (state == EM_ROW_DONE)
        f->row.temp = NULL;
    bool forget = f->row.forget && state != EM_ROW_GRACE;
    if (em_history_settle(f->ws->history, &f->row, forget, &why) != EM_OK)
        em_flight_warn(f, "The change is made, but the history still has it as pending (%s)",
                       why.detail);
    if (state != EM_ROW_GRACE) /* else the old file proves the change */
        em_grace_sync_later(f->ws);
}

/* ---- An edit ------------------------------------------------------------------------------- */

static em_status edit(em_flight *f)
{
    em_status status = em_flight_stage(f);
    if (status == EM_OK)
        status = em_flight_record(f, false);
    if (status == EM_OK)
        status = em_flight_give_name(f);
    if (status == EM_OK)
        status = em_flight_publish(f);
    if (status == EM_OK)
        status = em_flight_check_old(f);
    if (status == EM_OK)
        status = keep_backup(f);
    if (status != EM_OK) {
        take_back(f);
        return status;
    }
    em_flight_look_at_new(f);
    em_flight_sync_folder(f, f->at->place.dir);
    retire_old(f);
    em_flight_settle_row(f, f->row.state == EM_ROW_GRACE ? EM_ROW_GRACE : EM_ROW_NAMED);
    return EM_OK;
}

/* ---- The face ------------------------------------------------------------------------------ */

static void warn_of_hard_link(em_flight *f, uint32_t others)
{
    if (others == 1)
        em_flight_warn(f, "A hard link was broken: the file's other name keeps the old content");
    else
        em_flight_warn(
            f, "A hard link was broken: the file's other %" PRIu32 " names keep the old content",
            others);
}

static void tell_notices(em_flight *f)
{
    em_workspace *ws = f->ws;
    for (size_t i = 0; i < ws->notices.count; i++)
        em_flight_warn(f, "%s", ws->notices.items[i]);
    ws->notices = (em_warnings){0};
    em_arena_drop(&ws->notices_arena);
}

void em_flight_report(em_flight *f)
{
    em_commit_report *report = f->report;
    report->hash = f->row.new_hash;
    report->size = f->row.new_size;
    report->mtime = f->staged.mtime;
    f->ws->tidy_due |= f->row.id % EM_TIDY_EVERY == 0;
    if (f->row.backup)
        report->backup_path = em_name_beside(f->arena, f->file->rel, f->row.backup);
    if (!f->row.forget)
        em_row_show_id(&f->row, report->edit_id);
    if (f->row.notes & EM_NOTE_HARD_LINK)
        warn_of_hard_link(f, f->other_names);
    tell_notices(f);
}

uint32_t em_ws_names_left(const em_file *file)
{
    bool is_replaced = file->exists && !file->state->in_place;
    return is_replaced && file->stat.nlink > 1 ? file->stat.nlink - 1 : 0;
}

void em_flight_note_links(em_flight *f)
{
    f->other_names = em_ws_names_left(f->file);
    if (f->other_names > 0)
        f->row.notes |= EM_NOTE_HARD_LINK;
}

static em_status translate_refusal(const em_flight *f)
{
    em_error why = EM_ERROR_INIT, was = f->err ? *f->err : why;
    if (!em_file_has_moved(f->ws, f->file, &why))
        return EM_E_PERMISSION;
    em_error_cut(&was, EM_DETAIL_SIZE / 2);
    return em_fail_cause(f->err, why.code, why.cause, "%s (%s)", why.detail, was.detail);
}

em_status em_flight_translate(const em_flight *f, em_status status)
{
    bool create = !f->file->exists;
    switch (status) {
    case EM_E_NOT_FOUND:
        status = EM_E_CONFLICT;
        break;
    case EM_E_EXISTS:
        status = create ? EM_E_EXISTS : EM_E_IO;
        break;
    case EM_E_OUTSIDE:
    case EM_E_IS_FOLDER:
        status = EM_E_IO;
        break;
    case EM_E_PERMISSION:
        status = translate_refusal(f);
        break;
    default:
        break;
    }
    if (f->err)
        f->err->code = status;
    return status;
}

static em_status commit(em_flight *f)
{
    EM_TRY(em_flight_check_request(f));
    f->at->spent = true;
    EM_TRY(em_flight_prepare(f));
    if (f->change->backup && f->file->exists)
        EM_TRY(em_backup_choose(f));
    if (f->at->in_place)
        return em_flight_in_place(f);
    if (!f->file->exists)
        return em_flight_create(f);
    em_flight_note_links(f);
    return edit(f);
}

/* When the new content was last written to. */
static void time_staged(em_flight *f)
{
    em_stat now;
    f->staged.mtime = (struct timespec){0};
    if (EM_SYS_RETRY(f->ws->sys, stat, f->fd, "", AT_EMPTY_PATH, &now) == 0)
        f->staged.mtime = now.mtime;
}

em_status em_ws_commit(em_workspace *ws, em_file *file, const em_change *change, em_arena *arena,
                       em_commit_report *report, em_error *err)
{
    *report = (em_commit_report){0};
    EM_TRY(em_ws_begin_change(ws, err));
    em_flight f = {
        .ws = ws,
        .file = file,
        .at = file->state,
        .change = change,
        .content = em_content_of(file, change->splices),
        .arena = arena,
        .report = report,
        .err = err,
        .fd = -1,
        .folder = -1,
    };
    em_status status = commit(&f);
    if (status == EM_OK) {
        time_staged(&f);
        em_flight_report(&f);
    }
    if (f.fd >= 0)
        EM_SYS(ws->sys, close, f.fd);
    if (f.folder >= 0)
        EM_SYS(ws->sys, close, f.folder);
    return status == EM_OK ? EM_OK : em_flight_translate(&f, status);
}

em_status em_ws_record_unchanged(em_workspace *ws, em_file *file, const em_origin *origin,
                                 em_arena *arena, em_error *err)
{
    const em_change nothing = {.origin = *origin};
    em_flight f = {
        .ws = ws, .file = file, .at = file->state, .change = &nothing, .arena = arena, .err = err};
    if (ws->options.no_history)
        return EM_OK;
    EM_TRY(em_ws_begin_change(ws, err));
    f.content = em_content_of(file, nothing.splices);
    EM_TRY(row_fill(&f));
    f.row.state = EM_ROW_DONE;
    f.row.kind = EM_ROW_EDIT;
    f.row.temp = f.row.folders = NULL;
    f.row.new_ino = f.row.old_ino;
    f.row.old_hash = f.row.new_hash = file->exists ? file->hash : (em_hash){""};
    EM_TRY(em_flight_record(&f, false));
    ws->tidy_due |= f.row.id % EM_TIDY_EVERY == 0;
    return EM_OK;
}
