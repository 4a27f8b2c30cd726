/* match_index.c: lists of the places of each text: made in a pass, mended around each splice.
 *
 * A list keeps addresses in a pool that all lists share. It may have places where the text no
 * longer stands; whoever takes places from it compares them. */
#include "edit/match_index_impl.h"

#include "draft/locate.h"
#include "text/count.h"
#include "text/search.h"

#include <stdlib.h>
#include <xxhash.h>

/* For so many texts in so many bytes, what the texts have in common is looked for first. */
enum { TEXTS_WORTH_MARKS = 256, BYTES_WORTH_MARKS = 1 << 20 };

/* A pass is made for so many ops at least, which would look at so many bytes. */
enum { OPS_WORTH_A_PASS = 6, WORTH = 1 << 18 };

/* A text that stands at more places than LIST_FIRST and one in BYTES_PER_PLACE costs less alone;
 * all lists together have at most POOL_FIRST places and one in BYTES_PER_NOTED. */
enum { LIST_FIRST = 1000, BYTES_PER_PLACE = 512, POOL_FIRST = 1 << 16, BYTES_PER_NOTED = 8 };

/* How far around a splice is looked. */
enum { LONGEST = 4096 };

/* And how much is looked at around all of them: so much of the text, or so many bytes. If it would
 * be more, the lists are given up. */
enum { SHARE_AROUND = 4, LEAST_AROUND = 1 << 16 };

/* ---- The texts ------------------------------------------------------------------------------ */

/* May the text be noted at all? The others are for em_locate(). */
static bool can_be_listed(const em_op *op)
{
    return em_op_searches(op) && !em_op_is_pattern(op) && op->find.len > 0 &&
           !em_slice_has_byte(op->find, '\0');
}

static bool wants_any_eol(const em_match_index *w, em_slice text)
{
    return w->has_cr && em_slice_has_byte(text, '\n') && !em_slice_has_byte(text, '\r');
}

/* Number the different texts of the ops, which are told apart by a table of their hashes. */
static em_status number_texts(em_match_index *w)
{
    EM_AUTO(em_arena) scratch = {0};
    size_t slots = 16;
    while (slots < 2 * w->op_count)
        slots *= 2;
    uint32_t *table = em_alloc_array(&scratch, slots, sizeof *table);
    if (!table)
        return EM_E_NOMEM;
    for (size_t op = w->op_count; op-- > 0;) {
        em_slice find = w->ops[op].find;
        w->text_of[op] = EM_NO_TEXT;
        if (!can_be_listed(&w->ops[op]))
            continue;
        size_t slot = XXH3_64bits(find.ptr, find.len) & (slots - 1);
        while (table[slot] && !em_slice_eq(w->texts[table[slot] - 1].bytes, find))
            slot = (slot + 1) & (slots - 1);
        if (!table[slot]) {
            w->texts[w->text_count++] =
                (em_noted_text){.bytes = find, .next_op = w->op_count, .last_op = op};
            table[slot] = (uint32_t)w->text_count;
        }
        em_noted_text *text = &w->texts[table[slot] - 1];
        w->text_of[op] = table[slot] - 1;
        w->same_text[op] = text->next_op;
        text->next_op = op;
    }
    return EM_OK;
}

static em_status match_index_init(em_match_index *w)
{
    w->texts = em_alloc_array_raw(&w->arena, w->op_count, sizeof *w->texts);
    w->text_of = em_alloc_array_raw(&w->arena, w->op_count, sizeof *w->text_of);
    w->same_text = em_alloc_array(&w->arena, w->op_count, sizeof *w->same_text);
    w->longest = em_alloc_array(&w->arena, w->op_count, sizeof *w->longest);
    if (!w->texts || !w->text_of || !w->same_text || !w->longest || w->op_count >= UINT32_MAX / 2)
        return EM_E_NOMEM;
    return number_texts(w);
}

