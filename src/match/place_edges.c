/* place_edges.c: which blanks and line endings around a place are its own? */
#include "match/place_edges.h"

#include "base/ascii.h"
#include "base/line.h"
#include "match/token_line.h"
#include "text/text.h"
#include "tokens/comment.h"

/* ---- Where the place begins ------------------------------------------------------------------ */

/* Does the search text's first line go as a whole, so that what stands before it is no longer the
 * indentation of what comes there? */
static em_status first_line_goes(em_slice text, const em_tolerant_place *place, em_arena *arena,
                                 bool *goes)
{
    em_tokened find = em_place_find(place), insert = {.text = place->insert},
               seen = {text, {place->tokens, find.tokens.count}};
    size_t *origin, first, last;
    EM_TRY(em_tokens_of(insert.text, place->fold, arena, &insert.tokens));
    *goes = em_gap_of(em_tokened_gap(find, find.tokens.count)) == EM_GAP_BREAK;
    if (insert.tokens.count == 0)
        return EM_OK;
    EM_TRY(em_redline_seen(&find, &seen, &insert, arena, &origin));
    *goes =
        em_tokened_gap(insert, 0).len > 0 || em_first_counterpart(find, insert, origin) != EM_NPOS;
    em_line_around(find, 0, &first, &last);
    for (size_t i = 0; i < insert.tokens.count && *goes; i++)
        *goes = origin[i] > last;
    return EM_OK;
}

/* Does the search text lack the indentation that stands before the place? */
static bool lacks_first_indent(em_slice text, const em_tolerant_place *place, em_slice *indent)
{
    return place->find_tokens.count > 0 && place->find_tokens.items[0].start == 0 &&
           place->span.start == place->tokens[0].start && em_seen_indent(text, place, 0, indent) &&
           indent->len > 0;
}

static bool is_same(em_slice a, em_slice b)
{
    return a.ptr == b.ptr && a.len == b.len;
}

static bool has_same_texts(const em_tolerant_place *a, const em_tolerant_place *b)
{
    return is_same(a->find, b->find) && is_same(a->insert, b->insert);
}

/* Nothing comes for lines of which the last one goes as far as it reaches, though not its ending:
 * then the first one goes as a whole. */
static bool all_lines_go(em_slice text, const em_tolerant_place *place)
{
    size_t first, last, end;
    em_line_around(em_place_find(place), 0, &first, &last);
    return place->insert.len == 0 && last + 1 < place->find_tokens.count &&
           em_ends_line(text, place->span.end, place->fold, &end);
}

/* Does the place begin with the ending of a line with text, in that of an empty line which the
 * search text has before its first line and the file has not? */
static bool begins_in_ending(em_slice text, const em_tolerant_place *place)
{
    size_t start = place->span.start, unused;
    return place->find_tokens.count > 0 && em_eol_at(text, start) != EM_EOL_NONE &&
           em_gap_of(em_tokened_gap(em_place_find(place), 0)) == EM_GAP_BREAK &&
           !em_begins_line(text, start, &unused);
}

/* What becomes of that ending, where the replacement begins with none? */
typedef enum ending { ENDING_STAYS, ENDING_GOES, ENDING_UNCLEAR } ending;

/* The search text begins with a line ending. Where does its first token begin another line of the
 * replacement than the first? Behind the last token, if nowhere. */
static size_t repeated_first(em_tokened insert, const size_t *origin)
{
    size_t i = 1;
    while (i < insert.tokens.count &&
           (origin[i] != 0 || em_gap_of(em_tokened_gap(insert, i)) != EM_GAP_BREAK))
        i++;
    return i;
}

static bool is_comment_line(em_tokened t, size_t token)
{
    size_t first, last;
    em_line_around(t, token, &first, &last);
    return em_is_comment(
        em_slice_sub(t.text, t.tokens.items[first].start, t.tokens.items[last].end));
}

/* Is the line that ends at `end` a comment, which would swallow what is joined to it? */
static bool is_behind_comment(em_slice text, size_t end)
{
    return em_is_comment(em_trimmed(em_slice_sub(text, em_line_before(text, end), end)));
}

/* May what the replacement begins with come right behind the line that ends at `end`, without a
 * blank? */
