/* code.h: code of a template in a page: <?php ... ?>, <% ... %>, {{ ... }}, {% ... %}.
 *
 * What HTML's tokenizer would make of it is not what is meant, so it is found before parsing.
 */
#ifndef EM_HTML_CODE_H
#define EM_HTML_CODE_H

#include "base/slice.h"

/* Where the code that begins at `at` ends; `at` where none does. Code in braces ends on the
 * way to `limit`; the other kinds as far down as the page goes. */
size_t em_code_end(em_slice bytes, size_t at, size_t limit);

/* Does any begin in these bytes? */
bool em_code_within(em_slice bytes);

#endif
