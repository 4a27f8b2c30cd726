#include "remarks/escaped_lines.h"

#include "base/ascii.h"
#include "base/line.h"
#include "match/escaped_breaks.h"
#include "match/token_line.h"
#include "remarks/edited_lines.h"

enum { MOST_LOOKED_AT = 1000 }; /* places that come with an escape */

static bool begins_break(em_slice text, size_t at)
{
    return em_slice_starts(em_slice_from(text, at), EM_LIT("\\n"));
}

/* Has it a word with a backslash before it, as TeX has? */
static bool has_control_word(em_slice text)
{
    for (size_t at = 0; at + 1 < text.len; at++) {
        if (text.ptr[at] != '\\')
            continue;
        at++;
        if (em_is_letter(text.ptr[at]) && !em_is_one_of(text.ptr[at], "nrt"))
            return true;
    }
    return false;
}

/* Is the escape at `at` a break though no indentation stands behind it? By itself it may as well
 * begin a word (`\nabla`, `dir\name`). */
static bool parts_lines(em_slice text, size_t at, em_slice behind)
{
    char first = behind.ptr[0], last = at > 0 ? text.ptr[at - 1] : '\0';
    if (em_is_one_of(first, "#@"))
        return behind.len > 1 && em_is_letter(behind.ptr[1]);
    if (first == '<')
        return last == '>';
    return last == ';' && !has_control_word(em_line_up_to(text, at));
}

/* What a line may begin with: not as in the set of a pattern (`[\n\t ]`). */
static bool may_begin_line(em_slice text)
{
    return text.len > 0 && (em_is_word_byte(text.ptr[0]) || em_is_one_of(text.ptr[0], "}{<#@"));
}

/* Is it one before a line, which shows by its indentation, be that escaped or not, by another one
 * right behind it, or by the sign that the line begins with? */
static bool begins_line_break(em_slice text, size_t at)
{
    em_slice rest = em_slice_from(text, at);
    size_t breaks = 0;
    bool is_escaped = false;
    for (; em_slice_starts(rest, EM_LIT("\\n")); rest = em_slice_from(rest, 2))
        breaks++;
    for (; em_slice_starts(rest, EM_LIT("\\t")); rest = em_slice_from(rest, 2))
        is_escaped = true;
    em_slice indent = em_line_blanks(rest), behind = em_slice_from(rest, indent.len);
    if (breaks == 0 || !may_begin_line(behind))
        return false;
    if (is_escaped)
        return indent.len == 0;
    if (indent.len > 0)
        return em_is_indentation(indent);
    return breaks > 1 || parts_lines(text, at, behind);
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
        /* before it a string may begin, and behind it stands what old and new end in alike */
        EM_TRY(em_lines_brought(body, splice, &scratch, &text));
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
