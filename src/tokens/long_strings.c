#include "tokens/long_strings.h"

#include "base/ascii.h"
#include "base/line.h"
#include "text/text.h"
#include "tokens/here_document.h"

typedef struct scanner {
    em_slice text;
    size_t at;
    em_slice open;    /* the sign of the string that is open, or the word that ends the document */
    bool is_document; /* of one that begins in the next line, or began above */
    size_t start;     /* of what is between; EM_NPOS: the string began in this line */
    em_long_strings *found;
} scanner;

static em_slice three_quotes(em_slice rest)
{
    bool are = em_slice_starts(rest, EM_LIT("\"\"\"")) || em_slice_starts(rest, EM_LIT("'''"));
    return em_slice_sub(rest, 0, are ? 3 : 0);
}

static void note(scanner *s, size_t end)
{
    if (s->found->count == EM_MOST_LONG_STRINGS)
        s->found->are_clear = false;
    else
        s->found->items[s->found->count++] = (em_long_string){s->start, end, s->is_document};
}

/* Behind a string that ends in the line that it begins in; EM_NPOS: it does not. */
static size_t behind_short_string(em_slice text, size_t at, size_t end)
{
    for (size_t i = at + 1; i < end; i++) {
        if (text.ptr[i] == '\\')
            i++;
        else if (text.ptr[i] == text.ptr[at])
            return i + 1;
    }
    return EM_NPOS;
}

/* A quote that ends its line, as an argument of a shell's does: an apostrophe stands in a word. */
static bool begins_at_end(em_slice text, size_t line, size_t at, size_t end)
{
    return at > line && at + 1 == end && em_is_one_of(text.ptr[at - 1], " \t=");
}

static bool begins_comment(em_slice text, size_t line, size_t at)
{
    bool is_apart = at == line || em_is_space_or_tab(text.ptr[at - 1]);
    return is_apart &&
           (text.ptr[at] == '#' || em_slice_starts(em_slice_from(text, at), EM_LIT("//")));
}

/* The sign of a string that may go over several lines, where one begins; else empty. */
static em_slice sign_at(const scanner *s, size_t line, size_t end)
{
    em_slice rest = em_slice_sub(s->text, s->at, end), sign = three_quotes(rest);
    bool is_quote = rest.ptr[0] != '`';
    if (sign.len == 0 && (!is_quote || begins_at_end(s->text, line, s->at, end)))
        sign = em_slice_sub(rest, 0, 1);
    return sign;
}

static void read_quote(scanner *s, size_t line, size_t end)
{
    em_slice sign = sign_at(s, line, end);
    size_t behind = sign.len == 0 ? behind_short_string(s->text, s->at, end) : EM_NPOS;
    if (sign.len > 0) {
        s->open = sign;
        s->start = EM_NPOS;
        s->at += sign.len;
    } else {
        s->at = behind != EM_NPOS ? behind : s->at + 1;
    }
}

/* What begins at s->at, where no string is open; `end` is that of the line, which begins at `line`.
 */
static void read_code(scanner *s, size_t line, size_t end)
{
    char byte = s->text.ptr[s->at];
    if (em_is_one_of(byte, "'\"`")) {
        read_quote(s, line, end);
        return;
    }
    em_slice word = {0};
    if (byte == '<')
        word = em_here_document_at(em_slice_sub(s->text, s->at, end)).word;
    s->at++;
    if (word.len > 0) {
        s->is_document = true;
        s->open = word;
    }
    if (word.len > 0 || begins_comment(s->text, line, s->at - 1))
        s->at = end; /* behind a document's word may stand more, but no other document */
}

static void read_string(scanner *s, size_t end)
{
    em_slice rest = em_slice_sub(s->text, s->at, end);
    if (rest.ptr[0] == '\\') {
        s->at += rest.len > 1 ? 2 : 1;
    } else if (em_slice_starts(rest, s->open)) {
        if (s->start != EM_NPOS)
            note(s, s->at);
        s->at += s->open.len;
        s->open = (em_slice){0};
    } else {
        s->at++;
    }
}

static void read_line(scanner *s, size_t line, size_t end)
{
    if (s->is_document && s->open.ptr && s->start != EM_NPOS) {
        s->at = end;
        if (!em_slice_eq(em_trimmed(em_slice_sub(s->text, line, end)), s->open))
            return;
        note(s, end);
        s->open = (em_slice){0};
        s->is_document = false;
        return;
    }
    while (s->at < end && !(s->is_document && s->open.ptr)) {
        if (s->open.ptr)
            read_string(s, end);
        else
            read_code(s, line, end);
    }
    s->at = end;
    if (s->open.ptr && s->start == EM_NPOS)
        s->start = end;
}

em_long_strings em_long_strings_of(em_slice text)
{
    em_long_strings found = {.are_clear = true};
    scanner s = {.text = text, .start = EM_NPOS, .found = &found};
    while (s.at < text.len) {
        size_t line = s.at, end = line + em_line_length(em_slice_from(text, line));
        if (!s.open.ptr)
            s.start = EM_NPOS;
        read_line(&s, line, end);
        s.at = end + em_eol_length_at(text, end);
    }
    found.are_clear &= !s.open.ptr;
    return found;
}
