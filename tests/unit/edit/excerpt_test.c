#include "edit/excerpt.h"

#include "base/strbuf.h"

#include "planned.h"
#include "random.h"
#include "sanitized.h"
#include "scarce_arena.h"

#include <stdlib.h>

/* ---- Texts -------------------------------------------------------------------------------------
 *
 * Made of few words, so that pieces stand at several places, and of numbers, so that most lines do
 * not. What is searched is a stretch of the text that was written otherwise.
 */

enum { MOST_OPS = 24, MOST_LINES = 10 };

static const char *const words[] = {"value", "count",  "table",   "offset", "limit",
                                    "entry", "while",  "return",  "if",     "else",
                                    "x",     "settle", "account", "n",      "ledger"};
static const char *const signs[] = {
    " = ",      "(",    ")",      ", ",    " + ",      ";",         " ",
    "  ",       "\t",   " - ",    "->",    " { ",      " }",        " < ",
    "\"",       "'",    "&",      ".",     "...",      "--",        "\xE2\x80\x94",
    "\xC2\xA0", "&lt;", "&nbsp;", "&amp;", "\xC3\xA9", "e\xCC\x81", "\xE2\x80\x9C"};
static const char *const plain_signs[] = {" = ", "(", ")", ", ", " + ", ";", " ", "->"};
static const char *const indents[] = {"", "    ", "        ", "\t", "  ", "\t\t"};

/* How a text is made. */
typedef struct kind {
    size_t lines, ops;
    const char *eol;
    bool plain;     /* without the rarer signs, */
    bool telling;   /* and with a number in each line */
    bool is_ragged; /* empty lines, and long gaps */
} kind;

static void add_text(em_strbuf *out, const char *text)
{
    em_strbuf_add(out, em_slice_of(text));
}

static void add_word(random_state *r, em_strbuf *out, bool telling)
{
    add_text(out, RANDOM_OF(r, words));
    if (telling || random_below(r, 3) == 0)
        em_strbuf_printf(out, "_%zu", random_below(r, telling ? 100000 : 50));
}

static void add_line(random_state *r, const kind *k, em_strbuf *out)
{
    size_t count = 1 + random_below(r, 6);
    if (k->is_ragged && random_below(r, 6) == 0) {
        for (size_t i = random_below(r, 8) == 0 ? 300 : random_below(r, 3) + 1; i > 0; i--)
            add_text(out, k->eol);
        return;
    }
    add_text(out, RANDOM_OF(r, indents));
    if (random_below(r, 20) == 0)
        add_text(out, "// ");
    for (size_t i = 0; i < count; i++) {
        add_word(r, out, k->telling && i == 0);
        add_text(out, k->plain ? RANDOM_OF(r, plain_signs) : RANDOM_OF(r, signs));
    }
    if (k->is_ragged && random_below(r, 30) == 0)
        for (size_t i = 0; i < 700; i++)
            add_text(out, " ");
    add_text(out, k->eol);
}

static em_slice finished(em_strbuf *out, em_arena *arena)
{
    char *bytes = em_strbuf_finish(out, arena);
    em_slice text = em_slice_make(bytes, out->len);
    assert_non_null(bytes);
    em_strbuf_drop(out);
    return text;
}

static em_slice some_lines(random_state *r, const kind *k, size_t count, em_arena *arena)
{
    em_strbuf out = {0};
    for (size_t i = 0; i < count; i++)
        add_line(r, k, &out);
    return finished(&out, arena);
}

/* A stretch of whole lines, or nearly, of `text`. */
static em_slice stretch_of(random_state *r, em_slice text)
{
    size_t start = random_below(r, text.len + 1), end;
    while (start > 0 && text.ptr[start - 1] != '\n')
        start--;
    end = start;
    for (size_t i = 1 + random_below(r, MOST_LINES); i > 0 && end < text.len; i--)
        while (end < text.len && text.ptr[end++] != '\n')
            continue;
    if (random_below(r, 3) == 0 && end > start)
        end--;
    if (random_below(r, 6) == 0)
        while (start < end && (text.ptr[start] == ' ' || text.ptr[start] == '\t'))
            start++;
    return em_slice_sub(text, start, end);
}

static em_slice replaced(em_slice text, const char *old, const char *new, em_arena *arena)
{
    em_strbuf out = {0};
    for (size_t at = 0; at < text.len;) {
        bool here = em_slice_starts(em_slice_from(text, at), em_slice_of(old));
        em_strbuf_add(&out, here ? em_slice_of(new) : em_slice_sub(text, at, at + 1));
        at += here ? strlen(old) : 1;
    }
    return finished(&out, arena);
}

