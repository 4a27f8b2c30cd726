/* tolerate.c: find, refuse or lay, for an op whose search text does not stand there literally. */
#include "edit/tolerate.h"

#include "base/utf8.h"
#include "edit/probes.h"
#include "edit/told_place.h"
#include "laying/laying.h"
#include "laying/levelling.h"
#include "match/applied.h"
#include "match/place_edges.h"
#include "match/tiers.h"

#include <stdlib.h>

/* ---- What is asked --------------------------------------------------------------------------- */

/* In a file of an unknown encoding only ASCII can be asked for. */
static bool can_be_sent(const em_text *text, const em_correction *correction)
{
    return text->encoding != EM_BYTES ||
           (em_is_ascii(correction->find) && em_is_ascii(correction->insert));
}

/* A correction is told in the op's own words: an anchor, and what goes beside it. */
static void split_correction(const em_toleration *t, em_diagnosis *diagnosis)
{
    const em_op *op = t->op;
    em_correction *c = &diagnosis->correction;
    diagnosis->has_correction &= can_be_sent(t->original, c);
    if (!diagnosis->has_correction)
        return;
    if (op->kind == EM_OP_INSERT_AFTER) {
        diagnosis->has_correction = em_slice_starts(c->insert, c->find);
        if (diagnosis->has_correction)
            c->insert = em_slice_from(c->insert, c->find.len);
    } else if (op->kind == EM_OP_INSERT_BEFORE) {
        diagnosis->has_correction = em_slice_ends(c->insert, c->find);
        if (diagnosis->has_correction)
            c->insert.len -= c->find.len;
    } else if (op->kind == EM_OP_DELETE) {
        diagnosis->has_correction = c->insert.len == 0;
    }
}

/* What is searched. */
static em_occurrences occurrences_of(const em_toleration *t, em_arena *arena)
{
    return (em_occurrences){.text = em_slice_sub(t->text, t->part.start, t->part.end),
                            .before = t->part.start,
                            .behind = t->text.len - t->part.end,
                            .arena = arena};
}

/* ---- Refusals -------------------------------------------------------------------------------- */

static em_status tell_place(const em_toleration *t, const em_tolerant_place *place, em_tier tier,
                            em_arena *arena, em_match *match)
{
    match->tier = tier;
    match->score = place->score;
    return em_tell_place(t->draft, place->span, arena, match);
}

static int by_start(const void *left, const void *right)
{
    const em_tolerant_place *a = left, *b = right;
    return a->span.start < b->span.start ? -1 : a->span.start > b->span.start;
}

static em_tolerant_place runner_up_of(const em_located *located)
{
    return (em_tolerant_place){.span = located->runner_up_at, .score = located->runner_up};
}

/* It could be meant at all of the places that were found, and at the one that comes next. */
static em_status tell_places(const em_toleration *t, const em_located *located, em_arena *arena,
                             em_plan_failure *failure)
{
    size_t count = located->places.count;
    em_tolerant_place *places = em_alloc_array(arena, count + 1, sizeof *places);
    if (!places)
        return EM_E_NOMEM;
    for (size_t i = 0; i < count; i++)
        places[i] = located->places.items[i];
    if (!em_located_is_clear(located, t->op->expect) && located->runner_up > 0)
        places[count++] = runner_up_of(located);
    qsort(places, count, sizeof *places, by_start);
    size_t told = count < EM_MAX_FAILED_PLACES ? count : EM_MAX_FAILED_PLACES;
    failure->places = (em_matches){em_alloc_array(arena, told, sizeof(em_match)), told, count};
    if (!failure->places.items)
        return EM_E_NOMEM;
    for (size_t i = 0; i < told; i++)
        EM_TRY(tell_place(t, &places[i], located->tier, arena, &failure->places.items[i]));
    return EM_OK;
}

