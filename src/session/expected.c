/* expected.c: the file that was opened against what its caller knows of it.
 *
 * What the call itself says (a hash, a size, a time) wins over what the session remembers of the
 * caller's last read. Where they differ the call is a conflict, or a merge if it asks for one.
 */
#include "session/file_run.h"

#include "base/ascii.h"

#include <inttypes.h>
#include <string.h>

/* What the caller knows of the file that the outcome is about; false: nothing. */
static bool recall(const em_file_run *run, em_stamp *stamp)
{
    const em_edit_request *request = run->request;
    const char *caller = em_session_caller(run->session, request->session, request->stateless);
    return caller && em_session_recall(run->session, caller, run->outcome->file.path, stamp);
}

/* A hash as a caller sends it, with letters of either case; false where it can be none. */
static bool read_hash(const char *text, em_hash *hash)
{
    *hash = (em_hash){""};
    if (strlen(text) != sizeof hash->hex - 1)
        return false;
    for (size_t i = 0; text[i]; i++) {
        if (em_hex_digit(text[i]) >= 16)
            return false;
        hash->hex[i] = em_to_lower(text[i]);
    }
    return true;
}

static em_status check_hash(const em_file_run *run, const char *expected)
{
    const char *hash = run->outcome->hash.hex;
    em_hash wanted;
    bool is_hash = read_hash(expected, &wanted);
    if (is_hash && em_hash_eq(wanted, run->outcome->hash))
        return EM_OK;
    return em_fail_cause(&run->outcome->error, EM_E_CONFLICT, EM_CAUSE_CHANGED,
                         "its content has the hash %s, not the expected %s%s", hash, expected,
                         is_hash ? ""
                                 : ", which is no hash of an answer: these have 32 "
                                   "hexadecimal digits");
}

static em_status check_size(const em_file_run *run, int64_t expected)
{
    int64_t size = (int64_t)run->outcome->size;
    if (size == expected)
        return EM_OK;
    return em_fail_cause(&run->outcome->error, EM_E_CONFLICT, EM_CAUSE_CHANGED,
                         "it has %" PRId64 " bytes, not the expected %" PRId64, size, expected);
}

static em_status check_mtime(const em_file_run *run, int64_t expected)
{
    int64_t mtime = run->outcome->mtime_ms;
    if (mtime == expected)
        return EM_OK;
    return em_fail_cause(&run->outcome->error, EM_E_CONFLICT, EM_CAUSE_CHANGED,
                         "it was last changed at %" PRId64 " ms, not at the expected %" PRId64
                         " ms",
                         mtime, expected);
}

/* The file against what the caller last read of it. */
static em_status check_recalled(const em_file_run *run)
{
    em_stamp stamp;
    bool is_known = run->request->recall != EM_RECALL_NOT && recall(run, &stamp);
    if (!run->outcome->file.exists)
        return EM_OK;
    if (!is_known && run->request->recall == EM_RECALL_DEMANDED)
        return em_fail(&run->outcome->error, EM_E_EXISTS, "the file was not read before");
    if (!is_known)
        return EM_OK;
    EM_TRY(check_size(run, (int64_t)stamp.size));
    EM_TRY(check_mtime(run, stamp.mtime_ms));
    return check_hash(run, stamp.hash.hex);
}

/* Is what the caller says of size and time what is remembered of the file? */
static bool repeats(const em_edit_request *request, const em_stamp *stamp)
{
    return (!request->expected_size || *request->expected_size == (int64_t)stamp->size) &&
           (!request->expected_mtime_ms || *request->expected_mtime_ms == stamp->mtime_ms);
}

/* The empty hash is that of a file that is not there. */
static em_status check_missing(const em_file_run *run, const char *expected)
{
    bool expects_none = expected && expected[0] == '\0';
    if (run->outcome->file.exists && expects_none)
        return em_fail_cause(&run->outcome->error, EM_E_CONFLICT, EM_CAUSE_CHANGED,
                             "the file is there, and was not to be");
    if (!run->outcome->file.exists && !expects_none)
        return em_fail_cause(&run->outcome->error, EM_E_CONFLICT, EM_CAUSE_CHANGED,
                             "the file is gone");
    return EM_OK;
}

/* The file against what the caller says of it, which wins over what is remembered. Who only repeats
 * a part of that means the content, too. */
static em_status check_expected(const em_file_run *run)
{
    const em_edit_request *request = run->request;
    bool expects = request->expected_hash || request->expected_size || request->expected_mtime_ms;
    em_stamp stamp;
    bool is_known = request->recall != EM_RECALL_NOT && recall(run, &stamp);
    if (!expects)
        return check_recalled(run);
    EM_TRY(check_missing(run, request->expected_hash));
    if (!run->outcome->file.exists)
        return EM_OK;
    if (request->expected_size)
        EM_TRY(check_size(run, *request->expected_size));
    if (request->expected_mtime_ms)
        EM_TRY(check_mtime(run, *request->expected_mtime_ms));
    if (request->expected_hash)
        return check_hash(run, request->expected_hash);
    return is_known && repeats(request, &stamp) ? check_hash(run, stamp.hash.hex) : EM_OK;
}

/* Which version the caller read, as far as it or its memory says; false where neither does. */
static bool version_read(const em_file_run *run, em_hash *hash)
{
    const em_edit_request *request = run->request;
    em_stamp stamp;
    if (request->expected_hash)
        return read_hash(request->expected_hash, hash);
    if (!recall(run, &stamp) || !repeats(request, &stamp))
        return false;
    *hash = stamp.hash;
    return true;
}

/* A version of a large file is not kept; one that may be held is asked for. */
static em_status hold_for_merge(const em_file_run *run)
{
    em_outcome *outcome = run->outcome;
    em_error why = EM_ERROR_INIT;
    if (!outcome->file.is_large)
        return EM_OK;
    em_status status = em_large_load(run->session->workspace, &outcome->file, &why);
    if (status != EM_E_TOO_LARGE) {
        outcome->error = status == EM_OK ? outcome->error : why;
        return status;
    }
    em_error was = outcome->error;
    return em_fail_cause(&outcome->error, was.code, was.cause,
                         "%s; versions of files of this size are not kept, so the edit cannot be "
                         "carried over",
                         was.detail);
}

em_status em_file_run_check_expected(const em_file_run *run)
{
    em_outcome *outcome = run->outcome;
    em_status status = check_expected(run);
    bool may_merge = status == EM_E_CONFLICT && run->request->merge && run->merge;
    if (!may_merge || !outcome->file.exists || !version_read(run, &run->merge->base))
        return status;
    if (!em_hash_eq(run->merge->base, outcome->file.hash))
        EM_TRY(hold_for_merge(run));
    outcome->error = EM_ERROR_INIT;
    run->merge->is_wanted = !em_hash_eq(run->merge->base, outcome->file.hash);
    return EM_OK;
}

void em_file_run_remember(const em_file_run *run)
{
    em_outcome *outcome = run->outcome;
    const em_edit_request *request = run->request;
    const char *caller = em_session_caller(run->session, request->session, request->stateless);
    em_stamp stamp;
    if (outcome->committed && recall(run, &stamp) &&
        (request->recall != EM_RECALL_NOT || em_hash_eq(stamp.hash, outcome->file.hash)))
        em_session_remember(run->session, caller, outcome->file.path, em_outcome_stamp(outcome));
}
