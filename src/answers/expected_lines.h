/* expected_lines.h: lines that an edit expected (em_op.expected_text) as they were shown, with
 * their numbers before them.
 */
#ifndef EM_ANSWERS_EXPECTED_LINES_H
#define EM_ANSWERS_EXPECTED_LINES_H

#include "session/session.h"

typedef struct em_expected_lines {
    em_slice plain;     /* what was expected, without the numbers */
    em_slice insert;    /* the new lines, without theirs, if they carry such; else as they are */
    size_t first, last; /* the lines of the file that hold `plain`, from 1: those that the edit
                           names, else those that the numbers name; 0: neither do */
    bool as_named;      /* it is those that the edit names */
} em_expected_lines;

/* Did the edit fail (EM_CAUSE_STALE_TEXT) since what it expected has numbers before its lines? In
 * `arena`. False, too, where memory ran out. */
bool em_expected_numbered_lines(const em_outcome *outcome, em_arena *arena, em_expected_lines *out);

#endif
