/* near_told.h: telling which file may be meant by a path that leads to none. */
#ifndef EM_CALLS_NEAR_TOLD_H
#define EM_CALLS_NEAR_TOLD_H

#include "calls/args.h"
#include "calls/reply.h"

/* Append a line about outcome->near_files: "Did you mean src/Main.c?" where one is clear, else "May
 * be meant: src/list.c, src/lint.c"; nothing where there are none. */
void em_add_near_files(em_reply *reply);

/* `args` with the path of the file that is clearly meant, for who sends them again. A new
 * reference; NULL where it is not clear. */
json_t *em_args_with_near_file(em_reply *reply, em_args args);

#endif
