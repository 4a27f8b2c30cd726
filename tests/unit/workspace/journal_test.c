#include "workspace/journal.h"
#include "workspace/reach.h"

#include "several.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define NAME "0123456789abcdef"

static em_row row_of(const char *path)
{
    return (em_row){.id = 7,
                    .token = 0xFEDCBA9876543210u,
                    .root = "/root",
                    .path = path,
                    .dir_dev = 1,
                    .dir_ino = UINT64_MAX,
                    .old_ino = 3,
                    .new_ino = 4,
                    .temp = ".emend-00000000000000000000000000000000",
                    .old_hash = em_hash_of(EM_LIT("old")),
                    .new_hash = em_hash_of(EM_LIT("new")),
                    .old_size = 3,
                    .new_size = 1 << 20,
                    .boot = "boot",
                    .time_ms = 1234567890123,
                    .notes = EM_NOTE_HARD_LINK};
}

/* Three files: one of each kind, with what only some have. */
static em_journal journal_full(em_row rows[static 3])
{
    rows[0] = row_of("a/\xff.txt");
    rows[0].backup = "x.bak";
    rows[1] = row_of("n/m/b.txt");
    rows[1].kind = EM_ROW_CREATE;
    rows[1].folders = "n/m";
    rows[1].forget = true;
    rows[2] = row_of("c.txt");
    rows[2].kind = EM_ROW_REMOVE;
    rows[2].new_hash = (em_hash){""};
    return (em_journal){.name = NAME, .rows = rows, .count = 3};
}

static void check_string(const char *have, const char *want)
{
    if (want)
        assert_string_equal(have, want);
    else
        assert_null(have);
}

static void check_row(const em_row *have, const em_row *want)
{
    assert_int_equal(have->id, want->id);
    assert_true(have->token == want->token);
    assert_int_equal(have->kind, want->kind);
    assert_int_equal(have->forget, want->forget);
    check_string(have->root, want->root);
    check_string(have->path, want->path);
    assert_true(have->dir_dev == want->dir_dev && have->dir_ino == want->dir_ino);
    assert_true(have->old_ino == want->old_ino && have->new_ino == want->new_ino);
    check_string(have->temp, want->temp);
    check_string(have->backup, want->backup);
    check_string(have->folders, want->folders);
    assert_true(em_hash_eq(have->old_hash, want->old_hash));
    assert_true(em_hash_eq(have->new_hash, want->new_hash));
    assert_true(have->old_size == want->old_size && have->new_size == want->new_size);
    check_string(have->boot, want->boot);
    assert_int_equal(have->time_ms, want->time_ms);
    assert_int_equal(have->notes, want->notes);
}

/* ---- The form ------------------------------------------------------------------------------ */

static void test_what_is_written_is_read(void **state)
{
    bench *b = *state;
    em_row rows[3];
    em_journal journal = journal_full(rows), back;
    em_slice bytes;
    check_status("encode", em_journal_encode(&journal, &b->arena, &bytes), EM_OK);
    check_status("decode", em_journal_decode(bytes, &b->arena, &back, &b->err), EM_OK);
    assert_string_equal(back.name, NAME);
    assert_int_equal(back.count, 3);
    for (size_t i = 0; i < 3; i++) {
        check_row(&back.rows[i], &rows[i]);
        assert_string_equal(back.rows[i].txn, NAME);
    }
}

/* Any bit that is another, any byte that is missing or too many: it is no journal. */
static void test_every_damage_is_seen(void **state)
{
    bench *b = *state;
    em_row rows[3];
    em_journal journal = journal_full(rows), back;
    em_slice bytes;
    check_status("encode", em_journal_encode(&journal, &b->arena, &bytes), EM_OK);
    char *copy = malloc(bytes.len + 1);
    memcpy(copy, bytes.ptr, bytes.len);
    copy[bytes.len] = '\0';
    for (size_t bit = 0; bit < bytes.len * 8; bit++) {
        copy[bit / 8] ^= (char)(1 << bit % 8);
        em_slice damaged = em_slice_make(copy, bytes.len);
        check_status("flipped", em_journal_decode(damaged, &b->arena, &back, &b->err),
                     EM_E_INVALID);
        assert_int_equal(back.count, 0);
        copy[bit / 8] ^= (char)(1 << bit % 8);
    }
    for (size_t length = 0; length < bytes.len; length++)
        check_status("cut off",
                     em_journal_decode(em_slice_make(copy, length), &b->arena, &back, &b->err),
                     EM_E_INVALID);
    check_status("too long",
                 em_journal_decode(em_slice_make(copy, bytes.len + 1), &b->arena, &back, &b->err),
                 EM_E_INVALID);
    free(copy);
}