static bool clings(em_slice text, size_t end, em_tokened insert)
{
    size_t before = end;
    while (before > 0 && em_is_space_or_tab(text.ptr[before - 1]))
        before--;
    return em_tokened_is_one_of(insert, 0, ".,;?)]") ||
           (before > 0 && em_is_one_of(text.ptr[before - 1], "([{."));
}

/* Has the replacement lines of its own, or is it joined to the line before? It has, where it begins
 * as deep as the search text, or as the file's line, or with an indentation. One blank is none, and
 * a sign that clings to what stands before it needs none. Where the line ending of the search text
 * comes behind the replacement's first line, that may go on in the line before, but as a line as
 * deep as the next one it does not. */
static ending ending_before(em_slice text, const em_tolerant_place *place, em_tokened insert,
                            const size_t *origin)
{
    em_slice indent = em_gap_split(em_tokened_gap(em_place_find(place), 0)).indent;
    em_slice own = em_tokened_gap(insert, 0), beside;
    size_t next = repeated_first(insert, origin), end = place->span.start;
    bool goes_on = next < insert.tokens.count;
    bool is_joint = own.len > 0 ? !em_is_indentation(own) : clings(text, end, insert);
    if (goes_on && is_joint && own.len == 0)
        return is_behind_comment(text, end) ? ENDING_UNCLEAR : ENDING_GOES;
    if (em_slice_eq(own, indent))
        return ENDING_STAYS;
    if (goes_on)
        beside = em_gap_split(em_tokened_gap(insert, next)).indent;
    else if (!em_seen_indent(text, place, 0, &beside))
        beside = indent;
    if (em_slice_eq(own, beside))
        return ENDING_STAYS;
    if (goes_on && own.len > 0 && is_comment_line(insert, 0))
        return ENDING_GOES;
    if (is_joint)
        return is_behind_comment(text, end) ? ENDING_UNCLEAR : ENDING_GOES;
    return own.len > 0 && !goes_on ? ENDING_STAYS : ENDING_UNCLEAR;
}

/* A replacement, and where it has the search text's tokens: of the last place that was asked for.
 */
typedef struct compared {
    const em_tolerant_place *of;
    em_tokened insert;
    size_t *origin;
} compared;

static em_status compare(const em_tolerant_place *place, em_arena *arena, compared *c)
{
    em_tokened find = em_place_find(place);
    if (c->of && has_same_texts(c->of, place))
        return EM_OK;
    *c = (compared){.of = place, .insert = {.text = place->insert}};
    EM_TRY(em_tokens_of(place->insert, place->fold, arena, &c->insert.tokens));
    return em_redline(&find, &c->insert, arena, &c->origin);
}

/* Lets the place begin behind the ending of the line before, where that stays. Where nothing comes,
 * it does if whole lines go. */
static em_status leave_ending(em_slice text, em_tolerant_place *place, em_arena *arena, compared *c)
{
    size_t start = place->span.start;
    if (!begins_in_ending(text, place) || em_eol_at(place->insert, 0) != EM_EOL_NONE)
        return EM_OK;
    EM_TRY(compare(place, arena, c));
    bool stays =
        place->insert.len == 0 && em_ends_in_eol(em_slice_sub(text, start, place->span.end));
    if (c->insert.tokens.count > 0 && em_gap_of(em_tokened_gap(c->insert, 0)) != EM_GAP_BREAK)
        stays = ending_before(text, place, c->insert, c->origin) == ENDING_STAYS;
    if (stays)
        place->span.start += em_eol_length_at(text, start);
    return EM_OK;
}

/* An empty line comes before the first one: that has none of the blanks that stand there. */
static bool begins_with_empty_line(const em_tolerant_place *place)
{
    return em_eol_at(place->insert, 0) != EM_EOL_NONE;
}

static em_status reach_before(em_slice text, em_places places, em_arena *arena)
{
    em_slice indent;
    const em_tolerant_place *last = NULL;
    compared c = {0};
    bool goes = false;
    for (size_t i = 0; i < places.count; i++) {
        em_tolerant_place *place = &places.items[i];
        EM_TRY(leave_ending(text, place, arena, &c));
        if (!lacks_first_indent(text, place, &indent))
            continue;
        if (!last || !has_same_texts(last, place))
            EM_TRY(first_line_goes(text, place, arena, &goes));
        last = place;
        if (goes || all_lines_go(text, place) || begins_with_empty_line(place))
            place->span.start -= indent.len;
    }
    return EM_OK;
}

