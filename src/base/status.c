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
    static const char *const names[] = {
        [EM_CAUSE_NONE] = "",
        [EM_CAUSE_NOT_FOUND] = "not_found",
        [EM_CAUSE_AMBIGUOUS] = "ambiguous",
        [EM_CAUSE_TOO_FEW] = "too_few",
        [EM_CAUSE_ALREADY_APPLIED] = "already_applied",
        [EM_CAUSE_NO_CHANGE] = "no_change",
        [EM_CAUSE_EMPTY_SEARCH] = "empty_search",
        [EM_CAUSE_PLACEHOLDER] = "placeholder",
        [EM_CAUSE_OVERLAP] = "overlap",
        [EM_CAUSE_ENCODING] = "encoding",
        [EM_CAUSE_NUL] = "nul",
        [EM_CAUSE_PATTERN] = "pattern",
        [EM_CAUSE_RANGE] = "range",
        [EM_CAUSE_STALE_TEXT] = "stale_text",
        [EM_CAUSE_CHANGED] = "changed",
        [EM_CAUSE_TWIN_NAME] = "twin_name",
        [EM_CAUSE_REFUSED] = "refused",
        [EM_CAUSE_UNANSWERED] = "unanswered",
        [EM_CAUSE_CANNOT_ASK] = "cannot_ask",
        [EM_CAUSE_PAGE] = "page",
        [EM_CAUSE_STATE_DIR] = "state_dir",
    };
    return names[cause];
}
