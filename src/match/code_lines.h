/* code_lines.h: the lines of a text that hold something, token by token. */
#ifndef EM_MATCH_CODE_LINES_H
#define EM_MATCH_CODE_LINES_H

#include "base/arena.h"
#include "text/span.h"
#include "text/token.h"

/* A line that is not empty, without the blanks around it. */
typedef struct em_code_line {
    size_t start, end; /* in its text */
    size_t first;      /* of its tokens */
    size_t count;
} em_code_line;

typedef struct em_code_lines {
    em_slice text;
    em_code_line *items;
    size_t count;
    em_token *tokens; /* but for those of a line that has too many to be compared */
} em_code_lines;

/* The lines of text[within) that are not empty, with their tokens (EM_FOLD_WRITING); of a line of
 * more than `most` tokens only their number. The text is borrowed, all else in `arena`.
 * EM_E_NOMEM. */
em_status em_code_lines_of(em_slice text, em_span within, size_t most, em_arena *arena,
                           em_code_lines *out);

/* All of them, with all tokens. */
em_status em_all_code_lines_of(em_slice text, em_arena *arena, em_code_lines *out);

/* A line without the blanks around it. */
static inline em_slice em_code_line_text(const em_code_lines *l, size_t index)
{
    return em_slice_sub(l->text, l->items[index].start, l->items[index].end);
}

static inline em_slice em_code_line_token(const em_code_lines *l, size_t index, size_t token)
{
    return em_token_bytes(l->text, l->tokens[l->items[index].first + token]);
}

/* Code points of the lines [first, end), beside white space. */
size_t em_code_points_of(const em_code_lines *l, size_t first, size_t end);

/* Is the line a sentence? It has many words, and few signs, of `allowed`. */
bool em_code_line_is_sentence(const em_code_lines *l, size_t index, const char *allowed);

/* How many lines are `wanted`, blanks aside; *last is the last of them, or EM_NPOS. */
size_t em_code_line_times(const em_code_lines *l, em_slice wanted, size_t *last);

/* The one line that is so; EM_NPOS where there is none, or more. */
size_t em_only_code_line(const em_code_lines *l, em_slice wanted);

#endif
