/* myers.h: which elements do two sequences have in common, in order?
 *
 * The greedy algorithm of E. Myers, "An O(ND) Difference Algorithm and Its Variations" (1986),
 * which finds a shortest script of removals and additions. What the elements are, the caller knows.
 */
#ifndef EM_TEXT_MYERS_H
#define EM_TEXT_MYERS_H

#include "base/arena.h"

#include <stdint.h>

typedef struct em_sequences {
    size_t old_count, new_count; /* below 2^31 each */
    bool (*same)(const void *context, size_t old_index, size_t new_index);
    const void *context;
} em_sequences;

/* The answer: which elements go, and which come. What is left on both sides is the same. */
typedef struct em_script {
    bool *removed; /* of old_count */
    bool *added;   /* of new_count */
    bool found;    /* false: more than `limit` changes; both arrays NULL */
} em_script;

/* Takes time in O((old + new) * limit), and O(limit^2) of memory in `arena`, or less where there
 * are few changes. EM_E_NOMEM only. */
em_status em_myers(const em_sequences *sequences, size_t limit, em_arena *arena, em_script *script);

#endif
