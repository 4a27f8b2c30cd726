/* readings.c: a reading is the page with blanks in place of what does not count in it; it is parsed
 * as the page was, and the two are compared. Where nothing is in doubt, nothing is parsed again.
 *
 * Of branches of template code, choices go together: there is a reading with the first branch of
 * each, one with the second of each, and so on, since conditions that begin and end an element are
 * written alike; those within others are made in all ways, too, and so are those of loops, which no
 * condition speaks of. It is about those alone that hold tags of elements which begin or end
 * outside.
 */
#include "html/readings.h"

#include "base/ascii.h"
#include "base/sorted.h"
#include "html/control.h"
#include "html/elements.h"
#include "html/parse.h"
#include "html/prescan.h"
#include "html/spans.h"

#include "base/strbuf.h"

#include <stdlib.h>

/* More ways to choose than these are not tried; nor, where choices are nested, more at one level
 * beside all of those at the others, nor more levels. */
enum { MOST_WAYS = 8, MOST_NESTED = 3, MOST_LEVELS = 3 };

/* So often readings are made anew since others of them have shown more choices that matter. */
enum { MOST_ROUNDS = 4 };

/* Which branch of each choice a reading has. */
typedef struct em_ranks {
    size_t levels[MOST_LEVELS]; /* of conditions, by how deep they lie in others */
    size_t loops;
} em_ranks;

/* What is to come into each reading (em_readings_hold). */
typedef struct em_visit {
    const em_node *node;
    const em_splice *splice;
    bool inside, is_held;
} em_visit;

typedef struct em_page_reader {
    em_page *page;
    em_visit *visit; /* NULL: readings are compared with the page */
    em_deadline *deadline;
    em_choices choices;
    em_page places; /* the nodes of the page in order of their start tags, once they are needed */
    bool *parts;    /* of each choice: does it part elements, of the page or of a reading? */
    bool has_more;  /* some do that were not known to when this round of readings began */
    size_t levels;  /* so deep they lie in each other, at most MOST_LEVELS */
    bool loops;     /* one of them is a loop, and another is none */
} em_page_reader;

/* ---- Which choices part elements ------------------------------------------------------------- */

static bool holds(const em_branch *branch, size_t at)
{
    return branch->range.end != EM_NPOS && at >= branch->range.start && at < branch->range.end;
}

/* The innermost branch that holds `at`; NULL: none does. */
static const em_branch *branch_at(const em_choices *choices, size_t at)
{
    size_t behind = EM_COUNT_BELOW(choices->branches, choices->branch_count, range.start, at + 1);
    size_t i = behind > 0 ? behind - 1 : EM_NPOS;
    while (i != EM_NPOS && !holds(&choices->branches[i], at))
        i = choices->branches[i].around;
    return i == EM_NPOS ? NULL : &choices->branches[i];
}

/* Note the choices of which a branch holds one of the two places. */
static bool note_parting(em_page_reader *r, size_t at, size_t other)
{
    const em_branch *branch = branch_at(&r->choices, at);
    bool parts = false;
    while (branch) {
        if (holds(branch, at) && !holds(branch, other)) {
            r->has_more |= !r->parts[branch->choice];
            parts = r->parts[branch->choice] = true;
        }
        branch = branch->around == EM_NPOS ? NULL : &r->choices.branches[branch->around];
    }
    return parts;
}

/* Has it no end tag, and needs none? */
static bool goes_on(const em_node *node)
{
    return !em_is_there(node->end_tag) && node->ns == EM_NS_HTML &&
           (em_html_is_void(node->name) || em_node_is(node, "html") || em_node_is(node, "head") ||
            em_node_is(node, "body"));
}

/* Does any choice part an element of the page, or of the reading? */
static bool find_parting(em_page_reader *r, const em_page *page)
{
    bool found = false;
    for (size_t i = 0; i < page->count; i++) {
        const em_node *node = page->nodes[i];
        if (node->kind != EM_NODE_ELEMENT || !em_is_there(node->start_tag) || goes_on(node))
            continue;
        size_t end = em_is_there(node->end_tag) ? node->end_tag.start : node->whole.end;
        found |= note_parting(r, node->start_tag.start, end);
        found |= note_parting(r, end, node->start_tag.start);
    }
    return found;
}

