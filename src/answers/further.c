#include "answers/further.h"

#include "answers/places_told.h"
#include "answers/reason.h"
#include "answers/similar.h"

enum { MISSES_UNTIL_REWRITE = 2 }; /* as the guidance of site says */

/* NULL: it is not time for that yet, or no tool does it. */
static const char *way_after_misses(em_reply *reply)
{
    return reply->outcome->misses >= MISSES_UNTIL_REWRITE ? em_way_to_rewrite(reply) : NULL;
}

bool em_is_time_to_rewrite(em_reply *reply)
{
    return way_after_misses(reply) != NULL;
}

void em_add_rewrite_advice_but(em_reply *reply, const char *lead, const char *exception)
{
    const char *way = way_after_misses(reply);
    em_cause cause = reply->outcome->error.cause;
    bool may_be_done = cause == EM_CAUSE_ALREADY_APPLIED || cause == EM_CAUSE_NO_CHANGE;
    if (way)
        em_strbuf_printf(
            &reply->text,
            "\n%sThis is failure %zu in a row on this file: %suse %s to write it anew, "
            "completely%s.",
            lead, reply->outcome->misses, may_be_done ? "if it still is not as it is to be, " : "",
            way, exception);
}

void em_add_rewrite_advice(em_reply *reply, const char *lead)
{
    em_add_rewrite_advice_but(reply, lead, "");
}

bool em_way_is_clear(const em_reply *reply, bool is_given)
{
    return is_given && !reply->outcome->next.is_known && !em_similar_is_stale(reply);
}

/* What the cause alone says; NULL: nothing, or it takes more to tell. */
static const char *why_by_cause(em_reply *reply, em_cause cause)
{
    const em_words *words = reply->words;
    switch (cause) {
    case EM_CAUSE_ALREADY_APPLIED:
        return em_reply_format(reply, ": its %s stands there already", words->insert);
    case EM_CAUSE_EMPTY_SEARCH:
        return em_reply_format(reply, ": its %s is empty", words->find);
    case EM_CAUSE_PLACEHOLDER:
        return em_reply_format(reply, ": its %s leaves something out", words->insert);
    case EM_CAUSE_NO_CHANGE:
        return ": it would change nothing";
    case EM_CAUSE_OVERLAP:
        return ": another edit wants the same text";
    case EM_CAUSE_RANGE:
        return ": the file has no such lines";
    default:
        return NULL;
    }
}

static const char *why_next(em_reply *reply)
{
    const em_next_failure *next = &reply->outcome->next;
    const em_words *words = reply->words;
    const char *why = next->reason ? em_reply_format(reply, ": %s", next->reason)
                                   : why_by_cause(reply, next->cause);
    if (why)
        return why;
    if (next->status == EM_E_NO_MATCH)
        return em_reply_format(reply, ": its %s is not found", words->find);
    if (next->status == EM_E_COUNT)
        return em_reply_format(reply, ": its %s stands there %zu times, not %zu", words->find,
                               next->actual, next->expected);
    return "";
}

/* Is this edit of a list one of those that are told of? */
typedef bool is_told(const em_corrected *one);

static bool was_made_before(const em_corrected *one)
{
    return one->was_made_before;
}

static bool takes_away(const em_corrected *one)
{
    return one->takes_away;
}

static bool is_in_another(const em_corrected *one)
{
    return one->is_in_another;
}

static size_t count_told(const em_corrections *list, is_told *is)
{
    size_t count = 0;
    for (size_t i = 0; i < list->count; i++)
        count += is(&list->items[i]);
    return count;
}

/* "Edit 2", or "Edits 2, 4": one at least is told of. */
static const char *edits_told(em_reply *reply, const char *what, const em_corrections *list,
                              is_told *is)
{
    const char *told = em_reply_format(reply, "%s%s", what, count_told(list, is) > 1 ? "s" : "");
    const char *before = " ";
    for (size_t i = 0; i < list->count; i++) {
        if (!is(&list->items[i]))
            continue;
        told = em_reply_format(reply, "%s%s%zu", told, before, list->items[i].op + 1);
        before = ", ";
    }
    return told;
}

/* "Edits 2, 4 were made before, so leave them out: their new_text stands there already"; "": none
 * was. What takes text away is not told to stand there. */
