/* diff.c: splices -> changes -> hunks.
 *
 *   splice   bytes that become others
 *   block    whole lines of the old text, and all splices that touch them
 *   change   lines removed and lines put in their place: what Myers finds in a block
 *   hunk     changes with the lines around them
 *
 * All of it is one pass from the first splice to the last, which holds one block and one hunk at a
 * time. The lines of the old text are counted from hunk to hunk, never from the start again.
 */
#include "text/diff.h"

#include "base/line.h"
#include "text/count.h"
#include "text/patience.h"
#include "text/pieces.h"

#include <stdio.h>

enum { CONTEXT = 3, LINES_MAX = 100000, HEADER_SIZE = 128, AHEAD = 8 };

/* Changes that are looked for: in all of a block, else between two lines that stand once in both.
 */
enum { CHANGES_MAX = 1024, CHANGES_BETWEEN = 256 };

/* ---- Changes -> hunks ----------------------------------------------------------------------- */

typedef struct change {
    em_piece_place start, end; /* the lines removed, in the old text */
    size_t removed;            /* how many */
    em_piece_place new_start;  /* the lines added, in the new text of the block */
    size_t added;
} change;

typedef struct builder {
    em_slice body;
    em_pieces old;             /* `body` as a text in pieces, so that its places are offsets */
    const em_extract *extract; /* of which `body` is; NULL */
    const em_lines *index;     /* of `body`; NULL */
    em_diff_limits limits;
    em_arena *arena;
    em_diff *diff;

    em_hunk *open;            /* the hunk that can still grow, or NULL */
    em_piece_place shown;     /* the old text has been shown up to here */
    size_t counted, old_line; /* the old text has `old_line` LFs before `counted` */
    size_t bytes, lines;      /* rendered so far, without the @@ line of the open hunk */
    size_t hunk_room, line_room;
} builder;

static size_t offset_of(const builder *b, em_piece_place old_place)
{
    return old_place.piece == 0 ? old_place.offset : b->body.len;
}

static em_piece_place place_of(const builder *b, size_t offset)
{
    return offset < b->body.len ? (em_piece_place){0, offset} : em_pieces_end(&b->old);
}

/* "@@ -1,3 +1,4 @@" without a line end. A count of 1 is left out, as diff and git do. */
static void format_header(const em_hunk *hunk, char out[HEADER_SIZE])
{
    char old_lines[24] = "", new_lines[24] = "";
    if (hunk->old_lines != 1)
        snprintf(old_lines, sizeof old_lines, ",%zu", hunk->old_lines);
    if (hunk->new_lines != 1)
        snprintf(new_lines, sizeof new_lines, ",%zu", hunk->new_lines);
    snprintf(out, HEADER_SIZE, "@@ -%zu%s +%zu%s @@", hunk->old_start, old_lines, hunk->new_start,
             new_lines);
}

static size_t digits_of(size_t number)
{
    size_t digits = 1;
    for (; number >= 10; number /= 10)
        digits++;
    return digits;
}

static size_t range_length(size_t start, size_t lines)
{
    return digits_of(start) + (lines == 1 ? 0 : 1 + digits_of(lines));
}

/* Of what format_header() writes, and its line end. It is asked for with each line. */
static size_t header_length(const em_hunk *hunk)
{
    return sizeof "@@ - + @@" + range_length(hunk->old_start, hunk->old_lines) +
           range_length(hunk->new_start, hunk->new_lines);
}

/* The header of a hunk that gets one more line. The first line of a side moves its start, which was
 * the line before it. */
static void header_add(em_hunk *hunk, char kind)
{
    if (kind != '+' && hunk->old_lines++ == 0)
        hunk->old_start++;
    if (kind != '-' && hunk->new_lines++ == 0)
        hunk->new_start++;
}

/* The lines of the old text before `offset`, which never falls. */
static void count_lines(builder *b, size_t offset)
{
    if (b->extract)
        b->old_line = em_extract_lfs_before(b->extract, offset);
    else if (b->index)
        b->old_line += em_lines_lfs_between(b->index, b->counted, offset);
    else
        b->old_line += em_count_lfs(b->body, b->counted, offset);
    b->counted = offset;
}

