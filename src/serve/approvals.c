/* approvals.c: one list of what waits, under one lock. Whoever asked keeps its entry in the list,
 * decided or not, until it takes it back; whoever else looks sees only what is not decided. */
#include "serve/approvals.h"

#include "base/ascii.h"
#include "base/clock.h"
#include "base/random.h"
#include "base/thread.h"
#include "base/utf8.h"

#include <stdlib.h>

typedef struct entry {
    struct entry *next;
    em_arena arena; /* of all that `waiting` holds */
    em_waiting waiting;
    int64_t due_ms; /* em_monotonic_ms() */
    em_decision decision;
} entry;

/* What passes: tools by name, files by path. */
typedef struct pass {
    bool is_tool;
    char *name; /* owned */
} pass;

struct em_approvals {
    em_approvals_options options;
    uint8_t key[EM_SEAL_KEY];
    pthread_mutex_t lock; /* guards all that follows */
    pthread_cond_t decided;
    entry *first, *last; /* oldest first */
    size_t count;
    uint64_t start_id, last_id; /* ids lie behind the first, up to the second */
    pass *passes;
    size_t pass_count, pass_room;
    bool closed;
    em_approvals_listener *listener;
    void *context;
};

/* ---- Making one ---------------------------------------------------------------------------- */

/* A page that outlives a server must not take a change that waits at the next one for what it shows
 * of the last: a yes to what somebody has seen would be one to what nobody has. So each run counts
 * from a number of its own. It has few enough bits for a double, in which pages keep it. */
static bool choose_start(em_approvals *approvals)
{
    enum { START_BITS = 48 };
    uint64_t random;
    if (!em_random(&random, sizeof random))
        return false;
    approvals->start_id = approvals->last_id = random >> (64 - START_BITS);
    return true;
}

em_status em_approvals_new(const em_approvals_options *options, em_approvals **out, em_error *err)
{
    *out = NULL;
    em_approvals *approvals = calloc(1, sizeof *approvals);
    if (!approvals)
        return em_fail(err, EM_E_NOMEM, "out of memory");
    approvals->options = *options;
    if (options->timeout_ms == 0)
        approvals->options.timeout_ms = EM_APPROVAL_TIMEOUT_MS;
    if (options->most == 0)
        approvals->options.most = EM_APPROVAL_MOST;
    if (!em_random(approvals->key, EM_SEAL_KEY) || !choose_start(approvals)) {
        free(approvals);
        return em_fail(err, EM_E_INTERNAL, "the system gives no random numbers");
    }
    pthread_mutex_init(&approvals->lock, NULL);
    em_condition_init(&approvals->decided);
    *out = approvals;
    return EM_OK;
}

static void entry_free(entry *one)
{
    em_arena_drop(&one->arena);
    free(one);
}

void em_approvals_free(em_approvals *approvals)
{
    if (!approvals)
        return;
    while (approvals->first) {
        entry *one = approvals->first;
        approvals->first = one->next;
        entry_free(one);
    }
    for (size_t i = 0; i < approvals->pass_count; i++)
        free(approvals->passes[i].name);
    free(approvals->passes);
    pthread_cond_destroy(&approvals->decided);
    pthread_mutex_destroy(&approvals->lock);
    free(approvals);
}

const em_approvals_options *em_approvals_options_of(const em_approvals *approvals)
{
    return &approvals->options;
}

void em_approvals_listen(em_approvals *approvals, em_approvals_listener *listener, void *context)
{
    pthread_mutex_lock(&approvals->lock);
    approvals->listener = listener;
    approvals->context = context;
    pthread_mutex_unlock(&approvals->lock);
}

/* ---- With the lock held -------------------------------------------------------------------- */

static void tell(const em_approvals *approvals, const entry *one, const em_decision *decision)
{
    if (approvals->listener)
        approvals->listener(approvals->context, &one->waiting, decision);
}

static void decide(em_approvals *approvals, entry *one, em_verdict verdict, em_judge judge)
{
    one->decision.verdict = verdict;
    one->decision.judge = judge;
    tell(approvals, one, &one->decision);
    pthread_cond_broadcast(&approvals->decided);
}

/* Whose time is up is decided by whoever looks first. */
static void look_at_clock(em_approvals *approvals)
{
    int64_t now = em_monotonic_ms();
    for (entry *one = approvals->first; one; one = one->next)
        if (one->decision.verdict == EM_VERDICT_NONE && one->due_ms <= now)
            decide(approvals, one, EM_VERDICT_LATE, EM_JUDGE_TIME);
}

static entry *find(const em_approvals *approvals, uint64_t id)
{
    entry *one = approvals->first;
    while (one && one->waiting.id != id)
        one = one->next;
    return one;
}

