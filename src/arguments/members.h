/* members.h: the members of one object after the other, by the parameters that they are.
 *
 * The objects of a list mostly have the same names in the same order. So each member is taken for
 * the parameter that the member in its place was in the object before, which one look at its name
 * confirms: a table's parameters are not looked for one by one in thousands of objects.
 */
#ifndef EM_ARGUMENTS_MEMBERS_H
#define EM_ARGUMENTS_MEMBERS_H

#include "tools/dialect.h"

/* Tables with more parameters, and objects with more members, are not read so. */
enum { EM_MOST_MEMBERS = 16 };

typedef struct em_members {
    const em_param *params; /* the table; may be NULL */
    size_t param_count;     /* 0: its objects are not read so */
    unsigned char
        param_at[EM_MOST_MEMBERS]; /* which one each place's member was in the last object */
    const json_t *values[EM_MOST_MEMBERS]; /* of that object, by the number of the parameter; NULL
                                              where it was not given */
} em_members;

/* Members of objects with this table, of which none was read yet. `params` may be NULL. */
em_members em_members_of(const em_param *params);

/* Is `value` there, for a parameter for which null may count as not given? */
static inline bool em_is_given(const em_param *param, const json_t *value)
{
    return value && !(json_is_null(value) && param->flags & EM_P_NULLABLE);
}

/* Read an object. False: it has names that are none of the table's own (an alias is none), or too
 * many; then `values` tells nothing. */
bool em_members_read(em_members *members, const json_t *object);

#endif
