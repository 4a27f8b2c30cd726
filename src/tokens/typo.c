#include "tokens/typo.h"

#include <string.h>

#include "base/ascii.h"
#include "base/utf8.h"
#include "text/token.h"
#include "tokens/twin_words.h"

enum {
    LONGEST_TYPO = 2,   /* letters */
    LEAST_MISTYPED = 4, /* letters of the part of a name, for each that is missing or too many, */
    LEAST_SWAPPED = 3,  /* where two are swapped, */
    LEAST_CUT = 7,      /* and where the last one is missing */
};

static bool only_letters(em_slice s)
{
    for (size_t i = 0; i < s.len; i++)
        if (!em_is_letter(s.ptr[i]) && !em_is_beyond_ascii(s.ptr[i]))
            return false;
    return true;
}

/* A capital behind a letter that is none; behind another one where it begins a word, as in
 * `HTTPClient`. */
static bool begins_part(em_slice word, size_t at)
{
    if (at == 0 || at >= word.len || !em_is_upper(word.ptr[at]))
        return false;
    return !em_is_upper(word.ptr[at - 1]) ||
           (at + 1 < word.len && em_is_letter(word.ptr[at + 1]) && !em_is_upper(word.ptr[at + 1]));
}

/* The part of a name that holds the bytes [start, end): between `_`, or from a capital to the
 * next. */
static em_slice name_part(em_slice word, size_t start, size_t end)
{
    while (start > 0 && word.ptr[start - 1] != '_' && !begins_part(word, start))
        start--;
    while (end < word.len && word.ptr[end] != '_' && !begins_part(word, end))
        end++;
    return em_slice_sub(word, start, end);
}

/* The same word but for the case of a letter or two. */
static bool is_typo_of_case(em_slice wanted, em_slice seen)
{
    size_t others = 0;
    if (wanted.len != seen.len || !em_token_same(wanted, seen, EM_FOLD_CASE))
        return false;
    for (size_t i = 0; i < wanted.len; i++)
        others += wanted.ptr[i] != seen.ptr[i];
    return others <= LONGEST_TYPO && wanted.len >= LEAST_MISTYPED;
}

/* One of two words, what the other one has otherwise, and the part of the name that holds it. */
typedef struct side {
    em_slice word, piece, part;
} side;

typedef struct deviation {
    side wanted, seen;
} deviation;

static side side_of(em_slice word, em_shared_ends same)
{
    size_t end = word.len - same.tail;
    return (side){word, em_slice_sub(word, same.head, end), name_part(word, same.head, end)};
}

static deviation deviation_of(em_slice wanted, em_slice seen)
{
    em_shared_ends same = em_utf8_shared_ends(wanted, seen);
    return (deviation){side_of(wanted, same), side_of(seen, same)};
}

/* Of a piece that is missing nothing can be said: it is the other word's that counts. */
static bool begins_at(const side *s)
{
    return s->piece.len > 0 && s->piece.ptr == s->part.ptr;
}

static bool ends_at(const side *s)
{
    return s->piece.len == 0 || s->piece.ptr + s->piece.len == s->part.ptr + s->part.len;
}

static bool differ_at_end(const deviation *d)
{
    return ends_at(&d->wanted) && ends_at(&d->seen);
}

/* The first letter makes another word: `synchronous` and `asynchronous`. */
static bool differs_in_first(const deviation *d)
{
    return begins_at(&d->wanted) || begins_at(&d->seen);
}

/* A letter once and twice, as in `procesor` and `processor`. */
static bool doubles_letter(const deviation *d)
{
    const side *s = d->seen.piece.len > 0 ? &d->seen : &d->wanted;
    return d->wanted.piece.len + d->seen.piece.len == 1 && !begins_at(s) &&
           s->piece.ptr[-1] == s->piece.ptr[0];
}

/* The last letter, as in `clas` and `class`. */
static bool doubles_last(const deviation *d)
{
    return doubles_letter(d) && differ_at_end(d);
}

/* A capital more among those of an abbreviation: `HTTPSClient` and `HTTPClient`. In a name of
 * capitals alone it is a letter like any other. */
