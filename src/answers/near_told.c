#include "answers/near_told.h"

#include "base/utf8.h"

/* A call is JSON; a command without a tool (emend edit) takes any name. */
static const char *told(em_reply *reply, const char *path)
{
    const char *shown = em_reply_path_shown(reply, path);
    return !reply->call->tool || em_utf8_invalid_at(em_slice_of(path)) == EM_NPOS
               ? shown
               : em_reply_format(reply, "%s (which is not UTF-8, so no call can name it)", shown);
}

void em_add_near_files(em_reply *reply)
{
    const em_near_files *near = &reply->outcome->near_files;
    em_strbuf *text = &reply->text;
    if (near->is_clear) {
        em_strbuf_printf(text, "\nDid you mean %s?", told(reply, near->paths[0]));
        return;
    }
    for (size_t i = 0; i < near->count; i++)
        em_strbuf_printf(text, "%s%s", i == 0 ? "\nMay be meant: " : ", ",
                         told(reply, near->paths[i]));
    if (near->more)
        em_strbuf_puts(text, ", and others");
}
