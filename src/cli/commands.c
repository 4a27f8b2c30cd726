/* commands.c: from the words of a command line to a command, and what commands share.
 *
 * Begin with em_cli: find the command, read its flags, run it. Behind that: complaints, printing
 * JSON, opening a session.
 */
#include "cli/command.h"
#include "tools/nearest.h"

#include "cli/heap.h"
#include "cli/held_signals.h"
#include "dialects/registry.h"
#include "json/json_text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static const em_command *const commands[] = {
#define COMMAND(name) &em_cmd_##name,
#include "cli/command_list.def"
#undef COMMAND
    NULL,
};

/* ---- Complaints ---------------------------------------------------------------------------- */

/* What is wrong may quote names and texts of others. */
static void complain(const em_invocation *call, const char *format, va_list args)
{
    EM_AUTO(em_arena) arena = {0};
    const char *sentence = em_arena_format_v(&arena, format, args);
    fprintf(call->err.file, "emend%s%s: ", call->command ? " " : "",
            call->command ? call->command->name : "");
    em_term_sentence(&call->err, em_slice_of(sentence ? sentence : "out of memory"));
    fputc('\n', call->err.file);
}

int em_complain(em_invocation *call, int status, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    complain(call, format, args);
    va_end(args);
    return status;
}

int em_complain_usage(em_invocation *call, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    complain(call, format, args);
    va_end(args);
    fprintf(call->err.file, "Try 'emend%s%s --help'.\n", call->command ? " " : "",
            call->command ? call->command->name : "");
    return EM_EXIT_WRONG;
}

/* ---- Help ---------------------------------------------------------------------------------- */

static void print_flags(FILE *file, const em_flag *table)
{
    enum { HELP_COLUMN = 26 };
    for (const em_flag *flag = table; flag && flag->name; flag++) {
        int width = fprintf(file, "  %s%s%s", flag->name, flag->value ? " " : "",
                            flag->value ? flag->value : "");
        if (width > HELP_COLUMN - 2)
            width = fprintf(file, "\n") - 1;
        fprintf(file, "%*s%s\n", HELP_COLUMN - width, "", flag->help);
    }
}

static void print_command_help(const em_command *command, FILE *file)
{
    fprintf(file, "Usage: emend %s [FLAG]...%s%s\n\n%s.\n", command->name,
            command->words[0] ? " " : "", command->words, command->brief);
    if (command->details)
        fprintf(file, "\n%s", command->details);
    fputs("\nFlags:\n", file);
    print_flags(file, command->flags);
    if (command->takes_shared)
        print_flags(file, em_shared_flags);
    fputs("  --help                  this text\n", file);
}

static void print_help(FILE *file)
{
    fputs("emend changes files as you say, or not at all.\n\n"
          "Usage: emend COMMAND [FLAG]... [WORD]...\n\nCommands:\n",
          file);
    for (size_t i = 0; commands[i]; i++)
        fprintf(file, "  %-10s %s\n", commands[i]->name, commands[i]->brief);
    fputs("\n'emend COMMAND --help' tells more. 'emend --version' tells the version.\n"
          "Exit status: 0 done; 1 refused or failed; 2 wrong usage or an internal error.\n",
          file);
}

/* ---- Dispatch ------------------------------------------------------------------------------ */

static const em_command *find_command(const char *name)
{
    size_t i = 0;
    while (commands[i] && strcmp(commands[i]->name, name) != 0)
        i++;
    return commands[i];
}

static int unknown_command(em_invocation *call, const char *name)
{
    const char *names[sizeof commands / sizeof *commands + 3] = {"--help", "--version"};
    for (size_t i = 0; commands[i]; i++)
        names[i + 2] = commands[i]->name;
    bool is_short = strcmp(name, "-v") == 0 || strcmp(name, "-V") == 0;
    const char *nearest = is_short ? "--version" : em_nearest_name(name, names);
    if (name[0] == '-' && !nearest)
        return em_complain_usage(call, "'%s' before a command; flags stand behind it", name);
    return em_complain_usage(call, "unknown %s '%s'%s%s%s", name[0] == '-' ? "flag" : "command",
                             name, nearest ? "; did you mean " : "", nearest ? nearest : "",
                             nearest ? "?" : "");
}

/* The first word names something in every command. */
static int complain_empty(em_invocation *call)
{
    const char *name = call->command->words;
    name += *name == '[';
    return em_complain_usage(call, "%.*s is empty", (int)strcspn(name, "] "), name);
}

