#include "text/folded.h"

#include "base/ascii.h"
#include "base/utf8.h"

size_t em_blank_at(em_slice text, size_t offset)
{
    unsigned char byte = (unsigned char)text.ptr[offset];
    if (byte < 0x80)
        return em_is_any_space(text.ptr[offset]);
    if (byte != 0xC2 && byte != 0xE2 && byte != 0xE3) /* what all of them begin with */
        return 0;
    size_t end = offset;
    uint32_t code = em_utf8_next(text, &end);
    bool blank = code == 0xA0 || (code >= 0x2000 && code <= 0x200A) || code == 0x202F ||
                 code == 0x205F || code == 0x3000;
    return blank ? end - offset : 0;
}

/* The end of the run of blanks at `from`, and whether it has a line ending. */
static size_t blanks_end(em_slice text, size_t from, bool *breaks)
{
    *breaks = false;
    for (size_t length; from < text.len && (length = em_blank_at(text, from)) > 0; from += length)
        *breaks = *breaks || em_is_line_break(text.ptr[from]);
    return from;
}

static em_status make_room(em_folded *folded, size_t length, em_arena *arena)
{
    if (folded->bytes && length < folded->room)
        return EM_OK;
    folded->room = length + length / 2 + 1;
    folded->bytes = em_alloc_array(arena, folded->room, 1);
    folded->origin = em_alloc_array(arena, folded->room, sizeof *folded->origin);
    return folded->bytes && folded->origin ? EM_OK : EM_E_NOMEM;
}

em_status em_fold_blanks(em_slice text, em_arena *arena, em_folded *folded)
{
    EM_TRY(make_room(folded, text.len, arena));
    size_t length = 0;
    for (size_t at = 0, end; at < text.len; at = end) {
        bool breaks;
        end = blanks_end(text, at, &breaks);
        folded->origin[length] = at;
        folded->bytes[length++] = end == at ? text.ptr[at] : breaks ? '\n' : ' ';
        end += end == at;
    }
    folded->origin[length] = text.len;
    folded->text = em_slice_make(folded->bytes, length);
    return EM_OK;
}

size_t em_folded_forward(em_slice text, size_t from, size_t units, size_t most)
{
    size_t at = from;
    if (text.len - from > most)
        text.len = from + most;
    for (; units > 0 && at < text.len; units--) {
        bool breaks;
        size_t start = at;
        at = blanks_end(text, start, &breaks);
        if (at > start)
            continue;
        for (at++; em_utf8_continues(text, at);)
            at++;
    }
    return at;
}

/* The length of the blank that ends at `end`. */
static size_t blank_before(em_slice text, size_t end)
{
    enum { LONGEST_BLANK = 3 };
    for (size_t length = 1; length <= LONGEST_BLANK && length <= end; length++)
        if (em_blank_at(text, end - length) == length)
            return length;
    return 0;
}

em_slice em_without_outer_blanks(em_slice text)
{
    size_t start = 0, end = text.len;
    for (size_t length; start < end && (length = em_blank_at(text, start)) > 0;)
        start += length;
    for (size_t length; start < end && (length = blank_before(text, end)) > 0;)
        end -= length;
    return em_slice_sub(text, start, end);
}

size_t em_folded_back(em_slice text, size_t from, size_t units, size_t most)
{
    size_t least = from > most ? from - most : 0, at = from;
    for (; units > 0 && at > least; units--) {
        size_t end = at;
        for (size_t length; at > least && (length = blank_before(text, at)) > 0;)
            at -= length;
        if (at < end)
            continue;
        for (at--; at > least && em_utf8_continues(text, at);)
            at--;
    }
    return at;
}
