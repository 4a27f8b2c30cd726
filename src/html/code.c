#include "html/code.h"

#include "base/ascii.h"
#include "html/elements.h"
#include "html/tag.h"

/* ---- What is looked for -----------------------------------------------------------------------
 * Each mark is looked for once on the way through a page, so that a page of nothing but beginnings
 * without ends takes no longer than another. */

typedef enum em_code_mark {
    END_OF_PHP,
    END_OF_PERCENT,
    END_OF_BRACES,
    END_OF_STATEMENT,
    END_OF_COMMENT,
    END_OF_HASH,
    END_OF_STAR,
    END_OF_SCRIPT_COMMENT,
    END_OF_RAZOR_COMMENT,
    END_OF_MARKUP_COMMENT,
    END_OF_PERCENT_COMMENT,
    END_OF_COMMENT_BLOCK,
    NEXT_BRACES,
    NEXT_STATEMENT,
    NEXT_PERCENT_END,
    NEXT_TAG,
} em_code_mark;

static const char mark_texts[EM_CODE_MARKS][sizeof "endcomment"] = {
    [END_OF_PHP] = "?>",
    [END_OF_PERCENT] = "%>",
    [END_OF_BRACES] = "}}",
    [END_OF_STATEMENT] = "%}",
    [END_OF_COMMENT] = "--}}",
    [END_OF_HASH] = "#}",
    [END_OF_STAR] = "*}",
    [END_OF_SCRIPT_COMMENT] = "*/}",
    [END_OF_RAZOR_COMMENT] = "*@",
    [END_OF_MARKUP_COMMENT] = "-->",
    [END_OF_PERCENT_COMMENT] = "--%>",
    [END_OF_COMMENT_BLOCK] = "endcomment",
    [NEXT_BRACES] = "{{",
    [NEXT_STATEMENT] = "{%",
    [NEXT_PERCENT_END] = "</%",
};

static bool begins_markup(em_slice bytes, size_t at)
{
    return em_tag_starts(bytes, at) || em_tag_ends(bytes, at) ||
           (at + 1 < bytes.len && bytes.ptr[at] == '<' && bytes.ptr[at + 1] == '!');
}

static size_t search_tag(em_slice bytes, size_t from)
{
    while (from < bytes.len) {
        const char *less = memchr(bytes.ptr + from, '<', bytes.len - from);
        if (!less)
            return EM_NPOS;
        from = (size_t)(less - bytes.ptr);
        if (begins_markup(bytes, from))
            return from;
        from++;
    }
    return EM_NPOS;
}

static size_t search(em_slice bytes, size_t from, em_code_mark mark)
{
    if (mark == NEXT_TAG)
        return search_tag(bytes, from);
    const char *text = mark_texts[mark];
    const char *found =
        from < bytes.len ? memmem(bytes.ptr + from, bytes.len - from, text, strlen(text)) : NULL;
    return found ? (size_t)(found - bytes.ptr) : EM_NPOS;
}

/* Where the first of that kind begins at or behind `from`; EM_NPOS: nowhere. */
static size_t next(em_code_reader *reader, size_t from, em_code_mark mark)
{
    size_t *since = &reader->marks[mark].from, *at = &reader->marks[mark].at;
    bool known = *since > 0 && (*at == EM_NPOS || from <= *at);
    if (!known) {
        *at = search(reader->bytes, from, mark);
        *since = from;
    }
    if (from >= *since)
        return *at;
    size_t most = *since + sizeof *mark_texts < reader->bytes.len ? *since + sizeof *mark_texts
                                                                  : reader->bytes.len;
    size_t before = search(em_slice_sub(reader->bytes, 0, most), from, mark);
    *at = before != EM_NPOS ? before : *at;
    *since = from;
    return *at;
}

static size_t behind(em_code_reader *reader, size_t from, em_code_mark mark)
{
    size_t at = next(reader, from, mark);
    return at == EM_NPOS ? EM_NPOS : at + strlen(mark_texts[mark]);
}

/* ---- Strings --------------------------------------------------------------------------------- */

/* Those of code, on a walk through it from left to right. */
typedef struct em_code_strings {
    em_slice bytes; /* to where they may end */
    size_t start;   /* of the code: what stands before it says nothing */
    size_t open[3]; /* by the kind of quote: one that begins before there has no end */
} em_code_strings;

