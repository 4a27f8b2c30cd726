/* fuzzy.c: line by line, is it the search text but for what a rule forgives?
 *
 * The search text and the places that look like it are compared line by line, empty lines left out.
 * A place holds where every line of the search text is the next line of the file, but for what a
 * rule forgives. Lines of the file that are passed over are comments, and few.
 */
#include "match/fuzzy.h"

#include "base/ascii.h"
#include "base/line.h"
#include "base/utf8.h"
#include "match/completion.h"
#include "match/elision.h"
#include "match/similar_places.h"
#include "text/search.h"
#include "text/similarity.h"
#include "text/text.h"
#include "tokens/comment.h"
#include "tokens/gap_meaning.h"
#include "tokens/typo.h"

enum {
    LEAST_CODE_POINTS = 12, /* beside white space */
    MOST_CANDIDATES = 12,
    MARGIN = 4,         /* lines around a candidate that may belong to it, beside as many as */
    MOST_MARGIN = 64,   /* the search text has, or that many */
    MOST_SKIPPED = 8,   /* comment lines that the search text lacks */
    MOST_COMMENT = 256, /* lines of a comment that are looked at for where it begins */
    MOST_ASKED = 4,     /* lines of the search text that are looked for themselves */
    LINES_PER_TYPO = 3,
    MOST_TYPOS = 4,
    LEAST_WORD = 3,  /* letters of what is left of a word that was cut, */
    LEAST_LINES = 3, /* or else lines of the search text */
    LEAST_KEPT = 60, /* percent of a cut line that is still there */
    /* In the units of a deadline, each about a byte looked at: what a token costs to compare, and a
     * byte of a window to be cut into lines and tokens. */
    TOKEN_WORK = 16,
    CUT_WORK = 16,
    SEARCHED_AT_ONCE = 16,
};

static const double LEAST_SCORE = 0.85;
_Static_assert((int)EM_MOST_NEAR <= (int)MOST_CANDIDATES,
               "a diagnosis shows what was proposed here");

/* What the windows of a kind may have. */
typedef struct limits {
    size_t margin;  /* lines around a window that may belong to it, beside as many as there are */
    size_t skipped; /* lines that are passed over */
    bool slips;     /* typos, lost signs, cut edges */
} limits;

/* How a line of the search text is a line of the file. */
typedef enum likeness { OTHER, SAME, TYPO, LOST_SIGN, HEAD_CUT, TAIL_CUT } likeness;

typedef struct fuzzy {
    em_occurrences *in;
    em_slice text;
    em_slice insert;
    em_code_lines find;
    size_t most_tokens; /* of a line of the file that a line of `find` could be */
    em_deadline *deadline;
    em_arena *arena;
    em_places *found;
    size_t room;
    em_miss *miss;
    em_slice word; /* the last one that the file was searched for, and whether it is there */
    bool has_word;
    size_t work; /* since the deadline was last told */
} fuzzy;

/* A place in the making. */
typedef struct attempt {
    const em_code_lines *seen; /* lines of the file */
    size_t *at;                /* seen line of each line of the search text */
    size_t typos, skipped, most_skipped;
    bool head_cut, tail_cut;
    size_t distance, length; /* of the typos, and of all that was compared */
} attempt;

/* ---- Typos ---------------------------------------------------------------------------------- */

/* Does the file have this word? In a file that repeats itself the same one is asked for again and
 * again. When time is up it counts as there, and then nothing is a typo. */
static bool has_word(fuzzy *f, em_slice word)
{
    em_needle needle;
    if (em_slice_eq(f->word, word))
        return f->has_word;
    if (em_deadline_spend(f->deadline, f->text.len / SEARCHED_AT_ONCE))
        return true;
    f->word = word;
    f->has_word = false;
    em_needle_init(&needle, word);
    for (size_t from = 0, at; (at = em_find(&needle, f->text, from)) != EM_NPOS; from = at + 1) {
        f->has_word = em_token_border(f->text, at, EM_FOLD_WRITING) &&
                      em_token_border(f->text, at + word.len, EM_FOLD_WRITING);
        if (f->has_word || em_deadline_spend(f->deadline, TOKEN_WORK))
            return true;
    }
    return false;
}

