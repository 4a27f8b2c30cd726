/* state.c: which folder is the state directory, and whether it is fit for it.
 *
 * Begin with em_state_open: the candidates in turn, each walked down to from "/" (make_way). Before
 * anything is made, the folder that it would be made in is judged (check_parent, check_outside).
 */
#include "paths/state.h"

#include "system/names.h"
#include "system/sys_io.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { FOLDER = O_PATH | O_DIRECTORY, OPEN_TO_SYNC = O_RDONLY | O_DIRECTORY };

/* One place where the state directory may be. */
typedef struct candidate {
    const em_sys *sys;
    const em_state_options *options;
    const char *path; /* absolute */
    bool named;       /* the caller asked for it */
    bool shared;      /* in a folder where others may write */
    bool to_read;     /* nothing has to be written there */
    bool was_closed;  /* one that is there was passed over, since nothing can be written there */
    em_error *err;
} candidate;

em_status em_state_fail(em_error *err, ssize_t result, const char *call, const char *path)
{
    em_status code = em_io_fail(err, result, call, path);
    if (code != EM_E_NOMEM && code != EM_E_PERMISSION) {
        code = EM_E_IO;
        if (err)
            err->code = code;
    }
    return code;
}

/* No room, something else by the name, or nothing may be done there. */
static bool is_of_place(int sys)
{
    return sys == ENOSPC || sys == EDQUOT || sys == ENOTDIR || sys == EISDIR || sys == ELOOP ||
           em_status_of_errno(sys) == EM_E_PERMISSION;
}

void em_state_add_place(em_error *err, const char *folder)
{
    if (!err || !folder || err->cause == EM_CAUSE_STATE_DIR || !is_of_place(err->sys))
        return;
    size_t used = strlen(err->detail);
    snprintf(err->detail + used, sizeof err->detail - used, " (in the state directory %s)", folder);
    err->cause = EM_CAUSE_STATE_DIR;
}

/* Is the path itself at fault? Where folders cannot be made, as in /proc, it is not there either.
 */
static bool leads_nowhere(ssize_t result)
{
    return result == -ENOENT || result == -ENOTDIR || result == -ELOOP || result == -ENAMETOOLONG;
}

/* It can neither be opened nor made. What the system forbids there it forbids whichever file a call
 * is about, and so it is with a path that leads nowhere. */
static em_status fail_way(em_error *err, ssize_t result, const char *call, const char *path)
{
    em_status code = em_state_fail(err, result, call, path);
    if (err && (code == EM_E_PERMISSION || leads_nowhere(result)))
        err->cause = EM_CAUSE_STATE_DIR;
    return code;
}

/* ---- Checks -------------------------------------------------------------------------------- */

static em_status folder_stat(const candidate *c, int dir, em_stat *stat)
{
    int result = EM_SYS_RETRY(c->sys, stat, dir, "", AT_EMPTY_PATH, stat);
    return result < 0 ? em_state_fail(c->err, result, "stat", c->path) : EM_OK;
}

/* Nobody but this user may write in the directory: whoever can, can make recovery do things. */
static em_status check_owner(const candidate *c, int dir)
{
    em_stat stat;
    EM_TRY(folder_stat(c, dir, &stat));
    if (stat.uid != geteuid())
        return em_fail_cause(c->err, EM_E_PERMISSION, EM_CAUSE_STATE_DIR,
                             "the state directory %s belongs to another user", c->path);
    if (stat.mode & (S_IWGRP | S_IWOTH))
        return em_fail_cause(c->err, EM_E_PERMISSION, EM_CAUSE_STATE_DIR,
                             "other users may write in the state directory %s (its mode is %03o)",
                             c->path, stat.mode & 0777);
    return EM_OK;
}

/* Not where the file system is read-only now, or the folder: that would show at the first change,
 * and another place may do. */
static em_status check_writable(candidate *c, int dir)
{
    if (c->to_read || (c->named && !c->options->make))
        return EM_OK;
    int result = EM_SYS_RETRY(c->sys, access, dir, "", W_OK | X_OK, AT_EACCESS | AT_EMPTY_PATH);
    if (em_status_of_errno(-result) != EM_E_PERMISSION)
        return EM_OK;
    c->was_closed = true;
    em_fail_cause(c->err, EM_E_PERMISSION, EM_CAUSE_STATE_DIR,
                  "nothing can be written in the state directory %s (%s)", c->path,
                  strerror(-result));
    if (c->err)
        c->err->sys = -result;
    return EM_E_PERMISSION;
}

/* May it be made in this folder? Not in the home of somebody else, as root with another's HOME
 * would. */
