/* sweep_damage.c: the journal of a transaction, left by a process that was killed, is damaged: each
 * of its bits is flipped, it is cut off at each length, it is another's, it is there twice.
 *
 * What must hold: recovery touches nothing then and says so, and changes of the files are refused.
 * With the right journal back, recovery ends it as ever.
 */
#include "crash.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SPARSE = 11, SPARSER = 41, OTHER_USER = 4242 };

/* A transaction that was left, and its journal. */
typedef struct wreck {
    sweep *sweep;
    char where[200];
    char folder[WORLD_PATH], path[WORLD_PATH];
    char name[64]; /* "0123456789abcdef.prepared" */
    em_slice journal;
    world_list root; /* as it was left */
} wreck;

/* ---- What must hold ------------------------------------------------------------------------ */

static const char *check_untouched(const wreck *k)
{
    const char *wrong = NULL;
    world_list now = world_list_of(k->sweep->world.root);
    if (now.count != k->root.count)
        wrong = "a name came or went";
    for (size_t i = 0; i < now.count && !wrong; i++) {
        const world_entry *was = world_find(&k->root, now.items[i].path);
        if (!was || !world_same(was, &now.items[i]))
            wrong = "a file was touched";
    }
    world_list_drop(&now);
    return wrong;
}

/* Somebody wants to change the file. */
static const char *check_refused(wreck *k)
{
    sweep *s = k->sweep;
    fault_sys f;
    scenario_run next;
    scenario_fault_sys(s->scenario, &s->world, &f, &em_sys_native);
    scenario_insert(s->scenario, &s->world, &f, &next);
    fault_sys_drop(&f);
    if (next.status == EM_OK)
        return "the file was changed nevertheless";
    bool missing = next.status == EM_E_NOT_FOUND || next.status == EM_E_EXISTS;
    return next.status == EM_E_UNSETTLED || missing ? NULL : "it was refused for another reason";
}

/* True when all was right, and the wreck is as it was. */
static bool try_damaged(wreck *k, const char *what, bool refuses)
{
    char where[400], text[CHECK_TEXT];
    sweep *s = k->sweep;
    const char *wrong = sweep_recover(s, text) ? NULL : "recovery saw nothing wrong";
    if (!wrong)
        wrong = check_untouched(k);
    if (!wrong && refuses)
        wrong = check_refused(k);
    if (!wrong && refuses)
        wrong = check_untouched(k);
    snprintf(where, sizeof where, "%s, the journal %s", k->where, what);
    sweep_count(s, where, wrong, s->run);
    return !wrong;
}

/* ---- Damages ------------------------------------------------------------------------------- */

static void put_journal(const wreck *k, em_slice bytes)
{
    world_put(k->folder, k->name, bytes, 0600);
}

/* A short sweep flips one bit of so many, and cuts off at one length of so many. */
static size_t step_of(const sweep *s)
{
    if (s->thorough || s->recovery)
        return 1;
    return s->quick ? SPARSER : SPARSE;
}

static void flip_bits(wreck *k)
{
    char what[64], *bytes = malloc(k->journal.len);
    size_t step = step_of(k->sweep);
    world_must(bytes != NULL, "memory");
    memcpy(bytes, k->journal.ptr, k->journal.len);
    for (size_t bit = 0; bit < k->journal.len * 8 && !sweep_over(k->sweep); bit += step) {
        bytes[bit / 8] ^= (char)(1 << bit % 8);
        put_journal(k, em_slice_make(bytes, k->journal.len));
        bytes[bit / 8] ^= (char)(1 << bit % 8);
        snprintf(what, sizeof what, "with bit %zu flipped", bit);
        try_damaged(k, what, bit % 64 == 0);
    }
    free(bytes);
}

static void cut_off(wreck *k)
{
    char what[64];
    size_t step = step_of(k->sweep);
    for (size_t length = 0; length < k->journal.len && !sweep_over(k->sweep); length += step) {
        put_journal(k, em_slice_sub(k->journal, 0, length));
        snprintf(what, sizeof what, "of %zu bytes", length);
        try_damaged(k, what, length % 64 == 0);
    }
}

