/* plan_fuzz.c: plans, beside a model that is too simple to be wrong.
 *
 * The input is a program: a text and ops over it, made of a few words so that things are found. The
 * plan, laid in, must give what the model gives, fail where it fails, and its diff must lead from
 * the old text to the new one.
 *
 * A text so short is searched for each op alone. So the search texts are also noted ahead, in a
 * draft of tiny chunks, and what is known of them must be what a search of the moment finds.
 */
#include "fuzz.h"
#include "reader.h"

#include "base/strbuf.h"
#include "draft/draft.h"
#include "draft/locate.h"
#include "edit/match_index.h"
#include "edit/plan.h"
#include "text/diff.h"

enum { MOST_OPS = 12, MOST_SPANS = 512, MOST_GROWTH = 4000 };

const em_slice em_fuzz_seeds[] = {
    SEED("\0\5\0\2\1\2\0\1\0\1\0\1\2\1\1"),
    SEED("\1\7\0\3\1\5\2\0\3\2\0\2\0\3\1\1\1\1\4\1\2\1\3\0"),
    SEED("\0\11\0\5\1\5\0\5\6\7\1\3\0\3\0\3\1\2\3\1\1\4\0\1"),
    SEED("\1\6\0\4\1\4\2\4\4\6\0\2\1\3\1\2\2\1\7\0\1\3\1"),
    SEED("\0\4\0\3\1\3\1\3\1\0\0\2\0\3\1\2\10\1\1\0\1\2\1\1"),
    SEED("\0\4\0\3\1\3\1\0\1\0\0\3\0\3\1\3\2\3\2\10\0\1\0\1\2\1\1"),
    {NULL, 0},
};
const em_slice em_fuzz_words[] = {
    SEED("\0\1"), SEED("\3\4"), SEED("\5\0"), SEED("\1\1\1"), {NULL, 0}};

static const char *const words[] = {"a", "b", "ab", "\n", "\r", "\r\n", " ", "\xC3\xBC", "line\n"};
enum { WORDS = sizeof words / sizeof *words };

/* ---- The program ---------------------------------------------------------------------------- */

static em_slice read_text(reader *r, size_t most, em_arena *arena)
{
    EM_AUTO(em_strbuf) text = {0};
    for (size_t count = next(r) % (most + 1); count > 0; count--)
        em_strbuf_puts(&text, words[next(r) % WORDS]);
    const char *copy = em_strbuf_finish(&text, arena);
    HOLDS(copy);
    return em_slice_make(copy, text.len);
}

static em_op read_op(reader *r, em_arena *arena)
{
    unsigned kind = next(r), kinds = EM_OP_REWRITE + 1;
    em_op op = {.kind = (em_op_kind)(kind % kinds)};
    op.expect = next(r) % 5; /* 0 is EM_EVERY */
    size_t first = next(r) % 6, last = first + next(r) % 3;
    if (op.kind == EM_OP_LINES || kind / kinds % 2) {
        op.first_line = first;
        op.last_line = last;
    }
    op.find = read_text(r, 4, arena);
    op.insert = read_text(r, 5, arena);
    return op;
}

/* ---- The model ------------------------------------------------------------------------------ */

typedef struct span {
    size_t start, end, op;
    em_slice insert;
} span;

typedef struct model {
    em_arena *arena;
    em_slice original, text;
    size_t *owners; /* of each byte of the text: the line of the original that it belongs to */
    size_t line_count;
    em_eol dominant; /* of the original */
    span spans[MOST_SPANS];
    size_t count, replacements;
    bool failed, too_much;
} model;

static bool searches(const em_op *op)
{
    return op->kind <= EM_OP_INSERT_AFTER;
}

