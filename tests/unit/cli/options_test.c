#include "check.h"

#include "../failing_malloc.h"

/* ---- Values -------------------------------------------------------------------------------- */

static void durations(void **state)
{
    static const struct {
        const char *text;
        long ms; /* -1: none */
    } rows[] = {
        {"5s", 5000},
        {"500ms", 500},
        {"2m", 120000},
        {"7", 7000},
        {"0", 0},
        {"0ms", 0},
        {"1.5s", 1500},
        {"1.5", 1500},
        {"0.25", 250},
        {"0.001s", 1},
        {"0.5m", 30000},
        {"2147483647ms", 2147483647},
        {"", -1},
        {"s", -1},
        {"-1", -1},
        {"+1", -1},
        {"5 s", -1},
        {"5h", -1},
        {"5S", -1},
        {"1.5ms", -1},
        {"1.2345", -1},
        {"1.", -1},
        {".5", -1},
        {"1.5.5", -1},
        {"2147483648ms", -1},
        {"99999999999999999999", -1},
        {"9999999999999999", -1},
        {"999999999999999999m", -1},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        long ms = -7;
        bool is_one = em_parse_duration(rows[i].text, &ms);
        if (is_one != (rows[i].ms >= 0) || (is_one && ms != rows[i].ms))
            fail_msg("%s: %ld", rows[i].text, ms);
    }
}

static void sizes(void **state)
{
    static const struct {
        const char *text;
        uint64_t bytes; /* 0: none */
    } rows[] = {
        {"1", 1},
        {"4096", 4096},
        {"64K", 65536},
        {"64k", 65536},
        {"100M", 104857600},
        {"100MB", 104857600},
        {"100MiB", 104857600},
        {"100mib", 104857600},
        {"2G", 2147483648},
        {"512B", 512},
        {"9223372036854775807", INT64_MAX},
        {"9223372036854775808", 0},
        {"0", 0},
        {"", 0},
        {"K", 0},
        {"-1", 0},
        {"1.5M", 0},
        {"1T", 0},
        {"1KK", 0},
        {"1iB", 0},
        {"1 K", 0},
        {"18446744073709551616", 0},
        {"18014398509481984K", 0},
        {"1Bi", 0},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        uint64_t bytes = 7;
        bool is_one = em_parse_size(rows[i].text, &bytes);
        if (is_one != (rows[i].bytes > 0) || (is_one && bytes != rows[i].bytes))
            fail_msg("%s: %llu", rows[i].text, (unsigned long long)bytes);
    }
}

/* ---- Flags --------------------------------------------------------------------------------- */

typedef struct own_flags {
    bool all;
    em_word_list old;
    long idle_ms;
} own_flags;

static const em_flag own_table[] = {
    {"--all", NULL, "", EM_FLAG_SWITCH, offsetof(own_flags, all), NULL},
    {"--old", "TEXT", "", EM_FLAG_LIST, offsetof(own_flags, old), NULL},
    {"--idle", "TIME", "", EM_FLAG_PATIENCE, offsetof(own_flags, idle_ms), NULL},
    {NULL, NULL, NULL, EM_FLAG_SWITCH, 0, NULL},
};

typedef struct parsed {
    em_arena arena;
    em_options options;
    own_flags own;
    em_command_line line;
    em_error err;
} parsed;

static void parsed_drop(parsed *p)
{
    em_arena_drop(&p->arena);
}

static em_status parse(parsed *p, const char *const *words)
{
    *p = (parsed){.options = EM_OPTIONS_INIT, .err = EM_ERROR_INIT};
    em_flags sets[] = {{own_table, &p->own}, {em_shared_flags, &p->options}};
    em_usage usage = {sets, COUNT_OF(sets), "FILE TARGET|CHANGE [-]"};
    return em_flags_parse(&usage, (char *const *)words, &p->arena, &p->line, &p->err);
}

