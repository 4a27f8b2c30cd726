/* Lines that the replacement repeats as the search text has them stay byte for byte what the file
 * has there, whatever slips the search text has and however many of them one line mixes.
 *
 * Files are made of lines that no two are alike, search texts of stretches of them with slips, and
 * replacements of those with one line more, one fewer, one changed, or one in another place. */
#include "laying/laying.h"
#include "match/place_edges.h"
#include "match/tiers.h"

#include "base/strbuf.h"
#include "check_texts.h"
#include "random.h"

#include <stdlib.h>

enum { MOST_LINES = 12, LINE = 200, ROUNDS = 6000 };

typedef struct texts {
    char file[MOST_LINES][LINE]; /* with their line endings */
    char find[MOST_LINES][LINE]; /* of those from `first`, without */
    size_t lines, first, count;
    bool ends; /* the search text has its last line ending */
} texts;

/* ---- Making them ----------------------------------------------------------------------------- */

static const char *const shapes[] = {
    "f@(\"a\", 'b')",        "key@: \"it's so\",",    "if (x@ == \"a\" && y <= 'b') {",
    "# don't do @ - it's b", "\"@\": \"c\",",         "<a@ title=\"x\" alt='y'>t</a>",
    "@ = [1, 2 ,  3]",       "'''Do it @.'''",        "\"\"\"Say it @.\"\"\"",
    "call@ (a,  b);",        "say(\"a @ b\") -- why", "return @",
};

static void make_file(random_state *r, texts *t)
{
    static const char *const indents[] = {"", "  ", "    ", "\t"};
    static const char *const trails[] = {"", "", "", "  ", "\t"};
    bool mixed = random_below(r, 4) == 0;
    size_t number = 10 + random_below(r, 50);
    t->lines = 4 + random_below(r, MOST_LINES - 4);
    for (size_t i = 0; i < t->lines; i++) {
        const char *shape = RANDOM_OF(r, shapes), *at = strchr(shape, '@');
        const char *eol = mixed && random_below(r, 2) == 0 ? "\r\n" : "\n";
        const char *indent = RANDOM_OF(r, indents), *trail = RANDOM_OF(r, trails);
        if (i > 1 && i + 1 < t->lines && random_below(r, 6) == 0) {
            snprintf(t->file[i], LINE, "%s%s", trail, eol);
            continue;
        }
        snprintf(t->file[i], LINE, "%s%.*sn%zu%s%s%s", indent, (int)(at - shape), shape, number + i,
                 at + 1, trail, eol);
    }
}

/* What stands in the caller's text for the `count` bytes at `at`. */
static const char *slip_of(random_state *r, const char *at, size_t *length)
{
    static const char *const quotes[] = {"\"",           "'",     "\xE2\x80\x9C", "\xE2\x80\x9D",
                                         "\xE2\x80\x99", "&quot;"};
    *length = 1;
    if (*at == '"' || *at == '\'')
        return RANDOM_OF(r, quotes);
    if (*at == ' ')
        return "  ";
    if (*at == '<')
        return "&lt;";
    if (*at == '&')
        return "&amp;";
    *length = strncmp(at, "--", 2) == 0 ? 2 : 1;
    return *at == '-' ? "\xE2\x80\x94" : NULL;
}

/* A line of the file as the caller has it. */
static void slip(random_state *r, const char *line, size_t kinds, char *out)
{
    const char *start = line + strspn(line, " \t"), *end = line + strcspn(line, "\r\n");
    while (end > start && strchr(" \t", end[-1]))
        end--;
    EM_AUTO(em_strbuf) text = {0};
    if (*start == '\r' || *start == '\n')
        kinds &= 8;
    em_strbuf_puts(&text, kinds & 1 ? "    " : "");
    if (!(kinds & 2))
        em_strbuf_add(&text, em_slice_make(line, (size_t)(start - line)));
    for (const char *at = start; at < end;) {
        size_t length;
        const char *other = kinds & 4 && random_below(r, 3) == 0 ? slip_of(r, at, &length) : NULL;
        if (other)
            em_strbuf_puts(&text, other);
        else
            em_strbuf_putc(&text, *at);
        at += other ? length : 1;
    }
    em_strbuf_puts(&text, kinds & 8 && random_below(r, 3) == 0 ? "  " : "");
    assert_true(text.len < LINE);
    snprintf(out, LINE, "%.*s", (int)text.len, text.ptr);
}

