/* writing.h: how the words and signs of a replacement are written in the file.
 *
 * What the replacement repeats is written as the file has it. A new sign takes the style that the
 * file was seen to have where the search text had another one, and a word that the search text had
 * misspelt the file's spelling; its letters are composed, or not, as those that were found. But
 * code ends where a comment or a string begins: what is plain becomes a curly quote, a dash or an
 * ellipsis only beside one that the file has in the same line, in the same words.
 */
#ifndef EM_LAYING_WRITING_H
#define EM_LAYING_WRITING_H

#include "match/tolerant.h"
#include "tokens/redline.h"

enum { EM_MOST_STYLES = 32 };

/* Where a sign stands, as far as its writing depends on that. */
typedef enum em_sign_role {
    EM_ROLE_OPENS,
    EM_ROLE_CLOSES,
    EM_ROLE_IN_WORD,
    EM_ROLE_SPACED,
    EM_ROLE_TIGHT
} em_sign_role;

/* A sign that the caller writes in one way and the file in another. */
typedef struct em_style {
    em_slice wanted, seen; /* `seen` empty: the file has it in several ways, none the caller's */
    em_sign_role role;
    bool comment; /* of a quote: is its line a comment? */
} em_style;

/* How the file writes; filled by em_writing_learn() from its first fields. */
typedef struct em_writing {
    em_slice text;
    const em_tolerant_place *place;
    em_tokened find, insert;
    const size_t *origin; /* of each token of `insert`, in `find`; EM_NPOS: new */
    const size_t *moved;  /* the same of those in lines that moved */

    em_style styles[EM_MOST_STYLES];
    size_t style_count;
    bool plain_entities;   /* the caller has entities where the file has plain signs, */
    bool plain_quotes;     /* or curly quotes where it has straight ones */
    bool trails_are_wrong; /* it has blanks behind lines, or in empty ones, where the file has none:
                              then they do not come in new ones */
    size_t misspelt[EM_MOST_STYLES]; /* words of the search text that the file writes otherwise */
    size_t misspelt_count;
    const em_slice *words; /* of `insert`, with letters as the file has them; NULL: as they came */
    const size_t *wrapped; /* of each token of `insert` that is a sign and new: the one of `find`
                              that stands between the same tokens, where lines break otherwise; or
                              EM_NPOS */
    /* of the line of `insert` that was asked for last */
    size_t line_start, line_end; /* its first token, and behind its last one */
    bool comment;
    bool quotes_stay;     /* new ones are as the caller wrote them */
    bool quotes_are_kept; /* repeated ones are the file's */
} em_writing;

/* See from the place how the file writes what the search text has otherwise. EM_E_NOMEM only. */
em_status em_writing_learn(em_writing *writing, em_arena *arena);

/* Token `index` of the replacement as it is written in the file. Asked from the first to the last.
 */
em_slice em_writing_of(em_writing *writing, size_t index);

#endif
