#include "scenarios.h"

#include "base/strbuf.h"
#include "foreign.h"
#include "history/history.h"
#include "workspace/large.h"
#include "workspace/recover.h"
#include "workspace/speculation.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define WORD "HERE"
#define REPLACEMENT "THERE AND BACK"

/* So large that reads and writes take several calls. */
enum { LARGE = 1 << 20, TRANSFER = 256 << 10, BLOCK = 64 << 10, OTHER_ID = 4242 };
/* So large that what stays may go over in the kernel, and that it takes several calls. */
enum { PASSED = 96 << 10, WINDOW = 40 << 10 };
/* Of so many sectors that a write can be torn. */
enum { SECTORS = 8 << 10 };

const scenario scenarios[] = {
    {.name = "edit", .target = "a.txt", .world = WORLD_ATTRIBUTE, .whole = true, .deep = true},
    {.name = "edit with an access control list", .target = "a.txt", .world = WORLD_ACL},
    {.name = "edit of another owner's file", .target = "a.txt", .world = WORLD_OWNER},
    {.name = "edit through a symbolic link",
     .path = "link.txt",
     .target = "below/a.txt",
     .world = WORLD_SYMLINK},
    {.name = "edit of a hard link", .target = "a.txt", .world = WORLD_HARD_LINK},
    {.name = "edit of a hard link with a backup",
     .target = "a.txt",
     .world = WORLD_HARD_LINK,
     .backup = true},
    {.name = "edit of a large file",
     .target = "a.txt",
     .size = LARGE,
     .transfer = TRANSFER,
     .rare = true},
    {.name = "edit through a window",
     .target = "a.txt",
     .size = PASSED,
     .transfer = WINDOW,
     .windowed = true,
     .whole = true},
    {.name = "edit through a window, written while it is read",
     .target = "a.txt",
     .size = PASSED,
     .transfer = WINDOW,
     .windowed = true,
     .speculated = true},
    {.name = "edit through a window, moved by the kernel",
     .target = "a.txt",
     .size = PASSED,
     .transfer = WINDOW,
     .lacks = FAULT_NO_MAGIC,
     .windowed = true},
    {.name = "edit through a window, not moved by the kernel",
     .target = "a.txt",
     .size = PASSED,
     .lacks = FAULT_NO_MAGIC | FAULT_NO_CLONE,
     .windowed = true,
     .backup = true,
     .rare = true},
    {.name = "edit through a window with neither O_TMPFILE nor exchange",
     .target = "a.txt",
     .size = PASSED,
     .lacks = FAULT_NO_TMPFILE | FAULT_NO_EXCHANGE,
     .windowed = true,
     .window = true,
     .rare = true},
    {.name = "rewrite", .kind = SCENARIO_REWRITE, .target = "below/a.txt", .rare = true},
    {.name = "all text removed", .kind = SCENARIO_EMPTY, .target = "a.txt", .rare = true},
    {.name = "edit with a backup", .target = "a.txt", .backup = true},
    {.name = "create", .kind = SCENARIO_CREATE, .target = "new.txt"},
    {.name = "create in missing folders",
     .kind = SCENARIO_CREATE,
     .target = "one/two/new.txt",
     .made = {"one", "one/two"},
     .whole = true,
     .deep = true},
    {.name = "edit in place",
     .target = "below/a.txt",
     .world = WORLD_CLOSED | WORLD_ATTRIBUTE,
     .size = SECTORS,
     .in_place = true,
     .window = true,
     .whole = true,
     .deep = true},
    {.name = "edit without O_TMPFILE", .target = "a.txt", .lacks = FAULT_NO_TMPFILE},
    {.name = "create without O_TMPFILE",
     .kind = SCENARIO_CREATE,
     .target = "one/new.txt",
     .lacks = FAULT_NO_TMPFILE,
     .made = {"one"}},
    {.name = "edit without exchange",
     .target = "a.txt",
     .lacks = FAULT_NO_EXCHANGE,
     .window = true},
    {.name = "edit with neither",
     .target = "a.txt",
     .lacks = FAULT_NO_TMPFILE | FAULT_NO_EXCHANGE | FAULT_NO_CLONE,
     .window = true,
     .rare = true},
    {.name = "edit without history", .target = "a.txt", .no_history = true},
    {.name = "create without history",
     .kind = SCENARIO_CREATE,
     .target = "one/new.txt",
     .no_history = true,
     .made = {"one"},
     .rare = true},
    {.name = "edit with --sync data", .target = "a.txt", .sync = EM_SYNC_DATA, .whole = true},
    {.name = "edit with --sync off", .target = "a.txt", .sync = EM_SYNC_OFF},
    {.name = "create with --sync data",
     .kind = SCENARIO_CREATE,
     .target = "one/new.txt",
     .made = {"one"},
     .sync = EM_SYNC_DATA,
     .rare = true},
    {.name = "edit with grace", .target = "a.txt", .grace_ms = 2000, .whole = true},
    {.name = "edit with a long log", .target = "a.txt", .world = WORLD_LONG_LOG, .whole = true},
    {.name = "edit with a long log and --sync data",
     .target = "a.txt",
     .world = WORLD_LONG_LOG,
     .sync = EM_SYNC_DATA,
     .rare = true},
    {.name = "edit, the first one ever", .target = "a.txt", .world = WORLD_FRESH, .whole = true},
    {.name = "edit met by a foreign save",
     .target = "a.txt",
     .world = WORLD_FOREIGN,
     .whole = true,
     .deep = true},
    {.name = "two files",
     .target = "a.txt",
     .others = {{"below/b.txt", SCENARIO_EDIT}},
     .whole = true},
    {.name = "two files, the second",
     .target = "below/a.txt",
     .others = {{"b.txt", SCENARIO_EDIT}},
     .place = 1},
    {.name = "two files, one through a window",
     .target = "a.txt",
     .size = PASSED,
     .others = {{"below/b.txt", SCENARIO_EDIT}},
     .windowed = true,
     .rare = true},
    {.name = "several files",
     .target = "a.txt",
     .world = WORLD_ATTRIBUTE,
     .others = {{"b.txt", SCENARIO_EDIT},
                {"one/two/c.txt", SCENARIO_CREATE},
                {"d.txt", SCENARIO_REMOVE},
                {"one/e.txt", SCENARIO_CREATE}},
     .made = {"one", "one/two"},
     .place = 2},
    {.name = "several files, one is made",
     .kind = SCENARIO_CREATE,
     .target = "one/new.txt",
     .others = {{"b.txt", SCENARIO_EDIT}, {"one/c.txt", SCENARIO_CREATE}},
     .made = {"one"},
     .place = 1},
    {.name = "several files, one is removed",
     .kind = SCENARIO_REMOVE,
     .target = "a.txt",
     .others = {{"b.txt", SCENARIO_CREATE}, {"c.txt", SCENARIO_EDIT}},
     .place = 1},
    {.name = "two files without O_TMPFILE",
     .target = "a.txt",
     .lacks = FAULT_NO_TMPFILE,
     .others = {{"b.txt", SCENARIO_EDIT}, {"one/c.txt", SCENARIO_CREATE}},
     .made = {"one"},
     .rare = true},
    {.name = "two files with backups",
     .target = "a.txt",
     .others = {{"b.txt", SCENARIO_EDIT}},
     .backup = true,
     .rare = true},
    {.name = "two files without history",
     .target = "a.txt",
     .others = {{"b.txt", SCENARIO_EDIT}},
     .no_history = true,
     .rare = true},
    {.name = "two files with --sync data",
     .target = "a.txt",
     .others = {{"b.txt", SCENARIO_EDIT}},
     .sync = EM_SYNC_DATA,
     .rare = true},
    {.name = "two files with grace",
     .target = "a.txt",
     .others = {{"b.txt", SCENARIO_EDIT}},
     .grace_ms = 2000,
     .rare = true},
    {.name = "two files, the first ones ever",
     .target = "a.txt",
     .world = WORLD_FRESH,
     .others = {{"b.txt", SCENARIO_EDIT}},
     .rare = true},
    {.name = "two files met by a foreign save",
     .target = "a.txt",
     .world = WORLD_FOREIGN,
     .others = {{"b.txt", SCENARIO_EDIT}, {"d.txt", SCENARIO_REMOVE}}},
};
const size_t scenario_count = sizeof scenarios / sizeof *scenarios;

