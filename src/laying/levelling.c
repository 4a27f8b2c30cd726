/* levelling.c: lines that stay or change, by their depths in four texts: the search text, the
 * replacement, the file, and what the difference makes of it. */
#include "laying/levelling.h"

#include "base/strbuf.h"
#include "laying/indent.h"
#include "laying/placed_edit.h"
#include "laying/reindent.h"
#include "laying/standing.h"
#include "match/block.h"
#include "match/token_line.h"

enum { MOST_COMPARED = 32 }; /* lines before one that it is compared with */

/* A line of the replacement that repeats one of the search text, or words of it. */
typedef struct line {
    size_t from; /* its first token in `find` */
    em_slice old, new, seen;
    em_slice result; /* ptr NULL: it begins no line there */
    bool stays;      /* no line comes or goes that could have it in its block */
    bool tells;      /* and nobody takes it for another, nor for one that came bare */
} line;

typedef struct lines {
    line *items;
    size_t count;
} lines;

/* ---- Which line is which --------------------------------------------------------------------- */

/* The tokens of the line of the search text that the line which token `index` begins in the
 * replacement has a word of; from EM_NPOS: there is none, or it is no whole line. */
static em_span line_repeated(em_tokened find, em_tokened insert, const size_t *origin, size_t index)
{
    const em_span none = {EM_NPOS, EM_NPOS};
    size_t first, last, start, end;
    em_slice unused;
    em_line_around(insert, index, &first, &last);
    for (size_t i = first; i <= last; i++) {
        if (origin[i] == EM_NPOS || (i > first && !em_token_is_word(em_tokened_token(insert, i))))
            continue;
        em_line_around(find, origin[i], &start, &end);
        return em_line_indent(find, start, &unused) ? (em_span){start, end + 1} : none;
    }
    return none;
}

/* Lines of both texts that are none of each other, between two that are: from these tokens to
 * before those. */
typedef struct hunk {
    size_t find_start, find_end, insert_start, insert_end;
} hunk;

static size_t next_line(em_tokened t, size_t index, size_t end)
{
    em_slice unused;
    while (index < end && !em_line_indent(t, index, &unused))
        index++;
    return index;
}

static size_t count_lines(em_tokened t, size_t start, size_t end)
{
    size_t count = 0;
    for (size_t i = next_line(t, start, end); i < end; i = next_line(t, i + 1, end))
        count++;
    return count;
}

/* Where as many lines come as go, each is one that goes, changed. */
static void pair_hunk(em_tokened find, em_tokened insert, hunk h, size_t *from)
{
    if (h.find_start == h.find_end || count_lines(find, h.find_start, h.find_end) !=
                                          count_lines(insert, h.insert_start, h.insert_end))
        return;
    size_t old = next_line(find, h.find_start, h.find_end),
           new = next_line(insert, h.insert_start, h.insert_end);
    while (old < h.find_end && new < h.insert_end) {
        from[new] = old;
        old = next_line(find, old + 1, h.find_end);
        new = next_line(insert, new + 1, h.insert_end);
    }
}

/* (*from)[i] becomes the first token of the line of the search text that the line is which token i
 * of the replacement begins; EM_NPOS: it begins none, or that is new. They ascend. */
static em_status pair_lines(em_tokened find, em_tokened insert, const size_t *origin,
                            em_arena *arena, size_t **from)
{
    hunk h = {0};
    size_t count = insert.tokens.count;
    *from = em_alloc_array(arena, count + 1, sizeof **from);
    if (!*from)
        return EM_E_NOMEM;
    for (size_t i = 0; i < count; i++)
        (*from)[i] = EM_NPOS;
    for (size_t i = next_line(insert, 0, count); i < count; i = next_line(insert, i + 1, count)) {
        em_span old = line_repeated(find, insert, origin, i);
        if (old.start == EM_NPOS || old.start < h.find_start)
            continue;
        h.find_end = old.start;
        h.insert_end = i;
        pair_hunk(find, insert, h, *from);
        (*from)[i] = old.start;
        h.find_start = old.end;
        h.insert_start = i + 1;
    }
    h.find_end = find.tokens.count;
    h.insert_end = count;
    pair_hunk(find, insert, h, *from);
    return EM_OK;
}