/* ---- A line against a line ------------------------------------------------------------------- */

/* The tokens of the search text's line are those of the file's from `from` on: do the gaps between
 * them mean the same? */
static bool same_gaps(const fuzzy *f, size_t i, const em_code_lines *seen, size_t j, size_t from)
{
    const em_token *wanted = &f->find.tokens[f->find.items[i].first];
    const em_token *there = &seen->tokens[seen->items[j].first + from];
    return em_gaps_mean_the_same((em_tokened_text){seen->text, there},
                                 (em_tokened_text){f->find.text, wanted}, f->find.items[i].count);
}

/* Where all goes for good, and few lines say what, no word of it may be another one: to remove
 * `remove_contract` for `remove_contact` is not to be mended. */
static bool is_removed_for_its_name(const fuzzy *f)
{
    return f->find.count < LEAST_LINES && em_slice_trim(f->insert, em_is_white_space).len == 0;
}

/* The same tokens but for one typo; the words that differ. */
static likeness compare_whole(fuzzy *f, size_t i, const em_code_lines *seen, size_t j,
                              em_slice *wanted, em_slice *mistyped)
{
    size_t count = f->find.items[i].count, others = 0;
    if (count != seen->items[j].count)
        return OTHER;
    for (size_t k = 0; k < count && others < 2; k++) {
        em_slice a = em_code_line_token(&f->find, i, k), b = em_code_line_token(seen, j, k);
        if (em_token_same(a, b, EM_FOLD_WRITING))
            continue;
        others++;
        *wanted = a;
        *mistyped = b;
    }
    if (others > 1 || !same_gaps(f, i, seen, j, 0))
        return OTHER;
    if (others == 0)
        return SAME;
    bool typo =
        em_token_is_word(*wanted) && em_token_is_word(*mistyped) &&
        (em_is_typo(*wanted, *mistyped) || (em_code_line_is_sentence(&f->find, i, ".,;:!?'\"()-") &&
                                            em_is_typo_in_prose(*wanted, *mistyped))) &&
        !is_removed_for_its_name(f) && !has_word(f, *wanted);
    return typo ? TYPO : OTHER;
}

static bool kept_enough(em_slice part, em_slice whole)
{
    return 100 * em_utf8_count(part) >= LEAST_KEPT * em_utf8_count(whole);
}

/* Is a word of the search text what is left of one of the file? Not where the file has it as a
 * word: then that is meant, unless it is so short that every file has it. And `10` is no part of
 * `100`. */
static bool is_cut_word(fuzzy *f, em_slice part, em_slice whole, bool tail)
{
    if (part.len == 0 || part.len >= whole.len || !em_token_is_word(whole))
        return false;
    size_t at = tail ? part.len : whole.len - part.len;
    bool short_one = em_utf8_count(part) < LEAST_WORD && f->find.count >= LEAST_LINES;
    return (tail ? em_slice_starts(whole, part) : em_slice_ends(whole, part)) &&
           !em_is_digit(whole.ptr[at - 1]) && !em_is_digit(whole.ptr[at]) &&
           (short_one || !has_word(f, part));
}

/* The file's line is the search text's, and something behind it (before it); a word may be cut in
 * two. */