static bool is_empty(const char *line)
{
    return line[strspn(line, " \t\r\n")] == '\0';
}

/* It begins and ends with a line that says something. */
static void make_find(random_state *r, texts *t)
{
    size_t kinds = random_below(r, 16);
    do {
        t->count = 2 + random_below(r, t->lines - 2);
        t->first = random_below(r, t->lines - t->count + 1);
    } while (is_empty(t->file[t->first]) || is_empty(t->file[t->first + t->count - 1]));
    t->ends = random_below(r, 2) == 0;
    for (size_t i = 0; i < t->count; i++)
        slip(r, t->file[t->first + i], kinds, t->find[i]);
}

/* ---- Edits ----------------------------------------------------------------------------------- */

/* Which lines of the search text the replacement has; one that is none of them is new. */
typedef struct edit {
    size_t lines[MOST_LINES + 1], count;
    size_t swapped; /* this one and the one before it; else EM_NPOS */
} edit;

/* Between two empty lines none is put, since which of them is which cannot be told; nor does one
 * come last. */
static edit make_edit(random_state *r, const texts *t)
{
    edit e = {.count = t->count, .swapped = EM_NPOS};
    size_t at = random_below(r, t->count), kind = random_below(r, 4);
    for (size_t i = 0; i < t->count; i++)
        e.lines[i] = i;
    bool empty = is_empty(t->find[at]), behind_empty = at > 0 && is_empty(t->find[at - 1]);
    if (behind_empty && (empty || at + 1 == t->count))
        return e;
    if (empty || (behind_empty && kind == 3))
        kind = 1;
    if (kind == 0 || (kind == 3 && at == 0)) {
        e.lines[at] = EM_NPOS;
    } else if (kind == 1) {
        memmove(e.lines + at + 1, e.lines + at, (e.count++ - at) * sizeof *e.lines);
        e.lines[at] = EM_NPOS;
    } else if (kind == 2) {
        memmove(e.lines + at, e.lines + at + 1, (--e.count - at) * sizeof *e.lines);
    } else {
        e.lines[at] = at - 1;
        e.lines[at - 1] = at;
        e.swapped = at;
    }
    return e;
}

static em_slice joined(em_strbuf *text, em_arena *arena)
{
    const char *bytes = em_strbuf_finish(text, arena);
    assert_non_null(bytes);
    return em_slice_make(bytes, text->len);
}

static em_slice find_of(const texts *t, em_arena *arena)
{
    EM_AUTO(em_strbuf) text = {0};
    for (size_t i = 0; i < t->count; i++)
        em_strbuf_printf(&text, "%s%s", t->find[i], i + 1 < t->count || t->ends ? "\n" : "");
    return joined(&text, arena);
}

/* A new line that comes first is as deep as the search text's first one. */
static em_slice insert_of(const texts *t, const edit *e, em_arena *arena)
{
    EM_AUTO(em_strbuf) text = {0};
    if (e->lines[0] == EM_NPOS)
        em_strbuf_add(&text, em_slice_make(t->find[0], strspn(t->find[0], " \t")));
    for (size_t i = 0; i < e->count; i++) {
        const char *line = e->lines[i] == EM_NPOS ? "brand new line" : t->find[e->lines[i]];
        em_strbuf_printf(&text, "%s%s", line, i + 1 < e->count || t->ends ? "\n" : "");
    }
    return joined(&text, arena);
}

static em_slice file_of(const texts *t, em_arena *arena)
{
    EM_AUTO(em_strbuf) text = {0};
    for (size_t i = 0; i < t->lines; i++)
        em_strbuf_puts(&text, t->file[i]);
    return joined(&text, arena);
}

/* ---- Laying them ----------------------------------------------------------------------------- */

