#include "laying/scope.h"

#include "base/ascii.h"
#include "base/line.h"
#include "match/token_line.h"

enum { MOST_OPEN = 64 }; /* brackets and statements in each other */

/* A bracket that is open, or a statement that goes on behind its line. */
typedef struct open_scope {
    char sign;  /* 0: no bracket */
    bool waits; /* for the first line behind it */
    em_going going;
    size_t depth, base;
} open_scope;

typedef struct scoper {
    em_tokened text;
    size_t lost; /* lines that begin before this token have lost their depth */
    open_scope open[MOST_OPEN];
    size_t count;
    size_t last;                    /* token of the line that is no comment; EM_NPOS: none */
    size_t above_depth;             /* of the line before */
    size_t head;                    /* the line that closes what was opened above the text */
    size_t least;                   /* depth of the lines so far */
    size_t items[MOST_OPEN], level; /* how deep those stand that the line may be in */
} scoper;

static char sign_at(em_tokened text, size_t index)
{
    em_slice token = em_tokened_token(text, index);
    return token.len == 1 ? token.ptr[0] : '\0';
}

static void push(scoper *s, open_scope scope)
{
    if (s->count < MOST_OPEN)
        s->open[s->count++] = scope;
}

/* What is open ends before a line that is not deeper. */
static void end_by_depth(scoper *s, size_t depth)
{
    while (s->count > 0) {
        open_scope *top = &s->open[s->count - 1];
        bool lost = top->base < s->lost && top->sign;
        bool ends = depth < top->depth || (depth == top->depth && !lost);
        if (!ends && top->waits) {
            top->waits = false;
            top->depth = depth - 1;
        }
        if (!ends)
            return;
        s->count--;
    }
}

/* Of the brackets of one line only the innermost counts that is still open. */
static em_scope scope_now(const scoper *s)
{
    em_scope scope = {.base = EM_NPOS, .statement = EM_NPOS};
    size_t above = EM_NPOS;
    for (size_t i = s->count; i-- > 0; above = s->open[i].base) {
        if (s->open[i].base == above)
            continue;
        if (scope.base == EM_NPOS)
            scope.base = s->open[i].base;
        if (s->open[i].going > scope.going)
            scope.going = s->open[i].going;
        if (s->open[i].going != EM_GOING_NOT)
            scope.statement = s->open[i].base;
    }
    return scope;
}

/* False where it was opened above the text. */
static bool close_bracket(scoper *s, char sign)
{
    char opener = sign == ')' ? '(' : sign == ']' ? '[' : '{';
    for (size_t i = s->count; i-- > 0;) {
        bool found = s->open[i].sign == opener;
        if (found)
            s->count = i;
        if (s->open[i].sign)
            return true;
    }
    return false;
}

/* The sign that ends the string which begins at `index`, in its line; `index` where none does. */
static size_t string_end(em_tokened text, size_t index, size_t last)
{
    char quote = sign_at(text, index);
    for (size_t i = index + 1; i <= last; i++)
        if (sign_at(text, i) == quote && sign_at(text, i - 1) != '\\')
            return i;
    return index;
}

static bool begins_comment(em_tokened text, size_t index, size_t first)
{
    char sign = sign_at(text, index);
    if (sign == '#')
        return index == first || em_tokened_gap(text, index).len > 0;
    return sign == '/' && index == first && index + 1 < text.tokens.count &&
           sign_at(text, index + 1) == '/';
}

static void read_line(scoper *s, size_t first, size_t last, size_t depth)
{
    s->last = EM_NPOS;
    for (size_t i = first; i <= last && !begins_comment(s->text, i, first); i++) {
        char sign = sign_at(s->text, i);
        if (em_is_one_of(sign, "\"'`"))
            i = string_end(s->text, i, last);
        else if (em_is_one_of(sign, "([{"))
            push(s, (open_scope){.sign = sign, .depth = depth, .base = first});
        else if (em_is_one_of(sign, ")]}") && !close_bracket(s, sign) && i > first)
            s->head = sign == '}' ? EM_NPOS : first;
        s->last = i;
    }
}

/* Does the line end in the parameters of a block, as in Ruby: "do |row|"? */
static bool ends_in_parameters(const scoper *s, size_t first)
{
    size_t last = s->last;
    if (last <= first || sign_at(s->text, last) != '|' || sign_at(s->text, last - 1) == '|')
        return false;
    while (--last > first)
        if (sign_at(s->text, last) == '|')
            return true;
    return false;
}

static bool opens_block(em_slice token)
{
    return em_slice_is(token, "{") || em_slice_is(token, ":") || em_slice_is(token, "then") ||
           em_slice_is(token, "do");
}

/* What an operator let go on ends with a line that opens a block, but for what brackets above hold.
 */
static void end_operators(scoper *s, size_t first)
{
    size_t from = s->count, to;
    while (from > 0 && (!s->open[from - 1].sign || s->open[from - 1].base == first))
        from--;
    to = from;
    for (size_t i = from; i < s->count; i++)
        if (s->open[i].sign)
            s->open[to++] = s->open[i];
    s->count = to;
}

