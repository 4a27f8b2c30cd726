/* scenarios.h: the changes that are swept, and how one of them is run.
 *
 * A scenario is one change of one file in a small world: what is there before, what is asked for,
 * what the system lacks. The same word is replaced in every file that exists, so that what a file
 * holds afterwards can be told by its bytes: see scenario_old and its like.
 *
 * A change of several files has others beside that one, which nobody meddles with: they must follow
 * it, all of them.
 */
#ifndef EM_FAULT_SCENARIOS_H
#define EM_FAULT_SCENARIOS_H

#include "fault_sys.h"
#include "world.h"

typedef enum scenario_kind {
    SCENARIO_EDIT,    /* one splice in a file that is there */
    SCENARIO_REWRITE, /* one splice over the whole of it */
    SCENARIO_EMPTY,   /* one splice that leaves nothing */
    SCENARIO_CREATE,
    SCENARIO_REMOVE,
} scenario_kind;

/* Another file of a change of several. */
typedef struct scenario_other {
    const char *path;
    scenario_kind kind; /* EDIT, CREATE or REMOVE */
} scenario_other;
enum { SCENARIO_OTHERS = 4 };

/* What is special about its world. */
enum {
    WORLD_ATTRIBUTE = 1,  /* the file has an extended attribute */
    WORLD_ACL = 2,        /* ... an access control list */
    WORLD_OWNER = 4,      /* ... another owner and group */
    WORLD_SYMLINK = 8,    /* `path` is a link to `target` */
    WORLD_HARD_LINK = 16, /* canary/other is the same file */
    WORLD_CLOSED = 32,    /* the folder of the file may not be written */
    WORLD_FRESH = 64,     /* there is no state directory yet */
    WORLD_LONG_LOG =
        256,             /* the history's write-ahead log is so long that it goes over at the end */
    WORLD_FOREIGN = 128, /* somebody saves the file just before the names are exchanged */
};

typedef struct scenario {
    const char *name;
    scenario_kind kind;
    const char *path;   /* as it is asked for, relative to the root */
    const char *target; /* the file that this leads to */
    unsigned world;
    size_t size; /* bytes of the old content, at least */
    unsigned lacks;
    size_t transfer;     /* fault_sys.h */
    bool windowed;       /* the target is too large to be held: it is read through a window */
    bool speculated;     /* ... and its new content is written meanwhile */
    const char *made[4]; /* folders that a create makes */
    scenario_other others[SCENARIO_OTHERS];
    size_t place; /* of `target` among them */
    em_sync sync;
    bool no_history, in_place, backup;
    long grace_ms;
    bool
        window; /* a foreign save between the last look and the change may be lost, as documented */
    bool whole; /* in a short sweep too, the calls on its history are met by everything */
    bool deep;  /* in a short sweep too, recovery itself is swept */
    bool rare;  /* differs from another one in little: left out where time is short */
} scenario;

extern const scenario scenarios[];
extern const size_t scenario_count;

/* Why this scenario cannot be played here; NULL if it can. */
const char *scenario_impossible(const scenario *s, const world *w);

/* A world as it is before the change. `history` is the state directory of a workspace that was used
 * before. */
void scenario_build(const scenario *s, world *w, const world_copy *history);

/* The contents that the file may have. Allocated with malloc; ptr NULL where there is no file. */
em_slice scenario_old(const scenario *s);
em_slice scenario_new(const scenario *s);
/* What a foreign writer saves: it holds the word to be replaced too. */
em_slice scenario_foreign(const scenario *s);
/* `content` with the change made to it. */
em_slice scenario_changed(const scenario *s, em_slice content);

/* The others, before and after: {0} where there is no file. Allocated with malloc. */
em_slice scenario_other_old(const scenario_other *other);
em_slice scenario_other_new(const scenario_other *other);
bool scenario_is_of_several(const scenario *s);

/* Set up a table of faults for this scenario: what its system lacks, its closed folder, the boot
 * id. */
void scenario_fault_sys(const scenario *s, const world *w, fault_sys *f, const em_sys *below);

/* How a run went. Plain data, so that a child process can leave it in shared memory. */
typedef struct scenario_run {
    em_status status; /* of the first step that failed */
    bool answered;    /* the change was answered, by success or failure */
    long answered_at; /* number of the last call before a success was answered */
    long opened;      /* number of the call after which the file had been read; 0: it was not */
    bool foreign;     /* a foreign save took place (WORLD_FOREIGN) */
    bool warned;
    char edit_id[64];
    char detail[EM_DETAIL_SIZE]; /* of the error, or the warnings */
} scenario_run;

/* Make the change: open the workspace and the file, commit, close. *run is filled as it goes. */
void scenario_change(const scenario *s, const world *w, fault_sys *f, scenario_run *run);

/* Another emend's change of the same file: scenario_line() at its front. */
void scenario_insert(const scenario *s, const world *w, fault_sys *f, scenario_run *run);
em_slice scenario_line(void);
/* Other bytes for the first ones of a file that was there. */
em_slice scenario_first_bytes(void);

/* `emend recover`. EM_E_UNSETTLED when it could not end all that it found. */
em_status scenario_recover(const scenario *s, const world *w, fault_sys *f, em_error *err);

/* The same where a person says that what is in place stays. */
em_status scenario_choose(const scenario *s, const world *w, fault_sys *f, em_error *err);

/* The rows about a file: changes that are pending, and commits. False when there is no history, or
 * it cannot be read. */
bool scenario_rows(const world *w, const char *file, int *pending, int *commits);

/* How many journals of transactions there are. */
int scenario_journals(const world *w);

#endif
