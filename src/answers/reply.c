/* reply.c: paths, limits, places, diffs and fields, as the answers of all dialects have them.
 *
 * Begin with em_reply_init(), which sets how much may be shown, and em_reply_take(), by which all
 * that is shown of a file is counted.
 */
#include "answers/reply.h"

#include "answers/expected_lines.h"
#include "base/utf8.h"
#include "tools/toolset.h"

#include <stdarg.h>

/* Lines shown before and, at most, in a preview. */
enum { PREVIEW_BEFORE = 2, PREVIEW_LINES = 20 };

void em_reply_init(em_reply *reply, const em_call *call, const em_words *words, const char *path,
                   const em_outcome *outcome)
{
    *reply = (em_reply){.call = call,
                        .arena = call->arena,
                        .shown_left = EM_SHOWN_LIMIT,
                        .echo_limit = EM_ECHO_LIMIT,
                        .repeats_left = EM_ECHO_LIMIT};
    em_reply_turn_to(reply, words, path, outcome);
}

const em_diagnosis *em_reply_diagnosis(const em_reply *reply)
{
    return reply->outcome ? reply->outcome->failure.diagnosis : NULL;
}

bool em_text_can_be_sent(em_slice text)
{
    return !em_slice_has_byte(text, '\0') && em_utf8_invalid_at(text) == EM_NPOS;
}

bool em_can_be_sent(const em_correction *correction)
{
    return em_text_can_be_sent(correction->find) && em_text_can_be_sent(correction->insert);
}

static const em_correction *correction_of(const em_reply *reply)
{
    const em_diagnosis *diagnosis = em_reply_diagnosis(reply);
    if (!diagnosis || !diagnosis->has_correction)
        return NULL;
    const em_correction *correction = &diagnosis->correction;
    return em_can_be_sent(correction) ? correction : NULL;
}

bool em_correction_changes_insert(const em_reply *reply)
{
    const em_op *op = reply->outcome->failed_op;
    return op->kind != EM_OP_DELETE && !em_slice_eq(op->insert, reply->correction->insert);
}

/* A replacement that stays as it was sent is not given again. */
static bool can_be_shown(const em_reply *reply)
{
    const em_correction *correction = reply->correction;
    return correction->find.len <= reply->shown_left &&
           (correction->insert.len <= reply->echo_limit || !em_correction_changes_insert(reply));
}

void em_reply_share(em_reply *reply, size_t most)
{
    reply->shown_left = em_least(most, EM_SHOWN_LIMIT);
    reply->echo_limit = reply->repeats_left = em_least(most, EM_ECHO_LIMIT);
}

void em_reply_see(em_reply *reply, const em_outcome *outcome)
{
    reply->outcome = outcome;
    reply->diff_text = NULL;
    reply->correction = correction_of(reply);
    reply->shows_correction = reply->correction && can_be_shown(reply);
    if (reply->shows_correction)
        reply->shown_left -= reply->correction->find.len;
}

void em_reply_turn_to(em_reply *reply, const em_words *words, const char *path,
                      const em_outcome *outcome)
{
    reply->words = words;
    reply->path = em_reply_path_shown(reply, path);
    em_reply_see(reply, outcome);
}

void em_reply_drop(em_reply *reply)
{
    em_strbuf_drop(&reply->text);
}

static const char *kept(em_reply *reply, const char *string)
{
    if (string)
        return string;
    reply->json.failed = true;
    return "";
}

const char *em_reply_text(em_reply *reply)
{
    EM_AUTO(em_strbuf) valid = {0};
    em_slice rest = em_strbuf_slice(&reply->text);
    while (rest.len > 0) {
        const char *nul = memchr(rest.ptr, '\0', rest.len);
        size_t length = nul ? (size_t)(nul - rest.ptr) : rest.len;
        em_add_valid_utf8(&valid, em_slice_sub(rest, 0, length));
        if (nul)
            em_strbuf_puts(&valid, "\xE2\x90\x80"); /* U+2400 SYMBOL FOR NULL */
        rest = em_slice_from(rest, nul ? length + 1 : length);
    }
    bool failed = reply->text.failed || reply->json.failed;
    return failed ? NULL : em_strbuf_finish(&valid, reply->arena);
}

