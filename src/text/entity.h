/* entity.h: numeric character references of HTML and XML, which all texts may have.
 */
#ifndef EM_TEXT_ENTITY_H
#define EM_TEXT_ENTITY_H

#include "base/slice.h"

#include <stdint.h>

enum { EM_LONGEST_ENTITY = 10 /* "&#x10FFFF;" */ };

/* The bytes of the numeric entity that `s` begins with, and its number, which need be no code
 * point; 0: there is none, or it is longer than EM_LONGEST_ENTITY. */
size_t em_numeric_entity(em_slice s, uint32_t *code);

#endif
