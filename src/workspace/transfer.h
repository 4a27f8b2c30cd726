/* transfer.h: the new content of a large file, written without ever being held.
 *
 * Stretches that stay as they are go through a window; or, where that may be better, from file to
 * file inside the kernel: where the file system can share blocks and the stretch lies right for it,
 * without a copy. Then they are read again, from the new file.
 */
#ifndef EM_WORKSPACE_TRANSFER_H
#define EM_WORKSPACE_TRANSFER_H

#include "workspace/content.h"

/* What a file system does best with stretches that stay, as far as its kind tells. */
typedef enum em_transfer_way {
    EM_TRANSFER_ASKED,  /* the kernel may know better than a read and a write */
    EM_TRANSFER_SHARED, /* the two files can have the same blocks */
    EM_TRANSFER_COPIED, /* the kernel's copy is one from page to page, too */
} em_transfer_way;
em_transfer_way em_transfer_way_on(const em_sys *sys, int fd);

/* Write the content, whose old bytes are those of a large file, to the file `to` from `offset` on;
 * an fd of -1 writes nothing. *hash (may be NULL) is that of the new content.
 *
 * EM_E_CONFLICT: what was written, with what it replaces, is not what had passed when the file was
 * read. */
em_status em_transfer(const em_content *content, em_io_file to, off_t offset, em_hash *hash,
                      em_error *err);

#endif
