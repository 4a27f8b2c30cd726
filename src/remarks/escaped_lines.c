#include "remarks/escaped_lines.h"

#include "base/ascii.h"
#include "base/line.h"
#include "match/escaped_breaks.h"
#include "match/token_line.h"

enum {
    MOST_LOOKED_AT = 1000, /* places that come with an escape */
    MOST_BEFORE = 4 << 10, /* of a line that an edit begins within, no more is looked at */
};

static bool begins_break(em_slice s)
{
    return em_slice_starts(s, EM_LIT("\\n"));
}

/* With the indentation of a line behind it, be that escaped or not, and what a line may begin with:
 * not as in the set of a pattern (`[\n\t ]`). */
static bool begins_line_break(em_slice s)
{
    if (!begins_break(s))
        return false;
    em_slice rest = em_slice_from(s, 2);
    bool is_escaped = false;
    for (; em_slice_starts(rest, EM_LIT("\\t")); rest = em_slice_from(rest, 2))
        is_escaped = true;
    em_slice indent = em_line_blanks(rest), behind = em_slice_from(rest, indent.len);
    return (is_escaped ? indent.len == 0 : em_is_indentation(indent)) && behind.len > 0 &&
           (em_is_word_byte(behind.ptr[0]) || em_is_one_of(behind.ptr[0], "}{<#@"));
}

/* Is it all in one line, though its breaks, two at least, are there as escapes? */
static bool is_one_escaped_line(em_slice content, em_slice body)
{
    content = em_trimmed(content);
    body = em_trimmed(body);
    const char *first = content.len > 0 ? memmem(content.ptr, content.len, "\\n", 2) : NULL;
    if (!first || em_slice_has_byte(content, '\n') || em_slice_has_byte(content, '\r'))
        return false;
    em_slice rest = em_slice_from(content, (size_t)(first - content.ptr) + 2);
    return em_has_escape_of_break(rest) && em_has_escape_outside_quotes(content, begins_break) &&
           (body.len == 0 || em_slice_has_byte(body, '\n') || em_slice_has_byte(body, '\r'));
}

/* What is inserted, behind what the text has before it in its line: there a string may begin. */
static em_status with_line_start(em_slice body, const em_splice *splice, em_arena *scratch,
                                 em_slice *text)
{
    size_t start = splice->offset, least = start > MOST_BEFORE ? start - MOST_BEFORE : 0;
    while (start > least && !em_is_line_break(body.ptr[start - 1]))
        start--;
    return em_arena_join(scratch, em_slice_sub(body, start, splice->offset), splice->insert, text);
}

/* How many lines of a text come before that with such an escape; EM_NPOS: none has one. */
static size_t lines_before(em_slice text)
{
    for (size_t count = 0; text.len > 0; count++)
        if (em_has_escape_outside_quotes(em_take_line(&text), begins_line_break))
            return count;
    return EM_NPOS;
}

static em_status warn_of(const em_planned_edit *edit, size_t line, em_arena *arena,
                         em_warnings *warnings)
{
    return em_warn(warnings, arena,
                   "Line %zu of the file has a backslash and an n where a line break seems to be "
                   "meant: if so, %ssend line breaks, and not their escapes (in JSON \\n with one "
                   "backslash, not with two)",
                   line, edit->is_dry_run ? "" : "undo this and ");
}

em_status em_remark_escaped_lines(const em_planned_edit *edit, em_arena *arena,
                                  em_warnings *warnings)
{
    em_slice body = edit->lines->body;
    em_splices splices = edit->plan->splices;
    if (edit->op_count == 1 && edit->ops[0].kind == EM_OP_REWRITE)
        return is_one_escaped_line(edit->ops[0].insert, body) ? warn_of(edit, 1, arena, warnings)
                                                              : EM_OK;
    for (size_t i = 0, looked_at = 0; i < splices.count && looked_at < MOST_LOOKED_AT; i++) {
        EM_AUTO(em_arena) scratch = {0};
        const em_splice *splice = &splices.items[i];
        em_splices before = {splices.items, i};
        em_slice text;
        if (!em_slice_has_byte(splice->insert, '\\') || !em_has_escape_of_break(splice->insert))
            continue;
        looked_at++;
        EM_TRY(with_line_start(body, splice, &scratch, &text));
        size_t lines = lines_before(text);
        if (lines == EM_NPOS)
            continue;
        if (em_has_escape_outside_quotes(body, begins_line_break))
            return EM_OK;
        size_t first = em_lines_at(edit->lines, splice->offset);
        return warn_of(edit, em_lines_after(edit->lines, before, first) + lines, arena, warnings);
    }
    return EM_OK;
}
