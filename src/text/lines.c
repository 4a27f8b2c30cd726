/* lines.c: the line index.
 *
 *  (1) An ending is counted in the block that holds its last byte: a CRLF that lies across a border
 *      belongs to the block of its LF.
 *  (2) before[] and chars[] never fall, and hold one entry more than there are blocks.
 */
#include "text/lines.h"

#include "base/utf8.h"
#include "text/count.h"

/* Small enough that looking through one costs well below a microsecond, large enough that the index
 * is 0.4 % of the text. */
enum { BLOCK = EM_TEXT_STRETCH, PIECE = 128 };

static size_t endings_in(em_counts counts)
{
    return counts.lf + counts.cr - counts.crlf;
}

static void index_fill(em_lines *lines, size_t *before)
{
    em_counts all = {0};
    for (size_t i = 0; i < lines->blocks; i++) {
        size_t start = i * lines->block;
        bool last = i + 1 == lines->blocks;
        em_counts here =
            em_count(lines->body, start, last ? lines->body.len : start + lines->block);
        before[i + 1] = before[i] + endings_in(here);
        if (lines->chars)
            lines->chars[i + 1] = lines->chars[i] + here.chars;
        all.lf += here.lf;
        all.cr += here.cr;
        all.crlf += here.crlf;
    }
    lines->crlf = all.crlf;
    lines->lf = all.lf - all.crlf;
    lines->cr = all.cr - all.crlf;
}

/* The endings of the file, not of what of it is here. */
static void endings_of_file(em_lines *lines)
{
    lines->lf = lines->extract->lf;
    lines->crlf = lines->extract->crlf;
    lines->cr = lines->extract->cr;
}

static em_status index_make(em_lines *lines, bool is_utf8, em_arena *arena)
{
    size_t *before = em_alloc_array(arena, lines->blocks + 1, sizeof *before);
    if (!before)
        return EM_E_NOMEM;
    if (is_utf8) {
        lines->chars = em_alloc_array(arena, lines->blocks + 1, sizeof *lines->chars);
        if (!lines->chars)
            return EM_E_NOMEM;
    }
    lines->before = before;
    index_fill(lines, before);
    return EM_OK;
}

/* What was counted when the text was opened. */
static void index_take(em_lines *lines, const size_t *lfs)
{
    lines->before = lfs;
    lines->lf = lfs[lines->blocks];
    lines->is_ascii = true;
}

em_status em_lines_init_blocks(const em_text *text, size_t block, em_arena *arena, em_lines *lines)
{
    size_t blocks = text->body.len / block + (text->body.len % block > 0);
    *lines = (em_lines){.body = text->body,
                        .start = text->start,
                        .block = block,
                        .blocks = blocks,
                        .extract = text->extract};
    if (text->lfs && block == EM_TEXT_STRETCH)
        index_take(lines, text->lfs);
    else
        EM_TRY(index_make(lines, text->encoding != EM_BYTES, arena));
    if (lines->extract)
        endings_of_file(lines);
    return EM_OK;
}

em_status em_lines_init(const em_text *text, em_arena *arena, em_lines *lines)
{
    return em_lines_init_blocks(text, BLOCK, arena, lines);
}

size_t em_lines_count(const em_lines *lines)
{
    em_slice body = lines->body;
    bool tail =
        body.len > lines->start && body.ptr[body.len - 1] != '\n' && body.ptr[body.len - 1] != '\r';
    size_t endings =
        lines->extract ? lines->lf + lines->crlf + lines->cr : lines->before[lines->blocks];
    return endings + tail;
}

em_eol em_lines_dominant(const em_lines *lines)
{
    if (lines->lf > lines->crlf && lines->lf > lines->cr)
        return EM_EOL_LF;
    if (lines->crlf > lines->lf && lines->crlf > lines->cr)
        return EM_EOL_CRLF;
    if (lines->cr > lines->lf && lines->cr > lines->crlf)
        return EM_EOL_CR;
    return EM_EOL_NONE;
}

/* Line endings of the body before `offset`. */
static size_t endings_before(const em_lines *lines, size_t offset)
{
    size_t block = offset / lines->block;
    em_counts counts = em_count(lines->body, block * lines->block, offset);
    return lines->before[block] + endings_in(counts);
}

/* What is to be added to endings of the body to have those of the file, in this segment. */
static size_t endings_left_out(const em_lines *lines, const em_segment *segment)
{
    return segment->endings - endings_before(lines, segment->at);
}

size_t em_lines_at(const em_lines *lines, size_t offset)
{
    size_t line = 1 + endings_before(lines, offset);
    if (lines->extract)
        line += endings_left_out(lines, em_extract_segment(lines->extract, offset));
    return line;
}

