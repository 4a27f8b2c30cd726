#include "dom/hints.h"

#include "dom/likeness.h"
#include "html/elements.h"
#include "html/tag.h"
#include "selectors/form.h"
#include "selectors/unique.h"

#include "base/ascii.h"
#include "base/strbuf.h"
#include "base/utf8.h"

/* HINT_TEXT: how much of its text is shown of an element. COMPARED_TEXT: one that says more is not
 * what :contains() asks for, but something around it. */
enum { HINT_TEXT = 60, COMPARED_TEXT = 400 };

/* What is too far from what was asked for helps nobody. */
static const double LEAST = 0.34;

/* ---- Describing ------------------------------------------------------------------------------ */

static size_t line_of(em_slice bytes, size_t at)
{
    size_t line = 1;
    for (size_t i = 0; i < at; i++)
        line += bytes.ptr[i] == '\n' ||
                (bytes.ptr[i] == '\r' && i + 1 < bytes.len && bytes.ptr[i + 1] != '\n');
    return line;
}

/* Where the element stands; one without tags of its own where its content does. */
static size_t place_of(const em_page *page, const em_node *node)
{
    for (uint32_t i = node->index; i < node->after; i++)
        if (page->nodes[i]->whole.end > 0)
            return page->nodes[i]->whole.start;
    return 0;
}

/* `text` behind what is in `out`, blanks as one; where that comes to `most` bytes, it is cut. */
static size_t add_words(em_slice text, char *out, size_t length, size_t most, bool *blank)
{
    for (size_t i = 0; i < text.len && length < most; i++) {
        bool space = em_html_space(text.ptr[i]);
        if (!space && *blank && length > 0)
            out[length++] = ' ';
        if (!space)
            out[length++] = text.ptr[i];
        *blank = space;
    }
    return length;
}

/* The beginning of the element's text in `out`, which has room for `most` + 1 bytes. */
static em_slice beginning(const em_page *page, const em_node *node, char *out, size_t most)
{
    size_t length = 0;
    bool blank = false;
    for (uint32_t i = node->index; i < node->after && length < most; i++) {
        const em_node *part = page->nodes[i];
        em_slice text = part->kind == EM_NODE_TEXT ? part->text
                        : em_node_is(part, "br")   ? EM_LIT(" ")
                                                   : (em_slice){0};
        length = add_words(text, out, length, most, &blank);
    }
    return em_slice_make(out, length);
}

static em_status text_of(const em_hinter *hinter, const em_node *node, em_slice *text)
{
    enum { MORE = HINT_TEXT + 4 }; /* a code point that goes on there is not cut */
    char *out = em_alloc_raw(hinter->arena, MORE + 1);
    if (!out)
        return EM_E_NOMEM;
    em_slice cut = beginning(hinter->page, node, out, MORE);
    *text = em_slice_sub(cut, 0, em_utf8_floor(cut, cut.len > HINT_TEXT ? HINT_TEXT : cut.len));
    return EM_OK;
}

static em_status describe(const em_hinter *hinter, const em_node *node, em_dom_hint *hint)
{
    size_t origin = em_changes_origin(hinter->changes, place_of(hinter->page, node));
    hint->line = line_of(hinter->changes->original, origin);
    EM_TRY(text_of(hinter, node, &hint->text));
    return em_unique_selector(hinter->page, node, hinter->deadline, hinter->arena, &hint->selector);
}

/* No operation is done on an element without a start tag that is its own: who took up the hint
 * would be refused again. */
static bool is_out_of_reach(const em_node *node)
{
    return (node->flaws & (EM_FLAW_IMPLIED | EM_FLAW_CLONED | EM_FLAW_RULED)) != 0;
}

em_status em_hints_of(const em_hinter *hinter, em_nodes nodes, em_dom_hints *hints)
{
    hints->count = 0;
    hints->items = em_alloc_array(hinter->arena, EM_DOM_MOST_HINTS, sizeof *hints->items);
    if (!hints->items)
        return EM_E_NOMEM;
    for (size_t i = 0; i < nodes.count && hints->count < EM_DOM_MOST_HINTS; i++)
        if (!is_out_of_reach(nodes.items[i]))
            EM_TRY(describe(hinter, nodes.items[i], &hints->items[hints->count++]));
    return EM_OK;
}

