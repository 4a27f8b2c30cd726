/* depths.c: pairs of lines, and what each may tell of: all lines, one statement, one list. */
#include "laying/depths.h"

#include "laying/bare_stance.h"
#include "laying/line_pairs.h"
#include "match/token_line.h"
#include "tokens/tab_stops.h"

/* ---- Pairs ----------------------------------------------------------------------------------- */

static em_status learn_pairs(em_depths *t)
{
    em_indents *indents = &t->indents;
    size_t count = t->find.tokens.count;
    indents->pairs = em_alloc_array(t->arena, count, sizeof *indents->pairs);
    if (!indents->pairs)
        return EM_E_NOMEM;
    for (size_t i = 0; i < count; i++) {
        em_indent_pair pair = {.at = i};
        if (em_line_indent(t->find, i, &pair.wanted) &&
            em_indent_at(t->text, t->place->tokens[i].start, &pair.seen))
            indents->pairs[indents->count++] = pair;
    }
    indents->first_is_bare = indents->count > 0 && indents->pairs[0].at == 0 &&
                             indents->pairs[0].wanted.len == 0 && indents->pairs[0].seen.len > 0;
    t->first_is_bare = indents->first_is_bare;
    return EM_OK;
}

/* ---- A first line without its indentation ---------------------------------------------------- */

/* Only the first line of the search text is among them, and it came without its indentation. */
static bool are_of_bare_line(const em_depths *t, const em_indents *indents)
{
    return t->first_is_bare && indents->count == 1 && indents->pairs[0].at == 0;
}

/* Then: how did the caller write the other lines of the replacement? */
static em_bare_stance stance_of(const em_depths *t, const em_indents *indents)
{
    return em_bare_stance_of(t->insert, t->origin, indents->pairs[0].seen);
}

/* ---- A search text that lost its indentation ------------------------------------------------- */

/* The lines that the replacement repeats, as deep as they are there, and its first line, which may
 * have been changed. Not those that may have been put into the block of a line that is new. */
static em_status read_repeated(const em_depths *t, em_indents *repeated)
{
    size_t next = 0, came = EM_NPOS;
    repeated->pairs = em_alloc_array(t->arena, t->indents.count, sizeof *repeated->pairs);
    if (!repeated->pairs)
        return EM_E_NOMEM;
    for (size_t i = 0; i < t->insert.tokens.count; i++) {
        em_indent_pair pair = {.at = i > 0 ? t->origin[i] : 0};
        if (!em_line_indent(t->insert, i, &pair.wanted))
            continue;
        bool repeats = i == 0 || em_line_stays(t->find, t->insert, t->origin, i);
        while (repeats && next < t->indents.count && t->indents.pairs[next].at < pair.at)
            next++;
        repeats = repeats && next < t->indents.count && t->indents.pairs[next].at == pair.at;
        if (!repeats)
            came = em_least(came, pair.wanted.len);
        if (!repeats || pair.wanted.len > came)
            continue;
        pair.seen = t->indents.pairs[next].seen;
        repeated->pairs[repeated->count++] = pair;
    }
    return EM_OK;
}

/* How much deeper the line is than the first. */
static long deeper(const em_indents *of, size_t index, bool in_file)
{
    const em_indent_pair *first = &of->pairs[0], *pair = &of->pairs[index];
    return in_file ? (long)pair->seen.len - (long)first->seen.len
                   : (long)pair->wanted.len - (long)first->wanted.len;
}

/* Is each line as many steps deeper than the first, or less deep, as it is in the file? */
static bool are_in_step(const em_indents *repeated)
{
    long step = 0, seen_step = 0;
    for (size_t i = 1; i < repeated->count; i++) {
        long wanted = deeper(repeated, i, false), seen = deeper(repeated, i, true);
        if ((wanted > 0) != (seen > 0) || (wanted < 0) != (seen < 0) ||
            wanted * seen_step != seen * step)
            return false;
        if (wanted != 0) {
            step = wanted;
            seen_step = seen;
        }
    }
    return true;
}

/* The search text lost its indentation, and the replacement begins with its first line, and has
 * some, but other than the file's: it is the replacement then that tells how deep the caller takes
 * the lines to be. */
