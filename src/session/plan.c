#include "session/plan.h"

#include "base/utf8.h"
#include "dom/changes.h"
#include "html/meta.h"
#include "match/placeholder.h"

static em_status status_of(em_dom_code code)
{
    switch (code) {
    case EM_DOM_E_NO_MATCH:
        return EM_E_NO_MATCH;
    case EM_DOM_E_AMBIGUOUS:
    case EM_DOM_E_COUNT:
        return EM_E_COUNT;
    default:
        return EM_E_INVALID;
    }
}

static em_cause cause_of(em_dom_code code)
{
    return code == EM_DOM_E_ENCODING      ? EM_CAUSE_ENCODING
           : code == EM_DOM_E_PLACEHOLDER ? EM_CAUSE_PLACEHOLDER
                                          : EM_CAUSE_NONE;
}

em_status em_plan_blame_element(em_outcome *outcome)
{
    size_t index = 0;
    if (outcome->dom.failed_count == 0)
        return EM_OK;
    while (outcome->dom.outcomes[index].status != EM_DOM_FAILED)
        index++;
    const em_dom_outcome *failed = &outcome->dom.outcomes[index];
    em_status status = em_fail_cause(&outcome->error, status_of(failed->code),
                                     cause_of(failed->code), "%s", failed->reason);
    outcome->error.edit = (ptrdiff_t)index;
    return status;
}

enum { MOST_NAMES = 2 };

/* The charset that a page of unknown encoding says it has, and a larger one: browsers take the name
 * of the smaller for that. */
static em_status declared_names(const em_text *page, em_arena *arena, const char **names,
                                size_t *count)
{
    em_slice declared = em_meta_charset(page->body);
    *count = 0;
    if (declared.len == 0)
        return EM_OK;
    names[0] = em_arena_string(arena, declared);
    names[1] = "windows-1252";
    if (!names[0])
        return EM_E_NOMEM;
    bool larger = strcasecmp(names[0], "iso-8859-1") == 0 || strcasecmp(names[0], "latin1") == 0 ||
                  strcasecmp(names[0], "us-ascii") == 0;
    *count = larger ? 2 : 1;
    return EM_OK;
}

/* Which of these has the characters of `utf8`; *name is NULL where none has. */
static em_status find_declared(const em_text *page, em_slice utf8, em_arena *arena,
                               const char **name)
{
    const char *names[MOST_NAMES];
    size_t count;
    *name = NULL;
    EM_TRY(declared_names(page, arena, names, &count));
    for (size_t i = 0; i < count && !*name; i++) {
        em_error unused = EM_ERROR_INIT;
        em_text text;
        em_slice encoded;
        em_status status = em_text_new(names[i], arena, &text, &unused);
        if (status == EM_OK && text.encoding == EM_NAMED)
            status = em_text_encode(&text, utf8, arena, &encoded, &unused);
        if (status == EM_E_NOMEM)
            return status;
        *name = status == EM_OK && text.encoding == EM_NAMED ? names[i] : NULL;
    }
    return EM_OK;
}

/* Why the op cannot be written: `why`, or what the page says of its encoding. */
static em_status tell_unwritable(const em_text *page, em_slice utf8, const char *why,
                                 em_arena *arena, em_dom_op *op)
{
    const char *declared = NULL;
    em_slice meta = em_meta_charset(page->body);
    EM_TRY(em_text_find_lacking(page, utf8, arena, &op->lacking));
    if (page->encoding == EM_BYTES && op->lacking)
        EM_TRY(find_declared(page, utf8, arena, &declared));
    op->unwritable =
        declared
            ? em_arena_format(arena,
                              "%s: the file is not UTF-8; its <meta> names %.*s, so send "
                              "`encoding`: \"%s\", which has the character",
                              em_utf8_name_of(op->lacking).text, (int)meta.len, meta.ptr, declared)
            : em_arena_string(arena, em_slice_of(why));
    return op->unwritable ? EM_OK : EM_E_NOMEM;
}

/* Where the page cannot hold what an operation writes, that one alone fails. */
static em_status note_unwritable(const em_text *page, em_dom_op *op, em_arena *arena)
{
    em_dom_texts written = em_dom_written_by(op);
    for (size_t i = 0; i < sizeof written.texts / sizeof *written.texts && !op->unwritable; i++) {
        em_error why = EM_ERROR_INIT;
        em_slice unused;
        em_status status = em_text_encode(page, written.texts[i], arena, &unused, &why);
        if (status == EM_E_INVALID)
            status = tell_unwritable(page, written.texts[i], why.detail, arena, op);
        EM_TRY(status);
    }
    return EM_OK;
}

