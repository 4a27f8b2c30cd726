/* doubled.c: the splice as whole lines, without those that it leaves as they are; then the longest
 * run of lines at each of its edges that stands beside it as well, or lines that it has twice.
 */
#include "remarks/doubled.h"

#include "tokens/telling.h"

#include <xxhash.h>

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
    size_t start = least + em_slice_behind_last(em_slice_sub(lines->body, least, offset), '\n');
    if (lines->cr + lines->crlf > 0)
        start += em_slice_behind_last(em_slice_sub(lines->body, start, offset), '\r');
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

bool em_may_double(const em_splice *splice)
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

/* The bytes of `behind` that are the most lines which end `brought`: more than `kept`, and at most
 * `most`. */
static size_t shared_with_behind(em_slice brought, em_slice behind, size_t kept, size_t most)
{
    size_t best = 0, at = brought.len;
    for (size_t lines = 1; at > 0 && lines <= most; lines++) {
        at = em_line_before(brought, at);
        size_t length = lines > kept ? lines_at_start(behind, em_slice_from(brought, at)) : 0;
        best = length > 0 ? length : best;
    }
    return best;
}

/* Those of `before` that are the most lines which begin `brought`, likewise. */
static size_t shared_with_before(em_slice brought, em_slice before, size_t kept, size_t most)
{
    size_t best = 0, at = 0;
    for (size_t lines = 1; at < brought.len && lines <= most; lines++) {
        at = em_line_behind(brought, at);
        size_t length = lines > kept ? lines_at_end(before, em_slice_sub(brought, 0, at)) : 0;
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

/* The splice as whole lines, and those that are `between` its neighbours. *is_alone: else it is
 * none to be looked at, as where another splice changes one of the lines. */
static em_status change_of(const em_lines *lines, em_splices splices, size_t index,
                           em_arena *scratch, change *c, em_span *between, bool *is_alone)
{
    const em_splice *splice = &splices.items[index];
    *is_alone = false;
    if (!em_may_double(splice) || !find_extent(lines, splice, c))
        return EM_OK;
    *between = lines_between(lines, splices, index);
    if (between->start > c->start || between->end < c->end || between->end == EM_NPOS)
        return EM_OK;
    *is_alone = true;
    return change_make(c, lines->body, splice, scratch);
}

/* Do lines follow it up to `between.end` that it ends with, `kept` of them lines that stay? */
static em_doubled find_behind(const em_lines *lines, const change *c, em_span between, size_t kept,
                              size_t most)
{
    em_slice behind = em_slice_sub(lines->body, c->end, between.end);
    size_t length = shared_with_behind(c->lines, behind, kept, most);
    em_doubled found = {{c->end, c->end + length}, kept, true};
    return tells(lines->body, lines->start, found.there) ? found : (em_doubled){0};
}

/* Do lines precede it, from `between.start` on, that it begins with? */
static em_doubled find_before(const em_lines *lines, const change *c, em_span between, size_t kept,
                              size_t most)
{
    em_slice before = em_slice_sub(lines->body, between.start, c->start);
    size_t length = shared_with_before(c->lines, before, kept, most);
    em_doubled found = {{c->start - length, c->start}, kept, false};
    return tells(lines->body, lines->start, found.there) ? found : (em_doubled){0};
}

static bool is_found(const em_doubled *doubled)
{
    return doubled->there.start < doubled->there.end;
}

/* Lines beside a change that it leaves as they are may belong to what it doubles: "a" that becomes
 * "b, c" before "d, c, d" doubles "c, d". Only a few are tried, of a change of some lines. */
enum { MOST_KEPT = 4, MOST_WITH_KEPT = 32, MOST_BYTES_WITH_KEPT = 4 << 10 };

/* The change with one more line behind it. *is: there is one, which is not too long. */
static em_status take_next_line(change *c, em_slice text, em_span between, em_arena *arena,
                                bool *is)
{
    size_t next = c->end < between.end ? em_line_behind(text, c->end) : c->end;
    *is = next > c->end && next <= between.end && next - c->end <= LONGEST_LINE;
    if (!*is)
        return EM_OK;
    EM_TRY(em_arena_join(arena, c->lines, em_slice_sub(text, c->end, next), &c->lines));
    c->end = next;
    return EM_OK;
}

/* The same with one before it. */
static em_status take_last_line(change *c, em_slice text, em_span between, em_arena *arena,
                                bool *is)
{
    em_slice before = em_slice_sub(text, between.start, c->start);
    size_t last = between.start + em_line_before(before, before.len);
    *is = last < c->start && c->start - last <= LONGEST_LINE;
    if (!*is)
        return EM_OK;
    EM_TRY(em_arena_join(arena, em_slice_sub(text, last, c->start), c->lines, &c->lines));
    c->start = last;
    return EM_OK;
}

static em_status find_with_kept(const em_lines *lines, change c, em_span between, bool follow,
                                em_arena *scratch, em_doubled *out)
{
    bool is = c.lines.len > 0 && c.lines.len <= MOST_BYTES_WITH_KEPT;
    for (size_t kept = 1; is && kept <= MOST_KEPT && !is_found(out); kept++) {
        EM_TRY((follow ? take_next_line : take_last_line)(&c, lines->body, between, scratch, &is));
        if (is)
            *out = (follow ? find_behind : find_before)(lines, &c, between, kept, MOST_WITH_KEPT);
    }
    return EM_OK;
}

em_status em_doubled_by(const em_lines *lines, em_splices splices, size_t index, em_arena *scratch,
                        em_doubled *out)
{
    em_span between;
    change c;
    bool is_alone;
    *out = (em_doubled){0};
    EM_TRY(change_of(lines, splices, index, scratch, &c, &between, &is_alone));
    if (!is_alone)
        return EM_OK;
    *out = find_behind(lines, &c, between, 0, MOST_LINES);
    if (!is_found(out))
        *out = find_before(lines, &c, between, 0, MOST_LINES);
    if (!is_found(out))
        EM_TRY(find_with_kept(lines, c, between, true, scratch, out));
    if (!is_found(out))
        EM_TRY(find_with_kept(lines, c, between, false, scratch, out));
    return EM_OK;
}

/* ---- What several ops bring ------------------------------------------------------------------ */

/* The lines of a text, one after the other, without what ends them. */
typedef struct line_list {
    em_slice items[MOST_LINES];
    uint64_t hashes[MOST_LINES]; /* as each is compared with many */
    size_t count;
} line_list;

/* False: there are too many. */
static bool list_lines(em_slice text, line_list *out)
{
    out->count = 0;
    for (size_t at = 0; at < text.len; out->count++) {
        size_t next = em_line_behind(text, at);
        if (out->count == MOST_LINES)
            return false;
        em_slice line = em_without_last_eol(em_slice_sub(text, at, next));
        out->items[out->count] = line;
        out->hashes[out->count] = XXH3_64bits(line.ptr, line.len);
        at = next;
    }
    return true;
}

static bool are_telling(const em_slice *lines, size_t count)
{
    size_t length = (size_t)(lines[count - 1].ptr + lines[count - 1].len - lines[0].ptr);
    return em_is_telling(em_slice_make(lines[0].ptr, length));
}

/* Where `count` lines stand that tell something, and then the same ones once more; EM_NPOS. */
static size_t find_twice(const line_list *lines, size_t count)
{
    size_t same = 0;
    for (size_t i = 0; count > 0 && i + count < lines->count; i++) {
        bool is_same = lines->hashes[i] == lines->hashes[i + count] &&
                       em_slice_eq(lines->items[i], lines->items[i + count]);
        same = is_same ? same + 1 : 0;
        if (same >= count && are_telling(&lines->items[i + 1 - count], count))
            return i + 1 - count;
    }
    return EM_NPOS;
}

/* Does the op itself bring so many lines twice, or may it? A template repeats what its pattern
 * finds. In a tolerant match they may have been written otherwise, so it is not asked which. */
static bool brings_twice(const em_op *op, size_t count)
{
    line_list lines;
    if (op->kind == EM_OP_DELETE)
        return false;
    return em_op_is_pattern(op) || !list_lines(op->insert, &lines) ||
           find_twice(&lines, count) != EM_NPOS;
}

static bool is_asked_for(const em_op *ops, size_t op_count, size_t count)
{
    for (size_t i = 0; i < op_count; i++)
        if (brings_twice(&ops[i], count))
            return true;
    return false;
}

/* Are all lines that were there still there, beside those `brought`? Else these took the place of
 * some: two edits may well make two lines the same. */
static bool only_adds(em_slice was, const line_list *lines, em_span brought)
{
    size_t at = 0;
    for (size_t i = 0; i < lines->count && at < was.len; i++) {
        size_t next = em_line_behind(was, at);
        bool is_kept = (i < brought.start || i >= brought.end) &&
                       same_line(lines->items[i], em_slice_sub(was, at, next));
        at = is_kept ? next : at;
    }
    return at == was.len;
}

/* The number that the first line of a change has when all splices are laid in. */
static size_t line_after(const em_lines *lines, em_splices splices, size_t index, size_t start)
{
    em_splices before = {splices.items, index};
    em_slice above = em_slice_sub(lines->body, lines->start, start);
    size_t line = em_lines_after(lines, before, em_lines_at(lines, start));
    return above.len > 0 && !em_ends_in_eol(above) ? line + 1 : line;
}

em_status em_brought_twice_by(const em_lines *lines, em_splices splices, size_t index,
                              const em_op *ops, size_t op_count, em_arena *scratch,
                              em_brought_twice *out)
{
    em_span between;
    change c;
    line_list brought;
    bool is_alone;
    *out = (em_brought_twice){0};
    EM_TRY(change_of(lines, splices, index, scratch, &c, &between, &is_alone));
    if (!is_alone || !list_lines(c.lines, &brought))
        return EM_OK;
    em_slice was = em_slice_sub(lines->body, c.start, c.end);
    for (size_t count = 1; 2 * count <= brought.count; count++) {
        size_t from = find_twice(&brought, count);
        if (from == EM_NPOS || !only_adds(was, &brought, (em_span){from, from + 2 * count}) ||
            is_asked_for(ops, op_count, count))
            continue;
        out->line = line_after(lines, splices, index, c.start) + from;
        out->count = count;
        return EM_OK;
    }
    return EM_OK;
}
