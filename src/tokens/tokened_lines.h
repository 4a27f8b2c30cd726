/* tokened_lines.h: a text as its lines, and how much two lines have in common.
 *
 * Lines are those that are not empty; what they are compared by is their tokens.
 */
#ifndef EM_TOKENS_TOKENED_LINES_H
#define EM_TOKENS_TOKENED_LINES_H

#include "tokens/redline.h"

typedef struct em_tokened_lines {
    em_tokened of;
    size_t *lines; /* the first token of each line, and the end of the last */
    size_t count;
} em_tokened_lines;

/* EM_E_NOMEM only. */
em_status em_tokened_lines_init(em_tokened_lines *s, em_slice text, em_arena *arena);

/* Where a line starts, with its indentation. */
size_t em_tokened_line_start(const em_tokened_lines *s, size_t index);

/* How deep it is, in bytes. */
size_t em_tokened_line_depth(const em_tokened_lines *s, size_t index);

/* Where its last token ends. */
size_t em_tokened_line_end(const em_tokened_lines *s, size_t index);

/* How many line endings are before a line, which is not the first. */
size_t em_tokened_line_breaks(const em_tokened_lines *s, size_t index);

/* How many are before the first line, and how many behind the last. There is a line. */
size_t em_tokened_breaks_at_start(const em_tokened_lines *s);
size_t em_tokened_breaks_at_end(const em_tokened_lines *s);

/* From the one to the other. */
em_slice em_tokened_line(const em_tokened_lines *s, size_t index);

/* Lines [first, end), with the empty lines between them and behind them, but for those at the end
 * of the text. */
em_slice em_tokened_line_range(const em_tokened_lines *s, size_t first, size_t end);

/* The line from its first token on, without a comment behind the rest. */
em_slice em_tokened_line_code(const em_tokened_lines *s, size_t index);

/* Are two lines the same, but for a comment that one of them has behind the rest? */
bool em_tokened_line_same_code(const em_tokened_lines *a, size_t index, const em_tokened_lines *b,
                               size_t other);

/* Is a line more than a brace, an `end` or an `else`, which blocks share that have nothing to do
 * with each other? */
bool em_tokened_line_says_something(const em_tokened_lines *s, size_t index);

/* How many tokens of line `index` of `a` stand in line `other` of `b`, from its start and from its
 * end, in percent of the longer. */
size_t em_tokened_line_shared(const em_tokened_lines *a, size_t index, const em_tokened_lines *b,
                              size_t other);

/* Is that all of them? */
static inline bool em_tokened_line_same(const em_tokened_lines *a, size_t index,
                                        const em_tokened_lines *b, size_t other)
{
    return em_tokened_line_shared(a, index, b, other) == 100;
}

#endif
