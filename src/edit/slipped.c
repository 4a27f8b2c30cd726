/* slipped.c: which lines slipped, by their depths in three texts; and the search text anew. */
#include "edit/slipped.h"

#include "base/strbuf.h"
#include "edit/place_edges.h"
#include "edit/redline.h"

/* Do the two differ by whole steps, or not at all? */
static bool are_steps_apart(em_slice a, em_slice b, em_indent_unit unit)
{
    em_slice more = a.len > b.len ? a : b, less = a.len > b.len ? b : a;
    if (!em_slice_starts(more, less))
        return false;
    em_slice rest = em_slice_from(more, less.len);
    for (size_t i = 0; i < rest.len; i++)
        if (rest.ptr[i] != unit.with)
            return false;
    return rest.len % em_indent_width_of(unit) == 0;
}

/* How the lines of the search text stand. One without any indentation tells nothing. */
typedef struct stand {
    size_t right, wrong;
    size_t by_one[2]; /* of the wrong ones: a blank less deep than in the file, and deeper */
} stand;

static bool is_one_more(em_slice more, em_slice less)
{
    return more.len == less.len + 1 && em_slice_starts(more, less) && more.ptr[less.len] == ' ';
}

static stand stand_of(em_slice text, const em_tolerant_place *place, em_tokened find)
{
    stand s = {0};
    em_slice old, seen;
    for (size_t i = 0; i < find.tokens.count; i++) {
        if (!em_line_indent(find, i, &old) || !em_seen_indent(text, place, i, &seen) ||
            old.len == 0)
            continue;
        bool is_right = em_slice_eq(old, seen);
        s.right += is_right;
        s.wrong += !is_right;
        s.by_one[0] += is_one_more(seen, old);
        s.by_one[1] += is_one_more(old, seen);
    }
    return s;
}

/* Are there slips, and no other steps or depths than the file's? Then most lines are right; or all
 * are wrong by the same blank, as those of a diff are. */
static bool is_of_slips(stand s)
{
    return s.wrong > 0 && (s.right >= s.wrong || s.by_one[0] == s.wrong || s.by_one[1] == s.wrong);
}

/* Is all of the line's indentation in the place, so that this need not grow? */
static bool is_within(em_slice text, const em_tolerant_place *place, size_t index)
{
    size_t start;
    return index > 0 ||
           (em_begins_line(text, place->tokens[0].start, &start) && place->span.start <= start);
}

/* Whose slip is it? */
typedef enum whose { NOBODYS, OF_FIND, OF_BOTH } whose;

/* A line that slipped in both texts. */
typedef struct slip {
    size_t at;           /* its first token in the replacement */
    em_slice new, right; /* its indentation there, and what that should be */
    bool leads;          /* new lines may go with it: in the file it is not aligned */
} slip;

/* The texts of one edit. */
typedef struct texts {
    em_slice text;
    const em_tolerant_place *place;
    em_tokened find, insert;
    const size_t *origin; /* of em_redline() */
    em_indent_unit unit;  /* the file's */
    slip *slips;          /* ascending */
    size_t count;
} texts;

/* A text that is written anew. */
typedef struct mended {
    em_tokened of;
    em_strbuf out;
    size_t done; /* bytes of the text */
} mended;

static void put_indent(mended *m, size_t index, em_slice indent)
{
    em_slice was;
    size_t start = m->of.tokens.items[index].start;
    em_line_indent(m->of, index, &was);
    em_strbuf_add(&m->out, em_slice_sub(m->of.text, m->done, start - was.len));
    em_strbuf_add(&m->out, indent);
    m->done = start;
}

/* *text stays as it is where nothing was put. */
static em_status finish(mended *m, em_arena *arena, em_slice *text)
{
    if (m->done == 0)
        return EM_OK;
    em_strbuf_add(&m->out, em_slice_from(m->of.text, m->done));
    char *bytes = em_strbuf_finish(&m->out, arena);
    if (bytes)
        *text = em_slice_make(bytes, m->out.len);
    return bytes ? EM_OK : EM_E_NOMEM;
}

/* Token `at` of the replacement begins a line, as does token `index` of the search text, which it
 * repeats; their indentations, and that of the file. */
static whose whose_slip(const texts *t, size_t index, size_t at, em_slice *old, em_slice *new,
                        em_slice *seen)
{
    if (!em_line_indent(t->find, index, old) || !em_line_indent(t->insert, at, new) ||
        !em_seen_indent(t->text, t->place, index, seen) || old->len == 0 ||
        em_slice_eq(*old, *seen) || !is_within(t->text, t->place, index))
        return NOBODYS;
    bool from_old = are_steps_apart(*new, *old, t->unit),
         from_seen = are_steps_apart(*new, *seen, t->unit);
    if (from_old == from_seen || (from_old && em_indent_rest_of(*old, t->unit) == 0))
        return NOBODYS; /* what is as deep as a block may be aligned in the file */
    return from_seen ? OF_FIND : OF_BOTH;
}

