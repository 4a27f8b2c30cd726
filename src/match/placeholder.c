#include "match/placeholder.h"

#include "base/ascii.h"
#include "base/line.h"
#include "match/omission.h"
#include "text/search.h"

#include <stdint.h>

enum { LONGEST_PLACEHOLDER = 120 }; /* bytes; a longer line says something of its own */

static const em_slice ELLIPSIS = {"\xE2\x80\xA6", 3}; /* U+2026 */
static const em_slice RULER = {".......", 7};         /* too many dots for one */

/* ---- The parts of a line ------------------------------------------------------------------- */

static bool take_prefix(em_slice *s, em_slice prefix)
{
    if (prefix.len == 0 || s->len == 0 || s->ptr[0] != prefix.ptr[0] ||
        !em_slice_starts(*s, prefix))
        return false;
    *s = em_slice_trim(em_slice_from(*s, prefix.len), em_is_line_blank);
    return true;
}

static bool take_suffix(em_slice *s, em_slice suffix)
{
    if (suffix.len == 0 || s->len < suffix.len ||
        s->ptr[s->len - 1] != suffix.ptr[suffix.len - 1] ||
        !em_slice_eq(em_slice_from(*s, s->len - suffix.len), suffix))
        return false;
    *s = em_slice_trim(em_slice_sub(*s, 0, s->len - suffix.len), em_is_line_blank);
    return true;
}

/* What makes a text a comment, or puts it in brackets. */
typedef struct mark {
    em_slice opens, closes; /* `closes` is empty where the end of the line does */
    bool comment;
} mark;

static const mark marks[] = {
    {{"{/*", 3}, {"*/}", 3}, true},   {{"{{!--", 5}, {"--}}", 4}, true},
    {{"<%--", 4}, {"--%>", 4}, true}, {{"{#", 2}, {"#}", 2}, true},
    {{"/*", 2}, {"*/", 2}, true},     {{"<!--", 4}, {"-->", 3}, true},
    {{"(*", 2}, {"*)", 2}, true},     {{"//", 2}, {"", 0}, true},
    {{"#", 1}, {"", 0}, true},        {{"--", 2}, {"", 0}, true},
    {{";", 1}, {"", 0}, true},        {{"%", 1}, {"", 0}, true},
    {{"[", 1}, {"]", 1}, false},      {{"(", 1}, {")", 1}, false},
};
enum { MARK_COUNT = sizeof marks / sizeof marks[0], LONGEST_MARK = 5 };

/* Those of some language, or of a list, that begin much else in others: an ellipsis on both sides
 * of what they mark says that they do. A text in quotes is none, so these close nothing. */
static const mark loose_marks[] = {
    {.opens = {"\"\"\"", 3}, .closes = {"\"\"\"", 3}},
    {.opens = {"'''", 3}, .closes = {"'''", 3}},
    {.opens = {"*", 1}, .closes = {"*/", 2}},
    {.opens = {"|", 1}, .closes = {"|", 1}},
    {.opens = {"<", 1}, .closes = {">", 1}},
    {.opens = {"{", 1}, .closes = {"}", 1}},
    {.opens = {"/", 1}},
    {.opens = {"!", 1}},
    {.opens = {"\"", 1}},
    {.opens = {"'", 1}},
    {.opens = {"-", 1}},
    {.opens = {">", 1}},
    {.opens = {"::", 2}},
    {.opens = {"REM ", 4}},
    {.opens = {"rem ", 4}},
    {.opens = {"dnl ", 4}},
};
enum { LOOSE_MARK_COUNT = sizeof loose_marks / sizeof loose_marks[0] };

typedef struct wrapping {
    bool comment;
    bool brackets; /* an opening one and its closing one */
} wrapping;

static wrapping take_marks(em_slice *line, const mark *of, size_t count)
{
    wrapping taken = {false, false};
    for (size_t i = 0; i < count; i++) {
        while (take_prefix(line, of[i].opens)) {
            bool closed = take_suffix(line, of[i].closes);
            taken.comment |= of[i].comment;
            taken.brackets |= closed && !of[i].comment;
        }
    }
    return taken;
}

