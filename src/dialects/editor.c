/* editor.c: mcp__editor__Edit and pick_tools (pick_tools.c), which answer with a sentence.
 *
 * mcp__editor__Edit comes in three forms: several replacements in a file, one operation at an
 * anchor (editor_task.c), and a list of files with one of these each (editor_files.c).
 */
#include "answers/answer.h"
#include "answers/retry.h"
#include "arguments/change_args.h"
#include "dialects/editor_files.h"
#include "dialects/editor_task.h"
#include "dialects/pick_tools.h"

/* ---- The call ------------------------------------------------------------------------------ */

static void fail_one(em_reply *reply, const em_editor_task *t)
{
    EM_AUTO(em_json_ref) retry = em_editor_retry(reply, t);
    em_editor_add_failure(reply, t);
    em_add_way_to_send(reply, retry);
}

static em_status edit_one(const em_call *call, em_answer *answer)
{
    em_editor_task t;
    em_outcome outcome;
    EM_TRY(em_editor_task_of(call, em_args_of(call), "", &t));
    em_edit_request request = em_editor_request(call, &t);
    em_status status = em_run_edit(call->session, &request, call->arena, &outcome);
    if (status != EM_E_NOMEM) {
        em_reply reply;
        em_reply_init(&reply, call, t.words, t.path, &outcome);
        if (status == EM_OK)
            em_editor_add_success(&reply, &t, request.dry_run);
        else
            fail_one(&reply, &t);
        status = em_reply_finish(&reply, status != EM_OK, answer);
        if (!answer->is_error)
            em_editor_set_path_by_link(&reply, &t, answer->meta, "emend/path_resolved");
        em_reply_drop(&reply);
    }
    em_outcome_drop(call->session, &outcome);
    return status;
}

static em_status edit(const em_call *call, em_answer *answer)
{
    bool several = em_arg(em_args_of(call), "files") != NULL;
    return several ? em_editor_change_files(call, answer) : edit_one(call, answer);
}

/* ---- The tables ---------------------------------------------------------------------------- */

static const em_param edit_params[] = {
    {.name = "old_text",
     .type = EM_P_STRING,
     .flags = EM_P_REQUIRED,
     .help = "Exact text to find, white space and line breaks included."},
    EM_PARAM_INSERT("new_text", EM_P_REQUIRED),
    {.name = "replace_all",
     .type = EM_P_BOOL,
     .flags = EM_P_NULLABLE,
     .fallback = "false",
     .help = "Replace every occurrence; else old_text must stand there exactly once."},
    {.name = "regex",
     .type = EM_P_BOOL,
     .flags = EM_P_NULLABLE,
     .fallback = "false",
     .help =
         "old_text is a pattern (PCRE2). In new_text $1, ${name} and $0 (all of it) are what was "
         "found, and \\n, \\t, \\U (capitals up to \\E) are escapes: send $$ for a $, and two "
         "backslashes for one."},
    {.name = "start_line",
     .type = EM_P_INTEGER,
     .flags = EM_P_NULLABLE,
     .minimum = 1,
     .help = "Look only from this line on; lines are those of the file before the call, from 1."},
    {.name = "end_line",
     .type = EM_P_INTEGER,
     .flags = EM_P_NULLABLE,
     .minimum = 1,
     .help = "Look only up to this line, included."},
    {.name = NULL},
};

#define FILE_PATH(need)                                                                            \
    {                                                                                              \
        .name = "file_path", .alias = "path", .type = EM_P_PATH, .flags = (need),                  \
        .help = "The file: absolute, or relative to the workspace."                                \
    }
