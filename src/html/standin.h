/* standin.h: names that the parser knows, in the place of others.
 *
 * The parser takes all elements that it does not know for one kind, so that </x-b> closes <x-a>;
 * and of some younger ones it does not know what they close. So in the masked page (prescan.h) each
 * such name is one that the parser treats as HTML treats the other, and that the page does not use
 * itself. It is as long at most, and blanks fill what is left of its place. Where a page has more
 * names than there are stand-ins, those that came last stay.
 */
#ifndef EM_HTML_STANDIN_H
#define EM_HTML_STANDIN_H

#include "html/tree.h"

enum { EM_STANDIN_NAMES = 48 };

typedef struct em_standin {
    em_slice name; /* as it was met first */
    unsigned char kind;
    const char *by; /* NULL: none is left, or none is wanted yet */
} em_standin;

typedef struct em_standin_place {
    em_range at;         /* the name of a tag, in the page */
    unsigned char which; /* of the names */
} em_standin_place;

typedef struct em_standins {
    em_standin names[EM_STANDIN_NAMES];
    size_t name_count;
    em_standin_place *places; /* in the order of the page */
    size_t place_count, room;
    bool used[256]; /* by the parser's number of a tag: the page has such a tag */
} em_standins;

/* A tag of the page has this name; `foreign`: perhaps among elements of SVG or MathML, where the
 * parser goes by names itself. EM_E_NOMEM. */
em_status em_standins_note(em_standins *standins, em_slice page, em_range name, bool foreign,
                           em_arena *arena);

/* Choose, once all tags are noted. True: there is something to write. */
bool em_standins_choose(em_standins *standins);

/* Write them into a copy of the page. */
void em_standins_write(const em_standins *standins, char *copy);

#endif
