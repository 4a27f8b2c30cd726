/* handles.h: the inside of the public handles, and the way between public types and the engine's.
 *
 * This room translates and nothing else: each function of emend.h is a call of the engine with its
 * arguments in the engine's words and its answer in the public ones. It knows no rule of its own
 * but who owns what.
 */
#ifndef EM_API_HANDLES_H
#define EM_API_HANDLES_H

#include "session/session.h"

#include <emend.h>

struct emend_text {
    em_arena arena;
    em_text text;
    em_lines lines;
    bool missing; /* of a file that is not there yet */
};

struct emend_plan {
    em_arena arena;
    const emend_text *text;
    em_plan plan;
    em_splices raw; /* its splices over the bytes of the file */
};

struct emend_session {
    em_session *session;
    bool read_only;
};

/* Fill *err (which may be NULL) from what the engine says of its failure, and return that. */
emend_status em_api_fail(em_status status, em_error *error, emend_error *err);

/* The same for what the engine does not say: a status and, in `detail`, why. */
emend_status em_api_refuse(emend_status status, const char *detail, emend_error *err);

/* Where a match stands in its text. */
emend_place em_api_place(const emend_text *text, const em_match *match);

/* A copy of `bytes` with a NUL behind it, for emend_free(). EMEND_E_NOMEM. */
emend_status em_api_copy(em_slice bytes, char **out, emend_error *err);

static inline em_slice em_api_slice(emend_slice slice)
{
    return em_slice_make(slice.ptr, slice.len);
}

static inline emend_slice em_api_public(em_slice slice)
{
    return (emend_slice){slice.ptr, slice.len};
}

#endif