em_status em_match_index_new(em_draft *draft, const em_op *ops, size_t op_count, bool has_cr,
                             em_match_index **out)
{
    em_match_index *w = calloc(1, sizeof *w);
    *out = w;
    if (!w)
        return EM_E_NOMEM;
    w->draft = draft;
    w->ops = ops;
    w->op_count = op_count;
    w->has_cr = has_cr;
    w->worth = WORTH;
    w->searches = EM_SEARCHES_BEFORE_A_PASS;
    w->misses = EM_SEARCHES_BEFORE_A_PASS - 1; /* the first one may be refused */
    w->probed_at_once = EM_PROBED_AT_FIRST;
    w->least_piece = EM_SHORTEST_QUICK_PIECE;
    em_status status = match_index_init(w);
    if (status != EM_OK) {
        em_match_index_free(w);
        *out = NULL;
    }
    return status;
}

void em_match_index_free(em_match_index *match_index)
{
    if (!match_index)
        return;
    em_arena_drop(&match_index->arena);
    em_arena_drop(&match_index->pass_arena);
    em_arena_drop(&match_index->probe_arena);
    free(match_index->pool);
    free(match_index->window);
    free(match_index->standing);
    free(match_index);
}

void em_match_index_set_worth(em_match_index *match_index, size_t bytes)
{
    match_index->worth = bytes;
}

/* ---- The lists ------------------------------------------------------------------------------ */

static void list_empty(em_match_index *w, em_noted_list *l)
{
    if (l->last) {
        w->pool[l->last].next = w->free_list;
        w->free_list = l->first;
    }
    w->in_use -= l->count;
    l->first = l->last = 0;
    l->count = 0;
}

static void list_give_up(em_match_index *w, em_noted_list *l)
{
    list_empty(w, l);
    l->is_listed = false;
    l->is_alone = true;
}

static void list_link(em_match_index *w, em_noted_list *l, uint32_t entry)
{
    w->pool[entry].next = 0;
    if (l->last)
        w->pool[l->last].next = entry;
    else
        l->first = entry;
    l->last = entry;
    l->count++;
}

/* False: there is no memory for it. */
static bool list_add(em_match_index *w, em_noted_list *l, em_address address)
{
    uint32_t entry = w->free_list;
    if (entry) {
        w->free_list = w->pool[entry].next;
    } else {
        if (w->pool_count + 1 >= w->pool_room) {
            size_t room = 2 * w->pool_room + 256;
            em_noted_entry *pool = room < UINT32_MAX ? realloc(w->pool, room * sizeof *pool) : NULL;
            if (!pool)
                return false;
            w->pool = pool;
            w->pool_room = room;
        }
        entry = (uint32_t)++w->pool_count;
    }
    w->pool[entry].address = address;
    list_link(w, l, entry);
    w->in_use++;
    return true;
}

/* The lists have become too long together: those of the later half of the ops go. */
static void list_fewer_ops(em_match_index *w, size_t op)
{
    w->until = op + (w->until - op) / 2;
    for (size_t i = 0; i < w->text_count; i++)
        for (int kind = EM_LITERAL; kind <= EM_ANY_EOL; kind++) {
            em_noted_list *l = &w->texts[i].lists[kind];
            if (!l->is_listed || w->texts[i].next_op < w->until)
                continue;
            list_empty(w, l);
            l->is_listed = false;
        }
}

static void list_forget(em_noted_list *l)
{
    l->first = l->last = 0;
    l->count = 0;
    l->is_listed = false;
}

static void forget_all(em_match_index *w)
{
    for (size_t i = 0; i < w->text_count; i++)
        for (int kind = EM_LITERAL; kind <= EM_ANY_EOL; kind++)
            list_forget(&w->texts[i].lists[kind]);
    for (size_t i = 0; i < w->piece_count; i++)
        list_forget(&w->pieces[i].lists[EM_LITERAL]);
    w->pool_count = w->in_use = 0;
    w->free_list = 0;
    w->is_valid = false;
    w->searches = 0;
    if (w->draft->tracks)
        em_draft_untrack(w->draft);
}

