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

em_status em_depths_learn(em_depths *t)
{
    EM_TRY(learn_pairs(t));
    if (lines_are_absolute(t))
        t->indents.count = 0;
    return EM_OK;
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
