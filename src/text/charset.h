/* charset.h: text in another charset <-> UTF-8, exactly in both directions.
 *
 * Exactly: each character stands for certain bytes wherever it occurs. So a piece of the text can
 * be replaced while the bytes around it stay as they are. Charsets in which an earlier byte changes
 * what a later one means (ISO-2022-JP, UTF-7, the EBCDICs with shifts) are refused. UTF-16 and
 * UTF-32 are converted here, and charsets of one byte per character by a table; iconv(3) makes that
 * table and converts all others.
 *
 * Which encoding a file has, BOMs, and what users are told, is decided in text.c.
 */
#ifndef EM_TEXT_CHARSET_H
#define EM_TEXT_CHARSET_H

#include "base/arena.h"
#include "base/slice.h"
#include "text/encoding.h"

typedef struct em_charset {
    em_encoding encoding;         /* EM_UTF16LE ... EM_UTF32BE, EM_NAMED */
    const char *name;             /* as the caller named it, in lower case */
    const char *iconv_name;       /* EM_NAMED: as iconv knows it */
    struct em_charset_row *table; /* EM_NAMED of one byte per character: 256; else NULL */
    bool lenient; /* of UTF-16 and UTF-32: a unit that is no character is read as U+FFFD */
} em_charset;

/* Where the text and the file run in step. */
typedef struct em_charset_checkpoint {
    size_t body, raw;
} em_charset_checkpoint;

/* The way back from a converted body to the file. */
typedef struct em_text_map {
    em_charset charset;
    em_slice raw; /* the file, its BOM included */
    em_charset_checkpoint
        *points; /* about one for each 4 KiB of the body; the first stands at its start */
    size_t count;
} em_text_map;

/* A charset of iconv(3), its name in any case, `-` and `_` in it left out or not. EM_E_INVALID when
 * there is none of that name, or when it is refused; *stateful says which. */
em_status em_charset_find(const char *name, em_arena *arena, em_charset *charset, bool *stateful);

/* raw[skip..) as UTF-8, with its map, both in `arena`. EM_E_INVALID when it is not valid, and *bad
 * is the offset in `raw` of the first byte at fault. */
em_status em_charset_decode(const em_charset *charset, em_slice raw, size_t skip, em_arena *arena,
                            em_slice *body, const em_text_map **map, size_t *bad);

/* `utf8` in the charset, in `arena`. EM_E_INVALID when it is not UTF-8 or holds a character that
 * the charset has not, and *bad is its offset. */
em_status em_charset_encode(const em_charset *charset, em_slice utf8, em_arena *arena,
                            em_slice *out, size_t *bad);

/* The offset in the file of the byte at `offset` of the body; EM_NPOS where no character of the
 * file starts there. */
size_t em_charset_to_raw(const em_text_map *map, size_t offset);

/* The same for offsets that ascend: of each the way goes on from *near, which is the one before, or
 * all zero. */
size_t em_charset_to_raw_near(const em_text_map *map, em_charset_checkpoint *near, size_t offset);

#endif
