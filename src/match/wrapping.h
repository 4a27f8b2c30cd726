/* wrapping.h: a replacement that came wrapped although its search text did not.
 *
 * Models show code in a fence, and changes as a patch, and copy what is shown to them with the
 * markers around it; all of it may end up in a replacement. Line numbers are in numbering.h. What
 * is wrapped on both sides is unwrap.h's.
 */
#ifndef EM_MATCH_WRAPPING_H
#define EM_MATCH_WRAPPING_H

#include "base/slice.h"

/* Does the text, a line or more, begin as a code fence does? */
bool em_begins_fence(em_slice text);

/* The lines between the first and the last line of a text that are a code fence, with their
 * endings. False where it is not fenced whole; blanks and empty lines around it do not count. */
bool em_fenced(em_slice text, em_slice *inside);

/* What is between `>>>` and `<<<`, in which answers of emend show a text to copy. False where the
 * text does not begin and end with these; blanks and empty lines around them do not count. */
bool em_marked(em_slice text, em_slice *inside);

/* Is a text one code block, with no other in it? */
bool em_is_code_block(em_slice text);

/* Is it a line that stands before the lines of a patch? */
bool em_is_patch_header(em_slice line);

/* Is the replacement a patch of the search text? Without its signs, and without the lines that it
 * adds, it is the search text, and it has lines of both signs; or else lines of one and the column
 * of the signs before all others. A header before its first line does not count. (A minus before a
 * number is none: nothing is added.) */
bool em_is_patch_of(em_slice find, em_slice insert);

/* How a text tells of a change, all of it. */
typedef enum em_change_form {
    EM_CHANGE_NONE,  /* it does not */
    EM_CHANGE_DIFF,  /* a unified diff, from the lines that name its file or from `@@ -` on */
    EM_CHANGE_BLOCK, /* `*** Begin Patch`, or a block from SEARCH to REPLACE */
} em_change_form;

em_change_form em_change_form_of(em_slice text);

/* Does the text begin as a block from SEARCH to REPLACE does, which may lack its end? */
bool em_begins_search_block(em_slice text);

/* Is the line the last one of such a block? */
bool em_ends_search_block(em_slice line);

#endif
