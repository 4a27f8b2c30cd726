/* diagnose_miss.c: in what a place is written otherwise than the search text. */
#include "diagnosis/diagnose_impl.h"

static em_slice find_gap(const em_tolerant_place *place, size_t index)
{
    return em_slice_sub(place->find, place->find_tokens.items[index - 1].end,
                        place->find_tokens.items[index].start);
}

static em_slice seen_gap(em_slice text, const em_tolerant_place *place, size_t index)
{
    return em_slice_sub(text, place->tokens[index - 1].end, place->tokens[index].start);
}

/* Are they the same blanks, but for what has no width or is no blank of ASCII? */
static bool same_ascii_blanks(em_slice wanted, em_slice seen)
{
    size_t i = 0, j = 0;
    for (;; i++, j++) {
        while (i < wanted.len && (unsigned char)wanted.ptr[i] >= 0x80)
            i++;
        while (j < seen.len && (unsigned char)seen.ptr[j] >= 0x80)
            j++;
        if (i == wanted.len || j == seen.len)
            return i == wanted.len && j == seen.len;
        if (wanted.ptr[i] != seen.ptr[j])
            return false;
    }
}

static em_miss miss_of_indents(em_slice wanted, em_slice seen)
{
    if (same_ascii_blanks(wanted, seen))
        return EM_MISS_CHARACTERS;
    bool tabs = em_slice_has_byte(wanted, '\t') != em_slice_has_byte(seen, '\t');
    return tabs && wanted.len > 0 && seen.len > 0 ? EM_MISS_TABS : EM_MISS_INDENTATION;
}

/* Are they the same? An LF of the search text stands for any line ending, as it does where the rest
 * is found. */
static bool same_gap(em_slice wanted, em_slice seen)
{
    while (wanted.len > 0 && seen.len > 0) {
        size_t other = wanted.ptr[0] == '\n' ? em_eol_length_at(seen, 0) : 0;
        if (other == 0 && wanted.ptr[0] != seen.ptr[0])
            return false;
        wanted = em_slice_from(wanted, 1);
        seen = em_slice_from(seen, other > 0 ? other : 1);
    }
    return wanted.len == seen.len;
}

static em_miss miss_of_gaps(em_slice wanted, em_slice seen)
{
    em_gap_parts a = em_gap_split(wanted), b = em_gap_split(seen);
    if (same_gap(wanted, seen))
        return EM_MISS_UNKNOWN;
    if ((a.breaks.len > 0) != (b.breaks.len > 0))
        return EM_MISS_LINE_BREAKS;
    if (a.breaks.len > 0 && !em_slice_eq(a.indent, b.indent))
        return miss_of_indents(a.indent, b.indent);
    if (em_gap_breaks(a.breaks) != em_gap_breaks(b.breaks))
        return EM_MISS_BLANK_LINES;
    bool cr = em_slice_has_byte(a.breaks, '\r') && !em_slice_has_byte(b.breaks, '\r');
    return cr ? EM_MISS_LINE_ENDINGS : EM_MISS_BLANKS;
}

static bool is_entity(em_slice token)
{
    return token.len > 2 && token.ptr[0] == '&' && token.ptr[token.len - 1] == ';';
}

static em_miss miss_of_tokens(em_slice wanted, em_slice seen)
{
    if (em_slice_eq(wanted, seen))
        return EM_MISS_UNKNOWN;
    if (is_entity(wanted) != is_entity(seen))
        return EM_MISS_ENTITIES;
    return em_token_is_quote(wanted) ? EM_MISS_QUOTES : EM_MISS_CHARACTERS;
}

/* More line breaks at the ends of the search text than stand there: at the ends of the file. */
static em_miss miss_of_ends(em_slice text, const em_tolerant_place *place)
{
    size_t last = place->find_tokens.count - 1;
    em_slice before = em_slice_sub(place->find, 0, place->find_tokens.items[0].start);
    em_slice behind = em_slice_from(place->find, place->find_tokens.items[last].end);
    size_t first_seen =
        em_gap_breaks(em_slice_sub(text, place->span.start, place->tokens[0].start));
    size_t last_seen = em_gap_breaks(em_slice_sub(text, place->tokens[last].end, place->span.end));
    if (em_gap_breaks(behind) == 1 && last_seen == 0)
        return EM_MISS_LAST_BREAK;
    bool more = em_gap_breaks(before) > first_seen || em_gap_breaks(behind) > last_seen;
    return more ? EM_MISS_BLANK_LINES : EM_MISS_UNKNOWN;
}

em_miss em_miss_of_place(em_slice text, const em_tolerant_place *place)
{
    em_miss gaps = EM_MISS_UNKNOWN;
    em_slice wanted = em_slice_sub(place->find, 0, place->find_tokens.items[0].start);
    size_t start;
    for (size_t i = 0; i < place->find_tokens.count; i++) {
        em_miss miss = miss_of_tokens(em_token_bytes(place->find, place->find_tokens.items[i]),
                                      em_token_bytes(text, place->tokens[i]));
        if (miss != EM_MISS_UNKNOWN)
            return miss;
        if (i > 0 && gaps == EM_MISS_UNKNOWN)
            gaps = miss_of_gaps(find_gap(place, i), seen_gap(text, place, i));
    }
    if (gaps == EM_MISS_UNKNOWN)
        gaps = miss_of_ends(text, place);
    if (gaps != EM_MISS_UNKNOWN || !em_begins_line(text, place->tokens[0].start, &start))
        return gaps != EM_MISS_UNKNOWN ? gaps : EM_MISS_BLANKS;
    em_slice seen = em_slice_sub(text, start, place->tokens[0].start);
    wanted = em_gap_split(wanted).indent.len > 0 ? em_gap_split(wanted).indent : wanted;
    return em_slice_eq(wanted, seen) || wanted.len == 0 ? EM_MISS_BLANKS
                                                        : miss_of_indents(wanted, seen);
}
