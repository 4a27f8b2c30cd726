/* scan.h: the letters of a selector: identifiers, strings, escapes and blanks, as CSS Syntax
 * Level 3 has them.
 *
 * The text is valid UTF-8 without NUL. Where CSS would close what is left open at the end, or go on
 * after a string with a line end in it, this says that it is wrong.
 */
#ifndef EM_SELECTORS_SCAN_H
#define EM_SELECTORS_SCAN_H

#include "base/arena.h"

typedef struct em_scanner {
    em_slice text;
    size_t at;
} em_scanner;

enum { EM_SCAN_END = -1 };

/* The byte `ahead` of the place where it stands, EM_SCAN_END behind the text. */
static inline int em_scan_peek(const em_scanner *scan, size_t ahead)
{
    size_t at = scan->at + ahead;
    return at < scan->text.len ? (unsigned char)scan->text.ptr[at] : EM_SCAN_END;
}

/* Past comments. */
void em_scan_comments(em_scanner *scan);

/* Past blanks and comments; true if there was a blank. */
bool em_scan_blanks(em_scanner *scan);

/* Can this byte stand inside an identifier without an escape? */
bool em_scan_is_name(int byte);

/* Does an identifier begin here? */
bool em_scan_starts_identifier(const em_scanner *scan);

/* The identifier that begins here, and past it; its escapes are resolved, in `arena` where there
 * are any. Also what follows the first sign of one, as the "1a" of "#1a". EM_E_NOMEM. */
em_status em_scan_identifier(em_scanner *scan, em_arena *arena, em_slice *name);

/* The string that begins here with its quote, and past it. EM_E_INVALID when it does not end (the
 * scanner stands where it began); EM_E_NOMEM. */
em_status em_scan_string(em_scanner *scan, em_arena *arena, em_slice *value);

/* `text` with its escapes resolved, in `arena`. EM_E_NOMEM. */
em_status em_scan_resolve(em_slice text, em_arena *arena, em_slice *resolved);

#endif
