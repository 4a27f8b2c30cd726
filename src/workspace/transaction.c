/* transaction.c: changes of several files appear together, or not at all.
 *
 * The words are those of commit.c, and so are the steps of each file; here they are taken together.
 * The caller holds the locks of all files from the reading on.
 *
 *  (1) What a file's journal says is on the disk before any name is exchanged, with every new
 *      content under a temporary name; so whatever was done can be taken back from what is found.
 *  (2) All names are exchanged, compared and synced before the commit point, and no old content is
 *      removed before it: until then everything can be taken back, without any room on the disk.
 *  (3) The commit point is one rename. Before it, an error or a conflict takes everything back, by
 *      the routine that recovery uses; after it, nothing does.
 *  (4) Where it is not known whether the commit point is on the disk, nothing more is done:
 *      recovery sees what is there.
 *  (5) Few descriptors are open at a time, however many files there are.
 *
 *   step                       targets     strays      rows      journal     error      killed
 *   --------------------------------------------------------------------------------------------
 *   1  prepare_all             old         -           -         -           -          nothing
 *   2  record_all              old         -           pending   -           drop       drop
 *   3  stage                   old         new         pending   -           remove     remove
 *   4  em_journal_prepare      old         new         pending   prepared    remove     take back
 *   5  publish                 old, new    new, old    pending   prepared    take back  take back
 *   6  em_unwind_sync          new         old         pending   prepared    take back  take back
 *   7  em_journal_commit       new         old         pending   committed   (4)        finish
 *   8  retire                  new         -           pending   committed   warning    finish
 *   9  rows_settle             new         -           done      committed   warning    finish
 *   10 em_journal_remove       new         -           done      -           warning    finish
 *
 * A file that is made has no old content: 5 gives its stray the final name, in folders that are
 * made then. One that is removed has no new content: 5 gives it the stray name. A move is both.
 * With --sync data or off the promise holds when a process is killed, not when the power goes.
 *
 * Where names cannot be exchanged several files cannot be changed so, and neither can a file that
 * would have to be written in place.
 */
#include "system/sys_io.h"
#include "workspace/backup.h"
#include "workspace/content_store.h"
#include "workspace/content_write.h"
#include "workspace/flight.h"
#include "workspace/grace.h"
#include "workspace/journal.h"
#include "workspace/made_folders.h"
#include "workspace/opening.h"
#include "workspace/unwind.h"

#include <inttypes.h>
#include <stdio.h>

typedef struct txn {
    em_workspace *ws;
    em_part *parts;
    em_flight *flights;  /* one for each part */
    em_change *removals; /* what a part that is removed changes: all of it goes */
    size_t count;
    size_t at; /* the part that is worked on */
    em_journal journal;
    char name[EM_JOURNAL_NAME_SIZE];
    int journals; /* O_PATH of their folder; -1 before */
    bool prepared;
    em_arena *arena;
    em_error *err;
} txn;

typedef em_status step(em_flight *f);

static bool is_removed(const em_flight *f)
{
    return f->row.kind == EM_ROW_REMOVE;
}

/* Do it to each file, with its folder open. t->at is the one that failed. */
static em_status for_all(txn *t, step *do_it)
{
    for (t->at = 0; t->at < t->count; t->at++) {
        em_flight *f = &t->flights[t->at];
        em_status status = em_file_unpark(t->ws, f->file, t->err);
        if (status == EM_OK)
            status = do_it(f);
        em_file_park(t->ws, f->file);
        EM_TRY(status);
    }
    return EM_OK;
}

/* ---- 1: what is asked for ------------------------------------------------------------------- */

