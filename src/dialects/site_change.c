#include "dialects/site_change.h"

const em_words em_site_edit_words = {
    .find = "search", .insert = "replace", .fill = "send an empty search"};

em_done em_site_done(const em_outcome *outcome)
{
    if (outcome->status == EM_OK)
        return EM_DONE_ALL;
    return outcome->error.edit >= 0 && outcome->done > 0 ? EM_DONE_PART : EM_DONE_NONE;
}

bool em_site_dom_failed(const em_outcome *outcome)
{
    return outcome->dom.failed_count > 0;
}

bool em_site_writes_whole(const em_site_change *of)
{
    return !of->list && !of->dom_list;
}