/* Has the search text a line ending before its first line, and the replacement none before its own?
 */
static bool lacks_ending(const compared *c, em_tokened find)
{
    return c->insert.tokens.count > 0 && em_gap_of(em_tokened_gap(find, 0)) == EM_GAP_BREAK &&
           em_gap_of(em_tokened_gap(c->insert, 0)) != EM_GAP_BREAK;
}

/* Does the replacement have the search text's empty lines behind its own first lines? */
static bool has_them_later(const compared *c)
{
    size_t next = repeated_first(c->insert, c->origin);
    return next < c->insert.tokens.count && em_gap_breaks(em_tokened_gap(c->insert, next)) > 1;
}

/* The search text without its first `bytes`, which are blanks. */
static em_status shorten(em_slice text, size_t bytes, em_arena *arena, em_tolerant_place *place)
{
    size_t count = place->find_tokens.count;
    em_token *tokens = em_alloc_array(arena, count, sizeof *tokens);
    if (!tokens)
        return EM_E_NOMEM;
    for (size_t i = 0; i < count; i++) {
        em_token token = place->find_tokens.items[i];
        tokens[i] = (em_token){token.start - bytes, token.end - bytes};
    }
    place->find = em_slice_from(place->find, bytes);
    place->find_tokens = (em_tokens){tokens, count};
    place->span.start =
        em_place_span(text, place->find, place->find_tokens, place->tokens, place->fold).start;
    return em_adjust_place_edges(text, (em_places){place, 1}, arena);
}

em_status em_without_empty_lead(em_slice text, em_arena *arena, em_tolerant_place *place,
                                bool *clear)
{
    em_tokened find = em_place_find(place);
    compared c = {0};
    *clear = true;
    if (find.tokens.count == 0 || em_gap_of(em_tokened_gap(find, 0)) != EM_GAP_BREAK)
        return EM_OK;
    EM_TRY(compare(place, arena, &c));
    if (!lacks_ending(&c, find))
        return EM_OK;
    if (begins_in_ending(text, place)) {
        *clear = ending_before(text, place, c.insert, c.origin) != ENDING_UNCLEAR;
        return EM_OK;
    }
    if (em_gap_breaks(em_place_gap(text, place, 0)) > 0 || has_them_later(&c))
        return EM_OK;
    em_slice lead = em_tokened_gap(find, 0);
    return shorten(text, lead.len - em_gap_split(lead).indent.len, arena, place);
}

/* ---- Where the place ends -------------------------------------------------------------------- */

/* The blanks and line endings that a text ends with. */
static em_slice tail_of(em_slice text)
{
    size_t start = text.len;
    while (start > 0 && em_is_white_space(text.ptr[start - 1]))
        start--;
    return em_slice_from(text, start);
}

/* Does the search text end in a line's indentation, and the replacement in what stands on a line?
 */
static bool ends_in_indentation(const em_tolerant_place *place)
{
    em_slice tail = tail_of(place->find), after = tail_of(place->insert);
    return em_gap_split(tail).indent.len > 0 && em_gap_of(tail) == EM_GAP_BREAK &&
           after.len < place->insert.len && em_gap_of(after) != EM_GAP_BREAK;
}

/* Was a blank put behind the replacement, for what is to come there, and not behind the search
 * text's last line, too? Nothing comes behind what is ended. */
static bool has_blank_to_go_on(const em_tolerant_place *place)
{
    em_slice blank = tail_of(place->insert);
    return blank.len > 0 && !em_is_one_of(blank.ptr[-1], ";}") &&
           !em_slice_eq(blank, em_gap_split(tail_of(place->find)).trail);
}

/* Does the replacement end in a sign behind which a line goes on, or `next` begin with one with
 * which it does? */
static bool goes_on_by_sign(const em_tolerant_place *place, em_slice next)
{
    em_slice last = em_trimmed(place->insert);
    return em_is_one_of(last.ptr[last.len - 1], "([,=&|.?\\") ||
           em_is_one_of(next.ptr[0], ".,;?)]");
}

/* Is the replacement the search text, but for the line ending at its end? */
static bool takes_ending_alone(const em_tolerant_place *place)
{
    return em_slice_eq(em_trimmed(place->find), em_trimmed(place->insert));
}

/* The search text may have had an empty line with blanks in it at its end, which the file has not:
 * then nobody means to join the next line. */
