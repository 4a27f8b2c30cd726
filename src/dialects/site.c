/* site.c: editFile, editDOM, editFiles, writeFiles and readFile, whose answers are objects.
 *
 *  (1) editFile keeps the operations before the one that fails, editDOM all that do not fail,
 *      unless `atomic` is true. In editFiles a file is changed by all of its operations or by none,
 *      and files do not wait for each other, unless `atomic` is true: then all files are changed,
 *      or none.
 *  (2) What can be seen to be wrong with a call as a whole is refused before any file is touched.
 */
#include "answers/answer.h"
#include "answers/fields.h"
#include "answers/reason.h"
#include "answers/retry.h"
#include "arguments/change_args.h"
#include "arguments/dom_args.h"
#include "arguments/forms.h"
#include "dialects/site_files.h"
#include "json/json_text.h"

/* Of a diff with less room there would be little more than the names of the file. */
enum { LEAST_ROOM = 512 };

/* What texts are called in arguments; operations have words of their own. */
static const em_words words = {.insert = "content"};

/* ---- editFile and editDOM ------------------------------------------------------------------ */

/* 0: there is none. */
static size_t diff_limit(const em_site_file *file)
{
    if (!file->call->over_mcp)
        return 0;
    return file->most_shown > LEAST_ROOM ? file->most_shown : 1;
}

/* Over MCP a model reads it, who knows most of it. */
static bool wants_content(const em_call *call)
{
    em_args args = em_args_of(call);
    return em_arg(args, "returnContent") ? em_arg_bool(args, "returnContent") : !call->over_mcp;
}

static em_edit_request request_of(const em_site_file *file)
{
    em_edit_request request = em_change_request(file->call, em_arg_string(file->args, "file"));
    request.encoding = em_arg_string(file->args, "encoding");
    request.expected_hash = em_arg_string(file->args, "expected_hash");
    request.merge = em_arg_merges(file->args);
    request.continues = file->continues;
    request.same_call = file->same_call;
    request.want_diff = true;
    request.want_content = wants_content(file->call);
    request.diff_limits.bytes = diff_limit(file);
    return request;
}

/* A change of a file by the operations in these lists of its arguments. */
static em_status request_edit(const em_site_file *file, em_op_lists lists, em_extent limit,
                              em_edit_request *request)
{
    em_arena *arena = file->call->arena;
    *request = request_of(file);
    request->dom_op_count = lists.dom ? em_arg_count(file->args, lists.dom) : 0;
    request->op_count = lists.text ? em_arg_count(file->args, lists.text) : 0;
    request->dom_ops = lists.dom ? em_dom_ops_of(file->args, lists.dom, arena) : NULL;
    request->ops = lists.text ? em_replace_ops(file->args, lists.text, &em_site_edit_words,
                                               "expectedReplacements", arena)
                              : NULL;
    request->policy = (em_policy){.order = EM_SEQUENTIAL,
                                  .extent = limit,
                                  .allow_no_change = true,
                                  .most = em_arg_tier(em_args_of(file->call), EM_TIER_FUZZY)};
    bool has_all = (request->dom_ops || !lists.dom) && (request->ops || !lists.text);
    return has_all ? EM_OK : EM_E_NOMEM;
}

/* A call about one file. */
static em_status edit_one(const em_call *call, em_op_lists lists, em_answer *answer)
{
    em_args args = em_args_of(call);
    em_extent limit = em_arg_bool(args, "atomic") ? EM_ALL_OR_NONE : EM_AS_FAR_AS_OK;
    answer->object = json_object();
    if (!answer->object)
        return EM_E_NOMEM;
    EM_AUTO(em_site_file)
    file = {.call = call, .args = args, .answer = answer->object, .most_shown = EM_SHOWN_LIMIT};
    em_json json = {0};
    em_edit_request request;
    EM_TRY(request_edit(&file, lists, limit, &request));
    EM_TRY(em_site_run(&file, lists, &request));
    em_site_tell_retry(&json, answer->object, &file.retry, em_retry_fits(file.retry.args));
    answer->is_error = file.done == EM_DONE_NONE;
    answer->fails_again = file.retry.fails_again;
    answer->miscount = file.miscount;
    em_set_retry(&json, answer->object, json_incref(file.retry.args));
    return json.failed ? EM_E_NOMEM : EM_OK;
}

