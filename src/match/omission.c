#include "match/omission.h"

#include "base/ascii.h"

#include <strings.h>

/* ---- Words --------------------------------------------------------------------------------- */

enum { MOST_WORDS = 24, LONGEST_WORD = 23, MOST_NAMES = 3 };

typedef struct phrase {
    char words[MOST_WORDS][LONGEST_WORD + 1]; /* in lower case */
    size_t count;
    bool plain; /* it holds nothing but words, and not too many */
} phrase;

/* The next word of *rest, which moves behind it; 0 when something that is no word stands there, or
 * at the end of it. */
static size_t next_word(em_slice *rest, char word[LONGEST_WORD + 1])
{
    size_t length = 0;
    while (rest->len > 0 && em_is_one_of(rest->ptr[0], " \t,.:;()[]<>'-/&"))
        *rest = em_slice_from(*rest, 1);
    while (rest->len > 0 && (em_is_letter_or_digit(rest->ptr[0]) || rest->ptr[0] == '_')) {
        if (length == LONGEST_WORD)
            return 0;
        word[length++] = em_to_lower(rest->ptr[0]);
        *rest = em_slice_from(*rest, 1);
    }
    word[length] = '\0';
    return length;
}

static phrase words_of(em_slice s)
{
    phrase p = {.count = 0};
    while (p.count < MOST_WORDS && next_word(&s, p.words[p.count]) > 0)
        p.count++;
    p.plain = s.len == 0;
    return p;
}

typedef const char *const list[]; /* up to a NULL */

static bool is_of(const char *word, const char *const *words)
{
    for (; *words; words++)
        if (strcmp(word, *words) == 0)
            return true;
    return false;
}

/* Words that say by themselves that something was left out, */
static list telling = {"rest", "remaining", "remainder",  "existing", "unchanged",
                       "same", "previous",  "omitted",    "elided",   "truncated",
                       "snip", "original",  "unmodified", "brevity",  NULL};
/* of these the ones that begin a sentence of it, with one more; what may come before them; */
static list beginning = {"rest", "remaining", "remainder", "other", NULL};
static list before_it = {"the", "all", NULL};
/* and those that say what became of it; */
static list staying = {"unchanged", "same",      "omitted",    "elided",
                       "snip",      "truncated", "unmodified", NULL};
/* words for what is left out, */
static list parts = {"code",      "file",       "function",  "functions",   "method",
                     "methods",   "class",      "classes",   "body",        "content",
                     "contents",  "import",     "imports",   "module",      "logic",
                     "component", "html",       "markup",    "styles",      "test",
                     "tests",     "routes",     "handlers",  "middleware",  "jsx",
                     "template",  "statements", "endpoints", "definitions", "implementation",
                     NULL};
/* and those that go with them. */
static list going_along = {
    "of",      "the",    "line",    "lines", "is",     "are",        "stays",      "stay",
    "remains", "remain", "as",      "other", "others", "here",       "else",       "and",
    "in",      "this",   "for",     "keep",  "kept",   "everything", "your",       "my",
    "fields",  "props",  "cases",   "items", "config", "no",         "properties", "entries",
    "section", "change", "changes", "not",   "shown",  "before",     "above",      "below",
    "more",    "etc",    "all",     "block", "blocks", "part",       NULL};

/* How a sentence may end that says that something stays. */
static const struct {
    size_t count;
    const char *words[3];
} as_it_was[] = {{2, {"as", "is"}},        {2, {"as", "before"}},      {3, {"as", "it", "is"}},
                 {3, {"as", "it", "was"}}, {3, {"as", "they", "are"}}, {3, {"as", "they", "were"}}};

/* What a phrase says that holds nothing but such words. */
typedef struct saying {
    bool only;   /* it holds nothing else */
    bool tells;  /* that something was left out */
    bool names;  /* what */
    bool begins; /* with what is left over, */
    bool is_all; /* and that is the rest, whatever it is called */
    bool stays;  /* and that it is as it was */
} saying;

/* How many words of such an end the phrase has. */
static size_t count_as_it_was(const phrase *p)
{
    for (size_t i = 0; i < sizeof as_it_was / sizeof as_it_was[0]; i++) {
        size_t count = as_it_was[i].count, same = 0;
        while (same < count && p->count > count &&
               strcmp(p->words[p->count - count + same], as_it_was[i].words[same]) == 0)
            same++;
        if (same == count)
            return count;
    }
    return 0;
}

