/* show.c: a change of the history as a diff, from what is kept of it or from the whole file. */
#include "session/show.h"

#include "base/strbuf.h"
#include "history/inverse.h"
#include "past/past.h"
#include "past/versions.h"
#include "session/session_state.h"
#include "text/count.h"
#include "text/token.h"
#include "workspace/content.h"

/* One change while it is shown. */
typedef struct showing {
    em_workspace *ws;
    const em_row *row;
    em_inverse change;
    em_diff diff;
    size_t hunk_room;
    size_t old_line, new_line; /* lines before the group that is shown */
    bool has_cut_lines;        /* as in em_shown */
    em_arena *arena;
} showing;

/* ---- From what the history has -------------------------------------------------------------- */

/* A place of the change, its bytes as text. */
typedef struct place_text {
    em_slice before, old, new, after;
} place_text;

static em_status decode_place(const showing *s, const em_place_change *place, place_text *text)
{
    const char *charset = s->change.kind.charset;
    EM_TRY(em_text_decode(place->before, charset, s->arena, &text->before));
    EM_TRY(em_text_decode(place->old_bytes, charset, s->arena, &text->old));
    EM_TRY(em_text_decode(place->new_bytes, charset, s->arena, &text->new));
    return em_text_decode(place->after, charset, s->arena, &text->after);
}

/* A stretch of the file of which all is known, as a text of its own. */
typedef struct group {
    em_strbuf body;
    em_splice *splices;
    size_t count;
} group;

static void group_drop(group *g)
{
    em_strbuf_drop(&g->body);
}

static em_status group_add(const showing *s, const em_place_change *place, group *g)
{
    place_text text;
    EM_TRY(decode_place(s, place, &text));
    em_strbuf_add(&g->body, text.before);
    g->splices[g->count++] = (em_splice){g->body.len, text.old.len, text.new};
    em_strbuf_add(&g->body, text.old);
    em_strbuf_add(&g->body, text.after);
    return EM_OK;
}

static size_t count_lines(em_slice bytes)
{
    return em_count_lfs(bytes, 0, bytes.len);
}

/* The hunks of a group, with the numbers that its lines have in the file. */
static em_status hunks_add(showing *s, const em_diff *diff, bool at_end)
{
    for (size_t i = 0; i < diff->hunk_count; i++) {
        em_hunk hunk = diff->hunks[i];
        hunk.old_start += s->old_line;
        hunk.new_start += s->new_line;
        for (size_t j = 0; j < hunk.line_count && !at_end; j++)
            hunk.lines[j].no_newline = false; /* it is the text that ends there, not the file */
        EM_TRY(em_arena_grow(s->arena, (void **)&s->diff.hunks, s->diff.hunk_count, &s->hunk_room,
                             sizeof hunk));
        s->diff.hunks[s->diff.hunk_count++] = hunk;
    }
    s->diff.binary = s->diff.binary || diff->binary;
    s->diff.lines_added += diff->lines_added;
    s->diff.lines_removed += diff->lines_removed;
    return EM_OK;
}

static em_status show_group(showing *s, group *g, bool at_end)
{
    em_diff diff;
    em_diff_limits none = {0};
    em_slice body = em_strbuf_slice(&g->body);
    const char *copy = em_strbuf_finish(&g->body, s->arena);
    if (!copy)
        return EM_E_NOMEM;
    em_splices splices = {g->splices, g->count};
    EM_TRY(em_diff_make(em_slice_make(copy, body.len), splices, none, s->arena, &diff));
    return hunks_add(s, &diff, at_end);
}

/* How many places from `index` on there are of which all in between is known. */
static size_t count_together(const em_inverse *change, size_t index)
{
    size_t end = index;
    while (em_inverse_reaches_next(change, end))
        end++;
    return end + 1 - index;
}

/* Does what is kept before the place begin with a line? Where it is as long as it may be, and where
 * nothing was kept, that is not known. */
static bool begins_line(const showing *s, const em_place_change *place)
{
    size_t unit = s->change.kind.newline.len, length = place->before.len;
    return place->old_at == length || (length > 0 && length + unit <= EM_CONTEXT_MOST);
}

/* Does what is kept behind the last of the places before `end` end with a line, or the file? */
static bool ends_line(const showing *s, size_t end)
{
    bool is_last = end == s->change.count;
    em_slice after = s->change.places[end - 1].after;
    return em_slice_ends(after, s->change.kind.newline) || (is_last && s->change.ends_file);
}

