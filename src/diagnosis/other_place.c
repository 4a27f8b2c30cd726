#include "diagnosis/other_place.h"

#include "match/tolerant.h"
#include "text/search.h"
#include "text/text.h"

enum {
    MOST_LOOKED_FOR = 32, /* lines that are not where they should be, and as many that are */
    BYTES_A_STEP = 16,    /* of the file */
};

/* ---- The only place of a line ---------------------------------------------------------------- */

/* What stands wherever the line does, as far as that can be told. */
static em_status piece_of(em_slice code, em_arena *scratch, em_needle *needle)
{
    em_tolerant_pieces pieces;
    EM_TRY(em_tolerant_pieces_of(code, EM_FOLD_WRITING, scratch, &pieces));
    em_needle_init(needle, pieces.count > 0 ? pieces.items[0] : code);
    return EM_OK;
}

static em_status is_line(const em_alignment *c, size_t sent, em_span span, bool *same)
{
    EM_AUTO(em_arena) scratch = {0};
    em_tokened_lines seen;
    EM_TRY(em_tokened_lines_init(&seen, em_slice_sub(c->text, span.start, span.end), &scratch));
    *same = seen.count == 1 && em_tokened_line_same_code(&c->find, sent, &seen, 0);
    return EM_OK;
}

/* Where a line that says something stands in the file, if once; else an empty span. */
static em_status only_place(const em_alignment *c, size_t sent, em_span *lines)
{
    EM_AUTO(em_arena) scratch = {0};
    em_needle needle;
    em_span part = em_alignment_part(c);
    em_slice text = em_slice_sub(c->text, part.start, part.end);
    bool same;
    *lines = (em_span){0, 0};
    if (!em_tokened_line_says_something(&c->find, sent))
        return EM_OK;
    if (em_deadline_spend(c->deadline, text.len / BYTES_A_STEP))
        return EM_E_TIMEOUT;
    EM_TRY(piece_of(em_tokened_line_code(&c->find, sent), &scratch, &needle));
    for (size_t at = 0; (at = em_find(&needle, text, at)) != EM_NPOS;) {
        em_span line = {em_line_before(text, at + 1), em_line_behind(text, at)};
        if (em_deadline_spend(c->deadline, line.end - line.start))
            return EM_E_TIMEOUT;
        at = line.end;
        line = (em_span){line.start + part.start, line.end + part.start};
        EM_TRY(is_line(c, sent, line, &same));
        if (!same)
            continue;
        if (lines->end > 0) {
            *lines = (em_span){0, 0};
            return EM_OK;
        }
        *lines = line;
    }
    return EM_OK;
}

/* ---- Which place is told --------------------------------------------------------------------- */

/* How much text of lines that stand in the file once is among the lines compared, and elsewhere. */
typedef struct told {
    em_span compared;
    size_t here, elsewhere;
} told;

/* The file's lines, from the first to the last of those that the search text was compared with. */
static em_span lines_compared(const em_alignment *c, em_span span, const em_fates *fates)
{
    for (size_t i = 0; i < fates->count; i++) {
        const em_line_fate *f = &fates->items[i];
        if (!f->seen || f->seen == &c->find)
            continue;
        em_slice line = em_tokened_line(f->seen, f->line);
        size_t from = (size_t)(line.ptr - c->text.ptr);
        span.start = from < span.start ? from : span.start;
        span.end = from + line.len > span.end ? from + line.len : span.end;
    }
    return span;
}

static em_status count_line(const em_alignment *c, size_t sent, told *t, em_other_place *other)
{
    em_span only;
    EM_TRY(only_place(c, sent, &only));
    size_t length = em_tokened_line_code(&c->find, sent).len;
    if (only.start == only.end)
        return EM_OK;
    if (only.start < t->compared.end && t->compared.start < only.end) {
        t->here += length;
        return EM_OK;
    }
    t->elsewhere += length;
    if (other->line == EM_NPOS || length > em_tokened_line_code(&c->find, other->line).len)
        *other = (em_other_place){sent, only};
    return EM_OK;
}

/* Count the lines that stayed where they should be, or those that did not. */
static em_status count_lines(const em_alignment *c, const em_fates *fates, bool stayed, told *t,
                             em_other_place *other)
{
    size_t looked = 0;
    for (size_t i = 0; i < fates->count && looked < MOST_LOOKED_FOR; i++) {
        const em_line_fate *f = &fates->items[i];
        if (f->sent == EM_NPOS || (f->what == EM_STAYED) != stayed)
            continue;
        EM_TRY(count_line(c, f->sent, t, other));
        looked++;
    }
    return EM_OK;
}

em_status em_find_other_place(const em_alignment *c, const em_line_change *range, em_span span,
                              const em_fates *fates, em_other_place *other)
{
    told t = {.compared = lines_compared(c, span, fates)};
    em_weight here, there;
    *other = (em_other_place){.line = EM_NPOS};
    EM_TRY(count_lines(c, fates, false, &t, other));
    if (other->line == EM_NPOS)
        return EM_OK;
    EM_TRY(count_lines(c, fates, true, &t, other));
    em_line_change line = {.first = other->line, .end = other->line + 1};
    EM_TRY(em_weigh_changes(c, range, span, &here));
    EM_TRY(em_weigh_changes(c, &line, other->span, &there));
    bool tells = t.elsewhere >= t.here && there.lines <= here.lines;
    if (!tells && there.changes > here.changes)
        other->line = EM_NPOS;
    return EM_OK;
}
