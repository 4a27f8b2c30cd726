/* reason.c: the sentences of failures: what went wrong.
 *
 * Begin with the table words_of, which has those of each status. What a cause says instead is in
 * reason_by_cause(). What to do about it is in advice.c.
 */
#include "answers/reason_impl.h"

#include <errno.h>

/* A sentence is LEAD, the path, TAIL, and where `detail` says so a colon and the error's detail. */
typedef struct status_words {
    em_code code;
    const char *lead, *tail;
    bool detail;
    const char *advice; /* NULL: none, or one that is put together (advice.c) */
} status_words;

const char em_send_later[] = EM_NOTHING_WRITTEN "Send the same call again later";

static const status_words words_of[] = {
    [EM_OK] = {{"INTERNAL_ERROR", "INTERNAL_ERROR"}, "Internal error: ", "", true, NULL},
    [EM_E_NOMEM] =
        {{"INTERNAL_ERROR", "INTERNAL_ERROR"}, "Out of memory: ", "", false, em_send_later},
    [EM_E_INVALID] = {{"INVALID_ARGUMENT", "INVALID_PARAM"}, "", "", true, NULL},
    [EM_E_TOO_MANY_EDITS] = {{"TOO_MANY_EDITS", "INVALID_PARAM"},
                             "Too many edits for ",
                             "",
                             true,
                             "Split them over several calls"},
    [EM_E_TOO_LARGE] = {{"FILE_TOO_LARGE", "INVALID_PARAM"},
                        "File too large: ",
                        "",
                        true,
                        "Who runs the server can raise the limit with --max-file-size"},
    [EM_E_NO_MATCH] = {{"NO_MATCH", "INVALID_PARAM"}, "", "", true, NULL},
    [EM_E_COUNT] = {{"WRONG_COUNT", "INVALID_PARAM"}, "", "", true, NULL},
    [EM_E_OVERLAP] = {{"INVALID_ARGUMENT", "INVALID_PARAM"}, "", "", true, NULL},
    [EM_E_NOT_FOUND] = {{"FILE_NOT_FOUND", "NOT_FOUND"}, "File not found: ", "", false, NULL},
    [EM_E_EXISTS] = {{"CONFLICT", "CONFLICT"}, "File already exists: ", "", false, NULL},
    [EM_E_OUTSIDE] = {{"OUTSIDE_WORKSPACE", "ACCESS_DENIED"},
                      "Access denied: ",
                      " is outside the workspace",
                      false,
                      NULL},
    [EM_E_DENIED] = {{"PERMISSION_DENIED", "ACCESS_DENIED"},
                     "Access denied: ",
                     "",
                     true,
                     "A rule of the server forbids it: only who runs the server can lift it"},
    [EM_E_PERMISSION] = {{"PERMISSION_DENIED", "PERMISSION_DENIED"},
                         "Permission denied: ",
                         "",
                         true,
                         "The system forbids it: the same call will fail again"},
    [EM_E_IS_FOLDER] = {{"NOT_A_FILE", "IS_DIRECTORY"},
                        "Not a file: ",
                        "",
                        false,
                        "It is a folder: name a file in it"},
    [EM_E_NOT_REGULAR] = {{"NOT_A_FILE", "EXECUTION_ERROR"},
                          "Not a file: ",
                          "",
                          false,
                          "It is a FIFO, a socket or a device, and only files can be used"},
    [EM_E_PATH] = {{"IO_ERROR", "EXECUTION_ERROR"}, "Path cannot be resolved: ", "", true, NULL},
    [EM_E_BINARY] =
        {{"BINARY_FILE", "BINARY_FILE"}, "File appears to be binary: ", "", false, NULL},
    [EM_E_CONFLICT] = {{"CONFLICT", "CONFLICT"}, "", " has changed", true, NULL},
    [EM_E_TIMEOUT] = {{"TIMEOUT", "TIMEOUT"}, "Timed out: ", "", true, em_send_later},
    [EM_E_IO] = {{"IO_ERROR", "EXECUTION_ERROR"}, "Input/output error: ", "", true, NULL},
    [EM_E_UNSETTLED] = {{"CONFLICT", "EXECUTION_ERROR"},
                        "",
                        " waits for a decision about an interrupted change",
                        true,
                        EM_NOTHING_WRITTEN "A person must run: emend recover"},
    [EM_E_UNKNOWN] = {{"CONFLICT", "EXECUTION_ERROR"},
                      "What became of ",
                      " is not known yet",
                      true,
                      "Some of the files may be changed. The next change settles it, and so does: "
                      "emend recover"},
    [EM_E_INTERNAL] = {{"INTERNAL_ERROR", "INTERNAL_ERROR"}, "Internal error: ", "", true, NULL},
};

em_code em_code_of(em_status status)
{
    return words_of[status].code;
}

const char *em_advice_of_status(em_status status)
{
    return words_of[status].advice;
}

const em_workspace *em_reply_workspace(const em_reply *reply)
{
    return em_session_workspace(reply->call->session);
}