/* Where `find` ends when it stands at `at`; EM_NPOS. With `loose`, an LF stands for any ending. */
static size_t stands_at(em_slice find, em_slice text, size_t at, bool loose)
{
    if (loose && at > 0 && at < text.len && text.ptr[at] == '\n' && text.ptr[at - 1] == '\r')
        return EM_NPOS; /* inside a CRLF */
    for (size_t i = 0; i < find.len; i++) {
        em_eol eol = at < text.len ? em_eol_at(text, at) : EM_EOL_NONE;
        if (loose && eol != EM_EOL_NONE && find.ptr[i] == '\n')
            at += em_eol_bytes(eol).len;
        else if (at < text.len && text.ptr[at] == find.ptr[i] && !(loose && eol != EM_EOL_NONE))
            at++;
        else
            return EM_NPOS;
    }
    return at;
}

static void add_span(model *m, size_t start, size_t end, size_t op)
{
    if (m->count == MOST_SPANS)
        m->too_much = true;
    else
        m->spans[m->count++] = (span){start, end, op, {0}};
}

static bool is_restricted(const em_op *op)
{
    return searches(op) && (op->first_line > 0 || op->last_line > 0);
}

/* What of the text belongs to the lines that the op is kept to. */
static span part_of(model *m, const em_op *op)
{
    size_t first = op->first_line > 0 ? op->first_line : 1;
    span part = {0, m->text.len, 0, {0}};
    if (!is_restricted(op))
        return part;
    m->failed |= op->last_line < first || op->last_line > m->line_count;
    while (part.start < m->text.len && m->owners[part.start] < first)
        part.start++;
    while (part.end > part.start && m->owners[part.end - 1] > op->last_line)
        part.end--;
    return part;
}

static void find_all(model *m, const em_op *op, size_t number, bool loose)
{
    span part = part_of(m, op);
    em_slice text = em_slice_sub(m->text, 0, part.end);
    if (op->find.len == 0) {
        if (m->text.len == 0)
            add_span(m, 0, 0, number);
        return;
    }
    /* The LF that it begins with is all of a CRLF. */
    bool widen = !loose && op->find.ptr[0] == '\n' && op->find.ptr[op->find.len - 1] != '\r';
    for (size_t at = part.start; at < text.len;) {
        size_t end = stands_at(op->find, text, at, loose);
        bool in_crlf = widen && at > 0 && text.ptr[at - 1] == '\r'; /* it is never cut in two */
        if (end != EM_NPOS && at - in_crlf >= part.start)
            add_span(m, at - in_crlf, end, number);
        at = end != EM_NPOS ? end : at + 1;
    }
}

/* The insert with the line endings of what it replaces. */
static em_slice adapted(const model *m, em_slice insert, em_slice replaced)
{
    EM_AUTO(em_strbuf) out = {0};
    em_eol last = m->dominant == EM_EOL_NONE ? EM_EOL_LF : m->dominant;
    size_t at = 0;
    if (em_slice_has_byte(insert, '\r'))
        return insert;
    for (size_t i = 0; i < insert.len; i++) {
        if (insert.ptr[i] != '\n') {
            em_strbuf_putc(&out, insert.ptr[i]);
            continue;
        }
        while (at < replaced.len && em_eol_at(replaced, at) == EM_EOL_NONE)
            at++;
        if (at < replaced.len) {
            last = em_eol_at(replaced, at);
            at += em_eol_bytes(last).len;
        }
        bool behind_cr = i > 0 && insert.ptr[i - 1] == '\n' && out.ptr[out.len - 1] == '\r';
        if (behind_cr && last == EM_EOL_LF)
            last = EM_EOL_CR; /* else the two were one ending */
        em_strbuf_add(&out, em_eol_bytes(last));
    }
    const char *copy = em_strbuf_finish(&out, m->arena);
    HOLDS(copy);
    return em_slice_make(copy, out.len);
}

/* The lines of a range; false where there are not so many. */
static bool find_lines(model *m, const em_op *op, size_t number)
{
    size_t line = 1, at = 0, start = EM_NPOS;
    if (op->first_line == 0)
        return false;
    while (at < m->text.len) {
        if (line == op->first_line && start == EM_NPOS)
            start = at;
        em_eol eol = em_eol_at(m->text, at);
        at += eol == EM_EOL_NONE ? 1 : em_eol_bytes(eol).len;
        if (eol == EM_EOL_NONE && at < m->text.len)
            continue;
        if (line == op->last_line && start != EM_NPOS) {
            add_span(m, start, at, number);
            return true;
        }
        line++;
    }
    return false;
}

