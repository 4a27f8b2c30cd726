/* undo.c: undo_last_edit, which every family shares. */
#include "dialects/undo.h"

#include "answers/answer.h"
#include "answers/reason.h"
#include "answers/undo_told.h"
#include "arguments/change_args.h"
#include "base/clock.h"

/* Calls that could be undone, or redone, a line each; and files in one. */
enum { MOST_LISTED = 5, MOST_LOOKED_AT = 50, MOST_NAMED = 5 };

static const em_words no_words = {0};

/* One answer in the making. */
typedef struct undo_call {
    const em_call *call;
    em_undo_request request;
    em_undo_outcome done;
    em_outcome outcome; /* the same as far as answers of any tool have it */
    em_reply reply;
} undo_call;

static void set_file(undo_call *u, json_t *list, const em_undone_file *file)
{
    em_json *json = &u->reply.json;
    json_t *object = em_json_object(json);
    em_json_set_string(json, object, "file_path", em_reply_path_field(&u->reply, file->rel));
    if (file->hash.hex[0])
        em_json_set_string(json, object, "hash", file->hash.hex);
    if (file->edit_id[0])
        em_json_set_string(json, object, "edit_id", file->edit_id);
    em_json_add(json, list, object);
}

/* Of several files each has its own. */
static void set_meta(undo_call *u, em_answer *answer)
{
    em_json *json = &u->reply.json;
    if (u->done.file_count == 1)
        return;
    json_t *list = em_json_array(json);
    for (size_t i = 0; i < u->done.file_count; i++)
        set_file(u, list, &u->done.files[i]);
    em_json_set(json, answer->meta, "emend/files", list);
}

/* Of several files the first that is recorded: any of them names the call. One is told already. */
static void add_id(undo_call *u)
{
    const em_undo_outcome *done = &u->done;
    size_t i = 0;
    if (!u->call->stateless || done->file_count < 2)
        return;
    while (i < done->file_count && !done->files[i].edit_id[0])
        i++;
    if (i < done->file_count)
        em_strbuf_printf(&u->reply.text, "\nEdit: %s", done->files[i].edit_id);
}

static void add_diffs(undo_call *u)
{
    em_strbuf *text = &u->reply.text;
    bool cut = false;
    for (size_t i = 0; i < u->done.file_count; i++) {
        const em_undone_file *file = &u->done.files[i];
        em_strbuf_printf(text, "%s%s", i == 0 ? "\n\n" : "", file->diff);
        cut = cut || file->diff_truncated;
    }
    if (cut)
        em_strbuf_puts(text, "(The diff is cut.)\n");
}

static em_status answer_done(undo_call *u, em_answer *answer)
{
    em_reply *reply = &u->reply;
    bool dry_run = u->request.dry_run;
    em_strbuf_puts(&reply->text, dry_run ? "Dry run, nothing was written: " : "Successfully ");
    em_undo_add_done(reply, &u->done, dry_run);
    em_reply_add_lines(reply);
    add_id(u);
    if (dry_run)
        add_diffs(u);
    EM_TRY(em_reply_finish(reply, false, answer));
    set_meta(u, answer);
    return reply->json.failed ? EM_E_NOMEM : EM_OK;
}

/* All changes of a call that is listed by its first one; that alone where they are not known. */
static em_status find_changes(undo_call *u, const em_row *first, em_rows *rows)
{
    em_error ignored = EM_ERROR_INIT;
    em_status status = em_changes_of_call(u->call->session, first, u->reply.arena, rows, &ignored);
    if (status == EM_E_NOMEM)
        return status;
    if (status != EM_OK || rows->count == 0)
        *rows = (em_rows){.items = first, .count = 1};
    return EM_OK;
}

/* Does one of the first `count` changes have this path? A call may change a file twice. */
static bool has_path(const em_rows *rows, size_t count, const char *path)
{
    for (size_t i = 0; i < count; i++) {
        if (strcmp(rows->items[i].path, path) == 0)
            return true;
    }
    return false;
}

/* "a.txt, b.txt"; of many files the first, and "...". */
static em_status add_files_of_call(undo_call *u, const em_row *first)
{
    em_strbuf *text = &u->reply.text;
    em_rows rows;
    size_t named = 0;
    EM_TRY(find_changes(u, first, &rows));
    for (size_t i = 0; i < rows.count && named <= MOST_NAMED; i++) {
        const char *path = rows.items[i].path;
        if (has_path(&rows, i, path))
            continue;
        em_strbuf_printf(text, "%s%s", named > 0 ? ", " : "",
                         named < MOST_NAMED ? em_reply_path_shown(&u->reply, path) : "...");
        named++;
    }
    return EM_OK;
}