/* Characters beyond ASCII that are looked for in bytes of which it is not known what they mean. */
static em_status note_incomparable(const em_text *page, em_dom_op *op, em_arena *arena)
{
    em_dom_texts compared = em_dom_compared_by(op);
    if (page->encoding != EM_BYTES)
        return EM_OK;
    for (size_t i = 0; i < sizeof compared.texts / sizeof *compared.texts; i++) {
        em_error why = EM_ERROR_INIT;
        em_slice unused, text = compared.texts[i];
        if (op->unwritable)
            return EM_OK;
        em_status status = em_text_encode(page, text, arena, &unused, &why);
        if (status == EM_E_INVALID)
            status = tell_unwritable(page, text, why.detail, arena, op);
        EM_TRY(status);
        op->lacking = 0; /* it cannot be written otherwise */
    }
    return EM_OK;
}

/* The operations, each with what is said of what it writes and looks for. */
static em_status checked_ops(const em_planning *p, em_dom_op **ops)
{
    size_t count = p->request->dom_op_count;
    *ops = em_alloc_array(p->arena, count, sizeof **ops);
    if (!*ops)
        return EM_E_NOMEM;
    memcpy(*ops, p->request->dom_ops, count * sizeof **ops);
    for (size_t i = 0; i < count; i++) {
        (*ops)[i].omission_in = p->policy->allow_placeholders ? NULL : em_placeholder_in;
        EM_TRY(note_incomparable(p->base.text, &(*ops)[i], p->arena));
        EM_TRY(note_unwritable(p->base.text, &(*ops)[i], p->arena));
    }
    return EM_OK;
}

/* ---- The two kinds --------------------------------------------------------------------------- */

/* The edits of texts, over what the operations on elements left. */
static em_status plan_texts(const em_planning *p, em_splices before)
{
    em_policy then = *p->policy;
    then.before = before;
    em_plan_request texts = {p->base, &then, p->request->ops, p->request->op_count};
    return em_plan_make(&texts, p->arena, &p->outcome->plan, &p->outcome->failure,
                        &p->outcome->error);
}

/* The operations on elements alone, as `ops`. */
static em_status plan_elements(const em_planning *p, const em_dom_op *ops, em_dom_plan *dom)
{
    return em_dom_plan_make(p->base.text->body, ops, p->request->dom_op_count, p->policy->deadline,
                            p->arena, dom, &p->outcome->error);
}

/* ---- What was probably meant ----------------------------------------------------------------- */

/* The op with the texts that were meant; what was given as another one is not that then. */
static em_dom_op with_texts(em_dom_op op, em_dom_meant meant)
{
    bool is_class = meant.old_class.len > 0 || meant.new_class.len > 0;
    if (meant.attr.len > 0 || is_class)
        op.value = (em_slice){0};
    if (meant.attr.len > 0)
        op.attr = meant.attr;
    if (meant.old_class.len > 0)
        op.old_class = meant.old_class;
    if (meant.new_class.len > 0)
        op.new_class = meant.new_class;
    if (meant.value.len > 0)
        op.value = meant.value;
    op.unusable = NULL;
    return op;
}

/* An attribute that no element has was not meant. */
static bool has_attributes(const em_dom_plan *tried, const em_dom_plan *dom)
{
    for (size_t i = 0; i < dom->op_count; i++)
        if (dom->outcomes[i].meant.attr.len > 0 && tried->outcomes[i].change_count == 0)
            return false;
    return true;
}

/* The op, or if it failed what was probably meant. */
static em_dom_op meant_by(const em_dom_op *op, const em_dom_outcome *outcome, bool *corrected)
{
    em_dom_op meant = *op;
    bool named = em_dom_names_meant(outcome);
    if (outcome->status != EM_DOM_FAILED || (!named && !em_dom_suggests(outcome)))
        return meant; /* it may build on one that is corrected */
    meant.only = NULL;
    if (!named)
        meant.selector = outcome->selector_error.suggested;
    *corrected = true;
    return named ? with_texts(meant, outcome->meant) : meant;
}

/* All of them as they were probably meant. *corrected: some otherwise than they were given. */
static em_status take_meant(const em_dom_op *ops, const em_dom_plan *dom, em_arena *arena,
                            em_dom_op **meant, bool *corrected)
{
    *corrected = false;
    *meant = em_alloc_array(arena, dom->op_count, sizeof **meant);
    if (!*meant)
        return EM_E_NOMEM;
    for (size_t i = 0; i < dom->op_count; i++)
        (*meant)[i] = meant_by(&ops[i], &dom->outcomes[i], corrected);
    return EM_OK;
}

