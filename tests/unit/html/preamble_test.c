#include "html/preamble.h"

#include "../with_cmocka.h"

static void what_comes_before_a_page_is_found(void **state)
{
    (void)state;
    static const struct {
        const char *page;
        size_t start, end;
    } cases[] = {
        {"@model A.B\n<!DOCTYPE html>", 0, 10},
        {"\n@model A\n\n@{\n  b = 1;\n}\n<!doctype html>", 1, 24},
        {"#set($a = 1)<html>", 0, 12},
        {"<#assign a=1>\n<!DOCTYPE html>", 0, 13},
        {"{include file=\"a\"}\n<HTML lang=a>", 0, 18},
        {"<jsp:include page=\"a\"/>\n<html>", 0, 23},
        {"<%inherit file=\"a\"/>\n</%a><html>", 0, 26},
        {"<!-- a --><? b ?>@c <!-- d -->@e\n<html>", 17, 32},
        {"---\na: <b>\n---\n<!DOCTYPE html>", 0, 15},
        {"+++\na\n+++ \n@b <html>", 0, 13},
        {"---\na\n---\nb <html>", 0, 11},
        /* There is nothing. */
        {"<!DOCTYPE html>", 0, 0},
        {"{% a %}\n<!-- b --><?xml c?>\n<!DOCTYPE html>", 0, 0},
        {"a\n<!DOCTYPE html>", 0, 0},
        {"\"a\"<html>", 0, 0},
        {"\xC3\xBC @a<html>", 0, 0},
        {"@a<p>b</p><html>", 0, 0},
        {"@a = \"<b>\"\n<html>", 0, 0},
        {"@a\n<div>", 0, 0},
        {"---\na\n---\n<p>b", 0, 0},
        {"---\na\n", 0, 0},
        {"<!-- @a <html>", 0, 0},
        {"", 0, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        em_code_reader reader = {.bytes = em_slice_of(cases[i].page)};
        em_range found = em_preamble_find(&reader, 0);
        if (!em_is_there(found))
            found = (em_range){0, 0};
        if (found.start != cases[i].start || found.end != cases[i].end)
            fail_msg("%s: from %zu to %zu", cases[i].page, found.start, found.end);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_comes_before_a_page_is_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
