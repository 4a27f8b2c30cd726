/* site_change.h: a change of one file by a tool of the site dialect, and what came of it. */
#ifndef EM_DIALECTS_SITE_CHANGE_H
#define EM_DIALECTS_SITE_CHANGE_H

#include "arguments/args.h"
#include "session/session.h"
#include "tools/words.h"

/* What the members of an operation on text are called. */
extern const em_words em_site_edit_words;

/* How much of what was asked for was done: "success". */
typedef enum em_done { EM_DONE_ALL, EM_DONE_PART, EM_DONE_NONE } em_done;

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

em_done em_site_done(const em_outcome *outcome);

/* Is it an operation on an element that failed? */
bool em_site_dom_failed(const em_outcome *outcome);

bool em_site_writes_whole(const em_site_change *of);

#endif
