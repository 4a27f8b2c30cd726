/* state.c: each kind of edit as a change of the tree, with the offsets of what is behind it. */
#include "dom/state.h"

#include "dom/guard.h"
#include "html/elements.h"
#include "html/graft.h"
#include "html/parse.h"
#include "html/readings.h"
#include "html/spans.h"
#include "html/tag.h"

em_status em_page_state_open(em_page_state *state, em_slice bytes, em_parser_memory *memory,
                             em_deadline *deadline, em_error *err)
{
    *state = (em_page_state){.changes.original = bytes};
    EM_TRY(em_page_parse_in(memory, bytes, deadline, &state->arena, &state->page, err));
    return em_readings_check(&state->page, deadline);
}

void em_page_state_drop(em_page_state *state)
{
    em_arena_drop(&state->arena);
    em_arena_drop(&state->for_ids);
    em_sibling_places_drop(&state->places);
    em_strbuf_drop(&state->now);
    em_strbuf_drop(&state->next);
}

em_status em_page_state_ask(em_page_state *state)
{
    enum { OFTEN = 3 }; /* to make the ids takes as long as looking for some of them */
    if (++state->asked_places == OFTEN)
        state->page.places = &state->places;
    if (++state->asked != OFTEN)
        return EM_OK;
    em_arena_clear(&state->for_ids);
    EM_TRY(em_ids_make(&state->page, &state->for_ids, &state->ids));
    state->page.ids = &state->ids;
    return EM_OK;
}

/* ---- Bytes ----------------------------------------------------------------------------------- */

static em_status lay_in(em_page_state *state, em_splices step)
{
    em_slice bytes = state->page.bytes;
    em_strbuf *next = &state->next, made;
    size_t at = 0;
    next->len = 0;
    for (size_t i = 0; i < step.count; i++) {
        em_strbuf_add(next, em_slice_sub(bytes, at, step.items[i].offset));
        em_strbuf_add(next, step.items[i].insert);
        at = step.items[i].offset + step.items[i].length;
    }
    em_strbuf_add(next, em_slice_from(bytes, at));
    if (next->failed)
        return EM_E_NOMEM;
    made = *next;
    *next = state->now;
    state->now = made;
    state->page.bytes = em_strbuf_slice(&state->now);
    return EM_OK;
}

/* ---- Spans ----------------------------------------------------------------------------------- */

static void slide(em_range *range, size_t by)
{
    range->start += by;
    range->end += by;
}

/* What is inserted where a range begins or ends is not in it. Most ranges lie before or behind all
 * of the step. */
static void move(const em_shift *shift, em_range *range)
{
    em_splices step = shift->step;
    if (step.count == 0 || range->end < step.items[0].offset) {
        slide(range, shift->grown[0]);
        return;
    }
    const em_splice *last = &step.items[step.count - 1];
    if (range->start > last->offset + last->length) {
        slide(range, shift->grown[step.count]);
        return;
    }
    range->start = em_shift_map(shift, range->start, true);
    range->end = em_shift_map(shift, range->end, false);
    if (range->end < range->start)
        range->end = range->start;
}

/* Most attributes stand in the start tag, which few splices touch. */
static void move_attrs(const em_shift *shift, em_node *node)
{
    em_range tag = node->start_tag;
    em_shift in_tag = em_shift_part(shift, tag.start, tag.end);
    for (size_t i = 0; i < node->attr_count; i++) {
        em_attr *attr = &node->attrs[i];
        bool inside = attr->raw_name.start >= tag.start && attr->raw_value.end <= tag.end;
        move(inside ? &in_tag : shift, &attr->raw_name);
        move(inside ? &in_tag : shift, &attr->raw_value);
    }
}

static void move_node(const em_shift *shift, em_node *node)
{
    if (node->attr_count > 0)
        move_attrs(shift, node);
    move(shift, &node->whole);
    move(shift, &node->start_tag);
    move(shift, &node->end_tag);
    node->reach = node->reach > 0 ? em_shift_map(shift, node->reach, true) : 0;
}

static void add_to(em_range *range, size_t by)
{
    if (range->end > 0)
        *range = (em_range){range->start + by, range->end + by};
}

/* The spans of a fragment become those of the page that it stands in at `at`. */
static void settle(em_page *fragment, size_t at)
{
    for (size_t i = 1; i < fragment->count; i++) {
        em_node *node = fragment->nodes[i];
        add_to(&node->whole, at);
        add_to(&node->start_tag, at);
        add_to(&node->end_tag, at);
        for (size_t k = 0; k < node->attr_count; k++) {
            add_to(&node->attrs[k].raw_name, at);
            add_to(&node->attrs[k].raw_value, at);
        }
    }
}

