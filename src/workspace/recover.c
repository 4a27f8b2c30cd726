/* recover.c: what a dead process left is found, locked and put right, one by one.
 *
 *  (1) A row is only touched with the lock of its file, taken without waiting. Where it is held,
 *      its owner lives, and the row is left; so is one whose owner keeps the old file for late
 *      writes (grace.h).
 *  (2) With the lock, the row is read again: its owner, or another recovery, may have ended it.
 *  (3) Only what lies inside the roots is touched, unless all was asked for (reach.h).
 *  (4) A row that cannot be put right stays, and hinders nobody but those who change its file.
 *  (5) As long as the journal of a transaction is there it speaks for all of its rows, and they are
 *      not touched on their own.
 *
 *   transaction   em_txn_recover (recover_txn.c), before any row
 *   row           em_recover_row (recover_row.c): reach the folder - lock - read again - repair -
 *                 unlock
 *
 * What is concluded from what is found stands at the heads of repair.c and unwind_file.c.
 */
#include "workspace/recover_impl.h"

/* ---- Before a change ------------------------------------------------------------------------ */

static em_status recover_txns_before_change(em_workspace *ws, int journals, const em_rows *rows,
                                            em_arena *arena, em_error *err)
{
    const char **names;
    size_t count;
    EM_TRY(em_journal_names(ws->sys, journals, arena, &names, &count, err));
    for (size_t i = 0; i < count; i++) {
        em_error why = EM_ERROR_INIT;
        em_txn_recovery t = {
            .ws = ws, .journals = journals, .name = names[i], .arena = arena, .err = &why};
        EM_TRY(em_txn_recover(&t));
        if (t.mine)
            em_recover_notice_txn(&t);
        EM_TRY(em_txn_check_readable(&t, rows, err));
    }
    return EM_OK;
}

static em_status recover_rows_before_change(em_workspace *ws, int journals, const em_rows *rows,
                                            em_arena *arena)
{
    for (size_t i = 0; i < rows->count; i++) {
        em_error ignored = EM_ERROR_INIT;
        em_row_recovery r = {.ws = ws,
                             .options = &em_recover_own_roots,
                             .journals = journals,
                             .arena = arena,
                             .err = &ignored};
        bool mine;
        em_recovery_end end = EM_LEFT_UNREADABLE;
        EM_TRY(em_recover_row(&r, &rows->items[i], &mine, &end));
        if (mine)
            em_recover_notice(&r, end);
    }
    return EM_OK;
}

em_status em_recover_before_change(em_workspace *ws, em_error *err)
{
    EM_AUTO(em_arena) arena = {0};
    em_rows rows;
    int journals;
    EM_TRY(em_recover_open_rows(ws, &arena, &rows, err));
    EM_TRY(em_journals_open(ws, false, &journals, err));
    em_status status = EM_OK;
    if (journals >= 0)
        status = recover_txns_before_change(ws, journals, &rows, &arena, err);
    if (status == EM_OK)
        status = recover_rows_before_change(ws, journals, &rows, &arena);
    if (status == EM_OK && journals >= 0)
        status = em_txn_remove_unwritten(ws, journals, &arena, err);
    if (journals >= 0)
        EM_SYS(ws->sys, close, journals);
    return status;
}

/* ---- One transaction ------------------------------------------------------------------------ */

em_status em_recover_txn(em_workspace *ws, const em_recover_again *again, em_error *err)
{
    EM_AUTO(em_arena) arena = {0};
    em_error why = EM_ERROR_INIT;
    em_txn_recovery t = {.ws = ws,
                         .name = again->txn,
                         .wait_ms = ws->options.lock_timeout_ms,
                         .arena = &arena,
                         .err = &why};
    EM_TRY(em_journals_open(ws, false, &t.journals, err));
    if (t.journals < 0)
        return EM_OK;
    em_status status = em_txn_recover(&t);
    EM_SYS(ws->sys, close, t.journals);
    EM_TRY(status);
    if (t.mine)
        em_recover_notice_txn(&t);
    return em_txn_left(&t, again->row, err);
}