static em_status hunk_open(builder *b, em_piece_place start)
{
    em_diff *diff = b->diff;
    count_lines(b, offset_of(b, start));
    EM_TRY(em_arena_grow(b->arena, (void **)&diff->hunks, diff->hunk_count, &b->hunk_room,
                         sizeof *diff->hunks));
    b->open = &diff->hunks[diff->hunk_count++];
    *b->open = (em_hunk){.old_start = b->old_line,
                         .new_start = b->old_line + diff->lines_added - diff->lines_removed};
    b->line_room = 0;
    return EM_OK;
}

static void hunk_close(builder *b)
{
    b->bytes += header_length(b->open);
    b->lines++;
    b->open = NULL;
}

/* The limits are reached: the open hunk ends with the last line that it has. */
static void hunk_cut(builder *b)
{
    em_hunk *hunk = b->open;
    size_t context = 0;
    while (context < hunk->line_count && hunk->lines[hunk->line_count - 1 - context].kind == ' ')
        context++;
    if (context == hunk->line_count) {
        b->diff->hunk_count--;
    } else if (context > CONTEXT) { /* it was to lead to another change */
        hunk->line_count -= context - CONTEXT;
        hunk->old_lines -= context - CONTEXT;
        hunk->new_lines -= context - CONTEXT;
    }
    b->diff->truncated = true;
    b->open = NULL;
}

/* What lines of a hunk take of the limits. */
typedef struct cost {
    size_t bytes, lines;
} cost;

static cost cost_of(const em_piece_line *line)
{
    return (cost){1 + line->length + 1 + (line->lf ? 0 : sizeof EM_NO_NEWLINE - 1),
                  line->lf ? 1 : 2};
}

static cost cost_sum(cost a, cost b)
{
    return (cost){a.bytes + b.bytes, a.lines + b.lines};
}

/* Whether lines still fit, `with` being the header that they would lead to. */
static bool fits(const builder *b, const em_hunk *with, cost lines)
{
    if (b->limits.lines > 0 && b->lines + 1 + lines.lines > b->limits.lines)
        return false;
    if (b->limits.bytes == 0)
        return true;
    return b->bytes + header_length(with) + lines.bytes <= b->limits.bytes;
}

/* A NUL would end the rendered text. */
static void note_bytes(builder *b, em_slice bytes)
{
    b->diff->binary = b->diff->binary || em_slice_has_byte(bytes, '\0');
}

static em_status hunk_add(builder *b, char kind, const em_pieces *text, const em_piece_line *line)
{
    em_hunk with = *b->open;
    cost own = cost_of(line);
    header_add(&with, kind);
    if (!fits(b, &with, own)) {
        hunk_cut(b);
        return EM_OK;
    }
    EM_TRY(em_arena_grow(b->arena, (void **)&with.lines, with.line_count, &b->line_room,
                         sizeof *with.lines));
    em_diff_line *shown = &with.lines[with.line_count++];
    *shown = (em_diff_line){.kind = kind, .no_newline = !line->lf};
    EM_TRY(em_pieces_join_line(text, line, b->arena, &shown->text));
    if (kind == ' ') /* what is changed was looked at as a block */
        note_bytes(b, shown->text);
    *b->open = with;
    b->bytes += own.bytes;
    b->lines += own.lines;
    return EM_OK;
}

/* At most `count` lines of `text` from `at`: less where it ends, or where the diff is cut. */
static em_status hunk_add_lines(builder *b, char kind, const em_pieces *text, em_piece_place at,
                                size_t count)
{
    while (count-- > 0 && at.piece < text->count && b->open) {
        em_piece_line line = em_pieces_line(text, &at);
        EM_TRY(hunk_add(b, kind, text, &line));
    }
    return EM_OK;
}

