/* together.h: edits of several operations that wait to be laid in as one step.
 *
 * To lay edits in takes a look at each node of the page, as finding elements does. So an operation
 * waits for others, as long as none has a say in another, and the tags around what it changes are
 * all written:
 *
 *  (1) What waits does not change which elements the selector of another operation matches.
 *  (2) No element is written twice, but at its end, nor one that stands in what another operation
 *      fills anew, or takes away.
 *  (3) No two write at one place else, nor on the line that an element is removed with.
 *
 * Who has to know the page as it is by now (an explanation, an operation of another kind) has what
 * waits laid in before. That the same comes out as one by one, the tests see to.
 */
#ifndef EM_DOM_TOGETHER_H
#define EM_DOM_TOGETHER_H

#include "dom/edit.h"

enum { EM_MOST_NAMES_TOGETHER = 8, EM_MOST_NODES_TOGETHER = 10000 };

typedef struct em_together {
    em_arena arena;
    em_edit *edits; /* in the order in which they came */
    size_t count, room;
    em_range *reaches; /* where each of them is, in the bytes of the page */
    size_t reach_room;
    uint64_t *written;                        /* a bit for each node of the page */
    uint64_t *refilled;                       /* the same: in it elements come or go */
    uint64_t *appended;                       /* the same: to its end something comes */
    em_slice classes[EM_MOST_NAMES_TOGETHER]; /* that elements get, or lose */
    size_t class_count;
    em_slice attrs[EM_MOST_NAMES_TOGETHER]; /* that change otherwise */
    size_t attr_count;
    bool writes_text, moves_elements;
    bool changes_beside; /* elements go, or something comes before or behind one */
    size_t new_nodes;    /* of all fragments */
} em_together;

void em_together_drop(em_together *together);

/* Nothing waits any more. */
void em_together_clear(em_together *together);

/* Does what waits leave alone what the selector looks at, so that it matches what it would match
 * once that is laid in, but for elements that go away with it? */
bool em_together_leaves(const em_together *together, const em_page *page,
                        const em_selector *selector);

/* Does the op, which was planned on the page without what waits, see none of that, and is what it
 * is to do of a kind that may wait? `nodes`: what it is about; `edits`: what is to be done with
 * some of them. */
bool em_together_fits(const em_together *together, const em_page *page, const em_dom_op *op,
                      const em_nodes *nodes, const em_edit *edits, size_t count);

/* Have them wait too, of an op that fits. EM_E_NOMEM. */
em_status em_together_add(em_together *together, const em_page *page, const em_dom_op *op,
                          const em_edit *edits, size_t count);

#endif
