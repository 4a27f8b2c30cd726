/* status.h: how every function of emend says that it failed.
 *
 * A function that can fail returns an em_status, and where the caller needs to know more it fills
 * an em_error that the caller owns. An error is data: which code, which cause, which edit. The
 * sentence that a user reads is written once, where the answer is rendered. Nothing is printed
 * here and nothing is kept per thread.
 */
#ifndef EM_BASE_STATUS_H
#define EM_BASE_STATUS_H

#include <stddef.h>

typedef enum em_status {
    EM_OK = 0,
    EM_E_NOMEM, /* memory ran out */

    /* the request */
    EM_E_INVALID,        /* an argument, or a text, that cannot be used */
    EM_E_TOO_MANY_EDITS, /* more edits than --max-edits, or than the dialect takes */
    EM_E_TOO_LARGE,      /* the file is beyond --max-file-size, or the dialect's limit */

    /* the place in the text */
    EM_E_NO_MATCH, /* the search text is not there */
    EM_E_COUNT,    /* it is there, but not as often as expected */
    EM_E_OVERLAP,  /* two edits want the same bytes */

    /* the file */
    EM_E_NOT_FOUND,   /* no such file */
    EM_E_EXISTS,      /* a file that was to be created is there already */
    EM_E_OUTSIDE,     /* the path resolves outside the roots */
    EM_E_DENIED,      /* refused by a rule: .git/, --deny, --read-only */
    EM_E_PERMISSION,  /* refused by the system, or the owner cannot be kept */
    EM_E_IS_FOLDER,   /* a folder */
    EM_E_NOT_REGULAR, /* a FIFO, a device, a socket */
    EM_E_PATH,        /* a symlink loop, or a name that is too long */
    EM_E_BINARY,      /* not text */
    EM_E_CONFLICT,    /* somebody else changed it */
    EM_E_TIMEOUT,     /* a lock or the deadline ran out */
    EM_E_IO,          /* the system failed to read, write or sync */
    EM_E_UNSETTLED,   /* an earlier change waits for a person: `emend recover` */
    EM_E_UNKNOWN,     /* what became of this change, `emend recover` will find out */

    EM_E_INTERNAL, /* our own fault */
} em_status;

/* Why an edit was refused, in a word that a program can act on; em_cause_name() is what answers
 * show. EM_CAUSE_NONE where the status says it all. */
typedef enum em_cause {
    EM_CAUSE_NONE = 0,
    EM_CAUSE_NOT_FOUND,       /* no such text, and nothing more is known */
    EM_CAUSE_AMBIGUOUS,       /* it stands there more often than expected */
    EM_CAUSE_TOO_FEW,         /* it stands there less often than expected */
    EM_CAUSE_ALREADY_APPLIED, /* the replacement stands there, the search text does not */
    EM_CAUSE_NO_CHANGE,       /* what would come is what is there */
    EM_CAUSE_EMPTY_SEARCH,    /* an empty search text on a file that is not empty */
    EM_CAUSE_PLACEHOLDER,     /* the replacement leaves something out ("... rest unchanged ...") */
    EM_CAUSE_OVERLAP,         /* two edits want the same bytes */
    EM_CAUSE_ENCODING,        /* the file's encoding cannot hold the text, or is not known, or the
                                 file is not valid in it */
    EM_CAUSE_NUL,             /* NUL in a replacement */
    EM_CAUSE_PATTERN,         /* a pattern, or the template for it, that is malformed */
    EM_CAUSE_RANGE,           /* a line range beyond the file */
    EM_CAUSE_STALE_TEXT,      /* a line range no longer holds the expected text */
    EM_CAUSE_CHANGED,         /* the file is not what the caller read */
    EM_CAUSE_TWIN_NAME,       /* a name in another normal form of Unicode is there: the detail */
    EM_CAUSE_REFUSED,         /* a person said no; the detail is the reason, if one was given */
    EM_CAUSE_UNANSWERED,      /* nobody said yes in time; the detail says how long that was */
    EM_CAUSE_CANNOT_ASK,      /* a person would have to be asked, and nobody can be */
    EM_CAUSE_PAGE,            /* the elements of a page cannot be edited; the detail says why */
    EM_CAUSE_STATE_DIR,       /* the state directory is not this user's alone, not outside of the
                                 roots, cannot be written, or is full: the detail */
} em_cause;

enum { EM_NO_EDIT = -1, EM_DETAIL_SIZE = 512 };

typedef struct em_error {
    em_status code;
    em_cause cause;
    int sys;                     /* errno of the call that failed, 0 if none */
    ptrdiff_t edit;              /* index of the edit at fault, from 0; EM_NO_EDIT if none is */
    char detail[EM_DETAIL_SIZE]; /* what exactly: "fsync: No space left on device"; may be "" */
} em_error;

#define EM_ERROR_INIT ((em_error){.edit = EM_NO_EDIT})

/* Cut the detail to `most` bytes at most, between two code points: for one that becomes a part of
 * another. */
void em_error_cut(em_error *err, size_t most);

/* Set *err (which may be NULL) and return `code`, so that failing is one statement. The edit index
 * that *err already holds stays. Text beyond EM_DETAIL_SIZE is cut between two code points. */
em_status em_fail(em_error *err, em_status code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* `status`, as something returned it that may not have told: where it failed, *err (which may be
 * NULL) says so at least. What ran out of memory tells nothing. */
em_status em_fail_at_least(em_error *err, em_status status);

/* em_fail() for an edit that cannot be planned, with its cause. */
em_status em_fail_cause(em_error *err, em_status code, em_cause cause, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* The same for a system call: the code follows from `sys` (an errno), the detail is
 * "WHAT: strerror(sys)". */
em_status em_fail_sys(em_error *err, int sys, const char *what);

/* Which code an errno stands for: ENOENT is EM_E_NOT_FOUND, EACCES and EROFS are EM_E_PERMISSION,
 * ELOOP and ENAMETOOLONG are EM_E_PATH, ..., everything else is EM_E_IO. */
em_status em_status_of_errno(int sys);

/* The word for a cause in answers ("ambiguous", "already_applied", ...); "" for EM_CAUSE_NONE. */
const char *em_cause_name(em_cause cause);

/* Return from the function around with any status that is not EM_OK. */
#define EM_TRY(call)                                                                               \
    do {                                                                                           \
        em_status em_try_status = (call);                                                          \
        if (em_try_status != EM_OK)                                                                \
            return em_try_status;                                                                  \
    } while (0)

/* `EM_AUTO(em_strbuf) out = {0};` drops `out` with em_strbuf_drop(&out) at the end of its scope. */
#define EM_AUTO(T) __attribute__((cleanup(T##_drop))) T

#endif