static void every_shared_flag_goes_to_its_place(void **state)
{
    static const char *const words[] = {"--root",
                                        "/a",
                                        "--root=/b",
                                        "--read-only",
                                        "--deny",
                                        "*.key",
                                        "--allow=src/**",
                                        "--sync",
                                        "off",
                                        "--no-history",
                                        "--state-dir",
                                        "/s",
                                        "--in-place",
                                        "--allow-owner-change",
                                        "--lock-timeout",
                                        "1s",
                                        "--deadline=500ms",
                                        "--max-file-size",
                                        "10M",
                                        "--max-edits",
                                        "7",
                                        "--placeholders",
                                        "allow",
                                        NULL};
    (void)state;
    EM_AUTO(parsed) p;
    assert_int_equal(parse(&p, words), EM_OK);
    em_session_options got = em_options_for_session(&p.options, "me", 2000);
    assert_int_equal(got.workspace.root_count, 2);
    assert_string_equal(got.workspace.roots[0], "/a");
    assert_string_equal(got.workspace.roots[1], "/b");
    assert_string_equal(got.workspace.deny[0], "*.key");
    assert_string_equal(got.workspace.allow[0], "src/**");
    assert_int_equal(got.workspace.deny_count + got.workspace.allow_count, 2);
    assert_int_equal(got.workspace.sync, EM_SYNC_OFF);
    assert_true(got.workspace.read_only && got.workspace.no_history && got.workspace.in_place &&
                got.workspace.allow_owner_change);
    assert_string_equal(got.workspace.state_dir, "/s");
    assert_int_equal(got.workspace.lock_timeout_ms, 1000);
    assert_int_equal(got.workspace.grace_ms, 2000);
    assert_int_equal(got.deadline_ms, 500);
    assert_int_equal(got.max_file_size, 10485760);
    assert_int_equal(got.max_edits, 7);
    assert_true(got.allow_placeholders);
    assert_string_equal(got.client, "me");
}

static void what_is_not_said_has_its_default(void **state)
{
    static const char *const words[] = {NULL};
    (void)state;
    EM_AUTO(parsed) p;
    assert_int_equal(parse(&p, words), EM_OK);
    em_session_options got = em_options_for_session(&p.options, NULL, 0);
    assert_int_equal(got.workspace.sync, EM_SYNC_FULL);
    assert_int_equal(got.workspace.lock_timeout_ms, 5000);
    assert_int_equal(got.deadline_ms, 2000);
    assert_int_equal(got.max_file_size, 0);
    assert_false(got.allow_placeholders);
    assert_null(got.workspace.state_dir);
    assert_int_equal(got.workspace.root_count, 0);
    assert_int_equal(p.line.words.count, 0);
    assert_false(p.line.help);
}

static void sync_data_is_between(void **state)
{
    static const char *const words[] = {"--sync=off", "--sync=data", NULL};
    (void)state;
    EM_AUTO(parsed) p;
    assert_int_equal(parse(&p, words), EM_OK);
    assert_int_equal(em_options_for_session(&p.options, NULL, 0).workspace.sync, EM_SYNC_DATA);
}

static void a_value_may_look_like_a_flag(void **state)
{
    static const char *const words[] = {"--old",  "--all", "--old=--help=x", "--old", "-",
                                        "--old=", "-",     "file",           "--",    "--all",
                                        "-h",     NULL};
    (void)state;
    EM_AUTO(parsed) p;
    assert_int_equal(parse(&p, words), EM_OK);
    assert_false(p.own.all);
    assert_false(p.line.help);
    assert_int_equal(p.own.old.count, 4);
    assert_string_equal(p.own.old.items[0], "--all");
    assert_string_equal(p.own.old.items[1], "--help=x");
    assert_string_equal(p.own.old.items[2], "-");
    assert_string_equal(p.own.old.items[3], "");
    assert_int_equal(p.line.words.count, 4);
    assert_string_equal(p.line.words.items[0], "-");
    assert_string_equal(p.line.words.items[3], "-h");
}

static void help_is_found_among_other_words(void **state)
{
    static const char *const rows[][4] = {{"--help", NULL}, {"a", "-h", "b", NULL}};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        EM_AUTO(parsed) p;
        assert_int_equal(parse(&p, rows[i]), EM_OK);
        assert_true(p.line.help);
    }
}

