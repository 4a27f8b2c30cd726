#include "diagnosis/patch_signs.h"

#include "base/line.h"
#include "base/strbuf.h"

/* The text without the first byte of each line that is not empty: that is `sign`, or a blank. *is:
 * that is so, and `sign` is among them. */
static em_status without_signs(em_slice text, char sign, em_arena *arena, em_slice *out, bool *is)
{
    EM_AUTO(em_strbuf) plain = {0};
    bool has_sign = false, all = true;
    for (size_t at = 0; at < text.len && all;) {
        em_slice line = em_next_line(text, &at);
        bool is_empty = em_line_content(line).len == 0;
        all = is_empty || line.ptr[0] == sign || line.ptr[0] == ' ';
        has_sign |= line.ptr[0] == sign;
        em_strbuf_add(&plain, em_slice_from(line, is_empty ? 0 : 1));
    }
    *is = all && has_sign;
    return em_strbuf_keep(&plain, arena, out);
}

em_status em_patch_signs_of(em_slice find, em_slice insert, em_arena *arena, em_near_miss *mended,
                            bool *is)
{
    bool has_minus, has_plus;
    EM_TRY(without_signs(find, '-', arena, &mended->find, &has_minus));
    EM_TRY(without_signs(insert, '+', arena, &mended->insert, &has_plus));
    *is = has_minus && has_plus;
    return EM_OK;
}
