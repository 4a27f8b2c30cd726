#include "diagnosis/trace.h"

#include <stdio.h>
#include <stdlib.h>

#include "../with_cmocka.h"
#include "failing_malloc.h"
#include "random.h"

static em_traces find(em_slice text, em_slice wanted)
{
    em_traces traces;
    assert_int_equal(em_trace_find(text, wanted, NULL, &traces), EM_OK);
    return traces;
}

/* ---- By hand --------------------------------------------------------------------------------- */

static void what_tells(void **state)
{
    (void)state;
    static const struct {
        const char *what, *text, *find;
        size_t count;
        const char *first;
    } cases[] = {
        {"a line that has less", "<div>\n  <h2>Our Services</h2>\n</div>\n",
         "<h2 class=\"text-xl font-bold mb-4 text-center text-gray-800\">Our Services</h2>", 1,
         "<h2>Our Services</h2>"},
        {"a line that has more",
         "a\nif (compute_total(order) > limit && !order.frozen && user.ok)\n",
         "compute_total(order) > limit", 1, "compute_total(order) > limit"},
        {"lines", "a\n\tone = first(1)\r\n\ttwo = second(2)\r\n\r\n\t}\r\nb\n",
         "    one = first(1)\n    two = second(2)\n    }\n    three = third(3)\n", 1,
         "one = first(1)\r\n\ttwo = second(2)\r\n\r\n\t}"},
        {"lines of CRs", "a\rone = first(1)\rb\r", "x\none = first(1)\ny", 1, "one = first(1)"},
        {"a line behind others that begin like it", "<div class=\"two\">\n",
         "<div class=\"one\">\n<div class=\"two\">\n", 1, "<div class=\"two\">"},
        {"two places", "total = sum(a)\nx\ntotal = sum(a)\n", "total = sum(a)\ny = 1\n", 2,
         "total = sum(a)"},
        {"more places than tell",
         "total = sum(a)\ntotal = sum(a)\n\nx\ntotal = sum(a)\ntotal = sum(a)\n",
         "total = sum(a)\ny = 1\n", 0, NULL},
        {"one line that tells among such that stand everywhere",
         "self.total\nreturn None, 1\nreturn None, 1\nreturn None, 1\nreturn None, 1\n",
         "return None, 1\nself.total\nother\n", 1, "self.total"},
        {"signs", "// ------------ //\n", "// ------------ //\nx\n", 0, NULL},
        {"a part of a word", "alculate_tot\n", "calculate_total", 0, NULL},
        {"too little", "int main\n", "int main\nother things here\n", 0, NULL},
        {"less than half of both lines", "void f(const char *name, size_t length, bool deep);\n",
         "int g(int count, const char *name, unsigned flags, int more);", 0, NULL},
        {"a part of a line beside a text of many lines", "private final String title;\n",
         "private final String name;\n"
         "int one() { return 1; }\nint two() { return 2; }\nint three() { return 3; }\n"
         "int four() { return 4; }\nint five() { return 5; }\n",
         0, NULL},
        {"other things", "one\ntwo\nthree\n", "<h2>Our Services</h2>", 0, NULL},
        {"an empty text", "", "one line of it\n", 0, NULL},
        {"blanks", "one line of it\n", " \n\t\n", 0, NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        em_slice text = em_slice_of(cases[i].text);
        em_traces traces = find(text, em_slice_of(cases[i].find));
        if (traces.count != cases[i].count)
            fail_msg("%s: %zu", cases[i].what, traces.count);
        if (traces.count == 0)
            continue;
        em_slice first = em_slice_sub(text, traces.items[0].start, traces.items[0].end);
        if (!em_slice_eq(first, em_slice_of(cases[i].first)))
            fail_msg("%s: %.*s", cases[i].what, (int)first.len, first.ptr);
    }
}

/* ---- At random ------------------------------------------------------------------------------- */

/* Whatever the texts, what is found is alike, apart, and in order. */
static void places_are_apart(void **state)
{
    (void)state;
    static const char *const words[] = {"alpha", "beta_2",      " ",        " ",    "\n",  "\r\n",
                                        "(",     "gamma.delta", "\xC3\xA9", "\xFF", "<b>", "  "};
    random_state r = {17};
    for (int round = 0; round < 3000; round++) {
        char bytes[2][400];
        em_slice texts[2];
        for (int i = 0; i < 2; i++) {
            size_t length = 0;
            for (size_t n = random_below(&r, 30); n > 0; n--) {
                const char *word = RANDOM_OF(&r, words);
                memcpy(bytes[i] + length, word, strlen(word));
                length += strlen(word);
            }
            texts[i] = em_slice_make(bytes[i], length);
        }
        em_traces traces = find(texts[0], texts[1]);
        assert_true(traces.count <= EM_MOST_TRACES);
        for (size_t i = 0; i < traces.count; i++) {
            assert_true(traces.items[i].start < traces.items[i].end &&
                        traces.items[i].end <= texts[0].len);
            assert_true(i == 0 || traces.items[i - 1].end <= traces.items[i].start);
        }
    }
}

/* ---- Bounds ---------------------------------------------------------------------------------- */

static void time_may_run_out(void **state)
{
    (void)state;
    em_deadline passed = {.at = 1, .passed = true};
    em_traces traces;
    assert_int_equal(em_trace_find(EM_LIT("one line of it\n"), EM_LIT("one line of it, or two"),
                                   &passed, &traces),
                     EM_E_TIMEOUT);
    assert_int_equal(traces.count, 0);
}

static void memory_may_run_out(void **state)
{
    (void)state;
    for (long countdown = 0;; countdown++) {
        em_traces traces;
        mallocs_left = countdown;
        em_status status =
            em_trace_find(EM_LIT("one line of it\n"), EM_LIT("one line of it\n"), NULL, &traces);
        mallocs_left = -1;
        if (status == EM_OK) {
            assert_true(countdown > 0 && traces.count == 1);
            return;
        }
        assert_int_equal(status, EM_E_NOMEM);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_tells),
        cmocka_unit_test(places_are_apart),
        cmocka_unit_test(time_may_run_out),
        cmocka_unit_test(memory_may_run_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
