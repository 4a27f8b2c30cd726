#include "workspace/made_folders.h"

#include "history/database.h"
#include "system/names.h"
#include "workspace/reach.h"
#include "workspace/ws.h"

#include <stdlib.h>

/* Is some change of the same file not finished? Then recovery must be able to reach its folder. */
static bool is_pending(const em_workspace *ws, const em_row *row, em_arena *arena)
{
    em_rows rows;
    if (em_history_open_rows(ws->history, EM_ROW_PENDING, NULL, arena, &rows, NULL) != EM_OK)
        return true;
    for (size_t i = 0; i < rows.count; i++) {
        if (strcmp(rows.items[i].path, row->path) == 0 &&
            strcmp(rows.items[i].root, row->root) == 0)
            return true;
    }
    return false;
}

const char *em_made_folder(const em_row *row, em_arena *arena)
{
    const char *path = em_row_path(row, arena), *name = path ? strrchr(path, '/') : NULL;
    size_t folders = strlen(row->folders), outermost = strcspn(row->folders, "/");
    if (!name || (size_t)(name - path) < folders)
        return path;
    return em_arena_string(arena, em_slice_make(path, (size_t)(name - path) - folders + outermost));
}

void em_made_folders_remove(em_workspace *ws, const em_row *row)
{
    EM_AUTO(em_arena) arena = {0};
    em_reach reach = {.dir = -1};
    if (!row->folders || !em_row_is_sane(row) || is_pending(ws, row, &arena) ||
        em_reach_name(row, &arena, &reach) != EM_OK)
        return;
    if (em_reach_open(ws, row, false, &arena, &reach, NULL) == EM_OK && reach.dir >= 0)
        em_folders_remove(ws->sys, reach.dir, row->folders, 0, reach.path, NULL);
    em_reach_close(ws, &reach);
}

/* Who made files with folders: what the call of the removals undoes, and who undid or redid that. A
 * folder was made after the one that it is in, so it comes before that. */
static const char makers[] =
    "WITH calls(name) AS (SELECT base FROM undone WHERE call = ?1 UNION"
    " SELECT call FROM undone WHERE base IN (SELECT base FROM undone WHERE call = ?1))"
    " SELECT id, " EM_ROW_COLUMNS " FROM commits WHERE folders IS NOT NULL AND state > 0"
    " AND (call IN (SELECT name FROM calls) OR id IN"
    " (SELECT CAST(SUBSTR(name, 2) AS INTEGER) FROM calls WHERE name LIKE '#%'))"
    " ORDER BY id DESC";

static int by_text(const void *left, const void *right)
{
    return strcmp(*(const char *const *)left, *(const char *const *)right);
}

/* The absolute paths of the files that the rows removed, sorted; none where memory ran out. */
static size_t removed_paths(em_rows rows, em_arena *arena, const char ***paths)
{
    size_t count = 0;
    *paths = em_alloc_array(arena, rows.count, sizeof **paths);
    for (size_t i = 0; i < rows.count && *paths; i++) {
        if (rows.items[i].kind != EM_ROW_REMOVE)
            continue;
        (*paths)[count] = em_row_path(&rows.items[i], arena);
        if (!(*paths)[count++])
            return 0;
    }
    if (count > 0)
        qsort(*paths, count, sizeof **paths, by_text);
    return count;
}

bool em_made_folders_remove_undone(em_workspace *ws, em_rows rows)
{
    EM_AUTO(em_arena) arena = {0};
    em_rows made = {0};
    bool any = false;
    const char **paths;
    const em_origin *origin = rows.count > 0 ? &rows.items[0].origin : NULL;
    if (!ws->history || !origin || !origin->call || origin->role == EM_ROLE_EDIT)
        return false;
    size_t count = removed_paths(rows, &arena, &paths);
    if (count == 0 ||
        em_rows_by_text(ws->history, makers, origin->call, &arena, &made, NULL) != EM_OK)
        return false;
    for (size_t i = 0; i < made.count; i++) {
        const char *path = em_row_path(&made.items[i], &arena);
        if (!path || made.items[i].kind != EM_ROW_CREATE ||
            !bsearch(&path, paths, count, sizeof *paths, by_text))
            continue;
        em_made_folders_remove(ws, &made.items[i]);
        any = true;
    }
    return any;
}
