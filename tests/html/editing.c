/* editing.c: what one operation makes of a page, for tests that compare it with another engine.
 *
 * Standard input is a row of blocks, each "KIND LENGTH" on a line and then so many bytes and a line
 * feed. P is a page from then on. O is an operation on it: eight fields, each ended by a NUL, in
 * the order of `enum field`; one that is "\1" is not given. A selector "@N" names the element whose
 * start tag begins at byte N, or where misnested tags made several of it, "@N I": element I.
 *
 * For each operation a line comes out, and the bytes of the page after it with a line feed:
 *
 *   STATUS CODE LENGTH [START END START END]...    what each change replaced, and by what
 */
#include "dom/dom.h"
#include "html/parse.h"

#include <stdio.h>
#include <stdlib.h>

enum { DEADLINE_MS = 20000 };

enum field { SELECTOR, ACTION, POSITION, ATTR, VALUE, OLD_CLASS, NEW_CLASS, FIELDS };

typedef struct current {
    em_arena arena;
    em_slice bytes;
    em_page page;
    bool parsed;
} current;

static void read_page(current *now, em_slice bytes)
{
    em_error why = EM_ERROR_INIT;
    em_arena_drop(&now->arena);
    *now = (current){0};
    char *copy = em_arena_string(&now->arena, bytes);
    if (!copy)
        abort();
    now->bytes = em_slice_make(copy, bytes.len);
    now->parsed = em_page_parse(now->bytes, NULL, &now->arena, &now->page, &why) == EM_OK;
}

/* The number of the element that begins at `at`, or else `number`. */
static size_t element_at(const current *now, size_t at, size_t number)
{
    size_t count = 0;
    for (size_t i = 0; now->parsed && i < now->page.count; i++) {
        const em_node *node = now->page.nodes[i];
        if (node->kind != EM_NODE_ELEMENT)
            continue;
        if (node->start_tag.end > 0 && node->start_tag.start == at)
            return count;
        count++;
    }
    return number;
}

static em_slice selector_of(const current *now, em_slice field, em_arena *arena)
{
    char *rest;
    if (!em_slice_starts(field, EM_LIT("@")))
        return field;
    size_t at = strtoul(field.ptr + 1, &rest, 10), number = strtoul(rest, NULL, 10);
    const char *text = em_arena_format(arena, "*:eq(%zu)", element_at(now, at, number));
    if (!text)
        abort();
    return em_slice_of(text);
}

static em_dom_op read_op(const current *now, em_slice block, em_arena *arena)
{
    em_slice fields[FIELDS];
    for (size_t i = 0; i < FIELDS; i++) {
        fields[i] = em_slice_make(block.ptr, strlen(block.ptr));
        block = em_slice_from(block, fields[i].len + 1);
        if (em_slice_eq(fields[i], EM_LIT("\1")))
            fields[i] = (em_slice){0};
    }
    return (em_dom_op){.selector = selector_of(now, fields[SELECTOR], arena),
                       .action = em_dom_action_of(fields[ACTION]),
                       .position = em_dom_position_of(fields[POSITION]),
                       .attr = fields[ATTR],
                       .value = fields[VALUE],
                       .old_class = fields[OLD_CLASS],
                       .new_class = fields[NEW_CLASS]};
}

static void print_bytes(em_slice page, em_splices list)
{
    size_t at = 0;
    for (size_t i = 0; i < list.count; i++) {
        const em_splice *splice = &list.items[i];
        fwrite(page.ptr + at, 1, splice->offset - at, stdout);
        if (splice->insert.len > 0)
            fwrite(splice->insert.ptr, 1, splice->insert.len, stdout);
        at = splice->offset + splice->length;
    }
    fwrite(page.ptr + at, 1, page.len - at, stdout);
    putchar('\n');
}

static size_t length_after(em_slice page, em_splices list)
{
    size_t length = page.len;
    for (size_t i = 0; i < list.count; i++)
        length = length - list.items[i].length + list.items[i].insert.len;
    return length;
}

static void edit(const current *now, em_slice block)
{
    static const char *const words[] = {"applied", "unchanged", "failed"};
    EM_AUTO(em_arena) arena = {0};
    em_deadline deadline = em_deadline_in(DEADLINE_MS);
    em_error why = EM_ERROR_INIT;
    em_dom_op op = read_op(now, block, &arena);
    em_dom_plan plan;
    if (em_dom_plan_make(now->bytes, &op, 1, &deadline, &arena, &plan, &why) != EM_OK) {
        printf("page - 0\n\n");
        return;
    }
    const em_dom_outcome *outcome = &plan.outcomes[0];
    const char *code = outcome->code == EM_DOM_OK ? "-" : em_dom_code_name(outcome->code);
    printf("%s %s %zu", words[outcome->status], code, length_after(now->bytes, plan.splices));
    for (size_t i = 0; i < outcome->change_count; i++) {
        const em_dom_change *change = &outcome->changes[i];
        printf(" %zu %zu %zu %zu", change->before.start, change->before.end, change->after.start,
               change->after.end);
    }
    putchar('\n');
    print_bytes(now->bytes, plan.splices);
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
    current now = {0};
    char kind, *bytes = NULL;
    size_t length;
    while (read_block(&kind, &bytes, &length)) {
        if (kind == 'P')
            read_page(&now, em_slice_make(bytes, length));
        else
            edit(&now, em_slice_make(bytes, length));
        free(bytes);
        bytes = NULL;
    }
    free(bytes);
    em_arena_drop(&now.arena);
    return 0;
}
