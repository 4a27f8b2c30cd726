/* journal.h: what a transaction over several files is going to do, as a file of the state
 * directory.
 *
 *   journal/NAME.prepared    all new contents are there under temporary names; the names may be
 *                            being exchanged, and recovery takes that back
 *   journal/NAME.committed   all names are exchanged; recovery finishes
 *
 * NAME is 16 hex digits, and what the rows of the history call the transaction. One rename leads
 * from the one to the other: that is the commit point.
 *
 *  (1) A journal has its name when it is whole, and with it on the disk unless syncing is off. It
 *      is never changed.
 *  (2) What is read is what was written: by its checksum, its version, its owner and its mode. Of
 *      anything else nobody can tell what it says, and it is left to a person.
 *
 * The form, version 1: "emend journal 1\n"; the name; the number of files; for each of them what
 * its row says (numbers are 8 bytes, the lowest first; texts have their length in front, NULL the
 * length ~0); the hash (em_hash_of) of all that, as 32 hex digits.
 */
#ifndef EM_WORKSPACE_JOURNAL_H
#define EM_WORKSPACE_JOURNAL_H

#include "workspace/ws.h"

enum { EM_JOURNAL_NAME_SIZE = 16 + 1 };

typedef struct em_journal {
    const char *name;
    em_row *rows; /* without inverse, origin, backup's success and other things that change */
    size_t count;
} em_journal;

typedef enum em_journal_stage {
    EM_JOURNAL_NONE,
    EM_JOURNAL_PREPARED,
    EM_JOURNAL_COMMITTED,
} em_journal_stage;

/* ---- The form ------------------------------------------------------------------------------ */

/* In `arena`. EM_E_NOMEM is the only failure. */
em_status em_journal_encode(const em_journal *journal, em_arena *arena, em_slice *out);

/* All of *journal lives in `arena`. EM_E_INVALID for what em_journal_encode does not write, or
 * not this version, with the reason. */
em_status em_journal_decode(em_slice bytes, em_arena *arena, em_journal *journal, em_error *err);

/* ---- The files ----------------------------------------------------------------------------- */

/* The folder of the journals: an O_PATH descriptor of the caller's. Without `make` a missing one is
 * -1, and no error. */
em_status em_journals_open(const em_workspace *ws, bool make, int *dir, em_error *err);

/* Write it as prepared. After a failure it is not there. */
em_status em_journal_prepare(const em_workspace *ws, int dir, const em_journal *journal,
                             em_error *err);

/* The commit point. *known: what failed left it prepared for certain. With EM_OK it is durable,
 * where syncs are wanted. */
em_status em_journal_commit(const em_workspace *ws, int dir, const char *name, bool *known,
                            em_error *err);

/* Which of its files is there? */
em_status em_journal_find(const em_sys *sys, int dir, const char *name, em_journal_stage *stage,
                          em_error *err);

/* EM_E_INVALID: it is damaged, or not ours, as the detail says. EM_E_NOT_FOUND, EM_E_IO. */
em_status em_journal_read(const em_sys *sys, int dir, const char *name, em_journal_stage stage,
                          em_arena *arena, em_journal *journal, em_error *err);

/* It is over: remove what it is called in this stage. */
em_status em_journal_remove(const em_workspace *ws, int dir, const char *name,
                            em_journal_stage stage, em_error *err);

/* It is damaged, and a person has decided: it is kept as NAME.damaged, which nobody looks at. */
em_status em_journal_set_aside(const em_workspace *ws, int dir, const char *name, em_error *err);

/* The names of all journals, sorted, in `arena`. */
em_status em_journal_names(const em_sys *sys, int dir, em_arena *arena, const char ***names,
                           size_t *count, em_error *err);

#endif
