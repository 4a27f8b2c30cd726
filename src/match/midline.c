#include "match/midline.h"

#include "base/ascii.h"
#include "base/line.h"
#include "match/block.h"
#include "match/token_line.h"
#include "text/text.h"
#include "tokens/brackets.h"
#include "tokens/comment.h"
#include "tokens/redline.h"

/* Bytes beside a place: less stands there twice by chance, as a bracket does. */
enum { LEAST_CUT = 3 };

/* Tokens of a text, both included. */
typedef struct line {
    size_t first, last;
} line;

static line line_at(em_tokened text, size_t token)
{
    line l;
    em_line_around(text, token, &l.first, &l.last);
    return l;
}

static size_t count_lines(em_tokened text)
{
    size_t count = 0;
    for (size_t i = 0; i < text.tokens.count; i++)
        count += i == 0 || em_gap_of(em_tokened_gap(text, i)) == EM_GAP_BREAK;
    return count;
}

static bool says_words(em_tokened text, line l)
{
    for (size_t i = l.first; i <= l.last; i++)
        if (em_token_is_word(em_tokened_token(text, i)))
            return true;
    return false;
}

static bool is_same_line(em_tokened a, line in_a, em_tokened b, line in_b)
{
    if (in_a.last - in_a.first != in_b.last - in_b.first)
        return false;
    for (size_t i = in_a.first, k = in_b.first; i <= in_a.last; i++, k++)
        if (!em_slice_eq(em_tokened_token(a, i), em_tokened_token(b, k)))
            return false;
    return true;
}

/* How many lines of `text` are line `l` of `other`. */
static size_t count_same(em_tokened text, em_tokened other, line l)
{
    size_t count = 0;
    for (size_t i = 0; i < text.tokens.count; i++) {
        line here = line_at(text, i);
        count += is_same_line(text, here, other, l);
        i = here.last;
    }
    return count;
}

/* ---- Of which line an edge is ---------------------------------------------------------------- */

typedef struct edit {
    em_tokened find, insert;
    const size_t *origin; /* of em_redline() */
    bool begin;           /* it is about the first line, not the last one */
    bool comma;           /* behind the last line a comma stands in the file */
} edit;

static size_t edge_token(const edit *e, em_tokened text)
{
    return e->begin ? 0 : text.tokens.count - 1;
}

/* Is something of line `old` of the search text repeated in line `new` of the replacement? */
static bool is_repeated(const edit *e, line old, line new)
{
    for (size_t i = new.first; i <= new.last; i++)
        if (e->origin[i] != EM_NPOS && e->origin[i] >= old.first && e->origin[i] <= old.last)
            return true;
    return false;
}

/* Does the line that the edge was on go on in the replacement, over the line ending there? Behind a
 * comma a point begins another part of a list, as of selectors. */
static bool goes_on(const edit *e)
{
    size_t edge = edge_token(e, e->find), count = e->insert.tokens.count, i = 0;
    while (i < count && e->origin[i] != edge)
        i++;
    if (i == count)
        return false;
    line l = line_at(e->insert, i);
    if (e->begin)
        return l.first > 0 && em_tokened_is_one_of(e->insert, l.first - 1, "([{,&|+=?.\\");
    return l.last + 1 < count &&
           (em_tokened_is_one_of(e->insert, l.last, ",&|+=?.\\") ||
            em_tokened_is_one_of(e->insert, l.last + 1, e->comma ? ")]},&|+=?" : ")]},&|+=?."));
}

/* Has the replacement the line that the edge was on, as it is, but more often elsewhere? */
static bool stands_elsewhere(const edit *e, line old, line new)
{
    size_t others = count_same(e->find, e->find, old) - 1;
    size_t here = is_same_line(e->insert, new, e->find, old);
    return count_same(e->insert, e->find, old) > others + here;
}

/* Nothing comes for several lines: is the edge a sign that something ends with, or begins with,
 * that is no block? */
static bool goes_well(const edit *e)
{
    size_t edge = edge_token(e, e->find);
    return !em_token_is_word(em_tokened_token(e->find, edge)) &&
           !em_tokened_is_one_of(e->find, edge, "()[]{}");
}

