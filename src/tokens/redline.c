/* redline.c: lines are aligned first, then the tokens of lines that were changed. */
#include "tokens/redline.h"

#include "text/myers.h"

#include <stdlib.h>

bool em_tokened_same(em_tokened a, em_tokened b, em_fold fold)
{
    if (a.tokens.count != b.tokens.count)
        return false;
    for (size_t i = 0; i < a.tokens.count; i++)
        if (!em_token_same(em_tokened_token(a, i), em_tokened_token(b, i), fold))
            return false;
    return true;
}

enum {
    MOST_CHANGES = 2000,     /* of lines, or of tokens in a line */
    MOST_COMPARED = 1 << 24, /* lines or tokens, for all of these */
    MOST_PAIRING = 1 << 22,  /* comparisons of tokens to pair the lines of one hunk */
    MOST_MOVING = 1 << 22,   /* comparisons of lines to find those that moved */
    LEAST_ALIKE = 40,        /* percent of the tokens of two lines that are one line changed */
    MENDED = 200,            /* more than that of any other two */
};

/* A run of tokens or of lines, half open. */
typedef struct range {
    size_t start, end;
} range;

/* A text as lines of tokens. Empty lines are gaps and do not count. */
typedef struct side {
    const em_tokened *of;
    range *lines;  /* of tokens */
    size_t *kinds; /* of lines that are told apart: the same kind is the same line */
    size_t count;
} side;

typedef struct redline {
    side find, insert;
    const em_tokened *seen; /* NULL: not known */
    em_arena *arena;
    size_t *origin;
    size_t compared; /* so far */
} redline;

static size_t length_of(range r)
{
    return r.end - r.start;
}

/* ---- Lines ---------------------------------------------------------------------------------- */

static em_slice token_at(const side *s, size_t index)
{
    return em_token_bytes(s->of->text, s->of->tokens.items[index]);
}

static em_slice gap_before(const side *s, size_t index)
{
    const em_token *tokens = s->of->tokens.items;
    return em_slice_sub(s->of->text, index > 0 ? tokens[index - 1].end : 0, tokens[index].start);
}

static em_status side_init(side *s, const em_tokened *of, em_arena *arena)
{
    *s = (side){.of = of, .lines = em_alloc_array(arena, of->tokens.count, sizeof(range))};
    if (!s->lines)
        return EM_E_NOMEM;
    for (size_t i = 0; i < of->tokens.count; i++) {
        if (i == 0 || em_gap_of(gap_before(s, i)) == EM_GAP_BREAK)
            s->lines[s->count++] = (range){i, i};
        s->lines[s->count - 1].end = i + 1;
    }
    return EM_OK;
}

/* The same tokens with the same blanks between them; indentation aside. */
static bool same_line(const redline *r, range a, range b)
{
    if (length_of(a) != length_of(b))
        return false;
    for (size_t i = 0; i < length_of(a); i++)
        if (!em_slice_eq(token_at(&r->find, a.start + i), token_at(&r->insert, b.start + i)) ||
            (i > 0 &&
             !em_slice_eq(gap_before(&r->find, a.start + i), gap_before(&r->insert, b.start + i))))
            return false;
    return true;
}

/* A line by its bytes, which tell its tokens and the blanks between, and how many tokens it has. */
typedef struct told_line {
    em_slice bytes;
    size_t tokens;
    size_t *kind;
} told_line;

static int by_bytes(const void *left, const void *right)
{
    const told_line *x = left, *y = right;
    int order = em_slice_order(x->bytes, y->bytes);
    return order != 0 ? order : (x->tokens > y->tokens) - (x->tokens < y->tokens);
}

static em_status kinds_init(side *s, range lines, em_arena *arena, told_line *told)
{
    const em_token *tokens = s->of->tokens.items;
    s->kinds = em_alloc_array(arena, s->count, sizeof *s->kinds);
    if (!s->kinds)
        return EM_E_NOMEM;
    for (size_t i = lines.start; i < lines.end; i++) {
        range line = s->lines[i];
        em_slice bytes =
            em_slice_sub(s->of->text, tokens[line.start].start, tokens[line.end - 1].end);
        *told++ = (told_line){bytes, length_of(line), &s->kinds[i]};
    }
    return EM_OK;
}

