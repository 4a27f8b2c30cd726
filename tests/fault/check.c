#include "check.h"

#include "base/strbuf.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void check_begin(check *c, const scenario *s, const world *w)
{
    *c = (check){
        .scenario = s,
        .root = world_list_of(w->root),
        .canary = world_list_of(w->canary),
        .old = scenario_old(s),
        .changed = scenario_new(s),
        .foreign = scenario_foreign(s),
        .descriptors = world_descriptors(),
    };
    c->foreign_changed = scenario_changed(s, c->foreign);
}

void check_end(check *c)
{
    world_list_drop(&c->root);
    world_list_drop(&c->canary);
    free((char *)c->old.ptr);
    free((char *)c->changed.ptr);
    free((char *)c->foreign.ptr);
    free((char *)c->foreign_changed.ptr);
}

static em_slice joined(em_slice a, em_slice b)
{
    em_strbuf both = {0};
    em_strbuf_puts(&both, "");
    em_strbuf_add(&both, a);
    em_strbuf_add(&both, b);
    world_must(!both.failed, "memory");
    return em_strbuf_slice(&both); /* the caller's now */
}

static em_slice overwritten(em_slice text)
{
    em_slice first = scenario_first_bytes(), copy = joined(text, (em_slice){"", 0});
    if (copy.len >= first.len)
        memcpy((char *)copy.ptr, first.ptr, first.len);
    return copy;
}

void check_expect(check *c, check_other other)
{
    em_slice line = scenario_line();
    free((char *)c->foreign.ptr);
    free((char *)c->foreign_changed.ptr);
    switch (other) {
    case CHECK_OTHER_SAVES:
        c->foreign = scenario_foreign(c->scenario);
        c->foreign_changed = scenario_changed(c->scenario, c->foreign);
        break;
    case CHECK_OTHER_APPENDS:
        c->foreign = joined(c->old, line);
        c->foreign_changed = joined(c->changed, line);
        break;
    case CHECK_OTHER_OVERWRITES:
        c->foreign = overwritten(c->old);
        c->foreign_changed = overwritten(c->changed);
        break;
    case CHECK_OTHER_INSERTS:
        c->foreign = joined(line, c->old);
        c->foreign_changed = joined(line, c->changed);
        break;
    }
}

content check_content(const check *c, const world *w)
{
    content is = CONTENT_OTHER;
    em_slice bytes = world_get(w->root, c->scenario->target);
    if (!bytes.ptr)
        return c->scenario->kind == SCENARIO_REMOVE ? CONTENT_NEW : CONTENT_NONE;
    if (c->old.ptr && em_slice_eq(bytes, c->old))
        is = CONTENT_OLD;
    else if (em_slice_eq(bytes, c->changed))
        is = CONTENT_NEW;
    else if (em_slice_eq(bytes, c->foreign))
        is = CONTENT_FOREIGN;
    else if (em_slice_eq(bytes, c->foreign_changed))
        is = CONTENT_FOREIGN_CHANGED;
    free((char *)bytes.ptr);
    return is;
}

const char *check_content_name(content is)
{
    switch (is) {
    case CONTENT_NONE:
        return "no file";
    case CONTENT_OLD:
        return "the old content";
    case CONTENT_NEW:
        return "the new content";
    case CONTENT_FOREIGN:
        return "the foreign content";
    case CONTENT_FOREIGN_CHANGED:
        return "the foreign content, changed";
    case CONTENT_OTHER:
        break;
    }
    return "a content that nobody wrote";
}

static const char *complain(char *text, const char *what, const char *path)
{
    snprintf(text, CHECK_TEXT, "%s: %.400s", what, path);
    return text;
}

/* Is this a name that the change may have made? A backup is kept when the change was made, and a
 * change that was stopped may have made it before. */
/* The other file of this path; NULL. */
static const scenario_other *other_of(const scenario *s, const char *path)
{
    for (size_t i = 0; i < SCENARIO_OTHERS && s->others[i].path; i++)
        if (strcmp(s->others[i].path, path) == 0)
            return &s->others[i];
    return NULL;
}

static bool is_backup(const scenario *s, const char *path, const char *target)
{
    char backup[WORLD_PATH]; /* or with a number, where two changes were made */
    int length = snprintf(backup, sizeof backup, "%s.bak", target);
    return s->backup && strncmp(path, backup, (size_t)length) == 0;
}

