#include "html/directive.h"

#include "base/ascii.h"
#include "html/tag.h"

/* So far from where it begins a directive ends. */
enum { FAR = 512 };

/* Is it one of these, which have a blank around each? */
static bool is_one_of(em_slice word, const char *list)
{
    for (const char *at = list; word.len > 0 && at[0] && at[1]; at += strcspn(at + 1, " ") + 1)
        if (em_slice_eq(word, em_slice_make(at + 1, strcspn(at + 1, " "))))
            return true;
    return false;
}

static size_t skip_word(em_slice bytes, size_t at)
{
    while (at < bytes.len && (em_is_letter_or_digit(bytes.ptr[at]) || bytes.ptr[at] == '_'))
        at++;
    return at;
}

static size_t skip_blanks(em_slice bytes, size_t at)
{
    while (at < bytes.len && em_is_space_or_tab(bytes.ptr[at]))
        at++;
    return at;
}

static size_t skip_space(em_slice bytes, size_t at)
{
    while (at < bytes.len && em_html_space(bytes.ptr[at]))
        at++;
    return at;
}

static bool is_at(em_slice bytes, size_t at, char byte)
{
    return at < bytes.len && bytes.ptr[at] == byte;
}

/* Does a tag stand there, or code? */
static bool holds_markup(em_slice bytes, size_t from, size_t to)
{
    for (size_t at = from; at < to; at++)
        if (em_tag_starts(bytes, at) || em_tag_ends(bytes, at))
            return true;
    return em_code_within(em_slice_sub(bytes, from, to));
}

/* Has it a condition behind it, in which what looks like a tag is none (`$a <b`)? */
static bool compares(em_slice word)
{
    return is_one_of(word, " if elseif unless isset while for foreach forelse switch case ");
}

static bool is_doubled(em_slice bytes, size_t at)
{
    return at > 0 && bytes.ptr[at - 1] == bytes.ptr[at];
}

/* Is the sign at `at` doubled, or a part of a reference to a character? */
static bool is_escaped(em_slice bytes, size_t at)
{
    return at > 0 && (is_doubled(bytes, at) || bytes.ptr[at - 1] == '&');
}

/* Does what stands before `at` end in a letter, as of an address? */
static bool follows_word(em_slice bytes, size_t at)
{
    return at > 0 && em_is_word_byte(bytes.ptr[at - 1]);
}

/* Behind the arguments of the word that ends at `at`, blanks before them or not; `at`: it has none.
 */
static size_t skip_arguments(em_code_reader *reader, size_t at)
{
    size_t open = skip_blanks(reader->bytes, at);
    if (!is_at(reader->bytes, open, '('))
        return at;
    size_t end = em_code_pair_closed(reader, open);
    return end == EM_NPOS ? at : end;
}

/* ---- @ -------------------------------------------------------------------------------------- */

/* Behind the brace that a block of Razor begins with, at or behind `at`; `at`: none does. Those of
 * Blade come in pairs, or with exclamation marks. */
static size_t skip_block_brace(em_slice bytes, size_t at)
{
    size_t brace = skip_space(bytes, at);
    bool is_single = is_at(bytes, brace, '{') && !is_at(bytes, brace + 1, '{') &&
                     !is_at(bytes, brace + 1, '!') && !is_at(bytes, brace + 1, '%');
    return is_single ? brace + 1 : at;
}

/* Where a block of Razor or Angular begins that this word, with its arguments, stands before; `at`:
 * none does. */
static size_t skip_block_head(em_code_reader *reader, size_t at, size_t end, size_t behind)
{
    em_slice bytes = reader->bytes, word = em_slice_sub(bytes, at + 1, end);
    if (word.len == 0)
        return is_at(bytes, end, '{') ? skip_block_brace(bytes, end) : end;
    if (!is_one_of(word,
                   " if for foreach while do switch case default using lock try defer section "
                   "code functions "))
        return behind;
    if (is_one_of(word, " section ") && behind == end) /* it has a name: @section a { */
        behind = skip_word(bytes, skip_blanks(bytes, end));
    return skip_block_brace(bytes, behind);
}

static size_t read_at_sign(em_code_reader *reader, size_t at, em_directive *d)
{
    em_slice bytes = reader->bytes;
    size_t end = skip_word(bytes, at + 1), behind = skip_arguments(reader, end);
    em_slice word = em_slice_sub(bytes, at + 1, end);
    size_t brace = skip_block_head(reader, at, end, behind);
    *d = (em_directive){EM_DIRECTIVE_BLADE, EM_DIRECTIVE_BEGINS, word, {0}, false};
    if (brace > behind && bytes.ptr[brace - 1] == '{') {
        *d = (em_directive){EM_DIRECTIVE_RAZOR, EM_DIRECTIVE_BEGINS, EM_LIT("}"), {0}, false};
        return brace;
    }
    if (word.len == 0 || (!compares(word) && holds_markup(bytes, end, behind)))
        return at;
    bool ends_section = is_one_of(word, " show stop append overwrite ");
    if (ends_section || (em_slice_starts(word, EM_LIT("end")) && word.len > 3)) {
        d->role = EM_DIRECTIVE_ENDS;
        d->name = ends_section ? EM_LIT("section") : em_slice_from(word, 3);
    } else if (em_slice_starts(word, EM_LIT("else")) || is_one_of(word, " case default ") ||
               (is_one_of(word, " empty ") && behind == end)) {
        d->role = EM_DIRECTIVE_PARTS;
    } else if (is_one_of(word, " hasSection sectionMissing ")) {
        d->name = EM_LIT("if");
    }
    return behind;
}

