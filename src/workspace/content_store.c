/* content_store.c: contents kept under their hash.
 *
 * em_content_store_keep and em_content_store_find are for the caller; em_content_store_forget takes
 * away what is old, or too much, the oldest first.
 */
#include "workspace/content_store.h"

#include "base/clock.h"
#include "system/sys_io.h"
#include "workspace/content_write.h"
#include "workspace/recorded.h"
#include "workspace/ws.h"

#include <stdio.h>
#include <stdlib.h>

enum { HASH_SIZE = sizeof(em_hash) - 1, BLOCK = 4096 };

/* What was kept is taken for new again after this. */
#define RENEWED_AFTER_MS (24LL * 3600 * 1000)

static const char folder_name[] = "contents";

/* The folder; *dir is -1 where there is none, or none can be had. EM_E_NOMEM only. */
static em_status folder_open(em_workspace *ws, bool make, int *dir)
{
    *dir = -1;
    em_status status = em_ws_state(ws, make, NULL);
    if (status != EM_OK)
        return status == EM_E_NOMEM ? status : EM_OK;
    if (make)
        em_state_folder(&ws->state, folder_name, false, dir, NULL);
    else
        *dir = EM_SYS_RETRY(ws->sys, open, ws->state.dir, folder_name,
                            O_PATH | O_DIRECTORY | O_NOFOLLOW, 0, 0);
    return EM_OK;
}

/* ---- Keeping ------------------------------------------------------------------------------- */

/* Is it there, whole as far as its size tells, and not for long? */
static bool is_kept(const em_workspace *ws, int dir, const char *name, size_t size)
{
    em_stat stat;
    struct timespec now;
    if (EM_SYS_RETRY(ws->sys, stat, dir, name, AT_SYMLINK_NOFOLLOW, &stat) < 0 ||
        EM_SYS(ws->sys, clock, CLOCK_REALTIME, &now) < 0)
        return false;
    return stat.size == size && em_ms_of(now) - em_ms_of(stat.mtime) < RENEWED_AFTER_MS;
}

static void write_content(const em_workspace *ws, int dir, const char *name,
                          const em_content *content)
{
    int flags = O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_NONBLOCK;
    int fd = EM_SYS_RETRY(ws->sys, open, dir, name, flags, 0600, 0);
    if (fd < 0)
        return;
    em_status status = em_content_write_at(content, (em_io_file){ws->sys, fd, name}, 0, NULL);
    EM_SYS(ws->sys, close, fd);
    if (status != EM_OK)
        EM_SYS_RETRY(ws->sys, unlink, dir, name, 0);
}

em_status em_content_store_keep(em_workspace *ws, em_hash hash, const em_content *content)
{
    size_t size = em_content_size(content);
    int dir;
    if (ws->options.no_history || ws->options.read_only || size > EM_STORED_CONTENT_MOST)
        return EM_OK;
    EM_TRY(folder_open(ws, true, &dir));
    if (dir < 0)
        return EM_OK;
    if (!is_kept(ws, dir, hash.hex, size)) {
        write_content(ws, dir, hash.hex, content);
        ws->tidy_due = ws->tidy_due || strncmp(hash.hex, "00", 2) == 0; /* one in 256 */
    }
    EM_SYS(ws->sys, close, dir);
    return EM_OK;
}

/* ---- Finding ------------------------------------------------------------------------------- */

/* All of an open file; *found: it is one of ours. */
static em_status read_content(const em_workspace *ws, int fd, em_hash hash, em_arena *arena,
                              em_slice *bytes, bool *found)
{
    em_stat stat;
    if (EM_SYS_RETRY(ws->sys, stat, fd, "", AT_EMPTY_PATH, &stat) < 0 || !S_ISREG(stat.mode) ||
        stat.size > EM_STORED_CONTENT_MOST)
        return EM_OK;
    char *room = em_alloc_raw(arena, (size_t)stat.size);
    if (!room)
        return EM_E_NOMEM;
    *bytes = em_slice_make(room, (size_t)stat.size);
    *found = em_io_read_all((em_io_file){ws->sys, fd, hash.hex}, room, bytes->len, NULL) == EM_OK &&
             em_hash_eq(em_hash_of(*bytes), hash);
    return EM_OK;
}

