#include "several.h"

#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { DIED = 42 };

static size_t count_of(const several_part *parts)
{
    size_t count = 0;
    while (parts[count].path)
        count++;
    return count;
}

static em_change *change_of(bench *b, const several_part *part, const em_file *file)
{
    em_change *change = em_alloc(&b->arena, sizeof *change);
    em_splice *splice = em_alloc(&b->arena, sizeof *splice);
    assert_true(change && splice);
    splice->insert = em_slice_of(part->new ? part->new : "");
    if (part->old && part->old[0] && part->new) {
        const char *at = memmem(file->bytes.ptr, file->bytes.len, part->old, strlen(part->old));
        assert_non_null(at);
        splice->offset = (size_t)(at - file->bytes.ptr);
        splice->length = strlen(part->old);
    }
    change->splices = (em_splices){.items = splice, .count = 1};
    change->origin = (em_origin){.tool = "tool",
                                 .client = "client",
                                 .session = "session",
                                 .call = "call",
                                 .role = part->role};
    change->backup = part->backup;
    return change;
}

static const em_file *like_of(const several_part *parts, const em_wanted *wanted, const char *path)
{
    for (size_t i = 0; path && parts[i].path; i++)
        if (strcmp(parts[i].path, path) == 0)
            return &wanted[i].file;
    return NULL;
}

em_status several_change(bench *b, const several_part *parts, several *out)
{
    size_t count = count_of(parts);
    em_wanted *wanted = em_alloc_array(&b->arena, count, sizeof *wanted);
    *out = (several){.parts = em_alloc_array(&b->arena, count, sizeof *out->parts),
                     .count = count,
                     .culprit = count,
                     .wanted = wanted};
    assert_true(wanted && out->parts);
    b->err = EM_ERROR_INIT;
    bench_open(b);
    for (size_t i = 0; i < count; i++)
        wanted[i] =
            (em_wanted){.path = parts[i].path, .flags = parts[i].old ? 0 : EM_MAY_BE_MISSING};
    em_status status = em_ws_open_files(b->ws, wanted, count, EM_TO_CHANGE);
    for (size_t i = 0; i < count && status != EM_OK; i++)
        if (wanted[i].status != EM_OK) {
            b->err = wanted[i].error;
            out->culprit = i;
            return status;
        }
    for (size_t i = 0; i < count; i++)
        out->parts[i] = (em_part){.file = &wanted[i].file,
                                  .change = change_of(b, &parts[i], &wanted[i].file),
                                  .remove = parts[i].new == NULL,
                                  .like = like_of(parts, wanted, parts[i].like)};
    status = em_ws_commit_all(b->ws, out->parts, count, &b->arena, &out->culprit, &b->err);
    for (size_t i = 0; i < count; i++)
        em_file_close(b->ws, &wanted[i].file);
    return status;
}

static void die(void *unused)
{
    (void)unused;
    _exit(DIED);
}

void several_die(bench *b, const several_part *parts, trap where)
{
    bench_close(b);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        several ignored;
        if (where.error) /* dies after the call, which a failure stands for */
            where.error = 0, where.after = die;
        else
            where.hook = die;
        trap_set(&b->trap, where);
        several_change(b, parts, &ignored);
        bench_close(b);
        _exit(0);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), DIED);
}

int several_journals(bench *b)
{
    return scratch_has(b->state, "journal") ? scratch_count(scratch_path(b->state, "journal")) : 0;
}

void check_settled(bench *b)
{
    check_clean(b);
    assert_int_equal(several_journals(b), 0);
}
