/* applied.c: the replacement is looked for as a search text is, with what it must have to tell that
 * it came by this edit. */
#include "match/applied.h"

#include "base/ascii.h"
#include "draft/locate.h"
#include "match/unwrap.h"
#include "tokens/line.h"
#include "tokens/redline.h"
#include "tokens/telling.h"

/* A text as the tolerant tiers read it. */
typedef struct written {
    em_slice text;
    em_tokens tokens;
    size_t *lines; /* the token that each line begins with, and the end; empty lines have none */
    size_t line_count;
} written;

static bool begins_line(const written *w, size_t token)
{
    if (token == 0 || token == w->tokens.count)
        return true;
    const em_token *tokens = &w->tokens.items[token];
    return em_gap_of(em_slice_sub(w->text, tokens[-1].end, tokens->start)) == EM_GAP_BREAK;
}

static em_status written_init(written *w, em_slice text, em_arena *arena)
{
    *w = (written){.text = text};
    EM_TRY(em_tokens_of(text, EM_FOLD_WRITING, arena, &w->tokens));
    w->lines = em_alloc_array(arena, w->tokens.count + 1, sizeof *w->lines);
    if (!w->lines)
        return EM_E_NOMEM;
    size_t starts = 0;
    for (size_t i = 0; i <= w->tokens.count; i++)
        if (begins_line(w, i))
            w->lines[starts++] = i;
    w->line_count = starts - 1;
    return EM_OK;
}

/* The same tokens, from `start` to `end` of `a` and from `other` on in `b`? */
static bool same_tokens(const written *a, size_t start, size_t end, const written *b, size_t other)
{
    for (size_t i = start; i < end; i++)
        if (!em_token_same(em_token_bytes(a->text, a->tokens.items[i]),
                           em_token_bytes(b->text, b->tokens.items[other + i - start]),
                           EM_FOLD_WRITING))
            return false;
    return true;
}

/* May a token be of what others put before a line: a number, a bullet, a bar, the sign of a patch?
 * "L12" is one. */
static bool is_of_lead(em_slice token)
{
    size_t digits = token.len > 1 && (token.ptr[0] == 'L' || token.ptr[0] == 'l');
    while (digits < token.len && em_is_digit(token.ptr[digits]))
        digits++;
    return !em_token_is_word(token) || digits == token.len;
}

/* Is line `other` of `b` that line of `a`, or has it something more before it, of a kind that no
 * reading may know? */
static bool is_line_or_behind_lead(const written *a, size_t line, const written *b, size_t other)
{
    size_t start = a->lines[line], end = a->lines[line + 1];
    size_t from = b->lines[other], to = b->lines[other + 1];
    if (to - from < end - start)
        return false;
    size_t at = to - (end - start);
    for (size_t i = from; i < at; i++)
        if (!is_of_lead(em_token_bytes(b->text, b->tokens.items[i])))
            return false;
    return same_tokens(a, start, end, b, at);
}

/* Has the replacement a line that the search text has in no writing? Mostly the lines of both come
 * in the same order, so each is looked for from where the last one was found. */
static em_status has_line_beyond(const written *insert, const written *find, em_deadline *deadline,
                                 bool *beyond)
{
    size_t next = 0;
    *beyond = false;
    for (size_t line = 0; line < insert->line_count && !*beyond; line++) {
        size_t tried = 0;
        while (tried < find->line_count &&
               !is_line_or_behind_lead(insert, line, find, (next + tried) % find->line_count))
            tried++;
        if (em_deadline_spend(deadline, tried))
            return EM_E_TIMEOUT;
        *beyond = tried == find->line_count;
        next += tried + 1;
    }
    return EM_OK;
}

static em_slice next_line(em_slice s, size_t *offset)
{
    return em_line_content(em_next_line(s, offset));
}

/* Has the replacement, which has the same tokens as the search text, a line that this lacks? */
static bool has_line_written_otherwise(em_slice insert, em_slice find)
{
    for (size_t in_find = 0, in_insert = 0; in_insert < insert.len;) {
        em_slice line = next_line(insert, &in_insert);
        bool found = false;
        while (in_find < find.len && !found)
            found = em_slice_eq(next_line(find, &in_find), line);
        if (!found)
            return true;
    }
    return false;
}

