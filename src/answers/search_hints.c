#include "answers/search_hints.h"

#include "answers/reason.h"
#include "answers/similar.h"
#include "base/line.h"
#include "text/search.h"

enum {
    INDENTATION_SCAN = 65536, /* bytes at the start of a file: they tell how it is indented */
    EXAMPLE_BYTES = 200,      /* a longer text is no example any more; answers have it elsewhere */
};

static void add_hint(em_hints *hints, em_hint hint)
{
    hints->items[hints->count++] = hint;
}

/* What the lines of the text begin with, where they are indented; NULL where none is. */
static const char *indentation(const em_text *text)
{
    size_t tabs = 0, spaces = 0;
    size_t end = em_least(text->body.len, INDENTATION_SCAN);
    for (size_t at = text->start; at + 1 < end; at++) { /* a line; or its LF, behind its CR */
        const char *line = text->body.ptr + at;
        tabs += *line == '\t';
        spaces += *line == ' ' && line[1] == ' ';
        at += em_line_length(em_slice_sub(text->body, at, end));
    }
    if (tabs > 0 && spaces > 0)
        return "both tabs and spaces";
    return tabs > 0 ? "tabs" : spaces > 0 ? "spaces" : NULL;
}

static bool has_white_space(em_slice s)
{
    return em_slice_has_byte(s, ' ') || em_slice_has_byte(s, '\t') || em_slice_has_byte(s, '\n');
}

/* The line of the file, as it is on disk, where `find` first stands; 0 where it does not. */
static size_t line_in_original(const em_reply *reply, em_slice find)
{
    const em_text *text = &reply->outcome->text;
    em_needle needle;
    if (find.len == 0 || em_slice_has_byte(find, '\0'))
        return 0;
    em_needle_init(&needle, find);
    size_t at = em_find(&needle, text->body, text->start);
    return at == EM_NPOS ? 0 : em_lines_at(&reply->outcome->lines, at);
}

static bool has_escape(em_slice s)
{
    for (size_t i = 0; i + 1 < s.len; i++)
        if (s.ptr[i] == '\\' && (s.ptr[i + 1] == 'n' || s.ptr[i + 1] == 't' || s.ptr[i + 1] == '"'))
            return true;
    return false;
}

/* What was kept of a call that failed is in the file by now. */
static void add_hint_of_earlier_edit(em_reply *reply, em_slice find, em_hints *hints)
{
    const em_outcome *outcome = reply->outcome;
    bool is_first = outcome->error.edit == 0 && outcome->dom.op_count == 0;
    size_t line = is_first ? 0 : line_in_original(reply, find);
    if (line == 0)
        return;
    const char *text = em_reply_format(reply,
                                       "It %s at line %zu of the file, but an edit before this "
                                       "one has changed it: each edit sees the result of those "
                                       "before it",
                                       outcome->committed ? "stood" : "stands", line);
    add_hint(hints, (em_hint){.kind = EM_HINT_COPY, .text = text});
    hints->stood_before = true;
}

/* Of what could be meant at several places. */
static void add_hint_of_context(em_reply *reply, em_hints *hints)
{
    const em_op *op = reply->outcome->failed_op;
    bool replaces = op && op->kind == EM_OP_REPLACE;
    const char *text = em_reply_format(
        reply, "Add the text around the place that you mean to %s%s%s, written as the file has it",
        reply->words->find, replaces ? " and " : "", replaces ? reply->words->insert : "");
    add_hint(hints, (em_hint){.kind = EM_HINT_COPY, .text = text});
}

static void add_general_hint(em_reply *reply, em_hints *hints)
{
    if (em_similar_is_ambiguous(reply)) {
        add_hint_of_context(reply, hints);
        return;
    }
    const char *reader = em_reply_tool_with(reply, EM_TOOL_READS);
    const char *text =
        reader ? em_reply_format(reply, "Use %s to see the exact content, then copy it precisely",
                                 reader)
               : "Copy the text precisely from what the file holds";
    add_hint(hints, (em_hint){EM_HINT_COPY, text, em_similar_best(reply), EM_HINT_GENERAL});
}

static void add_encoding_hint(em_reply *reply, em_hints *hints)
{
    const em_near *best = em_similar_best(reply);
    const char *text = best ? em_why_unreadable(reply, best->content) : NULL;
    if (text)
        add_hint(hints, (em_hint){.kind = EM_HINT_COPY, .text = text});
}

static void add_white_space_hints(em_reply *reply, em_slice find, em_hints *hints)
{
    const em_near *best = em_similar_best(reply);
    const char *indented = indentation(&reply->outcome->text);
    if (best && em_similar_by_white_space(reply, best)) {
        bool is_reason = em_miss_is_of_white_space(em_reply_diagnosis(reply)->miss);
        const char *text = is_reason ? em_similar_reason(reply) : "White space differs";
        add_hint(hints, (em_hint){EM_HINT_WHITE_SPACE, text, best, EM_HINT_GUESS});
    }
    if (indented && has_white_space(find)) {
        const char *text =
            em_reply_format(reply, "Check for tabs vs spaces - the file uses %s", indented);
        add_hint(hints, (em_hint){EM_HINT_WHITE_SPACE, text, NULL, EM_HINT_GUESS});
    }
    if (em_slice_has_byte(find, '\n'))
        add_hint(hints, (em_hint){EM_HINT_WHITE_SPACE,
                                  "Ensure you include all line breaks in multi-line searches", NULL,
                                  EM_HINT_GUESS});
}

