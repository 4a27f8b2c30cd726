/* undo_plain.c: is a change still in the content, at the place where it was found?
 *
 * What the change left stands there once, at least with the lines on one side. That is not enough
 * where somebody has taken the change back: of lines that are gone nothing need be left but what
 * stood around, and of lines that came, their like may have been there before. So
 *
 *  (1) lines stand where the change left lines: what was found does not begin or end within others;
 *  (2) lines come back only between those that stood around, or at the end of the file where they
 *      were, also where others came in the same place;
 *  (3) where the change ended a line that was not ended there, or left one open that was, what
 *      stands behind is what stood there, or the end of the file where that was it;
 *  (4) lines that stand next to their like are as many as the change left; and
 *  (5) where some of what stood around is not there, or an end of the file is not where it was,
 *      what was found is not what stood there before the change, too; and what stood there then
 *      stands nowhere, and none of its lines next to the place.
 */
#include "session/undo_impl.h"

#include "text/hunks.h"

enum { MOST_PERIODS = 256 }; /* lines of a stretch behind which it may begin anew */

/* What was found of a group. */
typedef struct found {
    const em_undoing *u;
    const em_undo_group *g;
    const em_undo_spot *spot;
    const em_place_change *first, *last;
    em_lined text, needle;
    bool starts_file, ends_file;    /* of what the change left */
    size_t start, end;              /* in the content */
    bool same_before, same_after;   /* next to the place stands what stood there */
    bool is_part;                   /* of what stood around */
    bool moved_before, moved_after; /* few lines began or ended the file, and do not now */
} found;

/* Is there more of what stood behind than the end of the place's own line? */
static bool has_after(const found *f)
{
    return em_lines_open(&f->text, f->last->after).len > 0;
}

static size_t count_lines(em_slice text, em_slice newline)
{
    size_t count = 0;
    for (size_t at = 0;
         at < text.len && (at = em_undo_find(text, newline, at, newline.len)) != EM_NPOS;
         at += newline.len)
        count++;
    return count;
}

static found found_make(const em_undoing *u, const em_undo_group *g, const em_undo_spot *spot)
{
    const em_inverse *change = &u->change;
    em_slice newline = change->kind.newline;
    found f = {.u = u, .g = g, .spot = spot, .text = {u->bytes, newline}};
    f.first = &change->places[g->first];
    f.last = &change->places[g->last - 1];
    f.needle = (em_lined){g->needle, newline};
    f.starts_file = f.first->old_at == f.first->before.len;
    f.ends_file = g->last == change->count && change->ends_file;
    f.start = spot->at;
    f.end = spot->at + (spot->to - spot->from);
    f.is_part = spot->to - spot->from < g->needle.len;
    f.moved_before = f.starts_file && spot->from == 0 && f.start > 0 &&
                     count_lines(f.first->before, newline) < EM_CONTEXT_LINES;
    f.moved_after = f.ends_file && spot->to == g->needle.len && f.end < u->bytes.len &&
                    count_lines(f.last->after, newline) < EM_CONTEXT_LINES;
    f.same_before = spot->from == 0 && (f.first->before.len > 0 || (f.starts_file && f.start == 0));
    f.same_after =
        spot->to == g->needle.len && (has_after(&f) || (f.ends_file && f.end == u->bytes.len));
    return f;
}

/* ---- Whole lines ---------------------------------------------------------------------------- */

/* Does a line end at `at`, if only its ending is not counted? */
static bool ends_line(const em_lined *text, size_t at)
{
    em_slice rest = em_slice_from(text->bytes, at);
    size_t unit = text->newline.len;
    return rest.len < unit || em_is_line_start(text, at) ||
           em_lines_open(text, em_slice_sub(rest, 0, unit)).len == 0;
}

/* What stood around begins with a line, unless it was cut. */
static bool are_lines(const found *f)
{
    size_t before = f->first->before.len, unit = f->text.newline.len;
    bool is_whole = before > 0 && before + unit <= EM_CONTEXT_MOST;
    bool begins = f->spot->from > 0 || f->starts_file || is_whole;
    bool ends = f->spot->to < f->g->needle.len || f->ends_file;
    return (!begins || em_is_line_start(&f->text, f->start)) &&
           (!ends || ends_line(&f->text, f->end));
}

/* ---- Lines that come back ------------------------------------------------------------------- */

/* A last line that is not ended is the like of one that is. */
static em_status with_end(em_lined text, em_arena *arena, em_slice *ended)
{
    *ended = text.bytes;
    if (em_is_line_start(&text, text.bytes.len))
        return EM_OK;
    char *room = em_alloc_raw(arena, text.bytes.len + text.newline.len);
    if (!room)
        return EM_E_NOMEM;
    memcpy(room, text.bytes.ptr, text.bytes.len);
    memcpy(room + text.bytes.len, text.newline.ptr, text.newline.len);
    *ended = em_slice_make(room, text.bytes.len + text.newline.len);
    return EM_OK;
}

/* What takes the group back, line by line, over its needle: one place may be all that a rewrite of
 * the file changed, and have lines in it that are gone beside others that came. */
