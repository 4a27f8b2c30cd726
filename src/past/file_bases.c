#include "past/file_bases.h"

#include "history/database.h"
#include "workspace/recorded.h"

#include <stdlib.h>

/* A call that was not named is "#" and the id of its only row. Beside MIN() SQLite gives the other
 * columns of the row that has it. */
static const char text[] =
    "SELECT undone.base, undone.role, MIN(commits.id) AS changed, token, root, path"
    " FROM undone JOIN commits ON commits.call = undone.base"
    " OR (commits.id = CAST(SUBSTR(undone.base, 2) AS INTEGER)"
    " AND commits.call IS NULL AND undone.base LIKE '#%')"
    " WHERE undone.call = ? GROUP BY undone.base, root, path ORDER BY undone.base, changed";

typedef struct base_list {
    em_file_base *items;
    size_t count, room;
} base_list;

/* The row that the statement is at. */
static em_status take(em_sql *sql, em_arena *arena, base_list *list)
{
    const em_file_base *last = list->count > 0 ? &list->items[list->count - 1] : NULL;
    em_file_base next = {0};
    em_row row = {0};
    char shown[64];
    EM_TRY(em_sql_text(sql, arena, &next.base.call));
    next.base.role = (em_role)em_sql_int(sql);
    next.changed = row.id = em_sql_int(sql);
    row.token = em_sql_bits(sql);
    EM_TRY(em_sql_text(sql, arena, &row.root));
    EM_TRY(em_sql_text(sql, arena, &row.path));
    em_row_show_id(&row, shown);
    next.path = em_row_path(&row, arena);
    next.id = last && strcmp(last->base.call, next.base.call) == 0
                  ? last->id
                  : em_arena_string(arena, em_slice_of(shown));
    if (!next.path || !next.id)
        return EM_E_NOMEM;
    EM_TRY(em_arena_grow(arena, (void **)&list->items, list->count, &list->room, sizeof next));
    list->items[list->count++] = next;
    return EM_OK;
}

static int by_path(const void *left, const void *right)
{
    const em_file_base *a = left, *b = right;
    int order = strcmp(a->path, b->path);
    return order != 0 ? order : (a->changed < b->changed) - (a->changed > b->changed);
}

em_status em_past_bases(em_workspace *ws, const char *call, em_arena *arena, em_file_bases *bases,
                        em_error *err)
{
    em_sql sql = {0};
    base_list list = {0};
    em_status taken = EM_OK;
    bool more;
    *bases = (em_file_bases){0};
    EM_TRY(em_sql_init(&sql, em_ws_history(ws), -1, text, err));
    em_sql_bind_text(&sql, call);
    do {
        EM_TRY(em_sql_next(&sql, taken, &more));
        if (more)
            taken = take(&sql, arena, &list);
    } while (more);
    if (list.count > 0)
        qsort(list.items, list.count, sizeof *list.items, by_path);
    *bases = (em_file_bases){.items = list.items, .count = list.count};
    return EM_OK;
}

em_file_bases em_file_bases_of(em_file_bases bases, const char *path)
{
    size_t first = 0, behind = bases.count;
    while (first < behind) {
        size_t middle = first + (behind - first) / 2;
        if (strcmp(bases.items[middle].path, path) < 0)
            first = middle + 1;
        else
            behind = middle;
    }
    while (behind < bases.count && strcmp(bases.items[behind].path, path) == 0)
        behind++;
    if (first == behind)
        return (em_file_bases){0};
    return (em_file_bases){.items = &bases.items[first], .count = behind - first};
}
