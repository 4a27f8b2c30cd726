#include "tools/nearest.h"

#include "base/ascii.h"

#include <limits.h>
#include <string.h>

enum { LEAST_ALIKE = 3 }; /* letters; shorter names begin alike, or hold each other, by chance */

typedef struct folded {
    char bytes[EM_LONGEST_NAME];
    size_t len;
} folded;

/* How far two names are apart: by kind first, then by edit distance, which is less than the steps
 * between kinds, as names are no longer than EM_LONGEST_NAME. */
enum { BY_DISTANCE = 0, BY_CONTENT = 1000, BY_START = 2000, NOT_NEAR = INT_MAX };

size_t em_fold_name(const char *name, char out[EM_LONGEST_NAME])
{
    size_t length = 0;
    for (; *name; name++) {
        if (*name == '_' || *name == '-')
            continue;
        if (length == EM_LONGEST_NAME)
            return 0;
        out[length++] = em_to_lower(*name);
    }
    return length;
}

/* Gives an empty name for one that is too long. */
static folded fold(const char *name)
{
    folded out;
    out.len = em_fold_name(name, out.bytes);
    return out;
}

/* The same, every sign as it is written. */
static folded as_written(const char *name)
{
    folded out = {.len = strlen(name)};
    if (out.len > EM_LONGEST_NAME)
        return (folded){.len = 0};
    memcpy(out.bytes, name, out.len);
    return out;
}

/* ---- Words of tools ------------------------------------------------------------------------- */

/* Folded; each group ends with NULL. */
static const char *const synonyms[][20] = {
    {"file", "path", "filepath", "filename", "targetfile", "absolutepath", "relativepath",
     "pathinproject", "targetpath", "filetoedit", "uri", "url", "fileuri", "documenturi", NULL},
    {"search", "find", "oldtext", "oldstring", "oldstr", "old", "original", "searchtext",
     "searchstring", "findtext", "targetcontent", "needle", "texttoreplace", "stringtoreplace",
     "texttofind", "oldcontent", NULL},
    {"replace", "replacement", "newtext", "newstring", "newstr", "new", "updated", "replacewith",
     "replacetext", "newcontent", "replacementcontent", "repl", NULL},
    {"edits", "operations", "ops", "changes", "replacements", "replaceoperations",
     "replacementchunks", "blocks", NULL},
    {"patch", "diff", "unifieddiff", NULL}, /* no tool takes one */
    {"match", "matchtier", "tolerance", NULL},
    {"content", "contents", "text", "filetext", "value", "class", "classes", "classname", "html",
     "innerhtml", "markup", NULL},
    {"occurrences", "expectedreplacements", "expectedoccurrences", "expectedcount", "count", NULL},
    {"occurrence", "occurrenceindex", "occurrencenumber", "nthoccurrence", "nth", "instance", NULL},
    {"replaceall", "all", "everywhere", "alloccurrences", "replacealloccurrences", "allowmultiple",
     "allowmultipleoccurrences", NULL},
    {"dryrun", "preview", "simulate", NULL},
    {"atomic", "isatomic", "allornothing", NULL},
    {"startline", "offset", "firstline", "fromline", "linestart", "start", "from",
     "startlineoneindexed", NULL},
    {"endline", "lastline", "toline", "lineend", "end", "to", "endlineoneindexedinclusive", NULL},
    {"limit", "maxlines", "numlines", "linecount", "length", "head", NULL},
    {"viewrange", "linerange", "range", "lines", "linenumbers", "linespan", NULL},
    {"line", "linenumber", "lineno", "atline", NULL},
    {"insertline", "insertatline", "insertafterline", "afterline", NULL}, /* no tool takes one */
    {"selector", "cssselector", "css", "query", "queryselector", NULL},
    {"attr", "attribute", "attributename", "attrname", "name", "property", "prop", NULL},
    {"operation", "op", "action", "command", "method", "type", NULL},
    {"editid", "id", NULL},
    {"tools", "names", "toolnames", NULL},
    {"remove", "delete", "removeelement", "deleteelement", "removenode", "deletenode", "detach",
     NULL},
    {"removetext", "deletetext", "cleartext", "removetextcontent", "removehtml", "removeinnerhtml",
     "removecontent", "removechildren", NULL}, /* of an element, which stays */
    {"beforebegin", "before", "insertbefore", "insertabove", "addbefore", NULL},
    {"afterend", "after", "insertafter", "insertbelow", "insertbehind", "addafter", NULL},
    {"setattribute", "setattr", "addattribute", NULL},
    {"removeattribute", "removeattr", "deleteattribute", "unsetattribute", NULL},
    {"addclass", "addclasses", "addclassname", "classlist.add", NULL},
    {"removeclass", "deleteclass", "removeclasses", "classlist.remove", NULL},
    {"replaceclass", "renameclass", "changeclass", "swapclass", "classlist.replace", NULL},
    {"afterbegin", "prepend", "prependchild", "insertatstart", "insertatbeginning", "insertstart",
     "prependhtml", NULL},
    {"beforeend", "append", "appendchild", "insertatend", "insertend", "addtoend", "appendhtml",
     NULL},
    {"settext", "text", "textcontent", "settextcontent", "innertext", "setinnertext", NULL},
    {"sethtml", "setinnerhtml", "innerhtml", NULL},
    {"insertadjacenthtml", "insertadjacentelement", "inserthtml", "addhtml", "insert", NULL},
    {"endtext", "endstring", NULL}, /* of a range of text; no tool takes one */
    {"position", "where", "location", "placement", NULL},
};

