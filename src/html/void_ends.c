#include "html/void_ends.h"

#include "base/ascii.h"
#include "html/tag.h"

enum { MOST_NAMES = 64 /* HTML has fewer such elements, a page few ways to write them */ };

/* The elements that are open, of those with a name that is written so, from the last one on. */
typedef struct em_open_voids {
    em_slice name;
    size_t last; /* its index among the nodes; 0: none is open */
} em_open_voids;

typedef struct em_void_pairs {
    em_page *page;
    em_open_voids names[MOST_NAMES]; /* of such end tags, and of start tags that go with them */
    size_t name_count;
    size_t *before; /* of each node: the one of its name that was open before it */
} em_void_pairs;

static em_open_voids *find_spelt(em_void_pairs *pairs, em_slice name)
{
    for (size_t i = 0; i < pairs->name_count; i++)
        if (em_slice_eq(pairs->names[i].name, name))
            return &pairs->names[i];
    return NULL;
}

/* Those of the name in any case of which the last comes last of all; NULL. */
static em_open_voids *find_last(em_void_pairs *pairs, em_slice name)
{
    em_open_voids *last = NULL;
    for (size_t i = 0; i < pairs->name_count; i++) {
        em_open_voids *open = &pairs->names[i];
        if (em_same_in_any_case(open->name, name) && (!last || open->last > last->last))
            last = open;
    }
    return last;
}

static void add_spelt(em_void_pairs *pairs, em_slice name)
{
    if (pairs->name_count < MOST_NAMES && !find_spelt(pairs, name))
        pairs->names[pairs->name_count++] = (em_open_voids){.name = name};
}

static void collect_names(em_void_pairs *pairs, const em_prescan *scan)
{
    for (size_t i = 0; i < scan->void_end_count; i++)
        add_spelt(pairs, em_tag_name(scan->bytes, scan->void_ends[i]));
}

static void open_void(em_void_pairs *pairs, const em_node *node)
{
    em_slice bytes = pairs->page->bytes;
    bool may_be = node->kind == EM_NODE_ELEMENT && node->ns == EM_NS_HTML &&
                  em_is_there(node->start_tag) && bytes.ptr[node->start_tag.end - 2] != '/';
    em_slice name = may_be ? em_tag_name(bytes, node->start_tag.start) : (em_slice){0};
    em_open_voids *open = may_be ? find_last(pairs, name) : NULL;
    if (!open)
        return;
    add_spelt(pairs, name);
    em_open_voids *spelt = find_spelt(pairs, name);
    open = spelt ? spelt : open;
    pairs->before[node->index] = open->last;
    open->last = node->index;
}

/* It goes with one that is written as itself, if there is one: <Input> of a component may hold an
 * <input>. */
static void end_void(em_void_pairs *pairs, size_t end)
{
    em_slice name = em_tag_name(pairs->page->bytes, end);
    em_open_voids *open = find_spelt(pairs, name);
    if (!open || open->last == 0)
        open = find_last(pairs, name);
    if (!open || open->last == 0)
        return;
    pairs->page->nodes[open->last]->flaws |= EM_FLAW_NO_END | EM_FLAW_VOID_END;
    open->last = pairs->before[open->last];
}

em_status em_void_ends_check(em_page *page, const em_prescan *scan)
{
    EM_AUTO(em_arena) scratch = {0};
    em_void_pairs pairs = {.page = page};
    size_t next = 0;
    if (scan->void_end_count == 0)
        return EM_OK;
    pairs.before = em_alloc_array(&scratch, page->count, sizeof *pairs.before);
    if (!pairs.before)
        return EM_E_NOMEM;
    collect_names(&pairs, scan);
    for (size_t i = 0; i < page->count; i++) {
        const em_node *node = page->nodes[i];
        for (; em_is_there(node->start_tag) && next < scan->void_end_count &&
               scan->void_ends[next] < node->start_tag.start;
             next++)
            end_void(&pairs, scan->void_ends[next]);
        open_void(&pairs, node);
    }
    for (; next < scan->void_end_count; next++)
        end_void(&pairs, scan->void_ends[next]);
    return EM_OK;
}
