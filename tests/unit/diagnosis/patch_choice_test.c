#include "diagnosis/patch_choice.h"

#include "diagnosis/whole_change.h"
#include "scarce_arena.h"

/* Two stretches of which each has this twice. */
#define STRETCH "    x = 0\n    end\n"

static const char text[] = "def f():\n" STRETCH "\n"
                           "def g():\n" STRETCH "    more\n\n"
                           "def h():\n" STRETCH STRETCH "last\n";

#define HUNK "     x = 0\n+    y = 0\n     end\n"
#define AT_G "    x = 0\n    end\n    more"

static const struct {
    const char *what, *patch;
    const char *find[2], *insert[2]; /* NULL: nothing is certain */
} cases[] = {
    {"numbers",
     "@@ -6,2 +6,3 @@ def g():\n" HUNK,
     {"def g():\n    x = 0\n    end"},
     {"def g():\n    x = 0\n    y = 0\n    end"}},
    {"numbers that are not far from those of another place",
     "@@ -6,2 +6,3 @@\n" HUNK,
     {NULL},
     {NULL}},
    {"... in what a line begins", "@@ -11,2 +11,3 @@ def h():\n" HUNK, {NULL}, {NULL}},
    {"what is below a line",
     "@@ -2,2 +2,3 @@ def f\n" HUNK,
     {"def f():\n    x = 0\n    end"},
     {"def f():\n    x = 0\n    y = 0\n    end"}},
    {"numbers of no place", "@@ -7,2 +7,3 @@\n" HUNK, {NULL}, {NULL}},
    {"numbers beyond the end", "@@ -70,2 +70,3 @@\n" HUNK, {NULL}, {NULL}},
    {"none", "@@\n" HUNK, {NULL}, {NULL}},
    {"numbers that do not count the lines", "@@ -6,3 +6,4 @@\n" HUNK, {NULL}, {NULL}},
    {"what is below another line", "@@ -6,2 +6,3 @@ def h():\n" HUNK, {NULL}, {NULL}},
    {"what is not in what another line begins", "@@ -6,2 +6,3 @@ def f():\n" HUNK, {NULL}, {NULL}},
    {"a line that is not there", "@@ -6,2 +6,3 @@ def k():\n" HUNK, {NULL}, {NULL}},
    {"an empty line at the end of a hunk",
     "@@ -3,2 +3,3 @@ def f():\n     end\n+    y\n \n",
     {"    x = 0\n    end\n\ndef g():"},
     {"    x = 0\n    end\n    y\n\ndef g():"}},
    {"... where the file has none", "@@ -12,2 +12,3 @@\n     end\n+    y\n \n", {NULL}, {NULL}},
    {"numbers that are away as those of a hunk with one place",
     "@@ -3,2 +3,3 @@\n" HUNK "@@ -5,1 +6,1 @@\n-    more\n+    less\n",
     {"def g():\n    x = 0\n    end", "    more"},
     {"def g():\n    x = 0\n    y = 0\n    end", "    less"}},
    {"... and that are not",
     "@@ -6,2 +6,3 @@\n" HUNK "@@ -5,1 +6,1 @@\n-    more\n+    less\n",
     {NULL},
     {NULL}},
    {"hunks with one place that are away by other numbers",
     "@@ -1,1 +1,1 @@\n-def f():\n+def e():\n@@ -6,2 +6,3 @@\n" HUNK
     "@@ -5,1 +6,1 @@\n-    more\n+    less\n",
     {NULL},
     {NULL}},
    {"not below one another",
     "@@ -8,1 +8,1 @@\n-    more\n+    less\n@@ -6,2 +6,3 @@\n" HUNK,
     {NULL},
     {NULL}},
    {"lines that go",
     "@@ -7,1 +6,0 @@ def g():\n-    end\n",
     {"    x = 0\n    end\n    more"},
     {"    x = 0\n    more"}},
    {"lines around that another hunk shows",
     "@@ -5,1 +5,1 @@\n-def g():\n+def e():\n@@ -6,2 +6,3 @@\n" HUNK,
     {"def g():", AT_G},
     {"def e():", "    x = 0\n    y = 0\n    end\n    more"}},
    {"a line above",
     "@@ def g():\n" HUNK,
     {"def g():\n    x = 0\n    end"},
     {"def g():\n    x = 0\n    y = 0\n    end"}},
    {"a line above several in what it begins", "@@ def h():\n" HUNK, {NULL}, {NULL}},
    {"a line above that is there often", "@@ end\n" HUNK, {NULL}, {NULL}},
    {"a line above that is not there", "@@ def k():\n" HUNK, {NULL}, {NULL}},
    {"lines above, one in the other",
     "@@ def g():\n@@ x = 0\n-    end\n+    ends\n",
     {"    x = 0\n    end\n    more"},
     {"    x = 0\n    ends\n    more"}},
    {"a text with one place", "@@ -8,1 +8,1 @@\n-    more\n+    less\n", {NULL}, {NULL}},
};

