/* line_breaks.c: the gaps of search text and replacement that break lines otherwise than the file.
 */
#include "laying/line_breaks.h"

#include "base/line.h"
#include "base/strbuf.h"
#include "laying/placed_edit.h"
#include "match/token_line.h"
#include "tokens/redline.h"

/* The texts of one edit. */
typedef struct texts {
    em_placed_edit edit;
    bool *stays;  /* for each token of the search text: the replacement repeats it */
    bool as_deep; /* lines that begin anew are as deep as in the file */
} texts;

/* A text that is written anew. */
typedef struct rewriting {
    em_tokened of;
    em_slice indent; /* of the line that is being written */
    em_slice sent;   /* the same in the search text; ptr NULL: it has no such line */
    em_slice seen; /* of the file's line that it is; ptr NULL: it is none, or in the midst of one */
    em_strbuf out;
    size_t done; /* bytes of the text */
} rewriting;

static bool is_break(em_slice gap)
{
    return em_gap_of(gap) == EM_GAP_BREAK;
}

static em_slice seen_gap(const texts *t, size_t index)
{
    return em_place_gap(t->edit.text, t->edit.place, index);
}

/* Has the file line endings alone before the search text's token, or blanks, where that has the
 * other? */
static bool differs(const texts *t, size_t index)
{
    em_slice seen = seen_gap(t, index);
    return is_break(em_tokened_gap(t->edit.find, index)) != is_break(seen) &&
           em_trimmed(seen).len == 0;
}

static bool any_differs(const texts *t)
{
    for (size_t i = 1; i < t->edit.find.tokens.count; i++)
        if (differs(t, i))
            return true;
    return false;
}

/* ---- How deep a line is that begins anew ----------------------------------------------------- */

/* Came the search text without the indentation of its first line? */
static bool is_bare(const texts *t)
{
    em_slice seen;
    return t->edit.find.tokens.items[0].start == 0 &&
           em_seen_indent(t->edit.text, t->edit.place, 0, &seen) && seen.len > 0;
}

/* The least indentation of a line but the first one; EM_NPOS: there is no other. */
static size_t margin_of(em_tokened t)
{
    em_slice indent;
    size_t margin = EM_NPOS;
    for (size_t i = 1; i < t.tokens.count; i++)
        if (em_line_indent(t, i, &indent) && indent.len < margin)
            margin = indent.len;
    return margin;
}

static size_t margin_in_file(const texts *t)
{
    em_slice seen;
    size_t margin = EM_NPOS;
    for (size_t i = 1; i < t->edit.find.tokens.count; i++)
        if (em_seen_indent(t->edit.text, t->edit.place, i, &seen) && seen.len < margin)
            margin = seen.len;
    return margin;
}

/* Has the replacement lost the indentation of its first line alone? */
static bool is_as_deep(const texts *t)
{
    size_t margin = margin_of(t->edit.insert);
    return is_bare(t) && margin_of(t->edit.find) == EM_NPOS && margin != EM_NPOS && margin > 0 &&
           margin >= margin_in_file(t);
}

/* The indentation of a line that the file begins with `seen`, as far from the line before it as
 * there. But where that comes out of a block, a line that is out of the block stays. */
static em_status indent_beside(const texts *t, const rewriting *r, em_slice seen, em_arena *arena,
                               em_slice *indent)
{
    bool stays = seen.len < r->seen.len && r->indent.len < r->sent.len;
    em_slice before = stays ? r->sent : r->indent;
    *indent = seen;
    if (t->as_deep || !r->seen.ptr)
        return EM_OK;
    if (em_slice_starts(seen, r->seen))
        return em_arena_join(arena, before, em_slice_from(seen, r->seen.len), indent);
    size_t less = r->seen.len - seen.len;
    if (em_slice_starts(r->seen, seen))
        *indent = em_slice_sub(before, 0, before.len > less ? before.len - less : 0);
    return EM_OK;
}

/* ---- Writing --------------------------------------------------------------------------------- */

/* The file's line breaks, or blanks, before the search text's token `index`, which is token `at`.
 */
static em_status write_seen_gap(const texts *t, rewriting *r, size_t at, size_t index,
                                em_arena *arena)
{
    em_slice gap = em_tokened_gap(r->of, at), seen = seen_gap(t, index), indent;
    size_t start = r->of.tokens.items[at].start;
    em_strbuf_add(&r->out, em_slice_sub(r->of.text, r->done, start - gap.len));
    r->done = start;
    if (!is_break(seen)) {
        em_strbuf_add(&r->out, seen);
        return EM_OK;
    }
    em_slice deep = em_gap_split(seen).indent;
    EM_TRY(indent_beside(t, r, deep, arena, &indent));
    for (size_t i = em_gap_breaks(seen); i > 0; i--)
        em_strbuf_putc(&r->out, '\n');
    em_strbuf_add(&r->out, indent);
    r->indent = indent;
    r->sent = (em_slice){0};
    r->seen = deep;
    return EM_OK;
}

