/* control.h: code of templates that begins a part of a page, parts it, or ends it.
 *
 * {% if %} ... {% else %} ... {% endif %} belong together, as do {{#a}} and {{/a}}, <% if a %> and
 * <% end %>, <?php if ($a): ?> and <?php endif; ?>, and braces that one piece of code opens and
 * another closes. What is cut out of a page must hold all of them, or none; and what stands between
 * them may be in the page that a reader gets, or not.
 */
#ifndef EM_HTML_CONTROL_H
#define EM_HTML_CONTROL_H

#include "html/tree.h"

/* What ends by its name: {% endif %}, {% endcall %}. */
typedef struct em_statement_end {
    em_slice name;
    size_t last; /* where the last of that name begins */
} em_statement_end;

/* A page of which ranges are asked, one after the other, and what was found out about all of it:
 * `em_control_page control = {.bytes = page, .arena = arena};`. */
typedef struct em_control_page {
    em_slice bytes;                                          /* borrowed */
    em_arena *arena;                                         /* for what is kept */
    enum { EM_GO_UNKNOWN, EM_GO_THERE, EM_GO_NOT_THERE } go; /* code of Go that {{end}} can end */
    bool ends_known;
    em_statement_end *ends;
    size_t end_count, end_room;
} em_control_page;

/* The first piece of code in `range` of the page that belongs to one outside of it, or that its end
 * cuts; one that `kept` holds too does not count. Empty: there is none. `scratch` is for what
 * nobody needs behind the call. EM_E_NOMEM. */
em_status em_control_torn(em_control_page *page, em_range range, em_slice kept, em_arena *scratch,
                          em_range *torn);

/* What stands between two pieces of code that belong together. */
typedef struct em_branch {
    em_range range; /* end EM_NPOS: nothing ends it */
    size_t choice;  /* of which it is one */
    size_t rank;    /* among those of its choice, from 0 */
    size_t around;  /* the branch that it was begun in; EM_NPOS: none */
    bool directed;  /* directives begin and end it (directive.h) */
} em_branch;

/* Branches of which a page has one or, where none of them is for all else, perhaps none. */
typedef struct em_choice {
    size_t branches; /* how many */
    bool has_else;   /* the last of them is for all else */
    bool negated;    /* its condition says when not: the first two of them have changed ranks */
    bool loops;      /* what it depends on is how much there is of something */
} em_choice;

typedef struct em_choices {
    em_branch *branches; /* in order of where they begin */
    em_choice *items;
    size_t branch_count, count, branch_room, room;
} em_choices;

/* What the `pieces` of code between the tags of a page choose from. EM_E_NOMEM. */
em_status em_control_choices(em_slice page, const em_range *pieces, size_t count, em_arena *arena,
                             em_choices *choices);

#endif
