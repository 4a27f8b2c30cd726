/* regex_fuzz.c: any pattern and any template over any text.
 *
 * The input is three bytes, then the pattern, the template and the text: the first byte says
 * whether the text is bytes of an unknown encoding, the next two how long the pattern and the
 * template are. Places are in order and cut no character; and a quoted text is found where a plain
 * search finds it.
 */
#include "fuzz.h"

#include "base/strbuf.h"
#include "base/utf8.h"
#include "edit/regex.h"

#include <string.h>

enum { HEAD = 3 };

const em_slice em_fuzz_seeds[] = {
    SEED("\0\4\2\\w+=<$0key=value\nother = 2\n"),
    SEED("\0\10\4(\\d)\\.\\d$1-x1.2 and 3.4\r\n5.6\r\n"),
    SEED("\0\22(?<name>\\p{L}+)\\s*;${name}gr\xC3\xBCn ;\xE2\x82\xAC;\n"),
    SEED("\1\5\1^.*\\xE9.x\xE9\xE8\n\xE9\n"),
    SEED("\0\3\0x*?aaxxa"),
    SEED("\0\11\2^(a|aa)+$\\Uaaaaaaaaaaaaaaaa!"),
    SEED("\0\6\1(?=a\\K-aaa"),
    SEED("\0\3\10(a)${1:+\\3}aaa"),
    {NULL, 0},
};
const em_slice em_fuzz_words[] = {
    SEED("\\K"),       SEED("\\C"), SEED("\\R"), SEED("(?="),  SEED("(?<n>"), SEED("(?R)"),
    SEED("(*ACCEPT)"), SEED("\\X"), SEED("\\b"), SEED("*+"),   SEED("{2,}"),  SEED("${n}"),
    SEED("${1:+"),     SEED("\\U"), SEED("|"),   SEED("(?i)"), SEED("[^a]"),  SEED("\r\n"),
    SEED("\xC3\xA9"),  SEED("\\G"), {NULL, 0},
};

static em_slice take(em_slice *rest, size_t most)
{
    size_t length = most < rest->len ? most : rest->len;
    em_slice taken = em_slice_make(rest->ptr, length);
    *rest = em_slice_from(*rest, length);
    return taken;
}

static bool is_valid(em_slice s)
{
    return em_utf8_invalid_at(s) == EM_NPOS;
}

static bool cuts_character(em_slice text, size_t at)
{
    return at < text.len && ((unsigned char)text.ptr[at] & 0xC0) == 0x80;
}

static void check_places(em_slice text, em_encoding encoding, const em_regex_matches *found)
{
    size_t before = 0;
    for (size_t i = 0; i < found->spans.count; i++) {
        em_span place = found->spans.items[i];
        HOLDS(place.start >= before && place.end >= place.start && place.end <= text.len);
        HOLDS(encoding == EM_BYTES || !cuts_character(text, place.start));
        HOLDS(encoding == EM_BYTES || !cuts_character(text, place.end));
        HOLDS(encoding == EM_BYTES || is_valid(found->inserts[i]));
        before = place.end;
    }
}

static void check_pattern(const em_draft *draft, em_encoding encoding, em_slice pattern,
                          em_slice template)
{
    EM_AUTO(em_arena) arena = {0};
    em_regex_matches found;
    em_error err = EM_ERROR_INIT;
    em_status status =
        em_regex_locate(draft, encoding, pattern, template, NULL, &arena, &found, &err);
    HOLDS(status == EM_OK || status == EM_E_INVALID || status == EM_E_TIMEOUT);
    HOLDS(status == err.code);
    if (status == EM_OK)
        check_places(draft->body, encoding, &found);
}

/* \Q...\E is the text between as it stands. */
static void check_quoted(const em_draft *draft, em_encoding encoding, em_slice text)
{
    EM_AUTO(em_arena) arena = {0};
    EM_AUTO(em_strbuf) pattern = {0};
    em_regex_matches found;
    em_error err = EM_ERROR_INIT;
    if (text.len == 0 || memmem(text.ptr, text.len, "\\E", 2))
        return;
    em_strbuf_puts(&pattern, "\\Q");
    em_strbuf_add(&pattern, text);
    em_strbuf_puts(&pattern, "\\E");
    HOLDS(em_regex_locate(draft, encoding, em_strbuf_slice(&pattern), EM_LIT("$$"), NULL, &arena,
                          &found, &err) == EM_OK);
    em_slice rest = draft->body;
    for (size_t i = 0; i < found.spans.count; i++) {
        const char *at = memmem(rest.ptr, rest.len, text.ptr, text.len);
        HOLDS(at && (size_t)(at - draft->body.ptr) == found.spans.items[i].start);
        HOLDS(found.spans.items[i].end == found.spans.items[i].start + text.len);
        HOLDS(found.inserts[i].len == 1 && found.inserts[i].ptr[0] == '$');
        rest = em_slice_from(draft->body, found.spans.items[i].end);
    }
    HOLDS(!memmem(rest.ptr, rest.len, text.ptr, text.len));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < HEAD)
        return 0;
    em_slice rest = em_slice_make((const char *)data + HEAD, size - HEAD);
    em_slice pattern = take(&rest, data[1]), template = take(&rest, data[2]);
    bool is_text = is_valid(pattern) && is_valid(template) && is_valid(rest);
    em_encoding encoding = is_text && !(data[0] & 1) ? EM_UTF8 : EM_BYTES;
    EM_AUTO(em_draft) draft;
    HOLDS(em_draft_init(&draft, rest, 0) == EM_OK);
    check_pattern(&draft, encoding, pattern, template);
    check_quoted(&draft, encoding, pattern);
    return 0;
}
