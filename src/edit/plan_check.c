/* plan_check.c: is an op one that can be done, whatever the text holds? */
#include "edit/plan_impl.h"
#include "edit/template.h"
#include "match/placeholder.h"

static bool op_inserts(const em_op *op)
{
    return op->kind != EM_OP_DELETE;
}

bool em_op_is_restricted(const em_op *op)
{
    return em_op_searches(op) && (op->first_line > 0 || op->last_line > 0);
}

static bool op_is_insertion(const em_op *op)
{
    return op->kind != EM_OP_REPLACE && op->kind != EM_OP_DELETE && op->kind != EM_OP_LINES &&
           op->kind != EM_OP_REWRITE;
}

/* Why the op would change nothing whatever it finds; NULL. What a pattern becomes is not known yet.
 */
static const char *no_change_of(const em_planner *p, const em_op *op)
{
    if (op->kind == EM_OP_REPLACE && !em_op_is_pattern(op) && em_slice_eq(op->find, op->insert))
        return "the text is the same before and after";
    if (op_is_insertion(op) && op->insert.len == 0)
        return "there is nothing to insert";
    if (op->kind == EM_OP_DELETE && op->find.len == 0 && p->draft.length == 0)
        return "there is nothing to delete";
    return NULL;
}

/* Is what the op says written as it is? Of a template it is what comes of it, which may be in an
 * encoding that lacks the backslash; that is asked where it is laid in (growth.h). */
static bool is_written_as_it_is(const em_planner *p, const em_op *op)
{
    return op_inserts(op) && !(em_op_is_pattern(op) && p->text->map);
}

static em_status check_texts(const em_planner *p, const em_op *op)
{
    if (p->texts_are_plain && !p->text->map)
        return EM_OK;
    if (op_inserts(op) && em_slice_has_byte(op->insert, '\0'))
        return em_fail_cause(p->err, EM_E_INVALID, EM_CAUSE_NUL,
                             "the replacement holds a NUL character");
    if (op->kind == EM_OP_REWRITE)
        return EM_OK;
    em_slice unused;
    if (em_op_searches(op) && (p->text->encoding == EM_BYTES || p->text->is_utf8_too))
        EM_TRY(em_text_encode(p->text, op->find, p->arena, &unused, p->err));
    if (is_written_as_it_is(p, op))
        EM_TRY(em_text_encode(p->text, op->insert, p->arena, &unused, p->err));
    return EM_OK;
}

bool em_op_may_omit(const em_op *op)
{
    if (!em_op_searches(op) || !op_inserts(op))
        return false;
    return em_op_is_pattern(op) || em_placeholder_in(op->insert, op->find).len > 0;
}

em_status em_planner_check_placeholder(const em_planner *p, const em_op *op, em_slice replaced)
{
    em_slice omission = {0};
    if (p->policy->allow_placeholders || !op_inserts(op))
        return EM_OK;
    if (em_op_is_pattern(op))
        EM_TRY(em_template_omission(op->insert, op->find, p->arena, &omission));
    else
        omission = em_placeholder_in(op->insert, replaced);
    if (omission.len == 0)
        return EM_OK;
    return em_fail_cause(p->err, EM_E_INVALID, EM_CAUSE_PLACEHOLDER, "%.*s", (int)omission.len,
                         omission.ptr);
}

em_status em_planner_check_op(const em_planner *p, const em_op *op)
{
    bool is_empty = em_op_searches(op) && op->find.len == 0;
    if (is_empty && p->policy->demand_find)
        return em_fail_cause(p->err, EM_E_INVALID, EM_CAUSE_EMPTY_SEARCH,
                             "the search text is empty");
    const char *no_change = p->policy->allow_no_change ? NULL : no_change_of(p, op);
    if (no_change)
        return em_fail_cause(p->err, EM_E_INVALID, EM_CAUSE_NO_CHANGE, "%s", no_change);
    if (is_empty && p->draft.length > 0)
        return em_fail_cause(p->err, EM_E_INVALID, EM_CAUSE_EMPTY_SEARCH,
                             "an empty search text matches only an empty file");
    return check_texts(p, op);
}

em_status em_planner_check_placeholders(const em_planner *p)
{
    for (size_t i = 0; i < p->op_count; i++) {
        const em_op *op = &p->ops[i];
        if (!em_op_may_omit(op) || em_planner_check_placeholder(p, op, op->find) == EM_OK)
            continue;
        for (size_t j = 0; j <= i; j++) {
            if (p->err)
                p->err->edit = (ptrdiff_t)j;
            EM_TRY(em_planner_check_op(p, &p->ops[j]));
        }
        return em_planner_check_placeholder(p, op, op->find);
    }
    return EM_OK;
}
