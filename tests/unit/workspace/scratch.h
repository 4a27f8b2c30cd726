/* scratch.h: a folder of the test's own, and what a test asks of the system around it.
 *
 * Everything here calls the system directly and fails the running test when that does not work.
 */
#ifndef EM_TEST_SCRATCH_H
#define EM_TEST_SCRATCH_H

#include "base/status.h"

#include <stdbool.h>

#include "../with_cmocka.h"

enum { SCRATCH_PATH = 512 };

/* Make a new folder; its resolved path goes to `out` and is returned. */
char *scratch_new(char out[static SCRATCH_PATH]);
/* The same where syncing costs nothing, if there is such a place. */
char *scratch_new_in_memory(char out[static SCRATCH_PATH]);
/* Remove it with all that is in it. */
void scratch_drop(const char *folder);

/* `folder`/`name` in a buffer that the next few calls leave alone. */
const char *scratch_path(const char *folder, const char *name);

void scratch_folder(const char *folder, const char *name);
void scratch_put(const char *folder, const char *name, const char *text);
void scratch_link(const char *folder, const char *name, const char *target);
bool scratch_has(const char *folder, const char *name);
/* How many names are in the folder. */
int scratch_count(const char *folder);

/* How many descriptors this process has open: a test that leaks one is found by it. */
int scratch_descriptors(void);

/* Fail the test, with `what`, unless `got` is `want`. */
void check_status(const char *what, em_status got, em_status want);

/* From now on the `at`th allocation fails, counted from 1, and every one after it; 0: none does.
 * Covers malloc, calloc, realloc, strdup and asprintf in emend and in the tests, and what is asked
 * of an arena. */
void memory_ends_at(long at);
/* Did one fail since? */
bool memory_ended(void);

#endif
