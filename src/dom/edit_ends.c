/* edit_ends.c: end tags that are missing though HTML wants them.
 *
 *     <main> <div class=x> <p>a</p> <section>b</section> </main>
 *     <div id=o> <div class=x> <p>a</p> </div> </main>
 *
 * HTML ends such an element where one around it ends, or with the end tag of another of its name;
 * which of them it was that somebody forgot to end, the tags do not say. Where the page ends before
 * any other element does, it is a part of one, and the end tag stands in another file. (What else
 * ends with it, or is taken in by it: open_ends.h.)
 */
#include "dom/edit.h"
#include "dom/open_ends.h"
#include "html/elements.h"
#include "html/spans.h"
#include "html/tag.h"

#include "base/line.h"
#include "base/utf8.h"

/* How many end tags behind an element are looked at. */
enum { MOST_TRIED = 64 };

static bool has_name_of(const em_node *node, const em_node *other)
{
    return node->kind == EM_NODE_ELEMENT && node->ns == other->ns &&
           em_slice_eq(node->name, other->name);
}

/* Does the end tag of another element end it? */
static bool is_cut(const em_page *page, const em_node *node)
{
    return em_is_unclosed(page, node) && em_tag_ends(page->bytes, node->whole.end);
}

/* Does the start tag of an element of another name end it? */
static bool is_ended_by_start(const em_page *page, const em_node *node)
{
    size_t end = node->whole.end;
    return em_is_unclosed(page, node) && em_tag_starts(page->bytes, end) &&
           !em_same_in_any_case(em_tag_name(page->bytes, end), node->name);
}

static bool is_ended_by_other(const em_page *page, const em_node *node)
{
    return is_cut(page, node) || is_ended_by_start(page, node);
}

static bool is_raw(const em_node *node)
{
    const em_node *parent = node->parent;
    return node->kind == EM_NODE_COMMENT ||
           (node->kind == EM_NODE_TEXT && parent->ns == EM_NS_HTML &&
            (em_html_is_raw_text(parent->name) || em_html_is_rcdata(parent->name)));
}

bool em_edit_is_taken(const em_page *page, size_t at)
{
    for (size_t i = 1; i < page->count; i++) {
        const em_node *node = page->nodes[i];
        if ((is_raw(node) && at >= node->whole.start && at < node->whole.end) ||
            (em_is_there(node->end_tag) && node->end_tag.start == at))
            return true;
    }
    return false;
}

/* ---- Which end tag is whose ------------------------------------------------------------------ */

/* The nearest element around it of its name; NULL. */
static const em_node *same_around(const em_node *node)
{
    const em_node *around = node->parent;
    while (around && !has_name_of(around, node))
        around = around->parent;
    return around;
}

/* Has `around` no end tag of that name behind `node`, but its own? */
static bool is_last_ended(const em_page *page, const em_node *node, const em_node *around)
{
    for (uint32_t i = node->after; i < around->after; i++)
        if (has_name_of(page->nodes[i], node) && em_is_there(page->nodes[i]->end_tag))
            return false;
    return true;
}

/* The element around it that another one ended, and to which its end tag may belong; NULL. */
static const em_node *cut_around(const em_page *page, const em_node *node)
{
    const em_node *around = same_around(node), *cut = around;
    while (cut && !is_ended_by_other(page, cut))
        cut = same_around(cut);
    if (!cut)
        return NULL;
    for (; around && is_last_ended(page, node, around); around = same_around(around)) {
        if (around == cut)
            return cut;
        node = around;
    }
    return NULL;
}

/* Does an end tag that ends nothing come behind the element? */
static bool is_end_left_over(const em_page *page, const em_node *node)
{
    em_slice bytes = page->bytes;
    size_t tried = 0;
    for (size_t at = node->whole.end; at < bytes.len; at++)
        if (em_tag_ends(bytes, at) && em_same_in_any_case(em_tag_name(bytes, at), node->name) &&
            (++tried > MOST_TRIED || !em_edit_is_taken(page, at)))
            return true;
    return false;
}

/* An element of that name in it that another one ended, and of which the end tag may have become
 * that of this one, since there is one too many; NULL. */
static const em_node *cut_within(const em_page *page, const em_node *node)
{
    for (uint32_t i = node->index + 1; i < node->after; i++)
        if (has_name_of(page->nodes[i], node) && is_ended_by_other(page, page->nodes[i]))
            return is_end_left_over(page, node) ? page->nodes[i] : NULL;
    return NULL;
}

/* ---- What the lines say ---------------------------------------------------------------------- */

static size_t line_start(em_slice bytes, size_t at)
{
    while (at > 0 && bytes.ptr[at - 1] != '\n' && bytes.ptr[at - 1] != '\r')
        at--;
    return at;
}

/* The blanks that a tag stands behind, first on its line; a NULL pointer: it does not. */
static em_slice indentation(em_slice bytes, size_t at)
{
    em_slice before = em_slice_sub(bytes, line_start(bytes, at), at);
    return em_html_blank(before) ? before : (em_slice){0};
}

