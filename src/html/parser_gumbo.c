/* parser_gumbo.c: the parser is gumbo.
 *
 * Gumbo does not check for want of memory, and takes time that grows with the square of some
 * inputs. So it gets its memory here, in a heap that needs nothing back, and is left by a long
 * jump when there is no more, or no more time. The tree is walked without recursion.
 *
 * How deep a page is only the tree tells: elements close each other, are opened again and moved. So
 * the tree is looked at while it grows, and left when it is too deep; what gumbo does for a tag
 * takes time that grows with the depth at which it stands. Between two looks it gets but a little
 * deeper, and in the end the limit is held exactly. One place is not looked into: rows that stand
 * directly in a <template>, before what was moved out of them; there the budget and the deadline
 * hold until the end.
 */
#include "html/parser.h"

#include "base/ascii.h"
#include "base/sorted.h"
#include "html/tag.h"

#include <gumbo.h>
#include <setjmp.h>

/* What a page may take: a node of gumbo's has some 150 bytes, and a tag at least three. */
enum { HEAP_LEAST = 32 << 20, HEAP_PER_BYTE = 96 };

/* The deadline, and the depth of the tree, are looked at now and then. */
enum { WORK_PER_REQUEST = 64, REQUESTS_A_LOOK = 64 };

/* How deep an element may stand: <html> is at 1. */
enum { DEEPEST = 2 + EM_MAX_NESTING };

/* The tree while it grows. */
typedef struct em_growth {
    const GumboOutput *output; /* zero as far as it is not written yet */
    unsigned int seen, last;   /* children of the root: looked at; the place of the last element */
    const GumboNode *element;  /* which that is */
} em_growth;

typedef struct em_heap {
    em_parser_memory *memory;
    size_t left; /* of the budget, to which nothing comes back */
    uint64_t requests;
    em_growth growth;          /* its output is what gumbo asks for first */
    const GumboNode *too_deep; /* the element for which the parser was left */
    em_deadline *deadline;
    em_status status;
    jmp_buf out;
} em_heap;

/* What em_parsed.attrs is. */
typedef struct em_gumbo_attrs {
    struct em_walk *walk;
    const GumboElement *element;
} em_gumbo_attrs;

/* What gumbo gets: the masked page without its gaps. It would take "svg " in "</svg >" for the
 * name, "</><b>" for the tag, and text at the end of a form for a part of that behind it. */
typedef struct em_fed {
    em_slice bytes;
    size_t *places, *left_out; /* of each gap: where it was; what is left out up to there, of which
                                * what is put in is taken off (modulo 2^64) */
    size_t count;
    em_arena arena;
} em_fed;

typedef struct em_walk {
    const em_prescan *scan;
    em_fed fed;
    const em_parse_visitor *visitor;
    em_error *err;
    size_t depth;     /* elements entered */
    em_arena scratch; /* what was restored of the node of the moment */
    em_gumbo_attrs attrs;
} em_walk;

static void em_walk_drop(em_walk *walk)
{
    em_arena_drop(&walk->fed.arena);
    em_arena_drop(&walk->scratch);
}

/* ---- Depth ----------------------------------------------------------------------------------- */

static const GumboVector *children_of(const GumboNode *node)
{
    static const GumboVector none;
    if (node->type == GUMBO_NODE_DOCUMENT)
        return &node->v.document.children;
    if (node->type == GUMBO_NODE_ELEMENT || node->type == GUMBO_NODE_TEMPLATE)
        return &node->v.element.children;
    return &none;
}

static bool is_element(const GumboNode *node)
{
    return node->type == GUMBO_NODE_ELEMENT || node->type == GUMBO_NODE_TEMPLATE;
}

