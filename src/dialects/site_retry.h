/* site_retry.h: what to send instead for a file that failed, and what its error says of that. */
#ifndef EM_DIALECTS_SITE_RETRY_H
#define EM_DIALECTS_SITE_RETRY_H

#include "answers/reply.h"
#include "dialects/site_change.h"

/* What to send for a file that failed. */
typedef struct em_site_retry {
    bool is_known;
    bool fails_again; /* at what is told of it: not all of it could be corrected */
    json_t *args;     /* em_site_change.args, corrected; owned. NULL: nothing is left to be done */
    const char *told, *otherwise; /* what the error says of it, and if the answer comes to have no
                                     such retry; NULL: nothing. em_site_tell_retry() */
    size_t place;                 /* of that in the error: bytes before it */
} em_site_retry;

/* What to send, of the outcome that the reply has seen: the operation at fault is corrected, or
 * left out where it was made before, and so are those that this very call has made. What the error
 * says of it is not set yet. */
em_site_retry em_site_retry_of(em_reply *reply, const em_site_change *of);

/* Has the error in `object` say whether the answer has what to send for the file: with several
 * files that is known when all are done. */
void em_site_tell_retry(em_json *json, json_t *object, const em_site_retry *retry, bool is_there);

#endif
