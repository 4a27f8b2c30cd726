/* args_pairs.c: an edit's two texts by names that say what they are only beside each other.
 *
 * "from" is a line, "before" a place, and "with" nothing at all, but "from" and "to", "before" and
 * "after", "find" and "with" are the text that goes and the one that comes.
 */
#include "arguments/args_impl.h"

#include "base/slice.h"
#include "tools/nearest.h"

/* The two texts of an edit. */
typedef enum half { GOES, COMES } half;

static const char *const param_words[] = {[GOES] = "search", [COMES] = "replace"};

/* Names that say it beside one of the other half. */
static const char *const names[][16] = {
    [GOES] = {"before", "from", "what", "target", "source", "pattern", "snippet", "existing",
              "current", "previous", "expected", NULL},
    [COMES] = {"after", "to", "with", "by", "modified", "proposed", "desired", "revised", "next",
               NULL},
};

/* Names that say it beside one that is no such name itself. */
static const char *const weak_names[] = {"text", "content", "value", NULL};

/* Of those, words for places and lines are a half only beside the one that belongs to it. What
 * comes "before" something, or "from" it on, is something else. */
static const char *const mates[][2] = {
    {"before", "after"}, {"from", "to"}, {"previous", "next"}, {"current", "next"}};
static const char *const bound[][4] = {
    [GOES] = {"before", "from", NULL}, [COMES] = {"after", "next", NULL}};

/* What each half begins with where it ends with what it is: "old_code", "updatedText". */
static const char *const roles[][12] = {
    [GOES] = {"old", "original", "existing", "current", "previous", "search", "find", "before",
              "target", NULL},
    [COMES] = {"new", "updated", "modified", "replace", "replacement", "after", "revised", NULL},
};
static const char *const kinds[] = {"text",    "string", "str",   "code", "content", "block",
                                    "snippet", "value",  "lines", "line", "source",  NULL};

static bool is_one_of(const char *const *words, em_slice word)
{
    while (*words && !em_slice_is(word, *words))
        words++;
    return *words != NULL;
}

static em_slice folded(const char *name, char out[EM_LONGEST_NAME])
{
    return em_slice_make(out, em_fold_name(name, out));
}

/* The half that stands before what the name tells of; the name where it tells of nothing. */
static em_slice role_of(em_slice name, half which)
{
    for (const char *const *kind = kinds; *kind; kind++) {
        em_slice end = em_slice_of(*kind),
                 start = em_slice_sub(name, 0, name.len - em_least(end.len, name.len));
        if (em_slice_ends(name, end) && is_one_of(roles[which], start))
            return start;
    }
    return name;
}

static bool is_role_of_kind(em_slice name, half which)
{
    return role_of(name, which).len < name.len;
}

/* May the two stand beside each other for an edit's texts? */
static bool are_mates(const char *goes, const char *comes)
{
    char bytes[2][EM_LONGEST_NAME];
    em_slice one = role_of(folded(goes, bytes[0]), GOES);
    em_slice other = role_of(folded(comes, bytes[1]), COMES);
    bool are = !is_one_of(bound[GOES], one) && !is_one_of(bound[COMES], other);
    for (size_t i = 0; i < sizeof mates / sizeof *mates; i++)
        are |= em_slice_is(one, mates[i][GOES]) && em_slice_is(other, mates[i][COMES]);
    return are;
}

/* Whichever tool it is of. */
static bool is_strong(const char *name, half which)
{
    char bytes[EM_LONGEST_NAME];
    em_slice plain = folded(name, bytes);
    return em_are_synonyms(param_words[which], name) || is_one_of(names[which], plain) ||
           is_role_of_kind(plain, which);
}

bool em_is_name_of_text(const char *name)
{
    return is_strong(name, GOES) || is_strong(name, COMES);
}

static bool is_weak(const char *name)
{
    char bytes[EM_LONGEST_NAME];
    return is_one_of(weak_names, folded(name, bytes));
}

/* The only name in the object, but for `name`, that is of the half; NULL. */
static const char *only_other(const json_t *object, const char *name, half which)
{
    const char *found = NULL, *key;
    json_t *value;
    json_object_foreach((json_t *)object, key, value)
    {
        if (strcmp(key, name) == 0 || !is_strong(key, which))
            continue;
        if (found)
            return NULL;
        found = key;
    }
    return found;
}

static const em_param *param_of(const em_param *params, half which)
{
    while (params->name && !em_are_synonyms(param_words[which], params->name))
        params++;
    return params->name && params->type == EM_P_STRING ? params : NULL;
}

static bool is_number(const json_t *value)
{
    const char *text = json_string_value(value);
    return text && *text && text[strspn(text, "0123456789")] == '\0';
}

/* Is `name` the half, beside one of the other? Two numbers are of lines. */
static bool is_half(const json_t *object, const char *name, const json_t *value, half which)
{
    half other = which == GOES ? COMES : GOES;
    const char *partner = only_other(object, name, other);
    bool is_weakly = is_weak(name) && !is_strong(name, other);
    if (!partner || (!is_weakly && !is_strong(name, which)) || only_other(object, name, which))
        return false;
    if (!are_mates(which == GOES ? name : partner, which == GOES ? partner : name))
        return false;
    const json_t *its = json_object_get(object, partner);
    return json_is_string(its) && !(is_number(value) && is_number(its));
}

bool em_has_text_to_search(const json_t *object)
{
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)object, key, value)
    {
        if (json_string_length(value) > 0 && em_are_synonyms(param_words[GOES], key))
            return true;
    }
    return false;
}

bool em_may_delete(const em_param *param, const json_t *object)
{
    return param->type == EM_P_STRING && em_are_synonyms(param_words[COMES], param->name) &&
           em_has_text_to_search(object);
}

bool em_edit_texts(const em_param *params, const em_param **goes, const em_param **comes)
{
    *goes = param_of(params, GOES);
    *comes = param_of(params, COMES);
    return *goes && *comes;
}

const em_param *em_half_meant(const em_param *params, const char *name, const json_t *value,
                              const json_t *object)
{
    const em_param *both[2];
    if (!object || !json_is_string(value) || json_object_size(object) > EM_MOST_NAMES ||
        !em_edit_texts(params, &both[GOES], &both[COMES]))
        return NULL;
    for (int which = GOES; which <= COMES; which++)
        if (!em_param_value(both[which], object) && is_half(object, name, value, (half)which))
            return both[which];
    return NULL;
}