/* `content` with the right checksum behind it. */
static em_slice sealed(em_arena *arena, em_slice content)
{
    char *bytes = em_alloc(arena, content.len + 33);
    memcpy(bytes, content.ptr, content.len);
    memcpy(bytes + content.len, em_hash_of(content).hex, 33);
    return em_slice_make(bytes, content.len + 32);
}

/* A right checksum alone does not make sense of it. */
static void test_nonsense_with_a_right_checksum(void **state)
{
    bench *b = *state;
    em_row rows[3];
    em_journal journal = journal_full(rows), back;
    em_slice bytes;
    check_status("encode", em_journal_encode(&journal, &b->arena, &bytes), EM_OK);
    em_slice content = em_slice_sub(bytes, 0, bytes.len - 32);
    char *copy = em_alloc(&b->arena, content.len + 1);
    for (size_t at = 0; at < content.len; at++) {
        memcpy(copy, content.ptr, content.len);
        copy[at] = (char)0xFF;
        em_journal_decode(sealed(&b->arena, em_slice_make(copy, content.len)), &b->arena, &back,
                          &b->err);
        for (size_t i = 0; i < back.count; i++)
            assert_true(em_row_is_sane(&back.rows[i]));
        em_journal_decode(sealed(&b->arena, em_slice_sub(content, 0, at)), &b->arena, &back,
                          &b->err);
    }
    check_status("more behind it",
                 em_journal_decode(sealed(&b->arena, em_slice_make(copy, content.len + 1)),
                                   &b->arena, &back, &b->err),
                 EM_E_INVALID);
    memcpy(copy, content.ptr, content.len);
    copy[14] = '2';
    check_status("another version",
                 em_journal_decode(sealed(&b->arena, em_slice_make(copy, content.len)), &b->arena,
                                   &back, &b->err),
                 EM_E_INVALID);
    check_detail(b, "another version");
    journal.name = NULL;
    check_status("encode", em_journal_encode(&journal, &b->arena, &bytes), EM_OK);
    check_status("no name", em_journal_decode(bytes, &b->arena, &back, &b->err), EM_E_INVALID);
    journal.name = NAME;
    journal.count = 0;
    check_status("encode", em_journal_encode(&journal, &b->arena, &bytes), EM_OK);
    check_status("no files", em_journal_decode(bytes, &b->arena, &back, &b->err), EM_E_INVALID);
}

