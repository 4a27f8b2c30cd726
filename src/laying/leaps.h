/* leaps.h: lines that stand more than a step deeper than the line before them.
 *
 * Nobody indents two steps at once. Where the difference of two texts has such a line, and the
 * replacement as it is has none, the steps of the replacement are the file's, and those of the
 * search text are not:
 *
 *   search text   file            replacement     the difference
 *   if (p) {      if (p) {        if (p) {        if (p) {
 *     a();            a();            if (q) {            if (q) {
 *                                         b();                    b();
 *                                     }                   }
 *                                     a();                a();
 */
#ifndef EM_LAYING_LEAPS_H
#define EM_LAYING_LEAPS_H

#include "tokens/indent_habit.h"

/* How many lines of `text` leap, in a file that is indented so; 0 where its steps are not known.
 * Empty lines do not count. */
size_t em_count_leaps(em_slice text, em_indent_habit habit);

/* Are all lines of `text` whole steps deep, and in what the file's lines are indented with? */
bool em_is_in_steps(em_slice text, em_indent_habit habit);

/* Is no line of `text` less deep than the least deep one of `seen`? */
bool em_stays_within(em_slice text, em_slice seen);

#endif
