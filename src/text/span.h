/* span.h: a part of a text, half open, in bytes from its start. */
#ifndef EM_TEXT_SPAN_H
#define EM_TEXT_SPAN_H

#include <stddef.h>

typedef struct em_span {
    size_t start, end;
} em_span;

typedef struct em_spans {
    em_span *items;
    size_t count;
} em_spans;

#endif
