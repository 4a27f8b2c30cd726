#include "laying/precursor.h"

#include "match/token_line.h"

static em_precursor line_around(em_tokened text, size_t index)
{
    size_t first, last;
    em_line_around(text, index, &first, &last);
    return (em_precursor){first, last + 1};
}

/* Of lines that repeat no word: whole lines, or none. */
static em_precursor of_new_lines(em_precursors *p, size_t index)
{
    size_t before = index, behind = index, right = p->find.tokens.count;
    if (index < p->until)
        return p->last;
    while (before > 0 && p->origin[before - 1] == EM_NPOS)
        before--;
    while (behind < p->insert.tokens.count && p->origin[behind] == EM_NPOS)
        behind++;
    size_t left = before > 0 ? p->origin[before - 1] + 1 : 0;
    if (behind < p->insert.tokens.count)
        right = line_around(p->find, p->origin[behind]).start;
    p->last = (em_precursor){left, right > left ? right : left};
    p->until = behind;
    return p->last;
}

/* Is the line behind the one that ends before token `next` put into its block? It was as deep as
 * that is, and becomes deeper. */
static bool is_wrapped(const em_precursors *p, size_t index, size_t next)
{
    em_slice own, old, new;
    return next < p->insert.tokens.count && p->origin[next] != EM_NPOS &&
           em_line_indent(p->insert, index, &own) &&
           em_line_indent(p->find, p->origin[next], &old) &&
           em_line_indent(p->insert, next, &new) && em_slice_eq(old, own) && new.len > old.len;
}

em_precursor em_precursor_of(em_precursors *p, size_t index)
{
    em_slice unused;
    em_precursor line = line_around(p->insert, index);
    size_t first = p->origin[index];
    if (first != EM_NPOS && em_line_indent(p->find, first, &unused))
        return (em_precursor){first, p->wraps ? first + 1 : first};
    for (size_t i = line.start; i < line.end; i++)
        if (p->origin[i] != EM_NPOS && em_token_is_word(em_tokened_token(p->insert, i)))
            return line_around(p->find, p->origin[i]);
    if (!is_wrapped(p, index, line.end))
        return of_new_lines(p, index);
    p->wraps = true;
    return (em_precursor){p->origin[line.end], p->origin[line.end] + 1};
}

void em_precursors_pass(em_precursors *p)
{
    p->wraps = false;
}
