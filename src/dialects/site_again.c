#include "dialects/site_again.h"

#include <stdlib.h>

/* By their files, and each file's in the order of the call. */
static int by_path(const void *a, const void *b)
{
    const em_site_entry *one = *(const em_site_entry *const *)a;
    const em_site_entry *other = *(const em_site_entry *const *)b;
    int order = strcmp(one->path, other->path);
    return order ? order : (one > other) - (one < other);
}

/* Of the entries of one file, in order: which failure is as it would be met again? NULL: none. */
static const em_site_entry *still_true(const em_site_entry *const *of_file, size_t count)
{
    const em_site_entry *failed = NULL;
    for (size_t i = 0; i < count; i++) {
        if (failed && !of_file[i]->failed)
            return NULL;
        if (!failed && of_file[i]->failed)
            failed = of_file[i];
    }
    return failed;
}

/* stale[i]: by (3) what to send for that one is not known. */
static em_status find_stale(const em_site_entry *entries, size_t count, em_arena *arena,
                            bool **stale)
{
    const em_site_entry **sorted = em_alloc_array(arena, count, sizeof *sorted);
    size_t there = 0;
    *stale = em_alloc_array(arena, count, sizeof **stale);
    if (!sorted || !*stale)
        return EM_E_NOMEM;
    for (size_t i = 0; i < count; i++)
        if (entries[i].path)
            sorted[there++] = &entries[i];
    qsort(sorted, there, sizeof *sorted, by_path);
    for (size_t from = 0, to; from < there; from = to) {
        for (to = from + 1; to < there && strcmp(sorted[from]->path, sorted[to]->path) == 0;)
            to++;
        const em_site_entry *one = still_true(&sorted[from], to - from);
        for (size_t i = from; i < to; i++)
            (*stale)[sorted[i] - entries] = sorted[i]->failed && sorted[i] != one;
    }
    return EM_OK;
}

em_status em_site_call_again(em_json *json, const em_call *call, const char *list,
                             em_site_entry *entries, size_t count, bool whole, em_site_again *again)
{
    bool *stale;
    size_t corrected = 0;
    *again = (em_site_again){.args = NULL};
    EM_TRY(find_stale(entries, count, call->arena, &stale));
    json_t *elements = em_json_array(json);
    for (size_t i = 0; i < count; i++) {
        em_site_entry *entry = &entries[i];
        bool is_known = entry->failed && entry->retry.is_known && !stale[i];
        bool is_unknown = entry->failed && !is_known, stays = is_unknown && call->is_trial;
        const json_t *element = is_known ? entry->retry.args : whole ? entry->given : NULL;
        entry->is_again = is_known;
        again->left_out += is_unknown && !stays;
        corrected += is_known;
        again->fails_again |= stays || (is_known && entry->retry.fails_again);
        if (element && (!is_unknown || stays))
            em_json_add(json, elements, json_incref((json_t *)element));
    }
    again->elements = json_array_size(elements);
    if (corrected > 0 && again->elements > 0) {
        again->args = em_json_copy(json, call->arguments);
        em_json_set(json, again->args, list, json_incref(elements));
    }
    json_decref(elements);
    if (!json->failed)
        return EM_OK;
    json_decref(again->args);
    again->args = NULL;
    return EM_E_NOMEM;
}