/* Behind the string that begins at `at`, where it is clear that one does: no letter stands
 * directly beside its quotes, and it ends on its line. */
static size_t string_end(em_code_strings *s, size_t at)
{
    static const char quotes[] = "\"'`";
    em_slice bytes = s->bytes;
    char quote = bytes.ptr[at];
    const char *kind = quote ? strchr(quotes, quote) : NULL;
    if (!kind || at < s->open[kind - quotes] ||
        (at > s->start && em_is_word_byte(bytes.ptr[at - 1])))
        return at;
    size_t i = at + 1;
    for (; i < bytes.len && bytes.ptr[i] != '\n'; i++) {
        if (bytes.ptr[i] == '\\')
            i++;
        else if (bytes.ptr[i] == quote)
            return i + 1 < bytes.len && em_is_word_byte(bytes.ptr[i + 1]) ? at : i + 1;
    }
    s->open[kind - quotes] = i;
    return at;
}

/* ---- PHP and the like ------------------------------------------------------------------------ */

/* Where the line begins that `at` is on, or `start`, if that comes later. Of a line that goes on
 * for long: any place far before `at`. */
static size_t line_start(em_slice bytes, size_t start, size_t at)
{
    size_t line = at;
    while (line > start && at - line <= EM_CODE_NEARBY && bytes.ptr[line - 1] != '\n')
        line--;
    return line;
}

/* Does a comment begin at `at` that ends with its line, and with PHP? */
static bool begins_line_comment(em_slice bytes, size_t at)
{
    return bytes.ptr[at] == '#' || (bytes.ptr[at] == '/' && bytes.ptr[at + 1] == '/');
}

/* Behind the string of PHP that begins on its line behind `start` and holds the "?>" before `end`;
 * `end`: none does. */
static size_t string_around(em_slice page, size_t start, size_t end)
{
    size_t most = page.len - end < EM_CODE_NEARBY ? page.len : end + EM_CODE_NEARBY;
    size_t mark = end - 2, i = line_start(page, start, mark);
    em_code_strings strings = {.bytes = em_slice_sub(page, 0, most), .start = i};
    while (i < mark && mark - i <= EM_CODE_NEARBY && !begins_line_comment(page, i)) {
        size_t to = string_end(&strings, i);
        if (to > mark)
            return to;
        i = to > i ? to : i + 1;
    }
    return end;
}

/* Behind the first "?>" at or behind `at` that stands in no string: '<?xml version="1.0"?>'. */
static size_t php_closed(em_code_reader *reader, size_t at)
{
    size_t end = behind(reader, at, END_OF_PHP), string;
    while (end != EM_NPOS && (string = string_around(reader->bytes, at, end)) > end) {
        at = string;
        end = behind(reader, at, END_OF_PHP);
    }
    return end;
}

/* "<?php", "<?=" and "<? "; "<?xml ...>" is a comment like any other. PHP needs no end. */
static size_t php_end(em_code_reader *reader, size_t at)
{
    em_slice bytes = reader->bytes, rest = em_slice_from(bytes, at + 2);
    bool named = rest.len >= 3 && em_same_in_any_case(em_slice_sub(rest, 0, 3), EM_LIT("php"));
    bool echo = rest.len > 0 && rest.ptr[0] == '=';
    bool shorthand = rest.len > 0 && em_html_space(rest.ptr[0]);
    if (!named && !echo && !shorthand)
        return at;
    size_t end = php_closed(reader, at + 2);
    if (end != EM_NPOS)
        return end;
    return shorthand ? at : bytes.len;
}

/* A tag of Mako, <%a b="c">, on a page that has end tags of it: that is a directive. */
static bool begins_mako(em_code_reader *reader, size_t at)
{
    em_slice rest = em_slice_from(reader->bytes, at + 2);
    if (!em_is_letter(rest.ptr[0]) || next(reader, at, NEXT_PERCENT_END) == EM_NPOS)
        return false;
    const char *closing =
        memchr(rest.ptr, '>', rest.len < EM_CODE_NEARBY ? rest.len : EM_CODE_NEARBY);
    return closing && closing[-1] != '%';
}

