#include "laying/bare_stance.h"

#include "base/line.h"
#include "match/block.h"
#include "match/token_line.h"
#include "tokens/comment.h"

#include <stdint.h>

/* ---- Brackets -------------------------------------------------------------------------------- */

/* Is the token one of these brackets, and no string of its own? */
static bool is_bracket(em_tokened insert, size_t index, const char *signs)
{
    bool is_quoted = index > 0 && index + 1 < insert.tokens.count &&
                     em_token_is_quote(em_tokened_token(insert, index - 1)) &&
                     em_token_is_quote(em_tokened_token(insert, index + 1));
    return em_tokened_is_one_of(insert, index, signs) && !is_quoted;
}

/* How many brackets are open behind token `index`, where `open` are before it; EM_NPOS: it closes
 * one that is not among these. */
static size_t open_behind(em_tokened insert, size_t index, size_t open)
{
    if (is_bracket(insert, index, "([{"))
        return open + 1;
    if (is_bracket(insert, index, ")]}"))
        return open > 0 ? open - 1 : EM_NPOS;
    return open;
}

/* ---- The second line ------------------------------------------------------------------------- */

/* The first line, without the blanks around it; empty where that has no words. */
static em_slice first_line(em_tokened insert)
{
    if (insert.tokens.count == 0)
        return (em_slice){0};
    em_slice rest = em_slice_from(insert.text, insert.tokens.items[0].start);
    return em_trimmed(em_slice_sub(rest, 0, em_line_length(rest)));
}

/* Is the first line, before the one that token `index` begins, a comment or the end of a statement?
 * Then that is neither in its block nor goes on with it. */
static bool stands_alone(em_tokened insert, size_t index)
{
    return em_slice_is(em_tokened_token(insert, index - 1), ";") ||
           em_is_comment(first_line(insert));
}

/* Does the second line, that token `index` begins, go on with the first? Behind a comma it does
 * within brackets alone (`open`); a full stop may end a sentence, a tag is no sign between two
 * values, and what begins as the first line does is a line like that. */
static bool goes_on(em_tokened insert, size_t index, size_t open)
{
    em_slice last = em_tokened_token(insert, index - 1);
    if (em_slice_is(last, ","))
        return open > 0;
    if (em_slice_eq(em_tokened_token(insert, index), em_tokened_token(insert, 0)))
        return false;
    bool is_apart = em_tokened_gap(insert, index + 1).len > 0;
    return (em_line_goes_on(last) && !em_slice_is(last, ".")) ||
           em_tokened_is_one_of(insert, index, ".?:+-%|^=>,") ||
           (is_apart && em_tokened_is_one_of(insert, index, "*&</"));
}

static bool opens_block(em_tokened insert, size_t index)
{
    return em_opens_block(insert, index - 1) && !stands_alone(insert, index);
}

/* Has the second line a reason to stand where it does, beside the first's own depth? */
static bool follows(em_tokened insert, size_t index, size_t open)
{
    return opens_block(insert, index) ||
           (!stands_alone(insert, index) && goes_on(insert, index, open));
}

/* Is a line with this indentation, that token `index` begins, aligned behind a bracket of the first
 * line, if that has `base`? */
static bool is_aligned(em_tokened insert, size_t index, em_slice indent, em_slice base)
{
    size_t closed = 0, start = insert.tokens.items[0].start;
    for (size_t i = index; i-- > 0;) {
        closed += is_bracket(insert, i, ")]}");
        if (!is_bracket(insert, i, "([{"))
            continue;
        if (closed == 0)
            return indent.len == base.len + insert.tokens.items[i].end - start;
        closed--;
    }
    return false;
}

/* ---- All lines ------------------------------------------------------------------------------- */

/* What was read of the lines before one. */
typedef struct above {
    size_t open;     /* brackets; EM_NPOS: one was closed that others opened */
    size_t last;     /* the depth of the last line but the first; */
    bool any;        /* there is one */
    uint64_t depths; /* bit n: a line is n bytes deep */
} above;

enum { DEPTHS = 64 }; /* of lines that are deeper nothing is known */

static bool comes_back(const above *a, size_t depth)
{
    return depth < a->last && depth < DEPTHS && !(a->depths >> depth & 1);
}

static void note(above *a, size_t depth)
{
    a->depths |= depth < DEPTHS ? UINT64_C(1) << depth : 0;
    a->last = depth;
    a->any = true;
}

bool em_comes_back_to_base(em_tokened insert, em_slice base)
{
    above a = {.depths = 1};
    em_slice indent;
    for (size_t i = 1; i < insert.tokens.count; i++) {
        if (!em_line_indent(insert, i, &indent))
            continue;
        if (em_slice_starts(base, indent) && comes_back(&a, indent.len))
            return true;
        note(&a, indent.len);
    }
    return false;
}

typedef enum verdict { IN_FILE, NOT_IN_FILE, GOES_ON } verdict;

/* The line that token `index` begins; `behind`: how many brackets are open behind that. */
static verdict judge(em_tokened insert, size_t index, em_slice indent, em_slice base, size_t behind,
                     above *a)
{
    bool is_outside = em_slice_starts(base, indent);
    if (behind == EM_NPOS)
        return is_outside ? IN_FILE : NOT_IN_FILE;
    bool stands = em_slice_eq(indent, base) && !follows(insert, index, a->open);
    if ((!a->any && (stands || is_aligned(insert, index, indent, base))) ||
        (is_outside && comes_back(a, indent.len)))
        return IN_FILE;
    bool opens = !a->any && opens_block(insert, index);
    if (indent.len < base.len + opens || !em_slice_starts(indent, base))
        return NOT_IN_FILE;
    note(a, indent.len);
    return GOES_ON;
}

/* The line itself, if it is repeated, is as it came. */
static bool stand_in_file(em_tokened insert, const size_t *origin, em_slice base)
{
    above a = {.open = open_behind(insert, 0, 0), .depths = 1};
    em_slice indent;
    for (size_t i = 1; i < insert.tokens.count && a.open != EM_NPOS; i++) {
        size_t behind = open_behind(insert, i, a.open);
        bool begins = origin[i] != 0 && em_line_indent(insert, i, &indent);
        verdict judged = begins ? judge(insert, i, indent, base, behind, &a) : GOES_ON;
        if (judged != GOES_ON)
            return judged == IN_FILE;
        a.open = behind;
    }
    return a.any;
}

static bool is_unclear(em_tokened insert)
{
    em_slice indent;
    size_t open = open_behind(insert, 0, 0);
    for (size_t i = 1; i < insert.tokens.count && open != EM_NPOS; i++) {
        if (em_line_indent(insert, i, &indent))
            return em_goes_on_comment(first_line(insert)) ||
                   (indent.len > 0 && !follows(insert, i, open));
        open = open_behind(insert, i, open);
    }
    return open == EM_NPOS;
}

em_bare_stance em_bare_stance_of(em_tokened insert, const size_t *origin, em_slice base)
{
    if (stand_in_file(insert, origin, base))
        return EM_BARE_IN_FILE;
    return is_unclear(insert) ? EM_BARE_UNCLEAR : EM_BARE_FROM_MARGIN;
}
