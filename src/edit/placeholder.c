#include "edit/placeholder.h"

#include <ctype.h>
#include <stdint.h>
#include <strings.h>

enum { LONGEST_PLACEHOLDER = 120 }; /* bytes; a longer line says something of its own */

static const em_slice ELLIPSIS = {"\xE2\x80\xA6", 3}; /* U+2026 */

static bool is_blank(char byte)
{
    return byte == ' ' || byte == '\t' || byte == '\r';
}

static em_slice trim_blanks(em_slice s)
{
    while (s.len > 0 && is_blank(s.ptr[0]))
        s = em_slice_from(s, 1);
    while (s.len > 0 && is_blank(s.ptr[s.len - 1]))
        s.len--;
    return s;
}

/* The first line of *rest, which moves behind it. */
static em_slice next_line(em_slice *rest)
{
    const char *end = memchr(rest->ptr, '\n', rest->len);
    size_t length = end ? (size_t)(end - rest->ptr) : rest->len;
    em_slice line = em_slice_sub(*rest, 0, length);
    *rest = em_slice_from(*rest, end ? length + 1 : length);
    return line;
}

static bool has_line(em_slice text, em_slice wanted)
{
    while (text.len > 0)
        if (em_slice_eq(trim_blanks(next_line(&text)), wanted))
            return true;
    return false;
}

/* ---- The parts of a line ------------------------------------------------------------------- */

static bool take_prefix(em_slice *s, em_slice prefix)
{
    if (prefix.len == 0 || !em_slice_starts(*s, prefix))
        return false;
    *s = trim_blanks(em_slice_from(*s, prefix.len));
    return true;
}

static bool take_suffix(em_slice *s, em_slice suffix)
{
    if (suffix.len == 0 || s->len < suffix.len ||
        !em_slice_eq(em_slice_from(*s, s->len - suffix.len), suffix))
        return false;
    *s = trim_blanks(em_slice_sub(*s, 0, s->len - suffix.len));
    return true;
}

/* Take off what makes the line a comment, or puts it in brackets. */
static bool take_comment(em_slice *line)
{
    static const struct {
        em_slice opens, closes;
        bool comment;
    } marks[] = {
        {{"{/*", 3}, {"*/}", 3}, true},  {{"/*", 2}, {"*/", 2}, true},
        {{"<!--", 4}, {"-->", 3}, true}, {{"(*", 2}, {"*)", 2}, true},
        {{"//", 2}, {"", 0}, true},      {{"#", 1}, {"", 0}, true},
        {{"--", 2}, {"", 0}, true},      {{";", 1}, {"", 0}, true},
        {{"%", 1}, {"", 0}, true},       {{"[", 1}, {"]", 1}, false},
        {{"(", 1}, {")", 1}, false},
    };
    bool comment = false;
    for (size_t i = 0; i < sizeof marks / sizeof marks[0]; i++) {
        while (take_prefix(line, marks[i].opens)) {
            take_suffix(line, marks[i].closes);
            comment = comment || marks[i].comment;
        }
    }
    return comment;
}

static bool take_ellipsis(em_slice *line)
{
    bool found = false;
    while (take_prefix(line, ELLIPSIS) || take_prefix(line, EM_LIT("...")) ||
           take_suffix(line, ELLIPSIS) || take_suffix(line, EM_LIT("...")) ||
           (found && (take_prefix(line, EM_LIT(".")) || take_suffix(line, EM_LIT(".")))))
        found = true;
    return found;
}

/* ---- Its words ----------------------------------------------------------------------------- */

/* The next word of *rest in lower case; empty when something that is no word stands there, or at
 * the end of it. */
static size_t next_word(em_slice *rest, char word[16])
{
    while (rest->len > 0 && strchr(" \t,.:;()[]'", rest->ptr[0]))
        *rest = em_slice_from(*rest, 1);
    size_t length = 0;
    while (rest->len > 0 && isalpha((unsigned char)rest->ptr[0])) {
        if (length == 15)
            return 0;
        word[length++] = (char)tolower((unsigned char)rest->ptr[0]);
        *rest = em_slice_from(*rest, 1);
    }
    word[length] = '\0';
    return length;
}

static bool is_word_of(const char *word, const char *const *list)
{
    for (; *list; list++)
        if (strcmp(word, *list) == 0)
            return true;
    return false;
}

/* Words that say by themselves that something was left out, and those that go with them. */
static const char *const telling[] = {"rest", "remaining", "remainder",  "existing", "unchanged",
                                      "same", "previous",  "omitted",    "elided",   "truncated",
                                      "snip", "original",  "unmodified", "brevity",  NULL};
static const char *const going_along[] = {
    "of",      "the",     "code",       "file",       "function",       "functions", "method",
    "methods", "class",   "classes",    "body",       "implementation", "content",   "contents",
    "line",    "lines",   "is",         "are",        "stays",          "stay",      "remains",
    "remain",  "as",      "other",      "others",     "everything",     "else",      "here",
    "import",  "imports", "test",       "tests",      "module",         "logic",     "and",
    "in",      "this",    "for",        "keep",       "kept",           "your",      "my",
    "fields",  "props",   "properties", "statements", "definitions",    "cases",     "entries",
    "items",   "section", "component",  "html",       "markup",         "styles",    "config",
    "no",      "change",  "changes",    "not",        "shown",          "before",    "above",
    "below",   "more",    "etc",        "all",        "block",          "blocks",    "part",
    NULL};

/* Only words of leaving out, and one that tells? */
static bool says_only_that(em_slice words)
{
    bool tells = false;
    char word[16];
    while (next_word(&words, word) > 0) {
        bool telling_word = is_word_of(word, telling);
        if (!telling_word && !is_word_of(word, going_along))
            return false;
        tells = tells || telling_word;
    }
    return tells && words.len == 0;
}

static bool is_fixed_phrase(em_slice words)
{
    static const char *const phrases[] = {
        "existing code",
        "existing code here",
        "existing code unchanged",
        "existing code stays",
        "existing implementation",
        "existing logic",
        "existing methods",
        "existing functions",
        "existing content",
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
        "previous code here",
        "original code",
        "original code here",
    };
    while (words.len > 0 && (words.ptr[words.len - 1] == '.' || words.ptr[words.len - 1] == ':'))
        words.len--;
    for (size_t i = 0; i < sizeof phrases / sizeof phrases[0]; i++)
        if (strlen(phrases[i]) == words.len && strncasecmp(phrases[i], words.ptr, words.len) == 0)
            return true;
    return false;
}

static bool leaves_out(em_slice line)
{
    if (line.len == 0 || line.len > LONGEST_PLACEHOLDER)
        return false;
    bool comment = take_comment(&line);
    bool ellipsis = take_ellipsis(&line);
    if (line.len == 0)
        return comment && ellipsis;
    if (ellipsis)
        return says_only_that(line);
    return comment && is_fixed_phrase(line);
}

bool em_elides(em_slice line)
{
    line = trim_blanks(line);
    if (leaves_out(line))
        return true;
    take_comment(&line);
    bool opens = take_prefix(&line, ELLIPSIS) || take_prefix(&line, EM_LIT("..."));
    return opens &&
           (line.len == 0 || take_suffix(&line, ELLIPSIS) || take_suffix(&line, EM_LIT("...")));
}

em_slice em_placeholder_in(em_slice replacement, em_slice search)
{
    while (replacement.len > 0) {
        em_slice line = trim_blanks(next_line(&replacement));
        if (leaves_out(line) && !has_line(search, line))
            return line;
    }
    return (em_slice){0};
}
