#include "text/hunks.h"

#include "base/line.h"
#include "base/utf8.h"
#include "text/myers.h"
#include "text/text.h"

#include <xxhash.h>

enum { LINES_MAX = 100000, CHANGES_MAX = 1024, BOM_MOST = 4 };

/* ---- Lines --------------------------------------------------------------------------------- */

static size_t unit_of(const em_lined *text)
{
    return text->newline.len > 1 ? text->newline.len : 1;
}

bool em_ends_with_mark(const em_lined *text, em_slice bytes, char mark)
{
    size_t unit = unit_of(text);
    if (bytes.len < unit)
        return false;
    const char *last = bytes.ptr + bytes.len - unit;
    if (unit == 1)
        return *last == mark;
    for (size_t i = 0; i < unit; i++)
        if (last[i] != (text->newline.ptr[i] == '\n' ? mark : text->newline.ptr[i]))
            return false;
    return true;
}

bool em_is_line_start(const em_lined *text, size_t at)
{
    em_slice s = text->bytes;
    size_t unit = unit_of(text);
    if (at == 0 || (at <= BOM_MOST && at == em_text_bom_length(s, text->newline.len)))
        return true;
    if (at % unit != 0)
        return false;
    em_slice before = em_slice_sub(s, 0, at);
    if (!em_ends_with_mark(text, before, '\r'))
        return em_ends_with_mark(text, before, '\n');
    return at + unit > s.len || !em_ends_with_mark(text, em_slice_sub(s, 0, at + unit), '\n');
}

size_t em_line_start(const em_lined *text, size_t at)
{
    while (!em_is_line_start(text, at))
        at--;
    return at;
}

/* The first place from `at` on where a line can begin: behind a mark, which may lie anywhere in its
 * unit, or behind a BOM. */
static size_t skip_within_line(const em_lined *text, size_t at)
{
    size_t unit = unit_of(text);
    if (at <= BOM_MOST || at < unit)
        return at;
    size_t mark = at - unit + em_line_length(em_slice_from(text->bytes, at - unit));
    return mark < at ? at : mark < text->bytes.len ? mark + 1 : mark;
}

size_t em_line_end(const em_lined *text, size_t at)
{
    size_t end = at < text->bytes.len ? skip_within_line(text, at + 1) : at;
    while (end < text->bytes.len && !em_is_line_start(text, end))
        end = skip_within_line(text, end + 1);
    return end;
}

em_slice em_lines_open(const em_lined *text, em_slice lines)
{
    size_t unit = unit_of(text);
    if (em_ends_with_mark(text, lines, '\n'))
        lines.len -= unit;
    if (em_ends_with_mark(text, lines, '\r'))
        lines.len -= unit;
    return lines;
}

bool em_is_like_line(const em_lined *text, em_slice line, em_slice other)
{
    em_slice open = em_lines_open(text, line), other_open = em_lines_open(text, other);
    bool is_ended = open.len < line.len && other_open.len < other.len;
    return is_ended ? em_slice_eq(line, other) : em_slice_eq(open, other_open);
}

size_t em_find_left_open(const em_lined *text, em_slice lines)
{
    em_slice open = em_lines_open(text, lines);
    bool is_there = open.len > 0 && open.len < lines.len && em_slice_ends(text->bytes, open) &&
                    !em_is_line_start(text, text->bytes.len);
    return is_there ? text->bytes.len - open.len : EM_NPOS;
}

/* ---- What is the same at both ends --------------------------------------------------------- */

/* The two texts, and the part in the middle that is not the same: whole lines of both. */
typedef struct pair {
    em_lined old, new;
    em_line_hunk middle;
} pair;

static bool both_start_lines(const pair *p, size_t old_at, size_t new_at)
{
    return em_is_line_start(&p->old, old_at) && em_is_line_start(&p->new, new_at);
}

/* How much is the same at the start, and at the end: whole lines of both. */
static size_t same_head(const pair *p)
{
    size_t head = em_shared_head(p->old.bytes, p->new.bytes);
    while (!both_start_lines(p, head, head))
        head--;
    return head;
}

static size_t same_tail(const pair *p, size_t head)
{
    em_slice old = p->old.bytes, new = p->new.bytes;
    size_t tail = em_shared_tail(em_slice_from(old, head), em_slice_from(new, head));
    while (tail > 0 && !both_start_lines(p, old.len - tail, new.len - tail))
        tail--;
    return tail;
}

/* From the end, what is the same at the start is left to Myers, who may pair it otherwise. */
static void middle_find(pair *p, bool backward)
{
    size_t head = backward ? 0 : same_head(p);
    size_t tail = same_tail(p, head);
    p->middle = (em_line_hunk){head, p->old.bytes.len - tail, head, p->new.bytes.len - tail};
}

/* ---- Myers --------------------------------------------------------------------------------- */

