/* cmd_dom.c: an operation on elements of a page by a person, who sees what was done as a diff. */
#include "cli/change.h"

#include "answers/dom_answer.h"
#include "answers/reason.h"
#include "answers/retry.h"
#include "arguments/dom_args.h"
#include "base/utf8.h"
#include "tools/nearest.h"

typedef struct dom_flags {
    bool all, dry_run;
    const char *encoding;
    size_t count;
} dom_flags;

enum { MOST_QUOTED = 200 }; /* bytes of a selector, in a complaint */

#define FIELD(name) offsetof(dom_flags, name)
static const em_flag flags[] = {
    {"--all", NULL, "do it to all elements that match", EM_FLAG_SWITCH, FIELD(all), NULL},
    {"--count", "N", "so many elements must match, and all of them are changed", EM_FLAG_COUNT,
     FIELD(count), NULL},
    {"--encoding", "NAME", "the file's encoding, if neither UTF-8 nor told by a BOM (latin1, ...)",
     EM_FLAG_NAME, FIELD(encoding), NULL},
    {"--dry-run", NULL, "show what would be done, and do nothing", EM_FLAG_SWITCH, FIELD(dry_run),
     NULL},
    {NULL, NULL, NULL, EM_FLAG_SWITCH, 0, NULL},
};

/* The words behind FILE, SELECTOR and ACTION, by action: their names for complaints,
 * NULL-terminated, where they go, and what the tools call them. */
typedef struct action_words {
    const char *names[3];
    size_t fields[2];
    const char *members[2];
} action_words;

#define OP(name) offsetof(em_dom_op, name)
static const action_words words_of[EM_DOM_NO_ACTION] = {
    [EM_DOM_SET_ATTRIBUTE] = {{"NAME", "VALUE"}, {OP(attr), OP(value)}, {"attr", "value"}},
    [EM_DOM_REMOVE_ATTRIBUTE] = {{"NAME"}, {OP(attr)}, {"attr"}},
    [EM_DOM_SET_TEXT] = {{"TEXT"}, {OP(value)}, {"value"}},
    [EM_DOM_SET_HTML] = {{"HTML"}, {OP(value)}, {"value"}},
    [EM_DOM_ADD_CLASS] = {{"CLASS"}, {OP(value)}, {"value"}},
    [EM_DOM_REMOVE_CLASS] = {{"CLASS"}, {OP(value)}, {"value"}},
    [EM_DOM_REPLACE_CLASS] = {{"OLD", "NEW"},
                              {OP(old_class), OP(new_class)},
                              {"oldClass", "newClass"}},
    [EM_DOM_REMOVE] = {{NULL}, {0}, {NULL}},
    [EM_DOM_INSERT_ADJACENT_HTML] = {{"POSITION", "HTML"}, {0, OP(value)}, {"position", "value"}},
};

/* ---- The request --------------------------------------------------------------------------- */

/* Written as requests have it, which take no other writing either. */
static em_dom_action action_named(const char *word)
{
    em_dom_action action = 0;
    while (action < EM_DOM_NO_ACTION && strcmp(word, em_dom_action_name(action)) != 0)
        action++;
    return action;
}

/* The only action that the word is a slip of; NULL. */
static const char *slipped_action(const char *word)
{
    const char *meant = NULL;
    for (em_dom_action action = 0; action < EM_DOM_NO_ACTION; action++) {
        const char *name = em_dom_action_name(action);
        if (!em_is_letter_slip(word, name))
            continue;
        if (meant)
            return NULL;
        meant = name;
    }
    return meant;
}

/* What is said here for a word that other tools have ("insertAdjacentHTML beforeend" for "append"),
 * that is a slip, or that is written in another case; NULL: nothing, or no memory for it. */
static const char *words_meant(em_invocation *call, const char *word)
{
    em_dom_action as_written = em_dom_action_of(em_slice_of(word));
    if (as_written != EM_DOM_NO_ACTION)
        return em_dom_action_name(as_written);
    for (em_dom_action action = 0; action < EM_DOM_NO_ACTION; action++)
        if (em_are_synonyms(word, em_dom_action_name(action)))
            return em_dom_action_name(action);
    for (em_dom_position position = 0; position < EM_DOM_NO_POSITION; position++)
        if (em_are_synonyms(word, em_dom_position_name(position)))
            return em_arena_format(call->arena, "%s %s",
                                   em_dom_action_name(EM_DOM_INSERT_ADJACENT_HTML),
                                   em_dom_position_name(position));
    return slipped_action(word);
}

static int complain_action(em_invocation *call, const char *word)
{
    EM_AUTO(em_strbuf) names = {0};
    const char *way = em_way_of_foreign(em_dom_foreign_actions, word);
    if (way)
        return em_complain_usage(call, "there is no action '%s'. %s", word, way);
    const char *meant = words_meant(call, word);
    if (meant)
        return em_complain_usage(call, "there is no action '%s'; did you mean %s?", word, meant);
    for (em_dom_action action = 0; action < EM_DOM_NO_ACTION; action++)
        em_strbuf_printf(&names, "%s%s", action > 0 ? ", " : "", em_dom_action_name(action));
    const char *all = em_strbuf_finish(&names, call->arena);
    return em_complain_usage(call, "there is no action '%s'; it is one of %s", word,
                             all ? all : "those of --help");
}

