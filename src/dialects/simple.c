/* simple.c: edit_file and its companions, which answer with a sentence.
 *
 * The sentences of the document are literal. What else a caller should know follows on lines of its
 * own; what programs need (the hash, the id of the edit) stands in the result's `_meta`.
 */
#include "answers/answer.h"
#include "answers/declared.h"
#include "answers/diff_told.h"
#include "answers/failure.h"
#include "answers/further.h"
#include "answers/places_told.h"
#include "answers/reason.h"
#include "answers/retry.h"
#include "arguments/change_args.h"
#include "dialects/undo.h"
#include "tools/toolset.h"

/* What a tool does with an outcome that is a success. */
typedef void add_success(em_reply *reply, em_args args);

/* ---- A failure ----------------------------------------------------------------------------- */

/* Was it the writing that failed? A preview fails as the edit would. What an edit may not even read
 * is never written. */
static bool fails_in_writing(const em_reply *reply)
{
    const em_outcome *outcome = reply->outcome;
    bool is_closed = outcome->status == EM_E_PERMISSION && !outcome->is_open;
    bool edits = reply->words->find != NULL;
    return edits ? !is_closed : !(reply->call->tool->flags & EM_TOOL_READ_ONLY);
}

/* What the document puts before the reason; the sentences for the file's own state, such as "File
 * not found: PATH", stand alone. */
static const char *error_prefix(const em_reply *reply)
{
    const em_error *error = &reply->outcome->error;
    bool no_state = error->cause == EM_CAUSE_STATE_DIR && error->code != EM_E_IO;
    if (em_is_of_consent(error) || no_state)
        return "Error: ";
    switch (reply->outcome->status) {
    case EM_E_OUTSIDE:
    case EM_E_DENIED:
    case EM_E_NOT_FOUND:
    case EM_E_IS_FOLDER:
    case EM_E_NOT_REGULAR:
    case EM_E_BINARY:
    case EM_E_TOO_LARGE:
        return "";
    case EM_E_IO:
    case EM_E_PERMISSION:
        return fails_in_writing(reply) ? "Error writing file: " : "Error reading file: ";
    default:
        return "Error: ";
    }
}

/* Text that would mix encodings is the document's binary file, which it could not decode. */
static bool mixes_encodings(const em_outcome *outcome)
{
    return outcome->error.cause == EM_CAUSE_ENCODING && outcome->text.encoding == EM_BYTES;
}

static void add_count_sentence(em_reply *reply)
{
    const char *why_not_all = em_why_not_all(reply);
    em_strbuf_printf(&reply->text,
                     "Error: %s appears %zu times in %s. %s provide more context to make %s "
                     "unique.",
                     reply->words->find, reply->outcome->failure.actual, reply->path,
                     why_not_all ? em_reply_format(reply, "%s:", why_not_all)
                                 : "Use replace_all=True to replace all occurrences, or",
                     reply->words->find);
}

static void add_first_sentence(em_reply *reply)
{
    const em_outcome *outcome = reply->outcome;
    em_strbuf *text = &reply->text;
    if (outcome->status == EM_E_NO_MATCH)
        em_strbuf_printf(text, "Error: %s not found in %s", reply->words->find, reply->path);
    else if (outcome->status == EM_E_COUNT)
        add_count_sentence(reply);
    else if (mixes_encodings(outcome))
        em_strbuf_printf(text, "File appears to be binary: %s", reply->path);
    else
        em_strbuf_printf(text, "%s%s", error_prefix(reply), em_reason(reply));
}

/* What to send where it takes more than another text: the path is another one, too, or other
 * arguments are (em_call.is_trial). */
static void add_whole_way(em_reply *reply, em_args args)
{
    EM_AUTO(em_json_ref) retry = em_args_retry(reply, args, NULL, reply->words);
    em_add_way_to_send(reply, retry);
}

