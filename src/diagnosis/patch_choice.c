#include "diagnosis/patch_choice.h"

#include "base/ascii.h"
#include "base/line.h"
#include "base/strbuf.h"
#include "diagnosis/patch_place.h"
#include "text/search.h"
#include "text/span.h"

enum {
    MOST_LINES_AROUND = 60, /* to both sides: what is longer is no text to be sent */
    LINES_OFF = 8,          /* so far from the truth are numbers that somebody guessed */
    MOST_WORK = 1 << 30,    /* some tenths of a second */
};

/* Where a part stands. */
typedef struct standing {
    size_t count;  /* also within lines, and overlapping: what is not unique for a search */
    em_span place; /* the one that is meant, of whole lines; empty: not known */
} standing;

typedef struct choice {
    em_slice body;
    size_t start; /* of the text in it */
    em_hunks hunks;
    size_t *work_left; /* bytes that may be looked through; 0: it gives up */
    standing *standings;
    bool has_shift; /* some part stands once: */
    long shift;     /* so many lines below where its header says */
} choice;

/* ---- Places --------------------------------------------------------------------------------- */

static void spend(const choice *c, size_t bytes)
{
    *c->work_left -= em_least(bytes, *c->work_left);
}

/* Which line the byte is in, from 1. */
static long line_of(const choice *c, size_t at)
{
    spend(c, at);
    em_slice before = em_slice_sub(c->body, 0, at);
    long line = 1;
    for (size_t i = em_slice_until(before, '\n'); i < at;
         i += 1 + em_slice_until(em_slice_from(before, i + 1), '\n'))
        line++;
    return line;
}

/* Lines that come, or stay, lost their last end (whole_change.c), also where that ends an empty
 * one; those that only go did not. */
static bool is_of_lines(const choice *c, em_near_miss part, em_span place)
{
    const char *bytes = c->body.ptr;
    bool begins = place.start == c->start || bytes[place.start - 1] == '\n';
    bool has_end = bytes[place.end - 1] == '\n';
    if (part.insert.len == 0)
        return begins && has_end;
    return begins && (place.end < c->body.len ? bytes[place.end] == '\n' : !has_end);
}

/* The next place of the text from `from` on; empty: there is none, or it gives up. */
static em_span next_place(const choice *c, em_slice find, size_t from)
{
    em_needle needle;
    em_needle_init(&needle, find);
    size_t at = *c->work_left > 0 ? em_find(&needle, c->body, from) : EM_NPOS;
    spend(c, (at == EM_NPOS ? c->body.len : at + find.len) - from);
    return at == EM_NPOS ? (em_span){0} : (em_span){at, at + find.len};
}

/* The same of whole lines alone. */
static em_span next_of_lines(const choice *c, em_near_miss part, size_t from)
{
    em_span place = next_place(c, part.find, from);
    while (place.end > 0 && !is_of_lines(c, part, place))
        place = next_place(c, part.find, place.start + 1);
    return place;
}

/* How often the text stands there: 0, 1, or 2 for more. */
static size_t count_places(const choice *c, em_slice find)
{
    em_span first = next_place(c, find, 0);
    return first.end == 0 ? 0 : 1 + (next_place(c, find, first.start + 1).end > 0);
}

/* ---- Numbers -------------------------------------------------------------------------------- */

/* The number that a text begins with, which is taken from it; -1: none, or it is none of a file. */
static long take_number(em_slice *text)
{
    enum { MOST_DIGITS = 9 };
    size_t digits = 0;
    long number = 0;
    for (; digits < text->len && em_is_digit(text->ptr[digits]) && digits <= MOST_DIGITS; digits++)
        number = 10 * number + (text->ptr[digits] - '0');
    *text = em_slice_from(*text, digits);
    return digits > 0 && digits <= MOST_DIGITS ? number : -1;
}

static long count_lines(em_slice text)
{
    long lines = 0;
    for (size_t at = 0; at < text.len; lines++)
        em_next_line(text, &at);
    return lines;
}

/* The line that the header of a part says, if it counts the lines of it right; else 0. A text that
 * lost the end of an empty last line lost a line. */
static long line_told(em_slice heads, em_near_miss part)
{
    em_slice header = em_take_line(&heads);
    if (heads.len > 0 || !em_slice_starts(header, EM_LIT("@@ -")))
        return 0;
    header = em_slice_from(header, 4);
    long line = take_number(&header), count = 1;
    if (em_slice_starts(header, EM_LIT(","))) {
        header = em_slice_from(header, 1);
        count = take_number(&header);
    }
    long lines =
        count_lines(part.find) + (part.insert.len > 0 && em_slice_ends(part.find, EM_LIT("\n")));
    return line > 0 && count == lines && em_slice_starts(header, EM_LIT(" +")) ? line : 0;
}