/* "<% ... %>", and the comments <%-- ... --%>, which can hold other code. `at`: it has no end. */
static size_t percent_end(em_code_reader *reader, size_t at)
{
    if (begins_mako(reader, at))
        return at;
    bool comment = em_slice_starts(em_slice_from(reader->bytes, at + 2), EM_LIT("--"));
    size_t end = comment ? behind(reader, at + 4, END_OF_PERCENT_COMMENT) : EM_NPOS;
    if (end == EM_NPOS)
        end = behind(reader, at + 2, END_OF_PERCENT);
    return end == EM_NPOS ? at : end;
}

/* ---- Braces --------------------------------------------------------------------------------- */

typedef enum em_code_verdict { IS_CODE, IS_NO_CODE, IS_IN_DOUBT } em_code_verdict;

/* What stands between the braces, on a walk from their beginning to their end. */
typedef struct em_braces {
    em_slice bytes;   /* to the end of the inside, no further */
    size_t start, at; /* of the inside; how far it was read */
    em_code_strings strings;
    bool comment;   /* nothing in it is a string or an operator */
    size_t greater; /* the next '>', as far as it was looked for */
    size_t opened;  /* elements that are open */
    size_t starts, ends, declarations;
    bool goes_below; /* an end tag of what began before */
    bool goes_on;    /* and a start tag behind that */
} em_braces;

/* Is what stands before `at` something that can be compared? */
static bool follows_operand(const em_braces *b, size_t at)
{
    while (at > b->start && em_html_space(b->bytes.ptr[at - 1]))
        at--;
    return at > b->start &&
           (em_is_word_byte(b->bytes.ptr[at - 1]) || em_is_one_of(b->bytes.ptr[at - 1], ")]}\"'"));
}

/* Where the tag that begins at `at` would end, if there are but names and values in it; EM_NPOS. */
static size_t plain_tag_end(em_braces *b, size_t at)
{
    if (b->greater < at) {
        const char *found = memchr(b->bytes.ptr + at, '>', b->bytes.len - at);
        b->greater = found ? (size_t)(found - b->bytes.ptr) : EM_NPOS;
    }
    if (b->greater == EM_NPOS)
        return EM_NPOS;
    for (size_t i = at + 1; i < b->greater; i++)
        if (em_is_one_of(b->bytes.ptr[i], "<(){}[]|&?!+*$^\\"))
            return EM_NPOS;
    return b->greater + 1;
}

/* Does the tag in [at, end) begin something that needs an end? */
static bool needs_end(const em_braces *b, size_t at, size_t end)
{
    em_tag tag;
    em_tag_open(&tag, em_slice_sub(b->bytes, 0, end), at, NULL, NULL);
    return b->bytes.ptr[end - 2] != '/' &&
           !em_html_is_void(em_slice_sub(b->bytes, tag.name.start, tag.name.end));
}

static void pass_start_tag(em_braces *b)
{
    size_t end = plain_tag_end(b, b->at);
    if (end != EM_NPOS || b->comment || !follows_operand(b, b->at)) {
        b->starts++;
        b->goes_on |= b->goes_below;
        b->opened += end == EM_NPOS || needs_end(b, b->at, end);
    }
    b->at = end == EM_NPOS ? b->at + 1 : end;
}

static void pass_end_tag(em_braces *b)
{
    b->ends++;
    b->goes_below |= b->opened == 0;
    b->opened -= b->opened > 0;
    b->at += 2;
}

static void walk_braces(em_braces *b)
{
    b->at = b->start;
    b->strings = (em_code_strings){.bytes = b->bytes, .start = b->start};
    while (b->at < b->bytes.len) {
        size_t behind_string = b->comment ? b->at : string_end(&b->strings, b->at);
        if (behind_string > b->at) {
            b->at = behind_string;
        } else if (em_tag_starts(b->bytes, b->at)) {
            pass_start_tag(b);
        } else if (em_tag_ends(b->bytes, b->at)) {
            pass_end_tag(b);
        } else {
            b->declarations += begins_markup(b->bytes, b->at);
            b->at++;
        }
    }
}

