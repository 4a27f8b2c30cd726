/* undo_large.c: a change is taken back in a file that is too large to be held.
 *
 * What is needed of the file comes into an extract (survey.h): where the file is as the change left
 * it, its places; else every place where what the change left of them stands, with what stood
 * around, and they are sought there as in any other file.
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
    t->survey.scan.place_count = 0; /* what was sought meanwhile is not needed */
    t->survey.scan.overflow = false;
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

em_status em_undo_plan_large(em_undo_plan *plan, em_file *file, const em_row *row)
{
    em_undoing u = {.plan = plan, .row = row};
    taking_back t = {.undoing = &u, .file = file};
    em_slice *needles;
    size_t count;
    plan->exists = true;
    EM_TRY(em_undo_read_change(&u));
    if (u.change.kind.newline.len > 1) /* characters of several bytes begin at multiples of that */
        return em_fail(plan->err, EM_E_TOO_LARGE, "%s is read whole", file->path);
    EM_TRY(em_undo_needles(&u, &needles, &count));
    EM_TRY(em_survey_make(&t.survey, plan->ws, file, needles, count, NULL, plan->arena, plan->err));
    u.hash = file->hash;
    EM_TRY(em_undo_check_is_in(&u));
    bool as_left = em_hash_eq(file->hash, row->new_hash);
    EM_TRY(make_extract(&t, as_left, as_left ? 0 : longest_of(needles, count)));
    em_large_rest(plan->ws, file);
    return take_back(&t, as_left);
}
