#include "workspace/large.h"

#include "system/hash.h"
#include "system/names.h"
#include "system/sys_io.h"
#include "workspace/opening.h"

enum {
    WINDOW = 256 << 10, /* stays in the processor's cache between the copy and the search */
    SPECULATED = 32 << 20,
    QUICK = 4 << 20, /* to clear and fill as much memory costs more than to read a file again */
};

#define SOUGHT (UINT64_C(32) << 30) /* 200 places in a file of 160 MiB: some seconds */

em_large_limits em_ws_large_limits(const em_workspace *ws)
{
    em_large_limits limits = ws->options.large;
    if (limits.from == 0)
        limits.from = UINT64_C(128) << 20;
    if (limits.quick == 0)
        limits.quick = limits.from < QUICK ? limits.from : QUICK;
    if (limits.whole == 0)
        limits.whole = UINT64_MAX;
    if (limits.speculated == 0)
        limits.speculated = SPECULATED;
    if (limits.window == 0)
        limits.window = WINDOW;
    if (limits.extract == 0)
        limits.extract = (size_t)16 << 20;
    if (limits.sought == 0)
        limits.sought = SOUGHT;
    return limits;
}

/* ---- Descriptors --------------------------------------------------------------------------- */

static em_status wake(em_workspace *ws, const em_file *file, em_error *err)
{
    return file->state->fd >= 0 ? EM_OK : em_file_unpark_content(ws, file, err);
}

void em_large_rest(em_workspace *ws, const em_file *file)
{
    if (file->state->is_one_of_many)
        em_file_park(ws, file);
}

/* ---- Reading ------------------------------------------------------------------------------- */

static em_status changed(const em_file *file, em_error *err)
{
    return em_fail_cause(err, EM_E_CONFLICT, EM_CAUSE_CHANGED, "%s was changed while it was read",
                         file->path);
}

/* What can be had at once from `offset` on, at most `size` bytes; *got 0 is the end. */
static em_status read_some(em_workspace *ws, const em_file *file, size_t offset, char *out,
                           size_t size, size_t *got, em_error *err)
{
    ssize_t more = EM_SYS_RETRY(ws->sys, read, file->state->fd, out, size, (off_t)offset);
    if (more < 0)
        return em_io_fail(err, more, "read", file->path);
    *got = (size_t)more;
    return EM_OK;
}

/* For the check of what comes out of the exchange. */
static em_status keep_halfway(const em_file *file, const em_hasher *hasher, uint64_t offset)
{
    em_halfway *halfway = &file->state->halfway;
    if (halfway->hasher.state || offset < file->size / 2 || !em_halfway_pays(file->size))
        return EM_OK;
    return em_halfway_keep(halfway, hasher, offset);
}

em_status em_large_pass(em_workspace *ws, em_file *file, const em_passage *passage, em_error *err)
{
    EM_AUTO(em_hasher) hasher = {0};
    size_t offset = 0, got = 0;
    EM_TRY(em_hasher_start(&hasher));
    EM_TRY(wake(ws, file, err));
    do {
        size_t size;
        char *room = passage->room(passage->context, &size);
        EM_TRY(read_some(ws, file, offset, room, size, &got, err));
        em_hasher_add(&hasher, em_slice_make(room, got));
        offset += got;
        EM_TRY(keep_halfway(file, &hasher, offset));
        if (offset > file->size) /* it grows, perhaps for ever */
            break;
        EM_TRY(got > 0 ? passage->take(passage->context, got) : EM_OK);
    } while (got > 0);
    if (offset != file->size)
        return changed(file, err);
    file->hash = em_hasher_end(&hasher);
    return EM_OK;
}

em_status em_large_read(em_workspace *ws, const em_file *file, size_t offset, char *out,
                        size_t size, em_error *err)
{
    EM_TRY(wake(ws, file, err));
    while (size > 0) {
        size_t got = 0;
        EM_TRY(read_some(ws, file, offset, out, size, &got, err));
        if (got == 0)
            return changed(file, err);
        offset += got;
        out += got;
        size -= got;
    }
    return EM_OK;
}

/* The file as it is now, which must be as it was. */
static em_status stat_again(em_workspace *ws, const em_file *file, em_stat *now, em_error *err)
{
    EM_TRY(wake(ws, file, err));
    int result = EM_SYS_RETRY(ws->sys, stat, file->state->fd, "", AT_EMPTY_PATH, now);
    if (result < 0)
        return em_io_fail(err, result, "stat", file->path);
    if (!em_opening_is_same(file->state, &file->stat, now))
        return changed(file, err);
    return EM_OK;
}

em_status em_large_check(em_workspace *ws, const em_file *file, em_error *err)
{
    em_stat now;
    return stat_again(ws, file, &now, err);
}

em_status em_large_load(em_workspace *ws, em_file *file, em_error *err)
{
    em_stat now;
    em_hash passed = file->hash;
    em_opening o = {.ws = ws, .state = file->state, .file = file, .path = file->path, .err = err};
    EM_TRY(stat_again(ws, file, &now, err));
    EM_TRY(em_opening_read_whole(&o, &now));
    file->is_large = false;
    file->extract = NULL;
    em_large_rest(ws, file);
    return !passed.hex[0] || em_hash_eq(passed, file->hash) ? EM_OK : changed(file, err);
}
