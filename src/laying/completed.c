/* completed.c: the search text is written anew, gap by gap. */
#include "laying/completed.h"

#include "base/line.h"
#include "base/strbuf.h"
#include "laying/skipped_lines.h"
#include "match/token_line.h"
#include "text/text.h"
#include "tokens/redline.h"

typedef struct completion {
    em_slice text;
    const em_tolerant_place *place;
    em_tokened find, insert;
    size_t *origin;    /* of em_redline() */
    size_t behind, at; /* of the replacement: behind what comes before the gap, and where what
                          comes behind it begins */
    em_arena *arena;
    em_strbuf out;   /* the search text as it becomes */
    em_token *seen;  /* of the text: the tokens of that */
    size_t count;    /* of these */
    bool is_changed; /* `out` is not what it was */
} completion;

/* A gap that is being written. */
typedef struct seam {
    em_gap_parts own, seen; /* the search text's, and the file's */
    em_slice eol;
    size_t next, end;   /* tokens of the replacement that may be lines of the gap */
    size_t breaks;      /* of the file, since the last line that was put */
    bool knows_empties; /* the search text has as many empty lines as the file */
} seam;

static size_t insert_breaks(const completion *c, size_t index)
{
    return em_gap_breaks(em_gap_split(em_tokened_gap(c->insert, index)).breaks);
}

static size_t empty_lines(em_slice breaks, em_fold fold)
{
    em_skipped_lines all = {.rest = breaks, .empty = 0, .fold = fold};
    em_slice line;
    em_token token;
    size_t empty = 0;
    while (em_skipped_lines_next(&all, &line))
        empty += !em_token_next(line, 0, fold, &token);
    return empty - (empty > 0); /* the first is the end of the line before */
}

/* The gap before token `index` of the search text; in their order. */
static seam seam_at(completion *c, size_t index)
{
    seam s = {.own = em_gap_split(em_tokened_gap(c->find, index)),
              .seen = em_gap_split(em_place_gap(c->text, c->place, index)),
              .breaks = 1};
    for (; c->at < c->insert.tokens.count; c->at++) {
        size_t origin = c->origin[c->at];
        if (origin != EM_NPOS && origin >= index)
            break;
        if (origin != EM_NPOS)
            c->behind = c->at + 1;
    }
    s.next = c->behind;
    s.end = c->at;
    s.eol = em_eol_bytes(em_eol_at(s.own.breaks, 0));
    s.knows_empties = em_gap_breaks(s.own.breaks) > empty_lines(s.seen.breaks, c->place->fold);
    return s;
}

/* How many line endings come before token `to` of the replacement: those of the file, if the
 * replacement has as many at either side of what is new there; else the caller knows of fewer. */
static size_t breaks_before(const completion *c, const seam *s, size_t to)
{
    size_t left = insert_breaks(c, s->next), right = insert_breaks(c, to);
    size_t most = left > right ? left : right;
    return s->knows_empties || most > s->breaks ? s->breaks : most > 0 ? most : 1;
}

static void put_breaks(completion *c, const seam *s, size_t breaks)
{
    while (breaks-- > 0)
        em_strbuf_add(&c->out, s->eol);
}

/* Do these tokens of `line` make up a line of the replacement, from token `at` on? */
static bool is_line_of_insert(const completion *c, em_slice line, em_tokens tokens, size_t at)
{
    em_slice unused;
    size_t end = at + tokens.count;
    if (!em_line_indent(c->insert, at, &unused) ||
        (end < c->insert.tokens.count && insert_breaks(c, end) == 0))
        return false;
    for (size_t i = 0; i < tokens.count; i++)
        if (!em_token_same(em_token_bytes(line, tokens.items[i]),
                           em_tokened_token(c->insert, at + i), c->place->fold))
            return false;
    return true;
}

/* Does token `index` of the search text stand on a line that is as deep in the file as `depth`? How
 * deep is that in the search text? */
static bool is_as_deep(const completion *c, size_t index, em_slice depth, em_slice *own)
{
    size_t first, last;
    em_slice seen;
    em_line_around(c->find, index, &first, &last);
    return em_line_indent(c->find, first, own) &&
           em_indent_at(c->text, c->place->tokens[first].start, &seen) && em_slice_eq(seen, depth);
}

/* Put a line of the file before token `index` of the search text, as deep as the line next to it if
 * the two are alike; else as deep as token `at` of the replacement. */
static void put_line(completion *c, size_t index, em_slice line, em_tokens tokens, size_t at)
{
    em_slice depth = {0}, own;
    size_t start = (size_t)(line.ptr - c->text.ptr);
    em_indent_at(c->text, start, &depth);
    if (!is_as_deep(c, index, depth, &own) && !is_as_deep(c, index - 1, depth, &own))
        em_line_indent(c->insert, at, &own);
    em_strbuf_add(&c->out, own);
    em_strbuf_add(&c->out, line);
    for (size_t i = 0; i < tokens.count; i++)
        c->seen[c->count++] =
            (em_token){start + tokens.items[i].start, start + tokens.items[i].end};
}

