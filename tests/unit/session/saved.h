/* saved.h: what somebody saves, or has saved, in files of text. */
#ifndef EM_TESTS_UNIT_SESSION_SAVED_H
#define EM_TESTS_UNIT_SESSION_SAVED_H

#include "scratch.h"

/* Somebody else saves a file. */
static inline void save(const scratch *s, const char *path, const char *text)
{
    scratch_write(s, path, em_slice_of(text));
}

/* A tool saves a file, in a call of its own or as one more file of the call before. */
static inline void save_by_emend(scratch *s, const char *path, const char *text, bool continues)
{
    em_op op = {.kind = EM_OP_REWRITE, .insert = em_slice_of(text)};
    em_edit_request request = {.path = path,
                               .ops = &op,
                               .op_count = 1,
                               .tool = "write",
                               .existence = EM_MAY_EXIST,
                               .continues = continues};
    scratch_edit(s, &request);
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
