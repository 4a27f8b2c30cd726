#include "edit/gathered.h"

#include "edit/plan_impl.h"
#include "text/count.h"

/* With so many bytes of text each on average it is worth it to have them side by side. */
enum { SHORT_TEXTS = 512 };

static em_slice text_beside(char **room, em_slice text)
{
    if (text.len == 0)
        return text;
    em_slice copy = {memcpy(*room, text.ptr, text.len), text.len};
    *room += text.len;
    return copy;
}

static em_status gather_texts(em_gathered *g, em_arena *arena)
{
    size_t bytes = 0;
    for (size_t i = 0; i < g->count; i++)
        bytes += g->of[i].find.len + g->of[i].insert.len;
    if (g->count < EM_MANY_OPS || bytes / g->count > SHORT_TEXTS)
        return EM_OK;
    em_op *ops = em_alloc_array_raw(arena, g->count, sizeof *ops);
    char *texts = em_alloc_raw(arena, bytes), *room = texts;
    if (!ops || !room)
        return EM_E_NOMEM;
    for (size_t i = 0; i < g->count; i++) {
        ops[i] = g->of[i];
        ops[i].find = text_beside(&room, ops[i].find);
        ops[i].insert = text_beside(&room, ops[i].insert);
    }
    em_look_over all = em_count_over(em_slice_make(texts, bytes));
    g->are_plain = all.is_ascii && !all.has_nul;
    g->ops = ops;
    return EM_OK;
}

em_status em_gather(const em_op *ops, size_t count, em_arena *arena, em_gathered *out)
{
    *out = (em_gathered){.of = ops, .count = count, .ops = ops};
    EM_TRY(gather_texts(out, arena));
    for (size_t i = 0; i < count; i++) {
        const em_op *op = &out->ops[i];
        out->until_kept = em_op_is_restricted(op) ? i + 1 : out->until_kept;
        out->may_omit |= em_op_may_omit(op);
        out->may_insert_cr |= em_op_is_pattern(op) || em_slice_has_byte(op->insert, '\r');
    }
    return EM_OK;
}
