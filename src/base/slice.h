/* slice.h: bytes that somebody else owns.
 *
 * A slice is always borrowed, may hold NUL, and need not end in one. ptr may be NULL when len is 0.
 */
#ifndef EM_BASE_SLICE_H
#define EM_BASE_SLICE_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

typedef struct em_slice {
    const char *ptr;
    size_t len;
} em_slice;

/* "No such offset" of every function that returns one. */
#define EM_NPOS ((size_t)-1)

/* A slice over a string literal. */
#define EM_LIT(literal) ((em_slice){(literal), sizeof(literal) - 1})

/* The lesser of two lengths or offsets. */
static inline size_t em_least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* How far apart two offsets, or two counts, are. */
static inline size_t em_apart(size_t a, size_t b)
{
    return a > b ? a - b : b - a;
}

static inline em_slice em_slice_of(const char *string)
{
    return (em_slice){string, strlen(string)};
}

static inline em_slice em_slice_make(const char *ptr, size_t len)
{
    return (em_slice){ptr, len};
}

/* The bytes [start, end) of `s`; the caller keeps start <= end <= s.len. (Nothing is added to a
 * NULL.) */
static inline em_slice em_slice_sub(em_slice s, size_t start, size_t end)
{
    return (em_slice){start > 0 ? s.ptr + start : s.ptr, end - start};
}

static inline em_slice em_slice_from(em_slice s, size_t start)
{
    return em_slice_sub(s, start, s.len);
}

static inline bool em_slice_eq(em_slice a, em_slice b)
{
    return a.len == b.len && (a.len == 0 || memcmp(a.ptr, b.ptr, a.len) == 0);
}

/* Their order by bytes, then by length: below, at or above 0, for qsort(). */
static inline int em_slice_order(em_slice a, em_slice b)
{
    size_t both = em_least(a.len, b.len);
    int order = both > 0 ? memcmp(a.ptr, b.ptr, both) : 0;
    return order != 0 ? order : (a.len > b.len) - (a.len < b.len);
}

static inline bool em_slice_is(em_slice s, const char *string)
{
    return em_slice_eq(s, em_slice_of(string));
}

static inline bool em_slice_starts(em_slice s, em_slice prefix)
{
    return s.len >= prefix.len && em_slice_eq(em_slice_sub(s, 0, prefix.len), prefix);
}

static inline bool em_slice_ends(em_slice s, em_slice suffix)
{
    return s.len >= suffix.len && em_slice_eq(em_slice_from(s, s.len - suffix.len), suffix);
}

/* Do the bytes of `piece` stand in it? Those of an empty one do, but not in an empty one. */
static inline bool em_slice_holds(em_slice s, em_slice piece)
{
    return s.len > 0 && memmem(s.ptr, s.len, piece.ptr, piece.len) != NULL;
}

static inline bool em_slice_has_byte(em_slice s, char byte)
{
    return s.len > 0 && memchr(s.ptr, byte, s.len) != NULL;
}

/* How many bytes stand before the first such byte; all of them, where there is none. */
static inline size_t em_slice_until(em_slice s, char byte)
{
    const char *at = s.len > 0 ? memchr(s.ptr, byte, s.len) : NULL;
    return at ? (size_t)(at - s.ptr) : s.len;
}

/* How many bytes lead behind the last such byte; 0, where there is none. */
static inline size_t em_slice_behind_last(em_slice s, char byte)
{
    const char *at = s.len > 0 ? memrchr(s.ptr, byte, s.len) : NULL;
    return at ? (size_t)(at - s.ptr) + 1 : 0;
}

#endif