em_slice em_reply_read(em_reply *reply)
{
    EM_AUTO(em_strbuf) valid = {0};
    em_add_valid_utf8(&valid, em_strbuf_slice(&reply->text));
    bool failed = reply->text.failed || reply->json.failed;
    const char *bytes = failed ? NULL : em_strbuf_finish(&valid, reply->arena);
    return bytes ? em_slice_make(bytes, valid.len) : (em_slice){0};
}

const char *em_reply_format(em_reply *reply, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const char *text = em_arena_format_v(reply->arena, format, args);
    va_end(args);
    return kept(reply, text);
}

const char *em_full_stop(const char *sentence)
{
    size_t length = strlen(sentence);
    return length > 0 && strchr("?.<", sentence[length - 1]) ? "" : ".";
}

unsigned em_percent(double similarity)
{
    static const double ROUNDING = 1e-9; /* 0.29 * 100 is a little less than 29 */
    return (unsigned)(similarity * 100 + ROUNDING);
}

/* ---- Paths --------------------------------------------------------------------------------- */

/* Would it move the cursor, turn the text round, or not be seen? */
static bool is_deceptive(uint32_t code)
{
    return code < 0x20 || (code >= 0x7F && code < 0xA0) || code == 0x200B || code == 0x200E ||
           code == 0x200F || (code >= 0x2028 && code <= 0x202E) || code == 0x2060 ||
           (code >= 0x2066 && code <= 0x2069) || code == 0xFEFF;
}

static void add_escaped(em_strbuf *out, em_slice text, const char *stay, bool for_message)
{
    for (size_t at = 0; at < text.len;) {
        size_t next = at;
        uint32_t code = em_utf8_next(text, &next);
        em_slice bytes = em_slice_sub(text, at, next);
        bool stays = bytes.len == 1 && text.ptr[at] && strchr(stay, text.ptr[at]);
        if (bytes.len == 1 && (unsigned char)text.ptr[at] >= 0x80)
            em_strbuf_printf(out, "\\x%02X", (unsigned char)text.ptr[at]);
        else if (for_message && !stays && is_deceptive(code))
            em_strbuf_printf(out, code < 0x80 ? "\\x%02X" : "\\u%04X", (unsigned)code);
        else
            em_strbuf_add(out, bytes);
        at = next;
    }
}

void em_add_harmless(em_strbuf *out, em_slice text, const char *stay)
{
    add_escaped(out, text, stay, true);
}

em_shown_name em_show_name(em_slice name)
{
    enum { SHOWN_MOST = 100 }; /* of which each byte becomes "\xNN" at most */
    EM_AUTO(em_strbuf) out = {0};
    em_shown_name shown = {"?"};
    em_add_harmless(&out, em_reply_cut(name, SHOWN_MOST), "");
    if (!out.failed)
        snprintf(shown.text, sizeof shown.text, "%.*s", (int)out.len, out.len > 0 ? out.ptr : "");
    return shown;
}

static const char *path_escaped(em_reply *reply, const char *path, bool for_message)
{
    EM_AUTO(em_strbuf) out = {0};
    add_escaped(&out, em_reply_echo(reply, em_slice_of(path)), "", for_message);
    return kept(reply, em_strbuf_finish(&out, reply->arena));
}

const char *em_reply_path_shown(em_reply *reply, const char *path)
{
    return path_escaped(reply, path, true);
}

const char *em_reply_path_field(em_reply *reply, const char *path)
{
    return path_escaped(reply, path, false);
}

/* ---- Why it failed ------------------------------------------------------------------------- */

