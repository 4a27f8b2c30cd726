/* unescaped.c: the longest stretch without such characters is looked for, and what stands around it
 * is compared, where each of them may be one or its escape. */
#include "diagnosis/unescaped.h"

#include "base/strbuf.h"
#include "text/search.h"
#include "text/text.h"

/* More are not looked at. */
enum { MOST_MARKS = 64, MOST_PLACES = 64 };

/* A line break or a tab of a text, and what stands between it and the next ones. */
typedef struct mark {
    size_t at;
    char byte;
    em_slice before, behind;
    bool escaped;    /* the file has its escape */
    bool is_written; /* and so has the replacement */
} mark;

typedef struct marks {
    mark items[MOST_MARKS];
    size_t count;
} marks;

static bool is_mark(char byte)
{
    return byte == '\n' || byte == '\t';
}

/* False where there are too many. */
static bool marks_of(em_slice text, marks *out)
{
    size_t start = 0;
    out->count = 0;
    for (size_t at = 0; at <= text.len; at++) {
        if (at < text.len && !is_mark(text.ptr[at]))
            continue;
        em_slice part = em_slice_sub(text, start, at);
        if (out->count > 0)
            out->items[out->count - 1].behind = part;
        if (at < text.len && out->count == MOST_MARKS)
            return false;
        if (at < text.len)
            out->items[out->count++] = (mark){.at = at, .byte = text.ptr[at], .before = part};
        start = at + 1;
    }
    return true;
}

/* The longest stretch between marks; *start is where it begins. */
static em_slice longest_stretch(em_slice text, const marks *of, size_t *start)
{
    em_slice longest = of->count > 0 ? of->items[0].before : text;
    *start = 0;
    for (size_t i = 0; i < of->count; i++)
        if (of->items[i].behind.len > longest.len) {
            longest = of->items[i].behind;
            *start = of->items[i].at + 1;
        }
    return longest;
}

enum { ESCAPE = 2 /* bytes */ };

static em_slice escape_of(char byte)
{
    return byte == '\n' ? EM_LIT("\\n") : EM_LIT("\\t");
}

/* How long the escape of the mark is at `at` of the text; 0: none is there. */
static size_t escape_at(em_slice text, size_t at, char byte)
{
    return em_slice_starts(em_slice_from(text, at), escape_of(byte)) ? ESCAPE : 0;
}

/* How long the mark itself is there; 0: it is not. */
static size_t mark_at(em_slice text, size_t at, char byte)
{
    if (byte == '\n')
        return em_eol_length_at(text, at);
    return at < text.len && text.ptr[at] == byte;
}

/* Does the search text stand at `at`? Then it is noted of each mark how. */
static bool stands_at(em_slice text, size_t at, em_slice find, marks *of)
{
    size_t next = 0;
    for (size_t i = 0; i <= of->count; i++) {
        size_t end = i < of->count ? of->items[i].at : find.len;
        em_slice part = em_slice_sub(find, next, end);
        if (!em_slice_starts(em_slice_from(text, at), part))
            return false;
        at += part.len;
        next = end + 1;
        if (i == of->count)
            break;
        mark *m = &of->items[i];
        size_t real = mark_at(text, at, m->byte), escape = escape_at(text, at, m->byte);
        if (real + escape == 0)
            return false;
        m->escaped = escape > 0;
        at += real + escape;
    }
    return true;
}

/* Where the search text would begin whose byte `offset` stands at `at`: as many marks before that
 * as it has are as long as an escape, or as a line ending. */
static bool stands_around(em_slice text, size_t at, em_slice find, size_t offset, marks *of)
{
    size_t before = 0;
    while (before < of->count && of->items[before].at < offset)
        before++;
    for (size_t more = 0; more <= before; more++)
        if (at >= offset + more && stands_at(text, at - offset - more, find, of))
            return true;
    return false;
}

static bool has_escaped(const marks *of)
{
    for (size_t i = 0; i < of->count; i++)
        if (of->items[i].escaped)
            return true;
    return false;
}

