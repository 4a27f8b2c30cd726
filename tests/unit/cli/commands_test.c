/* The commands when memory runs out; what they do otherwise is tested from outside, in
 * tests/cli_test.py. */
#include "captured.h"

#include "../../remove_tree.h"
#include "../failing_malloc.h"

#include <fcntl.h>

typedef struct place {
    char base[64], root[80], state[80], file[100], arguments[100], request[100];
    int kept_stdin;
} place;

static void write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

/* Standard input is a file with a request in it. */
static void place_open(place *p)
{
    *p = (place){.base = "/tmp/emend-cli-XXXXXX"};
    assert_non_null(mkdtemp(p->base));
    snprintf(p->root, sizeof p->root, "%s/work", p->base);
    snprintf(p->state, sizeof p->state, "%s/state", p->base);
    snprintf(p->file, sizeof p->file, "%s/a.txt", p->root);
    snprintf(p->arguments, sizeof p->arguments, "%s/arguments", p->base);
    snprintf(p->request, sizeof p->request, "%s/request", p->base);
    assert_int_equal(mkdir(p->root, 0755), 0);
    write_file(p->arguments, "{\"file_path\":\"a.txt\",\"content\":\"new\\n\"}");
    write_file(p->request, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n");
    p->kept_stdin = dup(STDIN_FILENO);
    int fd = open(p->request, O_RDONLY | O_CLOEXEC);
    assert_true(p->kept_stdin >= 0 && dup2(fd, STDIN_FILENO) == STDIN_FILENO);
    close(fd);
}

static void place_drop(place *p)
{
    dup2(p->kept_stdin, STDIN_FILENO);
    close(p->kept_stdin);
    assert_int_equal(remove_tree(p->base), 0);
}

static bool file_is(const place *p, const char *want)
{
    char text[16] = "";
    FILE *file = fopen(p->file, "r");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    return strcmp(text, want) == 0;
}

static void run_fresh(const place *p, const char *const *words, long mallocs, captured *c)
{
    write_file(p->file, "old\n");
    lseek(STDIN_FILENO, 0, SEEK_SET);
    mallocs_left = mallocs;
    run_captured(c, words);
    mallocs_left = -1;
}

/* Whichever request for memory is the first to fail, with all that follow: the command ends, says
 * why, and has done its work or not touched the file. */
static void check_command(const place *p, const char *const *words)
{
    enum { MOST = 5000 };
    captured plenty, scarce;
    run_fresh(p, words, -1, &plenty);
    for (long n = 0; n < MOST; n++) {
        run_fresh(p, words, n, &scarce);
        assert_true(file_is(p, "old\n") || file_is(p, "new\n"));
        assert_true(scarce.status == EM_EXIT_DONE || scarce.out[0] || scarce.err[0]);
        if (scarce.status == plenty.status && strcmp(scarce.out, plenty.out) == 0 &&
            strcmp(scarce.err, plenty.err) == 0) {
            assert_true(n > 0);
            return;
        }
    }
    fail_msg("%s: never as with plenty of memory: %s", words[0], scarce.err);
}

static void every_command_survives_want_of_memory(void **state)
{
    (void)state;
    EM_AUTO(place) p;
    place_open(&p);
    const char *const rows[][9] = {
        {"tools", NULL},
        {"tools", "--json", NULL},
        {"tools", "read_file", NULL},
        {"prompt", NULL},
        {"nothing", NULL},
        {"call", "nothing", NULL},
        {"doctor", "--root", p.root, "--state-dir", p.state, NULL},
        {"recover", "--root", p.root, "--state-dir", p.state, NULL},
        {"mcp", "--root", p.root, "--state-dir", p.state, NULL},
        {"edit", "a.txt", "--old=old", "--new=new", "--root", p.root, "--state-dir", p.state, NULL},
        {"edit", "a.txt", "--old=OLD", "--new=new", "--root", p.root, "--state-dir", p.state, NULL},
        {"edit", "A.txt", "--old=old", "--new=new", "--root", p.root, "--state-dir", p.state, NULL},
        {"dom", "a.txt", "p:frist", "remove", "--root", p.root, "--state-dir", p.state, NULL},
        {"call", "write_file", p.arguments, "--root", p.root, "--state-dir", p.state, NULL},
        {"doctor", "--root", p.root, "--state-dir", p.state, NULL},
        {"recover", "17", "--root", p.root, "--state-dir", p.state, NULL},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        check_command(&p, rows[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_command_survives_want_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