/* What must hold of the replacement for its place to prove anything. */
typedef struct proof {
    bool possible;
    bool literal; /* it must stand there to the byte: it changes the writing alone */
} proof;

static em_status prove_reading(em_slice find, em_slice insert, em_deadline *deadline,
                               em_arena *arena, proof *p)
{
    written searched, wanted;
    EM_TRY(written_init(&searched, find, arena));
    EM_TRY(written_init(&wanted, insert, arena));
    p->literal = wanted.tokens.count == searched.tokens.count &&
                 same_tokens(&wanted, 0, wanted.tokens.count, &searched, 0);
    p->possible = p->literal && has_line_written_otherwise(insert, find);
    return p->literal ? EM_OK : has_line_beyond(&wanted, &searched, deadline, &p->possible);
}

/* A replacement that stands there proves nothing where it may be what a file holds of the search
 * text, in whatever writing and however that is wrapped. */
static em_status prove(em_slice find, em_slice insert, const em_readings *readings,
                       em_deadline *deadline, em_arena *arena, proof *p)
{
    *p = (proof){.possible = false};
    if (!em_is_telling(insert))
        return EM_OK;
    EM_TRY(prove_reading(find, insert, deadline, arena, p));
    for (size_t i = 0; i < readings->count && p->possible && !p->literal; i++) {
        proof unwrapped;
        EM_TRY(prove_reading(readings->items[i].find, readings->items[i].insert, deadline, arena,
                             &unwrapped));
        p->possible = unwrapped.possible && !unwrapped.literal;
    }
    return EM_OK;
}

em_status em_would_show(em_slice find, em_slice insert, em_deadline *deadline, em_arena *arena,
                        bool *would)
{
    em_readings readings;
    proof p;
    EM_TRY(em_readings_of(find, insert, arena, &readings));
    EM_TRY(prove(find, insert, &readings, deadline, arena, &p));
    *would = p.possible;
    return EM_OK;
}

/* ---- Line endings ---------------------------------------------------------------------------- */

/* What the file has in a gap of the place; at its ends up to the next token. */
static em_slice gap_there(em_slice text, const em_tolerant_place *place, size_t index)
{
    size_t count = place->find_tokens.count;
    size_t start = index > 0 ? place->tokens[index - 1].end : 0;
    size_t end = index < count ? place->tokens[index].start : text.len;
    em_token other;
    if (index == 0 && em_token_previous(text, end, place->fold, &other))
        start = other.end;
    if (index == count && em_token_next(text, start, place->fold, &other))
        end = other.start;
    return em_slice_sub(text, start, end);
}

/* Tokens that are new, between two that are repeated, stand for as many of the search text. */
static void pair_changed(size_t *origin, size_t count, size_t find_count)
{
    for (size_t i = 0, from = 0, next = 0; i <= count; i++) {
        size_t here = i < count ? origin[i] : find_count;
        if (here == EM_NPOS)
            continue;
        for (size_t j = from; j < i && here - next == i - from; j++)
            origin[j] = next + (j - from);
        from = i + 1;
        next = here + 1;
    }
}

/* The gap of the search text that gap `index` of the replacement is; EM_NPOS where it is new. */
static size_t gap_of_find(const size_t *origin, size_t index, size_t count, size_t find_count)
{
    size_t left = index == 0 ? 0 : origin[index - 1], right = find_count;
    if (index > 0 && left != EM_NPOS)
        left++;
    if (index < count)
        right = origin[index];
    return left == right ? left : EM_NPOS;
}

/* An edit, and a place where one of its texts stands. */
typedef struct respacing {
    em_slice text;
    const em_tolerant_place *place;
    em_tokened find, insert;
    bool of_insert; /* it is the replacement that stands there */
    bool strictly;  /* nothing but line endings may be left to change */
} respacing;

/* Has the file as many line endings as are wanted wherever the replacement has another number than
 * the search text? An edit keeps what the file has more than that, or fewer; but where it changes
 * nothing else, those are not what is wanted. (Beyond an end of the place there may be more.) */
