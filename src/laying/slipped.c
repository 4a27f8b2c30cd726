/* slipped.c: whether lines slipped, and whether blocks are still blocks when they are mended. */
#include "laying/slipped.h"

#include "laying/slipped_impl.h"
#include "tokens/tab_stops.h"

typedef em_slip_texts texts;

/* How the lines of the search text stand. */
typedef struct stand {
    size_t right; /* but for those without any indentation, which tell nothing */
    size_t wrong;
    size_t by_one[2]; /* of the wrong ones: a blank less deep than in the file, and deeper */
} stand;

static stand stand_of(const em_placed_edit *edit)
{
    stand s = {0};
    em_slice old, seen;
    for (size_t i = 0; i < edit->find.tokens.count; i++) {
        if (!em_line_indent(edit->find, i, &old) ||
            !em_seen_indent(edit->text, edit->place, i, &seen) ||
            (old.len == 0 && !em_slip_is_bare(edit, i, seen)))
            continue;
        bool is_right = em_slice_eq(old, seen);
        s.right += is_right;
        s.wrong += !is_right;
        s.by_one[0] += old.len > 0 && em_slip_is_one_more(seen, old);
        s.by_one[1] += em_slip_is_one_more(old, seen);
    }
    return s;
}

/* Are all that are wrong so by the same blank, as those of a diff are? */
static bool are_wrong_by_one(stand s)
{
    return s.by_one[0] == s.wrong || s.by_one[1] == s.wrong;
}

/* Are there slips, and no other steps or depths than the file's? Then half of the lines are right
 * at least; or all are wrong by the same blank. */
static bool is_of_slips(stand s)
{
    return s.wrong > 0 && (s.right >= s.wrong || are_wrong_by_one(s));
}

/* Is every line of the replacement that is deeper than what opens its block, or a new one that is
 * deeper than another, still so in `after`, which has the same tokens? Two lines that are repeated
 * are as far apart as the file has them; and a new one that slipped as those below it, and not as
 * that above, was not meant to be deeper than that. */
static bool keeps_blocks(const texts *t, em_tokened after)
{
    em_slice was, is, was_last = {0}, last = {0};
    bool last_is_new = false;
    size_t at = 0; /* of the lines */
    for (size_t i = 0; i < t->edit.insert.tokens.count; i++) {
        bool is_new = t->edit.origin[i] == EM_NPOS;
        if (!em_line_indent(t->edit.insert, i, &was) || !em_line_indent(after, i, &is))
            continue;
        while (at < t->line_count && t->lines[at].at < i)
            at++;
        bool slipped_as_next =
            is_new && at < t->line_count && t->lines[at].at == i && t->lines[at].right.ptr;
        bool is_in_block = (is_new && last_is_new) || ((is_new || last_is_new) && i > 0 &&
                                                       em_begins_in_block(t->edit.insert, i));
        if (is_in_block && em_columns_of(was) > em_columns_of(was_last) &&
            em_columns_of(is) <= em_columns_of(last) && !slipped_as_next)
            return false;
        was_last = was;
        last = is;
        last_is_new = is_new;
    }
    return true;
}

static em_status make_room(texts *t, em_arena *arena)
{
    t->slips = em_alloc_array(arena, t->edit.insert.tokens.count + 1, sizeof *t->slips);
    t->find_lines = em_alloc_array(arena, t->edit.find.tokens.count + 1, sizeof *t->find_lines);
    t->lines = em_alloc_array(arena, t->edit.insert.tokens.count + 1, sizeof *t->lines);
    return t->slips && t->find_lines && t->lines ? EM_OK : EM_E_NOMEM;
}

em_status em_mend_slipped_lines(em_slice text, em_arena *arena, em_tolerant_place *place,
                                bool *clear)
{
    const em_tolerant_place was = *place;
    texts t = {.edit = em_placed_edit_of(text, &was)};
    stand s = stand_of(&t.edit);
    *clear = true;
    if (!is_of_slips(s))
        return EM_OK;
    t.most_are_right = s.right >= 2 * s.wrong;
    t.all_by_one = s.right == 0 && are_wrong_by_one(s);
    EM_TRY(em_placed_edit_read(&t.edit, arena));
    EM_TRY(em_placed_edit_compare(&t.edit, arena));
    EM_TRY(make_room(&t, arena));
    em_indent_habit habit =
        em_indent_habit_around(text, place->span.start, place->span.end, place->habits);
    t.unit = em_habit_unit(habit);
    if (em_slips_are_steps(&t))
        return EM_OK;
    EM_TRY(em_slips_mend(&t, arena, place));
    em_tokened anew = {.text = place->insert};
    EM_TRY(em_tokens_of(anew.text, place->fold, arena, &anew.tokens));
    *clear = !t.is_unclear && keeps_blocks(&t, anew);
    return em_tokens_of(place->find, place->fold, arena, &place->find_tokens);
}