const char *scenario_impossible(const scenario *s, const world *w)
{
    if ((s->world & WORLD_ACL) && !w->has_acls)
        return "no access control lists here";
    if ((s->world & WORLD_ATTRIBUTE) && !w->has_attributes)
        return "no extended attributes here";
    if ((s->world & WORLD_OWNER) && !w->is_root)
        return "only root can give files away";
    return NULL;
}

/* ---- Contents ------------------------------------------------------------------------------ */

static em_slice text_of(em_strbuf *text)
{
    if (text->failed)
        world_fail("memory");
    return em_slice_make(text->ptr, text->len); /* the caller's now */
}

/* Lines up to `size`, the same again and again after the first 64 KiB: built often, so by copying.
 */
static void add_lines(em_strbuf *text, size_t size)
{
    size_t start = text->len;
    for (size_t i = 1; text->len < size && text->len - start < BLOCK; i++)
        em_strbuf_printf(text, "line %zu of a file that is long\n", i);
    em_slice block = em_slice_make(text->ptr + start, text->len - start);
    EM_AUTO(em_strbuf) copy = {0};
    em_strbuf_add(&copy, block);
    while (text->len < size)
        em_strbuf_add(text, em_strbuf_slice(&copy));
}

em_slice scenario_old(const scenario *s)
{
    em_strbuf text = {0};
    if (s->kind == SCENARIO_CREATE)
        return (em_slice){0};
    em_strbuf_puts(&text, "the first line\n");
    add_lines(&text, s->size / 2);
    em_strbuf_puts(&text, "the word " WORD " is to be replaced\n");
    add_lines(&text, s->size);
    em_strbuf_puts(&text, "the last line\n");
    return text_of(&text);
}