/* Is what is put there, and does not belong there, moved to before the table? */
static bool moves_out(const GumboNode *node)
{
    if (!is_element(node))
        return false;
    switch (node->v.element.tag) {
    case GUMBO_TAG_TABLE:
    case GUMBO_TAG_TBODY:
    case GUMBO_TAG_THEAD:
    case GUMBO_TAG_TFOOT:
    case GUMBO_TAG_TR:
        return true;
    default:
        return false;
    }
}

/* Was `node` moved out of `table`, and nothing put into the table since? */
static bool is_moved_out(const GumboNode *node, const GumboNode *table)
{
    uint64_t made = em_parser_memory_number(node);
    for (const GumboNode *newest = table; em_parser_memory_number(newest) < made;) {
        const GumboVector *children = children_of(newest);
        if (!moves_out(newest) || children->length == 0)
            return true;
        newest = children->data[children->length - 1];
    }
    return false;
}

/* The child to which the parser adds, if it adds to one of them: `last` is the last element. */
static const GumboNode *growing(const GumboVector *children, unsigned int last)
{
    const GumboNode *node = children->data[last];
    const GumboNode *before = last > 0 ? children->data[last - 1] : NULL;
    bool moved = before && is_element(before) && is_element(node) &&
                 node->v.element.tag == GUMBO_TAG_TABLE && is_moved_out(before, node);
    return moved ? before : node;
}

/* The same for <html>: any number of comments can stand behind its <body>, so each child is looked
 * at but once, and more of them where the one that was found has moved (a <frameset> takes the
 * place of <body>). */
static const GumboNode *growing_of_root(em_growth *growth)
{
    const GumboVector *children = children_of(growth->output->root);
    unsigned int at = growth->last;
    bool stayed = at < children->length && children->data[at] == growth->element;
    for (unsigned int i = stayed ? growth->seen : at; i < children->length; i++)
        if (is_element(children->data[i])) {
            growth->element = children->data[i];
            growth->last = i;
        }
    growth->seen = children->length;
    return growth->last < children->length ? growing(children, growth->last) : NULL;
}

/* The element that is the first too deep, of those the parser is in; NULL: none. */
static const GumboNode *find_too_deep(em_growth *growth)
{
    if (!growth->output || !growth->output->root)
        return NULL;
    const GumboNode *node = growing_of_root(growth);
    for (size_t depth = 2; node && is_element(node) && depth <= DEEPEST; depth++) {
        const GumboVector *children = children_of(node);
        node = children->length > 0 ? growing(children, children->length - 1) : NULL;
    }
    return node && is_element(node) ? node : NULL;
}

/* ---- Memory ---------------------------------------------------------------------------------- */

/* Leave the parser. */
static _Noreturn void heap_fail(em_heap *heap, em_status status)
{
    heap->status = status;
    longjmp(heap->out, 1);
}

/* Apart from heap_give(), which is called for each name and value, and has to be short. */
static __attribute__((noinline)) void heap_look(em_heap *heap)
{
    if (em_deadline_spend(heap->deadline, WORK_PER_REQUEST * REQUESTS_A_LOOK))
        heap_fail(heap, EM_E_TIMEOUT);
    heap->too_deep = find_too_deep(&heap->growth);
    if (heap->too_deep)
        heap_fail(heap, EM_E_INVALID);
}

static void *heap_give(void *userdata, size_t size)
{
    em_heap *heap = userdata;
    size = (size + EM_PARSER_UNIT - 1) / EM_PARSER_UNIT * EM_PARSER_UNIT;
    if (size > heap->left)
        heap_fail(heap, EM_E_INVALID);
    if (heap->requests % REQUESTS_A_LOOK == 0)
        heap_look(heap);
    void *given = em_parser_memory_give(heap->memory, size, heap->requests);
    if (!given)
        heap_fail(heap, EM_E_NOMEM);
    heap->left -= size;
    if (heap->requests++ == 0 && size >= sizeof(GumboOutput))
        heap->growth.output = memset(given, 0, size);
    return given;
}

