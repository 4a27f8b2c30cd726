#include "scratch.h"

#include "base/strbuf.h"
#include "failing_malloc.h"
#include "text/random.h"
#include "session/session_state.h"
#include "session/show.h"
#include "session/undo.h"

/* Whatever the size of a file, the outcome is the same: random edits of random files, once with the
 * file held, once through windows that are so small that everything lies across their borders. */

enum { FILE_MOST = 60000, OPS_MOST = 5, ROUNDS = 400 };

static const em_large_limits small = {.from = 1, .window = 61};

/* ---- Files and edits ------------------------------------------------------------------------- */

typedef struct play {
    random_state random;
    em_arena arena;
    em_slice file;
    em_op ops[OPS_MOST];
    size_t op_count;
    em_policy policy;
    bool dry_run, undo_is_tried;
    size_t meddling; /* what somebody else does to the file before the change is undone; 0: nothing */
    size_t meddled;  /* where */
} play;

static void play_drop(play *p)
{
    em_arena_drop(&p->arena);
}

static const char *const words[] = {"a",   "aa",    "b ",  "foo", "foo(", "\xC3\xA4", "\xE2\x82\xAC",
                                    " \t", "x = 1", "end", "",    "}",    "aaaaaaa"};

static void add_line(play *p, em_strbuf *text, size_t number)
{
    size_t count = random_below(&p->random, 4);
    for (size_t i = 0; i < count; i++)
        em_strbuf_puts(text, RANDOM_OF(&p->random, words));
    if (random_below(&p->random, 3) == 0)
        em_strbuf_printf(text, "line %zu", number);
}

static const char *const endings[] = {"\n", "\n", "\n", "\n", "\n", "\r\n", "\n", "\r"};

static void make_file(play *p)
{
    em_strbuf text = {0};
    size_t kind = random_below(&p->random, 8), lines = 200 + random_below(&p->random, 3000);
    if (random_below(&p->random, 6) == 0)
        em_strbuf_puts(&text, "\xEF\xBB\xBF");
    for (size_t i = 1; i <= lines && text.len < FILE_MOST - 200; i++) {
        add_line(p, &text, i);
        const char *ending = kind == 0   ? "\r\n"
                             : kind == 1 ? RANDOM_OF(&p->random, endings)
                                         : "\n";
        if (i < lines || random_below(&p->random, 2) == 0)
            em_strbuf_puts(&text, ending);
    }
    if (random_below(&p->random, 10) == 0)
        em_strbuf_puts(&text, "\xFF invalid\n");
    const char *copy = em_arena_string(&p->arena, em_strbuf_slice(&text));
    p->file = em_slice_make(copy, text.len);
    em_strbuf_drop(&text);
}

static em_slice piece_of_file(play *p)
{
    size_t start = random_below(&p->random, p->file.len);
    size_t length = 1 + random_below(&p->random, random_below(&p->random, 4) == 0 ? 200 : 14);
    while (start > 0 && ((unsigned char)p->file.ptr[start] & 0xC0) == 0x80)
        start--;
    em_slice piece = em_slice_sub(p->file, start,
                                  p->file.len - start < length ? p->file.len : start + length);
    while (piece.len > 1 && start + piece.len < p->file.len &&
           ((unsigned char)piece.ptr[piece.len] & 0xC0) == 0x80)
        piece.len--;
    return piece;
}

/* As a model writes it: with LFs. */
static em_slice with_lfs(play *p, em_slice s)
{
    char *out = em_alloc(&p->arena, s.len + 1);
    size_t length = 0;
    for (size_t i = 0; i < s.len; i++) {
        if (s.ptr[i] == '\r' && i + 1 < s.len && s.ptr[i + 1] == '\n')
            continue;
        out[length++] = s.ptr[i] == '\r' ? '\n' : s.ptr[i];
    }
    return em_slice_make(out, length);
}

static em_slice made_up(play *p)
{
    em_strbuf text = {0};
    for (size_t i = random_below(&p->random, 5); i > 0; i--)
        em_strbuf_puts(&text, random_below(&p->random, 4) == 0 ? "\n" : RANDOM_OF(&p->random, words));
    const char *copy = em_arena_string(&p->arena, em_strbuf_slice(&text));
    em_slice made = em_slice_make(copy, text.len);
    em_strbuf_drop(&text);
    return made;
}

