#include "match/applied.h"

#include "check_texts.h"
#include "match/tiers.h"

static const struct {
    const char *what, *text, *find, *insert;
    bool applied;
} cases[] = {
    {"it stands there", "x\nint wanted = 2;\ny\n", "int wanted = 1;", "int wanted = 2;", true},
    {"a part of a longer number", "x\nlong wanted = 25;\n", "short other = 1", "long wanted = 2",
     false},
    {"... of one with a point", "x\nlong wanted = 2.5;\n", "short other = 1", "long wanted = 2",
     false},
    {"... at its beginning", "scaled by 1.25 of all the rest\n", "75 of nearly all of it",
     "25 of all the rest", false},
    {"a part of a longer word at its end", "import { readFileSync } from 'fs'\n",
     "import { writeFile", "import { readFile", false},
    {"... at its beginning", "reconnectToServer(void);\n", "oldName(void);",
     "connectToServer(void);", false},
    {"... that goes on with a letter beyond ASCII", "and long wanted\xC3\xA9 = 2;\n", "short other",
     "and long wanted", false},
    {"in a longer number, and whole elsewhere", "long wanted = 25;\nlong wanted = 2;\n",
     "short other = 1", "long wanted = 2", true},
    {"whole before a point that ends a sentence", "the rest is worth 25. 3 more\n",
     "it is worth 75", "the rest is worth 25", true},
    {"too short to be sure", "a = 2\n", "a = 1", "a = 2", false},
    {"white space does not count", "a  b  c  d  e  f\n", "q", "a  b  c  d  e  f", false},
    {"no-break spaces neither",
     "ab\xC2\xA0\xC2\xA0\xC2\xA0\xC2\xA0\xC2\xA0\xC2\xA0"
     "cd",
     "q",
     "ab\xC2\xA0\xC2\xA0\xC2\xA0\xC2\xA0\xC2\xA0\xC2\xA0"
     "cd",
     false},
    {"twice", "int wanted = 2;\nint wanted = 2;\n", "int wanted = 1;", "int wanted = 2;", false},
    {"no line of its own", "second_line_here\n", "first_line\nsecond_line_here", "second_line_here",
     false},
    {"the search text stands elsewhere in another layout", "int wanted = 2;\nint  wanted = 1;\n",
     "int wanted = 1;", "int wanted = 2;", false},
    {"... and is short, but one line", "int wanted = 2;\nx  = 1;\n", "x = 1;", "int wanted = 2;",
     false},
    {"a few words in two lines stand elsewhere, at another depth",
     "f {\n  x;\n  new_line_here(2);\n}\ng {\n    x;\n  }\n}\n", "  x;\n}",
     "  x;\n  new_line_here(2);\n}", true},
    {"braces that it was searched for stand elsewhere, at another depth",
     "f {\n    a(1);\n    }\n    new_line_here(2);\n  }\ng {\n    b(1);\n  }\n}\n", "    }\n  }",
     "    }\n    new_line_here(2);\n  }", true},
    {"... and the replacement does not stand as it was sent",
     "f {\n    a(1);\n    }\n    new_line_here( 2 );\n  }\ng {\n    b(1);\n  }\n}\n", "    }\n  }",
     "    }\n    new_line_here(2);\n  }", false},
    {"what it was searched for stands around it, in another indentation",
     "if ready:\n\tstart_engine()\n", "if ready:\n    start_engine()", "start_engine()", false},
    {"... with other blanks", "value  =  compute(alpha) + beta_gamma\n",
     "value = compute(alpha) + beta_gamma", "value = compute(alpha)", false},
    {"... in other quotes", "<b>\xE2\x80\x9Csome quoted text here\xE2\x80\x9D</b>\n",
     "<b>\"some quoted text here\"</b>", "\"some quoted text here\"", false},
    {"... over several lines", "try:\n\tdo_the_thing(1)\nexcept E:\n\tpass\n",
     "try:\n    do_the_thing(1)\nexcept E:\n    pass", "do_the_thing(1)", false},
    {"... with a slip", "value = compute(alpha) + beta_gamma\n",
     "value = conpute(alpha) + beta_gamma", "value = compute(alpha)", false},
    {"... wrapped", "foo_is_here()\nbar_is_here()\n", "12| foo_is_here()\n13| bar_is_here()",
     "foo_is_here()", false},
    {"the search text stands elsewhere, and it is not clear what comes for it",
     "run(1);\nstop(2);\nrun(1);\nputs(\"x\\n\");\nstop(2);\n", "run(1);\\nstop(2);",
     "run(1);\nputs(\"x\\n\");\nstop(2);", false},
    {"... and not elsewhere", "run(1);\nputs(\"x\\n\");\nstop(2);\n", "run(1);\\nstop(2);",
     "run(1);\nputs(\"x\\n\");\nstop(2);", true},
    {"the comment that the search text passes over is what it was replaced with",
     "// note\n\n// another note\n\nfirst_call(one, two)\nmore_of_it(three)\nand_more(four)\n",
     "// note\n\nfirst_call(one, two)\n  more_of_it(three)\nand_more(four)\n",
     "// another note\n\nfirst_call(one, two)\nmore_of_it(three)\nand_more(four)\n", true},
    {"... and another comment is not",
     "// note\n\n// other\n\nfirst_call(one, two)\nmore_of_it(three)\nand_more(four)\n",
     "// note\n\nfirst_call(one, two)\n  more_of_it(three)\nand_more(four)\n",
     "// another note\n\nfirst_call(one, two)\nmore_of_it(three)\nand_more(four)\n", false},
    {"a line that it moves is as deep as before, and the search text has a slip beside it",
     "for i in range(10):\n    total += i\n    print_total(total)\n",
     "for i in range(10):\n    total += i;\n    print_total(total)\n",
     "for i in range(10):\n    total += i\nprint_total(total)\n", false},
    {"... in another line", "all:\n    gcc -o main main.c\n", "all:\n    gcc -o main main.cc\n",
     "all:\n\tgcc -o main main.c\n", false},
    {"... that has it itself", "if cond:\n    prepare()\n    launch_rockets(1)\n",
     "    prepare()\n    launch_rocket(1)\n", "    prepare()\nlaunch_rockets(1)\n", false},
    {"... and here it is at a third depth", "if cond:\n\tif more:\n\t\tlaunch_rockets(1)\n",
     "launch_rocket(1)\n", "if more:\n    launch_rockets(1)\n", true},
    {"a tab for the spaces of a line, where the file has spaces for the tabs of both",
     "def f():\n    # a new comment\n    call(a)\n", "\t# an old comment\n    call(a)\n",
     "\t# a new comment\n\tcall(a)\n", true},
    {"... and spaces for the tab, where it has tabs for the spaces of both",
     "def f():\n\t# a new comment\n\tcall(a)\n", "    # an old comment\n\tcall(a)\n",
     "    # a new comment\n    call(a)\n", true},
    {"... where a line that comes tells it", "def f():\n        log(x)\n    call(a)\n",
     "first(x)\n    call(a)\n", "\t\tlog(x)\n\tcall(a)\n", true},
    {"... and one step more", "def f():\n    # a new comment\n    call(a)\n",
     "\t# an old comment\n    call(a)\n", "\t# a new comment\n\t\tcall(a)\n", false},
    {"... and where the file has that of the search text",
     "def f():\n    # a new comment\n    call(a)\n", "    # an old comment\n    call(a)\n",
     "    # a new comment\n\tcall(a)\n", false},
    {"a blank that it takes away within a line is there", "launch_rockets (1, 2);\n",
     "launch_rockets (1, 3);", "launch_rockets(1, 2);", false},
    {"it reaches beyond the place to one side", "one_call(1);  \ntwo_calls(2);\nthree(3);\n",
     "one_call(1);\ntwo_calls(2);", "two_calls(2);\nthree(3);", false},
    {"a line that the search text has in another indentation", "do_the_thing(1)\nother()\n",
     "try:\n    do_the_thing(1)\nexcept E:\n    pass", "do_the_thing(1)", false},
    {"a line that the search text has behind a number", "foo_is_here()\nother()\n",
     "12| foo_is_here()\n13| bar_is_here()", "foo_is_here()", false},
    {"... in another form", "foo_is_here()\nother()\n", "12. foo_is_here()\n13. bar_is_here()",
     "foo_is_here()", false},
    {"... and a letter", "foo_is_here()\nother()\n", "[L12] foo_is_here()\n[L13] bar_is_here()",
     "foo_is_here()", false},
    {"... behind the sign of a patch", "foo_is_here()\nother()\n", "-foo_is_here()\n-bar_is_here()",
     "foo_is_here()", false},
    {"... behind a word, which is code", "foo_is_here()\nother()\n",
     "await foo_is_here()\nawait bar_is_here()", "foo_is_here()", true},
    {"what it adds to what it searches for stands there, indented otherwise",
     "\tone_call(1);\n\ttwo_calls(2);\n", "    one_call(1);\n",
     "    one_call(1);\n    two_calls(2);\n", true},
    {"a slip that was put right", "value = compute(alpha)\n", "value = conpute(alpha)",
     "value = compute(alpha)", true},
    {"the writing alone, to the byte", "send(\"some text\");\n", "send('some text');",
     "send(\"some text\");", true},
    {"the writing alone, in a third one", "send( \"some text\" );\n", "send('some text');",
     "send(\"some text\");", false},
    {"the writing alone, and a line more", "some words here\n\nx\n", "some  words here\n",
     "some words here\n\n", true},
    {"the writing alone, and a line more before it", "x\n\nsome words here\n", "some  words here\n",
     "\nsome words here\n", true},
    {"... which only ends another one", "x\nsome words here\n", "some  words here\n",
     "\nsome words here\n", false},
    {"... and a slip", "x\nsome words here\n", "some wrods here\n", "\nsome words here\n", false},
    {"... and a line that is indented", "x\n some words here\n", "  some words here",
     "\n  some words here", false},
    {"... where the search text ends another one, too", "x\nsome words here\n",
     "\nsome wrods here\n", "\nsome words here\n", true},
    {"... at the beginning of the text", "\nsome words here\n", "some  words here\n",
     "\nsome words here\n", true},
    {"... where a line is broken", "x\nsome words here y\n", "some  words here",
     "\nsome words here", true},
    {"the writing alone, and only lines of the search text", "some words here\nx\n",
     "some words here\n\n\n\n", "some words here\n", false},
    {"lines in another order than those searched for", "call_b(2);\ncall_a(1);\ncall_c(3);\n",
     "call_a(1);\ncall_b(2);", "call_b(2);\ncall_a(1);\ncall_c(3);", true},
    {"only lines of the search text, in another order", "call_b(2);\ncall_a(1);\n",
     "call_a(1);\ncall_b(2);\ncall_d(4);", "call_b(2);\ncall_a(1);", false},
    {"an empty line that is to go is there, beside a slip", "}\n\nvoid em_channel_deafen(c)\n",
     "}\n\nvoid em_chanenl_deafen(c)\n", "}\nvoid em_channel_deafen(c)\n", false},
    {"... beside words in another case", "}\n\nvoid em_channel_deafen(c)\n",
     "}\n\nvoid em_CHANNEL_deafen(c)\n", "}\nvoid em_channel_deafen(c)\n", false},
    {"... beside another word at the start of the line", "}\n\nvoid_channel_deafen(c)\n",
     "}\n\nemit_channel_deafen(c)\n", "}\nvoid_channel_deafen(c)\n", false},
    {"one that is to come is not", "}\nvoid em_channel_deafen(c)\n",
     "}\nvoid em_chanenl_deafen(c)\n", "}\n\nvoid em_channel_deafen(c)\n", false},
    {"... behind it", "int  wanted = 2;\ny\n", "int wanted = 1;\n", "int wanted = 2;\n\n", false},
    {"... and there are more behind it", "int  wanted = 2;\n\n\ny\n", "int wanted = 1;\n",
     "int wanted = 2;\n\n", true},
    {"more were kept beside a change", "int first = 1;\n\n\n\nint wanted = 2;\n",
     "int first = 1;\n\nint wanted = 1;", "int first = 1;\n\n\nint wanted = 2;", true},
    {"fewer were kept beside a change", "int first = 1;\nint wanted = 2;\n",
     "int first = 1;\n\n\n\nint wanted = 1;", "int first = 1;\n\n\nint wanted = 2;", true},
    {"one more before a line that came", "first(1);\n\nmiddle(3);\n\nlast(2);\n",
     "first(1);\n\nlast(2);", "first(1);\nmiddle(3);\n\nlast(2);", true},
    {"an empty line that is to go is there, and it was wrapped", "}\n\nvoid em_channel_deafen(c)\n",
     "1: }\n2:\n3: void em_CHANNEL_deafen(c)\n", "1: }\n2: void em_channel_deafen(c)\n", false},
    {"what is to go stands before it", "int a = first_value(1);\nint b = second_value(2);\n",
     "int a = first_value(1);\nint b = sec0nd_value(2);\n", "int b = second_value(2);\n", false},
    {"... and an empty line between", "int a = first_value(1);\n\nint b = second_value(2);\n",
     "int a = first_value(1);\nint b = sec0nd_value(2);\n", "int b = second_value(2);\n", false},
    {"... behind it, with a remark", "int b = second_value(2);\n  int a = first_value(1); // x\n",
     "int b = sec0nd_value(2);\nint a = first_value(1);\n", "int b = second_value(2);\n", false},
    {"... before it, which the replacement has, too",
     "int a = first_value(1);\nint b = second_value(2);\nint a = first_value(1);\n",
     "int b = first_value(1);\nint a = first_value(1);\n",
     "int b = second_value(2);\nint a = first_value(1);\n", true},
    {"... and says little", "}\nint b = second_value(2);\n", "}\nint b = sec0nd_value(2);\n",
     "int b = second_value(2);\n", true},
    {"not there", "nothing of it\n", "int wanted = 1;", "int wanted = 2;", false},
};

