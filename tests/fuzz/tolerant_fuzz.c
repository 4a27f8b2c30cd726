/* tolerant_fuzz.c: edits whose search text stands in the file in another writing, or almost.
 *
 * The input is a program: a text made of a few words, a stretch of it that becomes the search text
 * with some words written otherwise, and the same with some words changed that becomes the
 * replacement. Or, where the first byte says so, the three texts as they are.
 */
#include "fuzz.h"
#include "reader.h"
#include "tolerance.h"

#include "base/strbuf.h"

enum { MOST_WORDS = 80, RAW = 0x80, BETWEEN = 0x1E };

const em_slice em_fuzz_seeds[] = {
    SEED("\0\30\1\2\3\4\5\6\7\10\11\12\13\14\15\16\17\20\21\22\23\24\25\26\27\30\2\12\1\2\0\0\3"),
    SEED(
        "\0\40\0\15\1\20\2\16\0\15\3\20\4\16\0\15\1\20\2\16\5\23\6\24\0\31\2\32\1\5\6\1\1\2\2\3\3"),
    SEED("\1\24\1\22\2\22\3\23\4\23\5\44\6\44\7\44\1\22\2\22\0\10\0\0\1\5\0\2"),
    SEED("\2\20\0\52\1\52\2\53\0\52\1\52\2\53\7\54\10\55\0\6\1\1\1\0\2"),
    SEED("\200def f():\n\tx = 1\n\treturn x\n\036    x = 1\n    return x\036    x = 2\n    return "
         "x"),
    SEED("\200a\r\n  b(\"c\")\r\n\0361 | a\n2 |   b('c')\0361 | a\n2 |   b('d')"),
    SEED("\200f( a,  b )\nf( a, b )\n\036f(a, b)\036f(a, b, c)"),
    SEED("\200const response = get(url);\nuse(response);\n\036const reponse = get(url);\n\036"
         "const reponse = get(url, 2);\n"),
    SEED("\200one();\n// "
         "why\ntwo();\nthree();\nfour();\n\036one();\n...\nfour();\036one();\n...\n5();"),
    SEED("\200x = 1\n\036```\nx  = 1\n```\036```\nx = 2\n```"),
    {NULL, 0},
};
const em_slice em_fuzz_words[] = {
    SEED("\036"),     SEED("\n    "),    SEED("\n\t"), SEED("\r\n"), SEED("\r"),
    SEED("  "),       SEED("'"),         SEED("&lt;"), SEED("\\n"),  SEED("\\\""),
    SEED("```\n"),    SEED("\n2 | "),    SEED("..."),  SEED("// "),  SEED("value"),
    SEED("\xC2\xA0"), SEED("e\xCC\x81"), SEED("\xFF"), SEED("\0\1"), SEED("\3\4"),
    SEED("=====\n"),  {NULL, 0},
};

/* Words that stand for each other in some writing stand side by side. */
static const char *const words[] = {
    "value",
    "vlaue",
    "count",
    "counts",
    "foo",
    "bar",
    "baz",
    "x",
    "1",
    "2",
    "(",
    ")",
    "{",
    "}",
    ";",
    ",",
    " ",
    "  ",
    "\t",
    "\xC2\xA0",
    "\n",
    "\r\n",
    "\r",
    "\n\n",
    "\n  ",
    "\n    ",
    "\n\t",
    "\n\t\t",
    "'",
    "\"",
    "\xE2\x80\x9C",
    "\xE2\x80\x9D",
    "<",
    "&lt;",
    "-",
    "\xE2\x80\x94",
    "--",
    "...",
    "\xE2\x80\xA6",
    "\xC3\xA9",
    "e\xCC\x81",
    "\n// note\n",
    "\n/* a */\n",
    "\n...\n",
    "\n```\n",
    "\n7 | ",
    "\n8 | ",
    "\\n",
    "\xE2\x80\x8B",
    "\xFF",
    "=",
    " = ",
};
enum { WORDS = sizeof words / sizeof *words };

/* ---- The program ---------------------------------------------------------------------------- */

typedef struct program {
    unsigned text[MOST_WORDS], find[MOST_WORDS], insert[MOST_WORDS];
    size_t text_count, find_count, insert_count;
} program;

static void add(unsigned *list, size_t *count, unsigned word)
{
    if (*count < MOST_WORDS)
        list[(*count)++] = word % WORDS;
}

/* A copy of `from`, some words of which become their neighbours, vanish or get a companion. */
static void rewrite(reader *r, const unsigned *from, size_t count, unsigned *to, size_t *made)
{
    size_t next_change = next(r) % 16;
    *made = 0;
    for (size_t i = 0; i < count; i++) {
        unsigned word = from[i];
        if (i != next_change) {
            add(to, made, word);
            continue;
        }
        unsigned how = next(r);
        next_change = i + 1 + next(r) % 16;
        if (how % 4 == 0)
            add(to, made, word + 1);
        else if (how % 4 == 1)
            add(to, made, word + (unsigned)WORDS - 1);
        else if (how % 4 == 2)
            add(to, made, word);
        if (how % 4 == 2)
            add(to, made, how / 4);
    }
}

static em_slice spell(const unsigned *list, size_t count, em_arena *arena)
{
    EM_AUTO(em_strbuf) text = {0};
    for (size_t i = 0; i < count; i++)
        em_strbuf_puts(&text, words[list[i]]);
    const char *copy = em_strbuf_finish(&text, arena);
    HOLDS(copy);
    return em_slice_make(copy, text.len);
}

static em_slice run_program(reader *r, em_op *op, em_arena *arena)
{
    program p = {0};
    for (size_t count = next(r) % MOST_WORDS; count > 0; count--)
        add(p.text, &p.text_count, next(r));
    size_t start = p.text_count > 0 ? next(r) % p.text_count : 0;
    size_t length = next(r) % 24;
    if (length > p.text_count - start)
        length = p.text_count - start;
    rewrite(r, p.text + start, length, p.find, &p.find_count);
    rewrite(r, p.find, p.find_count, p.insert, &p.insert_count);
    op->find = spell(p.find, p.find_count, arena);
    op->insert = spell(p.insert, p.insert_count, arena);
    return spell(p.text, p.text_count, arena);
}

/* ---- Texts as they are ---------------------------------------------------------------------- */

static em_slice take_part(em_slice *rest)
{
    const char *end = rest->len > 0 ? memchr(rest->ptr, BETWEEN, rest->len) : NULL;
    size_t length = end ? (size_t)(end - rest->ptr) : rest->len;
    em_slice part = em_slice_sub(*rest, 0, length);
    *rest = em_slice_from(*rest, length + (end != NULL));
    return part;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const em_op_kind kinds[] = {EM_OP_REPLACE, EM_OP_REPLACE,       EM_OP_REPLACE,
                                       EM_OP_DELETE,  EM_OP_INSERT_BEFORE, EM_OP_INSERT_AFTER};
    EM_AUTO(em_arena) arena = {0};
    reader r = {data, size};
    unsigned head = next(&r);
    em_op op = {.kind = kinds[head % 6], .expect = head / 6 % 3 == 0 ? 1 + head / 18 % 2 : 1};
    em_slice file;
    if (head & RAW) {
        em_slice rest = em_slice_make((const char *)r.data, r.left);
        file = take_part(&rest);
        op.find = take_part(&rest);
        op.insert = take_part(&rest);
    } else {
        file = run_program(&r, &op, &arena);
    }
    check_tolerance(file, op);
    return 0;
}