static em_status edit_file(const em_call *call, em_answer *answer)
{
    return edit_one(call, (em_op_lists){.text = "operations"}, answer);
}

static em_status edit_dom(const em_call *call, em_answer *answer)
{
    return edit_one(call, (em_op_lists){.dom = "operations"}, answer);
}

/* ---- Refusals ------------------------------------------------------------------------------ */

/* Answer that nothing was tried, with `message` or, where it is NULL, the reason that the error
 * has. The retry is taken, and may be NULL. */
static em_status refuse_call(const em_call *call, const em_error *error, const char *message,
                             json_t *retry, em_answer *answer)
{
    em_reply reply;
    em_outcome outcome = {.status = error->code, .error = *error};
    em_slice file = em_json_slice(em_arg(em_args_of(call), "file"));
    em_reply_init(&reply, call, &words, "this call", &outcome);
    answer->is_error = true;
    answer->object = em_json_object(&reply.json);
    em_site_set_success(&reply.json, answer->object, EM_DONE_NONE);
    if (message)
        em_strbuf_puts(&reply.text, message);
    else
        em_site_add_reason(&reply);
    em_site_set_error(&reply, answer->object);
    if (file.ptr && em_slice_has_byte(file, '\0')) /* no path: as it is given */
        em_json_set_text(&reply.json, answer->object, "file", em_reply_echo(&reply, file));
    else if (file.ptr)
        em_site_set_path(&reply, answer->object, file.ptr);
    em_site_set_echo(&reply, answer->object);
    em_set_retry(&reply.json, answer->object, retry);
    em_reply_drop(&reply);
    return reply.json.failed ? EM_E_NOMEM : EM_OK;
}

static em_status refuse(const em_call *call, const em_call_refusal *refusal, em_answer *answer)
{
    em_error error = {.code = EM_E_INVALID};
    return refuse_call(call, &error, refusal->message, json_incref(refusal->retry), answer);
}

/* Why the files of a call failed that has a result for each: the first of them. "": none did; NULL:
 * memory ran out. */
static const char *failures_of(const json_t *results, em_arena *arena)
{
    enum { MOST = 4 };
    const char *all = "";
    size_t told = 0;
    for (size_t i = 0; i < json_array_size(results) && told < MOST && all; i++) {
        const json_t *result = json_array_get(results, i);
        const char *error = json_string_value(json_object_get(result, "error"));
        if (error)
            all = em_arena_format(arena, "%s%s%s", all, told++ > 0 ? "\n" : "", error);
    }
    return all;
}

static em_status read_failure(const em_answer *answer, em_arena *arena, em_call_failure *failure)
{
    const char *of_files = failures_of(json_object_get(answer->object, "results"), arena);
    failure->why = json_string_value(json_object_get(answer->object, "error"));
    failure->retry = json_object_get(answer->object, "retry");
    if (of_files && *of_files)
        failure->why = of_files;
    return of_files ? EM_OK : EM_E_NOMEM;
}

/* ---- editFiles ----------------------------------------------------------------------------- */

static em_status request_edit_one(const em_site_file *file, em_edit_request *request);

static const em_site_files editing = {
    "edits", {.dom = "domOperations", .text = "replaceOperations"}, request_edit_one};

static em_status request_edit_one(const em_site_file *file, em_edit_request *request)
{
    return request_edit(file, editing.operations, EM_ALL_OR_NONE, request);
}

static size_t count_operations(em_args entry)
{
    return em_arg_count(entry, editing.operations.dom) +
           em_arg_count(entry, editing.operations.text);
}

