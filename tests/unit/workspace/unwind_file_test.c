#include "workspace/unwind_file.h"

#include "several.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define STRAY ".emend-00000000000000000000000000000001"

static const char old_text[] = "old\n", new_text[] = "new\n", theirs[] = "theirs\n",
                  others[] = "others'\n";

/* A file of a transaction, by hand. */
typedef struct table {
    bench *bench;
    em_row row;
    em_repair repair;
    int dir;
} table;

static void put(bench *b, const char *name, const char *text)
{
    unlink(scratch_path(b->root, name));
    if (text)
        scratch_put(b->root, name, text);
}

static uint64_t inode_of(bench *b, const char *name)
{
    struct stat st;
    return stat(scratch_path(b->root, name), &st) == 0 ? st.st_ino : 0;
}

/* The stray and the target hold these; NULL: nothing. */
static void lay(table *t, bench *b, em_row_kind kind, const char *stray, const char *target)
{
    put(b, STRAY, stray);
    put(b, "f", target);
    em_workspace *ws = bench_open(b);
    check_status("ready", em_ws_ready(ws, &b->err), EM_OK);
    t->bench = b;
    t->row = (em_row){.kind = kind,
                      .root = b->root,
                      .path = "f",
                      .temp = STRAY,
                      .boot = ws->state.boot,
                      .old_hash = em_hash_of(em_slice_of(old_text)),
                      .new_hash = em_hash_of(em_slice_of(new_text))};
    if (kind == EM_ROW_REMOVE)
        t->row.new_hash = (em_hash){""};
    if (kind == EM_ROW_CREATE || (kind == EM_ROW_EDIT && target == new_text))
        t->row.new_ino = inode_of(b, target == new_text ? "f" : STRAY);
    t->dir = open(b->root, O_PATH | O_DIRECTORY | O_CLOEXEC);
    t->repair = (em_repair){.ws = ws,
                            .row = &t->row,
                            .dir = t->dir,
                            .name = "f",
                            .path = "f",
                            .arena = &b->arena,
                            .err = &b->err};
}

static void lift(table *t)
{
    close(t->dir);
}

static void check_content(bench *b, const char *name, const char *want)
{
    if (want)
        check_text(b, name, want);
    else
        assert_false(scratch_has(b->root, name));
}

/* ---- What is concluded --------------------------------------------------------------------- */

static const struct putting_back {
    const char *what;
    em_row_kind kind;
    const char *stray, *target; /* before */
    em_recovery_end end;
    const char *stray_after, *target_after;
    const char *target_kept, *stray_kept; /* what is in place after each choice */
} cases[] = {
    {"edit, nothing done", EM_ROW_EDIT, NULL, old_text, EM_RECOVERED_UNDONE, NULL, old_text, 0, 0},
    {"edit, over, theirs", EM_ROW_EDIT, NULL, theirs, EM_RECOVERED_UNDONE, NULL, theirs, 0, 0},
    {"edit, the old removed", EM_ROW_EDIT, NULL, new_text, EM_RECOVERED_DONE, NULL, new_text, 0, 0},
    {"edit, not exchanged", EM_ROW_EDIT, new_text, old_text, EM_RECOVERED_UNDONE, new_text,
     old_text, 0, 0},
    {"edit, exchanged", EM_ROW_EDIT, old_text, new_text, EM_RECOVERED_UNDONE, new_text, old_text, 0,
     0},
    {"edit, a save came out", EM_ROW_EDIT, theirs, new_text, EM_RECOVERED_UNDONE, new_text, theirs,
     0, 0},
    {"edit, removed since", EM_ROW_EDIT, old_text, NULL, EM_LEFT_TO_PERSON, old_text, NULL, NULL,
     old_text},
    {"edit, the old put back", EM_ROW_EDIT, old_text, old_text, EM_RECOVERED_UNDONE, NULL, old_text,
     0, 0},
    {"edit, changed since", EM_ROW_EDIT, old_text, theirs, EM_LEFT_TO_PERSON, old_text, theirs,
     theirs, old_text},
    {"edit, saved twice", EM_ROW_EDIT, theirs, others, EM_LEFT_TO_PERSON, theirs, others, others,
     theirs},
    {"create, nothing done", EM_ROW_CREATE, new_text, NULL, EM_RECOVERED_UNDONE, new_text, NULL, 0,
     0},
    {"create, made", EM_ROW_CREATE, NULL, new_text, EM_RECOVERED_UNDONE, new_text, NULL, 0, 0},
    {"create, theirs", EM_ROW_CREATE, NULL, theirs, EM_RECOVERED_UNDONE, NULL, theirs, 0, 0},
    {"create, not made, theirs", EM_ROW_CREATE, new_text, theirs, EM_RECOVERED_UNDONE, new_text,
     theirs, 0, 0},
    {"create, a save was taken away", EM_ROW_CREATE, theirs, NULL, EM_RECOVERED_UNDONE, NULL,
     theirs, 0, 0},
    {"create, and another came", EM_ROW_CREATE, theirs, others, EM_LEFT_TO_PERSON, theirs, others,
     others, theirs},
    {"remove, nothing done", EM_ROW_REMOVE, NULL, old_text, EM_RECOVERED_UNDONE, NULL, old_text, 0,
     0},
    {"remove, removed", EM_ROW_REMOVE, old_text, NULL, EM_RECOVERED_UNDONE, NULL, old_text, 0, 0},
    {"remove, a save came out", EM_ROW_REMOVE, theirs, NULL, EM_RECOVERED_UNDONE, NULL, theirs, 0,
     0},
    {"remove, the old put back", EM_ROW_REMOVE, old_text, old_text, EM_RECOVERED_UNDONE, NULL,
     old_text, 0, 0},
    {"remove, made again", EM_ROW_REMOVE, old_text, theirs, EM_LEFT_TO_PERSON, old_text, theirs,
     theirs, old_text},
};

