/* survey.c: one pass over a large file, and the text of the places that matter. */
#include "session/survey.h"

#include "text/count.h"

#include <inttypes.h>

enum {
    CHUNK = 16 << 10,       /* bytes that are looked at of a file at a time */
    MOST_PLACES = 64 << 10, /* of needles: more would not fit into an extract */
    UTF32_MARK = 4,         /* bytes of the longest byte order mark */
};

static em_status too_large(const em_survey *s, const char *what)
{
    return em_fail(s->err, EM_E_TOO_LARGE, "%s has %" PRIu64 " bytes, and %s", s->file->path,
                   s->file->size, what);
}

/* ---- The pass ------------------------------------------------------------------------------ */

static char *room_of(void *context, size_t *size)
{
    em_survey *s = context;
    char *room = em_scan_room(&s->scan, size);
    size_t most = s->speculated ? em_speculation_to_edge(s->speculated) : *size;
    if (*size > most)
        *size = most;
    return room;
}

static em_status check_text(const em_survey *s)
{
    return s->scan.has_nul ? em_fail(s->err, EM_E_BINARY, "it holds NUL bytes") : EM_OK;
}

static void keep_to(em_survey *s, size_t offset)
{
    size_t at = em_speculation_at(s->speculated);
    if (at < offset)
        em_speculation_keep(s->speculated, em_scan_bytes(&s->scan, at, offset));
}

/* A place may be found twice: as it is, and with any line endings. */
static bool is_one_place(const em_scan *scan)
{
    const em_scan_stretch *places = scan->places;
    return scan->place_count == 1 ||
           (scan->place_count == 2 && places[0].start == places[1].start &&
            places[0].end == places[1].end);
}

/* Can it still come as foreseen: the very bytes that are searched for, at one place? */
static bool may_come(const em_survey *s, bool at_end)
{
    const em_scan_stretch *place = s->scan.places;
    if (s->scan.cr > 0 && em_slice_has_byte(s->foresight.insert, '\n'))
        return false; /* its line endings will be the file's */
    if (s->scan.place_count == 0)
        return !at_end;
    return is_one_place(&s->scan) && place->end - place->start == s->foresight.find.len;
}

static em_speculation *begin_ahead(const em_survey *s)
{
    uint64_t size = s->file->size, goes = s->foresight.find.len;
    if (goes > size)
        return NULL;
    return em_speculation_begin(s->ws, s->file, size - goes + s->foresight.insert.len);
}

/* What has settled goes into the new content. */
static void write_ahead(em_survey *s, size_t settled, bool at_end)
{
    const em_scan_stretch *place = s->scan.places;
    em_speculation_wait(s->speculated); /* the window before this one comes next */
    if (!may_come(s, at_end)) {
        em_speculation_end(s->speculated);
        s->speculated = NULL;
        return;
    }
    if (place && em_speculation_at(s->speculated) <= place->start && place->start <= settled) {
        keep_to(s, place->start);
        em_speculation_replace(s->speculated, s->foresight.find, s->foresight.insert);
    }
    keep_to(s, settled);
}

static em_status take(void *context, size_t length)
{
    em_survey *s = context;
    EM_TRY(em_scan_take(&s->scan, length));
    EM_TRY(check_text(s));
    if (s->speculated)
        write_ahead(s, em_scan_settled(&s->scan), false);
    return EM_OK;
}

static em_status pass_over(em_survey *s)
{
    em_passage passage = {.context = s, .room = room_of, .take = take};
    EM_TRY(em_large_pass(s->ws, s->file, &passage, s->err));
    EM_TRY(em_scan_end(&s->scan));
    EM_TRY(check_text(s)); /* the last bytes are looked at only when the end is known */
    if (s->speculated)
        write_ahead(s, s->scan.size, true);
    return EM_OK;
}

/* A text in two or four bytes a character has to be converted. */
static em_status check_mark(const em_survey *s)
{
    char start[UTF32_MARK] = "";
    size_t size = s->file->size < sizeof start ? (size_t)s->file->size : sizeof start;
    EM_TRY(em_large_read(s->ws, s->file, 0, start, size, s->err));
    bool little = memcmp(start, "\xFF\xFE", 2) == 0, big = memcmp(start, "\xFE\xFF", 2) == 0;
    bool big_32 = memcmp(start, "\0\0\xFE\xFF", UTF32_MARK) == 0;
    if (little || big || big_32)
        return too_large(s, "text in UTF-16 or UTF-32 is read whole");
    return EM_OK;
}

