/* elsewhere.h: what would come of a call in the file that is clearly meant by its path.
 *
 * The path led to no file, and who corrects it sends the same edits. They are planned there as in a
 * dry run that nobody sees: no lock, nothing is written or remembered, and it counts as no mistake.
 */
#ifndef EM_SESSION_ELSEWHERE_H
#define EM_SESSION_ELSEWHERE_H

#include "session/file_run.h"

/* Fill outcome->there, and by it ->further and ->next, where outcome->near_files has a file that is
 * clear. EM_E_NOMEM is the only failure. */
em_status em_try_elsewhere(const em_file_run *run);

#endif
