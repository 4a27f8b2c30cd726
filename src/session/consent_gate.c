/* consent_gate.c: what a change that waits for a yes would write: noted, and later held against it.
 */
#include "session/consent_gate.h"

#include "system/hash.h"
#include "workspace/large.h"

em_status em_consent_hash_change(const em_consent_change *change, em_hash *out)
{
    EM_AUTO(em_hasher) hasher = {0};
    EM_TRY(em_hasher_start(&hasher));
    em_hasher_add_number(&hasher, (uint64_t)change->how);
    em_hasher_add_number(&hasher, change->mode);
    em_hasher_add_number(&hasher, change->backup);
    for (size_t i = 0; i < change->splices.count; i++) {
        const em_splice *splice = &change->splices.items[i];
        em_hasher_add_number(&hasher, splice->offset);
        em_hasher_add_number(&hasher, splice->length);
        em_hasher_add_text(&hasher, splice->insert);
    }
    *out = em_hasher_end(&hasher);
    return EM_OK;
}

/* ---- What would be written is noted ---------------------------------------------------------- */

static em_status keep_splices(em_splices from, em_arena *arena, em_splices *to)
{
    em_splice *items = em_alloc_array(arena, from.count, sizeof *items);
    if (!items)
        return EM_E_NOMEM;
    for (size_t i = 0; i < from.count; i++) {
        const char *insert = em_arena_string(arena, from.items[i].insert);
        if (!insert)
            return EM_E_NOMEM;
        items[i] = from.items[i];
        items[i].insert.ptr = insert;
    }
    *to = (em_splices){items, from.count};
    return EM_OK;
}

static em_hash hash_before(const em_file *file)
{
    return file->exists ? file->hash : (em_hash){.hex = ""};
}

/* What is made is there for the changes behind it. */
static em_status note_made(const em_session *session, const em_intended *item)
{
    em_consent *consent = session->consent;
    if (item->how != EM_INTENDED_MAKE)
        return EM_OK;
    EM_TRY(em_arena_grow(&consent->arena, (void **)&consent->made, consent->made_count,
                         &consent->made_room, sizeof *consent->made));
    consent->made[consent->made_count++] = item->path;
    em_ws_foresee(session->workspace, (em_paths){consent->made, consent->made_count});
    return EM_OK;
}

static em_status note(const em_session *session, const em_consent_change *change)
{
    em_consent *consent = session->consent;
    em_arena *arena = &consent->arena;
    em_intended item = {.how = change->how,
                        .before = hash_before(change->file),
                        .size_before = change->file->exists ? change->file->size : 0,
                        .diff_truncated = change->diff_truncated,
                        .lines_added = change->lines_added,
                        .lines_removed = change->lines_removed,
                        .backup = change->backup};
    item.path = em_arena_string(arena, em_slice_of(change->file->path));
    item.rel = em_arena_string(arena, em_slice_of(change->file->rel));
    item.diff = em_arena_string(arena, em_slice_of(change->diff));
    if (!item.path || !item.rel || !item.diff)
        return EM_E_NOMEM;
    if (em_ws_names_left(change->file) > 0) {
        item.dev = change->file->stat.dev;
        item.ino = change->file->stat.ino;
    }
    EM_TRY(keep_splices(change->splices, arena, &item.splices));
    EM_TRY(em_consent_hash_change(change, &item.change));
    EM_TRY(em_arena_grow(arena, (void **)&consent->items, consent->count, &consent->room,
                         sizeof *consent->items));
    consent->items[consent->count++] = item;
    return note_made(session, &item);
}

/* ---- What was noted may be written ----------------------------------------------------------- */

static bool is_overtaken(const em_intended *item, const em_file *file)
{
    return item->is_overtaken || !em_hash_eq(item->before, hash_before(file));
}

/* What comes next of this file. */
static em_intended *next_of(const em_consent *consent, const char *path)
{
    for (size_t i = 0; i < consent->count; i++) {
        em_intended *item = &consent->items[i];
        if (!item->was_made && strcmp(item->path, path) == 0)
            return item;
    }
    return NULL;
}

static em_status fail_changed(em_error *err, const char *why)
{
    return em_fail_cause(err, EM_E_CONFLICT, EM_CAUSE_CHANGED, "%s", why);
}

static em_status fail_overtaken(const em_file *file, em_error *err)
{
    return fail_changed(err, file->exists ? EM_CONSENT_OVERTAKEN
                                          : "it was removed while the change waited for a yes");
}

static em_status fail_refused(const em_consent *consent, em_error *err)
{
    *err = consent->refusal;
    return consent->refusal.code;
}

