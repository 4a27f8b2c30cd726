/* recover_txn.c: from a journal to the end of its transaction.
 *
 *  (1) A transaction is only touched with the locks of all of its files. Where one is held its
 *      owner may live, and it is left.
 *  (2) With the locks, the journal is read again: its owner, or another recovery, may have got
 *      further.
 *  (3) A row that the history has as made proves that the transaction was: no journal, be it an old
 *      one that came back, undoes that.
 *  (4) A journal that cannot be read is left to a person, with all of its files.
 */
#include "workspace/recover_txn.h"

#include "system/names.h"
#include "workspace/made_folders.h"
#include "workspace/reach.h"
#include "workspace/unwind.h"

#include <stdlib.h>

/* ---- Its locks ----------------------------------------------------------------------------- */

static int compare_slots(const void *a, const void *b)
{
    unsigned one = *(const unsigned *)a, other = *(const unsigned *)b;
    return (one > other) - (one < other);
}

/* The slots of all its files, in ascending order. */
static em_status slots_find(const em_txn_recovery *t, unsigned **slots)
{
    const em_journal *journal = &t->journal;
    *slots = em_alloc_array(t->arena, journal->count, sizeof **slots);
    if (!*slots)
        return EM_E_NOMEM;
    for (size_t i = 0; i < journal->count; i++) {
        em_reach reach;
        EM_TRY(em_reach_name(&journal->rows[i], t->arena, &reach));
        (*slots)[i] = em_lock_slot(journal->rows[i].dir_ino, reach.rest);
    }
    qsort(*slots, journal->count, sizeof **slots, compare_slots);
    return EM_OK;
}

static void slots_release(em_txn_recovery *t, const unsigned *slots, size_t count)
{
    while (count > 0)
        em_lock_release(&t->ws->locks, slots[--count]);
}

static em_status slots_take(em_txn_recovery *t, const unsigned *slots, size_t *taken)
{
    for (*taken = 0; *taken < t->journal.count; ++*taken)
        EM_TRY(em_lock_take(&t->ws->locks, slots[*taken], t->wait_ms, t->err));
    return EM_OK;
}

/* ---- What is there ------------------------------------------------------------------------- */

static em_status journal_read(em_txn_recovery *t, em_journal_stage *stage)
{
    t->journal = (em_journal){0};
    EM_TRY(em_journal_find(t->ws->sys, t->journals, t->name, stage, t->err));
    if (*stage == EM_JOURNAL_NONE)
        return EM_OK;
    em_status status =
        em_journal_read(t->ws->sys, t->journals, t->name, *stage, t->arena, &t->journal, t->err);
    if (status == EM_E_NOT_FOUND) /* it got further just now */
        *stage = EM_JOURNAL_NONE;
    return status == EM_E_NOT_FOUND ? EM_OK : status;
}

/* Does all of it lie where is looked? */
static em_status find_out_whose(em_txn_recovery *t)
{
    for (size_t i = 0; i < t->journal.count && t->mine && !t->all; i++) {
        em_reach reach;
        EM_TRY(em_reach_name(&t->journal.rows[i], t->arena, &reach));
        bool inside = false;
        for (size_t r = 0; r < t->ws->roots.count; r++)
            inside = inside || em_root_rel(&t->ws->roots.items[r], reach.path);
        t->mine = inside;
    }
    return EM_OK;
}

/* What the history has of a row, and what of it can have changed since the journal. */
static em_status row_refresh(em_txn_recovery *t, em_row *row, bool *known, bool *made)
{
    em_row now = {.id = row->id, .token = row->token};
    *known = *made = false;
    if (!t->ws->history)
        return EM_OK;
    EM_TRY(em_history_reread(t->ws->history, &now, t->arena, t->err));
    *known = now.id != 0;
    *made = *known && now.state != EM_ROW_PENDING;
    if (*known) {
        row->backup = now.backup;
        row->origin = now.origin;
    }
    return EM_OK;
}

/* The rows that are not over yet; *made: one is made, so all of them are to be. Rows come together:
 * where the history has some of them, the others were taken back already. */