static void only_what_was_surely_done_counts(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        EM_AUTO(em_arena) arena = {0};
        EM_AUTO(em_draft) draft;
        bool applied;
        em_span where;
        em_located located;
        em_slice text = em_slice_of(cases[i].text), find = em_slice_of(cases[i].find);
        em_slice insert = em_slice_of(cases[i].insert);
        em_occurrences in = {.text = text, .arena = &arena};
        assert_int_equal(em_tiers_locate(&in, find, insert, EM_TIER_FUZZY, NULL, &arena, &located),
                         EM_OK);
        assert_int_equal(em_draft_init(&draft, em_slice_of(cases[i].text), 0), EM_OK);
        assert_int_equal(em_already_applied(&draft, &in, find, insert, &located.places, NULL,
                                            &arena, &applied, &where),
                         EM_OK);
        check_size(cases[i].what, applied, cases[i].applied);
    }
}

static void comparing_the_lines_ends_at_the_deadline(void **state)
{
    (void)state;
    EM_AUTO(em_arena) arena = {0};
    EM_AUTO(em_draft) draft;
    bool applied;
    em_span where;
    em_places elsewhere = {0};
    em_deadline over = {.at = 1, .passed = true};
    em_slice text = EM_LIT("int wanted = 2;\n");
    em_occurrences in = {.text = text, .arena = &arena};
    assert_int_equal(em_draft_init(&draft, text, 0), EM_OK);
    assert_int_equal(em_already_applied(&draft, &in, EM_LIT("int wanted = 1;"), text, &elsewhere,
                                        &over, &arena, &applied, &where),
                     EM_E_TIMEOUT);
    assert_false(applied);
}