static em_status check(const em_consent *consent, const em_consent_change *change, em_error *err)
{
    em_intended *item = next_of(consent, change->file->path);
    em_hash hash;
    if (!item)
        return fail_changed(err, "the change would be of a file that nobody was asked about");
    if (is_overtaken(item, change->file))
        return fail_overtaken(change->file, err);
    EM_TRY(em_consent_hash_change(change, &hash));
    if (!em_hash_eq(item->change, hash))
        return fail_changed(err, "the change is not any more what somebody was asked about");
    item->was_made = true;
    return EM_OK;
}

/* ---- The face ------------------------------------------------------------------------------ */

bool em_consent_asks(const em_session *session)
{
    return em_consent_notes(session) && !session->consent->is_rehearsal;
}

bool em_consent_rehearses(const em_session *session)
{
    return em_consent_notes(session) && session->consent->is_rehearsal;
}

bool em_consent_notes(const em_session *session)
{
    return session->consent && session->consent->stage == EM_CONSENT_ASKS;
}

bool em_consent_holds_back(const em_session *session)
{
    return session->consent && session->consent->stage != EM_CONSENT_GIVEN;
}

em_status em_consent_pass(const em_session *session, const em_consent_change *change, em_error *err)
{
    em_consent *consent = session->consent;
    if (!consent)
        return EM_OK;
    switch (consent->stage) {
    case EM_CONSENT_ASKS:
        return note(session, change);
    case EM_CONSENT_GIVEN:
        return check(consent, change, err);
    case EM_CONSENT_WITHHELD:
        break;
    }
    return fail_refused(consent, err);
}

bool em_consent_overtaken(const em_session *session, const em_file *file)
{
    if (!session->consent || em_consent_notes(session))
        return false;
    const em_intended *item = next_of(session->consent, file->path);
    return item ? is_overtaken(item, file) : session->consent->count == 0;
}

em_status em_consent_check_file(const em_session *session, const em_file *file, em_error *err)
{
    if (!em_consent_overtaken(session, file))
        return EM_OK;
    if (session->consent->stage == EM_CONSENT_GIVEN)
        return fail_overtaken(file, err);
    return fail_refused(session->consent, err);
}

/* ---- What earlier changes of the call would have left ----------------------------------- */

bool em_consent_makes(const em_session *session, const char *path)
{
    const em_intended *item = next_of(session->consent, path);
    return item && item->how == EM_INTENDED_MAKE;
}

bool em_consent_found(const em_session *session, const char *path, em_hash *hash, uint64_t *size)
{
    const em_intended *first = em_consent_notes(session) ? next_of(session->consent, path) : NULL;
    if (!first)
        return false;
    *hash = first->before;
    *size = first->size_before;
    return true;
}

static em_status lay_in(const em_intended *item, em_arena *arena, em_file *file, em_error *err)
{
    em_content content = {.old = file->bytes, .splices = item->splices};
    em_slice bytes;
    if (!em_hash_eq(item->before, hash_before(file)))
        return fail_changed(err, EM_CONSENT_OVERTAKEN);
    EM_TRY(em_content_join(&content, arena, &bytes));
    file->exists = true;
    file->bytes = bytes;
    file->size = bytes.len;
    file->hash = em_hash_of(bytes);
    return EM_OK;
}

/* Does `path` lead through `folder`? */
static bool is_below(const char *path, const char *folder)
{
    size_t length = strlen(folder);
    return strncmp(path, folder, length) == 0 && path[length] == '/';
}

/* A name that an earlier change would have taken from the file's content. */
static void leave_name(const em_intended *item, em_file *file)
{
    bool is_own = strcmp(item->path, file->path) == 0;
    bool is_its = item->ino != 0 && item->ino == file->stat.ino && item->dev == file->stat.dev;
    if (is_its && is_own)
        file->stat.nlink = 1; /* of the content that came instead */
    else if (is_its && file->stat.nlink > 1)
        file->stat.nlink--;
}

em_status em_consent_overlay(const em_session *session, em_arena *arena, em_file *file,
                             em_error *err)
{
    const em_consent *consent = session->consent;
    if (!em_consent_notes(session))
        return EM_OK;
    for (size_t i = 0; i < consent->count; i++) {
        const em_intended *item = &consent->items[i];
        if (!file->exists && item->how == EM_INTENDED_MAKE && is_below(item->path, file->path))
            return em_fail(err, EM_E_IS_FOLDER, "%s is a folder", file->rel);
        leave_name(item, file);
        if (strcmp(item->path, file->path) != 0)
            continue;
        if (file->is_large)
            EM_TRY(em_large_load(session->workspace, file, err));
        EM_TRY(lay_in(item, arena, file, err));
    }
    return EM_OK;
}
