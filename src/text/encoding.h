/* encoding.h: the kinds of encodings that a file can be in.
 */
#ifndef EM_TEXT_ENCODING_H
#define EM_TEXT_ENCODING_H

typedef enum em_encoding {
    EM_UTF8,  /* valid UTF-8, with or without a BOM */
    EM_BYTES, /* not valid UTF-8, no NUL, nothing named: some 8-bit encoding */
    EM_UTF16LE,
    EM_UTF16BE,
    EM_UTF32LE,
    EM_UTF32BE,
    EM_NAMED, /* an encoding that the caller named and iconv knows */
} em_encoding;

#endif
