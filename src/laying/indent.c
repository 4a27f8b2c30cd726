/* indent.c: the way from the caller's indentation to the file's, by the pair of lines that is
 * nearest; and whether that pair tells enough. */
#include "laying/indent.h"

#include "base/sorted.h"

enum { MOST_NEAR = 256 }; /* pairs that are looked at */

/* ---- Mapping --------------------------------------------------------------------------------- */

/* The number of the first pair at `at` or behind it. */
static size_t first_from(const em_indents *indents, size_t at)
{
    return EM_COUNT_BELOW(indents->pairs, indents->count, at, at);
}

const em_indent_pair *em_indent_pair_at(const em_indents *indents, size_t at)
{
    size_t index = first_from(indents, at);
    return index < indents->count && indents->pairs[index].at == at ? &indents->pairs[index] : NULL;
}

/* The nearest pair, among those with this very indentation where `wanted` is given; NULL where none
 * is near. */
static const em_indent_pair *nearest(const em_indents *indents, const em_slice *wanted, size_t at)
{
    size_t behind = first_from(indents, at), before = behind;
    for (size_t i = 0; i < MOST_NEAR && (before > 0 || behind < indents->count); i++) {
        bool back = before > 0 &&
                    (behind == indents->count || em_apart(indents->pairs[before - 1].at, at) <=
                                                     em_apart(indents->pairs[behind].at, at));
        const em_indent_pair *pair = &indents->pairs[back ? --before : behind++];
        if (!wanted || em_slice_eq(pair->wanted, *wanted))
            return pair;
    }
    return NULL;
}

/* The pair that tells of a line of another depth than all pairs near it, which comes in place of
 * the lines of the search text from `from` to before `to`: that of such a line; else of the one
 * above and the one below that which it could be in a block of, the deeper one; else the nearest.
 */
static const em_indent_pair *nearest_to(const em_indents *indents, em_slice indent, size_t from,
                                        size_t to)
{
    const em_indent_pair *pair = nearest(indents, NULL, from);
    size_t behind = first_from(indents, from);
    if (pair->at >= from && pair->at < to)
        return pair;
    for (size_t i = behind > 0 ? behind - 1 : behind; i <= behind && i < indents->count; i++) {
        const em_indent_pair *other = &indents->pairs[i];
        bool holds = em_slice_starts(indent, other->wanted);
        if (holds &&
            (!em_slice_starts(indent, pair->wanted) || other->wanted.len > pair->wanted.len))
            pair = other;
    }
    return pair;
}

/* Has the file's line the caller's spaces, though others that were found have tabs? Then the file
 * mixes them, and for what is beside this line it tells. (A single space is of a comment.) */
static bool mixes_blanks(const em_indents *indents, const em_indent_pair *pair, em_slice step)
{
    return indents->file.with == '\t' && pair->seen.len > 1 && em_indent_is_all(pair->seen, ' ') &&
           em_slice_eq(pair->seen, pair->wanted) && em_indent_is_all(step, ' ');
}

/* Is a step of the caller's another one than a step of the file's? */
static bool must_convert(const em_indents *indents, const em_indent_pair *pair, em_slice step)
{
    em_indent_unit caller = indents->caller, file = indents->file;
    if (file.width == 0 || caller.width == 0 || mixes_blanks(indents, pair, step))
        return false;
    if (em_slice_has_byte(step, '\t') != (file.with == '\t'))
        return true;
    if (file.with == '\t' || caller.with == '\t' || caller.width == file.width)
        return false;
    if (indents->learned)
        return true;
    bool shifted = indents->agree && pair->wanted.len != pair->seen.len;
    if (shifted && indents->deepens)
        return false;
    if (indents->told && indents->caller_told && !indents->deepens)
        return true;
    if (shifted && indents->count > 1 && !indents->told)
        return false;
    /* As deep in its own steps as the file's line is in the file's: the steps are what differs. */
    return pair->wanted.len % caller.width == 0 && pair->seen.len % file.width == 0 &&
           pair->wanted.len / caller.width == pair->seen.len / file.width;
}