static em_status lines_back(const found *f, em_splices *out)
{
    em_arena *arena = f->u->plan->arena;
    em_slice newline = f->needle.newline, needle;
    em_splice whole = {0};
    EM_TRY(with_end(f->needle, arena, &needle));
    EM_TRY(with_end((em_lined){f->g->was, newline}, arena, &whole.insert));
    whole.length = needle.len;
    return em_splices_refine(needle, (em_splices){&whole, 1}, newline, arena, out);
}

/* Is what stood at `at` of the needle, on both sides, there? */
static bool is_between(const found *f, size_t at)
{
    bool at_start = at == 0 && f->starts_file && f->start == 0;
    bool at_end = at >= f->needle.bytes.len && f->ends_file && f->end == f->text.bytes.len;
    return (at > f->spot->from || at_start) && (at < f->spot->to || at_end);
}

static em_status have_place(const found *f, bool *have)
{
    em_splices back;
    EM_TRY(lines_back(f, &back));
    *have = true;
    for (size_t i = 0; i < back.count && *have; i++)
        *have = back.items[i].length > 0 || is_between(f, back.items[i].offset);
    return EM_OK;
}

/* ---- What stands behind --------------------------------------------------------------------- */

bool em_undo_turns_end(const em_undoing *u, const em_undo_group *g)
{
    size_t behind = u->change.places[g->last - 1].after.len;
    em_lined is = {g->needle, u->change.kind.newline}, was = {g->was, u->change.kind.newline};
    return em_is_line_start(&is, is.bytes.len - behind) !=
           em_is_line_start(&was, was.bytes.len - behind);
}

/* Else lines would be joined, or torn apart, that were not next to each other. */
static bool has_end(const found *f)
{
    size_t behind = f->last->after.len;
    if (!em_undo_turns_end(f->u, f->g))
        return true;
    return behind > 0 ? f->spot->to > f->needle.bytes.len - behind
                      : f->ends_file && f->end == f->text.bytes.len;
}

/* ---- Lines next to their like --------------------------------------------------------------- */

/* How far next to a stretch it goes on as in itself. */
typedef struct run {
    size_t up, down;
} run;

/* After how many bytes a stretch begins anew, if not before its end: of lines that are all alike
 * that is one. */
static size_t period_of(em_slice moved, em_slice newline)
{
    em_lined lines = {moved, newline};
    size_t period = em_line_end(&lines, 0);
    for (int tried = 0; tried < MOST_PERIODS && 0 < period && period < moved.len; tried++) {
        if (em_slice_starts(moved, em_slice_from(moved, period)))
            return period;
        period = em_line_end(&lines, period);
    }
    return moved.len;
}

/* What ends a line of the stretch from `at` on, where nothing else of that is left. */
static size_t ending_at(em_slice moved, em_slice newline, size_t at)
{
    em_lined lines = {moved, newline};
    em_slice rest = em_slice_sub(moved, at, em_line_end(&lines, at));
    bool is_ending = !em_is_line_start(&lines, at) && em_lines_open(&lines, rest).len == 0;
    return is_ending ? rest.len : 0;
}

/* A last line of the text that is not ended goes on as one that is. */
static run run_around(em_lined text, size_t start, size_t end, em_slice moved, size_t period)
{
    run r = {0};
    em_slice bytes = text.bytes;
    while (r.up < start && bytes.ptr[start - r.up - 1] == moved.ptr[period - 1 - r.up % period])
        r.up++;
    while (r.down < bytes.len - end &&
           bytes.ptr[end + r.down] == moved.ptr[(moved.len + r.down) % period])
        r.down++;
    if (r.down > 0 && r.down == bytes.len - end)
        r.down +=
            ending_at(em_slice_sub(moved, 0, period), text.newline, (moved.len + r.down) % period);
    return r;
}

/* A stretch of the needle: what came, or is gone, at a place; where one is there for the other, the
 * lines that hold what came. */
static void stretch_of(const found *f, const em_place_change *place, size_t *start, size_t *end)
{
    *start = f->first->before.len + (place->new_at - f->first->new_at);
    *end = *start + place->new_length;
    if (place->old_bytes.len == 0 || place->new_length == 0)
        return;
    *start = em_line_start(&f->needle, *start);
    if (!em_is_line_start(&f->needle, *end))
        *end = em_line_end(&f->needle, *end);
}

/* How many there were is not known where what is known of what stood around is more of the same,
 * and how many of them are there still is not, where that began or ended the file. */
static bool is_same_run(const found *f, const em_place_change *place)
{
    size_t start, end;
    em_slice needle = f->needle.bytes;
    stretch_of(f, place, &start, &end);
    em_slice moved = end > start ? em_slice_sub(needle, start, end) : place->old_bytes;
    if (moved.len == 0 || start < f->spot->from || end > f->spot->to)
        return true;
    size_t at = f->start + (start - f->spot->from);
    size_t period = period_of(moved, f->text.newline);
    run was = run_around(f->needle, start, end, moved, period);
    run is = run_around(f->text, at, at + (end - start), moved, period);
    bool at_start = f->starts_file && (was.up == 0 || f->start == 0);
    bool at_end = f->ends_file && (was.down == 0 || f->end == f->text.bytes.len);
    if ((was.up == start && !at_start) || (was.down >= needle.len - end && !at_end))
        return false;
    return (was.up + was.down) / period == (is.up + is.down) / period;
}

