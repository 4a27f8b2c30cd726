/* journal.c: the form of a journal, and its way from one name to the next.
 *
 * Two halves. Writing and reading the form are em_journal_encode and em_journal_decode, which know
 * bytes alone. The rest are the steps of a transaction in the order in which transaction.c takes
 * them, em_journal_prepare, _commit, _remove, and what recovery asks: _find, _names, _read.
 */
#include "workspace/journal.h"

#include "base/strbuf.h"
#include "system/names.h"
#include "system/sys_io.h"
#include "workspace/reach.h"
#include "workspace/stage.h"

#include <stdio.h> /* RENAME_ */
#include <stdlib.h>
#include <unistd.h>

static const char magic[] = "emend journal 1\n";
static const char magic_of_all[] = "emend journal ";

enum {
    HASH_SIZE = 32,
    FILE_NAME_SIZE = EM_JOURNAL_NAME_SIZE + 16,
    MOST_BYTES = 256 << 20,
    ROW_BYTES_LEAST = 100, /* fewer than any row takes */
};
static const uint64_t no_text = UINT64_MAX;

static const char *const endings[] = {
    [EM_JOURNAL_NONE] = "writing",
    [EM_JOURNAL_PREPARED] = "prepared",
    [EM_JOURNAL_COMMITTED] = "committed",
};
enum { ENDINGS = sizeof endings / sizeof *endings };

/* ---- Writing the form ---------------------------------------------------------------------- */

static void add_number(em_strbuf *out, uint64_t number)
{
    char bytes[8];
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (char)(unsigned char)(number >> 8 * i);
    em_strbuf_add(out, em_slice_make(bytes, sizeof bytes));
}

static void add_text(em_strbuf *out, const char *text)
{
    add_number(out, text ? strlen(text) : no_text);
    if (text)
        em_strbuf_puts(out, text);
}

static void add_row(em_strbuf *out, const em_row *row)
{
    add_number(out, (uint64_t)row->id);
    add_number(out, row->token);
    add_number(out, row->kind);
    add_number(out, row->forget);
    add_text(out, row->root);
    add_text(out, row->path);
    add_number(out, row->dir_dev);
    add_number(out, row->dir_ino);
    add_number(out, row->old_ino);
    add_number(out, row->new_ino);
    add_text(out, row->temp);
    add_text(out, row->backup);
    add_text(out, row->folders);
    add_text(out, row->old_hash.hex);
    add_text(out, row->new_hash.hex);
    add_number(out, row->old_size);
    add_number(out, row->new_size);
    add_text(out, row->boot);
    add_number(out, (uint64_t)row->time_ms);
    add_number(out, row->notes);
}

em_status em_journal_encode(const em_journal *journal, em_arena *arena, em_slice *out)
{
    EM_AUTO(em_strbuf) text = {0};
    em_strbuf_puts(&text, magic);
    add_text(&text, journal->name);
    add_number(&text, journal->count);
    for (size_t i = 0; i < journal->count; i++)
        add_row(&text, &journal->rows[i]);
    if (text.failed)
        return EM_E_NOMEM;
    em_strbuf_puts(&text, em_hash_of(em_strbuf_slice(&text)).hex);
    return em_strbuf_keep(&text, arena, out);
}

/* ---- Reading the form ---------------------------------------------------------------------- */

/* What is left of it; the first thing that cannot be read makes the rest nothing. */
typedef struct reader {
    em_slice left;
    em_arena *arena;
    bool damaged, no_memory;
} reader;

static uint64_t read_number(reader *r)
{
    uint64_t number = 0;
    if (r->left.len < 8) {
        r->damaged = true;
        return 0;
    }
    for (size_t i = 0; i < 8; i++)
        number |= (uint64_t)(unsigned char)r->left.ptr[i] << 8 * i;
    r->left = em_slice_from(r->left, 8);
    return number;
}

