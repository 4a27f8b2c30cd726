/* tolerant.c: anchors of a search text are found literally, then tokens are compared to both sides.
 *
 * Where anchors stand at too many places, the text is read once as a whole instead. */
#include "match/tolerant.h"

#include "base/ascii.h"
#include "base/utf8.h"
#include "text/search.h"
#include "tokens/gap_meaning.h"

enum {
    TOKEN_WORK = 16,       /* what a token costs to compare, in the units of a deadline */
    SEARCHED_AT_ONCE = 16, /* bytes that a literal search looks at in that time */
    MOST_WORK = 32,        /* for each byte of the text, before it is read in one go */
};

/* One search. */
typedef struct seeker {
    em_occurrences *in;
    em_slice text, find;
    em_fold fold;
    em_tokens wanted; /* the tokens of `find` */
    em_token *seen;   /* of the text, one for each of them */
    bool begins_line, ends_line;
    bool transitive;       /* tokens of `find` that equal one and the same equal each other */
    em_places overlapping; /* room for EM_MOST_OVERLAPPING; items NULL: they are not asked for */
    em_deadline *deadline;
    size_t work;      /* since the deadline was last told */
    size_t worked;    /* before that */
    em_slice insert;  /* of each place */
    em_places *found; /* what comes of it, in the arena; */
    size_t room;      /* for so many */
    em_arena *arena;
} seeker;

/* A run of tokens without gaps, which is searched literally. */
typedef struct anchor {
    size_t first, last; /* tokens, both included */
    em_slice bytes;
} anchor;

/* ---- Gaps around a place -------------------------------------------------------------------- */

bool em_begins_line(em_slice text, size_t offset, size_t *line_start)
{
    while (offset > 0 && em_is_space_or_tab(text.ptr[offset - 1]))
        offset--;
    *line_start = offset;
    return offset == 0 || em_is_line_break(text.ptr[offset - 1]);
}

bool em_ends_line(em_slice text, size_t offset, em_fold fold, size_t *line_end)
{
    offset = em_line_blanks_end(text, offset, fold);
    *line_end = offset;
    return offset == text.len || em_is_line_break(text.ptr[offset]);
}

em_gap em_gap_before_place(em_slice text, const em_tolerant_place *place)
{
    size_t start = place->tokens[0].start;
    em_token before;
    return em_token_previous(text, start, place->fold, &before)
               ? em_gap_of(em_slice_sub(text, before.end, start))
               : EM_GAP_BREAK;
}

em_gap em_gap_behind_place(em_slice text, const em_tolerant_place *place)
{
    size_t end = place->tokens[place->find_tokens.count - 1].end;
    em_token behind;
    return em_token_next(text, end, place->fold, &behind)
               ? em_gap_of(em_slice_sub(text, end, behind.start))
               : EM_GAP_BREAK;
}

static size_t break_before(em_slice text, size_t offset)
{
    bool crlf = offset > 1 && text.ptr[offset - 1] == '\n' && text.ptr[offset - 2] == '\r';
    return offset - (crlf ? 2 : 1);
}

static size_t break_behind(em_slice text, size_t offset)
{
    bool crlf = offset + 1 < text.len && text.ptr[offset] == '\r' && text.ptr[offset + 1] == '\n';
    return offset + (crlf ? 2 : 1);
}

/* An empty line is whole, with the blanks in it. Where the search text begins with blanks, it
 * begins a line: then the ending of a line with text before that is none of the place. */
static size_t span_start(em_slice text, em_slice lead, size_t first)
{
    size_t start, line_start;
    if (lead.len == 0 || !em_begins_line(text, first, &start))
        return first;
    for (size_t breaks = em_gap_breaks(lead); breaks > 0 && start > 0; breaks--) {
        size_t before = break_before(text, start);
        if (!em_begins_line(text, before, &line_start))
            return em_is_line_break(lead.ptr[0]) ? before : start;
        start = line_start;
    }
    return start;
}

/* Blanks at the end of the last line belong to it, whatever the search text has there. */
static size_t span_end(em_slice text, em_slice tail, size_t last, em_fold fold)
{
    size_t end;
    if (!em_ends_line(text, last, fold, &end))
        return last;
    for (size_t breaks = em_gap_breaks(tail); breaks > 0 && end < text.len; breaks--) {
        end = break_behind(text, end);
        size_t line_end;
        if (breaks > 1 && !em_ends_line(text, end, fold, &line_end))
            return end;
        if (breaks > 1)
            end = line_end;
    }
    return end;
}

