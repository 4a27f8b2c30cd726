/* multi_edit_read.c: Read, which shows lines with their numbers and remembers what it saw. */
#include "dialects/multi_edit_read.h"

#include "answers/fields.h"
#include "answers/retry.h"
#include "arguments/change_args.h"
#include "arguments/forms.h"
#include "base/utf8.h"
#include "dialects/envelope.h"

enum {
    /* as the document of the family says */
    MOST_LINES = 2000, /* that are shown at once */
    SHOWN_LINES = 500, /* where no limit is given */
};

static const em_words read_words = {0};

bool em_multi_edit_is_relative(const char *path)
{
    return path[0] != '/';
}

static void set_nothing_read(em_envelope *env)
{
    em_json_set_string(&env->reply.json, env->data, "content", "");
    em_json_set_bool(&env->reply.json, env->data, "truncated", false);
}

/* The lines that Read shows: `count` from `first` on, of `total`. */
typedef struct shown_lines {
    size_t first, count, total;
    size_t chars; /* code points, line ends included */
    em_strbuf text;
} shown_lines;

static size_t size_or(em_args args, const char *name, size_t fallback)
{
    return em_arg(args, name) ? em_arg_size(args, name) : fallback;
}

static void show_lines(const em_lines *lines, em_args args, shown_lines *shown)
{
    size_t limit = size_or(args, "limit", SHOWN_LINES);
    shown->first = size_or(args, "start_line", 1);
    shown->total = em_lines_count(lines);
    size_t rest = shown->total > 0 ? shown->total - shown->first + 1 : 0;
    shown->count = rest < limit ? rest : limit;
    for (size_t i = shown->first; i < shown->first + shown->count; i++) {
        em_line line = em_lines_line(lines, i);
        em_strbuf_printf(&shown->text, "%4zu | ", i);
        em_strbuf_add(&shown->text, em_slice_sub(lines->body, line.start, line.end));
        em_strbuf_putc(&shown->text, '\n');
        shown->chars += em_utf8_count(em_slice_sub(lines->body, line.start, line.next));
    }
}

static void add_read_text(em_envelope *env, const shown_lines *shown, bool cut, bool replaced)
{
    em_reply *reply = &env->reply;
    size_t next = shown->first + shown->count;
    em_strbuf_printf(&reply->text, "Read %zu lines from '%s' ", shown->count, reply->path);
    if (shown->total == 0)
        em_strbuf_puts(&reply->text, "(file is empty).");
    else
        em_strbuf_printf(&reply->text, "(Lines %zu-%zu).", shown->first, next - 1);
    em_strbuf_printf(&reply->text, "\n(Took %llums)", (unsigned long long)env->took_ms);
    if (cut)
        em_strbuf_printf(&reply->text,
                         "\n[Truncated: Showing first %zu of %zu lines. Use start_line=%zu to "
                         "continue.]",
                         shown->count, shown->total, next);
    if (replaced)
        em_strbuf_puts(&reply->text, "\n[Partial: The file is not valid UTF-8. Bytes that are not "
                                     "are shown as U+FFFD, which matches nothing. Name the file's "
                                     "encoding to see its text.]");
}

static em_status render_read(em_envelope *env, em_args args, em_answer *answer)
{
    em_json *json = &env->reply.json;
    const em_outcome *outcome = env->reply.outcome;
    shown_lines shown = {0};
    show_lines(&outcome->lines, args, &shown);
    bool cut = shown.first + shown.count <= shown.total;
    bool replaced = outcome->text.encoding == EM_BYTES;
    add_read_text(env, &shown, cut, replaced);
    em_json_set_text(json, env->data, "content", em_strbuf_slice(&shown.text));
    em_json_set_bool(json, env->data, "truncated", cut);
    if (replaced)
        em_json_set_string(json, env->data, "fallback_encoding", "replace");
    em_json_set_size(json, env->stats, "lines_read", shown.count);
    em_json_set_size(json, env->stats, "chars_read", shown.chars);
    em_json_set_size(json, env->stats, "total_lines", shown.total);
    em_json_set_size(json, env->stats, "file_size_bytes", outcome->size);
    em_json_set(json, env->stats, "file_mtime_ms", json_integer(outcome->mtime_ms));
    em_json_set_string(json, env->stats, "encoding", outcome->text.charset);
    json->failed = json->failed || shown.text.failed;
    em_strbuf_drop(&shown.text);
    return em_envelope_finish(env, cut || replaced, answer);
}

