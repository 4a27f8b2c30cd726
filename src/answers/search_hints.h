/* search_hints.h: what may be wrong with a search text that was not found, and what of the file
 * shows it; in words that all dialects share.
 */
#ifndef EM_ANSWERS_SEARCH_HINTS_H
#define EM_ANSWERS_SEARCH_HINTS_H

#include "answers/reply.h"

/* Was a text looked for in an empty file? Then the only hint is that it is empty. */
bool em_misses_in_nothing(const em_reply *reply);

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
    bool stood_before; /* the edits before it in the call have changed it: that is the reason */
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
