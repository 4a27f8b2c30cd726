/* place_done.c: the replacement is looked for around the place that holds the search text. */
#include "laying/place_done.h"

#include "match/respacing.h"
#include "tokens/telling.h"

/* A place, and with what it is looked at. */
typedef struct question {
    em_slice text;
    const em_tolerant_place *place;
    em_deadline *deadline;
    em_arena *arena;
} question;

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
static em_status stands_around(const question *q, em_slice part, em_slice whole, em_fold fold,
                               bool *done)
{
    em_places there;
    em_tokens held;
    em_tokened wanted = {.text = whole};
    EM_TRY(em_tokens_of(whole, fold, q->arena, &wanted.tokens));
    EM_TRY(em_tokens_of(part, fold, q->arena, &held));
    if (wanted.tokens.count <= held.count)
        return EM_OK;
    em_span near = around(q->text, q->place, wanted.tokens.count, fold);
    size_t last = wanted.tokens.count - 1;
    em_slice body =
        em_slice_sub(whole, wanted.tokens.items[0].start, wanted.tokens.items[last].end);
    EM_TRY(em_tolerant_find(em_slice_sub(q->text, near.start, near.end), body, (em_slice){0}, fold,
                            q->deadline, q->arena, &there));
    em_places_move(there, near.start);
    for (size_t i = 0; i < there.count && !*done; i++)
        *done =
            encloses(&there.items[i], q->place) && has_edges_of(q->text, &there.items[i], wanted);
    return EM_OK;
}

/* The same in any writing that is overlooked there. Less is not always found with more: a line that
 * is indented with no-break spaces begins with a sign, or in the middle. */
static em_status stands_written(const question *q, em_slice part, em_slice whole, bool *done)
{
    em_fold most = q->place->fold > EM_FOLD_WRITING ? q->place->fold : EM_FOLD_WRITING;
    for (em_fold fold = EM_FOLD_NOTHING; fold <= most && !*done; fold++)
        EM_TRY(stands_around(q, part, whole, fold, done));
    return EM_OK;
}

