/* files.c: many files are found, judged, locked and read together.
 *
 *  (1) Locks are taken in ascending order, each once, and only by a call that holds none: two calls
 *      never wait for each other in a circle, whatever their files and roots.
 *  (2) Nothing that was found before the locks were there is believed: with them every path is
 *      resolved again, and must lead to the same folder and name.
 *  (3) No descriptor stays open. Folders and files are reached again when they are needed, and
 *      compared with what was found.
 *  (4) A file is one file by whatever names it is called, links and hard links included. Of the
 *      files that are to be made together, none is a folder of another.
 */
#include "system/names.h"
#include "workspace/opening.h"
#include "workspace/recover.h"

#include <stdlib.h>

enum { ATTEMPTS = 32 }; /* files that are replaced as often while we wait are left alone */

typedef struct gathering {
    em_workspace *ws;
    em_wanted *wanted;
    size_t count;
    em_intent intent;
} gathering;

static em_opening opening_of(const gathering *g, size_t index)
{
    em_wanted *w = &g->wanted[index];
    return (em_opening){.ws = g->ws,
                        .state = w->file.state,
                        .file = &w->file,
                        .path = w->path,
                        .flags = w->flags,
                        .err = &w->error};
}

static em_status fail_with(em_wanted *w, em_status status)
{
    w->status = status;
    return em_fail_at_least(&w->error, status);
}

static em_status first_failure(const gathering *g)
{
    for (size_t i = 0; i < g->count; i++) {
        if (g->wanted[i].status != EM_OK)
            return g->wanted[i].status;
    }
    return EM_OK;
}

/* ---- Finding ------------------------------------------------------------------------------- */

static em_status find_one(const gathering *g, size_t index)
{
    em_opening o = opening_of(g, index);
    em_file_close(g->ws, o.file);
    EM_TRY(em_opening_begin(&o, g->intent, g->wanted[index].max_size));
    o.state->is_one_of_many = true;
    EM_TRY(em_opening_find(&o));
    return em_opening_find_slot(&o);
}

/* All of them, so that whatever is wrong is known at once. */
static em_status find_all(const gathering *g)
{
    for (size_t i = 0; i < g->count; i++) {
        fail_with(&g->wanted[i], find_one(g, i));
        if (g->wanted[i].file.state)
            em_file_park(g->ws, &g->wanted[i].file);
    }
    return first_failure(g);
}

/* ---- The same file twice ------------------------------------------------------------------- */

typedef struct entry {
    const em_file_state *state;
    size_t index;
} entry;

