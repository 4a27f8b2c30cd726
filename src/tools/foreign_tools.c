#include "tools/foreign_tools.h"

#include <string.h>

#include "tools/dialect.h"
#include "tools/nearest.h"

typedef struct role {
    unsigned flag;
    const char *const *names; /* NULL-terminated */
} role;

static const char *const readers[] = {
    "cat",       "view",       "view_file",        "open",
    "open_file", "show_file",  "get_file",         "get_file_contents",
    "load_file", "fetch_file", "get_file_content", "read_many_files",
    "head",      "print_file", "read_files",       "read_multiple_files",
    NULL};
static const char *const creators[] = {"create",   "new_file", "create_new_file",
                                       "add_file", "touch",    NULL};
static const char *const writers[] = {"write",        "write_to_file", "save_file",
                                      "save",         "overwrite",     "overwrite_file",
                                      "replace_file", "put_file",      NULL};
static const char *const editors[] = {"apply_patch",
                                      "patch",
                                      "apply_diff",
                                      "patch_file",
                                      "apply_edit",
                                      "apply_edits",
                                      "edit_block",
                                      "replace",
                                      "str_replace",
                                      "str_replace_editor",
                                      "update_file",
                                      "str_replace_based_edit_tool",
                                      "modify_file",
                                      "replace_in_file",
                                      "search_replace",
                                      "search_and_replace",
                                      "find_replace",
                                      "find_and_replace",
                                      "change_file",
                                      "replace_string_in_file",
                                      "insert",
                                      "multi_replace_string_in_file",
                                      "insert_text",
                                      "replace_text",
                                      "insert_content",
                                      "insert_edit_into_file",
                                      "insert_lines",
                                      "replace_file_content",
                                      "update",
                                      "multi_replace_file_content",
                                      NULL};
static const char *const element_editors[] = {
    "edit_html", "modify_html", "update_html",  "modify_dom",     "update_dom",
    "dom_edit",  "html_edit",   "edit_element", "update_element", NULL};

static const role roles[] = {{EM_TOOL_READS, readers},
                             {EM_TOOL_CREATES, creators},
                             {EM_TOOL_WRITES, writers},
                             {EM_TOOL_EDITS, editors},
                             {EM_TOOL_ELEMENTS, element_editors}};

unsigned em_foreign_tool_role(const char *name)
{
    for (size_t i = 0; i < sizeof roles / sizeof *roles; i++)
        if (em_is_one_name_of(roles[i].names, name))
            return roles[i].flag;
    return 0;
}

const char *em_bare_tool_name(const char *name)
{
    const char *bare = name;
    for (const char *at = name; *at; at++) {
        if (strchr(".:/", *at))
            bare = at + 1;
        else if (at[0] == '_' && at[1] == '_')
            bare = at + 2;
    }
    return *bare ? bare : name;
}
