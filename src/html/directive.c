#include "html/directive.h"

#include "base/ascii.h"
#include "html/tag.h"

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

/* Is the sign at `at` doubled, or a part of a reference to a character? */
static bool is_escaped(em_slice bytes, size_t at)
{
    return at > 0 && (bytes.ptr[at - 1] == bytes.ptr[at] || bytes.ptr[at - 1] == '&');
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

static size_t read_at_sign(em_code_reader *reader, size_t at, em_directive *d)
{
    em_slice bytes = reader->bytes;
    size_t end = skip_word(bytes, at + 1), behind = skip_arguments(reader, end);
    em_slice word = em_slice_sub(bytes, at + 1, end);
    bool has_arguments = behind > end;
    size_t brace = has_arguments ? skip_block_brace(bytes, behind) : behind;
    d->kind = brace > behind ? EM_DIRECTIVE_RAZOR : EM_DIRECTIVE_BLADE;
    d->role = EM_DIRECTIVE_BEGINS;
    d->name = word;
    if (brace > behind) {
        d->name = EM_LIT("}");
        return is_one_of(word, " if for foreach while switch case using lock ") ? brace : at;
    }
    if (em_slice_starts(word, EM_LIT("end")) && word.len > 3) {
        d->role = EM_DIRECTIVE_ENDS;
        d->name = em_slice_from(word, 3);
        return behind;
    }
    if (is_one_of(word, " else elseif elsecan elsecanany elseauth elseguest case default ") ||
        (is_one_of(word, " empty ") && !has_arguments)) {
        d->role = EM_DIRECTIVE_PARTS;
        return behind;
    }
    bool begins = has_arguments
                      ? is_one_of(word, " if unless isset empty auth guest can cannot canany env "
                                        "error for foreach forelse while switch hasSection "
                                        "sectionMissing ")
                      : is_one_of(word, " auth guest production once verbatim ");
    return begins ? behind : at;
}

/* '}', perhaps with what goes on: "} else {", "} else if (a) {", "} @else {". */
static size_t read_closing(em_code_reader *reader, size_t at, em_directive *d)
{
    em_slice bytes = reader->bytes;
    size_t start = skip_space(bytes, at + 1);
    start += is_at(bytes, start, '@');
    size_t end = skip_word(bytes, start);
    *d = (em_directive){EM_DIRECTIVE_RAZOR, EM_DIRECTIVE_ENDS, EM_LIT("}"), EM_LIT("}")};
    if (!is_one_of(em_slice_sub(bytes, start, end), " else "))
        return at + 1;
    size_t next = skip_blanks(bytes, end), word = skip_word(bytes, next);
    if (is_one_of(em_slice_sub(bytes, next, word), " if "))
        end = skip_arguments(reader, word);
    size_t behind = skip_block_brace(bytes, end);
    if (behind == end)
        return at + 1;
    d->role = EM_DIRECTIVE_PARTS;
    return behind;
}

/* ---- Other signs ---------------------------------------------------------------------------- */

/* Behind the first `closing` on the line of `at`, with none of `never` before; EM_NPOS. */
static size_t line_closed(em_slice bytes, size_t at, char closing, const char *never)
{
    enum { MOST = 512 };
    size_t depth = 0;
    for (size_t i = at; i < bytes.len && i - at < MOST && bytes.ptr[i] != '\n'; i++) {
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

/* The role of a word by three lists; false: it is in none. */
static bool is_known(em_slice word, bool ends, const char *begins, const char *parts,
                     em_directive *d)
{
    bool is_part = is_one_of(word, parts);
    d->name = word;
    d->role = ends ? EM_DIRECTIVE_ENDS : is_part ? EM_DIRECTIVE_PARTS : EM_DIRECTIVE_BEGINS;
    return is_one_of(word, begins) || (is_part && !ends);
}

static size_t read_brace(em_slice bytes, size_t at, em_directive *d)
{
    bool ends = is_at(bytes, at + 1, '/');
    size_t start = at + 1 + ends, end = skip_word(bytes, start);
    bool is_word = end > start && end < bytes.len &&
                   (bytes.ptr[end] == '}' || em_is_space_or_tab(bytes.ptr[end]));
    d->kind = EM_DIRECTIVE_SMARTY;
    if (!is_word || !is_known(em_slice_sub(bytes, start, end), ends,
                              " if ifset foreach for while section block capture ",
                              " else elseif elseifset foreachelse sectionelse ", d))
        return at;
    size_t closed = line_closed(bytes, end, '}', "{");
    return closed == EM_NPOS ? at : closed;
}

static size_t read_less(em_slice bytes, size_t at, em_directive *d)
{
    bool ends = is_at(bytes, at + 1, '/');
    size_t start = at + 2 + ends, end = skip_word(bytes, start);
    d->kind = EM_DIRECTIVE_FREEMARKER;
    if (!is_at(bytes, start - 1, '#') ||
        !is_known(em_slice_sub(bytes, start, end), ends,
                  " if list foreach items switch macro function attempt compress escape ",
                  " else elseif case default recover ", d))
        return at;
    size_t closed = line_closed(bytes, end, '>', "");
    return closed == EM_NPOS ? at : closed;
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
    if (sign == '{')
        end = read_brace(bytes, at, directive);
    else if (sign == '<')
        end = read_less(bytes, at, directive);
    else if (sign == '@' && !is_escaped(bytes, at) && !follows_word(bytes, at))
        end = read_at_sign(reader, at, directive);
    else if (sign == '#' && !is_escaped(bytes, at))
        end = read_hash(reader, at, directive);
    if (end == at)
        return at;
    em_slice text = em_slice_sub(bytes, at + 1, end);
    while (text.len > 0 && em_is_one_of(text.ptr[0], "{#/"))
        text = em_slice_from(text, 1);
    while (text.len > 0 && sign != '@' && em_is_one_of(text.ptr[text.len - 1], "}>/"))
        text.len--;
    directive->text = text;
    return end;
}