void em_match_index_forget_pieces(em_match_index *w)
{
    for (size_t i = 0; i < w->piece_count; i++)
        list_empty(w, &w->pieces[i].lists[EM_LITERAL]);
    w->piece_count = w->longest_piece = 0;
}

/* ---- Noting what is found ------------------------------------------------------------------- */

/* What is being looked through: all of the draft, or a window of it. */
typedef struct look {
    em_match_index *w;
    size_t op;       /* whose turn it is, or was */
    size_t base;     /* where in the draft it begins */
    em_span touched; /* what is of interest: matches that touch this */
    em_status status;
} look;

static bool note(void *context, size_t needle, size_t start, size_t end)
{
    look *k = context;
    em_match_index *w = k->w;
    uint32_t of = w->list_of[needle];
    bool is_piece = of / 2 >= w->text_count;
    em_noted_text *text = is_piece ? &w->pieces[of / 2 - w->text_count] : &w->texts[of / 2];
    em_noted_list *l = &text->lists[of % 2];
    size_t most = is_piece ? EM_MOST_PIECE_PLACES : LIST_FIRST + w->bytes / BYTES_PER_PLACE;
    if (!l->is_listed || text->last_op < k->op || k->status != EM_OK)
        return false;
    if (k->base + start > k->touched.end || k->base + end < k->touched.start)
        return true;
    if (l->count > most) {
        list_give_up(w, l);
        return false;
    }
    if (!list_add(w, l, em_draft_address(w->draft, k->base + start)))
        k->status = EM_E_NOMEM;
    if (w->in_use > POOL_FIRST + w->bytes / BYTES_PER_NOTED && w->until > k->op + 1)
        list_fewer_ops(w, k->op);
    return k->status == EM_OK;
}

/* ---- A pass --------------------------------------------------------------------------------- */

/* How long a match of the text can be. */
static size_t reach_of(const em_match_index *w, em_slice text)
{
    return wants_any_eol(w, text) ? text.len + em_count_lfs(text, 0, text.len) : text.len;
}

static void measure_reach(em_match_index *w, size_t op)
{
    size_t longest = w->longest_piece;
    for (size_t i = w->op_count; i-- > op;) {
        w->longest[i] = longest;
        if (w->text_of[i] == EM_NO_TEXT)
            continue;
        const em_noted_text *text = &w->texts[w->text_of[i]];
        if (!text->lists[EM_LITERAL].is_listed && !text->lists[EM_ANY_EOL].is_listed)
            continue;
        size_t reach = reach_of(w, text->bytes);
        if (reach > longest)
            longest = reach;
    }
}

/* The needles of a pass: the texts of all ops to come. */
static em_status choose_needles(em_match_index *w, size_t op, em_sought **needles, size_t *count)
{
    size_t most = 2 * w->text_count + w->piece_count;
    *count = 0;
    *needles = em_alloc_array_raw(&w->pass_arena, most, sizeof **needles);
    w->list_of = em_alloc_array_raw(&w->pass_arena, most, sizeof *w->list_of);
    if (!*needles || !w->list_of)
        return EM_E_NOMEM;
    for (size_t i = 0; i < w->text_count; i++)
        for (int kind = EM_LITERAL; kind <= EM_ANY_EOL; kind++) {
            em_noted_text *text = &w->texts[i];
            em_noted_list *l = &text->lists[kind];
            if (l->is_alone || text->last_op < op ||
                (kind == EM_ANY_EOL && !wants_any_eol(w, text->bytes)))
                continue;
            l->is_listed = true;
            l->needle = (uint32_t)*count;
            w->list_of[*count] = (uint32_t)(2 * i + (size_t)kind);
            (*needles)[(*count)++] = (em_sought){text->bytes, kind == EM_ANY_EOL};
        }
    for (size_t i = 0; i < w->piece_count; i++) {
        em_noted_text *piece = &w->pieces[i];
        if (piece->lists[EM_LITERAL].is_alone || piece->last_op < op)
            continue;
        piece->lists[EM_LITERAL].is_listed = true;
        piece->lists[EM_LITERAL].needle = (uint32_t)*count;
        w->list_of[*count] = (uint32_t)(2 * (w->text_count + i));
        (*needles)[(*count)++] = (em_sought){piece->bytes, false};
    }
    return EM_OK;
}

