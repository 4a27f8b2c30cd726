/* cmd_undo.c: take back what was done, one call or all since a checkpoint, and do it again. */
#include "cli/confine.h"
#include "cli/past_view.h"

typedef struct undo_flags {
    bool dry_run, json;
} undo_flags;

#define FIELD(name) offsetof(undo_flags, name)
static const em_flag flags[] = {
    {"--dry-run", NULL, "show what would be done, and change nothing", EM_FLAG_SWITCH,
     FIELD(dry_run), NULL},
    {"--json", NULL, "for programs", EM_FLAG_SWITCH, FIELD(json), NULL},
    {NULL, NULL, NULL, EM_FLAG_SWITCH, 0, NULL},
};
#undef FIELD

/* What is printed in the end, made while the session is open. */
typedef struct told {
    em_undo_outcome outcome;
    const char *summary; /* or the complaint; NULL when memory ran out */
    const char *listing; /* what shows all that could have been named */
} told;

/* ---- Printing ------------------------------------------------------------------------------ */

static int print_json(em_invocation *call, const told *t, int status)
{
    EM_AUTO(em_json_ref) object = em_undo_outcome_json(&t->outcome);
    return em_cli_print_json(call, object, status);
}

/* An empty file that came or went has no diff: then a sentence tells of it. */
static int print_done(em_invocation *call, const told *t)
{
    const undo_flags *own = call->own;
    const em_undo_outcome *outcome = &t->outcome;
    bool all_shown = outcome->file_count > 0;
    for (size_t i = 0; i < outcome->file_count; i++) {
        em_term_diff(&call->out, em_slice_of(outcome->files[i].diff));
        all_shown = all_shown && outcome->files[i].diff[0];
    }
    if (call->out.is_tty || !all_shown) {
        em_term_text(&call->out, em_slice_of(t->summary));
        fputs(own->dry_run ? " (nothing was written)\n" : "\n", call->out.file);
    }
    return em_cli_printed(call, EM_EXIT_DONE);
}

/* What was named and is not there can be looked up, and so can the calls that are left of what was
 * done since a checkpoint. */
static int complain(em_invocation *call, const told *t)
{
    bool is_unknown = t->outcome.status == EM_E_NOT_FOUND && call->words.count > 0;
    const char *listing = t->outcome.is_forgotten
                              ? "'emend log' shows the calls that can be undone one by one"
                              : t->listing;
    return em_complain(call, EM_EXIT_REFUSED, "%s%s%s%s", t->summary, is_unknown ? "; " : "",
                       is_unknown ? listing : "", em_cli_way_out(&t->outcome.error));
}

static int print(em_invocation *call, const told *t)
{
    const undo_flags *own = call->own;
    const em_undo_outcome *outcome = &t->outcome;
    bool done = outcome->status == EM_OK;
    for (size_t i = 0; i < outcome->warnings.count; i++)
        em_complain(call, 0, "warning: %s", outcome->warnings.items[i]);
    if (outcome->status == EM_E_NOMEM || !t->summary)
        return em_complain(call, EM_EXIT_WRONG, "out of memory");
    if (done && !own->dry_run)
        call->done = EM_CLI_CHANGED;
    if (own->json)
        return print_json(call, t, done ? EM_EXIT_DONE : EM_EXIT_REFUSED);
    return done ? print_done(call, t) : complain(call, t);
}

/* ---- Doing it ------------------------------------------------------------------------------ */

static int undo(em_invocation *call, const char *client, em_undo_request request)
{
    const undo_flags *own = call->own;
    request.tool = call->command->name;
    request.dry_run = own->dry_run;
    request.want_diff = true;
    em_session *session = em_cli_open_confined(call, client, !own->dry_run);
    if (!session)
        return EM_EXIT_WRONG;
    em_cli_give_up_at_signals(session);
    told t = {.listing = request.checkpoint ? "'emend checkpoint' shows which there are"
                                            : EM_CLI_CHANGES_ARE_LISTED};
    em_run_undo(session, &request, call->arena, &t.outcome);
    t.summary = em_undo_sentence(session, &request, &t.outcome, call->arena);
    em_cli_session_close_after(session, t.outcome.status == EM_OK);
    return print(call, &t);
}

static const char *first_word(const em_invocation *call)
{
    return call->words.count > 0 ? call->words.items[0] : NULL;
}

static int run_undo(em_invocation *call)
{
    return undo(call, "emend undo", (em_undo_request){.what = EM_UNDO, .id = first_word(call)});
}

static int run_redo(em_invocation *call)
{
    return undo(call, "emend redo", (em_undo_request){.what = EM_REDO, .id = first_word(call)});
}

static int run_rewind(em_invocation *call)
{
    return undo(call, "emend rewind",
                (em_undo_request){.what = EM_REWIND, .checkpoint = first_word(call)});
}

const em_command em_cmd_undo = {
    .name = "undo",
    .words = "[CHANGE]",
    .brief = "Take back the last call, or the one that a change belongs to",
    .details =
        "A whole call at a time, with all its files: all of it or nothing. What somebody has\n"
        "changed at the place since is not touched. An undo is in the history, and can be\n"
        "undone. `emend log` shows the changes and their numbers.\n",
    .flags = flags,
    .own_size = sizeof(undo_flags),
    .takes_shared = true,
    .most = 1,
    .run = run_undo,
};

const em_command em_cmd_redo = {
    .name = "redo",
    .words = "[CHANGE]",
    .brief = "Do again what was undone last, or the call that a change belongs to",
    .flags = flags,
    .own_size = sizeof(undo_flags),
    .takes_shared = true,
    .most = 1,
    .run = run_redo,
};

const em_command em_cmd_rewind = {
    .name = "rewind",
    .words = "NAME",
    .brief = "Take back all that was done since a checkpoint",
    .details = "All files, all of it or nothing. `emend redo` does it all again.\n",
    .flags = flags,
    .own_size = sizeof(undo_flags),
    .takes_shared = true,
    .least = 1,
    .most = 1,
    .run = run_rewind,
};