bool em_leaves_its_root(const em_reply *reply)
{
    const em_error *error = &reply->outcome->error;
    return error->code == EM_E_OUTSIDE && error->sys == EXDEV &&
           em_ws_root_count(em_reply_workspace(reply)) > 1;
}

static const char *reason_by_status(em_reply *reply)
{
    const em_error *error = &reply->outcome->error;
    if (em_leaves_its_root(reply))
        return em_reply_format(reply, "Access denied: %s leads out of the root that it begins in",
                               reply->path);
    const status_words *words = &words_of[error->code];
    bool detail = words->detail && error->detail[0];
    return em_reply_format(reply, "%s%s%s%s%s", words->lead, reply->path, words->tail,
                           detail ? ": " : "", detail ? error->detail : "");
}

bool em_is_search_timeout(const em_reply *reply)
{
    const em_outcome *outcome = reply->outcome;
    return outcome->error.code == EM_E_TIMEOUT && outcome->failed_op &&
           !em_op_is_pattern(outcome->failed_op);
}

bool em_is_of_empty_file(const em_reply *reply)
{
    const em_text *text = &reply->outcome->text;
    return text->charset && text->body.len == text->start;
}

bool em_is_of_consent(const em_error *error)
{
    return error->cause == EM_CAUSE_REFUSED || error->cause == EM_CAUSE_UNANSWERED ||
           error->cause == EM_CAUSE_CANNOT_ASK;
}

const char *em_reason_of_consent(em_reply *reply, const em_error *error, const char *what)
{
    const char *colon = error->detail[0] ? ": " : "";
    if (error->cause == EM_CAUSE_REFUSED)
        return em_reply_format(reply, "The person who reviews changes refused %s%s%s", what, colon,
                               error->detail);
    if (error->cause == EM_CAUSE_UNANSWERED)
        return em_reply_format(reply, "Nobody said yes to %s%s%s", what, colon, error->detail);
    return em_reply_format(reply, "A person has to say yes to %s, and nobody can be asked%s%s",
                           what, colon, error->detail);
}

/* NULL: the status's own sentence will do. */
static const char *reason_by_cause(em_reply *reply)
{
    const em_error *error = &reply->outcome->error;
    const em_words *words = reply->words;
    switch (error->cause) {
    case EM_CAUSE_NO_CHANGE:
        return em_reply_format(reply, "%s and %s are the same, so nothing would change in %s",
                               words->find ? words->find : "the lines", words->insert, reply->path);
    case EM_CAUSE_EMPTY_SEARCH:
        return em_reply_format(reply,
                               em_is_of_empty_file(reply)
                                   ? "%s is empty, but an edit before this one puts text into %s"
                                   : "%s is empty, but %s is not",
                               words->find, reply->path);
    case EM_CAUSE_PLACEHOLDER:
        return em_reply_format(reply, "%s leaves out text that belongs there: \"%s\"",
                               words->insert, error->detail);
    case EM_CAUSE_NUL:
        return em_reply_format(reply, "%s holds a NUL character", words->insert);
    case EM_CAUSE_OVERLAP:
        return em_reply_format(reply, "edits %zu and %td want the same text of %s",
                               reply->outcome->failure.other_op + 1, error->edit + 1, reply->path);
    case EM_CAUSE_PAGE:
        return em_reply_format(reply, "The elements of %s cannot be edited: %s", reply->path,
                               error->detail);
    case EM_CAUSE_STATE_DIR:
        if (error->code == EM_E_IO) /* it has no room, and the detail says where that is */
            break;
        return em_reply_format(reply, "Cannot change %s: %s", reply->path, error->detail);
    case EM_CAUSE_STALE_TEXT: /* whether the file has changed, or was read wrong, nobody knows */
        return em_reply_format(reply, "%s: %s", reply->path, error->detail);
    case EM_CAUSE_NONE:
    case EM_CAUSE_NOT_FOUND:
    case EM_CAUSE_AMBIGUOUS:
    case EM_CAUSE_TOO_FEW:
    case EM_CAUSE_ALREADY_APPLIED:
    case EM_CAUSE_ENCODING:
    case EM_CAUSE_PATTERN:
    case EM_CAUSE_RANGE:
    case EM_CAUSE_CHANGED:
    case EM_CAUSE_TWIN_NAME:
    case EM_CAUSE_REFUSED:
    case EM_CAUSE_UNANSWERED:
    case EM_CAUSE_CANNOT_ASK:
        break;
    }
    return NULL;
}

const char *em_reason(em_reply *reply)
{
    const em_error *error = &reply->outcome->error;
    if (em_is_of_consent(error))
        return em_reason_of_consent(reply, error,
                                    em_reply_format(reply, "the change of %s", reply->path));
    if (em_is_search_timeout(reply))
        return em_reply_format(reply,
                               "%s does not stand in %s exactly, and the search for text like it "
                               "took too long",
                               reply->words->find, reply->path);
    const char *reason = reason_by_cause(reply);
    return reason ? reason : reason_by_status(reply);
}
