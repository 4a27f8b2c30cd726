/* cmd_dom.c: an operation on elements of a page by a person, who sees what was done as a diff. */
#include "cli/change.h"

#include "answers/dom_answer.h"
#include "answers/near_told.h"
#include "answers/reason.h"
#include "base/utf8.h"

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
 * NULL-terminated, and where they go. */
typedef struct action_words {
    const char *names[3];
    size_t fields[2];
} action_words;

#define OP(name) offsetof(em_dom_op, name)
static const action_words words_of[EM_DOM_NO_ACTION] = {
    [EM_DOM_SET_ATTRIBUTE] = {{"NAME", "VALUE"}, {OP(attr), OP(value)}},
    [EM_DOM_REMOVE_ATTRIBUTE] = {{"NAME"}, {OP(attr)}},
    [EM_DOM_SET_TEXT] = {{"TEXT"}, {OP(value)}},
    [EM_DOM_SET_HTML] = {{"HTML"}, {OP(value)}},
    [EM_DOM_ADD_CLASS] = {{"CLASS"}, {OP(value)}},
    [EM_DOM_REMOVE_CLASS] = {{"CLASS"}, {OP(value)}},
    [EM_DOM_REPLACE_CLASS] = {{"OLD", "NEW"}, {OP(old_class), OP(new_class)}},
    [EM_DOM_REMOVE] = {{NULL}, {0}},
    [EM_DOM_INSERT_ADJACENT_HTML] = {{"POSITION", "HTML"}, {0, OP(value)}},
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

static int complain_action(em_invocation *call, const char *word)
{
    EM_AUTO(em_strbuf) names = {0};
    em_dom_action meant = em_dom_action_of(em_slice_of(word));
    for (em_dom_action action = 0; action < EM_DOM_NO_ACTION; action++)
        em_strbuf_printf(&names, "%s%s", action > 0 ? ", " : "", em_dom_action_name(action));
    const char *all = em_strbuf_finish(&names, call->arena);
    if (meant != EM_DOM_NO_ACTION)
        return em_complain_usage(call, "there is no action '%s'; did you mean %s?", word,
                                 em_dom_action_name(meant));
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

static void complain(em_reply *reply, const em_edit_request *request)
{
    const em_dom_plan *dom = &reply->outcome->dom;
    if (dom->failed_count == 0) {
        em_strbuf_puts(&reply->text, em_reason(reply));
        if (dom->late || reply->outcome->error.cause == EM_CAUSE_PAGE)
            em_strbuf_puts(&reply->text, "\nEdit its text instead, with emend edit.");
        em_add_near_files(reply);
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
    em_cli_change change = {&request, &words, complain, sum_up};
    return em_cli_change_file(call, &change);
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
