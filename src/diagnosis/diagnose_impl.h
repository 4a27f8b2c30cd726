/* diagnose_impl.h: what the files of a diagnosis share.
 *
 * A span is one of question->text where nothing else is said. All that can fail: EM_E_NOMEM; and
 * EM_E_TIMEOUT, where a deadline is asked.
 */
#ifndef EM_DIAGNOSIS_DIAGNOSE_IMPL_H
#define EM_DIAGNOSIS_DIAGNOSE_IMPL_H

#include "diagnosis/diagnose.h"

/* ---- What the search text got wrong (diagnose_miss.c) --------------------------------------- */

/* The first thing in which a place is written otherwise; what a looser tier forgives weighs more
 * than what a stricter one does. */
em_miss em_miss_of_place(em_slice text, const em_tolerant_place *place);

/* ---- What to send (diagnose_correction.c) --------------------------------------------------- */

/* `insert` is to come for the span. No correction where that lies outside of question->within. */
void em_correct(const em_question *q, em_span span, em_slice insert, em_diagnosis *d);

/* The same for what is laid onto the places, where that is clear. Places are in question->text. */
em_status em_correct_places(const em_question *q, const em_places *places, em_arena *arena,
                            em_diagnosis *d);

/* How often `find` stands in the text literally. */
size_t em_count_literally(em_slice text, em_slice find);

/* Texts that have the file's letters are laid onto it as any others are: else each line with
 * another letter in it would count as one that the file has not. (diagnose_spelling.c) */
em_status em_spell_as_file(em_slice text, em_tolerant_place *place, em_arena *arena);

/* ---- Near places (diagnose_near.c) ---------------------------------------------------------- */

/* A place that was found, which comes before all that only looks like it; there is room for it. */
em_status em_add_found(const em_question *q, em_span span, em_arena *arena, em_diagnosis *d);

/* All that a tier found, as many as there is room for. */
em_status em_add_all_found(const em_question *q, const em_places *places, em_arena *arena,
                           em_diagnosis *d);

/* What looks like the search text in the lines that were searched, behind what is told already. */
em_status em_find_near(const em_question *q, em_arena *arena, em_diagnosis *d);

/* The lines that were searched have nothing like it, or only what is much less like it. Have
 * others, or some of them together with others? Then that is meant, and not what stands in these.
 */
em_status em_find_beside(const em_question *q, em_arena *arena, em_diagnosis *d);

/* Were some lines of the text searched, and not all? */
bool em_is_restricted(const em_question *q);

/* Are the lines so long beside the search text that they cannot be half like it? */
bool em_is_far_longer(em_slice content, em_slice find);

/* The lines that a span touches, without the last ending. */
em_span em_lines_touched(em_slice text, em_span span);

/* Where the search text says that a line begins, or ends, the piece of these lines goes on to that,
 * unless it is far: what else the line has there is what it got wrong, and not the line break. */
em_span em_to_line_breaks(const em_question *q, em_span lines, em_span piece);

/* Do they share a line? Both are lines without the last ending. */
bool em_shares_line(const em_question *q, const em_near *near, em_span lines);

/* The span, `offset` bytes further on. */
static inline em_span em_moved_span(em_span span, size_t offset)
{
    return (em_span){span.start + offset, span.end + offset};
}

#endif
