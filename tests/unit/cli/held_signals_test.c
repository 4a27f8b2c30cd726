/* A signal that comes while a command makes a change, just before it closes its session. */
#include "captured.h"

#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "../../remove_tree.h"
#include "cli/held_signals.h"

void __real_em_session_free(em_session *session);
void __wrap_em_session_free(em_session *session);

static int comes; /* the signal; 0: none */

void __wrap_em_session_free(em_session *session)
{
    __real_em_session_free(session);
    if (comes)
        assert_int_equal(kill(getpid(), comes), 0);
}

typedef struct ended {
    int status; /* as wait() has it */
    char out[4096];
} ended;

static void read_whole(FILE *file, char *text, size_t size)
{
    rewind(file);
    text[fread(text, 1, size - 1, file)] = '\0';
    fclose(file);
}

/* The command in a process of its own, in a new folder with a.txt. */
static ended run_apart(const char *const *words, int number, char *text, size_t size)
{
    char folder[] = "/tmp/emend-signals-XXXXXX", root[64], path[96];
    ended e;
    FILE *out = tmpfile();
    assert_non_null(mkdtemp(folder));
    snprintf(root, sizeof root, "%s/root", folder);
    snprintf(path, sizeof path, "%s/a.txt", root);
    assert_int_equal(mkdir(root, 0700), 0);
    FILE *file = fopen(path, "w");
    assert_true(out && file && fputs("one\ntwo\n", file) >= 0 && fclose(file) == 0);
    fflush(NULL);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        char *argv[32] = {(char *)"emend"};
        for (size_t i = 0; words[i]; i++)
            argv[i + 1] = (char *)words[i];
        comes = number;
        signal(number, SIG_DFL);
        if (dup2(fileno(out), 1) != 1 || chdir(root) != 0 ||
            setenv("XDG_STATE_HOME", folder, 1) != 0)
            _exit(99);
        int status = em_cli(argv, &kernel_without_walls);
        fflush(NULL);
        _exit(status);
    }
    assert_int_equal(waitpid(child, &e.status, 0), child);
    read_whole(out, e.out, sizeof e.out);
    file = fopen(path, "r");
    assert_non_null(file);
    read_whole(file, text, size);
    remove_tree(folder);
    return e;
}

static void what_was_done_is_told_before_the_signal_takes_effect(void **state)
{
    (void)state;
    static const int numbers[] = {SIGTERM, SIGINT, SIGHUP};
    static const char *const words[] = {"edit", "a.txt", "--old", "two", "--new", "2", NULL};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        char text[64];
        ended e = run_apart(words, numbers[i], text, sizeof text);
        assert_string_equal(text, "one\n2\n");
        assert_non_null(strstr(e.out, "-two\n+2\n"));
        assert_true(WIFSIGNALED(e.status) && WTERMSIG(e.status) == numbers[i]);
    }
}

static void where_nothing_was_done_it_ends_the_process_at_once(void **state)
{
    (void)state;
    static const char *const words[] = {"edit",  "a.txt", "--old",     "two",
                                        "--new", "2",     "--dry-run", NULL};
    char text[64];
    ended e = run_apart(words, SIGTERM, text, sizeof text);
    assert_string_equal(text, "one\ntwo\n");
    assert_string_equal(e.out, "");
    assert_true(WIFSIGNALED(e.status) && WTERMSIG(e.status) == SIGTERM);
}

/* Who reads what was done may be slow. */
static void a_further_signal_ends_the_process_at_once(void **state)
{
    int status;
    (void)state;
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        signal(SIGINT, SIG_DFL);
        em_cli_hold_signals();
        raise(SIGINT);
        bool was_told = em_cli_is_told_to_end();
        em_cli_defer_signals();
        if (!was_told)
            _exit(98);
        raise(SIGINT);
        _exit(97);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGINT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_done_is_told_before_the_signal_takes_effect),
        cmocka_unit_test(where_nothing_was_done_it_ends_the_process_at_once),
        cmocka_unit_test(a_further_signal_ends_the_process_at_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