static int run_parsed(em_invocation *call, bool help)
{
    const em_command *command = call->command;
    if (help) {
        print_command_help(command, call->out.file);
        return em_cli_printed(call, EM_EXIT_DONE);
    }
    if (call->words.count < command->least)
        return em_complain_usage(call, "it takes %s%s%s", command->words,
                                 command->too_few ? "; " : "",
                                 command->too_few ? command->too_few : "");
    if (call->words.count > command->most)
        return em_complain_usage(call, "one word too many: '%s'%s%s",
                                 call->words.items[command->most], command->too_many ? "; " : "",
                                 command->too_many ? command->too_many : "");
    if (call->words.count > 0 && !call->words.items[0][0]) /* as of a variable that was never set */
        return complain_empty(call);
    return command->run(call);
}

static int run_command(em_invocation *call, char *const *argv)
{
    const em_command *command = call->command;
    em_flags sets[2];
    em_usage usage = {.sets = sets, .words = command->words};
    em_command_line line;
    em_error err = EM_ERROR_INIT;
    call->options = EM_OPTIONS_INIT;
    call->own = em_alloc(call->arena, command->own_size);
    if (!call->own)
        return em_complain(call, EM_EXIT_WRONG, "out of memory");
    if (command->own_init)
        memcpy(call->own, command->own_init, command->own_size);
    if (command->flags)
        sets[usage.set_count++] = (em_flags){command->flags, call->own};
    if (command->takes_shared)
        sets[usage.set_count++] = (em_flags){em_shared_flags, &call->options};
    em_status status = em_flags_parse(&usage, argv, call->arena, &line, &err);
    if (status == EM_E_INVALID)
        return em_complain_usage(call, "%s", err.detail);
    if (status != EM_OK)
        return em_complain(call, EM_EXIT_WRONG, "%s", err.detail);
    call->words = line.words;
    call->flags = line.flags;
    return run_parsed(call, line.help);
}

static int run_first_word(em_invocation *call, char *const *argv)
{
    const char *word = argv[1];
    if (word && strcmp(word, "help") == 0) { /* as others have it: "help", "help edit" */
        static char help[] = "--help";
        if (argv[2] && argv[3])
            return em_complain_usage(call, "help takes one command");
        char *const words[] = {argv[0], argv[2] ? argv[2] : help, argv[2] ? help : NULL, NULL};
        return run_first_word(call, words);
    }
    if (!word || strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0) {
        print_help(call->out.file);
        return em_cli_printed(call, EM_EXIT_DONE);
    }
    if (strcmp(word, "--version") == 0) {
        fputs("emend " EMEND_VERSION "\n", call->out.file);
        return em_cli_printed(call, EM_EXIT_DONE);
    }
    const em_command *command = find_command(word);
    if (!command)
        return unknown_command(call, word);
    call->command = command;
    return command->replace ? command->replace(call, argv + 1) : run_command(call, argv + 2);
}

int em_cli(char *const *argv, const em_sandbox_kernel *kernel)
{
    EM_AUTO(em_arena) arena = {0};
    em_invocation call = {
        .arena = &arena, .out = em_term_of(stdout), .err = em_term_of(stderr), .kernel = kernel};
    int status = run_first_word(&call, argv);
    em_cli_obey_signal();
    return status;
}

int em_cli_one(const em_command *command, char *const *argv, const em_sandbox_kernel *kernel)
{
    EM_AUTO(em_arena) arena = {0};
    em_invocation call = {.command = command,
                          .arena = &arena,
                          .out = em_term_of(stdout),
                          .err = em_term_of(stderr),
                          .kernel = kernel};
    return run_command(&call, argv + 1);
}

/* ---- For commands -------------------------------------------------------------------------- */

int em_cli_failed(em_invocation *call, em_status status, const em_error *err)
{
    if (status == EM_E_NOMEM)
        return em_complain(call, EM_EXIT_WRONG, "out of memory");
    return em_complain(call, EM_EXIT_REFUSED, "%s%s", err->detail, em_cli_way_out(err));
}

const char *em_cli_way_out(const em_error *err)
{
    return err->cause == EM_CAUSE_STATE_DIR
               ? "\nLocks and the history are kept there; --state-dir DIR names another folder."
               : "";
}

int em_cli_printed(em_invocation *call, int status)
{
    if (fflush(call->out.file) == 0 && !ferror(call->out.file))
        return status;
    return em_complain(call, EM_EXIT_WRONG, "cannot print: %s%s%s", strerror(errno),
                       call->done ? "; " : "", call->done ? call->done : "");
}

