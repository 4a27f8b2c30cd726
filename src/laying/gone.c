#include "laying/gone.h"

#include "match/block.h"
#include "match/token_line.h"

/* A line of the search text, by its depths. */
typedef struct line {
    bool is_known, stays;
    bool is_step_told; /* what a step was for the caller is known */
    em_slice old, seen;
    size_t sent_steps, seen_steps;
} line;

static line line_of(em_slice text, const em_tolerant_place *place, size_t index, bool stays,
                    em_indent_unit sent, em_indent_unit file)
{
    em_tokened find = em_place_find(place);
    line l = {.stays = stays, .is_step_told = sent.width > 0};
    l.is_known = em_line_indent(find, index, &l.old) && (index > 0 || l.old.len > 0) &&
                 em_seen_indent(text, place, index, &l.seen);
    l.sent_steps = em_indent_depth(l.old, sent);
    l.seen_steps = em_indent_depth(l.seen, file);
    return l;
}

/* Is one of them a step deeper than the other in the file, and deeper for the caller, too? */
static bool is_one_step(line a, line b)
{
    return (a.seen_steps == b.seen_steps + 1 && a.old.len > b.old.len) ||
           (b.seen_steps == a.seen_steps + 1 && b.old.len > a.old.len);
}

/* By as many blanks, or as many steps, or in proportion; which of these cannot be told. */
static bool stand_alike(line a, line b)
{
    return a.old.len + b.old.len == 0 || a.old.len + b.seen.len == b.old.len + a.seen.len ||
           a.sent_steps + b.seen_steps == b.sent_steps + a.seen_steps ||
           a.old.len * b.seen.len == b.old.len * a.seen.len ||
           (!a.is_step_told && is_one_step(a, b));
}

/* Is the token repeated? `next` is the one of the replacement from which on that can be. */
static bool is_repeated(const em_tokened *insert, const size_t *origin, size_t token, size_t *next)
{
    while (*next < insert->tokens.count && (origin[*next] == EM_NPOS || origin[*next] < token))
        ++*next;
    return *next < insert->tokens.count && origin[*next] == token;
}

bool em_gone_ends_stand(em_slice text, const em_tolerant_place *place, const em_tokened *insert,
                        const size_t *origin, em_indent_unit sent, em_indent_unit file)
{
    em_tokened find = em_place_find(place);
    line last = {.is_known = false};
    bool last_ends = false;
    size_t next = 0;
    em_slice unused;
    for (size_t i = 0; i < find.tokens.count; i++) {
        if (!em_line_indent(find, i, &unused))
            continue;
        line l = line_of(text, place, i, is_repeated(insert, origin, i, &next), sent, file);
        bool ends = em_only_ends_block(find, i);
        bool parts = l.is_known && last.is_known && l.stays != last.stays;
        if (parts && (l.stays ? last_ends : ends) && !stand_alike(l, last))
            return false;
        last = l;
        last_ends = ends;
    }
    return true;
}
