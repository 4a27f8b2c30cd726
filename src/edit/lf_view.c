#include "edit/lf_view.h"

#include "base/pages.h"
#include "text/count.h"

/* `text` with an LF for each of its endings. A text of CRs is one of the same length. */
static size_t lay_out(em_slice text, size_t eol_length, char *out)
{
    const char *cr;
    size_t length = 0;
    while (text.len > 0 && (cr = memchr(text.ptr, '\r', text.len))) {
        size_t line = (size_t)(cr - text.ptr);
        memcpy(out + length, text.ptr, line);
        length += line;
        out[length++] = '\n';
        text = em_slice_from(text, line + eol_length);
    }
    if (text.len > 0)
        memcpy(out + length, text.ptr, text.len);
    return length + text.len;
}

em_status em_lf_view_make(em_slice text, size_t length, em_eol eol, em_arena *arena,
                          em_lf_view *view)
{
    char *bytes = em_alloc_large(arena, length);
    if (!bytes)
        return EM_E_NOMEM;
    em_slice shown = em_slice_sub(text, 0, length);
    *view = (em_lf_view){.eol = eol};
    view->bytes = em_slice_make(bytes, lay_out(shown, em_eol_bytes(eol).len, bytes));
    return EM_OK;
}

size_t em_lf_view_from_text(const em_lf_view *view, em_slice text, size_t offset)
{
    bool is_longer = view->eol == EM_EOL_CRLF;
    return offset - (is_longer ? em_count_lfs(text, 0, offset) : 0);
}

size_t em_lf_view_to_text(em_lf_view *view, size_t offset)
{
    em_slice passed = em_slice_sub(view->bytes, view->seen_view, offset);
    bool is_longer = view->eol == EM_EOL_CRLF;
    view->seen_in_text += passed.len + (is_longer ? em_count_lfs(passed, 0, passed.len) : 0);
    view->seen_view = offset;
    return view->seen_in_text;
}

/* The same for one insert; gives the length. `out` NULL measures. */
static size_t put_endings(em_slice insert, em_slice eol, char *out)
{
    size_t length = 0;
    for (size_t i = 0; i < insert.len; i++) {
        bool is_ending = insert.ptr[i] == '\n' && (i == 0 || insert.ptr[i - 1] != '\r');
        em_slice bytes = is_ending ? eol : em_slice_make(insert.ptr + i, 1);
        if (out)
            memcpy(out + length, bytes.ptr, bytes.len);
        length += bytes.len;
    }
    return length;
}

em_status em_lf_view_endings(const em_lf_view *view, em_slice insert, em_arena *arena,
                             em_slice *out)
{
    *out = insert;
    if (view->eol == EM_EOL_NONE || !em_slice_has_byte(insert, '\n'))
        return EM_OK;
    em_slice eol = em_eol_bytes(view->eol);
    size_t length = put_endings(insert, eol, NULL);
    char *bytes = em_alloc_raw(arena, length);
    if (!bytes)
        return EM_E_NOMEM;
    put_endings(insert, eol, bytes);
    *out = em_slice_make(bytes, length);
    return EM_OK;
}
