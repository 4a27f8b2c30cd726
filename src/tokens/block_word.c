#include "tokens/block_word.h"

#include "base/ascii.h"

bool em_begins_block(em_slice line)
{
    static const char *const words[] = {"class", "def",    "elif",    "else",     "elseif",
                                        "elsif", "for",    "foreach", "function", "if",
                                        "macro", "module", "unless",  "until",    "while"};
    size_t length = 0;
    while (length < line.len &&
           (em_is_letter_or_digit(line.ptr[length]) || line.ptr[length] == '_'))
        length++;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (em_slice_is(em_slice_sub(line, 0, length), words[i]))
            return true;
    return false;
}
