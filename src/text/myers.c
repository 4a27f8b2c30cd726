#include "text/myers.h"

#include <stdlib.h>

/* The edit graph: x counts old elements, y new ones, a diagonal is k = x - y. reach[d][i] is the
 * furthest x that `d` changes lead to on the diagonal k = 2 * i - d. Diagonals outside of the graph
 * hold OUTSIDE. */
typedef struct search {
    const em_sequences *sequences;
    int32_t old_count, new_count;
    int32_t **reach;
} search;

enum { OUTSIDE = -1 };

static int32_t reach_at(const search *s, int32_t changes, int32_t diagonal)
{
    if (diagonal < -changes || diagonal > changes)
        return OUTSIDE;
    return s->reach[changes][(diagonal + changes) / 2];
}

/* Where one more change leads on `diagonal`: an addition keeps x and comes from the diagonal above,
 * a removal moves x and comes from the one below. */
static int32_t step_to(const search *s, int32_t changes, int32_t diagonal, bool *addition)
{
    if (changes == 0)
        return 0;
    int32_t by_addition = reach_at(s, changes - 1, diagonal + 1);
    int32_t by_removal = reach_at(s, changes - 1, diagonal - 1);
    if (by_removal != OUTSIDE)
        by_removal++;
    bool removal_fits = by_removal != OUTSIDE && by_removal <= s->old_count;
    bool addition_fits = by_addition != OUTSIDE && by_addition - diagonal <= s->new_count;
    *addition = addition_fits && (!removal_fits || by_addition >= by_removal);
    return *addition ? by_addition : removal_fits ? by_removal : OUTSIDE;
}

static int32_t follow_same(const search *s, int32_t x, int32_t diagonal)
{
    const em_sequences *sequences = s->sequences;
    while (x < s->old_count && x - diagonal < s->new_count &&
           sequences->same(sequences->context, (size_t)x, (size_t)(x - diagonal)))
        x++;
    return x;
}

/* One round: where `changes` changes lead. *done when that is the end of both. */
static em_status advance(search *s, int32_t changes, em_arena *arena, bool *done)
{
    int32_t *row = em_alloc_array(arena, (size_t)changes + 1, sizeof *row);
    if (!row)
        return EM_E_NOMEM;
    s->reach[changes] = row;
    for (int32_t i = 0; i <= changes && !*done; i++) {
        bool addition;
        int32_t diagonal = 2 * i - changes;
        int32_t x = step_to(s, changes, diagonal, &addition);
        row[i] = x == OUTSIDE ? OUTSIDE : follow_same(s, x, diagonal);
        *done = row[i] == s->old_count && row[i] - diagonal == s->new_count;
    }
    return EM_OK;
}

/* From the end back to the start, marking each change. */
static void mark_changes(const search *s, int32_t changes, em_script *script)
{
    int32_t diagonal = s->old_count - s->new_count;
    for (; changes > 0; changes--) {
        bool addition;
        int32_t x = step_to(s, changes, diagonal, &addition);
        if (addition)
            script->added[x - diagonal - 1] = true;
        else
            script->removed[x - 1] = true;
        diagonal += addition ? 1 : -1;
    }
}

em_status em_myers(const em_sequences *sequences, size_t limit, em_arena *arena, em_script *script)
{
    search s = {.sequences = sequences,
                .old_count = (int32_t)sequences->old_count,
                .new_count = (int32_t)sequences->new_count};
    limit = em_least(limit, sequences->old_count + sequences->new_count);
    *script = (em_script){0};
    int32_t least = abs(s.old_count - s.new_count);
    if ((size_t)least > limit)
        return EM_OK;
    s.reach = em_alloc_array(arena, limit + 1, sizeof *s.reach);
    if (!s.reach)
        return EM_E_NOMEM;
    int32_t changes = 0;
    for (;; changes++) {
        EM_TRY(advance(&s, changes, arena, &script->found));
        if (script->found)
            break;
        if ((size_t)changes == limit)
            return EM_OK;
    }
    script->removed = em_alloc_array(arena, sequences->old_count, sizeof *script->removed);
    script->added = em_alloc_array(arena, sequences->new_count, sizeof *script->added);
    if (!script->removed || !script->added)
        return EM_E_NOMEM;
    mark_changes(&s, changes, script);
    return EM_OK;
}