/* The first of the lines that are to go stands there, so wherever the time ends nothing was made.
 */
static void what_time_ran_out_for_counts_as_not_made(void **state)
{
    (void)state;
    enum { ASKED_EVERY = 1 << 16, MOST_LEFT = 1000 };
    em_slice text = EM_LIT("int a = first_value(1);\nint b = second_value(2);\n"),
             find = EM_LIT("int a = first_value(1);\nint b = sec0nd_value(2);\n"),
             insert = EM_LIT("int b = second_value(2);\n");
    size_t ended = 0;
    for (size_t left = 1; left <= MOST_LEFT; left++) {
        EM_AUTO(em_arena) arena = {0};
        EM_AUTO(em_draft) draft;
        bool applied;
        em_span where;
        em_places elsewhere = {0};
        em_deadline soon = {.at = 1, .unasked = ASKED_EVERY - left};
        em_occurrences in = {.text = text, .arena = &arena};
        assert_int_equal(em_draft_init(&draft, text, 0), EM_OK);
        ended += em_already_applied(&draft, &in, find, insert, &elsewhere, &soon, &arena, &applied,
                                    &where) == EM_E_TIMEOUT;
        assert_false(applied);
    }
    assert_true(ended > 0 && ended < MOST_LEFT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_what_was_surely_done_counts),
        cmocka_unit_test(comparing_the_lines_ends_at_the_deadline),
        cmocka_unit_test(what_time_ran_out_for_counts_as_not_made),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
