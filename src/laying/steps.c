/* steps.c: the caller's and the file's steps of indentation.
 *
 * By the steps from line to line first, then by what is learned from the pairs of lines. */
#include "laying/steps.h"

#include "base/ascii.h"
#include "tokens/here_document.h"

/* The file's unit: that of the lines that were found, before that of the lines around. */
static void learn_file(em_indents *indents, em_indent_habit habit)
{
    bool tabbed = false, indented = false;
    for (size_t i = 0; i < indents->count; i++) {
        tabbed |= em_slice_has_byte(indents->pairs[i].seen, '\t');
        indented |= indents->pairs[i].seen.len > 0;
    }
    indents->file = habit.spaces;
    indents->told = habit.told;
    indents->file_steps = habit.steps;
    if (indented ? tabbed : habit.tabs)
        indents->file = (em_indent_unit){.with = '\t', .width = 1};
}

/* The caller's unit, by the lines of its texts. */
static void learn_caller(em_indents *indents, em_slice find, em_slice insert)
{
    bool tabs;
    em_indent_unit file = indents->file;
    em_indent_unit caller =
        em_indent_unit_sent(find, insert, indents->first_is_bare, &indents->caller_told, &tabs);
    indents->may_be_several = !indents->caller_told && caller.with == ' ' &&
                              (caller.width == 0 || caller.width > EM_INDENT_USUAL);
    if (!indents->caller_told && tabs)
        caller = (em_indent_unit){.with = '\t', .width = 1};
    else if (!indents->caller_told && caller.width > EM_INDENT_USUAL && file.with == ' ' &&
             file.width > 0 && caller.width % file.width == 0)
        caller = file; /* all lines are some steps deep */
    indents->caller = caller;
}

/* The first line has no indentation for the caller, but some in the file. If all others are as many
 * steps deeper as they are in the file: the caller's step; else its width is 0. */
static em_indent_unit step_from_first(const em_indents *indents)
{
    em_indent_unit none = {0}, unit = {0}, file = indents->file;
    em_slice base = indents->pairs[0].seen;
    for (size_t i = 1; i < indents->count; i++) {
        em_slice wanted = indents->pairs[i].wanted, seen = indents->pairs[i].seen;
        if (!em_slice_starts(seen, base) || (wanted.len == 0) != (seen.len == base.len))
            return none;
        if (wanted.len == 0)
            continue;
        em_slice deeper = em_slice_from(seen, base.len);
        size_t steps = file.width > 0 ? deeper.len / file.width : 0;
        if (steps == 0 || deeper.len % file.width > 0 || wanted.len % steps > 0 ||
            !em_indent_is_all(deeper, file.with) || !em_indent_is_all(wanted, wanted.ptr[0]))
            return none;
        em_indent_unit step = {.with = wanted.ptr[0], .width = wanted.len / steps};
        if (unit.width > 0 && (step.with != unit.with || step.width != unit.width))
            return none;
        unit = step;
    }
    return unit;
}

static bool is_in_steps(em_slice text, em_indent_unit step)
{
    em_indented_line here;
    bool has_cr = em_slice_has_byte(text, '\r');
    for (size_t offset = 0; em_indented_line_next(text, has_cr, &offset, &here);)
        if (here.indent.len % step.width > 0 || !em_indent_is_all(here.indent, step.with))
            return false;
    return true;
}

bool em_texts_in_steps(em_slice find, em_slice insert, em_indent_unit step)
{
    return is_in_steps(find, step) && is_in_steps(insert, step);
}

/* Are all lines but the first as deep as in the file, to the byte? */
static bool others_stand(const em_indents *indents)
{
    for (size_t i = 1; i < indents->count; i++)
        if (!em_slice_eq(indents->pairs[i].wanted, indents->pairs[i].seen))
            return false;
    return true;
}

/* Has the text a here-document whose lines may have no indentation at all? A word that is neither
 * marked nor quoted is one where it begins with a capital letter: else "<<" is an operator. */
static bool has_here_document(em_slice text)
{
    em_here_document document;
    for (size_t at = 0; em_here_document_next(text, &at, &document);) {
        bool is_word = document.word.len > 0 && em_is_upper(document.word.ptr[0]);
        if (document.mark || document.is_quoted || is_word)
            return true;
    }
    return false;
}

/* One of a shell, whose lines are indented by tabs alone? */
static bool has_tabbed_document(em_slice text)
{
    em_here_document document;
    for (size_t at = 0; em_here_document_next(text, &at, &document);)
        if (document.mark == '-')
            return true;
    return false;
}

/* Did another line lose its indentation, too? It may be that all of them did: where that line is
 * deeper than the first, or else not as deep and no line of the search text has any. */
