#include "dom/guard.h"

#include "base/ascii.h"
#include "base/utf8.h"
#include "html/parser.h"
#include "html/readings.h"
#include "html/tag.h"

#include <stdio.h>

/* How a visitor says that something differs; it ends the walk. */
enum { DIFFERS = EM_E_NO_MATCH };

typedef struct em_guard {
    const em_page *expected;
    em_node *parent; /* whose children are compared */
    em_node *next;   /* the child that should come; NULL: none */
    em_slice text;   /* what is left of the text before it */
    bool part;       /* it is a part of a page */
    bool begun;      /* something else than white space, comments and code was there */
    size_t depth;    /* of the element that was entered last */
    unsigned frames; /* bit n: that at depth n is one that the page does not write */
    em_guard_finding *finding;
} em_guard;

/* ---- What is told ---------------------------------------------------------------------------- */

enum { SHOWN_MOST = 30 /* bytes of a name or text */ };

/* With "\n" for a line break, which may be all that differs. */
static void write_text(em_slice text, char out[2 * SHOWN_MOST + 1])
{
    size_t length = em_utf8_floor(text, SHOWN_MOST);
    for (size_t i = 0; i < length; i++) {
        char byte = text.ptr[i];
        char letter = byte == '\n' ? 'n' : byte == '\r' ? 'r' : byte == '\t' ? 't' : '\0';
        if (letter)
            *out++ = '\\';
        *out++ = letter ? letter : byte == '\f' ? ' ' : byte;
    }
    *out = '\0';
}

static void show(char *out, size_t room, em_node_kind kind, em_slice name, em_slice text)
{
    char shown[2 * SHOWN_MOST + 1];
    if (kind == EM_NODE_ELEMENT) {
        snprintf(out, room, "<%.*s>", (int)em_utf8_floor(name, SHOWN_MOST), name.ptr);
        return;
    }
    write_text(text, shown);
    snprintf(out, room, "%s \"%s\"", kind == EM_NODE_TEXT ? "the text" : "a comment", shown);
}

static void show_expected(em_guard *g)
{
    em_guard_finding *f = g->finding;
    if (g->text.len > 0)
        show(f->meant, sizeof f->meant, EM_NODE_TEXT, g->text, g->text);
    else if (g->next)
        show(f->meant, sizeof f->meant, g->next->kind, g->next->name, g->next->text);
    else
        snprintf(f->meant, sizeof f->meant, "nothing more");
    if (g->parent && g->parent->kind == EM_NODE_ELEMENT)
        show(f->within, sizeof f->within, EM_NODE_ELEMENT, g->parent->name, g->parent->name);
    else
        snprintf(f->within, sizeof f->within, "the page");
}

/* ---- Why it is so --------------------------------------------------------------------------- */

/* Is one of these, which have a blank around each, the name? */
static bool is_named(const em_node *node, const char *list)
{
    char wanted[16];
    if (!node || node->kind != EM_NODE_ELEMENT || node->ns != EM_NS_HTML ||
        node->name.len + 3 > sizeof wanted)
        return false;
    snprintf(wanted, sizeof wanted, " %.*s ", (int)node->name.len, node->name.ptr);
    return strstr(list, wanted) != NULL;
}

/* What ends a <p> that is open. */
static bool ends_paragraph(const em_node *node)
{
    return is_named(node, " address article aside blockquote center details dialog dir div dl "
                          "fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup "
                          "hr li listing main menu nav ol p plaintext pre search section summary "
                          "table ul xmp dd dt ");
}

static const em_node *ancestor_named(const em_node *node, const char *name)
{
    while (node && !em_node_is(node, name))
        node = node->parent;
    return node;
}

