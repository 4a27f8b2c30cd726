#include "../dialects/memory.h"

#include "http/metrics.h"

#include <stdio.h>
#include <string.h>

static const em_gauges none = {0};

static bool tells(em_metrics *metrics, const em_gauges *gauges, const char *line)
{
    EM_AUTO(em_strbuf) text = {0};
    em_metrics_write(metrics, gauges, &text);
    em_strbuf_putc(&text, '\0');
    assert_false(text.failed);
    const char *found = strstr(text.ptr, line);
    return found && found[strlen(line)] == '\n' && (found == text.ptr || found[-1] == '\n');
}

static void calls_are_counted(void **state)
{
    (void)state;
    static const em_tier tiers[] = {EM_TIER_EXACT, EM_TIER_FUZZY};
    const em_observed files[] = {{.committed = true,
                                  .tiers = tiers,
                                  .tier_count = 2,
                                  .asked_bytes = 5,
                                  .old_size = 100,
                                  .size = 90,
                                  .lines_added = 1,
                                  .lines_removed = 3},
                                 {.committed = false, .old_size = 1000}};
    em_metrics *metrics = em_metrics_new();
    em_metrics_called(metrics, &(em_mcp_called){.tool = "editFile",
                                                .text = "",
                                                .ms = 3,
                                                .waited_ms = 1500,
                                                .files = files,
                                                .file_count = 2});
    em_metrics_called(
        metrics, &(em_mcp_called){.tool = "editFile", .text = "", .is_error = true, .ms = 20000});
    em_metrics_called(
        metrics,
        &(em_mcp_called){.tool = "made \"up\"", .is_unknown = true, .text = "", .code = -32602});
    em_metrics_called(metrics, &(em_mcp_called){.tool = "editFile", .text = "", .code = -32602});
    em_metrics_called(metrics, &(em_mcp_called){.tool = NULL, .text = "", .code = -32603});
    static const char *const lines[] = {
        "emend_calls_total{tool=\"editFile\",outcome=\"done\"} 1",
        "emend_calls_total{tool=\"editFile\",outcome=\"refused\"} 2",
        "emend_calls_total{tool=\"other\",outcome=\"refused\"} 2",
        "emend_matches_total{tier=\"exact\"} 1",
        "emend_matches_total{tier=\"fuzzy\"} 1",
        "emend_changes_total 1",
        "emend_lines_total{kind=\"added\"} 1",
        "emend_lines_total{kind=\"removed\"} 3",
        "emend_edit_bytes_total{kind=\"sent\"} 5",
        "emend_edit_bytes_total{kind=\"before\"} 100",
        "emend_edit_bytes_total{kind=\"after\"} 90",
        "emend_call_duration_seconds_bucket{le=\"0.001\"} 3",
        "emend_call_duration_seconds_bucket{le=\"0.0025\"} 3",
        "emend_call_duration_seconds_bucket{le=\"0.005\"} 4",
        "emend_call_duration_seconds_bucket{le=\"10\"} 4",
        "emend_call_duration_seconds_bucket{le=\"+Inf\"} 5",
        "emend_call_duration_seconds_count 5",
        "emend_call_duration_seconds_sum 20.003",
        "emend_consent_wait_seconds_total 1.5",
    };
    for (size_t i = 0; i < COUNT_OF(lines); i++)
        if (!tells(metrics, &none, lines[i]))
            fail_msg("%s", lines[i]);
    em_metrics_free(metrics);
    em_metrics_free(NULL);
}

static void requests_are_counted(void **state)
{
    (void)state;
    em_metrics *metrics = em_metrics_new();
    em_metrics_answered(metrics, 200, 10, 100);
    em_metrics_answered(metrics, 200, 1, 2);
    em_metrics_answered(metrics, 404, 0, 3);
    em_metrics_streamed(metrics, 1000);
    em_metrics_refused(metrics, "origin");
    const em_gauges gauges = {
        .connections = 7, .running = 5, .body_bytes = 9, .streams = 3, .sessions = 2};
    static const char *const lines[] = {
        "emend_http_requests_total{status=\"200\"} 2",
        "emend_http_requests_total{status=\"404\"} 1",
        "emend_http_refused_total{reason=\"origin\"} 1",
        "emend_http_bytes_total{direction=\"received\"} 11",
        "emend_http_bytes_total{direction=\"sent\"} 1105",
        "emend_http_connections 7",
        "emend_http_requests_running 5",
        "emend_http_body_bytes 9",
        "emend_http_streams 3",
        "emend_mcp_sessions 2",
        "emend_info{version=\"" EMEND_VERSION "\"} 1",
    };
    for (size_t i = 0; i < COUNT_OF(lines); i++)
        if (!tells(metrics, &gauges, lines[i]))
            fail_msg("%s", lines[i]);
    em_metrics_free(metrics);
}

static void names_are_bounded(void **state)
{
    (void)state;
    em_metrics *metrics = em_metrics_new();
    char name[100];
    for (int i = 0; i < 200; i++) {
        snprintf(name, sizeof name, "tool-%d", i);
        em_metrics_called(metrics, &(em_mcp_called){.tool = name, .text = ""});
    }
    memset(name, 'x', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    em_metrics_called(metrics, &(em_mcp_called){.tool = name, .text = ""});
    em_metrics_called(metrics, &(em_mcp_called){.tool = "two\nlines", .text = ""});
    em_metrics_called(metrics, &(em_mcp_called){.tool = "tool-3", .text = ""});
    assert_true(tells(metrics, &none, "emend_calls_total{tool=\"tool-3\",outcome=\"done\"} 2"));
    assert_true(tells(metrics, &none, "emend_calls_total{tool=\"tool-62\",outcome=\"done\"} 1"));
    assert_false(tells(metrics, &none, "emend_calls_total{tool=\"tool-63\",outcome=\"done\"} 1"));
    assert_true(tells(metrics, &none, "emend_calls_total{tool=\"other\",outcome=\"done\"} 139"));
    em_metrics_free(metrics);
}

static bool make(void *context)
{
    (void)context;
    em_metrics *metrics = em_metrics_new();
    em_metrics_free(metrics);
    return metrics != NULL;
}

static void memory_may_run_out(void **state)
{
    (void)state;
    assert_int_equal(run_out_of_memory(make, NULL), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(calls_are_counted),
        cmocka_unit_test(requests_are_counted),
        cmocka_unit_test(names_are_bounded),
        cmocka_unit_test(memory_may_run_out),
    };
    return cmocka_run_group_tests_name("metrics", tests, NULL, NULL);
}