/* What all parts that stand once are away from their numbers. Returns whether they agree. */
static bool find_shift(choice *c)
{
    for (size_t i = 0; i<c->hunks.count && * c->work_left> 0; i++) {
        long told = line_told(c->hunks.heads[i], c->hunks.parts[i]);
        if (c->standings[i].count != 1 || told == 0)
            continue;
        long shift = line_of(c, c->standings[i].place.start) - told;
        if (c->has_shift && shift != c->shift)
            return false;
        c->has_shift = true;
        c->shift = shift;
    }
    return true;
}

static em_span place_at_line(const choice *c, em_near_miss part, long line)
{
    size_t at = c->start;
    for (long i = 1; i < line && at < c->body.len; i++)
        em_next_line(c->body, &at);
    spend(c, at);
    em_span place = {at, at + part.find.len};
    bool is = line > 0 && em_slice_starts(em_slice_from(c->body, at), part.find) &&
              is_of_lines(c, part, place);
    return is ? place : (em_span){0};
}

/* ---- Lines above ---------------------------------------------------------------------------- */

/* The first line from `from` on that is this one, but for blanks around it; empty: none is. */
static em_span line_from(const choice *c, em_slice wanted, size_t from)
{
    spend(c, c->body.len - from);
    for (size_t at = from; at < c->body.len;) {
        size_t start = at;
        if (em_slice_eq(em_trimmed(em_next_line(c->body, &at)), wanted))
            return (em_span){start, at};
    }
    return (em_span){0};
}

/* Does something else begin in these lines than what `head` is the first line of: with a word that
 * is no deeper than that? */
static bool leaves(const choice *c, em_span head, em_span lines)
{
    size_t depth = em_line_blanks(em_slice_sub(c->body, head.start, head.end)).len;
    for (size_t at = lines.start; at < lines.end;) {
        em_slice line = em_next_line(c->body, &at);
        size_t blanks = em_line_blanks(line).len;
        if (blanks <= depth && blanks < line.len && em_is_word_byte(line.ptr[blanks]))
            return true;
    }
    return false;
}

/* Is the place in what a line with that start begins, as the numbers of a hunk have it behind them?
 * They may have an older file's, or none at all: then an equal stretch is there by chance. */
static bool is_in_section(const choice *c, em_slice section, em_span place)
{
    em_span line = {place.start, place.start};
    while (section.len > 0 && line.start > c->start) {
        line = (em_span){em_line_before(c->body, line.start), line.start};
        em_slice text = em_trimmed(em_slice_sub(c->body, line.start, line.end));
        if (em_slice_starts(text, section))
            return !leaves(c, line, (em_span){line.end, place.start});
    }
    return section.len == 0;
}

/* Is no other place there so near that numbers which are off by a few lines would name it? */
static bool is_apart(const choice *c, em_near_miss part, em_slice section, em_span place)
{
    size_t from = place.start, to = place.start;
    for (int i = 0; i < LINES_OFF; i++) {
        from = em_line_before(c->body, from);
        to = em_line_behind(c->body, to);
    }
    em_span other = next_of_lines(c, part, from);
    while (other.end > 0 && other.start <= to) {
        if (other.start != place.start && is_in_section(c, section, other))
            return false;
        other = next_of_lines(c, part, other.start + 1);
    }
    return true;
}

/* The place in what the lines of the headers begin, one within the other. */
static em_span place_below(const choice *c, em_slice heads, em_near_miss part)
{
    em_span head = {0};
    while (heads.len > 0) {
        bool is_certain;
        em_slice line = em_patch_head_line(em_take_line(&heads), &is_certain);
        em_span next = line.len > 0 && is_certain ? line_from(c, line, head.end) : (em_span){0};
        if (next.end == 0 || (head.end == 0 ? line_from(c, line, next.end).end > 0
                                            : leaves(c, head, (em_span){head.end, next.start})))
            return (em_span){0};
        head = next;
    }
    em_span place = head.end > 0 ? next_of_lines(c, part, head.end) : (em_span){0};
    if (place.end == 0 || leaves(c, head, (em_span){head.end, place.start}))
        return (em_span){0};
    em_span second = next_of_lines(c, part, place.start + 1);
    bool is_one = second.end == 0 || leaves(c, head, (em_span){place.start, second.start});
    return is_one ? place : (em_span){0};
}

/* ---- The choice ----------------------------------------------------------------------------- */

static em_span place_meant(const choice *c, size_t index)
{
    em_slice heads = c->hunks.heads[index];
    em_near_miss part = c->hunks.parts[index];
    long line = line_told(heads, part);
    if (line == 0)
        return place_below(c, heads, part);
    bool is_certain;
    em_slice section = em_patch_head_line(heads, &is_certain);
    em_span place = place_at_line(c, part, line + c->shift);
    bool is_meant = place.end > 0 && is_in_section(c, section, place) &&
                    (c->has_shift || is_apart(c, part, section, place));
    return is_meant ? place : (em_span){0};
}

