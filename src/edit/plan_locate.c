/* plan_locate.c: where an op is to be done in the draft, or why nowhere.
 *
 * Begin with em_planner_locate(). A search text is looked for literally, and where it does not
 * stand so often as expected, tolerate() goes on.
 */
#include "edit/plan_impl.h"

#include "draft/locate.h"
#include "edit/excerpt.h"
#include "edit/pattern_slashes.h"
#include "edit/regex.h"
#include "edit/sent_before.h"
#include "edit/told_place.h"
#include "text/search.h"

/* ---- Places in the original ---------------------------------------------------------------- */

em_status em_planner_matches_of(const em_planner *p, em_spans spans, size_t most,
                                em_matches *matches)
{
    size_t count = spans.count < most ? spans.count : most;
    *matches = (em_matches){em_alloc_array(p->arena, count, sizeof(em_match)), count, spans.count};
    if (!matches->items)
        return EM_E_NOMEM;
    for (size_t i = 0; i < count; i++) {
        matches->items[i].score = 1;
        EM_TRY(em_tell_place(&p->draft, spans.items[i], p->arena, &matches->items[i]));
    }
    return EM_OK;
}

/* How an op was found that does not stand there literally. */
static void declare_tier(const em_planner *p, em_matches *matches)
{
    for (size_t i = 0; i < matches->count; i++) {
        matches->items[i].tier = p->located.tier;
        matches->items[i].score = p->located.places.items[i].score;
    }
}

em_status em_planner_declare_matches(const em_planner *p, em_spans found, em_matches *matches)
{
    declare_tier(p, matches);
    for (size_t i = 0; i < matches->count; i++)
        EM_TRY(em_draft_slice(&p->draft, found.items[i], p->arena, &matches->items[i].matched));
    return EM_OK;
}

/* ---- Finding the places of an op ----------------------------------------------------------- */

static em_status check_places(const em_planner *p, size_t total)
{
    if (total <= EM_MAX_PLACES)
        return EM_OK;
    return em_fail(p->err, EM_E_TOO_MANY_EDITS, "%zu places; at most %d are changed at once", total,
                   EM_MAX_PLACES);
}

/* How many places are kept: those that the op may change, or a refusal tells, and one that may turn
 * out not to lie within its lines (keep_within()). */
static size_t places_to_keep(const em_op *op)
{
    size_t changed = op->expect == EM_EVERY        ? EM_MAX_PLACES
                     : op->expect <= EM_MAX_PLACES ? op->expect
                                                   : 0;
    return (changed > EM_MAX_FAILED_PLACES ? changed : EM_MAX_FAILED_PLACES) + 1;
}

/* Does a place overlap one of `known`? All that end before it are behind *at. */
static bool overlaps(em_span place, em_spans known, size_t *at)
{
    while (*at < known.count && known.items[*at].end <= place.start)
        ++*at;
    return *at < known.count && known.items[*at].start < place.end;
}

/* Where the search text stands with other line endings than at the places that were found: the
 * first EM_MAX_FAILED_PLACES. */
static em_status note_other_endings(const em_planner *p, const em_op *op, em_spans found)
{
    em_slice text;
    em_matches *noted = &p->failure->other_endings;
    em_spans others = {em_alloc_array(p->arena, EM_MAX_FAILED_PLACES, sizeof(em_span)), 0};
    size_t known = 0, from = 0, at;
    if (!others.items)
        return EM_E_NOMEM;
    EM_TRY(em_draft_text(&p->draft, p->arena, &text));
    for (em_span place; others.count < EM_MAX_FAILED_PLACES &&
                        (at = em_find_any_eol(op->find, text, from, &place.end)) != EM_NPOS;
         from = place.end) {
        place.start = at;
        if (!overlaps(place, found, &known))
            others.items[others.count++] = place;
    }
    EM_TRY(em_planner_matches_of(p, others, others.count, noted));
    for (size_t i = 0; i < noted->count; i++)
        noted->items[i].matched = em_slice_sub(text, others.items[i].start, others.items[i].end);
    return EM_OK;
}

/* Was it found as it is, and could it stand there with other line endings? */
static bool has_own_endings(const em_planner *p, const em_op *op)
{
    return em_op_searches(op) && !em_op_is_pattern(op) && !em_op_is_restricted(op) &&
           !p->text->extract && p->located.places.count == 0 && em_slice_has_byte(op->find, '\n') &&
           !em_slice_has_byte(op->find, '\r');
}

