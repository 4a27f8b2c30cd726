/* search_eol.c: search where an LF of the needle stands for any line ending.
 *
 * The haystack is taken as a row of characters in which LF, CR and CRLF are one and the same
 * character, "the ending". So a match neither begins nor ends inside a CRLF.
 *
 * The longest segment of the needle between two LFs is searched literally, and the rest is compared
 * around it. Where that costs more than it should (the segment is everywhere, and much of the rest
 * is alike), Two-Way goes on, which is linear and needs no memory: M. Crochemore, D. Perrin,
 * "Two-way string-matching", 1991.
 */
#include "text/search.h"

/* The length of the line ending at `at`; 0 if there is none. */
static size_t eol_length(em_slice hay, size_t at)
{
    if (at == hay.len || (hay.ptr[at] != '\n' && hay.ptr[at] != '\r'))
        return 0;
    return hay.ptr[at] == '\r' && at + 1 < hay.len && hay.ptr[at + 1] == '\n' ? 2 : 1;
}

/* ---- Around a segment ----------------------------------------------------------------------- */

/* Where `part` (which begins with an LF, or is empty) ends when it begins at `at`; EM_NPOS when it
 * does not stand there. *cost grows by the bytes looked at. */
static size_t match_forward(em_slice part, em_slice hay, size_t at, size_t *cost)
{
    size_t i = 0;
    while (i < part.len) {
        size_t ending = eol_length(hay, at);
        if (ending == 0)
            return EM_NPOS;
        at += ending;
        em_slice rest = em_slice_from(part, i + 1);
        size_t length = em_slice_until(rest, '\n');
        *cost += 1 + length;
        if (!em_slice_starts(em_slice_from(hay, at), em_slice_sub(rest, 0, length)))
            return EM_NPOS;
        at += length;
        i += 1 + length;
    }
    return at;
}

/* Where `part` (which ends with an LF, or is empty) begins when it ends at `at`; likewise. */
static size_t match_backward(em_slice part, em_slice hay, size_t at, size_t *cost)
{
    while (part.len > 0) {
        bool lf = at > 0 && hay.ptr[at - 1] == '\n';
        bool cr = at > (size_t)lf && hay.ptr[at - 1 - lf] == '\r';
        if (!lf && !cr)
            return EM_NPOS;
        at -= (size_t)lf + cr;
        part.len--;
        size_t start = em_slice_behind_last(part, '\n');
        em_slice segment = em_slice_from(part, start);
        *cost += 1 + segment.len;
        if (segment.len > at || !em_slice_eq(em_slice_sub(hay, at - segment.len, at), segment))
            return EM_NPOS;
        at -= segment.len;
        part.len = start;
    }
    return at;
}

/* The longest segment of the needle; empty when it is nothing but LFs. */
static em_slice longest_segment(em_slice needle, size_t *offset)
{
    em_slice best = {needle.ptr, 0};
    size_t start = 0;
    while (start <= needle.len) {
        em_slice rest = em_slice_from(needle, start);
        size_t length = em_slice_until(rest, '\n');
        if (length > best.len)
            best = em_slice_sub(rest, 0, length);
        start += length + 1;
    }
    *offset = (size_t)(best.ptr - needle.ptr);
    return best;
}

size_t em_any_eol_at(em_slice needle, em_slice hay, size_t at)
{
    size_t plain = em_slice_until(needle, '\n'), cost = 0;
    bool in_crlf =
        plain == 0 && at > 0 && at < hay.len && hay.ptr[at] == '\n' && hay.ptr[at - 1] == '\r';
    if (in_crlf || !em_slice_starts(em_slice_from(hay, at), em_slice_sub(needle, 0, plain)))
        return EM_NPOS;
    return match_forward(em_slice_from(needle, plain), hay, at + plain, &cost);
}

size_t em_any_eol_around(em_slice needle, size_t offset, em_slice hay, size_t at, size_t *end)
{
    size_t segment = em_slice_behind_last(em_slice_sub(needle, 0, offset), '\n'), cost = 0;
    if (at < offset - segment)
        return EM_NPOS;
    at -= offset - segment;
    *end = em_any_eol_at(em_slice_from(needle, segment), hay, at);
    return *end == EM_NPOS ? EM_NPOS
                           : match_backward(em_slice_sub(needle, 0, segment), hay, at, &cost);
}

/* ---- Two-Way over characters ---------------------------------------------------------------- */

typedef struct factors {
    size_t left;   /* length of the left part */
    size_t period; /* how far to go on after the right part matched: the needle's period, or, where
                      that is long, more than either part */
} factors;

