/* review_diff.c: hunks are read into lines, the words of removed lines are aligned with those of
 * the lines that stand there instead, and what is not in both is marked. The work is bounded:
 * beyond that lines stay whole. */
#include "review/review_diff.h"

#include "base/ascii.h"
#include "base/line.h"
#include "base/utf8.h"
#include "text/diff.h"
#include "tokens/redline.h"

#include <ctype.h>

enum {
    WORDS_BLOCK = 16 << 10, /* bytes of each side of a change in which words are looked for */
    WORDS_ALL = 256 << 10,  /* the same of all changes of a diff */
};

typedef struct line {
    char kind;
    em_slice text;
    bool *changed; /* for each byte of the text; NULL: nothing is marked */
} line;

typedef struct lines {
    line *items;
    size_t count, room;
} lines;

typedef struct hunk {
    size_t old_start, new_start, old_left, new_left;
} hunk;

/* A diff on its way through. */
typedef struct reader {
    em_slice rest;
    em_arena *arena;
    em_json *json;
    size_t bytes_left, lines_left, words_left;
    bool truncated;
} reader;

/* ---- Reading ------------------------------------------------------------------------------- */

static size_t take_number(em_slice *text)
{
    size_t number = 0;
    while (text->len > 0 && *text->ptr >= '0' && *text->ptr <= '9') {
        number = number * 10 + (size_t)(*text->ptr - '0');
        *text = em_slice_from(*text, 1);
    }
    return number;
}

/* "12,3": where a side begins and how many lines it has; ",1" may be missing. */
static void take_side(em_slice *text, size_t *start, size_t *count)
{
    *start = take_number(text);
    *count = 1;
    if (!em_slice_starts(*text, EM_LIT(",")))
        return;
    *text = em_slice_from(*text, 1);
    *count = take_number(text);
}

/* "@@ -1,3 +1,4 @@" */
static bool read_header(em_slice text, hunk *h)
{
    if (!em_slice_starts(text, EM_LIT("@@ -")))
        return false;
    text = em_slice_from(text, 4);
    take_side(&text, &h->old_start, &h->old_left);
    if (!em_slice_starts(text, EM_LIT(" +")))
        return false;
    text = em_slice_from(text, 2);
    take_side(&text, &h->new_start, &h->new_left);
    return true;
}

/* Is the line that comes part of the hunk? */
static bool is_in_hunk(const reader *r, const hunk *h)
{
    return r->rest.len > 0 && (h->old_left > 0 || h->new_left > 0 || *r->rest.ptr == '\\');
}

static void count_line(hunk *h, char kind)
{
    if (kind != '+' && kind != '\\' && h->old_left > 0)
        h->old_left--;
    if (kind != '-' && kind != '\\' && h->new_left > 0)
        h->new_left--;
}

/* The line as far as there is room for it. */
static em_status add_line(reader *r, lines *list, em_slice text)
{
    line added = {.kind = *text.ptr, .text = em_slice_from(text, 1)};
    if (added.text.len > r->bytes_left) {
        added.text = em_slice_sub(added.text, 0, em_utf8_floor(added.text, r->bytes_left));
        r->truncated = true;
    }
    r->bytes_left -= added.text.len;
    r->lines_left--;
    EM_TRY(em_arena_grow(r->arena, (void **)&list->items, list->count, &list->room, sizeof added));
    list->items[list->count++] = added;
    return EM_OK;
}

/* The lines of a hunk; what is not shown is passed over. */
static em_status read_hunk(reader *r, hunk *h, lines *list)
{
    while (is_in_hunk(r, h)) {
        em_slice text = em_take_line(&r->rest);
        if (text.len == 0)
            break;
        count_line(h, *text.ptr);
        r->truncated = r->truncated || r->lines_left == 0;
        if (!r->truncated)
            EM_TRY(add_line(r, list, text));
    }
    return EM_OK;
}

/* ---- Words --------------------------------------------------------------------------------- */

/* The lines of one kind in a change, as one text. */
typedef struct side {
    lines of;
    em_tokened tokened;
    bool *changed; /* for each byte */
} side;

static size_t bytes_of(const lines *of)
{
    size_t bytes = 0;
    for (size_t i = 0; i < of->count; i++)
        bytes += of->items[i].text.len + 1;
    return bytes;
}