static em_status has_wanted_breaks(const respacing *r, em_arena *arena, bool *has)
{
    size_t *origin, count = r->insert.tokens.count, find_count = r->find.tokens.count;
    EM_TRY(em_redline(&r->find, &r->insert, arena, &origin));
    pair_changed(origin, count, find_count);
    *has = true;
    for (size_t i = 0; i <= count && *has; i++) {
        size_t other = gap_of_find(origin, i, count, find_count);
        if (other == EM_NPOS)
            continue;
        size_t before = em_gap_breaks(em_tokened_gap(r->find, other));
        size_t after = em_gap_breaks(em_tokened_gap(r->insert, i));
        size_t there = em_gap_breaks(gap_there(r->text, r->place, r->of_insert ? i : other));
        bool is_edge = i == 0 || i == count,
             is_kept = after > before ? there > after : there < after;
        *has = after == before || there == after || (is_edge && there > after) ||
               (is_kept && !r->strictly);
    }
    return EM_OK;
}

/* ---- Where it stands ------------------------------------------------------------------------- */

typedef struct question {
    const em_draft *draft;
    em_occurrences *in;
    em_slice find, insert;
    em_readings readings;
    const em_places *elsewhere;
    em_deadline *deadline;
    em_arena *arena;
} question;

/* From the first word or sign of a place to its last. */
static em_span span_of_tokens(const em_tolerant_place *place)
{
    return (em_span){place->tokens[0].start, place->tokens[place->find_tokens.count - 1].end};
}

/* Is the byte the point of a number, with digits on either side? */
static bool is_point(em_slice text, size_t at)
{
    return at > 0 && at + 1 < text.len && text.ptr[at] == '.' && em_is_digit(text.ptr[at - 1]) &&
           em_is_digit(text.ptr[at + 1]);
}

/* Does a word or a number go on from one side of `at` to the other? */
static bool is_within_word(em_slice text, size_t at)
{
    if (at == 0 || at >= text.len)
        return false;
    bool is_in_word =
        em_token_is_word(em_slice_from(text, at)) && !em_token_border(text, at, EM_FOLD_NOTHING);
    return is_in_word || is_point(text, at - 1) || is_point(text, at);
}

/* Is a place all of what stands there, or only a part: "retries: 5" in "retries: 50"? */
static bool is_whole(em_slice text, em_span place)
{
    return !is_within_word(text, place.start) && !is_within_word(text, place.end);
}

/* The only place of a replacement in another writing. */
static em_status only_written_place(const question *q, em_slice find, em_slice insert, bool *found,
                                    em_span *where)
{
    em_places places;
    EM_TRY(em_tolerant_find_in(q->in, insert, (em_slice){0}, EM_FOLD_WRITING, q->deadline, q->arena,
                               &places));
    const em_tolerant_place *place = places.items; /* where there is one */
    *found = places.count == 1 && is_whole(q->in->text, span_of_tokens(place));
    if (!*found)
        return EM_OK;
    respacing r = {.text = q->in->text,
                   .place = place,
                   .find = {.text = find},
                   .insert = {insert, place->find_tokens},
                   .of_insert = true,
                   .strictly = q->elsewhere->count > 0};
    *where = place->span;
    EM_TRY(em_tokens_of(find, EM_FOLD_WRITING, q->arena, &r.find.tokens));
    return has_wanted_breaks(&r, q->arena, found);
}

static void keep_whole(em_slice text, em_spans *spans)
{
    size_t kept = 0;
    for (size_t i = 0; i < spans->count; i++)
        if (is_whole(text, spans->items[i]))
            spans->items[kept++] = spans->items[i];
    spans->count = kept;
}

/* The replacement's only place: literally, else in another writing, else without a wrapping. */
static em_status only_place(const question *q, bool literal, bool *found, em_span *where)
{
    em_spans spans = {0};
    q->in->falls_short |= q->in->is_excerpt && !em_occurrences_cover(q->in, q->insert);
    if (!em_occurrences_exclude(q->in, q->insert))
        EM_TRY(em_locate(q->draft, q->insert, true, q->arena, &spans));
    keep_whole(q->in->text, &spans);
    *found = spans.count == 1;
    if (spans.count > 0)
        *where = spans.items[0];
    if (spans.count > 0 || literal)
        return EM_OK;
    EM_TRY(only_written_place(q, q->find, q->insert, found, where));
    for (size_t i = 0; i < q->readings.count && !*found; i++)
        EM_TRY(only_written_place(q, q->readings.items[i].find, q->readings.items[i].insert, found,
                                  where));
    return EM_OK;
}

