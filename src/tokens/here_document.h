/* here_document.h: what begins a here-document, as shells, Perl, Ruby and PHP have them. */
#ifndef EM_TOKENS_HERE_DOCUMENT_H
#define EM_TOKENS_HERE_DOCUMENT_H

#include "base/slice.h"

typedef struct em_here_document {
    char mark;      /* '-' or '~': its lines may be indented; NUL: neither */
    bool is_quoted; /* the word is */
    em_slice word;  /* that ends it */
} em_here_document;

/* Of "<<EOF", "<<-EOF", "<<~'EOF'", at the beginning of the text. Without a word, a mark or a quote
 * nothing begins there that looks like one. */
em_here_document em_here_document_at(em_slice text);

/* The next "<<" at *at or behind it, and *at moved into it; false: there is none. */
bool em_here_document_next(em_slice text, size_t *at, em_here_document *document);

#endif
