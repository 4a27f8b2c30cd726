/* near_miss.h: a text that is the file's but for a misread word, or a sign of punctuation.
 *
 * "amet consectetur" for "amet, consectetur", calculateTotalPrice for calculateTotalPrices,
 * remove_contact for remove_contract where that goes: no tier changes anything for that, since the
 * one may be the sibling of the other. But where nothing else in the file is like the text, it can
 * be told what to send.
 */
#ifndef EM_DIAGNOSIS_NEAR_MISS_H
#define EM_DIAGNOSIS_NEAR_MISS_H

#include "base/arena.h"
#include "base/deadline.h"

/* A search text and its replacement as they would have come, had it been read right. */
typedef struct em_near_miss {
    em_slice find, insert;
} em_near_miss;

/* Is `find` the piece `seen` of `text` but for one word, which is another form of that of the file,
 * or mistyped, and stands nowhere in it, or for one sign of punctuation: it is missing, too many,
 * or another one? Then *mended has the texts, in `arena`, where it is clear what becomes of the
 * replacement. When time is up it is not. EM_E_NOMEM only. */
em_status em_near_miss_of(em_slice text, em_slice find, em_slice seen, em_slice insert,
                          em_deadline *deadline, em_arena *arena, em_near_miss *mended, bool *is);

#endif
