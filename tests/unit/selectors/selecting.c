#include "selecting.h"

#include <stdio.h>
#include <stdlib.h>

#include "../with_cmocka.h"

#include "base/strbuf.h"
#include "html/ids.h"
#include "selectors/places.h"

void selecting_open(selecting *on, const char *html)
{
    em_error err = EM_ERROR_INIT;
    *on = (selecting){0};
    assert_int_equal(em_page_parse(em_slice_of(html), NULL, &on->arena, &on->page, &err), EM_OK);
}

void selecting_close(selecting *on)
{
    em_arena_drop(&on->arena);
}

static em_slice label(const em_node *node)
{
    const em_attr *id = em_node_attr(node, EM_LIT("id"));
    return id ? id->value : node->name;
}

static void check_same(selecting *on, const em_selector *selector, em_nodes wanted)
{
    em_nodes found;
    assert_int_equal(em_select(&on->page, selector, NULL, &on->arena, &found), EM_OK);
    assert_int_equal(found.count, wanted.count);
    for (size_t i = 0; i < found.count; i++)
        assert_ptr_equal(found.items[i], wanted.items[i]);
}

/* With the ids at hand it finds the same, and with places among siblings. */
static void check_by_lists(selecting *on, const em_selector *selector, em_nodes wanted)
{
    EM_AUTO(em_sibling_places) places = {0};
    em_ids ids;
    assert_int_equal(em_ids_make(&on->page, &on->arena, &ids), EM_OK);
    on->page.ids = &ids;
    check_same(on, selector, wanted);
    on->page.places = &places;
    check_same(on, selector, wanted);
    on->page.ids = NULL;
    check_same(on, selector, wanted);
    on->page.places = NULL;
}

size_t selecting_count(selecting *on, const char *text)
{
    em_deadline deadline = em_deadline_in(2000);
    const em_selector *selector;
    em_selector_error error;
    em_nodes found;
    assert_int_equal(em_selector_compile(em_slice_of(text), &on->arena, &selector, &error), EM_OK);
    assert_int_equal(em_select(&on->page, selector, &deadline, &on->arena, &found), EM_OK);
    return found.count;
}

const char *selecting_find(selecting *on, const char *text)
{
    EM_AUTO(em_strbuf) out = {0};
    const em_selector *selector;
    em_selector_error error;
    em_nodes found;
    em_status status = em_selector_compile(em_slice_of(text), &on->arena, &selector, &error);
    if (status != EM_OK)
        return em_arena_format(&on->arena, "! %s", error.reason);
    assert_int_equal(em_select(&on->page, selector, NULL, &on->arena, &found), EM_OK);
    check_by_lists(on, selector, found);
    for (size_t i = 0; i < found.count; i++) {
        em_slice name = label(found.items[i]);
        em_strbuf_printf(&out, "%s%.*s", i > 0 ? " " : "", (int)name.len, name.ptr);
    }
    return em_strbuf_finish(&out, &on->arena);
}

void selecting_check(const char *html, const selecting_case *cases, size_t count)
{
    selecting on;
    size_t wrong = 0;
    selecting_open(&on, html);
    for (size_t i = 0; i < count; i++) {
        const char *found = selecting_find(&on, cases[i].selector);
        if (strcmp(found, cases[i].found) == 0)
            continue;
        print_message("%s\n  finds  %s\n  wanted %s\n", cases[i].selector, found, cases[i].found);
        wrong++;
    }
    selecting_close(&on);
    assert_int_equal(wrong, 0);
}