/* Names that lead elsewhere, as somebody might plant them. */
static void test_insane_rows(void **state)
{
    bench *b = *state;
    static const struct {
        const char *root, *path, *temp, *backup, *folders;
        em_row_kind kind;
    } cases[] = {
        {"root", "a", NULL, NULL, NULL, EM_ROW_EDIT},
        {"/root", "../a", NULL, NULL, NULL, EM_ROW_EDIT},
        {"/root", "a/..", NULL, NULL, NULL, EM_ROW_EDIT},
        {"/root", "a/../b", NULL, NULL, NULL, EM_ROW_EDIT},
        {"/root", "./a", NULL, NULL, NULL, EM_ROW_EDIT},
        {"/root", "/etc/passwd", NULL, NULL, NULL, EM_ROW_EDIT},
        {"/root", "", NULL, NULL, NULL, EM_ROW_EDIT},
        {"/root", "a/", NULL, NULL, NULL, EM_ROW_EDIT},
        {"/root", "a", "passwd", NULL, NULL, EM_ROW_EDIT},
        {"/root", "a", "", NULL, NULL, EM_ROW_EDIT},
        {"/root", "a", NULL, "../b", NULL, EM_ROW_EDIT},
        {"/root", "a", NULL, "b/c", NULL, EM_ROW_EDIT},
        {"/root", "a", NULL, "..", NULL, EM_ROW_EDIT},
        {"/root", "n/a", NULL, NULL, "../n", EM_ROW_CREATE},
        {"/root", "n/a", NULL, NULL, "/n", EM_ROW_CREATE},
        {"/root", "a", NULL, NULL, NULL, EM_ROW_IN_PLACE},
        {"/root", "a", NULL, NULL, NULL, (em_row_kind)9},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        em_row row = row_of(cases[i].path);
        em_journal journal = {.name = NAME, .rows = &row, .count = 1}, back;
        em_slice bytes;
        row.root = cases[i].root;
        row.kind = cases[i].kind;
        row.temp = cases[i].temp ? cases[i].temp : row.temp;
        row.backup = cases[i].backup;
        row.folders = cases[i].folders;
        check_status("encode", em_journal_encode(&journal, &b->arena, &bytes), EM_OK);
        check_status(cases[i].path, em_journal_decode(bytes, &b->arena, &back, &b->err),
                     EM_E_INVALID);
    }
    em_row dots = row_of("..a/...");
    assert_true(em_row_is_sane(&dots));
}

static void test_memory_may_end(void **state)
{
    bench *b = *state;
    em_row rows[3];
    em_journal journal = journal_full(rows), back;
    em_slice bytes;
    bool more = true;
    for (long at = 1; more; at++) {
        EM_AUTO(em_arena) arena = {0};
        memory_ends_at(at);
        em_status status = em_journal_encode(&journal, &arena, &bytes);
        if (status == EM_OK)
            status = em_journal_decode(bytes, &arena, &back, &b->err);
        more = memory_ended();
        memory_ends_at(0);
        check_status("in the end", status, more ? EM_E_NOMEM : EM_OK);
    }
}

/* ---- The files ----------------------------------------------------------------------------- */

/* The folder of the journals of a workspace that has one. */
static int journals_open(bench *b)
{
    int dir;
    bench_open(b);
    check_status("ready", em_ws_ready(b->ws, &b->err), EM_OK);
    check_status("none", em_journals_open(b->ws, false, &dir, &b->err), EM_OK);
    if (dir >= 0)
        return dir;
    check_status("open", em_journals_open(b->ws, true, &dir, &b->err), EM_OK);
    return dir;
}

static em_journal_stage stage_of(bench *b, int dir)
{
    em_journal_stage stage;
    check_status("find", em_journal_find(b->ws->sys, dir, NAME, &stage, &b->err), EM_OK);
    return stage;
}

static void test_its_life(void **state)
{
    bench *b = *state;
    em_row rows[3];
    em_journal journal = journal_full(rows), back;
    bool known;
    for (int named = 0; named <= 1; named++) {
        bench_disarm(b);
        b->options.sync = EM_SYNC_FULL;
        int dir = journals_open(b);
        if (named)
            trap_set(
                &b->trap,
                (trap){.call = "open", .about = "O_TMPFILE", .times = -1, .error = EOPNOTSUPP});
        assert_int_equal(stage_of(b, dir), EM_JOURNAL_NONE);
        check_status("prepare", em_journal_prepare(b->ws, dir, &journal, &b->err), EM_OK);
        assert_int_equal(stage_of(b, dir), EM_JOURNAL_PREPARED);
        check_status("commit", em_journal_commit(b->ws, dir, NAME, &known, &b->err), EM_OK);
        assert_int_equal(stage_of(b, dir), EM_JOURNAL_COMMITTED);
        check_status(
            "read",
            em_journal_read(b->ws->sys, dir, NAME, EM_JOURNAL_COMMITTED, &b->arena, &back, &b->err),
            EM_OK);
        assert_int_equal(back.count, 3);
        check_status(
            "not prepared",
            em_journal_read(b->ws->sys, dir, NAME, EM_JOURNAL_PREPARED, &b->arena, &back, &b->err),
            EM_E_NOT_FOUND);
        check_status("remove", em_journal_remove(b->ws, dir, NAME, EM_JOURNAL_COMMITTED, &b->err),
                     EM_OK);
        assert_int_equal(several_journals(b), 0);
        close(dir);
    }
}