em_slice scenario_foreign(const scenario *s)
{
    em_strbuf text = {0};
    em_strbuf_puts(&text, "somebody else's line\n");
    add_lines(&text, s->size / 2);
    em_strbuf_puts(&text, "with the word " WORD "\n");
    return text_of(&text);
}

static const char *word_in(em_slice content)
{
    return content.len ? memmem(content.ptr, content.len, WORD, strlen(WORD)) : NULL;
}

em_slice scenario_changed(const scenario *s, em_slice content)
{
    em_strbuf text = {0};
    const char *word = word_in(content);
    em_strbuf_puts(&text, "");
    if (s->kind == SCENARIO_REWRITE || s->kind == SCENARIO_CREATE) {
        em_strbuf_puts(&text, "nothing but this\n");
    } else if (s->kind == SCENARIO_EDIT && word) {
        size_t at = (size_t)(word - content.ptr);
        em_strbuf_add(&text, em_slice_sub(content, 0, at));
        em_strbuf_puts(&text, REPLACEMENT);
        em_strbuf_add(&text, em_slice_from(content, at + strlen(WORD)));
    }
    return text_of(&text);
}

bool scenario_is_of_several(const scenario *s)
{
    return s->others[0].path != NULL;
}

em_slice scenario_other_old(const scenario_other *other)
{
    em_strbuf text = {0};
    if (other->kind == SCENARIO_CREATE)
        return (em_slice){0};
    em_strbuf_printf(&text, "the file %s\nwith the word " WORD " to be replaced\n", other->path);
    return text_of(&text);
}

static void other_text(const scenario_other *other, char out[static WORLD_PATH])
{
    if (other->kind == SCENARIO_CREATE)
        snprintf(out, WORLD_PATH, "the file %s is made\n", other->path);
    else
        snprintf(out, WORLD_PATH, "the file %s\nwith the word " REPLACEMENT " to be replaced\n",
                 other->path);
}

em_slice scenario_other_new(const scenario_other *other)
{
    char out[WORLD_PATH];
    em_strbuf text = {0};
    if (other->kind == SCENARIO_REMOVE)
        return (em_slice){0};
    other_text(other, out);
    em_strbuf_puts(&text, out);
    return text_of(&text);
}