static em_status check_entry(em_args entry, size_t index, em_error *error)
{
    if (count_operations(entry) > 0)
        return EM_OK;
    return em_fail(error, EM_E_INVALID,
                   "No operations provided: edits[%zu] needs at least one of replaceOperations or "
                   "domOperations",
                   index);
}

static em_status check_entries(const em_call *call, em_error *error)
{
    em_arg_list entries = em_arg_elements(em_args_of(call), "edits");
    size_t total = 0;
    for (size_t i = 0; i < entries.count; i++) {
        em_args entry = em_arg_at(&entries, i);
        EM_TRY(check_entry(entry, i, error));
        total += count_operations(entry);
    }
    return em_session_check_edits(call->session, total, 0, error);
}

static em_status edit_files(const em_call *call, em_answer *answer)
{
    em_error error = EM_ERROR_INIT;
    em_status status = check_entries(call, &error);
    if (status != EM_OK)
        return refuse_call(call, &error, status == EM_E_INVALID ? error.detail : NULL, NULL,
                           answer);
    return em_site_change_files(call, &editing, answer);
}

/* ---- writeFiles ---------------------------------------------------------------------------- */

static em_status request_write(const em_site_file *file, em_edit_request *request)
{
    em_op *op = em_alloc(file->call->arena, sizeof *op);
    if (!op)
        return EM_E_NOMEM;
    *op = (em_op){.kind = EM_OP_REWRITE, .insert = em_arg_text(file->args, "content")};
    *request = request_of(file);
    request->existence = EM_MAY_EXIST;
    request->ops = op;
    request->op_count = 1;
    return EM_OK;
}

static const em_site_files writing = {"files", {NULL, NULL}, request_write};

static em_status write_files(const em_call *call, em_answer *answer)
{
    em_error error = EM_ERROR_INIT;
    size_t count = em_arg_count(em_args_of(call), "files");
    if (em_session_check_edits(call->session, count, 0, &error) != EM_OK)
        return refuse_call(call, &error, NULL, NULL, answer);
    return em_site_change_files(call, &writing, answer);
}

/* ---- readFile ------------------------------------------------------------------------------ */

static void set_read(em_reply *reply, json_t *object, const em_read_request *request,
                     em_slice content)
{
    em_json *json = &reply->json;
    const char *charset = reply->outcome->text.charset;
    size_t total = em_lines_count(&reply->outcome->lines);
    em_json_set_text(json, object, "content", content);
    em_json_set_size(json, object, "totalLines", total);
    em_json_set_size(json, object, "startLine", request->first_line ? request->first_line : 1);
    bool is_within = request->last_line > 0 && request->last_line < total;
    em_json_set_size(json, object, "endLine", is_within ? request->last_line : total);
    if (strcmp(charset, "utf-8") != 0)
        em_json_set_string(json, object, "encoding", charset);
}

static json_t *read_answer(em_reply *reply, const em_read_request *request, em_slice content)
{
    const em_outcome *outcome = reply->outcome;
    em_json *json = &reply->json;
    json_t *object = em_json_object(json);
    bool done = outcome->status == EM_OK;
    em_site_set_success(json, object, done ? EM_DONE_ALL : EM_DONE_NONE);
    if (!done) {
        em_site_add_reason(reply);
        em_site_set_error(reply, object);
        em_set_retry(json, object, em_args_with_near_file(reply, em_args_of(reply->call)));
    }
    em_site_set_path(reply, object, request->path);
    if (done)
        set_read(reply, object, request, content);
    em_reply_set_state(reply, object, "");
    if (outcome->error.cause == EM_CAUSE_RANGE)
        em_json_set_size(json, object, "totalLines", em_lines_count(&outcome->lines));
    em_reply_set_warnings(reply, object);
    em_site_set_echo(reply, object);
    return em_json_done(json, object);
}

static em_status warn_of_bytes(const em_reply *reply, em_slice content, em_outcome *outcome)
{
    const char *why = em_why_unreadable(reply, content);
    return why ? em_warn(&outcome->warnings, reply->arena, "%s", why) : EM_OK;
}

static const em_words read_words = {.insert = "content", .lines = "startLine and endLine"};