static em_status take_repeated(em_depths *t)
{
    em_indents repeated = {0};
    bool indented = false, stand = false;
    if (t->insert.tokens.count == 0 || !em_indents_lost_all(&t->indents) ||
        t->indents.pairs[0].at > 0 || em_first_counterpart(t->find, t->insert, t->origin) != 0)
        return EM_OK;
    EM_TRY(read_repeated(t, &repeated));
    for (size_t i = 0; i < repeated.count; i++) {
        indented |=
            repeated.pairs[i].wanted.len > 1 || em_slice_has_byte(repeated.pairs[i].wanted, '\t');
        stand |= repeated.pairs[i].wanted.len > 0 &&
                 em_slice_eq(repeated.pairs[i].wanted, repeated.pairs[i].seen);
    }
    if (!indented || stand || !are_in_step(&repeated))
        return EM_OK;
    if (repeated.pairs[0].wanted.len == 0 && repeated.pairs[0].seen.len > 0)
        return EM_OK; /* its first line may have lost its own alone */
    t->indents = repeated;
    return EM_OK;
}

/* ---- Statements ------------------------------------------------------------------------------ */

/* How deep the lines of a text stand, by their first tokens: those of the search text as the file
 * has them, if they begin its lines. */
static size_t *depths_of(const em_depths *t, em_tokened text, bool in_file)
{
    em_slice indent;
    size_t *depths = em_alloc_array(t->arena, text.tokens.count + 1, sizeof *depths);
    for (size_t i = 0; depths && i < text.tokens.count; i++) {
        if (!em_line_indent(text, i, &indent))
            continue;
        if (in_file)
            em_indent_at(t->text, t->place->tokens[i].start, &indent);
        depths[i] = t->in_columns ? em_columns_of(indent) : indent.len;
    }
    return depths;
}

/* Is a line that hangs one of the file's steps deeper, and one of the caller's, as far as these are
 * told, or the same where all statements stand as in the file? Then it is as good as a line of a
 * block. */
static bool is_one_step(const em_indents *all, const em_indents *units, const em_indent_pair *pair,
                        size_t base)
{
    const em_indent_pair *above = em_indent_pair_at(all, base);
    bool is_bare = all->first_is_bare && above == all->pairs;
    if (!above || is_bare || pair->wanted.len <= above->wanted.len)
        return false;
    bool stands = units->agree && above->wanted.len > 0 && em_slice_eq(above->wanted, above->seen);
    size_t step = stands ? units->file.width : units->caller_told ? units->sent.width : 0;
    return units->told && pair->seen.len == above->seen.len + units->file.width &&
           (step == 0 || pair->wanted.len == above->wanted.len + step);
}

static size_t count_statements(const em_indents *all, const em_scope *scopes)
{
    size_t count = 0;
    for (size_t i = 0; i < all->count; i++)
        count += scopes[all->pairs[i].at].going == EM_GOING_NOT;
    return count;
}

/* Is a line that goes on with a statement no deeper than that for the caller? */
static bool lost_depth(const em_indents *all, const em_scope *scopes)
{
    for (size_t i = 0; i < all->count; i++) {
        em_scope scope = scopes[all->pairs[i].at];
        const em_indent_pair *above =
            scope.going != EM_GOING_NOT ? em_indent_pair_at(all, scope.base) : NULL;
        if (above && all->pairs[i].wanted.len <= above->wanted.len)
            return true;
    }
    return false;
}

/* The pairs of lines that begin a statement; with those that hang by a step, if `units` are given,
 * or with all that hang. *pairs has room for them. */
static void take_statements(em_depths *t, em_indent_pair *pairs, const em_scope *scopes,
                            const em_indents *units, bool all_hanging)
{
    const em_indents *all = &t->indents;
    t->statements = (em_indents){.pairs = pairs, .first_is_bare = all->first_is_bare};
    for (size_t i = 0; i < all->count; i++) {
        const em_indent_pair *pair = &all->pairs[i];
        em_scope scope = scopes[pair->at];
        bool hangs = scope.going == EM_GOING_HANGS &&
                     (all_hanging || (units && is_one_step(all, units, pair, scope.base)));
        if (hangs || scope.going == EM_GOING_NOT)
            pairs[t->statements.count++] = *pair;
    }
}