/* All of `ops`, and the edits of texts behind them. */
static em_status plan_whole(const em_planning *p, const em_dom_op *ops, em_dom_plan *dom)
{
    em_outcome unused = {.error = EM_ERROR_INIT};
    em_planning whole = *p;
    whole.outcome = &unused;
    EM_TRY(plan_elements(&whole, ops, dom));
    if (dom->failed_count > 0)
        return EM_E_NO_MATCH;
    return p->request->op_count > 0 ? plan_texts(&whole, dom->splices) : EM_OK;
}

/* Does what failed, sent as it was `meant` for the page as the others left it, come to the same as
 * all of it would have, which is `whole`? It may mean another element by then. */
static em_status comes_to_the_same(const em_planning *p, const em_dom_op *meant, em_splices whole,
                                   bool *same)
{
    const em_dom_plan *done = &p->outcome->dom;
    em_slice left, later, at_once, page = p->base.text->body;
    em_dom_plan plan;
    em_error unused = EM_ERROR_INIT;
    size_t count = 0;
    em_dom_op *failed = em_alloc_array(p->arena, done->failed_count, sizeof *failed);
    *same = false;
    if (!failed)
        return EM_E_NOMEM;
    for (size_t i = 0; i < done->op_count; i++)
        if (done->outcomes[i].status == EM_DOM_FAILED)
            failed[count++] = meant[i];
    EM_TRY(em_splices_apply(page, done->splices, p->arena, &left));
    EM_TRY(em_dom_plan_make(left, failed, count, p->policy->deadline, p->arena, &plan, &unused));
    if (plan.failed_count > 0)
        return EM_OK;
    EM_TRY(em_splices_apply(left, plan.splices, p->arena, &later));
    EM_TRY(em_splices_apply(page, whole, p->arena, &at_once));
    *same = em_slice_eq(later, at_once);
    return EM_OK;
}

/* Does an operation fail in the one that was done in the other? */
static bool fails_what_was_done(const em_dom_plan *plan, const em_dom_plan *done)
{
    for (size_t i = 0; i < done->op_count; i++)
        if (plan->outcomes[i].status == EM_DOM_FAILED && done->outcomes[i].status != EM_DOM_FAILED)
            return true;
    return false;
}

/* Find out what comes of what was probably meant. Some would fail all the same where what an
 * operation writes is at fault, too, or where a text is not found then. What the others did is
 * `kept`, or it is all sent again. */
static em_status try_meant(const em_planning *p, const em_dom_op *ops, bool kept)
{
    const em_dom_plan *done = &p->outcome->dom;
    em_dom_op *meant;
    em_dom_plan whole = {.failed_count = 0};
    bool corrected;
    EM_TRY(take_meant(ops, done, p->arena, &meant, &corrected));
    if (!corrected)
        return EM_OK;
    bool same = true;
    em_status status = plan_whole(p, meant, &whole);
    if (status == EM_OK && !has_attributes(&whole, done))
        return EM_OK;
    if (kept && whole.failed_count > 0 && fails_what_was_done(&whole, done))
        p->outcome->meant = EM_MEANT_OTHER;
    if (status == EM_OK && kept)
        status = comes_to_the_same(p, meant, whole.splices, &same);
    if (status == EM_OK)
        p->outcome->meant = same ? EM_MEANT_HOLDS : EM_MEANT_OTHER;
    return status == EM_E_NOMEM ? status : EM_OK;
}

/* Did all that failed do so for the encoding, and is the call sent again as a whole? The bytes of
 * what was kept would be others in that encoding. */
static bool is_of_encoding(const em_dom_plan *dom, bool kept)
{
    size_t count = 0;
    for (size_t i = 0; i < dom->op_count; i++)
        count +=
            dom->outcomes[i].status == EM_DOM_FAILED && dom->outcomes[i].code == EM_DOM_E_ENCODING;
    return count > 0 && count == dom->failed_count && (!kept || count == dom->op_count);
}

/* Is all of the request done in a page that is read in that encoding? */
static em_status holds_in(const em_planning *p, const char *encoding, bool *holds)
{
    em_text text;
    em_lines lines;
    em_error unused = EM_ERROR_INIT;
    em_dom_plan dom = {.failed_count = 0};
    em_dom_op *ops;
    em_planning named = *p;
    named.base = (em_plan_base){&text, &lines};
    em_status status = em_text_open(p->outcome->file.bytes, encoding, p->arena, &text, &unused);
    if (status == EM_OK)
        status = em_lines_init(&text, p->arena, &lines);
    if (status == EM_OK)
        status = checked_ops(&named, &ops);
    if (status == EM_OK)
        status = plan_whole(&named, ops, &dom);
    *holds = status == EM_OK;
    return status == EM_E_NOMEM ? status : EM_OK;
}

