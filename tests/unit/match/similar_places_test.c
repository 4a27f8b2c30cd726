#include "match/similar_places.h"

#include <stdio.h>
#include <stdlib.h>

#include "../with_cmocka.h"
#include "failing_malloc.h"
#include "random.h"
#include "text/folded.h"
#include "text/similarity.h"

/* ---- What holds whatever the texts ----------------------------------------------------------- */

static bool is_break(char byte)
{
    return byte == '\n' || byte == '\r';
}

static em_slice without_outer_breaks(em_slice s)
{
    while (s.len > 0 && is_break(s.ptr[0]))
        s = em_slice_from(s, 1);
    while (s.len > 0 && is_break(s.ptr[s.len - 1]))
        s.len--;
    return s;
}

static double similarity_to(em_slice find, em_slice text, size_t start, size_t end)
{
    double similarity;
    em_slice piece = em_slice_sub(text, start, end);
    assert_int_equal(em_similarity(without_outer_breaks(find), piece, NULL, &similarity), EM_OK);
    return similarity;
}

static void check_result(em_slice text, em_slice find, const em_similar_place *r)
{
    assert_true(r->start <= r->piece.start && r->piece.start < r->piece.end &&
                r->piece.end <= r->end && r->end <= text.len);
    assert_true(r->start == 0 || is_break(text.ptr[r->start - 1]));
    assert_true(r->end == text.len ? !is_break(text.ptr[r->end - 1]) : is_break(text.ptr[r->end]));
    assert_true(r->piece_similarity >= r->similarity && r->similarity >= 0);
    assert_true(r->likeness <= 1 && r->twin <= r->likeness);
    double piece = similarity_to(find, text, r->piece.start, r->piece.end);
    assert_true(r->piece_similarity == piece);
    double lines = similarity_to(find, text, r->start, r->end);
    if (r->end - r->start > 4 * find.len + 4096)
        assert_true(r->similarity <= lines + 1e-9);
    else
        assert_true(r->similarity == lines);
}

static void check_all(em_slice text, em_slice find, const em_similar_place_list *list)
{
    for (size_t i = 0; i < list->count; i++) {
        const em_similar_place *r = &list->items[i];
        check_result(text, find, r);
        assert_true(i == 0 || r[-1].likeness >= r->likeness);
        for (size_t k = 0; k < i; k++)
            assert_true(list->items[k].end < r->start || r->end < list->items[k].start);
    }
}

/* Narrower places hold as much, are as many, and none is less alike. */
static void check_narrowed(em_slice text, em_slice find, em_similar_place_list list,
                           em_arena *arena)
{
    double sum = 0;
    size_t count = list.count;
    for (size_t i = 0; i < count; i++)
        sum -= list.items[i].similarity;
    assert_int_equal(em_narrow_places(text, find, NULL, arena, &list), EM_OK);
    assert_int_equal(list.count, count);
    check_all(text, find, &list);
    for (size_t i = 0; i < count; i++)
        sum += list.items[i].similarity;
    assert_true(sum > -1e-9);
}

static em_similar_place_list similar_places(em_slice text, em_slice find, size_t most,
                                            em_arena *arena)
{
    em_similar_place_list list;
    assert_int_equal(em_find_similar_places(text, find, most, 0.5, NULL, arena, &list), EM_OK);
    assert_in_range(list.count, 0, most);
    assert_false(list.timed_out);
    check_all(text, find, &list);
    check_narrowed(text, find, list, arena);
    return list;
}

static em_slice lines_of(em_slice text, const em_similar_place *r)
{
    return em_slice_sub(text, r->start, r->end);
}

static em_slice piece_of(em_slice text, const em_similar_place *r)
{
    return em_slice_sub(text, r->piece.start, r->piece.end);
}

/* ---- Known places ---------------------------------------------------------------------------- */

