/* slipped_mend.c: the two texts anew, where lines slipped. */
#include "laying/slipped_impl.h"

#include "base/strbuf.h"

typedef em_slip slip;
typedef em_slip_line line;
typedef em_slip_texts texts;

/* A text that is written anew. */
typedef struct mended {
    em_tokened of;
    em_strbuf out;
    size_t done; /* bytes of the text */
} mended;

/* All of a line's indentation is in the place: one whose search text begins with blanks begins a
 * line (tolerant.h). */
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
    return em_strbuf_keep(&m->out, arena, text);
}

/* Is it one that goes, of a search text all of whose lines are wrong by the same blank, as those
 * are that stay? */
static bool slipped_and_goes(const texts *t, size_t index, em_slice old, em_slice seen)
{
    return t->all_by_one && t->count > 0 && t->find_lines[index] == EM_SLIP_GOES &&
           (em_slip_is_one_more(old, seen) || (old.len > 0 && em_slip_is_one_more(seen, old)));
}

static void mend_find(const texts *t, mended *find)
{
    em_slice old, seen;
    for (size_t i = 0; i < t->edit.find.tokens.count; i++)
        if (em_line_indent(t->edit.find, i, &old) &&
            em_seen_indent(t->edit.text, t->edit.place, i, &seen) &&
            (t->find_lines[i] == EM_SLIP_IS_MENDED || slipped_and_goes(t, i, old, seen)))
            put_indent(find, i, seen);
}

/* Does a line with this indentation go with one that slipped, by whole steps? Not if it is whole
 * steps from where that belongs, nor with one that was cut alone. */
static bool goes_with(const texts *t, em_slice indent, const slip *s)
{
    return !s->is_cut && em_are_steps_apart(indent, s->new, t->unit) &&
           !em_are_steps_apart(indent, s->right, t->unit);
}

/* Is the repeated line as deep in both texts and the file as `indent`? What is as deep as that did
 * not slip. */
static bool is_right_at(const line *l, em_slice indent)
{
    return l->index != EM_NPOS && em_slice_eq(l->old, l->seen) && em_slice_eq(l->new, l->old) &&
           em_slice_eq(l->new, indent);
}

/* The line of the search text that goes, between the repeated lines before and behind, and is as
 * deep in it as `indent`, and in the file, too, or not; false: there is none. */
static bool line_that_goes(const texts *t, const line *before, const line *behind, em_slice indent,
                           bool is_right, em_slice *seen)
{
    em_tokened find = t->edit.find;
    size_t from = before->index == EM_NPOS ? 0 : before->index + 1;
    em_slice old;
    for (size_t i = from; i < find.tokens.count && i != behind->index; i++)
        if (em_line_indent(find, i, &old) && em_seen_indent(t->edit.text, t->edit.place, i, seen) &&
            em_slice_eq(old, *seen) == is_right && em_slice_eq(old, indent))
            return true;
    return false;
}

/* Does a line of the search text go there, between the repeated lines before and behind, that is as
 * deep in it as `indent`, and in the file, too? What comes for it did not slip either. */
static bool is_for_right_one(const texts *t, const line *before, const line *behind,
                             em_slice indent)
{
    em_slice seen;
    return line_that_goes(t, before, behind, indent, true, &seen);
}

/* Or does one that slipped with all others? Then what comes for it slipped as that did: *s. */
static bool is_for_slipped_one(const texts *t, const line *before, const line *behind,
                               const line *l, slip *s)
{
    em_slice seen;
    if (!t->all_by_one || !line_that_goes(t, before, behind, l->new, false, &seen))
        return false;
    *s = (slip){.at = l->at, .new = l->new, .right = seen};
    return true;
}

/* The slip that a new line goes with: the last one above it, or else the next. */
static const slip *slip_of_new(const texts *t, size_t above, em_slice indent)
{
    if (above > 0 && goes_with(t, indent, &t->slips[above - 1]))
        return &t->slips[above - 1];
    return above < t->count && goes_with(t, indent, &t->slips[above]) ? &t->slips[above] : NULL;
}

/* Is a new line whole steps from neither where the line above it came nor where that belongs, as
 * one that is aligned or in a comment? Then it goes where that goes. `with_new`: that is a new
 * line, and all others slipped alike; then it may happen to be steps from where it belongs. */
static bool hangs_on(const texts *t, em_slice indent, const slip *s, bool with_new)
{
    return !em_are_steps_apart(indent, s->new, t->unit) &&
           (with_new || !em_are_steps_apart(indent, s->right, t->unit)) &&
           (em_slice_starts(indent, s->new) || em_slice_starts(s->new, indent));
}

