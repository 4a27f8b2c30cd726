/* patience.h: what two sequences have in common, in order, where too much has changed for a
 * shortest script (myers.h).
 *
 * Elements that each of the two has once tell where a part of one is in the other: the longest run
 * of them that stands in the same order in both is kept (B. Cohen's "patience diff"). What lies
 * between two of them is compared by itself, with the shortest script where that is short enough,
 * and is gone and come anew as a whole where it is not. So many small changes all over a text stay
 * small changes.
 */
#ifndef EM_TEXT_PATIENCE_H
#define EM_TEXT_PATIENCE_H

#include "text/myers.h"

/* A script, which need not be a shortest one; script->found is always true. Equal elements have
 * equal hashes. Between two that are kept there are at most `limit` changes that are told one by
 * one. Takes time in O(n log n + n * limit) for n elements of both. EM_E_NOMEM only. */
em_status em_patience(const em_sequences *sequences, const uint64_t *old_hashes,
                      const uint64_t *new_hashes, size_t limit, em_arena *arena, em_script *script);

#endif