static em_status add_edits(undo_call *u, const em_rows *rows)
{
    for (size_t i = 0; i < rows->count; i++) {
        const em_row *row = &rows->items[i];
        char when[EM_LOCAL_TIME_SIZE], id[64];
        em_local_time_text(row->time_ms, when);
        em_row_show_id(row, id);
        em_strbuf_printf(&u->reply.text, "\n%s  %s  %s  ", id, when,
                         row->origin.tool ? row->origin.tool : "?");
        EM_TRY(add_files_of_call(u, row));
    }
    return EM_OK;
}

/* The last edits whose ids could be sent, whoever made them; `undone`: there are but undoings. */
static em_status find_last_edits(undo_call *u, size_t most, em_rows *rows, bool *undone)
{
    em_session *session = u->call->session;
    em_error *err = &u->outcome.error;
    EM_TRY(em_undoable(session, NULL, most, u->reply.arena, rows, err));
    *undone = rows->count == 0;
    return *undone ? em_redoable(session, NULL, most, u->reply.arena, rows, err) : EM_OK;
}

/* For who has to name one. */
static em_status add_last_edits(undo_call *u)
{
    em_strbuf *text = &u->reply.text;
    em_rows rows;
    bool undone;
    EM_TRY(find_last_edits(u, MOST_LISTED, &rows, &undone));
    if (rows.count == 0)
        em_strbuf_puts(text, "\nThere are none here.");
    else if (undone)
        em_strbuf_puts(text,
                       "\nNone is left here, but the id of an undoing, sent as edit_id, makes "
                       "its edit again. The last ones, newest first:");
    else
        em_strbuf_puts(text, "\nThe last edits here, newest first:");
    return add_edits(u, &rows);
}

static const char *why_nothing(em_session *session, const em_rows *undone)
{
    if (undone->count > 0)
        return "All edits of this session are undone already";
    if (!em_ws_keeps_history(em_session_workspace(session)))
        return "No history is kept here (--no-history), so no edit of this session can be undone";
    return "This session has made no edit that could be undone";
}

/* There is nothing to undo. Was there, and is undone by now? */
static em_status add_nothing(undo_call *u)
{
    em_session *session = u->call->session;
    em_rows undone, others;
    bool unused;
    EM_TRY(em_redoable(session, em_undo_session(session, &u->request), 1, u->reply.arena, &undone,
                       &u->outcome.error));
    em_strbuf_puts(&u->reply.text, why_nothing(session, &undone));
    EM_TRY(find_last_edits(u, 1, &others, &unused));
    if (others.count > 0)
        em_strbuf_puts(&u->reply.text, ". To undo another one, send its id as edit_id");
    return EM_OK;
}

/* Later edits of the file in this session, of which one may have changed the place, newest first.
 * None: it was others. */
static em_status find_later_edits(undo_call *u, em_rows *later)
{
    em_arena *arena = u->reply.arena;
    const em_undo_outcome *done = &u->done;
    em_error ignored = EM_ERROR_INIT;
    em_rows rows;
    em_row *kept = em_alloc_array(arena, MOST_LISTED, sizeof *kept);
    char id[64];
    *later = (em_rows){.items = kept};
    if (!kept)
        return EM_E_NOMEM;
    em_status status = em_undoable(u->call->session, em_undo_session(u->call->session, &u->request),
                                   MOST_LOOKED_AT, arena, &rows, &ignored);
    for (size_t i = 0; status == EM_OK && i < rows.count && later->count < MOST_LISTED; i++) {
        em_rows changes;
        em_row_show_id(&rows.items[i], id);
        if (strcmp(id, done->call_id) == 0)
            return EM_OK;
        EM_TRY(find_changes(u, &rows.items[i], &changes));
        if (has_path(&changes, changes.count, done->conflict.path))
            kept[later->count++] = rows.items[i];
    }
    later->count = 0; /* it is not among the newest, so nobody knows what is later */
    return status == EM_E_NOMEM ? status : EM_OK;
}

static em_status add_conflict(undo_call *u)
{
    em_strbuf *text = &u->reply.text;
    em_rows later = {.count = 0};
    if (u->done.call_id)
        EM_TRY(find_later_edits(u, &later));
    if (later.count == 0) {
        em_strbuf_puts(text, "\nNothing was written, and what others wrote is in place.");
        return EM_OK;
    }
    em_strbuf_puts(text, "\nNothing was written. This session has edited the file since: if that "
                         "changed the place, undo it first, by its id. Newest first:");
    return add_edits(u, &later);
}