static bool are_as_many(const found *f)
{
    for (size_t i = f->g->first; i < f->g->last; i++)
        if (!is_same_run(f, &f->u->change.places[i]))
            return false;
    return true;
}

/* ---- What was there before ------------------------------------------------------------------ */

static bool has_line(const found *f, em_slice bytes, em_slice line)
{
    em_lined text = {bytes, f->text.newline};
    for (size_t at = 0, end; at < bytes.len; at = end) {
        end = em_line_end(&text, at);
        if (em_is_like_line(&text, em_slice_sub(bytes, at, end), line))
            return true;
    }
    return false;
}

static bool stands_in(const found *f, em_slice text, em_slice needle)
{
    em_lined lines = {text, f->text.newline};
    return needle.len > 0 && text.len > 0 &&
           (em_undo_find(text, needle, 0, lines.newline.len) != EM_NPOS ||
            em_find_left_open(&lines, needle) != EM_NPOS);
}

/* Did the needle's [from, to) stand in what was there before, `shift` bytes further on? What is not
 * known of that may be anything. */
static bool stood_at(const found *f, size_t from, size_t to, ptrdiff_t shift)
{
    em_slice was = f->g->was, needle = f->g->needle;
    ptrdiff_t start = (ptrdiff_t)from + shift, end = (ptrdiff_t)to + shift;
    if ((start < 0 && f->starts_file) || (end > (ptrdiff_t)was.len && f->ends_file))
        return false;
    if (start < 0)
        start = 0;
    if (end > (ptrdiff_t)was.len)
        end = (ptrdiff_t)was.len;
    return em_slice_eq(em_slice_sub(was, (size_t)start, (size_t)end),
                       em_slice_sub(needle, (size_t)(start - shift), (size_t)(end - shift)));
}

/* Did what was found stand there before the change, too: at the end of the file where it is? */
static bool was_there(const found *f, em_slice part)
{
    em_slice was = f->g->was;
    if (f->starts_file && f->start == 0)
        return em_slice_starts(was, part);
    if (f->ends_file && f->end == f->text.bytes.len)
        return was.len >= part.len && em_slice_eq(em_slice_from(was, was.len - part.len), part);
    ptrdiff_t least = -(ptrdiff_t)f->first->before.len, unit = (ptrdiff_t)f->text.newline.len;
    ptrdiff_t most = (ptrdiff_t)was.len - (ptrdiff_t)(f->g->needle.len - f->last->after.len);
    for (ptrdiff_t shift = least; shift <= most; shift += unit)
        if (stood_at(f, f->spot->from, f->spot->to, shift))
            return true;
    return false;
}

/* Does what was there before the change stand somewhere, and not only within what was found? */
static bool is_back(const found *f, em_slice part)
{
    return stands_in(f, f->text.bytes, f->g->was) && !stands_in(f, part, f->g->was);
}

/* Is the line at [start, end) one that the change took? */
static bool is_of_before(const found *f, size_t start, size_t end)
{
    em_slice line = em_slice_sub(f->text.bytes, start, end);
    return line.len > 0 && has_line(f, f->g->was, line) && !has_line(f, f->g->needle, line);
}

static bool is_before_there(const found *f)
{
    const em_lined *text = &f->text;
    size_t above = em_line_start(text, f->start), below = f->end;
    if (below > 0 && !em_is_line_start(text, below))
        below = em_line_end(text, below);
    if (!f->same_before && above > 0 && is_of_before(f, em_line_start(text, above - 1), above))
        return true;
    if (!f->same_after && is_of_before(f, below, em_line_end(text, below)))
        return true;
    if (!f->is_part && !f->moved_before && !f->moved_after)
        return false;
    em_slice part = em_slice_sub(f->g->needle, f->spot->from, f->spot->to);
    return f->g->was.len > EM_UNDO_WAS_MOST || is_back(f, part) || was_there(f, part);
}

/* With the lines on one side alone all of these are needed: of fewer, which began or ended the
 * file, nobody knows how often they stood elsewhere in what the change left. */
static bool is_too_little(const found *f)
{
    return f->is_part && (f->moved_before || f->moved_after) && !f->u->has_left;
}

/* ---- The face ------------------------------------------------------------------------------- */

em_status em_undo_is_plain(const em_undoing *u, const em_undo_group *g, const em_undo_spot *spot,
                           bool *is)
{
    found f = found_make(u, g, spot);
    EM_TRY(have_place(&f, is));
    *is = *is && are_lines(&f) && has_end(&f) && are_as_many(&f) && !is_before_there(&f) &&
          !is_too_little(&f);
    return EM_OK;
}
