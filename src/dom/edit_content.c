/* edit_content.c: what stands in an element, and beside it. */
#include "dom/edit.h"
#include "dom/fragment.h"
#include "dom/open_ends.h"
#include "html/elements.h"
#include "html/escape.h"
#include "html/readings.h"
#include "html/spans.h"
#include "html/tag.h"

#include "base/ascii.h"
#include "base/utf8.h"

/* ---- Where content begins and ends ----------------------------------------------------------- */

bool em_edit_drops_newline(const em_node *node)
{
    return em_node_is(node, "pre") || em_node_is(node, "textarea") || em_node_is(node, "listing");
}

static size_t newline_at(em_slice bytes, size_t at)
{
    if (at + 1 < bytes.len && bytes.ptr[at] == '\r' && bytes.ptr[at + 1] == '\n')
        return 2;
    return at < bytes.len && (bytes.ptr[at] == '\n' || bytes.ptr[at] == '\r');
}

static size_t content_start(const em_page *page, const em_node *node)
{
    size_t start = node->start_tag.end;
    return start + (em_edit_drops_newline(node) ? newline_at(page->bytes, start) : 0);
}

/* Where the element ends, its end tag not counted: with the white space before the next tag. */
static size_t outer_content_end(const em_node *node)
{
    return em_is_there(node->end_tag) ? node->end_tag.start : node->whole.end;
}

/* Without that, where the end tag is left out. */
static size_t content_end(const em_page *page, const em_node *node)
{
    size_t start = content_start(page, node), end = outer_content_end(node);
    while (!em_is_there(node->end_tag) && end > start && em_html_space(page->bytes.ptr[end - 1]))
        end--;
    return end;
}

static em_slice white_space_at_end(const em_page *page, const em_node *node)
{
    return em_slice_sub(page->bytes, content_end(page, node), outer_content_end(node));
}

static bool is_raw_text(const em_node *node)
{
    return node->ns == EM_NS_HTML && em_html_is_raw_text(node->name);
}

static bool is_rcdata(const em_node *node)
{
    return node->ns == EM_NS_HTML && em_html_is_rcdata(node->name);
}

/* ---- What cannot be -------------------------------------------------------------------------- */

/* In the head HTML ends a <noscript> before the first text, and its end tag then ends nothing. */
static bool is_ended_by_text(const em_node *node)
{
    return em_node_is(node, "noscript") && em_node_is(node->parent, "head");
}

static bool is_before(const em_dom_op *op)
{
    return op->action == EM_DOM_INSERT_ADJACENT_HTML && op->position == EM_DOM_BEFOREBEGIN;
}

/* Does the op write beside the start tag, whatever comes behind? What seems to end with its start
 * tag has no place for it in there. */
static bool is_at_start(const em_edit_plan *plan, const em_node *node)
{
    const em_dom_op *op = plan->op;
    bool within = op->action == EM_DOM_INSERT_ADJACENT_HTML && op->position == EM_DOM_AFTERBEGIN &&
                  !(node->flaws & EM_FLAW_SLASHED && em_node_is_slashed(plan->page, node));
    return within || is_before(op);
}

static bool holds_slashed(const em_page *page, const em_node *node)
{
    for (size_t i = node->index + 1; i < node->after; i++)
        if (em_node_is_slashed(page, page->nodes[i]))
            return true;
    return false;
}

static const em_node *slashed_around(const em_page *page, const em_node *node)
{
    const em_node *around = node->parent;
    while (around && !em_node_is_slashed(page, around))
        around = around->parent;
    return around;
}

/* Of SVG or MathML: only behind a value without quotes the '/' ends nothing. */
static em_status refuse_slashed_value(em_edit_plan *plan, const em_node *node)
{
    return em_refuse(plan, EM_DOM_E_NO_END,
                     "the \"/\" in the tag of this <%.*s> stands right behind a value without "
                     "quotes, which HTML takes it for a part of, so the element goes on behind "
                     "it, which may not be meant; write a blank before the \"/\" as text first; "
                     "its attributes can be changed as it is, and beforebegin inserts before it",
                     EM_NAMED(node));
}

