/* rehash.c: two halves of a file, hashed by two threads.
 *
 * The caller's thread does the half before the middle, another one (beside.h) the half behind it.
 * Each has a hasher, a window and an error of its own. They share the descriptor, of which both
 * read at offsets, and the table of system calls, which bears that; so there is no lock, and the
 * caller looks at the other half only after em_beside_end().
 */
#include "workspace/rehash.h"

#include "base/beside.h"

#include "system/sys_io.h"

enum {
    PAYS_FROM = 8 << 20, /* bytes: a thread is started in the time of some hundred thousand */
    WINDOW = 128 << 10,  /* stays in the processor's cache between the copy and the hash */
};

bool em_halfway_pays(uint64_t size)
{
    return size >= PAYS_FROM;
}

em_status em_halfway_keep(em_halfway *halfway, const em_hasher *hasher, uint64_t offset)
{
    EM_TRY(em_hasher_start(&halfway->hasher));
    em_hasher_copy(&halfway->hasher, hasher);
    halfway->offset = offset;
    return EM_OK;
}

void em_halfway_drop(em_halfway *halfway)
{
    em_hasher_drop(&halfway->hasher);
}

/* ---- A half --------------------------------------------------------------------------------- */

typedef struct half {
    em_io_file file;
    em_hasher hasher;    /* owned */
    uint64_t start, end; /* the file may end before that */
    em_status status;
    em_error err;
} half;

static void half_drop(half *h)
{
    em_hasher_drop(&h->hasher);
}

static em_status hash_all(half *h)
{
    _Alignas(64) char window[WINDOW]; /* so copies are quick: em_io_window() */
    for (uint64_t at = h->start; at < h->end;) {
        size_t most = h->end - at < WINDOW ? (size_t)(h->end - at) : WINDOW;
        ssize_t got = EM_SYS_RETRY(h->file.sys, read, h->file.fd, window, most, (off_t)at);
        if (got < 0)
            return em_io_fail(&h->err, got, "read", h->file.path);
        if (got == 0)
            break;
        em_hasher_add(&h->hasher, em_slice_make(window, (size_t)got));
        at += (uint64_t)got;
    }
    return EM_OK;
}

static void run(void *context)
{
    half *h = context;
    h->status = hash_all(h);
}

/* ---- Both ----------------------------------------------------------------------------------- */

em_status em_rehash(em_io_file file, const em_halfway *halfway, em_hash want, bool *same,
                    em_error *err)
{
    EM_AUTO(half) front = {.file = file, .err = EM_ERROR_INIT};
    EM_AUTO(half) back = front;
    em_beside beside;
    front.end = back.start = halfway->offset;
    back.end = UINT64_MAX;
    EM_TRY(em_hasher_start(&front.hasher));
    EM_TRY(em_hasher_start(&back.hasher));
    em_hasher_copy(&back.hasher, &halfway->hasher);
    em_beside_begin(&beside, run, &back);
    run(&front);
    em_beside_end(&beside);
    const half *failed = front.status != EM_OK ? &front : &back;
    if (failed->status != EM_OK && err)
        *err = failed->err;
    *same = em_hash_eq(em_hasher_end(&front.hasher), em_hasher_end(&halfway->hasher)) &&
            em_hash_eq(em_hasher_end(&back.hasher), want);
    return failed->status;
}
