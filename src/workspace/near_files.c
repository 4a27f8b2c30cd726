/* near_files.c: a walk over the roots that keeps the few files that are nearest. */
#include "workspace/near_files.h"

#include "base/ascii.h"
#include "base/deadline.h"
#include "base/utf8.h"
#include "paths/foreign.h"
#include "paths/spelling.h"
#include "system/names.h"
#include "system/sys_io.h"
#include "text/similarity.h"
#include "workspace/ws.h"

#include <dirent.h>

/* So much is looked at, which takes 20 to 60 ms: a folder costs as much as so many names in it. */
enum { NAMES_MOST = 20000, NAMES_PER_FOLDER = 16 };

/* Where that takes longer, as over a network, it ends then. To look at a name, and to open a
 * folder, takes as long as to look at so many bytes, at least. */
enum { LONGEST_MS = 1000, BYTES_PER_NAME = 1 << 8, BYTES_PER_FOLDER = 1 << 16 };

/* How far a file is: by kind first, then by how much differs, which is less than a step between
 * kinds. */
enum { OTHER_SPELLING = 0, OTHER_FOLDER = 1000, SLIP = 2000, OTHER_ENDING = 3000, WITHIN = 4000 };
enum { FAR_MOST = 999, NOT_NEAR = -1 };

/* A folder that is still to be looked through. */
typedef struct folder {
    const em_root *root;
    const char *rel; /* "." for the root */
    uint64_t dev;    /* on which it has to be, unless the path leads there: */
    bool is_meant;   /* it is the folder of the path's last component, */
    bool is_named;   /* or that component itself */
} folder;

typedef struct near_file {
    const char *path, *rel; /* absolute, and below its root */
    int far;
} near_file;

typedef struct seeker {
    const em_workspace *ws;
    em_arena *arena;
    em_slice wanted;           /* the path that leads to no file */
    bool is_url;               /* it came as one */
    const char *name, *folded; /* its last component, and how names are compared (spelling.h) */
    folder meant;              /* `rel` is NULL where the folder is missing, too */
    folder named;              /* the same where the path is not that of a folder */
    folder *folders;
    size_t folder_count, folder_room;
    size_t names_left;
    em_deadline deadline;
    near_file found[EM_NEAR_FILES_MOST];
    size_t count;
    bool more;
    bool has_slip; /* the folder that is meant has a name that is like the one looked for */
} seeker;

/* ---- How far is it? ------------------------------------------------------------------------- */

/* The same name but for letter case and the like (spelling.h). */
static em_status is_same_name(const seeker *s, const char *name, bool *same)
{
    em_slice bytes = em_slice_of(name), wanted = em_slice_of(s->name);
    *same = em_same_in_any_case(bytes, wanted);
    if (*same || (em_is_ascii(bytes) && em_is_ascii(wanted)))
        return EM_OK;
    const char *folded = em_spelling_fold(name, s->arena);
    *same = folded && strcmp(folded, s->folded) == 0;
    return folded ? EM_OK : EM_E_NOMEM;
}

/* The name up to its ending; all of ".profile". */
static em_slice stem_of(const char *name)
{
    const char *dot = strrchr(name, '.');
    return dot && dot > name ? em_slice_make(name, (size_t)(dot - name)) : em_slice_of(name);
}

/* A third of the name may differ, where letter case does not count. */
static em_status slip_of(const seeker *s, const char *name, int *far)
{
    const char *folded = em_spelling_fold(name, s->arena);
    if (!folded)
        return EM_E_NOMEM;
    size_t length = strlen(folded), wanted = strlen(s->folded), distance;
    size_t longer = length > wanted ? length : wanted, apart = 2 * longer - length - wanted;
    *far = em_same_in_any_case(stem_of(name), stem_of(s->name)) ? OTHER_ENDING : NOT_NEAR;
    if (3 * apart > longer)
        return EM_OK;
    EM_TRY(em_distance(em_slice_of(folded), em_slice_of(s->folded), NULL, &distance));
    if (3 * distance <= longer && distance < FAR_MOST)
        *far = SLIP + (int)distance;
    return EM_OK;
}

/* Take the last component off *path: "a/b" becomes "a", and "b" is the result. */
static em_slice last_component(em_slice *path)
{
    while (path->len > 0 && path->ptr[path->len - 1] == '/')
        path->len--;
    size_t start = path->len;
    while (start > 0 && path->ptr[start - 1] != '/')
        start--;
    em_slice last = em_slice_from(*path, start);
    path->len = start;
    return last;
}

/* How many of the last folders of the path are, in whatever case, the last ones of the folder
 * `rel`.
 */