/* ---- Comparing ------------------------------------------------------------------------------- */

/* Of how many ways to choose has this one? Of no branch, too, where none is for all else. */
static size_t ways(const em_choice *choice)
{
    return choice->branches + !choice->has_else;
}

static size_t count_ways(const em_page_reader *r)
{
    size_t most = 0;
    for (size_t i = 0; i < r->choices.count; i++)
        if (r->parts[i] && ways(&r->choices.items[i]) > most)
            most = ways(&r->choices.items[i]);
    return most < MOST_WAYS ? most : MOST_WAYS;
}

/* Within how many branches of choices that part elements is this one? */
static size_t level_of(const em_page_reader *r, const em_branch *branch)
{
    size_t level = 0;
    for (size_t i = branch->around; i != EM_NPOS; i = r->choices.branches[i].around)
        level += r->parts[r->choices.branches[i].choice];
    return level;
}

static void count_levels(em_page_reader *r)
{
    for (size_t i = 0; i < r->choices.branch_count && r->levels < MOST_LEVELS; i++) {
        const em_branch *branch = &r->choices.branches[i];
        size_t level = r->parts[branch->choice] ? level_of(r, branch) + 1 : 0;
        r->levels = level > r->levels ? level : r->levels;
    }
    r->levels = r->levels < MOST_LEVELS ? r->levels : MOST_LEVELS;
}

/* Are there loops and conditions that part elements? */
static void find_loops(em_page_reader *r)
{
    size_t parting = 0, loops = 0;
    for (size_t i = 0; i < r->choices.count; i++) {
        parting += r->parts[i];
        loops += r->parts[i] && r->choices.items[i].loops;
    }
    r->loops = loops > 0 && loops < parting;
}

static size_t rank_of(const em_page_reader *r, const em_branch *branch, const em_ranks *ranks)
{
    bool by_loop = r->loops && r->choices.items[branch->choice].loops;
    return by_loop ? ranks->loops : ranks->levels[level_of(r, branch) % MOST_LEVELS];
}

/* Blanks for all branches that are not chosen. */
static void blank_others(const em_page_reader *r, const em_ranks *ranks, char *bytes)
{
    for (size_t i = 0; i < r->choices.branch_count; i++) {
        const em_branch *branch = &r->choices.branches[i];
        if (!r->parts[branch->choice] || branch->range.end == EM_NPOS)
            continue;
        size_t last = ways(&r->choices.items[branch->choice]) - 1;
        size_t chosen = rank_of(r, branch, ranks);
        if (branch->rank != (chosen < last ? chosen : last))
            memset(bytes + branch->range.start, ' ', branch->range.end - branch->range.start);
    }
}

static int by_start(const void *a, const void *b)
{
    const em_node *x = *(em_node *const *)a, *y = *(em_node *const *)b;
    return (x->start_tag.start > y->start_tag.start) - (x->start_tag.start < y->start_tag.start);
}

static bool ends_alike(const em_node *a, const em_node *b)
{
    return a->whole.end == b->whole.end && a->end_tag.start == b->end_tag.start &&
           (!(b->flaws & EM_FLAW_NO_END) || a->flaws & EM_FLAW_NO_END);
}

/* Leave but the nodes that have a start tag, in order of these. */
static void sort_by_start(em_page *reading)
{
    size_t count = 0;
    for (size_t i = 0; i < reading->count; i++)
        if (em_is_there(reading->nodes[i]->start_tag))
            reading->nodes[count++] = reading->nodes[i];
    reading->count = count;
    if (count > 0)
        qsort(reading->nodes, count, sizeof *reading->nodes, by_start);
}