static void add_failure(em_reply *reply, em_args args)
{
    const em_outcome *outcome = reply->outcome;
    em_slice find = reply->words->find ? em_arg_text(args, reply->words->find) : (em_slice){0};
    add_first_sentence(reply);
    if (mixes_encodings(outcome)) {
        em_reply_add_lines(reply);
        em_strbuf_printf(&reply->text, "\n%s", outcome->error.detail);
        em_add_rewrite_advice(reply, "");
    } else {
        em_add_failure(reply, find);
    }
    if (outcome->there)
        em_add_further(reply, "", "Edit");
    if (em_is_corrected_there(outcome) || reply->call->is_trial)
        add_whole_way(reply, args);
}

/* ---- The answer ---------------------------------------------------------------------------- */

static em_status render(const em_call *call, const em_words *words, const em_outcome *outcome,
                        add_success *success, em_answer *answer)
{
    em_args args = em_args_of(call);
    em_reply reply;
    em_reply_init(&reply, call, words, em_arg_string(args, "file_path"), outcome);
    if (outcome->status == EM_OK)
        success(&reply, args);
    else
        add_failure(&reply, args);
    em_status status = em_reply_finish(&reply, outcome->status != EM_OK, answer);
    em_reply_drop(&reply);
    return status;
}

/* Do what `request` says, with one op, and answer. */
static em_status change(const em_call *call, const em_words *words, em_edit_request request,
                        em_op op, add_success *success, em_answer *answer)
{
    em_outcome outcome;
    request.ops = &op;
    request.op_count = 1;
    em_status status = em_run_edit(call->session, &request, call->arena, &outcome);
    if (status != EM_E_NOMEM)
        status = render(call, words, &outcome, success, answer);
    em_outcome_drop(call->session, &outcome);
    return status;
}

static em_edit_request request_for(const em_call *call)
{
    em_edit_request request = em_change_request(call, em_arg_string(em_args_of(call), "file_path"));
    if (request.dry_run) {
        request.want_diff = true;
        request.diff_limits.bytes = call->over_mcp ? EM_SHOWN_LIMIT : 0;
    }
    return request;
}

static const char *final_path(em_reply *reply)
{
    return em_reply_path_shown(reply, reply->outcome->file.rel);
}

/* What follows the sentence of a success: the lines, and after a dry run the diff. */
static void add_rest(em_reply *reply, em_args args)
{
    em_reply_add_lines(reply);
    if (em_arg_bool(args, "dry_run"))
        em_reply_add_diff(reply);
}

static const char *done_or_not(em_args args, const char *done, const char *dry)
{
    return em_arg_bool(args, "dry_run") ? dry : done;
}

/* ---- edit_file ----------------------------------------------------------------------------- */

static const em_words edit_words = {
    .find = "old_string", .insert = "new_string", .fill = "send an empty old_string"};

static em_op replacement(em_args args)
{
    return (em_op){.kind = EM_OP_REPLACE,
                   .find = em_arg_text(args, "old_string"),
                   .insert = em_arg_text(args, "new_string"),
                   .expect = em_arg_bool(args, "replace_all") ? EM_EVERY : 1};
}

static void edit_done(em_reply *reply, em_args args)
{
    em_strbuf_printf(
        &reply->text, "%s %zu occurrence(s) in %s",
        done_or_not(args, "Successfully replaced", "Dry run, nothing was written: would replace"),
        reply->outcome->plan.replacements, final_path(reply));
    if (reply->outcome->plan.splices.count == 0)
        em_strbuf_puts(&reply->text, "\nWarning: the edit changes nothing");
    add_rest(reply, args);
}

static em_status edit_file(const em_call *call, em_answer *answer)
{
    return change(call, &edit_words, request_for(call), replacement(em_args_of(call)), edit_done,
                  answer);
}

static void preview_done(em_reply *reply, em_args args)
{
    (void)args;
    em_strbuf_puts(&reply->text, em_reply_diff_text(reply));
    em_reply_add_diff_note(reply);
    em_reply_add_warnings(reply);
    em_declared_add_lines(reply);
}

static em_status preview_edit(const em_call *call, em_answer *answer)
{
    em_edit_request request = request_for(call);
    request.dry_run = true;
    request.is_preview = true;
    request.want_diff = true;
    request.diff_limits.bytes = call->over_mcp ? EM_SHOWN_LIMIT : 0;
    return change(call, &edit_words, request, replacement(em_args_of(call)), preview_done, answer);
}

/* ---- edit_file_lines ----------------------------------------------------------------------- */

