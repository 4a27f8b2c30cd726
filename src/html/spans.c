/* spans.c: each span of the parser is compared with the bytes of the page. */
#include "html/spans.h"

#include "base/sorted.h"
#include "html/elements.h"
#include "html/foreign.h"
#include "html/tag.h"
#include "html/void_ends.h"

typedef struct em_checker {
    em_page *page;
    const em_prescan *scan;
    em_arena scratch;
    uint8_t *tags;      /* for each byte: how many nodes have a tag that begins there (0..2) */
    bool shared;        /* a tag has several nodes */
    size_t *frame_ends; /* where end tags of <body> and <html> begin, in their order */
    size_t frame_end_count;
    size_t page_end;    /* the first of those that have but white space and comments behind them;
                         * EM_NPOS: there is none */
    uint32_t broken_to; /* to here all nodes are marked by check_breakout() */
} em_checker;

typedef struct em_inner_extent {
    size_t start, end; /* of a node with its descendants; start > end: none is known */
} em_inner_extent;

static bool is_none(em_range range)
{
    return range.start == EM_NPOS;
}

static bool is_element(const em_node *node)
{
    return node->kind == EM_NODE_ELEMENT;
}

/* ---- Tags ------------------------------------------------------------------------------------ */

static bool is_heading(em_slice name)
{
    return name.len == 2 && em_to_lower(name.ptr[0]) == 'h' && name.ptr[1] >= '1' &&
           name.ptr[1] <= '6';
}

/* Does this end tag end that element, and not one around it? */
static bool ends_it(const em_checker *c, const em_node *node)
{
    em_slice masked = c->scan->masked;
    em_range end = node->end_tag, start = node->start_tag;
    if (is_none(end) || end.start == end.end || !em_tag_ends(masked, end.start))
        return false;
    if (is_none(start))
        return false;
    em_slice name = em_tag_name(masked, end.start);
    em_slice own = em_tag_name(masked, start.start);
    bool same = em_same_in_any_case(name, own) || (is_heading(name) && is_heading(own));
    return same && end.start >= start.end;
}

static void count_tag(em_checker *c, size_t at)
{
    c->shared |= c->tags[at] > 0;
    c->tags[at] = (uint8_t)(c->tags[at] < 2 ? c->tags[at] + 1 : 2);
}

/* A start tag that is none was made by the parser; an end tag that is another's is none. */
static void check_tags(em_checker *c)
{
    for (size_t i = 0; i < c->page->count; i++) {
        em_node *node = c->page->nodes[i];
        if (!is_element(node))
            continue;
        if (!is_none(node->start_tag) && !em_tag_starts(c->scan->masked, node->start_tag.start))
            node->start_tag = (em_range){EM_NPOS, EM_NPOS};
        if (!ends_it(c, node))
            node->end_tag = (em_range){EM_NPOS, EM_NPOS};
        if (is_none(node->start_tag))
            node->flaws |= EM_FLAW_IMPLIED;
        else
            count_tag(c, node->start_tag.start);
        if (!is_none(node->end_tag))
            count_tag(c, node->end_tag.start);
    }
}

/* A tag that made several nodes belongs to none of them. */
static void part_clones(em_checker *c)
{
    for (size_t i = 0; i < c->page->count && c->shared; i++) {
        em_node *node = c->page->nodes[i];
        if (!is_element(node))
            continue;
        if (!is_none(node->end_tag) && c->tags[node->end_tag.start] > 1)
            node->end_tag = (em_range){EM_NPOS, EM_NPOS};
        if (!is_none(node->start_tag) && c->tags[node->start_tag.start] > 1) {
            node->start_tag = node->end_tag = (em_range){EM_NPOS, EM_NPOS};
            node->flaws |= EM_FLAW_CLONED;
        }
    }
}

/* Is there code in the tag, outside of quotes? */
static bool holds_code(const em_prescan *scan, em_range tag)
{
    size_t next = EM_COUNT_BELOW(scan->code, scan->code_count, start, tag.start);
    return next < scan->code_count && scan->code[next].end <= tag.end;
}

static void find_code(em_checker *c)
{
    for (size_t i = 0; i < c->page->count && c->scan->code_count > 0; i++) {
        em_node *node = c->page->nodes[i];
        if (is_element(node) && !is_none(node->start_tag) && holds_code(c->scan, node->start_tag))
            node->flaws |= EM_FLAW_TEMPLATE;
    }
}

static const em_odd_tag *find_odd_tag(const em_prescan *scan, size_t start)
{
    size_t next = EM_COUNT_BELOW(scan->odd, scan->odd_count, start, start);
    return next < scan->odd_count && scan->odd[next].start == start ? &scan->odd[next] : NULL;
}

