#include "text/carry.h"

em_status em_carry_init(em_carry *carry, em_slice base, em_slice current, em_slice newline,
                        em_arena *arena)
{
    *carry = (em_carry){.base = {base, newline}, .current = {current, newline}};
    EM_TRY(em_line_hunks_find(base, current, newline, false, arena, &carry->hunks));
    return em_line_hunks_find(base, current, newline, true, arena, &carry->hunks_backward);
}

/* ---- The lines that a stretch touches ------------------------------------------------------ */

/* Whole lines of the base. */
typedef struct touched {
    size_t start, end;
    bool between; /* the stretch is empty and stands between two lines, at `at` */
    size_t at;
} touched;

static touched touched_by(const em_carry *carry, size_t start, size_t end)
{
    const em_lined *base = &carry->base;
    touched lines = {.at = start};
    if (start == end && em_is_line_start(base, start)) {
        lines.between = true;
        lines.start = start > 0 ? em_line_start(base, start - 1) : 0;
        lines.end = em_line_end(base, start);
        return lines;
    }
    lines.start = em_line_start(base, start);
    lines.end = end > start && em_is_line_start(base, end) ? end : em_line_end(base, end);
    return lines;
}

/* Does the hunk change one of these lines, or put something between them? */
static bool is_hit(const touched *lines, const em_line_hunk *hunk)
{
    if (lines->between && hunk->old_start <= lines->at && lines->at <= hunk->old_end)
        return true;
    return hunk->old_start < lines->end && lines->start < hunk->old_end;
}

/* ---- Is it plain where they are? ----------------------------------------------------------- */

/* A hunk that only inserts, or only removes, may say the same some lines further up or down: as far
 * as the lines next to it are those at its other end. How many bytes of lines that are: `text` is
 * the one that holds its lines, at [start, end). */
static size_t slide_up(const em_lined *text, size_t start, size_t end)
{
    size_t low = start, high = end;
    while (low > 0) {
        size_t above = em_line_start(text, low - 1), last = em_line_start(text, high - 1);
        if (!em_slice_eq(em_slice_sub(text->bytes, above, low),
                         em_slice_sub(text->bytes, last, high)))
            break;
        low = above;
        high = last;
    }
    return start - low;
}

static size_t slide_down(const em_lined *text, size_t start, size_t end)
{
    size_t low = start, high = end;
    while (high < text->bytes.len) {
        size_t first = em_line_end(text, low), below = em_line_end(text, high);
        if (!em_slice_eq(em_slice_sub(text->bytes, low, first),
                         em_slice_sub(text->bytes, high, below)))
            break;
        low = first;
        high = below;
    }
    return high - end;
}

/* Could the hunk as well be about these lines? */
static bool could_hit(const em_carry *carry, const touched *lines, const em_line_hunk *hunk)
{
    bool inserts = hunk->old_start == hunk->old_end, removes = hunk->new_start == hunk->new_end;
    if (!inserts && !removes)
        return false;
    const em_lined *text = inserts ? &carry->current : &carry->base;
    size_t start = inserts ? hunk->new_start : hunk->old_start;
    size_t end = inserts ? hunk->new_end : hunk->old_end;
    return lines->end + slide_up(text, start, end) > hunk->old_start &&
           lines->start < hunk->old_end + slide_down(text, start, end);
}

/* Where the lines next stand in a text, from a line's start on; EM_NPOS. */
static size_t find_lines(const em_lined *text, em_slice lines, size_t from)
{
    em_slice rest = em_slice_from(text->bytes, from);
    const char *found = memmem(rest.ptr, rest.len, lines.ptr, lines.len);
    while (found && !em_is_line_start(text, (size_t)(found - text->bytes.ptr))) {
        rest = em_slice_from(rest, (size_t)(found - rest.ptr) + 1);
        found = memmem(rest.ptr, rest.len, lines.ptr, lines.len);
    }
    return found ? (size_t)(found - text->bytes.ptr) : EM_NPOS;
}

