/* stretch.c: the lines that changes touch, before and after. */
#include "draft/stretch.h"

#include "base/strbuf.h"
#include "text/text.h"

typedef struct maker {
    const em_draft *draft;
    size_t reach;
    em_arena *arena;
    em_span span;
    size_t done;      /* up to where `after` has the draft */
    bool whole_lines; /* before and after the change lines begin at `done`, where the span ends */
    em_strbuf after;
} maker;

static bool ends_line(em_slice text)
{
    return text.len == 0 || text.ptr[text.len - 1] == '\n' || text.ptr[text.len - 1] == '\r';
}

static em_status add(maker *m, size_t end, em_slice insert)
{
    em_slice kept;
    EM_TRY(em_draft_slice(m->draft, (em_span){m->done, end}, m->arena, &kept));
    em_strbuf_add(&m->after, kept);
    em_strbuf_add(&m->after, insert);
    return EM_OK;
}

static bool begins_line(const maker *m, size_t offset)
{
    if (offset == m->span.start)
        return true;
    char before = em_draft_byte(m->draft, offset - 1);
    bool inside_crlf =
        before == '\r' && offset < m->draft->length && em_draft_byte(m->draft, offset) == '\n';
    return ends_line((em_slice){&before, 1}) && !inside_crlf;
}

/* The span ends with the last change if whole lines do; else with the line that it joins or breaks.
 */
static void find_end(maker *m)
{
    em_span at = {m->done, m->done};
    m->whole_lines = begins_line(m, m->done) && ends_line(em_strbuf_slice(&m->after));
    size_t end = m->whole_lines ? m->done : em_draft_lines_around(m->draft, at, m->reach).end;
    m->span.end = end > m->done ? end : m->done;
}

static em_status add_change(maker *m, const em_splice *splice)
{
    EM_TRY(add(m, splice->offset, splice->insert));
    m->done = splice->offset + splice->length;
    find_end(m);
    return EM_OK;
}

static bool takes(const maker *m, const em_splice *next)
{
    bool on_line = next->offset < m->span.end + !m->whole_lines;
    return on_line && next->offset - m->span.start <= 2 * m->reach;
}

static em_status finish(maker *m, em_stretch *stretch)
{
    EM_TRY(add(m, m->span.end, (em_slice){0}));
    EM_TRY(em_draft_slice(m->draft, m->span, m->arena, &stretch->before));
    const char *after = em_strbuf_finish(&m->after, m->arena);
    if (!after)
        return EM_E_NOMEM;
    stretch->after = (em_slice){after, m->after.len};
    stretch->span = m->span;
    if (m->whole_lines) {
        stretch->before = em_without_last_eol(stretch->before);
        stretch->after = em_without_last_eol(stretch->after);
    }
    return EM_OK;
}

static em_status make(maker *m, em_splices splices, em_stretch *stretch)
{
    size_t taken = 0;
    do
        EM_TRY(add_change(m, &splices.items[taken++]));
    while (taken < splices.count && takes(m, &splices.items[taken]));
    if (taken < splices.count && splices.items[taken].offset < m->span.end)
        m->span.end = splices.items[taken].offset;
    stretch->taken = taken;
    return finish(m, stretch);
}

em_status em_stretch_make(const em_draft *draft, em_splices splices, size_t from, size_t reach,
                          em_arena *arena, em_stretch *stretch)
{
    const em_splice *first = &splices.items[0];
    em_span change = {first->offset, first->offset + first->length};
    size_t start = em_draft_lines_around(draft, change, reach).start;
    maker m = {.draft = draft, .reach = reach, .arena = arena};
    m.span.start = m.done = start > from ? start : from;
    em_status status = make(&m, splices, stretch);
    em_strbuf_drop(&m.after);
    return status;
}
