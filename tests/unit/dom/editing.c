#include "editing.h"

#include "html/parse.h"

#include <stdio.h>
#include <stdlib.h>

static em_slice next_word(em_slice *rest, char until)
{
    const char *end = memchr(rest->ptr, until, rest->len);
    size_t length = end ? (size_t)(end - rest->ptr) : rest->len;
    em_slice word = em_slice_sub(*rest, 0, length);
    *rest = em_slice_from(*rest, end ? length + 1 : length);
    return word;
}

/* The selector ends before the last blank ahead of the first bar. */
static em_slice cut_selector(em_slice *rest)
{
    const char *bar = memmem(rest->ptr, rest->len, "|", 1);
    size_t end = bar ? (size_t)(bar - rest->ptr) : rest->len;
    while (end > 0 && rest->ptr[end - 1] != ' ')
        end--;
    em_slice selector = em_slice_sub(*rest, 0, end > 0 ? end - 1 : 0);
    *rest = em_slice_from(*rest, end);
    return selector;
}

static void read_flags(em_slice *rest, em_dom_op *op)
{
    if (em_slice_starts(*rest, EM_LIT("all "))) {
        op->all = EM_DOM_ALL_TRUE;
        *rest = em_slice_from(*rest, 4);
    } else if (em_slice_starts(*rest, EM_LIT("one "))) {
        op->all = EM_DOM_ALL_FALSE;
        *rest = em_slice_from(*rest, 4);
    } else if (em_slice_starts(*rest, EM_LIT("="))) {
        op->expected = strtoul(rest->ptr + 1, NULL, 10);
        next_word(rest, ' ');
    }
}

em_dom_op editing_op(const char *text)
{
    em_dom_op op = {.position = EM_DOM_NO_POSITION};
    em_slice rest = em_slice_of(text);
    read_flags(&rest, &op);
    op.selector = cut_selector(&rest);
    op.action = em_dom_action_of(next_word(&rest, '|'));
    bool more = rest.ptr[-1] == '|';
    switch (op.action) {
    case EM_DOM_SET_ATTRIBUTE:
        op.attr = next_word(&rest, '|');
        op.value = rest.ptr[-1] == '|' ? rest : (em_slice){0};
        break;
    case EM_DOM_REMOVE_ATTRIBUTE:
        op.attr = more ? rest : (em_slice){0};
        break;
    case EM_DOM_REPLACE_CLASS:
        op.old_class = next_word(&rest, '|');
        op.new_class = rest;
        break;
    case EM_DOM_INSERT_ADJACENT_HTML:
        op.position = em_dom_position_of(next_word(&rest, '|'));
        op.value = rest;
        break;
    default:
        op.value = more ? rest : (em_slice){0};
    }
    return op;
}

/* ---- What holds of every plan ---------------------------------------------------------------- */

static void lay_in(editing *e)
{
    em_splices list = e->plan.splices;
    size_t length = e->page.len, at = 0;
    for (size_t i = 0; i < list.count; i++)
        length += list.items[i].insert.len;
    char *out = em_alloc_raw(&e->arena, length + 1);
    e->result = em_slice_make(out, 0);
    for (size_t i = 0; i <= list.count; i++) {
        size_t to = i < list.count ? list.items[i].offset : e->page.len;
        assert_true(to >= at && to <= e->page.len);
        memcpy(out + e->result.len, e->page.ptr + at, to - at);
        e->result.len += to - at;
        if (i == list.count)
            break;
        const em_splice *splice = &list.items[i];
        assert_true(splice->length > 0 || splice->insert.len > 0);
        memcpy(out + e->result.len, splice->insert.ptr, splice->insert.len);
        e->result.len += splice->insert.len;
        at = to + splice->length;
    }
    out[e->result.len] = '\0';
}

/* Of one op: what lies between its changes is the same before and after. */
static void check_changes(const editing *e)
{
    size_t before = 0, after = 0;
    const em_dom_outcome *outcome = &e->plan.outcomes[0];
    for (size_t i = 0; i <= outcome->change_count; i++) {
        em_dom_change change = {{e->page.len, e->page.len}, {e->result.len, e->result.len}};
        if (i < outcome->change_count)
            change = outcome->changes[i];
        assert_true(em_slice_eq(em_slice_sub(e->page, before, change.before.start),
                                em_slice_sub(e->result, after, change.after.start)));
        before = change.before.end;
        after = change.after.end;
    }
}

static void check_hints(em_slice page, em_dom_hints hints)
{
    EM_AUTO(em_arena) arena = {0};
    em_page tree;
    em_error err = EM_ERROR_INIT;
    assert_int_equal(em_page_parse(page, NULL, &arena, &tree, &err), EM_OK);
    assert_true(hints.count <= EM_DOM_MOST_HINTS);
    for (size_t i = 0; i < hints.count; i++) {
        const em_selector *selector;
        em_selector_error error;
        em_nodes found;
        assert_int_equal(em_selector_compile(hints.items[i].selector, &arena, &selector, &error),
                         EM_OK);
        assert_int_equal(em_select(&tree, selector, NULL, &arena, &found), EM_OK);
        assert_int_equal(found.count, 1);
    }
}

void editing_do(editing *e, em_slice page, const char *ops)
{
    enum { MOST = 32 };
    em_dom_op list[MOST];
    size_t count = 0;
    *e = (editing){.page = page, .err = EM_ERROR_INIT};
    char *text = em_arena_string(&e->arena, em_slice_of(ops));
    for (char *line = text; line && count < MOST;) {
        char *end = strstr(line, ";;");
        if (end)
            *end = '\0';
        list[count++] = editing_op(line);
        line = end ? end + 2 : NULL;
    }
    e->status = em_dom_plan_make(page, list, count, NULL, &e->arena, &e->plan, &e->err);
    if (e->status != EM_OK)
        return;
    lay_in(e);
    if (count > 1)
        return;
    check_changes(e);
    check_hints(page, e->plan.outcomes[0].similar);
    check_hints(page, e->plan.outcomes[0].candidates);
}

void editing_drop(editing *e)
{
    em_arena_drop(&e->arena);
}

void editing_check(const editing_case *cases, size_t count)
{
    size_t wrong = 0;
    for (size_t i = 0; i < count; i++) {
        editing e;
        const editing_case *c = &cases[i];
        editing_do(&e, em_slice_of(c->page), c->op);
        const char *got = e.err.detail;
        if (e.status == EM_OK)
            got = e.plan.failed_count ? em_dom_code_name(e.plan.outcomes[0].code) : e.result.ptr;
        if (strcmp(got, c->result) != 0) {
            printf("%s\n  %s\n  expected %s\n  got      %s\n  (%s)\n", c->page, c->op, c->result,
                   got, e.status == EM_OK ? e.plan.outcomes[0].reason : "");
            wrong++;
        }
        editing_drop(&e);
    }
    assert_int_equal(wrong, 0);
}
