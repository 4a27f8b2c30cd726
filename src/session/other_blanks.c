#include "session/other_blanks.h"

#include "base/ascii.h"
#include "text/token.h"

enum {
    AROUND = 2 << 10, /* bytes to either side of an edit */
    ENOUGH = 3,       /* lines there that are indented alike */
    MOST_LOOKED_AT = 4,
};

/* How lines are indented. */
typedef enum blanks { NONE, TABS, SPACES, KINDS } blanks;

/* The line that begins at `start`; `next` is what follows the text, or a line ending. */
static blanks kind_of(em_slice text, size_t start, char next)
{
    size_t end = start;
    bool has_tab = false;
    for (; end < text.len && em_is_space_or_tab(text.ptr[end]); end++)
        has_tab |= text.ptr[end] == '\t';
    if (em_is_line_break(end < text.len ? text.ptr[end] : next))
        return NONE;
    return has_tab ? TABS : end - start > 1 ? SPACES : NONE;
}

/* Where the next line begins; text.len: there is none. */
static size_t next_line(em_slice text, size_t at)
{
    while (at < text.len && !em_is_line_break(text.ptr[at]))
        at++;
    return at < text.len ? at + 1 : at;
}

/* How many lines that begin in text[start, end) are of each kind. */
static void count_lines(em_slice text, size_t start, size_t end, size_t counts[KINDS])
{
    for (size_t at = start; at < end; at = next_line(text, at))
        counts[kind_of(text, at, '\n')]++;
}

/* The lines around the splice, and those that it changes. */
static void count_around(em_slice body, const em_splice *splice, size_t counts[KINDS])
{
    size_t start = splice->offset > AROUND ? splice->offset - AROUND : 0,
           end = splice->offset + splice->length;
    end = body.len - end > AROUND ? end + AROUND : body.len;
    start = start > 0 ? next_line(body, start) : 0;
    count_lines(body, start, end, counts);
}

static bool begins_line(em_slice body, size_t offset)
{
    return offset == 0 || em_is_line_break(body.ptr[offset - 1]);
}

/* Where in the insert a line begins that is indented, and how; false: nowhere. Of the text around,
 * which may be far from everything else in memory, no more is looked at than that takes. */
static bool first_indented(em_slice body, const em_splice *splice, size_t *at, blanks *kind)
{
    em_slice insert = splice->insert;
    for (*at = 0; *at < insert.len; *at = next_line(insert, *at)) {
        if (!em_is_space_or_tab(insert.ptr[*at]))
            continue;
        em_slice behind = em_slice_from(body, splice->offset + splice->length);
        *kind = kind_of(insert, *at, behind.len > 0 ? behind.ptr[0] : '\n');
        if (*kind != NONE && (*at > 0 || begins_line(body, splice->offset)))
            return true;
    }
    return false;
}

static em_status warn(em_arena *arena, em_outcome *outcome, size_t index, size_t at, blanks kind)
{
    em_splices splices = outcome->plan.splices, before = {splices.items, index};
    const em_splice *splice = &splices.items[index];
    size_t line = em_lines_at(&outcome->lines, splice->offset);
    return em_warn(&outcome->warnings, arena,
                   "After this edit line %zu of the file is indented with %s, and the lines around "
                   "with %s",
                   em_lines_after(&outcome->lines, before, line) +
                       em_gap_breaks(em_slice_sub(splice->insert, 0, at)),
                   kind == TABS ? "tabs" : "spaces", kind == TABS ? "spaces" : "tabs");
}

em_status em_warn_of_other_blanks(em_arena *arena, em_outcome *outcome)
{
    em_splices splices = outcome->plan.splices;
    em_slice body = outcome->lines.body;
    size_t looked_at = 0;
    if (outcome->text.extract)
        return EM_OK;
    for (size_t i = 0; i < splices.count && looked_at < MOST_LOOKED_AT; i++) {
        const em_splice *splice = &splices.items[i];
        size_t at, counts[KINDS] = {0};
        blanks kind;
        if (!first_indented(body, splice, &at, &kind))
            continue;
        looked_at++;
        count_around(body, splice, counts);
        if (counts[kind] == 0 && counts[kind == TABS ? SPACES : TABS] >= ENOUGH)
            return warn(arena, outcome, i, at, kind);
    }
    return EM_OK;
}
