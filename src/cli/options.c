/* options.c: words to values, by the tables of flags.
 *
 * em_flags_parse reads a command line; how each kind of value is written stands before it, and the
 * flags that all commands on files share come last.
 */
#include "cli/options.h"

#include "tools/nearest.h"

#include <limits.h>
#include <stdio.h>
#include <strings.h>

/* ---- Values -------------------------------------------------------------------------------- */

/* A decimal number of at most `decimals` places after the point, as a count of its last place
 * ("1.5" with 3 decimals is 1500), and *rest what follows it. */
static bool parse_decimal(const char *text, int decimals, uint64_t *value, const char **rest)
{
    const char *at = text;
    bool point = false;
    *value = 0;
    if (*at < '0' || *at > '9')
        return false;
    for (; (*at >= '0' && *at <= '9') || (*at == '.' && !point && at[1] >= '0' && at[1] <= '9');
         at++) {
        point = point || *at == '.';
        if (*at == '.')
            continue;
        if ((point && decimals-- == 0) || __builtin_mul_overflow(*value, 10, value) ||
            __builtin_add_overflow(*value, (uint64_t)(*at - '0'), value))
            return false;
    }
    while (decimals-- > 0)
        if (__builtin_mul_overflow(*value, 10, value))
            return false;
    *rest = at;
    return true;
}

bool em_parse_duration(const char *text, long *ms)
{
    static const struct {
        const char *name;
        uint64_t ms;
    } units[] = {{"", 1000}, {"s", 1000}, {"ms", 1}, {"m", 60000}};
    uint64_t thousandths;
    const char *unit;
    if (!parse_decimal(text, 3, &thousandths, &unit))
        return false;
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        uint64_t scaled;
        if (strcmp(unit, units[i].name) != 0)
            continue;
        if (__builtin_mul_overflow(thousandths, units[i].ms, &scaled) || scaled % 1000 != 0 ||
            scaled / 1000 > INT_MAX)
            return false;
        *ms = (long)(scaled / 1000);
        return true;
    }
    return false;
}

bool em_parse_age(const char *text, int64_t *ms)
{
    static const struct {
        const char *name;
        uint64_t s;
    } units[] = {{"s", 1},
                 {"m", 60},
                 {"h", 3600},
                 {"d", 24 * 3600},
                 {"w", 7 * 24 * 3600},
                 {"y", 365 * 24 * 3600}};
    uint64_t count;
    const char *unit;
    if (!parse_decimal(text, 0, &count, &unit))
        return false;
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        uint64_t value;
        if (strcmp(unit, units[i].name) != 0)
            continue;
        if (__builtin_mul_overflow(count, units[i].s * 1000, &value) || value > INT64_MAX / 2)
            return false;
        *ms = (int64_t)value;
        return true;
    }
    return false;
}

bool em_parse_size(const char *text, uint64_t *bytes)
{
    static const char *const suffixes[] = {"", "B", "iB"};
    static const char letters[] = "KMG";
    const char *unit;
    if (!parse_decimal(text, 0, bytes, &unit) || *bytes == 0)
        return false;
    char upper = (char)(*unit & ~0x20);
    const char *letter = upper ? strchr(letters, upper) : NULL;
    if (letter) {
        uint64_t factor = (uint64_t)1 << (10 * (letter - letters + 1));
        if (__builtin_mul_overflow(*bytes, factor, bytes))
            return false;
        unit++;
    }
    for (size_t i = 0; i < (letter ? 3 : 2); i++)
        if (strcasecmp(unit, suffixes[i]) == 0)
            return *bytes <= INT64_MAX; /* as far as a file, or the history, can count */
    return false;
}

static bool parse_count(const char *text, size_t *count)
{
    uint64_t value;
    const char *rest;
    if (!parse_decimal(text, 0, &value, &rest) || *rest != '\0' || value == 0)
        return false;
    *count = value;
    return true;
}

static bool is_word(const char *const *words, const char *text)
{
    while (*words && strcmp(*words, text) != 0)
        words++;
    return *words != NULL;
}

