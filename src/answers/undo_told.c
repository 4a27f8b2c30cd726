#include "answers/undo_told.h"

#include "answers/reason.h"
#include "text/count.h"
#include "text/text.h"

/* Files, in a sentence. */
enum { MOST_NAMED = 10 };

/* ---- What was done ------------------------------------------------------------------------- */

static const char *how_words(em_undone_how how)
{
    switch (how) {
    case EM_UNDONE_REMOVED:
        return " (removed)";
    case EM_UNDONE_MADE:
        return " (made again)";
    case EM_UNDONE_EDIT:
        break;
    }
    return "";
}

void em_undo_add_done(em_reply *reply, const em_undo_outcome *outcome, bool dry_run)
{
    em_strbuf *text = &reply->text;
    bool again = outcome->role == EM_ROLE_REDO;
    const char *verb = dry_run ? (again ? "would redo" : "would undo") : again ? "redid" : "undid";
    size_t count = outcome->file_count, calls = again ? outcome->again : outcome->calls;
    if (outcome->call_id)
        em_strbuf_printf(text, "%s %s", verb,
                         outcome->call_tool ? outcome->call_tool : outcome->call_id);
    else
        em_strbuf_printf(text, "%s %zu call%s", verb, calls, calls == 1 ? "" : "s");
    if (!outcome->call_id && !again && outcome->again > 0)
        em_strbuf_printf(text, " and %s %zu", dry_run ? "redo" : "redid", outcome->again);
    if (count == 0)
        return;
    em_strbuf_puts(text, " in ");
    if (count > 1)
        em_strbuf_printf(text, "%zu files: ", count);
    for (size_t i = 0; i < count && i < MOST_NAMED; i++) {
        const em_undone_file *file = &outcome->files[i];
        em_strbuf_printf(text, "%s%s%s", i > 0 ? ", " : "", em_reply_path_shown(reply, file->rel),
                         how_words(file->how));
    }
    if (count > MOST_NAMED)
        em_strbuf_printf(text, " and %zu more", count - MOST_NAMED);
}

/* ---- Why it was not ------------------------------------------------------------------------- */

static void add_lines(em_reply *reply, const char *what, em_slice lines, size_t most)
{
    em_slice shown = em_reply_take(reply, lines, most);
    em_strbuf_printf(&reply->text, "\n%s (between >>> and <<<):\n>>>", what);
    em_strbuf_add(&reply->text, shown);
    em_strbuf_puts(&reply->text, "<<<");
    if (shown.len < lines.len)
        em_strbuf_puts(&reply->text, " (cut)");
}

/* The kind of line endings that a text has; NULL: it has none. */
static const char *eol_words(em_slice text)
{
    em_counts n = em_count(text, 0, text.len);
    size_t lfs = n.lf - n.crlf, crs = n.cr - n.crlf;
    if (lfs + crs + n.crlf == 0)
        return NULL;
    if ((lfs > 0) + (crs > 0) + (n.crlf > 0) > 1)
        return "several kinds";
    return lfs > 0 ? "LF" : crs > 0 ? "CR" : "CRLF";
}

/* Both texts look alike where only their lines end otherwise. */
static void add_other_endings(em_reply *reply, const em_undo_conflict *conflict)
{
    em_slice was, now;
    if (!conflict->has_was || !conflict->has_now)
        return;
    if (em_text_with_lfs(conflict->was, reply->arena, &was) != EM_OK ||
        em_text_with_lfs(conflict->now, reply->arena, &now) != EM_OK) {
        reply->json.failed = true;
        return;
    }
    const char *eols_was = eol_words(conflict->was), *eols_now = eol_words(conflict->now);
    bool is_there = was.len > 0 && em_slice_holds(now, was);
    if (is_there && eols_was && eols_now && strcmp(eols_was, eols_now) != 0)
        em_strbuf_printf(
            &reply->text,
            "\nThe lines are the same, but their endings are not: they were %s, and are %s now",
            eols_was, eols_now);
}

/* Undoing an undo is a redo of the call that is named, as it is where that succeeds. */
static const char *verb_of(const em_undo_request *request, const em_undo_outcome *outcome)
{
    return request->what == EM_REDO || outcome->role == EM_ROLE_REDO ? "redo" : "undo";
}

void em_undo_add_reason(em_reply *reply, const em_undo_request *request,
                        const em_undo_outcome *outcome)
{
    const em_undo_conflict *conflict = &outcome->conflict;
    const char *verb = verb_of(request, outcome);
    if (em_is_of_consent(&outcome->error)) {
        const char *what = outcome->call_id
                               ? em_reply_format(reply, "the %s of %s", verb, outcome->call_id)
                               : "the rewind";
        em_strbuf_puts(&reply->text, em_reason_of_consent(reply, &outcome->error, what));
        return;
    }
    if (outcome->call_id)
        em_strbuf_printf(&reply->text, "Cannot %s %s: ", verb, outcome->call_id);
    em_strbuf_puts(&reply->text, outcome->error.detail);
    if (!conflict->path)
        return;
    if (conflict->has_was)
        add_lines(reply, "The change had left there", conflict->was, EM_SHOWN_LIMIT / 2);
    if (conflict->has_now)
        add_lines(reply,
                  em_reply_format(reply, "What stands there now, at line %zu", conflict->line),
                  conflict->now, EM_SHOWN_LIMIT / 2);
    add_other_endings(reply, conflict);
}
