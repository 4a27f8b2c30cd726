#include "html/preamble.h"

#include "base/line.h"
#include "html/doctype.h"
#include "html/tag.h"

/* No more than so much is read before a page that is not of it. */
enum { MOST = 64 << 10 };

/* ---- Front matter ---------------------------------------------------------------------------- */

/* Is it this line, with nothing but blanks behind it? */
static bool is_fence(em_slice line, em_slice fence)
{
    return em_slice_starts(line, fence) && em_html_blank(em_slice_from(line, fence.len));
}

/* Behind the lines between two of "---", or "+++", the first of which begins the file; `start`:
 * there are none. */
static size_t front_matter_end(em_slice bytes, size_t start)
{
    size_t at = start;
    em_slice first = em_next_line(bytes, &at);
    em_slice fence = em_slice_starts(first, EM_LIT("+")) ? EM_LIT("+++") : EM_LIT("---");
    while (is_fence(first, fence) && at < bytes.len && at <= MOST)
        if (is_fence(em_next_line(bytes, &at), fence))
            return at;
    return start;
}

/* ---- Everything else ------------------------------------------------------------------------- */

/* Does the page itself begin here, for who wrote it? */
static bool begins_page(em_slice bytes, size_t at)
{
    return em_doctype_starts(bytes, at) ||
           (em_tag_starts(bytes, at) &&
            em_same_in_any_case(em_tag_name(bytes, at), EM_LIT("html")));
}

/* Is it none that a text begins with? */
static bool is_sign_of_code(char byte)
{
    return (unsigned char)byte < 0x80 && !em_is_letter_or_digit(byte) &&
           !em_is_one_of(byte, "\"'&._");
}

typedef enum em_preamble_part { PART_TEXT, PART_BETWEEN, PART_TAG } em_preamble_part;

static size_t behind(em_slice bytes, size_t at, const char *closing)
{
    em_slice rest = em_slice_from(bytes, at);
    const char *found = memmem(rest.ptr, rest.len, closing, strlen(closing));
    return found ? (size_t)(found - bytes.ptr) + strlen(closing) : bytes.len;
}

/* What begins at `at`, and where it ends: text for HTML, or what can stand before a page. Tags as
 * <jsp:include/> are none of HTML. */
static em_preamble_part read_part(em_code_reader *reader, size_t at, size_t *end)
{
    em_slice bytes = reader->bytes, rest = em_slice_from(bytes, at);
    *end = em_code_read(reader, at);
    if (*end > at)
        return PART_BETWEEN;
    if (em_slice_starts(rest, EM_LIT("<!")) || em_slice_starts(rest, EM_LIT("<?"))) {
        *end = behind(bytes, at, em_slice_starts(rest, EM_LIT("<!--")) ? "-->" : ">");
        return PART_BETWEEN;
    }
    bool is_tag = em_tag_starts(bytes, at) || em_tag_ends(bytes, at);
    *end = is_tag ? behind(bytes, at, ">") : at + 1;
    if (is_tag && !em_slice_has_byte(em_tag_name(bytes, at), ':'))
        return PART_TAG;
    return em_html_space(bytes.ptr[at]) ? PART_BETWEEN : PART_TEXT;
}

em_range em_preamble_find(em_code_reader *reader, size_t start)
{
    em_slice bytes = reader->bytes;
    em_range none = {0, 0}, text = {start, front_matter_end(bytes, start)};
    for (size_t at = text.end, end; at < bytes.len && at <= MOST; at = end) {
        if (begins_page(bytes, at))
            return text;
        em_preamble_part part = read_part(reader, at, &end);
        bool is_first = text.end == text.start;
        if (part == PART_TAG || (part == PART_TEXT && is_first && !is_sign_of_code(bytes.ptr[at])))
            return none;
        if (part == PART_TEXT)
            text = (em_range){is_first ? at : text.start, end};
    }
    return none;
}
