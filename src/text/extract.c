#include "text/extract.h"

#include "text/count.h"

const em_segment *em_extract_segment(const em_extract *extract, size_t at)
{
    size_t low = 0, high = extract->count; /* the last that begins at or before `at` */
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (extract->segments[middle].at <= at)
            low = middle;
        else
            high = middle;
    }
    return &extract->segments[low];
}

size_t em_extract_to_file(const em_extract *extract, size_t at)
{
    const em_segment *segment = em_extract_segment(extract, at);
    return segment->offset + (at - segment->at);
}

size_t em_extract_find(const em_extract *extract, size_t start, size_t end)
{
    size_t low = 0, high = extract->count;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (extract->segments[middle].offset <= start)
            low = middle;
        else
            high = middle;
    }
    const em_segment *segment = &extract->segments[low];
    if (end > segment->offset + segment->length)
        return EM_NPOS;
    return segment->at + (start - segment->offset);
}

size_t em_extract_lfs_before(const em_extract *extract, size_t at)
{
    const em_segment *segment = em_extract_segment(extract, at);
    return segment->lfs + em_count_lfs(extract->body, segment->at, at);
}
