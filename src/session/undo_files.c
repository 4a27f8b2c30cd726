/* undo_files.c: the files of what is undone, which are opened together.
 *
 * All rows of a file make one site, the oldest first. A file whose rows change nothing is opened,
 * too: what comes to no change is recorded with it.
 */
#include "session/undo_call.h"

#include <stdlib.h>

/* ---- Which they are -------------------------------------------------------------------------- */

/* A row and its file. */
typedef struct placed_row {
    const em_row *row;
    const char *path;
} placed_row;

static int by_path(const void *left, const void *right)
{
    const placed_row *a = left, *b = right;
    int order = strcmp(a->path, b->path);
    return order != 0 ? order : (a->row > b->row) - (a->row < b->row);
}

static int by_first_row(const void *left, const void *right)
{
    const em_undo_site *a = left, *b = right;
    return (a->first > b->first) - (a->first < b->first);
}

/* All rows of the target, those of a file together, oldest first. */
static em_status place_rows(const em_undo_call *u, placed_row **placed)
{
    em_rows rows = u->target.rows;
    *placed = em_alloc_array(u->arena, rows.count, sizeof **placed);
    if (!*placed)
        return EM_E_NOMEM;
    for (size_t i = 0; i < rows.count; i++) {
        (*placed)[i] = (placed_row){&rows.items[i], em_row_path(&rows.items[i], u->arena)};
        if (!(*placed)[i].path)
            return EM_E_NOMEM;
    }
    qsort(*placed, rows.count, sizeof **placed, by_path);
    return EM_OK;
}

/* The sites, in the order of their first rows. */
static em_status group_rows(em_undo_call *u)
{
    placed_row *placed;
    size_t count = u->target.rows.count;
    const em_row **rows = em_alloc_array(u->arena, count, sizeof *rows);
    if (!rows)
        return EM_E_NOMEM;
    EM_TRY(place_rows(u, &placed));
    for (size_t i = 0; i < count; i++) {
        const em_row *row = placed[i].row;
        if (i == 0 || strcmp(placed[i].path, placed[i - 1].path) != 0)
            u->sites[u->count++] = (em_undo_site){
                .path = placed[i].path, .rel = row->path, .first = row, .rows = &rows[i]};
        em_undo_site *s = &u->sites[u->count - 1];
        if (!em_row_changes_nothing(row))
            s->rows[s->row_count++] = row;
    }
    if (u->count > 0)
        qsort(u->sites, u->count, sizeof *u->sites, by_first_row);
    return EM_OK;
}

em_status em_undo_find_sites(em_undo_call *u)
{
    size_t most = u->target.rows.count;
    u->sites = em_alloc_array(u->arena, most, sizeof *u->sites);
    if (!u->sites)
        return EM_E_NOMEM;
    EM_TRY(group_rows(u));
    u->wanted = em_alloc_array(u->arena, u->count, sizeof *u->wanted);
    u->parts = em_alloc_array(u->arena, u->count, sizeof *u->parts);
    u->site_of = em_alloc_array(u->arena, u->count, sizeof *u->site_of);
    u->outcome->files = em_alloc_array(u->arena, u->count, sizeof *u->outcome->files);
    bool failed = !u->wanted || !u->parts || !u->site_of || !u->outcome->files;
    return failed ? EM_E_NOMEM : EM_OK;
}

/* ---- Opening them --------------------------------------------------------------------------- */

static em_status fail_open(em_undo_call *u, const em_undo_site *s, const em_wanted *w)
{
    switch (w->status) {
    case EM_E_IS_FOLDER:
        return em_undo_fail_replaced(u, s, "is a folder now", "");
    case EM_E_NOT_REGULAR:
        return em_undo_fail_replaced(u, s, "is no regular file any more", "");
    case EM_E_NOT_FOUND: /* it may be missing, so it is its path that leads nowhere */
        return em_undo_fail_replaced(u, s, "cannot be reached any more: ", w->error.detail);
    default:
        return em_undo_fail_as(u, w->status, &w->error, s->rel);
    }
}

/* Was it made, and removed again? Then it is as it was before. */
static bool came_to_nothing(const em_undo_site *s)
{
    return s->row_count > 0 && s->rows[0]->kind == EM_ROW_CREATE &&
           s->rows[s->row_count - 1]->kind == EM_ROW_REMOVE;
}

/* Where no file can be any more, since a folder has the name, or a file that of the folder, there
 * is nothing to do if it came to nothing there. False: that is so nowhere. */
static bool leave_out_nothing(em_undo_call *u)
{
    size_t kept = 0, count = u->count;
    for (size_t i = 0; i < count; i++) {
        em_status status = u->wanted[i].status;
        bool is_no_file = status == EM_E_IS_FOLDER || status == EM_E_NOT_FOUND;
        if (!is_no_file || !came_to_nothing(&u->sites[i]))
            u->sites[kept++] = u->sites[i];
    }
    u->count = kept;
    return kept < count;
}

static em_status open_wanted(em_undo_call *u)
{
    em_intent intent = em_undo_is_dry(u) ? EM_TO_PREVIEW : EM_TO_CHANGE;
    for (size_t i = 0; i < u->count; i++)
        u->wanted[i] =
            (em_wanted){.path = u->sites[i].path, .flags = EM_MAY_BE_MISSING | EM_MAY_BE_LARGE};
    return em_ws_open_files(u->ws, u->wanted, u->count, intent);
}

em_status em_undo_open_files(em_undo_call *u)
{
    em_status status;
    do
        status = open_wanted(u);
    while (status != EM_OK && leave_out_nothing(u));
    for (size_t i = 0; i < u->count && status != EM_OK; i++) {
        if (u->wanted[i].status == status)
            return fail_open(u, &u->sites[i], &u->wanted[i]);
    }
    return status;
}
