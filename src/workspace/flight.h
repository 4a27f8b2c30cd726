/* flight.h: one change on its way to the disk: what its steps hand on to each other.
 */
#ifndef EM_WORKSPACE_FLIGHT_H
#define EM_WORKSPACE_FLIGHT_H

#include "system/names.h"
#include "workspace/content.h"
#include "workspace/ws.h"

typedef struct em_flight {
    em_workspace *ws;
    em_file *file;
    em_file_state *at; /* where the file is */
    const em_change *change;
    const em_file *like; /* whose owner, mode and attributes a file that is made gets; NULL */
    em_content content;
    em_arena *arena; /* of the call */
    em_commit_report *report;
    em_error *err;

    em_row row;              /* row.id != 0: it is recorded */
    bool inverse_due;        /* row.inverse is still to be made */
    char temp[EM_TEMP_SIZE]; /* the temporary name */
    int fd;                  /* the new content; -1 before there is any */
    bool synced;             /* it is durable, or need not be */
    em_stat staged;          /* of it; from when it gets its name on, with its last times */
    em_hash attributes;      /* of the file that it takes them from (em_stage_hash_attributes) */
    uint32_t other_names;    /* hard links of the file, which keep the old content */
    bool may_be_named;       /* the temporary name was given, or at least tried */
    bool stray_is_foreign;   /* others have written to it before the exchange: it stays */
    bool exchanged;          /* the target is new, the temporary name holds what was there */
    bool old_gone;           /* the target is new, nothing holds what was there */
    bool backup_made;        /* the backup is there already, before the change */
    em_stat backup;          /* of it; ino 0: it was made, and could not be looked at since */
    bool unfinished;         /* recovery has to end it: the row stays pending */
    int folder;              /* of a create: where the name goes; -1 before */
    size_t folders_found;    /* of a create: that many of the missing folders others have made */
} em_flight;

/* The new content. */
static inline em_io_file em_flight_new_file(const em_flight *f)
{
    return (em_io_file){f->ws->sys, f->fd, f->file->path};
}

/* A name in the folder where the file is. */
static inline em_entry em_flight_entry(const em_flight *f, const char *name)
{
    return (em_entry){f->ws->sys, f->at->place.dir, name, f->file->path};
}

/* ---- Steps that several kinds of change have in common (commit.c) -------------------------- */

/* Was the file opened for a change, and do the splices fit it? */
em_status em_flight_check_request(const em_flight *f);

/* Everything that the row says but for the new content and the way back: f->row, f->temp. */
em_status em_flight_prepare(em_flight *f);

/* The way back, f->row.inverse, where it is due and em_flight_stage() has not made it. */
em_status em_flight_make_inverse(em_flight *f);

/* Which other names the file has; the row notes that there are some. */
void em_flight_note_links(em_flight *f);

/* 3: the new content in a file without a name, complete. Where the file system cannot do without a
 * name, the row comes first (4), and the content is synced. */
em_status em_flight_stage(em_flight *f);

/* What is on the disk of it: f->staged. */
em_status em_flight_stat_staged(em_flight *f);

/* 4: write down what is going to be done. */
em_status em_flight_record(em_flight *f, bool durable);

/* 5: the new content is made durable, or where syncing is off, known to have found room; what is
 * given a name must be. */
em_status em_flight_sync_content(em_flight *f);

/* 5: that, and the temporary name. */
em_status em_flight_give_name(em_flight *f);

/* Is the folder still where it was found beneath the root? EM_E_CONFLICT. */
em_status em_flight_check_folder(const em_flight *f);

/* 6: is the target still what was read, as far as a stat can tell? EM_E_CONFLICT. */
em_status em_flight_check_stamp(const em_flight *f);

/* 6: under its temporary name others can write into the new content, or save over it. Its times are
 * those from before it got that name; where a file system has set them since, what is in it tells.
 * EM_E_IO: it is not ours any more. */
em_status em_flight_check_stray(em_flight *f);

/* 6: with both checks, exchange the two names. *unsupported: this file system cannot, and nothing
 * happened. EM_E_CONFLICT. */
em_status em_flight_exchange(em_flight *f, bool *unsupported);

/* 6: take the target's place, by exchange where the system can. EM_E_CONFLICT. */
em_status em_flight_publish(em_flight *f);

/* Is it our new content that the temporary name stands for? */
em_status em_flight_stray_is_ours(const em_flight *f, bool *ours, em_error *err);

/* 7: what came out must be what was read. EM_E_CONFLICT. */
em_status em_flight_check_old(em_flight *f);

/* 7: somebody removed what came out before it was looked at, so nothing can be put back. With ours
 * in place the change is made, and told so; else EM_E_CONFLICT. */
em_status em_flight_take_old_for_removed(em_flight *f);

/* 7: an exchange of names gives both files a new ctime, so that no stat tells whether somebody has
 * set an attribute or an ACL just before it. *same: those of what came out, which is open as `fd`,
 * are those that the new content was given. */
em_status em_flight_check_attributes(const em_flight *f, int fd, bool *same);

/* 7: what came out had more names than when it was read: those are told, too. */
void em_flight_note_new_links(em_flight *f, const em_stat *old);

/* 7: others may have written to the new content between the last look at it and the exchange, or
 * since then: a warning. */
void em_flight_look_at_new(em_flight *f);

/* 8: make the names in the folder durable; a failure is a warning. */
void em_flight_sync_folder(em_flight *f, int dir);

/* 10: the row becomes a commit, or is dropped without a history. */
void em_flight_settle_row(em_flight *f, em_row_state state);

/* Remove the temporary name if it stands for our file; false when that is not known to be done. */
bool em_flight_remove_stray(em_flight *f);

/* After an error: remove the temporary name if it is ours, then the row, unless it is
 * unfinished. */
void em_flight_remove_traces(em_flight *f);

/* What the caller is told of a change that is made. */
void em_flight_report(em_flight *f);

/* What a failure means to the caller, whose path was found when the file was opened. So "not found"
 * says that somebody else has removed the file or its folder since, and is a conflict; and what is
 * wrong with another name of the change (it exists, lies outside, is a folder) says nothing of the
 * caller's path, and is EM_E_IO. EM_E_EXISTS stays that of a file that is made. What is refused
 * because its folder was moved is a conflict, too. */
em_status em_flight_translate(const em_flight *f, em_status status);

/* What a call of the table returned for the file: "CALL PATH: what is wrong". */
em_status em_flight_fail(const em_flight *f, ssize_t result, const char *call);

/* The same of a name that could not be given. It is not gone where /proc is what is missing. */
em_status em_flight_fail_link(const em_flight *f, int result, const char *call);

/* EM_E_CONFLICT: somebody else changed it. */
em_status em_flight_conflict(const em_flight *f, const char *what);

/* Something that the caller should know although the change is made. */
void em_flight_warn(em_flight *f, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Add to what an error says. */
void em_flight_tell_more(em_flight *f, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* ---- Kinds of change ----------------------------------------------------------------------- */

/* A file that was missing is made, with its folders (create.c). */
em_status em_flight_create(em_flight *f);

/* Its steps 5 and 6, from the temporary name; f->folder is then the caller's. */
em_status em_flight_publish_new(em_flight *f);

/* A file that cannot be replaced is written over (in_place.c). */
em_status em_flight_in_place(em_flight *f);

#endif
