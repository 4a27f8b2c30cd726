/* whole_strings.c: are strings to be left out, the texts without their lines, and these put back.
 */
#include "laying/whole_strings.h"

#include "base/line.h"
#include "base/strbuf.h"
#include "match/token_line.h"
#include "text/text.h"
#include "tokens/long_strings.h"

#include <stdio.h>

/* The word that stands for a string, with a blank before it, and one behind it where the string's
 * end follows in the line. */
#define WORD "emend_string_"
#define WORD_FORMAT WORD "%zu_"

/* ---- Whether they are to be left out --------------------------------------------------------- */

static em_slice inner_of(em_slice text, const em_long_string *in)
{
    return em_slice_sub(text, in->start, in->end);
}

/* One edit, and the strings of its search text by its tokens. */
typedef struct edit {
    em_slice text;
    const em_tolerant_place *place;
    em_long_strings find, insert;
    size_t from[EM_MOST_LONG_STRINGS],
        to[EM_MOST_LONG_STRINGS];         /* tokens within a string of the search text */
    size_t is_find[EM_MOST_LONG_STRINGS]; /* which of the search text each of the replacement is */
} edit;

/* Between which tokens of the text the strings are; `start` is where it begins for the tokens.
 * False where one does not begin and end between two. */
static bool find_tokens(const em_long_strings *of, const em_token *tokens, size_t count,
                        size_t start, size_t *from, size_t *to)
{
    size_t at = 0;
    for (size_t i = 0; i < of->count; i++) {
        const em_long_string *in = &of->items[i];
        while (at < count && tokens[at].start - start < in->start)
            at++;
        from[i] = at;
        while (at < count && tokens[at].start - start < in->end)
            at++;
        to[i] = at;
        bool ends = in->is_document ? at > from[i] && tokens[at - 1].end - start == in->end
                                    : at < count && tokens[at].start - start == in->end;
        if (from[i] == 0 || tokens[from[i] - 1].end - start > in->start || !ends)
            return false;
    }
    return true;
}

/* Has the file strings between the same tokens, and nowhere else? */
static bool are_in_file(edit *e)
{
    const em_tolerant_place *p = e->place;
    em_long_strings seen = em_long_strings_of(em_slice_sub(e->text, p->span.start, p->span.end));
    size_t count = p->find_tokens.count, from[EM_MOST_LONG_STRINGS], to[EM_MOST_LONG_STRINGS];
    if (!seen.are_clear || seen.count != e->find.count ||
        !find_tokens(&e->find, p->find_tokens.items, count, 0, e->from, e->to) ||
        !find_tokens(&seen, p->tokens, count, p->span.start, from, to))
        return false;
    for (size_t i = 0; i < seen.count; i++)
        if (from[i] != e->from[i] || to[i] != e->to[i] ||
            seen.items[i].is_document != e->find.items[i].is_document)
            return false;
    return true;
}

/* The last token whose indentation is the string's: its end may stand in a line of its own. */
static size_t last_of(const edit *e, size_t string)
{
    return e->find.items[string].is_document ? e->to[string] - 1 : e->to[string];
}

/* Do all lines of the strings stand as in the file, and some other line not? */
static bool stand_alone(const edit *e)
{
    em_tokened find = em_place_find(e->place);
    em_slice old, seen;
    bool other = false;
    for (size_t i = 0, string = 0; i < find.tokens.count; i++) {
        while (string < e->find.count && last_of(e, string) < i)
            string++;
        if (!em_line_indent(find, i, &old) || !em_seen_indent(e->text, e->place, i, &seen))
            continue;
        bool stands = em_slice_eq(old, seen);
        if (string < e->find.count && i >= e->from[string] && !stands)
            return false;
        other |= (string == e->find.count || i < e->from[string]) && !stands;
    }
    return other;
}

/* Is each string of the replacement one of the search text, byte by byte? */
static bool are_repeated(edit *e)
{
    bool used[EM_MOST_LONG_STRINGS] = {0};
    for (size_t i = 0; i < e->insert.count; i++) {
        em_slice own = inner_of(e->place->insert, &e->insert.items[i]);
        size_t is = EM_NPOS;
        for (size_t j = e->find.count; j-- > 0;)
            if (em_slice_eq(own, inner_of(e->place->find, &e->find.items[j])) &&
                e->insert.items[i].is_document == e->find.items[j].is_document &&
                (is == EM_NPOS || !used[j]))
                is = j;
        if (is == EM_NPOS)
            return false;
        used[is] = true;
        e->is_find[i] = is;
    }
    return true;
}

static bool has_word(em_slice text)
{
    em_slice word = EM_LIT(WORD);
    for (size_t i = 0; i + word.len <= text.len; i++)
        if (text.ptr[i] == word.ptr[0] && em_slice_starts(em_slice_from(text, i), word))
            return true;
    return false;
}

/* ---- Left out -------------------------------------------------------------------------------- */

static void add_word(em_strbuf *out, size_t index, bool is_document)
{
    em_strbuf_printf(out, " " WORD_FORMAT, index);
    if (!is_document)
        em_strbuf_putc(out, ' ');
}

/* `text` with a word for each of its strings: the one of the search text's string words[i]. */
static em_status without_strings(em_slice text, const em_long_strings *of, const size_t *words,
                                 em_arena *arena, em_slice *out)
{
    em_strbuf buf = {0};
    size_t done = 0;
    for (size_t i = 0; i < of->count; i++) {
        em_strbuf_add(&buf, em_slice_sub(text, done, of->items[i].start));
        add_word(&buf, words[i], of->items[i].is_document);
        done = of->items[i].end;
    }
    em_strbuf_add(&buf, em_slice_from(text, done));
    em_status status = em_strbuf_keep(&buf, arena, out);
    em_strbuf_drop(&buf);
    return status;
}

