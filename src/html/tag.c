#include "html/tag.h"

#include "base/ascii.h"

bool em_html_blank(em_slice text)
{
    for (size_t i = 0; i < text.len; i++)
        if (!em_html_space(text.ptr[i]))
            return false;
    return true;
}

em_slice em_html_next_word(em_slice *rest)
{
    size_t start = 0, end;
    while (start < rest->len && em_html_space(rest->ptr[start]))
        start++;
    for (end = start; end < rest->len && !em_html_space(rest->ptr[end]);)
        end++;
    em_slice word = em_slice_sub(*rest, start, end);
    *rest = em_slice_from(*rest, end);
    return word;
}

bool em_html_has_word(em_slice words, em_slice wanted)
{
    em_slice word;
    while ((word = em_html_next_word(&words)).len > 0)
        if (em_slice_eq(word, wanted))
            return true;
    return false;
}

bool em_tag_starts(em_slice bytes, size_t at)
{
    return at + 1 < bytes.len && bytes.ptr[at] == '<' && em_is_letter(bytes.ptr[at + 1]);
}

bool em_tag_ends(em_slice bytes, size_t at)
{
    return at + 2 < bytes.len && bytes.ptr[at] == '<' && bytes.ptr[at + 1] == '/' &&
           em_is_letter(bytes.ptr[at + 2]);
}

em_slice em_tag_name(em_slice bytes, size_t at)
{
    size_t start = at + (bytes.ptr[at + 1] == '/' ? 2 : 1), end = start;
    while (end < bytes.len && !em_html_space(bytes.ptr[end]) && bytes.ptr[end] != '/' &&
           bytes.ptr[end] != '>')
        end++;
    return em_slice_sub(bytes, start, end);
}

size_t em_tag_raw_text_end(em_slice bytes, size_t at, em_slice name)
{
    for (; at < bytes.len; at++) {
        const char *less = memchr(bytes.ptr + at, '<', bytes.len - at);
        if (!less)
            break;
        at = (size_t)(less - bytes.ptr);
        size_t behind = at + 2 + name.len;
        if (em_tag_ends(bytes, at) && behind <= bytes.len &&
            em_same_in_any_case(em_slice_sub(bytes, at + 2, behind), name) &&
            (behind == bytes.len || em_html_space(bytes.ptr[behind]) || bytes.ptr[behind] == '/' ||
             bytes.ptr[behind] == '>'))
            return at;
    }
    return bytes.len;
}

size_t em_tag_comment_end(em_slice bytes, size_t at)
{
    em_slice rest = em_slice_from(bytes, at + sizeof "<!--" - 1);
    if (em_slice_starts(rest, EM_LIT(">")))
        return at + sizeof "<!-->" - 1;
    if (em_slice_starts(rest, EM_LIT("->")))
        return at + sizeof "<!--->" - 1;
    for (;;) {
        const char *found = memmem(rest.ptr, rest.len, "--", 2);
        if (!found)
            return EM_NPOS;
        size_t end = (size_t)(found - bytes.ptr) + 2;
        rest = em_slice_from(bytes, end);
        if (em_slice_starts(rest, EM_LIT(">")) || rest.len == 0)
            return end + (rest.len > 0);
        if (em_slice_starts(rest, EM_LIT("!>")))
            return end + 2;
        rest = em_slice_from(bytes, end - 1);
    }
}

static bool inside(const em_tag *tag)
{
    return tag->at < tag->bytes.len;
}

static char here(const em_tag *tag)
{
    return tag->bytes.ptr[tag->at];
}

/* One byte on, or over the code of a template that begins here. */
static void advance(em_tag *tag, em_tag_place place, char quote)
{
    char byte = here(tag);
    size_t to = tag->at;
    if (tag->code && (byte == '<' || byte == '{'))
        to = tag->code(tag->context, tag->at, place, quote);
    tag->at = to > tag->at ? to : tag->at + 1;
}

/* Over letters and digits, which mean nothing but themselves anywhere in a tag. */
static void skip_letters(em_tag *tag)
{
    em_slice bytes = tag->bytes;
    size_t at = tag->at;
    while (at < bytes.len && em_is_letter_or_digit(bytes.ptr[at]))
        at++;
    tag->at = at;
}

static void skip_space(em_tag *tag)
{
    while (inside(tag) && em_html_space(here(tag)))
        tag->at++;
}

