#include "laying/bare_first.h"

#include "base/line.h"
#include "match/token_line.h"

/* Is the replacement's second line one of the search text, and as much deeper than the first? */
static bool keeps_step(em_tokened find, em_tokened insert, const size_t *origin, size_t own)
{
    em_slice first, second, new;
    size_t start, last;
    em_line_around(insert, 0, &start, &last);
    if (++last >= insert.tokens.count || origin[last] == EM_NPOS)
        return false;
    return em_line_indent(find, own, &first) && em_line_indent(find, origin[last], &second) &&
           em_line_indent(insert, last, &new) && second.len >= first.len &&
           second.len - first.len == new.len;
}

/* Do all lines of the search text lack the same indentation, and does line `own`, another than the
 * first, have none but that in the file? Then nobody took the blanks off a first line alone. */
static bool lacks_throughout(em_slice text, const em_tolerant_place *place, size_t own)
{
    em_tokened find = em_place_find(place);
    em_slice wanted, seen, lacking;
    if (!em_line_indent(find, own, &wanted) || wanted.len > 0 ||
        !em_seen_indent(text, place, own, &lacking))
        return false;
    for (size_t i = 0; i < find.tokens.count; i++)
        if (em_line_indent(find, i, &wanted) && em_seen_indent(text, place, i, &seen) &&
            !(em_slice_starts(seen, lacking) &&
              em_slice_eq(em_slice_from(seen, lacking.len), wanted)))
            return false;
    return true;
}

/* Is the first line all of it, or is another one less deep than `indent`? */
static bool stays_above(em_tokened insert, em_slice indent)
{
    em_slice other;
    bool alone = true;
    for (size_t i = 1; i < insert.tokens.count; i++) {
        if (!em_line_indent(insert, i, &other))
            continue;
        if (!em_slice_starts(other, indent))
            return true;
        alone = false;
    }
    return alone;
}

static bool has_line(em_tokened text, bool indented)
{
    em_slice indent;
    for (size_t i = 1; i < text.tokens.count; i++)
        if (em_line_indent(text, i, &indent) && indented == (indent.len > 0))
            return true;
    return false;
}

/* Is a new first line as deep as the search text has lines, too, where the lines that are repeated
 * are as deep as in that? Or else nothing of the replacement is indented, or the search text's
 * first line is as deep as in the file, which is `seen`. */
static bool is_as_sent(em_tokened find, em_tokened insert, const size_t *origin, em_slice seen)
{
    em_slice old, new;
    if (!has_line(insert, true) || (em_line_indent(find, 0, &old) && em_slice_eq(old, seen)))
        return true;
    for (size_t i = 1; i < insert.tokens.count; i++)
        if (origin[i] != EM_NPOS && em_line_indent(insert, i, &new) &&
            em_line_indent(find, origin[i], &old) && !em_slice_eq(old, new))
            return false;
    return has_line(find, false);
}

/* Is the line that token `at` of the search text begins the replacement's first one, up to whose
 * token `last` that goes? */
static bool is_first_line(em_tokened find, size_t at, em_tokened insert, size_t last)
{
    size_t same = 0, start, end;
    while (same <= last && at + same < find.tokens.count &&
           em_slice_eq(em_tokened_token(find, at + same), em_tokened_token(insert, same)))
        same++;
    if (same <= last)
        return false;
    em_line_around(find, at, &start, &end);
    return end == at + last;
}

/* Does another line of the search text than its first go that the replacement's first line repeats
 * as well, and that has no indentation in the file? Then it may be the first that goes. */
static bool may_be_other(em_slice text, const em_tolerant_place *place, em_tokened find,
                         em_tokened insert, const size_t *origin)
{
    em_slice unused, seen;
    size_t start, last;
    em_line_around(insert, 0, &start, &last);
    for (size_t at = 1, i = 0; at < find.tokens.count; at++) {
        while (i < insert.tokens.count && (origin[i] == EM_NPOS || origin[i] < at))
            i++;
        bool stays = i < insert.tokens.count && origin[i] == at;
        if (!stays && em_line_indent(find, at, &unused) && em_seen_indent(text, place, at, &seen) &&
            seen.len == 0 && is_first_line(find, at, insert, last))
            return true;
    }
    return false;
}

em_status em_bare_first_of(em_slice text, const em_tolerant_place *place, em_tokened insert,
                           em_arena *arena, em_bare_first *bare)
{
    em_tokened find = em_place_find(place);
    em_slice indent;
    size_t *origin;
    *bare = (em_bare_first){.own = EM_NPOS};
    if (insert.tokens.count == 0 || !em_line_indent(insert, 0, &indent) || indent.len > 0)
        return EM_OK;
    EM_TRY(em_redline(&find, &insert, arena, &origin));
    size_t own = em_first_counterpart(find, insert, origin);
    bool is_new = own == EM_NPOS;
    bare->is = em_seen_indent(text, place, is_new ? 0 : own, &bare->seen) && bare->seen.len > 0;
    bare->own = own;
    bare->is_meant =
        is_new ? is_as_sent(find, insert, origin, bare->seen)
               : keeps_step(find, insert, origin, own) ||
                     (lacks_throughout(text, place, own) && stays_above(insert, bare->seen));
    bare->is_either = bare->is && own == 0 && may_be_other(text, place, find, insert, origin);
    return EM_OK;
}