#define BASIC_AND_EXTENDED                                                                         \
    {.name = "edits",                                                                              \
     .type = EM_P_LIST,                                                                            \
     .flags = EM_P_NULLABLE | EM_P_NONEMPTY,                                                       \
     .fields = edit_params,                                                                        \
     .help = "Basic form: replacements, in order, each on the result of those before it."},        \
        {.name = "operation",                                                                      \
         .type = EM_P_STRING,                                                                      \
         .flags = EM_P_NULLABLE,                                                                   \
         .words = em_editor_operations,                                                            \
         .help = "Extended form, instead of edits: what to do at the anchor; append and prepend "  \
                 "add to the end and the start of the file."},                                     \
        {.name = "anchor",                                                                         \
         .type = EM_P_STRING,                                                                      \
         .flags = EM_P_NULLABLE,                                                                   \
         .place_of = "search",                                                                     \
         .beside = "operation",                                                                    \
         .help = "Extended form: exact text that stands in the file once. Not for append and "     \
                 "prepend."},                                                                      \
    {                                                                                              \
        .name = "content", .type = EM_P_STRING, .flags = EM_P_NULLABLE, .place_of = "replace",     \
        .beside = "operation", .help = "Extended form: the new text. Not for delete."              \
    }

static const char *const needs_edits[] = {"file_path", "edits", NULL};
static const char *const needs_both[] = {"file_path", "operation", "anchor", "content", NULL};
static const char *const needs_anchor[] = {"file_path", "operation", "anchor", NULL};
static const char *const needs_content[] = {"file_path", "operation", "content", NULL};
static const char *const needs_files[] = {"files", NULL};
static const char *const no_operation[] = {"operation", "anchor", "content", "files", NULL};
static const char *const no_edits[] = {"edits", "files", NULL};
static const char *const no_content[] = {"edits", "files", "content", NULL};
static const char *const no_anchor[] = {"edits", "files", "anchor", NULL};
static const char *const no_file[] = {"file_path",     "edits",       "operation",
                                      "anchor",        "content",     "encoding",
                                      "expected_hash", "on_conflict", NULL};
static const char *const with_both[] = {"replace", "insert_before", "insert_after", NULL};
static const char *const with_anchor[] = {"delete", NULL};
static const char *const with_content[] = {"append", "prepend", NULL};

#define FORMS_OF_A_FILE                                                                            \
    {"basic", needs_edits, no_operation, NULL, NULL},                                              \
        {"extended", needs_both, no_edits, "operation", with_both},                                \
        {"extended", needs_anchor, no_content, "operation", with_anchor},                          \
    {                                                                                              \
        "extended", needs_content, no_anchor, "operation", with_content                            \
    }
#define END_OF_FORMS                                                                               \
    {                                                                                              \
        NULL, NULL, NULL, NULL, NULL                                                               \
    }

static const em_form file_forms[] = {FORMS_OF_A_FILE, END_OF_FORMS};
static const em_form forms[] = {
    FORMS_OF_A_FILE, {"several files", needs_files, no_file, NULL, NULL}, END_OF_FORMS};

static const em_param file_params[] = {
    FILE_PATH(EM_P_REQUIRED), BASIC_AND_EXTENDED, EM_PARAM_ENCODING,
    EM_PARAM_EXPECTED_HASH,   {.name = NULL},
};

static const em_param params[] = {
    FILE_PATH(EM_P_NULLABLE),
    BASIC_AND_EXTENDED,
    {.name = "files",
     .type = EM_P_LIST,
     .flags = EM_P_NULLABLE | EM_P_NONEMPTY,
     .fields = file_params,
     .forms = file_forms,
     .help = "Instead of all above: several files, each with its file_path and edits, or "
             "operation."},
    EM_PARAM_DRY_RUN,
    EM_PARAM_MATCH("exact"),
    EM_PARAM_BACKUP,
    EM_PARAM_ENCODING,
    EM_PARAM_EXPECTED_HASH,
    EM_PARAM_SESSION,
    {.name = NULL},
};

