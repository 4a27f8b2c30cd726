/* dom_args.h: operations on the elements of a page, as arguments say them. */
#ifndef EM_ARGUMENTS_DOM_ARGS_H
#define EM_ARGUMENTS_DOM_ARGS_H

#include "arguments/args.h"

/* The parameters of one operation. */
extern const em_param em_dom_operation_params[];

/* The operations in the list `list` of the arguments; NULL when memory ran out. */
em_dom_op *em_dom_ops_of(em_args args, const char *list, em_arena *arena);

#endif
