/* dom_encoding.h: what can be done about a character that the page's encoding has not. */
#ifndef EM_DIALECTS_DOM_ENCODING_H
#define EM_DIALECTS_DOM_ENCODING_H

#include "answers/reply.h"

/* Append the suggestion for an operation that failed with E_ENCODING. */
void em_dom_add_encoding_advice(em_reply *reply, const em_dom_op *op, const em_dom_outcome *failed);

#endif
