/* patch_signs.h: two texts that came as the two sides of a patch, its signs before their lines, or
 * of which the first is the whole patch.
 *
 *   search text   "-    one();\n     two();"      file       one();
 *   replacement   "+    three();\n     two();"               two();
 *
 * Lines may only come, or only go, and a line `@@ ... @@` may stand before all others. No tier
 * changes anything for it: the signs may be of a list. But where the lines without them stand in
 * the file, it can be told what to send.
 */
#ifndef EM_DIAGNOSIS_PATCH_SIGNS_H
#define EM_DIAGNOSIS_PATCH_SIGNS_H

#include "base/arena.h"
#include "diagnosis/near_miss.h"

/* Has each line of `find` that is not empty a minus or a blank before it, and each of `insert` a
 * plus or a blank, and has each of both a sign, or one of them, and all lines that stay are the
 * same, of which there are some? Or has `find` lines with all three, and is `insert` what they
 * make? Then *mended has the texts without them, in `arena`. The header of a hunk before them does
 * not count. EM_E_NOMEM only. */
em_status em_patch_signs_of(em_slice find, em_slice insert, em_arena *arena, em_near_miss *mended,
                            bool *is);

/* The two sides of the lines of a hunk, each of which has a sign or a blank before it. */
em_status em_patch_sides(em_slice lines, em_arena *arena, em_near_miss *sides, bool *is);

#endif
