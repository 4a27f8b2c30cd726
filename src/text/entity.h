/* entity.h: characters that came by their numbers, as HTML and XML have them, or JSON.
 */
#ifndef EM_TEXT_ENTITY_H
#define EM_TEXT_ENTITY_H

#include "base/slice.h"

#include <stdint.h>

enum { EM_LONGEST_ENTITY = 10 /* "&#x10FFFF;" */ };

/* The bytes of the numeric entity that `s` begins with, and its number, which need be no code
 * point; 0: there is none, or it is longer than EM_LONGEST_ENTITY. */
size_t em_numeric_entity(em_slice s, uint32_t *code);

/* The bytes of a `\u` and its four digits that `s` begins with, or of two that are one character,
 * and that character; 0: there is none. A NUL, which nobody may send, and half a character are
 * none. */
size_t em_numbered_escape(em_slice s, uint32_t *code);

#endif
