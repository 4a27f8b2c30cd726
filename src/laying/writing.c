/* writing.c: what is known of the file's signs and words around a place, and a token written so. */
#include "laying/writing.h"

#include "base/ascii.h"
#include "base/utf8.h"
#include "tokens/comment.h"

enum { LONGEST_STRING = 200 }; /* tokens */

static em_slice seen_token(const em_writing *w, size_t index)
{
    return em_token_bytes(w->text, w->place->tokens[index]);
}

/* ---- Signs ----------------------------------------------------------------------------------- */

static bool borders_word(em_tokened t, size_t index, bool behind)
{
    size_t other = behind ? index + 1 : index - 1;
    if ((!behind && index == 0) || other >= t.tokens.count)
        return false;
    size_t gap = behind ? other : index;
    return em_tokened_gap(t, gap).len == 0 && em_token_is_word(em_tokened_token(t, other));
}

/* Of a string: `f'x'` has no apostrophe. */
static bool is_string_prefix(em_slice word)
{
    for (size_t i = 0; i < word.len; i++)
        if (!em_is_one_of(word.ptr[i], "bfruBFRUL"))
            return false;
    return word.len <= 2;
}

static em_sign_role role_of(em_tokened t, size_t index)
{
    em_slice before = em_tokened_gap(t, index), behind = em_tokened_gap(t, index + 1);
    if (!em_token_is_quote(em_tokened_token(t, index)))
        return before.len > 0 && behind.len > 0 ? EM_ROLE_SPACED : EM_ROLE_TIGHT;
    if (borders_word(t, index, false) && borders_word(t, index, true))
        return is_string_prefix(em_tokened_token(t, index - 1)) ? EM_ROLE_OPENS : EM_ROLE_IN_WORD;
    if (before.len > 0 || index == 0)
        return EM_ROLE_OPENS;
    em_slice last = em_tokened_token(t, index - 1);
    return !em_token_is_word(last) && em_is_one_of(last.ptr[0], "([{=,:<") ? EM_ROLE_OPENS
                                                                           : EM_ROLE_CLOSES;
}

static bool is_straight_quote(em_slice token)
{
    return em_slice_is(token, "\"") || em_slice_is(token, "'");
}

static em_style *style_for(em_writing *w, em_slice wanted, em_sign_role stands, bool comment)
{
    for (size_t i = 0; i < w->style_count; i++) {
        em_style *style = &w->styles[i];
        if (style->role == stands && em_slice_eq(style->wanted, wanted) &&
            (style->comment == comment || !em_token_is_quote(wanted)))
            return style;
    }
    return NULL;
}

/* Behind the last token of the line that token `first` begins. */
static size_t end_of_line(em_tokened t, size_t first)
{
    size_t end = first + 1;
    while (end < t.tokens.count && em_gap_of(em_tokened_gap(t, end)) != EM_GAP_BREAK)
        end++;
    return end;
}

static bool line_is_comment(em_tokened t, size_t first, size_t end)
{
    em_slice line = em_slice_sub(t.text, t.tokens.items[first].start, t.tokens.items[end - 1].end);
    return em_is_comment(line) || em_goes_on_comment(line);
}

/* The file has a sign in several ways: if one is the caller's, it is that. */
static em_slice both_ways(const em_style *style, em_slice seen)
{
    bool is_one = em_slice_eq(seen, style->wanted) || em_slice_eq(style->seen, style->wanted);
    return is_one ? style->wanted : (em_slice){0};
}

static bool is_entity(em_slice token)
{
    return token.len > 1 && token.ptr[0] == '&';
}

/* Has the caller an entity or a curly quote where the file has the plain sign? */
static void learn_plain(em_writing *w, em_slice wanted, em_slice seen)
{
    if (!em_slice_eq(wanted, seen) && em_slice_eq(em_token_plain(wanted), seen))
        *(is_entity(wanted) ? &w->plain_entities : &w->plain_quotes) = true;
}

/* What the replacement repeats it may have in another writing than the search text. */
static void learn_from_insert(em_writing *w)
{
    for (size_t i = 0; i < w->insert.tokens.count; i++)
        if (w->origin[i] != EM_NPOS)
            learn_plain(w, em_tokened_token(w->insert, i), seen_token(w, w->origin[i]));
}

