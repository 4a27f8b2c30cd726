#include "serve/batch_key.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_LINKS = 40 };

__attribute__((format(printf, 1, 2))) static char *format(const char *text, ...)
{
    char *made;
    va_list args;
    va_start(args, text);
    int length = vasprintf(&made, text, args);
    va_end(args);
    return length < 0 ? NULL : made;
}

/* The deepest folder of `path` that is there, resolved; *rest: where what is missing begins. NULL
 * when memory ran out. */
static char *deepest(const char *path, const char **rest)
{
    char *cut = strdup(path);
    char *found = cut ? realpath(cut, NULL) : NULL;
    *rest = path + strlen(path);
    while (cut && !found && *rest > path) {
        do
            --*rest;
        while (**rest != '/');
        cut[*rest - path] = '\0';
        found = realpath(cut[0] ? cut : "/", NULL);
    }
    free(cut);
    return found;
}

static char *canonical(const char *path, int links);

/* `name` in a folder; *is_link: it is one, to what is not there yet. */
static char *below(const char *folder, const char *name, int length, int links, bool *is_link)
{
    char text[PATH_MAX];
    char *path = format("%s%s%.*s", folder, folder[1] ? "/" : "", length, name);
    ssize_t linked = path && links > 0 ? readlink(path, text, sizeof text - 1) : -1;
    *is_link = linked > 0;
    if (!*is_link)
        return path;
    free(path);
    text[linked] = '\0';
    path = text[0] == '/' ? strdup(text) : format("%s/%s", folder, text);
    char *followed = path ? canonical(path, links - 1) : NULL;
    free(path);
    return followed;
}

/* The folder that `folder` is in. */
static char *above(const char *folder)
{
    const char *slash = strrchr(folder, '/');
    return slash == folder ? strdup("/") : strndup(folder, (size_t)(slash - folder));
}

/* Two spellings of one file give one text, be it there already, or made by a call that waits. Of a
 * file on whose way there is a link to a folder that is not there, or `..` behind one, it is that
 * folder, or one above: whoever makes something in there makes the folder. NULL when memory ran
 * out. */
static char *canonical(const char *path, int links)
{
    const char *rest;
    if (strlen(path) >= PATH_MAX)
        return strdup(path); /* it names nothing */
    char *at = deepest(path, &rest);
    bool is_behind = false;
    while (at && *rest) {
        size_t length = strcspn(rest, "/");
        bool ascends = length == 2 && strncmp(rest, "..", 2) == 0;
        bool stays = length == 0 || (length == 1 && rest[0] == '.') || (is_behind && !ascends);
        if (!stays) {
            char *next = ascends ? above(at) : below(at, rest, (int)length, links, &is_behind);
            free(at);
            at = next;
            is_behind = is_behind || ascends;
        }
        rest += length + (rest[length] == '/');
    }
    return at;
}

em_status em_batch_key_make(const char *root, const char *file, bool has_backup, em_batch_key *key)
{
    struct stat stat_of;
    bool is_whole = file[0] == '/';
    *key = (em_batch_key){.has_backup = has_backup};
    char *path = format("%s%s%s", is_whole ? "" : root, is_whole ? "" : "/", file);
    key->path = path ? canonical(path, MOST_LINKS) : NULL;
    free(path);
    if (!key->path)
        return EM_E_NOMEM;
    key->length = strlen(key->path);
    if (stat(key->path, &stat_of) == 0) {
        key->device = stat_of.st_dev;
        key->inode = stat_of.st_ino;
    }
    return EM_OK;
}

void em_batch_key_drop(em_batch_key *key)
{
    free(key->path);
    *key = (em_batch_key){.path = NULL};
}

/* `longer` begins with the other's path: is what follows on the way, or of a backup? */
static bool goes_on(const em_batch_key *shorter, const em_batch_key *longer)
{
    const char *rest = longer->path + shorter->length;
    return *rest == '\0' || *rest == '/' || strcmp(shorter->path, "/") == 0 ||
           (shorter->has_backup && strncmp(rest, ".bak", 4) == 0);
}

bool em_batch_keys_meet(const em_batch_key *one, const em_batch_key *other)
{
    if (!one->path || !other->path)
        return false;
    if (one->inode != 0 && one->inode == other->inode && one->device == other->device)
        return true;
    const em_batch_key *shorter = one->length <= other->length ? one : other;
    const em_batch_key *longer = shorter == one ? other : one;
    return memcmp(shorter->path, longer->path, shorter->length) == 0 && goes_on(shorter, longer);
}