enum { INDENTATION = 2 };

static int print_json(em_invocation *call, const json_t *value, size_t indentation, int status)
{
    EM_AUTO(em_strbuf) text = {0};
    em_json_write(value, indentation, &text);
    em_strbuf_putc(&text, '\n');
    if (text.failed)
        return em_complain(call, EM_EXIT_WRONG, "out of memory");
    em_term_text(&call->out, em_strbuf_slice(&text));
    return em_cli_printed(call, status);
}

int em_cli_print_json(em_invocation *call, const json_t *value, int status)
{
    return print_json(call, value, call->out.is_tty ? INDENTATION : 0, status);
}

int em_cli_print_indented(em_invocation *call, const json_t *value)
{
    return print_json(call, value, INDENTATION, EM_EXIT_DONE);
}

static bool is_family(em_invocation *call, const char *name)
{
    em_toolset tools;
    em_error ignored = EM_ERROR_INIT;
    return em_toolset_choose(name, false, call->arena, &tools, &ignored) == EM_OK;
}

const em_tool *em_cli_find_tool(em_invocation *call, const em_toolset *set, const char *name)
{
    const em_tool *tool = em_toolset_find(set, name);
    const char *nearest = tool ? NULL : em_toolset_nearest(set, name);
    if (!tool && is_family(call, name))
        em_complain_usage(call, "'%s' is a family of tools: 'emend tools %s' lists them", name,
                          name);
    else if (nearest)
        em_complain_usage(call, "unknown tool '%s'; did you mean %s?", name, nearest);
    else if (!tool)
        em_complain_usage(call, "unknown tool '%s'; 'emend tools' lists those there are", name);
    return tool;
}

/* A request that is a file says how long it is before it is read. */
static size_t length_of(int fd)
{
    struct stat stat;
    return fstat(fd, &stat) == 0 && S_ISREG(stat.st_mode) ? (size_t)stat.st_size : 0;
}

static bool read_fd(int fd, em_strbuf *all)
{
    char piece[1 << 16];
    ssize_t length;
    while ((length = read(fd, piece, sizeof piece)) != 0) {
        if (length > 0)
            em_strbuf_add(all, em_slice_make(piece, (size_t)length));
        else if (errno != EINTR)
            return false;
    }
    return true;
}

bool em_cli_read_all(em_invocation *call, const char *name, em_slice *bytes)
{
    EM_AUTO(em_strbuf) all = {0};
    bool is_stdin = strcmp(name, "-") == 0;
    int fd = is_stdin ? STDIN_FILENO : open(name, O_RDONLY | O_CLOEXEC);
    size_t length = fd >= 0 ? length_of(fd) : 0;
    em_cli_expect_request(length);
    bool ok = fd >= 0 && read_fd(fd, &all);
    int error = errno;
    if (length == 0)
        em_cli_expect_request(all.len);
    if (fd >= 0 && !is_stdin)
        close(fd);
    if (!ok) {
        em_complain(call, 0, "cannot read %s: %s", is_stdin ? "standard input" : name,
                    strerror(error));
        return false;
    }
    bool is_kept = em_strbuf_keep(&all, call->arena, bytes) == EM_OK;
    if (!is_kept)
        em_complain(call, 0, "out of memory");
    return is_kept;
}

static bool is_told_to_end(void *unused)
{
    (void)unused;
    return em_cli_is_told_to_end();
}

em_session *em_cli_session_open(em_invocation *call, const char *client, long grace_ms)
{
    em_session_options options = em_options_for_session(&call->options, client, grace_ms);
    em_session *session;
    em_error err = EM_ERROR_INIT;
    em_sandbox_memory(call->kernel, call->options.max_memory);
    em_cli_hold_signals();
    if (em_session_new(&options, &session, &err) == EM_OK)
        return session;
    em_cli_release_signals();
    em_complain(call, 0, "%s%s", err.detail, em_cli_way_out(&err));
    return NULL;
}

void em_cli_give_up_at_signals(em_session *session)
{
    em_ws_set_cancel(em_session_workspace(session), (em_cancel){.is_cancelled = is_told_to_end});
}

void em_cli_session_close(em_session *session)
{
    em_session_free(session);
    em_cli_release_signals();
}

void em_cli_session_close_after(em_session *session, bool done)
{
    if (!done) {
        em_cli_session_close(session);
        return;
    }
    em_session_free(session);
    em_cli_defer_signals();
}
