/* cmd_edit.c: an edit by a person, who sees what was done as a diff.
 *
 * Texts are found exactly, unless --match or --tolerant allow for slips. All pairs of --old and
 * --new are one change of one file, in order, each on what those before it left: all of them or
 * none.
 */
#include "cli/change.h"

#include "answers/places_told.h"
#include "answers/reason.h"
#include "answers/retry.h"
#include "answers/search_hints.h"
#include "answers/similar.h"

typedef struct edit_flags {
    em_word_list old, new;
    bool all, dry_run, tolerant;
    const char *match, *encoding;
    size_t count;
} edit_flags;

#define FIELD(name) offsetof(edit_flags, name)
static const em_flag flags[] = {
    {"--old", "TEXT", "the text to replace, just as it stands there", EM_FLAG_LIST, FIELD(old),
     NULL},
    {"--new", "TEXT", "what comes in its place; empty deletes it", EM_FLAG_LIST, FIELD(new), NULL},
    {"--all", NULL, "replace it everywhere, not only where it is unique", EM_FLAG_SWITCH,
     FIELD(all), NULL},
    {"--count", "N", "it must stand there so often (1)", EM_FLAG_COUNT, FIELD(count), NULL},
    {"--tolerant", NULL, "forgive slips in white space, quotes or a letter, if the place is clear",
     EM_FLAG_SWITCH, FIELD(tolerant), NULL},
    {"--match", "TIER", "how much to forgive: exact (the default), whitespace, token, fuzzy",
     EM_FLAG_CHOICE, FIELD(match), em_tier_words},
    {"--encoding", "NAME", "the file's encoding, if neither UTF-8 nor told by a BOM (latin1, ...)",
     EM_FLAG_NAME, FIELD(encoding), NULL},
    {"--dry-run", NULL, "show what would be done, and do nothing", EM_FLAG_SWITCH, FIELD(dry_run),
     NULL},
    {NULL, NULL, NULL, EM_FLAG_SWITCH, 0, NULL},
};

/* ---- The request --------------------------------------------------------------------------- */

/* What is wrong with the flags; NULL when nothing is. */
static const char *flags_problem(const edit_flags *own)
{
    if (own->old.count == 0)
        return "--old TEXT and --new TEXT say what to do";
    if (own->old.count != own->new.count)
        return "each --old needs its --new";
    if (own->tolerant && own->match)
        return "--tolerant and --match exclude each other";
    return own->all && own->count > 0 ? "--all and --count exclude each other" : NULL;
}

static em_tier tier_of(const edit_flags *own)
{
    return own->tolerant ? EM_TIER_FUZZY : em_tier_of_word(own->match, EM_TIER_EXACT);
}

static em_op *make_ops(const edit_flags *own, em_arena *arena)
{
    em_op *ops = em_alloc_array(arena, own->old.count, sizeof *ops);
    for (size_t i = 0; ops && i < own->old.count; i++)
        ops[i] = (em_op){.kind = EM_OP_REPLACE,
                         .find = em_slice_of(own->old.items[i]),
                         .insert = em_slice_of(own->new.items[i]),
                         .expect = own->all         ? EM_EVERY
                                   : own->count > 0 ? own->count
                                                    : 1};
    return ops;
}

/* ---- What is said ---------------------------------------------------------------------------- */

static void add_places(em_reply *reply, em_slice find)
{
    enum { PLACES = 10, LINE_BYTES = 200 };
    const em_plan_failure *failure = &reply->outcome->failure;
    size_t count = failure->places.count < PLACES ? failure->places.count : PLACES;
    for (size_t i = 0; i < count; i++) {
        em_spot spot = em_reply_spot(reply, &failure->places.items[i], find);
        em_strbuf_printf(&reply->text, "\n%7zu: ", spot.line);
        em_strbuf_add(&reply->text, em_reply_window(reply, spot.content, spot.at, LINE_BYTES));
    }
    if (failure->actual > count)
        em_strbuf_printf(&reply->text, "\n         and %zu more", failure->actual - count);
}

static void add_wrong_count(em_reply *reply, em_slice find)
{
    const em_plan_failure *failure = &reply->outcome->failure;
    em_strbuf_printf(&reply->text, "%s: the text stands there %zu time%s, not %zu:", reply->path,
                     failure->actual, failure->actual == 1 ? "" : "s", failure->expected);
    em_add_tier_of_places(reply);
    add_places(reply, find);
    const char *why_not_all = em_why_not_all(reply), *more = "more of the text around the place";
    if (why_not_all)
        em_strbuf_printf(&reply->text, "\n%s: give %s that is meant.", why_not_all, more);
    else if (failure->actual > failure->expected)
        em_strbuf_printf(&reply->text, "\nGive %s that is meant, or the right --count, or --all.",
                         more);
    else
        em_strbuf_puts(&reply->text, "\nGive the right --count, or --all.");
}

static void add_what_is_there(em_reply *reply, const em_edit_request *request)
{
    if (em_misses_in_nothing(reply)) {
        em_strbuf_puts(&reply->text, "\nThe file is empty: an empty --old fills it.");
        return;
    }
    em_similar_add(reply);
    if (em_similar_is_cut_off(reply) && !reply->correction)
        em_strbuf_printf(&reply->text, "\n%s.", em_reply_way_to_more_time(reply));
    if (reply->correction && em_reply_diagnosis(reply)->is_tolerable &&
        request->policy.most < EM_TIER_FUZZY)
        em_strbuf_puts(&reply->text, "\nWith --tolerant it would be changed there.");
}

