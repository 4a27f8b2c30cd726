#include "edit/standing.h"

#include "edit/reach.h"

/* What a line that comes or goes may have in its block: what is behind it and at least so deep. */
static size_t block_depth(em_tokened t, size_t index, em_slice indent)
{
    em_slice token = em_tokened_token(t, index);
    bool closes = token.len == 1 && strchr("})]", token.ptr[0]);
    return indent.len + !closes;
}

/* A line that ends a block, and says no more, is easily taken for another one. */
static bool only_ends(em_tokened t, size_t index)
{
    static const char *const ends[] = {"end", "fi", "done", "esac"};
    size_t first, last;
    em_line_around(t, index, &first, &last);
    for (size_t i = first; i <= last; i++) {
        em_slice token = em_tokened_token(t, i);
        bool is_end = !em_token_is_word(token) && !strchr("{([", token.ptr[0]);
        for (size_t k = 0; k < sizeof ends / sizeof *ends; k++)
            is_end |= em_slice_is(token, ends[k]);
        if (!is_end)
            return false;
    }
    return true;
}

/* What lines of the replacement there are. */
typedef struct tally {
    bool as_file, as_sent, mended;
    bool stand, slip; /* of the search text */
} tally;

static void note_line(tally *t, em_slice old, em_slice new, em_slice seen)
{
    bool stands = em_slice_eq(old, seen), mended = em_slice_eq(new, seen);
    t->stand |= stands;
    t->slip |= !stands;
    t->as_file |= mended;
    t->mended |= mended && !stands;
    t->as_sent |= !stands && em_slice_eq(new, old);
}

static tally note_lines(em_slice text, const em_place *place, em_tokened find, em_tokened insert,
                        const size_t *origin)
{
    tally t = {0};
    size_t next = 0, gone = EM_NPOS, came = EM_NPOS; /* the least depths of blocks */
    for (size_t i = 0; i < insert.tokens.count; i++) {
        em_slice old, new, seen;
        if (!em_line_indent(insert, i, &new))
            continue;
        if (origin[i] == EM_NPOS || !em_line_indent(find, origin[i], &old)) {
            came = em_least(came, block_depth(insert, i, new));
            continue;
        }
        for (em_slice other; next < origin[i]; next++)
            if (em_line_indent(find, next, &other))
                gone = em_least(gone, block_depth(find, next, other));
        next = origin[i] + 1;
        if (!em_seen_indent(text, place, origin[i], &seen) || only_ends(insert, i))
            continue;
        bool leaves = old.len >= gone, enters = new.len >= came;
        bool moved = (leaves && em_slice_starts(old, new)) || (enters && em_slice_starts(new, old));
        if ((!leaves && !enters) || (!moved && em_slice_eq(new, seen)))
            note_line(&t, old, new, seen);
    }
    return t;
}

em_status em_standing_of(em_slice text, const em_place *place, const em_tokened *insert,
                         em_arena *arena, em_standing *standing)
{
    em_tokened find = {place->find, place->find_tokens},
               seen = {text, {place->tokens, find.tokens.count}};
    size_t *origin;
    EM_TRY(em_redline_seen(&find, &seen, insert, arena, &origin));
    tally t = note_lines(text, place, find, *insert, origin);
    *standing = (em_standing){.known = t.stand || t.slip,
                              .find = !t.slip,
                              .insert = t.as_file && !t.as_sent,
                              .mends = t.mended && !t.as_sent && !t.stand,
                              .mended = t.mended};
    return EM_OK;
}