static em_status refuse_missing(const em_planner *p)
{
    const em_matches *beside = &p->failure->beside;
    if (beside->count == 0)
        return em_fail_cause(p->err, EM_E_NO_MATCH, EM_CAUSE_NOT_FOUND,
                             "the search text does not stand in the file");
    return em_fail_cause(p->err, EM_E_NO_MATCH, EM_CAUSE_NOT_FOUND,
                         "the search text does not stand in the lines that it is kept to; it does "
                         "at line %zu",
                         em_lines_at(p->lines, beside->items[0].start));
}

/* `found` are all places or, of more than may be changed, the first of `total`. */
static em_status check_count(em_planner *p, const em_op *op, em_spans found, size_t total)
{
    p->failure->expected = op->expect;
    p->failure->actual = total;
    if (total == 0) /* of a pattern, or in the lines that it is kept to */
        return refuse_missing(p);
    if (op->expect == EM_EVERY || total == op->expect)
        return check_places(p, total);
    EM_TRY(em_planner_matches_of(p, found, EM_MAX_FAILED_PLACES, &p->failure->places));
    p->failure->places.total = total;
    if (p->located.places.count > 0)
        declare_tier(p, &p->failure->places);
    if (total < op->expect && total == found.count && has_own_endings(p, op))
        EM_TRY(note_other_endings(p, op, found));
    return em_fail_cause(p->err, EM_E_COUNT,
                         total > op->expect ? EM_CAUSE_AMBIGUOUS : EM_CAUSE_TOO_FEW,
                         "expected %zu, found %zu", op->expect, total);
}

static em_status one_span(em_planner *p, size_t start, size_t end, em_spans *found)
{
    found->items = em_alloc(&p->turn, sizeof *found->items);
    if (!found->items)
        return EM_E_NOMEM;
    found->items[0] = (em_span){start, end};
    found->count = 1;
    return EM_OK;
}

/* Two texts that differ at most in how their lines end, and in whether the last one does. */
static bool same_lines(em_slice a, em_slice b)
{
    size_t i = 0, j = 0;
    a = em_without_last_eol(a);
    b = em_without_last_eol(b);
    while (i < a.len && j < b.len) {
        em_eol eol_a = em_eol_at(a, i), eol_b = em_eol_at(b, j);
        if ((eol_a == EM_EOL_NONE) != (eol_b == EM_EOL_NONE) ||
            (eol_a == EM_EOL_NONE && a.ptr[i] != b.ptr[j]))
            return false;
        i += eol_a == EM_EOL_NONE ? 1 : em_eol_bytes(eol_a).len;
        j += eol_b == EM_EOL_NONE ? 1 : em_eol_bytes(eol_b).len;
    }
    return i == a.len && j == b.len;
}

/* The next place from `from` where `text`, which is not empty, stands with any line endings. */
static size_t find_next(em_slice text, em_slice hay, size_t from, size_t *end)
{
    if (em_slice_has_byte(text, '\n') && !em_slice_has_byte(text, '\r'))
        return em_find_any_eol(text, hay, from, end);
    em_needle needle;
    em_needle_init(&needle, text);
    size_t start = em_find(&needle, hay, from);
    *end = start == EM_NPOS ? EM_NPOS : start + text.len;
    return start;
}

/* Note the lines that hold the expected text now, where these are the only ones. */
static void find_moved(const em_lines *lines, em_slice expected, em_plan_failure *failure)
{
    em_slice text = em_without_last_eol(expected);
    size_t end, first = 0, last = 0, from = lines->start;
    if (text.len == 0)
        return;
    for (size_t at; (at = find_next(text, lines->body, from, &end)) != EM_NPOS;) {
        size_t line = em_lines_at(lines, at), last_line = em_lines_at(lines, end - 1);
        from = em_lines_line(lines, line).next;
        if (em_lines_line(lines, line).start != at || em_lines_line(lines, last_line).end != end)
            continue;
        if (first > 0)
            return;
        first = line;
        last = last_line;
    }
    failure->moved = (em_line_range){first, last};
}