/* How many lines lie between two places, counted up to `limit`. */
static size_t lines_between(const em_pieces *text, em_piece_place start, em_piece_place end,
                            size_t limit)
{
    size_t count = 0;
    for (; count < limit && !em_place_eq(start, end); count++)
        em_pieces_line(text, &start);
    return count;
}

/* A hunk that has shown all up to `start`: the open one where it is near, else a new one. */
static em_status hunk_reach(builder *b, em_piece_place start)
{
    if (b->open) {
        size_t gap = lines_between(&b->old, b->shown, start, 2 * CONTEXT + 1);
        EM_TRY(hunk_add_lines(b, ' ', &b->old, b->shown, gap <= 2 * CONTEXT ? gap : CONTEXT));
        if (gap <= 2 * CONTEXT || !b->open)
            return EM_OK;
        hunk_close(b);
    }
    em_piece_place first = start;
    size_t before = 0;
    for (; before < CONTEXT && !em_place_eq(first, b->shown); before++)
        first = em_pieces_line_before(&b->old, first);
    EM_TRY(hunk_open(b, first));
    return hunk_add_lines(b, ' ', &b->old, first, before);
}

/* How many of `count` lines of `text` from `at` fit beside what takes `beside`, `with` being the
 * header that they would lead to; *taken is what those take. */
static size_t lines_that_fit(const builder *b, const em_hunk *with, cost beside,
                             const em_pieces *text, em_piece_place at, size_t count, cost *taken)
{
    *taken = (cost){0, 0};
    for (size_t i = 0; i < count; i++) {
        em_piece_line line = em_pieces_line(text, &at);
        cost more = cost_sum(*taken, cost_of(&line));
        if (!fits(b, with, cost_sum(beside, more)))
            return i;
        *taken = more;
    }
    return count;
}

/* Half of what is left, `with` being the header that it would lead to. */
static cost half_of_room(const builder *b, const em_hunk *with)
{
    size_t bytes = b->bytes + header_length(with), lines = b->lines + 1;
    return (cost){b->limits.bytes > bytes ? (b->limits.bytes - bytes) / 2 : 0,
                  b->limits.lines > lines ? (b->limits.lines - lines) / 2 : 0};
}

static cost cost_at(const em_pieces *text, em_piece_place at)
{
    em_piece_line line = em_pieces_line(text, &at);
    return cost_of(&line);
}

/* Where lines are replaced, and not all of them fit, show of both sides, or of neither: what is
 * left would be another change, by which lines go and nothing comes. Up to a half of the room is
 * kept for the new lines; but the first of each side comes before all others. */
static em_status cut_change(builder *b, const em_hunk *with, const em_pieces *new_text,
                            const change *c)
{
    cost first_old = cost_at(&b->old, c->start), first_new = cost_at(new_text, c->new_start);
    if (fits(b, with, cost_sum(first_old, first_new))) {
        cost kept, taken, unused;
        if (lines_that_fit(b, with, half_of_room(b, with), new_text, c->new_start, c->added,
                           &kept) == 0 ||
            !fits(b, with, cost_sum(kept, first_old)))
            kept = first_new;
        size_t removed = lines_that_fit(b, with, kept, &b->old, c->start, c->removed, &taken);
        size_t added = lines_that_fit(b, with, taken, new_text, c->new_start, c->added, &unused);
        EM_TRY(hunk_add_lines(b, '-', &b->old, c->start, removed));
        EM_TRY(hunk_add_lines(b, '+', new_text, c->new_start, added));
    }
    hunk_cut(b);
    return EM_OK;
}

/* The hunk when all of the change has gone into it. */
static em_hunk hunk_with(const em_hunk *hunk, const change *c)
{
    em_hunk with = *hunk;
    with.old_start += with.old_lines == 0 && c->removed > 0;
    with.new_start += with.new_lines == 0 && c->added > 0;
    with.old_lines += c->removed;
    with.new_lines += c->added;
    return with;
}

