/* speculation.h: the new content of a large file, written while the file is looked through.
 *
 * Which place is meant is known for sure only when all of the file has passed. What the new content
 * will be can mostly be foreseen: one text becomes another at the only place that was found. So it
 * goes into a file without a name at once, and when the change that was decided on comes to just
 * that, the file has not to be read again to be copied. In every other case it is closed, and
 * nothing was there.
 *
 * Nothing here fails a call: what cannot be done is left, and is done, or told, when the content is
 * written in the usual way.
 */
#ifndef EM_WORKSPACE_SPECULATION_H
#define EM_WORKSPACE_SPECULATION_H

#include "workspace/content.h"

typedef struct em_speculation em_speculation;

/* Begin one of `size` bytes for a file that is open for a change and about to be passed over
 * (em_large_pass). It is the file's until em_file_close(). NULL: it is not worth it, or cannot be
 * done. */
em_speculation *em_speculation_begin(em_workspace *ws, em_file *file, uint64_t size);

/* The bytes of the file that come next stay, in the order of the file. They are borrowed until
 * em_speculation_wait(): another thread writes them. */
void em_speculation_keep(em_speculation *speculation, em_slice bytes);

/* Those that come next, `old`, are replaced: once. Both are borrowed, and used by
 * em_speculation_take() too. */
void em_speculation_replace(em_speculation *speculation, em_slice old, em_slice insert);

/* All bytes that were kept so far have been written. */
void em_speculation_wait(em_speculation *speculation);

/* Bytes of the file that were kept and replaced so far. */
size_t em_speculation_at(const em_speculation *speculation);

/* How many more lead to where a write had best end: file systems that hold many pages as one do so
 * for writes that begin and end at the edges of such. As many as ever where it was given up: who
 * goes from edge to edge comes to the end. */
size_t em_speculation_to_edge(const em_speculation *speculation);

/* It came otherwise. */
void em_speculation_end(em_speculation *speculation);

/* Was all of the file foreseen, with its size, and is this its new content? Then *fd, the caller's
 * from now on, has it, and *hash is its hash. */
bool em_speculation_take(struct em_file_state *state, const em_content *content, int *fd,
                         em_hash *hash);

/* Let go of what the file has of it. */
void em_speculation_drop(struct em_file_state *state);

#endif
