/* cmd_log.c: what was done here, and what one change did. */
#include "cli/confine.h"
#include "cli/past_view.h"

#include "dialects/registry.h"

#include <stdlib.h>
#include <unistd.h>

/* ---- log ----------------------------------------------------------------------------------- */

typedef struct log_flags {
    const char *path, *tool, *client, *session, *since;
    size_t limit;
    bool all, json;
} log_flags;

#define FIELD(name) offsetof(log_flags, name)
static const em_flag flags[] = {
    {"--path", "PATH", "only changes of this file, or of what is in this folder", EM_FLAG_NAME,
     FIELD(path), NULL},
    {"--tool", "NAME", "only those made by this tool", EM_FLAG_NAME, FIELD(tool), NULL},
    {"--client", "NAME", "only those made for this client", EM_FLAG_NAME, FIELD(client), NULL},
    {"--session", "NAME", "only those of this session", EM_FLAG_NAME, FIELD(session), NULL},
    {"--since", "TIME", "only those made since then: 2h, 3d (ago), 2026-11-22, '2026-11-22 04:31'",
     EM_FLAG_TEXT, FIELD(since), NULL},
    {"--limit", "N", "at most so many, the newest (50)", EM_FLAG_COUNT, FIELD(limit), NULL},
    {"--all", NULL, "changes outside the roots too", EM_FLAG_SWITCH, FIELD(all), NULL},
    {"--json", NULL, "for programs", EM_FLAG_SWITCH, FIELD(json), NULL},
    {NULL, NULL, NULL, EM_FLAG_SWITCH, 0, NULL},
};
#undef FIELD

enum { LIMIT = 50 };
static const log_flags defaults = {.limit = LIMIT};

/* Append a step to a resolved path; what is not there (any more) stays as it is spelt. */
static const char *step(em_invocation *call, const char *path, em_slice name)
{
    if (name.len == 0 || em_slice_is(name, "."))
        return path;
    if (em_slice_is(name, "..")) {
        const char *last = strrchr(path, '/');
        return last ? em_arena_string(call->arena, em_slice_make(path, (size_t)(last - path)))
                    : path;
    }
    const char *joined = em_arena_format(call->arena, "%s/%.*s", path, (int)name.len, name.ptr);
    char *real = joined ? realpath(joined, NULL) : NULL;
    if (real)
        joined = em_arena_string(call->arena, em_slice_of(strcmp(real, "/") == 0 ? "" : real));
    free(real);
    return joined;
}

/* A path as the history has it: absolute, without links; a relative one is below the first root. */
static const char *resolved(em_invocation *call, em_session *session, const char *path)
{
    const char *root = em_ws_root(em_session_workspace(session), 0);
    const char *at = *path == '/' || strcmp(root, "/") == 0 ? "" : root;
    while (at && *path) {
        size_t length = strcspn(path, "/");
        at = step(call, at, em_slice_make(path, length));
        path += length + (path[length] == '/');
    }
    return at && !*at ? "/" : at;
}

static em_status gather(em_invocation *call, em_session *session, em_past_filter *filter,
                        em_past_views *views, em_error *err)
{
    const log_flags *own = call->own;
    em_rows rows;
    if (own->path && !(filter->path = resolved(call, session, own->path)))
        return EM_E_NOMEM;
    EM_TRY(em_past_list(em_session_workspace(session), filter, call->arena, &rows, err));
    return em_past_view_rows(session, &rows, false, call->arena, views, err);
}

/* Somebody has mistyped something, perhaps: who looks at a terminal is told that nothing matches,
 * and a tool that there may be instead of one that there is not is told to everybody. */
static void hint_at_nothing(em_invocation *call)
{
    const log_flags *own = call->own;
    bool is_filtered = own->path || own->tool || own->client || own->session || own->since;
    em_toolset all, offered;
    em_error ignored = EM_ERROR_INIT;
    const char *nearest = NULL;
    if (own->tool && em_toolset_choose_all(false, call->arena, &all, &offered, &ignored) == EM_OK &&
        !em_toolset_find(&all, own->tool))
        nearest = em_toolset_nearest(&all, own->tool);
    if (nearest)
        em_complain(call, 0, "nothing matches --tool %s; did you mean %s?", own->tool, nearest);
    else if (is_filtered && isatty(STDERR_FILENO) == 1)
        em_complain(call, 0, "nothing that was changed here matches");
}

