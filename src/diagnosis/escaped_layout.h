/* escaped_layout.h: a text whose line breaks and indentation alone came as escapes.
 *
 *   search text   print("a\n");\nprint(b);        file   print("a\n");
 *                                                        print(b);
 *
 * The escapes within its strings are the file's own then, so what undoes all of them finds nothing.
 * No tier changes anything for that: what quotes enclose in a new line is no more than a guess. But
 * where the file has the search text so, it can be told what to send.
 */
#ifndef EM_DIAGNOSIS_ESCAPED_LAYOUT_H
#define EM_DIAGNOSIS_ESCAPED_LAYOUT_H

#include "base/arena.h"
#include "diagnosis/near_miss.h"

/* Has `find` such escapes; with `in_quotes`, also in what quotes enclose, as where some comments
 * begin with one? Then mended->find has their characters, in `arena`, and keeps all others as they
 * came, but for the quotes where each has a backslash; and so has mended->insert, where it is
 * *clear which of its escapes are of which kind: none stands outside of quotes within a line, none
 * is a character's number or may be a name, no two backslashes are new, and all quotes are closed
 * in their line; with `in_quotes` they enclose none. EM_E_NOMEM only. */
em_status em_escaped_layout_of(em_slice find, em_slice insert, bool in_quotes, em_arena *arena,
                               em_near_miss *mended, bool *is, bool *clear);

#endif