static void learn_styles(em_writing *w)
{
    size_t end = 0;
    bool comment = false;
    for (size_t i = 0; i < w->find.tokens.count; i++) {
        if (i >= end) {
            end = end_of_line(w->find, i);
            comment = line_is_comment(w->find, i, end);
        }
        em_slice wanted = em_tokened_token(w->find, i), seen = seen_token(w, i);
        if (em_token_is_word(wanted))
            continue;
        em_sign_role stands = role_of(w->find, i);
        learn_plain(w, wanted, seen);
        em_style *known = style_for(w, wanted, stands, comment);
        if (known && !em_slice_eq(known->seen, seen))
            known->seen = both_ways(known, seen);
        else if (!known && w->style_count < EM_MOST_STYLES)
            w->styles[w->style_count++] = (em_style){wanted, seen, stands, comment};
    }
}

/* Are this quote and the two behind it three in a row, which are one sign? */
static bool are_three(em_tokened t, size_t first)
{
    if (first + 2 >= t.tokens.count || !em_token_is_quote(em_tokened_token(t, first)))
        return false;
    em_slice plain = em_token_plain(em_tokened_token(t, first));
    for (size_t i = first + 1; i < first + 3; i++)
        if (em_tokened_gap(t, i).len > 0 ||
            !em_slice_eq(em_token_plain(em_tokened_token(t, i)), plain))
            return false;
    return true;
}

/* The three quotes in a row that this one is of; none. */
static em_slice three_around(em_tokened t, size_t index)
{
    for (size_t first = index > 2 ? index - 2 : 0; first <= index; first++)
        if (are_three(t, first))
            return em_slice_sub(t.text, t.tokens.items[first].start, t.tokens.items[first + 2].end);
    return (em_slice){0};
}

static bool is_beside_quote(em_tokened t, size_t index)
{
    bool before = index > 0 && em_tokened_gap(t, index).len == 0 &&
                  em_token_is_quote(em_tokened_token(t, index - 1));
    return before || (index + 1 < t.tokens.count && em_tokened_gap(t, index + 1).len == 0 &&
                      em_token_is_quote(em_tokened_token(t, index + 1)));
}

/* Is it this quote, which may end a string? One of `three` in a row is ended by as many, other ones
 * than those that begin it or end it for the caller, and by no quote that stands alone. */
static bool ends_string(em_tokened t, size_t index, em_slice quote, em_slice three)
{
    if (!em_slice_eq(em_tokened_token(t, index), quote))
        return false;
    return three.len == 0 ||
           (is_beside_quote(t, index) && !em_slice_eq(three_around(t, index), three));
}

/* Would a quote of the file's style end a string too early? It would where the line has that very
 * quote within what the caller quoted otherwise. */
static bool quote_is_taken(const em_writing *w, size_t index, em_slice quote)
{
    em_tokened text = w->insert;
    size_t first = index > LONGEST_STRING ? index - LONGEST_STRING : 0;
    size_t end =
        text.tokens.count - index > LONGEST_STRING ? index + LONGEST_STRING : text.tokens.count;
    em_slice three = three_around(text, index);
    for (size_t i = index; i > first && em_gap_of(em_tokened_gap(text, i)) != EM_GAP_BREAK; i--)
        if (ends_string(text, i - 1, quote, three))
            return true;
    for (size_t i = index + 1; i < end && em_gap_of(em_tokened_gap(text, i)) != EM_GAP_BREAK; i++)
        if (ends_string(text, i, quote, three))
            return true;
    return false;
}

/* Does an odd number of backslashes stand before it? */
static bool is_escaped(em_tokened t, size_t index)
{
    bool escaped = false;
    for (; index > 0 && em_tokened_gap(t, index).len == 0 &&
           em_slice_is(em_tokened_token(t, index - 1), "\\");
         index--)
        escaped = !escaped;
    return escaped;
}

/* Would a quote, a dash or an ellipsis of code become one of a text? */
static bool becomes_typographic(em_slice token, em_slice seen)
{
    bool plain = is_straight_quote(token) || token.ptr[0] == '-' || token.ptr[0] == '.';
    return plain && ((unsigned char)seen.ptr[0] >= 0x80 || seen.ptr[0] == '&');
}

/* What stands beside a sign, as far as it tells what text that is of. */
typedef enum beside { BESIDE_SAME, BESIDE_OTHER, BESIDE_END } beside;

/* Words, what stands between them in sentences, and what the file has as a text has it go on; any
 * other sign may end a comment, a string or a text. */
