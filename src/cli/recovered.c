#include "cli/recovered.h"

#include "base/clock.h"
#include "cli/past_view.h"

/* Its folder is gone, or another: what there is to choose from. */
static const char *out_of_reach(const em_recovered *row, em_arena *arena)
{
    if (row->in_other)
        return em_arena_format(
            arena,
            "is left to you: %s. Look at the file there, and at %s, then run\n"
            "  emend recover --keep target %s   to end the change there, or\n"
            "  emend recover --keep stray %s    to put the other in place where both hold what "
            "others wrote",
            row->detail, row->stray, row->id, row->id);
    return em_arena_format(arena,
                           "is left to you: %s. Put that folder back and recover again, or run\n"
                           "  emend recover --keep target %s   to forget the change",
                           row->detail, row->id);
}

static const char *left_to_person(const em_recovered *row, em_arena *arena)
{
    return em_arena_format(
        arena,
        "is left to you: it and %s hold what others wrote. Look at both, then run\n"
        "  emend recover --keep target %s   to keep what is in place, or\n"
        "  emend recover --keep stray %s    to put the other there",
        row->stray, row->id, row->id);
}

static const char *left_damaged(const em_recovered *row, em_arena *arena)
{
    return em_arena_format(
        arena,
        "is left to you: %s. What is in the files now can stay: look at them, then run\n"
        "  emend recover --keep target %s",
        row->detail, row->txn);
}

static const char *what_became(const em_recovered *row, em_arena *arena)
{
    switch (row->end) {
    case EM_RECOVERED_DONE:
        return "was made; it is in the history now";
    case EM_RECOVERED_UNDONE:
        return "was not made; nothing is left of it";
    case EM_RECOVERED_KEPT:
        return em_arena_format(arena, "was made; what somebody wrote to the old file is in %s",
                               row->stray);
    case EM_RECOVERED_FORGOTTEN:
        return em_arena_format(arena,
                               "is forgotten: what became of it is not known. If it left "
                               "anything, that was %s",
                               row->stray ? row->stray : "under no known name");
    case EM_LEFT_HELD:
        return "is left alone: its process is at work";
    case EM_LEFT_IN_GRACE:
        return em_arena_format(arena,
                               "is made; a server that runs keeps its old file a while, for what "
                               "others still write to it: %s",
                               row->stray ? row->stray : "under no known name");
    case EM_LEFT_UNREACHABLE:
        return out_of_reach(row, arena);
    case EM_LEFT_TO_PERSON:
        return left_to_person(row, arena);
    case EM_RECOVERY_NOT_TRIED:
        return "waits for recovery";
    case EM_LEFT_DAMAGED:
        return left_damaged(row, arena);
    case EM_LEFT_UNREADABLE:
        break;
    }
    return em_arena_format(arena, "is left: %s", row->detail);
}

/* Which change it is, and whose: "/r/a.txt: change 7-f (transaction 12) of ... by file_edit". Of a
 * transaction of which nothing is known but its name, that. */
static const char *which_change(const em_recovered *row, em_arena *arena)
{
    char when[EM_LOCAL_TIME_SIZE];
    const char *txn = row->txn ? em_arena_format(arena, " (transaction %s)", row->txn) : "";
    const char *client = row->client ? em_arena_format(arena, " (%s)", row->client) : "";
    if (!txn || !client)
        return NULL;
    if (row->txn && row->path[0] == '\0')
        return em_arena_format(arena, "transaction %s", row->txn);
    em_local_time_text(row->time_ms, when);
    return em_arena_format(arena, "%s: change %s%s of %s by %s%s", row->path, row->id, txn, when,
                           row->tool ? row->tool : "an unknown tool", client);
}

bool em_cli_print_recovered(em_invocation *call, const em_recovered *row)
{
    const char *which = which_change(row, call->arena);
    const char *became = what_became(row, call->arena);
    if (!which || !became)
        return false;
    em_term_name(&call->out, em_slice_of(which));
    fputc(' ', call->out.file);
    em_term_sentence(&call->out, em_slice_of(became));
    fputc('\n', call->out.file);
    return true;
}