/* Behind the first `closing` that is in no string that began within. */
static size_t braces_closed(em_code_reader *reader, size_t at, em_code_mark closing)
{
    em_slice bytes = reader->bytes;
    size_t first = behind(reader, at + 2, closing);
    if (first == EM_NPOS || first - at > EM_CODE_NEARBY)
        return EM_NPOS;
    size_t most = bytes.len - at < EM_CODE_NEARBY ? bytes.len : at + EM_CODE_NEARBY;
    em_code_strings strings = {.bytes = em_slice_sub(bytes, 0, most), .start = at + 2};
    bool nested =
        next(reader, at + 2, closing == END_OF_BRACES ? NEXT_BRACES : NEXT_STATEMENT) < first;
    for (size_t i = at + 2; i + 2 < first && !nested; i++) {
        size_t end = string_end(&strings, i);
        if (end <= i)
            continue;
        if (end <= first - 2) {
            i = end - 1;
            continue;
        }
        em_slice text = em_slice_sub(bytes, i, end);
        bool begins = memmem(text.ptr, text.len, "{{", 2) || memmem(text.ptr, text.len, "{%", 2);
        size_t second = begins ? EM_NPOS : behind(reader, end, closing);
        return second == EM_NPOS || second > most || next(reader, end, NEXT_TAG) < second ? first
                                                                                          : second;
    }
    return first;
}

/* Is it what Svelte begins a block with: {#if a}? */
static bool begins_svelte(em_slice rest)
{
    static const char *const words[] = {"if ", "each ", "await ", "key ", "snippet "};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (em_slice_starts(rest, em_slice_of(words[i])))
            return true;
    return false;
}

/* The name of the statement {% name ... %}, of which `rest` is what stands behind "{%". */
static em_slice statement_name(em_slice rest)
{
    size_t start = 0, end;
    while (start < rest.len &&
           (em_html_space(rest.ptr[start]) || em_is_one_of(rest.ptr[start], "-+~")))
        start++;
    for (end = start; end < rest.len && em_is_word_byte(rest.ptr[end]);)
        end++;
    return em_slice_sub(rest, start, end);
}

/* Behind {% comment %} ... {% endcomment %} at `at`; EM_NPOS: nothing of the kind begins there. */
static size_t comment_block_end(em_code_reader *reader, size_t at)
{
    em_slice bytes = reader->bytes;
    if (!em_slice_is(statement_name(em_slice_from(bytes, at + 2)), "comment"))
        return EM_NPOS;
    size_t word = next(reader, at + 2, END_OF_COMMENT_BLOCK), last = word;
    while (last != EM_NPOS && (em_html_space(bytes.ptr[last - 1]) || bytes.ptr[last - 1] == '-'))
        last--;
    if (last == EM_NPOS || !em_slice_starts(em_slice_from(bytes, last - 2), EM_LIT("{%")))
        return EM_NPOS;
    return behind(reader, word, END_OF_STATEMENT);
}

/* Behind a comment that begins at `at`; EM_NPOS: none does, or it has no end. An asterisk is often
 * no more than that, so that its end must be nearby. */
static size_t comment_end(em_code_reader *reader, size_t at)
{
    em_slice bytes = reader->bytes, rest = em_slice_from(bytes, at + 2);
    char second = bytes.ptr[at + 1];
    if (second == '*') {
        size_t end =
            behind(reader, at + 2, bytes.ptr[at] == '@' ? END_OF_RAZOR_COMMENT : END_OF_STAR);
        return end != EM_NPOS && end - at <= EM_CODE_NEARBY ? end : EM_NPOS;
    }
    if (second == '#' && !begins_svelte(rest))
        return behind(reader, at + 2, END_OF_HASH);
    if (second == '%')
        return comment_block_end(reader, at);
    if (second == '/')
        return behind(reader, at + 3, END_OF_SCRIPT_COMMENT);
    bool dashes = em_slice_starts(rest, EM_LIT("--")) || em_slice_starts(rest, EM_LIT("!--"));
    return second == '{' && dashes ? behind(reader, at + 2, END_OF_COMMENT) : EM_NPOS;
}