static beside what_is_beside(em_writing *w, size_t index, const em_style *style)
{
    em_slice token = em_tokened_token(w->insert, index);
    size_t origin = w->origin[index];
    if (em_token_is_word(token) || em_tokened_is_one_of(w->insert, index, ",.;:!?"))
        return BESIDE_OTHER;
    em_sign_role stands = role_of(w->insert, index);
    const em_style *known = style_for(w, token, stands, w->comment);
    em_slice seen = origin != EM_NPOS ? seen_token(w, origin) : known ? known->seen : token;
    if (seen.len == 0 || !becomes_typographic(token, seen))
        return BESIDE_END;
    return origin != EM_NPOS && known == style && em_slice_eq(seen, style->seen) ? BESIDE_SAME
                                                                                 : BESIDE_OTHER;
}

/* Has the file a sign of this style in the same words? A dash is one between blanks, behind what
 * begins its line: else it may be of a list, an option, a compound. */
static bool is_in_company(em_writing *w, size_t index, const em_style *style)
{
    size_t first = index, end = index + 1, count = w->insert.tokens.count;
    bool dash = style->wanted.ptr[0] == '-';
    beside found = BESIDE_OTHER;
    while (first > 0 && index - first < LONGEST_STRING && found == BESIDE_OTHER &&
           em_gap_of(em_tokened_gap(w->insert, first)) != EM_GAP_BREAK)
        found = what_is_beside(w, --first, style);
    if (dash && (first == index || style->role != EM_ROLE_SPACED))
        return false;
    while (found != BESIDE_SAME && end < count && end - index < LONGEST_STRING &&
           em_gap_of(em_tokened_gap(w->insert, end)) != EM_GAP_BREAK) {
        found = what_is_beside(w, end++, style);
        if (found == BESIDE_END)
            return false;
    }
    return found == BESIDE_SAME;
}

static bool changes_string(const em_writing *w, size_t index, em_slice quote);

/* The file's style of a sign that is new, as far as it is known; empty: it is not. */
static em_slice style_of(const em_writing *w, em_slice token, const em_style *known)
{
    bool plain = is_entity(token) ? w->plain_entities : w->plain_quotes;
    em_slice seen = known ? known->seen : (em_slice){0};
    return plain && (!known || (seen.len == 0 && is_entity(token))) ? em_token_plain(token) : seen;
}

/* A sign in the file's style, if the caller was seen to write it otherwise. */
static em_slice styled(em_writing *w, size_t index)
{
    em_slice token = em_tokened_token(w->insert, index);
    const em_style *known = style_for(w, token, role_of(w->insert, index), w->comment);
    size_t same = w->wrapped[index];
    em_slice seen = same != EM_NPOS ? seen_token(w, same) : style_of(w, token, known);
    if (seen.len == 0 || em_slice_eq(seen, token))
        return token;
    bool escaped = is_straight_quote(token) && is_escaped(w->insert, index);
    if (em_token_is_quote(token) && (escaped || quote_is_taken(w, index, seen)))
        return token;
    if (em_token_is_quote(token) && (w->quotes_stay || changes_string(w, index, seen)))
        return token;
    bool stays =
        same == EM_NPOS && becomes_typographic(token, seen) && !is_in_company(w, index, known);
    return stays ? token : seen;
}

/* Has a sign the same token in front in both texts, or behind it, and blanks between, or none, as
 * there? Or is it the first in both, or the last? */
static bool is_beside_same(em_tokened find, size_t old, em_tokened insert, size_t new, bool behind)
{
    bool ends_old = behind ? old + 1 == find.tokens.count : old == 0,
         ends_new = behind ? new + 1 == insert.tokens.count : new == 0;
    if (ends_old || ends_new)
        return ends_old && ends_new;
    return em_slice_eq(em_tokened_token(find, behind ? old + 1 : old - 1),
                       em_tokened_token(insert, behind ? new + 1 : new - 1)) &&
           (em_tokened_gap(find, old + behind).len > 0) ==
               (em_tokened_gap(insert, new + behind).len > 0);
}

/* A hyphen that begins a line may be that of a list. */
static bool begins_item(em_tokened t, size_t index)
{
    return em_slice_is(em_tokened_token(t, index), "-") &&
           (index == 0 || em_gap_of(em_tokened_gap(t, index)) == EM_GAP_BREAK);
}

/* The sign of the search text that token `index` of the replacement is, one from `from` to before
 * `to`; EM_NPOS: it is none of these. */