em_status em_match_index_make_pass(em_match_index *w, size_t op, em_arena *arena)
{
    em_sought *needles;
    size_t count;
    em_slice text;
    forget_all(w);
    em_arena_drop(&w->pass_arena);
    EM_TRY(em_draft_text(w->draft, arena, &text));
    EM_TRY(em_draft_track(w->draft));
    EM_TRY(choose_needles(w, op, &needles, &count));
    bool by_marks = w->worth == 0 || (count >= TEXTS_WORTH_MARKS && text.len >= BYTES_WORTH_MARKS);
    EM_TRY(em_prints_init(&w->prints, needles, count, text, by_marks, &w->pass_arena));
    w->until = w->op_count;
    w->bytes = text.len;
    look all = {.w = w, .op = op, .touched = {0, text.len}};
    em_prints_find(&w->prints, text, note, &all);
    measure_reach(w, op);
    w->is_valid = w->is_fresh = true;
    return all.status;
}

static bool is_worth_a_pass(const em_match_index *w, size_t op)
{
    size_t left = w->op_count - op;
    if (w->worth == 0)
        return true;
    return left >= OPS_WORTH_A_PASS && w->searches >= EM_SEARCHES_BEFORE_A_PASS &&
           left > w->worth / (w->draft->length + 1);
}

/* ---- Locating ------------------------------------------------------------------------------- */

static int by_start(const void *left, const void *right)
{
    const em_noted_place *a = left, *b = right;
    return a->start < b->start ? -1 : a->start > b->start;
}

static em_status window_reserve(em_match_index *w, size_t length)
{
    if (length <= w->window_room)
        return EM_OK;
    char *window = realloc(w->window, 2 * length);
    if (!window)
        return EM_E_NOMEM;
    w->window = window;
    w->window_room = 2 * length;
    return EM_OK;
}

static em_status standing_reserve(em_match_index *w, size_t count)
{
    if (count <= w->standing_room)
        return EM_OK;
    em_noted_place *items = realloc(w->standing, 2 * count * sizeof *items);
    if (!items)
        return EM_E_NOMEM;
    w->standing = items;
    w->standing_room = 2 * count;
    return EM_OK;
}

/* Does the text stand at `start`? *end is where it ends then. */
static bool stands_at(const em_match_index *w, em_slice text, int kind, size_t start, size_t *end)
{
    size_t reach = kind == EM_ANY_EOL ? text.len + em_count_lfs(text, 0, text.len) + 1 : text.len;
    size_t left = w->draft->length - start;
    em_span span = {start - (kind == EM_ANY_EOL && start > 0),
                    start + (reach < left ? reach : left)};
    em_slice there = em_draft_view(w->draft, span, w->window);
    size_t at = start - span.start;
    if (kind == EM_LITERAL) {
        *end = start + text.len;
        return em_slice_eq(there, text);
    }
    size_t ends = em_any_eol_at(text, there, at);
    *end = span.start + ends;
    return ends != EM_NPOS;
}

em_status em_match_index_gather(em_match_index *w, const em_noted_list *l, em_slice text, int kind,
                                size_t *count)
{
    bool in_order = true;
    size_t found = 0, kept = 0;
    EM_TRY(window_reserve(w, 2 * text.len + 2));
    EM_TRY(standing_reserve(w, l->count));
    em_noted_place *items = w->standing;
    for (uint32_t i = l->first; i; i = w->pool[i].next) {
        em_noted_place here = {.address = w->pool[i].address};
        here.start = em_draft_find_address(w->draft, here.address);
        here.end = here.start + text.len;
        if (here.start == EM_NPOS || (!(w->is_fresh && kind == EM_LITERAL) &&
                                      !stands_at(w, text, kind, here.start, &here.end)))
            continue;
        in_order &= found == 0 || items[found - 1].start < here.start;
        items[found++] = here;
    }
    if (!in_order)
        qsort(items, found, sizeof *items, by_start);
    for (size_t i = 0; i < found; i++)
        if (kept == 0 || items[kept - 1].start < items[i].start)
            items[kept++] = items[i];
    *count = kept;
    return EM_OK;
}

