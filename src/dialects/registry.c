/* registry.c: all tools: which of them are offered, and when to choose which. */
#include "dialects/registry.h"

#include "base/ascii.h"
#include "base/strbuf.h"
#include "tools/nearest.h"

#include <string.h>

#define DIALECT(name) extern const em_dialect em_dialect_##name;
#include "dialects/dialects.def"
#undef DIALECT

static const em_dialect *const dialects[] = {
#define DIALECT(name) &em_dialect_##name,
#include "dialects/dialects.def"
#undef DIALECT
};

enum { DIALECT_COUNT = sizeof dialects / sizeof dialects[0] };

static const char DEFAULT_TOOLS[] = "site,undo_last_edit";

/* ---- Choosing ------------------------------------------------------------------------------ */

static size_t count_all_tools(void)
{
    size_t count = 0;
    for (size_t i = 0; i < DIALECT_COUNT; i++)
        for (const em_tool *tool = dialects[i]->tools; tool->name; tool++)
            count++;
    return count;
}

/* The words that may stand in a list of tools. */
static const char **all_names(em_arena *arena)
{
    const char **names =
        em_alloc_array(arena, count_all_tools() + DIALECT_COUNT + 2, sizeof *names);
    if (!names)
        return NULL;
    size_t count = 0;
    names[count++] = "all";
    for (size_t i = 0; i < DIALECT_COUNT; i++) {
        names[count++] = dialects[i]->name;
        for (const em_tool *tool = dialects[i]->tools; tool->name; tool++)
            names[count++] = tool->name;
    }
    return names;
}

/* The next word of *list, which moves behind it and its comma. */
static em_slice next_word(em_slice *list)
{
    size_t length = 0;
    while (length < list->len && list->ptr[length] != ',')
        length++;
    em_slice word = em_slice_sub(*list, 0, length);
    *list = em_slice_from(*list, length < list->len ? length + 1 : length);
    return em_slice_trim(word, em_is_space_or_tab);
}

static bool is_chosen(em_slice list, const em_dialect *dialect, const em_tool *tool)
{
    while (list.len > 0) {
        em_slice word = next_word(&list);
        if (em_slice_is(word, "all") || em_slice_is(word, dialect->name) ||
            em_slice_is(word, tool->name))
            return true;
    }
    return false;
}

static bool is_known(em_slice word, const char *const *names)
{
    for (; *names; names++)
        if (em_slice_is(word, *names))
            return true;
    return false;
}

static em_status fail_unknown(em_slice word, const char *const *names, em_arena *arena,
                              em_error *err)
{
    const char *name = em_arena_string(arena, word);
    if (!name)
        return EM_E_NOMEM;
    const char *nearest = em_nearest_name(name, names);
    if (nearest)
        return em_fail(err, EM_E_INVALID, "no tool or family '%s'. Did you mean '%s'?", name,
                       nearest);
    EM_AUTO(em_strbuf) known = {0};
    for (const char *const *at = names; *at; at++)
        em_strbuf_printf(&known, "%s%s", at == names ? "" : ", ", *at);
    const char *list = em_strbuf_finish(&known, arena);
    return list ? em_fail(err, EM_E_INVALID, "no tool or family '%s'. There are: %s", name, list)
                : EM_E_NOMEM;
}

static em_status check_words(em_slice list, em_arena *arena, em_error *err)
{
    const char **names = all_names(arena);
    if (!names)
        return EM_E_NOMEM;
    do {
        em_slice word = next_word(&list);
        if (!is_known(word, names))
            return fail_unknown(word, names, arena, err);
    } while (list.len > 0);
    return EM_OK;
}

em_status em_toolset_choose(const char *list, bool read_only, em_arena *arena, em_toolset *set,
                            em_error *err)
{
    em_slice words = em_slice_of(list ? list : DEFAULT_TOOLS);
    EM_TRY(check_words(words, arena, err));
    *set = (em_toolset){em_alloc_array(arena, count_all_tools(), sizeof(em_tool *)), 0};
    if (!set->tools)
        return EM_E_NOMEM;
    for (size_t i = 0; i < DIALECT_COUNT; i++)
        for (const em_tool *tool = dialects[i]->tools; tool->name; tool++)
            if (is_chosen(words, dialects[i], tool) &&
                (!read_only || tool->flags & EM_TOOL_READ_ONLY))
                set->tools[set->count++] = tool;
    return EM_OK;
}

em_status em_toolset_choose_all(bool read_only, em_arena *arena, em_toolset *all,
                                em_toolset *offered, em_error *err)
{
    EM_TRY(em_toolset_choose("all", false, arena, all, err));
    return em_toolset_choose("all", read_only, arena, offered, err);
}

void em_toolset_add_picker(em_toolset *set)
{
    for (size_t i = 0; i < DIALECT_COUNT; i++)
        for (const em_tool *tool = dialects[i]->tools; tool->name; tool++)
            if (tool->flags & EM_TOOL_PICKS && !em_toolset_find(set, tool->name))
                set->tools[set->count++] = tool;
}

/* ---- When to choose which ------------------------------------------------------------------ */

static void add_guidance(em_strbuf *text, const em_guidance *guidance, const em_toolset *set)
{
    unsigned offered = 0;
    size_t before = text->len;
    for (size_t i = 0; i < set->count; i++)
        offered |= set->tools[i]->flags;
    for (; guidance->text; guidance++)
        if (!(guidance->needs & ~offered))
            em_strbuf_puts(text, guidance->text);
    if (text->len > before)
        em_strbuf_putc(text, '\n');
}

/* The tools of one family that are offered, and what holds for all of them. */
static void add_family(em_strbuf *text, const em_dialect *dialect, const em_toolset *set)
{
    bool any = false;
    for (const em_tool *tool = dialect->tools; tool->name; tool++) {
        if (!em_toolset_find(set, tool->name))
            continue;
        em_strbuf_printf(text, "- %s: %s.\n", tool->name, tool->guidance);
        any = true;
    }
    if (any && dialect->guidance)
        add_guidance(text, dialect->guidance, set);
}

const char *em_toolset_prompt(const em_toolset *set, em_arena *arena)
{
    EM_AUTO(em_strbuf) text = {0};
    em_strbuf_puts(&text, "Choose the tool by what is to be done:\n");
    for (size_t i = 0; i < DIALECT_COUNT; i++)
        add_family(&text, dialects[i], set);
    return em_strbuf_finish(&text, arena);
}
