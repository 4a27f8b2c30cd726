/* trace.c: every eight bytes in a row that a line of the search text holds are in a table. The text
 * is read line by line; where such bytes stand they are widened to all that is the same on both
 * sides. What was found best is kept for each line of the search text by itself, so that a line
 * that stands everywhere does not hide one that stands once.
 */
#include "diagnosis/trace.h"

#include "base/ascii.h"
#include "base/utf8.h"
#include "text/folded.h"
#include "text/token.h"

enum {
    GRAM = 8,
    FILTER_BITS = 16,
    MOST_BYTES = 1 << 16, /* of the search text that are looked for */
    MOST_BACK = 512,      /* of a part of a line, before the bytes that led to it */
    LEAST_SEEN = 10,      /* code points beside blanks, */
    LEAST_IN_WORDS = 6,   /* and bytes in words */
    LINES_SHARE = 20,     /* lines are at least this part of the search text, */
    PART_SHARE = 5,       /* and a part of a line is */
};

/* A line of the search text, and where most of it stands. */
typedef struct sought {
    em_slice line; /* without the blanks around it */
    size_t score, count;
    em_span places[EM_MOST_TRACES];
    size_t behind; /* the end of the last place that was looked at */
} sought;

typedef struct gram {
    uint64_t bytes;
    size_t line, at; /* of the search text; where in it */
    bool is_used;
} gram;

typedef struct tracer {
    em_slice text;
    sought *lines;
    size_t line_count, length; /* of all of them, bytes */
    gram *grams;
    unsigned bits;                          /* of the size of the table */
    uint8_t filter[1 << (FILTER_BITS - 3)]; /* a bit for each hash that some of them have */
    em_deadline *deadline;
    em_arena scratch;
} tracer;

static void tracer_drop(tracer *t)
{
    em_arena_drop(&t->scratch);
}

/* ---- The search text ------------------------------------------------------------------------- */

/* The line at *at, without its ending and the blanks around it; *at moves behind it. */
static em_slice next_line(em_slice text, size_t *at)
{
    size_t start = *at, end = start;
    while (end < text.len && text.ptr[end] != '\n' && text.ptr[end] != '\r')
        end++;
    *at = end < text.len ? end + 1 : end;
    return em_without_outer_blanks(em_slice_sub(text, start, end));
}

static em_status split(tracer *t, em_slice find)
{
    size_t room = 0;
    find.len = em_utf8_floor(find, MOST_BYTES);
    for (size_t at = 0; at < find.len;) {
        em_slice line = next_line(find, &at);
        if (line.len == 0)
            continue;
        EM_TRY(
            em_arena_grow(&t->scratch, (void **)&t->lines, t->line_count, &room, sizeof *t->lines));
        t->lines[t->line_count++] = (sought){.line = line};
        t->length += line.len;
    }
    return EM_OK;
}

static uint64_t gram_at(em_slice line, size_t at)
{
    uint64_t bytes;
    memcpy(&bytes, line.ptr + at, GRAM);
    return bytes;
}

static size_t hash_of(uint64_t bytes, unsigned bits)
{
    return (size_t)((bytes * 0x9E3779B97F4A7C15U) >> (64 - bits));
}

static bool may_be_there(const tracer *t, uint64_t bytes)
{
    size_t hash = hash_of(bytes, FILTER_BITS);
    return t->filter[hash / 8] & (1 << hash % 8);
}

/* Where it is in the table, or belongs. */
static gram *slot_of(const tracer *t, uint64_t bytes)
{
    size_t mask = ((size_t)1 << t->bits) - 1, at = hash_of(bytes, t->bits);
    while (t->grams[at].is_used && t->grams[at].bytes != bytes)
        at = (at + 1) & mask;
    return &t->grams[at];
}

/* Of bytes that stand there several times the first place is kept. */
static em_status list_grams(tracer *t)
{
    for (t->bits = 4; (size_t)1 << t->bits < 2 * t->length; t->bits++) {
    }
    t->grams = em_alloc_array(&t->scratch, (size_t)1 << t->bits, sizeof *t->grams);
    if (!t->grams)
        return EM_E_NOMEM;
    for (size_t i = 0; i < t->line_count; i++) {
        em_slice line = t->lines[i].line;
        for (size_t at = 0; at + GRAM <= line.len; at++) {
            uint64_t bytes = gram_at(line, at);
            size_t hash = hash_of(bytes, FILTER_BITS);
            gram *slot = slot_of(t, bytes);
            if (!slot->is_used)
                *slot = (gram){bytes, i, at, true};
            t->filter[hash / 8] |= (uint8_t)(1 << hash % 8);
        }
    }
    return EM_OK;
}

/* ---- What is the same ------------------------------------------------------------------------ */

/* The same bytes in a line of the search text and in one of the text. */
typedef struct same {
    em_slice wanted, seen; /* the two lines */
    size_t in_wanted, in_seen, length;
} same;

static void widen(same *s)
{
    for (size_t back = 0; back < MOST_BACK && s->in_wanted > 0 && s->in_seen > 0 &&
                          s->wanted.ptr[s->in_wanted - 1] == s->seen.ptr[s->in_seen - 1];
         back++) {
        s->in_wanted--;
        s->in_seen--;
        s->length++;
    }
    while (s->in_wanted + s->length < s->wanted.len && s->in_seen + s->length < s->seen.len &&
           s->wanted.ptr[s->in_wanted + s->length] == s->seen.ptr[s->in_seen + s->length])
        s->length++;
}

