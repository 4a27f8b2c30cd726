/* content.c: pieces walked.
 *
 * Begin with em_content_next, which gives one piece after the other: old bytes, what is inserted,
 * old bytes.
 */
#include "workspace/content.h"

em_content em_content_of(const em_file *file, em_splices splices)
{
    return (em_content){
        .old = file->bytes, .splices = splices, .large = file->is_large ? file : NULL};
}

size_t em_content_old_size(const em_content *content)
{
    return content->large ? content->large->size : content->old.len;
}

bool em_content_valid(const em_content *content)
{
    size_t at = 0, inserted = 0, old = em_content_old_size(content);
    for (size_t i = 0; i < content->splices.count; i++) {
        em_splice splice = content->splices.items[i];
        if (splice.offset < at || splice.offset > old || splice.length > old - splice.offset)
            return false;
        at = splice.offset + splice.length;
        if (__builtin_add_overflow(inserted, splice.insert.len, &inserted))
            return false;
    }
    return inserted <= PTRDIFF_MAX && old <= PTRDIFF_MAX - inserted;
}

size_t em_content_size(const em_content *content)
{
    size_t size = em_content_old_size(content);
    for (size_t i = 0; i < content->splices.count; i++)
        size = size - content->splices.items[i].length + content->splices.items[i].insert.len;
    return size;
}

em_slice em_content_next(const em_content *content, em_content_walk *walk, size_t most)
{
    while (walk->splice < content->splices.count) {
        const em_splice *splice = &content->splices.items[walk->splice];
        if (walk->old < splice->offset)
            break;
        em_slice left = em_slice_from(splice->insert, walk->insert);
        if (left.len > 0) {
            size_t length = left.len < most ? left.len : most;
            walk->insert += length;
            return em_slice_sub(left, 0, length);
        }
        walk->old = splice->offset + splice->length;
        walk->splice++;
        walk->insert = 0;
    }
    bool last = walk->splice == content->splices.count;
    size_t end = last ? content->old.len : content->splices.items[walk->splice].offset;
    if (end - walk->old > most)
        end = walk->old + most;
    em_slice piece = em_slice_sub(content->old, walk->old, end);
    walk->old = end;
    return piece;
}

em_status em_content_join(const em_content *content, em_arena *arena, em_slice *out)
{
    em_content_walk walk = {0};
    size_t size = em_content_size(content), at = 0;
    char *room = em_alloc_raw(arena, size);
    if (!room)
        return EM_E_NOMEM;
    for (;;) {
        em_slice piece = em_content_next(content, &walk, SIZE_MAX);
        if (piece.len == 0)
            break;
        memcpy(room + at, piece.ptr, piece.len);
        at += piece.len;
    }
    *out = em_slice_make(room, size);
    return EM_OK;
}
