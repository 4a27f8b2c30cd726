#include "edit/standing.h"

#include "edit/reach.h"

/* What a line that comes or goes may have in its block: what is behind it and at least so deep. */
static size_t block_depth(em_tokened t, size_t index, em_slice indent)
{
    em_slice token = em_tokened_token(t, index);
    bool closes = token.len == 1 && strchr("})]", token.ptr[0]);
    return indent.len + !closes;
}

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

typedef struct counts {
    size_t as_file, as_sent, others; /* lines of the replacement */
    bool slips;                      /* of the search text */
} counts;

static void count_line(counts *c, em_slice old, em_slice new, em_slice seen)
{
    bool stands = em_slice_eq(old, seen);
    c->slips |= !stands;
    if (em_slice_eq(new, seen))
        c->as_file++;
    else if (!stands && em_slice_eq(new, old))
        c->as_sent++;
    else
        c->others++;
}

static counts count_lines(em_slice text, const em_place *place, em_tokened find, em_tokened insert,
                          const size_t *origin)
{
    counts c = {0};
    size_t next = 0, gone = EM_NPOS, came = EM_NPOS; /* the least depths of blocks */
    for (size_t i = 0; i < insert.tokens.count; i++) {
        em_slice old, new, seen;
        if (!em_line_indent(insert, i, &new))
            continue;
        if (origin[i] == EM_NPOS || !em_line_indent(find, origin[i], &old)) {
            came = least(came, block_depth(insert, i, new));
            continue;
        }
        for (em_slice other; next < origin[i]; next++)
            if (em_line_indent(find, next, &other))
                gone = least(gone, block_depth(find, next, other));
        next = origin[i] + 1;
        if (old.len < gone && new.len < came && em_seen_indent(text, place, origin[i], &seen))
            count_line(&c, old, new, seen);
    }
    return c;
}

em_status em_standing_of(em_slice text, const em_place *place, const em_tokened *insert,
                         em_arena *arena, em_standing *standing)
{
    em_tokened find = {place->find, place->find_tokens};
    size_t *origin;
    EM_TRY(em_redline(&find, insert, arena, &origin));
    counts c = count_lines(text, place, find, *insert, origin);
    standing->known = c.as_file + c.as_sent + c.others > 0;
    standing->find = !c.slips;
    standing->insert = c.as_sent == 0 && c.as_file > c.others;
    return EM_OK;
}