/* Whatever is open behind the line goes on in the next one. What stands in braces does only where
 * it is told apart by commas: else they hold a block. */
static void note_end(scoper *s, size_t first, size_t depth)
{
    bool hangs, any = false, is_list;
    if (s->last == EM_NPOS)
        return;
    em_slice token = em_tokened_token(s->text, s->last);
    hangs = token.len == 1 && em_is_one_of(token.ptr[0], "([{");
    is_list = token.ptr[token.len - 1] == ',';
    for (size_t i = s->count; i-- > 0 && s->open[i].base == first && s->open[i].sign; any = true) {
        open_scope *scope = &s->open[i];
        bool block = scope->sign == '{' && (!is_list || (hangs && !any));
        scope->going = block ? EM_GOING_NOT : hangs && !any ? EM_GOING_HANGS : EM_GOING_ALIGNED;
    }
    if (opens_block(token))
        end_operators(s, first);
    bool is_sentence = em_is_one_of(token.ptr[token.len - 1], ".?");
    if (!any && em_line_goes_on(token) && !is_sentence && !ends_in_parameters(s, first) &&
        scope_now(s).going == EM_GOING_NOT)
        push(s,
             (open_scope){.waits = true, .going = EM_GOING_HANGS, .depth = depth, .base = first});
}

/* A line that is no deeper than an item is none of its own. */
static void note_lists(scoper *s, size_t first, size_t last, size_t depth, em_scope *scope)
{
    while (s->level > 0 && s->items[s->level - 1] >= depth)
        s->level--;
    char sign = first < last ? sign_at(s->text, first) : '\0';
    bool is_mark = em_is_one_of(sign, "-*+") && em_tokened_gap(s->text, first + 1).len > 0;
    scope->mark = is_mark ? sign : '\0';
    if (scope->mark == '-' && s->level < MOST_OPEN)
        s->items[s->level++] = depth;
    scope->level = s->level;
}

static bool is_right_behind(em_tokened text, size_t index)
{
    return em_tokened_gap(text, index).len == 0;
}

/* Does it begin as no statement does: with an operator, or the name of what is called of what
 * stands above, where that ends in a dot if the name has none? */
static bool begins_on(const scoper *s, size_t first, size_t last)
{
    em_tokened text = s->text;
    char sign = text.text.ptr[text.tokens.items[first].start];
    if (em_is_one_of(sign, "?&|"))
        return true;
    if (sign == '.')
        return first < last && is_right_behind(text, first + 1) &&
               em_token_is_word(em_tokened_token(text, first + 1));
    return s->last != EM_NPOS && sign_at(text, s->last) == '.' && is_right_behind(text, s->last) &&
           first < last && sign_at(text, first + 1) == '(' && is_right_behind(text, first + 1);
}

/* A line that begins so and is deeper than the one before goes on with that; the text's first one
 * does with what stands above that. */
static void note_start(scoper *s, size_t first, size_t last, size_t depth, size_t above)
{
    bool is_first = above == EM_NPOS;
    if (!begins_on(s, first, last) || (is_first && depth == 0))
        return;
    if (!is_first && (s->last == EM_NPOS || depth <= s->above_depth ||
                      em_tokened_is_one_of(s->text, s->last, "{([:,;")))
        return;
    push(s, (open_scope){.going = EM_GOING_HANGS,
                         .depth = is_first ? depth - 1 : s->above_depth,
                         .base = is_first ? first : above});
}

/* The text begins in the middle of a statement if it closes a bracket that it did not open, and the
 * next line, which token `next` begins, is less deep than all up to that. */
static void note_head(scoper *s, size_t next, size_t depth, em_scope *scopes)
{
    for (size_t i = 0; s->head != EM_NPOS && depth < s->least && i < next; i++)
        if (scopes[i].going == EM_GOING_NOT)
            scopes[i].going = EM_GOING_ALIGNED;
    s->head = EM_NPOS;
}

em_status em_scopes_of(em_tokened text, const size_t *depths, size_t lost, em_arena *arena,
                       em_scope **scopes)
{
    scoper s = {.text = text, .lost = lost, .last = EM_NPOS, .head = EM_NPOS, .least = EM_NPOS};
    size_t above = EM_NPOS;
    *scopes = em_alloc_array(arena, text.tokens.count + 1, sizeof **scopes);
    if (!*scopes)
        return EM_E_NOMEM;
    for (size_t first = 0, last; first < text.tokens.count; first = last + 1) {
        size_t unused;
        em_line_around(text, first, &unused, &last);
        end_by_depth(&s, depths[first]);
        note_start(&s, first, last, depths[first], above);
        (*scopes)[first] = scope_now(&s);
        note_head(&s, first, depths[first], *scopes);
        note_lists(&s, first, last, depths[first], &(*scopes)[first]);
        read_line(&s, first, last, depths[first]);
        note_end(&s, first, depths[first]);
        above = first;
        s.above_depth = depths[first];
        s.least = depths[first] < s.least ? depths[first] : s.least;
    }
    return EM_OK;
}
