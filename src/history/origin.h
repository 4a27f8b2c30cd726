/* origin.h: who asked for a change, and what that call is to earlier ones. */
#ifndef EM_HISTORY_ORIGIN_H
#define EM_HISTORY_ORIGIN_H

#include <stddef.h>

/* What a call is to earlier calls. */
typedef enum em_role { EM_ROLE_EDIT, EM_ROLE_UNDO, EM_ROLE_REDO } em_role;

/* A call that another undoes or redoes. */
typedef struct em_base {
    const char *call;
    em_role role; /* what the other does to it */
} em_base;

/* Who asks, for the history. All borrowed; NULL where unknown. */
typedef struct em_origin {
    const char *tool;    /* "file_edit" */
    const char *client;  /* the MCP client's name, or the command */
    const char *session; /* what undo_last_edit is bound to */
    const char *call;    /* one id for all commits of one call */
    em_role role;
    const em_base *bases; /* the calls that this one undoes or redoes; needs `call` */
    size_t base_count;
} em_origin;

#endif