/* The file with the edit laid in; false where it is refused. */
static bool laid(em_slice file, em_slice find, em_slice insert, em_arena *arena, em_slice *out)
{
    em_occurrences in = {.text = file, .arena = arena};
    em_located located;
    em_slice result;
    bool sound;
    assert_int_equal(em_tiers_locate(&in, find, insert, EM_TIER_FUZZY, NULL, arena, &located),
                     EM_OK);
    if (located.places.count != 1 || !em_located_is_clear(&located, 1))
        return false;
    assert_int_equal(em_adjust_place_edges(file, located.places, arena), EM_OK);
    const em_tolerant_place *place = &located.places.items[0];
    assert_int_equal(em_lay(file, place, EM_EOL_LF, arena, &result, &sound), EM_OK);
    EM_AUTO(em_strbuf) text = {0};
    em_strbuf_add(&text, em_slice_sub(file, 0, place->span.start));
    em_strbuf_add(&text, result);
    em_strbuf_add(&text, em_slice_from(file, place->span.end));
    *out = joined(&text, arena);
    return sound;
}

static em_slice take_line(em_slice *rest)
{
    const char *end = rest->len > 0 ? memchr(rest->ptr, '\n', rest->len) : NULL;
    size_t length = end ? (size_t)(end - rest->ptr) + 1 : rest->len;
    em_slice line = em_slice_sub(*rest, 0, length);
    *rest = em_slice_from(*rest, length);
    return line;
}

static em_slice without_indent(em_slice line)
{
    while (line.len > 0 && strchr(" \t", line.ptr[0]))
        line = em_slice_from(line, 1);
    return line;
}

/* Is line i of the replacement, which is one of the file's, that? The indentation and the ending of
 * one that moved are those of the place where it comes to stand; and a search text without its last
 * line ending leaves that to whatever line comes before it then. */
static bool is_same(const texts *t, const edit *e, size_t i, em_slice line)
{
    em_slice wanted = em_slice_of(t->file[t->first + e->lines[i]]);
    bool moved = e->swapped == i || e->swapped == i + 1;
    if (moved || (!t->ends && i + 1 == e->count)) {
        line = em_without_last_eol(line);
        wanted = em_without_last_eol(wanted);
    }
    return moved ? em_slice_eq(without_indent(line), without_indent(wanted))
                 : em_slice_eq(line, wanted);
}

static bool is_as_wanted(const texts *t, const edit *e, em_slice result)
{
    bool same = true;
    for (size_t i = 0; i < t->first; i++)
        same &= em_slice_is(take_line(&result), t->file[i]);
    for (size_t i = 0; i < e->count; i++) {
        em_slice line = take_line(&result);
        same &= e->lines[i] == EM_NPOS || is_same(t, e, i, line);
    }
    for (size_t i = t->first + t->count; i < t->lines; i++)
        same &= em_slice_is(take_line(&result), t->file[i]);
    return same && result.len == 0;
}

/* Refused are new lines between others of which the search text does not tell that they are not as
 * deep as each other. */
static void repeated_lines_stay_to_the_byte(void **state)
{
    (void)state;
    random_state r = {11};
    size_t made = 0;
    for (size_t round = 0; round < ROUNDS; round++) {
        EM_AUTO(em_arena) arena = {0};
        texts t = {0};
        make_file(&r, &t);
        make_find(&r, &t);
        edit e = make_edit(&r, &t);
        em_slice file = file_of(&t, &arena), find = find_of(&t, &arena),
                 insert = insert_of(&t, &e, &arena), result;
        if (!laid(file, find, insert, &arena, &result))
            continue;
        made++;
        if (is_as_wanted(&t, &e, result))
            continue;
        print_error("round %zu: of\n%.*s--- find\n%.*s\n--- insert\n%.*s\n--- got\n%.*s", round,
                    (int)file.len, file.ptr, (int)find.len, find.ptr, (int)insert.len, insert.ptr,
                    (int)result.len, result.ptr);
        fail();
    }
    assert_true(made > ROUNDS * 4 / 5);
}

#define COMMENT "// This is what the second does,\n// and how.\n"
#define SECOND "int second(int x,\n           int y);\n"