/* Has the replacement a line as deep as this? */
static bool has_line_at(const em_depths *t, em_slice depth)
{
    em_slice indent;
    for (size_t i = 0; i < t->insert.tokens.count; i++)
        if (em_line_indent(t->insert, i, &indent) && em_slice_eq(indent, depth))
            return true;
    return false;
}

/* Of the pairs `part` is only the first, whose line came without its indentation. The others came
 * as the file has them if the next line did, which is none of them, or if all are at least as deep
 * as the first is in the file, and one just so: then there is no pair. Else it is not clear how
 * deep they are meant where the next line is so deep, `least` bytes or more: it may be in any case.
 */
static bool settle_bare_part(const em_depths *t, em_indents *part, size_t least)
{
    if (!t->indents.first_is_bare || part->count != 1 || part->pairs[0].at > 0)
        return true;
    const em_indent_pair *next = &t->indents.pairs[1];
    em_slice own = part->pairs[0].seen;
    bool deeper = next->wanted.len >= own.len + least;
    bool stands = em_slice_eq(next->wanted, next->seen) ||
                  (stance_of(t, part) == EM_BARE_IN_FILE && has_line_at(t, own));
    if (deeper && stands)
        part->count = 0;
    return stands || !deeper;
}

/* Tell the statements apart, where some of the lines go on with one. Where the only statement came
 * bare, those that hang tell whether all of it is less deep; and so where one lost its depth. */
static void part_statements(em_depths *t, em_indent_pair *pairs, const em_scope *scopes,
                            em_indent_habit around)
{
    em_indents units, *own = &t->statements;
    bool lost = lost_depth(&t->indents, scopes);
    bool hanging = t->indents.first_is_bare && !em_indents_agree(&t->indents) &&
                   (lost || count_statements(&t->indents, scopes) == 1);
    take_statements(t, pairs, scopes, NULL, hanging);
    em_indents_init(own, t->find.text, t->insert.text, around);
    if (hanging && own->first_is_bare && !lost) {
        hanging = false;
        take_statements(t, pairs, scopes, NULL, hanging);
        em_indents_init(own, t->find.text, t->insert.text, around);
    }
    units = *own;
    take_statements(t, pairs, scopes, &units, hanging);
    t->parts_statements = 0 < own->count && own->count < t->indents.count;
    t->statements_are_unclear = t->parts_statements && !settle_bare_part(t, own, 1);
    em_indents_init(own, t->find.text, t->insert.text, around);
}

/* ---- Lists ----------------------------------------------------------------------------------- */

/* Does an item stand as deep as the line beside it, which is none, in one of the two texts alone?
 * A first line that came bare, and is deeper in the file than the next, has lost its depth. */
static bool lists_differ(const em_indents *all, const em_scope *scopes)
{
    bool first_lost = all->first_is_bare && all->pairs[0].seen.len > all->pairs[1].seen.len;
    for (size_t i = first_lost ? 2 : 1; i < all->count; i++) {
        em_indent_pair a = all->pairs[i - 1], b = all->pairs[i];
        char mark = scopes[a.at].mark, other = scopes[b.at].mark;
        if (((mark == '-' && !other) || (other == '-' && !mark)) &&
            em_slice_eq(a.wanted, b.wanted) != em_slice_eq(a.seen, b.seen))
            return true;
    }
    return false;
}

/* From a line on that is less deep than what the search text begins with, nobody knows in how many
 * lists the lines are, compared with those above. */
static void forget_levels(em_tokened text, size_t least, em_scope *scopes)
{
    em_slice indent;
    bool out = false;
    for (size_t i = 0; i < text.tokens.count; i++) {
        out |= em_line_indent(text, i, &indent) && indent.len < least;
        if (out)
            scopes[i].level = EM_NPOS;
    }
}

/* Does the replacement have an item of the search text as the file has it, but not that? Then it is
 * as deep as it is meant to be. */
static bool mends_item(const em_depths *t, size_t index)
{
    const em_indent_pair *pair =
        t->origin[index] != EM_NPOS ? em_indent_pair_at(&t->indents, t->origin[index]) : NULL;
    em_slice indent;
    em_line_indent(t->insert, index, &indent);
    return pair && t->scopes[index].mark == '-' && em_slice_eq(indent, pair->seen) &&
           !em_slice_eq(indent, pair->wanted);
}