static void fail_beyond(em_envelope *env, size_t line, size_t total)
{
    em_reply *reply = &env->reply;
    em_envelope_fail(env, em_reply_format(reply,
                                          "start_line %zu is past the end of '%s', which has %zu "
                                          "line%s.",
                                          line, reply->path, total, total == 1 ? "" : "s"));
    em_strbuf_printf(&reply->text, "\nSend a start_line from 1 to %zu", total > 0 ? total : 1);
}

static em_status render_unread(em_envelope *env, em_args args, em_answer *answer)
{
    em_reply *reply = &env->reply;
    const em_outcome *outcome = reply->outcome;
    set_nothing_read(env);
    if (outcome->error.cause == EM_CAUSE_RANGE) {
        fail_beyond(env, em_arg_size(args, "start_line"), em_lines_count(&outcome->lines));
    } else {
        em_envelope_fail(env, em_envelope_reason(env));
        em_envelope_add_advice(env);
        em_envelope_try_retry(env, em_args_with_near_file(reply, args));
    }
    return em_envelope_finish(env, false, answer);
}

em_status em_multi_edit_read(const em_call *call, em_answer *answer)
{
    em_args args = em_args_of(call);
    em_envelope env;
    em_slice rest;
    em_outcome outcome = em_envelope_refused(EM_E_OUTSIDE, EM_CAUSE_NONE, EM_NO_EDIT);
    size_t first = size_or(args, "start_line", 1);
    em_read_request request = {.path = em_arg_string(args, "path"),
                               .encoding = em_arg_string(args, "encoding"),
                               .first_line = first,
                               .last_line = first + size_or(args, "limit", SHOWN_LINES) - 1,
                               .remember = true,
                               .session = em_named_session(call),
                               .stateless = call->stateless};
    em_envelope_open(&env, call, &read_words);
    if (em_multi_edit_is_relative(request.path))
        em_run_read(call->session, &request, call->arena, &rest, &outcome);
    em_status status = outcome.status;
    em_envelope_take(&env, &outcome);
    if (status != EM_E_NOMEM)
        status =
            status == EM_OK ? render_read(&env, args, answer) : render_unread(&env, args, answer);
    em_envelope_drop(&env);
    em_outcome_drop(call->session, &outcome);
    return status;
}

em_status em_multi_edit_refuse_read(const em_call *call, const em_call_refusal *refusal,
                                    em_answer *answer)
{
    em_envelope env;
    em_outcome outcome = em_envelope_refused(EM_E_INVALID, EM_CAUSE_NONE, refusal->edit);
    em_envelope_open(&env, call, &read_words);
    em_envelope_take(&env, &outcome);
    set_nothing_read(&env);
    return em_envelope_refuse(&env, refusal, answer);
}

/* ---- The tables ---------------------------------------------------------------------------- */

const em_param em_multi_edit_read_params[] = {
    EM_MULTI_EDIT_PATH,
    {.name = "start_line",
     .type = EM_P_INTEGER,
     .flags = EM_P_NULLABLE,
     .minimum = 1,
     .fallback = "1",
     .help = "First line, from 1."},
    {.name = "limit",
     .type = EM_P_INTEGER,
     .flags = EM_P_NULLABLE,
     .minimum = 1,
     .maximum = MOST_LINES,
     .fallback = "500",
     .help = "How many lines at most."},
    EM_PARAM_ENCODING,
    EM_PARAM_SESSION,
    {.name = NULL},
};

static const em_param read_fields[] = {
    {.name = "content", .type = EM_P_STRING, .flags = EM_P_REQUIRED},
    {.name = "truncated", .type = EM_P_BOOL, .flags = EM_P_REQUIRED},
    {.name = "fallback_encoding", .type = EM_P_STRING},
    EM_FIELD_ECHO_TRUNCATED,
    EM_FIELD_HASH,
    EM_FIELD_WARNINGS,
    EM_FIELD_CAUSE,
    EM_FIELD_RETRY,
    EM_FIELD_RETRY_OMITTED,
    {.name = NULL},
};

static const em_param read_stats[] = {
    {.name = "time_ms", .type = EM_P_INTEGER, .flags = EM_P_REQUIRED},
    {.name = "lines_read", .type = EM_P_INTEGER},
    {.name = "chars_read", .type = EM_P_INTEGER},
    {.name = "total_lines", .type = EM_P_INTEGER},
    {.name = "file_size_bytes", .type = EM_P_INTEGER},
    {.name = "file_mtime_ms", .type = EM_P_INTEGER},
    {.name = "encoding", .type = EM_P_STRING},
    {.name = NULL},
};

const em_param em_multi_edit_read_result[] = {EM_ENVELOPE_RESULT(read_fields, read_stats),
                                              {.name = NULL}};