static em_slice lead_of(em_slice find, em_tokens tokens)
{
    return em_slice_sub(find, 0, tokens.items[0].start);
}

static em_slice tail_of(em_slice find, em_tokens tokens)
{
    return em_slice_from(find, tokens.items[tokens.count - 1].end);
}

em_span em_place_span(em_slice text, em_slice find, em_tokens find_tokens, const em_token *tokens,
                      em_fold fold)
{
    size_t end = tokens[find_tokens.count - 1].end;
    return (em_span){span_start(text, lead_of(find, find_tokens), tokens[0].start),
                     span_end(text, tail_of(find, find_tokens), end, fold)};
}

/* ---- Comparing at one place ----------------------------------------------------------------- */

/* Is this the gap before token `index`? */
static bool same_gap(const seeker *s, size_t index, em_slice gap)
{
    if (s->fold != EM_FOLD_NOTHING)
        return true;
    em_slice wanted =
        em_slice_sub(s->find, s->wanted.items[index - 1].end, s->wanted.items[index].start);
    return em_gap_of(wanted) == em_gap_of(gap);
}

static bool same_token(const seeker *s, size_t index, em_slice token)
{
    return em_token_same(em_token_bytes(s->find, s->wanted.items[index]), token, s->fold);
}

static bool same_behind(seeker *s, size_t index)
{
    for (; index < s->wanted.count; index++) {
        size_t end = s->seen[index - 1].end;
        bool more = em_token_next(s->text, end, s->fold, &s->seen[index]);
        s->work += TOKEN_WORK + s->seen[index].end - end;
        if (!more || !same_token(s, index, em_token_bytes(s->text, s->seen[index])) ||
            !same_gap(s, index, em_slice_sub(s->text, end, s->seen[index].start)))
            return false;
    }
    return true;
}

static bool same_before(seeker *s, size_t index)
{
    for (; index > 0; index--) {
        size_t start = s->seen[index].start;
        bool more = em_token_previous(s->text, start, s->fold, &s->seen[index - 1]);
        s->work += TOKEN_WORK + start - s->seen[index - 1].start;
        if (!more || !same_token(s, index - 1, em_token_bytes(s->text, s->seen[index - 1])) ||
            !same_gap(s, index, em_slice_sub(s->text, s->seen[index - 1].end, start)))
            return false;
    }
    return true;
}

static bool same_around(const seeker *s)
{
    size_t unused;
    return (!s->begins_line || em_begins_line(s->text, s->seen[0].start, &unused)) &&
           (!s->ends_line ||
            em_ends_line(s->text, s->seen[s->wanted.count - 1].end, s->fold, &unused));
}

/* Is it plain from its first byte that what comes behind `from` is not token `index`? Most places
 * of a sign that stands everywhere are done with this way. A letter that is not ASCII may be
 * composed of one that is, and an entity may be a blank: then it is not plain. */
static bool differs_at_once(seeker *s, size_t from, size_t index)
{
    unsigned char wanted = (unsigned char)s->find.ptr[s->wanted.items[index].start];
    size_t at = from;
    if (wanted >= 0x80 || (!em_is_letter_or_digit((char)wanted) && wanted != '_'))
        return false;
    while (at < s->text.len && em_is_any_space(s->text.ptr[at]))
        at++;
    s->work += at - from;
    if (at == s->text.len)
        return true;
    unsigned char seen = (unsigned char)s->text.ptr[at];
    return seen < 0x80 && seen != '&' && (seen | 0x20) != (wanted | 0x20);
}

/* All tokens are seen: do the gaps between them mean the same? */
static bool same_meaning(seeker *s)
{
    if (s->fold == EM_FOLD_NOTHING)
        return true;
    s->work += s->wanted.count * TOKEN_WORK;
    return em_gaps_mean_the_same((em_tokened_text){s->text, s->seen},
                                 (em_tokened_text){s->find, s->wanted.items}, s->wanted.count);
}

/* Do the tokens around the anchor, which stands at `at`, make a place? Then s->seen has them. */
static bool stands_at(seeker *s, const anchor *a, size_t at)
{
    size_t end = at + a->bytes.len;
    if (a->last + 1 < s->wanted.count && differs_at_once(s, end, a->last + 1))
        return false;
    if (!em_token_border(s->text, at, s->fold) || !em_token_border(s->text, end, s->fold))
        return false;
    size_t shift = s->wanted.items[a->first].start;
    for (size_t i = a->first; i <= a->last; i++)
        s->seen[i] =
            (em_token){at + s->wanted.items[i].start - shift, at + s->wanted.items[i].end - shift};
    return same_behind(s, a->last + 1) && same_before(s, a->first) && same_around(s);
}

