#include "match/elision.h"

#include "scarce_arena.h"

#define DEF "def f(alpha):\n    one(alpha, 1)\n    two = alpha\n    return two\n"
#define CLASS                                                                                      \
    "class A:\n    def f(alpha):\n        one(alpha, 1)\n        two = alpha\n        return "     \
    "two\n"

static const struct {
    const char *what, *text, *find, *insert;
    bool elides;
    const char *wanted_find, *wanted_insert; /* NULL: it is not found */
} cases[] = {
    {"the middle is put in", DEF, "def f(alpha):\n    ...\n    return two\n",
     "def f(alpha, beta):\n    ...\n    return two\n", true, DEF,
     "def f(alpha, beta):\n    one(alpha, 1)\n    two = alpha\n    return two\n"},
    {"for a comment, too", DEF, "def f(alpha):\n    # ... existing code ...\n    return two\n",
     "def f(alpha, beta):\n    # ... existing code ...\n    return two\n", true, DEF,
     "def f(alpha, beta):\n    one(alpha, 1)\n    two = alpha\n    return two\n"},
    {"for one sign, too", DEF, "def f(alpha):\n    …\n    return two\n",
     "def f(alpha, beta):\n    …\n    return two\n", true, DEF,
     "def f(alpha, beta):\n    one(alpha, 1)\n    two = alpha\n    return two\n"},
    {"for words between two of them", DEF, "def f(alpha):\n    … the body …\n    return two\n",
     "def f(alpha, beta):\n    ... the body ...\n    return two\n", true, DEF,
     "def f(alpha, beta):\n    one(alpha, 1)\n    two = alpha\n    return two\n"},
    {"not for words behind one", DEF, "def f(alpha):\n    ... the body\n    return two\n",
     "def f(alpha, beta):\n    ... the body\n    return two\n", false, NULL, NULL},
    {"without the margin that the search text lost", CLASS,
     "def f(alpha):\n    ...\n    return two\n", "def f(beta):\n    ...\n    return two\n", true,
     DEF, "def f(beta):\n    one(alpha, 1)\n    two = alpha\n    return two\n"},
    {"no such line", DEF, "def f(alpha):\n    one(alpha, 1)\n",
     "def g(alpha):\n    one(alpha, 1)\n", false, NULL, NULL},
    {"at its start", DEF, "    ...\n    return two\n", "    ...\n    return one\n", false, NULL,
     NULL},
    {"at its end", DEF, "def f(alpha):\n    ...\n", "def g(alpha):\n    ...\n", false, NULL, NULL},
    {"the replacement leaves nothing out", DEF, "def f(alpha):\n    ...\n    return two\n",
     "def f(alpha):\n    return two\n", true, NULL, NULL},
    {"it begins with that", DEF, "def f(alpha):\n    ...\n    return two\n",
     "    ...\n    return two\n", true, NULL, NULL},
    {"its first end is not there", DEF, "def g(alpha):\n    ...\n    return two\n",
     "def h(alpha):\n    ...\n    return two\n", true, NULL, NULL},
    {"it stands twice", DEF DEF, "def f(alpha):\n    ...\n    return two\n",
     "def g(alpha):\n    ...\n    return two\n", true, NULL, NULL},
    {"its last end stands twice", DEF "    return two\n",
     "def f(alpha):\n    ...\n    return two\n", "def g(alpha):\n    ...\n    return two\n", true,
     NULL, NULL},
    {"but once behind the first", "    return two\n" DEF,
     "def f(alpha):\n    ...\n    return two\n", "def g(alpha):\n    ...\n    return two\n", true,
     DEF, "def g(alpha):\n    one(alpha, 1)\n    two = alpha\n    return two\n"},
    {"it ends behind the block of the first", DEF "def g(alpha):\n    one()\n    return three\n",
     "def f(alpha):\n    ...\n    return three\n", "def f(beta):\n    ...\n    return three\n",
     true, NULL, NULL},
    {"or in another that is as deep", DEF "def g(alpha):\n    one()\n    return three\n",
     "    two = alpha\n    ...\n    return three\n", "    two = beta\n    ...\n    return three\n",
     true, NULL, NULL},
    {"or with the end of another", "f()\n{\n    one();\n};\ng()\n{\n    go();\n}\n",
     "f()\n{\n    ...\n}\n\n", "h()\n{\n    ...\n}\n\n", true, NULL, NULL},
    {"or so, and begins within its own", "f()\n{\n    one();\n};\ng()\n{\n    go();\n}\n",
     "    one();\n    ...\n}\n\n", "    uno();\n    ...\n}\n\n", true, NULL, NULL},
    {"or by words", "def f(a)\n  one\nend if a\n\ndef g(a)\n  go\nend\n", "def f(a)\n  ...\nend\n",
     "def h(a)\n  ...\nend\n", true, NULL, NULL},
    {"but by brackets it ends with its own", "sum(a) {\none();\n  {\n  };\n  }\n",
     "sum(a) {\n...\n  }\n", "sum(b) {\n...\n  }\n", true, "sum(a) {\none();\n  {\n  };\n  }\n",
     "sum(b) {\none();\n  {\n  };\n  }\n"},
    {"or so, where nothing is changed",
     DEF "def g(alpha):\n    three = one(alpha)\n    return three\n",
     "def f(alpha):\n    ...\n    three = one(alpha)\n    return three\n",
     "def f(alpha):\n    ...\n    three = one(alpha)\n    return three\n", true, NULL, NULL},
    {"but the end that is changed tells by itself",
     DEF "def g(alpha):\n    three = one(alpha)\n    return three\n",
     "def f(alpha):\n    ...\n    three = one(alpha)\n    return three\n",
     "def f(alpha):\n    ...\n    three = two(alpha)\n    return three\n", true,
     DEF "def g(alpha):\n    three = one(alpha)\n    return three\n",
     DEF "def g(alpha):\n    three = two(alpha)\n    return three\n"},
    {"or with one long line, where none says that it is in a block",
     DEF "def g(alpha):\n    three = one(alpha, 2)\n",
     "    two = alpha\n    ...\n    three = one(alpha, 2)\n",
     "    two = alpha\n    ...\n    three = one(alpha, 3)\n", true,
     "    two = alpha\n    return two\ndef g(alpha):\n    three = one(alpha, 2)\n",
     "    two = alpha\n    return two\ndef g(alpha):\n    three = one(alpha, 3)\n"},
    {"which the first one says here", DEF "def g(alpha):\n    three = one(alpha, 2)\n",
     "def f(alpha):\n    ...\n    three = one(alpha, 2)\n",
     "def f(alpha):\n    ...\n    three = one(alpha, 3)\n", true, NULL, NULL},
    {"the end of a block is that", "f()\n{\n    one();\n    {\n    };\n}\n\n",
     "f()\n{\n    ...\n}\n\n", "h()\n{\n    ...\n}\n\n", true,
     "f()\n{\n    one();\n    {\n    };\n}\n\n", "h()\n{\n    one();\n    {\n    };\n}\n\n"},
    {"a label, a directive and a comment are less deep",
     "f()\n{\n    one();\n#if A\n// of it\nout:\n    two();\n    three();\n}\n",
     "    one();\n    ...\n    three();\n", "    uno();\n    ...\n    three();\n", true,
     "    one();\n#if A\n// of it\nout:\n    two();\n    three();\n",
     "    uno();\n#if A\n// of it\nout:\n    two();\n    three();\n"},
    {"columns are compared", "if a:\n\tone()\n        two()\n\tthree()\n",
     "\tone()\n\t...\n\tthree()\n", "\tuno()\n\t...\n\tthree()\n", true,
     "\tone()\n        two()\n\tthree()\n", "\tuno()\n        two()\n\tthree()\n"},
    {"empty lines are of the middle, where neither text has some",
     "a();\r\n\r\n  \r\none();\r\n\r\nb();\r\n", "a();\n...\nb();\n", "a();\nc();\n...\nb();\n",
     true, "a();\n\r\n  \r\none();\r\n\nb();\n", "a();\nc();\n\r\n  \r\none();\r\n\nb();\n"},
    {"else those of the texts stand for them", "a();\n\none();\n\nb();\n", "a();\n...\n\nb();\n",
     "a();\n\n...\nc();\nb();\n", true, "a();\none();\n\nb();\n", "a();\n\none();\nc();\nb();\n"},
    {"nothing stands between", "def f(alpha):\n    return two\n",
     "def f(alpha):\n    ...\n    return two\n", "def g(alpha):\n    ...\n    return two\n", true,
     NULL, NULL},
    {"an empty line alone", "def f(alpha):\n\n    return two\n",
     "def f(alpha):\n    ...\n    return two\n", "def g(alpha):\n    ...\n    return two\n", true,
     NULL, NULL},
    {"a line goes on before it", "def f(alpha): go()\n    one()\n    return two\n",
     "def f(alpha):\n    ...\n    return two\n", "def g(alpha):\n    ...\n    return two\n", true,
     NULL, NULL},
};

