/* past_told.h: changes of the past, and what undoing them did, as programs are told them.
 *
 * What is told of a change is gathered first (which needs the history) and made into JSON
 * afterwards, so that who prints it need not keep the history open. The same objects are what
 * `emend log --json` and `emend undo --json` print and what the review page is sent.
 */
#ifndef EM_ANSWERS_PAST_TOLD_H
#define EM_ANSWERS_PAST_TOLD_H

#include "past/file_bases.h"
#include "past/past_calls.h"
#include "session/show.h"
#include "session/undo.h"
#include "json/json.h"

/* ---- Changes ------------------------------------------------------------------------------- */

typedef struct em_past_view {
    const em_row *row;
    const char *path; /* absolute */
    char id[64];      /* as programs are told it */
    em_role role;     /* what it did in this file, where its call undid some and redid others */
    em_fate fate; /* the last that was done about it, of an undo or redo the next; id 0: nothing */
    bool is_undone;
    em_file_bases bases; /* of the calls that it undoes or redoes, those that changed this file */
    em_shown shown;      /* where a diff was asked for */
    bool has_diff;
} em_past_view;

typedef struct em_past_views {
    em_past_view *items;
    size_t count;
} em_past_views;

/* What is to be told of rows; `with_diff`: their diffs too. In `arena`; borrows the rows. Fails as
 * the history does; EM_E_NOMEM. */
em_status em_past_view_rows(em_session *session, const em_rows *rows, bool with_diff,
                            em_arena *arena, em_past_views *views, em_error *err);

/* One of them. A new reference; NULL when memory ran out. */
json_t *em_past_view_json(const em_past_view *view);

/* "edit", "create" or "remove"; "edit", "undo" or "redo". */
const char *em_past_kind_word(const em_row *row);
const char *em_past_role_word(em_role role);

/* It is not known yet how the change ended. */
bool em_past_is_pending(const em_row *row);

/* What a bit of em_row.notes means: a word for programs, a sentence for people. */
typedef struct em_past_note {
    unsigned note;
    const char *word, *sentence;
} em_past_note;

/* The list ends with a note of 0. */
extern const em_past_note em_past_notes[];

/* Set "time" to "2026-11-22T04:31:05.123Z". */
void em_json_set_time(em_json *json, json_t *object, int64_t time_ms);

/* Set a path; a name that is no UTF-8 is escaped. */
void em_json_set_path(em_json *json, json_t *object, const char *key, const char *path);

/* ---- Undoing ------------------------------------------------------------------------------- */

/* What undo, redo or rewind did or would do, or why it did not: {done, call?, role | error, path?,
 * was?, now?, line?, files}. A new reference; NULL when memory ran out. */
json_t *em_undo_outcome_json(const em_undo_outcome *outcome);

/* The same for people, in `arena`: "undid editFile in a.txt", or why not. NULL when memory ran out.
 */
const char *em_undo_sentence(em_session *session, const em_undo_request *request,
                             const em_undo_outcome *outcome, em_arena *arena);

#endif
