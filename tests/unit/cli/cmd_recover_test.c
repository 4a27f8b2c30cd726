/* What is recovered is made by processes that really die within a commit. */
#include "../../remove_tree.h"
#include "captured.h"

#include "cli/recovered.h"

#include <dirent.h>
#include <sys/wait.h>

/* ---- A process that dies ------------------------------------------------------------------- */

typedef struct scene {
    char base[64], root[80], state[80], path[100];
} scene;

static void write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

static void check_file(const char *path, const char *want)
{
    char text[64] = "";
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    assert_string_equal(text, want);
}

static void scene_open(scene *s)
{
    *s = (scene){.base = "/tmp/emend-cli-XXXXXX"};
    assert_non_null(mkdtemp(s->base));
    snprintf(s->root, sizeof s->root, "%s/work", s->base);
    snprintf(s->state, sizeof s->state, "%s/state", s->base);
    snprintf(s->path, sizeof s->path, "%s/a.txt", s->root);
    assert_int_equal(mkdir(s->root, 0755), 0);
    write_file(s->path, "old\n");
}

static void scene_drop(scene *s)
{
    assert_int_equal(remove_tree(s->base), 0);
}

static int rename_and_die(void *context, int from_dir, const char *from, int to_dir, const char *to,
                          unsigned flags)
{
    if (*(bool *)context)
        em_sys_native.rename(em_sys_native.context, from_dir, from, to_dir, to, flags);
    _exit(0);
}

/* Change the file to "new" in a process that dies before or after it exchanges the names. */
static void die_in_a_commit(const scene *s, bool after)
{
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        const char *roots[] = {s->root};
        em_op op = {
            .kind = EM_OP_REPLACE, .find = EM_LIT("old"), .insert = EM_LIT("new"), .expect = 1};
        em_edit_request request = {.path = "a.txt", .ops = &op, .op_count = 1, .tool = "test"};
        em_sys dying = em_sys_native;
        dying.context = &after;
        dying.rename = rename_and_die;
        em_session_options options = {.workspace = {.roots = roots,
                                                    .root_count = 1,
                                                    .state_dir = s->state,
                                                    .sync = EM_SYNC_OFF,
                                                    .sys = &dying}};
        em_arena arena = {0};
        em_session *session = NULL;
        em_outcome outcome;
        em_error err = EM_ERROR_INIT;
        if (em_session_new(&options, &session, &err) == EM_OK)
            em_run_edit(session, &request, &arena, &outcome);
        _exit(1);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
}

/* The name beside the file that the dead process left, in `path`. */
static void find_stray(const scene *s, char path[400])
{
    DIR *folder = opendir(s->root);
    assert_non_null(folder);
    path[0] = '\0';
    for (struct dirent *entry; (entry = readdir(folder)) != NULL;)
        if (strncmp(entry->d_name, ".emend-", 7) == 0)
            snprintf(path, 400, "%s/%s", s->root, entry->d_name);
    closedir(folder);
}

#define OF(s) "--root", (s).root, "--state-dir", (s).state

/* ---- What becomes of it -------------------------------------------------------------------- */

static void a_change_that_was_made_is_finished(void **state)
{
    (void)state;
    EM_AUTO(scene) s;
    captured c;
    char stray[400];
    scene_open(&s);
    die_in_a_commit(&s, true);
    RUN(&c, "doctor", OF(s));
    assert_int_equal(c.status, EM_EXIT_DONE);
    assert_non_null(strstr(c.out, "waits for recovery"));
    RUN(&c, "recover", OF(s));
    assert_string_equal(c.err, "");
    assert_int_equal(c.status, EM_EXIT_DONE);
    assert_non_null(strstr(c.out, "by test was made; it is in the history now\n"));
    assert_non_null(strstr(c.out, s.path));
    check_file(s.path, "new\n");
    find_stray(&s, stray);
    assert_string_equal(stray, "");
    RUN(&c, "recover", OF(s));
    assert_string_equal(c.out, "Nothing waits for recovery.\n");
}

static void a_change_that_was_not_made_leaves_nothing(void **state)
{
    (void)state;
    EM_AUTO(scene) s;
    captured c;
    char stray[400];
    scene_open(&s);
    die_in_a_commit(&s, false);
    RUN(&c, "recover", OF(s));
    assert_int_equal(c.status, EM_EXIT_DONE);
    assert_non_null(strstr(c.out, "was not made; nothing is left of it"));
    check_file(s.path, "old\n");
    find_stray(&s, stray);
    assert_string_equal(stray, "");
}