/* May it begin, or end, so far behind its start? Not within a word on either side. */
static bool is_border(const same *s, size_t at)
{
    size_t wanted = s->in_wanted + at, seen = s->in_seen + at;
    if (em_utf8_continues(s->wanted, wanted) || em_utf8_continues(s->seen, seen))
        return false;
    return em_token_border(s->wanted, wanted, EM_FOLD_NOTHING) &&
           em_token_border(s->seen, seen, EM_FOLD_NOTHING);
}

static void cut_to_words(same *s)
{
    size_t start = 0;
    while (s->length > 0 && !is_border(s, s->length))
        s->length--;
    while (start < s->length && !is_border(s, start))
        start++;
    s->in_wanted += start;
    s->in_seen += start;
    s->length -= start;
}

static bool is_of_word(char byte)
{
    return em_is_letter_or_digit(byte) || em_is_beyond_ascii(byte);
}

/* How much it tells: its code points beside blanks; 0 for nothing. */
static size_t telling(em_slice part)
{
    size_t seen = 0, in_words = 0;
    for (size_t at = 0; at < part.len;) {
        size_t next = at, blank = em_blank_at(part, at);
        em_utf8_next(part, &next);
        seen += blank == 0;
        in_words += blank == 0 && is_of_word(part.ptr[at]) ? next - at : 0;
        at = blank > 0 ? at + blank : next;
    }
    return seen >= LEAST_SEEN && in_words >= LEAST_IN_WORDS ? seen : 0;
}

static em_slice part_of(const same *s)
{
    return em_without_outer_blanks(em_slice_sub(s->seen, s->in_seen, s->in_seen + s->length));
}

/* ---- The text -------------------------------------------------------------------------------- */

static em_span span_of(const tracer *t, em_slice part)
{
    size_t start = (size_t)(part.ptr - t->text.ptr);
    return (em_span){start, start + part.len};
}

static void note(sought *line, size_t score, em_span place)
{
    bool is_apart = place.start >= line->behind;
    if (score < line->score || (score == line->score && !is_apart))
        return;
    if (score > line->score)
        line->count = 0;
    if (line->count < EM_MOST_TRACES)
        line->places[line->count] = place;
    line->score = score;
    line->count++;
    line->behind = place.end;
}

/* A line that stands there whole, and those that follow it on both sides: they tell together. *at
 * moves behind them. */
static void note_lines(tracer *t, size_t index, em_slice seen, size_t *at)
{
    size_t score = telling(seen), length = seen.len;
    em_span place = span_of(t, seen);
    for (size_t i = index + 1, behind = *at; i < t->line_count && behind < t->text.len;) {
        em_slice line = next_line(t->text, &behind);
        if (line.len == 0)
            continue;
        if (!em_slice_eq(line, t->lines[i].line))
            break;
        score += line.len;
        length += line.len;
        place.end = span_of(t, line).end;
        *at = behind;
        i++;
    }
    if (LINES_SHARE * length >= t->length)
        note(&t->lines[index], score, place);
}

static void note_part(tracer *t, size_t index, const same *s)
{
    em_slice part = part_of(s);
    bool is_most_there = 2 * part.len >= s->seen.len;
    bool is_half = is_most_there || 2 * part.len >= s->wanted.len;
    if (is_half && PART_SHARE * part.len >= t->length)
        note(&t->lines[index], telling(part), span_of(t, is_most_there ? s->seen : part));
}

/* The first bytes in a row from `from` on that stand in the search text too; NULL. */
static const gram *next_gram(const tracer *t, em_slice line, size_t from, size_t *at)
{
    for (; from + GRAM <= line.len; from++) {
        uint64_t bytes = gram_at(line, from);
        const gram *found = may_be_there(t, bytes) ? slot_of(t, bytes) : NULL;
        *at = from;
        if (found && found->is_used)
            return found;
    }
    return NULL;
}

/* *behind is behind the line, and moves on where lines behind it were looked at too. False when
 * time is up. */
static bool look_at_line(tracer *t, em_slice line, size_t *behind)
{
    const gram *found;
    for (size_t from = 0, at; (found = next_gram(t, line, from, &at));) {
        same s = {t->lines[found->line].line, line, found->at, at, GRAM};
        widen(&s);
        from = s.in_seen + s.length - GRAM + 1;
        if (s.length == line.len && s.length == s.wanted.len && telling(line) > 0) {
            note_lines(t, found->line, line, behind);
            break;
        }
        cut_to_words(&s);
        if (telling(part_of(&s)) > 0)
            note_part(t, found->line, &s);
        if (em_deadline_spend(t->deadline, MOST_BACK))
            return false;
    }
    return !em_deadline_spend(t->deadline, line.len + 1);
}

static em_status look(tracer *t)
{
    bool in_time = true;
    for (size_t at = 0; at < t->text.len && in_time;) {
        em_slice line = next_line(t->text, &at);
        in_time = look_at_line(t, line, &at);
    }
    return in_time ? EM_OK : EM_E_TIMEOUT;
}

static void choose(const tracer *t, em_traces *traces)
{
    const sought *best = NULL;
    for (size_t i = 0; i < t->line_count; i++) {
        const sought *line = &t->lines[i];
        if (line->score > (best ? best->score : 0) && line->count <= EM_MOST_TRACES)
            best = line;
    }
    traces->count = best ? best->count : 0;
    for (size_t i = 0; i < traces->count; i++)
        traces->items[i] = best->places[i];
}

em_status em_trace_find(em_slice text, em_slice find, em_deadline *deadline, em_traces *traces)
{
    EM_AUTO(tracer) t = {.text = text, .deadline = deadline};
    *traces = (em_traces){.count = 0};
    EM_TRY(split(&t, find));
    if (t.line_count == 0)
        return EM_OK;
    EM_TRY(list_grams(&t));
    EM_TRY(look(&t));
    choose(&t, traces);
    return EM_OK;
}