/* Is it certain of each part where it belongs, one below the other? */
static bool choose_places(choice *c)
{
    em_span before = {0};
    for (size_t i = 0; i<c->hunks.count && * c->work_left> 0; i++) {
        standing *s = &c->standings[i];
        if (s->count > 1)
            s->place = place_meant(c, i);
        if (s->place.end == 0 || s->place.start < before.end)
            return false;
        before = s->place;
    }
    return true;
}

/* Note where each part stands. Returns whether all do, of whole lines, and some more than once. */
static bool find_standings(choice *c)
{
    bool is_doubtful = false;
    for (size_t i = 0; i < c->hunks.count; i++) {
        standing *s = &c->standings[i];
        em_near_miss part = c->hunks.parts[i];
        s->count = count_places(c, part.find); /* a part is not empty */
        if (s->count == 1)
            s->place = next_of_lines(c, part, 0);
        if (s->count == 0)
            return false;
        is_doubtful |= s->count > 1;
    }
    return is_doubtful;
}

/* ---- More lines ----------------------------------------------------------------------------- */

static em_span with_line_above(const choice *c, em_span place, size_t least)
{
    if (place.start > least) {
        size_t above = em_line_before(c->body, place.start);
        place.start = above > least ? above : least;
    }
    return place;
}

static em_span with_line_below(const choice *c, em_span place, size_t most)
{
    size_t at = place.end;
    if (at < most && c->body.ptr[at] == '\n')
        at++;
    if (at < most)
        place.end = at + em_slice_until(em_slice_from(c->body, at), '\n');
    return place;
}

/* The place with lines around, none of which another part shows, that stand nowhere else; empty:
 * there are none such. */
static em_span widened(const choice *c, size_t part)
{
    em_span place = c->standings[part].place;
    size_t least = part > 0 ? c->standings[part - 1].place.end : c->start;
    size_t most = part + 1 < c->hunks.count ? c->standings[part + 1].place.start : c->body.len;
    if (part > 0 && least < place.start && c->body.ptr[least - 1] != '\n')
        least++;
    for (int i = 0; i<MOST_LINES_AROUND && * c->work_left> 0; i++) {
        if (count_places(c, em_slice_sub(c->body, place.start, place.end)) == 1)
            return place;
        place = i % 2 == 0 ? with_line_above(c, place, least) : with_line_below(c, place, most);
    }
    return (em_span){0};
}

/* Both sides of a part with the lines around. */
static em_status widen_part(const choice *c, size_t part, em_span place, em_arena *arena,
                            em_near_miss *sides)
{
    em_span inner = c->standings[part].place;
    EM_AUTO(em_strbuf) find = {0};
    EM_AUTO(em_strbuf) insert = {0};
    em_strbuf_add(&find, em_slice_sub(c->body, place.start, place.end));
    em_strbuf_add(&insert, em_slice_sub(c->body, place.start, inner.start));
    em_strbuf_add(&insert, sides->insert);
    em_strbuf_add(&insert, em_slice_sub(c->body, inner.end, place.end));
    EM_TRY(em_strbuf_keep(&find, arena, &sides->find));
    return em_strbuf_keep(&insert, arena, &sides->insert);
}

static em_status widen_all(const choice *c, em_arena *arena, const em_near_miss **chosen)
{
    em_near_miss *parts = em_alloc_array(arena, c->hunks.count, sizeof *parts);
    if (!parts)
        return EM_E_NOMEM;
    for (size_t i = 0; i < c->hunks.count; i++) {
        em_span place = widened(c, i);
        if (place.end == 0)
            return EM_OK;
        parts[i] = c->hunks.parts[i];
        EM_TRY(widen_part(c, i, place, arena, &parts[i]));
    }
    *chosen = parts;
    return EM_OK;
}

em_status em_patch_choose(const em_text *text, em_hunks hunks, em_arena *arena,
                          const em_near_miss **chosen)
{
    size_t work_left = MOST_WORK;
    choice c = {.body = text->body, .start = text->start, .hunks = hunks, .work_left = &work_left};
    *chosen = NULL;
    if (text->extract || text->encoding == EM_BYTES || em_slice_has_byte(text->body, '\r'))
        return EM_OK;
    c.standings = em_alloc_array(arena, hunks.count, sizeof *c.standings);
    if (!c.standings)
        return EM_E_NOMEM;
    if (!find_standings(&c) || !find_shift(&c) || !choose_places(&c))
        return EM_OK;
    EM_TRY(widen_all(&c, arena, chosen));
    *chosen = work_left > 0 ? *chosen : NULL;
    return EM_OK;
}