static const em_words lines_words = {.insert = "new_content"};

/* Where the first of the lines stood: where the edit was carried over, not where the caller had
 * read it. */
static size_t first_line_of(const em_outcome *outcome, em_args args)
{
    return outcome->merged ? em_lines_at(&outcome->lines, outcome->plan.places[0].items[0].start)
                           : em_arg_size(args, "start_line");
}

static void lines_done(em_reply *reply, em_args args)
{
    size_t first = first_line_of(reply->outcome, args);
    size_t last = first + em_arg_size(args, "end_line") - em_arg_size(args, "start_line");
    em_strbuf_puts(&reply->text, done_or_not(args, "Successfully replaced",
                                             "Dry run, nothing was written: would replace"));
    if (first == last)
        em_strbuf_printf(&reply->text, " line %zu", first);
    else
        em_strbuf_printf(&reply->text, " lines %zu-%zu", first, last);
    em_strbuf_printf(&reply->text, " in %s", final_path(reply));
    add_rest(reply, args);
}

static em_status edit_file_lines(const em_call *call, em_answer *answer)
{
    em_args args = em_args_of(call);
    em_slice expected = em_arg_text(args, "expected_text");
    em_words words = lines_words;
    if (em_toolset_find(call->offered, "edit_file"))
        words.fill = "call edit_file with an empty old_string";
    em_op op = {.kind = EM_OP_LINES,
                .insert = em_arg_text(args, "new_content"),
                .first_line = em_arg_size(args, "start_line"),
                .last_line = em_arg_size(args, "end_line"),
                .expected_text = em_arg(args, "expected_text") ? &expected : NULL};
    return change(call, &words, request_for(call), op, lines_done, answer);
}

/* ---- write_file, create_file --------------------------------------------------------------- */

static const em_words content_words = {.insert = "content"};

static em_op rewrite(em_args args)
{
    return (em_op){.kind = EM_OP_REWRITE, .insert = em_arg_text(args, "content")};
}

static void write_done(em_reply *reply, em_args args)
{
    if (em_arg_bool(args, "dry_run"))
        em_strbuf_printf(&reply->text, "Dry run, nothing was written: would write %s",
                         final_path(reply));
    else
        em_strbuf_printf(&reply->text, "Successfully wrote %llu bytes to %s",
                         (unsigned long long)reply->outcome->size, final_path(reply));
    add_rest(reply, args);
}

static em_status write_file(const em_call *call, em_answer *answer)
{
    em_edit_request request = request_for(call);
    request.existence = EM_MAY_EXIST;
    return change(call, &content_words, request, rewrite(em_args_of(call)), write_done, answer);
}

static void create_done(em_reply *reply, em_args args)
{
    em_strbuf_printf(
        &reply->text, "%s %s",
        done_or_not(args, "Successfully created", "Dry run, nothing was written: would create"),
        final_path(reply));
    add_rest(reply, args);
}

static em_status create_file(const em_call *call, em_answer *answer)
{
    em_edit_request request = request_for(call);
    request.existence = EM_MUST_BE_NEW;
    return change(call, &content_words, request, rewrite(em_args_of(call)), create_done, answer);
}

/* ---- read_file ----------------------------------------------------------------------------- */

static const em_words read_words = {.insert = "content", .lines = "start_line and end_line"};

static em_status read_file(const em_call *call, em_answer *answer)
{
    em_args args = em_args_of(call);
    em_read_request request = {.path = em_arg_string(args, "file_path"),
                               .encoding = em_arg_string(args, "encoding"),
                               .first_line = em_arg_size(args, "start_line"),
                               .last_line = em_arg_size(args, "end_line"),
                               .text_alone = true};
    em_slice content;
    em_outcome outcome;
    em_reply reply;
    em_status status = em_run_read(call->session, &request, call->arena, &content, &outcome);
    em_reply_init(&reply, call, &read_words, request.path, &outcome);
    if (status == EM_OK)
        em_strbuf_add(&reply.text, content);
    else
        add_failure(&reply, args);
    bool has_nul = status == EM_OK && em_slice_has_byte(content, '\0');
    if (status != EM_E_NOMEM)
        status = em_reply_finish(&reply, status != EM_OK, answer);
    if (status == EM_OK && has_nul) {
        answer->read = em_reply_read(&reply);
        status = answer->read.len > 0 ? EM_OK : EM_E_NOMEM;
    }
    em_reply_drop(&reply);
    em_outcome_drop(call->session, &outcome);
    return status;
}

