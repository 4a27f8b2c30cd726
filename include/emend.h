/* emend.h: change text files without changing anything else.
 *
 * A plan says what edits would do to a text; making one changes nothing. It can be walked splice by
 * splice, applied in memory, shown as a diff, or committed to the file it was made for: whole, or
 * not at all, and never over what somebody else saved meanwhile.
 *
 *   emend_session ──▶ emend_file ──▶ emend_text ──▶ emend_plan
 *                         ╰──────── emend_commit ────────╯
 *
 * Ownership. What a function gives in an `out` argument is the caller's and goes back to the
 * `_free` or `_close` of its type; a `char *` goes back to emend_free(). Everything `const`, every
 * slice and every field of a report is borrowed from the handle that it came from. Handles are
 * given back in the order: plan, text or file, session. NULL may be given back.
 *
 * Errors. A function that can fail returns an emend_status and fills *err, which may be NULL. On
 * failure it gives out NULL and leaves its arguments as they were.
 *
 * Threads. No setting and no error belongs to the process. What its sessions share inside (a queue
 * for each history, what was found out once about the system) is guarded, and changes no answer. A
 * session and its files belong to one thread at a time; threads that work side by side have a
 * session each, over the same files if they like. A text and a plan never change once they are
 * made.
 *
 * Text in arguments and answers is UTF-8. Offsets and lengths are in bytes. Lines and columns count
 * from 1, columns in Unicode code points.
 */
#ifndef EMEND_H
#define EMEND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if defined(__GNUC__)
#define EMEND_API __attribute__((visibility("default")))
#else
#define EMEND_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Version ------------------------------------------------------------------------------- */

#define EMEND_VERSION_MAJOR 0
#define EMEND_VERSION_MINOR 1
#define EMEND_VERSION_PATCH 0

/* The version of the library that is linked, "0.1.0"; static. */
EMEND_API const char *emend_version(void);

/* ---- Slices -------------------------------------------------------------------------------- */

/* Bytes that somebody else owns. They may hold NUL and need not end in one; ptr may be NULL when
 * len is 0. */
typedef struct emend_slice {
    const char *ptr;
    size_t len;
} emend_slice;

/* A slice over a NUL-terminated string, without the NUL. */
static inline emend_slice emend_string(const char *string)
{
    emend_slice slice;
    slice.ptr = string;
    slice.len = strlen(string);
    return slice;
}

/* Give back a `char *` that the library gave out. */
EMEND_API void emend_free(char *bytes);

/* ---- Errors -------------------------------------------------------------------------------- */

typedef enum emend_status {
    EMEND_OK = 0,
    EMEND_E_NOMEM, /* memory ran out */

    EMEND_E_INVALID,        /* an argument, or a text, that cannot be used */
    EMEND_E_TOO_MANY_EDITS, /* more edits than the session takes at once */
    EMEND_E_TOO_LARGE,      /* the file is bigger than the session takes */

    EMEND_E_NO_MATCH, /* the search text is not there */
    EMEND_E_COUNT,    /* it is there, but not as often as expected */
    EMEND_E_OVERLAP,  /* two edits want the same bytes */

    EMEND_E_NOT_FOUND,   /* no such file */
    EMEND_E_EXISTS,      /* a file that was to be created is there already */
    EMEND_E_OUTSIDE,     /* the path resolves outside the roots */
    EMEND_E_DENIED,      /* refused by a rule: .git/, deny, read_only */
    EMEND_E_PERMISSION,  /* refused by the system, or the file's owner cannot be kept */
    EMEND_E_IS_FOLDER,   /* a folder, where a file is needed */
    EMEND_E_NOT_REGULAR, /* a FIFO, a device or a socket */
    EMEND_E_PATH,        /* a loop of links, or a name that is too long */
    EMEND_E_BINARY,      /* the file is not text */
    EMEND_E_CONFLICT,    /* somebody else changed it: look again */
    EMEND_E_TIMEOUT,     /* a lock was not to be had in time, or a search took too long */
    EMEND_E_IO,          /* the system failed to read, write or sync */
    EMEND_E_UNSETTLED,   /* an earlier change was cut short and waits for a person: emend recover */
    EMEND_E_UNKNOWN,     /* what became of this change will be known after: emend recover */

    EMEND_E_INTERNAL, /* a fault of the library */
} emend_status;