static em_status refuse_slashed(em_edit_plan *plan, const em_node *node)
{
    const em_node *around = slashed_around(plan->page, node);
    if (em_node_is_slashed(plan->page, node) && node->ns != EM_NS_HTML)
        return refuse_slashed_value(plan, node);
    if (em_node_is_slashed(plan->page, node))
        return em_refuse(plan, EM_DOM_E_NO_END,
                         "the \"/\" in its tag ends no element of HTML, so this <%.*s> goes on "
                         "behind it, which may not be meant; write <%.*s ...></%.*s> as text "
                         "first; its attributes can be changed as it is, and beforebegin inserts "
                         "before it",
                         EM_NAMED(node), EM_NAMED(node), EM_NAMED(node));
    if (around && !holds_slashed(plan->page, node))
        return em_refuse(plan, EM_DOM_E_NO_END,
                         "the <%.*s> around this <%.*s> has \"/>\" at the end of its tag, which "
                         "ends nothing in HTML, so that where this one ends may not be meant; take "
                         "the \"/\" out of that tag as text first, or write <%.*s ...></%.*s> if "
                         "nothing is to stand in it",
                         EM_NAMED(around), EM_NAMED(node), EM_NAMED(around), EM_NAMED(around));
    return em_refuse(plan, EM_DOM_E_NO_END,
                     "an element in this <%.*s> has \"/>\" at the end of its tag, which ends "
                     "nothing in HTML, so that one may have the end tag of the other; give that "
                     "its own end tag as text first: <x ...></x>, not <x .../>",
                     EM_NAMED(node));
}

/* Is there an end tag of that name behind the start tag, which ends nothing? */
static bool has_lost_end(const em_page *page, const em_node *node)
{
    em_slice bytes = page->bytes;
    for (size_t at = node->start_tag.end; at < bytes.len; at++)
        if (em_tag_ends(bytes, at) && em_same_in_any_case(em_tag_name(bytes, at), node->name))
            return !em_edit_is_taken(page, at);
    return false;
}

static em_status refuse_void_end(em_edit_plan *plan, const em_node *node)
{
    em_slice name = em_tag_name(plan->page->bytes, node->start_tag.start);
    return em_refuse(plan, EM_DOM_E_NO_END,
                     "for HTML this <%.*s> ends with its tag, and the </%.*s> behind it, which "
                     "seems to be its end, is nothing; take that </%.*s> out as text first if it "
                     "should be nothing, or edit it as text",
                     (int)name.len, name.ptr, (int)name.len, name.ptr, (int)name.len, name.ptr);
}

static em_status refuse_end(em_edit_plan *plan, const em_node *node)
{
    if (em_is_there(node->end_tag) || has_lost_end(plan->page, node))
        return em_refuse(
            plan, EM_DOM_E_NO_END,
            "it cannot be told whether this <%.*s> ends at the </%.*s> behind it, "
            "which HTML may not take for its end; put both tags into the same element, "
            "with nothing between that cannot stand in <%.*s>, or edit it as text",
            EM_NAMED(node), EM_NAMED(node), EM_NAMED(node));
    return em_refuse(plan, EM_DOM_E_NO_END,
                     "it cannot be told where this <%.*s> ends; add its end tag first",
                     EM_NAMED(node));
}

/* The first element in it with a tag that holds others. */
static em_slice swallowing_tag(const em_page *page, const em_node *node)
{
    em_slice tag = {0};
    for (uint32_t i = node->index + 1; i < node->after && tag.len == 0; i++) {
        const em_node *below = page->nodes[i];
        if (below->flaws & EM_FLAW_UNBOUND)
            tag = em_slice_sub(page->bytes, below->start_tag.start, below->start_tag.end);
    }
    return tag;
}