/* ---- Comparing ------------------------------------------------------------------------------- */

static em_slice value_of(const em_node *node, em_slice name)
{
    const em_attr *attr = em_node_attr(node, name);
    return attr ? attr->value : (em_slice){0};
}

static bool is_heading(em_slice name)
{
    return name.len == 2 && em_to_lower(name.ptr[0]) == 'h' && name.ptr[1] >= '0' &&
           name.ptr[1] <= '9';
}

/* An id that is a class of that name, or the other way round, is nearly as good. */
static em_status score_name(const em_hinter *hinter, const em_node *node, const em_simple *simple,
                            double *score)
{
    bool is_id = simple->kind == EM_SIMPLE_ID;
    double other;
    em_slice id = value_of(node, EM_LIT("id")), classes = value_of(node, EM_LIT("class"));
    EM_TRY(em_word_likeness(is_id ? id : classes, simple->name, hinter->deadline, score));
    EM_TRY(em_word_likeness(is_id ? classes : id, simple->name, hinter->deadline, &other));
    *score = other * 0.7 > *score ? other * 0.7 : *score;
    return EM_OK;
}

static void lower(char *text, size_t length)
{
    for (size_t i = 0; i < length; i++)
        text[i] = em_to_lower(text[i]);
}

static bool has_own_text(const em_node *node)
{
    for (const em_node *child = node->first_child; child; child = child->next)
        if (child->kind == EM_NODE_TEXT && !em_html_blank(child->text))
            return true;
    return false;
}

/* Text that is asked for in another case, or with a slip of the pen. Where it stands in an element
 * below, that is the better one. */
static em_status score_text(const em_hinter *hinter, const em_node *node, em_slice asked,
                            double *score)
{
    char own[COMPARED_TEXT + 1], wanted[COMPARED_TEXT + 1];
    bool blank = false;
    em_slice text = beginning(hinter->page, node, own, COMPARED_TEXT);
    size_t length = add_words(asked, wanted, 0, COMPARED_TEXT, &blank);
    if (em_deadline_spend(hinter->deadline, text.len))
        return EM_E_TIMEOUT;
    if (text.len >= COMPARED_TEXT)
        return EM_OK;
    lower(own, text.len);
    lower(wanted, length);
    EM_TRY(em_text_likeness(text, em_slice_make(wanted, length), hinter->deadline, score));
    *score *= has_own_text(node) ? 1 : 0.3;
    return EM_OK;
}

/* The name of an element, which may be that of an id or a class without its sign. */
static double score_type(const em_node *node, em_slice name)
{
    if (em_same_in_any_case(name, node->name))
        return 1;
    if (is_heading(name) && is_heading(node->name))
        return 0.6;
    bool is_name = em_slice_eq(value_of(node, EM_LIT("id")), name) ||
                   em_html_has_word(value_of(node, EM_LIT("class")), name);
    return is_name ? 0.9 : 0;
}

static em_status score_attr(const em_hinter *hinter, const em_node *node, const em_simple *simple,
                            double *score)
{
    double word = 0;
    em_slice value = value_of(node, simple->name);
    if (!em_node_attr(node, simple->name))
        return EM_OK;
    EM_TRY(em_name_likeness(value, simple->value, hinter->deadline, score));
    if (em_slice_is(simple->name, "class"))
        EM_TRY(em_word_likeness(value, simple->value, hinter->deadline, &word));
    *score = 0.5 + (word > *score ? word : *score) / 2;
    return EM_OK;
}

static em_status score_simple(const em_hinter *hinter, const em_node *node, const em_simple *simple,
                              double *score)
{
    switch (simple->kind) {
    case EM_SIMPLE_TYPE:
        *score = score_type(node, simple->name);
        return EM_OK;
    case EM_SIMPLE_ID:
    case EM_SIMPLE_CLASS:
        return score_name(hinter, node, simple, score);
    case EM_SIMPLE_ATTRIBUTE:
        return score_attr(hinter, node, simple, score);
    case EM_SIMPLE_CONTAINS:
        return score_text(hinter, node, simple->value, score);
    default:
        return EM_OK;
    }
}