static const em_tool tools[] = {
    {.name = "mcp__editor__Edit",
     .title = "Edit Files (search and replace, insert, delete)",
     /* The words of the family's document, to the letter, though there is `regex` now: what the
      * tool does without being asked is exact, and the description tells of the rest. */
     .brief = "Edit files using search-and-replace. Supports replace, insert, delete, append, "
              "prepend. No regex - exact text matching only.",
     .description =
         "Edits files by search and replace. Matching is exact: copy the text from the file with "
         "its indentation and line breaks. All that one call does to a file is done, or nothing. "
         "An error changes nothing and says what to send instead.\n"
         "\n"
         "A call has one of these forms:\n"
         "1. Basic: file_path and edits. The edits apply in order, each to the result of those "
         "before it. Every old_text must stand in the file exactly once; with replace_all: true "
         "all its occurrences are replaced, and there must be one at least.\n"
         "2. Extended: file_path, operation, anchor and content. replace puts content in the place "
         "of anchor; insert_before and insert_after put it next to anchor; delete removes anchor; "
         "append and prepend put content at the end or the start of the file and take no anchor. "
         "The anchor must stand in the file exactly once. Line breaks are not added: where content "
         "is to be a line of its own, end it with one, and for insert_after the anchor, too.\n"
         "3. Several files: files, each element in one of the two forms with its own file_path. "
         "All files are changed or none.\n"
         "\n"
         "If a text is not unique, include more of the lines around it. dry_run shows the change "
         "as a diff. An edit can be kept to the lines from start_line to end_line. With regex: "
         "true old_text is a pattern (PCRE2) and new_text may refer to its groups ($1).\n"
         "\n"
         "Examples:\n"
         "Change several places: {\"file_path\": \"src/main.rs\", \"edits\": [{\"old_text\": "
         "\"fn old_name()\", \"new_text\": \"fn new_name()\"}, {\"old_text\": \"let x = 1;\", "
         "\"new_text\": \"let x = 2;\"}]}\n"
         "Rename everywhere: {\"file_path\": \"src/main.rs\", \"edits\": [{\"old_text\": "
         "\"old_var\", \"new_text\": \"new_var\", \"replace_all\": true}]}\n"
         "Add an import: {\"file_path\": \"src/main.rs\", \"operation\": \"insert_after\", "
         "\"anchor\": \"use std::io;\\n\", \"content\": \"use std::fs;\\n\"}\n"
         "Add documentation: {\"file_path\": \"src/main.rs\", \"operation\": \"insert_before\", "
         "\"anchor\": \"fn main() {\", \"content\": \"/// Main entry point\\n\"}\n"
         "Remove lines: {\"file_path\": \"src/main.rs\", \"operation\": \"delete\", \"anchor\": "
         "\"    old_code();\\n\"}\n"
         "Add to the end: {\"file_path\": \"src/main.rs\", \"operation\": \"append\", "
         "\"content\": \"\\nfn last() {}\\n\"}",
     .guidance = "replace exact text in one file or several, or insert text at an anchor, at the "
                 "start or at the end",
     .flags = EM_TOOL_DESTRUCTIVE | EM_TOOL_EDITS,
     .params = params,
     .forms = forms,
     .run = edit,
     .refuse = em_refuse_in_words,
     .read_failure = em_read_failure_in_words},
    {.name = "pick_tools",
     .title = "Pick Tools",
     .brief = "Show tools in full. Call it with {\"tools\": [\"NAME\", ...]} before their first "
              "use.",
     .description = "Returns the full descriptions and the argument schemas of the tools named. "
                    "Use it before the first call of a tool of which only the brief is known.",
     .guidance = "see how a tool works before you first use it",
     .flags = EM_TOOL_READ_ONLY | EM_TOOL_IDEMPOTENT | EM_TOOL_PICKS,
     .params = em_pick_params,
     .run = em_pick_tools,
     .refuse = em_refuse_in_words,
     .read_failure = em_read_failure_in_words},
    {.name = NULL},
};

const em_dialect em_dialect_editor = {.name = "editor", .tools = tools};
