#include "laying/misplaced.h"

#include "base/ascii.h"
#include "base/line.h"
#include "laying/placed_edit.h"
#include "match/block.h"
#include "match/token_line.h"

typedef struct texts {
    em_placed_edit edit;
    const em_laid *laid;
    em_indent_unit unit;
} texts;

/* How many blanks an indentation has, if all are those of a step. */
static bool is_plain(const texts *t, em_slice indent)
{
    for (size_t i = 0; i < indent.len; i++)
        if (indent.ptr[i] != t->unit.with)
            return false;
    return true;
}

/* How deep the line is in the result that token `index` of the replacement begins. */
static bool depth_in_result(const texts *t, size_t index, size_t *depth)
{
    em_slice indent;
    size_t start, before = 0;
    if (!em_indent_at(t->laid->text, t->laid->starts[index], &indent) || !is_plain(t, indent))
        return false;
    if (index == 0 && em_begins_line(t->edit.text, t->edit.place->span.start, &start))
        before = t->edit.place->span.start - start;
    *depth = before + indent.len;
    return true;
}

static size_t next_line(const texts *t, size_t index)
{
    em_slice unused;
    while (++index < t->edit.insert.tokens.count && !em_line_indent(t->edit.insert, index, &unused))
        ;
    return index;
}

static bool is_bare_start(const texts *t, size_t index)
{
    return index == 0 && t->edit.insert.tokens.items[0].start == 0;
}

/* Are the file's lines at the place whole steps deep? */
static bool is_file_in_steps(const texts *t)
{
    em_slice seen;
    for (size_t i = 0; i < t->edit.find.tokens.count; i++)
        if (em_seen_indent(t->edit.text, t->edit.place, i, &seen) &&
            (!is_plain(t, seen) || seen.len % t->unit.width > 0))
            return false;
    return true;
}

/* Are the replacement's whole steps from each other, and some of the result's not? */
static bool leaves_steps(const texts *t)
{
    em_slice indent;
    size_t rest = EM_NPOS, rest_there = EM_NPOS, depth;
    bool leaves = false;
    for (size_t i = 0; i < t->edit.insert.tokens.count; i = next_line(t, i)) {
        if (!em_line_indent(t->edit.insert, i, &indent) || is_bare_start(t, i))
            continue;
        if (!is_plain(t, indent) || (rest != EM_NPOS && indent.len % t->unit.width != rest))
            return false;
        rest = indent.len % t->unit.width;
        if (!depth_in_result(t, i, &depth))
            return false;
        depth %= t->unit.width;
        leaves |= rest_there != EM_NPOS && depth != rest_there;
        rest_there = depth;
    }
    return leaves && is_file_in_steps(t);
}

/* Are the new lines whole steps deep, and some of them not in the result? */
static bool takes_new_out_of_steps(const texts *t)
{
    em_slice indent;
    size_t depth;
    bool takes = false;
    for (size_t i = 0; i < t->edit.insert.tokens.count; i = next_line(t, i)) {
        if (t->edit.origin[i] != EM_NPOS || !em_line_indent(t->edit.insert, i, &indent) ||
            is_bare_start(t, i))
            continue;
        if (!is_plain(t, indent) || indent.len % t->unit.width > 0 ||
            !depth_in_result(t, i, &depth))
            return false;
        takes |= depth % t->unit.width > 0;
    }
    return takes && is_file_in_steps(t);
}

/* Does the line end so that what is deeper below it may be aligned? */
static bool is_continued(const texts *t, size_t line)
{
    size_t first, last;
    em_line_around(t->edit.insert, line, &first, &last);
    em_slice token = em_tokened_token(t->edit.insert, last);
    return token.len > 0 && (em_line_goes_on(token) || em_slice_is(token, "["));
}

/* Is the second line two steps deeper than a first one that came bare, and one of them new? */
static bool leaps_behind_bare(const texts *t)
{
    size_t second = next_line(t, 0), first_depth, depth, unused;
    return is_bare_start(t, 0) && second < t->edit.insert.tokens.count && !is_continued(t, 0) &&
           em_begins_line(t->edit.text, t->edit.place->tokens[0].start, &unused) &&
           (t->edit.origin[0] == EM_NPOS || t->edit.origin[second] == EM_NPOS) &&
           depth_in_result(t, 0, &first_depth) && first_depth > 0 &&
           depth_in_result(t, second, &depth) && depth >= first_depth + 2 * t->unit.width;
}

