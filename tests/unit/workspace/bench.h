/* bench.h: a workspace to be tried out: a root, a state directory, a table with traps.
 */
#ifndef EM_TEST_BENCH_H
#define EM_TEST_BENCH_H

#include "scratch.h"
#include "trap.h"

#include "workspace/recover.h"
#include "workspace/ws.h"

typedef struct bench {
    char base[SCRATCH_PATH], root[SCRATCH_PATH], state[SCRATCH_PATH];
    const char *roots[2];
    trap_sys trap;
    em_ws_options options; /* for the next bench_open */
    em_workspace *ws;      /* NULL before it */
    em_arena arena;        /* of what is asked below */
    em_commit_report report;
    em_error err;
    int descriptors;
} bench;

/* For cmocka: *state is a bench whose root holds "a.txt", "one two three\n". Nothing is synced. */
int bench_setup(void **state);
/* Closes all; fails when a descriptor was left open. */
int bench_teardown(void **state);

#define BENCH_TEST(name) cmocka_unit_test_setup_teardown(name, bench_setup, bench_teardown)

/* Open the workspace if it is not; with b->options. bench_close() does what em_ws_free does. */
em_workspace *bench_open(bench *b);
void bench_close(bench *b);

/* Forget the traps. */
void bench_disarm(bench *b);

/* One change: in `path`, the first `old` becomes `new` (`old` NULL: the file is missing, and is
 * made). The report is in b->report, an error in b->err. */
em_status bench_change(bench *b, const char *path, const char *old, const char *new);
em_status bench_backup_change(bench *b, const char *path, const char *old, const char *new);

/* The same by a process that dies where the trap springs. */
void bench_die(bench *b, const char *path, const char *old, const char *new, trap where);

/* The content of a file below the root, in the arena; NULL where there is none. */
const char *bench_text(bench *b, const char *path);
void check_text(bench *b, const char *path, const char *want);

/* What an overlay does to a file of its lower layer as soon as its name is to change: a file below
 * the root becomes another one, with its times and permissions, and with this content. */
void bench_copy_up(bench *b, const char *path, const char *content);

/* How many names in a folder of the root begin with ".emend-"; and the first of them. */
int bench_strays(bench *b, const char *folder);
const char *bench_stray(bench *b, const char *folder);

/* The newest row of the history, whatever its state; id 0: there is none. Without a workspace. */
em_row bench_row(bench *b);
/* How many rows are in a state up to `most` (EM_ROW_DONE: any). */
int bench_rows(bench *b, em_row_state most);
/* Run SQL on the history. */
void bench_sql(bench *b, const char *sql);

/* Nothing is left of anything: no stray in the root, no row pending, no copies. */
void check_clean(bench *b);

/* Did a warning of the last report say this? */
bool bench_warned(const bench *b, const char *words);
void check_detail(const bench *b, const char *words);

/* Its trap caught one call, and the answer was the one that the case wants. */
void check_case(const bench *b, const trap_case *set, const trap *caught, em_status got);

/* Run `task` in a child process, as user and group nobody if we are root; its result. The root and
 * the state directory are given to that user. */
int bench_as_nobody(bench *b, int (*task)(bench *));

/* Can extended attributes, and ACLs, be set here? */
bool bench_has_attributes(const bench *b);
bool bench_has_acls(const bench *b);

#endif
