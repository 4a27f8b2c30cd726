/* file_system.h: what is known of the kinds of file systems, by the number that statfs(2) gives.
 */
#ifndef EM_SYSTEM_FILE_SYSTEM_H
#define EM_SYSTEM_FILE_SYSTEM_H

#include <stdbool.h>
#include <stdint.h>

typedef struct em_file_system {
    uint32_t magic; /* f_type of statfs(2) */
    const char *name;
    bool exchanges; /* two names at once, in every version that can be met today */
    bool remote;    /* other machines may change it at the same time */
} em_file_system;

/* NULL: one that is not known; it may be remote. */
const em_file_system *em_file_system_of(uint64_t magic);

#endif