/* From 0 to 1: how much of what is asked for the element has. */
static em_status score_element(const em_hinter *hinter, const em_node *node,
                               const em_compound *wanted, double *score)
{
    *score = 0;
    for (size_t i = 0; i < wanted->count; i++) {
        double part = 0;
        EM_TRY(score_simple(hinter, node, &wanted->items[i], &part));
        *score += part / (double)wanted->count;
    }
    return EM_OK;
}

/* ---- Finding --------------------------------------------------------------------------------- */

static const em_compound *last_of(const em_selector *selector, const em_prefixes *prefixes)
{
    const em_alternative *alternative = &selector->alternatives[prefixes->alternative];
    const em_complex *complex = &alternative->stages[alternative->count - 1].complex;
    return &complex->parts[complex->count - 1];
}

/* The compound that the failing part belongs to; the last of all where it cannot be told. */
static const em_compound *failing(const em_selector *selector, const em_prefixes *prefixes)
{
    const em_alternative *alternative = &selector->alternatives[prefixes->alternative];
    em_slice part = prefixes->count > 0 ? prefixes->items[prefixes->count - 1].part : (em_slice){0};
    size_t end = part.len > 0 ? (size_t)(part.ptr + part.len - selector->text.ptr) : EM_NPOS;
    for (size_t i = 0; i < alternative->count; i++) {
        const em_complex *complex = &alternative->stages[i].complex;
        for (size_t k = 0; k < complex->count; k++) {
            const em_compound *compound = &complex->parts[k];
            if (compound->source.start < end && end <= compound->source.end)
                return compound;
        }
    }
    return last_of(selector, prefixes);
}

typedef struct em_scored {
    em_node *node;
    double score;
} em_scored;

typedef struct em_ranking {
    em_scored items[EM_DOM_MOST_HINTS];
    size_t count;
} em_ranking;

/* Keep the best, in order; of equals the first. */
static void keep(em_ranking *ranking, em_scored one)
{
    em_scored *best = ranking->items;
    size_t at = ranking->count < EM_DOM_MOST_HINTS ? ranking->count++ : EM_DOM_MOST_HINTS;
    if (at == EM_DOM_MOST_HINTS && best[--at].score >= one.score)
        return;
    for (; at > 0 && best[at - 1].score < one.score; at--)
        best[at] = best[at - 1];
    best[at] = one;
}

static bool is_among(em_nodes nodes, const em_node *node)
{
    for (size_t i = 0; i < nodes.count; i++)
        if (nodes.items[i] == node)
            return true;
    return false;
}

/* Behind those that are there already, as far as there is room. */
static void add_ranked(const em_ranking *ranking, em_nodes *nodes)
{
    for (size_t i = 0; i < ranking->count && nodes->count < EM_DOM_MOST_HINTS; i++)
        if (!is_among(*nodes, ranking->items[i].node))
            nodes->items[nodes->count++] = ranking->items[i].node;
}

static bool could_be_meant(const em_node *node)
{
    return node->kind == EM_NODE_ELEMENT && !is_out_of_reach(node);
}

static em_status add_near(const em_hinter *hinter, const em_compound *wanted, em_nodes *nodes)
{
    em_ranking ranking = {0};
    for (size_t i = 0; i < hinter->page->count; i++) {
        em_scored one = {hinter->page->nodes[i], 0};
        if (!could_be_meant(one.node))
            continue;
        EM_TRY(score_element(hinter, one.node, wanted, &one.score));
        if (one.score >= LEAST)
            keep(&ranking, one);
    }
    add_ranked(&ranking, nodes);
    return EM_OK;
}

/* What a page is usually changed by: its ids and its larger parts, then its classes. 0: nothing
 * that is seen of it. */