static em_status flight_init(txn *t, size_t index)
{
    static const em_splice nothing;
    em_part *part = &t->parts[index];
    em_flight *f = &t->flights[index];
    em_splice *all = em_alloc(t->arena, sizeof *all);
    if (!all)
        return EM_E_NOMEM;
    *all = nothing;
    all->length = part->file->size;
    t->removals[index] = *part->change;
    t->removals[index].splices = (em_splices){.items = all, .count = 1};
    const em_change *change = part->remove ? &t->removals[index] : part->change;
    part->report = (em_commit_report){0};
    *f = (em_flight){.ws = t->ws,
                     .file = part->file,
                     .at = part->file->state,
                     .change = change,
                     .like = part->like,
                     .content = em_content_of(part->file, change->splices),
                     .arena = t->arena,
                     .report = &part->report,
                     .err = t->err,
                     .fd = -1,
                     .folder = -1};
    return EM_OK;
}

static em_status check_part(const txn *t, const em_part *part, const em_flight *f)
{
    EM_TRY(em_flight_check_request(f));
    if (part->remove && !part->file->exists)
        return em_fail(t->err, EM_E_NOT_FOUND, "there is no file %s", part->file->path);
    if (f->at->in_place)
        return em_fail(t->err, EM_E_PERMISSION,
                       "%s can only be written in place, and that cannot be done together with "
                       "other files",
                       part->file->path);
    return EM_OK;
}

static em_status prepare(em_flight *f)
{
    f->at->spent = true;
    EM_TRY(em_flight_prepare(f));
    EM_TRY(em_flight_make_inverse(f));
    if (f->change->backup && f->file->exists)
        EM_TRY(em_backup_choose(f));
    if (f->file->exists)
        em_flight_note_links(f);
    if (f->file->is_large) { /* it is read once more */
        em_file_park(f->ws, f->file);
        EM_TRY(em_file_unpark_content(f->ws, f->file, f->err));
    }
    return em_content_hash(&f->content, f->ws->sys, f->file->path, &f->row.new_hash, f->err);
}

/* The rows as they are now. */
static void journal_fill(txn *t)
{
    for (size_t i = 0; i < t->count; i++)
        t->journal.rows[i] = t->flights[i].row;
}

static em_status journal_init(txn *t)
{
    t->journal = (em_journal){.name = t->name,
                              .rows = em_alloc_array(t->arena, t->count, sizeof(em_row)),
                              .count = t->count};
    if (!t->journal.rows)
        return EM_E_NOMEM;
    journal_fill(t);
    return EM_OK;
}

static em_status prepare_all(txn *t)
{
    for (t->at = 0; t->at < t->count; t->at++) {
        EM_TRY(flight_init(t, t->at));
        EM_TRY(check_part(t, &t->parts[t->at], &t->flights[t->at]));
    }
    EM_TRY(for_all(t, prepare));
    snprintf(t->name, sizeof t->name, "%016" PRIx64, t->flights[0].row.token);
    for (size_t i = 0; i < t->count; i++) {
        t->flights[i].row.txn = t->name;
        if (!t->parts[i].remove)
            continue;
        t->flights[i].row.kind = EM_ROW_REMOVE;
        t->flights[i].row.new_hash = (em_hash){""};
    }
    return journal_init(t);
}

/* ---- 2: rows -------------------------------------------------------------------------------- */

static em_status rows_add(txn *t, em_error *err)
{
    for (t->at = 0; t->at < t->count; t->at++)
        EM_TRY(em_history_add(t->ws->history, &t->flights[t->at].row, false, err));
    return EM_OK;
}

static em_status rows_drop(txn *t)
{
    em_status status = EM_OK;
    EM_TRY(em_history_begin(t->ws->history, NULL));
    for (size_t i = 0; i < t->count && status == EM_OK; i++) {
        if (!t->flights[i].unfinished)
            status = em_history_drop(t->ws->history, &t->flights[i].row, NULL);
    }
    return em_history_end(t->ws->history, status, NULL);
}

static em_status rows_write(txn *t, em_error *err)
{
    EM_TRY(em_ws_need_history(t->ws, err));
    EM_TRY(em_history_begin(t->ws->history, err));
    em_status added = rows_add(t, err);
    em_status status = em_history_end(t->ws->history, added, err);
    if (added == EM_OK && status != EM_OK) /* they may be there nevertheless */
        rows_drop(t);
    for (size_t i = 0; i < t->count && status != EM_OK; i++)
        t->flights[i].row.id = 0;
    return status;
}

