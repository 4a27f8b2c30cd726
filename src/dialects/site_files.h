/* site_files.h: the files of a call, one by one or all together.
 *
 * A tool of the site dialect says how a file's arguments become a request; here it is run, and what
 * came of the files becomes the answer.
 */
#ifndef EM_DIALECTS_SITE_FILES_H
#define EM_DIALECTS_SITE_FILES_H

#include "arguments/args.h"
#include "dialects/site_answer.h"

/* Where the operations of a file are; a list that is NULL is not among the tool's arguments. */
typedef struct em_op_lists {
    const char *dom, *text;
} em_op_lists;

/* A file of a call: what is asked of it, and what came of it. */
typedef struct em_site_file {
    const em_call *call;
    em_args args;       /* the object that names it: the call's arguments, or an element */
    bool continues;     /* it is not the first of the call */
    em_paths same_call; /* of all files of the call, as they were given; none: it is the only one */
    size_t most_shown;  /* bytes of the file that its answer may show, in a diff or an error */
    json_t *answer;     /* whose fields are to be set */
    const char *path; /* absolute and resolved, in the call's arena; NULL: no such file was found */
    em_done done;
    bool changes; /* its bytes are others than before, or would be */
    em_site_retry retry;
    em_miscount miscount;
} em_site_file;

void em_site_file_drop(em_site_file *file);

/* Do what is asked of a file, and set its answer. EM_E_NOMEM only. */
em_status em_site_run(em_site_file *file, em_op_lists lists, const em_edit_request *request);

/* What the tools for several files differ in. */
typedef struct em_site_files {
    const char *list;       /* the argument that has an element for each file */
    em_op_lists operations; /* in such an element; none: the file is written whole */
    em_status (*request)(const em_site_file *file, em_edit_request *request);
} em_site_files;

/* Change the files of a call: each by itself, or with the argument `atomic` all or none. */
em_status em_site_change_files(const em_call *call, const em_site_files *kind, em_answer *answer);

/* The fields of its answer. */
extern const em_param em_site_changes_result[];

#endif
