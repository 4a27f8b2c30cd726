#include "edit/match_index.h"

#include "draft/locate.h"

#include "check_texts.h"

#include "failing_malloc.h"
#include "random.h"
#include "sanitized.h"

#include <stdlib.h>

enum { MOST_TEXT = 400, MOST_OPS = 40, MOST_GROWTH = 2000 };

static size_t fill(random_state *r, const char *letters, char *out, size_t length)
{
    for (size_t i = 0; i < length; i++)
        out[i] = letters[random_below(r, strlen(letters))];
    return length;
}

/* A text that stands somewhere in the draft, or any. */
static em_slice some_text(random_state *r, const em_draft *draft, const char *letters,
                          size_t longest, em_arena *arena)
{
    char *text = em_alloc(arena, longest);
    size_t length = 1 + random_below(r, longest);
    assert_non_null(text);
    if (random_below(r, 3) > 0 && draft->length >= length) {
        em_slice there;
        size_t at = random_below(r, draft->length - length + 1);
        assert_int_equal(em_draft_slice(draft, (em_span){at, at + length}, arena, &there), EM_OK);
        memcpy(text, there.ptr, length);
        return em_slice_make(text, length);
    }
    return em_slice_make(text, fill(r, letters, text, length));
}

static void check_same(const em_spans *found, const em_spans *want)
{
    assert_int_equal(found->count, want->count);
    for (size_t i = 0; i < want->count; i++) {
        assert_int_equal(found->items[i].start, want->items[i].start);
        assert_int_equal(found->items[i].end, want->items[i].end);
    }
}

/* A piece of a probe stands where it is said to, and nowhere else. */
static void check_occurrences(const em_piece_occurrences *s, em_slice text)
{
    size_t count = 0;
    assert_true(s->all);
    for (size_t at = 0; at + s->piece.len <= text.len; at++) {
        if (!em_slice_starts(em_slice_from(text, at), s->piece))
            continue;
        assert_true(count < s->count);
        assert_int_equal(s->at[count++], at);
    }
    assert_int_equal(count, s->count);
}

static void check_probes(em_match_index *w, size_t op, const em_draft *draft, em_arena *arena)
{
    const em_probes *probes;
    em_piece_occurrences *first;
    em_slice text;
    assert_int_equal(em_match_index_probes(w, op, arena, &probes, &first), EM_OK);
    assert_int_equal(em_draft_text(draft, arena, &text), EM_OK);
    for (const em_piece_occurrences *s = first; s; s = s->next)
        check_occurrences(s, text);
    em_match_index_fell_short(w);
}

/* Splices at some of the places that were found, or, where nothing was, at random. */
static em_splices some_splices(random_state *r, const em_draft *draft, const em_spans *found,
                               const em_op *op, em_arena *arena)
{
    em_splice *splices = em_alloc_array(arena, found->count + 1, sizeof *splices);
    size_t count = 0;
    assert_non_null(splices);
    if (found->count == 0 || random_below(r, 8) == 0) {
        size_t at = random_below(r, draft->length + 1);
        splices[0] = (em_splice){at, random_below(r, draft->length - at + 1) % 9, op->insert};
        return (em_splices){splices, 1};
    }
    bool all = random_below(r, 2) == 0 && draft->length < MOST_GROWTH;
    for (size_t i = 0; i < found->count; i++) {
        em_span span = found->items[i];
        if (count > 0 && !all)
            break;
        if (op->kind == EM_OP_INSERT_AFTER)
            span.start = span.end;
        splices[count++] = (em_splice){span.start, span.end - span.start, op->insert};
    }
    return (em_splices){splices, count};
}

/* How a round is. */
typedef struct kind {
    const char *letters;
    size_t longest_find, longest_insert;
    size_t longest_text, ops, worth, rounds;
} kind;

/* Mostly all of the draft, else a part that cuts no CRLF. */
static em_span some_part(random_state *r, const em_draft *draft)
{
    size_t ends[2];
    if (random_below(r, 3) > 0)
        return (em_span){0, draft->length};
    for (size_t i = 0; i < 2; i++) {
        size_t at = random_below(r, draft->length + 1);
        ends[i] = at > 0 && em_draft_byte(draft, at - 1) == '\r' ? at - 1 : at;
    }
    return ends[0] < ends[1] ? (em_span){ends[0], ends[1]} : (em_span){ends[1], ends[0]};
}

/* It need not be told how often a text stands there, but not more often than is told; and often it
 * is told that it stands nowhere. */
static size_t told_nowhere;
static void check_most_places(const em_match_index *w, size_t op, em_slice find,
                              const em_draft *draft, em_arena *arena)
{
    em_found all = {.most = SIZE_MAX};
    size_t most = em_match_index_most_places(w, op);
    told_nowhere += most == 0;
    assert_int_equal(em_locate_in(draft, (em_span){0, draft->length}, find, true, arena, &all),
                     EM_OK);
    assert_true(all.total <= most);
}

