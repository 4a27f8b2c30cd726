/* nth.c: An+B. */
#include "selectors/parser.h"

#include "selectors/ascii.h"

/* Beyond the number of elements of any page. */
enum { LARGEST = 1000000000 };

static bool take_word(em_scanner *scan, const char *word)
{
    size_t length = strlen(word);
    em_slice rest = em_slice_from(scan->text, scan->at);
    if (rest.len < length || !em_ascii_is(em_slice_sub(rest, 0, length), word) ||
        em_scan_is_name(em_scan_peek(scan, length)))
        return false;
    scan->at += length;
    return true;
}

static bool take_number(em_scanner *scan, long *number)
{
    size_t start = scan->at;
    for (*number = 0; em_ascii_digit(em_scan_peek(scan, 0)); scan->at++) {
        *number = *number * 10 + em_scan_peek(scan, 0) - '0';
        if (*number > LARGEST)
            *number = LARGEST;
    }
    return scan->at > start;
}

static bool at_sign(const em_scanner *scan)
{
    return em_scan_peek(scan, 0) == '+' || em_scan_peek(scan, 0) == '-';
}

static bool at_unknown(const em_scanner *scan)
{
    return em_scan_peek(scan, 0) == 'n' || em_scan_peek(scan, 0) == 'N';
}

/* The B behind An, with its sign. What has been read stays right when there is none: then *good is
 * where it ended. */
static bool take_offset(em_scanner *scan, long *offset, size_t *good)
{
    *good = scan->at;
    em_scan_blanks(scan);
    if (!at_sign(scan))
        return !em_scan_is_name(em_scan_peek(scan, 0)) || scan->at > *good;
    bool minus = em_scan_peek(scan, 0) == '-';
    scan->at++;
    em_scan_blanks(scan);
    if (!take_number(scan, offset) || em_scan_is_name(em_scan_peek(scan, 0)))
        return false;
    if (minus)
        *offset = -*offset;
    *good = scan->at;
    return true;
}

/* *good: up to where it would do. */
static bool take_formula(em_scanner *scan, em_nth *nth, size_t *good)
{
    bool sign = at_sign(scan), minus = em_scan_peek(scan, 0) == '-';
    *good = scan->at;
    scan->at += sign;
    bool number = take_number(scan, &nth->offset);
    if (!at_unknown(scan)) {
        if (minus)
            nth->offset = -nth->offset;
        bool whole = number && !em_scan_is_name(em_scan_peek(scan, 0));
        *good = whole ? scan->at : *good;
        return whole;
    }
    nth->step = number ? nth->offset : 1;
    nth->step = minus ? -nth->step : nth->step;
    nth->offset = 0;
    scan->at++;
    return take_offset(scan, &nth->offset, good);
}

static em_status fail_nth(em_parser *parser, em_slice what, size_t start, size_t good)
{
    static const char *const words[] = {"odd", "even", NULL};
    em_scanner *scan = &parser->scan;
    size_t end = start;
    while (end < scan->text.len && scan->text.ptr[end] != ')')
        end++;
    em_slice written = em_parse_source(parser, start, end);
    size_t behind = good;
    while (behind < end && em_ascii_blank(scan->text.ptr[behind]))
        behind++;
    const char *word = em_parse_nearest(parser, written, words);
    if (word)
        em_parse_mend(parser, start, end, "%s", word);
    else if (written.len > 2 && (written.ptr[0] == '"' || written.ptr[0] == '\''))
        em_parse_mend(parser, start, end, "%.*s", (int)written.len - 2, written.ptr + 1);
    else if (good > start && behind < end && em_ascii_digit(scan->text.ptr[behind]))
        em_parse_mend(parser, good, behind, "+");
    else if (good > start && behind < end && (scan->text.ptr[behind] | 0x20) == 'n')
        em_parse_mend(parser, good, behind, "%s", "");
    else if (good > start) {
        em_parse_mend(parser, good, end, "%s", "");
        em_parse_widens(parser, EM_WIDENS);
    }
    return em_parse_fail(parser, scan->at,
                         "':%.*s()' wants a number, 'odd', 'even' or a formula as '2n+1'",
                         EM_SHOWN(what));
}

em_status em_parse_nth(em_parser *parser, em_slice what, em_nth *nth)
{
    em_scanner *scan = &parser->scan;
    em_scan_blanks(scan);
    size_t start = scan->at, good = start;
    if (take_word(scan, "odd"))
        *nth = (em_nth){2, 1, nth->from_end};
    else if (take_word(scan, "even"))
        *nth = (em_nth){2, 0, nth->from_end};
    else if (!take_formula(scan, nth, &good))
        return fail_nth(parser, what, start, good);
    em_scan_blanks(scan);
    int c = em_scan_peek(scan, 0);
    if (c == ')' || c == EM_SCAN_END || c == 'o' || c == 'O')
        return EM_OK;
    return fail_nth(parser, what, start, good);
}
