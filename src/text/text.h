/* text.h: the bytes of a file as text, and back.
 *
 * A file is bytes; a request is UTF-8. em_text puts a `body` between them, the bytes in which
 * needles are sought and splices are planned:
 *
 *   - a file in UTF-8, or in an unknown 8-bit encoding: the body is the file itself. A BOM is in
 *     it, but before `start`, so it is never matched, counted or replaced;
 *   - a file in UTF-16 or UTF-32 with a BOM, or in an encoding that the caller named: the body is
 *     the file converted to UTF-8 without its BOM, and em_text_to_raw() leads back.
 *
 * So every search is a search in one plain byte string whatever the file is, and what is not
 * spliced is never converted back: those bytes are taken from the file.
 */
#ifndef EM_TEXT_TEXT_H
#define EM_TEXT_TEXT_H

#include "base/arena.h"
#include "text/encoding.h"
#include "text/extract.h"

#include <stdint.h>

typedef enum em_eol { EM_EOL_NONE, EM_EOL_LF, EM_EOL_CRLF, EM_EOL_CR } em_eol;

typedef struct em_text {
    em_slice raw;      /* the file; borrowed */
    em_slice body;     /* the text that is worked on; `raw`, or in the arena */
    size_t start;      /* first byte of the body that is text: 3 past a UTF-8 BOM, else 0 */
    size_t bom_length; /* bytes of BOM at the start of `raw`: 0, 2, 3 or 4 */
    em_encoding encoding;
    const char *charset;           /* its name: "utf-8", "utf-16le", "windows-1252"; for
                                      EM_BYTES "unknown-8bit" */
    const struct em_text_map *map; /* body -> raw; NULL where the body is `raw` */
    const em_extract *extract;     /* of which the body is, and `raw` too; offsets in the file are
                                      then others. NULL: the text is all here */
    bool is_utf8_too;  /* although Latin 1 or its kin was named: nothing that would be no UTF-8
                          there can be sought or written */
    const size_t *lfs; /* of a body of ASCII without a CR, for the line index: how many LFs stand
                          before byte i * EM_TEXT_STRETCH; the last is of all. NULL: not known */
} em_text;

/* Bytes; also the block of the line index, which takes the counts as they are. */
enum { EM_TEXT_STRETCH = 4096 };

/* Read `raw` as text. `encoding` is the name that the caller gave, or NULL to find out from the
 * bytes: a BOM decides; else a NUL byte makes it binary; else valid UTF-8 is UTF-8; else EM_BYTES.
 * (A UTF-8 BOM before bytes that are not UTF-8 is an EM_BYTES text that starts behind it.)
 *
 * A name is a name of iconv(3), in any case, with or without `-` and `_` ("latin-1", "utf_8").
 * Those in which earlier bytes change what later ones mean (ISO-2022-*, UTF-7, ...) are refused. A
 * BOM in the file that agrees with the name is kept as a BOM; of UTF-16 and UTF-32, one of the
 * other byte order is refused. "utf-16" and "utf-32" take the order of the BOM, without one little
 * endian. UTF-16 or UTF-32 is refused where the file has no BOM and no NUL, and is valid UTF-8. In
 * a file whose encoding was named NUL is a character like any other.
 *
 * *text borrows `raw` and lives in `arena`; on failure it stays as it is.
 * Expected failures: EM_E_BINARY: a NUL, where nothing was named and no BOM of UTF-16 or UTF-32
 * says that it is text; with EM_CAUSE_ENCODING, such a BOM before bytes that are not valid in it.
 * EM_E_INVALID with EM_CAUSE_ENCODING when the name is unknown or refused (the detail says which)
 * or when the bytes are not valid in it (the detail has the byte offset). */
em_status em_text_open(em_slice raw, const char *encoding, em_arena *arena, em_text *text,
                       em_error *err);

/* `raw`, a piece of a file in that encoding (NULL: as it is), as UTF-8, to be shown: in `arena` or
 * borrowed. What is no text in it stays as it is. EM_E_NOMEM only. */
em_status em_text_decode(em_slice raw, const char *charset, em_arena *arena, em_slice *out);

/* The same for bytes of which it is known that they are EM_UTF8, with a BOM or without, or
 * EM_BYTES: they are not looked at again. */
em_text em_text_of_bytes(em_slice raw, em_encoding encoding);

/* The text of a file that is to be written anew, whatever it holds: in UTF-16 or UTF-32 where its
 * BOM says so, and what is not valid in that stands in the body as U+FFFD; else in UTF-8, the body
 * being the file. EM_E_NOMEM only. */
