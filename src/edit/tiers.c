#include "edit/tiers.h"

#include "edit/fuzzy.h"
#include "edit/kept.h"
#include "edit/unwrap.h"

/* By how much the winner of the fuzzy tier must lead. */
static const double CLEAR_LEAD = 0.05;

typedef struct locator {
    em_sightings *in;
    em_tier most;
    em_deadline *deadline;
    em_arena *arena;
    em_located *located;
    em_slice find, insert; /* as they came */
} locator;

/* One tier of tokens; *done when it found something. */
static em_status try_tokens(locator *l, em_slice find, em_slice insert, em_fold fold, em_tier tier,
                            em_miss miss, bool *done)
{
    EM_TRY(
        em_tolerant_find_in(l->in, find, insert, fold, l->deadline, l->arena, &l->located->places));
    l->located->tier = tier;
    l->located->miss = miss;
    *done = l->located->places.count > 0;
    return EM_OK;
}

/* Of the places that were found only those of whole lines. */
static void keep_whole_lines(em_slice text, em_places *places)
{
    size_t kept = 0, unused;
    for (size_t i = 0; i < places->count; i++) {
        const em_place *place = &places->items[i];
        if (em_begins_line(text, place->tokens[0].start, &unused) &&
            em_ends_line(text, place->tokens[place->find_tokens.count - 1].end, &unused))
            places->items[kept++] = *place;
    }
    places->count = kept;
}

/* The search text's line breaks came as escapes, and those of the replacement did not. */
static bool breaks_tell(const locator *l, const em_reading *reading)
{
    return em_slice_has_byte(reading->find, '\n') && !em_slice_has_byte(l->find, '\n') &&
           em_slice_has_byte(l->insert, '\n');
}

/* Entities and escapes were undone in the replacement, too. But where that came without the
 * mistake, this spoilt what it has of the file's own ones: then the replacement is taken as it
 * came. */
static em_status keep_unwrapped(const locator *l, const em_reading *reading)
{
    bool undone = reading->miss == EM_MISS_ENTITIES || reading->miss == EM_MISS_ESCAPES;
    if (!undone || em_slice_eq(reading->insert, l->insert))
        return EM_OK;
    for (size_t i = 0; i < l->located->places.count; i++) {
        EM_AUTO(em_arena) scratch = {0};
        em_place *place = &l->located->places.items[i];
        em_slice seen = em_slice_sub(l->in->text, place->span.start, place->span.end);
        em_kept tokens, lines;
        EM_TRY(em_kept_tokens(seen, reading->insert, l->insert, &scratch, &tokens));
        EM_TRY(em_kept_lines(seen, reading->insert, l->insert, &scratch, &lines));
        bool better = tokens.only_b + lines.only_b > 0 || breaks_tell(l, reading);
        if (better && tokens.only_a + lines.only_a == 0)
            place->insert = l->insert;
    }
    return EM_OK;
}

static em_status try_reading(locator *l, const em_reading *reading, em_fold fold, bool *done)
{
    EM_TRY(try_tokens(l, reading->find, reading->insert, fold, EM_TIER_TOKEN, reading->miss, done));
    if (reading->whole_lines)
        keep_whole_lines(l->in->text, &l->located->places);
    *done = l->located->places.count > 0;
    return keep_unwrapped(l, reading);
}

static em_status try_readings(locator *l, const em_readings *readings, bool *done)
{
    static const em_fold folds[] = {EM_FOLD_NOTHING, EM_FOLD_WRITING};
    for (size_t i = 0; i < readings->count; i++)
        for (size_t j = 0; j < 2 && !*done; j++)
            EM_TRY(try_reading(l, &readings->items[i], folds[j], done));
    return EM_OK;
}

static em_status try_fuzzy(locator *l, const em_reading *reading, bool *done)
{
    EM_TRY(em_fuzzy_find(l->in, reading->find, reading->insert, l->deadline, l->arena, l->located));
    *done = l->located->places.count > 0;
    return keep_unwrapped(l, reading);
}

em_status em_tiers_locate(em_sightings *in, em_slice find, em_slice insert, em_tier most,
                          em_deadline *deadline, em_arena *arena, em_located *located)
{
    locator l = {in, most, deadline, arena, located, find, insert};
    em_reading given = {.find = find, .insert = insert};
    em_readings readings;
    bool done = false;
    *located = (em_located){0};
    if (most >= EM_TIER_WHITESPACE)
        EM_TRY(try_tokens(&l, find, insert, EM_FOLD_NOTHING, EM_TIER_WHITESPACE, EM_MISS_UNKNOWN,
                          &done));
    if (done || most < EM_TIER_TOKEN)
        return EM_OK;
    EM_TRY(try_tokens(&l, find, insert, EM_FOLD_WRITING, EM_TIER_TOKEN, EM_MISS_UNKNOWN, &done));
    if (done)
        return EM_OK;
    EM_TRY(em_readings_of(find, insert, arena, &readings));
    EM_TRY(try_readings(&l, &readings, &done));
    if (done || most < EM_TIER_FUZZY)
        return EM_OK;
    EM_TRY(try_fuzzy(&l, &given, &done));
    const em_nearby_list *near = located->near; /* of the text as it was sent */
    em_status status = EM_OK;
    for (size_t i = 0; i < readings.count && !done && status == EM_OK; i++)
        status = try_fuzzy(&l, &readings.items[i], &done);
    located->near = near;
    return status;
}

bool em_located_is_clear(const em_located *located, size_t expect)
{
    if (located->tier != EM_TIER_FUZZY || expect == 0 || expect > located->places.count)
        return true;
    double worst = located->places.items[expect - 1].score;
    double next = located->runner_up;
    if (located->places.count > expect && located->places.items[expect].score > next)
        next = located->places.items[expect].score;
    return worst - next >= CLEAR_LEAD;
}
