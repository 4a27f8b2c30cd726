/* main.c: many clients at once, over HTTP and over stdio.
 *
 *     serve_load EMEND [--quick] [--http] [--clients N] [--calls N] [--idle N] [--slow N]
 *                      [--folder DIR] [-- FLAG...]
 *
 * EMEND is the executable. Each call is an edit of a file of 10 KB (clients.h). It is made over
 * stdio by one client, and by as many as --clients says (64), each with a server of its own; over
 * HTTP by one, and by all with one server: --calls of them (100,000). Then beside --idle
 * connections that do nothing (10,000) and --slow ones (64) that send a byte of their request now
 * and then. The flags behind -- go to the servers; without any it is `--sync off`, so that no disk
 * is waited for.
 *
 * Printed are errors, p50, p99, and what the server has in memory in the meantime. The exit status
 * is 1 where a call went wrong, the memory grows, or the idle and slow ones slow the others.
 * --quick: a few of everything, and only what goes wrong is judged. --http: nothing over stdio.
 */
#include "clients.h"
#include "idlers.h"

#include <err.h>
#include <ftw.h>
#include <getopt.h>
#include <limits.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    WRONG = 2,
    MOST_SAMPLES = 64,
    SPARE_FILES = 200, /* that a process has open besides connections */
    FEW = 10,          /* one client makes a tenth of the calls, and so do those beside idle ones */
    GROWTH_KB = 4096,  /* of memory, from the second quarter of the calls to the last */
    SLOWER_PERCENT = 150,
    SLOWER_MS = 5, /* less is no difference on a machine that does other things too */
};

typedef struct plan {
    const char *emend;
    size_t clients, calls, idle, slow;
    bool judges; /* memory and speed */
    bool skips_stdio;
    char folder[PATH_MAX], root[PATH_MAX], state[PATH_MAX];
    const char *const *flags;
    size_t flag_count;
} plan;

typedef struct memory {
    const server *of;
    long all_kb[MOST_SAMPLES], own_kb[MOST_SAMPLES];
    size_t count;
} memory;

static const char *const default_flags[] = {"--sync", "off"};

/* ---- Servers ------------------------------------------------------------------------------- */

/* EMEND COMMAND with all its flags; `argv` has room for MOST_FLAGS. */
static void server_words(const plan *p, const char *command, const char *argv[])
{
    const char *words[] = {p->emend,      command,  "--root",  p->root,
                           "--state-dir", p->state, "--tools", "edit_file"};
    size_t count = 0;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        argv[count++] = words[i];
    if (strcmp(command, "serve") == 0) {
        argv[count++] = "--listen";
        argv[count++] = "127.0.0.1:0";
    }
    if (count + p->flag_count >= MOST_FLAGS)
        errx(WRONG, "too many flags");
    for (size_t i = 0; i < p->flag_count; i++)
        argv[count++] = p->flags[i];
    argv[count] = NULL;
}

static void take_sample(void *context, size_t done)
{
    memory *m = context;
    (void)done;
    if (m->count == MOST_SAMPLES)
        return;
    m->all_kb[m->count] = server_memory_kb(m->of, "VmRSS");
    m->own_kb[m->count++] = server_memory_kb(m->of, "RssAnon");
}

/* ---- Printing ------------------------------------------------------------------------------ */

static bool all_well = true;

static void print_head(void)
{
    printf("%-44s %8s %7s %8s %9s %9s %9s\n", "", "calls", "errors", "calls/s", "p50 ms", "p99 ms",
           "most ms");
}

static void print_result(const char *what, const load_result *result)
{
    printf("%-44s %8zu %7zu %8.0f %9.3f %9.3f %9.3f\n", what, result->calls, result->errors,
           (double)result->calls / result->seconds, result->p50_ms, result->p99_ms,
           result->most_ms);
    if (result->errors > 0)
        printf("    the first error: %s\n", result->first_error);
    all_well = all_well && result->errors == 0;
    fflush(stdout);
}

static void judge(bool good, const char *what)
{
    printf("%s %s\n", good ? "reached" : "MISSED ", what);
    all_well = all_well && good;
}

static void print_memory(const char *what, const long kb[], size_t count)
{
    printf("%s, MB:", what);
    for (size_t i = 0; i < count; i++)
        printf(" %.1f", (double)kb[i] / 1024);
    printf("\n");
}