/* ---- Their depths ---------------------------------------------------------------------------- */

/* The texts of one edit. */
typedef struct texts {
    em_placed_edit edit;
    em_slice laid;        /* what the place becomes, from the start of its first line on */
    size_t before;        /* bytes of that before the place */
    bool begins;          /* it begins there; else `laid` is of the place alone */
    const size_t *starts; /* of em_laid */
    const size_t *from;   /* of pair_lines() */
} texts;

/* The lines of the search text from *next to before `to` go: the least depth of what they may have
 * in their blocks. */
static size_t least_gone(const texts *t, size_t *next, size_t to)
{
    size_t least = EM_NPOS;
    em_slice indent;
    for (; *next < to; ++*next)
        if (em_line_indent(t->edit.find, *next, &indent))
            least = em_least(least, em_block_depth(t->edit.find, *next, indent));
    return least;
}

static em_status read_lines(const texts *t, em_arena *arena, lines *all)
{
    size_t count = t->edit.insert.tokens.count, next = 0, gone = EM_NPOS, came = EM_NPOS;
    *all = (lines){em_alloc_array(arena, count + 1, sizeof *all->items), 0};
    if (!all->items)
        return EM_E_NOMEM;
    for (size_t i = next_line(t->edit.insert, 0, count); i < count;
         i = next_line(t->edit.insert, i + 1, count)) {
        line l = {.from = t->from[i]};
        em_line_indent(t->edit.insert, i, &l.new);
        if (l.from == EM_NPOS) {
            came = em_least(came, em_block_depth(t->edit.insert, i, l.new));
            continue;
        }
        gone = em_least(gone, least_gone(t, &next, l.from));
        next = l.from + 1;
        if (line_repeated(t->edit.find, t->edit.insert, t->edit.origin, i).start != l.from ||
            !em_line_indent(t->edit.find, l.from, &l.old) ||
            !em_seen_indent(t->edit.text, t->edit.place, l.from, &l.seen))
            continue;
        bool is_bare = (i == 0 && l.new.len == 0) || (l.from == 0 && l.old.len == 0);
        l.stays = l.old.len < gone && l.new.len < came && !em_only_ends_block(t->edit.insert, i);
        l.tells = l.stays && !is_bare;
        if (i > 0 || t->begins)
            em_indent_at(t->laid, t->before + t->starts[i], &l.result);
        all->items[all->count++] = l;
    }
    return EM_OK;
}

/* ---- What they say --------------------------------------------------------------------------- */

/* How the lines that tell stand, if each does otherwise in all three texts. */
typedef struct stance {
    bool otherwise; /* and there is one at all */
    bool in_steps;  /* the search text is as many steps deep as the file, */
    bool both;      /* and the replacement, too: no steps of the one are those of the other */
    bool at_depths; /* there are lines of several depths */
} stance;

/* What a step is in the texts that were sent, by their lines and those of the file, and what in the
 * file. */
static em_status learn_units(const texts *t, const lines *all, em_indent_habit habit,
                             em_arena *arena, em_indent_unit *sent, em_indent_unit *file)
{
    em_indents of = {.pairs = em_alloc_array(arena, all->count + 1, sizeof *of.pairs)};
    if (!of.pairs)
        return EM_E_NOMEM;
    for (size_t i = 0; i < all->count; i++)
        if (all->items[i].tells)
            of.pairs[of.count++] = (em_indent_pair){
                .wanted = all->items[i].old, .seen = all->items[i].seen, .at = all->items[i].from};
    em_indents_init(&of, t->edit.find.text, t->edit.insert.text, habit);
    *sent = of.caller;
    *file = of.file;
    return EM_OK;
}

static em_slice old_of(const line *l)
{
    return l->old;
}

static em_slice new_of(const line *l)
{
    return l->new;
}

