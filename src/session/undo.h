/* undo.h: calls that were made are undone, and done again.
 *
 * Whole calls at a time, over all their files, all or nothing. Each change is taken back where it
 * stands: in a file that is as the change left it, there; in one that has changed since, where the
 * lines of the change are still what it made of them, and it is plain where they are (text/carry.h;
 * without the version that the change left, by what the history has of its surroundings). What
 * somebody has changed at the place, or taken back, is not touched: then nothing is done, and the
 * outcome says what stands there now.
 *
 * Undoing is a call like any other: it is in the history, and can itself be undone.
 */
#ifndef EM_SESSION_UNDO_H
#define EM_SESSION_UNDO_H

#include "history/history.h"
#include "session/session.h"

typedef enum em_undo_what {
    EM_UNDO,   /* a call that is in effect; or, named by its id, the undoing of one */
    EM_REDO,   /* a call that was undone */
    EM_REWIND, /* all that was done since a checkpoint */
} em_undo_what;

typedef struct em_undo_request {
    em_undo_what what;
    const char *id;         /* of a change of the call; NULL: the last */
    const char *checkpoint; /* EM_REWIND: its name */
    const char *session;    /* as in em_edit_request; */
    bool stateless;         /* the same */
    bool own;               /* the last of this session, and not of anybody */
    const char *tool;
    bool dry_run, want_diff;
    em_diff_limits diff_limits;
    const char *seen; /* outcome->seen of a dry run: nothing else is done. NULL: whatever it is */
} em_undo_request;

typedef enum em_undone_how { EM_UNDONE_EDIT, EM_UNDONE_REMOVED, EM_UNDONE_MADE } em_undone_how;

/* A file that was changed, or would be. Strings live in the arena of the call. */
typedef struct em_undone_file {
    const char *path, *rel; /* absolute; relative to its root */
    em_undone_how how;
    const char *edit_id; /* "" where nothing was recorded */
    em_hash hash;        /* of the content after the call; "" of a file that is not there */
    const char *diff;    /* "" where it was not wanted */
    bool diff_truncated;
    size_t lines_added, lines_removed;
} em_undone_file;

enum { EM_CONFLICT_MOST = 16 << 10 /* bytes of each text of a conflict; the rest is cut */ };

/* Why a file could not be changed: what the change had made of the lines, and what stands there. */
typedef struct em_undo_conflict {
    const char *path; /* as in em_undone_file.rel; NULL: that is not the reason */
    bool has_was, has_now;
    em_slice was, now;
    size_t line; /* of the file now, from 1 */
} em_undo_conflict;

typedef struct em_undo_outcome {
    em_status status;
    em_error error;
    bool is_forgotten;   /* EM_E_NOT_FOUND: not all that was done since the checkpoint is there */
    em_role role;        /* what was done to the call: undone, or done again; EM_REWIND: to all */
    const char *call_id; /* of the first change of the call that this is about: of the edit, where
                            an undoing of one is undone; NULL before it is found */
    const char *call_tool;
    size_t calls, again; /* how many were undone, and done again: EM_REWIND */
    em_undone_file *files;
    size_t file_count;
    em_hash seen; /* dry run: of all that would change, and of what it would be laid onto */
    em_undo_conflict conflict;
    em_warnings warnings;
} em_undo_outcome;

/* Do it. The outcome is always filled; there is nothing to be dropped. Expected failures:
 *   EM_E_NOT_FOUND  there is nothing to undo, no such change, or no such checkpoint
 *   EM_E_INVALID    it is undone already, or in effect already; the detail says by what
 *   EM_E_CONFLICT   a file was changed at the place, or no such file stands at its path (see
 *                   outcome->conflict); or what would be done is not request->seen
 *   EM_E_UNSETTLED  how a change ended is not known yet
 * and those of opening and changing files. */
em_status em_run_undo(em_session *session, const em_undo_request *request, em_arena *arena,
                      em_undo_outcome *outcome);

/* The session whose last edit the request means, where it names none by its id. */
const char *em_undo_session(const em_session *session, const em_undo_request *request);

/* The last `most` edits that are in effect and could be undone, newest first: the first row of
 * each, also of one that was undone and done again. For who wants to choose. `of`: the
 * session whose edits are meant; NULL: anybody's. */
em_status em_undoable(em_session *session, const char *of, size_t most, em_arena *arena,
                      em_rows *rows, em_error *err);

/* The same of the undoings, each of which can be undone itself. */
em_status em_redoable(em_session *session, const char *of, size_t most, em_arena *arena,
                      em_rows *rows, em_error *err);

/* All changes of the call of a row, as of one that is listed above. */
em_status em_changes_of_call(em_session *session, const em_row *row, em_arena *arena, em_rows *rows,
                             em_error *err);

#endif
