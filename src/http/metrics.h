/* metrics.h: what happened since the server began, as numbers, in the text format of Prometheus.
 *
 * Any thread may note. Memory is bounded: a name that comes when the table of names is full (tools
 * are named by callers, known or not) counts as "other".
 */
#ifndef EM_HTTP_METRICS_H
#define EM_HTTP_METRICS_H

#include "base/strbuf.h"
#include "serve/mcp.h"

typedef struct em_metrics em_metrics;

/* The caller's: em_metrics_free(). NULL when memory ran out. */
em_metrics *em_metrics_new(void);
void em_metrics_free(em_metrics *metrics);

/* A call of a tool. */
void em_metrics_called(em_metrics *metrics, const em_mcp_called *called);

/* A request that was answered, with that status, and so many bytes in its body and the answer's. */
void em_metrics_answered(em_metrics *metrics, int status, uint64_t received, uint64_t sent);

/* So many bytes more of an answer that is a stream. */
void em_metrics_streamed(em_metrics *metrics, uint64_t sent);

/* A request that was refused before any tool was called: why, a literal. */
void em_metrics_refused(em_metrics *metrics, const char *why);

/* What is so now, and not counted. */
typedef struct em_gauges {
    size_t connections, running, streams, sessions;
    uint64_t body_bytes;
} em_gauges;

/* Append all of it. */
void em_metrics_write(em_metrics *metrics, const em_gauges *gauges, em_strbuf *out);

#endif
