/* advice.c: what to do about a failure.
 *
 * Begin with em_add_advice(): what the cause asks for, else what the status does. Each that is more
 * than one sentence has a function.
 */
#include "answers/reason_impl.h"

#include "answers/expected_lines.h"
#include "answers/made_before.h"
#include "answers/near_told.h"
#include "answers/similar.h"
#include "base/utf8.h"

#include <errno.h>

enum { ROOTS_SHOWN = 3 };

static bool file_is_known(const em_reply *reply)
{
    return reply->outcome->file.exists && reply->outcome->text.charset != NULL;
}

void em_add_file_unless_readable(em_reply *reply)
{
    if (em_reply_tool_with(reply, EM_TOOL_READS) || !file_is_known(reply))
        return;
    const em_text *text = &reply->outcome->text;
    size_t end = text->extract ? text->extract->segments[0].length : text->body.len;
    em_strbuf_puts(&reply->text, "\nThe file holds (between >>> and <<<):\n");
    em_reply_add_shown(reply, em_slice_sub(text->body, text->start, end));
}

const char *em_why_unreadable(const em_reply *reply, em_slice text)
{
    static const char why[] = "The file is not valid UTF-8. Bytes that are not are shown as "
                              "U+FFFD, which matches nothing: name the file's encoding with "
                              "`encoding`";
    bool is = reply->outcome->text.encoding == EM_BYTES && em_utf8_invalid_at(text) != EM_NPOS;
    return is ? why : NULL;
}

static const char *way_to_write(const em_tool *writer)
{
    return writer->way_to_write ? writer->way_to_write : writer->name;
}

/* How a file that cannot be read is written anew with what is offered; NULL. */
static const char *way_to_rewrite_unread(const em_reply *reply)
{
    const em_tool *writer = em_reply_find_tool(reply, EM_TOOL_WRITES);
    return writer ? way_to_write(writer) : NULL;
}

/* The same of any file, which some tools want to have been read. */
const char *em_way_to_rewrite(em_reply *reply)
{
    const em_tool *writer = em_reply_find_tool(reply, EM_TOOL_WRITES);
    const char *reader = em_reply_tool_with(reply, EM_TOOL_READS);
    if (!writer)
        return NULL;
    return reader && writer->flags & EM_TOOL_WRITES_KNOWN
               ? em_reply_format(reply, "%s, and then %s", reader, way_to_write(writer))
               : way_to_write(writer);
}

/* Its byte order mark says how it is to be read, so no other name helps. */
static void add_advice_for_damage(em_reply *reply)
{
    const char *way = way_to_rewrite_unread(reply);
    em_strbuf_printf(&reply->text,
                     "\nIt is damaged (%s), and cannot be read or edited as text. Mend it with a "
                     "program for that (such as python)",
                     reply->outcome->error.detail);
    if (way)
        em_strbuf_printf(&reply->text, ", or, to write it anew, completely, use %s", way);
}

/* It is not the file's, or not known. */
static void add_advice_for_named_encoding(em_reply *reply)
{
    em_strbuf_puts(&reply->text,
                   em_text_has_bom(reply->outcome->file.bytes)
                       ? "\nLeave `encoding` out: the file has a byte order mark"
                       : "\nName the encoding that the file has (such as latin1, windows-1252 or "
                         "utf-16le), or leave `encoding` out");
}

/* The named encoding is not the file's, or has no such character. (Of a file in an unknown one the
 * reason says what to do.) */
static void add_advice_for_encoding(em_reply *reply)
{
    const em_text *text = &reply->outcome->text;
    if (reply->outcome->error.code == EM_E_BINARY)
        add_advice_for_damage(reply);
    else if (!text->charset)
        add_advice_for_named_encoding(reply);
    else if (text->is_utf8_too)
        em_strbuf_puts(&reply->text, "\nLeave `encoding` out");
    else if (text->encoding != EM_BYTES)
        em_strbuf_printf(&reply->text,
                         "\nThe file keeps its encoding: write only what %s has characters for",
                         text->charset);
}

