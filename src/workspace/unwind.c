/* unwind.c: files of a transaction, one by one, by way of the folder of each.
 *
 * Begin with em_unwind_back and em_unwind_finish. Each file is a step: its folder is reached anew
 * (reach.h), for it may be long ago that the transaction died; then unwind_file.h does what is to
 * be done.
 */
#include "workspace/unwind.h"

#include "system/sys_io.h"
#include "workspace/reach.h"
#include "workspace/unwind_file.h"

/* One file, while it is worked on. */
typedef struct step {
    const em_unwinding *of;
    em_row *row;
    em_recovery_end *end;
    bool first; /* nothing was done to it yet */
    em_reach reach;
    em_repair repair;
} step;

typedef em_status action(step *s);

/* ---- Each of them -------------------------------------------------------------------------- */

static em_keep kept_of(const em_unwinding *u, const em_row *row)
{
    return u->keep_only == 0 || u->keep_only == row->id ? u->keep : EM_KEEP_ASK;
}

/* The folder of the row is not there. Where a person says that what is there stays, that does not
 * matter, unless what the row left is in sight; *go_on: it is in another folder, which is taken. */
static em_status without_folder(step *s, bool *go_on, em_error *err)
{
    const em_unwinding *u = s->of;
    em_keep keep = kept_of(u, s->row);
    bool in_sight = true;
    if (keep != EM_KEEP_ASK && s->first)
        EM_TRY(em_reach_has_other(u->ws, s->row, &s->reach, go_on, err));
    else if (keep != EM_KEEP_ASK) /* what it left may have gone by now */
        *go_on = s->reach.other >= 0;
    if (*go_on) {
        em_reach_take_other(&s->reach);
        return EM_OK;
    }
    if (keep == EM_KEEP_TARGET)
        EM_TRY(em_reach_finds_stray(u->ws, s->row, &s->reach, u->arena, &in_sight, err));
    if (in_sight) {
        *s->end = EM_LEFT_UNREACHABLE;
    } else if (*s->end == EM_RECOVERED_UNDONE) {
        *s->end = EM_RECOVERED_FORGOTTEN;
    } else { /* nobody looks for its name any more */
        s->row->state = EM_ROW_DONE;
        s->row->temp = NULL;
    }
    return EM_OK;
}

/* With its folder, if that is there. */
static em_status act(step *s, action *do_it, em_error *err)
{
    const em_unwinding *u = s->of;
    EM_TRY(em_reach_name(s->row, u->arena, &s->reach));
    EM_TRY(em_reach_open(u->ws, s->row, u->all, u->arena, &s->reach, err));
    bool go_on = s->reach.dir >= 0;
    if (!go_on)
        EM_TRY(without_folder(s, &go_on, err));
    if (!go_on)
        return EM_OK;
    s->repair = (em_repair){.ws = u->ws,
                            .row = s->row,
                            .dir = s->reach.dir,
                            .name = s->reach.name,
                            .path = s->reach.path,
                            .keep = kept_of(u, s->row),
                            .arena = u->arena,
                            .err = err};
    return do_it(s);
}

static void note_failure(const em_unwinding *u, em_recovery_end *end, em_status status,
                         const em_error *why)
{
    *end = EM_LEFT_UNREADABLE;
    if (!u->err || u->err->code != EM_OK)
        return;
    *u->err = *why;
    if (why->code != status)
        em_fail(u->err, status, "out of memory");
}

/* Do it to the row, unless something failed for it before. */
static void for_one(const em_unwinding *u, size_t index, action *do_it, bool first)
{
    em_error why = EM_ERROR_INIT;
    step s = {.of = u, .row = &u->rows[index], .end = &u->ends[index], .first = first};
    if (*s.end != EM_RECOVERED_UNDONE && *s.end != EM_RECOVERED_DONE)
        return;
    em_status status = act(&s, do_it, &why);
    em_reach_close(u->ws, &s.reach);
    if (status != EM_OK)
        note_failure(u, s.end, status, &why);
}

static em_status do_put_back(step *s)
{
    return em_unwind_file_put_back(&s->repair, s->end);
}

static em_status do_clear(step *s)
{
    if (*s->end != EM_RECOVERED_UNDONE)
        return EM_OK;
    return em_unwind_file_clear(&s->repair);
}

static em_status do_finish(step *s)
{
    return em_unwind_file_finish(&s->repair, s->end);
}

/* ---- Syncs --------------------------------------------------------------------------------- */

static em_status do_sync(step *s)
{
    const em_sys *sys = s->of->ws->sys;
    int folder = s->repair.dir;
    EM_TRY(em_folder_sync(sys, s->repair.dir, s->repair.path, s->repair.err));
    if (s->row->kind != EM_ROW_CREATE || !s->row->folders)
        return EM_OK;
    EM_TRY(em_repair_open_folders(&s->repair, &folder));
    if (folder < 0)
        return EM_OK;
    em_status status = em_folder_sync(sys, folder, s->repair.path, s->repair.err);
    EM_SYS(sys, close, folder);
    return status;
}