static void heap_take(void *userdata, void *given)
{
    em_heap *heap = userdata;
    em_parser_memory_take(heap->memory, given);
}

/* ---- What gumbo gets ------------------------------------------------------------------------- */

static em_status feed(em_fed *fed, const em_prescan *scan)
{
    em_slice masked = fed->bytes = scan->masked;
    if (scan->gap_count == 0)
        return EM_OK;
    char *bytes = em_alloc_raw(&fed->arena, masked.len + scan->gap_count * EM_PAUSE.len);
    fed->places = em_alloc_array(&fed->arena, scan->gap_count, sizeof *fed->places);
    fed->left_out = em_alloc_array(&fed->arena, scan->gap_count, sizeof *fed->left_out);
    if (!bytes || !fed->places || !fed->left_out)
        return EM_E_NOMEM;
    size_t from = 0, length = 0;
    for (; fed->count < scan->gap_count; fed->count++) {
        em_page_gap gap = scan->gaps[fed->count];
        memcpy(bytes + length, masked.ptr + from, gap.range.start - from);
        length += gap.range.start - from;
        from = gap.range.end;
        fed->places[fed->count] = length;
        if (gap.is_pause) {
            memcpy(bytes + length, EM_PAUSE.ptr, EM_PAUSE.len);
            length += EM_PAUSE.len;
            fed->places[fed->count] = length - 1; /* a tag begins behind it */
        }
        fed->left_out[fed->count] = from - length;
    }
    memcpy(bytes + length, masked.ptr + from, masked.len - from);
    fed->bytes = em_slice_make(bytes, length + masked.len - from);
    return EM_OK;
}

/* Where in the page that stands which gumbo got at `at`. */
static size_t place_of(const em_fed *fed, size_t at)
{
    size_t gaps = em_count_below(fed->places, fed->count, sizeof *fed->places, 0, at);
    return gaps > 0 ? at + fed->left_out[gaps - 1] : at;
}

/* ---- What gumbo gives ------------------------------------------------------------------------ */

/* A piece of the page, which gumbo may also take from elsewhere (<isindex>). */
static em_range range_of(const em_walk *walk, GumboStringPiece piece)
{
    em_slice fed = walk->fed.bytes;
    uintptr_t from = (uintptr_t)fed.ptr, at = (uintptr_t)piece.data;
    if (!piece.data || at < from || at - from > fed.len || piece.length > fed.len - (at - from))
        return (em_range){EM_NPOS, EM_NPOS};
    return (em_range){place_of(&walk->fed, at - from),
                      place_of(&walk->fed, at - from + piece.length)};
}

/* Text of the page where it says the same, so that nobody needs to copy it. */
static em_status text_of(em_walk *walk, em_range raw, em_slice decoded, em_slice *out)
{
    *out = decoded;
    if (raw.start == EM_NPOS)
        return EM_OK;
    if (raw.end - raw.start >= decoded.len) {
        em_slice same = em_slice_sub(walk->scan->bytes, raw.start, raw.start + decoded.len);
        if (em_slice_eq(same, decoded)) {
            *out = same;
            return EM_OK;
        }
    }
    return em_prescan_restore(walk->scan, raw, decoded, &walk->scratch, out);
}

/* Where the name of a tag ends, behind which code can stand. */
static size_t name_end(const em_prescan *scan, em_range name)
{
    for (size_t i = name.start; i < name.end; i++)
        if (em_is_one_of(scan->bytes.ptr[i], "<{") && em_html_space(scan->masked.ptr[i]))
            return i;
    return name.end;
}