static bool is_about_escapes(const em_diagnosis *diagnosis)
{
    em_miss miss = diagnosis ? diagnosis->miss : EM_MISS_UNKNOWN;
    return miss == EM_MISS_ESCAPES || miss == EM_MISS_UNESCAPED || miss == EM_MISS_ENTITIES;
}

static void add_escape_hint(em_reply *reply, em_slice find, em_hints *hints)
{
    const char *text = NULL;
    if (is_about_escapes(em_reply_diagnosis(reply)))
        text = em_similar_reason(reply);
    else if (has_escape(find))
        text = em_reply_format(reply,
                               "%s holds a backslash before n, t or a quote: if it stands for a "
                               "line break, a tab or the quote, send that itself",
                               reply->words->find);
    if (text)
        add_hint(hints, (em_hint){EM_HINT_ESCAPES, text, em_similar_best(reply), EM_HINT_GUESS});
}

bool em_misses_in_nothing(const em_reply *reply)
{
    return em_is_of_empty_file(reply) && reply->outcome->error.edit <= 0;
}

/* There is nothing to copy, and no line to insert text beside. */
static void add_hint_of_empty_file(em_reply *reply, em_hints *hints)
{
    const char *fill = reply->words->fill, *way = fill ? NULL : em_way_to_rewrite(reply);
    const char *text =
        em_reply_format(reply, "%s is empty, so nothing can be found in it%s%s%s", reply->path,
                        fill || way ? ": to fill it, " : "", way ? "use " : "",
                        fill  ? fill
                        : way ? way
                              : "");
    add_hint(hints, (em_hint){.kind = EM_HINT_COPY, .text = text});
}

em_hints em_hints_for_missing(em_reply *reply, em_slice find)
{
    em_hints hints = {.count = 0};
    if (em_misses_in_nothing(reply)) {
        add_hint_of_empty_file(reply, &hints);
        return hints;
    }
    add_hint_of_earlier_edit(reply, find, &hints);
    add_general_hint(reply, &hints);
    add_encoding_hint(reply, &hints);
    if (hints.stood_before) /* as it was sent */
        return hints;
    add_white_space_hints(reply, find, &hints);
    add_escape_hint(reply, find, &hints);
    return hints;
}

bool em_hint_helps(const em_reply *reply, const em_hint *hint)
{
    if (hint->sort == EM_HINT_GENERAL)
        return !reply->shows_correction;
    return hint->sort == EM_HINT_FACT || (!reply->correction && !em_similar_best(reply));
}

/* As much as an example may show of the file; empty where that is too long. */
static em_slice take_example(em_reply *reply, em_slice text)
{
    bool fits = text.len <= EXAMPLE_BYTES && text.len <= reply->shown_left;
    return fits ? em_reply_take(reply, text, text.len) : (em_slice){0};
}

static const char *example_of_text(em_reply *reply, const em_near *near)
{
    bool is_known = reply->correction != NULL;
    em_slice text = is_known ? reply->correction->find : near->to_copy;
    text = em_text_can_be_sent(text) ? take_example(reply, text) : (em_slice){0};
    return text.len > 0 ? em_reply_format(reply, "Use: \"%.*s\"", (int)text.len, text.ptr) : NULL;
}

static const char *example_of_white_space(em_reply *reply, const em_near *near)
{
    EM_AUTO(em_strbuf) visible = {0};
    em_add_visible(&visible, take_example(reply, near->content));
    if (visible.len == 0)
        return NULL;
    return em_reply_format(reply, "The file has (%s): \"%.*s\"", em_visible_legend,
                           (int)visible.len, visible.ptr);
}

const char *em_hint_example(em_reply *reply, const em_hint *hint)
{
    if (!hint->near || hint->near->is_trace)
        return NULL;
    return hint->kind == EM_HINT_WHITE_SPACE ? example_of_white_space(reply, hint->near)
                                             : example_of_text(reply, hint->near);
}

void em_add_hints(em_reply *reply, em_slice find)
{
    if (reply->outcome->error.cause == EM_CAUSE_ALREADY_APPLIED) {
        em_add_advice(reply);
        return;
    }
    em_hints hints = em_hints_for_missing(reply, find);
    em_similar_add(reply);
    for (size_t i = 0; i < hints.count; i++)
        if (em_hint_helps(reply, &hints.items[i]))
            em_strbuf_printf(&reply->text, "\n%s", hints.items[i].text);
    if (!reply->correction)
        em_add_file_unless_readable(reply);
}

void em_add_missing(em_reply *reply, em_slice find)
{
    if (!em_similar_best(reply)) {
        em_strbuf_puts(&reply->text, "\nSearched for (between >>> and <<<):\n");
        em_reply_add_echo(reply, find);
    }
    em_add_hints(reply, find);
}
