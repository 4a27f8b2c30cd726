#include "edit/excerpt.h"

#include "base/ascii.h"
#include "laying/laying.h"

#include <stdlib.h>

enum {
    MORE_TOKENS = 8,  /* than the longest text has, around a place: for its edges */
    MORE_BYTES = 512, /* than that, at first */
    MOST_BYTES = 128 << 10,
    MOST_ENDINGS = 4 << 10, /* bytes of them, one behind another */
};

/* Lines of the draft that are read. */
typedef struct window {
    em_span span;   /* in the draft */
    size_t at;      /* in the excerpt */
    em_slice bytes; /* what stands there */
} window;

typedef struct excerpt {
    em_planner *p;
    const em_toleration *t;
    const em_probes *probes;
    em_arena *arena;            /* of the op's turn */
    em_piece_occurrences *seen; /* in the draft */
    em_span *places;            /* of the probes, from left to right */
    size_t place_count;
    window *windows;
    size_t window_count;
    em_slice text; /* the excerpt */
    em_occurrences in;
    bool is_too_wide; /* what is around a place could not be read */
} excerpt;

/* ---- Windows --------------------------------------------------------------------------------- */

static bool is_eol_at(const em_draft *draft, size_t offset)
{
    char byte = offset < draft->length ? em_draft_byte(draft, offset) : '\0';
    return byte == '\n' || byte == '\r';
}

/* Whole lines that hold the span and `bytes` to both sides; *whole is false where they, or what
 * ends the last of them, are so long that they are cut. */
static em_span lines_around(const em_draft *draft, em_span span, size_t bytes, bool *whole)
{
    span.start -= bytes < span.start ? bytes : span.start;
    span.end += bytes < draft->length - span.end ? bytes : draft->length - span.end;
    em_span lines = em_draft_lines_around(draft, span, MOST_BYTES);
    *whole = (lines.start == 0 || is_eol_at(draft, lines.start - 1)) &&
             (lines.end == draft->length || is_eol_at(draft, lines.end));
    size_t most = lines.end + MOST_ENDINGS;
    while (lines.end < most && is_eol_at(draft, lines.end)) /* a file ends in them, mostly */
        lines.end++;
    *whole = *whole && lines.end < most;
    return lines;
}

/* How many tokens `text` has, at least, up to `most`, without reading them one by one: words of
 * ASCII alone, and signs that are never part of another one. Of an entity, whose word ends in `;`
 * or begins behind `&` or `#`, nothing counts. From the start, or from the end. */
static size_t count_tokens(em_slice text, size_t most, bool from_end)
{
    size_t count = 0;
    bool ascii = true, inside = false;
    for (size_t i = 0; i < text.len && count < most; i++) {
        char byte = text.ptr[from_end ? text.len - 1 - i : i];
        if (em_is_word_byte(byte)) {
            ascii = (!inside || ascii) && !em_is_beyond_ascii(byte);
            inside = true;
            continue;
        }
        bool is_edge = byte == ';' ? !from_end : byte == '&' || byte == '#';
        count += inside && ascii && !is_edge;
        count += byte > ' ' && byte < 0x7F && byte != ';' && byte != '&' && byte != '#' &&
                 byte != '-' && byte != '.';
        inside = false;
    }
    return count;
}

/* Are there as many tokens before `start` and behind `end`? */
static bool has_tokens(em_slice text, size_t start, size_t end, size_t before, size_t behind)
{
    return count_tokens(em_slice_sub(text, 0, start), before, true) >= before &&
           count_tokens(em_slice_from(text, end), behind, false) >= behind;
}

/* The lines around a span, with so many bytes at least and with the tokens that are needed; *found
 * is false where these are too far away, or time is up. */