static em_status refuse_swallowed(em_edit_plan *plan, const em_node *node)
{
    em_slice tag = swallowing_tag(plan->page, node);
    return em_refuse(plan, EM_DOM_E_NO_END,
                     "HTML finds an error in the tag \"%.*s%s\" in this <%.*s>, and other tags in "
                     "that, so it cannot be told where the <%.*s> ends; correct that tag as text "
                     "first, or edit it as text",
                     EM_SHOWN_TAG(tag), EM_NAMED(node), EM_NAMED(node));
}

static em_status check_end(em_edit_plan *plan, const em_node *node)
{
    if (node->flaws & EM_FLAW_NO_END && is_ended_by_text(node))
        return em_refuse(plan, EM_DOM_E_NO_END,
                         "this <noscript> stands in <head>, where HTML ends it before its first "
                         "text, so that the text is not in it; put <body> before it first, or edit "
                         "it as text");
    if (node->flaws & EM_FLAW_BRANCHED)
        return em_refuse(plan, EM_DOM_E_TEMPLATE,
                         "template code chooses between tags there, so where this <%.*s> ends "
                         "depends on what it chooses; change its attributes, insert with "
                         "beforebegin or afterbegin, choose an element whose tags both stand in "
                         "one branch of that code or outside of it, or edit it as text",
                         EM_NAMED(node));
    if (node->flaws & EM_FLAW_VOID_END)
        return refuse_void_end(plan, node);
    if (node->flaws & EM_FLAW_SLASHED)
        return refuse_slashed(plan, node);
    if (node->flaws & EM_FLAW_SWALLOWED && !em_node_is(node, "body"))
        return refuse_swallowed(plan, node);
    return node->flaws & EM_FLAW_NO_END ? refuse_end(plan, node) : em_edit_check_ends(plan, node);
}

static em_status refuse_tailed(em_edit_plan *plan)
{
    return em_refuse(
        plan, EM_DOM_E_FOSTER,
        "behind </body> stands what HTML takes for content of <body>, so that it would "
        "have to go, too; move it before </body> first, edit the elements in it, or "
        "edit it as text");
}

static em_status check_range(em_edit_plan *plan, const em_node *node)
{
    if (node->flaws & EM_FLAW_UNBOUND && !is_before(plan->op))
        return em_refuse_odd(plan, node);
    if (!is_at_start(plan, node))
        EM_TRY(check_end(plan, node));
    if (node->flaws & EM_FLAW_FOSTER)
        return em_refuse(plan, EM_DOM_E_FOSTER,
                         "between the tags of <%.*s> stands what HTML takes for something outside "
                         "of it, or the other way round; edit the elements in it, or as text",
                         EM_NAMED(node));
    if (node->flaws & EM_FLAW_TAILED && plan->op->action != EM_DOM_INSERT_ADJACENT_HTML)
        return refuse_tailed(plan);
    return EM_OK;
}

static em_status check_inside(em_edit_plan *plan, const em_node *node)
{
    if (node->flaws & EM_FLAW_VOID_END)
        return refuse_void_end(plan, node);
    if (em_node_is_void(plan->page, node) && node->ns != EM_NS_HTML)
        return em_refuse(
            plan, EM_DOM_E_VOID,
            "the \"/\" in its tag closes this <%.*s>, so it has no content; write it as "
            "<%.*s ...></%.*s> first: remove it and insert that, or edit it as text",
            EM_NAMED(node), EM_NAMED(node), EM_NAMED(node));
    if (em_node_is_void(plan->page, node))
        return em_refuse(plan, EM_DOM_E_VOID,
                         "<%.*s> can hold nothing; change its attributes, or insert before or "
                         "behind it",
                         EM_NAMED(node));
    EM_TRY(check_range(plan, node));
    if (em_node_is(node, "html"))
        return em_refuse(plan, EM_DOM_E_ROOT,
                         "the content of <html> is <head> and <body>; choose one of these");
    return EM_OK;
}

static em_status check_outside(em_edit_plan *plan, const em_node *node)
{
    if (em_node_is(node, "html") || em_node_is(node, "head") || em_node_is(node, "body"))
        return em_refuse(plan, EM_DOM_E_ROOT,
                         "nothing can stand beside <%.*s>, nor can it be removed; insert inside of "
                         "it, or set its content",
                         EM_NAMED(node));
    return check_range(plan, node);
}

