#include "diagnosis/patch_files.h"

#include "base/ascii.h"
#include "base/line.h"
#include "match/wrapping.h"

/* What the lines so far are. */
typedef struct scan {
    bool has_file;     /* a header, a hunk or a block came */
    bool in_names;     /* headers came that may have more behind them of the same file */
    bool in_block;     /* between SEARCH and REPLACE */
    bool behind_block; /* nothing but blanks and the end of a fence came since one */
    bool in_fence;     /* outside of blocks */
} scan;

static bool begins_with_one_of(em_slice line, const char *const *words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (em_slice_starts(line, em_slice_of(words[i])))
            return true;
    return false;
}

/* Do the two lines begin a text that name a file before the header of its first hunk? A line that
 * goes and one that comes look like them, but are no last ones of a hunk often. */
static bool begins_with_names(em_slice text)
{
    return em_slice_starts(em_take_line(&text), EM_LIT("--- ")) &&
           em_slice_starts(em_take_line(&text), EM_LIT("+++ ")) &&
           em_slice_starts(text, EM_LIT("@@"));
}

/* Behind a block: a name, or a fence, in which there may be one. */
static bool begins_behind_block(scan *s, em_slice line)
{
    bool is_fence = em_begins_fence(line), is_end = is_fence && s->in_fence;
    s->in_fence ^= is_fence;
    s->behind_block = line.len == 0 || is_end;
    return !s->behind_block;
}

/* In a patch: the lines that tools write before those two, or in their place. The lines of hunks
 * have a sign. */
static bool begins_patch(scan *s, em_slice text, em_slice line)
{
    static const char *const before[] = {"diff ", "Index: ", "*** Begin Patch"};
    static const char *const instead[] = {
        "*** Update File: ", "*** Add File: ", "*** Delete File: "};
    bool is_before = begins_with_one_of(line, before, sizeof before / sizeof *before);
    bool is_name = begins_with_one_of(line, instead, sizeof instead / sizeof *instead) ||
                   begins_with_names(text);
    bool begins = s->has_file && (is_before || (is_name && !s->in_names));
    bool is_hunk = em_slice_starts(line, EM_LIT("@@"));
    s->has_file |= is_before || is_name || is_hunk;
    s->in_names = is_before || (s->in_names && !is_name && !is_hunk);
    return begins;
}

/* Does another file begin with the line that the text begins with? */
static bool begins_file(scan *s, em_slice text)
{
    em_slice rest = text, line = em_trimmed(em_take_line(&rest));
    if (s->in_block) {
        s->in_block = !em_ends_search_block(line);
        s->behind_block = !s->in_block;
        return false;
    }
    if (em_begins_search_block(line)) {
        s->has_file = s->in_block = true;
        return false;
    }
    if (s->behind_block)
        return begins_behind_block(s, line);
    s->in_fence ^= em_begins_fence(line);
    return begins_patch(s, text, line);
}

/* Each envelope but the last has lost its end to that. */
static em_status close_envelopes(em_slice *files, size_t count, em_arena *arena)
{
    static const char end[] = "*** End Patch";
    for (size_t i = 0; i + 1 < count; i++)
        if (em_slice_starts(em_trimmed(files[i]), EM_LIT("*** ")) &&
            !em_slice_ends(em_trimmed(files[i]), em_slice_of(end)))
            EM_TRY(em_arena_join(arena, files[i], em_slice_of(end), &files[i]));
    return EM_OK;
}

em_status em_patch_files(em_slice text, em_arena *arena, em_slice **files, size_t *count)
{
    scan s = {0};
    size_t room = 0, from = 0;
    *files = NULL;
    *count = 0;
    if (em_is_code_block(text))
        em_fenced(text, &text);
    for (size_t at = 0, line = 0; at < text.len; line = at) {
        bool begins = begins_file(&s, em_slice_from(text, at));
        em_next_line(text, &at);
        if (!begins)
            continue;
        EM_TRY(em_arena_grow(arena, (void **)files, *count, &room, sizeof **files));
        (*files)[(*count)++] = em_slice_sub(text, from, line);
        from = line;
    }
    EM_TRY(em_arena_grow(arena, (void **)files, *count, &room, sizeof **files));
    (*files)[(*count)++] = em_slice_from(text, from);
    return close_envelopes(*files, *count, arena);
}
