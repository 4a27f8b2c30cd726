#include "edit/artifact.h"

#include "base/ascii.h"
#include "edit/line.h"
#include "edit/numbering.h"
#include "edit/place_edges.h"

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
    return (begins_with_middle(insert) && !begins_with_middle(find)) ||
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
    em_tokened find = {place->find, place->find_tokens};
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

/* A line with the sign of a patch before it. In a list, one blank stands behind that. */
static bool is_of_patch(em_slice line, const column *c)
{
    line = em_line_content(line);
    if (line.len < 2 || (line.ptr[0] != '+' && line.ptr[0] != '-') || line.ptr[1] == line.ptr[0])
        return false;
    if (line.ptr[0] == '+' ? c->adds : c->removes)
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

bool em_place_has_artifact(em_slice text, const em_tolerant_place *place)
{
    return em_has_artifact(text, place->find, place->insert) || brings_patch(text, place);
}
