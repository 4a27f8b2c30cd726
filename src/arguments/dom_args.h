/* dom_args.h: operations on the elements of a page, as arguments say them. */
#ifndef EM_ARGUMENTS_DOM_ARGS_H
#define EM_ARGUMENTS_DOM_ARGS_H

#include "arguments/args.h"
#include "tools/nearest.h"

/* The parameters of one operation. */
extern const em_param em_dom_operation_params[];

/* The operations in the list `list` of the arguments; NULL when memory ran out. */
em_dom_op *em_dom_ops_of(em_args args, const char *list, em_arena *arena);

/* What other libraries of pages do to an element, and how it is done here. */
extern const em_foreign_words em_dom_foreign_actions[];

#endif
