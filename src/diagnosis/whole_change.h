/* whole_change.h: a search text that is all of a change, in a form of other tools.
 *
 *   search text   <<<<<<< SEARCH        or   --- a/f.c            or   *** Begin Patch
 *                     one();                 +++ b/f.c                 *** Update File: f.c
 *                 =======                    @@ -1 +1 @@               @@
 *                     two();                 -    one();               -    one();
 *                 >>>>>>> REPLACE            +    two();               +    two();
 *                                                                      *** End Patch
 *
 * Who knows such a tool sends that with nothing as the replacement. No tier changes anything for
 * it. But where its one side stands in the file, it can be told what to send.
 */
#ifndef EM_DIAGNOSIS_WHOLE_CHANGE_H
#define EM_DIAGNOSIS_WHOLE_CHANGE_H

#include "base/arena.h"
#include "diagnosis/near_miss.h"

/* What a text changes, part by part. */
typedef struct em_told_change {
    em_near_miss *parts;
    em_slice *heads;  /* of each part the headers of its hunk (patch_place.h); of a block empty */
    size_t count;     /* 0: it is no change, or not of texts in one file alone */
    em_slice path;    /* of the file, where it names that; else empty */
    bool is_cut;      /* the marker at its end is missing, and what came before that may be, too */
    bool is_doubtful; /* it is cut, of two files, or also about how the file ends, or asks for */
    bool is_bare;     /* a part of it only brings lines, and nothing says where: it is none */
    em_slice more;    /* what is no text in a file, by this line: another mode, name or file; else
                         empty. Also where it has no parts */
} em_told_change;

/* Blocks, or the hunks of one file, perhaps in a code fence, or behind a line with the name of the
 * file, which may come again; in `arena`. EM_E_NOMEM only. */
em_status em_told_change_read(em_slice text, em_arena *arena, em_told_change *change);

/* What a text changes, file by file. */
typedef struct em_told_changes {
    em_told_change *files; /* each once; what follows is told of none of them alone */
    size_t count;          /* 1 at least */
    bool is_change;        /* all of it is; else it has something else, too, or nothing */
    bool is_cut, is_doubtful, is_bare;
    em_slice more;
} em_told_changes;

/* The same of several files. */
em_status em_told_changes_read(em_slice text, em_arena *arena, em_told_changes *all);

/* Room in the two arrays of a change that grows; zeroed where it is empty. */
typedef struct em_told_room {
    size_t parts, heads;
} em_told_room;

/* Append the parts of another change. EM_E_NOMEM. */
em_status em_told_change_append(em_told_change *to, const em_told_change *more, em_told_room *room,
                                em_arena *arena);

/* What a search text is if it is one block, or one hunk of one file. */
typedef struct em_whole_change {
    bool is;
    em_near_miss sides;
    em_slice heads; /* as em_told_change.heads */
    bool is_clear;  /* that these are meant: the replacement is empty, or the other side, and
                       nothing makes them doubtful */
    bool is_cut;    /* as em_told_change.is_cut */
} em_whole_change;

/* In `arena`. EM_E_NOMEM only. */
em_status em_whole_change_of(em_slice find, em_slice insert, em_arena *arena,
                             em_whole_change *whole);

/* Is `find` several blocks, or hunks of a diff or of a patch, be they of several files, too? */
bool em_is_of_several_changes(em_slice find);

#endif
