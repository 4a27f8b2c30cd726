#include "html/graft.h"

void em_graft_cut(em_node *node)
{
    em_node *parent = node->parent;
    *(node->previous ? &node->previous->next : &parent->first_child) = node->next;
    *(node->next ? &node->next->previous : &parent->last_child) = node->previous;
    node->parent = node->previous = node->next = NULL;
}

void em_graft_empty(em_node *parent)
{
    while (parent->first_child)
        em_graft_cut(parent->first_child);
}

void em_graft_put(em_node *parent, em_node *next, em_node *node)
{
    em_node *previous = next ? next->previous : parent->last_child;
    node->parent = parent;
    node->previous = previous;
    node->next = next;
    *(previous ? &previous->next : &parent->first_child) = node;
    *(next ? &next->previous : &parent->last_child) = node;
}

void em_graft_put_children(em_node *parent, em_node *next, em_node *from)
{
    while (from->first_child) {
        em_node *node = from->first_child;
        em_graft_cut(node);
        em_graft_put(parent, next, node);
    }
}

em_node *em_graft_text(em_slice text, em_arena *arena)
{
    em_node *node = em_alloc(arena, sizeof *node);
    if (node) {
        node->kind = EM_NODE_TEXT;
        node->text = text;
    }
    return node;
}

em_node *em_graft_split(em_node *text, size_t length, size_t at, em_arena *arena)
{
    size_t rest = text->text.len - length;
    em_node *tail = em_graft_text(em_slice_from(text->text, rest), arena);
    if (tail) {
        tail->whole = (em_range){at, text->whole.end};
        text->text.len = rest;
        text->room = 0;
        text->whole.end = at;
        em_graft_put(text->parent, text->next, tail);
    }
    return tail;
}

static bool is_text(const em_node *node)
{
    return node && node->kind == EM_NODE_TEXT;
}

/* Room for so many bytes in the memory of a text: twice as many, since more will often follow. */
static em_status reserve(em_node *text, size_t length, em_arena *arena)
{
    if (length <= text->room)
        return EM_OK;
    char *bytes = em_alloc_raw(arena, 2 * length);
    if (!bytes)
        return EM_E_NOMEM;
    if (text->text.len > 0)
        memcpy(bytes, text->text.ptr, text->text.len);
    text->text.ptr = bytes;
    text->room = 2 * length;
    return EM_OK;
}

em_status em_graft_extend(em_node *text, em_slice more, em_arena *arena)
{
    size_t length = text->text.len + more.len;
    EM_TRY(reserve(text, length, arena));
    if (more.len > 0)
        memcpy((char *)(uintptr_t)text->text.ptr + text->text.len, more.ptr, more.len);
    text->text.len = length;
    return EM_OK;
}

void em_graft_shorten(em_node *text, size_t length)
{
    text->text = em_slice_from(text->text, length);
    text->room -= text->room > length ? length : text->room;
}

em_status em_graft_join(em_node *node, em_arena *arena)
{
    em_node *next = node ? node->next : NULL;
    if (is_text(node) && is_text(next)) {
        EM_TRY(em_graft_extend(node, next->text, arena));
        node->whole.end = next->whole.end;
        em_graft_cut(next);
    }
    if (is_text(node) && node->text.len == 0)
        em_graft_cut(node);
    return EM_OK;
}

em_node *em_graft_before(const em_node *node)
{
    em_node *before = node->previous;
    if (!before)
        return node->parent;
    while (before->last_child)
        before = before->last_child;
    return before;
}

em_node *em_graft_behind(const em_node *node)
{
    while (node && !node->next)
        node = node->parent;
    return node ? node->next : NULL;
}