static void make_op(play *p, em_op *op)
{
    static const em_op_kind kinds[] = {EM_OP_REPLACE,      EM_OP_REPLACE, EM_OP_REPLACE,
                                       EM_OP_DELETE,       EM_OP_INSERT_BEFORE,
                                       EM_OP_INSERT_AFTER, EM_OP_APPEND,  EM_OP_PREPEND,
                                       EM_OP_LINES};
    static const size_t expects[] = {EM_EVERY, EM_EVERY, 1, 1, 2};
    size_t from = random_below(&p->random, 10);
    *op = (em_op){.kind = RANDOM_OF(&p->random, kinds), .expect = RANDOM_OF(&p->random, expects)};
    op->find = from == 0 ? made_up(p) : piece_of_file(p);
    if (from > 6)
        op->find = with_lfs(p, op->find);
    op->insert = random_below(&p->random, 2) == 0 ? made_up(p) : with_lfs(p, piece_of_file(p));
    if (op->kind == EM_OP_LINES || random_below(&p->random, 8) == 0) {
        op->first_line = 1 + random_below(&p->random, 2000);
        op->last_line = op->first_line + random_below(&p->random, 30);
    }
    /* one that touches what the op before it has inserted */
    if (op != p->ops && op[-1].insert.len > 2 && random_below(&p->random, 2) == 0)
        op->find = op[-1].insert;
}

static void make_play(play *p, uint64_t seed)
{
    *p = (play){.random = {.word = seed * 0x9E3779B97F4A7C15u + 1}};
    make_file(p);
    p->op_count = 1 + random_below(&p->random, OPS_MOST);
    if (random_below(&p->random, 2) == 0)
        p->op_count = 1;
    p->policy = (em_policy){.order = random_below(&p->random, 3) == 0 ? EM_ORIGINAL : EM_SEQUENTIAL,
                            .extent = random_below(&p->random, 3) == 0 ? EM_AS_FAR_AS_OK
                                                                       : EM_ALL_OR_NONE,
                            .allow_placeholders = true,
                            .allow_no_change = random_below(&p->random, 2) == 0,
                            .keep_previews = true,
                            .most = EM_TIER_EXACT};
    p->dry_run = random_below(&p->random, 8) == 0;
    p->undo_is_tried = random_below(&p->random, 4) == 0;
    p->meddling = random_below(&p->random, 4);
    p->meddled = random_below(&p->random, 1000);
    for (size_t i = 0; i < p->op_count; i++)
        make_op(p, &p->ops[i]);
}

/* ---- What came of it, as text ---------------------------------------------------------------- */

static void tell_match(em_strbuf *out, const em_outcome *o, const em_match *m)
{
    em_position start = em_lines_position(&o->lines, m->start);
    em_position end = em_lines_position(&o->lines, m->end);
    em_slice line = em_lines_content(&o->lines, start.line);
    em_strbuf_printf(out, "  %zu-%zu %zu:%zu-%zu:%zu%s ", em_text_to_raw(&o->text, m->start),
                     em_text_to_raw(&o->text, m->end), start.line, start.column, end.line,
                     end.column, m->inserted ? " inserted" : "");
    em_strbuf_add(out, line);
    em_strbuf_puts(out, " | ");
    em_strbuf_add(out, m->line_text);
    for (size_t i = start.line > 3 ? start.line - 3 : 1; i < start.line + 4; i++) {
        if (i <= em_lines_count(&o->lines))
            em_strbuf_add(out, em_lines_content(&o->lines, i));
    }
    em_strbuf_putc(out, '\n');
}

static void tell_matches(em_strbuf *out, const em_outcome *o, const em_matches *matches)
{
    for (size_t i = 0; i < matches->count; i++)
        tell_match(out, o, &matches->items[i]);
}

static void tell(em_strbuf *out, const em_outcome *o, em_arena *arena)
{
    em_strbuf_printf(out, "status %d cause %d edit %td: %s\n", (int)o->status, (int)o->error.cause,
                     o->error.edit, o->error.detail);
    em_strbuf_printf(out, "expected %zu actual %zu other %zu line %zu\n", o->failure.expected,
                     o->failure.actual, o->failure.other_op, o->failure.line);
    if (o->is_open && o->status != EM_E_BINARY) {
        em_strbuf_printf(out, "lines %zu dominant %d\n", em_lines_count(&o->lines),
                         (int)em_lines_dominant(&o->lines));
        tell_matches(out, o, &o->failure.places);
        em_strbuf_printf(out, "ops %zu replacements %zu\n", o->plan.op_count, o->plan.replacements);
        for (size_t i = 0; i < o->plan.op_count; i++)
            tell_matches(out, o, &o->plan.places[i]);
        for (size_t i = 0; i < o->plan.preview_count; i++) {
            em_strbuf_printf(out, "preview %zu: ", o->plan.previews[i].line);
            em_strbuf_add(out, o->plan.previews[i].before);
            em_strbuf_puts(out, " -> ");
            em_strbuf_add(out, o->plan.previews[i].after);
        }
    }
    em_strbuf_printf(out, "committed %d hash %s size %zu warnings %zu charset %s\n", o->committed,
                     o->hash.hex, (size_t)o->size, o->warnings.count, o->text.charset);
    em_strbuf_puts(out, em_diff_render(&o->diff, (em_diff_names){.path = "a.txt"}, arena));
}