/* Find out what comes of naming the encoding that the page says it has. */
static em_status try_declared(const em_planning *p, bool kept)
{
    const em_text *page = p->base.text;
    em_outcome *outcome = p->outcome;
    const char *names[MOST_NAMES];
    size_t count;
    bool holds = false;
    if (page->encoding != EM_BYTES || page != &outcome->text ||
        !is_of_encoding(&outcome->dom, kept))
        return EM_OK;
    EM_TRY(declared_names(page, p->arena, names, &count));
    for (size_t i = 0; i < count && !holds; i++) {
        EM_TRY(holds_in(p, names[i], &holds));
        outcome->encoding_meant = holds ? names[i] : NULL;
    }
    return EM_OK;
}

/* ---- The plan -------------------------------------------------------------------------------- */

/* What was done as it was asked for, and is hardly meant. */
static em_status warn_of_done(const em_planning *p)
{
    const em_dom_plan *dom = &p->outcome->dom;
    for (size_t i = 0; i < dom->op_count; i++)
        if (dom->outcomes[i].status == EM_DOM_APPLIED && dom->outcomes[i].warning)
            EM_TRY(em_warn(&p->outcome->warnings, p->arena, "%s", dom->outcomes[i].warning));
    return EM_OK;
}

static em_status plan_dom(const em_planning *p)
{
    em_outcome *outcome = p->outcome;
    em_dom_plan *dom = &outcome->dom;
    em_dom_op *ops;
    EM_TRY(checked_ops(p, &ops));
    EM_TRY(plan_elements(p, ops, dom));
    bool kept = p->policy->extent == EM_AS_FAR_AS_OK && !p->request->dry_run;
    EM_TRY(try_meant(p, ops, kept));
    EM_TRY(try_declared(p, kept));
    em_status status = em_plan_blame_element(outcome);
    if (status != EM_OK && p->policy->extent == EM_ALL_OR_NONE)
        return status;
    if (p->base.text->encoding != EM_UTF8)
        EM_TRY(em_splices_keep_runs(p->base.text->body, dom->splices, p->arena, &dom->splices));
    EM_TRY(warn_of_done(p));
    outcome->done = dom->op_count - dom->failed_count;
    outcome->plan.splices = dom->splices;
    return status;
}

em_status em_plan_call(const em_planning *planning)
{
    const em_edit_request *request = planning->request;
    const em_policy *policy = planning->policy;
    em_outcome *outcome = planning->outcome;
    if (request->dom_op_count > 0) {
        em_plan_request texts = {planning->base, policy, request->ops, request->op_count};
        EM_TRY(em_plan_check(&texts, planning->arena, &outcome->error));
        EM_TRY(plan_dom(planning));
    }
    if (request->op_count == 0)
        return EM_OK;
    em_status status =
        plan_texts(planning, request->dom_op_count > 0 ? outcome->dom.splices : policy->before);
    bool keeps = status == EM_OK || policy->extent == EM_AS_FAR_AS_OK;
    outcome->done = keeps ? outcome->done + outcome->plan.op_count : 0;
    return status;
}

/* ---- Without effect ------------------------------------------------------------------------ */

static bool same_bytes(em_slice bytes, size_t at, em_slice other)
{
    return other.len <= bytes.len - at &&
           em_slice_eq(em_slice_sub(bytes, at, at + other.len), other);
}

/* Are the bytes the same with the splices laid in? They may be, though each splice has an effect:
 * what one takes away from one place, another may put back at the next. */
static bool cancel_out(em_slice bytes, em_splices splices)
{
    size_t at = 0, in_new = 0; /* how far the two texts are the same */
    for (size_t i = 0; i < splices.count; i++) {
        const em_splice *splice = &splices.items[i];
        em_slice kept = em_slice_sub(bytes, at, splice->offset);
        if ((at != in_new && !same_bytes(bytes, in_new, kept)) ||
            !same_bytes(bytes, in_new + kept.len, splice->insert))
            return false;
        in_new += kept.len + splice->insert.len;
        at = splice->offset + splice->length;
    }
    return at == in_new || em_slice_eq(em_slice_from(bytes, at), em_slice_from(bytes, in_new));
}

void em_plan_drop_ineffective(em_outcome *outcome)
{
    if (outcome->file.exists && cancel_out(outcome->text.body, outcome->plan.splices))
        outcome->plan.splices = (em_splices){0};
}