/* Show these places; *index moves behind them. */
static em_status show_places(showing *s, size_t *index)
{
    EM_AUTO(group) g = {.count = 0};
    const em_inverse *change = &s->change;
    const em_place_change *first = &change->places[*index];
    size_t count = count_together(change, *index);
    em_slice before;
    g.splices = em_alloc_array(s->arena, count, sizeof *g.splices);
    if (!g.splices)
        return EM_E_NOMEM;
    EM_TRY(em_text_decode(first->before, s->change.kind.charset, s->arena, &before));
    size_t line = first->line - count_lines(before), shift = s->new_line - s->old_line;
    s->old_line = line;
    s->new_line = line + shift;
    while (g.count < count)
        EM_TRY(group_add(s, &change->places[(*index)++], &g));
    s->has_cut_lines = s->has_cut_lines || !begins_line(s, first) || !ends_line(s, *index);
    EM_TRY(show_group(s, &g, *index == change->count && change->ends_file));
    for (size_t i = 0; i < g.count; i++) {
        em_slice old = em_slice_sub(em_strbuf_slice(&g.body), g.splices[i].offset,
                                    g.splices[i].offset + g.splices[i].length);
        s->new_line += count_lines(g.splices[i].insert) - count_lines(old);
    }
    return EM_OK;
}

static em_status show_all_places(showing *s)
{
    for (size_t i = 0; i < s->change.count;)
        EM_TRY(show_places(s, &i));
    if (s->diff.binary) /* one line stands for all of it */
        s->diff.hunk_count = 0;
    return EM_OK;
}

/* ---- From the whole file -------------------------------------------------------------------- */

/* All of the file as the change left it; EM_E_NOT_FOUND. */
static em_status find_new(const showing *s, em_slice *bytes)
{
    em_file file;
    const char *path = em_row_path(s->row, s->arena);
    if (!path)
        return EM_E_NOMEM;
    em_status opened = em_ws_open_file(s->ws, path, EM_TO_READ, EM_MAY_BE_MISSING, 0, &file, NULL);
    if (opened == EM_E_NOMEM)
        return opened;
    em_file gone = {.path = path};
    em_status status = em_version_find(s->ws, opened == EM_OK ? &file : &gone, s->row->new_hash,
                                       s->arena, bytes, NULL);
    if (status == EM_OK) { /* it may be the file's own */
        const char *copy = em_arena_string(s->arena, *bytes);
        *bytes = em_slice_make(copy, bytes->len);
        status = copy ? EM_OK : EM_E_NOMEM;
    }
    if (opened == EM_OK)
        em_file_close(s->ws, &file);
    return status;
}

/* Fill in what is missing: the change again, from the new content, with all that is to be known. */
static em_status complete(showing *s)
{
    em_slice new, old, code;
    em_splices back;
    em_status status = find_new(s, &new);
    if (status != EM_OK)
        return status == EM_E_NOMEM ? status : EM_OK;
    EM_TRY(em_inverse_back(&s->change, s->arena, &back));
    em_content content = {.old = new, .splices = back};
    if (!em_content_valid(&content))
        return EM_OK;
    EM_TRY(em_content_join(&content, s->arena, &old));
    em_splice *forth = em_alloc_array(s->arena, s->change.count, sizeof *forth);
    if (!forth)
        return EM_E_NOMEM;
    for (size_t i = 0; i < s->change.count; i++) {
        const em_place_change *place = &s->change.places[i];
        forth[i] = (em_splice){place->old_at, place->old_bytes.len,
                               em_slice_sub(new, place->new_at, place->new_at + place->new_length)};
    }
    em_splices splices = {forth, s->change.count};
    EM_TRY(em_inverse_encode(old, NULL, splices, s->change.kind, s->arena, &code));
    EM_TRY(em_inverse_decode(code, s->arena, &s->change));
    for (size_t i = 0; i < s->change.count; i++) { /* also what is too long to be recorded */
        em_place_change *place = &s->change.places[i];
        place->new_bytes = em_slice_sub(new, place->new_at, place->new_at + place->new_length);
        place->has_new = true;
    }
    return EM_OK;
}

/* ---- The face ------------------------------------------------------------------------------ */

static bool is_complete(const em_inverse *change)
{
    for (size_t i = 0; i < change->count; i++) {
        if (!change->places[i].has_new || change->places[i].line == EM_NPOS)
            return false;
    }
    return true;
}

static bool is_binary(const em_inverse *change)
{
    if (change->kind.charset)
        return false;
    for (size_t i = 0; i < change->count; i++) {
        const em_place_change *place = &change->places[i];
        const em_slice parts[] = {place->before, place->old_bytes, place->new_bytes, place->after};
        for (size_t j = 0; j < sizeof parts / sizeof *parts; j++) {
            if (em_slice_has_byte(parts[j], '\0'))
                return true;
        }
    }
    return false;
}

/* What is not known: the text is shown without it, from line 1 where not even the line is. */
static void note_missing(showing *s, em_shown *shown)
{
    for (size_t i = 0; i < s->change.count; i++) {
        em_place_change *place = &s->change.places[i];
        if (!place->has_new)
            shown->missing += place->new_length;
        if (place->line == EM_NPOS)
            place->line = 0;
    }
}