/* ---- Anchors --------------------------------------------------------------------------------- */

/* The pieces that may be searched for, longest first, no two of the same bytes. */
typedef struct anchors {
    anchor items[EM_MOST_TOLERANT_PIECES];
    size_t count;
} anchors;

static void add_anchor(anchors *list, anchor new)
{
    size_t at = list->count;
    for (size_t i = 0; i < list->count; i++)
        if (em_slice_eq(list->items[i].bytes, new.bytes))
            return;
    while (at > 0 && list->items[at - 1].bytes.len < new.bytes.len)
        at--;
    if (at == EM_MOST_TOLERANT_PIECES)
        return;
    list->count += list->count < EM_MOST_TOLERANT_PIECES;
    for (size_t i = list->count - 1; i > at; i--)
        list->items[i] = list->items[i - 1];
    list->items[at] = new;
}

/* Runs of tokens without a gap: where gaps count, they stand literally wherever the whole does. */
static void add_runs(const seeker *s, anchors *list)
{
    for (size_t first = 0, last; first < s->wanted.count; first = last + 1) {
        last = first;
        while (last + 1 < s->wanted.count &&
               s->wanted.items[last].end == s->wanted.items[last + 1].start)
            last++;
        em_slice bytes =
            em_slice_sub(s->find, s->wanted.items[first].start, s->wanted.items[last].end);
        add_anchor(list, (anchor){first, last, bytes});
    }
}

static bool has_letter(em_slice ascii)
{
    for (size_t i = 0; i < ascii.len; i++)
        if (em_is_letter(ascii.ptr[i]))
            return true;
    return false;
}

/* Is it written in one way only? */
static bool has_one_writing(em_slice token, em_fold fold)
{
    if (!em_is_ascii(token))
        return false;
    if (em_token_is_word(token))
        return fold != EM_FOLD_CASE || !has_letter(token);
    return !em_token_is_quote(token) && !em_is_one_of(token.ptr[0], "-.<>&"); /* nor as an entity */
}

/* Tokens that are written in one way only: there may be none. */
static void add_tokens(const seeker *s, anchors *list)
{
    for (size_t i = 0; i < s->wanted.count; i++) {
        em_slice bytes = em_token_bytes(s->find, s->wanted.items[i]);
        if (has_one_writing(bytes, s->fold))
            add_anchor(list, (anchor){i, i, bytes});
    }
}

static anchors anchors_of(const seeker *s)
{
    anchors list = {.count = 0};
    if (s->fold == EM_FOLD_NOTHING)
        add_runs(s, &list);
    else
        add_tokens(s, &list);
    return list;
}

em_status em_tolerant_pieces_of(em_slice find, em_fold fold, em_arena *arena,
                                em_tolerant_pieces *pieces)
{
    seeker s = {.find = find, .fold = fold};
    EM_TRY(em_tokens_of(find, fold, arena, &s.wanted));
    anchors list = anchors_of(&s);
    *pieces = (em_tolerant_pieces){.count = list.count, .tokens = s.wanted.count};
    for (size_t i = 0; i < list.count; i++)
        pieces->items[i] = list.items[i].bytes;
    return EM_OK;
}

/* ---- The search ------------------------------------------------------------------------------ */

/* What was seen as one more place; there is room for it. */
static em_status put_place(const seeker *s, em_places *places)
{
    em_token *tokens = em_alloc_array(s->arena, s->wanted.count, sizeof *tokens);
    if (!tokens)
        return EM_E_NOMEM;
    memcpy(tokens, s->seen, s->wanted.count * sizeof *tokens);
    places->items[places->count++] =
        (em_tolerant_place){.span = em_place_span(s->text, s->find, s->wanted, s->seen, s->fold),
                            .find = s->find,
                            .insert = s->insert,
                            .find_tokens = s->wanted,
                            .tokens = tokens,
                            .fold = s->fold,
                            .score = 1};
    return EM_OK;
}

/* All tokens are seen: a place, unless the gaps mean another text, or one that overlaps the last.
 */
static em_status add_place(seeker *s)
{
    em_places *found = s->found;
    const em_tolerant_place *last = found->count > 0 ? &found->items[found->count - 1] : NULL;
    bool overlaps = last && s->seen[0].start < last->tokens[s->wanted.count - 1].end;
    size_t last_end = last ? last->span.end : 0;
    bool is_told = s->overlapping.items && s->overlapping.count < EM_MOST_OVERLAPPING;
    if ((overlaps && !is_told) || !same_meaning(s))
        return EM_OK;
    if (overlaps)
        return put_place(s, &s->overlapping);
    void *items = found->items;
    EM_TRY(em_arena_grow(s->arena, &items, found->count, &s->room, sizeof(em_tolerant_place)));
    found->items = items;
    EM_TRY(put_place(s, found));
    em_span *span = &found->items[found->count - 1].span;
    if (span->start < last_end) /* they share the gap between them */
        span->start = last_end;
    return EM_OK;
}