/* What the search text lacks, and the replacement has as the file has it. */
static void missing_lines_come_once(void **state)
{
    (void)state;
    static const struct {
        const char *what, *file, *find, *insert, *want; /* NULL: it is refused */
    } cases[] = {
        {"several", "int first(int x);\n" COMMENT SECOND, "int first(int x);\n" SECOND,
         "int first(long x);\n" COMMENT SECOND, "int first(long x);\n" COMMENT SECOND},
        {"and their other neighbour is new", "int first(int x);\n" COMMENT SECOND,
         "int first(int x);\n" SECOND, "int first(int x);\n" COMMENT "void other(void);\n",
         "int first(int x);\n" COMMENT "void other(void);\n"},
        {"one, and the indentation was lost",
         "{\n    first(alpha);\n    // a comment\n    second(beta);\n}\n",
         "first(alpha);\nsecond(beta);", "first(alpha);\n// a comment\nother(beta);",
         "{\n    first(alpha);\n    // a comment\n    other(beta);\n}\n"},
        {"behind new lines", "first();\n\n// second\nsecond();\n", "first();\n\nsecond();\n",
         "first();\n\nnew = 1\n\n// second\nsecond();\n",
         "first();\n\nnew = 1\n\n// second\nsecond();\n"},
        {"before them, less deep", "{\n    first();\n    // c\n    second();\n}\n",
         "first();\nsecond();\n", "first();\n// c\nif (new) {\n    second();\n}\n",
         "{\n    first();\n    // c\n    if (new) {\n        second();\n    }\n}\n"},
        {"between them", "first();\n// c\nsecond();\n", "first();\nsecond();\n",
         "first();\na = 1;\n// c\nb = 2;\nsecond();\n",
         "first();\na = 1;\n// c\nb = 2;\nsecond();\n"},
        {"one of two", "first();\n// c\n\n// d\nsecond();\n", "first();\nsecond();\n",
         "first();\na = 1;\n// d\nsecond();\n", "first();\na = 1;\n// c\n\n// d\nsecond();\n"},
        {"all but their empty line", "first();\n\n// c\nsecond();\n", "first();\nsecond();\n",
         "first();\n// c\na = 1;\nsecond();\n", "first();\n\n// c\na = 1;\nsecond();\n"},
        {"and an empty line more", "first();\n// c\nsecond();\n", "first();\nsecond();\n",
         "first();\n\n// c\na = 1;\nsecond();\n", "first();\n\n// c\na = 1;\nsecond();\n"},
        {"without the empty line that goes", "first();\n\n// c\nsecond();\n",
         "first();\n\nsecond();\n", "first();\n// c\na = 1;\nsecond();\n",
         "first();\n// c\na = 1;\nsecond();\n"},
        {"signs alone, apart from the change", "}\n\n/**\n * Ends it.\n */\nend();\nlast();\n",
         "}\n\n * Ends it.\n */\nend();\n", "}\n\n/**\n * Ends it.\n */\nstop();\n",
         "}\n\n/**\n * Ends it.\n */\nstop();\nlast();\n"},
        {"in a text with CRs", "first();\r\n// c\r\nsecond();\r\n", "first();\r\nsecond();\r\n",
         "first();\r\na = 1;\r\n// c\r\nsecond();\r\n",
         "first();\r\na = 1;\r\n// c\r\nsecond();\r\n"},
        {"an empty line above new ones", "}\n\n#[test]\nfn reset() {\n",
         "}\n#[test]\nfn reset() {\n", "}\n\n#[cfg(x)]\n#[test]\nfn reset() {\n",
         "}\n\n#[cfg(x)]\n#[test]\nfn reset() {\n"},
        {"and below them", "import a\n\nimport c\n", "import a\nimport c\n",
         "import a\nimport b\n\nimport c\n", "import a\nimport b\n\nimport c\n"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        EM_AUTO(em_arena) arena = {0};
        em_slice result;
        bool made = laid(em_slice_of(cases[i].file), em_slice_of(cases[i].find),
                         em_slice_of(cases[i].insert), &arena, &result);
        if (made || cases[i].want)
            check_bytes(cases[i].what, made ? result : EM_LIT("a refusal"),
                        cases[i].want ? em_slice_of(cases[i].want) : EM_LIT("a refusal"));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(missing_lines_come_once),
        cmocka_unit_test(repeated_lines_stay_to_the_byte),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
