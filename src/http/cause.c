#include "http/cause.h"

static const char *status_word(em_status status)
{
    static const char *const words[] = {
        [EM_OK] = "other",
        [EM_E_NOMEM] = "out_of_memory",
        [EM_E_INVALID] = "arguments",
        [EM_E_TOO_MANY_EDITS] = "too_many_edits",
        [EM_E_TOO_LARGE] = "too_large",
        [EM_E_NO_MATCH] = "not_found",
        [EM_E_COUNT] = "wrong_count",
        [EM_E_OVERLAP] = "overlap",
        [EM_E_NOT_FOUND] = "no_such_file",
        [EM_E_EXISTS] = "exists",
        [EM_E_OUTSIDE] = "outside",
        [EM_E_DENIED] = "denied",
        [EM_E_PERMISSION] = "permission",
        [EM_E_IS_FOLDER] = "not_a_file",
        [EM_E_NOT_REGULAR] = "not_a_file",
        [EM_E_PATH] = "path",
        [EM_E_BINARY] = "binary",
        [EM_E_CONFLICT] = "conflict",
        [EM_E_TIMEOUT] = "timeout",
        [EM_E_IO] = "io",
        [EM_E_UNSETTLED] = "unsettled",
        [EM_E_UNKNOWN] = "unknown",
        [EM_E_INTERNAL] = "internal",
    };
    return words[status];
}

static const char *file_cause(const em_observed *file)
{
    const char *name = em_cause_name(file->cause);
    if (file->status == EM_E_NOT_FOUND && !file->path) /* an undo that came to no file */
        return "no_such_edit";
    return *name ? name : status_word(file->status);
}

/* What was wrong with a call that came to no file. */
static const char *early_cause(const em_mcp_called *called)
{
    if (called->verdict == EM_VERDICT_NO)
        return em_cause_name(EM_CAUSE_REFUSED);
    if (called->verdict == EM_VERDICT_LATE)
        return em_cause_name(EM_CAUSE_UNANSWERED);
    if (called->code == EM_RPC_INTERNAL_ERROR)
        return "internal";
    return called->is_unknown ? "unknown_tool" : "arguments";
}

const char *em_http_cause(const em_mcp_called *called)
{
    if ((!called->is_error && called->code == 0) || called->is_asked)
        return NULL;
    if (called->cancelled || called->verdict == EM_VERDICT_GONE)
        return "cancelled";
    for (size_t i = 0; i < called->file_count; i++)
        if (called->files[i].status != EM_OK)
            return file_cause(&called->files[i]);
    return called->file_count > 0 ? "other" : early_cause(called);
}

em_tier em_http_tier(const em_mcp_called *called)
{
    em_tier loosest = EM_TIER_EXACT;
    for (size_t i = 0; i < called->file_count; i++)
        for (size_t j = 0; j < called->files[i].tier_count; j++)
            if (called->files[i].tiers[j] > loosest)
                loosest = called->files[i].tiers[j];
    return loosest;
}
