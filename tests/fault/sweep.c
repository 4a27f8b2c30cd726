#include "sweep.h"

#include "history/database.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SHOWN = 10, PATIENCE = 60 };

bool sweep_over(const sweep *s)
{
    return s->first && s->differences > 0;
}

bool sweep_wants(const sweep *s, long number)
{
    return s->at == 0 || s->at == number;
}

bool sweep_chooses(sweep *s)
{
    return s->share == 0 || s->offered++ % s->share == 0;
}

bool sweep_spares(const sweep *s, const fault_trace *call)
{
    bool is_on_history = strstr(call->what, EM_HISTORY_NAME) != NULL;
    return is_on_history && !s->thorough && (s->quick || !s->scenario->whole);
}

void sweep_build(sweep *s)
{
    bool longer = (s->scenario->world & WORLD_LONG_LOG) != 0;
    scenario_build(s->scenario, &s->world, longer ? &s->long_log : &s->history);
}

void *sweep_share(size_t size)
{
    void *shared = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED)
        world_fail("mmap");
    return shared;
}

void sweep_unshare(void *shared, size_t size)
{
    munmap(shared, size);
}

void sweep_stop(void *unused)
{
    (void)unused;
    _exit(SWEEP_STOPPED);
}

int sweep_fork(void (*task)(void *context), void *context)
{
    int status;
    pid_t child = fork();
    if (child < 0)
        world_fail("fork");
    if (child == 0) {
        alarm(PATIENCE);
        sqlite3_randomness(0,
                           NULL); /* else all children choose the same numbers for their journals */
        task(context);
        _exit(0);
    }
    if (waitpid(child, &status, 0) != child)
        world_fail("waitpid");
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

void sweep_count(sweep *s, const char *where, const char *wrong, const scenario_run *run)
{
    alarm(PATIENCE); /* a run that hangs ends the sweep by a signal */
    s->runs++;
    if (!wrong)
        return;
    if (s->differences++ < s->shown)
        printf("sweep %s: %s: %s\n  found    %s\n  answered %s, status %d%s%s\n", s->name,
               s->scenario->name, where, wrong, run->answered ? "yes" : "no", (int)run->status,
               run->detail[0] ? ": " : "", run->detail);
    fflush(stdout);
}

/* How a scenario ends when nothing goes wrong. */
static const char *check_reference(sweep *s, const scenario_run *run, char *text)
{
    bool foreign = (s->scenario->world & WORLD_FOREIGN) != 0;
    if (run->status != (foreign ? EM_E_CONFLICT : EM_OK))
        return foreign ? "expected a conflict" : "expected success";
    check_allowed allowed = {
        .contents = foreign ? CONTENT_FOREIGN : CONTENT_NEW,
        .leniency = foreign ? CHECK_FACTS_MAY_DIFFER : 0,
        .commits = !foreign,
    };
    return check_world(&s->check, &s->world, &allowed, text);
}

bool sweep_reference(sweep *s, fault_sys *f, scenario_run *run)
{
    char text[CHECK_TEXT];
    long before = s->differences;
    scenario_fault_sys(s->scenario, &s->world, f, &em_sys_native);
    f->describes = true;
    scenario_change(s->scenario, &s->world, f, run);
    sweep_count(s, "nothing goes wrong", check_reference(s, run, text), run);
    return s->differences == before;
}

const char *sweep_recover(sweep *s, char *text)
{
    fault_sys f;
    em_error err = EM_ERROR_INIT;
    scenario_fault_sys(s->scenario, &s->world, &f, &em_sys_native);
    em_status status = scenario_recover(s->scenario, &s->world, &f, &err);
    fault_sys_drop(&f);
    snprintf(text, CHECK_TEXT, "recovery failed: %.400s", err.detail);
    return status == EM_OK ? NULL : text;
}

/* ---- main ---------------------------------------------------------------------------------- */

static int usage(const char *name)
{
    fprintf(stderr,
            "usage: sweep_%s [--quick | --long] [--recovery] [--first] [--scenario NAME] [--at N] "
            "[--show N] [--share N] [--folder DIR] [--list]\n",
            name);
    return 2;
}

static int list(void)
{
    for (size_t i = 0; i < scenario_count; i++)
        puts(scenarios[i].name);
    return 0;
}

/* A workspace is used once, in a world with that state directory, and another boot has looked at
 * it. */
static bool use(sweep *s, const world_copy *state)
{
    static const scenario first = {.name = "the first", .target = "first.txt"};
    fault_sys f;
    scenario_run run;
    char text[CHECK_TEXT];
    s->scenario = &first;
    scenario_build(&first, &s->world, state);
    scenario_fault_sys(&first, &s->world, &f, &em_sys_native);
    scenario_change(&first, &s->world, &f, &run);
    fault_sys_drop(&f);
    world_reboot(&s->world);
    const char *wrong = run.status == EM_OK ? sweep_recover(s, text) : run.detail;
    if (wrong) {
        printf("sweep %s: the first edit: %s\n", s->name, wrong);
        s->runs++;
        s->differences++;
    }
    return !wrong;
}

/* Is the log so long that a process which adds a change to it does not leave it so? */
static bool log_is_long(const sweep *s)
{
    enum { LONG = (EM_DATABASE_LOG_LEFT - 8) * (24 + EM_DATABASE_PAGE) };
    char path[WORLD_PATH];
    struct stat st;
    world_path(s->world.state, EM_HISTORY_NAME "-wal", path);
    return stat(path, &st) == 0 && st.st_size >= LONG;
}

/* The state directories that later runs start from. That also makes what happens once in a process
 * happen now. */
static bool prepare(sweep *s)
{
    world_copy empty = {0};
    if (!use(s, &empty))
        return false;
    s->history = world_copy_of(s->world.state);
    do {
        world_copy used = world_copy_of(s->world.state);
        bool goes = use(s, &used);
        world_copy_drop(&used);
        if (!goes)
            return false;
    } while (!log_is_long(s));
    s->long_log = world_copy_of(s->world.state);
    return true;
}

static void play(sweep *s, const scenario *played, sweep_function function)
{
    const char *impossible = scenario_impossible(played, &s->world);
    if ((s->only && strcmp(s->only, played->name) != 0) || (!s->only && played->rare && s->quick))
        return;
    if (impossible) {
        printf("sweep %s: skipped: %s: %s\n", s->name, played->name, impossible);
        return;
    }
    s->scenario = played;
    sweep_build(s);
    check_begin(&s->check, played, &s->world);
    function(s);
    check_end(&s->check);
    s->played++;
}

/* 1234567 as "1,234,567". */
static const char *grouped(long number, char *out)
{
    char digits[32];
    int length = snprintf(digits, sizeof digits, "%ld", number), at = 0;
    for (int i = 0; i < length; i++) {
        if (i > 0 && (length - i) % 3 == 0)
            out[at++] = ',';
        out[at++] = digits[i];
    }
    out[at] = '\0';
    return out;
}

static int conclude(const sweep *s, const char *does)
{
    char runs[48], right[48];
    printf("sweep %s: %s %s over %d scenarios, %s as documented\n", s->name, grouped(s->runs, runs),
           does, s->played, grouped(s->runs - s->differences, right));
    if (s->differences > 0)
        return 1;
    return s->played > 0 ? 0 : 2;
}

int sweep_main(int argc, char **argv, const char *name, const char *does, sweep_function function)
{
    sweep s = {.name = name, .shown = SHOWN};
    const char *folder = NULL;
    for (int i = 1; i < argc; i++) {
        bool more = i + 1 < argc;
        if (strcmp(argv[i], "--quick") == 0)
            s.quick = true;
        else if (strcmp(argv[i], "--long") == 0)
            s.thorough = true;
        else if (strcmp(argv[i], "--recovery") == 0)
            s.recovery = true;
        else if (strcmp(argv[i], "--first") == 0)
            s.first = true;
        else if (strcmp(argv[i], "--scenario") == 0 && more)
            s.only = argv[++i];
        else if (strcmp(argv[i], "--at") == 0 && more)
            s.at = strtol(argv[++i], NULL, 10);
        else if (strcmp(argv[i], "--show") == 0 && more)
            s.shown = strtol(argv[++i], NULL, 10);
        else if (strcmp(argv[i], "--share") == 0 && more)
            s.share = strtol(argv[++i], NULL, 10);
        else if (strcmp(argv[i], "--folder") == 0 && more)
            folder = argv[++i];
        else if (strcmp(argv[i], "--list") == 0)
            return list();
        else
            return usage(name);
    }
    setvbuf(stdout, NULL, _IOLBF, 0); /* so that a child inherits nothing unprinted */
    world_open(&s.world, folder);
    s.run = sweep_share(sizeof *s.run);
    bool prepared = prepare(&s);
    for (size_t i = 0; prepared && i < scenario_count && !sweep_over(&s); i++)
        play(&s, &scenarios[i], function);
    sweep_unshare(s.run, sizeof *s.run);
    world_copy_drop(&s.history);
    world_copy_drop(&s.long_log);
    world_close(&s.world);
    return conclude(&s, does);
}
