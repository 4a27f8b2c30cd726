/* process.h: the servers that are weighed, as processes of their own. */
#ifndef EM_BENCH_LOAD_PROCESS_H
#define EM_BENCH_LOAD_PROCESS_H

#include <stdbool.h>
#include <sys/types.h>

enum { MOST_FLAGS = 32, LONGEST_TOKEN = 200 };

typedef struct server {
    pid_t pid;                 /* 0: none */
    int in, out;               /* its standard input and output */
    int port;                  /* of one that listens */
    char token[LONGEST_TOKEN]; /* what it wants to be shown; "": nothing */
} server;

/* Start `argv` (ends with NULL) with both its ends in our hands; its errors go where ours go. Ends
 * the program where that fails. */
server server_start(const char *const argv[]);

/* Read what a server that listens says of its address: the first http:// in its output, and the
 * token behind it. Ends the program where there is none. */
void server_read_address(server *s);

/* Ask it to end, and wait until it has. */
void server_stop(server *s);

/* What the process has in memory, KB: "VmRSS", or "RssAnon", which leaves out files that it has
 * mapped; 0 where that cannot be read. */
long server_memory_kb(const server *s, const char *kind);

#endif