static void test_putting_back(void **state)
{
    bench *b = *state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        table t;
        em_recovery_end end;
        bool left;
        lay(&t, b, cases[i].kind, cases[i].stray, cases[i].target);
        check_status(cases[i].what, em_unwind_file_is_left(&t.repair, &left), EM_OK);
        assert_int_equal(left, cases[i].end == EM_LEFT_TO_PERSON);
        check_content(b, STRAY, cases[i].stray);
        check_content(b, "f", cases[i].target);
        check_status(cases[i].what, em_unwind_file_put_back(&t.repair, &end), EM_OK);
        assert_int_equal(end, cases[i].end);
        check_content(b, STRAY, cases[i].stray_after);
        check_content(b, "f", cases[i].target_after);
        if (end == EM_RECOVERED_UNDONE) { /* again, and then cleared */
            check_status(cases[i].what, em_unwind_file_put_back(&t.repair, &end), EM_OK);
            check_content(b, STRAY, cases[i].stray_after);
            check_status(cases[i].what, em_unwind_file_clear(&t.repair), EM_OK);
            check_content(b, STRAY, NULL);
            check_content(b, "f", cases[i].target_after);
        }
        lift(&t);
    }
}

static void test_a_person_chooses(void **state)
{
    bench *b = *state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        for (int keep = EM_KEEP_TARGET; keep <= EM_KEEP_STRAY; keep++) {
            table t;
            em_recovery_end end;
            if (cases[i].end != EM_LEFT_TO_PERSON)
                continue;
            lay(&t, b, cases[i].kind, cases[i].stray, cases[i].target);
            t.repair.keep = (em_keep)keep;
            check_status(cases[i].what, em_unwind_file_put_back(&t.repair, &end), EM_OK);
            assert_int_equal(end, EM_RECOVERED_UNDONE);
            check_content(b, STRAY, NULL);
            check_content(b, "f",
                          keep == EM_KEEP_TARGET ? cases[i].target_kept : cases[i].stray_kept);
            lift(&t);
        }
    }
}

static void test_finishing(void **state)
{
    bench *b = *state;
    static const struct {
        const char *what;
        em_row_kind kind;
        const char *stray;
        em_recovery_end end;
        em_row_state state;
    } finishing[] = {
        {"edit", EM_ROW_EDIT, old_text, EM_RECOVERED_DONE, EM_ROW_NAMED},
        {"edit, over", EM_ROW_EDIT, NULL, EM_RECOVERED_DONE, EM_ROW_NAMED},
        {"edit, lost", EM_ROW_EDIT, new_text, EM_RECOVERED_DONE, EM_ROW_NAMED},
        {"edit, written late", EM_ROW_EDIT, theirs, EM_RECOVERED_KEPT, EM_ROW_DONE},
        {"remove", EM_ROW_REMOVE, old_text, EM_RECOVERED_DONE, EM_ROW_NAMED},
        {"remove, written late", EM_ROW_REMOVE, theirs, EM_RECOVERED_KEPT, EM_ROW_DONE},
        {"create", EM_ROW_CREATE, NULL, EM_RECOVERED_DONE, EM_ROW_DONE},
        {"create, by two names", EM_ROW_CREATE, new_text, EM_RECOVERED_DONE, EM_ROW_DONE},
    };
    for (size_t i = 0; i < COUNT_OF(finishing); i++) {
        table t;
        em_recovery_end end;
        lay(&t, b, finishing[i].kind, finishing[i].stray, theirs);
        check_status(finishing[i].what, em_unwind_file_finish(&t.repair, &end), EM_OK);
        assert_int_equal(end, finishing[i].end);
        assert_int_equal(t.row.state, finishing[i].state);
        bool kept = end == EM_RECOVERED_KEPT;
        assert_int_equal(t.row.kept != NULL, kept);
        check_content(b, STRAY, kept ? finishing[i].stray : NULL);
        check_content(b, "f", theirs);
        lift(&t);
    }
}