const char *em_reply_cause(const em_reply *reply)
{
    const em_diagnosis *diagnosis = em_reply_diagnosis(reply);
    em_cause cause = reply->outcome->error.cause;
    em_expected_lines expected;
    if (em_expected_numbered_lines(reply->outcome, reply->call->arena, &expected))
        return em_miss_name(EM_MISS_LINE_NUMBERS);
    if (diagnosis && cause == EM_CAUSE_NOT_FOUND && diagnosis->miss != EM_MISS_UNKNOWN)
        return em_miss_name(diagnosis->miss);
    return cause == EM_CAUSE_NONE ? NULL : em_cause_name(cause);
}

/* ---- Limits -------------------------------------------------------------------------------- */

em_slice em_reply_cut(em_slice s, size_t most)
{
    return s.len <= most ? s : em_slice_sub(s, 0, em_utf8_floor(s, most));
}

em_slice em_reply_echo(em_reply *reply, em_slice text)
{
    em_slice echo = em_reply_cut(text, reply->echo_limit);
    if (echo.len < text.len)
        reply->echo_truncated = true;
    return echo;
}

bool em_reply_repeats(em_reply *reply, em_slice piece)
{
    bool fits = piece.len <= reply->repeats_left;
    if (fits)
        reply->repeats_left -= piece.len;
    else
        reply->echo_truncated = true;
    return fits;
}

em_slice em_reply_repeat(em_reply *reply, em_slice piece)
{
    em_slice part = em_reply_cut(piece, reply->repeats_left);
    reply->repeats_left -= part.len;
    if (part.len < piece.len)
        reply->echo_truncated = true;
    return part;
}

em_slice em_reply_take(em_reply *reply, em_slice text, size_t most)
{
    if (most > reply->shown_left)
        most = reply->shown_left;
    em_slice taken = em_reply_cut(text, most);
    reply->shown_left -= taken.len;
    return taken;
}

static void add_cut_note(em_reply *reply, em_slice part, em_slice whole)
{
    if (part.len < whole.len)
        em_strbuf_printf(&reply->text, " (the first %zu of %zu bytes)", part.len, whole.len);
}

static void add_between_markers(em_reply *reply, em_slice part, em_slice whole)
{
    em_strbuf_puts(&reply->text, ">>>");
    em_strbuf_add(&reply->text, part);
    em_strbuf_puts(&reply->text, "<<<");
    add_cut_note(reply, part, whole);
}

void em_reply_add_echo(em_reply *reply, em_slice text)
{
    add_between_markers(reply, em_reply_echo(reply, text), text);
}

void em_reply_add_bare_echo(em_reply *reply, em_slice text)
{
    em_slice echo = em_reply_echo(reply, text);
    em_strbuf_add(&reply->text, echo);
    add_cut_note(reply, echo, text);
}

void em_reply_add_shown(em_reply *reply, em_slice text)
{
    add_between_markers(reply, em_reply_take(reply, text, text.len), text);
}

/* ---- What the server offers ---------------------------------------------------------------- */

const em_tool *em_reply_find_tool(const em_reply *reply, unsigned flag)
{
    const em_toolset *offered = reply->call->offered;
    const em_tool *first = NULL;
    for (size_t i = 0; i < offered->count; i++) {
        const em_tool *tool = offered->tools[i];
        if (!(tool->flags & flag))
            continue;
        if (em_tools_are_kin(reply->call->tool, tool))
            return tool;
        if (!first)
            first = tool;
    }
    return first;
}

const char *em_reply_tool_with(const em_reply *reply, unsigned flag)
{
    const em_tool *tool = em_reply_find_tool(reply, flag);
    return tool ? tool->name : NULL;
}

const char *em_reply_way_to_more_time(const em_reply *reply)
{
    return reply->call->is_command ? "--deadline gives more time"
                                   : "Who runs the server can give more time with --deadline";
}

const char *em_reply_way_to_more_memory(const em_reply *reply)
{
    return reply->call->is_command ? "--max-memory allows more, where the machine has it"
                                   : "Who runs the server can allow more with --max-memory, where "
                                     "the machine has it";
}

/* ---- Places -------------------------------------------------------------------------------- */

/* Did the call fail, and keep some of its edits? */
static bool is_kept_in_part(const em_reply *reply)
{
    return reply->outcome->committed && reply->outcome->status != EM_OK;
}