/* Do the words and signs of the place lie within `where`? */
static bool lies_within(const em_tolerant_place *place, em_span where)
{
    em_span tokens = span_of_tokens(place);
    return where.start <= tokens.start && tokens.end <= where.end;
}

/* Does the place hold `where`, and in that a word or sign that the search text passes over? Then
 * the comment that it lacks may be what it was replaced with. */
static bool passes_over(em_slice text, const em_tolerant_place *place, em_span where)
{
    if (where.start < place->span.start || place->span.end < where.end)
        return false;
    for (size_t i = 0; i + 1 < place->find_tokens.count; i++) {
        em_token next;
        bool follows = em_token_next(text, place->tokens[i].end, place->fold, &next);
        if (follows && next.start < place->tokens[i + 1].start && where.start <= next.start &&
            next.end <= where.end)
            return true;
    }
    return false;
}

em_status em_already_applied(const em_draft *draft, em_occurrences *in, em_slice find,
                             em_slice insert, const em_places *elsewhere, em_deadline *deadline,
                             em_arena *arena, bool *applied, em_span *where)
{
    question q = {.draft = draft,
                  .in = in,
                  .find = find,
                  .insert = insert,
                  .elsewhere = elsewhere,
                  .deadline = deadline,
                  .arena = arena};
    proof p;
    *applied = false;
    EM_TRY(em_readings_of(find, insert, arena, &q.readings));
    EM_TRY(prove(find, insert, &q.readings, deadline, arena, &p));
    if (!p.possible)
        return EM_OK;
    EM_TRY(only_place(&q, p.literal, applied, where));
    for (size_t i = 0; i < elsewhere->count && *applied; i++)
        *applied = lies_within(&elsewhere->items[i], *where) ||
                   passes_over(in->text, &elsewhere->items[i], *where);
    return EM_OK;
}

static bool encloses(const em_tolerant_place *outer, const em_tolerant_place *inner)
{
    size_t last_outer = outer->find_tokens.count - 1, last_inner = inner->find_tokens.count - 1;
    return outer->tokens[0].start <= inner->tokens[0].start &&
           inner->tokens[last_inner].end <= outer->tokens[last_outer].end;
}

/* The place with `count` more tokens to both sides. */
static em_span around(em_slice text, const em_tolerant_place *place, size_t count, em_fold fold)
{
    em_token first = place->tokens[0], last = place->tokens[place->find_tokens.count - 1], token;
    for (size_t i = 0; i < count; i++) {
        if (em_token_previous(text, first.start, fold, &token))
            first = token;
        if (em_token_next(text, last.end, fold, &token))
            last = token;
    }
    return (em_span){first.start, last.end};
}

/* Is the place parted from what is beside it as the text with these tokens is at its edges? There
 * may be other blanks, or a line ending for some. */
static bool has_edges_of(em_slice text, const em_tolerant_place *place, em_tokened whole)
{
    return em_gap_before_place(text, place) >= em_gap_of(em_tokened_gap(whole, 0)) &&
           em_gap_behind_place(text, place) >= em_gap_of(em_tokened_gap(whole, whole.tokens.count));
}

/* Does `whole`, which has more tokens than `part`, stand around the place, which holds `part`? */
static em_status stands_around(em_slice text, const em_tolerant_place *place, em_slice part,
                               em_slice whole, em_fold fold, em_deadline *deadline, em_arena *arena,
                               bool *done)
{
    em_places there;
    em_tokens held;
    em_tokened wanted = {.text = whole};
    EM_TRY(em_tokens_of(whole, fold, arena, &wanted.tokens));
    EM_TRY(em_tokens_of(part, fold, arena, &held));
    if (wanted.tokens.count <= held.count)
        return EM_OK;
    em_span near = around(text, place, wanted.tokens.count, fold);
    size_t last = wanted.tokens.count - 1;
    em_slice body =
        em_slice_sub(whole, wanted.tokens.items[0].start, wanted.tokens.items[last].end);
    EM_TRY(em_tolerant_find(em_slice_sub(text, near.start, near.end), body, (em_slice){0}, fold,
                            deadline, arena, &there));
    em_places_move(there, near.start);
    for (size_t i = 0; i < there.count && !*done; i++)
        *done = encloses(&there.items[i], place) && has_edges_of(text, &there.items[i], wanted);
    return EM_OK;
}

