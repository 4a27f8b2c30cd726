#include "answers/declared.h"

#include "base/utf8.h"

enum {
    MOST_WARNINGS = 20,   /* a sentence each, of ops that were not exact */
    MOST_LINES = 20,      /* of the text block, one for each place */
    LEAST_MATCHED = 1024, /* bytes of matched text, however long the diff is */
};

/* The places that are to be declared, one after the other. */
typedef struct walk {
    const em_outcome *outcome;
    size_t op, place; /* of the match that comes next */
    size_t total;     /* matches that are not exact */
    size_t told, most;
    size_t shown_left; /* bytes of matched text */
} walk;

/* How many ops were done, or would be in a dry run. */
static size_t declared_count(const em_outcome *outcome)
{
    bool done = outcome->status == EM_OK || outcome->error.edit >= 0;
    return done ? outcome->plan.op_count : 0;
}

em_tier em_declared_tier(const em_outcome *outcome, size_t op)
{
    /* All places of an op are of one tier. */
    const em_matches *places = &outcome->plan.places[op];
    return places->count > 0 ? places->items[0].tier : EM_TIER_EXACT;
}

/* What the diff leaves of what is shown of the file: that has the matched text, too, or most of it.
 */
static size_t matched_room(em_reply *reply)
{
    size_t diff = strlen(em_reply_diff_text(reply));
    return diff < EM_SHOWN_LIMIT - LEAST_MATCHED ? EM_SHOWN_LIMIT - diff : LEAST_MATCHED;
}

static walk walk_over(em_reply *reply, size_t most)
{
    const em_outcome *outcome = reply->outcome;
    walk w = {.outcome = outcome, .most = most, .shown_left = matched_room(reply)};
    for (size_t op = 0; op < declared_count(outcome); op++)
        if (em_declared_tier(outcome, op) != EM_TIER_EXACT)
            w.total += outcome->plan.places[op].total;
    return w;
}

/* The next match to be told, and in *op whose it is; NULL when that is all. */
static const em_match *next_match(walk *w, size_t *op)
{
    while (w->told < w->most && w->op < declared_count(w->outcome)) {
        const em_matches *places = &w->outcome->plan.places[w->op];
        if (em_declared_tier(w->outcome, w->op) == EM_TIER_EXACT || w->place == places->count) {
            w->op++;
            w->place = 0;
            continue;
        }
        *op = w->op;
        w->told++;
        return &places->items[w->place++];
    }
    return NULL;
}

/* As much of the matched text as is shown, so that something is left for each match that follows.
 */
static em_slice take_matched(walk *w, const em_match *match)
{
    size_t last = w->total < w->most ? w->total : w->most;
    size_t share = w->shown_left / (last - w->told + 1);
    em_slice text = match->matched;
    if (text.len > share)
        text = em_slice_sub(text, 0, em_utf8_floor(text, share));
    w->shown_left -= text.len;
    return text;
}

static size_t start_line(const em_outcome *outcome, const em_match *match)
{
    return em_lines_at(&outcome->lines, match->start);
}

/* The line of its last byte. */
static size_t end_line(const em_outcome *outcome, const em_match *match)
{
    bool covers = match->end > match->start;
    return em_lines_at(&outcome->lines, covers ? match->end - 1 : match->start);
}

/* "tier whitespace, score 1.00, lines 2-4" */
static const char *how(em_reply *reply, const em_match *match)
{
    size_t first = start_line(reply->outcome, match), last = end_line(reply->outcome, match);
    unsigned percent = em_percent(match->score);
    const char *lines = first == last ? em_reply_format(reply, "line %zu", first)
                                      : em_reply_format(reply, "lines %zu-%zu", first, last);
    return em_reply_format(reply, "tier %s, score %u.%02u, %s", em_tier_name(match->tier),
                           percent / 100, percent % 100, lines);
}

/* ---- In objects ---------------------------------------------------------------------------- */