static bool find_place(em_slice text, em_slice find, marks *of)
{
    size_t offset, from = 0;
    em_slice stretch = longest_stretch(find, of, &offset);
    em_needle needle;
    if (stretch.len == 0)
        return false;
    em_needle_init(&needle, stretch);
    for (size_t i = 0; i < MOST_PLACES; i++) {
        size_t at = em_find(&needle, text, from);
        if (at == EM_NPOS)
            return false;
        if (stands_around(text, at, find, offset, of) && has_escaped(of))
            return true;
        from = at + 1;
    }
    return false;
}

/* Is one of the search text's marks, escaped or not, beside the same text as this one? */
static bool is_known(const mark *m, const marks *of, bool escaped)
{
    for (size_t i = 0; i < of->count; i++) {
        const mark *other = &of->items[i];
        bool same = (m->before.len > 0 && em_slice_eq(m->before, other->before)) ||
                    (m->behind.len > 0 && em_slice_eq(m->behind, other->behind));
        if (other->byte == m->byte && other->escaped == escaped && same)
            return true;
    }
    return false;
}

/* Where there are as many marks as in the search text, each is that one. */
static bool is_counterpart_escaped(const marks *find, const marks *insert, size_t index)
{
    const mark *other = &find->items[index];
    return find->count == insert->count && other->byte == insert->items[index].byte &&
           other->escaped && !other->is_written;
}

/* Does the escape of the mark stand in the text, beside what the mark is beside? */
static bool has_written(em_slice text, const mark *m)
{
    em_needle needle;
    em_needle_init(&needle, escape_of(m->byte));
    for (size_t at = 0; (at = em_find(&needle, text, at)) != EM_NPOS; at++) {
        em_slice before = em_slice_sub(text, 0, at), behind = em_slice_from(text, at + ESCAPE);
        if ((m->before.len > 0 && em_slice_ends(before, m->before)) ||
            (m->behind.len > 0 && em_slice_starts(behind, m->behind)))
            return true;
    }
    return false;
}

/* Where a replacement has escapes as the file does, the search text's marks of these are none that
 * it should have. */
static void note_written(em_slice insert, marks *find)
{
    for (size_t i = 0; i < find->count; i++)
        find->items[i].is_written = find->items[i].escaped && has_written(insert, &find->items[i]);
}

/* Which marks of the replacement are to be escaped? Not clear where one is like both, or where
 * fewer are than in the search text and others are new. */
static bool escape_insert(const marks *find, marks *insert)
{
    size_t sent = 0, known = 0, new = 0;
    for (size_t i = 0; i < find->count; i++)
        sent += find->items[i].escaped && !find->items[i].is_written;
    for (size_t i = 0; i < insert->count; i++) {
        mark *m = &insert->items[i];
        bool stays = is_known(m, find, false);
        m->escaped = is_known(m, find, true);
        if (m->escaped && stays)
            return false;
        if (!m->escaped && !stays)
            m->escaped = is_counterpart_escaped(find, insert, i);
        known += m->escaped;
        new += !m->escaped && !stays;
    }
    return new == 0 || known >= sent;
}

static em_status write_escapes(em_slice text, const marks *of, em_arena *arena, em_slice *out)
{
    EM_AUTO(em_strbuf) buf = {0};
    size_t done = 0;
    for (size_t i = 0; i < of->count; i++) {
        const mark *m = &of->items[i];
        if (!m->escaped)
            continue;
        em_strbuf_add(&buf, em_slice_sub(text, done, m->at));
        em_strbuf_add(&buf, escape_of(m->byte));
        done = m->at + 1;
    }
    em_strbuf_add(&buf, em_slice_from(text, done));
    return em_strbuf_keep(&buf, arena, out);
}

em_status em_unescaped_of(em_slice text, em_slice find, em_slice insert, em_arena *arena,
                          em_near_miss *mended, bool *is, bool *clear)
{
    marks *of = em_alloc_array(arena, 2, sizeof *of);
    if (!of)
        return EM_E_NOMEM;
    *is = marks_of(find, &of[0]) && of[0].count > 0 && find_place(text, find, &of[0]);
    if (*is)
        note_written(insert, &of[0]);
    *clear = *is && marks_of(insert, &of[1]) && escape_insert(&of[0], &of[1]);
    mended->insert = insert;
    if (*is)
        EM_TRY(write_escapes(find, &of[0], arena, &mended->find));
    return *clear ? write_escapes(insert, &of[1], arena, &mended->insert) : EM_OK;
}
