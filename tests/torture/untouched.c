/* untouched.c: the bytes that no edit names stay as they are, whatever they are.
 *
 *   untouched COUNT [SEED]
 *
 * Each case is a file made of chance: bytes that may be no text at all, every line ending, with and
 * without BOM, UTF-8, UTF-16 of both orders; with one or two places that an edit names. What comes
 * out must be what was put together, with only the places changed. There is no model of emend here:
 * the parts of the file are known because they were put together from them. */
#include "base/strbuf.h"
#include "edit/plan.h"
#include "unit/text/random.h"

#include <stdio.h>
#include <stdlib.h>

static const char PLACE[] = "<the place 4711>";

enum { MOST_PIECES = 60, WIDE_LE = 1, WIDE_BE = 2 };

typedef struct sample {
    random_state *r;
    int wide; /* 0: bytes */
    em_strbuf file, expected;
} sample;

static void put(sample *s, em_strbuf *to, const char *ascii)
{
    for (; *ascii; ascii++) {
        if (s->wide == WIDE_BE)
            em_strbuf_putc(to, '\0');
        em_strbuf_putc(to, *ascii);
        if (s->wide == WIDE_LE)
            em_strbuf_putc(to, '\0');
    }
}

static void put_both(sample *s, em_slice bytes)
{
    em_strbuf_add(&s->file, bytes);
    em_strbuf_add(&s->expected, bytes);
}

/* A UTF-16 unit that is no NUL and no half of a pair, or a byte but NUL. */
static void put_any(sample *s)
{
    char high = (char)random_below(s->r, 0xD8), low = (char)(1 + random_below(s->r, 255));
    char wide[2] = {s->wide == WIDE_LE ? low : high, s->wide == WIDE_LE ? high : low};
    put_both(s, s->wide ? em_slice_make(wide, 2) : em_slice_make(&low, 1));
}

static void put_pieces(sample *s)
{
    static const char *const pieces[] = {
        "\n",  "\r\n",          "\r", " ", "\t", "a", "word ", "\n\n", "\"", "\\", "<",
        "the", "<the place 47x"};
    static const char *const utf8[] = {"\xC3\xBC",     "\xE2\x82\xAC", "\xF0\x9F\x99\x82",
                                       "\xEF\xBB\xBF", "\xC3",         "\xED\xA0\x80"};
    for (size_t count = random_below(s->r, MOST_PIECES); count > 0; count--) {
        size_t kind = random_below(s->r, 4);
        const char *piece = RANDOM_OF(s->r, pieces);
        if (kind == 0) {
            put_any(s);
        } else if (kind == 1 && !s->wide) {
            put_both(s, em_slice_of(RANDOM_OF(s->r, utf8)));
        } else {
            put(s, &s->file, piece);
            put(s, &s->expected, piece);
        }
    }
}

static void put_bom(sample *s)
{
    static const char *const wide[] = {"", "\xFF\xFE", "\xFE\xFF"};
    if (s->wide)
        put_both(s, em_slice_of(wide[s->wide]));
    else if (random_below(s->r, 3) == 0)
        put_both(s, em_slice_of("\xEF\xBB\xBF"));
    /* Bytes of chance at the very start could be a BOM. */
    put(s, &s->file, "#");
    put(s, &s->expected, "#");
}

static bool holds(random_state *r, em_arena *arena)
{
    static const char *const inserts[] = {"", "x", "another text", "<the place 4712>", "\t \t"};
    EM_AUTO(em_strbuf) file = {0};
    EM_AUTO(em_strbuf) expected = {0};
    sample s = {.r = r, .wide = (int)random_below(r, 6)};
    s.wide = s.wide > WIDE_BE ? 0 : s.wide;
    const char *insert = RANDOM_OF(r, inserts);
    size_t places = 1 + random_below(r, 2);
    put_bom(&s);
    for (size_t i = 0; i < places; i++) {
        put_pieces(&s);
        put(&s, &s.file, PLACE);
        put(&s, &s.expected, insert);
    }
    put_pieces(&s);
    file = s.file;
    expected = s.expected;

    em_text text;
    em_lines lines;
    em_plan plan;
    em_plan_failure failure = {0};
    em_error err = {0};
    em_splices raw;
    em_slice result;
    em_policy policy = {.order = random_below(r, 2) ? EM_ORIGINAL : EM_SEQUENTIAL};
    em_op op = {.kind = *insert ? EM_OP_REPLACE : EM_OP_DELETE,
                .find = em_slice_of(PLACE),
                .insert = em_slice_of(insert),
                .expect = places};
    em_plan_request request = {{&text, &lines}, &policy, &op, 1};
    em_slice bytes = em_slice_make(file.ptr, file.len);
    return em_text_open(bytes, NULL, arena, &text, &err) == EM_OK &&
           em_lines_init(&text, arena, &lines) == EM_OK &&
           em_plan_make(&request, arena, &plan, &failure, &err) == EM_OK &&
           em_text_splices_to_raw(&text, plan.splices, arena, &raw, &err) == EM_OK &&
           em_splices_apply(bytes, raw, arena, &result) == EM_OK &&
           em_slice_eq(result, em_slice_make(expected.ptr, expected.len));
}

int main(int argc, char **argv)
{
    long count = argc > 1 ? strtol(argv[1], NULL, 10) : 0;
    random_state r = {argc > 2 ? strtoull(argv[2], NULL, 10) : 4711};
    long wrong = 0;
    for (long i = 0; i < count; i++) {
        EM_AUTO(em_arena) arena = {0};
        random_state before = r;
        if (!holds(&r, &arena) && ++wrong <= 10)
            printf("  case %ld, `untouched 1 %llu`: other bytes\n", i,
                   (unsigned long long)before.word);
    }
    printf("untouched: %ld cases, %ld wrong\n", count, wrong);
    return count > 0 && wrong == 0 ? 0 : 1;
}
