#include "session/memory.h"

#include <stdlib.h>
#include <string.h>

typedef struct em_seen {
    em_hash caller, path;
    em_stamp stamp;
    uint64_t turn;
} em_seen;

void em_memory_drop(em_memory *memory)
{
    free(memory->items);
    free(memory->keys);
    *memory = (em_memory){0};
}

static uint64_t key_of(em_hash caller, em_hash path)
{
    /* Digits of hashes are spread already: they need only be put together, in an order. */
    enum { ODD_PRIME = 31 };
    uint64_t bits[2];
    memcpy(&bits[0], caller.hex, sizeof bits[0]);
    memcpy(&bits[1], path.hex, sizeof bits[1]);
    return bits[0] * ODD_PRIME + bits[1];
}

static em_seen *find(const em_memory *memory, em_hash caller, em_hash path)
{
    uint64_t key = key_of(caller, path);
    for (size_t i = 0; i < memory->count; i++) {
        em_seen *seen = &memory->items[i];
        if (memory->keys[i] == key && em_hash_eq(seen->path, path) &&
            em_hash_eq(seen->caller, caller))
            return seen;
    }
    return NULL;
}

static em_seen *oldest(const em_memory *memory)
{
    em_seen *oldest = &memory->items[0];
    for (size_t i = 1; i < memory->count; i++)
        if (memory->items[i].turn < oldest->turn)
            oldest = &memory->items[i];
    return oldest;
}

static em_status make_room(em_memory *memory)
{
    enum { FIRST_ROOM = 16 };
    size_t room = memory->room > 0 ? 2 * memory->room : FIRST_ROOM;
    em_seen *items = realloc(memory->items, room * sizeof *items);
    if (!items)
        return EM_E_NOMEM;
    memory->items = items;
    uint64_t *keys = realloc(memory->keys, room * sizeof *keys);
    if (!keys)
        return EM_E_NOMEM;
    memory->keys = keys;
    memory->room = room;
    return EM_OK;
}

/* A place for one more: a new one, or that of the oldest. NULL when memory ran out. */
static em_seen *place(em_memory *memory)
{
    if (memory->count == EM_MOST_STAMPS)
        return oldest(memory);
    if (memory->count == memory->room && make_room(memory) != EM_OK)
        return NULL;
    return &memory->items[memory->count++];
}

em_status em_memory_put(em_memory *memory, const char *caller, const char *path, em_stamp stamp)
{
    em_hash by = em_hash_of(em_slice_of(caller)), of = em_hash_of(em_slice_of(path));
    em_seen *seen = find(memory, by, of);
    if (!seen)
        seen = place(memory);
    if (!seen)
        return EM_E_NOMEM;
    *seen = (em_seen){by, of, stamp, ++memory->turn};
    memory->keys[seen - memory->items] = key_of(by, of);
    return EM_OK;
}

const em_stamp *em_memory_find(const em_memory *memory, const char *caller, const char *path)
{
    const em_seen *seen =
        find(memory, em_hash_of(em_slice_of(caller)), em_hash_of(em_slice_of(path)));
    return seen ? &seen->stamp : NULL;
}
