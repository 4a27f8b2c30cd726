/* past_view.c: changes of the past as lines of text.
 *
 * em_cli_print_views prints a list, a change a line; em_cli_print_view one change with its diff.
 */
#include "cli/past_view.h"

#include "base/clock.h"

#include <inttypes.h>
#include <time.h>

/* ---- Times --------------------------------------------------------------------------------- */

/* Not February 30th, of which strptime() thinks nothing. */
static bool is_in_its_month(const struct tm *day)
{
    struct tm normal = {.tm_year = day->tm_year, .tm_mon = day->tm_mon, .tm_mday = day->tm_mday};
    timegm(&normal);
    return normal.tm_mday == day->tm_mday;
}

bool em_cli_parse_time(const char *text, int64_t *ms)
{
    static const char *const formats[] = {"%Y-%m-%dT%H:%M:%S", "%Y-%m-%d %H:%M:%S",
                                          "%Y-%m-%dT%H:%M", "%Y-%m-%d %H:%M", "%Y-%m-%d"};
    int64_t age;
    if (em_parse_age(text, &age)) {
        *ms = em_wall_ms() - age;
        return true;
    }
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        struct tm local = {.tm_isdst = -1};
        const char *end = strptime(text, formats[i], &local);
        if (!end || *end)
            continue;
        if (!is_in_its_month(&local))
            return false;
        *ms = (int64_t)mktime(&local) * 1000;
        return true;
    }
    return false;
}

/* ---- Lines --------------------------------------------------------------------------------- */

static void print_name(em_invocation *call, const char *text)
{
    em_term_name(&call->out, em_slice_of(text));
}

/* A number is enough for people. */
static int number_length(const char *id)
{
    return (int)strcspn(id, "-");
}

static void print_state(em_invocation *call, const em_past_view *view)
{
    FILE *file = call->out.file;
    if (em_past_is_pending(view->row))
        fputs(" (not finished: it is at work, or was interrupted)", file);
    const em_file_bases *bases = &view->bases;
    for (size_t i = 0; i < bases->count && i < 3; i++)
        fprintf(file, "%s %.*s", i == 0 ? " of" : ",", number_length(bases->items[i].id),
                bases->items[i].id);
    if (bases->count > 3)
        fprintf(file, " and %zu more", bases->count - 3);
    if (view->is_undone)
        fprintf(file, " (undone by %.*s)", number_length(view->fate.shown), view->fate.shown);
}

/* `emend undo` of an undo makes the change again: then it is said that it was a redo. `emend redo`
 * of a rewind may also undo what that had done again. */
static void print_tool(em_invocation *call, const em_past_view *view)
{
    const char *tool = view->row->origin.tool ? view->row->origin.tool : "?";
    bool is_command = strcmp(tool, "undo") == 0 || strcmp(tool, "redo") == 0;
    if (is_command && view->role != EM_ROLE_EDIT)
        tool = em_past_role_word(view->role);
    print_name(call, tool);
    if (view->role == EM_ROLE_REDO && !is_command)
        fputs(", redo", call->out.file);
}

/* `whole`: with the way to the file, since it may lie in any of several roots. */
static void print_line(em_invocation *call, const em_past_view *view, bool whole)
{
    const em_row *row = view->row;
    char when[EM_LOCAL_TIME_SIZE];
    em_local_time_text(row->time_ms, when);
    fprintf(call->out.file, "%s%5.*s%s  %s  ", call->out.colour ? "\033[33m" : "",
            number_length(view->id), view->id, call->out.colour ? "\033[m" : "", when);
    print_name(call, whole ? view->path : row->path);
    bool is_edit = strcmp(em_past_kind_word(row), "edit") == 0;
    fprintf(call->out.file, "  %s%s", is_edit ? "" : em_past_kind_word(row), is_edit ? "" : ", ");
    print_tool(call, view);
    print_state(call, view);
    if (row->origin.client) {
        fputs("  [", call->out.file);
        print_name(call, row->origin.client);
        fputc(']', call->out.file);
    }
    fputc('\n', call->out.file);
}

void em_cli_print_views(em_invocation *call, const em_past_views *views, bool whole)
{
    for (size_t i = 0; i < views->count; i++)
        print_line(call, &views->items[i], whole);
}

/* ---- One of them --------------------------------------------------------------------------- */

static void print_field(em_invocation *call, const char *name, const char *value)
{
    if (!value || !*value)
        return;
    fprintf(call->out.file, "%-9s", name);
    print_name(call, value);
    fputc('\n', call->out.file);
}

static void print_facts(em_invocation *call, const em_past_view *view)
{
    const em_row *row = view->row;
    char when[EM_LOCAL_TIME_SIZE];
    em_local_time_text(row->time_ms, when);
    fprintf(call->out.file, "%schange %s%s", call->out.colour ? "\033[33m" : "", view->id,
            call->out.colour ? "\033[m" : "");
    if (view->role != EM_ROLE_EDIT)
        fprintf(call->out.file, ", %s", em_past_role_word(view->role));
    print_state(call, view);
    fputc('\n', call->out.file);
    print_field(call, "File:", view->path);
    print_field(call, "Date:", when);
    print_field(call, "Tool:", row->origin.tool);
    print_field(call, "Client:", row->origin.client);
    print_field(call, "Session:", row->origin.session);
    print_field(call, "Call:", row->origin.call);
    print_field(call, "Backup:", row->backup);
    print_field(call, "Kept:", row->kept);
    for (const em_past_note *note = em_past_notes; note->note != 0; note++)
        if (row->notes & note->note)
            print_field(call, "Note:", note->sentence);
}

void em_cli_print_view(em_invocation *call, const em_past_view *view)
{
    const em_shown *shown = &view->shown;
    FILE *file = call->out.file;
    print_facts(call, view);
    fputc('\n', file);
    if (shown->not_recorded && view->row->old_size + view->row->new_size > 0)
        fputs("What it did was too large to be recorded.\n", file);
    if (em_row_changes_nothing(view->row))
        fputs("It left the file as it was.\n", file);
    if (shown->is_binary)
        fprintf(file, "It is no text: %" PRIu64 " bytes became %" PRIu64 ".\n", view->row->old_size,
                view->row->new_size);
    if (shown->missing > 0)
        fprintf(file, "%" PRIu64 " new bytes are not kept: the diff lacks them.\n", shown->missing);
    if (shown->has_cut_lines)
        fputs("Not all that stands around the change is kept: of some lines the diff has a part.\n",
              file);
    em_term_diff(&call->out, em_slice_of(shown->diff));
}
