#include "edit/standing.h"

#include "edit/reach.h"

/* What a line that comes or goes may have in its block: what is behind it and at least so deep. */
static size_t block_depth(em_tokened t, size_t index, em_slice indent)
{
    em_slice token = em_tokened_token(t, index);
    bool closes = token.len == 1 && strchr("})]", token.ptr[0]);
    return indent.len + !closes;
}

/* A line that ends a block, and says no more, is easily taken for another one. */
static bool only_ends(em_tokened t, size_t index)
{
    static const char *const ends[] = {"end", "fi", "done", "esac"};
    size_t first, last;
    em_line_around(t, index, &first, &last);
    for (size_t i = first; i <= last; i++) {
        em_slice token = em_tokened_token(t, i);
        bool is_end = !em_token_is_word(token) && !strchr("{([", token.ptr[0]);
        for (size_t k = 0; k < sizeof ends / sizeof *ends; k++)
            is_end |= em_slice_is(token, ends[k]);
        if (!is_end)
            return false;
    }
    return true;
}

/* What lines of the replacement there are. */
typedef struct tally {
    bool as_file, as_sent, mended;
    bool stand, slip; /* of the search text */
    bool moves;       /* a line that is mended, in what is laid in */
} tally;

static void note_line(tally *t, em_slice old, em_slice new, em_slice seen, bool moves)
{
    bool stands = em_slice_eq(old, seen), mended = em_slice_eq(new, seen);
    t->stand |= stands;
    t->slip |= !stands;
    t->as_file |= mended;
    t->mended |= mended && !stands;
    t->moves |= mended && !stands && moves;
    t->as_sent |= !stands && em_slice_eq(new, old);
}

/* The texts of one edit. */
typedef struct texts {
    em_slice text;
    const em_place *place;
    em_tokened find, insert;
    const em_tokened *laid; /* what the difference gave; NULL: nothing yet */
    const size_t *origin;   /* of em_redline() */
    bool first_is_bare;     /* the search text's first line alone has come without indentation */
} texts;

/* Not where an indented line lacks as much: all of them are less deep then. */
static bool is_bare_alone(em_slice text, const em_place *place, em_tokened find)
{
    em_slice first, indent, seen;
    bool indented = false;
    if (find.tokens.items[0].start > 0 || !em_seen_indent(text, place, 0, &first))
        return false;
    for (size_t i = 1; i < find.tokens.count; i++) {
        if (!em_line_indent(find, i, &indent) || indent.len == 0 ||
            !em_seen_indent(text, place, i, &seen))
            continue;
        if (seen.len == indent.len + first.len)
            return false;
        indented = true;
    }
    return indented;
}

/* Is the line of what is laid in, which has as many tokens, not as deep as the file's? */
static bool moves_line(const texts *t, size_t index, em_slice seen)
{
    em_slice indent;
    size_t start, before = 0;
    if (!t->laid || t->laid->tokens.count != t->insert.tokens.count ||
        !em_line_indent(*t->laid, index, &indent))
        return false;
    if (index == 0 && em_begins_line(t->text, t->place->span.start, &start))
        before = t->place->span.start - start;
    return before + indent.len != seen.len || !em_slice_ends(seen, indent);
}

/* How many lines begin at the tokens from `start` to before `end`. */
static size_t count_lines(em_tokened text, size_t start, size_t end)
{
    size_t count = 0;
    em_slice unused;
    for (size_t i = start; i < end; i++)
        count += em_line_indent(text, i, &unused);
    return count;
}

/* The line for which the new one at `index` comes, by its first token: of as many lines that come
 * as go it is the first, behind one that stays. Else EM_NPOS. */
static size_t line_that_goes(const texts *t, size_t index)
{
    size_t end = index, next = t->find.tokens.count, first, last;
    if (index == 0 || t->origin[index - 1] == EM_NPOS)
        return EM_NPOS;
    while (end < t->insert.tokens.count && t->origin[end] == EM_NPOS)
        end++;
    if (end < t->insert.tokens.count)
        next = t->origin[end];
    size_t old = t->origin[index - 1] + 1, going = old < next ? count_lines(t->find, old, next) : 0;
    if (going == 0 || going != count_lines(t->insert, index, end))
        return EM_NPOS;
    em_line_around(t->find, old, &first, &last);
    return first == old && last < next && !only_ends(t->find, old) ? old : EM_NPOS;
}

