/* indent_habit.c: lines vote for the step by which they are deeper than the one before. */
#include "tokens/indent_habit.h"

#include "base/ascii.h"
#include "base/line.h"
#include "text/text.h"
#include "tokens/block_word.h"
#include "tokens/tab_stops.h"

/* Bytes between places for which the same bytes tell. */
enum { REACH_TOGETHER = EM_INDENT_REACH / 2 };

/* ---- Units ---------------------------------------------------------------------------------- */

bool em_indent_is_all(em_slice indent, char with)
{
    for (size_t i = 0; i < indent.len; i++)
        if (indent.ptr[i] != with)
            return false;
    return true;
}

size_t em_indent_tabs_in(em_slice indent)
{
    size_t tabs = 0;
    for (size_t i = 0; i < indent.len; i++)
        tabs += indent.ptr[i] == '\t';
    return tabs;
}

size_t em_indent_width_of(em_indent_unit unit)
{
    return unit.width > 0 ? unit.width : EM_INDENT_USUAL;
}

/* How many spaces are a step. */
static size_t spaces_of(em_indent_unit unit)
{
    return unit.with == ' ' ? em_indent_width_of(unit) : EM_INDENT_USUAL;
}

size_t em_indent_rest_of(em_slice indent, em_indent_unit unit)
{
    size_t spaces = 0;
    while (spaces < indent.len && indent.ptr[indent.len - 1 - spaces] == ' ')
        spaces++;
    return spaces % spaces_of(unit);
}

size_t em_indent_depth(em_slice indent, em_indent_unit unit)
{
    if (unit.tab_stops)
        return em_columns_of(indent) / spaces_of(unit);
    size_t tabs = em_indent_tabs_in(indent);
    return tabs + (indent.len - tabs) / spaces_of(unit);
}

/* ---- Lines ---------------------------------------------------------------------------------- */

/* Where the line ends that goes on at `at`. Where nothing but LFs ends lines, one look tells. */
static size_t line_end(em_slice text, size_t at, bool has_cr)
{
    em_slice rest = em_slice_from(text, at);
    return at + (has_cr ? em_line_length(rest) : em_slice_until(rest, '\n'));
}

bool em_indented_line_next(em_slice text, bool has_cr, size_t *offset, em_indented_line *next)
{
    while (*offset < text.len) {
        size_t start = *offset, end = start;
        while (end < text.len && em_is_space_or_tab(text.ptr[end]))
            end++;
        size_t last = line_end(text, end, has_cr);
        *offset = last + em_eol_length_at(text, last);
        if (end == last)
            continue;
        while (em_is_space_or_tab(text.ptr[last - 1]))
            last--;
        *next = (em_indented_line){em_slice_sub(text, start, end), em_slice_sub(text, end, last)};
        return true;
    }
    return false;
}

static size_t most_votes(const size_t *votes, size_t count)
{
    size_t best = 0;
    for (size_t i = 1; i < count; i++)
        if (votes[i] > votes[best])
            best = i;
    return best;
}

/* Does the line go on in the next one, by its last sign, or since a parenthesis is open at a word?
 * What is deeper there may be aligned, and no step. */
static bool goes_on(em_slice text)
{
    long open = 0;
    if (em_line_goes_on(text))
        return true;
    if (memchr("{}[]):;", text.ptr[text.len - 1], 7))
        return false;
    for (size_t i = 0; i < text.len; i++)
        open += (text.ptr[i] == '(') - (text.ptr[i] == ')');
    return open > 0;
}

/* How lines are indented. */
typedef struct tally {
    /* [n]: lines that are n columns deeper than the one before */
    size_t votes[EM_INDENT_WIDEST + 1], in_comments[EM_INDENT_WIDEST + 1];
    size_t tabs, spaces; /* lines */
    size_t untabbed;     /* lines of eight columns or more without a tab */
    size_t least;        /* columns, of lines with some */
    /* Lines in the block of the one before that have a tab more than it: */
    size_t stops; /* where its spaces would have reached the next tab stop */
    size_t steps; /* and where it has none */
} tally;

