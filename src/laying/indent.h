/* indent.h: how deep a new line belongs, in the file's own way of indenting.
 *
 * The lines of the search text that stand in the file say how the caller's indentation maps to the
 * file's: the same, a few columns more, tabs for spaces, four columns for two. New lines follow the
 * nearest of those.
 */
#ifndef EM_LAYING_INDENT_H
#define EM_LAYING_INDENT_H

#include "base/arena.h"
#include "laying/steps.h"

/* The pair of the line that token `at` begins; NULL: it begins none in the file. */
const em_indent_pair *em_indent_pair_at(const em_indents *indents, size_t at);

/* What the caller's `indent` becomes, for a line that comes in place of the lines of the search
 * text from `from` to before `to` (none of them: it comes before `from`); it is `indent` itself, a
 * piece of a pair, or in `arena`. EM_E_NOMEM only. */
em_status em_indent_map(const em_indents *indents, em_slice indent, size_t from, size_t to,
                        em_arena *arena, em_slice *out);

/* Is it known what the caller's `indent` becomes, for a line that comes in place of the lines of
 * the search text from `from` to before `to` (none of them: it comes before `from`)?
 *
 * It goes by lines of the search text that are as deep as each other: by those that go for it; else
 * by the nearest one before and the nearest behind, or two on one side where the other has none. In
 * the file these must be as deep as each other, too:
 *
 *   search text   "if (p) {\n  a();\n  b();\n}"
 *   file          "if (p) {\n    a();\n  b();\n}"
 *   replacement   "if (p) {\n  a();\n  n();\n  b();\n}"
 *   result        not known: n() goes by a(), four deep, and by b(), two deep
 *
 * With b() four deep in the file, n() is four deep in the result. It is not known either where all
 * lines of the search text have the same blanks too much in front, and this begins with others. */
bool em_indent_is_known(const em_indents *indents, em_slice indent, size_t from, size_t to);

#endif