/* Elements without an end tag go on to the end of what they hold. */
static void reach(em_node *node, size_t end)
{
    for (; node; node = node->parent)
        if (em_is_there(node->start_tag) && !em_is_there(node->end_tag) && node->whole.end < end)
            node->whole.end = end;
}

/* ---- The tree -------------------------------------------------------------------------------- */

/* What the edit wrote, in the bytes of now. */
typedef struct em_tree_change {
    em_page_state *state;
    em_edit *edit;
    em_range range;
    em_nodes pushed; /* those of the page with EM_FLAW_PUSHED */
} em_tree_change;

/* Names of HTML's own attributes are in lower case in the tree. */
static em_status tree_name(em_tree_change *laid, em_slice *name)
{
    em_slice given = laid->edit->attr;
    char *copy = em_arena_string(&laid->state->arena, given);
    for (size_t i = 0; copy && laid->edit->node->ns == EM_NS_HTML && i < given.len; i++)
        copy[i] = em_to_lower(copy[i]);
    *name = em_slice_make(copy, given.len);
    return copy ? EM_OK : EM_E_NOMEM;
}

/* Room for one more. Others will follow where there are some already. */
static em_status reserve_attr(em_node *node, em_arena *arena)
{
    size_t count = node->attr_count, room = count + count / 2 + 1;
    if (count < node->attr_room)
        return EM_OK;
    em_attr *more = em_alloc_array(arena, room, sizeof *more);
    if (!more)
        return EM_E_NOMEM;
    if (count > 0)
        memcpy(more, node->attrs, count * sizeof *more);
    node->attrs = more;
    node->attr_room = room;
    return EM_OK;
}

static em_status set_attr(em_tree_change *laid)
{
    em_node *node = laid->edit->node;
    em_attr *attr = em_node_attr_any_case(node, laid->edit->attr);
    if (!attr) {
        em_slice name;
        EM_TRY(tree_name(laid, &name));
        EM_TRY(reserve_attr(node, &laid->state->arena));
        attr = &node->attrs[node->attr_count++];
        *attr = (em_attr){.name = name};
    }
    attr->value = laid->edit->value;
    em_edit_find_attrs(&laid->state->page, node);
    return EM_OK;
}

static em_status remove_attr(em_tree_change *laid)
{
    em_node *node = laid->edit->node;
    em_attr *attr = em_node_attr_any_case(node, laid->edit->attr);
    size_t at = attr ? (size_t)(attr - node->attrs) : node->attr_count;
    for (size_t i = at; i + 1 < node->attr_count; i++)
        node->attrs[i] = node->attrs[i + 1];
    node->attr_count -= attr != NULL;
    em_edit_find_attrs(&laid->state->page, node);
    return EM_OK;
}

static void put_fragment(em_tree_change *laid, em_node *parent, em_node *next)
{
    em_edit *edit = laid->edit;
    if (!edit->fragment)
        return;
    laid->state->page.doubtful |= edit->fragment->doubtful;
    laid->state->page.directed |= edit->fragment->directed;
    unsigned swallows = edit->fragment->root->flaws & EM_FLAW_SWALLOWED;
    for (em_node *around = parent; around && swallows; around = around->parent)
        around->flaws |= swallows;
    settle(edit->fragment, laid->range.start + edit->fragment_at);
    em_graft_put_children(parent, next, edit->fragment->root);
    reach(parent, laid->range.end);
}

/* The white space of the edit as a text behind what it wrote; *text is NULL where there is none. It
 * may be that of the page as it was, whose bytes do not last as long as the tree does. */
static em_status make_tail(em_tree_change *laid, size_t end, em_node **text)
{
    em_slice tail = laid->edit->tail;
    *text = NULL;
    if (tail.len == 0)
        return EM_OK;
    EM_TRY(em_arena_keep(&laid->state->arena, &tail));
    *text = em_graft_text(tail, &laid->state->arena);
    if (!*text)
        return EM_E_NOMEM;
    (*text)->whole = (em_range){laid->range.end, end > laid->range.end ? end : laid->range.end};
    return EM_OK;
}