static em_status check_needles(const em_survey *s, const em_slice *needles, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (needles[i].len > EM_SCAN_LONGEST_NEEDLE)
            return too_large(s, "a search text of this length is not looked for in it");
    }
    return EM_OK;
}

em_status em_survey_make(em_survey *survey, em_workspace *ws, em_file *file,
                         const em_survey_options *options, em_arena *arena, em_error *err)
{
    static const em_survey_options none;
    *survey = (em_survey){.ws = ws, .file = file, .arena = arena, .err = err};
    options = options ? options : &none;
    em_scan_options scan = {.needles = options->needles,
                            .count = options->count,
                            .window = em_ws_large_limits(ws).window,
                            .stays = options->foresight != NULL,
                            .most_places = MOST_PLACES};
    EM_TRY(check_needles(survey, options->needles, options->count));
    EM_TRY(check_mark(survey));
    EM_TRY(em_scan_init(&survey->scan, &scan, arena));
    if (options->foresight) {
        survey->foresight = *options->foresight;
        survey->speculated = begin_ahead(survey);
    }
    em_status status = pass_over(survey);
    if (survey->speculated)
        em_speculation_wait(survey->speculated); /* nobody needs the scan's buffers any more */
    EM_TRY(status);
    survey->encoding = survey->scan.is_utf8 ? EM_UTF8 : EM_BYTES;
    return EM_OK;
}

/* ---- Looking again ------------------------------------------------------------------------- */

/* A stretch of the file that was read again. */
typedef struct look {
    const em_survey *survey;
    char bytes[CHUNK];
} look;

/* Read [start, start + size). */
static em_status read_at(look *l, size_t start, size_t size)
{
    const em_survey *s = l->survey;
    return em_large_read(s->ws, s->file, start, l->bytes, size, s->err);
}

/* How much is looked at before or behind a place before it is given up: a line is longer. */
static size_t reach_of(const em_survey *s)
{
    return em_ws_large_limits(s->ws).extract;
}

static em_status fail_long_line(const em_survey *s)
{
    return too_large(s, "its lines at the places of the edit are too long to be looked at one by "
                        "one");
}

/* The start of the line that holds `offset`, or of one that many lines before. */
static em_status line_start(look *l, size_t offset, size_t lines, size_t *start)
{
    size_t least = offset > reach_of(l->survey) ? offset - reach_of(l->survey) : 0;
    *start = offset; /* a compiler does not see that fail_long_line() never gives EM_OK */
    for (size_t end = offset; end > 0;) {
        size_t from = end > CHUNK ? end - CHUNK : 0;
        EM_TRY(read_at(l, from, end - from));
        for (size_t left = end - from; left > 0;) {
            const char *lf = memrchr(l->bytes, '\n', left);
            if (!lf)
                break;
            left = (size_t)(lf - l->bytes);
            *start = from + left + 1;
            if (lines-- == 0)
                return EM_OK;
        }
        if (from < least)
            return fail_long_line(l->survey);
        end = from;
    }
    *start = 0;
    return EM_OK;
}

/* Behind the LF of the line that holds `offset`, or of one that many lines behind. */
static em_status line_end(look *l, size_t offset, size_t lines, size_t *end)
{
    size_t size = (size_t)l->survey->file->size;
    *end = offset; /* as in line_start() */
    for (size_t from = offset; from < size;) {
        size_t some = size - from < CHUNK ? size - from : CHUNK;
        EM_TRY(read_at(l, from, some));
        for (size_t at = 0; at < some;) {
            const char *lf = memchr(l->bytes + at, '\n', some - at);
            if (!lf)
                break;
            at = (size_t)(lf - l->bytes) + 1;
            *end = from + at;
            if (lines-- == 0)
                return EM_OK;
        }
        from += some;
        if (from - offset > reach_of(l->survey))
            return fail_long_line(l->survey);
    }
    *end = size;
    return EM_OK;
}

/* ---- Lines by number ----------------------------------------------------------------------- */

/* Read up to a chunk of [from, to), but cut no CRLF in two. */
static em_status read_lines(look *l, size_t from, size_t to, em_slice *bytes)
{
    size_t some = to - from < CHUNK ? to - from : CHUNK;
    EM_TRY(read_at(l, from, some));
    if (some > 1 && from + some < to && l->bytes[some - 1] == '\r')
        some--;
    *bytes = em_slice_make(l->bytes, some);
    return EM_OK;
}