/* Give the lines of both their kinds, as very long ones may have to be compared each with each. */
static em_status tell_lines(redline *r, range old, range new)
{
    size_t kind = 0, count = length_of(old) + length_of(new);
    told_line *told = em_alloc_array(r->arena, count, sizeof *told);
    if (!told)
        return EM_E_NOMEM;
    EM_TRY(kinds_init(&r->find, old, r->arena, told));
    EM_TRY(kinds_init(&r->insert, new, r->arena, told + length_of(old)));
    qsort(told, count, sizeof *told, by_bytes);
    for (size_t i = 0; i < count; i++) {
        kind += i > 0 && by_bytes(&told[i - 1], &told[i]) != 0;
        *told[i].kind = kind;
    }
    return EM_OK;
}

/* ---- Sequences that are compared ------------------------------------------------------------- */

/* Two ranges, of lines or of tokens. */
typedef struct compared {
    redline *of;
    range old, new;
    bool lines;
} compared;

static bool same_element(const compared *c, size_t old, size_t new)
{
    const redline *r = c->of;
    return c->lines ? same_line(r, r->find.lines[old], r->insert.lines[new])
                    : em_slice_eq(token_at(&r->find, old), token_at(&r->insert, new));
}

/* When very many were compared nothing counts as the same any more. */
static bool same_in_middle(const void *context, size_t old, size_t new)
{
    const compared *c = context;
    redline *r = c->of;
    if (r->compared == MOST_COMPARED)
        return false;
    r->compared++;
    old += c->old.start;
    new += c->new.start;
    return c->lines ? r->find.kinds[old] == r->insert.kinds[new] : same_element(c, old, new);
}

/* Lines that are the same are the same token by token. */
static void keep(redline *r, bool lines, size_t old, size_t new)
{
    if (!lines) {
        r->origin[new] = old;
        return;
    }
    range a = r->find.lines[old], b = r->insert.lines[new];
    for (size_t i = 0; i < length_of(a); i++)
        r->origin[b.start + i] = a.start + i;
}

typedef em_status on_hunk(redline *r, range old, range new);

/* Keep what a script leaves, and hand what it changes to `hunk`, which may be NULL. */
static em_status walk_script(redline *r, const compared *c, const em_script *script, on_hunk *hunk)
{
    size_t i = 0, j = 0, olds = length_of(c->old), news = length_of(c->new);
    while (i < olds || j < news) {
        size_t from_i = i, from_j = j;
        while (i < olds && script->removed[i])
            i++;
        while (j < news && script->added[j])
            j++;
        if (hunk && (i > from_i || j > from_j))
            EM_TRY(hunk(r, (range){c->old.start + from_i, c->old.start + i},
                        (range){c->new.start + from_j, c->new.start + j}));
        if (i < olds && j < news)
            keep(r, c->lines, c->old.start + i++, c->new.start + j++);
    }
    return EM_OK;
}

static em_status compare(redline *r, compared c, on_hunk *hunk)
{
    while (length_of(c.old) > 0 && length_of(c.new) > 0 &&
           same_element(&c, c.old.start, c.new.start))
        keep(r, c.lines, c.old.start++, c.new.start++);
    while (length_of(c.old) > 0 && length_of(c.new) > 0 &&
           same_element(&c, c.old.end - 1, c.new.end - 1))
        keep(r, c.lines, --c.old.end, --c.new.end);
    if (length_of(c.old) == 0 && length_of(c.new) == 0)
        return EM_OK;
    if (c.lines)
        EM_TRY(tell_lines(r, c.old, c.new));
    em_sequences sequences = {length_of(c.old), length_of(c.new), same_in_middle, &c};
    em_script script = {0};
    if (r->compared < MOST_COMPARED)
        EM_TRY(em_myers(&sequences, MOST_CHANGES, r->arena, &script));
    if (script.found)
        return walk_script(r, &c, &script, hunk);
    return hunk ? hunk(r, c.old, c.new) : EM_OK;
}

/* ---- Lines that were changed ----------------------------------------------------------------- */

/* How many tokens two lines have in common, in order; in percent of both. `row` has room for one
 * more than the second has tokens. */
