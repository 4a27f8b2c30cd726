/* curly_quotes.h: curly quotes that begin and end a string of code.
 *
 * Models beautify quotes. What a tolerant tier finds is laid in with the file's quotes; what stands
 * there literally is replaced literally, and a program with `f(“a”)` in it is none.
 */
#ifndef EM_REMARKS_CURLY_QUOTES_H
#define EM_REMARKS_CURLY_QUOTES_H

#include "remarks/planned_edit.h"

/* Warn of the first line that comes with such quotes, by its number after the edit: they stand
 * where a string does, behind `=`, `+`, `return`, the parenthesis of a call, or a bracket; the file
 * has straight quotes, and no curly ones at all. What stands in a comment, or between straight
 * quotes, is for people to read, and so is a page of text. Of a file that is not held nothing is
 * told. EM_E_NOMEM only. */
em_status em_remark_curly_quotes(const em_planned_edit *edit, em_arena *arena,
                                 em_warnings *warnings);

#endif
