#include "arguments/call.h"

#include "arguments/args_impl.h"
#include "arguments/forms.h"
#include "base/utf8.h"
#include "tools/nearest.h"
#include "tools/toolset.h"
#include "json/json_text.h"

#include <string.h>

static const em_param *list_named(const em_param *params, const char *name)
{
    while (params->name && (params->type != EM_P_LIST || strcmp(params->name, name) != 0))
        params++;
    return params->name ? params : NULL;
}

/* The list of that name that the tool takes; NULL. *outer is the list whose objects have it; NULL:
 * the tool has it itself. */
static const em_param *list_taken(const em_tool *tool, const char *name, const em_param **outer)
{
    *outer = NULL;
    const em_param *list = list_named(tool->params, name);
    for (const em_param *param = tool->params; !list && param->name; param++) {
        *outer = param;
        list = param->fields ? list_named(param->fields, name) : NULL;
    }
    return list;
}

/* Is a list of that name known to the tool by another word? */
static bool has_word_for(const em_tool *tool, const char *name)
{
    for (const em_param *param = tool->params; param->name; param++)
        if (param->type == EM_P_LIST && em_are_synonyms(param->name, name))
            return true;
    return false;
}

/* Is nothing wrong with the list, were it that parameter's? */
static bool is_right_as(const em_param *list, json_t *value, em_arena *arena)
{
    const em_param params[] = {*list, {.name = NULL}};
    em_args_problem problem;
    EM_AUTO(em_json_ref) object = json_pack("{s:O}", list->name, value);
    return object && em_args_check(params, object, arena, &problem) == EM_OK;
}

/* Append that a name, unknown to this tool, is an argument of one of its kin, if that is offered.
 * What this tool has another word for is no kin's, unless it is all right there. */
static em_status add_kin(const em_call *call, const char *name, json_t *value,
                         em_args_problem *problem)
{
    const em_param *outer;
    bool is_own = has_word_for(call->tool, name);
    for (size_t i = 0; i < call->offered->count; i++) {
        const em_tool *tool = call->offered->tools[i];
        if (tool == call->tool || !em_tools_are_kin(tool, call->tool))
            continue;
        const em_param *list = list_taken(tool, name, &outer);
        if (!list || (is_own && !is_right_as(list, value, call->arena)))
            continue;
        problem->message = em_arena_format(
            call->arena, "%s\n%s is an argument of %s%s%s%s%s", problem->message, name, tool->name,
            outer ? ": " : "", outer ? outer->name : "", outer ? "[]." : "", outer ? name : "");
        return problem->message ? EM_OK : EM_E_NOMEM;
    }
    return EM_OK;
}

/* The first of the kin that takes a list of edits, if one is offered; NULL. */
static const em_tool *kin_with_edits(const em_call *call)
{
    for (size_t i = 0; i < call->offered->count; i++) {
        const em_tool *tool = call->offered->tools[i];
        if (em_tools_are_kin(tool, call->tool) && em_args_take_edits(tool->params))
            return tool;
    }
    return NULL;
}

/* Where several edits came for a tool that makes one of them: how they are sent. */
static em_status add_way_of_several(const em_call *call, em_args_problem *problem)
{
    size_t count;
    EM_TRY(em_args_count_edits(call->tool->params, call->arguments, call->arena, &count));
    if (count < 2)
        return EM_OK;
    const em_tool *other = kin_with_edits(call);
    problem->message = em_arena_format(
        call->arena, "%s\n%s makes one edit, and these are %zu: %s%s", problem->message,
        call->tool->name, count, other ? "send them as the edits of " : "send a call for each",
        other ? other->name : "");
    return problem->message ? EM_OK : EM_E_NOMEM;
}

static em_status add_all_kin(const em_call *call, em_args_problem *problem)
{
    const em_param *outer;
    const char *name;
    json_t *value;
    json_object_foreach((json_t *)call->arguments, name, value)
    {
        if (json_is_array(value) && !list_taken(call->tool, name, &outer))
            EM_TRY(add_kin(call, name, value, problem));
    }
    return add_way_of_several(call, problem);
}

/* Of arguments that did not pass: were they all right if their names were? If not, it is told
 * behind what is wrong with them which tool takes their lists, and what each form lacks. */
