/* root_missing.c: the walk where nothing is.
 *
 * It stays in the last folder that is there, and goes on by names alone: no link and no file can be
 * on the way that is not there. That is so where something would be after what was only planned
 * (roots.foreseen), and where folders and a file may be made.
 */
#include "paths/root_impl.h"

#include <errno.h>
#include <limits.h>

/* ---- Folders that are not there ------------------------------------------------------------ */

/* Go on in a folder that is not there. */
static em_status enter_missing(em_root_walk *w, em_slice name)
{
    const char *folder = em_arena_string(w->arena, name);
    if (!folder || em_arena_grow(w->arena, (void **)&w->missing, w->missing_count, &w->missing_room,
                                 sizeof *w->missing) != EM_OK)
        return EM_E_NOMEM;
    w->missing[w->missing_count++] = folder;
    return em_root_walk_push(w, name) ? EM_OK : em_root_walk_fail(w, -ENAMETOOLONG, "open");
}

/* The way ends at a name that nothing has. */
static em_status end_at_missing(em_root_walk *w, em_slice name)
{
    w->place->missing = w->missing;
    w->place->missing_count = w->missing_count;
    w->place->name = em_arena_string(w->arena, name);
    return w->place->name ? EM_OK : EM_E_NOMEM;
}

/* Nothing is entered, to be left again, that is not there. */
static em_status fail_up(em_root_walk *w, em_slice name)
{
    const char *folder = em_root_walk_way_to(w, name);
    if (!folder)
        return EM_E_NOMEM;
    em_status status = em_fail(w->err, EM_E_NOT_FOUND, "%s is a folder that is not there", folder);
    return em_root_walk_failed_by(w, status, ENOENT);
}

/* The way goes on where nothing is: note the folders to be made, and the name at the end. */
static em_status walk_missing(em_root_walk *w, em_slice name)
{
    w->place->foreseen_count = w->missing_count;
    for (;;) {
        bool more = w->rest.len > 0;
        em_slice next = em_path_next(&w->rest);
        if (next.len == 0 && more) /* "new/": a file is wanted, and this names a folder */
            return em_root_walk_fail(w, -EISDIR, "open");
        if (next.len == 0)
            return end_at_missing(w, name);
        if (em_slice_is(next, ".."))
            return fail_up(w, name);
        if (next.len > NAME_MAX)
            return em_root_walk_fail(w, -ENAMETOOLONG, "open");
        EM_TRY(enter_missing(w, name));
        name = next;
    }
}

em_status em_root_walk_end_at_missing(em_root_walk *w)
{
    em_slice name = em_slice_of(w->missing[--w->missing_count]);
    em_root_walk_pop(w);
    w->place->foreseen_count = w->missing_count;
    return end_at_missing(w, name);
}

/* ---- What is foreseen ---------------------------------------------------------------------- */

typedef enum foresight { AS_NOTHING, AS_FILE, AS_FOLDER } foresight;

/* Is something foreseen under this name where the walk stands? */
static em_status look_ahead(const em_root_walk *w, em_slice name, foresight *seen)
{
    *seen = AS_NOTHING;
    if (w->foreseen.count == 0)
        return EM_OK;
    const char *rel = em_root_walk_way_to(w, name),
               *path = rel ? em_root_join(w->root, rel, w->arena) : NULL;
    if (!path)
        return EM_E_NOMEM;
    size_t length = strlen(path);
    for (size_t i = 0; i < w->foreseen.count && *seen == AS_NOTHING; i++) {
        const char *other = w->foreseen.paths[i];
        if (strncmp(other, path, length) == 0 && (other[length] == '\0' || other[length] == '/'))
            *seen = other[length] == '/' ? AS_FOLDER : AS_FILE;
    }
    return EM_OK;
}

/* Nothing is there; `seen` says what would be. */
static em_status walk_foreseen(em_root_walk *w, em_slice name, foresight seen)
{
    if (seen == AS_FOLDER)
        return enter_missing(w, name);
    w->place->foreseen_count = w->missing_count;
    return w->rest.len > 0 ? em_root_walk_blocked(w, name) : end_at_missing(w, name);
}

/* ---- Nothing there ------------------------------------------------------------------------- */

/* What a link names is not there, and no file is made by way of one. */
static em_status walk_dangling(em_root_walk *w)
{
    em_status status = em_fail(w->err, EM_E_NOT_FOUND, "%s is a link that leads nowhere", w->link);
    return em_root_walk_failed_by(w, status, ENOENT);
}

em_status em_root_walk_nowhere(em_root_walk *w, em_slice name, bool own)
{
    foresight seen;
    EM_TRY(look_ahead(w, name, &seen));
    if (seen != AS_NOTHING)
        return walk_foreseen(w, name, seen);
    if (!own)
        return walk_dangling(w);
    return w->may_be_missing ? walk_missing(w, name) : em_root_walk_fail(w, -ENOENT, "open");
}