/* As much deeper than `to`, or less deep, as `indent` is than `from`, of which one begins with the
 * other. */
static em_status follow(em_slice indent, em_slice from, em_slice to, em_arena *arena, em_slice *out)
{
    if (indent.len >= from.len)
        return em_arena_join(arena, to, em_slice_from(indent, from.len), out);
    size_t less = from.len - indent.len;
    *out = em_slice_sub(to, 0, to.len > less ? to.len - less : 0);
    return EM_OK;
}

/* Mend the lines that are repeated, and note those that slipped in both texts. */
static em_status mend_repeated(texts *t, em_arena *arena, mended *find)
{
    for (size_t at = 0; at < t->insert.tokens.count; at++) {
        em_slice old, new, seen, right;
        size_t index = t->origin[at];
        whose of = index == EM_NPOS ? NOBODYS : whose_slip(t, index, at, &old, &new, &seen);
        if (of == NOBODYS)
            continue;
        put_indent(find, index, seen);
        if (of == OF_FIND)
            continue;
        EM_TRY(follow(new, old, seen, arena, &right));
        bool leads = em_indent_rest_of(seen, t->unit) == 0;
        t->slips[t->count++] = (slip){at, new, right, leads};
    }
    return EM_OK;
}

/* Does a line with this indentation go with one that slipped, by whole steps? */
static bool goes_with(const texts *t, em_slice indent, const slip *s)
{
    return s->leads && are_steps_apart(indent, s->new, t->unit) &&
           !are_steps_apart(indent, s->right, t->unit);
}

/* Mend the lines that slipped in both texts, and new ones that go with the last of them above, or
 * else with the next. */
static em_status mend_insert(const texts *t, em_arena *arena, mended *insert)
{
    size_t above = 0; /* slips that are not below the line */
    for (size_t at = 0; at < t->insert.tokens.count && t->count > 0; at++) {
        em_slice indent, right;
        if (above < t->count && t->slips[above].at == at) {
            put_indent(insert, at, t->slips[above++].right);
            continue;
        }
        if (t->origin[at] != EM_NPOS || !em_line_indent(t->insert, at, &indent))
            continue;
        const slip *next = above < t->count ? &t->slips[above] : NULL,
                   *near = above > 0 ? &t->slips[above - 1] : next;
        if (!goes_with(t, indent, near))
            near = next;
        if (!near || !goes_with(t, indent, near))
            continue;
        EM_TRY(follow(indent, near->new, near->right, arena, &right));
        put_indent(insert, at, right);
    }
    return EM_OK;
}

static em_status mend(texts *t, em_arena *arena, em_tolerant_place *place)
{
    mended find = {.of = t->find}, insert = {.of = t->insert};
    em_status status = mend_repeated(t, arena, &find);
    if (status == EM_OK)
        status = mend_insert(t, arena, &insert);
    if (status == EM_OK)
        status = finish(&find, arena, &place->find);
    if (status == EM_OK)
        status = finish(&insert, arena, &place->insert);
    em_strbuf_drop(&find.out);
    em_strbuf_drop(&insert.out);
    return status;
}

em_status em_mend_slipped_lines(em_slice text, em_arena *arena, em_tolerant_place *place)
{
    const em_tolerant_place was = *place;
    texts t = {.text = text,
               .place = &was,
               .find = {place->find, place->find_tokens},
               .insert = {.text = place->insert}};
    size_t *origin;
    if (!is_of_slips(stand_of(text, place, t.find)))
        return EM_OK;
    EM_TRY(em_tokens_of(place->insert, place->fold, arena, &t.insert.tokens));
    EM_TRY(em_redline(&t.find, &t.insert, arena, &origin));
    t.slips = em_alloc_array(arena, t.insert.tokens.count + 1, sizeof *t.slips);
    if (!t.slips)
        return EM_E_NOMEM;
    em_indent_habit habit =
        em_indent_habit_around(text, place->span.start, place->span.end, place->habits);
    t.origin = origin;
    t.unit = habit.tabs ? (em_indent_unit){'\t', 1, false} : habit.spaces;
    EM_TRY(mend(&t, arena, place));
    return em_tokens_of(place->find, place->fold, arena, &place->find_tokens);
}
