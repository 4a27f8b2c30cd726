/* aligned.h: a search text beside a text, of whose lines some are known to be there. */
#ifndef EM_TESTS_UNIT_DIAGNOSIS_ALIGNED_H
#define EM_TESTS_UNIT_DIAGNOSIS_ALIGNED_H

#include "diagnosis/alignment.h"

#include "scarce_arena.h"

enum { BAND = 12 };

static inline em_status align(const char *text, const char *find, const char *insert,
                              em_arena *arena, em_alignment *a)
{
    *a = (em_alignment){.text = em_slice_of(text), .band = BAND, .arena = arena};
    EM_TRY(em_tokened_lines_init(&a->find, em_slice_of(find), arena));
    return em_tokened_lines_init(&a->insert, em_slice_of(insert), arena);
}

/* The text's lines [first, end), from 0. */
static inline em_span lines_at(em_slice text, size_t first, size_t end)
{
    em_span span = {text.len, text.len};
    for (size_t at = 0, line = 0; at < text.len; line++) {
        const char *eol = memchr(text.ptr + at, '\n', text.len - at);
        size_t next = eol ? (size_t)(eol - text.ptr) + 1 : text.len;
        if (line == first)
            span.start = at;
        if (line + 1 == end)
            span.end = next;
        at = next;
    }
    return span;
}

#endif
