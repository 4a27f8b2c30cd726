/* power_cut.c: the outcomes of a cut: which they are, and how the real folders come to look like
 * one. */
#include "power_model.h"
#include "power_sys.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/xattr.h>
#include <unistd.h>

enum { SECTOR = 512, TORN_OUTCOMES = 2 };

/* ---- Outcomes ------------------------------------------------------------------------------ */

/* Which of the calls that were not synced are on the disk: of those that changed names ... */
typedef enum names_kept {
    NAMES_NONE,
    NAMES_ALL,
    NAMES_FIRST,
    NAMES_ALL_BUT,
    NAMES_ONLY
} names_kept;
/* ... and of the writes. TORN: of every sector and every truncation by the toss of a coin. */
typedef enum data_kept { DATA_NONE, DATA_ALL, DATA_TORN } data_kept;

typedef struct outcome {
    names_kept names;
    int which; /* the first `which`; all but, or only, number `which` */
    data_kept data;
    int file; /* 0: of all files; else of the one with this number, and nothing of the others */
    unsigned seed;
} outcome;

static bool is_dirty(const node *n)
{
    return n->writes || n->facts_dirty;
}

power_pending power_pending_of(const power_sys *p)
{
    power_pending pending = {.names = p->model->name_count};
    for (const node *n = p->model->nodes; n; n = n->next)
        pending.files += is_dirty(n);
    return pending;
}

/* The outcomes one by one; the one with the number that is looked for is kept. */
typedef struct listing {
    int wanted, count;
    outcome found;
} listing;

static void offer(listing *l, outcome o)
{
    if (l->count++ == l->wanted)
        l->found = o;
}

static void list_plain(listing *l, power_pending pending)
{
    offer(l, (outcome){.names = NAMES_NONE, .data = DATA_NONE});
    if (pending.names > 0)
        offer(l, (outcome){.names = NAMES_ALL, .data = DATA_NONE});
    if (pending.files > 0)
        offer(l, (outcome){.names = NAMES_NONE, .data = DATA_ALL});
    if (pending.names > 0 && pending.files > 0)
        offer(l, (outcome){.names = NAMES_ALL, .data = DATA_ALL});
    for (int i = 1; i < pending.names; i++)
        offer(l, (outcome){.names = NAMES_FIRST, .which = i, .data = DATA_NONE});
    if (pending.names > 1) /* the oldest is the one that the others were built on */
        offer(l, (outcome){.names = NAMES_ALL_BUT, .which = 0, .data = DATA_NONE});
}

static void list_torn(listing *l, power_pending pending)
{
    for (unsigned seed = 1; pending.files > 0 && seed <= TORN_OUTCOMES; seed++)
        offer(l, (outcome){
                     .names = seed % 2 ? NAMES_ALL : NAMES_NONE, .data = DATA_TORN, .seed = seed});
    for (int i = 1; pending.files > 1 && i <= pending.files; i++) {
        offer(l, (outcome){.names = NAMES_ALL, .data = DATA_ALL, .file = i});
        offer(l, (outcome){.names = NAMES_ALL, .data = DATA_TORN, .file = i, .seed = 1});
    }
}

static void list_many(listing *l, power_pending pending)
{
    for (int i = 1; i < pending.names - 1; i++)
        offer(l, (outcome){.names = NAMES_ALL_BUT, .which = i, .data = DATA_NONE});
    for (int i = 1; i < pending.names; i++)
        offer(l, (outcome){.names = NAMES_ONLY, .which = i, .data = DATA_NONE});
    for (int i = 1; pending.files > 0 && i < pending.names; i++)
        offer(l, (outcome){.names = NAMES_FIRST, .which = i, .data = DATA_ALL});
    for (int i = 1; pending.files > 1 && i <= pending.files; i++)
        offer(l, (outcome){.names = NAMES_NONE, .data = DATA_ALL, .file = i});
}

/* All outcomes, but no two that cannot differ. */
static listing list_outcomes(power_pending pending, bool many, int wanted)
{
    listing l = {.wanted = wanted};
    list_plain(&l, pending);
    list_torn(&l, pending);
    if (many)
        list_many(&l, pending);
    return l;
}

int power_outcomes(power_pending pending, bool many)
{
    return list_outcomes(pending, many, -1).count;
}

void power_outcome_name(power_pending pending, bool many, int index, char *out, size_t size)
{
    static const char *const names[] = {"none", "all", "the first", "all but number",
                                        "only number"};
    static const char *const data[] = {"none", "all", "torn"};
    outcome o = list_outcomes(pending, many, index).found;
    char which[16] = "", file[32] = "";
    if (o.names >= NAMES_FIRST)
        snprintf(which, sizeof which, " %d", o.names == NAMES_FIRST ? o.which : o.which + 1);
    if (o.file > 0)
        snprintf(file, sizeof file, " of file %d only", o.file);
    snprintf(out, size, "names %s%s, data %s%s", names[o.names], which, data[o.data], file);
}

static bool keeps_names(const outcome *o, int number)
{
    switch (o->names) {
    case NAMES_NONE:
        return false;
    case NAMES_ALL:
        return true;
    case NAMES_FIRST:
        return number < o->which;
    case NAMES_ALL_BUT:
        return number != o->which;
    case NAMES_ONLY:
        return number == o->which;
    }
    return false;
}

static void decide_names(power_model *m, const outcome *o)
{
    int number = 0;
    for (const name_op *op = m->names; op; op = op->next, number++)
        for (int i = 0; keeps_names(o, number) && i < op->count; i++)
            model_set_entry(model_find(m, op->sets[i].folder), op->sets[i].name, op->sets[i].ino);
}

