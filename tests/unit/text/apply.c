#include "apply.h"

#include "text/diff.h"

#include <stdio.h>
#include <stdlib.h>

char *lay_in(em_slice body, em_splices splices, em_arena *arena)
{
    EM_AUTO(em_strbuf) out = {0};
    size_t at = 0;
    for (size_t i = 0; i < splices.count; i++) {
        em_strbuf_add(&out, em_slice_sub(body, at, splices.items[i].offset));
        em_strbuf_add(&out, splices.items[i].insert);
        at = splices.items[i].offset + splices.items[i].length;
    }
    em_strbuf_add(&out, em_slice_from(body, at));
    return em_strbuf_finish(&out, arena);
}

typedef struct patcher {
    em_slice patch;    /* what is left of it; a NUL follows */
    em_slice old_text; /* likewise */
    size_t old_line, new_line;
    em_strbuf out;
    const char *why;
} patcher;

/* The next line of a text, its LF included. */
static em_slice take_line(em_slice *text)
{
    const char *lf = text->len > 0 ? memchr(text->ptr, '\n', text->len) : NULL;
    em_slice line = em_slice_sub(*text, 0, lf ? (size_t)(lf + 1 - text->ptr) : text->len);
    *text = em_slice_from(*text, line.len);
    return line;
}

static bool refuse(patcher *p, const char *why)
{
    p->why = why;
    return false;
}

static bool match_old(patcher *p, em_slice wanted)
{
    em_slice line = take_line(&p->old_text);
    p->old_line++;
    return em_slice_eq(line, wanted) || refuse(p, "an old line differs");
}

static void put_new(patcher *p, em_slice line)
{
    em_strbuf_add(&p->out, line);
    p->new_line++;
}

/* One line of a hunk, with the mark behind it when it has no LF. */
static bool apply_line(patcher *p, char *kind)
{
    em_slice line = take_line(&p->patch);
    *kind = line.len > 0 ? line.ptr[0] : '\0';
    if (em_slice_starts(p->patch, EM_LIT("\\"))) {
        if (!em_slice_is(take_line(&p->patch), EM_NO_NEWLINE))
            return refuse(p, "not the mark of a missing newline");
        line.len--;
    }
    if (*kind != ' ' && *kind != '-' && *kind != '+')
        return refuse(p, "a line of no kind");
    line = em_slice_from(line, 1);
    if (*kind != '+' && !match_old(p, line))
        return false;
    if (*kind != '-')
        put_new(p, line);
    return true;
}

/* ",3" or nothing, which is 1. */
static size_t take_count(const char **at)
{
    return **at == ',' ? strtoul(*at + 1, (char **)(void *)at, 10) : 1;
}

typedef struct header {
    size_t old_start, old_lines, new_start, new_lines;
} header;

static bool take_header(patcher *p, header *h)
{
    const char *at = p->patch.ptr;
    if (strncmp(at, "@@ -", 4) != 0)
        return refuse(p, "no @@ line");
    h->old_start = strtoul(at + 4, (char **)(void *)&at, 10);
    h->old_lines = take_count(&at);
    if (strncmp(at, " +", 2) != 0)
        return refuse(p, "a broken @@ line");
    h->new_start = strtoul(at + 2, (char **)(void *)&at, 10);
    h->new_lines = take_count(&at);
    if (strncmp(at, " @@\n", 4) != 0)
        return refuse(p, "a broken @@ line");
    p->patch = em_slice_from(p->patch, (size_t)(at + 4 - p->patch.ptr));
    return true;
}

static bool apply_hunk(patcher *p, bool first, bool partial)
{
    header h;
    if (!take_header(p, &h))
        return false;
    size_t skipped = 0, wanted = h.old_start - (h.old_lines > 0);
    for (; p->old_line < wanted && p->old_text.len > 0; skipped++) {
        put_new(p, take_line(&p->old_text));
        p->old_line++;
    }
    if (p->old_line != wanted)
        return refuse(p, "an old start that is not there");
    if (!first && skipped == 0)
        return refuse(p, "two hunks that touch");
    if (p->new_line != h.new_start - (h.new_lines > 0))
        return refuse(p, "a wrong new start");
    size_t old_end = p->old_line + h.old_lines, new_end = p->new_line + h.new_lines;
    size_t context = 0, changes = 0;
    while (p->old_line < old_end || p->new_line < new_end) {
        char kind;
        if (!apply_line(p, &kind))
            return false;
        context = kind == ' ' ? context + 1 : 0;
        if (context > (changes == 0 ? 3 : 6))
            return refuse(p, "too much context");
        changes += kind != ' ';
    }
    if (p->old_line > old_end || p->new_line > new_end)
        return refuse(p, "wrong counts");
    if (changes == 0)
        return refuse(p, "no change");
    if (context > 3 || (context < 3 && p->old_text.len > 0 && !partial))
        return refuse(p, "not three lines of context");
    return true;
}

static bool apply_all(patcher *p, bool partial)
{
    if (p->patch.len == 0)
        return true;
    if (!em_slice_starts(take_line(&p->patch), EM_LIT("--- ")) ||
        !em_slice_starts(take_line(&p->patch), EM_LIT("+++ ")))
        return refuse(p, "no names");
    for (bool first = true; p->patch.len > 0 || first; first = false)
        if (!apply_hunk(p, first, partial))
            return false;
    return true;
}

char *apply_patch(const char *patch, em_slice old_text, bool partial, em_arena *arena,
                  const char **why)
{
    patcher p = {.patch = em_slice_of(patch), .old_text = old_text};
    char *new_text = NULL;
    if (apply_all(&p, partial)) {
        em_strbuf_add(&p.out, p.old_text);
        new_text = em_strbuf_finish(&p.out, arena);
    }
    em_strbuf_drop(&p.out);
    *why = p.why;
    return new_text;
}