/* Where steps more come into an indentation: behind it; with tabs, before the spaces that are
 * behind its own, which align with something. */
static size_t end_of_steps(em_slice indent, em_indent_unit unit)
{
    size_t tabs = em_indent_tabs_in(indent);
    bool aligns =
        unit.with == '\t' && tabs > 0 && em_indent_is_all(em_slice_sub(indent, 0, tabs), '\t');
    return aligns ? tabs : indent.len;
}

/* `base`, `steps` steps of `unit` deeper, and `spaces` more. */
static em_status deeper_by(em_slice base, em_indent_unit unit, size_t steps, size_t spaces,
                           em_arena *arena, em_slice *out)
{
    size_t added = steps * em_indent_width_of(unit), end = end_of_steps(base, unit);
    char *deeper = em_alloc_raw(arena, base.len + added + spaces);
    if (!deeper)
        return EM_E_NOMEM;
    *out = em_slice_make(deeper, base.len + added + spaces);
    memcpy(deeper, base.ptr, end);
    memset(deeper + end, unit.with, added);
    memcpy(deeper + end + added, base.ptr + end, base.len - end);
    memset(deeper + base.len + added, ' ', spaces);
    return EM_OK;
}

/* What the file has for `step`, where two lines near the pair are so far apart for the caller;
 * empty: none are. */
static em_slice step_in_file(const em_indents *indents, const em_indent_pair *pair, em_slice step)
{
    size_t at = (size_t)(pair - indents->pairs);
    for (size_t i = at > EM_INDENTS_COMPARED ? at - EM_INDENTS_COMPARED : 0;
         i < indents->count && i <= at + EM_INDENTS_COMPARED; i++)
        for (size_t j = i + 1; j < indents->count && j <= i + EM_INDENTS_COMPARED; j++) {
            const em_indent_pair *from = &indents->pairs[i], *to = &indents->pairs[j];
            bool is_step =
                to->wanted.len == from->wanted.len + step.len &&
                em_slice_starts(to->wanted, from->wanted) && em_slice_ends(to->wanted, step) &&
                em_indents_deepen(indents, from, to) && em_slice_starts(to->seen, from->seen);
            if (is_step && !em_indents_doubt(indents, i) && !em_indents_doubt(indents, j))
                return em_slice_from(to->seen, from->seen.len);
        }
    return (em_slice){0};
}

/* The pair's indentation and a step deeper, which the caller wrote as `step`. */
static em_status deepen(const em_indents *indents, const em_indent_pair *pair, em_slice step,
                        em_arena *arena, em_slice *out)
{
    em_indent_unit caller = indents->caller;
    em_slice known = step_in_file(indents, pair, step);
    bool converts = must_convert(indents, pair, step);
    bool is_whole = known.len % em_indent_width_of(indents->file) == 0;
    bool is_known = known.len > 0 && (converts || is_whole);
    if (is_known && em_indent_is_all(known, '\t') && indents->file.with == '\t')
        return deeper_by(pair->seen, (em_indent_unit){.with = '\t', .width = 1}, known.len, 0,
                         arena, out);
    if (is_known)
        return em_arena_join(arena, pair->seen, known, out);
    if (!converts)
        return em_arena_join(arena, pair->seen, step, out);
    return deeper_by(pair->seen, indents->file, em_indent_depth(step, caller),
                     em_indent_rest_of(step, caller), arena, out);
}

/* The pair's indentation and a step less deep: what aligns behind its tabs stays. */
static em_status lift(const em_indents *indents, const em_indent_pair *pair, em_slice step,
                      em_arena *arena, em_slice *out)
{
    size_t less = step.len, end = end_of_steps(pair->seen, indents->file);
    if (must_convert(indents, pair, step))
        less = em_indent_depth(step, indents->caller) * indents->file.width +
               em_indent_rest_of(step, indents->caller);
    em_slice aligns = em_slice_from(pair->seen, end);
    *out = em_slice_sub(pair->seen, 0, end > less ? end - less : 0);
    return aligns.len > 0 ? em_arena_join(arena, *out, aligns, out) : EM_OK;
}