/* What only hides a style sheet from browsers of old. */
static em_status refuse_hiding(em_edit_plan *plan)
{
    return em_refuse(plan, EM_DOM_E_RAWTEXT,
                     "the text holds \"<!--\", which is nothing in a style sheet; leave it out, "
                     "and \"-->\" with it");
}

/* How `rest`, which stands behind a '<', can be written in the element so that it is no tag; NULL:
 * want of memory. */
static const char *other_way(em_edit_plan *plan, const em_node *node, em_slice rest)
{
    const char *where = em_node_is(node, "script")  ? "a script"
                        : em_node_is(node, "style") ? "a string or comment of CSS"
                                                    : NULL;
    if (is_rcdata(node))
        return em_arena_format(plan->arena, "write it otherwise there, as \"&lt;%.*s\"",
                               (int)rest.len, rest.ptr);
    if (!where)
        return "nothing stands for it there, so leave it out";
    return em_arena_format(plan->arena, "write it otherwise there, as \"<\\%.*s\" in %s",
                           (int)rest.len, rest.ptr, where);
}

/* `found` would end the element or hide its end. */
static em_status refuse_raw_text(em_edit_plan *plan, const em_node *node, em_slice found, bool ends)
{
    const char *way = other_way(plan, node, em_slice_from(found, 1));
    if (!way)
        return EM_E_NOMEM;
    return em_refuse(plan, EM_DOM_E_RAWTEXT, "the text holds \"%.*s\", which would %s <%.*s>; %s",
                     (int)found.len, found.ptr, ends ? "end" : "change where HTML sees the end of",
                     EM_NAMED(node), way);
}

/* Does the end tag of the element begin there? Its name ends with a blank, a '/' or a '>'. */
static bool ends_raw_text(const em_node *node, em_slice text, size_t at)
{
    size_t name = at + 2, end = name + node->name.len;
    return em_tag_ends(text, at) && end < text.len &&
           em_same_in_any_case(em_slice_sub(text, name, end), node->name) &&
           (em_html_space(text.ptr[end]) || text.ptr[end] == '/' || text.ptr[end] == '>');
}

/* Text that would end its element, or hide that end. */
static em_status check_raw_text(em_edit_plan *plan, const em_node *node, em_slice text)
{
    for (size_t i = 0; i < text.len; i++) {
        em_slice rest = em_slice_from(text, i);
        bool hides = em_slice_starts(rest, EM_LIT("<!--")), ends = ends_raw_text(node, text, i);
        if (hides && em_node_is(node, "style"))
            return refuse_hiding(plan);
        if (ends || (hides && em_node_is(node, "script")))
            return refuse_raw_text(plan, node, em_slice_sub(rest, 0, ends ? node->name.len + 2 : 4),
                                   ends);
    }
    return EM_OK;
}

/* ---- Content --------------------------------------------------------------------------------- */

/* Text that begins with a newline where the first newline is dropped needs one more. */
static em_status keep_newline(em_edit_plan *plan, const em_node *node, size_t at, em_edit *edit)
{
    em_slice insert = edit->splice.insert;
    if (!em_edit_drops_newline(node) || at != node->start_tag.end || newline_at(insert, 0) == 0)
        return EM_OK;
    const char *more = em_arena_format(plan->arena, "\n%.*s", (int)insert.len, insert.ptr);
    edit->splice.insert = em_slice_make(more, insert.len + 1);
    edit->fragment_at++;
    return more ? EM_OK : EM_E_NOMEM;
}

static size_t count_elements(const em_page *page, const em_node *node)
{
    size_t count = 0;
    for (uint32_t i = node->index + 1; i < node->after; i++)
        count += page->nodes[i]->kind == EM_NODE_ELEMENT;
    return count;
}

