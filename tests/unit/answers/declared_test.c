#include "answers/declared.h"

#include "answers/answer.h"
#include "made_up.h"

static const char body[] = "one\ntwo\nthree\nfour\n";

/* An outcome with `count` matches for each of two edits; those of the first are exact. */
static void matches_open(made_up *m, em_match *matches, size_t count)
{
    made_up_open(m, "all", "file_edit", (em_error){.code = EM_OK, .edit = EM_NO_EDIT});
    em_arena *arena = &m->c.s.arena;
    m->outcome.text = (em_text){.body = EM_LIT(body), .charset = "utf-8"};
    assert_int_equal(em_lines_init(&m->outcome.text, arena, &m->outcome.lines), EM_OK);
    static em_match exact = {.start = 0, .end = 3, .score = 1};
    em_matches *places = em_alloc_array(arena, 2, sizeof *places);
    places[0] = (em_matches){&exact, 1, 1};
    places[1] = (em_matches){matches, count, count};
    m->outcome.plan = (em_plan){.places = places, .op_count = 2};
}

static em_match match_at(size_t start, size_t end, em_tier tier, double score)
{
    return (em_match){.start = start,
                      .end = end,
                      .tier = tier,
                      .score = score,
                      .matched = em_slice_make(body + start, end - start)};
}

static void check_json(json_t *value, const char *want)
{
    char *got = json_dumps(value, JSON_COMPACT | JSON_REAL_PRECISION(4));
    assert_string_equal(got, want);
    free(got);
    json_decref(value);
}

static void exact_matches_are_not_declared(void **state)
{
    (void)state;
    em_match match = match_at(4, 7, EM_TIER_EXACT, 1);
    EM_AUTO(made_up) m;
    matches_open(&m, &match, 1);
    json_t *object = em_json_object(&m.reply.json);
    em_declared_set(&m.reply, object);
    em_reply_set_warnings(&m.reply, object);
    em_declared_add_lines(&m.reply);
    check_json(object, "{}");
    assert_string_equal(em_reply_text(&m.reply), "");
    assert_null(em_declared_sentence(&m.reply, 1));
    assert_int_equal(em_declared_tier(&m.outcome, 1), EM_TIER_EXACT);
}

static void others_say_how_and_where(void **state)
{
    (void)state;
    em_match matches[] = {match_at(4, 14, EM_TIER_WHITESPACE, 1),
                          match_at(14, 18, EM_TIER_WHITESPACE, 0.899)};
    matches[1].inserted = true;
    EM_AUTO(made_up) m;
    matches_open(&m, matches, 2);
    json_t *object = em_json_object(&m.reply.json);
    em_declared_set(&m.reply, object);
    em_reply_set_warnings(&m.reply, object);
    check_json(object,
               "{\"matches\":[{\"edit\":1,\"tier\":\"whitespace\",\"score\":1.0,\"start_line\":2,"
               "\"end_line\":3,\"matched_text\":\"two\\nthree\\n\"},"
               "{\"edit\":1,\"tier\":\"whitespace\",\"score\":0.899,\"start_line\":4,"
               "\"end_line\":4,\"matched_text\":\"four\",\"in_inserted_text\":true}],"
               "\"warnings\":[\"Edit 2: old_text does not stand there exactly; it was found at "
               "tier whitespace, score 1.00, lines 2-3, and 1 more\"]}");
    em_reply_add_lines(&m.reply);
    assert_string_equal(em_reply_text(&m.reply),
                        "\nMatch: edit 2, tier whitespace, score 1.00, lines 2-3; replaced was "
                        "(between >>> and <<<):\n>>>two\nthree\n<<<"
                        "\nMatch: edit 2, tier whitespace, score 0.89, line 4; replaced was "
                        "(between >>> and <<<):\n>>>four<<<");
    assert_int_equal(em_declared_tier(&m.outcome, 1), EM_TIER_WHITESPACE);
    m.outcome.plan.places++; /* the second edit alone */
    m.outcome.plan.op_count = 1;
    m.reply.text.len = 0;
    em_reply_add_lines(&m.reply);
    assert_non_null(strstr(em_reply_text(&m.reply), "\nMatch: tier whitespace, score 1.00,"));
}

/* What was not done is not declared: the file has somebody else's text now. */
static void what_could_not_be_committed_is_not_declared(void **state)
{
    (void)state;
    em_match match = match_at(4, 7, EM_TIER_FUZZY, 0.9);
    EM_AUTO(made_up) m;
    matches_open(&m, &match, 1);
    m.outcome.status = EM_E_CONFLICT;
    em_declared_add_lines(&m.reply);
    assert_string_equal(em_reply_text(&m.reply), "");
    m.outcome.status = EM_E_NO_MATCH; /* of an edit behind these, which are kept */
    m.outcome.error.edit = 2;
    em_declared_add_lines(&m.reply);
    assert_non_null(strstr(em_reply_text(&m.reply), "Match: edit 2, tier fuzzy, score 0.90"));
}

static void many_matches_are_bounded(void **state)
{
    (void)state;
    enum { MATCHES = 150, LENGTH = 1000 };
    static char text[LENGTH];
    static em_match matches[MATCHES];
    memset(text, 'm', sizeof text);
    for (size_t i = 0; i < MATCHES; i++) {
        matches[i] = match_at(4, 7, EM_TIER_TOKEN, 1);
        matches[i].matched = em_slice_make(text, LENGTH);
    }
    EM_AUTO(made_up) m;
    matches_open(&m, matches, MATCHES);
    EM_AUTO(em_json_ref) object = em_json_object(&m.reply.json);
    em_declared_set(&m.reply, object);
    assert_true(json_is_true(json_object_get(object, "matches_truncated")));
    json_t *list = json_object_get(object, "matches"), *one;
    assert_int_equal(json_array_size(list), EM_LOCATION_LIMIT);
    size_t i, shown = 0;
    json_array_foreach(list, i, one)
    {
        size_t length = json_string_length(json_object_get(one, "matched_text"));
        assert_in_range(length, 80, 82);
        assert_true(json_is_true(json_object_get(one, "matched_text_truncated")));
        shown += length;
    }
    assert_true(shown <= EM_SHOWN_LIMIT);
    em_declared_add_lines(&m.reply);
    const char *lines = em_reply_text(&m.reply);
    assert_non_null(strstr(lines, "m<<< (cut)\nMatch: ... and 130 more"));
    assert_true(strlen(lines) < EM_SHOWN_LIMIT + 3000);
}

static void many_edits_are_warned_of_up_to_a_limit(void **state)
{
    (void)state;
    enum { EDITS = 30 };
    static em_matches places[EDITS];
    em_match match = match_at(4, 7, EM_TIER_TOKEN, 1);
    EM_AUTO(made_up) m;
    matches_open(&m, &match, 1);
    for (size_t i = 0; i < EDITS; i++)
        places[i] = (em_matches){&match, 1, 1};
    m.outcome.plan = (em_plan){.places = places, .op_count = EDITS};
    EM_AUTO(em_json_ref) list = em_json_array(&m.reply.json);
    em_declared_add_warnings(&m.reply, list);
    assert_int_equal(json_array_size(list), 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exact_matches_are_not_declared),
        cmocka_unit_test(others_say_how_and_where),
        cmocka_unit_test(what_could_not_be_committed_is_not_declared),
        cmocka_unit_test(many_matches_are_bounded),
        cmocka_unit_test(many_edits_are_warned_of_up_to_a_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
