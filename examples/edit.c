/* edit.c: replace text that stands in a file once, and show what changed.
 *
 *   cc edit.c $(pkg-config --cflags --libs emend) -o edit
 *   ./edit FILE OLD NEW
 */
#include <emend.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    emend_session *session = NULL;
    emend_file *file = NULL;
    emend_plan *plan = NULL;
    char *diff = NULL;
    emend_error err;
    if (argc != 4)
        return 2;

    emend_edit edit = {.find = emend_string(argv[2]), .replace = emend_string(argv[3])};
    bool ok = emend_session_new(NULL, &session, &err) == EMEND_OK &&
              emend_file_open(session, argv[1], NULL, &file, &err) == EMEND_OK &&
              emend_plan_new(emend_file_text(file), NULL, &edit, 1, &plan, &err) == EMEND_OK &&
              emend_plan_diff(plan, emend_file_name(file), &diff, &err) == EMEND_OK &&
              emend_commit(file, plan, NULL, &err) == EMEND_OK;
    if (ok)
        fputs(diff, stdout);
    else
        fprintf(stderr, "%s: %s %s\n", argv[1], emend_status_name(err.code), err.detail);

    emend_free(diff);
    emend_plan_free(plan);
    emend_file_close(file);
    emend_session_free(session);
    return ok ? 0 : 1;
}
