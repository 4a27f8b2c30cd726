#include "html/parse.h"

#include "base/pages.h"
#include "html/graft.h"
#include "html/parser.h"
#include "html/spans.h"

typedef struct em_builder {
    em_page *page;
    em_arena *arena;
    bool foreign;  /* what is parsed is to stand in an element of SVG or MathML */
    em_node *open; /* whose children come next */
    size_t room;   /* of page->nodes */
    em_node *pool; /* nodes to be used */
    size_t pooled;
} em_builder;

/* ---- Building -------------------------------------------------------------------------------- */

/* As long as the page is there, or a copy in the arena. */
static em_status keep(em_builder *b, em_slice text, em_slice *kept)
{
    em_slice page = b->page->bytes;
    uintptr_t from = (uintptr_t)page.ptr, at = (uintptr_t)text.ptr;
    if (text.len == 0 || (at >= from && at - from < page.len)) {
        *kept = text;
        return EM_OK;
    }
    char *copy = em_arena_string(b->arena, text);
    *kept = em_slice_make(copy, text.len);
    return copy ? EM_OK : EM_E_NOMEM;
}

/* Nodes come in lots as large as there are nodes already; most fragments have no more than the
 * first. */
static em_node *take_node(em_builder *b)
{
    enum { LEAST = 3, MOST = 1 << 16 };
    if (b->pooled == 0) {
        size_t count = b->page->count < LEAST ? LEAST : b->page->count;
        b->pooled = count < MOST ? count : MOST;
        b->pool = em_alloc_huge(b->arena, b->pooled * sizeof *b->pool);
    }
    if (!b->pool)
        return NULL;
    b->pooled--;
    *b->pool = (em_node){0};
    return b->pool++;
}

static em_status add(em_builder *b, em_node **added)
{
    em_page *page = b->page;
    void *nodes = page->nodes;
    EM_TRY(em_arena_grow(b->arena, &nodes, page->count, &b->room, sizeof *page->nodes));
    page->nodes = nodes;
    em_node *node = *added = take_node(b);
    if (!node)
        return EM_E_NOMEM;
    node->index = (uint32_t)page->count;
    node->after = node->index + 1;
    node->parent = b->open;
    if (b->open) {
        node->depth = b->open->depth + 1;
        node->previous = b->open->last_child;
        *(node->previous ? &node->previous->next : &b->open->first_child) = node;
        b->open->last_child = node;
    }
    page->nodes[page->count++] = node;
    return EM_OK;
}

static em_status build_document(void *context, bool has_doctype, bool quirks)
{
    em_builder *b = context;
    b->page->has_doctype = has_doctype;
    b->page->quirks = quirks;
    EM_TRY(add(b, &b->page->root));
    b->page->root->kind = EM_NODE_DOCUMENT;
    b->page->root->whole = (em_range){0, b->page->bytes.len};
    b->open = b->page->root;
    return EM_OK;
}

static em_status build_attrs(em_builder *b, const em_parsed *parsed, em_node *node)
{
    node->attr_count = (uint32_t)parsed->attr_count;
    node->attrs = em_alloc_array(b->arena, parsed->attr_count, sizeof *node->attrs);
    if (!node->attrs)
        return EM_E_NOMEM;
    for (size_t i = 0; i < parsed->attr_count; i++) {
        em_attr *attr = &node->attrs[i];
        EM_TRY(em_parsed_attr(parsed, i, attr));
        EM_TRY(keep(b, attr->name, &attr->name));
        EM_TRY(keep(b, attr->value, &attr->value));
        if (attr->raw_name.start == EM_NPOS) {
            attr->raw_name = attr->raw_value = (em_range){0, 0};
            node->flaws |= EM_FLAW_MERGED_ATTRS;
        }
    }
    return EM_OK;
}

/* The text of the node before goes on: text that was parted by CDATA, or that HTML moves there out
 * of a table. */
static em_status join_text(em_builder *b, em_node *node, const em_parsed *parsed)
{
    EM_TRY(em_graft_extend(node, parsed->text, b->arena));
    node->whole.end = parsed->raw.start == EM_NPOS ? node->whole.end : parsed->raw.end;
    return EM_OK;
}

/* Is it CDATA? The parser knows it only within elements of the fragment (see prescan.c). */
static bool is_cdata(const em_builder *b, const em_parsed *parsed)
{
    if (!b->foreign || b->open != b->page->root || parsed->kind != EM_NODE_COMMENT ||
        parsed->raw.start == EM_NPOS)
        return false;
    em_slice raw = em_slice_sub(b->page->bytes, parsed->raw.start, parsed->raw.end);
    return em_slice_starts(raw, EM_CDATA) && em_slice_is(em_slice_from(raw, raw.len - 3), "]]>");
}

