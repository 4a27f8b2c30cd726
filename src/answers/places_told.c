#include "answers/places_told.h"

enum {
    MOST_PLACES = 20,  /* of a text that stands there too often, or otherwise */
    PLACE_BYTES = 160, /* of the line of each of them */
};

void em_add_tier_of_places(em_reply *reply)
{
    em_tier tier = reply->outcome->failure.tier;
    if (tier != EM_TIER_EXACT)
        em_strbuf_printf(&reply->text, "\nNone of them is exact: they match at tier %s",
                         em_tier_name(tier));
}

void em_add_places(em_reply *reply, em_slice find)
{
    const em_plan_failure *failure = &reply->outcome->failure;
    size_t count = failure->places.count < MOST_PLACES ? failure->places.count : MOST_PLACES;
    for (size_t i = 0; i < count; i++) {
        em_spot spot = em_reply_spot(reply, &failure->places.items[i], find);
        em_strbuf_printf(&reply->text,
                         "\nLine %zu, column %zu%s: ", em_reply_line_now(reply, spot.line),
                         spot.column_start,
                         spot.inserted ? " (in text that an edit before this one inserts)" : "");
        em_slice shown = em_reply_window(reply, spot.content, spot.at, PLACE_BYTES);
        em_strbuf_add(&reply->text, shown);
        em_strbuf_puts(&reply->text, shown.len < spot.content.len ? " (cut)" : "");
    }
    if (count < failure->places.total)
        em_strbuf_printf(&reply->text, "\n... and %zu more", failure->places.total - count);
}

const char *em_why_not_all(em_reply *reply)
{
    const em_plan_failure *failure = &reply->outcome->failure;
    if (failure->one_is_meant)
        return "Only one of them can be meant";
    return failure->actual <= EM_MAX_PLACES
               ? NULL
               : em_reply_format(reply, "At most %d are changed at once", EM_MAX_PLACES);
}

/* How the lines of the first `count` of them end, but for LF, which is what the search text has. */
static const char *endings_of(const em_matches *places, size_t count)
{
    bool has_crlf = false, has_cr = false;
    for (size_t i = 0; i < count; i++) {
        em_slice text = places->items[i].matched;
        for (size_t at = 0; at < text.len; at++) {
            em_eol ending = em_eol_at(text, at);
            has_crlf = has_crlf || ending == EM_EOL_CRLF;
            has_cr = has_cr || ending == EM_EOL_CR;
        }
    }
    return !has_cr ? "\\r\\n" : !has_crlf ? "\\r" : "\\r\\n or \\r";
}

void em_add_other_endings(em_reply *reply, const char *lead)
{
    const em_matches *others = &reply->outcome->failure.other_endings;
    size_t told = others->count < MOST_PLACES ? others->count : MOST_PLACES;
    if (told == 0)
        return;
    em_strbuf_printf(&reply->text,
                     "\n%sThe same text with other line endings, which are not those of %s, stands "
                     "there too: ",
                     lead, reply->words->find);
    for (size_t i = 0; i < told; i++)
        em_strbuf_printf(
            &reply->text, "%sline %zu", i > 0 ? ", " : "",
            em_reply_line_now(reply, em_lines_at(&reply->outcome->lines, others->items[i].start)));
    em_strbuf_printf(&reply->text, "%s. Send those as edits of their own, with %s in %s",
                     told < others->count ? ", ..." : "", endings_of(others, told),
                     reply->words->find);
}
