#include "paths/foreign.h"

#include "base/ascii.h"
#include "base/utf8.h"

#include <string.h>
#include <strings.h>

bool em_foreign_has_backslashes_alone(const char *path)
{
    return strchr(path, '\\') && !strchr(path, '/');
}

static bool has_drive(const char *path)
{
    return em_is_letter(path[0]) && path[1] == ':' && (path[2] == '\\' || path[2] == '/');
}

/* A path as Windows writes it has slashes then: "src\main.c", "C:\src\main.c". */
static const char *with_slashes(const char *path, em_arena *arena)
{
    if (!em_foreign_has_backslashes_alone(path) && !has_drive(path))
        return path;
    char *copy = em_arena_string(arena, em_slice_of(has_drive(path) ? path + 2 : path));
    for (char *at = copy; at && (at = strchr(at, '\\'));)
        *at = '/';
    return copy;
}

static const char scheme[] = "file://";

static bool has_scheme(const char *path)
{
    return strncasecmp(path, scheme, sizeof scheme - 1) == 0;
}

/* What stands behind "file://" and, perhaps, the name of this machine; NULL: it is no such URL. */
static const char *way_in_url(const char *path)
{
    static const char host[] = "localhost";
    if (!has_scheme(path))
        return NULL;
    path += sizeof scheme - 1;
    if (strncasecmp(path, host, sizeof host - 1) == 0)
        path += sizeof host - 1;
    bool has_letter = path[0] == '/' && em_is_letter(path[1]) && path[2] == ':';
    return path[0] != '/' ? NULL : has_letter && path[3] == '/' ? path + 3 : path;
}

/* "%20" is a blank. What is no such number, and a NUL, stays as it is written. */
static void decode_percents(char *path)
{
    enum { NO_DIGIT = 16 };
    char *end = path;
    for (; *path; path++) {
        unsigned high = path[0] == '%' ? em_hex_digit(path[1]) : NO_DIGIT;
        unsigned low = high < NO_DIGIT ? em_hex_digit(path[2]) : NO_DIGIT;
        bool is_coded = low < NO_DIGIT && high + low > 0;
        *end++ = is_coded ? (char)(16 * high + low) : *path;
        path += is_coded ? 2 : 0;
    }
    *end = '\0';
}

/* "a%C3%A4.c" is "aä.c", also without a scheme. What comes to be no UTF-8, or has control
 * characters, nobody meant. NULL when memory ran out. */
static const char *without_percents(const char *path, em_arena *arena)
{
    char *copy = em_arena_string(arena, em_slice_of(path));
    if (!copy)
        return NULL;
    decode_percents(copy);
    bool is_text = em_utf8_invalid_at(em_slice_of(copy)) == EM_NPOS;
    for (const char *at = copy; *at && is_text; at++)
        is_text = (unsigned char)*at >= ' ' && *at != '\x7f';
    return is_text && strcmp(copy, path) != 0 ? copy : path;
}

/* NULL when memory ran out. */
static const char *from_url(const char *url, em_arena *arena)
{
    char *copy = em_arena_string(arena, em_slice_of(way_in_url(url)));
    if (copy)
        decode_percents(copy);
    return copy;
}

/* A byte beyond ASCII as git writes it, "\\303"; 0: there is none. */
static char octal_at(const char *at)
{
    bool is_octal = at[0] == '\\' && (at[1] == '2' || at[1] == '3') && at[2] >= '0' &&
                    at[2] <= '7' && at[3] >= '0' && at[3] <= '7';
    return is_octal ? (char)(64 * (at[1] - '0') + 8 * (at[2] - '0') + (at[3] - '0')) : '\0';
}

/* "caf\303\251" is "café", as git and the diffs of answers write it. What comes to be no UTF-8
 * nobody could send. NULL when memory ran out. */
static const char *without_octals(const char *path, em_arena *arena)
{
    char *copy = em_arena_string(arena, em_slice_of(path)), *end = copy;
    bool has_octal = false;
    if (!copy)
        return NULL;
    for (const char *at = path; *at; at++) {
        char byte = octal_at(at);
        at += byte ? 3 : at[0] == '\\' && (at[1] == '"' || at[1] == '\\');
        *end++ = byte ? byte : *at;
        has_octal |= byte != '\0';
    }
    *end = '\0';
    return has_octal && em_utf8_invalid_at(em_slice_of(copy)) == EM_NPOS ? copy : path;
}

bool em_foreign_is_url(const char *path)
{
    return way_in_url(path) != NULL;
}

bool em_foreign_begins_elsewhere(const char *path)
{
    return has_scheme(path) || has_drive(path) || strncmp(path, "~/", 2) == 0;
}

const char *em_foreign_written_here(const char *path, em_arena *arena)
{
    if (way_in_url(path))
        return from_url(path, arena);
    path = without_octals(path, arena);
    return path ? with_slashes(path, arena) : NULL;
}

/* How long the path is without the lines that stand behind it: "a.c:12", "a.c:12:5", "a.c:12-20",
 * "a.c#L12-L20". */
static size_t length_without_lines(const char *path)
{
    size_t length = strlen(path);
    for (size_t end = length; end > 0;) {
        size_t at = end;
        while (at > 0 && em_is_digit(path[at - 1]))
            at--;
        bool has_letter = at > 0 && path[at - 1] == 'L';
        if (at == end || at < 2U + has_letter)
            break;
        end = at - has_letter - 1;
        char sign = path[end];
        if (sign == ':' || (sign == '#' && has_letter))
            length = end;
        else if (sign != '-')
            break;
    }
    return length;
}

static const char *without_lines(const char *path, em_arena *arena)
{
    size_t length = length_without_lines(path);
    return path[length] ? em_arena_string(arena, em_slice_make(path, length)) : path;
}

const char *em_foreign_other_reading(const char *path, em_arena *arena)
{
    if (strstr(path, "://")) /* of another machine */
        return path;
    bool is_mention = path[0] == '@' && path[1] && path[1] != '/';
    path = without_lines(path + is_mention, arena);
    return path ? without_percents(path, arena) : NULL;
}

/* "[a.c](src/a.c)" is a link to src/a.c; what is none stays as it is. */
static em_slice target_of_link(em_slice path)
{
    const char *turn = path.len > 4 ? memmem(path.ptr, path.len, "](", 2) : NULL;
    if (!turn || path.ptr[0] != '[' || path.ptr[path.len - 1] != ')')
        return path;
    em_slice target = em_slice_sub(path, (size_t)(turn - path.ptr) + 2, path.len - 1);
    bool is_one = target.len > 0 && !em_slice_holds(target, EM_LIT("]("));
    return is_one ? target : path;
}

em_slice em_foreign_bare(em_slice path)
{
    path = em_slice_trim(path, em_is_white_space);
    bool is_quoted =
        path.len > 2 && path.ptr[0] == path.ptr[path.len - 1] && em_is_one_of(path.ptr[0], "\"'`");
    return target_of_link(is_quoted ? em_slice_sub(path, 1, path.len - 1) : path);
}