/* The comment "[CDATA[...]]" as the text that it should be. */
static em_parsed text_of_cdata(const em_parsed *comment)
{
    em_parsed text = *comment;
    text.kind = EM_NODE_TEXT;
    text.text =
        em_slice_sub(comment->text, sizeof "[CDATA[" - 1, comment->text.len - (sizeof "]]" - 1));
    return text;
}

static em_status build_node(void *context, const em_parsed *parsed)
{
    em_builder *b = context;
    em_node *node = b->open->last_child;
    if (is_cdata(b, parsed)) {
        em_parsed text = text_of_cdata(parsed);
        return text.text.len > 0 ? build_node(b, &text) : EM_OK;
    }
    if (parsed->kind == EM_NODE_TEXT && node && node->kind == EM_NODE_TEXT)
        return join_text(b, node, parsed);
    EM_TRY(add(b, &node));
    node->kind = parsed->kind;
    node->ns = parsed->ns;
    if (node->kind != EM_NODE_ELEMENT) {
        if (parsed->raw.start != EM_NPOS)
            node->whole = parsed->raw;
        return keep(b, parsed->text, &node->text);
    }
    node->start_tag = parsed->start_tag;
    node->end_tag = parsed->end_tag;
    node->whole = (em_range){parsed->start_tag.start, parsed->end};
    EM_TRY(keep(b, parsed->name, &node->name));
    b->open = node;
    return build_attrs(b, parsed, node);
}

static em_status build_leave(void *context)
{
    em_builder *b = context;
    b->open->after = (uint32_t)b->page->count;
    b->open = b->open->parent;
    return EM_OK;
}

/* Most pages have an element for each start tag, and a text behind each tag at most. */
static em_status expect_nodes(em_builder *b, const em_prescan *scan)
{
    enum { FRAMES = 8 /* the document, <html>, <head>, <body>, and what is between them */ };
    b->room = FRAMES + 2 * scan->start_tags + scan->end_tags;
    b->page->nodes = em_alloc_raw(b->arena, b->room * sizeof *b->page->nodes);
    return b->page->nodes ? EM_OK : EM_E_NOMEM;
}

/* `parent`: among whose children it is to stand; NULL: it is a page. */
static em_status run(em_slice bytes, const em_node *parent, em_parser_memory *memory,
                     em_deadline *deadline, em_arena *arena, em_page *page, em_error *err)
{
    EM_AUTO(em_arena) scratch = {0};
    em_prescan scan;
    *page = (em_page){.bytes = bytes, .memory = memory};
    em_parse_context context =
        parent ? (em_parse_context){parent->name, parent->ns} : (em_parse_context){0};
    em_builder builder = {.page = page, .arena = arena, .foreign = context.ns != EM_NS_HTML};
    em_parse_visitor visitor = {build_document, build_node, build_leave, &builder};
    EM_TRY(em_prescan_part(bytes, parent, &scratch, &scan, err));
    EM_TRY(expect_nodes(&builder, &scan));
    page->coded = scan.piece_count > 0;
    page->directed = scan.directed;
    page->doubtful = scan.doubt_count > 0;
    EM_TRY(em_parser_run(&scan, parent ? &context : NULL, memory, deadline, &visitor, err));
    page->root->after = (uint32_t)page->count;
    return em_spans_check(page, &scan);
}

em_status em_page_parse(em_slice bytes, em_deadline *deadline, em_arena *arena, em_page *page,
                        em_error *err)
{
    return run(bytes, NULL, NULL, deadline, arena, page, err);
}

em_status em_page_parse_in(em_parser_memory *memory, em_slice bytes, em_deadline *deadline,
                           em_arena *arena, em_page *page, em_error *err)
{
    return run(bytes, NULL, memory, deadline, arena, page, err);
}

em_status em_fragment_parse(em_slice bytes, const em_node *context, em_deadline *deadline,
                            em_arena *arena, em_page *page, em_error *err)
{
    return run(bytes, context, NULL, deadline, arena, page, err);
}

/* The node that comes after `node` in document order; NULL behind the last. */
static em_node *following(em_node *node)
{
    if (node->first_child)
        return node->first_child;
    while (node && !node->next)
        node = node->parent;
    return node ? node->next : NULL;
}

void em_page_number(em_page *page, em_node **nodes)
{
    size_t count = 0;
    em_node *open = page->root;
    for (em_node *node = page->root; node; node = following(node)) {
        for (; open != node->parent && open != node; open = open->parent)
            open->after = (uint32_t)count;
        node->index = (uint32_t)count;
        node->depth = node->parent ? node->parent->depth + 1 : 0;
        nodes[count++] = node;
        node->after = (uint32_t)count;
        open = node;
    }
    for (; open; open = open->parent)
        open->after = (uint32_t)count;
    page->nodes = nodes;
    page->count = count;
}
