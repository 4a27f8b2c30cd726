#include "laying/depths_beside.h"

#include "match/block.h"
#include "match/token_line.h"

/* Tokens that are looked at for what stands above or below all lines: of thousands of new ones each
 * would look at all the others. */
enum { MOST_LOOKED = 1 << 20 };

/* ---- Lines that change ----------------------------------------------------------------------- */

/* The line of the search text that a line comes for, if that is one, and it is as deep as that; its
 * first token, or EM_NPOS. The first one does not tell how deep another is that came bare. */
static size_t line_it_is_for(const em_depths *t, size_t index, em_precursor old)
{
    size_t first, last;
    em_slice indent, was;
    if (old.start == old.end)
        return EM_NPOS;
    em_line_around(t->find, old.start, &first, &last);
    bool is_line = first == old.start && last + 1 == old.end && !(first == 0 && t->first_is_bare);
    bool is_as_deep = is_line && em_line_indent(t->find, first, &was) &&
                      em_line_indent(t->insert, index, &indent) && em_slice_eq(was, indent);
    return is_as_deep ? first : EM_NPOS;
}

bool em_depths_keeps(em_depths *t, size_t index, em_precursor old, em_slice *seen)
{
    if (t->changed[index] == EM_NPOS)
        t->changed[index] = line_it_is_for(t, index, old);
    return t->changed[index] != EM_NPOS &&
           em_indent_at(t->text, t->place->tokens[t->changed[index]].start, seen);
}

/* ---- Lines that moved ------------------------------------------------------------------------ */

/* Are all lines that are as deep for the caller as deep in the file, too? */
static bool are_all_as_deep(const em_indents *all, const em_indent_pair *pair)
{
    for (size_t i = 0; i < all->count; i++)
        if (em_slice_eq(all->pairs[i].wanted, pair->wanted) &&
            !em_slice_eq(all->pairs[i].seen, pair->seen))
            return false;
    return true;
}

/* Could the line that token `index` begins be in the block of one above it? Lines as deep as it,
 * and deeper ones, may stand between the two. Of very many lines it is not asked any more. */
static bool may_be_in_block(em_depths *t, size_t index, em_slice own)
{
    em_slice indent;
    size_t first, last;
    if (em_opens_block(t->insert, index - 1))
        return true;
    for (size_t at = index; at-- > 0;) {
        if (++t->looked > MOST_LOOKED)
            return true;
        if (!em_line_indent(t->insert, at, &indent) || indent.len >= own.len)
            continue;
        em_line_around(t->insert, at, &first, &last);
        return em_opens_block(t->insert, last);
    }
    return false;
}

bool em_depths_of_moved(em_depths *t, size_t index, size_t old, em_slice *seen)
{
    const em_indent_pair *pair = em_indent_pair_at(&t->indents, old);
    em_slice indent;
    if (!pair || !em_line_indent(t->insert, index, &indent))
        return false;
    bool as_sent = em_slice_eq(indent, pair->wanted) && !(old == 0 && t->first_is_bare) &&
                   are_all_as_deep(&t->indents, pair);
    bool as_in_file =
        indent.len > 0 && em_slice_eq(indent, pair->seen) && !may_be_in_block(t, index, indent);
    return (as_sent || as_in_file) && em_indent_at(t->text, t->place->tokens[old].start, seen);
}

/* ---- Siblings -------------------------------------------------------------------------------- */

/* How deep the line is in the file that token `at` of `insert` begins, and stays as deep as
 * `indent` or changes and does; ptr NULL: it does neither, or is the search text's first, which
 * came bare. */
static em_slice seen_of(const em_depths *t, size_t at, em_slice indent)
{
    size_t old = t->changed[at] != EM_NPOS ? t->changed[at] : t->origin[at];
    const em_indent_pair *pair = old != EM_NPOS ? em_indent_pair_at(&t->indents, old) : NULL;
    bool is_bare = pair && pair->at == 0 && t->first_is_bare;
    return pair && !is_bare && em_slice_eq(pair->wanted, indent) ? pair->seen : (em_slice){0};
}

/* Does a line go on with a statement, for the caller or in the file? */
static bool goes_on(const em_depths *t, size_t at)
{
    size_t old = t->origin[at];
    return t->scopes[at].going != EM_GOING_NOT ||
           (old != EM_NPOS && t->find_scopes[old].going != EM_GOING_NOT);
}

/* How deep lines beside a new one are in the file, which are as deep as that for the caller. */
typedef struct beside {
    em_slice sibling; /* ptr NULL: there is none before the block ends, or another list comes */
    em_slice hanging; /* the last one before it that goes on with a statement, as the new one may,
                         too; ptr NULL: there is none */
} beside;