/* The node of the page in the reading; NULL: it is not there. */
static em_node *find_read(const em_page *reading, const em_node *node)
{
    em_node **found = reading->count > 0
                          ? bsearch(&node, reading->nodes, reading->count, sizeof node, by_start)
                          : NULL;
    return found ? *found : NULL;
}

/* `read` is the node in a reading; branches alone can push it there. */
static void note_reach(em_page_reader *r, em_node *node, const em_node *read, unsigned flaw)
{
    bool is_pushed = flaw == EM_FLAW_BRANCHED && !em_is_there(read->end_tag);
    const em_node behind = {.start_tag = {read->whole.end, read->whole.end + 1}};
    em_node *by = is_pushed ? find_read(&r->places, &behind) : NULL;
    if (by)
        by->flaws |= EM_FLAW_PUSHING;
    if (read->whole.end < node->reach)
        return;
    if (read->whole.end > node->reach)
        node->flaws &= ~(unsigned)EM_FLAW_PUSHED;
    node->reach = read->whole.end;
    if (is_pushed)
        node->flaws |= EM_FLAW_PUSHED;
}

/* Elements of the reading that end otherwise in it, or are not in it. */
static void note_otherwise(em_page_reader *r, em_page *reading, unsigned flaw)
{
    sort_by_start(reading);
    for (size_t i = 0; i < r->page->count; i++) {
        em_node *node = r->page->nodes[i];
        if (!em_is_there(node->start_tag) || reading->bytes.ptr[node->start_tag.start] == ' ')
            continue;
        const em_node *found = find_read(reading, node);
        if (found && ends_alike(node, found))
            continue;
        node->flaws |= EM_FLAW_NO_END | flaw;
        if (found)
            note_reach(r, node, found, flaw);
    }
}

static int by_end(const void *a, const void *b)
{
    const em_node *x = *(em_node *const *)a, *y = *(em_node *const *)b;
    return (x->end_tag.start > y->end_tag.start) - (x->end_tag.start < y->end_tag.start);
}

/* Elements that are not in the reading, and of which the end tag ends another there. */
static void note_taken(em_page_reader *r, em_page *reading)
{
    if (reading->count > 0)
        qsort(reading->nodes, reading->count, sizeof *reading->nodes, by_end);
    for (size_t i = 0; i < r->page->count; i++) {
        em_node *node = r->page->nodes[i];
        if (em_is_there(node->start_tag) && em_is_there(node->end_tag) &&
            reading->bytes.ptr[node->start_tag.start] == ' ' && reading->count > 0 &&
            bsearch(&node, reading->nodes, reading->count, sizeof node, by_end))
            node->flaws |= EM_FLAW_NO_END | EM_FLAW_SLASHED;
    }
}

/* Elements that are not in the reading, and whose end tag is: there it ends another, an element
 * that the page does not write, or nothing. */
static void note_half(em_page_reader *r, const em_page *reading)
{
    const char *bytes = reading->bytes.ptr;
    for (size_t i = 0; i < r->page->count; i++) {
        em_node *node = r->page->nodes[i];
        if (em_is_there(node->start_tag) && em_is_there(node->end_tag) &&
            bytes[node->start_tag.start] == ' ' && bytes[node->end_tag.start] != ' ')
            node->flaws |= EM_FLAW_NO_END | EM_FLAW_BRANCHED;
    }
}

/* The tree of this text; an empty one where it is no page, since nothing is known of it. */
static em_status read(em_page_reader *r, em_slice text, em_arena *scratch, em_page *page)
{
    em_error err = EM_ERROR_INIT;
    em_status status = em_page_parse_in(r->page->memory, text, r->deadline, scratch, page, &err);
    if (status == EM_E_NOMEM || status == EM_E_TIMEOUT)
        return status;
    if (status != EM_OK)
        *page = (em_page){.bytes = text};
    return EM_OK;
}

