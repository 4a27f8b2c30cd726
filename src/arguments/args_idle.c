/* args_idle.c: arguments of other tools that ask for what is done here anyway.
 *
 * One place where each edit is of one place, "str_replace" where nothing else is done, a note to
 * whoever reads along, null: without them the call says the same. What asks for anything else is
 * not idle, however near it comes; nor is what another argument of the call speaks against.
 */
#include "arguments/args_impl.h"

#include "tools/nearest.h"
#include "json/json_text.h"

/* ---- How many places ----------------------------------------------------------------------- */

static bool is_one(json_t *value)
{
    EM_AUTO(em_json_ref) number = em_args_unpacked(&(em_param){.type = EM_P_INTEGER}, value);
    return json_integer_value(number) == 1;
}

static bool is_truth(json_t *value, bool wanted)
{
    EM_AUTO(em_json_ref) truth = em_args_unpacked(&(em_param){.type = EM_P_BOOL}, value);
    return wanted ? json_is_true(truth) : json_is_false(truth);
}

static bool is_false(json_t *value)
{
    return is_truth(value, false);
}

/* A table has one of these or the other, and each can say that one place is meant. */
typedef struct count_word {
    const char *word;
    bool (*says_one)(json_t *value);
} count_word;

static const count_word number_word = {"occurrences", is_one};
static const count_word all_word = {"replace_all", is_false};

/* Has the table the word, or the objects in one of its lists? */
static bool has_word(const em_param *params, const char *word)
{
    for (; params->name; params++)
        if (em_are_synonyms(word, params->name) ||
            (em_is_list_of_objects(params) && has_word(params->fields, word)))
            return true;
    return false;
}

/* Does anything in the object, or in the objects of its lists, say that it is not one place? */
static bool says_more(const json_t *object, const count_word *how)
{
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)object, key, value)
    {
        if (em_are_synonyms(how->word, key) && !json_is_null(value) && !how->says_one(value))
            return true;
        for (size_t i = 0; i < json_array_size(value); i++)
            if (says_more(json_array_get(value, i), how))
                return true;
    }
    return false;
}

static bool means_one_place(const em_param *params, const char *name, json_t *value,
                            const json_t *object)
{
    bool is_number = em_are_synonyms(number_word.word, name);
    const count_word *said = is_number ? &number_word : &all_word;
    const count_word *known = is_number ? &all_word : &number_word;
    return em_are_synonyms(said->word, name) && said->says_one(value) &&
           !has_word(params, said->word) && has_word(params, known->word) &&
           !says_more(object, known);
}

/* ---- What is done -------------------------------------------------------------------------- */

static bool is_listed(const char *const *names, const char *name)
{
    while (*names && strcmp(*names, name) != 0)
        names++;
    return *names != NULL;
}

static const char *const search_words[] = {"str_replace", "replace", "edit",
                                           "update",      "literal", NULL};
/* "create" is none of them: whoever says so may rely on it that nothing is overwritten. */
static const char *const write_words[] = {"write", "rewrite", "overwrite", NULL};
static const char *const create_words[] = {"write", "create", "new", NULL};
static const char *const read_words[] = {"view", "read", NULL};

const em_param *em_chooser_of(const em_param *params)
{
    while (params->name && !em_are_synonyms("command", params->name))
        params++;
    return params->name ? params : NULL;
}

/* A tool that writes over what a file holds can be told what that is, or to keep it. */
static bool writes_over(const em_param *params)
{
    return em_param_named(params, "expected_hash") || em_param_named(params, "backup");
}

static bool names_what_is_done(const em_param *params, const char *name, json_t *value)
{
    const char *word = json_string_value(value);
    const em_param *chooser = em_chooser_of(params);
    bool is_such = em_are_synonyms("command", name) || strcmp(name, "mode") == 0;
    if (!word || !is_such || (chooser && chooser->words && em_is_word_of(chooser->words, value)))
        return false;
    bool replaces = has_word(params, "search");
    if (replaces && is_listed(search_words, word))
        return true;
    if (chooser)
        return false;
    if (has_word(params, "content"))
        return is_listed(writes_over(params) ? write_words : create_words, word);
    return !replaces && has_word(params, "start_line") && is_listed(read_words, word);
}

/* "overwrite": true where that is done, or false where it never is. */
static bool asks_for_its_way_to_write(const em_param *params, const char *name, json_t *value)
{
    return strcmp(name, "overwrite") == 0 && has_word(params, "content") &&
           !has_word(params, "search") && is_truth(value, writes_over(params));
}

/* Texts are looked for as they are. */
static bool asks_for_literal_text(const em_param *params, const char *name, json_t *value)
{
    static const char *const not_so[] = {"regex", "use_regex", "is_regex", NULL};
    static const char *const so[] = {"case_sensitive", "match_case", NULL};
    bool asks = (em_is_one_name_of(not_so, name) && is_false(value)) ||
                (em_is_one_name_of(so, name) && is_truth(value, true));
    return asks && has_word(params, "search");
}

/* ---- All of them --------------------------------------------------------------------------- */

/* What is said to whoever reads along. */
bool em_is_note(const char *name)
{
    static const char *const notes[] = {"explanation", "instruction", "instructions",
                                        "description", "reason",      "security_risk",
                                        NULL};
    return em_is_one_name_of(notes, name);
}

/* Is it the text that comes of an edit whose other one is there, and not given otherwise? */
static bool is_text_to_come(const em_param *params, const char *name, const json_t *object)
{
    if (!em_are_synonyms("replace", name) || !em_has_text_to_search(object))
        return false;
    for (; params->name; params++) {
        bool has = em_are_synonyms("replace", params->name) ||
                   (em_is_list_of_objects(params) && has_word(params->fields, "replace"));
        if (has && !em_param_value(params, object))
            return true;
    }
    return false;
}

/* null, where nothing that is still to be given may be meant by the name. */
static bool says_nothing(const em_param *params, const char *name, json_t *value,
                         const json_t *object)
{
    if (!json_is_null(value) || is_text_to_come(params, name, object))
        return false;
    em_meaning meant = em_meaning_of(params, name, value, object);
    return !meant.param || em_param_value(meant.list ? meant.list : meant.param, object);
}

bool em_is_idle(const em_param *params, const char *name, json_t *value, const json_t *object)
{
    return (json_is_string(value) && em_is_note(name)) ||
           says_nothing(params, name, value, object) || names_what_is_done(params, name, value) ||
           asks_for_its_way_to_write(params, name, value) ||
           asks_for_literal_text(params, name, value) ||
           means_one_place(params, name, value, object);
}
