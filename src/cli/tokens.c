#include "cli/tokens.h"

#include "base/ascii.h"
#include "base/line.h"
#include "http/access.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FILE_MOST = 64 << 10 };

static bool add(em_invocation *call, em_token_list *tokens, size_t *room, em_slice token)
{
    const char *copy = em_arena_string(call->arena, token);
    if (!copy || em_arena_grow(call->arena, (void **)&tokens->items, tokens->count, room,
                               sizeof *tokens->items) != EM_OK) {
        em_complain(call, 0, "out of memory");
        return false;
    }
    tokens->items[tokens->count++] = copy;
    return true;
}

bool em_tokens_make(em_invocation *call, bool apart, em_token_list *tokens)
{
    char secret[EM_SECRET_SIZE];
    size_t room = 0;
    *tokens = (em_token_list){.page_count = 1};
    while (tokens->count < (apart ? 2 : 1)) {
        if (!em_make_secret(secret)) {
            em_complain(call, 0, "the system gives no random numbers");
            return false;
        }
        if (!add(call, tokens, &room, em_slice_of(secret)))
            return false;
    }
    return true;
}

/* ---- A file of them ------------------------------------------------------------------------- */

/* What stands before a token that is for MCP clients alone. */
static const em_slice for_clients = {"mcp ", 4};

static bool fail_at(em_invocation *call, const char *path, const char *what)
{
    em_complain(call, 0, "--token-file: %s: %s", path, what);
    return false;
}

/* 0 or an errno. */
static int write_all(int fd, const char *text, size_t size)
{
    for (size_t done = 0; done < size;) {
        ssize_t written = write(fd, text + done, size - done);
        if (written < 0 && errno != EINTR)
            return errno;
        done += written > 0 ? (size_t)written : 0;
    }
    return 0;
}

/* The lines of new tokens; NULL where there are none, which has been said. */
static const char *make_lines(em_invocation *call, bool apart)
{
    em_token_list made;
    if (!em_tokens_make(call, apart, &made))
        return NULL;
    const char *lines = apart ? em_arena_format(call->arena, "%s\n%s%s\n", made.items[0],
                                                for_clients.ptr, made.items[1])
                              : em_arena_format(call->arena, "%s\n", made.items[0]);
    if (!lines)
        em_complain(call, 0, "out of memory");
    return lines;
}

/* A file without its tokens would be an error at every start from then on, so none is left. */
static bool make_file(em_invocation *call, const char *path, bool apart)
{
    const char *lines = make_lines(call, apart);
    if (!lines)
        return false;
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (fd < 0)
        return fail_at(call, path, strerror(errno));
    int problem = write_all(fd, lines, strlen(lines));
    if (close(fd) != 0 && errno != EINTR && problem == 0)
        problem = errno;
    if (problem == 0)
        return true;
    unlink(path);
    return fail_at(call, path, strerror(problem));
}

/* An open file that holds tokens: of this user's or root's, and nobody else's to read. -1 where it
 * is none, which has been said. */
static int open_file(em_invocation *call, const char *path)
{
    struct stat there;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0) {
        fail_at(call, path, strerror(errno));
        return -1;
    }
    const char *problem = NULL;
    if (fstat(fd, &there) != 0 || !S_ISREG(there.st_mode) || there.st_size > FILE_MOST)
        problem = "not a file of tokens";
    else if (there.st_uid != geteuid() && there.st_uid != 0)
        problem = "it belongs to somebody else";
    else if (there.st_mode & 077)
        problem = "others may read it (chmod 600)";
    if (!problem)
        return fd;
    fail_at(call, path, problem);
    close(fd);
    return -1;
}

/* What a line says before its remark. Within a word '#' begins none: a token that has one is
 * refused, and not taken for a shorter one that is easier to guess. */
static em_slice without_remark(em_slice line)
{
    size_t length = 0;
    while (length < line.len &&
           (line.ptr[length] != '#' || (length > 0 && !em_is_line_blank(line.ptr[length - 1]))))
        length++;
    return em_slice_trim(em_slice_sub(line, 0, length), em_is_line_blank);
}

/* The tokens of the lines that are for MCP clients alone, or of all others. */
static bool read_lines(em_invocation *call, const char *path, em_slice text, bool clients,
                       em_token_list *tokens, size_t *room)
{
    while (text.len > 0) {
        em_slice line = without_remark(em_take_line(&text));
        if (line.len == 0 || em_slice_starts(line, for_clients) != clients)
            continue;
        line = em_slice_trim(em_slice_from(line, clients ? for_clients.len : 0), em_is_line_blank);
        if (!em_is_token(line))
            return fail_at(call, path, "a token has 16 to 256 letters, digits and -._~+/=");
        if (!add(call, tokens, room, line))
            return false;
    }
    return true;
}

/* Is one of those for clients alone good for the page, too? It cannot be both. */
static bool has_contradiction(const em_token_list *tokens)
{
    for (size_t i = 0; i < tokens->page_count; i++)
        for (size_t j = tokens->page_count; j < tokens->count; j++)
            if (strcmp(tokens->items[i], tokens->items[j]) == 0)
                return true;
    return false;
}

static bool read_text(em_invocation *call, const char *path, em_slice text, em_token_list *tokens)
{
    size_t room = 0;
    if (!read_lines(call, path, text, false, tokens, &room))
        return false;
    tokens->page_count = tokens->count;
    if (!read_lines(call, path, text, true, tokens, &room))
        return false;
    if (has_contradiction(tokens))
        return fail_at(call, path, "a token stands in it with \"mcp\" before it, and without");
    return tokens->count > 0 || fail_at(call, path, "there is no token in it");
}

bool em_tokens_read(em_invocation *call, const char *path, bool apart, em_token_list *tokens)
{
    char *text = em_alloc(call->arena, FILE_MOST);
    size_t used = 0;
    ssize_t length = 1;
    *tokens = (em_token_list){0};
    if (!text) {
        em_complain(call, 0, "out of memory");
        return false;
    }
    if (access(path, F_OK) != 0 && errno == ENOENT && !make_file(call, path, apart))
        return false;
    int fd = open_file(call, path);
    if (fd < 0)
        return false;
    int problem = 0;
    while (used < FILE_MOST && length != 0 && problem == 0) {
        length = read(fd, text + used, FILE_MOST - used);
        used += length > 0 ? (size_t)length : 0;
        problem = length < 0 && errno != EINTR ? errno : 0;
    }
    close(fd);
    return problem == 0 ? read_text(call, path, em_slice_make(text, used), tokens)
                        : fail_at(call, path, strerror(problem));
}