static em_status check_parent(const candidate *c, int dir)
{
    em_stat stat;
    if (c->named || c->shared)
        return EM_OK;
    EM_TRY(folder_stat(c, dir, &stat));
    if (stat.uid != geteuid() && stat.uid != 0)
        return em_fail_cause(c->err, EM_E_PERMISSION, EM_CAUSE_STATE_DIR,
                             "%s lies in a folder of another user", c->path);
    return EM_OK;
}

static em_status check_not_a_root(const candidate *c, const em_stat *folder)
{
    for (size_t i = 0; i < c->options->roots->count; i++) {
        const em_root *root = &c->options->roots->items[i];
        em_stat stat;
        EM_TRY(folder_stat(c, root->fd, &stat));
        if (em_stat_same_inode(&stat, folder))
            return em_fail_cause(c->err, EM_E_PERMISSION, EM_CAUSE_STATE_DIR,
                                 "the state directory %s is inside the root %s: name another one "
                                 "(--state-dir), or a smaller root (--root)",
                                 c->path, root->path);
    }
    return EM_OK;
}

static em_status fail_open(const candidate *c, int result)
{
    return fail_way(c->err, result, "open the state directory", c->path);
}

/* Up from `dir` to "/": none of the folders may be a root. Takes `dir`. */
static em_status check_way_up(const candidate *c, int dir)
{
    em_stat here, above;
    em_status status = folder_stat(c, dir, &here);
    while (status == EM_OK) {
        status = check_not_a_root(c, &here);
        if (status != EM_OK)
            break;
        int up = EM_SYS_RETRY(c->sys, open, dir, "..", FOLDER, 0, 0);
        EM_SYS(c->sys, close, dir);
        dir = up;
        if (dir < 0)
            return fail_open(c, dir);
        status = folder_stat(c, dir, &above);
        if (status == EM_OK && em_stat_same_inode(&here, &above))
            break;
        here = above;
    }
    EM_SYS(c->sys, close, dir);
    return status;
}

static em_status check_outside(const candidate *c, int dir)
{
    if (c->named)
        return EM_OK;
    int own = EM_SYS_RETRY(c->sys, open, dir, ".", FOLDER, 0, 0);
    return own < 0 ? fail_open(c, own) : check_way_up(c, own);
}

/* ---- Making -------------------------------------------------------------------------------- */

/* Make `name` in `dir`; that it is there already is fine. */
static em_status folder_make(const em_sys *sys, int dir, const char *name, bool sync,
                             const char *path, em_error *err)
{
    int result = EM_SYS_RETRY(sys, mkdir, dir, name, 0700);
    if (result == -EEXIST)
        return EM_OK;
    if (result < 0)
        return fail_way(err, result, "mkdir for the state directory", path);
    if (!sync)
        return EM_OK;
    int fd = EM_SYS_RETRY(sys, open, dir, ".", OPEN_TO_SYNC, 0, 0);
    if (fd < 0)
        return em_state_fail(err, fd, "open", path);
    em_status status = em_io_sync((em_io_file){sys, fd, path}, false, err);
    EM_SYS(sys, close, fd);
    return status;
}

/* Open `name` in `dir`, made if it is missing; `*checked` says that the folders above are known to
 * be fit for that. */
static em_status step_down(const candidate *c, int dir, const char *name, bool *checked, int *out)
{
    *out = EM_SYS_RETRY(c->sys, open, dir, name, FOLDER, 0, 0);
    if (*out != -ENOENT)
        return *out < 0 ? fail_open(c, *out) : EM_OK;
    if (!*checked) {
        EM_TRY(check_parent(c, dir));
        EM_TRY(check_outside(c, dir));
        *checked = true;
    }
    EM_TRY(folder_make(c->sys, dir, name, c->options->sync, c->path, c->err));
    *out = EM_SYS_RETRY(c->sys, open, dir, name, FOLDER | O_NOFOLLOW, 0, 0);
    return *out < 0 ? fail_open(c, *out) : EM_OK;
}

/* Walk down to the directory, and make what is missing on the way. */
static em_status make_way(const candidate *c, int *dir)
{
    bool checked = false;
    em_status status = EM_OK;
    char way[PATH_MAX];
    char *rest = NULL;
    snprintf(way, sizeof way, "%s", c->path);
    *dir = EM_SYS_RETRY(c->sys, open, AT_FDCWD, "/", FOLDER, 0, 0);
    if (*dir < 0)
        return em_state_fail(c->err, *dir, "open", "/");
    for (char *name = strtok_r(way, "/", &rest); name; name = strtok_r(NULL, "/", &rest)) {
        int next;
        status = step_down(c, *dir, name, &checked, &next);
        EM_SYS(c->sys, close, *dir);
        *dir = next;
        if (status != EM_OK)
            break;
    }
    return status;
}

