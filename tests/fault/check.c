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
        return CONTENT_NONE;
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
static bool may_be_new(const scenario *s, const char *path, bool changed, bool folders)
{
    char backup[WORLD_PATH]; /* or with a number, where two changes were made */
    int length = snprintf(backup, sizeof backup, "%s.bak", s->target);
    if (s->backup && strncmp(path, backup, (size_t)length) == 0)
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

static const char *check_names(const check *c, const world_list *now, content is, unsigned leniency,
                               char *text)
{
    for (size_t i = 0; i < now->count; i++) {
        const char *path = now->items[i].path;
        bool there = is & ~(unsigned)(CONTENT_OLD | CONTENT_NONE);
        bool folders = there || (leniency & CHECK_FOLDERS_MAY_STAY);
        if (world_find(&c->root, path) || may_be_new(c->scenario, path, there, folders))
            continue;
        if (is_stray(path) && (leniency & CHECK_STRAYS_MAY_STAY))
            continue;
        return complain(text, is_stray(path) ? "a stray name" : "a name that was not there", path);
    }
    return NULL;
}

/* What was there is there, and but for the file itself as it was. */
static const char *check_same(const world_list *before, const world_list *now, const char *target,
                              unsigned leniency, char *text)
{
    for (size_t i = 0; i < before->count; i++) {
        const world_entry *was = &before->items[i], *is = world_find(now, was->path);
        bool itself = target && strcmp(was->path, target) == 0;
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

static const char *check_rows(const check *c, const world *w, content is,
                              const check_allowed *allowed, char *text)
{
    int pending = 0, commits = 0, wanted = allowed->commits;
    if (wanted == CHECK_COMMITS_BY_CONTENT)
        wanted = is == CONTENT_NEW || is == CONTENT_FOREIGN_CHANGED;
    if (c->scenario->no_history)
        wanted = 0;
    if (allowed->leniency & CHECK_NO_HISTORY)
        return NULL;
    if (!scenario_rows(c->scenario, w, &pending, &commits))
        return complain(text, "the history cannot be read", c->scenario->target);
    if (pending > 0 && !(allowed->leniency & CHECK_ROWS_MAY_STAY))
        return complain(text, "a change is still pending", c->scenario->target);
    if (commits > wanted)
        return complain(text, "a commit in the history that was not made", c->scenario->target);
    if (commits < wanted && !(allowed->leniency & CHECK_HISTORY_MAY_LACK))
        return complain(text, "no commit in the history", c->scenario->target);
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
        wrong = check_same(&c->root, &root, c->scenario->target, allowed->leniency, text);
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
