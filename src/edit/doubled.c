/* doubled.c: the splice as whole lines, without those that it leaves as they are; then the longest
 * run of lines at each of its edges that stands beside it as well.
 */
#include "edit/doubled.h"

#include "tokens/telling.h"

/* More is not looked at: not all of a rewrite, nor of a page that is one line; and of a text that
 * repeats a line each would be compared with all. */
enum { MOST_BYTES = 64 << 10, LONGEST_LINE = 4 << 10, MOST_LINES = 256 };

/* ---- The change ----------------------------------------------------------------------------- */

/* A splice as whole lines: those from `start` to `end` of the text become `lines`. */
typedef struct change {
    size_t start, end;
    em_slice lines;
} change;

/* Are these lines the same, whatever ends them? The last one of a file may have no ending. */
static bool same_line(em_slice a, em_slice b)
{
    return em_slice_eq(em_without_last_eol(a), em_without_last_eol(b));
}

static void pass_by_first_lines(change *c, em_slice text)
{
    while (c->start < c->end && c->lines.len > 0) {
        em_slice was = em_slice_sub(text, c->start, c->end);
        size_t length = em_line_behind(was, 0), other = em_line_behind(c->lines, 0);
        if (!same_line(em_slice_sub(was, 0, length), em_slice_sub(c->lines, 0, other)))
            return;
        c->start += length;
        c->lines = em_slice_from(c->lines, other);
    }
}

static void pass_by_last_lines(change *c, em_slice text)
{
    while (c->start < c->end && c->lines.len > 0) {
        em_slice was = em_slice_sub(text, c->start, c->end);
        size_t kept = em_line_before(was, was.len), rest = em_line_before(c->lines, c->lines.len);
        if (!same_line(em_slice_from(was, kept), em_slice_from(c->lines, rest)))
            return;
        c->end = c->start + kept;
        c->lines = em_slice_sub(c->lines, 0, rest);
    }
}

/* Where the line begins that `offset` is in; EM_NPOS: too far away. */
static size_t line_start(const em_lines *lines, size_t offset)
{
    size_t least = offset - lines->start > LONGEST_LINE ? offset - LONGEST_LINE : lines->start;
    const char *from = lines->body.ptr + least;
    const char *last = memrchr(from, '\n', offset - least);
    size_t start = last ? (size_t)(last - lines->body.ptr) + 1 : least;
    if (lines->cr + lines->crlf > 0) {
        last = memrchr(lines->body.ptr + start, '\r', offset - start);
        start = last ? (size_t)(last - lines->body.ptr) + 1 : start;
    }
    return start > least || start == lines->start ? start : EM_NPOS;
}

/* Behind it. */
static size_t line_end(em_slice text, size_t offset)
{
    em_slice near =
        em_slice_sub(text, 0, text.len - offset > LONGEST_LINE ? offset + LONGEST_LINE : text.len);
    size_t end = em_line_behind(near, offset);
    return end < near.len || near.len == text.len ? end : EM_NPOS;
}

/* Is it short, and does it bring whole lines? Few of thousands of edits do. */
static bool may_double(const em_splice *splice)
{
    return splice->insert.len <= MOST_BYTES && splice->length <= MOST_BYTES &&
           (em_slice_has_byte(splice->insert, '\n') || em_slice_has_byte(splice->insert, '\r'));
}

/* False: a line is too long. */
static bool find_extent(const em_lines *lines, const em_splice *splice, change *c)
{
    size_t behind = splice->offset + splice->length;
    bool is_whole = em_ends_in_eol(splice->insert) && line_start(lines, behind) == behind;
    c->start = line_start(lines, splice->offset);
    c->end = is_whole ? behind : line_end(lines->body, behind);
    return c->start != EM_NPOS && c->end != EM_NPOS;
}

static em_status change_make(change *c, em_slice text, const em_splice *splice, em_arena *arena)
{
    size_t behind = splice->offset + splice->length;
    EM_TRY(em_arena_join(arena, em_slice_sub(text, c->start, splice->offset), splice->insert,
                         &c->lines));
    EM_TRY(em_arena_join(arena, c->lines, em_slice_sub(text, behind, c->end), &c->lines));
    pass_by_first_lines(c, text);
    pass_by_last_lines(c, text);
    return EM_OK;
}