static em_status read_file(const em_call *call, em_answer *answer)
{
    em_args args = em_args_of(call);
    em_read_request request = {.path = em_arg_string(args, "file"),
                               .encoding = em_arg_string(args, "encoding"),
                               .first_line = em_arg_size(args, "startLine"),
                               .last_line = em_arg_size(args, "endLine")};
    em_slice content;
    em_outcome outcome;
    em_reply reply;
    em_status status = em_run_read(call->session, &request, call->arena, &content, &outcome);
    em_reply_init(&reply, call, &read_words, request.path, &outcome);
    answer->is_error = status != EM_OK;
    if (status == EM_OK)
        status = warn_of_bytes(&reply, content, &outcome);
    if (status != EM_E_NOMEM) {
        answer->object = read_answer(&reply, &request, content);
        status = answer->object ? EM_OK : EM_E_NOMEM;
    }
    em_reply_drop(&reply);
    em_outcome_drop(call->session, &outcome);
    return status;
}

/* ---- The tables ---------------------------------------------------------------------------- */

#define PARAM_FILE                                                                                 \
    {                                                                                              \
        .name = "file", .type = EM_P_PATH, .flags = EM_P_REQUIRED,                                 \
        .help = "The file: relative to the workspace, or absolute."                                \
    }
#define PARAM_DRY_RUN                                                                              \
    {                                                                                              \
        .name = "dryRun", .alias = "dry_run", .type = EM_P_BOOL, .flags = EM_P_NULLABLE,           \
        .fallback = "false", .help = "Check everything and show the change, but write nothing."    \
    }
#define PARAM_RETURN_CONTENT                                                                       \
    {                                                                                              \
        .name = "returnContent", .type = EM_P_BOOL, .flags = EM_P_NULLABLE, .fallback = "false",   \
        .help = "Answer the whole new content too, not only the diff."                             \
    }
#define PARAM_ATOMIC(what)                                                                         \
    {                                                                                              \
        .name = "atomic", .type = EM_P_BOOL, .flags = EM_P_NULLABLE, .fallback = "false",          \
        .help = (what)                                                                             \
    }

static const em_param operation_params[] = {
    {.name = "search",
     .type = EM_P_STRING,
     .flags = EM_P_REQUIRED,
     .help = "Exact text to replace, white space included. Empty matches only an empty file."},
    EM_PARAM_INSERT("replace", EM_P_REQUIRED),
    {.name = "expectedReplacements",
     .type = EM_P_INTEGER,
     .flags = EM_P_NULLABLE,
     .minimum = 1,
     .fallback = "1",
     .help = "How often search must stand there; all of them are replaced."},
    {.name = NULL},
};

static const em_param edit_params[] = {
    PARAM_FILE,
    {.name = "operations",
     .type = EM_P_LIST,
     .flags = EM_P_REQUIRED | EM_P_NONEMPTY,
     .fields = operation_params,
     .help = "Applied in order, each to the result of those before it."},
    PARAM_ATOMIC("All operations or none; else those before one that fails are kept."),
    PARAM_DRY_RUN,
    EM_PARAM_MATCH("fuzzy"),
    PARAM_RETURN_CONTENT,
    EM_PARAM_BACKUP,
    EM_PARAM_ENCODING,
    EM_PARAM_EXPECTED_HASH,
    EM_PARAM_SESSION,
    {.name = NULL},
};

static const em_param dom_params[] = {
    PARAM_FILE,
    {.name = "operations",
     .type = EM_P_LIST,
     .flags = EM_P_REQUIRED | EM_P_NONEMPTY,
     .fields = em_dom_operation_params,
     .help = "Done in order, each on the page as those before it left it."},
    PARAM_ATOMIC("All operations or none; else those that fail are left out."),
    PARAM_DRY_RUN,
    PARAM_RETURN_CONTENT,
    EM_PARAM_BACKUP,
    EM_PARAM_ENCODING,
    EM_PARAM_EXPECTED_HASH,
    EM_PARAM_SESSION,
    {.name = NULL},
};