static int complain_words(em_invocation *call, em_dom_action action)
{
    const char *const *names = words_of[action].names;
    return em_complain_usage(call, "%s takes %s%s%s%s", em_dom_action_name(action),
                             names[0] ? "FILE SELECTOR ACTION " : "no further words",
                             names[0] ? names[0] : "", names[0] && names[1] ? " " : "",
                             names[0] && names[1] ? names[1] : "");
}

static size_t count_names(em_dom_action action)
{
    size_t count = 0;
    while (words_of[action].names[count])
        count++;
    return count;
}

/* The word of those behind ACTION that should name a class and is blank; NULL. */
static const char *blank_class(em_dom_action action, const em_word_list *words)
{
    static const char blanks[] = " \t\n\r\f";
    const char *const *names = words_of[action].names;
    bool are_classes = action == EM_DOM_ADD_CLASS || action == EM_DOM_REMOVE_CLASS ||
                       action == EM_DOM_REPLACE_CLASS;
    for (size_t i = 0; are_classes && names[i]; i++) {
        const char *word = words->items[3 + i];
        if (word[strspn(word, blanks)] == '\0')
            return names[i];
    }
    return NULL;
}

static void fill(em_dom_op *op, em_dom_action action, const em_word_list *words)
{
    op->selector = em_slice_of(words->items[1]);
    op->action = action;
    op->position = EM_DOM_NO_POSITION;
    for (size_t i = 0; i < count_names(action); i++) {
        em_slice word = em_slice_of(words->items[3 + i]);
        if (action == EM_DOM_INSERT_ADJACENT_HTML && i == 0)
            op->position = em_dom_position_of(word);
        else
            *(em_slice *)((char *)op + words_of[action].fields[i]) = word;
    }
}

/* ---- What is said -------------------------------------------------------------------------- */

/* The sentence of a request would name "all", which is --all here. */
static void add_ambiguous(em_reply *reply, const em_dom_outcome *failed, em_slice selector)
{
    EM_AUTO(em_strbuf) sentence = {0};
    em_strbuf_printf(&sentence,
                     "\"%.*s\" matches %zu elements, and one is asked for; use a selector that "
                     "matches only that one",
                     (int)em_utf8_floor(selector, MOST_QUOTED), selector.ptr, failed->matches);
    const char *text = em_strbuf_finish(&sentence, reply->arena);
    em_dom_add_sentence(reply, failed, text ? text : failed->reason);
    em_strbuf_puts(&reply->text, "\nWith --all it is done to all of them.");
}

static void complain(em_reply *reply, const em_cli_change *change)
{
    const em_edit_request *request = change->request;
    const em_dom_plan *dom = &reply->outcome->dom;
    if (dom->failed_count == 0) {
        em_strbuf_puts(&reply->text, em_reason(reply));
        if (dom->late || reply->outcome->error.cause == EM_CAUSE_PAGE)
            em_strbuf_puts(&reply->text, "\nEdit its text instead, with emend edit.");
        if (dom->late)
            em_strbuf_printf(&reply->text, " %s.", em_reply_way_to_more_time(reply));
        return;
    }
    const em_dom_outcome *failed = &dom->outcomes[0];
    em_strbuf_printf(&reply->text, "%s: ", reply->path);
    if (failed->code == EM_DOM_E_AMBIGUOUS) {
        add_ambiguous(reply, failed, request->dom_ops[0].selector);
        return;
    }
    em_dom_add_reason(reply, failed);
    if (failed->code == EM_DOM_E_COUNT)
        em_strbuf_puts(&reply->text, "\nGive the right --count, or --all.");
}

/* ---- What to type instead -------------------------------------------------------------------- */

enum { MOST_WORDS = 5 };

/* The command as a call of a tool, with the names of its operations' members. */
static const em_param operation_params[] = {{.name = "selector", .type = EM_P_STRING},
                                            {.name = NULL}};
static const em_param dom_params[] = {
    {.name = "FILE", .type = EM_P_PATH},
    {.name = "operations", .type = EM_P_LIST, .fields = operation_params},
    {.name = NULL},
};

/* A new reference. */
static json_t *arguments_of(em_json *json, const em_cli_change *change)
{
    const em_word_list *words = &change->call->words;
    const char *const *members = words_of[change->request->dom_ops[0].action].members;
    json_t *operation = em_json_object(json), *list = em_json_array(json),
           *given = em_json_object(json);
    em_json_set_string(json, operation, "selector", words->items[1]);
    em_json_set_string(json, operation, "action", words->items[2]);
    for (size_t i = 3; i < words->count; i++)
        em_json_set_string(json, operation, members[i - 3], words->items[i]);
    em_json_add(json, list, operation);
    em_json_set_string(json, given, "FILE", words->items[0]);
    em_json_set(json, given, "operations", list);
    return given;
}