static entry *find_waiting(em_approvals *approvals, uint64_t id)
{
    look_at_clock(approvals);
    entry *one = find(approvals, id);
    return one && one->decision.verdict == EM_VERDICT_NONE ? one : NULL;
}

static bool passes(const em_approvals *approvals, bool is_tool, const char *name)
{
    for (size_t i = 0; i < approvals->pass_count; i++) {
        const pass *one = &approvals->passes[i];
        if (one->is_tool == is_tool && strcmp(one->name, name) == 0)
            return true;
    }
    return false;
}

static bool pass_add(em_approvals *approvals, bool is_tool, const char *name)
{
    if (passes(approvals, is_tool, name))
        return true;
    if (approvals->pass_count == approvals->pass_room) {
        size_t room = approvals->pass_room * 2 + 8;
        pass *larger = realloc(approvals->passes, room * sizeof *larger);
        if (!larger)
            return false;
        approvals->passes = larger;
        approvals->pass_room = room;
    }
    char *copy = strdup(name);
    if (copy)
        approvals->passes[approvals->pass_count++] = (pass){is_tool, copy};
    return copy != NULL;
}

/* ---- Copies -------------------------------------------------------------------------------- */

static em_status copy_items(em_waiting *waiting, em_arena *arena)
{
    em_intended *items = em_alloc_array(arena, waiting->count, sizeof *items);
    if (!items)
        return EM_E_NOMEM;
    for (size_t i = 0; i < waiting->count; i++) {
        items[i] = waiting->items[i];
        items[i].splices = (em_splices){0};
        const char **texts[] = {&items[i].path, &items[i].rel, &items[i].diff};
        for (size_t j = 0; j < sizeof texts / sizeof *texts; j++)
            EM_TRY(em_arena_keep_string(arena, texts[j]));
    }
    waiting->items = items;
    return EM_OK;
}

static em_status copy_waiting(em_waiting *waiting, em_arena *arena)
{
    EM_TRY(em_arena_keep_string(arena, &waiting->tool));
    EM_TRY(em_arena_keep_string(arena, &waiting->client));
    EM_TRY(em_arena_keep_string(arena, &waiting->arguments));
    return copy_items(waiting, arena);
}

/* Only so much of the arguments is kept. */
static em_status cut_arguments(em_waiting *waiting, em_arena *arena)
{
    em_slice whole = em_slice_of(waiting->arguments);
    if (whole.len <= EM_APPROVAL_ARGUMENTS)
        return EM_OK;
    waiting->arguments_cut = true;
    waiting->arguments =
        em_arena_string(arena, em_slice_sub(whole, 0, em_utf8_floor(whole, EM_APPROVAL_ARGUMENTS)));
    return waiting->arguments ? EM_OK : EM_E_NOMEM;
}

void em_approvals_put_reason(const char *reason, char out[EM_APPROVAL_REASON + 1])
{
    em_slice given = em_slice_of(reason);
    size_t length = em_utf8_floor(given, EM_APPROVAL_REASON);
    while (length > 0 && em_is_one_of(given.ptr[length - 1], " \t\r\n."))
        length--;
    for (size_t i = 0; i < length; i++)
        out[i] = (unsigned char)given.ptr[i] < ' ' ? ' ' : given.ptr[i];
    out[length] = '\0';
}

/* ---- Who asks ------------------------------------------------------------------------------ */

bool em_approvals_tool_passes(em_approvals *approvals, const char *tool)
{
    pthread_mutex_lock(&approvals->lock);
    bool does = passes(approvals, true, tool);
    pthread_mutex_unlock(&approvals->lock);
    return does;
}

bool em_approvals_passes(em_approvals *approvals, const char *tool, const em_consent *consent)
{
    pthread_mutex_lock(&approvals->lock);
    bool all = true;
    for (size_t i = 0; i < consent->count && all; i++)
        all = passes(approvals, false, consent->items[i].path);
    all = all || passes(approvals, true, tool);
    pthread_mutex_unlock(&approvals->lock);
    return all;
}

static em_status entry_fill(const em_approvals *approvals, const em_waiting *waiting, entry *one)
{
    const long timeout = approvals->options.timeout_ms;
    one->waiting = *waiting;
    one->waiting.since_ms = em_wall_ms();
    one->waiting.until_ms = one->waiting.since_ms + timeout;
    one->due_ms = em_monotonic_ms() + timeout;
    EM_TRY(cut_arguments(&one->waiting, &one->arena));
    return copy_waiting(&one->waiting, &one->arena);
}

