/* mcp_question.c: the user is asked for a yes through the client (elicitation). */
#include "serve/mcp_impl.h"

#include "answers/reply.h"

enum {
    SHOWN_DIFF = 4096, /* bytes of diffs in a question: a form has no room for more */
    SHOWN_FILES = 20,
};

bool em_mcp_can_elicit(const json_t *capabilities)
{
    const json_t *elicitation = json_object_get(capabilities, "elicitation");
    return em_json_is_object(elicitation) &&
           (json_object_get(elicitation, "form") || !json_object_get(elicitation, "url"));
}

/* ---- What is asked ------------------------------------------------------------------------- */

static const char *how_words(em_intended_how how)
{
    switch (how) {
    case EM_INTENDED_MAKE:
        return "new file, ";
    case EM_INTENDED_REMOVE:
        return "removed, ";
    case EM_INTENDED_EDIT:
        break;
    }
    return "";
}

/* Whole lines of the diffs, as far as there is room. */
static void add_diffs(em_strbuf *text, const em_consent *consent)
{
    size_t left = SHOWN_DIFF;
    for (size_t i = 0; i < consent->count && left > 0; i++) {
        em_slice diff = em_slice_of(consent->items[i].diff);
        bool is_cut = diff.len > left || consent->items[i].diff_truncated;
        if (diff.len > left)
            diff.len = em_slice_behind_last(em_slice_sub(diff, 0, left), '\n');
        em_strbuf_putc(text, '\n');
        em_add_harmless(text, diff, "\n\t");
        if (is_cut)
            em_strbuf_puts(text, "(The diff is cut.)\n");
        left = is_cut ? 0 : left - diff.len;
    }
}

static json_t *message_of(em_json *json, const char *tool, const em_consent *consent)
{
    EM_AUTO(em_strbuf) text = {0};
    em_strbuf_printf(&text, "%s wants to change %zu file%s:\n", tool, consent->count,
                     consent->count == 1 ? "" : "s");
    for (size_t i = 0; i < consent->count && i < SHOWN_FILES; i++) {
        const em_intended *item = &consent->items[i];
        em_add_harmless(&text, em_slice_of(item->rel), "");
        em_strbuf_printf(&text, " (%s+%zu -%zu%s)\n", how_words(item->how), item->lines_added,
                         item->lines_removed, item->backup ? ", with a backup beside it" : "");
    }
    if (consent->count > SHOWN_FILES)
        em_strbuf_printf(&text, "... and %zu more\n", consent->count - SHOWN_FILES);
    add_diffs(&text, consent);
    json->failed = json->failed || text.failed;
    return em_json_text(json, em_strbuf_slice(&text));
}

static void add_field(em_json *json, json_t *fields, const char *name, const char *type,
                      const char *title)
{
    json_t *field = em_json_object(json);
    em_json_set_string(json, field, "type", type);
    em_json_set_string(json, field, "title", title);
    em_json_set(json, fields, name, field);
}

static json_t *form(em_json *json)
{
    json_t *schema = em_json_object(json), *fields = em_json_object(json);
    json_t *required = em_json_array(json), *words = em_json_array(json);
    add_field(json, fields, "allow", "boolean", "Make this change");
    add_field(json, fields, "remember", "string",
              "With a yes: also let pass from now on changes of these files, or by this tool");
    add_field(json, fields, "reason", "string", "With a no: why, for the agent");
    em_json_add(json, words, json_string("nothing"));
    em_json_add(json, words, json_string("file"));
    em_json_add(json, words, json_string("tool"));
    json_t *remember = json_object_get(fields, "remember");
    em_json_set(json, remember, "enum", words);
    em_json_set_string(json, remember, "default", "nothing");
    em_json_add(json, required, json_string("allow"));
    em_json_set_string(json, schema, "type", "object");
    em_json_set(json, schema, "properties", fields);
    em_json_set(json, schema, "required", required);
    return schema;
}

json_t *em_mcp_question(const char *tool, const em_consent *consent,
                        const em_mcp_revision *revision)
{
    em_json json = {0};
    json_t *params = em_json_object(&json);
    if (revision->names_form)
        em_json_set_string(&json, params, "mode", "form");
    em_json_set(&json, params, "message", message_of(&json, tool, consent));
    em_json_set(&json, params, "requestedSchema", form(&json));
    return em_json_done(&json, params);
}

/* ---- What is answered ---------------------------------------------------------------------- */

static em_remember remember_of(const json_t *word)
{
    if (em_json_is(word, "file"))
        return EM_REMEMBER_FILES;
    return em_json_is(word, "tool") ? EM_REMEMBER_TOOL : EM_REMEMBER_NOTHING;
}

em_mcp_said em_mcp_read_answer(const json_t *result, em_ruling *ruling)
{
    const json_t *action = json_object_get(result, "action");
    const json_t *content = json_object_get(result, "content");
    const json_t *allow = json_object_get(content, "allow");
    *ruling = (em_ruling){.judge = EM_JUDGE_CLIENT,
                          .reason = json_string_value(json_object_get(content, "reason"))};
    if (em_json_is(action, "decline"))
        return EM_MCP_SAID;
    if (em_json_is(action, "cancel"))
        return EM_MCP_SAID_DISMISSED;
    if (!em_json_is(action, "accept") || !json_is_boolean(allow))
        return EM_MCP_SAID_NOTHING;
    ruling->yes = json_is_true(allow);
    ruling->remember = remember_of(json_object_get(content, "remember"));
    return EM_MCP_SAID;
}