em_status em_text_open_to_rewrite(em_slice raw, em_arena *arena, em_text *text);

/* The extract of a file as text: the body is that of the extract. What it is was found out when the
 * file was read: valid UTF-8 or EM_BYTES, with a BOM of UTF-8 or none. */
em_text em_text_of_extract(const em_extract *extract, em_encoding encoding);

/* Do they begin with a BOM, of whatever encoding? */
bool em_text_has_bom(em_slice bytes);

/* How many bytes of BOM `bytes` begin with, if their code units have `unit` bytes (0 for 1): 0, 2,
 * 3 or 4. */
size_t em_text_bom_length(em_slice bytes, size_t unit);

/* An empty text of the given encoding (NULL: UTF-8), for a file that is to be made. It has a BOM
 * when the name is "utf-16" or "utf-32" (then little endian) or "utf-8-sig": `raw` is then that
 * BOM, and the file that is made is `raw` with the splices laid into it, as always. */
em_status em_text_new(const char *encoding, em_arena *arena, em_text *text, em_error *err);

/* `utf8` as it would stand in the file: the same bytes where the body is the file itself, else
 * converted. *out is `utf8` itself or in `arena`. EM_E_INVALID with EM_CAUSE_ENCODING when the
 * encoding cannot hold a character (the detail names it, "U+20AC '€'", and the encoding), or when
 * `utf8` is not valid; in an EM_BYTES text that is every character beyond ASCII, and the detail
 * says to name an `encoding`; in one that is UTF-8 too, what would not be UTF-8 there. */
em_status em_text_encode(const em_text *text, em_slice utf8, em_arena *arena, em_slice *out,
                         em_error *err);

/* The first character of `utf8` for which em_text_encode fails; 0: there is none, or `utf8` is not
 * valid. EM_E_NOMEM. */
em_status em_text_find_lacking(const em_text *text, em_slice utf8, em_arena *arena, uint32_t *code);

/* Where the byte at `offset` of the body stands in the file. `offset` is the start of a code point,
 * or the end of the body. EM_NPOS where it lies inside a character of the file, which happens only
 * in the few charsets that have characters of two code points. */
size_t em_text_to_raw(const em_text *text, size_t offset);

/* Splices over the body as splices over the file. The same list where the body is the file, else
 * new ones in `arena`, their inserts encoded; fails like em_text_encode, and where an edge has no
 * place in the file. */
em_status em_text_splices_to_raw(const em_text *text, em_splices body, em_arena *arena,
                                 em_splices *raw, em_error *err);

/* The bytes of a line ending: "\n", "\r\n", "\r"; empty for EM_EOL_NONE. */
em_slice em_eol_bytes(em_eol eol);

/* The line ending that starts at `offset` of `s`. CRLF is one ending. */
em_eol em_eol_at(em_slice s, size_t offset);

/* How many bytes the line ending has that starts at `offset`, or that `s` ends with; 0 where there
 * is none. */
static inline size_t em_eol_length_at(em_slice s, size_t offset)
{
    return em_eol_bytes(em_eol_at(s, offset)).len;
}
size_t em_last_eol_length(em_slice s);

/* `s` without the line ending that it ends with, if it does. */
em_slice em_without_last_eol(em_slice s);

static inline bool em_ends_in_eol(em_slice s)
{
    return em_last_eol_length(s) > 0;
}

/* Behind the line that `offset` is in, and its ending. */
size_t em_line_behind(em_slice text, size_t offset);

/* Where the line begins that `offset` is in; of the start of a line, where the one before begins.
 */
size_t em_line_before(em_slice text, size_t offset);

/* The text with an LF for each of its line endings: itself, or in `arena`. EM_E_NOMEM only. */
em_status em_text_with_lfs(em_slice text, em_arena *arena, em_slice *out);

/* `insert` with its LFs turned into line endings of the file, as the text that it replaces has
 * them: the first LF becomes the first ending in `replaced`, and so on; further ones become the
 * last of them; where `replaced` has none, `dominant` (EM_EOL_NONE counts as LF). As many lines end
 * as before: an LF right behind one that became a CR becomes one too. An insert that holds a CR is
 * left as it is. *out is `insert` itself or in `arena`. EM_E_NOMEM only. */
em_status em_text_adapt_eols(em_slice insert, em_slice replaced, em_eol dominant, em_arena *arena,
                             em_slice *out);

#endif