static em_status rows_left(em_txn_recovery *t, bool *made)
{
    em_journal *journal = &t->journal;
    bool *known = em_alloc_array(t->arena, journal->count, sizeof *known);
    bool any_known = false, over;
    em_row *removals = em_alloc_array(t->arena, journal->count, sizeof *removals);
    size_t left = 0;
    *made = false;
    if (!known || !removals)
        return EM_E_NOMEM;
    t->removals = (em_rows){.items = removals};
    for (size_t i = 0; i < journal->count; i++) {
        EM_TRY(row_refresh(t, &journal->rows[i], &known[i], &over));
        any_known = any_known || known[i];
        *made = *made || over;
        if (over)
            journal->rows[i].state = EM_ROW_DONE;
        bool same_boot = strcmp(journal->rows[i].boot, t->ws->state.boot) == 0;
        if (journal->rows[i].kind == EM_ROW_REMOVE && (!over || same_boot))
            removals[t->removals.count++] = journal->rows[i];
    }
    for (size_t i = 0; i < journal->count; i++) {
        if (journal->rows[i].state == EM_ROW_PENDING && (known[i] || !any_known))
            journal->rows[left++] = journal->rows[i];
    }
    journal->count = left;
    return EM_OK;
}

/* ---- Its end ------------------------------------------------------------------------------- */

/* Why it was left, as a whole: what most of all needs a person. */
static em_recovery_end worst(const em_txn_recovery *t, em_recovery_end good)
{
    static const em_recovery_end by_weight[] = {EM_LEFT_TO_PERSON, EM_LEFT_UNREADABLE,
                                                EM_LEFT_UNREACHABLE};
    for (size_t w = 0; w < sizeof by_weight / sizeof *by_weight; w++) {
        for (size_t i = 0; i < t->journal.count; i++) {
            if (t->ends[i] == by_weight[w])
                return by_weight[w];
        }
    }
    return good;
}

static em_status journal_end(em_txn_recovery *t, em_journal_stage stage)
{
    EM_TRY(em_journal_remove(t->ws, t->journals, t->name, stage, t->err));
    if (stage == EM_JOURNAL_COMMITTED || t->ws->options.sync != EM_SYNC_FULL)
        return EM_OK;
    return em_folder_sync(t->ws->sys, t->journals, "the journal", t->err);
}

static em_status unwind(em_txn_recovery *t, em_journal_stage stage)
{
    bool over, made;
    EM_TRY(rows_left(t, &made));
    t->ends = em_alloc_array(t->arena, t->journal.count, sizeof *t->ends);
    if (!t->ends)
        return EM_E_NOMEM;
    em_unwinding u = {.ws = t->ws,
                      .rows = t->journal.rows,
                      .count = t->journal.count,
                      .all = t->all,
                      .keep = t->keep,
                      .keep_only = t->keep_only,
                      .arena = t->arena,
                      .err = t->err,
                      .ends = t->ends};
    bool committed = stage == EM_JOURNAL_COMMITTED || made;
    t->end = committed ? EM_RECOVERED_DONE : EM_RECOVERED_UNDONE;
    if (committed && t->ws->options.sync == EM_SYNC_FULL) /* its rename may not be durable */
        EM_TRY(em_folder_sync(t->ws->sys, t->journals, "the journal", t->err));
    EM_TRY(committed ? em_unwind_finish(&u, &over) : em_unwind_back(&u, &over));
    t->end = worst(t, t->end);
    if (over && committed) /* while the journal is there to say that it is to be done */
        em_made_folders_remove_undone(t->ws, t->removals);
    return over ? journal_end(t, stage) : EM_OK;
}

static em_status recover_locked(em_txn_recovery *t)
{
    em_journal_stage stage;
    EM_TRY(journal_read(t, &stage));
    t->end = EM_RECOVERED_DONE;
    return stage == EM_JOURNAL_NONE ? EM_OK : unwind(t, stage);
}

em_status em_txn_look(em_txn_recovery *t, em_journal_stage *stage)
{
    t->mine = true;
    EM_TRY(journal_read(t, stage));
    return find_out_whose(t);
}

