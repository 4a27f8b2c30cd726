#include "playground.h"

#include "fuzz.h"

#include "base/strbuf.h"
#include "dialects/registry.h"

#include <ftw.h>
#include <sys/stat.h>
#include <unistd.h>

enum { DESCRIPTORS = 16 };

static const char CONTENT[] = "one two\nthree\r\ngr\xC3\xBCn\nlast";

static char folder[] = "/tmp/emend-fuzz-XXXXXX";
static char root[sizeof folder + 8], state_dir[sizeof folder + 8];
static em_session *session;
static em_arena arena;
static em_toolset tools;

static int remove_one(const char *path, const struct stat *info, int kind, struct FTW *where)
{
    (void)info;
    (void)kind;
    if (where->level > 0)
        remove(path);
    return 0;
}

static void empty(const char *path)
{
    nftw(path, remove_one, DESCRIPTORS, FTW_DEPTH | FTW_PHYS);
}

static void clean_up(void)
{
    em_session_free(session);
    em_arena_drop(&arena);
    empty(folder);
    rmdir(folder);
}

void playground_restore(void)
{
    char path[sizeof root + 8];
    empty(root);
    snprintf(path, sizeof path, "%s/a.txt", root);
    FILE *file = fopen(path, "wb");
    HOLDS(file && fputs(CONTENT, file) >= 0 && fclose(file) == 0);
}

em_session *playground_session(void)
{
    if (session)
        return session;
    HOLDS(mkdtemp(folder));
    snprintf(root, sizeof root, "%s/root", folder);
    snprintf(state_dir, sizeof state_dir, "%s/state", folder);
    HOLDS(mkdir(root, 0700) == 0);
    const char *roots[] = {root};
    em_session_options options = {
        .workspace = {.roots = roots,
                      .root_count = 1,
                      .state_dir = state_dir,
                      .sync = EM_SYNC_OFF,
                      .lock_timeout_ms = 1000},
        .deadline_ms = 2000,
    };
    em_error err = EM_ERROR_INIT;
    HOLDS(em_session_new(&options, &session, &err) == EM_OK);
    atexit(clean_up);
    playground_restore();
    return session;
}

const em_toolset *playground_tools(void)
{
    em_error err = EM_ERROR_INIT;
    if (tools.count == 0)
        HOLDS(em_toolset_choose("all", false, &arena, &tools, &err) == EM_OK);
    return &tools;
}

static em_strbuf seen;

static int look_at(const char *path, const struct stat *info, int kind, struct FTW *where)
{
    char bytes[4096];
    (void)info;
    (void)where;
    em_strbuf_puts(&seen, path);
    FILE *file = kind == FTW_F ? fopen(path, "rb") : NULL;
    if (!file)
        return 0;
    for (size_t got; (got = fread(bytes, 1, sizeof bytes, file)) > 0;)
        em_strbuf_add(&seen, em_slice_make(bytes, got));
    fclose(file);
    return 0;
}

em_hash playground_state(void)
{
    seen = (em_strbuf){0};
    nftw(root, look_at, DESCRIPTORS, FTW_PHYS);
    em_hash hash = em_hash_of(em_strbuf_slice(&seen));
    em_strbuf_drop(&seen);
    return hash;
}