static em_status record_all(txn *t)
{
    em_error why = EM_ERROR_INIT;
    em_status status = rows_write(t, &why);
    if (status != EM_OK && em_content_store_gives_way(t->ws, &why))
        return rows_write(t, t->err);
    if (status != EM_OK && t->err)
        *t->err = why;
    return status;
}

/* ---- 3: new contents ------------------------------------------------------------------------ */

/* What was given a name before the journal knew of it. */
static void remove_stray(em_flight *f)
{
    f->unfinished = !em_flight_remove_stray(f);
    f->may_be_named = false;
}

static em_status stage_steps(em_flight *f)
{
    EM_TRY(em_flight_stage(f));
    return em_flight_give_name(f);
}

static em_status stage(em_flight *f)
{
    const em_file *from = f->file->exists ? f->file : f->like;
    if (is_removed(f))
        return EM_OK;
    if (from == f->file)
        em_file_park(f->ws, from); /* its folder alone is not enough */
    em_status status = from ? em_file_unpark_content(f->ws, from, f->err) : EM_OK;
    if (status == EM_OK)
        status = stage_steps(f);
    if (status != EM_OK && f->may_be_named)
        remove_stray(f);
    if (from)
        em_file_park(f->ws, from);
    if (f->fd >= 0)
        EM_SYS(f->ws->sys, close, f->fd);
    f->fd = -1;
    return status;
}

/* ---- 4: the journal ------------------------------------------------------------------------- */

static em_status journal_prepare(txn *t)
{
    journal_fill(t);
    EM_TRY(em_journals_open(t->ws, true, &t->journals, t->err));
    em_status status = em_journal_prepare(t->ws, t->journals, &t->journal, t->err);
    t->prepared = status == EM_OK;
    if (status != EM_OK)
        em_state_add_place(t->err, t->ws->state.path);
    return status;
}

/* ---- 5: names ------------------------------------------------------------------------------- */

/* The descriptor of the old file was closed long ago. */
static em_status check_attributes(const em_flight *f, bool *same)
{
    em_entry stray = em_flight_entry(f, f->temp);
    int fd = EM_SYS_RETRY(stray.sys, open, stray.dir, stray.name,
                          O_RDONLY | O_NONBLOCK | O_NOFOLLOW, 0, 0);
    if (fd < 0)
        return em_flight_fail(f, fd, "open the old content of");
    em_status status = em_flight_check_attributes(f, fd, same);
    EM_SYS(stray.sys, close, fd);
    return status;
}

/* What came out must be what was read. */
static em_status check_old(em_flight *f)
{
    em_look old;
    EM_TRY(em_look_at(em_flight_entry(f, f->temp), &old, f->err));
    if (!old.exists && !is_removed(f))
        return em_flight_take_old_for_removed(f);
    bool same = em_stat_same_but_for_names(&old.stat, &f->file->stat);
    bool is_it = same || em_stat_may_be_copied_up(&old.stat, &f->file->stat);
    if (same && !is_removed(f))
        EM_TRY(check_attributes(f, &is_it));
    if (old.exists && is_it && em_look_has(&old, f->file->hash)) {
        em_flight_note_new_links(f, &old.stat);
        return EM_OK;
    }
    return em_flight_conflict(f, "was changed in the moment of the change");
}

static em_status publish_edit(em_flight *f)
{
    bool unsupported, is_sent = f->change->origin.role == EM_ROLE_EDIT;
    EM_TRY(em_flight_exchange(f, &unsupported));
    if (unsupported)
        return em_fail(f->err, EM_E_IO,
                       "%s: this file system cannot exchange two names, so several files cannot be "
                       "changed all or none on it: %s",
                       f->file->path,
                       is_sent ? "send them one by one" : "edit them one by one instead");
    EM_TRY(check_old(f));
    em_flight_look_at_new(f);
    return EM_OK;
}