/* Does how the page is written tell that its tags belong together, and not to `other`? */
static bool are_lines_clear(em_slice bytes, const em_node *node, const em_node *other)
{
    size_t line = line_start(bytes, node->start_tag.start);
    if (line == line_start(bytes, node->end_tag.start))
        return line != line_start(bytes, other->start_tag.start);
    em_slice begins = indentation(bytes, node->start_tag.start),
             ends = indentation(bytes, node->end_tag.start),
             others = indentation(bytes, other->start_tag.start);
    return begins.ptr && ends.ptr && others.ptr && em_slice_eq(begins, ends) &&
           !em_slice_eq(begins, others);
}

/* ---- Refusing -------------------------------------------------------------------------------- */

static bool is_empty(const em_node *node)
{
    const em_node *child = node->first_child;
    return !child || (!child->next && child->kind == EM_NODE_TEXT && em_html_blank(child->text));
}

/* Does the op write nothing but what is in the element? */
static bool is_within(const em_dom_op *op)
{
    return op->action == EM_DOM_SET_TEXT || op->action == EM_DOM_SET_HTML ||
           (op->action == EM_DOM_INSERT_ADJACENT_HTML && op->position == EM_DOM_BEFOREEND);
}

/* Where that is one element, or none, it ends where HTML ends it, whichever element the end tag
 * there is meant for. */
static bool keeps_end(const em_dom_op *op, const em_node *node)
{
    return is_within(op) && em_elements_written_in(node) <= 1;
}

/* Does it end with </body> or </html>? Else it may be the first part of one. */
static bool has_page_frame_end(em_slice bytes)
{
    em_slice text = em_trimmed(bytes);
    size_t at = text.len;
    while (at > 0 && text.ptr[at - 1] != '<')
        at--;
    return at > 0 && em_ends_page_frame(text, at - 1);
}

/* Would the op take away several elements up to the end of the page, of which it is not known
 * whether all of them are in this one, or stand behind that end? Of a whole page one is enough. */
static bool runs_out(const em_edit_plan *plan, const em_node *node)
{
    const em_dom_op *op = plan->op;
    const em_page *page = plan->page;
    if (!em_unclosed_around(page, node) || !em_ends_with_page(page->bytes, node))
        return false;
    if (op->action == EM_DOM_INSERT_ADJACENT_HTML && op->position == EM_DOM_BEFOREEND)
        return false;
    return em_elements_up_to_end(page, node) > (has_page_frame_end(page->bytes) ? 0 : 1);
}

static em_status refuse_open(em_edit_plan *plan, const em_node *node)
{
    return em_refuse(plan, EM_DOM_E_NO_END,
                     "this <%.*s> has no end tag and goes on to the end of the page, which may not "
                     "be meant; write </%.*s> where it ends as text first, or edit it as text",
                     EM_NAMED(node), EM_NAMED(node));
}

static em_status refuse_lost(em_edit_plan *plan, const em_node *node)
{
    const em_node *within = em_unclosed_in(plan->page, node);
    if (within && within != node)
        return em_refuse(plan, EM_DOM_E_NO_END,
                         "the <%.*s> in this <%.*s> has no end tag, and HTML passes over tags in "
                         "it, which may stand behind it; write </%.*s> where it ends as text "
                         "first, or edit it as text",
                         EM_NAMED(within), EM_NAMED(node), EM_NAMED(within));
    return em_refuse(plan, EM_DOM_E_NO_END,
                     "this <%.*s> has no end tag, and HTML passes over tags in it, which may stand "
                     "behind it; write </%.*s> where it ends as text first, or edit it as text",
                     EM_NAMED(node), EM_NAMED(node));
}

static em_status refuse_holder(em_edit_plan *plan, const em_node *node)
{
    return em_refuse(plan, EM_DOM_E_NO_END,
                     "the text of this <%.*s> holds another <%.*s>, so that the </%.*s> may be "
                     "meant for that; write </%.*s> where it ends as text first, or &lt; for the "
                     "\"<\" of the other, or edit it as text",
                     EM_NAMED(node), EM_NAMED(node), EM_NAMED(node), EM_NAMED(node));
}

/* Does the end tag lack its ">", so that it takes in the tag behind it? (Code of a template may
 * stand there, too.) */
static bool takes_in_next_tag(const em_page *page, const em_node *node)
{
    em_slice tag = em_slice_sub(page->bytes, node->end_tag.start, node->end_tag.end);
    size_t named = sizeof "</" - 1 + node->name.len;
    return tag.len > named && !page->coded && em_slice_has_byte(em_slice_from(tag, named), '<');
}

