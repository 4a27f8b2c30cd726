/* grace.c: old files that wait, in the order in which they are due.
 *
 * em_grace_keep puts one at the end of the list, em_ws_end_grace takes those from its front that
 * are due; em_grace_end_row is the end of one, which recovery uses too. To look at a large one, and
 * to give it back, takes a while: another thread does that, and until it has done so the file stays
 * at the front of the list, and those behind it where they are.
 */
#include "workspace/grace.h"

#include "base/beside.h"
#include "base/descriptors.h"
#include "system/sys_io.h"
#include "workspace/made_folders.h"

#include <stdatomic.h>
#include <stdlib.h>

enum {
    KEPT_MOST = 64,    /* each holds a descriptor and a file: more than these do not wait; */
    KEPT_SHARE = 4,    /* of the process's descriptors one in so many may be held by all of them */
    SYNC_AFTER_MS = 5, /* a change that comes sooner syncs what is left of the one before */
    LARGE = 2 << 20,   /* bytes that take a millisecond */
    AGAIN_MS = 10,     /* until it is asked again whether the other thread is done */
};

struct em_kept_file {
    struct em_kept_file *next;
    em_arena arena; /* of the strings */
    int dir;        /* O_PATH; owned */
    em_row row;
    bool owned;       /* others leave the row to this process, as long as it lives */
    const char *path; /* of the file, for the warning */
    int64_t due_ms;   /* by CLOCK_MONOTONIC */
    const em_sys *sys;
    bool is_begun;    /* by another thread, */
    em_beside ending; /* and this: until it is over the row is the thread's, and these: */
    bool was_written; /* to the old file: it stays, and row.kept is its name */
    em_status ended;
};

/* False when the clock fails. */
static bool time_read(const em_sys *sys, int64_t *ms)
{
    return em_io_time(sys, CLOCK_MONOTONIC, ms, NULL) == EM_OK;
}

/* ---- Keeping ------------------------------------------------------------------------------- */

/* Of all workspaces of the process. */
static atomic_size_t kept_in_all;

/* How many this workspace may keep beside what others do. */
static size_t most_kept(const em_workspace *ws)
{
    size_t all = em_descriptor_limit() / KEPT_SHARE,
           others = atomic_load(&kept_in_all) - ws->kept_count;
    return em_least(KEPT_MOST, all > others ? all - others : 0);
}

static void kept_free(em_workspace *ws, struct em_kept_file *kept)
{
    if (kept->dir >= 0)
        EM_SYS(ws->sys, close, kept->dir);
    if (kept->owned)
        em_lock_row_release(&ws->locks, kept->row.id);
    em_arena_drop(&kept->arena);
    free(kept);
}

/* The row with what is needed of its strings. */
static bool kept_fill(struct em_kept_file *kept, const em_flight *f)
{
    kept->row = f->row;
    kept->row.temp = em_arena_string(&kept->arena, em_slice_of(f->temp));
    kept->row.inverse = (em_slice){0};
    kept->row.origin = (em_origin){0};
    kept->path = em_arena_string(&kept->arena, em_slice_of(f->file->path));
    kept->row.root = kept->row.path = kept->row.boot = NULL;
    return kept->row.temp && kept->path;
}

static void kept_append(em_workspace *ws, struct em_kept_file *kept)
{
    struct em_kept_file **end = &ws->kept;
    while (*end)
        end = &(*end)->next;
    *end = kept;
    ws->kept_count++;
    atomic_fetch_add(&kept_in_all, 1);
}

bool em_grace_keep(em_flight *f)
{
    int64_t now;
    if (f->ws->options.grace_ms <= 0 || f->other_names > 0 || !time_read(f->ws->sys, &now))
        return false;
    if (f->ws->kept_count >= most_kept(f->ws))
        em_ws_end_grace(f->ws, false, &f->ws->notices_arena, &f->ws->notices);
    struct em_kept_file *kept = most_kept(f->ws) > 0 ? calloc(1, sizeof *kept) : NULL;
    if (!kept)
        return false;
    kept->dir = -1;
    if (!kept_fill(kept, f)) {
        kept_free(f->ws, kept);
        return false;
    }
    f->row.state = kept->row.state = EM_ROW_GRACE;
    kept->owned = em_lock_row_own(&f->ws->locks, kept->row.id, NULL) == EM_OK;
    kept->due_ms = now + f->ws->options.grace_ms;
    kept->sys = f->ws->sys;
    kept->dir = f->at->place.dir;
    f->at->place.dir = -1;
    kept_append(f->ws, kept);
    return true;
}