/* Is each line that tells as many steps of `unit` deep as it is in the file of `file`? */
static bool stand_in_steps(const lines *all, em_slice indent_of(const line *l), em_indent_unit unit,
                           em_indent_unit file)
{
    bool stand = true;
    for (size_t i = 0; i < all->count && stand; i++) {
        const line *l = &all->items[i];
        em_slice indent = indent_of(l);
        stand = !l->tells || (em_indent_depth(indent, unit) == em_indent_depth(l->seen, file) &&
                              em_indent_rest_of(indent, unit) == em_indent_rest_of(l->seen, file));
    }
    return stand;
}

/* Or of any unit that people have? */
static bool stand_in_some_steps(const lines *all, em_slice indent_of(const line *l),
                                em_indent_unit file)
{
    static const em_indent_unit units[] = {
        {' ', 2, false}, {' ', 3, false}, {' ', 4, false}, {' ', 8, false}, {'\t', 1, false}};
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (stand_in_steps(all, indent_of, units[i], file))
            return true;
    return false;
}

/* Does every line that tells stand otherwise in all three texts? Lines that have no indentation in
 * any of them do not count. */
static bool stand_otherwise(lines *all)
{
    bool any = false;
    for (size_t i = 0; i < all->count; i++) {
        line *l = &all->items[i];
        l->tells = l->tells && l->old.len + l->new.len + l->seen.len > 0;
        if (l->tells && (em_slice_eq(l->old, l->seen) || em_slice_eq(l->new, l->seen) ||
                         em_slice_eq(l->new, l->old)))
            return false;
        any |= l->tells;
    }
    return any;
}

static bool have_depths(const lines *all)
{
    const line *first = NULL;
    for (size_t i = 0; i < all->count; i++) {
        const line *l = &all->items[i];
        if (!l->tells)
            continue;
        first = first ? first : l;
        if (!em_slice_eq(l->seen, first->seen))
            return true;
    }
    return false;
}

static bool is_with_tabs(em_slice indent)
{
    return em_slice_has_byte(indent, '\t');
}

/* Has one of search text and file tabs, and the other spaces alone? Then nothing tells how many of
 * these a tab is. */
static bool differ_in_blanks(const lines *all)
{
    for (size_t i = 0; i < all->count; i++)
        if (all->items[i].tells &&
            is_with_tabs(all->items[i].old) == is_with_tabs(all->items[i].seen))
            return false;
    return true;
}

static em_status stance_of(const texts *t, lines *all, em_arena *arena, stance *s)
{
    em_span span = t->edit.place->span;
    em_indent_unit sent, file;
    *s = (stance){.otherwise = stand_otherwise(all)};
    if (!s->otherwise)
        return EM_OK;
    EM_TRY(learn_units(
        t, all, em_indent_habit_around(t->edit.text, span.start, span.end, t->edit.place->habits),
        arena, &sent, &file));
    s->in_steps = stand_in_steps(all, old_of, sent, file) ||
                  (differ_in_blanks(all) && stand_in_some_steps(all, old_of, file));
    s->both = s->in_steps && stand_in_some_steps(all, new_of, file);
    s->at_depths = have_depths(all);
    return EM_OK;
}

static bool moves_any(const lines *all)
{
    for (size_t i = 0; i < all->count; i++)
        if (all->items[i].stays && all->items[i].result.ptr &&
            !em_slice_eq(all->items[i].result, all->items[i].seen))
            return true;
    return false;
}

/* Is the one line deeper than the other by the same blanks in both texts? */
static bool are_as_far_apart(em_slice a, em_slice b, em_slice other_a, em_slice other_b)
{
    if (!em_slice_starts(b, a))
        return b.len < a.len && are_as_far_apart(b, a, other_b, other_a);
    return em_slice_starts(other_b, other_a) &&
           em_slice_eq(em_slice_from(b, a.len), em_slice_from(other_b, other_a.len));
}

/* Is the line as deep in the search text as in the file? Then steps are the same in both. */
static bool tells_steps(const line *l)
{
    return l->old.len > 0 && em_slice_eq(l->old, l->seen);
}

/* Do file and replacement agree how the two lines stand to each other, whatever the search text
 * has? Where steps may differ, only that they are as deep is told by both alike. */
static bool is_slip_of_find(const line *a, const line *b)
{
    return are_as_far_apart(a->seen, b->seen, a->new, b->new) &&
           (em_slice_eq(a->seen, b->seen) || tells_steps(a) || tells_steps(b));
}

