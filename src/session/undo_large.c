/* undo_large.c: a change is taken back in a file that is too large to be held.
 *
 * What is needed of the file comes into an extract (survey.h): where the file is as the change left
 * it, its places; else every place where what the change left of them stands, with what stood
 * around, and they are sought there as in any other file. Which of both it is, a pass tells that
 * looks for nothing: to look for a thousand places costs a hundred times as much.
 */
#include "session/undo_impl.h"

#include "session/survey.h"
#include "workspace/content.h"

enum { SHOWN_LINES = 8 /* around the place in a conflict */ };

typedef struct taking_back {
    em_undoing *undoing;
    em_file *file;
    em_survey survey;
    em_scan_stretch *stretches;
    size_t count;
} taking_back;

/* ---- Where the change is -------------------------------------------------------------------- */

/* The places where the change left them. */
static em_status places_as_left(taking_back *t)
{
    const em_inverse *change = &t->undoing->change;
    for (size_t i = 0; i < change->count; i++) {
        const em_place_change *place = &change->places[i];
        size_t size = t->survey.scan.size;
        if (place->new_at > size || place->new_length > size - place->new_at)
            return em_undo_fail_damaged(t->undoing);
        t->stretches[t->count++] =
            (em_scan_stretch){place->new_at, place->new_at + place->new_length};
    }
    return EM_OK;
}

/* The lines that a conflict shows. */
static em_status lines_as_numbered(taking_back *t)
{
    const em_inverse *change = &t->undoing->change;
    for (size_t i = 0; i < change->count; i++) {
        size_t line = change->places[i].line;
        if (line == EM_NPOS)
            continue;
        EM_TRY(em_survey_lines(&t->survey, line > SHOWN_LINES ? line - SHOWN_LINES : 1,
                               line + SHOWN_LINES, &t->stretches[t->count++]));
    }
    return EM_OK;
}

static em_status make_extract(taking_back *t, bool as_left, size_t longest)
{
    em_undo_plan *plan = t->undoing->plan;
    t->stretches = em_alloc_array(plan->arena, t->undoing->change.count, sizeof *t->stretches);
    if (!t->stretches)
        return EM_E_NOMEM;
    EM_TRY(as_left ? places_as_left(t) : lines_as_numbered(t));
    return em_survey_extract(&t->survey, t->stretches, t->count, longest, &plan->part);
}

/* ---- Splices ------------------------------------------------------------------------------- */

/* The same splices over the file, and over the extract. */
static em_status note_splices(em_undo_plan *plan, em_splices splices, bool over_file)
{
    const em_extract *extract = plan->part.extract;
    em_splice *others = em_alloc_array(plan->arena, splices.count, sizeof *others);
    if (!others)
        return EM_E_NOMEM;
    for (size_t i = 0; i < splices.count; i++) {
        const em_splice *splice = &splices.items[i];
        others[i] = *splice;
        others[i].offset =
            over_file ? em_extract_find(extract, splice->offset, splice->offset + splice->length)
                      : em_extract_to_file(extract, splice->offset);
    }
    plan->splices = over_file ? splices : (em_splices){others, splices.count};
    plan->part_splices = over_file ? (em_splices){others, splices.count} : splices;
    return EM_OK;
}

static em_status take_back(taking_back *t, bool as_left)
{
    em_undoing *u = t->undoing;
    em_splices splices;
    u->bytes = u->plan->part.body;
    if (!as_left) {
        EM_TRY(em_undo_search(u, &splices));
        return note_splices(u->plan, splices, false);
    }
    EM_TRY(em_inverse_back(&u->change, u->plan->arena, &splices));
    em_content content = em_content_of(t->file, splices);
    return em_content_valid(&content) ? note_splices(u->plan, splices, true)
                                      : em_undo_fail_damaged(u);
}

/* ---- The face ------------------------------------------------------------------------------ */

static size_t longest_of(const em_slice *needles, size_t count)
{
    size_t longest = 0;
    for (size_t i = 0; i < count; i++)
        longest = needles[i].len > longest ? needles[i].len : longest;
    return longest;
}

/* Is the file as the change left it? Then nothing is looked for. */
static em_status look_at_hash(taking_back *t, bool *as_left)
{
    em_undoing *u = t->undoing;
    em_undo_plan *plan = u->plan;
    EM_TRY(em_survey_make(&t->survey, plan->ws, t->file, NULL, plan->arena, plan->err));
    u->hash = t->file->hash;
    *as_left = em_hash_eq(u->hash, u->row->new_hash);
    return em_undo_check_is_in(u);
}

/* It is not: one more pass, for the places of what the change left. */
static em_status look_for_places(taking_back *t, size_t *longest)
{
    em_undoing *u = t->undoing;
    em_undo_plan *plan = u->plan;
    em_slice *needles;
    size_t count;
    EM_TRY(em_undo_check_effort(u, t->file->size));
    EM_TRY(em_undo_needles(u, &needles, &count));
    *longest = longest_of(needles, count);
    em_survey_options options = {.needles = needles, .count = count};
    EM_TRY(em_survey_make(&t->survey, plan->ws, t->file, &options, plan->arena, plan->err));
    u->hash = t->file->hash;
    return em_undo_check_is_in(u);
}

em_status em_undo_plan_large(em_undo_plan *plan, em_file *file, const em_row *row)
{
    em_undoing u = {.plan = plan, .row = row};
    taking_back t = {.undoing = &u, .file = file};
    size_t longest = 0;
    bool as_left;
    plan->exists = true;
    EM_TRY(em_undo_read_change(&u));
    if (u.change.kind.newline.len > 1) /* characters of several bytes begin at multiples of that */
        return em_fail(plan->err, EM_E_TOO_LARGE, "%s is read whole", file->path);
    EM_TRY(look_at_hash(&t, &as_left));
    if (!as_left)
        EM_TRY(look_for_places(&t, &longest));
    EM_TRY(make_extract(&t, as_left, longest));
    em_large_rest(plan->ws, file);
    return take_back(&t, as_left);
}