static bool is_of_abbreviation(const side *s, const side *other)
{
    const char *behind = s->part.ptr + s->part.len;
    return other->piece.len == 0 && s->piece.len == 1 && !begins_at(s) &&
           em_is_upper(s->piece.ptr[0]) && em_is_upper(s->piece.ptr[-1]) &&
           behind < s->word.ptr + s->word.len && em_is_upper(*behind);
}

static bool differs_in_abbreviation(const deviation *d)
{
    return is_of_abbreviation(&d->seen, &d->wanted) || is_of_abbreviation(&d->wanted, &d->seen);
}

/* `user` and `users`, `load` and `loaded`, `LOADER` and `LOADED`: other forms, so other things.
 */
static bool is_other_form(const deviation *d)
{
    static const char *const endings[] = {"",   "s",  "d",  "r",  "n", "y",
                                          "es", "ed", "er", "en", "ly"};
    bool wanted = false, seen = false;
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        em_slice ending = em_slice_of(endings[i]);
        wanted |= em_token_same(d->wanted.piece, ending, EM_FOLD_CASE);
        seen |= em_token_same(d->seen.piece, ending, EM_FOLD_CASE);
    }
    return wanted && seen && differ_at_end(d) && !doubles_last(d) && !differs_in_abbreviation(d);
}

/* Rows of names end in a letter of their own, or in one or two more: `RECMIXL` and `RECMIXR`,
 * `pointX` and `pointY`, `open` and `openat`, `sin` and `sinf`. The last letter of a long word may
 * as well have been lost. */
static bool ends_otherwise(const deviation *d)
{
    bool is_cut = d->wanted.piece.len == 0 && d->seen.piece.len == 1 &&
                  em_utf8_count(d->seen.part) >= LEAST_CUT;
    return d->wanted.piece.len + d->seen.piece.len <= LONGEST_TYPO && differ_at_end(d) && !is_cut &&
           !doubles_last(d);
}

/* An `n` that stands for "not" or "at most so many": `ifndef`, `ifneq`, `strncpy`, `vsnprintf`. */
static bool is_told_by_an_n(const side *s)
{
    static const char *const beginnings[] = {"if", "s", "str", "vs", "wcs"};
    em_slice before = em_slice_sub(s->part, 0, (size_t)(s->piece.ptr - s->part.ptr));
    if (!em_token_same(s->piece, EM_LIT("n"), EM_FOLD_CASE))
        return false;
    for (size_t i = 0; i < sizeof beginnings / sizeof *beginnings; i++)
        if (em_token_same(before, em_slice_of(beginnings[i]), EM_FOLD_CASE))
            return true;
    return false;
}

/* `vsnprintf` and `vsprintf`; `funlockfile` and `flockfile` */
static bool is_negated(const side *s, const side *other)
{
    return other->piece.len == 0 &&
           (is_told_by_an_n(s) || em_token_same(s->piece, EM_LIT("un"), EM_FOLD_CASE));
}

/* Letters that stand for a thing each within a word: `fegetenv` and `fesetenv`, `getuid` and
 * `getgid`. */
static bool differ_in_kind(const side *a, const side *b)
{
    static const struct {
        const char *one, *other, *behind;
    } kinds[] = {
        {"g", "s", "et"}, {"g", "u", "id"}, {"g", "p", "id"}, {"p", "u", "id"}, {"l", "g", "t"}};
    const char *end = a->piece.ptr + a->piece.len;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        em_slice behind = em_slice_of(kinds[i].behind);
        size_t left = (size_t)(a->part.ptr + a->part.len - end);
        if (em_token_same(a->piece, em_slice_of(kinds[i].one), EM_FOLD_CASE) &&
            em_token_same(b->piece, em_slice_of(kinds[i].other), EM_FOLD_CASE) &&
            left >= behind.len && em_token_same((em_slice){end, behind.len}, behind, EM_FOLD_CASE))
            return true;
    }
    return false;
}

/* `nxv4f32` and `nxv4i32`, `exp10` and `exp10f`: what a letter beside a digit is, is another thing.
 */
static bool is_beside_digit(const side *s)
{
    const char *end = s->piece.ptr + s->piece.len;
    return (s->piece.ptr > s->word.ptr && em_is_digit(s->piece.ptr[-1])) ||
           (end < s->word.ptr + s->word.len && em_is_digit(*end));
}

