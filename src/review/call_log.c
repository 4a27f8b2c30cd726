/* call_log.c: a ring of calls, each with an arena of its own, and a second one that knows which
 * call made which change of the history. */
#include "review/call_log.h"

#include "base/clock.h"
#include "base/utf8.h"
#include "http/cause.h"
#include "json/json_text.h"

#include <pthread.h>
#include <stdlib.h>

enum { CHANGES = 2 * EM_CALL_LOG_MOST /* of the history whose calls are known */ };

typedef struct entry {
    em_noted_call noted; /* in the arena */
    em_arena arena;
    size_t bytes;
} entry;

typedef struct change {
    int64_t row;
    uint64_t call;
    em_tier tier;
} change;

struct em_call_log {
    pthread_mutex_t lock;
    entry *kept;          /* call number n is at n % EM_CALL_LOG_MOST */
    uint64_t first, next; /* numbers of the oldest that is kept, and of the one to come */
    size_t bytes;
    change *changes; /* row r is at r % CHANGES, until a later one is */
    em_call_totals totals;
};

em_call_log *em_call_log_new(void)
{
    em_call_log *log = calloc(1, sizeof *log);
    if (!log)
        return NULL;
    pthread_mutex_init(&log->lock, NULL);
    log->first = log->next = 1;
    log->totals.since_ms = em_wall_ms();
    log->kept = calloc(EM_CALL_LOG_MOST, sizeof *log->kept);
    log->changes = calloc(CHANGES, sizeof *log->changes);
    if (log->kept && log->changes)
        return log;
    em_call_log_free(log);
    return NULL;
}

/* ---- What is kept --------------------------------------------------------------------------- */

static entry *entry_at(em_call_log *log, uint64_t number)
{
    return &log->kept[number % EM_CALL_LOG_MOST];
}

static void forget_oldest(em_call_log *log)
{
    entry *oldest = entry_at(log, log->first++);
    log->bytes -= oldest->bytes;
    em_arena_drop(&oldest->arena);
    *oldest = (entry){0};
}

void em_call_log_free(em_call_log *log)
{
    if (!log)
        return;
    while (log->kept && log->first < log->next)
        forget_oldest(log);
    free(log->kept);
    free(log->changes);
    pthread_mutex_destroy(&log->lock);
    free(log);
}

/* ---- Totals --------------------------------------------------------------------------------- */

static void count_cause(em_call_totals *totals, const char *cause)
{
    size_t i = 0;
    while (i < totals->cause_count && strcmp(totals->causes[i].cause, cause) != 0)
        i++;
    if (i == EM_CALL_LOG_CAUSES)
        return;
    if (i == totals->cause_count)
        totals->causes[totals->cause_count++] = (em_cause_count){cause, 0};
    totals->causes[i].count++;
    for (; i > 0 && totals->causes[i].count > totals->causes[i - 1].count; i--) {
        em_cause_count before = totals->causes[i - 1];
        totals->causes[i - 1] = totals->causes[i];
        totals->causes[i] = before;
    }
}

/* An edit is compared with sending all that the file has now. */
static void count_file(em_call_totals *totals, const em_observed *file)
{
    if (!file->committed)
        return;
    totals->changes++;
    if (file->role != EM_ROLE_EDIT)
        return;
    totals->sent += file->asked_bytes;
    totals->whole += file->size;
}

static void count_call(em_call_totals *totals, const em_mcp_called *called, const char *cause,
                       em_tier tier)
{
    totals->calls++;
    if (cause) {
        totals->refused++;
        count_cause(totals, cause);
    }
    if (!cause && tier != EM_TIER_EXACT)
        totals->tolerant++;
    for (size_t i = 0; i < called->file_count; i++)
        count_file(totals, &called->files[i]);
}

/* ---- Noting --------------------------------------------------------------------------------- */

/* A copy, that counts. NULL: no memory. */
static const char *copy_cut(entry *e, em_slice all, size_t most)
{
    em_slice part = em_slice_sub(all, 0, em_utf8_floor(all, most));
    e->bytes += part.len + 1;
    return em_arena_string(&e->arena, part);
}