/* The lines of the middle of one text: line i is [starts[i], starts[i + 1]). */
typedef struct line_table {
    const em_lined *text;
    size_t *starts;
    uint64_t *hashes;
    size_t count;
} line_table;

static size_t count_lines(const em_lined *text, size_t from, size_t to)
{
    size_t count = 0;
    for (; from < to && count <= LINES_MAX; from = em_line_end(text, from))
        count++;
    return count;
}

static em_status table_fill(line_table *table, const em_lined *text, size_t from, size_t to,
                            em_arena *arena)
{
    table->text = text;
    table->count = count_lines(text, from, to);
    table->starts = em_alloc_array(arena, table->count + 1, sizeof *table->starts);
    table->hashes = em_alloc_array(arena, table->count + 1, sizeof *table->hashes);
    if (!table->starts || !table->hashes)
        return EM_E_NOMEM;
    for (size_t i = 0; i < table->count; i++) {
        size_t end = em_line_end(text, from);
        em_slice open = em_lines_open(text, em_slice_sub(text->bytes, from, end));
        table->starts[i] = from;
        table->hashes[i] = XXH3_64bits(open.ptr, open.len);
        from = end;
    }
    table->starts[table->count] = to;
    return EM_OK;
}

static em_slice line_of(const line_table *table, size_t index)
{
    return em_slice_sub(table->text->bytes, table->starts[index], table->starts[index + 1]);
}

static bool same_line(const void *context, size_t old_index, size_t new_index)
{
    const line_table *tables = context;
    return tables[0].hashes[old_index] == tables[1].hashes[new_index] &&
           em_is_like_line(tables[0].text, line_of(&tables[0], old_index),
                           line_of(&tables[1], new_index));
}

/* Lines by their numbers from the end. */
static bool same_line_backward(const void *context, size_t old_index, size_t new_index)
{
    const line_table *tables = context;
    return same_line(context, tables[0].count - 1 - old_index, tables[1].count - 1 - new_index);
}

static void turn_round(bool *items, size_t count)
{
    for (size_t i = 0; i < count / 2; i++) {
        bool item = items[i];
        items[i] = items[count - 1 - i];
        items[count - 1 - i] = item;
    }
}

static em_status compare(const line_table tables[2], bool backward, em_arena *arena,
                         em_script *script)
{
    em_sequences sequences = {tables[0].count, tables[1].count,
                              backward ? same_line_backward : same_line, tables};
    EM_TRY(em_myers(&sequences, CHANGES_MAX, arena, script));
    if (backward && script->found) {
        turn_round(script->removed, tables[0].count);
        turn_round(script->added, tables[1].count);
    }
    return EM_OK;
}

/* What the script leaves out of both, put together to hunks; a line that both have, but is ended in
 * one only, is one, too. */
static em_status hunks_of_script(const line_table tables[2], const em_script *script,
                                 em_arena *arena, em_line_hunks *hunks)
{
    size_t i = 0, j = 0, room = 0;
    while (i < tables[0].count || j < tables[1].count) {
        size_t old_from = i, new_from = j;
        while (i < tables[0].count && script->removed[i])
            i++;
        while (j < tables[1].count && script->added[j])
            j++;
        bool is_common = i == old_from && j == new_from;
        if (is_common && em_slice_eq(line_of(&tables[0], i++), line_of(&tables[1], j++)))
            continue;
        EM_TRY(em_arena_grow(arena, (void **)&hunks->items, hunks->count, &room,
                             sizeof *hunks->items));
        hunks->items[hunks->count++] =
            (em_line_hunk){tables[0].starts[old_from], tables[0].starts[i],
                           tables[1].starts[new_from], tables[1].starts[j]};
    }
    return EM_OK;
}

static em_status one_hunk(em_line_hunk hunk, em_arena *arena, em_line_hunks *hunks)
{
    hunks->items = em_alloc(arena, sizeof hunk);
    if (!hunks->items)
        return EM_E_NOMEM;
    hunks->items[0] = hunk;
    hunks->count = 1;
    return EM_OK;
}

em_status em_line_hunks_find(em_slice old, em_slice new, em_slice newline, bool backward,
                             em_arena *arena, em_line_hunks *hunks)
{
    pair p = {.old = {old, newline}, .new = {new, newline}};
    line_table tables[2];
    em_script script = {.found = false};
    *hunks = (em_line_hunks){0};
    middle_find(&p, backward);
    const em_line_hunk *middle = &p.middle;
    if (middle->old_start == middle->old_end && middle->new_start == middle->new_end)
        return EM_OK;
    size_t lines = count_lines(&p.old, middle->old_start, middle->old_end) +
                   count_lines(&p.new, middle->new_start, middle->new_end);
    if (lines > LINES_MAX)
        return one_hunk(*middle, arena, hunks);
    EM_TRY(table_fill(&tables[0], &p.old, middle->old_start, middle->old_end, arena));
    EM_TRY(table_fill(&tables[1], &p.new, middle->new_start, middle->new_end, arena));
    EM_TRY(compare(tables, backward, arena, &script));
    return script.found ? hunks_of_script(tables, &script, arena, hunks)
                        : one_hunk(*middle, arena, hunks);
}

