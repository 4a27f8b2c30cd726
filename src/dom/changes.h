/* changes.h: what a sequence of edits did to a text, as splices over the text before all of them.
 *
 * Each step is given as splices over the text of its moment; it is composed with those before it,
 * so that after any number of steps there is one list over the original.
 */
#ifndef EM_DOM_CHANGES_H
#define EM_DOM_CHANGES_H

#include "base/arena.h"
#include "text/splice.h"

typedef struct em_changes {
    em_slice original; /* borrowed */
    em_splices splices;
} em_changes;

/* Compose with one more step: splices over the text as the changes left it, sorted and disjoint,
 * whose inserts outlive `arena`. EM_E_NOMEM leaves the changes as they were. */
em_status em_changes_add(em_changes *changes, em_splices step, em_arena *arena);

/* Where in the original the byte at `at` of the changed text stands, or was put. */
size_t em_changes_origin(const em_changes *changes, size_t at);

/* The same for many bytes, in one pass over the changes: `em_origins o = {.changes = changes};`,
 * and then for one after the other, each of which is not before the last. */
typedef struct em_origins {
    const em_changes *changes; /* borrowed; they stay as they are meanwhile */
    size_t next, origin, text; /* splices before; where the last of them ends, in both texts */
} em_origins;
size_t em_origins_at(em_origins *origins, size_t at);

/* Take from each splice the code points that it shares with the original at either end, and the
 * splices without effect from the list; in `arena`. EM_E_NOMEM. */
em_status em_changes_trim(const em_changes *changes, em_arena *arena, em_splices *trimmed);

/* The list with finer splices where an insert holds what is not ASCII: a run of such bytes that the
 * replaced bytes hold too stays as it is, so that nobody needs to write it in the text's encoding.
 * In `arena`. EM_E_NOMEM. */
em_status em_splices_keep_runs(em_slice text, em_splices list, em_arena *arena, em_splices *finer);

/* Where the offsets of a text stand when a step is laid in. */
typedef struct em_shift {
    em_splices step;
    size_t *grown; /* by how much the text before splice i has grown (modulo 2^64) */
} em_shift;

/* In `arena`. EM_E_NOMEM. */
em_status em_shift_init(em_shift *shift, em_splices step, em_arena *arena);

/* Of an offset at which something is inserted, `behind` says whether it then stands behind that.
 * One within replaced bytes moves to the end (`behind`) or the start of what stands for them. */
size_t em_shift_map(const em_shift *shift, size_t at, bool behind);

/* The same for the offsets from `start` to `end` alone, and quicker to ask. `shift` must
 * last. */
em_shift em_shift_part(const em_shift *shift, size_t start, size_t end);

#endif