size_t em_lines_lfs_between(const em_lines *lines, size_t from, size_t to)
{
    if (lines->cr > 0 || to - from <= lines->block)
        return em_count_lfs(lines->body, from, to);
    return endings_before(lines, to) - endings_before(lines, from);
}

static size_t chars_before(const em_lines *lines, size_t offset)
{
    size_t block = offset / lines->block;
    return lines->chars[block] + em_count(lines->body, block * lines->block, offset).chars;
}

static size_t chars_between(const em_lines *lines, size_t start, size_t end)
{
    if (lines->is_ascii)
        return end - start;
    if (!lines->chars)
        return em_utf8_count(em_slice_sub(lines->body, start, end));
    return chars_before(lines, end) - chars_before(lines, start);
}

/* Which block holds the last byte of ending number `ending`, 1 <= ending <= all. */
static size_t block_of_ending(const em_lines *lines, size_t ending)
{
    size_t low = 0, high = lines->blocks - 1; /* before[low] < ending <= before[high + 1] */
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (lines->before[middle + 1] < ending)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Where ending number `ending` ends, counted from 1; the start of the text for 0. */
static size_t ending_end(const em_lines *lines, size_t ending)
{
    if (ending == 0)
        return lines->start;
    em_slice body = lines->body;
    size_t block = block_of_ending(lines, ending);
    size_t left = ending - lines->before[block], at = block * lines->block;
    while (body.len - at > PIECE) {
        size_t here = endings_in(em_count(body, at, at + PIECE));
        if (here >= left)
            break;
        left -= here;
        at += PIECE;
    }
    for (;; at++) {
        bool cr = body.ptr[at] == '\r' && !(at + 1 < body.len && body.ptr[at + 1] == '\n');
        if (body.ptr[at] == '\n' || cr)
            left--;
        if (left == 0)
            return at + 1;
    }
}

/* The last segment in which line number `line` can begin. */
static const em_segment *segment_of_line(const em_extract *extract, size_t line)
{
    size_t low = 0, high = extract->count;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (extract->segments[middle].endings < line)
            low = middle;
        else
            high = middle;
    }
    return &extract->segments[low];
}

static em_line line_in_body(const em_lines *lines, size_t line);

/* A line of the file, by its number there. */
static em_line line_in_extract(const em_lines *lines, size_t line)
{
    const em_extract *extract = lines->extract;
    const em_segment *segment = segment_of_line(extract, line);
    bool last = segment + 1 == extract->segments + extract->count;
    size_t end = segment->at + segment->length;
    em_line found = line_in_body(lines, line - endings_left_out(lines, segment));
    if (!last && found.next > end)
        return (em_line){end + 1, end + 1, end + 1}; /* where the next segment begins */
    if (found.start < segment->at && segment->at > 0)
        found.start = segment->at; /* behind the NUL between the two */
    return found;
}

em_position em_lines_position(const em_lines *lines, size_t offset)
{
    size_t line = em_lines_at(lines, offset);
    size_t start = em_lines_line(lines, line).start;
    return (em_position){line, 1 + chars_between(lines, start, offset)};
}

em_line em_lines_line(const em_lines *lines, size_t line)
{
    return lines->extract ? line_in_extract(lines, line) : line_in_body(lines, line);
}

static em_line line_in_body(const em_lines *lines, size_t line)
{
    em_slice body = lines->body;
    size_t endings = lines->before[lines->blocks];
    size_t start = line - 1 <= endings ? ending_end(lines, line - 1) : body.len;
    if (line > endings)
        return (em_line){start, body.len, body.len};
    size_t next = ending_end(lines, line);
    bool crlf = next - start >= 2 && body.ptr[next - 1] == '\n' && body.ptr[next - 2] == '\r';
    return (em_line){start, next - (crlf ? 2 : 1), next};
}

em_slice em_lines_content(const em_lines *lines, size_t line)
{
    em_line found = em_lines_line(lines, line);
    return em_slice_sub(lines->body, found.start, found.end);
}

/* ---- After an edit -------------------------------------------------------------------------- */

static size_t line_breaks(em_slice text)
{
    em_counts counts = em_count(text, 0, text.len);
    return counts.lf + counts.cr - counts.crlf;
}

size_t em_lines_after(const em_lines *lines, em_splices splices, size_t line)
{
    size_t start = em_lines_line(lines, line).start, after = line;
    for (size_t i = 0; i < splices.count; i++) {
        em_splice splice = splices.items[i];
        size_t end = splice.offset + splice.length;
        if (splice.offset >= start && end > start)
            break;
        after += line_breaks(splice.insert);
        after -= line_breaks(em_slice_sub(lines->body, splice.offset, end < start ? end : start));
    }
    return after;
}
