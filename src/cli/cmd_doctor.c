/* cmd_doctor.c: what the system offers here, and what waits for a person. */
#include "cli/confine.h"
#include "cli/recovered.h"

#include "paths/state.h"
#include "text/search.h"
#include "workspace/doctor.h"

/* ---- What is told -------------------------------------------------------------------------- */

static const char *kernel_in_use(void)
{
    em_needle needle;
    em_needle_init(&needle, EM_LIT("x"));
    return needle.kernel->name;
}

static void print_text(const em_invocation *call, const char *text)
{
    em_term_text(&call->out, em_slice_of(text));
}

static void print_fact(const em_invocation *call, const em_fact *fact)
{
    const char *colour = fact->ok ? "\033[32m" : "\033[33m";
    fprintf(call->out.file, "  %s%s%s  ", call->out.colour ? colour : "", fact->ok ? "ok" : "--",
            call->out.colour ? "\033[m" : "");
    print_text(call, fact->name);
    fputs(": ", call->out.file);
    print_text(call, fact->value);
    if (!fact->ok && fact->meaning[0]) {
        fputs("\n      ", call->out.file);
        print_text(call, fact->meaning);
    }
    fputc('\n', call->out.file);
}

static bool same_folder(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

static void print_facts(const em_invocation *call, const em_facts *facts)
{
    for (size_t i = 0; i < facts->count; i++) {
        const char *folder = facts->items[i].folder;
        if (i == 0 || !same_folder(folder, facts->items[i - 1].folder)) {
            fputc('\n', call->out.file);
            print_text(call, folder ? folder : "This machine");
            fputs("\n", call->out.file);
        }
        print_fact(call, &facts->items[i]);
    }
}

static void print_wall(const em_invocation *call, const char *name, const em_wall *wall,
                       const char *without)
{
    bool off = strcmp(call->options.sandbox, "off") == 0;
    char value[sizeof wall->why + 8];
    snprintf(value, sizeof value, "%s (%s)", wall->stands ? "yes" : "no", wall->why);
    em_fact fact = {.name = name,
                    .ok = wall->stands && !off,
                    .value = off ? "not asked for (--sandbox off)" : value,
                    .meaning = without};
    print_fact(call, &fact);
}

static void print_sandbox(const em_invocation *call, const em_sandbox_report *sandbox)
{
    fputs("\nSandbox\n", call->out.file);
    print_wall(call, "Landlock", &sandbox->files,
               "only emend's own checks keep it in its roots and its state directory");
    print_wall(call, "seccomp", &sandbox->calls,
               "system calls that emend has no use for are not refused");
    if (sandbox->relaxed)
        fputs("  --  relaxed: this build has sanitizers or counters of coverage, which read and\n"
              "      start what they need\n",
              call->out.file);
}

/* What was found out, to be printed when all is closed. */
typedef struct findings {
    em_facts facts;
    em_recovery pending;
    const char *unread; /* why it is not known what is pending; NULL where it is */
    const char *state;  /* a sentence about the state directory */
    em_sandbox_report sandbox;
} findings;

/* Changes that wait, or (`in_grace`) are made, and whose old file is kept for now. */
static bool print_changes(em_invocation *call, const em_recovery *found, bool in_grace,
                          const char *heading, const char *none)
{
    size_t count = 0;
    for (size_t i = 0; i < found->count; i++)
        count += (found->items[i].end == EM_LEFT_IN_GRACE) == in_grace;
    if (count > 0 || none)
        fprintf(call->out.file, "\n%s:%s\n", heading, count > 0 ? "" : none);
    for (size_t i = 0; i < found->count; i++)
        if ((found->items[i].end == EM_LEFT_IN_GRACE) == in_grace &&
            !em_cli_print_recovered(call, &found->items[i]))
            return false;
    return true;
}

static int print_findings(em_invocation *call, const findings *found)
{
    fprintf(call->out.file, "emend %s, literal search by %s\n", EMEND_VERSION, kernel_in_use());
    print_facts(call, &found->facts);
    print_sandbox(call, &found->sandbox);
    fputs("\nState directory: ", call->out.file);
    print_text(call, found->state);
    if (found->unread) {
        fputs("\nWaiting for recovery: not known\n", call->out.file);
        return em_cli_printed(call, em_complain(call, EM_EXIT_REFUSED, "%s", found->unread));
    }
    if (!print_changes(call, &found->pending, false, "Waiting for recovery", " nothing") ||
        !print_changes(call, &found->pending, true, "Kept for late writes", NULL))
        return em_complain(call, EM_EXIT_WRONG, "out of memory");
    return em_cli_printed(call, EM_EXIT_DONE);
}

/* ---- Finding out --------------------------------------------------------------------------- */

/* The path of the state directory, NULL where it is not there, and what to say about it. */
static em_status find_state(const em_invocation *call, const em_roots *roots, const char **path,
                            const char **sentence, em_error *err)
{
    em_state_options options = {.named = call->options.state_dir, .roots = roots};
    em_state state;
    *path = NULL;
    em_state_init(&state);
    em_status status = em_state_open(&em_sys_native, &options, &state, err);
    if (status == EM_OK)
        *path = em_arena_string(call->arena, em_slice_of(state.path));
    *sentence = status == EM_OK
                    ? em_arena_format(call->arena, "%s%s%s", state.path, state.warning ? "; " : "",
                                      state.warning ? state.warning : "")
                    : em_arena_format(call->arena, "%s%s", err->detail,
                                      status == EM_E_NOT_FOUND ? " yet" : "");
    em_state_close(&state);
    if (status == EM_E_NOMEM || !*sentence || (status == EM_OK && !*path))
        return em_fail(err, EM_E_NOMEM, "out of memory");
    return EM_OK;
}

/* The facts name the roots by the paths that they are given, and outlive the roots. */
static em_status root_paths(const em_invocation *call, const em_roots *roots, const char ***paths,
                            em_error *err)
{
    *paths = em_alloc_array(call->arena, roots->count, sizeof **paths);
    for (size_t i = 0; *paths && i < roots->count; i++)
        if (!((*paths)[i] = em_arena_string(call->arena, em_slice_of(roots->items[i].path))))
            *paths = NULL;
    return *paths ? EM_OK : em_fail(err, EM_E_NOMEM, "out of memory");
}

/* A history that cannot be read hides nothing else that was found out. */
static em_status find_pending(const em_invocation *call, em_workspace *ws, findings *found,
                              em_error *err)
{
    em_error unread = EM_ERROR_INIT;
    em_status status = em_recover_list(ws, true, call->arena, &found->pending, &unread);
    if (status == EM_OK)
        return EM_OK;
    if (status != EM_E_NOMEM)
        found->unread =
            em_arena_format(call->arena, "%s%s", unread.detail, em_cli_way_out(&unread));
    return found->unread ? EM_OK : em_fail(err, EM_E_NOMEM, "out of memory");
}

static em_status examine(const em_invocation *call, const em_roots *roots, em_workspace *ws,
                         findings *found, em_error *err)
{
    const char *state, **paths;
    EM_TRY(root_paths(call, roots, &paths, err));
    EM_TRY(find_state(call, roots, &state, &found->state, err));
    if (em_doctor(&em_sys_native, paths, roots->count, state, call->arena, &found->facts) != EM_OK)
        return em_fail(err, EM_E_NOMEM, "out of memory");
    return find_pending(call, ws, found, err);
}

static em_status examine_roots(em_invocation *call, em_workspace *ws, findings *found,
                               em_error *err)
{
    em_roots roots;
    EM_TRY(em_roots_open(&em_sys_native, call->options.roots.items, call->options.roots.count,
                         &roots, err));
    em_status status = examine(call, &roots, ws, found, err);
    em_roots_close(&em_sys_native, &roots);
    return status;
}

static int run(em_invocation *call)
{
    em_session *session = em_cli_session_open(call, "emend doctor", 0);
    if (!session)
        return EM_EXIT_WRONG;
    findings found = {0};
    em_error err = EM_ERROR_INIT;
    em_status status = examine_roots(call, em_session_workspace(session), &found, &err);
    bool confined = em_cli_confine_calls(call, &found.sandbox) && /* last: there is no way back */
                    em_cli_confine_files(call, &session, 1, false, &found.sandbox);
    em_cli_session_close(session);
    if (status != EM_OK)
        return em_complain(call, EM_EXIT_WRONG, "%s", err.detail);
    if (!confined)
        return EM_EXIT_WRONG;
    return print_findings(call, &found);
}

const em_command em_cmd_doctor = {
    .name = "doctor",
    .words = "",
    .brief = "Tell what the system offers here, and what waits for recovery",
    .takes_shared = true,
    .run = run,
};