/* ---- Splices ------------------------------------------------------------------------------- */

/* Splices [first, last) and the lines of the body that they are in. */
typedef struct widened {
    size_t first, last;
    size_t start, end; /* of the body */
} widened;

/* What becomes of these lines. */
static em_status widened_text(em_slice body, em_splices splices, const widened *w, em_arena *arena,
                              em_slice *out)
{
    size_t length = 0, at = w->start;
    for (size_t i = w->first; i < w->last; i++)
        length += splices.items[i].insert.len;
    char *room = em_alloc_raw(arena, length + (w->end - w->start) + 1), *to = room;
    if (!room)
        return EM_E_NOMEM;
    for (size_t i = w->first; i < w->last; i++) {
        const em_splice *splice = &splices.items[i];
        if (splice->offset > at)
            memcpy(to, body.ptr + at, splice->offset - at);
        to += splice->offset - at;
        if (splice->insert.len > 0)
            memcpy(to, splice->insert.ptr, splice->insert.len);
        to += splice->insert.len;
        at = splice->offset + splice->length;
    }
    if (w->end > at)
        memcpy(to, body.ptr + at, w->end - at);
    to += w->end - at;
    *out = em_slice_make(room, (size_t)(to - room));
    return EM_OK;
}

/* Where the lines of the splices end: at once where a line begins there in the body, and what comes
 * before it is ended, too. */
static size_t widened_end(const em_lined *text, em_splices splices, const widened *w)
{
    const em_splice *splice = &splices.items[w->last - 1];
    size_t end = splice->offset + splice->length;
    em_lined insert = {splice->insert, text->newline};
    bool is_ended = insert.bytes.len > 0 ? em_is_line_start(&insert, insert.bytes.len)
                                         : em_is_line_start(text, splice->offset);
    return is_ended && em_is_line_start(text, end) ? end : em_line_end(text, end);
}

em_status em_splices_widen(em_slice body, em_splices splices, em_slice newline, em_arena *arena,
                           em_splices *out)
{
    em_lined text = {body, newline};
    em_splice *items = em_alloc_array(arena, splices.count, sizeof *items);
    size_t count = 0;
    if (!items)
        return EM_E_NOMEM;
    for (widened w = {0}; w.first < splices.count; w.first = w.last) {
        w.last = w.first + 1;
        w.start = em_line_start(&text, splices.items[w.first].offset);
        w.end = widened_end(&text, splices, &w);
        while (w.last < splices.count && splices.items[w.last].offset < w.end) {
            w.last++;
            w.end = widened_end(&text, splices, &w);
        }
        em_splice *item = &items[count++];
        *item = (em_splice){.offset = w.start, .length = w.end - w.start};
        EM_TRY(widened_text(body, splices, &w, arena, &item->insert));
    }
    *out = (em_splices){.items = items, .count = count};
    return EM_OK;
}

/* Behind a hunk and those that touch it. */
static size_t behind_touching(const em_line_hunks *hunks, size_t at)
{
    const em_line_hunk *hunk = &hunks->items[at++];
    for (; at < hunks->count && hunk->old_end == hunk[1].old_start; hunk++)
        at++;
    return at;
}

em_status em_splices_refine(em_slice body, em_splices splices, em_slice newline, em_arena *arena,
                            em_splices *out)
{
    em_splice *items = NULL;
    size_t count = 0, room = 0;
    EM_AUTO(em_arena) turn = {0}; /* comparing takes much more room than what it finds */
    for (size_t i = 0; i < splices.count; i++) {
        const em_splice *splice = &splices.items[i];
        em_arena_clear(&turn);
        em_slice was = em_slice_sub(body, splice->offset, splice->offset + splice->length);
        em_line_hunks hunks;
        EM_TRY(em_line_hunks_find(was, splice->insert, newline, false, &turn, &hunks));
        for (size_t j = 0, next; j < hunks.count; j = next) {
            next = behind_touching(&hunks, j);
            em_line_hunk hunk = hunks.items[j];
            hunk.old_end = hunks.items[next - 1].old_end;
            hunk.new_end = hunks.items[next - 1].new_end;
            EM_TRY(em_arena_grow(arena, (void **)&items, count, &room, sizeof *items));
            items[count++] =
                (em_splice){splice->offset + hunk.old_start, hunk.old_end - hunk.old_start,
                            em_slice_sub(splice->insert, hunk.new_start, hunk.new_end)};
        }
    }
    *out = (em_splices){.items = items, .count = count};
    return EM_OK;
}
