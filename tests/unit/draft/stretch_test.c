#include "draft/stretch.h"

#include "scarce_arena.h"

enum { REACH = 1000 };

typedef struct change {
    size_t offset, length;
    const char *insert;
} change;

typedef struct scene {
    const char *what, *text;
    change changes[3]; /* up to the first without an insert */
    struct {
        const char *before, *after;
    } stretches[3]; /* up to the first without a text */
} scene;

static const scene scenes[] = {
    {"within a line", "a\nb b\nc\n", {{2, 1, "x"}}, {{"b b", "x b"}}},
    {"twice in a line", "a\nb b\nc\n", {{2, 1, "x"}, {4, 1, "y"}}, {{"b b", "x y"}}},
    {"in two lines", "a\nb\nc", {{0, 1, "x"}, {4, 1, "y"}}, {{"a", "x"}, {"c", "y"}}},
    {"a whole line", "a\nb\nc\n", {{2, 2, "x\n"}}, {{"b", "x"}}},
    {"a line that goes", "a\nb\nc\n", {{2, 2, ""}}, {{"b", ""}}},
    {"with CRLF", "a\r\nb\r\nc\r\n", {{3, 3, ""}}, {{"b", ""}}},
    {"two lines that go", "a\nb\nc", {{0, 2, ""}, {2, 2, ""}}, {{"a", ""}, {"b", ""}}},
    {"a line that comes", "a\nb\n", {{2, 0, "x\n"}}, {{"", "x"}}},
    {"the last one", "a\nb", {{2, 1, ""}}, {{"b", ""}}},
    {"all there is", "a\nb", {{0, 3, ""}}, {{"a\nb", ""}}},
    {"into nothing", "", {{0, 0, "x\n"}}, {{"", "x"}}},
    {"two lines joined", "a\nb\nc\n", {{1, 1, " "}}, {{"a\nb", "a b"}}},
    {"the same with the line", "a\nb\nc\n", {{0, 2, "x"}}, {{"a\nb", "xb"}}},
    {"all joined", "a\nb\nc", {{1, 1, " "}, {3, 1, " "}}, {{"a\nb\nc", "a b c"}}},
    {"a line broken", "a\nbc\nd", {{2, 1, "x\n"}}, {{"bc", "x\nc"}}},
    {"broken at its end", "a\nb\nc", {{2, 1, "x\n"}}, {{"b", "x\n"}}},
    {"twice in a line that breaks",
     "bab",
     {{0, 1, "x\ny"}, {2, 1, "x\ny"}},
     {{"bab", "x\nyax\ny"}}},
    {"a break that stays", "a\nb", {{1, 1, "\n\n"}}, {{"a", "a\n"}}},
    {"the CR alone", "a\r\nb", {{1, 1, ""}}, {{"a\r", "a"}}},
};

static em_splices splices_of(const change *changes, em_splice *room, size_t most)
{
    size_t count = 0;
    for (; count < most && changes[count].insert; count++)
        room[count] = (em_splice){changes[count].offset, changes[count].length,
                                  em_slice_of(changes[count].insert)};
    return (em_splices){room, count};
}

static void lines_are_shown_before_and_after(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(scenes); i++) {
        const scene *s = &scenes[i];
        EM_AUTO(em_arena) arena = {0};
        EM_AUTO(em_draft) draft;
        assert_int_equal(em_draft_init(&draft, em_slice_of(s->text), 0), EM_OK);
        em_splice room[3];
        em_splices left = splices_of(s->changes, room, COUNT_OF(room));
        size_t from = 0, count = 0;
        for (; left.count > 0; count++) {
            em_stretch stretch;
            assert_int_equal(em_stretch_make(&draft, left, from, REACH, &arena, &stretch), EM_OK);
            assert_true(count < COUNT_OF(s->stretches) && s->stretches[count].before);
            check_bytes(s->what, stretch.before, em_slice_of(s->stretches[count].before));
            check_bytes(s->what, stretch.after, em_slice_of(s->stretches[count].after));
            assert_true(stretch.taken > 0 && stretch.span.start >= from);
            from = stretch.span.end;
            left.items += stretch.taken;
            left.count -= stretch.taken;
        }
        assert_true(count == COUNT_OF(s->stretches) || !s->stretches[count].before);
    }
}

/* A line is cut beside the changes, and one of many makes several stretches that show all of it
 * once. */
static void long_lines_are_cut(void **state)
{
    (void)state;
    enum { COUNT = 20, STEP = 5, REACH_HERE = 12 };
    EM_AUTO(em_arena) arena = {0};
    EM_AUTO(em_draft) draft;
    char text[COUNT * STEP];
    em_splice splices[COUNT];
    memset(text, '.', sizeof text);
    for (size_t i = 0; i < COUNT; i++)
        splices[i] = (em_splice){i * STEP + 2, 1, EM_LIT("xyz")};
    assert_int_equal(em_draft_init(&draft, em_slice_make(text, sizeof text), 0), EM_OK);
    em_splices left = {splices, COUNT};
    size_t from = 0, length = 0;
    while (left.count > 0) {
        em_stretch stretch;
        assert_int_equal(em_stretch_make(&draft, left, from, REACH_HERE, &arena, &stretch), EM_OK);
        assert_int_equal(stretch.span.start, from);
        assert_true(stretch.span.end - from <= 3 * REACH_HERE + 1);
        assert_int_equal(stretch.before.len, stretch.span.end - from);
        assert_int_equal(stretch.after.len, stretch.before.len + 2 * stretch.taken);
        from = stretch.span.end;
        length += stretch.after.len;
        left.items += stretch.taken;
        left.count -= stretch.taken;
    }
    assert_int_equal(length, sizeof text + 2 * COUNT);
    left = (em_splices){splices + COUNT / 2, 1};
    em_stretch stretch;
    assert_int_equal(em_stretch_make(&draft, left, 0, REACH_HERE, &arena, &stretch), EM_OK);
    assert_int_equal(stretch.before.len, 2 * REACH_HERE + 1);
}

static em_status make_first(em_arena *arena, const void *context)
{
    const scene *s = context;
    em_splice room[3];
    em_splices splices = splices_of(s->changes, room, COUNT_OF(room));
    EM_AUTO(em_draft) draft;
    EM_TRY(em_draft_init(&draft, em_slice_of(s->text), 0));
    em_stretch stretch;
    return em_stretch_make(&draft, splices, 0, REACH, arena, &stretch);
}

static void memory_that_runs_out_is_a_status(void **state)
{
    (void)state;
    check_scarce("a stretch", make_first, &scenes[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_are_shown_before_and_after),
        cmocka_unit_test(long_lines_are_cut),
        cmocka_unit_test(memory_that_runs_out_is_a_status),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
