#include "html/elements.h"

#include "base/ascii.h"

typedef struct em_element_kind {
    const char *name;
    unsigned short length, kinds;
} em_element_kind;

#define KIND(name, kinds)                                                                          \
    {                                                                                              \
        (name), sizeof(name) - 1, (kinds)                                                          \
    }

/* In order of their names. */
static const em_element_kind element_kinds[] = {
    KIND("area", EM_ELEMENT_VOID),
    KIND("base", EM_ELEMENT_VOID | EM_ELEMENT_NO_TEXT_IN | EM_ELEMENT_BEFORE_BODY),
    KIND("basefont", EM_ELEMENT_VOID | EM_ELEMENT_BEFORE_BODY),
    KIND("bgsound", EM_ELEMENT_VOID | EM_ELEMENT_BEFORE_BODY),
    KIND("body", EM_ELEMENT_OPEN_END | EM_ELEMENT_BEFORE_BODY),
    KIND("br", EM_ELEMENT_VOID),
    KIND("caption", EM_ELEMENT_OPEN_END | EM_ELEMENT_NO_TEXT_AFTER | EM_ELEMENT_OF_TABLE),
    KIND("col", EM_ELEMENT_VOID | EM_ELEMENT_NO_TEXT_IN | EM_ELEMENT_OF_TABLE),
    KIND("colgroup", EM_ELEMENT_OPEN_END | EM_ELEMENT_NO_TEXT_IN | EM_ELEMENT_NO_TEXT_AFTER |
                         EM_ELEMENT_OF_TABLE),
    KIND("dd", EM_ELEMENT_OPEN_END),
    KIND("dt", EM_ELEMENT_OPEN_END),
    KIND("embed", EM_ELEMENT_VOID),
    KIND("frame", EM_ELEMENT_VOID),
    KIND("frameset", EM_ELEMENT_NO_TEXT_IN | EM_ELEMENT_BEFORE_BODY),
    KIND("head", EM_ELEMENT_OPEN_END | EM_ELEMENT_NO_TEXT_IN | EM_ELEMENT_NO_TEXT_AFTER |
                     EM_ELEMENT_BEFORE_BODY),
    KIND("hr", EM_ELEMENT_VOID),
    KIND("html", EM_ELEMENT_OPEN_END | EM_ELEMENT_NO_TEXT_IN | EM_ELEMENT_BEFORE_BODY),
    KIND("iframe", EM_ELEMENT_RAW_TEXT),
    KIND("image", EM_ELEMENT_VOID),
    KIND("img", EM_ELEMENT_VOID),
    KIND("input", EM_ELEMENT_VOID),
    KIND("keygen", EM_ELEMENT_VOID),
    KIND("li", EM_ELEMENT_OPEN_END),
    KIND("link", EM_ELEMENT_VOID | EM_ELEMENT_NO_TEXT_IN | EM_ELEMENT_BEFORE_BODY),
    KIND("math", EM_ELEMENT_FOREIGN),
    KIND("meta", EM_ELEMENT_VOID | EM_ELEMENT_NO_TEXT_IN | EM_ELEMENT_BEFORE_BODY),
    KIND("noembed", EM_ELEMENT_RAW_TEXT),
    KIND("noframes", EM_ELEMENT_RAW_TEXT | EM_ELEMENT_BEFORE_BODY),
    KIND("noscript", EM_ELEMENT_BEFORE_BODY | EM_ELEMENT_AS_AROUND),
    KIND("optgroup", EM_ELEMENT_OPEN_END | EM_ELEMENT_NO_TEXT_AFTER),
    KIND("option", EM_ELEMENT_OPEN_END | EM_ELEMENT_NO_TEXT_AFTER),
    KIND("p", EM_ELEMENT_OPEN_END),
    KIND("param", EM_ELEMENT_VOID),
    KIND("plaintext", EM_ELEMENT_RAW_TEXT),
    KIND("rb", EM_ELEMENT_OPEN_END),
    KIND("rp", EM_ELEMENT_OPEN_END),
    KIND("rt", EM_ELEMENT_OPEN_END),
    KIND("rtc", EM_ELEMENT_OPEN_END),
    KIND("script", EM_ELEMENT_RAW_TEXT | EM_ELEMENT_NO_TEXT_AFTER | EM_ELEMENT_BEFORE_BODY),
    KIND("select", EM_ELEMENT_NO_TEXT_IN),
    KIND("source", EM_ELEMENT_VOID),
    KIND("style", EM_ELEMENT_RAW_TEXT | EM_ELEMENT_NO_TEXT_AFTER | EM_ELEMENT_BEFORE_BODY),
    KIND("svg", EM_ELEMENT_FOREIGN),
    KIND("table", EM_ELEMENT_NO_TEXT_IN | EM_ELEMENT_OF_TABLE),
    KIND("tbody", EM_ELEMENT_OPEN_END | EM_ELEMENT_NO_TEXT_IN | EM_ELEMENT_NO_TEXT_AFTER |
                      EM_ELEMENT_OF_TABLE),
    KIND("td", EM_ELEMENT_OPEN_END | EM_ELEMENT_NO_TEXT_AFTER | EM_ELEMENT_OF_TABLE),
    KIND("template", EM_ELEMENT_NO_TEXT_AFTER | EM_ELEMENT_BEFORE_BODY),
    KIND("textarea", EM_ELEMENT_RCDATA),
    KIND("tfoot", EM_ELEMENT_OPEN_END | EM_ELEMENT_NO_TEXT_IN | EM_ELEMENT_NO_TEXT_AFTER |
                      EM_ELEMENT_OF_TABLE),
    KIND("th", EM_ELEMENT_OPEN_END | EM_ELEMENT_NO_TEXT_AFTER | EM_ELEMENT_OF_TABLE),
    KIND("thead", EM_ELEMENT_OPEN_END | EM_ELEMENT_NO_TEXT_IN | EM_ELEMENT_NO_TEXT_AFTER |
                      EM_ELEMENT_OF_TABLE),
    KIND("title", EM_ELEMENT_RCDATA | EM_ELEMENT_NO_TEXT_AFTER | EM_ELEMENT_BEFORE_BODY),
    KIND("tr", EM_ELEMENT_OPEN_END | EM_ELEMENT_NO_TEXT_IN | EM_ELEMENT_NO_TEXT_AFTER |
                   EM_ELEMENT_OF_TABLE),
    KIND("track", EM_ELEMENT_VOID),
    KIND("wbr", EM_ELEMENT_VOID),
    KIND("xmp", EM_ELEMENT_RAW_TEXT),
};

