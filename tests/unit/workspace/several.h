/* several.h: changes of several files of a bench in one transaction. */
#ifndef EM_TEST_SEVERAL_H
#define EM_TEST_SEVERAL_H

#include "bench.h"

/* What becomes of a file: the first `old` in it becomes `new`; without `old` it is made; without
 * `new` it is removed. A list of these ends with one whose path is NULL. */
typedef struct several_part {
    const char *path, *old, *new;
    const char *like; /* path of another part, or NULL */
    bool backup;
    em_role role; /* what the change is to another */
} several_part;

/* The outcome. */
typedef struct several {
    em_part *parts; /* in b->arena, with the reports; the files are closed */
    size_t count, culprit;
    const em_wanted *wanted; /* the errors of opening them */
} several;

/* Do it; an error is in b->err. */
em_status several_change(bench *b, const several_part *parts, several *out);

/* The same by a process that dies where the trap springs, as bench_die(). */
void several_die(bench *b, const several_part *parts, trap where);

/* Nothing is left of a transaction: check_clean(), and no journal. */
void check_settled(bench *b);
/* How many journals there are. */
int several_journals(bench *b);

#endif