/* The tags that an odd one holds may be the ends of the elements that it stands in. */
static void find_odd(em_checker *c)
{
    for (size_t i = 0; i < c->page->count && c->scan->odd_count > 0; i++) {
        em_node *node = c->page->nodes[i];
        const em_odd_tag *odd = is_element(node) && !is_none(node->start_tag)
                                    ? find_odd_tag(c->scan, node->start_tag.start)
                                    : NULL;
        if (!odd || (odd->by_name && !is_none(node->end_tag)))
            continue;
        node->flaws |= EM_FLAW_ODD | (odd->unbound ? EM_FLAW_UNBOUND : 0);
        for (em_node *around = node->parent; around && odd->swallows; around = around->parent)
            around->flaws |= EM_FLAW_SWALLOWED;
    }
}

bool em_node_is_void(const em_page *page, const em_node *node)
{
    if (node->ns == EM_NS_HTML)
        return em_html_is_void(node->name);
    em_range tag = node->start_tag;
    return !node->first_child && node->end_tag.start == node->end_tag.end &&
           tag.end - tag.start > 2 && node->whole.end == tag.end &&
           page->bytes.ptr[tag.end - 2] == '/';
}

/* <html> and <body> go on behind their end tags, which the tree does not show. */
static bool is_page_frame(const em_node *node)
{
    return em_node_is(node, "html") || em_node_is(node, "body");
}

/* ---- Ends ------------------------------------------------------------------------------------ */

/* The parser keeps no end of a form: its end tag must stand right behind what it holds. */
static void repair_form(em_checker *c, em_node *node, size_t content_end)
{
    em_slice masked = c->scan->masked;
    if (!em_tag_ends(masked, content_end) || c->tags[content_end] > 0 ||
        !em_same_in_any_case(em_tag_name(masked, content_end), EM_LIT("form")))
        return;
    em_tag tag;
    em_tag_attr attr;
    em_tag_open(&tag, masked, content_end, NULL, NULL);
    while (em_tag_next(&tag, &attr))
        continue;
    if (tag.end == EM_NPOS)
        return;
    node->end_tag = (em_range){content_end, tag.end};
    count_tag(c, content_end);
}

static bool can_end_at(const em_checker *c, size_t at)
{
    em_slice masked = c->scan->masked;
    return at == masked.len || (at < masked.len && masked.ptr[at] == '<');
}

/* `content`: behind the last of its descendants. */
static void find_end(em_checker *c, em_node *node, size_t content)
{
    em_range tag = node->start_tag;
    size_t end = node->whole.end;
    if (em_node_is(node, "body") && !is_none(node->parent->end_tag) &&
        end > node->parent->end_tag.start)
        end = node->parent->end_tag.start; /* the parser has the end of the page there */
    bool foreign_void = node->ns != EM_NS_HTML && !node->first_child && is_none(node->end_tag) &&
                        c->scan->masked.ptr[tag.end - 2] == '/';
    if (em_node_is(node, "form") && is_none(node->end_tag))
        repair_form(c, node, content);
    if (foreign_void || (node->ns == EM_NS_HTML && em_html_is_void(node->name)))
        end = tag.end;
    else if (!is_none(node->end_tag))
        end = node->end_tag.end;
    else if ((end < content && !is_page_frame(node)) || !can_end_at(c, end))
        node->flaws |= EM_FLAW_NO_END;
    if (node->flaws & EM_FLAW_NO_END)
        end = tag.end;
    node->whole = (em_range){tag.start, end};
}

/* ---- What lies where ------------------------------------------------------------------------- */

static void widen(em_inner_extent *extent, em_inner_extent by)
{
    if (by.start > by.end)
        return;
    if (by.start < extent->start)
        extent->start = by.start;
    if (by.end > extent->end)
        extent->end = by.end;
}

bool em_ends_page_frame(em_slice bytes, size_t at)
{
    return at < bytes.len && em_tag_ends(bytes, at) &&
           (em_same_in_any_case(em_tag_name(bytes, at), EM_LIT("html")) ||
            em_same_in_any_case(em_tag_name(bytes, at), EM_LIT("body")));
}

/* Behind `at`, which may stand in white space, the end tag of <body> or <html> or a comment; `at`
 * where something else is there. */