/* The name in a start tag of the page, where the parser saw another one; empty where it did not. */
static em_slice name_behind(const em_walk *walk, em_range tag)
{
    em_tag own;
    bool is_masked = walk->scan->masked.ptr != walk->scan->bytes.ptr;
    if (!is_masked || tag.start == EM_NPOS || !em_tag_starts(walk->scan->bytes, tag.start))
        return (em_slice){0};
    em_tag_open(&own, walk->scan->bytes, tag.start, NULL, NULL);
    own.name.end = name_end(walk->scan, own.name);
    em_slice name = em_slice_sub(walk->scan->bytes, own.name.start, own.name.end);
    em_slice seen = em_slice_sub(walk->scan->masked, own.name.start, own.name.end);
    bool same = em_slice_eq(name, seen) || em_slice_has_byte(seen, EM_MASK);
    return same ? (em_slice){0} : name;
}

static em_status in_lower_case(em_walk *walk, em_slice name, em_slice *lower)
{
    char *copy = em_arena_string(&walk->scratch, name);
    if (!copy)
        return EM_E_NOMEM;
    for (size_t i = 0; i < name.len; i++)
        copy[i] = em_to_lower(copy[i]);
    *lower = em_slice_make(copy, name.len);
    return EM_OK;
}

static em_status name_of(em_walk *walk, const GumboElement *element, em_slice *name)
{
    GumboStringPiece original = element->original_tag;
    em_slice behind = name_behind(walk, range_of(walk, original));
    if (behind.len > 0)
        return in_lower_case(walk, behind, name);
    if (element->tag != GUMBO_TAG_UNKNOWN || !original.data) {
        *name = em_slice_of(gumbo_normalized_tagname(element->tag));
    } else {
        gumbo_tag_from_original_text(&original);
        EM_TRY(in_lower_case(walk, em_slice_make(original.data, original.length), name));
    }
    if (element->tag_namespace == GUMBO_NAMESPACE_SVG && original.data) {
        original = element->original_tag;
        gumbo_tag_from_original_text(&original);
        const char *svg = gumbo_normalize_svg_tagname(&original);
        if (svg)
            *name = em_slice_of(svg);
    }
    return EM_OK;
}

static const char *prefix_of(const GumboAttribute *attr)
{
    switch (attr->attr_namespace) {
    case GUMBO_ATTR_NAMESPACE_XLINK:
        return "xlink:";
    case GUMBO_ATTR_NAMESPACE_XML:
        return "xml:";
    case GUMBO_ATTR_NAMESPACE_XMLNS:
        return strcmp(attr->name, "xmlns") == 0 ? "" : "xmlns:";
    case GUMBO_ATTR_NAMESPACE_NONE:
        break;
    }
    return "";
}

/* The value of an attribute without its quotes. */
static void value_range(em_walk *walk, const GumboAttribute *from, em_attr *attr)
{
    em_range value = range_of(walk, from->original_value);
    attr->raw_value = (em_range){attr->raw_name.end, attr->raw_name.end};
    if (value.start == EM_NPOS || value.start == attr->raw_name.start)
        return;
    char first = value.end > value.start ? walk->scan->masked.ptr[value.start] : 0;
    attr->has_value = true;
    attr->raw_value = value;
    if ((first == '"' || first == '\'') && value.end - value.start >= 2) {
        attr->quote = first;
        attr->raw_value = (em_range){value.start + 1, value.end - 1};
    }
}

em_status em_parsed_attr(const em_parsed *node, size_t i, em_attr *attr)
{
    const em_gumbo_attrs *attrs = node->attrs;
    em_walk *walk = attrs->walk;
    const GumboAttribute *from = attrs->element->attributes.data[i];
    *attr = (em_attr){.raw_name = range_of(walk, from->original_name)};
    em_range tag = node->start_tag;
    if (tag.start == EM_NPOS || attr->raw_name.start < tag.start || attr->raw_name.end > tag.end)
        attr->raw_name = (em_range){EM_NPOS, EM_NPOS};
    else
        value_range(walk, from, attr);
    const char *prefix = prefix_of(from), *name = from->name;
    if (*prefix && !(name = em_arena_format(&walk->scratch, "%s%s", prefix, from->name)))
        return EM_E_NOMEM;
    EM_TRY(text_of(walk, attr->raw_name, em_slice_of(name), &attr->name));
    bool there = attr->raw_name.start != EM_NPOS;
    return text_of(walk, there ? attr->raw_value : attr->raw_name, em_slice_of(from->value),
                   &attr->value);
}