/* Behind what begins at `at`, be it a comment or not; EM_NPOS: it has no end. */
static size_t read_end(em_code_reader *reader, size_t at, bool *comment)
{
    char second = reader->bytes.ptr[at + 1];
    size_t end = comment_end(reader, at);
    *comment = end != EM_NPOS;
    if (end != EM_NPOS || (second != '{' && second != '%'))
        return end;
    return braces_closed(reader, at, second == '%' ? END_OF_STATEMENT : END_OF_BRACES);
}

static em_code_verdict judge(em_code_reader *reader, const em_braces *b, em_code_doubt *doubt)
{
    size_t first = doubt->start + 2;
    while (em_html_space(b->bytes.ptr[first]))
        first++;
    doubt->even = b->opened == 0 && !b->goes_below && b->declarations == 0;
    doubt->masked = b->ends == 0 && b->declarations == 0;
    if (b->starts + b->ends + b->declarations == 0 || (b->comment && doubt->even))
        return IS_CODE;
    if (b->goes_on || (doubt->even && begins_markup(reader->bytes, first)))
        return IS_NO_CODE;
    return IS_IN_DOUBT;
}

/* How is what begins with braces at `at` to be read? */
static em_code_verdict read_braces(em_code_reader *reader, size_t at, em_code_doubt *doubt)
{
    em_slice bytes = reader->bytes;
    bool comment;
    size_t end = read_end(reader, at, &comment);
    *doubt = (em_code_doubt){.start = at, .end = end};
    if (end == EM_NPOS || (comment && at > reader->no_comment.start && at < reader->no_comment.end))
        return IS_NO_CODE;
    if (next(reader, at + 2, NEXT_TAG) >= end)
        return IS_CODE;
    em_code_mark same = bytes.ptr[at + 1] == '%' ? NEXT_STATEMENT : NEXT_BRACES;
    if (!comment && next(reader, at + 2, same) < end - 2)
        return IS_NO_CODE; /* that one is the beginning of what ends here */
    em_braces b = {.bytes = em_slice_sub(bytes, 0, end - 2), .start = at + 2, .comment = comment};
    b.comment |= bytes.ptr[at + 2] == '!';
    walk_braces(&b);
    em_code_verdict found = judge(reader, &b, doubt);
    if (comment && found != IS_CODE)
        reader->no_comment = (struct em_code_stretch){at, end};
    return found;
}

/* Where the single brace that opens at `at` is closed, on its line and with no other in between;
 * EM_NPOS. */
static size_t single_end(em_slice bytes, size_t at)
{
    enum { MOST = 512 };
    for (size_t i = at + 1; i < bytes.len && i - at < MOST; i++) {
        if (bytes.ptr[i] == '}')
            return i + 1;
        if (bytes.ptr[i] == '{' || bytes.ptr[i] == '\n')
            break;
    }
    return EM_NPOS;
}

/* Behind single braces, as Svelte and JSX have them, that compare: in {i<n} HTML would see a tag
 * which ends anywhere. `at`: what begins there is nothing of the kind. */
static size_t comparison_end(em_code_reader *reader, size_t at)
{
    size_t tag = next(reader, at + 1, NEXT_TAG);
    size_t end = tag == EM_NPOS ? EM_NPOS : single_end(reader->bytes, at);
    if (end == EM_NPOS || tag >= end)
        return at;
    em_braces b = {.bytes = em_slice_sub(reader->bytes, 0, end - 1), .start = at + 1};
    walk_braces(&b);
    return b.starts + b.ends + b.declarations == 0 ? end : at;
}

static bool begins_braces(em_slice bytes, size_t at)
{
    char first = bytes.ptr[at], second = at + 1 < bytes.len ? bytes.ptr[at + 1] : '\0';
    if (bytes.len - at < 4)
        return false;
    if (first == '@')
        return second == '*';
    return first == '{' && (second == '{' || second == '%' || second == '#' || second == '*' ||
                            (second == '/' && bytes.ptr[at + 2] == '*'));
}

/* ---- Reading -------------------------------------------------------------------------------- */

