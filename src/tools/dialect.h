/* dialect.h: what a tool family is.
 *
 * A dialect is one file: tables of parameters, and for each tool a function that turns checked
 * arguments into a request to the session and the outcome into an answer. It knows words; never
 * bytes on disk, and never how a request arrived.
 *
 * One table of parameters gives the JSON Schema, the check of the arguments with its messages, and
 * the nearest name for one that is unknown.
 */
#ifndef EM_TOOLS_DIALECT_H
#define EM_TOOLS_DIALECT_H

#include "session/session.h"

#include <jansson.h>

typedef enum em_param_type {
    EM_P_STRING,
    EM_P_NAME, /* a string, not empty, without NUL */
    EM_P_PATH, /* the same, and the path of a file */
    EM_P_INTEGER,
    EM_P_NUMBER,
    EM_P_BOOL,
    EM_P_BOOL_OR_WORD, /* true, false, or one of `words` */
    EM_P_OBJECT,       /* with `fields`; without: any object */
    EM_P_LIST,         /* of objects with `fields`, or of `item` */
} em_param_type;

enum {
    EM_P_REQUIRED = 1,
    EM_P_NULLABLE = 2, /* null counts as not given; in an answer: it may be null */
    EM_P_NONEMPTY = 4, /* a list with at least one element */
    EM_P_NUMERAL = 8,  /* a name that is a number mostly: one that came as an integer is that one */
    EM_P_CHOOSES = 16, /* what is done depends on it: an empty one is no reason to do without */
};

/* One way to fill an object that can be filled in several; names are those of its table. A list of
 * these ends with one whose name is NULL. Rows of one name stand together: they are one form, whose
 * needs depend on the value of `chooser`. */
typedef struct em_form {
    const char *name;            /* "basic" */
    const char *const *needs;    /* what must be given, NULL-terminated */
    const char *const *excludes; /* what must not, NULL-terminated; empty strings do not count */
    const char *chooser;         /* NULL: the row holds always */
    const char *const *values;   /* else where the chooser is one of these, NULL-terminated */
} em_form;

/* What is said here by one word and by one of a second parameter other tools say by a word for the
 * second one alone: they append, where this one inserts at "beforeend". */
typedef struct em_word_pair {
    const char *word;         /* "insertAdjacentHTML" */
    const char *second;       /* the parameter "position" */
    const char *const *words; /* of that; NULL-terminated */
} em_word_pair;

/* A table of these ends with one whose name is NULL. Aliases are taken but not shown. */
typedef struct em_param {
    const char *name;
    em_param_type type;
    unsigned flags;
    const char *help;
    const char *alias;    /* another name for the same; NULL */
    const char *place_of; /* what has its place in other tools, a word of theirs; NULL */
    const char *beside;   /* where it has that place: beside this parameter; NULL: always */
    const struct em_param *fields; /* of an object, or of a list's objects */
    const em_form *forms;          /* the ways to fill these; NULL: any */
    em_param_type item;            /* of a list without fields */
    json_int_t minimum, maximum;   /* of an integer; both 0: no bounds; maximum < minimum: no upper
                                      bound */
    const char *const *words;      /* the only strings allowed, NULL-terminated; NULL: any */
    const em_word_pair *pair;      /* of a parameter with `words`; NULL */
    const struct em_foreign_words *foreign; /* of a parameter with `words`; NULL */
    const char *fallback;                   /* the default as JSON text, for the schema; NULL */
    const char *(*text_for)(const json_t *object, const json_t *value); /* of a string: what a value
                                      that is none says in such an object, NULL where that is not
                                      clear; NULL: it never is */
    bool (*is_meant)(const json_t *object, const char *name); /* does an unknown name in such an
                                      object mean it, by what else the object says? NULL: no */
} em_param;

/* How a call came in and what it may use. Everything is borrowed. */
typedef struct em_call {
    em_session *session;
    em_arena *arena;
    const struct em_tool *tool;
    const struct em_toolset *offered; /* to name only tools that the caller has */
    const json_t *arguments;          /* an object, checked against the tool's table */
    const char *named_session;        /* what the argument `session` stands for; NULL: for itself */
    bool stateless;                   /* no handshake: answers carry what a caller must keep */
    bool over_mcp;                    /* a model pays for every byte */
    bool is_command;                  /* no server runs: who reads the answer gave the flags */
    bool is_trial; /* of arguments that nobody sent yet, to see what would come of them: a dry run
                      (em_session_set_trial), whose answer has all of what to send instead */
    em_progress *progress; /* may be NULL */
    void *progress_context;
} em_call;

/* The edit whose text is there, but not as often as the call says. */
typedef struct em_miscount {
    size_t edit;  /* its index in the list */
    size_t found; /* how often; 0: that is not why the call failed */
} em_miscount;