static em_status publish_removal(em_flight *f)
{
    const em_resolved *place = &f->at->place;
    EM_TRY(em_flight_check_stamp(f));
    int result = EM_SYS_RETRY(f->ws->sys, rename, place->dir, place->name, place->dir, f->temp, 0);
    if (result == -ENOENT)
        return em_flight_conflict(f, "was removed since it was read");
    if (result < 0)
        return em_flight_fail(f, result, "rename");
    return check_old(f);
}

static em_status publish_creation(em_flight *f)
{
    em_status status = em_flight_publish_new(f);
    if (f->folder >= 0)
        EM_SYS(f->ws->sys, close, f->folder);
    f->folder = -1;
    return status;
}

static em_status publish(em_flight *f)
{
    if (is_removed(f))
        return publish_removal(f);
    return f->file->exists ? publish_edit(f) : publish_creation(f);
}

static em_unwinding unwinding(const txn *t, em_error *err)
{
    return (em_unwinding){.ws = t->ws,
                          .rows = t->journal.rows,
                          .count = t->count,
                          .arena = t->arena,
                          .err = err,
                          .ends = em_alloc_array(t->arena, t->count, sizeof(em_recovery_end))};
}

static em_status sync_folders(txn *t)
{
    em_unwinding u = unwinding(t, t->err);
    return u.ends ? em_unwind_sync(&u) : EM_E_NOMEM;
}

/* ---- Taking back ---------------------------------------------------------------------------- */

/* Without a journal: what has a name already, and then the rows; what cannot be removed keeps its
 * row, and recovery does it. */
static void drop_everything(txn *t)
{
    bool named = false;
    for (size_t i = 0; i < t->count; i++) {
        em_error why = EM_ERROR_INIT;
        em_flight *f = &t->flights[i];
        named = named || f->may_be_named;
        if (!f->may_be_named)
            continue;
        if (em_file_unpark(t->ws, f->file, &why) == EM_OK) {
            remove_stray(f);
        } else {
            f->unfinished = true;
            em_flight_tell_more(f, "the temporary file %s is left (%s)", f->temp, why.detail);
        }
        em_file_park(t->ws, f->file);
    }
    em_unwinding u = unwinding(t, NULL);
    if (named && u.ends && t->ws->options.sync == EM_SYNC_FULL)
        em_unwind_sync(&u);
    rows_drop(t);
}

/* Why it is taken back, short enough for more to be said. */
static em_error reason_cut(const txn *t)
{
    em_error was = t->err ? *t->err : EM_ERROR_INIT;
    em_error_cut(&was, EM_DETAIL_SIZE / 4);
    return was;
}

/* What others did, or what failed, stands in the way of taking it all back. */
static em_status tell_unsettled(txn *t, const em_unwinding *u, const em_error *why)
{
    em_error was = reason_cut(t), cut = *why;
    em_error_cut(&cut, EM_DETAIL_SIZE / 4);
    for (size_t i = 0; i < t->count && u->ends; i++) {
        if (u->ends[i] != EM_LEFT_TO_PERSON)
            continue;
        const em_flight *f = &t->flights[i];
        if (f->stray_is_foreign)
            return em_fail(t->err, EM_E_UNKNOWN,
                           "%s; `emend recover --keep target %s` removes that and leaves the file "
                           "as it is (transaction %s)",
                           was.detail, f->file->path, t->name);
        return em_fail(t->err, EM_E_UNKNOWN,
                       "%s; choose with `emend recover` (transaction %s) what a file is to hold "
                       "that somebody else has changed since: what it held before is kept as %s in "
                       "the folder of %s",
                       was.detail, t->name, f->temp, f->file->path);
    }
    return em_fail(t->err, EM_E_UNKNOWN,
                   "%s; not all of it could be taken back (%s): run `emend recover` (transaction "
                   "%s)",
                   was.detail, cut.detail, t->name);
}