static em_status choose(em_arena *arena, em_slice body, const char *patch,
                        const em_near_miss **chosen)
{
    em_told_change change;
    em_text opened;
    EM_TRY(em_text_open(body, NULL, arena, &opened, NULL));
    EM_TRY(em_told_change_read(em_slice_of(patch), arena, &change));
    assert_true(change.count > 0);
    em_hunks hunks = {change.parts, change.heads, change.count};
    return em_patch_choose(&opened, hunks, arena, chosen);
}

static void a_place_is_chosen_where_it_is_certain(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        EM_AUTO(em_arena) arena = {0};
        const em_near_miss *chosen;
        assert_int_equal(choose(&arena, em_slice_of(text), cases[i].patch, &chosen), EM_OK);
        check_size(cases[i].what, chosen != NULL, cases[i].find[0] != NULL);
        for (size_t k = 0; k < COUNT_OF(cases[i].find) && chosen && cases[i].find[k]; k++) {
            check_bytes(cases[i].what, chosen[k].find, em_slice_of(cases[i].find[k]));
            check_bytes(cases[i].what, chosen[k].insert, em_slice_of(cases[i].insert[k]));
        }
    }
}

/* A BOM is above the first line, and no part of it. */
static void a_text_may_begin_behind_a_bom(void **state)
{
    (void)state;
    EM_AUTO(em_arena) arena = {0};
    const em_near_miss *chosen;
    em_slice body = EM_LIT("\xEF\xBB\xBF"
                           "a\nb\nc\nd\ne\nf\ng\nh\ni\na\n");
    assert_int_equal(choose(&arena, body, "@@ -1 +1 @@\n-a\n+d\n", &chosen), EM_OK);
    assert_non_null(chosen);
    check_bytes("behind a BOM", chosen->find, EM_LIT("a\nb"));
}

/* What is sent is UTF-8, and has no CR. */
static void other_texts_are_left(void **state)
{
    (void)state;
    EM_AUTO(em_arena) arena = {0};
    const em_near_miss *chosen;
    assert_int_equal(choose(&arena, EM_LIT("a\n\xFF\na\n"), "@@ -1 +1 @@\n-a\n+d\n", &chosen),
                     EM_OK);
    assert_null(chosen);
    assert_int_equal(choose(&arena, EM_LIT("a\r\nb\r\na\r\n"), "@@ -1 +1 @@\n-a\n+d\n", &chosen),
                     EM_OK);
    assert_null(chosen);
}

static em_status run(em_arena *arena, const void *context)
{
    const em_near_miss *chosen;
    return choose(arena, em_slice_of(text), context, &chosen);
}

static void memory_may_run_out(void **state)
{
    (void)state;
    check_scarce("numbers", run, cases[0].patch);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_place_is_chosen_where_it_is_certain),
        cmocka_unit_test(a_text_may_begin_behind_a_bom),
        cmocka_unit_test(other_texts_are_left),
        cmocka_unit_test(memory_may_run_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