/* A small generator of its own, so that an outcome is the same in every run. */
static bool toss(unsigned *state)
{
    *state = *state * 1664525U + 1013904223U;
    return (*state >> 24) & 1U;
}

static void lay_in(blob *bytes, off_t offset, const char *from, size_t length)
{
    size_t end = (size_t)offset + length;
    if (end > bytes->len)
        model_resize(bytes, end);
    memcpy(bytes->ptr + offset, from, length);
}

static void tear_write(node *n, const write_op *op, unsigned *state)
{
    for (size_t at = 0; at < op->bytes.len;) {
        off_t offset = op->offset + (off_t)at;
        size_t sector = (size_t)(SECTOR - offset % SECTOR);
        if (sector > op->bytes.len - at)
            sector = op->bytes.len - at;
        if (toss(state))
            lay_in(&n->bytes, offset, op->bytes.ptr + at, sector);
        at += sector;
    }
}

static void tear(node *n, unsigned seed)
{
    unsigned state = seed * 2654435761U;
    for (const write_op *op = n->writes; op; op = op->next) {
        if (!op->truncates)
            tear_write(n, op, &state);
        else if (toss(&state))
            model_resize(&n->bytes, (size_t)op->offset);
    }
}

static void set_attributes(int fd, const blob *attributes)
{
    for (size_t at = 0; at < attributes->len;) {
        ssize_t size;
        const char *name = attributes->ptr + at;
        at += strlen(name) + 1;
        memcpy(&size, attributes->ptr + at, sizeof size);
        at += sizeof size;
        world_must(fsetxattr(fd, name, attributes->ptr + at, (size_t)size, 0) == 0, name);
        at += (size_t)size;
    }
}

static void remove_attributes(int fd)
{
    char names[4096];
    ssize_t length = flistxattr(fd, names, sizeof names);
    for (ssize_t at = 0; at < length; at += (ssize_t)strlen(names + at) + 1)
        world_must(fremovexattr(fd, names + at) == 0, names + at);
}

/* An outcome, and the one file whose data it is about (NULL: all files). */
typedef struct decision {
    outcome outcome;
    const node *only;
} decision;

/* Give the file at `path` the bytes, and the facts if they too were lost, that are durable. */
static void restore_file(node *n, const char *path, const decision *d)
{
    data_kept data = d->only && d->only != n ? DATA_NONE : d->outcome.data;
    if (data == DATA_ALL || !S_ISREG(n->type) || !is_dirty(n))
        return;
    if (data == DATA_TORN)
        tear(n, d->outcome.seed + n->number);
    int fd = open(path, O_WRONLY | O_TRUNC | O_CLOEXEC);
    world_must(fd >= 0, path);
    for (size_t done = 0; done < n->bytes.len;) {
        ssize_t wrote_now = write(fd, n->bytes.ptr + done, n->bytes.len - done);
        world_must(wrote_now > 0, "write");
        done += (size_t)wrote_now;
    }
    const struct timespec times[2] = {{.tv_nsec = UTIME_OMIT}, n->facts.mtime};
    if (n->facts_dirty) {
        remove_attributes(fd);
        world_must(fchown(fd, n->facts.uid, n->facts.gid) == 0, "chown");
        world_must(fchmod(fd, n->facts.mode & 07777) == 0, "chmod");
        set_attributes(fd, &n->facts.attributes);
    }
    world_must(futimens(fd, times) == 0, "times");
    close(fd);
    model_drop_writes(n);
    n->facts_dirty = false;
}

/* Every file and folder below `path` moved to the vault, the deepest first. */
static void clear(power_model *m, const char *path)
{
    char below[POWER_PATH];
    DIR *dir = opendir(path);
    world_must(dir != NULL, path);
    for (struct dirent *e = readdir(dir); e; e = readdir(dir)) {
        if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0)
            continue;
        world_must(snprintf(below, sizeof below, "%s/%s", path, e->d_name) < POWER_PATH, "path");
        node *n = model_at(m, AT_FDCWD, below, AT_SYMLINK_NOFOLLOW);
        world_must(n != NULL, below);
        if (S_ISDIR(n->type))
            clear(m, below);
        if (n->vaulted)
            world_must(unlink(below) == 0, below);
        else
            world_must(model_to_vault(m, n, AT_FDCWD, below) == 0, below);
    }
    closedir(dir);
}

static void restore(power_model *m, const node *folder, const char *path, const decision *d)
{
    char below[POWER_PATH], kept[POWER_PATH];
    for (size_t i = 0; i < folder->entry_count; i++) {
        node *n = model_find(m, folder->entries[i].ino);
        world_must(n != NULL, folder->entries[i].name);
        world_must(snprintf(below, sizeof below, "%s/%s", path, folder->entries[i].name) <
                       POWER_PATH,
                   "path");
        model_vault_path(m, n, kept);
        if (S_ISDIR(n->type)) {
            world_must(rename(kept, below) == 0, below);
            restore(m, n, below, d);
        } else {
            world_must(link(kept, below) == 0, below);
            restore_file(n, below, d);
        }
    }
}

/* The file with this number among those that are dirty; NULL: there is no such restriction. */
static const node *dirty_file(const power_model *m, int number)
{
    const node *n = m->nodes;
    while (n && !(is_dirty(n) && --number == 0))
        n = n->next;
    return n;
}

void power_cut(power_sys *p, bool many, int index)
{
    power_model *m = p->model;
    decision d = {.outcome = list_outcomes(power_pending_of(p), many, index).found};
    d.only = d.outcome.file > 0 ? dirty_file(m, d.outcome.file) : NULL;
    decide_names(m, &d.outcome);
    clear(m, m->folder);
    restore(m, model_find(m, m->root), m->folder, &d);
}