/* Does all that is around the place in the reading end behind what comes there? */
static em_status visit(em_page_reader *r, em_arena *scratch, em_page *reading)
{
    em_visit *v = r->visit;
    em_page changed;
    em_slice text;
    size_t end = v->splice->offset + v->splice->length;
    sort_by_start(reading);
    const em_node *node = find_read(reading, v->node);
    if (!node || !v->is_held || reading->bytes.ptr[v->node->start_tag.start] == ' ')
        return EM_OK;
    EM_TRY(em_spliced(reading->bytes, v->splice->offset, end, v->splice->insert, scratch, &text));
    EM_TRY(read(r, text, scratch, &changed));
    sort_by_start(&changed);
    end = v->splice->offset + v->splice->insert.len;
    for (node = v->inside ? node : node->parent; node; node = node->parent) {
        const em_node *now = em_is_there(node->start_tag) ? find_read(&changed, node) : NULL;
        v->is_held &= !em_is_there(node->start_tag) || (now && now->whole.end >= end);
    }
    return EM_OK;
}

static em_status read_chosen(em_page_reader *r, const em_ranks *ranks)
{
    EM_AUTO(em_arena) scratch = {0};
    em_page reading;
    char *bytes = em_arena_string(&scratch, r->page->bytes);
    if (!bytes)
        return EM_E_NOMEM;
    blank_others(r, ranks, bytes);
    EM_TRY(read(r, em_slice_make(bytes, r->page->bytes.len), &scratch, &reading));
    find_parting(r, &reading);
    if (r->visit)
        return visit(r, &scratch, &reading);
    note_otherwise(r, &reading, EM_FLAW_BRANCHED);
    note_half(r, &reading);
    return EM_OK;
}

/* The next ranks, as if they were digits below `base`; false: these were the last. */
static bool next_ranks(const em_page_reader *r, em_ranks *ranks, size_t base)
{
    for (size_t level = 0; level < r->levels; level++) {
        if (++ranks->levels[level] < base)
            return true;
        ranks->levels[level] = 0;
    }
    return r->loops && ++ranks->loops < 2; /* it goes round, or not */
}

static em_status read_round(em_page_reader *r)
{
    size_t count = count_ways(r);
    em_ranks ranks = {.loops = 0};
    count_levels(r);
    find_loops(r);
    size_t base = r->levels > 1 && count > MOST_NESTED ? MOST_NESTED : count;
    do
        EM_TRY(read_chosen(r, &ranks));
    while (next_ranks(r, &ranks, base));
    for (size_t rank = base; rank < count; rank++)
        EM_TRY(read_chosen(r, &(em_ranks){{rank, rank, rank}, rank}));
    return EM_OK;
}

/* An element that one choice ends in the page may be ended by others where that one is made
 * otherwise. */
static em_status read_all(em_page_reader *r)
{
    r->has_more = true;
    for (size_t round = 0; round < MOST_ROUNDS && r->has_more; round++) {
        r->has_more = false;
        EM_TRY(read_round(r));
    }
    return EM_OK;
}

static em_status find_places(em_page_reader *r, em_arena *scratch)
{
    const em_page *page = r->page;
    em_node **nodes = em_alloc_array(scratch, page->count, sizeof *nodes);
    if (!nodes)
        return EM_E_NOMEM;
    memcpy(nodes, page->nodes, page->count * sizeof *nodes);
    r->places = (em_page){.nodes = nodes, .count = page->count};
    sort_by_start(&r->places);
    return EM_OK;
}

static em_status check_branches(em_page_reader *r)
{
    EM_AUTO(em_arena) scratch = {0};
    em_prescan scan;
    em_error err = EM_ERROR_INIT;
    em_slice bytes = r->page->bytes;
    if (!r->page->coded)
        return EM_OK;
    EM_TRY(em_prescan_page(bytes, &scratch, &scan, &err));
    EM_TRY(em_control_choices(bytes, scan.pieces, scan.piece_count, &scratch, &r->choices));
    r->parts = em_alloc_array(&scratch, r->choices.count, sizeof *r->parts);
    if (!r->parts)
        return EM_E_NOMEM;
    if (!find_parting(r, r->page))
        return EM_OK;
    EM_TRY(find_places(r, &scratch));
    return read_all(r);
}