static bool lost_more(const em_indents *indents)
{
    const em_indent_pair *pairs = indents->pairs;
    bool lost = false, indented = false;
    for (size_t i = 1; i < indents->count; i++) {
        bool is_bare = pairs[i].wanted.len == 0;
        if (is_bare && pairs[i].seen.len > pairs[0].seen.len)
            return true;
        indented |= !is_bare;
        lost |= is_bare && pairs[i].seen.len > 0 && pairs[i].seen.len < pairs[0].seen.len;
    }
    return lost && !indented;
}

/* A search text often begins in the middle of a line's indentation: then its first line says
 * nothing about how the others are indented. But it does where all of it is less deep, in steps of
 * the caller's: where the lines that both texts have are in these steps from the first one on. */
static void judge_first(em_indents *indents, em_slice find, em_slice insert)
{
    if (!indents->first_is_bare || indents->count < 2 || em_indents_agree(indents) ||
        lost_more(indents)) {
        indents->first_is_bare = false;
        return;
    }
    learn_caller(indents, find, insert);
    em_indent_unit step = step_from_first(indents), own = indents->caller;
    bool in_steps = step.width > 0 && em_texts_in_steps(find, insert, step);
    bool is_own = indents->caller_told && own.with == step.with && own.width == step.width;
    bool stand = others_stand(indents);
    bool may_be_alone = !is_own && stand == (step.width <= EM_INDENT_USUAL);
    indents->either = in_steps && (may_be_alone || has_here_document(insert));
    indents->first_is_bare = !in_steps || (stand && !is_own);
    if (indents->first_is_bare) {
        indents->pairs++;
        indents->count--;
    }
}

/* How many steps are lines apart that are `caller` columns deeper than others for the caller, and
 * `file` in the file? Where that is no whole number of the steps of the file around, the lines have
 * steps of their own: as many as they are for the caller, if his are known; unless they come out as
 * none that anybody uses. 0: nobody knows. */
static size_t steps_apart(em_indents *indents, size_t caller, size_t file)
{
    size_t width = indents->file.width, own = indents->caller.width;
    if (width > 0 && file % width == 0)
        return file / width;
    bool are_blanks = indents->file.with == ' ' && indents->caller.with == ' ';
    bool is_told = indents->caller_told && own > 0 && caller % own == 0;
    size_t steps = are_blanks && is_told ? caller / own : 0;
    if (steps == 0 || file % steps > 0 || file / steps > EM_INDENT_USUAL)
        return 0;
    indents->file.width = file / steps;
    return steps;
}

/* Does a line near by that is as deep for the caller have another depth in the file? */
bool em_indents_doubt(const em_indents *indents, size_t index)
{
    const em_indent_pair *pair = &indents->pairs[index];
    size_t from = index > EM_INDENTS_COMPARED ? index - EM_INDENTS_COMPARED : 0;
    for (size_t i = from; i < indents->count && i <= index + EM_INDENTS_COMPARED; i++)
        if (em_slice_eq(indents->pairs[i].wanted, pair->wanted) &&
            !em_slice_eq(indents->pairs[i].seen, pair->seen))
            return true;
    return false;
}

/* Is the second deeper than the first for the caller, and in the file? There it is not if it is by
 * blanks of another kind than the file's: those of a comment, or what aligns it. */
bool em_indents_deepen(const em_indents *indents, const em_indent_pair *a, const em_indent_pair *b)
{
    return b->seen.len > a->seen.len && b->wanted.len > a->wanted.len &&
           (!em_slice_starts(b->seen, a->seen) ||
            em_indent_is_all(em_slice_from(b->seen, a->seen.len), indents->file.with));
}

/* How many columns a tab of the caller's is, if all lines have tabs alone for spaces of the file's
 * and it is as many in each; 0. */
static size_t columns_of_each_tab(const em_indents *indents)
{
    const em_indent_pair *first = indents->pairs;
    size_t columns = 0;
    for (size_t i = 0; i < indents->count && columns == 0; i++) {
        size_t tabs = em_apart(indents->pairs[i].wanted.len, first->wanted.len);
        columns = tabs > 0 ? em_apart(indents->pairs[i].seen.len, first->seen.len) / tabs : 0;
    }
    for (size_t i = 0; i < indents->count; i++) {
        em_slice wanted = indents->pairs[i].wanted, seen = indents->pairs[i].seen;
        if (!em_indent_is_all(wanted, '\t') || !em_indent_is_all(seen, ' ') ||
            seen.len + first->wanted.len * columns != first->seen.len + wanted.len * columns)
            return 0;
    }
    return columns <= EM_INDENT_WIDEST ? columns : 0;
}

/* Does the first line alone not stand as in the file, and begin with what is no steps of that? Then
 * it was cut, and the blanks are those of its midst. */