/* Is the line the start tag of an element, and no more? */
static bool is_start_tag(em_slice text)
{
    if (text.len < 3 || text.ptr[0] != '<' || !em_is_letter(text.ptr[1]))
        return false;
    const char *end = memchr(text.ptr, '>', text.len);
    return end == text.ptr + text.len - 1 && end[-1] != '/';
}

/* Does a line open a block for the next one, or that begin it? */
static bool is_in_block(em_slice above, em_slice text)
{
    static const char *const ends[] = {"{", "(", "[", ":", "then", "do", "else"};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        if (em_slice_ends(above, em_slice_of(ends[i])))
            return true;
    return em_slice_starts(text, EM_LIT("{")) || em_begins_block(above) || is_start_tag(above);
}

static void count_tabs(const em_indented_line *above, const em_indented_line *here, tally *t)
{
    size_t tabs = em_indent_tabs_in(above->indent), spaces = above->indent.len - tabs;
    size_t last = em_columns_of(above->indent), now = em_columns_of(here->indent);
    if (em_indent_tabs_in(here->indent) != tabs + 1 || !is_in_block(above->text, here->text))
        return;
    t->stops += spaces > 1 && now >= last + 2 && now < last + EM_TAB_STOP;
    t->steps += spaces == 0;
}

typedef enum tabbing { TABS_ARE_STEPS, TABS_ARE_STOPS } tabbing;

/* ---- Comments of several lines --------------------------------------------------------------- */

static const char *const comment_signs[][2] = {{"/*", "*/"}, {"<!--", "-->"}};

enum { COMMENT_SIGNS = sizeof comment_signs / sizeof *comment_signs };

/* Where comments of several lines are in a text, whose lines are asked for from the first on. */
typedef struct comment_search {
    em_slice text;
    bool never_end[COMMENT_SIGNS]; /* from here on: it was looked for */
    const char *end;               /* the last sign of the one that began last; NULL: none did */
} comment_search;

/* Does the line begin a comment that goes on below it? */
static bool begins_comment(comment_search *c, em_slice line)
{
    for (size_t i = 0; i < COMMENT_SIGNS; i++) {
        em_slice sign = em_slice_of(comment_signs[i][1]);
        if (c->never_end[i] || !em_slice_starts(line, em_slice_of(comment_signs[i][0])))
            continue;
        size_t rest = (size_t)(c->text.ptr + c->text.len - line.ptr);
        c->end = memmem(line.ptr, rest, sign.ptr, sign.len);
        c->never_end[i] = !c->end;
        return c->end && c->end >= line.ptr + line.len;
    }
    return false;
}

/* ---- Counting -------------------------------------------------------------------------------- */

/* What the next line is compared with. */
typedef struct line_above {
    em_indented_line line;
    size_t width;
    bool tells; /* it has no tabs that are steps, and its own indentation */
} line_above;

/* A line without tabs that are steps is this deep. */
static void count_step(size_t width, const line_above *above, size_t *votes)
{
    if (above->tells && width >= above->width + 2 && width <= above->width + EM_INDENT_WIDEST &&
        !goes_on(above->line.text))
        votes[width - above->width]++;
}

/* Count the lines of a text, which may begin anywhere in a block: its first line is no step. Nor is
 * one below the first, or below the line `bare`, where these came without their indentation; empty:
 * none did. */
static void count_lines(em_slice text, tabbing tabs, em_slice bare, tally *t)
{
    em_indented_line here;
    line_above above = {.width = 0}, opener = above; /* the line that began the comment */
    comment_search comments = {.text = text};
    size_t lines = 0;
    bool in_comment = false, has_cr = em_slice_has_byte(text, '\r');
    for (size_t offset = 0; em_indented_line_next(text, has_cr, &offset, &here); lines++) {
        if (in_comment && here.text.ptr > comments.end) {
            in_comment = false;
            above = opener;
        }
        bool tabbed = em_slice_has_byte(here.indent, '\t');
        if (tabbed)
            count_tabs(&above.line, &here, t);
        tabbed &= tabs == TABS_ARE_STEPS;
        size_t width = tabbed ? here.indent.len : em_columns_of(here.indent);
        if (here.text.ptr[0] == '*' && width == above.width + 1)
            continue; /* of a comment, a blank deeper than what opens it */
        t->tabs += tabbed;
        t->untabbed += width >= EM_TAB_STOP && !em_slice_has_byte(here.indent, '\t');
        t->spaces += width > 0 && !tabbed;
        if (!tabbed)
            count_step(width, &above, in_comment ? t->in_comments : t->votes);
        if (width > 0 && !tabbed && (t->least == 0 || width < t->least))
            t->least = width;
        bool is_bare = bare.len > 0 && (lines == 0 || (width == 0 && em_slice_eq(here.text, bare)));
        above = (line_above){here, width, !tabbed && !is_bare};
        if (!in_comment && begins_comment(&comments, here.text)) {
            in_comment = true;
            opener = above;
        }
    }
}

