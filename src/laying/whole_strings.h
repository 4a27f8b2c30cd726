/* whole_strings.h: strings and here-documents over several lines, taken as one word each.
 *
 * Their lines stand where the text needs them, whatever the code around is indented by:
 *
 *   search text     file              replacement       result
 *     t = """           t = """         if p:               if p:
 *   one                               one
 *     """           one                 t = """               t = """
 *     f(t)              """           one                 one
 *                       f(t)              """                 """
 *
 * So they tell nothing of how deep the code belongs, and nothing tells how deep they do. Where both
 * texts have such a string as the file has it, and the code not, the lines of the string are left
 * out of all three; the edit is laid, and they are put back as they are in the file.
 */
#ifndef EM_LAYING_WHOLE_STRINGS_H
#define EM_LAYING_WHOLE_STRINGS_H

#include "match/tolerant.h"

enum { EM_WHOLE_STRINGS_REACH = 40 << 10 }; /* bytes to both sides of the place that are kept */

/* What is left out of the file of one of them, where a word stands. */
typedef struct em_whole_string {
    em_slice inner;
    bool is_document; /* its end is left out, too */
} em_whole_string;

/* An edit without the lines of its strings. */
typedef struct em_whole_strings {
    em_slice text; /* the file around the place */
    em_tolerant_place place;
    em_whole_string *items;
    size_t count;    /* 0: nothing is to be left out; then nothing else is set */
    size_t repeated; /* so many words the replacement has */
} em_whole_strings;

/* EM_E_NOMEM only. */
em_status em_take_whole_strings(em_slice text, const em_tolerant_place *place, em_arena *arena,
                                em_whole_strings *whole);

/* `laid` with what is left out for its words; *sound becomes false where these are not those of the
 * replacement, or do not stand as they did. EM_E_NOMEM only. */
em_status em_put_strings_back(const em_whole_strings *whole, em_slice laid, em_arena *arena,
                              em_slice *out, bool *sound);

#endif