/* Is this text the content already, however it is written? */
static bool has_text(const em_page *page, const em_node *node, em_slice text)
{
    const em_node *child = node->first_child;
    if (!child)
        return text.len == 0 && content_start(page, node) == content_end(page, node);
    if (child->kind != EM_NODE_TEXT || child->next || !em_slice_starts(child->text, text))
        return false;
    return child->text.len == text.len ||
           (!em_is_there(node->end_tag) && em_html_blank(em_slice_from(child->text, text.len)));
}

/* Does it end where the page does, without an end tag of its own? */
static bool ends_with_page(const em_page *page, const em_node *node)
{
    return !em_is_there(node->end_tag) && em_ends_page_frame(page->bytes, node->whole.end);
}

/* What is text of it, or of what is in it, though it stands behind </body> or </html>. */
static em_status page_tail(em_edit_plan *plan, const em_node *node, em_slice *tail)
{
    *tail = (em_slice){0};
    if (!em_node_is(node, "body") && !ends_with_page(plan->page, node))
        return EM_OK;
    if (plan->tail_from != node->whole.end)
        EM_TRY(em_page_tail(plan->page, node->whole.end, plan->arena, &plan->tail));
    plan->tail_from = node->whole.end;
    *tail = plan->tail;
    return EM_OK;
}

/* The white space behind the content; where the page ends there, that behind its end tags too. */
static em_status set_tail(em_edit_plan *plan, const em_node *node, em_edit *edit)
{
    em_slice behind;
    EM_TRY(em_html_normalize(white_space_at_end(plan->page, node), plan->arena, &edit->tail));
    EM_TRY(page_tail(plan, node, &behind));
    if (behind.len == 0)
        return EM_OK;
    const char *joined =
        em_arena_format(plan->arena, "%.*s%.*s", (int)edit->tail.len,
                        edit->tail.len > 0 ? edit->tail.ptr : "", (int)behind.len, behind.ptr);
    edit->tail = em_slice_make(joined, edit->tail.len + behind.len);
    return joined ? EM_OK : EM_E_NOMEM;
}

static em_status write_text(em_edit_plan *plan, const em_node *node, em_slice normal, em_edit *edit)
{
    em_slice text = plan->op->value;
    edit->splice.insert = text;
    if (is_raw_text(node))
        EM_TRY(check_raw_text(plan, node, text));
    else
        EM_TRY(em_html_escape(text, plan->arena, &edit->splice.insert));
    return em_fragment_text(plan, normal, edit->splice.insert.len, &edit->fragment);
}

enum { MOST_SHOWN = 200 /* bytes of what a message quotes */ };

/* Content that says "... rest unchanged ..." would take away what that stands for. A text for
 * people may say anything. */
static em_status check_omission(em_edit_plan *plan, const em_node *node, em_range old)
{
    const em_dom_op *op = plan->op;
    bool is_source = op->action == EM_DOM_SET_HTML || is_raw_text(node);
    em_slice found = {0};
    if (op->omission_in && is_source)
        found = op->omission_in(op->value, em_slice_sub(plan->page->bytes, old.start, old.end));
    if (found.len == 0)
        return EM_OK;
    return em_refuse(plan, EM_DOM_E_PLACEHOLDER,
                     "the value leaves out what belongs there: \"%.*s\" would be written as it is, "
                     "and what it stands for would go; send all that is to be in <%.*s>, or change "
                     "the elements in it alone",
                     (int)em_utf8_floor(found, MOST_SHOWN), found.ptr, EM_NAMED(node));
}

/* The first end tag that is written in the text; empty: there is none. */
static em_slice find_end_tag(em_slice text)
{
    for (size_t i = 0; i + 2 < text.len; i++) {
        size_t end = i + 2;
        while (end < text.len && em_is_letter_or_digit(text.ptr[end]))
            end++;
        if (text.ptr[i] == '<' && text.ptr[i + 1] == '/' && em_is_letter(text.ptr[i + 2]) &&
            end < text.len && text.ptr[end] == '>')
            return em_slice_sub(text, i, end + 1);
    }
    return (em_slice){0};
}

