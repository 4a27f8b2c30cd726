/* edit_code.c: the code of templates that an edit must leave whole. */
#include "dom/edit.h"
#include "html/directed.h"
#include "html/prescan.h"
#include "html/tag.h"

#include "base/utf8.h"

enum { SHOWN_MOST = 60 /* bytes of code */ };

/* ---- Braces that may be code ---------------------------------------------------------------- */

/* Those of the page as it is now. */
static em_status find_doubts(em_edit_plan *plan)
{
    EM_AUTO(em_arena) scratch = {0};
    em_prescan scan;
    em_error err = EM_ERROR_INIT;
    if (plan->doubts_known)
        return EM_OK;
    em_status status = em_prescan_page(plan->page->bytes, &scratch, &scan, &err);
    if (status == EM_E_NOMEM)
        return status;
    plan->doubts_known = true;
    if (status != EM_OK || scan.doubt_count == 0)
        return EM_OK; /* the guard says what is wrong with it */
    plan->doubts = em_alloc_array(plan->of_page, scan.doubt_count, sizeof *plan->doubts);
    if (!plan->doubts)
        return EM_E_NOMEM;
    memcpy(plan->doubts, scan.doubts, scan.doubt_count * sizeof *plan->doubts);
    plan->doubt_count = scan.doubt_count;
    return EM_OK;
}

/* Do the braces begin in the element, tag included, before `at`? */
static bool holds_doubt(const em_node *node, const em_code_doubt *doubt, size_t at)
{
    return node->start_tag.start < doubt->start && at >= doubt->start;
}

/* Does the edit write within the braces, or over a part of them? Does it stand in them, or at the
 * end of an element that holds them, or does it write that one's end tag? It is not known then. */
static bool is_touched(const em_code_doubt *doubt, const em_edit *edit)
{
    const em_splice *splice = &edit->splice;
    const em_node *node = edit->node;
    bool at_end = edit->kind == EM_EDIT_INSERT &&
                  (edit->position == EM_DOM_BEFOREEND || edit->position == EM_DOM_AFTEREND);
    bool overlaps = splice->offset < doubt->end && splice->offset + splice->length > doubt->start;
    bool within = node->start_tag.start >= doubt->start && node->start_tag.start < doubt->end;
    bool at_end_of_it = (at_end && holds_doubt(node, doubt, splice->offset)) ||
                        (edit->closed && holds_doubt(edit->closed, doubt, splice->offset));
    return (overlaps && (splice->length > 0 || splice->offset > doubt->start)) || within ||
           (at_end_of_it && !doubt->even);
}

static em_status check_doubts(em_edit_plan *plan, const em_edit *edit)
{
    em_slice bytes = plan->page->bytes;
    if (!plan->page->doubtful)
        return EM_OK;
    EM_TRY(find_doubts(plan));
    for (size_t i = 0; i < plan->doubt_count; i++) {
        const em_code_doubt *doubt = &plan->doubts[i];
        size_t end = doubt->end < bytes.len ? doubt->end : bytes.len;
        em_slice shown = em_slice_sub(bytes, doubt->start, end);
        if (is_touched(doubt, edit))
            return em_refuse(plan, EM_DOM_E_TEMPLATE,
                             "\"%.*s%s\" may be template code or HTML, and the edit would be "
                             "another in each of them; edit it as text",
                             (int)em_utf8_floor(shown, SHOWN_MOST), shown.ptr,
                             shown.len > SHOWN_MOST ? "..." : "");
    }
    return EM_OK;
}

/* ---- Code that belongs together ------------------------------------------------------------- */

/* What must be whole: what goes, and what an element without an end tag holds, which may have taken
 * more than its own. */
static em_range whole_range(const em_edit *edit)
{
    const em_splice *splice = &edit->splice;
    const em_node *node = edit->node;
    bool at_end = edit->kind == EM_EDIT_INSERT &&
                  (edit->position == EM_DOM_BEFOREEND || edit->position == EM_DOM_AFTEREND);
    bool open = node->end_tag.end == node->end_tag.start;
    if (at_end && open && splice->offset > node->start_tag.end)
        return (em_range){node->start_tag.end, splice->offset};
    return (em_range){splice->offset, splice->offset + splice->length};
}

/* The directives of the page as it is now. */
static em_status find_directed(em_edit_plan *plan)
{
    em_prescan scan;
    em_error err = EM_ERROR_INIT;
    if (plan->directed_known)
        return EM_OK;
    em_status status = em_prescan_page(plan->page->bytes, plan->of_page, &scan, &err);
    if (status == EM_E_NOMEM)
        return status;
    plan->directed_known = true;
    if (status != EM_OK)
        return EM_OK; /* the guard says what is wrong with it */
    return em_directed_read(plan->page->bytes, scan.pieces, scan.piece_count, plan->of_page,
                            &plan->directed);
}

/* The first code in the range that belongs to some outside of it. */
static em_status find_torn(em_edit_plan *plan, em_range range, em_slice kept, em_range *torn)
{
    EM_TRY(em_control_torn(&plan->control, range, kept, plan->scratch, torn));
    if (torn->end > 0 || !plan->page->directed || range.start == range.end)
        return EM_OK;
    EM_TRY(find_directed(plan));
    *torn = em_directed_torn(&plan->directed, range, kept);
    return EM_OK;
}

