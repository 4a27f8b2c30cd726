/* laying.c: the steps of laying an edit, one after the other. */
#include "laying/laying.h"

#include "laying/artifact.h"
#include "laying/as_given.h"
#include "laying/completed.h"
#include "laying/levelling.h"
#include "laying/line_breaks.h"
#include "laying/misplaced.h"
#include "laying/neighbours.h"
#include "laying/odd_blanks.h"
#include "laying/parted.h"
#include "laying/place_done.h"
#include "laying/settled.h"
#include "laying/severed.h"
#include "laying/skipped_lines.h"
#include "laying/slipped.h"
#include "laying/stripped.h"
#include "laying/whole_strings.h"
#include "match/place_edges.h"

_Static_assert((int)EM_INDENT_REACH <= (int)EM_LAYING_REACH,
               "who has no more than that of a file must see the same");
_Static_assert((int)EM_NEIGHBOUR_REACH <= (int)EM_LAYING_REACH,
               "who has no more than that of a file must see the same");
_Static_assert((int)EM_ODD_BLANKS_REACH <= (int)EM_LAYING_REACH,
               "who has no more than that of a file must see the same");
_Static_assert((int)EM_SETTLED_REACH <= (int)EM_LAYING_REACH,
               "who has no more than that of a file must see the same");
_Static_assert((int)EM_WHOLE_STRINGS_REACH <= (int)EM_LAYING_REACH,
               "who has no more than that of a file must see the same");

static em_status lay_difference(em_laying *l)
{
    return em_transplant_difference(l->text, &l->place, l->dominant, l->arena, &l->laid, &l->sound);
}

/* Search text and replacement may be at two wrong depths (levelling.h): then the replacement
 * becomes as deep as the search text, and l->laid what the difference gives of that. *level: false
 * where neither of the two may be laid in as it is. */
static em_status level_out(em_laying *l, bool *level)
{
    em_levelling levelling;
    *level = true;
    if (!l->sound || em_laying_repeats_find(l))
        return EM_OK;
    EM_TRY(em_levelling_of(l->text, &l->place, &l->laid, l->arena, &levelling));
    *level = !levelling.may_move;
    l->sound = levelling.keeps || levelling.insert.ptr;
    if (levelling.keeps || !l->sound)
        return EM_OK;
    l->place.insert = levelling.insert;
    EM_TRY(lay_difference(l));
    EM_TRY(em_levelling_of(l->text, &l->place, &l->laid, l->arena, &levelling));
    l->sound = l->sound && levelling.keeps;
    return EM_OK;
}

/* The texts of the place as they are read: what the caller made of them by mistake is taken back
 * where that is plain. *clear: false where it is not, so that nothing may be laid. */
static em_status read_texts(em_laying *l, bool *clear)
{
    bool known;
    EM_TRY(em_without_empty_lead(l->text, l->arena, &l->place, clear));
    EM_TRY(em_take_line_breaks(l->text, l->arena, &l->place));
    EM_TRY(em_fill_stripped(l->text, l->arena, &l->place));
    EM_TRY(em_mend_slipped_lines(l->text, l->arena, &l->place, &known));
    *clear = *clear && known;
    return em_complete_find(l->text, l->arena, &l->place);
}

/* The difference, or the replacement as it is. */
static em_status lay(em_laying *l)
{
    bool level, as_given, severed;
    EM_TRY(lay_difference(l));
    EM_TRY(level_out(l, &level));
    if (l->sound)
        EM_TRY(em_is_settled(l, &l->sound));
    EM_TRY(em_prefer_given(l, &as_given));
    if (l->sound && !as_given)
        l->sound = !em_has_misplaced_line(l->text, &l->place, &l->laid, em_laying_habit(l));
    EM_TRY(em_is_block_severed(l, &severed));
    l->sound = l->sound && level && !severed && !em_is_block_parted(l, as_given) &&
               em_skipped_lines_stay(l->text, &l->place, l->laid.text);
    return EM_OK;
}

static em_status lay_at(em_slice text, const em_tolerant_place *place, em_eol dominant,
                        em_arena *arena, em_slice *out, bool *sound)
{
    em_laying l = {
        .text = text, .dominant = dominant, .arena = arena, .sent = em_place_find(place)};
    em_indent_habits habits = {.text = text};
    bool clear;
    EM_TRY(em_without_odd_blanks(text, place, arena, &l.place));
    if (!l.place.habits)
        l.place.habits = &habits;
    EM_TRY(read_texts(&l, &clear));
    EM_TRY(lay(&l));
    *sound = l.sound && clear && !em_place_has_artifact(text, place);
    *out = l.laid.text;
    em_slice before = em_slice_sub(text, place->span.start, l.place.span.start);
    return before.len > 0 ? em_arena_join(arena, before, l.laid.text, out) : EM_OK;
}

em_status em_lay(em_slice text, const em_tolerant_place *place, em_eol dominant, em_arena *arena,
                 em_slice *out, bool *sound)
{
    em_whole_strings whole;
    EM_TRY(em_take_whole_strings(text, place, arena, &whole));
    if (whole.count == 0)
        return lay_at(text, place, dominant, arena, out, sound);
    EM_TRY(lay_at(whole.text, &whole.place, dominant, arena, out, sound));
    return em_put_strings_back(&whole, *out, arena, out, sound);
}

em_status em_lay_judged(em_slice text, const em_tolerant_place *place, em_eol dominant,
                        em_deadline *deadline, em_arena *arena, em_slice *out,
                        em_laying_verdict *verdict)
{
    bool sound, done;
    *verdict = EM_LAY_UNCLEAR;
    EM_TRY(em_lay(text, place, dominant, arena, out, &sound));
    if (!sound)
        return EM_OK;
    EM_TRY(em_place_is_done(text, place, *out, deadline, arena, &done));
    if (done)
        *verdict = EM_LAY_DONE;
    else if (!em_is_impossible(text, place, *out) && !em_doubles_neighbour(text, place, *out) &&
             !em_skipped_lines_double(text, place, *out))
        *verdict = EM_LAY_CHANGES;
    return EM_OK;
}