static const em_param entry_params[] = {
    PARAM_FILE,
    {.name = "replaceOperations",
     .type = EM_P_LIST,
     .flags = EM_P_NULLABLE | EM_P_NONEMPTY,
     .fields = operation_params,
     .help = "Applied in order: all of them or none."},
    {.name = "domOperations",
     .type = EM_P_LIST,
     .flags = EM_P_NULLABLE,
     .fields = em_dom_operation_params,
     .help = "On elements of an HTML page, before the replaceOperations: all of them or none."},
    EM_PARAM_ENCODING,
    EM_PARAM_EXPECTED_HASH,
    {.name = NULL},
};

static const em_param edits_params[] = {
    {.name = "edits",
     .type = EM_P_LIST,
     .flags = EM_P_REQUIRED | EM_P_NONEMPTY,
     .fields = entry_params,
     .help = "One entry for each file."},
    PARAM_ATOMIC("All files or none: one that fails leaves all as they were."),
    PARAM_DRY_RUN,
    EM_PARAM_MATCH("fuzzy"),
    PARAM_RETURN_CONTENT,
    EM_PARAM_BACKUP,
    EM_PARAM_SESSION,
    {.name = NULL},
};

static const em_param content_params[] = {
    PARAM_FILE,
    {.name = "content",
     .type = EM_P_STRING,
     .flags = EM_P_REQUIRED,
     .help = "The whole content, as it is to be."},
    EM_PARAM_ENCODING,
    EM_PARAM_EXPECTED_HASH,
    {.name = NULL},
};

static const em_param write_params[] = {
    {.name = "files",
     .type = EM_P_LIST,
     .flags = EM_P_REQUIRED | EM_P_NONEMPTY,
     .fields = content_params,
     .help = "The files to write."},
    PARAM_ATOMIC("All files or none: one that fails leaves all as they were."),
    PARAM_DRY_RUN,
    PARAM_RETURN_CONTENT,
    EM_PARAM_BACKUP,
    EM_PARAM_SESSION,
    {.name = NULL},
};

static const em_param read_params[] = {
    PARAM_FILE,
    EM_PARAM_FIRST_LINE("startLine"),
    EM_PARAM_LAST_LINE("endLine"),
    EM_PARAM_ENCODING,
    EM_PARAM_SESSION,
    {.name = NULL},
};

static const em_param read_result[] = {
    {.name = "success", .type = EM_P_BOOL, .flags = EM_P_REQUIRED},
    EM_SITE_RESULT_FAILURE,
    EM_SITE_RESULT_FILE,
    {.name = "content", .type = EM_P_STRING},
    {.name = "totalLines", .type = EM_P_INTEGER},
    {.name = "startLine", .type = EM_P_INTEGER},
    {.name = "endLine", .type = EM_P_INTEGER},
    {.name = "encoding", .type = EM_P_STRING, .help = "Of the file, if it is not UTF-8."},
    EM_FIELD_ECHO_TRUNCATED,
    {.name = NULL},
};

