/* span.h: a part of a text, half open, in bytes from its start. */
#ifndef EM_TEXT_SPAN_H
#define EM_TEXT_SPAN_H

#include "base/slice.h"

typedef struct em_span {
    size_t start, end;
} em_span;

typedef struct em_spans {
    em_span *items;
    size_t count;
} em_spans;

/* The span with as many bytes of the text to both sides, as far as it has them. */
static inline em_span em_span_widened(em_slice text, em_span span, size_t bytes)
{
    return (em_span){span.start > bytes ? span.start - bytes : 0,
                     text.len - span.end > bytes ? span.end + bytes : text.len};
}

#endif
