/* threads.h: threads that are not to be had when a test says so, and how many were made. For who is
 * linked with threads.c and -Wl,--wrap=pthread_create. */
#ifndef EM_TESTS_UNIT_WORKSPACE_THREADS_H
#define EM_TESTS_UNIT_WORKSPACE_THREADS_H

#include <stdbool.h>

extern bool threads_fail;
extern int threads_made;

#endif
