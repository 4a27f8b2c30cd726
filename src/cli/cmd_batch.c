/* cmd_batch.c: many calls, one a line. */
#include "cli/confine.h"
#include "dialects/registry.h"

#include "base/clock.h"
#include "base/descriptors.h"
#include "serve/batch.h"

#include <inttypes.h>
#include <string.h>
#include <unistd.h>

enum { MOST_JOBS = 256, PROGRESS_MS = 200 };

/* Descriptors that are open at a time: of a job with its session, its file, the folders on the way
 * there and the history; and of all of them together. */
enum { OPEN_OF_A_JOB = 12, OPEN_OF_ALL = 64 };

typedef struct batch_flags {
    size_t jobs;
    uint64_t max_message_size;
} batch_flags;

static const em_flag flags[] = {
    {"--jobs", "N", "make N calls side by side (1)", EM_FLAG_COUNT, offsetof(batch_flags, jobs),
     NULL},
    {"--max-message-size", "SIZE", "refuse longer lines (256M)", EM_FLAG_SIZE,
     offsetof(batch_flags, max_message_size), NULL},
    {NULL, NULL, NULL, EM_FLAG_SWITCH, 0, NULL},
};

static const batch_flags defaults = {.jobs = 1, .max_message_size = EM_MESSAGE_MOST};

/* ---- How far it is ------------------------------------------------------------------------- */

typedef struct batch_watch {
    em_invocation *call;
    int64_t started_ms, shown_ms; /* em_monotonic_ms() */
    uint64_t input_bytes;         /* 0: not known beforehand */
} batch_watch;

static double rate_of(const em_batch_tally *tally, int64_t ms)
{
    return (double)(tally->done + tally->refused) * 1000.0 / (double)(ms > 0 ? ms : 1);
}

static void print_progress(const batch_watch *watch, const em_batch_tally *tally, int64_t ms)
{
    FILE *out = watch->call->err.file;
    fprintf(out, "\r%" PRIu64 " done, %" PRIu64 " refused, %.0f/s", tally->done, tally->refused,
            rate_of(tally, ms));
    if (watch->input_bytes > tally->read_bytes && tally->read_bytes > 0) {
        double left = (double)(watch->input_bytes - tally->read_bytes) / (double)tally->read_bytes;
        fprintf(out, ", %.0f s left", left * (double)ms / 1000.0);
    }
    fputs("\x1B[K", out);
    fflush(out);
}

static void show_progress(void *context, const em_batch_tally *tally)
{
    batch_watch *watch = context;
    int64_t now = em_monotonic_ms();
    if (now - watch->shown_ms < PROGRESS_MS)
        return;
    watch->shown_ms = now;
    print_progress(watch, tally, now - watch->started_ms);
}

static void print_summary(const batch_watch *watch, const em_batch_tally *tally)
{
    int64_t ms = em_monotonic_ms() - watch->started_ms;
    uint64_t count = tally->done + tally->refused;
    fprintf(watch->call->err.file,
            "%s%" PRIu64 " call%s: %" PRIu64 " done, %" PRIu64 " refused, in %.1f s (%.0f/s)%s\n",
            watch->call->err.is_tty ? "\r\x1B[K" : "", count, count == 1 ? "" : "s", tally->done,
            tally->refused, (double)ms / 1000.0, rate_of(tally, ms),
            tally->interrupted ? "; interrupted, what came behind them was not made" : "");
}

/* ---- The sessions -------------------------------------------------------------------------- */

/* One for each worker. Their number is how many could be opened before one could not, which has
 * been said then. */
static size_t open_sessions(em_invocation *call, em_closer *closer, em_session **sessions,
                            size_t wanted)
{
    size_t count = 0;
    while (count < wanted && (sessions[count] = em_cli_session_open(call, "emend batch", 0))) {
        em_ws_close_later(em_session_workspace(sessions[count]), closer);
        if (count > 0)
            em_session_join(sessions[count], sessions[0]); /* a batch is one session */
        count++;
    }
    return count;
}

/* Signals stay held: one more changes nothing about the end. */
static void close_sessions(em_session **sessions, size_t count)
{
    while (count > 0)
        em_session_free(sessions[--count]);
}