/* Somebody else changes the file; and no version of it can be had any more. */
static void meddle(scratch *s, const play *p)
{
    char command[200];
    em_strbuf text = {0};
    em_slice was = scratch_read(s, "a.txt");
    size_t at = p->meddled * was.len / 1000;
    if (p->meddling == 0)
        return;
    em_strbuf_add(&text, em_slice_sub(was, 0, at));
    em_strbuf_puts(&text, p->meddling == 1 ? "\nmore\nlines\n" : "x");
    em_strbuf_add(&text, em_slice_from(was, p->meddling == 2 && at < was.len ? at + 1 : at));
    scratch_write(s, "a.txt", em_strbuf_slice(&text));
    em_strbuf_drop(&text);
    snprintf(command, sizeof command, "rm -rf '%s/contents'", s->state);
    assert_int_equal(system(command), 0);
}

/* The edit, undone and shown, in a session of its own; what came of all that. */
static void run(const play *p, em_large_limits limits, em_strbuf *out, bool *windowed)
{
    EM_AUTO(scratch) s;
    em_session_options options = {.workspace.large = limits};
    em_outcome outcome;
    scratch_open(&s, &options);
    scratch_write(&s, "a.txt", p->file);
    em_edit_request request = {.path = "a.txt",
                               .ops = p->ops,
                               .op_count = p->op_count,
                               .policy = p->policy,
                               .dry_run = p->dry_run,
                               .tool = "test",
                               .want_diff = true,
                               .diff_limits = {.bytes = 4000}};
    em_run_edit(s.session, &request, &s.arena, &outcome);
    *windowed = outcome.text.extract != NULL;
    tell(out, &outcome, &s.arena);
    em_strbuf_add(out, scratch_read(&s, "a.txt"));
    bool committed = outcome.committed;
    em_outcome_drop(s.session, &outcome);
    if (committed) {
        meddle(&s, p);
        em_undo_outcome undone;
        em_undo_request undo = {.what = EM_UNDO,
                                .dry_run = p->undo_is_tried,
                                .want_diff = true,
                                .tool = "undo"};
        em_run_undo(s.session, &undo, &s.arena, &undone);
        em_strbuf_printf(out, "undo %d %s\n", (int)undone.status, undone.error.detail);
        for (size_t i = 0; i < undone.file_count; i++)
            em_strbuf_printf(out, "%s %s\n", undone.files[i].hash.hex, undone.files[i].diff);
        em_strbuf_printf(out, "conflict at %zu: ", undone.conflict.line);
        em_strbuf_add(out, undone.conflict.was);
        em_strbuf_puts(out, " now ");
        em_strbuf_add(out, undone.conflict.now);
        em_strbuf_add(out, scratch_read(&s, "a.txt"));
        if (p->meddling == 0 && !p->undo_is_tried)
            check_file(&s, "a.txt", p->file);
    }
}

/* Around the first byte that is not the same. */
static void tell_difference(uint64_t seed, em_slice held, em_slice passed)
{
    size_t at = 0;
    while (at < held.len && at < passed.len && held.ptr[at] == passed.ptr[at])
        at++;
    size_t from = at > 200 ? at - 200 : 0;
    em_slice texts[] = {held, passed};
    for (size_t i = 0; i < 2; i++) {
        size_t end = at + 100 < texts[i].len ? at + 100 : texts[i].len;
        print_error("seed %zu, %s:\n%.*s\n----\n", (size_t)seed, i == 0 ? "held" : "windowed",
                    (int)(end - from), texts[i].ptr + from);
    }
}

static void whatever_the_size_the_outcome_is_the_same(void **state)
{
    (void)state;
    size_t windowed_count = 0;
    const char *rounds = getenv("EMEND_WINDOWED_ROUNDS");
    size_t most = rounds ? strtoul(rounds, NULL, 10) : ROUNDS;
    const char *first = getenv("EMEND_WINDOWED_FIRST");
    for (uint64_t seed = first ? strtoul(first, NULL, 10) : 1; seed <= most; seed++) {
        EM_AUTO(play) p;
        EM_AUTO(em_strbuf) held = {0}, passed = {0};
        bool windowed;
        em_large_limits limits = small;
        make_play(&p, seed);
        limits.window = 1 + random_below(&p.random, 600);
        run(&p, (em_large_limits){0}, &held, &windowed);
        assert_false(windowed);
        run(&p, limits, &passed, &windowed);
        windowed_count += windowed;
        if (!em_slice_eq(em_strbuf_slice(&held), em_strbuf_slice(&passed))) {
            tell_difference(seed, em_strbuf_slice(&held), em_strbuf_slice(&passed));
            fail();
        }
    }
    assert_true(windowed_count > most / 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whatever_the_size_the_outcome_is_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