/* The element `next` is to stand in `parent`, and does not. */
static const char *why_not_in(const em_node *parent, const em_node *next)
{
    static const char *const never_within[] = {"form", "a", "button", "nobr"};
    static const char *const why_within[] = {
        "HTML has no <form> in a <form>", "HTML has no <a> in an <a>",
        "HTML has no <button> in a <button>", "HTML has no <nobr> in a <nobr>"};
    for (size_t i = 0; i < sizeof never_within / sizeof *never_within; i++)
        if (em_node_is(next, never_within[i]) && ancestor_named(parent, never_within[i]))
            return why_within[i];
    if (ends_paragraph(next) && ancestor_named(parent, "p"))
        return "HTML ends a <p> before such an element, which cannot stand in it";
    if (is_named(next, " h1 h2 h3 h4 h5 h6 ") && is_named(parent, " h1 h2 h3 h4 h5 h6 "))
        return "HTML ends a heading before the next one";
    if (is_named(next, " li option optgroup dd dt rt rp ") &&
        is_named(parent, " li option dd dt rt rp "))
        return "HTML ends such an element before the next of its kind";
    if (em_node_is(next, "table"))
        return "HTML moves what is no part of a table out of it: text and other elements stand in "
               "<td>, <th> and <caption>";
    return parent && parent->ns != EM_NS_HTML && next->ns == EM_NS_HTML
               ? "HTML ends SVG and MathML before an element of its own"
               : "";
}

/* Do these tags frame a page? */
static bool frames(em_namespace ns, em_slice name)
{
    return ns == EM_NS_HTML &&
           (em_slice_is(name, "html") || em_slice_is(name, "head") || em_slice_is(name, "body"));
}

/* An element without an end tag that was to end, and takes in more; NULL. */
static const em_node *open_end(const em_guard *g)
{
    const em_node *node = g->text.len == 0 && !g->next ? g->parent : NULL;
    bool is_open = node && node->kind == EM_NODE_ELEMENT && em_is_there(node->start_tag) &&
                   !em_is_there(node->end_tag) && !frames(node->ns, node->name);
    return is_open ? node : NULL;
}

static void explain(em_guard *g, const em_parsed *found)
{
    const char *why = "";
    const em_node *open = found ? open_end(g) : NULL;
    bool row = found && found->kind == EM_NODE_ELEMENT && em_slice_is(found->name, "tr");
    if (g->text.len == 0 && g->next && g->next->kind == EM_NODE_ELEMENT)
        why = why_not_in(g->parent, g->next);
    else if (g->text.len == 0 && row && is_named(g->parent, " tbody thead tfoot "))
        why = "a row at the end of a table goes into what its last row stands in; insert it with "
              "afterend of that row";
    if (!why[0] && found && g->parent && em_node_is_slashed(g->expected, g->parent))
        why = "the \"/\" in its tag ends no element of HTML; write its end tag behind it first";
    snprintf(g->finding->why, sizeof g->finding->why, "%s", why);
    if (!why[0] && open)
        snprintf(g->finding->why, sizeof g->finding->why,
                 "this <%.*s> has no end tag and takes in what comes behind it; give it with "
                 "</%.*s>",
                 (int)em_utf8_floor(open->name, SHOWN_MOST), open->name.ptr,
                 (int)em_utf8_floor(open->name, SHOWN_MOST), open->name.ptr);
}

static em_status differs(em_guard *g, const em_parsed *found)
{
    em_guard_finding *f = g->finding;
    show_expected(g);
    explain(g, found);
    if (found)
        show(f->found, sizeof f->found, found->kind, found->name, found->text);
    else
        snprintf(f->found, sizeof f->found, "nothing more");
    return (em_status)DIFFERS;
}

static em_status attrs_differ(em_guard *g, const em_node *node)
{
    em_guard_finding *f = g->finding;
    show(f->within, sizeof f->within, EM_NODE_ELEMENT, node->name, node->name);
    snprintf(f->meant, sizeof f->meant, "the attributes as asked for");
    snprintf(f->found, sizeof f->found, "others");
    return (em_status)DIFFERS;
}

/* ---- Comparing ------------------------------------------------------------------------------- */

/* A text, or code in braces (or a comment of Razor) as it is written: whether that is a text or a
 * comment the tags before it decide, and an edit may have changed these. */
