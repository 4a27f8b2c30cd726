#include "remarks/remarks.h"

#include "remarks/curly_quotes.h"
#include "remarks/cut_indents.h"
#include "remarks/cut_lines.h"
#include "remarks/doubled_lines.h"
#include "remarks/escaped_lines.h"
#include "remarks/glued_lines.h"
#include "remarks/kept_endings.h"
#include "remarks/left_out.h"
#include "remarks/new_endings.h"
#include "remarks/other_blanks.h"
#include "remarks/other_endings.h"
#include "remarks/wrapped_text.h"

/* Of what edits a remark may be made. */
enum {
    OF_CONTENT = 1, /* of whole content, which has no place */
    OF_PART = 2,    /* where the text around the places alone is held */
};

static const struct {
    em_status (*make)(const em_planned_edit *edit, em_arena *arena, em_warnings *warnings);
    unsigned of;
} REMARKS[] = {
    {em_remark_other_endings, OF_CONTENT},
    {em_remark_cut_indents, OF_CONTENT},
    {em_remark_wrapped_text, OF_CONTENT},
    {em_remark_escaped_lines, OF_CONTENT},
    {em_remark_left_out, OF_CONTENT | OF_PART},
    {em_remark_glued_lines, OF_PART},
    {em_remark_kept_endings, 0},
    {em_remark_new_endings, 0},
    {em_remark_other_blanks, 0},
    {em_remark_curly_quotes, 0},
    {em_remark_doubled_lines, 0},
    {em_remark_cut_lines, 0},
};

em_status em_remark(const em_planned_edit *edit, em_arena *arena, em_warnings *warnings)
{
    bool is_content = edit->op_count == 1 && edit->ops[0].kind == EM_OP_REWRITE;
    unsigned kind = (is_content ? OF_CONTENT : 0) | (edit->is_part ? OF_PART : 0);
    for (size_t i = 0; i < sizeof REMARKS / sizeof *REMARKS; i++)
        if ((kind & ~REMARKS[i].of) == 0)
            EM_TRY(REMARKS[i].make(edit, arena, warnings));
    return EM_OK;
}
