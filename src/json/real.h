/* real.h: doubles as JSON writes them, with a point, whatever locale the program has that calls. */
#ifndef EM_JSON_REAL_H
#define EM_JSON_REAL_H

#include <stdbool.h>

enum { EM_REAL_SIZE = 40 };

/* As few digits as bring the same double back, and never the looks of an integer. */
void em_real_text(double value, char text[static EM_REAL_SIZE]);

/* Read a number of JSON that is no integer. False where it is not the double's own value, but only
 * near it, or too large for any. */
bool em_real_read(const char *text, double *real);

#endif
