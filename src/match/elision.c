/* elision.c: the ends of the search text are looked for, and what the file has between them is put
 * into both texts.
 *
 * Hardly anybody leaves out where one block ends and another begins. Where the ends are in no one
 * block, one of them may no longer be where it was meant, and be found elsewhere: then an end that
 * the edit changes must tell by itself which it is. */
#include "match/elision.h"

#include "base/ascii.h"
#include "base/line.h"
#include "base/strbuf.h"
#include "match/block.h"
#include "match/placeholder.h"
#include "match/token_line.h"
#include "text/text.h"
#include "tokens/brackets.h"
#include "tokens/comment.h"
#include "tokens/tab_stops.h"
#include "tokens/telling.h"
#include "tokens/tokened_lines.h"

typedef struct elision {
    em_occurrences *in;
    em_tokened_lines find;
    em_slice insert;
    em_deadline *deadline;
    em_arena *arena;
} elision;

/* The only line that stands for others; false where there is none, or it is at an edge, or there
 * are more. */
static bool elision_in(const em_tokened_lines *l, size_t *index)
{
    *index = EM_NPOS;
    for (size_t i = 0; i < l->count; i++) {
        if (!em_elides(em_trimmed(em_tokened_line(l, i))))
            continue;
        if (*index != EM_NPOS)
            return false;
        *index = i;
    }
    return *index != EM_NPOS && *index > 0 && *index + 1 < l->count;
}

/* The one place of a text behind `from`; *clear is false where there is none, or more. */
static em_status only_place(const elision *e, em_slice find, size_t from, em_span *span,
                            bool *clear)
{
    em_places places;
    size_t count = 0;
    EM_TRY(em_tolerant_find_in(e->in, find, (em_slice){0}, EM_FOLD_WRITING, e->deadline, e->arena,
                               &places));
    for (size_t i = 0; i < places.count; i++) {
        if (places.items[i].span.start < from)
            continue;
        if (count++ == 0)
            *span = places.items[i].span;
    }
    *clear = count == 1;
    return EM_OK;
}

/* Has a text no empty line beside the one that stands for others: before it, which side 0 ends at,
 * or behind it, where side 1 begins? */
static bool has_none_empty(const em_slice parts[2], size_t side)
{
    em_slice words = em_trimmed(parts[side]);
    size_t start = (size_t)(words.ptr - parts[side].ptr);
    em_slice gap =
        side == 0 ? em_slice_from(parts[0], start + words.len) : em_slice_sub(parts[1], 0, start);
    return em_gap_breaks(gap) <= 1;
}

/* Does the line that stands for others stand for the empty lines at this side of them, too? */
static bool hides_empty(const em_elided *elided, size_t side)
{
    return has_none_empty(elided->find, side) && has_none_empty(elided->insert, side);
}

/* Without what ends the line before it, what indents the one behind it, and those empty lines that
 * the texts have around the line which stands for it. */
static em_slice whole_lines_of(em_slice s, const em_elided *elided)
{
    em_slice words = em_trimmed(s);
    size_t start = (size_t)(words.ptr - s.ptr), end = start + words.len;
    if (hides_empty(elided, 0))
        start = em_line_behind(s, 0);
    else
        em_begins_line(s, start, &start);
    if (hides_empty(elided, 1)) {
        em_begins_line(s, s.len, &end);
        end -= em_last_eol_length(em_slice_sub(s, 0, end));
    }
    return em_slice_sub(s, start, end);
}

/* What a text has before the line that stands for others, and behind it. */
static em_status part_at_elision(const elision *e, em_slice s, em_slice parts[2], bool *clear)
{
    em_tokened_lines here;
    size_t index;
    EM_TRY(em_tokened_lines_init(&here, s, e->arena));
    *clear = elision_in(&here, &index);
    if (!*clear)
        return EM_OK;
    parts[0] = em_slice_sub(s, 0, em_tokened_line_start(&here, index));
    parts[1] = em_slice_from(s, em_tokened_line_end(&here, index));
    return EM_OK;
}

/* Put what the file has there in the place of that line. */
static em_status fill_in(const elision *e, const em_slice parts[2], em_slice middle,
                         em_slice *filled)
{
    EM_TRY(em_arena_join(e->arena, parts[0], middle, filled));
    return em_arena_join(e->arena, *filled, parts[1], filled);
}

