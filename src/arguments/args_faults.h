/* args_faults.h: what is wrong with the arguments of a call, each fault as one sentence.
 *
 * A sentence says which argument it is, by its path, what was expected, what came, and what was
 * most likely meant. args_repair.c does to a copy what the sentences say.
 */
#ifndef EM_ARGUMENTS_ARGS_FAULTS_H
#define EM_ARGUMENTS_ARGS_FAULTS_H

#include "arguments/args_impl.h"
#include "base/strbuf.h"

/* Where a value stands: `name` in the object at `parent`, or element `index` of it. */
typedef struct em_arg_place {
    const struct em_arg_place *parent;
    const char *name; /* NULL: an element */
    size_t index;
} em_arg_place;

/* A check that goes on, and what it has found. */
typedef struct em_args_checker {
    em_strbuf message;
    size_t problems;
    ptrdiff_t edit; /* of the first problem */
    bool only_asks; /* whether there is a problem: none is told, and no value is made for it. Two
                       threads may ask at once, but not make values at once (json_memory.h). */
    const em_param *params;                  /* of all arguments; NULL: only a value is checked */
    const json_t *object;                    /* in which the value stands */
    const em_param *known[EM_MOST_PROBLEMS]; /* tables whose names were told */
    size_t known_count;
} em_args_checker;

static inline void em_args_checker_drop(em_args_checker *c)
{
    em_strbuf_drop(&c->message);
}

static inline bool em_has_told_enough(const em_args_checker *c)
{
    return c->problems >= EM_MOST_PROBLEMS;
}

/* Each is one more problem, of the value at `at`. */

/* It is of another type than `wanted`. `param` is NULL for an element of a list. */
void em_fault_type(em_args_checker *c, const em_arg_place *at, em_param_type wanted,
                   const em_param *param, const json_t *value);

/* It must ("not be empty"). */
void em_fault_value(em_args_checker *c, const em_arg_place *at, const char *rule);

/* It is a number beyond the parameter's bounds; none of its words. */
void em_fault_bounds(em_args_checker *c, const em_arg_place *at, const em_param *param,
                     const json_t *value);
void em_fault_word(em_args_checker *c, const em_arg_place *at, const em_param *param,
                   const json_t *value);

/* Of a list that needs elements: it has none; it is null. */
void em_fault_empty_list(em_args_checker *c, const em_arg_place *at);
void em_fault_null_list(em_args_checker *c, const em_arg_place *at);

/* It was not given; it was given by its alias, too, and otherwise. */
void em_fault_missing(em_args_checker *c, const em_arg_place *at, const em_param *param);
void em_fault_twice(em_args_checker *c, const em_arg_place *at, const em_param *param);

/* Its name is none of the table's. */
void em_fault_unknown(em_args_checker *c, const em_arg_place *at, const em_param *params,
                      em_meaning meant, json_t *value);

#endif
