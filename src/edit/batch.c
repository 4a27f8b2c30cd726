/* batch.c: what ops put to their places, as splices that are laid in together. */
#include "edit/plan_impl.h"

#include <stdlib.h>

/* The insert with the line endings of what it replaces. Where every place has the same bytes, which
 * is nearly always, it is adapted once; and where there is no CR at all, it stays as it is. */
static em_status adapt(em_planner *p, em_slice insert, em_slice replaced, em_slice *out)
{
    *out = insert;
    if (!p->may_have_cr)
        return EM_OK;
    if (p->adapted.ptr && !p->expanded && em_slice_eq(p->adapted_from, replaced)) {
        *out = p->adapted;
        return EM_OK;
    }
    EM_TRY(em_text_adapt_eols(insert, replaced, em_lines_dominant(p->lines), p->arena, out));
    p->adapted_from = replaced;
    p->adapted = *out;
    return EM_OK;
}

/* Whole lines end in a line ending, unless they stand at the end of a file that has none there. */
static em_status lines_insert(const em_planner *p, em_slice insert, em_slice replaced,
                              em_slice *out)
{
    em_slice last = em_slice_from(replaced, em_without_last_eol(replaced).len);
    *out = insert;
    if (last.len == 0 || insert.len == 0 || insert.ptr[insert.len - 1] == '\n' ||
        insert.ptr[insert.len - 1] == '\r')
        return EM_OK;
    em_slice ending = em_slice_has_byte(insert, '\r') ? last : em_eol_bytes(EM_EOL_LF);
    char *whole = em_alloc_raw(p->arena, insert.len + ending.len);
    if (!whole)
        return EM_E_NOMEM;
    memcpy(whole, insert.ptr, insert.len);
    memcpy(whole + insert.len, ending.ptr, ending.len);
    *out = em_slice_make(whole, insert.len + ending.len);
    return EM_OK;
}

/* Lines have no search text: what they hold is what the caller replaces. */
static em_status check_lines(const em_planner *p, const em_op *op, em_slice replaced,
                             em_slice insert)
{
    if (!p->policy->allow_no_change && em_slice_eq(replaced, insert))
        return em_fail_cause(p->err, EM_E_INVALID, EM_CAUSE_NO_CHANGE,
                             "the lines are the same before and after");
    return em_planner_check_placeholder(p, op, replaced);
}

static em_slice without_bom(em_slice s)
{
    static const em_slice bom = {"\xEF\xBB\xBF", 3};
    return em_slice_starts(s, bom) ? em_slice_from(s, bom.len) : s;
}

/* What an op that searches replaces: where it was found as it is, the search text itself, which is
 * nearer than the file. LFs may stand for other endings. */
static em_status replaced_by(const em_planner *p, const em_op *op, em_span span, em_slice *replaced)
{
    bool is_literal = em_op_searches(op) && !em_op_is_pattern(op) && !p->laid &&
                      span.end - span.start == op->find.len && !em_slice_has_byte(op->find, '\n');
    *replaced = op->find;
    return is_literal ? EM_OK : em_draft_slice(&p->draft, span, p->arena, replaced);
}

/* The texts hold CRs, so what they say of line endings is meant to the byte; but both begin with an
 * LF that stands for a CRLF of the file. */
static bool keeps_first_cr(const em_op *op, em_slice insert, em_slice replaced)
{
    return em_op_searches(op) && !em_op_is_pattern(op) && em_slice_starts(op->find, EM_LIT("\n")) &&
           em_slice_starts(insert, EM_LIT("\n")) && em_slice_has_byte(insert, '\r') &&
           em_slice_has_byte(op->find, '\r') && em_slice_starts(replaced, EM_LIT("\r\n"));
}

static em_status splice_for(em_planner *p, const em_op *op, em_span span, em_slice insert,
                            em_planned *planned)
{
    em_splice *splice = &planned->splice;
    *splice = (em_splice){.offset = span.start, .length = span.end - span.start};
    em_slice replaced = {0};
    switch (op->kind) {
    case EM_OP_DELETE:
        return EM_OK;
    case EM_OP_REWRITE: /* the file's own BOM stays; a second one would be text */
        splice->insert = p->text->bom_length > 0 ? without_bom(insert) : insert;
        return EM_OK;
    case EM_OP_INSERT_AFTER:
        splice->offset = span.end;
        splice->length = 0;
        return adapt(p, insert, replaced, &splice->insert);
    case EM_OP_INSERT_BEFORE:
        splice->length = 0;
        return adapt(p, insert, replaced, &splice->insert);
    case EM_OP_APPEND:
    case EM_OP_PREPEND:
        return adapt(p, insert, replaced, &splice->insert);
    case EM_OP_REPLACE:
    case EM_OP_LINES:
        break;
    }
    EM_TRY(replaced_by(p, op, span, &replaced));
    if (keeps_first_cr(op, insert, replaced)) {
        splice->offset++;
        splice->length--;
        replaced = em_slice_from(replaced, 1);
    }
    planned->was = replaced;
    if (op->kind == EM_OP_REPLACE)
        return adapt(p, insert, replaced, &splice->insert);
    EM_TRY(lines_insert(p, insert, replaced, &insert));
    EM_TRY(adapt(p, insert, replaced, &splice->insert));
    return check_lines(p, op, replaced, splice->insert);
}

