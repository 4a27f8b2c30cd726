#include "dialects/lines_searched.h"

#include "answers/similar.h"

/* Where a text stands in the file, but not in the lines that were searched. */
typedef struct beside {
    size_t line, end_line; /* of the first place */
    size_t next;           /* the line of the second */
    size_t count;          /* of places; no more than three are looked for */
} beside;

static void beside_add(beside *found, size_t line, size_t end_line)
{
    if (found->count == 0) {
        found->line = line;
        found->end_line = end_line;
    } else if (found->count == 1) {
        found->next = line;
    }
    found->count++;
}

/* Where it stands in the text of the moment, which edits before this one may have changed: in what
 * the file has, unless it is a pattern that matches what they brought. */
static beside noted_places(const em_reply *reply, bool is_pattern)
{
    const em_lines *lines = &reply->outcome->lines;
    const em_matches *matches = &reply->outcome->failure.beside;
    beside found = {.count = 0};
    for (size_t i = 0; i < matches->count; i++) {
        const em_match *match = &matches->items[i];
        size_t last = match->end > match->start ? match->end - 1 : match->start;
        if (is_pattern || !match->inserted)
            beside_add(&found, em_lines_at(lines, match->start), em_lines_at(lines, last));
    }
    return found;
}

static beside places_beside(const em_reply *reply, const em_op *op)
{
    const em_diagnosis *diagnosis = em_reply_diagnosis(reply);
    beside found = noted_places(reply, em_op_is_pattern(op));
    if (found.count == 0 && diagnosis && diagnosis->has_beside && diagnosis->beside_is_literal)
        beside_add(&found, diagnosis->beside.line, diagnosis->beside.end_line);
    return found;
}

static void add_places_beside(em_reply *reply, const beside *found, const char *verb)
{
    em_strbuf *text = &reply->text;
    em_strbuf_printf(text, "; it %s at line%s %zu", verb, found->end_line > found->line ? "s" : "",
                     found->line);
    if (found->end_line > found->line)
        em_strbuf_printf(text, " to %zu", found->end_line);
    if (found->count > 1)
        em_strbuf_printf(text,
                         found->count > 2 ? ", at line %zu and elsewhere" : " and at line %zu",
                         found->next);
    else if (!reply->correction)
        em_strbuf_printf(text, "\nIf that place is meant, send start_line %zu and end_line %zu",
                         found->line, found->end_line);
}

/* What is like it there: shown, since the lines alone would not find it. */
static void add_like_beside(em_reply *reply, const em_near *near)
{
    enum { LINES = 40, BYTES = 3000 };
    em_strbuf *text = &reply->text;
    bool several = near->end_line > near->line;
    em_strbuf_printf(text, "; text like it stands at line%s %zu", several ? "s" : "", near->line);
    if (several)
        em_strbuf_printf(text, " to %zu", near->end_line);
    if (near->inserted)
        return;
    em_strbuf_putc(text, ':');
    em_similar_add_lines(reply, near, false, LINES, BYTES);
    em_strbuf_printf(text,
                     "\nIf that place is meant, send start_line %zu and end_line %zu, and as "
                     "old_text what stands there",
                     near->line, near->end_line);
}

void em_add_lines_searched(em_reply *reply, const em_op *op, bool *stands)
{
    const em_diagnosis *diagnosis = em_reply_diagnosis(reply);
    beside found = places_beside(reply, op);
    *stands = found.count > 0;
    em_strbuf_printf(&reply->text, "\nOnly the lines from %zu",
                     op->first_line > 0 ? op->first_line : 1);
    if (op->last_line > 0)
        em_strbuf_printf(&reply->text, " to %zu were searched", op->last_line);
    else
        em_strbuf_puts(&reply->text, " on were searched");
    if (found.count > 0)
        add_places_beside(reply, &found, em_op_is_pattern(op) ? "matches" : "stands");
    else if (diagnosis && diagnosis->has_beside && !em_similar_best(reply) &&
             em_similar_likeness(&diagnosis->beside).similarity >= EM_LEAST_SIMILARITY)
        add_like_beside(reply, &diagnosis->beside);
}