em_status em_show_change(em_session *session, const em_row *row, em_arena *arena, em_shown *shown,
                         em_error *err)
{
    showing s = {.ws = session->workspace, .row = row, .arena = arena};
    *shown = (em_shown){.diff = ""};
    EM_TRY(em_past_change(s.ws, row, arena, &s.change, err));
    shown->not_recorded = s.change.count == 0 && !em_row_changes_nothing(row);
    if (!is_complete(&s.change))
        EM_TRY(complete(&s));
    note_missing(&s, shown);
    shown->is_binary = is_binary(&s.change);
    if (shown->is_binary)
        return EM_OK;
    EM_TRY(show_all_places(&s));
    em_diff_names names = {row->path, row->kind == EM_ROW_CREATE, row->kind == EM_ROW_REMOVE};
    shown->diff = em_diff_render(&s.diff, names, arena);
    shown->lines_added = s.diff.lines_added;
    shown->lines_removed = s.diff.lines_removed;
    shown->has_cut_lines = s.has_cut_lines && s.diff.hunk_count > 0;
    return shown->diff ? EM_OK : EM_E_NOMEM;
}

/* ---- In a line ------------------------------------------------------------------------------ */

/* The last line of what stands in front of a place, as far as the place. */
static em_slice last_line(em_slice text)
{
    return em_slice_from(text, em_slice_behind_last(text, '\n'));
}

static em_slice first_line(em_slice text)
{
    size_t end = em_slice_until(text, '\n');
    return em_slice_sub(text, 0, end > 0 && text.ptr[end - 1] == '\r' ? end - 1 : end);
}

/* The first line that has something in it. */
static em_slice first_filled_line(em_slice text)
{
    while (text.len > 0 && (*text.ptr == '\n' || *text.ptr == '\r'))
        text = em_slice_from(text, 1);
    return first_line(text);
}

/* The word that begins, or ends, a text; empty where none does. */
static em_slice first_word(em_slice text)
{
    em_token token;
    bool is = em_token_next(text, 0, EM_FOLD_NOTHING, &token) && token.start == 0 &&
              em_token_is_word(em_token_bytes(text, token));
    return is ? em_token_bytes(text, token) : em_slice_sub(text, 0, 0);
}

static em_slice last_word(em_slice text)
{
    em_token token;
    bool is = em_token_previous(text, text.len, EM_FOLD_NOTHING, &token) && token.end == text.len &&
              em_token_is_word(em_token_bytes(text, token));
    return is ? em_token_bytes(text, token) : em_slice_from(text, text.len);
}

static em_status join(em_slice head, em_slice *middle, em_slice tail, em_arena *arena)
{
    EM_AUTO(em_strbuf) joined = {0};
    em_strbuf_add(&joined, head);
    em_strbuf_add(&joined, *middle);
    em_strbuf_add(&joined, tail);
    return em_strbuf_keep(&joined, arena, middle);
}

/* A change as whole words: two became three, not wo hree. */
static em_status widen_to_words(em_brief *brief, em_arena *arena)
{
    em_slice head = last_word(brief->before), tail = first_word(brief->after);
    if (first_word(brief->old).len == 0 && first_word(brief->new).len == 0)
        head = em_slice_from(head, head.len);
    if (last_word(brief->old).len == 0 && last_word(brief->new).len == 0)
        tail = em_slice_sub(tail, 0, 0);
    EM_TRY(join(head, &brief->old, tail, arena));
    EM_TRY(join(head, &brief->new, tail, arena));
    brief->before.len -= head.len;
    brief->after = em_slice_from(brief->after, tail.len);
    return EM_OK;
}

static em_status brief_place(const showing *s, em_brief *brief)
{
    const em_place_change *place = &s->change.places[0];
    place_text text;
    EM_TRY(decode_place(s, place, &text));
    brief->line = place->line == EM_NPOS ? 0 : place->line + 1;
    brief->before = last_line(text.before);
    brief->old = first_filled_line(text.old);
    brief->new = first_filled_line(text.new);
    if (!em_slice_has_byte(text.old, '\n') && !em_slice_has_byte(text.new, '\n'))
        brief->after = first_line(text.after);
    return widen_to_words(brief, s->arena);
}

em_status em_show_brief(em_session *session, const em_row *row, em_arena *arena, em_brief *brief,
                        em_error *err)
{
    showing s = {.ws = session->workspace, .row = row, .arena = arena};
    *brief = (em_brief){.is_known = false};
    if (row->old_size > EM_BRIEF_MOST || row->new_size > EM_BRIEF_MOST)
        return EM_OK;
    EM_TRY(em_past_change(s.ws, row, arena, &s.change, err));
    brief->is_known = s.change.count > 0;
    brief->is_binary = is_binary(&s.change);
    if (!brief->is_known || brief->is_binary)
        return EM_OK;
    EM_TRY(brief_place(&s, brief));
    brief->is_counted = is_complete(&s.change);
    if (!brief->is_counted)
        return EM_OK;
    EM_TRY(show_all_places(&s));
    brief->lines_added = s.diff.lines_added;
    brief->lines_removed = s.diff.lines_removed;
    return EM_OK;
}