static bool first_is_cut(const em_indents *indents)
{
    const em_indent_pair *first = indents->pairs;
    return indents->count > 1 && first->at == 0 && others_stand(indents) &&
           first->wanted.len % em_indent_width_of(indents->file) > 0;
}

/* A line, and one that is deeper for the caller and in the file; no pairs: there are none. */
typedef struct em_step {
    const em_indent_pair *from, *to;
} em_step;

static size_t columns_of(em_step step)
{
    return step.to->wanted.len - step.from->wanted.len;
}

/* The step between two pairs; none: neither is plainly deeper in both texts. */
static em_step step_between(const em_indents *indents, size_t i, size_t j)
{
    em_step step = {&indents->pairs[i], &indents->pairs[j]};
    if (step.from->wanted.len > step.to->wanted.len)
        step = (em_step){step.to, step.from};
    return em_indents_deepen(indents, step.from, step.to) ? step : (em_step){NULL, NULL};
}

/* Is it whole steps of the file, and of the caller as far as his are told? A line of a comment
 * stands a blank deeper, one that slipped anywhere, one that goes on where it is aligned. */
static bool is_whole_step(const em_indents *indents, em_step step)
{
    size_t file = em_indent_width_of(indents->file), own = indents->caller.width;
    bool is_own = !indents->caller_told || own == 0 || columns_of(step) % own == 0;
    return is_own && (step.to->seen.len - step.from->seen.len) % file == 0;
}

/* The shortest of the steps that are whole, since between two that are far apart a line may be
 * missing in one of the texts; where none is, the first. */
static em_step step_to_learn(const em_indents *indents)
{
    em_step first = {NULL, NULL}, least = {NULL, NULL};
    for (size_t i = first_is_cut(indents); i < indents->count; i++)
        for (size_t j = i + 1; j < indents->count && j <= i + EM_INDENTS_COMPARED; j++) {
            em_step step = step_between(indents, i, j);
            bool is_less = step.from && (!least.from || columns_of(step) < columns_of(least)) &&
                           is_whole_step(indents, step);
            bool is_first = step.from && !first.from;
            if ((!is_less && !is_first) || em_indents_doubt(indents, i) ||
                em_indents_doubt(indents, j))
                continue;
            first = is_first ? step : first;
            least = is_less ? step : least;
        }
    return least.from ? least : first;
}

/* Two pairs of different depth tell how many of the caller's columns are one of the file's steps,
 * where the two are not indented alike. Tabs are steps, whatever other steps the file has. */
static void learn_from_pairs(em_indents *indents)
{
    size_t columns = columns_of_each_tab(indents);
    if (columns > 0) {
        indents->file = (em_indent_unit){.with = ' ', .width = columns};
        indents->caller = (em_indent_unit){.with = '\t', .width = 1};
        indents->learned = true;
        return;
    }
    em_step step = step_to_learn(indents);
    if (!step.from)
        return;
    size_t caller = columns_of(step), file = step.to->seen.len - step.from->seen.len;
    size_t steps = steps_apart(indents, caller, file);
    if (steps > 0 && caller > steps * EM_INDENT_WIDEST &&
        step.from->wanted.len % (caller / steps) > 0)
        return; /* a line that is cut begins with any blanks */
    indents->learned = steps > 0 && caller % steps == 0;
    if (em_slice_has_byte(step.to->wanted, '\t'))
        indents->caller = (em_indent_unit){.with = '\t', .width = 1};
    else if (indents->learned)
        indents->caller = (em_indent_unit){.with = ' ', .width = caller / steps};
}

/* How wide the caller's steps are if the line is as deep in them as it is in the file; 0: it is in
 * none. */
static size_t width_by_depth(const em_indents *indents, const em_indent_pair *pair)
{
    size_t depth = em_indent_depth(pair->seen, indents->file);
    size_t width = depth > 0 ? pair->wanted.len / depth : 0;
    bool is = width <= EM_INDENT_USUAL && width * depth == pair->wanted.len &&
              em_indent_rest_of(pair->seen, indents->file) == 0 &&
              em_indent_is_all(pair->wanted, ' ');
    return is ? width : 0;
}

/* Where nothing else tells, and all lines that were found are as deep in some steps as they are in
 * the file, and all of the texts are in these: they are the caller's. */
static void learn_steps(em_indents *indents, em_slice find, em_slice insert)
{
    em_indent_unit unit = {.with = ' '};
    for (size_t i = 0; i < indents->count; i++) {
        size_t width = width_by_depth(indents, &indents->pairs[i]);
        if (indents->pairs[i].seen.len + indents->pairs[i].wanted.len == 0)
            continue;
        if (width == 0 || (unit.width > 0 && width != unit.width))
            return;
        unit.width = width;
    }
    if (unit.width > 1 && em_texts_in_steps(find, insert, unit))
        indents->caller = unit;
}

