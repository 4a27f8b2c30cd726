#include "http/metrics.h"

#include "http/cause.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

/* Upper bounds of the histogram's buckets, seconds; the last bucket has none. */
static const double bounds[] = {0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1,
                                0.25,  0.5,    1,     2.5,  5,     10};

enum { BOUNDS = sizeof bounds / sizeof *bounds, NAMES = 64, NAME_SIZE = 64 };

/* Counters by a name. The last row is for what found no room. */
typedef struct table {
    char names[NAMES][NAME_SIZE];
    uint64_t counts[NAMES];
    size_t used;
} table;

struct em_metrics {
    pthread_mutex_t lock;
    table done, failed; /* calls by tool */
    table causes, tiers, refusals, statuses;
    uint64_t buckets[BOUNDS + 1];
    uint64_t calls;
    double seconds, waited;
    uint64_t received, sent;       /* over HTTP */
    uint64_t asked, before, after; /* bytes of edits, and of the files that they changed */
    uint64_t added, removed;       /* lines */
    uint64_t changes;
};

em_metrics *em_metrics_new(void)
{
    em_metrics *metrics = calloc(1, sizeof *metrics);
    if (metrics)
        pthread_mutex_init(&metrics->lock, NULL);
    return metrics;
}

void em_metrics_free(em_metrics *metrics)
{
    if (!metrics)
        return;
    pthread_mutex_destroy(&metrics->lock);
    free(metrics);
}

/* ---- Noting --------------------------------------------------------------------------------- */

static bool is_plain(const char *name)
{
    for (; *name; name++)
        if (*name <= ' ' || *name > '~' || *name == '"' || *name == '\\')
            return false;
    return true;
}

static void count(table *t, const char *name)
{
    size_t row = 0;
    if (!name || !is_plain(name) || strlen(name) >= NAME_SIZE)
        name = "other";
    while (row < t->used && strcmp(t->names[row], name) != 0)
        row++;
    if (row == t->used && t->used < NAMES) {
        memcpy(t->names[row], t->used == NAMES - 1 ? "other" : name,
               t->used == NAMES - 1 ? sizeof "other" : strlen(name) + 1);
        t->used++;
    }
    t->counts[row < NAMES ? row : NAMES - 1]++;
}

static void note_file(em_metrics *metrics, const em_observed *file)
{
    for (size_t i = 0; i < file->tier_count; i++)
        count(&metrics->tiers, em_tier_name(file->tiers[i]));
    if (!file->committed)
        return;
    metrics->changes++;
    metrics->asked += file->asked_bytes;
    metrics->before += file->old_size;
    metrics->after += file->size;
    metrics->added += file->lines_added;
    metrics->removed += file->lines_removed;
}

void em_metrics_called(em_metrics *metrics, const em_mcp_called *called)
{
    double seconds = (double)called->ms / 1000;
    size_t bucket = 0;
    while (bucket < BOUNDS && seconds > bounds[bucket])
        bucket++;
    pthread_mutex_lock(&metrics->lock);
    const char *cause = em_http_cause(called);
    count(cause ? &metrics->failed : &metrics->done, called->is_unknown ? "other" : called->tool);
    if (cause)
        count(&metrics->causes, cause);
    for (size_t i = 0; i < called->file_count; i++)
        note_file(metrics, &called->files[i]);
    metrics->buckets[bucket]++;
    metrics->calls++;
    metrics->seconds += seconds;
    metrics->waited += (double)called->waited_ms / 1000;
    pthread_mutex_unlock(&metrics->lock);
}

void em_metrics_answered(em_metrics *metrics, int status, uint64_t received, uint64_t sent)
{
    char name[16];
    snprintf(name, sizeof name, "%d", status);
    pthread_mutex_lock(&metrics->lock);
    count(&metrics->statuses, name);
    metrics->received += received;
    metrics->sent += sent;
    pthread_mutex_unlock(&metrics->lock);
}

void em_metrics_streamed(em_metrics *metrics, uint64_t sent)
{
    pthread_mutex_lock(&metrics->lock);
    metrics->sent += sent;
    pthread_mutex_unlock(&metrics->lock);
}

void em_metrics_refused(em_metrics *metrics, const char *why)
{
    pthread_mutex_lock(&metrics->lock);
    count(&metrics->refusals, why);
    pthread_mutex_unlock(&metrics->lock);
}

/* ---- Telling -------------------------------------------------------------------------------- */

static void put_head(em_strbuf *out, const char *name, const char *type, const char *help)
{
    em_strbuf_printf(out, "# HELP emend_%s %s\n# TYPE emend_%s %s\n", name, help, name, type);
}

static void put_number(em_strbuf *out, const char *name, const char *type, const char *help,
                       uint64_t number)
{
    put_head(out, name, type, help);
    em_strbuf_printf(out, "emend_%s %" PRIu64 "\n", name, number);
}