/* ---- Candidates ---------------------------------------------------------------------------- */

static em_status candidate_open(candidate *c, int *dir)
{
    int flags = FOLDER | (c->shared ? O_NOFOLLOW : 0);
    if (strlen(c->path) >= PATH_MAX)
        return fail_open(c, -ENAMETOOLONG);
    *dir = EM_SYS_RETRY(c->sys, open, AT_FDCWD, c->path, flags, 0, 0);
    if (*dir == -ENOENT && !c->options->make)
        return em_fail(c->err, EM_E_NOT_FOUND, "there is no state directory %s", c->path);
    em_status status = EM_OK;
    if (*dir == -ENOENT)
        status = make_way(c, dir);
    else if (*dir < 0)
        return fail_open(c, *dir);
    if (status == EM_OK)
        status = check_outside(c, *dir);
    if (status == EM_OK)
        status = check_owner(c, *dir);
    if (status == EM_OK)
        status = check_writable(c, *dir);
    if (status != EM_OK && *dir >= 0)
        EM_SYS(c->sys, close, *dir);
    return status;
}

/* `below` in the folder that a variable names; NULL in *path where it names none. */
static em_status path_below(const char *variable, const char *below, em_arena *arena,
                            const char **path)
{
    const char *folder = getenv(variable);
    *path = NULL;
    if (!folder || folder[0] != '/')
        return EM_OK;
    *path = em_arena_format(arena, "%s/%s", folder, below);
    return *path ? EM_OK : EM_E_NOMEM;
}

static em_status path_in_xdg(em_arena *arena, const char **path)
{
    return path_below("XDG_STATE_HOME", "emend", arena, path);
}

static em_status path_in_home(em_arena *arena, const char **path)
{
    return path_below("HOME", ".local/state/emend", arena, path);
}

static char *shared_name(em_arena *arena, const char *folder)
{
    return em_arena_format(arena, "%s/emend-%lu", folder, (unsigned long)geteuid());
}

static em_status path_in_tmp(em_arena *arena, const char **path)
{
    *path = shared_name(arena, "/tmp");
    return *path ? EM_OK : EM_E_NOMEM;
}

static em_status path_shared(em_arena *arena, const char **path)
{
    const char *folder = getenv("TMPDIR");
    if (!folder || folder[0] != '/')
        return path_in_tmp(arena, path);
    *path = shared_name(arena, folder);
    return *path ? EM_OK : EM_E_NOMEM;
}

em_status em_state_check_named(const char *named, em_error *err)
{
    return named && named[0] == '\0'
               ? em_fail(err, EM_E_INVALID, "the path of the state directory is empty")
               : EM_OK;
}

static em_status path_named(const em_sys *sys, const char *named, em_arena *arena,
                            const char **path, em_error *err)
{
    char folder[PATH_MAX];
    EM_TRY(em_state_check_named(named, err));
    *path = named;
    if (named[0] == '/')
        return EM_OK;
    int result = EM_SYS_RETRY(sys, cwd, folder, sizeof folder);
    if (result < 0)
        return em_state_fail(err, result, "getcwd", ".");
    *path = em_arena_format(arena, "%s/%s", folder, named);
    return *path ? EM_OK : EM_E_NOMEM;
}

/* The places that its user should have, the first that can be used; one that is only missing can.
 * Else *why tells of the last; c->path is that, or NULL where none can be named. */
static em_status users_open(candidate *c, em_arena *arena, int *dir, em_error *why)
{
    static em_status (*const places[])(em_arena *, const char **) = {path_in_xdg, path_in_home};
    em_error *err = c->err;
    em_status status = EM_E_NOT_FOUND;
    const char *tried = NULL;
    em_fail(why, status, "neither XDG_STATE_HOME nor HOME is set to an absolute path");
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        EM_TRY(places[i](arena, &c->path));
        if (!c->path)
            continue;
        tried = c->path;
        c->err = why;
        status = candidate_open(c, dir);
        c->err = err;
        if (status == EM_OK || status == EM_E_NOT_FOUND)
            break;
    }
    c->path = tried;
    return status;
}