size_t em_code_read(em_code_reader *reader, size_t at)
{
    em_slice bytes = reader->bytes;
    if (bytes.len - at < 4)
        return at;
    if (bytes.ptr[at] == '<' && bytes.ptr[at + 1] == '?')
        return php_end(reader, at);
    if (bytes.ptr[at] == '<' && bytes.ptr[at + 1] == '%')
        return percent_end(reader, at);
    if (em_slice_starts(em_slice_from(bytes, at), EM_LIT("<#--"))) {
        size_t end = behind(reader, at + 4, END_OF_MARKUP_COMMENT);
        return end == EM_NPOS ? at : end;
    }
    em_code_doubt doubt;
    if (begins_braces(bytes, at) && read_braces(reader, at, &doubt) == IS_CODE)
        return doubt.end;
    return bytes.ptr[at] == '{' ? comparison_end(reader, at) : at;
}

bool em_code_doubtful(em_code_reader *reader, size_t at, em_code_doubt *doubt)
{
    return begins_braces(reader->bytes, at) && read_braces(reader, at, doubt) == IS_IN_DOUBT;
}

/* Does code begin in these bytes, or what may be some? */
static bool found_within(em_slice bytes, bool doubts)
{
    em_code_reader reader = {.bytes = bytes};
    em_code_doubt doubt;
    for (size_t at = 0, end; at<bytes.len; at = end> at ? end : at + 1) {
        bool may_begin = bytes.ptr[at] == '<' || bytes.ptr[at] == '{';
        end = may_begin ? em_code_read(&reader, at) : at;
        if (!doubts && end > at)
            return true;
        if (doubts && may_begin && end == at && em_code_doubtful(&reader, at, &doubt))
            return true;
    }
    return false;
}

bool em_code_within(em_slice bytes)
{
    return found_within(bytes, false);
}

bool em_code_doubted(em_slice bytes)
{
    return found_within(bytes, true);
}

/* Where what `opening` opens at `at` is closed before `limit`; EM_NPOS: nowhere nearby. */
static size_t closed(em_slice bytes, size_t at, size_t limit, char opening, char closing)
{
    size_t depth = 0, most = limit - at < EM_CODE_NEARBY ? limit : at + EM_CODE_NEARBY;
    em_code_strings strings = {.bytes = em_slice_sub(bytes, 0, most), .start = at};
    for (size_t i = at; i < most; i++) {
        size_t end = string_end(&strings, i);
        if (end > i) {
            i = end - 1;
            continue;
        }
        depth += bytes.ptr[i] == opening;
        if (bytes.ptr[i] == closing && --depth == 0)
            return i + 1;
    }
    return EM_NPOS;
}

size_t em_code_closed(em_slice bytes, size_t at, size_t limit)
{
    return closed(bytes, at, limit, '{', '}');
}

/* A page of nothing but openings without ends takes no longer than another. */
size_t em_code_pair_closed(em_code_reader *reader, size_t at)
{
    enum { PATIENCE = 1 << 20 };
    em_slice bytes = reader->bytes;
    if (reader->paired > bytes.len + PATIENCE)
        return EM_NPOS;
    size_t end = closed(bytes, at, bytes.len, bytes.ptr[at], bytes.ptr[at] == '{' ? '}' : ')');
    reader->paired += end != EM_NPOS ? end - at : EM_CODE_NEARBY;
    return end;
}

/* ---- Calls in tags --------------------------------------------------------------------------- */

static size_t skip_path(em_slice bytes, size_t at)
{
    while (at < bytes.len && (em_is_word_byte(bytes.ptr[at]) || bytes.ptr[at] == '.'))
        at++;
    return at;
}

/* What is called is followed by its arguments, perhaps behind blanks; the name of an attribute, as
 * @fade and (click) of Angular, by '='. */
size_t em_code_read_call(em_code_reader *reader, size_t at)
{
    em_slice bytes = reader->bytes;
    size_t open = skip_path(bytes, at + 1), end;
    bool is_named = open > at + 1;
    while (is_named && open < bytes.len && em_html_space(bytes.ptr[open]))
        open++;
    if (open == bytes.len || bytes.ptr[open] != '(' || (bytes.ptr[at] == '#' && !is_named))
        return at;
    do {
        end = em_code_pair_closed(reader, open);
        open = end == EM_NPOS ? bytes.len : skip_path(bytes, end);
    } while (open > end && open < bytes.len && bytes.ptr[open] == '(');
    return end != EM_NPOS && end < bytes.len && bytes.ptr[end] == '=' ? at : end;
}