/* ---- The walk -------------------------------------------------------------------------------- */

static em_status enter_element(em_walk *walk, const GumboNode *node, em_parsed *parsed)
{
    const GumboElement *element = &node->v.element;
    bool made_up =
        node->parse_flags & (GUMBO_INSERTION_CONVERTED_FROM_END_TAG | GUMBO_INSERTION_FROM_ISINDEX);
    parsed->kind = EM_NODE_ELEMENT;
    parsed->ns = (em_namespace)element->tag_namespace;
    parsed->start_tag = range_of(walk, element->original_tag);
    parsed->end_tag = range_of(walk, element->original_end_tag);
    size_t end = element->end_pos.offset;
    parsed->end = end > 0 ? place_of(&walk->fed, end + walk->scan->start) : 0;
    if (made_up)
        parsed->start_tag = parsed->end_tag = (em_range){EM_NPOS, EM_NPOS};
    walk->attrs = (em_gumbo_attrs){walk, element};
    parsed->attrs = &walk->attrs;
    parsed->attr_count = element->attributes.length;
    EM_TRY(name_of(walk, element, &parsed->name));
    em_range tag = parsed->start_tag;
    if (tag.start != EM_NPOS && tag.end - tag.start > parsed->name.len) {
        em_slice same = em_slice_sub(walk->scan->bytes, tag.start + 1, tag.end);
        if (em_slice_starts(same, parsed->name))
            parsed->name = em_slice_sub(same, 0, parsed->name.len);
    }
    return EM_OK;
}

static em_status enter_text(em_walk *walk, const GumboNode *node)
{
    em_parsed parsed = {.kind = EM_NODE_TEXT,
                        .start_tag = {EM_NPOS, EM_NPOS},
                        .end_tag = {EM_NPOS, EM_NPOS},
                        .raw = range_of(walk, node->v.text.original_text)};
    EM_TRY(text_of(walk, parsed.raw, em_slice_of(node->v.text.text), &parsed.text));
    return walk->visitor->enter(walk->visitor->context, &parsed);
}

static em_status leave_element(em_walk *walk)
{
    walk->depth--;
    return walk->visitor->leave(walk->visitor->context);
}

/* Is it the comment that stands for a gap? */
static bool is_pause(const em_walk *walk, em_range raw)
{
    em_slice page = walk->scan->bytes;
    return raw.start != EM_NPOS &&
           (raw.start == raw.end || em_slice_eq(em_slice_sub(page, raw.start, raw.end), EM_NO_TAG));
}

static em_status enter_comment(em_walk *walk, const GumboNode *node)
{
    em_parsed parsed = {.kind = EM_NODE_COMMENT,
                        .start_tag = {EM_NPOS, EM_NPOS},
                        .end_tag = {EM_NPOS, EM_NPOS},
                        .raw = range_of(walk, node->v.text.original_text)};
    if (is_pause(walk, parsed.raw))
        return EM_OK;
    em_range inner = parsed.raw;
    if (inner.start != EM_NPOS && inner.end - inner.start > 4 &&
        em_slice_starts(em_slice_from(walk->scan->bytes, inner.start), EM_LIT("<!--")))
        inner.start += 4;
    EM_TRY(text_of(walk, inner, em_slice_of(node->v.text.text), &parsed.text));
    return walk->visitor->enter(walk->visitor->context, &parsed);
}

static em_status refuse_depth(em_error *err, const GumboNode *node)
{
    return em_fail(err, EM_E_INVALID, "line %u: more than %d elements stand in each other",
                   node->v.element.start_pos.line, EM_MAX_NESTING);
}

