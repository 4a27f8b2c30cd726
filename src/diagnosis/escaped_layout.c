/* escaped_layout.c: a text is read once, with what quotes enclose in its lines. */
#include "diagnosis/escaped_layout.h"

#include "base/ascii.h"
#include "base/strbuf.h"
#include "match/unwrap.h"
#include "text/entity.h"

#define BACKSLASHES EM_LIT("\\\\") /* one that was escaped, or the file's two */

typedef struct reader {
    em_slice s;
    size_t at;
    em_strbuf out;
    char quote;       /* the one that is open, or '\0' */
    bool in_quotes;   /* layout is undone in these, too */
    bool of_escaped;  /* each `"` came as an escape */
    bool is_indented; /* nothing but blanks came in the line */
    bool undone;      /* an escape of layout came, */
    bool kept;        /* or one in quotes, which stays */
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
    size_t length = r->quote && !r->in_quotes ? 0 : undo_layout(r);
    if (length == 0) {
        bool may_be_undone = rest.len > 1 && memchr("nrt\"'`", rest.ptr[1], 6);
        r->kept |= r->quote && may_be_undone;
        r->strange |= em_numbered_escape(rest, &code) > 0 || (!r->quote && may_be_undone);
        r->is_indented = false;
        em_strbuf_add(&r->out, em_slice_sub(rest, 0, em_least(2, rest.len)));
        length = em_least(2, rest.len);
    } else {
        r->undone = true;
    }
    r->at += length;
}

/* Does one of the quotes begin at r->at that all came as escapes? */
static bool is_escaped_quote(const reader *r)
{
    return r->of_escaped && em_slice_starts(em_slice_from(r->s, r->at), EM_LIT("\\\""));
}

/* Do three quotes in a row begin there? They may have line breaks between them. */
static bool begins_three(const reader *r)
{
    em_slice rest = em_slice_from(r->s, r->at);
    char byte = rest.ptr[0], three[] = {byte, byte, byte};
    return is_escaped_quote(r) ? em_slice_starts(rest, EM_LIT("\\\"\\\"\\\""))
                               : em_slice_starts(rest, em_slice_make(three, 3));
}

/* The sign of a code fence, which begins a line and is no quote. */
static bool read_fence(reader *r)
{
    static const em_slice fence = {"```", 3};
    if (!r->is_indented || !em_slice_starts(em_slice_from(r->s, r->at), fence))
        return false;
    em_strbuf_add(&r->out, fence);
    r->at += fence.len;
    r->is_indented = false;
    return true;
}

/* A quote, or any other byte. An apostrophe behind a letter begins no string, and what is before a
 * letter ends none. */
static void read_byte(reader *r)
{
    size_t length = is_escaped_quote(r) ? 2 : 1, behind = r->at + length;
    char byte = r->s.ptr[behind - 1];
    bool is_quote = memchr("\"'`", byte, 3) != NULL;
    bool is_apostrophe =
        byte == '\'' && !r->quote && r->at > 0 && em_is_word_byte(r->s.ptr[r->at - 1]);
    bool closes = is_quote && byte == r->quote;
    r->strange |= is_quote && begins_three(r);
    r->strange |= closes && behind < r->s.len && em_is_word_byte(r->s.ptr[behind]);
    if (closes)
        r->quote = '\0';
    else if (is_quote && !r->quote && !is_apostrophe)
        r->quote = byte;
    r->is_indented &= em_is_space_or_tab(byte);
    em_strbuf_putc(&r->out, byte);
    r->at = behind;
}

/* Has every `"` of the text a backslash, and nothing else that may be escaped once more? */
static bool has_escaped_quotes(em_slice s)
{
    bool has_one = false;
    for (size_t at = 0; at < s.len; at++) {
        if (s.ptr[at] == '"' || em_slice_starts(em_slice_from(s, at), EM_LIT("\\\\")))
            return false;
        bool is_one = em_slice_starts(em_slice_from(s, at), EM_LIT("\\\""));
        has_one |= is_one;
        at += is_one;
    }
    return has_one;
}

/* What the text is when its layout is no longer escaped; the reader tells what came. */
static em_status undo(reader *r, em_arena *arena, em_slice *out)
{
    r->is_indented = true;
    while (r->at < r->s.len) {
        if (r->s.ptr[r->at] == '\n') {
            end_line(r);
            r->at++;
        } else if (r->s.ptr[r->at] == '\\' && !is_escaped_quote(r)) {
            read_escape(r);
        } else if (!read_fence(r)) {
            read_byte(r);
        }
    }
    em_status status = em_strbuf_keep(&r->out, arena, out);
    em_strbuf_drop(&r->out);
    return status;
}

em_status em_escaped_layout_of(em_slice find, em_slice insert, bool in_quotes, em_arena *arena,
                               em_near_miss *mended, bool *is, bool *clear)
{
    bool escaped = has_escaped_quotes(find);
    reader searched = {.s = find, .in_quotes = in_quotes, .of_escaped = escaped};
    reader wanted = {.s = insert, .of_escaped = escaped && has_escaped_quotes(insert)};
    *is = *clear = false;
    if (!em_slice_has_byte(find, '\\'))
        return EM_OK;
    EM_TRY(undo(&searched, arena, &mended->find));
    EM_TRY(undo(&wanted, arena, &mended->insert));
    *is = searched.undone;
    bool has_new_backslash =
        em_slice_holds(insert, BACKSLASHES) && !em_slice_holds(find, BACKSLASHES);
    *clear = *is && !wanted.strange && !has_new_backslash && wanted.quote == '\0' &&
             !(in_quotes && wanted.kept) && !em_has_new_name(find, insert);
    return EM_OK;
}
