#include "dom/together.h"

#include "html/spans.h"
#include "html/tag.h"

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

/* Nothing of what makes elements hard to tell apart, or has more to it than its own tags. */
static bool is_plain(const em_node *node)
{
    return node->flaws == 0 && em_is_there(node->start_tag) && !em_node_is(node, "html") &&
           !em_node_is(node, "head") && !em_node_is(node, "body");
}

/* A fragment is a document with what it holds. */
static bool is_text_alone(const em_page *fragment)
{
    for (size_t i = 1; fragment && i < fragment->count; i++)
        if (fragment->nodes[i]->kind != EM_NODE_TEXT)
            return false;
    return true;
}

static bool holds_text_alone(const em_node *node)
{
    for (const em_node *child = node->first_child; child; child = child->next)
        if (child->kind != EM_NODE_TEXT)
            return false;
    return true;
}

/* Do elements come, or go? */
static bool moves_elements(const em_edit *edit)
{
    return edit->kind == EM_EDIT_REMOVE ||
           (edit->kind == EM_EDIT_CONTENT && !holds_text_alone(edit->node)) ||
           !is_text_alone(edit->fragment);
}

static bool is_inside(em_dom_position position)
{
    return position == EM_DOM_AFTERBEGIN || position == EM_DOM_BEFOREEND;
}

/* Does it change what is beside its element, or take that away? */
static bool is_beside(const em_edit *edit)
{
    return edit->kind == EM_EDIT_REMOVE ||
           (edit->kind == EM_EDIT_INSERT && !is_inside(edit->position));
}

static bool is_whole(const em_page *page, const em_node *node)
{
    return em_is_there(node->end_tag) || em_node_is_void(page, node);
}

/* Do the element, its parent and all that ends before it have their own end tags? Then what is
 * beside it does not tell where another element ends. */
static bool stands_apart(const em_page *page, const em_node *node)
{
    const em_node *parent = node->parent, *before = node->previous;
    if (!is_whole(page, node) || parent->flaws != 0 || !em_is_there(parent->end_tag))
        return false;
    for (; before && before->kind == EM_NODE_ELEMENT; before = before->last_child)
        if (!is_whole(page, before))
            return false;
    return true;
}

/* Does the edit write more than what was given: an end tag that is left out, or a newline for one
 * that HTML drops? Whether it has to, what others write beside it decides. */
static bool writes_more(const em_edit *edit)
{
    return edit->fragment_at > 0 ||
           (edit->kind == EM_EDIT_REMOVE && em_edit_drops_newline(edit->node->parent));
}

/* Code of templates may go on from one element to the next. */
static bool may_wait(const em_page *page, const em_edit *edit)
{
    if (writes_more(edit) || !is_plain(edit->node) || (edit->fragment && edit->fragment->doubtful))
        return false;
    if (is_beside(edit))
        return !page->coded && stands_apart(page, edit->node);
    bool is_within = edit->kind == EM_EDIT_CONTENT || edit->kind == EM_EDIT_INSERT;
    return !is_within || em_is_there(edit->node->end_tag);
}

static bool writes_content(const em_dom_op *op)
{
    return op->action == EM_DOM_SET_TEXT || op->action == EM_DOM_SET_HTML ||
           op->action == EM_DOM_REMOVE || op->action == EM_DOM_INSERT_ADJACENT_HTML;
}

static bool has_bit(const uint64_t *bits, uint32_t index)
{
    return bits[index / 64] >> index % 64 & 1;
}

static void set_bit(uint64_t *bits, uint32_t index)
{
    bits[index / 64] |= (uint64_t)1 << index % 64;
}

static bool appends(const em_dom_op *op)
{
    return op->action == EM_DOM_INSERT_ADJACENT_HTML && op->position == EM_DOM_BEFOREEND;
}

/* Is anything written of the node that the op looks at, or is the node in what is filled anew? What
 * comes to the end of a node may come behind more of that. */
static bool sees_written(const em_together *together, const em_dom_op *op, const em_node *node)
{
    uint32_t to = writes_content(op) ? node->after : node->index + 1;
    if (together->count == 0)
        return false;
    bool goes_on = appends(op) && has_bit(together->appended, node->index);
    for (uint32_t i = node->index + goes_on; i < to; i++)
        if (has_bit(together->written, i))
            return true;
    for (const em_node *up = node->parent; up && together->moves_elements; up = up->parent)
        if (has_bit(together->refilled, up->index))
            return true;
    return false;
}

static bool ends_line(char byte)
{
    return byte == '\n' || byte == '\r';
}

/* What must be as it is for the edit to be this one: an element is removed with its line, if that
 * has nothing else. */
static em_range reach_of(const em_page *page, const em_edit *edit)
{
    em_slice bytes = page->bytes;
    em_range reach = {edit->splice.offset, edit->splice.offset + edit->splice.length};
    if (edit->kind != EM_EDIT_REMOVE)
        return reach;
    while (reach.start > 0 && !ends_line(bytes.ptr[reach.start - 1]))
        reach.start--;
    while (reach.end < bytes.len && !ends_line(bytes.ptr[reach.end - 1]))
        reach.end++;
    return reach;
}

/* Two places that are none meet where they touch anything. */
static bool meet(em_range a, em_range b)
{
    return em_is_there(a) && em_is_there(b) ? a.start < b.end && b.start < a.end
                                            : a.start <= b.end && b.start <= a.end;
}