size_t em_reply_line_now(const em_reply *reply, size_t line)
{
    const em_outcome *outcome = reply->outcome;
    return is_kept_in_part(reply) ? em_lines_after(&outcome->lines, outcome->plan.splices, line)
                                  : line;
}

size_t em_reply_near_line(const em_reply *reply, const em_near *near)
{
    return is_kept_in_part(reply) && near->line_now > 0 ? near->line_now
                                                        : em_reply_line_now(reply, near->line);
}

static em_slice first_line(em_slice text)
{
    size_t length = 0;
    while (length < text.len && em_eol_at(text, length) == EM_EOL_NONE)
        length++;
    return em_slice_sub(text, 0, length);
}

static em_spot spot_inserted(const em_reply *reply, const em_match *match, em_slice find)
{
    em_slice before = em_slice_sub(match->line_text, 0, match->line_at);
    em_spot spot = {.line = em_lines_at(&reply->outcome->lines, match->start),
                    .column_start = em_utf8_count(before) + 1,
                    .inserted = true,
                    .content = first_line(match->line_text),
                    .at = match->line_at};
    spot.column_end = spot.column_start + em_utf8_count(first_line(find));
    spot.end_line = spot.line;
    return spot;
}

em_spot em_reply_spot(const em_reply *reply, const em_match *match, em_slice find)
{
    const em_lines *lines = &reply->outcome->lines;
    if (match->inserted)
        return spot_inserted(reply, match, find);
    em_position start = em_lines_position(lines, match->start);
    em_position end = em_lines_position(lines, match->end);
    return (em_spot){.line = start.line,
                     .column_start = start.column,
                     .column_end = end.column,
                     .end_line = end.line,
                     .content = em_lines_content(lines, start.line),
                     .at = match->start - em_lines_line(lines, start.line).start};
}

em_slice em_reply_window(em_reply *reply, em_slice line, size_t at, size_t most)
{
    if (most > reply->shown_left)
        most = reply->shown_left;
    size_t start = 0;
    if (line.len > most && at > most / 4)
        start = em_utf8_floor(line, at - most / 4);
    return em_reply_take(reply, em_slice_from(line, start), most);
}

/* ---- Locations ----------------------------------------------------------------------------- */

/* A line beside a match, if there is one and it may be shown whole. */
static void set_context(em_reply *reply, json_t *object, const char *key, size_t line, size_t most)
{
    const em_lines *lines = &reply->outcome->lines;
    if (line < 1 || line > em_lines_count(lines))
        return;
    em_slice content = em_lines_content(lines, line);
    if (content.len <= most && content.len <= reply->shown_left)
        em_json_set_text(&reply->json, object, key, em_reply_take(reply, content, content.len));
}

static json_t *location(em_reply *reply, const em_match *match, em_slice find, size_t share)
{
    em_json *json = &reply->json;
    em_spot spot = em_reply_spot(reply, match, find);
    size_t before = reply->shown_left;
    em_slice shown = em_reply_window(reply, spot.content, spot.at, share);
    json_t *object = em_json_object(json);
    em_json_set_size(json, object, "line_number", spot.line);
    em_json_set_size(json, object, "column_start", spot.column_start);
    em_json_set_size(json, object, "column_end", spot.column_end);
    if (spot.end_line != spot.line)
        em_json_set_size(json, object, "end_line_number", spot.end_line);
    em_json_set_text(json, object, "line_content", shown);
    if (shown.len < spot.content.len)
        em_json_set_bool(json, object, "line_truncated", true);
    if (spot.inserted) {
        em_json_set_bool(json, object, "in_inserted_text", true);
        return object;
    }
    share -= before - reply->shown_left;
    before = reply->shown_left;
    set_context(reply, object, "context_before", spot.line - 1, share);
    share -= before - reply->shown_left;
    set_context(reply, object, "context_after", spot.line + 1, share);
    return object;
}

