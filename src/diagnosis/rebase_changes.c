/* rebase_changes.c: an edit cut into its changes, and the lines of it that stand for others. */
#include "diagnosis/rebase_impl.h"

#include "base/line.h"
#include "match/placeholder.h"
#include "text/myers.h"
#include "text/search.h"

enum { MOST_CHANGED_LINES = 2000 };

static bool same_line(const void *context, size_t old, size_t new)
{
    const em_rebasing *c = context;
    return em_slice_eq(em_tokened_line(&c->side.find, old), em_tokened_line(&c->side.insert, new));
}

/* The same however they are indented. */
static bool same_words(const void *context, size_t old, size_t new)
{
    const em_rebasing *c = context;
    return em_tokened_line_same(&c->side.find, old, &c->side.insert, new);
}

/* False where there are none, or too many. */
static bool read_changes(em_rebasing *c, const em_script *script)
{
    size_t i = 0, j = 0;
    while (i < c->side.find.count || j < c->side.insert.count) {
        em_line_change new = {i, i, j, j};
        while (new.end < c->side.find.count && script->removed[new.end])
            new.end++;
        while (new.end_new < c->side.insert.count && script->added[new.end_new])
            new.end_new++;
        i = new.end + 1;
        j = new.end_new + 1;
        if (new.end == new.first &&new.end_new == new.first_new)
            continue;
        if (c->change_count == EM_MOST_CHANGES)
            return false;
        c->changes[c->change_count++] = new;
    }
    return c->change_count > 0;
}

/* Does one script pair a line with another one than the second does? */
static bool pairs_otherwise(const em_rebasing *c, const em_script *a, const em_script *b)
{
    size_t i = 0, j = 0, k = 0; /* the line of the replacement that each has for line i */
    for (; i < c->side.find.count; i++, j += !a->removed[i - 1], k += !b->removed[i - 1]) {
        while (j < c->side.insert.count && a->added[j])
            j++;
        while (k < c->side.insert.count && b->added[k])
            k++;
        if (!a->removed[i] && (b->removed[i] || j != k))
            return true;
    }
    return false;
}

/* How deep the line is that is the least indented, in bytes. */
static size_t margin_of(const em_tokened_lines *s)
{
    size_t margin = EM_NPOS;
    for (size_t i = 0; i < s->count; i++)
        margin = em_least(margin, em_tokened_line_depth(s, i));
    return margin;
}

em_status em_rebasing_find_changes(em_rebasing *c, bool *found)
{
    em_sequences lines = {c->side.find.count, c->side.insert.count, same_line, c};
    em_sequences words = {c->side.find.count, c->side.insert.count, same_words, c};
    em_script script, of_words;
    EM_TRY(em_myers(&lines, MOST_CHANGED_LINES, c->side.arena, &script));
    *found = script.found && read_changes(c, &script);
    if (!*found || margin_of(&c->side.find) == margin_of(&c->side.insert))
        return EM_OK;
    EM_TRY(em_myers(&words, MOST_CHANGED_LINES, c->side.arena, &of_words));
    *found = of_words.found && !pairs_otherwise(c, &script, &of_words);
    return EM_OK;
}

/* Does the line stand in the text as one of its own? When time is up it does not. */
static bool is_a_line(const em_rebasing *c, em_slice line)
{
    em_needle needle;
    size_t unused;
    em_needle_init(&needle, line);
    for (size_t at = 0, from = 0; at != EM_NPOS; from = at + line.len) {
        at = em_find(&needle, c->side.text, from);
        size_t end = at != EM_NPOS ? at + line.len : c->side.text.len;
        if (em_deadline_spend(c->side.deadline, end - from))
            return false;
        if (at != EM_NPOS && em_begins_line(c->side.text, at, &unused) &&
            em_ends_line(c->side.text, end, EM_FOLD_WRITING, &unused))
            return true;
    }
    return false;
}

/* Does a line of the search text stand for others? Then it does not tell what stood there. */
static bool stands_for_others(em_rebasing *c, size_t index)
{
    em_slice line = em_trimmed(em_tokened_line(&c->side.find, index));
    if (!em_elides(line) || em_slice_eq(line, c->own))
        return false;
    if (!is_a_line(c, line))
        return true;
    c->own = line;
    return false;
}

bool em_rebasing_borders_on_others(em_rebasing *c)
{
    for (size_t k = 0; k < c->change_count; k++) {
        const em_line_change *of = &c->changes[k];
        size_t first = of->first > 0 ? of->first - 1 : 0;
        for (size_t i = first; i <= of->end && i < c->side.find.count; i++) {
            bool within = of->first <= i && i < of->end;
            bool as_many = of->end - of->first == of->end_new - of->first_new;
            if ((within || !as_many) && stands_for_others(c, i))
                return true;
        }
    }
    return false;
}

bool em_rebasing_leaves_out(em_rebasing *c)
{
    bool any = false;
    for (size_t i = 0; i < c->side.find.count && !any; i++)
        any = stands_for_others(c, i);
    return any;
}
