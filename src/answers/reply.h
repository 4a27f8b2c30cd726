/* reply.h: the pieces that answers of all dialects are made of.
 *
 * An em_reply collects the text block and the limits of one answer while it is made. Building never
 * has to be checked: out of memory is kept, and em_reply_text() and em_json_done() say so at the
 * end.
 *
 *  (1) Whatever the file holds, an answer is valid UTF-8: a byte that is not is shown as U+FFFD. So
 *      what is shown of a file in an unknown 8-bit encoding cannot be sent back by mistake, since
 *      U+FFFD matches nothing there; who names the `encoding` sees and sends its real text.
 *  (2) An answer that is an error shows at most EM_SHOWN_LIMIT bytes of the file, in all its parts
 *      together, and of each text of the caller's at most EM_ECHO_LIMIT. Pieces of one that are
 *      told one by one, and may lie in each other, have that much together.
 *  (3) A file name that is not UTF-8, and in messages one with control or invisible characters, is
 *      shown escaped: \xE9, \x0A, \u202E.
 */
#ifndef EM_ANSWERS_REPLY_H
#define EM_ANSWERS_REPLY_H

#include "tools/dialect.h"
#include "tools/words.h"
#include "json/json.h"

enum {
    EM_SHOWN_LIMIT = 8192,   /* bytes of the file in an error; of a diff in any answer */
    EM_ECHO_LIMIT = 8192,    /* bytes of each text of the caller's that comes back */
    EM_LOCATION_LIMIT = 100, /* locations in an answer */
};

typedef struct em_reply {
    const em_call *call;
    const em_words *words;
    const em_outcome *outcome; /* NULL where the arguments were not even taken */
    const char *diff_text;     /* of the outcome, once it was asked for; NULL */
    const char *path;          /* as given, for messages */
    em_arena *arena;
    em_strbuf text;
    em_json json;
    size_t shown_left;   /* bytes of the file that may still be shown */
    size_t echo_limit;   /* bytes of each text of the caller's that comes back */
    size_t repeats_left; /* bytes of em_reply_repeats() and em_reply_repeat() */
    bool echo_truncated;
    bool tells_change;    /* it has told a change that its diff does not show (diff_told.h) */
    bool tells_unwritten; /* the text has said that nothing was written */
    bool tells_way;       /* it has all of what can be sent instead: em_answer.tells_way */
    const em_correction *correction; /* what can be sent instead; NULL */
    bool shows_correction; /* the answer can show what is new of it: its bytes are kept back for
                              that */
} em_reply;

/* `path` is as the caller gave it. Drop the reply with em_reply_drop(). */
void em_reply_init(em_reply *reply, const em_call *call, const em_words *words, const char *path,
                   const em_outcome *outcome);
void em_reply_drop(em_reply *reply);

/* Can a caller who is shown the text send it, and have it found? JSON holds valid UTF-8 alone, and
 * a search text with a NUL finds nothing. */
bool em_text_can_be_sent(em_slice text);

/* The same of both texts of a correction. */
bool em_can_be_sent(const em_correction *correction);

/* The answer is one of several that are told together: of the file, and of each text of the
 * caller's, no more than so many bytes. Before an outcome is seen. */
void em_reply_share(em_reply *reply, size_t most);

/* The outcome, where it was not known at the start. */
void em_reply_see(em_reply *reply, const em_outcome *outcome);

/* Go on with another file of the call: text and limits stay. `outcome` may be NULL. */
void em_reply_turn_to(em_reply *reply, const em_words *words, const char *path,
                      const em_outcome *outcome);

/* The text so far, in the arena, valid UTF-8 with U+2400 for NUL; NULL when memory ran out. */
const char *em_reply_text(em_reply *reply);

/* The same with NULs as they are, for what reads; empty when memory ran out. */
em_slice em_reply_read(em_reply *reply);