static bool is_cut(fuzzy *f, size_t i, const em_code_lines *seen, size_t j, bool tail)
{
    size_t count = f->find.items[i].count, more = seen->items[j].count - count;
    size_t edge = tail ? count - 1 : 0, from = tail ? 0 : more;
    if (count > seen->items[j].count ||
        !kept_enough(em_code_line_text(&f->find, i), em_code_line_text(seen, j)))
        return false;
    for (size_t k = 0; k < count; k++)
        if (k != edge && !em_token_same(em_code_line_token(&f->find, i, k),
                                        em_code_line_token(seen, j, from + k), EM_FOLD_WRITING))
            return false;
    if (!same_gaps(f, i, seen, j, from))
        return false;
    em_slice part = em_code_line_token(&f->find, i, edge),
             whole = em_code_line_token(seen, j, from + edge);
    return em_token_same(part, whole, EM_FOLD_WRITING) ||
           (count > 1 && is_cut_word(f, part, whole, tail));
}

/* Is all that the line lacks the `;` or `,` that the file's ends in? Not the last line, which may
 * be cut, nor one of so few that a sign matters. */
static bool lacks_sign(const fuzzy *f, size_t i, const em_code_lines *seen, size_t j)
{
    size_t count = f->find.items[i].count;
    if (f->find.count < LEAST_LINES || i == f->find.count - 1 ||
        seen->items[j].count != count + 1 || count + 1 > f->most_tokens)
        return false;
    em_slice sign = em_code_line_token(seen, j, count);
    if (!em_slice_is(sign, ",") && !em_slice_is(sign, ";"))
        return false;
    for (size_t k = 0; k < count; k++)
        if (!em_token_same(em_code_line_token(&f->find, i, k), em_code_line_token(seen, j, k),
                           EM_FOLD_WRITING))
            return false;
    return same_gaps(f, i, seen, j, 0);
}

static likeness compare_lines(fuzzy *f, size_t i, const em_code_lines *seen, size_t j,
                              size_t *distance)
{
    em_slice wanted, mistyped;
    likeness whole = compare_whole(f, i, seen, j, &wanted, &mistyped);
    f->work += TOKEN_WORK * (1 + f->find.items[i].count);
    *distance = 0;
    if (whole == TYPO) {
        size_t longer = wanted.len > mistyped.len ? wanted.len : mistyped.len;
        if (em_distance(wanted, mistyped, NULL, distance) != EM_OK)
            *distance = longer;
    }
    if (whole != OTHER)
        return whole;
    if (lacks_sign(f, i, seen, j)) {
        *distance = 1;
        return LOST_SIGN;
    }
    if (i == f->find.count - 1 && is_cut(f, i, seen, j, true))
        return TAIL_CUT;
    return i == 0 && is_cut(f, i, seen, j, false) ? HEAD_CUT : OTHER;
}

/* ---- A place --------------------------------------------------------------------------------- */

static size_t most_typos(const fuzzy *f)
{
    size_t typos = 1 + f->find.count / LINES_PER_TYPO;
    return typos < MOST_TYPOS ? typos : MOST_TYPOS;
}

static void note(attempt *a, const fuzzy *f, size_t i, likeness how, size_t distance)
{
    a->typos += how == TYPO || how == LOST_SIGN;
    a->head_cut |= how == HEAD_CUT;
    a->tail_cut |= how == TAIL_CUT;
    a->distance += distance;
    a->length += em_utf8_count(em_code_line_text(&f->find, i));
}

/* Is a line that begins with `*` within a comment? In a list each begins so. What is above such
 * lines has begun the comment, if it is one. */
static bool is_in_comment(const em_code_lines *seen, size_t line)
{
    size_t at = em_line_before(seen->text, seen->items[line].start + 1);
    em_slice above = em_code_line_text(seen, line);
    for (size_t n = 0; n < MOST_COMMENT && at > 0 && em_goes_on_comment(above); n++) {
        size_t end = at;
        at = em_line_before(seen->text, end);
        above = em_trimmed(em_slice_sub(seen->text, at, end));
    }
    return em_slice_starts(above, EM_LIT("/*"));
}

/* A heading of Markdown begins as many a comment does, but stands between empty lines. One of a
 * single `#` may as well be a comment. */
