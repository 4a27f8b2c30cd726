/* error.c: the engine's errors in public words, and the small things that every part needs. */
#include "api/handles.h"

#include <stdlib.h>

/* ---- Codes --------------------------------------------------------------------------------- */

/* The public codes are the engine's, one by one. */
#define CODES(CODE)                                                                                \
    CODE(OK, "ok")                                                                                 \
    CODE(E_NOMEM, "no_memory")                                                                     \
    CODE(E_INVALID, "invalid")                                                                     \
    CODE(E_TOO_MANY_EDITS, "too_many_edits")                                                       \
    CODE(E_TOO_LARGE, "too_large")                                                                 \
    CODE(E_NO_MATCH, "no_match")                                                                   \
    CODE(E_COUNT, "wrong_count")                                                                   \
    CODE(E_OVERLAP, "overlap")                                                                     \
    CODE(E_NOT_FOUND, "file_not_found")                                                            \
    CODE(E_EXISTS, "file_exists")                                                                  \
    CODE(E_OUTSIDE, "outside_roots")                                                               \
    CODE(E_DENIED, "denied")                                                                       \
    CODE(E_PERMISSION, "permission")                                                               \
    CODE(E_IS_FOLDER, "is_folder")                                                                 \
    CODE(E_NOT_REGULAR, "not_regular")                                                             \
    CODE(E_PATH, "path")                                                                           \
    CODE(E_BINARY, "binary")                                                                       \
    CODE(E_CONFLICT, "conflict")                                                                   \
    CODE(E_TIMEOUT, "timeout")                                                                     \
    CODE(E_IO, "io")                                                                               \
    CODE(E_UNSETTLED, "unsettled")                                                                 \
    CODE(E_UNKNOWN, "outcome_unknown")                                                             \
    CODE(E_INTERNAL, "internal")

#define CODE_IS_SAME(name, word)                                                                   \
    _Static_assert((int)EMEND_##name == (int)EM_##name, "public code " word);
CODES(CODE_IS_SAME)

#define CODE_WORD(name, word) [EMEND_##name] = (word),
static const char *const words[] = {CODES(CODE_WORD)};

const char *emend_status_name(emend_status status)
{
    size_t index = (size_t)status;
    return index < sizeof words / sizeof words[0] ? words[index] : "unknown";
}

/* ---- Errors -------------------------------------------------------------------------------- */

_Static_assert((int)EMEND_NO_EDIT == (int)EM_NO_EDIT, "public edit index");
_Static_assert((int)EMEND_DETAIL_SIZE == (int)EM_DETAIL_SIZE, "public detail");

/* What the command line calls a member of emend_session_options. No member is longer. */
static const struct option {
    const char *flag, *member;
} options[] = {
    {"--root", "roots"},
    {"--state-dir", "state_dir"},
    {"--no-history", "no_history"},
    {"--read-only", "read_only"},
    {"--in-place", "in_place"},
    {"--allow-owner-change", "allow_owner_change"},
    {"--deny", "deny"},
    {"--allow", "allow"},
};

/* The flag at the start of `text`, and of nothing longer; NULL. */
static const struct option *option_at(const char *text)
{
    for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
        size_t length = strlen(options[i].flag);
        if (strncmp(text, options[i].flag, length) == 0 && text[length] != '-')
            return &options[i];
    }
    return NULL;
}

/* The engine's sentences name flags, which callers of this library have not: they name members. */
static void name_members(char *detail)
{
    char *to = detail;
    for (const char *from = detail; *from;) {
        bool begins = from == detail || from[-1] == ' ' || from[-1] == '(';
        const struct option *option = begins ? option_at(from) : NULL;
        if (!option) {
            *to++ = *from++;
            continue;
        }
        memcpy(to, option->member, strlen(option->member));
        to += strlen(option->member);
        from += strlen(option->flag);
    }
    *to = '\0';
}

emend_status em_api_fail(em_status status, em_error *error, emend_error *err)
{
    em_fail_at_least(error, status);
    if (err) {
        *err = (emend_error){.code = (emend_status)error->code,
                             .cause = em_cause_name(error->cause),
                             .system = error->sys,
                             .edit = error->edit,
                             .other_edit = EMEND_NO_EDIT};
        memcpy(err->detail, error->detail, sizeof err->detail);
        name_members(err->detail);
    }
    return (emend_status)status;
}

emend_status em_api_refuse(emend_status status, const char *detail, emend_error *err)
{
    em_error error = EM_ERROR_INIT;
    return em_api_fail(em_fail(&error, (em_status)status, "%s", detail), &error, err);
}

/* ---- Bytes --------------------------------------------------------------------------------- */

const char *emend_version(void)
{
    return EMEND_VERSION;
}

emend_status em_api_copy(em_slice bytes, char **out, emend_error *err)
{
    *out = malloc(bytes.len + 1);
    if (!*out)
        return em_api_refuse(EMEND_E_NOMEM, "out of memory", err);
    if (bytes.len > 0)
        memcpy(*out, bytes.ptr, bytes.len);
    (*out)[bytes.len] = '\0';
    return EMEND_OK;
}

void emend_free(char *bytes)
{
    free(bytes);
}