static size_t alike(const redline *r, range a, range b, size_t *row)
{
    size_t n = length_of(b);
    memset(row, 0, (n + 1) * sizeof *row);
    for (size_t i = a.start; i < a.end; i++) {
        size_t diagonal = 0;
        for (size_t j = 0; j < n; j++) {
            size_t above = row[j + 1];
            if (em_slice_eq(token_at(&r->find, i), token_at(&r->insert, b.start + j)))
                row[j + 1] = diagonal + 1;
            else if (row[j] > above)
                row[j + 1] = row[j];
            diagonal = above;
        }
    }
    /* A line has tokens, which the analyzer cannot know.
     * NOLINTNEXTLINE(clang-analyzer-core.DivideZero) */
    return 200 * row[n] / (length_of(a) + n);
}

/* Is a new line the old one as that stands in the file? */
static bool is_mended(const redline *r, range old, range new)
{
    if (!r->seen || length_of(old) != length_of(new))
        return false;
    for (size_t i = 0; i < length_of(old); i++)
        if (!em_slice_eq(em_tokened_token(*r->seen, old.start + i),
                         token_at(&r->insert, new.start + i)))
            return false;
    return true;
}

static range tokens_of_lines(const side *s, range lines)
{
    return (range){s->lines[lines.start].start, s->lines[lines.end - 1].end};
}

/* Is a new sign the old one in a third writing, where the file has it in another one than the
 * search text? How it is written was not known, so nobody means to change that; but a double quote
 * is no single one. */
static bool is_same_sign(const redline *r, size_t old, size_t new)
{
    em_slice wanted = token_at(&r->find, old), seen = em_tokened_token(*r->seen, old),
             plain = em_token_plain(token_at(&r->insert, new));
    return !em_token_is_word(wanted) && !em_slice_eq(wanted, seen) &&
           (em_slice_eq(em_token_plain(wanted), plain) || em_slice_eq(em_token_plain(seen), plain));
}

/* Of the tokens that a change brings into a line, those at its start and at its end that are old
 * signs in another writing are kept. */
static em_status keep_signs(redline *r, range old, range new)
{
    while (length_of(old) > 0 && length_of(new) > 0 && is_same_sign(r, old.start, new.start))
        keep(r, false, old.start++, new.start++);
    while (length_of(old) > 0 && length_of(new) > 0 && is_same_sign(r, old.end - 1, new.end - 1))
        keep(r, false, --old.end, --new.end);
    return EM_OK;
}

static em_status compare_lines_words(redline *r, size_t old, size_t new)
{
    return compare(r, (compared){r, r->find.lines[old], r->insert.lines[new], false},
                   r->seen ? keep_signs : NULL);
}

/* Pair old lines with new ones, in order, so that the pairs are as alike as can be, and compare the
 * words of each pair. scores[] has a row of new.count + 1 for each old line and one more. */
static em_status pair_lines(redline *r, range old, range new, size_t *scores, size_t *row)
{
    size_t olds = length_of(old), news = length_of(new), width = news + 1;
    for (size_t i = olds; i-- > 0;)
        for (size_t j = news; j-- > 0;) {
            range a = r->find.lines[old.start + i], b = r->insert.lines[new.start + j];
            size_t likeness = is_mended(r, a, b) ? MENDED : alike(r, a, b, row);
            size_t best = scores[(i + 1) * width + j];
            if (scores[i * width + j + 1] > best)
                best = scores[i * width + j + 1];
            if (likeness >= LEAST_ALIKE && scores[(i + 1) * width + j + 1] + likeness > best)
                best = scores[(i + 1) * width + j + 1] + likeness;
            scores[i * width + j] = best;
        }
    for (size_t i = 0, j = 0; i < olds && j < news;) {
        size_t here = scores[i * width + j];
        if (here == scores[(i + 1) * width + j])
            i++;
        else if (here == scores[i * width + j + 1])
            j++;
        else
            EM_TRY(compare_lines_words(r, old.start + i++, new.start + j++));
    }
    return EM_OK;
}

static em_status redline_hunk(redline *r, range old, range new)
{
    if (length_of(old) == 0 || length_of(new) == 0)
        return EM_OK;
    if (length_of(old) == 1 && length_of(new) == 1)
        return compare_lines_words(r, old.start, new.start);
    range a = tokens_of_lines(&r->find, old), b = tokens_of_lines(&r->insert, new);
    if (length_of(a) > MOST_PAIRING / length_of(b))
        return EM_OK;
    size_t *scores =
        em_alloc_array(r->arena, (length_of(old) + 1) * (length_of(new) + 1), sizeof *scores);
    size_t *row = em_alloc_array(r->arena, length_of(b) + 1, sizeof *row);
    return scores && row ? pair_lines(r, old, new, scores, row) : EM_E_NOMEM;
}

