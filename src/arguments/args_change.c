/* args_change.c: edits that came as a patch, or as blocks from SEARCH to REPLACE.
 *
 * Who knows a tool that takes one sends it under a name of its own ("diff"), or in the place of the
 * edits. What it says is the two texts of each of its parts.
 */
#include "arguments/args_impl.h"

#include "diagnosis/whole_change.h"
#include "json/json_text.h"

const em_param *em_edit_list(const em_param *params)
{
    const em_param *goes, *comes;
    for (; params->name; params++)
        if (em_is_list_of_objects(params) && em_edit_texts(params->fields, &goes, &comes))
            return params;
    return NULL;
}

json_t *em_edits_of_change(em_json *json, const em_param *fields, em_slice text, em_arena *arena,
                           em_slice *path)
{
    const em_param *goes, *comes;
    em_told_change change;
    if (!em_edit_texts(fields, &goes, &comes))
        return NULL;
    if (em_told_change_read(text, arena, &change) != EM_OK)
        json->failed = true;
    if (json->failed || change.count == 0 || change.is_doubtful)
        return NULL;
    json_t *list = em_json_array(json);
    for (size_t i = 0; i < change.count; i++) {
        json_t *edit = em_json_object(json);
        em_json_set_text(json, edit, goes->name, change.parts[i].find);
        em_json_set_text(json, edit, comes->name, change.parts[i].insert);
        em_json_add(json, list, edit);
    }
    *path = change.path;
    return list;
}