static em_status show_change(builder *b, const em_pieces *new_text, const change *c)
{
    EM_TRY(hunk_reach(b, c->start));
    if (b->open && c->removed > 0 && c->added > 0) {
        em_hunk with = hunk_with(b->open, c);
        cost removed, added;
        size_t fit =
            lines_that_fit(b, &with, (cost){0, 0}, &b->old, c->start, c->removed, &removed);
        fit += lines_that_fit(b, &with, removed, new_text, c->new_start, c->added, &added);
        if (fit < c->removed + c->added)
            return cut_change(b, &with, new_text, c);
    }
    EM_TRY(hunk_add_lines(b, '-', &b->old, c->start, c->removed));
    EM_TRY(hunk_add_lines(b, '+', new_text, c->new_start, c->added));
    b->shown = c->end;
    return EM_OK;
}

static em_status add_change(builder *b, const em_pieces *new_text, const change *c)
{
    if (!b->diff->truncated)
        EM_TRY(show_change(b, new_text, c));
    b->diff->lines_removed += c->removed;
    b->diff->lines_added += c->added;
    return EM_OK;
}

static em_status add_last_context(builder *b)
{
    return hunk_add_lines(b, ' ', &b->old, b->shown, CONTEXT);
}

/* ---- Blocks -> changes ---------------------------------------------------------------------- */

/* Lines of one side of a block. */
typedef struct span {
    const em_pieces *text;
    em_piece_place start, end;
} span;

static void trim_common_start(span *old, span *new)
{
    while (!em_place_eq(old->start, old->end) && !em_place_eq(new->start, new->end)) {
        em_piece_place old_next = old->start, new_next = new->start;
        em_piece_line old_line = em_pieces_line(old->text, &old_next);
        em_piece_line new_line = em_pieces_line(new->text, &new_next);
        if (!em_pieces_same_line(old->text, &old_line, new->text, &new_line))
            break;
        old->start = old_next;
        new->start = new_next;
    }
}

static void trim_common_end(span *old, span *new)
{
    while (!em_place_eq(old->start, old->end) && !em_place_eq(new->start, new->end)) {
        em_piece_place old_last = em_pieces_line_before(old->text, old->end), old_at = old_last;
        em_piece_place new_last = em_pieces_line_before(new->text, new->end), new_at = new_last;
        em_piece_line old_line = em_pieces_line(old->text, &old_at);
        em_piece_line new_line = em_pieces_line(new->text, &new_at);
        if (!em_pieces_same_line(old->text, &old_line, new->text, &new_line))
            break;
        old->end = old_last;
        new->end = new_last;
    }
}

/* The lines of a span, so that Myers can compare them by number. */
typedef struct table {
    const em_pieces *text;
    size_t count;
    em_piece_line *lines;
    uint64_t *hashes;
    em_piece_place end;
} table;

static em_status table_make(const span *lines, size_t count, em_arena *scratch, table *out)
{
    *out = (table){.text = lines->text, .count = count, .end = lines->end};
    out->lines = em_alloc_array(scratch, count, sizeof *out->lines);
    out->hashes = em_alloc_array(scratch, count, sizeof *out->hashes);
    if (!out->lines || !out->hashes)
        return EM_E_NOMEM;
    em_piece_place at = lines->start;
    for (size_t i = 0; i < count; i++) {
        out->lines[i] = em_pieces_line(lines->text, &at);
        out->hashes[i] = em_pieces_hash_line(lines->text, &out->lines[i]);
    }
    return EM_OK;
}

static em_piece_place table_place(const table *t, size_t index)
{
    return index < t->count ? t->lines[index].start : t->end;
}

static bool table_same(const void *context, size_t old_index, size_t new_index)
{
    const table *const *tables = context;
    const table *old = tables[0], *new = tables[1];
    return old->hashes[old_index] == new->hashes[new_index] &&
           em_pieces_same_line(old->text, &old->lines[old_index], new->text,
                               &new->lines[new_index]);
}