/* Some may have become commits all the same: those whose old content somebody removed. */
static em_status tell_what_stays(const txn *t, const em_unwinding *u, em_status status)
{
    for (size_t i = 0; i < t->count; i++) {
        if (u->ends[i] != EM_RECOVERED_DONE)
            continue;
        em_error was = reason_cut(t);
        return em_fail(t->err, EM_E_UNKNOWN,
                       "%s; and %s is changed all the same, since another program removed its old "
                       "content, which was %s: `emend undo` takes that back",
                       was.detail, t->flights[i].file->path, t->flights[i].temp);
    }
    return status;
}

static em_status take_back(txn *t, em_status status)
{
    bool over = false;
    em_error why = EM_ERROR_INIT;
    em_unwinding u = unwinding(t, &why);
    em_status unwound = u.ends ? em_unwind_back(&u, &over) : EM_E_NOMEM;
    if (unwound != EM_OK || !over)
        return tell_unsettled(t, &u, &why);
    if (em_journal_remove(t->ws, t->journals, t->name, EM_JOURNAL_PREPARED, NULL) == EM_OK &&
        t->ws->options.sync == EM_SYNC_FULL)
        em_folder_sync(t->ws->sys, t->journals, "the journal", NULL);
    return tell_what_stays(t, &u, status);
}

/* ---- 8 to 10: the end ----------------------------------------------------------------------- */

static void retire_old(em_flight *f)
{
    em_error why = EM_ERROR_INIT;
    int dir = f->at->place.dir;
    em_status status = EM_OK;
    f->row.state = EM_ROW_NAMED;
    if (f->row.backup)
        status = em_backup_keep(f->ws, dir, f->at->place.name, &f->row, f->arena, &why);
    else if (!em_grace_keep(f))
        status = em_name_remove(em_flight_entry(f, f->temp), &why);
    if (status == EM_OK)
        return;
    f->unfinished = true;
    em_flight_warn(f, "The old content is still there as %s (%s)", f->temp, why.detail);
}

static void retire(em_flight *f)
{
    em_error why = EM_ERROR_INIT;
    if (f->row.kind == EM_ROW_CREATE) {
        f->row.state = EM_ROW_DONE;
        f->row.temp = NULL;
    } else if (em_file_unpark(f->ws, f->file, &why) == EM_OK) {
        retire_old(f);
    } else {
        f->unfinished = true;
        em_flight_warn(f, "The old content is still there as %s (%s)", f->temp, why.detail);
    }
    em_file_park(f->ws, f->file);
}

static em_status row_settle(txn *t, const em_row *row, em_error *why)
{
    bool forget = row->forget && row->state != EM_ROW_GRACE;
    return forget ? em_history_drop(t->ws->history, row, why)
                  : em_history_mark(t->ws->history, row, why);
}

static em_status rows_settle(txn *t, em_error *why)
{
    EM_TRY(em_history_begin(t->ws->history, why));
    em_status status = EM_OK;
    for (size_t i = 0; i < t->count && status == EM_OK; i++) {
        if (!t->flights[i].unfinished)
            status = row_settle(t, &t->flights[i].row, why);
    }
    return em_history_end(t->ws->history, status, why);
}

/* Without history no row will know the names after a power cut. */
static void sync_removals(txn *t)
{
    em_error why = EM_ERROR_INIT;
    em_unwinding u = unwinding(t, &why);
    if (!t->ws->options.no_history || t->ws->options.sync != EM_SYNC_FULL || !u.ends ||
        em_unwind_sync(&u) == EM_OK)
        return;
    em_flight_warn(&t->flights[0],
                   "A power cut may bring the old contents back under temporary names (%s)",
                   why.detail);
}

/* Where memory runs out they stay. */
static void remove_folders(const txn *t)
{
    em_row *rows = em_alloc_array(t->arena, t->count, sizeof *rows);
    for (size_t i = 0; i < t->count && rows; i++)
        rows[i] = t->flights[i].row;
    if (rows)
        em_made_folders_remove_undone(t->ws, (em_rows){rows, t->count});
}