/* "full, data or off" */
static em_status fail_choice(const em_flag *flag, const char *given, em_error *err)
{
    char list[128] = "";
    size_t used = 0;
    for (size_t i = 0; flag->words[i] && used < sizeof list; i++) {
        const char *before = i == 0 ? "" : flag->words[i + 1] ? ", " : " or ";
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", before, flag->words[i]);
    }
    return em_fail(err, EM_E_INVALID, "%s must be %s, not '%s'", flag->name, list, given);
}

static em_status fail_value(const em_flag *flag, const char *wanted, const char *given,
                            em_error *err)
{
    return em_fail(err, EM_E_INVALID, "%s takes %s, not '%s'", flag->name, wanted, given);
}

static em_status add_word(em_word_list *words, const char *word, em_arena *arena, em_error *err)
{
    if (em_arena_grow(arena, (void **)&words->items, words->count, &words->room,
                      sizeof *words->items) != EM_OK)
        return em_fail(err, EM_E_NOMEM, "out of memory");
    words->items[words->count++] = word;
    return EM_OK;
}

static const char HELP[] = "--help"; /* which every command has */

/* ---- Flags --------------------------------------------------------------------------------- */

static em_status set_flag(const em_flag *flag, void *target, const char *value, em_arena *arena,
                          em_error *err)
{
    void *field = (char *)target + flag->offset;
    switch (flag->kind) {
    case EM_FLAG_SWITCH:
        *(bool *)field = true;
        return EM_OK;
    case EM_FLAG_NAME:
        if (!*value) /* a shell's variable was never set */
            return em_fail(err, EM_E_INVALID, "%s is empty; it takes %s", flag->name, flag->value);
        *(const char **)field = value;
        return EM_OK;
    case EM_FLAG_TEXT:
        *(const char **)field = value;
        return EM_OK;
    case EM_FLAG_LIST:
        return add_word(field, value, arena, err);
    case EM_FLAG_CHOICE:
        if (!is_word(flag->words, value))
            return fail_choice(flag, value, err);
        *(const char **)field = value;
        return EM_OK;
    case EM_FLAG_DURATION:
        return em_parse_duration(value, field)
                   ? EM_OK
                   : fail_value(flag, "a time such as 5s, 500ms or 2m", value, err);
    case EM_FLAG_PATIENCE:
        return em_parse_duration(value, field) && *(long *)field > 0
                   ? EM_OK
                   : fail_value(flag, "a time above 0, such as 5s, 500ms or 2m", value, err);
    case EM_FLAG_SIZE:
        return em_parse_size(value, field)
                   ? EM_OK
                   : fail_value(flag, "a size such as 64K, 100M or 2G", value, err);
    case EM_FLAG_COUNT:
        break;
    }
    return parse_count(value, field) ? EM_OK : fail_value(flag, "a number from 1 on", value, err);
}

/* The flag of that name (`length` bytes of it), and the struct that it fills. */
static const em_flag *find_flag(const em_usage *usage, const char *name, size_t length,
                                void **target)
{
    for (size_t i = 0; i < usage->set_count; i++) {
        for (const em_flag *flag = usage->sets[i].table; flag->name; flag++) {
            if (strlen(flag->name) == length && memcmp(flag->name, name, length) == 0) {
                *target = usage->sets[i].target;
                return flag;
            }
        }
    }
    return NULL;
}

/* The one for which other tools have that word; NULL. */
static const char *synonym_of(const char *name, const char *const *known)
{
    while (*known && !em_are_synonyms(name, *known))
        known++;
    return *known;
}

/* Does a flag of that name say what a word does here, such as --file where FILE is a word? */
static bool means_word(const char *name, const char *word)
{
    name += strspn(name, "-");
    return strcasecmp(name, word) == 0 || em_are_synonyms(name, word);
}

/* *word: what stands without a flag, but was given by one of that name; NULL if nothing does. */
static em_status find_word(const char *words, const char *name, em_arena *arena, const char **word)
{
    static const char between[] = " []|.-";
    *word = NULL;
    for (words += strspn(words, between); *words; words += strspn(words, between)) {
        size_t length = strcspn(words, between);
        char *one = em_arena_string(arena, em_slice_make(words, length));
        if (!one)
            return EM_E_NOMEM;
        words += length;
        if (means_word(name, one)) {
            *word = one;
            break;
        }
    }
    return EM_OK;
}

