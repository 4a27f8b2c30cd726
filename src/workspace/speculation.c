/* speculation.c: what is foreseen is written, and taken or dropped.
 *
 * A reader feeds it (em_speculation_keep, _replace) while it passes over the old file; commit.c
 * asks em_speculation_take whether it came true.
 */
#include "workspace/speculation.h"

#include "base/beside.h"
#include "system/hash.h"
#include "system/sys_io.h"
#include "workspace/content_write.h"
#include "workspace/large.h"
#include "workspace/stage.h"
#include "workspace/transfer.h"
#include "workspace/ws.h"

#define MOST (UINT64_C(2) << 30) /* bytes: a text that is nowhere has written them for nothing */

enum {
    EDGE = 256 << 10,  /* bytes */
    PORTION = 8 << 20, /* so much is there before the disk is told to begin with it */
    WORTH_HANDING = 64 << 10,
};

struct em_speculation {
    const em_sys *sys;
    const char *path;
    int fd;        /* -1: it was given up, or taken */
    uint64_t size; /* that it is to have: blocks for so much were set aside */
    bool to_be_synced, replaced;
    em_hasher hasher;
    size_t from;       /* bytes of the old content that have gone into it */
    off_t to;          /* bytes that it has */
    off_t told;        /* up to here the disk has been told to begin */
    em_worker *writer; /* of the last piece; NULL: there is none */
    em_slice piece;    /* the last one that was put, */
    off_t piece_at;    /* and where it goes: the writer's until the wait, with what is next, */
    bool has_failed;   /* with `hasher` and `told` */
    em_splice splice;  /* where `replaced`, */
    em_slice old;      /* and what it replaces */
};

/* ---- Its life ------------------------------------------------------------------------------- */

void em_speculation_end(em_speculation *s)
{
    em_worker_end(s->writer);
    s->writer = NULL;
    if (s->fd >= 0)
        EM_SYS(s->sys, close, s->fd);
    s->fd = -1;
}

void em_speculation_drop(em_file_state *state)
{
    em_speculation *s = state->speculation;
    if (!s)
        return;
    em_speculation_end(s);
    em_hasher_drop(&s->hasher);
    state->speculation = NULL;
}

static bool pays(const em_workspace *ws, const em_file *file)
{
    const em_file_state *state = file->state;
    return file->is_large && file->size >= em_ws_large_limits(ws).speculated &&
           file->size <= MOST && state->intent == EM_TO_CHANGE && state->refusal.code == EM_OK &&
           !state->in_place && !state->is_one_of_many;
}

static em_io_file new_file(const em_speculation *s)
{
    return (em_io_file){s->sys, s->fd, s->path};
}

/* Where blocks can be shared, or may be, a copy would only be in the way. */
static bool open_new(em_speculation *s, const em_file_state *state, uint64_t size)
{
    return em_stage_unnamed(s->sys, state->place.dir, 0600, s->path, &s->fd, NULL) == EM_OK &&
           s->fd >= 0 && em_transfer_way_on(s->sys, s->fd) == EM_TRANSFER_COPIED &&
           em_content_reserve(new_file(s), size, NULL) == EM_OK;
}

em_speculation *em_speculation_begin(em_workspace *ws, em_file *file, uint64_t size)
{
    em_file_state *state = file->state;
    if (!pays(ws, file))
        return NULL;
    em_speculation *s = em_alloc(&state->arena, sizeof *s);
    if (!s || em_hasher_start(&s->hasher) != EM_OK)
        return NULL;
    *s = (em_speculation){.sys = ws->sys,
                          .path = file->path,
                          .hasher = s->hasher,
                          .size = size,
                          .to_be_synced = ws->options.sync != EM_SYNC_OFF};
    state->speculation = s;
    if (open_new(s, state, size)) {
        s->writer = em_worker_start();
        return s;
    }
    em_speculation_drop(state);
    return NULL;
}

/* ---- Writing -------------------------------------------------------------------------------- */

size_t em_speculation_at(const em_speculation *s)
{
    return s->from;
}

size_t em_speculation_to_edge(const em_speculation *s)
{
    return s->fd < 0 ? EDGE : EDGE - (size_t)s->to % EDGE; /* given up: no edge matters */
}

/* An em_work of a speculation: its piece is written. */
static void write_piece(void *context)
{
    em_speculation *s = context;
    struct iovec piece = {.iov_base = (void *)(uintptr_t)s->piece.ptr, .iov_len = s->piece.len};
    if (em_io_write_all(new_file(s), &piece, 1, s->piece_at, NULL) != EM_OK) {
        s->has_failed = true;
        return;
    }
    em_hasher_add(&s->hasher, s->piece);
    off_t end = s->piece_at + (off_t)s->piece.len;
    if (s->to_be_synced && end - s->told >= PORTION) {
        EM_SYS_RETRY(s->sys, write_out, s->fd);
        s->told = end;
    }
}

void em_speculation_wait(em_speculation *s)
{
    em_worker_wait(s->writer);
    if (s->has_failed)
        em_speculation_end(s);
}

static void put(em_speculation *s, em_slice bytes)
{
    em_speculation_wait(s);
    if (s->fd < 0 || bytes.len == 0)
        return;
    s->piece = bytes;
    s->piece_at = s->to;
    s->to += (off_t)bytes.len;
    em_worker_hand(bytes.len >= WORTH_HANDING ? s->writer : NULL, write_piece, s);
}

void em_speculation_keep(em_speculation *s, em_slice bytes)
{
    put(s, bytes);
    s->from += bytes.len;
}

void em_speculation_replace(em_speculation *s, em_slice old, em_slice insert)
{
    s->replaced = true;
    s->splice = (em_splice){.offset = s->from, .length = old.len, .insert = insert};
    s->old = old;
    put(s, insert);
    s->from += old.len;
}

/* ---- Taking --------------------------------------------------------------------------------- */

/* Do the bytes stand in `text` at *at? Then go behind them. */
static bool goes_on(em_slice text, size_t *at, em_slice bytes)
{
    if (bytes.len > text.len - *at || !em_slice_eq(em_slice_sub(text, *at, *at + bytes.len), bytes))
        return false;
    *at += bytes.len;
    return true;
}

/* Do the splices, which may leave in place what the foreseen one replaces by itself, make the same
 * of the old content? */
static bool comes_to_the_same(const em_speculation *s, em_splices splices)
{
    size_t old = 0, out = 0; /* passed of what was replaced, and of what stands there now */
    for (size_t i = 0; i < splices.count; i++) {
        const em_splice *one = &splices.items[i];
        size_t start = one->offset - s->splice.offset;
        if (one->offset < s->splice.offset || start + one->length > s->old.len)
            return false;
        if (!goes_on(s->splice.insert, &out, em_slice_sub(s->old, old, start)) ||
            !goes_on(s->splice.insert, &out, one->insert))
            return false;
        old = start + one->length;
    }
    return goes_on(s->splice.insert, &out, em_slice_from(s->old, old)) &&
           out == s->splice.insert.len;
}

bool em_speculation_take(em_file_state *state, const em_content *content, int *fd, em_hash *hash)
{
    em_speculation *s = state->speculation;
    if (s)
        em_speculation_wait(s);
    bool is_it = s && s->fd >= 0 && s->replaced && content->large &&
                 s->from == em_content_old_size(content) && (uint64_t)s->to == s->size &&
                 comes_to_the_same(s, content->splices);
    if (is_it) {
        *fd = s->fd;
        *hash = em_hasher_end(&s->hasher);
        s->fd = -1;
    }
    em_speculation_drop(state);
    return is_it;
}