static em_slice ended(const model *m, em_slice insert, em_slice replaced)
{
    em_slice ending = {0};
    for (size_t at = 0; at < replaced.len;) {
        em_eol eol = em_eol_at(replaced, at);
        ending = em_eol_bytes(eol);
        at += eol == EM_EOL_NONE ? 1 : ending.len;
    }
    char last = insert.len > 0 ? insert.ptr[insert.len - 1] : '\n';
    if (ending.len == 0 || last == '\n' || last == '\r')
        return insert;
    if (!em_slice_has_byte(insert, '\r'))
        ending = EM_LIT("\n");
    char *whole = em_arena_format(m->arena, "%.*s%.*s", (int)insert.len, insert.ptr,
                                  (int)ending.len, ending.ptr);
    HOLDS(whole);
    return em_slice_of(whole);
}

/* Where both texts hold CRs, their LFs are meant to the byte, but for the one that both begin with:
 * that is the CRLF of the file, which stays. */
static bool keeps_cr(const em_op *op, em_slice replaced)
{
    return op->kind == EM_OP_REPLACE && em_slice_starts(op->find, EM_LIT("\n")) &&
           em_slice_starts(op->insert, EM_LIT("\n")) && em_slice_has_byte(op->find, '\r') &&
           em_slice_has_byte(op->insert, '\r') && em_slice_starts(replaced, EM_LIT("\r\n"));
}

static void set_insert(model *m, const em_op *op, span *s)
{
    em_slice replaced = em_slice_sub(m->text, s->start, s->end);
    s->start += keeps_cr(op, replaced);
    if (op->kind == EM_OP_INSERT_AFTER)
        s->start = s->end;
    if (op->kind == EM_OP_INSERT_BEFORE)
        s->end = s->start;
    if (op->kind == EM_OP_DELETE)
        s->insert = (em_slice){0};
    else if (op->kind == EM_OP_REWRITE)
        s->insert = op->insert;
    else if (op->kind == EM_OP_REPLACE)
        s->insert = adapted(m, op->insert, replaced);
    else if (op->kind == EM_OP_LINES)
        s->insert = adapted(m, ended(m, op->insert, replaced), replaced);
    else
        s->insert = adapted(m, op->insert, (em_slice){0});
}

static void locate(model *m, const em_op *op, size_t number)
{
    size_t before = m->count;
    if (searches(op)) {
        if (op->find.len == 0 && m->text.len > 0)
            m->failed = true;
        find_all(m, op, number, false);
        if (m->count == before && em_slice_has_byte(op->find, '\n') &&
            !em_slice_has_byte(op->find, '\r'))
            find_all(m, op, number, true);
        size_t found = m->count - before;
        m->failed |= found == 0 || (op->expect != EM_EVERY && found != op->expect);
    } else if (op->kind == EM_OP_LINES) {
        m->failed |= !find_lines(m, op, number);
    } else if (op->kind == EM_OP_REWRITE) {
        add_span(m, 0, m->text.len, number);
    } else {
        size_t at = op->kind == EM_OP_APPEND ? m->text.len : 0;
        add_span(m, at, at, number);
    }
    m->replacements += m->count - before;
    for (size_t i = before; i < m->count; i++)
        set_insert(m, op, &m->spans[i]);
}

static bool goes_before(const span *a, const span *b)
{
    if (a->start != b->start)
        return a->start < b->start;
    if (a->end != b->end)
        return a->end < b->end;
    return a->op < b->op;
}

/* What takes the place of something belongs where that begins; what is put somewhere, to what it is
 * put before, or behind where its op says so. */
static size_t owner_of(const model *m, const em_op *op, const span *s)
{
    if (op->kind == EM_OP_INSERT_AFTER && s->start > 0)
        return m->owners[s->start - 1];
    return s->start < m->text.len ? m->owners[s->start] : m->line_count;
}

/* Where the lines of a text begin, and where it ends; how many there are. */
enum { MOST_LINES = 200 };

