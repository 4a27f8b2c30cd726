/* fuzzy.c: line by line, is it the search text but for what a rule forgives?
 *
 * The search text and the places that look like it are compared line by line, empty lines left out.
 * A place holds where every line of the search text is the next line of the file, but for what a
 * rule forgives. Lines of the file that are passed over are comments, and few.
 */
#include "match/fuzzy.h"

#include "base/ascii.h"
#include "base/strbuf.h"
#include "base/utf8.h"
#include "match/elision.h"
#include "match/similar_places.h"
#include "text/search.h"
#include "text/similarity.h"
#include "tokens/comment.h"
#include "tokens/gap_meaning.h"
#include "tokens/line.h"
#include "tokens/typo.h"

enum {
    LEAST_CODE_POINTS = 12, /* beside white space */
    MOST_CANDIDATES = 12,
    MARGIN = 4,       /* lines around a candidate that may belong to it, beside as many as */
    MOST_MARGIN = 64, /* the search text has, or that many */
    MOST_SKIPPED = 8, /* comment lines that the search text lacks */
    MOST_ASKED = 4,   /* lines of the search text that are looked for themselves */
    LINES_PER_TYPO = 3,
    MOST_TYPOS = 4,
    LEAST_SENTENCE = 6, /* words */
    LEAST_WORD = 3,     /* letters of what is left of a word that was cut, */
    LEAST_LINES = 3,    /* or else lines of the search text */
    LEAST_KEPT = 60,    /* percent of a cut line that is still there */
    /* In the units of a deadline, each about a byte looked at: what a token costs to compare, and a
     * byte of a window to be cut into lines and tokens. */
    TOKEN_WORK = 16,
    CUT_WORK = 16,
    SEARCHED_AT_ONCE = 16,
};

static const double LEAST_SCORE = 0.85;
_Static_assert((int)EM_MOST_NEAR <= (int)MOST_CANDIDATES,
               "a diagnosis shows what was proposed here");

/* A line that is not empty, without the blanks around it. */
typedef struct line {
    size_t start, end; /* in its text */
    size_t first;      /* of its tokens */
    size_t count;
} line;

typedef struct lines {
    em_slice text;
    line *items;
    size_t count;
    em_token *tokens; /* but for those of a line that has too many to be compared */
} lines;

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
    lines find;
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
    const lines *seen; /* lines of the file */
    size_t *at;        /* seen line of each line of the search text */
    size_t typos, skipped, most_skipped;
    bool head_cut, tail_cut;
    size_t distance, length; /* of the typos, and of all that was compared */
} attempt;

/* ---- Lines ---------------------------------------------------------------------------------- */

/* The lines of text[start, end) that are not empty, with their tokens; of a line of more than
 * `most` tokens only their number. */
static em_status lines_of(em_slice text, em_span within, size_t most, em_arena *arena, lines *out)
{
    em_slice part = em_slice_sub(text, 0, within.end);
    size_t last = within.start, kept = 0, rooms[2] = {0};
    em_token token;
    *out = (lines){.text = text};
    for (; em_token_next(part, last, EM_FOLD_WRITING, &token); last = token.end) {
        void *items = out->items, *tokens = out->tokens;
        if (out->count == 0 || em_gap_of(em_slice_sub(text, last, token.start)) == EM_GAP_BREAK) {
            EM_TRY(em_arena_grow(arena, &items, out->count, &rooms[0], sizeof *out->items));
            out->items = items;
            out->items[out->count++] = (line){token.start, 0, kept, 0};
        }
        line *here = &out->items[out->count - 1];
        here->end = token.end;
        if (here->count++ == most)
            kept = here->first;
        if (here->count > most)
            continue;
        EM_TRY(em_arena_grow(arena, &tokens, kept, &rooms[1], sizeof token));
        out->tokens = tokens;
        out->tokens[kept++] = token;
    }
    return EM_OK;
}

static em_status all_lines_of(em_slice text, em_arena *arena, lines *out)
{
    return lines_of(text, (em_span){0, text.len}, EM_NPOS, arena, out);
}

static em_slice line_text(const lines *l, size_t index)
{
    return em_slice_sub(l->text, l->items[index].start, l->items[index].end);
}