/* What a comment is drawn with at its ends: two or more of a sign ("--- existing code ---"). */
static void take_borders(em_slice *line)
{
    for (const char *sign = "-=*~+#/;%"; *sign; sign++) {
        em_slice one = {sign, 1}, two = {(const char[]){*sign, *sign}, 2};
        if (take_prefix(line, two) || take_suffix(line, two))
            while (take_prefix(line, one) || take_suffix(line, one))
                continue;
    }
}

static wrapping take_wrapping(em_slice *line)
{
    wrapping taken = take_marks(line, marks, MARK_COUNT);
    if (taken.comment)
        take_borders(line);
    return taken;
}

/* The ellipses around the line, with the dots that are too many for one. */
static em_dots take_ellipses(em_slice *line)
{
    em_dots dots = EM_DOTS_NONE;
    for (;;) {
        if (take_prefix(line, ELLIPSIS) || take_prefix(line, EM_LIT("...")))
            dots |= EM_DOTS_BEFORE;
        else if (take_suffix(line, ELLIPSIS) || take_suffix(line, EM_LIT("...")))
            dots |= EM_DOTS_BEHIND;
        else if (!dots || !(take_prefix(line, EM_LIT(".")) || take_suffix(line, EM_LIT("."))))
            return dots;
    }
}

/* An ellipsis on both sides, within marks that count for nothing else. */
static em_dots take_marked_ellipses(em_slice *line)
{
    em_slice s = *line;
    take_marks(&s, loose_marks, LOOSE_MARK_COUNT);
    if (take_ellipses(&s) != EM_DOTS_AROUND)
        return EM_DOTS_NONE;
    *line = s;
    return EM_DOTS_AROUND;
}

/* A name that is spread: "...rest,", "...rest, item". */
static bool is_spread(em_slice s)
{
    if (!take_prefix(&s, EM_LIT("...")) || em_is_line_blank(s.ptr[-1]))
        return false;
    while (s.len > 0 && (em_is_letter_or_digit(s.ptr[0]) || em_is_one_of(s.ptr[0], "_$")))
        s = em_slice_from(s, 1);
    return s.len == 0 || em_is_one_of(s.ptr[0], ",;)]}");
}

/* Not in a comment, ellipses may stand around any text: more must be said in words. */
static bool has_shape(em_slice phrase, em_dots dots, bool wrapped)
{
    if (!wrapped)
        return dots == EM_DOTS_AROUND && em_omission_in_shape(phrase, EM_DOTS_BEHIND);
    return em_omission_in_shape(phrase, dots);
}

/* Does the line begin as a comment, brackets or an ellipsis do, or end as an ellipsis? Few others
 * than a placeholder do, and none that does not is one. */
static bool may_leave_out(em_slice line)
{
    return em_is_one_of(line.ptr[0], "{/<(-#;%[.*\"'|\xE2") ||
           em_is_one_of(line.ptr[line.len - 1], ".\xA6");
}

/* Does a line leave something out that had this around it? */
static bool says_omission(em_slice line, wrapping taken)
{
    if (em_slice_starts(line, RULER) || (!taken.comment && is_spread(line)))
        return false;
    em_dots dots = take_marked_ellipses(&line);
    if (!dots)
        dots = take_ellipses(&line);
    bool wrapped = taken.comment || taken.brackets;
    if (line.len == 0)
        return taken.comment && dots;
    if (dots)
        return em_omission_in_words(line, false) || has_shape(line, dots, wrapped);
    return (taken.comment &&
            (em_omission_is_fixed(line, false) || em_omission_is_remainder(line))) ||
           (wrapped && em_omission_is_sentence(line, !taken.comment));
}

static bool leaves_out(em_slice line)
{
    if (line.len == 0 || line.len > LONGEST_PLACEHOLDER || !may_leave_out(line))
        return false;
    wrapping taken = take_wrapping(&line);
    return says_omission(line, taken);
}

/* ---- Comments beside code -------------------------------------------------------------------- */