/* Does the line go on with a statement that stands above it, as "else" does? */
static bool goes_on(const texts *t, size_t line)
{
    static const char *const words[] = {"else",    "elif",   "elsif", "elseif",  "except",
                                        "finally", "catch",  "case",  "default", "when",
                                        "ensure",  "rescue", "then",  "do"};
    em_slice word = em_tokened_token(t->edit.insert, line);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (em_slice_is(word, words[i]))
            return true;
    return !em_token_is_word(word);
}

/* Is every line of the file at the place deeper than that? */
static bool is_above_all(const texts *t, size_t depth)
{
    em_slice seen;
    bool any = false;
    for (size_t i = 0; i < t->edit.find.tokens.count; i++) {
        if (!em_seen_indent(t->edit.text, t->edit.place, i, &seen))
            continue;
        if (!is_plain(t, seen) || seen.len <= depth)
            return false;
        any = true;
    }
    return any;
}

/* Is the replacement's first line indented as the file's at the place is, and the search text's is
 * not? Then it may be as deep as the file has it, and no less deep than the search text. */
static bool begins_as_file(const texts *t)
{
    em_slice new, old, seen;
    return em_line_indent(t->edit.insert, 0, &new) &&
           em_seen_indent(t->edit.text, t->edit.place, 0, &seen) && em_slice_eq(new, seen) &&
           !(em_line_indent(t->edit.find, 0, &old) && em_slice_eq(old, seen));
}

/* Does a new first line open a block less deep than all that was there? */
static bool sinks(const texts *t)
{
    size_t first, last, depth;
    em_line_around(t->edit.insert, 0, &first, &last);
    return t->edit.origin[0] == EM_NPOS && em_opens_block(t->edit.insert, last) && !goes_on(t, 0) &&
           next_line(t, 0) < t->edit.insert.tokens.count && begins_as_file(t) &&
           depth_in_result(t, 0, &depth) && is_above_all(t, depth);
}

/* Does the new line come to be deeper than the one beside it that stays where it is, although it
 * was sent as deep as the file has that? (Not where that is an item of a list, which goes on
 * deeper.) */
static bool is_deeper_than_sent(const texts *t, size_t line, size_t beside)
{
    em_slice sent, seen;
    size_t depth, depth_beside;
    return em_token_is_word(em_tokened_token(t->edit.insert, beside)) &&
           t->edit.origin[line] == EM_NPOS && t->edit.origin[beside] != EM_NPOS &&
           em_line_indent(t->edit.insert, line, &sent) &&
           em_seen_indent(t->edit.text, t->edit.place, t->edit.origin[beside], &seen) &&
           em_slice_eq(sent, seen) && is_plain(t, sent) && depth_in_result(t, line, &depth) &&
           depth > sent.len && depth_in_result(t, beside, &depth_beside) &&
           depth_beside == seen.len;
}

/* The first line that stays; at the end there is none. */
static size_t first_kept_line(const texts *t)
{
    size_t line = 0;
    while (line < t->edit.insert.tokens.count && t->edit.origin[line] == EM_NPOS)
        line = next_line(t, line);
    return line;
}

/* May what stands below the line be deeper? */
static bool may_hold(const texts *t, size_t line)
{
    size_t first, last;
    em_line_around(t->edit.insert, line, &first, &last);
    em_slice token = em_tokened_token(t->edit.insert, last);
    bool ends_tag_or_comment = em_slice_is(token, ">") || em_slice_is(token, "/");
    return em_opens_block(t->edit.insert, last) || (is_continued(t, line) && !ends_tag_or_comment);
}

/* Is there such a line right behind one that stays and holds nothing, or the first of all, before
 * one that stays and ends nothing? */
