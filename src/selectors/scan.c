#include "selectors/scan.h"

#include "base/utf8.h"
#include "selectors/ascii.h"

enum { MOST_HEX_DIGITS = 6, REPLACEMENT = 0xFFFD };

void em_scan_comments(em_scanner *scan)
{
    while (em_scan_peek(scan, 0) == '/' && em_scan_peek(scan, 1) == '*') {
        em_slice rest = em_slice_from(scan->text, scan->at + 2);
        const char *end = memmem(rest.ptr, rest.len, "*/", 2);
        scan->at = end ? (size_t)(end - scan->text.ptr) + 2 : scan->text.len;
    }
}

bool em_scan_blanks(em_scanner *scan)
{
    bool blank = false;
    for (size_t before = scan->text.len + 1; before != scan->at;) {
        before = scan->at;
        em_scan_comments(scan);
        while (em_ascii_blank(em_scan_peek(scan, 0))) {
            blank = true;
            scan->at++;
        }
    }
    return blank;
}

static bool is_line_end(int byte)
{
    return byte == '\n' || byte == '\r' || byte == '\f';
}

static bool escape_at(const em_scanner *scan, size_t ahead)
{
    int next = em_scan_peek(scan, ahead + 1);
    return em_scan_peek(scan, ahead) == '\\' && next != EM_SCAN_END && !is_line_end(next);
}

static bool starts_name(int byte)
{
    return em_ascii_letter(byte) || byte == '_' || byte >= 0x80;
}

bool em_scan_is_name(int byte)
{
    return starts_name(byte) || em_ascii_digit(byte) || byte == '-';
}

bool em_scan_starts_identifier(const em_scanner *scan)
{
    if (em_scan_peek(scan, 0) != '-')
        return starts_name(em_scan_peek(scan, 0)) || escape_at(scan, 0);
    return starts_name(em_scan_peek(scan, 1)) || em_scan_peek(scan, 1) == '-' || escape_at(scan, 1);
}

static int hex_value(int byte)
{
    if (em_ascii_digit(byte))
        return byte - '0';
    int lower = em_ascii_letter(byte) ? byte | 0x20 : 0;
    return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

/* A backslash with up to six hexadecimal digits and a blank, or with a sign that stands for itself,
 * into `out`, which has room for twice as many bytes. Returns the length in `out`. */
static size_t escape_take(em_scanner *scan, char *out)
{
    uint32_t code = 0;
    size_t digits = 0;
    scan->at++;
    for (; digits < MOST_HEX_DIGITS && hex_value(em_scan_peek(scan, 0)) >= 0; digits++, scan->at++)
        code = code * 16 + (uint32_t)hex_value(em_scan_peek(scan, 0));
    if (digits == 0) {
        size_t end = scan->at;
        em_utf8_next(scan->text, &end);
        memcpy(out, scan->text.ptr + scan->at, end - scan->at);
        size_t length = end - scan->at;
        scan->at = end;
        return length;
    }
    if (em_scan_peek(scan, 0) == '\r' && em_scan_peek(scan, 1) == '\n')
        scan->at++;
    if (em_ascii_blank(em_scan_peek(scan, 0)))
        scan->at++;
    size_t length = code == 0 ? 0 : em_utf8_put(code, out);
    return length > 0 ? length : em_utf8_put(REPLACEMENT, out);
}

em_status em_scan_identifier(em_scanner *scan, em_arena *arena, em_slice *name)
{
    em_scanner end = *scan;
    bool escaped = false;
    while (em_scan_is_name(em_scan_peek(&end, 0)) || escape_at(&end, 0)) {
        char ignored[4];
        if (!escape_at(&end, 0)) {
            end.at++;
            continue;
        }
        escaped = true;
        escape_take(&end, ignored);
    }
    *name = em_slice_sub(scan->text, scan->at, end.at);
    *scan = end;
    return escaped ? em_scan_resolve(*name, arena, name) : EM_OK;
}

em_status em_scan_resolve(em_slice text, em_arena *arena, em_slice *resolved)
{
    em_scanner scan = {text, 0};
    size_t length = 0;
    char *out = em_alloc_raw(arena, 2 * text.len);
    if (!out)
        return EM_E_NOMEM;
    while (scan.at < text.len) {
        if (escape_at(&scan, 0)) {
            length += escape_take(&scan, out + length);
        } else if (text.ptr[scan.at] == '\\' && is_line_end(em_scan_peek(&scan, 1))) {
            bool pair = em_scan_peek(&scan, 1) == '\r' && em_scan_peek(&scan, 2) == '\n';
            scan.at += pair ? 3 : 2;
        } else {
            out[length++] = text.ptr[scan.at++];
        }
    }
    *resolved = em_slice_make(out, length);
    return EM_OK;
}

em_status em_scan_string(em_scanner *scan, em_arena *arena, em_slice *value)
{
    size_t start = scan->at + 1, end = start;
    char quote = scan->text.ptr[scan->at];
    bool escaped = false;
    for (; end < scan->text.len && scan->text.ptr[end] != quote; end++) {
        if (is_line_end(scan->text.ptr[end]))
            return EM_E_INVALID;
        if (scan->text.ptr[end] != '\\')
            continue;
        escaped = true;
        end++;
        if (end + 1 < scan->text.len && memcmp(scan->text.ptr + end, "\r\n", 2) == 0)
            end++;
    }
    if (end >= scan->text.len)
        return EM_E_INVALID;
    *value = em_slice_sub(scan->text, start, end);
    scan->at = end + 1;
    return escaped ? em_scan_resolve(*value, arena, value) : EM_OK;
}
