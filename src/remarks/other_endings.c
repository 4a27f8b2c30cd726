/* other_endings.c: the search text once more, with any line endings, over the file as it was.
 *
 * What no edit of the call touches stands there afterwards as well, whatever the others did.
 */
#include "remarks/other_endings.h"

#include "base/strbuf.h"
#include "text/search.h"

enum { MOST_LINES_TOLD = 20 };

/* Whether each of its LFs could be another ending elsewhere. */
static bool takes_every_place(const em_op *op)
{
    return em_op_searches(op) && op->expect == EM_EVERY && !em_op_is_pattern(op) &&
           op->first_line == 0 && op->last_line == 0 && em_slice_has_byte(op->find, '\n') &&
           !em_slice_has_byte(op->find, '\r');
}

/* Was it found in the file as it is, and not with other endings throughout? */
static bool was_found_as_it_is(const em_planned_edit *edit, const em_op *op,
                               const em_matches *places)
{
    const em_match *first = places->items;
    return places->count > 0 && !first->inserted && first->tier == EM_TIER_EXACT &&
           em_slice_eq(em_slice_sub(edit->lines->body, first->start, first->end), op->find);
}

/* What of the file the plan has to do with, while places are looked at from left to right. */
typedef struct seeker {
    const em_op *op;
    em_slice text;
    const em_matches *taken;
    em_splices splices;
    size_t next_taken, next_splice; /* those before them end before the place */
} seeker;

static bool is_taken(seeker *s, size_t start, size_t end)
{
    const em_match *taken = s->taken->items;
    while (s->next_taken < s->taken->count && taken[s->next_taken].end <= start)
        s->next_taken++;
    return s->next_taken < s->taken->count && taken[s->next_taken].start < end;
}

static bool is_changed(seeker *s, size_t start, size_t end)
{
    const em_splice *splice = s->splices.items;
    while (s->next_splice < s->splices.count &&
           splice[s->next_splice].offset + splice[s->next_splice].length <= start)
        s->next_splice++;
    return s->next_splice < s->splices.count && splice[s->next_splice].offset < end;
}

/* Of more places than a plan tells, those behind them are known by their bytes. */
static bool is_left(seeker *s, size_t start, size_t end)
{
    return !em_slice_eq(em_slice_sub(s->text, start, end), s->op->find) &&
           !is_taken(s, start, end) && !is_changed(s, start, end);
}

/* "line 3, line 8"; empty where none is left. */
static void add_lines_left(em_strbuf *told, seeker *s, const em_lines *lines)
{
    size_t count = 0, end, at;
    for (size_t from = lines->start;
         (at = em_find_any_eol(s->op->find, s->text, from, &end)) != EM_NPOS; from = end) {
        if (!is_left(s, at, end))
            continue;
        if (count++ == MOST_LINES_TOLD) {
            em_strbuf_puts(told, ", ...");
            return;
        }
        em_strbuf_printf(told, "%sline %zu", count > 1 ? ", " : "", em_lines_at(lines, at));
    }
}

static em_status tell(const em_strbuf *lines, const char *which, em_arena *arena,
                      em_warnings *warnings)
{
    if (lines->failed)
        return EM_E_NOMEM;
    if (lines->len == 0)
        return EM_OK;
    return em_warn(warnings, arena,
                   "%sThe same text with other line endings than the search text has was left as "
                   "it is: %.*s. To change it, too, send it with \\r\\n or \\r as it stands there",
                   which, (int)lines->len, lines->ptr);
}

static em_status look_at(const em_planned_edit *edit, size_t op, em_arena *arena,
                         em_warnings *warnings)
{
    EM_AUTO(em_strbuf) lines = {0};
    const em_op *which = &edit->ops[op];
    seeker s = {.op = which,
                .text = edit->lines->body,
                .taken = &edit->plan->places[op],
                .splices = edit->plan->splices};
    if (!takes_every_place(which) || !was_found_as_it_is(edit, which, s.taken) ||
        em_deadline_spend(edit->deadline, s.text.len))
        return EM_OK;
    add_lines_left(&lines, &s, edit->lines);
    const char *name = edit->op_count > 1 ? em_arena_format(arena, "Edit %zu: ", op + 1) : "";
    return name ? tell(&lines, name, arena, warnings) : EM_E_NOMEM;
}

em_status em_remark_other_endings(const em_planned_edit *edit, em_arena *arena,
                                  em_warnings *warnings)
{
    const em_lines *lines = edit->lines;
    if (lines->lf == 0 || lines->crlf + lines->cr == 0)
        return EM_OK;
    for (size_t op = 0; op < edit->plan->op_count; op++)
        EM_TRY(look_at(edit, op, arena, warnings));
    return EM_OK;
}