static em_status add_script(builder *b, const table *old, const table *new, const em_script *script)
{
    size_t i = 0, j = 0;
    while (i < old->count || j < new->count) {
        size_t old_start = i, new_start = j;
        while (i < old->count && script->removed[i])
            i++;
        while (j < new->count && script->added[j])
            j++;
        if (i > old_start || j > new_start) {
            change c = {.start = table_place(old, old_start),
                        .end = table_place(old, i),
                        .removed = i - old_start,
                        .new_start = table_place(new, new_start),
                        .added = j - new_start};
            EM_TRY(add_change(b, new->text, &c));
        }
        i += i < old->count; /* the line that follows a change is the same on both sides */
        j += j < new->count;
    }
    return EM_OK;
}

/* Add the changes between two spans: the fewest there can be, or where these are more than
 * CHANGES_MAX as few as lines tell that stand once in both. */
static em_status add_few(builder *b, const span *old, size_t old_count, const span *new,
                         size_t new_count)
{
    EM_AUTO(em_arena) scratch = {0};
    table old_table, new_table;
    EM_TRY(table_make(old, old_count, &scratch, &old_table));
    EM_TRY(table_make(new, new_count, &scratch, &new_table));
    const table *tables[] = {&old_table, &new_table};
    em_sequences sequences = {old_count, new_count, table_same, tables};
    em_script script;
    EM_TRY(em_myers(&sequences, CHANGES_MAX, &scratch, &script));
    if (!script.found)
        EM_TRY(em_patience(&sequences, old_table.hashes, new_table.hashes, CHANGES_BETWEEN,
                           &scratch, &script));
    return add_script(b, &old_table, &new_table, &script);
}

static em_status add_spans(builder *b, span old, span new)
{
    trim_common_start(&old, &new);
    trim_common_end(&old, &new);
    size_t removed = lines_between(old.text, old.start, old.end, SIZE_MAX);
    size_t added = lines_between(new.text, new.start, new.end, SIZE_MAX);
    if (removed == 0 && added == 0)
        return EM_OK;
    bool one_by_one = removed == 1 && added == 1;
    if (removed > 0 && added > 0 && !one_by_one && removed + added <= LINES_MAX)
        return add_few(b, &old, removed, &new, added);
    change all = {old.start, old.end, removed, new.start, added};
    return add_change(b, new.text, &all);
}

/* ---- Splices -> blocks ---------------------------------------------------------------------- */

typedef struct block {
    em_splices splices;
    size_t start, end; /* whole lines of the old text */
} block;

/* The start of the line that holds `offset`, or `least` if it starts before that. */
static size_t line_start(em_slice body, size_t least, size_t offset)
{
    return offset > least ? least + em_slice_behind_last(em_slice_sub(body, least, offset), '\n')
                          : least;
}

static size_t line_end(em_slice body, size_t offset)
{
    if (offset < body.len)
        em_next_line(body, &offset);
    return offset;
}

static bool at_line_start(em_slice body, size_t offset)
{
    return offset == 0 || body.ptr[offset - 1] == '\n';
}

/* The block of the first of `rest`, and of all that follow on the same or adjacent lines. The line
 * behind a splice belongs to it unless the splice ends with a line in the old text and in the new.
 */
static block block_at(em_slice body, em_splices rest, size_t least)
{
    size_t start = line_start(body, least, rest.items[0].offset);
    block found = {{rest.items, 0}, start, start};
    size_t before = EM_NPOS; /* where the splice before ended */
    bool clean = true;       /* is a line ended in the new text? */
    for (; found.splices.count < rest.count; found.splices.count++) {
        const em_splice *splice = &rest.items[found.splices.count];
        size_t end = splice->offset + splice->length;
        if (line_start(body, found.end, splice->offset) > found.end)
            break;
        if (splice->insert.len > 0)
            clean = splice->insert.ptr[splice->insert.len - 1] == '\n';
        else if (splice->offset != before)
            clean = at_line_start(body, splice->offset);
        before = end;
        if (end >= found.end)
            found.end = clean && at_line_start(body, end) ? end : line_end(body, end);
    }
    return found;
}

