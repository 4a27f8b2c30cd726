/* text.c: :contains(): which elements have this text in them?
 *
 * The text of the whole page is put together once. That of an element is a stretch of it, since
 * the nodes below it stand side by side in document order, so one search through the page answers
 * for all of them. As in cheerio, a <br> is a line feed.
 */
#include "selectors/query.h"

#include "base/utf8.h"

#include <utf8proc.h>

/* The lower case of a letter is at most half as long again; a byte that is no UTF-8 becomes three.
 */
enum { LONGER_BY = 3 };

struct em_page_text {
    char *bytes;
    size_t length;
    size_t *starts; /* of each node, and one more */
};

static size_t put_lower(em_slice text, char *out)
{
    size_t length = 0;
    for (size_t at = 0; at < text.len;)
        length +=
            em_utf8_put((uint32_t)utf8proc_tolower((int32_t)em_utf8_next(text, &at)), out + length);
    return length;
}

static size_t put(em_slice text, bool lower, char *out)
{
    if (lower)
        return put_lower(text, out);
    if (text.len > 0)
        memcpy(out, text.ptr, text.len);
    return text.len;
}

static em_slice text_of(const em_node *node)
{
    if (node->kind == EM_NODE_TEXT)
        return node->text;
    return em_node_is(node, "br") ? EM_LIT("\n") : (em_slice){0};
}

static em_status text_make(em_query *query, bool lower, em_page_text **made)
{
    const em_page *page = query->page;
    em_page_text *text = em_alloc(query->arena, sizeof *text);
    size_t length = 0;
    for (size_t i = 0; i < page->count; i++)
        length += text_of(page->nodes[i]).len;
    if (!text)
        return EM_E_NOMEM;
    text->bytes = em_alloc_raw(query->arena, lower ? LONGER_BY * length : length);
    text->starts = em_alloc_array(query->arena, page->count + 1, sizeof *text->starts);
    if (!text->bytes || !text->starts)
        return EM_E_NOMEM;
    for (size_t i = 0; i < page->count; i++) {
        em_slice part = text_of(page->nodes[i]);
        text->starts[i] = text->length;
        text->length += put(part, lower, text->bytes + text->length);
        EM_TRY(em_query_spend(query, EM_NODE_WORK + part.len));
    }
    text->starts[page->count] = text->length;
    *made = text;
    return EM_OK;
}

static em_status wanted_text(em_query *query, const em_simple *simple, em_slice *wanted)
{
    char *bytes = em_alloc_raw(query->arena, LONGER_BY * simple->value.len);
    if (!bytes)
        return EM_E_NOMEM;
    *wanted = em_slice_make(bytes, put(simple->value, simple->any_case, bytes));
    return EM_OK;
}

/* Where `wanted` stands at or behind `from`; EM_NPOS: nowhere. */
static size_t find(const em_page_text *text, em_slice wanted, size_t from)
{
    const char *found = from < text->length ? memmem(text->bytes + from, text->length - from,
                                                     wanted.ptr, wanted.len)
                                            : NULL;
    return found ? (size_t)(found - text->bytes) : EM_NPOS;
}

em_status em_set_containing(em_query *query, const em_simple *simple, em_bits out)
{
    const em_page *page = query->page;
    em_page_text **text = simple->any_case ? &query->folded_text : &query->text;
    em_slice wanted;
    EM_TRY(wanted_text(query, simple, &wanted));
    if (!*text)
        EM_TRY(text_make(query, simple->any_case, text));
    size_t hit = find(*text, wanted, 0);
    for (size_t i = 0; i < page->count && hit != EM_NPOS; i++) {
        const em_node *node = page->nodes[i];
        size_t start = (*text)->starts[i], searched = 0;
        if (hit < start) {
            hit = find(*text, wanted, start);
            searched = (hit == EM_NPOS ? (*text)->length : hit) - start;
        }
        if (node->kind == EM_NODE_ELEMENT && hit != EM_NPOS &&
            hit + wanted.len <= (*text)->starts[node->after])
            em_bits_add(out, node->index);
        EM_TRY(em_query_spend(query, EM_NODE_WORK + searched));
    }
    return EM_OK;
}