static em_status find_window(const excerpt *v, em_span span, size_t bytes, window *w, bool *found)
{
    const em_draft *draft = v->t->draft;
    size_t tokens = v->probes->most_tokens + MORE_TOKENS;
    bool whole = true;
    *found = false;
    for (; bytes <= MOST_BYTES && whole && !*found; bytes *= 4) {
        w->span = lines_around(draft, span, bytes, &whole);
        if (em_deadline_spend(v->t->policy->deadline, w->span.end - w->span.start))
            return EM_OK;
        EM_TRY(em_draft_slice(draft, w->span, v->arena, &w->bytes));
        *found = whole && has_tokens(w->bytes, span.start - w->span.start, span.end - w->span.start,
                                     w->span.start > 0 ? tokens : 0,
                                     w->span.end < draft->length ? tokens : 0);
    }
    return EM_OK;
}

/* ---- The excerpt ----------------------------------------------------------------------------- */

static int by_start(const void *left, const void *right)
{
    const em_span *a = left, *b = right;
    return a->start < b->start ? -1 : a->start > b->start;
}

/* The places of all probes. */
static em_status gather_places(excerpt *v)
{
    size_t count = 0;
    for (const em_piece_occurrences *s = v->seen; s; s = s->next)
        count += s->count;
    v->places = em_alloc_array(v->arena, count, sizeof *v->places);
    v->windows = em_alloc_array(v->arena, count, sizeof *v->windows);
    if (!v->places || !v->windows)
        return EM_E_NOMEM;
    for (const em_piece_occurrences *s = v->seen; s; s = s->next)
        for (size_t i = 0; i < s->count; i++)
            v->places[v->place_count++] = (em_span){s->at[i], s->at[i] + s->piece.len};
    if (count > 1)
        qsort(v->places, count, sizeof *v->places, by_start);
    return EM_OK;
}

/* The window joins those before it that it touches. */
static em_status add_window(excerpt *v, window new)
{
    bool joins = false;
    for (; v->window_count > 0; v->window_count--) {
        const window *last = &v->windows[v->window_count - 1];
        if (last->span.end < new.span.start)
            break;
        new.span.start = em_least(new.span.start, last->span.start);
        new.span.end = last->span.end > new.span.end ? last->span.end : new.span.end;
        joins = true;
    }
    if (joins)
        EM_TRY(em_draft_slice(v->t->draft, new.span, v->arena, &new.bytes));
    v->windows[v->window_count++] = new;
    return EM_OK;
}

/* A window for each place, or for some that are near each other. */
static em_status find_windows(excerpt *v, bool *found)
{
    size_t bytes = 2 * v->probes->most_bytes + MORE_BYTES;
    *found = true;
    for (size_t i = 0; i < v->place_count && *found;) {
        window new;
        em_span span = v->places[i++];
        for (; i < v->place_count && v->places[i].start <= span.end + bytes; i++)
            if (span.end < v->places[i].end)
                span.end = v->places[i].end;
        EM_TRY(find_window(v, span, bytes, &new, found));
        if (*found)
            EM_TRY(add_window(v, new));
    }
    return EM_OK;
}

/* Put the windows together. */
static em_status compose(excerpt *v)
{
    size_t length = 0;
    for (size_t i = 0; i < v->window_count; i++) {
        v->windows[i].at = length;
        length += v->windows[i].bytes.len + 1;
    }
    if (v->window_count == 1) {
        v->text = v->windows[0].bytes;
        return EM_OK;
    }
    char *bytes = em_alloc(v->arena, length);
    if (!bytes)
        return EM_E_NOMEM;
    for (size_t i = 0; i < v->window_count; i++)
        memcpy(bytes + v->windows[i].at, v->windows[i].bytes.ptr, v->windows[i].bytes.len);
    v->text = em_slice_make(bytes, length > 0 ? length - 1 : 0);
    return EM_OK;
}

/* From an offset of the draft to one of the excerpt, where that is in a window. */
static size_t in_excerpt(const excerpt *v, size_t offset)
{
    size_t i = 0;
    while (v->windows[i].span.end < offset)
        i++;
    return offset - v->windows[i].span.start + v->windows[i].at;
}

