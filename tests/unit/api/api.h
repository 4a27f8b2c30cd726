/* api.h: what the tests of the public face share: a session over a folder of its own, and checks.
 */
#ifndef EM_TESTS_UNIT_API_API_H
#define EM_TESTS_UNIT_API_API_H

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <emend.h>

#include "../../remove_tree.h"
#include "../with_cmocka.h"

#define LIT(literal) ((emend_slice){(literal), sizeof(literal) - 1})

/* ---- A folder and a session ---------------------------------------------------------------- */

typedef struct scratch {
    char base[64], root[80], state[80];
    const char *roots[1];
    emend_session *session;
} scratch;

static inline void scratch_open(scratch *s, emend_session_options options)
{
    *s = (scratch){.base = "/tmp/emend-api-XXXXXX"};
    assert_non_null(mkdtemp(s->base));
    snprintf(s->root, sizeof s->root, "%s/files", s->base);
    snprintf(s->state, sizeof s->state, "%s/state", s->base);
    assert_int_equal(mkdir(s->root, 0755), 0);
    s->roots[0] = s->root;
    options.roots = s->roots;
    options.root_count = 1;
    options.state_dir = s->state;
    options.sync = EMEND_SYNC_OFF;
    assert_int_equal(emend_session_new(&options, &s->session, NULL), EMEND_OK);
}

static inline void scratch_drop(scratch *s)
{
    emend_session_free(s->session);
    assert_int_equal(remove_tree(s->base), 0);
}

static inline void scratch_write(const scratch *s, const char *name, emend_slice bytes)
{
    char path[200];
    snprintf(path, sizeof path, "%s/%s", s->root, name);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes.ptr, 1, bytes.len, file), bytes.len);
    assert_int_equal(fclose(file), 0);
}

static inline void check_bytes(const char *what, emend_slice got, emend_slice want)
{
    if (got.len == want.len && (got.len == 0 || memcmp(got.ptr, want.ptr, got.len) == 0))
        return;
    print_error("%s: \"%.*s\"\n", what, (int)got.len, got.len > 0 ? got.ptr : "");
    fail();
}

static inline void check_file(const scratch *s, const char *name, emend_slice want)
{
    char path[200], bytes[4096];
    snprintf(path, sizeof path, "%s/%s", s->root, name);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    size_t length = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    check_bytes(name, (emend_slice){bytes, length}, want);
}

/* ---- Plans --------------------------------------------------------------------------------- */

static inline emend_edit replace(const char *find, const char *with)
{
    return (emend_edit){.find = emend_string(find), .replace = emend_string(with)};
}

/* The plan of one edit, which must be there. */
static inline emend_plan *plan_one(const emend_text *text, emend_edit edit)
{
    emend_plan *plan;
    emend_error err;
    if (emend_plan_new(text, NULL, &edit, 1, &plan, &err) != EMEND_OK) {
        print_error("%s: %s\n", emend_status_name(err.code), err.detail);
        fail();
    }
    return plan;
}

#endif
