#include "answers/near_told.h"

void em_add_near_files(em_reply *reply)
{
    const em_near_files *near = &reply->outcome->near_files;
    em_strbuf *text = &reply->text;
    if (near->is_clear) {
        em_strbuf_printf(text, "\nDid you mean %s?", em_reply_path_shown(reply, near->paths[0]));
        return;
    }
    for (size_t i = 0; i < near->count; i++)
        em_strbuf_printf(text, "%s%s", i == 0 ? "\nMay be meant: " : ", ",
                         em_reply_path_shown(reply, near->paths[i]));
    if (near->more)
        em_strbuf_puts(text, ", and others");
}