static em_status diagnose(const em_toleration *t, em_occurrences *in, em_slice insert,
                          const em_located *located, em_arena *arena, em_plan_failure *failure)
{
    if (t->excerpt)
        return EM_OK;
    em_diagnosis *diagnosis = em_alloc(arena, sizeof *diagnosis);
    if (!diagnosis)
        return EM_E_NOMEM;
    em_question question = {.draft = t->draft,
                            .lines = t->lines,
                            .in = in,
                            .text = t->text,
                            .part = t->part,
                            .within = t->within,
                            .find = t->op->find,
                            .insert = insert,
                            .replaces = t->op->kind == EM_OP_REPLACE,
                            .expect = t->op->expect,
                            .located = located,
                            .deadline = t->policy->deadline};
    EM_TRY(em_diagnose(&question, arena, diagnosis));
    split_correction(t, diagnosis);
    failure->diagnosis = diagnosis;
    return diagnosis->miss == EM_MISS_SEVERAL_PLACES ? tell_places(t, located, arena, failure)
                                                     : EM_OK;
}

static em_status refuse_missing(em_error *err)
{
    return em_fail_cause(err, EM_E_NO_MATCH, EM_CAUSE_NOT_FOUND,
                         "the search text does not stand in the file");
}

static em_status refuse_applied(const em_toleration *t, em_span where, em_plan_failure *failure,
                                em_error *err)
{
    if (t->excerpt)
        return EM_E_NO_MATCH;
    bool begins_inserted;
    em_span origin = em_draft_origin(t->draft, where, &begins_inserted);
    failure->inserted = em_draft_has_inserted(t->draft, where);
    failure->line = em_lines_at(t->lines, origin.start);
    return em_fail_cause(err, EM_E_NO_MATCH, EM_CAUSE_ALREADY_APPLIED,
                         "the replacement stands there already, at line %zu", failure->line);
}

/* ---- Finding --------------------------------------------------------------------------------- */

static bool is_within(const em_toleration *t, em_span span)
{
    return span.start >= t->within.start && span.end <= t->within.end;
}

static void keep_within(const em_toleration *t, em_located *located)
{
    size_t kept = 0;
    for (size_t i = 0; i < located->places.count; i++)
        if (is_within(t, located->places.items[i].span))
            located->places.items[kept++] = located->places.items[i];
    located->places.count = kept;
    if (located->tier != EM_TIER_FUZZY && !is_within(t, located->runner_up_at))
        located->runner_up = 0;
}

/* Where nobody is clearly ahead, the next one counts too. */
static em_status add_runner_up(const em_toleration *t, em_arena *arena, em_located *located,
                               em_plan_failure *failure)
{
    size_t count = located->places.count;
    if (em_located_is_clear(located, t->op->expect) || located->runner_up <= 0)
        return EM_OK;
    em_tolerant_place *items = em_alloc_array(arena, count + 1, sizeof *items);
    if (!items)
        return EM_E_NOMEM;
    memcpy(items, located->places.items, count * sizeof *items);
    items[count] = runner_up_of(located);
    located->places = (em_places){items, count + 1};
    failure->one_is_meant = true;
    return EM_OK;
}

static bool may_be_applied(const em_toleration *t)
{
    return t->op->kind == EM_OP_REPLACE && t->within.start == 0 && t->within.end == t->text.len;
}

/* An op that is kept to some lines is looked for in these alone. Not so by the fuzzy tier: whether
 * a word is a slip of another one, all of the text tells. */
static em_status locate(const em_toleration *t, em_occurrences *in, em_slice insert,
                        em_arena *arena, em_located *located)
{
    em_occurrences all = {.text = t->text, .arena = arena};
    bool is_kept = in->text.len < t->text.len;
    EM_TRY(em_tiers_locate(in, t->op->find, insert,
                           is_kept || t->excerpt ? EM_TIER_TOKEN : EM_TIER_FUZZY,
                           t->policy->deadline, arena, located));
    em_places_move(located->places, t->part.start);
    located->runner_up_at.start += t->part.start;
    located->runner_up_at.end += t->part.start;
    if (!is_kept || located->places.count > 0)
        return EM_OK;
    EM_TRY(em_tiers_locate(&all, t->op->find, insert, EM_TIER_FUZZY, t->policy->deadline, arena,
                           located));
    located->near = NULL;
    return EM_OK;
}