/* A way that the system does not go: in a circle, or with a name that is too long. */
static void add_advice_for_path(em_reply *reply)
{
    int sys = reply->outcome->error.sys;
    if (sys == ELOOP)
        em_strbuf_puts(&reply->text, "\nLinks on the way lead to one another, or are too many: "
                                     "name the file by a path without them");
    else if (sys == ENAMETOOLONG)
        em_strbuf_puts(&reply->text, "\nChoose a shorter path");
}

/* Look at the file, then `then`. */
static void add_look(em_reply *reply, const char *then)
{
    const char *reader = em_reply_tool_with(reply, EM_TOOL_READS);
    if (reader)
        em_strbuf_printf(&reply->text, "\nUse %s to see what the file holds now, then %s", reader,
                         then);
    em_add_file_unless_readable(reply);
}

/* Both texts, where an edit could not be carried over from the one to the other; where it could not
 * be made in the one, what the other has that is like it. */
static void add_stale_lines(em_reply *reply)
{
    const em_stale_lines *stale = &reply->outcome->stale;
    if (!stale->are_told)
        return;
    if (!stale->only_alike) {
        em_strbuf_puts(&reply->text, "\nThe lines as they were read (between >>> and <<<):\n");
        em_reply_add_shown(reply, em_reply_cut(stale->read, EM_SHOWN_LIMIT / 2));
    }
    em_strbuf_printf(&reply->text, "\nThe lines %s, at line %zu (between >>> and <<<):\n",
                     stale->only_alike ? "that are most like the text now" : "as they are now",
                     stale->line);
    em_reply_add_shown(reply, stale->now);
}

static void add_roots(em_reply *reply)
{
    const em_workspace *ws = em_reply_workspace(reply);
    size_t count = em_ws_root_count(ws);
    em_add_near_files(reply);
    em_strbuf_puts(&reply->text, "\nFiles must lie in ");
    for (size_t i = 0; i < count && i < ROOTS_SHOWN; i++)
        em_strbuf_printf(&reply->text, "%s%s", i > 0 ? ", " : "",
                         em_reply_path_shown(reply, em_ws_root(ws, i)));
    if (count > ROOTS_SHOWN)
        em_strbuf_printf(&reply->text, " and %zu more", count - ROOTS_SHOWN);
    if (em_leaves_its_root(reply))
        em_strbuf_puts(&reply->text, "; a path that begins in one of them has to stay in it, also "
                                     "by links: name a file of another by its own absolute path");
}

bool em_way_is_blocked(const em_error *error)
{
    return error->code == EM_E_NOT_FOUND && error->sys != 0;
}

/* What is in the way is a file, or a link to what is not there. */
static const char *why_none_is_made(const em_error *error)
{
    return error->sys == ENOTDIR ? ": nothing can be made below it"
                                 : ", and nothing is made by way of one: name the file itself";
}

bool em_names_no_folder(const em_error *error)
{
    return error->code == EM_E_IS_FOLDER && error->sys == ENOENT;
}

/* Of a path as others write it. */
static const char *why_no_name(const char *path)
{
    if (strchr(path, '\\'))
        return "\nIt has backslashes, which are no separators here";
    if (path[0] == '~')
        return "\nIt begins with ~, which stands for no folder here";
    return strncasecmp(path, "file://", strlen("file://")) == 0
               ? "\nIt is a URL, and a path is wanted"
               : "\nIt begins with a drive, and there are none here";
}

static void add_advice_for_missing_file(em_reply *reply)
{
    unsigned flags = reply->call->tool->flags;
    bool creates = (flags & EM_TOOL_CREATES) && !reply->words->find;
    const em_error *error = &reply->outcome->error;
    bool is_blocked = em_way_is_blocked(error);
    if (is_blocked)
        em_strbuf_printf(&reply->text, "\n%s%s", em_reply_path_shown(reply, error->detail),
                         creates ? why_none_is_made(error) : "");
    if (creates && is_blocked)
        return;
    if (creates) /* nothing else of a file that is to be made is not found */
        em_strbuf_puts(&reply->text, why_no_name(reply->path));
    em_add_near_files(reply);
    em_strbuf_printf(&reply->text, "\nRelative paths start at %s",
                     em_reply_path_shown(reply, em_ws_root(em_reply_workspace(reply), 0)));
    const char *maker = em_reply_tool_with(reply, EM_TOOL_CREATES);
    if (maker && !creates && !(flags & EM_TOOL_READ_ONLY) && !is_blocked)
        em_strbuf_printf(&reply->text, "\nTo make a new file, use %s", maker);
}