static saying said_by(const phrase *p)
{
    size_t end = p->count - count_as_it_was(p), first = 0;
    saying s = {.only = p->plain, .stays = end < p->count};
    while (first < end && is_of(p->words[first], before_it))
        first++;
    for (size_t i = 0; i < end; i++) {
        bool tells = is_of(p->words[i], telling), names = is_of(p->words[i], parts);
        s.only &= tells || names || is_of(p->words[i], going_along);
        s.tells |= tells;
        s.names |= names;
        s.stays |= is_of(p->words[i], staying);
        s.begins |= i == first && is_of(p->words[i], beginning);
        s.is_all |= i == first && strcmp(p->words[i], "rest") == 0;
    }
    return s;
}

bool em_omission_in_words(em_slice words, bool named)
{
    phrase p = words_of(words);
    saying s = said_by(&p);
    return s.only && s.tells && (s.names || !named);
}

bool em_omission_is_sentence(em_slice words, bool named)
{
    phrase p = words_of(words);
    saying s = said_by(&p);
    return s.only && s.begins && (s.names || (s.is_all && !named)) && s.stays;
}

/* ---- The shape of one ---------------------------------------------------------------------- */

/* What a phrase may begin with before it comes to what is left over; */
static list leading = {"the", "your", "my", "our", "all", "any", "keep", "and", "plus", NULL};
/* the words for this, those that need an ellipsis before them or on both sides, */
static list left_over = {"rest", "remaining", "remainder", "existing", NULL};
static list left_over_behind_dots = {"other", "others", NULL};
static list left_over_between_dots = {"more", "previous", "original", "unchanged", NULL};
/* what may stand between them and the names of it; */
static list determining = {"of", "the", "your", "my", "our", "this", "these", NULL};
/* and what makes a sentence of it. */
static list verbs = {"may",    "might", "must",    "can", "cannot", "could", "shall",
                     "should", "will",  "would",   "has", "have",   "had",   "was",
                     "were",   "be",    "been",    "do",  "does",   "did",   "need",
                     "needs",  "if",    "because", NULL};

static size_t skip(const phrase *p, size_t at, const char *const *words)
{
    while (at < p->count && is_of(p->words[at], words))
        at++;
    return at;
}

static bool begins_left_over(const char *word, em_dots dots)
{
    return is_of(word, left_over) ||
           (dots >= EM_DOTS_BEFORE && is_of(word, left_over_behind_dots)) ||
           (dots == EM_DOTS_AROUND && is_of(word, left_over_between_dots));
}

static bool is_of_leaving_out(const char *word)
{
    return is_of(word, telling) || is_of(word, parts) || is_of(word, going_along);
}

/* Does the word at `at` make a sentence that says something else: "existing rows are closed", but
 * not "existing rows are unchanged"? */
static bool says_more(const phrase *p, size_t at)
{
    static const char *const being[] = {"is", "are", NULL};
    if (!is_of(p->words[at], being))
        return is_of(p->words[at], verbs);
    return at + 1 == p->count || !is_of_leaving_out(p->words[at + 1]);
}

/* Are the words [at, end) one to three names, and else only words of leaving out? */
static bool are_names(const phrase *p, size_t at, size_t end)
{
    size_t others = 0;
    bool any = false;
    for (; at < end; at++) {
        if (says_more(p, at))
            return false;
        any |= !is_of(p->words[at], determining);
        others += !is_of_leaving_out(p->words[at]);
    }
    return any && others <= MOST_NAMES;
}

bool em_omission_in_shape(em_slice words, em_dots dots)
{
    phrase p = words_of(words);
    size_t at = skip(&p, 0, leading);
    while (at < p.count && em_is_digit(p.words[at][0])) /* "3 more routes" */
        at++;
    if (!p.plain || at == p.count)
        return false;
    if (begins_left_over(p.words[at], dots))
        return are_names(&p, at + 1, p.count);
    return dots == EM_DOTS_AROUND && is_of(p.words[p.count - 1], staying) &&
           are_names(&p, at, p.count - 1);
}

/* ---- Without an ellipsis ------------------------------------------------------------------- */

