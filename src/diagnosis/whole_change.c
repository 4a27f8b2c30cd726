#include "diagnosis/whole_change.h"

#include "base/ascii.h"
#include "base/line.h"
#include "base/strbuf.h"
#include "diagnosis/patch_files.h"
#include "diagnosis/patch_prose.h"
#include "diagnosis/patch_signs.h"
#include "match/wrapping.h"
#include "text/text.h"

/* ---- Lines ---------------------------------------------------------------------------------- */

static bool is_line(em_slice line, const char *word)
{
    return em_slice_is(em_slice_trim(em_line_content(line), em_is_white_space), word);
}

static em_slice first_line_of(em_slice text)
{
    return em_take_line(&text);
}

/* Take the line that a text begins with, if it begins so. */
static bool takes(em_slice *text, const char *start)
{
    bool is = em_slice_starts(first_line_of(*text), em_slice_of(start));
    if (is)
        em_take_line(text);
    return is;
}

/* And the line that it ends with, if it is that. */
static bool takes_last(em_slice *text, const char *word)
{
    size_t start = em_without_last_eol(*text).len;
    while (start > 0 && text->ptr[start - 1] != '\n')
        start--;
    bool is = is_line(em_slice_from(*text, start), word);
    if (is)
        *text = em_slice_sub(*text, 0, start);
    return is;
}

/* Without line breaks at its ends. A blank is the sign of an empty line, and stays. */
static em_slice without_breaks(em_slice text)
{
    return em_slice_trim(text, em_is_line_break);
}

/* ---- Parts ---------------------------------------------------------------------------------- */

/* Is it the header of a hunk, or the end of a block? */
static bool is_edge_of_part(em_slice line)
{
    return em_slice_starts(line, EM_LIT("@@")) || em_ends_search_block(line);
}

/* One more part, if it is one that changes something. */
static bool add_part(em_near_miss sides, em_slice heads, em_told_change *change)
{
    change->is_bare |= em_trimmed(sides.find).len == 0 && em_trimmed(sides.insert).len > 0;
    if (em_trimmed(sides.find).len == 0 || em_slice_eq(sides.find, sides.insert))
        return false;
    if (sides.insert.len > 0) /* of lines that go, the end goes with them */
        sides = (em_near_miss){em_without_last_eol(sides.find), em_without_last_eol(sides.insert)};
    change->heads[change->count] = heads;
    change->parts[change->count++] = sides;
    return true;
}

/* ---- Blocks --------------------------------------------------------------------------------- */

/* The lines that say where in the file a block belongs, which some tools have at its start. */
static void take_place(em_slice *text)
{
    bool is_told = false;
    while (takes(text, ":start_line:") || takes(text, ":end_line:"))
        is_told = true;
    if (is_told)
        takes(text, "-------");
}

/* What is between the first line and the last, which may be missing. */
static bool read_block(em_slice text, em_near_miss *sides, bool *is_cut)
{
    size_t turns = 0;
    em_take_line(&text);
    take_place(&text);
    *is_cut = !takes_last(&text, ">>>>>>> REPLACE") && !takes_last(&text, "+++++++ REPLACE");
    for (size_t at = 0, line = 0; at < text.len; line = at) {
        if (!is_line(em_next_line(text, &at), "======="))
            continue;
        turns++;
        *sides = (em_near_miss){em_slice_sub(text, 0, line), em_slice_from(text, at)};
    }
    return turns == 1;
}

/* The first block of the text, which is moved behind it. */
static em_slice take_block(em_slice *text)
{
    em_slice all = *text;
    while (text->len > 0 && !em_ends_search_block(em_take_line(text)))
        continue;
    return em_slice_sub(all, 0, all.len - text->len);
}

/* One block after the other, and between them nothing but empty lines. */
static bool read_blocks(em_slice text, em_told_change *change)
{
    while (em_trimmed(text).len > 0) {
        em_slice block = without_breaks(take_block(&text));
        em_near_miss sides;
        if (!em_begins_search_block(em_trimmed(block)) ||
            !read_block(block, &sides, &change->is_cut) || !add_part(sides, (em_slice){0}, change))
            return false;
    }
    change->is_doubtful = change->is_cut;
    return true;
}

/* ---- Hunks ---------------------------------------------------------------------------------- */

/* By which lines a patch asks for more than other texts in a file; git before its headers, and an
 * envelope in the place of the line that names the file, or below that. */