em_slice scenario_new(const scenario *s)
{
    if (s->kind == SCENARIO_REMOVE)
        return (em_slice){0};
    em_slice old = scenario_old(s);
    em_slice changed = scenario_changed(s, old);
    free((char *)old.ptr);
    return changed;
}

/* ---- Worlds -------------------------------------------------------------------------------- */

static void make_folder(const char *root, const char *path)
{
    char folder[WORLD_PATH];
    const char *slash = strrchr(path, '/');
    if (!slash)
        return;
    world_path(root, path, folder);
    folder[strlen(folder) - strlen(slash)] = '\0';
    if (mkdir(folder, WORLD_FOLDER_MODE) != 0)
        world_fail(folder);
}

static void build_others(const scenario *s, world *w)
{
    for (size_t i = 0; i < SCENARIO_OTHERS && s->others[i].path; i++) {
        em_slice old = scenario_other_old(&s->others[i]);
        if (!old.ptr)
            continue;
        make_folder(w->root, s->others[i].path);
        world_put(w->root, s->others[i].path, old, 0604);
        free((char *)old.ptr);
    }
}

static void build_target(const scenario *s, world *w)
{
    char path[WORLD_PATH], other[WORLD_PATH];
    em_slice old = scenario_old(s);
    make_folder(w->root, s->target);
    world_put(w->root, s->target, old, 0640);
    free((char *)old.ptr);
    world_path(w->root, s->target, path);
    if (s->world & WORLD_OWNER && chown(path, OTHER_ID, OTHER_ID) != 0)
        world_fail(path);
    if (s->world & WORLD_ATTRIBUTE)
        world_set_attribute(w->root, s->target, "user.colour", EM_LIT("blue"));
    if (s->world & WORLD_ACL)
        world_set_acl(w->root, s->target);
    if (s->world & WORLD_HARD_LINK) {
        world_path(w->canary, "other", other);
        if (link(path, other) != 0)
            world_fail(other);
    }
    if (s->world & WORLD_SYMLINK) {
        world_path(w->root, s->path, other);
        if (symlink(s->target, other) != 0)
            world_fail(other);
    }
}

void scenario_build(const scenario *s, world *w, const world_copy *history)
{
    world_reset(w);
    world_put(w->root, "beside.txt", EM_LIT("not to be touched\n"), 0600);
    if (s->kind != SCENARIO_CREATE)
        build_target(s, w);
    build_others(s, w);
    if (!(s->world & WORLD_FRESH))
        world_copy_put(history, w->state);
}

void scenario_fault_sys(const scenario *s, const world *w, fault_sys *f, const em_sys *below)
{
    char folder[WORLD_PATH];
    struct stat st;
    fault_sys_init(f, below);
    f->lacks = s->lacks;
    f->transfer = s->transfer;
    f->boot_id = w->boot_id;
    if (!(s->world & WORLD_CLOSED))
        return;
    world_path(w->root, s->target, folder);
    *strrchr(folder, '/') = '\0';
    if (stat(folder, &st) != 0)
        world_fail(folder);
    f->closed_dev = st.st_dev;
    f->closed_ino = st.st_ino;
}

/* ---- A run --------------------------------------------------------------------------------- */

/* Who holds a lock while somebody else runs stands still until that has ended: to wait is in vain.
 */
enum { LOCK_TIMEOUT_MS = 500 };

static em_status open_workspace(const scenario *s, const world *w, fault_sys *f,
                                em_workspace **workspace, em_error *err)
{
    const char *roots[] = {w->root};
    em_ws_options options = {
        .roots = roots,
        .root_count = 1,
        .state_dir = w->state,
        .sync = s->sync,
        .no_history = s->no_history,
        .in_place = s->in_place,
        .lock_timeout_ms = LOCK_TIMEOUT_MS,
        .grace_ms = s->grace_ms,
        .large = {.from = s->windowed ? PASSED / 2 : 0,
                  .speculated = s->speculated ? PASSED / 2 : 0,
                  .window = WINDOW},
        .sys = &f->sys,
    };
    return em_ws_open(&options, workspace, err);
}