/* Do the two lines stand to each other as all three texts have them, or as two have where the
 * search text can only have slipped, or do these not agree? */
static bool stand_alike(const line *a, const line *b)
{
    int step = em_deepens(a->seen, b->seen);
    if (!a->result.ptr || !b->result.ptr)
        return true;
    if (is_slip_of_find(a, b))
        return are_as_far_apart(a->seen, b->seen, a->result, b->result);
    return em_deepens(a->old, b->old) != step || em_deepens(a->new, b->new) != step ||
           em_deepens(a->result, b->result) == step;
}

/* Does each line stand so to the one before it, and to the last one that is as deep? */
static bool keep_order(const lines *all)
{
    for (size_t i = 1; i < all->count; i++) {
        const line *here = &all->items[i];
        if (!stand_alike(here - 1, here))
            return false;
        for (size_t back = 2; back <= i && back <= MOST_COMPARED; back++) {
            if (!em_slice_eq(here[-(ptrdiff_t)back].new, here->new))
                continue;
            if (!stand_alike(here - back, here))
                return false;
            break;
        }
    }
    return true;
}

/* ---- The replacement as deep as the search text ---------------------------------------------- */

/* What a line of the replacement lacks before it, or has too much there, against the search text.
 */
typedef struct shift {
    bool known, deeper;
    em_slice front;
} shift;

static shift shift_of(const line *l)
{
    bool deeper = em_slice_ends(l->old, l->new);
    em_slice more = deeper ? l->old : l->new, less = deeper ? l->new : l->old;
    return (shift){.known = em_slice_ends(more, less),
                   .deeper = deeper,
                   .front = em_slice_sub(more, 0, more.len - less.len)};
}

/* How all lines that tell are shifted, if it is alike. */
static shift shift_of_all(const lines *all)
{
    shift common = {.known = false};
    bool any = false;
    for (size_t i = 0; i < all->count; i++) {
        if (!all->items[i].tells)
            continue;
        shift s = shift_of(&all->items[i]);
        if (!s.known || (any && (s.deeper != common.deeper || !em_slice_eq(s.front, common.front))))
            return (shift){.known = false};
        common = s;
        any = true;
    }
    return common;
}

/* Of lines that are not shifted alike: how deep the search text has the line that the replacement
 * has as deep, if all lines that are as deep in one of the two are so in the other. */
static bool depth_of_alike(const lines *all, em_slice indent, em_slice *out)
{
    const line *found = NULL;
    for (size_t i = 0; i < all->count && !found; i++)
        if (all->items[i].tells && em_slice_eq(all->items[i].new, indent))
            found = &all->items[i];
    for (size_t i = 0; i < all->count && found; i++) {
        const line *l = &all->items[i];
        if (l->tells && em_slice_eq(l->new, indent) != em_slice_eq(l->old, found->old))
            return false;
    }
    *out = found ? found->old : indent;
    return found != NULL;
}

static em_status level(const lines *all, shift s, em_slice indent, em_arena *arena, em_slice *out,
                       bool *known)
{
    *known = true;
    if (s.known && s.deeper)
        return em_arena_join(arena, s.front, indent, out);
    if (s.known) {
        *known = em_slice_starts(indent, s.front);
        *out = *known ? em_slice_from(indent, s.front.len) : indent;
        return EM_OK;
    }
    *known = depth_of_alike(all, indent, out);
    return EM_OK;
}

static em_status level_all(em_tokened insert, const lines *all, em_arena *arena, em_slice *out)
{
    EM_AUTO(em_strbuf) text = {0};
    size_t done = 0, count = insert.tokens.count;
    shift s = shift_of_all(all);
    em_slice indent, levelled;
    bool known = true;
    *out = (em_slice){0};
    for (size_t i = next_line(insert, 0, count); i < count; i = next_line(insert, i + 1, count)) {
        size_t start = insert.tokens.items[i].start;
        em_line_indent(insert, i, &indent);
        EM_TRY(level(all, s, indent, arena, &levelled, &known));
        if (!known)
            return EM_OK;
        em_strbuf_add(&text, em_slice_sub(insert.text, done, start - indent.len));
        em_strbuf_add(&text, levelled);
        done = start;
    }
    em_strbuf_add(&text, em_slice_from(insert.text, done));
    return em_strbuf_keep(&text, arena, out);
}