static beside look_beside(em_depths *t, size_t index, bool above)
{
    size_t count = t->insert.tokens.count;
    char mark = t->scopes[index].mark;
    em_slice own, indent;
    beside found = {.sibling = {0}};
    em_line_indent(t->insert, index, &own);
    for (size_t at = index; !found.sibling.ptr && (above ? at > 0 : at + 1 < count);) {
        at = above ? at - 1 : at + 1;
        t->looked++;
        if (!em_line_indent(t->insert, at, &indent))
            continue;
        char other = t->scopes[at].mark;
        if (indent.len < own.len || (mark && other && mark != other))
            break;
        if (!em_slice_eq(indent, own) || mark != other)
            continue;
        if (goes_on(t, at) && !em_tokened_is_one_of(t->insert, at, ")]}"))
            found.hanging = seen_of(t, at, indent);
        else
            found.sibling = seen_of(t, at, indent);
    }
    return found;
}

/* Does a line go, from its start on, for what comes? */
static bool takes_line(const em_depths *t, em_precursor old)
{
    em_slice indent;
    for (size_t i = old.start; i < old.end; i++)
        if (em_line_indent(t->find, i, &indent))
            return true;
    return false;
}

/* Are lines as deep above and below, and all of these as deep in the file? */
static bool agree_around(const beside *above, const beside *below, em_slice *seen)
{
    const em_slice depths[] = {above->sibling, above->hanging, below->sibling, below->hanging};
    *seen = above->sibling.ptr ? above->sibling : above->hanging;
    for (size_t i = 0; i < sizeof depths / sizeof *depths; i++)
        if (depths[i].ptr && !em_slice_eq(*seen, depths[i]))
            return false;
    return seen->ptr && (below->sibling.ptr || below->hanging.ptr);
}

/* Does the line that token `index` begins open a block, or is it the end of a statement? */
static bool ends_there(const em_depths *t, size_t index)
{
    size_t first, last;
    em_line_around(t->insert, index, &first, &last);
    return em_opens_block(t->insert, last) || em_tokened_is_one_of(t->insert, last, ";}");
}

/* The next line of `insert` above or below that is repeated, by its first token; EM_NPOS: there is
 * none, or a statement ends in between, or a block begins. */
static size_t repeated_beside(em_depths *t, size_t index, bool above)
{
    size_t count = t->insert.tokens.count;
    em_slice indent;
    for (size_t at = index; above ? at > 0 : at + 1 < count;) {
        at = above ? at - 1 : at + 1;
        if (++t->looked > MOST_LOOKED)
            return EM_NPOS;
        if (!em_line_indent(t->insert, at, &indent))
            continue;
        bool is_repeated = t->origin[at] != EM_NPOS;
        if ((above || !is_repeated) && ends_there(t, at))
            return EM_NPOS;
        if (is_repeated)
            return at;
    }
    return EM_NPOS;
}

/* Where all indentation was lost, a line between two that go on with a statement in the file is one
 * more of them. */
static em_siblings between_hanging(em_depths *t, size_t index, em_slice *seen)
{
    size_t above = repeated_beside(t, index, true);
    if (above == EM_NPOS || !goes_on(t, above) || ends_there(t, index))
        return EM_NO_SIBLINGS;
    size_t below = repeated_beside(t, index, false);
    if (below == EM_NPOS || !goes_on(t, below))
        return EM_NO_SIBLINGS;
    const em_indent_pair *one = em_indent_pair_at(&t->indents, t->origin[above]),
                         *other = em_indent_pair_at(&t->indents, t->origin[below]);
    if (!one || !other || !em_slice_eq(one->seen, other->seen))
        return EM_SIBLINGS_DIFFER;
    *seen = one->seen;
    return EM_SIBLINGS_AGREE;
}

em_siblings em_depths_of_siblings(em_depths *depths, size_t index, em_precursor old, em_slice *seen)
{
    if (!depths->scopes || depths->scopes[index].going != EM_GOING_NOT)
        return EM_NO_SIBLINGS;
    if (em_indents_lost_all(&depths->indents))
        return between_hanging(depths, index, seen);
    bool takes = takes_line(depths, old);
    if (depths->looked > MOST_LOOKED)
        return takes ? EM_NO_SIBLINGS : EM_SIBLINGS_DIFFER;
    beside above = look_beside(depths, index, true), below = look_beside(depths, index, false);
    if (takes)
        return agree_around(&above, &below, seen) ? EM_SIBLINGS_AGREE : EM_NO_SIBLINGS;
    const em_slice around[] = {above.sibling, below.sibling, above.hanging, below.hanging};
    *seen = (em_slice){0};
    for (size_t i = 0; i < sizeof around / sizeof *around; i++) {
        if (seen->ptr && around[i].ptr && !em_slice_eq(*seen, around[i]))
            return EM_SIBLINGS_DIFFER;
        *seen = seen->ptr ? *seen : around[i];
    }
    if (above.sibling.ptr || below.sibling.ptr)
        return EM_SIBLINGS_AGREE;
    return seen->ptr ? EM_SIBLINGS_HANG : EM_NO_SIBLINGS;
}
