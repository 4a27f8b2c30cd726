/* cmd_checkpoint.c: name a moment, to which `emend rewind` goes back. */
#include "base/clock.h"
#include "cli/confine.h"
#include "cli/past_view.h"
#include "past/checkpoints.h"

typedef struct checkpoint_flags {
    bool json;
} checkpoint_flags;

static const em_flag flags[] = {
    {"--json", NULL, "for programs", EM_FLAG_SWITCH, offsetof(checkpoint_flags, json), NULL},
    {NULL, NULL, NULL, EM_FLAG_SWITCH, 0, NULL},
};

static int print_json(em_invocation *call, const em_checkpoints *marks)
{
    em_json json = {0};
    EM_AUTO(em_json_ref) list = em_json_array(&json);
    for (size_t i = 0; i < marks->count; i++) {
        json_t *object = em_json_object(&json);
        em_json_set_text(&json, object, "name", em_slice_of(marks->items[i].name));
        em_json_set(&json, object, "time_ms", json_integer(marks->items[i].time_ms));
        em_json_set_bool(&json, object, "has_way_back", marks->items[i].is_whole);
        em_json_add(&json, list, object);
    }
    return em_cli_print_json(call, json.failed ? NULL : list, EM_EXIT_DONE);
}

static int print_lines(em_invocation *call, const em_checkpoints *marks)
{
    for (size_t i = 0; i < marks->count; i++) {
        char when[EM_LOCAL_TIME_SIZE];
        em_local_time_text(marks->items[i].time_ms, when);
        fprintf(call->out.file, "%s  ", when);
        em_term_name(&call->out, em_slice_of(marks->items[i].name));
        if (!marks->items[i].is_whole)
            fputs("  (no way back: some of what was done since is forgotten)", call->out.file);
        fputc('\n', call->out.file);
    }
    return em_cli_printed(call, EM_EXIT_DONE);
}

/* Of all marks the one that was just made, which others of that name made way for. */
static void keep_named(em_checkpoints *marks, const char *name)
{
    size_t kept = 0;
    for (size_t i = 0; i < marks->count; i++)
        if (strcmp(marks->items[i].name, name) == 0)
            marks->items[kept++] = marks->items[i];
    marks->count = kept;
}

static int run(em_invocation *call)
{
    const checkpoint_flags *own = call->own;
    const char *name = call->words.count > 0 ? call->words.items[0] : NULL;
    em_session *session = em_cli_open_confined(call, "emend checkpoint", name != NULL);
    if (!session)
        return EM_EXIT_WRONG;
    em_workspace *ws = em_session_workspace(session);
    em_checkpoints marks = {0};
    em_error err = EM_ERROR_INIT;
    em_status status = name ? em_past_mark(ws, name, &err) : EM_OK;
    if (status == EM_OK && (!name || own->json))
        status = em_past_marks(ws, call->arena, &marks, &err);
    em_cli_session_close(session);
    if (status != EM_OK)
        return em_cli_failed(call, status, &err);
    if (name)
        keep_named(&marks, name);
    if (own->json)
        return print_json(call, &marks);
    return name ? EM_EXIT_DONE : print_lines(call, &marks);
}

const em_command em_cmd_checkpoint = {
    .name = "checkpoint",
    .words = "[NAME]",
    .brief = "Name this moment, for `emend rewind`; without a name: those there are",
    .details = "It belongs to the first root. The same name again means the new moment.\n",
    .flags = flags,
    .own_size = sizeof(checkpoint_flags),
    .takes_shared = true,
    .most = 1,
    .run = run,
};