/* ---- What stands beside it ------------------------------------------------------------------- */

/* The bytes of `text` that are the lines `run`, at its start; 0: other ones stand there. */
static size_t lines_at_start(em_slice text, em_slice run)
{
    size_t at = 0;
    for (size_t offset = 0; offset < run.len;) {
        size_t next = em_line_behind(run, offset),
               end = at < text.len ? em_line_behind(text, at) : at;
        if (end == at || !same_line(em_slice_sub(run, offset, next), em_slice_sub(text, at, end)))
            return 0;
        offset = next;
        at = end;
    }
    return at;
}

/* The same at its end. */
static size_t lines_at_end(em_slice text, em_slice run)
{
    size_t at = text.len;
    for (size_t end = run.len; end > 0;) {
        size_t start = em_line_before(run, end), from = em_line_before(text, at);
        if (at == 0 || !same_line(em_slice_sub(run, start, end), em_slice_sub(text, from, at)))
            return 0;
        end = start;
        at = from;
    }
    return text.len - at;
}

/* The bytes of `behind` that are the most lines which end `brought`. */
static size_t shared_with_behind(em_slice brought, em_slice behind)
{
    size_t best = 0, at = brought.len;
    for (size_t lines = 0; at > 0 && lines < MOST_LINES; lines++) {
        at = em_line_before(brought, at);
        size_t length = lines_at_start(behind, em_slice_from(brought, at));
        best = length > 0 ? length : best;
    }
    return best;
}

/* Those of `before` that are the most lines which begin `brought`. */
static size_t shared_with_before(em_slice brought, em_slice before)
{
    size_t best = 0, at = 0;
    for (size_t lines = 0; at < brought.len && lines < MOST_LINES; lines++) {
        at = em_line_behind(brought, at);
        size_t length = lines_at_end(before, em_slice_sub(brought, 0, at));
        best = length > 0 ? length : best;
    }
    return best;
}

/* Do the lines say something, and has the text them once there, not several times in a row? */
static bool tells(em_slice text, size_t start, em_span there)
{
    em_slice run = em_slice_sub(text, there.start, there.end);
    return em_is_telling(run) && lines_at_start(em_slice_from(text, there.end), run) == 0 &&
           lines_at_end(em_slice_sub(text, start, there.start), run) == 0;
}

/* The whole lines between the splices before and behind it. */
static em_span lines_between(const em_lines *lines, em_splices splices, size_t index)
{
    const em_splice *splice = &splices.items[index];
    em_span between = {lines->start, lines->body.len};
    if (index > 0) {
        size_t end = splice[-1].offset + splice[-1].length;
        between.start = line_start(lines, end) == end ? end : line_end(lines->body, end);
    }
    if (index + 1 < splices.count)
        between.end = line_start(lines, splice[1].offset);
    return between;
}

em_status em_doubled_by(const em_lines *lines, em_splices splices, size_t index, em_arena *scratch,
                        em_doubled *out)
{
    const em_splice *splice = &splices.items[index];
    em_slice text = lines->body;
    change c;
    *out = (em_doubled){0};
    if (!may_double(splice) || !find_extent(lines, splice, &c))
        return EM_OK;
    em_span between = lines_between(lines, splices, index);
    if (between.start > c.start || between.end < c.end || between.end == EM_NPOS)
        return EM_OK; /* another splice changes one of the lines */
    EM_TRY(change_make(&c, text, splice, scratch));
    size_t length = shared_with_behind(c.lines, em_slice_sub(text, c.end, between.end));
    em_doubled found = {.there = {c.end, c.end + length}, .follow = true};
    if (!tells(text, lines->start, found.there)) {
        length = shared_with_before(c.lines, em_slice_sub(text, between.start, c.start));
        found = (em_doubled){.there = {c.start - length, c.start}};
    }
    if (tells(text, lines->start, found.there))
        *out = found;
    return EM_OK;
}
