#include "diagnosis/patch_place.h"

#include "base/ascii.h"
#include "base/line.h"
#include "text/search.h"
#include "text/text.h"

/* What a header says. */
typedef struct head {
    em_slice line;   /* a line of the file, or a part of it; empty: it says none */
    bool is_certain; /* it is there for that; else behind the numbers of the lines */
} head;

static em_slice without_end(em_slice text, em_slice end)
{
    return em_slice_sub(text, 0, text.len - (em_slice_ends(text, end) ? end.len : 0));
}

static head read_head(em_slice header)
{
    em_slice sign = EM_LIT("@@"), rest = em_trimmed(em_slice_from(em_line_content(header), 2));
    head h = {.is_certain = !em_slice_starts(rest, EM_LIT("-"))};
    if (h.is_certain) {
        h.line = em_trimmed(without_end(rest, sign));
        return em_slice_is(h.line, "...") ? (head){.line = {0}} : h;
    }
    while (rest.len > 0 && !em_slice_starts(rest, sign))
        rest = em_slice_from(rest, 1);
    h.line = em_trimmed(em_slice_from(rest, em_least(rest.len, sign.len)));
    return h;
}

em_slice em_patch_head_line(em_slice header, bool *is_certain)
{
    head h = read_head(header);
    *is_certain = h.is_certain;
    return h.line;
}

/* The last of many: each is looked for in all of the text, and none but the innermost tell more. */
static em_slice innermost(em_slice heads)
{
    enum { MOST_HEADS = 16 };
    size_t from = heads.len;
    for (size_t i = 0; i < MOST_HEADS; i++)
        from = em_line_before(heads, from);
    return em_slice_from(heads, from);
}

em_slice em_patch_place_missed(em_slice text, em_span place, em_slice heads)
{
    em_slice before = em_slice_sub(text, 0, place.end);
    size_t from = 0;
    heads = innermost(heads);
    while (heads.len > 0) {
        head h = read_head(em_take_line(&heads));
        em_needle needle;
        if (h.line.len == 0)
            continue;
        em_needle_init(&needle, h.line);
        size_t at = em_find(&needle, before, from);
        if (at != EM_NPOS)
            from = at + h.line.len;
        else if (h.is_certain || em_find(&needle, text, 0) != EM_NPOS)
            return h.line;
    }
    return (em_slice){0};
}
