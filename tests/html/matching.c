/* matching.c: what selectors match on pages, for tests that compare it with another engine.
 *
 * Standard input is a row of blocks, each "KIND LENGTH" on a line and then so many bytes and a line
 * feed. P is a page from then on. N prints the names of its elements on a line. S is a selector,
 * for which a line is printed:
 *
 *   = 0 5 7      the elements that it matches, by their number among all elements of the page
 *   ! REASON     it is none
 *   ? REASON     the page cannot be parsed, or the selector took too long
 */
#include "html/parse.h"
#include "selectors/select.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

enum { DEADLINE_MS = 20000 };

typedef struct current {
    em_arena arena;
    em_page page;
    bool parsed;
    em_error why;
    uint32_t *numbers; /* of each node, counting elements */
} current;

static void read_page(current *now, em_slice bytes)
{
    uint32_t count = 0;
    em_arena_drop(&now->arena);
    *now = (current){.why = EM_ERROR_INIT};
    char *copy = em_arena_string(&now->arena, bytes);
    if (!copy)
        abort();
    bytes.ptr = copy;
    now->parsed = em_page_parse(bytes, NULL, &now->arena, &now->page, &now->why) == EM_OK;
    if (!now->parsed)
        return;
    now->numbers = em_alloc_array(&now->arena, now->page.count, sizeof *now->numbers);
    if (!now->numbers)
        abort();
    for (size_t i = 0; i < now->page.count; i++) {
        now->numbers[i] = count;
        count += now->page.nodes[i]->kind == EM_NODE_ELEMENT;
    }
}

static void ask(const current *now, em_slice text)
{
    EM_AUTO(em_arena) arena = {0};
    em_deadline deadline = em_deadline_in(DEADLINE_MS);
    const em_selector *selector;
    em_selector_error error;
    em_nodes found;
    if (!now->parsed) {
        printf("? %s\n", now->why.detail);
        return;
    }
    if (em_selector_compile(text, &arena, &selector, &error) != EM_OK) {
        printf("! %s\n", error.reason);
        return;
    }
    if (em_select(&now->page, selector, &deadline, &arena, &found) != EM_OK) {
        printf("? too slow\n");
        return;
    }
    putchar('=');
    for (size_t i = 0; i < found.count; i++)
        printf(" %u", now->numbers[found.items[i]->index]);
    putchar('\n');
}

static void print_names(const current *now)
{
    for (size_t i = 0; i < now->page.count; i++) {
        em_slice name = now->page.nodes[i]->name;
        if (now->page.nodes[i]->kind != EM_NODE_ELEMENT)
            continue;
        for (size_t at = 0; at < name.len; at++)
            putchar(tolower((unsigned char)name.ptr[at]));
        putchar(' ');
    }
    putchar('\n');
}

static bool read_block(char *kind, char **bytes, size_t *length)
{
    char line[64];
    if (!fgets(line, sizeof line, stdin) || sscanf(line, "%c %zu", kind, length) != 2)
        return false;
    *bytes = malloc(*length + 1);
    return *bytes && fread(*bytes, 1, *length + 1, stdin) == *length + 1;
}

int main(void)
{
    current now = {.why = EM_ERROR_INIT};
    char kind, *bytes = NULL;
    size_t length;
    while (read_block(&kind, &bytes, &length)) {
        em_slice block = em_slice_make(bytes, length);
        if (kind == 'P')
            read_page(&now, block);
        else if (kind == 'N')
            print_names(&now);
        else
            ask(&now, block);
        free(bytes);
        bytes = NULL;
        fflush(stdout);
    }
    free(bytes);
    em_arena_drop(&now.arena);
    return 0;
}
