/* cut_indents.h: search texts that have a part of the blanks before their first line, or none.
 *
 * A text that stands there literally is replaced literally. Where its first line has lost blanks,
 * those that the file has before it stay, and the new text's come behind them:
 *
 *   search text   file          new text       result
 *     a();            a();          b();             b();
 *       c();          c();          c();           c();
 *
 * Where all of the search text's lines go, they come before the next line; and where whole lines
 * come before such an anchor, by an insertion or since the new text has it again behind them, it is
 * left without them. So are others that one line becomes, where they stand to it as if the file had
 * none of these blanks. Nobody but the caller can tell whether that was meant; so the edit is made,
 * and the line is told.
 */
#ifndef EM_REMARKS_CUT_INDENTS_H
#define EM_REMARKS_CUT_INDENTS_H

#include "remarks/planned_edit.h"

/* Warn of such lines, of some at most, by the numbers that they have after the edit. Of one that is
 * replaced: where the new text begins with other blanks than a search text that has a part of the
 * file's; or with all of the file's, where the search text has none but before another line, or all
 * of several lines of the new text have them; or where the search text is one line, the new text
 * has more, and these do not stand as in the file (bare_stance.h). Of a file that is not held
 * nothing is told. EM_E_NOMEM only. */
em_status em_remark_cut_indents(const em_planned_edit *edit, em_arena *arena,
                                em_warnings *warnings);

#endif