/* ---- A file that is too large to be held ----------------------------------------------------- */

/* Its bytes as they pass. */
typedef struct passing {
    char *bytes;
    size_t size, room;
    em_speculation *speculation; /* NULL: none */
    size_t foreseen;             /* bytes that are in it */
} passing;

static char *passing_room(void *context, size_t *size)
{
    passing *p = context;
    *size = p->room - p->size < WINDOW ? p->room - p->size : WINDOW;
    return p->bytes + p->size;
}

/* As soon as the word has passed. */
static void foresee(passing *p)
{
    const char *word = word_in(em_slice_make(p->bytes, p->size));
    if (!p->speculation || p->foreseen > 0 || !word)
        return;
    em_slice old = em_slice_make(word, strlen(WORD));
    em_speculation_keep(p->speculation, em_slice_make(p->bytes, (size_t)(word - p->bytes)));
    em_speculation_replace(p->speculation, old, EM_LIT(REPLACEMENT));
    p->foreseen = em_speculation_at(p->speculation);
}

static em_status passing_take(void *context, size_t length)
{
    passing *p = context;
    p->size += length;
    foresee(p);
    return EM_OK;
}

/* What is known of the file is all of it: what an edit replaces is compared with that. */
static em_status know(em_file *file, const passing *p, em_arena *arena)
{
    em_extract *extract = em_alloc(arena, sizeof *extract);
    em_segment *segment = em_alloc(arena, sizeof *segment);
    if (!extract || !segment)
        return EM_E_NOMEM;
    *segment = (em_segment){.length = p->size};
    *extract = (em_extract){
        .body = em_slice_make(p->bytes, p->size), .segments = segment, .count = 1, .size = p->size};
    file->extract = extract;
    return EM_OK;
}

static em_status pass_over(em_workspace *workspace, em_file *file, em_arena *arena, em_error *err)
{
    passing p = {.room = (size_t)file->size + 1};
    em_passage passage = {&p, passing_room, passing_take};
    if (!file->is_large)
        return EM_OK;
    p.bytes = em_alloc_raw(arena, p.room);
    if (!p.bytes)
        return EM_E_NOMEM;
    p.speculation =
        em_speculation_begin(workspace, file, file->size - strlen(WORD) + strlen(REPLACEMENT));
    EM_TRY(em_large_pass(workspace, file, &passage, err));
    if (p.speculation)
        em_speculation_keep(p.speculation,
                            em_slice_make(p.bytes + p.foreseen, p.size - p.foreseen));
    EM_TRY(em_large_check(workspace, file, err));
    em_large_rest(workspace, file);
    return know(file, &p, arena);
}

static em_slice content_of(const em_file *file)
{
    return file->extract ? file->extract->body : file->bytes;
}

/* ---- The change ---------------------------------------------------------------------------- */

/* Which splice a change is, over the content that was read. False when it cannot be made. */
typedef bool (*splice_function)(const scenario *s, const em_file *file, em_splice *splice);

static bool splice_of_scenario(const scenario *s, const em_file *file, em_splice *splice)
{
    em_slice content = content_of(file);
    const char *word = word_in(content);
    *splice = (em_splice){.length = content.len, .insert = EM_LIT("nothing but this\n")};
    if (s->kind == SCENARIO_EMPTY)
        splice->insert = (em_slice){0};
    if (s->kind != SCENARIO_EDIT)
        return true;
    if (!word)
        return false;
    splice->offset = (size_t)(word - content.ptr);
    splice->length = strlen(WORD);
    splice->insert = EM_LIT(REPLACEMENT);
    return true;
}

em_slice scenario_line(void)
{
    return EM_LIT("a line of another emend\n");
}

em_slice scenario_first_bytes(void)
{
    return EM_LIT("THE");
}

static bool splice_of_line(const scenario *s, const em_file *file, em_splice *splice)
{
    (void)s;
    (void)file;
    *splice = (em_splice){.insert = scenario_line()};
    return true;
}