static void test_the_backup(void **state)
{
    bench *b = *state;
    table t;
    em_recovery_end end;
    lay(&t, b, EM_ROW_EDIT, old_text, new_text);
    t.row.backup = "f.bak";
    check_status("finish", em_unwind_file_finish(&t.repair, &end), EM_OK);
    check_content(b, STRAY, NULL);
    check_content(b, "f.bak", old_text);
    lift(&t);
}

/* ---- Other systems, other boots ------------------------------------------------------------ */

/* After a power cut without syncs our new content may be torn; its inode tells. */
static void test_torn_by_a_power_cut(void **state)
{
    bench *b = *state;
    table t;
    em_recovery_end end;
    lay(&t, b, EM_ROW_EDIT, "ne", old_text);
    t.row.boot = "another";
    t.row.new_ino = inode_of(b, STRAY);
    check_status("put back", em_unwind_file_put_back(&t.repair, &end), EM_OK);
    assert_int_equal(end, EM_RECOVERED_UNDONE);
    check_status("clear", em_unwind_file_clear(&t.repair), EM_OK);
    check_content(b, STRAY, NULL);
    check_content(b, "f", old_text);
    lift(&t);
}

/* In another boot our inode is ours only where it is a file that does not hold the old content. */
static void test_not_torn(void **state)
{
    bench *b = *state;
    for (int folder = 0; folder < 2; folder++) {
        table t;
        em_recovery_end end;
        lay(&t, b, EM_ROW_EDIT, folder ? NULL : old_text, theirs);
        if (folder)
            scratch_folder(b->root, STRAY);
        t.row.boot = "another";
        t.row.new_ino = inode_of(b, STRAY);
        check_status("put back", em_unwind_file_put_back(&t.repair, &end), EM_OK);
        assert_int_equal(end, EM_LEFT_TO_PERSON);
        assert_true(scratch_has(b->root, STRAY));
        check_content(b, "f", theirs);
        lift(&t);
    }
    rmdir(scratch_path(b->root, STRAY));
}

/* Where no rename refuses to go over a name, a link does. */
static void test_without_noreplace(void **state)
{
    bench *b = *state;
    static const char *const targets[] = {NULL, others};
    for (size_t i = 0; i < COUNT_OF(targets); i++) {
        table t;
        em_recovery_end end;
        lay(&t, b, EM_ROW_CREATE, theirs, targets[i]);
        trap_set(&b->trap, (trap){.call = "move", .about = "", .times = -1, .error = EINVAL});
        check_status("put back", em_unwind_file_put_back(&t.repair, &end), EM_OK);
        assert_int_equal(end, targets[i] ? EM_LEFT_TO_PERSON : EM_RECOVERED_UNDONE);
        check_content(b, "f", targets[i] ? others : theirs);
        check_content(b, STRAY, targets[i] ? theirs : NULL);
        bench_disarm(b);
        lift(&t);
    }
}

/* A created file by two names, as where names cannot be moved without overwriting. */
static void test_two_names(void **state)
{
    bench *b = *state;
    table t;
    em_recovery_end end;
    lay(&t, b, EM_ROW_CREATE, NULL, new_text);
    assert_int_equal(link(scratch_path(b->root, "f"), scratch_path(b->root, STRAY)), 0);
    check_status("put back", em_unwind_file_put_back(&t.repair, &end), EM_OK);
    check_status("clear", em_unwind_file_clear(&t.repair), EM_OK);
    check_content(b, "f", NULL);
    check_content(b, STRAY, NULL);
    lift(&t);
}