static const char *read_text(reader *r)
{
    uint64_t length = read_number(r);
    if (r->damaged || length == no_text)
        return NULL;
    if (length > r->left.len || memchr(r->left.ptr, '\0', (size_t)length)) {
        r->damaged = true;
        return NULL;
    }
    char *text = em_arena_string(r->arena, em_slice_sub(r->left, 0, (size_t)length));
    if (!text)
        r->no_memory = r->damaged = true;
    r->left = em_slice_from(r->left, (size_t)length);
    return text;
}

static em_hash read_hash(reader *r)
{
    em_hash hash = {""};
    const char *text = read_text(r);
    size_t length = text ? strlen(text) : sizeof hash.hex;
    if (length < sizeof hash.hex)
        memcpy(hash.hex, text, length + 1);
    else
        r->damaged = true;
    return hash;
}

static void read_row(reader *r, const char *txn, em_row *row)
{
    row->id = (int64_t)read_number(r);
    row->token = read_number(r);
    row->kind = (em_row_kind)read_number(r);
    row->forget = read_number(r) != 0;
    row->root = read_text(r);
    row->path = read_text(r);
    row->dir_dev = read_number(r);
    row->dir_ino = read_number(r);
    row->old_ino = read_number(r);
    row->new_ino = read_number(r);
    row->temp = read_text(r);
    row->backup = read_text(r);
    row->folders = read_text(r);
    row->old_hash = read_hash(r);
    row->new_hash = read_hash(r);
    row->old_size = read_number(r);
    row->new_size = read_number(r);
    row->boot = read_text(r);
    row->time_ms = (int64_t)read_number(r);
    row->notes = (unsigned)read_number(r);
    row->txn = txn;
    bool known =
        row->kind == EM_ROW_EDIT || row->kind == EM_ROW_CREATE || row->kind == EM_ROW_REMOVE;
    r->damaged = r->damaged || !known || !em_row_is_sane(row);
}

static em_status read_rows(reader *r, em_journal *journal)
{
    journal->name = read_text(r);
    uint64_t count = read_number(r);
    if (count > r->left.len / ROW_BYTES_LEAST)
        r->damaged = true;
    journal->count = r->damaged ? 0 : (size_t)count;
    journal->rows = em_alloc_array(r->arena, journal->count, sizeof *journal->rows);
    if (!journal->rows)
        return EM_E_NOMEM;
    for (size_t i = 0; i < journal->count && !r->damaged; i++)
        read_row(r, journal->name, &journal->rows[i]);
    return r->no_memory ? EM_E_NOMEM : EM_OK;
}

/* Without the checksum, where it is right. */
static em_status content_of(em_slice bytes, em_slice *content, em_error *err)
{
    if (bytes.len < sizeof magic - 1 + HASH_SIZE)
        return em_fail(err, EM_E_INVALID, "the journal is cut off");
    if (memcmp(bytes.ptr, magic_of_all, sizeof magic_of_all - 1) != 0)
        return em_fail(err, EM_E_INVALID, "the journal is damaged: it begins as none does");
    *content = em_slice_sub(bytes, 0, bytes.len - HASH_SIZE);
    em_hash hash = em_hash_of(*content);
    if (memcmp(hash.hex, bytes.ptr + content->len, HASH_SIZE) != 0)
        return em_fail(err, EM_E_INVALID, "the journal is damaged: its checksum is wrong");
    if (memcmp(bytes.ptr, magic, sizeof magic - 1) != 0)
        return em_fail(err, EM_E_INVALID, "the journal was made by another version of emend");
    *content = em_slice_from(*content, sizeof magic - 1);
    return EM_OK;
}

em_status em_journal_decode(em_slice bytes, em_arena *arena, em_journal *journal, em_error *err)
{
    reader r = {.arena = arena};
    em_journal found = {0};
    *journal = found;
    EM_TRY(content_of(bytes, &r.left, err));
    EM_TRY(read_rows(&r, &found));
    if (r.damaged || r.left.len > 0 || !found.name || found.count == 0)
        return em_fail(err, EM_E_INVALID, "the journal says what emend does not write");
    *journal = found;
    return EM_OK;
}

