#include "diagnosis/patch_signs.h"

#include "base/line.h"
#include "base/strbuf.h"
#include "match/wrapping.h"
#include "text/text.h"

/* The text behind the header of a hunk that it begins with. Without the line that says which lines
 * it is of, such a line may be one that goes (`--- a` for `-- a`). */
static em_slice behind_header(em_slice text)
{
    for (size_t at = 0; at < text.len;) {
        em_slice line = em_next_line(text, &at);
        if (em_slice_starts(line, EM_LIT("@@")))
            return em_slice_from(text, at);
        if (!em_is_patch_header(line))
            break;
    }
    return text;
}

/* A side of a patch: the text without the first byte of each line that is not empty, which is
 * `sign`, or a blank, and without the lines that begin with `other`, if that is one. *is: there are
 * none but these, and `sign` is among them. */
static em_status without_signs(em_slice text, char sign, char other, em_arena *arena, em_slice *out,
                               bool *is)
{
    EM_AUTO(em_strbuf) plain = {0};
    bool has_sign = false, all = true;
    for (size_t at = 0; at < text.len && all;) {
        em_slice line = em_next_line(text, &at);
        bool is_empty = em_line_content(line).len == 0;
        bool is_other = !is_empty && other && line.ptr[0] == other;
        all = is_empty || is_other || line.ptr[0] == sign || line.ptr[0] == ' ';
        has_sign |= line.ptr[0] == sign;
        if (!is_other)
            em_strbuf_add(&plain, em_slice_from(line, is_empty ? 0 : 1));
    }
    *is = all && has_sign;
    return em_strbuf_keep(&plain, arena, out);
}

/* All of a patch for a search text, and what it makes, as it is, for the replacement. Its last line
 * may be one of the other side: then both sides end as the patch does. */
static em_status read_whole(em_slice find, em_slice insert, em_arena *arena, em_near_miss *mended,
                            bool *is)
{
    bool unused;
    EM_TRY(without_signs(find, '-', '+', arena, &mended->find, &unused));
    EM_TRY(without_signs(find, '+', '-', arena, &mended->insert, is));
    if (!em_ends_in_eol(find)) {
        mended->find = em_without_last_eol(mended->find);
        mended->insert = em_without_last_eol(mended->insert);
    }
    *is = *is && em_trimmed(mended->find).len > 0 &&
          em_slice_eq(em_without_last_eol(mended->insert), em_without_last_eol(insert));
    return EM_OK;
}

em_status em_patch_signs_of(em_slice find, em_slice insert, em_arena *arena, em_near_miss *mended,
                            bool *is)
{
    bool has_minus, has_plus;
    find = behind_header(find);
    insert = behind_header(insert);
    EM_TRY(without_signs(find, '-', '\0', arena, &mended->find, &has_minus));
    EM_TRY(without_signs(insert, '+', '\0', arena, &mended->insert, &has_plus));
    *is = has_minus && has_plus;
    return *is ? EM_OK : read_whole(find, insert, arena, mended, is);
}
