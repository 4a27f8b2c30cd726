/* change_args.h: the optional arguments that tools share, and the request that they make. */
#ifndef EM_ARGUMENTS_CHANGE_ARGS_H
#define EM_ARGUMENTS_CHANGE_ARGS_H

#include "arguments/args.h"
#include "tools/words.h"

/* Entries of a table of parameters; each tool takes those that make sense for it. */
#define EM_PARAM_DRY_RUN                                                                           \
    {                                                                                              \
        .name = "dry_run", .type = EM_P_BOOL, .flags = EM_P_NULLABLE, .fallback = "false",         \
        .help = "Check everything and show the change, but write nothing."                         \
    }
#define EM_PARAM_BACKUP                                                                            \
    {                                                                                              \
        .name = "backup", .type = EM_P_BOOL, .flags = EM_P_NULLABLE, .fallback = "false",          \
        .help = "Keep the old content as NAME.bak."                                                \
    }
#define EM_PARAM_ENCODING                                                                          \
    {                                                                                              \
        .name = "encoding", .type = EM_P_NAME, .flags = EM_P_NULLABLE,                             \
        .help = "The file's encoding, if neither UTF-8 nor told by a BOM (windows-1252, ...)."     \
    }
#define EM_PARAM_SESSION                                                                           \
    {                                                                                              \
        .name = "session", .type = EM_P_NAME, .flags = EM_P_NULLABLE,                              \
        .help = "A name of your choice that ties your calls together, if nothing else does."       \
    }
/* Two of them: what the content was, and what is done where it is not any more. */
#define EM_PARAM_EXPECTED_HASH                                                                     \
    {.name = "expected_hash",                                                                      \
     .type = EM_P_NAME,                                                                            \
     .flags = EM_P_NULLABLE,                                                                       \
     .help = "Fail if the file's content no longer has this hash, which an answer gave."},         \
    {                                                                                              \
        .name = "on_conflict", .type = EM_P_STRING, .flags = EM_P_NULLABLE,                        \
        .words = em_conflict_words, .fallback = "\"fail\"",                                        \
        .help = "merge: a file that has changed since is still edited where the lines to be "      \
                "changed are as they were."                                                        \
    }
#define EM_PARAM_MATCH(default_tier)                                                               \
    {                                                                                              \
        .name = "match", .type = EM_P_STRING, .flags = EM_P_NULLABLE, .words = em_tier_words,      \
        .fallback = "\"" default_tier "\"",                                                        \
        .help = "How far the text may differ from the file's, in one clear place: whitespace "     \
                "(blanks, indentation), token (also quotes, spacing), fuzzy (also a small slip)."  \
    }
/* What comes in the place of the text that an edit finds. */
#define EM_PARAM_INSERT(its_name, need)                                                            \
    {                                                                                              \
        .name = (its_name), .type = EM_P_STRING, .flags = (need),                                  \
        .help = "What stands there afterwards. Empty deletes."                                     \
    }
/* The lines that a tool shows of a file; neither: all of them. */
#define EM_PARAM_FIRST_LINE(its_name)                                                              \
    {                                                                                              \
        .name = (its_name), .type = EM_P_INTEGER, .flags = EM_P_NULLABLE, .minimum = 1,            \
        .help = "First line, from 1."                                                              \
    }
#define EM_PARAM_LAST_LINE(its_name)                                                               \
    {                                                                                              \
        .name = (its_name), .type = EM_P_INTEGER, .flags = EM_P_NULLABLE, .minimum = 1,            \
        .help = "Last line, included."                                                             \
    }
extern const char *const em_conflict_words[];

/* The session that the caller names, as the history has it; NULL: none. */
const char *em_named_session(const em_call *call);

/* Is nothing to be written, since the call says so or is only tried out? */
bool em_call_is_dry(const em_call *call);

/* A request on `path` with what the call says by the arguments above. What its tool's table does
 * not name counts as not given. The caller adds the ops and how they are to be taken. */
em_edit_request em_change_request(const em_call *call, const char *path);

/* One edit that replaces a text, its members by the names that `words` has. How often the text must
 * stand there is in the member `count`; NULL, or where it is not given: once, or as often as it
 * does where the member words->every is true. */
em_op em_replace_op(em_args edit, const em_words *words, const char *count);

/* The edits of the list `list`, in order; em_arg_count() of them. NULL: no memory. */
em_op *em_replace_ops(em_args args, const char *list, const em_words *words, const char *count,
                      em_arena *arena);

/* The tier that the argument `match` names; `otherwise` where it is not given. */
em_tier em_arg_tier(em_args args, em_tier otherwise);

/* Do these arguments ask for merging? */
bool em_arg_merges(em_args args);

#endif