/* ---- Names --------------------------------------------------------------------------------- */

static const char *file_name(const char *name, em_journal_stage stage, char out[FILE_NAME_SIZE])
{
    snprintf(out, FILE_NAME_SIZE, "%.*s.%s", EM_JOURNAL_NAME_SIZE - 1, name, endings[stage]);
    return out;
}

em_status em_journals_open(const em_workspace *ws, bool make, int *dir, em_error *err)
{
    if (make)
        return em_state_folder(&ws->state, "journal", ws->options.sync != EM_SYNC_OFF, dir, err);
    *dir = EM_SYS_RETRY(ws->sys, open, ws->state.dir, "journal", O_PATH | O_DIRECTORY | O_NOFOLLOW,
                        0, 0);
    if (*dir == -ENOENT) {
        *dir = -1;
        return EM_OK;
    }
    if (*dir >= 0)
        return EM_OK;
    em_status status = em_state_fail(err, *dir, "open", "journal");
    em_state_add_place(err, ws->state.path);
    return status;
}

static em_status folder_sync(const em_workspace *ws, int dir, em_error *err)
{
    if (ws->options.sync != EM_SYNC_FULL)
        return EM_OK;
    return em_folder_sync(ws->sys, dir, "the journal", err);
}

/* ---- Writing it ---------------------------------------------------------------------------- */

/* A file for it: without a name, or *named where the system has no such files. */
static em_status file_make(const em_workspace *ws, int dir, const char *name, int *fd, bool *named,
                           em_error *err)
{
    char writing[FILE_NAME_SIZE];
    EM_TRY(em_stage_unnamed(ws->sys, dir, 0600, "the journal", fd, err));
    *named = *fd < 0;
    if (!*named)
        return EM_OK;
    em_entry entry = {ws->sys, dir, file_name(name, EM_JOURNAL_NONE, writing), "the journal"};
    return em_stage_named(entry, 0600, fd, err);
}

static em_status file_fill(const em_workspace *ws, int fd, const em_journal *journal, em_error *err)
{
    EM_AUTO(em_arena) arena = {0};
    em_slice bytes;
    EM_TRY(em_journal_encode(journal, &arena, &bytes));
    struct iovec piece = {.iov_base = (void *)(uintptr_t)bytes.ptr, .iov_len = bytes.len};
    em_io_file file = {ws->sys, fd, "the journal"};
    EM_TRY(em_io_write_all(file, &piece, 1, 0, err));
    return em_io_finish(file, ws->options.sync != EM_SYNC_OFF, err);
}

static em_status file_publish(const em_workspace *ws, int fd, int dir, const char *name, bool named,
                              em_error *err)
{
    char writing[FILE_NAME_SIZE], prepared[FILE_NAME_SIZE];
    file_name(name, EM_JOURNAL_NONE, writing);
    file_name(name, EM_JOURNAL_PREPARED, prepared);
    int result = named ? EM_SYS_RETRY(ws->sys, rename, dir, writing, dir, prepared, 0)
                       : em_name_give(ws->sys, fd, dir, prepared);
    if (result < 0)
        return em_state_fail(err, result, "name", "the journal");
    return folder_sync(ws, dir, err);
}

em_status em_journal_prepare(const em_workspace *ws, int dir, const em_journal *journal,
                             em_error *err)
{
    int fd;
    bool named;
    EM_TRY(file_make(ws, dir, journal->name, &fd, &named, err));
    em_status status = file_fill(ws, fd, journal, err);
    if (status == EM_OK)
        status = file_publish(ws, fd, dir, journal->name, named, err);
    EM_SYS(ws->sys, close, fd);
    if (status == EM_OK)
        return EM_OK;
    em_journal_remove(ws, dir, journal->name, EM_JOURNAL_PREPARED, NULL);
    if (named)
        em_journal_remove(ws, dir, journal->name, EM_JOURNAL_NONE, NULL);
    return status;
}

/* ---- Its end ------------------------------------------------------------------------------- */

