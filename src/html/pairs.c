#include "html/pairs.h"

#include "base/ascii.h"

/* Ends of more names than these end nothing. */
enum { MOST_NAMES = 64 };

/* What ends with this name, and the innermost of those that are open. */
typedef struct ended_name {
    em_directive_kind kind;
    em_slice name;
    size_t open; /* EM_NPOS: none is */
} ended_name;

typedef struct ended_names {
    ended_name items[MOST_NAMES];
    size_t count;
} ended_names;

em_status em_directives_note(em_directives *directives, const em_directive *directive,
                             size_t number, bool is_tabled, em_arena *arena)
{
    void *items = directives->items;
    EM_TRY(em_arena_grow(arena, &items, directives->count, &directives->room,
                         sizeof *directives->items));
    directives->items = items;
    directives->items[directives->count++] = (em_noted_directive){.kind = directive->kind,
                                                                  .role = directive->role,
                                                                  .name = directive->name,
                                                                  .number = number,
                                                                  .is_tabled = is_tabled};
    return EM_OK;
}

static ended_name *find(ended_names *names, const em_noted_directive *directive)
{
    for (size_t i = 0; i < names->count; i++)
        if (names->items[i].kind == directive->kind &&
            em_same_in_any_case(names->items[i].name, directive->name))
            return &names->items[i];
    return NULL;
}

static void collect_names(const em_directives *directives, ended_names *names)
{
    for (size_t i = 0; i < directives->count && names->count < MOST_NAMES; i++) {
        const em_noted_directive *directive = &directives->items[i];
        if (directive->role == EM_DIRECTIVE_ENDS && !find(names, directive))
            names->items[names->count++] = (ended_name){directive->kind, directive->name, EM_NPOS};
    }
}

/* Each end goes with the last beginning of its name that has none yet. */
static void pair_ends(em_directives *directives, ended_names *names)
{
    em_noted_directive *items = directives->items;
    for (size_t i = 0; i < directives->count; i++) {
        ended_name *name = items[i].role == EM_DIRECTIVE_PARTS ? NULL : find(names, &items[i]);
        if (name && items[i].role == EM_DIRECTIVE_BEGINS) {
            items[i].around = name->open;
            name->open = i;
        } else if (name && name->open != EM_NPOS) {
            items[i].counts = items[name->open].counts = true;
            name->open = items[name->open].around;
        }
    }
}

static void find_parts(em_directives *directives)
{
    size_t open[EM_DIRECTIVE_KINDS] = {0};
    for (size_t i = 0; i < directives->count; i++) {
        em_noted_directive *directive = &directives->items[i];
        if (directive->role == EM_DIRECTIVE_PARTS)
            directive->counts = open[directive->kind] > 0;
        else if (directive->counts && directive->role == EM_DIRECTIVE_BEGINS)
            open[directive->kind]++;
        else if (directive->counts)
            open[directive->kind]--;
    }
}

void em_directives_pair(em_directives *directives)
{
    ended_names names = {.count = 0};
    collect_names(directives, &names);
    pair_ends(directives, &names);
    find_parts(directives);
}