static em_status elision_of(size_t index, em_deadline *deadline, em_arena *arena,
                            em_located *located, bool *elides)
{
    em_occurrences in = {.text = em_slice_of(cases[index].text), .arena = arena};
    *located = (em_located){.miss = EM_MISS_UNKNOWN};
    return em_elision_find(&in, em_slice_of(cases[index].find), em_slice_of(cases[index].insert),
                           deadline, arena, located, elides);
}

static void the_middle_is_the_file_s(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        EM_AUTO(em_arena) arena = {0};
        em_located located;
        bool elides;
        assert_int_equal(elision_of(i, NULL, &arena, &located, &elides), EM_OK);
        check_size(cases[i].what, elides, cases[i].elides);
        const em_tolerant_place *place =
            located.places.count == 1 && !located.places.items[0].elided->is_doubtful
                ? &located.places.items[0]
                : NULL;
        check_size(cases[i].what, place != NULL, cases[i].wanted_find != NULL);
        if (!place)
            continue;
        check_size(cases[i].what, located.miss, EM_MISS_ELIDED);
        check_bytes(cases[i].what, place->find, em_slice_of(cases[i].wanted_find));
        check_bytes(cases[i].what, place->insert, em_slice_of(cases[i].wanted_insert));
    }
}

static void what_both_texts_were_is_kept(void **state)
{
    (void)state;
    static const struct {
        const char *what, *insert_before, *insert_behind;
        bool shows_hidden;
    } edges[] = {
        {"another word", "def f(beta):\n", "\n    return two\n", false},
        {"a line that is left out in the search text", "def f(alpha):\n    one(alpha, 1)\n",
         "\n    return two\n", true},
        {"behind it", "def f(alpha):\n", "\n    two = alpha\n    return two\n", true},
        {"a line like none of them", "def f(alpha):\n    zero(alpha, 1)\n", "\n    return two\n",
         false},
    };
    for (size_t i = 0; i < COUNT_OF(edges); i++) {
        EM_AUTO(em_arena) arena = {0};
        em_occurrences in = {.text = EM_LIT(DEF), .arena = &arena};
        em_located located = {.miss = EM_MISS_UNKNOWN};
        bool elides;
        const char *insert =
            em_arena_format(&arena, "%s    ...%s", edges[i].insert_before, edges[i].insert_behind);
        assert_non_null(insert);
        assert_int_equal(em_elision_find(&in, EM_LIT("def f(alpha):\n    ...\n    return two\n"),
                                         em_slice_of(insert), NULL, &arena, &located, &elides),
                         EM_OK);
        check_size(edges[i].what, located.places.count, 1);
        const em_elided *elided = located.places.items[0].elided;
        assert_non_null(elided);
        check_bytes(edges[i].what, elided->find[0], EM_LIT("def f(alpha):\n"));
        check_bytes(edges[i].what, elided->find[1], EM_LIT("\n    return two\n"));
        check_bytes(edges[i].what, elided->insert[0], em_slice_of(edges[i].insert_before));
        check_bytes(edges[i].what, elided->insert[1], em_slice_of(edges[i].insert_behind));
        check_size(edges[i].what, elided->shows_hidden, edges[i].shows_hidden);
    }
}

