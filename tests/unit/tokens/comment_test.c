#include "tokens/comment.h"

#include "check_texts.h"

enum { BEGINS = 1, GOES_ON = 2, DELIMITS = 4 };

static const struct {
    const char *line;
    unsigned is;
} cases[] = {
    {"// a", BEGINS},
    {"//", BEGINS},
    {"/* a */", BEGINS},
    {"/*", BEGINS | DELIMITS},
    {"/**", BEGINS | DELIMITS},
    {"<!-- a -->", BEGINS},
    {"<!--", BEGINS | DELIMITS},
    {"# a", BEGINS},
    {"#a", BEGINS},
    {"#", BEGINS},
    {"-- a", BEGINS},
    {"--", BEGINS},
    {"---- a", BEGINS},
    {"* a", GOES_ON},
    {"*", GOES_ON},
    {"", 0},
    {"a(); // b", 0},
    {"*a = b;", 0},
    {"**bold**", 0},
    {"---", 0},
    {"-----", 0},
    {"--option", 0},
    {"--a;", 0},
    {"- a", 0},
    {"#include <a.h>", 0},
    {"#define A", 0},
    {"#if A", 0},
    {"#!/bin/sh", 0},
    {"#pragma once", 0},
    {"#[derive(A)]", 0},
    {"#main {", 0},
    {"#main,", 0},
    {"/ a", 0},
    {"a /* b */", 0},
};

static void lines_are_comments_or_not(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        em_slice line = em_slice_of(cases[i].line);
        unsigned is = (em_is_comment(line) ? BEGINS : 0u) |
                      (em_goes_on_comment(line) ? GOES_ON : 0u) |
                      (em_delimits_comment(line) ? DELIMITS : 0u);
        check_size(cases[i].line, is, cases[i].is);
    }
}

static void ends_delimit(void **state)
{
    (void)state;
    assert_true(em_delimits_comment(EM_LIT("*/")));
    assert_true(em_delimits_comment(EM_LIT("-->")));
    assert_false(em_delimits_comment(EM_LIT("a */")));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(lines_are_comments_or_not),
                                       cmocka_unit_test(ends_delimit)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