/* Of the quarter that begins at `start`. */
static long mean_kb(const memory *m, size_t start)
{
    long sum = 0;
    size_t count = m->count / 4;
    for (size_t i = start; i < start + count; i++)
        sum += m->own_kb[i];
    return sum / (long)count;
}

/* After a quarter of the calls everything that is made once is there. What counts is the server's
 * own: every session maps the index of the history's log, so the same pages count for each. What
 * the allocator keeps goes up and down by a megabyte or two; a leak would be 80 bytes a call. */
static void judge_memory(const plan *p, const memory *m)
{
    char what[200];
    print_memory("memory of the server", m->all_kb, m->count);
    print_memory("without mapped files", m->own_kb, m->count);
    if (m->count < 4 || !p->judges)
        return;
    long grown = mean_kb(m, m->count - m->count / 4) - mean_kb(m, m->count / 4);
    snprintf(what, sizeof what,
             "flat memory: %+ld KB from the second quarter to the last (at most %+d)", grown,
             GROWTH_KB);
    judge(grown <= GROWTH_KB, what);
}

static void judge_slower(const char *name, double alone, double beside)
{
    char what[200];
    bool good = beside * 100 <= alone * SLOWER_PERCENT || beside - alone <= SLOWER_MS;
    snprintf(what, sizeof what,
             "%s beside idle and slow ones: %.2f x (at most %.2f, or %d ms more)", name,
             beside / alone, SLOWER_PERCENT / 100.0, SLOWER_MS);
    judge(good, what);
}

/* ---- What is measured ---------------------------------------------------------------------- */

static void over_stdio(const plan *p)
{
    const char *argv[MOST_FLAGS];
    char name[80];
    server_words(p, "mcp", argv);
    load one = {
        .name = "stdio-1", .root = p->root, .clients = 1, .calls = p->calls / FEW, .stdio = argv};
    load many = {.name = "stdio-n",
                 .root = p->root,
                 .clients = p->clients,
                 .calls = p->calls,
                 .stdio = argv};
    load_result result = load_run(&one);
    print_result("stdio, 1 client", &result);
    result = load_run(&many);
    snprintf(name, sizeof name, "stdio, %zu clients, each with its server", p->clients);
    print_result(name, &result);
}

static load_result over_http(const plan *p, const server *http, const char *name, size_t clients,
                             size_t calls, memory *m)
{
    load what = {.name = name,
                 .root = p->root,
                 .clients = clients,
                 .calls = calls,
                 .http = http,
                 .watch = m ? take_sample : NULL,
                 .context = m};
    return load_run(&what);
}

static void beside_idlers(const plan *p, const server *http)
{
    char name[120];
    load_result before = over_http(p, http, "before", p->clients, p->calls / FEW, NULL);
    idlers *crowd = idlers_open(http, p->idle, p->slow);
    if (!crowd)
        errx(WRONG, "out of memory");
    load_result beside = over_http(p, http, "beside", p->clients, p->calls / FEW, NULL);
    idlers_count left = idlers_ask(crowd);
    idlers_close(crowd);
    load_result after = over_http(p, http, "after", p->clients, p->calls / FEW, NULL);
    print_result("HTTP, the same alone", &before);
    snprintf(name, sizeof name, "HTTP, beside %zu idle and %zu slow ones", p->idle, p->slow);
    print_result(name, &beside);
    print_result("HTTP, alone again", &after);
    printf(
        "idle connections that the server had left alone at the end: %zu of %zu; slow ones that it "
        "hung up on and that came again: %zu\n",
        left.idle, p->idle, left.reopened);
    if (!p->judges)
        return;
    judge_slower("p50", (before.p50_ms + after.p50_ms) / 2, beside.p50_ms);
    judge_slower("p99", (before.p99_ms + after.p99_ms) / 2, beside.p99_ms);
}

static void measure_http(const plan *p)
{
    const char *argv[MOST_FLAGS];
    char name[80];
    server_words(p, "serve", argv);
    server http = server_start(argv);
    server_read_address(&http);
    memory m = {.of = &http};
    load_result result = over_http(p, &http, "http-1", 1, p->calls / FEW, NULL);
    print_result("HTTP, 1 client", &result);
    result = over_http(p, &http, "http-n", p->clients, p->calls, &m);
    snprintf(name, sizeof name, "HTTP, %zu clients", p->clients);
    print_result(name, &result);
    judge_memory(p, &m);
    if (p->idle + p->slow > 0)
        beside_idlers(p, &http);
    server_stop(&http);
}

