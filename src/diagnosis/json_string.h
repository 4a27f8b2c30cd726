/* json_string.h: a text that came as a whole JSON string, its quotes with it.
 *
 *   search text   "foo(\"1\");\nbar(2);"        file   foo("1");
 *                                                      bar(2);
 *
 * Whoever makes JSON of a text that is made JSON once more sends that. No tier changes anything for
 * it: `"Usage\n"` may as well be a string of code that is gone, and the file's line `Usage` another
 * text. But where that stands there once, it can be told what to send.
 */
#ifndef EM_DIAGNOSIS_JSON_STRING_H
#define EM_DIAGNOSIS_JSON_STRING_H

#include "base/arena.h"
#include "diagnosis/near_miss.h"

/* Is `find`, without the blanks around it, a JSON string with an escape in it? Then mended->find
 * has what it stands for, in `arena`; and mended->insert what the replacement does, where it is
 * *clear what that is: it is such a string, too, or has neither a quote at its ends nor a
 * backslash. EM_E_NOMEM only. */
em_status em_json_string_of(em_slice find, em_slice insert, em_arena *arena, em_near_miss *mended,
                            bool *is, bool *clear);

#endif