/* And back. */
static size_t in_draft(const excerpt *v, size_t offset)
{
    size_t i = 0;
    while (v->windows[i].at + v->windows[i].bytes.len < offset)
        i++;
    return offset - v->windows[i].at + v->windows[i].span.start;
}

static void move_occurrences(excerpt *v)
{
    for (em_piece_occurrences *s = v->seen; s; s = s->next)
        for (size_t i = 0; i < s->count; i++)
            s->at[i] = in_excerpt(v, s->at[i]);
    v->in =
        (em_occurrences){.text = v->text, .arena = v->arena, .first = v->seen, .is_excerpt = true};
}

static em_status make_excerpt(excerpt *v, bool *made)
{
    EM_TRY(gather_places(v));
    EM_TRY(find_windows(v, made));
    v->is_too_wide = !*made;
    if (!*made)
        return EM_OK;
    EM_TRY(compose(v));
    move_occurrences(v);
    return EM_OK;
}

/* ---- The op ---------------------------------------------------------------------------------- */

/* Whatever went wrong, the op is looked for in all of the text; but not when memory ran out. */
static em_status unless_no_memory(em_status status, bool *done)
{
    *done = status == EM_OK;
    return status == EM_E_NOMEM ? status : EM_OK;
}

static em_status find(excerpt *v, bool *found)
{
    EM_AUTO(em_draft) draft;
    em_located *located = &v->p->located;
    em_plan_failure unused = {0};
    em_toleration near = *v->t;
    EM_TRY(em_draft_init(&draft, v->text, 0));
    near.draft = &draft;
    near.text = v->text;
    near.within = near.part = (em_span){0, v->text.len};
    near.excerpt = &v->in;
    EM_TRY(unless_no_memory(em_tolerate_find(&near, v->arena, located, &unused, NULL), found));
    *found = *found && !v->in.falls_short && located->places.count == 1;
    if (v->in.falls_short)
        em_match_index_fell_short(v->p->match_index);
    return EM_OK;
}

/* The place is one of the excerpt; afterwards it is one of the draft. */
static em_status lay(excerpt *v, bool *laid)
{
    em_located *located = &v->p->located;
    em_plan_failure unused = {0};
    em_toleration near = *v->t;
    em_occurrences in = v->in;
    window around;
    em_span *span = &located->places.items[0].span;
    em_places_move(located->places, in_draft(v, span->start) - span->start); /* may wrap */
    EM_TRY(find_window(v, *span, EM_LAYING_REACH + v->probes->most_bytes, &around, laid));
    v->is_too_wide = !*laid;
    if (!*laid)
        return EM_OK;
    in.text = near.text = around.bytes;
    near.within = near.part = (em_span){0, around.bytes.len};
    near.excerpt = &in;
    em_places_move(located->places, (size_t)0 - around.span.start);
    em_status status = em_tolerate_lay(&near, located, v->p->arena, &v->p->laid, &unused, NULL);
    em_places_move(located->places, around.span.start);
    return unless_no_memory(status, laid);
}

em_status em_tolerate_in_excerpt(em_planner *p, const em_toleration *toleration, bool *done)
{
    const em_op *op = toleration->op;
    size_t number = (size_t)(op - p->ops);
    excerpt v = {.p = p, .t = toleration, .arena = &p->turn};
    *done = false;
    if (op->expect != 1 && op->expect != EM_EVERY)
        return EM_OK;
    EM_TRY(em_match_index_probes(p->match_index, number, v.arena, &v.probes, &v.seen));
    if (!v.seen)
        return EM_OK;
    EM_TRY(make_excerpt(&v, done));
    if (*done)
        EM_TRY(find(&v, done));
    if (*done)
        EM_TRY(lay(&v, done));
    if (v.is_too_wide)
        em_match_index_too_wide(p->match_index);
    if (*done) {
        p->failure->tier = p->located.tier;
        return EM_OK;
    }
    p->located = (em_located){0};
    p->laid = NULL;
    return EM_OK;
}
