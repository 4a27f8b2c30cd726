/* cmd_serve.c: the server over HTTP is a program of its own.
 *
 * What it is linked to (an HTTP library, and what that is linked to) would cost every start of
 * emend, also where a client starts it to serve over standard input and output.
 */
#include "cli/command.h"

#include <errno.h>
#include <limits.h>
#include <unistd.h>

#define PROGRAM "emend-serve"

/* The program beside this one, wherever that was installed or built. Returns why it cannot be
 * found; NULL. */
static const char *find_program(char path[static PATH_MAX])
{
    ssize_t length = readlink("/proc/self/exe", path, PATH_MAX - 1);
    if (length <= 0)
        return "/proc, which tells where emend is, cannot be read";
    path[length] = '\0';
    char *name = strrchr(path, '/') + 1;
    if ((size_t)(name - path) + sizeof PROGRAM > PATH_MAX)
        return strerror(ENAMETOOLONG);
    memcpy(name, PROGRAM, sizeof PROGRAM);
    return NULL;
}

/* The same words behind the name of the program; NULL when memory ran out. */
static char **words_for(em_arena *arena, char *const *argv, char *path)
{
    size_t count = 0;
    while (argv[count])
        count++;
    char **words = em_alloc_array(arena, count + 1, sizeof *words);
    if (words) {
        memcpy(words, argv, count * sizeof *words);
        words[0] = path;
    }
    return words;
}

static int replace(em_invocation *call, char *const *argv)
{
    char path[PATH_MAX];
    char **words = words_for(call->arena, argv, path);
    if (!words)
        return em_complain(call, EM_EXIT_WRONG, "out of memory");
    const char *problem = find_program(path);
    if (!problem) {
        execv(path, words);
        problem = strerror(errno);
    }
    return em_complain(call, EM_EXIT_WRONG, "cannot start %s: %s", PROGRAM, problem);
}

const em_command em_cmd_serve = {
    .name = "serve",
    .words = "",
    .brief = "Serve the tools over HTTP, and a page on which people watch, undo and approve",
    .replace = replace,
};