static void add_advice_for_no_change(em_reply *reply)
{
    em_strbuf_printf(&reply->text, "\nSend as %s the text as it should become",
                     reply->words->insert);
}

static void add_advice_for_empty_search(em_reply *reply)
{
    const em_words *words = reply->words;
    em_strbuf_printf(&reply->text,
                     "\nAn empty %s matches only an empty file. To insert text, send as %s a "
                     "line next to the place, and as %s that line together with the new text",
                     words->find, words->find, words->insert);
    em_add_file_unless_readable(reply);
}

static void add_advice_for_placeholder(em_reply *reply)
{
    em_strbuf_printf(&reply->text,
                     "\nSuch a line would replace the code that it stands for. Send as %s all "
                     "text that is to be there afterwards",
                     reply->words->insert);
}

/* Text that the caller has sent, or nearly. */
static bool can_be_given(em_slice text)
{
    return em_text_can_be_sent(text) && text.len <= EM_ECHO_LIMIT;
}

static void add_lines_held(em_reply *reply)
{
    em_strbuf_puts(&reply->text, "\nThe lines hold (between >>> and <<<):\n");
    em_reply_add_shown(reply, reply->outcome->failure.found);
}

/* The lines came with their numbers, as they were shown. */
static void add_advice_for_numbers(em_reply *reply, const em_expected_lines *expected)
{
    const em_op *op = reply->outcome->failed_op;
    em_strbuf_puts(&reply->text, "\nThe expected text has line numbers that are not in the file");
    if (!expected->as_named) {
        em_strbuf_printf(&reply->text,
                         ". Without them it stands elsewhere: if that place is meant, send "
                         "start_line %zu and end_line %zu",
                         expected->first, expected->last);
        add_lines_held(reply);
    }
    if (!em_slice_eq(op->insert, expected->insert) && can_be_given(expected->insert))
        em_add_to_send(reply, reply->words->insert, expected->insert);
    if (can_be_given(expected->plain))
        em_add_to_send(reply, "expected_text", expected->plain);
}

static void add_advice_for_stale_text(em_reply *reply)
{
    const em_plan_failure *failure = &reply->outcome->failure;
    const char *why = em_why_unreadable(reply, failure->found);
    em_expected_lines expected;
    if (em_expected_numbered_lines(reply->outcome, reply->call->arena, &expected)) {
        add_advice_for_numbers(reply, &expected);
        return;
    }
    if (failure->moved.first > 0)
        em_strbuf_printf(&reply->text,
                         "\nThe expected text stands elsewhere: if that place is meant, send "
                         "start_line %zu and end_line %zu",
                         failure->moved.first, failure->moved.last);
    if (why)
        em_strbuf_printf(&reply->text, "\n%s", why);
    add_lines_held(reply);
}

static void add_advice_for_twin_name(em_reply *reply)
{
    em_strbuf_printf(&reply->text,
                     "\nA file whose name looks the same but is written differently (in "
                     "another normal form of Unicode) is there: %s",
                     em_reply_path_shown(reply, reply->outcome->error.detail));
}

/* "line 3", "lines 3-5" */
static const char *lines_of(em_reply *reply, size_t start, size_t end)
{
    const em_lines *lines = &reply->outcome->lines;
    size_t first = em_lines_at(lines, start),
           last = em_lines_at(lines, end > start ? end - 1 : end);
    return first == last ? em_reply_format(reply, "line %zu", first)
                         : em_reply_format(reply, "lines %zu-%zu", first, last);
}

/* Which lines there are to be read. An empty file has none. */
static void add_lines_to_read(em_reply *reply)
{
    size_t count = em_lines_count(&reply->outcome->lines);
    if (count > 0 && reply->words->lines)
        em_strbuf_printf(&reply->text,
                         "\nSend as %s numbers from 1 to %zu, the higher one last, or neither for "
                         "all of the file",
                         reply->words->lines, count);
}

