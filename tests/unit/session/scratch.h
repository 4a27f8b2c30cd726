/* scratch.h: a session over a folder of its own, for the tests of this room. */
#ifndef EM_TESTS_UNIT_SESSION_SCRATCH_H
#define EM_TESTS_UNIT_SESSION_SCRATCH_H

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <sqlite3.h>

#include "../../remove_tree.h"
#include "../with_cmocka.h"
#include "session/session.h"
#include "workspace/content_store.h"

typedef struct scratch {
    char base[64], root[80], state[80];
    em_arena arena;
    em_session *session;
    em_session_options options;
    const char *roots[1];
} scratch;

static inline void scratch_path(const scratch *s, const char *name, char out[200])
{
    snprintf(out, 200, "%s/%s", s->root, name);
}

static inline void scratch_write(const scratch *s, const char *name, em_slice bytes)
{
    char path[200];
    scratch_path(s, name, path);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes.ptr, 1, bytes.len, file), bytes.len);
    assert_int_equal(fclose(file), 0);
}

/* The content of a file, in the scratch's arena; ptr NULL when there is none. */
static inline em_slice scratch_read(scratch *s, const char *name)
{
    char path[200];
    scratch_path(s, name, path);
    FILE *file = fopen(path, "rb");
    if (!file)
        return (em_slice){0};
    char *bytes = em_alloc(&s->arena, 65536);
    size_t length = fread(bytes, 1, 65536, file);
    fclose(file);
    return em_slice_make(bytes, length);
}

static inline void check_file(scratch *s, const char *name, em_slice want)
{
    em_slice got = scratch_read(s, name);
    if (!got.ptr || !em_slice_eq(got, want)) {
        print_error("%s: \"%.*s\"\n", name, (int)got.len, got.len ? got.ptr : "");
        fail();
    }
}

/* Open a session; `options` may be NULL, roots and state directory are the scratch's own. */
static inline void scratch_open(scratch *s, const em_session_options *options)
{
    *s = (scratch){.base = "/tmp/emend-session-XXXXXX"};
    assert_non_null(mkdtemp(s->base));
    snprintf(s->root, sizeof s->root, "%s/work", s->base);
    snprintf(s->state, sizeof s->state, "%s/state", s->base);
    assert_int_equal(mkdir(s->root, 0755), 0);
    if (options)
        s->options = *options;
    s->roots[0] = s->root;
    s->options.workspace.roots = s->roots;
    s->options.workspace.root_count = 1;
    s->options.workspace.state_dir = s->state;
    s->options.workspace.sync = EM_SYNC_OFF;
    if (s->options.workspace.lock_timeout_ms == 0)
        s->options.workspace.lock_timeout_ms = 1000;
    em_error err = EM_ERROR_INIT;
    assert_int_equal(em_session_new(&s->options, &s->session, &err), EM_OK);
}

static inline void scratch_drop(scratch *s)
{
    em_session_free(s->session);
    em_arena_drop(&s->arena);
    assert_int_equal(remove_tree(s->base), 0);
}

/* Make an edit, which must succeed. */
static inline void scratch_edit(scratch *s, const em_edit_request *request)
{
    em_outcome outcome;
    if (em_run_edit(s->session, request, &s->arena, &outcome) != EM_OK)
        fail_msg("%s: %s", request->path, outcome.error.detail);
    em_outcome_drop(s->session, &outcome);
}

/* Nothing but the history and the files can tell what was there. */
static inline void scratch_forget(scratch *s)
{
    em_forgotten forgotten = {0};
    assert_int_equal(
        em_content_store_forget(em_session_workspace(s->session), 0, 1, &forgotten, NULL), EM_OK);
}

/* Run SQL on the history. */
static inline void scratch_sql(const scratch *s, const char *text)
{
    char path[120];
    sqlite3 *db;
    snprintf(path, sizeof path, "%s/history.db", s->state);
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, text, NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(db);
}

/* How many calls the history knows, and how many commits. */
static inline void check_history(const scratch *s, int calls, int commits)
{
    char path[120];
    sqlite3 *db;
    sqlite3_stmt *statement;
    snprintf(path, sizeof path, "%s/history.db", s->state);
    assert_int_equal(sqlite3_open_v2(path, &db, SQLITE_OPEN_READONLY, NULL), SQLITE_OK);
    const char *query = "SELECT COUNT(DISTINCT call), COUNT(*) FROM commits";
    assert_int_equal(sqlite3_prepare_v2(db, query, -1, &statement, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_step(statement), SQLITE_ROW);
    assert_int_equal(sqlite3_column_int(statement, 0), calls);
    assert_int_equal(sqlite3_column_int(statement, 1), commits);
    sqlite3_finalize(statement);
    sqlite3_close(db);
}

#endif