static bool same_folders(const em_row *a, const em_row *b)
{
    const char *below_a = a->kind == EM_ROW_CREATE ? a->folders : NULL;
    const char *below_b = b->kind == EM_ROW_CREATE ? b->folders : NULL;
    if (a->dir_ino != b->dir_ino || a->dir_dev != b->dir_dev)
        return false;
    return !below_b || (below_a && strcmp(below_a, below_b) == 0);
}

/* Was all that this row touched synced with an earlier one? */
static bool was_synced(const em_unwinding *u, size_t index)
{
    for (size_t i = 0; i < index; i++) {
        if (u->ends[i] == u->ends[index] && same_folders(&u->rows[i], &u->rows[index]))
            return true;
    }
    return false;
}

static void sync_all(const em_unwinding *u)
{
    if (u->ws->options.sync != EM_SYNC_FULL)
        return;
    for (size_t i = 0; i < u->count; i++) {
        if (!was_synced(u, i))
            for_one(u, i, do_sync, false);
    }
}

/* Where a folder could not be synced, nothing may be removed that was in it. */
static void spread_failures(const em_unwinding *u)
{
    for (size_t i = 0; i < u->count; i++) {
        for (size_t j = 0; j < i && u->ends[i] == EM_RECOVERED_UNDONE; j++) {
            if (u->ends[j] == EM_LEFT_UNREADABLE && same_folders(&u->rows[j], &u->rows[i]))
                u->ends[i] = EM_LEFT_UNREADABLE;
        }
    }
}

em_status em_unwind_sync(const em_unwinding *u)
{
    for (size_t i = 0; i < u->count; i++)
        u->ends[i] = EM_RECOVERED_DONE;
    sync_all(u);
    for (size_t i = 0; i < u->count; i++) {
        if (u->ends[i] == EM_LEFT_UNREACHABLE)
            return em_fail_cause(u->err, EM_E_CONFLICT, EM_CAUSE_CHANGED,
                                 "the folder of %s/%s was moved", u->rows[i].root, u->rows[i].path);
        if (u->ends[i] != EM_RECOVERED_DONE)
            return u->err ? u->err->code : EM_E_IO;
    }
    return EM_OK;
}

/* ---- Rows ---------------------------------------------------------------------------------- */

static em_status row_end(const em_unwinding *u, const em_row *row, em_recovery_end end)
{
    bool undone = end == EM_RECOVERED_UNDONE || end == EM_RECOVERED_FORGOTTEN;
    bool made = end == EM_RECOVERED_DONE || end == EM_RECOVERED_KEPT;
    if (undone || (made && row->forget))
        return em_history_drop(u->ws->history, row, u->err);
    return made ? em_history_mark(u->ws->history, row, u->err) : EM_OK;
}

static em_status rows_write(const em_unwinding *u)
{
    EM_TRY(em_history_begin(u->ws->history, u->err));
    em_status status = EM_OK;
    for (size_t i = 0; i < u->count && status == EM_OK; i++)
        status = row_end(u, &u->rows[i], u->ends[i]);
    return em_history_end(u->ws->history, status, u->err);
}

bool em_unwind_is_over(em_recovery_end end)
{
    return end == EM_RECOVERED_UNDONE || end == EM_RECOVERED_FORGOTTEN ||
           end == EM_RECOVERED_DONE || end == EM_RECOVERED_KEPT;
}

/* Where they cannot be written, no file has ended well: the history has them all as pending. */
static em_status rows_end(const em_unwinding *u)
{
    em_status status = u->ws->history ? rows_write(u) : EM_OK;
    for (size_t i = 0; i < u->count && status != EM_OK; i++) {
        if (em_unwind_is_over(u->ends[i]))
            u->ends[i] = EM_LEFT_UNREADABLE;
    }
    return status;
}

static bool is_over(const em_unwinding *u)
{
    for (size_t i = 0; i < u->count; i++) {
        if (!em_unwind_is_over(u->ends[i]))
            return false;
    }
    return true;
}

/* ---- All of them --------------------------------------------------------------------------- */

em_status em_unwind_back(const em_unwinding *u, bool *over)
{
    *over = false;
    for (size_t i = 0; i < u->count; i++)
        u->ends[i] = EM_RECOVERED_UNDONE;
    for (size_t i = u->count; i-- > 0;)
        for_one(u, i, do_put_back, true);
    sync_all(u);
    spread_failures(u);
    for (size_t i = u->count; i-- > 0;)
        for_one(u, i, do_clear, false);
    sync_all(u); /* before the rows go */
    EM_TRY(rows_end(u));
    *over = is_over(u);
    return EM_OK;
}

em_status em_unwind_finish(const em_unwinding *u, bool *over)
{
    bool forgets = false;
    *over = false;
    for (size_t i = 0; i < u->count; i++) {
        u->ends[i] = EM_RECOVERED_DONE;
        forgets = forgets || u->rows[i].forget;
        for_one(u, i, do_finish, true);
    }
    if (forgets) /* no row will know the names after a power cut */
        sync_all(u);
    EM_TRY(rows_end(u));
    *over = is_over(u);
    return EM_OK;
}
