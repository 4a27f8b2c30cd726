/* comment.h: is a line a comment, whatever the language? */
#ifndef EM_TOKENS_COMMENT_H
#define EM_TOKENS_COMMENT_H

#include "base/slice.h"

/* Does the line, without the blanks around it, begin as a comment does, or as the end of one? */
bool em_is_comment(em_slice line);

/* Is it one within a comment of several lines, which the line before it belongs to? */
bool em_goes_on_comment(em_slice line);

/* Does it begin or end a comment of several lines, and nothing else? */
bool em_delimits_comment(em_slice line);

#endif
