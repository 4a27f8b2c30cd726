/* splice.h: "these bytes become those", the unit that every change is made of.
 *
 * A list of splices is sorted by offset and disjoint: each one starts at or after the end of the
 * one before. Two insertions at one offset are one splice. All offsets are those of the text
 * before any of them is laid in.
 */
#ifndef EM_TEXT_SPLICE_H
#define EM_TEXT_SPLICE_H

#include "base/slice.h"

typedef struct em_splice {
    size_t offset;   /* first byte replaced */
    size_t length;   /* how many are replaced; 0 inserts */
    em_slice insert; /* what stands there afterwards; empty deletes */
} em_splice;

typedef struct em_splices {
    const em_splice *items;
    size_t count;
} em_splices;

/* `splice` without the code points that what it brings shares with the bytes of `text` that it
 * replaces, at either end. */
em_splice em_splice_trim(em_slice text, em_splice splice);

/* The same where these bytes are known: `was`. */
em_splice em_splice_trim_known(em_slice was, em_splice splice);

#endif