/* The last edit cannot be undone, and stays the last: the one before it has to be named. */
static em_status add_edit_before(undo_call *u)
{
    em_reply *reply = &u->reply;
    em_session *session = u->call->session;
    em_error ignored = EM_ERROR_INIT;
    em_rows rows;
    char id[64] = "";
    size_t i = 0;
    if (u->request.id || !u->done.call_id || em_is_of_consent(&u->done.error))
        return EM_OK;
    em_status status = em_undoable(session, em_undo_session(session, &u->request), 2, reply->arena,
                                   &rows, &ignored);
    if (status != EM_OK)
        return status == EM_E_NOMEM ? status : EM_OK;
    for (; i < rows.count; i++) {
        em_row_show_id(&rows.items[i], id);
        if (strcmp(id, u->done.call_id) != 0)
            break;
    }
    if (i == rows.count)
        return EM_OK;
    em_strbuf_puts(&reply->text, "\nAn older edit can be undone by its id. To undo the one before "
                                 "it in this session, of ");
    EM_TRY(add_files_of_call(u, &rows.items[i]));
    em_strbuf_printf(&reply->text, ", send as edit_id: %s", id);
    return EM_OK;
}

static em_status answer_failed(undo_call *u, em_answer *answer)
{
    em_reply *reply = &u->reply;
    bool unknown = u->done.status == EM_E_NOT_FOUND, nothing = unknown && !u->request.id;
    em_status listed = EM_OK;
    em_strbuf_puts(&reply->text, "Error: ");
    if (nothing)
        EM_TRY(add_nothing(u));
    else
        em_undo_add_reason(reply, &u->request, &u->done);
    em_reply_add_lines(reply);
    if (unknown) {
        reply->tells_way = true;
        listed = add_last_edits(u);
    } else if (u->done.conflict.path) {
        listed = add_conflict(u);
    } else if (em_is_of_consent(&u->done.error)) {
        em_add_advice(reply);
    }
    if (!unknown && listed == EM_OK)
        listed = add_edit_before(u);
    if (listed == EM_E_NOMEM)
        return listed;
    return em_reply_finish(reply, true, answer);
}

static void take_outcome(undo_call *u)
{
    em_outcome *outcome = &u->outcome;
    outcome->status = u->done.status;
    outcome->error = u->done.error;
    outcome->warnings = u->done.warnings;
    if (u->done.file_count != 1 || u->done.status != EM_OK)
        return;
    outcome->hash = u->done.files[0].hash;
    outcome->edit_id = u->done.files[0].edit_id;
}

/* Nothing says whose edits are meant. Where none is recorded, no session has any. */
static em_status refuse_unnamed(undo_call *u, em_answer *answer)
{
    bool recorded = em_ws_keeps_history(em_session_workspace(u->call->session));
    em_strbuf_puts(&u->reply.text,
                   recorded
                       ? "Error: Which edit? Send its edit_id, or the session whose last edit is "
                         "meant"
                       : "Error: No history is kept here (--no-history). An edit that was recorded "
                         "before can be undone by its edit_id");
    EM_TRY(add_last_edits(u));
    return em_reply_finish(&u->reply, true, answer);
}

static em_status run(undo_call *u, em_answer *answer)
{
    const em_undo_request *request = &u->request;
    if (u->call->stateless && !request->session && !request->id)
        return refuse_unnamed(u, answer);
    EM_TRY(em_run_undo(u->call->session, request, u->call->arena, &u->done) == EM_E_NOMEM
               ? EM_E_NOMEM
               : EM_OK);
    take_outcome(u);
    return u->done.status == EM_OK ? answer_done(u, answer) : answer_failed(u, answer);
}

em_status em_undo_last_edit(const em_call *call, em_answer *answer)
{
    em_args args = em_args_of(call);
    undo_call u = {.call = call, .outcome = {.edit_id = "", .error = EM_ERROR_INIT}};
    u.request = (em_undo_request){.what = EM_UNDO,
                                  .id = em_arg_string(args, "edit_id"),
                                  .session = em_named_session(call),
                                  .stateless = call->stateless,
                                  .own = true,
                                  .tool = call->tool->name,
                                  .dry_run = em_call_is_dry(call)};
    u.request.want_diff = u.request.dry_run;
    u.request.diff_limits.bytes = call->over_mcp ? EM_SHOWN_LIMIT : 0;
    em_reply_init(&u.reply, call, &no_words, "", &u.outcome);
    em_status status = run(&u, answer);
    em_reply_drop(&u.reply);
    return status;
}

const em_param em_undo_params[] = {
    {.name = "edit_id",
     .type = EM_P_NAME,
     .flags = EM_P_NULLABLE | EM_P_NUMERAL | EM_P_CHOOSES,
     .help = "The edit to undo, as its answer named it; without it the last one of this session."},
    EM_PARAM_DRY_RUN,
    EM_PARAM_SESSION,
    {.name = NULL},
};