void em_reply_set_locations(em_reply *reply, json_t *object, em_slice find, size_t share)
{
    em_json *json = &reply->json;
    const em_plan_failure *failure = &reply->outcome->failure;
    size_t count =
        failure->places.count < EM_LOCATION_LIMIT ? failure->places.count : EM_LOCATION_LIMIT;
    size_t kept_back = share < reply->shown_left ? reply->shown_left - share : 0;
    json_t *list = em_json_array(json);
    for (size_t i = 0; i < count; i++) {
        size_t left = reply->shown_left - kept_back;
        em_json_add(json, list,
                    location(reply, &failure->places.items[i], find, left / (count - i)));
    }
    em_json_set(json, object, "match_locations", list);
    em_json_set_bool(json, object, "locations_truncated", count < failure->actual);
}

/* ---- Preview ------------------------------------------------------------------------------- */

/* A section of the file. */
typedef struct section {
    size_t first, last; /* lines */
    size_t middle;      /* the line that it is about */
} section;

static section section_around(size_t line, size_t total)
{
    size_t first = line > PREVIEW_BEFORE ? line - PREVIEW_BEFORE : 1;
    size_t last = first + PREVIEW_LINES - 1 < total ? first + PREVIEW_LINES - 1 : total;
    if (last < first) /* an empty file, whose only line is no line yet */
        last = first;
    return (section){.first = first, .last = last, .middle = line};
}

static em_slice section_text(const em_lines *lines, const section *s)
{
    return em_slice_sub(lines->body, em_lines_line(lines, s->first).start,
                        em_lines_line(lines, s->last).end);
}

/* The lines that may be shown whole, as they stand in the file: those farthest from the middle go
 * first. Of that as much as may be shown. */
static em_slice take_section(em_reply *reply, section *s)
{
    const em_lines *lines = &reply->outcome->lines;
    while (s->last > s->first && section_text(lines, s).len > reply->shown_left) {
        if (s->last > s->middle && s->last - s->middle >= s->middle - s->first)
            s->last--;
        else
            s->first++;
    }
    em_slice text = section_text(lines, s);
    return em_reply_take(reply, text, text.len);
}

static void add_highlight(em_reply *reply, json_t *list, em_spot spot, const char *kind)
{
    em_json *json = &reply->json;
    size_t end = spot.end_line == spot.line ? spot.column_end : em_utf8_count(spot.content) + 1;
    json_t *object = em_json_object(json);
    em_json_set_size(json, object, "line_number", spot.line);
    em_json_set_size(json, object, "column_start", spot.column_start);
    em_json_set_size(json, object, "column_end", end);
    em_json_set_string(json, object, "kind", kind);
    em_json_add(json, list, object);
}

/* Where the part of a place begins that is similar. */
static em_spot spot_of_near(const em_reply *reply, const em_near *near)
{
    em_slice first = first_line(near->piece);
    return (em_spot){.line = near->line,
                     .column_start = near->piece_column,
                     .column_end = near->piece_column + em_utf8_count(first),
                     .end_line = first.len == near->piece.len ? near->line : near->end_line,
                     .inserted = near->inserted,
                     .content = em_lines_content(&reply->outcome->lines, near->line)};
}

/* What is to be seen of a file: where its matches are, or what is similar. */
typedef struct sights {
    em_spot spots[EM_LOCATION_LIMIT];
    size_t count;
    const char *kind;
} sights;

static void find_sights(const em_reply *reply, em_slice find, sights *found)
{
    const em_plan_failure *failure = &reply->outcome->failure;
    const em_diagnosis *diagnosis = failure->diagnosis;
    *found = (sights){.kind = diagnosis ? "similar" : "match"};
    for (size_t i = 0; diagnosis && i < diagnosis->near_count; i++)
        found->spots[found->count++] = spot_of_near(reply, &diagnosis->near[i]);
    for (size_t i = 0; !diagnosis && i < failure->places.count && i < EM_LOCATION_LIMIT; i++)
        found->spots[found->count++] = em_reply_spot(reply, &failure->places.items[i], find);
}

