/* depths.h: what is known of how deep the lines of a replacement belong.
 *
 * Each line of the search text that stands in the file is a pair: so deep for the caller, so deep
 * in the file. Where the search text has lost all of its indentation that tells nothing; the
 * replacement, which repeats the lines with some, is taken for it then. Lines that go on with a
 * statement are pairs for each other alone where they do not stand as the file's do; and so are
 * lines of lists, where these stand otherwise below their keys.
 */
#ifndef EM_LAYING_DEPTHS_H
#define EM_LAYING_DEPTHS_H

#include "laying/indent.h"
#include "laying/scope.h"
#include "match/tolerant.h"
#include "tokens/redline.h"

enum { EM_MOST_LISTS = 6 }; /* in each other; of what is in more nothing is known */

typedef struct em_list_depths {
    em_indents indents;
    bool unclear;
} em_list_depths;

typedef struct em_depths {
    em_slice text;
    const em_tolerant_place *place;
    em_tokened find, insert;
    const size_t *origin; /* of em_redline() */
    em_arena *arena;
    em_indents indents;
    bool first_is_bare; /* the search text begins without the indentation that the file has */
    bool is_unclear;    /* and is one line, of which lines that follow tell nothing */
    bool units_are_known;
    bool in_columns; /* every eighth column of the file is a tab (tab_stops.h), and none of the
                        caller's: `seen` of all pairs is in spaces, and so is what they tell */
    em_indent_pair *in_file; /* the pairs before that; in_columns only */
    size_t in_file_count;
    bool shuns_tabs; /* the file around has eight columns as spaces rather than as a tab */
    /* Where lines differ in depth from the file's, those that go on with a statement (scope.h) tell
     * nothing of lines that do not. */
    em_indents statements;       /* the others */
    const em_scope *scopes;      /* of the lines of `insert`; NULL: all lines tell of all */
    const em_scope *find_scopes; /* of those of `find` */
    bool parts_statements, statements_are_unclear;
    /* Where lists stand deeper than their keys in the file alone, or for the caller alone, a line
     * tells of those that are in as many lists: lists[i] is of those in i, or else in fewer. */
    bool parts_lists;
    em_list_depths lists[EM_MOST_LISTS];
    em_indents strays[2]; /* of which that is not known: what is no item, and items */
    size_t *changed; /* what line of `find` each line changes (line_pairs.h); NULL as `scopes` */
    size_t looked;   /* tokens, for siblings, and for blocks above */
} em_depths;

/* The pairs, where all but `indents` and what follows is set. EM_E_NOMEM only. */
em_status em_depths_learn(em_depths *depths);

/* The rest of the indents, where lines are new: of a hundred thousand places that change within
 * their line none needs to know. */
em_status em_depths_learn_units(em_depths *depths);

/* Where all is counted in columns: an indentation in spaces, for a line that comes at `at` of the
 * search text, becomes what the file has for it. That is what the nearest line that was found and
 * is as deep has, else a tab for every eight columns, unless no line that was found has one though
 * it could, or none could and most lines around have none. */
em_status em_depths_write(const em_depths *depths, size_t at, em_slice *indent);

/* What tells how deep the line belongs that token `index` of `insert` begins; NULL: nothing does.
 * The units are to be known. */
const em_indents *em_depths_for(const em_depths *depths, size_t index);

#endif
