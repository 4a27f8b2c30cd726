/* args.h: the arguments of a call, checked against their table and then read.
 *
 * The check says of each fault which argument it is, by its path ("edits[2].old_text"), what was
 * expected and what came. The getters are for arguments that have passed it, and need no checks of
 * their own.
 */
#ifndef EM_ARGUMENTS_ARGS_H
#define EM_ARGUMENTS_ARGS_H

#include "arguments/members.h"
#include "diagnosis/patch_choice.h"
#include "diagnosis/whole_change.h"
#include "tools/dialect.h"
#include "json/json.h"

enum { EM_RETRY_LIMIT = 8192 }; /* bytes of arguments that are ready to send */

/* ---- The check ----------------------------------------------------------------------------- */

enum { EM_MOST_PROBLEMS = 5 }; /* told at once; who makes more makes one of them again and again */

typedef struct em_args_problem {
    const char *message; /* in the arena; sentences without a final full stop, one a line */
    ptrdiff_t edit;      /* the element of a list that the first of them is about, or EM_NO_EDIT */
} em_args_problem;

/* What an object of arguments, which need not have been checked, has for the parameter; borrowed.
 * NULL: it is not given. */
const json_t *em_param_value(const em_param *param, const json_t *object);

/* Do `arguments` (an object) hold what `params` asks? EM_E_INVALID when not, with *problem filled;
 * EM_E_NOMEM. A number without a fraction is an integer. */
em_status em_args_check(const em_param *params, const json_t *arguments, em_arena *arena,
                        em_args_problem *problem);

/* What arguments that do not pass the check were most likely meant to be: an unknown name becomes
 * the nearest known one, if that was not given, and a list, an object, a number or a boolean that
 * came as JSON text is unpacked. A new reference; NULL when memory ran out. */
json_t *em_args_read(em_json *json, const em_param *params, const json_t *arguments);

/* The same, and what should stand in a list of one object goes there, or out of one that should not
 * be there; files that the objects of a list name go beside it; and words are put right. NULL
 * where the outcome does not pass the check, or memory ran out. */
json_t *em_args_repair(em_json *json, const em_param *params, const json_t *arguments,
                       em_arena *arena);

/* The arguments that came in an object of their own ({"arguments": {...}}), as a copy; else those
 * that came. A new reference; NULL when memory ran out. */
json_t *em_args_unwrapped(const em_param *params, json_t *arguments);

/* The arguments with the patches alone that came by a name for one with something around them
 * (patch_prose.h). A new reference; NULL when memory ran out. */
json_t *em_args_without_prose(json_t *arguments, em_arena *arena);

/* All patches, and blocks from SEARCH to REPLACE, among the texts of the arguments, as one; none if
 * it has no parts. What em_args_repair() made of them is of whole lines, and where the end of one
 * is missing (is_cut), nothing is made of that. EM_E_NOMEM only. */
em_status em_args_find_changes(const json_t *arguments, em_arena *arena, em_told_change *all);

/* Is a patch among the arguments of several files, for a table that is of one? EM_E_NOMEM only. */
em_status em_args_patch_names_files(const em_param *params, const json_t *arguments,
                                    em_arena *arena, bool *names);

/* Put other texts for those of the edits in `meant` that came as these hunks, all of them, in their
 * order. false: it has not these edits, `chosen` is NULL, or memory ran out. */
bool em_args_take_hunks(const em_param *params, em_hunks hunks, const em_near_miss *chosen,
                        json_t *meant);

/* Do the objects of a list name several files, for a table in which the list is of one? */
bool em_args_name_files(const em_param *params, const json_t *arguments);

/* Does a table have a list of edits? */
bool em_args_take_edits(const em_param *params);

/* How many edits came, as a list or a patch by a name that is none there, for a table that has one
 * edit; 0: none, or it has a list of them. EM_E_NOMEM only. */
em_status em_args_count_edits(const em_param *params, const json_t *arguments, em_arena *arena,
                              size_t *count);

/* How many places there are, as arguments say by a name that is none, edit by edit, where it is
 * only said here that all are meant. */
typedef struct em_said_numbers {
    const em_param *params; /* of an edit */
    const em_param *list;   /* of edits; NULL: the arguments are one */
    json_int_t *items;      /* 0: nothing is said of that edit */
    size_t count;
} em_said_numbers;

/* What `given` says, of the edits that em_args_repair() makes of it. In `arena`. EM_E_NOMEM only.
 */
em_status em_args_numbers_said(const em_param *params, const json_t *given, em_arena *arena,
                               em_said_numbers *said);

/* Whose arguments asked for all places of a text where it is said here how many there are: the
 * number, when it is known, goes into `meant`, which came of `given` by em_args_repair(). So does
 * that all are meant, where the number that was found was said. false: that edit did not ask for
 * it, or memory ran out. */
bool em_args_take_count(const em_param *params, const json_t *given, const em_said_numbers *said,
                        em_miscount found, json_t *meant);

/* Was a number said of an edit, the first of which is *edit, that does not say in `meant` that all
 * are meant? */
bool em_args_lack_number(const em_said_numbers *said, const json_t *meant, size_t *edit);

/* ---- The arguments ------------------------------------------------------------------------- */

/* An object that has passed the check, with its table: the arguments, or an object among them. */
typedef struct em_args {
    const em_param *params;
    const json_t *object;
    const json_t *const *values; /* of the object, by the number of the parameter (members.h); NULL:
                                    they are looked for */
} em_args;

em_args em_args_of(const em_call *call);

/* The value of the argument `name`, also when it came by its alias; NULL when it was not given, or
 * is none of the table. */
const json_t *em_arg(em_args args, const char *name);

/* In brackets: what stands for an argument that was not given. */
em_slice em_arg_text(em_args args, const char *name);      /* any string (empty) */
const char *em_arg_string(em_args args, const char *name); /* EM_P_NAME or EM_P_PATH (NULL) */
bool em_arg_bool(em_args args, const char *name);          /* (false) */
size_t em_arg_size(em_args args, const char *name);        /* an integer of at least 0 (0) */
int64_t em_arg_integer(em_args args, const char *name);    /* (0) */
size_t em_arg_count(em_args args, const char *name);       /* elements of a list (0) */
em_args em_arg_element(em_args args, const char *name, size_t index); /* of a list of objects */

/* To go over so many elements takes some tenths of a millisecond. The other thread only reads them:
 * values are made, and let go of, by one thread (json_memory.h). */
enum { EM_ELEMENTS_WORTH_A_THREAD = 3000 };

/* A list of objects, for who goes over all of it: its elements, by number. An element is good until
 * the next one is asked for. */
typedef struct em_arg_list {
    em_members members; /* of the element that was asked for last */
    const json_t *array;
    size_t count;
} em_arg_list;
em_arg_list em_arg_elements(em_args args, const char *name);
em_args em_arg_at(em_arg_list *list, size_t index);

#endif
