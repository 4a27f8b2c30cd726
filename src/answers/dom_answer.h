/* dom_answer.h: what is answered about operations on the elements of a page. */
#ifndef EM_ANSWERS_DOM_ANSWER_H
#define EM_ANSWERS_DOM_ANSWER_H

#include "answers/reply.h"
#include "arguments/args.h"

/* Fields of an object answer, for its table. */
extern const em_param em_dom_failed_result[];
extern const em_param em_dom_operations_result[];

/* Append why an operation failed, and what could be meant. */
void em_dom_add_reason(em_reply *reply, const em_dom_outcome *failed);

/* The same with another sentence for why, without a full stop: that of who takes no JSON. */
void em_dom_add_sentence(em_reply *reply, const em_dom_outcome *failed, const char *sentence);

/* Append which operation failed first and why, what could be meant, and what is left to be done,
 * and how many failed beside it. `total`: how many operations there were. */
void em_dom_add_failure(em_reply *reply, size_t total);

/* Sets "failed": the operations that failed, with what could be meant; "failedTruncated" where
 * there are more than are told. */
void em_dom_set_failed(em_reply *reply, json_t *object);

/* Sets "domOperations": what each operation did, and where; of thousands the first, and
 * "domOperationsTruncated". */
void em_dom_set_results(em_reply *reply, json_t *object);

/* The arguments with the operations in their list `list` that failed, as far as it is known what
 * was meant corrected, and without those that are done (where `kept`). A new reference. */
json_t *em_dom_retry(em_json *json, em_args args, const char *list, const em_dom_plan *dom,
                     bool kept);

#endif
