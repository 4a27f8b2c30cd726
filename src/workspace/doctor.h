/* doctor.h: what the system offers to emend here, for `emend doctor`.
 *
 * Each fact is tried out, not looked up, as far as that leaves no trace: in a root only with files
 * that never have a name, in the state directory also with files that have one for a moment.
 */
#ifndef EM_WORKSPACE_DOCTOR_H
#define EM_WORKSPACE_DOCTOR_H

#include "base/arena.h"
#include "system/sys.h"

typedef struct em_fact {
    const char *folder; /* the root or state directory that it is about; NULL: the machine */
    const char *name;   /* "unnamed temporary files" */
    bool ok;            /* false: something is missing, and `meaning` says what follows from that */
    const char *value;  /* "yes", "no (Operation not supported)", "not tried", "ext4", "6.1.0" */
    const char *meaning; /* one sentence without a final full stop; may be "" */
} em_fact;

typedef struct em_facts {
    em_fact *items;
    size_t count, room;
} em_facts;

/* Examine the machine, the folders in `roots` and the state directory (absolute paths; state_dir
 * NULL: it is not there yet). What cannot be examined is a fact too; EM_E_NOMEM is the only
 * failure. All of *facts lives in `arena`. */
em_status em_doctor(const em_sys *sys, const char *const *roots, size_t root_count,
                    const char *state_dir, em_arena *arena, em_facts *facts);

#endif