static double prominence(const em_node *node)
{
    static const char *const unseen[] = {"html",  "head",   "body",  "base",     "link", "meta",
                                         "title", "script", "style", "template", "br",   NULL};
    static const char *const parts[] = {"header", "nav",    "main", "section", "article",
                                        "aside",  "footer", "form", "h1",      NULL};
    if (em_node_is_one_of(node, unseen))
        return 0;
    if (value_of(node, EM_LIT("id")).len > 0 || em_node_is_one_of(node, parts))
        return 1;
    return value_of(node, EM_LIT("class")).len > 0 ? 0.5 : 0.2;
}

/* Some of what the page has, for who knows nothing of it. */
static em_status add_prominent(const em_hinter *hinter, em_nodes *nodes)
{
    em_ranking ranking = {0};
    for (size_t i = 0; i < hinter->page->count; i++) {
        em_scored one = {hinter->page->nodes[i], 0};
        if (em_deadline_spend(hinter->deadline, 1))
            return EM_E_TIMEOUT;
        if (could_be_meant(one.node))
            one.score = prominence(one.node);
        if (one.score > 0)
            keep(&ranking, one);
    }
    add_ranked(&ranking, nodes);
    return EM_OK;
}

em_status em_hints_similar(const em_hinter *hinter, const em_selector *selector,
                           const em_prefixes *prefixes, em_dom_hints *hints)
{
    const em_compound *wanted = failing(selector, prefixes), *last = last_of(selector, prefixes);
    em_node *items[EM_DOM_MOST_HINTS];
    em_nodes nodes = {items, 0};
    EM_TRY(add_near(hinter, wanted, &nodes));
    if (last != wanted)
        EM_TRY(add_near(hinter, last, &nodes));
    hints->are_far = nodes.count == 0;
    if (hints->are_far)
        EM_TRY(add_prominent(hinter, &nodes));
    return em_hints_of(hinter, nodes, hints);
}

/* ---- Slips of the pen ----------------------------------------------------------------------- */

em_status em_hints_name_meant(const em_hinter *hinter, em_nodes nodes, em_slice attr, em_slice name,
                              em_slice *meant)
{
    em_slice only = {0};
    *meant = only;
    for (size_t i = 0; i < nodes.count; i++) {
        em_slice rest = value_of(nodes.items[i], attr), word;
        if (em_deadline_spend(hinter->deadline, rest.len))
            return EM_E_TIMEOUT;
        while ((word = em_html_next_word(&rest)).len > 0) {
            if (em_slice_eq(word, name))
                return EM_OK;
            if (!em_is_slip_of(name, word) || (only.len > 0 && em_slice_eq(only, word)))
                continue;
            if (only.len > 0)
                return EM_OK;
            only = word;
        }
    }
    *meant = only;
    return EM_OK;
}

static bool is_told(const em_slice *words, size_t count, em_slice word)
{
    for (size_t i = 0; i < count; i++)
        if (em_slice_eq(words[i], word))
            return true;
    return false;
}

em_status em_hints_classes(const em_hinter *hinter, em_nodes nodes,
                           em_slice classes[static EM_MOST_CLASSES_TOLD], size_t *count)
{
    *count = 0;
    for (size_t i = 0; i < nodes.count && *count <= EM_MOST_CLASSES_TOLD; i++) {
        em_slice rest = value_of(nodes.items[i], EM_LIT("class")), word;
        if (em_deadline_spend(hinter->deadline, rest.len))
            return EM_E_TIMEOUT;
        while (*count <= EM_MOST_CLASSES_TOLD && (word = em_html_next_word(&rest)).len > 0) {
            size_t told = *count < EM_MOST_CLASSES_TOLD ? *count : EM_MOST_CLASSES_TOLD;
            if (is_told(classes, told, word))
                continue;
            if (told < EM_MOST_CLASSES_TOLD)
                classes[told] = word;
            ++*count;
        }
    }
    return EM_OK;
}

/* A sign that a selector has in a name as it is. */
static bool is_name_sign(char sign)
{
    return em_is_letter_or_digit(sign) || sign == '-' || sign == '_';
}