static void put_table(em_strbuf *out, const char *name, const char *label, const table *t,
                      const char *more)
{
    for (size_t i = 0; i < t->used; i++)
        em_strbuf_printf(out, "emend_%s{%s=\"%s\"%s} %" PRIu64 "\n", name, label, t->names[i], more,
                         t->counts[i]);
}

static void put_calls(em_strbuf *out, const em_metrics *metrics)
{
    put_head(out, "calls_total", "counter", "Calls of tools.");
    put_table(out, "calls_total", "tool", &metrics->done, ",outcome=\"done\"");
    put_table(out, "calls_total", "tool", &metrics->failed, ",outcome=\"refused\"");
    put_head(out, "refusals_total", "counter", "Calls that were refused, by cause.");
    put_table(out, "refusals_total", "cause", &metrics->causes, "");
    put_head(out, "matches_total", "counter", "Texts of edits that were found, by how loosely.");
    put_table(out, "matches_total", "tier", &metrics->tiers, "");
    put_number(out, "changes_total", "counter", "Files that were changed.", metrics->changes);
    put_head(out, "lines_total", "counter", "Lines that changes added and removed.");
    em_strbuf_printf(out, "emend_lines_total{kind=\"added\"} %" PRIu64 "\n", metrics->added);
    em_strbuf_printf(out, "emend_lines_total{kind=\"removed\"} %" PRIu64 "\n", metrics->removed);
    put_head(out, "edit_bytes_total", "counter",
             "Bytes that callers sent for changes, and that the changed files had and have.");
    em_strbuf_printf(out, "emend_edit_bytes_total{kind=\"sent\"} %" PRIu64 "\n", metrics->asked);
    em_strbuf_printf(out, "emend_edit_bytes_total{kind=\"before\"} %" PRIu64 "\n", metrics->before);
    em_strbuf_printf(out, "emend_edit_bytes_total{kind=\"after\"} %" PRIu64 "\n", metrics->after);
}

static void put_latency(em_strbuf *out, const em_metrics *metrics)
{
    uint64_t so_far = 0;
    put_head(out, "call_duration_seconds", "histogram",
             "How long calls took, without waiting for a person.");
    for (size_t i = 0; i < BOUNDS; i++) {
        so_far += metrics->buckets[i];
        em_strbuf_printf(out, "emend_call_duration_seconds_bucket{le=\"%g\"} %" PRIu64 "\n",
                         bounds[i], so_far);
    }
    em_strbuf_printf(out, "emend_call_duration_seconds_bucket{le=\"+Inf\"} %" PRIu64 "\n",
                     metrics->calls);
    em_strbuf_printf(out, "emend_call_duration_seconds_sum %g\n", metrics->seconds);
    em_strbuf_printf(out, "emend_call_duration_seconds_count %" PRIu64 "\n", metrics->calls);
    put_head(out, "consent_wait_seconds_total", "counter", "How long calls waited for a person.");
    em_strbuf_printf(out, "emend_consent_wait_seconds_total %g\n", metrics->waited);
}

static void put_transport(em_strbuf *out, const em_metrics *metrics, const em_gauges *gauges)
{
    put_head(out, "http_requests_total", "counter", "Requests that were answered, by status.");
    put_table(out, "http_requests_total", "status", &metrics->statuses, "");
    put_head(out, "http_refused_total", "counter",
             "Requests that were refused before anything was done, by reason.");
    put_table(out, "http_refused_total", "reason", &metrics->refusals, "");
    put_head(out, "http_bytes_total", "counter", "Bytes of the bodies of requests and answers.");
    em_strbuf_printf(out, "emend_http_bytes_total{direction=\"received\"} %" PRIu64 "\n",
                     metrics->received);
    em_strbuf_printf(out, "emend_http_bytes_total{direction=\"sent\"} %" PRIu64 "\n",
                     metrics->sent);
    put_number(out, "http_connections", "gauge", "Connections that are open.", gauges->connections);
    put_number(out, "http_requests_running", "gauge",
               "Requests that are being answered, this one included.", gauges->running);
    put_number(out, "http_body_bytes", "gauge", "Bytes of the bodies of requests that are held.",
               gauges->body_bytes);
    put_number(out, "http_streams", "gauge", "Streams of events that are open.", gauges->streams);
    put_number(out, "mcp_sessions", "gauge", "Sessions that were begun with initialize.",
               gauges->sessions);
}

void em_metrics_write(em_metrics *metrics, const em_gauges *gauges, em_strbuf *out)
{
    put_head(out, "info", "gauge", "The version of emend.");
    em_strbuf_puts(out, "emend_info{version=\"" EMEND_VERSION "\"} 1\n");
    pthread_mutex_lock(&metrics->lock);
    put_calls(out, metrics);
    put_latency(out, metrics);
    put_transport(out, metrics, gauges);
    pthread_mutex_unlock(&metrics->lock);
}