/* The same in any writing that is overlooked there. Less is not always found with more: a line that
 * is indented with no-break spaces begins with a sign, or in the middle. */
static em_status stands_written(em_slice text, const em_tolerant_place *place, em_slice part,
                                em_slice whole, em_deadline *deadline, em_arena *arena, bool *done)
{
    em_fold most = place->fold > EM_FOLD_WRITING ? place->fold : EM_FOLD_WRITING;
    for (em_fold fold = EM_FOLD_NOTHING; fold <= most && !*done; fold++)
        EM_TRY(stands_around(text, place, part, whole, fold, deadline, arena, done));
    return EM_OK;
}

/* Nothing would change there. Has it the line endings that are wanted? */
static em_status was_respaced(em_slice text, const em_tolerant_place *place, em_arena *arena,
                              bool *has)
{
    respacing r = {.text = text,
                   .place = place,
                   .find = {place->find, place->find_tokens},
                   .insert = {.text = place->insert},
                   .strictly = true};
    EM_TRY(em_tokens_of(place->insert, place->fold, arena, &r.insert.tokens));
    return has_wanted_breaks(&r, arena, has);
}

/* ---- Where the search text leaves something out ---------------------------------------------- */

/* A place that passes over lines of the file, and the replacement. */
typedef struct passing {
    const em_tolerant_place *place;
    em_tokened there;   /* the place, and around it */
    size_t first, last; /* the place's tokens of these */
    const size_t
        *skips; /* how many tokens a line has that begins there and is passed over; else 0 */
    em_tokened insert;
    const size_t *origin; /* of the search text's tokens */
    size_t start;         /* of `there` in the file */
} passing;

/* The lines of the file between those of the place. */
static em_status find_skips(passing *p, em_arena *arena)
{
    size_t *skips = em_alloc_array(arena, p->there.tokens.count + 1, sizeof *skips);
    size_t line = 0, next = 0, count = p->place->find_tokens.count;
    if (!skips)
        return EM_E_NOMEM;
    for (size_t i = 0; i < p->there.tokens.count; i++) {
        size_t at = p->start + p->there.tokens.items[i].start;
        if (em_gap_of(em_tokened_gap(p->there, i)) == EM_GAP_BREAK)
            line = i;
        if (at < p->place->tokens[0].start)
            continue;
        if (next < count && at == p->place->tokens[next].start) {
            p->first = next == 0 ? i : p->first;
            p->last = i;
            next++;
        } else if (next < count) {
            skips[line]++;
        }
    }
    p->skips = skips;
    return EM_OK;
}

/* Is token i of the replacement that of the file, or one of the search text that stands there? */
static bool is_there(const passing *p, size_t i, size_t at)
{
    size_t origin = p->origin[i];
    em_token token = p->there.tokens.items[at];
    return em_token_same(em_tokened_token(p->insert, i), em_tokened_token(p->there, at),
                         p->place->fold) ||
           (origin != EM_NPOS && p->place->tokens[origin].start == p->start + token.start);
}

/* Where the replacement, from token i on, ends if it stands there from `at` on, with or without the
 * lines that the search text passes over (there are few of these); EM_NPOS where it does not.
 * *has_passed: it has one of these lines, which then came by this edit. */
static size_t end_there(const passing *p, size_t i, size_t at, bool *has_passed)
{
    for (; i < p->insert.tokens.count; i++, at++) {
        if (at == p->there.tokens.count)
            return EM_NPOS;
        bool passed = *has_passed;
        size_t behind = p->skips[at] > 0 ? end_there(p, i, at + p->skips[at], &passed) : EM_NPOS;
        if (behind != EM_NPOS) {
            *has_passed = passed;
            return behind;
        }
        if (!is_there(p, i, at))
            return EM_NPOS;
        *has_passed |= p->skips[at] > 0;
    }
    return at;
}

/* Does the replacement stand there from `at` on, around the place, to which it adds something, or
 * with a line that the search text passes over? */