bool em_joins_next_line(em_slice text, const em_tolerant_place *place)
{
    em_slice next = em_trimmed(em_slice_from(text, place->span.end));
    if (next.len == 0 || !ends_in_indentation(place))
        return false;
    size_t last = place->tokens[place->find_tokens.count - 1].end;
    em_slice seen = em_slice_sub(text, last, (size_t)(next.ptr - text.ptr));
    bool is_indentation =
        em_slice_eq(em_gap_split(tail_of(place->find)).indent, em_gap_split(seen).indent);
    return has_blank_to_go_on(place) ||
           (goes_on_by_sign(place, next) && (is_indentation || takes_ending_alone(place)));
}

/* Does the text end in this indentation, with nothing else of its line? Without a line ending it is
 * one line, which it begins if it `is_line`. */
static bool ends_in(em_slice text, em_slice indent, bool is_line)
{
    size_t start = text.len - indent.len;
    return em_slice_ends(text, indent) &&
           (start > 0 ? em_is_line_break(text.ptr[start - 1]) : is_line);
}

/* Where search text and replacement end in the same indentation of the next line, neither is to
 * have it: that line keeps its own, which is none of the place. */
static void leave_next_indent(em_slice text, em_tolerant_place *place)
{
    em_tokened find = em_place_find(place);
    if (find.tokens.count == 0)
        return;
    em_slice tail = em_tokened_gap(find, find.tokens.count), indent = em_gap_split(tail).indent;
    bool begins_line = find.tokens.items[0].start > 0 || em_is_whole_lines(text, place, find);
    if (em_gap_of(tail) != EM_GAP_BREAK || indent.len == 0 ||
        !ends_in(place->insert, indent, begins_line))
        return;
    place->find = em_slice_sub(place->find, 0, place->find.len - indent.len);
    place->insert = em_slice_sub(place->insert, 0, place->insert.len - indent.len);
}

static bool are_in_order(em_places places)
{
    for (size_t i = 1; i < places.count; i++)
        if (places.items[i].span.start < places.items[i - 1].span.end)
            return false;
    return true;
}

static void reach_behind(em_slice text, em_places places)
{
    for (size_t i = 0; i < places.count; i++) {
        em_tolerant_place *place = &places.items[i];
        size_t end, most = i + 1 < places.count ? place[1].span.start : text.len;
        if (!em_joins_next_line(text, place) ||
            !em_is_one_of(text.ptr[place->span.end - 1], "\r\n"))
            continue;
        em_ends_line(text, place->span.end, place->fold, &end);
        place->span.end = end < most ? end : most;
    }
}

em_status em_adjust_place_edges(em_slice text, em_places places, em_arena *arena)
{
    for (size_t i = 0; i < places.count; i++)
        leave_next_indent(text, &places.items[i]);
    EM_TRY(reach_before(text, places, arena));
    if (are_in_order(places))
        reach_behind(text, places);
    return EM_OK;
}

/* Do whole lines go that are the last of a text without a line ending at its end? */
static bool takes_last_lines(em_slice text, const em_tolerant_place *place)
{
    size_t line;
    return place->span.end == text.len && !em_ends_in_eol(text) && place->insert.len == 0 &&
           em_gap_of(tail_of(place->find)) == EM_GAP_BREAK &&
           em_begins_line(text, place->span.start, &line) && line == place->span.start;
}

void em_adjust_last_line_edge(em_slice text, em_span within, em_places places)
{
    em_tolerant_place *last = places.items;
    size_t others_end = within.start;
    for (size_t i = 1; i < places.count; i++) {
        em_tolerant_place *place = &places.items[i], *before = place;
        if (place->span.end > last->span.end) {
            before = last;
            last = place;
        }
        others_end = before->span.end > others_end ? before->span.end : others_end;
    }
    if (places.count == 0 || !takes_last_lines(text, last))
        return;
    size_t start = em_without_last_eol(em_slice_sub(text, 0, last->span.start)).len;
    if (start >= others_end)
        last->span.start = start;
}

bool em_is_whole_lines(em_slice text, const em_tolerant_place *place, em_tokened find)
{
    size_t line, start = place->span.start;
    return em_gap_of(em_tokened_gap(find, find.tokens.count)) == EM_GAP_BREAK &&
           em_begins_line(text, start, &line) && line == start;
}