/* Such a comment may be said of the code that it stands beside, so it must name what it leaves out.
 * `opened`: it follows an opening brace, where it may be all that a body holds. */
static bool leaves_out_beside_code(em_slice comment, bool opened)
{
    if (comment.len > LONGEST_PLACEHOLDER)
        return false;
    take_wrapping(&comment);
    em_dots dots = take_ellipses(&comment);
    if (dots)
        return em_omission_in_words(comment, true) ||
               (dots == EM_DOTS_AROUND && em_omission_in_shape(comment, dots));
    return em_omission_is_sentence(comment, true) ||
           (opened && em_omission_is_fixed(comment, true));
}

/* May a comment begin behind other text, be it within quotes? Those whose mark is one byte alone
 * need a blank before them. Most lines have none, and hardly any bytes are looked at twice: there
 * is no branch here, so that the compiler has many bytes looked at at once. */
static bool may_hold_comment(em_slice line)
{
    unsigned char found = 0;
    for (size_t i = 1; i < line.len; i++) {
        char a = line.ptr[i - 1], b = line.ptr[i];
        found |= (b == '/') & ((a == '/') | (a == '{'));
        found |= (b == '*') & ((a == '/') | (a == '('));
        found |= ((b == '!') & (a == '<')) | ((b == '-') & (a == '-')) | ((b == '#') & (a == '{'));
        found |= ((b == '#') | (b == ';') | (b == '%')) & ((a == ' ') | (a == '\t') | (a == '\r'));
    }
    return found;
}

/* The mark of a comment that `s` begins with; NULL. */
static const mark *comment_mark(em_slice s)
{
    for (size_t i = 0; i < MARK_COUNT; i++)
        if (marks[i].comment && marks[i].opens.ptr[0] == s.ptr[0] &&
            em_slice_starts(s, marks[i].opens))
            return &marks[i];
    return NULL;
}

/* The comment that begins at `at`, with its marks; empty where none does, or a long one. What ends
 * with the line must have a blank before it: it may be another sign in this language. */
static em_slice comment_at(em_slice line, size_t at)
{
    em_slice rest = em_slice_from(line, at);
    const mark *m = comment_mark(rest);
    if (!m)
        return (em_slice){0};
    if (m->closes.len == 0) {
        bool apart = at > 0 && (em_is_line_blank(line.ptr[at - 1]) || em_slice_is(m->opens, "//"));
        return apart ? rest : (em_slice){0};
    }
    size_t reach = rest.len < LONGEST_PLACEHOLDER ? rest.len : LONGEST_PLACEHOLDER;
    const char *end =
        memmem(rest.ptr + m->opens.len, reach > m->opens.len ? reach - m->opens.len : 0,
               m->closes.ptr, m->closes.len);
    return end ? em_slice_sub(rest, 0, (size_t)(end - rest.ptr) + m->closes.len) : (em_slice){0};
}

/* A line that is a comment from its start to its end may speak of others. */
static bool is_comment_line(em_slice line)
{
    static const char *const starts[] = {"//", "-- ", "# ", "* ", NULL};
    for (size_t i = 0; starts[i]; i++)
        if (em_slice_starts(line, em_slice_of(starts[i])))
            return true;
    return false;
}

/* The first comment beside code, and not within quotes, that leaves something out; empty. */
static em_slice omission_beside_code(em_slice line)
{
    char quote = '\0', last = '\0'; /* the sign before it */
    if (!may_hold_comment(line) || is_comment_line(line))
        return (em_slice){0};
    for (size_t i = 0; i < line.len; i++) {
        char byte = line.ptr[i];
        em_slice comment = quote ? (em_slice){0} : comment_at(line, i);
        if (comment.len > 0 && leaves_out_beside_code(comment, last == '{'))
            return comment;
        if (byte == '\\')
            i++;
        else if (quote ? byte == quote : byte == '"' || byte == '\'' || byte == '`')
            quote = quote ? '\0' : byte;
        last = em_is_line_blank(byte) ? last : byte;
    }
    return (em_slice){0};
}