/* How many columns a tab of the caller's is, where the lines that have none stand as in the file,
 * of which some are indented; 0: not known. */
static size_t tab_columns(const em_indents *indents)
{
    bool stand = false;
    size_t columns = 0;
    for (size_t i = 0; i < indents->count; i++) {
        em_slice wanted = indents->pairs[i].wanted, seen = indents->pairs[i].seen;
        if (!em_indent_is_all(seen, ' '))
            return 0;
        if (wanted.len > 0 && em_indent_is_all(wanted, '\t') && seen.len % wanted.len == 0)
            columns = seen.len / wanted.len;
        else if (em_indent_is_all(wanted, ' ') && !em_slice_eq(wanted, seen))
            return 0;
        stand |= wanted.len > 0 && em_indent_is_all(wanted, ' ');
    }
    return stand ? columns : 0;
}

/* The same by one line, which has spaces behind its tabs. */
static size_t tab_columns_of(const em_indent_pair *pair)
{
    em_slice wanted = pair->wanted;
    size_t tabs = em_indent_tabs_in(wanted), spaces = wanted.len - tabs;
    if (tabs == 0 || wanted.ptr[wanted.len - 1] != ' ' || pair->seen.len < spaces ||
        !em_indent_is_all(pair->seen, ' ') || (pair->seen.len - spaces) % tabs > 0)
        return 0;
    return (pair->seen.len - spaces) / tabs;
}

/* How deep the caller's indentation is, in steps of *unit of the file: in its columns, if it is
 * indented by spaces. A tab is `tab` of them, if that is known. */
static size_t steps_of(const em_indents *indents, em_slice indent, size_t tab, em_indent_unit *unit)
{
    em_indent_unit caller = indents->caller, file = indents->file;
    size_t tabs = em_indent_tabs_in(indent);
    *unit = file;
    if (tab == 0 && (file.with == '\t' || file.width == 0))
        return em_indent_depth(indent, caller);
    *unit = (em_indent_unit){.with = ' ', .width = 1};
    return tab > 0
               ? indent.len - tabs + tabs * tab
               : em_indent_depth(indent, caller) * file.width + em_indent_rest_of(indent, caller);
}

/* Neither is the beginning of the other: tabs and spaces are mixed. The caller may have the line as
 * deep as the file's is. */
static em_status by_depth(const em_indents *indents, const em_indent_pair *pair, em_slice indent,
                          em_arena *arena, em_slice *out)
{
    em_indent_unit unit;
    *out = indent;
    if (em_slice_eq(indent, pair->seen))
        return EM_OK;
    size_t tab = tab_columns(indents);
    if (tab == 0)
        tab = tab_columns_of(pair);
    size_t here = steps_of(indents, indent, tab, &unit);
    size_t there = steps_of(indents, pair->wanted, tab, &unit);
    if (here >= there)
        return deeper_by(pair->seen, unit, here - there, 0, arena, out);
    size_t less = (there - here) * em_indent_width_of(unit);
    *out = em_slice_sub(pair->seen, 0, pair->seen.len > less ? pair->seen.len - less : 0);
    return EM_OK;
}

/* Does the file have other blanks than the caller, and none of his steps anywhere around? */
static bool has_other_steps(const em_indents *indents)
{
    em_indent_unit file = indents->file, caller = indents->caller;
    return indents->told && indents->caller_told && file.with == ' ' && caller.with == ' ' &&
           file.width != caller.width && !(indents->file_steps >> caller.width & 1);
}

/* Is the indentation of another unit than the file's, as far as that is known? Tabs may be what a
 * recipe of a makefile needs among lines that are aligned by blanks. */
