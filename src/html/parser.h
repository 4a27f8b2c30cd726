/* parser.h: the one place that knows the HTML parser.
 *
 * It parses a page, with scripting off, and tells what it found node by node, in document order.
 * Offsets are given as the parser has them; what they are worth, spans.h finds out.
 */
#ifndef EM_HTML_PARSER_H
#define EM_HTML_PARSER_H

#include "base/deadline.h"
#include "html/parser_memory.h"
#include "html/prescan.h"

/* How deep elements may stand in each other, <html> and <body> not counted: what a tree costs, here
 * and in what is done with it, grows with its depth. */
enum { EM_MAX_NESTING = 1000 };

typedef struct em_parsed {
    em_node_kind kind;
    em_namespace ns;
    em_slice name;               /* of an element */
    em_slice text;               /* of a text or a comment, decoded */
    em_range raw;                /* of a text or a comment; start EM_NPOS: not in the page */
    em_range start_tag, end_tag; /* start EM_NPOS: not in the page */
    size_t end;                  /* where the parser saw the element end; 0: it does not know */
    size_t attr_count;
    const void *attrs; /* for em_parsed_attr */
} em_parsed;

/* What is told. A slice that it gives is borrowed from the page, or ends with the call. Any status
 * but EM_OK ends the walk. */
typedef struct em_parse_visitor {
    em_status (*document)(void *context, bool has_doctype, bool quirks);
    em_status (*enter)(void *context, const em_parsed *node);
    em_status (*leave)(void *context); /* an element */
    void *context;
} em_parse_visitor;

/* Whose children a fragment is to be; NULL: it is a page. */
typedef struct em_parse_context {
    em_slice name;
    em_namespace ns;
} em_parse_context;

/* Parse and tell. `memory` (may be NULL) is what it takes; it is free again at the end. EM_E_NOMEM;
 * EM_E_TIMEOUT: `deadline` (may be NULL) came first; EM_E_INVALID: it takes too much memory, or is
 * deeper than EM_MAX_NESTING (the visitor may have been told a part); what a visitor returned. */
em_status em_parser_run(const em_prescan *scan, const em_parse_context *context,
                        em_parser_memory *memory, em_deadline *deadline,
                        const em_parse_visitor *visitor, em_error *err);

/* The attribute `i` of an element, its values borrowed as above; raw_name.start is EM_NPOS where it
 * does not stand in the page. */
em_status em_parsed_attr(const em_parsed *node, size_t i, em_attr *attr);

#endif