static const em_tool tools[] = {
    {.name = "editDOM",
     .title = "Edit DOM",
     .brief = "Change elements of an HTML page by CSS selector.",
     .description =
         "Changes elements of an HTML file that CSS selectors name: setText, setHTML, "
         "setAttribute, "
         "removeAttribute, addClass, removeClass, replaceClass, remove, insertAdjacentHTML. Only "
         "the bytes of what is changed change; the rest of the page stays as it is written. "
         "Operations are done in order, each on the page as those before it left it. Class actions "
         "apply to all elements that match; every other action needs a selector that matches one, "
         "unless all is true or expected says how many. An operation that fails is left out and "
         "told in failed, with similar elements and selectors for them; success is \"partial\" "
         "then, unless atomic is true. The answer has a diff.",
     .guidance = "change text, links, images, classes or attributes of an HTML page, or remove or "
                 "add elements (preferred for these)",
     .flags = EM_TOOL_DESTRUCTIVE | EM_TOOL_ELEMENTS,
     .params = dom_params,
     .result = em_site_dom_result,
     .run = edit_dom,
     .refuse = refuse,
     .read_failure = read_failure},
    {.name = "editFile",
     .title = "Edit File",
     .brief = "Search and replace in a file: one operation or several, in order.",
     .description =
         "Edits one file by search and replace. Operations apply in order, each to the result of "
         "those before it. search should be the exact text; where that is not there, a slip in "
         "white "
         "space, quotes or a letter is forgiven if there is one clear place, and the answer says "
         "so (match sets how much). It must stand there expectedReplacements times (default 1). If "
         "an operation fails, those before it are kept "
         "and success is \"partial\", unless atomic is true; the error says what to send instead. "
         "Line endings, encoding and permissions of the file are kept. The answer has a diff.",
     .guidance = "add, change or move blocks of code or text in one file",
     .flags = EM_TOOL_DESTRUCTIVE | EM_TOOL_REPLACES | EM_TOOL_EDITS,
     .params = edit_params,
     .result = em_site_change_result,
     .run = edit_file,
     .refuse = refuse,
     .read_failure = read_failure},
    {.name = "editFiles",
     .title = "Edit Files",
     .brief = "Search and replace, or change elements, in several files with one call.",
     .description =
         "Edits several files in one call, each by replaceOperations (search and replace), by "
         "domOperations (on elements of an HTML page, done first), or both. Operations apply in "
         "order, and search must stand in the file expectedReplacements times (default "
         "1). A file is changed by all of its operations or by none. One that fails does not stop "
         "the others: success is \"partial\" then, and results tells of each file. With atomic all "
         "files are changed or none, also when the machine fails.",
     .guidance = "make the same kind of change in two or more files (navigation, header, names)",
     .flags = EM_TOOL_DESTRUCTIVE | EM_TOOL_EDITS,
     .params = edits_params,
     .result = em_site_changes_result,
     .run = edit_files,
     .refuse = refuse,
     .read_failure = read_failure},
    {.name = "writeFiles",
     .title = "Write Files",
     .brief = "Write whole files: new ones, or over what was there.",
     .description = "Writes whole files, and creates them with their folders if they are not "
                    "there. What a file held before is replaced. The answer has a diff per file. "
                    "With atomic all are written or none, also when the machine fails.",
     .guidance = "last resort: new files, complete rewrites, or when edits of a file failed twice",
     .flags = EM_TOOL_DESTRUCTIVE | EM_TOOL_IDEMPOTENT | EM_TOOL_CREATES | EM_TOOL_WRITES,
     .params = write_params,
     .result = em_site_changes_result,
     .run = write_files,
     .refuse = refuse,
     .read_failure = read_failure},
    {.name = "readFile",
     .title = "Read File",
     .brief = "Read a text file, or a range of its lines.",
     .description = "Returns the text of a file, or of a range of its lines, exactly as it is: "
                    "what it shows can be copied into an edit.",
     .guidance = "see the exact content before an edit, or check it afterwards",
     .flags = EM_TOOL_READ_ONLY | EM_TOOL_IDEMPOTENT | EM_TOOL_READS,
     .params = read_params,
     .result = read_result,
     .run = read_file,
     .refuse = refuse,
     .read_failure = read_failure},
    {.name = NULL},
};

static const em_guidance guidance[] = {
    {EM_TOOL_DESTRUCTIVE, "If an edit fails, send the retry that its answer gives"},
    {EM_TOOL_DESTRUCTIVE | EM_TOOL_READS,
     ", or else read the file and retry with its exact content"},
    {EM_TOOL_DESTRUCTIVE, "."},
    {EM_TOOL_ELEMENTS | EM_TOOL_REPLACES,
     " If an operation on an element fails again, edit the text at the same place."},
    {EM_TOOL_WRITES, " If edits of a file fail twice, write it anew, completely."},
    {0, NULL},
};

const em_dialect em_dialect_site = {.name = "site", .guidance = guidance, .tools = tools};