static void complain(em_reply *reply, const em_cli_change *change)
{
    const em_edit_request *request = change->request;
    const em_error *error = &reply->outcome->error;
    if (error->edit >= 0 && request->op_count > 1)
        em_strbuf_printf(&reply->text, "edit %td of %zu: ", error->edit + 1, request->op_count);
    if (error->code == EM_E_COUNT)
        add_wrong_count(reply, request->ops[error->edit].find);
    else
        em_strbuf_puts(&reply->text, em_reason(reply));
    if (error->cause == EM_CAUSE_PLACEHOLDER)
        em_strbuf_puts(&reply->text, "\nGive all that is to stand there.");
    if (error->cause == EM_CAUSE_EMPTY_SEARCH)
        em_strbuf_puts(&reply->text,
                       "\nAn empty --old fills an empty file only. To put text into this one give "
                       "a line beside which it is to stand as --old, and that line with "
                       "the text as --new.");
    if (error->code == EM_E_NO_MATCH || error->code == EM_E_TIMEOUT)
        add_what_is_there(reply, request);
}

/* ---- What to type instead -------------------------------------------------------------------- */

/* The command as a call of a tool, by the names that it has here. */
static const em_param pair_params[] = {
    {.name = "--old", .type = EM_P_STRING}, {.name = "--new", .type = EM_P_STRING}, {.name = NULL}};
static const em_param edit_params[] = {
    {.name = "FILE", .type = EM_P_PATH},
    {.name = "edits", .type = EM_P_LIST, .fields = pair_params},
    {.name = NULL},
};

static json_t *retry_of(em_reply *reply, const em_cli_change *change)
{
    const em_edit_request *request = change->request;
    em_json *json = &reply->json;
    json_t *edits = em_json_array(json);
    for (size_t i = 0; i < request->op_count; i++) {
        json_t *edit = em_json_object(json);
        em_json_set_text(json, edit, "--old", request->ops[i].find);
        em_json_set_text(json, edit, "--new", request->ops[i].insert);
        em_json_add(json, edits, edit);
    }
    EM_AUTO(em_json_ref) given = em_json_object(json);
    em_json_set_string(json, given, "FILE", request->path);
    em_json_set(json, given, "edits", edits);
    em_args args = {.params = edit_params, .object = given};
    return em_args_retry(reply, args, "edits", change->words);
}

static em_status retype(em_reply *reply, const json_t *retry, em_again *again)
{
    static const char *const texts[] = {"--old", "--new", NULL};
    const json_t *edits = json_object_get(retry, "edits");
    size_t count = json_array_size(edits);
    const char **word = em_alloc(reply->arena, sizeof *word);
    em_given_flag *given = em_alloc_array(reply->arena, 2 * count, sizeof *given);
    if (!word || !given)
        return EM_E_NOMEM;
    *word = json_string_value(json_object_get(retry, "FILE"));
    for (size_t i = 0; i < 2 * count; i++) {
        const json_t *text = json_object_get(json_array_get(edits, i / 2), texts[i % 2]);
        given[i] = (em_given_flag){texts[i % 2], json_string_value(text)};
    }
    *again = (em_again){{word, 1, 1}, {given, 2 * count, 2 * count}, texts};
    return EM_OK;
}

static void sum_up(em_reply *reply)
{
    size_t count = reply->outcome->plan.replacements;
    em_strbuf_printf(&reply->text, "%zu replacement%s", count, count == 1 ? "" : "s");
}

/* ---- Doing it ------------------------------------------------------------------------------ */

static int run(em_invocation *call)
{
    static const em_words words = {.find = "--old", .insert = "--new"};
    const edit_flags *own = call->own;
    const char *problem = flags_problem(own);
    if (problem)
        return em_complain_usage(call, "%s", problem);
    em_op *ops = make_ops(own, call->arena);
    if (!ops)
        return em_complain(call, EM_EXIT_WRONG, "out of memory");
    em_edit_request request = {.path = call->words.items[0],
                               .ops = ops,
                               .op_count = own->old.count,
                               .policy = {.order = EM_SEQUENTIAL, .most = tier_of(own)},
                               .dry_run = own->dry_run,
                               .encoding = own->encoding,
                               .tool = "edit",
                               .want_diff = true};
    em_cli_change change = {call, &request, &words, complain, retry_of, retype, sum_up};
    return em_cli_change_file(&change);
}

const em_command em_cmd_edit = {
    .name = "edit",
    .words = "FILE",
    .brief = "Replace text in a file, and show the diff",
    .details = "Every --old must stand in FILE just once, unless --all or --count say otherwise.\n"
               "With --tolerant, or --match, one that does not stand there exactly may differ in\n"
               "what does not matter, and only what --new changes is changed.\n"
               "Several pairs of --old and --new are done in order: all of them or none.\n",
    .flags = flags,
    .own_size = sizeof(edit_flags),
    .takes_shared = true,
    .least = 1,
    .most = 1,
    .too_few = "the texts come as --old TEXT --new TEXT",
    .too_many = "the texts come as --old TEXT --new TEXT",
    .run = run,
};