static size_t wrapped_from(const em_writing *w, size_t index, size_t from, size_t to)
{
    em_slice token = em_tokened_token(w->insert, index);
    if (em_token_is_word(token) || begins_item(w->insert, index))
        return EM_NPOS;
    for (size_t i = from; i < to && i - from < LONGEST_STRING; i++)
        if (em_slice_eq(em_tokened_token(w->find, i), token) &&
            is_beside_same(w->find, i, w->insert, index, false) &&
            is_beside_same(w->find, i, w->insert, index, true))
            return i;
    return EM_NPOS;
}

/* Tokens that are repeated bound where a sign between them can be. */
static em_status find_wrapped(em_writing *w, em_arena *arena)
{
    size_t count = w->insert.tokens.count, from = 0, next = 0;
    size_t *wrapped = em_alloc_array(arena, count, sizeof *wrapped);
    if (!wrapped)
        return EM_E_NOMEM;
    for (size_t i = 0; i < count; i++) {
        while (next < count && (next <= i || w->origin[next] == EM_NPOS))
            next++;
        size_t to = next < count ? w->origin[next] : w->find.tokens.count;
        wrapped[i] = w->origin[i] == EM_NPOS ? wrapped_from(w, i, from, to) : EM_NPOS;
        size_t last = w->origin[i] != EM_NPOS ? w->origin[i] : wrapped[i];
        if (last != EM_NPOS)
            from = last + 1;
    }
    w->wrapped = wrapped;
    return EM_OK;
}

/* ---- Words ----------------------------------------------------------------------------------- */

/* A word that the caller misspelt in the search text, in the file's spelling. */
static em_slice spelt(const em_writing *w, size_t index)
{
    em_slice word = em_tokened_token(w->insert, index);
    for (size_t i = 0; i < w->misspelt_count; i++)
        if (em_slice_eq(em_tokened_token(w->find, w->misspelt[i]), word))
            return seen_token(w, w->misspelt[i]);
    return w->words ? w->words[index] : word;
}

/* Has `seen` its letters so, and `wanted`, the same word, otherwise? */
static em_status are_apart(em_slice wanted, em_slice seen, em_letters letters, em_arena *arena,
                           bool *are)
{
    em_slice as_seen, as_wanted;
    EM_TRY(em_word_with(seen, letters, arena, &as_seen));
    EM_TRY(em_word_with(wanted, letters, arena, &as_wanted));
    *are = em_slice_eq(as_seen, seen) && em_slice_eq(as_wanted, seen);
    return EM_OK;
}

/* The first word that the caller and the file write with letters composed otherwise tells how the
 * file does. */
static em_status learn_letters(const em_writing *w, em_arena *arena, em_letters *letters,
                               bool *known)
{
    *known = false;
    for (size_t i = 0; i < w->find.tokens.count && !*known; i++) {
        em_slice wanted = em_tokened_token(w->find, i), seen = seen_token(w, i);
        if (!em_token_is_word(wanted) || em_slice_eq(wanted, seen) || em_is_ascii(seen))
            continue;
        for (int form = EM_LETTERS_COMPOSED; form <= EM_LETTERS_APART && !*known; form++) {
            *letters = (em_letters)form;
            EM_TRY(are_apart(wanted, seen, *letters, arena, known));
        }
    }
    return EM_OK;
}

/* The words of the replacement with their letters so. */
static em_status write_words(em_writing *w, em_letters letters, em_arena *arena)
{
    em_slice *words = em_alloc_array(arena, w->insert.tokens.count, sizeof *words);
    if (!words)
        return EM_E_NOMEM;
    for (size_t i = 0; i < w->insert.tokens.count; i++) {
        em_slice token = em_tokened_token(w->insert, i);
        words[i] = token;
        if (em_token_is_word(token))
            EM_TRY(em_word_with(token, letters, arena, &words[i]));
    }
    w->words = words;
    return EM_OK;
}

/* Does the replacement have both the word as the caller has it and, in other cases, as the file has
 * it? Then they are two words. */
static bool knows_both(const em_writing *w, em_slice wanted, em_slice seen)
{
    if (!em_token_same(wanted, seen, EM_FOLD_CASE))
        return false;
    for (size_t i = 0; i < w->insert.tokens.count; i++)
        if (em_slice_eq(em_tokened_token(w->insert, i), seen))
            return true;
    return false;
}

