/* check.h: is the world as it may be after a run?
 *
 * The rules are those of a change that is all or nothing. What a sweep knows better (a foreign
 * writer was there, an answer was given) it says in `allowed`.
 */
#ifndef EM_FAULT_CHECK_H
#define EM_FAULT_CHECK_H

#include "scenarios.h"

/* Which content the file has, by its bytes. */
typedef enum content {
    CONTENT_NONE = 1, /* there is no file */
    CONTENT_OLD = 2,
    CONTENT_NEW = 4,
    CONTENT_FOREIGN = 8,          /* what a foreign writer saved */
    CONTENT_FOREIGN_CHANGED = 16, /* the same with the change made to it */
    CONTENT_OTHER = 32,           /* anything else: torn, or lost */
} content;

/* What is not demanded. */
enum {
    CHECK_STRAYS_MAY_STAY = 1,    /* names `.emend-...` */
    CHECK_ROWS_MAY_STAY = 2,      /* changes that are pending */
    CHECK_HISTORY_MAY_LACK = 4,   /* a commit for the new content */
    CHECK_FACTS_MAY_DIFFER = 8,   /* the file's mode, owner, attributes: a foreign writer's */
    CHECK_NO_HISTORY = 16,        /* the history is not looked at */
    CHECK_CANARY_MAY_DIFFER = 32, /* what lies outside the root */
    CHECK_FOLDERS_MAY_STAY = 64,  /* those that the change made, where the file is gone */
    CHECK_BACKUP_MAY_LACK = 128,
};

/* What the other files of a change of several must be. */
typedef enum check_others {
    OTHERS_FOLLOW, /* new where the file holds our change, else old: all of them */
    OTHERS_OLD,    /* all */
    OTHERS_NEW,    /* all */
    OTHERS_SAME,   /* all old or all new */
    OTHERS_ANY,    /* each for itself */
} check_others;

/* What is right. */
typedef struct check_allowed {
    unsigned contents; /* those that the file may have, or'ed */
    unsigned leniency; /* CHECK_... */
    int commits;       /* in the history; CHECK_COMMITS_BY_CONTENT: one when the change was made */
    check_others others;
} check_allowed;

enum { CHECK_COMMITS_BY_CONTENT = -1, CHECK_TEXT = 512 };

/* A scenario's world before the change, and the contents by which the file is told. */
typedef struct check {
    const scenario *scenario;
    world_list root, canary;
    em_slice old, changed, foreign, foreign_changed; /* owned */
    int descriptors;
} check;

/* The world must have been built. The caller's: check_end(). */
void check_begin(check *c, const scenario *s, const world *w);
void check_end(check *c);

/* How somebody else comes by the content that check.foreign is, and by foreign_changed, with our
 * change beside it. */
typedef enum check_other {
    CHECK_OTHER_SAVES,      /* a whole content; as check_begin leaves it */
    CHECK_OTHER_APPENDS,    /* scenario_line() */
    CHECK_OTHER_OVERWRITES, /* the first bytes by scenario_first_bytes() */
    CHECK_OTHER_INSERTS,    /* scenario_line() at the front */
} check_other;
void check_expect(check *c, check_other other);

/* What the file holds now. */
content check_content(const check *c, const world *w);
const char *check_content_name(content is);

/* Does any file below the root hold exactly this? */
bool check_holds_anywhere(const world *w, em_slice bytes);

/* Look at everything. NULL when it is as it may be; else what is wrong, in `text` (CHECK_TEXT). */
const char *check_world(const check *c, const world *w, const check_allowed *allowed, char *text);

#endif