static void keep_warnings(scenario_run *run, const em_warnings *warnings)
{
    size_t at = 0;
    run->warned = warnings->count > 0;
    for (size_t i = 0; i < warnings->count && at < sizeof run->detail; i++)
        at += (size_t)snprintf(run->detail + at, sizeof run->detail - at, "%s%s", at ? "; " : "",
                               warnings->items[i]);
}

static em_status commit(const scenario *s, splice_function splice_of, em_workspace *workspace,
                        em_file *file, em_arena *arena, em_commit_report *report, em_error *err)
{
    em_splice splice;
    if (file->exists && s->kind == SCENARIO_CREATE && splice_of == splice_of_scenario)
        return em_fail(err, EM_E_EXISTS, "it is there");
    if (!splice_of(s, file, &splice))
        return em_fail(err, EM_E_NO_MATCH, "the word is not there");
    em_change change = {
        .splices = {.items = &splice, .count = 1},
        .origin = {.tool = "sweep", .client = "test", .session = "1", .call = "1"},
        .backup = s->backup,
    };
    return em_ws_commit(workspace, file, &change, arena, report, err);
}

static em_status change_file(const scenario *s, splice_function splice_of, em_workspace *workspace,
                             const fault_sys *f, scenario_run *run, em_error *err)
{
    EM_AUTO(em_arena) arena = {0};
    em_commit_report report = {0};
    em_file file = {0};
    unsigned flags = s->kind == SCENARIO_CREATE ? EM_MAY_BE_MISSING : EM_MAY_BE_LARGE;
    const char *path = s->path ? s->path : s->target;
    EM_TRY(em_ws_open_file(workspace, path, EM_TO_CHANGE, flags, 0, &file, err));
    em_status status = pass_over(workspace, &file, &arena, err);
    if (status == EM_OK) {
        run->opened = f->calls;
        status = commit(s, splice_of, workspace, &file, &arena, &report, err);
    }
    if (status == EM_OK) {
        keep_warnings(run, &report.warnings);
        snprintf(run->edit_id, sizeof run->edit_id, "%s", report.edit_id);
        run->answered = true;
        run->answered_at = f->calls;
    }
    em_file_close(workspace, &file);
    return status;
}

/* ---- Several files ------------------------------------------------------------------------- */

enum { MOST_FILES = SCENARIO_OTHERS + 1 };

/* The files of a change of several, in their order. */
typedef struct several {
    size_t count;
    const scenario_other *others[MOST_FILES]; /* NULL: the target */
    em_wanted wanted[MOST_FILES];
    em_splice splices[MOST_FILES];
    em_change changes[MOST_FILES];
    em_part parts[MOST_FILES];
    char texts[MOST_FILES][WORLD_PATH]; /* what is to be inserted */
} several;

static void several_init(const scenario *s, several *v)
{
    *v = (several){0};
    for (size_t i = 0; i <= SCENARIO_OTHERS; i++) {
        if (i == s->place)
            v->others[v->count++] = NULL;
        if (i < SCENARIO_OTHERS && s->others[i].path)
            v->others[v->count++] = &s->others[i];
    }
    for (size_t i = 0; i < v->count; i++) {
        scenario_kind kind = v->others[i] ? v->others[i]->kind : s->kind;
        const char *target = s->path ? s->path : s->target;
        v->wanted[i] =
            (em_wanted){.path = v->others[i] ? v->others[i]->path : target,
                        .flags = kind == SCENARIO_CREATE ? EM_MAY_BE_MISSING : EM_MAY_BE_LARGE};
    }
}

static em_status several_splice(const scenario *s, several *v, size_t index, em_error *err)
{
    const em_file *file = &v->wanted[index].file;
    const scenario_other *other = v->others[index];
    scenario_kind kind = other ? other->kind : s->kind;
    if (kind == SCENARIO_CREATE && file->exists)
        return em_fail(err, EM_E_EXISTS, "it is there");
    v->parts[index].remove = kind == SCENARIO_REMOVE;
    if (!other && kind != SCENARIO_REMOVE)
        return splice_of_scenario(s, file, &v->splices[index])
                   ? EM_OK
                   : em_fail(err, EM_E_NO_MATCH, "the word is not there");
    if (!other)
        return EM_OK;
    other_text(other, v->texts[index]);
    v->splices[index] =
        (em_splice){.length = file->bytes.len, .insert = em_slice_of(v->texts[index])};
    return EM_OK;
}

