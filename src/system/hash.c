#include "system/hash.h"

#include "system/xxh3.h"

#include <xxhash.h>

enum {
    WINDOW = 128 * 1024, /* stays in the processor's cache between the copy and the hash */
    DIGEST = 16          /* bytes */
};

static em_hash hash_show(const unsigned char digest[static DIGEST])
{
    static const char digits[] = "0123456789abcdef";
    em_hash hash;
    for (size_t i = 0; i < DIGEST; i++) {
        hash.hex[2 * i] = digits[digest[i] >> 4];
        hash.hex[2 * i + 1] = digits[digest[i] & 15];
    }
    hash.hex[2 * DIGEST] = '\0';
    return hash;
}

em_hash em_hash_of(em_slice bytes)
{
    unsigned char digest[DIGEST];
    em_xxh3_best()->hash(bytes.ptr, bytes.len, digest);
    return hash_show(digest);
}

bool em_hash_eq(em_hash a, em_hash b)
{
    return strcmp(a.hex, b.hex) == 0;
}

em_status em_hasher_start(em_hasher *hasher)
{
    hasher->state = XXH3_createState();
    if (!hasher->state)
        return EM_E_NOMEM;
    XXH3_128bits_reset(hasher->state);
    return EM_OK;
}

void em_hasher_add(em_hasher *hasher, em_slice bytes)
{
    if (bytes.len > 0)
        em_xxh3_best()->add(hasher->state, bytes.ptr, bytes.len);
}

void em_hasher_add_number(em_hasher *hasher, uint64_t number)
{
    em_hasher_add(hasher, em_slice_make((const char *)&number, sizeof number));
}

void em_hasher_add_text(em_hasher *hasher, em_slice text)
{
    em_hasher_add_number(hasher, text.len);
    em_hasher_add(hasher, text);
}

void em_hasher_copy(em_hasher *hasher, const em_hasher *from)
{
    XXH3_copyState(hasher->state, from->state);
}

em_hash em_hasher_end(const em_hasher *hasher)
{
    XXH128_canonical_t canonical;
    XXH128_canonicalFromHash(&canonical, XXH3_128bits_digest(hasher->state));
    return hash_show(canonical.digest);
}

void em_hasher_drop(em_hasher *hasher)
{
    XXH3_freeState(hasher->state);
    hasher->state = NULL;
}

/* Fill the window from `offset` on; *got is less than WINDOW where the file ends. */
static em_status window_fill(em_io_file file, off_t offset, char window[static WINDOW], size_t *got,
                             em_error *err)
{
    for (*got = 0; *got < WINDOW;) {
        ssize_t more = EM_SYS_RETRY(file.sys, read, file.fd, window + *got, WINDOW - *got,
                                    offset + (off_t)*got);
        if (more < 0)
            return em_io_fail(err, more, "read", file.path);
        if (more == 0)
            break;
        *got += (size_t)more;
    }
    return EM_OK;
}

/* What fits into the window needs no memory beside it: what a change does when memory has run out
 * rests on that. */
em_status em_hash_file(em_io_file file, em_hash *hash, em_error *err)
{
    EM_AUTO(em_hasher) hasher = {0};
    _Alignas(64) char window[WINDOW]; /* so copies are quick: em_io_window() */
    size_t got;
    EM_TRY(window_fill(file, 0, window, &got, err));
    if (got < WINDOW) {
        *hash = em_hash_of(em_slice_make(window, got));
        return EM_OK;
    }
    EM_TRY(em_hasher_start(&hasher));
    for (off_t offset = WINDOW; got > 0; offset += WINDOW) {
        em_hasher_add(&hasher, em_slice_make(window, got));
        if (got < WINDOW)
            break;
        EM_TRY(window_fill(file, offset, window, &got, err));
    }
    *hash = em_hasher_end(&hasher);
    return EM_OK;
}