static json_t *match_json(em_reply *reply, walk *w, const em_match *match, size_t op)
{
    em_json *json = &reply->json;
    json_t *object = em_json_object(json);
    em_slice shown = take_matched(w, match);
    em_json_set_size(json, object, "edit", op);
    em_json_set_string(json, object, "tier", em_tier_name(match->tier));
    em_json_set(json, object, "score", json_real(match->score));
    em_json_set_size(json, object, "start_line", start_line(w->outcome, match));
    em_json_set_size(json, object, "end_line", end_line(w->outcome, match));
    em_json_set_text(json, object, "matched_text", shown);
    if (shown.len < match->matched.len)
        em_json_set_bool(json, object, "matched_text_truncated", true);
    if (match->inserted)
        em_json_set_bool(json, object, "in_inserted_text", true);
    return object;
}

void em_declared_set(em_reply *reply, json_t *object)
{
    em_json *json = &reply->json;
    walk w = walk_over(reply, EM_LOCATION_LIMIT);
    if (w.total == 0)
        return;
    json_t *list = em_json_array(json);
    const em_match *match;
    size_t op;
    while ((match = next_match(&w, &op)))
        em_json_add(json, list, match_json(reply, &w, match, op));
    em_json_set(json, object, "matches", list);
    if (w.told < w.total)
        em_json_set_bool(json, object, "matches_truncated", true);
}

/* ---- In words ------------------------------------------------------------------------------ */

/* The first match of an op that is not exact; NULL. */
static const em_match *first_of(const em_outcome *outcome, size_t op)
{
    bool exact = em_declared_tier(outcome, op) == EM_TIER_EXACT;
    return exact ? NULL : &outcome->plan.places[op].items[0];
}

const char *em_declared_sentence(em_reply *reply, size_t op)
{
    const em_match *match = first_of(reply->outcome, op);
    size_t count = reply->outcome->plan.places[op].total;
    if (!match)
        return NULL;
    return em_reply_format(reply, "Edit %zu: %s does not stand there exactly; it was found at %s%s",
                           op + 1, reply->words->find, how(reply, match),
                           count > 1 ? em_reply_format(reply, ", and %zu more", count - 1) : "");
}

void em_declared_add_warnings(em_reply *reply, json_t *list)
{
    size_t told = 0;
    for (size_t op = 0; op < declared_count(reply->outcome) && told < MOST_WARNINGS; op++) {
        const char *sentence = em_declared_sentence(reply, op);
        if (!sentence)
            continue;
        em_json_add(&reply->json, list, em_json_text(&reply->json, em_slice_of(sentence)));
        told++;
    }
}

void em_declared_add_lines(em_reply *reply)
{
    walk w = walk_over(reply, MOST_LINES);
    bool several = reply->outcome->plan.op_count > 1;
    const em_match *match;
    size_t op;
    while ((match = next_match(&w, &op))) {
        em_slice shown = take_matched(&w, match);
        em_strbuf_puts(&reply->text, "\nMatch: ");
        if (several)
            em_strbuf_printf(&reply->text, "edit %zu, ", op + 1);
        em_strbuf_printf(&reply->text, "%s; replaced was (between >>> and <<<):\n>>>",
                         how(reply, match));
        em_strbuf_add(&reply->text, shown);
        em_strbuf_puts(&reply->text, shown.len < match->matched.len ? "<<< (cut)" : "<<<");
    }
    if (w.told < w.total)
        em_strbuf_printf(&reply->text, "\nMatch: ... and %zu more", w.total - w.told);
}

/* ---- The table ----------------------------------------------------------------------------- */

const em_param em_declared_fields[] = {
    {.name = "edit", .type = EM_P_INTEGER, .help = "From 0."},
    {.name = "tier", .type = EM_P_STRING},
    {.name = "score", .type = EM_P_NUMBER},
    {.name = "start_line", .type = EM_P_INTEGER},
    {.name = "end_line", .type = EM_P_INTEGER},
    {.name = "matched_text", .type = EM_P_STRING},
    {.name = "matched_text_truncated", .type = EM_P_BOOL},
    {.name = "in_inserted_text", .type = EM_P_BOOL},
    {.name = NULL},
};
