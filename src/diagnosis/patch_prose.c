#include "diagnosis/patch_prose.h"

#include "base/ascii.h"
#include "base/line.h"
#include "match/wrapping.h"

static const char begins_envelope[] = "*** Begin Patch", ends_envelope[] = "*** End Patch";

/* The line that ends before that byte, where a line begins; *start is its first one. */
static em_slice line_above(em_slice text, size_t at, size_t *start)
{
    *start = em_slice_behind_last(em_slice_sub(text, 0, at - 1), '\n');
    return em_trimmed(em_slice_sub(text, *start, at));
}

/* ---- Where it begins ------------------------------------------------------------------------- */

/* The first line from `at` on with which a patch begins; EM_NPOS: there is none. Of headers, one
 * below the other, the first one tells whether a diff is there. */
static size_t next_patch(em_slice text, size_t at)
{
    bool is_below_header = false;
    for (size_t from = at; from < text.len; from = at) {
        em_slice line = em_trimmed(em_next_line(text, &at));
        bool is_header = em_is_patch_header(line);
        if (em_slice_is(line, begins_envelope) || em_begins_search_block(line))
            return from;
        if (is_header && !is_below_header &&
            em_change_form_of(em_slice_from(text, from)) == EM_CHANGE_DIFF)
            return from;
        is_below_header = is_header;
    }
    return EM_NPOS;
}

/* ---- What stands before it ------------------------------------------------------------------- */

bool em_is_mark_of_name(char c)
{
    return c == '*' || c == '`' || c == '#' || c == ':' || em_is_white_space(c);
}

/* The path that a line names, and nothing else; empty: it is no such line. */
static em_slice path_of(em_slice line)
{
    static const char open[] = "<path>", close[] = "</path>";
    if (em_slice_starts(line, em_slice_of(open)) && em_slice_ends(line, em_slice_of(close)))
        line = em_slice_sub(line, strlen(open), line.len - strlen(close));
    em_slice path = em_slice_trim(line, em_is_mark_of_name);
    bool is = path.len > 0 && path.ptr[path.len - 1] != '.' &&
              (em_slice_has_byte(path, '.') || em_slice_has_byte(path, '/'));
    for (size_t i = 0; i < path.len && is; i++)
        is = !em_is_white_space(path.ptr[i]) && path.ptr[i] != '<';
    return is ? path : (em_slice){0};
}

/* Is it empty, or a tag alone? */
static bool says_nothing(em_slice line)
{
    return line.len == 0 ||
           (line.ptr[0] == '<' && line.ptr[line.len - 1] == '>' && path_of(line).len == 0);
}

/* The path in the last line before `at` that says something; empty: none. */
static em_slice path_above(em_slice text, size_t at)
{
    em_slice line = {0};
    while (at > 0 && says_nothing(line))
        line = line_above(text, at, &at);
    return path_of(line);
}

/* ---- Where it ends --------------------------------------------------------------------------- */

/* The word that ends the input of a command, where the line is one that has it; empty: it is none.
 * Where the word is not quoted a shell would change what stands between. */
static em_slice word_of_input(em_slice line, bool *is_quoted)
{
    size_t at = em_slice_behind_last(line, '<');
    em_slice word = em_slice_from(line, at);
    bool is = at > 1 && line.ptr[at - 2] == '<' && (at == 2 || line.ptr[at - 3] != '<');
    *is_quoted = word.len > 2 && (word.ptr[0] == '\'' || word.ptr[0] == '"') &&
                 word.ptr[word.len - 1] == word.ptr[0];
    word = *is_quoted ? em_slice_sub(word, 1, word.len - 1) : word;
    for (size_t i = 0; i < word.len; i++)
        is &= em_is_letter(word.ptr[i]) || word.ptr[i] == '_';
    return is ? word : (em_slice){0};
}

/* Would a shell read it as something else? */
static bool has_sign_of_shell(em_slice text)
{
    return em_slice_has_byte(text, '$') || em_slice_has_byte(text, '`') ||
           em_slice_has_byte(text, '\\');
}

static bool ends_part(em_slice line)
{
    return em_slice_is(line, ends_envelope) || em_ends_search_block(line);
}

/* Behind the last end of an envelope, or of a block, and of the fence that it is in; else of the
 * text: then the end is missing. */
static size_t end_of_parts(em_slice text, size_t start, bool is_fenced)
{
    size_t end = EM_NPOS;
    for (size_t at = start; at < text.len;)
        if (ends_part(em_trimmed(em_next_line(text, &at))))
            end = at;
    size_t behind = end;
    if (end != EM_NPOS && is_fenced && em_begins_fence(em_trimmed(em_next_line(text, &behind))))
        end = behind;
    return end == EM_NPOS ? text.len : end;
}

/* From `start` to the next line that is the word; EM_NPOS: there is none. */
static size_t end_at_word(em_slice text, size_t start, em_slice word)
{
    for (size_t at = start, line = start; at < text.len; line = at)
        if (em_slice_eq(em_trimmed(em_next_line(text, &at)), word))
            return line;
    return EM_NPOS;
}

/* ---- All of it ------------------------------------------------------------------------------- */

/* Where the patch that begins at `start` ends, which the line above it may tell. EM_NPOS: that is
 * not plain. */
static size_t end_of_patch(em_slice text, size_t start, em_slice above)
{
    bool is_quoted;
    em_slice word = word_of_input(above, &is_quoted);
    if (word.len > 0 && !is_quoted && has_sign_of_shell(em_slice_from(text, start)))
        return EM_NPOS;
    if (em_change_form_of(em_slice_from(text, start)) != EM_CHANGE_DIFF)
        return end_of_parts(text, start, em_begins_fence(above));
    if (em_begins_fence(above))
        return end_at_word(text, start, em_slice_sub(above, 0, 3));
    return word.len > 0 ? end_at_word(text, start, word) : text.len;
}

em_status em_patch_without_prose(em_slice text, em_arena *arena, em_slice *patch)
{
    size_t start = next_patch(text, 0), above_at = 0;
    *patch = text;
    if (start == EM_NPOS)
        return EM_OK;
    em_slice path = {0}, above = start > 0 ? line_above(text, start, &above_at) : (em_slice){0};
    size_t end = end_of_patch(text, start, above);
    if (end == EM_NPOS || next_patch(text, end) != EM_NPOS)
        return EM_OK;
    if (em_begins_search_block(em_trimmed(em_slice_from(text, start)))) {
        start = em_begins_fence(above) ? above_at : start; /* others may be in fences, too */
        path = path_above(text, start);
    }
    *patch = em_slice_sub(text, start, end);
    if (path.len == 0)
        return EM_OK;
    EM_TRY(em_arena_join(arena, path, EM_LIT("\n"), &path));
    return em_arena_join(arena, path, *patch, patch);
}