/* ---- Ending -------------------------------------------------------------------------------- */

em_status em_grace_end_row(const em_sys *sys, int dir, em_row *row, const char *path, bool *kept,
                           em_error *err)
{
    const em_entry entry = {sys, dir, row->temp, path};
    em_look old;
    EM_TRY(em_look_at(entry, &old, err));
    *kept = old.exists && !em_look_has(&old, row->old_hash);
    if (*kept) {
        em_row_keep_foreign(row);
        return EM_OK;
    }
    if (old.exists)
        EM_TRY(em_name_remove(entry, err));
    row->state = EM_ROW_NAMED;
    return EM_OK;
}

/* An em_work of a kept file. */
static void end_row(void *context)
{
    struct em_kept_file *kept = context;
    kept->ended =
        em_grace_end_row(kept->sys, kept->dir, &kept->row, kept->path, &kept->was_written, NULL);
}

/* Here, or by the other thread that has begun. */
static em_status kept_end(struct em_kept_file *kept)
{
    if (kept->is_begun)
        em_beside_end(&kept->ending);
    else
        end_row(kept);
    return kept->ended;
}

/* Its time has come. Is there nothing to wait for? */
static bool is_ready(struct em_kept_file *kept)
{
    if (kept->row.old_size < LARGE)
        return true;
    if (!kept->is_begun)
        em_beside_begin(&kept->ending, end_row, kept);
    kept->is_begun = true;
    return em_beside_is_over(&kept->ending);
}

static void row_write(em_workspace *ws, const em_row *row)
{
    if (row->forget)
        em_history_drop(ws->history, row, NULL);
    else
        em_history_mark(ws->history, row, NULL);
}

static em_status tell(const struct em_kept_file *kept, em_arena *arena, em_warnings *warnings)
{
    const char *where = em_name_beside(arena, kept->path, kept->row.kept);
    if (!where)
        return EM_E_NOMEM;
    return em_warn(warnings, arena,
                   "Somebody who had opened %s before it was changed wrote to it afterwards; that "
                   "content is kept as %s",
                   kept->path, where);
}

/* Take those whose time has come out of the list: it is in the order of their times. */
static struct em_kept_file *due_take(em_workspace *ws, bool now, int64_t time)
{
    struct em_kept_file *due = ws->kept, **end = &due;
    size_t most = most_kept(ws), leave = ws->kept_count >= most ? most / 2 : most;
    size_t before = ws->kept_count;
    while (*end && (now || ws->kept_count > leave || ((*end)->due_ms <= time && is_ready(*end)))) {
        end = &(*end)->next;
        ws->kept_count--;
    }
    atomic_fetch_sub(&kept_in_all, before - ws->kept_count);
    ws->kept = *end;
    *end = NULL;
    return due;
}

static struct em_kept_file *below_take(em_workspace *ws, const char *folder)
{
    size_t length = strlen(folder);
    struct em_kept_file *taken = NULL, **end = &taken, **at = &ws->kept;
    while (*at) {
        struct em_kept_file *kept = *at;
        if (strncmp(kept->path, folder, length) != 0 || kept->path[length] != '/') {
            at = &kept->next;
            continue;
        }
        *at = kept->next;
        kept->next = NULL;
        *end = kept;
        end = &kept->next;
        ws->kept_count--;
        atomic_fetch_sub(&kept_in_all, 1);
    }
    return taken;
}

/* Look at each of them, and tell of those that changed. What cannot be looked at is left to
 * recovery: its row stays in grace. */
static em_status due_look(em_workspace *ws, struct em_kept_file *due, em_arena *arena,
                          em_warnings *warnings)
{
    em_status status = EM_OK;
    for (; due; due = due->next) {
        if (kept_end(due) != EM_OK)
            continue;
        if (due->row.forget && ws->options.sync == EM_SYNC_FULL)
            em_folder_sync(ws->sys, due->dir, due->path, NULL); /* before the row goes */
        if (due->was_written && status == EM_OK)
            status = tell(due, arena, warnings);
    }
    return status;
}

