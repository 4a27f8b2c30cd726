#include "dialects/site_retry.h"

#include "answers/dom_answer.h"
#include "answers/retry.h"
#include "json/json_text.h"

#include <string.h>
#include <strings.h>

/* Of what the call left, or, where it wrote nothing, of what it met. */
static void renew_hash(em_json *json, const em_site_change *of, json_t *retry)
{
    const em_outcome *outcome = of->outcome;
    const em_hash *hash = outcome->committed ? &outcome->hash : &outcome->file.hash;
    if (retry && of->request->expected_hash)
        em_json_set_string(json, retry, "expected_hash", hash->hex);
}

static em_site_retry dom_retry_of(em_json *json, const em_site_change *of, bool kept)
{
    const char *encoding = of->outcome->encoding_meant;
    if (!encoding && of->outcome->meant != EM_MEANT_HOLDS)
        return (em_site_retry){.is_known = false};
    json_t *retry = encoding ? em_json_copy(json, of->args.object) : NULL;
    if (encoding)
        em_json_set_string(json, retry, "encoding", encoding);
    else
        retry = em_dom_retry(json, of->args, of->dom_list, &of->outcome->dom, kept);
    renew_hash(json, of, retry);
    return (em_site_retry){.is_known = true, .args = retry};
}

static const char *name_in(const char *path)
{
    for (const char *at; (at = strpbrk(path, "/\\"));)
        path = at + 1;
    return path;
}

/* May another file of the call be the one that is meant by this path? It is called like it then. */
static bool may_be_of_another(const em_site_change *of)
{
    const em_edit_request *request = of->request;
    const char *name = name_in(of->outcome->near_files.paths[0]);
    size_t count = 0;
    for (size_t i = 0; i < request->same_call.count; i++) {
        const char *path = request->same_call.items[i];
        bool is_its_own = strcmp(path, request->path) == 0;
        count += is_its_own || strncasecmp(name_in(path), name, strlen(name)) == 0;
    }
    return count > 1;
}

/* In the file that is meant. Of several files two may come to be the same one. And what is done to
 * elements needs no text that must stand there: it might as well be done to another page, so no
 * more than the letters of a name may differ. */
static em_site_retry retry_elsewhere(em_reply *reply, const em_site_change *of)
{
    bool is_safe = of->request->dom_op_count == 0 || of->outcome->near_files.is_same_name;
    json_t *retry = NULL;
    if (is_safe && !may_be_of_another(of))
        retry = em_args_elsewhere(reply, of->args, of->list, &em_site_edit_words);
    return (em_site_retry){
        .is_known = retry != NULL, .fails_again = em_retry_fails_again(of->outcome), .args = retry};
}

em_site_retry em_site_retry_of(em_reply *reply, const em_site_change *of)
{
    em_json *json = &reply->json;
    const em_error *error = &of->outcome->error;
    bool kept = em_site_done(of->outcome) == EM_DONE_PART && !of->request->dry_run;
    bool is_done = error->cause == EM_CAUSE_ALREADY_APPLIED;
    em_args args = of->args;
    if (of->outcome->near_files.count > 0)
        return retry_elsewhere(reply, of);
    if (em_site_dom_failed(of->outcome))
        return dom_retry_of(json, of, kept);
    if (!of->list || error->edit < 0 || (!is_done && !reply->correction) ||
        (is_done && em_leaving_out_is_futile(of->outcome)))
        return (em_site_retry){.is_known = false};
    EM_AUTO(em_json_ref)
    corrected = em_args_corrected(reply, args, of->list, &em_site_edit_words);
    args.object = corrected;
    size_t failed = em_retry_place(of->outcome, (size_t)error->edit);
    json_t *retry =
        em_args_without(json, args, of->list, kept ? 0 : failed, failed + (is_done ? 1 : 0));
    if (!retry && of->request->dom_op_count > 0) { /* no text is left, but elements are */
        retry = em_json_copy(json, corrected);
        json_object_del(retry, of->list);
    }
    renew_hash(json, of, retry);
    return (em_site_retry){
        .is_known = true, .fails_again = em_retry_fails_again(of->outcome), .args = retry};
}

void em_site_tell_retry(em_json *json, json_t *object, const em_site_retry *retry, bool is_there)
{
    const char *said = is_there ? retry->told : retry->otherwise;
    const json_t *error = json_object_get(object, "error");
    EM_AUTO(em_strbuf) text = {0};
    if (!said || json_string_length(error) < retry->place)
        return;
    em_strbuf_add(&text, em_slice_make(json_string_value(error), retry->place));
    em_strbuf_puts(&text, said);
    em_strbuf_add(&text, em_slice_from(em_json_slice(error), retry->place));
    json->failed = json->failed || text.failed;
    if (!text.failed)
        em_json_set_text(json, object, "error", em_strbuf_slice(&text));
}
