/* retry.h: the arguments to send instead of those of a call that failed.
 *
 * They are made of the arguments that came: of what is taken over there are no copies, and what is
 * left out or written anew is a copy. A part of an answer that did not fit has been left out, never
 * cut.
 */
#ifndef EM_ANSWERS_RETRY_H
#define EM_ANSWERS_RETRY_H

#include "answers/reply.h"
#include "arguments/args.h"

/* ---- Making one ----------------------------------------------------------------------------- */

/* `args` with the path of the file that is clearly meant, for who sends them again. A new
 * reference; NULL where it is not clear. */
json_t *em_args_with_near_file(em_reply *reply, em_args args);

/* The arguments without the elements [from, to) of their list `name`, for who sends them again. A
 * new reference; NULL when none is left. */
json_t *em_args_without(em_json *json, em_args args, const char *name, size_t from, size_t to);

/* The arguments with the texts that their edits should have had, under the names that `words` has:
 * that of reply->correction (if there is one), and those that would have failed next
 * (outcome->further), without those that were made before, but that one. The edits are the elements
 * of the list `list`; NULL: there is one, the arguments themselves. A new reference. */
json_t *em_args_corrected(em_reply *reply, em_args args, const char *list, const em_words *words);

/* Where an edit of the call stands in the list of em_args_corrected(), which has it. */
size_t em_retry_place(const em_outcome *outcome, size_t op);

/* The arguments with the path of the file that is clearly meant, and with texts as that has them,
 * where they are otherwise (outcome->there). A new reference; NULL where the file is not clear. */
json_t *em_args_elsewhere(em_reply *reply, em_args args, const char *list, const em_words *words);

/* Is nothing gained by sending the call without the edits that were made before? It would fail as
 * it is at another one. */
bool em_leaving_out_is_futile(const em_outcome *outcome);

/* What to send instead of a call that failed: for the file that is clearly meant, or with its edits
 * corrected, and without those that were made before, or are in it twice. A new reference; NULL
 * where nothing is left, or nothing known. */
json_t *em_args_retry(em_reply *reply, em_args args, const char *list, const em_words *words);

/* Is an edit of the call, or the call in the file that is clearly meant, told of that would still
 * fail? */
bool em_retry_fails_again(const em_outcome *outcome);

/* ---- Answering with one --------------------------------------------------------------------- */

/* Is there a retry, and short enough to be given? */
bool em_retry_fits(const json_t *retry);

/* Sets "retry", which is taken and may be NULL, or "retry_omitted" where it is too long. */
void em_set_retry(em_json *json, json_t *object, json_t *retry);

/* The same in words, of one that fits: append "\nSend these arguments: {...}". `fails_again`: what
 * it would fail at has been told, and is to be corrected before. */
void em_add_retry(em_strbuf *text, const json_t *retry, bool fails_again);

/* Append what to send, as the last of an answer in words: the texts of the edit at fault, or, where
 * other edits of the call are corrected or left out as well, or its path is, or it is only tried
 * out, the whole call. */
void em_add_way_to_send(em_reply *reply, const json_t *retry);

#endif