/* ---- Comments in three lines ----------------------------------------------------------------- */

/* The line behind `opening`, when it leaves something out and is all that a comment holds whose
 * marks stand on lines of their own; empty. A line with a star ("* Existing functions") heads or
 * documents the code below it. */
static em_slice omission_between_marks(em_slice opening, em_slice rest)
{
    bool may_open = opening.len > 0 && opening.len <= LONGEST_MARK;
    const mark *m = may_open ? comment_mark(opening) : NULL;
    if (!m || m->closes.len == 0 || opening.len != m->opens.len)
        return (em_slice){0};
    em_slice between = em_slice_trim(em_take_line(&rest), em_is_line_blank);
    if (between.len > LONGEST_PLACEHOLDER || em_slice_starts(between, EM_LIT("*")) ||
        !em_slice_eq(em_slice_trim(em_take_line(&rest), em_is_line_blank), m->closes))
        return (em_slice){0};
    return says_omission(between, (wrapping){.comment = true}) ? between : (em_slice){0};
}

/* ---- What the search text has, too ----------------------------------------------------------- */

/* A search text in which one omission after the other is looked for. Most stand in it in the order
 * in which they come, so each is looked for from the last one on, and then before it. */
typedef struct repeated {
    em_slice search;
    size_t at;     /* where the last one stands */
    size_t looked; /* bytes that were looked at for all of them */
} repeated;

static bool is_all_of_line(em_slice text, size_t start, size_t end)
{
    while (start > 0 && em_is_line_blank(text.ptr[start - 1]))
        start--;
    while (end < text.len && em_is_line_blank(text.ptr[end]))
        end++;
    return (start == 0 || text.ptr[start - 1] == '\n') &&
           (end == text.len || text.ptr[end] == '\n');
}

/* Does the needle stand in the search text between `from` and `to`, as a line if `alone`? */
static bool repeats_between(repeated *r, const em_needle *needle, bool alone, size_t from,
                            size_t to)
{
    em_slice part = em_slice_sub(r->search, 0, to);
    for (size_t at; (at = em_find(needle, part, from)) != EM_NPOS; from = at + 1) {
        r->looked += at + 1 - from;
        if (alone && !is_all_of_line(r->search, at, at + needle->bytes.len))
            continue;
        r->at = at;
        return true;
    }
    r->looked += to - from;
    return false;
}

/* Of very many that come in another order nobody knows: then it counts as one that is not there. */
static bool repeats(repeated *r, em_slice omission, bool alone)
{
    enum { MOST_LOOKED_AT = 1 << 28 };
    em_needle needle;
    if (r->looked > MOST_LOOKED_AT)
        return false;
    em_needle_init(&needle, omission);
    size_t before = em_least(r->search.len, r->at + omission.len - 1);
    return repeats_between(r, &needle, alone, r->at, r->search.len) ||
           repeats_between(r, &needle, alone, 0, before);
}

/* ---- Texts ----------------------------------------------------------------------------------- */

bool em_elides(em_slice line)
{
    line = em_slice_trim(line, em_is_line_blank);
    if (leaves_out(line))
        return true;
    take_wrapping(&line);
    bool opens = take_prefix(&line, ELLIPSIS) || take_prefix(&line, EM_LIT("..."));
    return opens &&
           (line.len == 0 || take_suffix(&line, ELLIPSIS) || take_suffix(&line, EM_LIT("...")));
}

em_slice em_placeholder_in(em_slice replacement, em_slice search)
{
    repeated there = {.search = search};
    while (replacement.len > 0) {
        em_slice line = em_slice_trim(em_take_line(&replacement), em_is_line_blank);
        if (leaves_out(line) && !repeats(&there, line, true))
            return line;
        em_slice between = omission_between_marks(line, replacement);
        if (between.len > 0 && !repeats(&there, between, true))
            return between;
        em_slice beside = omission_beside_code(line);
        if (beside.len > 0 && !repeats(&there, beside, false))
            return beside;
    }
    return (em_slice){0};
}
