/* as_given.h: the replacement as it was sent, where that is right and the difference is not. */
#ifndef EM_LAYING_AS_GIVEN_H
#define EM_LAYING_AS_GIVEN_H

#include "laying/laying_impl.h"

/* l->laid.text, which the difference gave, becomes the replacement as it is where that is right:
 * *as_given. l->sound is false afterwards, too, where neither of the two is. EM_E_NOMEM only. */
em_status em_prefer_given(em_laying *l, bool *as_given);

#endif
