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

static bool ends_block(em_slice line)
{
    return is_line(line, ">>>>>>> REPLACE") || is_line(line, "+++++++ REPLACE");
}

/* Is it the header of a hunk, or the end of a block? */
static bool is_start_of_part(em_slice line)
{
    return em_slice_starts(line, EM_LIT("@@")) || ends_block(line);
}

static em_slice first_line_of(em_slice text)
{
    return em_take_line(&text);
}

/* Without line breaks at its ends. A blank is the sign of an empty line, and stays. */
static em_slice without_breaks(em_slice text)
{
    return em_slice_trim(text, em_is_line_break);
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
static bool lines_of_envelope(em_slice text, em_slice *lines, em_slice *path)
{
    size_t last;
    if (!takes(&text, "*** Begin Patch"))
        return false;
    em_slice named = em_line_content(first_line_of(text));
    if (!takes(&text, "*** Update File: "))
        return false;
    *path = em_trimmed(em_slice_from(named, strlen("*** Update File: ")));
    for (last = text.len; last > 0 && text.ptr[last - 1] != '\n';)
        last--;
    *lines = em_slice_sub(text, 0, last);
    return is_line(em_slice_from(text, last), "*** End Patch");
}

/* The lines from the first header of a hunk on, and the path that the lines before it name. */
static em_slice lines_of_diff(em_slice text, em_slice *path)
{
    *path = (em_slice){0};
    while (text.len > 0 && !em_slice_starts(text, EM_LIT("@@"))) {
        em_slice line = em_line_content(em_take_line(&text));
        if (!em_slice_starts(line, EM_LIT("+++ ")))
            continue;
        em_slice name = em_slice_from(line, 4);
        name = em_slice_sub(name, 0, em_slice_until(name, '\t'));
        *path = em_slice_from(name, em_slice_starts(name, EM_LIT("b/")) ? 2 : 0);
    }
    return text;
}

/* Does another file begin at the end of these lines of a hunk? */
static bool ends_in_file_header(em_slice lines)
{
    size_t end = em_without_last_eol(lines).len;
    size_t second = end > 0 ? em_line_before(lines, end) : 0;
    size_t first = second > 0 ? em_line_before(lines, second - 1) : 0;
    return second > 0 && em_slice_starts(em_slice_from(lines, first), EM_LIT("--- ")) &&
           em_slice_starts(em_slice_from(lines, second), EM_LIT("+++ "));
}

/* The lines up to the next header of a hunk, or the end, and *rest moved behind that header. */
static em_slice take_hunk(em_slice *rest)
{
    em_slice all = *rest;
    size_t length = 0;
    while (rest->len > 0) {
        bool is_header = em_slice_starts(*rest, EM_LIT("@@"));
        em_take_line(rest);
        if (is_header)
            break;
        length = all.len - rest->len;
    }
    return em_slice_sub(all, 0, length);
}

/* Without what says that a last line has no end. Each line has one, so that both sides have. */
static em_status read_signed(em_slice lines, em_arena *arena, em_near_miss *sides, bool *is)
{
    EM_AUTO(em_strbuf) all = {0};
    em_slice kept;
    for (size_t at = 0; at < lines.len;) {
        em_slice line = em_next_line(lines, &at);
        if (!em_slice_starts(line, EM_LIT("\\ ")))
            em_strbuf_add(&all, line);
    }
    if (!em_ends_in_eol(lines))
        em_strbuf_add(&all, EM_LIT("\n"));
    EM_TRY(em_strbuf_keep(&all, arena, &kept));
    return em_patch_sides(kept, arena, sides, is);
}

/* ---- All parts ------------------------------------------------------------------------------ */

/* One more part, if it is one that changes something. */
static bool add_part(em_near_miss sides, em_told_change *change)
{
    if (em_trimmed(sides.find).len == 0 || em_slice_eq(sides.find, sides.insert))
        return false;
    if (sides.insert.len > 0) /* of lines that go, the end goes with them */
        sides = (em_near_miss){em_without_last_eol(sides.find), em_without_last_eol(sides.insert)};
    change->parts[change->count++] = sides;
    return true;
}

static em_status read_hunks(em_slice lines, em_arena *arena, em_told_change *change, bool *is)
{
    *is = true;
    while (lines.len > 0 && *is) {
        em_near_miss sides;
        em_slice hunk = take_hunk(&lines);
        if (hunk.len == 0) /* before the first header */
            continue;
        EM_TRY(read_signed(hunk, arena, &sides, is));
        *is = *is && !(lines.len > 0 && ends_in_file_header(hunk)) && add_part(sides, change);
    }
    return EM_OK;
}

/* One block after the other, and between them nothing but empty lines. */
static bool read_blocks(em_slice text, em_told_change *change)
{
    while (em_trimmed(text).len > 0) {
        em_slice rest = text = without_breaks(text);
        do {
            em_take_line(&rest);
        } while (rest.len > 0 && !ends_block(first_line_of(rest)));
        em_take_line(&rest);
        em_slice block = without_breaks(em_slice_sub(text, 0, text.len - rest.len));
        em_near_miss sides;
        if (em_change_form_of(block) != EM_CHANGE_BLOCK || !read_block(block, &sides) ||
            !add_part(sides, change))
            return false;
        text = rest;
    }
    return true;
}

static em_status read_parts(em_slice text, em_arena *arena, em_told_change *change, bool *is)
{
    em_slice lines;
    em_change_form form = em_change_form_of(text);
    *is = false;
    if (form == EM_CHANGE_DIFF)
        return read_hunks(lines_of_diff(text, &change->path), arena, change, is);
    if (form != EM_CHANGE_BLOCK)
        return EM_OK;
    if (lines_of_envelope(text, &lines, &change->path))
        return read_hunks(lines, arena, change, is);
    *is = !em_slice_starts(text, EM_LIT("***")) && read_blocks(text, change);
    return EM_OK;
}

em_status em_told_change_read(em_slice text, em_arena *arena, em_told_change *change)
{
    bool is;
    size_t most = 1;
    em_fenced(text, &text);
    text = without_breaks(text);
    for (size_t at = 0; at < text.len;)
        most += is_start_of_part(em_next_line(text, &at));
    *change = (em_told_change){.parts = em_alloc_array(arena, most, sizeof *change->parts)};
    if (!change->parts)
        return EM_E_NOMEM;
    EM_TRY(read_parts(text, arena, change, &is));
    change->count = is ? change->count : 0;
    return EM_OK;
}

em_status em_whole_change_of(em_slice find, em_slice insert, em_arena *arena, em_near_miss *mended,
                             bool *is, bool *clear)
{
    em_told_change change;
    *clear = false;
    EM_TRY(em_told_change_read(find, arena, &change));
    *is = change.count == 1;
    if (!*is)
        return EM_OK;
    *mended = change.parts[0];
    *clear = em_trimmed(insert).len == 0 ||
             em_slice_eq(without_breaks(insert), without_breaks(mended->insert));
    return EM_OK;
}