static bool stands_from(const passing *p, size_t at)
{
    bool has_passed = false;
    size_t end = end_there(p, 0, at, &has_passed);
    bool adds = p->insert.tokens.count > p->place->find_tokens.count;
    return end != EM_NPOS && (has_passed || (adds && at <= p->first && end > p->last));
}

static bool passes_any(em_slice text, const em_tolerant_place *place)
{
    for (size_t i = 0; i + 1 < place->find_tokens.count; i++) {
        em_token next;
        if (em_token_next(text, place->tokens[i].end, place->fold, &next) &&
            next.start < place->tokens[i + 1].start)
            return true;
    }
    return false;
}

/* Does the replacement stand around a place that passes over lines, or begin in it, whether it
 * passes over these as well or not? */
static em_status stands_passing(em_slice text, const em_tolerant_place *place,
                                em_deadline *deadline, em_arena *arena, bool *done)
{
    passing p = {.place = place, .insert = {.text = place->insert}};
    em_tokened find = {place->find, place->find_tokens};
    size_t *origin;
    if (!passes_any(text, place))
        return EM_OK;
    EM_TRY(em_tokens_of(place->insert, place->fold, arena, &p.insert.tokens));
    em_span near = around(text, place, p.insert.tokens.count, place->fold);
    p.start = near.start;
    p.there.text = em_slice_sub(text, near.start, near.end);
    EM_TRY(em_tokens_of(p.there.text, place->fold, arena, &p.there.tokens));
    EM_TRY(em_redline(&find, &p.insert, arena, &origin));
    EM_TRY(find_skips(&p, arena));
    p.origin = origin;
    for (size_t i = p.last + 1; i-- > 0 && !*done;) {
        if (em_deadline_spend(deadline, p.insert.tokens.count))
            return EM_E_TIMEOUT;
        *done = stands_from(&p, i);
    }
    return EM_OK;
}

/* Do as many tokens of the place, from `first` on, have around them already what the piece of the
 * search text that they are is to become? *more: that adds something. */
static em_status stands_part(em_slice text, const em_tolerant_place *place, size_t first,
                             em_slice part, em_slice whole, em_deadline *deadline, em_arena *arena,
                             bool *stands, bool *more)
{
    em_tolerant_place here = *place;
    written a, b;
    EM_TRY(written_init(&a, part, arena));
    EM_TRY(written_init(&b, whole, arena));
    *stands = a.tokens.count == b.tokens.count && same_tokens(&a, 0, a.tokens.count, &b, 0);
    if (*stands)
        return EM_OK;
    here.tokens = place->tokens + first;
    here.find_tokens.count = a.tokens.count;
    *more = true;
    return stands_around(text, &here, part, whole, place->fold, deadline, arena, stands);
}

/* The same where a middle was left out: that must stand there of which nobody says how far it is
 * from the other end. */
static em_status stands_elided(em_slice text, const em_tolerant_place *place, em_deadline *deadline,
                               em_arena *arena, bool *done)
{
    const em_elided *e = place->elided;
    em_tokens tail;
    bool head_stands, tail_stands, more = false;
    EM_TRY(em_tokens_of(e->find[1], place->fold, arena, &tail));
    EM_TRY(stands_part(text, place, 0, e->find[0], e->insert[0], deadline, arena, &head_stands,
                       &more));
    EM_TRY(stands_part(text, place, place->find_tokens.count - tail.count, e->find[1], e->insert[1],
                       deadline, arena, &tail_stands, &more));
    *done |= head_stands && tail_stands && more;
    return EM_OK;
}

em_status em_place_is_done(em_slice text, const em_tolerant_place *place, em_slice result,
                           em_deadline *deadline, em_arena *arena, bool *done)
{
    em_slice seen = em_slice_sub(text, place->span.start, place->span.end);
    *done = false;
    if (em_slice_eq(seen, result))
        EM_TRY(was_respaced(text, place, arena, done));
    EM_TRY(stands_written(text, place, place->find, place->insert, deadline, arena, done));
    if (place->score < 1)
        EM_TRY(stands_written(text, place, seen, result, deadline, arena, done));
    if (!*done && place->elided)
        EM_TRY(stands_elided(text, place, deadline, arena, done));
    return *done ? EM_OK : stands_passing(text, place, deadline, arena, done);
}