static em_status add_misfit(const em_call *call, em_args_problem *problem)
{
    em_json json = {0};
    em_args_problem misfit;
    const em_tool *tool = call->tool;
    EM_AUTO(em_json_ref) read = em_args_read(&json, tool->params, call->arguments);
    if (!read)
        return EM_E_NOMEM;
    em_status status = em_args_check(tool->params, read, call->arena, &misfit);
    if (status == EM_E_INVALID)
        status = add_all_kin(call, problem);
    EM_TRY(status);
    status = em_forms_check(tool->params, tool->forms, read, call->arena, &misfit);
    if (status != EM_E_INVALID)
        return status;
    problem->message = em_arena_format(call->arena, "%s\n%s", problem->message, misfit.message);
    return problem->message ? EM_OK : EM_E_NOMEM;
}

/* ---- What was meant ------------------------------------------------------------------------- */

/* What came of the arguments that were meant goes into the refusal, with what to send instead of
 * them. */
static em_status take_failure(const em_call *call, const em_answer *answer,
                              em_call_refusal *refusal)
{
    em_call_failure failure = {0};
    EM_TRY(call->tool->read_failure(answer, call->arena, &failure));
    if (!failure.why)
        return EM_OK;
    refusal->message = em_arena_format(call->arena, "%s\nSent so, the call would fail next:\n%s",
                                       refusal->message, failure.why);
    bool has_way = failure.retry || answer->tells_way;
    refusal->fails_again = !has_way || answer->fails_again;
    if (has_way) {
        json_decref(refusal->retry);
        refusal->retry = json_incref(failure.retry);
    }
    return refusal->message ? EM_OK : EM_E_NOMEM;
}

static em_hunks hunks_of(const em_told_change *change)
{
    return (em_hunks){change->parts, change->heads, change->count};
}

/* Make the call with these arguments, which may be what `change` says, without leaving anything
 * behind. */
static em_status run_trial(const em_call *call, json_t *arguments, const em_told_change *change,
                           em_answer *answer)
{
    em_call trial = *call;
    trial.arguments = arguments;
    trial.is_trial = true;
    trial.progress = NULL;
    em_session_set_trial(call->session, true);
    em_session_set_trial_hunks(call->session, hunks_of(change), call->arena);
    em_status status = call->tool->run(&trial, answer);
    em_session_set_trial(call->session, call->is_trial);
    return status;
}

/* Did a trial find texts of the patch at several places, and its headers tell which are meant? The
 * arguments that were meant show more of these then. */
static bool take_places(const em_call *call, const em_told_change *change, json_t *meant)
{
    return meant != call->arguments && /* which stay as they came */
           em_args_take_hunks(call->tool->params, hunks_of(change),
                              em_session_trial_chosen(call->session), meant);
}

/* Did a trial tell how many places there are, where the call asked for all? The arguments that were
 * meant have the number then. */
static bool take_count(const em_call *call, const em_answer *answer, const em_said_numbers *said,
                       json_t *meant)
{
    return answer->miscount.found > 0 &&
           em_args_take_count(call->tool->params, call->arguments, said, answer->miscount, meant);
}

static em_status add_line(const em_call *call, const char *line, em_call_refusal *refusal)
{
    refusal->message = em_arena_format(call->arena, "%s\n%s", refusal->message, line);
    return refusal->message ? EM_OK : EM_E_NOMEM;
}

/* There is nothing to be sent, for that reason. */
static em_status drop_retry(const em_call *call, const char *reason, em_call_refusal *refusal)
{
    json_decref(refusal->retry);
    refusal->retry = NULL;
    return add_line(call, reason, refusal);
}

/* A patch that came for edits is of whole lines, and may say below which ones. Where its texts only
 * stand within a line, or elsewhere, they are not what it was made for. */