static em_admission put(em_approvals *approvals, entry *one)
{
    look_at_clock(approvals);
    if (approvals->closed)
        return EM_ADMISSION_CLOSED;
    if (approvals->count >= approvals->options.most)
        return EM_ADMISSION_FULL;
    one->waiting.id = ++approvals->last_id;
    if (approvals->last)
        approvals->last->next = one;
    else
        approvals->first = one;
    approvals->last = one;
    approvals->count++;
    tell(approvals, one, NULL);
    return EM_ADMITTED;
}

em_admission em_approvals_add(em_approvals *approvals, const em_waiting *waiting, uint64_t *id)
{
    entry *one = calloc(1, sizeof *one);
    if (!one)
        return EM_ADMISSION_NOMEM;
    em_admission admission = EM_ADMISSION_NOMEM;
    if (entry_fill(approvals, waiting, one) == EM_OK) {
        pthread_mutex_lock(&approvals->lock);
        admission = put(approvals, one);
        *id = one->waiting.id;
        pthread_mutex_unlock(&approvals->lock);
    }
    if (admission != EM_ADMITTED)
        entry_free(one);
    return admission;
}

void em_approvals_wait(em_approvals *approvals, uint64_t id, long ms, em_decision *decision)
{
    int64_t until = em_monotonic_ms() + ms;
    pthread_mutex_lock(&approvals->lock);
    const entry *one = find(approvals, id);
    bool has_time = ms > 0;
    look_at_clock(approvals);
    while (one->decision.verdict == EM_VERDICT_NONE && has_time) {
        has_time = em_condition_wait_until(&approvals->decided, &approvals->lock,
                                           until < one->due_ms ? until : one->due_ms);
        look_at_clock(approvals);
    }
    *decision = one->decision;
    pthread_mutex_unlock(&approvals->lock);
}

static void take_out(em_approvals *approvals, const entry *one)
{
    entry *before = NULL;
    for (entry *other = approvals->first; other != one; other = other->next)
        before = other;
    if (before)
        before->next = one->next;
    else
        approvals->first = one->next;
    if (approvals->last == one)
        approvals->last = before;
    approvals->count--;
}

void em_approvals_withdraw(em_approvals *approvals, uint64_t id)
{
    pthread_mutex_lock(&approvals->lock);
    entry *one = find(approvals, id);
    if (one->decision.verdict == EM_VERDICT_NONE)
        decide(approvals, one, EM_VERDICT_GONE, EM_JUDGE_CLIENT);
    take_out(approvals, one);
    pthread_mutex_unlock(&approvals->lock);
    entry_free(one);
}

/* ---- Who decides --------------------------------------------------------------------------- */

/* What is to pass from now on. */
typedef struct passing {
    em_remember what;
    const char *tool;
    const em_intended *items;
    size_t count;
} passing;

/* EM_E_NOMEM */
static em_status remember(em_approvals *approvals, const passing *p)
{
    bool all = true;
    if (p->what == EM_REMEMBER_TOOL)
        all = pass_add(approvals, true, p->tool);
    for (size_t i = 0; p->what == EM_REMEMBER_FILES && i < p->count; i++)
        all = pass_add(approvals, false, p->items[i].path) && all;
    return all ? EM_OK : EM_E_NOMEM;
}

em_status em_approvals_let_pass(em_approvals *approvals, const char *tool,
                                const em_consent *consent, em_remember what)
{
    passing p = {what, tool, consent->items, consent->count};
    pthread_mutex_lock(&approvals->lock);
    em_status status = remember(approvals, &p);
    pthread_mutex_unlock(&approvals->lock);
    return status;
}

static bool is_asked(const entry *one, const void *peer)
{
    return one->waiting.asks_client && one->waiting.peer == peer;
}

bool em_approvals_hear(em_approvals *approvals, uint64_t id, const void *peer)
{
    pthread_mutex_lock(&approvals->lock);
    entry *one = find(approvals, id);
    bool was_asked = one && is_asked(one, peer);
    if (was_asked)
        one->decision.heard = true;
    pthread_mutex_unlock(&approvals->lock);
    return was_asked;
}

static bool may_decide(const entry *one, const em_ruling *ruling)
{
    return ruling->judge != EM_JUDGE_CLIENT || is_asked(one, ruling->peer);
}

static em_status decide_found(em_approvals *approvals, entry *one, const em_ruling *ruling)
{
    if (!one || !may_decide(one, ruling))
        return EM_E_NOT_FOUND;
    passing p = {ruling->remember, one->waiting.tool, one->waiting.items, one->waiting.count};
    if (ruling->yes)
        EM_TRY(remember(approvals, &p));
    if (!ruling->yes && ruling->reason)
        em_approvals_put_reason(ruling->reason, one->decision.reason);
    one->decision.unasked = ruling->unasked;
    decide(approvals, one, ruling->yes ? EM_VERDICT_YES : EM_VERDICT_NO, ruling->judge);
    return EM_OK;
}

