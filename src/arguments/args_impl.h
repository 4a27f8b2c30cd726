/* args_impl.h: what arguments mean, for the files that check and repair them. */
#ifndef EM_ARGUMENTS_ARGS_IMPL_H
#define EM_ARGUMENTS_ARGS_IMPL_H

#include "arguments/args.h"

/* A table has fewer; an object with more is no slip of the pen, and is not repaired. */
enum { EM_MOST_NAMES = 64 };

bool em_is_of_type(em_param_type type, const json_t *value);

/* NULL: none has the name, nor the alias. */
const em_param *em_param_named(const em_param *params, const char *name);

/* The first parameter that is a path; NULL. */
const em_param *em_param_of_path(const em_param *params);

bool em_is_list_of_objects(const em_param *param);
bool em_is_list_of_strings(const em_param *param);

/* Is it a list that must have elements? */
bool em_needs_elements(const em_param *param);

/* Of what is an integer (em_is_of_type). */
json_int_t em_integer_value(const json_t *value);

/* What came as JSON text, unpacked, and a string that came as a number, as one; else the value. A
 * new reference. */
json_t *em_args_unpacked(const em_param *param, json_t *value);

/* The arguments (an object) with the paths of files in their place, where each object of a list
 * names one for itself; else as they are. A new reference; NULL when memory ran out. */
json_t *em_args_lifted(em_json *json, const em_param *params, json_t *arguments);

/* The arguments (an object) with what is said of a whole call, or a file, beside a list each of
 * whose objects says it. A new reference; NULL when memory ran out. */
json_t *em_args_raised(em_json *json, const em_param *params, json_t *arguments);

/* Is the name one of those, of this table (NULL: none), and is the value right for it? */
bool em_is_option_of(const em_param *params, const char *name, json_t *value);

/* Is the string one of the words? */
bool em_is_word_of(const char *const *words, const json_t *string);

/* The word that is most likely meant; NULL. */
const char *em_word_meant(const char *came, const char *const *words);

/* The words that what came is a part of, as "insert" is of "insert_before" and "insert_after", if
 * there are several, `most` at most; else 0. */
size_t em_words_with(const char *came, const char *const *words, const char **found, size_t most);

/* The second word of the parameter's pair that what came for the first means; NULL. */
const char *em_paired_word(const em_param *param, const json_t *value);

/* How much is wrong with the value, were it this parameter's. */
size_t em_faults_as(const em_param *param, json_t *value);

/* The parameter that an unknown name in `object` (NULL: not known) most likely means: the one that
 * has its place here (em_param.place_of); else of those that have another word for it, or a name
 * that is near, the one that the value fits best, then the other word's, then the nearest; NULL. */
const em_param *em_param_meant(const em_param *params, const char *name, json_t *value,
                               const json_t *object);

/* The parameter of an edit's two texts that an unknown name means beside one in `object` (NULL:
 * none) that is the other text's ("from" and "to"); NULL. */
const em_param *em_half_meant(const em_param *params, const char *name, const json_t *value,
                              const json_t *object);

/* Is it a name of an edit's text in any tool? */
bool em_is_name_of_text(const char *name);

/* Is it a name for what is said to whoever reads along? */
bool em_is_note(const char *name);

/* Has it the text that an edit looks for, by whatever name? */
bool em_has_text_to_search(const json_t *object);

/* Is it the text that comes for one to search, which the object has? Whoever leaves it out may mean
 * that nothing does. */
bool em_may_delete(const em_param *param, const json_t *object);

/* What is told of it then. */
#define EM_WAY_TO_DELETE " (\"\" deletes what is found)"

/* The parameters of an edit's two texts; false where the table has not both. */
bool em_edit_texts(const em_param *params, const em_param **goes, const em_param **comes);

/* The list, of those that the table has, whose objects are edits of one file; NULL. */
const em_param *em_edit_list(const em_param *params);

/* The list whose objects are files with such a list each; NULL. */
const em_param *em_list_of_files(const em_param *params);

/* Is a patch that comes by this name meant to be made? */
bool em_is_name_of_change(const char *name);

/* Is the value a text that is a patch, or blocks from SEARCH to REPLACE? EM_E_NOMEM only. */
em_status em_is_change(const json_t *value, em_arena *arena, bool *is);

