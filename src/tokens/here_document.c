#include "tokens/here_document.h"

#include "base/ascii.h"

em_here_document em_here_document_at(em_slice text)
{
    em_here_document document = {.mark = 0};
    size_t at = 2, end;
    if (!em_slice_starts(text, EM_LIT("<<")))
        return document;
    if (at < text.len && em_is_one_of(text.ptr[at], "-~"))
        document.mark = text.ptr[at++];
    document.is_quoted = at < text.len && em_is_one_of(text.ptr[at], "'\"");
    at += document.is_quoted;
    for (end = at; end < text.len && em_is_word_byte(text.ptr[end]);)
        end++;
    document.word = em_slice_sub(text, at, end);
    return document;
}

bool em_here_document_next(em_slice text, size_t *at, em_here_document *document)
{
    const char *found;
    while (*at < text.len && (found = memchr(text.ptr + *at, '<', text.len - *at))) {
        size_t start = (size_t)(found - text.ptr);
        *at = start + 1;
        if (*at < text.len && found[1] == '<') {
            *document = em_here_document_at(em_slice_from(text, start));
            return true;
        }
    }
    return false;
}