static const char *made_before_told(em_reply *reply, const char *what)
{
    const em_corrections *further = &reply->outcome->further;
    size_t count = count_told(further, was_made_before);
    if (count == 0)
        return "";
    const char *told = em_reply_format(reply, "%s %s made before, so leave %s out",
                                       edits_told(reply, what, further, was_made_before),
                                       count > 1 ? "were" : "was", count > 1 ? "them" : "it");
    if (count_told(further, takes_away) > 0)
        return told;
    return em_reply_format(reply, "%s: %s %s stands there already", told,
                           count > 1 ? "their" : "its", reply->words->insert);
}

/* "Edits 2, 3 want text of another one, so what to send has them as one"; "": none does, or that is
 * what is wrong anyway. */
static const char *joined_told(em_reply *reply, const char *what)
{
    const em_outcome *outcome = reply->outcome;
    size_t count = count_told(&outcome->joined, is_in_another);
    if (count == 0 || outcome->error.cause == EM_CAUSE_OVERLAP)
        return "";
    return em_reply_format(reply, "%s %s text of another one, so what to send has them as one",
                           edits_told(reply, what, &outcome->joined, is_in_another),
                           count > 1 ? "want" : "wants");
}

/* What is wrong with the call in the file that is clearly meant, unless that is `next`; "": nothing
 * is, or it is not known. */
static const char *wrong_there_told(em_reply *reply, const char *what)
{
    const em_outcome *outcome = reply->outcome, *there = outcome->there;
    bool is_corrected = em_is_corrected_there(outcome);
    em_reply other;
    if (!there || there->status == EM_OK || (there->error.edit >= 0 && !is_corrected))
        return "";
    em_reply_init(&other, reply->call, reply->words, outcome->near_files.paths[0], there);
    const char *why = is_corrected ? em_similar_reason(&other) : em_reason(&other);
    const char *told =
        is_corrected ? em_reply_format(reply, "%s %td is not written as that file has it%s%s", what,
                                       there->error.edit + 1, why ? ": " : "", why ? why : "")
                     : em_reply_format(reply, "There the call would fail next: %s", why);
    reply->json.failed = reply->json.failed || other.json.failed;
    em_reply_drop(&other);
    return told;
}

static const char *next_told(em_reply *reply, const char *what)
{
    const em_next_failure *next = &reply->outcome->next;
    if (next->may_be_made)
        return em_reply_format(reply,
                               "%s %zu may have been made before, too, as all that is left: its %s "
                               "stands in the file. Send it by itself if it is still to be made",
                               what, next->op + 1, reply->words->insert);
    return next->is_known ? em_reply_format(reply, "%s %zu would fail next%s", what, next->op + 1,
                                            why_next(reply))
                          : "";
}

const char *em_further_told(em_reply *reply, const char *what)
{
    const char *const told[] = {wrong_there_told(reply, what), made_before_told(reply, what),
                                joined_told(reply, what), next_told(reply, what)};
    const char *all = "";
    for (size_t i = 0; i < sizeof told / sizeof *told; i++)
        if (*told[i])
            all = em_reply_format(reply, "%s%s%s", all, *all ? ". " : "", told[i]);
    return all;
}

/* Of a text that is not found in the file that is clearly meant, or too often, what stands there:
 * who has seen that need not ask again. */
static void add_what_stands_there(em_reply *reply)
{
    const em_outcome *outcome = reply->outcome, *there = outcome->there;
    em_reply other;
    if (!there || !there->failed_op || em_is_corrected_there(outcome))
        return;
    em_reply_init(&other, reply->call, reply->words, outcome->near_files.paths[0], there);
    other.shown_left = reply->shown_left;
    if (there->status == EM_E_NO_MATCH)
        em_similar_add(&other);
    else if (there->status == EM_E_COUNT)
        em_add_places(&other, there->failed_op->find);
    em_strbuf_add(&reply->text, em_strbuf_slice(&other.text));
    reply->shown_left = other.shown_left;
    reply->json.failed = reply->json.failed || other.json.failed || other.text.failed;
    em_reply_drop(&other);
}

void em_add_further(em_reply *reply, const char *lead, const char *what)
{
    const char *told = em_further_told(reply, what);
    if (*told)
        em_strbuf_printf(&reply->text, "\n%s%s", lead, told);
    add_what_stands_there(reply);
}
