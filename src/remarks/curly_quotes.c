#include "remarks/curly_quotes.h"

#include "base/ascii.h"
#include "base/line.h"
#include "remarks/text_page.h"
#include "text/span.h"
#include "text/token.h"
#include "tokens/comment.h"

enum {
    CURLY = 3,             /* bytes of a quote */
    MOST_BEFORE = 4 << 10, /* of a line that an edit begins within, no more is looked at */
};

/* The straight quote that the curly one at the start of `s` stands for; '\0': there is none. */
static char straight_of(em_slice s)
{
    if (!em_slice_starts(s, EM_LIT("\xE2\x80")) || s.len < CURLY)
        return '\0';
    unsigned char last = (unsigned char)s.ptr[CURLY - 1];
    return last == 0x9C || last == 0x9D ? '"' : last == 0x98 || last == 0x99 ? '\'' : '\0';
}

static bool has_curly(em_slice s)
{
    for (const char *at; s.len > 0 && (at = memchr(s.ptr, '\xE2', s.len)) != NULL;) {
        s = em_slice_from(s, (size_t)(at - s.ptr));
        if (straight_of(s))
            return true;
        s = em_slice_from(s, 1);
    }
    return false;
}

/* Does a string of code stand at `at`, by what is before it? */
static bool may_begin_string(em_slice line, size_t at)
{
    while (at > 0 && em_is_space_or_tab(line.ptr[at - 1]))
        at--;
    char before = at > 0 ? line.ptr[at - 1] : '\0';
    char callee = at > 1 ? line.ptr[at - 2] : '\0';
    em_slice all = em_slice_trim(em_slice_sub(line, 0, at), em_is_line_blank);
    return em_is_one_of(before, "=+[{") ||
           (before == '(' && (em_is_word_byte(callee) || em_is_one_of(callee, ")]"))) ||
           em_slice_is(all, "return") || em_slice_is(all, "#include");
}

/* Does one end behind a curly quote like that at `at`, by what follows? */
static bool is_ended(em_slice line, size_t at)
{
    char kind = straight_of(em_slice_from(line, at));
    size_t end = at + CURLY;
    while (end < line.len && straight_of(em_slice_from(line, end)) != kind)
        end++;
    if (end == line.len)
        return false;
    em_slice rest = em_slice_trim(em_slice_from(line, end + CURLY), em_is_line_blank);
    return rest.len == 0 || em_is_one_of(rest.ptr[0], ")],;}+");
}

static bool begins_comment(em_slice s)
{
    return em_slice_starts(s, EM_LIT("//")) || em_slice_starts(s, EM_LIT("/*")) ||
           em_slice_starts(s, EM_LIT("<!--")) ||
           (em_slice_starts(s, EM_LIT("#")) && em_is_comment(s));
}

/* Behind the straight quote at `at`, and the string that it begins; an apostrophe begins none. */
static size_t skip_string(em_slice line, size_t at)
{
    char quote = line.ptr[at];
    if (quote == '\'' && at > 0 && em_is_word_byte(line.ptr[at - 1]))
        return at + 1;
    for (at++; at < line.len && line.ptr[at] != quote; at++)
        at += line.ptr[at] == '\\';
    return at + 1;
}

static bool has_curly_string(em_slice line)
{
    em_slice trimmed = em_slice_trim(line, em_is_line_blank);
    if (!has_curly(line) || em_is_comment(trimmed) || em_goes_on_comment(trimmed))
        return false;
    for (size_t at = 0; at < line.len;) {
        em_slice rest = em_slice_from(line, at);
        if (begins_comment(rest))
            return false;
        if (straight_of(rest) && may_begin_string(line, at) && is_ended(line, at))
            return true;
        at = em_is_one_of(line.ptr[at], "\"'`") ? skip_string(line, at) : at + 1;
    }
    return false;
}

/* The first line of what is inserted, with what the text has before it in that line. */
static em_status whole_first_line(em_slice body, const em_splice *splice, em_arena *arena,
                                  em_slice *line)
{
    em_slice rest = splice->insert, first = em_take_line(&rest);
    size_t start = splice->offset;
    while (start > 0 && !em_is_line_break(body.ptr[start - 1]) &&
           splice->offset - start < MOST_BEFORE)
        start--;
    size_t before = splice->offset - start;
    char *bytes = em_alloc_raw(arena, before + first.len + 1);
    if (!bytes)
        return EM_E_NOMEM;
    memcpy(bytes, body.ptr + start, before);
    memcpy(bytes + before, first.ptr, first.len);
    *line = em_slice_make(bytes, before + first.len);
    return EM_OK;
}

/* How many line breaks of what is inserted are before such a line; EM_NPOS: there is none. */
static em_status find_curly_string(em_slice body, const em_splice *splice, em_arena *arena,
                                   size_t *breaks)
{
    em_slice line, rest = splice->insert;
    *breaks = EM_NPOS;
    if (!has_curly(rest))
        return EM_OK;
    EM_TRY(whole_first_line(body, splice, arena, &line));
    em_take_line(&rest);
    for (size_t count = 0;; count++) {
        if (has_curly_string(line)) {
            *breaks = count;
            return EM_OK;
        }
        if (rest.len == 0)
            return EM_OK;
        line = em_take_line(&rest);
    }
}

/* Has the file straight quotes, those of strings and no apostrophes, and none that are curly? */
static bool has_straight_quotes(em_slice body)
{
    static const char *const begins[] = {"\"", "('", "='", "= '", "['", "return '"};
    for (size_t i = 0; i < sizeof begins / sizeof *begins; i++)
        if (em_slice_holds(body, em_slice_of(begins[i])))
            return !has_curly(body);
    return false;
}

em_status em_remark_curly_quotes(const em_planned_edit *edit, em_arena *arena,
                                 em_warnings *warnings)
{
    em_splices splices = edit->plan->splices;
    em_slice body = edit->lines->body;
    bool is_text = em_is_text_page(edit->path) || em_has_bare_texts(edit->path);
    for (size_t i = 0; i < splices.count && !is_text; i++) {
        em_splices before = {splices.items, i};
        size_t breaks;
        EM_TRY(find_curly_string(body, &splices.items[i], arena, &breaks));
        if (breaks == EM_NPOS)
            continue;
        if (!has_straight_quotes(body))
            return EM_OK;
        size_t first = em_lines_at(edit->lines, splices.items[i].offset);
        return em_warn(warnings, arena,
                       "After this edit line %zu of the file has curly quotes where code has "
                       "straight ones, and the file has no others: if they are to begin and end a "
                       "string, send straight ones",
                       em_lines_after(edit->lines, before, first) + breaks);
    }
    return EM_OK;
}
