/* line.h: the lines of a text, one after the other. (Those of a file by their numbers:
 * text/lines.h.) */
#ifndef EM_BASE_LINE_H
#define EM_BASE_LINE_H

#include "base/ascii.h"
#include "base/slice.h"

/* The line of `s` at *offset with its ending, and *offset moved behind it. */
static inline em_slice em_next_line(em_slice s, size_t *offset)
{
    size_t start = *offset, end = start + em_slice_until(em_slice_from(s, start), '\n');
    *offset = end < s.len ? end + 1 : end;
    return em_slice_sub(s, start, *offset);
}

/* The first line of *rest without its LF, and *rest moved behind that. */
static inline em_slice em_take_line(em_slice *rest)
{
    size_t length = em_slice_until(*rest, '\n');
    em_slice line = em_slice_sub(*rest, 0, length);
    *rest = em_slice_from(*rest, length < rest->len ? length + 1 : length);
    return line;
}

/* A line without its ending. */
static inline em_slice em_line_content(em_slice line)
{
    while (line.len > 0 && (line.ptr[line.len - 1] == '\n' || line.ptr[line.len - 1] == '\r'))
        line.len--;
    return line;
}

/* The bytes of the first line of `s`, without its ending, of whatever kind. (Either kind may be far
 * away in a text that has the other, so both are looked for step by step.) */
static inline size_t em_line_length(em_slice s)
{
    enum { STEP = 128 };
    for (size_t at = 0; at < s.len; at += STEP) {
        const char *step = s.ptr + at;
        size_t length = s.len - at < STEP ? s.len - at : STEP;
        const char *lf = memchr(step, '\n', length);
        const char *cr = memchr(step, '\r', lf ? (size_t)(lf - step) : length);
        if (lf || cr)
            return (size_t)((cr ? cr : lf) - s.ptr);
    }
    return s.len;
}

/* The blanks that a line begins with. */
static inline em_slice em_line_blanks(em_slice line)
{
    size_t length = 0;
    while (length < line.len && em_is_space_or_tab(line.ptr[length]))
        length++;
    return em_slice_sub(line, 0, length);
}

/* Does a line that ends in `text`, which is not empty, go on in the next one, as far as its last
 * sign tells? What is deeper there may be aligned, and no step. */
static inline bool em_line_goes_on(em_slice text)
{
    return memchr(",(+-*/|&=<?.\\", text.ptr[text.len - 1], 13) != NULL;
}

/* Without the blanks and line endings around it. */
static inline em_slice em_trimmed(em_slice s)
{
    return em_slice_trim(s, em_is_white_space);
}

#endif