static const char *const git_words[] = {
    "old mode ", "new mode ", "rename from ",      "rename to ",   "copy from ",
    "copy to ",  "new file ", "deleted file mode", "Binary files", "GIT binary patch",
};
static const char *const envelope_words[] = {
    "*** Add File: ", "*** Delete File: ", "*** Move to: "};

/* Without what git writes before, a diff says of one side that there is no file. */
static const char *const diff_words[] = {"--- /dev/null", "+++ /dev/null"};

/* Note the line, if it begins with one of the words. */
static void note_more(em_slice line, const char *const *words, size_t count, em_told_change *change)
{
    for (size_t i = 0; i < count && change->more.len == 0; i++)
        if (em_slice_starts(line, em_slice_of(words[i])))
            change->more = em_line_content(line);
    change->is_doubtful |= change->more.len > 0;
}

static void note_more_of_git(em_slice line, em_told_change *change)
{
    note_more(line, git_words, sizeof git_words / sizeof *git_words, change);
}

static void note_more_of_envelope(em_slice line, em_told_change *change)
{
    note_more(line, envelope_words, sizeof envelope_words / sizeof *envelope_words, change);
}

/* The lines of a patch that changes one file, and its path. */
static bool lines_of_envelope(em_slice text, em_slice *lines, em_told_change *change)
{
    static const char update[] = "*** Update File: ";
    takes(&text, "*** Begin Patch");
    note_more_of_envelope(first_line_of(text), change);
    em_slice named = em_line_content(first_line_of(text));
    if (!takes(&text, update))
        return false;
    note_more_of_envelope(first_line_of(text), change);
    change->path = em_trimmed(em_slice_from(named, strlen(update)));
    change->is_cut = !takes_last(&text, "*** End Patch");
    change->is_doubtful |= change->is_cut;
    takes_last(&text, "*** End of File");
    *lines = text;
    return true;
}

/* The path in a header of a diff, behind its sign. */
static em_slice path_in_header(em_slice line)
{
    em_slice name = em_slice_from(line, 4);
    return em_trimmed(em_slice_sub(name, 0, em_slice_until(name, '\t')));
}

/* The path below the folder that diffs put before it, "a/" or "b/". */
static em_slice below_first_folder(em_slice path)
{
    size_t length = em_slice_until(path, '/');
    return em_slice_from(path, length < path.len ? length + 1 : 0);
}

/* Do both headers of a diff name one file? The old one may have an ending behind it (".orig"). */
static bool are_of_one_file(em_slice before, em_slice after)
{
    em_slice old = below_first_folder(before), new = below_first_folder(after);
    return em_slice_starts(before, after) || em_slice_starts(old, new) ||
           em_slice_starts(before, new) || em_slice_starts(old, after);
}

/* The lines from the first header of a hunk on, and the path that the lines before it name. */
static em_slice lines_of_diff(em_slice text, em_told_change *change)
{
    em_slice before = {0}, after = {0};
    while (text.len > 0 && !em_slice_starts(text, EM_LIT("@@"))) {
        em_slice line = em_line_content(em_take_line(&text));
        note_more(line, diff_words, sizeof diff_words / sizeof *diff_words, change);
        if (em_slice_starts(line, EM_LIT("--- ")))
            before = path_in_header(line);
        else if (em_slice_starts(line, EM_LIT("+++ ")))
            after = path_in_header(line);
    }
    bool has_folder =
        em_slice_starts(after, EM_LIT("b/")) && !em_slice_starts(before, EM_LIT("b/"));
    change->path = em_slice_from(after, has_folder ? 2 : 0);
    change->is_doubtful |= before.len > 0 && !are_of_one_file(before, after);
    return text;
}

/* What git writes before the headers of a file: of a mail, and that it is moved or gets another
 * mode. Subversion writes the name of the file, and a line below it. */
static void take_preamble(em_slice *text, em_told_change *change)
{
    bool is_mail = em_slice_starts(*text, EM_LIT("From "));
    while (is_mail && text->len > 0 && !em_slice_starts(*text, EM_LIT("diff --git ")))
        em_take_line(text);
    if (takes(text, "Index: "))
        takes(text, "===");
    if (!em_slice_starts(*text, EM_LIT("diff --git ")))
        return;
    while (text->len > 0 && !em_slice_starts(*text, EM_LIT("--- ")))
        note_more_of_git(em_take_line(text), change);
}

