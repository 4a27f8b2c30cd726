#include "cli/change.h"

#include "cli/confine.h"

#include "answers/declared.h"
#include "answers/further.h"
#include "answers/near_told.h"
#include "answers/reason.h"
#include "answers/retry.h"
#include "answers/similar.h"
#include "base/utf8.h"

/* Texts of the outcome that outlive it. NULL where memory ran out. */
typedef struct shown {
    const char *diff, *summary, *complaint;
    bool is_internal;   /* what went wrong is neither the call's fault nor the file's */
    const char **notes; /* how texts were found that do not stand there exactly */
    size_t note_count;
} shown;

static void add_roots(em_reply *reply)
{
    const em_workspace *ws = em_session_workspace(reply->call->session);
    em_strbuf_puts(&reply->text, "\nFiles must lie in");
    for (size_t i = 0; i < em_ws_root_count(ws); i++)
        em_strbuf_printf(&reply->text, " %s", em_reply_path_shown(reply, em_ws_root(ws, i)));
    em_strbuf_puts(&reply->text, "; --root DIR names another folder.");
}

/* Did it fail since nobody knows which encoding the file has? */
static bool lacks_encoding(const em_outcome *outcome)
{
    const em_dom_plan *dom = &outcome->dom;
    bool is_refused = outcome->error.cause == EM_CAUSE_ENCODING ||
                      (dom->failed_count > 0 && dom->outcomes[0].code == EM_DOM_E_ENCODING);
    return is_refused && outcome->text.encoding == EM_BYTES;
}

/* Was one named that is not the file's? */
static bool has_other_encoding(const em_outcome *outcome, const em_edit_request *request)
{
    bool is_refused = outcome->error.cause == EM_CAUSE_ENCODING;
    return request->encoding && is_refused && (!outcome->text.charset || outcome->text.is_utf8_too);
}

/* Did it take others too long, and not a search of its own? */
static bool waits_for_others(const em_outcome *outcome)
{
    return outcome->status == EM_E_TIMEOUT && !outcome->failed_op && !outcome->dom.late;
}

/* Why a file is no text, and how it is read all the same. */
static void add_binary(em_reply *reply)
{
    const em_error *error = &reply->outcome->error;
    em_strbuf_printf(&reply->text, " (%s)", error->detail);
    if (error->cause != EM_CAUSE_ENCODING)
        em_strbuf_puts(&reply->text, "\nIf it is text, name its encoding: --encoding NAME");
}

/* JSON holds no other words. */
static bool came_as_utf8(const em_invocation *call)
{
    for (size_t i = 0; i < call->words.count; i++)
        if (em_utf8_invalid_at(em_slice_of(call->words.items[i])) != EM_NPOS)
            return false;
    for (size_t i = 0; i < call->flags.count; i++) {
        const char *value = call->flags.items[i].value;
        if (value && em_utf8_invalid_at(em_slice_of(value)) != EM_NPOS)
            return false;
    }
    return true;
}

static void add_again(em_reply *reply, const em_cli_change *change, const json_t *retry)
{
    em_again again = {.without = NULL};
    if (change->retype(reply, retry, &again) != EM_OK) {
        reply->json.failed = true;
        return;
    }
    em_similar_add_condition(reply);
    em_strbuf_puts(&reply->text, em_retry_fails_again(reply->outcome)
                                     ? "\nWith that corrected, too, type this:\n"
                                     : "\nType this instead:\n");
    em_add_again(&reply->text, change->call, &again);
}

/* The whole command line as it should have been, where that is known. */
static void add_way(em_reply *reply, const em_cli_change *change)
{
    EM_AUTO(em_json_ref)
    retry = came_as_utf8(change->call) ? change->retry(reply, change) : NULL;
    if (reply->json.failed)
        return;
    if (em_retry_fits(retry))
        add_again(reply, change, retry);
    else if (retry && reply->correction)
        em_strbuf_printf(&reply->text, "\n%s", em_similar_too_long(reply));
}

/* Which flags would help, where some would. */
static void add_helping_flags(em_reply *reply, const em_edit_request *request)
{
    const em_outcome *outcome = reply->outcome;
    em_strbuf_puts(&reply->text, em_cli_way_out(&outcome->error));
    if (waits_for_others(outcome))
        em_strbuf_puts(&reply->text, "\n--lock-timeout waits longer for it.");
    if (outcome->error.cause == EM_CAUSE_PLACEHOLDER)
        em_strbuf_puts(&reply->text, "\nWhere it is to stand there just so: --placeholders allow.");
    if (has_other_encoding(outcome, request))
        em_strbuf_puts(&reply->text, "\nName the file's encoding, or leave --encoding out.");
    if (lacks_encoding(outcome))
        em_strbuf_puts(&reply->text, "\n--encoding NAME names that of the file, such as latin1.");
}