/* How many pairs are in so many lists; they are put to *pairs. */
static size_t take_level(const em_indents *all, const em_scope *scopes, size_t level,
                         em_indent_pair *pairs)
{
    size_t count = 0;
    for (size_t i = 0; i < all->count; i++)
        if (scopes[all->pairs[i].at].level == level)
            pairs[count++] = all->pairs[i];
    return count;
}

static em_status take_strays(em_depths *t, const em_scope *scopes, em_indent_habit around)
{
    const em_indents *all = &t->indents;
    for (size_t kind = 0; kind < 2; kind++) {
        em_indents *strays = &t->strays[kind];
        strays->pairs = em_alloc_array(t->arena, all->count, sizeof *strays->pairs);
        if (!strays->pairs)
            return EM_E_NOMEM;
        for (size_t i = 0; i < all->count; i++) {
            em_scope scope = scopes[all->pairs[i].at];
            if (scope.level == EM_NPOS && (scope.mark == '-') == (kind == 1))
                strays->pairs[strays->count++] = all->pairs[i];
        }
        em_indents_init(strays, t->find.text, t->insert.text, around);
    }
    return EM_OK;
}

/* What tells of a line of which nobody knows in how many lists it is: others that are as deep, if
 * all of them are so in the file. */
static const em_indents *stray_for(const em_depths *t, size_t index)
{
    const em_indents *strays = &t->strays[t->scopes[index].mark == '-'];
    const em_indent_pair *first = NULL;
    em_slice indent;
    em_line_indent(t->insert, index, &indent);
    for (size_t i = 0; i < strays->count; i++) {
        const em_indent_pair *pair = &strays->pairs[i];
        if (!em_slice_eq(pair->wanted, indent))
            continue;
        if (first && !em_slice_eq(pair->seen, first->seen))
            return NULL;
        first = first ? first : pair;
    }
    return first ? strays : NULL;
}

static em_status part_lists(em_depths *t, const em_scope *scopes, em_indent_habit around)
{
    const em_indents *all = &t->indents;
    for (size_t level = 0; level < EM_MOST_LISTS; level++) {
        em_list_depths *list = &t->lists[level];
        em_indents *own = &list->indents;
        own->pairs = em_alloc_array(t->arena, all->count, sizeof *own->pairs);
        if (!own->pairs)
            return EM_E_NOMEM;
        for (size_t from = level + 1; own->count == 0 && from-- > 0;)
            own->count = take_level(all, scopes, from, own->pairs);
        own->first_is_bare =
            all->first_is_bare && own->count > 0 && own->pairs[0].at == all->pairs[0].at;
        list->unclear = own->count == 0 || !settle_bare_part(t, own, 0);
        em_indents_init(own, t->find.text, t->insert.text, around);
    }
    return take_strays(t, scopes, around);
}

/* The replacement's first line came bare, and all others at least as deep as the file has the
 * search text's first: then it may be meant to be so deep itself. */
static bool fill_first(const em_depths *t, size_t *sent)
{
    em_slice own = t->indents.pairs[0].seen, indent;
    if (!t->indents.first_is_bare || t->insert.tokens.count == 0 || sent[0] > 0)
        return false;
    for (size_t i = 1; i < t->insert.tokens.count; i++)
        if (em_line_indent(t->insert, i, &indent) && indent.len < own.len)
            return false;
    sent[0] = own.len;
    return true;
}

/* Where lines differ in depth from the file's, or the first may do so alone, not all of them tell
 * of all. */
static em_status part_lines(em_depths *t, em_indent_habit around)
{
    em_indents *all = &t->indents;
    em_scope *find, *insert;
    bool agree = em_indents_agree(all);
    if (all->count < 2 || (agree && !all->first_is_bare))
        return EM_OK;
    em_indent_pair *pairs = em_alloc_array(t->arena, all->count, sizeof *pairs);
    size_t *seen = depths_of(t, t->find, true), *sent = depths_of(t, t->insert, false);
    if (!pairs || !seen || !sent)
        return EM_E_NOMEM;
    EM_TRY(em_scopes_of(t->find, seen, 0, t->arena, &find));
    part_statements(t, pairs, find, around);
    if (agree && t->statements.count > 0) {
        t->parts_statements = false;
        return EM_OK;
    }
    bool lost_all = em_indents_lost_all(all);
    bool begins_bare = all->first_is_bare && find[all->pairs[0].at].mark == '-';
    t->parts_lists = !lost_all && !begins_bare && lists_differ(all, find);
    size_t least = all->pairs[0].wanted.len;
    forget_levels(t->find, least, find);
    if (t->parts_lists)
        EM_TRY(part_lists(t, find, around));
    size_t lost = lost_all ? EM_NPOS : fill_first(t, sent);
    EM_TRY(em_scopes_of(t->insert, sent, lost, t->arena, &insert));
    forget_levels(t->insert, least, insert);
    t->find_scopes = find;
    t->scopes = insert;
    return em_line_pairs_of(t->find, t->insert, t->origin, t->arena, &t->changed);
}