/* Has the replacement a line ending at the edge that the search text has not? It would break the
 * file's line there. */
static bool breaks_line(const edit *e)
{
    size_t old = e->begin ? 0 : e->find.tokens.count, new = e->begin ? 0 : e->insert.tokens.count;
    return e->insert.tokens.count > 0 &&
           em_gap_of(em_tokened_gap(e->insert, new)) == EM_GAP_BREAK &&
           em_gap_of(em_tokened_gap(e->find, old)) != EM_GAP_BREAK;
}

/* Does what the file has beside the edge stay beside the line that it is of? */
static bool stays_beside(const edit *e)
{
    if (breaks_line(e))
        return false;
    size_t olds = count_lines(e->find), news = count_lines(e->insert);
    if (olds <= 1 && news <= 1)
        return true;
    if (news == 0)
        return goes_well(e);
    size_t old_edge = edge_token(e, e->find), new_edge = edge_token(e, e->insert);
    line old = line_at(e->find, old_edge), new = line_at(e->insert, new_edge);
    size_t origin = e->origin[new_edge];
    bool joined =
        news < olds && (origin == old_edge || origin == EM_NPOS) &&
        em_slice_eq(em_tokened_token(e->find, old_edge), em_tokened_token(e->insert, new_edge));
    if (!says_words(e->find, old)) /* one line of signs is easily taken for another */
        return joined || (is_repeated(e, old, new) && is_same_line(e->find, old, e->insert, new) &&
                          count_same(e->insert, e->find, old) <= count_same(e->find, e->find, old));
    if (stands_elsewhere(e, old, new))
        return goes_on(e);
    return joined || news == olds || is_repeated(e, old, new) || goes_on(e);
}

/* What the replacement has in front of the search text's first token, or behind the last one, in
 * that token's line. */
static em_slice beside_edge(const edit *e)
{
    size_t edge = edge_token(e, e->find), count = e->insert.tokens.count, i = 0;
    while (i < count && e->origin[i] != edge)
        i++;
    if (i == count)
        return (em_slice){0};
    const em_token *tokens = e->insert.tokens.items;
    line l = line_at(e->insert, i);
    return em_trimmed(e->begin
                          ? em_slice_sub(e->insert.text, tokens[l.first].start, tokens[i].start)
                          : em_slice_sub(e->insert.text, tokens[i].end, tokens[l.last].end));
}

/* ---- Places ---------------------------------------------------------------------------------- */

/* May an edit begin, and may it end, inside a line? */
typedef struct freedom {
    em_slice find, insert; /* of the edit; nothing: not known yet */
    bool begins, ends, ends_at_comma;
    em_slice front, back; /* beside_edge() of both edges */
    bool ends_block;      /* the replacement's last line does no more than that */
} freedom;

static em_status freedom_of(const em_tolerant_place *place, freedom *f)
{
    EM_AUTO(em_arena) scratch = {0};
    edit e = {.find = em_place_find(place), .insert = {.text = place->insert}};
    size_t *origin;
    EM_TRY(em_tokens_of(place->insert, place->fold, &scratch, &e.insert.tokens));
    EM_TRY(em_redline(&e.find, &e.insert, &scratch, &origin));
    e.origin = origin;
    *f = (freedom){.find = place->find, .insert = place->insert, .ends = stays_beside(&e)};
    e.comma = true;
    f->ends_at_comma = stays_beside(&e);
    f->back = beside_edge(&e);
    f->ends_block =
        e.insert.tokens.count > 0 &&
        em_only_ends_block(e.insert, line_at(e.insert, e.insert.tokens.count - 1).first);
    e.begin = true;
    f->begins = stays_beside(&e);
    f->front = beside_edge(&e);
    return EM_OK;
}

/* What stands in front of `offset` in its line, and behind it, of at most `most` bytes. */
static em_slice in_front(em_slice text, size_t offset, size_t most)
{
    size_t start = offset;
    while (start > 0 && offset - start < most && !em_is_line_break(text.ptr[start - 1]))
        start--;
    return em_trimmed(em_slice_sub(text, start, offset));
}

static em_slice behind(em_slice text, size_t offset, size_t most)
{
    size_t end = offset;
    while (end < text.len && end - offset < most && !em_is_line_break(text.ptr[end]))
        end++;
    return em_trimmed(em_slice_sub(text, offset, end));
}

