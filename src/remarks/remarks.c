#include "remarks/remarks.h"

#include "remarks/curly_quotes.h"
#include "remarks/cut_indents.h"
#include "remarks/cut_lines.h"
#include "remarks/doubled_lines.h"
#include "remarks/escaped_lines.h"
#include "remarks/escaped_quotes.h"
#include "remarks/glued_lines.h"
#include "remarks/kept_endings.h"
#include "remarks/left_out.h"
#include "remarks/new_endings.h"
#include "remarks/other_blanks.h"
#include "remarks/other_endings.h"
#include "remarks/wrapped_text.h"

#include <limits.h>

/* Of what edits a remark may be made. */
enum {
    OF_CONTENT = 1, /* of whole content, which has no place */
    OF_PART = 2,    /* where the text around the places alone is held */
};

#define SIGNS "\n\r\t \\\xE2"

static const struct {
    em_status (*make)(const em_planned_edit *edit, em_arena *arena, em_warnings *warnings);
    unsigned of;
    const char *signs; /* some of SIGNS, of which an insert must have one; NULL: whatever it has */
} REMARKS[] = {
    {em_remark_other_endings, OF_CONTENT, NULL},
    {em_remark_cut_indents, OF_CONTENT, NULL},
    {em_remark_wrapped_text, OF_CONTENT, NULL},
    {em_remark_escaped_lines, OF_CONTENT, "\\"},
    {em_remark_escaped_quotes, 0, "\\"},
    {em_remark_left_out, OF_CONTENT | OF_PART, NULL},
    {em_remark_glued_lines, OF_PART, NULL},
    {em_remark_kept_endings, 0, NULL},
    {em_remark_new_endings, 0, "\r"},
    {em_remark_other_blanks, 0, "\n\r\t "},
    {em_remark_curly_quotes, 0, "\xE2"},
    {em_remark_doubled_lines, 0, "\n\r"},
    {em_remark_cut_lines, 0, NULL},
};

/* ---- Signs ------------------------------------------------------------------------------------
 */

/* Which bytes the inserts of some splices have; of long ones SIGNS alone are looked for. Thousands
 * of short ones, which lie far apart in memory, are gone through once then, and not by each. */
typedef struct signs {
    bool are_there[UCHAR_MAX + 1];
} signs;

static void signs_note(signs *s, em_slice insert)
{
    enum { SHORT = 64 };
    for (size_t i = 0; i < insert.len && insert.len <= SHORT; i++)
        s->are_there[(unsigned char)insert.ptr[i]] = true;
    for (const char *sign = SIGNS; *sign && insert.len > SHORT; sign++) {
        bool *is_there = &s->are_there[(unsigned char)*sign];
        *is_there = *is_there || em_slice_has_byte(insert, *sign);
    }
}

/* Content that is written anew is asked about as a whole, be what of it that changes as it is. */
static void signs_of(const em_planned_edit *edit, bool is_content, signs *s)
{
    *s = (signs){{false}};
    for (const char *sign = SIGNS; *sign && is_content; sign++)
        s->are_there[(unsigned char)*sign] = true;
    for (size_t i = 0; i < edit->plan->splices.count && !is_content; i++)
        signs_note(s, edit->plan->splices.items[i].insert);
}

static bool has_one_of(const signs *s, const char *of)
{
    while (of && *of && !s->are_there[(unsigned char)*of])
        of++;
    return !of || *of;
}

/* ---- All of them ------------------------------------------------------------------------------
 */

em_status em_remark(const em_planned_edit *edit, em_arena *arena, em_warnings *warnings)
{
    bool is_content = edit->op_count == 1 && edit->ops[0].kind == EM_OP_REWRITE;
    unsigned kind = (is_content ? OF_CONTENT : 0) | (edit->is_part ? OF_PART : 0);
    signs there;
    signs_of(edit, is_content, &there);
    for (size_t i = 0; i < sizeof REMARKS / sizeof *REMARKS; i++)
        if ((kind & ~REMARKS[i].of) == 0 && has_one_of(&there, REMARKS[i].signs))
            EM_TRY(REMARKS[i].make(edit, arena, warnings));
    return EM_OK;
}