static bool is_folded(const folded *name, const char *text)
{
    return name->len == strlen(text) && memcmp(name->bytes, text, name->len) == 0;
}

static bool is_in(const folded *name, const char *const *group)
{
    while (*group && !is_folded(name, *group))
        group++;
    return *group != NULL;
}

static bool are_in_one_group(const folded *a, const folded *b)
{
    for (size_t i = 0; i < sizeof synonyms / sizeof synonyms[0]; i++)
        if (is_in(a, synonyms[i]) && is_in(b, synonyms[i]))
            return true;
    return false;
}

static bool has_meaning(const folded *name)
{
    return are_in_one_group(name, name);
}

/* Has `name` a meaning that is not that of `known`? */
static bool means_another(const folded *name, const folded *known)
{
    return has_meaning(name) && !are_in_one_group(name, known);
}

/* Have both a meaning of their own, as "last_line" and "start_line" do? */
static bool mean_two_things(const folded *name, const folded *known)
{
    return means_another(name, known) && has_meaning(known);
}

bool em_is_same_name(const char *a, const char *b)
{
    folded one = fold(a), other = fold(b);
    return one.len > 0 && one.len == other.len && memcmp(one.bytes, other.bytes, one.len) == 0;
}

bool em_is_one_name_of(const char *const *names, const char *name)
{
    while (name && *names && !em_is_same_name(*names, name))
        names++;
    return name && *names;
}

const char *em_way_of_foreign(const em_foreign_words *table, const char *word)
{
    while (table && table->way && !em_is_one_name_of(table->words, word))
        table++;
    return table ? table->way : NULL;
}

bool em_is_word_of_tools(const char *name)
{
    folded it = fold(name);
    return has_meaning(&it);
}

bool em_are_synonyms(const char *a, const char *b)
{
    folded one = fold(a), other = fold(b);
    return are_in_one_group(&one, &other);
}

/* ---- Distances ------------------------------------------------------------------------------ */

static int least(int a, int b)
{
    return a < b ? a : b;
}

/* Optimal string alignment: Levenshtein's distance where a swap of two neighbours is one step. */
static int distance(const folded *a, const folded *b)
{
    int rows[3][EM_LONGEST_NAME + 1];
    for (size_t j = 0; j <= b->len; j++)
        rows[0][j] = (int)j;
    for (size_t i = 1; i <= a->len; i++) {
        int *now = rows[i % 3];
        const int *above = rows[(i + 2) % 3], *above_that = rows[(i + 1) % 3];
        now[0] = (int)i;
        for (size_t j = 1; j <= b->len; j++) {
            int replaced = above[j - 1] + (a->bytes[i - 1] != b->bytes[j - 1]);
            now[j] = least(replaced, 1 + least(above[j], now[j - 1]));
            if (i > 1 && j > 1 && a->bytes[i - 1] == b->bytes[j - 2] &&
                a->bytes[i - 2] == b->bytes[j - 1])
                now[j] = least(now[j], above_that[j - 2] + 1);
        }
    }
    return rows[a->len % 3][b->len];
}

