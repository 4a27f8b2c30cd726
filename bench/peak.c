/* peak.c: how much memory a process has at most.
 *
 *     peak PROGRAM [ARGUMENT]...       prints kilobytes; its exit status is the program's
 *
 * The kernel starts that count of a process with what the process had before it became another
 * program. So somebody small must start it; this is for that. The program's output is thrown away.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    if (argc < 2) {
        fputs("Usage: peak PROGRAM [ARGUMENT]...\n", stderr);
        return 2;
    }
    pid_t pid = fork();
    if (pid == 0) {
        int nowhere = open("/dev/null", O_WRONLY);
        if (nowhere >= 0)
            dup2(nowhere, STDOUT_FILENO);
        execvp(argv[1], argv + 1);
        _exit(127);
    }
    int status = 0;
    struct rusage used = {0};
    if (pid < 0 || wait4(pid, &status, 0, &used) != pid) {
        perror("peak");
        return 2;
    }
    printf("%ld\n", used.ru_maxrss);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 126;
}