static em_status set_content(em_tree_change *laid)
{
    em_node *parent = laid->edit->node, *tail;
    EM_TRY(make_tail(laid, parent->whole.end, &tail));
    em_graft_empty(parent);
    put_fragment(laid, parent, NULL);
    if (!tail)
        return EM_OK;
    em_graft_put(parent, NULL, tail);
    return em_graft_join(tail->previous, &laid->state->arena);
}

/* Texts that now stand side by side, from the one before the first new node to the last. */
static em_status join_around(em_tree_change *laid, em_node *parent, em_node *previous,
                             em_node *next)
{
    em_node *last = next ? next->previous : parent->last_child;
    EM_TRY(em_graft_join(last, &laid->state->arena));
    return em_graft_join(previous, &laid->state->arena);
}

/* The innermost of the elements at the end of `node` that are open at `at`. */
static em_node *innermost_open(const em_tree_change *laid, em_node *node, size_t at)
{
    em_node *open = NULL;
    while ((node = em_edit_open_at(&laid->state->page, node, at))) {
        open = node;
        node = node->last_child;
    }
    return open;
}

/* A parser takes what comes behind an open element for the last thing in it, above all white space.
 */
static em_status put_into_open(em_tree_change *laid, em_node *open, em_node *node)
{
    em_node *last = open->last_child;
    em_graft_cut(node);
    em_graft_put(open, NULL, node);
    reach(open, node->whole.end);
    EM_TRY(em_graft_join(node, &laid->state->arena));
    return em_graft_join(last, &laid->state->arena);
}

/* The element before an implied one that takes what comes between the two; NULL. */
static em_node *open_before(const em_tree_change *laid, const em_node *implied)
{
    em_node *previous = implied->previous;
    em_node *open = innermost_open(laid, previous, laid->range.start);
    bool is_late = previous && !em_is_there(previous->end_tag) &&
                   (em_node_is(previous, "head") || em_node_is(previous, "colgroup"));
    return !open && is_late ? previous : open;
}

/* An implied element begins with what implies it, and white space before that goes on behind what
 * stands before: the end of an open <caption>, <colgroup> or <head>, or the place beside it. Before
 * the <head> there is none. */
static em_status put_before_implied(em_tree_change *laid, em_node *implied, em_node *blank)
{
    em_node *previous = implied->previous, *open = open_before(laid, implied);
    bool is_head = previous && em_node_is(previous, "head");
    if (em_node_is(implied, "head") ||
        (open && is_head && !em_is_there(open->start_tag) && !open->first_child)) {
        em_graft_cut(blank);
        return EM_OK;
    }
    if (open)
        return put_into_open(laid, open, blank);
    em_graft_cut(blank);
    em_graft_put(implied->parent, implied, blank);
    return em_graft_join(previous, &laid->state->arena);
}

/* The white space that `text` begins with, as a text of its own; NULL: there is none. */
static em_status part_blank(em_tree_change *laid, em_node *text, em_node **blank)
{
    size_t length = 0;
    *blank = NULL;
    if (!text || text->kind != EM_NODE_TEXT)
        return EM_OK;
    while (length < text->text.len && em_html_space(text->text.ptr[length]))
        length++;
    if (length == 0)
        return EM_OK;
    *blank = text;
    if (length == text->text.len)
        return EM_OK;
    em_node *rest = em_graft_split(text, text->text.len - length, text->whole.start + length,
                                   &laid->state->arena);
    return rest ? EM_OK : EM_E_NOMEM;
}

/* The white space that an implied element begins with, after an edit, is not in it. */
static em_status begin_implied(em_tree_change *laid, em_node *implied)
{
    em_node *blank;
    EM_TRY(part_blank(laid, implied->first_child, &blank));
    return blank ? put_before_implied(laid, implied, blank) : EM_OK;
}

/* Is `child` what begins such an element, where no tag does? */
static bool begins(const em_node *implied, const em_node *child)
{
    if (em_node_is(implied, "tbody"))
        return em_node_is(child, "tr");
    if (em_node_is(implied, "colgroup"))
        return em_node_is(child, "col");
    return em_node_is(implied, "tr") && (em_node_is(child, "td") || em_node_is(child, "th"));
}

/* Does a row, a cell or a column alone make it? */
static bool is_begun_by_child(const em_node *node)
{
    return node->kind == EM_NODE_ELEMENT && node->flaws & EM_FLAW_IMPLIED &&
           (em_node_is(node, "tbody") || em_node_is(node, "colgroup") || em_node_is(node, "tr"));
}