/* The same content may be somebody's own: that is no change of ours. */
static void test_the_same_content_of_another_file(void **state)
{
    bench *b = *state;
    table t;
    em_recovery_end end;
    lay(&t, b, EM_ROW_EDIT, NULL, new_text);
    t.row.new_ino++;
    check_status("put back", em_unwind_file_put_back(&t.repair, &end), EM_OK);
    assert_int_equal(end, EM_RECOVERED_UNDONE);
    check_content(b, "f", new_text);
    lift(&t);
}

/* ---- Somebody else, in the very moment ----------------------------------------------------- */

static void save(void *context)
{
    const bench *b = context;
    scratch_put(b->root, "saved", theirs);
    assert_int_equal(rename(scratch_path(b->root, "saved"), scratch_path(b->root, "f")), 0);
}

static void remove_it(void *context)
{
    const bench *b = context;
    assert_int_equal(unlink(scratch_path(b->root, "f")), 0);
}

static void remove_stray(void *context)
{
    const bench *b = context;
    assert_int_equal(unlink(scratch_path(b->root, STRAY)), 0);
}

/* What was just taken out of the way is gone before it is looked at. */
static void test_taken_away_by_somebody_else(void **state)
{
    bench *b = *state;
    table t;
    em_recovery_end end;
    lay(&t, b, EM_ROW_CREATE, NULL, new_text);
    trap_set(&b->trap, (trap){.call = "replace", .about = "", .after = remove_stray, .context = b});
    check_status("put back", em_unwind_file_put_back(&t.repair, &end), EM_OK);
    assert_int_equal(end, EM_RECOVERED_UNDONE);
    check_content(b, "f", NULL);
    lift(&t);
}

/* Its folders were never made, or are gone; under its temporary name is what others wrote. */
static void test_folders_that_are_gone(void **state)
{
    bench *b = *state;
    table t;
    em_recovery_end end;
    lay(&t, b, EM_ROW_CREATE, theirs, NULL);
    t.row.folders = "x";
    check_status("put back", em_unwind_file_put_back(&t.repair, &end), EM_OK);
    assert_int_equal(end, EM_RECOVERED_UNDONE);
    check_content(b, STRAY, theirs);
    lift(&t);
}

static const struct {
    const char *what;
    em_row_kind kind;
    const char *stray, *target, *call;
    void (*hook)(void *);
    em_recovery_end end;
    const char *stray_after, *target_after;
} moments[] = {
    {"edit saved", EM_ROW_EDIT, old_text, new_text, "exchange", save, EM_RECOVERED_UNDONE, old_text,
     theirs},
    {"edit removed", EM_ROW_EDIT, old_text, new_text, "exchange", remove_it, EM_LEFT_TO_PERSON,
     old_text, NULL},
    {"create saved", EM_ROW_CREATE, NULL, new_text, "replace", save, EM_RECOVERED_UNDONE, NULL,
     theirs},
    {"create removed", EM_ROW_CREATE, NULL, new_text, "replace", remove_it, EM_RECOVERED_UNDONE,
     NULL, NULL},
    {"removal saved", EM_ROW_REMOVE, old_text, NULL, "move", save, EM_LEFT_TO_PERSON, old_text,
     theirs},
};

static void test_in_the_moment(void **state)
{
    bench *b = *state;
    for (size_t i = 0; i < COUNT_OF(moments); i++) {
        table t;
        em_recovery_end end;
        lay(&t, b, moments[i].kind, moments[i].stray, moments[i].target);
        trap_set(
            &b->trap,
            (trap){.call = moments[i].call, .about = "", .hook = moments[i].hook, .context = b});
        check_status(moments[i].what, em_unwind_file_put_back(&t.repair, &end), EM_OK);
        if (i > 0) /* an edit that is saved over: what the exchange back took out goes back */
            assert_int_equal(end, moments[i].end);
        check_content(b, "f", moments[i].target_after);
        if (i > 0)
            check_content(b, STRAY, moments[i].stray_after);
        bench_disarm(b);
        lift(&t);
    }
}

/* What is under the temporary name in the end must be ours, or it is not removed. */
static void test_clearing_looks_first(void **state)
{
    bench *b = *state;
    table t;
    lay(&t, b, EM_ROW_EDIT, theirs, old_text);
    check_status("clear", em_unwind_file_clear(&t.repair), EM_E_IO);
    check_content(b, STRAY, theirs);
    lift(&t);
}

