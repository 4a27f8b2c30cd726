#include "html/directed.h"

#include "base/sorted.h"

#include <stdlib.h>

static int by_end(const void *a, const void *b)
{
    const struct em_directed_end *x = a, *y = b;
    return (x->at > y->at) - (x->at < y->at);
}

em_status em_directed_read(em_slice page, const em_range *pieces, size_t count, em_arena *arena,
                           em_directed *directed)
{
    *directed = (em_directed){.page = page, .pieces = pieces, .piece_count = count};
    const em_choices *choices = &directed->choices;
    EM_TRY(em_control_choices(page, pieces, count, arena, &directed->choices));
    directed->ends = em_alloc_array(arena, choices->branch_count, sizeof *directed->ends);
    if (!directed->ends)
        return EM_E_NOMEM;
    for (size_t i = 0; i < choices->branch_count; i++)
        if (choices->branches[i].directed && choices->branches[i].range.end != EM_NPOS)
            directed->ends[directed->end_count++] =
                (struct em_directed_end){choices->branches[i].range.end, i};
    qsort(directed->ends, directed->end_count, sizeof *directed->ends, by_end);
    return EM_OK;
}

/* The piece that ends, or begins, at `at`. */
static em_range piece_at(const em_directed *directed, size_t at)
{
    for (size_t i = 0; i < directed->piece_count; i++)
        if (directed->pieces[i].start == at || directed->pieces[i].end == at)
            return directed->pieces[i];
    return (em_range){at, at};
}

/* Does code in the range begin the branch; does code in it end that? */
static bool begins_in(em_range branch, em_range range)
{
    return branch.start > range.start && branch.start <= range.end;
}

static bool ends_in(em_range branch, em_range range)
{
    return branch.end >= range.start && branch.end < range.end;
}

/* The first branch, by its number, of which a directive in the range is torn. */
typedef struct torn_branch {
    size_t number;
    em_range piece; /* that directive; empty: there is none */
} torn_branch;

/* Is it this branch? Not where `kept` has the directive. */
static void consider(const em_directed *directed, size_t number, em_range range, em_slice kept,
                     torn_branch *first)
{
    em_branch branch = directed->choices.branches[number];
    bool begins = begins_in(branch.range, range), ends = ends_in(branch.range, range);
    if (number >= first->number || !branch.directed || branch.range.end == EM_NPOS ||
        begins == ends)
        return;
    em_range piece = piece_at(directed, begins ? branch.range.start : branch.range.end);
    if (!em_slice_holds(kept, em_slice_sub(directed->page, piece.start, piece.end)))
        *first = (torn_branch){number, piece};
}

em_range em_directed_torn(const em_directed *directed, em_range range, em_slice kept)
{
    const em_branch *branches = directed->choices.branches;
    size_t count = directed->choices.branch_count;
    torn_branch first = {.number = count};
    for (size_t i = EM_COUNT_BELOW(branches, count, range.start, range.start + 1);
         i < first.number && begins_in(branches[i].range, range); i++)
        consider(directed, i, range, kept, &first);
    for (size_t i = EM_COUNT_BELOW(directed->ends, directed->end_count, at, range.start);
         i < directed->end_count && directed->ends[i].at < range.end; i++)
        consider(directed, directed->ends[i].branch, range, kept, &first);
    return first.piece;
}
