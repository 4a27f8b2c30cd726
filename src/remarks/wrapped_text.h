/* wrapped_text.h: new text that came with what tools show around text, or before its lines.
 *
 * A caller that has just seen lines with their numbers may send new ones so, and may have put its
 * code in a fence, or have made a patch of its change. Where the place is not in doubt the new text
 * is taken as it is: nobody but the caller can tell whether that was meant.
 */
#ifndef EM_REMARKS_WRAPPED_TEXT_H
#define EM_REMARKS_WRAPPED_TEXT_H

#include "remarks/planned_edit.h"

/* Warn of the first such text of a call. Line numbers (em_brings_numbers) are told of where lines,
 * or a text, are replaced; with a colon they may be a list's, so they must be those of the lines
 * that go. A fence, where what it holds has lines of the text that goes, or is the whole content;
 * not in a page of Markdown or the like, nor in a file with fences. A patch, where it is one of
 * that text, and the file holds none. Of a file that is not held nothing is told. EM_E_NOMEM only.
 */
em_status em_remark_wrapped_text(const em_planned_edit *edit, em_arena *arena,
                                 em_warnings *warnings);

#endif