/* The lines that vote: those of comments where no other does. */
static const size_t *voters(const tally *t)
{
    for (size_t i = 0; i <= EM_INDENT_WIDEST; i++)
        if (t->votes[i] > 0)
            return t->votes;
    return t->in_comments;
}

/* The unit of lines with spaces. *told: a line that is a step deeper than the one before says so.
 */
static em_indent_unit unit_of_spaces(const tally *t, bool *told)
{
    size_t step = most_votes(voters(t), EM_INDENT_WIDEST + 1);
    *told = step > 0;
    return (em_indent_unit){.with = ' ',
                            .width = step > 0                       ? step
                                     : t->least <= EM_INDENT_WIDEST ? t->least
                                                                    : 0};
}

bool em_indent_has_tabs(em_slice text)
{
    em_indented_line here;
    bool has_cr = em_slice_has_byte(text, '\r');
    for (size_t offset = 0; em_indented_line_next(text, has_cr, &offset, &here);)
        if (em_slice_has_byte(here.indent, '\t'))
            return true;
    return false;
}

/* ---- Habits --------------------------------------------------------------------------------- */

em_indent_unit em_indent_unit_sent(em_slice find, em_slice insert, bool first_is_bare, bool *told,
                                   bool *tabs)
{
    tally t = {0};
    em_indented_line first = {0};
    size_t offset = 0;
    if (first_is_bare)
        em_indented_line_next(find, em_slice_has_byte(find, '\r'), &offset, &first);
    count_lines(find, TABS_ARE_STEPS, first.text, &t);
    count_lines(insert, TABS_ARE_STEPS, first.text, &t);
    *tabs = t.tabs > t.spaces;
    return unit_of_spaces(&t, told);
}

em_indent_habit em_indent_habit_of(em_slice text)
{
    tally t = {0}, in_columns = {0};
    em_indent_habit habit;
    count_lines(text, TABS_ARE_STEPS, (em_slice){0}, &t);
    habit.any_tab = t.tabs > 0;
    habit.shuns_tabs = t.untabbed > t.tabs;
    bool tab_stops = t.stops > t.steps;
    if (tab_stops) {
        count_lines(text, TABS_ARE_STOPS, (em_slice){0}, &in_columns);
        t = in_columns;
    }
    habit.spaces = unit_of_spaces(&t, &habit.told);
    habit.spaces.tab_stops = tab_stops;
    habit.tabs = t.tabs > t.spaces;
    habit.steps = 0;
    for (unsigned width = 0; width <= EM_INDENT_WIDEST; width++)
        habit.steps |= (unsigned)(voters(&t)[width] > 0) << width;
    return habit;
}

em_indent_habit em_indent_habit_around(em_slice text, size_t start, size_t end,
                                       em_indent_habits *habits)
{
    if (habits && habits->text.ptr != text.ptr)
        habits = NULL;
    if (habits && habits->is_known && start >= habits->at && start - habits->at <= REACH_TOGETHER)
        return habits->habit;
    size_t from = start > EM_INDENT_REACH ? start - EM_INDENT_REACH : 0;
    size_t to = text.len - end > EM_INDENT_REACH ? end + EM_INDENT_REACH : text.len;
    em_indent_habit habit = em_indent_habit_of(em_slice_sub(text, from, to));
    if (habits)
        *habits = (em_indent_habits){habits->text, true, start, habit};
    return habit;
}
