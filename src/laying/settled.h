/* settled.h: an edit that was made, made again. */
#ifndef EM_LAYING_SETTLED_H
#define EM_LAYING_SETTLED_H

#include "laying/laying_impl.h"

enum { EM_SETTLED_REACH = 4096 }; /* bytes to both sides of the place that are looked at */

/* Would l->laid stay as it is if the edit were sent again? EM_E_NOMEM only. */
em_status em_is_settled(const em_laying *l, bool *settled);

#endif
