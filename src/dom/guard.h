/* guard.h: does a page read as it was meant?
 *
 * What is expected is a tree. The page is parsed as any reader would parse it, and what the parser
 * tells is compared with that tree node by node, without building a second one. Texts that stand
 * side by side count as one; so does code in braces, also where it is a comment.
 *
 * A page that writes neither a doctype nor <html>, <head> or <body> is a part of one, which code
 * puts together: into which of these HTML has it is the same then, and so is white space before all
 * else.
 */
#ifndef EM_DOM_GUARD_H
#define EM_DOM_GUARD_H

#include "base/deadline.h"
#include "html/tree.h"

/* The first thing that reads otherwise. */
typedef struct em_guard_finding {
    bool same;       /* nothing does */
    char meant[96];  /* what should stand there: "<p>", "text", "the end of <div>" */
    char found[96];  /* what stands there instead */
    char within[48]; /* in which element it was met: "<body>" */
    char why[160];   /* the rule of HTML that makes it so, and what to do; empty: none is known */
} em_guard_finding;

/* Compare `expected` with what `expected->bytes` read as. EM_E_NOMEM, EM_E_TIMEOUT; what makes a
 * page unreadable (parse.h) is a finding. */
em_status em_guard_check(const em_page *expected, em_deadline *deadline, em_guard_finding *finding);

#endif