em_status em_levelling_of(em_slice text, const em_tolerant_place *place, const em_laid *laid,
                          em_arena *arena, em_levelling *levelling)
{
    texts t = {
        .edit = em_placed_edit_laid(text, place, laid), .laid = laid->text, .starts = laid->starts};
    size_t start, *from;
    lines all;
    stance s;
    *levelling = (em_levelling){.keeps = true};
    t.begins = em_begins_line(text, place->span.start, &start);
    if (t.begins) {
        em_slice before = em_slice_sub(text, start, place->span.start);
        t.before = before.len;
        EM_TRY(em_arena_join(arena, before, laid->text, &t.laid));
    }
    EM_TRY(pair_lines(t.edit.find, t.edit.insert, laid->origin, arena, &from));
    t.from = from;
    EM_TRY(read_lines(&t, arena, &all));
    EM_TRY(stance_of(&t, &all, arena, &s));
    bool astray = s.otherwise && (s.both || !s.in_steps);
    levelling->keeps = keep_order(&all) && !(astray && moves_any(&all));
    levelling->may_move = !levelling->keeps && s.both && !s.at_depths;
    if (astray && !levelling->keeps && !levelling->may_move)
        return level_all(t.edit.insert, &all, arena, &levelling->insert);
    return EM_OK;
}

/* ---- Several places -------------------------------------------------------------------------- */

static bool is_same(em_slice a, em_slice b)
{
    return a.ptr == b.ptr && a.len == b.len;
}

/* Has the replacement a line of the search text at another depth? */
static bool has_other_depth(em_tokened find, em_tokened insert, const size_t *origin)
{
    em_slice old, new;
    for (size_t i = 0; i < insert.tokens.count; i++)
        if (em_line_indent(insert, i, &new)) {
            size_t from = line_repeated(find, insert, origin, i).start;
            if (from != EM_NPOS && em_line_indent(find, from, &old) && !em_slice_eq(old, new))
                return true;
        }
    return false;
}

/* What the places are like. */
typedef struct as_file {
    bool find, insert; /* there are some where this stands as the file does, and the other not */
} as_file;

/* *other: has the replacement of the place lines of the search text at other depths? It is asked
 * again only where the texts are not those of the place `last`. */
static em_status note_place(em_slice text, const em_tolerant_place *place,
                            const em_tolerant_place *last, em_arena *arena, bool *other,
                            as_file *all)
{
    em_tokened find = em_place_find(place), insert = {.text = place->insert};
    em_standing standing;
    size_t *origin;
    bool is_known =
        last && is_same(last->find, place->find) && is_same(last->insert, place->insert);
    if (is_known && !*other)
        return EM_OK;
    EM_TRY(em_tokens_of(insert.text, place->fold, arena, &insert.tokens));
    EM_TRY(em_redline(&find, &insert, arena, &origin));
    *other = has_other_depth(find, insert, origin);
    if (!*other)
        return EM_OK;
    EM_TRY(em_standing_of(text, place, &insert, NULL, false, arena, &standing));
    all->find |= standing.find && !standing.insert;
    all->insert |= standing.insert && !standing.find;
    return EM_OK;
}

em_status em_places_are_level(em_slice text, em_places places, em_deadline *deadline, bool *level)
{
    EM_AUTO(em_arena) scratch = {0};
    as_file found = {false, false};
    bool other = false;
    for (size_t i = 0; i < places.count && places.count > 1 && !(found.find && found.insert); i++) {
        const em_tolerant_place *place = &places.items[i];
        if (em_deadline_spend(deadline, other ? place->find.len + place->insert.len : 1))
            return EM_E_TIMEOUT;
        em_arena_clear(&scratch);
        EM_TRY(note_place(text, place, i > 0 ? place - 1 : NULL, &scratch, &other, &found));
    }
    *level = !(found.find && found.insert);
    return EM_OK;
}