em_status em_approvals_decide(em_approvals *approvals, uint64_t id, const em_ruling *ruling)
{
    pthread_mutex_lock(&approvals->lock);
    em_status status = decide_found(approvals, find_waiting(approvals, id), ruling);
    pthread_mutex_unlock(&approvals->lock);
    return status;
}

bool em_approvals_was_asked(em_approvals *approvals, uint64_t id)
{
    pthread_mutex_lock(&approvals->lock);
    bool was = id > approvals->start_id && id <= approvals->last_id;
    pthread_mutex_unlock(&approvals->lock);
    return was;
}

static em_status copy_all(em_approvals *approvals, em_arena *arena, em_waiting_list *list)
{
    look_at_clock(approvals);
    list->items = em_alloc_array(arena, approvals->count, sizeof *list->items);
    if (!list->items)
        return EM_E_NOMEM;
    for (const entry *one = approvals->first; one; one = one->next) {
        if (one->decision.verdict != EM_VERDICT_NONE)
            continue;
        list->items[list->count] = one->waiting;
        EM_TRY(copy_waiting(&list->items[list->count], arena));
        list->count++;
    }
    return EM_OK;
}

em_status em_approvals_list(em_approvals *approvals, em_arena *arena, em_waiting_list *list)
{
    *list = (em_waiting_list){0};
    pthread_mutex_lock(&approvals->lock);
    em_status status = copy_all(approvals, arena, list);
    pthread_mutex_unlock(&approvals->lock);
    return status;
}

em_status em_approvals_get(em_approvals *approvals, uint64_t id, em_arena *arena,
                           em_waiting *waiting)
{
    pthread_mutex_lock(&approvals->lock);
    const entry *one = find_waiting(approvals, id);
    em_status status = one ? EM_OK : EM_E_NOT_FOUND;
    if (one) {
        *waiting = one->waiting;
        status = copy_waiting(waiting, arena);
    }
    pthread_mutex_unlock(&approvals->lock);
    return status;
}

static em_status copy_passes(const em_approvals *approvals, em_arena *arena, em_pass_list *list)
{
    em_pass *copies = em_alloc_array(arena, approvals->pass_count, sizeof *copies);
    if (!copies)
        return EM_E_NOMEM;
    for (size_t i = 0; i < approvals->pass_count; i++) {
        copies[i] = (em_pass){approvals->passes[i].is_tool, approvals->passes[i].name};
        EM_TRY(em_arena_keep_string(arena, &copies[i].name));
    }
    *list = (em_pass_list){copies, approvals->pass_count};
    return EM_OK;
}

em_status em_approvals_passing(em_approvals *approvals, em_arena *arena, em_pass_list *list)
{
    *list = (em_pass_list){0};
    pthread_mutex_lock(&approvals->lock);
    em_status status = copy_passes(approvals, arena, list);
    pthread_mutex_unlock(&approvals->lock);
    return status;
}

static em_status take_back(em_approvals *approvals, const em_pass *given)
{
    for (size_t i = 0; i < approvals->pass_count; i++) {
        pass *one = &approvals->passes[i];
        if (one->is_tool != given->is_tool || strcmp(one->name, given->name) != 0)
            continue;
        free(one->name);
        *one = approvals->passes[--approvals->pass_count];
        return EM_OK;
    }
    return EM_E_NOT_FOUND;
}

em_status em_approvals_unpass(em_approvals *approvals, const em_pass *given)
{
    pthread_mutex_lock(&approvals->lock);
    em_status status = take_back(approvals, given);
    pthread_mutex_unlock(&approvals->lock);
    return status;
}

void em_approvals_close(em_approvals *approvals)
{
    pthread_mutex_lock(&approvals->lock);
    approvals->closed = true;
    for (entry *one = approvals->first; one; one = one->next)
        if (one->decision.verdict == EM_VERDICT_NONE)
            decide(approvals, one, EM_VERDICT_GONE, EM_JUDGE_TIME);
    pthread_mutex_unlock(&approvals->lock);
}

/* ---- What clients keep ----------------------------------------------------------------------- */

void em_approvals_seal(const em_approvals *approvals, em_sealed *sealed, em_strbuf *state)
{
    sealed->until_ms = em_wall_ms() + approvals->options.timeout_ms;
    approvals->options.sealer->seal(approvals->key, sealed, state);
}

em_seal_is em_approvals_unseal(const em_approvals *approvals, const char *state, em_sealed *sealed)
{
    return approvals->options.sealer->unseal(approvals->key, state, em_wall_ms(), sealed);
}
