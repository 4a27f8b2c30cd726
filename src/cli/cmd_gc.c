/* cmd_gc.c: forget what is old, or too much. */
#include "cli/confine.h"
#include "json/json.h"

#include "past/forget.h"
#include "workspace/content_store.h"

#include <inttypes.h>

typedef struct gc_flags {
    const char *age;
    uint64_t size;
    bool save, json;
} gc_flags;

#define FIELD(name) offsetof(gc_flags, name)
static const em_flag flags[] = {
    {"--max-age", "AGE", "forget older changes: 12h, 30d, 1y, or none for no limit (90d)",
     EM_FLAG_TEXT, FIELD(age), NULL},
    {"--max-size", "SIZE", "forget the oldest until the history is no larger (256M)", EM_FLAG_SIZE,
     FIELD(size), NULL},
    {"--save", NULL, "keep to these limits from now on, also without being told", EM_FLAG_SWITCH,
     FIELD(save), NULL},
    {"--json", NULL, "for programs", EM_FLAG_SWITCH, FIELD(json), NULL},
    {NULL, NULL, NULL, EM_FLAG_SWITCH, 0, NULL},
};
#undef FIELD

/* Reads --max-age; returns whether it is one. An age of 0 keeps nothing that is older than this
 * very moment: the limits have 0 for "none". */
static bool read_age(const char *text, int64_t *age_ms)
{
    *age_ms = 0;
    if (strcmp(text, "none") == 0)
        return true;
    if (!em_parse_age(text, age_ms))
        return false;
    if (*age_ms == 0)
        *age_ms = 1;
    return true;
}

static em_status collect(em_workspace *ws, const gc_flags *own, em_limits limits,
                         em_forgotten *history, em_forgotten *contents, em_error *err)
{
    em_limits kept;
    EM_TRY(em_past_limits(ws, &kept, err));
    if (!own->age)
        limits.age_ms = kept.age_ms;
    limits.bytes = own->size > 0 ? own->size : kept.bytes;
    if (own->save)
        EM_TRY(em_past_set_limits(ws, limits, err));
    EM_TRY(em_past_forget(ws, limits, 0, true, history, err));
    return em_content_store_forget(ws, EM_CONTENT_STORE_AGE_MS, EM_CONTENT_STORE_BYTES, contents,
                                   err);
}

static int print(em_invocation *call, const em_forgotten *history, const em_forgotten *contents)
{
    const gc_flags *own = call->own;
    if (!own->json) {
        fprintf(call->out.file,
                "%" PRIu64 " %s forgotten; %" PRIu64 " bytes of the history and %" PRIu64
                " of kept contents are free.\n",
                history->rows, history->rows == 1 ? "change is" : "changes are", history->bytes,
                contents->bytes);
        if (history->waiting > 0)
            fprintf(call->out.file,
                    "%" PRIu64
                    " more are beyond the limits and stay for now: a change is forgotten "
                    "no sooner than two minutes\nafter it was made, when the disk is sure to have "
                    "it.\n",
                    history->waiting);
        return em_cli_printed(call, EM_EXIT_DONE);
    }
    em_json json = {0};
    EM_AUTO(em_json_ref) object = em_json_object(&json);
    em_json_set_size(&json, object, "changes", history->rows);
    em_json_set_size(&json, object, "waiting", history->waiting);
    em_json_set_size(&json, object, "history_bytes", history->bytes);
    em_json_set_size(&json, object, "content_bytes", contents->bytes);
    return em_cli_print_json(call, json.failed ? NULL : object, EM_EXIT_DONE);
}

static int run(em_invocation *call)
{
    const gc_flags *own = call->own;
    em_limits limits = {0};
    em_forgotten history = {0}, contents = {0};
    em_error err = EM_ERROR_INIT;
    if (own->age && !read_age(own->age, &limits.age_ms))
        return em_complain_usage(call, "--max-age takes 12h, 30d, 1y or none, not '%s'", own->age);
    em_session *session = em_cli_open_confined(call, "emend gc", own->save);
    if (!session)
        return EM_EXIT_WRONG;
    em_status status =
        collect(em_session_workspace(session), own, limits, &history, &contents, &err);
    em_cli_session_close(session);
    return status == EM_OK ? print(call, &history, &contents) : em_cli_failed(call, status, &err);
}

const em_command em_cmd_gc = {
    .name = "gc",
    .words = "",
    .brief = "Forget changes that are old, or too many",
    .details =
        "What is forgotten can neither be shown nor undone. This also happens by itself now\n"
        "and then. It is about the whole state directory, whatever the roots. What was changed\n"
        "in the last two minutes stays.\n",
    .flags = flags,
    .own_size = sizeof(gc_flags),
    .takes_shared = true,
    .run = run,
};
