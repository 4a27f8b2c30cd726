/* faulty.h: a folder of the test's own, and a table of system calls that can be told to fail. */
#ifndef EM_TEST_FAULTY_H
#define EM_TEST_FAULTY_H

#include "fault/fault_sys.h"
#include "scratch.h"

typedef struct faulty {
    char folder[SCRATCH_PATH];
    fault_sys table; /* in front of the native one */
    int descriptors; /* that were open before */
} faulty;

/* `scratch` makes the folder: scratch_new or scratch_new_in_memory. *f must not move. */
static inline void faulty_open(faulty *f, char *(*scratch)(char out[static SCRATCH_PATH]))
{
    f->descriptors = scratch_descriptors();
    scratch(f->folder);
    fault_sys_init(&f->table, &em_sys_native);
}

/* Fails when a descriptor was left open. */
static inline void faulty_close(faulty *f)
{
    fault_sys_drop(&f->table);
    assert_int_equal(scratch_descriptors(), f->descriptors);
    scratch_drop(f->folder);
}

/* The `at`th call from now goes wrong. */
static inline void faulty_strike(faulty *f, fault_kind kind, long at, int error)
{
    f->table.hit = false;
    f->table.fault = (fault){.kind = kind, .at = f->table.calls + at, .error = error};
}

#endif