/* Does a new line go where that above it goes? Where all others slipped alike, it does also by
 * whole steps, as in a block that begins there. */
static bool goes_with_above(const texts *t, em_slice indent, const slip *above, bool is_new)
{
    return (t->all_by_one && goes_with(t, indent, above)) ||
           hangs_on(t, indent, above, t->all_by_one && is_new);
}

/* Is a new line beside one that slipped by whole steps, and as deep as that came? It may have
 * slipped, too, or stand where its own block is. */
static bool may_go_with(const slip *s, em_slice indent)
{
    return s && em_slice_eq(indent, s->new) && !em_slice_eq(indent, s->right);
}

/* The slip of a repeated line, if it slipped in both texts; `index` is that of the first slip that
 * is not above it. */
static const slip *slip_at(const texts *t, size_t index, const line *l)
{
    return index < t->count && t->slips[index].at == l->at ? &t->slips[index] : NULL;
}

/* Is it not clear how deep a new line belongs between a repeated line and the next: right below one
 * that slipped, or in a block that begins above it, of which the next line slipped out? What stands
 * below a block may be as deep as what slipped out of that, so it tells nothing. */
static bool is_torn(const texts *t, const slip *above, const line *before, const slip *below,
                    em_slice indent)
{
    return may_go_with(above, indent) || (may_go_with(below, indent) && before->index != EM_NPOS &&
                                          em_slip_opens_block(t->edit.insert, before->at));
}

/* What the indentation of a new line should be, which goes with a slip or with none; ptr NULL: what
 * it is. */
static em_status new_indent(const texts *t, em_slice indent, const slip *near, em_arena *arena,
                            em_slice *right)
{
    *right = (em_slice){0};
    if (t->spaces_of_tab > 0 && !t->tabs_differ)
        EM_TRY(em_slip_in_blanks(t, indent, t->spaces_of_tab, arena, right));
    return right->ptr || !near ? EM_OK
                               : em_slip_follow(indent, near->new, near->right, arena, right);
}

/* Mend the lines that slipped in both texts, and new ones that go with them; not those that are as
 * deep as a line that is right, be it repeated next to them, or what they come for. */
static em_status mend_insert(texts *t, em_arena *arena, mended *insert)
{
    line l, before = {.index = EM_NPOS}, behind = {.index = EM_NPOS};
    const slip *last = NULL;    /* that the line above went with, */
    bool last_is_new = false;   /* which is a new one */
    const slip *slipped = NULL; /* that of the repeated line above */
    slip gone;                  /* that of a line that goes, for which the line comes */
    size_t above = 0;           /* slips that are not below the line */
    for (size_t i = 0; i < t->line_count && t->count > 0; i++) {
        em_slice right;
        l = t->lines[i];
        if (l.index != EM_NPOS) {
            slipped = slip_at(t, above, &l);
            before = l;
            last = t->all_by_one ? slipped : NULL;
            last_is_new = false;
            if (slipped)
                put_indent(insert, l.at, t->slips[above++].right);
            continue;
        }
        if (l.right.ptr) {
            put_indent(insert, l.at, l.right);
            continue;
        }
        if (behind.at <= l.at)
            behind = em_slip_next_repeated(t, l.at);
        bool is_for_slipped = is_for_slipped_one(t, &before, &behind, &l, &gone);
        const slip *near = is_for_slipped ? &gone : slip_of_new(t, above, l.new);
        if (!near && last && goes_with_above(t, l.new, last, last_is_new))
            near = last;
        bool takes_right = is_for_right_one(t, &before, &behind, l.new),
             is_right = is_right_at(&before, l.new) || is_right_at(&behind, l.new) || takes_right;
        t->is_unclear |= !near && !takes_right &&
                         is_torn(t, slipped, &before, slip_at(t, above, &behind), l.new);
        last = is_right ? NULL : near;
        last_is_new = true;
        if (is_right)
            continue;
        EM_TRY(new_indent(t, l.new, near, arena, &right));
        if (right.ptr)
            put_indent(insert, l.at, right);
    }
    return EM_OK;
}

em_status em_slips_mend(texts *t, em_arena *arena, em_tolerant_place *place)
{
    mended find = {.of = t->edit.find}, insert = {.of = t->edit.insert};
    em_status status = em_slips_read(t, arena);
    if (status == EM_OK) {
        mend_find(t, &find);
        status = mend_insert(t, arena, &insert);
    }
    if (status == EM_OK)
        status = finish(&find, arena, &place->find);
    if (status == EM_OK)
        status = finish(&insert, arena, &place->insert);
    em_strbuf_drop(&find.out);
    em_strbuf_drop(&insert.out);
    return status;
}