/* A <colgroup> that is open takes comments and templates, and ends before all else. */
static bool takes(const em_node *open, const em_node *child)
{
    return !em_node_is(open, "colgroup") || child->kind == EM_NODE_COMMENT ||
           em_node_is(child, "template");
}

/* Put a child of an implied element before that. */
static em_status put_beside(em_tree_change *laid, em_node *implied, em_node *child)
{
    em_node *open = open_before(laid, implied);
    if (open && takes(open, child))
        return put_into_open(laid, open, child);
    em_graft_cut(child);
    em_graft_put(implied->parent, implied, child);
    return EM_OK;
}

/* The same when the first thing in it went: what comes before the next that begins one is not in
 * it, and where there is no such, there is no element. */
static em_status begin_implied_anew(em_tree_change *laid, em_node *implied)
{
    EM_TRY(begin_implied(laid, implied));
    if (!is_begun_by_child(implied))
        return EM_OK;
    em_node *parent = implied->parent, *child;
    em_tree_change at = *laid; /* what stood open there goes on to what was put into it */
    while ((child = implied->first_child) && !begins(implied, child) &&
           child->kind != EM_NODE_TEXT) {
        at.range.start = child->whole.start;
        EM_TRY(put_beside(&at, implied, child));
        at.range.start = child->whole.end;
        EM_TRY(begin_implied(&at, implied));
    }
    if (!implied->first_child) {
        em_node *before = implied->previous;
        em_graft_cut(implied);
        EM_TRY(em_graft_join(before, &laid->state->arena));
    }
    bool begins_late = !parent->first_child || !begins(parent, parent->first_child);
    return is_begun_by_child(parent) && begins_late ? begin_implied_anew(laid, parent) : EM_OK;
}

static em_status insert_at(em_tree_change *laid, em_node *parent, em_node *next)
{
    em_node *previous = next ? next->previous : parent->last_child;
    put_fragment(laid, parent, next);
    EM_TRY(join_around(laid, parent, previous, next));
    return !previous && parent->flaws & EM_FLAW_IMPLIED ? begin_implied(laid, parent) : EM_OK;
}

/* The end of `text`, of that length, as a text of its own that is nowhere. */
static em_status take_end(em_tree_change *laid, em_node *text, size_t length, em_node **end)
{
    *end = text;
    if (length < text->text.len)
        *end = em_graft_split(text, length, laid->range.end, &laid->state->arena);
    if (!*end)
        return EM_E_NOMEM;
    em_graft_cut(*end);
    (*end)->whole = (em_range){laid->range.end, laid->range.end};
    return EM_OK;
}

/* Behind what `parent` has before `next`, where the page ends. The white space behind that end is
 * in what was open there, and now in what is. */
static em_status insert_before_page_tail(em_tree_change *laid, em_node *parent, em_node *next)
{
    em_node *last = next ? next->previous : parent->last_child, *tail;
    size_t length = laid->edit->tail.len;
    while (last && last->last_child)
        last = last->last_child;
    if (!last || last->kind != EM_NODE_TEXT || last->text.len < length)
        return insert_at(laid, parent, next);
    EM_TRY(take_end(laid, last, length, &tail));
    EM_TRY(insert_at(laid, parent, next));
    last = next ? next->previous : parent->last_child;
    em_graft_put(parent, next, tail);
    em_node *open = innermost_open(laid, last, laid->range.end);
    return open ? put_into_open(laid, open, tail) : em_graft_join(last, &laid->state->arena);
}

/* Before the white space that stands at the end of the last text. */
static em_status insert_at_end(em_tree_change *laid)
{
    em_node *node = laid->edit->node, *next = laid->edit->next;
    em_node *last = next ? next->previous : node->last_child;
    size_t tail = laid->edit->tail.len;
    if (tail > 0 && last && last->kind == EM_NODE_ELEMENT)
        return insert_before_page_tail(laid, node, next);
    bool parts = tail > 0 && last && last->kind == EM_NODE_TEXT && last->text.len >= tail;
    if (!parts)
        return insert_at(laid, node, next);
    em_node *behind = em_graft_split(last, tail, laid->range.end, &laid->state->arena);
    if (!behind)
        return EM_E_NOMEM;
    last->whole.end = laid->range.start;
    return insert_at(laid, node, behind);
}

/* What would have gone on up to the node, in one of the ways to choose, ends where the new begins
 * (edit_ways.c). */
static void end_pushed(em_tree_change *laid)
{
    size_t at = laid->edit->node->start_tag.start;
    for (size_t i = 0; i < laid->pushed.count; i++) {
        em_node *node = laid->pushed.items[i];
        if (node->index < laid->edit->node->index && node->reach == at)
            node->reach = laid->range.start;
    }
}