/* The indentation that the file's line at `seen` has more than line `sent` of the search text,
 * before what is the same. */
static em_slice margin_of(const elision *e, size_t sent, size_t seen)
{
    em_slice here, there;
    em_line_indent(e->find.of, e->find.lines[sent], &here);
    if (!em_indent_at(e->in->text, seen, &there) || !em_slice_ends(there, here))
        return (em_slice){0};
    return em_slice_sub(there, 0, there.len - here.len);
}

static bool all_begin_with(em_slice all, em_slice margin)
{
    for (size_t offset = 0; offset < all.len;) {
        em_slice line = em_next_line(all, &offset);
        if (em_trimmed(line).len > 0 && !em_slice_starts(line, margin))
            return false;
    }
    return true;
}

/* The file's lines without the margin that the search text lost: among its own they tell how deep
 * these are. */
static em_status without_margin(const elision *e, em_slice margin, em_slice *middle)
{
    EM_AUTO(em_strbuf) out = {0};
    if (margin.len == 0 || !all_begin_with(*middle, margin))
        return EM_OK;
    for (size_t offset = 0; offset < middle->len;) {
        em_slice line = em_next_line(*middle, &offset);
        bool has_margin = em_slice_starts(line, margin);
        em_strbuf_add(&out, em_slice_from(line, has_margin ? margin.len : 0));
    }
    return em_strbuf_keep(&out, e->arena, middle);
}

/* Is it whole lines that stand between the two, and not only empty ones? The line that stands for
 * them is one of its own; what it says nothing of may be what the replacement would put in once
 * more. */
static bool are_whole_lines(em_slice text, em_span between)
{
    size_t start, end;
    em_token first;
    return em_ends_line(text, between.start, EM_FOLD_WRITING, &end) && end < text.len &&
           em_begins_line(text, between.end, &start) && start > end &&
           em_token_next(em_slice_sub(text, 0, start), end, EM_FOLD_WRITING, &first);
}

/* ---- The block of both ends ------------------------------------------------------------------ */

/* A label stands less deep than what it is in. */
static bool is_label(em_slice line)
{
    return em_slice_ends(line, EM_LIT(":")) &&
           (!em_slice_has_byte(line, ' ') || em_slice_starts(line, EM_LIT("case ")));
}

/* How deep is the line, in columns? EM_NPOS: that tells nothing of the block which it is in. */
static size_t depth_of(em_slice line)
{
    em_slice words = em_trimmed(line);
    bool tells = words.len > 0 && words.ptr[0] != '#' && !em_is_comment(words) &&
                 !em_goes_on_comment(words) && !is_label(words);
    return tells ? em_columns_of(em_line_blanks(line)) : EM_NPOS;
}

/* The depth of the least deep line between the two offsets, of which each begins one. */
static size_t least_depth(em_slice text, size_t from, size_t to)
{
    size_t least = EM_NPOS;
    for (size_t end; from < to; from = end) {
        end = em_line_behind(text, from);
        least = em_least(least, depth_of(em_slice_sub(text, from, end)));
    }
    return least;
}

/* Does it close what it opens, and nothing else? */
static bool is_closed(em_slice s)
{
    em_brackets b = em_brackets_of(s);
    return b.open == 0 && b.least == 0;
}

/* Are the lines between the ends, of which the last begins line `index` of the search text, in the
 * block of both? What a line opens is deeper than it, and what a line ends than that; or else the
 * brackets tell. */
static bool are_in_block(const elision *e, size_t index, em_span between)
{
    em_slice text = e->in->text;
    const em_tokened_lines *l = &e->find;
    size_t head_start = em_line_before(text, between.start), tail_start;
    em_begins_line(text, between.end, &tail_start);
    size_t head = em_columns_of(em_line_blanks(em_slice_sub(text, head_start, between.start)));
    size_t tail = em_columns_of(em_slice_sub(text, tail_start, between.end));
    size_t last = l->lines[index - 1] - 1, first = l->lines[index];
    bool opens = em_opens_block(l->of, last), ends = em_only_ends_block(l->of, first);
    bool is_bracketed =
        em_tokened_is_one_of(l->of, last, "{([") && em_tokened_is_one_of(l->of, first, "})]");
    size_t least = tail > head ? head + opens : tail + (ends && (tail < head || opens));
    return least_depth(text, em_line_behind(text, between.start), tail_start) >= least ||
           (is_bracketed && is_closed(em_slice_sub(text, between.start, between.end)));
}