/* Which lines an edit can be about. */
static void add_advice_for_range(em_reply *reply)
{
    const em_op *op = reply->outcome->failed_op;
    size_t count = op ? em_lines_count(&reply->outcome->lines) : 0;
    const char *way = reply->words->fill ? reply->words->fill : em_way_to_rewrite(reply);
    if (!file_is_known(reply))
        return;
    if (!op)
        add_lines_to_read(reply);
    else if (count == 0 && way)
        em_strbuf_printf(&reply->text, "\nIt is empty and has no lines. To fill it, %s%s%s%s",
                         reply->words->fill ? "" : "use ", way,
                         reply->words->lines ? " without " : "",
                         reply->words->lines ? reply->words->lines : "");
    else if (count > 0 && op->last_line > 0 && op->last_line < op->first_line &&
             op->first_line <= count)
        em_strbuf_printf(&reply->text,
                         "\nend_line may not be below start_line: if the lines between are meant, "
                         "send start_line %zu and end_line %zu",
                         op->last_line, op->first_line);
    else if (count > 0)
        em_strbuf_printf(&reply->text, "\nSend as start_line and end_line numbers from 1 to %zu",
                         count);
    if (op && op->kind == EM_OP_LINES && count > 0 && op->first_line == count + 1)
        em_strbuf_printf(&reply->text,
                         ". To add lines behind the last one, send %zu as both, and that line with "
                         "the new ones below it as %s",
                         count, reply->words->insert);
}

/* What each of two edits wants, and what both do. */
static void add_wanted_twice(em_reply *reply, const em_match *a, const em_match *b)
{
    const em_outcome *outcome = reply->outcome;
    size_t one = outcome->failure.other_op + 1, other = (size_t)outcome->error.edit + 1;
    size_t start = a->start > b->start ? a->start : b->start;
    size_t end = a->end < b->end ? a->end : b->end;
    if (a->inserted || b->inserted)
        return;
    em_strbuf_printf(&reply->text,
                     "\nEdit %zu wants text of %s, edit %zu of %s. Both want, in %s (between >>> "
                     "and <<<):\n",
                     one, lines_of(reply, a->start, a->end), other,
                     lines_of(reply, b->start, b->end), lines_of(reply, start, end));
    em_reply_add_shown(reply, em_slice_sub(outcome->lines.body, start, end));
}

static void add_overlap(em_reply *reply)
{
    const em_outcome *outcome = reply->outcome;
    const em_matches *places = &outcome->failure.places;
    if (places->count == 2)
        add_wanted_twice(reply, &places->items[0], &places->items[1]);
    if (outcome->is_twin)
        em_strbuf_printf(&reply->text, "\nThey are the same: leave edit %td out",
                         outcome->error.edit + 1);
    else
        em_strbuf_puts(&reply->text, "\nMake them one edit");
}

/* What can be done to a page whose elements cannot be edited. */
static const char *way_around_elements(em_reply *reply)
{
    const char *replacer = em_reply_tool_with(reply, EM_TOOL_REPLACES);
    return replacer ? em_reply_format(reply, "Edit its text instead, with %s", replacer)
                    : "Edit its text instead";
}

static bool is_to_tell_unwritten(const em_reply *reply)
{
    return !reply->outcome->committed && !reply->tells_unwritten;
}

/* Append one that may begin so. */
static void add_advice_text(em_reply *reply, const char *advice)
{
    size_t lead = sizeof EM_NOTHING_WRITTEN - 1;
    bool leads = strncmp(advice, EM_NOTHING_WRITTEN, lead) == 0;
    if (reply->outcome->committed && advice == em_send_later)
        advice = "Send what was not done again later";
    else if (leads && !is_to_tell_unwritten(reply))
        advice += lead;
    em_strbuf_printf(&reply->text, "\n%s", advice);
}

/* ---- By the cause ---------------------------------------------------------------------------- */

/* What is the same whatever the call was. */
static const char *const advice_by_cause[] = {
    [EM_CAUSE_NUL] = "A file with a NUL is no text any more: leave it out",
    [EM_CAUSE_REFUSED] = EM_NOTHING_WRITTEN "Do not send the same call again: make the change as "
                                            "the person wants it, or ask what to do instead",
    [EM_CAUSE_UNANSWERED] = EM_NOTHING_WRITTEN "Do not send the same call again at once: tell "
                                               "the user that the change needs a yes",
    [EM_CAUSE_CANNOT_ASK] =
        EM_NOTHING_WRITTEN "The same call will fail again. Who runs the server can leave out "
                           "--approve, or use emend serve --approve, where a page asks",
};

