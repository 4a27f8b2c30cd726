/* escaped_layout.c: a text is read once, with what quotes enclose in its lines. */
#include "diagnosis/escaped_layout.h"

#include "base/ascii.h"
#include "base/strbuf.h"
#include "match/unwrap.h"
#include "text/entity.h"

typedef struct reader {
    em_slice s;
    size_t at;
    em_strbuf out;
    char quote;       /* the one that is open, or '\0' */
    bool is_indented; /* nothing but blanks came in the line */
    bool undone;      /* an escape of layout came */
    bool strange;     /* an escape came that may be of any kind, or a quote that nothing closes */
} reader;

static void end_line(reader *r)
{
    r->strange |= r->quote != '\0';
    r->quote = '\0';
    r->is_indented = true;
    em_strbuf_putc(&r->out, '\n');
}

/* Is the escape of a line break at `at` all of a pattern, `/\n/`? */
static bool is_pattern(em_slice s, size_t at)
{
    return at > 0 && s.ptr[at - 1] == '/' && em_slice_starts(em_slice_from(s, at + 2), EM_LIT("/"));
}

/* The bytes of an escape of layout, which is written as what it stands for; 0: it is none. */
static size_t undo_layout(reader *r)
{
    em_slice rest = em_slice_from(r->s, r->at);
    bool ends_crlf = em_slice_starts(rest, EM_LIT("\\r\\n"));
    if (ends_crlf || em_slice_starts(rest, EM_LIT("\\n"))) {
        r->strange |= is_pattern(r->s, r->at);
        end_line(r);
        return ends_crlf ? 4 : 2;
    }
    if (!r->is_indented || !em_slice_starts(rest, EM_LIT("\\t")))
        return 0;
    em_strbuf_putc(&r->out, '\t');
    return 2;
}

/* A backslash and what is behind it. What quotes enclose is a literal's, and stays; so does what is
 * not known, as `\d` or `\times` are. */
static void read_escape(reader *r)
{
    uint32_t code;
    em_slice rest = em_slice_from(r->s, r->at);
    size_t length = r->quote ? 0 : undo_layout(r);
    if (length == 0) {
        bool may_be_undone = rest.len > 1 && memchr("nrt\"'`", rest.ptr[1], 6);
        r->strange |= em_numbered_escape(rest, &code) > 0 || (!r->quote && may_be_undone);
        r->is_indented = false;
        em_strbuf_add(&r->out, em_slice_sub(rest, 0, em_least(2, rest.len)));
        length = em_least(2, rest.len);
    } else {
        r->undone = true;
    }
    r->at += length;
}

/* A quote, or any other byte. An apostrophe behind a letter begins no string, and what is before a
 * letter ends none; and three quotes in a row may have line breaks between them. */
static void read_byte(reader *r)
{
    char byte = r->s.ptr[r->at];
    bool is_quote = memchr("\"'`", byte, 3) != NULL;
    bool is_apostrophe =
        byte == '\'' && !r->quote && r->at > 0 && em_is_word_byte(r->s.ptr[r->at - 1]);
    char three[] = {byte, byte, byte};
    r->strange |= is_quote && em_slice_starts(em_slice_from(r->s, r->at), em_slice_make(three, 3));
    bool closes = is_quote && byte == r->quote;
    r->strange |= closes && r->at + 1 < r->s.len && em_is_word_byte(r->s.ptr[r->at + 1]);
    if (closes)
        r->quote = '\0';
    else if (is_quote && !r->quote && !is_apostrophe)
        r->quote = byte;
    r->is_indented &= em_is_space_or_tab(byte);
    em_strbuf_putc(&r->out, byte);
    r->at++;
}

/* What the text is when its layout is no longer escaped. */
static em_status undo(em_slice s, em_arena *arena, em_slice *out, bool *undone, bool *clear)
{
    reader r = {.s = s, .is_indented = true};
    while (r.at < s.len) {
        if (s.ptr[r.at] == '\n') {
            end_line(&r);
            r.at++;
        } else if (s.ptr[r.at] == '\\') {
            read_escape(&r);
        } else {
            read_byte(&r);
        }
    }
    *undone = r.undone;
    *clear = !r.strange && r.quote == '\0';
    em_status status = em_strbuf_keep(&r.out, arena, out);
    em_strbuf_drop(&r.out);
    return status;
}

em_status em_escaped_layout_of(em_slice find, em_slice insert, em_arena *arena,
                               em_near_miss *mended, bool *is, bool *clear)
{
    bool unused;
    *is = *clear = false;
    if (!em_slice_has_byte(find, '\\'))
        return EM_OK;
    EM_TRY(undo(find, arena, &mended->find, is, &unused));
    if (!*is)
        return EM_OK;
    EM_TRY(undo(insert, arena, &mended->insert, &unused, clear));
    *clear &= !em_has_new_name(find, insert);
    return EM_OK;
}
