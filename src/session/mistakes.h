/* mistakes.h: how often in a row did a caller's edits of a file fail?
 *
 * Who fails twice guesses, and should be told another way. Only the files where it happened
 * last are remembered: what is forgotten costs a piece of advice.
 */
#ifndef EM_SESSION_MISTAKES_H
#define EM_SESSION_MISTAKES_H

#include "workspace/workspace.h"

enum { EM_MOST_MISTAKES = 64 };

/* A file as one caller sees it. */
typedef struct em_mistake {
    em_hash caller, path;
    size_t count; /* in a row; 0: the place is free */
} em_mistake;

/* {0} remembers none. */
typedef struct em_mistakes {
    em_mistake items[EM_MOST_MISTAKES];
    size_t next; /* to be given up when no place is free */
} em_mistakes;

/* One more: how many in a row it is. `path` is absolute and resolved. */
size_t em_mistakes_add(em_mistakes *mistakes, const char *caller, const char *path);

/* A success: what was counted is forgotten. */
void em_mistakes_forget(em_mistakes *mistakes, const char *caller, const char *path);

#endif
