/* file_bases.h: what a call undid or redid, file by file.
 *
 * A rewind may have as many files as bases. Who tells of all its rows asks once, and then takes for
 * each row those of its own file: together they are no more than the rows of the bases.
 */
#ifndef EM_PAST_FILE_BASES_H
#define EM_PAST_FILE_BASES_H

#include "past/past.h"

/* A call that another one undid or redid, and one of the files that it had changed. */
typedef struct em_file_base {
    const char *path; /* absolute */
    em_base base;
    const char *id;  /* of the first row of that call, as it is shown */
    int64_t changed; /* the first row of that call that is about this file */
} em_file_base;

typedef struct em_file_bases {
    const em_file_base *items;
    size_t count;
} em_file_bases;

/* The bases of the call of this name, as far as they are in the history still: by path, and the
 * newest of each first. In `arena`. Fails as the history does. */
em_status em_past_bases(em_workspace *ws, const char *call, em_arena *arena, em_file_bases *bases,
                        em_error *err);

/* Those of one file; borrowed from `bases`. */
em_file_bases em_file_bases_of(em_file_bases bases, const char *path);

#endif