/* The lines with something before each, numbered where that is "%zu". */
static em_slice prefixed(em_slice text, const char *format, size_t first, em_arena *arena)
{
    em_strbuf out = {0};
    bool begins = true;
    for (size_t at = 0; at < text.len; at++) {
        if (begins && strchr(format, '%'))
            em_strbuf_printf(&out, "%zu | ", first++);
        else if (begins)
            add_text(&out, format);
        em_strbuf_putc(&out, text.ptr[at]);
        begins = text.ptr[at] == '\n';
    }
    return finished(&out, arena);
}

/* The texts of an op in another writing, both alike. */
static void rewrite(random_state *r, em_op *op, em_arena *arena)
{
    static const char *const pairs[][2] = {{"    ", "\t"},
                                           {"\t", "    "},
                                           {" ", "  "},
                                           {"\"", "'"},
                                           {"(", "( "},
                                           {"\n", " \n"},
                                           {"<", "&lt;"},
                                           {"&lt;", "<"},
                                           {"--", "\xE2\x80\x94"},
                                           {"\n", "\n\n"},
                                           {"\r\n", "\n"},
                                           {"\n", "\\n"},
                                           {"e\xCC\x81", "\xC3\xA9"},
                                           {" ", "\xC2\xA0"},
                                           {"\"", "\\\""},
                                           {"table", "tabel"},
                                           {"  ", ""}};
    size_t way = random_below(r, COUNT_OF(pairs) + 4), first = 1 + random_below(r, 2000);
    if (way < COUNT_OF(pairs)) {
        op->find = replaced(op->find, pairs[way][0], pairs[way][1], arena);
        if (random_below(r, 6) > 0)
            op->insert = replaced(op->insert, pairs[way][0], pairs[way][1], arena);
    } else if (way == COUNT_OF(pairs)) {
        op->find = prefixed(op->find, "%zu", first, arena);
        op->insert = prefixed(op->insert, "%zu", first, arena);
    } else if (way == COUNT_OF(pairs) + 1) {
        op->find = prefixed(op->find, "  ", 0, arena);
        if (random_below(r, 2) == 0)
            op->insert = prefixed(op->insert, "  ", 0, arena);
    }
}

/* A replacement that has most of the search text. */
static em_slice changed(random_state *r, const kind *k, em_slice find, em_arena *arena)
{
    em_strbuf out = {0};
    size_t at = find.len > 0 ? random_below(r, find.len) : 0, way = random_below(r, 6);
    while (at > 0 && find.ptr[at - 1] != '\n')
        at--;
    em_strbuf_add(&out, em_slice_sub(find, 0, at));
    em_slice rest = em_slice_from(find, at);
    if (way < 3)
        add_line(r, k, &out);
    if (way == 3)
        add_word(r, &out, true);
    if (way == 4)
        rest = replaced(rest, "value", "worth", arena);
    if (way == 5)
        while (rest.len > 0 && rest.ptr[0] != '\n')
            rest = em_slice_from(rest, 1);
    em_strbuf_add(&out, rest);
    return finished(&out, arena);
}

static em_op some_op(random_state *r, const kind *k, em_slice text, const em_op *before,
                     size_t count, em_arena *arena)
{
    em_op op = {.kind = EM_OP_REPLACE, .expect = random_below(r, 8) > 0};
    const em_op *other = count > 0 ? &before[random_below(r, count)] : NULL;
    size_t way = random_below(r, 16);
    op.find = stretch_of(r, other && way == 0 && other->insert.len > 0 ? other->insert : text);
    op.insert = changed(r, k, op.find, arena);
    if (way == 1)
        op.kind = random_below(r, 2) ? EM_OP_INSERT_BEFORE : EM_OP_INSERT_AFTER;
    if (way == 2)
        op.kind = EM_OP_DELETE;
    if (way == 3)
        op.insert = stretch_of(r, text);
    if (other && way == 4)
        op.find = other->find;
    if (random_below(r, 8) > 0)
        rewrite(r, &op, arena);
    return op;
}

/* ---- Comparing ------------------------------------------------------------------------------- */