static void best_place(void **state)
{
    (void)state;
    static const struct {
        const char *text, *find, *lines, *piece;
    } cases[] = {
        {"a\nconst  foo = 'bar';\nb", "const foo = 'bar';", "const  foo = 'bar';",
         "const  foo = 'bar';"},
        {"one\nfunction HandleRequest(req) {\ntwo\n", "function handleRequest(req) {",
         "function HandleRequest(req) {", "function HandleRequest(req) {"},
        {"def f():\n\treturn  1\n", "    return 1", "\treturn  1", "\treturn  1"},
        {"a = 1\nmax_connections_per_worker = 100\nb = 2", "max_connections_per_worker = 200",
         "max_connections_per_worker = 100", "max_connections_per_worker = 100"},
        {"<p>x</p>\n<h2 class=\"text-2xl font-bold\">Our Services</h2>\n<p>y</p>\n",
         "<h2 class=\"text-xl\">Our Services</h2>",
         "<h2 class=\"text-2xl font-bold\">Our Services</h2>",
         "<h2 class=\"text-2xl font-bold\">Our Services</h2>"},
        /* inside a line */
        {"    result = compute(alpha, betta) + 1; // sum", "compute(alpha, beta)",
         "    result = compute(alpha, betta) + 1; // sum", "compute(alpha, betta)"},
        /* nothing but signs */
        {"foo({\n  a: 1\n})\nbar", "});", "})", "})"},
        /* not one word intact */
        {"x\n  prnit(reslut)\ny", "print(result)", "  prnit(reslut)", "prnit(reslut)"},
        {"x\n  Hello_World(A_b)\ny", "hello_world(a_b)", "  Hello_World(A_b)", "Hello_World(A_b)"},
        /* a line more, a line fewer */
        {"if (a) {\n  one();\n  /* why */\n  two();\n}\n", "if (a) {\n  one();\n  two();\n}\n",
         "if (a) {\n  one();\n  /* why */\n  two();\n}",
         "if (a) {\n  one();\n  /* why */\n  two();\n}"},
        {"if (a) {\n  one();\n  two();\n}\n", "if (a) {\n  one();\n  more();\n  two();\n}",
         "if (a) {\n  one();\n  two();\n}", "if (a) {\n  one();\n  two();\n}"},
        /* other line endings, and the indentation of the search text's first line */
        {"a\r\nfoo(one);\r\nbar(two);\r\nb", "foo(one)\nbar(two);", "foo(one);\r\nbar(two);",
         "foo(one);\r\nbar(two);"},
        {"a\rfoo(one);\rbar(two);\rb", "\nfoo(one)\nbar(two);\n\n", "foo(one);\rbar(two);",
         "foo(one);\rbar(two);"},
        {"x(\n        )\n        if res.returncode:\n            return None\n",
         "                if res.returncode:\n                    return None",
         "        if res.returncode:\n            return None",
         "        if res.returncode:\n            return None"},
        {"a\n\tfoo(one);  \nb", "foo(won);  ", "\tfoo(one);  ", "foo(one);  "},
        /* no UTF-8 */
        {"a\ngr\xFCn = blau_\xFF_rot\nb", "gr\xFCn = blau_\xFE_rot", "gr\xFCn = blau_\xFF_rot",
         "gr\xFCn = blau_\xFF_rot"},
        {"\xE4\xBD\xA0\xE5\xA5\xBD\xE4\xB8\x96\xE7\x95\x8C\xE6\x9C\x8B\xE5\x8F\x8B\n",
         "\xE4\xBD\xA0\xE5\xA5\xBD\xE4\xB8\x96\xE7\x95\x8C\xE6\x9C\x8A\xE5\x8F\x8B",
         "\xE4\xBD\xA0\xE5\xA5\xBD\xE4\xB8\x96\xE7\x95\x8C\xE6\x9C\x8B\xE5\x8F\x8B",
         "\xE4\xBD\xA0\xE5\xA5\xBD\xE4\xB8\x96\xE7\x95\x8C\xE6\x9C\x8B\xE5\x8F\x8B"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        EM_AUTO(em_arena) arena = {0};
        em_slice text = em_slice_of(cases[i].text), find = em_slice_of(cases[i].find);
        em_similar_place_list list = similar_places(text, find, 3, &arena);
        if (list.count == 0)
            fail_msg("nothing like %s", cases[i].find);
        em_slice lines = lines_of(text, &list.items[0]), piece = piece_of(text, &list.items[0]);
        if (!em_slice_is(lines, cases[i].lines) || !em_slice_is(piece, cases[i].piece))
            fail_msg("%s: [%.*s] [%.*s]", cases[i].find, (int)lines.len, lines.ptr, (int)piece.len,
                     piece.ptr);
    }
}

static void nothing_near(void **state)
{
    (void)state;
    static const struct {
        const char *text, *find;
    } cases[] = {
        {"", "abc"},
        {"abc", ""},
        {"abc\n", "\n\r\n"},
        {"abc\n", " \t\n "},
        {"", ""},
        {"\n\n\n", "abc"},
        {"some text\n", "0123456789 9876543210"},
        {"abc", "xyz"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        EM_AUTO(em_arena) arena = {0};
        em_similar_place_list list =
            similar_places(em_slice_of(cases[i].text), em_slice_of(cases[i].find), 3, &arena);
        assert_int_equal(list.count, 0);
    }
    EM_AUTO(em_arena) arena = {0};
    assert_int_equal(similar_places(EM_LIT("abc"), EM_LIT("abd"), 0, &arena).count, 0);
}

/* ---- Ties and runners-up --------------------------------------------------------------------- */

/* Neighbouring lines that are alike are places of their own. */
/* What the search text has too much, and the next line begins with something like. */
static void narrower_places(void **state)
{
    (void)state;
    static const struct {
        const char *text, *find, *want;
    } cases[] = {
        {"row 10 content here\nrow 11 content here\nrow 12 content here\n",
         "row 11 content here now", "row 11 content here"},
        {"- item one\n- item two\n- item three\n", "- item two (done)", "- item two"},
        {"host = localhost\nport = 8080\ndebug = true\n", "port = 8080 # default", "port = 8080"},
        {"here it is\nstop the clock\n", "is stop the clock", "stop the clock"},
        {"one line\nanother line\n", "one line\nanother line", "one line\nanother line"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        EM_AUTO(em_arena) arena = {0};
        em_slice text = em_slice_of(cases[i].text), find = em_slice_of(cases[i].find);
        em_similar_place_list list = similar_places(text, find, 3, &arena);
        assert_int_equal(em_narrow_places(text, find, NULL, &arena, &list), EM_OK);
        em_slice lines = lines_of(text, &list.items[0]);
        if (!em_slice_is(lines, cases[i].want))
            fail_msg("%s: %.*s", cases[i].find, (int)lines.len, lines.ptr);
    }
}

static void neighbours(void **state)
{
    (void)state;
    EM_AUTO(em_arena) arena = {0};
    em_slice text = EM_LIT("  case FOO: return \"foo\";\n  case FOP: return \"fop\";\n"
                           "  case FOP: return \"fop\";\n  case BAR: return \"bar\";\n");
    em_similar_place_list list =
        similar_places(text, EM_LIT("case FOQ: return \"foq\";"), 10, &arena);
    assert_int_equal(list.count, 4);
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(list.items[i].start, i * 26); /* equally near, from left to right */
        assert_true(list.items[i].likeness == list.items[0].likeness);
    }
    assert_true(list.items[3].likeness < list.items[0].likeness);
}

/* Of places that are as near, those in lines that are more like the search text come first. */
static void lines_decide(void **state)
{
    (void)state;
    EM_AUTO(em_arena) arena = {0};
    em_slice text = EM_LIT("call_this_one(other, 1) and much more of it\ncall_this_one(b)\n");
    em_similar_place_list list = similar_places(text, EM_LIT("call_this_one(c)"), 1, &arena);
    assert_int_equal(list.count, 1);
    assert_true(em_slice_is(lines_of(text, &list.items[0]), "call_this_one(b)"));
}

/* Two pieces in one line are one result, which says so. */
static void twins(void **state)
{
    (void)state;
    EM_AUTO(em_arena) arena = {0};
    em_slice text = EM_LIT("a.first_value=compute(one);b.second_value=compute(one);c=3\n");
    em_similar_place_list list = similar_places(text, EM_LIT("=compute(won);"), 5, &arena);
    assert_int_equal(list.count, 1);
    assert_true(list.items[0].twin == list.items[0].likeness);
    text = EM_LIT("a.first_value=compute(one);b.second_value=store(two);c=3\n");
    list = similar_places(text, EM_LIT("a.first_value=compute(won);"), 5, &arena);
    assert_int_equal(list.count, 1);
    assert_true(list.items[0].twin < list.items[0].likeness);
}

/* ---- A slip is always found ------------------------------------------------------------------ */

typedef struct world {
    char *bytes;
    size_t length, room;
    size_t *starts; /* of lines, and one more */
    size_t lines;
} world;

static void put(world *w, const char *string)
{
    size_t length = strlen(string);
    assert_true(w->length + length <= w->room);
    memcpy(w->bytes + w->length, string, length);
    w->length += length;
}

/* Something like source code: a few words that stand everywhere, and names. */
static world make_world(size_t lines, random_state *r)
{
    static const char *const shapes[] = {"if (%s) {",   "%s = %s(%s);",  "return %s;",    "}",
                                         "// %s %s %s", "for %s in %s:", "%s.%s(%s, %s)", ""};
    static const char *const common[] = {"self", "value", "index",  "result",
                                         "data", "item",  "config", "update"};
    world w = {.room = lines * 100 + 1, .starts = malloc((lines + 1) * sizeof *w.starts)};
    w.bytes = malloc(w.room);
    assert_non_null(w.bytes);
    assert_non_null(w.starts);
    for (; w.lines < lines; w.lines++) {
        w.starts[w.lines] = w.length;
        for (size_t depth = random_below(r, 4); depth > 0; depth--)
            put(&w, "    ");
        for (const char *shape = RANDOM_OF(r, shapes); *shape; shape++) {
            char name[30] = {*shape, '\0'};
            if (*shape == '%') {
                shape++;
                snprintf(name, sizeof name, "%s", RANDOM_OF(r, common));
                if (random_below(r, 2))
                    snprintf(name, sizeof name, "%s_%zu", RANDOM_OF(r, common),
                             random_below(r, lines));
            }
            put(&w, name);
        }
        put(&w, "\n");
    }
    w.starts[lines] = w.length;
    return w;
}

static void drop_world(world *w)
{
    free(w->bytes);
    free(w->starts);
}

/* Another letter, one more, or one fewer, in the middle of `find`. */
static size_t slip(char *find, size_t length, random_state *r)
{
    size_t at = random_below(r, length);
    while (find[at] == ' ' || find[at] == '\n')
        at = (at + 1) % length;
    switch (random_below(r, 3)) {
    case 0:
        find[at] = find[at] == 'q' ? 'z' : 'q';
        return length;
    case 1:
        memmove(find + at, find + at + 1, length - at - 1);
        return length - 1;
    default:
        memmove(find + at + 1, find + at, length - at);
        find[at] = 'q';
        return length + 1;
    }
}

static bool lists(const em_similar_place_list *list, size_t start, size_t end)
{
    for (size_t i = 0; i < list->count; i++)
        if (list->items[i].start <= end && start <= list->items[i].end)
            return true;
    return false;
}

/* Who asks for few gets the first of those that who asks for many does; where too many are equally
 * alike for either, the latter's are not worse. So the many can stand for the few. */
static void check_first(const em_similar_place_list *few, const em_similar_place_list *many)
{
    assert_true(few->count <= many->count);
    for (size_t i = 0; i < few->count; i++) {
        const em_similar_place *x = &few->items[i], *y = &many->items[i];
        bool same = x->start == y->start && x->end == y->end && x->piece.start == y->piece.start &&
                    x->piece.end == y->piece.end;
        bool better = y->likeness > x->likeness || y->piece_similarity > x->piece_similarity ||
                      (y->piece_similarity == x->piece_similarity && y->similarity > x->similarity);
        assert_true(same || (better && y->likeness >= x->likeness));
    }
}

static void slips_are_found(size_t lines, size_t rounds, size_t most_lines)
{
    random_state r = {lines};
    world w = make_world(lines, &r);
    em_slice text = em_slice_make(w.bytes, w.length);
    for (size_t round = 0; round < rounds; round++) {
        EM_AUTO(em_arena) arena = {0};
        static char find[5000];
        size_t first = random_below(&r, lines), count = 1 + random_below(&r, most_lines);
        size_t last = first + count < lines ? first + count : lines;
        size_t start = w.starts[first], end = w.starts[last] - 1;
        em_slice truth = em_without_outer_blanks(em_slice_sub(text, start, end));
        if (truth.len < 16 || truth.len + 1 > sizeof find)
            continue;
        memcpy(find, truth.ptr, truth.len);
        size_t length = slip(find, truth.len, &r), at = (size_t)(truth.ptr - text.ptr);
        em_similar_place_list list = similar_places(text, em_slice_make(find, length), 12, &arena);
        em_similar_place_list few = similar_places(text, em_slice_make(find, length), 3, &arena);
        check_first(&few, &list);
        bool full_of_equals =
            list.count == 12 && list.items[11].likeness >= 1 - 2.0 / (double)length;
        if (!full_of_equals && !lists(&list, at, at + truth.len))
            fail_msg("not found: %.*s", (int)length, find);
    }
    drop_world(&w);
}

static void slips_in_small_texts(void **state)
{
    (void)state;
    slips_are_found(300, 300, 20);
}

static void slips_in_large_texts(void **state)
{
    (void)state;
    slips_are_found(20000, 40, 40);
}

/* ---- Long, strange, and without end ---------------------------------------------------------- */

/* A search text of thousands of lines. */
static void long_search_texts(void **state)
{
    (void)state;
    EM_AUTO(em_arena) arena = {0};
    random_state r = {77};
    world w = make_world(6000, &r);
    em_slice text = em_slice_make(w.bytes, w.length);
    size_t start = w.starts[2000], end = w.starts[5000] - 1, length = end - start;
    char *find = malloc(length + 40);
    assert_non_null(find);
    memcpy(find, w.bytes + start, length);
    for (size_t i = 0; i < 30; i++)
        length = slip(find, length, &r);
    em_slice core = em_without_outer_blanks(em_slice_sub(text, start, end));
    em_similar_place_list list = similar_places(text, em_slice_make(find, length), 3, &arena);
    assert_in_range(list.count, 1, 3);
    assert_true(list.items[0].likeness > 0.99);
    assert_true(lists(&list, (size_t)(core.ptr - text.ptr), start + 1));
    find[0] = 'x'; /* and one that is not there */
    for (size_t i = 0; i < length; i++)
        if (find[i] != ' ' && find[i] != '\n')
            find[i] = (char)('A' + random_below(&r, 26));
    assert_int_equal(similar_places(text, em_slice_make(find, length), 3, &arena).count, 0);
    free(find);
    drop_world(&w);
}

static void one_line_without_end(void **state)
{
    (void)state;
    EM_AUTO(em_arena) arena = {0};
    random_state r = {5};
    world w = make_world(20000, &r);
    for (size_t i = 0; i < w.length; i++)
        if (w.bytes[i] == '\n')
            w.bytes[i] = ' ';
    em_slice text = em_slice_make(w.bytes, w.length);
    char find[301];
    memcpy(find, w.bytes + w.length / 2, 300);
    size_t length = slip(find, 300, &r);
    em_similar_place_list list = similar_places(text, em_slice_make(find, length), 5, &arena);
    assert_int_equal(list.count, 1);
    assert_int_equal(list.items[0].start, 0);
    assert_int_equal(list.items[0].end, text.len);
    assert_in_range(list.items[0].piece.start, w.length / 2 - 20, w.length / 2 + 20);
    assert_true(list.items[0].likeness > 0.97);
    drop_world(&w);
}

/* The same lines over and over: the places that are equally near are there, as many as asked for.
 */
static void repetitive_texts(void **state)
{
    (void)state;
    EM_AUTO(em_arena) arena = {0};
    static const char lines[] = "    value = compute(offset);\n    store(value);\n";
    enum { TIMES = 20000, LINES = sizeof lines - 1 };
    char *bytes = malloc((size_t)TIMES * LINES);
    assert_non_null(bytes);
    for (size_t i = 0; i < TIMES; i++)
        memcpy(bytes + i * LINES, lines, LINES);
    em_slice text = em_slice_make(bytes, (size_t)TIMES * LINES);
    em_slice find = EM_LIT("    value = compute(offset);\n    stare(value);");
    em_similar_place_list list = similar_places(text, find, 8, &arena);
    assert_int_equal(list.count, 8);
    for (size_t i = 0; i < 8; i++)
        assert_true(list.items[i].likeness == list.items[0].likeness &&
                    list.items[i].likeness > 0.95);
    free(bytes);
}

static void strange_texts(void **state)
{
    (void)state;
    enum { LENGTH = 300000 };
    static const char *const fills[] = {"a", " ", "\n", "\x80", "\xE2\x82", "ab ", "(\r\n)"};
    static const char *const finds[] = {"aaaaaaab", "  x  ", "\x80\x80x", "(\n)\n(\n)x", "ab abab"};
    char *bytes = malloc(LENGTH);
    assert_non_null(bytes);
    for (size_t i = 0; i < sizeof fills / sizeof *fills; i++) {
        size_t length = strlen(fills[i]);
        for (size_t at = 0; at < LENGTH; at++)
            bytes[at] = fills[i][at % length];
        for (size_t k = 0; k < sizeof finds / sizeof *finds; k++) {
            EM_AUTO(em_arena) arena = {0};
            similar_places(em_slice_make(bytes, LENGTH), em_slice_of(finds[k]), 5, &arena);
        }
    }
    free(bytes);
}

static void random_texts(void **state)
{
    (void)state;
    static const char *const parts[] = {"foo",  "bar", "(", ")",        ";",    " ",     "  ", "\n",
                                        "\r\n", "\t",  "x", "\xC3\xA9", "\xFF", "value", "\r"};
    random_state r = {99};
    for (size_t round = 0; round < 1500; round++) {
        EM_AUTO(em_arena) arena = {0};
        char bytes[2][400];
        size_t lengths[2] = {0}, most[2] = {1 + random_below(&r, 60), 1 + random_below(&r, 12)};
        for (size_t s = 0; s < 2; s++)
            for (size_t i = random_below(&r, most[s]); i > 0; i--) {
                const char *part = RANDOM_OF(&r, parts);
                memcpy(bytes[s] + lengths[s], part, strlen(part));
                lengths[s] += strlen(part);
            }
        similar_places(em_slice_make(bytes[0], lengths[0]), em_slice_make(bytes[1], lengths[1]),
                       1 + random_below(&r, 5), &arena);
    }
}

/* ---- Time and memory ------------------------------------------------------------------------- */

static void a_passed_deadline(void **state)
{
    (void)state;
    random_state r = {8};
    world w = make_world(20000, &r);
    em_slice text = em_slice_make(w.bytes, w.length);
    em_slice find = em_slice_sub(text, w.starts[30], w.starts[50]);
    em_deadline deadlines[] = {{.at = 1, .passed = true}, {.at = 1}};
    for (size_t i = 0; i < 2; i++) {
        EM_AUTO(em_arena) arena = {0};
        em_similar_place_list list;
        assert_int_equal(em_find_similar_places(text, find, 3, 0.5, &deadlines[i], &arena, &list),
                         EM_OK);
        assert_true(list.timed_out);
        check_all(text, find, &list);
        assert_int_equal(em_narrow_places(text, find, &deadlines[i], &arena, &list), EM_OK);
        check_all(text, find, &list);
        em_slice longer = em_slice_sub(text, w.starts[30], w.starts[1000]);
        assert_int_equal(em_find_similar_places(text, longer, 3, 0.5, &deadlines[i], &arena, &list),
                         EM_OK);
        assert_true(list.timed_out);
        em_slice strange = EM_LIT("@@##[[");
        assert_int_equal(
            em_find_similar_places(text, strange, 3, 0.5, &deadlines[i], &arena, &list), EM_OK);
        assert_true(list.timed_out);
    }
    drop_world(&w);
}

static em_status similar_places_with(long mallocs, em_slice text, em_slice find)
{
    EM_AUTO(em_arena) arena = {0};
    em_similar_place_list list;
    mallocs_left = mallocs;
    em_status status = em_find_similar_places(text, find, 3, 0.2, NULL, &arena, &list);
    if (status == EM_OK)
        status = em_narrow_places(text, find, NULL, &arena, &list);
    mallocs_left = -1;
    return status;
}

static void out_of_memory(void **state)
{
    (void)state;
    random_state r = {9};
    world w = make_world(3000, &r);
    em_slice text = em_slice_make(w.bytes, w.length);
    em_slice finds[] = {em_slice_sub(text, w.starts[30] + 3, w.starts[50]),
                        em_slice_sub(text, w.starts[300] + 2, w.starts[900]), EM_LIT("@@##[[(]")};
    for (size_t i = 0; i < sizeof finds / sizeof *finds; i++) {
        em_status status = EM_E_NOMEM;
        for (long fails_at = 0; status != EM_OK; fails_at++) {
            status = similar_places_with(fails_at, text, finds[i]);
            assert_true(status == EM_OK ? fails_at > 5 : status == EM_E_NOMEM);
        }
    }
    drop_world(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(best_place),           cmocka_unit_test(nothing_near),
        cmocka_unit_test(narrower_places),      cmocka_unit_test(neighbours),
        cmocka_unit_test(lines_decide),         cmocka_unit_test(twins),
        cmocka_unit_test(slips_in_small_texts), cmocka_unit_test(slips_in_large_texts),
        cmocka_unit_test(long_search_texts),    cmocka_unit_test(one_line_without_end),
        cmocka_unit_test(repetitive_texts),     cmocka_unit_test(strange_texts),
        cmocka_unit_test(random_texts),         cmocka_unit_test(a_passed_deadline),
        cmocka_unit_test(out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