/* A formatted string in the arena; "" when memory ran out, which is remembered. */
const char *em_reply_format(em_reply *reply, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* What ends a sentence: a full stop, but where it has one, asks, or ends with a text between marks.
 */
const char *em_full_stop(const char *sentence);

/* A similarity as it is told: rounded down, so that 100 means the same text. */
unsigned em_percent(double similarity);

/* A path, escaped as told above: for messages, and (without escaping what is valid UTF-8) for
 * fields. In the arena. */
const char *em_reply_path_shown(em_reply *reply, const char *path);
const char *em_reply_path_field(em_reply *reply, const char *path);

/* Append text for a person to look at: what would move the cursor, turn the text round or not be
 * seen, and bytes that are not UTF-8, are escaped like paths in messages, but for the characters of
 * `stay` ("\n\t" where there are lines). */
void em_add_harmless(em_strbuf *out, em_slice text, const char *stay);

/* The start of a name that is known to nobody, as harmless as that, for a sentence about it. */
typedef struct em_shown_name {
    char text[4 * 100 + 1]; /* "?" when memory ran out */
} em_shown_name;
em_shown_name em_show_name(em_slice name);

/* ---- Why it failed ------------------------------------------------------------------------- */

/* What is known of a search text that was not found; NULL. */
const em_diagnosis *em_reply_diagnosis(const em_reply *reply);

/* The word for why it failed: what the search text got wrong, where that is known; NULL where the
 * status says it all. */
const char *em_reply_cause(const em_reply *reply);

/* Of a reply with a correction: is the caller's replacement another in it? */
bool em_correction_changes_insert(const em_reply *reply);

/* ---- Limits -------------------------------------------------------------------------------- */

/* The first `most` bytes of `s` or a few less, so that no code point is cut. (What is shorter is
 * whole, even where it ends in the middle of one.) */
em_slice em_reply_cut(em_slice s, size_t most);

/* As much of the caller's text as is echoed. */
em_slice em_reply_echo(em_reply *reply, em_slice text);

/* May a piece of the caller's text be told whole beside others of them? If not, the answer lacks
 * it: a piece that is cut would be another. */
bool em_reply_repeats(em_reply *reply, em_slice piece);

/* The same of a piece that may be cut: as much of it as may be told. */
em_slice em_reply_repeat(em_reply *reply, em_slice piece);

/* As much of `text`, which is the file's, as may still be shown, and at most `most` bytes. */
em_slice em_reply_take(em_reply *reply, em_slice text, size_t most);

/* Append ">>>TEXT<<<" (bare: the text alone), and where it is cut how long it is. */
void em_reply_add_echo(em_reply *reply, em_slice text);
void em_reply_add_bare_echo(em_reply *reply, em_slice text);
void em_reply_add_shown(em_reply *reply, em_slice text);

/* ---- What the server offers ---------------------------------------------------------------- */

/* An offered tool with that flag: one of the dialect that was called, else the first; NULL. And
 * its name. */
const em_tool *em_reply_find_tool(const em_reply *reply, unsigned flag);
const char *em_reply_tool_with(const em_reply *reply, unsigned flag);

/* A limit that is not the file's, and what lifts it: a flag of who reads this, or of the server. */
const char *em_reply_way_to_more_time(const em_reply *reply);
const char *em_reply_way_to_more_memory(const em_reply *reply);

/* ---- Places -------------------------------------------------------------------------------- */

/* A match as it is told: lines are those of the original. */
typedef struct em_spot {
    size_t line, column_start; /* in inserted text: columns are those of `content` */
    size_t column_end;         /* exclusive; in line `end_line` */
    size_t end_line;           /* differs from `line` where the match goes over several */
    bool inserted;
    em_slice content; /* its first line */
    size_t at;        /* where in `content` it begins, bytes */
} em_spot;

/* The number that a line of the original has in the file now: another one where a call that failed
 * kept some of its edits. */
size_t em_reply_line_now(const em_reply *reply, size_t line);

/* The same of a near place, which such an edit may have made: then it has no line of the original.
 */
size_t em_reply_near_line(const em_reply *reply, const em_near *near);

/* `find` is what was searched for. */
em_spot em_reply_spot(const em_reply *reply, const em_match *match, em_slice find);

/* The part of `line` around the byte `at`, at most `most` bytes and what may still be shown. */
em_slice em_reply_window(em_reply *reply, em_slice line, size_t at, size_t most);

/* ---- Parts of object answers --------------------------------------------------------------- */

/* Sets "match_locations" and "locations_truncated" for the places of a failed count, and uses at
 * most `share` bytes of the file. A line that is not there whole has "line_truncated". */
void em_reply_set_locations(em_reply *reply, json_t *object, em_slice find, size_t share);

/* A section of the file around the first of those places, or around the most similar text, with
 * them highlighted. */
json_t *em_reply_file_preview(em_reply *reply, em_slice find);

/* {unified, hunks, lines_added, lines_removed, truncated} of the outcome's diff. */
json_t *em_reply_diff(em_reply *reply);

/* The outcome's diff as text; "" where there is none. */
const char *em_reply_diff_text(em_reply *reply);

/* Sets "hash" and, where something was recorded, "edit_id", with `prefix` before the names. */
void em_reply_set_state(em_reply *reply, json_t *object, const char *prefix);

/* Sets "backup_path", where a backup was made. */
void em_reply_set_backup(em_reply *reply, json_t *object);

/* Append the line "Backup: PATH" where the old content was kept. */
void em_reply_add_backup(em_reply *reply);

#endif
