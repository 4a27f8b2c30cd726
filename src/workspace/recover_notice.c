/* recover_notice.c: recovery in sentences, for the next answer. */
#include "workspace/recover_impl.h"

static void notice_kept(em_workspace *ws, const char *path, const char *kept)
{
    em_ws_notice(ws,
                 "Somebody who had opened %s before it was changed wrote to it afterwards; that "
                 "content is kept as %s in the same folder",
                 path, kept);
}

/* `what` was changed: a path, or how many files. */
static void notice_end(em_workspace *ws, const char *what, em_recovery_end end)
{
    if (end == EM_RECOVERED_UNDONE)
        em_ws_notice(ws, "A change of %s that was interrupted earlier was undone", what);
    else if (end == EM_RECOVERED_DONE)
        em_ws_notice(ws, "A change of %s that was interrupted earlier was completed", what);
    else if (end == EM_LEFT_TO_PERSON)
        em_ws_notice(ws, "An interrupted change of %s needs a decision: see `emend recover`", what);
}

void em_recover_notice(const em_row_recovery *r, em_recovery_end end)
{
    if (end == EM_RECOVERED_KEPT)
        notice_kept(r->ws, r->reach.path, r->row.kept);
    else if (r->was_pending || end == EM_LEFT_TO_PERSON)
        notice_end(r->ws, r->reach.path, end);
}

void em_recover_notice_txn(const em_txn_recovery *t)
{
    size_t count = t->ends ? t->journal.count : 0; /* none: it was not even begun with */
    const char *files = count == 1 ? "1 file" : em_arena_format(t->arena, "%zu files", count);
    if (!files || count == 0)
        return;
    notice_end(t->ws, files, t->end);
    for (size_t i = 0; i < count; i++) {
        const em_row *row = &t->journal.rows[i];
        const char *path = em_row_path(row, t->arena);
        if (t->ends[i] == EM_RECOVERED_KEPT && path)
            notice_kept(t->ws, path, row->kept);
    }
}