static int compare(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

static int compare_inodes(const void *a, const void *b)
{
    const entry *one = a, *other = b;
    int order = compare(one->state->place.stat.ino, other->state->place.stat.ino);
    if (order == 0)
        order = compare(one->state->place.stat.dev, other->state->place.stat.dev);
    return order ? order : compare(one->index, other->index);
}

static int compare_keys(const void *a, const void *b)
{
    const entry *one = a, *other = b;
    int order = compare(one->state->slot, other->state->slot);
    if (order == 0)
        order = compare(one->state->folder.ino, other->state->folder.ino);
    if (order == 0)
        order = compare(one->state->folder.dev, other->state->folder.dev);
    if (order == 0)
        order = strcmp(one->state->rest, other->state->rest);
    return order ? order : compare(one->index, other->index);
}

static bool is_missing(const entry *e)
{
    return e->state->place.stat.ino == 0;
}

static bool same_inode(const entry *a, const entry *b)
{
    return !is_missing(a) && em_stat_same_inode(&a->state->place.stat, &b->state->place.stat);
}

static bool same_key(const entry *a, const entry *b)
{
    return em_stat_same_inode(&a->state->folder, &b->state->folder) &&
           strcmp(a->state->rest, b->state->rest) == 0;
}

static em_status refuse_twins(const gathering *g, const entry *entries,
                              bool (*same)(const entry *, const entry *))
{
    for (size_t i = 1; i < g->count; i++) {
        em_wanted *w = &g->wanted[entries[i].index];
        if (!same(&entries[i - 1], &entries[i]))
            continue;
        w->same_as = entries[i - 1].index;
        fail_with(w, em_fail(&w->error, EM_E_INVALID, "it is the same file as %s",
                             g->wanted[w->same_as].path));
    }
    return first_failure(g);
}

/* By folder and way, a folder right before what is below it. */
static int compare_ways(const void *a, const void *b)
{
    const em_file_state *one = ((const entry *)a)->state, *other = ((const entry *)b)->state;
    int order = compare(one->folder.ino, other->folder.ino);
    if (order == 0)
        order = compare(one->folder.dev, other->folder.dev);
    if (order != 0)
        return order;
    const unsigned char *p = (const void *)one->rest, *q = (const void *)other->rest;
    for (; *p && *p == *q; p++)
        q++;
    return compare(*p == '/' ? 1 : *p, *q == '/' ? 1 : *q);
}

static bool is_below(const entry *outer, const entry *inner)
{
    size_t length = strlen(outer->state->rest);
    return em_stat_same_inode(&outer->state->folder, &inner->state->folder) &&
           strncmp(outer->state->rest, inner->state->rest, length) == 0 &&
           inner->state->rest[length] == '/';
}

/* A file that is to be made where another needs a folder. */
static em_status refuse_folders(const gathering *g, entry *entries)
{
    qsort(entries, g->count, sizeof *entries, compare_ways);
    for (size_t i = 1; i < g->count; i++) {
        em_wanted *w = &g->wanted[entries[i].index];
        if (is_below(&entries[i - 1], &entries[i]))
            fail_with(w, em_fail(&w->error, EM_E_INVALID,
                                 "%s is in the same call, as a file: %s cannot be made below it",
                                 g->wanted[entries[i - 1].index].path, w->path));
    }
    return first_failure(g);
}

/* In the order of their locks; and no file twice. */
static em_status sort_entries(const gathering *g, entry *entries)
{
    for (size_t i = 0; i < g->count; i++)
        entries[i] = (entry){g->wanted[i].file.state, i};
    qsort(entries, g->count, sizeof *entries, compare_inodes);
    EM_TRY(refuse_twins(g, entries, same_inode));
    EM_TRY(refuse_folders(g, entries));
    qsort(entries, g->count, sizeof *entries, compare_keys);
    return g->intent == EM_TO_READ ? EM_OK : refuse_twins(g, entries, same_key);
}

/* ---- Locking ------------------------------------------------------------------------------- */

static void unlock_all(const gathering *g)
{
    for (size_t i = 0; i < g->count; i++) {
        em_file_state *state = g->wanted[i].file.state;
        if (state && state->locked)
            em_lock_release(&g->ws->locks, state->slot);
        if (state)
            state->locked = false;
    }
}

static em_status lock_all(const gathering *g, const entry *entries)
{
    for (size_t i = 0; i < g->count; i++) {
        em_wanted *w = &g->wanted[entries[i].index];
        em_file_state *state = w->file.state;
        em_status status =
            em_lock_take(&g->ws->locks, state->slot, g->ws->options.lock_timeout_ms, &w->error);
        if (status != EM_OK)
            return fail_with(w, status);
        state->locked = true;
    }
    return EM_OK;
}

/* What others left half done of these files. */
static em_status recover_all(const gathering *g, em_recover_again *again)
{
    *again = (em_recover_again){0};
    for (size_t i = 0; i < g->count && !again->txn[0]; i++) {
        em_wanted *w = &g->wanted[i];
        em_recover_again one;
        em_status status = em_recover_file(g->ws, w->file.state, &one, &w->error);
        if (status != EM_OK)
            return fail_with(w, status);
        one.changed = one.changed || again->changed;
        *again = one;
    }
    return EM_OK;
}

/* ---- Reading ------------------------------------------------------------------------------- */

/* Find a file again, now that it is locked; *again: it is another. */
static em_status read_locked(const gathering *g, size_t index, bool *again)
{
    em_wanted *w = &g->wanted[index];
    em_file_state *was = w->file.state;
    em_file held = w->file; /* with the lock, and the strings of `was` */
    w->file = (em_file){0};
    em_status status = find_one(g, index);
    em_file_state *is = w->file.state;
    if (status == EM_OK) {
        *again = strcmp(was->rest, is->rest) != 0 || was->slot != is->slot ||
                 !em_stat_same_inode(&was->folder, &is->folder);
        em_opening o = opening_of(g, index);
        if (!*again)
            status = em_opening_read(&o);
    }
    if (is && was->locked) { /* it goes over to the file as it is now */
        is->slot = was->slot;
        is->locked = true;
        was->locked = false;
    }
    em_file_close(g->ws, &held);
    if (is)
        em_file_park(g->ws, &w->file);
    return status;
}

static em_status read_all(const gathering *g, bool *again)
{
    *again = false;
    for (size_t i = 0; i < g->count && !*again; i++)
        fail_with(&g->wanted[i], read_locked(g, i, again));
    return first_failure(g);
}

/* ---- All of it ----------------------------------------------------------------------------- */

/* Once: *again when something stood in the way that is gone now. */
static em_status gather(const gathering *g, entry *entries, em_recover_again *again)
{
    *again = (em_recover_again){0};
    EM_TRY(find_all(g));
    EM_TRY(sort_entries(g, entries));
    if (g->intent == EM_TO_CHANGE) {
        EM_TRY(lock_all(g, entries));
        EM_TRY(recover_all(g, again));
    }
    return again->changed || again->txn[0] ? EM_OK : read_all(g, &again->changed);
}

static em_status gather_until_it_stands(const gathering *g, entry *entries)
{
    for (int i = 0; i < ATTEMPTS; i++) {
        em_recover_again again;
        EM_TRY(gather(g, entries, &again));
        if (!again.changed && !again.txn[0])
            return EM_OK;
        unlock_all(g);
        if (again.txn[0])
            EM_TRY(fail_with(&g->wanted[0], em_recover_txn(g->ws, &again, &g->wanted[0].error)));
    }
    em_wanted *first = &g->wanted[0];
    return fail_with(first, em_fail_cause(&first->error, EM_E_CONFLICT, EM_CAUSE_CHANGED,
                                          "the files are replaced all the time by somebody else"));
}

em_status em_ws_open_files(em_workspace *ws, em_wanted *wanted, size_t count, em_intent intent)
{
    EM_AUTO(em_arena) arena = {0};
    gathering g = {.ws = ws, .wanted = wanted, .count = count, .intent = intent};
    for (size_t i = 0; i < count; i++) {
        wanted[i].file = (em_file){0};
        wanted[i].status = EM_OK;
        wanted[i].error = EM_ERROR_INIT;
        wanted[i].same_as = EM_NPOS;
    }
    if (count == 0)
        return EM_OK;
    entry *entries = em_alloc_array(&arena, count, sizeof *entries);
    em_status status = entries ? EM_OK : fail_with(&wanted[0], EM_E_NOMEM);
    if (status == EM_OK && intent == EM_TO_CHANGE)
        status = fail_with(&wanted[0], em_ws_ready(ws, &wanted[0].error));
    if (status == EM_OK)
        status = gather_until_it_stands(&g, entries);
    for (size_t i = 0; i < count && status != EM_OK; i++)
        em_file_close(ws, &wanted[i].file);
    return status;
}
