/* gone.h: lines of the search text that the replacement takes away.
 *
 * A line that only ends a block is like many others. In a search text whose lines are otherwise
 * indented than the file's, nothing but its depth says which one goes; and once it has gone, the
 * next one is found in its place:
 *
 *   search text   file            the same, after the edit
 *   		a();     for (b) {       for (b) {
 *   	}            if (c) {        if (c) {
 *                           a();            a();
 *                       }           }
 *                   }
 */
#ifndef EM_LAYING_GONE_H
#define EM_LAYING_GONE_H

#include "match/tolerant.h"
#include "tokens/redline.h"

/* Does every line that only ends a block, and goes, stand as many steps from a line beside it that
 * stays as the search text says? Lines that have no indentation in the search text tell nothing.
 * `origin` is that of em_redline(); `sent` and `file` are what a step is. Where that of the search
 * text is not known (width 0) one step of the file may be any there. */
bool em_gone_ends_stand(em_slice text, const em_tolerant_place *place, const em_tokened *insert,
                        const size_t *origin, em_indent_unit sent, em_indent_unit file);

#endif
