/* growth.h: how many bytes the file has while ops go over its text, and whether that is allowed.
 *
 * What is counted are bytes of the file, in its encoding, not those of the text as UTF-8: a limit
 * is one of what is written. So only what may be written is held to it. What a sequence has between
 * two of its ops may have more, within bounds, since it has to be held.
 */
#ifndef EM_DRAFT_GROWTH_H
#define EM_DRAFT_GROWTH_H

#include "draft/draft.h"
#include "text/text.h"

typedef struct em_file_growth {
    const em_text *text;
    size_t most;     /* bytes that the file may have; 0: no limit */
    size_t was, now; /* bytes, with a BOM */
} em_file_growth;

void em_file_growth_init(em_file_growth *growth, const em_text *text, size_t most);

/* Count a splice that is about to be laid into the draft. EM_E_NOMEM, also where there are more
 * bytes than can be; EM_E_INVALID: the encoding has not what is inserted. */
em_status em_file_growth_add(em_file_growth *growth, const em_draft *draft, const em_splice *splice,
                             em_arena *arena, em_error *err);

/* Count that a text becomes another one at so many places. The same errors. */
em_status em_file_growth_replace(em_file_growth *growth, em_slice text, em_slice insert,
                                 size_t places, em_arena *arena, em_error *err);

/* May the file be written as it is now? One that is too large already may be changed as long as it
 * does not grow. */
bool em_file_growth_fits(const em_file_growth *growth);

/* May ops go on from here, if what comes of them all fits? */
bool em_file_growth_is_bearable(const em_file_growth *growth);

#endif