static bool is_heading(const em_code_lines *seen, size_t line)
{
    em_slice words = em_code_line_text(seen, line);
    size_t level = 0, end = seen->items[line].end;
    while (level < words.len && words.ptr[level] == '#')
        level++;
    if (level < 2 || level == words.len || words.ptr[level] != ' ' ||
        words.ptr[words.len - 1] == '#' || line == 0 || line + 1 == seen->count)
        return false;
    em_slice above = em_slice_sub(seen->text, seen->items[line - 1].end, end - words.len),
             below = em_slice_sub(seen->text, end, seen->items[line + 1].start);
    return em_gap_breaks(above) > 1 && em_gap_breaks(below) > 1;
}

/* May the lines of the file from `from` to `to` be passed over? They are few comment lines, and not
 * part of a comment that the search text has lines of before and behind them: there, every line
 * tells one comment from another. */
static bool may_pass(attempt *a, size_t from, size_t to)
{
    const em_code_lines *seen = a->seen;
    em_slice before = em_code_line_text(seen, from - 1);
    bool within = em_is_comment(before) || em_goes_on_comment(before), inside = within;
    within = within && (!em_goes_on_comment(before) || is_in_comment(seen, from - 1));
    for (size_t j = from; j < to; j++) {
        em_slice passed = em_code_line_text(seen, j);
        within = (em_is_comment(passed) && !is_heading(seen, j)) ||
                 (within && em_goes_on_comment(passed));
        if (!within || ++a->skipped > a->most_skipped)
            return false;
        inside &= !em_delimits_comment(passed);
    }
    em_slice behind = em_code_line_text(seen, to);
    return !inside || !(em_is_comment(behind) || em_goes_on_comment(behind));
}

/* Is the search text there, from line `first` on? */
static bool holds_at(fuzzy *f, attempt *a, size_t first)
{
    const em_code_lines *seen = a->seen;
    size_t next = first;
    for (size_t i = 0; i < f->find.count; i++) {
        size_t distance = 0, j = next;
        size_t most = i > 0 ? next + a->most_skipped - a->skipped : next;
        likeness how = OTHER;
        for (; j < seen->count && j <= most; j++) {
            how = compare_lines(f, i, seen, j, &distance);
            if (how != OTHER)
                break;
        }
        if (how == OTHER || (j > next && !may_pass(a, next, j)))
            return false;
        a->at[i] = j;
        next = j + 1;
        note(a, f, i, how, distance);
    }
    return a->typos <= most_typos(f) &&
           !(a->typos > 0 && (a->head_cut || a->tail_cut) && f->find.count < 3);
}

/* ---- What the texts lack --------------------------------------------------------------------- */

static em_status complete_signs(const fuzzy *f, const em_completion *c, em_tolerant_place *place,
                                bool *clear)
{
    for (size_t i = 0; i < f->find.count && *clear; i++) {
        size_t j = c->at[i];
        if (lacks_sign(f, i, c->seen, j))
            EM_TRY(em_complete_sign(c, em_code_line_token(c->seen, j, c->seen->items[j].count - 1),
                                    i, place, clear));
    }
    return EM_OK;
}

/* Both texts with what they lack of the file's lines. */
static em_status complete(const fuzzy *f, const attempt *a, em_tolerant_place *place, bool *clear)
{
    em_completion c = {.find = &f->find,
                       .seen = a->seen,
                       .at = a->at,
                       .head_cut = a->head_cut,
                       .tail_cut = a->tail_cut,
                       .arena = f->arena};
    if (a->head_cut)
        EM_TRY(em_complete_edge(&c, false, place, clear));
    if (a->tail_cut && *clear)
        EM_TRY(em_complete_edge(&c, true, place, clear));
    return *clear ? complete_signs(f, &c, place, clear) : EM_OK;
}

/* ---- Taking a place -------------------------------------------------------------------------- */

