/* past_view.h: changes of the past, as people and programs are shown them.
 *
 * What is shown is gathered while the session is open, and printed after it is closed.
 */
#ifndef EM_CLI_PAST_VIEW_H
#define EM_CLI_PAST_VIEW_H

#include "cli/command.h"

#include "dialects/json.h"
#include "session/show.h"

typedef struct em_past_view {
    const em_row *row;
    const char *path; /* absolute */
    char id[64];      /* as programs are told it */
    em_fate fate;     /* of an edit */
    const char *
        *bases; /* ids of the calls that it undoes or redoes; "" for one that is forgotten */
    size_t base_count;
    em_shown shown; /* where a diff was asked for */
    bool has_diff;
} em_past_view;

typedef struct em_past_views {
    em_past_view *items;
    size_t count;
} em_past_views;

/* What is to be told of rows; `with_diff`: their diffs too. In call->arena. */
em_status em_cli_view_past(em_invocation *call, em_session *session, const em_rows *rows,
                           bool with_diff, em_past_views *views, em_error *err);

/* One line for each. */
void em_cli_print_views(em_invocation *call, const em_past_views *views);

/* All there is to be told, and the diff. */
void em_cli_print_view(em_invocation *call, const em_past_view *view);

/* The same for programs; NULL when memory ran out. */
json_t *em_cli_view_json(em_invocation *call, const em_past_view *view);

/* "2026-11-22 04:31:05", in local time. */
void em_cli_format_time(int64_t time_ms, char out[32]);

/* "2h", "3d" (ago), or "2026-11-22", "2026-11-22 04:31", "2026-11-22T04:31:05" (local time), as
 * milliseconds since 1970. Returns whether it is one. */
bool em_cli_parse_time(const char *text, int64_t *ms);

#endif