/* And behind the last hunk, of a mail: two hyphens, and its version. */
static void take_trailer(em_slice *text)
{
    em_slice rest = em_slice_trim(*text, em_is_line_break);
    size_t second = em_slice_behind_last(rest, '\n');
    size_t first = second > 0 ? em_slice_behind_last(em_slice_sub(rest, 0, second - 1), '\n') : 0;
    if (first > 0 && second < rest.len && em_is_digit(rest.ptr[second]) &&
        is_line(em_slice_sub(rest, first, second), "--"))
        *text = em_slice_sub(rest, 0, first);
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

/* Append all lines but those that say of the one before that the file ends with it, without a line
 * break. Returns whether that holds of one side alone. */
static bool add_lines(em_strbuf *all, em_slice lines)
{
    bool is_of_one = false;
    char sign = ' ';
    for (size_t at = 0; at < lines.len;) {
        em_slice line = em_next_line(lines, &at);
        bool is_note = line.ptr[0] == '\\';
        is_of_one ^= is_note && sign != ' ';
        sign = line.ptr[0];
        if (!is_note)
            em_strbuf_add(all, line);
    }
    return is_of_one;
}

/* Each line has an end, so that both sides have. */
static em_status read_signed(em_slice lines, em_arena *arena, em_near_miss *sides, bool *is,
                             bool *is_doubtful)
{
    EM_AUTO(em_strbuf) all = {0};
    em_slice kept;
    *is_doubtful |= add_lines(&all, lines);
    if (!em_ends_in_eol(em_strbuf_slice(&all)))
        em_strbuf_add(&all, EM_LIT("\n"));
    EM_TRY(em_strbuf_keep(&all, arena, &kept));
    return em_patch_sides(kept, arena, sides, is);
}

/* Has each line of a hunk a plus before it? */
static bool only_brings_lines(em_slice lines)
{
    bool brings = em_trimmed(lines).len > 0;
    for (size_t at = 0; at < lines.len && brings;)
        brings = em_slice_starts(em_next_line(lines, &at), EM_LIT("+"));
    return brings;
}

static em_status read_hunks(em_slice lines, em_arena *arena, em_told_change *change, bool *is)
{
    em_slice heads = em_slice_sub(lines, 0, 0);
    *is = true;
    while (lines.len > 0 && *is) {
        em_near_miss sides;
        em_slice hunk = take_hunk(&lines);
        size_t head = (size_t)(lines.ptr - hunk.ptr) - hunk.len;
        if (hunk.len == 0) { /* before the first header, or between two that head one hunk */
            heads.len += head;
            continue;
        }
        EM_TRY(read_signed(hunk, arena, &sides, is, &change->is_doubtful));
        change->is_bare |= only_brings_lines(hunk);
        *is =
            *is && !(lines.len > 0 && ends_in_file_header(hunk)) && add_part(sides, heads, change);
        heads = em_slice_make(hunk.ptr + hunk.len, head);
    }
    return EM_OK;
}

/* ---- All of it ------------------------------------------------------------------------------ */

static em_status read_parts(em_slice text, em_arena *arena, em_told_change *change, bool *is)
{
    em_slice lines;
    take_preamble(&text, change);
    if (lines_of_envelope(text, &lines, change))
        return read_hunks(lines, arena, change, is);
    if (em_slice_starts(text, EM_LIT("@@")) || em_change_form_of(text) == EM_CHANGE_DIFF) {
        take_trailer(&text);
        return read_hunks(lines_of_diff(text, change), arena, change, is);
    }
    *is = read_blocks(text, change);
    return EM_OK;
}

/* The same of what stands in a code fence, if it does. */
static em_status read_unfenced(em_slice text, em_arena *arena, em_told_change *change)
{
    bool is;
    size_t most = 1;
    em_fenced(text, &text);
    text = without_breaks(text);
    for (size_t at = 0; at < text.len;)
        most += is_edge_of_part(em_next_line(text, &at));
    *change = (em_told_change){.parts = em_alloc_array(arena, most, sizeof *change->parts),
                               .heads = em_alloc_array(arena, most, sizeof *change->heads)};
    if (!change->parts || !change->heads)
        return EM_E_NOMEM;
    EM_TRY(read_parts(text, arena, change, &is));
    change->count = is ? change->count : 0;
    return EM_OK;
}

/* Does a text begin with the name of a file, on a line of its own? */
static bool is_named(em_slice text, em_slice *name, em_slice *behind)
{
    *behind = without_breaks(text);
    *name = em_slice_trim(em_take_line(behind), em_is_mark_of_name);
    for (size_t i = 0; i < name->len; i++)
        if (em_is_white_space(name->ptr[i]))
            return false;
    return name->len > 0 && behind->len > 0;
}

/* Of one file, or of none. */
static em_status read_one(em_slice text, em_arena *arena, em_told_change *change)
{
    em_slice name, behind, inside = text;
    EM_TRY(read_unfenced(text, arena, change));
    if (change->count > 0)
        return EM_OK;
    em_fenced(text, &inside);
    if (!is_named(inside, &name, &behind))
        return EM_OK;
    EM_TRY(read_unfenced(behind, arena, change));
    if (change->path.len == 0)
        change->path = name;
    return EM_OK;
}

/* ---- Several files -------------------------------------------------------------------------- */

enum { MOST_FILES = 1000 }; /* each is looked for among those before it */

em_status em_told_change_append(em_told_change *to, const em_told_change *more, em_told_room *room,
                                em_arena *arena)
{
    for (size_t i = 0; i < more->count; i++) {
        EM_TRY(
            em_arena_grow(arena, (void **)&to->parts, to->count, &room->parts, sizeof *to->parts));
        EM_TRY(
            em_arena_grow(arena, (void **)&to->heads, to->count, &room->heads, sizeof *to->heads));
        to->parts[to->count] = more->parts[i];
        to->heads[to->count++] = more->heads[i];
    }
    return EM_OK;
}

/* The file of that path among those so far: blocks without a name are of the one before. Their
 * count: it is another one. */
static size_t file_of_path(const em_told_changes *all, em_slice path)
{
    size_t at = 0;
    if (path.len == 0 && all->count > 0)
        return all->count - 1;
    while (at < all->count && !em_slice_eq(all->files[at].path, path))
        at++;
    return at;
}

static em_status add_file(em_told_changes *all, em_slice text, em_told_room *rooms, em_arena *arena)
{
    em_told_change change;
    EM_TRY(read_one(text, arena, &change));
    size_t at = file_of_path(all, change.path);
    if (at == all->count)
        all->files[all->count++] = (em_told_change){.path = change.path};
    all->is_cut |= change.is_cut;
    all->is_doubtful |= change.is_doubtful || change.count == 0;
    all->is_bare |= change.is_bare;
    all->more = all->more.len > 0 ? all->more : change.more;
    all->is_change &= change.count > 0;
    return em_told_change_append(&all->files[at], &change, &rooms[at], arena);
}

em_status em_told_changes_read(em_slice text, em_arena *arena, em_told_changes *all)
{
    em_slice *files;
    size_t count;
    EM_TRY(em_patch_files(text, arena, &files, &count));
    em_told_room *rooms = em_alloc_array(arena, count, sizeof *rooms);
    *all = (em_told_changes){.files = em_alloc_array(arena, count, sizeof *all->files),
                             .is_change = count <= MOST_FILES};
    if (!rooms || !all->files)
        return EM_E_NOMEM;
    for (size_t i = 0; i < em_least(count, MOST_FILES); i++)
        EM_TRY(add_file(all, files[i], rooms, arena));
    return EM_OK;
}

em_status em_told_change_read(em_slice text, em_arena *arena, em_told_change *change)
{
    em_told_changes all;
    EM_TRY(em_told_changes_read(text, arena, &all));
    *change = all.files[0];
    change->count = all.is_change && all.count == 1 ? change->count : 0;
    change->is_cut = all.is_cut;
    change->is_doubtful = all.is_doubtful;
    change->is_bare = all.is_bare;
    change->more = all.more;
    return EM_OK;
}

em_status em_whole_change_of(em_slice find, em_slice insert, em_arena *arena,
                             em_whole_change *whole)
{
    em_told_change change;
    EM_TRY(em_told_change_read(find, arena, &change));
    *whole = (em_whole_change){.is = change.count == 1, .is_cut = change.is_cut};
    if (!whole->is)
        return EM_OK;
    whole->sides = change.parts[0];
    whole->heads = change.heads[0];
    bool is_spare = em_trimmed(insert).len == 0 ||
                    em_slice_eq(without_breaks(insert), without_breaks(whole->sides.insert));
    whole->is_clear = is_spare && !change.is_doubtful;
    return EM_OK;
}

bool em_is_of_several_changes(em_slice find)
{
    em_slice text = find;
    size_t count = 0;
    em_fenced(find, &text);
    text = em_trimmed(text);
    em_change_form form = em_change_form_of(text);
    bool is_block = form == EM_CHANGE_BLOCK && !em_slice_starts(text, EM_LIT("***"));
    while (form != EM_CHANGE_NONE && text.len > 0) {
        em_slice line = em_take_line(&text);
        count += is_block ? is_line(line, "=======") : em_slice_starts(line, EM_LIT("@@"));
    }
    return count > 1;
}
