#include "diagnosis/near_miss.h"

#include "base/ascii.h"
#include "base/strbuf.h"
#include "base/utf8.h"
#include "diagnosis/lost_end.h"
#include "text/search.h"
#include "text/text.h"
#include "tokens/redline.h"
#include "tokens/typo.h"

enum {
    LEAST_SHARED = 12, /* code points of tokens that are the same */
    BYTES_A_STEP = 16, /* of the file */
};

/* The line that was sent and the file's, and the one token in which they differ: of the first it is
 * missing, or too many, or another one. */
typedef struct near_miss {
    em_tokened find, seen, insert;
    size_t at; /* where they differ: the number of that token in both */
    size_t wanted_count, seen_count;
    size_t *origin; /* of em_redline() */
    size_t end;     /* the token of `insert` behind which a sign comes that ends a line */
} near_miss;

static em_slice wanted_token(const near_miss *m)
{
    return m->wanted_count > 0 ? em_tokened_token(m->find, m->at) : (em_slice){0};
}

static em_slice seen_token(const near_miss *m)
{
    return m->seen_count > 0 ? em_tokened_token(m->seen, m->at) : (em_slice){0};
}

static bool same_token(const near_miss *m, size_t wanted, size_t seen)
{
    return em_token_same(em_tokened_token(m->find, wanted), em_tokened_token(m->seen, seen),
                         EM_FOLD_WRITING);
}

/* Do they differ in one token? Those that they share must tell something. */
static bool find_difference(near_miss *m)
{
    size_t wanted = m->find.tokens.count, seen = m->seen.tokens.count, shared = 0;
    while (m->at < wanted && m->at < seen && same_token(m, m->at, m->at))
        shared += em_utf8_count(em_tokened_token(m->find, m->at++));
    while (wanted > m->at && seen > m->at && same_token(m, wanted - 1, seen - 1)) {
        shared += em_utf8_count(em_tokened_token(m->find, --wanted));
        seen--;
    }
    m->wanted_count = wanted - m->at;
    m->seen_count = seen - m->at;
    return shared >= LEAST_SHARED && m->wanted_count <= 1 && m->seen_count <= 1 &&
           m->wanted_count + m->seen_count > 0;
}

/* Is what the line lacks the last sign of the file's, before the line break that it was sent with?
 */
static bool lacks_end(const near_miss *m)
{
    return m->wanted_count == 0 && m->at == m->find.tokens.count && em_ends_in_eol(m->find.text);
}

static const char clinging_signs[] = ",;:.", all_signs[] = ",;:.!?";

static bool is_sign(em_slice token, const char *signs)
{
    return token.len == 1 && em_is_one_of(token.ptr[0], signs);
}

/* In the file the sign ends a part of a sentence or a list: behind it is a blank, a quote, a tag,
 * or nothing. `!` and `?` before a word are operators, or of a name. */
static bool ends_a_part(const near_miss *m)
{
    em_slice rest = em_slice_from(m->seen.text, m->seen.tokens.items[m->at].end);
    return rest.len == 0 || em_is_one_of(rest.ptr[0], " \t\r\n\"'`<");
}

/* One sign for another, one too many, or one that is missing: that stands between two tokens, or at
 * the end of a line that was sent whole, or else the line would have been found. */
static bool is_punctuation(const near_miss *m)
{
    if (m->wanted_count > 0 && m->seen_count > 0)
        return is_sign(wanted_token(m), all_signs) && is_sign(seen_token(m), all_signs) &&
               ends_a_part(m);
    if (m->wanted_count > 0)
        return is_sign(wanted_token(m), clinging_signs);
    bool is_between = m->at > 0 && m->at < m->find.tokens.count;
    return is_sign(seen_token(m), clinging_signs) && (is_between || lacks_end(m));
}

/* When time is up it counts as there. */
static bool has_word(em_slice text, em_slice word, em_deadline *deadline)
{
    em_needle needle;
    em_needle_init(&needle, word);
    if (em_deadline_spend(deadline, text.len / BYTES_A_STEP))
        return true;
    for (size_t at = 0; (at = em_find(&needle, text, at)) != EM_NPOS; at++)
        if (em_token_border(text, at, EM_FOLD_NOTHING) &&
            em_token_border(text, at + word.len, EM_FOLD_NOTHING))
            return true;
    return false;
}

/* Another form of the word, or one that is mistyped: of such a one nothing is known here but that
 * no tier mends it. */
static bool is_misread(const near_miss *m, em_slice text, em_deadline *deadline)
{
    em_slice wanted = wanted_token(m), seen = seen_token(m);
    return m->wanted_count == 1 && m->seen_count == 1 && em_token_is_word(wanted) &&
           em_token_is_word(seen) && (em_is_form(wanted, seen) || em_is_typo(wanted, seen)) &&
           !has_word(text, wanted, deadline);
}

