/* versions.c: from a hash to the bytes.
 *
 * Versions and changes are a graph: each change of the file leads from the hash of its old content
 * to that of the new, and back. What is sought is the nearest way from a version whose bytes are at
 * hand to the one that is wanted. Every step is checked by its hash, so a damaged change, or a
 * content that is not what it should be, leads nowhere instead of to something wrong.
 */
#include "past/versions.h"

#include "history/inverse.h"
#include "past/past.h"
#include "workspace/content_store.h"

enum {
    ROWS_MOST = 2000, /* of the file, newest first */
    SPARE_MOST = 32,  /* changes after which a content is kept again, for the way not to be long */
};

enum { KEPT_VERSIONS = sizeof((em_kept_versions *)NULL)->items / sizeof(struct em_kept_version) };

typedef struct search {
    em_workspace *ws;
    const em_file *file;
    em_arena *arena;
    em_error *err;
    em_rows rows;
    bool *used; /* of each row: the search has been there */
} search;

/* A version on the way: `row` leads to it from the one after it. */
typedef struct stop {
    em_hash hash;
    const em_row *row; /* between this one and `next`; NULL of the one that is wanted */
    size_t next;       /* index of the stop that is nearer to what is wanted */
} stop;

/* ---- One step ------------------------------------------------------------------------------ */

/* From one side of a change to the other, which must then have the hash `to`. EM_E_NOT_FOUND where
 * there is no way. */
static em_status step(const search *s, const em_row *row, em_hash to, em_arena *arena,
                      em_slice *bytes)
{
    em_inverse change;
    em_splices splices;
    bool forth = em_hash_eq(row->new_hash, to);
    em_status status = em_past_change(s->ws, row, arena, &change, s->err);
    if (status == EM_E_INVALID || (status == EM_OK && change.count == 0))
        return EM_E_NOT_FOUND;
    EM_TRY(status);
    if (forth)
        EM_TRY(em_inverse_forth(&change, arena, &splices));
    else
        EM_TRY(em_inverse_back(&change, arena, &splices));
    em_content content = {.old = *bytes, .splices = splices};
    if (!em_content_valid(&content))
        return EM_E_NOT_FOUND;
    EM_TRY(em_content_join(&content, arena, bytes));
    return em_hash_eq(em_hash_of(*bytes), to) ? EM_OK : EM_E_NOT_FOUND;
}

/* ---- The way ------------------------------------------------------------------------------- */

/* A version whose bytes are at hand? */
static em_status is_at_hand(const search *s, em_hash hash, em_slice *bytes, bool *is)
{
    *is = s->file->exists && !s->file->is_large && em_hash_eq(hash, s->file->hash);
    if (!*is)
        return em_content_store_find(s->ws, hash, s->arena, bytes, is);
    *bytes = s->file->bytes;
    return EM_OK;
}

static em_status rows_load(search *s)
{
    em_past_filter filter = {.path = s->file->path, .limit = ROWS_MOST};
    EM_TRY(em_past_list(s->ws, &filter, s->arena, &s->rows, s->err));
    s->used = em_alloc_array(s->arena, s->rows.count, sizeof *s->used);
    return s->used ? EM_OK : EM_E_NOMEM;
}

/* From a version at hand along the stops to the one that is wanted. Only two versions are held at a
 * time: the way may be long. */
static em_status walk(const search *s, const stop *stops, size_t at, em_slice *bytes)
{
    EM_AUTO(em_arena) one = {0}, other = {0};
    em_arena *arena = &one, *spare = &other;
    if (!stops[at].row)
        return EM_OK;
    while (stops[at].row) {
        const em_row *row = stops[at].row;
        em_arena *next = spare;
        at = stops[at].next;
        EM_TRY(step(s, row, stops[at].hash, arena, bytes));
        em_arena_drop(next);
        spare = arena;
        arena = next;
    }
    return em_arena_keep(s->arena, bytes);
}

