/* completed.h: a search text with what it lacks and its replacement has.
 *
 * A model may forget a comment or an empty line when it writes the search text, and yet have it in
 * the replacement. Then that is not new, but repeated: with it in the search text, too, the
 * difference of the two is what the caller wants.
 *
 *   search text   "a();\nb();"
 *   file          "a();\n// then\nb();"
 *   replacement   "a();\nlog();\n// then\nb();"
 *   completed     "a();\n// then\nb();"
 */
#ifndef EM_LAYING_COMPLETED_H
#define EM_LAYING_COMPLETED_H

#include "match/tolerant.h"

/* Put lines that were passed over at the place into its search text where the replacement has them,
 * in this order, between what it repeats of the lines around them; and empty lines that the file
 * has at one side of new lines, as the replacement does. The place's arrays are new ones in `arena`
 * then. EM_E_NOMEM only. */
em_status em_complete_find(em_slice text, em_arena *arena, em_tolerant_place *place);

#endif