/* Try the places in their order; c->path is the one that was opened. */
static em_status candidates_open(candidate *c, em_arena *arena, int *dir, em_error *why)
{
    if (c->options->named) {
        c->named = true;
        EM_TRY(path_named(c->sys, c->options->named, arena, &c->path, c->err));
        return candidate_open(c, dir);
    }
    em_status status = users_open(c, arena, dir, why);
    if (status == EM_OK || status == EM_E_NOMEM)
        return status;
    c->shared = true;
    const char *first = c->path;
    EM_TRY(path_shared(arena, &c->path));
    status = candidate_open(c, dir);
    if (status == EM_E_NOT_FOUND && c->was_closed) { /* what it has can still be read */
        c->shared = false;
        c->to_read = true;
        return users_open(c, arena, dir, why);
    }
    if (status == EM_E_NOT_FOUND && first && why->code == EM_E_NOT_FOUND && c->err)
        *c->err = *why; /* where it will be made is the place to name */
    return status;
}

/* ---- The face ------------------------------------------------------------------------------ */

/* Add a place, unless it is NULL or there already. */
static void place_add(const char *path, const char *places[static EM_STATE_PLACES], size_t *count)
{
    bool is_new = path != NULL;
    for (size_t i = 0; is_new && i < *count; i++)
        is_new = strcmp(places[i], path) != 0;
    if (is_new)
        places[(*count)++] = path;
}

em_status em_state_places(const em_sys *sys, const char *named, em_arena *arena,
                          const char *places[static EM_STATE_PLACES], size_t *count)
{
    static em_status (*const usual[])(em_arena *, const char **) = {path_in_xdg, path_in_home,
                                                                    path_shared, path_in_tmp};
    const char *path = NULL;
    *count = 0;
    em_status status = named ? path_named(sys, named, arena, &path, NULL) : EM_OK;
    if (status == EM_E_NOMEM)
        return status;
    if (status == EM_OK)
        place_add(path, places, count);
    for (size_t i = 0; i < sizeof usual / sizeof *usual; i++) {
        EM_TRY(usual[i](arena, &path));
        place_add(path, places, count);
    }
    return EM_OK;
}

void em_state_init(em_state *state)
{
    *state = (em_state){.dir = -1, .locks = -1};
}

void em_state_close(em_state *state)
{
    if (state->dir >= 0)
        EM_SYS(state->sys, close, state->dir);
    if (state->locks >= 0)
        EM_SYS(state->sys, close, state->locks);
    free(state->path);
    free(state->warning);
    em_state_init(state);
}

em_status em_state_folder(const em_state *state, const char *name, bool sync, int *dir,
                          em_error *err)
{
    char path[PATH_MAX]; /* for errors */
    snprintf(path, sizeof path, "%s/%s", state->path, name);
    *dir = EM_SYS_RETRY(state->sys, open, state->dir, name, FOLDER | O_NOFOLLOW, 0, 0);
    if (*dir == -ENOENT) {
        EM_TRY(folder_make(state->sys, state->dir, name, sync, path, err));
        *dir = EM_SYS_RETRY(state->sys, open, state->dir, name, FOLDER | O_NOFOLLOW, 0, 0);
    }
    return *dir < 0 ? em_state_fail(err, *dir, "open", path) : EM_OK;
}

/* Read which boot this is. That it cannot be told is no error. */
static void boot_read(em_state *state)
{
    char text[sizeof state->boot];
    int fd =
        EM_SYS_RETRY(state->sys, open, AT_FDCWD, "/proc/sys/kernel/random/boot_id", O_RDONLY, 0, 0);
    if (fd < 0)
        return;
    ssize_t got = EM_SYS_RETRY(state->sys, read, fd, text, sizeof text - 1, 0);
    EM_SYS(state->sys, close, fd);
    if (got <= 0)
        return;
    text[got] = '\0';
    text[strcspn(text, "\n")] = '\0';
    memcpy(state->boot, text, sizeof text);
}

static em_status state_fill(em_state *state, const candidate *c, const em_error *why)
{
    state->path = strdup(c->path);
    if (!state->path)
        return EM_E_NOMEM;
    bool advised = strstr(why->detail, "--state-dir") != NULL;
    if (c->shared && asprintf(&state->warning, "The state directory is %s, because %s%s", c->path,
                              why->detail, advised ? "" : "; name one with --state-dir") < 0) {
        state->warning = NULL; /* asprintf leaves it undefined */
        return EM_E_NOMEM;
    }
    boot_read(state);
    return em_state_folder(state, "locks", false, &state->locks, c->err);
}

em_status em_state_open(const em_sys *sys, const em_state_options *options, em_state *state,
                        em_error *err)
{
    EM_AUTO(em_arena) arena = {0};
    em_error why = EM_ERROR_INIT;
    candidate c = {.sys = sys, .options = options, .err = err};
    em_state_init(state);
    state->sys = sys;
    em_status status = candidates_open(&c, &arena, &state->dir, &why);
    if (status == EM_OK)
        status = state_fill(state, &c, &why);
    if (status != EM_OK)
        em_state_close(state);
    return status;
}