/* The tokens of the file, line after line, as far as the search text has those lines. */
static em_status collect_tokens(const fuzzy *f, const attempt *a, em_tolerant_place *place,
                                bool *clear)
{
    size_t count = 0;
    for (size_t i = 0; i < f->find.count; i++)
        count += a->seen->items[a->at[i]].count;
    EM_TRY(em_tokens_of(place->find, EM_FOLD_WRITING, f->arena, &place->find_tokens));
    *clear = count == place->find_tokens.count;
    place->tokens = em_alloc_array(f->arena, count, sizeof *place->tokens);
    if (!place->tokens)
        return EM_E_NOMEM;
    count = 0;
    for (size_t i = 0; i < f->find.count; i++) {
        const em_code_line *here = &a->seen->items[a->at[i]];
        memcpy(place->tokens + count, a->seen->tokens + here->first,
               here->count * sizeof *place->tokens);
        count += here->count;
    }
    return EM_OK;
}

static bool overlaps_found(const fuzzy *f, em_span span)
{
    for (size_t i = 0; i < f->found->count; i++)
        if (span.start < f->found->items[i].span.end && f->found->items[i].span.start < span.end)
            return true;
    return false;
}

/* Best first; of equal ones the earlier in the text. */
static em_status insert_place(fuzzy *f, em_tolerant_place place)
{
    void *items = f->found->items;
    EM_TRY(em_arena_grow(f->arena, &items, f->found->count, &f->room, sizeof place));
    f->found->items = items;
    size_t at = f->found->count++;
    for (; at > 0 && f->found->items[at - 1].score < place.score; at--)
        f->found->items[at] = f->found->items[at - 1];
    f->found->items[at] = place;
    return EM_OK;
}

static em_miss miss_of(const attempt *a)
{
    if (a->typos > 0)
        return EM_MISS_TYPO;
    return a->head_cut || a->tail_cut ? EM_MISS_CUT : EM_MISS_COMMENT;
}

static em_status take(fuzzy *f, const attempt *a)
{
    bool clear = true;
    em_tolerant_place place = {.find = f->find.text, .insert = f->insert, .fold = EM_FOLD_WRITING};
    place.score = em_similarity_at(a->distance, a->length, a->length);
    if (place.score < LEAST_SCORE)
        return EM_OK;
    EM_TRY(complete(f, a, &place, &clear));
    if (clear)
        EM_TRY(collect_tokens(f, a, &place, &clear));
    if (!clear)
        return EM_OK;
    place.span = em_place_span(f->text, place.find, place.find_tokens, place.tokens, place.fold);
    if (overlaps_found(f, place.span))
        return EM_OK;
    *f->miss = miss_of(a);
    return insert_place(f, place);
}

/* ---- Candidates ------------------------------------------------------------------------------ */

/* The start of the line before the one that begins at `start`, whatever ends them. */
static size_t line_before(em_slice text, size_t start)
{
    bool crlf = start > 1 && text.ptr[start - 1] == '\n' && text.ptr[start - 2] == '\r';
    for (start -= crlf ? 2 : 1; start > 0 && !em_is_line_break(text.ptr[start - 1]);)
        start--;
    return start;
}

/* Behind the line that holds `offset`, which is not the end of the text, and its ending. */
static size_t line_behind(em_slice text, size_t offset)
{
    size_t end = offset + em_line_length(em_slice_from(text, offset));
    bool crlf = em_slice_starts(em_slice_from(text, end), EM_LIT("\r\n"));
    return em_least(end + (crlf ? 2 : 1), text.len);
}

/* Widen a window by some lines to either side: a passed comment may be longer than what is before
 * it, and then the likest lines are those behind it alone. */
static em_span widened(const fuzzy *f, em_span window, size_t margin)
{
    size_t more = margin + (f->find.count < MOST_MARGIN ? f->find.count : MOST_MARGIN);
    for (size_t i = 0; i < more && window.start > 0; i++)
        window.start = line_before(f->text, window.start);
    for (size_t i = 0; i <= more && window.end < f->text.len; i++)
        window.end = line_behind(f->text, window.end);
    return window;
}

