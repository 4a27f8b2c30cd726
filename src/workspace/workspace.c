/* workspace.c: the life of a workspace. */
#include "paths/globs.h"
#include "workspace/grace.h"
#include "workspace/recorded.h"
#include "workspace/recover.h"
#include "workspace/ws.h"

#include <stdarg.h>
#include <stdlib.h>

/* Others hold the history for a transaction only: not to wait for that would be failing for
 * nothing.
 */
enum { HISTORY_WAIT = 1000 /* milliseconds, at least */ };

/* ---- Opening ------------------------------------------------------------------------------- */

static em_status strings_keep(em_arena *arena, const char *const **strings, size_t count)
{
    const char **copy = em_alloc_array(arena, count, sizeof *copy);
    if (!copy)
        return EM_E_NOMEM;
    for (size_t i = 0; i < count; i++) {
        copy[i] = (*strings)[i];
        EM_TRY(em_arena_keep_string(arena, &copy[i]));
    }
    *strings = copy;
    return EM_OK;
}

static em_status globs_tidy(em_arena *arena, const char *const *globs, size_t count)
{
    const char **own = (const char **)globs; /* a copy, of strings_keep */
    for (size_t i = 0; i < count; i++)
        EM_TRY(em_glob_tidy(arena, &own[i]));
    return EM_OK;
}

static em_status options_keep(em_workspace *ws, const em_ws_options *options)
{
    ws->options = *options;
    ws->options.roots = NULL;
    ws->options.secret = NULL;
    EM_TRY(em_arena_keep_string(&ws->arena, &ws->options.state_dir));
    EM_TRY(strings_keep(&ws->arena, &ws->options.deny, options->deny_count));
    EM_TRY(strings_keep(&ws->arena, &ws->options.allow, options->allow_count));
    EM_TRY(globs_tidy(&ws->arena, ws->options.deny, options->deny_count));
    EM_TRY(globs_tidy(&ws->arena, ws->options.allow, options->allow_count));
    ws->rules = (em_rules){.deny = ws->options.deny,
                           .deny_count = options->deny_count,
                           .allow = ws->options.allow,
                           .allow_count = options->allow_count,
                           .read_only = options->read_only};
    return EM_OK;
}

static em_status check_places(em_workspace *ws, em_error *err)
{
    size_t count = ws->roots.count;
    em_rule_path *roots = em_alloc_array(&ws->arena, count, sizeof *roots);
    if (!roots)
        return EM_E_NOMEM;
    for (size_t i = 0; i < count; i++)
        roots[i] = (em_rule_path){.roots = {ws->roots.items[i].path, ws->roots.items[i].spelling}};
    return em_rules_check_places(&ws->rules, roots, count, err);
}

em_status em_ws_open(const em_ws_options *options, em_workspace **out, em_error *err)
{
    *out = NULL;
    em_workspace *ws = calloc(1, sizeof *ws);
    if (!ws)
        return EM_E_NOMEM;
    ws->sys = options->sys ? options->sys : &em_sys_native;
    em_state_init(&ws->state);
    ws->owns.secret_fd = -1;
    em_status status = options_keep(ws, options);
    if (status == EM_OK)
        status = em_state_check_named(ws->options.state_dir, err);
    if (status == EM_OK)
        status = em_rules_check_globs(&ws->rules, err);
    if (status == EM_OK)
        status = em_roots_open(ws->sys, options->roots, options->root_count, &ws->roots, err);
    if (status == EM_OK)
        status = check_places(ws, err);
    if (status == EM_OK)
        status = em_own_find(ws->sys, &ws->roots, ws->options.state_dir, options->secret,
                             &ws->arena, &ws->owns);
    if (status != EM_OK) {
        em_ws_free(ws);
        return status;
    }
    *out = ws;
    return EM_OK;
}

void em_ws_free(em_workspace *ws)
{
    if (!ws)
        return;
    em_grace_end(ws);
    em_history_close(ws->history);
    em_locks_drop(&ws->locks);
    em_state_close(&ws->state);
    em_own_drop(ws->sys, &ws->owns);
    em_roots_close(ws->sys, &ws->roots);
    em_arena_drop(&ws->notices_arena);
    em_arena_drop(&ws->arena);
    free(ws);
}

void em_ws_close_later(em_workspace *ws, em_closer *closer)
{
    ws->closer = closer;
}

size_t em_ws_root_count(const em_workspace *ws)
{
    return ws->roots.count;
}

bool em_ws_is_read_only(const em_workspace *ws)
{
    return ws->options.read_only;
}

bool em_ws_keeps_history(const em_workspace *ws)
{
    return !ws->options.no_history;
}

const char *em_ws_root(const em_workspace *ws, size_t index)
{
    return ws->roots.items[index].path;
}

const char *em_ws_rel(const em_workspace *ws, size_t index, const char *path)
{
    return em_root_rel_sent(&ws->roots.items[index], path);
}

const char *em_ws_find_rel(const em_workspace *ws, const char *path, size_t *index)
{
    const char *rel = NULL;
    for (*index = 0; *index < ws->roots.count && !(rel = em_ws_rel(ws, *index, path));)
        ++*index;
    return rel;
}