static em_status several_commit(const scenario *s, several *v, em_workspace *workspace,
                                em_arena *arena, em_error *err)
{
    size_t culprit;
    for (size_t i = 0; i < v->count; i++) {
        EM_TRY(several_splice(s, v, i, err));
        v->changes[i] =
            (em_change){.splices = {.items = &v->splices[i], .count = 1},
                        .origin = {.tool = "sweep", .client = "test", .session = "1", .call = "1"},
                        .backup = s->backup && v->wanted[i].file.exists};
        v->parts[i].file = &v->wanted[i].file;
        v->parts[i].change = &v->changes[i];
    }
    return em_ws_commit_all(workspace, v->parts, v->count, arena, &culprit, err);
}

static em_status several_open(several *v, em_workspace *workspace, em_error *err)
{
    em_status status = em_ws_open_files(workspace, v->wanted, v->count, EM_TO_CHANGE);
    for (size_t i = 0; i < v->count && status != EM_OK; i++) {
        if (v->wanted[i].status == status) {
            *err = v->wanted[i].error;
            break;
        }
    }
    return status;
}

static em_status change_several(const scenario *s, em_workspace *workspace, const fault_sys *f,
                                scenario_run *run, em_error *err)
{
    EM_AUTO(em_arena) arena = {0};
    several v;
    several_init(s, &v);
    EM_TRY(several_open(&v, workspace, err));
    em_status status = EM_OK;
    for (size_t i = 0; i < v.count && status == EM_OK; i++)
        status = pass_over(workspace, &v.wanted[i].file, &arena, err);
    if (status == EM_OK) {
        run->opened = f->calls;
        status = several_commit(s, &v, workspace, &arena, err);
    }
    if (status == EM_OK) {
        for (size_t i = 0; i < v.count && !run->warned; i++)
            keep_warnings(run, &v.parts[i].report.warnings);
        snprintf(run->edit_id, sizeof run->edit_id, "%s", v.parts[s->place].report.edit_id);
        run->answered = true;
        run->answered_at = f->calls;
    }
    for (size_t i = 0; i < v.count; i++)
        em_file_close(workspace, &v.wanted[i].file);
    return status;
}

/* ---- A run, from its beginning to its end --------------------------------------------------- */

static em_status change_any(const scenario *s, splice_function splice_of, em_workspace *workspace,
                            const fault_sys *f, scenario_run *run, em_error *err)
{
    if (scenario_is_of_several(s) && splice_of == splice_of_scenario)
        return change_several(s, workspace, f, run, err);
    return change_file(s, splice_of, workspace, f, run, err);
}

static void change(const scenario *s, splice_function splice_of, const world *w, fault_sys *f,
                   scenario_run *run)
{
    em_workspace *workspace;
    em_error err = EM_ERROR_INIT;
    run->status = open_workspace(s, w, f, &workspace, &err);
    if (run->status == EM_OK) {
        run->status = change_any(s, splice_of, workspace, f, run, &err);
        em_ws_free(workspace);
    }
    if (run->status != EM_OK)
        snprintf(run->detail, sizeof run->detail, "%s", err.detail);
    run->answered = true;
}

typedef struct foreign_save {
    const scenario *scenario;
    const world *world;
    const em_sys *sys;
    scenario_run *run;
} foreign_save;

static void save(void *context)
{
    const foreign_save *f = context;
    em_slice content = scenario_foreign(f->scenario);
    foreign_write(FOREIGN_RENAME, f->sys, f->world->root, f->scenario->target, content);
    free((char *)content.ptr);
    f->run->foreign = true;
}

void scenario_change(const scenario *s, const world *w, fault_sys *f, scenario_run *run)
{
    foreign_save foreign = {s, w, f->below, run};
    *run = (scenario_run){0};
    if (s->world & WORLD_FOREIGN) {
        f->before_rename = save;
        f->before_rename_context = &foreign;
    }
    change(s, splice_of_scenario, w, f, run);
    f->before_rename = NULL;
}

