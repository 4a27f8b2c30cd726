/* command.h: what a command of emend(1) is.
 *
 * A command is a row in a table and a function. Flags, help, and complaints about wrong words are
 * made from the row, so all commands speak alike.
 */
#ifndef EM_CLI_COMMAND_H
#define EM_CLI_COMMAND_H

#include "cli/options.h"
#include "cli/term.h"
#include "sandbox/sandbox.h"
#include "tools/toolset.h"

enum {
    EM_EXIT_DONE = 0,
    EM_EXIT_REFUSED = 1, /* the edit was refused or failed; the answer says why */
    EM_EXIT_WRONG = 2,   /* wrong usage, or our own fault */
};

/* A command as it was called. Lives as long as the command runs. */
typedef struct em_invocation {
    const struct em_command *command;
    em_arena *arena;
    em_options options; /* where the command takes the shared flags */
    void *own;          /* what the command's own flags fill */
    em_word_list words; /* what is no flag */
    em_given_flags flags;
    em_term out, err;
    const char *done; /* what was done already, for who cannot be shown what came of it; NULL */
    const em_sandbox_kernel *kernel; /* that is asked for a sandbox */
} em_invocation;

#define EM_CLI_CHANGED "the change was made"
#define EM_CLI_CHANGES_ARE_LISTED "'emend log' shows which there are"

typedef struct em_command {
    const char *name;
    const char *words;    /* "TOOL [FILE|-]", as the help shows it */
    const char *brief;    /* one line */
    const char *details;  /* further lines of the help; NULL */
    const em_flag *flags; /* its own; NULL */
    size_t own_size;      /* of the struct that they fill */
    const void *own_init; /* what it begins as; NULL: zeros */
    bool takes_shared;    /* em_shared_flags too */
    size_t least, most;   /* how many words */
    const char *too_few;  /* what comes beside the words, where too few came; NULL */
    const char *too_many; /* what to do instead of writing more words; NULL */
    int (*run)(em_invocation *call);
    /* Instead of all this: another program takes over, with the same words (argv[0] is the name of
     * the command). Returns only when it cannot. NULL: no. */
    int (*replace)(em_invocation *call, char *const *argv);
} em_command;

/* Run the command that `argv` names (argv[0] is the program). Returns the exit status. The process
 * may be confined by `kernel` afterwards. */
int em_cli(char *const *argv, const em_sandbox_kernel *kernel);

/* Run this command with what follows argv[0], for a program that has no other. */
int em_cli_one(const em_command *command, char *const *argv, const em_sandbox_kernel *kernel);

/* ---- For commands --------------------------------------------------------------------------- */

/* Complain: "emend NAME: ...". Each returns the exit status that goes with it. */
int em_complain(em_invocation *call, int status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
int em_complain_usage(em_invocation *call, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Complain of what failed. Returns the exit status that goes with it. */
int em_cli_failed(em_invocation *call, em_status status, const em_error *err);

/* The flag that helps against what failed, as a line behind the complaint; "" where none does. */
const char *em_cli_way_out(const em_error *err);

/* All of a file, or of standard input for "-", in the arena. What goes wrong has been said. */
bool em_cli_read_all(em_invocation *call, const char *name, em_slice *bytes);

/* A session as the shared flags say, known in the history by `client`; NULL when there can be none,
 * which has been said then. While it is open, signals that would end the process wait: a change
 * that has begun is finished first. So nothing that may wait for a person (reading, printing) is
 * done before it is closed. */
em_session *em_cli_session_open(em_invocation *call, const char *client, long grace_ms);
void em_cli_session_close(em_session *session);

/* The same, where something may have been `done`: a signal that came meanwhile takes effect when
 * the command returns then, after that is told. A further one ends the process at once. */
void em_cli_session_close_after(em_session *session, bool done);

/* For who makes one call: until it begins to change something, such a signal has it given up, so
 * that the process ends at once, and nothing is changed. */
void em_cli_give_up_at_signals(em_session *session);

/* The tool of that name in the set; NULL when there is none, which has been said then. */
const em_tool *em_cli_find_tool(em_invocation *call, const em_toolset *set, const char *name);

/* Print JSON, in one line unless it is for a terminal; NULL is what memory ran out for. Returns
 * like em_cli_printed(). */
int em_cli_print_json(em_invocation *call, const json_t *value, int status);
/* The same indented in any case, of what people read. */
int em_cli_print_indented(em_invocation *call, const json_t *value);

/* The outcome of a command that has printed: `status`, or EM_EXIT_WRONG where what it printed could
 * not be written. */
int em_cli_printed(em_invocation *call, int status);

#define COMMAND(name) extern const em_command em_cmd_##name;
#include "cli/command_list.def"
#undef COMMAND

#endif
