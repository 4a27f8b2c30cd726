/* call_log.h: what was called lately, in this process.
 *
 * The history has changes that were made. It has neither the request as it came, nor how long it
 * took, nor what was refused: that is kept here, for the last calls that changed something or were
 * refused, in memory that is bounded; older ones are forgotten. The totals are of all calls.
 *
 * Calls are noted and read by any thread.
 */
#ifndef EM_REVIEW_CALL_LOG_H
#define EM_REVIEW_CALL_LOG_H

#include "serve/mcp.h"

typedef struct em_call_log em_call_log;

enum {
    EM_CALL_LOG_MOST = 4096,          /* calls that are kept */
    EM_CALL_LOG_BYTES = 32 << 20,     /* of their texts together */
    EM_CALL_LOG_ARGUMENTS = 64 << 10, /* of the arguments of one; the rest is cut */
    EM_CALL_LOG_TEXT = 8 << 10,       /* the same of its answer */
    EM_CALL_LOG_CAUSES = 64,
};

/* One file of a call. */
typedef struct em_noted_file {
    const char *path; /* relative to its root, or as it was named */
    const char *edit_id;
    bool committed;
    em_role role;
    size_t lines_added, lines_removed;
} em_noted_file;

/* A call. Where it comes from em_call_log_list() or _get(), all of it lives in the arena given
 * there. */
typedef struct em_noted_call {
    uint64_t number; /* from 1 */
    int64_t time_ms; /* since 1970 */
    long ms, waited_ms;
    const char *tool, *client; /* NULL: unknown */
    const char *cause;         /* of a refusal; NULL: it was done */
    em_tier tier;              /* how loosely the loosest of its texts was found */
    const char *arguments;     /* JSON in one line */
    size_t arguments_bytes;    /* of all of them */
    const char *text;          /* of the answer */
    const char *why;           /* of a refusal, in a sentence or more; else "" */
    em_noted_file *files;
    size_t file_count;
} em_noted_call;

/* How often something was refused for `cause`. */
typedef struct em_cause_count {
    const char *cause; /* a literal */
    uint64_t count;
} em_cause_count;

/* Since the process began. */
typedef struct em_call_totals {
    int64_t since_ms;
    uint64_t calls, refused;
    uint64_t changes;     /* of files */
    uint64_t tolerant;    /* calls with a text that was not found exactly */
    uint64_t sent, whole; /* bytes that callers sent for their edits, and that the files have
                             which they changed: what rewriting them would have taken */
    em_cause_count causes[EM_CALL_LOG_CAUSES]; /* most first */
    size_t cause_count;
} em_call_totals;

/* The caller's: em_call_log_free(). NULL when memory ran out. */
em_call_log *em_call_log_new(void);
void em_call_log_free(em_call_log *log);

/* Note a call. Returns its number; 0: it is only counted (it neither changed nor failed, or memory
 * ran out). */
uint64_t em_call_log_note(em_call_log *log, const em_mcp_called *called);

typedef enum em_calls_wanted { EM_CALLS_ALL, EM_CALLS_REFUSED } em_calls_wanted;

/* A page of the calls. */
typedef struct em_call_query {
    uint64_t below; /* with a number below this one; 0: any */
    size_t most;
    em_calls_wanted which;
} em_call_query;

typedef struct em_noted_calls {
    em_noted_call *items; /* newest first */
    size_t count;
    bool more; /* there are others behind them */
} em_noted_calls;

/* EM_E_NOMEM. */
em_status em_call_log_list(em_call_log *log, const em_call_query *query, em_arena *arena,
                           em_noted_calls *calls);

/* One of them. EM_E_NOT_FOUND: it is forgotten, or never was. EM_E_NOMEM. */
em_status em_call_log_get(em_call_log *log, uint64_t number, em_arena *arena, em_noted_call *noted);

/* The call that made the change with this number in the history; 0: not known. And how loosely its
 * texts were found. */
uint64_t em_call_log_of_change(em_call_log *log, int64_t row, em_tier *tier);

void em_call_log_totals(em_call_log *log, em_call_totals *totals);

/* How many calls were refused in each of `count` spans of `span_ms`, the first of which begins at
 * `since_ms`: added to `spans`. */
void em_call_log_tally(em_call_log *log, int64_t since_ms, int64_t span_ms, uint64_t *spans,
                       size_t count);

#endif