/* Is the edit where one that waits is? Those on attributes and content are where their elements
 * are. */
static bool meets_waiting(const em_together *together, const em_page *page, const em_edit *edit)
{
    em_range reach = reach_of(page, edit);
    if (!together->changes_beside && !is_beside(edit))
        return false;
    for (size_t i = 0; i < together->count; i++)
        if (meet(reach, together->reaches[i]))
            return true;
    return false;
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
        if (!may_wait(page, &edits[i]) || meets_waiting(together, page, &edits[i]))
            return false;
    return true;
}

/* ---- What they change ------------------------------------------------------------------------ */

typedef bool em_reads_name(const em_selector *selector, em_slice name);

/* Of more names than there is room for, the count alone is known. */
static bool reads_any(const em_selector *selector, em_reads_name *reads, const em_slice *names,
                      size_t count)
{
    bool found = count > EM_MOST_NAMES_TOGETHER;
    for (size_t i = 0; i < count && !found; i++)
        found = reads(selector, names[i]);
    return found;
}

/* Once elements come and go, only a plain selector is known not to care, if it means none of those
 * that come. Those that go are seen when the op is planned. */
static bool may_match_new(const em_together *together, const em_page *page,
                          const em_selector *selector)
{
    if (!em_selector_is_plain(selector) || together->new_nodes > EM_MOST_NODES_TOGETHER ||
        (together->changes_beside && em_selector_reads_siblings(selector)))
        return true;
    for (size_t i = 0; i < together->count; i++)
        if (together->edits[i].fragment &&
            em_selector_may_match(selector, page, together->edits[i].fragment))
            return true;
    return false;
}

bool em_together_leaves(const em_together *together, const em_page *page,
                        const em_selector *selector)
{
    return !(together->writes_text && em_selector_reads_text(selector)) &&
           !reads_any(selector, em_selector_reads_class, together->classes,
                      together->class_count) &&
           !reads_any(selector, em_selector_reads_attr, together->attrs, together->attr_count) &&
           !(together->moves_elements && may_match_new(together, page, selector));
}

static void note_name(em_slice names[static EM_MOST_NAMES_TOGETHER], size_t *count, em_slice name)
{
    for (size_t i = 0; i < *count && i < EM_MOST_NAMES_TOGETHER; i++)
        if (em_slice_eq(names[i], name))
            return;
    if (*count < EM_MOST_NAMES_TOGETHER)
        names[*count] = name;
    *count += *count <= EM_MOST_NAMES_TOGETHER;
}

static void note_classes(em_together *together, em_slice words)
{
    em_slice word;
    while ((word = em_html_next_word(&words)).len > 0)
        note_name(together->classes, &together->class_count, word);
}

static void note_what_changes(em_together *together, const em_dom_op *op, em_slice attr)
{
    switch (op->action) {
    case EM_DOM_SET_TEXT:
    case EM_DOM_SET_HTML:
    case EM_DOM_REMOVE:
    case EM_DOM_INSERT_ADJACENT_HTML:
        together->writes_text = true;
        return;
    case EM_DOM_ADD_CLASS:
    case EM_DOM_REMOVE_CLASS:
        note_classes(together, op->value);
        return;
    case EM_DOM_REPLACE_CLASS:
        note_classes(together, op->old_class);
        note_classes(together, op->new_class);
        return;
    case EM_DOM_SET_ATTRIBUTE:
    case EM_DOM_REMOVE_ATTRIBUTE:
        note_name(together->attrs, &together->attr_count, attr);
        return;
    case EM_DOM_NO_ACTION: /* which was refused */
        return;
    }
}

static em_status make_bits(em_together *together, const em_page *page)
{
    size_t words = page->count / 64 + 1;
    if (together->written)
        return EM_OK;
    together->written = em_alloc_array(&together->arena, words, sizeof *together->written);
    together->refilled = em_alloc_array(&together->arena, words, sizeof *together->refilled);
    together->appended = em_alloc_array(&together->arena, words, sizeof *together->appended);
    return together->written && together->refilled && together->appended ? EM_OK : EM_E_NOMEM;
}

em_status em_together_add(em_together *together, const em_page *page, const em_dom_op *op,
                          const em_edit *edits, size_t count)
{
    EM_TRY(make_bits(together, page));
    for (size_t i = 0; i < count; i++) {
        const em_edit *edit = &edits[i];
        EM_TRY(em_arena_grow(&together->arena, (void **)&together->edits, together->count,
                             &together->room, sizeof *together->edits));
        EM_TRY(em_arena_grow(&together->arena, (void **)&together->reaches, together->count,
                             &together->reach_room, sizeof *together->reaches));
        together->reaches[together->count] = reach_of(page, edit);
        together->edits[together->count++] = *edit;
        together->changes_beside |= is_beside(edit);
        set_bit(together->written, edit->node->index);
        if (appends(op)) /* nobody else has written it */
            set_bit(together->appended, edit->node->index);
        together->new_nodes += edit->fragment ? edit->fragment->count : 0;
        if (!moves_elements(edit))
            continue;
        together->moves_elements = true;
        if (edit->kind == EM_EDIT_REMOVE || !is_beside(edit))
            set_bit(together->refilled, edit->node->index);
    }
    if (count > 0)
        note_what_changes(together, op, edits[0].attr);
    return EM_OK;
}
