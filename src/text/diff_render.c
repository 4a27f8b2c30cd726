/* diff_render.c: a diff as patch(1) and git-apply(1) read it. */
#include "text/diff.h"

#include "base/strbuf.h"

/* The letter that stands behind a backslash for a control character; 0 if there is none. */
static char escape_letter(unsigned char byte)
{
    static const char letters[] = {['\a'] = 'a', ['\b'] = 'b', ['\t'] = 't', ['\n'] = 'n',
                                   ['\v'] = 'v', ['\f'] = 'f', ['\r'] = 'r'};
    if (byte == '"' || byte == '\\')
        return (char)byte;
    return byte < sizeof letters ? letters[byte] : 0;
}

static bool needs_quotes(unsigned char byte)
{
    return byte < 0x20 || byte >= 0x7F || byte == '"' || byte == '\\';
}

static void add_quoted(em_strbuf *out, em_slice bytes)
{
    for (size_t i = 0; i < bytes.len; i++) {
        unsigned char byte = (unsigned char)bytes.ptr[i];
        if (!needs_quotes(byte))
            em_strbuf_putc(out, (char)byte);
        else if (escape_letter(byte))
            em_strbuf_printf(out, "\\%c", escape_letter(byte));
        else
            em_strbuf_printf(out, "\\%03o", byte);
    }
}

/* A blank at the end of a name that is not quoted is none of it for patch(1). */
static bool is_quoted(em_slice name)
{
    bool quote = name.len > 0 && name.ptr[name.len - 1] == ' ';
    for (size_t i = 0; i < name.len && !quote; i++)
        quote = needs_quotes((unsigned char)name.ptr[i]);
    return quote;
}

/* "a/PATH"; "/dev/null" where there is no file on that side. */
static void add_name(em_strbuf *out, const char *side, const char *path, bool is_there)
{
    em_slice name = em_slice_of(path);
    bool quote = is_quoted(name);
    if (!is_there) {
        em_strbuf_puts(out, "/dev/null");
        return;
    }
    em_strbuf_puts(out, quote ? "\"" : "");
    em_strbuf_puts(out, side);
    if (quote)
        add_quoted(out, name);
    else
        em_strbuf_add(out, name);
    em_strbuf_puts(out, quote ? "\"" : "");
}

/* Behind a name that holds a space stands a tab, so that patch(1) does not take what follows the
 * space for a date. */
static void end_name(em_strbuf *out, const char *path, bool is_there)
{
    em_strbuf_puts(out, is_there && strchr(path, ' ') ? "\t\n" : "\n");
}

static void add_names(em_strbuf *out, em_diff_names names)
{
    em_strbuf_puts(out, "--- ");
    add_name(out, "a/", names.path, !names.created);
    end_name(out, names.path, !names.created);
    em_strbuf_puts(out, "+++ ");
    add_name(out, "b/", names.path, !names.deleted);
    end_name(out, names.path, !names.deleted);
}

static void add_binary(em_strbuf *out, em_diff_names names)
{
    em_strbuf_puts(out, EM_BINARY_DIFFERS);
    add_name(out, "a/", names.path, !names.created);
    em_strbuf_puts(out, " and ");
    add_name(out, "b/", names.path, !names.deleted);
    em_strbuf_puts(out, " differ\n");
}

static void add_line(em_strbuf *out, const em_diff_line *line)
{
    em_strbuf_putc(out, line->kind);
    em_strbuf_add(out, line->text);
    em_strbuf_puts(out, line->no_newline ? "\n" EM_NO_NEWLINE : "\n");
}

char *em_diff_render(const em_diff *diff, em_diff_names names, em_arena *arena)
{
    EM_AUTO(em_strbuf) out = {0};
    if (diff->binary)
        add_binary(&out, names);
    else if (diff->hunk_count > 0)
        add_names(&out, names);
    for (size_t i = 0; i < diff->hunk_count; i++) {
        const em_hunk *hunk = &diff->hunks[i];
        const char *header = em_hunk_header(hunk, arena);
        if (!header)
            return NULL;
        em_strbuf_puts(&out, header);
        em_strbuf_putc(&out, '\n');
        for (size_t j = 0; j < hunk->line_count; j++)
            add_line(&out, &hunk->lines[j]);
    }
    return em_strbuf_finish(&out, arena);
}

static size_t left_of(size_t limit, size_t taken)
{
    if (limit == 0)
        return 0;
    return limit > taken ? limit - taken : 1; /* 0 would lift the limit */
}

em_diff_limits em_diff_limits_behind(em_diff_limits whole, em_diff_names names)
{
    enum { NAME_LINES = 2 };
    EM_AUTO(em_strbuf) out = {0};
    add_names(&out, names);
    return (em_diff_limits){left_of(whole.bytes, out.len), left_of(whole.lines, NAME_LINES)};
}
