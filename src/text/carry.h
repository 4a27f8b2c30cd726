/* carry.h: an edit that was made for one version of a text is carried over to another.
 *
 * "Base" is the version that the edit was made for, "current" the one it is wanted in; others have
 * changed the one into the other. A stretch of the base is carried over where
 *
 *  (1) none of its lines is changed, removed or torn apart in the current text, and
 *  (2) it is plain where they are: the lines next to them on both sides are there too, and the two
 *      texts compared from the end pair them as from the start, so that they cannot be taken for
 *      their like; or else the same lines stand once in each of the two texts, and none of them may
 *      be gone, nor, of two that the stretch is between, torn from the other one by its like.
 *
 * What stands between two lines belongs to both of them. A last line that is not ended is the like
 * of those that are, and one of them that has changed.
 *
 * A splice is carried over only where it is plain, too, that others have not made it already:
 *
 *  (3) lines that it puts next to their like, or that are one of several, have all of these as
 *      they were, and
 *  (4) what others brought next to its lines is neither what it brings nor a part of that.
 *
 * One that brings an unended line where a line was ended, or the other way round, needs what stood
 * behind it, too: the next line, or the end of the text. So no two lines are joined that were not
 * next to each other in the base.
 */
#ifndef EM_TEXT_CARRY_H
#define EM_TEXT_CARRY_H

#include "text/hunks.h"

/* A hunk that only inserts, or only removes, may say the same some lines further up or down. */
typedef struct em_carry_slide {
    bool is_possible;
    size_t up, down; /* how far: bytes of lines */
} em_carry_slide;

/* How base became current, told in one way. */
typedef struct em_carry_way {
    em_line_hunks hunks;
    em_carry_slide *slides; /* of each hunk */
} em_carry_way;

typedef struct em_carry {
    em_lined base, current;
    em_carry_way forward, backward; /* compared from the start, and from the end */
} em_carry;

/* Compare the two; `newline` as in em_lined. Borrows them; in `arena`. EM_E_NOMEM only. */
em_status em_carry_init(em_carry *carry, em_slice base, em_slice current, em_slice newline,
                        em_arena *arena);

/* What of a stretch cannot be carried over: the lines in the base, and what stands there now. */
typedef struct em_carry_conflict {
    size_t base_start, base_end;
    size_t current_start, current_end;
    bool ambiguous; /* the lines are there, but it is not plain which they are */
    bool is_there;  /* what was to come, or some of it, has been brought there */
} em_carry_conflict;

/* Where the stretch [start, end) of the base begins in the current text: *to. False with *conflict
 * filled where it cannot be carried over. */
bool em_carry_stretch(const em_carry *carry, size_t start, size_t end, size_t *to,
                      em_carry_conflict *conflict);

/* The same of a stretch that holds the splice, which is to be made there. */
bool em_carry_around(const em_carry *carry, const em_splice *splice, size_t start, size_t end,
                     size_t *to, em_carry_conflict *conflict);

/* The same of a splice, whose bytes are the stretch. */
bool em_carry_splice(const em_carry *carry, const em_splice *splice, size_t *to,
                     em_carry_conflict *conflict);

/* Have others brought next to the lines of the stretch what `insert` would bring, or some of it?
 * Then *conflict is filled. */
bool em_carry_is_there(const em_carry *carry, size_t start, size_t end, em_slice insert,
                       em_carry_conflict *conflict);

/* Splices over the base as splices over the current text, in `arena`. EM_E_CONFLICT with *conflict
 * filled; EM_E_NOMEM. */
em_status em_carry_splices(const em_carry *carry, em_splices splices, em_arena *arena,
                           em_splices *out, em_carry_conflict *conflict);

#endif
