#include "edit/rogue.h"

#include "edit/line.h"
#include "edit/numbering.h"

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

bool em_is_rogue(em_slice text, em_slice find, em_slice insert)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (has_line_of_kind(insert, &kinds[i]) && !has_line_of_kind(find, &kinds[i]) &&
            !has_line_of_kind(text, &kinds[i]))
            return true;
    return (begins_with_middle(insert) && !begins_with_middle(find)) ||
           em_brings_numbers(find, insert);
}
