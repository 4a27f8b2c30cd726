/* How changes of the past are shown, and what the commands that show and undo them do where they
 * cannot. What they do where they can is tested from outside, in tests/cli_test.py. */
#include "../../remove_tree.h"
#include "base/clock.h"
#include "captured.h"

#include "cli/past_view.h"

#include <errno.h>
#include <sqlite3.h>
#include <sys/stat.h>

typedef struct scene {
    char base[64], root[80], state[80];
} scene;

static void write_file(const scene *s, const char *name, const char *text)
{
    char path[200];
    snprintf(path, sizeof path, "%s/%s", s->root, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

static void scene_open(scene *s)
{
    *s = (scene){.base = "/tmp/emend-past-XXXXXX"};
    assert_non_null(mkdtemp(s->base));
    snprintf(s->root, sizeof s->root, "%s/work", s->base);
    snprintf(s->state, sizeof s->state, "%s/state", s->base);
    assert_int_equal(mkdir(s->root, 0755), 0);
    write_file(s, "a.txt", "one\ntwo\n");
}

static void scene_drop(scene *s)
{
    assert_int_equal(remove_tree(s->base), 0);
}

static void sql(const scene *s, const char *text)
{
    char path[200];
    sqlite3 *db;
    snprintf(path, sizeof path, "%s/history.db", s->state);
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, text, NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(db);
}

#define OF(s) "--root", (s).root, "--state-dir", (s).state, "--sync", "off"

static void edit(const scene *s, const char *old, const char *new)
{
    captured c;
    RUN(&c, "edit", "a.txt", "--old", old, "--new", new, OF(*s));
    assert_int_equal(c.status, EM_EXIT_DONE);
}

static void check_has(const char *text, const char *part)
{
    if (!strstr(text, part))
        fail_msg("\"%s\" is not in:\n%s", part, text);
}

/* ---- Times --------------------------------------------------------------------------------- */

static void times_are_read(void **state)
{
    (void)state;
    static const char *const times[] = {"2026-11-22", "2026-11-22 04:31", "2026-11-22T04:31",
                                        "2026-11-22 04:31:05", "2026-11-22T04:31:05"};
    static const char *const none[] = {
        "",  "x",   "2026-11", "2026-13-01", "2026-11-22 4", "2026-11-22x",
        "3", "-3d", "3 d",     "1.5h",       "2026-02-29",   "2026-11-31 10:00"};
    int64_t ms, before = 0;
    char shown[32];
    for (size_t i = 0; i < COUNT_OF(times); i++) {
        assert_true(em_cli_parse_time(times[i], &ms));
        assert_true(ms > 1700000000000 && ms >= before - 400000);
        before = ms;
        em_local_time_text(ms, shown);
        assert_int_equal(strncmp(shown, times[i], 10), 0);
    }
    for (size_t i = 0; i < COUNT_OF(none); i++)
        assert_false(em_cli_parse_time(none[i], &ms));
    assert_true(em_cli_parse_time("0s", &ms));
    assert_true(em_cli_parse_time("1d", &before));
    assert_true(ms - before > 86390000 && ms - before < 86410000);
}

/* ---- What is shown ------------------------------------------------------------------------- */

/* Everything that a change can have. */
static void all_that_is_known_is_told(void **state)
{
    (void)state;
    EM_AUTO(scene) s;
    captured c;
    scene_open(&s);
    edit(&s, "one", "1");
    edit(&s, "two", "2");
    sql(&s, "UPDATE commits SET notes = 127, backup = 'a.txt.bak', kept = '.emend-x',"
            " client = NULL, tool = NULL, time = 1e15 WHERE id = 1");
    RUN(&c, "log", OF(s));
    check_has(c.out, "a.txt  ?\n");
    RUN(&c, "show", "1", OF(s));
    check_has(c.out, "Backup:  a.txt.bak\nKept:    .emend-x\nNote:    what somebody else");
    check_has(c.out, "Note:    a hard link was broken\n");
    RUN(&c, "show", "1", "--json", OF(s));
    check_has(c.out, "\"notes\":[\"no_exchange\",\"not_durable\",\"hard_link\",\"owner\","
                     "\"attributes\",\"foreign_kept\",\"unsynced\"]");
    check_has(c.out, "\"kept\":\".emend-x\"");
    check_has(c.out, "\"diff\":\"--- a/a.txt\\n");
    RUN(&c, "undo", "1", OF(s));
    RUN(&c, "show", "3", OF(s));
    check_has(c.out, ", undo of 1\n");
    RUN(&c, "show", "1", "--json", OF(s));
    check_has(c.out, "\"undone\":true,\"last\":\"3-");
    RUN(&c, "show", "3", "--json", OF(s));
    check_has(c.out, "\"role\":\"undo\"");
    check_has(c.out, "\"of\":[\"1-");
    sql(&s, "UPDATE undone SET base = 'forgotten'");
    RUN(&c, "log", OF(s));
    check_has(c.out, "a.txt  undo  [emend undo]\n");
}

/* An undo that was undone is no undo any more, and what undid it is a redo. */
static void undos_of_undos_are_told(void **state)
{
    (void)state;
    EM_AUTO(scene) s;
    captured c;
    scene_open(&s);
    edit(&s, "one", "1");
    RUN(&c, "undo", "1", OF(s));
    RUN(&c, "undo", "2", OF(s));
    RUN(&c, "log", OF(s));
    check_has(c.out, "a.txt  edit  [");
    check_has(c.out, "a.txt  undo of 1 (undone by 3)  [");
    check_has(c.out, "a.txt  redo of 1  [");
    RUN(&c, "show", "2", OF(s));
    check_has(c.out, ", undo of 1 (undone by 3)\n");
    RUN(&c, "show", "2", "--json", OF(s));
    check_has(c.out, "\"undone\":true,\"last\":\"3-");
    RUN(&c, "undo", "3", OF(s));
    RUN(&c, "log", OF(s));
    check_has(c.out, "a.txt  edit (undone by 4)  [");
    check_has(c.out, "a.txt  undo of 1  [");
    check_has(c.out, "a.txt  redo of 1 (undone by 4)  [");
    sql(&s, "UPDATE commits SET state = 0 WHERE id = 4"); /* it may come to nothing */
    RUN(&c, "log", OF(s));
    check_has(c.out, "a.txt  undo (not finished: it is at work, or was interrupted) of 1  [");
    check_has(c.out, "a.txt  undo of 1 (undone by 3)  [");
    check_has(c.out, "a.txt  redo of 1  [");
    sql(&s, "UPDATE commits SET state = 3, tool = 'undo_last_edit' WHERE id >= 3");
    RUN(&c, "log", OF(s));
    check_has(c.out, "a.txt  undo_last_edit of 1  [");
    check_has(c.out, "a.txt  undo_last_edit, redo of 1 (undone by 4)  [");
}

/* A rewind is undone when all that it did is. */
static void a_rewind_that_was_undone(void **state)
{
    (void)state;
    EM_AUTO(scene) s;
    captured c;
    scene_open(&s);
    RUN(&c, "checkpoint", "x", OF(s));
    edit(&s, "one", "1");
    RUN(&c, "checkpoint", "y", OF(s));
    edit(&s, "two", "2");
    RUN(&c, "rewind", "x", OF(s));
    RUN(&c, "rewind", "y", OF(s));
    RUN(&c, "log", OF(s));
    check_has(c.out, "a.txt  rewind of 2, 1  [");
    RUN(&c, "undo", "4", OF(s));
    RUN(&c, "redo", "2", OF(s));
    RUN(&c, "log", OF(s));
    check_has(c.out, "    5  ");
    check_has(c.out, "a.txt  undo of 1  [");
    check_has(c.out, "a.txt  rewind, redo of 1 (undone by 5)  [");
    check_has(c.out, "a.txt  rewind of 2, 1  ["); /* 2 is undone still */
}

static void a_call_of_several_files(void **state)
{
    (void)state;
    EM_AUTO(scene) s;
    captured c;
    scene_open(&s);
    edit(&s, "one", "1");
    edit(&s, "two", "2");
    edit(&s, "1", "eins");
    edit(&s, "2", "zwei");
    edit(&s, "eins", "un");
    sql(&s, "UPDATE commits SET call = 'x' WHERE id <= 2");
    RUN(&c, "show", "1", "--call", OF(s));
    check_has(c.out, "change 1-");
    check_has(c.out, "change 2-");
    RUN(&c, "show", "1", "--call", "--json", OF(s));
    assert_int_equal(c.out[0], '[');
    RUN(&c, "checkpoint", "x", OF(s));
    sql(&s, "UPDATE checkpoints SET id = 0");
    RUN(&c, "rewind", "x", OF(s));
    assert_int_equal(c.status, EM_EXIT_DONE);
    RUN(&c, "log", OF(s));
    check_has(c.out, "rewind of 5, 4, 3 and 1 more  [emend rewind]\n");
}

static void a_part_of_a_long_line(void **state)
{
    (void)state;
    EM_AUTO(scene) s;
    captured c;
    char line[3001];
    scene_open(&s);
    memset(line, 'x', sizeof line - 1);
    line[sizeof line - 1] = '\0';
    edit(&s, "one", line);
    edit(&s, "two", "2");
    RUN(&c, "show", "2", OF(s));
    check_has(
        c.out,
        "\nNot all that stands around the change is kept: of some lines the diff has a part.\n");
    RUN(&c, "show", "2", "--json", OF(s));
    check_has(c.out, "\"lines_cut\":true");
    RUN(&c, "show", "1", "--json", OF(s));
    assert_null(strstr(c.out, "lines_cut"));
}

static void what_cannot_be_shown(void **state)
{
    (void)state;
    EM_AUTO(scene) s;
    captured c;
    scene_open(&s);
    edit(&s, "one", "1");
    edit(&s, "1", "one");
    sql(&s, "DELETE FROM inverses WHERE id = 1");
    RUN(&c, "show", "1", OF(s));
    check_has(c.out, "too large to be recorded");
    sql(&s, "UPDATE inverses SET plan = x'0101000901ff' WHERE id = 2;"
            "UPDATE commits SET new_hash = 'lost' WHERE id = 2");
    RUN(&c, "show", "2", OF(s));
    check_has(c.out, "9 new bytes are not kept: the diff lacks them.\n");
    RUN(&c, "show", "2", "--json", OF(s));
    check_has(c.out, "\"bytes_missing\":9");
    sql(&s, "UPDATE inverses SET plan = x'010100090100' WHERE id = 2");
    RUN(&c, "show", "2", OF(s));
    check_has(c.out, "It is no text: 6 bytes became 8.\n");
    RUN(&c, "show", "2", "--json", OF(s));
    check_has(c.out, "\"binary\":true");
    sql(&s, "UPDATE inverses SET plan = x'77' WHERE id = 2");
    RUN(&c, "show", "2", OF(s));
    assert_int_equal(c.status, EM_EXIT_REFUSED);
    check_has(c.err, "is damaged");
}

/* Names that are no UTF-8 do not break what programs read. */
static void odd_names(void **state)
{
    (void)state;
    EM_AUTO(scene) s;
    captured c;
    scene_open(&s);
    edit(&s, "one", "1");
    sql(&s, "UPDATE commits SET path = CAST(x'61ff' AS TEXT)");
    RUN(&c, "log", "--json", OF(s));
    check_has(c.out, "work/a\\\\xFF\"");
}

/* ---- Where nothing can be done --------------------------------------------------------------- */

static const char *const commands[][3] = {
    {"log"},        {"show", "1"},       {"undo"},        {"redo"},
    {"checkpoint"}, {"checkpoint", "x"}, {"rewind", "x"}, {"gc"},
};

static void run_each(const scene *s, captured *c, size_t i, const char *flag, const char *value)
{
    const char *words[16] = {commands[i][0]};
    size_t count = 1;
    if (commands[i][1])
        words[count++] = commands[i][1];
    const char *more[] = {OF(*s), flag, value};
    for (size_t j = 0; j < COUNT_OF(more) && more[j]; j++)
        words[count++] = more[j];
    run_captured(c, words);
}

static void every_command_says_why_it_cannot(void **state)
{
    (void)state;
    EM_AUTO(scene) s;
    captured c;
    scene_open(&s);
    edit(&s, "one", "1");
    for (size_t i = 0; i < COUNT_OF(commands); i++) {
        run_each(&s, &c, i, "--root", "/nowhere/at/all");
        assert_int_equal(c.status, EM_EXIT_WRONG);
        check_has(c.err, "/nowhere");
    }
    sql(&s, "PRAGMA user_version = 99");
    for (size_t i = 0; i < COUNT_OF(commands); i++) {
        run_each(&s, &c, i, NULL, NULL);
        assert_int_equal(c.status, EM_EXIT_REFUSED);
        check_has(c.err, "newer emend");
    }
}

static int takes_no_filter(void *context, const struct sock_fprog *program)
{
    (void)context, (void)program;
    return -ENOSYS;
}

static void every_command_can_demand_its_walls(void **state)
{
    (void)state;
    EM_AUTO(scene) s;
    captured c;
    em_sandbox_kernel kernel = kernel_without_walls;
    kernel.set_filter = takes_no_filter;
    scene_open(&s);
    edit(&s, "one", "1");
    for (size_t i = 0; i < COUNT_OF(commands); i++) {
        char *argv[16] = {(char *)"emend", (char *)commands[i][0]};
        size_t count = 2;
        if (commands[i][1])
            argv[count++] = (char *)commands[i][1];
        const char *more[] = {OF(s), "--sandbox", "required"};
        for (size_t j = 0; j < COUNT_OF(more); j++)
            argv[count++] = (char *)more[j];
        FILE *err = tmpfile();
        int kept;
        capture_begin(2, err, &kept);
        c.status = em_cli(argv, &kernel);
        capture_end(2, err, kept, c.err, sizeof c.err);
        assert_int_equal(c.status, EM_EXIT_WRONG);
        check_has(c.err, "seccomp");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(times_are_read),
        cmocka_unit_test(all_that_is_known_is_told),
        cmocka_unit_test(undos_of_undos_are_told),
        cmocka_unit_test(a_rewind_that_was_undone),
        cmocka_unit_test(a_call_of_several_files),
        cmocka_unit_test(a_part_of_a_long_line),
        cmocka_unit_test(what_cannot_be_shown),
        cmocka_unit_test(odd_names),
        cmocka_unit_test(every_command_says_why_it_cannot),
        cmocka_unit_test(every_command_can_demand_its_walls),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