static void test_names(void **state)
{
    bench *b = *state;
    int dir = journals_open(b);
    const char **names;
    size_t count;
    static const char *const files[] = {
        "fedcba9876543210.prepared",  "0123456789abcdef.committed",
        "1111111111111111.writing",   "2222222222222222.damaged",
        "0123456789abcdeF.prepared",  "0123456789abcde.prepared",
        "0123456789abcdef0.prepared", "x",
        "0123456789abcdef",
    };
    for (size_t i = 0; i < COUNT_OF(files); i++)
        scratch_put(scratch_path(b->state, "journal"), files[i], "");
    check_status("list", em_journal_names(b->ws->sys, dir, &b->arena, &names, &count, &b->err),
                 EM_OK);
    assert_int_equal(count, 3);
    assert_string_equal(names[0], "0123456789abcdef");
    assert_string_equal(names[1], "1111111111111111");
    assert_string_equal(names[2], "fedcba9876543210");
    close(dir);
}

/* What this user alone did not write is not believed. */
static void test_whose_it_is(void **state)
{
    bench *b = *state;
    em_row rows[3];
    em_journal journal = journal_full(rows), back;
    int dir = journals_open(b);
    const char *folder = em_arena_format(&b->arena, "%s/journal", b->state);
    const char *path = em_arena_format(&b->arena, "%s/" NAME ".prepared", folder);
    check_status("prepare", em_journal_prepare(b->ws, dir, &journal, &b->err), EM_OK);
    for (int i = 0; i < 5; i++) {
        if (i == 0)
            assert_int_equal(chmod(path, 0640), 0);
        if (i == 1 && chown(path, 65534, 65534) != 0)
            continue; /* not root */
        if (i == 2)
            assert_true(rename(path, scratch_path(folder, "moved")) == 0 &&
                        symlink("moved", path) == 0);
        if (i == 3)
            assert_true(unlink(path) == 0 && mkdir(path, 0700) == 0);
        if (i == 4)
            assert_true(rmdir(path) == 0 &&
                        truncate(scratch_path(folder, "moved"), 1LL << 32) == 0 &&
                        rename(scratch_path(folder, "moved"), path) == 0 &&
                        chmod(path, 0600) == 0 && chown(path, geteuid(), getegid()) == 0);
        check_status(
            "strange",
            em_journal_read(b->ws->sys, dir, NAME, EM_JOURNAL_PREPARED, &b->arena, &back, &b->err),
            EM_E_INVALID);
    }
    scratch_put(folder, NAME ".prepared", "");
    check_status("set aside", em_journal_set_aside(b->ws, dir, NAME, &b->err), EM_OK);
    assert_true(scratch_has(folder, NAME ".damaged"));
    close(dir);
}