static void wrong_words_are_named(void **state)
{
    static const struct {
        const char *words[3];
        const char *detail;
    } rows[] = {
        {{"--rooot", NULL}, "unknown flag '--rooot'; did you mean --root?"},
        {{"--al", NULL}, "unknown flag '--al'; did you mean --all?"},
        {{"--everywhere", NULL}, "unknown flag '--everywhere'; did you mean --all?"},
        {{"--hlep", NULL}, "unknown flag '--hlep'; did you mean --help?"},
        {{"--max-files=3", NULL}, "unknown flag '--max-files'; did you mean --max-file-size?"},
        {{"--file", "x", NULL}, "unknown flag '--file'; FILE stands without a flag before it"},
        {{"--path=x", NULL}, "unknown flag '--path'; FILE stands without a flag before it"},
        {{"--change", NULL}, "unknown flag '--change'; CHANGE stands without a flag before it"},
        {{"--qqqqqqqqqqqqqqqqqq", NULL}, "unknown flag '--qqqqqqqqqqqqqqqqqq'"},
        {{"a", "-mt-2", NULL},
         "unknown flag '-mt-2'; where it is a word and no flag, put '--' before the words"},
        {{"--all=yes", NULL}, "--all takes no value"},
        {{"--root", NULL}, "--root needs DIR behind it"},
        {{"--sync", "maybe", NULL}, "--sync must be full, data or off, not 'maybe'"},
        {{"--placeholders=", NULL}, "--placeholders must be refuse or allow, not ''"},
        {{"--deadline", "soon", NULL},
         "--deadline takes a time such as 5s, 500ms or 2m, not 'soon'"},
        {{"--idle", "0", NULL}, "--idle takes a time above 0, such as 5s, 500ms or 2m, not '0'"},
        {{"--idle=0ms", NULL}, "--idle takes a time above 0, such as 5s, 500ms or 2m, not '0ms'"},
        {{"--idle", "soon", NULL},
         "--idle takes a time above 0, such as 5s, 500ms or 2m, not 'soon'"},
        {{"--max-file-size", "big", NULL},
         "--max-file-size takes a size such as 64K, 100M or 2G, not 'big'"},
        {{"--max-edits", "0", NULL}, "--max-edits takes a number from 1 on, not '0'"},
        {{"--max-edits", "1x", NULL}, "--max-edits takes a number from 1 on, not '1x'"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        EM_AUTO(parsed) p;
        assert_int_equal(parse(&p, rows[i].words), EM_E_INVALID);
        assert_string_equal(p.err.detail, rows[i].detail);
    }
}

static void want_of_memory_is_said(void **state)
{
    static const char *const rows[][3] = {{"--old", "x", NULL}, {"--nope=1", NULL}, {"x", NULL}};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        EM_AUTO(parsed) p;
        mallocs_left = 0;
        em_status status = parse(&p, rows[i]);
        mallocs_left = -1;
        assert_int_equal(status, EM_E_NOMEM);
        assert_string_equal(p.err.detail, "out of memory");
    }
}

static void ages_are_read(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int64_t ms;
    } ages[] = {{"0s", 0},        {"90s", 90000},     {"30m", 1800000},   {"12h", 43200000},
                {"1d", 86400000}, {"2w", 1209600000}, {"1y", 31536000000}};
    static const char *const none[] = {"",
                                       "d",
                                       "1",
                                       "1.5h",
                                       "-1d",
                                       "1 d",
                                       "1D",
                                       "1dd",
                                       "99999999999999999999d",
                                       "200000000000000d"};
    int64_t ms;
    for (size_t i = 0; i < COUNT_OF(ages); i++) {
        assert_true(em_parse_age(ages[i].text, &ms));
        assert_int_equal(ms, ages[i].ms);
    }
    for (size_t i = 0; i < COUNT_OF(none); i++)
        assert_false(em_parse_age(none[i], &ms));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ages_are_read),
        cmocka_unit_test(durations),
        cmocka_unit_test(sizes),
        cmocka_unit_test(every_shared_flag_goes_to_its_place),
        cmocka_unit_test(what_is_not_said_has_its_default),
        cmocka_unit_test(sync_data_is_between),
        cmocka_unit_test(a_value_may_look_like_a_flag),
        cmocka_unit_test(help_is_found_among_other_words),
        cmocka_unit_test(wrong_words_are_named),
        cmocka_unit_test(want_of_memory_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