static void a_person_chooses_where_both_are_foreign(void **state)
{
    static const struct {
        const char *keep, *want;
        bool by_path;
    } rows[] = {{"target", "theirs\n", true}, {"stray", "others\n", false}};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        EM_AUTO(scene) s;
        captured c;
        char stray[400], id[64];
        scene_open(&s);
        die_in_a_commit(&s, true);
        find_stray(&s, stray);
        write_file(stray, "others\n");
        write_file(s.path, "theirs\n");
        RUN(&c, "recover", OF(s));
        assert_int_equal(c.status, EM_EXIT_REFUSED);
        assert_non_null(strstr(c.out, "is left to you"));
        const char *named = strstr(c.out, "--keep target ");
        assert_non_null(named);
        assert_int_equal(sscanf(named, "--keep target %63s", id), 1);
        RUN(&c, "edit", "a.txt", "--old", "theirs", "--new", "x", OF(s));
        assert_int_equal(c.status, EM_EXIT_REFUSED);
        RUN(&c, "recover", "--keep", rows[i].keep, rows[i].by_path ? s.path : id, OF(s));
        assert_string_equal(c.err, "");
        assert_int_equal(c.status, EM_EXIT_DONE);
        check_file(s.path, rows[i].want);
        RUN(&c, "recover", OF(s));
        assert_string_equal(c.out, "Nothing waits for recovery.\n");
    }
}

static void run_in(const scene *s, const char *shell)
{
    char command[600];
    snprintf(command, sizeof command, "cd '%s' && %s", s->base, shell);
    assert_int_equal(system(command), 0);
}

/* The root is replaced by a copy: what it says is what is there. */
static void a_copy_of_the_folder_is_gone_into_when_that_is_said(void **state)
{
    static const char *const keep[] = {"target", "stray"}, *const want[] = {"theirs\n", "others\n"};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(keep); i++) {
        EM_AUTO(scene) s;
        captured c;
        char stray[400];
        scene_open(&s);
        die_in_a_commit(&s, true);
        find_stray(&s, stray);
        write_file(stray, "others\n");
        write_file(s.path, "theirs\n");
        run_in(&s, "mv work was && cp -a was work && rm -r was");
        RUN(&c, "recover", OF(s));
        assert_int_equal(c.status, EM_EXIT_REFUSED);
        assert_non_null(strstr(c.out, "is left to you: another folder is in the place"));
        assert_non_null(strstr(c.out, stray));
        assert_non_null(strstr(c.out, "emend recover --keep stray "));
        RUN(&c, "recover", "--keep", keep[i], s.path, OF(s));
        assert_int_equal(c.status, EM_EXIT_DONE);
        check_file(s.path, want[i]);
        find_stray(&s, stray);
        assert_string_equal(stray, "");
    }
}

/* It is named by the path that is told, whatever is left of that. */
static void a_change_is_forgotten_with_its_folder(void **state)
{
    static const char *const names[] = {"work", "./work"};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        EM_AUTO(scene) s;
        captured c;
        char name[120];
        scene_open(&s);
        die_in_a_commit(&s, true);
        run_in(&s, "mv work was");
        snprintf(name, sizeof name, "%s/%s/a.txt", s.base, names[i]);
        RUN(&c, "recover", "--all", "--root", s.base, "--state-dir", s.state);
        assert_int_equal(c.status, EM_EXIT_REFUSED);
        assert_non_null(strstr(c.out, "is gone, or was moved"));
        RUN(&c, "recover", "--keep", "target", name, "--root", s.base, "--state-dir", s.state);
        assert_string_equal(c.err, "");
        assert_int_equal(c.status, EM_EXIT_DONE);
        assert_non_null(strstr(c.out, "is forgotten: what became of it is not known"));
        RUN(&c, "recover", "--root", s.base, "--state-dir", s.state);
        assert_string_equal(c.out, "Nothing waits for recovery.\n");
    }
}

static void other_roots_are_left_alone_unless_all_are_meant(void **state)
{
    (void)state;
    EM_AUTO(scene) s;
    captured c;
    scene_open(&s);
    die_in_a_commit(&s, true);
    RUN(&c, "recover", "--root", "/usr", "--state-dir", s.state);
    assert_string_equal(c.out, "Nothing waits for recovery.\n");
    RUN(&c, "recover", "--all", "--root", "/usr", "--state-dir", s.state);
    assert_non_null(strstr(c.out, "was made"));
}

