/* nearest.h: which known name did somebody mean by an unknown one? */
#ifndef EM_TOOLS_NEAREST_H
#define EM_TOOLS_NEAREST_H

#include <stdbool.h>
#include <stddef.h>

enum { EM_LONGEST_NAME = 64 }; /* bytes; longer ones are nobody's slip of the pen */

/* The name in small letters, without '_' and '-', as names are compared. Returns how long it is; 0
 * of one that is too long. */
size_t em_fold_name(const char *name, char out[EM_LONGEST_NAME]);

/* The string of `names` (NULL-terminated) that is most likely meant by `name`; NULL when none is
 * near. Letter case, '_' and '-' do not count. Near is, in this order: at most a third of it
 * differs (by edit distance, a swap of neighbours, or of two words, being one step); one holds the
 * other ("line" and "start_line"); they begin alike, by a third of the longer one ("old_text" and
 * "old_string", not "explanation" and "expected_hash"). A word that other tools have for something
 * else holds nothing, and begins like nothing ("expected_replacements" is neither "expected_hash"
 * nor "replace"), and is no slip of more than a letter of one with a meaning of its own
 * ("last_line", "start_line"). Of equals that wins which is nearer as it is written, where letter
 * case counts least ("editfile": editFile, not edit_file), then which begins alike for longer, then
 * the first.
 */
const char *em_nearest_name(const char *name, const char *const *names);

/* Do two names of arguments, or two words that are values, stand for the same in different tools
 * ("path" and "file", "old_string" and "search", "delete" and "remove")? Letter case, '_' and '-'
 * do not count. */
bool em_are_synonyms(const char *a, const char *b);

/* Are they one name, but for letter case, '_' and '-'? */
bool em_is_same_name(const char *a, const char *b);

/* Is it, so, one of these names, behind the last of which is NULL? NULL is none. */
bool em_is_one_name_of(const char *const *names, const char *name);

/* Has any tool a word like it, for whatever? */
bool em_is_word_of_tools(const char *name);

/* Is it a synonym, or is so little written otherwise that no other name is likely meant: at most a
 * third, where letter case, '_' and '-' do not count? */
bool em_is_name_slip(const char *name, const char *known);

/* The same, where a letter is all that may be wrong, and no digit: for names of which the like may
 * say the opposite ("no_replace_all") or count otherwise ("start_line_0"). */
bool em_is_letter_slip(const char *name, const char *known);

/* Is it a slip of a word that says what is done: two letters at most are wrong behind the first
 * one, it begins with the word ("append_text"), or it is a part of it ("before" of
 * "insert_before")? Words that are further apart may say the opposite ("insert_below_it"). */
bool em_is_word_slip(const char *came, const char *word);

/* Words of other tools for what no word does here, and the way to have it all the same. A table of
 * these ends with one that has no way. */
typedef struct em_foreign_words {
    const char *const *words; /* NULL-terminated */
    const char *way;          /* a sentence without its full stop */
} em_foreign_words;

/* The way to have what the word stands for elsewhere; NULL: the table, which may be NULL, has no
 * such word. */
const char *em_way_of_foreign(const em_foreign_words *table, const char *word);

#endif
