#include "tokens/typo.h"

#include "base/ascii.h"
#include "base/utf8.h"
#include "text/token.h"

enum {
    LONGEST_TYPO = 2,   /* letters */
    LEAST_MISTYPED = 4, /* letters of the part of a name */
    LEAST_SWAPPED = 3,  /* the same where two are swapped */
};

static bool only_letters(em_slice s)
{
    for (size_t i = 0; i < s.len; i++)
        if (!em_is_letter(s.ptr[i]) && !em_is_beyond_ascii(s.ptr[i]))
            return false;
    return true;
}

/* A capital behind a letter that is none. */
static bool begins_part(em_slice word, size_t at)
{
    return at > 0 && at < word.len && em_is_upper(word.ptr[at]) && !em_is_upper(word.ptr[at - 1]);
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

/* What two words differ in, and the parts of their names that hold it. */
typedef struct deviation {
    em_slice wanted, seen;
    em_slice wanted_part, seen_part;
} deviation;

static deviation deviation_of(em_slice wanted, em_slice seen)
{
    em_shared_ends same = em_utf8_shared_ends(wanted, seen);
    size_t head = same.head;
    size_t x = wanted.len - same.tail, y = seen.len - same.tail;
    return (deviation){em_slice_sub(wanted, head, x), em_slice_sub(seen, head, y),
                       name_part(wanted, head, x), name_part(seen, head, y)};
}

/* Of a piece that is missing nothing can be said: it is the other word's that counts. */
static bool begins_at(em_slice part, em_slice piece)
{
    return piece.len > 0 && piece.ptr == part.ptr;
}

static bool ends_at(em_slice part, em_slice piece)
{
    return piece.len == 0 || piece.ptr + piece.len == part.ptr + part.len;
}

/* The first letter makes another word: `synchronous` and `asynchronous`. */
static bool differs_in_first(const deviation *d)
{
    return begins_at(d->wanted_part, d->wanted) || begins_at(d->seen_part, d->seen);
}

/* The last letter once and twice, as in `clas` and `class`. */
static bool doubles_last(const deviation *d)
{
    em_slice piece = d->seen.len > 0 ? d->seen : d->wanted,
             part = d->seen.len > 0 ? d->seen_part : d->wanted_part;
    return d->wanted.len + d->seen.len == 1 && ends_at(part, piece) && piece.ptr > part.ptr &&
           piece.ptr[-1] == piece.ptr[0];
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
        wanted |= em_token_same(d->wanted, ending, EM_FOLD_CASE);
        seen |= em_token_same(d->seen, ending, EM_FOLD_CASE);
    }
    return wanted && seen && ends_at(d->wanted_part, d->wanted) && ends_at(d->seen_part, d->seen) &&
           !doubles_last(d);
}

/* Rows of names end in a letter of their own, or in two more: `RECMIXL` and `RECMIXR`,
 * `pointX` and `pointY`, `open` and `openat`. */
static bool ends_otherwise(const deviation *d)
{
    return d->wanted.len + d->seen.len == LONGEST_TYPO && ends_at(d->wanted_part, d->wanted) &&
           ends_at(d->seen_part, d->seen);
}

/* A capital more among those of an abbreviation: `HTTPSClient` and `HTTPClient`. In a name of
 * capitals alone it is a letter like any other. */
static bool is_of_abbreviation(em_slice part, em_slice piece)
{
    const char *end = part.ptr + part.len;
    if (piece.len != 1 || piece.ptr == part.ptr || !em_is_upper(piece.ptr[0]) ||
        !em_is_upper(piece.ptr[-1]))
        return false;
    for (const char *at = piece.ptr + 1; at < end; at++)
        if (em_is_letter(*at) && !em_is_upper(*at))
            return true;
    return false;
}

/* An `n` that stands for "not" or "at most so many": `ifndef`, `ifneq`, `strncpy`, `vsnprintf`. */
static bool is_told_by_an_n(em_slice part, em_slice piece)
{
    static const char *const beginnings[] = {"if", "s", "str", "vs", "wcs"};
    em_slice before = em_slice_sub(part, 0, (size_t)(piece.ptr - part.ptr));
    if (!em_token_same(piece, EM_LIT("n"), EM_FOLD_CASE))
        return false;
    for (size_t i = 0; i < sizeof beginnings / sizeof *beginnings; i++)
        if (em_token_same(before, em_slice_of(beginnings[i]), EM_FOLD_CASE))
            return true;
    return false;
}

static bool is_one_more_of_its_kind(em_slice part, em_slice piece)
{
    return is_of_abbreviation(part, piece) || is_told_by_an_n(part, piece);
}

/* Names of which each is known to mean something else, though little tells them apart. */
static bool is_another_name(const deviation *d)
{
    return ends_otherwise(d) ||
           (d->wanted.len == 0 && is_one_more_of_its_kind(d->seen_part, d->seen)) ||
           (d->seen.len == 0 && is_one_more_of_its_kind(d->wanted_part, d->wanted));
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
    return is_hexadecimal(d->wanted_part) || is_hexadecimal(d->seen_part);
}

/* A letter or two, and not the first, in a part of a name that stays recognisable. */
static bool is_little(const deviation *d)
{
    size_t longer = d->wanted.len > d->seen.len ? d->wanted.len : d->seen.len;
    return longer <= LONGEST_TYPO && only_letters(d->wanted) && only_letters(d->seen) &&
           !differs_in_hexadecimal(d) && !differs_in_first(d) &&
           d->seen_part.len >= LEAST_MISTYPED && d->seen_part.len > 2 * longer;
}

bool em_is_form(em_slice wanted, em_slice seen)
{
    deviation d = deviation_of(wanted, seen);
    return is_other_form(&d) && is_little(&d);
}

em_slice em_typo_part(em_slice wanted, em_slice seen)
{
    return deviation_of(wanted, seen).wanted_part;
}

/* A letter that is wrong, one or two that are missing or too many, or two that are swapped,
 * within a part of the word that stays recognisable; not its first letter, but for a swap. */
static bool is_typo_of_letters(em_slice wanted, em_slice seen)
{
    deviation d = deviation_of(wanted, seen);
    em_slice x = d.wanted, y = d.seen, part = y.len > 0 ? d.seen_part : d.wanted_part;
    if (x.len > LONGEST_TYPO || y.len > LONGEST_TYPO || !only_letters(x) || !only_letters(y))
        return false;
    if (differs_in_hexadecimal(&d))
        return false;
    size_t letters = em_utf8_count(part);
    if (is_swap(x, y))
        return letters >= LEAST_SWAPPED;
    if (is_other_form(&d) || is_another_name(&d) || begins_at(wanted, x) || begins_at(seen, y))
        return false;
    if (begins_at(d.wanted_part, x) ||
        begins_at(d.seen_part, y)) /* `synchronous`, `asynchronous` */
        return false;
    if (x.len > 0 && y.len > 0) /* `last` and `list`, `step` and `stop`: short words abound */
        return em_utf8_count(x) == 1 && em_utf8_count(y) == 1 && letters > LEAST_MISTYPED;
    return letters >= LEAST_MISTYPED && letters > 2 * (x.len + y.len);
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