bool em_omission_is_remainder(em_slice words)
{
    static const char *const gone[] = {"unchanged", "unmodified", "omitted", "elided", NULL};
    phrase p = words_of(words);
    size_t end = p.count, at = end > 0 && strcmp(p.words[0], "the") == 0 ? 1 : 0;
    if (!p.plain || end < at + 3 || strcmp(p.words[at], "rest") != 0 ||
        strcmp(p.words[at + 1], "of") != 0)
        return false;
    at += 2;
    bool is_gone = is_of(p.words[end - 1], gone), is_yours = strcmp(p.words[at], "your") == 0;
    end -= is_gone || strcmp(p.words[end - 1], "here") == 0;
    at = skip(&p, at, determining);
    for (size_t i = at; i < end; i++)
        if (is_of(p.words[i], going_along) || is_of(p.words[i], verbs))
            return false;
    return (is_gone || is_yours) && at < end && end - at <= MOST_NAMES;
}

static em_slice without_prefix(em_slice s, const char *prefix)
{
    size_t length = strlen(prefix);
    bool begins = s.len >= length && strncasecmp(s.ptr, prefix, length) == 0;
    return begins ? em_slice_from(s, length) : s;
}

static em_slice without_suffix(em_slice s, const char *suffix)
{
    size_t length = strlen(suffix);
    bool ends = s.len >= length && strncasecmp(s.ptr + s.len - length, suffix, length) == 0;
    return ends ? em_slice_sub(s, 0, s.len - length) : s;
}

/* "keep existing code", "your existing code": what is asked to be kept, or the reader's own. */
static em_slice without_asking(em_slice words)
{
    em_slice asked = without_prefix(words, "keep ");
    em_slice s = without_prefix(asked, "your ");
    if (asked.len < words.len && s.len == asked.len)
        s = without_prefix(without_prefix(s, "all "), "the ");
    bool left = without_prefix(s, "existing ").len < s.len ||
                (asked.len < words.len && without_prefix(s, "rest of ").len < s.len);
    return left ? s : words;
}

/* What stands for the rest, in the words of those who leave it out. */
static const char *const phrases[] = {
    "existing code",
    "existing code unchanged",
    "existing code stays",
    "existing code stays the same",
    "existing code remains the same",
    "existing implementation",
    "existing logic",
    "existing methods",
    "existing functions",
    "existing content",
    "existing imports",
    "everything else unchanged",
    "everything else stays the same",
    "everything else remains the same",
    "rest unchanged",
    "rest of code",
    "rest of the code",
    "rest of file",
    "rest of the file",
    "rest of function",
    "rest of the function",
    "rest of the method",
    "rest of the class",
    "rest of the implementation",
    "rest of the code unchanged",
    "rest of the file unchanged",
    "rest of the code remains the same",
    "rest of the code stays the same",
    "rest stays the same",
    "rest remains the same",
    "remaining code",
    "remaining code unchanged",
    "code unchanged",
    "unchanged code",
    "unchanged",
    "same as before",
    "no changes here",
    "code omitted",
    "omitted for brevity",
    "code omitted for brevity",
    "previous code",
    "original code",
    "rest of component",
    "rest of the component",
    "rest of the template",
    "rest of the markup",
    "rest of the jsx",
    "rest of the html",
    "rest of the routes",
    "rest of the handlers",
    "rest of the methods",
    "rest of the functions",
};

static bool is_phrase(em_slice words)
{
    for (size_t i = 0; i < sizeof phrases / sizeof phrases[0]; i++)
        if (em_same_in_any_case(words, em_slice_of(phrases[i])))
            return true;
    return false;
}

/* Any of the phrases may go on with "here", or "goes here". */
static bool is_phrase_here(em_slice words)
{
    em_slice before = without_suffix(words, " here");
    if (before.len < words.len)
        before = without_suffix(without_suffix(before, " goes"), " go");
    return is_phrase(words) || (before.len < words.len && is_phrase(before));
}

/* "existing code (unchanged)": what is said before a remark in brackets that it stays. */
static em_slice without_remark(em_slice words)
{
    size_t opens = em_slice_until(words, '(');
    if (opens == words.len || words.ptr[words.len - 1] != ')')
        return words;
    em_slice remark = em_slice_sub(words, opens + 1, words.len - 1);
    phrase p = words_of(remark);
    bool stays = is_phrase(remark) || (p.plain && p.count == 1 && is_of(p.words[0], staying));
    return stays ? em_slice_trim(em_slice_sub(words, 0, opens), em_is_line_blank) : words;
}

static bool is_fixed_phrase(em_slice words)
{
    while (words.len > 0 && em_is_one_of(words.ptr[words.len - 1], ".:"))
        words.len--;
    return is_phrase_here(without_remark(words));
}

bool em_omission_is_fixed(em_slice words, bool named)
{
    phrase p = words_of(words);
    return (!named || said_by(&p).names) && is_fixed_phrase(without_asking(words));
}