static int print_log(em_invocation *call, const em_past_views *views)
{
    const log_flags *own = call->own;
    if (!own->json) {
        em_cli_print_views(call, views, own->all || call->options.roots.count > 1);
        return em_cli_printed(call, EM_EXIT_DONE);
    }
    em_json json = {0};
    EM_AUTO(em_json_ref) list = em_json_array(&json);
    for (size_t i = 0; i < views->count; i++)
        em_json_add(&json, list, em_past_view_json(&views->items[i]));
    return em_cli_print_json(call, json.failed ? NULL : list, EM_EXIT_DONE);
}

static int run_log(em_invocation *call)
{
    const log_flags *own = call->own;
    em_past_filter filter = {.tool = own->tool,
                             .client = own->client,
                             .session = own->session,
                             .limit = own->limit,
                             .all = own->all};
    if (own->since && !em_cli_parse_time(own->since, &filter.since_ms))
        return em_complain_usage(call,
                                 "--since takes 2h, 3d, 2026-11-22 or '2026-11-22 04:31', "
                                 "not '%s'",
                                 own->since);
    em_session *session = em_cli_open_reaching(call, "emend log", own->all);
    if (!session)
        return EM_EXIT_WRONG;
    em_past_views views = {0};
    em_error err = EM_ERROR_INIT;
    em_status status = gather(call, session, &filter, &views, &err);
    em_cli_session_close(session);
    if (status != EM_OK)
        return em_cli_failed(call, status, &err);
    if (views.count == 0)
        hint_at_nothing(call);
    return print_log(call, &views);
}

const em_command em_cmd_log = {
    .name = "log",
    .words = "",
    .brief = "What was changed, the newest first",
    .details = "Each line begins with the number of a change, for `emend show` and `emend undo`.\n",
    .flags = flags,
    .own_size = sizeof(log_flags),
    .own_init = &defaults,
    .takes_shared = true,
    .run = run_log,
};

/* ---- show ---------------------------------------------------------------------------------- */

typedef struct show_flags {
    bool json, call, all;
} show_flags;

#define FIELD(name) offsetof(show_flags, name)
static const em_flag show_table[] = {
    {"--call", NULL, "all files of the same call", EM_FLAG_SWITCH, FIELD(call), NULL},
    {"--all", NULL, "also a change outside the roots", EM_FLAG_SWITCH, FIELD(all), NULL},
    {"--json", NULL, "for programs", EM_FLAG_SWITCH, FIELD(json), NULL},
    {NULL, NULL, NULL, EM_FLAG_SWITCH, 0, NULL},
};
#undef FIELD

static em_status gather_one(em_invocation *call, em_session *session, em_past_views *views,
                            em_error *err)
{
    const show_flags *own = call->own;
    em_workspace *ws = em_session_workspace(session);
    em_row *row = em_alloc(call->arena, sizeof *row);
    em_past_call past;
    if (!row)
        return EM_E_NOMEM;
    EM_TRY(em_past_find(ws, call->words.items[0], own->all, call->arena, row, err));
    em_rows rows = {.items = row, .count = 1};
    if (own->call) {
        EM_TRY(em_past_call_of(ws, row, call->arena, &past, err));
        rows = past.rows;
    }
    return em_past_view_rows(session, &rows, true, call->arena, views, err);
}

static int print_show(em_invocation *call, const em_past_views *views)
{
    const show_flags *own = call->own;
    em_json json = {0};
    EM_AUTO(em_json_ref) list = em_json_array(&json);
    for (size_t i = 0; i < views->count; i++) {
        if (own->json)
            em_json_add(&json, list, em_past_view_json(&views->items[i]));
        else
            em_cli_print_view(call, &views->items[i]);
    }
    if (!own->json)
        return em_cli_printed(call, EM_EXIT_DONE);
    json_t *shown = own->call ? list : json_array_get(list, 0);
    return em_cli_print_json(call, json.failed ? NULL : shown, EM_EXIT_DONE);
}

static int run_show(em_invocation *call)
{
    const show_flags *own = call->own;
    em_session *session = em_cli_open_reaching(call, "emend show", own->all);
    if (!session)
        return EM_EXIT_WRONG;
    em_past_views views = {0};
    em_error err = EM_ERROR_INIT;
    em_status status = gather_one(call, session, &views, &err);
    em_cli_session_close(session);
    if (status == EM_E_NOT_FOUND)
        return em_complain(call, EM_EXIT_REFUSED, "%s; " EM_CLI_CHANGES_ARE_LISTED, err.detail);
    if (status != EM_OK)
        return em_cli_failed(call, status, &err);
    return print_show(call, &views);
}

const em_command em_cmd_show = {
    .name = "show",
    .words = "CHANGE",
    .brief = "What a change did, as a diff",
    .flags = show_table,
    .own_size = sizeof(show_flags),
    .takes_shared = true,
    .least = 1,
    .most = 1,
    .run = run_show,
};
