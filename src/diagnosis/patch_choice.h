/* patch_choice.h: which of several equal stretches of a file a hunk is meant for.
 *
 *   file      1  a = 0;        patch   @@ -4,2 +4,2 @@        sent   b = 1;
 *             2  end                   -a = 0;                       a = 0;
 *             3  b = 1;                +a = 2;                       end
 *             4  a = 0;                 end
 *             5  end
 *
 * The lines that a hunk shows are often not unique, and its header says where they are. Tools that
 * take patches go by that; a search text has no header, but can show more lines of its place.
 */
#ifndef EM_DIAGNOSIS_PATCH_CHOICE_H
#define EM_DIAGNOSIS_PATCH_CHOICE_H

#include "base/arena.h"
#include "diagnosis/near_miss.h"
#include "text/text.h"

/* The hunks of a patch: of each its two sides, and its headers, as em_told_change has them. */
typedef struct em_hunks {
    const em_near_miss *parts;
    const em_slice *heads;
    size_t count;
} em_hunks;

/* The two sides of each hunk of one file, with as many lines of its place around as make it unique
 * in `text`; NULL where each is so without, or it is not certain of each which place is meant.
 * Numbers are, which count the lines of the hunk, if exactly one place is at them, in what the line
 * behind them begins, and all hunks that stand only once are as far from theirs; where there are
 * none such, another place there may not be near. A line is, if it is there once, and the first
 * place below is the only one in what it begins. In `arena`, none of it borrowed from `text`.
 * EM_E_NOMEM only. */
em_status em_patch_choose(const em_text *text, em_hunks hunks, em_arena *arena,
                          const em_near_miss **chosen);

#endif