static void what_the_search_text_shows_is_not_hidden(void **state)
{
    (void)state;
    EM_AUTO(em_arena) arena = {0};
    em_occurrences in = {.text = EM_LIT("def f(alpha):\n    one(alpha, 1)\n    one(alpha, 1)\n"
                                        "    two = alpha\n    return two\n"),
                         .arena = &arena};
    em_located located = {.miss = EM_MISS_UNKNOWN};
    bool elides;
    assert_int_equal(
        em_elision_find(&in, EM_LIT("def f(alpha):\n    one(alpha, 1)\n    ...\n    return two\n"),
                        EM_LIT("def g(alpha):\n    one(alpha, 1)\n    ...\n    return two\n"), NULL,
                        &arena, &located, &elides),
        EM_OK);
    assert_int_equal(located.places.count, 1);
    assert_false(located.places.items[0].elided->shows_hidden);
}

static void two_such_lines_are_not_filled_in(void **state)
{
    (void)state;
    EM_AUTO(em_arena) arena = {0};
    em_occurrences in = {
        .text =
            EM_LIT("def f(alpha):\n    ...\n    two = alpha\n    one(alpha, 1)\n    return two\n"),
        .arena = &arena};
    em_located located = {.miss = EM_MISS_UNKNOWN};
    bool elides;
    assert_int_equal(
        em_elision_find(
            &in, EM_LIT("def f(alpha):\n    ...\n    two = alpha\n    ...\n    return two\n"),
            EM_LIT("def g(alpha):\n    ...\n    two = alpha\n    ...\n    return two\n"), NULL,
            &arena, &located, &elides),
        EM_OK);
    assert_int_equal(located.places.count, 0);
}

