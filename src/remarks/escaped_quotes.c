#include "remarks/escaped_quotes.h"

#include "base/ascii.h"
#include "base/line.h"
#include "remarks/edited_lines.h"
#include "remarks/text_page.h"

#define ESCAPED EM_LIT("\\\"")

/* The sign before a quote at `at`, blanks aside; '\0': the line begins with it. */
static char sign_before(em_slice line, size_t at)
{
    while (at > 0 && em_is_space_or_tab(line.ptr[at - 1]))
        at--;
    return at > 0 ? line.ptr[at - 1] : '\0';
}

static size_t next_quote(em_slice line, size_t at)
{
    while (at < line.len && line.ptr[at] != '"')
        at++;
    return at;
}

static bool is_escaped(em_slice line, size_t quote)
{
    size_t start = quote;
    while (start > 0 && line.ptr[start - 1] == '\\')
        start--;
    return quote - start == 1;
}

/* Has the line a string, of which both quotes have a backslash, and no quotes of another kind that
 * it might stand within? *before is the sign before it. */
static bool has_escaped_string(em_slice line, char *before)
{
    size_t first = next_quote(line, 0), count = 0;
    if (em_slice_has_byte(line, '\'') || em_slice_has_byte(line, '`'))
        return false;
    for (size_t at = first; at < line.len; at = next_quote(line, at + 1), count++)
        if (!is_escaped(line, at))
            return false;
    *before = count > 1 ? sign_before(line, first - 1) : '\0';
    return count > 1;
}

/* Has one of the lines a quote without a backslash, behind that sign? */
static bool has_plain_string(em_slice lines, char before)
{
    while (lines.len > 0) {
        em_slice line = em_take_line(&lines);
        size_t first = next_quote(line, 0);
        if (first < line.len && sign_before(line, first) == before)
            return true;
    }
    return false;
}

/* How many of the lines come before the first of that kind; EM_NPOS: none is. */
static size_t lines_before(em_slice brought, em_slice taken)
{
    for (size_t count = 0; brought.len > 0; count++) {
        char before;
        if (has_escaped_string(em_take_line(&brought), &before) && has_plain_string(taken, before))
            return count;
    }
    return EM_NPOS;
}

static bool is_known_in(em_slice body)
{
    char before;
    while (body.len > 0)
        if (has_escaped_string(em_take_line(&body), &before))
            return true;
    return false;
}

em_status em_remark_escaped_quotes(const em_planned_edit *edit, em_arena *arena,
                                   em_warnings *warnings)
{
    em_slice body = edit->lines->body;
    em_splices splices = edit->plan->splices;
    bool is_text = em_is_text_page(edit->path) || em_has_bare_texts(edit->path);
    for (size_t i = 0; i < splices.count && !is_text; i++) {
        EM_AUTO(em_arena) scratch = {0};
        const em_splice *splice = &splices.items[i];
        em_splices before = {splices.items, i};
        if (!em_slice_holds(splice->insert, ESCAPED))
            continue;
        em_slice brought, taken = em_lines_taken(body, splice);
        EM_TRY(em_lines_brought(body, splice, &scratch, &brought));
        size_t lines = em_slice_holds(taken, ESCAPED) ? EM_NPOS : lines_before(brought, taken);
        if (lines == EM_NPOS)
            continue;
        if (is_known_in(body))
            return EM_OK;
        size_t first = em_lines_at(edit->lines, splice->offset);
        return em_warn(
            warnings, arena,
            "Line %zu of the file has a backslash before each quote now, which had none: "
            "if they are not meant, %ssend the quotes alone (in JSON \\\" with one "
            "backslash, not with three)",
            em_lines_after(edit->lines, before, first) + lines,
            edit->is_dry_run ? "" : "undo this and ");
    }
    return EM_OK;
}