static bool comes_deeper(const texts *t)
{
    size_t count = t->edit.insert.tokens.count, kept = first_kept_line(t), above = kept;
    if (kept > 0 && kept < count && !goes_on(t, kept) && is_deeper_than_sent(t, 0, kept))
        return true;
    for (size_t i = next_line(t, kept); i < count; above = i, i = next_line(t, i))
        if (is_deeper_than_sent(t, i, above) && !may_hold(t, above))
            return true;
    return false;
}

/* Does the line end the block of what stands above it? */
static bool ends_block_above(const texts *t, size_t line)
{
    if (!em_token_is_word(em_tokened_token(t->edit.insert, line)))
        return em_tokened_is_one_of(t->edit.insert, line, "})]");
    return em_only_ends_block(t->edit.insert, line) || goes_on(t, line);
}

/* Is the second of two lines, one of which is new, no longer less deep than the first, though it
 * ends the block that this is in? */
static bool leaves_block(const texts *t, size_t above, size_t line)
{
    em_slice sent_above, sent;
    size_t depth_above, depth;
    return (t->edit.origin[above] == EM_NPOS || t->edit.origin[line] == EM_NPOS) &&
           !is_bare_start(t, above) && ends_block_above(t, line) &&
           em_line_indent(t->edit.insert, above, &sent_above) &&
           em_line_indent(t->edit.insert, line, &sent) && sent_above.len > sent.len &&
           depth_in_result(t, above, &depth_above) && depth_in_result(t, line, &depth) &&
           depth_above <= depth;
}

/* Is the second, below one that opens a block, two steps deeper, and was sent one deeper? */
static bool leaps_into_block(const texts *t, size_t above, size_t line)
{
    em_slice sent_above, sent;
    size_t first, last, depth_above, depth;
    em_line_around(t->edit.insert, above, &first, &last);
    return (t->edit.origin[above] == EM_NPOS || t->edit.origin[line] == EM_NPOS) &&
           !is_bare_start(t, above) && em_tokened_is_one_of(t->edit.insert, last, "{:") &&
           em_line_indent(t->edit.insert, above, &sent_above) &&
           em_line_indent(t->edit.insert, line, &sent) && is_plain(t, sent) &&
           sent.len <= sent_above.len + t->unit.width && depth_in_result(t, above, &depth_above) &&
           depth_in_result(t, line, &depth) && depth >= depth_above + 2 * t->unit.width;
}

/* Is there such a line? */
static bool breaks_block(const texts *t)
{
    size_t count = t->edit.insert.tokens.count, above = 0;
    for (size_t i = next_line(t, 0); i < count; above = i, i = next_line(t, i))
        if (leaves_block(t, above, i) || leaps_into_block(t, above, i))
            return true;
    return false;
}

/* Does every line begin with a blank, and move those by it that are repeated, more than one, though
 * the search text has them as the file does? */
static bool has_column_of_patch(const texts *t)
{
    em_slice old, new, seen;
    size_t moved = 0, from;
    for (size_t i = 0; i < t->edit.insert.tokens.count; i = next_line(t, i)) {
        from = t->edit.origin[i];
        if (!em_line_indent(t->edit.insert, i, &new) || new.len == 0 || new.ptr[0] != ' ')
            return false;
        if (from == EM_NPOS || !em_line_indent(t->edit.find, from, &old) ||
            !em_seen_indent(t->edit.text, t->edit.place, from, &seen))
            continue;
        if (!em_slice_eq(old, seen) || new.len != old.len + 1)
            return false;
        moved++;
    }
    return moved > 1;
}

bool em_has_misplaced_line(em_slice text, const em_tolerant_place *place, const em_laid *laid,
                           em_indent_habit habit)
{
    texts t = {
        .edit = em_placed_edit_laid(text, place, laid), .laid = laid, .unit = em_habit_unit(habit)};
    if (laid->insert.count == 0)
        return false;
    if (!(habit.told && t.unit.width == 1) && has_column_of_patch(&t))
        return true;
    if (!habit.tabs && !habit.told)
        return false;
    if (!habit.tabs && (leaves_steps(&t) || takes_new_out_of_steps(&t)))
        return true;
    return leaps_behind_bare(&t) || sinks(&t) || comes_deeper(&t) || breaks_block(&t);
}
