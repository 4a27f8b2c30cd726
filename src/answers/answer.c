#include "answers/answer.h"

#include "answers/declared.h"
#include "answers/retry.h"
#include "arguments/forms.h"

/* ---- What every outcome has to tell -------------------------------------------------------- */

void em_reply_set_warnings(em_reply *reply, json_t *object)
{
    const em_warnings *warnings = &reply->outcome->warnings;
    json_t *list = em_json_array(&reply->json);
    for (size_t i = 0; i < warnings->count; i++)
        em_json_add(&reply->json, list,
                    em_json_text(&reply->json, em_slice_of(warnings->items[i])));
    em_declared_add_warnings(reply, list);
    if (json_array_size(list) > 0)
        em_json_set(&reply->json, object, "warnings", list);
    else
        json_decref(list);
}

void em_reply_add_warnings(em_reply *reply)
{
    const em_warnings *warnings = &reply->outcome->warnings;
    for (size_t i = 0; i < warnings->count; i++)
        em_strbuf_printf(&reply->text, "\nWarning: %s", warnings->items[i]);
}

void em_reply_add_lines(em_reply *reply)
{
    const em_outcome *outcome = reply->outcome;
    em_reply_add_warnings(reply);
    em_declared_add_lines(reply);
    if (outcome->status != EM_OK && em_reply_cause(reply))
        em_strbuf_printf(&reply->text, "\nCause: %s", em_reply_cause(reply));
    if (reply->call->stateless && outcome->edit_id[0])
        em_strbuf_printf(&reply->text, "\nEdit: %s", outcome->edit_id);
}

/* ---- Whole answers ------------------------------------------------------------------------- */

em_status em_reply_finish(em_reply *reply, bool is_error, em_answer *answer)
{
    answer->is_error = is_error;
    answer->tells_way = reply->tells_way;
    if (!is_error) {
        answer->meta = em_json_object(&reply->json);
        em_reply_set_state(reply, answer->meta, "emend/");
        if (reply->outcome->backup_path)
            em_json_set_string(&reply->json, answer->meta, "emend/backup_path",
                               em_reply_path_field(reply, reply->outcome->backup_path));
        em_reply_add_backup(reply);
    } else if (reply->outcome) {
        answer->miscount = em_miscount_of(reply->outcome);
    }
    answer->text = em_reply_text(reply);
    return answer->text ? EM_OK : EM_E_NOMEM;
}

em_status em_refuse_in_words(const em_call *call, const em_call_refusal *refusal, em_answer *answer)
{
    EM_AUTO(em_strbuf) text = {0};
    em_strbuf_printf(&text, "Error: %s", refusal->message);
    if (em_retry_fits(refusal->retry))
        em_add_retry(&text, refusal->retry, refusal->fails_again);
    answer->is_error = true;
    answer->text = em_strbuf_finish(&text, call->arena);
    return answer->text ? EM_OK : EM_E_NOMEM;
}

em_miscount em_miscount_of(const em_outcome *outcome)
{
    const em_plan_failure *failure = &outcome->failure;
    bool is_such = outcome->status == EM_E_COUNT && failure->tier == EM_TIER_EXACT &&
                   outcome->dom.failed_count == 0 && outcome->error.edit >= 0;
    return is_such ? (em_miscount){(size_t)outcome->error.edit, failure->actual}
                   : (em_miscount){.found = 0};
}

void em_answer_tell_failure(em_answer *answer, const em_outcome *outcome)
{
    answer->fails_again = em_retry_fails_again(outcome);
    answer->miscount = em_miscount_of(outcome);
}

em_status em_read_failure_in_words(const em_answer *answer, em_arena *arena,
                                   em_call_failure *failure)
{
    (void)arena;
    failure->why = answer->is_error ? answer->text : NULL;
    return EM_OK;
}
