/* carry.c: hunks between the two versions, and what of a stretch they leave as it is. */
#include "text/carry.h"

#include "base/ascii.h"
#include "text/search.h"
#include "text/text.h"

enum { COMPARED_MOST = 64 << 20 /* bytes of lines that are compared with what others brought */ };

/* ---- How the texts differ ------------------------------------------------------------------- */

/* How many bytes of lines a hunk can be moved up or down: as far as the lines next to it are those
 * at its other end. `text` is the one that holds its lines, at [start, end). */
static size_t slide_up(const em_lined *text, size_t start, size_t end)
{
    size_t low = start, high = end;
    while (low > 0) {
        size_t above = em_line_start(text, low - 1), last = em_line_start(text, high - 1);
        if (!em_is_like_line(text, em_slice_sub(text->bytes, above, low),
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
        if (!em_is_like_line(text, em_slice_sub(text->bytes, low, first),
                             em_slice_sub(text->bytes, high, below)))
            break;
        low = first;
        high = below;
    }
    return high - end;
}

static em_carry_slide slide_of(const em_carry *carry, const em_line_hunk *hunk)
{
    bool inserts = hunk->old_start == hunk->old_end, removes = hunk->new_start == hunk->new_end;
    if (!inserts && !removes)
        return (em_carry_slide){.is_possible = false};
    const em_lined *text = inserts ? &carry->current : &carry->base;
    size_t start = inserts ? hunk->new_start : hunk->old_start;
    size_t end = inserts ? hunk->new_end : hunk->old_end;
    return (em_carry_slide){true, slide_up(text, start, end), slide_down(text, start, end)};
}

static em_status find_way(const em_carry *carry, bool backward, em_arena *arena, em_carry_way *way)
{
    EM_TRY(em_line_hunks_find(carry->base.bytes, carry->current.bytes, carry->base.newline,
                              backward, arena, &way->hunks));
    way->slides = em_alloc_array(arena, way->hunks.count, sizeof *way->slides);
    if (!way->slides)
        return EM_E_NOMEM;
    for (size_t i = 0; i < way->hunks.count; i++)
        way->slides[i] = slide_of(carry, &way->hunks.items[i]);
    return EM_OK;
}

em_status em_carry_init(em_carry *carry, em_slice base, em_slice current, em_slice newline,
                        em_arena *arena)
{
    *carry = (em_carry){.base = {base, newline}, .current = {current, newline}};
    EM_TRY(find_way(carry, false, arena, &carry->forward));
    return find_way(carry, true, arena, &carry->backward);
}

/* ---- The lines that a stretch touches ------------------------------------------------------ */

/* Whole lines of the base. */
typedef struct touched {
    size_t start, end;
    bool between;    /* the stretch is empty and stands between two lines */
    size_t at, last; /* ... the first and the last place of which it may be said to stand there */
} touched;

/* The start of the line before the one that begins at `at`, if there is one; a BOM is none. */
static size_t line_before(const em_lined *text, size_t at)
{
    bool is_first = at <= em_text_bom_length(text->bytes, text->newline.len);
    return is_first ? at : em_line_start(text, at - 1);
}

static touched touched_by(const em_carry *carry, size_t start, size_t end)
{
    const em_lined *base = &carry->base;
    touched lines = {.at = start, .last = start};
    if (start == end && em_is_line_start(base, start)) {
        lines.between = true;
        lines.start = line_before(base, start);
        lines.end = em_line_end(base, start);
        return lines;
    }
    lines.start = em_line_start(base, start);
    lines.end = end > start && em_is_line_start(base, end) ? end : em_line_end(base, end);
    return lines;
}

/* Does the splice only bring whole lines, or only take them? */
static bool moves_lines(const em_carry *carry, const em_splice *splice)
{
    const em_lined *base = &carry->base, insert = {splice->insert, base->newline};
    size_t end = splice->offset + splice->length;
    bool at_end = end == base->bytes.len;
    return (splice->length == 0) != (splice->insert.len == 0) &&
           em_is_line_start(base, splice->offset) && (at_end || em_is_line_start(base, end)) &&
           (at_end || em_is_line_start(&insert, splice->insert.len));
}

/* Lines that are put next to their like, or are one of several, make the same text some lines
 * further up or down: all of the places, and the lines between them, are what is touched. */
static touched touched_by_splice(const em_carry *carry, const em_splice *splice)
{
    const em_lined *base = &carry->base;
    size_t start = splice->offset, end = start + splice->length, low = start, high = end;
    touched lines = touched_by(carry, start, end);
    if (!moves_lines(carry, splice))
        return lines;
    em_slice moved = splice->length > 0 ? em_slice_sub(base->bytes, start, end) : splice->insert;
    while (low > 0 &&
           base->bytes.ptr[low - 1] == moved.ptr[moved.len - 1 - (start - low) % moved.len])
        low--;
    while (high < base->bytes.len && base->bytes.ptr[high] == moved.ptr[(high - end) % moved.len])
        high++;
    while (!em_is_line_start(base, low))
        low++;
    while (high > end && !em_is_line_start(base, high))
        high--;
    lines.at = low;
    lines.last = high;
    lines.start = lines.between ? line_before(base, low) : low;
    lines.end = lines.between ? em_line_end(base, high) : high;
    return lines;
}

/* Does the hunk change one of these lines, or put something between them? */
static bool is_hit(const touched *lines, const em_line_hunk *hunk)
{
    if (lines->between && hunk->old_start <= lines->last && lines->at <= hunk->old_end)
        return true;
    return hunk->old_start < lines->end && lines->start < hunk->old_end;
}

/* ---- Is it plain where they are? ----------------------------------------------------------- */

/* Could the hunk as well be about these lines? */
static bool could_hit(const touched *lines, const em_line_hunk *hunk, const em_carry_slide *slide)
{
    return slide->is_possible && lines->end + slide->up > hunk->old_start &&
           lines->start < hunk->old_end + slide->down;
}

/* Where the lines next stand in a text, from `from` on; EM_NPOS. */
static size_t find_lines(const em_lined *text, const em_needle *lines, size_t from)
{
    size_t at = em_find(lines, text->bytes, from);
    while (at != EM_NPOS && !em_is_line_start(text, at))
        at = em_find(lines, text->bytes, at + 1);
    return at;
}

static bool stand_once_in(const em_lined *text, em_slice lines)
{
    em_needle needle;
    em_needle_init(&needle, lines);
    size_t first = find_lines(text, &needle, 0), open = em_find_left_open(text, lines);
    bool is_at_end = open != EM_NPOS && em_is_line_start(text, open);
    return first != EM_NPOS && find_lines(text, &needle, first + 1) == EM_NPOS && !is_at_end;
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
    bool may_be_others; /* one that could hit them takes lines, or brings some to a place
                           between two: some of these may be gone, or torn apart, and
                           their like be what is there */
} finding;

static finding look(const em_carry_way *way, const touched *lines)
{
    finding found = {.unclear = false};
    for (size_t i = 0; i < way->hunks.count; i++) {
        const em_line_hunk *hunk = &way->hunks.items[i];
        bool could = could_hit(lines, hunk, &way->slides[i]);
        found.unclear |= could;
        found.may_be_others |= could && (lines->between || hunk->new_start == hunk->new_end);
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

/* Where the byte at `start` of these lines stands. */
static bool carry_lines(const em_carry *carry, const touched *lines, size_t start, size_t *to,
                        em_carry_conflict *conflict)
{
    finding found = look(&carry->forward, lines);
    if (found.first) {
        *conflict = changed(&found, lines);
        return false;
    }
    *to = shifted(&found, start);
    finding other = look(&carry->backward, lines);
    bool same = !other.first && shifted(&other, start) == *to;
    bool may_be_others = found.may_be_others || other.may_be_others;
    if ((same && !found.unclear && !other.unclear) || (!may_be_others && stand_once(carry, lines)))
        return true;
    *conflict = (em_carry_conflict){.base_start = lines->start,
                                    .base_end = lines->end,
                                    .current_start = shifted(&found, lines->start),
                                    .current_end = shifted(&found, lines->end),
                                    .ambiguous = true};
    return false;
}

bool em_carry_stretch(const em_carry *carry, size_t start, size_t end, size_t *to,
                      em_carry_conflict *conflict)
{
    touched lines = touched_by(carry, start, end);
    return carry_lines(carry, &lines, start, to, conflict);
}

/* ---- What stands behind -------------------------------------------------------------------- */

/* Does a line begin behind what the splice brings, in its new text? */
static bool is_ended(const em_carry *carry, const em_splice *splice)
{
    em_lined before = carry->base;
    em_slice behind = em_slice_from(before.bytes, splice->offset + splice->length);
    before.bytes =
        splice->insert.len > 0 ? splice->insert : em_slice_sub(before.bytes, 0, splice->offset);
    size_t unit = before.newline.len > 1 ? before.newline.len : 1;
    bool is_torn = em_ends_with_mark(&before, before.bytes, '\r') && behind.len >= unit &&
                   em_ends_with_mark(&before, em_slice_sub(behind, 0, unit), '\n');
    return em_is_line_start(&before, before.bytes.len) && !is_torn;
}

/* carry_lines() for a splice within them. One that leaves a line open where it took an ending, or
 * the other way round, needs what stood behind: the same line, or the end of the text. */
static bool carry_with_end(const em_carry *carry, const touched *lines, const em_splice *splice,
                           size_t start, size_t *to, em_carry_conflict *conflict)
{
    const em_lined *base = &carry->base;
    size_t end = splice->offset + splice->length, next = em_line_end(base, end);
    touched all = *lines;
    if (is_ended(carry, splice) == em_is_line_start(base, end))
        return carry_lines(carry, lines, start, to, conflict);
    if (all.end < next)
        all.end = next;
    if (!carry_lines(carry, &all, start, to, conflict))
        return false;
    if (end < base->bytes.len || *to + (end - start) == carry->current.bytes.len)
        return true;
    *conflict =
        (em_carry_conflict){.base_start = all.start,
                            .base_end = all.end,
                            .current_start = *to - (start - all.start),
                            .current_end = em_line_end(&carry->current, *to + (end - start))};
    return false;
}

bool em_carry_around(const em_carry *carry, const em_splice *splice, size_t start, size_t end,
                     size_t *to, em_carry_conflict *conflict)
{
    touched lines = touched_by(carry, start, end);
    return carry_with_end(carry, &lines, splice, start, to, conflict);
}

/* ---- What others have brought --------------------------------------------------------------- */

/* The line that begins at *at, without its ending; *at is where the next one begins. */
static em_slice next_line(const em_lined *text, size_t *at)
{
    size_t start = *at;
    *at = em_line_end(text, start);
    return em_lines_open(text, em_slice_sub(text->bytes, start, *at));
}

/* A line that tells texts apart: no brace and no rule, which stand everywhere. */
static bool says_something(em_slice line)
{
    for (size_t i = 0; i < line.len; i++)
        if (em_is_letter_or_digit(line.ptr[i]) || em_is_beyond_ascii(line.ptr[i]))
            return true;
    return false;
}

/* Does a text have this line? *budget is what may be looked at yet; the answer is yes where
 * that is used up. */
static bool has_line(const em_lined *text, em_slice line, size_t *budget)
{
    for (size_t at = 0, start = 0; at < text->bytes.len; start = at) {
        if (em_slice_eq(next_line(text, &at), line))
            return true;
        *budget -= at - start < *budget ? at - start : *budget;
        if (*budget == 0)
            return true;
    }
    return false;
}

/* Are all lines of a text lines of another one, but for those of `known`? Those that say
 * nothing count where there is no other. False where there is none at all. */
static bool all_are_in(const em_lined *text, const em_lined *known, const em_lined *other)
{
    size_t telling = 0, mute = 0, budget = COMPARED_MOST;
    bool mute_are_in = true;
    for (size_t at = 0; at < text->bytes.len;) {
        em_slice line = next_line(text, &at);
        if (has_line(known, line, &budget))
            continue;
        if (!says_something(line)) {
            mute_are_in = mute_are_in && has_line(other, line, &budget);
            mute++;
        } else if (!has_line(other, line, &budget)) {
            return false;
        } else {
            telling++;
        }
    }
    return telling > 0 || (mute > 0 && mute_are_in) || budget == 0;
}

/* Others brought there what the splice brings, or some of it. */
static bool brings_the_same(const em_carry *carry, const touched *lines, em_slice insert,
                            const em_line_hunk *hunk)
{
    em_slice newline = carry->base.newline;
    em_lined ours = {insert, newline};
    em_lined known = {em_slice_sub(carry->base.bytes, lines->start, lines->end), newline};
    em_lined theirs = {em_slice_sub(carry->current.bytes, hunk->new_start, hunk->new_end), newline};
    return all_are_in(&ours, &known, &theirs) || all_are_in(&theirs, &known, &ours);
}

/* Does it change something next to the stretch? */
static bool is_next_to(const touched *lines, const em_line_hunk *hunk)
{
    size_t start = lines->between ? lines->at : lines->start;
    size_t end = lines->between ? lines->last : lines->end;
    return hunk->old_start <= end && start <= hunk->old_end;
}

static bool is_there(const em_carry *carry, const em_line_hunks *hunks, const touched *lines,
                     em_slice insert, em_carry_conflict *conflict)
{
    finding found = {.unclear = false};
    for (size_t i = 0; i < hunks->count; i++) {
        const em_line_hunk *hunk = &hunks->items[i];
        if (is_next_to(lines, hunk) && brings_the_same(carry, lines, insert, hunk)) {
            found.first = found.last = hunk;
            *conflict = changed(&found, lines);
            conflict->is_there = true;
            return true;
        }
        found.before = hunk;
    }
    return false;
}

static bool stands_already(const em_carry *carry, const touched *lines, em_slice insert,
                           em_carry_conflict *conflict)
{
    return is_there(carry, &carry->forward.hunks, lines, insert, conflict) ||
           is_there(carry, &carry->backward.hunks, lines, insert, conflict);
}

bool em_carry_is_there(const em_carry *carry, size_t start, size_t end, em_slice insert,
                       em_carry_conflict *conflict)
{
    touched lines = touched_by(carry, start, end);
    return stands_already(carry, &lines, insert, conflict);
}

bool em_carry_splice(const em_carry *carry, const em_splice *splice, size_t *to,
                     em_carry_conflict *conflict)
{
    touched lines = touched_by_splice(carry, splice);
    return carry_with_end(carry, &lines, splice, splice->offset, to, conflict) &&
           !stands_already(carry, &lines, splice->insert, conflict);
}

em_status em_carry_splices(const em_carry *carry, em_splices splices, em_arena *arena,
                           em_splices *out, em_carry_conflict *conflict)
{
    em_splice *items = em_alloc_array(arena, splices.count, sizeof *items);
    if (!items)
        return EM_E_NOMEM;
    for (size_t i = 0; i < splices.count; i++) {
        items[i] = splices.items[i];
        if (!em_carry_splice(carry, &splices.items[i], &items[i].offset, conflict))
            return EM_E_CONFLICT;
    }
    *out = (em_splices){.items = items, .count = splices.count};
    return EM_OK;
}
