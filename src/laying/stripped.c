#include "laying/stripped.h"

#include "base/ascii.h"
#include "laying/placed_edit.h"
#include "match/block.h"
#include "match/token_line.h"
#include "tokens/redline.h"

/* The line that repeats the search text's first one. */
typedef struct first_line {
    em_slice indent, seen; /* in the replacement, and in the file */
    bool is_in_new;        /* new lines right before it are less deep, and may have moved it */
} first_line;

/* The first line, of which only blanks before it would tell how deep it is. */
static bool is_bare_start(const em_placed_edit *edit, size_t index)
{
    return index == 0 && edit->insert.tokens.items[0].start == 0;
}

static bool opens_block(const em_placed_edit *edit, size_t index)
{
    size_t first, last;
    em_line_around(edit->insert, index, &first, &last);
    return em_opens_block(edit->insert, last);
}

static bool first_line_of(const em_placed_edit *edit, first_line *first)
{
    size_t i = 0;
    em_slice above;
    while (i < edit->insert.tokens.count && edit->origin[i] != 0)
        i++;
    *first = (first_line){.is_in_new = false};
    if (i == edit->insert.tokens.count || !em_line_indent(edit->insert, i, &first->indent) ||
        first->indent.len == 0 || !em_seen_indent(edit->text, edit->place, 0, &first->seen))
        return false;
    while (i-- > 0 && edit->origin[i] == EM_NPOS)
        if (em_line_indent(edit->insert, i, &above))
            first->is_in_new |=
                is_bare_start(edit, i) ? opens_block(edit, i) : above.len < first->indent.len;
    return true;
}

/* How lines of the search text are shifted against the file, if they are alike: so many blanks of
 * one kind more, or less. */
typedef struct shift {
    bool any, alike;
    bool at_depths; /* they are at several in the file: that they are alike is no chance */
    ptrdiff_t by;
    em_slice seen;
} shift;

static void note_shift(shift *s, em_slice old, em_slice seen)
{
    ptrdiff_t by = (ptrdiff_t)old.len - (ptrdiff_t)seen.len;
    bool same_kind = em_slice_starts(old, seen) || em_slice_starts(seen, old);
    s->alike = same_kind && (!s->any || (s->alike && s->by == by));
    s->at_depths |= s->any && !em_slice_eq(seen, s->seen);
    s->seen = seen;
    s->by = by;
    s->any = true;
}

static int compare_depths(em_slice a, em_slice b)
{
    return (a.len > b.len) - (a.len < b.len);
}

/* Does the line stand to the first one as it does in the file? */
static bool stands_alike(em_slice first, em_slice line, em_slice first_seen, em_slice seen)
{
    return compare_depths(line, first) == compare_depths(seen, first_seen) &&
           em_slice_eq(line, first) == em_slice_eq(seen, first_seen);
}

/* What the search text had before its first line. Where all lines are shifted alike, it was, too;
 * else it had what the replacement has, if nothing there moves it and the others that both texts
 * have stand to it as they do in the file. NULL: that cannot be told. Lines that both have are as
 * deep in both, and not as deep as in the file. */
static const char *first_of_find(const em_placed_edit *edit, const first_line *first,
                                 size_t *length)
{
    em_slice old, new, seen, deepest = first->indent;
    shift all = {.any = false};
    bool alike = !first->is_in_new;
    for (size_t i = 0; i < edit->insert.tokens.count; i++) {
        size_t from = edit->origin[i];
        if (from == EM_NPOS || from == 0 || !em_line_indent(edit->insert, i, &new) ||
            !em_line_indent(edit->find, from, &old) ||
            !em_seen_indent(edit->text, edit->place, from, &seen))
            continue;
        if (!em_slice_eq(old, new) || em_slice_eq(old, seen))
            return NULL;
        note_shift(&all, old, seen);
        alike &= stands_alike(first->indent, new, first->seen, seen);
        deepest = new.len > deepest.len ? new : deepest;
    }
    bool is_shifted = all.alike && all.at_depths;
    ptrdiff_t wanted =
        is_shifted ? (ptrdiff_t)first->seen.len + all.by : (ptrdiff_t)first->indent.len;
    *length = (size_t)wanted;
    bool is = all.any && (is_shifted || alike) && wanted > 0 && *length <= deepest.len;
    return is ? deepest.ptr : NULL;
}

static em_status put_before(em_slice indent, em_arena *arena, em_tolerant_place *place)
{
    em_slice find;
    EM_TRY(em_arena_join(arena, indent, place->find, &find));
    em_token *tokens = em_alloc_array(arena, place->find_tokens.count, sizeof *tokens);
    if (!tokens)
        return EM_E_NOMEM;
    for (size_t i = 0; i < place->find_tokens.count; i++) {
        tokens[i] = place->find_tokens.items[i];
        tokens[i].start += indent.len;
        tokens[i].end += indent.len;
    }
    place->find = find;
    place->find_tokens.items = tokens;
    return EM_OK;
}

/* Was the replacement stripped of the blanks before a new line? That has come first in the place of
 * the search text's first one, and was as deep. */
static bool begins_with_new(const em_placed_edit *edit)
{
    return is_bare_start(edit, 0) && edit->origin[0] == EM_NPOS &&
           !em_only_ends_block(edit->insert, 0);
}

/* Do both texts begin with the same line, and without blanks? Then the one tells nothing of the
 * other. */
static bool begin_alike(const em_placed_edit *edit)
{
    size_t first, last, end;
    if (edit->insert.tokens.count == 0)
        return true;
    em_line_around(edit->find, 0, &first, &last);
    em_line_around(edit->insert, 0, &first, &end);
    bool alike = is_bare_start(edit, 0) && last == end;
    for (size_t i = 0; i <= last && alike; i++)
        alike = em_slice_eq(em_tokened_token(edit->insert, i), em_tokened_token(edit->find, i));
    return alike;
}

em_status em_fill_stripped(em_slice text, em_arena *arena, em_tolerant_place *place)
{
    em_placed_edit edit = em_placed_edit_of(text, place);
    size_t length;
    first_line first;
    if (place->find_tokens.items[0].start > 0 || !em_slice_has_byte(place->find, '\n') ||
        place->insert.len == 0)
        return EM_OK;
    EM_TRY(em_placed_edit_read(&edit, arena));
    if (begin_alike(&edit))
        return EM_OK;
    EM_TRY(em_placed_edit_compare(&edit, arena));
    bool is_stripped = begins_with_new(&edit);
    if ((!is_stripped && !em_is_space_or_tab(place->insert.ptr[0])) ||
        !first_line_of(&edit, &first))
        return EM_OK;
    const char *blanks = first_of_find(&edit, &first, &length);
    if (!blanks)
        return EM_OK;
    em_slice indent = em_slice_make(blanks, length);
    if (is_stripped)
        EM_TRY(em_arena_join(arena, indent, place->insert, &place->insert));
    return put_before(indent, arena, place);
}
