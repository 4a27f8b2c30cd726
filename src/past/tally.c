#include "past/tally.h"

#include "history/database.h"
#include "workspace/recorded.h"

/* ---- Which files count ---------------------------------------------------------------------- */

/* The file that rows are about which come one after the other. */
typedef struct subject {
    const em_workspace *ws;
    const char *root, *path;
    bool counts;
} subject;

/* The next row is about this file. */
static em_status turn_to(subject *s, const char *root, const char *path)
{
    EM_AUTO(em_arena) arena = {0};
    em_row row = {.root = root, .path = path};
    const char *absolute = em_row_path(&row, &arena);
    *s = (subject){.ws = s->ws, .root = root, .path = path};
    return absolute ? em_ws_may_tell(s->ws, absolute, &s->counts) : EM_E_NOMEM;
}

/* ---- Files ---------------------------------------------------------------------------------- */

static em_status read_tally(em_sql *sql, em_arena *arena, em_file_tally *tally)
{
    EM_TRY(em_sql_text(sql, arena, &tally->root));
    EM_TRY(em_sql_text(sql, arena, &tally->path));
    tally->changes = (uint64_t)em_sql_int(sql);
    tally->last_id = em_sql_int(sql);
    tally->last_ms = em_sql_int(sql);
    tally->last_kind = (em_row_kind)em_sql_int(sql);
    tally->size = em_sql_bits(sql);
    return EM_OK;
}

static em_status keep_tally(const em_file_tally *tally, size_t most, em_arena *arena, size_t *room,
                            em_file_tallies *tallies)
{
    tallies->files++;
    tallies->changes += tally->changes;
    if (tallies->count == most)
        return EM_OK;
    EM_TRY(em_arena_grow(arena, (void **)&tallies->items, tallies->count, room,
                         sizeof *tallies->items));
    em_file_tally *kept = &tallies->items[tallies->count++];
    *kept = *tally;
    kept->root = em_arena_string(arena, em_slice_of(tally->root));
    kept->path = em_arena_string(arena, em_slice_of(tally->path));
    return kept->root && kept->path ? EM_OK : EM_E_NOMEM;
}

/* The file of the row that the statement is at. */
static em_status take_tally(em_workspace *ws, em_sql *sql, size_t most, em_arena *arena,
                            size_t *room, em_file_tallies *tallies)
{
    EM_AUTO(em_arena) own = {0};
    em_file_tally tally = {0};
    subject about = {.ws = ws};
    EM_TRY(read_tally(sql, &own, &tally));
    EM_TRY(turn_to(&about, tally.root, tally.path));
    return about.counts ? keep_tally(&tally, most, arena, room, tallies) : EM_OK;
}

em_status em_past_tally_files(em_workspace *ws, size_t most, em_arena *arena,
                              em_file_tallies *tallies, em_error *err)
{
    em_sql sql = {0};
    em_status taken = EM_OK;
    size_t room = 0;
    bool more;
    *tallies = (em_file_tallies){0};
    EM_TRY(em_ws_open_history(ws, err));
    if (!em_ws_history(ws))
        return EM_OK;
    /* Beside the one MAX() SQLite gives the other columns of the row that has it. */
    EM_TRY(em_sql_init(&sql, em_ws_history(ws), -1,
                       "SELECT root, path, COUNT(*), MAX(id) AS last, time, kind, new_size"
                       " FROM commits WHERE forget = 0 AND state > 0"
                       " GROUP BY root, path ORDER BY last DESC",
                       err));
    do {
        EM_TRY(em_sql_next(&sql, taken, &more));
        if (more)
            taken = take_tally(ws, &sql, most, arena, &room, tallies);
    } while (more);
    return EM_OK;
}

/* ---- Time ----------------------------------------------------------------------------------- */

static bool is_same(const subject *s, const char *root, const char *path)
{
    return s->root && strcmp(s->root, root) == 0 && strcmp(s->path, path) == 0;
}

/* The row that the statement is at: a file, a span, and how many. */
static em_status take_span(em_sql *sql, em_arena *arena, subject *about, uint64_t *spans,
                           size_t count)
{
    const char *root, *path;
    EM_TRY(em_sql_text(sql, arena, &root));
    EM_TRY(em_sql_text(sql, arena, &path));
    if (!is_same(about, root, path))
        EM_TRY(turn_to(about, root, path));
    int64_t span = em_sql_int(sql);
    if (about->counts && span >= 0 && (uint64_t)span < count)
        spans[span] += (uint64_t)em_sql_int(sql);
    return EM_OK;
}

em_status em_past_tally_time(em_workspace *ws, int64_t since_ms, int64_t span_ms, uint64_t *spans,
                             size_t count, em_error *err)
{
    EM_AUTO(em_arena) arena = {0};
    em_sql sql = {0};
    subject about = {.ws = ws};
    em_status taken = EM_OK;
    bool more;
    EM_TRY(em_ws_open_history(ws, err));
    if (!em_ws_history(ws))
        return EM_OK;
    EM_TRY(em_sql_init(&sql, em_ws_history(ws), -1,
                       "SELECT root, path, (time - ?1) / ?2 AS span, COUNT(*) FROM commits"
                       " WHERE forget = 0 AND state > 0 AND time >= ?1 GROUP BY root, path, span",
                       err));
    em_sql_bind_int(&sql, since_ms);
    em_sql_bind_int(&sql, span_ms);
    do {
        EM_TRY(em_sql_next(&sql, taken, &more));
        if (more)
            taken = take_span(&sql, &arena, &about, spans, count);
    } while (more);
    return EM_OK;
}
