#include "session/session_state.h"

#include "base/random.h"
#include "past/forget.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static em_status copy_string(const char *from, char **to, em_error *err)
{
    char *copy = from ? strdup(from) : NULL;
    if (from && !copy)
        return em_fail(err, EM_E_NOMEM, "out of memory");
    free(*to);
    *to = copy;
    return EM_OK;
}

/* A name for this session that no other has: what is done in it is told apart by that. */
static em_status name_session(em_session *session, em_error *err)
{
    uint64_t bits;
    if (!em_random(&bits, sizeof bits))
        return em_fail(err, EM_E_INTERNAL, "the system gives no random numbers");
    snprintf(session->id, sizeof session->id, "%016llx", (unsigned long long)bits);
    memcpy(session->name, session->id, sizeof session->name);
    return EM_OK;
}

const char *em_session_chosen_name(const char *name, em_arena *arena)
{
    static const char mark[] = "named:";
    size_t own = sizeof((em_session *)NULL)->name - 1;
    bool is_like_own = strlen(name) == own && strspn(name, "0123456789abcdef") == own;
    bool is_marked = strncmp(name, mark, sizeof mark - 1) == 0; /* or two names would become one */
    return is_like_own || is_marked ? em_arena_format(arena, "%s%s", mark, name) : name;
}

static em_status session_fill(em_session *session, const em_session_options *options, em_error *err)
{
    EM_TRY(name_session(session, err));
    EM_TRY(copy_string(options->client, &session->client, err));
    return em_ws_open(&options->workspace, &session->workspace, err);
}

em_status em_session_new(const em_session_options *options, em_session **out, em_error *err)
{
    *out = NULL;
    em_session *session = calloc(1, sizeof *session);
    if (!session)
        return em_fail(err, EM_E_NOMEM, "out of memory");
    session->max_file_size = options->max_file_size;
    session->max_edits = options->max_edits;
    session->allow_placeholders = options->allow_placeholders;
    session->deadline_ms = options->deadline_ms;
    session->observer = options->observer;
    session->lasting = &session->own;
    pthread_mutex_init(&session->own.lock, NULL);
    em_status status = session_fill(session, options, err);
    if (status == EM_OK)
        *out = session;
    else
        em_session_free(session);
    return status;
}

void em_session_free(em_session *session)
{
    if (!session)
        return;
    if (session->workspace)
        em_past_tidy(session->workspace);
    em_ws_free(session->workspace);
    em_arena_drop(&session->untold_arena);
    em_memory_drop(&session->own.memory);
    pthread_mutex_destroy(&session->own.lock);
    free(session->client);
    free(session);
}

void em_session_join(em_session *session, em_session *other)
{
    memcpy(session->name, other->name, sizeof session->name);
    session->lasting = other->lasting;
}

void em_session_set_turn(em_session *session, uint64_t turn, uint64_t spread)
{
    session->turn = turn;
    session->spread = spread;
    session->calls = 0;
}

em_workspace *em_session_workspace(em_session *session)
{
    return session->workspace;
}

em_status em_session_set_client(em_session *session, const char *client)
{
    return copy_string(client, &session->client, NULL);
}

em_observer em_session_set_observer(em_session *session, em_observer observer)
{
    em_observer before = session->observer;
    session->observer = observer;
    return before;
}

void em_session_set_trial(em_session *session, bool is_trial)
{
    session->is_trial = is_trial;
    session->cuts_lines = session->cuts_lines && !is_trial;
    session->strayed = is_trial ? (em_strayed){.line = 0} : session->strayed;
    session->chosen = is_trial ? NULL : session->chosen;
    session->is_unheld = session->is_unheld && !is_trial;
    session->trial_hunks = (em_hunks){.count = 0};
}

bool em_session_trial_cuts_lines(const em_session *session)
{
    return session->cuts_lines;
}

void em_session_set_trial_hunks(em_session *session, em_hunks hunks, em_arena *arena)
{
    session->trial_hunks = hunks;
    session->trial_part = 0;
    session->trial_arena = arena;
}

em_strayed em_session_trial_strayed(const em_session *session)
{
    return session->strayed;
}

const em_near_miss *em_session_trial_chosen(const em_session *session)
{
    return session->chosen;
}

bool em_session_trial_is_unheld(const em_session *session)
{
    return session->is_unheld;
}

em_status em_session_do_due(em_session *session, bool now, em_arena *arena, em_warnings *found)
{
    size_t known = found->count;
    EM_TRY(em_ws_sync(session->workspace, arena, found));
    EM_TRY(em_ws_end_grace(session->workspace, now, arena, found));
    for (size_t i = known; i < found->count; i++)
        EM_TRY(em_warn(&session->untold, &session->untold_arena, "%s", found->items[i]));
    em_session_tidy(session);
    return EM_OK;
}

void em_session_tidy(em_session *session)
{
    em_past_tidy(session->workspace);
}

/* ---- For the files of this room ------------------------------------------------------------- */

const char *em_session_caller(const em_session *session, const char *named, bool stateless)
{
    return named ? named : stateless ? NULL : session->name;
}

bool em_session_recall(em_session *session, const char *caller, const char *path, em_stamp *stamp)
{
    em_lasting *lasting = session->lasting;
    pthread_mutex_lock(&lasting->lock);
    const em_stamp *known = em_memory_find(&lasting->memory, caller, path);
    if (known)
        *stamp = *known;
    pthread_mutex_unlock(&lasting->lock);
    return known != NULL;
}

em_status em_session_remember(em_session *session, const char *caller, const char *path,
                              em_stamp stamp)
{
    em_lasting *lasting = session->lasting;
    pthread_mutex_lock(&lasting->lock);
    em_status status = em_memory_put(&lasting->memory, caller, path, stamp);
    pthread_mutex_unlock(&lasting->lock);
    return status;
}

size_t em_session_miss(em_session *session, const char *caller, const char *path)
{
    em_lasting *lasting = session->lasting;
    pthread_mutex_lock(&lasting->lock);
    size_t count = em_mistakes_add(&lasting->mistakes, caller, path);
    pthread_mutex_unlock(&lasting->lock);
    return count;
}

void em_session_hit(em_session *session, const char *caller, const char *path)
{
    em_lasting *lasting = session->lasting;
    pthread_mutex_lock(&lasting->lock);
    em_mistakes_forget(&lasting->mistakes, caller, path);
    pthread_mutex_unlock(&lasting->lock);
}

em_status em_session_origin(const em_session *session, const char *named, bool stateless,
                            em_arena *arena, em_origin *origin)
{
    origin->client = session->client;
    origin->session = em_session_caller(session, named, stateless);
    origin->call = session->turn > 0
                       ? em_arena_format(arena, "%s-%" PRIu64 ".%" PRIu64, session->name,
                                         session->turn, session->calls)
                       : em_arena_format(arena, "%s-%" PRIu64, session->id, session->calls);
    return origin->call ? EM_OK : EM_E_NOMEM;
}

uint64_t em_session_turn_of(const em_session *session, const char *call)
{
    size_t length = strlen(session->name);
    bool is_ours = session->turn > 0 && call && strncmp(call, session->name, length) == 0 &&
                   call[length] == '-';
    return is_ours ? strtoull(call + length + 1, NULL, 10) : 0;
}

em_status em_session_tell(em_session *session, em_arena *arena, em_warnings *warnings)
{
    EM_TRY(em_warnings_add_all(warnings, arena, &session->untold));
    session->untold = (em_warnings){0};
    em_arena_drop(&session->untold_arena);
    return em_ws_end_grace(session->workspace, false, arena, warnings);
}