static const char *advice_for_state_dir(const em_reply *reply)
{
    return reply->call->is_command
               ? "Locks and the history are kept there. --state-dir names another one"
               : EM_NOTHING_WRITTEN "The same call will fail again: locks and the history are kept "
                                    "there. Who runs the server can name another one with "
                                    "--state-dir";
}

/* false: the cause asks for nothing that the status does not. */
static bool add_advice_by_cause(em_reply *reply)
{
    em_cause cause = reply->outcome->error.cause;
    switch (cause) {
    case EM_CAUSE_NO_CHANGE:
        add_advice_for_no_change(reply);
        return true;
    case EM_CAUSE_EMPTY_SEARCH:
        add_advice_for_empty_search(reply);
        return true;
    case EM_CAUSE_PLACEHOLDER:
        add_advice_for_placeholder(reply);
        return true;
    case EM_CAUSE_OVERLAP:
        add_overlap(reply);
        return true;
    case EM_CAUSE_ALREADY_APPLIED:
        em_add_made_before(reply);
        return true;
    case EM_CAUSE_STALE_TEXT:
        add_advice_for_stale_text(reply);
        return true;
    case EM_CAUSE_ENCODING:
        add_advice_for_encoding(reply);
        return true;
    case EM_CAUSE_TWIN_NAME:
        add_advice_for_twin_name(reply);
        return true;
    case EM_CAUSE_PAGE:
        em_strbuf_printf(&reply->text, "\n%s", way_around_elements(reply));
        return true;
    case EM_CAUSE_STATE_DIR:
        add_advice_text(reply, advice_for_state_dir(reply));
        return true;
    case EM_CAUSE_NUL:
    case EM_CAUSE_REFUSED:
    case EM_CAUSE_UNANSWERED:
    case EM_CAUSE_CANNOT_ASK:
        add_advice_text(reply, advice_by_cause[cause]);
        return true;
    case EM_CAUSE_NONE:
    case EM_CAUSE_NOT_FOUND:
    case EM_CAUSE_AMBIGUOUS:
    case EM_CAUSE_TOO_FEW:
    case EM_CAUSE_PATTERN:
    case EM_CAUSE_CHANGED:
        break;
    case EM_CAUSE_RANGE:
        add_advice_for_range(reply);
        return true;
    }
    return false;
}

/* One edit of too many places: that is nothing to be split as it is. */
static void add_advice_for_many_places(em_reply *reply)
{
    if (reply->words->lines)
        em_strbuf_printf(&reply->text,
                         "\nKeep the edit to %s, for fewer lines in each of several calls",
                         reply->words->lines);
    else
        em_strbuf_printf(&reply->text,
                         "\nSend as %s a longer text that stands at fewer places, and in further "
                         "calls the others",
                         reply->words->find);
    em_strbuf_puts(&reply->text, ", or change the file with a program for that (such as sed)");
}

/* Begin a line with that, where it is to be told. */
static void add_nothing_written(em_reply *reply)
{
    em_strbuf_puts(&reply->text, is_to_tell_unwritten(reply) ? "\n" EM_NOTHING_WRITTEN : "\n");
}

/* What was found by then may help; that nothing was found proves nothing. */
static void add_advice_for_search_timeout(em_reply *reply)
{
    em_similar_add(reply);
    add_nothing_written(reply);
    em_strbuf_printf(&reply->text,
                     "Send as %s the exact text of the file, or fewer lines of it. %s",
                     reply->words->find, em_reply_way_to_more_time(reply));
    em_add_file_unless_readable(reply);
}

/* What is up to who runs the server is, of a command, up to who reads the answer. NULL: nothing of
 * that is. */
static const char *advice_to_command(em_status status)
{
    if (status == EM_E_DENIED)
        return "The flags of the command say what is allowed: --read-only, --deny, --allow";
    return status == EM_E_TOO_LARGE ? "--max-file-size raises the limit" : NULL;
}