static em_status side_init(side *s, em_arena *arena)
{
    size_t bytes = bytes_of(&s->of), at = 0;
    char *text = em_alloc_raw(arena, bytes);
    s->changed = em_alloc_array(arena, bytes, sizeof *s->changed);
    if (!text || !s->changed)
        return EM_E_NOMEM;
    for (size_t i = 0; i < s->of.count; i++) {
        line *l = &s->of.items[i];
        if (l->text.len > 0)
            memcpy(text + at, l->text.ptr, l->text.len);
        l->changed = s->changed + at;
        at += l->text.len;
        text[at++] = '\n';
    }
    s->tokened.text = em_slice_make(text, bytes);
    return em_tokens_of(s->tokened.text, EM_FOLD_NOTHING, arena, &s->tokened.tokens);
}

static void mark(side *s, size_t start, size_t end)
{
    memset(s->changed + start, true, end - start);
}

static em_token token_at(const side *s, size_t index)
{
    return s->tokened.tokens.items[index];
}

/* What stands before a token in its own line, from the token before it on. */
static size_t lead_start(const side *s, size_t index)
{
    size_t end = token_at(s, index).start;
    size_t from = index > 0 ? token_at(s, index - 1).end : 0;
    return from + em_slice_behind_last(em_slice_sub(s->tokened.text, from, end), '\n');
}

/* The end of the line behind its last token. */
static size_t trail_end(const side *s, size_t index)
{
    size_t from = token_at(s, index).end;
    return from + em_slice_until(em_slice_from(s->tokened.text, from), '\n');
}

static bool is_first_in_line(const side *s, size_t index)
{
    return index == 0 || lead_start(s, index) > token_at(s, index - 1).end;
}

static bool is_last_in_line(const side *s, size_t index)
{
    size_t from = token_at(s, index).end;
    size_t next =
        index + 1 < s->tokened.tokens.count ? token_at(s, index + 1).start : s->tokened.text.len;
    return em_slice_has_byte(em_slice_sub(s->tokened.text, from, next), '\n');
}

static void mark_unequal(side *old, em_token a, side *new, em_token b)
{
    if (em_slice_eq(em_token_bytes(old->tokened.text, a), em_token_bytes(new->tokened.text, b)))
        return;
    mark(old, a.start, a.end);
    mark(new, b.start, b.end);
}

/* Two tokens that are the same: mark the blanks beside them, if those differ and stand between the
 * same things. */
static void mark_blanks(side *old, size_t o, side *new, size_t n, const size_t *origin)
{
    bool first = is_first_in_line(old, o) && is_first_in_line(new, n);
    bool joined = o > 0 && n > 0 && origin[n - 1] == o - 1;
    if (first || (joined && !is_first_in_line(old, o) && !is_first_in_line(new, n)))
        mark_unequal(old, (em_token){lead_start(old, o), token_at(old, o).start}, new,
                     (em_token){lead_start(new, n), token_at(new, n).start});
    if (is_last_in_line(old, o) && is_last_in_line(new, n))
        mark_unequal(old, (em_token){token_at(old, o).end, trail_end(old, o)}, new,
                     (em_token){token_at(new, n).end, trail_end(new, n)});
}

/* Mark the tokens that the other side lacks, and what stands between two of them. */
static void mark_tokens(side *s, const bool *kept)
{
    for (size_t i = 0; i < s->tokened.tokens.count; i++) {
        if (kept[i])
            continue;
        bool joins = i > 0 && !kept[i - 1];
        mark(s, joins ? lead_start(s, i) : token_at(s, i).start, token_at(s, i).end);
    }
}

/* One sign between two changed parts tells a reader nothing: "3.14" is one thing. */
static void join_marks(line *l)
{
    for (size_t at = 1; at + 1 < l->text.len; at++)
        if (!l->changed[at] && l->changed[at - 1] && l->changed[at + 1] &&
            ispunct((unsigned char)l->text.ptr[at]))
            l->changed[at] = true;
}

/* A line of which nothing is left is seen to be changed without marks. */
static void tidy_marks(side *s)
{
    for (size_t i = 0; i < s->of.count; i++) {
        line *l = &s->of.items[i];
        bool keeps = false, marked = false;
        join_marks(l);
        for (size_t at = 0; at < l->text.len; at++) {
            keeps = keeps || (!l->changed[at] && !em_is_line_blank(l->text.ptr[at]));
            marked = marked || l->changed[at];
        }
        if (!keeps || !marked)
            l->changed = NULL;
    }
}