em_status em_match_index_keep(em_match_index *w, em_noted_list *l, size_t count)
{
    if (count == l->count)
        return EM_OK; /* in whatever order */
    list_empty(w, l);
    for (size_t i = 0; i < count; i++)
        if (!list_add(w, l, w->standing[i].address))
            return EM_E_NOMEM;
    return EM_OK;
}

/* Of those within `part`, without overlap, from left to right. A match that begins between a CR and
 * its LF begins at the CR, as in em_draft_find_in(). */
static em_status spans_of(const em_match_index *w, em_slice text, int kind, size_t count,
                          em_span part, em_arena *arena, em_spans *found)
{
    const em_noted_place *items = w->standing;
    size_t from = part.start;
    bool widen = kind == EM_LITERAL && em_takes_crlf(text);
    found->items = em_alloc_raw(arena, count * sizeof *found->items);
    if (!found->items)
        return EM_E_NOMEM;
    for (size_t i = 0; i < count; i++) {
        size_t start = items[i].start;
        if (start < from || items[i].end > part.end)
            continue;
        from = items[i].end;
        bool in_crlf = widen && start > 0 && em_draft_byte(w->draft, start - 1) == '\r';
        found->items[found->count++] = (em_span){start - in_crlf, from};
    }
    return EM_OK;
}

/* Where the text stands, if the pass that was just made found one place of it, as of most texts. */
static bool has_one_place(const em_match_index *w, const em_noted_list *l, em_slice text,
                          em_span *place)
{
    if (l->count != 1 || !w->is_fresh || em_takes_crlf(text))
        return false;
    place->start = em_draft_find_address(w->draft, w->pool[l->first].address);
    place->end = place->start + text.len;
    return place->start != EM_NPOS;
}

static em_status give_one(em_span place, em_span part, em_arena *arena, em_spans *found)
{
    found->items = em_alloc_raw(arena, sizeof *found->items);
    if (!found->items)
        return EM_E_NOMEM;
    *found->items = place;
    found->count = place.start >= part.start && place.end <= part.end;
    return EM_OK;
}

/* *is_known: *found is what em_locate_in() would give for this kind of match. */
static em_status look_up(em_match_index *w, em_noted_text *text, int kind, em_span part,
                         em_arena *arena, em_spans *found, bool *is_known)
{
    em_noted_list *l = &text->lists[kind];
    size_t count;
    em_span place;
    *is_known = l->is_listed;
    if (!l->is_listed)
        return EM_OK;
    if (w->prints.is_out[l->needle]) { /* it turned out to cost too much */
        list_give_up(w, l);
        *is_known = false;
        return EM_OK;
    }
    if (kind == EM_LITERAL && has_one_place(w, l, text->bytes, &place))
        return give_one(place, part, arena, found);
    EM_TRY(em_match_index_gather(w, l, text->bytes, kind, &count));
    EM_TRY(em_match_index_keep(w, l, count));
    return spans_of(w, text->bytes, kind, count, part, arena, found);
}

static em_status look_up_both(em_match_index *w, em_noted_text *text, em_span part, em_arena *arena,
                              em_spans *found, bool *is_known)
{
    EM_TRY(look_up(w, text, EM_LITERAL, part, arena, found, is_known));
    if (!*is_known || found->count > 0 || !wants_any_eol(w, text->bytes))
        return EM_OK;
    return look_up(w, text, EM_ANY_EOL, part, arena, found, is_known);
}

