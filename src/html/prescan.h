/* prescan.h: what is known of a page before a parser sees it.
 *
 * The parser takes time and memory that grow with the square of the attributes of a tag, so these
 * are limited here; how deep a page is only its tree tells (parser.h). And the parser must not see
 * the code of templates, nor names that it is wrong about, so it gets a copy in which these are
 * masked.
 *
 *  (1) The masked page is as long as the page, and each byte of it is the page's or stands for it.
 *  (2) EM_MASK stands for a byte of code in what stays text, a name or a value; em_prescan_restore
 *      gives the page's byte back: the n-th EM_MASK of a text is the n-th of the bytes it was made
 *      of. (A control character would never stand in the text by itself, but parsers replace it.)
 *  (3) Code that HTML would take for a tag, or that stands where there can be no text, is masked
 *      as a comment, which can stand anywhere; so is what is read before the doctype by others than
 *      HTML ("@model A", and lines between two of "---").
 *  (4) Tags that the parser does not know have other names in it (standin.h).
 *  (5) Where the parser errs about what a token begins with, or a text ends with, it does not get
 *      the masked page as it is, but with other bytes in place of `gaps`.
 */
#ifndef EM_HTML_PRESCAN_H
#define EM_HTML_PRESCAN_H

#include "html/code.h"
#include "html/odd_tag.h"
#include "html/tree.h"

enum { EM_MAX_TAG_ATTRS = 1000, EM_MAX_PAGE_BYTES = 16 << 20 };

#define EM_MASK '`'

#define EM_CDATA EM_LIT("<![CDATA[")

/* What the parser does not get as it is: the blanks of an end tag in SVG or MathML, "</>" before a
 * tag, and, empty, the place before </form>. */
typedef struct em_page_gap {
    em_range range;
    bool is_pause; /* EM_PAUSE stands there for it; else nothing */
} em_page_gap;

/* A comment, which the page has not, between a tag and what comes before it. */
#define EM_PAUSE EM_LIT("<!>")

/* What HTML passes over. */
#define EM_NO_TAG EM_LIT("</>")

typedef struct em_prescan {
    em_slice bytes;  /* of the page */
    em_slice masked; /* for the parser; `bytes` itself where nothing is masked */
    size_t start;    /* behind the BOM */
    em_range *code;  /* in tags, but outside of quotes: in order */
    size_t code_count;
    em_range *pieces; /* code between tags, directives (directive.h) among it: in order */
    size_t piece_count;
    bool directed;         /* there are directives */
    em_code_doubt *doubts; /* what may be code of a template or markup: in order */
    size_t doubt_count;
    em_odd_tag *odd; /* start tags that are none as HTML has them: in order */
    size_t odd_count;
    size_t *void_ends; /* where end tags begin that HTML passes over, of elements that hold nothing
                        * (void_ends.h): in order */
    size_t void_end_count;
    em_page_gap *gaps; /* in order */
    size_t gap_count;
    size_t start_tags, end_tags; /* how many */
    bool open;                   /* the last tag, comment or raw text never ends */
    bool has_doctype;            /* there is one, whether it counts or not */
} em_prescan;

/* In `arena`. EM_E_NOMEM; EM_E_TOO_LARGE: beyond EM_MAX_PAGE_BYTES; EM_E_BINARY: a NUL, or UTF-16;
 * EM_E_INVALID: beyond one of the other limits. The detail says which, and where. */
em_status em_prescan_page(em_slice bytes, em_arena *arena, em_prescan *scan, em_error *err);

/* The same for what is to stand among the children of `parent`; NULL: it is a page. */
em_status em_prescan_part(em_slice bytes, const em_node *parent, em_arena *arena, em_prescan *scan,
                          em_error *err);

/* `text`, which the parser made of the masked bytes of `raw`, with the page's bytes again: `text`
 * itself where there is nothing to restore, else in `arena`. EM_E_NOMEM. */
em_status em_prescan_restore(const em_prescan *scan, em_range raw, em_slice text, em_arena *arena,
                             em_slice *restored);

#endif
