#include "html/together.h"

void em_together_drop(em_together *together)
{
    em_arena_drop(&together->arena);
}

void em_together_clear(em_together *together)
{
    em_arena arena = together->arena;
    em_arena_clear(&arena);
    *together = (em_together){.arena = arena};
}

/* ---- What may wait --------------------------------------------------------------------------- */

static bool has(em_range range)
{
    return range.end > range.start;
}

/* Nothing of what makes elements hard to tell apart, or has more to it than its own tags. */
static bool is_plain(const em_node *node)
{
    return node->flaws == 0 && has(node->start_tag) && !em_node_is(node, "html") &&
           !em_node_is(node, "head") && !em_node_is(node, "body");
}

/* A fragment is a document with what it holds. */
static bool is_text_alone(const em_page *fragment)
{
    for (size_t i = 1; fragment && i < fragment->count; i++)
        if (fragment->nodes[i]->kind != EM_NODE_TEXT)
            return false;
    return !fragment || !fragment->doubtful;
}

static bool holds_text_alone(const em_node *node)
{
    for (const em_node *child = node->first_child; child; child = child->next)
        if (child->kind != EM_NODE_TEXT)
            return false;
    return true;
}

static bool may_wait(const em_edit *edit)
{
    if (edit->closed || edit->opened || !is_plain(edit->node))
        return false;
    if (edit->kind == EM_EDIT_CONTENT)
        return has(edit->node->end_tag) && is_text_alone(edit->fragment) &&
               holds_text_alone(edit->node);
    return edit->kind == EM_EDIT_ATTR || edit->kind == EM_EDIT_NO_ATTR;
}

static bool writes_content(const em_dom_op *op)
{
    return op->action == EM_DOM_SET_TEXT || op->action == EM_DOM_SET_HTML;
}

static bool is_written(const em_together *together, uint32_t from, uint32_t to)
{
    for (uint32_t i = from; i < to; i++)
        if (together->written[i / 64] >> i % 64 & 1)
            return true;
    return false;
}

/* Is anything of the node written that the op looks at? */
static bool sees_written(const em_together *together, const em_dom_op *op, const em_node *node)
{
    uint32_t to = writes_content(op) ? node->after : node->index + 1;
    return together->count > 0 && is_written(together, node->index, to);
}

bool em_together_fits(const em_together *together, const em_page *page, const em_dom_op *op,
                      const em_nodes *nodes, const em_edit *edits, size_t count)
{
    if (page->doubtful)
        return false;
    for (size_t i = 0; i < nodes->count; i++)
        if (sees_written(together, op, nodes->items[i]))
            return false;
    for (size_t i = 0; i < count; i++)
        if (!may_wait(&edits[i]))
            return false;
    return true;
}

/* ---- What they change ------------------------------------------------------------------------ */

bool em_together_leaves(const em_together *together, const em_selector *selector)
{
    if (together->writes_text && em_selector_reads_text(selector))
        return false;
    if (together->attr_count > EM_MOST_NAMES_TOGETHER)
        return false;
    for (size_t i = 0; i < together->attr_count; i++)
        if (em_selector_reads_attr(selector, together->attrs[i]))
            return false;
    return true;
}

/* Of more names than there is room for, the count alone is known. */
static void note_attr(em_together *together, em_slice name)
{
    size_t known = together->attr_count;
    for (size_t i = 0; i < known && i < EM_MOST_NAMES_TOGETHER; i++)
        if (em_slice_eq(together->attrs[i], name))
            return;
    if (known < EM_MOST_NAMES_TOGETHER)
        together->attrs[known] = name;
    if (known <= EM_MOST_NAMES_TOGETHER)
        together->attr_count++;
}

em_status em_together_add(em_together *together, const em_page *page, const em_edit *edits,
                          size_t count)
{
    if (!together->written)
        together->written =
            em_alloc_array(&together->arena, page->count / 64 + 1, sizeof *together->written);
    if (!together->written)
        return EM_E_NOMEM;
    for (size_t i = 0; i < count; i++) {
        const em_edit *edit = &edits[i];
        EM_TRY(em_arena_grow(&together->arena, (void **)&together->edits, together->count,
                             &together->room, sizeof *together->edits));
        together->edits[together->count++] = *edit;
        together->written[edit->node->index / 64] |= (uint64_t)1 << edit->node->index % 64;
        if (edit->kind == EM_EDIT_CONTENT)
            together->writes_text = true;
        else
            note_attr(together, edit->attr);
    }
    return EM_OK;
}