/* '}', perhaps with what goes on: "} else {", "} else if (a) {", "} @placeholder {". */
static size_t read_closing(em_code_reader *reader, size_t at, em_directive *d)
{
    em_slice bytes = reader->bytes;
    size_t start = skip_space(bytes, at + 1);
    start += is_at(bytes, start, '@');
    size_t end = skip_word(bytes, start);
    *d = (em_directive){EM_DIRECTIVE_RAZOR, EM_DIRECTIVE_ENDS, EM_LIT("}"), EM_LIT("}"), false};
    if (!is_one_of(em_slice_sub(bytes, start, end),
                   " else empty catch finally placeholder loading error "))
        return at + 1;
    size_t next = skip_blanks(bytes, end), word = skip_word(bytes, next);
    end = skip_arguments(reader, is_one_of(em_slice_sub(bytes, next, word), " if ") ? word : end);
    size_t behind = skip_block_brace(bytes, end);
    if (behind == end)
        return at + 1;
    d->role = EM_DIRECTIVE_PARTS;
    return behind;
}

/* ---- Other signs ---------------------------------------------------------------------------- */

/* Behind the first `closing` near `at`, outside of parentheses and with none of `never` before;
 * EM_NPOS. */
static size_t closed(em_slice bytes, size_t at, char closing, const char *never)
{
    size_t depth = 0;
    for (size_t i = at; i < bytes.len && i - at < FAR; i++) {
        char byte = bytes.ptr[i];
        if (byte == closing && depth == 0)
            return i + 1;
        if (em_is_one_of(byte, never))
            break;
        depth += byte == '(';
        depth -= byte == ')' && depth > 0;
    }
    return EM_NPOS;
}

/* Is it one of the words for something else: {else}, {elseif $a}, {foreachelse}? */
static bool is_else(em_slice word)
{
    return em_slice_starts(word, EM_LIT("else")) || em_slice_ends(word, EM_LIT("else"));
}

static size_t read_brace(em_slice bytes, size_t at, em_directive *d)
{
    bool ends = is_at(bytes, at + 1, '/');
    size_t start = at + 1 + ends, end = skip_word(bytes, start);
    em_slice word = em_slice_sub(bytes, start, end);
    if (word.len == 0 || end == bytes.len ||
        (bytes.ptr[end] != '}' && !em_is_space_or_tab(bytes.ptr[end])))
        return at;
    d->kind = EM_DIRECTIVE_BRACES;
    d->role = ends ? EM_DIRECTIVE_ENDS : is_else(word) ? EM_DIRECTIVE_PARTS : EM_DIRECTIVE_BEGINS;
    d->name = word;
    size_t behind = closed(bytes, end, '}', "{\n");
    return behind == EM_NPOS || (!compares(word) && holds_markup(bytes, end, behind)) ? at : behind;
}

/* {#a b} and {:a b} of Svelte, in which there can be braces; {#a b #} is a comment of others. */
static size_t read_svelte(em_code_reader *reader, size_t at, em_directive *d)
{
    em_slice bytes = reader->bytes;
    em_code_doubt doubt;
    bool begins = bytes.ptr[at + 1] == '#';
    size_t end = skip_word(bytes, at + 2), code = em_code_read(reader, at);
    if (end == at + 2 || (code > at && bytes.ptr[code - 2] == '#') ||
        em_code_doubtful(reader, at, &doubt))
        return at;
    d->kind = EM_DIRECTIVE_BRACES;
    d->role = begins ? EM_DIRECTIVE_BEGINS : EM_DIRECTIVE_PARTS;
    d->name = em_slice_sub(bytes, at + 2, end);
    if (code > at)
        return code;
    size_t behind = em_code_closed(bytes, at, bytes.len - at < FAR ? bytes.len : at + FAR);
    return behind == EM_NPOS || holds_markup(bytes, end, behind) ? at : behind;
}

/* Behind a name such as @layout.page or %self:body. */
static size_t skip_macro_name(em_slice bytes, size_t at)
{
    while (at < bytes.len && (em_is_word_byte(bytes.ptr[at]) || em_is_one_of(bytes.ptr[at], ".:")))
        at++;
    return at;
}

/* <#a b>, </#a>, <@a b>, </@a>, or the same in brackets; <%a b>, </%a>. What goes on over lines
 * holds no tag. */
