#include "workspace/recorded.h"

#include "system/sys_io.h"
#include "workspace/ws.h"

em_status em_ws_open_history(em_workspace *ws, em_error *err)
{
    em_stat stat;
    if (ws->history)
        return EM_OK;
    em_status status = em_ws_state(ws, false, err);
    if (status == EM_E_NOT_FOUND)
        return EM_OK;
    EM_TRY(status);
    int result =
        EM_SYS_RETRY(ws->sys, stat, ws->state.dir, EM_HISTORY_NAME, AT_SYMLINK_NOFOLLOW, &stat);
    if (result == -ENOENT)
        return EM_OK;
    if (result < 0)
        return em_state_fail(err, result, "stat", EM_HISTORY_NAME);
    return em_ws_need_history(ws, err);
}

em_status em_ws_make_history(em_workspace *ws, em_error *err)
{
    EM_TRY(em_ws_check_may_change(ws, err));
    EM_TRY(em_ws_state(ws, true, err));
    return em_ws_need_history(ws, err);
}

em_history *em_ws_history(const em_workspace *ws)
{
    return ws->history;
}

const char *em_ws_boot(const em_workspace *ws)
{
    return ws->state.boot;
}

em_status em_ws_now(const em_workspace *ws, int64_t *ms, em_error *err)
{
    return em_io_time(ws->sys, CLOCK_REALTIME, ms, err);
}

em_status em_ws_may_tell(const em_workspace *ws, const char *path, bool *may)
{
    EM_AUTO(em_arena) arena = {0};
    *may = false;
    for (size_t i = 0; i < ws->roots.count; i++) {
        const char *rel = em_root_rel(&ws->roots.items[i], path);
        if (!rel)
            continue;
        em_status status = em_ws_check_rules(ws, &ws->roots.items[i], rel, false, &arena, NULL);
        *may = status == EM_OK;
        return status == EM_E_NOMEM ? status : EM_OK;
    }
    return EM_OK;
}

bool em_ws_is_tidy_due(em_workspace *ws)
{
    bool was_due = ws->tidy_due;
    ws->tidy_due = false;
    return was_due;
}
