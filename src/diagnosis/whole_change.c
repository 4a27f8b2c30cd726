#include "diagnosis/whole_change.h"

#include "base/ascii.h"
#include "base/line.h"
#include "base/strbuf.h"
#include "diagnosis/patch_signs.h"
#include "match/wrapping.h"
#include "text/text.h"

/* ---- A block -------------------------------------------------------------------------------- */

static bool is_line(em_slice line, const char *word)
{
    return em_slice_is(em_slice_trim(em_line_content(line), em_is_white_space), word);
}

/* What is between the first line and the last. */
static bool read_block(em_slice text, em_near_miss *sides)
{
    size_t at = 0, parts = 0, end = 0, turn = 0, behind = 0;
    em_next_line(text, &at);
    size_t start = at;
    for (size_t line = at; at < text.len; line = at) {
        bool is_turn = is_line(em_next_line(text, &at), "=======");
        parts += is_turn;
        turn = is_turn ? line : turn;
        behind = is_turn ? at : behind;
        end = line;
    }
    if (parts != 1 || end < behind)
        return false;
    *sides = (em_near_miss){em_slice_sub(text, start, turn), em_slice_sub(text, behind, end)};
    return true;
}

/* ---- Lines with signs ----------------------------------------------------------------------- */

static bool takes(em_slice *text, const char *start)
{
    em_slice rest = *text;
    bool is = em_slice_starts(em_take_line(&rest), em_slice_of(start));
    if (is)
        *text = rest;
    return is;
}

/* The lines of a patch that changes one file. */
static bool lines_of_envelope(em_slice text, em_slice *lines)
{
    size_t last = text.len;
    if (!takes(&text, "*** Begin Patch") || !takes(&text, "*** Update File: "))
        return false;
    takes(&text, "@@");
    for (last = text.len; last > 0 && text.ptr[last - 1] != '\n';)
        last--;
    *lines = em_slice_sub(text, 0, last);
    return is_line(em_slice_from(text, last), "*** End Patch");
}

/* The lines behind the first header of a hunk. Another one is none that has a sign. */
static em_slice lines_of_diff(em_slice text)
{
    em_slice line;
    do {
        line = em_take_line(&text);
    } while (text.len > 0 && !em_slice_starts(line, EM_LIT("@@")));
    return text;
}

/* Each line has an end, so that both sides have. */
static em_status read_signed(em_slice lines, em_arena *arena, em_near_miss *sides, bool *is)
{
    EM_AUTO(em_strbuf) all = {0};
    em_slice kept;
    em_strbuf_add(&all, lines);
    if (!em_ends_in_eol(lines))
        em_strbuf_add(&all, EM_LIT("\n"));
    EM_TRY(em_strbuf_keep(&all, arena, &kept));
    return em_patch_sides(kept, arena, sides, is);
}

/* ---- Both ----------------------------------------------------------------------------------- */

static em_status read_change(em_slice text, em_arena *arena, em_near_miss *sides, bool *is)
{
    em_slice lines;
    em_change_form form = em_change_form_of(text);
    *is = false;
    if (form == EM_CHANGE_DIFF)
        return read_signed(lines_of_diff(text), arena, sides, is);
    if (form != EM_CHANGE_BLOCK)
        return EM_OK;
    if (lines_of_envelope(text, &lines))
        return read_signed(lines, arena, sides, is);
    *is = !em_slice_starts(text, EM_LIT("***")) && read_block(text, sides);
    return EM_OK;
}

/* Without line breaks at its ends. A blank is the sign of an empty line, and stays. */
static em_slice without_breaks(em_slice text)
{
    return em_slice_trim(text, em_is_line_break);
}

em_status em_whole_change_of(em_slice find, em_slice insert, em_arena *arena, em_near_miss *mended,
                             bool *is, bool *clear)
{
    em_slice text = find;
    em_near_miss sides;
    *clear = false;
    em_fenced(find, &text);
    EM_TRY(read_change(without_breaks(text), arena, &sides, is));
    *is = *is && em_trimmed(sides.find).len > 0 && !em_slice_eq(sides.find, sides.insert);
    if (!*is)
        return EM_OK;
    *clear = em_trimmed(insert).len == 0 ||
             em_slice_eq(without_breaks(insert), without_breaks(sides.insert));
    if (sides.insert.len > 0) /* of lines that go, the end goes with them */
        sides = (em_near_miss){em_without_last_eol(sides.find), em_without_last_eol(sides.insert)};
    *mended = sides;
    return EM_OK;
}