static em_slice word_at(const lines *l, size_t index, size_t token)
{
    return em_token_bytes(l->text, l->tokens[l->items[index].first + token]);
}

/* Beside white space, of the lines [first, end). */
static size_t code_points_of(const lines *l, size_t first, size_t end)
{
    size_t count = 0;
    for (size_t i = first; i < end; i++)
        for (size_t k = 0; k < l->items[i].count; k++)
            count += em_utf8_count(word_at(l, i, k));
    return count;
}

/* ---- Typos ---------------------------------------------------------------------------------- */

/* A sentence has many words and few signs, of these. */
static bool is_sentence(const lines *l, size_t index, const char *allowed)
{
    size_t words = 0, signs = 0;
    for (size_t k = 0; k < l->items[index].count; k++) {
        em_slice token = word_at(l, index, k);
        bool word = em_token_is_word(token);
        words += word;
        signs += !word;
        if (!word && !strchr(allowed, token.ptr[0]))
            return false;
    }
    return words >= LEAST_SENTENCE && signs <= words / 3;
}

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
static bool same_gaps(const fuzzy *f, size_t i, const lines *seen, size_t j, size_t from)
{
    const em_token *wanted = &f->find.tokens[f->find.items[i].first];
    const em_token *there = &seen->tokens[seen->items[j].first + from];
    for (size_t k = 1; k < f->find.items[i].count; k++)
        if (!em_gaps_mean_the_same((em_gap_place){seen->text, there[k - 1], there[k]},
                                   (em_gap_place){f->find.text, wanted[k - 1], wanted[k]}))
            return false;
    return true;
}

/* Where all goes for good, and few lines say what, no word of it may be another one: to remove
 * `remove_contract` for `remove_contact` is not to be mended. */
static bool is_removed_for_its_name(const fuzzy *f)
{
    return f->find.count < LEAST_LINES && em_slice_trim(f->insert, em_is_white_space).len == 0;
}