/* How many brackets are open behind the text. */
static long balance(em_slice text)
{
    long open = 0;
    for (size_t i = 0; i < text.len; i++)
        open += (memchr("([{", text.ptr[i], 3) != NULL) - (memchr(")]}", text.ptr[i], 3) != NULL);
    return open;
}

static bool is_closing(char byte)
{
    return memchr(")]}", byte, 3) != NULL;
}

/* May what stands behind the place come twice? A few closing brackets may. */
static bool comes_twice(em_slice back)
{
    bool closes = true;
    for (size_t i = 0; i < back.len; i++)
        closes &= is_closing(back.ptr[i]);
    return back.len < LEAST_CUT && closes;
}

/* Does the replacement end in a bracket that closes what the search text leaves open, and the file
 * closes behind it? */
static bool closes_itself(const em_tolerant_place *place, em_slice insert, em_slice back)
{
    return back.len > 0 && is_closing(back.ptr[0]) && insert.len > 0 &&
           is_closing(insert.ptr[insert.len - 1]) && balance(insert) < balance(place->find);
}

/* Does `text` begin with the tokens of `part`, in whatever writing? */
static bool begins_alike(em_slice text, em_slice part, em_fold fold)
{
    em_token a = {0}, b = {0};
    bool any = false;
    for (; em_token_next(part, b.end, fold, &b); any = true)
        if (!em_token_next(text, a.end, fold, &a) ||
            !em_token_same(em_token_bytes(text, a), em_token_bytes(part, b), fold))
            return false;
    return any;
}

static bool ends_alike(em_slice text, em_slice part, em_fold fold)
{
    em_token a = {.start = text.len}, b = {.start = part.len};
    bool any = false;
    for (; em_token_previous(part, b.start, fold, &b); any = true)
        if (!em_token_previous(text, a.start, fold, &a) ||
            !em_token_same(em_token_bytes(text, a), em_token_bytes(part, b), fold))
            return false;
    return any;
}

/* Does the replacement begin with what stands in front of the place in its line, or end with what
 * stands behind it, while the search text does not? That was cut then, and it would stand there
 * twice. */
static bool repeats_what_is_beside(em_slice text, const em_tolerant_place *place)
{
    size_t last = place->find_tokens.count - 1, most = place->insert.len + 1;
    em_slice find = em_trimmed(place->find), insert = em_trimmed(place->insert);
    em_slice front = in_front(text, place->tokens[0].start, most);
    em_slice back = behind(text, place->tokens[last].end, most);
    bool in_both = em_slice_starts(find, front) || begins_alike(find, front, place->fold);
    bool at_end_of_both = em_slice_ends(find, back) || ends_alike(find, back, place->fold);
    bool begins = em_slice_starts(insert, front) || begins_alike(insert, front, place->fold);
    bool ends = em_slice_ends(insert, back) || ends_alike(insert, back, place->fold);
    return (front.len >= LEAST_CUT && begins && !in_both) ||
           (back.len > 0 && !comes_twice(back) && ends && !at_end_of_both) ||
           closes_itself(place, insert, back);
}

/* Does the replacement begin with the indentation of a line, and the search text not? Inside a line
 * there is none: the search text lacks what its line begins with. */
static bool begins_a_line(const em_tolerant_place *place)
{
    em_token first;
    return place->find_tokens.items[0].start == 0 &&
           em_token_next(place->insert, 0, place->fold, &first) &&
           em_gap_of(em_slice_sub(place->insert, 0, first.start)) != EM_GAP_BREAK &&
           em_is_indentation(em_slice_sub(place->insert, 0, first.start));
}

/* Does the replacement have in the line of the first token, or of the last one, what the file has
 * beside it? The line was cut in the search text, and has it twice then. A bracket may be another
 * one, but not where the search text lacks just that; and a sign may be that of the last line of
 * the replacement, but not behind a comment or the end of a block. */
