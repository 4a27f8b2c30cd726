#include "remarks/wrapped_text.h"

#include "base/line.h"
#include "match/numbering.h"
#include "match/wrapping.h"
#include "remarks/text_page.h"

/* What an op replaces, and where. */
typedef struct replacing {
    const em_op *op;
    const em_lines *lines;
    const char *path;
    em_slice replaced;
    size_t start; /* in the text of the file */
} replacing;

static bool has_copied_numbers(const replacing *r)
{
    em_numbering numbering;
    if (!em_numbering_of(r->op->insert, &numbering) ||
        !em_brings_numbers(r->replaced, r->op->insert))
        return false;
    return numbering.style != EM_NUMBER_COLON || numbering.first == em_lines_at(r->lines, r->start);
}

static bool holds(em_slice text, const char *part)
{
    return text.len > 0 && memmem(text.ptr, text.len, part, strlen(part));
}

/* Where fences are at home: in pages of text, and beside others. */
static bool may_have_fences(const replacing *r)
{
    return em_is_text_page(r->path) || holds(r->lines->body, "```") || holds(r->lines->body, "~~~");
}

/* Words may well become a block of code; a fence around the lines that stood there comes from who
 * showed them. */
static bool has_new_fence(const replacing *r)
{
    if (!em_is_code_block(r->op->insert) || em_is_code_block(r->replaced) || may_have_fences(r))
        return false;
    return r->op->kind == EM_OP_REWRITE || em_lines_shared(r->op->insert, r->replaced) > 0;
}

static bool has_new_markers(const replacing *r)
{
    em_slice unused;
    return em_marked(r->op->insert, &unused) && !em_marked(r->replaced, &unused) &&
           !holds(r->lines->body, ">>>");
}

/* Not where the file holds patches itself. */
static bool is_new_patch(const replacing *r)
{
    return em_is_patch_of(r->replaced, r->op->insert) && !holds(r->lines->body, "@@ -");
}

/* A change that came for what it makes. Not where the file holds such itself; and a new file may be
 * one of a diff. */
static bool is_new_change(const replacing *r)
{
    em_slice body = r->lines->body;
    switch (em_change_form_of(r->op->insert)) {
    case EM_CHANGE_DIFF:
        return body.len > 0 && !holds(body, "@@ -");
    case EM_CHANGE_BLOCK:
        return !holds(body, " SEARCH") && !holds(body, "*** Begin Patch");
    case EM_CHANGE_NONE:
        break;
    }
    return false;
}

/* Most texts of one line are plainly none that came wrapped. */
static bool may_be_wrapped(em_slice insert)
{
    em_slice blanks = em_line_blanks(insert);
    bool may_be_numbered = blanks.len < insert.len && em_is_digit(insert.ptr[blanks.len]);
    em_slice unused;
    return may_be_numbered || em_slice_has_byte(insert, '\n') || em_marked(insert, &unused);
}

/* What is told of it: what it is, and what to send if that was not meant. */
typedef struct wrapping {
    const char *what; /* NULL: it is nothing */
    const char *send;
} wrapping;

/* A new file of numbered lines is one of numbered lines. */
static wrapping wrapping_of(const replacing *r)
{
    if (r->replaced.len > 0 && has_copied_numbers(r))
        return (wrapping){"The new lines begin with line numbers, as tools that read show them, "
                          "and these go into the file: if they were copied, ",
                          "send the lines without them"};
    if (has_new_fence(r))
        return (wrapping){"The new text stands in a code fence, and this goes into the file: if it "
                          "was not meant, ",
                          "send the text without it"};
    if (has_new_markers(r))
        return (wrapping){"The new text stands between >>> and <<<, as answers show a text, and "
                          "these go into the file: if they were not meant, ",
                          "send the text without them"};
    if (is_new_patch(r))
        return (wrapping){"The new text is a patch of the old one, and the signs before its lines "
                          "go into the file: if that was not meant, ",
                          "send the lines as they are to be, without signs, and without those that "
                          "go"};
    if (is_new_change(r))
        return (wrapping){"The new text tells of a change, as a patch or in blocks, and goes into "
                          "the file as it came: if that was not meant, ",
                          "send the text as it is to be"};
    return (wrapping){NULL, NULL};
}

/* False where it is not known for sure what the op replaces. The ops of a call have their turns one
 * after the other, so of lines it is known only of one that comes alone. */
static bool read_replaced(const em_planned_edit *edit, const em_matches *places, replacing *r)
{
    bool has_place = places->count > 0;
    bool is_text = r->op->kind == EM_OP_REPLACE && !em_op_is_pattern(r->op) && has_place &&
                   places->items[0].tier == EM_TIER_EXACT;
    bool is_part = r->op->kind == EM_OP_LINES && edit->plan->op_count == 1 && places->count == 1;
    if (r->op->kind == EM_OP_REWRITE)
        r->replaced = r->lines->body;
    else if (is_text)
        r->replaced = r->op->find;
    else if (is_part)
        r->replaced = em_slice_sub(r->lines->body, places->items[0].start, places->items[0].end);
    else
        return false;
    r->start = has_place ? places->items[0].start : 0;
    return true;
}

em_status em_remark_wrapped_text(const em_planned_edit *edit, em_arena *arena,
                                 em_warnings *warnings)
{
    const em_plan *plan = edit->plan;
    for (size_t i = 0; i < plan->op_count; i++) {
        if (!may_be_wrapped(edit->ops[i].insert))
            continue;
        replacing r = {.op = &edit->ops[i], .lines = edit->lines, .path = edit->path};
        if (!read_replaced(edit, &plan->places[i], &r))
            continue;
        wrapping told = wrapping_of(&r);
        if (told.what)
            return em_warn(warnings, arena, "%s%s%s", told.what,
                           edit->is_dry_run ? "" : "undo this and ", told.send);
    }
    return EM_OK;
}
