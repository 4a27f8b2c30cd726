/* versions.h: what a file held at an earlier time, as far as that can still be had.
 *
 * A version is known by the hash of its bytes. It is the file as it is, or a content that was kept
 * (content_store.h), or one that the changes of the history lead to from such a one, forth or back.
 */
#ifndef EM_PAST_VERSIONS_H
#define EM_PAST_VERSIONS_H

#include "workspace/workspace.h"

/* Versions to which the history has a short way from a content that is kept, as far as this process
 * knows: the newest. {0} is none. */
typedef struct em_kept_versions {
    struct em_kept_version {
        em_hash hash;
        unsigned changes; /* from there */
    } items[64];
    size_t next; /* where the next goes */
} em_kept_versions;

/* The version of `file`, which is open, that has `hash`; in `arena` or borrowed from the file. That
 * of a large file cannot be had, and nothing is kept of one.
 * EM_E_NOT_FOUND: it cannot be had any more. EM_E_NOMEM; EM_E_IO, EM_E_TIMEOUT of the history. */
em_status em_version_find(em_workspace *ws, const em_file *file, em_hash hash, em_arena *arena,
                          em_slice *bytes, em_error *err);

/* A file was read, and its hash is told: its content may be asked for later. EM_E_NOMEM only. */
em_status em_version_was_read(em_workspace *ws, em_kept_versions *kept, const em_file *file);

/* A file was changed, from what was read to the content with `hash`: the same for that. */
void em_version_was_made(em_workspace *ws, em_kept_versions *kept, const em_file *file,
                         em_splices splices, em_hash hash);

#endif
