#include "dialects/dom_encoding.h"

/* In a script or a style sheet, where a reference would be read as it is written. */
static void add_escape(em_reply *reply, em_slice element, unsigned code)
{
    if (em_slice_is(element, "style"))
        em_strbuf_printf(&reply->text, "write it as CSS does: \"\\%X \"", code);
    else if (code > 0xFFFF)
        em_strbuf_printf(&reply->text, "write it as a string of JavaScript has it: \"\\u{%X}\"",
                         code);
    else
        em_strbuf_printf(&reply->text, "write it as a string of JavaScript has it: \"\\u%04X\"",
                         code);
}

void em_dom_add_encoding_advice(em_reply *reply, const em_dom_op *op, const em_dom_outcome *failed)
{
    unsigned code = failed->lacking;
    const char *action = em_dom_action_name(op->action);
    const char *replacer = em_reply_tool_with(reply, EM_TOOL_REPLACES);
    if (code == 0) /* it is about the page, and its reason says what to do */
        return;
    em_strbuf_printf(&reply->text, "\n  Suggestion: %s ",
                     reply->outcome->text.encoding == EM_BYTES ? "Name the file's encoding, or"
                                                               : "The file keeps its encoding:");
    if (failed->raw_text.len > 0)
        add_escape(reply, failed->raw_text, code);
    else if (op->action == EM_DOM_SET_TEXT)
        em_strbuf_printf(&reply->text, "write the character as HTML does, with setHTML: \"&#%u;\"",
                         code);
    else if (op->action == EM_DOM_SET_HTML || op->action == EM_DOM_INSERT_ADJACENT_HTML)
        em_strbuf_printf(&reply->text,
                         "write the character as HTML does, in the value of %s: \"&#%u;\"", action,
                         code);
    else if (replacer)
        em_strbuf_printf(&reply->text,
                         "edit the tag as text with %s, where the character can be written as "
                         "\"&#%u;\"; %s would write the '&' of that as \"&amp;\"",
                         replacer, code, action);
    else
        em_strbuf_printf(&reply->text,
                         "give the element anew with setHTML of the one around it, where the "
                         "character can be written as \"&#%u;\"",
                         code);
    em_strbuf_putc(&reply->text, '.');
}
