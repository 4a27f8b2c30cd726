/* json_text.h: JSON as it goes over the wire.
 *
 * Values are jansson's; their text is read and written by yajl, which takes a quarter of the
 * instructions. Reading is strict where leniency would guess (duplicate keys, lone surrogates,
 * bytes that are not UTF-8 are refused), and whole where 64 bits are not: a number that they and
 * a double cannot hold, or not exactly, is valid JSON, and is kept as its text, so that it is
 * echoed as it came and whoever wanted an integer there can say what came. jansson has no such
 * number: it is an object here, of one member that no text has and that jansson does not compare or
 * copy. So who wants an object asks em_json_is_object().
 */
#ifndef EM_JSON_JSON_TEXT_H
#define EM_JSON_JSON_TEXT_H

#include "json/json.h"

/* Parse one JSON value. On success *out is a new reference, else NULL. EM_E_INVALID when it is not
 * JSON (or nested more than 64 deep, or more than 1,000,000 values): the detail says what is wrong
 * and at which byte, from 1. EM_E_NOMEM.
 */
em_status em_json_parse(em_slice text, json_t **out, em_error *err);

/* Is there nothing but JSON's blanks (a NUL is none)? */
bool em_json_is_blank(em_slice text);

/* The bytes of a JSON string, which may hold NUL; borrowed. Empty for what is no string. */
em_slice em_json_slice(const json_t *value);

/* Is it a string of just these bytes? */
bool em_json_is(const json_t *value, const char *string);

/* Is it an object in JSON, too? */
bool em_json_is_object(const json_t *value);

/* The text of a number that is kept as its text; borrowed. Empty for all else. */
em_slice em_json_wide_number(const json_t *value);

/* Append the value as JSON: in one line, or, with an indentation above 0, laid out for people.
 * `out` says when memory ran out. */
void em_json_write(const json_t *value, size_t indentation, em_strbuf *out);

#endif
