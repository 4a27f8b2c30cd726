#include "check.h"

#include "cli/tokens.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct place {
    char base[40], path[60], said[1000];
    em_arena arena;
    em_invocation call;
    em_token_list tokens;
} place;

static void place_open(place *p)
{
    *p = (place){.base = "/tmp/emend-tokens-XXXXXX"};
    assert_non_null(mkdtemp(p->base));
    snprintf(p->path, sizeof p->path, "%s/tokens", p->base);
    p->call = (em_invocation){.arena = &p->arena};
    p->call.err.file = fmemopen(p->said, sizeof p->said, "w");
    assert_non_null(p->call.err.file);
}

static void place_close(place *p)
{
    fclose(p->call.err.file);
    em_arena_drop(&p->arena);
    unlink(p->path);
    rmdir(p->base);
}

static void put(const place *p, const char *text, mode_t mode)
{
    FILE *file = fopen(p->path, "w");
    assert_true(file && fputs(text, file) >= 0 && fclose(file) == 0);
    assert_int_equal(chmod(p->path, mode), 0);
}

static void tokens_of_a_file(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        mode_t mode;
        size_t count, pages; /* count 0: refused */
        const char *problem; /* then */
    } rows[] = {
        {"first-token-of-two\nsecond-token-of-two\n", 0600, 2, 2, NULL},
        {"# a remark\n\n  first-token-of-two \t\r\n#\nsecond-token-of-two", 0400, 2, 2, NULL},
        {"mcp  second-token-of-two\nfirst-token-of-two\n", 0600, 2, 1, NULL},
        {"mcp first-token-of-two\nmcp second-token-of-two", 0600, 2, 0, NULL},
        {"first-token-of-two\nmcp second-token-of-two\nmcp first-token-of-two\n", 0600, 0, 0,
         "with \"mcp\" before it, and without"},
        {"", 0600, 0, 0, "no token in it"},
        {"# nothing\n", 0600, 0, 0, "no token in it"},
        {"first-token-of-two\nshort\n", 0600, 0, 0, "16 to 256"},
        {"first-token-of-two\nmcp short\n", 0600, 0, 0, "16 to 256"},
        {"a token with blanks\n", 0600, 0, 0, "16 to 256"},
        {" # two\nfirst-token-of-two # Ada's\nmcp second-token-of-two\t#the agent's\r\n", 0600, 2,
         1, NULL},
        {"first-token-of-two#second-token-of-two\n", 0600, 0, 0, "16 to 256"},
        {"mcp # of whom?\n", 0600, 0, 0, "16 to 256"},
        {"first-token-of-two\n", 0640, 0, 0, "others may read it"},
        {"first-token-of-two\n", 0602, 0, 0, "others may read it"},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        place p;
        place_open(&p);
        put(&p, rows[i].text, rows[i].mode);
        bool taken = em_tokens_read(&p.call, p.path, false, &p.tokens);
        fflush(p.call.err.file);
        if (taken != (rows[i].count > 0) ||
            (taken && (p.tokens.count != rows[i].count || p.tokens.page_count != rows[i].pages)) ||
            (!taken && !strstr(p.said, rows[i].problem)))
            fail_msg("%s: %s", rows[i].text, p.said);
        if (taken) {
            assert_string_equal(p.tokens.items[0], "first-token-of-two");
            assert_string_equal(p.tokens.items[1], "second-token-of-two");
        }
        place_close(&p);
    }
}

static void a_file_that_is_not_there_is_made(void **state)
{
    (void)state;
    place p;
    struct stat made;
    char first[64];
    place_open(&p);
    assert_true(em_tokens_read(&p.call, p.path, false, &p.tokens));
    assert_int_equal(p.tokens.count, 1);
    snprintf(first, sizeof first, "%s", p.tokens.items[0]);
    assert_int_equal(strlen(first), 32);
    assert_int_equal(stat(p.path, &made), 0);
    assert_int_equal(made.st_mode & 07777, 0600);
    assert_true(em_tokens_read(&p.call, p.path, false, &p.tokens));
    assert_string_equal(p.tokens.items[0], first);
    place_close(&p);
}

