/* site_answer.h: what the tools of the site dialect answer about one file.
 *
 * `error` stands right behind `success`: the object is the text block too, so what failed is what
 * is read first.
 */
#ifndef EM_DIALECTS_SITE_ANSWER_H
#define EM_DIALECTS_SITE_ANSWER_H

#include "answers/fields.h"
#include "answers/reply.h"
#include "arguments/args.h"

/* What the members of an operation on text are called. */
extern const em_words em_site_edit_words;

/* How much of what was asked for was done: "success". */
typedef enum em_done { EM_DONE_ALL, EM_DONE_PART, EM_DONE_NONE } em_done;

em_done em_site_done(const em_outcome *outcome);

void em_site_set_success(em_json *json, json_t *object, em_done done);

/* Append what went wrong and what to do, where no operation is at fault. */
void em_site_add_reason(em_reply *reply);

/* Sets "error" to the text of the reply, and "code" and "cause" from its outcome. */
void em_site_set_error(em_reply *reply, json_t *object);

/* Sets "file", and "path_resolved" where the file is not what its name says. */
void em_site_set_path(em_reply *reply, json_t *object, const char *given);

/* Sets "echo_truncated", where something of the call was cut: behind all that echoes. */
void em_site_set_echo(em_reply *reply, json_t *object);

/* A change of a file that was asked for, and what came of it. */
typedef struct em_site_change {
    em_args args;         /* the object that names the file: the call's arguments, or an element */
    const char *list;     /* which of them are the operations on text; NULL: there are none */
    const char *dom_list; /* which are those on elements, done before; NULL: there are none.
                             Neither: the file was written whole */
    size_t most_shown;    /* bytes of the file, and of each text of the call, that its answer may
                             show where it failed */
    const em_edit_request *request;
    const em_outcome *outcome;
} em_site_change;

/* What to send for a file that failed. */
typedef struct em_site_retry {
    bool is_known;
    bool fails_again; /* at what is told of it: not all of it could be corrected */
    json_t *args;     /* em_site_change.args, corrected; owned. NULL: nothing is left to be done */
    const char *told, *otherwise; /* what the error says of it, and if the answer comes to have no
                                     such retry; NULL: nothing. em_site_tell_retry() */
    size_t place;                 /* of that in the error: bytes before it */
} em_site_retry;

/* Sets all fields of `object` but "retry", of which the error does not speak yet. EM_E_NOMEM only;
 * *retry is filled in either case. */
em_status em_site_answer_change(const em_call *call, const em_site_change *of, json_t *object,
                                em_site_retry *retry);

/* Has the error in `object` say whether the answer has what to send for the file: with several
 * files that is known when all are done. */
void em_site_tell_retry(em_json *json, json_t *object, const em_site_retry *retry, bool is_there);

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