/* Go on from a milestone to `offset`, where a line begins. */
static em_status count_to(look *l, em_milestone *at, size_t offset)
{
    while (at->offset < offset) {
        em_slice bytes;
        EM_TRY(read_lines(l, at->offset, offset, &bytes));
        em_counts counts = em_count(bytes, 0, bytes.len);
        at->endings += counts.lf + counts.cr - counts.crlf;
        at->lfs += counts.lf;
        at->offset += bytes.len;
    }
    return EM_OK;
}

/* The last milestone that `is_before`. The first one always is. */
static em_milestone milestone_before(const em_scan *scan, size_t value,
                                     bool (*is_before)(const em_milestone *, size_t))
{
    size_t low = 0, high = scan->milestone_count;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (is_before(&scan->milestones[middle], value))
            low = middle;
        else
            high = middle;
    }
    return scan->milestones[low];
}

static bool has_fewer_endings(const em_milestone *m, size_t endings)
{
    return m->endings < endings;
}

static bool begins_before(const em_milestone *m, size_t offset)
{
    return m->offset <= offset;
}

/* Where line number `line` begins, from 1; the end of the file where it has no such line. */
static em_status find_line(look *l, size_t line, size_t *offset)
{
    const em_scan *scan = &l->survey->scan;
    em_milestone at = milestone_before(scan, line - 1, has_fewer_endings);
    size_t left = line - 1 - at.endings;
    *offset = line == 1 ? 0 : scan->size;
    if (line == 1)
        return EM_OK;
    while (at.offset < scan->size) {
        em_slice bytes;
        EM_TRY(read_lines(l, at.offset, scan->size, &bytes));
        for (size_t i = 0; i < bytes.len; i++) {
            em_eol eol = em_eol_at(bytes, i);
            i += eol == EM_EOL_CRLF;
            left -= eol != EM_EOL_NONE;
            if (left == 0) {
                *offset = at.offset + i + 1;
                return EM_OK;
            }
        }
        at.offset += bytes.len;
    }
    return EM_OK;
}

em_status em_survey_lines(const em_survey *survey, size_t first, size_t last,
                          em_scan_stretch *stretch)
{
    look *l = em_alloc_raw(survey->arena, sizeof *l);
    if (!l)
        return EM_E_NOMEM;
    l->survey = survey;
    EM_TRY(find_line(l, first, &stretch->start));
    stretch->end = stretch->start;
    if (last >= first && last < SIZE_MAX)
        EM_TRY(find_line(l, last + 1, &stretch->end));
    return EM_OK;
}

/* ---- Segments ------------------------------------------------------------------------------ */

/* Everything that is to be in the extract, in the order of the file. */
static em_status gather(const em_survey *s, const em_scan_stretch *stretches, size_t count,
                        em_scan_stretch **all, size_t *total)
{
    size_t places = s->scan.place_count;
    em_scan_stretch *items = em_alloc_array(s->arena, places + count + 2, sizeof *items);
    if (!items)
        return EM_E_NOMEM;
    if (places > 0)
        memcpy(items, s->scan.places, places * sizeof *items);
    if (count > 0)
        memcpy(items + places, stretches, count * sizeof *items);
    *all = items;
    *total = places + count + 2;
    items[*total - 2] = (em_scan_stretch){0, 0};
    items[*total - 1] = (em_scan_stretch){s->scan.size, s->scan.size};
    em_scan_sort(items, *total);
    return EM_OK;
}

/* The segments while they are found: `open` is the last, whose end is not known yet. */
typedef struct builder {
    look *look;
    size_t margin;
    em_arena *arena;
    em_segment *items;
    size_t count, room;
    size_t start, last; /* of the open one: where it begins, where the last place in it ends */
    size_t held;        /* bytes of all */
} builder;

/* Where a segment begins that has a place at `offset`; and where one ends. */
static em_status start_around(const builder *b, size_t offset, size_t *start)
{
    size_t far = offset > b->margin ? offset - b->margin : 0;
    EM_TRY(line_start(b->look, offset, EM_SURVEY_LINES, start));
    return far < *start ? line_start(b->look, far, 0, start) : EM_OK;
}

