/* spelling.h: one name, written in several ways.
 *
 * Some file systems find a file also in other letter case, in another normal form of Unicode, or
 * with characters in between that nobody sees. A path is used as it is given; but a rule that
 * refuses a name must refuse all names by which the file could be found, and a name that is not
 * there may be there in another spelling.
 */
#ifndef EM_PATHS_SPELLING_H
#define EM_PATHS_SPELLING_H

#include "base/arena.h"

/* A name, or the names of a path, without what such file systems take no heed of: case folded,
 * decomposed, invisible characters left out. A name that is not UTF-8 has only its ASCII letters
 * folded. In `arena`; NULL when memory ran out. */
const char *em_spelling_fold(const char *path, em_arena *arena);

/* `name` in another normal form: composed or decomposed. NULL in *other where it is written so
 * already, or is not UTF-8. In `arena`. EM_E_NOMEM. */
em_status em_spelling_other(const char *name, bool composed, em_arena *arena, const char **other);

#endif
