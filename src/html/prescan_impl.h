/* prescan_impl.h: what the files of the pass over a page share: masks (prescan_mask.c), tags
 * (prescan_tag.c), and all else (prescan.c).
 */
#ifndef EM_HTML_PRESCAN_IMPL_H
#define EM_HTML_PRESCAN_IMPL_H

#include "html/pairs.h"
#include "html/prescan.h"
#include "html/standin.h"

/* How many open elements are known by name, the innermost ones: old pages leave any number of <a>
 * open. */
enum { EM_OPEN_ROOM = 1024 };

/* Blocks of Razor that are followed in each other. */
enum { EM_RAZOR_ROOM = 64 };

/* A tag's name that was met. A page has many tags, and few names. */
enum { EM_MET_ROOM = 64 };
typedef struct em_met_name {
    em_slice name;
    unsigned kinds;
    bool foreign; /* of a tag that may be in SVG or MathML */
} em_met_name;

typedef struct em_page_scanner {
    em_prescan *scan;
    em_arena *arena;
    em_error *err;
    char *copy; /* the masked page; NULL: nothing is masked yet */
    em_status status;
    em_code_reader reader;
    size_t code_room, piece_room, doubt_room, gap_room, odd_room, void_end_room;
    bool is_odd;                  /* the tag that is read */
    size_t blocks[EM_RAZOR_ROOM]; /* of Razor that are open: in how many braces that are none */
    size_t block_count, curly;    /* `curly`: such braces that are open */
    em_directives directives;     /* by their numbers among the pieces */
    size_t braced;                /* to where the braces of a tag before were followed */
    size_t less, brace;           /* the next '<' and '{', as far as they were looked for */
    size_t razor;                 /* and the next "@*" */
    size_t prologue;   /* to here a page has but blanks and comments; EM_NPOS: that is over */
    size_t head;       /* what comes behind that, where it was looked for and is not in the body */
    bool no_text;      /* the last tag was one behind which text has no place, */
    bool in_table;     /* since it stands between the parts of a table */
    size_t depth;      /* elements open, of those whose end tag must be there */
    size_t forgotten;  /* how many of these, the outermost, have no name in `open` any more */
    bool foreign_part; /* the bytes are to stand among elements of SVG or MathML */
    size_t foreign;    /* within how many the outermost <svg> or <math> stands; EM_NPOS: none */
    em_standins standins;
    em_met_name met[EM_MET_ROOM]; /* each at one place alone, so the last of those that share it */
    em_slice open[EM_OPEN_ROOM];  /* the names, each at its depth modulo EM_OPEN_ROOM */
} em_page_scanner;

/* ---- What is noted and masked (prescan_mask.c) ----------------------------------------------- */

/* The pass ends with the first failure. */
void em_prescan_give_up(em_page_scanner *s, em_status status);

/* Is there a copy to mask in? Else there is no memory for it. */
bool em_prescan_may_mask(em_page_scanner *s);

/* Each of these bytes in [start, end). */
void em_prescan_mask(em_page_scanner *s, size_t start, size_t end, const char *which);

/* Each '<' in [start, end) that would begin something. */
void em_prescan_mask_openings(em_page_scanner *s, size_t start, size_t end);

enum { EM_LEAST_COMMENT = 4 /* bytes: "<!", something, and '>' */ };

/* As a comment. Code is at least as long, but PHP that never ends. */
void em_prescan_mask_as_comment(em_page_scanner *s, size_t start, size_t end);

/* The list with room for one more; NULL: there is no memory. */
void *em_prescan_with_room(em_page_scanner *s, void *items, size_t count, size_t *room,
                           size_t size);

void em_prescan_note_code(em_page_scanner *s, size_t start, size_t end);
void em_prescan_note_piece(em_page_scanner *s, size_t start, size_t end);
void em_prescan_note_gap(em_page_scanner *s, em_page_gap gap);
void em_prescan_note_doubt(em_page_scanner *s, em_code_doubt doubt);

/* ---- Tags (prescan_tag.c) -------------------------------------------------------------------- */

/* Among elements of SVG or MathML, whose <title> and <style> hold markup? */
static inline bool em_prescan_in_foreign(const em_page_scanner *s)
{
    return s->foreign != EM_NPOS;
}

/* Over the tag at `at`, and the raw text that follows some: behind it. */
size_t em_prescan_skip_tag(em_page_scanner *s, size_t at);

/* Over raw text, with what code it has: only the kinds that no program has by itself. */
size_t em_prescan_skip_raw_text(em_page_scanner *s, size_t at, em_slice name);

#endif