/* Is what was misread in a token that comes anew, and should be another one there, too? */
static bool comes_anew(const near_miss *m, em_slice token)
{
    em_slice wanted = wanted_token(m);
    em_slice part = m->seen_count > 0 ? em_typo_part(wanted, seen_token(m)) : wanted;
    em_needle needle;
    if (part.len == 0 || em_slice_eq(token, seen_token(m)))
        return false;
    em_needle_init(&needle, part);
    return em_find(&needle, token, 0) != EM_NPOS;
}

/* Does the replacement go on behind its token `i`, the sign that the search text ends in? Then that
 * parts what was there from what comes, and stays. */
static bool goes_on(const near_miss *m, size_t i)
{
    return is_sign(wanted_token(m), all_signs) && m->at + 1 == m->find.tokens.count &&
           i + 1 < m->insert.tokens.count;
}

/* Is the token `i` of the replacement the misread sign itself, between what it stands between, and
 * not any that looks like it? */
static bool is_same_sign(const near_miss *m, size_t i)
{
    bool is_last = m->at + 1 == m->find.tokens.count;
    bool follows = is_last || (i + 1 < m->insert.tokens.count && m->origin[i + 1] == m->at + 1);
    return m->at > 0 && i > 0 && m->origin[i - 1] == m->at - 1 && follows;
}

/* Is it known what the replacement should have been? What was misread is repeated, or gone; what a
 * missing sign stands between is repeated both, or neither. */
static bool is_clear(const near_miss *m)
{
    size_t before = EM_NPOS, behind = EM_NPOS;
    for (size_t i = 0; i < m->insert.tokens.count; i++) {
        bool is_new = m->origin[i] == EM_NPOS;
        if (is_new && comes_anew(m, em_tokened_token(m->insert, i)))
            return false;
        if (m->wanted_count > 0 && m->origin[i] == m->at && is_sign(wanted_token(m), all_signs) &&
            !is_same_sign(m, i))
            return false;
        before = !is_new && m->origin[i] + 1 == m->at ? i : before;
        behind = !is_new && m->origin[i] == m->at ? i : behind;
    }
    bool is_missing = m->wanted_count == 0;
    if (lacks_end(m))
        return m->insert.tokens.count == 0 || m->end != EM_NPOS;
    return !is_missing || (before == EM_NPOS && behind == EM_NPOS) ||
           (before != EM_NPOS && before + 1 == behind);
}

/* A text with the file's token for that of the search text. origin[i] is the token of the search
 * text that its token i is; NULL: the same one. Behind its token `end` comes the sign that a line
 * lacks. */
static em_status mend(const near_miss *m, em_tokened t, const size_t *origin, size_t end,
                      em_arena *arena, em_slice *out)
{
    EM_AUTO(em_strbuf) buf = {0};
    size_t last = 0;
    for (size_t i = 0; i < t.tokens.count; i++) {
        size_t token = origin ? origin[i] : i;
        bool is_wanted = token == m->at && m->wanted_count > 0 && !(origin && goes_on(m, i));
        if (token == m->at && m->wanted_count == 0)
            em_strbuf_add(&buf, seen_token(m));
        em_strbuf_add(&buf, em_slice_sub(t.text, last, t.tokens.items[i].start));
        em_strbuf_add(&buf, is_wanted ? seen_token(m) : em_tokened_token(t, i));
        if (i == end && lacks_end(m))
            em_strbuf_add(&buf, seen_token(m));
        last = t.tokens.items[i].end;
    }
    em_strbuf_add(&buf, em_slice_from(t.text, last));
    return em_strbuf_keep(&buf, arena, out);
}

em_status em_near_miss_of(em_slice text, em_slice find, em_slice seen, em_slice insert,
                          em_deadline *deadline, em_arena *arena, em_near_miss *mended, bool *is)
{
    near_miss m = {.find = {.text = find}, .seen = {.text = seen}, .insert = {.text = insert}};
    *is = false;
    EM_TRY(em_tokens_of(find, EM_FOLD_WRITING, arena, &m.find.tokens));
    EM_TRY(em_tokens_of(seen, EM_FOLD_WRITING, arena, &m.seen.tokens));
    if (!find_difference(&m) || (!is_punctuation(&m) && !is_misread(&m, text, deadline)))
        return EM_OK;
    EM_TRY(em_tokens_of(insert, EM_FOLD_WRITING, arena, &m.insert.tokens));
    EM_TRY(em_redline(&m.find, &m.insert, arena, &m.origin));
    if (lacks_end(&m))
        EM_TRY(em_lost_end_find(m.find, m.insert, m.origin, seen_token(&m), arena, &m.end));
    *is = is_clear(&m);
    if (!*is)
        return EM_OK;
    EM_TRY(mend(&m, m.find, NULL, m.find.tokens.count - 1, arena, &mended->find));
    return mend(&m, m.insert, m.origin, m.end, arena, &mended->insert);
}
