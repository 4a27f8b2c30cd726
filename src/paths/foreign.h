/* foreign.h: paths as others write them: as a URL, as on Windows, as git quotes them, with
 * blanks or quotes around them, as links of Markdown, as chats mention them, with a line behind.
 *
 * Only what is written is looked at, and no folder: whether a path is meant so is for the caller,
 * since nearly all of these are legal names, too.
 */
#ifndef EM_PATHS_FOREIGN_H
#define EM_PATHS_FOREIGN_H

#include "base/arena.h"
#include "base/slice.h"

/* Without the blanks around it, quotes around that, and the "[text](" and ")" of a link. Borrowed
 * from `path`. */
em_slice em_foreign_bare(em_slice path);

/* Is it a URL of a file of this machine: "file:///a%20b", "file://localhost/a"? */
bool em_foreign_is_url(const char *path);

/* Is it "src\main.c", without a slash? */
bool em_foreign_has_backslashes_alone(const char *path);

/* Does it begin with what others have for a root, or for the folder of a user: the scheme of a URL,
 * "C:\" or "C:/", "~/"? */
bool em_foreign_begins_elsewhere(const char *path);

/* As it is written here: without scheme and drive, "%20" as a blank, slashes for backslashes,
 * "\303\251" as "é". What is not foreign is `path` itself; the rest is in `arena`. NULL when memory
 * ran out. */
const char *em_foreign_written_here(const char *path, em_arena *arena);

/* What a path that is not there may be as well, but more names of files are like that: "a%20b.c"
 * for "a b.c", "@src/a.c" or "src/a.c:12" for "src/a.c". `path` itself where it is none of these;
 * NULL when memory ran out. */
const char *em_foreign_other_reading(const char *path, em_arena *arena);

#endif