static size_t read_macro(em_code_reader *reader, size_t at, em_directive *d)
{
    em_slice bytes = reader->bytes;
    bool ends = is_at(bytes, at + 1, '/');
    size_t start = at + 1 + ends, end = skip_macro_name(bytes, start + 1);
    if (end <= start + 1 || !em_is_one_of(bytes.ptr[start], "#@%") || em_code_read(reader, at) > at)
        return at;
    em_slice word = em_slice_sub(bytes, start + 1, end);
    bool is_word = bytes.ptr[start] == '#', may_compare = is_word && compares(word);
    size_t behind = closed(bytes, end, bytes.ptr[at] == '<' ? '>' : ']', may_compare ? "\n" : "");
    if (behind == EM_NPOS || (!may_compare && holds_markup(bytes, end, behind)))
        return at;
    bool parts = is_word && (is_else(word) || is_one_of(word, " case default recover "));
    d->kind = EM_DIRECTIVE_MACROS;
    d->role = ends ? EM_DIRECTIVE_ENDS : parts ? EM_DIRECTIVE_PARTS : EM_DIRECTIVE_BEGINS;
    d->name = em_slice_sub(bytes, start, end);
    bool is_whole = d->role == EM_DIRECTIVE_BEGINS && em_is_one_of(bytes.ptr[behind - 2], "/%");
    return is_whole ? at : behind;
}

/* [% IF a %]. */
static size_t read_toolkit(em_slice bytes, size_t at, em_directive *d)
{
    size_t start = at + 2;
    start = skip_space(bytes, start + (is_at(bytes, start, '-') || is_at(bytes, start, '+')));
    size_t end = skip_word(bytes, start), behind = closed(bytes, end, ']', "[\n");
    em_slice word = em_slice_sub(bytes, start, end);
    if (behind == EM_NPOS || bytes.ptr[behind - 2] != '%')
        return at;
    d->kind = EM_DIRECTIVE_TOOLKIT;
    d->name = EM_LIT("END");
    d->role = is_one_of(word, " END ")                           ? EM_DIRECTIVE_ENDS
              : is_one_of(word, " ELSE ELSIF CASE CATCH FINAL ") ? EM_DIRECTIVE_PARTS
                                                                 : EM_DIRECTIVE_BEGINS;
    bool is_known =
        d->role != EM_DIRECTIVE_BEGINS ||
        is_one_of(word, " IF UNLESS FOREACH FOR WHILE SWITCH BLOCK WRAPPER FILTER TRY ");
    return is_known ? behind : at;
}

/* They can stand directly behind a word: a#if($b)c#end. */
static size_t read_hash(em_code_reader *reader, size_t at, em_directive *d)
{
    em_slice bytes = reader->bytes;
    bool braced = is_at(bytes, at + 1, '{');
    size_t start = at + 1 + braced, end = skip_word(bytes, start);
    em_slice word = em_slice_sub(bytes, start, end);
    if (braced && !is_at(bytes, end, '}'))
        return at;
    end += braced;
    size_t behind = skip_arguments(reader, end);
    d->kind = EM_DIRECTIVE_VELOCITY;
    d->name = EM_LIT("end");
    d->role = is_one_of(word, " end ")           ? EM_DIRECTIVE_ENDS
              : is_one_of(word, " else elseif ") ? EM_DIRECTIVE_PARTS
                                                 : EM_DIRECTIVE_BEGINS;
    if (d->role == EM_DIRECTIVE_BEGINS)
        return behind > end && is_one_of(word, " if foreach macro define ") ? behind : at;
    return is_one_of(word, " elseif ") ? behind : end;
}

size_t em_directive_read(em_code_reader *reader, size_t at, em_directive *directive)
{
    em_slice bytes = reader->bytes;
    char sign = bytes.ptr[at];
    size_t end = at;
    if (sign == '}')
        return read_closing(reader, at, directive);
    if (sign == '{' && !is_doubled(bytes, at))
        end = is_at(bytes, at + 1, '#') || is_at(bytes, at + 1, ':')
                  ? read_svelte(reader, at, directive)
                  : read_brace(bytes, at, directive);
    else if (sign == '[' && is_at(bytes, at + 1, '%'))
        end = read_toolkit(bytes, at, directive);
    else if (sign == '<' || sign == '[')
        end = read_macro(reader, at, directive);
    else if (sign == '@' && !is_escaped(bytes, at) && !follows_word(bytes, at))
        end = read_at_sign(reader, at, directive);
    else if (sign == '#' && !is_escaped(bytes, at))
        end = read_hash(reader, at, directive);
    if (end == at)
        return at;
    em_slice text = em_slice_sub(bytes, at + 1, end);
    while (text.len > 0 && em_is_one_of(text.ptr[0], "{#/@%:-+ "))
        text = em_slice_from(text, 1);
    while (text.len > 0 && sign != '@' && em_is_one_of(text.ptr[text.len - 1], "}>]/%-+ "))
        text.len--;
    directive->text = text;
    directive->compares = compares(em_slice_sub(text, 0, skip_word(text, 0)));
    return end;
}