/* ---- The command --------------------------------------------------------------------------- */

/* The server has a descriptor for each connection, and so have those who idle. */
static void fit_idle(plan *p)
{
    struct rlimit files;
    if (getrlimit(RLIMIT_NOFILE, &files) != 0)
        err(WRONG, "getrlimit");
    size_t hard = files.rlim_max == RLIM_INFINITY ? SIZE_MAX : (size_t)files.rlim_max;
    if (p->idle + p->slow + 2 * p->clients + SPARE_FILES <= hard)
        return;
    p->idle = hard / 2;
    printf("a process may have %zu files open: only %zu idle connections\n", hard, p->idle);
}

static void make_folders(plan *p, const char *within)
{
    int length = snprintf(p->folder, sizeof p->folder, "%s/emend-load-XXXXXX", within);
    if (length < 0 || length + 10 >= PATH_MAX || !mkdtemp(p->folder))
        err(WRONG, "%s", p->folder);
    snprintf(p->root, sizeof p->root, "%.*s/root", PATH_MAX - 10, p->folder);
    snprintf(p->state, sizeof p->state, "%.*s/state", PATH_MAX - 10, p->folder);
    if (mkdir(p->root, 0700) != 0 || mkdir(p->state, 0700) != 0)
        err(WRONG, "%s", p->folder);
}

static int remove_one(const char *path, const struct stat *about, int kind, struct FTW *where)
{
    (void)about, (void)kind, (void)where;
    return remove(path);
}

static size_t number(const char *text)
{
    char *end;
    unsigned long value = strtoul(text, &end, 10);
    if (end == text || *end)
        errx(WRONG, "%s is no number", text);
    return value;
}

static const char *read_command(int argc, char **argv, plan *p)
{
    static const struct option options[] = {
        {"clients", required_argument, NULL, 'c'}, {"calls", required_argument, NULL, 'n'},
        {"idle", required_argument, NULL, 'i'},    {"slow", required_argument, NULL, 's'},
        {"quick", no_argument, NULL, 'q'},         {"http", no_argument, NULL, 'h'},
        {"folder", required_argument, NULL, 'f'},  {NULL, 0, NULL, 0},
    };
    const char *within = "/tmp";
    if (argc < 2 || argv[1][0] == '-')
        errx(WRONG, "usage: serve_load EMEND [--quick] [--http] [--clients N] [--calls N] "
                    "[--idle N] [--slow N] [--folder DIR] [-- FLAG...]");
    p->emend = argv[1];
    optind = 2;
    for (int option; (option = getopt_long(argc, argv, "", options, NULL)) != -1;) {
        switch (option) {
        case 'c':
            p->clients = number(optarg);
            break;
        case 'n':
            p->calls = number(optarg);
            break;
        case 'i':
            p->idle = number(optarg);
            break;
        case 's':
            p->slow = number(optarg);
            break;
        case 'q':
            *p = (plan){.emend = p->emend,
                        .clients = 8,
                        .calls = 400,
                        .idle = 200,
                        .slow = 8,
                        .flags = p->flags,
                        .flag_count = p->flag_count};
            break;
        case 'h':
            p->skips_stdio = true;
            break;
        case 'f':
            within = optarg;
            break;
        default:
            exit(WRONG);
        }
    }
    if (optind < argc) {
        p->flags = (const char *const *)argv + optind;
        p->flag_count = (size_t)(argc - optind);
    }
    if (p->clients == 0 || p->calls < FEW * p->clients)
        errx(WRONG, "at least one client, and ten calls for each");
    return within;
}

int main(int argc, char **argv)
{
    plan p = {.clients = 64,
              .calls = 100000,
              .idle = 10000,
              .slow = 64,
              .judges = true,
              .flags = default_flags,
              .flag_count = sizeof default_flags / sizeof *default_flags};
    const char *within = read_command(argc, argv, &p);
    fit_idle(&p);
    make_folders(&p, within);
    signal(SIGPIPE, SIG_IGN);
    print_head();
    if (!p.skips_stdio)
        over_stdio(&p);
    measure_http(&p);
    nftw(p.folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);
    return all_well ? 0 : 1;
}
