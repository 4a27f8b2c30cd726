/* lines.h: byte <-> line and column.
 *
 * A line ends with LF, CRLF or CR. Lines and columns count from 1; a column counts Unicode code
 * points. The index is made in one pass at memory speed and is small (two counts per block of the
 * text), so a position costs a look at one block or two, and neither at the file nor at the line.
 * (One exception: a column in a text that is not valid UTF-8 costs a look at its line.)
 *
 * em_lines is about what people and models call a line. Unified diffs know only lines that end in
 * LF.
 */
#ifndef EM_TEXT_LINES_H
#define EM_TEXT_LINES_H

#include "text/splice.h"
#include "text/text.h"

typedef struct em_lines {
    em_slice body;        /* borrowed */
    size_t start;         /* where line 1 begins: em_text.start */
    size_t block;         /* bytes of text per block */
    size_t blocks;        /* how many; the last may be shorter */
    const size_t *before; /* before[i]: line endings that end before block i; before[blocks]: all */
    bool is_ascii;        /* a code point is a byte: there is no count of them */
    size_t *chars;        /* the same for code points; NULL where the body is not valid UTF-8 */
    size_t lf, crlf, cr;  /* how often each ending occurs; a CRLF counts as crlf only */
    const em_extract *extract; /* of which the body is; NULL: it is the whole text. Lines are then
                                  counted in the file, and so are the endings above */
} em_lines;

typedef struct em_position {
    size_t line;   /* from 1 */
    size_t column; /* from 1, in code points */
} em_position;

/* A line: [start, end) without its ending, which is [end, next). */
typedef struct em_line {
    size_t start, end, next;
} em_line;

/* EM_E_NOMEM only. */
em_status em_lines_init(const em_text *text, em_arena *arena, em_lines *lines);

/* The same with blocks of another size (at least 1), so that a test crosses many borders. */
em_status em_lines_init_blocks(const em_text *text, size_t block, em_arena *arena, em_lines *lines);

/* How many lines there are. An empty text has none; text behind the last ending is a line. */
size_t em_lines_count(const em_lines *lines);

/* The ending that occurs most; EM_EOL_NONE when there is none, or a tie. */
em_eol em_lines_dominant(const em_lines *lines);

/* Which line holds the byte at `offset` (start <= offset <= body.len). A line ending belongs to the
 * line that it ends; the end of a text that ends in a line ending is on the line after it. */
size_t em_lines_at(const em_lines *lines, size_t offset);

/* The same with the column. `offset` is where a code point starts, or the end. */
em_position em_lines_position(const em_lines *lines, size_t offset);

/* Line number `line`, from 1. Past the last line: the empty one at the end of the text. A line that
 * an extract lacks: an empty one where it is left out. */
em_line em_lines_line(const em_lines *lines, size_t line);

/* The number that line `line` has once the splices of the text are laid in; of a line that one of
 * them changes, the number that it begins with. */
size_t em_lines_after(const em_lines *lines, em_splices splices, size_t line);

/* How many LFs stand in [from, to) of the body, which is no extract's. Where the text has no lone
 * CR, that costs a look at a block or two. */
size_t em_lines_lfs_between(const em_lines *lines, size_t from, size_t to);

/* The content of a line, without its ending. */
em_slice em_lines_content(const em_lines *lines, size_t line);

#endif
