#include "laying/artifact.h"

#include "base/ascii.h"
#include "base/line.h"
#include "match/escaped_breaks.h"
#include "match/numbering.h"
#include "match/token_line.h"
#include "match/wrapping.h"

/* How a line of this kind begins. `whole`: it has nothing else. */
typedef struct kind {
    const char *start;
    bool whole;
} kind;

static const kind kinds[] = {
    {"```", false},      {"~~~", false},           {"<<<<<<< ", false},
    {"<<<<<<<", true},   {">>>>>>> ", false},      {">>>>>>>", true},
    {"||||||| ", false}, {"------- SEARCH", true}, {"+++++++ REPLACE", true},
};

static bool is_of_kind(em_slice line, const kind *k)
{
    line = em_trimmed(line);
    return k->whole ? em_slice_is(line, k->start) : em_slice_starts(line, em_slice_of(k->start));
}

static bool has_line_of_kind(em_slice s, const kind *k)
{
    for (size_t offset = 0; offset < s.len;)
        if (is_of_kind(em_next_line(s, &offset), k))
            return true;
    return false;
}

/* The line in the middle of a conflict also underlines headings: then it is not the first. */
static bool begins_with_middle(em_slice s)
{
    size_t offset = 0;
    s = em_trimmed(s);
    return s.len > 0 && em_slice_is(em_trimmed(em_next_line(s, &offset)), "=======");
}

bool em_has_artifact(em_slice text, em_slice find, em_slice insert)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (has_line_of_kind(insert, &kinds[i]) && !has_line_of_kind(find, &kinds[i]) &&
            !has_line_of_kind(text, &kinds[i]))
            return true;
    em_slice unused;
    return (begins_with_middle(insert) && !begins_with_middle(find)) ||
           (em_marked(insert, &unused) && !em_marked(find, &unused)) ||
           em_brings_numbers(find, insert);
}

/* ---- Lines of a patch ------------------------------------------------------------------------ */

/* How the search text stands in the file, if it may be of a patch. */
typedef struct column {
    bool is_blank;      /* each line has one blank more before it than in the file, */
    bool is_indented;   /* and where that is one, too, a sign is not that of a list */
    bool adds, removes; /* some line begins with this sign itself, not indented in the file */
} column;

static column column_of(em_slice text, const em_tolerant_place *place)
{
    em_tokened find = em_place_find(place);
    em_slice wanted, seen;
    column c = {.is_blank = true};
    for (size_t i = 0; i < find.tokens.count && c.is_blank; i++) {
        if (!em_line_indent(find, i, &wanted))
            continue;
        c.is_blank = em_seen_indent(text, place, i, &seen) && wanted.len == seen.len + 1 &&
                     wanted.ptr[0] == ' ' && em_slice_eq(em_slice_from(wanted, 1), seen);
        c.is_indented |= wanted.len == 2;
        c.adds |= wanted.len == 1 && em_tokened_token(find, i).ptr[0] == '+';
        c.removes |= wanted.len == 1 && em_tokened_token(find, i).ptr[0] == '-';
    }
    return c;
}

/* A line with the sign of a patch before it. In a list, one blank stands behind that; an empty line
 * has the sign alone. */
static bool is_of_patch(em_slice line, const column *c)
{
    line = em_line_content(line);
    if (line.len == 0 || (line.ptr[0] != '+' && line.ptr[0] != '-'))
        return false;
    if (line.ptr[0] == '+' ? c->adds : c->removes)
        return false;
    if (em_trimmed(line).len == 1)
        return true;
    if (line.ptr[1] == line.ptr[0])
        return false;
    return line.ptr[1] != ' ' || c->is_indented || (line.len > 2 && em_is_white_space(line.ptr[2]));
}

/* A patch has a column for its signs, which is blank before lines that stay. Is the search text the
 * lines of one that stay, and does the replacement have others? */
static bool brings_patch(em_slice text, const em_tolerant_place *place)
{
    column c = column_of(text, place);
    for (size_t offset = 0; offset < place->insert.len && c.is_blank;)
        if (is_of_patch(em_next_line(place->insert, &offset), &c))
            return true;
    return false;
}

