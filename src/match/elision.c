/* elision.c: the ends of the search text are looked for, and what the file has between them is put
 * into both texts. */
#include "match/elision.h"

#include "base/ascii.h"
#include "base/line.h"
#include "base/strbuf.h"
#include "match/placeholder.h"
#include "match/token_line.h"
#include "tokens/telling.h"
#include "tokens/tokened_lines.h"

typedef struct elision {
    em_occurrences *in;
    em_tokened_lines find;
    em_slice insert;
    em_deadline *deadline;
    em_arena *arena;
} elision;

/* The only line that stands for others; false where there is none, or it is at an edge, or there
 * are more. */
static bool elision_in(const em_tokened_lines *l, size_t *index)
{
    *index = EM_NPOS;
    for (size_t i = 0; i < l->count; i++) {
        if (!em_elides(em_trimmed(em_tokened_line(l, i))))
            continue;
        if (*index != EM_NPOS)
            return false;
        *index = i;
    }
    return *index != EM_NPOS && *index > 0 && *index + 1 < l->count;
}

/* The one place of a text behind `from`; *clear is false where there is none, or more. */
static em_status only_place(const elision *e, em_slice find, size_t from, em_span *span,
                            bool *clear)
{
    em_places places;
    size_t count = 0;
    EM_TRY(em_tolerant_find_in(e->in, find, (em_slice){0}, EM_FOLD_WRITING, e->deadline, e->arena,
                               &places));
    for (size_t i = 0; i < places.count; i++) {
        if (places.items[i].span.start < from)
            continue;
        if (count++ == 0)
            *span = places.items[i].span;
    }
    *clear = count == 1;
    return EM_OK;
}

/* Without the line endings around it, and the empty lines: those around the caller's line stand for
 * them. */
static em_slice whole_lines_of(em_slice s)
{
    size_t start = 0;
    while (s.len > 0 && em_is_one_of(s.ptr[s.len - 1], " \t\r\n"))
        s.len--;
    for (size_t i = 0; i < s.len && em_is_one_of(s.ptr[i], " \t\r\n"); i++)
        if (s.ptr[i] == '\n' || s.ptr[i] == '\r')
            start = i + 1;
    return em_slice_from(s, start);
}

/* What a text has before the line that stands for others, and behind it. */
static em_status part_at_elision(const elision *e, em_slice s, em_slice parts[2], bool *clear)
{
    em_tokened_lines here;
    size_t index;
    EM_TRY(em_tokened_lines_init(&here, s, e->arena));
    *clear = elision_in(&here, &index);
    if (!*clear)
        return EM_OK;
    parts[0] = em_slice_sub(s, 0, em_tokened_line_start(&here, index));
    parts[1] = em_slice_from(s, em_tokened_line_end(&here, index));
    return EM_OK;
}

/* Put what the file has there in the place of that line. */
static em_status fill_in(const elision *e, const em_slice parts[2], em_slice middle,
                         em_slice *filled)
{
    EM_TRY(em_arena_join(e->arena, parts[0], whole_lines_of(middle), filled));
    return em_arena_join(e->arena, *filled, parts[1], filled);
}

/* The indentation that the file's line at `seen` has more than line `sent` of the search text,
 * before what is the same. */
static em_slice margin_of(const elision *e, size_t sent, size_t seen)
{
    em_slice here, there;
    em_line_indent(e->find.of, e->find.lines[sent], &here);
    if (!em_indent_at(e->in->text, seen, &there) || !em_slice_ends(there, here))
        return (em_slice){0};
    return em_slice_sub(there, 0, there.len - here.len);
}

static bool all_begin_with(em_slice all, em_slice margin)
{
    for (size_t offset = 0; offset < all.len;) {
        em_slice line = em_next_line(all, &offset);
        if (em_trimmed(line).len > 0 && !em_slice_starts(line, margin))
            return false;
    }
    return true;
}

/* The file's lines without the margin that the search text lost: among its own they tell how deep
 * these are. */