static size_t skip_behind_body(em_slice bytes, size_t at)
{
    em_slice rest = em_slice_from(bytes, at);
    const char *closing = em_slice_starts(rest, EM_LIT("<!--")) ? "-->" : NULL;
    if (em_html_space(bytes.ptr[at]))
        return at + 1;
    if (em_ends_page_frame(bytes, at))
        closing = ">";
    const char *found = closing ? memmem(rest.ptr, rest.len, closing, strlen(closing)) : NULL;
    return found ? (size_t)(found - bytes.ptr) + strlen(closing) : at;
}

em_status em_page_tail(const em_page *page, size_t from, em_arena *arena, em_slice *tail)
{
    em_slice bytes = page->bytes;
    size_t length = 0;
    char *text = em_alloc_raw(arena, bytes.len - from);
    if (!text)
        return EM_E_NOMEM;
    for (size_t at = from, next; at < bytes.len; at = next) {
        next = skip_behind_body(bytes, at);
        if (next == at)
            return EM_E_INVALID;
        if (!em_html_space(bytes.ptr[at]) ||
            em_slice_starts(em_slice_from(bytes, at), EM_LIT("\r\n")))
            continue;
        text[length++] = bytes.ptr[at] == '\r' ? '\n' : bytes.ptr[at];
    }
    *tail = em_slice_make(text, length);
    return EM_OK;
}

static void check_frame(em_checker *c, em_node *node, em_inner_extent inside)
{
    em_slice tail;
    if (em_node_is(node, "body") &&
        em_page_tail(c->page, node->whole.end, &c->scratch, &tail) == EM_E_INVALID)
        node->flaws |= is_none(node->end_tag) ? EM_FLAW_FOSTER : EM_FLAW_TAILED;
    if (inside.start < node->start_tag.end && inside.start <= inside.end)
        node->flaws |= EM_FLAW_FOSTER;
}

/* The first end tag of the page at `at` or behind it. */
static size_t first_frame_end(const em_checker *c, size_t at)
{
    return em_count_below(c->frame_ends, c->frame_end_count, sizeof *c->frame_ends, 0, at);
}

/* What begins in the range is no tag: that is in a start tag, a comment, or a text without tags. */
static void note_tagless(const em_checker *c, em_range range, uint8_t *is_none_there)
{
    for (size_t i = first_frame_end(c, range.start);
         i < c->frame_end_count && c->frame_ends[i] < range.end; i++)
        is_none_there[i] = true;
}

static void note_cdata(const em_checker *c, em_range text, uint8_t *is_none_there)
{
    em_slice masked = c->scan->masked;
    for (size_t at = text.start, end; at < text.end; at = end) {
        const char *found = memmem(masked.ptr + at, text.end - at, EM_CDATA.ptr, EM_CDATA.len);
        if (!found)
            return;
        at = (size_t)(found - masked.ptr);
        const char *close = memmem(found, text.end - at, "]]>", 3);
        end = close ? (size_t)(close - masked.ptr) : text.end;
        note_tagless(c, (em_range){at, end}, is_none_there);
    }
}

/* Is all of it a text without tags? */
static bool is_raw(const em_node *node)
{
    const em_node *parent = node->parent;
    return node->kind == EM_NODE_COMMENT ||
           (parent && parent->ns == EM_NS_HTML &&
            (em_html_is_raw_text(parent->name) || em_html_is_rcdata(parent->name)));
}

static void note_tagless_of(const em_checker *c, const em_node *node, uint8_t *is_none_there)
{
    if (is_element(node) && !is_none(node->start_tag))
        note_tagless(c, node->start_tag, is_none_there);
    else if (!is_element(node) && is_raw(node))
        note_tagless(c, node->whole, is_none_there);
    else if (node->kind == EM_NODE_TEXT && node->parent && node->parent->ns != EM_NS_HTML)
        note_cdata(c, node->whole, is_none_there);
}

/* All that look like end tags of <body> and <html>. */
static em_status find_likely_ends(em_checker *c)
{
    em_slice masked = c->scan->masked;
    size_t room = 0;
    for (size_t at = 0;; at++) {
        const char *found = memmem(masked.ptr + at, masked.len - at, "</", 2);
        if (!found)
            return EM_OK;
        at = (size_t)(found - masked.ptr);
        if (!em_ends_page_frame(masked, at))
            continue;
        EM_TRY(em_arena_grow(&c->scratch, (void **)&c->frame_ends, c->frame_end_count, &room,
                             sizeof *c->frame_ends));
        c->frame_ends[c->frame_end_count++] = at;
    }
}

