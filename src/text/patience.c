#include "text/patience.h"

#include <stdlib.h>
#include <string.h>

/* An element of one sequence. */
typedef struct element {
    uint64_t hash;
    size_t index;
} element;

/* An element that both have once. */
typedef struct anchor {
    size_t old_index, new_index;
    size_t before; /* the anchor before it in the longest run that ends with it; NONE */
} anchor;

#define NONE SIZE_MAX

typedef struct anchors {
    anchor *items; /* in the order of the old sequence */
    size_t count;
} anchors;

/* ---- What both have once -------------------------------------------------------------------- */

static int by_hash(const void *left, const void *right)
{
    const element *a = left, *b = right;
    if (a->hash != b->hash)
        return a->hash < b->hash ? -1 : 1;
    return a->index < b->index ? -1 : a->index > b->index;
}

static element *sorted(const uint64_t *hashes, size_t count, em_arena *arena)
{
    element *elements = em_alloc_array(arena, count, sizeof *elements);
    for (size_t i = 0; elements && i < count; i++)
        elements[i] = (element){hashes[i], i};
    if (elements)
        qsort(elements, count, sizeof *elements, by_hash);
    return elements;
}

/* Behind the elements of one hash, of which `at` is the first. */
static size_t hash_end(const element *elements, size_t count, size_t at)
{
    size_t end = at + 1;
    while (end < count && elements[end].hash == elements[at].hash)
        end++;
    return end;
}

static int by_old_index(const void *left, const void *right)
{
    const anchor *a = left, *b = right;
    return a->old_index < b->old_index ? -1 : a->old_index > b->old_index;
}

static em_status find_anchors(const em_sequences *s, const uint64_t *old_hashes,
                              const uint64_t *new_hashes, em_arena *arena, anchors *found)
{
    size_t fewer = s->old_count < s->new_count ? s->old_count : s->new_count;
    const element *old = sorted(old_hashes, s->old_count, arena);
    const element *new = sorted(new_hashes, s->new_count, arena);
    *found = (anchors){.items = em_alloc_array(arena, fewer, sizeof *found->items)};
    if (!old || !new || !found->items)
        return EM_E_NOMEM;
    for (size_t i = 0, j = 0; i < s->old_count && j < s->new_count;) {
        size_t old_end = hash_end(old, s->old_count, i), new_end = hash_end(new, s->new_count, j);
        bool once = old[i].hash == new[j].hash &&old_end == i + 1 && new_end == j + 1;
        if (once && s->same(s->context, old[i].index, new[j].index))
            found->items[found->count++] = (anchor){old[i].index, new[j].index, NONE};
        bool old_goes = old[i].hash <= new[j].hash, new_goes = new[j].hash <= old[i].hash;
        i = old_goes ? old_end : i;
        j = new_goes ? new_end : j;
    }
    qsort(found->items, found->count, sizeof *found->items, by_old_index);
    return EM_OK;
}

/* ---- The longest run in the order of both --------------------------------------------------- */

/* The first of the runs' ends that comes behind `new_index` in the new sequence. */
static size_t run_for(const anchors *a, const size_t *ends, size_t count, size_t new_index)
{
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (a->items[ends[middle]].new_index < new_index)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Leave only the anchors of a longest run. */
static em_status keep_longest_run(anchors *a, em_arena *arena)
{
    size_t *ends = em_alloc_array(arena, a->count, sizeof *ends), longest = 0;
    anchor *kept = em_alloc_array(arena, a->count, sizeof *kept);
    if (!ends || !kept)
        return EM_E_NOMEM;
    for (size_t i = 0; i < a->count;
         i++) { /* ends[n]: of the runs of n + 1, that which ends first */
        size_t run = run_for(a, ends, longest, a->items[i].new_index);
        a->items[i].before = run > 0 ? ends[run - 1] : NONE;
        ends[run] = i;
        longest += run == longest;
    }
    for (size_t n = longest, at = longest > 0 ? ends[longest - 1] : NONE; n > 0;
         at = a->items[at].before)
        kept[--n] = a->items[at];
    *a = (anchors){kept, longest};
    return EM_OK;
}

/* ---- What lies between them ----------------------------------------------------------------- */

/* Parts of two sequences, as sequences. */
typedef struct part {
    const em_sequences *of;
    size_t old_start, new_start;
} part;

static bool same_in_part(const void *context, size_t old_index, size_t new_index)
{
    const part *p = context;
    return p->of->same(p->of->context, p->old_start + old_index, p->new_start + new_index);
}

static void mark_all(bool *marks, size_t start, size_t count)
{
    if (count > 0)
        memset(marks + start, true, count * sizeof *marks);
}

static em_status compare_part(const part *p, size_t old_end, size_t new_end, size_t limit,
                              em_script *whole)
{
    EM_AUTO(em_arena) scratch = {0};
    size_t old_count = old_end - p->old_start, new_count = new_end - p->new_start;
    em_sequences sequences = {old_count, new_count, same_in_part, p};
    em_script script = {0};
    if (old_count > 0 && new_count > 0)
        EM_TRY(em_myers(&sequences, limit, &scratch, &script));
    if (script.found) {
        memcpy(whole->removed + p->old_start, script.removed, old_count * sizeof *script.removed);
        memcpy(whole->added + p->new_start, script.added, new_count * sizeof *script.added);
    } else {
        mark_all(whole->removed, p->old_start, old_count);
        mark_all(whole->added, p->new_start, new_count);
    }
    return EM_OK;
}

em_status em_patience(const em_sequences *sequences, const uint64_t *old_hashes,
                      const uint64_t *new_hashes, size_t limit, em_arena *arena, em_script *script)
{
    EM_AUTO(em_arena) scratch = {0};
    anchors kept;
    *script = (em_script){em_alloc_array(arena, sequences->old_count, sizeof(bool)),
                          em_alloc_array(arena, sequences->new_count, sizeof(bool)), true};
    if (!script->removed || !script->added)
        return EM_E_NOMEM;
    EM_TRY(find_anchors(sequences, old_hashes, new_hashes, &scratch, &kept));
    EM_TRY(keep_longest_run(&kept, &scratch));
    part p = {.of = sequences};
    for (size_t i = 0; i <= kept.count; i++) {
        bool is_last = i == kept.count;
        size_t old_end = is_last ? sequences->old_count : kept.items[i].old_index;
        size_t new_end = is_last ? sequences->new_count : kept.items[i].new_index;
        EM_TRY(compare_part(&p, old_end, new_end, limit, script));
        p.old_start = old_end + 1;
        p.new_start = new_end + 1;
    }
    return EM_OK;
}