/* Lines that were removed, and those that stand there instead. */
static em_status mark_change(reader *r, lines removed, lines added)
{
    side old = {.of = removed}, new = {.of = added};
    size_t bytes = bytes_of(&removed) + bytes_of(&added);
    if (removed.count == 0 || added.count == 0 || bytes > WORDS_BLOCK || bytes > r->words_left)
        return EM_OK;
    r->words_left -= bytes;
    EM_TRY(side_init(&old, r->arena));
    EM_TRY(side_init(&new, r->arena));
    size_t olds = old.tokened.tokens.count, news = new.tokened.tokens.count;
    size_t *origin;
    bool *kept_old = em_alloc_array(r->arena, olds, sizeof *kept_old);
    bool *kept_new = em_alloc_array(r->arena, news, sizeof *kept_new);
    if (!kept_old || !kept_new)
        return EM_E_NOMEM;
    EM_TRY(em_redline(&old.tokened, &new.tokened, r->arena, &origin));
    for (size_t i = 0; i < news; i++) {
        kept_new[i] = origin[i] != EM_NPOS;
        if (!kept_new[i])
            continue;
        kept_old[origin[i]] = true;
        mark_blanks(&old, origin[i], &new, i, origin);
    }
    mark_tokens(&old, kept_old);
    mark_tokens(&new, kept_new);
    tidy_marks(&old);
    tidy_marks(&new);
    return EM_OK;
}

/* The lines from *at on that are of this kind; *at moves behind them, and behind what is said of a
 * missing newline. */
static lines take_run(const lines *of, size_t *at, char kind)
{
    lines run = {.items = of->items + *at};
    while (*at < of->count && of->items[*at].kind == kind)
        run.count++, (*at)++;
    if (run.count > 0 && *at < of->count && of->items[*at].kind == '\\')
        (*at)++;
    return run;
}

static em_status mark_words(reader *r, const lines *of)
{
    for (size_t at = 0; at < of->count;) {
        size_t before = at;
        lines removed = take_run(of, &at, '-'), added = take_run(of, &at, '+');
        EM_TRY(mark_change(r, removed, added));
        at += at == before;
    }
    return EM_OK;
}

/* ---- JSON ---------------------------------------------------------------------------------- */

static json_t *line_json(em_json *json, const line *l)
{
    json_t *array = em_json_array(json);
    em_json_add(json, array, em_json_text(json, em_slice_make(&l->kind, 1)));
    bool changed = false;
    size_t from = 0;
    for (size_t at = 0; l->changed && at < l->text.len; at++) {
        if (l->changed[at] == changed)
            continue;
        em_json_add(json, array, em_json_text(json, em_slice_sub(l->text, from, at)));
        changed = !changed;
        from = at;
    }
    em_json_add(json, array, em_json_text(json, em_slice_from(l->text, from)));
    return array;
}

static json_t *hunk_json(em_json *json, const hunk *h, const lines *of)
{
    json_t *object = em_json_object(json), *list = em_json_array(json);
    em_json_set_size(json, object, "old", h->old_start);
    em_json_set_size(json, object, "new", h->new_start);
    for (size_t i = 0; i < of->count; i++)
        em_json_add(json, list, line_json(json, &of->items[i]));
    em_json_set(json, object, "lines", list);
    return object;
}

static em_status add_hunk(reader *r, hunk *h, json_t *hunks)
{
    lines list = {0};
    EM_TRY(read_hunk(r, h, &list));
    EM_TRY(mark_words(r, &list));
    if (list.count > 0)
        em_json_add(r->json, hunks, hunk_json(r->json, h, &list));
    return EM_OK;
}

json_t *em_review_diff(em_json *json, em_slice unified, em_arena *arena)
{
    reader r = {.rest = unified,
                .arena = arena,
                .json = json,
                .bytes_left = EM_REVIEW_DIFF_BYTES,
                .lines_left = EM_REVIEW_DIFF_LINES,
                .words_left = WORDS_ALL};
    json_t *object = em_json_object(json), *hunks = em_json_array(json);
    if (em_slice_starts(unified, EM_LIT(EM_BINARY_DIFFERS)))
        em_json_set_bool(json, object, "binary", true);
    while (r.rest.len > 0 && !r.truncated) {
        hunk h = {0};
        if (read_header(em_take_line(&r.rest), &h) && add_hunk(&r, &h, hunks) != EM_OK)
            json->failed = true;
    }
    em_json_set(json, object, "hunks", hunks);
    em_json_set_bool(json, object, "truncated", r.truncated);
    return object;
}
