/* cmd_recover.c: end what a process that died left half done, and choose where only a person can.
 */
#include "cli/confine.h"
#include "cli/recovered.h"

#include <stdlib.h>

typedef struct recover_flags {
    bool all;
    const char *keep;
} recover_flags;

#define FIELD(name) offsetof(recover_flags, name)
static const char *const keep_words[] = {"target", "stray", NULL};
static const em_flag flags[] = {
    {"--all", NULL, "what lies outside the roots too", EM_FLAG_SWITCH, FIELD(all), NULL},
    {"--keep", "target|stray",
     "where both hold content that is not emend's: what stays in place (the other is removed)",
     EM_FLAG_CHOICE, FIELD(keep), keep_words},
    {NULL, NULL, NULL, EM_FLAG_SWITCH, 0, NULL},
};

/* ---- What is told -------------------------------------------------------------------------- */

static bool is_left(const em_recovered *row)
{
    return row->end == EM_LEFT_UNREACHABLE || row->end == EM_LEFT_UNREADABLE ||
           row->end == EM_LEFT_TO_PERSON || row->end == EM_LEFT_DAMAGED;
}

static int print_rows(em_invocation *call, const em_recovery *recovery)
{
    bool left = false;
    if (recovery->count == 0)
        fputs("Nothing waits for recovery.\n", call->out.file);
    for (size_t i = 0; i < recovery->count; i++) {
        if (!em_cli_print_recovered(call, &recovery->items[i]))
            return em_complain(call, EM_EXIT_WRONG, "out of memory");
        left = left || is_left(&recovery->items[i]);
    }
    return em_cli_printed(call, left ? EM_EXIT_REFUSED : EM_EXIT_DONE);
}

/* ---- Which row ----------------------------------------------------------------------------- */

/* The folder that the first `length` bytes of `word` name, absolute and resolved, and what follows
 * them. NULL where that folder is not there. */
static const char *join(const char *word, size_t length, em_arena *arena)
{
    const char *folder = em_arena_string(arena, em_slice_make(word, length));
    if (length == 0)
        folder = word[0] == '/' ? "/" : ".";
    char *found = folder ? realpath(folder, NULL) : NULL;
    if (!found)
        return NULL;
    const char *rest = word + length + (word[length] == '/');
    bool joined = rest[0] == '\0' || strcmp(found, "/") == 0;
    const char *path = em_arena_format(arena, "%s%s%s", found, joined ? "" : "/", rest);
    free(found);
    return path;
}

/* Where a file is, or was: what is there of the way to it is resolved, the rest taken as it is
 * written. NULL when memory ran out, too. */
static const char *resolve(const char *word, em_arena *arena)
{
    size_t length = strlen(word);
    const char *path = length > 0 ? join(word, length, arena) : NULL;
    while (!path && length > 0) {
        while (length > 0 && word[length - 1] != '/')
            length--;
        length -= length > 0;
        path = join(word, length, arena);
    }
    return path;
}

/* A row may be named by the file that it is about, be that there or not. A word that is no such
 * file is taken for an id. */
static em_status id_of(em_workspace *ws, bool all, const char *word, em_arena *arena,
                       const char **id, em_error *err)
{
    em_recovery waiting = {0};
    *id = word;
    EM_TRY(em_recover_list(ws, all, arena, &waiting, err));
    const char *resolved = resolve(word, arena);
    const char *written = word[0] == '/' ? word : join(word, 0, arena);
    for (size_t i = 0; i < waiting.count; i++) {
        const em_recovered *row = &waiting.items[i];
        if ((written && strcmp(row->path, written) == 0) ||
            (resolved && strcmp(row->path, resolved) == 0))
            *id = row->id;
    }
    return EM_OK;
}

static em_status recover(em_invocation *call, em_workspace *ws, em_recovery *recovery,
                         em_error *err)
{
    const recover_flags *own = call->own;
    em_recover_options options = {.all = own->all};
    if (own->keep)
        options.keep = strcmp(own->keep, "target") == 0 ? EM_KEEP_TARGET : EM_KEEP_STRAY;
    if (call->words.count > 0)
        EM_TRY(id_of(ws, own->all, call->words.items[0], call->arena, &options.id, err));
    return em_recover(ws, &options, call->arena, recovery, err);
}

static int run(em_invocation *call)
{
    const recover_flags *own = call->own;
    if (own->keep && call->words.count == 0)
        return em_complain_usage(call, "--keep needs the change or the file that it is about");
    em_session *session = em_cli_open_reaching(call, "emend recover", own->all);
    if (!session)
        return EM_EXIT_WRONG;
    em_recovery recovery = {0};
    em_error err = EM_ERROR_INIT;
    em_status status = recover(call, em_session_workspace(session), &recovery, &err);
    em_cli_session_close(session);
    if (status != EM_OK)
        return em_cli_failed(call, status, &err);
    return print_rows(call, &recovery);
}

const em_command em_cmd_recover = {
    .name = "recover",
    .words = "[CHANGE|TRANSACTION|FILE]",
    .brief = "End what a process that died left half done",
    .details = "This also happens before the first change that a process makes. What cannot be\n"
               "decided without you is listed, with what to do about it.\n",
    .flags = flags,
    .own_size = sizeof(recover_flags),
    .takes_shared = true,
    .most = 1,
    .run = run,
};