/* One word for a status, "no_match"; static. "unknown" for what is none. */
EMEND_API const char *emend_status_name(emend_status status);

enum { EMEND_NO_EDIT = -1, EMEND_DETAIL_SIZE = 512, EMEND_ERROR_PLACES = 16 };

/* How exactly a search text stands in a text, strictest first. What is looser than a policy allows
 * is never replaced. */
typedef enum emend_tier {
    EMEND_EXACT,      /* the same bytes (line endings aside) */
    EMEND_WHITESPACE, /* the same but for blanks, indentation and blank lines */
    EMEND_TOKEN,      /* the same words and signs, whatever stands between and however written */
    EMEND_FUZZY,      /* but for small slips, dropped comments, cut edges, an elided middle */
} emend_tier;

/* A place in a text. The end is exclusive. */
typedef struct emend_place {
    size_t line, column;         /* where it begins in the text as it was before any edit */
    size_t end_line, end_column; /* where it ends there */
    bool inserted;   /* it begins in what an earlier edit inserted: the place is where that went */
    emend_tier tier; /* how it was found; in EMEND_E_NO_MATCH: EMEND_FUZZY, but EMEND_EXACT where
                        the text stands beside the lines that the edit is kept to */
    double score;    /* how similar it is to what was searched for, up to 1 */
} emend_place;

/* What went wrong. A plain value: there is nothing to give back. */
typedef struct emend_error {
    emend_status code;
    const char *cause; /* why, in a word that a program can act on: "ambiguous", "already_applied",
                          "no_change", ...; "" where the code says it all; static */
    int system;        /* errno of the system call that failed; 0 */
    ptrdiff_t edit;    /* the edit at fault, from 0; EMEND_NO_EDIT */
    ptrdiff_t other_edit; /* EMEND_E_OVERLAP: the edit it collides with; EMEND_NO_EDIT */
    size_t found;         /* EMEND_E_COUNT: how often the text stands there */
    emend_place places[EMEND_ERROR_PLACES]; /* EMEND_E_COUNT: the first of those places.
                                               EMEND_E_NO_MATCH: what is most like it, behind
                                               where it stands beside the edit's lines */
    size_t place_count;                     /* how many of them are given here */
    char detail[EMEND_DETAIL_SIZE];         /* what exactly, for people; may be "" */
} emend_error;

/* ---- Texts --------------------------------------------------------------------------------- */

/* The bytes of a file, read as text. */
typedef struct emend_text emend_text;

typedef enum emend_eol {
    EMEND_EOL_NONE, /* there is no line ending, or none that occurs most */
    EMEND_EOL_LF,
    EMEND_EOL_CRLF,
    EMEND_EOL_CR,
} emend_eol;

/* Facts of a text. */
typedef struct emend_facts {
    const char *encoding; /* "utf-8", "utf-16le", "windows-1252"; "unknown-8bit" for what is not
                             UTF-8 and was not named: there only ASCII can be inserted */
    size_t bom_length;    /* bytes of byte order mark at its start: 0, 2, 3 or 4 */
    emend_eol eol;        /* the line ending that occurs most */
    size_t lines;         /* behind the last ending, too, if anything stands there */
} emend_facts;

/* Read `bytes`, which are borrowed until emend_text_free(), as text. `encoding` is a name of
 * iconv(3), or NULL to find out: a byte order mark decides, else it is UTF-8 or an unknown 8-bit
 * encoding. Expected failures: EMEND_E_BINARY (a NUL byte where neither a name nor a mark of UTF-16
 * or UTF-32 says that it is text, or such a mark before bytes that are not valid in it),
 * EMEND_E_INVALID (a name that is not known, another one than that of the byte order mark, or bytes
 * that are not valid in it), EMEND_E_NOMEM. */
EMEND_API emend_status emend_text_new(emend_slice bytes, const char *encoding, emend_text **out,
                                      emend_error *err);
EMEND_API void emend_text_free(emend_text *text);

EMEND_API emend_facts emend_text_facts(const emend_text *text);

/* The bytes it was made from. */
EMEND_API emend_slice emend_text_bytes(const emend_text *text);

/* The text in UTF-8, without a byte order mark: what edits are searched in. */
EMEND_API emend_slice emend_text_utf8(const emend_text *text);

/* ---- Edits --------------------------------------------------------------------------------- */