static em_status check_range(const em_planner *p, size_t first, size_t last, size_t line_count)
{
    size_t furthest = last < first ? first : last;
    if (first > 0 && furthest > line_count)
        return em_fail_cause(p->err, EM_E_INVALID, EM_CAUSE_RANGE,
                             "line %zu is beyond the end: the file has %zu line%s", furthest,
                             line_count, line_count == 1 ? "" : "s");
    if (first < 1 || last < first)
        return em_fail_cause(p->err, EM_E_INVALID, EM_CAUSE_RANGE, "lines %zu to %zu are no range",
                             first, last);
    return EM_OK;
}

/* The lines of the text of the moment, which has no BOM. */
static em_status draft_lines(const em_planner *p, em_lines *lines)
{
    em_text now = {.encoding = EM_UTF8};
    EM_TRY(em_draft_text(&p->draft, p->arena, &now.body));
    return em_lines_init(&now, p->arena, lines);
}

static em_status locate_lines(em_planner *p, const em_op *op, em_spans *found)
{
    em_lines lines = *p->lines;
    size_t skipped = p->text->extract ? p->text->start : 0; /* a BOM, which the draft lacks */
    if (!p->text->extract) /* of one the lines are those of the file: nothing was changed yet */
        EM_TRY(draft_lines(p, &lines));
    EM_TRY(check_range(p, op->first_line, op->last_line, em_lines_count(&lines)));
    size_t start = em_lines_line(&lines, op->first_line).start;
    size_t end = em_lines_line(&lines, op->last_line).next;
    em_slice held = em_slice_sub(lines.body, start, end);
    if (op->expected_text && !same_lines(held, *op->expected_text)) {
        p->failure->found = held;
        if (!p->text->extract)
            find_moved(&lines, *op->expected_text, p->failure);
        return em_fail_cause(p->err, EM_E_CONFLICT, EM_CAUSE_STALE_TEXT,
                             "lines %zu to %zu do not hold the expected text", op->first_line,
                             op->last_line);
    }
    return one_span(p, start - skipped, end - skipped, found);
}

/* The part of the original that an op is restricted to; all of it where it is not. */
static em_status part_of(const em_planner *p, const em_op *op, em_span *part)
{
    *part = (em_span){p->lines->start, p->lines->body.len};
    if (!em_op_is_restricted(op))
        return EM_OK;
    size_t count = em_lines_count(p->lines);
    size_t first = op->first_line > 0 ? op->first_line : 1;
    size_t last = op->last_line > 0 ? op->last_line : first > count ? first : count;
    EM_TRY(check_range(p, first, last, count));
    part->start = em_lines_line(p->lines, first).start;
    part->end = em_lines_line(p->lines, last).next;
    return EM_OK;
}

/* Drop the place that does not lie within `part`: one that begins between a CR and its LF was moved
 * to the CR. */
static void keep_within(em_span part, em_found *found)
{
    em_spans *spans = &found->spans;
    size_t kept = 0;
    for (size_t i = 0; i < spans->count; i++)
        if (spans->items[i].start >= part.start && spans->items[i].end <= part.end)
            spans->items[kept++] = spans->items[i];
    found->total -= spans->count - kept;
    spans->count = kept;
}

/* A pattern may match and its template put back what was there. */
static em_status check_expansion(const em_planner *p, em_spans found)
{
    for (size_t i = 0; i < found.count; i++) {
        em_slice replaced;
        EM_TRY(em_draft_slice(&p->draft, found.items[i], p->arena, &replaced));
        if (!em_slice_eq(replaced, p->expanded[i]))
            return EM_OK;
    }
    return em_fail_cause(p->err, EM_E_INVALID, EM_CAUSE_NO_CHANGE,
                         "the text is the same before and after");
}

/* It is known what the pattern, or its template, must have been. */
static em_status propose(em_planner *p, em_slice find, em_slice insert)
{
    em_diagnosis *diagnosis = em_alloc(p->arena, sizeof *diagnosis);
    if (!diagnosis)
        return EM_E_NOMEM;
    *diagnosis =
        (em_diagnosis){.has_correction = true, .correction = {.find = find, .insert = insert}};
    p->failure->diagnosis = diagnosis;
    return EM_OK;
}