static bool is_of_other_unit(const em_indents *indents, em_slice indent)
{
    char other = indents->file.with == '\t' ? ' ' : '\t';
    if (indents->file.width == 0 ||
        (indents->tabs_are_meant && em_indent_is_all(indent, '\t') && other == '\t'))
        return false;
    return em_slice_has_byte(indent, other) || has_other_steps(indents);
}

/* Every line is indented as it stands in the file, or lacks the same in front of it, or has the
 * same too much: then so are the others. */
static em_status shift(const em_indents *indents, em_slice indent, em_arena *arena, em_slice *out,
                       bool *done)
{
    em_indent_pair first = indents->pairs[0];
    bool same = em_slice_eq(first.wanted, first.seen);
    *done =
        indents->agree &&
        (indents->deepens || (same && (first.seen.len > 0 || !is_of_other_unit(indents, indent))));
    *out = indent;
    if (!*done || same)
        return EM_OK;
    if (first.seen.len > first.wanted.len)
        return em_arena_join(arena, em_slice_sub(first.seen, 0, first.seen.len - first.wanted.len),
                             indent, out);
    size_t more = first.wanted.len - first.seen.len;
    *done = indent.len >= more && memcmp(indent.ptr, first.wanted.ptr, more) == 0;
    if (*done)
        *out = em_slice_from(indent, more);
    return EM_OK;
}

/* Tabs for spaces, or spaces for tabs? Where all lines are of one depth, nothing says then how many
 * columns a step is, but for a line that is not indented at all: a here-document's end, a
 * directive, what follows the block. */
static bool stays_bare(const em_indents *indents, em_slice indent, const em_indent_pair *pair)
{
    return indent.len == 0 && !indents->deepens && !indents->first_is_bare &&
           pair->wanted.len > 0 && pair->seen.len > 0 &&
           em_slice_has_byte(pair->wanted, '\t') != em_slice_has_byte(pair->seen, '\t');
}

/* Only what is new has tabs: each is a step. */
static bool is_in_strange_tabs(const em_indents *indents, em_slice indent)
{
    return indents->tabs_are_strange && indents->file.with == ' ' && indents->file.width > 0 &&
           em_slice_starts(indent, EM_LIT("\t"));
}

em_status em_indent_map(const em_indents *indents, em_slice indent, size_t from, size_t to,
                        em_arena *arena, em_slice *out)
{
    bool done = indents->count == 0;
    if (is_in_strange_tabs(indents, indent)) {
        size_t tabs = em_indent_tabs_in(indent);
        return deeper_by(EM_LIT(""), indents->file, tabs, indent.len - tabs, arena, out);
    }
    *out = indent;
    if (!done)
        EM_TRY(shift(indents, indent, arena, out, &done));
    if (done)
        return EM_OK;
    const em_indent_pair *pair = nearest(indents, &indent, from);
    if (pair) {
        *out = pair->seen;
        return EM_OK;
    }
    pair = nearest_to(indents, indent, from, to);
    if (stays_bare(indents, indent, pair))
        return EM_OK;
    if (em_slice_starts(indent, pair->wanted))
        return deepen(indents, pair, em_slice_from(indent, pair->wanted.len), arena, out);
    if (em_slice_starts(pair->wanted, indent))
        return lift(indents, pair, em_slice_from(pair->wanted, indent.len), arena, out);
    return by_depth(indents, pair, indent, arena, out);
}

/* ---- Whether it is known --------------------------------------------------------------------- */

/* Pairs as deep as one of them in the search text; NULL: there is none. */
typedef struct alike {
    const em_indents *of;
    em_slice wanted;
} alike;

/* The next pair at *index or behind it that is alike, and *index moved behind it. */
static const em_indent_pair *next_alike(const alike *a, size_t *index, size_t end)
{
    for (; *index < end; ++*index)
        if (em_slice_eq(a->of->pairs[*index].wanted, a->wanted))
            return &a->of->pairs[(*index)++];
    return NULL;
}