/* Ops that are refused are left out, so that those behind them have their turns. */
static void one_round(random_state *r, const kind *k, em_order order)
{
    EM_AUTO(em_arena) arena = {0};
    em_op ops[MOST_OPS];
    em_policy policy = {.order = order,
                        .extent = EM_AS_FAR_AS_OK,
                        .allow_no_change = random_below(r, 2),
                        .allow_placeholders = true,
                        .most = random_below(r, 4) ? EM_TIER_FUZZY : EM_TIER_WHITESPACE};
    if (order == EM_ORIGINAL)
        policy.extent = EM_ALL_OR_NONE;
    em_slice text = some_lines(r, k, k->lines, &arena);
    for (size_t i = 0; i < k->ops; i++)
        ops[i] = some_op(r, k, text, ops, i, &arena);
    for (size_t count = k->ops; count > 0;) {
        outcome shared = planned(text, ops, count, policy, EM_PASSES_ALWAYS, &arena);
        outcome alone = planned(text, ops, count, policy, EM_PASSES_NEVER, &arena);
        same_outcomes(&shared, &alone);
        if (shared.status == EM_OK || shared.err.edit < 0)
            return;
        size_t at = (size_t)shared.err.edit;
        memmove(&ops[at], &ops[at + 1], (--count - at) * sizeof *ops);
    }
}

static void it_comes_to_the_same(void **state)
{
    (void)state;
    static const struct {
        kind k;
        size_t rounds;
    } rounds[] = {
        {{12, 6, "\n", true, false, false}, 200},  {{40, 12, "\n", true, true, false}, 150},
        {{40, 12, "\n", false, true, true}, 150},  {{60, 12, "\r\n", false, true, false}, 60},
        {{600, 16, "\n", true, false, false}, 10}, {{2000, 16, "\n", true, true, false}, 4},
        {{3000, 16, "\n", false, true, true}, 3},  {{6000, MOST_OPS, "\n", true, true, false}, 1},
    };
    random_state r = {20261123};
    for (size_t i = 0; i < COUNT_OF(rounds); i++)
        for (size_t round = 0; round < rounds[i].rounds; round += CASE_STRIDE)
            one_round(&r, &rounds[i].k, round % 4 == 3 ? EM_ORIGINAL : EM_SEQUENTIAL);
}

/* ---- Where it is used ------------------------------------------------------------------------ */

enum { LONG = 3 << 20 };

/* One op that is looked for by its probes alone. */
typedef struct looked_up {
    bool done;
    em_tier tier;
    size_t end; /* of its place */
    em_slice *inserts;
} looked_up;

static looked_up look_in_excerpt(em_slice body, em_op op, em_arena *arena)
{
    EM_AUTO(em_draft) draft;
    em_policy policy = {.most = EM_TIER_FUZZY};
    em_plan_failure failure = {0};
    em_text text;
    em_lines lines;
    looked_up n;
    assert_int_equal(em_text_open(body, NULL, arena, &text, NULL), EM_OK);
    assert_int_equal(em_lines_init(&text, arena, &lines), EM_OK);
    assert_int_equal(em_draft_init(&draft, text.body, text.start), EM_OK);
    em_planner p = {.ops = &op, .op_count = 1, .arena = arena, .failure = &failure};
    assert_int_equal(em_match_index_new(&draft, &op, 1, true, &p.match_index), EM_OK);
    em_match_index_set_worth(p.match_index, 0);
    em_toleration t = {
        .original = &text, .lines = &lines, .draft = &draft, .policy = &policy, .op = &op};
    assert_int_equal(em_tolerate_in_excerpt(&p, &t, &n.done), EM_OK);
    n.tier = p.located.tier;
    n.end = n.done ? p.located.places.items[0].span.end : 0;
    n.inserts = p.laid;
    em_match_index_free(p.match_index);
    em_arena_drop(&p.turn);
    return n;
}

static em_op replace(const char *find, const char *insert)
{
    return (em_op){.kind = EM_OP_REPLACE,
                   .find = em_slice_of(find),
                   .insert = em_slice_of(insert),
                   .expect = 1};
}

static em_slice with_filler(const char *before, const char *filler, size_t times,
                            const char *behind, em_arena *arena)
{
    em_strbuf out = {0};
    add_text(&out, before);
    for (size_t i = 0; i < times; i++)
        add_text(&out, filler);
    add_text(&out, behind);
    return finished(&out, arena);
}

#define PLACE "    settle_the_account(ledger,  offset);\n"
static const char FIND[] = "settle_the_account(ledger, offset);\n";
static const char INSERT[] = "settle_the_account(ledger, limit);\n";

