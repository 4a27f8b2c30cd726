/* descriptors.h: how many files a process may have open.
 *
 * Shells give 1,024 to a process, for the sake of programs that use select(); a process that works
 * for many at once needs more.
 */
#ifndef EM_BASE_DESCRIPTORS_H
#define EM_BASE_DESCRIPTORS_H

#include <stddef.h>

/* Raise this process's limit of open descriptors to what the system allows; how many that is. */
size_t em_raise_descriptor_limit(void);

/* How many it may have now. */
size_t em_descriptor_limit(void);

#endif