static void learn_spellings(em_writing *w)
{
    for (size_t i = 0; w->place->score < 1 && i < w->find.tokens.count; i++) {
        em_slice wanted = em_tokened_token(w->find, i), seen = seen_token(w, i);
        if (em_token_is_word(wanted) && !em_slice_eq(wanted, seen) &&
            w->misspelt_count < EM_MOST_STYLES && !knows_both(w, wanted, seen))
            w->misspelt[w->misspelt_count++] = i;
    }
}

/* ---- Quotes of one line ---------------------------------------------------------------------- */

static bool is_quote(em_tokened t, size_t index)
{
    return em_token_is_quote(em_tokened_token(t, index));
}

/* Has the line from `first` to `end` the quotes of the search text as they are there, none more and
 * none fewer? */
static bool repeats_quotes(const em_writing *w, size_t first, size_t end)
{
    size_t from = EM_NPOS, until = 0, repeated = 0, there = 0;
    for (size_t i = first; i < end; i++) {
        bool quote = is_quote(w->insert, i);
        if (w->origin[i] == EM_NPOS && quote)
            return false;
        if (w->origin[i] == EM_NPOS)
            continue;
        if (from == EM_NPOS)
            from = w->origin[i];
        until = w->origin[i] + 1;
        repeated += quote;
    }
    for (size_t i = from; i < until; i++)
        there += is_quote(w->find, i);
    return repeated == there;
}

/* A string that begins at a token; EM_NPOS: none does. */
typedef struct string {
    size_t start;
    em_slice end; /* the quote that ends it */
} string;

static em_slice closing(em_slice quote)
{
    if (em_slice_is(quote, "\xE2\x80\x9C"))
        return EM_LIT("\xE2\x80\x9D");
    return em_slice_is(quote, "\xE2\x80\x98") ? EM_LIT("\xE2\x80\x99") : quote;
}

static void pass_quote(string *s, em_slice quote, size_t at)
{
    if (s->start == EM_NPOS)
        *s = (string){at, closing(quote)};
    else if (em_slice_eq(quote, s->end))
        s->start = EM_NPOS;
}

/* Is it a sign for a variable, an escape or a command, as far as the quotes around it make it one?
 * A backslash before a quote is none of them: it is there for the quotes. */
static bool depends_on_quotes(em_tokened t, size_t index)
{
    bool has_next = index + 1 < t.tokens.count && em_tokened_gap(t, index + 1).len == 0;
    if (em_tokened_is_one_of(t, index, "$`"))
        return true;
    if (em_slice_is(em_tokened_token(t, index), "\\"))
        return has_next && !is_quote(t, index + 1);
    return em_slice_is(em_tokened_token(t, index), "#") && has_next &&
           em_slice_is(em_tokened_token(t, index + 1), "{");
}

static bool has_new_dependent(const em_writing *w, size_t first, size_t end)
{
    for (size_t i = first; i < end; i++)
        if (w->origin[i] == EM_NPOS && depends_on_quotes(w->insert, i))
            return true;
    return false;
}

/* Would the string of its line that the quote `index` begins or ends be read otherwise in quotes of
 * the file's style? It may, where the caller puts a variable or an escape into it: `'$x'` is not
 * `"$x"`. Three quotes in a row begin a string, and end such a one, as one. */
static bool changes_string(const em_writing *w, size_t index, em_slice quote)
{
    string s = {.start = EM_NPOS};
    size_t quotes = 1; /* that the string begins with */
    if (!is_straight_quote(quote) || !is_straight_quote(em_tokened_token(w->insert, index)))
        return false;
    for (size_t i = w->line_start, count; i < w->line_end; i += count) {
        bool three = are_three(w->insert, i);
        size_t opens = s.start;
        count = three && (opens == EM_NPOS || quotes == 3) ? 3 : 1;
        if (!is_quote(w->insert, i) || is_escaped(w->insert, i) ||
            (opens != EM_NPOS && count != quotes))
            continue;
        pass_quote(&s, em_tokened_token(w->insert, i), i);
        quotes = count;
        bool is_of_it = index - opens < count || index - i < count;
        if (opens != EM_NPOS && s.start == EM_NPOS && is_of_it)
            return has_new_dependent(w, opens + count, i);
    }
    return false;
}

/* A quote of the replacement as it is written, if repeated ones are the file's. */
static em_slice written_quote(em_writing *w, size_t index)
{
    return w->origin[index] != EM_NPOS ? seen_token(w, w->origin[index]) : styled(w, index);
}

