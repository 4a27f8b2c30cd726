/* site_again.h: what to send after a call about several files of which some failed.
 *
 *  (1) Where nothing was written, by a dry run or since all of it is done or none, it is the whole
 *      call with what failed corrected. Where the others were written it is what failed alone.
 *  (2) What it is not known of what to send is left out, and that is told; but where the call is
 *      only tried out, since the answer to another one tells what to send, it stays as it came.
 *  (3) What to send for a file was found out on the file as it was then. So of a file that is named
 *      several times only the first failure is corrected, and only if nothing was done to the file
 *      behind it.
 */
#ifndef EM_DIALECTS_SITE_AGAIN_H
#define EM_DIALECTS_SITE_AGAIN_H

#include "dialects/site_retry.h"

/* What came of one of the files. */
typedef struct em_site_entry {
    const json_t *given; /* the element of the call's list */
    const char *path;    /* absolute and resolved; NULL: there was no such file */
    bool failed;
    bool changed;        /* its bytes are others than before, or would be */
    em_site_retry retry; /* of what failed */
    json_t *answer;      /* about it, borrowed */
    bool is_again;       /* set here: what to send has it, corrected */
} em_site_entry;

typedef struct em_site_again {
    json_t *args;     /* owned; NULL: there is nothing to send, or it is not known what */
    size_t elements;  /* in its list */
    size_t left_out;  /* of what failed: by (2) */
    bool fails_again; /* at what is told of one of them */
} em_site_again;

/* `list` is the argument that has the elements; `whole`: nothing was written. EM_E_NOMEM. */
em_status em_site_call_again(em_json *json, const em_call *call, const char *list,
                             em_site_entry *entries, size_t count, bool whole,
                             em_site_again *again);

#endif
