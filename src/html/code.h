/* code.h: code of a template in a page: <?php ... ?>, <% ... %>, {{ ... }}, {% ... %}, and comments
 * of templates: {# ... #}, {* ... *}, {% comment %} ... {% endcomment %}, <%-- ... --%>, those of
 * JSX and Razor (@* ... *@), <#-- ... -->.
 *
 * What HTML's tokenizer would make of it is not what is meant, so it is found before parsing.
 *
 * Code in braces ends with the first "}}" or "%}" that stands in none of its strings. A page can
 * also show what code looks like, and then tags stand between the braces. So braces are code where
 * nothing in them is a tag outside of strings (in `i<n ? a : b` there is none), or where they are
 * a comment ({{!-- --}}, {# #}) in which each element that begins also ends. They are no code where
 * they begin with an element, where they end in another block than they begin in, and where they
 * have no end nearby. All else is in doubt: what is in it, and what goes over it, must not be
 * edited. Single braces are code where they compare ({i<n}), and else what the page has there.
 */
#ifndef EM_HTML_CODE_H
#define EM_HTML_CODE_H

#include "base/slice.h"

/* Code in braces is short; what goes on for longer is something else that has braces. */
enum { EM_CODE_MARKS = 16, EM_CODE_NEARBY = 4096 };

/* What a walk over a page remembers, so that it takes no longer than the page is:
 * `em_code_reader reader = {.bytes = page};`. */
typedef struct em_code_reader {
    em_slice bytes; /* borrowed */
    struct {
        size_t from, at; /* none of the mark's kind in between; `at`: EM_NPOS, or the next */
    } marks[EM_CODE_MARKS];
    struct em_code_stretch {
        size_t start, end;
    } no_comment;  /* comments in braces that begin within are none */
    size_t paired; /* bytes that were looked at for the ends of pairs */
} em_code_reader;

/* Braces that can be read in two ways. */
typedef struct em_code_doubt {
    size_t start, end;
    bool even;   /* as markup, each element that begins in it ends in it, and the other way round */
    bool masked; /* it is rather code: a parser should not see it */
} em_code_doubt;

/* Where the code that begins at `at` ends; `at` where none does. */
size_t em_code_read(em_code_reader *reader, size_t at);

/* Where the call ends that begins at `at`, in a tag where an attribute could: @class(['a' => $b])
 * and @if ($a > 1) of Blade, @(a) and @Html.Raw("b") of Razor, #if($a > 1) of Velocity. `at`: none
 * begins there; EM_NPOS: one does, and its end is not found. */
size_t em_code_read_call(em_code_reader *reader, size_t at);

/* Behind the parenthesis or brace that opens at `at`, with strings between as JavaScript has them;
 * EM_NPOS: it is not closed nearby, or many before it led nowhere and it was not followed. */
size_t em_code_pair_closed(em_code_reader *reader, size_t at);

/* Are there braces at `at` that may be code, though em_code_read() finds none? */
bool em_code_doubtful(em_code_reader *reader, size_t at, em_code_doubt *doubt);

/* Does any begin in these bytes? */
bool em_code_within(em_slice bytes);

/* May some begin of which that is not sure? */
bool em_code_doubted(em_slice bytes);

/* Where the brace that opens at `at` is closed in the manner of JavaScript, with its strings,
 * before `limit`; EM_NPOS: nowhere nearby. */
size_t em_code_closed(em_slice bytes, size_t at, size_t limit);

#endif
