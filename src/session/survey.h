/* survey.h: what a call needs of a file that is too large to be held.
 *
 *   em_survey_make      one pass over the file: what it is, its hash, where the needles stand
 *   em_survey_extract   the places that matter, with what is around them, as a text
 *
 * What is found on the extract is what would be found in the file, as long as nothing reaches
 * farther from a place than the margin that was asked for. See text/extract.h.
 */
#ifndef EM_SESSION_SURVEY_H
#define EM_SESSION_SURVEY_H

#include "text/scan.h"
#include "workspace/large.h"
#include "workspace/speculation.h"

/* Lines around each place that an extract has at least, to either side: for contexts and previews.
 */
enum { EM_SURVEY_LINES = 24 };

/* What a change will probably be: the only place of `find`, and what comes there. Borrowed. */
typedef struct em_foresight {
    em_slice find, insert;
} em_foresight;

typedef struct em_survey {
    em_workspace *ws;
    em_file *file;
    em_arena *arena;
    em_error *err;
    em_scan scan;
    em_encoding encoding;
    em_foresight foresight;
    em_speculation *speculated; /* what is written while the file passes; NULL: nothing */
} em_survey;

/* What is looked for. All of it is borrowed. */
typedef struct em_survey_options {
    const em_slice *needles;
    size_t count;
    const em_foresight *foresight; /* its `find` is one of the needles: lets a file that is open for
                                      a change have its new content written meanwhile, where that
                                      pays; NULL */
} em_survey_options;

/* Pass over the file; survey->file->hash is known then. `options` NULL: nothing else is. Expected
 * failures: EM_E_BINARY; EM_E_CONFLICT: it was changed meanwhile; EM_E_TOO_LARGE: it is of a kind,
 * or the needles are, that a window is not enough for. */
em_status em_survey_make(em_survey *survey, em_workspace *ws, em_file *file,
                         const em_survey_options *options, em_arena *arena, em_error *err);

/* The bytes of the lines `first` to `last`, from 1, as far as the file has them. */
em_status em_survey_lines(const em_survey *survey, size_t first, size_t last,
                          em_scan_stretch *stretch);

/* The extract that has all places of needles, the stretches, and the start and the end of the file,
 * with whole lines around them and at least `margin` bytes to either side. It is the file's from
 * then on, and lives in the arena. EM_E_TOO_LARGE: that is more than may be held; EM_E_CONFLICT:
 * the file was changed since it was opened. */
em_status em_survey_extract(const em_survey *survey, const em_scan_stretch *stretches, size_t count,
                            size_t margin, em_text *text);

#endif