/* Is a pass to be made, so that the op's text is listed? */
static bool wants_pass(const em_match_index *w, size_t op)
{
    if (w->text_of[op] == EM_NO_TEXT)
        return false;
    const em_noted_list *l = &w->texts[w->text_of[op]].lists[EM_LITERAL];
    return !(w->is_valid && l->is_listed) && !l->is_alone && is_worth_a_pass(w, op);
}

static em_status look_up_op(em_match_index *w, size_t op, em_span part, em_arena *arena,
                            em_spans *found, bool *is_known)
{
    *is_known = false;
    *found = (em_spans){0};
    if (w->text_of[op] == EM_NO_TEXT)
        return EM_OK;
    return look_up_both(w, &w->texts[w->text_of[op]], part, arena, found, is_known);
}

/* How many places of this kind there can be, for all that is noted; SIZE_MAX: not all are. */
static size_t most_places(const em_match_index *w, const em_noted_list *l)
{
    return l->is_listed && !w->prints.is_out[l->needle] ? l->count : SIZE_MAX;
}

size_t em_match_index_most_places(const em_match_index *match_index, size_t op)
{
    const em_match_index *w = match_index;
    if (!w->is_valid || w->text_of[op] == EM_NO_TEXT)
        return SIZE_MAX;
    const em_noted_text *text = &w->texts[w->text_of[op]];
    size_t literal = most_places(w, &text->lists[EM_LITERAL]);
    if (!wants_any_eol(w, text->bytes))
        return literal;
    size_t any_eol = most_places(w, &text->lists[EM_ANY_EOL]);
    return literal > any_eol ? literal : any_eol; /* it is found in one way or the other */
}

em_status em_match_index_foresee(em_match_index *match_index, size_t op, em_arena *arena,
                                 em_spans *found, bool *is_known)
{
    if (op == 0 && wants_pass(match_index, op))
        EM_TRY(em_match_index_make_pass(match_index, op, arena));
    return look_up_op(match_index, op, (em_span){0, match_index->draft->length}, arena, found,
                      is_known);
}

em_status em_match_index_locate(em_match_index *match_index, size_t op, em_span part,
                                em_arena *arena, em_found *found)
{
    bool is_known;
    if (wants_pass(match_index, op))
        EM_TRY(em_match_index_make_pass(match_index, op, arena));
    EM_TRY(look_up_op(match_index, op, part, arena, &found->spans, &is_known));
    found->total = found->spans.count;
    if (match_index->text_of[op] != EM_NO_TEXT)
        match_index->texts[match_index->text_of[op]].next_op = match_index->same_text[op];
    if (is_known)
        return EM_OK;
    match_index->searches++;
    return em_locate_in(match_index->draft, part, match_index->ops[op].find, match_index->has_cr,
                        arena, found);
}

/* ---- In other texts ------------------------------------------------------------------------- */

size_t em_match_index_reach(const em_match_index *match_index)
{
    return match_index->op_count > 0 ? match_index->longest[0] : 0;
}

typedef struct scan {
    em_match_index *w;
    em_match_index_found *found;
    void *context;
} scan;

static bool tell(void *context, size_t needle, size_t start, size_t end)
{
    const scan *s = context;
    uint32_t of = s->w->list_of[needle];
    (void)end;
    if (of / 2 < s->w->text_count)
        s->found(s->context, s->w->texts[of / 2].last_op, start);
    return true;
}

bool em_match_index_scan(em_match_index *w, em_slice text, em_match_index_found *found,
                         void *context)
{
    scan s = {w, found, context};
    size_t looked_for = em_prints_live(&w->prints);
    em_prints_find(&w->prints, text, tell, &s);
    return em_prints_live(&w->prints) == looked_for;
}

/* ---- Laying in ------------------------------------------------------------------------------ */