static em_status list_flags(const em_usage *usage, em_arena *arena, em_word_list *known,
                            em_error *err)
{
    EM_TRY(add_word(known, HELP, arena, err));
    for (size_t i = 0; i < usage->set_count; i++)
        for (const em_flag *flag = usage->sets[i].table; flag->name; flag++)
            EM_TRY(add_word(known, flag->name, arena, err));
    return add_word(known, NULL, arena, err);
}

/* A flag that is like another in its letters alone is meant less than one, or a word, that is what
 * it says. */
static em_status fail_unknown(const em_usage *usage, const char *name, em_arena *arena,
                              em_error *err)
{
    em_word_list known = {0};
    const char *word;
    EM_TRY(list_flags(usage, arena, &known, err));
    if (find_word(usage->words, name, arena, &word) != EM_OK)
        return em_fail(err, EM_E_NOMEM, "out of memory");
    const char *meant = synonym_of(name, known.items);
    if (!meant && word)
        return em_fail(err, EM_E_INVALID, "unknown flag '%s'; %s stands without a flag before it",
                       name, word);
    if (!meant)
        meant = em_nearest_name(name, known.items);
    if (!meant && name[1] != '-')
        return em_fail(
            err, EM_E_INVALID,
            "unknown flag '%s'; where it is a word and no flag, put '--' before the words", name);
    return em_fail(err, EM_E_INVALID, "unknown flag '%s'%s%s%s", name,
                   meant ? "; did you mean " : "", meant ? meant : "", meant ? "?" : "");
}

static em_status add_given(em_given_flags *given, const em_flag *flag, const char *value,
                           em_arena *arena, em_error *err)
{
    if (em_arena_grow(arena, (void **)&given->items, given->count, &given->room,
                      sizeof *given->items) != EM_OK)
        return em_fail(err, EM_E_NOMEM, "out of memory");
    given->items[given->count++] = (em_given_flag){flag->name, value};
    return EM_OK;
}

/* The flag in *argv with its value; *argv is moved to the last word used. */
static em_status parse_flag(const em_usage *usage, char *const **argv, em_arena *arena,
                            em_given_flags *given, em_error *err)
{
    const char *word = **argv;
    const char *equals = strchr(word, '=');
    size_t length = equals ? (size_t)(equals - word) : strlen(word);
    void *target = NULL;
    const em_flag *flag = find_flag(usage, word, length, &target);
    if (!flag && length == strlen(HELP) && strncmp(word, HELP, length) == 0)
        return em_fail(err, EM_E_INVALID, "%s takes no value", HELP);
    if (!flag) {
        const char *name = em_arena_string(arena, em_slice_make(word, length));
        if (!name)
            return em_fail(err, EM_E_NOMEM, "out of memory");
        return fail_unknown(usage, name, arena, err);
    }
    if (flag->kind == EM_FLAG_SWITCH && equals)
        return em_fail(err, EM_E_INVALID, "%s takes no value", flag->name);
    const char *value = equals ? equals + 1 : NULL;
    if (flag->kind != EM_FLAG_SWITCH && !value)
        value = *++*argv;
    if (flag->kind != EM_FLAG_SWITCH && !value)
        return em_fail(err, EM_E_INVALID, "%s needs %s behind it", flag->name, flag->value);
    EM_TRY(add_given(given, flag, value, arena, err));
    return set_flag(flag, target, value, arena, err);
}

em_status em_flags_parse(const em_usage *usage, char *const *argv, em_arena *arena,
                         em_command_line *line, em_error *err)
{
    *line = (em_command_line){.help = false};
    for (bool flags = true; *argv; argv++) {
        const char *word = *argv;
        bool is_flag = flags && word[0] == '-' && word[1] != '\0';
        if (is_flag && strcmp(word, "--") == 0)
            flags = false;
        else if (is_flag && (strcmp(word, HELP) == 0 || strcmp(word, "-h") == 0))
            line->help = true;
        else if (is_flag)
            EM_TRY(parse_flag(usage, &argv, arena, &line->flags, err));
        else
            EM_TRY(add_word(&line->words, word, arena, err));
    }
    return EM_OK;
}

/* ---- What all commands that touch files take ------------------------------------------------ */