/* The same tokens but for one typo; the words that differ. */
static likeness compare_whole(fuzzy *f, size_t i, const lines *seen, size_t j, em_slice *wanted,
                              em_slice *mistyped)
{
    size_t count = f->find.items[i].count, others = 0;
    if (count != seen->items[j].count)
        return OTHER;
    for (size_t k = 0; k < count && others < 2; k++) {
        em_slice a = word_at(&f->find, i, k), b = word_at(seen, j, k);
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
    bool typo = em_token_is_word(*wanted) && em_token_is_word(*mistyped) &&
                (em_is_typo(*wanted, *mistyped) || (is_sentence(&f->find, i, ".,;:!?'\"()-") &&
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
static bool is_cut(fuzzy *f, size_t i, const lines *seen, size_t j, bool tail)
{
    size_t count = f->find.items[i].count, more = seen->items[j].count - count;
    size_t edge = tail ? count - 1 : 0, from = tail ? 0 : more;
    if (count > seen->items[j].count || !kept_enough(line_text(&f->find, i), line_text(seen, j)))
        return false;
    for (size_t k = 0; k < count; k++)
        if (k != edge &&
            !em_token_same(word_at(&f->find, i, k), word_at(seen, j, from + k), EM_FOLD_WRITING))
            return false;
    if (!same_gaps(f, i, seen, j, from))
        return false;
    em_slice part = word_at(&f->find, i, edge), whole = word_at(seen, j, from + edge);
    return em_token_same(part, whole, EM_FOLD_WRITING) ||
           (count > 1 && is_cut_word(f, part, whole, tail));
}

/* Is all that the line lacks the `;` or `,` that the file's ends in? Not the last line, which may
 * be cut, nor one of so few that a sign matters. */
static bool lacks_sign(const fuzzy *f, size_t i, const lines *seen, size_t j)
{
    size_t count = f->find.items[i].count;
    if (f->find.count < LEAST_LINES || i == f->find.count - 1 ||
        seen->items[j].count != count + 1 || count + 1 > f->most_tokens)
        return false;
    em_slice sign = word_at(seen, j, count);
    if (!em_slice_is(sign, ",") && !em_slice_is(sign, ";"))
        return false;
    for (size_t k = 0; k < count; k++)
        if (!em_token_same(word_at(&f->find, i, k), word_at(seen, j, k), EM_FOLD_WRITING))
            return false;
    return same_gaps(f, i, seen, j, 0);
}

static likeness compare_lines(fuzzy *f, size_t i, const lines *seen, size_t j, size_t *distance)
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
    a->length += em_utf8_count(line_text(&f->find, i));
}

/* May the lines of the file from `from` to `to` be passed over? They are few comment lines, and not
 * part of a comment that the search text has lines of before and behind them: there, every line
 * tells one comment from another. */
static bool may_pass(attempt *a, size_t from, size_t to)
{
    const lines *seen = a->seen;
    em_slice before = line_text(seen, from - 1);
    bool within = em_is_comment(before) || em_goes_on_comment(before), inside = within;
    for (size_t j = from; j < to; j++) {
        em_slice passed = line_text(seen, j);
        within = em_is_comment(passed) || (within && em_goes_on_comment(passed));
        if (!within || ++a->skipped > a->most_skipped)
            return false;
        inside &= !em_delimits_comment(passed);
    }
    em_slice behind = line_text(seen, to);
    return to == from || !inside || !(em_is_comment(behind) || em_goes_on_comment(behind));
}

/* Is the search text there, from line `first` on? */
static bool holds_at(fuzzy *f, attempt *a, size_t first)
{
    const lines *seen = a->seen;
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

/* ---- Completing a cut edge ------------------------------------------------------------------- */

/* How many lines of `s` are `wanted`, blanks aside; *last is the last of them, or EM_NPOS. */
static size_t times(const lines *s, em_slice wanted, size_t *last)
{
    size_t count = 0;
    *last = EM_NPOS;
    for (size_t i = 0; i < s->count; i++)
        if (em_slice_eq(line_text(s, i), wanted)) {
            *last = i;
            count++;
        }
    return count;
}

/* The one line that is so; EM_NPOS where there is none, or more. */
static size_t only_line(const lines *s, em_slice wanted)
{
    size_t found;
    return times(s, wanted, &found) == 1 ? found : EM_NPOS;
}

static em_status replaced(em_slice text, size_t start, size_t end, em_slice with, em_arena *arena,
                          em_slice *out)
{
    EM_AUTO(em_strbuf) buf = {0};
    em_strbuf_add(&buf, em_slice_sub(text, 0, start));
    em_strbuf_add(&buf, with);
    em_strbuf_add(&buf, em_slice_from(text, end));
    return em_strbuf_keep(&buf, arena, out);
}

/* Is it no more than the sign that ends or parts what stands in lines like this one? */
static bool is_separator(em_slice missing)
{
    em_token first;
    return em_token_next(missing, 0, EM_FOLD_WRITING, &first) &&
           !em_token_is_word(em_token_bytes(missing, first)) &&
           em_is_one_of(missing.ptr[missing.len - 1], ",;");
}

/* What the replacement becomes when the cut line of the search text is made whole. Where it repeats
 * the cut line, that is made whole too; not where it may repeat another line that is the same, nor
 * where it lacks the sign behind its own last line: it may count on the file's there. Else
 * its line at that edge must be whole already, or end (begin) as the cut line does, and then it
 * goes on as the file does. *clear says that one of these holds. */
static em_status complete_insert(const fuzzy *f, const lines *find, em_slice whole, bool tail,
                                 em_slice *insert, bool *clear)
{
    lines there;
    em_slice cut = line_text(find, tail ? find->count - 1 : 0);
    EM_TRY(all_lines_of(*insert, f->arena, &there));
    *clear = true;
    if (there.count == 0)
        return EM_OK;
    size_t same = only_line(find, cut) != EM_NPOS ? only_line(&there, cut) : EM_NPOS;
    size_t edge = tail ? there.count - 1 : 0;
    em_slice last = line_text(&there, edge);
    em_slice missing =
        tail ? em_slice_from(whole, cut.len) : em_slice_sub(whole, 0, whole.len - cut.len);
    if (same != EM_NPOS && same != edge && tail && is_separator(missing))
        *clear = em_slice_ends(last, missing);
    if (same != EM_NPOS)
        return replaced(*insert, there.items[same].start, there.items[same].end, whole, f->arena,
                        insert);
    if (tail ? em_slice_ends(last, missing) : em_slice_starts(last, missing))
        return EM_OK;
    size_t shared = cut.len < 8 ? cut.len : 8;
    em_slice border = tail ? em_slice_from(cut, cut.len - shared) : em_slice_sub(cut, 0, shared);
    *clear = tail ? em_slice_ends(last, border) : em_slice_starts(last, border);
    size_t at = tail ? there.items[edge].end : there.items[edge].start;
    return *clear ? replaced(*insert, at, at, missing, f->arena, insert) : EM_OK;
}

/* Was the line sent as one that begins (ends) where it was cut, or was a word cut in two? */
static bool is_cut_amiss(const lines *find, em_slice cut, em_slice whole, bool tail)
{
    size_t at = tail ? cut.len : whole.len - cut.len;
    bool edge = tail ? em_gap_of(em_slice_from(find->text, find->items[find->count - 1].end)) ==
                           EM_GAP_BREAK
                     : find->items[0].start > 0;
    return edge || !em_token_border(whole, at, EM_FOLD_WRITING);
}

/* Does the file have the first line as a comment that came as code? */
static bool is_commented_out(const fuzzy *f, em_slice cut, em_slice whole)
{
    em_token token;
    em_slice more = em_slice_sub(whole, 0, whole.len - cut.len);
    for (size_t at = 0; em_token_next(more, at, EM_FOLD_WRITING, &token); at = token.end)
        if (em_token_is_word(em_token_bytes(more, token)))
            return false;
    return em_is_comment(whole) && !em_is_comment(cut) &&
           !is_sentence(&f->find, 0, ".,;:!?'\"()-/");
}

/* Then the edit has to leave the line as it is, and has it whole, or the lines that came whole have
 * to tell the place: what was sent as a whole line may be another than the file's, as `connect()`
 * is another than `disconnect()`. */
static em_status may_be_amiss(const fuzzy *f, const attempt *a, em_slice cut, em_slice whole,
                              bool tail, em_slice insert, bool *may)
{
    lines there;
    size_t first = a->head_cut, end = f->find.count - a->tail_cut;
    EM_TRY(all_lines_of(insert, f->arena, &there));
    em_slice edge = there.count > 0 ? line_text(&there, tail ? there.count - 1 : 0) : insert;
    bool has_whole = em_slice_eq(edge, whole) || only_line(&there, whole) != EM_NPOS;
    bool stays = has_whole || em_slice_eq(edge, cut) || only_line(&there, cut) != EM_NPOS;
    *may = first < end && stays &&
           (has_whole || code_points_of(&f->find, first, end) >= LEAST_CODE_POINTS);
    return EM_OK;
}

/* Make the first or the last line of the place's search text whole. */
static em_status complete_edge(const fuzzy *f, const attempt *a, bool tail,
                               em_tolerant_place *place, bool *clear)
{
    lines wanted;
    EM_TRY(all_lines_of(place->find, f->arena, &wanted));
    size_t i = tail ? wanted.count - 1 : 0;
    em_slice cut = line_text(&wanted, i), whole = line_text(a->seen, a->at[i]);
    /* Writing may differ; then there is no telling what is missing. */
    *clear = tail ? em_slice_starts(whole, cut)
                  : em_slice_ends(whole, cut) && !is_commented_out(f, cut, whole);
    if (*clear && is_cut_amiss(&wanted, cut, whole, tail))
        EM_TRY(may_be_amiss(f, a, cut, whole, tail, place->insert, clear));
    if (!*clear)
        return EM_OK;
    EM_TRY(complete_insert(f, &wanted, whole, tail, &place->insert, clear));
    return replaced(place->find, wanted.items[i].start, wanted.items[i].end, whole, f->arena,
                    &place->find);
}

/* Give line `i` of the place's search text the sign that it lacks, and the replacement, too, where
 * that repeats it before the same line. *clear: it does, or has it with the sign. */
static em_status complete_sign(const fuzzy *f, em_slice sign, size_t i, em_tolerant_place *place,
                               bool *clear)
{
    lines wanted, there;
    em_slice whole;
    EM_TRY(all_lines_of(place->find, f->arena, &wanted));
    EM_TRY(all_lines_of(place->insert, f->arena, &there));
    em_slice lacking = line_text(&wanted, i);
    EM_TRY(em_arena_join(f->arena, lacking, sign, &whole));
    size_t same, unused, wholes = times(&there, whole, &unused);
    size_t repeats = times(&there, lacking, &same);
    bool has_whole = wholes == 1 && repeats == 0;
    bool stays = wholes == 0 && repeats == 1 && only_line(&wanted, lacking) == i &&
                 same + 1 < there.count &&
                 em_slice_eq(line_text(&there, same + 1), line_text(&wanted, i + 1));
    *clear = has_whole || stays;
    if (stays)
        EM_TRY(replaced(place->insert, there.items[same].start, there.items[same].end, whole,
                        f->arena, &place->insert));
    return replaced(place->find, wanted.items[i].start, wanted.items[i].end, whole, f->arena,
                    &place->find);
}

static em_status complete_signs(const fuzzy *f, const attempt *a, em_tolerant_place *place,
                                bool *clear)
{
    for (size_t i = 0; i < f->find.count && *clear; i++) {
        size_t j = a->at[i];
        if (lacks_sign(f, i, a->seen, j))
            EM_TRY(complete_sign(f, word_at(a->seen, j, a->seen->items[j].count - 1), i, place,
                                 clear));
    }
    return EM_OK;
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
        const line *here = &a->seen->items[a->at[i]];
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
    if (a->head_cut)
        EM_TRY(complete_edge(f, a, false, &place, &clear));
    if (a->tail_cut && clear)
        EM_TRY(complete_edge(f, a, true, &place, &clear));
    if (clear)
        EM_TRY(complete_signs(f, a, &place, &clear));
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
    lines seen;
    attempt a = {.seen = &seen};
    window = widened(f, window, may.margin);
    if (em_deadline_spend(f->deadline, CUT_WORK * (window.end - window.start)))
        return EM_E_TIMEOUT;
    EM_TRY(lines_of(f->text, window, f->most_tokens, &scratch, &seen));
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
static size_t next_longest(const lines *find, size_t last)
{
    size_t most = last == EM_NPOS ? EM_NPOS : line_text(find, last).len, best = EM_NPOS;
    for (size_t i = 0; i < find->count; i++) {
        size_t length = line_text(find, i).len;
        bool is_left = length < most || (length == most && i > last);
        if (is_left && (best == EM_NPOS || length > line_text(find, best).len))
            best = i;
    }
    return best;
}

/* With comments between its lines a place may be little like the search text, and no candidate. But
 * its lines stand in the file as they are: around each place of a long one that is rare all of them
 * are looked for. What is so little alike must have them without a slip. */
static em_status try_around_lines(fuzzy *f)
{
    const em_piece_occurrences *there = NULL;
    limits may = {MOST_SKIPPED, MOST_SKIPPED, false};
    size_t longest = EM_NPOS;
    for (size_t i = 0; i < MOST_ASKED && f->find.count > 1; i++) {
        if ((longest = next_longest(&f->find, longest)) == EM_NPOS)
            return EM_OK;
        EM_TRY(em_occurrences_of(f->in, line_text(&f->find, longest), &there));
        if (there->all && there->count > 0 && there->count <= MOST_CANDIDATES)
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
    lines seen;
    size_t distance = 0, length = 0;
    EM_TRY(lines_of(f->text, where, f->most_tokens, &scratch, &seen));
    size_t most = f->find.count > seen.count ? f->find.count : seen.count;
    for (size_t i = 0; i < most; i++) {
        em_slice a = i < f->find.count ? line_text(&f->find, i) : (em_slice){0};
        em_slice b = i < seen.count ? line_text(&seen, i) : (em_slice){0};
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
static size_t most_tokens(const lines *find)
{
    size_t longest = 0;
    for (size_t i = 0; i < find->count; i++)
        if (line_text(find, i).len > longest)
            longest = line_text(find, i).len;
    return 100 * longest / LEAST_KEPT + 1;
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
    EM_TRY(all_lines_of(find, arena, &f.find));
    f.most_tokens = most_tokens(&f.find);
    if (code_points_of(&f.find, 0, f.find.count) < LEAST_CODE_POINTS)
        return EM_OK;
    EM_TRY(em_elision_find(in, find, insert, deadline, arena, located, &elides));
    if (elides)
        return EM_OK;
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