/* Is the element, or one that it lies in, there to show code? */
static bool shows_code(const em_node *node)
{
    static const char *const names[] = {"code", "pre", "samp", "kbd", "textarea", NULL};
    for (; node; node = node->parent)
        for (const char *const *name = names; *name; name++)
            if (em_slice_is(node->name, *name))
                return true;
    return false;
}

/* Who gives text as HTML has it does not know that it is written for that here. */
static em_status warn_of_markup(em_edit_plan *plan, const em_node *node)
{
    EM_TRY(em_edit_warn_of_entity(plan));
    em_slice tag = find_end_tag(plan->op->value);
    if (plan->warning || tag.len == 0 || shows_code(node))
        return EM_OK;
    plan->warning = em_arena_format(
        plan->arena,
        "setText takes its value as text, so the page now shows \"%.*s\" as it stands there. If "
        "elements were meant, use setHTML",
        (int)em_utf8_floor(tag, MOST_SHOWN), tag.ptr);
    return plan->warning ? EM_OK : EM_E_NOMEM;
}

em_status em_edit_content(em_edit_plan *plan, em_node *node, em_edit *edit)
{
    const em_page *page = plan->page;
    em_slice normal;
    EM_TRY(check_inside(plan, node));
    EM_TRY(em_html_normalize(plan->op->value, plan->arena, &normal));
    bool as_text = plan->op->action == EM_DOM_SET_TEXT || is_raw_text(node);
    if (as_text && has_text(page, node, normal))
        return EM_OK;
    size_t start = content_start(page, node), end = content_end(page, node);
    edit->splice = (em_splice){start, end - start, plan->op->value};
    EM_TRY(check_omission(plan, node, (em_range){start, end}));
    if (!as_text && is_rcdata(node))
        EM_TRY(check_raw_text(plan, node, plan->op->value));
    if (as_text)
        EM_TRY(write_text(plan, node, normal, edit));
    else
        EM_TRY(em_fragment_make(plan, node, plan->op->value, &edit->fragment));
    if (!as_text && em_slice_eq(em_slice_sub(page->bytes, start, end), plan->op->value))
        return EM_OK;
    if (!as_text)
        EM_TRY(em_fragment_check_itself(plan, node, edit->fragment));
    else if (!is_raw_text(node))
        EM_TRY(warn_of_markup(plan, node));
    edit->kind = EM_EDIT_CONTENT;
    edit->removed = count_elements(page, node);
    EM_TRY(set_tail(plan, node, edit));
    return keep_newline(plan, node, start, edit);
}

/* ---- Inserting ------------------------------------------------------------------------------- */

em_node *em_edit_open_at(const em_page *page, em_node *node, size_t at)
{
    bool open = node && node->kind == EM_NODE_ELEMENT && em_is_there(node->start_tag) &&
                !em_is_there(node->end_tag) && !em_node_is_void(page, node) &&
                !(node->flaws & EM_FLAW_NO_END);
    return open && node->whole.end == at ? node : NULL;
}

/* Is it the type in a call, isA<b>(c), which HTML takes for a start tag? */
static bool is_type_of_call(const em_page *page, const em_node *node)
{
    em_slice bytes = page->bytes;
    em_range tag = node->start_tag;
    return em_is_unclosed(page, node) && tag.start > 0 && tag.end < bytes.len &&
           em_is_word_byte(bytes.ptr[tag.start - 1]) && bytes.ptr[tag.end] == '(';
}

/* The first node that is no white space; NULL. */
static const em_node *first_in(const em_page *fragment)
{
    const em_node *node = fragment ? fragment->root->first_child : NULL;
    while (node && node->kind == EM_NODE_TEXT && em_html_blank(node->text))
        node = node->next;
    return node;
}

/* Does the open element take in what is inserted, whatever comes to stand around it? To find that
 * out by trying takes a look at the whole page. */
static bool takes_in(const em_node *open, const em_edit *edit)
{
    static const char *const opens[] = {"p", "li", "dd", "dt", "td", "th", NULL};
    static const char *const ends[] = {"li",  "dd",       "dt",    "td",    "th",
                                       "tr",  "tbody",    "thead", "tfoot", "caption",
                                       "col", "colgroup", NULL};
    const em_node *first = first_in(edit->fragment);
    if (!first || !em_node_is_one_of(open, opens))
        return false;
    if (first->kind != EM_NODE_ELEMENT)
        return true;
    return em_node_is(open, "p") ? em_is_of_text(first) : !em_node_is_one_of(first, ends);
}