#define HEAD "def f(alpha):\n    one(alpha, 1)\n"
#define TAIL "    two = alpha\n    return two\n"

static const struct {
    const char *what, *text, *find, *insert;
    const char *from, *to; /* NULL: there is no such end */
} ends[] = {
    {"the first end, and a last one that stands twice", HEAD "\n" TAIL TAIL,
     HEAD "    ...\n    return two\n",
     "def g(alpha):\n    one(alpha, 1)\n    ...\n    return two\n", HEAD,
     "def g(alpha):\n    one(alpha, 1)\n"},
    {"... but not behind it", TAIL TAIL HEAD, HEAD "    ...\n    return two\n",
     "def g(alpha):\n    one(alpha, 1)\n    ...\n    return two\n", NULL, NULL},
    {"... that changes, too", HEAD TAIL TAIL, HEAD "    ...\n    return two\n",
     "def g(alpha):\n    one(alpha, 1)\n    ...\n    return one\n", NULL, NULL},
    {"... and a line that is hidden", HEAD TAIL TAIL, HEAD "    ...\n    return two\n",
     HEAD "    two = alpha\n    ...\n    return two\n", NULL, NULL},
    {"the last end", HEAD HEAD TAIL, "    one(alpha, 1)\n    ...\n" TAIL,
     "    one(alpha, 1)\n    ...\n    two = alpha\n    return 2\n", TAIL,
     "    two = alpha\n    return 2\n"},
    {"... of one line", HEAD HEAD TAIL, "    one(alpha, 1)\n    ...\n    return two\n",
     "    one(alpha, 1)\n    ...\n    return 2\n", NULL, NULL},
    {"a first end that tells little", "f():\n" TAIL TAIL, "f():\n    ...\n    return two\n",
     "g():\n    ...\n    return two\n", NULL, NULL},
    {"no such line", DEF, HEAD, "def g(alpha):\n    one(alpha, 1)\n", NULL, NULL},
    {"none in the replacement", HEAD TAIL TAIL, HEAD "    ...\n    return two\n",
     "def g(alpha):\n    return two\n", NULL, NULL},
};

static em_status changed_end_of(size_t index, em_arena *arena, em_slice *from, em_slice *to,
                                bool *is)
{
    em_occurrences in = {.text = em_slice_of(ends[index].text), .arena = arena};
    return em_elision_changed_end(&in, em_slice_of(ends[index].find),
                                  em_slice_of(ends[index].insert), NULL, arena, from, to, is);
}

static void one_end_that_changes_may_be_all_of_the_edit(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(ends); i++) {
        EM_AUTO(em_arena) arena = {0};
        em_slice from, to;
        bool is;
        assert_int_equal(changed_end_of(i, &arena, &from, &to, &is), EM_OK);
        check_size(ends[i].what, is, ends[i].from != NULL);
        if (!is || !ends[i].from)
            continue;
        check_bytes(ends[i].what, from, em_slice_of(ends[i].from));
        check_bytes(ends[i].what, to, em_slice_of(ends[i].to));
    }
}

static em_status run_end(em_arena *arena, const void *context)
{
    em_slice from, to;
    bool is;
    return changed_end_of(*(const size_t *)context, arena, &from, &to, &is);
}

static void a_deadline_that_passed_is_told(void **state)
{
    (void)state;
    EM_AUTO(em_arena) arena = {0};
    em_deadline deadline = {.at = 1, .passed = true};
    em_located located;
    bool elides;
    assert_int_equal(elision_of(0, &deadline, &arena, &located, &elides), EM_E_TIMEOUT);
}

static em_status run(em_arena *arena, const void *context)
{
    em_located located;
    bool elides;
    return elision_of(*(const size_t *)context, NULL, arena, &located, &elides);
}

static void memory_may_run_out(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        check_scarce(cases[i].what, run, &i);
    for (size_t i = 0; i < COUNT_OF(ends); i++)
        check_scarce(ends[i].what, run_end, &i);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_middle_is_the_file_s),
        cmocka_unit_test(what_both_texts_were_is_kept),
        cmocka_unit_test(what_the_search_text_shows_is_not_hidden),
        cmocka_unit_test(two_such_lines_are_not_filled_in),
        cmocka_unit_test(one_end_that_changes_may_be_all_of_the_edit),
        cmocka_unit_test(a_deadline_that_passed_is_told),
        cmocka_unit_test(memory_may_run_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
