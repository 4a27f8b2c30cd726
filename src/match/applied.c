/* applied.c: the replacement is looked for as a search text is, with what it must have to tell that
 * it came by this edit. */
#include "match/applied.h"

#include "base/ascii.h"
#include "base/line.h"
#include "draft/locate.h"
#include "match/respacing.h"
#include "match/unwrap.h"
#include "text/text.h"
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

/* ---- Where it stands ------------------------------------------------------------------------- */

typedef struct question {
    const em_draft *draft;
    em_occurrences *in;
    em_slice find, insert;
    em_readings readings;
    const em_places *elsewhere;
    em_deadline *deadline;
    em_arena *arena;
    bool as_sent; /* the replacement stands there to the byte */
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
    em_respacing r = {.text = q->in->text,
                      .place = place,
                      .find = {.text = find},
                      .insert = {insert, place->find_tokens},
                      .of_insert = true,
                      .strictly = q->elsewhere->count > 0};
    *where = place->span;
    bool is_as_before;
    EM_TRY(em_tokens_of(find, EM_FOLD_WRITING, q->arena, &r.find.tokens));
    EM_TRY(em_is_as_searched(&r, q->arena, &is_as_before));
    if (is_as_before)
        *found = false;
    return *found ? em_has_wanted_breaks(&r, q->arena, found) : EM_OK;
}

/* Does an empty line come before whole lines, which begin with blanks or end in a line break? Then
 * no place shows it where its line break only ends the line before. */
static bool adds_first_line(const question *q)
{
    em_slice find = q->find;
    bool is_lines = find.len > 0 && !em_is_line_break(find.ptr[0]) &&
                    (em_is_space_or_tab(find.ptr[0]) || em_is_line_break(find.ptr[find.len - 1]));
    return is_lines && em_is_line_break(q->insert.ptr[0]);
}

static void keep_whole(const question *q, em_spans *spans)
{
    em_slice text = q->in->text;
    bool begins_line = adds_first_line(q);
    size_t kept = 0, unused;
    for (size_t i = 0; i < spans->count; i++)
        if (is_whole(text, spans->items[i]) &&
            (!begins_line || em_begins_line(text, spans->items[i].start, &unused)))
            spans->items[kept++] = spans->items[i];
    spans->count = kept;
}