/* Does the search text begin on one of the lines that were passed over behind its first line, too?
 * Then it is that which was meant, and fewer were left out. */
static bool begins_later(fuzzy *f, const attempt *a, size_t *at)
{
    for (size_t first = a->at[0] + 1; f->find.count > 1 && first < a->at[1]; first++) {
        attempt later = {.seen = a->seen, .at = at, .most_skipped = a->most_skipped};
        if (holds_at(f, &later, first) && later.typos <= a->typos && later.head_cut == a->head_cut)
            return true;
    }
    return false;
}

static bool has_slips(const attempt *a)
{
    return a->typos > 0 || a->head_cut || a->tail_cut;
}

static em_status try_window(fuzzy *f, em_span window, limits may)
{
    EM_AUTO(em_arena) scratch = {0};
    em_code_lines seen;
    attempt a = {.seen = &seen};
    window = widened(f, window, may.margin);
    if (em_deadline_spend(f->deadline, CUT_WORK * (window.end - window.start)))
        return EM_E_TIMEOUT;
    EM_TRY(em_code_lines_of(f->text, window, f->most_tokens, &scratch, &seen));
    size_t *at = em_alloc_array(&scratch, 2 * f->find.count, sizeof *at);
    if (!at)
        return EM_E_NOMEM;
    for (size_t first = 0; first + f->find.count <= seen.count; first++) {
        a = (attempt){.seen = &seen, .at = at, .most_skipped = may.skipped};
        if (holds_at(f, &a, first) && (may.slips || !has_slips(&a)) &&
            !begins_later(f, &a, at + f->find.count))
            EM_TRY(take(f, &a));
        size_t work = f->work;
        f->work = 0;
        if (em_deadline_spend(f->deadline, work))
            return EM_E_TIMEOUT;
    }
    return EM_OK;
}

/* Every candidate, with at most so many lines passed over. */
static em_status try_windows(fuzzy *f, const em_similar_place_list *near, size_t most_skipped)
{
    limits may = {MARGIN, most_skipped, true};
    for (size_t i = 0; i < near->count; i++)
        EM_TRY(try_window(f, (em_span){near->items[i].start, near->items[i].end}, may));
    return EM_OK;
}

/* The longest line of the search text that is shorter than line `last`, or as long and behind it;
 * EM_NPOS: there is none. (last EM_NPOS: of all.) */
static size_t next_longest(const em_code_lines *find, size_t last)
{
    size_t most = last == EM_NPOS ? EM_NPOS : em_code_line_text(find, last).len, best = EM_NPOS;
    for (size_t i = 0; i < find->count; i++) {
        size_t length = em_code_line_text(find, i).len;
        bool is_left = length < most || (length == most && i > last);
        if (is_left && (best == EM_NPOS || length > em_code_line_text(find, best).len))
            best = i;
    }
    return best;
}

/* With comments between its lines a place may be little like the search text, and no candidate. But
 * its lines stand in the file as they are: around each place of a long one that is rare all of them
 * are looked for. What is so little alike must have them without a slip: where one stands nowhere,
 * there is none. */
static em_status try_around_lines(fuzzy *f)
{
    const em_piece_occurrences *there = NULL;
    limits may = {MOST_SKIPPED, MOST_SKIPPED, false};
    size_t longest = EM_NPOS;
    for (size_t i = 0; i < MOST_ASKED && f->find.count > 1; i++) {
        if ((longest = next_longest(&f->find, longest)) == EM_NPOS)
            return EM_OK;
        em_slice line = em_code_line_text(&f->find, longest);
        if (em_occurrences_exclude(f->in, line))
            return EM_OK;
        EM_TRY(em_occurrences_of(f->in, line, &there));
        if (there->all && there->count <= MOST_CANDIDATES)
            break;
        there = NULL;
    }
    for (size_t i = 0; there && i < there->count; i++)
        EM_TRY(try_window(f, (em_span){there->at[i], there->at[i]}, may));
    return EM_OK;
}