/* All end tags of <body> and <html>, though the parser keeps one of each at most. */
static em_status find_frame_ends(em_checker *c)
{
    EM_TRY(find_likely_ends(c));
    uint8_t *is_none_there = em_alloc(&c->scratch, c->frame_end_count + 1);
    size_t count = 0;
    if (!is_none_there)
        return EM_E_NOMEM;
    for (size_t i = 0; i < c->page->count && c->frame_end_count > 0; i++)
        note_tagless_of(c, c->page->nodes[i], is_none_there);
    for (size_t i = 0; i < c->frame_end_count; i++)
        if (!is_none_there[i])
            c->frame_ends[count++] = c->frame_ends[i];
    c->frame_end_count = count;
    return EM_OK;
}

/* The first of those that end the page: only white space and comments come with them. */
static void find_page_end(em_checker *c)
{
    size_t end = c->page->bytes.len;
    c->page_end = EM_NPOS;
    for (size_t i = c->frame_end_count; i-- > 0;) {
        size_t at = c->frame_ends[i], next = at;
        do
            at = next;
        while (at < end && (next = skip_behind_body(c->page->bytes, at)) != at);
        if (at != end)
            return;
        c->page_end = end = c->frame_ends[i];
    }
}

/* For HTML an open element goes on behind the end tags of the page. Where these are the end of it
 * but for white space, it ends before them, as anybody would say; else its end cannot be told. */
static void check_page_end(const em_checker *c, em_node *node)
{
    size_t first = first_frame_end(c, node->whole.start + 1);
    size_t end = first < c->frame_end_count ? c->frame_ends[first] : EM_NPOS;
    if (end >= node->whole.end)
        return;
    if (end >= c->page_end)
        node->whole.end = end;
    else
        node->flaws |= EM_FLAW_NO_END;
}

/* All that is in the range of an element is its descendant, and the other way round. */
static void check_inside(em_checker *c, em_node *node, em_inner_extent inside)
{
    if (is_page_frame(node)) {
        check_frame(c, node, inside);
        return;
    }
    if (is_none(node->end_tag))
        check_page_end(c, node);
    size_t end = is_none(node->end_tag) ? node->whole.end : node->end_tag.start;
    bool known = inside.start <= inside.end;
    if (known && (inside.start < node->start_tag.end ||
                  (inside.end > end && !(node->flaws & EM_FLAW_NO_END))))
        node->flaws |= EM_FLAW_FOSTER;
}

/* Siblings stand one behind the other. */
static void check_siblings(const em_node *parent, const em_inner_extent *extents)
{
    em_node *last = NULL; /* that reaches farthest */
    for (em_node *node = parent->first_child; node; node = node->next) {
        em_inner_extent here = extents[node->index];
        if (here.start > here.end)
            continue;
        if (last && here.start < extents[last->index].end) {
            node->flaws |= EM_FLAW_FOSTER;
            last->flaws |= EM_FLAW_FOSTER;
        }
        if (!last || here.end > extents[last->index].end)
            last = node;
    }
}

/* White space behind the end of the page is part of the last text for HTML, or a text where none
 * was, wherever that stands: its range ends with the page. */
static em_inner_extent extent_of_text(const em_checker *c, em_node *node)
{
    if (node->kind == EM_NODE_TEXT && node->whole.start >= c->page_end)
        return (em_inner_extent){EM_NPOS, 0};
    if (node->kind == EM_NODE_TEXT && node->whole.end > c->page_end)
        node->whole.end = c->page_end;
    return (em_inner_extent){node->whole.start, node->whole.end};
}

static em_inner_extent extent_of(em_checker *c, em_node *node, const em_inner_extent *extents)
{
    em_inner_extent inside = {EM_NPOS, 0};
    for (const em_node *child = node->first_child; child; child = child->next)
        widen(&inside, extents[child->index]);
    check_siblings(node, extents);
    if (!is_element(node)) {
        if (node->kind != EM_NODE_DOCUMENT && node->whole.end > 0)
            widen(&inside, extent_of_text(c, node));
        return inside;
    }
    if (node->flaws & (EM_FLAW_IMPLIED | EM_FLAW_CLONED)) {
        node->whole = (em_range){0, 0};
        return inside;
    }
    size_t content = inside.start <= inside.end && inside.end > node->start_tag.end
                         ? inside.end
                         : node->start_tag.end;
    find_end(c, node, content);
    check_inside(c, node, inside);
    if (is_page_frame(node))
        inside = (em_inner_extent){EM_NPOS, 0};
    widen(&inside, (em_inner_extent){node->whole.start, node->whole.end});
    return inside;
}

/* ---- What the parser is wrong about ---------------------------------------------------------- */