static em_status drop_misplaced(const em_call *call, const em_told_change *change,
                                em_call_refusal *refusal)
{
    enum { HEAD_SHOWN = 100 }; /* bytes */
    em_strayed strayed = em_session_trial_strayed(call->session);
    if (!refusal->retry || change->count == 0)
        return EM_OK;
    if (em_session_trial_is_unheld(call->session))
        return drop_retry(call,
                          "The file is too large for the memory there is to tell whether the patch "
                          "belongs there",
                          refusal);
    if (em_session_trial_cuts_lines(call->session))
        return drop_retry(call,
                          "The patch is of whole lines, but its texts stand in the file within "
                          "others",
                          refusal);
    if (strayed.line == 0)
        return EM_OK;
    const char *reason = em_arena_format(
        call->arena,
        "The patch has lines below \"%.*s\", and the file has them at line %zu, which is "
        "not below that",
        (int)em_utf8_floor(strayed.head, HEAD_SHOWN), strayed.head.ptr, strayed.line);
    return reason ? drop_retry(call, reason, refusal) : EM_E_NOMEM;
}

/* A patch that would fail in part is made as a whole or not at all, where a tool leaves that to who
 * calls: whoever sends it as it is gets no half of it. */
static em_status make_atomic(const em_call *call, const em_told_change *change,
                             em_call_refusal *refusal)
{
    bool is_partly_right = refusal->retry && refusal->fails_again && change->count > 1;
    const em_param *atomic = em_param_named(call->tool->params, "atomic");
    if (!is_partly_right || !atomic || em_param_value(atomic, refusal->retry))
        return EM_OK;
    return json_object_set_new(refusal->retry, atomic->name, json_true()) == 0 ? EM_OK : EM_E_NOMEM;
}

/* Why the number of places that was said of an edit is not what all of them are. */
static const char *why_not_as_often(const em_call *call, const em_answer *answer,
                                    const em_said_numbers *said, size_t edit)
{
    bool is_known = answer->miscount.found > 0 && answer->miscount.edit == edit;
    const char *text = said->count > 1 ? em_arena_format(call->arena, "The text of %s[%zu]",
                                                         said->list->name, edit)
                                       : "The text";
    if (!text)
        return NULL;
    return is_known
               ? em_arena_format(call->arena,
                                 "%s stands there %zu times: if all are meant, send "
                                 "replace_all, and not their number",
                                 text, answer->miscount.found)
               : em_arena_format(call->arena, "%s does not stand there as often as was said", text);
}

/* Where a text does not stand in the file as often as was said, another one may be meant, and what
 * else is wrong with it leads to no call that is right. Where another edit fails, how often it does
 * is not known. */
static em_status take_outcome(const em_call *call, const em_answer *answer,
                              const em_said_numbers *said, em_call_refusal *refusal)
{
    size_t edit;
    if (!em_args_lack_number(said, refusal->retry, &edit))
        return take_failure(call, answer, refusal);
    bool fails_elsewhere = answer->is_error && said->count > 1 &&
                           (answer->miscount.found == 0 || answer->miscount.edit != edit);
    if (fails_elsewhere)
        EM_TRY(take_failure(call, answer, refusal));
    const char *reason =
        fails_elsewhere
            ? "How often a text stands there is not said here: send replace_all where all are meant"
            : why_not_as_often(call, answer, said, edit);
    return reason ? drop_retry(call, reason, refusal) : EM_E_NOMEM;
}

em_status em_call_try_out(const em_call *call, em_call_refusal *refusal)
{
    enum { MOST_TRIALS = 16 }; /* each but the last counts the places of one text */
    bool is_told = !refusal->retry || !call->tool->read_failure;
    em_told_change change = {.count = 0};
    em_said_numbers said;
    if (!is_told) {
        EM_TRY(em_args_find_changes(call->arguments, call->arena, &change));
        EM_TRY(em_args_numbers_said(call->tool->params, call->arguments, call->arena, &said));
    }
    for (size_t i = 1; !is_told; i++) {
        EM_AUTO(em_answer) answer = {0};
        EM_TRY(run_trial(call, refusal->retry, &change, &answer));
        is_told = i == MOST_TRIALS || !(take_count(call, &answer, &said, refusal->retry) ||
                                        take_places(call, &change, refusal->retry));
        if (is_told)
            EM_TRY(take_outcome(call, &answer, &said, refusal));
    }
    EM_TRY(make_atomic(call, &change, refusal));
    return drop_misplaced(call, &change, refusal);
}

/* ---- What another tool does ----------------------------------------------------------------- */

/* Is a patch in what was tried out where it belongs, as far as that can be told? */
static bool is_in_its_place(const em_call *call)
{
    return !em_session_trial_is_unheld(call->session) &&
           !em_session_trial_cuts_lines(call->session) &&
           em_session_trial_strayed(call->session).line == 0;
}