static void wrong_words_are_refused(void **state)
{
    (void)state;
    EM_AUTO(scene) s;
    captured c;
    scene_open(&s);
    RUN(&c, "recover", "--keep", "target", OF(s));
    assert_int_equal(c.status, EM_EXIT_WRONG);
    assert_non_null(strstr(c.err, "--keep needs the change or the file"));
    die_in_a_commit(&s, true);
    RUN(&c, "recover", "no-such-change", OF(s));
    assert_int_equal(c.status, EM_EXIT_REFUSED);
    assert_non_null(strstr(c.err, "no-such-change"));
    RUN(&c, "recover", "--root", "/tmp/emend-there-is-no-such-folder");
    assert_int_equal(c.status, EM_EXIT_WRONG);
}

static void print_row(const em_recovered *row, char *line, size_t size)
{
    EM_AUTO(em_arena) arena = {0};
    em_invocation call = {.arena = &arena, .out = {.file = tmpfile()}};
    assert_true(em_cli_print_recovered(&call, row));
    rewind(call.out.file);
    line[fread(line, 1, size - 1, call.out.file)] = '\0';
    fclose(call.out.file);
}

static void every_end_has_its_words(void **state)
{
    static const struct {
        em_recovery_end end;
        const char *want;
    } rows[] = {
        {EM_RECOVERED_DONE, "was made; it is in the history now\n"},
        {EM_RECOVERED_UNDONE, "was not made; nothing is left of it\n"},
        {EM_RECOVERED_KEPT, "was made; what somebody wrote to the old file is in /r/.emend-1\n"},
        {EM_LEFT_HELD, "is left alone: its process is at work\n"},
        {EM_LEFT_IN_GRACE, "is made; a server that runs keeps its old file a while, for what "
                           "others still write to it: /r/.emend-1\n"},
        {EM_LEFT_UNREACHABLE,
         "is left to you: why. Put that folder back and recover again, or run\n"
         "  emend recover --keep target 7-f   to forget the change\n"},
        {EM_RECOVERED_FORGOTTEN, "is forgotten: what became of it is not known. If it left "
                                 "anything, that was /r/.emend-1\n"},
        {EM_LEFT_UNREADABLE, "is left: why\n"},
        {EM_LEFT_TO_PERSON, "emend recover --keep stray 7-f    to put the other there\n"},
        {EM_RECOVERY_NOT_TRIED, "waits for recovery\n"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        char line[1024];
        em_recovered row = {.id = "7-f",
                            .path = "/r/a",
                            .stray = "/r/.emend-1",
                            .detail = "why",
                            .client = "someone",
                            .end = rows[i].end};
        print_row(&row, line, sizeof line);
        if (strncmp(line, "/r/a: change 7-f of 19", 22) != 0 || !strstr(line, rows[i].want) ||
            !strstr(line, "by an unknown tool (someone)"))
            fail_msg("%s", line);
    }
}

static void transactions_are_named(void **state)
{
    (void)state;
    char line[1024];
    em_recovered row = {.id = "7-f",
                        .txn = "0123456789abcdef",
                        .path = "/r/a",
                        .detail = "why",
                        .end = EM_LEFT_DAMAGED};
    print_row(&row, line, sizeof line);
    assert_non_null(strstr(line, "/r/a: change 7-f (transaction 0123456789abcdef) of "));
    assert_non_null(strstr(line, "is left to you: why. "));
    assert_non_null(strstr(line, "emend recover --keep target 0123456789abcdef\n"));
    row.path = "";
    print_row(&row, line, sizeof line);
    assert_int_equal(strncmp(line, "transaction 0123456789abcdef is left to you", 43), 0);
}

static void every_time_can_be_told(void **state)
{
    static const struct {
        int64_t ms;
        const char *want;
    } rows[] = {
        {INT64_MAX, " of 29227"}, {INT64_MIN, " of -29227"}, {0, " of 1970-01-01 00:00:00"}};
    (void)state;
    setenv("TZ", "UTC", 1);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        em_recovered row = {.id = "7", .path = "/a", .detail = "", .time_ms = rows[i].ms};
        char line[1024];
        print_row(&row, line, sizeof line);
        assert_non_null(strstr(line, rows[i].want));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_change_that_was_made_is_finished),
        cmocka_unit_test(a_change_that_was_not_made_leaves_nothing),
        cmocka_unit_test(a_person_chooses_where_both_are_foreign),
        cmocka_unit_test(a_copy_of_the_folder_is_gone_into_when_that_is_said),
        cmocka_unit_test(a_change_is_forgotten_with_its_folder),
        cmocka_unit_test(other_roots_are_left_alone_unless_all_are_meant),
        cmocka_unit_test(wrong_words_are_refused),
        cmocka_unit_test(every_end_has_its_words),
        cmocka_unit_test(transactions_are_named),
        cmocka_unit_test(every_time_can_be_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