/* ---- The tables ---------------------------------------------------------------------------- */

#define PARAM_FILE_PATH                                                                            \
    {                                                                                              \
        .name = "file_path", .alias = "path", .type = EM_P_PATH, .flags = EM_P_REQUIRED,           \
        .help = "The file: relative to the workspace, or absolute."                                \
    }
#define PARAM_OLD_STRING                                                                           \
    {                                                                                              \
        .name = "old_string", .type = EM_P_STRING, .flags = EM_P_REQUIRED,                         \
        .help = "Exact text to replace, white space included. Empty matches only an empty file."   \
    }
#define PARAM_NEW_STRING EM_PARAM_INSERT("new_string", EM_P_REQUIRED)
#define PARAM_REPLACE_ALL                                                                          \
    {                                                                                              \
        .name = "replace_all", .type = EM_P_BOOL, .flags = EM_P_NULLABLE, .fallback = "false",     \
        .help = "Replace every occurrence; else old_string must stand there once."                 \
    }
#define PARAM_CONTENT                                                                              \
    {                                                                                              \
        .name = "content", .type = EM_P_STRING, .flags = EM_P_REQUIRED,                            \
        .help = "The whole content, as it is to be."                                               \
    }

static const em_param edit_params[] = {
    PARAM_FILE_PATH,        PARAM_OLD_STRING,        PARAM_NEW_STRING, PARAM_REPLACE_ALL,
    EM_PARAM_DRY_RUN,       EM_PARAM_MATCH("exact"), EM_PARAM_BACKUP,  EM_PARAM_ENCODING,
    EM_PARAM_EXPECTED_HASH, EM_PARAM_SESSION,        {.name = NULL},
};

static const em_param read_params[] = {
    PARAM_FILE_PATH,
    EM_PARAM_FIRST_LINE("start_line"),
    EM_PARAM_LAST_LINE("end_line"),
    EM_PARAM_ENCODING,
    EM_PARAM_SESSION,
    {.name = NULL},
};

static const em_param write_params[] = {
    PARAM_FILE_PATH,   PARAM_CONTENT,          EM_PARAM_DRY_RUN, EM_PARAM_BACKUP,
    EM_PARAM_ENCODING, EM_PARAM_EXPECTED_HASH, EM_PARAM_SESSION, {.name = NULL},
};

static const em_param create_params[] = {
    PARAM_FILE_PATH,   PARAM_CONTENT,    EM_PARAM_DRY_RUN,
    EM_PARAM_ENCODING, EM_PARAM_SESSION, {.name = NULL},
};

static const em_param lines_params[] = {
    PARAM_FILE_PATH,
    {.name = "start_line",
     .type = EM_P_INTEGER,
     .flags = EM_P_REQUIRED,
     .minimum = 1,
     .help = "First line to replace, from 1."},
    {.name = "end_line",
     .type = EM_P_INTEGER,
     .flags = EM_P_REQUIRED,
     .minimum = 1,
     .help = "Last line to replace, included."},
    {.name = "new_content",
     .type = EM_P_STRING,
     .flags = EM_P_REQUIRED,
     .place_of = "content",
     .help = "The lines that come there. Empty deletes."},
    {.name = "expected_text",
     .type = EM_P_STRING,
     .flags = EM_P_NULLABLE,
     .place_of = "search",
     .help = "What the lines hold now: fail if they no longer do."},
    EM_PARAM_DRY_RUN,
    EM_PARAM_BACKUP,
    EM_PARAM_ENCODING,
    EM_PARAM_EXPECTED_HASH,
    EM_PARAM_SESSION,
    {.name = NULL},
};