static void one_round(random_state *r, const kind *k)
{
    EM_AUTO(em_arena) arena = {0};
    EM_AUTO(em_draft) draft;
    em_op ops[MOST_OPS];
    char *body = em_alloc(&arena, k->longest_text + 1);
    assert_non_null(body);
    size_t length = fill(r, k->letters, body, random_below(r, k->longest_text + 1));
    em_slice text = {body, length};
    assert_int_equal(em_draft_init_chunks(&draft, text, 0, 2 + random_below(r, 5)), EM_OK);
    for (size_t i = 0; i < k->ops; i++) {
        char *insert = em_alloc(&arena, k->longest_insert + 1);
        assert_non_null(insert);
        size_t insert_length = random_below(r, k->longest_insert + 1);
        ops[i] = (em_op){.kind = random_below(r, 3) ? EM_OP_REPLACE : EM_OP_INSERT_AFTER,
                         .find = some_text(r, &draft, k->letters, k->longest_find, &arena),
                         .insert = {insert, fill(r, k->letters, insert, insert_length)}};
        if (i > 0 && random_below(r, 3) == 0)
            ops[i].find = ops[random_below(r, i)].find;
        if (i > 0 && random_below(r, 4) == 0 && ops[i - 1].insert.len > 0)
            ops[i].find = ops[i - 1].insert;
    }
    em_match_index *w;
    assert_int_equal(em_match_index_new(&draft, ops, k->ops, true, &w), EM_OK);
    em_match_index_set_worth(w, k->worth);
    for (size_t i = 0; i < k->ops; i++) {
        em_found found = {.most = SIZE_MAX}, want = found;
        em_span part = some_part(r, &draft);
        check_most_places(w, i, ops[i].find, &draft, &arena);
        assert_int_equal(em_match_index_locate(w, i, part, &arena, &found), EM_OK);
        assert_int_equal(em_locate_in(&draft, part, ops[i].find, true, &arena, &want), EM_OK);
        check_same(&found.spans, &want.spans);
        if (found.total == 0)
            check_probes(w, i, &draft, &arena);
        em_splices splices = some_splices(r, &draft, &found.spans, &ops[i], &arena);
        assert_int_equal(em_match_index_apply(w, i, splices), EM_OK);
    }
    em_match_index_free(w);
}

/* What is noted and kept true is what a search of the moment finds. */
static void it_knows_what_a_search_finds(void **state)
{
    (void)state;
    static const kind kinds[] = {
        {"ab", 4, 5, 60, 12, 0, 1500},
        {"a", 5, 6, 40, 12, 0, 300},
        {"ab\n\r", 5, 6, 60, 16, 0, 2000},
        {"abcdefgh \n", 24, 30, 300, MOST_OPS, 0, 300},
        {"abcdefgh\r\n", 24, 30, 300, MOST_OPS, 1000, 300},
        {"abcd", 12, 3000, 400, 20, 0, 100}, /* inserts of several pieces */
        {"ab", 9, 300, 400, 20, 0, 100},
        {"abcdefghij", 40, 9, 400, 20, 0, 300}, /* pieces that are looked for at first */
        {"ab", 30, 40, 400, 20, 0, 100},
        {"abc", 6000, 30, 20000, 10, 0, 20}, /* texts that are too long to look around for */
    };
    random_state r = {20261122};
    for (size_t i = 0; i < COUNT_OF(kinds); i++)
        for (size_t round = 0; round < kinds[i].rounds; round += CASE_STRIDE)
            one_round(&r, &kinds[i]);
    assert_true(told_nowhere > 100);
}

/* ---- Many places ---------------------------------------------------------------------------- */

/* `count` ops with the texts "k0.", "k1.", ..., or all with the same. */
static em_op *numbered_ops(size_t count, bool same, em_arena *arena)
{
    em_op *ops = em_alloc_array(arena, count, sizeof *ops);
    assert_non_null(ops);
    for (size_t i = 0; i < count; i++) {
        char *find = em_arena_format(arena, "k%zu.", same ? 0 : i);
        char *insert = em_arena_format(arena, "k%zu.", same ? 0 : i + 1);
        assert_true(find && insert);
        ops[i] = (em_op){.find = em_slice_of(find), .insert = em_slice_of(insert)};
    }
    return ops;
}