static bool has_vowel(em_slice part)
{
    for (size_t i = 0; i < part.len; i++)
        if (em_is_beyond_ascii(part.ptr[i]) || memchr("aeiou", part.ptr[i] | 0x20, 5))
            return true;
    return false;
}

/* In what is no word each letter is one of its own: `strlcpy` and `strncpy`. */
static bool are_initials(const deviation *d)
{
    return !has_vowel(d->wanted.part) && !has_vowel(d->seen.part) && !doubles_letter(d);
}

/* Names of which each is known to mean something else, though little tells them apart. */
static bool is_another_name(const deviation *d)
{
    const side *a = &d->wanted, *b = &d->seen;
    return ends_otherwise(d) || differs_in_abbreviation(d) || is_beside_digit(a) ||
           are_initials(d) || differ_in_kind(a, b) || differ_in_kind(b, a) || is_negated(a, b) ||
           is_negated(b, a);
}

static bool is_swap(em_slice x, em_slice y)
{
    return x.len == 2 && y.len == 2 && x.ptr[0] == y.ptr[1] && x.ptr[1] == y.ptr[0];
}

/* A colour, a hash or another number with letters: in those no letter is a slip. */
static bool is_hexadecimal(em_slice part)
{
    bool any = false;
    for (size_t i = 0; i < part.len; i++) {
        char letter = (char)(part.ptr[i] | 0x20);
        any |= em_is_digit(part.ptr[i]);
        if (!em_is_digit(part.ptr[i]) && (letter < 'a' || letter > 'f'))
            return false;
    }
    return any;
}

static bool differs_in_hexadecimal(const deviation *d)
{
    return is_hexadecimal(d->wanted.part) || is_hexadecimal(d->seen.part);
}

/* A letter or two, and not the first, in a part of a name that stays recognisable. */
static bool is_little(const deviation *d)
{
    em_slice x = d->wanted.piece, y = d->seen.piece;
    size_t longer = x.len > y.len ? x.len : y.len;
    return longer <= LONGEST_TYPO && only_letters(x) && only_letters(y) &&
           !differs_in_hexadecimal(d) && !differs_in_first(d) &&
           d->seen.part.len >= LEAST_MISTYPED && d->seen.part.len > 2 * longer;
}

bool em_is_form(em_slice wanted, em_slice seen)
{
    deviation d = deviation_of(wanted, seen);
    return is_other_form(&d) && is_little(&d);
}

em_slice em_typo_part(em_slice wanted, em_slice seen)
{
    return deviation_of(wanted, seen).wanted.part;
}

/* A letter that is wrong, one or two that are missing or too many, or two that are swapped,
 * within a part of the word that stays recognisable; not its first letter, but for a swap. */
static bool is_typo_of_letters(em_slice wanted, em_slice seen)
{
    deviation d = deviation_of(wanted, seen);
    em_slice x = d.wanted.piece, y = d.seen.piece, part = y.len > 0 ? d.seen.part : d.wanted.part;
    if (x.len > LONGEST_TYPO || y.len > LONGEST_TYPO || !only_letters(x) || !only_letters(y))
        return false;
    if (differs_in_hexadecimal(&d) || em_are_twin_words(d.wanted.part, d.seen.part))
        return false;
    size_t letters = em_utf8_count(part);
    if (is_swap(x, y))
        return letters >= LEAST_SWAPPED;
    if (is_other_form(&d) || is_another_name(&d) || differs_in_first(&d))
        return false;
    if (x.len > 0 && y.len > 0) /* `last` and `list`, `step` and `stop`: short words abound */
        return em_utf8_count(x) == 1 && em_utf8_count(y) == 1 && letters > LEAST_MISTYPED;
    return letters >= LEAST_MISTYPED * (x.len + y.len);
}

bool em_is_typo(em_slice wanted, em_slice seen)
{
    return is_typo_of_letters(wanted, seen) || is_typo_of_case(wanted, seen);
}

/* `users` for `user`: in a sentence nothing else goes by that name. `lower` for `later` says
 * something else there, too. */
bool em_is_typo_in_prose(em_slice wanted, em_slice seen)
{
    deviation d = deviation_of(wanted, seen);
    return is_little(&d) && (is_other_form(&d) || is_typo_of_letters(wanted, seen));
}
