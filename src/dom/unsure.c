/* unsure.c: where the tags around an edit do not tell all of what it does. */
#include "dom/unsure.h"

#include "html/elements.h"
#include "html/spans.h"
#include "html/tag.h"

#include <stdlib.h>

/* Is an element that the page writes without its end tag? */
static bool is_open(const em_page *page, const em_node *node)
{
    return em_is_there(node->start_tag) && !em_is_there(node->end_tag) &&
           !em_node_is_void(page, node);
}

/* The same of the node, or of what it ends with. */
static bool ends_open(const em_page *page, const em_node *node)
{
    for (; node && node->kind == EM_NODE_ELEMENT; node = node->last_child)
        if (is_open(page, node))
            return true;
    return false;
}

/* Has an element no end tag because that which is removed ended it, as an <i> does with an <svg>?
 * One that stands behind, and was nobody's, can be its own then. */
static bool may_free_end(const em_page *page, const em_edit *edit)
{
    const em_node *open = edit->kind == EM_EDIT_REMOVE ? edit->node->previous : NULL;
    for (; open && open->kind == EM_NODE_ELEMENT; open = open->last_child)
        if (is_open(page, open) && (open->ns != EM_NS_HTML || !em_html_end_is_optional(open->name)))
            return true;
    return false;
}

static bool writes_beside(const em_edit *edit)
{
    bool inside = edit->position == EM_DOM_AFTERBEGIN || edit->position == EM_DOM_BEFOREEND;
    return edit->kind == EM_EDIT_REMOVE || (edit->kind == EM_EDIT_INSERT && !inside);
}

/* Does it go on in <head>, where no tag of the page's frame is written? */
static bool is_for_head(const em_node *node)
{
    static const char *const names[] = {"base",     "basefont", "bgsound", "link",
                                        "meta",     "noframes", "script",  "style",
                                        "template", "title",    "noscript"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (em_node_is(node, names[i]))
            return true;
    return false;
}

/* From the node on, the first sibling that decides whether <head> goes on: no comment, nor blanks.
 */
static const em_node *first_deciding(const em_node *node)
{
    while (node && (node->kind == EM_NODE_COMMENT ||
                    (node->kind == EM_NODE_TEXT && em_html_blank(node->text))))
        node = node->next;
    return node;
}

/* Does all of the fragment go on in <head>? */
static bool is_all_for_head(const em_page *fragment)
{
    const em_node *node = fragment ? first_deciding(fragment->root->first_child) : NULL;
    while (node && is_for_head(node))
        node = first_deciding(node->next);
    return !node;
}

/* Of a page that writes neither <head> nor <body>, what comes first decides in which of the two the
 * rest is. Is that another now? */
static bool may_move_frame(const em_edit *edit)
{
    const em_node *node = edit->node, *parent = node->parent, *first;
    if (!writes_beside(edit) || !(parent->flaws & EM_FLAW_IMPLIED))
        return false;
    if (em_node_is(parent, "head"))
        return !is_all_for_head(edit->fragment);
    if (!em_node_is(parent, "body") || first_deciding(parent->first_child) != node)
        return false;
    bool before = edit->kind == EM_EDIT_INSERT && edit->position == EM_DOM_BEFOREBEGIN;
    first = edit->kind == EM_EDIT_REMOVE ? node->next
            : before && edit->fragment   ? edit->fragment->root->first_child
                                         : NULL;
    first = first_deciding(first);
    return first && is_for_head(first);
}

bool em_edit_makes_stale(const em_page *page, const em_edit *edit)
{
    return may_free_end(page, edit) || may_move_frame(edit);
}

/* ---- Where end tags are left out ------------------------------------------------------------- */

/* What stands beside it decides what an element without an end tag holds: from the first such one
 * at the place of the edit to the end of what that wrote (or of the element), in the bytes of now.
 * Empty: there is none. */
static em_range unsure_of(const em_page *page, const em_edit *edit, em_range written)
{
    const em_node *node = edit->node;
    em_range unsure = written;
    bool before = writes_beside(edit) && ends_open(page, node->previous);
    bool is_ahead = edit->kind == EM_EDIT_INSERT && edit->position == EM_DOM_BEFOREBEGIN;
    bool itself = !is_ahead && ends_open(page, node);
    if (edit->kind == EM_EDIT_ATTR || edit->kind == EM_EDIT_NO_ATTR || (!before && !itself))
        return (em_range){0, 0};
    if (itself && edit->kind != EM_EDIT_REMOVE)
        unsure = (em_range){em_least(node->whole.start, written.start),
                            node->whole.end > written.end ? node->whole.end : written.end};
    if (before)
        unsure.start = em_least(node->previous->whole.start, unsure.start);
    return unsure;
}

static int by_start(const void *a, const void *b)
{
    const em_range *x = a, *y = b;
    return x->start < y->start ? -1 : x->start > y->start;
}

void em_unsure_join(em_unsure *unsure)
{
    em_range *ranges = unsure->items;
    size_t count = 0;
    if (unsure->count > 1)
        qsort(ranges, unsure->count, sizeof *ranges, by_start);
    for (size_t i = 0; i < unsure->count; i++)
        if (count == 0 || ranges[i].start >= ranges[count - 1].end)
            ranges[count++] = ranges[i];
        else if (ranges[i].end > ranges[count - 1].end)
            ranges[count - 1].end = ranges[i].end;
    unsure->count = count;
}

em_status em_unsure_add(em_unsure *unsure, const em_page *page, const em_edit *edit,
                        em_range written, em_arena *arena)
{
    em_range range = unsure_of(page, edit, written);
    if (range.end == 0)
        return EM_OK;
    EM_TRY(em_arena_grow(arena, (void **)&unsure->items, unsure->count, &unsure->room,
                         sizeof *unsure->items));
    unsure->items[unsure->count++] = range;
    return EM_OK;
}

/* What is inserted behind all of a range parts nothing in it. */
static bool touches(const em_edit *edit, em_range range)
{
    const em_splice *splice = &edit->splice;
    size_t end = splice->offset + splice->length;
    return end >= range.start && (edit->kind == EM_EDIT_INSERT ? splice->offset < range.end
                                                               : splice->offset <= range.end);
}

bool em_unsure_meets(const em_unsure *unsure, const em_edit *edits, size_t count)
{
    size_t next = 0;
    for (size_t i = 0; i < count && next < unsure->count; i++) {
        while (next < unsure->count && unsure->items[next].end < edits[i].splice.offset)
            next++;
        if (next < unsure->count && touches(&edits[i], unsure->items[next]))
            return true;
    }
    return false;
}
