/* saved.h: what somebody saves, or has saved, in files of text. */
#ifndef EM_TESTS_UNIT_SESSION_SAVED_H
#define EM_TESTS_UNIT_SESSION_SAVED_H

#include "scratch.h"

/* Somebody else saves a file. */
static inline void save(const scratch *s, const char *path, const char *text)
{
    scratch_write(s, path, em_slice_of(text));
}

/* `text` NULL: there is no such file. */
static inline void check(scratch *s, const char *path, const char *text)
{
    if (text)
        check_file(s, path, em_slice_of(text));
    else
        assert_null(scratch_read(s, path).ptr);
}

#endif