/* ---- Tags that end with a slash -------------------------------------------------------------- */

/* Does a value without quotes end at `at`, and not with code? */
static bool ends_plain_value(em_slice bytes, const em_node *node, size_t at)
{
    for (size_t i = 0; i < node->attr_count; i++) {
        const em_attr *attr = &node->attrs[i];
        if (attr->has_value && !attr->quote && attr->raw_value.end == at)
            return !em_is_one_of(bytes.ptr[at - 2], "}>)");
    }
    return false;
}

/* Is one around it, of its name, without the end tag that both need? */
static bool is_in_unended(const em_node *node)
{
    if (em_html_end_is_optional(node->name))
        return false;
    for (const em_node *around = node->parent; around; around = around->parent)
        if (em_slice_eq(around->name, node->name) && !em_is_there(around->end_tag))
            return true;
    return false;
}

/* Has it the end tag that it needs, which none around it needs that is without one? */
static bool is_closed(const em_node *node)
{
    return em_html_end_is_optional(node->name) ||
           (em_is_there(node->end_tag) && !is_in_unended(node));
}

/* In SVG and MathML "/>" ends an element, but where the '/' is the end of a value without quotes.
 */
bool em_node_is_slashed(const em_page *page, const em_node *node)
{
    em_range tag = node->start_tag;
    return node->kind == EM_NODE_ELEMENT && em_is_there(tag) &&
           page->bytes.ptr[tag.end - 2] == '/' && !em_node_is_void(page, node) &&
           !(ends_plain_value(page->bytes, node, tag.end - 1) && is_closed(node));
}

/* Is it slashed, and has no end tag of its own right behind that? */
static bool seems_ended(const em_page *page, const em_node *node)
{
    return em_node_is_slashed(page, node) &&
           (node->end_tag.start != node->start_tag.end || is_in_unended(node));
}

static void blank_slashed(const em_page *page, char *bytes)
{
    for (size_t i = 0; i < page->count; i++) {
        em_range tag = page->nodes[i]->start_tag;
        if (seems_ended(page, page->nodes[i]))
            memset(bytes + tag.start, ' ', tag.end - tag.start);
    }
}

static void note_endless(em_page *page)
{
    for (size_t i = 0; i < page->count; i++)
        if (seems_ended(page, page->nodes[i]) && !em_is_there(page->nodes[i]->end_tag))
            page->nodes[i]->flaws |= EM_FLAW_NO_END | EM_FLAW_SLASHED;
}

static em_status check_slashed(em_page_reader *r)
{
    EM_AUTO(em_arena) scratch = {0};
    em_page reading;
    bool found = false;
    for (size_t i = 0; i < r->page->count && !found; i++)
        found = seems_ended(r->page, r->page->nodes[i]);
    if (!found)
        return EM_OK;
    char *bytes = em_arena_string(&scratch, r->page->bytes);
    if (!bytes)
        return EM_E_NOMEM;
    blank_slashed(r->page, bytes);
    EM_TRY(read(r, em_slice_make(bytes, r->page->bytes.len), &scratch, &reading));
    note_otherwise(r, &reading, EM_FLAW_SLASHED);
    note_taken(r, &reading);
    note_endless(r->page);
    return EM_OK;
}

em_status em_readings_hold(const em_page *page, const em_node *node, bool inside,
                           const em_splice *splice, em_deadline *deadline, bool *they_do)
{
    em_page copy = *page;
    em_visit v = {.node = node, .splice = splice, .inside = inside, .is_held = true};
    em_page_reader r = {.page = &copy, .visit = &v, .deadline = deadline};
    EM_TRY(check_branches(&r));
    *they_do = v.is_held;
    return EM_OK;
}

em_status em_readings_check(em_page *page, em_deadline *deadline)
{
    em_page_reader r = {.page = page, .deadline = deadline};
    EM_TRY(check_branches(&r));
    return check_slashed(&r);
}