/* Would the call, with these arguments, do what was asked for? Texts of a patch may get more of
 * their places. */
static em_status try_other(const em_call *call, const em_told_change *change, json_t *arguments,
                           bool *does)
{
    EM_AUTO(em_answer) answer = {0};
    em_call_failure failure = {0};
    em_said_numbers said;
    size_t edit;
    EM_TRY(em_args_numbers_said(call->tool->params, call->arguments, call->arena, &said));
    EM_TRY(run_trial(call, arguments, change, &answer));
    if (take_places(call, change, arguments)) {
        em_answer_drop(&answer);
        EM_TRY(run_trial(call, arguments, change, &answer));
    }
    EM_TRY(call->tool->read_failure(&answer, call->arena, &failure));
    *does = !failure.why && !em_args_lack_number(&said, arguments, &edit) &&
            (change->count == 0 || is_in_its_place(call));
    return EM_OK;
}

/* The call's arguments, as they are or put right, for its tool; a new reference. NULL: they are
 * none of that. */
static json_t *fitting(const em_call *call, em_json *json)
{
    em_args_problem problem;
    json_t *repaired = em_call_repaired(json, call);
    if (repaired)
        return repaired;
    em_status status = em_args_check(call->tool->params, call->arguments, call->arena, &problem);
    if (status == EM_OK)
        status = em_forms_check(call->tool->params, call->tool->forms, call->arguments, call->arena,
                                &problem);
    json->failed |= status == EM_E_NOMEM;
    return status == EM_OK ? json_incref((json_t *)call->arguments) : NULL;
}

/* Append what to send to the tool, if the same arguments, put right for it, do what was asked for;
 * *is_told then. */
static em_status tell_tool(const em_call *call, const em_tool *tool, const em_told_change *change,
                           em_call_refusal *refusal, bool *is_told)
{
    em_json json = {0};
    EM_AUTO(em_strbuf) line = {0};
    em_call other = *call;
    other.tool = tool;
    EM_AUTO(em_json_ref) arguments = fitting(&other, &json);
    if (json.failed)
        return EM_E_NOMEM;
    if (!arguments || !tool->read_failure)
        return EM_OK;
    EM_TRY(try_other(&other, change, arguments, is_told));
    if (json_equal(arguments, call->arguments)) {
        em_strbuf_printf(&line, "Send the same arguments to %s", tool->name);
    } else {
        em_strbuf_printf(&line, "Send these arguments to %s: ", tool->name);
        em_json_write(arguments, 0, &line);
    }
    *is_told = *is_told && line.len <= EM_RETRY_LIMIT;
    const char *text = em_strbuf_finish(&line, call->arena);
    if (!text)
        return EM_E_NOMEM;
    return *is_told ? add_line(call, text, refusal) : EM_OK;
}

/* Do the arguments have what only some tools of a family take? */
static bool names_lines_or_objects(const json_t *arguments)
{
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)arguments, key, value)
    {
        if (em_json_is_object(json_array_get(value, 0)) || em_are_synonyms("start_line", key) ||
            strcmp("start_line", key) == 0)
            return true;
    }
    return false;
}

static bool take_path(const em_param *params)
{
    while (params && params->name && params->type != EM_P_PATH && !take_path(params->fields))
        params++;
    return params && params->name;
}

/* Does it change files that a call names? An undo does not: what came with that was done before. */
static bool changes_named_files(const em_tool *tool)
{
    return !(tool->flags & EM_TOOL_READ_ONLY) && take_path(tool->params);
}

/* May the tool do what came for the call's? What came for an edit is no whole file. */
static bool may_be_other(const em_call *call, const em_tool *other)
{
    return other != call->tool && em_tools_are_kin(other, call->tool) &&
           changes_named_files(other) && !(other->flags & EM_TOOL_WRITES);
}

/* The tool that makes files, if one is offered: of the family, or any; NULL. */
static const em_tool *maker_of_files(const em_call *call)
{
    const em_tool *found = NULL;
    for (size_t i = 0; i < call->offered->count; i++) {
        const em_tool *tool = call->offered->tools[i];
        if (!(tool->flags & EM_TOOL_CREATES))
            continue;
        if (em_tools_are_kin(tool, call->tool))
            return tool;
        found = found ? found : tool;
    }
    return found;
}