/* Record what was found, in one transaction; what cannot be recorded is found again by recovery. */
static void due_record(em_workspace *ws, const struct em_kept_file *due)
{
    if (em_history_begin(ws->history, NULL) != EM_OK)
        return;
    for (; due; due = due->next) {
        if (due->row.state != EM_ROW_GRACE)
            row_write(ws, &due->row);
    }
    em_history_end(ws->history, EM_OK, NULL);
}

void em_grace_sync_later(em_workspace *ws)
{
    int64_t now;
    if (em_history_is_unsynced(ws->history))
        ws->sync_due_ms = time_read(ws->sys, &now) ? now + SYNC_AFTER_MS : 1;
}

em_status em_ws_sync(em_workspace *ws, em_arena *arena, em_warnings *warnings)
{
    em_error why = EM_ERROR_INIT;
    ws->sync_due_ms = 0;
    if (!em_history_is_unsynced(ws->history) || em_history_sync(ws->history, &why) == EM_OK)
        return EM_OK;
    return em_warn(warnings, arena,
                   "The history could not be synced (%s): after a power cut it may lack that the "
                   "last changes are complete",
                   why.detail);
}

/* `due`, which are taken over, are looked at, recorded, and not kept any longer. The folders that
 * were `made` for rows go in between: while it is to be recorded, recovery would do the same. */
static em_status due_end(em_workspace *ws, struct em_kept_file *due, em_rows made, em_arena *arena,
                         em_warnings *warnings)
{
    if (!due)
        return EM_OK;
    em_status looked = due_look(ws, due, arena, warnings);
    for (size_t i = 0; i < made.count; i++)
        em_made_folders_remove(ws, &made.items[i]);
    due_record(ws, due);
    while (due) {
        struct em_kept_file *next = due->next;
        kept_free(ws, due);
        due = next;
    }
    return looked;
}

em_status em_ws_end_grace(em_workspace *ws, bool now, em_arena *arena, em_warnings *warnings)
{
    int64_t time = 0;
    if (!ws->kept)
        return EM_OK;
    now = now || !time_read(ws->sys, &time);
    if (!now && ws->kept_count < most_kept(ws) && ws->kept->due_ms > time)
        return EM_OK;
    em_status synced = em_ws_sync(ws, arena, warnings); /* before what proves the changes goes */
    em_status ended = due_end(ws, due_take(ws, now, time), (em_rows){0}, arena, warnings);
    return synced != EM_OK ? synced : ended;
}

void em_grace_await(em_workspace *ws)
{
    for (struct em_kept_file *kept = ws->kept; kept; kept = kept->next)
        em_beside_end(&kept->ending);
}

em_status em_ws_end_grace_below(em_workspace *ws, const char *folder, const struct em_rows *made,
                                em_arena *arena, em_warnings *warnings)
{
    struct em_kept_file *due = below_take(ws, folder);
    em_status synced = due ? em_ws_sync(ws, arena, warnings) : EM_OK;
    em_status ended = due_end(ws, due, made ? *made : (em_rows){0}, arena, warnings);
    return synced != EM_OK ? synced : ended;
}

/* When to look after the one at the front. */
static int64_t front_due(const em_workspace *ws, int64_t time)
{
    if (!ws->kept)
        return INT64_MAX;
    return em_beside_is_over(&ws->kept->ending) ? ws->kept->due_ms : time + AGAIN_MS;
}

long em_ws_due_ms(em_workspace *ws)
{
    int64_t time;
    if (!ws->kept && ws->sync_due_ms == 0)
        return -1;
    if (ws->kept && ws->kept_count >= most_kept(ws))
        return 0; /* else the next change would make room */
    if (!time_read(ws->sys, &time))
        return 0;
    int64_t due = front_due(ws, time);
    if (ws->sync_due_ms != 0 && ws->sync_due_ms < due)
        due = ws->sync_due_ms;
    return due <= time ? 0 : (long)(due - time);
}

void em_grace_end(em_workspace *ws)
{
    EM_AUTO(em_arena) arena = {0};
    em_warnings nobody_reads = {0};
    em_ws_end_grace(ws, true, &arena, &nobody_reads);
}