static bool repeats_what_was_cut(em_slice text, const em_tolerant_place *place, const freedom *f)
{
    size_t last = place->find_tokens.count - 1, most = place->insert.len + 1;
    em_slice front = in_front(text, place->tokens[0].start, most);
    em_slice back = behind(text, place->tokens[last].end, most);
    bool may_be_other =
        em_are_all_of(front, "([{") && !em_lacks_opening(place->find, place->insert);
    if (front.len > 0 && !may_be_other && em_slice_eq(front, f->front))
        return true;
    if (back.len == 0 || em_are_all_of(back, ")]}") || !em_slice_starts(f->back, back))
        return false;
    em_slice rest = em_trimmed(em_slice_from(f->back, back.len));
    bool is_comment = rest.len > 0 && em_is_comment(rest);
    return is_comment || (rest.len == 0 && (f->ends_block || !em_are_all_of(back, ",;:")));
}

/* The last line of a text that does not end in a line ending; nothing, where it does. */
static em_slice open_line(em_slice text)
{
    size_t start = text.len;
    while (start > 0 && !em_is_line_break(text.ptr[start - 1]))
        start--;
    return em_trimmed(em_slice_from(text, start));
}

/* Does the replacement go on with the line that follows in the file, where the search text ends
 * with no more than the line ending before it? It was cut, too. */
static bool repeats_next_line(em_slice text, const em_tolerant_place *place)
{
    size_t end, start, last = place->find_tokens.count - 1;
    em_slice repeated = open_line(place->insert);
    if (repeated.len == 0 || open_line(place->find).len > 0 ||
        em_slice_eq(repeated, open_line(em_trimmed(place->find))) ||
        !em_ends_line(text, place->tokens[last].end, place->fold, &end))
        return false;
    em_ends_line(text, end + em_eol_length_at(text, end), place->fold, &start);
    return em_slice_starts(em_slice_from(text, start), repeated) &&
           em_ends_line(text, start + repeated.len, place->fold, &end);
}

/* Does the search text end in an empty line that the file has not, and the replacement in the line
 * that stands there? Its last line was cut to nothing. */
static bool repeats_cut_line(em_slice text, const em_tolerant_place *place)
{
    size_t count = place->find_tokens.count, offset = place->span.end;
    if (em_gap_breaks(em_tokened_gap(em_place_find(place), count)) < 2 ||
        em_gap_breaks(em_place_gap(text, place, count)) != 1)
        return false;
    em_slice repeated = open_line(em_trimmed(place->insert));
    em_slice next = em_slice_sub(text, offset, em_line_behind(text, offset));
    return repeated.len > 0 && em_slice_eq(em_trimmed(next), repeated) &&
           !em_slice_eq(repeated, open_line(em_trimmed(place->find)));
}

static bool is_known(const freedom *f, const em_tolerant_place *place)
{
    return f->find.ptr == place->find.ptr && f->find.len == place->find.len &&
           f->insert.ptr == place->insert.ptr && f->insert.len == place->insert.len;
}

em_status em_midline_keep(em_slice text, em_places *places, em_span *other)
{
    size_t kept = 0, unused;
    freedom f = {0};
    em_span first = {0};
    for (size_t i = 0; i < places->count; i++) {
        const em_tolerant_place *place = &places->items[i];
        size_t last = place->find_tokens.count - 1;
        bool begins = em_begins_line(text, place->tokens[0].start, &unused);
        bool ends = em_ends_line(text, place->tokens[last].end, place->fold, &unused);
        bool cut_line = repeats_cut_line(text, place);
        if ((!begins || !ends || cut_line) && !is_known(&f, place))
            EM_TRY(freedom_of(place, &f));
        bool comma =
            !ends && em_slice_starts(behind(text, place->tokens[last].end, 2), EM_LIT(","));
        bool may_end = ends || (comma ? f.ends_at_comma : f.ends);
        bool is_cut = repeats_what_is_beside(text, place) || repeats_next_line(text, place) ||
                      (!begins && begins_a_line(place)) || (cut_line && !f.ends_block) ||
                      ((!begins || !ends) && repeats_what_was_cut(text, place, &f));
        if ((begins || f.begins) && may_end && !is_cut)
            places->items[kept++] = *place;
        else if (kept == i)
            first = place->span;
    }
    places->count = kept;
    if (other)
        *other = first;
    return EM_OK;
}