/* The version on the other side of a change; false where the change is not one of this version. */
static bool other_side(const em_row *row, em_hash hash, em_hash *other)
{
    if (em_hash_eq(row->new_hash, hash))
        *other = row->old_hash;
    else if (em_hash_eq(row->old_hash, hash))
        *other = row->new_hash;
    else
        return false;
    return row->kind == EM_ROW_EDIT || row->kind == EM_ROW_IN_PLACE;
}

/* Breadth first from what is wanted, until something is at hand. */
static em_status find(search *s, em_hash wanted, em_slice *bytes)
{
    stop *stops = em_alloc_array(s->arena, s->rows.count + 1, sizeof *stops);
    size_t count = 1;
    if (!stops)
        return EM_E_NOMEM;
    stops[0].hash = wanted;
    for (size_t at = 0; at < count; at++) {
        bool is;
        EM_TRY(is_at_hand(s, stops[at].hash, bytes, &is));
        em_status status = is ? walk(s, stops, at, bytes) : EM_E_NOT_FOUND;
        if (status != EM_E_NOT_FOUND)
            return status;
        for (size_t i = 0; i < s->rows.count; i++) {
            stop next = {.row = &s->rows.items[i], .next = at};
            if (s->used[i] || !other_side(next.row, stops[at].hash, &next.hash))
                continue;
            s->used[i] = true;
            stops[count++] = next;
        }
    }
    return EM_E_NOT_FOUND;
}

em_status em_version_find(em_workspace *ws, const em_file *file, em_hash hash, em_arena *arena,
                          em_slice *bytes, em_error *err)
{
    EM_AUTO(em_arena) own = {0}; /* of the search: the caller may ask for very many */
    search s = {.ws = ws, .file = file, .arena = arena, .err = err};
    bool is;
    EM_TRY(is_at_hand(&s, hash, bytes, &is));
    if (is)
        return EM_OK;
    s.arena = &own;
    EM_TRY(rows_load(&s));
    em_status status = find(&s, hash, bytes);
    if (status == EM_E_NOT_FOUND)
        return em_fail(err, status, "the version with the hash %s is not kept", hash.hex);
    return status == EM_OK ? em_arena_keep(arena, bytes) : status;
}

/* ---- What is kept -------------------------------------------------------------------------- */

static struct em_kept_version *kept_of(em_kept_versions *kept, em_hash hash)
{
    for (size_t i = 0; i < KEPT_VERSIONS; i++) {
        if (em_hash_eq(kept->items[i].hash, hash))
            return &kept->items[i];
    }
    return NULL;
}

/* `version` is one of them; NULL: a new one. */
static void kept_set(em_kept_versions *kept, struct em_kept_version *version, em_hash hash,
                     unsigned changes)
{
    if (!version)
        version = &kept->items[kept->next++ % KEPT_VERSIONS];
    *version = (struct em_kept_version){hash, changes};
}

em_status em_version_was_read(em_workspace *ws, em_kept_versions *kept, const em_file *file)
{
    em_content content = {.old = file->bytes};
    if (file->is_large || kept_of(kept, file->hash))
        return EM_OK;
    EM_TRY(em_content_store_keep(ws, file->hash, &content));
    kept_set(kept, NULL, file->hash, 0);
    return EM_OK;
}

/* Do the changes that the history records lead there? Not where they are very long. */
static bool is_recorded(em_splices splices)
{
    size_t sum = 0;
    for (size_t i = 0; i < splices.count; i++)
        sum += splices.items[i].insert.len;
    return sum <= EM_NEW_MOST;
}

void em_version_was_made(em_workspace *ws, em_kept_versions *kept, const em_file *file,
                         em_splices splices, em_hash hash)
{
    em_content content = {.old = file->bytes, .splices = splices};
    struct em_kept_version *version = file->exists ? kept_of(kept, file->hash) : NULL;
    unsigned changes = version ? version->changes + 1 : SPARE_MOST;
    if (file->is_large)
        return;
    if (changes < SPARE_MOST && is_recorded(splices)) {
        kept_set(kept, version, hash, changes);
        return;
    }
    em_content_store_keep(ws, hash, &content);
    kept_set(kept, version, hash, 0);
}