/* Begin the insert with the end tag of `open`, if that is asked for, or is needed for sure. */
static em_status close_open(em_edit_plan *plan, em_node *open, em_edit *edit)
{
    plan->can_close |= open != NULL;
    if (!open || !(plan->close || takes_in(open, edit)))
        return EM_OK;
    if (is_type_of_call(plan->page, open))
        return em_refuse(plan, EM_DOM_E_TEMPLATE,
                         "the <%.*s> before that place has no end tag, and seems to be a type in "
                         "code, as in a<%.*s>(...), so none is written for it; edit it as text",
                         EM_NAMED(open), EM_NAMED(open));
    em_slice insert = edit->splice.insert;
    em_slice name = em_slice_sub(plan->page->bytes, open->start_tag.start + 1,
                                 open->start_tag.start + 1 + open->name.len);
    const char *text = em_arena_format(plan->arena, "</%.*s>%.*s", (int)name.len, name.ptr,
                                       (int)insert.len, insert.ptr ? insert.ptr : "");
    edit->closed = open;
    edit->closing = name.len + 3;
    edit->fragment_at += edit->closing;
    edit->splice.insert = em_slice_make(text, insert.len + edit->closing);
    return text ? EM_OK : EM_E_NOMEM;
}

/* Before </body>, behind which more of its content stands. A text that goes on behind that must
 * have but white space there. */
static em_status place_before_tail(em_edit_plan *plan, em_node *body, em_edit *edit)
{
    em_slice bytes = plan->page->bytes;
    em_node *last = body->last_child;
    for (; last && last->whole.start >= body->end_tag.end; last = last->previous)
        edit->next = last;
    edit->splice.offset = body->end_tag.start;
    if (last && last->kind == EM_NODE_TEXT && last->whole.end > body->end_tag.end) {
        em_slice behind = em_slice_sub(bytes, body->end_tag.end, last->whole.end);
        if (!em_html_blank(behind))
            return refuse_tailed(plan);
        EM_TRY(em_html_normalize(behind, plan->arena, &edit->tail));
    }
    return close_open(plan, em_edit_open_at(plan->page, last, edit->splice.offset), edit);
}

/* The end of the content. What white space comes behind the place is the end of the last text. */
static em_status place_at_end(em_edit_plan *plan, em_node *node, em_edit *edit)
{
    const em_page *page = plan->page;
    const em_node *last = node->last_child;
    bool ends_in_text = last && last->kind == EM_NODE_TEXT;
    edit->splice.offset = ends_in_text ? content_end(page, node) : outer_content_end(node);
    if (ends_in_text)
        EM_TRY(set_tail(plan, node, edit));
    else if (!em_node_is(node, "body"))
        EM_TRY(page_tail(plan, node, &edit->tail));
    return close_open(plan, em_edit_open_at(page, node->last_child, edit->splice.offset), edit);
}

static em_status place(em_edit_plan *plan, em_node *node, em_edit *edit)
{
    const em_page *page = plan->page;
    switch (edit->position) {
    case EM_DOM_BEFOREBEGIN:
        edit->splice.offset = node->start_tag.start;
        EM_TRY(
            close_open(plan, em_edit_open_at(page, node->previous, node->start_tag.start), edit));
        return keep_newline(plan, node->parent, edit->splice.offset, edit);
    case EM_DOM_AFTERBEGIN:
        edit->splice.offset = content_start(page, node);
        return keep_newline(plan, node, edit->splice.offset, edit);
    case EM_DOM_BEFOREEND:
        EM_TRY(node->flaws & EM_FLAW_TAILED ? place_before_tail(plan, node, edit)
                                            : place_at_end(plan, node, edit));
        return keep_newline(plan, node, edit->splice.offset, edit);
    case EM_DOM_AFTEREND:
    case EM_DOM_NO_POSITION: /* which was refused */
        break;
    }
    edit->splice.offset = node->whole.end;
    EM_TRY(page_tail(plan, node, &edit->tail));
    return close_open(plan, em_edit_open_at(page, node, node->whole.end), edit);
}

