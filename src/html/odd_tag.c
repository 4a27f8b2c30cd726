#include "html/odd_tag.h"

#include "base/ascii.h"

#include <stddef.h>

/* Is the value, which has no quotes, such as nobody writes? Those of onclick=f('x') are even; those
 * in a string of a program have a backslash: class=\"x\"; and x" lacks the first. */
static bool is_odd_value(em_slice value)
{
    char last = value.len > 0 ? value.ptr[value.len - 1] : '\0';
    bool ends = last == '"' || last == '\'';
    size_t count = 0;
    for (size_t i = 0; i < value.len; i++) {
        char byte = value.ptr[i];
        bool is_escaped = (byte == '"' || byte == '\'') && i > 0 && value.ptr[i - 1] == '\\';
        if (byte == '<' || is_escaped)
            return true;
        count += ends && byte == last;
    }
    return count % 2 > 0;
}

/* Is "=>" there, which is no value that was left out? */
static bool is_arrow(em_slice page, const em_tag_attr *attr)
{
    size_t at = attr->value.start;
    return attr->has_value && !attr->quote && attr->value.end == at && at < page.len &&
           page.ptr[at] == '>' && page.ptr[at - 1] == '=' && em_html_space(page.ptr[at - 2]);
}

bool em_name_is_odd(em_slice masked, em_range name)
{
    for (size_t i = name.start; i < name.end; i++)
        if (em_is_one_of(masked.ptr[i], "\"'<"))
            return true;
    return false;
}

bool em_attr_is_odd(em_slice masked, const em_tag_attr *attr)
{
    if (masked.ptr[attr->name.start] == '=' || is_arrow(masked, attr) ||
        em_name_is_odd(masked, attr->name))
        return true;
    return attr->has_value && !attr->quote &&
           is_odd_value(em_slice_sub(masked, attr->value.start, attr->value.end));
}

/* Is the tag at `at` none of JSP, as <c:url value="/x"/>? */
static bool is_html(em_slice masked, size_t at)
{
    em_tag tag;
    em_tag_open(&tag, masked, at, NULL, NULL);
    return !em_slice_has_byte(em_slice_sub(masked, tag.name.start, tag.name.end), ':');
}

em_odd_tag em_odd_tag_of(em_slice masked, size_t start, size_t end, bool by_name)
{
    em_odd_tag odd = {.start = start, .by_name = by_name};
    ptrdiff_t round = 0, square = 0, curly = 0;
    for (size_t i = start + 1; i + 1 < end; i++) {
        char byte = masked.ptr[i];
        round += (byte == '(') - (byte == ')');
        square += (byte == '[') - (byte == ']');
        curly += (byte == '{') - (byte == '}');
        odd.unbound |= byte == '<' || byte == '>';
        odd.swallows |= em_tag_ends(masked, i) || (em_tag_starts(masked, i) && is_html(masked, i));
    }
    odd.unbound |= round != 0 || square != 0 || curly != 0;
    return odd;
}
