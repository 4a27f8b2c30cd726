/* tag.h: the inside of one tag, as HTML's tokenizer reads it.
 *
 * A cursor walks over the attributes in the order in which they are written, those that a parser
 * ignores (a second one of the same name) included. It takes no memory.
 */
#ifndef EM_HTML_TAG_H
#define EM_HTML_TAG_H

#include "base/ascii.h"
#include "html/tree.h"

/* Where in a tag something stands. */
typedef enum em_tag_place {
    EM_TAG_NAME,
    EM_TAG_BETWEEN, /* where an attribute could begin */
    EM_TAG_ATTR_NAME,
    EM_TAG_UNQUOTED, /* in, or before, a value */
    EM_TAG_QUOTED,
} em_tag_place;

/* Asked at each '<' and '{' of a tag, and at '@' and '#' where an attribute could begin: where does
 * the code of a template that begins at `at` end? `at`: none begins there. */
typedef size_t em_tag_code(void *context, size_t at, em_tag_place place, char quote);

typedef struct em_tag {
    em_slice bytes; /* of the page; borrowed */
    em_range name;  /* of the tag */
    size_t at;      /* how far it was read */
    size_t end;     /* behind the '>', once all attributes were read; EM_NPOS: the tag never ends */
    bool self_closing;
    em_tag_code *code; /* may be NULL */
    void *context;
} em_tag;

typedef struct em_tag_attr {
    em_range name, value; /* the value without its quotes; empty where there is none */
    char quote;           /* '"' or '\''; 0: none */
    bool has_value;
    size_t end; /* behind the attribute, its quote included */
} em_tag_attr;

/* Does a tag begin here: '<' and a letter ("</" and a letter: an end tag)? */
bool em_tag_starts(em_slice bytes, size_t at);
bool em_tag_ends(em_slice bytes, size_t at);

/* The name of the tag that starts, or ends, at `at`, as it is written. */
em_slice em_tag_name(em_slice bytes, size_t at);

/* Where the end tag of that name begins that ends a text without tags (script), of which `at` is
 * in; the length of `bytes`: nowhere. */
size_t em_tag_raw_text_end(em_slice bytes, size_t at, em_slice name);

/* Behind the comment that begins at `at` with "<!--"; it may end at once ("<!-->"), and with
 * "--!>". EM_NPOS: it never ends. */
size_t em_tag_comment_end(em_slice bytes, size_t at);

/* Begin with the tag that starts, or ends, at `at`. */
void em_tag_open(em_tag *tag, em_slice bytes, size_t at, em_tag_code *code, void *context);

/* The next attribute; false behind the last, when `end` is known. */
bool em_tag_next(em_tag *tag, em_tag_attr *attr);

/* White space of HTML: tab, LF, FF, CR, space. */
static inline bool em_html_space(char byte)
{
    return byte == ' ' || byte == '\n' || byte == '\t' || byte == '\r' || byte == '\f';
}

/* Is there nothing but white space in it? */
bool em_html_blank(em_slice text);

/* The next word of *rest, which moves behind it; empty where there is none. Words are what white
 * space parts, as the classes of an element. */
em_slice em_html_next_word(em_slice *rest);

/* Is it one of the words, to the byte? */
bool em_html_has_word(em_slice words, em_slice wanted);

#endif
