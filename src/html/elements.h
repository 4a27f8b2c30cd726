/* elements.h: what HTML says of an element by its name alone, in any case.
 */
#ifndef EM_HTML_ELEMENTS_H
#define EM_HTML_ELEMENTS_H

#include "base/slice.h"

enum {
    EM_ELEMENT_RAW_TEXT = 1,
    EM_ELEMENT_RCDATA = 2,
    EM_ELEMENT_VOID = 4,
    EM_ELEMENT_OPEN_END = 8,       /* its end tag may be left out */
    EM_ELEMENT_NO_TEXT_IN = 16,    /* a parser moves text that stands behind its start tag */
    EM_ELEMENT_NO_TEXT_AFTER = 32, /* the same for its end tag */
    EM_ELEMENT_FOREIGN = 64,       /* the root of another language */
    EM_ELEMENT_BEFORE_BODY = 128,  /* a page can begin with it, and have no body yet */
    EM_ELEMENT_OF_TABLE = 256,     /* a table, or a part of one */
    EM_ELEMENT_AS_AROUND = 512,    /* text behind its tags is moved where it is before them */
};

/* What kinds an HTML element of that name is of: EM_ELEMENT_... */
unsigned em_element_kinds(em_slice name);

/* Is the content of this HTML element raw text (script), or text that knows only entities
 * (title)? */
bool em_html_is_raw_text(em_slice name);
bool em_html_is_rcdata(em_slice name);
bool em_html_is_void(em_slice name);

/* Of such a name: is an end tag nothing? (That of <br> is another <br>.) */
bool em_html_end_is_lost(em_slice name);

/* May the end tag of this HTML element be left out? */
bool em_html_end_is_optional(em_slice name);

/* Is this an attribute of HTML that is there or not, in any case? What it holds says nothing. */
bool em_html_is_boolean_attr(em_slice name);

#endif