/* How like the search text is another place? Line by line, without indentation. */
static em_status score_of(const fuzzy *f, em_span where, double *score)
{
    EM_AUTO(em_arena) scratch = {0};
    em_code_lines seen;
    size_t distance = 0, length = 0;
    EM_TRY(em_code_lines_of(f->text, where, f->most_tokens, &scratch, &seen));
    size_t most = f->find.count > seen.count ? f->find.count : seen.count;
    for (size_t i = 0; i < most; i++) {
        em_slice a = i < f->find.count ? em_code_line_text(&f->find, i) : (em_slice){0};
        em_slice b = i < seen.count ? em_code_line_text(&seen, i) : (em_slice){0};
        size_t x = em_utf8_count(a), y = em_utf8_count(b), apart;
        EM_TRY(em_distance(a, b, f->deadline, &apart));
        distance += apart;
        length += x > y ? x : y;
    }
    *score = em_similarity_at(distance, length, length);
    return EM_OK;
}

static em_status find_runner_up(const fuzzy *f, const em_similar_place_list *near,
                                em_located *located)
{
    for (size_t i = 0; f->found->count > 0 && i < near->count; i++) {
        const em_similar_place *place = &near->items[i];
        double score = 0;
        em_span where = {place->start, place->end};
        if (overlaps_found(f, where))
            continue;
        EM_TRY(score_of(f, where, &score));
        if (score > located->runner_up) {
            located->runner_up = score;
            located->runner_up_at = where;
        }
    }
    return EM_OK;
}

/* ---- The tier -------------------------------------------------------------------------------- */

/* A line of the file with more tokens is none that was meant: it has as many as a line of the
 * search text, or so few more that most of its code points are there, and every token has one. */
static size_t most_tokens(const em_code_lines *find)
{
    size_t longest = 0;
    for (size_t i = 0; i < find->count; i++)
        if (em_code_line_text(find, i).len > longest)
            longest = em_code_line_text(find, i).len;
    return 100 * longest / LEAST_KEPT + 1;
}

/* A doubtful place is for who tells of it, and nothing to edit. */
static void drop_doubtful(em_located *located)
{
    if (located->places.count > 0 && located->places.items[0].elided->is_doubtful)
        *located = (em_located){.tier = EM_TIER_FUZZY};
}

em_status em_fuzzy_find(em_occurrences *in, em_slice find, em_slice insert, em_deadline *deadline,
                        em_arena *arena, em_located *located)
{
    *located = (em_located){.tier = EM_TIER_FUZZY};
    fuzzy f = {.in = in,
               .text = in->text,
               .insert = insert,
               .deadline = deadline,
               .arena = arena,
               .found = &located->places,
               .miss = &located->miss};
    em_similar_place_list *near = em_alloc(arena, sizeof *near);
    bool elides;
    if (!near)
        return EM_E_NOMEM;
    EM_TRY(em_all_code_lines_of(find, arena, &f.find));
    f.most_tokens = most_tokens(&f.find);
    if (em_code_points_of(&f.find, 0, f.find.count) < LEAST_CODE_POINTS)
        return EM_OK;
    EM_TRY(em_elision_find(in, find, insert, deadline, arena, located, &elides));
    if (elides) {
        drop_doubtful(located);
        return EM_OK;
    }
    EM_TRY(em_find_similar_places(f.text, find, MOST_CANDIDATES, EM_LEAST_NEAR, deadline, arena,
                                  near));
    located->near = near;
    EM_TRY(try_windows(&f, near, 0));
    if (located->places.count == 0) {
        EM_TRY(try_windows(&f, near, MOST_SKIPPED));
        EM_TRY(try_around_lines(&f));
    }
    return near->timed_out ? EM_E_TIMEOUT : find_runner_up(&f, near, located);
}
