#include "session/mistakes.h"

static em_mistake mistake_of(const char *caller, const char *path)
{
    return (em_mistake){em_hash_of(em_slice_of(caller)), em_hash_of(em_slice_of(path)), 0};
}

static em_mistake *find(em_mistakes *mistakes, const em_mistake *wanted)
{
    for (size_t i = 0; i < EM_MOST_MISTAKES; i++) {
        em_mistake *known = &mistakes->items[i];
        if (known->count > 0 && em_hash_eq(known->path, wanted->path) &&
            em_hash_eq(known->caller, wanted->caller))
            return known;
    }
    return NULL;
}

static em_mistake *free_place(em_mistakes *mistakes)
{
    for (size_t i = 0; i < EM_MOST_MISTAKES; i++)
        if (mistakes->items[i].count == 0)
            return &mistakes->items[i];
    return &mistakes->items[mistakes->next++ % EM_MOST_MISTAKES];
}

size_t em_mistakes_add(em_mistakes *mistakes, const char *caller, const char *path)
{
    em_mistake mistake = mistake_of(caller, path);
    em_mistake *known = find(mistakes, &mistake);
    if (!known) {
        known = free_place(mistakes);
        *known = mistake;
    }
    return ++known->count;
}

void em_mistakes_forget(em_mistakes *mistakes, const char *caller, const char *path)
{
    em_mistake mistake = mistake_of(caller, path);
    em_mistake *known = find(mistakes, &mistake);
    if (known)
        known->count = 0;
}