static em_status check_control(em_edit_plan *plan, const em_edit *edit)
{
    em_range torn, range = whole_range(edit);
    bool inserts = edit->kind == EM_EDIT_INSERT;
    if (edit->kind == EM_EDIT_ATTR || edit->kind == EM_EDIT_NO_ATTR)
        return EM_OK;
    EM_TRY(find_torn(plan, range, inserts ? (em_slice){0} : plan->op->value, &torn));
    if (torn.end == 0)
        return EM_OK;
    em_slice shown = em_slice_sub(plan->page->bytes, torn.start, torn.end);
    return em_refuse(
        plan, EM_DOM_E_TEMPLATE,
        "HTML has \"%.*s%s\" in <%.*s>, though it belongs to code outside of that, and "
        "%s; write the end tag of the element before it first, or edit it as text",
        (int)em_utf8_floor(shown, SHOWN_MOST), shown.ptr, shown.len > SHOWN_MOST ? "..." : "",
        EM_NAMED(edit->node), inserts ? "the new HTML would come behind it" : "it would go");
}

/* An end tag that is written for an element must be where code has that, neither more nor less
 * often. */
static em_status check_written(em_edit_plan *plan, const em_edit *edit)
{
    const em_node *tag = edit->closed;
    em_range torn;
    if (!tag)
        return EM_OK;
    EM_TRY(
        find_torn(plan, (em_range){tag->start_tag.end, edit->splice.offset}, (em_slice){0}, &torn));
    if (torn.end == 0)
        return EM_OK;
    em_slice shown = em_slice_sub(plan->page->bytes, torn.start, torn.end);
    return em_refuse(plan, EM_DOM_E_TEMPLATE,
                     "a tag </%.*s> that the page leaves out would have to be written there, and "
                     "\"%.*s%s\" decides whether it belongs there; write the tags of that "
                     "<%.*s> as text first, or edit it as text",
                     EM_NAMED(tag), (int)em_utf8_floor(shown, SHOWN_MOST), shown.ptr,
                     shown.len > SHOWN_MOST ? "..." : "", EM_NAMED(tag));
}

/* ---- Code that an element is a part of ------------------------------------------------------- */

static size_t skip_space_back(em_slice bytes, size_t at)
{
    while (at > 0 && em_html_space(bytes.ptr[at - 1]))
        at--;
    return at;
}

/* The brace that is open at `at` in the manner of JSX: single, and of no block, as "if (a) {" and
 * "else {" begin one; EM_NPOS: none is, nearby. */
static size_t open_brace(em_slice bytes, size_t at)
{
    size_t depth = 0, least = at > EM_CODE_NEARBY ? at - EM_CODE_NEARBY : 0;
    while (at-- > least) {
        depth += bytes.ptr[at] == '}';
        if (bytes.ptr[at] == '{' && depth-- == 0)
            break;
    }
    if (at + 1 <= least || bytes.ptr[at + 1] == '{' || bytes.ptr[at + 1] == '%')
        return EM_NPOS;
    size_t before = skip_space_back(bytes, at);
    em_slice head = em_slice_sub(bytes, 0, before);
    bool is_block = before > 0 && em_is_one_of(bytes.ptr[before - 1], "{)");
    return is_block || em_slice_ends(head, EM_LIT("else")) ? EM_NPOS : at;
}

/* Is it what an operator of JSX stands before: {a && <p>b</p>}, {c ? <p>d</p> : <p>e</p>}? Without
 * it, or with another beside it, that would be no code. */
static em_status check_operand(em_edit_plan *plan, const em_edit *edit)
{
    static const char *const operators[] = {"&&", "||", "??", "?", ":", "(", "=>"};
    em_slice bytes = plan->page->bytes;
    size_t end = skip_space_back(bytes, edit->node->start_tag.start), brace = EM_NPOS;
    bool beside = edit->kind == EM_EDIT_INSERT &&
                  (edit->position == EM_DOM_BEFOREBEGIN || edit->position == EM_DOM_AFTEREND);
    if (!beside && edit->kind != EM_EDIT_REMOVE)
        return EM_OK;
    for (size_t i = 0; i < sizeof operators / sizeof *operators && brace == EM_NPOS; i++)
        if (em_slice_ends(em_slice_sub(bytes, 0, end), em_slice_of(operators[i])))
            brace = open_brace(bytes, end);
    if (brace == EM_NPOS)
        return EM_OK;
    em_slice shown = em_slice_sub(bytes, brace, end);
    return em_refuse(plan, EM_DOM_E_TEMPLATE,
                     "code goes on to this <%.*s>, \"%.*s%s\", and would be wrong %s; edit it as "
                     "text, with that code",
                     EM_NAMED(edit->node), (int)em_utf8_floor(shown, SHOWN_MOST), shown.ptr,
                     shown.len > SHOWN_MOST ? "..." : "",
                     beside ? "with something beside it" : "without it");
}

em_status em_edit_check_code(em_edit_plan *plan, const em_edit *edit)
{
    if (edit->kind == EM_EDIT_NONE)
        return EM_OK;
    EM_TRY(check_doubts(plan, edit));
    EM_TRY(check_written(plan, edit));
    EM_TRY(check_operand(plan, edit));
    return check_control(plan, edit);
}
