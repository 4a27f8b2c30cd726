/* indent.c: the caller's and the file's steps of indentation, and the way from one to the other.
 *
 * Units first, by the steps from line to line; then what is learned from the pairs of lines; then a
 * line is mapped by the pair that is nearest; and in the end, whether that pair tells enough. */
#include "laying/indent.h"

#include "base/ascii.h"

enum {
    MOST_NEAR = 256, /* pairs that are looked at */
    /* Pairs behind one that it is compared with. Two of different depth are mostly next to each
     * other; where all are of one depth, comparing each with all takes the square of their time. */
    MOST_COMPARED = 15,
};

/* ---- Units ----------------------------------------------------------------------------------- */

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

/* Is it so many times `with`, and nothing else? */
static bool is_all(em_slice indent, char with)
{
    for (size_t i = 0; i < indent.len; i++)
        if (indent.ptr[i] != with)
            return false;
    return true;
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
            !is_all(deeper, file.with) || !is_all(wanted, wanted.ptr[0]))
            return none;
        em_indent_unit step = {.with = wanted.ptr[0], .width = wanted.len / steps};
        if (unit.width > 0 && (step.with != unit.with || step.width != unit.width))
            return none;
        unit = step;
    }
    return unit;
}

/* Has every line of the text whole steps in front? */
static bool is_in_steps(em_slice text, em_indent_unit step)
{
    em_indented_line here;
    bool has_cr = em_slice_has_byte(text, '\r');
    for (size_t offset = 0; em_indented_line_next(text, has_cr, &offset, &here);)
        if (here.indent.len % step.width > 0 || !is_all(here.indent, step.with))
            return false;
    return true;
}

/* Are all lines but the first as deep as in the file, to the byte? */
static bool others_stand(const em_indents *indents)
{
    for (size_t i = 1; i < indents->count; i++)
        if (!em_slice_eq(indents->pairs[i].wanted, indents->pairs[i].seen))
            return false;
    return true;
}

/* Does the text begin a here-document, with one of `marks` or a capital letter behind the `<<`? */
static bool begins_here_document(em_slice text, const char *marks, bool or_name)
{
    for (size_t i = 0; i + 2 < text.len; i++) {
        char next = text.ptr[i + 2];
        bool names = (or_name && em_is_upper(next)) || (next && strchr(marks, next));
        if (text.ptr[i] == '<' && text.ptr[i + 1] == '<' && names)
            return true;
    }
    return false;
}

/* One whose lines may have no indentation at all? */
static bool has_here_document(em_slice text)
{
    return begins_here_document(text, "'\"-~", true);
}