/* Who has the one for clients cannot say yes to what it asks for. */
static void with_one_for_clients_where_they_are_apart(void **state)
{
    (void)state;
    place p;
    char page[64], clients[64];
    place_open(&p);
    assert_true(em_tokens_read(&p.call, p.path, true, &p.tokens));
    assert_int_equal(p.tokens.count, 2);
    assert_int_equal(p.tokens.page_count, 1);
    snprintf(page, sizeof page, "%s", p.tokens.items[0]);
    snprintf(clients, sizeof clients, "%s", p.tokens.items[1]);
    assert_string_not_equal(page, clients);
    assert_true(em_tokens_read(&p.call, p.path, false, &p.tokens));
    assert_int_equal(p.tokens.count, 2);
    assert_int_equal(p.tokens.page_count, 1);
    assert_string_equal(p.tokens.items[0], page);
    assert_string_equal(p.tokens.items[1], clients);
    place_close(&p);
}

/* The next start, when there is room, makes it. */
static void a_file_that_cannot_be_written_is_not_left(void **state)
{
    (void)state;
    place p;
    struct rlimit was;
    place_open(&p);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &was), 0);
    struct rlimit none = {.rlim_cur = 0, .rlim_max = was.rlim_max};
    void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &none), 0);
    bool taken = em_tokens_read(&p.call, p.path, false, &p.tokens);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &was), 0);
    signal(SIGXFSZ, handler);
    fflush(p.call.err.file);
    assert_false(taken);
    assert_non_null(strstr(p.said, strerror(EFBIG)));
    assert_int_equal(access(p.path, F_OK), -1);
    assert_true(em_tokens_read(&p.call, p.path, false, &p.tokens));
    place_close(&p);
}

static void what_is_no_file(void **state)
{
    (void)state;
    place p;
    char deeper[80];
    place_open(&p);
    assert_false(em_tokens_read(&p.call, p.base, false, &p.tokens)); /* a folder */
    snprintf(deeper, sizeof deeper, "%s/a/b", p.base);
    assert_false(em_tokens_read(&p.call, deeper, false, &p.tokens));
    assert_int_equal(symlink("/dev/null", p.path), 0);
    assert_false(em_tokens_read(&p.call, p.path, false, &p.tokens));
    unlink(p.path);
    assert_int_equal(symlink("nowhere", p.path), 0);
    assert_false(
        em_tokens_read(&p.call, p.path, false, &p.tokens)); /* it is not followed to be made */
    assert_int_equal(access("nowhere", F_OK), -1);
    place_close(&p);
}

static void at_random(void **state)
{
    (void)state;
    place p;
    char first[64];
    place_open(&p);
    assert_true(em_tokens_make(&p.call, false, &p.tokens));
    assert_int_equal(p.tokens.count, 1);
    assert_int_equal(p.tokens.page_count, 1);
    snprintf(first, sizeof first, "%s", p.tokens.items[0]);
    assert_true(em_tokens_make(&p.call, true, &p.tokens));
    assert_string_not_equal(p.tokens.items[0], first);
    assert_int_equal(p.tokens.count, 2);
    assert_int_equal(p.tokens.page_count, 1);
    assert_string_not_equal(p.tokens.items[0], p.tokens.items[1]);
    place_close(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tokens_of_a_file),
        cmocka_unit_test(a_file_that_is_not_there_is_made),
        cmocka_unit_test(with_one_for_clients_where_they_are_apart),
        cmocka_unit_test(a_file_that_cannot_be_written_is_not_left),
        cmocka_unit_test(what_is_no_file),
        cmocka_unit_test(at_random),
    };
    return cmocka_run_group_tests_name("tokens", tests, NULL, NULL);
}