static void run_all(em_slice text, const em_op *ops, size_t count, size_t want)
{
    EM_AUTO(em_arena) arena = {0};
    EM_AUTO(em_draft) draft;
    em_match_index *w;
    assert_int_equal(em_draft_init(&draft, text, 0), EM_OK);
    assert_int_equal(em_match_index_new(&draft, ops, count, false, &w), EM_OK);
    for (size_t i = 0; i < count; i++) {
        EM_AUTO(em_arena) scratch = {0};
        em_found found = {.most = SIZE_MAX};
        assert_int_equal(em_match_index_locate(w, i, (em_span){0, draft.length}, &arena, &found),
                         EM_OK);
        assert_int_equal(found.total, want);
        em_splice *splices = em_alloc_array(&scratch, want, sizeof *splices);
        assert_non_null(splices);
        for (size_t k = 0; k < want; k++)
            splices[k] =
                (em_splice){found.spans.items[k].start,
                            found.spans.items[k].end - found.spans.items[k].start, ops[i].insert};
        assert_int_equal(em_match_index_apply(w, i, (em_splices){splices, want}), EM_OK);
    }
    em_match_index_free(w);
}

/* Each text stands only in what the op before put there. */
static void a_long_chain(void **state)
{
    (void)state;
    enum { LENGTH = 100000, OPS = 3000 };
    EM_AUTO(em_arena) arena = {0};
    char *text = em_alloc(&arena, LENGTH);
    assert_non_null(text);
    memset(text, '-', LENGTH);
    memcpy(text + LENGTH / 2, "k0.", 3);
    run_all(em_slice_make(text, LENGTH), numbered_ops(OPS, false, &arena), OPS, 1);
    run_all(em_slice_make(text, LENGTH), numbered_ops(OPS, true, &arena), OPS, 1);
}

/* A text with very many places is not listed, and found all the same; so are those for which there
 * is no room, and those that come after a change of very many places. */
static void very_many_places(void **state)
{
    (void)state;
    enum { TIMES = 30000, OPS = 12 };
    EM_AUTO(em_arena) arena = {0};
    char *text = em_alloc(&arena, 3 * TIMES);
    assert_non_null(text);
    for (size_t i = 0; i < TIMES; i++)
        memcpy(text + 3 * i, "k0.", 3);
    run_all(em_slice_make(text, 3 * TIMES), numbered_ops(OPS, false, &arena), OPS, TIMES);
    run_all(em_slice_make(text, 3 * TIMES), numbered_ops(OPS, true, &arena), OPS, TIMES);
}

/* All ops together have more places than are listed at once. */
static void more_places_than_there_is_room_for(void **state)
{
    (void)state;
    enum { TIMES = 900, OPS = 260, LONGEST = 8 };
    EM_AUTO(em_arena) arena = {0};
    em_op *ops = numbered_ops(OPS, false, &arena);
    char *text = em_alloc(&arena, TIMES * OPS * LONGEST);
    size_t length = 0;
    assert_non_null(text);
    for (size_t i = 0; i < OPS; i++) {
        ops[i].insert = EM_LIT("");
        for (size_t k = 0; k < TIMES; k++) {
            memcpy(text + length, ops[i].find.ptr, ops[i].find.len);
            length += ops[i].find.len;
        }
    }
    run_all(em_slice_make(text, length), ops, OPS, TIMES);
}

static void want_of_memory_is_told(void **state)
{
    (void)state;
    EM_AUTO(em_arena) texts = {0};
    const em_op *ops = numbered_ops(8, false, &texts);
    em_status status = EM_E_NOMEM;
    for (long left = 0; status == EM_E_NOMEM && left < 300; left++) {
        EM_AUTO(em_arena) arena = {0};
        em_draft draft;
        em_match_index *w = NULL;
        mallocs_left = left;
        status = em_draft_init(&draft, EM_LIT("k0.k1.k1.k3.k3.k5.k6.k7."), 0);
        bool made = status == EM_OK;
        if (status == EM_OK)
            status = em_match_index_new(&draft, ops, 8, true, &w);
        if (status == EM_OK)
            em_match_index_set_worth(w, 0);
        for (size_t i = 0; i < 8 && status == EM_OK; i++) {
            em_found found = {.most = SIZE_MAX};
            status = em_match_index_locate(w, i, (em_span){0, draft.length}, &arena, &found);
            em_splice splice = {0, 1, ops[i].insert};
            const em_probes *probes;
            em_piece_occurrences *first;
            if (status == EM_OK)
                status = em_match_index_probes(w, i, &arena, &probes, &first);
            if (status == EM_OK)
                status = em_match_index_apply(w, i, (em_splices){&splice, 1});
        }
        mallocs_left = -1;
        em_match_index_free(w);
        if (made)
            em_draft_drop(&draft);
    }
    assert_int_equal(status, EM_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_knows_what_a_search_finds),
        cmocka_unit_test(a_long_chain),
        cmocka_unit_test(very_many_places),
        cmocka_unit_test(more_places_than_there_is_room_for),
        cmocka_unit_test(want_of_memory_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
