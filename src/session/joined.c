#include "session/joined.h"

#include "base/line.h"
#include "base/strbuf.h"
#include "base/utf8.h"
#include "text/search.h"

enum { MOST_BYTES = 8 << 10 }; /* of what is joined: an answer would not have more */

/* An edit, and the place that it wants. */
typedef struct wanted {
    const em_op *op;
    em_span place;
} wanted;

/* Line endings of their own would have to be joined, too. */
static bool has_cr(const em_op *op)
{
    return em_slice_has_byte(op->find, '\r') || em_slice_has_byte(op->insert, '\r');
}

static bool stands_there(em_slice body, const wanted *w)
{
    em_slice find = w->op->find;
    if (em_slice_has_byte(find, '\n'))
        return em_any_eol_at(find, body, w->place.start) == w->place.end;
    return em_slice_eq(em_slice_sub(body, w->place.start, w->place.end), find);
}

static bool is_plain(em_slice body, const wanted *w)
{
    const em_op *op = w->op;
    return op->kind == EM_OP_REPLACE && !em_op_is_pattern(op) && op->expect == 1 &&
           op->first_line == 0 && op->last_line == 0 && !has_cr(op) && stands_there(body, w);
}

/* How long a piece of the body is in a text of LFs. */
static size_t length_in_text(em_slice body, size_t start, size_t end)
{
    size_t length = end - start;
    for (size_t i = start + 1; i < end; i++)
        length -= body.ptr[i - 1] == '\r' && body.ptr[i] == '\n';
    return length;
}

/* What an edit changes of its text, in whole lines. Where it is doubtful which of equal lines come
 * or go, all of these are among them. */
typedef struct change {
    size_t start, end; /* of the search text */
    em_slice insert;   /* what becomes of that */
} change;

static bool begins_line(em_slice text, size_t at)
{
    return at == 0 || text.ptr[at - 1] == '\n';
}

/* The bytes of whole lines with which both begin. */
static size_t shared_first_lines(em_slice a, em_slice b)
{
    size_t shared = em_shared_head(a, b);
    while (!begins_line(a, shared))
        shared--;
    return shared;
}

static size_t shared_last_lines(em_slice a, em_slice b)
{
    size_t shared = em_shared_tail(a, b);
    while (shared > 0 && (!begins_line(a, a.len - shared) || !begins_line(b, b.len - shared)))
        shared--;
    return shared;
}

static change change_of(const em_op *op)
{
    em_slice find = op->find, insert = op->insert;
    size_t head = shared_first_lines(find, insert), tail = shared_last_lines(find, insert);
    size_t least = em_least(find.len, insert.len);
    size_t first = em_least(head, least - tail), last = em_least(tail, least - head);
    return (change){first, find.len - last, em_slice_sub(insert, first, insert.len - last)};
}

static size_t lines_in(em_slice text)
{
    size_t count = 0;
    for (size_t offset = 0; offset < text.len; count++)
        em_next_line(text, &offset);
    return count;
}

/* Does it change each of its lines by itself? */
static bool is_even(em_slice text, const change *c)
{
    return lines_in(em_slice_sub(text, c->start, c->end)) == lines_in(c->insert);
}

static bool has_line(em_slice text, em_slice line)
{
    bool has = false;
    for (size_t offset = 0; offset < text.len && !has;)
        has = em_slice_eq(em_line_content(em_next_line(text, &offset)), line);
    return has;
}

/* Does the change take the line away, or bring one like it? */
static bool touches(em_slice text, const change *c, em_slice line)
{
    return has_line(em_slice_sub(text, c->start, c->end), line) || has_line(c->insert, line);
}

/* Does a line stand between them that is none of theirs? Beside lines that are, it may be one of
 * these that comes or goes, and both may mean the same one. */
static bool are_parted(em_slice text, const change *first, const change *second)
{
    bool parted = false;
    if (first->end >= second->start)
        return false;
    em_slice between = em_slice_sub(text, first->end, second->start);
    for (size_t offset = 0; offset < between.len && !parted;) {
        em_slice line = em_line_content(em_next_line(between, &offset));
        parted = !touches(text, first, line) && !touches(text, second, line);
    }
    return parted;
}

/* Is it plain that neither has to do with the other? */
static bool are_apart(em_slice text, const change *one, const change *other)
{
    const change *first = one->start <= other->start ? one : other;
    const change *second = first == one ? other : one;
    return are_parted(text, first, second) ||
           (first->end == second->start && is_even(text, first) && is_even(text, second));
}

static em_status lay_in(em_slice text, const change *one, const change *other, em_arena *arena,
                        em_slice *out)
{
    const change *first = one->start <= other->start ? one : other;
    const change *second = first == one ? other : one;
    EM_AUTO(em_strbuf) all = {0};
    em_strbuf_add(&all, em_slice_sub(text, 0, first->start));
    em_strbuf_add(&all, first->insert);
    em_strbuf_add(&all, em_slice_sub(text, first->end, second->start));
    em_strbuf_add(&all, second->insert);
    em_strbuf_add(&all, em_slice_from(text, second->end));
    return em_strbuf_keep(&all, arena, out);
}

/* All that the two want, as their search texts have it. `before` bytes of the one are in front of
 * the other. */
static em_status text_of_both(em_slice early, em_slice late, size_t before, em_arena *arena,
                              em_slice *out)
{
    EM_AUTO(em_strbuf) all = {0};
    em_strbuf_add(&all, early);
    if (before + late.len > early.len)
        em_strbuf_add(&all, em_slice_from(late, early.len - before));
    return em_strbuf_keep(&all, arena, out);
}

static bool begins_later(const wanted *a, const wanted *b)
{
    return a->place.start > b->place.start;
}

em_status em_join_ops(em_slice body, const em_op *one, const em_op *other,
                      const em_plan_failure *failure, em_arena *arena, em_correction *joined)
{
    const em_match *places = failure->places.items;
    *joined = (em_correction){.line = 0};
    if (failure->places.count != 2)
        return EM_OK;
    wanted a = {one, {places[0].start, places[0].end}};
    wanted b = {other, {places[1].start, places[1].end}};
    const wanted *early = begins_later(&a, &b) ? &b : &a, *late = early == &a ? &b : &a;
    if (!is_plain(body, early) || !is_plain(body, late))
        return EM_OK;
    em_slice text;
    size_t before = length_in_text(body, early->place.start, late->place.start);
    change first = change_of(early->op), second = change_of(late->op);
    second.start += before;
    second.end += before;
    EM_TRY(text_of_both(early->op->find, late->op->find, before, arena, &text));
    if (text.len > MOST_BYTES || !are_apart(text, &first, &second))
        return EM_OK;
    joined->find = text;
    return lay_in(text, &first, &second, arena, &joined->insert);
}