static size_t cut(em_slice text, size_t *starts)
{
    size_t count = 0;
    starts[0] = 0;
    for (size_t at = 0; at < text.len;) {
        em_eol eol = em_eol_at(text, at);
        at += eol == EM_EOL_NONE ? 1 : em_eol_bytes(eol).len;
        if (eol == EM_EOL_NONE && at < text.len)
            continue;
        HOLDS(count + 1 < MOST_LINES);
        starts[++count] = at;
    }
    return count;
}

typedef struct pairing {
    em_slice old, new;
    size_t old_at[MOST_LINES], new_at[MOST_LINES], olds, news;
} pairing;

static bool is_same(const pairing *p, size_t i, size_t j)
{
    return em_slice_eq(em_slice_sub(p->old, p->old_at[i], p->old_at[i + 1]),
                       em_slice_sub(p->new, p->new_at[j], p->new_at[j + 1]));
}

/* Which line that was there a new one stands for; *alone: it alone does. */
static size_t line_for(const pairing *p, size_t j, bool *alone)
{
    size_t first = 0, back = 0;
    *alone = true;
    if (p->olds == p->news)
        return j;
    while (first < p->news && first < p->olds && is_same(p, first, first) &&
           !(first + 1 == p->olds && first + 1 < p->news))
        first++;
    while (back + first < p->news && back + first < p->olds &&
           is_same(p, p->olds - back - 1, p->news - back - 1) &&
           !(back + first + 1 == p->olds && back + first + 1 < p->news))
        back++;
    *alone = j < first || j + back >= p->news;
    return j < first ? j : *alone ? p->olds - (p->news - j) : first;
}

/* The owners of what the span puts in. Where lines are asked for later, each line of it stands for
 * one, and one that is the same for itself. */
static void own_insert(const model *m, const em_op *op, const span *s, bool by_lines,
                       size_t *owners)
{
    pairing p = {.old = em_slice_sub(m->text, s->start, s->end), .new = s->insert};
    for (size_t k = 0; k < p.new.len; k++)
        owners[k] = owner_of(m, op, s);
    p.olds = cut(p.old, p.old_at);
    p.news = cut(p.new, p.new_at);
    for (size_t j = 0; j < p.news && p.olds > 1 && by_lines; j++) {
        bool alone;
        size_t i = line_for(&p, j, &alone);
        bool stays = alone && is_same(&p, i, j);
        for (size_t k = p.new_at[j]; k < p.new_at[j + 1]; k++)
            owners[k] = m->owners[s->start + p.old_at[i] + (stays ? k - p.new_at[j] : 0)];
    }
}

/* The owners of a text of `length` bytes that the spans make. */
static void own(model *m, const em_op *ops, size_t op_count, size_t length)
{
    size_t *owners = em_alloc_array(m->arena, length + 1, sizeof *owners), count = 0, at = 0;
    HOLDS(owners);
    for (size_t i = 0; i < m->count; i++) {
        const span *s = &m->spans[i];
        bool by_lines = false;
        for (size_t k = s->op + 1; k < op_count; k++)
            by_lines |= is_restricted(&ops[k]);
        while (at < s->start)
            owners[count++] = m->owners[at++];
        own_insert(m, &ops[s->op], s, by_lines, &owners[count]);
        count += s->insert.len;
        at = s->end;
    }
    while (at < m->text.len)
        owners[count++] = m->owners[at++];
    HOLDS(count == length);
    m->owners = owners;
}

static void own_lines(model *m, const em_lines *lines)
{
    m->line_count = em_lines_count(lines);
    m->owners = em_alloc_array(m->arena, m->text.len + 1, sizeof *m->owners);
    HOLDS(m->owners);
    for (size_t i = 0; i < m->text.len; i++)
        m->owners[i] = em_lines_at(lines, i);
}