/* Right, but not to be trusted: of another user, open to others, a link, of another transaction. */
static void make_strange(wreck *k)
{
    char other[WORLD_PATH], name[64];
    put_journal(k, k->journal);
    world_must(chmod(k->path, 0620) == 0, k->path);
    if (!try_damaged(k, "that others may write", true))
        return;
    if (k->sweep->world.is_root) {
        world_must(chmod(k->path, 0600) == 0 && chown(k->path, OTHER_USER, OTHER_USER) == 0,
                   k->path);
        if (!try_damaged(k, "of another user", true))
            return;
    }
    world_path(k->sweep->world.canary, "journal", other);
    world_must(rename(k->path, other) == 0 && symlink(other, k->path) == 0, other);
    if (!try_damaged(k, "behind a link", true))
        return;
    world_must(unlink(k->path) == 0 && unlink(other) == 0, other);
    snprintf(name, sizeof name, "ffffffffffffffff%s", strchr(k->name, '.'));
    world_put(k->folder, name, k->journal, 0600);
    put_journal(k, em_slice_sub(k->journal, 0, 1));
    try_damaged(k, "under another's name", false);
    world_path(k->folder, name, other);
    world_must(unlink(other) == 0, other);
}

/* ---- The sweep ----------------------------------------------------------------------------- */

/* The journal that was left, if one was. */
static bool wreck_find(wreck *k)
{
    world_path(k->sweep->world.state, "journal", k->folder);
    world_list journals = world_list_of(k->folder);
    bool found = journals.count == 1 && !strstr(journals.items[0].path, ".writing");
    if (found) {
        snprintf(k->name, sizeof k->name, "%.63s", journals.items[0].path);
        world_path(k->folder, k->name, k->path);
        k->journal = world_get(k->folder, k->name);
        k->root = world_list_of(k->sweep->world.root);
    }
    world_list_drop(&journals);
    return found;
}

static void wreck_drop(wreck *k)
{
    free((char *)k->journal.ptr);
    world_list_drop(&k->root);
}

static void damage(wreck *k)
{
    char where[400];
    flip_bits(k);
    cut_off(k);
    make_strange(k);
    put_journal(k, k->journal);
    snprintf(where, sizeof where, "%s, the journal back", k->where);
    crash_settle(k->sweep, where);
}

/* In a short sweep, once prepared and once committed: when a name was exchanged, and when one went.
 */
static bool is_telling(const sweep *s, const fault_trace *before, const char *name, bool seen[2])
{
    bool committed = strstr(name, ".committed") != NULL;
    fault_call call = committed ? FAULT_ON_unlink : FAULT_ON_rename;
    bool telling = before->call == call && strstr(before->what, " .emend-"); /* no journal's name */
    bool first = !seen[committed];
    seen[committed] = seen[committed] || telling;
    return s->thorough || s->recovery || (telling && first);
}

static void sweep_damages(sweep *s)
{
    fault_sys reference;
    bool seen[2] = {false, false};
    if (!scenario_is_of_several(s->scenario) || (s->scenario->world & WORLD_FOREIGN))
        return;
    bool goes = sweep_reference(s, &reference, s->run);
    for (long n = 2; goes && n <= reference.calls && !sweep_over(s); n++) {
        wreck k = {.sweep = s};
        const fault_trace *before = &reference.trace[n - 2];
        if (!sweep_wants(s, n) || !crash_is_new_beside_history(&reference, n) ||
            !crash_change(s, crash_at(n, false)))
            continue;
        snprintf(k.where, sizeof k.where, "killed before call %ld", n);
        if (!wreck_find(&k))
            continue;
        if (is_telling(s, before, k.name, seen))
            damage(&k);
        wreck_drop(&k);
    }
    fault_sys_drop(&reference);
}

int main(int argc, char **argv)
{
    return sweep_main(argc, argv, "damage", "damaged", sweep_damages);
}