static em_status end_around(const builder *b, size_t offset, size_t *end)
{
    size_t size = (size_t)b->look->survey->file->size;
    size_t far = size - offset > b->margin ? offset + b->margin : size;
    EM_TRY(line_end(b->look, offset, EM_SURVEY_LINES, end));
    return far > *end ? line_end(b->look, far, 0, end) : EM_OK;
}

static em_status check_held(const builder *b, size_t more)
{
    const em_survey *s = b->look->survey;
    if (b->held + more <= em_ws_large_limits(s->ws).extract)
        return EM_OK;
    return too_large(s,
                     "what is asked for concerns more places, or more lines, of it than are held "
                     "at once");
}

static em_status close_segment(builder *b, size_t end)
{
    EM_TRY(check_held(b, end - b->start));
    EM_TRY(em_arena_grow(b->arena, (void **)&b->items, b->count, &b->room, sizeof *b->items));
    b->items[b->count++] = (em_segment){.offset = b->start, .length = end - b->start};
    b->held += end - b->start;
    return EM_OK;
}

/* What lies closer together than the margin is one segment, and so is what overlaps. */
static em_status add_place(builder *b, em_scan_stretch place, bool first)
{
    size_t start, end;
    if (!first && place.start <= b->last + b->margin) {
        if (place.end > b->last)
            b->last = place.end;
        return check_held(b, b->last - b->start);
    }
    EM_TRY(start_around(b, place.start, &start));
    if (!first) {
        EM_TRY(end_around(b, b->last, &end));
        if (start <= end) {
            b->last = place.end;
            return check_held(b, b->last - b->start);
        }
        EM_TRY(close_segment(b, end));
    }
    b->start = start;
    b->last = place.end;
    return EM_OK;
}

static em_status find_segments(builder *b, const em_scan_stretch *places, size_t count)
{
    size_t end;
    for (size_t i = 0; i < count; i++)
        EM_TRY(add_place(b, places[i], i == 0));
    EM_TRY(end_around(b, b->last, &end));
    return close_segment(b, end);
}

/* ---- The extract --------------------------------------------------------------------------- */

/* Read the segments, and count what stands before each. */
static em_status fill(builder *b, char *body)
{
    const em_survey *s = b->look->survey;
    em_milestone at = {0};
    size_t length = 0;
    for (size_t i = 0; i < b->count; i++) {
        em_segment *segment = &b->items[i];
        em_milestone near = milestone_before(&s->scan, segment->offset, begins_before);
        if (near.offset > at.offset)
            at = near;
        EM_TRY(count_to(b->look, &at, segment->offset));
        segment->endings = at.endings;
        segment->lfs = at.lfs;
        if (i > 0)
            body[length++] = '\0';
        segment->at = length;
        EM_TRY(
            em_large_read(s->ws, s->file, segment->offset, body + length, segment->length, s->err));
        length += segment->length;
    }
    return EM_OK;
}

static em_status put_together(builder *b, em_extract **out)
{
    const em_survey *s = b->look->survey;
    size_t length = b->held + b->count - 1;
    char *body = em_alloc_raw(s->arena, length);
    em_extract *extract = em_alloc(s->arena, sizeof *extract);
    if (!body || !extract)
        return EM_E_NOMEM;
    EM_TRY(fill(b, body));
    *extract = (em_extract){.body = em_slice_make(body, length),
                            .segments = b->items,
                            .count = b->count,
                            .size = s->scan.size,
                            .lf = s->scan.lf - s->scan.crlf,
                            .crlf = s->scan.crlf,
                            .cr = s->scan.cr - s->scan.crlf};
    *out = extract;
    return EM_OK;
}

em_status em_survey_extract(const em_survey *survey, const em_scan_stretch *stretches, size_t count,
                            size_t margin, em_text *text)
{
    em_scan_stretch *places;
    size_t place_count;
    em_extract *extract;
    builder b = {.look = em_alloc_raw(survey->arena, sizeof *b.look),
                 .margin = margin,
                 .arena = survey->arena};
    if (!b.look)
        return EM_E_NOMEM;
    b.look->survey = survey;
    if (survey->scan.overflow)
        return too_large(survey, "the search text stands at more places of it than are held at "
                                 "once");
    EM_TRY(gather(survey, stretches, count, &places, &place_count));
    EM_TRY(find_segments(&b, places, place_count));
    EM_TRY(put_together(&b, &extract));
    EM_TRY(em_large_check(survey->ws, survey->file, survey->err));
    survey->file->extract = extract;
    *text = em_text_of_extract(extract, survey->encoding);
    return EM_OK;
}