/* An answer owns its JSON: em_answer_drop(). */
typedef struct em_answer {
    bool is_error;
    const char *text;     /* the text block, UTF-8; in the arena. NULL: `object` serialised */
    em_slice read;        /* the text block of a tool that reads where `text` is not all it is: with
                             the NULs of the file; in the arena. Empty: `text` */
    json_t *object;       /* structuredContent; NULL in string dialects */
    json_t *meta;         /* `_meta` of the result; NULL */
    json_t *native;       /* what `emend call` prints; NULL: `object`, or the bare text */
    bool tells_way;       /* `text` has all of what can be sent instead, or says that nothing can */
    bool fails_again;     /* what there is to be sent instead would fail, too, as the answer says */
    em_miscount miscount; /* why it failed, for who tries out what was meant */
    const struct em_tool **picked; /* tools that the caller wants to see in full from now on; in the
                                      arena */
    size_t picked_count;
} em_answer;
void em_answer_drop(em_answer *answer);

/* The text block of an answer that has one. */
static inline em_slice em_answer_text(const em_answer *answer)
{
    return answer->read.len > 0 ? answer->read : em_slice_of(answer->text);
}

enum {
    EM_TOOL_READ_ONLY = 1,   /* changes nothing */
    EM_TOOL_DESTRUCTIVE = 2, /* may overwrite or delete */
    EM_TOOL_IDEMPOTENT = 4,  /* the same call again has no further effect */
    EM_TOOL_READS = 8,       /* shows what a file holds: errors name it as the way to look */
    EM_TOOL_CREATES = 16,    /* makes files that are not there: the same for that */
    EM_TOOL_WRITES = 32,     /* replaces all that a file holds: the same for that */
    EM_TOOL_PICKS = 64, /* shows other tools in full: for where they are listed by their briefs */
    EM_TOOL_REPLACES =
        128, /* changes any text by search and replace: the way on where no other is */
    EM_TOOL_ELEMENTS = 256,     /* changes elements of a page alone, and no other text of it */
    EM_TOOL_WRITES_KNOWN = 512, /* EM_TOOL_WRITES, but only for who knows what the file holds */
    EM_TOOL_EDITS = 1024, /* changes parts of any text: for who calls it as others are called */
};

/* Arguments that did not pass the check. Everything is borrowed. */
typedef struct em_call_refusal {
    const char *message; /* which argument, what was expected and what came; and what would come of
                            those that were meant */
    ptrdiff_t edit;      /* the list element at fault, or EM_NO_EDIT */
    json_t *retry;       /* what to send instead; NULL: that is not known, or the message says it */
    bool fails_again;    /* that would fail, too, as the message says */
} em_call_refusal;

/* What an answer says of why the call failed. */
typedef struct em_call_failure {
    const char *why; /* in the arena, or the answer's; NULL: it did not fail, nor a part of it */
    json_t *retry;   /* what to send instead; the answer's. NULL: nothing, or `why` says it */
} em_call_failure;

typedef struct em_tool {
    const char *name;
    const char *title;
    const char *brief;        /* one line */
    const char *description;  /* all a model needs to use it */
    const char *guidance;     /* when to choose it, for the system prompt; half a sentence */
    const char *way_to_write; /* EM_TOOL_WRITES: "NAME with ...", where to name the tool does not
                                 say how; NULL */
    unsigned flags;
    const em_param *params;
    const em_form *forms;   /* the ways to fill these; NULL: any */
    const em_param *result; /* the fields of `object`, for outputSchema; NULL in string dialects */
    /* Answer a call whose arguments have been checked. EM_E_NOMEM is the only failure that is not
     * an answer. */
    em_status (*run)(const em_call *call, em_answer *answer);
    /* Answer arguments that did not pass the check, in the tool's own error form. */
    em_status (*refuse)(const em_call *call, const em_call_refusal *refusal, em_answer *answer);
    /* Read such a failure from an answer of `run`: what arguments that did not pass were meant to
     * be is tried out before it is told (em_call.is_trial). NULL: nothing is. EM_E_NOMEM. */
    em_status (*read_failure)(const em_answer *answer, em_arena *arena, em_call_failure *failure);
} em_tool;

/* What to do, for where it can be done. */
typedef struct em_guidance {
    unsigned needs; /* flags, each of which some tool that is offered has */
    const char *text;
} em_guidance;

typedef struct em_dialect {
    const char *name;            /* "file-edit": for --tools */
    const em_guidance *guidance; /* what holds for all its tools, for the system prompt; names none
                                    of them, since not all may be offered; ends with one whose text
                                    is NULL; NULL */
    const em_tool *tools;        /* ends with one whose name is NULL */
} em_dialect;

#endif