/* What is done to elements might as well be done to another page, so no more than the letters of
 * the file's name may differ. */
static json_t *retry_of(em_reply *reply, const em_cli_change *change)
{
    const em_outcome *outcome = reply->outcome;
    em_json *json = &reply->json;
    EM_AUTO(em_json_ref) given = arguments_of(json, change);
    em_args args = {.params = dom_params, .object = given};
    if (outcome->near_files.count > 0)
        return outcome->near_files.is_same_name ? em_args_with_near_file(reply, args) : NULL;
    if (outcome->dom.failed_count == 0)
        return NULL;
    if (outcome->encoding_meant) {
        em_json_set_string(json, given, "--encoding", outcome->encoding_meant);
        return json_incref(given);
    }
    return outcome->meant == EM_MEANT_HOLDS
               ? em_dom_retry(json, args, "operations", &outcome->dom, false)
               : NULL;
}

static em_status retype(em_reply *reply, const json_t *retry, em_again *again)
{
    static const char *const encoding[] = {"--encoding", NULL}, *const none[] = {NULL};
    const json_t *operation = json_array_get(json_object_get(retry, "operations"), 0);
    const char *action = json_string_value(json_object_get(operation, "action"));
    const action_words *further = &words_of[action_named(action)];
    const char *charset = json_string_value(json_object_get(retry, encoding[0]));
    const char **words = em_alloc_array(reply->arena, MOST_WORDS, sizeof *words);
    em_given_flag *given = em_alloc(reply->arena, sizeof *given);
    if (!words || !given)
        return EM_E_NOMEM;
    size_t count = 0;
    words[count++] = json_string_value(json_object_get(retry, "FILE"));
    words[count++] = json_string_value(json_object_get(operation, "selector"));
    words[count++] = action;
    for (size_t i = 0; further->names[i]; i++)
        words[count++] = json_string_value(json_object_get(operation, further->members[i]));
    *given = (em_given_flag){encoding[0], charset};
    *again = (em_again){
        {words, count, MOST_WORDS}, {given, charset ? 1 : 0, 1}, charset ? encoding : none};
    return EM_OK;
}

static void sum_up(em_reply *reply)
{
    const em_dom_outcome *done = &reply->outcome->dom.outcomes[0];
    bool changed = done->status == EM_DOM_APPLIED;
    em_strbuf_printf(&reply->text, "%zu element%s%s", done->matches, done->matches == 1 ? "" : "s",
                     changed ? "" : ", all as asked for already,");
}

/* ---- Doing it ------------------------------------------------------------------------------ */

static int run(em_invocation *call)
{
    static const em_words words = {.insert = "the value"};
    const dom_flags *own = call->own;
    em_dom_op op = {.all = own->all ? EM_DOM_ALL_TRUE : EM_DOM_ALL_UNSET, .expected = own->count};
    em_dom_action action = action_named(call->words.items[2]);
    if (action == EM_DOM_NO_ACTION)
        return complain_action(call, call->words.items[2]);
    if (call->words.count != 3 + count_names(action))
        return complain_words(call, action);
    const char *blank = blank_class(action, &call->words);
    if (blank) /* as of a variable that was never set */
        return em_complain_usage(call, "%s names no class", blank);
    if (own->all && own->count > 0)
        return em_complain_usage(call, "--all and --count exclude each other");
    fill(&op, action, &call->words);
    if (action == EM_DOM_INSERT_ADJACENT_HTML && op.position == EM_DOM_NO_POSITION)
        return em_complain_usage(
            call, "POSITION must be beforebegin, afterbegin, beforeend or afterend, not '%s'",
            call->words.items[3]);
    em_edit_request request = {.path = call->words.items[0],
                               .dom_ops = &op,
                               .dom_op_count = 1,
                               .policy = {.order = EM_SEQUENTIAL},
                               .dry_run = own->dry_run,
                               .encoding = own->encoding,
                               .tool = "dom",
                               .want_diff = true};
    em_cli_change change = {call, &request, &words, complain, retry_of, retype, sum_up};
    return em_cli_change_file(&change);
}

const em_command em_cmd_dom = {
    .name = "dom",
    .words = "FILE SELECTOR ACTION [VALUE]...",
    .brief = "Change elements of an HTML page by CSS selector, and show the diff",
    .details =
        "Actions, with the words that follow them:\n"
        "  setText TEXT                   setHTML HTML\n"
        "  setAttribute NAME VALUE        removeAttribute NAME\n"
        "  addClass CLASS                 removeClass CLASS\n"
        "  replaceClass OLD NEW           remove\n"
        "  insertAdjacentHTML beforebegin|afterbegin|beforeend|afterend HTML\n"
        "Class actions take all elements that match, the others exactly one, unless --all or\n"
        "--count say otherwise. Nothing but what is changed is written anew.\n",
    .flags = flags,
    .own_size = sizeof(dom_flags),
    .takes_shared = true,
    .least = 3,
    .most = 5,
    .too_many = "quote a selector or a text of several words",
    .run = run,
};