em_status em_depths_learn(em_depths *depths)
{
    EM_TRY(learn_pairs(depths));
    if (are_of_bare_line(depths, &depths->indents)) {
        em_bare_stance stance = stance_of(depths, &depths->indents);
        depths->is_unclear = stance == EM_BARE_UNCLEAR;
        if (stance == EM_BARE_IN_FILE)
            depths->indents.count = 0;
    }
    return take_repeated(depths);
}

static bool stand_as_sent(const em_indents *all)
{
    for (size_t i = 0; i < all->count; i++)
        if (!em_slice_eq(all->pairs[i].wanted, all->pairs[i].seen))
            return false;
    return true;
}

static int sign_of_difference(size_t a, size_t b)
{
    return (a > b) - (a < b);
}

/* Is each line deeper than the one before it, or less deep, as it is in columns of the file? */
static bool follow_columns(const em_indents *all)
{
    for (size_t i = all->first_is_bare ? 2 : 1; i < all->count; i++) {
        const em_indent_pair *last = &all->pairs[i - 1], *here = &all->pairs[i];
        int seen = sign_of_difference(em_columns_of(here->seen), em_columns_of(last->seen));
        if (sign_of_difference(here->wanted.len, last->wanted.len) != seen)
            return false;
    }
    return true;
}

/* Is every line as many columns deep as in the file, and one by tabs and spaces together, or one by
 * spaces and another by tabs? Then a tab is eight columns in the file, too. */
static bool are_columns(const em_indents *all)
{
    bool has_both = false, has_spaces = false, has_tabs = false;
    for (size_t i = all->first_is_bare ? 1 : 0; i < all->count; i++) {
        const em_indent_pair *pair = &all->pairs[i];
        bool is_tabbed = em_slice_has_byte(pair->seen, '\t');
        if (pair->wanted.len != em_columns_of(pair->seen))
            return false;
        has_both |= is_tabbed && em_slice_ends(pair->seen, EM_LIT(" "));
        has_spaces |= !is_tabbed && pair->seen.len > 0;
        has_tabs |= is_tabbed;
    }
    return has_both || (has_spaces && has_tabs);
}

/* The pairs as the file has them. */
static em_status keep_pairs(em_depths *t)
{
    size_t count = t->indents.count;
    t->in_file = em_alloc_array(t->arena, count, sizeof *t->in_file);
    if (!t->in_file && count > 0)
        return EM_E_NOMEM;
    memcpy(t->in_file, t->indents.pairs, count * sizeof *t->in_file);
    t->in_file_count = count;
    return EM_OK;
}

/* The caller has spaces, and the file a tab for every eight: all is counted in columns then. */
static em_status take_columns(em_depths *t, em_indent_habit *around)
{
    if (stand_as_sent(&t->indents) || em_indent_has_tabs(t->find.text) ||
        em_indent_has_tabs(t->insert.text))
        return EM_OK;
    if (around->spaces.tab_stops ? !follow_columns(&t->indents) : !are_columns(&t->indents))
        return EM_OK;
    around->spaces.tab_stops = true;
    around->tabs = false;
    t->in_columns = true;
    t->shuns_tabs = around->shuns_tabs;
    EM_TRY(keep_pairs(t));
    for (size_t i = 0; i < t->indents.count; i++) {
        em_slice *seen = &t->indents.pairs[i].seen;
        EM_TRY(em_indent_in_spaces(*seen, t->arena, seen));
    }
    return EM_OK;
}

