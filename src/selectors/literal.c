#include "selectors/literal.h"

#include "base/ascii.h"
#include "base/strbuf.h"
#include "html/tag.h"
#include "selectors/parser.h"

/* So often a name is looked for in the page, of one selector. */
enum { MOST_LOOKUPS = 32 };

typedef struct em_literal_finder {
    const em_page *page;
    em_slice selector;
    em_deadline *deadline;
    em_arena *arena;
    size_t lookups;
    em_status status;
} em_literal_finder;

/* Has an element of the page this id ('#') or class ('.')? */
static bool is_there(const em_page *page, char sign, em_slice name)
{
    for (size_t i = 0; i < page->count; i++) {
        const em_attr *attr =
            em_node_attr(page->nodes[i], sign == '#' ? EM_LIT("id") : EM_LIT("class"));
        if (attr &&
            (sign == '#' ? em_slice_eq(attr->value, name) : em_html_has_word(attr->value, name)))
            return true;
    }
    return false;
}

/* Where what could be a name at `at` ends at the latest: before a blank, a comma or a combinator
 * that is not in brackets. */
static size_t longest_name(em_slice selector, size_t at)
{
    size_t depth = 0;
    for (; at < selector.len; at++) {
        char byte = selector.ptr[at];
        if (em_html_space(byte) || (depth == 0 && em_is_one_of(byte, ",>+~")))
            break;
        depth += byte == '[' || byte == '(';
        depth -= depth > 0 && (byte == ']' || byte == ')');
    }
    return at;
}

/* Is it written with signs that mean something in a selector? */
static bool is_special(em_slice name)
{
    for (size_t i = 0; i < name.len; i++)
        if (!em_scan_is_name((unsigned char)name.ptr[i]))
            return true;
    return name.len > 0 && name.ptr[0] >= '0' && name.ptr[0] <= '9';
}

/* What the page has for a name that is written like this: the same bytes, or what is left of them
 * without their backslashes, which may be doubled. Empty: nothing. */
static em_slice find_name(em_literal_finder *f, char sign, em_slice written)
{
    em_slice name = written;
    for (int round = 0; round < 3 && f->lookups < MOST_LOOKUPS; round++) {
        f->lookups++;
        if (em_deadline_spend(f->deadline, f->page->count)) {
            f->status = EM_E_TIMEOUT;
            break;
        }
        if (round != 1 && is_there(f->page, sign, name)) /* once is how CSS has it */
            return name;
        if (!em_slice_has_byte(name, '\\'))
            break;
        if (em_scan_resolve(name, f->arena, &name) != EM_OK) {
            f->status = EM_E_NOMEM;
            break;
        }
    }
    return (em_slice){0};
}

/* The longest name behind the sign at `at` that the page has, and where it ends. Once nothing is
 * looked for any more none is gone through either: all that follows may belong to it. */
static em_slice find_longest(em_literal_finder *f, size_t at, size_t *end)
{
    if (f->lookups >= MOST_LOOKUPS)
        return (em_slice){0};
    for (*end = longest_name(f->selector, at + 1); *end > at + 1; --*end) {
        bool bound =
            *end == f->selector.len || !em_scan_is_name((unsigned char)f->selector.ptr[*end]);
        em_slice written = em_slice_sub(f->selector, at + 1, *end);
        if (!bound || f->selector.ptr[*end - 1] == '\\')
            continue;
        if (!is_special(written))
            break;
        em_slice found = find_name(f, f->selector.ptr[at], written);
        if (found.len > 0)
            return found;
    }
    return (em_slice){0};
}

/* Behind the string, or the sign with its backslash, that begins at `at`. */
static size_t skip_other(em_slice selector, size_t at)
{
    char first = selector.ptr[at];
    if (first == '\\' && at + 1 < selector.len)
        return at + 2;
    const char *close = first == '"' || first == '\''
                            ? memchr(selector.ptr + at + 1, first, selector.len - at - 1)
                            : NULL;
    return close ? (size_t)(close - selector.ptr) + 1 : at + 1;
}

em_status em_literal_meant(const em_page *page, em_slice selector, em_deadline *deadline,
                           em_arena *arena, em_slice *meant)
{
    EM_AUTO(em_strbuf) out = {0};
    em_literal_finder f = {
        .page = page, .selector = selector, .deadline = deadline, .arena = arena};
    bool changed = false;
    *meant = (em_slice){0};
    for (size_t at = 0, end; at < selector.len && f.status == EM_OK; at = end) {
        bool sign = selector.ptr[at] == '#' || selector.ptr[at] == '.';
        em_slice name = sign ? find_longest(&f, at, &end) : (em_slice){0};
        if (name.len == 0) {
            end = skip_other(selector, at);
            em_strbuf_add(&out, em_slice_sub(selector, at, end));
            continue;
        }
        const char *escaped = em_css_escape(name, arena);
        if (!escaped)
            return EM_E_NOMEM;
        em_strbuf_printf(&out, "%c%s", selector.ptr[at], escaped);
        changed = true;
    }
    const char *text = em_strbuf_finish(&out, arena);
    if (!text)
        return EM_E_NOMEM;
    if (changed)
        *meant = em_slice_make(text, out.len);
    return f.status;
}