/* Does a patch say by that line that a file is made? */
static bool says_new_file(em_slice line)
{
    return em_slice_starts(line, EM_LIT("*** Add File: ")) ||
           em_slice_starts(line, EM_LIT("new file ")) ||
           em_slice_starts(line, EM_LIT("--- /dev/null"));
}

/* A patch asks for what no edits do. */
static em_status add_more(const em_call *call, em_slice more, em_call_refusal *refusal)
{
    enum { WORDS_SHOWN = 100 }; /* bytes */
    const em_tool *maker = says_new_file(more) ? maker_of_files(call) : NULL;
    const char *way = "do that by other means, and send the texts of its edits";
    if (maker)
        way = em_arena_format(call->arena,
                              "send the content of the new file to %s, and the texts of its edits, "
                              "if it has any, as edits",
                              maker->name);
    const char *line =
        way ? em_arena_format(call->arena,
                              "The patch asks for more than other texts in a file (\"%.*s\"): %s",
                              (int)em_utf8_floor(more, WORDS_SHOWN), more.ptr, way)
            : NULL;
    return line ? add_line(call, line, refusal) : EM_E_NOMEM;
}

/* What a tool that does several things was told to do ("command"); NULL. */
static const char *command_of(const json_t *arguments)
{
    const char *key, *command = NULL;
    json_t *value;
    json_object_foreach((json_t *)arguments, key, value)
    {
        command = em_are_synonyms("command", key) ? json_string_value(value) : command;
    }
    return command;
}

/* Did all that a file is to hold, and nothing else but its path, come for a tool that makes edits?
 */
static bool has_content_for_none(const em_call *call)
{
    static const char *const names[] = {"content", "contents", "file_text"};
    static const char *const words[] = {"create", "write", NULL};
    bool is_for_edits = changes_named_files(call->tool) &&
                        !(call->tool->flags & (EM_TOOL_CREATES | EM_TOOL_WRITES));
    bool has = false;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        has |= json_is_string(json_object_get(call->arguments, names[i])) &&
               !em_param_named(call->tool->params, names[i]);
    size_t most = em_is_one_name_of(words, command_of(call->arguments)) ? 3 : 2;
    return has && is_for_edits && json_object_size(call->arguments) <= most;
}

/* Whether a whole file was meant nobody knows, and what it would be written over; so the tool is
 * named, and not what to send. */
static em_status add_writer(const em_call *call, em_call_refusal *refusal)
{
    const em_tool *maker = has_content_for_none(call) ? maker_of_files(call) : NULL;
    if (!maker)
        return EM_OK;
    const char *line =
        em_arena_format(call->arena, "%s makes edits; %s takes all that a file is to hold",
                        call->tool->name, maker->name);
    return line ? add_line(call, line, refusal) : EM_E_NOMEM;
}

/* To look at a file, for a tool that changes some: which one shows it. */
static em_status add_reader(const em_call *call, em_call_refusal *refusal)
{
    static const char *const words[] = {"view", "read", "open", NULL};
    const em_tool *reader = NULL;
    bool asks = em_is_one_name_of(words, command_of(call->arguments)) &&
                !(call->tool->flags & EM_TOOL_READ_ONLY);
    for (size_t i = 0; i < call->offered->count && asks; i++) {
        const em_tool *tool = call->offered->tools[i];
        bool shows = tool->flags & EM_TOOL_READS;
        if (shows && (!reader || em_tools_are_kin(tool, call->tool)))
            reader = tool;
    }
    if (!reader)
        return EM_OK;
    const char *line = em_arena_format(call->arena, "%s changes files; %s shows what one holds",
                                       call->tool->name, reader->name);
    return line ? add_line(call, line, refusal) : EM_E_NOMEM;
}

/* A patch for a tool that writes whole files, edits for one that makes one or none, or those of
 * several files for one that takes one: which tool of its family does that. */
