/* editor_task.h: what mcp__editor__Edit does to one file, and what it says of that.
 *
 * The sentences of the family's document are literal; what else a caller should know follows on
 * lines of its own.
 */
#ifndef EM_DIALECTS_EDITOR_TASK_H
#define EM_DIALECTS_EDITOR_TASK_H

#include "answers/reply.h"
#include "arguments/args.h"

/* What is to be done to one file. */
typedef struct em_editor_task {
    em_args args;     /* the object that names the file: the arguments, or an element of `files` */
    const char *path; /* as given */
    const char *lead; /* what its failure begins with, to tell it from other files; "" */
    const em_words *words;
    bool is_basic;
    const em_op *ops;
    size_t op_count;
} em_editor_task;

/* What the members of the basic form are called. */
extern const em_words em_editor_basic_words;

/* The words of `operation`, by em_op_kind; NULL ends them. */
extern const char *const em_editor_operations[];

/* EM_E_NOMEM only. */
em_status em_editor_task_of(const em_call *call, em_args args, const char *lead, em_editor_task *t);
em_edit_request em_editor_request(const em_call *call, const em_editor_task *t);

/* Append what was done, or what went wrong and what to do about it; of the outcome that the reply
 * is turned to. */
void em_editor_add_success(em_reply *reply, const em_editor_task *t, bool dry_run);
void em_editor_add_failure(em_reply *reply, const em_editor_task *t);

/* Sets `key` to the final path of a file that was reached by a link. */
void em_editor_set_path_by_link(em_reply *reply, const em_editor_task *t, json_t *object,
                                const char *key);

/* What the task's arguments should have been. A new reference; NULL. */
json_t *em_editor_retry(em_reply *reply, const em_editor_task *t);

#endif
