/* reason.h: why a call failed and what to do about it, in words that all dialects share.
 *
 * The sentence for a status and its cause is written once, here. A dialect puts around it what its
 * document demands, and words for itself only what its document words: a text that was not found,
 * and one that stands there too often or too seldom.
 */
#ifndef EM_DIALECTS_REASON_H
#define EM_DIALECTS_REASON_H

#include "dialects/reply.h"

/* What a status is called in answers that have codes. */
typedef struct em_code {
    const char *flat;     /* "NO_MATCH": where the answer's own fields say the rest */
    const char *envelope; /* "INVALID_PARAM": the codes of the standard envelope (envelope.h) */
} em_code;
em_code em_code_of(em_status status);

/* What went wrong: one sentence without a final full stop. In the arena. */
const char *em_reason(em_reply *reply);

/* Is it that a person had to say yes, and did not? */
bool em_is_of_consent(const em_error *error);

/* The sentence for that; `what` is what was to be done, "the change of a.txt". */
const char *em_reason_of_consent(em_reply *reply, const em_error *error, const char *what);

/* Of a file that is not there: is what stands in the way of its path a reason why none can be made
 * there either? The detail says what: a file where a folder should be, a link that leads nowhere.
 */
bool em_way_is_blocked(const em_error *error);

/* Is the folder that the path of a new file names, "new/", not even there? */
bool em_names_no_folder(const em_error *error);

/* Append what to do about it, each sentence on a line of its own that begins with '\n'. Where the
 * caller must look at the file, that names the reading tool, or shows the file where none is
 * offered. */
void em_add_advice(em_reply *reply);

/* Append the file's text itself, as far as it may be shown, if no reading tool is offered. */
void em_add_file_unless_readable(em_reply *reply);

/* Was a text looked for in an empty file? Then the only hint is that it is empty. */
bool em_misses_in_nothing(const em_reply *reply);

/* How a file is written anew with what is offered, as it is put behind "use"; NULL. */
const char *em_way_to_rewrite(em_reply *reply);

/* What a hint asks for. */
typedef enum em_hint_kind {
    EM_HINT_COPY,        /* send the file's own text */
    EM_HINT_WHITE_SPACE, /* look at blanks, tabs and line breaks */
    EM_HINT_ESCAPES,     /* look at what is written with backslashes, or as entities */
} em_hint_kind;

/* What may be wrong with a search text that was not found, likeliest first. */
typedef struct em_hint {
    em_hint_kind kind;
    const char *text;
    const em_near *near; /* the place where it can be seen; NULL */
    enum {
        EM_HINT_FACT,    /* it is so */
        EM_HINT_GENERAL, /* it holds of any text that was not found: look at the file */
        EM_HINT_GUESS,   /* it may be so; idle where it is known what is there instead */
    } sort;
} em_hint;
typedef struct em_hints {
    em_hint items[7];
    size_t count;
} em_hints;
em_hints em_hints_for_missing(em_reply *reply, em_slice find);

/* Is the hint worth its bytes, beside what is known of the text? */
bool em_hint_helps(const em_reply *reply, const em_hint *hint);

/* An example for it, with text of the file as far as that may be shown; NULL. */
const char *em_hint_example(em_reply *reply, const em_hint *hint);

/* Append, on new lines, what is known of a search text that was not found: what is like it, or
 * where its replacement stands already, or, where nothing is known, the text itself; then the hints
 * that help, and the file's text where none of the tools offered shows it. What to send instead is
 * for the caller to append, as the last of all (em_similar_add_correction). */
void em_add_missing(em_reply *reply, em_slice find);

/* The same without the text itself. */
void em_add_hints(em_reply *reply, em_slice find);

#endif