/* What is the same whatever the call was. */
static void add_advice_of_status(em_reply *reply)
{
    em_status status = reply->outcome->error.code;
    const char *advice = reply->call->is_command ? advice_to_command(status) : NULL;
    if (status == EM_E_TOO_LARGE && reply->outcome->error.sys == ENOMEM)
        advice = em_reply_way_to_more_memory(reply);
    if (!advice)
        advice = em_advice_of_status(status);
    if (advice)
        add_advice_text(reply, advice);
}

static void add_advice_for_folder(em_reply *reply)
{
    if (em_names_no_folder(&reply->outcome->error))
        em_strbuf_puts(&reply->text,
                       "\nIt names a folder, and nothing is there: leave the slash at "
                       "its end out, or name a file in it");
    else
        add_advice_of_status(reply);
    em_add_near_files(reply);
}

static void add_advice_for_many_edits(em_reply *reply)
{
    if (reply->outcome->failed_op)
        add_advice_for_many_places(reply);
    else
        add_advice_of_status(reply);
}

static void add_advice_for_binary(em_reply *reply)
{
    const em_outcome *outcome = reply->outcome;
    bool is_read = reply->call->tool->flags & EM_TOOL_READS;
    em_strbuf_printf(&reply->text, "\nIt is no text (%s)%s. If it is %s", outcome->error.detail,
                     is_read ? "" : ", and an edit could damage it",
                     em_text_has_bom(outcome->file.bytes)
                         ? "text all the same, name utf-8 as encoding"
                         : "in an encoding such as UTF-16 without a byte order mark, name that as "
                           "encoding");
}

static void add_advice_for_existing_file(em_reply *reply)
{
    const char *way = em_way_to_rewrite(reply);
    if (way)
        em_strbuf_printf(&reply->text, "\nTo replace what it holds, use %s", way);
}

static void add_advice_for_conflict(em_reply *reply)
{
    const em_outcome *outcome = reply->outcome;
    add_stale_lines(reply);
    em_strbuf_puts(
        &reply->text,
        outcome->committed ? "\nWhat others wrote is in place, and what was done before it is "
                             "kept: do not send that again."
        : is_to_tell_unwritten(reply) ? "\nNothing was written, and what others wrote is in place."
                                      : "\nWhat others wrote is in place.");
    if (outcome->is_open && !outcome->file.exists)
        em_strbuf_puts(&reply->text, "\nTo make the file anew, write it whole, without "
                                     "what it is expected to be (expected_hash and its like)");
    else
        add_look(reply, "send the call for that");
}

static void add_advice_for_timeout(em_reply *reply)
{
    if (em_is_search_timeout(reply))
        add_advice_for_search_timeout(reply);
    else if (reply->outcome->dom.late)
        add_advice_text(reply, em_reply_format(reply, EM_NOTHING_WRITTEN "%s. %s",
                                               way_around_elements(reply),
                                               em_reply_way_to_more_time(reply)));
    else
        add_advice_of_status(reply);
}

static void add_advice_for_io(em_reply *reply)
{
    if (!(reply->call->tool->flags & EM_TOOL_READ_ONLY) && is_to_tell_unwritten(reply))
        em_strbuf_puts(&reply->text, "\nNothing was written");
}

void em_add_advice(em_reply *reply)
{
    if (add_advice_by_cause(reply))
        return;
    switch (reply->outcome->error.code) {
    case EM_E_NOT_FOUND:
        add_advice_for_missing_file(reply);
        break;
    case EM_E_IS_FOLDER:
        add_advice_for_folder(reply);
        break;
    case EM_E_OUTSIDE:
        add_roots(reply);
        break;
    case EM_E_PATH:
        add_advice_for_path(reply);
        break;
    case EM_E_TOO_MANY_EDITS:
        add_advice_for_many_edits(reply);
        break;
    case EM_E_BINARY:
        add_advice_for_binary(reply);
        break;
    case EM_E_EXISTS:
        add_advice_for_existing_file(reply);
        break;
    case EM_E_CONFLICT:
        add_advice_for_conflict(reply);
        break;
    case EM_E_TIMEOUT:
        add_advice_for_timeout(reply);
        break;
    case EM_E_IO:
        add_advice_for_io(reply);
        break;
    default:
        add_advice_of_status(reply);
    }
}
