#include "answers/diff_told.h"

#include "base/utf8.h"

enum {
    MOST_AROUND = 60,  /* bytes of the line, before the change and behind it */
    MOST_CHANGED = 300 /* bytes that go, and as many that come */
};

#define LEFT_OUT "\xE2\x80\xA6"   /* U+2026 HORIZONTAL ELLIPSIS */
#define LINE_BREAK "\xE2\x8F\x8E" /* U+23CE RETURN SYMBOL */

/* What stands around the change in its lines. */
typedef struct surroundings {
    em_slice before, behind;
    bool begins_line, ends_line;
} surroundings;

static surroundings around(const em_lines *lines, em_splice change)
{
    size_t end = change.offset + change.length;
    em_line first = em_lines_line(lines, em_lines_at(lines, change.offset));
    em_line last = em_lines_line(lines, em_lines_at(lines, end));
    em_slice head = em_slice_sub(lines->body, first.start, change.offset);
    em_slice tail = em_slice_sub(lines->body, end, end > last.end ? end : last.end);
    size_t from = head.len > MOST_AROUND ? em_utf8_floor(head, head.len - MOST_AROUND) : 0;
    size_t to = em_utf8_floor(tail, MOST_AROUND);
    return (surroundings){.before = em_slice_from(head, from),
                          .behind = em_slice_sub(tail, 0, to),
                          .begins_line = from == 0,
                          .ends_line = to == tail.len};
}

static void add_on_one_line(em_strbuf *out, em_slice text)
{
    for (size_t i = 0; i < text.len; i++)
        if (text.ptr[i] == '\n')
            em_strbuf_puts(out, LINE_BREAK);
        else if (text.ptr[i] != '\r')
            em_strbuf_putc(out, text.ptr[i]);
}

static void add_side(em_strbuf *out, char sign, const surroundings *line, em_slice text)
{
    em_slice shown = em_slice_sub(text, 0, em_utf8_floor(text, MOST_CHANGED));
    em_strbuf_printf(out, "\n%c %s", sign, line->begins_line ? "" : LEFT_OUT);
    add_on_one_line(out, line->before);
    add_on_one_line(out, shown);
    if (shown.len == text.len)
        add_on_one_line(out, line->behind);
    em_strbuf_puts(out, shown.len == text.len && line->ends_line ? "" : LEFT_OUT);
}

/* The first splice that changes anything, without what stays of it; no length and no insert: none
 * does. */
static em_splice first_splice(const em_outcome *outcome)
{
    em_splice change = {0};
    em_splices all = outcome->plan.splices;
    for (size_t i = 0; i < all.count && change.length == 0 && change.insert.len == 0; i++)
        change = em_splice_trim(outcome->text.body, all.items[i]);
    return change;
}

const char *em_first_change(em_reply *reply)
{
    const em_outcome *outcome = reply->outcome;
    const em_diff *diff = &outcome->diff;
    EM_AUTO(em_strbuf) out = {0};
    if (!diff->truncated || diff->hunk_count > 0 || reply->tells_change || !outcome->file.exists ||
        outcome->text.extract)
        return NULL;
    em_splice change = first_splice(outcome);
    if (change.length == 0 && change.insert.len == 0)
        return NULL;
    em_position at = em_lines_position(&outcome->lines, change.offset);
    surroundings line = around(&outcome->lines, change);
    em_strbuf_printf(&out,
                     "The diff has no room for line %zu, which changes at column %zu (" LEFT_OUT
                     " is what is left out):",
                     at.line, at.column);
    add_side(&out, '-', &line,
             em_slice_sub(outcome->text.body, change.offset, change.offset + change.length));
    add_side(&out, '+', &line, change.insert);
    const char *text = em_strbuf_finish(&out, reply->arena);
    reply->json.failed |= !text;
    reply->tells_change = true;
    return text;
}

void em_reply_add_diff_note(em_reply *reply)
{
    const em_diff *diff = &reply->outcome->diff;
    if (diff->truncated)
        em_strbuf_printf(&reply->text, "(The diff is cut; in all %zu line%s added, %zu removed.)\n",
                         diff->lines_added, diff->lines_added == 1 ? "" : "s", diff->lines_removed);
    const char *first = em_first_change(reply);
    if (first)
        em_strbuf_printf(&reply->text, "%s\n", first);
}

void em_reply_add_diff(em_reply *reply)
{
    const em_diff *diff = &reply->outcome->diff;
    if (diff->hunk_count > 0 || diff->binary) {
        em_strbuf_puts(&reply->text, "\n\n");
        em_strbuf_puts(&reply->text, em_reply_diff_text(reply));
    } else if (diff->truncated)
        em_strbuf_putc(&reply->text, '\n');
    em_reply_add_diff_note(reply);
}