/* A line of the file, which goes into the search text if the replacement has it. */
static em_status take_line(completion *c, size_t index, em_slice line, seam *s)
{
    em_tokens tokens;
    line = em_trimmed(line);
    EM_TRY(em_tokens_of(line, c->place->fold, c->arena, &tokens));
    if (tokens.count == 0) {
        s->breaks++;
        return EM_OK;
    }
    size_t at = s->next;
    while (at + tokens.count <= s->end && !is_line_of_insert(c, line, tokens, at))
        at++;
    if (at + tokens.count > s->end)
        return EM_OK;
    put_breaks(c, s, breaks_before(c, s, at));
    put_line(c, index, line, tokens, at);
    s->next = at + tokens.count;
    s->breaks = 1;
    return EM_OK;
}

/* What comes before token `index` of the search text. */
static em_status put_gap(completion *c, size_t index)
{
    seam s = seam_at(c, index);
    size_t begun = s.next, own_breaks = em_gap_breaks(s.own.breaks);
    em_skipped_lines lines = {.rest = s.seen.breaks, .empty = 0, .fold = c->place->fold};
    em_slice line;
    em_strbuf_add(&c->out, s.own.trail);
    em_skipped_lines_next(&lines, &line); /* the end of the line before */
    while (em_skipped_lines_next(&lines, &line))
        EM_TRY(take_line(c, index, line, &s));
    bool is_filled = s.next > begun, is_beside_new = s.next < s.end;
    size_t breaks = is_filled || is_beside_new ? breaks_before(c, &s, s.end) : own_breaks;
    if (!is_filled && breaks <= own_breaks)
        em_strbuf_add(&c->out, s.own.breaks);
    else
        put_breaks(c, &s, breaks);
    c->is_changed |= is_filled || breaks > own_breaks;
    em_strbuf_add(&c->out, s.own.indent);
    return EM_OK;
}

/* Has the file more in this gap, where both have several lines? */
static bool lacks_lines(em_slice text, const em_tolerant_place *place, size_t index)
{
    em_tokened find = em_place_find(place);
    em_token token;
    em_slice own = em_gap_split(em_tokened_gap(find, index)).breaks,
             seen = em_gap_split(em_place_gap(text, place, index)).breaks;
    return own.len > 0 && seen.len > 0 &&
           (em_gap_breaks(seen) > em_gap_breaks(own) ||
            em_token_next(seen, 0, place->fold, &token));
}

static em_status put_all(completion *c)
{
    size_t end = c->find.tokens.count;
    for (size_t i = 0; i < end; i++) {
        if (i > 0 && lacks_lines(c->text, c->place, i))
            EM_TRY(put_gap(c, i));
        else
            em_strbuf_add(&c->out, em_tokened_gap(c->find, i));
        em_strbuf_add(&c->out, em_tokened_token(c->find, i));
        c->seen[c->count++] = c->place->tokens[i];
    }
    em_strbuf_add(&c->out, em_tokened_gap(c->find, end));
    return EM_OK;
}

static em_status complete(completion *c, em_tolerant_place *place)
{
    em_tokens all;
    em_slice seen = em_slice_sub(c->text, place->span.start, place->span.end);
    EM_TRY(em_tokens_of(seen, place->fold, c->arena, &all));
    EM_TRY(em_tokens_of(c->insert.text, place->fold, c->arena, &c->insert.tokens));
    EM_TRY(em_redline(&c->find, &c->insert, c->arena, &c->origin));
    c->seen = em_alloc_array(c->arena, all.count + c->find.tokens.count, sizeof *c->seen);
    if (!c->seen)
        return EM_E_NOMEM;
    EM_TRY(put_all(c));
    em_slice find;
    EM_TRY(em_strbuf_keep(&c->out, c->arena, &find));
    EM_TRY(em_tokens_of(find, place->fold, c->arena, &all));
    if (!c->is_changed || all.count != c->count)
        return EM_OK;
    place->find = find;
    place->find_tokens = all;
    place->tokens = c->seen;
    return EM_OK;
}

em_status em_complete_find(em_slice text, em_arena *arena, em_tolerant_place *place)
{
    const em_tolerant_place old = *place;
    completion c = {.text = text,
                    .place = &old,
                    .find = em_place_find(place),
                    .insert = {.text = place->insert},
                    .arena = arena};
    size_t index = 1;
    while (index < place->find_tokens.count && !lacks_lines(text, place, index))
        index++;
    if (index >= place->find_tokens.count)
        return EM_OK;
    em_status status = complete(&c, place);
    em_strbuf_drop(&c.out);
    return status;
}