/* Would two quotes of one string still be a pair? */
static bool are_a_pair(em_writing *w, size_t opens, size_t closes)
{
    em_slice first = written_quote(w, opens), last = written_quote(w, closes);
    bool first_is_other = !em_slice_eq(first, em_tokened_token(w->insert, opens)),
         last_is_other = !em_slice_eq(last, em_tokened_token(w->insert, closes));
    bool both_new = w->origin[opens] == EM_NPOS && w->origin[closes] == EM_NPOS;
    return em_slice_eq(em_token_plain(first), em_token_plain(last)) &&
           (!both_new || first_is_other == last_is_other);
}

/* Is there a string in the line of which one quote would become another, but not the other one, or
 * not the same? */
static bool parts_a_pair(em_writing *w, size_t first, size_t end)
{
    string s = {.start = EM_NPOS};
    for (size_t i = first; i < end; i++) {
        if (!is_quote(w->insert, i) || is_escaped(w->insert, i) ||
            role_of(w->insert, i) == EM_ROLE_IN_WORD)
            continue;
        size_t opens = s.start;
        pass_quote(&s, em_tokened_token(w->insert, i), i);
        if (opens != EM_NPOS && s.start == EM_NPOS && !are_a_pair(w, opens, i))
            return true;
    }
    return false;
}

/* Do the strings of the line begin and end where they do for the caller, with the quotes that the
 * file has? */
static bool strings_are_same(em_writing *w, size_t first, size_t end)
{
    string wanted = {.start = EM_NPOS}, written = {.start = EM_NPOS};
    for (size_t i = first; i < end; i++) {
        if (!is_quote(w->insert, i) || is_escaped(w->insert, i))
            continue;
        pass_quote(&wanted, em_tokened_token(w->insert, i), i);
        pass_quote(&written, written_quote(w, i), i);
        if (wanted.start != written.start)
            return false;
    }
    return true;
}

static void enter_line(em_writing *w, size_t first)
{
    size_t end = end_of_line(w->insert, first);
    w->line_start = first;
    w->line_end = end;
    w->comment = line_is_comment(w->insert, first, end);
    w->quotes_stay = false;
    w->quotes_stay = parts_a_pair(w, first, end);
    w->quotes_are_kept = repeats_quotes(w, first, end) || strings_are_same(w, first, end);
}

/* ---- Ends of lines --------------------------------------------------------------------------- */

/* Does the file have no blanks where the search text has some? */
static bool lacks_blanks(em_slice wanted, em_slice seen)
{
    bool has = em_slice_has_byte(wanted, ' ') || em_slice_has_byte(wanted, '\t');
    return has && !em_slice_has_byte(seen, ' ') && !em_slice_has_byte(seen, '\t');
}

static bool trails_are_wrong(const em_writing *w)
{
    for (size_t i = 1; i <= w->find.tokens.count; i++) {
        em_gap_parts wanted = em_gap_split(em_tokened_gap(w->find, i)),
                     seen = em_gap_split(em_place_gap(w->text, w->place, i));
        bool breaks = wanted.breaks.len > 0 && seen.breaks.len > 0;
        bool ends = i == w->find.tokens.count || breaks;
        if (ends && wanted.trail.len > 0 && seen.trail.len == 0)
            return true;
        if (breaks && lacks_blanks(wanted.breaks, seen.breaks))
            return true;
    }
    return false;
}

/* ---- The whole ------------------------------------------------------------------------------- */

em_status em_writing_learn(em_writing *w, em_arena *arena)
{
    em_letters letters;
    bool known;
    learn_styles(w);
    learn_from_insert(w);
    learn_spellings(w);
    w->trails_are_wrong = trails_are_wrong(w);
    EM_TRY(find_wrapped(w, arena));
    EM_TRY(learn_letters(w, arena, &letters, &known));
    return known ? write_words(w, letters, arena) : EM_OK;
}

em_slice em_writing_of(em_writing *w, size_t index)
{
    em_slice token = em_tokened_token(w->insert, index);
    size_t origin = w->origin[index];
    if (index >= w->line_end)
        enter_line(w, index);
    if (origin == EM_NPOS && w->moved[index] != EM_NPOS)
        return seen_token(w, w->moved[index]);
    if (origin == EM_NPOS)
        return em_token_is_word(token) ? spelt(w, index) : styled(w, index);
    em_slice seen = seen_token(w, origin);
    if (!em_token_is_quote(token) || em_slice_eq(seen, token))
        return seen;
    bool stays =
        (!w->quotes_are_kept && quote_is_taken(w, index, seen)) || changes_string(w, index, seen);
    return stays ? token : seen;
}