const char *em_ws_join(const em_workspace *ws, size_t index, const char *rel, em_arena *arena)
{
    return em_root_join(&ws->roots.items[index], rel, arena);
}

void em_ws_foresee(em_workspace *ws, em_paths made)
{
    ws->roots.foreseen = (em_foreseen){made.items, made.count};
}

int em_ws_root_fd(const em_workspace *ws, size_t index)
{
    return ws->roots.items[index].fd;
}

int em_ws_state_fd(const em_workspace *ws)
{
    return ws->state.dir;
}

void em_ws_notice(em_workspace *ws, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    em_warn_v(&ws->notices, &ws->notices_arena, format, args);
    va_end(args);
}

/* ---- Getting ready for changes ------------------------------------------------------------- */

em_status em_ws_state(em_workspace *ws, bool make, em_error *err)
{
    em_state_options options = {.named = ws->options.state_dir,
                                .roots = &ws->roots,
                                .make = make,
                                .sync = ws->options.sync != EM_SYNC_OFF};
    if (ws->state.path)
        return EM_OK;
    if (make && ws->no_state.code != EM_OK) { /* to look again would only find walls */
        if (err)
            *err = ws->no_state;
        return ws->no_state.code;
    }
    EM_TRY(em_state_open(ws->sys, &options, &ws->state, err));
    ws->locks = (em_locks){
        .sys = ws->sys, .dir = ws->state.locks, .folder = ws->state.path, .cancel = &ws->cancel};
    if (ws->state.warning)
        em_ws_notice(ws, "%s", ws->state.warning);
    return EM_OK;
}

void em_ws_prepare(em_workspace *ws, bool make)
{
    em_error why = EM_ERROR_INIT;
    if (em_ws_state(ws, make, &why) == EM_OK)
        return;
    if (make)
        ws->no_state = why;
    ws->state_is_late = !make;
}

em_status em_ws_need_history(em_workspace *ws, em_error *err)
{
    long timeout = ws->options.lock_timeout_ms;
    em_history_options options = {.folder = ws->state.path,
                                  .sync = ws->options.sync,
                                  .timeout_ms = timeout > HISTORY_WAIT ? timeout : HISTORY_WAIT};
    if (ws->history)
        return em_history_check_name(ws->history, err);
    em_status status = em_history_open(ws->sys, &options, &ws->history, err);
    if (status == EM_E_PERMISSION && ws->state_is_late)
        return em_fail(err, status,
                       "the state directory %s was made after this process began, which may not "
                       "open what is in it: start it again",
                       ws->state.path);
    return status;
}

em_status em_ws_ready(em_workspace *ws, em_error *err)
{
    EM_TRY(em_ws_state(ws, true, err));
    if (ws->recovered)
        return EM_OK;
    EM_TRY(em_recover_before_change(ws, err));
    ws->recovered = true;
    return EM_OK;
}

void em_ws_set_cancel(em_workspace *ws, em_cancel cancel)
{
    ws->cancel = ws->of_call = cancel;
}

void em_ws_may_stop(em_workspace *ws)
{
    ws->cancel = ws->of_call;
}

em_status em_ws_begin_change(em_workspace *ws, em_error *err)
{
    if (em_is_cancelled(&ws->cancel))
        return em_fail(err, EM_E_TIMEOUT, "the call was cancelled before this was changed");
    ws->cancel = (em_cancel){0};
    return EM_OK;
}

/* `rel` is NULL where the path does not lie in the root. */
static em_rule_path seen_from(const em_root *root, const char *path)
{
    return (em_rule_path){.rel = em_root_rel(root, path), .roots = {root->path, root->spelling}};
}

em_status em_ws_check_rules(const em_workspace *ws, const em_root *root, const char *rel,
                            bool write, em_arena *arena, em_error *err)
{
    const char *path = em_root_join(root, rel, arena);
    if (!path)
        return EM_E_NOMEM;
    for (size_t i = 0; i < ws->roots.count; i++) {
        em_rule_path seen = seen_from(&ws->roots.items[i], path);
        if (seen.rel)
            EM_TRY(em_rules_check(&ws->rules, &seen, write, arena, err));
    }
    return em_own_check_name(&ws->owns, path, arena, err);
}

em_status em_ws_check_may_change(const em_workspace *ws, em_error *err)
{
    return ws->options.read_only ? em_fail(err, EM_E_DENIED, "refused by --read-only") : EM_OK;
}

em_status em_ws_check_folder(const em_workspace *ws, const em_root *root, const char *rel,
                             em_arena *arena, em_error *err)
{
    const char *path = em_root_join(root, rel, arena);
    path = path ? em_arena_format(arena, "%s/.", path) : NULL; /* a folder to globs */
    if (!path)
        return EM_E_NOMEM;
    for (size_t i = 0; i < ws->roots.count; i++) {
        em_rule_path seen = seen_from(&ws->roots.items[i], path);
        if (seen.rel)
            EM_TRY(em_rules_check_denied(&ws->rules, &seen, arena, err));
    }
    return em_own_check_name(&ws->owns, path, arena, err);
}