/* Where nothing else tells: a line that has spaces for the file's tabs is as deep in the caller's
 * steps. Wide ones are steps only if all of the texts is in them. */
static void learn_from_depth(em_indents *indents, em_slice find, em_slice insert)
{
    for (size_t i = 0; i < indents->count; i++) {
        em_slice wanted = indents->pairs[i].wanted;
        size_t depth = em_indent_depth(indents->pairs[i].seen, indents->file);
        em_indent_unit unit = {.with = ' ', .width = depth > 0 ? wanted.len / depth : 0};
        if (unit.width == 0 || unit.width > EM_INDENT_WIDEST || wanted.len % depth > 0 ||
            !em_indent_is_all(wanted, ' ') ||
            (unit.width > EM_INDENT_USUAL && !em_texts_in_steps(find, insert, unit)))
            continue;
        indents->caller = unit;
        return;
    }
}

/* Are all lines of the texts in the steps that the caller seems to have? */
static bool are_in_steps(const em_indents *indents, em_slice find, em_slice insert)
{
    em_indent_unit unit = indents->caller;
    return unit.width > 0 && is_in_steps(find, unit) && is_in_steps(insert, unit);
}

/* Do the pairs show how lines of different depth are indented? Those of a comment do not, that
 * stand a blank deeper than what opens it. */
static bool has_depths(const em_indents *indents)
{
    for (size_t i = 1; i < indents->count; i++) {
        em_slice first = indents->pairs[0].wanted, other = indents->pairs[i].wanted;
        bool deeper = other.len > first.len;
        em_slice more = deeper ? em_slice_from(other, first.len) : em_slice_from(first, other.len);
        if (!em_slice_eq(other, first) && !em_slice_is(more, " "))
            return true;
    }
    return false;
}

/* Is a brace left open? Those of blocks end a line, or begin one that they close. */
static bool ends_in_braces(em_slice text)
{
    em_indented_line here;
    size_t open = 0;
    bool has_cr = em_slice_has_byte(text, '\r');
    for (size_t offset = 0; em_indented_line_next(text, has_cr, &offset, &here);) {
        open -= open > 0 && here.text.ptr[0] == '}';
        open += here.text.ptr[here.text.len - 1] == '{';
    }
    return open > 0;
}

void em_indents_init(em_indents *indents, em_slice find, em_slice insert, em_indent_habit file)
{
    learn_file(indents, file);
    bool any_meant = file.any_tab || has_tabbed_document(insert);
    bool any_sent = em_indent_has_tabs(find);
    indents->tabs_are_meant = !any_sent && any_meant;
    indents->tabs_are_strange = !any_sent && !any_meant;
    judge_first(indents, find, insert);
    learn_caller(indents, find, insert);
    indents->sent = indents->caller;
    indents->agree = em_indents_agree(indents);
    indents->end_is_unclear = em_indents_lost_all(indents) && !ends_in_braces(find);
    indents->deepens = has_depths(indents);
    if (!indents->agree)
        learn_from_pairs(indents);
    if (indents->learned || indents->caller_told)
        return;
    bool may_be_other = indents->may_be_several || indents->first_is_bare;
    if (indents->file.with == '\t' && (may_be_other || indents->caller.with == '\t'))
        learn_from_depth(indents, find, insert);
    else if (indents->file.with == ' ' && (may_be_other || !are_in_steps(indents, find, insert)))
        learn_steps(indents, find, insert);
}

bool em_indents_agree(const em_indents *indents)
{
    if (indents->count == 0)
        return true;
    em_indent_pair first = indents->pairs[0];
    bool deeper = em_slice_ends(first.seen, first.wanted);
    if (!deeper && !em_slice_ends(first.wanted, first.seen))
        return false;
    em_slice front = deeper ? em_slice_sub(first.seen, 0, first.seen.len - first.wanted.len)
                            : em_slice_sub(first.wanted, 0, first.wanted.len - first.seen.len);
    for (size_t i = 1; i < indents->count; i++) {
        em_slice longer = deeper ? indents->pairs[i].seen : indents->pairs[i].wanted;
        em_slice shorter = deeper ? indents->pairs[i].wanted : indents->pairs[i].seen;
        if (longer.len != shorter.len + front.len || !em_slice_starts(longer, front) ||
            !em_slice_ends(longer, shorter))
            return false;
    }
    return true;
}

bool em_indents_lost_all(const em_indents *indents)
{
    bool lost = false;
    for (size_t i = 0; i < indents->count; i++) {
        if (indents->pairs[i].wanted.len > 0)
            return false;
        lost |= indents->pairs[i].seen.len > 0;
    }
    return lost;
}
