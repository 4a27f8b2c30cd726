/* tree.h: a page as a tree that knows where in the bytes each of its parts stands.
 *
 * The tree is that of an HTML5 parser with scripting off; what is ours is the spans. It is made by
 * one adapter (parse.h) and read by the selectors and the operations, which know no parser.
 *
 *  (1) Spans are offsets into the page that was parsed; an empty span is one where start == end.
 *  (2) A node's `start_tag` is a tag that stands in the page and made only this node, or it is
 *      empty and `flaws` says why. The same goes for `end_tag`; an element without one that ends
 *      where something else begins has its end in `whole`.
 *  (3) Nodes stand in document order in `nodes`, each at its own `index`; a node's descendants are
 *      those between it and its `after`.
 *  (4) Names of HTML elements and their attributes are in lower case; those of foreign elements as
 *      the standard writes them (viewBox, linearGradient).
 */
#ifndef EM_HTML_TREE_H
#define EM_HTML_TREE_H

#include "base/arena.h"

#include <stdint.h>

typedef struct em_range {
    size_t start, end;
} em_range;

/* Is there anything in it, as in the tag of an element that the page writes? */
static inline bool em_is_there(em_range range)
{
    return range.end > range.start;
}

typedef enum em_node_kind {
    EM_NODE_DOCUMENT, /* the root, once */
    EM_NODE_ELEMENT,
    EM_NODE_TEXT,
    EM_NODE_COMMENT,
} em_node_kind;

typedef enum em_namespace {
    EM_NS_HTML,
    EM_NS_SVG,
    EM_NS_MATHML,
} em_namespace;

/* Why a node's spans are not those of a plain element. */
enum {
    EM_FLAW_IMPLIED = 1,      /* no start tag in the page: html, body, tbody ... */
    EM_FLAW_CLONED = 2,       /* its start tag made other nodes too (misnested tags) */
    EM_FLAW_MERGED_ATTRS = 4, /* attributes of a second <html> or <body> were added to it */
    EM_FLAW_NO_END = 8,       /* where it ends cannot be told */
    EM_FLAW_FOSTER = 16,      /* its range holds nodes that are not its descendants, or it stands
                               * in the range of an element that is not its ancestor */
    EM_FLAW_TEMPLATE = 32,    /* its start tag holds code of a template outside of a value */
    EM_FLAW_RULED = 64,       /* it is in a <select> with an <hr>, which the tree does not show */
    EM_FLAW_BRANCHED = 128,   /* with EM_FLAW_NO_END: code of a template chooses where it ends */
    EM_FLAW_SLASHED = 256,    /* with EM_FLAW_NO_END: "/>" in its tag, or that of an element in it,
                               * may be meant as an end */
    EM_FLAW_TAILED = 512,     /* <body>: more than white space and comments stands behind its end
                               * tag, and is in it for HTML */
    EM_FLAW_PUSHED = 1024,    /* with EM_FLAW_BRANCHED: at `reach` it has no end tag, but ends since
                               * something else begins or ends there */
    EM_FLAW_ODD = 2048,     /* HTML finds an error in its start tag, as code or a lost quote makes:
                             * its attributes may not be those that are meant */
    EM_FLAW_UNBOUND = 4096, /* with EM_FLAW_ODD: nor may the tag end where it does for HTML */
    EM_FLAW_SWALLOWED = 8192, /* such a tag of an element in it holds tags, perhaps its end tag */
    EM_FLAW_VOID_END = 16384, /* with EM_FLAW_NO_END: it holds nothing, and yet has an end tag,
                               * which HTML passes over */
    EM_FLAW_PUSHING = 32768,  /* code of a template chooses that an element before it goes on up to
                               * it, and ends since it begins there */
};

typedef struct em_attr {
    em_slice name;      /* as the tree has it */
    em_slice value;     /* decoded */
    em_range raw_name;  /* as it is written */
    em_range raw_value; /* without its quotes; empty, at the end of the name, where there is none */
    char quote;         /* '"' or '\''; 0: none */
    bool has_value;     /* there is a '=' */
} em_attr;

typedef struct em_node em_node;
struct em_node { /* a page has millions: the size counts */
    em_node_kind kind : 8;
    em_namespace ns : 8;
    unsigned flaws;
    uint32_t index; /* in document order */
    uint32_t after; /* the index behind its last descendant */
    uint32_t depth; /* of the document: 0 */
    uint32_t attr_count;
    em_slice name; /* of an element */
    em_slice text; /* of a text or a comment, decoded */
    em_attr *attrs;
    union {
        size_t attr_room; /* of attrs, once one was added */
        size_t room;      /* that a joined text has in its memory; 0: it is shared */
    };
    em_node *parent, *first_child, *last_child, *previous, *next;
    em_range start_tag, end_tag; /* of an element */
    em_range whole;              /* all of it, tags included; of a text, as far as it is known */
    size_t reach;                /* with EM_FLAW_BRANCHED: where it ends at the latest; 0: there is
                                  * no way in which it is whole */
};

typedef struct em_page {
    em_slice bytes; /* that were parsed; borrowed */
    em_node *root;
    em_node **nodes; /* in document order, the root first */
    size_t count;
    const struct em_ids *ids;         /* ids.h; NULL: they were not made, or have changed */
    struct em_sibling_places *places; /* selectors/places.h; NULL: nobody is to keep them */
    struct em_parser_memory *memory;  /* parser_memory.h: for who parses it again; NULL: none */
    bool quirks;                      /* no (or an old) doctype: classes and ids in any case */
    bool has_doctype;
    bool coded;    /* code of a template stands between its tags */
    bool directed; /* such as directive.h has is among it */
    bool doubtful; /* there are braces in it that may be code of a template, or may be none */
} em_page;

/* Is it a node of the page, and was not removed from it? */
static inline bool em_page_has(const em_page *page, const em_node *node)
{
    return node->index < page->count && page->nodes[node->index] == node;
}

/* The attribute of that name (as the tree has it; of HTML elements in any case); NULL. */
const em_attr *em_node_attr(const em_node *node, em_slice name);

/* The first attribute of that name in any case, whatever the namespace; NULL. */
em_attr *em_node_attr_any_case(const em_node *node, em_slice name);

/* Is it an HTML element of that name (lower case)? */
static inline bool em_node_is(const em_node *node, const char *name)
{
    return node->kind == EM_NODE_ELEMENT && node->ns == EM_NS_HTML && em_slice_is(node->name, name);
}

/* The same of any of these names, behind the last of which NULL stands. */
static inline bool em_node_is_one_of(const em_node *node, const char *const *names)
{
    while (*names && !em_node_is(node, *names))
        names++;
    return *names != NULL;
}

#endif
