/* unescaped.h: a line break, or a tab, where the file has its escape.
 *
 *   search text   print("a        file   print("a\nb")
 *                 b")
 *
 * Whoever writes JSON with a backslash too few sends the character that the escape stands for. No
 * tier changes anything for that: where new line breaks belong is not told by the file. But where
 * those of the replacement are the search text's, it can be told what to send.
 */
#ifndef EM_DIAGNOSIS_UNESCAPED_H
#define EM_DIAGNOSIS_UNESCAPED_H

#include "base/arena.h"
#include "diagnosis/near_miss.h"

/* Does `find` stand in `text` but for that, to the byte (line endings aside)? Then mended->find has
 * the escapes of the first such place, in `arena`; and mended->insert, too, where it is *clear
 * which of the replacement's characters are these. EM_E_NOMEM only. */
em_status em_unescaped_of(em_slice text, em_slice find, em_slice insert, em_arena *arena,
                          em_near_miss *mended, bool *is, bool *clear);

#endif