static void test_failing_calls(void **state)
{
    bench *b = *state;
    em_row rows[3];
    em_journal journal = journal_full(rows), back;
    static const struct {
        const char *call, *about;
        int error;
        em_status want;
    } preparing[] = {
        {"open", "O_TMPFILE", ENOSPC, EM_E_IO}, {"write", "/journal/", ENOSPC, EM_E_IO},
        {"sync", "/journal/", EIO, EM_E_IO},    {"link", ".prepared", EACCES, EM_E_PERMISSION},
        {"sync", "$/journal", EIO, EM_E_IO},
    };
    static const struct {
        const char *call, *about;
    } reading[] = {
        {"open", ".prepared"},
        {"stat", ".prepared"},
        {"read", ".prepared"},
    };
    b->options.sync = EM_SYNC_FULL;
    int dir = journals_open(b);
    for (size_t i = 0; i < COUNT_OF(preparing); i++) {
        bench_disarm(b);
        trap_set(&b->trap, (trap){.call = preparing[i].call,
                                  .about = preparing[i].about,
                                  .error = preparing[i].error});
        check_status(preparing[i].call, em_journal_prepare(b->ws, dir, &journal, &b->err),
                     preparing[i].want);
        assert_int_equal(several_journals(b), 0);
    }
    bench_disarm(b);
    b->ws->options.sync = EM_SYNC_OFF;
    trap_set(&b->trap, (trap){.call = "flush", .about = "/journal/", .error = EDQUOT});
    check_status("flush", em_journal_prepare(b->ws, dir, &journal, &b->err), EM_E_IO);
    assert_int_equal(several_journals(b), 0);
    b->ws->options.sync = EM_SYNC_FULL;
    bench_disarm(b);
    check_status("prepare", em_journal_prepare(b->ws, dir, &journal, &b->err), EM_OK);
    for (size_t i = 0; i < COUNT_OF(reading); i++) {
        bench_disarm(b);
        trap_set(&b->trap,
                 (trap){.call = reading[i].call, .about = reading[i].about, .error = EIO});
        check_status(
            reading[i].call,
            em_journal_read(b->ws->sys, dir, NAME, EM_JOURNAL_PREPARED, &b->arena, &back, &b->err),
            EM_E_IO);
    }
    bench_disarm(b);
    const char **names;
    size_t count;
    em_journal_stage stage;
    trap_set(&b->trap, (trap){.call = "open", .about = "=.", .error = EIO});
    check_status("folder", em_journal_names(b->ws->sys, dir, &b->arena, &names, &count, &b->err),
                 EM_E_IO);
    trap_set(&b->trap, (trap){.call = "list", .about = "", .error = EIO});
    check_status("list", em_journal_names(b->ws->sys, dir, &b->arena, &names, &count, &b->err),
                 EM_E_IO);
    trap_set(&b->trap, (trap){.call = "stat", .about = "", .error = EIO});
    check_status("find", em_journal_find(b->ws->sys, dir, NAME, &stage, &b->err), EM_E_IO);
    trap_set(&b->trap, (trap){.call = "replace", .about = ".damaged", .error = EIO});
    check_status("aside", em_journal_set_aside(b->ws, dir, NAME, &b->err), EM_E_IO);
    bench_disarm(b);
    int none;
    trap_set(&b->trap, (trap){.call = "open", .about = "=journal", .error = EACCES});
    check_status("open", em_journals_open(b->ws, false, &none, &b->err), EM_E_PERMISSION);
    b->err = EM_ERROR_INIT;
    trap_set(&b->trap, (trap){.call = "open", .about = "=journal", .error = ENOTDIR});
    check_status("no folder", em_journals_open(b->ws, false, &none, &b->err), EM_E_IO);
    assert_int_equal(b->err.cause, EM_CAUSE_STATE_DIR);
    close(dir);
}

static void test_the_commit_point_fails(void **state)
{
    bench *b = *state;
    em_row rows[3];
    em_journal journal = journal_full(rows);
    bool known = false;
    b->options.sync = EM_SYNC_FULL;
    int dir = journals_open(b);
    check_status("prepare", em_journal_prepare(b->ws, dir, &journal, &b->err), EM_OK);
    trap_set(&b->trap, (trap){.call = "open", .about = "=.", .error = EMFILE});
    check_status("no folder", em_journal_commit(b->ws, dir, NAME, &known, &b->err), EM_E_IO);
    assert_true(known);
    trap_set(&b->trap, (trap){.call = "replace", .about = ".committed", .error = EIO});
    check_status("no rename", em_journal_commit(b->ws, dir, NAME, &known, &b->err), EM_E_IO);
    assert_true(known);
    bench_disarm(b);
    trap_set(&b->trap, (trap){.call = "replace", .about = ".committed", .error = EIO});
    trap_set(&b->trap, (trap){.call = "stat", .about = ".committed", .error = EIO});
    check_status("nobody knows", em_journal_commit(b->ws, dir, NAME, &known, &b->err), EM_E_IO);
    assert_false(known);
    bench_disarm(b);
    trap_set(&b->trap, (trap){.call = "sync", .about = "$/journal", .error = EIO});
    check_status("no sync", em_journal_commit(b->ws, dir, NAME, &known, &b->err), EM_E_IO);
    assert_false(known);
    assert_int_equal(stage_of(b, dir), EM_JOURNAL_COMMITTED);
    /* An interrupted rename that had done its work. */
    check_status("again", em_journal_commit(b->ws, dir, NAME, &known, &b->err), EM_OK);
    close(dir);
}