/* Put the spans in order and lay them into the text. */
static void lay_in(model *m, const em_op *ops, size_t op_count)
{
    EM_AUTO(em_strbuf) out = {0};
    for (size_t i = 1; i < m->count; i++)
        for (size_t j = i; j > 0 && goes_before(&m->spans[j], &m->spans[j - 1]); j--) {
            span swap = m->spans[j];
            m->spans[j] = m->spans[j - 1];
            m->spans[j - 1] = swap;
        }
    size_t at = 0;
    for (size_t i = 0; i < m->count; i++) {
        if (m->spans[i].start < at) {
            m->failed = true; /* two want the same bytes */
            return;
        }
        em_strbuf_add(&out, em_slice_sub(m->text, at, m->spans[i].start));
        em_strbuf_add(&out, m->spans[i].insert);
        at = m->spans[i].end;
    }
    em_strbuf_add(&out, em_slice_from(m->text, at));
    const char *copy = em_strbuf_finish(&out, m->arena);
    HOLDS(copy);
    own(m, ops, op_count, out.len);
    m->text = em_slice_make(copy, out.len);
    m->count = 0;
}

static void run_model(model *m, em_order order, const em_op *ops, size_t count)
{
    for (size_t i = 0; i < count && !m->failed; i++) {
        locate(m, &ops[i], i);
        if (order == EM_SEQUENTIAL && !m->failed)
            lay_in(m, ops, count);
    }
    if (order == EM_ORIGINAL && !m->failed)
        lay_in(m, ops, count);
}

/* ---- What must hold of a plan --------------------------------------------------------------- */

static void check_splices(em_splices splices, em_slice body)
{
    size_t end = 0;
    for (size_t i = 0; i < splices.count; i++) {
        const em_splice *s = &splices.items[i];
        HOLDS(s->offset >= end && s->length <= body.len - s->offset);
        HOLDS(!em_slice_eq(em_slice_sub(body, s->offset, s->offset + s->length), s->insert));
        end = s->offset + s->length;
    }
}

/* The line at *at without its LF, and *at moved behind it. */
static em_slice take_line(em_slice text, size_t *at, bool *no_newline)
{
    HOLDS(*at < text.len);
    const char *lf = memchr(text.ptr + *at, '\n', text.len - *at);
    size_t end = lf ? (size_t)(lf - text.ptr) : text.len;
    em_slice line = em_slice_sub(text, *at, end);
    *no_newline = !lf;
    *at = end + (lf != NULL);
    return line;
}

static void add_line(em_strbuf *out, em_slice line, bool no_newline)
{
    em_strbuf_add(out, line);
    if (!no_newline)
        em_strbuf_putc(out, '\n');
}

/* patch(1), strictly: the diff leads from `old` to `new`. */
static void check_diff(em_slice old, em_slice new, em_splices splices, em_arena *arena)
{
    EM_AUTO(em_strbuf) out = {0};
    em_diff diff;
    HOLDS(em_diff_make(old, splices, (em_diff_limits){0}, arena, &diff) == EM_OK);
    HOLDS(diff.hunk_count > 0 || diff.binary || em_slice_eq(old, new));
    if (diff.binary) {
        HOLDS(diff.hunk_count == 0);
        return;
    }
    size_t at = 0, number = 1;
    bool no_newline;
    for (size_t h = 0; h < diff.hunk_count; h++) {
        const em_hunk *hunk = &diff.hunks[h];
        size_t start = hunk->old_lines == 0 ? hunk->old_start + 1 : hunk->old_start;
        for (; number < start; number++) {
            em_slice line = take_line(old, &at, &no_newline);
            add_line(&out, line, no_newline);
        }
        for (size_t i = 0; i < hunk->line_count; i++) {
            const em_diff_line *shown = &hunk->lines[i];
            if (shown->kind != '+') {
                em_slice line = take_line(old, &at, &no_newline);
                HOLDS(em_slice_eq(line, shown->text) && no_newline == shown->no_newline);
                number++;
            }
            if (shown->kind != '-')
                add_line(&out, shown->text, shown->no_newline);
        }
    }
    em_strbuf_add(&out, em_slice_from(old, at));
    HOLDS(em_slice_eq(em_strbuf_slice(&out), new));
}

/* ---- What is noted ahead --------------------------------------------------------------------- */

