/* state.h: a page while operations go over it.
 *
 *  (1) `page` is the tree of `page.bytes`, spans included: an edit changes both alike, without
 *      parsing. Whether a parser would agree, the guard finds out.
 *  (2) `changes` leads from the bytes that were parsed to those of now.
 */
#ifndef EM_DOM_STATE_H
#define EM_DOM_STATE_H

#include "base/strbuf.h"
#include "dom/changes.h"
#include "dom/edit.h"
#include "dom/unsure.h"
#include "html/ids.h"
#include "html/parser_memory.h"
#include "selectors/places.h"

typedef struct em_page_state {
    em_page page;
    em_changes changes;
    em_arena arena;      /* the tree, and what edits bring */
    em_strbuf now, next; /* page.bytes, once they are not the original; and where they are made */
    size_t room;         /* of page.nodes */
    size_t asked;        /* since ids changed */
    size_t asked_places; /* since a node came, or went */
    bool stale;          /* a parser may see more in what edits wrote than the tree has */
    bool broken;         /* it was stale, and does not read as the tree: an edit is to blame */
    em_unsure unsure;    /* where the same is so, once another edit touches it */
    em_ids ids;          /* page.ids, where they were made */
    em_arena for_ids;
    em_sibling_places places; /* page.places, where they are kept */
} em_page_state;

/* Parse, with `memory` for this and the parses that come. Statuses of em_page_parse(). */
em_status em_page_state_open(em_page_state *state, em_slice bytes, em_parser_memory *memory,
                             em_deadline *deadline, em_error *err);
void em_page_state_drop(em_page_state *state);

/* Where the page is stale: parse it, so that an operation finds what it would find in a call of its
 * own, or note that the page is broken. Nodes that were found before, and all else that was in the
 * state's memory, are gone then. EM_E_NOMEM; EM_E_TIMEOUT. */
em_status em_page_state_refresh(em_page_state *state, em_deadline *deadline);

/* An operation is going to look for elements. From the third on since ids changed, page.ids are
 * there, and page.places from the third on since nodes came or went. EM_E_NOMEM. */
em_status em_page_state_ask(em_page_state *state);

/* Lay edits in, of one operation or of several that have waited (together.h); they are sorted by
 * their splices, which are disjoint, and the splices are given once more as a list. *shift (in
 * `scratch`) leads from the offsets before to those behind. EM_E_NOMEM: the state can only be
 * dropped. */
em_status em_page_state_apply(em_page_state *state, em_edit *edits, em_splices step,
                              em_arena *scratch, em_shift *shift);

#endif