/* Have room for so many more, and where ops add to it one after the other, for others like these.
 */
static em_status batch_reserve(em_splice_batch *batch, size_t more)
{
    size_t doubled = 2 * batch->room, room = batch->count + more;
    if (room <= batch->room)
        return EM_OK;
    room = room < doubled ? doubled : room;
    em_planned *items = em_alloc_array_raw(batch->arena, room, sizeof *items);
    if (!items)
        return EM_E_NOMEM;
    if (batch->count > 0)
        memcpy(items, batch->items, batch->count * sizeof *items);
    batch->items = items;
    batch->room = room;
    return EM_OK;
}

em_status em_batch_add(em_planner *p, size_t op, em_spans found, em_splice_batch *batch)
{
    p->adapted = (em_slice){0};
    EM_TRY(batch_reserve(batch, found.count));
    for (size_t i = 0; i < found.count; i++) {
        em_planned *planned = &batch->items[batch->count++];
        *planned = (em_planned){.op = op};
        em_slice insert = p->expanded ? p->expanded[i] : p->ops[op].insert;
        if (p->laid) {
            em_span span = found.items[i];
            planned->splice = (em_splice){span.start, span.end - span.start, p->laid[i]};
            continue;
        }
        EM_TRY(splice_for(p, &p->ops[op], found.items[i], insert, planned));
    }
    return EM_OK;
}

/* ---- Their order ----------------------------------------------------------------------------- */

static int planned_order(const void *left, const void *right)
{
    const em_planned *a = left, *b = right;
    if (a->splice.offset != b->splice.offset)
        return a->splice.offset < b->splice.offset ? -1 : 1;
    if (a->splice.length != b->splice.length) /* what is inserted at a place goes before it */
        return a->splice.length < b->splice.length ? -1 : 1;
    return a->op < b->op ? -1 : a->op > b->op;
}

void em_batch_sort(em_splice_batch *batch)
{
    bool in_order = true;
    for (size_t i = 1; i < batch->count && in_order; i++)
        in_order = planned_order(&batch->items[i - 1], &batch->items[i]) <= 0;
    if (!in_order)
        qsort(batch->items, batch->count, sizeof *batch->items, planned_order);
}

/* ---- Those that touch ------------------------------------------------------------------------ */

static size_t end_of(const em_planned *planned)
{
    return planned->splice.offset + planned->splice.length;
}

static size_t bytes_inserted(const em_planned *items, size_t count)
{
    size_t bytes = 0;
    for (size_t i = 0; i < count; i++)
        bytes += items[i].splice.insert.len;
    return bytes;
}

/* What the first `count` make, of which each begins where the one before ends. */
static em_status join(const em_planned *items, size_t count, em_arena *arena, em_planned *joined)
{
    em_planned one = items[0];
    if (count > 1) {
        size_t length = 0;
        char *bytes = em_alloc_raw(arena, bytes_inserted(items, count));
        if (!bytes)
            return EM_E_NOMEM;
        for (size_t i = 0; i < count; i++) {
            em_slice insert = items[i].splice.insert;
            if (insert.len > 0)
                memcpy(bytes + length, insert.ptr, insert.len);
            length += insert.len;
        }
        one.was = (em_slice){0};
        one.splice.length = end_of(&items[count - 1]) - one.splice.offset;
        one.splice.insert = em_slice_make(bytes, length);
    }
    *joined = one;
    return EM_OK;
}

em_status em_batch_join(em_splice_batch *batch, em_arena *arena)
{
    em_planned *items = batch->items;
    size_t joined = 0;
    for (size_t first = 0, end = 0; first < batch->count; first = end) {
        do
            end++;
        while (end < batch->count && items[end].splice.offset == end_of(&items[end - 1]));
        EM_TRY(join(items + first, end - first, arena, &items[joined++]));
    }
    batch->count = joined;
    return EM_OK;
}