static em_splices splices_at(const em_draft *draft, const em_spans *found, const em_op *op,
                             em_arena *arena)
{
    em_splice *splices = em_alloc_array(arena, found->count + 1, sizeof *splices);
    HOLDS(splices);
    size_t count = draft->length < MOST_GROWTH ? found->count : 0;
    for (size_t i = 0; i < count; i++) {
        em_span at = found->items[i];
        size_t start = op->kind == EM_OP_INSERT_AFTER ? at.end : at.start;
        size_t end = op->kind == EM_OP_INSERT_BEFORE ? at.start : at.end;
        splices[i] = (em_splice){start, end - start, op->insert};
    }
    if (found->count == 0) { /* something all the same: at a place that the op has a number for */
        size_t at = draft->length > 0 ? op->expect * 7 % draft->length : 0;
        size_t length = op->find.len < draft->length - at ? op->find.len : draft->length - at;
        splices[0] = (em_splice){at, length, op->insert};
        count = 1;
    }
    return (em_splices){splices, count};
}

static void check_notes(em_slice text, const em_op *ops, size_t count, em_arena *arena)
{
    EM_AUTO(em_draft) draft;
    em_match_index *noted;
    HOLDS(em_draft_init_chunks(&draft, text, 0, 2) == EM_OK);
    HOLDS(em_match_index_new(&draft, ops, count, true, &noted) == EM_OK);
    em_match_index_set_worth(noted, 0);
    for (size_t i = 0; i < count; i++) {
        em_found found = {.most = SIZE_MAX};
        em_spans want = {0};
        if (searches(&ops[i])) {
            HOLDS(em_match_index_locate(noted, i, (em_span){0, draft.length}, arena, &found) ==
                  EM_OK);
            HOLDS(em_locate(&draft, ops[i].find, true, arena, &want) == EM_OK);
        }
        HOLDS(found.total == want.count);
        for (size_t k = 0; k < want.count; k++) {
            HOLDS(found.spans.items[k].start == want.items[k].start);
            HOLDS(found.spans.items[k].end == want.items[k].end);
        }
        HOLDS(em_match_index_apply(noted, i, splices_at(&draft, &found.spans, &ops[i], arena)) ==
              EM_OK);
    }
    em_match_index_free(noted);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    EM_AUTO(em_arena) arena = {0};
    reader r = {data, size};
    em_error err = EM_ERROR_INIT;
    em_text text;
    em_lines lines;
    em_op ops[MOST_OPS];
    unsigned how = next(&r);
    em_policy policy = {.order = how % 2 == 0 ? EM_SEQUENTIAL : EM_ORIGINAL,
                        .allow_no_change = true,
                        .allow_placeholders = true,
                        .keep_previews = how / 2 % 2 == 0, /* else it may be planned at once */
                        .passes = how / 4 % 2 == 0 ? EM_PASSES_ALWAYS : EM_PASSES_THAT_PAY};
    em_slice raw = read_text(&r, 40, &arena);
    size_t count = 1 + next(&r) % MOST_OPS;
    for (size_t i = 0; i < count; i++)
        ops[i] = read_op(&r, &arena);
    HOLDS(em_text_open(raw, NULL, &arena, &text, &err) == EM_OK);
    HOLDS(em_lines_init(&text, &arena, &lines) == EM_OK);

    check_notes(raw, ops, count, &arena);
    model m = {
        .arena = &arena, .original = raw, .text = raw, .dominant = em_lines_dominant(&lines)};
    own_lines(&m, &lines);
    run_model(&m, policy.order, ops, count);
    if (m.too_much)
        return 0;

    em_plan plan;
    em_plan_failure failure = {0};
    em_plan_request request = {{&text, &lines}, &policy, ops, count};
    em_status status = em_plan_make(&request, &arena, &plan, &failure, &err);
    HOLDS((status != EM_OK) == m.failed);
    if (status != EM_OK)
        return 0;
    em_slice result;
    HOLDS(em_splices_apply(raw, plan.splices, &arena, &result) == EM_OK);
    HOLDS(em_slice_eq(result, m.text));
    HOLDS(plan.replacements == m.replacements);
    check_splices(plan.splices, raw);
    check_diff(raw, result, plan.splices, &arena);
    return 0;
}
