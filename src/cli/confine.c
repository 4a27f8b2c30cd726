#include "cli/confine.h"

#include "cli/heap.h"

#include <time.h>

static bool is_off(const em_invocation *call)
{
    return strcmp(call->options.sandbox, "off") == 0;
}

static bool check_wall(em_invocation *call, const char *name, const em_wall *wall)
{
    if (wall->can || strcmp(call->options.sandbox, "required") != 0)
        return true;
    em_complain(call, 0, "--sandbox required: no %s: %s", name, wall->why);
    return false;
}

static bool confine_calls(em_invocation *call, bool network, em_sandbox_report *report)
{
    em_cli_heap_join();
    *report = (em_sandbox_report){.relaxed = false};
    if (is_off(call))
        return true;
    tzset(); /* reads the time zone, which may be out of reach afterwards */
    em_sandbox_calls(call->kernel, network, report);
    return check_wall(call, "seccomp", &report->calls) &&
           check_wall(call, "Landlock", &report->files);
}

bool em_cli_confine_calls(em_invocation *call, em_sandbox_report *report)
{
    return confine_calls(call, false, report);
}

/* The roots and the state directory; NULL when memory ran out. */
static em_sandbox_folder *folders_of(const em_invocation *call, em_session *session, size_t *count)
{
    const em_workspace *ws = em_session_workspace(session);
    size_t roots = em_ws_root_count(ws);
    em_sandbox_folder *folders = em_alloc_array(call->arena, roots + 1, sizeof *folders);
    for (size_t i = 0; folders && i < roots; i++)
        folders[i] = (em_sandbox_folder){em_ws_root_fd(ws, i), !call->options.read_only};
    *count = roots;
    if (folders && em_ws_state_fd(ws) >= 0)
        folders[(*count)++] = (em_sandbox_folder){em_ws_state_fd(ws), true};
    return folders;
}

bool em_cli_confine_files(em_invocation *call, em_session *const *sessions, size_t count,
                          bool keeps, em_sandbox_report *report)
{
    if (is_off(call))
        return true;
    for (size_t i = 0; i < count; i++)
        em_ws_prepare(em_session_workspace(sessions[i]), keeps && !call->options.read_only);
    em_sandbox_policy policy = {.folder_count = 0};
    policy.folders = folders_of(call, sessions[0], &policy.folder_count);
    if (!policy.folders) {
        em_complain(call, 0, "out of memory");
        return false;
    }
    em_sandbox_files(call->kernel, &policy, report);
    return check_wall(call, "Landlock", &report->files);
}

bool em_cli_confine(em_invocation *call, em_session *const *sessions, size_t count, bool keeps)
{
    em_sandbox_report report;
    return em_cli_confine_calls(call, &report) &&
           em_cli_confine_files(call, sessions, count, keeps, &report);
}

bool em_cli_confine_server(em_invocation *call, em_session *const *sessions, size_t count)
{
    em_sandbox_report report;
    return confine_calls(call, true, &report) &&
           em_cli_confine_files(call, sessions, count, true, &report);
}

/* ---- With the session ---------------------------------------------------------------------- */

static em_session *unless_refused(em_session *session, bool may_go_on)
{
    if (may_go_on)
        return session;
    em_cli_session_close(session);
    return NULL;
}

em_session *em_cli_open_confined(em_invocation *call, const char *client, bool keeps)
{
    em_session *session = em_cli_session_open(call, client, 0);
    return session ? unless_refused(session, em_cli_confine(call, &session, 1, keeps)) : NULL;
}

static bool leave_roots(em_invocation *call)
{
    if (strcmp(call->options.sandbox, "required") != 0)
        return true;
    em_complain(call, 0, "--sandbox required: --all leaves the roots");
    return false;
}

em_session *em_cli_open_reaching(em_invocation *call, const char *client, bool all)
{
    if (!all)
        return em_cli_open_confined(call, client, false);
    em_session *session = em_cli_session_open(call, client, 0);
    return session ? unless_refused(session, leave_roots(call)) : NULL;
}
