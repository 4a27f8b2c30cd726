/* json_plain.h: JSON as nearly all of it is, read quickly.
 *
 * A call of many edits is mostly strings, which jansson reads byte by byte. This reads objects,
 * arrays, strings, literals and integers of at most 18 digits, and gives up on everything else,
 * above all on what is wrong: json_text.c asks jansson then, which has the words for it.
 */
#ifndef EM_SERVE_JSON_PLAIN_H
#define EM_SERVE_JSON_PLAIN_H

#include "base/slice.h"
#include "base/status.h"

#include <jansson.h>

/* *out is a new reference, or NULL: EM_E_INVALID where the text is not plain JSON or nested more
 * than `depth` deep, EM_E_NOMEM. What it takes jansson takes with the same result. */
em_status em_json_read_plain(em_slice text, size_t depth, json_t **out);

#endif
