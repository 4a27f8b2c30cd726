/* directed.h: what the directives of a page (directive.h) begin and end, to be asked of many
 * ranges.
 *
 * em_control_torn() reads the code of a range for each question. A word counts as a directive only
 * where its end is found, which may be anywhere in the page; so the branches of all directives are
 * read once, and a question looks among those that begin or end within its range.
 */
#ifndef EM_HTML_DIRECTED_H
#define EM_HTML_DIRECTED_H

#include "html/control.h"

typedef struct em_directed {
    em_slice page;
    const em_range *pieces; /* borrowed, as `page` is */
    size_t piece_count;
    em_choices choices;
    struct em_directed_end {
        size_t at, branch;
    } * ends; /* of the branches that directives begin and end: in order */
    size_t end_count;
} em_directed;

/* Of the `pieces` of code between the tags of a page; in `arena`. EM_E_NOMEM. */
em_status em_directed_read(em_slice page, const em_range *pieces, size_t count, em_arena *arena,
                           em_directed *directed);

/* em_control_torn() for directives. */
em_range em_directed_torn(const em_directed *directed, em_range range, em_slice kept);

#endif