em_status em_edit_insert(em_edit_plan *plan, em_node *node, em_edit *edit)
{
    em_dom_position position = plan->op->position;
    bool inside = position == EM_DOM_AFTERBEGIN || position == EM_DOM_BEFOREEND;
    EM_TRY(inside ? check_inside(plan, node) : check_outside(plan, node));
    if (inside && is_raw_text(node))
        return em_refuse(
            plan, EM_DOM_E_RAWTEXT,
            "<%.*s> holds no elements, but text; edit it as text, or use setText, which "
            "replaces what is there: give it that too",
            EM_NAMED(node));
    if (plan->op->value.len == 0)
        return EM_OK;
    edit->kind = EM_EDIT_INSERT;
    edit->position = position;
    edit->splice.insert = plan->op->value;
    EM_TRY(em_fragment_make(plan, inside ? node : node->parent, plan->op->value, &edit->fragment));
    return place(plan, node, edit);
}

/* ---- Removing -------------------------------------------------------------------------------- */

/* The lines of [start, end), if nothing else stands on them; else itself. */
static em_range whole_lines(em_slice bytes, em_range range)
{
    em_range lines = range;
    while (lines.start > 0 && em_is_space_or_tab(bytes.ptr[lines.start - 1]))
        lines.start--;
    while (lines.end < bytes.len && em_is_space_or_tab(bytes.ptr[lines.end]))
        lines.end++;
    bool begins = lines.start == 0 || newline_at(bytes, lines.start - 1) > 0 ||
                  (lines.start == 3 && (unsigned char)bytes.ptr[0] == 0xEF);
    size_t newline = newline_at(bytes, lines.end);
    if (!begins || (newline == 0 && lines.end < bytes.len))
        return range;
    lines.end += newline;
    return lines;
}

/* What has to stand where the element stood: directly behind <pre> HTML would drop a newline that
 * was behind the element, unless another one comes before it. */
static em_slice stand_in(const em_page *page, const em_node *node, em_range removed)
{
    em_slice bytes = page->bytes;
    const em_node *parent = node->parent;
    size_t newline = newline_at(bytes, removed.end);
    if (newline == 0 || !em_edit_drops_newline(parent) || removed.start != parent->start_tag.end)
        return (em_slice){0};
    return newline == 2                     ? EM_LIT("\r\n")
           : bytes.ptr[removed.end] == '\n' ? EM_LIT("\n")
                                            : EM_LIT("\r");
}

em_status em_edit_remove(em_edit_plan *plan, em_node *node, em_edit *edit)
{
    const em_page *page = plan->page;
    EM_TRY(check_outside(plan, node));
    bool open = !em_is_there(node->end_tag) && !em_node_is_void(page, node);
    em_range range = {node->start_tag.start, open ? content_end(page, node) : node->whole.end};
    em_range lines = whole_lines(page->bytes, range);
    edit->kind = EM_EDIT_REMOVE;
    edit->removed = count_elements(page, node);
    if (open)
        EM_TRY(set_tail(plan, node, edit));
    bool goes_too = plan->at > 0 && plan->nodes->items[plan->at - 1] == node->previous;
    em_node *before = em_edit_open_at(page, goes_too ? NULL : node->previous, range.start);
    if (before && plan->close)
        lines = range; /* the end tag stands there then */
    edit->lead = range.start - lines.start;
    edit->trail = lines.end - range.end;
    if (edit->trail > 1 &&
        em_slice_eq(em_slice_sub(page->bytes, lines.end - 2, lines.end), EM_LIT("\r\n")))
        edit->trail--;
    edit->splice = (em_splice){lines.start, lines.end - lines.start, stand_in(page, node, lines)};
    return close_open(plan, before, edit);
}