/* Is what was read of a tag's name, from `start`, a name by itself? Not that of <h{{ n }}> or
 * <x-{{ n }}>. */
static bool is_whole_name(const em_tag *tag, size_t start)
{
    char last = tag->bytes.ptr[tag->at - 1];
    bool is_start = tag->bytes.ptr[start - 1] == '<' && tag->at > start;
    bool one = tag->at == start + 1;
    return is_start && em_is_letter_or_digit(last) &&
           (!one || em_is_one_of(em_to_lower(last), "abipqsu"));
}

/* Over code that begins what attributes a tag has, directly behind its name:
 * <div{{ attributes }}>. */
static bool skip_code_behind_name(em_tag *tag, size_t start)
{
    bool may_begin = tag->code && (here(tag) == '<' || here(tag) == '{');
    if (!may_begin || !is_whole_name(tag, start))
        return false;
    size_t to = tag->code(tag->context, tag->at, EM_TAG_BETWEEN, 0);
    bool is_code = to > tag->at;
    tag->at = is_code ? to : tag->at;
    return is_code;
}

/* Over what belongs to a name: of the tag, or of an attribute (which also ends at '='). */
static em_range skip_name(em_tag *tag, em_tag_place place)
{
    em_range name = {tag->at, tag->at};
    skip_letters(tag);
    while (inside(tag) && !em_html_space(here(tag)) && here(tag) != '/' && here(tag) != '>' &&
           (place == EM_TAG_NAME || here(tag) != '=' || tag->at == name.start)) {
        name.end = tag->at;
        if (place == EM_TAG_NAME && skip_code_behind_name(tag, name.start))
            return name;
        advance(tag, place, 0);
        skip_letters(tag);
    }
    name.end = tag->at;
    return name;
}

void em_tag_open(em_tag *tag, em_slice bytes, size_t at, em_tag_code *code, void *context)
{
    size_t name = at + (bytes.ptr[at + 1] == '/' ? 2 : 1);
    *tag = (em_tag){.bytes = bytes, .at = name, .end = EM_NPOS, .code = code, .context = context};
    tag->name = skip_name(tag, EM_TAG_NAME);
}

/* To where the next attribute begins; false where the tag, or the page, ends first. */
static bool skip_between(em_tag *tag)
{
    bool slash = false;
    while (inside(tag)) {
        char byte = here(tag);
        if (byte == '>') {
            tag->self_closing = slash;
            tag->end = ++tag->at;
            return false;
        }
        slash = byte == '/';
        if (!slash && !em_html_space(byte)) {
            size_t before = tag->at;
            if (!em_is_one_of(byte, "<{@#"))
                return true;
            size_t to = tag->code ? tag->code(tag->context, before, EM_TAG_BETWEEN, 0) : before;
            if (to == before)
                return true;
            tag->at = to;
        } else {
            tag->at++;
        }
    }
    return false;
}

static void skip_quoted(em_tag *tag, em_tag_attr *attr)
{
    attr->quote = here(tag);
    attr->value.start = ++tag->at;
    for (skip_letters(tag); inside(tag) && here(tag) != attr->quote; skip_letters(tag))
        advance(tag, EM_TAG_QUOTED, attr->quote);
    attr->value.end = tag->at;
    if (inside(tag))
        tag->at++;
}

static void skip_value(em_tag *tag, em_tag_attr *attr)
{
    tag->at++;
    skip_space(tag);
    attr->has_value = true;
    attr->value = (em_range){tag->at, tag->at};
    if (inside(tag) && (here(tag) == '"' || here(tag) == '\'')) {
        skip_quoted(tag, attr);
        return;
    }
    for (skip_letters(tag); inside(tag) && !em_html_space(here(tag)) && here(tag) != '>';
         skip_letters(tag))
        advance(tag, EM_TAG_UNQUOTED, 0);
    attr->value.end = tag->at;
}

bool em_tag_next(em_tag *tag, em_tag_attr *attr)
{
    if (tag->end != EM_NPOS || !skip_between(tag))
        return false;
    *attr = (em_tag_attr){.name = skip_name(tag, EM_TAG_ATTR_NAME)};
    attr->value = (em_range){attr->name.end, attr->name.end};
    attr->end = attr->name.end;
    skip_space(tag);
    if (inside(tag) && here(tag) == '=') {
        skip_value(tag, attr);
        attr->end = tag->at;
    }
    return true;
}