static em_status match_pattern(em_planner *p, const em_op *op, em_span part, em_error *err,
                               em_regex_matches *matches)
{
    em_regex_search search = {.draft = &p->draft,
                              .part = em_draft_part(&p->draft, part),
                              .encoding = p->text->encoding,
                              .pattern = op->find,
                              .replacement = op->insert,
                              .most = places_to_keep(op),
                              .deadline = p->policy->deadline};
    return em_regex_locate(&search, p->arena, matches, err);
}

/* So many places are told of what is not in the lines that it is kept to. */
enum { TOLD_BESIDE = 3 };

/* It has no match in these lines. Where has it? It may take too long to know. */
static em_status note_pattern_beside(em_planner *p, const em_op *op)
{
    em_regex_matches matches;
    em_span all = {p->lines->start, p->lines->body.len};
    em_status status = match_pattern(p, op, all, NULL, &matches);
    if (status != EM_OK)
        return status == EM_E_NOMEM ? status : EM_OK;
    return em_planner_matches_of(p, matches.places.spans, TOLD_BESIDE, &p->failure->beside);
}

/* The same of a text. One with a NUL matches nothing, be it in the file. */
static em_status note_text_beside(em_planner *p, const em_op *op)
{
    em_slice text;
    em_span items[TOLD_BESIDE], place;
    em_spans spans = {.items = items};
    size_t from = 0;
    if (em_slice_has_byte(op->find, '\0'))
        return EM_OK;
    EM_TRY(em_draft_text(&p->draft, p->arena, &text));
    while (spans.count < TOLD_BESIDE &&
           (place.start = find_next(op->find, text, from, &place.end)) != EM_NPOS) {
        items[spans.count++] = place;
        from = place.end;
    }
    return em_planner_matches_of(p, spans, TOLD_BESIDE, &p->failure->beside);
}

/* It has no match. Has it as many as are expected without the slashes around it? Where the
 * replacement begins with one, too, they are of a path. */
static em_status try_without_slashes(em_planner *p, const em_op *op, em_span part)
{
    em_op bare = *op;
    em_regex_matches matches;
    EM_TRY(em_pattern_without_slashes(op->find, p->arena, &bare.find));
    if (bare.find.len == 0 || em_slice_starts(op->insert, EM_LIT("/")))
        return EM_OK;
    em_status status = match_pattern(p, &bare, part, NULL, &matches);
    if (status != EM_OK)
        return status == EM_E_NOMEM ? status : EM_OK;
    bool is_as_often =
        op->expect == EM_EVERY ? matches.places.total > 0 : matches.places.total == op->expect;
    return is_as_often ? propose(p, bare.find, op->insert) : EM_OK;
}

static em_status locate_pattern(em_planner *p, const em_op *op, em_span part, em_spans *found)
{
    em_regex_matches matches;
    em_status status = match_pattern(p, op, part, p->err, &matches);
    if (matches.mended.len > 0)
        EM_TRY(propose(p, op->find, matches.mended));
    EM_TRY(status);
    *found = matches.places.spans;
    p->expanded = matches.inserts;
    if (found->count == 0)
        EM_TRY(try_without_slashes(p, op, part));
    if (found->count == 0 && em_op_is_restricted(op))
        EM_TRY(note_pattern_beside(p, op));
    EM_TRY(check_count(p, op, *found, matches.places.total));
    return p->policy->allow_no_change ? EM_OK : check_expansion(p, *found);
}

static em_status spans_of(em_planner *p, const em_places *places, em_spans *found)
{
    *found = (em_spans){em_alloc_array(&p->turn, places->count, sizeof(em_span)), places->count};
    if (!found->items)
        return EM_E_NOMEM;
    for (size_t i = 0; i < places->count; i++)
        found->items[i] = places->items[i].span;
    return EM_OK;
}

static bool starts_line(em_slice text, size_t at)
{
    return at == 0 || em_eol_at(text, at - 1) != EM_EOL_NONE;
}

/* The lines of the text of the moment that a part of it touches. A part of which nothing is left
 * touches none where a line begins, be it the first. */
static em_span whole_lines(em_slice text, em_span part)
{
    if (!starts_line(text, part.start))
        part.start = em_line_before(text, part.start);
    if (!starts_line(text, part.end))
        part.end = em_line_behind(text, part.end);
    return part;
}

