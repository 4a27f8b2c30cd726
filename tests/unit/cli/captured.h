/* captured.h: emend(1) run inside a test, with what it prints kept. */
#ifndef EM_TESTS_UNIT_CLI_CAPTURED_H
#define EM_TESTS_UNIT_CLI_CAPTURED_H

#include "check.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

typedef struct captured {
    int status;
    char out[16384], err[4096];
} captured;

static inline void capture_begin(int fd, FILE *file, int *kept)
{
    fflush(NULL);
    *kept = dup(fd);
    assert_true(*kept >= 0 && dup2(fileno(file), fd) == fd);
}

static inline void capture_end(int fd, FILE *file, int kept, char *text, size_t size)
{
    fflush(NULL);
    dup2(kept, fd);
    close(kept);
    rewind(file);
    text[fread(text, 1, size - 1, file)] = '\0';
    fclose(file);
}

/* A kernel that takes everything and confines nothing: the test has more to do afterwards. */
static int takes_rules(void *context, const em_landlock_rules *rules, size_t size, uint32_t flags)
{
    (void)context, (void)size, (void)flags;
    return rules ? open("/dev/null", O_RDONLY | O_CLOEXEC) : 7;
}

static int takes_rule(void *context, int ruleset, const em_landlock_beneath *beneath)
{
    (void)context, (void)ruleset, (void)beneath;
    return 0;
}

static int takes_ruleset(void *context, int ruleset)
{
    (void)context, (void)ruleset;
    return 0;
}

static int takes_order(void *context)
{
    (void)context;
    return 0;
}

static int takes_filter(void *context, const struct sock_fprog *program)
{
    (void)context, (void)program;
    return 0;
}

static int takes_limit(void *context, uint64_t bytes)
{
    (void)context, (void)bytes;
    return 0;
}

static const em_sandbox_kernel kernel_without_walls = {
    .create_ruleset = takes_rules,
    .add_rule = takes_rule,
    .restrict_self = takes_ruleset,
    .no_new_privileges = takes_order,
    .set_filter = takes_filter,
    .limit_memory = takes_limit,
};

/* `words` is the command line behind the program's name. */
static inline void run_captured(captured *c, const char *const *words)
{
    char *argv[32] = {(char *)"emend"};
    for (size_t i = 0; words[i]; i++)
        argv[i + 1] = (char *)words[i];
    FILE *out = tmpfile(), *err = tmpfile();
    int kept_out, kept_err;
    assert_true(out && err);
    capture_begin(1, out, &kept_out);
    capture_begin(2, err, &kept_err);
    c->status = em_cli(argv, &kernel_without_walls);
    capture_end(2, err, kept_err, c->err, sizeof c->err);
    capture_end(1, out, kept_out, c->out, sizeof c->out);
}

#define RUN(c, ...) run_captured(c, (const char *const[]){__VA_ARGS__, NULL})

#endif