static void piece_add(em_slice *items, size_t *count, em_slice piece)
{
    if (piece.len > 0)
        items[(*count)++] = piece;
}

static void note_block(builder *b, const block *lines)
{
    note_bytes(b, em_slice_sub(b->body, lines->start, lines->end));
    for (size_t i = 0; i < lines->splices.count; i++)
        note_bytes(b, lines->splices.items[i].insert);
}

static em_status add_block(builder *b, const block *lines)
{
    EM_AUTO(em_arena) scratch = {0};
    size_t count = 0, at = lines->start;
    em_slice *items = em_alloc_array(&scratch, 2 * lines->splices.count + 1, sizeof *items);
    if (!items)
        return EM_E_NOMEM;
    for (size_t i = 0; i < lines->splices.count; i++) {
        const em_splice *splice = &lines->splices.items[i];
        piece_add(items, &count, em_slice_sub(b->body, at, splice->offset));
        piece_add(items, &count, splice->insert);
        at = splice->offset + splice->length;
    }
    piece_add(items, &count, em_slice_sub(b->body, at, lines->end));
    em_pieces text = {items, count};
    span old = {&b->old, place_of(b, lines->start), place_of(b, lines->end)};
    span new = {&text, {0, 0}, em_pieces_end(&text)};
    size_t before = b->diff->lines_added + b->diff->lines_removed;
    EM_TRY(add_spans(b, old, new));
    if (b->diff->lines_added + b->diff->lines_removed > before)
        note_block(b, lines);
    return EM_OK;
}

/* Is the block one line, of which its only splice changes a part? */
static bool is_changed_line(const builder *b, const block *lines)
{
    const em_splice *splice = lines->splices.items;
    em_slice was = em_slice_sub(b->body, splice->offset, splice->offset + splice->length);
    return lines->splices.count == 1 && lines->end > lines->start &&
           b->body.ptr[lines->end - 1] == '\n' && !em_slice_has_byte(was, '\n') &&
           !em_slice_has_byte(splice->insert, '\n') && !em_slice_eq(was, splice->insert);
}

/* Behind the limits changes are only counted. */
static em_status count_or_add_block(builder *b, const block *lines)
{
    if (!b->diff->truncated || !is_changed_line(b, lines))
        return add_block(b, lines);
    b->diff->lines_removed++;
    b->diff->lines_added++;
    note_block(b, lines);
    return EM_OK;
}

static em_status make_diff(builder b, em_splices splices)
{
    em_slice body = b.body;
    b.old = (em_pieces){&b.body, body.len > 0};
    *b.diff = (em_diff){0};
    size_t least = 0;
    while (splices.count > 0) {
        if (splices.count > AHEAD) /* changes lie far apart in memory */
            __builtin_prefetch(body.ptr + splices.items[AHEAD].offset);
        block next = block_at(body, splices, least);
        EM_TRY(count_or_add_block(&b, &next));
        least = next.end;
        splices.items += next.splices.count;
        splices.count -= next.splices.count;
    }
    EM_TRY(add_last_context(&b));
    if (b.diff->binary) {
        b.diff->hunk_count = 0;
        b.diff->truncated = false;
    }
    return EM_OK;
}

em_status em_diff_make(em_slice body, em_splices splices, em_diff_limits limits, em_arena *arena,
                       em_diff *diff)
{
    builder b = {.body = body, .limits = limits, .arena = arena, .diff = diff};
    return make_diff(b, splices);
}

em_status em_diff_of_text(const em_text *text, const em_lines *lines, em_splices splices,
                          em_diff_limits limits, em_arena *arena, em_diff *diff)
{
    builder b = {.body = text->body,
                 .extract = text->extract,
                 .index = lines,
                 .limits = limits,
                 .arena = arena,
                 .diff = diff};
    return make_diff(b, splices);
}

char *em_hunk_header(const em_hunk *hunk, em_arena *arena)
{
    char header[HEADER_SIZE];
    format_header(hunk, header);
    return em_arena_string(arena, em_slice_of(header));
}
