/* regex_fuzz.c: any pattern and any template over any part of any text.
 *
 * The input is three bytes, then the pattern, the template and the text: the first byte says
 * whether the text is bytes of an unknown encoding and which part of it is searched, the next two
 * how long the pattern and the template are. Places are in order, in the part, and cut no
 * character; nor a CRLF where the pattern has nothing in it that could speak of CR. A quoted text
 * is found where a plain search finds it, in a text of CRLFs or of CRs as if they were LFs.
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
    SEED("\0\1\1$;a\r\nb\r\n\r\n"),
    SEED("\0\3\1\\s*-a \r\nb\n\r\n"),
    SEED("\0\4\4a\nb\\nc$0a\rb\r"),
    SEED("\0\2\6x*\\r\\n$0x\r\ny"),
    SEED("\0\3\2a\nb$0x\ra\r\nb\r"),
    SEED("\0\4\5a\\nba\\x{0}a\r\nb"),
    SEED("\016\6\1\\s+$|^-a\r\nb \r\nc"),
    SEED("\034\2\1x*-1\n2\n3\n4\n5\n"),
    {NULL, 0},
};
const em_slice em_fuzz_words[] = {
    SEED("\\K"),   SEED("\\C"),       SEED("\\R"),   SEED("(?="),      SEED("(?<n>"),
    SEED("(?R)"),  SEED("(*ACCEPT)"), SEED("\\X"),   SEED("\\b"),      SEED("*+"),
    SEED("{2,}"),  SEED("${n}"),      SEED("${1:+"), SEED("\\U"),      SEED("|"),
    SEED("(?i)"),  SEED("[^a]"),      SEED("\r\n"),  SEED("\xC3\xA9"), SEED("\\G"),
    SEED("\\s*$"), SEED("\\n"),       SEED("\r"),    SEED("^"),        {NULL, 0},
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

static bool cuts_crlf(em_slice text, size_t at)
{
    return at > 0 && at < text.len && text.ptr[at - 1] == '\r' && text.ptr[at] == '\n';
}

/* Could the pattern speak of CR? It has one, or what any escape for one begins with. */
static bool may_name_cr(em_slice pattern)
{
    for (size_t i = 0; i < pattern.len; i++) {
        bool escaped = i > 0 && pattern.ptr[i - 1] == '\\';
        if (pattern.ptr[i] == '\r' || (escaped && strchr("rcxoN01234567", pattern.ptr[i])))
            return true;
    }
    return memmem(pattern.ptr, pattern.len, "(*CR", 4) != NULL;
}

static void check_places(em_slice text, em_span part, em_encoding encoding, bool whole_endings,
                         const em_regex_matches *found)
{
    size_t before = part.start;
    for (size_t i = 0; i < found->places.spans.count; i++) {
        em_span place = found->places.spans.items[i];
        HOLDS(place.start >= before && place.end >= place.start && place.end <= part.end);
        HOLDS(place.start < part.end || part.end == text.len);
        HOLDS(encoding == EM_BYTES || !cuts_character(text, place.start));
        HOLDS(encoding == EM_BYTES || !cuts_character(text, place.end));
        HOLDS(encoding == EM_BYTES || is_valid(found->inserts[i]));
        HOLDS(!whole_endings || !cuts_crlf(text, place.start));
        HOLDS(!whole_endings || !cuts_crlf(text, place.end));
        HOLDS(!em_slice_has_byte(found->inserts[i], '\0'));
        before = place.end;
    }
}

static void check_pattern(const em_regex_search *search)
{
    EM_AUTO(em_arena) arena = {0};
    em_regex_matches found;
    em_error err = EM_ERROR_INIT;
    em_status status = em_regex_locate(search, &arena, &found, &err);
    HOLDS(status == EM_OK || status == EM_E_INVALID || status == EM_E_TIMEOUT);
    HOLDS(status == err.code);
    if (status == EM_OK)
        check_places(search->draft->body, search->part, search->encoding,
                     !may_name_cr(search->pattern), &found);
}

/* The text with LFs for its endings where it is one that a pattern without a CR sees so. */
static em_slice seen_text(em_slice text, em_slice pattern, em_arena *arena)
{
    size_t crlf = 0, cr = 0, lf = 0, length = 0;
    char *seen = em_alloc_raw(arena, text.len);
    HOLDS(seen);
    for (size_t i = 0; i < text.len; i++) {
        em_eol eol = em_eol_at(text, i);
        seen[length++] = eol == EM_EOL_NONE ? text.ptr[i] : '\n';
        crlf += eol == EM_EOL_CRLF;
        cr += eol == EM_EOL_CR;
        lf += eol == EM_EOL_LF;
        i += eol == EM_EOL_CRLF;
    }
    bool is_seen = lf == 0 && (cr == 0) != (crlf == 0) && !em_slice_has_byte(pattern, '\r');
    return is_seen ? em_slice_make(seen, length) : text;
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
    em_regex_search search = {.draft = draft,
                              .part = {0, draft->length},
                              .encoding = encoding,
                              .pattern = em_strbuf_slice(&pattern),
                              .replacement = EM_LIT("$$"),
                              .most = SIZE_MAX};
    em_status status = em_regex_locate(&search, &arena, &found, &err);
    if (status == EM_E_INVALID) { /* an LF that would cut a CRLF, or pass one over */
        HOLDS(em_slice_has_byte(text, '\n') && memmem(draft->body.ptr, draft->body.len, "\r\n", 2));
        return;
    }
    HOLDS(status == EM_OK);
    em_slice seen = seen_text(draft->body, text, &arena), rest = seen;
    for (size_t i = 0; i < found.places.spans.count; i++) {
        em_span place = found.places.spans.items[i];
        const char *at = memmem(rest.ptr, rest.len, text.ptr, text.len);
        HOLDS(at);
        em_slice taken = em_slice_sub(draft->body, place.start, place.end);
        em_slice before = em_slice_sub(draft->body, 0, place.start);
        HOLDS(em_slice_eq(seen.ptr == draft->body.ptr ? taken : seen_text(taken, text, &arena),
                          text));
        if (seen.ptr == draft->body.ptr)
            HOLDS((size_t)(at - seen.ptr) == before.len);
        else
            HOLDS((size_t)(at - seen.ptr) == seen_text(before, text, &arena).len);
        HOLDS(found.inserts[i].len == 1 && found.inserts[i].ptr[0] == '$');
        rest = em_slice_from(seen, (size_t)(at - seen.ptr) + text.len);
    }
    HOLDS(!memmem(rest.ptr, rest.len, text.ptr, text.len));
}

/* Three bits say where it begins and two how much it leaves out at the end; it cuts no character.
 */
static em_span part_of(em_slice text, em_encoding encoding, unsigned bits)
{
    em_span part = {text.len * (bits & 7) / 8, text.len - text.len * (bits >> 3 & 3) / 16};
    if (part.start > part.end)
        part.start = part.end;
    while (encoding != EM_BYTES && cuts_character(text, part.start))
        part.start--;
    while (encoding != EM_BYTES && cuts_character(text, part.end))
        part.end--;
    return part;
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
    check_pattern(&(em_regex_search){.draft = &draft,
                                     .part = part_of(rest, encoding, data[0] >> 1),
                                     .encoding = encoding,
                                     .pattern = pattern,
                                     .replacement = template,
                                     .most = SIZE_MAX});
    check_quoted(&draft, encoding, pattern);
    return 0;
}