static void test_failing_calls(void **state)
{
    bench *b = *state;
    static const struct {
        em_row_kind kind;
        const char *stray, *target, *call, *about;
        em_keep keep;
    } failing[] = {
        {EM_ROW_EDIT, old_text, new_text, "open", "=" STRAY, EM_KEEP_ASK},
        {EM_ROW_EDIT, old_text, new_text, "open", "=f", EM_KEEP_ASK},
        {EM_ROW_EDIT, old_text, new_text, "exchange", "", EM_KEEP_ASK},
        {EM_ROW_EDIT, old_text, theirs, "unlink", "", EM_KEEP_TARGET},
        {EM_ROW_EDIT, old_text, theirs, "replace", "", EM_KEEP_STRAY},
        {EM_ROW_EDIT, old_text, old_text, "unlink", "", EM_KEEP_ASK},
        {EM_ROW_CREATE, NULL, new_text, "replace", "", EM_KEEP_ASK},
        {EM_ROW_CREATE, theirs, NULL, "move", "", EM_KEEP_ASK},
        {EM_ROW_CREATE, new_text, new_text, "unlink", "", EM_KEEP_ASK},
        {EM_ROW_REMOVE, old_text, NULL, "move", "", EM_KEEP_ASK},
    };
    for (size_t i = 0; i < COUNT_OF(failing); i++) {
        table t;
        em_recovery_end end;
        lay(&t, b, failing[i].kind, failing[i].stray, failing[i].target);
        if (failing[i].stray == new_text) { /* one file by two names */
            unlink(scratch_path(b->root, STRAY));
            assert_int_equal(link(scratch_path(b->root, "f"), scratch_path(b->root, STRAY)), 0);
        }
        t.repair.keep = failing[i].keep;
        trap_set(&b->trap,
                 (trap){.call = failing[i].call, .about = failing[i].about, .error = EIO});
        check_status(failing[i].call, em_unwind_file_put_back(&t.repair, &end), EM_E_IO);
        check_content(b, "f", failing[i].target);
        bench_disarm(b);
        lift(&t);
    }
}

/* What cannot be looked at is neither moved back nor cleared. */
static void test_what_cannot_be_looked_at(void **state)
{
    bench *b = *state;
    table t;
    em_recovery_end end;
    lay(&t, b, EM_ROW_CREATE, NULL, new_text);
    trap_set(&b->trap, (trap){.call = "open", .about = "=" STRAY, .skip = 1, .error = EIO});
    check_status("taken away", em_unwind_file_put_back(&t.repair, &end), EM_E_IO);
    check_content(b, STRAY, new_text);
    trap_set(&b->trap, (trap){.call = "open", .about = "=" STRAY, .error = EIO});
    check_status("clear", em_unwind_file_clear(&t.repair), EM_E_IO);
    check_content(b, STRAY, new_text);
    bench_disarm(b);
    check_status("again", em_unwind_file_clear(&t.repair), EM_OK);
    lift(&t);
    static const char *const finishing[] = {"open", "unlink"};
    for (size_t i = 0; i < COUNT_OF(finishing); i++) {
        lay(&t, b, EM_ROW_EDIT, old_text, new_text);
        trap_set(&b->trap, (trap){.call = finishing[i], .about = "=" STRAY, .error = EIO});
        check_status("finish", em_unwind_file_finish(&t.repair, &end), EM_E_IO);
        check_content(b, STRAY, old_text);
        lift(&t);
    }
    bench_disarm(b);
    lay(&t, b, EM_ROW_CREATE, new_text, NULL);
    t.row.folders = "x";
    trap_set(&b->trap, (trap){.call = "open", .about = "=x", .error = EIO});
    check_status("its folders", em_unwind_file_put_back(&t.repair, &end), EM_E_IO);
    check_content(b, STRAY, new_text);
    lift(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        BENCH_TEST(test_putting_back),
        BENCH_TEST(test_a_person_chooses),
        BENCH_TEST(test_finishing),
        BENCH_TEST(test_the_backup),
        BENCH_TEST(test_torn_by_a_power_cut),
        BENCH_TEST(test_not_torn),
        BENCH_TEST(test_without_noreplace),
        BENCH_TEST(test_two_names),
        BENCH_TEST(test_the_same_content_of_another_file),
        BENCH_TEST(test_in_the_moment),
        BENCH_TEST(test_taken_away_by_somebody_else),
        BENCH_TEST(test_folders_that_are_gone),
        BENCH_TEST(test_clearing_looks_first),
        BENCH_TEST(test_failing_calls),
        BENCH_TEST(test_what_cannot_be_looked_at),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
