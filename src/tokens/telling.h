/* telling.h: is a text long enough that where it stands tells something? */
#ifndef EM_TOKENS_TELLING_H
#define EM_TOKENS_TELLING_H

#include "base/slice.h"

/* Has it 12 code points or more beside white space? */
bool em_is_telling(em_slice text);

#endif