em_status em_content_store_find(em_workspace *ws, em_hash hash, em_arena *arena, em_slice *bytes,
                                bool *found)
{
    int dir;
    *found = false;
    if (strlen(hash.hex) != HASH_SIZE || strchr(hash.hex, '/'))
        return EM_OK;
    EM_TRY(folder_open(ws, false, &dir));
    if (dir < 0)
        return EM_OK;
    int fd = EM_SYS_RETRY(ws->sys, open, dir, hash.hex, O_RDONLY | O_NOFOLLOW | O_NONBLOCK, 0, 0);
    EM_SYS(ws->sys, close, dir);
    if (fd < 0)
        return EM_OK;
    em_status status = read_content(ws, fd, hash, arena, bytes, found);
    EM_SYS(ws->sys, close, fd);
    return status;
}

/* ---- Forgetting ---------------------------------------------------------------------------- */

typedef struct kept {
    em_hash name;
    int64_t time_ms;
    uint64_t size;
} kept;

typedef struct listing {
    em_workspace *ws;
    int dir;
    em_arena *arena;
    kept *items;
    size_t count, room;
    em_status status;
} listing;

static em_status list_add(listing *list, const char *name)
{
    em_stat stat;
    if (strlen(name) != HASH_SIZE ||
        EM_SYS_RETRY(list->ws->sys, stat, list->dir, name, AT_SYMLINK_NOFOLLOW, &stat) < 0)
        return EM_OK;
    EM_TRY(em_arena_grow(list->arena, (void **)&list->items, list->count, &list->room,
                         sizeof *list->items));
    kept *item = &list->items[list->count++];
    *item = (kept){.time_ms = em_ms_of(stat.mtime), .size = stat.size};
    memcpy(item->name.hex, name, sizeof item->name.hex);
    return EM_OK;
}

static bool see(void *context, const char *name, unsigned char type)
{
    listing *list = context;
    (void)type;
    list->status = list_add(list, name);
    return list->status == EM_OK;
}

static em_status list_all(listing *list, em_error *err)
{
    int fd = EM_SYS_RETRY(list->ws->sys, open, list->dir, ".", O_RDONLY | O_DIRECTORY, 0, 0);
    int result = fd < 0 ? fd : em_io_list(list->ws->sys, fd, see, list);
    if (fd >= 0)
        EM_SYS(list->ws->sys, close, fd);
    return result < 0 ? em_state_fail(err, result, "list", folder_name) : list->status;
}

/* What a content of `size` bytes takes on a disk: else a great many small ones would be nothing. */
static uint64_t room_of(uint64_t size)
{
    return (size + BLOCK - 1) / BLOCK * BLOCK;
}

static int newest_first(const void *a, const void *b)
{
    const kept *one = a, *other = b;
    return (one->time_ms < other->time_ms) - (one->time_ms > other->time_ms);
}

em_status em_content_store_forget(em_workspace *ws, int64_t age_ms, uint64_t most,
                                  em_forgotten *forgotten, em_error *err)
{
    EM_AUTO(em_arena) arena = {0};
    int64_t now = 0;
    uint64_t sum = 0;
    listing list = {.ws = ws, .arena = &arena};
    EM_TRY(folder_open(ws, false, &list.dir));
    if (list.dir < 0)
        return EM_OK;
    em_status status = em_ws_now(ws, &now, err);
    if (status == EM_OK)
        status = list_all(&list, err);
    if (list.count > 0)
        qsort(list.items, list.count, sizeof *list.items, newest_first);
    for (size_t i = 0; i < list.count && status == EM_OK; i++) {
        const kept *item = &list.items[i];
        bool too_old = age_ms > 0 && item->time_ms < now - age_ms;
        sum += room_of(item->size);
        if (!too_old && (most == 0 || sum <= most))
            continue;
        if (EM_SYS_RETRY(ws->sys, unlink, list.dir, item->name.hex, 0) == 0)
            forgotten->bytes += item->size;
    }
    EM_SYS(ws->sys, close, list.dir);
    return status;
}

bool em_content_store_gives_way(em_workspace *ws, const em_error *why)
{
    em_forgotten gone = {0};
    if (why->sys != ENOSPC && why->sys != EDQUOT)
        return false;
    em_content_store_forget(ws, 0, 1, &gone, NULL);
    return gone.bytes > 0;
}