static em_status insert(em_tree_change *laid)
{
    em_node *node = laid->edit->node;
    switch (laid->edit->position) {
    case EM_DOM_BEFOREBEGIN:
        end_pushed(laid);
        return insert_at(laid, node->parent, node);
    case EM_DOM_AFTERBEGIN:
        return insert_at(laid, node, node->first_child);
    case EM_DOM_BEFOREEND:
        return insert_at_end(laid);
    case EM_DOM_AFTEREND:
    case EM_DOM_NO_POSITION: /* which was refused */
        break;
    }
    return laid->edit->tail.len > 0 ? insert_before_page_tail(laid, node->parent, node->next)
                                    : insert_at(laid, node->parent, node->next);
}

/* The node before `node`, but for implied elements that begin with it. */
static em_node *written_before(const em_node *node)
{
    em_node *before = em_graft_before(node);
    while (before && before == node->parent && before->flaws & EM_FLAW_IMPLIED) {
        node = before;
        before = em_graft_before(node);
    }
    return before;
}

/* White space of the line that went with an element. A parser may have dropped it already. */
static void take_lead(const em_tree_change *laid, em_node *text)
{
    size_t length = laid->edit->lead;
    if (text && text->kind == EM_NODE_TEXT && text->text.len >= length &&
        text->whole.end == laid->range.start &&
        em_html_blank(em_slice_from(text->text, text->text.len - length)))
        text->text.len -= length;
}

static void take_trail(const em_tree_change *laid, em_node *text)
{
    size_t length = laid->edit->trail;
    if (text && text->kind == EM_NODE_TEXT && text->text.len >= length &&
        text->whole.start == laid->range.end && em_html_blank(em_slice_sub(text->text, 0, length)))
        em_graft_shorten(text, length);
}

/* What comes behind a node that was removed, in its place. */
static em_status close_gap(em_tree_change *laid, em_node *parent, em_node *previous,
                           em_node *behind)
{
    EM_TRY(em_graft_join(behind, &laid->state->arena));
    behind = previous ? previous->next : parent->first_child;
    if (!previous && parent->flaws & EM_FLAW_IMPLIED)
        return begin_implied_anew(laid, parent);
    bool is_blank = behind && behind->kind == EM_NODE_TEXT && em_html_blank(behind->text);
    em_node *open = is_blank ? innermost_open(laid, previous, laid->range.start) : NULL;
    return open ? put_into_open(laid, open, behind) : em_graft_join(previous, &laid->state->arena);
}

static em_status remove_node(em_tree_change *laid)
{
    em_node *node = laid->edit->node, *parent = node->parent, *previous = node->previous, *tail;
    EM_TRY(make_tail(laid, node->whole.end, &tail));
    if (tail)
        em_graft_put(parent, node->next, tail);
    em_node *behind = node->next;
    take_lead(laid, written_before(node));
    take_trail(laid, em_graft_behind(node));
    em_graft_cut(node);
    return close_gap(laid, parent, previous, behind);
}

static em_status change_tree(em_tree_change *laid)
{
    em_edit *edit = laid->edit;
    if (edit->closed) {
        size_t end = laid->range.start + edit->closing;
        edit->closed->end_tag = (em_range){laid->range.start, end};
        edit->closed->whole.end = end;
    }
    switch (edit->kind) {
    case EM_EDIT_ATTR:
        return set_attr(laid);
    case EM_EDIT_NO_ATTR:
        return remove_attr(laid);
    case EM_EDIT_CONTENT:
        return set_content(laid);
    case EM_EDIT_INSERT:
        return insert(laid);
    case EM_EDIT_REMOVE:
        return remove_node(laid);
    case EM_EDIT_NONE:
        break;
    }
    return EM_OK;
}

static bool are_of_attrs(const em_edit *edits, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (edits[i].kind != EM_EDIT_ATTR && edits[i].kind != EM_EDIT_NO_ATTR)
            return false;
    return true;
}

static void forget_places(em_page_state *state)
{
    em_sibling_places_clear(&state->places);
    state->page.places = NULL;
    state->asked_places = 0;
}