static bool reads_as_text(const em_guard *g, const em_parsed *node, em_slice *text)
{
    em_slice bytes = g->expected->bytes;
    em_range raw = node->raw;
    bool is_code = node->kind == EM_NODE_COMMENT && raw.start < raw.end && raw.end <= bytes.len &&
                   em_is_one_of(bytes.ptr[raw.start], "{@");
    *text = is_code ? em_slice_sub(bytes, raw.start, raw.end) : node->text;
    return is_code || node->kind == EM_NODE_TEXT;
}

/* ---- Parts of pages -------------------------------------------------------------------------- */

enum { FRAMES_DEEPEST = 2 /* <head> and <body> are in <html> */ };

/* Is it <html>, <head> or <body>, and not written? */
static bool is_frame(const em_node *node)
{
    return node->kind == EM_NODE_ELEMENT && node->flaws & EM_FLAW_IMPLIED &&
           !(node->flaws & EM_FLAW_MERGED_ATTRS) && frames(node->ns, node->name);
}

static bool is_part(const em_page *page)
{
    bool part = !page->has_doctype;
    for (const em_node *node = page->root->first_child; node; node = node->next) {
        if (!em_node_is(node, "html"))
            continue;
        part &= is_frame(node);
        for (const em_node *child = node->first_child; child; child = child->next)
            part &= !frames(child->ns, child->name) || is_frame(child);
    }
    return part;
}

/* The next node is one in a frame, or behind it, as if that were not there. */
static void pass_frames(em_guard *g)
{
    while (g->part) {
        if (g->next && is_frame(g->next)) {
            g->parent = g->next;
            g->next = g->parent->first_child;
        } else if (!g->next && is_frame(g->parent)) {
            g->next = g->parent->next;
            g->parent = g->parent->parent;
        } else {
            return;
        }
    }
}

/* HTML drops white space before all else, but not where code is text there. */
static void drop_blanks(const em_guard *g, em_slice *text)
{
    while (g->part && !g->begun && text->len > 0 && em_html_space(text->ptr[0]))
        *text = em_slice_from(*text, 1);
}

/* ---- Comparing, node by node ----------------------------------------------------------------- */

/* All text that should come before the next other node was met, when nothing is left in `text`;
 * the texts between are passed. */
static void take_text(em_guard *g)
{
    drop_blanks(g, &g->text);
    for (pass_frames(g); g->text.len == 0 && g->next; pass_frames(g)) {
        em_parsed node = {.kind = g->next->kind, .text = g->next->text, .raw = g->next->whole};
        em_slice text;
        if (!reads_as_text(g, &node, &text))
            return;
        g->text = text;
        g->next = g->next->next;
        drop_blanks(g, &g->text);
    }
}

static em_status compare_text(em_guard *g, const em_parsed *parsed)
{
    em_slice found = parsed->text;
    for (drop_blanks(g, &found); found.len > 0; drop_blanks(g, &found)) {
        take_text(g);
        size_t part = found.len < g->text.len ? found.len : g->text.len;
        if (part == 0 || memcmp(found.ptr, g->text.ptr, part) != 0)
            return differs(g, parsed);
        g->begun |= found.ptr[0] != '{';
        found = em_slice_from(found, part);
        g->text = em_slice_from(g->text, part);
    }
    return EM_OK;
}

/* Names of foreign attributes that are new have the case that their author gave them. */
static bool same_attr_name(const em_node *node, em_slice a, em_slice b)
{
    return node->ns == EM_NS_HTML ? em_slice_eq(a, b) : em_same_in_any_case(a, b);
}

static em_status compare_attrs(em_guard *g, const em_node *node, const em_parsed *parsed)
{
    if (node->attr_count != parsed->attr_count)
        return attrs_differ(g, node);
    for (size_t i = 0; i < node->attr_count; i++) {
        em_attr found;
        EM_TRY(em_parsed_attr(parsed, i, &found));
        if (!same_attr_name(node, node->attrs[i].name, found.name) ||
            !em_slice_eq(node->attrs[i].value, found.value))
            return attrs_differ(g, node);
    }
    return EM_OK;
}

