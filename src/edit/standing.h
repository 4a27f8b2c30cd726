/* standing.h: do the lines of a caller's texts stand as deep as those of the file?
 *
 * Told by the lines that the search text, the replacement and the file all have. An edit may move
 * such a line deeper or less deep itself: where a block is put around it, or taken away. So only
 * those count above which, in the two texts, no line comes or goes that could have it in its block;
 * and those that stand in the replacement as in the file, where such a line could not have moved
 * them: out of a block they become less deep, into one deeper; and those that stand in the two
 * texts alike, but not as in the file, unless that put them into a block. Lines that the
 * replacement changes, or has for others, count where they stand in it as in the file, and in the
 * search text not.
 */
#ifndef EM_EDIT_STANDING_H
#define EM_EDIT_STANDING_H

#include "edit/redline.h"
#include "edit/tolerant.h"
#include "edit/transplant.h"

typedef struct em_standing {
    bool known;  /* there are lines that count; else those that are the least indented do */
    bool find;   /* all of them are indented in the search text as in the file */
    bool insert; /* some of them are so in the replacement, and none has the search text's slip; nor
                    does one that stands otherwise in all three differ from the search text by as
                    much */
    bool mends;  /* and none is so in the search text */
    bool mended; /* some line is so in the replacement, and is not in the search text */
    bool moves;  /* and is not in what was laid in */
    bool
        chance; /* some line is so in the replacement, which moves it, and not in the search text */
} em_standing;

/* `insert` is that of the place, with its tokens, and `laid` what the difference gave, or NULL; the
 * first line may not count. EM_E_NOMEM only. */
em_status em_standing_of(em_slice text, const em_tolerant_place *place, const em_tokened *insert,
                         const em_laid *laid, bool but_first, em_arena *arena,
                         em_standing *standing);

#endif
