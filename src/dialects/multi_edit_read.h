/* multi_edit_read.h: Read of the family multi-edit, and what all its tools share. */
#ifndef EM_DIALECTS_MULTI_EDIT_READ_H
#define EM_DIALECTS_MULTI_EDIT_READ_H

#include "tools/dialect.h"

#define EM_MULTI_EDIT_PATH                                                                         \
    {                                                                                              \
        .name = "path", .type = EM_P_PATH, .flags = EM_P_REQUIRED,                                 \
        .help = "The file, relative to the project root, in POSIX style."                          \
    }

/* Paths are relative to the root. */
bool em_multi_edit_is_relative(const char *path);

/* The tool, as em_tool has it. */
em_status em_multi_edit_read(const em_call *call, em_answer *answer);
em_status em_multi_edit_refuse_read(const em_call *call, const em_call_refusal *refusal,
                                    em_answer *answer);
extern const em_param em_multi_edit_read_params[];
extern const em_param em_multi_edit_read_result[];

#endif