/* Of thousands of places, each would look for them anew. */
static em_status share_habits(em_slice text, em_places places, em_arena *arena)
{
    if (places.count < 2)
        return EM_OK;
    em_indent_habits *habits = em_alloc(arena, sizeof *habits);
    if (!habits)
        return EM_E_NOMEM;
    habits->text = text;
    for (size_t i = 0; i < places.count; i++)
        places.items[i].habits = habits;
    return EM_OK;
}

static em_status search(const em_toleration *t, em_occurrences *in, em_slice insert,
                        em_arena *arena, em_located *located, bool *timed_out)
{
    em_status status = locate(t, in, insert, arena, located);
    *timed_out = status == EM_E_TIMEOUT;
    if (*timed_out)
        located->places.count = 0;
    else
        EM_TRY(status);
    EM_TRY(em_adjust_place_edges(t->text, located->places, arena));
    keep_within(t, located);
    em_adjust_last_line_edge(t->text, t->within, located->places);
    return share_habits(t->text, located->places, arena);
}

/* The only place is of a tier that may change nothing. Has it become what is wanted all the same? A
 * caller who is told only what the search text got wrong would make the edit once more. */
static em_status has_become(const em_toleration *t, const em_located *located, em_slice insert,
                            bool *become)
{
    EM_AUTO(em_arena) scratch = {0};
    const em_tolerant_place *place = &located->places.items[0];
    em_slice unused;
    em_laying_verdict verdict;
    *become = false;
    if (located->places.count != 1 || located->tier <= t->policy->most)
        return EM_OK;
    EM_TRY(em_lay_judged(t->text, place, em_lines_dominant(t->lines), t->policy->deadline, &scratch,
                         &unused, &verdict));
    return verdict == EM_LAY_DONE
               ? em_would_show(t->op->find, insert, t->policy->deadline, &scratch, become)
               : EM_OK;
}

/* Has the edit been made before? */
static em_status find_applied(const em_toleration *t, em_occurrences *in, em_slice insert,
                              const em_located *located, em_arena *arena, bool *applied,
                              em_span *where)
{
    EM_TRY(em_already_applied(t->draft, in, t->op->find, insert, &located->places,
                              t->policy->deadline, arena, applied, where));
    if (*applied || located->places.count == 0)
        return EM_OK;
    *where = located->places.items[0].span;
    return has_become(t, located, insert, applied);
}

em_status em_tolerate_find(const em_toleration *t, em_arena *arena, em_located *located,
                           em_plan_failure *failure, em_error *err)
{
    em_occurrences whole = occurrences_of(t, arena), *in = t->excerpt ? t->excerpt : &whole;
    em_slice insert;
    bool timed_out, applied = false;
    em_span where;
    EM_TRY(em_whole_insert(t->op, arena, &insert));
    EM_TRY(search(t, in, insert, arena, located, &timed_out));
    if (may_be_applied(t) && !timed_out) {
        em_status status = find_applied(t, in, insert, located, arena, &applied, &where);
        timed_out = status == EM_E_TIMEOUT;
        EM_TRY(timed_out ? EM_OK : status);
    }
    if (applied)
        return refuse_applied(t, where, failure, err);
    if (located->places.count > 0 && located->tier <= t->policy->most) {
        EM_TRY(add_runner_up(t, arena, located, failure));
        qsort(located->places.items, located->places.count, sizeof(em_tolerant_place), by_start);
        failure->tier = located->tier;
        return EM_OK;
    }
    EM_TRY(diagnose(t, in, insert, located, arena, failure));
    if (timed_out && t->policy->most > EM_TIER_EXACT)
        return em_fail(err, EM_E_TIMEOUT,
                       "the search text does not stand in the file literally, and looking for it "
                       "less exactly took too long");
    return refuse_missing(err);
}

/* ---- Laying it in ---------------------------------------------------------------------------- */

/* No change, or none that can be trusted. */
static em_status refuse_unclear(const em_toleration *t, const em_located *located, size_t index,
                                em_arena *arena, em_plan_failure *failure, em_error *err)
{
    em_occurrences in = occurrences_of(t, arena);
    EM_TRY(diagnose(t, &in, located->places.items[index].insert, located, arena, failure));
    return refuse_missing(err);
}