static em_status copy_optional(entry *e, const char *text, const char **copy)
{
    *copy = text ? copy_cut(e, em_slice_of(text), EM_CALL_LOG_TEXT) : NULL;
    return text && !*copy ? EM_E_NOMEM : EM_OK;
}

static em_status copy_arguments(entry *e, const json_t *arguments)
{
    em_noted_call *noted = &e->noted;
    EM_AUTO(em_strbuf) text = {0};
    if (arguments)
        em_json_write(arguments, 0, &text);
    noted->arguments_bytes = text.len;
    noted->arguments = copy_cut(e, em_strbuf_slice(&text), EM_CALL_LOG_ARGUMENTS);
    return noted->arguments && !text.failed ? EM_OK : EM_E_NOMEM;
}

static em_status copy_file(entry *e, const em_observed *file, em_noted_file *copy)
{
    *copy = (em_noted_file){.committed = file->committed,
                            .role = file->role,
                            .lines_added = file->lines_added,
                            .lines_removed = file->lines_removed};
    EM_TRY(copy_optional(e, file->rel ? file->rel : file->path, &copy->path));
    return copy_optional(e, file->edit_id ? file->edit_id : "", &copy->edit_id);
}

/* What an answer says went wrong: answers that are objects have it in one of their fields. */
static const char *reason_of(const em_mcp_called *called)
{
    const json_t *error = json_object_get(called->object, "error");
    const char *sentence = json_string_value(error);
    if (!sentence)
        sentence = json_string_value(json_object_get(error, "message"));
    if (!sentence)
        sentence = json_string_value(json_object_get(called->object, "message"));
    return sentence ? sentence : called->text;
}

static em_status fill_entry(entry *e, const em_mcp_called *called)
{
    em_noted_call *noted = &e->noted;
    EM_TRY(copy_optional(e, called->tool, &noted->tool));
    EM_TRY(copy_optional(e, called->client, &noted->client));
    EM_TRY(copy_optional(e, called->text ? called->text : "", &noted->text));
    EM_TRY(copy_optional(e, noted->cause ? reason_of(called) : "", &noted->why));
    EM_TRY(copy_arguments(e, called->arguments));
    noted->file_count = called->file_count;
    noted->files = em_alloc_array(&e->arena, called->file_count, sizeof *noted->files);
    if (!noted->files)
        return EM_E_NOMEM;
    for (size_t i = 0; i < called->file_count; i++)
        EM_TRY(copy_file(e, &called->files[i], &noted->files[i]));
    e->bytes += called->file_count * sizeof *noted->files + sizeof *e;
    return EM_OK;
}

/* Under which number the history has it; ids begin with that. */
static void know_changes(em_call_log *log, const em_noted_call *noted)
{
    for (size_t i = 0; i < noted->file_count; i++) {
        int64_t row = strtoll(noted->files[i].edit_id, NULL, 10);
        if (noted->files[i].committed && row > 0)
            log->changes[row % CHANGES] = (change){row, noted->number, noted->tier};
    }
}

static uint64_t keep_entry(em_call_log *log, entry *e)
{
    e->noted.number = log->next;
    while (log->first < log->next && (log->next - log->first == EM_CALL_LOG_MOST ||
                                      log->bytes + e->bytes > EM_CALL_LOG_BYTES))
        forget_oldest(log);
    *entry_at(log, log->next) = *e;
    log->bytes += e->bytes;
    know_changes(log, &e->noted);
    return log->next++;
}

static bool changed_something(const em_mcp_called *called)
{
    for (size_t i = 0; i < called->file_count; i++)
        if (called->files[i].committed)
            return true;
    return false;
}