/* Token `at` begins a line of the text, where the search text's is `index`. */
static void note_line(const texts *t, rewriting *r, size_t at, size_t index)
{
    em_slice seen = {0};
    em_line_indent(r->of, at, &r->indent);
    if (index == EM_NPOS || !em_line_indent(t->edit.find, index, &r->sent))
        r->sent = (em_slice){0};
    bool known =
        index != EM_NPOS && em_indent_at(t->edit.text, t->edit.place->tokens[index].start, &seen);
    r->seen = known ? seen : (em_slice){0};
}

/* The gap of the search text that the one before token `at` of the text is: between the same two
 * tokens, or beside one of them where the other one became another. 0: none, or another one. */
static size_t gap_of(const texts *t, em_tokened of, const size_t *origin, size_t at)
{
    if (at == 0 || !origin)
        return at;
    size_t before = origin[at - 1], behind = origin[at];
    size_t index = behind != EM_NPOS ? behind : before != EM_NPOS ? before + 1 : 0;
    if (index == 0 || index >= t->edit.find.tokens.count)
        return 0;
    bool is_same = before == index - 1 ? behind == index || !t->stays[index]
                                       : before == EM_NPOS && !t->stays[index - 1];
    em_slice own = em_tokened_gap(of, at), sent = em_tokened_gap(t->edit.find, index);
    return is_same && is_break(own) == is_break(sent) ? index : 0;
}

/* `origin` is NULL for the search text itself. */
static em_status rewrite(const texts *t, em_tokened of, const size_t *origin, em_arena *arena,
                         em_slice *out)
{
    rewriting r = {.of = of};
    em_status status = EM_OK;
    for (size_t at = 0; at < of.tokens.count && status == EM_OK; at++) {
        size_t index = gap_of(t, of, origin, at);
        em_slice unused;
        if (index > 0 && differs(t, index))
            status = write_seen_gap(t, &r, at, index, arena);
        else if (em_line_indent(of, at, &unused))
            note_line(t, &r, at, origin ? origin[at] : at);
    }
    em_strbuf_add(&r.out, em_slice_from(of.text, r.done));
    if (status == EM_OK)
        status = em_strbuf_keep(&r.out, arena, out);
    em_strbuf_drop(&r.out);
    return status;
}

/* What the replacement repeats of the search text. */
typedef struct repeated {
    size_t *origin;
    bool *stays;
    size_t count;  /* tokens */
    size_t joined; /* of these, those that stand behind the same one as there */
} repeated;

static em_status compare_with(const texts *t, const em_tokened *find, em_arena *arena,
                              repeated *out)
{
    *out = (repeated){0};
    EM_TRY(em_redline(find, &t->edit.insert, arena, &out->origin));
    out->stays = em_alloc_array(arena, find->tokens.count, sizeof *out->stays);
    if (!out->stays)
        return EM_E_NOMEM;
    for (size_t i = 0; i < t->edit.insert.tokens.count; i++) {
        size_t own = out->origin[i];
        if (own == EM_NPOS)
            continue;
        out->stays[own] = true;
        out->count++;
        out->joined += i > 0 && own > 0 && out->origin[i - 1] == own - 1;
    }
    return EM_OK;
}

/* The replacement may have its lines as the search text came, or as the file has them, `anew`: as
 * those of which it repeats more, or of as much the longer pieces; as it came where both are alike.
 */
static em_status compare(texts *t, const em_tokened *anew, em_arena *arena, size_t **origin)
{
    repeated seen, sent;
    EM_TRY(compare_with(t, anew, arena, &seen));
    EM_TRY(compare_with(t, &t->edit.find, arena, &sent));
    bool is_as_sent =
        sent.count > seen.count || (sent.count == seen.count && sent.joined >= seen.joined);
    *origin = is_as_sent ? sent.origin : seen.origin;
    t->stays = is_as_sent ? sent.stays : seen.stays;
    return EM_OK;
}

em_status em_take_line_breaks(em_slice text, em_arena *arena, em_tolerant_place *place)
{
    const em_tolerant_place was = *place;
    texts t = {.edit = em_placed_edit_of(text, &was)};
    size_t *origin;
    em_slice find, insert;
    if (!any_differs(&t))
        return EM_OK;
    EM_TRY(em_placed_edit_read(&t.edit, arena));
    if (em_tokened_same(t.edit.find, t.edit.insert, place->fold))
        return EM_OK;
    t.as_deep = is_as_deep(&t);
    EM_TRY(rewrite(&t, t.edit.find, NULL, arena, &find));
    em_tokened anew = {.text = find};
    EM_TRY(em_tokens_of(find, place->fold, arena, &anew.tokens));
    if (anew.tokens.count != was.find_tokens.count)
        return EM_OK; /* words that the file has apart, as by a line of blanks, would become one */
    EM_TRY(compare(&t, &anew, arena, &origin));
    EM_TRY(rewrite(&t, t.edit.insert, origin, arena, &insert));
    place->find = find;
    place->insert = insert;
    place->find_tokens = anew.tokens;
    return EM_OK;
}