/* How much input there is, where it is a file; 0 elsewhere. */
static uint64_t input_size(void)
{
    struct stat input;
    bool known = fstat(STDIN_FILENO, &input) == 0 && S_ISREG(input.st_mode) && input.st_size > 0;
    return known ? (uint64_t)input.st_size : 0;
}

static int run_batch(em_invocation *call, const em_toolset *tools, const em_toolset *offered,
                     em_session **sessions, size_t count)
{
    const batch_flags *own = call->own;
    batch_watch watch = {
        .call = call, .started_ms = em_monotonic_ms(), .input_bytes = input_size()};
    em_batch batch = {.tools = tools,
                      .offered = offered,
                      .sessions = sessions,
                      .session_count = count,
                      .root = em_ws_root(em_session_workspace(sessions[0]), 0),
                      .in = STDIN_FILENO,
                      .out = STDOUT_FILENO,
                      .most = (size_t)own->max_message_size,
                      .progress = call->err.is_tty ? show_progress : NULL,
                      .context = &watch};
    em_batch_tally tally = em_batch_run(&batch);
    print_summary(&watch, &tally);
    if (tally.unread)
        return em_complain(call, EM_EXIT_WRONG,
                           "nobody reads the answers: some calls may have been made that are not "
                           "answered");
    if (tally.failed && tally.undone)
        return em_complain(call, EM_EXIT_WRONG, "%s: %s", tally.undone, strerror(tally.sys));
    if (tally.failed)
        return em_complain(call, EM_EXIT_WRONG, "out of memory");
    return tally.refused > 0 || tally.interrupted ? EM_EXIT_REFUSED : EM_EXIT_DONE;
}

/* Can so many jobs have open what they need? Else it is said how many can. */
static bool have_descriptors(em_invocation *call, size_t jobs)
{
    size_t allowed = em_raise_descriptor_limit();
    size_t most = allowed > OPEN_OF_ALL ? (allowed - OPEN_OF_ALL) / OPEN_OF_A_JOB : 0;
    if (jobs == 1 || jobs <= most)
        return true;
    em_complain_usage(call, "--jobs: this process may have %zu files open, enough for %zu jobs",
                      allowed, most > 1 ? most : 1);
    return false;
}

static int run(em_invocation *call)
{
    const batch_flags *own = call->own;
    em_session *sessions[MOST_JOBS];
    em_toolset tools, offered;
    em_error err = EM_ERROR_INIT;
    if (own->jobs > MOST_JOBS)
        return em_complain_usage(call, "--jobs: at most %d", MOST_JOBS);
    if (!have_descriptors(call, own->jobs))
        return EM_EXIT_WRONG;
    if (em_toolset_choose_all(call->options.read_only, call->arena, &tools, &offered, &err) !=
        EM_OK)
        return em_complain(call, EM_EXIT_WRONG, "%s", err.detail);
    /* One job is to take one processor. */
    em_closer *closer = own->jobs > 1 ? em_closer_new(&em_sys_native) : NULL;
    size_t count = open_sessions(call, closer, sessions, own->jobs);
    bool ready = count == own->jobs && em_cli_confine(call, sessions, count, true);
    int status = ready ? run_batch(call, &tools, &offered, sessions, count) : EM_EXIT_WRONG;
    close_sessions(sessions, count);
    em_closer_free(closer);
    return status;
}

const em_command em_cmd_batch = {
    .name = "batch",
    .words = "",
    .brief = "Make many calls, one a line, and answer them in their order",
    .details =
        "Standard input has one call a line: {\"id\": any, \"tool\": NAME, \"arguments\": {...}}.\n"
        "Standard output has one answer a line, in the same order: {\"id\", \"isError\", "
        "\"result\"}.\n"
        "A line that is no call gets an error for an answer, and the rest goes on. With --jobs,\n"
        "calls that name the same file are still made in their order. An interrupt ends the\n"
        "batch after the calls that are running. Exit status 1 if anything was refused.\n",
    .flags = flags,
    .own_size = sizeof defaults,
    .own_init = &defaults,
    .takes_shared = true,
    .run = run,
};