static int shared_folders(em_slice wanted, const char *rel)
{
    em_slice other = em_slice_of(rel), one;
    int shared = 0;
    last_component(&wanted);
    while ((one = last_component(&wanted)).len > 0 &&
           em_same_in_any_case(one, last_component(&other)))
        shared++;
    return shared < FAR_MOST ? shared : FAR_MOST;
}

/* NOT_NEAR where it is not. */
static em_status how_far(const seeker *s, const folder *in, const char *name, int *far)
{
    bool same;
    *far = NOT_NEAR;
    EM_TRY(is_same_name(s, name, &same));
    if (same)
        *far = in->is_meant ? OTHER_SPELLING
                            : OTHER_FOLDER + FAR_MOST - shared_folders(s->wanted, in->rel);
    else if (in->is_meant)
        return slip_of(s, name, far);
    else if (in->is_named)
        *far = WITHIN;
    return EM_OK;
}

/* ---- The nearest ---------------------------------------------------------------------------- */

static bool is_before(const near_file *a, const near_file *b)
{
    return a->far != b->far ? a->far < b->far : strcmp(a->path, b->path) < 0;
}

static bool is_known(const seeker *s, const char *path)
{
    for (size_t i = 0; i < s->count; i++)
        if (strcmp(s->found[i].path, path) == 0)
            return true;
    return false;
}

static void keep(seeker *s, near_file file)
{
    size_t at = s->count;
    while (at > 0 && is_before(&file, &s->found[at - 1]))
        at--;
    s->more = s->more || s->count == EM_NEAR_FILES_MOST;
    if (at == EM_NEAR_FILES_MOST)
        return;
    if (s->count < EM_NEAR_FILES_MOST)
        s->count++;
    for (size_t i = s->count - 1; i > at; i--)
        s->found[i] = s->found[i - 1];
    s->found[at] = file;
}

/* ---- The walk ------------------------------------------------------------------------------- */

static em_status add_folder(seeker *s, folder next)
{
    EM_TRY(em_arena_grow(s->arena, (void **)&s->folders, s->folder_count, &s->folder_room,
                         sizeof *s->folders));
    s->folders[s->folder_count++] = next;
    return EM_OK;
}

static const char *name_in(const seeker *s, const folder *in, const char *name)
{
    return strcmp(in->rel, ".") == 0 ? em_arena_string(s->arena, em_slice_of(name))
                                     : em_arena_format(s->arena, "%s/%s", in->rel, name);
}

static bool is_folder(const folder *known, const em_root *root, const char *rel)
{
    return known->rel && known->root == root && strcmp(known->rel, rel) == 0;
}

/* Such a folder is among the first that are looked through. */
static bool is_first(const seeker *s, const em_root *root, const char *rel)
{
    return is_folder(&s->meant, root, rel) || is_folder(&s->named, root, rel);
}

/* EM_E_DENIED says no more than that it is not to be told. */
static em_status unless_denied(em_status status, bool *allowed)
{
    *allowed = status == EM_OK;
    return status == EM_E_NOMEM ? status : EM_OK;
}

static em_status see_folder(seeker *s, const folder *in, const char *name)
{
    bool allowed;
    if (name[0] == '.' || strcmp(name, "node_modules") == 0)
        return EM_OK;
    const char *rel = name_in(s, in, name);
    if (!rel)
        return EM_E_NOMEM;
    if (is_first(s, in->root, rel))
        return EM_OK;
    EM_TRY(unless_denied(em_ws_check_folder(s->ws, in->root, rel, s->arena, NULL), &allowed));
    return allowed ? add_folder(s, (folder){.root = in->root, .rel = rel, .dev = in->dev}) : EM_OK;
}

/* Not our own temporary files, which are none that somebody means. */
static em_status see_file(seeker *s, const folder *in, const char *name)
{
    int far;
    bool allowed;
    EM_TRY(how_far(s, in, name, &far));
    if (far == NOT_NEAR || em_is_temp_name(name))
        return EM_OK;
    const char *rel = name_in(s, in, name);
    const char *path = rel ? em_root_join(in->root, rel, s->arena) : NULL;
    if (!path)
        return EM_E_NOMEM;
    EM_TRY(unless_denied(em_ws_check_rules(s->ws, in->root, rel, false, s->arena, NULL), &allowed));
    if (allowed && !is_known(s, path))
        keep(s, (near_file){path, rel, far});
    s->has_slip = s->has_slip || (allowed && far >= SLIP && far < WITHIN);
    return EM_OK;
}

/* A folder while its names are seen. */
typedef struct sight {
    seeker *seeker;
    const folder *in;
    int fd;
    em_status status;
} sight;

