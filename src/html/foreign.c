#include "html/foreign.h"

#include "html/tag.h"

/* HTML, 13.2.6.5: the start tags that no element of SVG or MathML is meant by. */
static const char *const ends_before[] = {
    "b",      "big",  "blockquote", "body",  "br",   "center", "code",    "dd",   "div",
    "dl",     "dt",   "em",         "embed", "h1",   "h2",     "h3",      "h4",   "h5",
    "h6",     "head", "hr",         "i",     "img",  "li",     "listing", "menu", "meta",
    "nobr",   "ol",   "p",          "pre",   "ruby", "s",      "small",   "span", "strong",
    "strike", "sub",  "sup",        "table", "tt",   "u",      "ul",      "var",
};

/* ... and <font> with one of these. */
static const char *const font_attrs[] = {"color", "face", "size"};

/* Integration points: those of SVG, and of MathML. */
static const char *const holds_html[] = {
    "foreignObject", "desc", "title", "annotation-xml", "mi", "mo", "mn", "ms", "mtext"};

#define IS_ONE_OF(name, names) is_one_of((name), (names), sizeof(names) / sizeof *(names))

static bool is_one_of(em_slice name, const char *const *names, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (em_same_in_any_case(name, em_slice_of(names[i])))
            return true;
    return false;
}

bool em_foreign_holds_html(em_slice name)
{
    return IS_ONE_OF(name, holds_html);
}

bool em_foreign_ends_before(em_slice bytes, size_t at)
{
    em_tag tag;
    em_tag_attr attr;
    em_slice name = em_tag_name(bytes, at);
    if (!em_same_in_any_case(name, EM_LIT("font")))
        return IS_ONE_OF(name, ends_before);
    em_tag_open(&tag, bytes, at, NULL, NULL);
    while (em_tag_next(&tag, &attr))
        if (IS_ONE_OF(em_slice_sub(bytes, attr.name.start, attr.name.end), font_attrs))
            return true;
    return false;
}