/* Whole lines around the place. */
static em_span lines_around(em_slice text, em_span place)
{
    em_span span = {place.start - em_least(place.start, EM_WHOLE_STRINGS_REACH),
                    place.end + em_least(text.len - place.end, EM_WHOLE_STRINGS_REACH)};
    while (span.start > 0 && span.start < place.start &&
           !em_is_line_break(text.ptr[span.start - 1]))
        span.start++;
    if (span.start > 0 && !em_is_line_break(text.ptr[span.start - 1]))
        span.start = 0; /* a line longer than that */
    while (span.end < text.len && !em_is_line_break(text.ptr[span.end]))
        span.end++;
    return span;
}

/* The file around the place, and in it the tokens that the search text has then: `count` of them.
 */
static em_status cut_file(const edit *e, em_arena *arena, em_whole_strings *whole,
                          size_t *tokens_cut)
{
    const em_tolerant_place *p = e->place;
    em_span around = lines_around(e->text, p->span);
    em_strbuf buf = {0};
    size_t done = around.start, count = 0;
    em_token *tokens = em_alloc_array(arena, p->find_tokens.count + e->find.count, sizeof *tokens);
    if (!tokens)
        return EM_E_NOMEM;
    for (size_t i = 0, string = 0; i <= p->find_tokens.count; i++) {
        if (string < e->find.count && i == e->from[string]) {
            bool is_document = e->find.items[string].is_document;
            size_t from = p->tokens[i - 1].end, last = e->to[string];
            size_t to = is_document ? p->tokens[last - 1].end : p->tokens[last].start;
            em_strbuf_add(&buf, em_slice_sub(e->text, done, from));
            tokens[count].start = buf.len + 1;
            add_word(&buf, string, is_document);
            tokens[count++].end = buf.len - !is_document;
            whole->items[string++] =
                (em_whole_string){em_slice_sub(e->text, from, to), is_document};
            done = to;
            i = last;
        }
        if (i == p->find_tokens.count)
            break;
        size_t at = buf.len + p->tokens[i].start - done;
        tokens[count++] = (em_token){at, at + p->tokens[i].end - p->tokens[i].start};
    }
    whole->place.span.start = p->span.start - around.start;
    whole->place.span.end = buf.len + p->span.end - done;
    em_strbuf_add(&buf, em_slice_sub(e->text, done, around.end));
    whole->place.tokens = tokens;
    *tokens_cut = count;
    em_status status = em_strbuf_keep(&buf, arena, &whole->text);
    em_strbuf_drop(&buf);
    return status;
}

em_status em_take_whole_strings(em_slice text, const em_tolerant_place *place, em_arena *arena,
                                em_whole_strings *whole)
{
    static const size_t in_order[EM_MOST_LONG_STRINGS] = {0, 1, 2, 3, 4, 5, 6, 7};
    edit e = {.text = text, .place = place, .find = em_long_strings_of(place->find)};
    size_t count;
    whole->count = 0;
    if (e.find.count == 0 || !e.find.are_clear || place->elided || !are_in_file(&e) ||
        !stand_alone(&e))
        return EM_OK;
    e.insert = em_long_strings_of(place->insert);
    if (!e.insert.are_clear || !are_repeated(&e) || has_word(place->find) ||
        has_word(place->insert))
        return EM_OK;
    whole->place = *place;
    whole->place.habits = NULL;
    whole->items = em_alloc_array(arena, e.find.count, sizeof *whole->items);
    if (!whole->items)
        return EM_E_NOMEM;
    EM_TRY(without_strings(place->find, &e.find, in_order, arena, &whole->place.find));
    EM_TRY(without_strings(place->insert, &e.insert, e.is_find, arena, &whole->place.insert));
    EM_TRY(em_tokens_of(whole->place.find, place->fold, arena, &whole->place.find_tokens));
    EM_TRY(cut_file(&e, arena, whole, &count));
    whole->count = count == whole->place.find_tokens.count ? e.find.count : 0;
    whole->repeated = e.insert.count;
    return EM_OK;
}

/* ---- Put back -------------------------------------------------------------------------------- */

/* The word that begins at `at`, and how long it is; EM_NPOS: none does. */
static size_t word_at(em_slice laid, size_t at, size_t count, size_t *length)
{
    for (size_t i = 0; i < count; i++) {
        char word[sizeof WORD + 24];
        *length = (size_t)snprintf(word, sizeof word, WORD_FORMAT, i);
        if (em_slice_starts(em_slice_from(laid, at), em_slice_make(word, *length)))
            return i;
    }
    return EM_NPOS;
}

em_status em_put_strings_back(const em_whole_strings *whole, em_slice laid, em_arena *arena,
                              em_slice *out, bool *sound)
{
    em_strbuf buf = {0};
    size_t done = 0, length, count = 0;
    for (size_t at = 0; at < laid.len && *sound; at++) {
        size_t string =
            laid.ptr[at] == WORD[0] ? word_at(laid, at, whole->count, &length) : EM_NPOS;
        if (string == EM_NPOS)
            continue;
        em_whole_string is = whole->items[string];
        size_t end = at + length;
        *sound = at > done && laid.ptr[at - 1] == ' ' &&
                 (is.is_document || (end < laid.len && laid.ptr[end] == ' '));
        if (!*sound)
            break;
        em_strbuf_add(&buf, em_slice_sub(laid, done, at - 1));
        em_strbuf_add(&buf, is.inner);
        count++;
        done = end + !is.is_document;
        at = done - 1;
    }
    *sound = *sound && count == whole->repeated;
    em_strbuf_add(&buf, em_slice_from(laid, done));
    em_status status = em_strbuf_keep(&buf, arena, out);
    em_strbuf_drop(&buf);
    return status;
}