/* One of a shell, whose lines are indented by tabs alone? */
static bool has_tabbed_document(em_slice text)
{
    return begins_here_document(text, "-", false);
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
    bool in_steps = step.width > 0 && is_in_steps(find, step) && is_in_steps(insert, step);
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
static bool is_doubtful(const em_indents *indents, size_t index)
{
    const em_indent_pair *pair = &indents->pairs[index];
    size_t from = index > MOST_COMPARED ? index - MOST_COMPARED : 0;
    for (size_t i = from; i < indents->count && i <= index + MOST_COMPARED; i++)
        if (em_slice_eq(indents->pairs[i].wanted, pair->wanted) &&
            !em_slice_eq(indents->pairs[i].seen, pair->seen))
            return true;
    return false;
}

/* Is the second deeper than the first for the caller, and in the file? There it is not if it is by
 * blanks of another kind than the file's: those of a comment, or what aligns it. */
static bool is_deeper(const em_indents *indents, const em_indent_pair *a, const em_indent_pair *b)
{
    return b->seen.len > a->seen.len && b->wanted.len > a->wanted.len &&
           (!em_slice_starts(b->seen, a->seen) ||
            is_all(em_slice_from(b->seen, a->seen.len), indents->file.with));
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
        if (!is_all(wanted, '\t') || !is_all(seen, ' ') ||
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
    return is_deeper(indents, step.from, step.to) ? step : (em_step){NULL, NULL};
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
        for (size_t j = i + 1; j < indents->count && j <= i + MOST_COMPARED; j++) {
            em_step step = step_between(indents, i, j);
            bool is_less = step.from && (!least.from || columns_of(step) < columns_of(least)) &&
                           is_whole_step(indents, step);
            bool is_first = step.from && !first.from;
            if ((!is_less && !is_first) || is_doubtful(indents, i) || is_doubtful(indents, j))
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
              em_indent_rest_of(pair->seen, indents->file) == 0 && is_all(pair->wanted, ' ');
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
    if (unit.width > 1 && is_in_steps(find, unit) && is_in_steps(insert, unit))
        indents->caller = unit;
}

/* Where nothing else tells: a line that has spaces for the file's tabs is as deep in the caller's
 * steps. */
static void learn_from_depth(em_indents *indents)
{
    for (size_t i = 0; i < indents->count; i++) {
        em_slice wanted = indents->pairs[i].wanted;
        size_t depth = em_indent_depth(indents->pairs[i].seen, indents->file);
        size_t width = depth > 0 ? wanted.len / depth : 0;
        if (width == 0 || width > EM_INDENT_USUAL || wanted.len % depth > 0 || !is_all(wanted, ' '))
            continue;
        indents->caller = (em_indent_unit){.with = ' ', .width = width};
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
        learn_from_depth(indents);
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

/* ---- Mapping --------------------------------------------------------------------------------- */

size_t em_indents_from(const em_indents *indents, size_t at)
{
    size_t low = 0, high = indents->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (indents->pairs[middle].at < at)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The nearest pair, among those with this very indentation where `wanted` is given; NULL where none
 * is near. */
static const em_indent_pair *nearest(const em_indents *indents, const em_slice *wanted, size_t at)
{
    size_t behind = em_indents_from(indents, at), before = behind;
    for (size_t i = 0; i < MOST_NEAR && (before > 0 || behind < indents->count); i++) {
        bool back = before > 0 &&
                    (behind == indents->count || em_apart(indents->pairs[before - 1].at, at) <=
                                                     em_apart(indents->pairs[behind].at, at));
        const em_indent_pair *pair = &indents->pairs[back ? --before : behind++];
        if (!wanted || em_slice_eq(pair->wanted, *wanted))
            return pair;
    }
    return NULL;
}

/* The pair that tells of a line of another depth than all pairs near it, which comes in place of
 * the lines of the search text from `from` to before `to`: that of such a line; else of the one
 * above and the one below that which it could be in a block of, the deeper one; else the nearest.
 */
static const em_indent_pair *nearest_to(const em_indents *indents, em_slice indent, size_t from,
                                        size_t to)
{
    const em_indent_pair *pair = nearest(indents, NULL, from);
    size_t behind = em_indents_from(indents, from);
    if (pair->at >= from && pair->at < to)
        return pair;
    for (size_t i = behind > 0 ? behind - 1 : behind; i <= behind && i < indents->count; i++) {
        const em_indent_pair *other = &indents->pairs[i];
        bool holds = em_slice_starts(indent, other->wanted);
        if (holds &&
            (!em_slice_starts(indent, pair->wanted) || other->wanted.len > pair->wanted.len))
            pair = other;
    }
    return pair;
}

/* Has the file's line the caller's spaces, though others that were found have tabs? Then the file
 * mixes them, and for what is beside this line it tells. (A single space is of a comment.) */
static bool mixes_blanks(const em_indents *indents, const em_indent_pair *pair, em_slice step)
{
    return indents->file.with == '\t' && pair->seen.len > 1 && is_all(pair->seen, ' ') &&
           em_slice_eq(pair->seen, pair->wanted) && is_all(step, ' ');
}

/* Is a step of the caller's another one than a step of the file's? */
static bool must_convert(const em_indents *indents, const em_indent_pair *pair, em_slice step)
{
    em_indent_unit caller = indents->caller, file = indents->file;
    if (file.width == 0 || caller.width == 0 || mixes_blanks(indents, pair, step))
        return false;
    if (em_slice_has_byte(step, '\t') != (file.with == '\t'))
        return true;
    if (file.with == '\t' || caller.with == '\t' || caller.width == file.width)
        return false;
    if (indents->learned)
        return true;
    bool shifted = indents->agree && pair->wanted.len != pair->seen.len;
    if (shifted && indents->deepens)
        return false;
    if (indents->told && indents->caller_told && !indents->deepens)
        return true;
    if (shifted && indents->count > 1 && !indents->told)
        return false;
    /* As deep in its own steps as the file's line is in the file's: the steps are what differs. */
    return pair->wanted.len % caller.width == 0 && pair->seen.len % file.width == 0 &&
           pair->wanted.len / caller.width == pair->seen.len / file.width;
}

/* Where steps more come into an indentation: behind it; with tabs, before the spaces that are
 * behind its own, which align with something. */
static size_t end_of_steps(em_slice indent, em_indent_unit unit)
{
    size_t tabs = em_indent_tabs_in(indent);
    bool aligns = unit.with == '\t' && tabs > 0 && is_all(em_slice_sub(indent, 0, tabs), '\t');
    return aligns ? tabs : indent.len;
}

/* `base`, `steps` steps of `unit` deeper, and `spaces` more. */
static em_status deeper_by(em_slice base, em_indent_unit unit, size_t steps, size_t spaces,
                           em_arena *arena, em_slice *out)
{
    size_t added = steps * em_indent_width_of(unit), end = end_of_steps(base, unit);
    char *deeper = em_alloc_raw(arena, base.len + added + spaces);
    if (!deeper)
        return EM_E_NOMEM;
    *out = em_slice_make(deeper, base.len + added + spaces);
    memcpy(deeper, base.ptr, end);
    memset(deeper + end, unit.with, added);
    memcpy(deeper + end + added, base.ptr + end, base.len - end);
    memset(deeper + base.len + added, ' ', spaces);
    return EM_OK;
}

/* What the file has for `step`, where two lines near the pair are so far apart for the caller;
 * empty: none are. */
static em_slice step_in_file(const em_indents *indents, const em_indent_pair *pair, em_slice step)
{
    size_t at = (size_t)(pair - indents->pairs);
    for (size_t i = at > MOST_COMPARED ? at - MOST_COMPARED : 0;
         i < indents->count && i <= at + MOST_COMPARED; i++)
        for (size_t j = i + 1; j < indents->count && j <= i + MOST_COMPARED; j++) {
            const em_indent_pair *from = &indents->pairs[i], *to = &indents->pairs[j];
            bool is_step = to->wanted.len == from->wanted.len + step.len &&
                           em_slice_starts(to->wanted, from->wanted) &&
                           em_slice_ends(to->wanted, step) && is_deeper(indents, from, to) &&
                           em_slice_starts(to->seen, from->seen);
            if (is_step && !is_doubtful(indents, i) && !is_doubtful(indents, j))
                return em_slice_from(to->seen, from->seen.len);
        }
    return (em_slice){0};
}

/* The pair's indentation and a step deeper, which the caller wrote as `step`. */
static em_status deepen(const em_indents *indents, const em_indent_pair *pair, em_slice step,
                        em_arena *arena, em_slice *out)
{
    em_indent_unit caller = indents->caller;
    em_slice known = step_in_file(indents, pair, step);
    bool converts = must_convert(indents, pair, step);
    bool is_whole = known.len % em_indent_width_of(indents->file) == 0;
    if (known.len > 0 && (converts || is_whole))
        return em_arena_join(arena, pair->seen, known, out);
    if (!converts)
        return em_arena_join(arena, pair->seen, step, out);
    return deeper_by(pair->seen, indents->file, em_indent_depth(step, caller),
                     em_indent_rest_of(step, caller), arena, out);
}

/* The pair's indentation and a step less deep. */
static em_slice lift(const em_indents *indents, const em_indent_pair *pair, em_slice step)
{
    size_t less = step.len;
    if (must_convert(indents, pair, step))
        less = em_indent_depth(step, indents->caller) * indents->file.width +
               em_indent_rest_of(step, indents->caller);
    return em_slice_sub(pair->seen, 0, pair->seen.len > less ? pair->seen.len - less : 0);
}

/* How many columns a tab of the caller's is, where the lines that have none stand as in the file,
 * of which some are indented; 0: not known. */
static size_t tab_columns(const em_indents *indents)
{
    bool stand = false;
    size_t columns = 0;
    for (size_t i = 0; i < indents->count; i++) {
        em_slice wanted = indents->pairs[i].wanted, seen = indents->pairs[i].seen;
        if (!is_all(seen, ' '))
            return 0;
        if (wanted.len > 0 && is_all(wanted, '\t') && seen.len % wanted.len == 0)
            columns = seen.len / wanted.len;
        else if (is_all(wanted, ' ') && !em_slice_eq(wanted, seen))
            return 0;
        stand |= wanted.len > 0 && is_all(wanted, ' ');
    }
    return stand ? columns : 0;
}

/* The same by one line, which has spaces behind its tabs. */
static size_t tab_columns_of(const em_indent_pair *pair)
{
    em_slice wanted = pair->wanted;
    size_t tabs = em_indent_tabs_in(wanted), spaces = wanted.len - tabs;
    if (tabs == 0 || wanted.ptr[wanted.len - 1] != ' ' || pair->seen.len < spaces ||
        !is_all(pair->seen, ' ') || (pair->seen.len - spaces) % tabs > 0)
        return 0;
    return (pair->seen.len - spaces) / tabs;
}

/* How deep the caller's indentation is, in steps of *unit of the file: in its columns, if it is
 * indented by spaces. A tab is `tab` of them, if that is known. */
static size_t steps_of(const em_indents *indents, em_slice indent, size_t tab, em_indent_unit *unit)
{
    em_indent_unit caller = indents->caller, file = indents->file;
    size_t tabs = em_indent_tabs_in(indent);
    *unit = file;
    if (tab == 0 && (file.with == '\t' || file.width == 0))
        return em_indent_depth(indent, caller);
    *unit = (em_indent_unit){.with = ' ', .width = 1};
    return tab > 0
               ? indent.len - tabs + tabs * tab
               : em_indent_depth(indent, caller) * file.width + em_indent_rest_of(indent, caller);
}

/* Neither is the beginning of the other: tabs and spaces are mixed. The caller may have the line as
 * deep as the file's is. */
static em_status by_depth(const em_indents *indents, const em_indent_pair *pair, em_slice indent,
                          em_arena *arena, em_slice *out)
{
    em_indent_unit unit;
    *out = indent;
    if (em_slice_eq(indent, pair->seen))
        return EM_OK;
    size_t tab = tab_columns(indents);
    if (tab == 0)
        tab = tab_columns_of(pair);
    size_t here = steps_of(indents, indent, tab, &unit);
    size_t there = steps_of(indents, pair->wanted, tab, &unit);
    if (here >= there)
        return deeper_by(pair->seen, unit, here - there, 0, arena, out);
    size_t less = (there - here) * em_indent_width_of(unit);
    *out = em_slice_sub(pair->seen, 0, pair->seen.len > less ? pair->seen.len - less : 0);
    return EM_OK;
}

/* Does the file have other blanks than the caller, and none of his steps anywhere around? */
static bool has_other_steps(const em_indents *indents)
{
    em_indent_unit file = indents->file, caller = indents->caller;
    return indents->told && indents->caller_told && file.with == ' ' && caller.with == ' ' &&
           file.width != caller.width && !(indents->file_steps >> caller.width & 1);
}

/* Is the indentation of another unit than the file's, as far as that is known? Tabs may be what a
 * recipe of a makefile needs among lines that are aligned by blanks. */
static bool is_of_other_unit(const em_indents *indents, em_slice indent)
{
    char other = indents->file.with == '\t' ? ' ' : '\t';
    if (indents->file.width == 0 ||
        (indents->tabs_are_meant && is_all(indent, '\t') && other == '\t'))
        return false;
    return em_slice_has_byte(indent, other) || has_other_steps(indents);
}

/* Every line is indented as it stands in the file, or lacks the same in front of it, or has the
 * same too much: then so are the others. */
static em_status shift(const em_indents *indents, em_slice indent, em_arena *arena, em_slice *out,
                       bool *done)
{
    em_indent_pair first = indents->pairs[0];
    bool same = em_slice_eq(first.wanted, first.seen);
    *done =
        indents->agree &&
        (indents->deepens || (same && (first.seen.len > 0 || !is_of_other_unit(indents, indent))));
    *out = indent;
    if (!*done || same)
        return EM_OK;
    if (first.seen.len > first.wanted.len)
        return em_arena_join(arena, em_slice_sub(first.seen, 0, first.seen.len - first.wanted.len),
                             indent, out);
    size_t more = first.wanted.len - first.seen.len;
    *done = indent.len >= more && memcmp(indent.ptr, first.wanted.ptr, more) == 0;
    if (*done)
        *out = em_slice_from(indent, more);
    return EM_OK;
}

/* Tabs for spaces, or spaces for tabs? Where all lines are of one depth, nothing says then how many
 * columns a step is, but for a line that is not indented at all: a here-document's end, a
 * directive, what follows the block. */
static bool stays_bare(const em_indents *indents, em_slice indent, const em_indent_pair *pair)
{
    return indent.len == 0 && !indents->deepens && !indents->first_is_bare &&
           pair->wanted.len > 0 && pair->seen.len > 0 &&
           em_slice_has_byte(pair->wanted, '\t') != em_slice_has_byte(pair->seen, '\t');
}

/* Only what is new has tabs: each is a step. */
static bool is_in_strange_tabs(const em_indents *indents, em_slice indent)
{
    return indents->tabs_are_strange && indents->file.with == ' ' && indents->file.width > 0 &&
           em_slice_starts(indent, EM_LIT("\t"));
}

em_status em_indent_map(const em_indents *indents, em_slice indent, size_t from, size_t to,
                        em_arena *arena, em_slice *out)
{
    bool done = indents->count == 0;
    if (is_in_strange_tabs(indents, indent)) {
        size_t tabs = em_indent_tabs_in(indent);
        return deeper_by(EM_LIT(""), indents->file, tabs, indent.len - tabs, arena, out);
    }
    *out = indent;
    if (!done)
        EM_TRY(shift(indents, indent, arena, out, &done));
    if (done)
        return EM_OK;
    const em_indent_pair *pair = nearest(indents, &indent, from);
    if (pair) {
        *out = pair->seen;
        return EM_OK;
    }
    pair = nearest_to(indents, indent, from, to);
    if (stays_bare(indents, indent, pair))
        return EM_OK;
    if (em_slice_starts(indent, pair->wanted))
        return deepen(indents, pair, em_slice_from(indent, pair->wanted.len), arena, out);
    if (em_slice_starts(pair->wanted, indent)) {
        *out = lift(indents, pair, em_slice_from(pair->wanted, indent.len));
        return EM_OK;
    }
    return by_depth(indents, pair, indent, arena, out);
}

/* ---- Whether it is known --------------------------------------------------------------------- */

/* Pairs as deep as one of them in the search text; NULL: there is none. */
typedef struct alike {
    const em_indents *of;
    em_slice wanted;
} alike;

/* The next pair at *index or behind it that is alike, and *index moved behind it. */
static const em_indent_pair *next_alike(const alike *a, size_t *index, size_t end)
{
    for (; *index < end; ++*index)
        if (em_slice_eq(a->of->pairs[*index].wanted, a->wanted))
            return &a->of->pairs[(*index)++];
    return NULL;
}

/* The next pair before *index that is alike, and *index moved to it. */
static const em_indent_pair *last_alike(const alike *a, size_t *index)
{
    for (size_t i = 0; *index > 0 && i < MOST_NEAR; i++)
        if (em_slice_eq(a->of->pairs[--*index].wanted, a->wanted))
            return &a->of->pairs[*index];
    return NULL;
}

static bool are_as_deep(const em_indents *indents, const em_indent_pair *a, const em_indent_pair *b)
{
    return !a || !b || em_slice_eq(a->seen, b->seen) ||
           em_indent_depth(a->seen, indents->file) == em_indent_depth(b->seen, indents->file);
}

/* Has every line the same too much in front, and this one other blanks there? */
static bool lacks_front(const em_indents *indents, em_slice indent)
{
    em_indent_pair first = indents->pairs[0];
    if (!indents->agree || first.wanted.len <= first.seen.len)
        return false;
    size_t front = first.wanted.len - first.seen.len;
    return !em_slice_starts(first.wanted,
                            em_slice_sub(indent, 0, indent.len < front ? indent.len : front));
}

/* Is it less deep by what is no step of the caller's, where steps are other ones in the file? */
static bool lifts_in_part(const em_indents *indents, const em_indent_pair *pair, em_slice indent)
{
    em_slice step;
    if (!em_slice_starts(pair->wanted, indent) || stays_bare(indents, indent, pair))
        return false;
    step = em_slice_from(pair->wanted, indent.len);
    return must_convert(indents, pair, step) && !em_slice_has_byte(step, '\t') &&
           step.len % indents->caller.width > 0;
}

/* So far pairs are looked at, from `from` on. */
static size_t near_end(size_t from, size_t end)
{
    return end - from > MOST_NEAR ? from + MOST_NEAR : end;
}

/* Is any of the pairs from `from` to before `to` alike? Are all of these as deep in the file? */
static bool agree_among(const alike *a, size_t from, size_t to, bool *any)
{
    size_t end = near_end(from, to);
    const em_indent_pair *first = next_alike(a, &from, end);
    *any = first != NULL;
    for (const em_indent_pair *other = first; other; other = next_alike(a, &from, end))
        if (!are_as_deep(a->of, first, other))
            return false;
    return true;
}

/* Are the nearest two that are alike as deep in the file: the last one before pair `back` and the
 * first one from pair `front` on, or two of the one side where the other has none? */
static bool agree_around(const alike *a, size_t back, size_t front)
{
    size_t end = near_end(front, a->of->count);
    const em_indent_pair *before = last_alike(a, &back), *behind = next_alike(a, &front, end);
    if (!before && behind)
        before = next_alike(a, &front, end);
    else if (before && !behind && a->of->end_is_unclear)
        return false;
    else if (before && !behind)
        behind = last_alike(a, &back);
    return are_as_deep(a->of, before, behind);
}

/* The pair by which em_indent_map() goes; NULL: it lifts the line by what is no step. */
static const em_indent_pair *pair_to_go_by(const em_indents *indents, em_slice indent, size_t from,
                                           size_t to)
{
    const em_indent_pair *pair = nearest(indents, &indent, from);
    if (pair)
        return pair;
    pair = nearest_to(indents, indent, from, to);
    return lifts_in_part(indents, pair, indent) ? NULL : pair;
}

bool em_indent_is_known(const em_indents *indents, em_slice indent, size_t from, size_t to)
{
    if (indents->either && indent.len == 0)
        return false;
    if (indents->count == 0 || indents->agree)
        return indents->count == 0 || !lacks_front(indents, indent);
    const em_indent_pair *pair = pair_to_go_by(indents, indent, from, to);
    if (!pair || stays_bare(indents, indent, pair))
        return pair != NULL;
    alike a = {indents, pair->wanted};
    size_t first = em_indents_from(indents, from), end = em_indents_from(indents, to);
    bool any, agree = agree_among(&a, first, end, &any);
    return any ? agree : agree_around(&a, first, end);
}