static em_status guard_document(void *context, bool has_doctype, bool quirks)
{
    em_guard *g = context;
    const em_page *page = g->expected;
    g->parent = page->root;
    g->next = page->root->first_child;
    g->part = is_part(page);
    if (has_doctype == page->has_doctype && quirks == page->quirks)
        return EM_OK;
    snprintf(g->finding->within, sizeof g->finding->within, "the page");
    snprintf(g->finding->meant, sizeof g->finding->meant, "the doctype");
    snprintf(g->finding->found, sizeof g->finding->found, "another");
    return (em_status)DIFFERS;
}

/* Note the depth of an element. Is it a frame of a part? Frames stand in each other alone. */
static bool enters_frame(em_guard *g, const em_parsed *parsed)
{
    unsigned bit = ++g->depth <= FRAMES_DEEPEST ? 1U << g->depth : 0;
    bool frame =
        g->part && bit && parsed->start_tag.start == EM_NPOS && frames(parsed->ns, parsed->name);
    g->frames = frame ? g->frames | bit : g->frames & ~bit;
    return frame;
}

static em_status guard_enter(void *context, const em_parsed *parsed)
{
    em_guard *g = context;
    em_parsed text = {.kind = EM_NODE_TEXT};
    if (reads_as_text(g, parsed, &text.text))
        return compare_text(g, &text);
    if (parsed->kind == EM_NODE_ELEMENT && enters_frame(g, parsed))
        return EM_OK;
    take_text(g);
    em_node *node = g->next;
    if (g->text.len > 0 || !node || node->kind != parsed->kind)
        return differs(g, parsed);
    g->next = node->next;
    if (node->kind == EM_NODE_COMMENT) {
        g->next = em_slice_eq(node->text, parsed->text) ? node->next : node;
        return g->next == node ? differs(g, parsed) : EM_OK;
    }
    if (node->ns != parsed->ns || !em_slice_eq(node->name, parsed->name)) {
        g->next = node;
        return differs(g, parsed);
    }
    g->begun = true;
    g->parent = node;
    g->next = node->first_child;
    return compare_attrs(g, node, parsed);
}

static em_status all_met(em_guard *g)
{
    take_text(g);
    return g->text.len > 0 || g->next ? differs(g, NULL) : EM_OK;
}

static em_status guard_leave(void *context)
{
    em_guard *g = context;
    bool frame = g->depth <= FRAMES_DEEPEST && g->frames & 1U << g->depth;
    g->depth--;
    if (frame)
        return EM_OK;
    EM_TRY(all_met(g));
    g->next = g->parent->next;
    g->parent = g->parent->parent;
    return EM_OK;
}

em_status em_guard_check(const em_page *expected, em_deadline *deadline, em_guard_finding *finding)
{
    EM_AUTO(em_arena) scratch = {0};
    em_prescan scan;
    em_error err = EM_ERROR_INIT;
    em_guard guard = {.expected = expected, .finding = finding};
    em_parse_visitor visitor = {guard_document, guard_enter, guard_leave, &guard};
    *finding = (em_guard_finding){0};
    em_status status = em_prescan_page(expected->bytes, &scratch, &scan, &err);
    if (status == EM_OK)
        status = em_parser_run(&scan, NULL, expected->memory, deadline, &visitor, &err);
    if (status == EM_OK)
        status = all_met(&guard);
    if (status == EM_E_NOMEM || status == EM_E_TIMEOUT)
        return status;
    finding->same = status == EM_OK;
    if (!finding->same && finding->meant[0] == '\0') {
        snprintf(finding->within, sizeof finding->within, "the file");
        snprintf(finding->meant, sizeof finding->meant, "a page that can be read");
        snprintf(finding->found, sizeof finding->found, "%.90s", err.detail);
    }
    return EM_OK;
}