/* The nearest line that was found and is as many columns deep; NULL: there is none. */
static const em_indent_pair *nearest_at(const em_depths *t, size_t columns, size_t at)
{
    const em_indent_pair *nearest = NULL;
    for (size_t i = 0; i < t->in_file_count; i++) {
        const em_indent_pair *pair = &t->in_file[i];
        if (em_columns_of(pair->seen) == columns &&
            (!nearest || em_apart(pair->at, at) < em_apart(nearest->at, at)))
            nearest = pair;
    }
    return nearest;
}

/* Of the lines that were found and are a tab stop deep or more: has none a tab? */
static bool shuns_tabs(const em_depths *t)
{
    bool could = false;
    for (size_t i = 0; i < t->in_file_count; i++) {
        em_slice seen = t->in_file[i].seen;
        if (em_slice_has_byte(seen, '\t'))
            return false;
        could |= em_columns_of(seen) >= EM_TAB_STOP;
    }
    return could || t->shuns_tabs;
}

em_status em_depths_write(const em_depths *depths, size_t at, em_slice *indent)
{
    size_t columns = em_columns_of(*indent);
    if (!depths->in_columns || columns < EM_TAB_STOP)
        return EM_OK;
    const em_indent_pair *nearest = nearest_at(depths, columns, at);
    if (nearest)
        *indent = nearest->seen;
    return nearest || shuns_tabs(depths) ? EM_OK
                                         : em_indent_in_stops(*indent, depths->arena, indent);
}

em_status em_depths_learn_units(em_depths *depths)
{
    if (depths->units_are_known)
        return EM_OK;
    em_span span = depths->place->span;
    em_indent_habit around =
        em_indent_habit_around(depths->text, span.start, span.end, depths->place->habits);
    EM_TRY(take_columns(depths, &around));
    EM_TRY(part_lines(depths, around));
    em_indents_init(&depths->indents, depths->find.text, depths->insert.text, around);
    depths->units_are_known = true;
    return EM_OK;
}

/* The search text's first line came bare, and others are of lists alone: so nothing tells whether
 * these stand otherwise. Is the line as deep as lines that the file has at another depth, and is it
 * an item where none of them is, or none where they are items? */
static bool is_of_other_kind(const em_depths *t, size_t index)
{
    bool is_item = t->scopes[index].mark == '-', any = false;
    em_slice indent;
    em_line_indent(t->insert, index, &indent);
    for (size_t i = 0; i < t->indents.count && t->first_is_bare; i++) {
        const em_indent_pair *pair = &t->indents.pairs[i];
        const em_scope *scope = &t->find_scopes[pair->at];
        bool alike = pair->at > 0 && em_slice_eq(pair->wanted, indent);
        if (pair->at > 0 && (scope->level == 0 || (alike && (scope->mark == '-') == is_item)))
            return false;
        any |= alike && !em_slice_eq(pair->seen, indent);
    }
    return any;
}

/* A line goes on with a statement. Is that one of the search text's, or has that another line as
 * deep that goes on? */
static bool goes_on_as_found(const em_depths *t, size_t index)
{
    size_t statement = t->scopes[index].statement;
    em_slice indent;
    if (statement == EM_NPOS || t->origin[statement] != EM_NPOS)
        return true;
    em_line_indent(t->insert, index, &indent);
    for (size_t i = 0; i < t->indents.count; i++)
        if (t->find_scopes[t->indents.pairs[i].at].going != EM_GOING_NOT &&
            em_slice_eq(t->indents.pairs[i].wanted, indent))
            return true;
    return false;
}

const em_indents *em_depths_for(const em_depths *depths, size_t index)
{
    static const em_indents as_sent = {0};
    if (depths->is_unclear)
        return NULL;
    if (!depths->scopes ||
        (depths->scopes[index].going != EM_GOING_NOT && goes_on_as_found(depths, index)))
        return &depths->indents;
    if (depths->parts_lists) {
        size_t level = depths->scopes[index].level;
        if (mends_item(depths, index))
            return &as_sent;
        if (level == EM_NPOS)
            return stray_for(depths, index);
        bool known = level < EM_MOST_LISTS && !depths->lists[level].unclear;
        return known ? &depths->lists[level].indents : NULL;
    }
    if (is_of_other_kind(depths, index))
        return NULL;
    if (!depths->parts_statements)
        return &depths->indents;
    return depths->statements_are_unclear ? NULL : &depths->statements;
}