em_status em_journal_find(const em_sys *sys, int dir, const char *name, em_journal_stage *stage,
                          em_error *err)
{
    char file[FILE_NAME_SIZE];
    em_stat stat;
    for (*stage = EM_JOURNAL_COMMITTED; *stage > EM_JOURNAL_NONE; --*stage) {
        int result =
            EM_SYS_RETRY(sys, stat, dir, file_name(name, *stage, file), AT_SYMLINK_NOFOLLOW, &stat);
        if (result == 0)
            break;
        if (result != -ENOENT)
            return em_state_fail(err, result, "stat", file);
    }
    return EM_OK;
}

/* The rename itself. An error does not prove that nothing happened. */
static em_status commit_name(const em_workspace *ws, int dir, const char *name, bool *known,
                             em_error *err)
{
    char prepared[FILE_NAME_SIZE], committed[FILE_NAME_SIZE];
    em_journal_stage stage;
    file_name(name, EM_JOURNAL_PREPARED, prepared);
    file_name(name, EM_JOURNAL_COMMITTED, committed);
    int result = EM_SYS_RETRY(ws->sys, rename, dir, prepared, dir, committed, 0);
    if (result == 0)
        return EM_OK;
    em_status found = em_journal_find(ws->sys, dir, name, &stage, NULL);
    if (found == EM_OK && stage == EM_JOURNAL_COMMITTED)
        return EM_OK;
    *known = found == EM_OK && stage == EM_JOURNAL_PREPARED;
    return em_state_fail(err, result, "rename", "the journal");
}

em_status em_journal_commit(const em_workspace *ws, int dir, const char *name, bool *known,
                            em_error *err)
{
    int fd = -1; /* of the folder, opened first: then only the sync itself can fail behind it */
    *known = true;
    if (ws->options.sync == EM_SYNC_FULL) {
        fd = EM_SYS_RETRY(ws->sys, open, dir, ".", O_RDONLY | O_DIRECTORY, 0, 0);
        if (fd < 0)
            return em_state_fail(err, fd, "open", "journal");
    }
    *known = false;
    em_status status = commit_name(ws, dir, name, known, err);
    if (status == EM_OK && fd >= 0)
        status = em_io_sync((em_io_file){ws->sys, fd, "the journal"}, false, err);
    if (fd >= 0)
        EM_SYS(ws->sys, close, fd);
    return status;
}

em_status em_journal_remove(const em_workspace *ws, int dir, const char *name,
                            em_journal_stage stage, em_error *err)
{
    char file[FILE_NAME_SIZE];
    em_entry entry = {ws->sys, dir, file_name(name, stage, file), "the journal"};
    return em_name_remove(entry, err);
}

em_status em_journal_set_aside(const em_workspace *ws, int dir, const char *name, em_error *err)
{
    char file[FILE_NAME_SIZE], aside[FILE_NAME_SIZE];
    em_journal_stage stage;
    EM_TRY(em_journal_find(ws->sys, dir, name, &stage, err));
    snprintf(aside, sizeof aside, "%.*s.damaged", EM_JOURNAL_NAME_SIZE - 1, name);
    int result = EM_SYS_RETRY(ws->sys, rename, dir, file_name(name, stage, file), dir, aside, 0);
    if (result < 0)
        return em_state_fail(err, result, "rename", file);
    return folder_sync(ws, dir, err);
}

/* ---- Reading it ---------------------------------------------------------------------------- */

/* Only what this user wrote, and nobody else can, is taken for a journal. */
static em_status check_file(const em_stat *stat, em_error *err)
{
    if (!S_ISREG(stat->mode))
        return em_fail(err, EM_E_INVALID, "the journal is no file of its own");
    if (stat->uid != geteuid() || (stat->mode & 077))
        return em_fail(err, EM_E_INVALID, "the journal is not this user's alone");
    if (stat->size > MOST_BYTES)
        return em_fail(err, EM_E_INVALID, "the journal is larger than any");
    return EM_OK;
}

