/* site_answer.h: what the tools of the site dialect answer about one file.
 *
 * `error` stands right behind `success`: the object is the text block too, so what failed is what
 * is read first.
 */
#ifndef EM_DIALECTS_SITE_ANSWER_H
#define EM_DIALECTS_SITE_ANSWER_H

#include "answers/fields.h"
#include "answers/reply.h"
#include "dialects/site_retry.h"

void em_site_set_success(em_json *json, json_t *object, em_done done);

/* Append what went wrong and what to do, where no operation is at fault. */
void em_site_add_reason(em_reply *reply);

/* Sets "error" to the text of the reply, and "code" and "cause" from its outcome. */
void em_site_set_error(em_reply *reply, json_t *object);

/* Sets "file", and "path_resolved" where the file is not what its name says. */
void em_site_set_path(em_reply *reply, json_t *object, const char *given);

/* Sets "echo_truncated", where something of the call was cut: behind all that echoes. */
void em_site_set_echo(em_reply *reply, json_t *object);

/* Sets all fields of `object` but "retry", of which the error does not speak yet. EM_E_NOMEM only;
 * *retry is filled in either case. */
em_status em_site_answer_change(const em_call *call, const em_site_change *of, json_t *object,
                                em_site_retry *retry);

/* Sets the fields of a file to which nothing was done, for a reason that is not its outcome's.
 * EM_OK for `code`: nothing is wrong with it. */
em_status em_site_answer_held_back(const em_call *call, const em_site_change *of, const char *why,
                                   em_status code, json_t *object);

/* ---- The fields, from which the output schemas come ------------------------------------------ */

/* em_site_set_success() */
extern const char *const em_site_partial[];
#define EM_SITE_RESULT_SUCCESS                                                                     \
    {                                                                                              \
        .name = "success", .type = EM_P_BOOL_OR_WORD, .words = em_site_partial,                    \
        .flags = EM_P_REQUIRED                                                                     \
    }
/* What an answer that failed has, whatever was asked. */
#define EM_SITE_RESULT_FAILURE                                                                     \
    {.name = "error", .type = EM_P_STRING, .help = "What failed, and what to do about it."},       \
        {.name = "code", .type = EM_P_STRING}, EM_FIELD_CAUSE, EM_FIELD_RETRY,                     \
        EM_FIELD_RETRY_OMITTED
/* What an answer about a file has. */
#define EM_SITE_RESULT_FILE                                                                        \
    {.name = "file", .type = EM_P_STRING},                                                         \
        {.name = "path_resolved",                                                                  \
         .type = EM_P_STRING,                                                                      \
         .help = "Where it is, relative to its root, if that is not what file says."},             \
        EM_FIELD_HASH, EM_FIELD_WARNINGS

/* Of one file: of operations on text, or of both kinds, or written whole; and of operations on
 * elements alone. */
extern const em_param em_site_change_result[];
extern const em_param em_site_dom_result[];

#endif
