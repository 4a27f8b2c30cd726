/* opening.h: the steps in which a file is opened, for one alone (file.c) and for many (files.c).
 */
#ifndef EM_WORKSPACE_OPENING_H
#define EM_WORKSPACE_OPENING_H

#include "workspace/ws.h"

typedef struct em_opening {
    em_workspace *ws;
    em_file_state *state;
    em_file *file;
    const char *path; /* as it was given */
    unsigned flags;
    em_error *err;
} em_opening;

/* Begin: o->file has a state of its own, with nothing held. EM_E_NOMEM. */
em_status em_opening_begin(em_opening *o, em_intent intent, uint64_t max_size);

/* Resolve the path, and see whether what it names may be read, or changed. Its descriptors are
 * held, in state->place. */
em_status em_opening_find(const em_opening *o);

/* Which lock it needs: state->rest and ->slot. EM_E_NOMEM. */
em_status em_opening_find_slot(const em_opening *o);

/* Read what was found, and fill in the file. */
em_status em_opening_read(const em_opening *o);

/* Is the open file as it was? Without its lock its name may have gone to another meanwhile. */
bool em_opening_is_same(const em_file_state *state, const em_stat *was, const em_stat *now);

/* Read an open file whole, whose size has just been asked: `stat`. Its stat is then as it is. */
em_status em_opening_read_whole(const em_opening *o, const em_stat *stat);

/* ---- Files that are open without descriptors ------------------------------------------------ */

/* Open the folder of an open file again: the very folder where the file was found, beneath its
 * root; an O_PATH descriptor of the caller's. EM_E_CONFLICT: it is not there any more. */
em_status em_file_open_folder(const em_workspace *ws, const em_file *file, int *fd, em_error *err);

/* Is it known not to be there any more? Whoever is confined to the roots is refused what is in a
 * folder that was moved out of them (EACCES), and would not be refused it again. *err says what is
 * wrong. */
bool em_file_has_moved(const em_workspace *ws, const em_file *file, em_error *err);

/* Close the descriptors of an open file; and open that of the folder again. */
void em_file_park(const em_workspace *ws, const em_file *file);
em_status em_file_unpark(const em_workspace *ws, const em_file *file, em_error *err);

/* The content too, of a file that is there. EM_E_CONFLICT: its name leads to another by now. */
em_status em_file_unpark_content(const em_workspace *ws, const em_file *file, em_error *err);

#endif
