/* match_index_impl.h: what is noted of search texts, for the files that note and use it. */
#ifndef EM_EDIT_MATCH_INDEX_IMPL_H
#define EM_EDIT_MATCH_INDEX_IMPL_H

#include "edit/match_index.h"

/* Places of one text lie in a list over the pool of all places. */
typedef struct em_noted_entry {
    em_address address; /* of its first byte */
    uint32_t next;      /* 0: none */
} em_noted_entry;

typedef struct em_noted_list {
    uint32_t first, last; /* 0: none */
    uint32_t needle;      /* its number in the prints */
    size_t count;
    bool is_listed; /* all places are noted */
    bool is_alone;  /* it never will be */
} em_noted_list;

/* A search text, which one op has or many. */
typedef struct em_noted_text {
    em_slice bytes;
    size_t next_op, last_op; /* whose turn is still to come */
    em_noted_list lists[2];  /* EM_LITERAL, EM_ANY_EOL */
} em_noted_text;

enum { EM_LITERAL, EM_ANY_EOL };
#define EM_NO_TEXT UINT32_MAX

/* A place that is one now. */
typedef struct em_noted_place {
    size_t start, end;
    em_address address;
} em_noted_place;

struct em_match_index {
    em_draft *draft;
    const em_op *ops;
    size_t op_count, worth;
    bool has_cr;
    em_arena arena; /* what lasts */
    em_noted_text *texts;
    size_t text_count;
    size_t misses; /* of ops without probes since the lists were lost */
    em_arena probe_arena;
    em_probes *probes; /* of the ops from `probed` to before `probed_until` */
    size_t probed, probed_until, probed_at_once;
    em_noted_text *pieces; /* of these probes; they have EM_LITERAL lists */
    size_t piece_count, piece_slots, longest_piece;
    size_t least_piece;       /* bytes that pieces must have */
    size_t tried, fell_short; /* ops that were looked for by them, and those that were not found */
    size_t too_wide;          /* ops whose surroundings could not be read */
    uint32_t *piece_table;
    uint32_t *text_of; /* by op; EM_NO_TEXT */
    size_t *same_text; /* by op: the next one with the same text; op_count: none */

    em_arena pass_arena; /* what lasts as long as the prints */
    bool is_valid;       /* there are prints, and the lists are complete */
    bool is_fresh;       /* nothing was laid in since: what was noted stands there */
    size_t searches;     /* that were made alone since the lists were lost */
    size_t until;        /* the op from which on texts are not listed, for want of room */
    em_prints prints;
    uint32_t *list_of; /* by needle: 2 * text + EM_LITERAL or EM_ANY_EOL; pieces have the numbers
                          behind those of the texts */
    size_t *longest;   /* by op: how far a listed text of the ops behind it may reach */
    size_t bytes;      /* of the draft when the pass was made */

    em_noted_entry *pool; /* owned; pool[0] is not used */
    size_t pool_count, pool_room, in_use;
    uint32_t free_list;
    char *window; /* owned */
    size_t window_room;
    em_noted_place *standing; /* owned */
    size_t standing_room;
};

/* So many searches are made alone before the next pass, which costs as much as some. */
enum { EM_SEARCHES_BEFORE_A_PASS = 3 };

/* Of probes: of so many ops at first, since a call may end with any of them; without pieces that
 * are shorter, which make a pass slow; and one that stands at more places is no good. */
enum { EM_PROBED_AT_FIRST = 64, EM_SHORTEST_QUICK_PIECE = 11, EM_MOST_PIECE_PLACES = 16 };

/* Look for the texts of all ops from number `op` on, and for all pieces. EM_E_NOMEM only. */
em_status em_match_index_make_pass(em_match_index *w, size_t op, em_arena *arena);

/* Have no pieces any more. */
void em_match_index_forget_pieces(em_match_index *w);

/* Those places of the list where the text stands now, in their order, each once: so many, in
 * w->standing. EM_E_NOMEM only. */
em_status em_match_index_gather(em_match_index *w, const em_noted_list *l, em_slice text, int kind,
                                size_t *count);

/* The list has what was gathered then, and nothing else. EM_E_NOMEM only. */
em_status em_match_index_keep(em_match_index *w, em_noted_list *l, size_t count);

#endif