/* What an open <p> is not looked for behind. */
static bool bounds_p(const em_node *node)
{
    static const char *const names[] = {"applet", "button", "caption", "html", "marquee",
                                        "object", "table",  "td",      "th",   "template"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (em_node_is(node, names[i]))
            return true;
    return node->ns != EM_NS_HTML;
}

/* The <p> that `node` stands in though its start tag should have closed it. */
static const em_node *unclosed_p(const em_page *page, const em_node *node)
{
    bool closes = em_node_is(node, "dialog") || em_node_is(node, "search") ||
                  (em_node_is(node, "table") && !page->quirks);
    const em_node *around = closes ? node->parent : NULL;
    while (around && !em_node_is(around, "p") && !bounds_p(around))
        around = around->parent;
    return around && em_node_is(around, "p") ? around : NULL;
}

/* The content of these is another in truth: where each child of `parent` ends is not known. */
static void doubt(em_node *parent)
{
    parent->flaws |= EM_FLAW_NO_END;
    for (em_node *child = parent->first_child; child; child = child->next)
        child->flaws |= EM_FLAW_NO_END;
}

static void check_paragraph(const em_checker *c, const em_node *node)
{
    const em_node *p = unclosed_p(c->page, node);
    for (em_node *around = node->parent; p && around != p->parent; around = around->parent)
        doubt(around);
}

/* Can elements of HTML stand in it? */
static bool holds_html(const em_node *node)
{
    return node->ns == EM_NS_HTML || em_foreign_holds_html(node->name);
}

/* HTML makes a <p> of a "</p>" that ends none, and a <br> of "</br>". Among elements of SVG or
 * MathML it ends these before, which the parser does not: what comes behind is elsewhere, and may
 * go on around what is behind that. */
static void check_breakout(em_checker *c, const em_node *node)
{
    bool is_made =
        node->flaws & EM_FLAW_IMPLIED && (em_node_is(node, "p") || em_node_is(node, "br"));
    em_node *outermost = NULL;
    if (!is_made || holds_html(node->parent) || node->index < c->broken_to)
        return; /* what is around it was around the one before it, too */
    for (em_node *around = node->parent; !holds_html(around); around = around->parent)
        outermost = around;
    for (em_node *around = node->parent; is_element(around); around = around->parent)
        around->flaws |= is_page_frame(around) ? 0 : EM_FLAW_NO_END;
    c->broken_to = outermost->after;
    for (uint32_t i = node->index + 1; i < c->broken_to; i++)
        c->page->nodes[i]->flaws |= is_element(c->page->nodes[i]) ? EM_FLAW_NO_END : 0;
}

/* Is there an <hr> in the range of which the parser made nothing? */
static bool holds_lost_rule(const em_checker *c, em_range range)
{
    em_slice masked = c->scan->masked;
    for (size_t at = range.start; at + 3 < range.end; at++)
        if (em_tag_starts(masked, at) && c->tags[at] == 0 &&
            em_same_in_any_case(em_tag_name(masked, at), EM_LIT("hr")))
            return true;
    return false;
}

static void check_select(const em_checker *c, const em_node *node)
{
    if (!em_node_is(node, "select") || !holds_lost_rule(c, node->whole))
        return;
    for (size_t below = node->index + 1; below < node->after; below++)
        c->page->nodes[below]->flaws |= EM_FLAW_RULED;
}

/* From the last node to the first, so that children come before their parents. */
static em_status check_extents(em_checker *c)
{
    em_inner_extent *extents = em_alloc_raw(&c->scratch, c->page->count * sizeof *extents);
    if (!extents)
        return EM_E_NOMEM;
    for (size_t i = c->page->count; i > 0; i--)
        extents[i - 1] = extent_of(c, c->page->nodes[i - 1], extents);
    return EM_OK;
}

static void clear(em_range *range)
{
    if (is_none(*range))
        *range = (em_range){0, 0};
}

static void em_checker_drop(em_checker *c)
{
    em_arena_drop(&c->scratch);
}

em_status em_spans_check(em_page *page, const em_prescan *scan)
{
    EM_AUTO(em_checker) c = {.page = page, .scan = scan};
    c.tags = em_alloc(&c.scratch, scan->bytes.len + 1);
    if (!c.tags)
        return EM_E_NOMEM;
    check_tags(&c);
    part_clones(&c);
    find_code(&c);
    find_odd(&c);
    EM_TRY(find_frame_ends(&c));
    find_page_end(&c);
    EM_TRY(check_extents(&c));
    for (size_t i = 0; i < page->count; i++) {
        em_node *node = page->nodes[i];
        check_paragraph(&c, node);
        check_breakout(&c, node);
        check_select(&c, node);
        clear(&node->start_tag);
        clear(&node->end_tag);
    }
    return em_void_ends_check(page, scan);
}
