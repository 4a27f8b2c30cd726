#include "html/meta.h"

#include "base/ascii.h"
#include "html/tag.h"

/* A browser looks at 1,024 bytes; those who write pages are less strict. */
enum { AS_FAR_AS = 4096, LONGEST_NAME = 40 };

static em_slice value_of(em_slice page, const em_tag_attr *attr, const char *name)
{
    em_slice written = em_slice_sub(page, attr->name.start, attr->name.end);
    return em_same_in_any_case(written, em_slice_of(name))
               ? em_slice_sub(page, attr->value.start, attr->value.end)
               : (em_slice){0};
}

/* What stands behind "charset=" in `content`. */
static em_slice charset_in(em_slice content)
{
    static const char key[] = "charset=";
    enum { LENGTH = sizeof key - 1 };
    for (size_t at = 0; at + LENGTH < content.len; at++)
        if (em_same_in_any_case(em_slice_sub(content, at, at + LENGTH), em_slice_make(key, LENGTH)))
            return em_slice_from(content, at + LENGTH);
    return (em_slice){0};
}

/* Its beginning, as far as that can be a charset's name. */
static em_slice name_in(em_slice value)
{
    while (value.len > 0 && (em_html_space(value.ptr[0]) || em_is_one_of(value.ptr[0], "\"'")))
        value = em_slice_from(value, 1);
    size_t length = 0;
    while (length < value.len &&
           (em_is_letter(value.ptr[length]) || em_is_one_of(value.ptr[length], "0123456789-_.:")))
        length++;
    return em_slice_sub(value, 0, length <= LONGEST_NAME ? length : 0);
}

static em_slice charset_of_tag(em_slice page, size_t at)
{
    em_tag tag;
    em_tag_attr attr;
    em_slice found = {0};
    em_tag_open(&tag, page, at, NULL, NULL);
    if (!em_same_in_any_case(em_slice_sub(page, tag.name.start, tag.name.end), EM_LIT("meta")))
        return found;
    while (found.len == 0 && em_tag_next(&tag, &attr)) {
        found = name_in(value_of(page, &attr, "charset"));
        if (found.len == 0)
            found = name_in(charset_in(value_of(page, &attr, "content")));
    }
    return found;
}

em_slice em_meta_charset(em_slice page)
{
    em_slice found = {0};
    if (page.len > AS_FAR_AS)
        page.len = AS_FAR_AS;
    for (size_t at = 0; at < page.len && found.len == 0; at++)
        if (em_tag_starts(page, at))
            found = charset_of_tag(page, at);
    return found;
}