typedef enum emend_edit_kind {
    EMEND_REPLACE,       /* `find` becomes `replace` */
    EMEND_DELETE,        /* `find` goes */
    EMEND_INSERT_BEFORE, /* `replace` goes before `find` */
    EMEND_INSERT_AFTER,  /* ... behind it */
    EMEND_APPEND,        /* `replace` goes to the end of the text */
    EMEND_PREPEND,       /* ... to its start, behind a byte order mark */
    EMEND_LINES,         /* the lines first_line to last_line become `replace` */
    EMEND_REWRITE,       /* the whole text becomes `replace` */
} emend_edit_kind;

/* What to expect of an edit that takes every place there is, but at least one. */
#define EMEND_EVERY SIZE_MAX

enum {
    EMEND_REGEX = 1,       /* EMEND_REPLACE: `find` is a pattern of PCRE2, `replace` a template of
                              its extended substitution ($1, ${name}, $$) */
    EMEND_EXPECT_TEXT = 2, /* EMEND_LINES: the lines must still hold `find` */
};

/* One edit; fields that its kind does not name are ignored. Searches are literal and count without
 * overlap, from left to right. A line ending is kept as the file has it: LF in `find` and `replace`
 * stands for it. Only EMEND_REWRITE takes `replace` as it is. */
typedef struct emend_edit {
    emend_edit_kind kind;
    emend_slice find;             /* what to look for; empty finds only an empty text */
    emend_slice replace;          /* what comes there */
    size_t expect;                /* how often `find` must stand there; 0: once; EMEND_EVERY */
    size_t first_line, last_line; /* EMEND_LINES: which, both included. With a search text: look
                                     only there in the text as it was; 0: from its start, to its
                                     end */
    unsigned flags;               /* EMEND_REGEX, EMEND_EXPECT_TEXT */
} emend_edit;

typedef enum emend_order {
    EMEND_SEQUENTIAL, /* each edit sees the text that those before it left */
    EMEND_ORIGINAL,   /* each is located in the text as it was; no two may overlap */
} emend_order;

enum {
    EMEND_ALLOW_NO_CHANGE = 1,    /* the same text before and after is not a mistake; of
                                     EMEND_REWRITE it never is */
    EMEND_ALLOW_PLACEHOLDERS = 2, /* nor is "... rest unchanged ..." in a replacement */
};

/* How a list of edits is to be taken. */
typedef struct emend_policy {
    emend_order order;
    unsigned flags;   /* EMEND_ALLOW_... */
    emend_tier most;  /* the loosest tier that may be used where no stricter one finds anything.
                         Then it is the difference of `find` and `replace` that is laid onto the
                         text: what both have stays as the text has it */
    long deadline_ms; /* for all that is not exact; 0: 2 s; negative: none */
} emend_policy;

/* ---- Plans --------------------------------------------------------------------------------- */

/* What edits would do to a text: all of them, or there is no plan. It borrows the text, not the
 * edits. */
typedef struct emend_plan emend_plan;

/* One change of the file: `length` bytes at `offset` become `insert`. */
typedef struct emend_splice {
    size_t offset, length;
    emend_slice insert; /* in the file's encoding */
} emend_splice;

/* Plan `edits` on `text`; `policy` may be NULL: in sequence, exact, nothing allowed. err->edit is
 * the one at fault. Expected failures:
 *
 *   EMEND_E_NO_MATCH   the search text is not there. err->cause says what it got wrong, where that
 *                      is known ("indentation", "quotes", ...; "already_applied": its replacement
 *                      is there), and err->places what is most like it; or, where it is not in the
 *                      lines that the edit is kept to, the first places where it is
 *   EMEND_E_COUNT      it is not there as often as expected; err->places says where it is
 *   EMEND_E_TOO_MANY_EDITS  it is there more often than is changed at once: ten million times
 *   EMEND_E_OVERLAP    EMEND_ORIGINAL: two edits want the same bytes
 *   EMEND_E_CONFLICT   EMEND_EXPECT_TEXT: the lines hold something else
 *   EMEND_E_TIMEOUT    the deadline passed before a tier had ended; or EMEND_REGEX: the pattern
 *                      takes too long on this text
 *   EMEND_E_INVALID    an edit that cannot be done as it is: err->cause and err->detail say why.
 *                      Or an order or a tier in the policy that is none: then it is of no edit
 */