/* What a text that is a patch, or blocks from SEARCH to REPLACE, says in the words of such objects:
 * a list of them, a new reference; NULL where it is none, or doubtful, or memory ran out. *path:
 * the file that it names, in `arena` or the text; empty: it names none. */
json_t *em_edits_of_change(em_json *json, const em_param *fields, em_slice text, em_arena *arena,
                           em_slice *path);

/* The same of one that may be of several files, in the words of objects that name one each and have
 * such a list. NULL also where they have none. */
json_t *em_files_of_change(em_json *json, const em_param *fields, em_slice text, em_arena *arena);

/* An object for each name of a map: from paths to contents, or from old texts to new ones. A new
 * reference; NULL where the value is none, or memory ran out. */
json_t *em_list_of_map(em_json *json, const em_param *fields, json_t *value, em_arena *arena);

/* The edit of which a list has the old text and the new one; NULL where it has none such. A new
 * reference. */
json_t *em_edit_of_pair(em_json *json, const em_param *fields, json_t *pair);

/* The operations on elements that one says in which several values came at once: attributes by
 * their names, or classes. A new reference; NULL where it is none such, or memory ran out. */
json_t *em_operations_of_values(em_json *json, const em_param *fields, json_t *operation);

/* Where a tool does several things, its own parameter says which. NULL: it does one. */
const em_param *em_chooser_of(const em_param *params);

/* Does an unknown name in `object` ask for what is done without it ("occurrences": 1 where a text
 * must be unique)? */
bool em_is_idle(const em_param *params, const char *name, json_t *value, const json_t *object);

/* Does an unknown name ask for all places where it is said here how many there are? The call
 * without it does what was meant if their number is right, and else their number is known when that
 * was tried out (em_args_take_count). */
bool em_asks_for_all(const em_param *params, const char *name, json_t *value);

/* Does an unknown name of an edit say how many places there are, more than one, where it is only
 * said here that all are meant? */
bool em_says_number(const em_param *params, const char *name, json_t *value);

/* Take such numbers out of repaired arguments: of each edit, of the only one of a list where it
 * stands beside that, or of the arguments, where these are the edit. EM_E_NOMEM only. */
em_status em_take_numbers(const em_param *params, json_t *meant, em_arena *arena,
                          em_said_numbers *said);

/* What an unknown name most likely means: a parameter, or a field of the objects in a list. */
typedef struct em_meaning {
    const em_param *list;   /* NULL: none */
    const em_param *param;  /* NULL: nothing is near */
    bool is_idle;           /* it can be left out */
    bool is_number_for_all; /* what came says "all of them", which is said by a number here */
    bool is_all_for_number; /* what came says how many, of which only "all of them" can be said */
    json_int_t number;      /* what came names lines; `param` is to be this. 0: it does not */
    const em_param *first;  /* it names two of them at once: this one is to be `first_line`; NULL */
    json_int_t first_line;
    bool is_backward; /* it names lines of which the last is before the first; no param */
} em_meaning;

/* Lines that other tools name otherwise: how many there are ("limit") where the last is named here,
 * the last where it is said here how many there are, both ends at once ("view_range"), or the first
 * counted from 0. No param: it is no such name or value, or what it says is given. */
em_meaning em_lines_meant(const em_param *params, const char *name, json_t *value,
                          const json_t *object);

/* The same of a value that came for the first line by its own name, and says both ("3-5"). */
em_meaning em_lines_in_first(const em_param *params, const em_param *param, const json_t *value,
                             const json_t *object);

/* A parameter by its name, else a list of objects that are right for it, else, if its value is
 * right there, one of the objects in a list: who knows another form of a tool leaves the list out.
 */
em_meaning em_meaning_of(const em_param *params, const char *name, json_t *value,
                         const json_t *object);

/* How many places are replaced, some tools say by their number, and others by whether it is all of
 * them: what a name for the one means where there is only the other. */
em_meaning em_places_meant(const em_param *params, const char *name);

/* The value as the objects of a list: what came as JSON text, and one object without its list. A
 * new reference. */
json_t *em_as_objects(const em_param *list, json_t *value);

/* What to tell of an unknown name in `object`: the same, but for a parameter that is given under
 * its own name. */
em_meaning em_meaning_told(const em_param *params, const char *name, json_t *value,
                           const json_t *object);

#endif
