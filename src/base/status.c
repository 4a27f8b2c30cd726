#include "base/status.h"

#include "base/utf8.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>

static void error_set(em_error *err, em_status code, em_cause cause, int sys)
{
    err->code = code;
    err->cause = cause;
    err->sys = sys;
}

void em_error_cut(em_error *err, size_t most)
{
    err->detail[em_utf8_floor(em_slice_of(err->detail), most)] = '\0';
}

__attribute__((format(printf, 2, 0))) static void detail_format(em_error *err, const char *format,
                                                                va_list args)
{
    int length = vsnprintf(err->detail, sizeof err->detail, format, args);
    if (length >= EM_DETAIL_SIZE) /* cut: not in the middle of a code point */
        em_error_cut(err, EM_DETAIL_SIZE);
}

em_status em_fail(em_error *err, em_status code, const char *format, ...)
{
    if (err) {
        va_list args;
        error_set(err, code, EM_CAUSE_NONE, 0);
        va_start(args, format);
        detail_format(err, format, args);
        va_end(args);
    }
    return code;
}

em_status em_fail_at_least(em_error *err, em_status status)
{
    if (status != EM_OK && err && err->code != status)
        em_fail(err, status, "%s", status == EM_E_NOMEM ? "out of memory" : "");
    return status;
}

em_status em_fail_cause(em_error *err, em_status code, em_cause cause, const char *format, ...)
{
    if (err) {
        va_list args;
        error_set(err, code, cause, 0);
        va_start(args, format);
        detail_format(err, format, args);
        va_end(args);
    }
    return code;
}

em_status em_fail_sys(em_error *err, int sys, const char *what)
{
    em_status code = em_status_of_errno(sys);
    em_fail(err, code, "%s: %s", what, strerror(sys));
    if (err)
        err->sys = sys;
    return code;
}

em_status em_status_of_errno(int sys)
{
    switch (sys) {
    case 0:
        return EM_OK;
    case ENOENT:
    case ENOTDIR:
        return EM_E_NOT_FOUND;
    case EEXIST:
        return EM_E_EXISTS;
    case EXDEV:
        return EM_E_OUTSIDE;
    case EACCES:
    case EPERM:
    case EROFS:
        return EM_E_PERMISSION;
    case EISDIR:
        return EM_E_IS_FOLDER;
    case ELOOP:
    case ENAMETOOLONG:
        return EM_E_PATH;
    case ENOMEM:
        return EM_E_NOMEM;
    case ETIMEDOUT:
        return EM_E_TIMEOUT;
    default:
        return EM_E_IO;
    }
}

const char *em_cause_name(em_cause cause)
{
    switch (cause) { /* all of them: the compiler says which is forgotten */
    case EM_CAUSE_NONE:
        break;
    case EM_CAUSE_NOT_FOUND:
        return "not_found";
    case EM_CAUSE_AMBIGUOUS:
        return "ambiguous";
    case EM_CAUSE_TOO_FEW:
        return "too_few";
    case EM_CAUSE_ALREADY_APPLIED:
        return "already_applied";
    case EM_CAUSE_NO_CHANGE:
        return "no_change";
    case EM_CAUSE_EMPTY_SEARCH:
        return "empty_search";
    case EM_CAUSE_PLACEHOLDER:
        return "placeholder";
    case EM_CAUSE_OVERLAP:
        return "overlap";
    case EM_CAUSE_ENCODING:
        return "encoding";
    case EM_CAUSE_NUL:
        return "nul";
    case EM_CAUSE_PATTERN:
        return "pattern";
    case EM_CAUSE_RANGE:
        return "range";
    case EM_CAUSE_STALE_TEXT:
        return "stale_text";
    case EM_CAUSE_CHANGED:
        return "changed";
    case EM_CAUSE_TWIN_NAME:
        return "twin_name";
    case EM_CAUSE_REFUSED:
        return "refused";
    case EM_CAUSE_UNANSWERED:
        return "unanswered";
    case EM_CAUSE_CANNOT_ASK:
        return "cannot_ask";
    case EM_CAUSE_PAGE:
        return "page";
    case EM_CAUSE_STATE_DIR:
        return "state_dir";
    }
    return "";
}