/* A hash that is longer than any: the length of its text, and its checksum, are right. */
static void test_a_hash_that_is_too_long(void **state)
{
    bench *b = *state;
    em_row row = row_of("a");
    em_journal journal = {.name = NAME, .rows = &row, .count = 1}, back;
    em_slice bytes;
    check_status("encode", em_journal_encode(&journal, &b->arena, &bytes), EM_OK);
    const char *at = memmem(bytes.ptr, bytes.len, row.old_hash.hex, 32);
    assert_non_null(at);
    size_t before = (size_t)(at - bytes.ptr), after = bytes.len - 32 - before;
    char *copy = em_alloc(&b->arena, bytes.len + 8);
    memcpy(copy, bytes.ptr, before);
    memcpy(copy + before, "0000000", 8);
    memcpy(copy + before + 7, bytes.ptr + before, after);
    copy[before - 8] = 32 + 7; /* its length */
    check_status("decode",
                 em_journal_decode(sealed(&b->arena, em_slice_make(copy, bytes.len - 32 + 7)),
                                   &b->arena, &back, &b->err),
                 EM_E_INVALID);
    check_detail(b, "what emend does not write");
}

static void remove_prepared(void *context)
{
    const bench *b = context;
    unlink(scratch_path(scratch_path(b->state, "journal"), NAME ".prepared"));
}

static void cut_prepared(void *context)
{
    const bench *b = context;
    const char *path = scratch_path(scratch_path(b->state, "journal"), NAME ".prepared");
    assert_int_equal(truncate(path, 10), 0);
}

/* Somebody meddles with the journal in the very moment. */
static void test_in_the_moment(void **state)
{
    bench *b = *state;
    em_row rows[3];
    em_journal journal = journal_full(rows), back;
    bool known = true;
    int dir = journals_open(b);
    check_status("prepare", em_journal_prepare(b->ws, dir, &journal, &b->err), EM_OK);
    trap_set(&b->trap,
             (trap){.call = "read", .about = ".prepared", .hook = cut_prepared, .context = b});
    check_status(
        "cut off",
        em_journal_read(b->ws->sys, dir, NAME, EM_JOURNAL_PREPARED, &b->arena, &back, &b->err),
        EM_E_IO);
    check_detail(b, "changed while it was read");
    trap_set(&b->trap, (trap){.call = "replace",
                              .about = ".committed",
                              .hook = remove_prepared,
                              .context = b,
                              .error = EIO});
    check_status("gone", em_journal_commit(b->ws, dir, NAME, &known, &b->err), EM_E_IO);
    assert_false(known);
    trap_set(&b->trap, (trap){.call = "stat", .about = ".committed", .error = EIO});
    check_status("aside", em_journal_set_aside(b->ws, dir, NAME, &b->err), EM_E_IO);
    close(dir);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        BENCH_TEST(test_what_is_written_is_read),
        BENCH_TEST(test_every_damage_is_seen),
        BENCH_TEST(test_nonsense_with_a_right_checksum),
        BENCH_TEST(test_insane_rows),
        BENCH_TEST(test_memory_may_end),
        BENCH_TEST(test_its_life),
        BENCH_TEST(test_names),
        BENCH_TEST(test_whose_it_is),
        BENCH_TEST(test_failing_calls),
        BENCH_TEST(test_the_commit_point_fails),
        BENCH_TEST(test_a_hash_that_is_too_long),
        BENCH_TEST(test_in_the_moment),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