/* Does the end before line `index` of the search text, or the one behind it, say that what is
 * hidden is in one block with it? */
static bool say_one_block(const em_tokened_lines *l, size_t index)
{
    return em_opens_block(l->of, l->lines[index] - 1) ||
           em_only_ends_block(l->of, l->lines[index + 1]);
}

/* Do the lines of the search text from `first` up to `end` tell by themselves where they stand? A
 * long one does, unless it is said that it stands elsewhere. */
static bool tell_themselves(const em_tokened_lines *l, size_t first, size_t end, bool strictly)
{
    enum { LEAST_TELLING = 2, LEAST_LONG = 16 /* bytes */ };
    size_t telling = 0, bytes = 0;
    for (size_t i = first; i < end; i++) {
        if (!em_tokened_line_says_something(l, i))
            continue;
        telling++;
        bytes += em_trimmed(em_tokened_line(l, i)).len;
    }
    return telling >= LEAST_TELLING || (!strictly && bytes >= LEAST_LONG);
}

/* Do the ends that the edit changes tell by themselves where they stand? Line `index` of the search
 * text parts the two. Not where it changes none. */
static bool are_told(const elision *e, const em_elided *elided, size_t index)
{
    const em_tokened_lines *l = &e->find;
    bool any = false, told = true, strictly = say_one_block(l, index);
    for (size_t i = 0; i < 2; i++) {
        if (em_slice_eq(em_trimmed(elided->find[i]), em_trimmed(elided->insert[i])))
            continue;
        any = true;
        told &= tell_themselves(l, i == 0 ? 0 : index + 1, i == 0 ? index : l->count, strictly);
    }
    return any && told;
}

/* ---- All of it ------------------------------------------------------------------------------- */

/* The first line of some that is more than a sign or a word, or the last; empty: there is none. */
static em_slice telling_line(em_slice s, bool last)
{
    em_slice found = {0};
    for (size_t offset = 0; offset < s.len && (last || found.len == 0);) {
        em_slice here = em_trimmed(em_next_line(s, &offset));
        if (here.len > 0 && (em_is_telling(here) || em_slice_has_byte(here, ' ')))
            found = here;
    }
    return found;
}

static bool has_line(em_slice s, em_slice wanted)
{
    for (size_t offset = 0; offset < s.len;)
        if (em_slice_eq(em_trimmed(em_next_line(s, &offset)), wanted))
            return true;
    return false;
}

static bool shows_hidden(const em_elided *elided, em_slice middle)
{
    for (size_t i = 0; i < 2; i++) {
        em_slice edge = telling_line(middle, i == 1);
        if (edge.len > 0 && has_line(elided->insert[i], edge) && !has_line(elided->find[i], edge))
            return true;
    }
    return false;
}

/* Put what is between the ends, whose last begins line `index` of the search text, into both texts,
 * and look for that. */
static em_status find_filled(const elision *e, size_t index, em_span between, em_elided *elided,
                             em_located *located)
{
    em_slice find, insert, middle = em_slice_sub(e->in->text, between.start, between.end);
    elided->shows_hidden = shows_hidden(elided, middle);
    middle = whole_lines_of(middle, elided);
    EM_TRY(without_margin(e, margin_of(e, index, between.end), &middle));
    EM_TRY(fill_in(e, elided->find, middle, &find));
    EM_TRY(fill_in(e, elided->insert, middle, &insert));
    located->miss = EM_MISS_ELIDED;
    EM_TRY(em_tolerant_find_in(e->in, find, insert, EM_FOLD_WRITING, e->deadline, e->arena,
                               &located->places));
    for (size_t i = 0; i < located->places.count; i++)
        located->places.items[i].elided = elided;
    return EM_OK;
}