json_t *em_reply_file_preview(em_reply *reply, em_slice find)
{
    em_json *json = &reply->json;
    const em_lines *lines = &reply->outcome->lines;
    sights seen;
    find_sights(reply, find, &seen);
    size_t total = em_lines_count(lines);
    section shown = section_around(seen.count > 0 ? seen.spots[0].line : 1, total);
    em_slice content = take_section(reply, &shown);
    json_t *object = em_json_object(json), *highlights = em_json_array(json);
    for (size_t i = 0; i < seen.count; i++)
        if (!seen.spots[i].inserted && seen.spots[i].line >= shown.first &&
            seen.spots[i].line <= shown.last)
            add_highlight(reply, highlights, seen.spots[i], seen.kind);
    em_json_set_size(json, object, "total_lines", total);
    em_json_set_size(json, object, "preview_start_line", shown.first);
    em_json_set_size(json, object, "preview_end_line", shown.last < total ? shown.last : total);
    em_json_set_text(json, object, "content", content);
    em_json_set(json, object, "highlights", highlights);
    return object;
}

/* ---- Diffs --------------------------------------------------------------------------------- */

const char *em_reply_diff_text(em_reply *reply)
{
    const em_outcome *outcome = reply->outcome;
    if (!reply->diff_text)
        reply->diff_text = kept(
            reply, em_diff_render(&outcome->diff, em_outcome_diff_names(outcome), reply->arena));
    return reply->diff_text;
}

static json_t *hunk_json(em_reply *reply, const em_hunk *hunk)
{
    em_json *json = &reply->json;
    json_t *object = em_json_object(json), *lines = em_json_array(json);
    for (size_t i = 0; i < hunk->line_count; i++) {
        EM_AUTO(em_strbuf) line = {0};
        em_strbuf_putc(&line, hunk->lines[i].kind);
        em_strbuf_add(&line, hunk->lines[i].text);
        json->failed = json->failed || line.failed;
        em_json_add(json, lines, em_json_text(json, em_strbuf_slice(&line)));
    }
    em_json_set_size(json, object, "old_start", hunk->old_start);
    em_json_set_size(json, object, "old_lines", hunk->old_lines);
    em_json_set_size(json, object, "new_start", hunk->new_start);
    em_json_set_size(json, object, "new_lines", hunk->new_lines);
    em_json_set(json, object, "lines", lines);
    return object;
}

json_t *em_reply_diff(em_reply *reply)
{
    em_json *json = &reply->json;
    const em_diff *diff = &reply->outcome->diff;
    json_t *object = em_json_object(json), *hunks = em_json_array(json);
    for (size_t i = 0; i < diff->hunk_count; i++)
        em_json_add(json, hunks, hunk_json(reply, &diff->hunks[i]));
    em_json_set_string(json, object, "unified", em_reply_diff_text(reply));
    em_json_set(json, object, "hunks", hunks);
    em_json_set_size(json, object, "lines_added", diff->lines_added);
    em_json_set_size(json, object, "lines_removed", diff->lines_removed);
    em_json_set_bool(json, object, "truncated", diff->truncated);
    return object;
}

/* ---- What became of the file ---------------------------------------------------------------- */

void em_reply_set_state(em_reply *reply, json_t *object, const char *prefix)
{
    const em_outcome *outcome = reply->outcome;
    if (outcome->hash.hex[0])
        em_json_set_string(&reply->json, object, em_reply_format(reply, "%shash", prefix),
                           outcome->hash.hex);
    if (outcome->edit_id[0])
        em_json_set_string(&reply->json, object, em_reply_format(reply, "%sedit_id", prefix),
                           outcome->edit_id);
}

void em_reply_set_backup(em_reply *reply, json_t *object)
{
    const char *path = reply->outcome->backup_path;
    if (path)
        em_json_set_string(&reply->json, object, "backup_path", em_reply_path_field(reply, path));
}

void em_reply_add_backup(em_reply *reply)
{
    const char *path = reply->outcome->backup_path;
    if (path)
        em_strbuf_printf(&reply->text, "\nBackup: %s", em_reply_path_shown(reply, path));
}