static em_status recover_steps(em_txn_recovery *t)
{
    unsigned *slots;
    size_t taken;
    em_journal_stage stage;
    EM_TRY(em_txn_look(t, &stage));
    if (!t->mine || stage == EM_JOURNAL_NONE)
        return EM_OK;
    EM_TRY(slots_find(t, &slots));
    em_status status = slots_take(t, slots, &taken);
    if (status == EM_OK)
        status = recover_locked(t);
    slots_release(t, slots, taken);
    if (status != EM_E_TIMEOUT)
        return status;
    t->end = EM_LEFT_HELD;
    return EM_OK;
}

em_status em_txn_recover(em_txn_recovery *t)
{
    t->end = EM_RECOVERED_DONE;
    t->ends = NULL;
    em_status status = recover_steps(t);
    if (status == EM_OK || status == EM_E_NOMEM)
        return status;
    t->end = EM_LEFT_UNREADABLE;
    return EM_OK;
}

/* ---- What it is refused for ---------------------------------------------------------------- */

bool em_rows_have_txn(const em_rows *rows, const char *txn)
{
    for (size_t i = 0; i < rows->count; i++) {
        if (rows->items[i].txn && strcmp(rows->items[i].txn, txn) == 0)
            return true;
    }
    return false;
}

em_status em_txn_check_readable(const em_txn_recovery *t, const em_rows *rows, em_error *err)
{
    if (t->end != EM_LEFT_UNREADABLE || t->journal.count > 0 || em_rows_have_txn(rows, t->name))
        return EM_OK;
    return em_fail(err, EM_E_UNSETTLED,
                   "an earlier change of several files was interrupted and cannot be recovered "
                   "(transaction %s: %s): see `emend recover`",
                   t->name, t->err->detail);
}

/* Is this row over, while a person has to choose about other files? */
static bool is_about_others(const em_txn_recovery *t, int64_t row)
{
    bool left = t->end != EM_LEFT_TO_PERSON && t->end != EM_LEFT_UNREACHABLE;
    for (size_t i = 0; i < t->journal.count; i++)
        left = left || (t->journal.rows[i].id == row && !em_unwind_is_over(t->ends[i]));
    return !left;
}

em_status em_txn_left(const em_txn_recovery *t, int64_t row, em_error *err)
{
    if (!t->mine)
        return em_fail(err, EM_E_UNSETTLED,
                       "an earlier change of several files was interrupted, and some of them are "
                       "outside the roots (transaction %s): see `emend recover --all`",
                       t->name);
    if (t->end == EM_LEFT_HELD)
        return em_fail(err, EM_E_TIMEOUT, "%s", t->err->detail);
    if (em_unwind_is_over(t->end) || is_about_others(t, row))
        return EM_OK;
    return em_fail(err, EM_E_UNSETTLED,
                   "an earlier change of several files was interrupted and is not settled "
                   "(transaction %s%s%s): see `emend recover`",
                   t->name, t->err->detail[0] ? ": " : "", t->err->detail);
}

/* ---- What is left -------------------------------------------------------------------------- */

/* A journal that was never whole: its process died before anything was exchanged, and is what is
 * left of it when its rows are settled. */
static em_status remove_unwritten(em_workspace *ws, int journals, const char *name, em_arena *arena,
                                  em_error *err)
{
    em_rows rows = {0};
    em_journal_stage stage;
    EM_TRY(em_journal_find(ws->sys, journals, name, &stage, err));
    if (stage == EM_JOURNAL_NONE && ws->history)
        EM_TRY(em_history_open_rows(ws->history, EM_ROW_PENDING, NULL, arena, &rows, err));
    if (stage != EM_JOURNAL_NONE || em_rows_have_txn(&rows, name))
        return EM_OK;
    return em_journal_remove(ws, journals, name, EM_JOURNAL_NONE, err);
}

em_status em_txn_remove_unwritten(em_workspace *ws, int journals, em_arena *arena, em_error *err)
{
    const char **names;
    size_t count;
    EM_TRY(em_journal_names(ws->sys, journals, arena, &names, &count, err));
    for (size_t i = 0; i < count; i++)
        EM_TRY(remove_unwritten(ws, journals, names[i], arena, err));
    return EM_OK;
}