static size_t common_start(const folded *a, const folded *b)
{
    size_t length = 0;
    while (length < a->len && length < b->len && a->bytes[length] == b->bytes[length])
        length++;
    return length;
}

/* Are they the same two words in the other order ("line_start" and "start_line")? */
static bool are_turned(const folded *a, const folded *b)
{
    if (a->len != b->len || a->len < 2 * LEAST_ALIKE)
        return false;
    for (size_t cut = LEAST_ALIKE; cut + LEAST_ALIKE <= a->len; cut++)
        if (memcmp(a->bytes, b->bytes + b->len - cut, cut) == 0 &&
            memcmp(a->bytes + cut, b->bytes, a->len - cut) == 0)
            return true;
    return false;
}

static int how_far(const folded *name, const folded *known)
{
    bool is_longer = name->len > known->len;
    const folded *longer = is_longer ? name : known, *shorter = is_longer ? known : name;
    int steps = are_turned(name, known) ? 1 : distance(name, known);
    if (steps * 3 <= (int)longer->len && !mean_two_things(name, known))
        return BY_DISTANCE + steps;
    if (shorter->len < LEAST_ALIKE)
        return NOT_NEAR;
    bool holds = memmem(longer->bytes, longer->len, shorter->bytes, shorter->len) != NULL;
    bool is_part = holds && !is_longer;
    if (!is_part && means_another(name, known))
        return NOT_NEAR;
    if (holds)
        return BY_CONTENT + steps;
    size_t start = common_start(name, known);
    return start >= LEAST_ALIKE && 3 * start >= longer->len ? BY_START + steps : NOT_NEAR;
}

bool em_is_name_slip(const char *name, const char *known)
{
    folded one = fold(name), other = fold(known);
    return one.len > 0 && (em_are_synonyms(name, known) || how_far(&one, &other) < BY_CONTENT);
}

bool em_is_letter_slip(const char *name, const char *known)
{
    folded one = fold(name), other = fold(known);
    bool is_near =
        !means_another(&one, &other) && (are_turned(&one, &other) || distance(&one, &other) <= 1);
    return em_are_synonyms(name, known) || (is_near && !strpbrk(name, "0123456789"));
}

bool em_is_word_slip(const char *came, const char *word)
{
    enum { MOST_WRONG = 2 };
    folded one = fold(came), other = fold(word);
    if (one.len < LEAST_ALIKE || other.len == 0)
        return false;
    bool begins_so = common_start(&one, &other) == other.len;
    bool is_part = memmem(other.bytes, other.len, one.bytes, one.len) != NULL;
    bool is_near = one.bytes[0] == other.bytes[0] && distance(&one, &other) <= MOST_WRONG;
    return is_part || ((begins_so || is_near) && !mean_two_things(&one, &other));
}

/* Among names that are equally far: another letter case is less than another sign, and where all
 * that is equal, an end that was cut off ("expected_size") is less than other letters. */
static int far_as_written(const char *one, const char *other)
{
    enum { STEP = EM_LONGEST_NAME + 1 };
    folded a = as_written(one), b = as_written(other);
    int exactly = distance(&a, &b);
    for (size_t i = 0; i < a.len; i++)
        a.bytes[i] = em_to_lower(a.bytes[i]);
    for (size_t i = 0; i < b.len; i++)
        b.bytes[i] = em_to_lower(b.bytes[i]);
    return (distance(&a, &b) * STEP + exactly) * STEP - (int)common_start(&a, &b);
}

const char *em_nearest_name(const char *name, const char *const *names)
{
    folded wanted = fold(name);
    const char *nearest = NULL;
    int nearest_far = NOT_NEAR, nearest_written = NOT_NEAR;
    for (; *names && wanted.len > 0; names++) {
        folded known = fold(*names);
        int far = how_far(&wanted, &known), far_written = far_as_written(name, *names);
        if (far < nearest_far ||
            (far < NOT_NEAR && far == nearest_far && far_written < nearest_written)) {
            nearest = *names;
            nearest_far = far;
            nearest_written = far_written;
        }
    }
    return nearest;
}
