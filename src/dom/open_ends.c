#include "dom/open_ends.h"

#include "base/ascii.h"
#include "base/utf8.h"
#include "html/elements.h"
#include "html/prescan.h"
#include "html/spans.h"
#include "html/tag.h"

/* So many tags are looked at whether they are a node's. */
enum { MOST_TRIED = 64 };

bool em_is_unclosed(const em_page *page, const em_node *node)
{
    bool may_be = !em_is_there(node->start_tag) || em_is_there(node->end_tag) ||
                  em_node_is_void(page, node) ||
                  (node->ns == EM_NS_HTML && em_html_end_is_optional(node->name));
    return node->kind == EM_NODE_ELEMENT && !may_be;
}

static bool is_implied(const em_node *node)
{
    return node->kind == EM_NODE_ELEMENT && !em_is_there(node->start_tag);
}

static bool is_counted(const em_node *node)
{
    return node->kind == EM_NODE_ELEMENT && !(node->flaws & EM_FLAW_FOSTER);
}

size_t em_elements_written_in(const em_node *node)
{
    size_t count = 0;
    for (const em_node *child = node->first_child; child; child = child->next)
        count += is_counted(child) && !is_implied(child);
    return count;
}

bool em_is_of_text(const em_node *node)
{
    static const char *const names[] = {"a",    "abbr", "b",     "br",     "cite", "code",  "em",
                                        "font", "i",    "img",   "input",  "kbd",  "label", "mark",
                                        "q",    "s",    "small", "strong", "sub",  "sup",   "span",
                                        "time", "tt",   "u",     "var",    "wbr"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (em_node_is(node, names[i]))
            return true;
    return false;
}

size_t em_blocks_written_in(const em_node *node)
{
    size_t count = 0;
    for (const em_node *child = node->first_child; child; child = child->next)
        count += is_counted(child) && !is_implied(child) && !em_is_of_text(child);
    return count;
}

/* ---- What ends together ---------------------------------------------------------------------- */

/* Behind white space and what is no tag. */
static size_t skip_nothing(em_slice bytes, size_t at)
{
    for (;;) {
        if (at < bytes.len && em_html_space(bytes.ptr[at]))
            at++;
        else if (em_slice_starts(em_slice_from(bytes, at), EM_NO_TAG))
            at += EM_NO_TAG.len;
        else
            return at;
    }
}

bool em_ends_with_page(em_slice bytes, const em_node *node)
{
    size_t at = skip_nothing(bytes, node->whole.end);
    return at == bytes.len || em_ends_page_frame(bytes, at);
}

/* Has it no end tag of its own, and ends where `around` does? */
static bool ends_with(em_slice bytes, const em_node *node, const em_node *around)
{
    size_t end = node->whole.end, last = around->whole.end;
    if (em_is_there(node->end_tag) || end > last)
        return false;
    return em_html_blank(em_slice_sub(bytes, end, last)) ||
           (em_ends_with_page(bytes, node) && em_ends_with_page(bytes, around));
}

const em_node *em_unclosed_around(const em_page *page, const em_node *node)
{
    for (const em_node *around = node; around; around = around->parent) {
        if (is_implied(around))
            continue;
        if (!ends_with(page->bytes, node, around))
            return NULL;
        if (em_is_unclosed(page, around))
            return around;
    }
    return NULL;
}

/* The last element in `node`, if the page does not write its tags, or if it ends with `outer` and
 * has no end tag either; NULL. */
static const em_node *open_in(const em_page *page, const em_node *node, const em_node *outer)
{
    const em_node *last = node->last_child;
    while (last && !is_counted(last))
        last = last->previous;
    return last && (is_implied(last) || ends_with(page->bytes, last, outer)) ? last : NULL;
}

const em_node *em_unclosed_in(const em_page *page, const em_node *outer)
{
    const em_node *innermost = NULL, *node = em_is_there(outer->end_tag) ? NULL : outer;
    for (; node; node = open_in(page, node, outer))
        innermost = em_is_unclosed(page, node) ? node : innermost;
    return innermost;
}

/* ---- Tags that are lost ---------------------------------------------------------------------- */

/* Does a node's tag stand at `at`, or a comment around it? */
static bool is_known_tag(const em_page *page, size_t at)
{
    for (size_t i = 1; i < page->count; i++) {
        const em_node *node = page->nodes[i];
        if ((em_is_there(node->start_tag) && node->start_tag.start == at) ||
            (em_is_there(node->end_tag) && node->end_tag.start == at) ||
            (node->kind == EM_NODE_COMMENT && at >= node->whole.start && at < node->whole.end))
            return true;
    }
    return false;
}

/* What is looked for: an end tag of `outer`, or of what is around it, that is no node's. */
typedef struct search {
    const em_page *page;
    const em_node *outer;
    size_t tried;
} search;

/* Could an end tag of that name end the element, or one around it? */
static bool could_end(const em_node *outer, em_slice name)
{
    for (const em_node *around = outer; around; around = around->parent)
        if (around->kind == EM_NODE_ELEMENT && em_same_in_any_case(name, around->name))
            return true;
    return em_same_in_any_case(name, EM_LIT("html")) || em_same_in_any_case(name, EM_LIT("body"));
}

/* Are the tags of other elements nothing in it, where they begin, too? */
static bool takes_in_tags(const em_node *node)
{
    return node->ns == EM_NS_HTML &&
           (em_html_is_raw_text(node->name) || em_html_is_rcdata(node->name) ||
            em_node_is(node, "select") || em_node_is(node, "option"));
}

static bool counts_as_lost(const search *s, const em_node *node, size_t at)
{
    em_slice bytes = s->page->bytes;
    return em_tag_ends(bytes, at) ? could_end(s->outer, em_tag_name(bytes, at))
                                  : em_tag_starts(bytes, at) && takes_in_tags(node);
}

/* Does such a tag stand between the two in the node? Where there are very many that could be, it
 * does. */
static bool has_lost_tag_between(search *s, const em_node *node, size_t from, size_t to)
{
    for (size_t at = from; at < to; at++)
        if (s->page->bytes.ptr[at] == '<' && counts_as_lost(s, node, at) &&
            (++s->tried > MOST_TRIED || !is_known_tag(s->page, at)))
            return true;
    return false;
}

/* The same before, between and behind the elements and comments in `node`, from *at on. */
static bool has_lost_tag_in(search *s, const em_node *node, size_t *at)
{
    for (const em_node *child = node->first_child; child; child = child->next) {
        if (is_implied(child) && has_lost_tag_in(s, child, at))
            return true;
        if (is_implied(child) || child->kind == EM_NODE_TEXT || child->whole.start < *at)
            continue;
        if (has_lost_tag_between(s, node, *at, child->whole.start))
            return true;
        *at = child->whole.end;
    }
    return false;
}

static bool has_lost_tag(search *s, const em_node *node)
{
    size_t at = node->start_tag.end;
    return !is_implied(node) &&
           (has_lost_tag_in(s, node, &at) || has_lost_tag_between(s, node, at, node->whole.end));
}

/* The same of it, and of what is open in it: there end tags were taken for text, or for nothing,
 * and one of them may be its own. */
static bool has_lost_tags(const em_page *page, const em_node *outer)
{
    search s = {page, outer, 0};
    const em_node *node = outer;
    while (node && !has_lost_tag(&s, node))
        node = open_in(page, node, outer);
    return node != NULL;
}

size_t em_elements_up_to_end(const em_page *page, const em_node *outer)
{
    size_t count = 0;
    for (const em_node *node = outer; node; node = open_in(page, node, outer))
        count +=
            em_is_unclosed(page, outer) ? em_elements_written_in(node) : em_blocks_written_in(node);
    return count;
}

bool em_is_end_lost(const em_page *page, const em_node *node)
{
    bool is_open = em_unclosed_around(page, node) || em_unclosed_in(page, node);
    return is_open && has_lost_tags(page, node);
}