/* Does a line begin with this sign and, behind it, the indentation of a line without it that stands
 * next to it? Then the sign was put before the line, in front of all that it had. */
static bool has_sign_put_before(em_slice insert, char sign)
{
    em_slice plain = {0}, behind = {0};
    for (size_t offset = 0; offset < insert.len;) {
        em_slice line = em_line_content(em_next_line(insert, &offset));
        bool is_signed = line.len > 0 && line.ptr[0] == sign;
        em_slice own = em_slice_from(line, is_signed), indent = em_line_blanks(own);
        if (indent.len == own.len)
            continue;
        *(is_signed ? &behind : &plain) = indent;
        if (em_is_indentation(behind) && em_slice_eq(behind, plain))
            return true;
    }
    return false;
}

static bool has_signed_line(em_slice text, char sign)
{
    for (size_t offset = 0; offset < text.len;) {
        em_slice line = em_next_line(text, &offset);
        if (line.len > 1 && line.ptr[0] == sign && em_is_space_or_tab(line.ptr[1]))
            return true;
    }
    return false;
}

/* The column of the signs may have been lost but for the lines that come or go. A file that has
 * such lines itself, as a list or a patch, may get more of them. */
static bool brings_signs(em_slice text, const em_tolerant_place *place)
{
    for (const char *sign = "+-"; *sign; sign++)
        if (has_sign_put_before(place->insert, *sign) && !has_signed_line(place->find, *sign) &&
            !has_signed_line(text, *sign))
            return true;
    return false;
}

/* Not `++`, which many a line of code begins with. */
static bool is_added_line(em_slice line)
{
    return line.len > 1 && line.ptr[0] == '+' && line.ptr[1] != '+';
}

/* Has the text such a line, behind blanks or not? */
static bool has_added_line(em_slice text, bool behind_blanks)
{
    for (size_t offset = 0; offset < text.len;) {
        em_slice line = em_line_content(em_next_line(text, &offset));
        if (is_added_line(behind_blanks ? em_trimmed(line) : line))
            return true;
    }
    return false;
}

/* What became of the column cannot always be told. But where no line of the search text and of the
 * file begins with a plus, those that do are as a patch has them. (With a minus a list begins.) */
static bool brings_added_lines(em_slice text, const em_tolerant_place *place)
{
    return has_added_line(place->insert, false) && !has_added_line(place->find, true) &&
           !has_added_line(text, true);
}

/* ---- Escaped line breaks --------------------------------------------------------------------- */

/* The two signs `\n`, and behind them the indentation of a line that would come next. */
static bool begins_escaped_break(em_slice text, size_t at)
{
    em_slice s = em_slice_from(text, at);
    if (!em_slice_starts(s, EM_LIT("\\n")))
        return false;
    em_slice behind = em_slice_from(s, 2), indent = em_line_blanks(behind);
    bool goes_on = indent.len < behind.len && !em_is_line_break(behind.ptr[indent.len]);
    return em_slice_starts(behind, EM_LIT("\\t")) || (em_is_indentation(indent) && goes_on);
}

/* A replacement whose line breaks alone were escaped would bring several lines as one. Where the
 * place has such escapes itself, more of them may be meant; and where it begins within a line, a
 * string may be open. */
static bool brings_escaped_breaks(em_slice text, const em_tolerant_place *place)
{
    size_t start;
    return em_has_escape_outside_quotes(place->insert, begins_escaped_break) &&
           em_begins_line(text, place->span.start, &start) &&
           !em_has_escape_of_break(em_slice_sub(text, place->span.start, place->span.end));
}

bool em_place_has_artifact(em_slice text, const em_tolerant_place *place)
{
    return em_has_artifact(text, place->find, place->insert) || brings_patch(text, place) ||
           em_is_patch_of(place->find, place->insert) || brings_signs(text, place) ||
           brings_added_lines(text, place) || brings_escaped_breaks(text, place);
}