/* Some file systems do not tell in a listing what stands under a name. */
static unsigned char kind_of(const sight *here, const char *name, unsigned char type)
{
    em_stat stat;
    if (type != DT_UNKNOWN)
        return type;
    if (EM_SYS_RETRY(here->seeker->ws->sys, stat, here->fd, name, AT_SYMLINK_NOFOLLOW, &stat) < 0)
        return DT_UNKNOWN;
    return S_ISDIR(stat.mode) ? DT_DIR : S_ISREG(stat.mode) ? DT_REG : DT_UNKNOWN;
}

/* Has so much been looked at, or for so long? `work` as in em_deadline_spend(). */
static bool is_over(seeker *s, size_t work)
{
    if (em_deadline_spend(&s->deadline, work))
        s->names_left = 0;
    return s->names_left == 0;
}

static bool see_name(void *context, const char *name, unsigned char type)
{
    sight *here = context;
    seeker *s = here->seeker;
    if (is_over(s, BYTES_PER_NAME))
        return false;
    s->names_left--;
    unsigned char kind = kind_of(here, name, type);
    if (kind == DT_DIR)
        here->status = see_folder(s, here->in, name);
    else if (kind == DT_REG)
        here->status = see_file(s, here->in, name);
    return here->status == EM_OK;
}

/* What is mounted in a root may be slow, or have no end. */
static em_status see_all_in(seeker *s, folder in)
{
    const em_sys *sys = s->ws->sys;
    em_stat stat;
    int fd = EM_SYS_RETRY(sys, open, in.root->fd, in.rel, O_RDONLY | O_DIRECTORY, 0,
                          EM_RESOLVE_BENEATH | EM_RESOLVE_NO_SYMLINKS);
    sight here = {.seeker = s, .in = &in, .fd = fd};
    s->names_left -= s->names_left < NAMES_PER_FOLDER ? s->names_left : NAMES_PER_FOLDER;
    if (fd < 0)
        return EM_OK;
    bool is_known = EM_SYS_RETRY(sys, stat, fd, "", AT_EMPTY_PATH, &stat) == 0;
    in.dev = (in.is_meant || in.is_named) && is_known ? stat.dev : in.dev;
    if (is_known && stat.dev == in.dev)
        em_io_list(sys, fd, see_name, &here); /* as far as it can be listed */
    EM_SYS(sys, close, fd);
    return here.status;
}

static em_status add_root(seeker *s, const em_root *root)
{
    em_stat stat;
    if (EM_SYS_RETRY(s->ws->sys, stat, root->fd, "", AT_EMPTY_PATH, &stat) < 0)
        return EM_OK;
    return add_folder(s, (folder){.root = root, .rel = ".", .dev = stat.dev});
}

static em_status walk(seeker *s)
{
    if (s->meant.rel)
        EM_TRY(add_folder(s, s->meant));
    if (s->named.rel)
        EM_TRY(add_folder(s, s->named));
    for (size_t i = 0; i < s->ws->roots.count; i++) {
        const em_root *root = &s->ws->roots.items[i];
        if (!is_first(s, root, "."))
            EM_TRY(add_root(s, root));
    }
    for (size_t i = 0; i < s->folder_count && !is_over(s, BYTES_PER_FOLDER); i++)
        EM_TRY(see_all_in(s, s->folders[i]));
    return EM_OK;
}

/* ---- The answer ----------------------------------------------------------------------------- */

/* The folder that holds `rel`; in the arena. */
static em_status folder_of(seeker *s, const em_root *root, const char *rel)
{
    em_slice above = em_slice_of(rel);
    last_component(&above);
    s->meant = (folder){.root = root, .rel = ".", .is_meant = true};
    if (above.len > 0)
        s->meant.rel = em_arena_string(s->arena, em_slice_sub(above, 0, above.len - 1));
    return s->meant.rel ? EM_OK : EM_E_NOMEM;
}

/* Which folder is meant, where it is there. */
static em_status find_meant(seeker *s)
{
    em_resolved place;
    em_status status =
        em_root_resolve(s->ws->sys, &s->ws->roots, s->wanted.ptr, true, s->arena, &place, NULL);
    bool is_there = status == EM_OK && place.file >= 0 && S_ISDIR(place.stat.mode);
    bool is_missing = status == EM_OK && place.file < 0 && place.missing_count == 0;
    bool is_the_file =
        status == EM_OK && place.file >= 0 && !is_there; /* it is written otherwise */
    if (is_there)
        s->named = (folder){.root = place.root, .rel = place.rel, .is_named = true};
    if (is_missing || is_the_file || (is_there && strcmp(place.rel, ".") != 0))
        status = folder_of(s, place.root, place.rel);
    em_resolved_close(s->ws->sys, &place);
    return status == EM_E_NOMEM ? status : EM_OK;
}

