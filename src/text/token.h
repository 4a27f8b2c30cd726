/* token.h: a text as words and signs, and what stands between them.
 *
 * Texts that mean the same are often written differently: another indentation, another quote, a
 * composed letter for a decomposed one. The tolerant tiers compare texts token by token, so they
 * need no normal form of a whole file, and every token knows its bytes.
 *
 *   - A word is a longest run of letters, marks, digits and `_`, of any script. A byte that is not
 *     valid UTF-8 counts as a letter: it is one, in some 8-bit encoding.
 *   - A sign is one other code point that is seen; a run of `-` or of `.` is one sign, so that it
 *     can equal a dash or an ellipsis; and where the writing is overlooked an HTML entity is the
 *     sign, or the blank, that it stands for.
 *   - What stands between two tokens is a gap: blanks and line endings, or nothing.
 *
 * Tokens are read forwards and backwards from any border, with the same result.
 */
#ifndef EM_TEXT_TOKEN_H
#define EM_TEXT_TOKEN_H

#include "base/arena.h"

/* How much of the writing is overlooked. */
typedef enum em_fold {
    EM_FOLD_NOTHING, /* tokens are equal byte by byte; blanks are space and tab */
    EM_FOLD_WRITING, /* quotes equal quotes, dashes equal dashes, entities the signs they stand for,
                        composed letters decomposed ones; no-break and other Unicode spaces are
                        blanks, and so is what has no width */
    EM_FOLD_CASE,    /* and letters equal their other case */
} em_fold;

typedef struct em_token {
    size_t start, end; /* bytes of the text */
} em_token;

typedef struct em_tokens {
    em_token *items;
    size_t count;
} em_tokens;

/* The first token that begins at `from` or behind it; `from` is a border of tokens. False at the
 * end of the text. */
bool em_token_next(em_slice text, size_t from, em_fold fold, em_token *token);

/* The last token that ends at `until` or before it; the same backwards. */
bool em_token_previous(em_slice text, size_t until, em_fold fold, em_token *token);

/* Where the blanks end that stand at `from`, a border of tokens, in its line. */
size_t em_line_blanks_end(em_slice text, size_t from, em_fold fold);

/* May a token begin or end at `offset`, or does one go on across it? `offset` is no part of a code
 * point. */
bool em_token_border(em_slice text, size_t offset, em_fold fold);

/* All tokens of `text`, in `arena`. EM_E_NOMEM only. */
em_status em_tokens_of(em_slice text, em_fold fold, em_arena *arena, em_tokens *tokens);

/* The bytes of a token. */
static inline em_slice em_token_bytes(em_slice text, em_token token)
{
    return em_slice_sub(text, token.start, token.end);
}

/* Two tokens' bytes, equal as far as `fold` cares. */
bool em_token_same(em_slice a, em_slice b, em_fold fold);

/* How letters with marks are written (Unicode Standard Annex 15): as one code point where there is
 * one (NFC), or apart (NFD). */
typedef enum em_letters { EM_LETTERS_COMPOSED, EM_LETTERS_APART } em_letters;

/* A word with its letters so: `word` itself, also where it cannot be had, or in `arena`. EM_E_NOMEM
 * only. */
em_status em_word_with(em_slice word, em_letters letters, em_arena *arena, em_slice *out);

/* Is it a word (else a sign)? */
bool em_token_is_word(em_slice token);

/* Is it a quote, of any style, that stands for ' or "? */
bool em_token_is_quote(em_slice token);

/* The sign that an entity stands for, and the straight quote for a curly one; any other token as it
 * is. */
em_slice em_token_plain(em_slice token);

/* What a gap is, at its strongest. */
typedef enum em_gap { EM_GAP_NONE, EM_GAP_BLANK, EM_GAP_BREAK } em_gap;
em_gap em_gap_of(em_slice gap);

/* A gap in its parts. `breaks` holds whatever stands between the first line ending and the last
 * one, both included, and is empty where there is none; then `trail` is the whole gap. */
typedef struct em_gap_parts {
    em_slice trail;  /* behind the text of the line */
    em_slice breaks; /* line endings, empty lines */
    em_slice indent; /* before the text of the next line */
} em_gap_parts;
em_gap_parts em_gap_split(em_slice gap);

/* How many line endings it holds; a CRLF is one. */
size_t em_gap_breaks(em_slice gap);

#endif
