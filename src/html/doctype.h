/* doctype.h: does a doctype mean quirks mode?
 *
 * In quirks mode a <table> does not close the <p> before it, and ids and classes match in any case.
 * The parser knows only some of the doctypes that mean it, so it is worked out here, by the
 * standard (HTML, 13.2.5.53 and following, 13.2.6.4.1).
 */
#ifndef EM_HTML_DOCTYPE_H
#define EM_HTML_DOCTYPE_H

#include "html/tree.h"

typedef struct em_doctype {
    em_range name; /* in the text; empty where there is none */
    bool plain;    /* nothing but blanks stands behind the name */
    bool quirks;
} em_doctype;

/* Does a doctype begin here? */
bool em_doctype_starts(em_slice bytes, size_t at);

enum { EM_DOCTYPE_KEYWORD = 9 }; /* the length of "<!doctype" */

/* `text`: what stands between "<!doctype" and the next '>'. */
em_doctype em_doctype_read(em_slice text);

#endif