/* Texts that are so long that looking around each splice for them costs more than searching. */
static void give_up_long_texts(em_match_index *w, size_t op)
{
    for (size_t i = 0; i < w->text_count; i++)
        for (int kind = EM_LITERAL; kind <= EM_ANY_EOL; kind++)
            if (reach_of(w, w->texts[i].bytes) > LONGEST)
                list_give_up(w, &w->texts[i].lists[kind]);
    measure_reach(w, op);
}

/* What is to be looked through so that no match that touches the span is missed: what one can
 * reach, and a byte more, which says whether a CRLF is cut. */
static em_span around(const em_draft *draft, em_span touched, size_t reach)
{
    size_t left = draft->length - touched.end;
    return (em_span){touched.start > reach ? touched.start - reach - 1 : 0,
                     left > reach ? touched.end + reach + 1 : draft->length};
}

static em_status look_around(em_match_index *w, size_t op, em_span touched)
{
    em_span span = around(w->draft, touched, w->longest[op]);
    EM_TRY(window_reserve(w, span.end - span.start));
    look here = {.w = w, .op = op + 1, .base = span.start, .touched = touched};
    em_prints_find(&w->prints, em_draft_view(w->draft, span, w->window), note, &here);
    return here.status;
}

/* Look around each splice that was laid in; those near each other are looked at together. `newest`
 * is the last id before them. */
static em_status look_around_all(em_match_index *w, size_t op, em_splices splices, size_t newest)
{
    size_t added = 0, reach = w->longest[op]; /* may wrap, the sums come out right */
    em_span touched = {0, 0};
    for (size_t i = 0; i < splices.count; i++) {
        const em_splice *splice = &splices.items[i];
        em_span here = {splice->offset + added, splice->offset + added + splice->insert.len};
        added += splice->insert.len - splice->length;
        here = em_draft_newer_than(w->draft, here, newest);
        if (i > 0 && here.start > touched.end && here.start - touched.end > 2 * reach) {
            EM_TRY(look_around(w, op, touched));
            touched = here;
        }
        if (i == 0)
            touched = here;
        touched.end = here.end > touched.end ? here.end : touched.end;
    }
    return splices.count > 0 ? look_around(w, op, touched) : EM_OK;
}

/* How much there is to look through, at most. */
static size_t bytes_around(const em_match_index *w, size_t op, em_splices splices)
{
    size_t bytes = 0;
    for (size_t i = 0; i < splices.count; i++)
        bytes += splices.items[i].insert.len + 2 * w->longest[op];
    return bytes;
}

/* What is known of the draft is lost, and ops that are to come may be found all the same. */
static void begin_anew(em_match_index *w)
{
    forget_all(w);
    w->misses = 0;
    w->probed_at_once = EM_PROBED_AT_FIRST;
}

/* Is too much laid in at once to look around it, or nobody there for whom to look? */
static bool is_in_vain(const em_match_index *w, size_t op, em_splices splices)
{
    return em_prints_live(&w->prints) == 0 ||
           bytes_around(w, op, splices) > em_match_index_most_around(w->draft->length);
}

size_t em_match_index_most_around(size_t length)
{
    size_t most = length / SHARE_AROUND;
    return most > LEAST_AROUND ? most : LEAST_AROUND;
}

void em_match_index_pass_over(em_match_index *match_index, size_t from, size_t to)
{
    for (size_t op = from; op < to; op++)
        if (match_index->text_of[op] != EM_NO_TEXT)
            match_index->texts[match_index->text_of[op]].next_op = match_index->same_text[op];
    begin_anew(match_index);
}

em_status em_match_index_apply(em_match_index *match_index, size_t op, em_splices splices)
{
    size_t newest = match_index->draft->id_count;
    match_index->is_fresh = false;
    if (match_index->is_valid && match_index->longest[op] > LONGEST)
        give_up_long_texts(match_index, op);
    if (match_index->is_valid && is_in_vain(match_index, op, splices))
        begin_anew(match_index);
    EM_TRY(em_draft_apply(match_index->draft, splices));
    return match_index->is_valid ? look_around_all(match_index, op, splices, newest) : EM_OK;
}
