/* editor_files.h: mcp__editor__Edit with a list of files, of which all are changed or none. */
#ifndef EM_DIALECTS_EDITOR_FILES_H
#define EM_DIALECTS_EDITOR_FILES_H

#include "answers/answer.h"

em_status em_editor_change_files(const em_call *call, em_answer *answer);

#endif
