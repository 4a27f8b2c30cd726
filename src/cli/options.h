/* options.h: the words of a command line.
 *
 * Flags are a table over a struct: each row says where its value goes. A flag and its value come as
 * `--flag VALUE` or `--flag=VALUE`; the argument behind a flag is its value whatever it looks like,
 * so that any text can be one. `--` ends the flags, `-` is no flag. A flag that comes twice counts
 * the last time, but for lists.
 */
#ifndef EM_CLI_OPTIONS_H
#define EM_CLI_OPTIONS_H

#include "session/session.h"

/* Strings from the command line, borrowed; the array is in the arena. */
typedef struct em_word_list {
    const char **items;
    size_t count, room;
} em_word_list;

/* What the field at `offset` is: */
typedef enum em_flag_kind {
    EM_FLAG_SWITCH,   /* bool */
    EM_FLAG_TEXT,     /* const char * */
    EM_FLAG_NAME,     /* the same, not empty */
    EM_FLAG_LIST,     /* em_word_list */
    EM_FLAG_CHOICE,   /* const char *, one of `words` */
    EM_FLAG_DURATION, /* long, milliseconds */
    EM_FLAG_PATIENCE, /* the same, at least 1 */
    EM_FLAG_SIZE,     /* uint64_t, bytes */
    EM_FLAG_COUNT,    /* size_t, at least 1 */
} em_flag_kind;

/* A table of these ends with one whose name is NULL. */
typedef struct em_flag {
    const char *name;  /* "--root" */
    const char *value; /* what its value is called in the help; NULL for a switch */
    const char *help;
    em_flag_kind kind;
    size_t offset;
    const char *const *words; /* of EM_FLAG_CHOICE, NULL-terminated */
} em_flag;

/* A table and the struct that it fills. */
typedef struct em_flags {
    const em_flag *table;
    void *target;
} em_flags;

/* What a command takes. */
typedef struct em_usage {
    const em_flags *sets;
    size_t set_count;
    const char *words; /* what stands without a flag: "FILE", "[CHANGE|TRANSACTION|FILE]" */
} em_usage;

/* A flag as it came, for who types the command again. */
typedef struct em_given_flag {
    const char *name;  /* with its dashes */
    const char *value; /* NULL for a switch */
} em_given_flag;

typedef struct em_given_flags {
    em_given_flag *items;
    size_t count, room;
} em_given_flags;

/* What a command line holds, behind the command's name. */
typedef struct em_command_line {
    em_word_list words;   /* what is no flag */
    em_given_flags flags; /* but --help and -h */
    bool help;
} em_command_line;

/* Sort `argv` (without the command's name) into *line, and set what its flags say. EM_E_INVALID:
 * the detail says what is wrong with which word, and for an unknown flag names the nearest, or the
 * word that takes its place. EM_E_NOMEM. */
em_status em_flags_parse(const em_usage *usage, char *const *argv, em_arena *arena,
                         em_command_line *line, em_error *err);

/* "5s", "500ms", "2m", "1.5s"; a number alone is seconds. Whole milliseconds, up to 24 days.
 * Returns whether it is one. */
bool em_parse_duration(const char *text, long *ms);

/* "90s", "30m", "12h", "30d", "2w", "1y" (of 365 days), in milliseconds. Returns whether it is
 * one. */
bool em_parse_age(const char *text, int64_t *ms);

/* "4096", "64K", "100M", "2G"; the units are powers of 1024, in any case, and may be followed by B
 * or iB. At least 1. Returns whether it is one. */
bool em_parse_size(const char *text, uint64_t *bytes);

/* Bytes of one message, where nothing else is said: room for the largest file that a tool takes,
 * with every byte escaped. */
#define EM_MESSAGE_MOST (UINT64_C(256) << 20)

/* ---- What all commands that touch files take ------------------------------------------------- */

typedef struct em_options {
    em_word_list roots, deny, allow;
    const char *state_dir, *sync, *placeholders, *sandbox;
    const char *secret; /* the file of tokens of this server; NULL */
    bool no_history, read_only, in_place, allow_owner_change;
    long lock_timeout_ms, deadline_ms;
    uint64_t max_file_size, max_memory;
    size_t max_edits;
} em_options;

extern const em_flag em_shared_flags[];

#define EM_OPTIONS_INIT                                                                            \
    ((em_options){.sync = "full",                                                                  \
                  .placeholders = "refuse",                                                        \
                  .sandbox = "on",                                                                 \
                  .lock_timeout_ms = EM_DEFAULT_LOCK_TIMEOUT_MS,                                   \
                  .deadline_ms = EM_DEFAULT_DEADLINE_MS})

/* The same for a session, borrowed from `options`. `grace_ms`: how long a replaced file is kept. */
em_session_options em_options_for_session(const em_options *options, const char *client,
                                          long grace_ms);

#endif
