#include "dom/likeness.h"

#include "html/tag.h"
#include "text/similarity.h"

/* Less is no likeness. */
static const double LEAST = 0.5;

/* How many bytes they have in common, wherever these stand. */
static size_t common_bytes(em_slice a, em_slice b)
{
    uint32_t counts[256] = {0};
    size_t common = 0;
    for (size_t i = 0; i < a.len; i++)
        counts[(unsigned char)a.ptr[i]]++;
    for (size_t i = 0; i < b.len; i++)
        if (counts[(unsigned char)b.ptr[i]] > 0) {
            counts[(unsigned char)b.ptr[i]]--;
            common++;
        }
    return common;
}

/* Most names are too far from each other to be looked at closely. */
static bool may_be_alike(em_slice a, em_slice b)
{
    size_t longer = a.len > b.len ? a.len : b.len, shorter = a.len + b.len - longer;
    return shorter * 2 >= longer && (double)common_bytes(a, b) >= LEAST * (double)longer;
}

em_status em_name_likeness(em_slice name, em_slice wanted, em_deadline *deadline, double *like)
{
    *like = 0;
    if (em_deadline_spend(deadline, name.len + wanted.len))
        return EM_E_TIMEOUT;
    if (!may_be_alike(name, wanted))
        return EM_OK;
    EM_TRY(em_similarity(name, wanted, deadline, like));
    *like = *like < LEAST ? 0 : *like;
    return EM_OK;
}

/* Over a word, or over the blanks before one. */
static size_t skip(em_slice text, size_t at, bool blanks)
{
    while (at < text.len && em_html_space(text.ptr[at]) == blanks)
        at++;
    return at;
}

/* Of all runs of that many words the one that comes nearest. */
static em_status best_run(em_slice text, size_t words, em_slice wanted, em_deadline *deadline,
                          double *best)
{
    *best = 0;
    for (size_t start = skip(text, 0, true); start < text.len;) {
        double like;
        size_t first_end = skip(text, start, false), end = first_end;
        for (size_t i = 1; i < words && end < text.len; i++) {
            size_t next = skip(text, end, true);
            end = next < text.len ? skip(text, next, false) : end;
        }
        EM_TRY(em_name_likeness(em_slice_sub(text, start, end), wanted, deadline, &like));
        *best = like > *best ? like : *best;
        start = skip(text, first_end, true);
    }
    return EM_OK;
}

static bool parts_words(char sign)
{
    return sign == '-' || sign == '_';
}

/* Does the part begin the name, or stand in it between hyphens and underscores? */
static bool has_part(em_slice name, em_slice part)
{
    enum { LEAST_PART = 2, LEAST_BEGINNING = 3, MOST = 200 };
    if (part.len < LEAST_PART || name.len > MOST)
        return false;
    if (part.len >= LEAST_BEGINNING && em_slice_starts(name, part))
        return true;
    for (size_t at = 0; at + part.len <= name.len; at++) {
        size_t end = at + part.len;
        bool is_bounded = (at == 0 || parts_words(name.ptr[at - 1])) &&
                          (end == name.len || parts_words(name.ptr[end]));
        if (is_bounded && em_slice_eq(em_slice_sub(name, at, end), part))
            return true;
    }
    return false;
}

/* The more of the longer name the shorter one is, the more alike they are. */
static double part_likeness(em_slice a, em_slice b)
{
    em_slice longer = a.len > b.len ? a : b, shorter = a.len > b.len ? b : a;
    if (!has_part(longer, shorter))
        return 0;
    return LEAST + 0.4 * (double)shorter.len / (double)longer.len;
}

em_status em_word_likeness(em_slice words, em_slice wanted, em_deadline *deadline, double *like)
{
    *like = 0;
    for (size_t start = skip(words, 0, true), end; start < words.len;
         start = skip(words, end, true)) {
        double whole;
        end = skip(words, start, false);
        em_slice word = em_slice_sub(words, start, end);
        EM_TRY(em_name_likeness(word, wanted, deadline, &whole));
        double part = part_likeness(word, wanted), best = part > whole ? part : whole;
        *like = best > *like ? best : *like;
    }
    return EM_OK;
}

static size_t count_words(em_slice text)
{
    size_t count = 0;
    for (size_t at = skip(text, 0, true); at < text.len; count++)
        at = skip(text, skip(text, at, false), true);
    return count;
}

em_status em_text_likeness(em_slice text, em_slice wanted, em_deadline *deadline, double *like)
{
    double longer = (double)(text.len > wanted.len ? text.len : wanted.len);
    EM_TRY(best_run(text, count_words(wanted), wanted, deadline, like));
    *like *= longer > 0 ? (1 + (double)wanted.len / longer) / 2 : 0;
    return EM_OK;
}

static bool has_digit(em_slice text)
{
    for (size_t i = 0; i < text.len; i++)
        if (em_is_digit(text.ptr[i]))
            return true;
    return false;
}

bool em_is_slip_of(em_slice name, em_slice wanted)
{
    enum { LEAST_LENGTH = 4 };
    size_t shorter = name.len < wanted.len ? name.len : wanted.len, start = 0, end = 0;
    if (shorter < LEAST_LENGTH || em_slice_eq(name, wanted))
        return false;
    if (em_same_in_any_case(name, wanted))
        return true;
    while (start < shorter && name.ptr[start] == wanted.ptr[start])
        start++;
    while (end < shorter - start &&
           name.ptr[name.len - 1 - end] == wanted.ptr[wanted.len - 1 - end])
        end++;
    em_slice a = em_slice_sub(name, start, name.len - end);
    em_slice b = em_slice_sub(wanted, start, wanted.len - end);
    if (start == 0 || has_digit(a) || has_digit(b))
        return false;
    if (a.len == 2 && b.len == 2)
        return a.ptr[0] == b.ptr[1] && a.ptr[1] == b.ptr[0];
    return a.len <= 1 && b.len <= 1 && end > 0;
}
