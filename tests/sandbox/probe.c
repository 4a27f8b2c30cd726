/* probe.c: what emend could do if it were made to.
 *
 * Loaded into emend before the libraries that it calls (LD_PRELOAD), it takes over two functions
 * that a call comes to after the sandbox: fcntl() for a lock, as the history's is, and iconv's
 * opening of a converter. The first time it tries what EMEND_PROBE names, one word an attempt, and
 * writes a line with the errno of each to standard error:
 *
 *   probe: read:/etc/passwd=13 run=1 socket=1 thread=0
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <iconv.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define TAKES_OVER __attribute__((visibility("default")))

TAKES_OVER int fcntl(int fd, int command, ...);
TAKES_OVER iconv_t iconv_open(const char *to, const char *from);

static int opened(const char *path, int flags)
{
    int fd = open(path, flags | O_CLOEXEC, 0600);
    int result = fd < 0 ? errno : 0;
    if (fd >= 0)
        close(fd);
    return result;
}

static int run_program(void)
{
    pid_t child = fork();
    if (child < 0)
        return errno;
    if (child == 0)
        _exit(0);
    waitpid(child, NULL, 0);
    return 0;
}

static int make_socket(void)
{
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    int result = fd < 0 ? errno : 0;
    if (fd >= 0)
        close(fd);
    return result;
}

static void *nothing(void *context)
{
    return context;
}

static int make_thread(void)
{
    pthread_t thread;
    int result = pthread_create(&thread, NULL, nothing, NULL);
    return result == 0 ? pthread_join(thread, NULL) : result;
}

static int attempt(const char *word)
{
    const char *colon = strchr(word, ':');
    const char *path = colon ? colon + 1 : "";
    if (strncmp(word, "read:", 5) == 0)
        return opened(path, O_RDONLY);
    if (strncmp(word, "write:", 6) == 0)
        return opened(path, O_WRONLY);
    if (strncmp(word, "make:", 5) == 0)
        return opened(path, O_WRONLY | O_CREAT | O_EXCL);
    if (strncmp(word, "chmod:", 6) == 0)
        return chmod(path, 0600) == 0 ? 0 : errno;
    if (strcmp(word, "run") == 0)
        return run_program();
    if (strcmp(word, "socket") == 0)
        return make_socket();
    return strcmp(word, "thread") == 0 ? make_thread() : -1;
}

static void try_all(void)
{
    char *words = getenv("EMEND_PROBE"), *rest = NULL, line[4096] = "probe:";
    if (!words)
        return;
    words = strdup(words);
    unsetenv("EMEND_PROBE");
    for (char *word = strtok_r(words, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
        size_t length = strlen(line);
        snprintf(line + length, sizeof line - length, " %s=%d", word, attempt(word));
    }
    fprintf(stderr, "%s\n", line);
    free(words);
}

/* What emend gives is an integer, or a pointer: either fits. */
int fcntl(int fd, int command, ...)
{
    int (*real)(int, int, void *);
    *(void **)&real = dlsym(RTLD_NEXT, "fcntl64"); /* what fcntl() is where offsets have 64 bits */
    va_list more;
    va_start(more, command);
    void *argument = va_arg(more, void *);
    va_end(more);
    if (command == F_OFD_SETLK)
        try_all();
    return real(fd, command, argument);
}

iconv_t iconv_open(const char *to, const char *from)
{
    iconv_t (*real)(const char *, const char *);
    *(void **)&real = dlsym(RTLD_NEXT, "iconv_open");
    try_all();
    return real(to, from);
}
