/* processor.h: what the processor that runs this is able to do.
 *
 * Where the C library has asked the processor already, when the program was started, its answer is
 * taken (glibc from 2.33 on): each question goes to the hypervisor on a virtual machine, and the
 * compiler's own functions ask a dozen before main(), which makes a start longer.
 */
#ifndef EM_BASE_PROCESSOR_H
#define EM_BASE_PROCESSOR_H

#include <stdbool.h>

/* Vector instructions of x86 that the system lets programs use. False on other machines. */
bool em_has_ssse3(void);
bool em_has_avx2(void);
bool em_has_avx512(void); /* its foundation, AVX-512F */

#endif