EMEND_API emend_status emend_plan_new(const emend_text *text, const emend_policy *policy,
                                      const emend_edit *edits, size_t count, emend_plan **out,
                                      emend_error *err);
EMEND_API void emend_plan_free(emend_plan *plan);

/* The splices over the bytes of the text, in order and disjoint. None: nothing changes.
 * An index past the last gives a splice of nothing at offset 0. */
EMEND_API size_t emend_plan_splice_count(const emend_plan *plan);
EMEND_API emend_splice emend_plan_splice(const emend_plan *plan, size_t index);

/* The places that edit number `edit` takes, from left to right. An index past the last gives a
 * place of zeros. */
EMEND_API size_t emend_plan_place_count(const emend_plan *plan, size_t edit);
EMEND_API emend_place emend_plan_place(const emend_plan *plan, size_t edit, size_t index);

/* The whole file as the plan leaves it: *length bytes and a NUL behind them, for emend_free().
 * EMEND_E_NOMEM. */
EMEND_API emend_status emend_plan_apply(const emend_plan *plan, char **out, size_t *length,
                                        emend_error *err);

/* The plan as a unified diff with three lines of context, for emend_free(): correct input for
 * `patch -p1`, unless the file is not in UTF-8 but its encoding is known (UTF-16, or a name that
 * was given): a diff is of the text in UTF-8. `path` stands in its first two lines; that a file is
 * new is told there. "" when nothing changes. EMEND_E_NOMEM. */
EMEND_API emend_status emend_plan_diff(const emend_plan *plan, const char *path, char **out,
                                       emend_error *err);

/* ---- Sessions ------------------------------------------------------------------------------ */

/* The folders that may be touched, and what lasts between two calls. */
typedef struct emend_session emend_session;

typedef enum emend_sync {
    EMEND_SYNC_FULL, /* what was committed survives power loss */
    EMEND_SYNC_DATA, /* without the folder's fsync */
    EMEND_SYNC_OFF,  /* no fsync */
} emend_sync;

/* All zero is a good choice. Strings and arrays are copied. */
typedef struct emend_session_options {
    const char *const *roots; /* files must lie in these folders; none: in the current folder */
    size_t root_count;
    const char *state_dir; /* where locks and the history are; NULL: as for the command line */
    emend_sync sync;
    bool no_history;                        /* record nothing: no edit can be undone */
    bool read_only;                         /* refuse every change */
    bool in_place;                          /* write over a file where it cannot be replaced */
    bool allow_owner_change;                /* change a file whose owner cannot be kept */
    bool allow_placeholders;                /* EMEND_ALLOW_PLACEHOLDERS for every tool */
    const char *const *deny, *const *allow; /* globs over resolved paths, relative to the root */
    size_t deny_count, allow_count;
    long lock_timeout_ms;   /* how long to wait for another process; 0: 5 s; negative: not */
    uint64_t max_file_size; /* bytes; 0: what a tool says, else no limit */
    size_t max_edits;       /* edits in one call; 0: the same */
    const char *client;     /* who calls, for the history; NULL */
} emend_session_options;

/* Open the roots; takes no lock and writes nothing. `options` may be NULL. Expected failures:
 * EMEND_E_NOT_FOUND, EMEND_E_PERMISSION for a root, EMEND_E_INVALID (a glob, a state directory or
 * a way to sync that is none). */
EMEND_API emend_status emend_session_new(const emend_session_options *options, emend_session **out,
                                         emend_error *err);
EMEND_API void emend_session_free(emend_session *session);

/* ---- Files --------------------------------------------------------------------------------- */

/* A file as it was read. Unless it is open for reading only, it is locked against other sessions,
 * of any process, until it is closed. */
typedef struct emend_file emend_file;

enum {
    EMEND_READ_ONLY = 1,      /* no lock, and no commit: for every file that may be read, be it one
                                 that may not be changed */
    EMEND_MAY_BE_MISSING = 2, /* a file that is not there is an empty text: a commit creates it */
    EMEND_MUST_BE_NEW = 4,    /* the same, and it is an error if it is there */
    EMEND_BACKUP = 8,         /* a commit keeps the old content as NAME.bak (.bak1, ...) */
};

typedef struct emend_file_options {
    unsigned flags;
    const char *encoding;      /* as for emend_text_new() */
    const char *expected_hash; /* fail unless the content has this hash; "": unless it is missing;
                                  NULL: not asked */
} emend_file_options;