static void a_place_is_found_and_laid_onto(void **state)
{
    (void)state;
    EM_AUTO(em_arena) arena = {0};
    em_slice body = with_filler("one = two;\n", "three(four);\n", 10000, PLACE, &arena);
    looked_up n = look_in_excerpt(body, replace(FIND, INSERT), &arena);
    assert_true(n.done);
    assert_int_equal(n.tier, EM_TIER_WHITESPACE);
    assert_int_equal(n.end, body.len);
    check_bytes("laid", n.inserts[0], EM_LIT("settle_the_account(ledger,  limit);\n"));
}

/* Where the piece that is rarest stands at several places, the excerpt has gaps. */
static void a_place_is_one_of_several_of_a_probe(void **state)
{
    (void)state;
    EM_AUTO(em_arena) arena = {0};
    em_slice body =
        with_filler("settle_the_account(offset);\n", "three(four);\n", 10000, PLACE, &arena);
    looked_up n = look_in_excerpt(body, replace(FIND, INSERT), &arena);
    assert_true(n.done);
    assert_int_equal(n.end, body.len);
}

static void all_else_is_left_to_others(void **state)
{
    (void)state;
    EM_AUTO(em_arena) arena = {0};
    em_op op = replace(FIND, INSERT), twice = op;
    em_slice body = with_filler(PLACE, "three(four);\n", 100, PLACE, &arena);
    assert_false(look_in_excerpt(body, op, &arena).done);
    twice.expect = 2;
    assert_false(look_in_excerpt(body, twice, &arena).done);
    body = with_filler("", "three(four);\n", 100, "settle(ledger,  offset);\n", &arena);
    assert_false(look_in_excerpt(body, op, &arena).done);
    assert_true(look_in_excerpt(EM_LIT(PLACE), op, &arena).done);
    assert_false(look_in_excerpt(EM_LIT("settle_the_account(ledger,  limit);\n"), op, &arena).done);
}

/* What is around a place cannot be told from a line of megabytes, nor from none. */
static void the_surroundings_may_be_too_large(void **state)
{
    (void)state;
    EM_AUTO(em_arena) arena = {0};
    em_op op = replace(FIND, INSERT);
    em_slice body = with_filler(PLACE, "n", LONG, "\nlast\n", &arena);
    assert_false(look_in_excerpt(body, op, &arena).done);
    body = with_filler(PLACE, "n + ", LONG / 4, "\nlast\n", &arena); /* with tokens enough */
    assert_false(look_in_excerpt(body, op, &arena).done);
    body = with_filler(PLACE, " \n", LONG, "last\n", &arena);
    assert_false(look_in_excerpt(body, op, &arena).done);
    body = with_filler("first\n", " \n", LONG, PLACE, &arena);
    assert_false(look_in_excerpt(body, op, &arena).done);
    body = with_filler(PLACE, "\n", 5000, "last\n", &arena);
    assert_false(look_in_excerpt(body, op, &arena).done);
    body = with_filler(PLACE, "\n", 500, "last\n", &arena);
    assert_true(look_in_excerpt(body, op, &arena).done);
}

/* ---- Memory ---------------------------------------------------------------------------------- */

static em_status plan_scarcely(em_arena *arena, const void *context)
{
    const em_op *ops = context;
    em_policy policy = {.most = EM_TIER_FUZZY, .passes = EM_PASSES_ALWAYS};
    em_text text = {.encoding = EM_UTF8,
                    .body = EM_LIT("settle_the_account(offset);\n" PLACE "close(the_account,  1)")};
    em_lines lines;
    em_plan plan;
    em_plan_failure failure;
    EM_TRY(em_lines_init(&text, arena, &lines));
    em_plan_request request = {{&text, &lines}, &policy, ops, 2};
    return em_plan_make(&request, arena, &plan, &failure, NULL);
}

static void want_of_memory_is_told(void **state)
{
    (void)state;
    em_op ops[] = {replace(FIND, INSERT), replace("close(the_account, 1)", "open(the_account, 2)")};
    check_scarce("two ops", plan_scarcely, ops);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_comes_to_the_same),
        cmocka_unit_test(a_place_is_found_and_laid_onto),
        cmocka_unit_test(a_place_is_one_of_several_of_a_probe),
        cmocka_unit_test(all_else_is_left_to_others),
        cmocka_unit_test(the_surroundings_may_be_too_large),
        cmocka_unit_test(want_of_memory_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