static const char *const sync_words[] = {"full", "data", "off", NULL};
static const char *const sandbox_words[] = {"on", "off", "required", NULL};
static const char *const placeholder_words[] = {"refuse", "allow", NULL};

#define FIELD(name) offsetof(em_options, name)
const em_flag em_shared_flags[] = {
    {"--root", "DIR", "work beneath this folder; may be given several times (the current folder)",
     EM_FLAG_LIST, FIELD(roots), NULL},
    {"--read-only", NULL, "change nothing", EM_FLAG_SWITCH, FIELD(read_only), NULL},
    {"--deny", "GLOB", "neither read nor change what this matches; may be given several times",
     EM_FLAG_LIST, FIELD(deny), NULL},
    {"--allow", "GLOB", "read and change only what this matches; may be given several times",
     EM_FLAG_LIST, FIELD(allow), NULL},
    {"--sync", "full|data|off", "what survives power loss when an answer says done (full)",
     EM_FLAG_CHOICE, FIELD(sync), sync_words},
    {"--no-history", NULL, "do not record what was changed", EM_FLAG_SWITCH, FIELD(no_history),
     NULL},
    {"--state-dir", "DIR", "where locks and the history are kept (~/.local/state/emend)",
     EM_FLAG_NAME, FIELD(state_dir), NULL},
    {"--in-place", NULL,
     "write into a file that cannot be replaced, as in a folder that may not be written",
     EM_FLAG_SWITCH, FIELD(in_place), NULL},
    {"--allow-owner-change", NULL,
     "change a file also where its owner or group, and what the group may do, cannot be kept",
     EM_FLAG_SWITCH, FIELD(allow_owner_change), NULL},
    {"--lock-timeout", "TIME", "how long to wait for another emend (5s)", EM_FLAG_DURATION,
     FIELD(lock_timeout_ms), NULL},
    {"--deadline", "TIME", "how long to look for what is not exactly there (2s)", EM_FLAG_DURATION,
     FIELD(deadline_ms), NULL},
    {"--max-file-size", "SIZE", "refuse larger files (as the tool says)", EM_FLAG_SIZE,
     FIELD(max_file_size), NULL},
    {"--max-memory", "SIZE", "fail calls that need more (half of the machine's)", EM_FLAG_SIZE,
     FIELD(max_memory), NULL},
    {"--max-edits", "N", "refuse calls with more edits (as the tool says)", EM_FLAG_COUNT,
     FIELD(max_edits), NULL},
    {"--placeholders", "refuse|allow", "take '... rest unchanged ...' for what it says (refuse)",
     EM_FLAG_CHOICE, FIELD(placeholders), placeholder_words},
    {"--sandbox", "on|off|required",
     "let the kernel hold it in the roots: where it can, not at all, or else do nothing (on)",
     EM_FLAG_CHOICE, FIELD(sandbox), sandbox_words},
    {NULL, NULL, NULL, EM_FLAG_SWITCH, 0, NULL},
};

static em_sync sync_of(const char *word)
{
    if (strcmp(word, "off") == 0)
        return EM_SYNC_OFF;
    return strcmp(word, "data") == 0 ? EM_SYNC_DATA : EM_SYNC_FULL;
}

em_session_options em_options_for_session(const em_options *options, const char *client,
                                          long grace_ms)
{
    return (em_session_options){
        .workspace = {.roots = options->roots.items,
                      .root_count = options->roots.count,
                      .state_dir = options->state_dir,
                      .secret = options->secret,
                      .sync = sync_of(options->sync),
                      .no_history = options->no_history,
                      .read_only = options->read_only,
                      .in_place = options->in_place,
                      .allow_owner_change = options->allow_owner_change,
                      .deny = options->deny.items,
                      .allow = options->allow.items,
                      .deny_count = options->deny.count,
                      .allow_count = options->allow.count,
                      .lock_timeout_ms = options->lock_timeout_ms,
                      .grace_ms = grace_ms},
        .max_file_size = options->max_file_size,
        .max_edits = options->max_edits,
        .allow_placeholders = strcmp(options->placeholders, "allow") == 0,
        .deadline_ms = options->deadline_ms,
        .client = client,
    };
}
