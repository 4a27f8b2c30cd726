#include "laying/scope.h"

#include "match/token_line.h"
#include "placed.h"

enum { MOST_LINES = 8, NONE = -1 };

/* By lines, which are numbered from 0. */
typedef struct line_scope {
    em_going going;
    int base, statement; /* NONE: there is none, as in the shorter forms */
    size_t level;
    char mark;
} line_scope;

#define PLAIN                                                                                      \
    {                                                                                              \
        EM_GOING_NOT, NONE, NONE, 0, 0                                                             \
    }
#define HANGS(line)                                                                                \
    {                                                                                              \
        EM_GOING_HANGS, line, line, 0, 0                                                           \
    }
#define ALIGNED(line)                                                                              \
    {                                                                                              \
        EM_GOING_ALIGNED, line, line, 0, 0                                                         \
    }
#define IN_BLOCK(line)                                                                             \
    {                                                                                              \
        EM_GOING_NOT, line, NONE, 0, 0                                                             \
    }

static const struct {
    const char *what, *text;
    size_t lost; /* lines */
    line_scope lines[MOST_LINES];
} cases[] = {
    {"statements of one line", "a()\nb()\n", 0, {PLAIN, PLAIN}},
    {"behind a bracket that ends its line",
     "f(\n    a,\n    b)\nc()\n",
     0,
     {PLAIN, HANGS(0), HANGS(0), PLAIN}},
    {"behind one that more follows", "f(a,\n  b)\nc()\n", 0, {PLAIN, ALIGNED(0), PLAIN}},
    {"a list in square brackets", "x = [\n    a,\n]\ny = 1\n", 0, {PLAIN, HANGS(0), PLAIN, PLAIN}},
    {"behind a comma", "return a,\n    b\nc()\n", 0, {PLAIN, HANGS(0), PLAIN}},
    {"behind an operator", "x = a +\n    b\nc()\n", 0, {PLAIN, HANGS(0), PLAIN}},
    {"... that no deeper line follows", "x = a +\nb\n", 0, {PLAIN, PLAIN}},
    {"with a dot", "x = a\n    .b()\n    .c()\nd()\n", 0, {PLAIN, HANGS(0), HANGS(0), PLAIN}},
    {"with an operator", "x = a\n    && b\nc()\n", 0, {PLAIN, HANGS(0), PLAIN}},
    {"a block in braces", "f() {\n    a()\n}\n", 0, {PLAIN, IN_BLOCK(0), PLAIN}},
    {"braces of a list", "x = {a: 1,\n     b: 2}\nc()\n", 0, {PLAIN, ALIGNED(0), PLAIN}},
    {"a block in the brackets of a call",
     "g(() => {\n    a()\n})\nb()\n",
     0,
     {PLAIN, IN_BLOCK(0), PLAIN, PLAIN}},
    {"a statement in a statement",
     "f(\n    a,\n    g(\n        b),\n    c)\n",
     0,
     {PLAIN, HANGS(0), HANGS(0), {EM_GOING_HANGS, 2, 0, 0, 0}, HANGS(0)}},
    {"a bracket in a string", "f(\"(\")\n    a()\n", 0, {PLAIN, PLAIN}},
    {"a bracket in a comment", "a() # (\n    b()\n", 0, {PLAIN, PLAIN}},
    {"items of a list",
     "k:\n- a\n- b\n  - c\nd: 1\n",
     0,
     {PLAIN,
      {EM_GOING_NOT, NONE, NONE, 1, '-'},
      {EM_GOING_NOT, NONE, NONE, 1, '-'},
      {EM_GOING_NOT, NONE, NONE, 2, '-'},
      PLAIN}},
    {"what an item has",
     "- a: 1\n  b: 2\n",
     0,
     {{EM_GOING_NOT, NONE, NONE, 1, '-'}, {EM_GOING_NOT, NONE, NONE, 1, 0}}},
    {"stars are marks",
     "* a\n+ b\n",
     0,
     {{EM_GOING_NOT, NONE, NONE, 0, '*'}, {EM_GOING_NOT, NONE, NONE, 0, '+'}}},
    {"a sign is none", "-a\n", 0, {PLAIN}},
    {"the first line lost its depth: a bracket ends it",
     "f(\n    a,\n    b)\n    c()\n",
     1,
     {PLAIN, HANGS(0), HANGS(0), PLAIN}},
    {"... and no line that is as deep does",
     "f(\na,\nb)\nc()\n",
     1,
     {PLAIN, HANGS(0), HANGS(0), PLAIN}},
    {"a line that is as deep ends it else", "f(\na,\nb)\nc()\n", 0, {PLAIN, PLAIN, PLAIN, PLAIN}},
    {"the end of a statement above the text",
     "        b,\n        c)\n    d()\n",
     0,
     {{EM_GOING_ALIGNED, NONE, NONE, 0, 0}, {EM_GOING_ALIGNED, NONE, NONE, 0, 0}, PLAIN}},
};

static size_t first_token(em_tokened t, size_t line)
{
    em_slice unused;
    for (size_t i = 0; i < t.tokens.count; i++)
        if (em_line_indent(t, i, &unused) && line-- == 0)
            return i;
    return EM_NPOS;
}

static em_status scopes_of(size_t index, em_arena *arena, em_tokened *text, em_scope **scopes)
{
    EM_TRY(tokened_of(em_slice_of(cases[index].text), arena, text));
    size_t *depths = em_alloc_array(arena, text->tokens.count + 1, sizeof *depths);
    if (!depths)
        return EM_E_NOMEM;
    for (size_t i = 0; i < text->tokens.count; i++) {
        em_slice indent;
        if (em_line_indent(*text, i, &indent))
            depths[i] = indent.len;
    }
    size_t lost = cases[index].lost ? first_token(*text, cases[index].lost) : 0;
    return em_scopes_of(*text, depths, lost, arena, scopes);
}

static void check_line(em_tokened t, const char *what, size_t line, const em_scope *got)
{
    const line_scope *want = NULL;
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        if (cases[i].what == what)
            want = &cases[i].lines[line];
    EM_AUTO(em_arena) arena = {0};
    const char *name = em_arena_format(&arena, "%s, line %zu", what, line);
    assert_non_null(name);
    assert_non_null(want);
    check_size(name, got->going, want->going);
    check_size(name, got->base, want->base == NONE ? EM_NPOS : first_token(t, (size_t)want->base));
    check_size(name, got->statement,
               want->statement == NONE ? EM_NPOS : first_token(t, (size_t)want->statement));
    check_size(name, got->level, want->level);
    check_size(name, (size_t)got->mark, (size_t)want->mark);
}

static void lines_go_on_or_not(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        EM_AUTO(em_arena) arena = {0};
        em_tokened text;
        em_scope *scopes;
        assert_int_equal(scopes_of(i, &arena, &text, &scopes), EM_OK);
        for (size_t line = 0; first_token(text, line) != EM_NPOS; line++)
            check_line(text, cases[i].what, line, &scopes[first_token(text, line)]);
    }
}

static em_status run(em_arena *arena, const void *context)
{
    em_tokened text;
    em_scope *scopes;
    (void)context;
    return scopes_of(1, arena, &text, &scopes);
}

static void memory_may_run_out(void **state)
{
    (void)state;
    check_scarce(cases[1].what, run, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_go_on_or_not),
        cmocka_unit_test(memory_may_run_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