void scenario_insert(const scenario *s, const world *w, fault_sys *f, scenario_run *run)
{
    *run = (scenario_run){0};
    change(s, splice_of_line, w, f, run);
}

/* Did recovery end all that it found? */
static em_status judge(const em_recovery *recovery, em_error *err)
{
    for (size_t i = 0; i < recovery->count; i++) {
        const em_recovered *r = &recovery->items[i];
        if (r->end != EM_RECOVERED_DONE && r->end != EM_RECOVERED_UNDONE)
            return em_fail(err, EM_E_UNSETTLED, "%s: ended as %d: %s", r->id, (int)r->end,
                           r->detail ? r->detail : "");
    }
    return EM_OK;
}

static em_status recover(const scenario *s, const world *w, fault_sys *f, em_keep keep,
                         em_error *err)
{
    EM_AUTO(em_arena) arena = {0};
    em_workspace *workspace;
    em_recovery recovery = {0};
    em_recover_options options = {.keep = keep};
    EM_TRY(open_workspace(s, w, f, &workspace, err));
    em_status status = em_recover(workspace, &options, &arena, &recovery, err);
    if (status == EM_OK)
        status = judge(&recovery, err);
    em_ws_free(workspace);
    return status;
}

em_status scenario_recover(const scenario *s, const world *w, fault_sys *f, em_error *err)
{
    return recover(s, w, f, EM_KEEP_ASK, err);
}

em_status scenario_choose(const scenario *s, const world *w, fault_sys *f, em_error *err)
{
    return recover(s, w, f, EM_KEEP_TARGET, err);
}

/* ---- The history --------------------------------------------------------------------------- */

static bool count_rows(sqlite3 *db, const world *w, const char *file, int *pending, int *commits)
{
    static const char sql[] = "SELECT count(*) FILTER (WHERE state < 2),"
                              " count(*) FILTER (WHERE state >= 2 AND NOT forget)"
                              " FROM commits WHERE root = ? AND path = ?";
    sqlite3_stmt *stmt;
    if (sqlite3_prepare_v2(db, sql, -1, &stmt, NULL) != SQLITE_OK)
        return false;
    bool found = sqlite3_bind_text(stmt, 1, w->root, -1, SQLITE_STATIC) == SQLITE_OK &&
                 sqlite3_bind_text(stmt, 2, file, -1, SQLITE_STATIC) == SQLITE_OK &&
                 sqlite3_step(stmt) == SQLITE_ROW;
    if (found) {
        *pending = sqlite3_column_int(stmt, 0);
        *commits = sqlite3_column_int(stmt, 1);
    }
    sqlite3_finalize(stmt);
    return found;
}

/* Is there no table yet? False also when that cannot be told. */
static bool is_empty(sqlite3 *db)
{
    sqlite3_stmt *stmt;
    if (sqlite3_prepare_v2(db, "SELECT 1 FROM sqlite_master", -1, &stmt, NULL) != SQLITE_OK)
        return false;
    bool empty = sqlite3_step(stmt) == SQLITE_DONE;
    sqlite3_finalize(stmt);
    return empty;
}

bool scenario_rows(const world *w, const char *file, int *pending, int *commits)
{
    char path[WORLD_PATH];
    sqlite3 *db = NULL;
    *pending = *commits = 0;
    world_path(w->state, EM_HISTORY_NAME, path);
    if (access(path, F_OK) != 0)
        return true; /* nothing was ever recorded */
    bool read = sqlite3_open_v2(path, &db, SQLITE_OPEN_READWRITE, NULL) == SQLITE_OK &&
                (is_empty(db) || count_rows(db, w, file, pending, commits));
    sqlite3_close(db);
    return read;
}

int scenario_journals(const world *w)
{
    char path[WORLD_PATH];
    world_path(w->state, "journal", path);
    world_list list = world_list_of(path);
    int count = (int)list.count;
    world_list_drop(&list);
    return count;
}