static bool is_plain_name(em_slice name)
{
    for (size_t i = 0; i < name.len; i++)
        if (!is_name_sign(name.ptr[i]))
            return false;
    return name.len > 0;
}

/* The name that the part of a selector ends with: where it begins behind its '#' or '.'. */
static em_slice name_at_end(em_slice part)
{
    size_t start = part.len;
    while (start > 0 && is_name_sign(part.ptr[start - 1]))
        start--;
    bool is_name = start > 0 && (part.ptr[start - 1] == '#' || part.ptr[start - 1] == '.');
    return is_name ? em_slice_from(part, start) : (em_slice){0};
}

/* The part at which a selector fails, of one that has no others to choose from; empty. */
static em_slice part_that_fails(const em_prefixes *prefixes)
{
    return prefixes->count > 0 && prefixes->alternatives == 1
               ? prefixes->items[prefixes->count - 1].part
               : (em_slice){0};
}

/* The attribute in which elements have a name that stands behind its '#' or '.'. */
static em_slice attr_of_name(em_slice name)
{
    return name.ptr[-1] == '#' ? EM_LIT("id") : EM_LIT("class");
}

em_status em_hints_selector_meant(const em_hinter *hinter, const em_selector *selector,
                                  const em_prefixes *prefixes, em_slice *meant)
{
    em_slice name = name_at_end(part_that_fails(prefixes)), instead;
    em_nodes all = {hinter->page->nodes, hinter->page->count};
    *meant = (em_slice){0};
    if (name.len == 0)
        return EM_OK;
    EM_TRY(em_hints_name_meant(hinter, all, attr_of_name(name), name, &instead));
    if (!is_plain_name(instead))
        return EM_OK;
    size_t start = (size_t)(name.ptr - selector->text.ptr);
    return em_spliced(selector->text, start, start + name.len, instead, hinter->arena, meant);
}

/* The sign that the page has the name with; '\0': with both, or neither. */
static char sign_of(const em_hinter *hinter, em_slice name)
{
    bool is_id = false, is_class = false;
    for (size_t i = 0; i < hinter->page->count; i++) {
        const em_node *node = hinter->page->nodes[i];
        is_id |= em_slice_eq(value_of(node, EM_LIT("id")), name);
        is_class |= em_html_has_word(value_of(node, EM_LIT("class")), name);
    }
    return is_id == is_class ? '\0' : is_id ? '#' : '.';
}

em_status em_hints_sign_meant(const em_hinter *hinter, const em_selector *selector,
                              const em_prefixes *prefixes, em_meant_signs *meant)
{
    *meant = (em_meant_signs){0};
    em_slice part = part_that_fails(prefixes);
    while (part.len > 0 && (em_html_space(part.ptr[0]) || em_is_one_of(part.ptr[0], ">+~")))
        part = em_slice_from(part, 1);
    if (!is_plain_name(part) || em_deadline_spend(hinter->deadline, hinter->page->count))
        return EM_OK;
    char sign = sign_of(hinter, part);
    size_t start = (size_t)(part.ptr - selector->text.ptr), blank = start;
    while (blank > 0 && em_html_space(selector->text.ptr[blank - 1]))
        blank--;
    if (sign == '\0')
        return EM_OK;
    em_slice text = selector->text, with = em_slice_make(&sign, 1);
    EM_TRY(em_spliced(text, start, start, with, hinter->arena, &meant->within));
    if (blank > 0 && blank < start && is_name_sign(text.ptr[blank - 1]))
        EM_TRY(em_spliced(text, blank, start, with, hinter->arena, &meant->joined));
    return EM_OK;
}

/* ---- What is no element --------------------------------------------------------------------- */

static bool is_part_of_table(em_slice name)
{
    static const char *const parts[] = {"tr",    "td",    "th",      "tbody",
                                        "thead", "tfoot", "caption", "colgroup"};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (em_same_in_any_case(name, em_slice_of(parts[i])))
            return true;
    return false;
}

