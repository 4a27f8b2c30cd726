/* foreign_tools.h: what other programs call their tools.
 *
 * A model that learnt another program's tools calls `apply_patch` or `str_replace_editor`. Which of
 * the tools here does what that one did, their flags say: no tool is named in this room.
 */
#ifndef EM_TOOLS_FOREIGN_TOOLS_H
#define EM_TOOLS_FOREIGN_TOOLS_H

/* The flag (EM_TOOL_READS, ...) that a tool has which does what one of that name does elsewhere;
 * 0: the name is none of theirs. Letter case, '_' and '-' do not count. */
unsigned em_foreign_tool_role(const char *name);

/* The name without what clients put before it: "editFile" of "mcp__emend__editFile", "apply_patch"
 * of "functions.apply_patch". A part of `name`. */
const char *em_bare_tool_name(const char *name);

#endif