/* As memcmp(); the case of the letters of `name` does not count. */
static int compare_name(em_slice name, const em_element_kind *kind)
{
    for (size_t i = 0; i < name.len && i < kind->length; i++)
        if (em_to_lower(name.ptr[i]) != kind->name[i])
            return em_to_lower(name.ptr[i]) < kind->name[i] ? -1 : 1;
    return name.len < kind->length ? -1 : name.len > kind->length;
}

unsigned em_element_kinds(em_slice name)
{
    size_t low = 0, high = sizeof element_kinds / sizeof *element_kinds;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int order = compare_name(name, &element_kinds[middle]);
        if (order == 0)
            return element_kinds[middle].kinds;
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return 0;
}

bool em_html_is_raw_text(em_slice name)
{
    return em_element_kinds(name) & EM_ELEMENT_RAW_TEXT;
}

bool em_html_is_rcdata(em_slice name)
{
    return em_element_kinds(name) & EM_ELEMENT_RCDATA;
}

bool em_html_is_void(em_slice name)
{
    return em_element_kinds(name) & EM_ELEMENT_VOID;
}

bool em_html_end_is_lost(em_slice name)
{
    return em_html_is_void(name) && !em_same_in_any_case(name, EM_LIT("br"));
}

bool em_html_end_is_optional(em_slice name)
{
    return em_element_kinds(name) & EM_ELEMENT_OPEN_END;
}

bool em_html_is_boolean_attr(em_slice name)
{
    static const char *const names[] = {
        "allowfullscreen", "async",     "autofocus",   "autoplay",       "checked",  "controls",
        "default",         "defer",     "disabled",    "formnovalidate", "hidden",   "inert",
        "ismap",           "itemscope", "loop",        "multiple",       "muted",    "nomodule",
        "novalidate",      "open",      "playsinline", "readonly",       "required", "reversed",
        "selected",        NULL};
    for (const char *const *known = names; *known; known++)
        if (em_same_in_any_case(name, em_slice_of(*known)))
            return true;
    return false;
}