/* Where something is known of the op from a pass for all ops: only by that. */
static em_status tolerate_in_excerpt(em_planner *p, const em_toleration *toleration,
                                     em_spans *found)
{
    bool done;
    if (p->policy->is_missing || em_op_is_restricted(toleration->op) ||
        p->policy->passes == EM_PASSES_NEVER)
        return EM_OK;
    EM_TRY(em_tolerate_in_excerpt(p, toleration, &done));
    return done ? spans_of(p, &p->located.places, found) : EM_OK;
}

/* Look for what does not stand there literally, and lay the op on it. */
static em_status tolerate(em_planner *p, const em_op *op, em_span now, em_spans *found)
{
    em_toleration toleration = {.original = p->text,
                                .lines = p->lines,
                                .draft = &p->draft,
                                .policy = p->policy,
                                .op = op,
                                .within = now};
    p->failure->expected = op->expect;
    p->failure->actual = 0;
    EM_TRY(tolerate_in_excerpt(p, &toleration, found));
    if (found->count > 0)
        return check_count(p, op, *found, found->count);
    EM_TRY(em_draft_text(&p->draft, p->arena, &toleration.text));
    toleration.part = whole_lines(toleration.text, now);
    EM_TRY(em_tolerate_find(&toleration, p->arena, &p->located, p->failure, p->err));
    EM_TRY(spans_of(p, &p->located.places, found));
    EM_TRY(check_count(p, op, *found, found->count));
    return em_tolerate_lay(&toleration, &p->located, p->arena, &p->laid, p->failure, p->err);
}

/* Where the text stands as it is. If it may stand at more places than are changed, it is only
 * counted at first: to keep the places of what is refused would take much memory. */
static em_status locate_literally(em_planner *p, const em_op *op, em_span now, em_found *all)
{
    bool may_be_too_often = op->find.len > 0 && p->draft.length / op->find.len > EM_MAX_PLACES;
    *all = (em_found){.most = EM_MAX_FAILED_PLACES + 1};
    if (may_be_too_often)
        EM_TRY(em_locate_in(&p->draft, now, op->find, p->may_have_cr, &p->turn, all));
    if (all->total > EM_MAX_PLACES)
        return EM_OK;
    *all = (em_found){.most = places_to_keep(op)};
    return em_match_index_locate(p->match_index, (size_t)(op - p->ops), now, &p->turn, all);
}

static em_status locate_text(em_planner *p, const em_op *op, em_spans *found)
{
    em_span part;
    em_found all = {0};
    *found = (em_spans){0};
    EM_TRY(part_of(p, op, &part));
    if (em_op_is_pattern(op))
        return locate_pattern(p, op, part, found);
    em_span now = em_draft_part(&p->draft, part);
    if (!p->policy->is_missing)
        EM_TRY(locate_literally(p, op, now, &all));
    if (em_op_is_restricted(op))
        keep_within(now, &all);
    *found = all.spans;
    if (all.total > 0 || p->text->extract)
        return check_count(p, op, *found, all.total);
    em_status status = tolerate(p, op, now, found);
    bool is_made = p->err && p->err->cause == EM_CAUSE_ALREADY_APPLIED;
    const em_op *same = status == EM_E_NO_MATCH && !is_made ? em_sent_before(p, op) : NULL;
    if (same)
        return em_refuse_sent_before(p, same);
    if (status != EM_E_NO_MATCH || is_made || !em_op_is_restricted(op) || op->find.len == 0)
        return status;
    EM_TRY(note_text_beside(p, op));
    return p->failure->beside.count > 0 ? refuse_missing(p) : status;
}

em_status em_planner_locate(em_planner *p, const em_op *op, em_spans *found)
{
    switch (op->kind) {
    case EM_OP_APPEND:
        return one_span(p, p->draft.length, p->draft.length, found);
    case EM_OP_PREPEND:
        return one_span(p, 0, 0, found);
    case EM_OP_REWRITE:
        return one_span(p, 0, p->draft.length, found);
    case EM_OP_LINES:
        return locate_lines(p, op, found);
    case EM_OP_REPLACE:
    case EM_OP_DELETE:
    case EM_OP_INSERT_BEFORE:
    case EM_OP_INSERT_AFTER:
        break;
    }
    return locate_text(p, op, found);
}