/* What has `at` within: a comment, a start tag or an element as a script; NULL: none of these. */
static const em_node *holder_of(const em_page *page, size_t at)
{
    for (size_t i = 1; i < page->count; i++) {
        const em_node *node = page->nodes[i];
        bool whole = node->kind == EM_NODE_COMMENT ||
                     (node->kind == EM_NODE_ELEMENT &&
                      (em_html_is_raw_text(node->name) || em_html_is_rcdata(node->name)));
        em_range range = whole ? node->whole : node->start_tag;
        if (range.start <= at && at < range.end)
            return node;
    }
    return NULL;
}

bool em_hints_dropped_part(const em_page *page, em_range *tag)
{
    enum { MOST = 16 };
    em_slice bytes = page->bytes;
    for (size_t i = 1; i < page->count; i++)
        if (em_node_is(page->nodes[i], "table") || em_node_is(page->nodes[i], "template"))
            return false;
    for (size_t at = 0, tried = 0; at < bytes.len && tried < MOST; at++) {
        em_tag read;
        em_tag_attr attr;
        if (!em_tag_starts(bytes, at))
            continue;
        em_tag_open(&read, bytes, at, NULL, NULL);
        if (!is_part_of_table(em_slice_sub(bytes, read.name.start, read.name.end)))
            continue;
        tried++;
        while (em_tag_next(&read, &attr))
            ;
        *tag = (em_range){at, read.end};
        if (read.end != EM_NPOS && !holder_of(page, at))
            return true;
    }
    return false;
}

/* Behind the tag that begins at `at`, if it has the name in `attr`; EM_NPOS. */
static size_t end_of_named(em_slice bytes, size_t at, em_slice attr, em_slice name)
{
    em_tag tag;
    em_tag_attr read;
    bool has_it = false;
    em_tag_open(&tag, bytes, at, NULL, NULL);
    while (em_tag_next(&tag, &read))
        has_it |= em_same_in_any_case(em_slice_sub(bytes, read.name.start, read.name.end), attr) &&
                  em_html_has_word(em_slice_sub(bytes, read.value.start, read.value.end), name);
    return has_it ? tag.end : EM_NPOS;
}

/* The start of the tag that `at` may be in; EM_NPOS: none is near. */
static size_t tag_before(em_slice bytes, size_t at)
{
    enum { MOST_OF_TAG = 1000 };
    for (size_t back = at; back > 0 && at - back < MOST_OF_TAG; back--)
        if (em_tag_starts(bytes, back - 1))
            return back - 1;
    return EM_NPOS;
}

/* The next place from `at` on where the name stands as a value, or a word of one; EM_NPOS. */
static size_t find_value(em_slice bytes, size_t at, em_slice name)
{
    const char *found;
    while (at < bytes.len && (found = memmem(bytes.ptr + at, bytes.len - at, name.ptr, name.len))) {
        size_t start = (size_t)(found - bytes.ptr);
        if (start > 0 && (em_html_space(found[-1]) || em_is_one_of(found[-1], "=\"'")))
            return start;
        at = start + 1;
    }
    return EM_NPOS;
}

bool em_hints_unread_tag(const em_hinter *hinter, const em_prefixes *prefixes, em_unread_tag *tag)
{
    enum { MOST = 16 };
    em_slice bytes = hinter->page->bytes, name = name_at_end(part_that_fails(prefixes));
    if (name.len == 0)
        return false;
    em_slice attr = attr_of_name(name);
    size_t at = find_value(bytes, 0, name);
    for (int tried = 0; at != EM_NPOS && tried < MOST; tried++) {
        size_t start = tag_before(bytes, at);
        size_t end = start == EM_NPOS ? EM_NPOS : end_of_named(bytes, start, attr, name);
        if (em_deadline_spend(hinter->deadline, hinter->page->count))
            return false;
        const em_node *holder = end == EM_NPOS ? NULL : holder_of(hinter->page, start);
        *tag = (em_unread_tag){{start, end}, holder};
        if (end != EM_NPOS && !(holder && holder->start_tag.start == start))
            return true;
        at = find_value(bytes, at + 1, name);
    }
    return false;
}
