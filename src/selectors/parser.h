/* parser.h: what the files that compile a selector share.
 *
 * Each reads its part of the grammar from the scanner and leaves it behind that part. Where the
 * text is wrong it says where and why, and, where it can tell what was meant, which bytes of the
 * text to put others for. It never looks whether that makes the rest right: repair.c tries.
 */
#ifndef EM_SELECTORS_PARSER_H
#define EM_SELECTORS_PARSER_H

#include "base/utf8.h"
#include "selectors/form.h"
#include "selectors/scan.h"

/* The bytes of the text that are probably wrong, and what should stand for them. */
typedef struct em_mend {
    bool likely;
    em_range range;
    em_slice text;
    const char *instead; /* for `text` on a page that has what it then names; NULL: nothing */
    em_widening widening;
} em_mend;

typedef struct em_parser {
    em_scanner scan;
    em_arena *arena;
    em_selector_error *error;
    em_mend mend;
    size_t depth;  /* lists that are open around */
    size_t slots;  /* sets so far */
    size_t scopes; /* how many ":scope" have no meaning yet */
    size_t scope_at;
    bool defining; /* what is read is the definition of a pseudo-class, not the user's text */
    bool no_memory;
} em_parser;

/* Names in reasons are cut: `EM_SHOWN(slice)` for "%.*s". */
#define EM_SHOWN(slice) (int)em_utf8_floor((slice), 40), (slice).ptr

/* Fill the error; EM_E_INVALID, or EM_E_NOMEM where that came before. */
em_status em_parse_fail(em_parser *parser, size_t at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Note that `format` should stand for the bytes [start, end). Before em_parse_fail(); the last one
 * counts. */
void em_parse_mend(em_parser *parser, size_t start, size_t end, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* The sign at `at` is meant as a part of the name before it, and has no backslash of its own. */
em_status em_parse_fail_sign(em_parser *parser, size_t at);

/* Say that of what was noted last. */
static inline void em_parse_widens(em_parser *parser, em_widening widening)
{
    parser->mend.widening = widening;
}

/* The text [start, end) as it is written. */
static inline em_slice em_parse_source(const em_parser *parser, size_t start, size_t end)
{
    return em_slice_sub(parser->scan.text, start, end);
}

/* Where the text ends but for its blanks; one behind a backslash is no blank. */
size_t em_css_trimmed_end(em_slice text);

/* The offset of the closing sign that belongs to the opening one at `open`, past strings and
 * escapes; EM_NPOS: there is none. */
size_t em_parse_closing(const em_parser *parser, size_t open);

/* A slot for a set. EM_E_INVALID when there are too many of them. */
em_status em_parse_slot(em_parser *parser, size_t *slot);

/* The sign that closes a list of arguments, and past it. */
em_status em_parse_close(em_parser *parser, const char *what);

/* A list of complex selectors inside of parentheses, without these. `relative`: each may begin with
 * a combinator (:has()). */
em_status em_parse_list(em_parser *parser, bool relative, em_complexes *list);

/* The whole text as a selector. */
em_status em_parse_selector(em_parser *parser, em_selector *selector);

/* Is the text, which is no selector, what means one elsewhere: $('#a'), id=a, <p id="a">, //p? Then
 * it fails with that reason, and is mended as a whole. Else EM_OK. */
em_status em_parse_other_form(em_parser *parser);

/* "[...]", at its bracket. */
em_status em_parse_attribute(em_parser *parser, em_simple *simple);

/* What a colon begins: either one simple selector, or a position (simple->kind is not set then).
 * `before`: the simple selector that it stands directly behind; NULL: none. */
em_status em_parse_pseudo(em_parser *parser, const em_simple *before, em_simple *simple,
                          em_selector_position *position);

/* An+B, without "of". `what`: the pseudo-class, for reasons. */
em_status em_parse_nth(em_parser *parser, em_slice what, em_nth *nth);

/* The text of an identifier with the escapes that it needs; in `arena`, NULL: no memory. */
char *em_css_escape(em_slice name, em_arena *arena);

/* The entry of `names` (NULL-terminated) that is probably meant by `name`: with one slip of the
 * pen, or two in a long one. NULL: there is none. */
const char *em_parse_nearest(em_parser *parser, em_slice name, const char *const *names);

#endif