static bool may_be_new(const scenario *s, const char *path, bool changed, bool folders)
{
    if (is_backup(s, path, s->target) || other_of(s, path))
        return true;
    for (size_t i = 0; i < SCENARIO_OTHERS && s->others[i].path; i++)
        if (is_backup(s, path, s->others[i].path))
            return true;
    for (size_t i = 0; i < sizeof s->made / sizeof *s->made && s->made[i]; i++)
        if (folders && strcmp(path, s->made[i]) == 0)
            return true;
    return changed && strcmp(path, s->target) == 0;
}

static bool is_stray(const char *path)
{
    const char *slash = strrchr(path, '/');
    return strncmp(slash ? slash + 1 : path, ".emend-", strlen(".emend-")) == 0;
}

/* Is another file there that was not? Then so are its folders. */
static bool others_made(const check *c, const world_list *now)
{
    const scenario *s = c->scenario;
    for (size_t i = 0; i < SCENARIO_OTHERS && s->others[i].path; i++)
        if (s->others[i].kind == SCENARIO_CREATE && world_find(now, s->others[i].path))
            return true;
    return false;
}

static const char *check_names(const check *c, const world_list *now, content is, unsigned leniency,
                               char *text)
{
    for (size_t i = 0; i < now->count; i++) {
        const char *path = now->items[i].path;
        bool there = is & ~(unsigned)(CONTENT_OLD | CONTENT_NONE);
        bool folders = there || others_made(c, now) || (leniency & CHECK_FOLDERS_MAY_STAY);
        if (world_find(&c->root, path) || may_be_new(c->scenario, path, there, folders))
            continue;
        if (is_stray(path) && (leniency & CHECK_STRAYS_MAY_STAY))
            continue;
        return complain(text, is_stray(path) ? "a stray name" : "a name that was not there", path);
    }
    return NULL;
}

/* What was there is there, and but for the files of the change (none without `s`) as it was. */
static const char *check_same(const world_list *before, const world_list *now, const scenario *s,
                              unsigned leniency, char *text)
{
    for (size_t i = 0; i < before->count; i++) {
        const world_entry *was = &before->items[i], *is = world_find(now, was->path);
        bool itself = s && (strcmp(was->path, s->target) == 0 || other_of(s, was->path));
        if (!is && !itself)
            return complain(text, "gone", was->path);
        if (is && !itself && !world_same(was, is))
            return complain(text, "touched", was->path);
        if (is && itself && !(leniency & CHECK_FACTS_MAY_DIFFER) && !world_same_facts(was, is))
            return complain(text, "mode, owner or attributes changed", was->path);
    }
    return NULL;
}

static const char *check_backup(const check *c, const world *w, content is, unsigned leniency,
                                char *text)
{
    char path[WORLD_PATH];
    if (!c->scenario->backup || is != CONTENT_NEW || (leniency & CHECK_BACKUP_MAY_LACK))
        return NULL;
    snprintf(path, sizeof path, "%s.bak", c->scenario->target);
    em_slice bytes = world_get(w->root, path);
    bool right = bytes.ptr && em_slice_eq(bytes, c->old);
    free((char *)bytes.ptr);
    return right ? NULL : complain(text, "not the old content", path);
}

static const char *check_rows_of(const check *c, const world *w, const char *file, int wanted,
                                 unsigned leniency, char *text)
{
    int pending = 0, commits = 0;
    if (c->scenario->no_history)
        wanted = 0;
    if (leniency & CHECK_NO_HISTORY)
        return NULL;
    if (!scenario_rows(w, file, &pending, &commits))
        return complain(text, "the history cannot be read", file);
    if (pending > 0 && !(leniency & CHECK_ROWS_MAY_STAY))
        return complain(text, "a change is still pending", file);
    if (commits > wanted)
        return complain(text, "a commit in the history that was not made", file);
    if (commits < wanted && !(leniency & CHECK_HISTORY_MAY_LACK))
        return complain(text, "no commit in the history", file);
    return NULL;
}