static const em_tool tools[] = {
    {.name = "edit_file",
     .title = "Edit File",
     .brief = "Replace exact text in a file.",
     .description =
         "Make precise edits to a file by replacing exact text. Preserves formatting and "
         "indentation. Safer than rewriting entire file. old_string must match exactly, white "
         "space included, and stand in the file once, unless replace_all is true. Line endings, "
         "encoding and permissions of the file are kept. An error changes nothing and says what "
         "to send instead.",
     .guidance = "change one piece of text in a file, or with replace_all every occurrence of it",
     .flags = EM_TOOL_DESTRUCTIVE | EM_TOOL_IDEMPOTENT | EM_TOOL_EDITS,
     .params = edit_params,
     .run = edit_file,
     .refuse = em_refuse_in_words,
     .read_failure = em_read_failure_in_words},
    {.name = "read_file",
     .title = "Read File",
     .brief = "Read a text file, or a range of its lines.",
     .description = "Returns the text of a file, or of a range of its lines, exactly as it is: "
                    "what it shows can be copied into an edit.",
     .guidance = "see what a file holds before you change it",
     .flags = EM_TOOL_READ_ONLY | EM_TOOL_IDEMPOTENT | EM_TOOL_READS,
     .params = read_params,
     .run = read_file,
     .refuse = em_refuse_in_words,
     .read_failure = em_read_failure_in_words},
    {.name = "write_file",
     .title = "Write File",
     .brief = "Write a whole file: a new one, or over what was there.",
     .description = "Writes a whole file at once, and creates it with its folders if it is not "
                    "there. What it held before is replaced.",
     .guidance = "make a new file, or rewrite one completely",
     .flags = EM_TOOL_DESTRUCTIVE | EM_TOOL_IDEMPOTENT | EM_TOOL_CREATES | EM_TOOL_WRITES,
     .params = write_params,
     .run = write_file,
     .refuse = em_refuse_in_words,
     .read_failure = em_read_failure_in_words},
    {.name = "create_file",
     .title = "Create File",
     .brief = "Create a file that must not be there yet.",
     .description = "Creates a file with its folders. Fails if the file is there already.",
     .guidance = "make a file that must not be there yet",
     .flags = EM_TOOL_IDEMPOTENT | EM_TOOL_CREATES,
     .params = create_params,
     .run = create_file,
     .refuse = em_refuse_in_words,
     .read_failure = em_read_failure_in_words},
    {.name = "edit_file_lines",
     .title = "Edit Lines of a File",
     .brief = "Replace a range of lines by their numbers.",
     .description =
         "Replaces the lines from start_line to end_line by new_content. Line numbers shift with "
         "every change: send expected_text to make sure that the lines are those you mean.",
     .guidance = "replace whole lines whose numbers you know",
     .flags = EM_TOOL_DESTRUCTIVE,
     .params = lines_params,
     .run = edit_file_lines,
     .refuse = em_refuse_in_words,
     .read_failure = em_read_failure_in_words},
    {.name = "preview_edit",
     .title = "Preview an Edit",
     .brief = "Show as a diff what edit_file would change.",
     .description = "Returns the unified diff of the change that edit_file would make with the "
                    "same arguments. Writes nothing.",
     .guidance = "see what a replacement would change",
     .flags = EM_TOOL_READ_ONLY | EM_TOOL_IDEMPOTENT,
     .params = edit_params,
     .run = preview_edit,
     .refuse = em_refuse_in_words,
     .read_failure = em_read_failure_in_words},
    {.name = "undo_last_edit",
     .title = "Undo the Last Edit",
     .brief = "Undo the last edit of this session, or the one whose id you name.",
     .description =
         "Takes back the last edit of this session, whatever tool made it: a whole call, with all "
         "files that it changed. Called again, it takes back the one before. With edit_id it takes "
         "back that edit; of an undo, it makes the edit again. A file that was created is removed. "
         "Where the text has been changed at the place since, nothing is done, and the answer says "
         "what stands there now.",
     .guidance = "take back the last edit, or the one whose edit_id you name",
     .flags = EM_TOOL_DESTRUCTIVE,
     .params = em_undo_params,
     .run = em_undo_last_edit,
     .refuse = em_refuse_in_words,
     .read_failure = em_read_failure_in_words},
    {.name = NULL},
};

const em_dialect em_dialect_simple = {.name = "simple", .tools = tools};
