/* envelope.h: the standard envelope, version 1.0, around the answers of a family of tools.
 *
 *   {status, data, text, error, stats, context}
 *
 * and nothing else at the top; `error` only where `status` is "error". `data` is always an object.
 * `text` is for the model to read: what was done with what result, what the status means here, and
 * what to do next.
 *
 *   em_envelope_open    the time runs
 *   em_envelope_take    it stops; now the tool sets fields of data and stats, and writes reply.text
 *   em_envelope_fail    the answer is an error: its first sentence, its code and its cause
 *   em_envelope_finish  the answer
 */
#ifndef EM_DIALECTS_ENVELOPE_H
#define EM_DIALECTS_ENVELOPE_H

#include "answers/reason.h"
#include "arguments/args.h"

#include <stdint.h>

typedef struct em_envelope {
    em_reply reply;
    json_t *data, *stats; /* the answer's */
    json_t *error;        /* NULL as long as it is none */
    bool fails_again;     /* what is to be sent instead would fail, too, as the text says */
    int64_t start_ns;
    uint64_t took_ms;
} em_envelope;

/* `words` as in em_reply_init. Drop with em_envelope_drop(), also after a finish. */
void em_envelope_open(em_envelope *env, const em_call *call, const em_words *words);
void em_envelope_drop(em_envelope *env);

/* The outcome, borrowed, without suggestions that no path of this family leads to; of a call that
 * did not get as far: em_envelope_refused(). */
void em_envelope_take(em_envelope *env, em_outcome *outcome);
em_outcome em_envelope_refused(em_status status, em_cause cause, ptrdiff_t edit);

/* Why the outcome is a failure: one sentence, in the arena. */
const char *em_envelope_reason(em_envelope *env);

/* Append what to do about it; set data.retry where the path shows what was meant. */
void em_envelope_add_advice(em_envelope *env);

/* Of edits that are looked for in the file as it was: would all of them hold one after the other,
 * slips that outcome->further mends aside, and one not so since it builds on one before it? */
bool em_holds_in_sequence(const em_outcome *outcome);

/* Append that, as far as it is known; nothing where it is not so. */
void em_envelope_add_giver(em_envelope *env);

/* The arguments with the mode for it, and with what is written otherwise corrected in their list. A
 * new reference; NULL when memory ran out. */
json_t *em_envelope_in_sequence(em_envelope *env, em_args args, const char *list,
                                const em_words *words);

/* Begin the text of an error by `message`, and set `error` and data.cause. What to do next is for
 * the caller to append. */
void em_envelope_fail(em_envelope *env, const char *message);

/* Set data.retry by arguments that can be sent instead of the call's, and say so; their `path` is
 * made relative, and where it leads out of the first root there is none. They are taken, and may be
 * NULL. */
void em_envelope_set_retry(em_envelope *env, json_t *retry);

/* The same of arguments of which nothing is known but that: they are tried out before, and what
 * they would fail at is told. */
void em_envelope_try_retry(em_envelope *env, json_t *retry);

/* The whole answer, with the fields that every answer about a file has. `partial` is ignored in an
 * error. EM_E_NOMEM. */
em_status em_envelope_finish(em_envelope *env, bool partial, em_answer *answer);

/* The answer to arguments that did not pass the check. The envelope is dropped. */
em_status em_envelope_refuse(em_envelope *env, const em_call_refusal *refusal, em_answer *answer);

/* What em_tool.read_failure is for such a tool. */
em_status em_envelope_read_failure(const em_answer *answer, em_arena *arena,
                                   em_call_failure *failure);

/* For the tables of what an answer holds. */
extern const char *const em_envelope_statuses[];
extern const em_param em_envelope_context[];
extern const em_param em_envelope_error[];

/* The top of an answer, with the fields of its data and stats. */
#define EM_ENVELOPE_RESULT(data_fields, stats_fields)                                              \
    {.name = "status",                                                                             \
     .type = EM_P_STRING,                                                                          \
     .flags = EM_P_REQUIRED,                                                                       \
     .words = em_envelope_statuses},                                                               \
        {.name = "data", .type = EM_P_OBJECT, .flags = EM_P_REQUIRED, .fields = (data_fields)},    \
        {.name = "text", .type = EM_P_STRING, .flags = EM_P_REQUIRED},                             \
        {.name = "error", .type = EM_P_OBJECT, .fields = em_envelope_error},                       \
        {.name = "stats", .type = EM_P_OBJECT, .flags = EM_P_REQUIRED, .fields = (stats_fields)},  \
    {                                                                                              \
        .name = "context", .type = EM_P_OBJECT, .flags = EM_P_REQUIRED,                            \
        .fields = em_envelope_context                                                              \
    }

#endif