/* Its ends must each stand once, and the line `index` of it stands for what is between them. */
static em_status find_between_ends(elision *e, size_t index, em_located *located)
{
    const em_tokened_lines *l = &e->find;
    em_slice find = l->of.text;
    em_span head = {0}, tail = {0};
    bool clear;
    size_t behind = em_tokened_line_start(l, index + 1) + em_tokened_line_depth(l, index + 1);
    EM_TRY(
        only_place(e, em_slice_sub(find, 0, em_tokened_line_end(l, index - 1)), 0, &head, &clear));
    if (clear)
        EM_TRY(only_place(e, em_slice_from(find, behind), head.end, &tail, &clear));
    em_span between = {head.end, tail.start};
    if (!clear || !are_whole_lines(e->in->text, between))
        return EM_OK;
    em_elided *elided = em_alloc(e->arena, sizeof *elided);
    if (!elided)
        return EM_E_NOMEM;
    EM_TRY(part_at_elision(e, find, elided->find, &clear));
    if (clear)
        EM_TRY(part_at_elision(e, e->insert, elided->insert, &clear));
    if (!clear)
        return EM_OK;
    elided->is_doubtful = !are_in_block(e, index + 1, between) && !are_told(e, elided, index);
    return find_filled(e, index + 1, between, elided, located);
}

em_status em_elision_find(em_occurrences *in, em_slice find, em_slice insert, em_deadline *deadline,
                          em_arena *arena, em_located *located, bool *elides)
{
    elision e = {.in = in, .insert = insert, .deadline = deadline, .arena = arena};
    size_t index;
    EM_TRY(em_tokened_lines_init(&e.find, find, arena));
    *elides = elision_in(&e.find, &index);
    return *elides ? find_between_ends(&e, index, located) : EM_OK;
}

/* ---- One end --------------------------------------------------------------------------------- */

/* Which of the two ends does the edit change? EM_NPOS: both, or none. */
static size_t changed_end(const em_slice find[2], const em_slice insert[2])
{
    bool head = !em_slice_eq(em_trimmed(find[0]), em_trimmed(insert[0]));
    bool tail = !em_slice_eq(em_trimmed(find[1]), em_trimmed(insert[1]));
    return head == tail ? EM_NPOS : tail;
}

/* Is a place of the text on that side of `span`? */
static em_status stands_beside(const elision *e, em_slice find, em_span span, bool behind, bool *is)
{
    em_places places;
    *is = false;
    EM_TRY(em_tolerant_find_in(e->in, find, (em_slice){0}, EM_FOLD_WRITING, e->deadline, e->arena,
                               &places));
    for (size_t i = 0; i < places.count; i++)
        *is |= behind ? places.items[i].span.start >= span.end
                      : places.items[i].span.end <= span.start;
    return EM_OK;
}

/* Does the new end show the line of the file that is next to it, and that the search text hides? */
static bool shows_next(const elision *e, em_span span, bool behind, em_slice find, em_slice insert)
{
    em_slice text = e->in->text;
    em_slice edge = behind ? telling_line(em_slice_from(text, span.end), false)
                           : telling_line(em_slice_sub(text, 0, span.start), true);
    return edge.len > 0 && has_line(insert, edge) && !has_line(find, edge);
}

em_status em_elision_changed_end(em_occurrences *in, em_slice find, em_slice insert,
                                 em_deadline *deadline, em_arena *arena, em_slice *from,
                                 em_slice *to, bool *is)
{
    elision e = {.in = in, .insert = insert, .deadline = deadline, .arena = arena};
    em_slice parts[2], new[2];
    em_span span;
    size_t index;
    EM_TRY(em_tokened_lines_init(&e.find, find, arena));
    *is = elision_in(&e.find, &index);
    if (*is)
        EM_TRY(part_at_elision(&e, find, parts, is));
    if (*is)
        EM_TRY(part_at_elision(&e, insert, new, is));
    size_t end = *is ? changed_end(parts, new) : EM_NPOS;
    *is = end == 0   ? tell_themselves(&e.find, 0, index, false)
          : end == 1 ? tell_themselves(&e.find, index + 1, e.find.count, true)
                     : false;
    if (!*is)
        return EM_OK;
    *from = end == 0 ? parts[0] : em_slice_from(parts[1], em_line_behind(parts[1], 0));
    *to = end == 0 ? new[0] : em_slice_from(new[1], em_line_behind(new[1], 0));
    EM_TRY(only_place(&e, *from, 0, &span, is));
    if (*is)
        EM_TRY(stands_beside(&e, em_trimmed(parts[1 - end]), span, end == 0, is));
    *is = *is && !shows_next(&e, span, end == 0, *from, *to);
    return EM_OK;
}