em_status em_redline(const em_tokened *find, const em_tokened *insert, em_arena *arena,
                     size_t **origin)
{
    return em_redline_seen(find, NULL, insert, arena, origin);
}

em_status em_redline_seen(const em_tokened *find, const em_tokened *seen, const em_tokened *insert,
                          em_arena *arena, size_t **origin)
{
    redline r = {.seen = seen,
                 .arena = arena,
                 .origin = em_alloc_array(arena, insert->tokens.count, sizeof *r.origin)};
    if (!r.origin)
        return EM_E_NOMEM;
    for (size_t i = 0; i < insert->tokens.count; i++)
        r.origin[i] = EM_NPOS;
    EM_TRY(side_init(&r.find, find, arena));
    EM_TRY(side_init(&r.insert, insert, arena));
    *origin = r.origin;
    return compare(&r, (compared){&r, {0, r.find.count}, {0, r.insert.count}, true}, redline_hunk);
}

/* ---- Lines that moved ------------------------------------------------------------------------ */

/* The lines that are new and say anything; *count of them. */
static em_status lines_that_come(const redline *r, const size_t *origin, size_t **lines,
                                 size_t *count)
{
    *lines = em_alloc_array(r->arena, r->insert.count, sizeof **lines);
    *count = 0;
    for (size_t k = 0; *lines && k < r->insert.count; k++) {
        range line = r->insert.lines[k];
        bool says = false;
        size_t i = line.start;
        for (; i < line.end && origin[i] == EM_NPOS; i++)
            says |= em_token_is_word(token_at(&r->insert, i));
        if (i == line.end && says)
            (*lines)[(*count)++] = k;
    }
    return *lines ? EM_OK : EM_E_NOMEM;
}

/* The lines of the search text of which nothing is repeated; *count of them. */
static em_status lines_that_go(const redline *r, const size_t *origin, size_t **lines,
                               size_t *count)
{
    bool *stays = em_alloc_array(r->arena, r->find.of->tokens.count, sizeof *stays);
    *lines = em_alloc_array(r->arena, r->find.count, sizeof **lines);
    *count = 0;
    if (!stays || !*lines)
        return EM_E_NOMEM;
    for (size_t i = 0; i < r->insert.of->tokens.count; i++)
        if (origin[i] != EM_NPOS)
            stays[origin[i]] = true;
    for (size_t k = 0; k < r->find.count; k++) {
        range line = r->find.lines[k];
        size_t i = line.start;
        while (i < line.end && !stays[i])
            i++;
        if (i == line.end)
            (*lines)[(*count)++] = k;
    }
    return EM_OK;
}

/* The first of the lines that is this one of the replacement; it is none any more. */
static range take_same(const redline *r, size_t *lines, size_t count, size_t line)
{
    for (size_t i = 0; i < count; i++) {
        size_t same = lines[i];
        if (same == EM_NPOS || r->find.kinds[same] != r->insert.kinds[line])
            continue;
        lines[i] = EM_NPOS;
        return r->find.lines[same];
    }
    return (range){0};
}

em_status em_redline_moves(const em_tokened *find, const em_tokened *insert, const size_t *origin,
                           em_arena *arena, size_t **moved)
{
    redline r = {.arena = arena};
    size_t *come, *gone, coming, going;
    *moved = em_alloc_array(arena, insert->tokens.count, sizeof **moved);
    if (!*moved)
        return EM_E_NOMEM;
    for (size_t i = 0; i < insert->tokens.count; i++)
        (*moved)[i] = EM_NPOS;
    EM_TRY(side_init(&r.insert, insert, arena));
    EM_TRY(lines_that_come(&r, origin, &come, &coming));
    if (coming == 0)
        return EM_OK;
    EM_TRY(side_init(&r.find, find, arena));
    EM_TRY(lines_that_go(&r, origin, &gone, &going));
    EM_TRY(tell_lines(&r, (range){0, r.find.count}, (range){0, r.insert.count}));
    for (size_t k = 0; k < coming && going <= MOST_MOVING / coming; k++) {
        range from = take_same(&r, gone, going, come[k]);
        for (size_t i = from.start; i < from.end; i++)
            (*moved)[r.insert.lines[come[k]].start + i - from.start] = i;
    }
    return EM_OK;
}