static const char *check_rows(const check *c, const world *w, content is,
                              const check_allowed *allowed, char *text)
{
    int wanted = allowed->commits;
    if (wanted == CHECK_COMMITS_BY_CONTENT)
        wanted = is == CONTENT_NEW || is == CONTENT_FOREIGN_CHANGED;
    if (scenario_journals(w) > 0 && !(allowed->leniency & (CHECK_ROWS_MAY_STAY | CHECK_NO_HISTORY)))
        return complain(text, "a journal is left", w->state);
    return check_rows_of(c, w, c->scenario->target, wanted, allowed->leniency, text);
}

/* ---- Other files of the change ------------------------------------------------------------- */

static bool holds(const world *w, const char *path, em_slice wanted)
{
    em_slice bytes = world_get(w->root, path);
    bool right = bytes.ptr ? wanted.ptr && em_slice_eq(bytes, wanted) : !wanted.ptr;
    free((char *)bytes.ptr);
    return right;
}

/* OTHERS_OLD, OTHERS_NEW, or OTHERS_ANY where it is neither. */
static check_others state_of(const world *w, const scenario_other *other)
{
    em_slice old = scenario_other_old(other), new = scenario_other_new(other);
    check_others is = holds(w, other->path, old)   ? OTHERS_OLD
                      : holds(w, other->path, new) ? OTHERS_NEW
                                                   : OTHERS_ANY;
    free((char *)old.ptr);
    free((char *)new.ptr);
    return is;
}

/* What they must be, where that follows from the file itself. */
static check_others wanted_others(content is, check_others wanted)
{
    if (wanted != OTHERS_FOLLOW)
        return wanted;
    return is == CONTENT_NEW || is == CONTENT_FOREIGN_CHANGED ? OTHERS_NEW : OTHERS_OLD;
}

static const char *check_all_others(const check *c, const world *w, content is,
                                    const check_allowed *allowed, char *text)
{
    check_others wanted = wanted_others(is, allowed->others);
    for (size_t i = 0; i < SCENARIO_OTHERS && c->scenario->others[i].path; i++) {
        const scenario_other *other = &c->scenario->others[i];
        check_others state = state_of(w, other);
        if (state == OTHERS_ANY)
            return complain(text, "neither the old content nor the new", other->path);
        if (wanted == OTHERS_SAME)
            wanted = state;
        if (wanted != OTHERS_ANY && state != wanted)
            return complain(text,
                            state == OTHERS_NEW ? "new, which others are not"
                                                : "old, which others are not",
                            other->path);
        const char *wrong =
            check_rows_of(c, w, other->path, state == OTHERS_NEW, allowed->leniency, text);
        if (wrong)
            return wrong;
    }
    return NULL;
}

bool check_holds_anywhere(const world *w, em_slice bytes)
{
    bool found = false;
    em_hash wanted = em_hash_of(bytes);
    world_list root = world_list_of(w->root);
    for (size_t i = 0; i < root.count; i++)
        found = found || (S_ISREG(root.items[i].mode) && root.items[i].size == bytes.len &&
                          em_hash_eq(root.items[i].content, wanted));
    world_list_drop(&root);
    return found;
}

const char *check_world(const check *c, const world *w, const check_allowed *allowed, char *text)
{
    world_list root = world_list_of(w->root), canary = world_list_of(w->canary);
    content is = check_content(c, w);
    const char *wrong = NULL;
    if (!(is & allowed->contents))
        wrong = complain(text, "the file has", check_content_name(is));
    if (!wrong)
        wrong = check_names(c, &root, is, allowed->leniency, text);
    if (!wrong)
        wrong = check_same(&c->root, &root, c->scenario, allowed->leniency, text);
    if (!wrong)
        wrong = check_all_others(c, w, is, allowed, text);
    if (!wrong && !(allowed->leniency & CHECK_CANARY_MAY_DIFFER))
        wrong = check_same(&c->canary, &canary, NULL, allowed->leniency, text);
    if (!wrong && canary.count != c->canary.count)
        wrong = complain(text, "something was made outside the root", w->canary);
    if (!wrong)
        wrong = check_backup(c, w, is, allowed->leniency, text);
    if (!wrong)
        wrong = check_rows(c, w, is, allowed, text);
    if (!wrong && world_descriptors() != c->descriptors)
        wrong = complain(text, "descriptors leaked", w->root);
    world_list_drop(&root);
    world_list_drop(&canary);
    return wrong;
}