/* The line of the search text, by its first token, that the line which token `index` begins in the
 * replacement changes, or comes for; EM_NPOS: none. */
static size_t counterpart_of(const texts *t, size_t index)
{
    size_t first, last, end;
    em_line_around(t->insert, index, &first, &last);
    for (size_t i = first; i <= last; i++) {
        if (t->origin[i] == EM_NPOS || !em_token_is_word(em_tokened_token(t->insert, i)))
            continue;
        em_line_around(t->find, t->origin[i], &first, &end);
        return first;
    }
    return line_that_goes(t, index);
}

/* What was seen of the lines before one. */
typedef struct above {
    size_t next;       /* of the search text */
    size_t gone, came; /* the least depths of blocks */
} above;

/* The line at `index` of the replacement is that at `from` of the search text, changed or not. A
 * changed one only tells that the replacement stands as the file does, where the search text does
 * not. */
static void note(const texts *t, size_t index, size_t from, bool changed, above *a, tally *all)
{
    em_slice old, new, seen;
    em_line_indent(t->insert, index, &new);
    for (em_slice other; a->next < from; a->next++)
        if (em_line_indent(t->find, a->next, &other))
            a->gone = em_least(a->gone, block_depth(t->find, a->next, other));
    if (!em_line_indent(t->find, from, &old) || !em_seen_indent(t->text, t->place, from, &seen) ||
        only_ends(t->insert, index))
        return;
    bool mended = em_slice_eq(new, seen) && !em_slice_eq(old, seen);
    bool leaves = old.len >= a->gone, enters = new.len >= a->came;
    bool moved = (leaves && em_slice_starts(old, new)) || (enters && em_slice_starts(new, old));
    moved &= !(from == 0 && t->first_is_bare); /* it did not come as deep as it was */
    bool stays = !moved && em_slice_eq(new, seen);
    bool slips = em_slice_eq(new, old) && !em_slice_eq(new, seen) &&
                 !(enters && em_slice_starts(new, seen)); /* it does not go into a block */
    if (changed ? mended && !moved : (!leaves && !enters) || stays || slips)
        note_line(all, old, new, seen, moves_line(t, index, seen));
}

static tally note_lines(const texts *t, bool but_first)
{
    tally all = {0}, unused = {0};
    above a = {0, EM_NPOS, EM_NPOS};
    for (size_t i = 0; i < t->insert.tokens.count; i++) {
        em_slice old, new;
        size_t from = t->origin[i];
        if (!em_line_indent(t->insert, i, &new))
            continue;
        bool changed = from == EM_NPOS || !em_line_indent(t->find, from, &old);
        if (changed)
            from = counterpart_of(t, i);
        if (from != EM_NPOS)
            note(t, i, from, changed, &a, i == 0 && but_first ? &unused : &all);
        if (changed)
            a.came = em_least(a.came, block_depth(t->insert, i, new));
        else
            a.next = from + 1;
    }
    return all;
}

em_status em_standing_of(em_slice text, const em_place *place, const em_tokened *insert,
                         const em_tokened *laid, bool but_first, em_arena *arena,
                         em_standing *standing)
{
    em_tokened find = {place->find, place->find_tokens},
               seen = {text, {place->tokens, find.tokens.count}};
    texts of = {text, place, find, *insert, laid, NULL, is_bare_alone(text, place, find)};
    size_t *origin;
    EM_TRY(em_redline_seen(&find, &seen, insert, arena, &origin));
    of.origin = origin;
    tally t = note_lines(&of, but_first);
    *standing = (em_standing){.known = t.stand || t.slip,
                              .find = !t.slip,
                              .insert = t.as_file && !t.as_sent,
                              .mends = t.mended && !t.as_sent && !t.stand,
                              .mended = t.mended,
                              .moves = t.moves};
    return EM_OK;
}
