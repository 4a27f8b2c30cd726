/* history.c: what the history costs a change.
 *
 *     history [FOLDER]      default: a new folder in /tmp
 *
 * Changes a file of 10 KB to and fro, without syncs, and prints the medians of 2,000 changes: of a
 * whole change from opening the file to closing it, and of what of that is the history's, which is
 * measured alone: encoding the change, adding its row and marking it as done. `make bench` of the
 * whole is run.py.
 */
#include "history/inverse.h"
#include "workspace/ws.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

enum { TURNS = 2000, LINES = 400 };

typedef struct stage {
    char base[256], root[280], state[280];
    em_workspace *ws;
    em_error err;
} stage;

static double now_us(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e6 + (double)now.tv_nsec / 1e3;
}

static int compare(const void *a, const void *b)
{
    double one = *(const double *)a, other = *(const double *)b;
    return (one > other) - (one < other);
}

static double median(double *times)
{
    qsort(times, TURNS, sizeof *times, compare);
    return times[TURNS / 2];
}

static bool write_source(const stage *s)
{
    char path[300];
    snprintf(path, sizeof path, "%s/source.c", s->root);
    FILE *file = fopen(path, "w");
    if (!file)
        return false;
    for (int i = 0; i < LINES; i++)
        fprintf(file, "    value_%03d = compute(%d);\n", i, i);
    return fclose(file) == 0;
}

static bool stage_open(stage *s)
{
    snprintf(s->root, sizeof s->root, "%s/root", s->base);
    snprintf(s->state, sizeof s->state, "%s/state", s->base);
    const char *roots[] = {s->root};
    em_ws_options options = {.roots = roots,
                             .root_count = 1,
                             .state_dir = s->state,
                             .sync = EM_SYNC_OFF,
                             .lock_timeout_ms = 1000};
    return mkdir(s->root, 0700) == 0 && mkdir(s->state, 0700) == 0 && write_source(s) &&
           em_ws_open(&options, &s->ws, &s->err) == EM_OK;
}

/* The place in the middle becomes one thing or the other. */
static em_splice splice_of(em_slice bytes, int turn)
{
    return (em_splice){bytes.len / 2, 10, turn % 2 ? EM_LIT("THE PLACE!") : EM_LIT("the place.")};
}

static em_origin origin_of(void)
{
    return (em_origin){.tool = "file_edit",
                       .client = "bench",
                       .session = "0123456789abcdef",
                       .call = "0123456789abcdef-1"};
}

static bool change(stage *s, int turn, double *us)
{
    EM_AUTO(em_arena) arena = {0};
    double start = now_us();
    em_file file;
    em_commit_report report;
    if (em_ws_open_file(s->ws, "source.c", EM_TO_CHANGE, 0, 0, &file, &s->err) != EM_OK)
        return false;
    em_splice splice = splice_of(file.bytes, turn);
    em_change what = {.splices = {&splice, 1}, .origin = origin_of()};
    em_status status = em_ws_commit(s->ws, &file, &what, &arena, &report, &s->err);
    em_file_close(s->ws, &file);
    *us = now_us() - start;
    return status == EM_OK;
}

static bool record(stage *s, em_slice bytes, int turn, double *us)
{
    EM_AUTO(em_arena) arena = {0};
    double start = now_us();
    em_splice splice = splice_of(bytes, turn);
    em_row row = {.token = (uint64_t)turn,
                  .root = s->root,
                  .path = "source.c",
                  .temp = ".emend-0123456789abcdef0123456789abcdef",
                  .boot = s->ws->state.boot,
                  .old_hash = em_hash_of(EM_LIT("old")),
                  .new_hash = em_hash_of(EM_LIT("new")),
                  .time_ms = (int64_t)time(NULL) * 1000,
                  .origin = origin_of()};
    em_status status = em_inverse_encode(bytes, NULL, (em_splices){&splice, 1}, (em_script_kind){0},
                                         &arena, &row.inverse);
    if (status == EM_OK)
        status = em_history_add(s->ws->history, &row, false, &s->err);
    row.state = EM_ROW_NAMED;
    if (status == EM_OK)
        status = em_history_mark(s->ws->history, &row, &s->err);
    *us = now_us() - start;
    return status == EM_OK;
}

static bool measure(stage *s)
{
    static double changes[TURNS], records[TURNS];
    em_file file;
    for (int i = 0; i < TURNS; i++) {
        if (!change(s, i, &changes[i]))
            return false;
    }
    if (em_ws_open_file(s->ws, "source.c", EM_TO_READ, 0, 0, &file, &s->err) != EM_OK)
        return false;
    bool done = true;
    for (int i = 0; i < TURNS && done; i++)
        done = record(s, file.bytes, i, &records[i]);
    em_file_close(s->ws, &file);
    if (done)
        printf("a change: %.0f us; of that the history: %.0f us (medians of %d)\n", median(changes),
               median(records), TURNS);
    return done;
}

int main(int argc, char **argv)
{
    stage s = {.err = EM_ERROR_INIT};
    char command[400];
    snprintf(s.base, sizeof s.base, "%s/emend-bench-XXXXXX", argc > 1 ? argv[1] : "/tmp");
    if (!mkdtemp(s.base)) {
        perror(s.base);
        return 1;
    }
    bool done = stage_open(&s) && measure(&s);
    if (!done)
        fprintf(stderr, "it failed: %s\n", s.err.detail);
    em_ws_free(s.ws);
    snprintf(command, sizeof command, "rm -rf '%s'", s.base);
    return system(command) == 0 && done ? 0 : 1;
}
