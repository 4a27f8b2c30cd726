#include "dom/changes.h"

#include "base/strbuf.h"
#include "html/tree.h"

/* The list that is being made. What is dropped and added between two stretches that are kept is
 * one splice. */
typedef struct em_composer {
    em_arena *arena;
    em_splice *items;
    size_t count;
    em_splice open;   /* its insert is the first part */
    em_strbuf joined; /* all parts, when there are several */
    bool opened, failed;
} em_composer;

static void em_composer_drop(em_composer *c)
{
    em_strbuf_drop(&c->joined);
}

static void close_splice(em_composer *c)
{
    if (!c->opened)
        return;
    if (c->joined.len > 0 || c->joined.failed) {
        c->failed |= em_strbuf_keep(&c->joined, c->arena, &c->open.insert) != EM_OK;
        c->joined.len = 0;
    }
    c->items[c->count++] = c->open;
    c->opened = false;
}

static void open_splice(em_composer *c, size_t at)
{
    if (!c->opened)
        c->open = (em_splice){.offset = at};
    c->opened = true;
}

static void drop(em_composer *c, size_t at, size_t length)
{
    open_splice(c, at);
    c->open.length += length;
}

static void add(em_composer *c, size_t at, em_slice text)
{
    open_splice(c, at);
    if (text.len == 0)
        return;
    if (c->open.insert.len == 0 && c->joined.len == 0) {
        c->open.insert = text;
        return;
    }
    if (c->joined.len == 0)
        em_strbuf_add(&c->joined, c->open.insert);
    em_strbuf_add(&c->joined, text);
}

/* A walk over the changed text, through what was inserted and what was kept. */
typedef struct em_walker {
    const em_changes *changes;
    size_t next;   /* the splice that comes next */
    size_t in;     /* how much of its insert was passed */
    size_t origin; /* where in the original the walk is */
} em_walker;

/* What stands before the next splice, at most `most` bytes: kept, or dropped by the step. */
static size_t pass_original(em_walker *w, em_composer *c, size_t most, bool keep)
{
    em_splices list = w->changes->splices;
    size_t to = w->next < list.count ? list.items[w->next].offset : w->changes->original.len;
    size_t length = to - w->origin < most ? to - w->origin : most;
    if (length > 0 && keep)
        close_splice(c);
    else if (length > 0)
        drop(c, w->origin, length);
    w->origin += length;
    return length;
}

/* The next `length` bytes of the changed text. */
static void pass(em_walker *w, em_composer *c, size_t length, bool keep)
{
    em_splices list = w->changes->splices;
    for (;;) {
        length -= pass_original(w, c, length, keep);
        if (length == 0 || w->next == list.count || w->origin < list.items[w->next].offset)
            return;
        const em_splice *splice = &list.items[w->next];
        size_t rest = splice->insert.len - w->in, part = rest < length ? rest : length;
        if (w->in == 0)
            drop(c, splice->offset, splice->length);
        if (keep)
            add(c, splice->offset, em_slice_sub(splice->insert, w->in, w->in + part));
        w->in += part;
        length -= part;
        if (w->in < splice->insert.len)
            return;
        w->origin = splice->offset + splice->length;
        w->in = 0;
        w->next++;
    }
}

em_status em_changes_add(em_changes *changes, em_splices step, em_arena *arena)
{
    EM_AUTO(em_composer) c = {.arena = arena};
    em_walker walker = {.changes = changes};
    size_t at = 0;
    c.items = em_alloc_array(arena, changes->splices.count + step.count + 1, sizeof *c.items);
    if (!c.items)
        return EM_E_NOMEM;
    for (size_t i = 0; i < step.count; i++) {
        const em_splice *splice = &step.items[i];
        pass(&walker, &c, splice->offset - at, true);
        add(&c, walker.origin, splice->insert);
        pass(&walker, &c, splice->length, false);
        at = splice->offset + splice->length;
    }
    pass(&walker, &c, EM_NPOS, true);
    close_splice(&c);
    if (c.failed)
        return EM_E_NOMEM;
    changes->splices = (em_splices){c.items, c.count};
    return EM_OK;
}

size_t em_origins_at(em_origins *o, size_t at)
{
    for (; o->next < o->changes->splices.count; o->next++) {
        const em_splice *splice = &o->changes->splices.items[o->next];
        size_t start = o->text + (splice->offset - o->origin);
        if (at < start)
            break;
        if (at < start + splice->insert.len)
            return splice->offset;
        o->text = start + splice->insert.len;
        o->origin = splice->offset + splice->length;
    }
    return o->origin + (at - o->text);
}

size_t em_changes_origin(const em_changes *changes, size_t at)
{
    em_origins origins = {.changes = changes};
    return em_origins_at(&origins, at);
}