uint64_t em_call_log_note(em_call_log *log, const em_mcp_called *called)
{
    const char *cause = em_http_cause(called);
    entry e = {.noted = {.time_ms = em_wall_ms(),
                         .ms = called->ms,
                         .waited_ms = called->waited_ms,
                         .cause = cause,
                         .tier = em_http_tier(called)}};
    bool keeps = (cause || changed_something(called)) && fill_entry(&e, called) == EM_OK;
    uint64_t number = 0;
    pthread_mutex_lock(&log->lock);
    count_call(&log->totals, called, cause, e.noted.tier);
    if (keeps)
        number = keep_entry(log, &e);
    pthread_mutex_unlock(&log->lock);
    if (!keeps)
        em_arena_drop(&e.arena);
    return number;
}

/* ---- Reading -------------------------------------------------------------------------------- */

static em_status copy_noted(const em_noted_call *from, em_arena *arena, em_noted_call *to)
{
    *to = *from;
    const char **strings[] = {&to->tool, &to->client, &to->arguments, &to->text, &to->why};
    for (size_t i = 0; i < sizeof strings / sizeof *strings; i++)
        EM_TRY(em_arena_keep_string(arena, strings[i]));
    to->files = em_alloc_array(arena, from->file_count, sizeof *to->files);
    if (!to->files)
        return EM_E_NOMEM;
    for (size_t i = 0; i < from->file_count; i++) {
        to->files[i] = from->files[i];
        EM_TRY(em_arena_keep_string(arena, &to->files[i].path));
        EM_TRY(em_arena_keep_string(arena, &to->files[i].edit_id));
    }
    return EM_OK;
}

static em_status list_locked(em_call_log *log, const em_call_query *query, em_arena *arena,
                             em_noted_calls *calls)
{
    uint64_t number = query->below > 0 && query->below < log->next ? query->below : log->next;
    while (number > log->first) {
        const em_noted_call *noted = &entry_at(log, --number)->noted;
        if (query->which == EM_CALLS_REFUSED && !noted->cause)
            continue;
        calls->more = calls->count == query->most;
        if (calls->more)
            break;
        EM_TRY(copy_noted(noted, arena, &calls->items[calls->count++]));
    }
    return EM_OK;
}

em_status em_call_log_list(em_call_log *log, const em_call_query *query, em_arena *arena,
                           em_noted_calls *calls)
{
    *calls = (em_noted_calls){.items = em_alloc_array(arena, query->most, sizeof *calls->items)};
    if (!calls->items)
        return EM_E_NOMEM;
    pthread_mutex_lock(&log->lock);
    em_status status = list_locked(log, query, arena, calls);
    pthread_mutex_unlock(&log->lock);
    return status;
}

em_status em_call_log_get(em_call_log *log, uint64_t number, em_arena *arena, em_noted_call *noted)
{
    em_status status = EM_E_NOT_FOUND;
    pthread_mutex_lock(&log->lock);
    if (number >= log->first && number < log->next)
        status = copy_noted(&entry_at(log, number)->noted, arena, noted);
    pthread_mutex_unlock(&log->lock);
    return status;
}

uint64_t em_call_log_of_change(em_call_log *log, int64_t row, em_tier *tier)
{
    pthread_mutex_lock(&log->lock);
    const change *known = &log->changes[row % CHANGES];
    uint64_t call = known->row == row ? known->call : 0;
    *tier = call > 0 ? known->tier : EM_TIER_EXACT;
    pthread_mutex_unlock(&log->lock);
    return call;
}

void em_call_log_totals(em_call_log *log, em_call_totals *totals)
{
    pthread_mutex_lock(&log->lock);
    *totals = log->totals;
    pthread_mutex_unlock(&log->lock);
}

void em_call_log_tally(em_call_log *log, int64_t since_ms, int64_t span_ms, uint64_t *spans,
                       size_t count)
{
    pthread_mutex_lock(&log->lock);
    for (uint64_t number = log->first; number < log->next; number++) {
        const em_noted_call *noted = &entry_at(log, number)->noted;
        int64_t span = (noted->time_ms - since_ms) / span_ms;
        if (noted->cause && noted->time_ms >= since_ms && (uint64_t)span < count)
            spans[span]++;
    }
    pthread_mutex_unlock(&log->lock);
}