/* Resolve `path` (relative to the first root, or absolute), lock the file, and read it. `options`
 * may be NULL. That the file may not be written is not told before a commit. Expected failures:
 * EMEND_E_NOT_FOUND, EMEND_E_EXISTS, EMEND_E_OUTSIDE, EMEND_E_DENIED, EMEND_E_PERMISSION (it may
 * not be read), EMEND_E_IS_FOLDER, EMEND_E_NOT_REGULAR, EMEND_E_PATH, EMEND_E_TOO_LARGE,
 * EMEND_E_BINARY, EMEND_E_INVALID (an empty path, an encoding), EMEND_E_CONFLICT (the hash is
 * another), EMEND_E_TIMEOUT (the lock), EMEND_E_UNSETTLED, EMEND_E_IO.
 */
EMEND_API emend_status emend_file_open(emend_session *session, const char *path,
                                       const emend_file_options *options, emend_file **out,
                                       emend_error *err);

/* Close it and give its lock back. */
EMEND_API void emend_file_close(emend_file *file);

EMEND_API const emend_text *emend_file_text(const emend_file *file);
EMEND_API bool emend_file_exists(const emend_file *file);      /* false: it is to be created */
EMEND_API const char *emend_file_path(const emend_file *file); /* absolute, links resolved */
EMEND_API const char *emend_file_name(const emend_file *file); /* the same below its root: "a/b" */
EMEND_API const char *emend_file_hash(const emend_file *file); /* XXH3-128 of what was read, 32 hex
                                                                  digits; "" if it is missing */

typedef struct emend_report {
    bool written;                /* false where the plan changes nothing */
    bool created;                /* the file was not there before */
    const char *edit_id;         /* its number in the history; "" where nothing was recorded */
    const char *hash;            /* of the content now; "" where there is no file */
    uint64_t size;               /* of the content now, bytes */
    int64_t mtime_ms;            /* of the file now, ms since 1970 */
    const char *backup_path;     /* below its root; NULL */
    const char *const *warnings; /* sentences about what the caller should know all the same */
    size_t warning_count;
} emend_report;

/* Make `plan`, which must be of the file's own text, true on disk: atomically, with mode, owner,
 * ACLs and extended attributes kept, recorded in the history, durable as the session's sync says.
 * A file can be committed once; afterwards it can only be closed. `report` may be NULL; it is
 * borrowed from the file.
 *
 * On failure nothing was changed, but with EMEND_E_UNKNOWN: what was begun could not be taken back,
 * or nobody knows whether the disk has it; `emend recover` tells. Expected failures:
 * EMEND_E_CONFLICT and EMEND_E_EXISTS (somebody else changed or made the file since it was opened;
 * what they wrote stays), EMEND_E_PERMISSION, EMEND_E_IO, EMEND_E_TOO_LARGE (the file would become
 * larger than the session allows), EMEND_E_TOO_MANY_EDITS (of its max_edits, which plans do not
 * know), EMEND_E_TIMEOUT (others kept the history busy), EMEND_E_INVALID (a plan of another text, a
 * file that is open for reading only or was committed before). Where the plan changes nothing,
 * nothing is written, but that the file is still as it was read is made sure of: EMEND_E_CONFLICT.
 */
EMEND_API emend_status emend_commit(emend_file *file, const emend_plan *plan, emend_report *report,
                                    emend_error *err);

/* ---- Tools, in JSON ------------------------------------------------------------------------ */

/* Call a tool by its name, as `emend call` does. `arguments` is a JSON object; NULL and null count
 * as {}. *answer is JSON, for emend_free(): the tool's object, or a string where it answers with
 * text. *is_error says whether the tool refused or failed, and the answer why. What is not exactly
 * there is looked for for 2 s at most.
 *
 * EMEND_OK: there is an answer. Else there is none: EMEND_E_INVALID (no such tool, or arguments
 * that are not a JSON object), EMEND_E_NOMEM. */
EMEND_API emend_status emend_call(emend_session *session, const char *tool, const char *arguments,
                                  char **answer, bool *is_error, emend_error *err);

/* Every tool with its description and the JSON Schema of its arguments, as a JSON array, for
 * emend_free(). NULL when memory ran out. */
EMEND_API char *emend_tools_json(void);

#ifdef __cplusplus
}
#endif

#endif
