#include "edit/depths.h"

#include "edit/reach.h"

enum { AROUND = 32768 }; /* bytes of the file to both sides that tell how it is indented */

/* ---- Pairs --------------------------------------------------------------------------------------
 */

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
                             em_tokened_gap(t->find, 0).len == 0 && indents->pairs[0].seen.len > 0;
    t->first_is_bare = indents->first_is_bare;
    return EM_OK;
}

/* ---- A first line without its indentation -------------------------------------------------------
 */

static bool opens_block(em_slice text, em_tokens tokens, size_t index)
{
    static const char *const words[] = {"do", "then", "else", "begin", "of", "try", "finally"};
    em_slice token = em_token_bytes(text, tokens.items[index]);
    if (!em_token_is_word(token))
        return token.len > 0 && strchr("{([:=,>|\\", token.ptr[0]) != NULL;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (em_slice_is(token, words[i]))
            return true;
    return false;
}

/* Only the first line of the search text is known, and it came without its indentation. Did the
 * caller write the replacement's other lines as they stand in the file? They did when all of them
 * are at least as deep as the file's line, and deeper where that opens a block. */
static bool lines_are_absolute(const em_depths *t)
{
    if (!t->first_is_bare || t->indents.count != 1 || t->indents.pairs[0].at > 0)
        return false;
    em_slice base = t->indents.pairs[0].seen, indent;
    bool any = false;
    for (size_t i = 1; i < t->insert.tokens.count; i++) {
        if (!em_line_indent(t->insert, i, &indent))
            continue;
        size_t least = base.len;
        if (!any && opens_block(t->insert.text, t->insert.tokens, i - 1))
            least++;
        if (indent.len < least || !em_slice_starts(indent, base))
            return false;
        any = true;
    }
    return any;
}

/* ---- A search text that lost its indentation ----------------------------------------------------
 */

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

em_status em_depths_learn(em_depths *t)
{
    EM_TRY(learn_pairs(t));
    if (lines_are_absolute(t))
        t->indents.count = 0;
    return take_repeated(t);
}

void em_depths_learn_units(em_depths *t)
{
    if (t->units_are_known)
        return;
    em_span around = em_span_widened(t->text, t->place->span, AROUND);
    em_indents_init(&t->indents, t->find.text, t->insert.text,
                    em_slice_sub(t->text, around.start, around.end));
    t->units_are_known = true;
}
