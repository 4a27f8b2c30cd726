/* dom_dots.c: classes that were given as a selector has them, ".small" for "small". A class can
 * begin with a dot, and hardly one does: it is taken for that where the page has it. */
#include "base/ascii.h"
#include "base/strbuf.h"
#include "dom/dom_impl.h"
#include "html/tag.h"

/* Does a class of a selector begin at `at` of the word? */
static bool is_dot(em_slice word, size_t at)
{
    char next = at + 1 < word.len ? word.ptr[at + 1] : '\0';
    return at < word.len && word.ptr[at] == '.' &&
           (em_is_letter(next) || next == '_' || next == '-' || (unsigned char)next >= 0x80);
}

static bool has_class(const em_page *page, em_slice class)
{
    for (size_t i = 0; i < page->count; i++) {
        const em_attr *attr = em_node_attr(page->nodes[i], EM_LIT("class"));
        if (attr && em_html_has_word(attr->value, class))
            return true;
    }
    return false;
}

/* The first of the classes that is written as in a selector, and is none of the page. */
static em_slice find_dotted(const em_page *page, em_slice classes)
{
    em_slice word;
    while ((word = em_html_next_word(&classes)).len > 0)
        if (is_dot(word, 0) && !has_class(page, word))
            return word;
    return word;
}

/* The classes by their names: "a b" for ".a.b". `classes` itself where none has a dot. */
static em_status without_dots(em_runner *r, em_slice classes, em_slice *meant)
{
    EM_AUTO(em_strbuf) text = {0};
    em_slice word;
    while ((word = em_html_next_word(&classes)).len > 0) {
        bool dotted = is_dot(word, 0);
        em_strbuf_puts(&text, text.len > 0 ? " " : "");
        for (size_t i = dotted; i < word.len; i++)
            em_strbuf_putc(&text, dotted && is_dot(word, i) ? ' ' : word.ptr[i]);
    }
    return em_strbuf_keep(&text, r->arena, meant);
}

em_status em_runner_check_dots(em_runner *r, const em_dom_op *op, em_dom_outcome *outcome)
{
    bool swaps = op->action == EM_DOM_REPLACE_CLASS;
    if (!swaps && op->action != EM_DOM_ADD_CLASS && op->action != EM_DOM_REMOVE_CLASS)
        return EM_OK;
    em_slice given = swaps ? op->old_class : op->value;
    em_slice dotted = find_dotted(&r->state.page, given);
    if (dotted.len == 0 && swaps)
        dotted = find_dotted(&r->state.page, given = op->new_class);
    if (dotted.len == 0)
        return EM_OK;
    em_slice meant;
    EM_TRY(without_dots(r, given, &meant));
    if (swaps) {
        EM_TRY(without_dots(r, op->old_class, &outcome->meant.old_class));
        EM_TRY(without_dots(r, op->new_class, &outcome->meant.new_class));
    } else {
        outcome->meant.value = meant;
    }
    return em_runner_fail(
        r, outcome, EM_DOM_E_BADNAME,
        "\"%.*s\" is how a selector has a class, and its name is without the dot; "
        "did you mean \"%.*s\"?",
        EM_SHOWN_SHORT(dotted), EM_SHOWN_SHORT(meant));
}
