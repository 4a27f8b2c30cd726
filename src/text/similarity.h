/* similarity.h: how alike are two texts?
 *
 * Similarity is 1 - distance / length of the longer text, where the distance is Levenshtein's and
 * both are counted in Unicode code points (a byte that is not valid UTF-8 counts as one). 1 means
 * the same text, and two empty texts are the same. It is symmetric.
 *
 * It is exact where the work allows: whatever the lengths, if the texts differ in little; whatever
 * the difference, if the texts have up to some 15,000 code points. Beyond that the texts are
 * aligned line by line, and where they have no lines in common piece by piece, and what that costs
 * is taken for the distance. So similarity is never said to be higher than it is.
 */
#ifndef EM_TEXT_SIMILARITY_H
#define EM_TEXT_SIMILARITY_H

#include "base/deadline.h"
#include "base/slice.h"
#include "base/status.h"

/* EM_E_NOMEM; EM_E_TIMEOUT when the deadline passed. */
em_status em_similarity(em_slice a, em_slice b, em_deadline *deadline, double *similarity);

/* The distance, exact under the same conditions and else not too small. Statuses as above. */
em_status em_distance(em_slice a, em_slice b, em_deadline *deadline, size_t *distance);

/* The similarity of two texts of these lengths at this distance. */
double em_similarity_at(size_t distance, size_t length_a, size_t length_b);

#endif