/* The start of the greatest suffix of `x` by the order of bytes, or by its reverse. */
static size_t greatest_suffix(em_slice x, bool reverse, size_t *period)
{
    size_t suffix = 0, at = 1, run = 0;
    *period = 1;
    while (at + run < x.len) {
        char a = x.ptr[at + run], b = x.ptr[suffix + run];
        if (a == b) {
            if (++run == *period) {
                at += run;
                run = 0;
            }
        } else if ((a < b) != reverse) {
            at += run + 1;
            run = 0;
            *period = at - suffix;
        } else {
            suffix = at++;
            run = 0;
            *period = 1;
        }
    }
    return suffix;
}

static factors factorize(em_slice x)
{
    size_t period, reverse_period;
    size_t left = greatest_suffix(x, false, &period);
    size_t reverse_left = greatest_suffix(x, true, &reverse_period);
    if (reverse_left > left) {
        left = reverse_left;
        period = reverse_period;
    }
    if (left + period <= x.len && memcmp(x.ptr, x.ptr + period, left) == 0)
        return (factors){left, period};
    return (factors){left, (left > x.len - left ? left : x.len - left) + 1};
}

/* The character at *at, and *at moved behind it. */
static char next_char(em_slice hay, size_t *at)
{
    size_t ending = eol_length(hay, *at);
    if (ending > 0) {
        *at += ending;
        return '\n';
    }
    return hay.ptr[(*at)++];
}

static size_t skip_chars(em_slice hay, size_t at, size_t count)
{
    while (count-- > 0 && at < hay.len)
        next_char(hay, &at);
    return at;
}

/* How many characters of `x` stand at *at, which moves behind them. */
static size_t common_chars(em_slice x, em_slice hay, size_t *at)
{
    size_t same = 0;
    while (same < x.len && *at < hay.len) {
        size_t next = *at;
        if (next_char(hay, &next) != x.ptr[same])
            break;
        *at = next;
        same++;
    }
    return same;
}

static size_t find_two_way(em_slice x, em_slice hay, size_t from, size_t *end)
{
    factors f = factorize(x);
    em_slice left = em_slice_sub(x, 0, f.left);
    size_t start = from;                           /* of the window, */
    size_t middle = skip_chars(hay, from, f.left); /* of its right part, */
    size_t at = middle, same = f.left; /* and how far the right part is known to match */
    for (;;) {
        same += common_chars(em_slice_from(x, same), hay, &at);
        bool right = same == x.len;
        if (!right && at == hay.len)
            return EM_NPOS;
        size_t left_at = start;
        if (right && common_chars(left, hay, &left_at) == left.len) {
            *end = at;
            return start;
        }
        size_t shift = right ? f.period : same - f.left + 1;
        start = skip_chars(hay, start, shift);
        middle = skip_chars(hay, middle, shift);
        same = right ? x.len - f.period : 0; /* after a whole period the rest is known */
        if (same <= f.left) {
            same = f.left;
            at = middle;
        }
    }
}

/* ---- The search ----------------------------------------------------------------------------- */

/* What comparing may cost before Two-Way takes over: per byte passed, and to begin with. */
enum { COST_PER_BYTE = 4, COST_AT_FIRST = 4096 };

static size_t find_around(em_slice needle, em_slice segment, size_t offset, em_slice hay,
                          size_t from, size_t *end)
{
    em_slice before = em_slice_sub(needle, 0, offset);
    em_slice after = em_slice_from(needle, offset + segment.len);
    em_needle literal;
    em_needle_init(&literal, segment);
    size_t at = from + offset, cost = 0; /* an ending has one byte at least */
    while ((at = em_find(&literal, hay, at)) != EM_NPOS) {
        size_t start = match_backward(before, hay, at, &cost);
        if (start != EM_NPOS && start >= from) {
            *end = match_forward(after, hay, at + segment.len, &cost);
            if (*end != EM_NPOS)
                return start;
        }
        cost += segment.len;
        if (cost > COST_AT_FIRST + COST_PER_BYTE * (at - from))
            return find_two_way(needle, hay, from, end);
        at++;
    }
    return EM_NPOS;
}

size_t em_find_any_eol_two_way(em_slice needle, em_slice hay, size_t from, size_t *end)
{
    bool inside = from > 0 && from < hay.len && hay.ptr[from] == '\n' && hay.ptr[from - 1] == '\r';
    from += inside; /* not in a CRLF */
    return from <= hay.len ? find_two_way(needle, hay, from, end) : EM_NPOS;
}

size_t em_find_any_eol(em_slice needle, em_slice hay, size_t from, size_t *end)
{
    size_t offset;
    em_slice segment = longest_segment(needle, &offset);
    if (segment.len == 0)
        return em_find_any_eol_two_way(needle, hay, from, end);
    if (from > hay.len || hay.len - from < needle.len)
        return EM_NPOS;
    return find_around(needle, segment, offset, hay, from, end);
}
