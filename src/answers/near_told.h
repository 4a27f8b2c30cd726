/* near_told.h: telling which file may be meant by a path that leads to none. */
#ifndef EM_ANSWERS_NEAR_TOLD_H
#define EM_ANSWERS_NEAR_TOLD_H

#include "answers/reply.h"

/* Append a line about outcome->near_files: "Did you mean src/Main.c?" where one is clear, else "May
 * be meant: src/list.c, src/lint.c"; nothing where there are none. */
void em_add_near_files(em_reply *reply);

#endif