static bool out_of_time(seeker *s, size_t bytes)
{
    size_t work = s->work + bytes / SEARCHED_AT_ONCE;
    s->worked += s->work;
    s->work = 0;
    return em_deadline_spend(s->deadline, work);
}

/* So much that to read the text in one go is cheaper? */
static bool costs_too_much(const seeker *s)
{
    return s->transitive && s->worked / MOST_WORK > s->text.len;
}

/* The anchor stands at `at`, and nowhere from `from` up to there. */
static em_status try_anchor(seeker *s, const anchor *a, size_t from, size_t at)
{
    s->work += TOKEN_WORK + a->bytes.len / SEARCHED_AT_ONCE;
    if (stands_at(s, a, at))
        EM_TRY(add_place(s));
    return out_of_time(s, at + 1 - from) ? EM_E_TIMEOUT : EM_OK;
}

/* Wherever the anchor stands: where it was seen, and if it stands at more places, behind that. */
static em_status seek_anchor(seeker *s, const anchor *a, const em_piece_occurrences *seen)
{
    em_needle needle;
    size_t from = 0, at;
    for (size_t i = 0; i < seen->count && !costs_too_much(s); from = seen->at[i++] + 1)
        EM_TRY(try_anchor(s, a, from, seen->at[i]));
    if (seen->all || s->in->is_excerpt) {
        s->in->falls_short |= !seen->all;
        return EM_OK;
    }
    em_needle_init(&needle, a->bytes);
    for (; !costs_too_much(s) && (at = em_find(&needle, s->text, from)) != EM_NPOS; from = at + 1)
        EM_TRY(try_anchor(s, a, from, at));
    return EM_OK;
}

/* The first anchor that stands in few places, or nowhere; the longest where all stand in many. */
static em_status seek_rarest(seeker *s, const anchors *list)
{
    const em_piece_occurrences *longest, *seen;
    size_t i = 0;
    EM_TRY(em_occurrences_of(s->in, list->items[0].bytes, &longest));
    for (seen = longest; !seen->all && i + 1 < list->count;)
        EM_TRY(em_occurrences_of(s->in, list->items[++i].bytes, &seen));
    if (!seen->all) {
        seen = longest;
        i = 0;
    }
    return seek_anchor(s, &list->items[i], seen);
}

/* At every token. */
static em_status seek_everywhere(seeker *s)
{
    em_token token;
    s->in->falls_short |= s->in->is_excerpt;
    for (size_t from = 0; !costs_too_much(s) && em_token_next(s->text, from, s->fold, &token);
         from = token.end) {
        s->seen[0] = token;
        s->work += TOKEN_WORK;
        if (same_token(s, 0, em_token_bytes(s->text, token)) && same_behind(s, 1) && same_around(s))
            EM_TRY(add_place(s));
        if (out_of_time(s, 0))
            return EM_E_TIMEOUT;
    }
    return EM_OK;
}

/* ---- The whole text in one go ----------------------------------------------------------------
 *
 * A text that repeats itself has the anchor everywhere, and behind it most of what is wanted. So
 * when the places have cost too much, the text is read once, token by token, and of what was seen
 * only the number of tokens is kept that are the first of the wanted ones (Knuth, Morris, Pratt).
 */

/* Do tokens of the search text that equal the same token equal each other? A dash equals one hyphen
 * and equals two, which are different. */
static bool is_transitive(const seeker *s)
{
    em_slice dash = {0};
    for (size_t i = 0; s->fold != EM_FOLD_NOTHING && i < s->wanted.count; i++) {
        if (!same_token(s, i, EM_LIT("\xE2\x80\x94")))
            continue;
        em_slice token = em_token_bytes(s->find, s->wanted.items[i]);
        if (dash.len > 0 && !em_slice_eq(dash, token))
            return false;
        dash = token;
    }
    return true;
}

/* `held` of the wanted tokens stand before `token`, whose gap begins at `from`: how many end with
 * it? borders[n] is how many tokens, fewer than n, are both the first and the last of the first n.
 */
