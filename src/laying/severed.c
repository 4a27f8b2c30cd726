#include "laying/severed.h"

#include "base/line.h"
#include "laying/placed_edit.h"
#include "match/block.h"
#include "match/token_line.h"
#include "tokens/tab_stops.h"

/* The edit, and what became of it, token by token. */
typedef struct sides {
    em_tokened sent; /* the search text as it came */
    em_placed_edit edit;
    em_tokened result;
} sides;

/* How deep the line is that the token at `offset` of a text stands on. */
static size_t depth_at(em_slice text, size_t offset)
{
    size_t start = em_line_before(text, offset + 1), end = start;
    while (end < offset && em_is_space_or_tab(text.ptr[end]))
        end++;
    return em_columns_of(em_slice_sub(text, start, end));
}

/* Does token `at` of the replacement begin a line that is less deep in the result than that? The
 * first one may have its indentation before the place. A directive may be so in any block. */
static bool is_less_deep(const sides *s, size_t at, size_t depth)
{
    em_slice indent;
    size_t start = s->edit.place->span.start, before = 0;
    if (!em_line_indent(s->edit.insert, at, &indent) ||
        em_tokened_is_one_of(s->edit.insert, at, "#"))
        return false;
    if (at == 0 && em_begins_line(s->edit.text, start, &start))
        before = em_columns_of(em_slice_sub(s->edit.text, start, s->edit.place->span.start));
    return em_indent_at(s->result.text, s->result.tokens.items[at].start, &indent) &&
           before + em_columns_of(indent) < depth;
}

/* Are lines of the replacement among the tokens from `first` to before `end` less deep than the
 * block in front of which they come, and opens the last one none? */
static bool comes_between(const sides *s, size_t first, size_t end, size_t depth)
{
    bool is_between = false;
    for (size_t at = first; at < end; at++)
        is_between |= is_less_deep(s, at, depth);
    return is_between && !em_opens_block(s->edit.insert, end - 1);
}

/* The place ends with the line that opens a block, and the search text in an empty line. */
static bool is_severed_behind(const sides *s)
{
    const em_placed_edit *edit = &s->edit;
    size_t last = edit->find.tokens.count - 1, end = edit->insert.tokens.count, own = end;
    em_tokened seen = {edit->text, {edit->place->tokens, last + 1}};
    em_token opener = edit->place->tokens[last], body;
    if (em_gap_breaks(em_tokened_gap(s->sent, s->sent.tokens.count)) < 2 ||
        !em_token_next(edit->text, opener.end, edit->place->fold, &body) ||
        em_gap_breaks(em_slice_sub(edit->text, opener.end, body.start)) != 1)
        return false;
    size_t depth = depth_at(edit->text, body.start);
    if (depth <= depth_at(edit->text, opener.start) || !em_opens_block(seen, last))
        return false;
    while (own > 0 && edit->origin[own - 1] != last)
        own--;
    return own > 0 && own < end && comes_between(s, own, end, depth);
}

/* The line that ends at `end` of the text. */
static em_status opens_block(em_slice text, size_t end, em_fold fold, em_arena *arena, bool *opens)
{
    em_tokened line = {.text = em_slice_sub(text, em_line_before(text, end), end)};
    EM_TRY(em_tokens_of(line.text, fold, arena, &line.tokens));
    *opens = line.tokens.count > 0 && em_opens_block(line, line.tokens.count - 1);
    return EM_OK;
}

/* The place begins below such a line, and the search text with an empty one. */
static em_status is_severed_before(const sides *s, em_arena *arena, bool *severed)
{
    const em_placed_edit *edit = &s->edit;
    em_token body = edit->place->tokens[0], opener;
    size_t own = 0, depth = depth_at(edit->text, body.start);
    *severed = false;
    if (em_gap_breaks(em_tokened_gap(s->sent, 0)) < 1 ||
        !em_token_previous(edit->text, body.start, edit->place->fold, &opener) ||
        em_gap_breaks(em_slice_sub(edit->text, opener.end, body.start)) != 1 ||
        depth <= depth_at(edit->text, opener.start))
        return EM_OK;
    while (own < edit->insert.tokens.count && edit->origin[own] != 0)
        own++;
    if (own == 0 || own == edit->insert.tokens.count || !comes_between(s, 0, own, depth))
        return EM_OK;
    return opens_block(edit->text, opener.end, edit->place->fold, arena, severed);
}

em_status em_is_block_severed(const em_laying *l, bool *severed)
{
    sides s = {.sent = l->sent,
               .edit = em_placed_edit_laid(l->text, &l->place, &l->laid),
               .result = {.text = l->laid.text}};
    *severed = false;
    EM_TRY(em_tokens_of(s.result.text, l->place.fold, l->arena, &s.result.tokens));
    if (s.sent.tokens.count == 0 || s.edit.insert.tokens.count == 0 ||
        s.result.tokens.count != s.edit.insert.tokens.count)
        return EM_OK; /* the lines cannot be compared */
    *severed = is_severed_behind(&s);
    return *severed ? EM_OK : is_severed_before(&s, l->arena, severed);
}
