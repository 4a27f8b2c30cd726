/* json_reader.h: jansson's values out of yajl's events, of a text that may be read in pieces.
 *
 *   EM_AUTO(em_json_reader) r = {.text = text};
 *   em_json_reader_feed(&r, text, 0);
 *   em_status status = em_json_reader_end(&r, err);
 */
#ifndef EM_JSON_JSON_READER_H
#define EM_JSON_JSON_READER_H

#include "base/strbuf.h"
#include "json/json.h"
#include "json/json_memory.h"

#include <stdatomic.h>
#include <yajl/yajl_parse.h>

/* Deeper than any request that makes sense, and far from what recursion could not bear. */
enum { EM_JSON_DEPTH_MOST = 64 };

/* The same for their number: the shortest of them, {}, takes a hundred times its length. */
enum { EM_JSON_VALUES_MOST = 1000000 };

/* The name of the one member of what stands for a wide number: no key that is read holds a NUL. */
#define EM_JSON_WIDE_KEY "\0"
enum { EM_JSON_WIDE_KEY_LENGTH = 1 };

typedef struct em_json_reader {
    em_slice text; /* all of it; borrowed */
    em_json_memory memory;
    yajl_handle parser;
    yajl_status status;               /* of the last piece */
    json_t *root;                     /* owned, until it is taken */
    json_t *open[EM_JSON_DEPTH_MOST]; /* what is not closed yet, the innermost last; borrowed */
    size_t depth, deepest;
    size_t count;          /* of all values so far */
    size_t base;           /* where the last piece begins in the text */
    size_t end;            /* where the last value ended that is a list or an object, or is all */
    em_slice key;          /* of the value that comes next; in the text, or in: */
    em_strbuf decoded_key; /* one that has escapes, with a NUL behind it */
    em_strbuf number;      /* with a NUL behind it, for the C library */
    const char *complaint; /* why a callback stopped the parser */
    bool is_too_deep, has_too_many, out_of_memory;
    bool is_part;     /* the text may go on behind the value */
    bool passes_null; /* the next null is none: it stands for what was read elsewhere */
    const atomic_bool *is_called_off; /* then no more is read; NULL: it never is */
} em_json_reader;

void em_json_reader_drop(em_json_reader *reader);

/* Read a piece, which stands at `at` in the text, or for something there. False: it is wrong by
 * then, or memory ran out, and no more may be read. */
bool em_json_reader_feed(em_json_reader *reader, em_slice piece, size_t at);

/* All was read: is it one value, and nothing else? Otherwise what is wrong with it. */
em_status em_json_reader_end(em_json_reader *reader, em_error *err);

/* How many of JSON's blanks a text begins with. */
size_t em_json_blanks(em_slice text);

#endif
