/* scope.h: which lines of a text go on with a statement that began above them, or belong to a list?
 *
 * Such a line stands in brackets that opened above it, or behind a line that ends in a comma or an
 * operator, or begins with a dot or an operator, and deeper than that. How deep is a matter of
 * taste: it may be aligned with something, or be one step or two deeper. So it tells nothing of how
 * deep a line belongs that comes behind the statement. Nor does an item of a list, that may stand
 * deeper than its key or just as deep.
 */
#ifndef EM_LAYING_SCOPE_H
#define EM_LAYING_SCOPE_H

#include "base/arena.h"
#include "tokens/redline.h"

typedef enum em_going {
    EM_GOING_NOT,
    EM_GOING_HANGS,   /* behind a bracket or an operator that ends its line */
    EM_GOING_ALIGNED, /* behind a bracket that more follows in its line */
} em_going;

/* The line that a token begins. */
typedef struct em_scope {
    em_going going;
    size_t base;      /* the first token of the line that it goes on with */
    size_t statement; /* the first token of the outermost such line; EM_NPOS: none */
    size_t level;     /* in so many lists */
    char mark;        /* that it begins with, as an item of one does: "-", "*" or "+"; else 0 */
} em_scope;

/* The scopes of the lines of `text`, by their first tokens; depths[i] is how deep the line stands
 * that token i begins. Lines that begin before token `lost` do not tell theirs: a statement that
 * one of them begins only brackets end that close; others a line that is no deeper, too. Blocks in
 * braces are no statements. The array is in `arena`. EM_E_NOMEM only. */
em_status em_scopes_of(em_tokened text, const size_t *depths, size_t lost, em_arena *arena,
                       em_scope **scopes);

#endif