em_status em_changes_trim(const em_changes *changes, em_arena *arena, em_splices *trimmed)
{
    em_splice *items = em_alloc_array(arena, changes->splices.count, sizeof *items);
    size_t count = 0;
    if (!items)
        return EM_E_NOMEM;
    for (size_t i = 0; i < changes->splices.count; i++) {
        em_splice splice = em_splice_trim(changes->original, changes->splices.items[i]);
        if (splice.length > 0 || splice.insert.len > 0)
            items[count++] = splice;
    }
    *trimmed = (em_splices){items, count};
    return EM_OK;
}

/* ---- Runs that stay -------------------------------------------------------------------------- */

/* The first run of bytes beyond ASCII at or behind `from`; its start is s.len where there is none.
 */
static em_range run_from(em_slice s, size_t from)
{
    em_range run = {from, from};
    while (run.start < s.len && (unsigned char)s.ptr[run.start] < 0x80)
        run.start++;
    run.end = run.start;
    while (run.end < s.len && (unsigned char)s.ptr[run.end] >= 0x80)
        run.end++;
    return run;
}

static size_t count_runs(em_slice s)
{
    size_t count = 0;
    for (em_range run = run_from(s, 0); run.start < s.len; run = run_from(s, run.end))
        count++;
    return count;
}

/* The first run of `old` at or behind `from` that is `wanted`; EM_NPOS. */
static size_t find_run(em_slice old, size_t from, em_slice wanted)
{
    for (em_range run = run_from(old, from); run.start < old.len; run = run_from(old, run.end))
        if (em_slice_eq(em_slice_sub(old, run.start, run.end), wanted))
            return run.start;
    return EM_NPOS;
}

/* What is left of a part of `splice`, of the bytes that it replaces and of those that it brings. */
static size_t add_part(em_slice text, const em_splice *splice, em_range old, em_range insert,
                       em_splice *out)
{
    em_splice part = {splice->offset + old.start, old.end - old.start,
                      em_slice_sub(splice->insert, insert.start, insert.end)};
    *out = em_splice_trim(text, part);
    return out->length > 0 || out->insert.len > 0;
}

/* Runs that stay do so in their order: from left to right each is where it stands first. */
static size_t keep_runs(em_slice text, const em_splice *splice, em_splice *out)
{
    em_slice old = em_slice_sub(text, splice->offset, splice->offset + splice->length);
    em_slice insert = splice->insert;
    size_t count = 0, passed = 0, written = 0;
    for (em_range run = run_from(insert, 0); run.start < insert.len;
         run = run_from(insert, run.end)) {
        em_slice wanted = em_slice_sub(insert, run.start, run.end);
        size_t at = find_run(old, passed, wanted);
        if (at == EM_NPOS)
            break;
        count += add_part(text, splice, (em_range){passed, at}, (em_range){written, run.start},
                          &out[count]);
        passed = at + wanted.len;
        written = run.end;
    }
    return count + add_part(text, splice, (em_range){passed, old.len},
                            (em_range){written, insert.len}, &out[count]);
}

em_status em_splices_keep_runs(em_slice text, em_splices list, em_arena *arena, em_splices *finer)
{
    size_t most = list.count, count = 0;
    for (size_t i = 0; i < list.count; i++)
        most += count_runs(list.items[i].insert);
    em_splice *items = em_alloc_array(arena, most, sizeof *items);
    if (!items)
        return EM_E_NOMEM;
    for (size_t i = 0; i < list.count; i++)
        count += keep_runs(text, &list.items[i], &items[count]);
    *finer = (em_splices){items, count};
    return EM_OK;
}

/* ---- Where offsets stand --------------------------------------------------------------------- */

em_status em_shift_init(em_shift *shift, em_splices step, em_arena *arena)
{
    size_t grown = 0;
    shift->step = step;
    shift->grown = em_alloc_array(arena, step.count + 1, sizeof *shift->grown);
    if (!shift->grown)
        return EM_E_NOMEM;
    for (size_t i = 0; i < step.count; i++) {
        grown += step.items[i].insert.len - step.items[i].length;
        shift->grown[i + 1] = grown;
    }
    return EM_OK;
}

/* How many splices lie before `at`. */
static size_t splices_before(em_splices step, size_t at, bool behind)
{
    size_t low = 0, high = step.count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const em_splice *splice = &step.items[middle];
        size_t end = splice->offset + splice->length;
        if (end < at || (end == at && (behind || splice->length > 0)))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

em_shift em_shift_part(const em_shift *shift, size_t start, size_t end)
{
    size_t from = splices_before(shift->step, start, false);
    size_t to = splices_before(shift->step, end, true);
    to += to < shift->step.count; /* the end may lie in this one */
    return (em_shift){{shift->step.items + from, to - from}, shift->grown + from};
}

size_t em_shift_map(const em_shift *shift, size_t at, bool behind)
{
    size_t before = splices_before(shift->step, at, behind);
    if (before == shift->step.count || shift->step.items[before].offset >= at)
        return at + shift->grown[before];
    const em_splice *splice = &shift->step.items[before];
    return splice->offset + shift->grown[before] + (behind ? splice->insert.len : 0);
}