static em_status without_margin(const elision *e, em_slice margin, em_slice *middle)
{
    EM_AUTO(em_strbuf) out = {0};
    em_slice all = whole_lines_of(*middle);
    if (margin.len == 0 || !all_begin_with(all, margin))
        return EM_OK;
    for (size_t offset = 0; offset < all.len;) {
        em_slice line = em_next_line(all, &offset);
        bool has_margin = em_slice_starts(line, margin);
        em_strbuf_add(&out, em_slice_from(line, has_margin ? margin.len : 0));
    }
    return em_strbuf_keep(&out, e->arena, middle);
}

/* Is it whole lines that stand between the two, and not only empty ones? The line that stands for
 * them is one of its own; what it says nothing of may be what the replacement would put in once
 * more. */
static bool are_whole_lines(em_slice text, em_span between)
{
    size_t start, end;
    em_token first;
    return em_ends_line(text, between.start, EM_FOLD_WRITING, &end) && end < text.len &&
           em_begins_line(text, between.end, &start) && start > end &&
           em_token_next(em_slice_sub(text, 0, start), end, EM_FOLD_WRITING, &first);
}

/* The first line of some that is more than a sign or a word, or the last; empty: there is none. */
static em_slice telling_line(em_slice s, bool last)
{
    em_slice found = {0};
    for (size_t offset = 0; offset < s.len && (last || found.len == 0);) {
        em_slice here = em_trimmed(em_next_line(s, &offset));
        if (here.len > 0 && (em_is_telling(here) || em_slice_has_byte(here, ' ')))
            found = here;
    }
    return found;
}

static bool has_line(em_slice s, em_slice wanted)
{
    for (size_t offset = 0; offset < s.len;)
        if (em_slice_eq(em_trimmed(em_next_line(s, &offset)), wanted))
            return true;
    return false;
}

static bool shows_hidden(const em_elided *elided, em_slice middle)
{
    for (size_t i = 0; i < 2; i++) {
        em_slice edge = telling_line(middle, i == 1);
        if (edge.len > 0 && has_line(elided->insert[i], edge) && !has_line(elided->find[i], edge))
            return true;
    }
    return false;
}

/* Its ends must each stand once, and the line `index` of it stands for what is between them. */
static em_status find_between_ends(elision *e, size_t index, em_located *located)
{
    const em_tokened_lines *l = &e->find;
    em_slice find = l->of.text, insert = e->insert;
    em_span head = {0}, tail = {0};
    bool clear;
    size_t behind = em_tokened_line_start(l, index + 1) + em_tokened_line_depth(l, index + 1);
    EM_TRY(
        only_place(e, em_slice_sub(find, 0, em_tokened_line_end(l, index - 1)), 0, &head, &clear));
    if (clear)
        EM_TRY(only_place(e, em_slice_from(find, behind), head.end, &tail, &clear));
    if (!clear || !are_whole_lines(e->in->text, (em_span){head.end, tail.start}))
        return EM_OK;
    em_slice middle = em_slice_sub(e->in->text, head.end, tail.start);
    em_elided *elided = em_alloc(e->arena, sizeof *elided);
    if (!elided)
        return EM_E_NOMEM;
    EM_TRY(part_at_elision(e, find, elided->find, &clear));
    if (clear)
        EM_TRY(part_at_elision(e, insert, elided->insert, &clear));
    if (!clear)
        return EM_OK;
    elided->shows_hidden = shows_hidden(elided, middle);
    EM_TRY(without_margin(e, margin_of(e, index + 1, tail.start), &middle));
    EM_TRY(fill_in(e, elided->find, middle, &find));
    EM_TRY(fill_in(e, elided->insert, middle, &insert));
    located->miss = EM_MISS_ELIDED;
    EM_TRY(em_tolerant_find_in(e->in, find, insert, EM_FOLD_WRITING, e->deadline, e->arena,
                               &located->places));
    for (size_t i = 0; i < located->places.count; i++)
        located->places.items[i].elided = elided;
    return EM_OK;
}

em_status em_elision_find(em_occurrences *in, em_slice find, em_slice insert, em_deadline *deadline,
                          em_arena *arena, em_located *located, bool *elides)
{
    elision e = {.in = in, .insert = insert, .deadline = deadline, .arena = arena};
    size_t index;
    EM_TRY(em_tokened_lines_init(&e.find, find, arena));
    *elides = elision_in(&e.find, &index);
    return *elides ? find_between_ends(&e, index, located) : EM_OK;
}
