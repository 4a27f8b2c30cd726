#include "session/other_encoding.h"

#include "base/utf8.h"

static const em_slice REPLACEMENT_CHARACTER = {"\xEF\xBF\xBD", 3};

/* Was it text of one byte a character, as far as can be told? */
static bool was_of_bytes(const em_outcome *outcome)
{
    em_slice bytes = outcome->file.bytes;
    return outcome->file.exists && !outcome->file.is_large && outcome->text.encoding == EM_UTF8 &&
           !em_slice_has_byte(bytes, '\0') && em_utf8_invalid_at(bytes) != EM_NPOS;
}

em_status em_check_other_encoding(const em_edit_request *request, em_arena *arena,
                                  em_outcome *outcome)
{
    em_slice content = request->ops[0].insert;
    if (request->encoding || em_is_ascii(content) || !was_of_bytes(outcome))
        return EM_OK;
    if (em_slice_holds(content, REPLACEMENT_CHARACTER) &&
        !em_slice_holds(outcome->file.bytes, REPLACEMENT_CHARACTER))
        return em_fail(&outcome->error, EM_E_INVALID,
                       "the content has U+FFFD, which is what bytes that are no UTF-8 are shown "
                       "as: they would be lost. Read the file with its encoding named (such as "
                       "\"encoding\": \"windows-1252\"), and write it with the same");
    return em_warn(&outcome->warnings, arena,
                   "The file was not UTF-8, and is now. To keep its encoding, undo this, and send "
                   "the content with that named (such as \"encoding\": \"windows-1252\")");
}