static em_status file_read(const em_sys *sys, int fd, em_arena *arena, em_slice *bytes,
                           em_error *err)
{
    em_stat stat;
    int result = EM_SYS_RETRY(sys, stat, fd, "", AT_EMPTY_PATH, &stat);
    if (result < 0)
        return em_state_fail(err, result, "stat", "the journal");
    EM_TRY(check_file(&stat, err));
    char *room = em_alloc_raw(arena, (size_t)stat.size);
    if (!room)
        return EM_E_NOMEM;
    *bytes = em_slice_make(room, (size_t)stat.size);
    em_status status = em_io_read_all((em_io_file){sys, fd, "the journal"}, room, bytes->len, err);
    return status == EM_E_CONFLICT ? em_fail(err, EM_E_IO, "the journal changed while it was read")
                                   : status;
}

em_status em_journal_read(const em_sys *sys, int dir, const char *name, em_journal_stage stage,
                          em_arena *arena, em_journal *journal, em_error *err)
{
    char file[FILE_NAME_SIZE];
    em_slice bytes = {0};
    int fd = EM_SYS_RETRY(sys, open, dir, file_name(name, stage, file),
                          O_RDONLY | O_NOFOLLOW | O_NONBLOCK, 0, 0);
    if (fd == -ENOENT)
        return em_fail(err, EM_E_NOT_FOUND, "there is no journal %s", name);
    if (fd == -ELOOP)
        return em_fail(err, EM_E_INVALID, "the journal is no file of its own");
    if (fd < 0)
        return em_state_fail(err, fd, "open", file);
    em_status status = file_read(sys, fd, arena, &bytes, err);
    EM_SYS(sys, close, fd);
    EM_TRY(status);
    EM_TRY(em_journal_decode(bytes, arena, journal, err));
    if (strcmp(journal->name, name) != 0)
        return em_fail(err, EM_E_INVALID, "the journal is that of another transaction");
    return EM_OK;
}

/* ---- Which there are ----------------------------------------------------------------------- */

/* 16 hex digits, and one of the endings; a transaction has one file at a time. */
static bool is_journal(const char *file)
{
    size_t digits = strspn(file, "0123456789abcdef");
    if (digits != EM_JOURNAL_NAME_SIZE - 1 || file[digits] != '.')
        return false;
    for (int i = 0; i < ENDINGS; i++) {
        if (strcmp(file + digits + 1, endings[i]) == 0)
            return true;
    }
    return false;
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

typedef struct listing {
    em_arena *arena;
    const char **names;
    size_t count, room;
    em_status status;
} listing;

static em_status list_add(listing *list, const char *name)
{
    EM_TRY(em_arena_grow(list->arena, (void **)&list->names, list->count, &list->room,
                         sizeof *list->names));
    list->names[list->count] =
        em_arena_string(list->arena, em_slice_make(name, EM_JOURNAL_NAME_SIZE - 1));
    if (!list->names[list->count])
        return EM_E_NOMEM;
    list->count++;
    return EM_OK;
}

static bool see(void *context, const char *name, unsigned char type)
{
    listing *list = context;
    (void)type;
    if (is_journal(name))
        list->status = list_add(list, name);
    return list->status == EM_OK;
}

em_status em_journal_names(const em_sys *sys, int dir, em_arena *arena, const char ***names,
                           size_t *count, em_error *err)
{
    listing list = {.arena = arena};
    int fd = EM_SYS_RETRY(sys, open, dir, ".", O_RDONLY | O_DIRECTORY, 0, 0);
    if (fd < 0)
        return em_state_fail(err, fd, "open", "journal");
    int result = em_io_list(sys, fd, see, &list);
    EM_SYS(sys, close, fd);
    if (result < 0)
        return em_state_fail(err, result, "list", "journal");
    EM_TRY(list.status);
    if (list.count > 0)
        qsort(list.names, list.count, sizeof *list.names, compare_names);
    *names = list.names;
    *count = list.count;
    return EM_OK;
}