/* From here on nothing fails any more: what cannot be done is told, and left to recovery. */
static void finish(txn *t)
{
    em_error why = EM_ERROR_INIT;
    bool unfinished = false;
    for (size_t i = 0; i < t->count; i++) {
        retire(&t->flights[i]);
        unfinished = unfinished || t->flights[i].unfinished;
    }
    sync_removals(t);
    if (rows_settle(t, &why) != EM_OK) {
        unfinished = true;
        em_flight_warn(&t->flights[0],
                       "The changes are made, but the history still has them as pending (%s)",
                       why.detail);
    }
    if (!unfinished) /* as long as the journal asks for it */
        remove_folders(t);
    if (!unfinished &&
        em_journal_remove(t->ws, t->journals, t->name, EM_JOURNAL_COMMITTED, &why) != EM_OK)
        em_flight_warn(&t->flights[0], "The journal is left (%s): the next change removes it",
                       why.detail);
    for (size_t i = 0; i < t->count; i++)
        em_flight_report(&t->flights[i]);
}

/* ---- All of it ------------------------------------------------------------------------------ */

static em_status until_commit(txn *t)
{
    EM_TRY(for_all(t, stage));
    t->at = t->count;
    EM_TRY(journal_prepare(t));
    EM_TRY(for_all(t, publish));
    t->at = t->count;
    return sync_folders(t);
}

/* The outcome is on its way to the disk, and nobody knows whether it is there. */
static em_status tell_unknown(txn *t)
{
    em_error was = t->err ? *t->err : EM_ERROR_INIT;
    em_error_cut(&was, EM_DETAIL_SIZE / 4);
    return em_fail(t->err, EM_E_UNKNOWN,
                   "%s: whether the files are changed is known when `emend recover` has run "
                   "(transaction %s)",
                   was.detail, t->name);
}

static em_status commit_all(txn *t)
{
    bool known = true;
    EM_TRY(prepare_all(t));
    EM_TRY(record_all(t));
    em_status status = until_commit(t);
    if (status != EM_OK && !t->prepared) {
        drop_everything(t);
        return status;
    }
    if (status == EM_OK)
        status = em_journal_commit(t->ws, t->journals, t->name, &known, t->err);
    if (status == EM_OK) {
        finish(t);
        return EM_OK;
    }
    return known ? take_back(t, status) : tell_unknown(t);
}

/* What the part at fault makes of it. */
static em_status translate(const txn *t, em_status status)
{
    if (status == EM_OK || status == EM_E_NOMEM)
        return status;
    return em_flight_translate(&t->flights[t->at < t->count ? t->at : 0], status);
}

/* Alone it is a change like any other. */
static em_status commit_one(em_workspace *ws, em_part *part, em_arena *arena, em_error *err)
{
    em_status status = part->file->exists ? em_file_unpark_content(ws, part->file, err)
                                          : em_file_unpark(ws, part->file, err);
    if (status == EM_OK)
        status = em_ws_commit(ws, part->file, part->change, arena, &part->report, err);
    em_file_park(ws, part->file);
    return status;
}

em_status em_ws_commit_all(em_workspace *ws, em_part *parts, size_t count, em_arena *arena,
                           size_t *culprit, em_error *err)
{
    *culprit = count;
    if (count == 0)
        return EM_OK;
    if (count == 1 && !parts->remove && !parts->like) {
        em_status status = commit_one(ws, parts, arena, err);
        *culprit = status == EM_OK ? count : 0;
        return status;
    }
    EM_TRY(em_ws_begin_change(ws, err));
    txn t = {.ws = ws,
             .parts = parts,
             .flights = em_alloc_array(arena, count, sizeof *t.flights),
             .removals = em_alloc_array(arena, count, sizeof *t.removals),
             .count = count,
             .journals = -1,
             .arena = arena,
             .err = err};
    if (!t.flights || !t.removals)
        return EM_E_NOMEM;
    em_status status = commit_all(&t);
    if (t.journals >= 0)
        EM_SYS(ws->sys, close, t.journals);
    *culprit = t.at;
    return translate(&t, status);
}