static em_status add_other_tool(const em_call *call, em_call_refusal *refusal)
{
    const em_tool *tool = call->tool;
    em_told_change change;
    bool names_files, is_told = false;
    EM_TRY(em_args_patch_names_files(tool->params, call->arguments, call->arena, &names_files));
    names_files |= em_args_name_files(tool->params, call->arguments);
    EM_TRY(em_args_find_changes(call->arguments, call->arena, &change));
    if (change.count > 0 && change.is_cut)
        return add_line(call,
                        "The marker at the end of the patch is missing, so that not all of it may "
                        "have come: send all of it, or the texts of its edits",
                        refusal);
    if (change.more.len > 0)
        return add_more(call, change.more, refusal);
    if (change.is_bare)
        return add_line(call,
                        "A part of the patch only brings lines: send it with a line before or "
                        "behind these that stands in the file",
                        refusal);
    bool asks_for_other =
        changes_named_files(tool) && (change.count > 0 || names_lines_or_objects(call->arguments));
    for (size_t i = 0; i < call->offered->count && asks_for_other && !is_told; i++) {
        const em_tool *other = call->offered->tools[i];
        if (may_be_other(call, other))
            EM_TRY(tell_tool(call, other, &change, refusal, &is_told));
    }
    if (!is_told)
        EM_TRY(add_writer(call, refusal));
    if (!is_told)
        EM_TRY(add_reader(call, refusal));
    return names_files && !is_told ? add_line(call,
                                              "The edits name several files, and these are taken "
                                              "one at a time here: send a call for each",
                                              refusal)
                                   : EM_OK;
}

/* What to send instead: to the tool, or to another one. */
static em_status find_way(const em_call *call, bool is_unwrapped, em_call_refusal *refusal)
{
    em_json json = {0};
    refusal->retry = is_unwrapped ? fitting(call, &json) : em_call_repaired(&json, call);
    if (json.failed)
        return EM_E_NOMEM;
    return refusal->retry ? em_call_try_out(call, refusal) : add_other_tool(call, refusal);
}

static em_status refuse(const em_call *call, const em_args_problem *problem, em_answer *answer)
{
    em_call_refusal refusal = {.message = problem->message, .edit = problem->edit};
    EM_AUTO(em_json_ref)
    inside = em_args_unwrapped(call->tool->params, (json_t *)call->arguments);
    EM_AUTO(em_json_ref) given = inside ? em_args_without_prose(inside, call->arena) : NULL;
    em_call meant = *call;
    meant.arguments = given;
    em_status status = given ? find_way(&meant, inside != call->arguments, &refusal) : EM_E_NOMEM;
    if (status == EM_OK)
        status = call->tool->refuse(call, &refusal, answer);
    json_decref(refusal.retry);
    return status;
}

static em_status call_checked(const em_call *call, const json_t *given, em_answer *answer)
{
    em_args_problem problem = {"The arguments must be an object", EM_NO_EDIT};
    em_status status = EM_E_INVALID;
    if (given == call->arguments)
        status = em_args_check(call->tool->params, given, call->arena, &problem);
    if (status == EM_OK)
        status =
            em_forms_check(call->tool->params, call->tool->forms, given, call->arena, &problem);
    else if (status == EM_E_INVALID && given == call->arguments)
        EM_TRY(add_misfit(call, &problem));
    if (status == EM_E_INVALID)
        return refuse(call, &problem, answer);
    return status == EM_OK ? call->tool->run(call, answer) : status;
}

/* Nobody gets at the session of another connection by a name that the history shows. */
static em_status find_session(em_call *call)
{
    const char *name = json_string_value(json_object_get(call->arguments, "session"));
    if (!name || call->named_session)
        return EM_OK;
    call->named_session = em_session_chosen_name(name, call->arena);
    return call->named_session ? EM_OK : EM_E_NOMEM;
}

em_status em_tool_call(em_call *call, const json_t *arguments, em_answer *answer)
{
    *answer = (em_answer){0};
    EM_AUTO(em_json_ref) none = json_object();
    if (!none)
        return EM_E_NOMEM;
    if (!arguments || json_is_null(arguments))
        arguments = none;
    call->arguments = em_json_is_object(arguments) ? arguments : none;
    const char *session = call->named_session;
    em_status status = find_session(call);
    if (status == EM_OK)
        status = call_checked(call, arguments, answer);
    if (status != EM_OK)
        em_answer_drop(answer);
    call->arguments = NULL;
    call->named_session = session;
    return status;
}
