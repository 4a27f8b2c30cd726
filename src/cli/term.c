#include "cli/term.h"

#include "base/line.h"
#include "base/utf8.h"

#include <stdlib.h>
#include <unistd.h>

static bool is_set(const char *variable)
{
    const char *value = getenv(variable);
    return value && *value;
}

em_term em_term_of(FILE *file)
{
    const char *kind = getenv("TERM");
    em_term term = {.file = file, .is_tty = isatty(fileno(file)) == 1};
    term.colour = term.is_tty && !is_set("NO_COLOR") && !(kind && strcmp(kind, "dumb") == 0);
    return term;
}

/* ---- Escaping ------------------------------------------------------------------------------ */

/* Characters that are not seen, or that move or hide others: control characters, soft hyphen, marks
 * and overrides of direction, zero-width spaces and joiners, fillers, invisible operators,
 * separators of lines, variation selectors (but that of emoji), annotations, tags. */
static const struct {
    uint32_t first, last;
} unseen[] = {
    {0x0080, 0x009F},   {0x00AD, 0x00AD},   {0x034F, 0x034F},   {0x061C, 0x061C}, {0x115F, 0x1160},
    {0x17B4, 0x17B5},   {0x180B, 0x180F},   {0x200B, 0x200F},   {0x2028, 0x202E}, {0x2060, 0x206F},
    {0x3164, 0x3164},   {0xFE00, 0xFE0E},   {0xFEFF, 0xFEFF},   {0xFFA0, 0xFFA0}, {0xFFF0, 0xFFFB},
    {0x1BCA0, 0x1BCA3}, {0x1D173, 0x1D17A}, {0xE0000, 0xE0FFF},
};

static bool is_unseen(uint32_t code)
{
    for (size_t i = 0; i < sizeof unseen / sizeof *unseen; i++)
        if (code >= unseen[i].first && code <= unseen[i].last)
            return true;
    return false;
}

/* How the character is shown: as it is, or written out in `room`. */
static em_slice show_char(em_slice bytes, uint32_t code, bool in_line, char room[16])
{
    unsigned char byte = (unsigned char)bytes.ptr[0];
    bool invalid = code == 0xFFFD && bytes.len == 1;
    int length = 0;
    if (code == '\r')
        length = snprintf(room, 16, "\\r");
    else if (in_line && (code == '\n' || code == '\t'))
        length = snprintf(room, 16, code == '\n' ? "\\n" : "\\t");
    else if (invalid || (code < 0x20 && code != '\n' && code != '\t') || code == 0x7F)
        length = snprintf(room, 16, "\\x%02X", byte);
    else if (is_unseen(code))
        length = snprintf(room, 16, "\\u{%04X}", code);
    return length > 0 ? em_slice_make(room, (size_t)length) : bytes;
}

bool em_term_escapes(em_slice character, uint32_t code)
{
    char room[16];
    return show_char(character, code, false, room).ptr == room;
}

static void write_bytes(const em_term *term, em_slice bytes)
{
    if (bytes.len > 0)
        fwrite(bytes.ptr, 1, bytes.len, term->file);
}

static void write_shown(const em_term *term, em_slice text, bool in_line)
{
    for (size_t at = 0; at < text.len;) {
        char room[16];
        size_t start = at;
        uint32_t code = em_utf8_next(text, &at);
        write_bytes(term, show_char(em_slice_sub(text, start, at), code, in_line, room));
    }
}

void em_term_text(const em_term *term, em_slice text)
{
    if (term->is_tty)
        write_shown(term, text, false);
    else
        write_bytes(term, text);
}

void em_term_sentence(const em_term *term, em_slice text)
{
    write_shown(term, text, false);
}

void em_term_name(const em_term *term, em_slice name)
{
    write_shown(term, name, true);
}

/* ---- Diffs --------------------------------------------------------------------------------- */

/* What a line of a diff is follows from its first byte; the first two lines name the files. */
static const char *colour_of(size_t line, char first)
{
    if (line < 2)
        return "\033[1m";
    switch (first) {
    case '@':
        return "\033[36m";
    case '-':
        return "\033[31m";
    case '+':
        return "\033[32m";
    default:
        return "";
    }
}

void em_term_diff(const em_term *term, em_slice diff)
{
    for (size_t line = 0; diff.len > 0; line++) {
        const char *colour = term->colour ? colour_of(line, diff.ptr[0]) : "";
        fputs(colour, term->file);
        em_term_text(term, em_take_line(&diff));
        fputs(*colour ? "\033[m\n" : "\n", term->file);
    }
}