/* The edit at one place after the other. */
typedef struct layer {
    const em_toleration *t;
    const em_located *located;
    em_arena scratch, *arena;
    em_plan_failure *failure;
    em_error *err;
} layer;

static void layer_drop(layer *l)
{
    em_arena_drop(&l->scratch);
}

/* *out is in the scratch. */
static em_status lay_in(layer *l, size_t index, em_slice *out, bool *done)
{
    const em_toleration *t = l->t;
    const em_tolerant_place *place = &l->located->places.items[index];
    em_deadline *deadline = t->policy->deadline;
    em_slice unused;
    em_laying_verdict verdict;
    if (em_deadline_spend(deadline, place->find.len + place->insert.len))
        return em_fail(l->err, EM_E_TIMEOUT, "laying the replacement in took too long");
    EM_TRY(em_text_encode(t->original, place->insert, &l->scratch, &unused, l->err));
    em_status status = em_lay_judged(t->text, place, em_lines_dominant(t->lines), deadline,
                                     &l->scratch, out, &verdict);
    if (status == EM_E_TIMEOUT)
        return em_fail(l->err, status, "looking for the replacement took too long");
    EM_TRY(status);
    *done = verdict == EM_LAY_DONE;
    return verdict == EM_LAY_UNCLEAR
               ? refuse_unclear(t, l->located, index, l->arena, l->failure, l->err)
               : EM_OK;
}

/* There may be very many places, so only the result of each is kept; what it has become already is
 * left as it is. */
static em_status lay_one(layer *l, size_t index, em_slice *out, bool *done)
{
    em_span span = l->located->places.items[index].span;
    *done = false;
    em_arena_clear(&l->scratch);
    EM_TRY(lay_in(l, index, out, done));
    if (*done)
        *out = em_slice_sub(l->t->text, span.start, span.end);
    return em_arena_keep(l->arena, out); /* the text of the moment does not last */
}

/* Old and new text are the same, and a caller who may send that means the place as it is. */
static bool is_to_stay(const em_toleration *t, const em_tolerant_place *place)
{
    return t->policy->allow_no_change && em_slice_eq(place->find, place->insert);
}

/* The edit would change nothing. */
static em_status refuse_done(const em_toleration *t, const em_located *located, em_arena *arena,
                             em_plan_failure *failure, em_error *err)
{
    em_slice insert;
    bool shown = false;
    EM_TRY(em_whole_insert(t->op, arena, &insert));
    if (located->places.count == 1) {
        em_status status = em_would_show(t->op->find, insert, t->policy->deadline, arena, &shown);
        if (status == EM_E_TIMEOUT)
            return em_fail(err, status, "looking for the replacement took too long");
        EM_TRY(status);
    }
    return shown ? refuse_applied(t, located->places.items[0].span, failure, err)
                 : refuse_unclear(t, located, 0, arena, failure, err);
}

em_status em_tolerate_lay(const em_toleration *t, const em_located *located, em_arena *arena,
                          em_slice **inserts, em_plan_failure *failure, em_error *err)
{
    EM_AUTO(layer) l = {.t = t, .located = located, .arena = arena, .failure = failure, .err = err};
    size_t count = located->places.count, done_count = 0;
    bool level;
    em_status status = em_places_are_level(t->text, located->places, t->policy->deadline, &level);
    if (status == EM_E_TIMEOUT)
        return em_fail(err, status, "laying the replacement in took too long");
    EM_TRY(status);
    if (!level)
        return refuse_unclear(t, located, 0, arena, failure, err);
    *inserts = em_alloc_array(arena, count, sizeof **inserts);
    if (!*inserts)
        return EM_E_NOMEM;
    for (size_t i = 0; i < count; i++) {
        bool done;
        EM_TRY(lay_one(&l, i, &(*inserts)[i], &done));
        done_count += done && !is_to_stay(t, &located->places.items[i]);
    }
    return done_count == count ? refuse_done(t, located, arena, failure, err) : EM_OK;
}