static const char *complaint_of(em_reply *reply, const em_cli_change *change)
{
    change->complain(reply, change);
    if (reply->outcome->status == EM_E_BINARY)
        add_binary(reply);
    if (em_way_is_blocked(&reply->outcome->error))
        em_strbuf_printf(&reply->text, " (%s)", reply->outcome->error.detail);
    em_add_near_files(reply);
    em_add_further(reply, "", "Edit");
    if (reply->outcome->status == EM_E_OUTSIDE)
        add_roots(reply);
    add_helping_flags(reply, change->request);
    add_way(reply, change);
    return em_reply_text(reply);
}

static const char *summary_of(em_reply *reply, const em_cli_change *change)
{
    const em_outcome *outcome = reply->outcome;
    bool recorded = outcome->edit_id[0] != '\0';
    change->sum_up(reply);
    em_strbuf_printf(&reply->text, " in %s%s%s%s", outcome->file.rel, recorded ? ", edit " : "",
                     outcome->edit_id,
                     change->request->dry_run ? " (dry run: nothing was written)" : "");
    return em_reply_text(reply);
}

static void add_notes(em_reply *reply, shown *texts)
{
    size_t count = reply->outcome->plan.op_count;
    texts->notes = em_alloc_array(reply->arena, count, sizeof *texts->notes);
    for (size_t i = 0; texts->notes && i < count; i++) {
        const char *note = em_declared_sentence(reply, i);
        if (note)
            texts->notes[texts->note_count++] = note;
    }
}

static shown show(em_reply *reply, const em_cli_change *change)
{
    const em_outcome *outcome = reply->outcome;
    if (outcome->status != EM_OK)
        return (shown){.complaint = complaint_of(reply, change),
                       .is_internal =
                           outcome->status == EM_E_NOMEM || outcome->status == EM_E_INTERNAL};
    em_diff_names names = {.path = outcome->file.rel};
    shown texts = {.diff = em_diff_render(&outcome->diff, names, reply->arena),
                   .summary = summary_of(reply, change)};
    add_notes(reply, &texts);
    return texts;
}

static shown make(em_session *session, const em_cli_change *change, em_outcome *outcome)
{
    static const em_toolset no_tools;
    em_arena *arena = change->call->arena;
    em_call context = {
        .session = session, .arena = arena, .offered = &no_tools, .is_command = true};
    em_reply reply;
    em_run_edit(session, change->request, arena, outcome);
    em_reply_init(&reply, &context, change->words, change->request->path, outcome);
    shown texts = show(&reply, change);
    em_reply_drop(&reply);
    em_outcome_drop(session, outcome);
    return texts;
}

/* Print what is there to be printed, after all is closed: what reads it may be slow. */
static int print(em_invocation *call, const shown *texts, const em_outcome *outcome)
{
    for (size_t i = 0; i < outcome->warnings.count; i++)
        em_complain(call, 0, "warning: %s", outcome->warnings.items[i]);
    for (size_t i = 0; i < texts->note_count; i++)
        em_complain(call, 0, "%s", texts->notes[i]);
    if (texts->complaint)
        return em_complain(call, texts->is_internal ? EM_EXIT_WRONG : EM_EXIT_REFUSED, "%s",
                           texts->complaint);
    if (!texts->diff || !texts->summary)
        return em_complain(call, EM_EXIT_WRONG, "out of memory");
    if (outcome->committed)
        call->done = EM_CLI_CHANGED;
    em_term_diff(&call->out, em_slice_of(texts->diff));
    if (call->out.is_tty) {
        em_term_text(&call->out, em_slice_of(texts->summary));
        fputc('\n', call->out.file);
    }
    return em_cli_printed(call, EM_EXIT_DONE);
}

int em_cli_change_file(const em_cli_change *change)
{
    em_invocation *call = change->call;
    const char *client = em_arena_format(call->arena, "emend %s", call->command->name);
    bool keeps = !change->request->dry_run;
    em_session *session = client ? em_cli_open_confined(call, client, keeps) : NULL;
    if (!session)
        return EM_EXIT_WRONG;
    em_cli_give_up_at_signals(session);
    em_outcome outcome;
    shown texts = make(session, change, &outcome);
    em_cli_session_close_after(session, outcome.committed);
    return print(call, &texts, &outcome);
}