static em_status refuse_endless_tag(em_edit_plan *plan, const em_node *node)
{
    em_slice tag = em_slice_sub(plan->page->bytes, node->end_tag.start, node->end_tag.end);
    return em_refuse(plan, EM_DOM_E_NO_END,
                     "the end tag \"%.*s%s\" of this <%.*s> lacks its \">\" and takes in the tag "
                     "behind it; write </%.*s> as text first",
                     EM_SHOWN_TAG(tag), EM_NAMED(node), EM_NAMED(node));
}

/* `by` is cut, and the element ends with it. */
static em_status refuse_cut(em_edit_plan *plan, const em_node *node, const em_node *by)
{
    em_slice bytes = plan->page->bytes;
    size_t at = by->whole.end, end = at;
    while (end < bytes.len && end - at < EM_MOST_OF_TAG_SHOWN && bytes.ptr[end] != '>')
        end++;
    return em_refuse(
        plan, EM_DOM_E_NO_END,
        "this <%.*s> has no end tag, and \"%.*s>\" behind it is another's, so where it "
        "is meant to end cannot be told; write </%.*s> where it ends as text first",
        EM_NAMED(node), (int)(end - at), bytes.ptr + at, EM_NAMED(node));
}

/* Does the op depend on where the element is meant to end, which `cut` does not tell? An element in
 * it may stand behind that; its words are its own, and what is left out of a list that was cut is
 * the end of a `<li>` as well. */
static bool depends_on_cut(const em_edit_plan *plan, const em_node *node, const em_node *cut)
{
    if (em_ends_page_frame(plan->page->bytes, cut->whole.end))
        return false;
    if (cut != node)
        return em_blocks_written_in(node) > 0;
    return is_within(plan->op) || em_tag_starts(plan->page->bytes, cut->whole.end)
               ? em_elements_written_in(node) > 0
               : !is_empty(node);
}

/* Does a tag of that name start in the text, or end (`of_end`)? */
static bool has_tag_named(em_slice text, bool of_end, em_slice name)
{
    for (size_t at = 0; at < text.len; at++)
        if ((of_end ? em_tag_ends(text, at) : em_tag_starts(text, at)) &&
            em_same_in_any_case(em_tag_name(text, at), name))
            return true;
    return false;
}

/* A text that holds its element's own start tag: the end tag may be that one's. Code may write such
 * a tag; a script that begins with one is none. */
static bool holds_its_like(const em_page *page, const em_node *node)
{
    bool is_text = node->kind == EM_NODE_ELEMENT && node->ns == EM_NS_HTML && node->first_child &&
                   (em_html_is_raw_text(node->name) || em_html_is_rcdata(node->name));
    if (!is_text || em_node_is(node, "noscript"))
        return false;
    em_slice text = em_slice_sub(page->bytes, node->start_tag.end, node->whole.end);
    if (em_node_is(node, "script")) {
        text = em_trimmed(text);
        text.len = em_least(text.len, sizeof "<script>" - 1);
    }
    return has_tag_named(text, false, node->name);
}

/* Such an element: the node, or one in it of which the text has an end tag that may be the node's.
 */
static const em_node *holder_in(const em_page *page, const em_node *node)
{
    for (uint32_t i = node->index; i < node->after; i++) {
        const em_node *held = page->nodes[i];
        em_slice text =
            em_slice_sub(page->bytes, held->start_tag.end,
                         em_is_there(held->end_tag) ? held->end_tag.start : held->whole.end);
        if (holds_its_like(page, held) && (held == node || has_tag_named(text, true, node->name)))
            return held;
    }
    return NULL;
}

em_status em_edit_check_ends(em_edit_plan *plan, const em_node *node)
{
    const em_page *page = plan->page;
    const em_node *unclosed = em_unclosed_around(page, node), *holder = holder_in(page, node);
    if (holder)
        return refuse_holder(plan, holder);
    if (takes_in_next_tag(page, node))
        return refuse_endless_tag(plan, node);
    if (em_is_end_lost(page, node))
        return refuse_lost(plan, node);
    bool is_ended = unclosed && is_ended_by_other(page, unclosed);
    if (is_ended && depends_on_cut(plan, node, unclosed))
        return refuse_cut(plan, node, unclosed);
    if (runs_out(plan, node))
        return refuse_open(plan, node);
    const em_node *other = em_is_there(node->end_tag) ? cut_around(page, node) : NULL;
    if (other && keeps_end(plan->op, node))
        return EM_OK;
    if (!other && em_is_there(node->end_tag))
        other = cut_within(page, node);
    if (!other || are_lines_clear(page->bytes, node, other))
        return EM_OK;
    em_slice tag = em_slice_sub(page->bytes, other->start_tag.start, other->start_tag.end);
    return em_refuse(plan, EM_DOM_E_NO_END,
                     "\"%.*s%s\" has no end tag, so that the </%.*s> of this <%.*s> may be meant "
                     "for that; write </%.*s> where that one ends as text first",
                     EM_SHOWN_TAG(tag), EM_NAMED(node), EM_NAMED(node), EM_NAMED(node));
}
