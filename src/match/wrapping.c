#include "match/wrapping.h"

#include "base/line.h"

/* ---- Code fences ---------------------------------------------------------------------------- */

bool em_begins_fence(em_slice text)
{
    return em_slice_starts(text, EM_LIT("```")) || em_slice_starts(text, EM_LIT("~~~"));
}

bool em_fenced(em_slice text, em_slice *inside)
{
    text = em_trimmed(text);
    if (!em_begins_fence(text) || text.len < 7)
        return false;
    size_t start = 0;
    em_next_line(text, &start);
    size_t end = text.len - 3;
    bool closed =
        start <= end && memcmp(text.ptr + end, text.ptr, 3) == 0 && text.ptr[end - 1] == '\n';
    if (closed)
        *inside = em_slice_sub(text, start, end);
    return closed;
}

bool em_is_code_block(em_slice text)
{
    em_slice inside;
    if (!em_fenced(text, &inside))
        return false;
    for (size_t offset = 0; offset < inside.len;)
        if (em_begins_fence(em_trimmed(em_next_line(inside, &offset))))
            return false;
    return true;
}

/* ---- Markers of answers ---------------------------------------------------------------------- */

/* One more sign, as a conflict has, is none of an answer's. */
bool em_marked(em_slice text, em_slice *inside)
{
    text = em_trimmed(text);
    if (text.len < 7 || !em_slice_starts(text, EM_LIT(">>>")) ||
        !em_slice_ends(text, EM_LIT("<<<")))
        return false;
    *inside = em_slice_sub(text, 3, text.len - 3);
    return inside->ptr[0] != '>' && inside->ptr[inside->len - 1] != '<';
}

/* ---- Patches -------------------------------------------------------------------------------- */

/* What was seen of a patch so far. */
typedef struct reading {
    em_slice find; /* what is left of it */
    bool adds, removes, stays;
    bool has_column; /* each line that stays has a blank more than in the search text */
} reading;

bool em_is_patch_header(em_slice line)
{
    static const char *const starts[] = {"diff ", "index ", "--- ", "+++ ", "*** ", "@@ "};
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
        if (em_slice_starts(line, em_slice_of(starts[i])))
            return true;
    return false;
}

static em_slice without_header(em_slice text)
{
    size_t offset = 0;
    em_slice all = text;
    while (offset < all.len && em_is_patch_header(em_next_line(all, &offset)))
        text = em_slice_from(all, offset);
    return text;
}

/* The next line of the search text that is not empty, without its ending; empty behind the last. */
static em_slice next_of_find(reading *r)
{
    em_slice line = {0};
    while (r->find.len > 0 && em_trimmed(line).len == 0)
        line = em_line_content(em_take_line(&r->find));
    return em_trimmed(line).len > 0 ? line : (em_slice){0};
}

static bool is_same_line(em_slice a, em_slice b)
{
    return b.len > 0 && em_slice_eq(em_trimmed(a), em_trimmed(b));
}

/* False where it is no line of a patch of what is left of the search text. */
static bool read_line(reading *r, em_slice line)
{
    if (em_trimmed(line).len == 0)
        return true;
    if (line.ptr[0] == '+') {
        r->adds = true;
        return true;
    }
    em_slice wanted = next_of_find(r), behind = em_slice_from(line, 1);
    bool removes = line.ptr[0] == '-' && is_same_line(behind, wanted);
    r->removes |= removes;
    r->stays |= !removes;
    r->has_column &= removes || (line.ptr[0] == ' ' && em_slice_eq(behind, wanted));
    return removes || is_same_line(line, wanted);
}

bool em_is_patch_of(em_slice find, em_slice insert)
{
    reading r = {.find = find, .has_column = true};
    if (!em_slice_has_byte(insert, '\n')) /* a patch has two lines at least */
        return false;
    insert = without_header(insert);
    for (size_t offset = 0; offset < insert.len;)
        if (!read_line(&r, em_line_content(em_next_line(insert, &offset))))
            return false;
    if (next_of_find(&r).len > 0)
        return false;
    return (r.adds && r.removes) || ((r.adds || r.removes) && r.stays && r.has_column);
}

/* ---- Changes -------------------------------------------------------------------------------- */

/* Behind the names of the file the header of a hunk may leave out which lines it is of. */
static bool is_diff(em_slice text)
{
    bool has_hunk = false, has_names = false;
    for (size_t offset = 0; offset < text.len && !has_hunk;) {
        em_slice line = em_next_line(text, &offset);
        has_hunk = em_slice_starts(line, has_names ? EM_LIT("@@") : EM_LIT("@@ -"));
        if (!has_hunk && !em_is_patch_header(line))
            return false;
        has_names = em_slice_starts(line, EM_LIT("+++ "));
    }
    return has_hunk;
}

static const struct {
    const char *start, *end;
} block_kinds[] = {
    {"<<<<<<< SEARCH", ">>>>>>> REPLACE"},
    {"------- SEARCH", "+++++++ REPLACE"},
};

enum { BLOCK_KINDS = sizeof block_kinds / sizeof *block_kinds };

bool em_begins_search_block(em_slice text)
{
    for (size_t i = 0; i < BLOCK_KINDS; i++)
        if (em_slice_starts(text, em_slice_of(block_kinds[i].start)))
            return true;
    return false;
}

bool em_ends_search_block(em_slice line)
{
    for (size_t i = 0; i < BLOCK_KINDS; i++)
        if (em_slice_is(em_trimmed(line), block_kinds[i].end))
            return true;
    return false;
}

static bool is_block(em_slice text)
{
    for (size_t i = 0; i < BLOCK_KINDS; i++)
        if (em_slice_starts(text, em_slice_of(block_kinds[i].start)) &&
            em_slice_ends(text, em_slice_of(block_kinds[i].end)))
            return true;
    return em_slice_starts(text, EM_LIT("*** Begin Patch"));
}

em_change_form em_change_form_of(em_slice text)
{
    text = em_trimmed(text);
    return is_diff(text) ? EM_CHANGE_DIFF : is_block(text) ? EM_CHANGE_BLOCK : EM_CHANGE_NONE;
}