/* Nothing would change there. Has it the line endings that are wanted? */
static em_status was_respaced(const question *q, bool *has)
{
    const em_tolerant_place *place = q->place;
    em_respacing r = {.text = q->text,
                      .place = place,
                      .find = em_place_find(place),
                      .insert = {.text = place->insert},
                      .strictly = true};
    EM_TRY(em_tokens_of(place->insert, place->fold, q->arena, &r.insert.tokens));
    return em_has_wanted_breaks(&r, q->arena, has);
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

/* Do the tokens from `start` to before `end` say something, if there are any? */
static bool tells(const passing *p, size_t start, size_t end)
{
    const em_token *tokens = p->there.tokens.items;
    return start < end &&
           em_is_telling(em_slice_sub(p->there.text, tokens[start].start, tokens[end - 1].end));
}

/* Does the replacement stand there from `at` on, around the place, to which it adds something, or
 * with a line that the search text passes over? (Not where what it takes away stands beside it.) */
static bool stands_from(const passing *p, size_t at)
{
    bool has_passed = false;
    size_t end = end_there(p, 0, at, &has_passed);
    bool adds = p->insert.tokens.count > p->place->find_tokens.count;
    if (end == EM_NPOS)
        return false;
    bool is_half = tells(p, p->first, at) || tells(p, end, p->last + 1);
    return (has_passed && !is_half) || (adds && at <= p->first && end > p->last);
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
static em_status stands_passing(const question *q, bool *done)
{
    const em_tolerant_place *place = q->place;
    passing p = {.place = place, .insert = {.text = place->insert}};
    em_tokened find = em_place_find(place);
    size_t *origin;
    if (!passes_any(q->text, place))
        return EM_OK;
    EM_TRY(em_tokens_of(place->insert, place->fold, q->arena, &p.insert.tokens));
    em_span near = around(q->text, place, p.insert.tokens.count, place->fold);
    p.start = near.start;
    p.there.text = em_slice_sub(q->text, near.start, near.end);
    EM_TRY(em_tokens_of(p.there.text, place->fold, q->arena, &p.there.tokens));
    EM_TRY(em_redline(&find, &p.insert, q->arena, &origin));
    EM_TRY(find_skips(&p, q->arena));
    p.origin = origin;
    for (size_t i = p.last + 1; i-- > 0 && !*done;) {
        if (em_deadline_spend(q->deadline, p.insert.tokens.count))
            return EM_E_TIMEOUT;
        *done = stands_from(&p, i);
    }
    return EM_OK;
}

/* Do as many tokens of the place, from `first` on, have around them already what the piece of the
 * search text that they are is to become? *more: that adds something. */
static em_status stands_part(const question *q, size_t first, em_slice part, em_slice whole,
                             bool *stands, bool *more)
{
    em_tolerant_place here = *q->place;
    question of_part = *q;
    em_tokened a = {.text = part}, b = {.text = whole};
    EM_TRY(em_tokens_of(part, EM_FOLD_WRITING, q->arena, &a.tokens));
    EM_TRY(em_tokens_of(whole, EM_FOLD_WRITING, q->arena, &b.tokens));
    *stands = em_tokened_same(a, b, EM_FOLD_WRITING);
    if (*stands)
        return EM_OK;
    here.tokens = q->place->tokens + first;
    here.find_tokens.count = a.tokens.count;
    of_part.place = &here;
    *more = true;
    return stands_around(&of_part, part, whole, here.fold, stands);
}

/* The same where a middle was left out: that must stand there of which nobody says how far it is
 * from the other end. */
static em_status stands_elided(const question *q, bool *done)
{
    const em_tolerant_place *place = q->place;
    const em_elided *e = place->elided;
    em_tokens tail;
    bool head_stands, tail_stands, more = false;
    EM_TRY(em_tokens_of(e->find[1], place->fold, q->arena, &tail));
    EM_TRY(stands_part(q, 0, e->find[0], e->insert[0], &head_stands, &more));
    EM_TRY(stands_part(q, place->find_tokens.count - tail.count, e->find[1], e->insert[1],
                       &tail_stands, &more));
    *done |= head_stands && tail_stands && more;
    return EM_OK;
}

/* What comes there, without the line break that is put behind it where the line goes on and the
 * replacement does not end its own: whether one is put there depends on how the next line stands,
 * which the edit may have changed. */
static em_status result_as_sent(const em_tolerant_place *place, em_slice result, em_arena *arena,
                                em_slice *sent)
{
    em_tokened wanted = {.text = place->insert}, laid = {.text = result};
    EM_TRY(em_tokens_of(wanted.text, place->fold, arena, &wanted.tokens));
    EM_TRY(em_tokens_of(result, place->fold, arena, &laid.tokens));
    size_t ends = laid.tokens.count;
    bool is_longer = ends > 0 && em_gap_of(em_tokened_gap(laid, ends)) >
                                     em_gap_of(em_tokened_gap(wanted, wanted.tokens.count));
    *sent = is_longer ? em_slice_sub(result, 0, laid.tokens.items[ends - 1].end) : result;
    return EM_OK;
}

/* The same of a place that is not quite what was searched: there comes what the file has for it. */
static em_status stands_result(const question *q, em_slice result, bool *done)
{
    em_slice sent, seen = em_slice_sub(q->text, q->place->span.start, q->place->span.end);
    EM_TRY(result_as_sent(q->place, result, q->arena, &sent));
    return stands_written(q, seen, sent, done);
}

em_status em_place_is_done(em_slice text, const em_tolerant_place *place, em_slice result,
                           em_deadline *deadline, em_arena *arena, bool *done)
{
    const question q = {text, place, deadline, arena};
    em_slice seen = em_slice_sub(text, place->span.start, place->span.end);
    *done = false;
    if (em_slice_eq(seen, result))
        EM_TRY(was_respaced(&q, done));
    EM_TRY(stands_written(&q, place->find, place->insert, done));
    if (place->score < 1)
        EM_TRY(stands_result(&q, result, done));
    if (!*done && place->elided)
        EM_TRY(stands_elided(&q, done));
    return *done ? EM_OK : stands_passing(&q, done);
}
