/* fields.h: what the results of several families have, for their tables (em_tool.result). Those
 * that tell of matches are in declared.h.
 */
#ifndef EM_ANSWERS_FIELDS_H
#define EM_ANSWERS_FIELDS_H

#include "tools/dialect.h"

/* em_reply_set_state() */
#define EM_FIELD_HASH                                                                              \
    {                                                                                              \
        .name = "hash", .type = EM_P_STRING, .help = "Of the content now; for expected_hash."      \
    }
#define EM_FIELD_EDIT_ID                                                                           \
    {                                                                                              \
        .name = "edit_id", .type = EM_P_STRING                                                     \
    }
/* em_reply_set_backup() */
#define EM_FIELD_BACKUP_PATH                                                                       \
    {                                                                                              \
        .name = "backup_path", .type = EM_P_STRING                                                 \
    }
/* em_reply_set_warnings() */
#define EM_FIELD_WARNINGS                                                                          \
    {                                                                                              \
        .name = "warnings", .type = EM_P_LIST, .item = EM_P_STRING                                 \
    }
#define EM_FIELD_CAUSE                                                                             \
    {                                                                                              \
        .name = "cause", .type = EM_P_STRING                                                       \
    }
/* em_set_retry() */
#define EM_FIELD_RETRY                                                                             \
    {                                                                                              \
        .name = "retry", .type = EM_P_OBJECT, .help = "Corrected arguments, ready to send."        \
    }
#define EM_FIELD_RETRY_OMITTED                                                                     \
    {                                                                                              \
        .name = "retry_omitted", .type = EM_P_BOOL                                                 \
    }
#define EM_FIELD_ECHO_TRUNCATED                                                                    \
    {                                                                                              \
        .name = "echo_truncated", .type = EM_P_BOOL                                                \
    }

#endif