static bool stand_once_in(const em_lined *text, em_slice lines)
{
    size_t first = find_lines(text, lines, 0);
    return first != EM_NPOS && find_lines(text, lines, first + 1) == EM_NPOS;
}

static bool stand_once(const em_carry *carry, const touched *lines)
{
    em_slice bytes = em_slice_sub(carry->base.bytes, lines->start, lines->end);
    return bytes.len > 0 && stand_once_in(&carry->base, bytes) &&
           stand_once_in(&carry->current, bytes);
}

/* ---- Carrying ------------------------------------------------------------------------------ */

/* Where the lines are, by one comparison of the two texts. */
typedef struct finding {
    const em_line_hunk *before;       /* the last hunk in front of them */
    const em_line_hunk *first, *last; /* those that hit them; NULL */
    bool unclear;                     /* a hunk touches them, or could as well hit them */
} finding;

static finding look(const em_carry *carry, const em_line_hunks *hunks, const touched *lines)
{
    finding found = {.unclear = false};
    for (size_t i = 0; i < hunks->count; i++) {
        const em_line_hunk *hunk = &hunks->items[i];
        found.unclear = found.unclear || could_hit(carry, lines, hunk);
        if (is_hit(lines, hunk)) {
            found.first = found.first ? found.first : hunk;
            found.last = hunk;
        } else if (hunk->old_end <= lines->start && !found.first) {
            found.before = hunk;
        } else {
            found.unclear = found.unclear || hunk->old_start == lines->end;
        }
    }
    found.unclear = found.unclear || (found.before && found.before->old_end == lines->start);
    return found;
}

/* What the hunks before the lines make of an offset. */
static size_t shifted(const finding *found, size_t offset)
{
    const em_line_hunk *before = found->before;
    return before ? offset - before->old_end + before->new_end : offset;
}

/* What the lines that are hit have become. */
static em_carry_conflict changed(const finding *found, const touched *lines)
{
    const em_line_hunk *first = found->first, *last = found->last;
    bool at_hunk = first->old_start <= lines->start;
    size_t end = lines->end > last->old_end ? lines->end : last->old_end;
    return (em_carry_conflict){.base_start = at_hunk ? first->old_start : lines->start,
                               .base_end = end,
                               .current_start =
                                   at_hunk ? first->new_start : shifted(found, lines->start),
                               .current_end = last->new_end + (end - last->old_end)};
}

bool em_carry_stretch(const em_carry *carry, size_t start, size_t end, size_t *to,
                      em_carry_conflict *conflict)
{
    touched lines = touched_by(carry, start, end);
    finding found = look(carry, &carry->hunks, &lines);
    if (found.first) {
        *conflict = changed(&found, &lines);
        return false;
    }
    *to = shifted(&found, start);
    finding other = look(carry, &carry->hunks_backward, &lines);
    bool same = !other.first && shifted(&other, start) == *to;
    if ((same && !found.unclear && !other.unclear) || stand_once(carry, &lines))
        return true;
    *conflict = (em_carry_conflict){.base_start = lines.start,
                                    .base_end = lines.end,
                                    .current_start = shifted(&found, lines.start),
                                    .current_end = shifted(&found, lines.end),
                                    .ambiguous = true};
    return false;
}

em_status em_carry_splices(const em_carry *carry, em_splices splices, em_arena *arena,
                           em_splices *out, em_carry_conflict *conflict)
{
    em_splice *items = em_alloc_array(arena, splices.count, sizeof *items);
    if (!items)
        return EM_E_NOMEM;
    for (size_t i = 0; i < splices.count; i++) {
        items[i] = splices.items[i];
        if (!em_carry_stretch(carry, items[i].offset, items[i].offset + items[i].length,
                              &items[i].offset, conflict))
            return EM_E_CONFLICT;
    }
    *out = (em_splices){.items = items, .count = splices.count};
    return EM_OK;
}
