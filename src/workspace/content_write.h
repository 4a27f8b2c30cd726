/* content_write.h: the new content of a file, hashed and written.
 *
 * That of a large file goes by way of transfer.h, any other is walked (content.h).
 */
#ifndef EM_WORKSPACE_CONTENT_WRITE_H
#define EM_WORKSPACE_CONTENT_WRITE_H

#include "workspace/content.h"

/* The hash, without writing. EM_E_NOMEM is the only failure, but of a large file. */
em_status em_content_hash(const em_content *content, const em_sys *sys, const char *path,
                          em_hash *hash, em_error *err);

/* Set blocks for so many bytes aside, where that helps: ext4 fills those quicker than ones that it
 * promises one by one. An error is that there is no room for them, and so none for the bytes;
 * whatever else is wrong with asking says nothing of writing. */
em_status em_content_reserve(em_io_file file, size_t size, em_error *err);

/* Write it whole to the file, and compute its hash on the way. */
em_status em_content_write(const em_content *content, em_io_file file, em_hash *hash,
                           em_error *err);

/* Write it whole to the file, from `offset` on. */
em_status em_content_write_at(const em_content *content, em_io_file file, off_t offset,
                              em_error *err);

/* Write it over the old bytes, which the file holds: only from the first change on. The size is the
 * caller's business. */
em_status em_content_overwrite(const em_content *content, em_io_file file, em_error *err);

#endif
