/* edit.h: one action on one element: which bytes become which, and what the tree is to be then.
 *
 * Planning changes nothing. An edit is one splice over the bytes of the page, and what is needed to
 * make the same change in its tree (state.h); or there is a refusal, with a reason that says what
 * to do instead.
 *
 *  (1) Content of an element reaches from behind its start tag (and behind the newline that HTML
 *      drops there in <pre> and <textarea>) to its end tag; where that is left out, to the next
 *      tag, without the white space before that.
 *  (2) What is written into the page is the text that was given, or stands for it; nothing that is
 *      there is written anew.
 */
#ifndef EM_DOM_EDIT_H
#define EM_DOM_EDIT_H

#include "dom/dom.h"
#include "html/code.h"
#include "html/control.h"
#include "html/directed.h"
#include "html/tree.h"

typedef enum em_edit_kind {
    EM_EDIT_NONE, /* all is as it should be */
    EM_EDIT_ATTR,
    EM_EDIT_NO_ATTR,
    EM_EDIT_CONTENT,
    EM_EDIT_INSERT,
    EM_EDIT_REMOVE,
} em_edit_kind;

typedef struct em_edit {
    em_edit_kind kind;
    size_t op; /* whose it is, for who lays in those of several */
    em_node *node;
    em_splice splice;         /* over the bytes of the page */
    em_slice attr, value;     /* EM_EDIT_ATTR, EM_EDIT_NO_ATTR: as the tree has them */
    em_page *fragment;        /* EM_EDIT_CONTENT, EM_EDIT_INSERT: what comes; NULL: nothing */
    size_t fragment_at;       /* where in the insert it begins */
    em_dom_position position; /* EM_EDIT_INSERT */
    em_slice tail;            /* white space, as it is written, that goes on behind the content or
                               * the element that is removed; of EM_DOM_BEFOREEND: the end of the
                               * last text */
    em_node *next;            /* of EM_DOM_BEFOREEND: the child that comes behind all the same, as
                               * one behind </body> does; NULL: none */
    size_t lead, trail;       /* EM_EDIT_REMOVE: white space, in characters of the tree, taken from
                               * the text before and the text behind */
    em_node *closed;          /* whose end tag the insert begins with; NULL: nobody's */
    size_t closing;           /* the length of that */
    size_t removed;           /* elements that go away, `node` itself not counted */
} em_edit;

/* Why not. */
typedef struct em_refusal {
    em_dom_code code;
    const char *reason;
} em_refusal;

/* What the functions that plan share. */
typedef struct em_edit_plan {
    const em_page *page;
    const em_dom_op *op;
    const em_nodes *nodes; /* all that the op is about, in document order */
    size_t at;             /* the planned one among them */
    em_arena *arena;       /* for all that an edit holds */
    em_arena *scratch;     /* for what nobody needs once the edit is planned */
    em_arena *of_page;     /* for what is found out about the page, below: as long as the plan */
    em_deadline *deadline;
    bool close;     /* write the end tag that was left out where the edit touches one */
    bool can_close; /* out: there is such a place */
    em_refusal refusal;
    em_slice value_meant; /* with a refusal: the value that was probably meant; empty */
    const char *warning;  /* of what was done, for the answer; NULL: none */
    /* What several edits ask of the page is found out when it is first asked for: */
    bool doubts_known, directed_known, branched_known, jsx_known;
    bool jsx; /* tags have className, and none a class */
    em_code_doubt *doubts;
    size_t doubt_count;
    em_control_page control;
    em_directed directed;
    em_nodes branched; /* those with EM_FLAW_BRANCHED */
    size_t tail_from;  /* what em_page_tail() gave last, and for where; 0: it was not asked */
    em_slice tail;
} em_edit_plan;

/* Plan the op's action on `node`. EM_E_INVALID: plan->refusal says why not; EM_E_NOMEM;
 * EM_E_TIMEOUT. */
em_status em_edit_make(em_edit_plan *plan, em_node *node, em_edit *edit);

/* Fill the refusal; EM_E_INVALID (or EM_E_NOMEM). */
em_status em_refuse(em_edit_plan *plan, em_dom_code code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Warn of a reference to a character in the op's value, which is taken as text. EM_E_NOMEM. */
em_status em_edit_warn_of_entity(em_edit_plan *plan);

/* `node`, if it is an element without an end tag that goes on to `at`, and would go on around what
 * came to stand there; else NULL. */
em_node *em_edit_open_at(const em_page *page, em_node *node, size_t at);

/* Is a newline that stands first in it none of its text, as in <pre>? */
bool em_edit_drops_newline(const em_node *node);

/* The kinds of action, each in a file of its own. */
em_status em_edit_set_attr(em_edit_plan *plan, em_node *node, em_edit *edit);
em_status em_edit_remove_attr(em_edit_plan *plan, em_node *node, em_edit *edit);
em_status em_edit_classes(em_edit_plan *plan, em_node *node, em_edit *edit);
em_status em_edit_content(em_edit_plan *plan, em_node *node, em_edit *edit);
em_status em_edit_insert(em_edit_plan *plan, em_node *node, em_edit *edit);
em_status em_edit_remove(em_edit_plan *plan, em_node *node, em_edit *edit);

/* Does the edit leave the code of templates whole? It neither touches braces of which it is not
 * sure that they are code, or none, nor parts what belongs together ({% if %} and {% endif %}). */
em_status em_edit_check_code(em_edit_plan *plan, const em_edit *edit);

/* Does the edit come out as it is meant in each way in which code of templates can choose? */
em_status em_edit_check_ways(em_edit_plan *plan, const em_edit *edit);

/* The nodes of the page that have this flaw, in document order; in `arena`. EM_E_NOMEM. */
em_status em_nodes_with_flaw(const em_page *page, unsigned flaw, em_arena *arena, em_nodes *found);

/* The start tag of the element has an error. EM_E_INVALID; EM_E_NOMEM. */
em_status em_refuse_odd(em_edit_plan *plan, const em_node *node);

/* Is the element's end tag there, and no other one's for sure? */
em_status em_edit_check_ends(em_edit_plan *plan, const em_node *node);

/* Does the end tag of that name at `at` end an element, or is it none: in a script, or in a
 * comment? */
bool em_edit_is_taken(const em_page *page, size_t at);

/* Find the attributes of a node in its start tag again, after one of them was written. */
void em_edit_find_attrs(const em_page *page, em_node *node);

/* Can an attribute have that name? */
bool em_edit_is_attr_name(em_slice name);

/* Can the attributes of this element be changed? */
em_status em_edit_check_attrs(em_edit_plan *plan, const em_node *node);

/* Give the attribute `name` of the node a value, `decoded` in the tree. `raw`, where it is given,
 * is how the value is written between the quotes that are there, or between double ones. */
em_status em_edit_write_attr(em_edit_plan *plan, em_node *node, em_slice name, em_slice decoded,
                             em_slice raw, em_edit *edit);

/* Tags in reasons are cut, too: EM_SHOWN_TAG(slice) for "%.*s%s". (With base/utf8.h.) */
enum { EM_MOST_OF_TAG_SHOWN = 80 /* bytes */ };
#define EM_SHOWN_TAG(tag)                                                                          \
    (int)em_utf8_floor(tag, EM_MOST_OF_TAG_SHOWN), (tag).ptr,                                      \
        (tag).len > EM_MOST_OF_TAG_SHOWN ? "..." : ""

/* Names in reasons are cut: EM_NAMED(node) for "%.*s". */
#define EM_NAMED(node) (int)((node)->name.len < 40 ? (node)->name.len : 40), (node)->name.ptr

#endif