/* The replacement's only place: literally, else in another writing, else without a wrapping. */
static em_status only_place(question *q, bool literal, bool *found, em_span *where)
{
    em_spans spans = {0};
    q->in->falls_short |= q->in->is_excerpt && !em_occurrences_cover(q->in, q->insert);
    if (!em_occurrences_exclude(q->in, q->insert))
        EM_TRY(em_locate(q->draft, q->insert, true, q->arena, &spans));
    keep_whole(q, &spans);
    *found = q->as_sent = spans.count == 1;
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

/* Does a word or sign of `where` stand between two of the place that are not next to each other? */
static bool has_skipped(em_slice text, const em_tolerant_place *place, em_span where)
{
    for (size_t i = 0; i + 1 < place->find_tokens.count; i++) {
        em_token next = place->tokens[i];
        while (em_token_next(text, next.end, place->fold, &next) &&
               next.start < place->tokens[i + 1].start)
            if (where.start <= next.start && next.end <= where.end)
                return true;
    }
    return false;
}

/* Or is one of those that stand for what the search text leaves out? */
static em_status has_elided(const question *q, const em_tolerant_place *place, em_span where,
                            bool *has)
{
    em_tokens head, tail;
    EM_TRY(em_tokens_of(place->elided->find[0], place->fold, q->arena, &head));
    EM_TRY(em_tokens_of(place->elided->find[1], place->fold, q->arena, &tail));
    *has = false;
    for (size_t i = head.count; i + tail.count < place->find_tokens.count && !*has; i++)
        *has = where.start <= place->tokens[i].start && place->tokens[i].end <= where.end;
    return EM_OK;
}

/* Does the place hold the words and signs of `where`, and in them one that the search text passes
 * over? Then the comment that it lacks, or the middle that it leaves out, may be what it was
 * replaced with. */
static em_status passes_over(const question *q, const em_tolerant_place *place, em_span where,
                             bool *passes)
{
    em_slice text = q->in->text, words = em_trimmed(em_slice_sub(text, where.start, where.end));
    where.start = (size_t)(words.ptr - text.ptr);
    where.end = where.start + words.len;
    *passes = where.start >= place->span.start && where.end <= place->span.end;
    if (!*passes || has_skipped(text, place, where))
        return EM_OK;
    *passes = false;
    return place->elided ? has_elided(q, place, where, passes) : EM_OK;
}

/* ---- What still stands beside it ------------------------------------------------------------- */

static bool has_line(const written *w, const written *other, size_t line)
{
    size_t start = other->lines[line], end = other->lines[line + 1];
    for (size_t i = 0; i < w->line_count; i++)
        if (w->lines[i + 1] - w->lines[i] == end - start &&
            same_tokens(other, start, end, w, w->lines[i]))
            return true;
    return false;
}

/* Does `beside`, a line of the file, begin with one of the search text that says something and that
 * the replacement lacks? */
static em_status is_to_go(const question *q, const written *find, const written *insert,
                          em_slice beside, bool *is)
{
    written there;
    EM_TRY(written_init(&there, beside, q->arena));
    for (size_t line = 0; line < find->line_count && !*is; line++) {
        size_t start = find->lines[line], end = find->lines[line + 1];
        em_slice text = em_slice_sub(find->text, find->tokens.items[start].start,
                                     find->tokens.items[end - 1].end);
        if (em_deadline_spend(q->deadline, 1 + insert->line_count))
            return EM_E_TIMEOUT;
        *is = there.tokens.count >= end - start && same_tokens(find, start, end, &there, 0) &&
              em_is_telling(text) && !has_line(insert, find, line);
    }
    return EM_OK;
}

/* The line that is nearest before `where`, and the one behind it; empty where there is none. */
static void lines_beside(em_slice text, em_span where, em_slice *before, em_slice *behind)
{
    em_slice head = em_trimmed(em_slice_sub(text, 0, em_line_before(text, where.start + 1)));
    em_slice rest = em_trimmed(em_slice_from(text, em_line_behind(text, where.end - 1)));
    *before = em_slice_from(head, em_line_before(head, head.len));
    *behind = em_slice_sub(rest, 0, em_line_behind(rest, 0));
}

/* Does a line that the edit is to take away still stand beside what it is to leave? Then nobody has
 * made it. */
static em_status is_half_there(const question *q, em_span where, bool *is)
{
    written find, insert;
    em_slice before, behind;
    *is = false;
    while (where.start + 1 < where.end && em_is_white_space(q->in->text.ptr[where.start]))
        where.start++;
    EM_TRY(written_init(&find, q->find, q->arena));
    EM_TRY(written_init(&insert, q->insert, q->arena));
    lines_beside(q->in->text, where, &before, &behind);
    EM_TRY(is_to_go(q, &find, &insert, before, is));
    return is_to_go(q, &find, &insert, behind, is);
}

/* Does the search text stand without a wrapping at a place that is not of the replacement? A tier
 * may not have looked there, since it is not clear what the replacement is without it. */
static em_status stands_unwrapped(const question *q, em_span where, bool *is)
{
    em_readings alone;
    *is = false;
    EM_TRY(em_readings_of(q->find, q->find, q->arena, &alone));
    for (size_t i = 0; i < alone.count && !*is; i++) {
        em_places places;
        EM_TRY(em_tolerant_find_in(q->in, alone.items[i].find, (em_slice){0}, EM_FOLD_WRITING,
                                   q->deadline, q->arena, &places));
        for (size_t j = 0; j < places.count && !*is; j++) {
            bool passes;
            EM_TRY(passes_over(q, &places.items[j], where, &passes));
            *is = !passes && !lies_within(&places.items[j], where);
        }
    }
    return EM_OK;
}

/* Is the search text one line with a word in it? In another depth that would stand there literally,
 * so another writing of it says that it is there, however short it is. */
static em_status is_line_of_words(const question *q, bool *is)
{
    written find;
    EM_TRY(written_init(&find, q->find, q->arena));
    *is = false;
    for (size_t i = 0; i < find.tokens.count && find.line_count == 1; i++)
        *is |= em_token_is_word(em_token_bytes(q->find, find.tokens.items[i]));
    return EM_OK;
}

/* May a place of the search text be meant that is not of the replacement? Not of a brace or two, or
 * a few words in several lines, that stand there in another writing, while the replacement stands
 * elsewhere as it was sent. */
static em_status may_be_meant(const question *q, bool *may)
{
    *may = !q->as_sent || em_is_telling(q->find);
    return *may ? EM_OK : is_line_of_words(q, may);
}

/* Does the search text wait for its edit, at a place that the replacement's does not hold? */
static em_status waits_elsewhere(const question *q, em_span where, bool *waits)
{
    bool may, passes;
    *waits = false;
    if (q->elsewhere->count == 0)
        return EM_OK;
    EM_TRY(may_be_meant(q, &may));
    for (size_t i = 0; may && i < q->elsewhere->count && !*waits; i++) {
        const em_tolerant_place *place = &q->elsewhere->items[i];
        EM_TRY(passes_over(q, place, where, &passes));
        *waits = !passes && !lies_within(place, where);
    }
    return EM_OK;
}

/* Does what stands at `where`, the only place of the replacement, come of this edit? */
static em_status is_of_edit(const question *q, em_span where, bool *is)
{
    bool otherwise;
    EM_TRY(waits_elsewhere(q, where, &otherwise));
    if (!otherwise)
        EM_TRY(is_half_there(q, where, &otherwise));
    if (!otherwise)
        EM_TRY(stands_unwrapped(q, where, &otherwise));
    *is = !otherwise;
    return EM_OK;
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
    bool is_there;
    EM_TRY(only_place(&q, p.literal, &is_there, where));
    return is_there ? is_of_edit(&q, *where, applied) : EM_OK;
}