static em_status number(em_page_state *state, const em_edit *edits, size_t count)
{
    em_page *page = &state->page;
    if (are_of_attrs(edits, count))
        return EM_OK;                  /* no node came, or went */
    size_t most = page->count + count; /* a tail each */
    for (size_t i = 0; i < count; i++)
        most += edits[i].fragment ? edits[i].fragment->count : 0;
    em_node **nodes = page->nodes;
    if (most > state->room) {
        nodes = em_alloc_raw(&state->arena, (most + most / 4) * sizeof *nodes);
        if (!nodes)
            return EM_E_NOMEM;
        state->room = most + most / 4;
    }
    em_page_number(page, nodes);
    forget_places(state);
    return EM_OK;
}

static bool brings_ids(const em_page *fragment)
{
    for (size_t i = 1; fragment && i < fragment->count; i++)
        if (em_node_attr_any_case(fragment->nodes[i], EM_LIT("id")))
            return true;
    return false;
}

/* Does an element have another id then? */
static bool changes_ids(const em_edit *edit)
{
    return brings_ids(edit->fragment) || em_same_in_any_case(edit->attr, EM_LIT("id"));
}

static void forget_ids(em_page_state *state)
{
    state->page.ids = NULL;
    state->asked = 0;
}

/* ---- The page anew --------------------------------------------------------------------------- */

/* What led from the original to here, in memory of its own, which the state's becomes. */
static em_status keep_changes_alone(em_page_state *state, em_arena *kept)
{
    em_splices *splices = &state->changes.splices;
    em_splice *items = em_alloc_array(kept, splices->count, sizeof *items);
    if (!items)
        return EM_E_NOMEM;
    for (size_t i = 0; i < splices->count; i++) {
        items[i] = splices->items[i];
        EM_TRY(em_arena_keep(kept, &items[i].insert));
    }
    splices->items = items;
    em_arena_drop(&state->arena);
    state->arena = *kept;
    *kept = (em_arena){0};
    return EM_OK;
}

/* The tree of the page as it is now, in `arena`. */
static em_status parse_anew(em_page_state *state, em_deadline *deadline, em_arena *arena,
                            em_page *page)
{
    em_slice bytes = state->page.bytes;
    em_error err = EM_ERROR_INIT;
    EM_TRY(em_arena_keep(arena, &bytes)); /* those of the state do not last as long as the tree */
    EM_TRY(em_page_parse_in(state->page.memory, bytes, deadline, arena, page, &err));
    return em_readings_check(page, deadline);
}

em_status em_page_state_refresh(em_page_state *state, em_deadline *deadline)
{
    EM_AUTO(em_arena) arena = {0};
    em_guard_finding finding;
    em_page page;
    if (!state->stale)
        return EM_OK;
    state->stale = false;
    state->unsure.count = 0;
    EM_TRY(em_guard_check(&state->page, deadline, &finding));
    state->broken = !finding.same;
    if (state->broken)
        return EM_OK;
    EM_TRY(parse_anew(state, deadline, &arena, &page));
    EM_TRY(keep_changes_alone(state, &arena));
    page.bytes = state->page.bytes;
    state->page = page;
    state->room = 0;
    state->unsure = (em_unsure){0};
    forget_ids(state);
    forget_places(state);
    return EM_OK;
}

em_status em_page_state_apply(em_page_state *state, em_edit *edits, em_splices step,
                              em_arena *scratch, em_shift *shift)
{
    em_page *page = &state->page;
    for (size_t i = 0; i < step.count; i++) {
        state->stale |= em_edit_makes_stale(page, &edits[i]);
        if (changes_ids(&edits[i]))
            forget_ids(state);
    }
    EM_TRY(em_shift_init(shift, step, scratch));
    EM_TRY(em_changes_add(&state->changes, step, &state->arena));
    EM_TRY(lay_in(state, step));
    for (size_t i = 1; i < page->count; i++)
        move_node(shift, page->nodes[i]);
    for (size_t i = 0; i < state->unsure.count; i++)
        move(shift, &state->unsure.items[i]);
    page->root->whole.end = page->bytes.len;
    em_nodes pushed = {0};
    if (page->coded)
        EM_TRY(em_nodes_with_flaw(page, EM_FLAW_PUSHED, scratch, &pushed));
    for (size_t i = 0; i < step.count; i++) {
        size_t start = step.items[i].offset + shift->grown[i];
        em_tree_change laid = {state, &edits[i], {start, start + step.items[i].insert.len}, pushed};
        EM_TRY(em_unsure_add(&state->unsure, page, &edits[i], laid.range, &state->arena));
        EM_TRY(change_tree(&laid));
    }
    em_unsure_join(&state->unsure);
    return number(state, edits, step.count);
}