static size_t held_behind(const seeker *s, const size_t *borders, size_t held, em_slice text,
                          size_t from, em_token token)
{
    em_slice bytes = em_token_bytes(text, token), gap = em_slice_sub(text, from, token.start);
    for (;; held = borders[held]) {
        if (held < s->wanted.count && same_token(s, held, bytes) &&
            (held == 0 || same_gap(s, held, gap)))
            return held + 1;
        if (held == 0)
            return 0;
    }
}

static em_status borders_of(const seeker *s, em_arena *arena, size_t **out)
{
    const em_token *wanted = s->wanted.items;
    size_t *borders = em_alloc_array(arena, s->wanted.count + 1, sizeof *borders);
    if (!borders)
        return EM_E_NOMEM;
    for (size_t i = 1; i < s->wanted.count; i++)
        borders[i + 1] = held_behind(s, borders, borders[i], s->find, wanted[i - 1].end, wanted[i]);
    *out = borders;
    return EM_OK;
}

static em_status seek_in_one_go(seeker *s)
{
    EM_AUTO(em_arena) scratch = {0};
    size_t *borders, held = 0, count = 0, most = s->wanted.count;
    em_token token, *recent = em_alloc_array(&scratch, 2 * most, sizeof *recent);
    if (!recent)
        return EM_E_NOMEM;
    EM_TRY(borders_of(s, &scratch, &borders));
    *s->found = (em_places){0};
    s->room = 0;
    s->overlapping.count = 0;
    for (size_t from = 0; em_token_next(s->text, from, s->fold, &token); from = token.end) {
        held = held_behind(s, borders, held, s->text, from, token);
        if (count == 2 * most) {
            memcpy(recent, recent + most, most * sizeof *recent);
            count = most;
        }
        recent[count++] = token;
        s->work += TOKEN_WORK + token.end - from;
        if (held == most) {
            s->seen = recent + count - most;
            if (same_around(s))
                EM_TRY(add_place(s));
        }
        if (out_of_time(s, 0))
            return EM_E_TIMEOUT;
    }
    return EM_OK;
}

em_status em_tolerant_find(em_slice text, em_slice find, em_slice insert, em_fold fold,
                           em_deadline *deadline, em_arena *arena, em_places *found)
{
    em_occurrences in = {.text = text, .arena = arena};
    return em_tolerant_find_in(&in, find, insert, fold, deadline, arena, found);
}

static em_status seek(seeker *s, em_slice insert, em_arena *arena, em_places *found)
{
    s->insert = insert;
    s->arena = arena;
    s->found = found;
    EM_TRY(em_tokens_of(s->find, s->fold, arena, &s->wanted));
    if (s->wanted.count == 0)
        return EM_OK;
    s->seen = em_alloc_array(arena, s->wanted.count, sizeof *s->seen);
    if (!s->seen)
        return EM_E_NOMEM;
    s->begins_line = s->wanted.items[0].start > 0;
    s->ends_line = em_gap_of(tail_of(s->find, s->wanted)) == EM_GAP_BREAK;
    s->transitive = is_transitive(s);
    anchors list = anchors_of(s);
    em_status status = list.count > 0 ? seek_rarest(s, &list) : seek_everywhere(s);
    return status == EM_OK && costs_too_much(s) ? seek_in_one_go(s) : status;
}

em_status em_tolerant_find_in(em_occurrences *in, em_slice find, em_slice insert, em_fold fold,
                              em_deadline *deadline, em_arena *arena, em_places *found)
{
    seeker s = {.in = in, .text = in->text, .find = find, .fold = fold, .deadline = deadline};
    *found = (em_places){0};
    return seek(&s, insert, arena, found);
}

em_status em_tolerant_find_all(em_occurrences *in, em_slice find, em_slice insert, em_fold fold,
                               em_deadline *deadline, em_arena *arena, em_tolerant_places *all)
{
    seeker s = {.in = in, .text = in->text, .find = find, .fold = fold, .deadline = deadline};
    *all = (em_tolerant_places){0};
    s.overlapping.items = em_alloc_array(arena, EM_MOST_OVERLAPPING, sizeof *s.overlapping.items);
    if (!s.overlapping.items)
        return EM_E_NOMEM;
    em_status status = seek(&s, insert, arena, &all->found);
    all->overlapping = s.overlapping;
    return status;
}

void em_places_move(em_places places, size_t offset)
{
    for (size_t i = 0; i < places.count && offset > 0; i++) {
        em_tolerant_place *place = &places.items[i];
        place->span.start += offset;
        place->span.end += offset;
        for (size_t j = 0; j < place->find_tokens.count; j++) {
            place->tokens[j].start += offset;
            place->tokens[j].end += offset;
        }
    }
}