/* Is the path that was given that of the file, with more folders before it? */
static bool ends_with(em_slice wanted, const char *rel)
{
    size_t length = strlen(rel);
    return wanted.len > length && strchr(rel, '/') && wanted.ptr[wanted.len - length - 1] == '/' &&
           strcmp(wanted.ptr + wanted.len - length, rel) == 0;
}

static bool is_clear(const seeker *s)
{
    const near_file *best = &s->found[0];
    if (s->count == 0 || (s->count > 1 && s->found[1].far == best->far))
        return false;
    if (best->far == OTHER_SPELLING)
        return true;
    bool is_only_one = s->count == 1 && s->names_left > 0;
    return best->far < SLIP && !s->has_slip && (is_only_one || ends_with(s->wanted, best->rel));
}

/* As the caller would write it. */
static const char *path_to_tell(const seeker *s, const char *path)
{
    const char *rel = em_root_rel(&s->ws->roots.items[0], path);
    return rel && (s->is_url || s->wanted.ptr[0] != '/') ? rel : path;
}

static em_status seek(seeker *s, em_arena *arena, em_near_files *out)
{
    s->folded = em_spelling_fold(s->name, s->arena);
    if (!s->folded)
        return EM_E_NOMEM;
    EM_TRY(find_meant(s));
    EM_TRY(walk(s));
    for (size_t i = 0; i < s->count; i++) {
        const char *path = path_to_tell(s, s->found[i].path);
        out->paths[i] = em_arena_string(arena, em_slice_of(path));
        if (!out->paths[i])
            return EM_E_NOMEM;
        out->count++;
    }
    out->more = s->more;
    out->is_clear = is_clear(s);
    out->is_same_name = out->is_clear && s->found[0].far == OTHER_SPELLING;
    out->is_late = s->deadline.passed;
    return EM_OK;
}

/* `path` as it is written here. */
static em_status look_for(em_workspace *ws, const char *path, bool is_url, em_arena *arena,
                          em_near_files *out)
{
    EM_AUTO(em_arena) scratch = {0};
    seeker s = {.ws = ws,
                .arena = &scratch,
                .wanted = em_slice_of(path),
                .is_url = is_url,
                .names_left = NAMES_MOST,
                .deadline = em_deadline_in(LONGEST_MS)};
    em_slice way = s.wanted;
    *out = (em_near_files){.count = 0};
    s.name = em_arena_string(&scratch, last_component(&way));
    if (!s.name)
        return EM_E_NOMEM;
    return s.name[0] ? seek(&s, arena, out) : EM_OK;
}

em_status em_ws_near_files(em_workspace *ws, const char *path, em_arena *arena, em_near_files *out)
{
    em_near_files other;
    *out = (em_near_files){.count = 0};
    path = em_arena_string(arena, em_foreign_bare(em_slice_of(path)));
    bool is_url = path && em_foreign_is_url(path);
    path = path ? em_foreign_written_here(path, arena) : NULL;
    if (!path)
        return EM_E_NOMEM;
    EM_TRY(look_for(ws, path, is_url, arena, out));
    const char *reading = em_foreign_other_reading(path, arena);
    if (!reading)
        return EM_E_NOMEM;
    if (out->is_clear || reading == path)
        return EM_OK;
    EM_TRY(look_for(ws, reading, is_url, arena, &other));
    if (other.is_clear || out->count == 0)
        *out = other;
    return EM_OK;
}

/* Does it lead into a folder that is there, in a root? */
static em_status has_folder(em_workspace *ws, const char *path, em_arena *arena, bool *has)
{
    em_resolved place;
    em_status status = em_root_resolve(ws->sys, &ws->roots, path, true, arena, &place, NULL);
    *has = status == EM_OK && place.missing_count == place.foreseen_count;
    em_resolved_close(ws->sys, &place);
    return status == EM_E_NOMEM ? status : EM_OK;
}

em_status em_ws_is_foreign_path(em_workspace *ws, const char *path, em_arena *arena, bool *is,
                                em_near_files *out)
{
    bool begins = em_foreign_begins_elsewhere(path);
    bool leads = false, is_windows = em_foreign_has_backslashes_alone(path);
    *is = false;
    *out = (em_near_files){.count = 0};
    if (!begins && !is_windows)
        return EM_OK;
    if (!is_windows) /* somebody made a folder of that name */
        EM_TRY(has_folder(ws, path, arena, &leads));
    if (leads)
        return EM_OK;
    const char *meant = em_foreign_written_here(path, arena);
    if (!meant)
        return EM_E_NOMEM;
    if (meant != path)
        EM_TRY(has_folder(ws, meant, arena, &leads));
    if (leads && meant[strlen(meant) - 1] != '/')
        *out = (em_near_files){.paths = {meant}, .count = 1, .is_clear = true};
    *is = leads || begins;
    return EM_OK;
}
