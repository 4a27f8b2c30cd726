#include "diagnosis/lost_end.h"

#include "base/ascii.h"
#include "text/text.h"
#include "tokens/block_word.h"
#include "tokens/comment.h"
#include "tokens/tokened_lines.h"

typedef struct lost_end {
    em_tokened find;
    em_tokened_lines insert;
    const size_t *origin;
    char sign;
} lost_end;

/* What of the sign a line of the replacement has. */
typedef enum need {
    HAS_OR_NEEDS_NONE,
    TAKES,
    UNCLEAR,
} need;

static size_t last_of(const lost_end *l, size_t line)
{
    return l->insert.lines[line + 1] - 1;
}

static bool is_one_of(const lost_end *l, size_t token, const char *signs)
{
    return em_tokened_is_one_of(l->insert.of, token, signs);
}

static bool is_comment_line(const lost_end *l, size_t line)
{
    return em_is_comment(em_tokened_line_code(&l->insert, line));
}

static bool has_comment(const lost_end *l, size_t line)
{
    em_slice last = em_tokened_token(l->insert.of, last_of(l, line));
    em_slice code = em_tokened_line_code(&l->insert, line);
    return code.ptr + code.len < last.ptr + last.len;
}

/* A brace that ends a block. */
static bool is_brace_alone(const lost_end *l, size_t line)
{
    return l->insert.lines[line] == last_of(l, line) && is_one_of(l, last_of(l, line), "}");
}

/* Is it the token that the line ended in that lacks its sign? */
static bool is_old_end(const lost_end *l, size_t token)
{
    return l->origin[token] + 1 == l->find.tokens.count;
}

/* Can the sign come behind this token: a word or a value, or what closes? A brace or bracket that
 * is new closes what began elsewhere, and `else` ends nothing. */
static bool can_end(const lost_end *l, size_t token)
{
    em_slice last = em_tokened_token(l->insert.of, token);
    if (is_old_end(l, token))
        return true;
    return em_token_is_word(last) ? !em_begins_block(last)
                                  : em_is_one_of(last.ptr[last.len - 1], ")\"'");
}

static need need_of(const lost_end *l, size_t line)
{
    size_t last = last_of(l, line);
    if (is_comment_line(l, line))
        return HAS_OR_NEEDS_NONE;
    if (has_comment(l, line))
        return UNCLEAR;
    if (l->sign == ';' && (is_one_of(l, last, ";{") || is_brace_alone(l, line)))
        return HAS_OR_NEEDS_NONE;
    if (l->sign == ',' && is_one_of(l, last, ","))
        return HAS_OR_NEEDS_NONE;
    return can_end(l, last) ? TAKES : UNCLEAR;
}

/* Does it begin as an item of a list does, and not as what goes on with the one before? */
static bool begins_item(const lost_end *l, size_t line)
{
    em_slice first = em_tokened_token(l->insert.of, l->insert.lines[line]);
    return em_token_is_word(first) || em_is_one_of(first.ptr[0], "\"'");
}

/* Can the line stand behind the one with the sign, or does it go on with that? */
static bool can_follow(const lost_end *l, size_t line)
{
    if (is_comment_line(l, line))
        return true;
    return l->sign == ',' ? begins_item(l, line) : l->sign == ';' && is_brace_alone(l, line);
}

/* Has the line the sign already, further in, where it comes but once in a line? */
static bool has_sign_within(const lost_end *l, size_t line)
{
    const char sign[] = {l->sign, '\0'};
    bool comes_once = l->sign == ':' || l->sign == '.';
    for (size_t i = l->insert.lines[line]; i < l->insert.lines[line + 1]; i++)
        if (comes_once && is_one_of(l, i, sign))
            return true;
    return false;
}

/* How many lines are no comment. */
static size_t count_code(const lost_end *l)
{
    size_t count = 0;
    for (size_t i = 0; i < l->insert.count; i++)
        count += !is_comment_line(l, i);
    return count;
}

/* Is it the line that lacks its sign, or the only one and begins as that does? */
static bool is_line_without(const lost_end *l, size_t line)
{
    size_t first = l->find.tokens.count - 1;
    while (first > 0 && em_gap_of(em_tokened_gap(l->find, first)) != EM_GAP_BREAK)
        first--;
    bool is_same = is_old_end(l, last_of(l, line));
    return l->origin[l->insert.lines[line]] == first &&
           (is_same || (count_code(l) == 1 && !has_sign_within(l, line)));
}

static bool ends_list(const lost_end *l, size_t line)
{
    return l->sign == ',' && line + 1 == l->insert.count && count_code(l) > 1 &&
           begins_item(l, line);
}

em_status em_lost_end_find(em_tokened find, em_tokened insert, const size_t *origin, em_slice sign,
                           em_arena *arena, size_t *token)
{
    lost_end l = {.find = find, .origin = origin, .sign = sign.ptr[0]};
    size_t found = EM_NPOS;
    *token = EM_NPOS;
    if (!em_ends_in_eol(insert.text))
        return EM_OK;
    EM_TRY(em_tokened_lines_init(&l.insert, insert.text, arena));
    for (size_t i = 0; i < l.insert.count; i++) {
        need its = need_of(&l, i);
        bool is_second = its == TAKES && found != EM_NPOS;
        if (its == UNCLEAR || is_second || (found != EM_NPOS && !can_follow(&l, i)))
            return EM_OK;
        found = its == TAKES ? i : found;
    }
    if (found != EM_NPOS && (is_line_without(&l, found) || ends_list(&l, found)))
        *token = last_of(&l, found);
    return EM_OK;
}