static em_status enter_tag(em_walk *walk, const GumboNode *node)
{
    em_parsed parsed = {.kind = EM_NODE_ELEMENT};
    if (++walk->depth > DEEPEST)
        return refuse_depth(walk->err, node);
    EM_TRY(enter_element(walk, node, &parsed));
    return walk->visitor->enter(walk->visitor->context, &parsed);
}

static em_status enter(em_walk *walk, const GumboNode *node)
{
    em_status status = is_element(node)                   ? enter_tag(walk, node)
                       : node->type == GUMBO_NODE_COMMENT ? enter_comment(walk, node)
                                                          : enter_text(walk, node);
    em_arena_drop(&walk->scratch);
    return status;
}

/* Leave `node`, and all that end with it; the next node, or NULL at the end. */
static em_status leave(em_walk *walk, const GumboNode *root, const GumboNode *node,
                       const GumboNode **next)
{
    for (*next = NULL; node != root; node = node->parent) {
        if (is_element(node))
            EM_TRY(leave_element(walk));
        const GumboVector *siblings = children_of(node->parent);
        if (node->index_within_parent + 1 < siblings->length) {
            *next = siblings->data[node->index_within_parent + 1];
            return EM_OK;
        }
    }
    return EM_OK;
}

static em_status walk_all(em_walk *walk, const GumboNode *root)
{
    const GumboVector *children = children_of(root);
    const GumboNode *node = children->length > 0 ? children->data[0] : NULL;
    while (node) {
        EM_TRY(enter(walk, node));
        children = children_of(node);
        if (children->length > 0)
            node = children->data[0];
        else
            EM_TRY(leave(walk, root, node, &node));
    }
    return EM_OK;
}

/* ---- Running --------------------------------------------------------------------------------- */

static const GumboOutput *parse(em_heap *heap, em_slice fed, const em_parse_context *context)
{
    GumboOptions options = kGumboDefaultOptions;
    options.allocator = heap_give;
    options.deallocator = heap_take;
    options.userdata = heap;
    options.max_errors = 0;
    if (context) {
        options.fragment_context =
            gumbo_tagn_enum(context->name.ptr, (unsigned int)context->name.len);
        options.fragment_namespace = (GumboNamespaceEnum)context->ns;
    }
    if (setjmp(heap->out))
        return NULL;
    return gumbo_parse_with_options(&options, fed.len > 0 ? fed.ptr : "", fed.len);
}

static em_status tell(em_walk *walk, const GumboOutput *output, bool fragment)
{
    const GumboDocument *document = &output->document->v.document;
    EM_TRY(walk->visitor->document(walk->visitor->context, document->has_doctype,
                                   document->doc_type_quirks_mode == GUMBO_DOCTYPE_QUIRKS));
    return walk_all(walk, fragment ? output->root : output->document);
}

em_status em_parser_run(const em_prescan *scan, const em_parse_context *context,
                        em_parser_memory *memory, em_deadline *deadline,
                        const em_parse_visitor *visitor, em_error *err)
{
    EM_AUTO(em_parser_memory) own = {0};
    em_heap heap = {.memory = memory ? memory : &own,
                    .left = HEAP_LEAST + HEAP_PER_BYTE * scan->bytes.len,
                    .deadline = deadline};
    em_parser_memory_reuse(heap.memory);
    EM_AUTO(em_walk)
    walk = {.scan = scan, .visitor = visitor, .err = err, .depth = context != NULL};
    EM_TRY(feed(&walk.fed, scan));
    const GumboOutput *output = parse(&heap, em_slice_from(walk.fed.bytes, scan->start), context);
    if (heap.too_deep)
        return refuse_depth(err, heap.too_deep);
    if (!output)
        return heap.status == EM_E_INVALID
                   ? em_fail(err, EM_E_INVALID, "the tags of the page make too large a tree")
                   : heap.status;
    return tell(&walk, output, context != NULL);
}
