/* flip.c: a folder is exchanged for a link to the outside, as fast as it goes, while files in it
 * are read and changed.
 *
 *   flip TRIES     each try opens a file through the folder; every 32nd changes it
 *
 * Prints how many tries there were and how many of them came by what lies outside, which must be
 * none.
 */
#include "fault/world.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define INSIDE "inside\n"
#define OUTSIDE "outside\n"

typedef struct flipper {
    char folder[WORLD_PATH], link[WORLD_PATH];
    atomic_bool over;
    atomic_long flips;
} flipper;

static void *flip(void *context)
{
    flipper *f = context;
    while (!f->over)
        if (renameat2(AT_FDCWD, f->folder, AT_FDCWD, f->link, RENAME_EXCHANGE) == 0)
            f->flips++;
    return NULL;
}

typedef struct tally {
    long inside, refused, escapes, changed;
} tally;

static void look(em_workspace *ws, tally *t)
{
    em_file file;
    em_error err = EM_ERROR_INIT;
    if (em_ws_open_file(ws, "below/a.txt", EM_TO_READ, 0, 0, &file, &err) != EM_OK) {
        t->refused++;
        return;
    }
    bool outside = em_slice_starts(file.bytes, EM_LIT("out"));
    t->escapes += outside;
    t->inside += !outside;
    em_file_close(ws, &file);
}

static void change(em_workspace *ws, tally *t)
{
    EM_AUTO(em_arena) arena = {0};
    em_file file;
    em_commit_report report;
    em_error err = EM_ERROR_INIT;
    if (em_ws_open_file(ws, "below/a.txt", EM_TO_CHANGE, 0, 0, &file, &err) != EM_OK) {
        t->refused++;
        return;
    }
    em_splice splice = {.length = file.bytes.len, .insert = EM_LIT(INSIDE)};
    em_change change = {.splices = {&splice, 1}, .origin = {.tool = "flip"}};
    t->escapes += em_slice_starts(file.bytes, EM_LIT("out"));
    if (em_ws_commit(ws, &file, &change, &arena, &report, &err) == EM_OK)
        t->changed++;
    else
        t->refused++;
    em_file_close(ws, &file);
}

/* Is what lies outside as it was, with nothing beside it? */
static bool outside_is_whole(const world *w)
{
    world_list all = world_list_of(w->canary);
    em_slice bytes = world_get(w->canary, "a.txt");
    bool whole = em_slice_eq(bytes, EM_LIT(OUTSIDE));
    for (size_t i = 0; i < all.count; i++)
        whole = whole && !strstr(all.items[i].path, ".emend-");
    free((char *)bytes.ptr);
    world_list_drop(&all);
    return whole;
}

static bool build(world *w, flipper *f)
{
    world_reset(w);
    world_path(w->root, "below", f->folder);
    world_path(w->root, "link", f->link);
    if (mkdir(f->folder, 0755) != 0)
        return false;
    world_put(w->root, "below/a.txt", EM_LIT(INSIDE), 0644);
    world_put(w->canary, "a.txt", EM_LIT(OUTSIDE), 0644);
    return symlink(w->canary, f->link) == 0;
}

int main(int argc, char **argv)
{
    static world w;
    static flipper f;
    pthread_t thread;
    tally t = {0};
    em_workspace *ws;
    em_error err = EM_ERROR_INIT;
    long tries = argc > 1 ? strtol(argv[1], NULL, 10) : 1000;
    world_open(&w, NULL);
    const char *roots[] = {w.root};
    em_ws_options options = {.roots = roots,
                             .root_count = 1,
                             .state_dir = w.state,
                             .sync = EM_SYNC_OFF,
                             .no_history = true,
                             .lock_timeout_ms = 5000};
    if (!build(&w, &f) || em_ws_open(&options, &ws, &err) != EM_OK ||
        pthread_create(&thread, NULL, flip, &f) != 0)
        world_fail("flip");
    for (long i = 0; i < tries; i++) {
        if (i % 32 == 0)
            change(ws, &t);
        else
            look(ws, &t);
    }
    f.over = true;
    pthread_join(thread, NULL);
    em_ws_free(ws);
    bool whole = outside_is_whole(&w);
    printf("flip: %ld tries, %ld flips: %ld read inside, %ld changed inside, %ld refused, "
           "%ld escapes%s\n",
           tries, (long)f.flips, t.inside, t.changed, t.refused, t.escapes,
           whole ? "" : "; what lies outside was changed");
    bool met = t.inside > tries / 100 && t.refused > tries / 100; /* else nothing was tried */
    world_close(&w);
    return t.escapes == 0 && whole && met ? 0 : 1;
}