/* The next pair before *index that is alike, and *index moved to it. */
static const em_indent_pair *last_alike(const alike *a, size_t *index)
{
    for (size_t i = 0; *index > 0 && i < MOST_NEAR; i++)
        if (em_slice_eq(a->of->pairs[--*index].wanted, a->wanted))
            return &a->of->pairs[*index];
    return NULL;
}

static bool are_as_deep(const em_indents *indents, const em_indent_pair *a, const em_indent_pair *b)
{
    return !a || !b || em_slice_eq(a->seen, b->seen) ||
           em_indent_depth(a->seen, indents->file) == em_indent_depth(b->seen, indents->file);
}

/* Has every line the same too much in front, and this one other blanks there? */
static bool lacks_front(const em_indents *indents, em_slice indent)
{
    em_indent_pair first = indents->pairs[0];
    if (!indents->agree || first.wanted.len <= first.seen.len)
        return false;
    size_t front = first.wanted.len - first.seen.len;
    return !em_slice_starts(first.wanted,
                            em_slice_sub(indent, 0, indent.len < front ? indent.len : front));
}

/* Is it less deep by what is no step of the caller's, where steps are other ones in the file? */
static bool lifts_in_part(const em_indents *indents, const em_indent_pair *pair, em_slice indent)
{
    em_slice step;
    if (!em_slice_starts(pair->wanted, indent) || stays_bare(indents, indent, pair))
        return false;
    step = em_slice_from(pair->wanted, indent.len);
    return must_convert(indents, pair, step) && !em_slice_has_byte(step, '\t') &&
           step.len % indents->caller.width > 0;
}

/* So far pairs are looked at, from `from` on. */
static size_t near_end(size_t from, size_t end)
{
    return end - from > MOST_NEAR ? from + MOST_NEAR : end;
}

/* Is any of the pairs from `from` to before `to` alike? Are all of these as deep in the file? */
static bool agree_among(const alike *a, size_t from, size_t to, bool *any)
{
    size_t end = near_end(from, to);
    const em_indent_pair *first = next_alike(a, &from, end);
    *any = first != NULL;
    for (const em_indent_pair *other = first; other; other = next_alike(a, &from, end))
        if (!are_as_deep(a->of, first, other))
            return false;
    return true;
}

/* Are the nearest two that are alike as deep in the file: the last one before pair `back` and the
 * first one from pair `front` on, or two of the one side where the other has none? */
static bool agree_around(const alike *a, size_t back, size_t front)
{
    size_t end = near_end(front, a->of->count);
    const em_indent_pair *before = last_alike(a, &back), *behind = next_alike(a, &front, end);
    if (!before && behind)
        before = next_alike(a, &front, end);
    else if (before && !behind && a->of->end_is_unclear)
        return false;
    else if (before && !behind)
        behind = last_alike(a, &back);
    return are_as_deep(a->of, before, behind);
}

/* The pair by which em_indent_map() goes; NULL: it lifts the line by what is no step. */
static const em_indent_pair *pair_to_go_by(const em_indents *indents, em_slice indent, size_t from,
                                           size_t to)
{
    const em_indent_pair *pair = nearest(indents, &indent, from);
    if (pair)
        return pair;
    pair = nearest_to(indents, indent, from, to);
    return lifts_in_part(indents, pair, indent) ? NULL : pair;
}

bool em_indent_is_known(const em_indents *indents, em_slice indent, size_t from, size_t to)
{
    if (indents->either && indent.len == 0)
        return false;
    if (indents->count == 0 || indents->agree)
        return indents->count == 0 || !lacks_front(indents, indent);
    const em_indent_pair *pair = pair_to_go_by(indents, indent, from, to);
    if (!pair || stays_bare(indents, indent, pair))
        return pair != NULL;
    alike a = {indents, pair->wanted};
    size_t first = first_from(indents, from), end = first_from(indents, to);
    bool any, agree = agree_among(&a, first, end, &any);
    return any ? agree : agree_around(&a, first, end);
}
