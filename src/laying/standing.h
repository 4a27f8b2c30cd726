/* standing.h: do the lines of a caller's texts stand as deep as those of the file?
 *
 * The lines that the search text, the replacement and the file all have tell that:
 *
 *   search text   file             replacement      result
 *   if (p) {      if (p) {         if (p) {         if (p) {
 *     a();            a();             a();             a();
 *   }             }                    b();             b();
 *                                  }                }
 *
 * Here a() is less deep in the search text than in the file, and as deep in the replacement: the
 * replacement is right as it is. Had it a() two blanks deep, it would be mapped to the file's
 * depth.
 *
 * But an edit may move a line itself: it puts a block around it, or takes one away. So a line that
 * stays counts in three cases only:
 *
 *   - no line above it comes or goes that could have it in its block; or
 *   - it is as deep in the replacement as in the file, and the edit cannot have moved it there (out
 *     of a block a line becomes less deep, into one deeper); or
 *   - it is as deep in both texts, but not in the file, and does not go into a block.
 *
 * (A line stays where its first word does.) A line that the replacement has for another one counts
 * where it is as deep there as in the file, and was not in the search text.
 */
#ifndef EM_LAYING_STANDING_H
#define EM_LAYING_STANDING_H

#include "laying/transplant.h"
#include "match/tolerant.h"
#include "tokens/redline.h"

typedef struct em_standing {
    /* There are lines that count. Else those that are the least indented do. */
    bool known;
    /* All of them are as deep in the search text as in the file. */
    bool find;
    /* Some of them are as deep in the replacement as in the file; and none has the wrong depth of
     * the search text, nor differs from that, while wrong in all three texts, by as much as one
     * that is right. */
    bool insert;
    /* The replacement has the file's depth for a line that the search text has at another one; it
     * repeats no wrong depth, and no line of the search text was right. */
    bool insert_fixes_depth;
    /* The same, be other lines as they may. */
    bool some_line_fixed;
    /* And what was laid in has such a line at yet another depth. */
    bool fix_moves;
    /* A line that the edit moves comes to stand as in the file, which it did not in the search
     * text: its depth may be that of the file by coincidence. */
    bool may_be_coincidence;
    /* So it is: only that line, and those that were right in the search text, too, stand as in the
     * file. */
    bool is_coincidence;
} em_standing;

/* `insert` is that of the place, with its tokens, and `laid` what the difference gave, or NULL; the
 * first line may not count. EM_E_NOMEM only. */
em_status em_standing_of(em_slice text, const em_tolerant_place *place, const em_tokened *insert,
                         const em_laid *laid, bool but_first, em_arena *arena,
                         em_standing *standing);

#endif
